/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine: what was given (zl_profile) and everything that follows from it (zl_machine).
 * zl_machine_resolve() is the one place where derivation happens.
 */
#ifndef ZONELAB_MACHINE_H
#define ZONELAB_MACHINE_H

#include "zonelab/diag.h"
#include "zonelab/geometry.h"
#include "zonelab/release.h"
#include "zonelab/settings.h"
#include "zonelab/tuning.h"

#define ZL_ZONES_MAX 256

/** One pageset as a file showed it (/proc/zoneinfo). -1 = not shown. */
struct zl_observed_pcp {
	unsigned cpu;
	int64_t count, high, batch, high_min, high_max;
};

/** A zone as a profile or file states it; pages are of the profile's own page size. */
struct zl_zone_facts {
	unsigned node;
	char name[16];
	uint64_t start_pfn, spanned, present, managed, cma;
	unsigned cpus; /* pagesets shown; 0 = not known */
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
 * A machine as given: settings plus zones and observations of a file. Plain data but for the zone
 * array; copy with zl_profile_copy().
 */
struct zl_profile {
	char name[64];
	char title[160];  /* one line */
	char source[160]; /* where the facts come from */
	struct zl_settings settings;
	struct zl_zone_facts *zones;
	size_t nr_zones;
	uint64_t zones_page_size; /* page size that `zones` was counted in */
	struct zl_observed observed;
};

void zl_profile_init(struct zl_profile *p);
/** Frees what the profile owns; accepts a zeroed profile. */
void zl_profile_done(struct zl_profile *p, const struct zl_allocator *a);
/** Returns 0 or -ENOMEM (then @ret is untouched). */
int zl_profile_copy(
	struct zl_profile *ret, const struct zl_profile *p, const struct zl_allocator *a);
/** Appends a zone; returns it, or NULL when there is no room (ZL_ZONES_MAX) or no memory. */
struct zl_zone_facts *zl_profile_add_zone(struct zl_profile *p, const struct zl_allocator *a);
/** Appends an observed pageset to a zone; returns NULL without memory. */
struct zl_observed_pcp *zl_zone_add_pcp(struct zl_zone_facts *z, const struct zl_allocator *a);

/** A zone with all that follows. Pages of the machine's page size. */
struct zl_zone {
	unsigned node;
	char name[16];
	enum zl_zone_type type;
	uint64_t start_pfn, spanned, present, managed, cma;
	unsigned cpus;	/* CPUs of the zone's node (divisor of high) */
	bool populated; /* managed > 0 */
	uint64_t pageblocks;
	struct zl_watermarks wmark;
	struct zl_pcp_limits limits;
	struct zl_free_high free_high;
	bool free_high_batch;
	uint64_t highatomic_max; /* pages */
	unsigned stat_threshold;
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
	bool idealised; /* zones were made up, not read */
	size_t nr_zones;
	struct zl_zone zones[ZL_ZONES_MAX];
	/* whole machine */
	uint64_t lowmem_pages, free_buffer_pages, managed_pages;
	unsigned lowmem_zones;
	struct zl_min_free min_free;
	uint64_t grouping_minimum; /* pages */
	bool grouping;		   /* by mobility */
	uint64_t pageblocks;
	uint64_t highatomic_bytes; /* of the largest zone */
	size_t main_zone;	   /* index of the zone with most managed pages */
};

/**
 * Derives a machine from a profile. Never fails: what is wrong is a diagnostic.
 * @p must outlive @ret (zones point to its facts).
 */
void zl_machine_resolve(const struct zl_profile *p, struct zl_machine *ret, struct zl_diags *diags);

/** The resolved value of a setting as text ("16K", "on", "computed"), for `--resolved`. */
size_t zl_machine_setting(const struct zl_profile *p, const struct zl_machine *m,
	enum zl_setting key, char *buf, size_t size);

#endif
