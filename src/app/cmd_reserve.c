/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `reserve`: what a kernel does with each request for reserved memory.
 */
#include <string.h>

#include "commands.h"
#include "pools.h"
#include "reserve.h"
#include "reserve_demand.h"
#include "zonelab/text.h"

#define CMA_ALIGNMENT 8 /* CONFIG_CMA_ALIGNMENT, its default */

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

/* Source that dtc refuses boots nowhere. */
static bool compiles(const struct reserve *r)
{
	for (size_t i = 0; i < r->diags.count; i++) {
		if (r->diags.item[i].code == ZL_DIAG_SOURCE_SKIPPED &&
			r->diags.item[i].severity == ZL_ERROR) {
			return false;
		}
	}
	return true;
}

/* A node that asks for CMA and that the kernel skips for its form. */
static bool skipped(const struct reserve *r)
{
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const struct zl_request *q = &r->have.request[r->report.pool[i].request];

		if (q->kind == ZL_REQUEST_NODE && q->dma_pool && q->reusable && !q->no_map &&
			q->fault != ZL_NODE_OK && q->fault != ZL_NODE_DISABLED &&
			q->fault != ZL_NODE_UNKNOWN_VALUE) {
			return true;
		}
	}
	return false;
}

static enum exit_status answer(
	const struct reserve *r, const struct command_args *args, struct output *out)
{
	if (r->no_ports) {
		(void)command_usage(out, "no memory for the answer");
		return EXIT_FAULT;
	}
	if (out->format == FORMAT_JSON) {
		reserve_json(r, out);
	} else if (args_switch(args, "--fix")) {
		out->verbatim = true;
		reserve_fix_text(r, &out->text);
	} else if (out->format == FORMAT_CSV) {
		reserve_csv(r, out);
	} else {
		reserve_text(r, out);
	}
	return r->report.nr_refused + r->report.nr_no_room > 0 || skipped(r) || !compiles(r)
		       ? EXIT_NO
		       : EXIT_YES;
}

/* --- what goes into a pool --- */

static enum exit_status run_replay(struct app *app, const char *path, struct output *out)
{
	const struct zl_geometry *g = &app_lane_const(app)->machine.geometry;
	struct replay *r = app->alloc->realloc(app->alloc->user, NULL, sizeof(*r));
	enum exit_status status = EXIT_USAGE;

	if (r == NULL) {
		(void)command_usage(out, "no memory");
		return EXIT_FAULT;
	}
	if (replay_read(path, g->page_size, app->alloc, r, &out->error) == 0) {
		status = r->nr_failed > 0 ? EXIT_NO : EXIT_YES;
		if (out->format == FORMAT_JSON) {
			replay_json(r, output_json(out, "reserve"));
		} else {
			replay_text(r, out);
		}
	}
	app->alloc->free(app->alloc->user, r->area.used);
	app->alloc->free(app->alloc->user, r);
	return status;
}

static bool read_demands(
	const struct command_args *args, struct output *out, struct zl_demand *ret, size_t *ret_n)
{
	*ret_n = 0;
	for (size_t i = 0; i < args->nr_options; i++) {
		const char *value = args->option[i].value;

		if (strcmp(args->option[i].option->name, "--demand") != 0) {
			continue;
		}
		if (zl_demand_parse(value, &ret[*ret_n]) != 0) {
			(void)command_usage(out,
				"--demand %s is not understood; "
				"WIDTHxHEIGHT:FORMAT:COUNT[xSTREAMS] "
				"as 1920x1080:NV12:6, or SIZE:COUNT as 8M:4",
				value);
			return false;
		}
		(*ret_n)++;
	}
	return true;
}

static enum exit_status run_demand(
	struct app *app, const struct zl_demand *d, size_t n, struct output *out)
{
	const struct zl_geometry *g = &app_lane_const(app)->machine.geometry;
	const struct zl_demand_rule rule = {.page_size = g->page_size,
		.align_cap = CMA_ALIGNMENT,
		.area_align = g->cma_min_alignment_bytes};
	struct zl_demand_plan plan;

	if (zl_demand_pack(d, n, &rule, &plan) != 0) {
		return command_usage(out, "more buffers than any pool holds; at most 1048576 and 1 "
					  "PiB");
	}
	if (out->format == FORMAT_JSON) {
		demand_json(d, n, &plan, output_json(out, "reserve"));
	} else {
		demand_text(d, n, &plan, out);
	}
	return EXIT_YES;
}

static enum exit_status run_files(
	struct app *app, const struct command_args *args, struct output *out)
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

/* In the explorer the answer is the Reserve screen. */
static enum exit_status open_screen(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (args->nr_words > 0 && pools_open(app, args->word, args->nr_words, &out->error) != 0) {
		return EXIT_USAGE;
	}
	if (app_show_screen(app, SCREEN_RESERVE, &out->error) < 0) {
		return EXIT_FAULT;
	}
	app->overlay = OVERLAY_NONE;
	return EXIT_YES;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_demand demand[COMMAND_WORDS];
	size_t n = 0;

	if (out->interactive && args->nr_options == 0) {
		return open_screen(app, args, out);
	}
	if (!read_demands(args, out, demand, &n)) {
		return EXIT_USAGE;
	}
	if (n > 0) {
		return run_demand(app, demand, n, out);
	}
	if (args_option(args, "--replay") != NULL) {
		return run_replay(app, args_option(args, "--replay"), out);
	}
	return run_files(app, args, out);
}

static const struct command_option options[] = {
	{"--size",	   "SIZE", true,	 "A pool of SIZE, as a device-tree node would ask for it"	 },
	{"--cmdline", "STR",  false, "Kernel command line: cma=, cma_pernuma=, hugetlb_cma="   },
	{"--fix",	  NULL,	false,
		"Print the corrected source as a minimal diff; # lines say what stays"		      },
	{"--include", "DIR",  false, "Open #include and /include/ files below DIR"		 },
	{"--demand",  "SPEC", true,  "Buffers to hold, as 1920x1080:NV12:6: how large a pool"  },
	{"--replay",  "FILE", false, "Play a list of allocations over a pool with pinned pages"},
	{NULL,	       NULL,   false, NULL						      },
};

const struct command cmd_reserve = {
	.name = "reserve",
	.synopsis = "[FILE...] [--size SIZE]... [--cmdline STR] [--fix] [--include DIR] "
		    "[--demand SPEC]... [--replay FILE]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Reserved memory: verdicts, messages, sizes to write",
	.more = "FILEs are device trees (source, fragments, pasted mail or diffs, overlays, "
		"blobs), "
		"configurations, command lines and boot logs, in any mix. Each tree is read by "
		"itself: labels of one are not known in another; to join a board and its overlay, "
		"/include/ both in one file and give --include DIR. With --fix a pool of --size is "
		"a new "
		"node of the first tree that has /reserved-memory. Exit status 1 when a pool "
		"is refused, skipped for its form or has no room, or when dtc would refuse the "
		"source.",
	.options = options,
	.run = run,
};
