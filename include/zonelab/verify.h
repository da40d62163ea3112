/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model against what a kernel reported: every value recomputed, and a reason with its figures
 * for each difference that has one. A reason is a predicate that the figures satisfy; what
 * satisfies none differs.
 */
#ifndef ZONELAB_VERIFY_H
#define ZONELAB_VERIFY_H

#include "zonelab/machine.h"

enum zl_verify_field {
	ZL_VERIFY_MIN_FREE,	   /* min_free_kbytes */
	ZL_VERIFY_PAGEBLOCK_ORDER, /* of pagetypeinfo */
	ZL_VERIFY_MAX_PAGE_ORDER,  /* columns of buddyinfo less one */
	ZL_VERIFY_WMARK_MIN,
	ZL_VERIFY_WMARK_LOW,
	ZL_VERIFY_WMARK_HIGH,
	ZL_VERIFY_WMARK_PROMO,
	ZL_VERIFY_BATCH,
	ZL_VERIFY_HIGH_MIN,
	ZL_VERIFY_HIGH_MAX,
	ZL_VERIFY_HIGH,		  /* of a pageset: fixed in the A designs, tuned in the others */
	ZL_VERIFY_PROTECTION,	  /* a column of protection, the zone's lowmem_reserve */
	ZL_VERIFY_STAT_THRESHOLD, /* of the zone's counters */
	ZL_VERIFY_FIELD_COUNT
};

enum zl_verify_verdict {
	ZL_VERDICT_AGREES,
	ZL_VERDICT_EXPLAINED, /* differs, and a reason's figures fit */
	ZL_VERDICT_DIFFERS,
	ZL_VERDICT_INPUT, /* taken as read: nothing in the files says what it should be */
	ZL_VERDICT_COUNT
};

/** Why a value is what it is. The figures n[] stand behind each. */
enum zl_verify_reason {
	ZL_REASON_NONE,
	/* The same formula with the zone's managed pages before init memory and the initial RAM disk
	 * were given back: n[0]..n[1] managed then, n[2] now, n[3] the most that may be missing,
	 * n[4] 1 = no other value tells how many. */
	ZL_REASON_FREED_LATER,
	ZL_REASON_UNPOPULATED, /* no memory: the boot pageset with high 0 and batch 1 */
	ZL_REASON_UNTOUCHED,   /* high is 0 until the pageset is used; n[0] high_min */
	ZL_REASON_TUNED,       /* high within n[0] high_min .. n[1] high_max */
	/* high below high_min: it follows a fall or rise of the limits at the next use;
	 * n[0] high_min. */
	ZL_REASON_BELOW_MIN,
	ZL_REASON_NO_MIN_FREE, /* min_free_kbytes is not in the files; n[0]..n[1] KiB would fit */
	ZL_REASON_FRACTION, /* percpu_pagelist_high_fraction n[0]: n[1] managed / it / n[2] CPUs */
	ZL_REASON_SIX_BATCHES, /* before 5.14 high is 6 times the batch n[0] */
	ZL_REASON_STEP, /* watermarks are n[0] + k * n[1]: low, high and promo in even steps */
	ZL_REASON_SET,	/* min_free_kbytes was set to n[0] */
	/* The pagesets are an extract: low n[0] / n[1] CPUs of the node; n[2] are shown. */
	ZL_REASON_MORE_CPUS,
	ZL_REASON_RATIO,  /* lowmem_reserve_ratio is not in the files; n[0] would fit */
	ZL_REASON_NO_THP, /* as without huge pages, of which the files say nothing; n[0] KiB with */
	ZL_REASON_NO_MANAGED, /* a zone's managed pages are not in the files */
	ZL_REASON_ONLINE,     /* an extract: n[0]..n[1] CPUs are online, n[2] are shown */
	ZL_REASON_PRESSURE,   /* kswapd was awake: low - min n[0] / n[1] CPUs */
	ZL_VERIFY_REASON_COUNT
};

