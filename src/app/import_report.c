/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of an import as text of at most 80 columns: lines read, what was found, how it
 * compares with the model, what one should know.
 */
#include <string.h>

#include "verify_report.h"
#include "zonelab/text.h"

#define LABEL_COLUMN 11
#define CELL_WIDTH   18
#define LINE_WIDTH   80
#define SHOWN_CPUS   4
#define SHOWN_LINES  5

void report_heading(struct zl_buf *b, const char *title)
{
	zl_buf_fmt(b, "%s── %s\n", b->len > 0 ? "\n" : "", title);
}

/* A number right-aligned so that it ends at @column. */
static void cell(struct zl_buf *b, size_t column, int64_t v)
{
	char text[32];

	if (v < 0) {
		zl_format(text, sizeof(text), "-");
	} else {
		zl_format(text, sizeof(text), "%N", (uint64_t)v);
	}
	size_t len = strlen(text);
	zl_buf_pad(b, column > len ? column - len : 0);
	zl_buf_str(b, text);
}

static void tallies(
	struct zl_buf *b, const struct zl_import_file *f, enum zl_line_fate fate, const char *label)
{
	size_t column = LABEL_COLUMN;
	char text[64];
	bool any = false;

	for (size_t i = 0; i < f->nr_tallies; i++) {
		if (f->tally[i].fate != fate || f->tally[i].lines == 0) {
			continue;
		}
		zl_format(
			text, sizeof(text), "%N %s", (uint64_t)f->tally[i].lines, f->tally[i].what);
		if (!any) {
			zl_buf_fmt(b, " %s", label);
		} else if (zl_buf_column(b) + strlen(text) + 2 > LINE_WIDTH) {
			zl_buf_chr(b, '\n');
			column = LABEL_COLUMN;
		}
		if (zl_buf_column(b) + 2 > column && any) {
			column = zl_buf_column(b) + 2;
		}
		zl_buf_pad(b, column);
		zl_buf_str(b, text);
		column += CELL_WIDTH;
		any = true;
	}
	if (any) {
		zl_buf_chr(b, '\n');
	}
}

static void file_report(struct zl_buf *b, const struct zl_import_file *f)
{
	char line[256];

	zl_import_summary(f, line, sizeof(line));
	zl_buf_fmt(b, " %s\n", line);
	tallies(b, f, ZL_LINE_USED, "used");
	tallies(b, f, ZL_LINE_COUNTED, "not used");
	for (size_t i = 0; i < f->nr_complaints && i < SHOWN_LINES; i++) {
		const struct zl_import_complaint *c = &f->complaint[i];

		zl_buf_fmt(b, " line %u:%u: %s\n", c->line, c->column, c->text);
	}
	if (f->not_understood > SHOWN_LINES) {
		zl_buf_fmt(b, " and %N lines more\n", (uint64_t)(f->not_understood - SHOWN_LINES));
	}
}

/* Columns where the numbers of a zone end. */
static const size_t zone_columns[] = {19, 26, 33, 40, 47, 57, 67, 73};

static int64_t pageset_value(const struct zl_verify *v, size_t zone, enum zl_verify_field f)
{
	for (size_t i = 0; i < v->nr_items; i++) {
		if (v->item[i].zone == zone && v->item[i].field == f && v->item[i].cpu < 0) {
			return v->item[i].reported;
		}
	}
	return -1;
}

static void zone_row(struct zl_buf *b, const struct zl_import *im, const struct zl_verify *v,
	size_t i, bool main_zone)
{
	const struct zl_zone_facts *z = &im->profile.zones[i];
	const int64_t numbers[] = {(int64_t)z->managed, z->min, z->low, z->high,
		pageset_value(v, i, ZL_VERIFY_BATCH), pageset_value(v, i, ZL_VERIFY_HIGH_MIN),
		pageset_value(v, i, ZL_VERIFY_HIGH_MAX), (int64_t)z->nr_pcp};

	zl_buf_fmt(b, "%s%s", main_zone ? "►" : " ", z->name);
	for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
		cell(b, zone_columns[k], numbers[k]);
	}
	if (z->node > 0) {
		zl_buf_fmt(b, "  node %u", z->node);
	}
	zl_buf_chr(b, '\n');
}

static void zones(struct zl_buf *b, const struct zl_import *im, const struct zl_verify *v)
{
	const struct zl_profile *p = &im->profile;
	size_t largest = 0;
	size_t empty = 0;

	report_heading(b, "What was found");
	zl_buf_str(b, " zone      managed    min    low   high  batch  high_min  high_max  cpus\n");
	for (size_t i = 0; i < p->nr_zones; i++) {
		largest = p->zones[i].managed > p->zones[largest].managed ? i : largest;
	}
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].managed > 0) {
			zone_row(b, im, v, i, i == largest);
		}
	}
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].managed == 0) {
			zl_buf_fmt(b, "%s%s", empty++ == 0 ? " " : ", ", p->zones[i].name);
		}
	}
	zl_buf_str(b, empty > 0 ? ": empty\n" : "");
}

