/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `explain-my-machine` and `report`: what files say, each value explained, and two states of one
 * machine compared.
 */
#include <string.h>

#include "commands.h"
#include "explain_state.h"
#include "replay_show.h"
#include "upgrade.h"
#include "verify_report.h"
#include "zonelab/text.h"

#define SENTENCE 560
/* CPUs of a zone that are listed although nothing is special about them. */
#define SHOWN_CPUS 4

static void say(
	struct output *out, const char *where, const char *field, int64_t v, const char *because)
{
	char line[SENTENCE];

	zl_format(line, sizeof(line), "%s%s%s %D: %s", where, where[0] != '\0' ? " " : "", field, v,
		because);
	output_wrap(out, 2, line);
}

/* Every value with its "expected because" or "differs". */
static void explain_values(
	struct output *out, const struct zl_import *im, const struct zl_verify *v)
{
	const struct zl_allocator *a = zl_allocator_heap();
	struct zl_machine *m = a->realloc(a->user, NULL, sizeof(*m));
	char text[SENTENCE - 80];
	char where[48];
	char name[32];

	if (m == NULL) {
		return;
	}
	zl_machine_resolve(&im->profile, m, NULL);
	report_heading(&out->text, "Value by value");
	for (size_t i = 0; i < v->nr_items; i++) {
		const struct zl_verify_item *item = &v->item[i];

		where[0] = '\0';
		if (item->cpu >= SHOWN_CPUS && item->verdict == ZL_VERDICT_AGREES) {
			continue;
		}
		if (item->zone != SIZE_MAX) {
			const struct zl_zone_facts *z = &im->profile.zones[item->zone];

			if (z->managed == 0) {
				continue;
			}
			zl_format(where, sizeof(where),
				item->cpu >= 0 ? "node %u %s cpu %d" : "node %u %s", z->node,
				z->name, item->cpu);
		}
		zl_verify_reason_text(item, text, sizeof(text));
		if (text[0] == '\0') {
			zl_format(text, sizeof(text), "expected because %s",
				zl_verify_rule(m, item->field));
		}
		zl_verify_item_name(item, name, sizeof(name));
		say(out, where, name, item->reported, text);
	}
	a->free(a->user, m);
}

/* The answer first; what was read of each file stands below it. */
static void explain_all(struct output *out, const struct zl_import *im, const struct zl_verify *v)
{
	import_report_found(im, v, &out->text);
	if (im->profile.nr_zones > 0) {
		explain_values(out, im, v);
	}
	explain_state(out, im, v);
	import_report_files(im, &out->text);
}

static enum exit_status explain_one(const struct zl_import *im, struct output *out)
{
	struct zl_verify v;

	if (machine_verify(im, &v) < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for the verification");
		return EXIT_FAULT;
	}
	if (out->format == FORMAT_JSON) {
		struct zl_json *root = output_json(out, "explain-my-machine");

		verify_json(root, im, &v);
		verify_rows(out, zl_json_add_array(root, "values"), im, &v, true);
		explain_state_json(root, im);
		json_add_diags(root, &im->diags);
	} else if (out->format == FORMAT_CSV) {
		verify_rows(out, NULL, im, &v, true);
	} else {
		explain_all(out, im, &v);
	}
	enum exit_status status = v.count[ZL_VERDICT_DIFFERS] > 0 ? EXIT_NO : EXIT_YES;
	zl_verify_done(&v, zl_allocator_heap());
	return status;
}

/* Values of a repeated option, in order. */
static size_t option_values(
	const struct command_args *args, const char *name, const char *ret[COMMAND_WORDS])
{
	size_t n = 0;

	for (size_t i = 0; i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, name) == 0) {
			ret[n++] = args->option[i].value;
		}
	}
	return n;
}

struct state {
	const char *path[COMMAND_WORDS];
	size_t count;
	const char *kernel;
};

/* One of the two states, with its own release where the files do not say it. */
static int import_state(struct zl_import *im, const struct state *s,
	const struct zl_settings *given, struct zl_error *err)
{
	struct zl_settings own = *given;

	if (s->kernel != NULL) {
		int r = zl_settings_set(&own, ZL_SET_KERNEL, s->kernel, ZL_ORIGIN_GIVEN, err);

		if (r < 0) {
			return r;
		}
	}
	return machine_import(im, s->path, s->count, &own, err);
}

