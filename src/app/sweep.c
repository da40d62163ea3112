/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions of sweeps: reading them, and what a point of theirs is. */
#include "sweep.h"

#include <errno.h>
#include <string.h>

#include "estimate_report.h"
#include "scenario_machine.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

static int read_target(struct sweep *s, const struct sweep_spec *spec, struct zl_error *err)
{
	static const struct {
		const char *word;
		enum sweep_target target;
	} words[] = {
		{"geometry", SWEEP_GEOMETRY},
		{"pcp",	SWEEP_PCP	 },
		{"reserve",  SWEEP_RESERVE },
	};

	zl_format(s->target_name, sizeof(s->target_name), "%s", spec->target);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(spec->target, words[i].word) == 0) {
			s->target = words[i].target;
			return 0;
		}
	}
	s->target = SWEEP_SCENARIO;
	int rc = zl_scenario_open(spec->target, s->mem, &s->scenario, err);
	s->has_scenario = rc == 0;
	return rc;
}

/* The parameters, seed and form that all points have. */
static int read_params(struct sweep *s, const struct sweep_spec *spec, struct zl_error *err)
{
	int rc = 0;

	if (!s->has_scenario) {
		if (spec->nr_params > 0 || spec->short_form || spec->timed != NULL) {
			zl_error_set(err, 0, 0,
				"--param, --short and --timed go with a scenario, not with %s",
				s->target_name);
			return -EINVAL;
		}
		return 0;
	}
	rc = scenario_options(NULL, &s->base.settings, &s->scenario, &s->expand, err);
	for (size_t i = 0; rc == 0 && i < spec->nr_params; i++) {
		rc = scenario_parameter(&s->scenario, spec->param[i], err);
	}
	s->expand.short_form = spec->short_form;
	if (rc == 0 && spec->timed != NULL) {
		s->timed = true;
		rc = estimate_time(spec->timed, s->mem, &s->end_ns, err);
	}
	return rc;
}

static const char *unit_of_value(unsigned id)
{
	switch (value_info((enum value_id)id)->kind) {
	case VALUE_KIND_PAGES:
		return "pages";
	case VALUE_KIND_BYTES:
		return "bytes";
	case VALUE_KIND_KIB:
		return "KiB";
	case VALUE_KIND_ORDER:
	case VALUE_KIND_COUNT:
	case VALUE_KIND_BOOL:
	case VALUE_KIND_YES:
		break;
	}
	return "";
}

