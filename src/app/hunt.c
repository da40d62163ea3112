/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching and shrinking. */
#include "hunt.h"

#include <errno.h>
#include <string.h>

#include "zonelab/rng.h"
#include "zonelab/scenario_file.h"

#define COUNT_MOST  160u /* of one step */
#define CYCLES_MOST 64u
#define ANEW	    4u /* one load in so many is a new one, the others are changed ones */
#define KEEP_TENTHS 9u /* of the difference must be left when numbers shrink */
#define LOAD_FORMS  3u /* simpler forms of a whole load, and of a step */
#define STEP_FORMS  6u
#define TENTHS	    10u

struct searcher {
	const struct hunt *h;
	struct hunt_result *best;
	struct zl_rng rng;
	struct zl_error *err;
};

/* ---- loads ---- */

static unsigned below(struct searcher *s, unsigned n)
{
	return (unsigned)zl_rng_below(&s->rng, n);
}

/* Small counts as likely as large ones: a number of bits first. */
static unsigned some_count(struct searcher *s, unsigned most)
{
	unsigned bits = below(s, 8) + 1;
	unsigned n = below(s, 1u << bits) + 1;

	return n < most ? n : most;
}

static void some_step(struct searcher *s, struct hunt_step *ret)
{
	static const enum hunt_kind kinds[] = {HUNT_ALLOC, HUNT_ALLOC, HUNT_ALLOC, HUNT_FREE,
		HUNT_FREE, HUNT_FREE, HUNT_TICK, HUNT_DRAIN};

	*ret = (struct hunt_step){.kind = kinds[below(s, sizeof(kinds) / sizeof(kinds[0]))],
		.order = below(s, ZL_COSTLY_ORDER + 1),
		.mt = below(s, 3) == 0 ? ZL_MIGRATE_MOVABLE : ZL_MIGRATE_UNMOVABLE,
		.count = some_count(s, COUNT_MOST),
		.newest = below(s, 3) == 0};
	if (ret->kind == HUNT_TICK || ret->kind == HUNT_DRAIN) {
		ret->count = 1;
	}
}

/* At most so many ops; two CPUs only if each has something to do. */
static void bound(struct hunt_load *l)
{
	unsigned frees = 0;
	unsigned each = 0;

	for (unsigned i = 0; i < l->nr_steps; i++) {
		each += l->step[i].count;
		frees += l->step[i].kind == HUNT_FREE ? 1 : 0;
	}
	l->apart = l->apart && frees > 0 && frees < l->nr_steps;
	if (each > 0 && l->cycles > HUNT_OPS_MAX / each) {
		l->cycles = HUNT_OPS_MAX / each > 0 ? HUNT_OPS_MAX / each : 1;
	}
}

static void some_load(struct searcher *s, struct hunt_load *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->nr_steps = 2 + below(s, HUNT_STEPS - 1);
	for (unsigned i = 0; i < ret->nr_steps; i++) {
		some_step(s, &ret->step[i]);
	}
	ret->cycles = some_count(s, CYCLES_MOST);
	ret->apart = below(s, 3) == 0;
	bound(ret);
}

static void change(struct searcher *s, struct hunt_load *l)
{
	struct hunt_step *step = &l->step[below(s, l->nr_steps)];

	switch (below(s, 7)) {
	case 0:
		some_step(s, step);
		break;
	case 1:
		step->count = step->kind <= HUNT_FREE ? some_count(s, COUNT_MOST) : 1;
		break;
	case 2:
		step->order = below(s, ZL_COSTLY_ORDER + 1);
		break;
	case 3:
		if (l->nr_steps < HUNT_STEPS) {
			some_step(s, &l->step[l->nr_steps++]);
		}
		break;
	case 4:
		l->apart = !l->apart;
		break;
	case 5:
		l->cycles = some_count(s, CYCLES_MOST);
		break;
	default:
		step->count += step->kind <= HUNT_FREE && step->count < COUNT_MOST ? 1 : 0;
		break;
	}
	bound(l);
}

