/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases with their programs; assertions, captions and breakpoints. */
#include <errno.h>
#include <string.h>

#include "scenario_read.h"
#include "zonelab/metrics.h"
#include "zonelab/text.h"

#define RANGES_MAX 256

static int read_cpus(struct reading *r, const struct zl_json *j, struct zl_scenario_program *g)
{
	struct reading_array_of ranges = {
		(void **)&r->s->range, &r->s->nr_ranges, sizeof(*r->s->range)};
	const struct zl_json *cpus = zl_json_member(j, "cpus");
	struct zl_cpu_range list[RANGES_MAX];
	struct zl_error why = {0};
	int64_t one = 0;
	uint32_t index;
	int n = 1;

	g->first_range = r->s->nr_ranges;
	if (cpus == NULL) {
		list[0] = (struct zl_cpu_range){0, 0, 1};
	} else if (zl_json_get_int(cpus, &one) == 0) {
		if (one < 0 || one >= ZL_SCENARIO_CPUS_MAX) {
			return reading_fail(r, cpus, "there is no CPU %D; 0 to %d", one,
				ZL_SCENARIO_CPUS_MAX - 1);
		}
		list[0] = (struct zl_cpu_range){(uint32_t)one, (uint32_t)one, 1};
	} else if (zl_json_text(cpus) == NULL) {
		return reading_fail(r, cpus, "no set of CPUs; write 3 or \"0-3\" or \"all\"");
	} else {
		n = zl_cpu_ranges_parse(zl_json_text(cpus), list, RANGES_MAX, &why);
		if (n < 0) {
			return reading_fail(r, cpus, "%s", why.text);
		}
	}
	for (int i = 0; i < n; i++) {
		int rc = reading_push(r, ranges, &list[i], &index);

		if (rc != 0) {
			return rc;
		}
	}
	g->nr_ranges = (uint32_t)n;
	return 0;
}

static int read_program(struct reading *r, const struct zl_json *j, struct zl_scenario_program *g)
{
	static const char *const keys[] = {"cpus", "seed", "do", NULL};
	const struct reading_limits limits = {0, ZL_JSON_INT_MAX};
	int64_t seed = 0;
	int rc = reading_object(r, j, keys);

	rc = rc != 0 ? rc : read_cpus(r, j, g);
	rc = rc != 0 ? rc : reading_number(r, j, "seed", &limits, &seed);
	g->seeded = zl_json_member(j, "seed") != NULL;
	g->seed = (uint64_t)seed;
	if (rc == 0 && zl_json_member(j, "do") == NULL) {
		return reading_fail(r, j, "the key 'do' is missing; a list of steps");
	}
	size_t mark = reading_key(r, "do");
	rc = rc != 0 ? rc : reading_steps(r, zl_json_member(j, "do"), &g->first_step);
	reading_up(r, mark);
	return rc;
}

static int push_program(struct reading *r, const struct zl_scenario_program *g)
{
	struct reading_array_of programs = {
		(void **)&r->s->program, &r->s->nr_programs, sizeof(*r->s->program)};
	uint32_t index;

	return reading_push(r, programs, g, &index);
}

static int read_programs(
	struct reading *r, const struct zl_json *phase, struct zl_scenario_phase *p)
{
	const struct zl_json *list = zl_json_member(phase, "programs");
	size_t mark = reading_key(r, "programs");
	int rc = reading_array(r, list);

	for (const struct zl_json *c = zl_json_first(list); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		struct zl_scenario_program g = {0};
		size_t inner = reading_index(r, p->nr_programs);

		rc = read_program(r, c, &g);
		rc = rc != 0 ? rc : push_program(r, &g);
		p->nr_programs++;
		reading_up(r, inner);
	}
	if (rc == 0 && p->nr_programs == 0) {
		rc = reading_fail(r, list, "an empty list; at least one program");
	}
	reading_up(r, mark);
	return rc;
}

/* The op list of a phase is a program of its own that starts on CPU 0. */
static int read_phase_ops(
	struct reading *r, const struct zl_json *phase, struct zl_scenario_phase *p)
{
	struct zl_scenario_program g = {0};
	size_t mark = reading_key(r, "ops");
	int rc = read_cpus(r, NULL, &g);

	rc = rc != 0 ? rc : reading_ops(r, zl_json_member(phase, "ops"), true, &g.first_step);
	rc = rc != 0 ? rc : push_program(r, &g);
	p->nr_programs = 1;
	reading_up(r, mark);
	return rc;
}

