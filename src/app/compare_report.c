/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `compare` as text, mail and CSV. */
#include "compare_report.h"

#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT 2

size_t compare_machine(const struct compare_lane *l, char *buf, size_t size)
{
	const struct zl_sim_config *c = &l->config;
	char arch[ZL_SETTING_TEXT];

	if (l->machine == NULL) {
		return zl_format(buf, size, "a zone of %N pages of %Z, %u CPU%s", c->pages,
			UINT64_C(1) << c->page_shift, c->cpus, c->cpus == 1 ? "" : "s");
	}
	const struct zl_machine *m = &l->machine->machine;
	const struct zl_zone *z = &m->zones[l->machine->zone];

	zl_machine_setting(&l->machine->profile, m, ZL_SET_ARCH, arch, sizeof(arch));
	return zl_format(buf, size, "%s, %Z pages, %Z, %u node%s, %u CPU%s; node %u %s", arch,
		m->geometry.page_size, m->memory, m->nodes, m->nodes == 1 ? "" : "s", m->cpus,
		m->cpus == 1 ? "" : "s", z->node, z->name);
}

bool compare_reachable(const struct compare_lane *l, char why[COMPARE_REASON])
{
	const struct zl_pageset_view *v = &l->limits;
	struct zl_pcp_limits limits = {.batch = (unsigned)v->batch,
		.high_min = (uint64_t)(v->tuned ? v->high_min : v->high),
		.high_max = (uint64_t)(v->tuned ? v->high_max : v->high)};
	struct zl_free_high f;
	const struct zl_free_high_in in = {&l->config.switches, &limits, l->config.scale_max,
		v->free_high_batch, l->config.policies};

	zl_free_high_under(&in, &f);
	why[0] = '\0';
	if (!f.exists) {
		zl_format(why, COMPARE_REASON, "design %s has no free_high",
			zl_design_name(l->config.switches.design));
	} else if (!zl_free_high_can_fire(&f) && f.by_policy &&
		   (f.no_threshold || !f.has_ceiling)) {
		zl_format(why, COMPARE_REASON, "free_high by policy never fires");
	} else if (!zl_free_high_can_fire(&f) && f.has_ceiling) {
		zl_format(why, COMPARE_REASON,
			"free_high never fires: threshold %N, the counter stops at %N", f.threshold,
			f.ceiling);
	} else if (!zl_free_high_can_fire(&f)) {
		zl_format(why, COMPARE_REASON, "free_high never fires: high %N, batch %u",
			limits.high_min, limits.batch);
	}
	return why[0] == '\0';
}

/* ---- lanes ---- */

/* "B", or "B, another-one" where the letter stands for a long name. */
static size_t full_name(const struct compare_answer *a, unsigned i, char *buf, size_t size)
{
	const char *column = compare_column_name(a, i);
	const char *name = a->c->lane[i].name;

	return strcmp(column, name) == 0 ? zl_format(buf, size, "%s", name)
					 : zl_format(buf, size, "%s, %s", column, name);
}

/* Items of a lane without its name. */
static void lane_items(const struct compare_answer *a, unsigned i, char *buf, size_t size)
{
	size_t name = strlen(a->spec[i].name) + 1;
	size_t len = lane_format(&a->spec[i], buf, size);

	memmove(buf, buf + name, len + 1 - name);
}

static void print_lanes(const struct compare_answer *a, struct output *out)
{
	static const struct column columns[] = {
		{"lane",	 "",	     false},
		{"kernel",	   "kernel",    false},
		{"design",	   "design",    false},
		{"batch",	  "batch",	   true },
		{"high_min",  "high_min",	 true },
		{"high_max",  "high_max",	 true },
		{"threshold", "threshold", true },
		{"ceiling",   "ceiling",   true },
		{"free_high", "free_high", true },
	};
	char why[COMPARE_REASON];
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	table_drop(&t, "high_max", 2);
	table_drop(&t, "batch", 1);
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		const struct compare_lane *l = &a->c->lane[i];
		const struct zl_pageset_view *v = &l->limits;

		table_text(&t, l->name);
		table_text(&t, l->kernel);
		table_text(&t, zl_design_name(l->config.switches.design));
		table_number(&t, (uint64_t)v->batch);
		table_number(&t, (uint64_t)(v->tuned ? v->high_min : v->high));
		table_number(&t, (uint64_t)(v->tuned ? v->high_max : v->high));
		if (v->threshold_exists) {
			table_number(&t, (uint64_t)v->threshold);
		} else if (v->by_policy) {
			table_text(&t, "policy");
		} else {
			table_none(&t);
		}
		if (v->tuned && v->ceiling > 0) {
			table_number(&t, (uint64_t)v->ceiling);
		} else {
			table_none(&t);
		}
		table_text(&t, compare_reachable(l, why) ? "reachable"
			       : v->threshold_exists	 ? "never"
							 : "none");
	}
	table_print(&t);
}

