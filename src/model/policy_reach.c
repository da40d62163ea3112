/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * free_high under policies without a zone: threshold and ceiling out of the expressions, and a
 * stream of frees of one order run through the rules.
 */
#include <string.h>

#include "policy_form.h"
#include "zonelab/tuning.h"

/* Frees of a stream: counters are 16 bits wide, and a pageset fills more than once. */
#define STREAM 40000
/* Overflows without any change of a counter after which it repeats itself. */
#define STILL 64

static void slots_of(const struct zl_free_high_in *in, int64_t *slots)
{
	const struct zl_pcp_limits *l = in->limits;

	memset(slots, 0, ZL_POLICY_NAMES * sizeof(*slots));
	slots[ZL_NAME_BATCH] = slots[ZL_NAME_LOCAL_BATCH] = l->batch;
	slots[ZL_NAME_HIGH_MIN] = (int64_t)l->high_min;
	slots[ZL_NAME_HIGH_MAX] = (int64_t)l->high_max;
	slots[ZL_NAME_HIGH] = (int64_t)l->high_min;
	slots[ZL_NAME_SCALE_MAX] = in->scale_max;
	slots[ZL_NAME_FLAGS] = in->free_high_batch ? 2 : 0;
}

/* free_count after a free; the release's rule without a policy. */
static int64_t counted(
	const struct zl_free_high_in *in, const int64_t *slots, int64_t pages, bool *ret_known)
{
	int64_t v = slots[ZL_NAME_FREE_COUNT];

	if (in->switches->design < ZL_DESIGN_B) {
		return 0;
	}
	if (zl_policy_has(in->policies, ZL_POINT_FREE_COUNT_STEP)) {
		*ret_known = zl_policy_eval(
				     in->policies, ZL_POINT_FREE_COUNT_STEP, slots, &v, NULL) == 0;
	} else if (v < (int64_t)in->limits->batch << in->scale_max) {
		v += pages;
	}
	return (int16_t)v;
}

/* An overflow drains a batch and raises the A designs' factor. */
static void overflow(const struct zl_free_high_in *in, int64_t *slots)
{
	bool capped = in->switches->design == ZL_DESIGN_A_CAP;
	int64_t most = (int64_t)in->limits->high_min - in->limits->batch;

	slots[ZL_NAME_COUNT] -= in->limits->batch;
	if (in->switches->design < ZL_DESIGN_B &&
		((int64_t)in->limits->batch << slots[ZL_NAME_FREE_FACTOR]) < most &&
		(!capped || slots[ZL_NAME_FREE_FACTOR] < in->scale_max)) {
		slots[ZL_NAME_FREE_FACTOR]++;
	}
}

/* Whether a stream of frees of one order ever fires. */
static bool stream_fires(const struct zl_free_high_in *in, unsigned order)
{
	int64_t slots[ZL_POLICY_NAMES];
	int64_t pages = INT64_C(1) << order;
	unsigned still = 0;
	bool known = true;

	slots_of(in, slots);
	slots[ZL_NAME_ORDER] = order;
	for (unsigned i = 0; i < STREAM && known; i++) {
		int64_t holds = 0;
		int64_t was = slots[ZL_NAME_FREE_COUNT] + (slots[ZL_NAME_FREE_FACTOR] << 32);

		slots[ZL_NAME_COUNT] += pages;
		known = zl_policy_eval(in->policies, ZL_POINT_FREE_HIGH, slots, &holds, NULL) == 0;
		if (known && holds != 0) {
			return true;
		}
		slots[ZL_NAME_FLAGS] |= in->switches->design >= ZL_DESIGN_B ? 1 : 0;
		slots[ZL_NAME_FREE_COUNT] = counted(in, slots, pages, &known);
		if (slots[ZL_NAME_COUNT] < (int64_t)in->limits->high_min) {
			continue;
		}
		overflow(in, slots);
		if (was == slots[ZL_NAME_FREE_COUNT] + (slots[ZL_NAME_FREE_FACTOR] << 32)) {
			still++;
		} else {
			still = 0;
		}
		if (still == STILL) {
			break; /* nothing grows any more */
		}
	}
	return false;
}

/* Whether free_count ever reaches the release's threshold. */
static bool counter_reaches(const struct zl_free_high_in *in, uint64_t threshold, unsigned order)
{
	int64_t slots[ZL_POLICY_NAMES];
	int64_t was;
	bool known = true;

	slots_of(in, slots);
	slots[ZL_NAME_ORDER] = order;
	for (unsigned i = 0; i < STREAM && known; i++) {
		if (slots[ZL_NAME_FREE_COUNT] >= (int64_t)threshold) {
			return true;
		}
		was = slots[ZL_NAME_FREE_COUNT];
		slots[ZL_NAME_FREE_COUNT] = counted(in, slots, INT64_C(1) << order, &known);
		if (was == slots[ZL_NAME_FREE_COUNT]) {
			break;
		}
	}
	return false;
}

static void figures(const struct zl_free_high_in *in, struct zl_free_high *ret)
{
	int64_t slots[POLICY_REGISTERS];
	struct tree tree;
	const struct tree_in known = {
		.slots = slots, .clamp_hi_first = in->switches->clamp == ZL_CLAMP_HI_FIRST};
	struct policy_code code;
	struct policy_step st;
	int32_t above = 0;

	slots_of(in, slots);
	if (zl_policy_has(in->policies, ZL_POINT_FREE_HIGH)) {
		int x = -1;

		if (zl_tree_build(&tree, &in->policies->policy[ZL_POINT_FREE_HIGH].expr, &known)) {
			x = zl_form_threshold(&tree, &above);
		}
		ret->no_threshold = x < 0 || !zl_policy_code_make(&code, &tree, x);
		if (!ret->no_threshold) {
			int64_t v = zl_policy_code_run(code.ins, slots) + above;

			ret->threshold = v > 0 ? (uint64_t)v : 0;
		}
	}
	if (in->switches->design >= ZL_DESIGN_B &&
		zl_policy_has(in->policies, ZL_POINT_FREE_COUNT_STEP)) {
		ret->has_ceiling =
			zl_tree_build(&tree, &in->policies->policy[ZL_POINT_FREE_COUNT_STEP].expr,
				&known) &&
			zl_form_ceiling(&tree, &st);
		ret->ceiling = ret->has_ceiling ? (uint64_t)st.limit : 0;
	}
}

void zl_free_high_under(const struct zl_free_high_in *in, struct zl_free_high *ret)
{
	bool step = zl_policy_has(in->policies, ZL_POINT_FREE_COUNT_STEP);

	zl_free_high_limits(in->switches->design, in->limits, in->scale_max, ret);
	if (!ret->exists || (!zl_policy_has(in->policies, ZL_POINT_FREE_HIGH) && !step)) {
		return;
	}
	ret->by_policy = true;
	figures(in, ret);
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		if (zl_policy_has(in->policies, ZL_POINT_FREE_HIGH)) {
			ret->reachable[order] = stream_fires(in, order);
		} else {
			ret->reachable[order] = counter_reaches(in, ret->threshold, order);
		}
	}
}
