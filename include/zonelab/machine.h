/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine: what was given (zl_profile) and everything that follows from it (zl_machine).
 * zl_machine_resolve() is the one place where derivation happens.
 */
#ifndef ZONELAB_MACHINE_H
#define ZONELAB_MACHINE_H

#include "zonelab/diag.h"
#include "zonelab/error.h"
#include "zonelab/geometry.h"
#include "zonelab/policy.h"
#include "zonelab/release.h"
#include "zonelab/settings.h"
#include "zonelab/tuning.h"

/** 64 nodes of six zones. */
#define ZL_ZONES_MAX 384
/** Pagesets of one zone in a file: as many as `cpus` may be. */
#define ZL_ZONE_PCP_MAX 8192

/** One pageset as a file showed it (/proc/zoneinfo). -1 = not shown. */
struct zl_observed_pcp {
	unsigned cpu;
	int64_t count, high, batch, high_min, high_max;
	int64_t stat_threshold; /* of this CPU's counters of the zone */
};

/** A zone as a profile or file states it; pages are of the profile's own page size. */
struct zl_zone_facts {
	unsigned node;
	char name[16];
	uint64_t start_pfn, spanned, present, managed, cma;
	unsigned cpus;	    /* pagesets shown (one per online CPU of any node); 0 = not known */
	unsigned node_cpus; /* CPUs of the zone's own node; 0 = not known */
	bool no_managed;    /* a file shows the zone without its managed pages */
	/* Observations, -1 = not shown. */
	int64_t free, boost, min, low, high, promo;
	int64_t protection[8];
	unsigned nr_protection;
	struct zl_observed_pcp *pcp; /* owned by the profile */
	size_t nr_pcp;
};

/** Other observations of a machine, -1 = not shown. */
struct zl_observed {
	int64_t min_free_kbytes;
	int64_t pageblock_order;
	int64_t max_page_order; /* columns of buddyinfo less one */
	int64_t migrate_types;	/* rows of pagetypeinfo */
	int64_t mem_total_kb, cma_total_kb, cma_free_kb, huge_page_kb;
};

/**
 * A machine as given: settings and policies plus zones and observations of a file. Plain data but
 * for the policies and the zone array; copy with zl_profile_copy().
 */
struct zl_profile {
	char name[64];
	char title[160];  /* one line */
	char source[160]; /* where the facts come from */
	struct zl_settings settings;
	struct zl_policy_set policies; /* owned */
	struct zl_zone_facts *zones;
	size_t nr_zones;
	uint64_t zones_page_size; /* page size that `zones` was counted in */
	unsigned zones_arch;	  /* 1 + index of their architecture's word, 0 = not known */
	struct zl_observed observed;
	/*
	 * Reported watermarks, limits and min_free_kbytes stand in the machine until something that
	 * they follow from is given over the facts; false = always computed (verification).
	 */
	bool observe;
};

void zl_profile_init(struct zl_profile *p);
/** Frees what the profile owns; accepts a zeroed profile. */
void zl_profile_done(struct zl_profile *p, const struct zl_allocator *a);
/** Returns 0 or -ENOMEM (then @ret is untouched). */
int zl_profile_copy(
	struct zl_profile *ret, const struct zl_profile *p, const struct zl_allocator *a);
/** Appends a zone; returns it, or NULL when there is no room (ZL_ZONES_MAX) or no memory. */
struct zl_zone_facts *zl_profile_add_zone(struct zl_profile *p, const struct zl_allocator *a);
/**
 * Appends an observed pageset to a zone, values -1, CPU numbers counting up from 0; returns NULL
 * when there is no room (ZL_ZONE_PCP_MAX) or no memory.
 */
struct zl_observed_pcp *zl_zone_add_pcp(struct zl_zone_facts *z, const struct zl_allocator *a);

/** A value of the `zones` setting. */
struct zl_zone_layout {
	bool automatic; /* "auto" */
	size_t count;
	struct {
		enum zl_zone_type type;
		uint64_t bytes; /* of each node */
	} item[ZL_ZONE_TYPE_COUNT];
};
/**
 * Reads "auto" or "NAME:SIZE,NAME:SIZE,...".
 * Returns 0; -EINVAL or -ERANGE with @err filled (may be NULL); @ret is set only on success.
 */