static int read_phase(struct reading *r, const struct zl_json *j, struct zl_scenario_phase *p)
{
	bool programs = zl_json_member(j, "programs") != NULL;
	struct json_place at = json_place(&r->places, j);
	int rc;

	p->place = (struct zl_place){at.line, at.column};
	p->first_program = r->s->nr_programs;
	rc = reading_string(r, j, "name", p->name, sizeof(p->name));
	rc = rc != 0 ? rc : reading_text(r, j, "caption", &p->caption);
	rc = rc != 0 ? rc : reading_value_member(r, j, "turn", &p->turn);
	rc = rc != 0 ? rc : reading_value_member(r, j, "tick_every", &p->tick);
	if (rc == 0 && programs == (zl_json_member(j, "ops") != NULL)) {
		rc = reading_fail(r, j, "either 'programs' or 'ops' is needed");
	}
	if (rc != 0) {
		return rc;
	}
	return programs ? read_programs(r, j, p) : read_phase_ops(r, j, p);
}

static int push_phase(struct reading *r, struct zl_scenario_phase *p)
{
	struct reading_array_of phases = {
		(void **)&r->s->phase, &r->s->nr_phases, sizeof(*r->s->phase)};
	uint32_t index;

	if (p->name[0] == '\0') {
		zl_format(p->name, sizeof(p->name), "%u", r->s->nr_phases + 1);
	}
	return reading_push(r, phases, p, &index);
}

int reading_phases(struct reading *r, const struct zl_json *root)
{
	static const char *const keys[] = {
		"name", "caption", "programs", "ops", "turn", "tick_every", "assert", NULL};
	const struct zl_json *list = zl_json_member(root, "phases");
	const struct zl_scenario_phase none = {
		.caption = ZL_NONE, .turn = ZL_NONE, .tick = ZL_NONE};
	struct zl_scenario_phase p = none;
	size_t mark;
	int rc;

	if (list == NULL) {
		/* Programs or ops at the top are the one phase. */
		rc = read_phase(r, root, &p);
		zl_format(p.name, sizeof(p.name), "run");
		p.caption = ZL_NONE;
		return rc != 0 ? rc : push_phase(r, &p);
	}
	mark = reading_key(r, "phases");
	rc = reading_array(r, list);
	for (const struct zl_json *c = zl_json_first(list); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		uint32_t index = r->s->nr_phases;
		size_t inner = reading_index(r, index);

		p = none;
		rc = reading_object(r, c, keys);
		rc = rc != 0 ? rc : read_phase(r, c, &p);
		rc = rc != 0 ? rc : push_phase(r, &p);
		rc = rc != 0 ? rc : reading_asserts(r, zl_json_member(c, "assert"), index);
		reading_up(r, inner);
	}
	if (rc == 0 && r->s->nr_phases == 0) {
		rc = reading_fail(r, list, "an empty list; at least one phase");
	}
	reading_up(r, mark);
	return rc;
}

/* Refuses an expression over metrics that does not compile. */
static int check_watch(struct reading *r, const struct zl_json *j)
{
	struct zl_error why = {0};
	struct zl_watch w = {0};
	int rc;

	if (zl_json_text(j) == NULL) {
		return reading_fail(r, j, "%s; an expression over metrics is needed",
			zl_json_kind_name(zl_json_kind(j)));
	}
	rc = zl_watch_compile(zl_json_text(j), r->mem, &w, &why);
	if (rc == -ENOMEM) {
		return reading_no_memory(r);
	}
	if (rc != 0) {
		return reading_fail(
			r, j, "%s, at column %u of the expression", why.text, why.column);
	}
	zl_watch_done(&w, r->mem);
	return 0;
}

/* The phase that an assertion at the top names. */
static int find_phase(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	const struct zl_json *name = zl_json_member(j, "phase");

	if (name == NULL) {
		return 0;
	}
	for (uint32_t i = 0; zl_json_text(name) != NULL && i < r->s->nr_phases; i++) {
		if (strcmp(r->s->phase[i].name, zl_json_text(name)) == 0) {
			*ret = i;
			return 0;
		}
	}
	return reading_fail(r, name, "there is no phase of this name");
}