/* Machines once if they are the same; what each lane was given. */
static void print_machines(const struct compare_answer *a, struct output *out)
{
	char first[256];
	char text[LANE_TEXT];
	char name[LANE_NAME + 4];
	bool same = true;

	compare_machine(&a->c->lane[0], first, sizeof(first));
	for (unsigned i = 1; i < a->c->nr_lanes; i++) {
		compare_machine(&a->c->lane[i], text, sizeof(text));
		same = same && strcmp(first, text) == 0;
	}
	for (unsigned i = 0; i < (same ? 1 : a->c->nr_lanes); i++) {
		compare_machine(&a->c->lane[i], text, sizeof(text));
		zl_buf_fmt(&out->text, "%s%sachine:", same ? "" : a->c->lane[i].name,
			same ? "M" : ": m");
		output_wrap(out, INDENT, text);
	}
	if (a->common[0] != '\0') {
		zl_buf_str(&out->text, "All lanes:");
		output_wrap(out, INDENT, a->common);
	}
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		lane_items(a, i, text, sizeof(text));
		full_name(a, i, name, sizeof(name));
		zl_buf_fmt(&out->text, "%s:", name);
		output_wrap(out, INDENT, text[0] != '\0' ? text : "as it is");
	}
}

static void print_warnings(const struct compare_answer *a, struct output *out)
{
	char text[512];
	char why[COMPARE_REASON];

	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		const struct compare_lane *l = &a->c->lane[i];

		if (!compare_reachable(l, why)) {
			zl_buf_fmt(
				&out->text, "%s:", l->limits.threshold_exists ? "warning" : "note");
			zl_format(text, sizeof(text), "%s: %s", l->name, why);
			output_wrap(out, INDENT, text);
		}
		if (l->refused > 0) {
			zl_buf_str(&out->text, "warning:");
			zl_format(text, sizeof(text),
				"%s: %N ops are left out, the first is op %N: %s", l->name,
				l->refused, l->first_refused, l->refused_why);
			output_wrap(out, INDENT, text);
		}
	}
}

static bool has_diag(const struct compare_lane *l, const struct zl_diag *d)
{
	for (size_t i = 0; i < l->diags.count; i++) {
		if (strcmp(l->diags.item[i].text, d->text) == 0) {
			return true;
		}
	}
	return false;
}

/* A finding with the lanes that have it, unless all do; once, with the first of them. */
static void print_diag(
	const struct compare_answer *a, unsigned first, const struct zl_diag *d, struct output *out)
{
	const struct comparison *c = a->c;
	struct zl_text t;
	char text[640];
	unsigned n = 0;

	zl_text_init(&t, text, sizeof(text));
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		if (has_diag(&c->lane[i], d)) {
			if (i < first) {
				return;
			}
			zl_text_fmt(&t, "%s%s", n++ > 0 ? ", " : "", c->lane[i].name);
		}
	}
	if (n == c->nr_lanes) {
		zl_text_init(&t, text, sizeof(text));
	}
	zl_text_fmt(&t, "%s%s", n == c->nr_lanes ? "" : ": ", d->text);
	zl_buf_fmt(&out->text, "%s:", zl_severity_name(d->severity));
	output_wrap(out, INDENT, text);
}

/* What the machines' derivation says; free_high has its own lines. */
static void print_diags(const struct compare_answer *a, struct output *out)
{
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		const struct zl_diags *d = &a->c->lane[i].diags;

		for (size_t k = 0; k < d->count; k++) {
			const struct zl_diag *one = &d->item[k];

			if (one->code != ZL_DIAG_FREE_HIGH_UNREACHABLE &&
				one->code != ZL_DIAG_FREE_HIGH_ABSENT &&
				!(out->quiet && one->severity == ZL_NOTE)) {
				print_diag(a, i, one, out);
			}
		}
	}
}

/* ---- divergences ---- */

/* Stretches as ranges of ops; those that follow each other are one. */
static void add_ranges(const struct comparison *c, struct zl_text *t)
{
	uint64_t n = c->nr_stretches < COMPARE_STRETCHES ? c->nr_stretches : COMPARE_STRETCHES;

	for (uint64_t i = 0; i < n;) {
		uint64_t k = i;

		while (k + 1 < n && c->stretch[k + 1].op == c->stretch[k].last + 1) {
			k++;
		}
		zl_text_fmt(t, i > 0 ? ", %N" : "%N", c->stretch[i].op);
		if (c->stretch[k].last > c->stretch[i].op) {
			zl_text_fmt(t, " to %N", c->stretch[k].last);
		}
		i = k + 1;
	}
	if (c->nr_stretches > n) {
		zl_text_fmt(t, " and %N more stretches", c->nr_stretches - n);
	}
}

static uint64_t last_differing(const struct comparison *c)
{
	uint64_t last = 0;

	for (unsigned a = 0; a < c->nr_lanes; a++) {
		for (unsigned b = a + 1; b < c->nr_lanes; b++) {
			last = c->pair[a][b].last > last ? c->pair[a][b].last : last;
		}
	}
	return last;
}

