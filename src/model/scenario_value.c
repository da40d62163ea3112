/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a scenario while it runs, and the sentence when one is impossible. */
#include <errno.h>

#include "scenario_private.h"
#include "zonelab/text.h"

#define RANGE_MAX (UINT64_C(1) << 32)

int zl_expand_fail(struct zl_expand *e, int rc, struct zl_place at, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	e->failed = rc;
	e->why.line = at.line;
	e->why.column = at.column;
	zl_text_init(&t, e->why.text, sizeof(e->why.text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	return rc;
}

static int range_value(struct zl_expand *e, struct zl_rng *rng, const int64_t *slot,
	const struct zl_value *v, int64_t *ret)
{
	int64_t lo = 0;
	int64_t hi = 0;
	int rc = zl_expand_value(e, rng, slot, v->a, &lo);

	rc = rc != 0 ? rc : zl_expand_value(e, rng, slot, v->b, &hi);
	if (rc != 0) {
		return rc;
	}
	if (hi < lo || (uint64_t)hi - (uint64_t)lo >= RANGE_MAX) {
		return zl_expand_fail(e, -ERANGE, v->place,
			"the range %D to %D is impossible; write the smaller number first, at "
			"most 2^32 numbers",
			lo, hi);
	}
	*ret = lo + (int64_t)zl_rng_below(rng, (uint64_t)hi - (uint64_t)lo + 1);
	return 0;
}

static int expr_value(
	struct zl_expand *e, const int64_t *slot, const struct zl_value *v, int64_t *ret)
{
	struct zl_error why = {0};
	int rc = zl_expr_eval(&e->s->expr[v->a], slot, ret, &why);

	return rc != 0 ? zl_expand_fail(e, rc, v->place, "\"%s\": %s at column %u",
				 zl_scenario_text(e->s, v->b), why.text, why.column)
		       : 0;
}

uint32_t zl_expand_choose(const struct zl_expand *e, struct zl_rng *rng, uint32_t first, uint32_t n)
{
	const struct zl_weighted *w = &e->s->weighted[first];
	uint64_t total = 0;

	for (uint32_t i = 0; i < n; i++) {
		total += w[i].weight;
	}
	uint64_t at = zl_rng_below(rng, total);
	for (uint32_t i = 0; i + 1 < n; i++) {
		if (at < w[i].weight) {
			return w[i].item;
		}
		at -= w[i].weight;
	}
	return w[n - 1].item;
}

int zl_expand_value(
	struct zl_expand *e, struct zl_rng *rng, const int64_t *slot, uint32_t v, int64_t *ret)
{
	const struct zl_value *value = &e->s->value[v];

	switch (value->kind) {
	case ZL_VALUE_CONST:
		*ret = value->number;
		return 0;
	case ZL_VALUE_EXPR:
		return expr_value(e, slot, value, ret);
	case ZL_VALUE_RANGE:
		return range_value(e, rng, slot, value, ret);
	case ZL_VALUE_WEIGHTED:
		break;
	}
	return zl_expand_value(e, rng, slot, zl_expand_choose(e, rng, value->a, value->b), ret);
}
