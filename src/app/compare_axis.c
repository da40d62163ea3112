/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_axis.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "compare_report.h"
#include "kernel_axis.h"
#include "run_report.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT 2

/* What one release gave, beside the one before. */
struct step {
	struct zl_run_result result;
	struct zl_pageset_view limits;
	uint64_t differ, first; /* ops that differ from the step before, and the first of them */
	char why[COMPARE_WHY];
};

struct axis_run {
	const struct compare_lanes *l;
	struct axis axis;
	struct step step[AXIS_STEPS];
	struct zl_profile profile[COMPARE_LANES];
	char machine[256];
	bool stopped; /* by the user: the axis ends where it was complete */
};

static int profile_at(struct axis_run *r, unsigned k, const char *release, struct zl_error *err)
{
	const struct zl_allocator *mem = r->l->app->alloc;
	int rc = zl_profile_copy(&r->profile[k], &r->l->profile[0], mem);

	if (rc != 0) {
		zl_error_set(err, 0, 0, "no memory for a lane");
		return rc;
	}
	return zl_settings_set(
		&r->profile[k].settings, ZL_SET_KERNEL, release, ZL_ORIGIN_LANE, err);
}

static void take(struct axis_run *r, const struct comparison *c, unsigned first)
{
	for (unsigned k = 0; k < c->nr_lanes; k++) {
		struct step *s = &r->step[first + k];

		comparison_result(c, k, &s->result);
		s->limits = c->lane[k].limits;
		compare_machine(&c->lane[k], r->machine, sizeof(r->machine));
		if (k == 0) { /* compared with the one before in the run before */
			continue;
		}
		s->differ = c->pair[k - 1][k].ops;
		s->first = c->pair[k - 1][k].first;
		for (unsigned i = 0; i < c->nr_first; i++) {
			const struct compare_first *f = &c->first[i];

			if (s->why[0] == '\0' && f->op == s->first) {
				comparison_why(c, (struct compare_seen){k - 1, &f->record[k - 1]},
					(struct compare_seen){k, &f->record[k]}, s->why,
					sizeof(s->why));
			}
		}
	}
}

/* Up to four neighbouring steps in one run; the last is the first of the next. */
static int run_steps(struct axis_run *r, unsigned first, unsigned n, struct zl_error *err)
{
	struct compare_what what = {.nr_lanes = n};
	struct comparison *c = NULL;
	unsigned made = 0;
	int rc = 0;

	for (; made < n && rc == 0; made++) {
		rc = profile_at(r, made, r->axis.step[first + made].release, err);
		what.name[made] = r->axis.step[first + made].release;
		what.profile[made] = &r->profile[made];
	}
	what.expand.seeded = r->l->workload.ops == NULL;
	what.expand.seed = r->l->first_seed;
	rc = rc != 0 ? rc : compare_profiles_run(r->l, &what, first, &c, err);
	if (rc == 0) {
		if (c->complete) {
			take(r, c, first);
		} else {
			r->stopped = true;
			r->axis.nr_steps = first > 0 ? first + 1 : 0;
		}
		comparison_free(c);
	}
	for (unsigned k = 0; k < made; k++) {
		zl_profile_done(&r->profile[k], r->l->app->alloc);
	}
	return rc;
}

static void changes(const struct axis_step *s, struct zl_text *t)
{
	for (unsigned i = 0; i < s->nr_changes; i++) {
		const struct axis_change *c = &s->change[i];

		zl_text_fmt(t, "%s%s: %s", i > 0 ? "; " : "", c->behaviour, c->value);
		if (c->commit[0] != '\0') {
			zl_text_fmt(t, " (%s)", c->commit);
		}
	}
}

static void print_table(const struct axis_run *r, struct output *out)
{
	static const struct column columns[] = {
		{"kernel",		   "kernel",		     false},
		{"design",		   "design",		     false},
		{"threshold",	      "threshold",	   true },
		{"free_high",	      "free_high",	   true },
		{"refills",	    "refills",	       true },
		{"pages_drained",	  "pages_|drained",	    true },
		{"zone_locks",	       "zone_|locks",	      true },
		{"longest_hold_pages", "longest_|hold_pages", true },
		{"ops_differ",	       "ops that|differ",	  true },
		{"first_differ",	 "first",		  true },
	};
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	table_drop(&t, "pages_drained", 2);
	table_drop(&t, "refills", 1);
	for (unsigned i = 0; i < r->axis.nr_steps; i++) {
		const struct step *s = &r->step[i];

		table_text(&t, r->axis.step[i].release);
		table_text(&t, zl_design_name(s->result.design));
		if (s->limits.threshold_exists) {
			table_number(&t, (uint64_t)s->limits.threshold);
		} else {
			table_none(&t);
		}
		table_number(&t, s->result.totals.free_high);
		table_number(&t, s->result.totals.refills);
		table_number(&t, s->result.totals.pages_drained);
		table_number(&t, s->result.totals.zone_locks);
		table_number(&t, s->result.totals.longest_hold_pages);
		table_number(&t, s->differ);
		if (s->differ > 0) {
			table_number(&t, s->first);
		} else {
			table_none(&t);
		}
	}
	table_print(&t);
}