static int find_figure(const struct sweep_figure *(*figure)(size_t i), const char *name)
{
	for (size_t i = 0; figure(i) != NULL; i++) {
		if (strcmp(figure(i)->name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

static const char *unit_of(const char *metric)
{
	for (size_t i = 0; i < zl_metric_count(); i++) {
		if (strcmp(zl_metric_info(i)->name, metric) == 0) {
			return zl_metric_info(i)->unit;
		}
	}
	return "";
}

static int scenario_metric(struct sweep *s, struct zl_error *err)
{
	int rc;

	s->estimate_metric = find_figure(sweep_estimate_figure, s->metric);
	if (s->estimate_metric >= 0) {
		const struct sweep_figure *f = sweep_estimate_figure((size_t)s->estimate_metric);

		if (s->scenario.zone.all) {
			zl_error_set(err, 0, 0,
				"the scenario runs in all zones, the estimate knows the lock of "
				"one; a metric of the run would be right, for example zone_locks");
			return -EINVAL;
		}
		zl_format(s->unit, sizeof(s->unit), "%s", f->unit);
		return 0;
	}
	if (s->timed) {
		zl_error_set(err, 0, 0,
			"--timed goes with a figure of the estimate, for example "
			"estimate.lock_held_permille; see `zonelab list metrics`");
		return -EINVAL;
	}
	rc = zl_watch_compile(s->metric, s->mem, &s->watch, err);
	s->compiled = rc == 0;
	s->zero_is_never = zl_metric_zero_is_never(s->metric);
	zl_format(s->unit, sizeof(s->unit), "%s", unit_of(s->metric));
	return rc;
}

static int read_metric(struct sweep *s, const struct sweep_spec *spec, struct zl_error *err)
{
	zl_format(s->metric, sizeof(s->metric), "%s", spec->metric);
	s->estimate_metric = -1;
	s->pool_metric = -1;
	if (strlen(spec->metric) >= sizeof(s->metric)) {
		zl_error_set(err, 0, 0, "the metric is too long; at most %u bytes",
			(unsigned)sizeof(s->metric) - 1);
		return -EINVAL;
	}
	if (s->target == SWEEP_SCENARIO) {
		return scenario_metric(s, err);
	}
	if (s->target == SWEEP_RESERVE) {
		s->pool_metric = find_figure(sweep_pool_figure, s->metric);
		if (s->pool_metric >= 0) {
			zl_format(s->unit, sizeof(s->unit), "%s",
				sweep_pool_figure((size_t)s->pool_metric)->unit);
			return 0;
		}
	}
	s->value_id = value_find(s->metric);
	if (s->value_id == VALUE_NONE || s->value_id >= VALUE_COUNT) {
		zl_error_set(err, 0, 0,
			"--metric %s: there is no such value; see `zonelab list %s`", s->metric,
			s->target == SWEEP_RESERVE ? "metrics" : "values");
		return -EINVAL;
	}
	zl_format(s->unit, sizeof(s->unit), "%s", unit_of_value(s->value_id));
	return 0;
}

static int read_axes(struct sweep *s, const struct sweep_spec *spec, struct zl_error *err)
{
	s->points = 1;
	if (spec->nr_vary == 0) {
		zl_error_set(err, 0, 0,
			"nothing varies; --vary KEY=RANGE, for example "
			"--vary pcp_batch_scale_max=0..6");
		return -EINVAL;
	}
	for (size_t i = 0; i < spec->nr_vary; i++) {
		struct sweep_axis *a = &s->axis[i];
		int rc = sweep_axis_read(s, spec->vary[i], a, err);

		if (rc != 0) {
			return rc;
		}
		s->nr_axes++;
		for (size_t k = 0; k < i; k++) {
			if (strcmp(s->axis[k].name, a->name) == 0) {
				zl_error_set(err, 0, 0, "--vary %s: given twice", a->name);
				return -EINVAL;
			}
		}
		if (a->n > SWEEP_POINTS_MAX / s->points) {
			zl_error_set(err, 0, 0, "more than %U points; take larger steps",
				SWEEP_POINTS_MAX);
			return -EINVAL;
		}
		s->points *= a->n;
	}
	return 0;
}

static int read_files(struct sweep *s, const struct sweep_spec *spec, struct zl_error *err)
{
	if (spec->nr_files > sizeof(s->file) / sizeof(s->file[0]) ||
		(spec->nr_files > 0 && s->target != SWEEP_RESERVE)) {
		zl_error_set(err, 0, 0, "%s: only reserve takes files, at most 8", spec->files[0]);
		return -EINVAL;
	}
	for (size_t i = 0; i < spec->nr_files; i++) {
		zl_format(s->file[i], sizeof(s->file[i]), "%s", spec->files[i]);
	}
	s->nr_files = spec->nr_files;
	return 0;
}

int sweep_new(
	struct app *app, const struct sweep_spec *spec, struct sweep **ret, struct zl_error *err)
{
	struct sweep *s = app->alloc->realloc(app->alloc->user, NULL, sizeof(*s));
	int rc;

	if (s == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(s, 0, sizeof(*s));
	s->mem = app->alloc;
	zl_profile_init(&s->base);
	rc = zl_profile_copy(&s->base, &app_lane(app)->profile, s->mem);
	rc = rc != 0 ? rc : read_target(s, spec, err);
	rc = rc != 0 ? rc : read_files(s, spec, err);
	rc = rc != 0 ? rc : read_params(s, spec, err);
	rc = rc != 0 ? rc : read_axes(s, spec, err);
	rc = rc != 0 ? rc : read_metric(s, spec, err);
	if (rc != 0) {
		sweep_free(s);
		return rc;
	}
	*ret = s;
	return 0;
}

void sweep_free(struct sweep *s)
{
	if (s == NULL) {
		return;
	}
	sweep_point_stop(s);
	if (s->compiled) {
		zl_watch_done(&s->watch, s->mem);
	}
	for (size_t i = 0; i < s->nr_axes; i++) {
		sweep_axis_done(&s->axis[i], s->mem);
	}
	zl_json_free(s->read_head);
	zl_scenario_done(&s->scenario);
	zl_profile_done(&s->base, s->mem);
	s->mem->free(s->mem->user, s);
}

size_t sweep_at(const struct sweep *s, uint64_t point, size_t axis)
{
	for (size_t i = s->nr_axes - 1; i > axis; i--) {
		point /= s->axis[i].n;
	}
	return (size_t)(point % s->axis[axis].n);
}

uint64_t sweep_point_of(const struct sweep *s, const size_t *at)
{
	uint64_t point = 0;

	for (size_t i = 0; i < s->nr_axes; i++) {
		point = point * s->axis[i].n + at[i];
	}
	return point;
}

void sweep_point_text(const struct sweep *s, uint64_t point, char *buf, size_t size)
{
	char value[SWEEP_WORD];
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < s->nr_axes; i++) {
		sweep_axis_text(&s->axis[i], sweep_at(s, point, i), false, value, sizeof(value));
		zl_text_fmt(&t, "%s%s=%s", i > 0 ? " " : "", s->axis[i].name, value);
	}
}

const char *sweep_state_name(enum sweep_state st)
{
	static const char *const names[] = {"open", "value", "never", "none", "refused", "fault"};

	return names[st];
}

static void define_axes(const struct sweep *s, struct zl_json *list)
{
	for (size_t i = 0; i < s->nr_axes; i++) {
		const struct sweep_axis *a = &s->axis[i];
		struct zl_json *o = zl_json_push_object(list);
		struct zl_json *values;

		zl_json_add_string(o, "key", a->name);
		values = zl_json_add_array(o, "values");
		for (size_t k = 0; k < a->n; k++) {
			if (a->word != NULL) {
				zl_json_push_string(values, a->word[k]);
			} else {
				zl_json_push_int(values, a->number[k]);
			}
		}
	}
}

/* FNV-1a, to tell one scenario from another. */
static uint64_t fingerprint(const struct zl_buf *b)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < b->len; i++) {
		h = (h ^ (unsigned char)b->data[i]) * UINT64_C(0x100000001b3);
	}
	return h;
}

struct zl_json *sweep_definition(const struct sweep *s)
{
	if (s->read_head != NULL) {
		return zl_json_copy(s->read_head);
	}
	struct zl_json *o = zl_json_object();
	struct zl_json *list;
	char text[ZL_CMDLINE_TEXT];

	zl_json_add_string(o, "target", s->target_name);
	zl_json_add_string(o, "metric", s->metric);
	zl_json_add_string(o, "unit", s->unit);
	if (s->timed) {
		zl_json_add_int(o, "timed_ns", s->end_ns);
	}
	list = zl_json_add_object(o, "settings");
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &s->base.settings.value[i];

		if (v->given && v->origin >= ZL_ORIGIN_FILE) {
			zl_setting_format(
				&s->base.settings, (enum zl_setting)i, text, sizeof(text));
			zl_json_add_string(list, zl_setting_info((enum zl_setting)i)->key, text);
		}
	}
	if (s->base.policies.count > 0) {
		list = zl_json_add_object(o, "policies");
		for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
			const char *rule = s->base.policies.policy[i].text;

			if (rule != NULL) {
				zl_json_add_string(
					list, zl_point_info((enum zl_point)i)->name, rule);
			}
		}
	}
	if (s->has_scenario) {
		struct zl_buf file = {0};

		zl_scenario_write(&s->scenario, &file);
		zl_format(text, sizeof(text), "%x", fingerprint(&file));
		zl_buf_done(&file);
		zl_json_add_string(o, "scenario", text);
		zl_format(text, sizeof(text), "%U",
			s->expand.seeded ? s->expand.seed : s->scenario.seed);
		zl_json_add_string(o, "seed", text);
		zl_json_add_bool(o, "short", s->expand.short_form);
		list = zl_json_add_object(o, "parameters");
		for (uint32_t i = 0; i < s->scenario.nr_names; i++) {
			const struct zl_scenario_name *n = &s->scenario.names[i];

			if (n->parameter) {
				zl_json_add_int(list, n->name,
					s->expand.short_form && n->short_given ? n->short_value
									       : n->value);
			}
		}
	}
	define_axes(s, zl_json_add_array(o, "vary"));
	return o;
}
