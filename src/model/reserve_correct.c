/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests as they should be written. Sizes are rounded up; what has an address and cannot
 * stay there is moved, by a search over the holes whose judge is the plan of the corrected boot.
 * What no try gives memory to is left as it was written.
 */
#include <string.h>

#include "reserve_plan.h"

#define PLANS_MAX  48u	 /* corrected boots that are tried */
#define STEPS_MAX  2048u /* places that are looked at */
#define PLACES_MAX 48u	 /* of one pool */

struct places {
	size_t count;
	struct zl_range item[PLACES_MAX];
};

struct search {
	const struct zl_reserve_in *in;
	const struct zl_reserve_report *report; /* of the requests as they are */
	struct zl_reserve_report *judged;	/* of those in `want` */
	struct zl_request *want;
	struct zl_memory_map map;  /* what keeps its place, and what has found one */
	struct zl_ranges segments; /* banks, cut where a zone or a node ends */
	size_t nr_moving, moving[ZL_POOLS_MAX];
	size_t to_leave; /* of the moving: may stay as they are */
	unsigned steps, plans;
	size_t best; /* pools without memory in the best try, at first as written */
	struct zl_range best_range[ZL_POOLS_MAX];
};

static const struct zl_request *asked(const struct search *s, size_t pool)
{
	return &s->in->requests[s->report->pool[pool].request];
}

static struct zl_request *wanted(const struct search *s, size_t pool)
{
	return &s->want[s->report->pool[pool].request];
}

static bool is_fixed_area(const struct zl_request *q)
{
	return q->kind == ZL_REQUEST_DEFAULT && q->base != 0 &&
	       q->limit == zl_range_end(q->base, q->size);
}

/* A place of its own: nodes with reg, cma=SIZE@BASE. */
static bool has_place(const struct zl_request *q)
{
	return q->kind == ZL_REQUEST_NODE ? q->has_reg : is_fixed_area(q);
}

static bool is_dynamic(const struct zl_request *q)
{
	return q->kind == ZL_REQUEST_NODE && !q->has_reg;
}

static uint64_t alignment(const struct search *s, size_t pool)
{
	return asked(s, pool)->kind == ZL_REQUEST_NODE ? s->report->alignment
						       : s->report->pool[pool].alignment;
}

/* Without memory, for a reason that another size or place can end. */
static bool is_curable(const struct zl_pool *pool)
{
	switch (pool->reason) {
	case ZL_REASON_SIZE:
	case ZL_REASON_BASE:
	case ZL_REASON_BASE_SIZE:
	case ZL_REASON_LIMIT:
	case ZL_REASON_HIGHMEM:
	case ZL_REASON_NO_HOLE:
	case ZL_REASON_TAKEN:
	case ZL_REASON_OUTSIDE:
	case ZL_REASON_ZONES:
		return pool->verdict == ZL_VERDICT_REFUSED || pool->verdict == ZL_VERDICT_NO_ROOM;
	case ZL_REASON_FITS:
	case ZL_REASON_ROUNDED:
	case ZL_REASON_NO_RULE:
	case ZL_REASON_SLOTS:
	case ZL_REASON_REGIONS:
	case ZL_REASON_ZERO:
	case ZL_REASON_OVERRIDDEN:
	case ZL_REASON_NO_DMA_CMA:
	case ZL_REASON_GIGANTIC:
	case ZL_REASON_FAULT:
	case ZL_POOL_REASON_COUNT:
		break;
	}
	return false;
}

static bool is_node_with_memory(
	const struct search *s, const struct zl_reserve_report *report, size_t pool)
{
	const struct zl_pool *p = &report->pool[pool];

	return asked(s, pool)->kind == ZL_REQUEST_NODE && p->base_known &&
	       p->class != ZL_POOL_IGNORED && p->verdict == ZL_VERDICT_ACCEPTED;
}

/* The kernel hands shared memory to both; that is no pool of anybody's own. */
static bool meet(const struct zl_pool *a, const struct zl_pool *b)
{
	return a->base < b->base + b->size && b->base < a->base + a->size;
}

