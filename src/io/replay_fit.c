/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What no file says, found by trying: the replay that explains most is kept. One figure of a
 * machine and a few of its start are chosen this way, never a rule.
 */
#include <errno.h>

#include "replay_private.h"

#define PHASES		 4 /* of a second */
#define PART_NS		 (FOLLOW_SECOND / PHASES)
#define BATCHES_OF_SLICE 3 /* free_high waits for a batch when the slice is above this many */

const char *zl_parked_name(enum zl_parked_rule r)
{
	static const char *const name[] = {"zoneinfo", "the blocks that showed", "the first drain"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_PARKED_COUNT, "a name each");

	return name[r];
}

static uint64_t wrong(const struct zl_replay_tally *t)
{
	return t->judged[ZL_JUDGED_NEAR] + t->judged[ZL_JUDGED_ONLY_TRACE] +
	       t->judged[ZL_JUDGED_ONLY_MODEL];
}

struct fitting {
	const struct zl_recording *r;
	const struct zl_patience *patience;
	struct zl_replay_where *where; /* best so far */
	struct zl_replay_result *best;
	struct zl_error *err;
};

/* Another assumption: kept when the model differs by fewer blocks and pages. */
static int try_one(struct fitting *f, const struct zl_replay_where *where, bool *ret_kept)
{
	struct zl_replay_result result;
	int rc = zl_replay_run(f->r, where, f->patience, &result, f->err);
	uint64_t before = f->best->drain.off + f->best->refill.off;
	uint64_t now;

	*ret_kept = false;
	if (rc != 0) {
		return rc;
	}
	now = result.drain.off + result.refill.off;
	*ret_kept = result.complete && now < before;
	if (*ret_kept) {
		zl_replay_result_done(f->best, f->r->mem);
		*f->best = result;
		*f->where = *where;
	} else {
		zl_replay_result_done(&result, f->r->mem);
	}
	return 0;
}

static bool settled(const struct fitting *f)
{
	return wrong(&f->best->drain) == 0 || !f->best->complete;
}

/*
 * Limits fall at the refresh of each second since 6.7; which part of a second that is, a trace
 * without a kworker's drain does not say.
 */
static int fit_phase(struct fitting *f)
{
	const uint64_t first = f->r->first_ns;
	int rc = 0;

	for (unsigned i = 1; i < PHASES && rc == 0; i++) {
		struct zl_replay_where w = *f->where;
		bool kept;

		if (settled(f) || f->best->demand.phase_seen || f->r->last_ns - first < PART_NS ||
			w.config.switches.design < ZL_DESIGN_B) {
			return 0;
		}
		w.phase_given = true;
		w.phase_ns = (first + i * PART_NS) % FOLLOW_SECOND;
		rc = try_one(f, &w, &kept);
	}
	return rc;
}

static int fit_slice(struct fitting *f)
{
	struct zl_replay_where w = *f->where;
	bool kept;

	if (settled(f) || w.slice_known || w.config.switches.design < ZL_DESIGN_B) {
		return 0;
	}
	/* Above three batches of any size that the release computes. */
	w.config.cache_slice = (BATCHES_OF_SLICE * (UINT64_C(1) << 20)) + (UINT64_C(1) << 20);
	w.slice_inferred = true;
	return try_one(f, &w, &kept);
}

static int fit_drain(struct fitting *f)
{
	struct zl_replay_where w = *f->where;
	bool some = false, kept = false;
	int rc;

	if (settled(f)) {
		return 0;
	}
	w.parked_more =
		f->r->mem->realloc(f->r->mem->user, NULL, f->best->cpus * sizeof(*w.parked_more));
	if (w.parked_more == NULL) {
		return -ENOMEM;
	}
	for (unsigned i = 0; i < f->best->cpus; i++) {
		const struct zl_replay_cpu *c = &f->best->cpu[i];
		bool off = c->first_drain.line != 0 && wrong(&c->drain) > 0;

		w.parked_more[i] = off ? (int32_t)c->first_drain.lacking : 0;
		some = some || w.parked_more[i] != 0;
	}
	w.parked = ZL_PARKED_DRAIN;
	rc = some ? try_one(f, &w, &kept) : 0;
	if (!kept) {
		f->r->mem->free(f->r->mem->user, w.parked_more);
	}
	return rc;
}

static int fit_shown(struct fitting *f)
{
	struct zl_replay_where w = *f->where;
	int32_t *more = w.parked_more;
	bool kept;
	int rc;

	if (settled(f) || w.nr_pcp == 0) {
		return 0;
	}
	w.parked = ZL_PARKED_SHOWN;
	w.parked_more = NULL;
	rc = try_one(f, &w, &kept);
	if (kept) {
		f->r->mem->free(f->r->mem->user, more);
	}
	return rc;
}

int zl_replay_fit(const struct zl_recording *r, struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay_result *ret, struct zl_error *err)
{
	struct fitting f = {.r = r, .patience = patience, .where = where, .best = ret, .err = err};
	int rc = zl_replay_run(r, where, patience, ret, err);

	if (rc != 0) {
		return rc;
	}
	rc = fit_phase(&f);
	rc = rc != 0 ? rc : fit_slice(&f);
	rc = rc != 0 ? rc : fit_drain(&f);
	rc = rc != 0 ? rc : fit_shown(&f);
	if (rc != 0) {
		zl_replay_result_done(ret, r->mem);
	}
	return rc;
}

void zl_replay_where_done(struct zl_replay_where *where, const struct zl_allocator *mem)
{
	mem->free(mem->user, where->parked_more);
	where->parked_more = NULL;
}