/* ---- running ---- */

static int64_t value_of(const struct comparison *c, const char *metric, unsigned lane)
{
	struct compare_total t[COMPARE_TOTALS];
	size_t n = comparison_totals(c, t);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(t[i].name, metric) == 0) {
			return t[i].value[lane];
		}
	}
	return 0;
}

/* Runs a load in both lanes. A load that cannot go on to its end has no value. */
static int run_load(struct searcher *s, const struct hunt_load *load, struct hunt_result *ret)
{
	const struct compare_lanes *l = s->h->l;
	const struct zl_allocator *mem = l->app->alloc;
	struct compare_what what = {.nr_lanes = 2, .estimate = true};
	struct comparison *c = NULL;
	struct zl_scenario scenario;
	struct zl_buf text = {0};
	int rc;

	hunt_write(s->h, load, NULL, &text);
	rc = text.failed ? -ENOMEM
			 : zl_scenario_parse(zl_buf_text(&text), text.len, mem, &scenario, s->err);
	zl_buf_done(&text);
	if (rc != 0) {
		return rc;
	}
	what.scenario = &scenario;
	for (unsigned i = 0; i < 2; i++) {
		what.name[i] = l->spec[i].name;
		what.profile[i] = &l->profile[i];
	}
	rc = comparison_new(&what, mem, &c, s->err);
	rc = rc != 0 ? rc : comparison_advance(c, UINT64_MAX);
	if (rc == 0) {
		bool whole = c->error.text[0] == '\0';

		if (!whole && s->best->broken++ == 0) {
			zl_error_format(&c->error, s->best->why, sizeof(s->best->why));
		}
		for (unsigned i = 0; i < 2; i++) {
			ret->value[i] = whole ? value_of(c, s->h->metric, i) : 0;
		}
		ret->load = *load;
		ret->score =
			(uint64_t)(ret->value[1] > ret->value[0] ? ret->value[1] - ret->value[0]
								 : ret->value[0] - ret->value[1]);
	}
	comparison_free(c);
	return rc;
}

static bool wants_end(const struct searcher *s)
{
	return output_stopped(s->h->l->out);
}

/* Runs a load and takes it if it is worth at least @least; whether it was. */
static int attempt(
	struct searcher *s, const struct hunt_load *load, uint64_t least, bool *ret_taken)
{
	struct hunt_result r = *s->best;
	int rc = run_load(s, load, &r);

	s->best->tries++;
	*ret_taken = rc == 0 && r.score >= least;
	if (*ret_taken) {
		r.tries = s->best->tries;
		r.broken = s->best->broken;
		memcpy(r.why, s->best->why, sizeof(r.why));
		*s->best = r;
	}
	return rc;
}

static int search(struct searcher *s)
{
	const struct output *o = s->h->l->out;
	bool taken;
	int rc = 0;

	for (unsigned i = 0; i < s->h->tries && rc == 0; i++) {
		struct hunt_load load = s->best->load;

		if (wants_end(s)) {
			s->best->stopped = true;
			break;
		}
		if (s->best->score == 0 || below(s, ANEW) == 0) {
			some_load(s, &load);
		} else {
			for (unsigned k = below(s, 3) + 1; k > 0; k--) {
				change(s, &load);
			}
		}
		rc = attempt(s, &load, s->best->score + 1, &taken);
		if (o->progress != NULL) {
			o->progress(o->patience_user, i + 1, s->h->tries);
		}
	}
	s->best->found = s->best->score;
	return rc;
}

/* ---- shrinking ---- */

static void without_step(struct hunt_load *l, unsigned i)
{
	l->nr_steps--;
	memmove(&l->step[i], &l->step[i + 1], (l->nr_steps - i) * sizeof(l->step[0]));
}

/* Two lines of the same kind as one: the ops are the same. */
static bool join_steps(struct hunt_load *l, unsigned i)
{
	struct hunt_step *a = &l->step[i];
	const struct hunt_step *b = &l->step[i + 1];

	if (a->kind != b->kind || a->kind > HUNT_FREE || a->order != b->order || a->mt != b->mt ||
		a->newest != b->newest) {
		return false;
	}
	a->count += b->count;
	without_step(l, i + 1);
	return true;
}

