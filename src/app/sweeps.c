/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweeps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "learn.h"
#include "run_source.h"
#include "scenario_machine.h"
#include "sweeps_limits.h"
#include "zonelab/text.h"

#define SLICE_OPS  20000
#define SLICE_NONE 8 /* points of a machine alone in a slice */
#define SHADES	   4

/* ---- where the present settings lie ---- */

/* Limits of the zone that the scenario runs in, else of the machine's. */
static bool limit_now(const struct scenario_machine *m, enum zl_setting key, int64_t *ret)
{
	const struct zl_pcp_limits *l = &m->machine.zones[m->zone].limits;
	struct zl_pageset_view v = {.batch = (int32_t)l->batch,
		.high_min = (int32_t)l->high_min,
		.high_max = (int32_t)l->high_max};
	struct zl_sim *sim = NULL;

	if (m->config.pages > 0 && zl_sim_new(&m->config, m->mem, &sim, NULL) == 0) {
		zl_sim_pageset(sim, 0, &v);
		v.high_min = v.tuned ? v.high_min : v.high;
		zl_sim_free(sim);
	}
	*ret = key == ZL_SET_BATCH ? v.batch : key == ZL_SET_HIGH_MIN ? v.high_min : v.high_max;
	return true;
}

/* The number in force behind a setting. */
static bool number_now(const struct scenario_machine *m, enum zl_setting key, int64_t *ret)
{
	const struct value_in in = {
		.profile = &m->profile, .machine = &m->machine, .zone = m->zone};

	if (key == ZL_SET_HIGH_MIN || key == ZL_SET_HIGH_MAX || key == ZL_SET_BATCH) {
		return limit_now(m, key, ret);
	}
	return setting_number(&in, key, ret);
}

static size_t nearest_number(const struct sweep_axis *a, int64_t v, bool *ret_exact)
{
	size_t best = 0;

	for (size_t i = 1; i < a->n; i++) {
		if (llabs(a->number[i] - v) < llabs(a->number[best] - v)) {
			best = i;
		}
	}
	*ret_exact = a->number[best] == v;
	return best;
}

static size_t same_word(const struct sweep_axis *a, const struct scenario_machine *m)
{
	char text[ZL_CMDLINE_TEXT];

	zl_machine_setting(&m->profile, &m->machine, a->setting, text, sizeof(text));
	for (size_t i = 0; i < a->n; i++) {
		struct zl_release one, other;

		if (strcmp(a->word[i], text) == 0 ||
			(a->setting == ZL_SET_KERNEL && zl_release_parse(a->word[i], &one) == 0 &&
				zl_release_parse(text, &other) == 0 &&
				zl_release_compare(&one, &other) == 0)) {
			return i;
		}
	}
	return SWEEPS_NONE;
}

static size_t find_present(
	const struct sweeps *s, size_t axis, const struct scenario_machine *m, bool *ret_exact)
{
	const struct sweep_axis *a = &s->sweep->axis[axis];
	int64_t v = 0;

	*ret_exact = false;
	if (axis >= s->sweep->nr_axes) {
		return SWEEPS_NONE;
	}
	if (a->kind == SWEEP_PARAM) {
		return nearest_number(a, s->sweep->scenario.names[a->param].value, ret_exact);
	}
	if (a->word != NULL) {
		size_t i = same_word(a, m);

		*ret_exact = i != SWEEPS_NONE;
		return i;
	}
	return number_now(m, a->setting, &v) ? nearest_number(a, v, ret_exact) : SWEEPS_NONE;
}

/* The machine of the sweep without its axes; NULL when it cannot be. Returns 0 or -ENOMEM. */
static int machine_now(const struct sweeps *s, struct scenario_machine **ret)
{
	const struct sweep *w = s->sweep;
	struct scenario_machine *m = NULL;

	*ret = NULL;
	if (w->has_scenario) {
		int rc = scenario_machine_new(&w->base, &w->scenario, w->mem, ret, NULL);

		*ret = rc == 0 ? *ret : NULL;
		return rc == -ENOMEM ? rc : 0;
	}
	m = w->mem->realloc(w->mem->user, NULL, sizeof(*m));
	if (m == NULL) {
		return -ENOMEM;
	}
	memset(m, 0, sizeof(*m));
	m->mem = w->mem;
	zl_profile_init(&m->profile);
	if (zl_profile_copy(&m->profile, &w->base, w->mem) < 0) {
		scenario_machine_free(m);
		return -ENOMEM;
	}
	zl_machine_resolve(&m->profile, &m->machine, NULL);
	m->zone = m->machine.main_zone;
	*ret = m;
	return 0;
}