static enum exit_status compare(
	const struct command_args *args, const struct zl_settings *given, struct output *out)
{
	struct state before = {.kernel = args_option(args, "--before-kernel")};
	struct state after = {.kernel = args_option(args, "--after-kernel")};
	struct zl_import a;
	struct zl_import b;

	before.count = option_values(args, "--before", before.path);
	after.count = option_values(args, "--after", after.path);
	if (before.count == 0 || after.count == 0 || args->nr_words > 0) {
		return command_usage(out, "--before FILE and --after FILE, at least one of each");
	}
	if (import_state(&a, &before, given, &out->error) < 0) {
		return EXIT_USAGE;
	}
	if (import_state(&b, &after, given, &out->error) < 0) {
		zl_import_done(&a);
		return EXIT_USAGE;
	}
	enum exit_status status = EXIT_YES;
	struct zl_json *o = out->format == FORMAT_JSON ? output_json(out, "upgrade") : NULL;
	if (a.profile.nr_zones == 0 || b.profile.nr_zones == 0) {
		status = command_missing(out, "zoneinfo");
	} else if (upgrade_report(&a, &b, out, o) < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for the comparison");
		status = EXIT_FAULT;
	}
	zl_import_done(&a);
	zl_import_done(&b);
	return status;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	static const char *const live[] = {MACHINE_LIVE};
	bool files = args->nr_words > 0;
	struct zl_settings given;
	struct zl_import im;

	machine_given(&app_lane_const(app)->profile.settings, &given);
	if (args->nr_options > 0) {
		return compare(args, &given, out);
	}
	if (machine_import(&im, files ? args->word : live, files ? args->nr_words : 1, &given,
		    &out->error) < 0) {
		return EXIT_USAGE;
	}
	enum exit_status status = explain_one(&im, out);
	zl_import_done(&im);
	return status;
}

static const struct command_option options[] = {
	{"--before",	     "FILE",    true,  "A file or folder of the state before an upgrade"},
	{"--after",	    "FILE",    true,  "A file or folder of the state after it"	  },
	{"--before-kernel", "RELEASE", false, "Release before, where its files do not say it"  },
	{"--after-kernel",  "RELEASE", false, "Release after, where its files do not say it"   },
	{NULL,	       NULL,	     false, NULL					     },
};

const struct command cmd_explain_my_machine = {
	.name = "explain-my-machine",
	.synopsis = "[FILE...] | --before FILE... --after FILE...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Explain every value in files of a machine, or what an upgrade changed",
	.more = "Takes zoneinfo, buddyinfo, pagetypeinfo, meminfo, OOM reports, boot logs, "
		"configurations and command lines in any layout, whole or as extracts, and folders "
		"of them; without files this machine. Each value is recomputed and said to be "
		"expected, with the reason, or to differ. With --before and --after two states are "
		"compared line by line, and each change is laid at the input that made it.",
	.options = options,
	.run = run,
};

static enum exit_status run_report(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_verify v;

	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (replay_shown_report(app, out)) {
		if (app->import == NULL || out->format == FORMAT_JSON) {
			return EXIT_YES;
		}
		zl_buf_chr(&out->text, '\n');
	}
	if (app->import == NULL) {
		return command_usage(out, "no file was opened; zonelab FILE reads one");
	}
	if (machine_verify(app->import, &v) < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for the report");
		return EXIT_FAULT;
	}
	if (out->format == FORMAT_JSON) {
		struct zl_json *root = output_json(out, "report");

		import_json(root, app->import);
		json_add_diags(root, &app->import->diags);
	} else {
		import_report(app->import, &v, &out->text);
	}
	zl_verify_done(&v, zl_allocator_heap());
	return EXIT_YES;
}

const struct command cmd_report = {
	.name = "report",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Show again what the opened files said and how it was verified",
	.more = "",
	.options = NULL,
	.run = run_report,
};