static bool share(
	const struct search *s, const struct zl_reserve_report *report, size_t a, size_t b)
{
	return a != b && is_node_with_memory(s, report, a) && is_node_with_memory(s, report, b) &&
	       meet(&report->pool[a], &report->pool[b]);
}

/* CMA pools of the judged boot without memory of their own. */
static size_t failures(const struct search *s)
{
	const struct zl_reserve_report *r = s->judged;
	size_t holder[ZL_POOLS_MAX], nr_holders = 0, n = 0;
	bool shared[ZL_POOLS_MAX] = {false};

	for (size_t i = 0; i < r->nr_pools; i++) {
		const bool holds = is_node_with_memory(s, r, i);

		for (size_t k = 0; holds && k < nr_holders; k++) {
			if (meet(&r->pool[i], &r->pool[holder[k]])) {
				shared[i] = shared[holder[k]] = true;
			}
		}
		if (holds) {
			holder[nr_holders++] = i;
		}
	}
	for (size_t i = 0; i < r->nr_pools; i++) {
		const struct zl_pool *p = &r->pool[i];

		n += p->class == ZL_POOL_CMA &&
		     (p->verdict == ZL_VERDICT_REFUSED || p->verdict == ZL_VERDICT_NO_ROOM ||
			     shared[i]);
	}
	return n;
}

/* --- places --- */

static bool is_free(const struct search *s, const struct zl_range *r)
{
	if (r->size == 0 || r->base > UINT64_MAX - r->size ||
		zl_ranges_overlap(&s->map.reserved, r->base, r->size)) {
		return false;
	}
	return plan_activation(s->in->map, r->base, r->size) == ZL_REASON_FITS;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Nearest to @base first; the places before @first keep theirs. */
static void add_place(const struct search *s, struct places *p, const struct zl_range *r,
	uint64_t base, size_t first)
{
	size_t at = p->count;

	for (size_t i = 0; i < p->count; i++) {
		if (p->item[i].base == r->base && p->item[i].size <= r->size) {
			return;
		}
	}
	if (p->count == PLACES_MAX || !is_free(s, r)) {
		return;
	}
	for (; at > first && distance(p->item[at - 1].base, base) > distance(r->base, base); at--) {
		p->item[at] = p->item[at - 1];
	}
	p->item[at] = *r;
	p->count++;
}

/* Free parts of memory that no area may reach out of. */
static void holes(const struct search *s, struct zl_ranges *ret)
{
	*ret = s->segments;
	for (size_t i = 0; i < s->map.reserved.count; i++) {
		zl_ranges_remove(ret, s->map.reserved.item[i].base, s->map.reserved.item[i].size);
	}
}

/* The ends of every hole, and in the hole around @base the place next to it. */
static void hole_places(
	const struct search *s, struct places *p, uint64_t base, uint64_t size, uint64_t a)
{
	struct zl_ranges free;
	size_t first = p->count;

	holes(s, &free);
	for (size_t i = 0; i < free.count; i++) {
		uint64_t end = zl_range_end(free.item[i].base, free.item[i].size);
		struct zl_range r = {.base = zl_round_up(free.item[i].base, a), .size = size};

		if (end < size) {
			continue;
		}
		add_place(s, p, &r, base, first);
		r.base = zl_round_down(end - size, a);
		add_place(s, p, &r, base, first);
	}
}

/* As near to what was asked as can be: around it, from it on, then elsewhere. */
static void find_places(const struct search *s, size_t pool, struct places *ret)
{
	const struct zl_request *q = asked(s, pool);
	uint64_t a = alignment(s, pool);
	uint64_t size = zl_required_size(q->size, a);
	const struct zl_range tries[] = {
		zl_enclosing_region(q->base, q->size, a),
		{.base = zl_round_up(q->base,   a), .size = size},
		{.base = zl_round_down(q->base, a), .size = size},
	};

	ret->count = 0;
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		add_place(s, ret, &tries[i], 0, ret->count);
	}
	if (s->map.known) {
		hole_places(s, ret, q->base, size, a);
	}
}

