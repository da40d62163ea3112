/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy_run.h"

#include <errno.h>
#include <string.h>

#include "policy_form.h"
#include "zonelab/text.h"

/* Values that a point may have. The kernel's types wrap where these ranges do not say otherwise. */
static const struct {
	enum zl_point point;
	int64_t lo, hi;
} ranges[] = {
	{ZL_POINT_ALLOC_FACTOR_ON_FREE, 0, 15		     },
	{ZL_POINT_NR_PCP_FREE,	       0, INT32_MAX	   },
	{ZL_POINT_NR_PCP_ALLOC,		0, POLICY_REFILL_PAGES},
	{ZL_POINT_ALLOC_FACTOR_MAX,	    0, 15		 },
	{ZL_POINT_DRAIN_CHUNK,	       1, INT32_MAX	   },
	{ZL_POINT_DECAY_CHUNK,	       1, INT32_MAX	   },
	{ZL_POINT_FULL_DRAIN_CHUNK,	    1, INT32_MAX		},
};

/* free_factor of the A designs is a shift. */
#define FREE_FACTOR_MAX 31

static void range_of(const struct zl_sim *s, enum zl_point p, int64_t *lo, int64_t *hi)
{
	*lo = INT32_MIN;
	*hi = INT32_MAX;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (ranges[i].point == p) {
			*lo = ranges[i].lo;
			*hi = ranges[i].hi;
		}
	}
	if (p == ZL_POINT_FREE_COUNT_ON_ALLOC && !s->tuned) {
		*lo = 0;
		*hi = FREE_FACTOR_MAX;
	}
}

/* --- making and copying --- */

static bool asked(const struct zl_sim_config *c, enum zl_point p)
{
	return zl_policy_has(c->policies, p) && zl_point_info(p)->stage == ZL_POINT_OP &&
	       zl_point_rule(p, &c->switches) != NULL;
}

static void share_drop(struct policy_share *share, const struct zl_allocator *mem)
{
	if (--share->refs == 0) {
		zl_policy_set_done(&share->set, mem);
		mem->free(mem->user, share);
	}
}

static struct policy_share *share_new(
	const struct zl_policy_set *set, const struct zl_allocator *mem)
{
	struct policy_share *share = mem->realloc(mem->user, NULL, sizeof(*share));

	if (share != NULL) {
		share->refs = 1;
		if (zl_policy_set_copy(&share->set, set, mem) != 0) {
			mem->free(mem->user, share);
			share = NULL;
		}
	}
	return share;
}

static size_t run_size(unsigned nr)
{
	return sizeof(struct zl_policy_run) + nr * sizeof(struct policy_rule);
}

int zl_policy_run_new(
	const struct zl_sim_config *c, const struct zl_allocator *mem, struct zl_policy_run **ret)
{
	struct zl_policy_run *run;
	unsigned nr = 0;

	*ret = NULL;
	if (c->policies == NULL || c->policies->count == 0) {
		return 0;
	}
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		nr += asked(c, (enum zl_point)p);
	}
	run = mem->realloc(mem->user, NULL, run_size(nr));
	if (run == NULL) {
		return -ENOMEM;
	}
	memset(run, 0, run_size(nr));
	run->share = share_new(c->policies, mem);
	if (run->share == NULL) {
		mem->free(mem->user, run);
		return -ENOMEM;
	}
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		run->rule_of[p] = -1;
		if (asked(c, (enum zl_point)p)) {
			run->points |= UINT32_C(1) << p;
			run->rule_of[p] = (int8_t)run->nr;
			run->rule[run->nr++].expr = run->share->set.policy[p].expr;
		}
	}
	*ret = run;
	return 0;
}

int zl_policy_run_clone(
	const struct zl_policy_run *run, const struct zl_allocator *mem, struct zl_policy_run **ret)
{
	struct zl_policy_run *copy = NULL;

	if (run != NULL) {
		copy = mem->realloc(mem->user, NULL, run_size(run->nr));
		if (copy == NULL) {
			return -ENOMEM;
		}
		memcpy(copy, run, run_size(run->nr));
		copy->share->refs++;
	}
	*ret = copy;
	return 0;
}