static int place_cursor(struct sweeps *s, struct zl_error *err)
{
	struct scenario_machine *m = NULL;

	if (machine_now(s, &m) < 0) {
		zl_error_set(err, 0, 0, "no memory for a sweep");
		return -ENOMEM;
	}
	for (size_t i = 0; i < 2; i++) {
		s->present[i] = m != NULL ? find_present(s, i, m, &s->exact[i]) : SWEEPS_NONE;
		s->at[i] = s->present[i] != SWEEPS_NONE ? s->present[i] : 0;
	}
	scenario_machine_free(s->machine);
	s->machine = m;
	return 0;
}

/* ---- opening ---- */

/* The command line that makes the same sweep. */
static void write_line(const struct sweep_spec *spec, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_fmt(&t, "sweep %s", spec->target);
	for (size_t i = 0; i < spec->nr_vary; i++) {
		zl_text_fmt(&t, " --vary %s", spec->vary[i]);
	}
	for (size_t i = 0; i < spec->nr_params; i++) {
		zl_text_fmt(&t, " --param %s", spec->param[i]);
	}
	if (spec->timed != NULL) {
		zl_text_fmt(&t, " --timed %s", spec->timed);
	}
	zl_text_fmt(&t, "%s --metric \"%s\"", spec->short_form ? " --short" : "", spec->metric);
}

void sweeps_free(struct app *app)
{
	struct sweeps *s = app->sweeps;

	if (s == NULL) {
		return;
	}
	app->sweeps = NULL;
	sweep_part_done(&s->part, app->alloc);
	scenario_machine_free(s->machine);
	sweep_free(s->sweep);
	app->alloc->free(app->alloc->user, s);
}

int sweeps_open(struct app *app, const struct sweep_spec *spec, struct zl_error *err)
{
	struct sweeps *s = app->alloc->realloc(app->alloc->user, NULL, sizeof(*s));
	int rc;

	if (s == NULL) {
		zl_error_set(err, 0, 0, "no memory for a sweep");
		return -ENOMEM;
	}
	memset(s, 0, sizeof(*s));
	rc = sweep_new(app, spec, &s->sweep, err);
	if (rc == 0 && (s->sweep->points > SWEEPS_POINTS_MAX || s->sweep->nr_axes > 2)) {
		zl_error_set(err, 0, 0,
			"the screen shows one or two axes and up to %d points; zonelab sweep on "
			"the command line takes more",
			SWEEPS_POINTS_MAX);
		rc = -EINVAL;
	}
	rc = rc != 0 ? rc : place_cursor(s, err);
	rc = rc != 0 ? rc : sweep_part_new(s->sweep, &s->part, err);
	if (rc == 0 && sweeps_find_limits(s) != 0) {
		zl_error_set(err, 0, 0, "no memory for a sweep");
		sweep_part_done(&s->part, s->sweep->mem);
		rc = -ENOMEM;
	}
	if (rc != 0) {
		scenario_machine_free(s->machine);
		sweep_free(s->sweep);
		app->alloc->free(app->alloc->user, s);
		return rc;
	}
	write_line(spec, s->line, sizeof(s->line));
	sweeps_free(app);
	app->sweeps = s;
	return 0;
}

void sweeps_title(const struct sweeps *s, char *buf, size_t size)
{
	run_title(s->sweep->scenario.name, &s->machine->config, buf, size);
}

int sweeps_open_default(struct app *app, struct zl_error *err)
{
	const struct sweep_spec spec = {
		.target = "iperf",
		.vary = {"cpus=1,2,4,6,8,12,16,24,32,48,64,96", "pcp_batch_scale_max=0..6"},
		.nr_vary = 2,
		.metric = "first_free_high"
	   };

	return sweeps_open(app, &spec, err);
}

/* ---- computing ---- */

bool sweeps_busy(const struct app *app)
{
	const struct sweeps *s = app->sweeps;

	return s != NULL && !s->stopped && s->next < s->sweep->points && !learn_pending(app);
}