/* --- trying --- */

static void write_range(struct zl_request *q, const struct zl_range *r)
{
	bool fixed = is_fixed_area(q);

	q->base = r->base;
	q->size = r->size;
	if (fixed) {
		q->limit = zl_range_end(r->base, r->size);
	}
}

static void judge(struct search *s, bool silent)
{
	struct zl_reserve_in in = *s->in;

	in.requests = s->want;
	in.silent = silent;
	zl_reserve_plan(&in, s->judged);
}

/* A size that was raised for nothing is written as it was. */
static bool leave_homeless(struct search *s)
{
	bool changed = false;

	for (size_t i = 0; i < s->report->nr_pools; i++) {
		struct zl_request *w = wanted(s, i);

		if (is_dynamic(w) && w->size != asked(s, i)->size &&
			s->judged->pool[i].verdict != ZL_VERDICT_ACCEPTED) {
			w->size = asked(s, i)->size;
			changed = true;
		}
	}
	return changed;
}

static void raise_sizes(struct search *s)
{
	for (size_t i = 0; i < s->report->nr_pools; i++) {
		const struct zl_pool *p = &s->report->pool[i];
		struct zl_request *w = wanted(s, i);

		if (p->class == ZL_POOL_CMA && is_dynamic(w) && w->size != 0 && is_curable(p)) {
			w->size = zl_required_size(w->size, s->report->alignment);
		}
	}
}

static void take_best(struct search *s, size_t n)
{
	s->best = n;
	for (size_t i = 0; i < s->report->nr_pools; i++) {
		s->best_range[i] =
			(struct zl_range){.base = wanted(s, i)->base, .size = wanted(s, i)->size};
	}
}

static void try_all(struct search *s)
{
	size_t n;

	s->plans++;
	raise_sizes(s);
	judge(s, true);
	if (leave_homeless(s)) {
		judge(s, true);
	}
	n = failures(s);
	if (n < s->best) {
		take_best(s, n);
	}
}

static bool is_over(const struct search *s)
{
	return s->best == 0 || s->steps >= STEPS_MAX || s->plans >= PLANS_MAX;
}

/* Gives places to the pools from @at on, in every way while there is time. */
static void place_rest(struct search *s, size_t at)
{
	size_t pool;
	struct places p;

	if (at == s->nr_moving) {
		try_all(s);
		return;
	}
	pool = s->moving[at];
	find_places(s, pool, &p);
	for (size_t i = 0; i < p.count && !is_over(s); i++) {
		s->steps++;
		write_range(wanted(s, pool), &p.item[i]);
		zl_ranges_add(&s->map.reserved, p.item[i].base, p.item[i].size);
		place_rest(s, at + 1);
		zl_ranges_remove(&s->map.reserved, p.item[i].base, p.item[i].size);
	}
	*wanted(s, pool) = *asked(s, pool);
	if (s->to_leave > 0 && !is_over(s)) {
		s->to_leave--;
		place_rest(s, at + 1);
		s->to_leave++;
	}
}

/* --- what moves --- */

static bool keeps_place(const struct search *s, size_t pool)
{
	const struct zl_pool *p = &s->report->pool[pool];
	const struct zl_request *q = asked(s, pool);

	return q->kind == ZL_REQUEST_NODE && q->has_reg && p->class != ZL_POOL_IGNORED &&
	       p->verdict == ZL_VERDICT_ACCEPTED;
}

/* Of two that share memory the later one moves, unless only the other one can. */
static bool must_part(const struct search *s, size_t pool)
{
	for (size_t i = 0; i < s->report->nr_pools; i++) {
		bool can = s->report->pool[i].class == ZL_POOL_CMA && has_place(asked(s, i));

		if (share(s, s->report, pool, i) && (!can || i < pool)) {
			return true;
		}
	}
	return false;
}

static bool moves(const struct search *s, size_t pool, bool all)
{
	const struct zl_pool *p = &s->report->pool[pool];

	if (p->class != ZL_POOL_CMA || !has_place(asked(s, pool)) || asked(s, pool)->size == 0) {
		return false;
	}
	return is_curable(p) || must_part(s, pool) || (all && p->verdict == ZL_VERDICT_ACCEPTED);
}

