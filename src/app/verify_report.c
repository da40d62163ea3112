/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify_report.h"

#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define REASON_TEXT    420

static void where(
	const struct zl_import *im, const struct zl_verify_item *item, char *buf, size_t size)
{
	if (item->zone == SIZE_MAX) {
		zl_format(buf, size, "machine");
		return;
	}
	const struct zl_zone_facts *z = &im->profile.zones[item->zone];
	zl_format(buf, size, "node %u %s", z->node, z->name);
}

static bool worth_a_row(const struct zl_verify_item *item, bool all)
{
	return all || item->verdict == ZL_VERDICT_DIFFERS ||
	       item->verdict == ZL_VERDICT_EXPLAINED || item->remark;
}

/* One row; in text the sentences stand below the table, once each. */
static void add_row(struct table *t, const struct zl_import *im, const struct zl_verify_item *item)
{
	char text[REASON_TEXT];

	if (item->zone == SIZE_MAX) {
		table_none(t);
		table_none(t);
	} else {
		table_number(t, im->profile.zones[item->zone].node);
		table_text(t, im->profile.zones[item->zone].name);
	}
	if (item->cpu >= 0) {
		table_number(t, (uint64_t)item->cpu);
	} else {
		table_none(t);
	}
	zl_verify_item_name(item, text, sizeof(text));
	table_text(t, text);
	table_number(t, (uint64_t)item->reported);
	table_number(t, (uint64_t)item->computed);
	table_text(t, zl_verdict_name(item->verdict));
	if (item->reason == ZL_REASON_NONE) {
		table_none(t);
	} else {
		table_text(t, zl_verify_reason_name(item->reason));
	}
	zl_verify_reason_text(item, text, sizeof(text));
	table_text(t, text);
}

#define SENTENCES_MAX 24

/* Sentences below a table, each once; later ones are left out and counted. */
struct sentences {
	char text[SENTENCES_MAX][REASON_TEXT];
	size_t count;
};

static bool said_before(const struct sentences *s, const char *text)
{
	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->text[i], text) == 0) {
			return true;
		}
	}
	return false;
}

static void add_sentences(
	struct output *out, const struct zl_import *im, const struct zl_verify *v, bool all)
{
	struct sentences said = {0};
	char text[REASON_TEXT];
	char line[REASON_TEXT + 96];
	char place[64];
	char name[32];

	for (size_t i = 0; i < v->nr_items && said.count < SENTENCES_MAX; i++) {
		zl_verify_reason_text(&v->item[i], text, sizeof(text));
		if (text[0] == '\0' || !worth_a_row(&v->item[i], all) || said_before(&said, text)) {
			continue;
		}
		zl_format(said.text[said.count++], REASON_TEXT, "%s", text);
		where(im, &v->item[i], place, sizeof(place));
		zl_verify_item_name(&v->item[i], name, sizeof(name));
		zl_format(line, sizeof(line), "%s %s: %s", place, name, text);
		output_wrap(out, 2, line);
	}
}

static bool any_row(const struct zl_verify *v, bool all)
{
	for (size_t i = 0; i < v->nr_items; i++) {
		if (worth_a_row(&v->item[i], all)) {
			return true;
		}
	}
	return false;
}

void verify_rows(struct output *out, struct zl_json *list, const struct zl_import *im,
	const struct zl_verify *v, bool all)
{
	static const struct column columns[] = {
		{"node",	 "node",	 true },
		{"zone",	 "zone",	 false},
		{"cpu",	"cpu",      true },
		{"field",	  "field",	   false},
		{"reported", "reported", true },
		{"computed", "computed", true },
		{"verdict",  "verdict",  false},
		{"reason",   NULL,	 false},
		{"text",	 NULL,       false},
	};
	struct table t;

	if (!any_row(v, all)) {
		return;
	}
	table_init(&t, out, list, columns, COUNT_OF(columns));
	for (size_t i = 0; i < v->nr_items; i++) {
		if (worth_a_row(&v->item[i], all)) {
			add_row(&t, im, &v->item[i]);
		}
	}
	table_print(&t);
	if (out->format == FORMAT_TEXT || out->format == FORMAT_MAIL) {
		zl_buf_chr(&out->text, '\n');
		add_sentences(out, im, v, all);
		zl_buf_chr(&out->text, '\n');
	}
}

void verify_summary(const struct zl_verify *v, struct zl_buf *b)
{
	zl_buf_fmt(b, "%N of %N values agree", (uint64_t)v->count[ZL_VERDICT_AGREES],
		(uint64_t)v->nr_items);
	for (unsigned i = ZL_VERDICT_EXPLAINED; i < ZL_VERDICT_COUNT; i++) {
		if (v->count[i] > 0) {
			zl_buf_fmt(b, ", %N %s", (uint64_t)v->count[i],
				zl_verdict_name((enum zl_verify_verdict)i));
		}
	}
	zl_buf_chr(b, '\n');
}

void import_json(struct zl_json *o, const struct zl_import *im)
{
	struct zl_json *files = zl_json_add_array(o, "files");

	for (size_t i = 0; i < im->nr_files; i++) {
		const struct zl_import_file *f = &im->file[i];
		struct zl_json *file = zl_json_push_object(files);

		zl_json_add_string(file, "name", f->name);
		zl_json_add_string(file, "type", zl_file_kind_name(f->kind));
		zl_json_add_int(file, "lines", f->lines);
		zl_json_add_int(file, "used", f->used);
		zl_json_add_int(file, "counted", f->counted);
		zl_json_add_int(file, "not_understood", f->not_understood);
		struct zl_json *list = zl_json_add_array(file, "complaints");
		for (size_t k = 0; k < f->nr_complaints; k++) {
			struct zl_json *c = zl_json_push_object(list);

			zl_json_add_int(c, "line", f->complaint[k].line);
			zl_json_add_int(c, "column", f->complaint[k].column);
			zl_json_add_string(c, "text", f->complaint[k].text);
		}
	}
}

void verify_json(struct zl_json *o, const struct zl_import *im, const struct zl_verify *v)
{
	zl_json_add_string(o, "kernel", zl_settings_text(&im->profile.settings, ZL_SET_KERNEL));
	zl_json_add_u64(o, "page_size", im->profile.zones_page_size);
	zl_json_add_u64(o, "agrees", v->count[ZL_VERDICT_AGREES]);
	zl_json_add_u64(o, "explained", v->count[ZL_VERDICT_EXPLAINED]);
	zl_json_add_u64(o, "differs", v->count[ZL_VERDICT_DIFFERS]);
	zl_json_add_u64(o, "taken_as_read", v->count[ZL_VERDICT_INPUT]);
	if (v->min_free_lo <= v->min_free_hi) {
		zl_json_add_u64(o, "min_free_kbytes_lowest", v->min_free_lo);
		zl_json_add_u64(o, "min_free_kbytes_highest", v->min_free_hi);
	} else {
		zl_json_add_null(o, "min_free_kbytes_lowest");
		zl_json_add_null(o, "min_free_kbytes_highest");
	}
	zl_json_add_u64(o, "parked_pages", v->parked_pages);
	import_json(o, im);
}