/* The @i-th simpler form of a load; false when there is none. */
static bool simpler(const struct hunt_load *from, unsigned i, struct hunt_load *ret)
{
	unsigned n = from->nr_steps;
	struct hunt_step *step;

	*ret = *from;
	if (i < n) {
		without_step(ret, i);
		bound(ret);
		return n > 1;
	}
	i -= n;
	if (i < n - 1) {
		return join_steps(ret, i);
	}
	i -= n - 1;
	if (i < LOAD_FORMS) {
		ret->apart = i == 0 ? false : ret->apart;
		ret->cycles = i == 1   ? (ret->cycles + 1) / 2
			      : i == 2 ? ret->cycles - 1
				       : ret->cycles;
		return ret->cycles > 0;
	}
	i -= LOAD_FORMS;
	step = &ret->step[i / STEP_FORMS < n ? i / STEP_FORMS : 0];
	switch (i % STEP_FORMS) {
	case 0:
		step->count = (step->count + 1) / 2;
		break;
	case 1:
		step->count -= step->count / TENTHS;
		break;
	case 2:
		step->count -= step->count > 1 ? 1 : 0;
		break;
	case 3:
		step->mt = ZL_MIGRATE_UNMOVABLE;
		break;
	case 4:
		step->newest = false;
		break;
	default:
		step->order =
			step->kind == HUNT_ALLOC && step->order > 0 ? step->order - 1 : step->order;
		break;
	}
	return true;
}

static bool same_load(const struct hunt_load *a, const struct hunt_load *b)
{
	bool same = a->nr_steps == b->nr_steps && a->cycles == b->cycles && a->apart == b->apart;

	for (unsigned i = 0; i < a->nr_steps && same; i++) {
		const struct hunt_step *x = &a->step[i];
		const struct hunt_step *y = &b->step[i];

		same = x->kind == y->kind && x->order == y->order && x->mt == y->mt &&
		       x->count == y->count && x->newest == y->newest;
	}
	return same;
}

/* Takes simpler forms (fewer steps, or any) while a difference of @least is left. */
static int shrink_to(struct searcher *s, bool steps_alone, uint64_t least)
{
	unsigned most = s->best->tries + s->h->tries;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && s->best->tries < most && !wants_end(s);) {
		unsigned n = s->best->load.nr_steps;
		unsigned lines = n + n - 1; /* without one, or two as one */
		unsigned forms = lines + (steps_alone ? 1 : n * STEP_FORMS + LOAD_FORMS);
		struct hunt_load load;
		bool taken = false;

		if (i >= forms) {
			break;
		}
		if (simpler(&s->best->load, i, &load) && !same_load(&load, &s->best->load)) {
			rc = attempt(s, &load, least, &taken);
		}
		i = taken ? 0 : i + 1;
	}
	return rc;
}

/* Few lines first, at the price of half the difference; then small numbers, at a tenth of the rest. */
static int shrink(struct searcher *s)
{
	int rc = 0;

	if (s->best->score > 0) {
		rc = shrink_to(s, true, (s->best->found + 1) / 2);
	}
	if (rc == 0 && s->best->score > 0) {
		rc = shrink_to(s, false, (s->best->score * KEEP_TENTHS + TENTHS - 1) / TENTHS);
	}
	return rc;
}

int hunt_run(const struct hunt *h, struct hunt_result *ret, struct zl_error *err)
{
	struct searcher s = {.h = h, .best = ret, .err = err};
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->load = (struct hunt_load){.nr_steps = 1, .cycles = 1};
	ret->load.step[0] = (struct hunt_step){.kind = HUNT_ALLOC, .count = 1};
	zl_rng_init(&s.rng, h->seed);
	rc = search(&s);
	return rc != 0 ? rc : shrink(&s);
}
