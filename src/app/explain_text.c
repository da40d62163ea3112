/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations as text and JSON.
 */
#include <string.h>

#include "explain.h"
#include "facts.h"
#include "glossary.h"
#include "table.h"
#include "zonelab/text.h"

#define TEXT_COLUMNS 80

static void text_inputs(const struct explain *e, size_t columns, struct zl_buf *b)
{
	const size_t name_column = 4;
	const size_t value_column = 32;
	const size_t origin_column = 48;

	for (size_t i = 0; i < e->nr_inputs; i++) {
		const struct explain_input *in = &e->input[i];

		zl_buf_str(b, i == 0 ? "  Inputs\n" : "");
		zl_buf_pad(b, name_column);
		zl_buf_str(b, in->name);
		zl_buf_pad(b, value_column - 1);
		zl_buf_fmt(b, " %s", in->value);
		zl_buf_pad(b, origin_column - 1);
		zl_buf_chr(b, ' ');
		text_wrap(b, origin_column, columns, in->origin);
		if (in->how[0] != '\0') {
			zl_buf_pad(b, name_column + 2);
			text_wrap(b, name_column + 2, columns, in->how);
		}
	}
}

static void text_releases(const struct explain *e, size_t columns, struct zl_buf *b)
{
	const size_t value_column = 20;
	const size_t formula_column = 34;

	for (size_t i = 0; i < e->nr_releases; i++) {
		const struct explain_release *r = &e->release[i];
		bool newest = i + 1 == e->nr_releases;

		zl_buf_str(b, i == 0 ? "  Other releases, same inputs\n" : "");
		zl_buf_fmt(b, "  %s %s", r->present ? ">" : " ", r->first);
		if (newest) {
			zl_buf_str(b, " and newer");
		} else if (r->last[0] != '\0') {
			zl_buf_fmt(b, " to %s", r->last);
		}
		zl_buf_pad(b, value_column - 1);
		zl_buf_fmt(b, " %s", r->value);
		zl_buf_pad(b, formula_column - 1);
		zl_buf_chr(b, ' ');
		text_wrap(b, formula_column, columns, r->formula);
	}
}

static void text_feeds(const struct explain *e, size_t columns, struct zl_buf *b)
{
	const size_t indent = 11;

	if (e->nr_feeds == 0) {
		return;
	}
	zl_buf_str(b, "  Used by:");
	for (size_t i = 0; i < e->nr_feeds; i++) {
		const char *name = value_name(e->feeds[i]);
		bool last = i + 1 == e->nr_feeds;

		if (zl_buf_column(b) + strlen(name) + 2 > columns) {
			zl_buf_chr(b, '\n');
			zl_buf_pad(b, indent - 1);
		}
		zl_buf_fmt(b, " %s%s", name, last ? "\n" : ",");
	}
}

static void text_part(struct zl_buf *b, const char *title, size_t columns, const char *text)
{
	if (text[0] != '\0') {
		size_t indent = strlen(title) + 3;

		zl_buf_fmt(b, "  %s", title);
		text_wrap(b, indent, columns, text);
	}
}

void explain_head(const struct explain *e, char *buf, size_t size)
{
	const bool unit = e->unit[0] != '\0';

	if (e->value[0] != '\0' && strcmp(e->value, "-") != 0) {
		zl_format(buf, size, "%s = %s%s%s", e->name, e->value, unit ? " " : "", e->unit);
	} else {
		zl_format(buf, size, "%s, %s%s%s%s", e->name,
			is_fact(e->id) ? "a figure of a run" : glossary_kind(e->id),
			unit ? " (" : "", e->unit, unit ? ")" : "");
	}
}

void explain_print(const struct explain *e, size_t columns, struct zl_buf *b)
{
	char head[sizeof(e->name) + sizeof(e->value) + 2 * sizeof(e->unit)];

	explain_head(e, head, sizeof(head));
	zl_buf_fmt(b, "%s\n", head);
	zl_buf_pad(b, 2);
	text_wrap(b, 2, columns, e->definition);
	text_part(b, "=", columns, e->formula);
	text_inputs(e, columns, b);
	text_releases(e, columns, b);
	text_feeds(e, columns, b);
	text_part(b, "Last changed:", columns, e->changed);
	text_part(b, "Kernel:", columns, e->kernel);
	text_part(b, "Source:", columns, e->source);
	text_part(b, "Simplified:", columns, e->simplified);
}

