/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `geometry`: pageblock and CMA arithmetic of one machine, of every page size, or of every value of
 * PAGE_BLOCK_(MAX_)ORDER.
 */
#include <string.h>

#include "commands.h"
#include "geometry_report.h"
#include "table.h"
#include "zonelab/matrix.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define NOTE_SIZE      256

/* The run of one command. `work` is one of heap memory: machines are large. */
struct run {
	struct app *app;
	struct output *out;
	struct geometry_request request;
	struct geometry_case *work;
};

static void resolve(struct run *r, const struct zl_settings *settings)
{
	const struct lane *lane = app_lane_const(r->app);

	memset(&r->work->diags, 0, sizeof(r->work->diags));
	r->work->profile = lane->profile;
	r->work->profile.settings = *settings;
	zl_machine_resolve(&r->work->profile, &r->work->machine, &r->work->diags);
	app_add_assumed(r->app, &r->work->profile, &r->work->diags);
}

static const struct zl_settings *settings_of(const struct run *r)
{
	return &app_lane_const(r->app)->profile.settings;
}

static enum exit_status run_one(struct run *r)
{
	struct table t;

	resolve(r, settings_of(r));
	switch (r->out->format) {
	case FORMAT_JSON:
		geometry_json(output_json(r->out, "geometry"), r->work, &r->request);
		break;
	case FORMAT_CSV:
		geometry_table_init(&t, r->out, &r->request);
		geometry_table_row(&t, r->work, &r->request, true);
		table_print(&t);
		break;
	case FORMAT_TEXT:
	case FORMAT_MAIL:
		geometry_text(r->out, r->work, &r->request);
		break;
	}
	return r->work->machine.geometry.buildable ? EXIT_YES : EXIT_NO;
}

/* Why a row cannot be built, kept until the table is printed. */
static void add_errors(struct zl_buf *b, const struct geometry_case *c)
{
	for (size_t i = 0; i < c->diags.count; i++) {
		const struct zl_diag *d = &c->diags.item[i];

		if (d->severity == ZL_ERROR) {
			zl_buf_fmt(b, "%Z: error: %s", c->machine.geometry.page_size, d->text);
			zl_buf_fmt(b, "%s%s\n", d->mend[0] != '\0' ? "; " : "", d->mend);
		}
	}
}

static void print_lines(struct output *out, const struct zl_buf *lines)
{
	const char *s = zl_buf_text(lines);
	char line[NOTE_SIZE * 2];

	while (*s != '\0') {
		size_t n = strcspn(s, "\n");
		struct zl_text t;

		zl_text_init(&t, line, sizeof(line));
		zl_text_strn(&t, s, n);
		output_wrap(out, 2, line);
		s += n + (s[n] == '\n');
	}
}

static enum exit_status run_matrix(struct run *r)
{
	uint64_t sizes[APP_PAGE_SIZES];
	size_t n = zl_arch_page_sizes(settings_of(r), sizes, APP_PAGE_SIZES);
	uint64_t present = app_lane(r->app)->machine.geometry.page_size;
	struct zl_json *rows = NULL;
	struct zl_buf errors = {0};
	struct table t;
	bool all = true;

	if (r->out->format == FORMAT_JSON) {
		rows = zl_json_add_array(output_json(r->out, "geometry-matrix"), "rows");
	}
	geometry_table_init(&t, r->out, &r->request);
	for (size_t i = 0; i < n; i++) {
		struct zl_settings at;

		zl_settings_at_page_size(settings_of(r), sizes[i], &at);
		resolve(r, &at);
		all = all && r->work->machine.geometry.buildable;
		if (rows != NULL) {
			geometry_json(zl_json_push_object(rows), r->work, &r->request);
		} else {
			geometry_table_row(&t, r->work, &r->request, sizes[i] == present);
			add_errors(&errors, r->work);
		}
	}
	if (rows == NULL) {
		table_print(&t);
	}
	if (r->out->format == FORMAT_TEXT || r->out->format == FORMAT_MAIL) {
		zl_buf_fmt(&r->out->text, "Example pool: %Z.\n", r->request.example);
		print_lines(r->out, &errors);
	}
	zl_buf_done_in(&errors, &r->out->text);
	return all ? EXIT_YES : EXIT_NO;
}