void sweeps_forget(struct app *app)
{
	struct sweeps *s = app->sweeps;

	if (s == NULL || app->screen != SCREEN_SWEEP) {
		sweeps_free(app);
		return;
	}
	for (uint64_t i = 0; i < s->sweep->points; i++) {
		s->part.value[i] = (struct sweep_value){.state = SWEEP_OPEN};
	}
	sweep_point_stop(s->sweep);
	s->next = s->part.have = 0;
}

bool sweeps_tick(struct app *app)
{
	struct sweeps *s = app->sweeps;
	bool came = false;

	for (unsigned i = 0; i < SLICE_NONE && sweeps_busy(app); i++) {
		struct sweep_value *v = &s->part.value[s->next];

		if (!sweep_point_some(s->sweep, s->next, SLICE_OPS, v)) {
			v->state = SWEEP_OPEN;
			return came;
		}
		if (v->state == SWEEP_FAULT) {
			app_say(app, VALUE_NONE, "Error: no memory for a point of this sweep");
		}
		s->next++;
		s->part.have++;
		came = true;
		if (s->sweep->target == SWEEP_SCENARIO || s->sweep->target == SWEEP_RESERVE) {
			break;
		}
	}
	return came;
}

void sweeps_finish(struct app *app)
{
	while (sweeps_busy(app)) {
		(void)sweeps_tick(app);
	}
}

void sweeps_stop(struct app *app)
{
	if (sweeps_busy(app)) {
		app->sweeps->stopped = true;
		app_say(app, VALUE_POSITION, "Stopped at point %U of %U · e starts it again",
			app->sweeps->next, app->sweeps->sweep->points);
	}
}

/* ---- moving ---- */

uint64_t sweeps_point(const struct sweeps *s)
{
	return sweep_point_of(s->sweep, s->at);
}

const struct sweep_value *sweeps_value(const struct sweeps *s, size_t x, size_t y)
{
	const size_t at[2] = {x, y};

	return &s->part.value[sweep_point_of(s->sweep, at)];
}

bool sweeps_move(struct app *app, const char *direction)
{
	static const struct {
		const char *word;
		size_t axis;
		int by; /* 0 = to an end */
	} moves[] = {
		{"left",	 0, -1 },
		{"right",	  0, 1  },
		{"up",	       1, 1  },
		{"down",	 1, -1 },
		{"page-up",   0, 10 },
		{"page-down", 0, -10},
	};
	struct sweeps *s = app->sweeps;

	if (s == NULL) {
		return false;
	}
	if (strcmp(direction, "first") == 0 || strcmp(direction, "last") == 0) {
		s->at[0] = direction[0] == 'f' ? 0 : s->sweep->axis[0].n - 1;
		return true;
	}
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		size_t axis = moves[i].axis;

		if (strcmp(moves[i].word, direction) == 0 && axis < s->sweep->nr_axes) {
			int64_t to = (int64_t)s->at[axis] + moves[i].by;
			int64_t last = (int64_t)s->sweep->axis[axis].n - 1;

			s->at[axis] = (size_t)(to < 0 ? 0 : to > last ? last : to);
			return true;
		}
	}
	return false;
}

static int64_t step_at(const struct sweeps *s, size_t x)
{
	const struct sweep_value *a = sweeps_value(s, x - 1, s->at[1]);
	const struct sweep_value *b = sweeps_value(s, x, s->at[1]);

	if (a->state != b->state) {
		return INT64_MAX;
	}
	return a->state == SWEEP_VALUE ? llabs(b->value - a->value) : 0;
}

/* Twice the usual step, and not a slope. */
static int64_t usual_step(const struct sweeps *s)
{
	size_t n = s->sweep->axis[0].n;
	int64_t sum = 0, seen = 0;

	for (size_t x = 1; x < n; x++) {
		int64_t d = step_at(s, x);

		sum += d != INT64_MAX ? d : 0;
		seen += d != INT64_MAX;
	}
	return seen > 0 ? 2 * sum / seen + 1 : 0;
}

void sweeps_next(struct app *app, int direction)
{
	struct sweeps *s = app->sweeps;
	int64_t least = s != NULL ? usual_step(s) : 0;

	for (size_t x = s != NULL ? s->at[0] : 0; s != NULL;) {
		if (direction > 0 ? x + 1 >= s->sweep->axis[0].n : x == 0) {
			break;
		}
		x = direction > 0 ? x + 1 : x - 1;
		if (x > 0 && step_at(s, x) > least) {
			s->at[0] = x;
			return;
		}
	}
	app_say(app, VALUE_NONE, "No jump %s", direction > 0 ? "further on" : "before this point");
}