void explain_text(const struct explain *e, struct zl_buf *b)
{
	explain_print(e, TEXT_COLUMNS, b);
}

static void json_runs(const struct explain *e, struct zl_json *list)
{
	for (size_t i = 0; i < e->nr_releases; i++) {
		const struct explain_release *r = &e->release[i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "since", r->first);
		zl_json_add_string(o, "until", r->last[0] != '\0' ? r->last : NULL);
		zl_json_add_string(o, "text", r->value);
		zl_json_add_string(o, "formula", r->formula);
		zl_json_add_bool(o, "present", r->present);
	}
}

void explain_json(const struct explain *e, struct zl_json *object)
{
	struct zl_json *list = NULL;

	zl_json_add_string(object, "name", e->name);
	if (e->has_number) {
		zl_json_add_int(object, "value", e->number);
	} else {
		zl_json_add_null(object, "value");
	}
	zl_json_add_string(object, "text", e->value);
	zl_json_add_string(object, "unit", e->unit);
	zl_json_add_string(object, "definition", e->definition);
	zl_json_add_string(object, "formula", e->formula);
	list = zl_json_add_array(object, "inputs");
	for (size_t i = 0; i < e->nr_inputs; i++) {
		struct zl_json *o = zl_json_push_object(list);
		zl_json_add_string(o, "name", e->input[i].name);
		zl_json_add_string(o, "text", e->input[i].value);
		zl_json_add_string(o, "origin", e->input[i].origin);
		zl_json_add_string(o, "formula", e->input[i].how);
	}
	json_runs(e, zl_json_add_array(object, "releases"));
	list = zl_json_add_array(object, "used_by");
	for (size_t i = 0; i < e->nr_feeds; i++) {
		zl_json_push_string(list, value_name(e->feeds[i]));
	}
	if (e->changed[0] != '\0') {
		struct zl_json *o = zl_json_add_object(object, "last_change");
		zl_json_add_u64(o, "op", e->changed_op);
		zl_json_add_string(o, "text", e->changed);
	}
	zl_json_add_string(object, "kernel", e->kernel);
	zl_json_add_string(object, "source", e->source);
	zl_json_add_string(object, "simplified", e->simplified);
}

static const char *const limits[] = {
	"Free-list shuffling, page reporting, guard pages, page poisoning and debug allocations "
	"are off.",
	"PREEMPT_RT, memory that is not accepted yet and deferred initialisation are not modelled; "
	"`verify` recognises watermarks that were computed before deferred pages arrived.",
	"An idealised machine has no holes and manages all its present pages; a real kernel keeps "
	"part "
	"of them for itself. Import /proc/zoneinfo for real figures.",
	"Watermark boosts are temporary and are read from files only; computed watermarks have "
	"none.",
	"CPU hotplug divides high_min by one CPU too many until the next recomputation; the model "
	"shows "
	"the settled value.",
	"Vendor changes are unknown to the model; `verify` shows where a kernel differs.",
};

const char *explain_limit(size_t i)
{
	return i < sizeof(limits) / sizeof(limits[0]) ? limits[i] : NULL;
}

bool explain_topic(const char *name, size_t columns, struct zl_buf *b)
{
	const size_t indent = 4;
	char text[512];

	if (strcmp(name, "limits") != 0) {
		return false;
	}
	zl_buf_str(b, "What is not modelled\n");
	for (size_t i = 0; explain_limit(i) != NULL; i++) {
		zl_buf_str(b, "  -");
		text_wrap(b, indent, columns, explain_limit(i));
	}
	zl_buf_str(b, "Simplifications of single values\n");
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info((enum value_id)id);
		if (info->simplified[0] != '\0') {
			zl_format(text, sizeof(text), "%s: %s", info->name, info->simplified);
			zl_buf_str(b, "  -");
			text_wrap(b, indent, columns, text);
		}
	}
	return true;
}