static int read_assert(struct reading *r, const struct zl_json *j, struct zl_scenario_assert *a)
{
	static const char *const keys[] = {"assert", "always", "text", "phase", NULL};
	const struct zl_json *expr = j;
	int rc = 0;

	if (zl_json_kind(j) == ZL_JSON_OBJECT) {
		a->always = zl_json_member(j, "always") != NULL;
		expr = zl_json_member(j, a->always ? "always" : "assert");
		rc = reading_object(r, j, keys);
		rc = rc != 0 ? rc : reading_text(r, j, "text", &a->text);
		rc = rc != 0 ? rc : find_phase(r, j, &a->phase);
	}
	if (rc == 0 && expr == NULL) {
		rc = reading_fail(r, j, "either 'assert' or 'always' is needed");
	}
	rc = rc != 0 ? rc : check_watch(r, expr);
	rc = rc != 0 ? rc : reading_text_of(r, expr, &a->expr);
	a->line = json_place(&r->places, expr).line;
	a->column = json_place(&r->places, expr).column;
	return rc;
}

int reading_asserts(struct reading *r, const struct zl_json *j, uint32_t phase)
{
	struct reading_array_of asserts = {
		(void **)&r->s->assertion, &r->s->nr_asserts, sizeof(*r->s->assertion)};
	size_t mark;
	size_t i = 0;
	int rc;

	if (j == NULL) {
		return 0;
	}
	mark = reading_key(r, "assert");
	rc = reading_array(r, j);
	for (const struct zl_json *c = zl_json_first(j); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		struct zl_scenario_assert a = {.phase = phase, .text = ZL_NONE};
		size_t inner = reading_index(r, i++);
		uint32_t index;

		rc = read_assert(r, c, &a);
		rc = rc != 0 ? rc : reading_push(r, asserts, &a, &index);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

static int read_caption(struct reading *r, const struct zl_json *j)
{
	static const char *const keys[] = {"op", "text", NULL};
	const struct reading_limits limits = {1, (int64_t)ZL_SCENARIO_OPS_MAX};
	struct reading_array_of captions = {
		(void **)&r->s->caption, &r->s->nr_captions, sizeof(*r->s->caption)};
	struct zl_scenario_caption c = {0};
	int64_t op = 0;
	uint32_t index;
	int rc = reading_object(r, j, keys);

	rc = rc != 0 ? rc : reading_number(r, j, "op", &limits, &op);
	rc = rc != 0 ? rc : reading_text(r, j, "text", &c.text);
	if (rc == 0 && (op == 0 || c.text == ZL_NONE)) {
		rc = reading_fail(r, j, "both 'op' and 'text' are needed");
	}
	c.op = (uint64_t)op;
	return rc != 0 ? rc : reading_push(r, captions, &c, &index);
}

static int read_break(struct reading *r, const struct zl_json *j)
{
	static const char *const keys[] = {"op", "when", "before", "text", NULL};
	const struct reading_limits limits = {1, (int64_t)ZL_SCENARIO_OPS_MAX};
	struct reading_array_of breaks = {
		(void **)&r->s->breakpoint, &r->s->nr_breaks, sizeof(*r->s->breakpoint)};
	struct zl_scenario_break b = {.when = ZL_NONE};
	const struct zl_json *when = zl_json_member(j, "when");
	const struct zl_json *before = zl_json_member(j, "before");
	int64_t op = 0;
	uint32_t index;
	int rc = reading_object(r, j, keys);

	rc = rc != 0 ? rc : reading_number(r, j, "op", &limits, &op);
	rc = rc != 0 ? rc : reading_text(r, j, "text", &b.text);
	if (rc == 0 && (op != 0) + (when != NULL) + (before != NULL) != 1) {
		rc = reading_fail(r, j, "one of 'op', 'when' and 'before' is needed");
	}
	b.op = (uint64_t)op;
	b.before = before != NULL;
	when = when != NULL ? when : before;
	if (rc == 0 && when != NULL) {
		rc = check_watch(r, when);
		rc = rc != 0 ? rc : reading_text_of(r, when, &b.when);
	}
	return rc != 0 ? rc : reading_push(r, breaks, &b, &index);
}

static int read_list(struct reading *r, const struct zl_json *root, const char *key,
	int (*read)(struct reading *r, const struct zl_json *j))
{
	const struct zl_json *list = zl_json_member(root, key);
	size_t mark = reading_key(r, key);
	size_t i = 0;
	int rc = list != NULL ? reading_array(r, list) : 0;

	for (const struct zl_json *c = zl_json_first(list); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		size_t inner = reading_index(r, i++);

		rc = read(r, c);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

int reading_marks(struct reading *r, const struct zl_json *root)
{
	int rc = read_list(r, root, "captions", read_caption);

	return rc != 0 ? rc : read_list(r, root, "breakpoints", read_break);
}