int zl_zone_layout_parse(const char *text, struct zl_zone_layout *ret, struct zl_error *err);

/** A zone with all that follows. Pages of the machine's page size. */
struct zl_zone {
	unsigned node;
	char name[16];
	enum zl_zone_type type;
	uint64_t start_pfn, spanned, present, managed, cma;
	unsigned cpus;	/* divisor of high: CPUs of the node, or all if the node has none */
	bool populated; /* present > 0, as populated_zone() */
	uint64_t pageblocks;
	struct zl_watermarks wmark;
	bool wmark_observed; /* min, low, high as reported; share and distance stay computed */
	struct zl_pcp_limits limits;
	bool limits_observed; /* as reported for the first CPU */
	struct zl_free_high free_high;
	bool free_high_batch;
	uint64_t highatomic_max; /* pages */
	unsigned stat_threshold;
	uint64_t lowmem_reserve[ZL_ZONE_TYPE_COUNT]; /* pages kept from requests for that zone */
	const struct zl_zone_facts *facts; /* borrowed from the profile, NULL when idealised */
};

struct zl_machine {
	struct zl_release release;
	bool release_known; /* a release was given, not assumed */
	struct zl_switches switches;
	struct zl_geometry geometry;
	/* resolved settings */
	uint64_t memory, memory_base;
	unsigned nodes, cpus;
	bool smp, numa, nommu;
	unsigned scale_max, high_fraction, scale_factor, boost_factor;
	bool thp_active; /* PMD THP enabled at run time */
	uint64_t cache_slice, cma_size, pool_size;
	bool idealised; /* zones were made up, not read: managed = present */
	bool pagesets;	/* false before 5.14 and for 7.1 and later without SMP */
	size_t nr_zones;
	struct zl_zone zones[ZL_ZONES_MAX];
	/* whole machine */
	uint64_t managed_pages;
	uint64_t lowmem_pages;	    /* managed of the zones that GFP_USER may use */
	uint64_t share_pages;	    /* managed of the zones that share min_free_kbytes */
	uint64_t free_buffer_pages; /* nr_free_buffer_pages() when khugepaged starts */
	unsigned lowmem_zones;	    /* populated zones that GFP_USER may use */
	struct zl_min_free min_free;
	bool min_free_observed;	   /* min_free.kbytes as reported, the terms computed */
	uint64_t grouping_minimum; /* pages */
	uint64_t grouping_pages;   /* what it is compared with: pages at boot, memmap left out */
	bool grouping;		   /* by mobility */
	uint64_t pageblocks;
	uint64_t highatomic_bytes; /* of the largest zone */
	size_t main_zone;	   /* index of the zone with most managed pages */
};

/**
 * Derives a machine from a profile. Never fails: what is wrong is a diagnostic.
 * @p must outlive @ret (zones point to its facts). @diags may be NULL.
 *
 * Zones come from, first of these: `zones` when it is given over the profile's facts (by a
 * scenario, a lane or the user); the facts; `zones`; one zone a node. Facts are rescaled to the
 * page size, bytes staying the same; when `memory` is given over them, every zone is stretched in
 * proportion. CPUs are split evenly over nodes, earlier nodes taking the remainder, unless the
 * facts state the CPUs of a node and `cpus` is not given over them.
 *
 * Source: mm/page_alloc.c, init_per_zone_wmark_min(), setup_per_zone_lowmem_reserve(),
 * build_all_zonelists(), v6.12; mm/khugepaged.c, set_recommended_min_free_kbytes(), v6.12.
 * Simplified: no CPU or memory hotplug; pageblocks of a zone with holes are counted as if the
 * holes were whole pageblocks; struct page is 64 bytes.
 */
void zl_machine_resolve(const struct zl_profile *p, struct zl_machine *ret, struct zl_diags *diags);

/**
 * The resolved value of a setting as text ("16K", "on", "computed"), for `--resolved`.
 * Returns its length. @m is the machine that was resolved from @p.
 */
size_t zl_machine_setting(const struct zl_profile *p, const struct zl_machine *m,
	enum zl_setting key, char *buf, size_t size);

#endif