/* Columns of the table over block orders behind those of zl_block_row. */
static const enum value_id order_values[] = {
	VALUE_MIN_FREE_KBYTES, VALUE_WMARK_LOW, VALUE_HIGH_MIN, VALUE_THRESHOLD, VALUE_CEILING};

static void add_order_row(struct run *r, struct table *t, const struct zl_block_row *row)
{
	struct zl_settings at = *settings_of(r);
	int64_t v = 0;

	zl_settings_number(&at, ZL_SET_PAGE_BLOCK_ORDER, row->page_block_order, ZL_ORIGIN_GIVEN);
	resolve(r, &at);
	const struct value_in in = {.profile = &r->work->profile,
		.machine = &r->work->machine,
		.zone = r->work->machine.main_zone};
	table_bool(t, row->present, ">", "");
	table_bool(t, row->is_default, "yes", "no");
	table_number(t, row->page_block_order);
	table_number(t, row->pageblock_order);
	table_bytes(t, row->pageblock_bytes);
	table_bytes(t, row->cma_min_alignment_bytes);
	table_bytes(t, row->pool_bytes);
	table_bytes(t, row->pool_waste_bytes);
	for (size_t i = 0; i < COUNT_OF(order_values); i++) {
		if (value_get(&in, order_values[i], &v)) {
			table_number(t, (uint64_t)v);
		} else {
			table_none(t);
		}
	}
	if (value_get(&in, VALUE_REACHABLE, &v)) {
		table_bool(t, v != 0, "yes", "never");
	} else {
		table_none(t);
	}
	table_bytes(t, r->work->machine.highatomic_bytes);
}

/* Sentences below the table: which orders keep the pool exact, and the range. */
static void note_orders(
	struct run *r, const struct zl_geometry *g, const struct zl_block_row *rows, size_t n)
{
	char text[NOTE_SIZE];
	const struct zl_block_row *exact = NULL;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].pool_waste_bytes == 0) {
			exact = &rows[i];
		}
	}
	if (exact != NULL) {
		zl_format(text, sizeof(text),
			"%u is the largest order that wastes nothing of a pool of %Z.",
			exact->page_block_order, r->request.example);
	} else {
		zl_format(text, sizeof(text), "Every order wastes part of a pool of %Z.",
			r->request.example);
	}
	output_wrap(r->out, 0, text);
	zl_format(text, sizeof(text),
		"%s: default %d, legal here %d to %d; it takes a rebuild, there is no boot "
		"parameter.",
		g->page_block_symbol, g->page_block_default, g->page_block_lo, g->page_block_hi);
	output_wrap(r->out, 0, text);
}

static enum exit_status no_orders(struct run *r, const struct lane *lane)
{
	if (!lane->machine.geometry.buildable) {
		return run_one(r);
	}
	return command_usage(r->out,
		"%s has no PAGE_BLOCK_ORDER, its cap is MAX_PAGE_ORDER; --set kernel=6.16 or newer",
		lane->machine.release.display);
}

