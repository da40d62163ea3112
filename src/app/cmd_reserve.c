/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `reserve`: what a kernel does with each request for reserved memory.
 */
#include <string.h>

#include "commands.h"
#include "reserve.h"
#include "zonelab/text.h"

static bool read_sizes(
	const struct command_args *args, struct output *out, uint64_t *ret, size_t *ret_n)
{
	*ret_n = 0;
	for (size_t i = 0; i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, "--size") != 0) {
			continue;
		}
		if (zl_parse_size(args->option[i].value, 1, &ret[*ret_n]) < 0 || ret[*ret_n] == 0) {
			(void)command_usage(out, "--size %s is not a size; for example 4M",
				args->option[i].value);
			return false;
		}
		(*ret_n)++;
	}
	return true;
}

static enum exit_status fix(const struct reserve *r, struct output *out)
{
	size_t lost = 0;

	reserve_diff(r, &out->text);
	for (size_t i = 0; i < r->nr_files; i++) {
		lost += r->file[i].dts != NULL ? r->file[i].fix.lost : 0;
	}
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];
		bool node = r->have.request[p->request].kind == ZL_REQUEST_NODE;
		char line[160];

		if (p->verdict == ZL_VERDICT_REFUSED && p->class == ZL_POOL_CMA &&
			(!node || lost > 0 ||
				r->have.request[p->request].source == ZL_SOURCE_MANUAL)) {
			reserve_rewrite(r, i, line, sizeof(line));
			zl_buf_fmt(&out->text, "# %s: %s\n", reserve_pool_name(r, p), line);
		}
	}
	return r->corrected.nr_refused + r->corrected.nr_no_room > 0 ? EXIT_NO : EXIT_YES;
}

static enum exit_status answer(
	const struct reserve *r, const struct command_args *args, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		reserve_json(r, out);
	} else if (args_switch(args, "--fix")) {
		(void)fix(r, out);
	} else if (out->format == FORMAT_CSV) {
		reserve_csv(r, out);
	} else {
		reserve_text(r, out);
	}
	return r->report.nr_refused + r->report.nr_no_room > 0 ? EXIT_NO : EXIT_YES;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	uint64_t size[COMMAND_WORDS];
	struct reserve_request request = {.path = args->word,
		.nr_paths = args->nr_words,
		.size = size,
		.cmdline = args_option(args, "--cmdline"),
		.include_dir = args_option(args, "--include")};
	struct reserve *r = NULL;
	enum exit_status status;

	if (!read_sizes(args, out, size, &request.nr_sizes)) {
		return EXIT_USAGE;
	}
	if (reserve_new(app_lane_const(app), &request, app->alloc, &r, &out->error) != 0) {
		return EXIT_USAGE;
	}
	status = answer(r, args, out);
	reserve_free(r);
	return status;
}

static const struct command_option options[] = {
	{"--size",	   "SIZE", true,	 "A pool of SIZE, as a device-tree node would ask for it"},
	{"--cmdline", "STR",  false, "Kernel command line: cma=, cma_pernuma=, hugetlb_cma=" },
	{"--fix",	  NULL,	false, "Print the corrected source as a minimal diff"	     },
	{"--include", "DIR",  false, "Open #include and /include/ files below DIR"		 },
	{NULL,	       NULL,   false, NULL						    },
};

const struct command cmd_reserve = {
	.name = "reserve",
	.synopsis = "[FILE...] [--size SIZE]... [--cmdline STR] [--fix] [--include DIR]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Reserved memory: verdicts, messages, sizes to write",
	.more = "FILEs are device trees (source, fragments, pasted mail or diffs, overlays, "
		"blobs), "
		"configurations, command lines and boot logs, in any mix. Exit status 1 when a "
		"pool "
		"is refused or has no room.",
	.options = options,
	.run = run,
};
