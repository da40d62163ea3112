/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why two lanes differ on an op, in words. */

#include "comparison_private.h"
#include "kernel_axis.h"
#include "zonelab/text.h"

/* One lane at the op. */
struct side {
	const struct compare_lane *l;
	const struct zl_record *r;
};

/* " (since 6.16, c544a952ba61)": when a rule came, with the first design that has it. */
static void since(struct zl_text *t, enum zl_design_id design)
{
	struct axis_change c;

	if (axis_design_change(design, &c)) {
		zl_text_fmt(
			t, " (since %s%s%s)", c.release, c.commit[0] != '\0' ? ", " : "", c.commit);
	}
}

/* "354 = batch 63 + high_min 583 / 2 (since 6.16, c544a952ba61)", "batch 63". */
static void threshold(struct zl_text *t, const struct side *s)
{
	const struct zl_record *r = s->r;

	if (r->free_high_policy && r->threshold_exists) {
		zl_text_fmt(t, "%d, its policy", r->threshold);
	} else if (r->threshold == r->batch) {
		zl_text_fmt(t, "batch %d", r->batch);
	} else if (r->threshold == r->batch + r->high_min / 2) {
		zl_text_fmt(
			t, "%d = batch %d + high_min %d / 2", r->threshold, r->batch, r->high_min);
		since(t, ZL_DESIGN_C);
	} else {
		zl_text_fmt(t, "%d", r->threshold);
	}
}

/* What a lane without free_count goes by. */
static void factor(struct zl_text *t, const struct side *s)
{
	if (!s->r->threshold_exists) {
		zl_text_fmt(t, "%s has no free_high, which came with 5.18", s->l->name);
	} else if (s->r->free_high) {
		zl_text_fmt(t, "%s flushes since a drain at its limit %d raised free_factor",
			s->l->name, s->r->high);
	} else {
		zl_text_fmt(t, "%s has not drained at its limit %d, free_factor %d", s->l->name,
			s->r->high, s->r->free_factor);
	}
}

/* The third term of the condition. */
static bool waits_for_batch(const struct zl_record *r)
{
	return r->tuned && !r->free_high_policy && !r->free_high &&
	       r->free_count_was >= r->threshold && (r->flags & 2u) != 0;
}

/* A policy that compares free_count with no single figure. */
static bool by_policy_alone(const struct zl_record *r)
{
	return r->free_high_policy && (!r->tuned || !r->threshold_exists);
}

static void compares(struct zl_text *t, const struct side *s, const struct side *first)
{
	if (by_policy_alone(s->r)) {
		zl_text_fmt(t, "%s has a policy, which says %s", s->l->name,
			s->r->free_high ? "yes" : "no");
	} else if (!s->r->tuned) {
		factor(t, s);
	} else if (first != NULL && first->r->tuned && !by_policy_alone(first->r) &&
		   first->r->free_count_was == s->r->free_count_was) {
		zl_text_fmt(t, "%s with ", s->l->name);
		threshold(t, s);
	} else {
		zl_text_fmt(t, "%s compares free_count %d with ", s->l->name, s->r->free_count_was);
		threshold(t, s);
	}
	if (waits_for_batch(s->r)) {
		zl_text_fmt(t, " and, with FREE_HIGH_BATCH, waits for count to reach batch %d",
			s->r->batch);
	}
}

static void why_free_high(struct zl_text *t, const struct side *a, const struct side *b)
{
	zl_text_str(t, "free_high: ");
	compares(t, a, NULL);
	zl_text_str(t, ", ");
	compares(t, b, a);
	zl_text_str(t, ".");
}

static void why_left_out(struct zl_text *t, const struct side *a, const struct side *b)
{
	const struct side *s = a->r->op.kind == ZL_OP_CPU ? a : b;

	zl_text_fmt(t, "%s leaves the op out, which its zone does not know (first: %s).",
		s->l->name, s->l->refused_why);
}

/* " in one hold", " and takes the zone lock 6 times (since 6.19)" */
static void why_holds(struct zl_text *t, const struct side *a, const struct side *b)
{
	const struct side *many = a->r->zone_locks > b->r->zone_locks ? a : b;
	const struct side *few = many == a ? b : a;
	zl_text_fmt(t, "Same %u pages, but %s takes the zone lock %u times, %s %u",
		many->r->drained, many->l->name, many->r->zone_locks, few->l->name,
		few->r->zone_locks);
	if (many->l->config.switches.design >= ZL_DESIGN_D19 &&
		few->l->config.switches.design < ZL_DESIGN_D19) {
		zl_text_fmt(t, ": it drains in chunks of one batch");
		since(t, ZL_DESIGN_D19);
	}
	zl_text_str(t, ".");
}

static void why_drain(struct zl_text *t, const struct side *a, const struct side *b)
{
	const struct zl_record *ra = a->r;
	const struct zl_record *rb = b->r;

	if (ra->drained == 0 || rb->drained == 0) {
		const struct side *does = ra->drained > 0 ? a : b;
		const struct side *not = does == a ? b : a;

		zl_text_fmt(t, "%s drains %u pages at its limit %d, %s does not (limit %d).",
			does->l->name, does->r->drained, does->r->eff_high, not ->l->name,
			not ->r->eff_high);
		return;
	}
	zl_text_fmt(
		t, "%s drains %u pages, %s %u", a->l->name, ra->drained, b->l->name, rb->drained);
	if (ra->tuned && rb->tuned) {
		zl_text_fmt(t, ": limits %d and %d, free_count %d and %d", ra->eff_high,
			rb->eff_high, ra->free_count_was, rb->free_count_was);
	} else {
		zl_text_fmt(t,
			": limits %d and %d; design %s doubles free_factor, %s goes by free_count",
			ra->eff_high, rb->eff_high,
			zl_design_name((ra->tuned ? b : a)->l->config.switches.design),
			zl_design_name((ra->tuned ? a : b)->l->config.switches.design));
	}
	zl_text_str(t, ".");
}

