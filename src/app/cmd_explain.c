/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "commands.h"
#include "explain.h"
#include "explain_point.h"
#include "glossary.h"
#include "learn.h"
#include "zonelab/text.h"

/* The nearest name, for "did you mean". */
static const char *nearest(const char *name)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (size_t row = 0; row < glossary_count(); row++) {
		zl_nearest_try(&near, glossary_name(glossary_at(row)));
	}
	return near.name;
}

static enum exit_status explain_all(struct app *app, struct output *out)
{
	struct zl_json *rows = NULL;
	struct explain e;

	if (out->format == FORMAT_JSON) {
		rows = zl_json_add_array(output_json(out, "explain-all"), "rows");
	}
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		if (!learn_explain(app, id, &e)) {
			continue;
		}
		if (rows != NULL) {
			explain_json(&e, zl_json_push_object(rows));
		} else {
			zl_buf_str(&out->text, id > 1 ? "\n" : "");
			explain_print(&e, output_columns(out), &out->text);
		}
	}
	return EXIT_YES;
}

/* "limits": what the model leaves out. */
static enum exit_status explain_limits(struct output *out)
{
	if (out->format != FORMAT_JSON) {
		(void)explain_topic("limits", output_columns(out), &out->text);
		return EXIT_YES;
	}
	struct zl_json *o = output_json(out, "limits");
	struct zl_json *list = zl_json_add_array(o, "not_modelled");
	for (size_t i = 0; explain_limit(i) != NULL; i++) {
		zl_json_push_string(list, explain_limit(i));
	}
	list = zl_json_add_array(o, "simplified");
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info((enum value_id)id);
		if (info->simplified[0] != '\0') {
			struct zl_json *row = zl_json_push_object(list);
			zl_json_add_string(row, "name", info->name);
			zl_json_add_string(row, "text", info->simplified);
		}
	}
	return EXIT_YES;
}

static enum exit_status explain_estimate(const struct value_in *in, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		explain_estimate_json(in, output_json(out, "explain-estimate"));
	} else {
		explain_estimate_text(in, output_columns(out), &out->text);
	}
	return EXIT_YES;
}

/* What is no decision point, or more than one. */
static enum exit_status explain_other(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct value_in in = app_values(app);
	struct explain e;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (out->format == FORMAT_CSV) {
		return command_usage(out, "explain has no --csv; --json or text");
	}
	if (strcmp(args->word[0], "all") == 0) {
		return explain_all(app, out);
	}
	if (strcmp(args->word[0], "limits") == 0) {
		return explain_limits(out);
	}
	if (strcmp(args->word[0], "estimate") == 0) {
		return explain_estimate(&in, out);
	}
	unsigned id = glossary_find(args->word[0]);
	if (id == VALUE_NONE || !learn_explain(app, id, &e)) {
		const char *near = nearest(args->word[0]);
		return command_usage(out, "there is nothing called '%s'; %s%s", args->word[0],
			near != NULL ? "did you mean " : "see `zonelab list glossary`",
			near != NULL ? near : "");
	}
	explain_change(app, &e);
	if (out->format == FORMAT_JSON) {
		explain_json(&e, output_json(out, "explain"));
	} else {
		explain_print(&e, output_columns(out), &out->text);
	}
	return EXIT_YES;
}

/* A name may be a value, a decision point, or both. */
static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	enum exit_status status = explain_other(app, args, out);
	enum zl_point p = args->nr_words == 1 ? zl_point_find(args->word[0]) : ZL_POINT_COUNT;

	if (p == ZL_POINT_COUNT || out->format == FORMAT_CSV || status > EXIT_USAGE) {
		return status;
	}
	if (out->format == FORMAT_JSON) {
		struct zl_json *root = status == EXIT_YES ? out->json : output_json(out, "explain");

		explain_point_json(app, p, zl_json_add_object(root, "decision_point"));
	} else {
		zl_buf_str(&out->text, status == EXIT_YES ? "\n" : "");
		explain_point_print(app, p, out);
	}
	memset(&out->error, 0, sizeof(out->error));
	return EXIT_YES;
}

const struct command cmd_explain = {
	.name = "explain",
	.synopsis = "NAME|all|limits|estimate [FILE...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES_AFTER,
	.help = "Formula, inputs, value, source and what is not modelled",
	.more = "NAME is a value, a setting, a metric, an event, a decision point, a policy, a "
		"design, "
		"a number's key in JSON or a diagnostic code; limits lists what the model leaves "
		"out; "
		"estimate says what the cost estimate can and cannot say, with its constants and "
		"their "
		"sources.",
	.run = run,
};
