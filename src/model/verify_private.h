/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the verification share: verify.c collects and judges, verify_solve.c finds
 * the managed pages of the time when limits were computed, verify_text.c words the result.
 */
#ifndef MODEL_VERIFY_PRIVATE_H
#define MODEL_VERIFY_PRIVATE_H

#include "zonelab/verify.h"

/** One verification in progress. */
struct zl_verifying {
	const struct zl_verify_in *in;
	const struct zl_allocator *a;
	struct zl_verify *v;
	struct zl_profile work;	  /* shares pagesets with in->profile; zones are its own */
	struct zl_machine *m;	  /* of `work` as it is now */
	struct zl_machine *trial; /* of `work` with other managed pages in one zone */
	size_t trial_zone;	  /* SIZE_MAX = the trial machine is stale */
	uint64_t trial_managed;
	/* What most CPUs of a zone show, of the zone last asked for; SIZE_MAX = none. */
	size_t shown_zone;
	int64_t shown_min, shown_max;
	size_t room; /* items that fit in v->item */
	bool min_free_known;
	uint64_t min_free_kbytes; /* in force, as reported or set */
	bool watermarks_known;	  /* false: read as inputs */
};

/** What a boost adds to the watermarks that a zone shows. */
static inline int64_t zl_verify_boost(const struct zl_zone_facts *f)
{
	return f->boost > 0 ? f->boost : 0;
}
/** The machine's zone made from a zone of the profile, NULL when the model has none. */
const struct zl_zone *zl_verify_zone(
	const struct zl_machine *m, const struct zl_profile *p, size_t i);
/** What the model says for an item on machine @m; false when it says nothing. */
bool zl_verify_compute(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_verify_item *item, int64_t *ret);
/** Lists every reported value; 0 or -ENOMEM. */
int zl_verify_collect(struct zl_verifying *w);
/** Appends an item; NULL without memory. */
struct zl_verify_item *zl_verify_add(
	struct zl_verifying *w, size_t zone, enum zl_verify_field field, int64_t reported);
/** Protection and counters of a zone: list, compute, explain what differs. */
int zl_verify_collect_protection(struct zl_verifying *w, size_t zone);
int64_t zl_verify_compute_zone(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_zone *z, const struct zl_verify_item *item);
bool zl_verify_explain_zone(
	const struct zl_verifying *w, const struct zl_zone *z, struct zl_verify_item *item);
/** min_free_kbytes as it is without huge pages, where nobody says that they are on. */
bool zl_verify_explain_thp(struct zl_verifying *w, struct zl_verify_item *item);
/** Whether the files show the managed pages of every zone. */
bool zl_verify_lowmem_known(const struct zl_verifying *w);
/** Gives every item its verdict and reason. */
void zl_verify_judge(struct zl_verifying *w);
/** high, high_min or high_max of a pageset. */
bool zl_verify_is_limit(enum zl_verify_field f);
/** Finds the zone that got memory back and its managed pages before. */
void zl_verify_solve(struct zl_verifying *w);
/** Whether a zone's pagesets show what @cpus CPUs of its node give; true where they show nothing. */
bool zl_verify_zone_fits(
	const struct zl_machine *m, const struct zl_profile *profile, size_t i, unsigned cpus);
/** Most pages that may have come back to a zone after its limits were computed. */
uint64_t zl_verify_freed_limit(const struct zl_machine *m, uint64_t managed);
/** The machine with @managed pages in zone @zone. */
const struct zl_machine *zl_verify_trial(struct zl_verifying *w, size_t zone, uint64_t managed);

#endif