static void print_changes(const struct axis_run *r, struct output *out)
{
	for (unsigned i = 1; i < r->axis.nr_steps; i++) {
		const struct step *s = &r->step[i];
		char buf[1024];
		struct zl_text t;

		zl_text_init(&t, buf, sizeof(buf));
		zl_text_fmt(&t, "%s, ", r->axis.step[i].release);
		changes(&r->axis.step[i], &t);
		output_wrap(out, INDENT, buf);
		if (s->differ == 0) {
			zl_buf_str(&out->text, "  changes nothing here\n");
		} else {
			zl_buf_fmt(&out->text, "  op %N:", s->first);
			output_wrap(out, INDENT, s->why);
		}
	}
}

static void print_json(const struct axis_run *r, struct output *out)
{
	struct zl_json *o = output_json(out, "compare");
	struct zl_json *list;

	zl_json_add_string(o, "scenario", r->l->name);
	zl_json_add_string(o, "seed", r->l->seed);
	zl_json_add_string(o, "axis", "kernel");
	zl_json_add_bool(o, "complete", !r->stopped);
	list = zl_json_add_array(o, "steps");
	for (unsigned i = 0; i < r->axis.nr_steps; i++) {
		const struct step *s = &r->step[i];
		const struct axis_step *at = &r->axis.step[i];
		struct zl_json *j = zl_json_push_object(list);
		struct run_report report = {.name = r->l->name,
			.kernel = at->release,
			.seed = r->l->seed,
			.result = s->result};
		struct zl_json *made = zl_json_add_array(j, "changes");

		for (unsigned k = 0; k < at->nr_changes; k++) {
			struct zl_json *c = zl_json_push_object(made);

			zl_json_add_string(c, "behaviour", at->change[k].behaviour);
			zl_json_add_string(c, "value", at->change[k].value);
			zl_json_add_string(c, "commit",
				at->change[k].commit[0] != '\0' ? at->change[k].commit : NULL);
			zl_json_add_string(c, "evidence", at->change[k].evidence);
		}
		run_report_members(&report, j);
		zl_json_add_u64(j, "ops_differ", s->differ);
		if (s->differ > 0) {
			zl_json_add_u64(j, "first_divergence", s->first);
			zl_json_add_string(j, "why", s->why);
		} else {
			zl_json_add_null(j, "first_divergence");
		}
	}
}

static void print_text(const struct axis_run *r, struct output *out)
{
	struct zl_buf command = {0};
	struct zl_buf common = {0};
	char text[LANE_TEXT];

	if (out->format == FORMAT_MAIL && r->l->question[0] != '\0') {
		output_wrap(out, 0, r->l->question);
		zl_buf_chr(&out->text, '\n');
	}
	zl_format(text, sizeof(text), "%s along the kernel axis: %N ops, seed %s", r->l->name,
		r->step[0].result.ops, r->l->seed);
	output_wrap(out, 0, text);
	if (r->stopped) {
		zl_buf_str(&out->text, "Stopped: the later releases were not run.\n");
	}
	zl_buf_fmt(&out->text, "Machine: ");
	output_wrap(out, INDENT, r->machine);
	compare_common(r->l->app, &common);
	lane_format(&r->l->spec[0], text, sizeof(text));
	zl_buf_fmt(&out->text, "Lane:");
	output_wrap(out, INDENT, text);
	if (common.len > 0) {
		zl_buf_str(&out->text, "Besides:");
		output_wrap(out, INDENT, zl_buf_text(&common));
	}
	zl_buf_chr(&out->text, '\n');
	print_table(r, out);
	zl_buf_chr(&out->text, '\n');
	print_changes(r, out);
	compare_command(r->l->app, r->l->args, &command);
	compare_mail_end(zl_buf_text(&command), out);
	out->text.failed = out->text.failed || command.failed || common.failed;
	zl_buf_done(&command);
	zl_buf_done(&common);
}

static void print(const struct axis_run *r, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		print_json(r, out);
	} else if (out->format == FORMAT_CSV) {
		print_table(r, out);
	} else {
		print_text(r, out);
	}
}

enum exit_status compare_axis(const struct compare_lanes *l, struct output *out)
{
	const struct zl_allocator *mem = l->app->alloc;
	struct axis_run *r = mem->realloc(mem->user, NULL, sizeof(*r));
	int rc = r != NULL ? 0 : -ENOMEM;

	if (r != NULL) {
		memset(r, 0, sizeof(*r));
		r->l = l;
		axis_fill(&r->axis);
	}
	for (unsigned first = 0; rc == 0 && first + 1 < r->axis.nr_steps;
		first += COMPARE_LANES - 1) {
		unsigned left = r->axis.nr_steps - first;

		rc = run_steps(r, first, left < COMPARE_LANES ? left : COMPARE_LANES, &out->error);
	}
	bool stopped = r != NULL && r->stopped;
	if (rc == 0) {
		print(r, out);
	}
	mem->free(mem->user, r);
	return rc == 0		? stopped ? EXIT_INTERRUPTED : EXIT_YES
	       : rc == -ENOEXEC ? EXIT_NO
				: run_failed(rc, out);
}