size_t compare_op(const struct zl_record *r, char *buf, size_t size)
{
	if (r->op.kind == ZL_OP_FREE && r->pfn >= 0) {
		return zl_format(buf, size, "free o%u %c %x", (unsigned)r->order,
			zl_migratetype_letter(r->mt), (uint64_t)r->pfn);
	}
	if (r->op.kind == ZL_OP_ALLOC) {
		return zl_format(buf, size, "alloc o%u %c", (unsigned)r->op.order,
			zl_migratetype_letter((enum zl_migratetype)r->op.mt));
	}
	return zl_op_format(&r->op, buf, size);
}

static void print_first(const struct comparison *c, unsigned i, struct output *out)
{
	const struct compare_first *f = &c->first[i];
	struct compare_seen sa = {0};
	struct compare_seen sb = {0};
	char text[COMPARE_WHY + 200];
	char who[120];
	char op[64];

	comparison_who(c, f->pattern, who, sizeof(who));
	compare_op(&f->record[0], op, sizeof(op));
	zl_format(text, sizeof(text), "%s %N of %N, cpu %u, %s: %s differ",
		i == 0 ? "First divergence: op" : "Then op", f->op, comparison_counted(c),
		f->record[0].cpu, op, who);
	output_wrap(out, INDENT, text);
	zl_buf_pad(&out->text, INDENT);
	comparison_pair(c, f, &sa, &sb);
	comparison_why(c, sa, sb, text, sizeof(text));
	output_wrap(out, INDENT, text);
}

void compare_print_divergence(const struct comparison *c, struct output *out)
{
	char buf[600];
	struct zl_text t;

	if (c->differ == 0) {
		zl_buf_fmt(&out->text, "No divergence: all lanes do the same on each of %N ops.\n",
			comparison_counted(c));
		return;
	}
	for (unsigned i = 0; i < c->nr_first; i++) {
		print_first(c, i, out);
	}
	zl_text_init(&t, buf, sizeof(buf));
	zl_text_fmt(&t, "They differ on %N of %N ops: ", c->differ, comparison_counted(c));
	add_ranges(c, &t);
	if (last_differing(c) < comparison_counted(c)) {
		zl_text_fmt(&t, "; from %N on they agree", last_differing(c) + 1);
	}
	zl_text_chr(&t, '.');
	output_wrap(out, 0, buf);
}

/* ---- the whole answer ---- */

static void print_head(const struct compare_answer *a, struct output *out)
{
	char text[512];

	if (out->format == FORMAT_MAIL && a->question[0] != '\0') {
		output_wrap(out, 0, a->question);
		zl_buf_chr(&out->text, '\n');
	}
	zl_format(text, sizeof(text), "%s%s%s: %N ops, seed %s%s", a->scenario,
		a->title[0] != '\0' ? ", " : "", a->title, a->c->known, a->seed,
		a->c->complete ? "" : " (not complete)");
	if (a->seeds != NULL) {
		zl_format(text, sizeof(text), "%s%s%s: seeds %s and %u more, %N ops in the first%s",
			a->scenario, a->title[0] != '\0' ? ", " : "", a->title, a->seed,
			a->seeds->n - 1, a->c->known, a->seeds->stopped ? " (stopped)" : "");
	}
	output_wrap(out, 0, text);
}

static bool cpus_differ(const struct comparison *c)
{
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		if (c->lane[i].config.cpus != c->cpus) {
			return true;
		}
	}
	return false;
}

void compare_mail_end(const char *command, struct output *out)
{
	if (out->format == FORMAT_MAIL) {
		zl_buf_str(&out->text, "\nTo run it again:\n");
		compare_wrap_command(command, output_columns(out), &out->text);
	}
}

static void report_text(const struct compare_answer *a, struct output *out)
{
	print_head(a, out);
	print_machines(a, out);
	zl_buf_chr(&out->text, '\n');
	print_lanes(a, out);
	zl_buf_chr(&out->text, '\n');
	compare_print_divergence(a->c, out);
	zl_buf_chr(&out->text, '\n');
	if (a->seeds != NULL) {
		compare_print_spread(a, out);
	} else {
		compare_print_totals(a, out);
	}
	print_warnings(a, out);
	if (cpus_differ(a->c)) {
		zl_buf_fmt(&out->text,
			"note: the lanes have different numbers of CPUs; all run the ops for %u\n",
			a->c->cpus);
	}
	print_diags(a, out);
	compare_mail_end(a->reproduce, out);
}

void compare_report(const struct compare_answer *a, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		compare_json(a, out);
	} else if (out->format == FORMAT_CSV && a->seeds != NULL) {
		compare_print_spread(a, out);
	} else if (out->format == FORMAT_CSV) {
		compare_print_totals(a, out);
	} else {
		report_text(a, out);
	}
}