void zl_policy_run_free(struct zl_policy_run *run, const struct zl_allocator *mem)
{
	if (run != NULL) {
		share_drop(run->share, mem);
		mem->free(mem->user, run);
	}
}

/* --- limits --- */

static void put_limits(struct zl_sim *s, int64_t *slots)
{
	const struct zl_pcp *pcp = &s->pcp[0];

	memset(slots, 0, ZL_POLICY_NAMES * sizeof(*slots));
	slots[ZL_NAME_HIGH_MIN] = pcp->high_min;
	slots[ZL_NAME_HIGH_MAX] = pcp->high_max;
	slots[ZL_NAME_BATCH] = pcp->batch;
	slots[ZL_NAME_LOCAL_BATCH] = pcp->batch;
	slots[ZL_NAME_BASE_BATCH] = pcp->batch;
	slots[ZL_NAME_SCALE_MAX] = s->cfg.scale_max;
}

/* The rule where no zone flag is set. A limit that is then pcp->high itself keeps frees as hits. */
static void make_calm(struct zl_policy_run *run, enum zl_point p, struct tree_in in)
{
	struct policy_rule *rule = &run->rule[run->rule_of[p]];
	int64_t slots[ZL_POLICY_NAMES];
	struct policy_code code;
	struct tree tree;

	memcpy(slots, run->slots, sizeof(slots));
	slots[ZL_NAME_ZONE_FLAGS] = 0;
	_Static_assert(ZL_POLICY_NAMES <= 64, "a bit for each name");
	in.slots = slots;
	in.fixed = UINT64_C(1) << ZL_NAME_ZONE_FLAGS | UINT64_C(1) << ZL_NAME_FREE_HIGH;
	for (unsigned i = 0; i < 2; i++) {
		slots[ZL_NAME_FREE_HIGH] = i;
		code.nr = 0;
		code.nr_names = 0;
		if (zl_tree_build(&tree, &rule->expr, &in)) {
			(void)zl_policy_code_make(&code, &tree, tree.root);
			if (i == 0 && p == ZL_POINT_NR_PCP_HIGH &&
				zl_tree_is_slot(&tree, tree.root, ZL_NAME_LOCAL_HIGH)) {
				run->free_slowly = false;
			}
		}
		zl_policy_code_shorten(&rule->calm[i], &code);
	}
}

void zl_policy_run_limits(struct zl_sim *s)
{
	struct zl_policy_run *run = s->policy;
	const struct tree_in in = {
		.slots = run != NULL ? run->slots : NULL,
		.clamp_hi_first = s->cfg.switches.clamp == ZL_CLAMP_HI_FIRST,
	};
	struct tree tree;

	if (run == NULL) {
		return;
	}
	put_limits(s, run->slots);
	zl_form_reset(run, s->tuned);
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		struct policy_rule *rule = &run->rule[run->rule_of[p] >= 0 ? run->rule_of[p] : 0];

		if (run->rule_of[p] < 0) {
			continue;
		}
		rule->code.nr = 0;
		range_of(s, (enum zl_point)p, &rule->lo, &rule->hi);
		if (zl_tree_build(&tree, &rule->expr, &in)) {
			(void)zl_policy_code_make(&rule->code, &tree, tree.root);
			zl_form_learn(run, (enum zl_point)p, &tree);
		} else {
			zl_form_unknown(run, (enum zl_point)p);
		}
		make_calm(run, (enum zl_point)p, in);
	}
}

/* --- asking --- */

static zl_always_inline int64_t live(const struct zl_sim *s, const struct zl_pcp *pcp,
	const struct policy_ask *ask, enum zl_policy_name_id id)
{
	switch ((int)id) {
	case ZL_NAME_COUNT:
		return pcp->count;
	case ZL_NAME_HIGH:
		return pcp->high;
	case ZL_NAME_FREE_COUNT:
		return pcp->free_count;
	case ZL_NAME_FREE_FACTOR:
		return pcp->free_factor;
	case ZL_NAME_ALLOC_FACTOR:
		return pcp->alloc_factor;
	case ZL_NAME_FLAGS:
		return (pcp->prev_free_high_order && s->tuned ? 1 : 0) |
		       (pcp->free_high_batch ? 2 : 0);
	case ZL_NAME_EXPIRE:
		return pcp->expire;
	case ZL_NAME_ORDER:
		return ask->order;
	case ZL_NAME_ZONE_FLAGS:
		return (s->reclaim ? 2 : 0) | (s->below_high ? 4 : 0);
	case ZL_NAME_LOCAL_HIGH:
	case ZL_NAME_LIMIT:
		return ask->high;
	case ZL_NAME_FREE_HIGH:
		return ask->free_high;
	case ZL_NAME_REFILL_BATCH:
		return ask->batch;
	case ZL_NAME_TO_FREE:
		return ask->to_free;
	default:
		return s->policy->slots[id];
	}
}