/* In the order of the requests. Others stay in the way. */
static void choose(struct search *s, bool all)
{
	s->nr_moving = 0;
	s->map = *s->in->map;
	for (size_t i = 0; i < s->report->nr_pools; i++) {
		const struct zl_request *q = asked(s, i);

		for (size_t k = 0; k < q->nr_regs; k++) {
			zl_ranges_add(&s->map.reserved, q->reg[k].base, q->reg[k].size);
		}
		if (!moves(s, i, all)) {
			if (keeps_place(s, i)) {
				zl_ranges_add(&s->map.reserved, q->base, q->size);
			}
			continue;
		}
		s->moving[s->nr_moving++] = i;
	}
}

/* Ranges that touch would be one: a page is left out at every cut. */
static void cut(struct zl_ranges *r, uint64_t at, uint64_t page)
{
	if (at >= page && zl_ranges_contain(r, at - page, 2 * page)) {
		zl_ranges_remove(r, at - page, page);
	}
}

static void find_segments(struct search *s)
{
	const struct zl_memory_map *m = s->in->map;

	s->segments = m->banks;
	for (size_t i = 0; i < m->nr_boundaries; i++) {
		cut(&s->segments, m->boundary[i], m->page_size);
	}
	for (size_t i = 0; i < m->nr_node_ranges; i++) {
		cut(&s->segments, m->node_range[i].base, m->page_size);
	}
}

/* An area of the command line with a range to lie in, or none. */
static void correct_area(const struct search *s, size_t pool)
{
	struct zl_request *w = wanted(s, pool);
	uint64_t a = s->report->pool[pool].alignment;

	if (w->kind == ZL_REQUEST_NODE || has_place(w) || !is_curable(&s->report->pool[pool]) ||
		s->report->pool[pool].verdict != ZL_VERDICT_REFUSED) {
		return;
	}
	w->base = zl_round_down(w->base, a);
	w->size = zl_required_size(w->size, a);
	if (w->limit != 0 && w->limit < w->base + w->size) {
		w->limit = w->base + w->size;
	}
}

static void search(struct search *s, bool all)
{
	size_t most;

	choose(s, all);
	most = s->nr_moving;
	s->plans = 0;
	s->steps = 0;
	for (size_t n = 0; n <= most && n < s->best && !is_over(s); n++) {
		s->to_leave = n;
		place_rest(s, 0);
	}
}

/* memblock masks with the alignment: another number than a power of two gives any base. */
static void correct_alignment(struct search *s, size_t pool)
{
	const struct zl_pool *p = &s->report->pool[pool];
	uint64_t power = 1;

	if (!is_dynamic(asked(s, pool)) || p->verdict != ZL_VERDICT_REFUSED ||
		p->reason != ZL_REASON_BASE) {
		return;
	}
	while (power < asked(s, pool)->alignment && power <= UINT64_MAX / 2) {
		power *= 2;
	}
	wanted(s, pool)->alignment = power;
}

void zl_reserve_correct(const struct zl_reserve_in *in, const struct zl_reserve_report *report,
	struct zl_request *ret, struct zl_reserve_report *ret_report)
{
	struct search s = {.in = in, .report = report, .judged = ret_report, .want = ret};

	if (in->nr_requests > 0) {
		memcpy(ret, in->requests, in->nr_requests * sizeof(*ret));
	}
	judge(&s, false);
	if (failures(&s) == 0) {
		return;
	}
	/* As written; a correction that only takes from one to give to another is none. */
	take_best(&s, failures(&s));
	find_segments(&s);
	for (size_t i = 0; i < report->nr_pools; i++) {
		correct_area(&s, i);
		correct_alignment(&s, i);
	}
	search(&s, false);
	if (s.best != 0) {
		search(&s, true);
	}
	for (size_t i = 0; i < report->nr_pools; i++) {
		write_range(wanted(&s, i), &s.best_range[i]);
	}
	judge(&s, false);
}