static enum exit_status run_orders(struct run *r)
{
	static const struct column columns[] = {
		{"present",		    "",			false},
		{"default",		    NULL,		  false},
		{"page_block_order",	     "order",	      true },
		{"pageblock_order",	    NULL,		  true },
		{"pageblock_bytes",	    "pageblock",	 true },
		{"cma_min_alignment_bytes", NULL,		  true },
		{"pool_required_bytes",	"pool|takes",	      true },
		{"pool_waste_bytes",	     "wasted",	       true },
		{"min_free_kbytes",	    "min_free|_kbytes", true },
		{"wmark_low",		      "low|wmark",	   true },
		{"high_min",		     "high_min",	 true },
		{"free_high_threshold",	"thresh-|old",      true },
		{"free_count_ceiling",      NULL,		     true },
		{"free_high_reachable",	"fires",		 true },
		{"highatomic_bytes",	     NULL,		   true },
	};
	const struct lane *lane = app_lane_const(r->app);
	const struct zl_machine *m = &lane->machine;
	struct zl_block_row rows[ZL_BLOCK_ROWS_MAX];
	size_t n = m->geometry.buildable ? zl_block_order_table(settings_of(r), &m->release,
						   &m->switches, r->request.example, rows)
					 : 0;
	struct zl_json *list = NULL;
	struct table t;

	if (n == 0) {
		return no_orders(r, lane);
	}
	if (r->out->format == FORMAT_JSON) {
		struct zl_json *o = output_json(r->out, "geometry-orders");
		zl_json_add_u64(o, "pool_bytes", r->request.example);
		list = zl_json_add_array(o, "rows");
	}
	table_init(&t, r->out, list, columns, COUNT_OF(columns));
	for (size_t i = 0; i < n; i++) {
		add_order_row(r, &t, &rows[i]);
	}
	table_print(&t);
	if (r->out->format == FORMAT_TEXT || r->out->format == FORMAT_MAIL) {
		note_orders(r, &m->geometry, rows, n);
	}
	return EXIT_YES;
}

/* Reads --size; the example pool is the first of them, or the setting. */
static bool read_sizes(const struct command_args *args, struct run *r)
{
	struct geometry_request *q = &r->request;

	for (size_t i = 0; i < args->nr_options; i++) {
		const char *value = args->option[i].value;

		if (strcmp(args->option[i].option->name, "--size") != 0) {
			continue;
		}
		if (zl_parse_size(value, 1, &q->pool[q->nr_pools]) < 0 ||
			q->pool[q->nr_pools] == 0) {
			(void)command_usage(r->out,
				"--size %s is not a size; a number with K, M or G, for example 4M",
				value);
			return false;
		}
		q->nr_pools++;
	}
	q->example = q->nr_pools > 0 ? q->pool[0] : app_lane_const(r->app)->machine.pool_size;
	return true;
}

static enum exit_status run_asked(const struct command_args *args, struct run *r)
{
	if (args_switch(args, "--matrix")) {
		return run_matrix(r);
	}
	return args_switch(args, "--orders") ? run_orders(r) : run_one(r);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct run r = {.app = app, .out = out};

	if (!command_words_ok(args, 0, 0, out) || !read_sizes(args, &r)) {
		return EXIT_USAGE;
	}
	if (args_switch(args, "--matrix") && args_switch(args, "--orders")) {
		return command_usage(out, "--matrix and --orders are two tables; one at a time");
	}
	r.work = app->alloc->realloc(app->alloc->user, NULL, sizeof(*r.work));
	if (r.work == NULL) {
		(void)command_usage(out, "no memory for a machine; close something");
		return EXIT_FAULT;
	}
	enum exit_status status = run_asked(args, &r);
	app->alloc->free(app->alloc->user, r.work);
	return status;
}

static const struct command_option options[] = {
	{"--matrix", NULL,   false, "Every page size of the architecture"	       },
	{"--orders", NULL,   false, "Every value of PAGE_BLOCK_ORDER, from 6.16 on"},
	{"--size",   "SIZE", true,	 "What a CMA pool of SIZE takes"		},
	{NULL,       NULL,   false, NULL					   },
};

const struct command cmd_geometry = {
	.name = "geometry",
	.synopsis = "[--matrix|--orders] [--size SIZE]... [FILE...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES,
	.help = "Pageblock and CMA arithmetic",
	.more = "FILEs are read into the machine before --profile and --set. Exit status 1 when "
		"the "
		"combination, or a row of the matrix, cannot be built.",
	.options = options,
	.run = run,
};