static void why_refill(struct zl_text *t, const struct side *a, const struct side *b)
{
	const struct zl_record *ra = a->r;
	const struct zl_record *rb = b->r;

	if (ra->refills == 0 || rb->refills == 0) {
		const struct side *does = ra->refills > 0 ? a : b;
		const struct side *not = does == a ? b : a;

		zl_text_fmt(t,
			"The list of %s is empty and takes %u of %u blocks from the buddy; "
			"%s still had a block.",
			does->l->name, does->r->refill_got, does->r->refill_req, not ->l->name);
		return;
	}
	zl_text_fmt(t,
		"A refill asks for %u blocks in %s and %u in %s: batch %d and %d, alloc_factor "
		"%d and %d, high %d and %d.",
		ra->refill_req, a->l->name, rb->refill_req, b->l->name, ra->batch, rb->batch,
		ra->alloc_factor, rb->alloc_factor, ra->high, rb->high);
}

static void why_column(
	struct zl_text *t, enum zl_outcome_column c, const struct side *a, const struct side *b)
{
	char va[160];
	char vb[160];

	zl_outcome_value(c, a->r, va, sizeof(va));
	zl_outcome_value(c, b->r, vb, sizeof(vb));
	zl_text_fmt(
		t, "%s: %s in %s, %s in %s.", zl_outcome_name(c), va, a->l->name, vb, b->l->name);
}

/* What is left of earlier ops, while this one does the same. */
static void why_left(struct zl_text *t, const struct side *a, const struct side *b)
{
	zl_text_fmt(t,
		"The op does the same in both; earlier ops left count %d in %s and %d in %s, "
		"and %N and %N pages free.",
		a->r->count, a->l->name, b->r->count, b->l->name, (uint64_t)a->r->buddy_free,
		(uint64_t)b->r->buddy_free);
}

#define BIT(column) (UINT32_C(1) << (column))
#define DID	    (BIT(ZL_OUTCOME_COUNT) - 1)

size_t comparison_why(const struct comparison *c, struct compare_seen a, struct compare_seen b,
	char *buf, size_t size)
{
	uint32_t bits = zl_outcome_differs(a.record, b.record) & ZL_OUTCOME_DIVERGES;
	struct side sa = {&c->lane[a.lane], a.record};
	struct side sb = {&c->lane[b.lane], b.record};
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (bits == 0) {
		return 0;
	}
	if ((bits & BIT(ZL_OUTCOME_OP)) != 0) {
		why_left_out(&t, &sa, &sb);
	} else if ((bits & BIT(ZL_OUTCOME_FREE_HIGH)) != 0) {
		why_free_high(&t, &sa, &sb);
	} else if ((bits & BIT(ZL_OUTCOME_REFILL)) != 0) {
		why_refill(&t, &sa, &sb);
	} else if ((bits & BIT(ZL_OUTCOME_DRAINED)) != 0) {
		why_drain(&t, &sa, &sb);
	} else if (a.record->drained > 0 && (bits & BIT(ZL_OUTCOME_ZONE_LOCKS)) != 0) {
		why_holds(&t, &sa, &sb);
	} else if ((bits & DID) == 0) {
		why_left(&t, &sa, &sb);
	} else {
		unsigned i = 0;

		while ((bits & BIT(i)) == 0) {
			i++;
		}
		why_column(&t, (enum zl_outcome_column)i, &sa, &sb);
	}
	return t.len;
}

#define NEVER_BEFORE 64

static unsigned weight(
	const struct comparison *c, const struct compare_first *f, unsigned a, unsigned b)
{
	uint32_t bits = zl_outcome_differs(&f->record[a], &f->record[b]) & ZL_OUTCOME_DIVERGES;
	unsigned column = 0;

	while (column < ZL_OUTCOME_COLUMNS && (bits & BIT(column)) == 0) {
		column++;
	}
	return (c->pair[a][b].first == f->op ? NEVER_BEFORE : 0u) + ZL_OUTCOME_COLUMNS - column;
}

void comparison_pair(const struct comparison *c, const struct compare_first *f,
	struct compare_seen *ret_a, struct compare_seen *ret_b)
{
	unsigned most = 0;

	for (unsigned a = 0; a < c->nr_lanes; a++) {
		for (unsigned b = a + 1; b < c->nr_lanes; b++) {
			unsigned w = weight(c, f, a, b);

			if (compare_class(f->pattern, a) != compare_class(f->pattern, b) &&
				w > most) {
				most = w;
				*ret_a = (struct compare_seen){a, &f->record[a]};
				*ret_b = (struct compare_seen){b, &f->record[b]};
			}
		}
	}
}

/* "A from B, C": who stands apart; with more than two kinds "A from B, both from C". */
size_t comparison_who(const struct comparison *c, compare_pattern p, char *buf, size_t size)
{
	unsigned classes = 0, before = 0;
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (unsigned k = 0; k < c->nr_lanes; k++) {
		bool first = true;

		if (compare_class(p, k) != k) {
			continue;
		}
		zl_text_str(&t, classes == 0   ? ""
				: classes == 1 ? " from "
				: before == 2  ? ", both from "
					       : ", all from ");
		classes++;
		for (unsigned i = k; i < c->nr_lanes; i++) {
			if (compare_class(p, i) == k) {
				zl_text_fmt(&t, "%s%s", first ? "" : ", ", c->lane[i].name);
				first = false;
				before++;
			}
		}
	}
	return t.len;
}