/* The fields of the table above, of zones with memory. */
static bool in_table(const struct zl_import *im, const struct zl_verify_item *item)
{
	return item->zone != SIZE_MAX && item->cpu < 0 &&
	       im->profile.zones[item->zone].managed > 0 && item->field != ZL_VERIFY_WMARK_PROMO &&
	       item->field != ZL_VERIFY_HIGH && item->field != ZL_VERIFY_PROTECTION &&
	       item->field != ZL_VERIFY_STAT_THRESHOLD;
}

static void verified(struct zl_buf *b, const struct zl_import *im, const struct zl_verify *v)
{
	uint64_t all = 0;
	uint64_t fits = 0;
	uint64_t explained = 0;
	uint64_t differs = 0;

	for (size_t i = 0; i < v->nr_items; i++) {
		if (in_table(im, &v->item[i])) {
			all++;
			differs += v->item[i].verdict == ZL_VERDICT_DIFFERS ? 1 : 0;
			explained += v->item[i].verdict == ZL_VERDICT_EXPLAINED ? 1 : 0;
			fits += v->item[i].verdict != ZL_VERDICT_DIFFERS ? 1 : 0;
		}
	}
	report_heading(b, "Verified against the model, all inputs as read");
	zl_buf_fmt(b, " watermarks, batch, high_min, high_max: %N of %N agree", fits, all);
	if (im->profile.observed.min_free_kbytes >= 0) {
		zl_buf_fmt(
			b, " (min_free_kbytes %N)", (uint64_t)im->profile.observed.min_free_kbytes);
	} else if (v->min_free_lo <= v->min_free_hi) {
		zl_buf_fmt(b, " (min_free_kbytes %N)", v->min_free_inferred);
	}
	zl_buf_chr(b, '\n');
	if (explained > 0 || differs > 0) {
		zl_buf_fmt(b, " %N of them with a reason, %N differ: see `zonelab verify`\n",
			explained, differs);
	}
}

/* What the pagesets of the largest zone hold. */
static void parked(struct zl_buf *b, const struct zl_import *im, const struct zl_verify *v)
{
	const struct zl_profile *p = &im->profile;
	const struct zl_zone_facts *z = NULL;

	for (size_t i = 0; i < p->nr_zones; i++) {
		z = z == NULL || p->zones[i].managed > z->managed ? &p->zones[i] : z;
	}
	if (z == NULL || z->nr_pcp == 0) {
		return;
	}
	for (size_t k = 0; k < z->nr_pcp && k < SHOWN_CPUS; k++) {
		zl_buf_fmt(b, "%scpu %u count %N high %N", k == 0 ? " " : "; ", z->pcp[k].cpu,
			(uint64_t)(z->pcp[k].count > 0 ? z->pcp[k].count : 0),
			(uint64_t)(z->pcp[k].high > 0 ? z->pcp[k].high : 0));
		zl_buf_str(b, k == 1 && z->nr_pcp > 2 ? "\n" : "");
	}
	zl_buf_fmt(b, "%s: observed\n", z->nr_pcp > SHOWN_CPUS ? "; ..." : "");
	zl_buf_fmt(b, " %N pages parked on the pagesets of %N CPU%s, all zones\n", v->parked_pages,
		(uint64_t)v->parked_cpus, v->parked_cpus == 1 ? "" : "s");
}

static void diag_lines(struct zl_buf *b, const struct zl_diags *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct zl_diag *d = &diags->item[i];

		zl_buf_fmt(b, " %s %s\n",
			d->severity == ZL_NOTE	    ? "note   "
			: d->severity == ZL_WARNING ? "WARNING"
						    : "ERROR  ",
			d->text);
		if (d->mend[0] != '\0') {
			zl_buf_fmt(b, "         %s\n", d->mend);
		}
	}
}

/* Findings of the import, then of the machine that came out of it. */
static void to_know(struct zl_buf *b, const struct zl_import *im)
{
	const struct zl_allocator *a = zl_allocator_heap();
	struct zl_machine *m = a->realloc(a->user, NULL, sizeof(*m));
	struct zl_diags found = {0};

	if (m != NULL && im->profile.nr_zones > 0) {
		zl_machine_resolve(&im->profile, m, &found);
	}
	a->free(a->user, m);
	if (im->diags.count + found.count > 0) {
		report_heading(b, "To know");
		diag_lines(b, &im->diags);
		diag_lines(b, &found);
	}
}

void import_report_files(const struct zl_import *im, struct zl_buf *b)
{
	for (size_t i = 0; i < im->nr_files; i++) {
		char title[80];

		zl_format(title, sizeof(title), "Import report: %s",
			zl_file_kind_name(im->file[i].kind));
		report_heading(b, title);
		file_report(b, &im->file[i]);
	}
}

void import_report_found(const struct zl_import *im, const struct zl_verify *v, struct zl_buf *b)
{
	if (im->profile.nr_zones > 0) {
		zones(b, im, v);
		verified(b, im, v);
		parked(b, im, v);
	}
	to_know(b, im);
}

void import_report(const struct zl_import *im, const struct zl_verify *v, struct zl_buf *b)
{
	import_report_files(im, b);
	import_report_found(im, v, b);
}
