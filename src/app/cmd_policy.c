/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `policy`: replaces a rule, gives it back, or says what is replaced.
 */
#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

/* "policy." and what was written, as an edit. */
#define ASSIGNMENT (COMMAND_LINE + 16)

static enum exit_status show(struct app *app, struct output *out)
{
	static const struct column columns[] = {
		{"point",	  "point",	   false},
		{"policy",	   "policy",     false},
		{"origin",	   "origin",     false},
		{"expression", "expression", false},
	};
	const struct zl_policy_set *set = &app_lane_const(app)->profile.policies;
	struct zl_json *rows = NULL;
	struct table t;

	if (set->count == 0 && out->format == FORMAT_TEXT) {
		zl_buf_str(&out->text, "No rule is replaced; policy POINT = EXPR, or a name of "
				       "`list policies`.\n");
		return EXIT_YES;
	}
	if (out->format == FORMAT_JSON) {
		rows = zl_json_add_array(output_json(out, "policies"), "rows");
	}
	table_init(&t, out, rows, columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_policy *p = &set->policy[i];

		if (p->text != NULL) {
			table_text(&t, zl_point_info((enum zl_point)i)->name);
			table_text(&t, p->shipped != NULL ? p->shipped : "-");
			table_text(&t, zl_origin_name(p->origin));
			table_text(&t, p->text);
		}
	}
	table_print(&t);
	return EXIT_YES;
}

/* Every point back to the release, as one edit. */
static enum exit_status take_all_back(struct app *app, struct output *out)
{
	const struct zl_policy_set *set = &app_lane_const(app)->profile.policies;
	char text[ZL_POINT_COUNT][ZL_SETTING_TEXT];
	const char *assignment[ZL_POINT_COUNT];
	size_t n = 0;

	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		if (set->policy[i].text != NULL) {
			zl_format(text[n], sizeof(text[n]), "policy.%s=default",
				zl_point_info((enum zl_point)i)->name);
			assignment[n] = text[n];
			n++;
		}
	}
	if (n > 0 && app_set_all(app, assignment, n, &out->error) < 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_NONE, "Every rule is the release's%s",
		n > 0 ? " · u takes it back" : "");
	return EXIT_YES;
}

/* A point alone: the rule in force there. */
static enum exit_status show_point(struct app *app, enum zl_point p, struct output *out)
{
	const struct lane *lane = app_lane_const(app);
	const char *text = zl_policy_text(&lane->profile.policies, p, &lane->machine.switches);
	const char *name = zl_point_info(p)->name;

	if (text == NULL) {
		return command_usage(
			out, "%s: this release has no such rule; see `explain %s`", name, name);
	}
	zl_buf_fmt(&out->text, "%s = %s\n", name, text);
	return EXIT_YES;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	char assignment[ASSIGNMENT];
	struct zl_text t;

	if (args->nr_words == 0) {
		return show(app, out);
	}
	if (args->nr_words == 1 && strcmp(args->word[0], "none") == 0) {
		return take_all_back(app, out);
	}
	if (args->nr_words == 1 && zl_point_find(args->word[0]) != ZL_POINT_COUNT) {
		return show_point(app, zl_point_find(args->word[0]), out);
	}
	zl_text_init(&t, assignment, sizeof(assignment));
	zl_text_str(&t, "policy.");
	for (size_t i = 0; i < args->nr_words; i++) {
		zl_text_fmt(&t, i > 0 ? " %s" : "%s", args->word[i]);
	}
	/* Columns count from the command's own name: "policy " is as long as "policy.". */
	if (app_set(app, assignment, &out->error) < 0) {
		out->error.line = out->error.column > 0 ? 1 : 0;
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "%s · u takes it back", app->undo[app->nr_undo - 1]->what);
	return EXIT_YES;
}

const struct command cmd_policy = {
	.name = "policy",
	.synopsis = "[POINT = EXPR | POINT = default | NAME | POINT | none]",
	.flags = COMMAND_PROMPT | COMMAND_TEXT,
	.help = "Replace a rule of the allocator, give it back, or say what is replaced",
	.more = "A decision point is a rule that a patch may change; `list decision-points` has "
		"the "
		"rules of every release, `explain POINT` the names in scope. EXPR is a C "
		"expression "
		"over them, or a statement on what the point sets. NAME is one of `list policies`. "
		"Without words: what is replaced. `none` gives every rule back.",
	.run = run,
};
