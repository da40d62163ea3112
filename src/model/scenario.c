/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios as data: their start, their end, their words. */
#include "zonelab/scenario.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

static const char *const step_names[] = {
	[ZL_STEP_ALLOC] = "alloc",
	[ZL_STEP_BULK] = "bulk",
	[ZL_STEP_FREE] = "free",
	[ZL_STEP_MOVE] = "move",
	[ZL_STEP_TICK] = "tick",
	[ZL_STEP_DRAIN] = "drain",
	[ZL_STEP_SET] = "set",
	[ZL_STEP_THINK] = "think",
	[ZL_STEP_LET] = "let",
	[ZL_STEP_LOOP] = "loop",
	[ZL_STEP_CHOOSE] = "choose",
	[ZL_STEP_OPS] = "ops",
	[ZL_STEP_SAY] = "say",
	[ZL_STEP_BREAK] = "break",
	[ZL_STEP_CMA_ALLOC] = "cma_alloc",
	[ZL_STEP_PIN] = "pin",
	[ZL_STEP_UNPIN] = "unpin",
	[ZL_STEP_OFFLINE] = "offline",
	[ZL_STEP_ONLINE] = "online",
	[ZL_STEP_RECLAIM] = "reclaim",
	[ZL_STEP_NODE] = "node",
	[ZL_STEP_ZONE] = "zone",
};
static_assert(sizeof(step_names) / sizeof(step_names[0]) == ZL_STEP_KIND_COUNT, "a name each");

static const char *const pick_names[] = {
	[ZL_PICK_OLDEST] = "oldest",
	[ZL_PICK_NEWEST] = "newest",
	[ZL_PICK_RANDOM] = "random",
};
static_assert(sizeof(pick_names) / sizeof(pick_names[0]) == ZL_PICK_COUNT, "a name each");

const char *zl_step_kind_name(enum zl_step_kind k)
{
	return k < ZL_STEP_KIND_COUNT ? step_names[k] : "";
}

const char *zl_pick_name(enum zl_pick p)
{
	return p < ZL_PICK_COUNT ? pick_names[p] : "";
}

void zl_scenario_init(struct zl_scenario *s, const struct zl_allocator *mem)
{
	memset(s, 0, sizeof(*s));
	s->mem = mem;
	s->seed = 1;
	s->question = ZL_NONE;
	s->source = ZL_NONE;
	s->about = ZL_NONE;
	s->zone.node = -1;
	s->zone.pages = -1;
	s->zone.managed = -1;
	s->zone.wmark_min = -1;
	s->zone.wmark_low = -1;
	s->zone.wmark_high = -1;
	s->zone.direct_reclaim = -1;
	s->zone.cma = -1;
	/* The pool of steps that name none. */
	zl_format(s->store[0].name, sizeof(s->store[0].name), "held");
	s->store[0].hold = ZL_NONE;
	s->store[0].hold_allocs = ZL_NONE;
	s->store[0].link = ZL_NONE;
	s->nr_stores = 1;
}

void zl_scenario_done(struct zl_scenario *s)
{
	const struct zl_allocator *mem = s->mem;

	if (mem == NULL) {
		return;
	}
	for (uint32_t i = 0; i < s->nr_exprs; i++) {
		zl_expr_done(&s->expr[i], mem);
	}
	zl_policy_set_done(&s->policies, mem);
	void *const arrays[] = {s->phase, s->program, s->range, s->step, s->value, s->weighted,
		s->expr, s->explicit_op, s->explicit_place, s->caption, s->breakpoint, s->assertion,
		s->reported, s->text};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		mem->free(mem->user, arrays[i]);
	}
	memset(s, 0, sizeof(*s));
}

const char *zl_scenario_text(const struct zl_scenario *s, uint32_t text)
{
	return text == ZL_NONE ? "" : s->text + text;
}

static const char *skip_number(const char *p, uint32_t *ret)
{
	uint64_t v = 0;

	if (*p < '0' || *p > '9') {
		return NULL;
	}
	for (; *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (uint64_t)(*p - '0');
		if (v >= ZL_SCENARIO_CPUS_MAX) {
			return NULL;
		}
	}
	*ret = (uint32_t)v;
	return p;
}

/* One of "3", "0-7", "0-7:2". Returns what stands behind, NULL if it is none. */
static const char *parse_range(const char *p, struct zl_cpu_range *ret)
{
	p = skip_number(p, &ret->lo);
	ret->hi = ret->lo;
	ret->step = 1;
	if (p != NULL && *p == '-') {
		p = skip_number(p + 1, &ret->hi);
		if (p != NULL && *p == ':') {
			p = skip_number(p + 1, &ret->step);
		}
	}
	return p != NULL && ret->hi >= ret->lo && ret->step > 0 ? p : NULL;
}

int zl_cpu_ranges_parse(
	const char *text, struct zl_cpu_range *ret, size_t max, struct zl_error *err)
{
	const char *p = text;
	size_t n = 0;

	if (strcmp(text, "all") == 0 && max > 0) {
		*ret = (struct zl_cpu_range){0, ZL_NONE, 1};
		return 1;
	}
	for (;;) {
		if (n == max) {
			zl_error_set(
				err, 0, 0, "too many ranges of CPUs; at most %u", (unsigned)max);
			return -EINVAL;
		}
		p = parse_range(p, &ret[n]);
		if (p == NULL || (*p != ',' && *p != '\0')) {
			zl_error_set(err, 0, 0,
				"'%s' is no set of CPUs; write 0, 0-3, 0-7:2, 0,2,8-11 or all",
				text);
			return -EINVAL;
		}
		n++;
		if (*p == '\0') {
			return (int)n;
		}
		p++;
	}
}