/** One value. */
struct zl_verify_item {
	size_t zone;   /* index into the profile's zones, SIZE_MAX = of the whole machine */
	int32_t cpu;   /* -1 = all CPUs of the zone */
	unsigned cpus; /* pagesets that this item stands for */
	enum zl_verify_field field;
	enum zl_zone_type upto; /* of protection: kept from requests that may use zones up to it */
	enum zl_verify_verdict verdict;
	enum zl_verify_reason reason;
	bool remark; /* agrees or explained, yet worth a note */
	int64_t reported, computed;
	int64_t n[5];
};

struct zl_verify_in {
	const struct zl_profile *profile; /* settings given over the files are in its settings */
	/* Pages that the boot log counted as available before init memory was given back; -1 = no
	 * log. Taken only where it fits all else. */
	int64_t available_pages;
	/* What the files or the user stated. A fraction that nobody stated may be inferred. */
	bool fraction_known;
};

struct zl_verify {
	struct zl_verify_item *item;
	size_t nr_items;
	size_t count[ZL_VERDICT_COUNT];
	size_t remarks;
	/* Managed pages of zone `freed_zone` when the limits were computed; SIZE_MAX = as now. */
	size_t freed_zone;
	uint64_t managed_lo, managed_hi;
	bool managed_alone; /* min_free_kbytes alone says so, no other value */
	/* min_free_kbytes that fit the watermarks of all zones; lo > hi = none does. */
	uint64_t min_free_lo, min_free_hi;
	uint64_t min_free_inferred; /* the computed one where it fits, else the lowest */
	unsigned fraction;	    /* inferred, 0 = none */
	bool more_cpus;		    /* nodes have more CPUs than these files show */
	unsigned parked_cpus;
	uint64_t parked_pages; /* on all pagesets shown */
};

/**
 * Compares. Which zone got memory back after its limits were computed is tried for the eight
 * largest zones; the first that leaves no difference counts, else the one that leaves fewest.
 * Returns 0 or -ENOMEM.
 */
int zl_verify_run(
	const struct zl_verify_in *in, const struct zl_allocator *a, struct zl_verify *ret);
/** Accepts a zeroed value. */
void zl_verify_done(struct zl_verify *v, const struct zl_allocator *a);

/**
 * Finds how many CPUs each node has where no file says so: an even split counts unless the limits
 * of a node's pagesets do not fit it and exactly one other number fits them all. Puts that number
 * into `node_cpus` of the zones of that node; one without CPUs divides by all of them.
 * Returns how many nodes it is known of now, or -ENOMEM.
 */
int zl_node_cpus_by_limits(struct zl_profile *p, const struct zl_allocator *a);

/** "agrees", "explained", "differs", "taken as read" */
const char *zl_verdict_name(enum zl_verify_verdict v);
/** "freed-later", ... */
const char *zl_verify_reason_name(enum zl_verify_reason r);
/** "min", or "protection (Normal)": the field with the column that it is. */
size_t zl_verify_item_name(const struct zl_verify_item *item, char *buf, size_t size);
/** The rule behind a field in words: "low / CPUs of the node, at least 4 batches". */
const char *zl_verify_rule(const struct zl_machine *m, enum zl_verify_field f);
/** One sentence with the figures; "" for ZL_REASON_NONE of a value that agrees. */
size_t zl_verify_reason_text(const struct zl_verify_item *item, char *buf, size_t size);

/**
 * Batch as kernels before 5.14 print and compute it, with the cap of their time.
 * @cap_bytes  512 KiB up to 4.18, 1 MiB from 4.19
 * Returns 0 where the caller's max(1, ...) made it 1.
 * Source: mm/page_alloc.c, zone_batchsize(), v4.14 and v5.10.
 */
unsigned zl_zone_batchsize_capped(uint64_t managed, unsigned page_shift, uint64_t cap_bytes);
#define ZL_BATCH_CAP_OLD (UINT64_C(512) << 10)
#define ZL_BATCH_CAP_NEW (UINT64_C(1) << 20)
/** The cap of a release. Source: commit d8a759b57035, v4.19. */
uint64_t zl_batch_cap(const struct zl_release *r);

/**
 * min_free_kbytes for which a zone's share gives @min: pages_min * managed / lowmem == min.
 * Returns false when no value does.
 */
bool zl_min_free_from_watermark(const struct zl_machine *m, const struct zl_zone *z, uint64_t min,
	uint64_t *ret_lo, uint64_t *ret_hi);

#endif