unsigned sweeps_focused_id(const struct app *app)
{
	const struct sweep *w = app->sweeps != NULL ? app->sweeps->sweep : NULL;

	if (w == NULL) {
		return VALUE_NONE;
	}
	if (w->value_id != VALUE_NONE) {
		return w->value_id;
	}
	return w->axis[0].kind == SWEEP_SETTING ? VALUE_SETTING_BASE + w->axis[0].setting
						: VALUE_NONE;
}

/* ---- opening a point ---- */

int sweeps_open_lane(struct app *app, struct zl_error *err)
{
	struct sweeps *s = app->sweeps;
	unsigned lane = lanes_free(app);
	char items[APP_LANE_ITEMS];
	int rc;

	if (s == NULL || s->sweep->target == SWEEP_RESERVE) {
		zl_error_set(err, 0, 0, "these points are no lanes");
		return -EINVAL;
	}
	for (size_t i = 0; i < s->sweep->nr_axes; i++) {
		if (s->sweep->axis[i].kind == SWEEP_PARAM) {
			zl_error_set(err, 0, 0, "%s is the scenario's; a lane differs in settings",
				s->sweep->axis[i].name);
			return -EINVAL;
		}
	}
	if (lane == APP_LANES) {
		zl_error_set(err, 0, 0, "all four lanes are in use; close one with :lane close");
		return -EINVAL;
	}
	sweep_point_text(s->sweep, sweeps_point(s), items, sizeof(items));
	for (char *c = items; *c != '\0'; c++) {
		*c = *c == ' ' ? ',' : *c;
	}
	rc = lane_open(app, lane, 0, items, err);
	if (rc == 0) {
		app_say(app, VALUE_LITERAL, "Lane %c is %s · %c shows it, 3 its run",
			(char)('A' + lane), items, (char)('A' + lane));
	}
	return rc;
}

/* ---- words ---- */

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

unsigned sweeps_shades(const struct sweeps *s, int64_t *ret_from, int64_t *ret_to)
{
	const struct zl_allocator *mem = s->sweep->mem;
	int64_t *v = mem->realloc(mem->user, NULL, (s->sweep->points + 1) * sizeof(*v));
	size_t n = 0, different = 0;
	unsigned used;

	if (v == NULL) {
		return 0;
	}
	for (uint64_t i = 0; i < s->sweep->points; i++) {
		if (s->part.value[i].state == SWEEP_VALUE) {
			v[n++] = s->part.value[i].value;
		}
	}
	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 0; i < n; i++) {
		if (different == 0 || v[i] != v[different - 1]) {
			v[different++] = v[i];
		}
	}
	used = different < SHADES ? (unsigned)different : SHADES;
	for (unsigned i = 0; i < used; i++) {
		ret_from[i] = v[different * i / used];
		ret_to[i] = v[different * (i + 1) / used - 1];
	}
	mem->free(mem->user, v);
	return used;
}

void sweeps_counts(const struct sweeps *s, char *buf, size_t size)
{
	uint64_t count[SWEEP_FAULT + 1] = {0};
	struct zl_text t;

	for (uint64_t i = 0; i < s->sweep->points; i++) {
		count[s->part.value[i].state]++;
	}
	zl_text_init(&t, buf, size);
	zl_text_fmt(&t, "%N of %N points", s->part.have, s->sweep->points);
	if (count[SWEEP_NEVER] > 0) {
		zl_text_fmt(&t, " · %N never", count[SWEEP_NEVER]);
	}
	if (count[SWEEP_NONE] > 0) {
		zl_text_fmt(&t, " · %N without a value", count[SWEEP_NONE]);
	}
	if (count[SWEEP_REFUSED] > 0) {
		zl_text_fmt(&t, " · %N cannot be built or run", count[SWEEP_REFUSED]);
	}
	if (s->sweep->has_scenario) {
		zl_text_fmt(&t, " · seed %U",
			s->sweep->expand.seeded ? s->sweep->expand.seed : s->sweep->scenario.seed);
	}
}

void sweeps_words(const struct sweeps *s, char *buf, size_t size)
{
	char value[SWEEP_WORD];
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < s->sweep->nr_axes; i++) {
		sweep_axis_text(&s->sweep->axis[i], s->at[i], false, value, sizeof(value));
		zl_text_fmt(&t, "%s%s %s", i > 0 ? ", " : "", s->sweep->axis[i].name, value);
	}
}
