/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations as text and JSON.
 */
#include <string.h>

#include "explain.h"

#define COLUMNS 80

/* Wraps words at 80 columns; later lines start at @indent. */
static void wrap(struct zl_buf *b, size_t indent, const char *s)
{
	while (*s != '\0') {
		size_t len = strcspn(s, " ");
		size_t at = zl_buf_column(b);

		if (at > indent && at + 1 + len > COLUMNS) {
			zl_buf_chr(b, '\n');
			zl_buf_pad(b, indent);
		} else if (at > indent) {
			zl_buf_chr(b, ' ');
		}
		zl_buf_mem(b, s, len);
		s += len;
		while (*s == ' ') {
			s++;
		}
	}
	zl_buf_chr(b, '\n');
}

static void text_inputs(const struct explain *e, struct zl_buf *b)
{
	const size_t name_column = 4;
	const size_t value_column = 28;
	const size_t how_column = 44;

	for (size_t i = 0; i < e->nr_inputs; i++) {
		const struct explain_input *in = &e->input[i];

		zl_buf_str(b, i == 0 ? "  Inputs\n" : "");
		zl_buf_pad(b, name_column);
		zl_buf_str(b, in->name);
		zl_buf_pad(b, value_column);
		zl_buf_fmt(b, "%s", in->value);
		zl_buf_pad(b, how_column - 1);
		zl_buf_str(b, " ");
		wrap(b, how_column, in->origin);
		if (in->how[0] != '\0') {
			zl_buf_pad(b, name_column + 2);
			wrap(b, name_column + 2, in->how);
		}
	}
}

static void text_releases(const struct explain *e, struct zl_buf *b)
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
		zl_buf_pad(b, value_column);
		zl_buf_str(b, r->value);
		zl_buf_pad(b, formula_column);
		wrap(b, formula_column, r->formula);
	}
}

void explain_text(const struct explain *e, struct zl_buf *b)
{
	zl_buf_fmt(b, "%s = %s%s%s\n", e->name, e->value, e->unit[0] != '\0' ? " " : "", e->unit);
	zl_buf_pad(b, 2);
	wrap(b, 2, e->definition);
	if (e->formula[0] != '\0') {
		zl_buf_str(b, "  = ");
		wrap(b, 4, e->formula);
	}
	text_inputs(e, b);
	text_releases(e, b);
	if (e->source[0] != '\0') {
		zl_buf_str(b, "  Source: ");
		wrap(b, 10, e->source);
	}
	if (e->simplified[0] != '\0') {
		zl_buf_str(b, "  Simplified: ");
		wrap(b, 14, e->simplified);
	}
}

void explain_json(const struct explain *e, struct zl_json *object)
{
	struct zl_json *list = NULL;

	zl_json_add_string(object, "name", e->name);
	zl_json_add_string(object, "value", e->value);
	zl_json_add_string(object, "unit", e->unit);
	zl_json_add_string(object, "definition", e->definition);
	zl_json_add_string(object, "formula", e->formula);
	list = zl_json_add_array(object, "inputs");
	for (size_t i = 0; i < e->nr_inputs; i++) {
		struct zl_json *o = zl_json_push_object(list);
		zl_json_add_string(o, "name", e->input[i].name);
		zl_json_add_string(o, "value", e->input[i].value);
		zl_json_add_string(o, "origin", e->input[i].origin);
		zl_json_add_string(o, "formula", e->input[i].how);
	}
	list = zl_json_add_array(object, "releases");
	for (size_t i = 0; i < e->nr_releases; i++) {
		struct zl_json *o = zl_json_push_object(list);
		zl_json_add_string(o, "since", e->release[i].first);
		zl_json_add_string(o, "value", e->release[i].value);
		zl_json_add_string(o, "formula", e->release[i].formula);
		zl_json_add_bool(o, "present", e->release[i].present);
	}
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

bool explain_topic(const char *name, struct zl_buf *b)
{
	if (strcmp(name, "limits") != 0) {
		return false;
	}
	zl_buf_str(b, "What is not modelled\n");
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		zl_buf_str(b, "  - ");
		wrap(b, 4, limits[i]);
	}
	zl_buf_str(b, "Simplifications of single values\n");
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info((enum value_id)id);
		if (info->simplified[0] != '\0') {
			zl_buf_fmt(b, "  - %s: ", info->name);
			wrap(b, 4, info->simplified);
		}
	}
	return true;
}