struct names {
	const uint8_t *id;
	unsigned n;
};

/* Reads the names that code uses. */
static zl_always_inline void fill(const struct zl_sim *s, const struct zl_pcp *pcp,
	const struct policy_ask *ask, struct names names, int64_t *r)
{
	r[0] = 0;
	for (unsigned i = 0; i < names.n; i++) {
		r[names.id[i]] = live(s, pcp, ask, (enum zl_policy_name_id)names.id[i]);
	}
}

static void note_fault(const struct zl_sim *s, enum zl_point p, const struct zl_error *why)
{
	struct policy_fault *f = &s->policy->fault;

	if (!f->set) {
		f->set = true;
		f->point = p;
		f->op = s->nr_ops;
		f->error = *why;
	}
}

static bool interpret(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	const struct policy_ask *ask, int64_t *ret)
{
	const struct zl_expr *e = &s->policy->rule[s->policy->rule_of[p]].expr;
	int64_t slots[ZL_POLICY_NAMES];
	struct zl_error why = {0};

	for (unsigned i = 0; i < e->nr_code; i++) {
		int id = zl_expr_slot(e, i);

		if (id >= 0) {
			slots[id] = live(s, pcp, ask, (enum zl_policy_name_id)id);
		}
	}
	if (zl_policy_eval(&s->policy->share->set, p, slots, ret, &why) != 0) {
		note_fault(s, p, &why);
		return false;
	}
	return true;
}

int64_t zl_policy_ask(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	const struct policy_ask *ask, int64_t otherwise)
{
	const struct policy_rule *rule = &s->policy->rule[s->policy->rule_of[p]];
	int64_t r[POLICY_REGISTERS];
	int64_t v;

	const struct policy_short *calm = &rule->calm[ask->free_high ? 1 : 0];

	if (calm->nr > 0 && !s->reclaim && !s->below_high) {
		fill(s, pcp, ask, (struct names){calm->name, calm->nr_names}, r);
		v = zl_policy_code_run(calm->ins, r);
	} else if (rule->code.nr > 0) {
		fill(s, pcp, ask, (struct names){rule->code.name, rule->code.nr_names}, r);
		v = zl_policy_code_run(rule->code.ins, r);
	} else if (!interpret(s, pcp, p, ask, &v)) {
		return otherwise;
	}
	if (p == ZL_POINT_FREE_HIGH) {
		return v != 0;
	}
	if (v < rule->lo || v > rule->hi) {
		struct zl_error why = {0};

		zl_error_set(&why, 0, 1, "policy %s: %D is out of range; %D to %D is possible",
			zl_point_info(p)->name, v, rule->lo, rule->hi);
		note_fault(s, p, &why);
		return otherwise;
	}
	return v;
}

int64_t zl_policy_step_slow(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	int64_t x, unsigned order)
{
	const struct policy_ask ask = {.order = order, .high = pcp->high};

	return zl_policy_ask(s, pcp, p, &ask, x);
}

bool zl_policy_threshold(const struct zl_sim *s, const struct zl_pcp *pcp, int32_t *ret)
{
	const struct policy_ask ask = {.high = pcp->high};
	const struct policy_code *code = &s->policy->threshold;
	int64_t r[POLICY_REGISTERS];
	int64_t v;

	if (!s->policy->has_threshold) {
		return false;
	}
	fill(s, pcp, &ask, (struct names){code->name, code->nr_names}, r);
	v = zl_policy_code_run(code->ins, r) + s->policy->above;
	*ret = (int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
	return true;
}
