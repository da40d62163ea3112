/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `geometry`: pageblock and CMA arithmetic of one machine, or of every page size.
 */
#include <string.h>

#include "commands.h"
#include "zonelab/matrix.h"
#include "zonelab/text.h"

#define LABEL_COLUMN 26
#define VALUE_COLUMN 42

/* One machine of the answer; the present one or another page size of it. */
struct answer {
	struct zl_profile profile; /* borrows the zones */
	struct zl_machine machine;
	struct zl_diags diags;
};

static void resolve_at(struct app *app, uint64_t page_size, struct answer *ret)
{
	const struct lane *lane = app_lane_const(app);

	memset(&ret->diags, 0, sizeof(ret->diags));
	ret->profile = lane->profile;
	if (page_size != 0) {
		zl_settings_at_page_size(
			&lane->profile.settings, page_size, &ret->profile.settings);
	}
	zl_machine_resolve(&ret->profile, &ret->machine, &ret->diags);
}

static void add_json(struct zl_json *o, const struct answer *a)
{
	static const enum value_id ids[] = {
		VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES, VALUE_CMA_MIN_ALIGNMENT_BYTES};
	const struct value_in in = {&a->profile, &a->machine, a->machine.main_zone};
	const struct zl_geometry *g = &a->machine.geometry;
	int huge = g->hugetlb_order >= 0 ? g->hugetlb_order : g->thp_order;

	json_add_settings(o, &a->profile.settings);
	zl_json_add_u64(o, "page_size", g->page_size);
	zl_json_add_u64(o, "max_page_order", g->max_page_order);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		json_add_value(o, &in, ids[i]);
	}
	if (huge >= 0) {
		zl_json_add_int(o, "huge_page_order", huge);
	} else {
		zl_json_add_null(o, "huge_page_order");
	}
	json_add_diags(o, &a->diags);
}

static void text_values(
	struct zl_buf *b, const struct answer *a, const enum value_id *ids, size_t n)
{
	const struct value_in in = {&a->profile, &a->machine, a->machine.main_zone};
	char buf[256];

	for (size_t i = 0; i < n; i++) {
		value_text(&in, ids[i], buf, sizeof(buf));
		zl_buf_str(b, value_info(ids[i])->label);
		zl_buf_pad(b, LABEL_COLUMN);
		zl_buf_str(b, buf);
		formula_text(
			&in, ids[i], value_formula(&in, ids[i], FORMULA_HOW), buf, sizeof(buf));
		if (buf[0] != '\0') {
			zl_buf_pad(b, VALUE_COLUMN);
			zl_buf_str(b, buf);
		}
		zl_buf_chr(b, '\n');
	}
}

static void text_one(struct zl_buf *b, const struct answer *a)
{
	static const enum value_id ids[] = {VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES,
		VALUE_CMA_MIN_ALIGNMENT_BYTES, VALUE_LARGEST_BLOCK_BYTES, VALUE_PAGEBLOCKS,
		VALUE_MIN_FREE_KBYTES, VALUE_GROUPING, VALUE_HIGHATOMIC_BYTES, VALUE_THRESHOLD,
		VALUE_CEILING};
	static const enum zl_setting inputs[] = {ZL_SET_ARCH, ZL_SET_KERNEL, ZL_SET_PAGE_SIZE,
		ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER, ZL_SET_THP, ZL_SET_HUGETLB,
		ZL_SET_CMA, ZL_SET_MEMORY, ZL_SET_CPUS};
	const struct value_in in = {&a->profile, &a->machine, a->machine.main_zone};
	char buf[256];

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		value_text(&in, VALUE_SETTING_BASE + inputs[i], buf, sizeof(buf));
		zl_buf_str(b, setting_label(&a->machine, inputs[i]));
		zl_buf_pad(b, LABEL_COLUMN);
		zl_buf_fmt(b, "%s\n", buf);
	}
	zl_buf_chr(b, '\n');
	text_values(b, a, ids, sizeof(ids) / sizeof(ids[0]));
}

static void text_pools(struct zl_buf *b, const struct answer *a, const struct command_args *args,
	struct output *out, enum exit_status *status)
{
	for (size_t i = 0; i < args->nr_options; i++) {
		uint64_t size = 0;

		if (strcmp(args->option[i].option->name, "--size") != 0) {
			continue;
		}
		if (zl_parse_size(args->option[i].value, 1, &size) < 0 || size == 0) {
			*status = command_usage(out, "--size %s is not a size; for example 4M",
				args->option[i].value);
			return;
		}
		uint64_t takes = zl_pool_required_bytes(&a->machine.geometry, size);
		zl_buf_fmt(b, "a CMA pool of %Z", size);
		zl_buf_pad(b, LABEL_COLUMN);
		zl_buf_fmt(b, "%Z, %Z wasted\n", takes, takes - size);
	}
}

static enum exit_status run_one(
	struct app *app, const struct command_args *args, struct output *out, struct answer *a)
{
	enum exit_status status = EXIT_YES;

	resolve_at(app, 0, a);
	if (out->format == FORMAT_JSON) {
		add_json(output_json(out, "geometry"), a);
	} else {
		text_one(&out->text, a);
		text_pools(&out->text, a, args, out, &status);
		output_diags(out, &a->diags);
	}
	if (status == EXIT_YES && !a->machine.geometry.buildable) {
		status = EXIT_NO;
	}
	return status;
}

static enum exit_status run_matrix(struct app *app, struct output *out, struct answer *a)
{
	uint64_t sizes[APP_PAGE_SIZES];
	size_t n = zl_arch_page_sizes(&app_lane(app)->profile.settings, sizes, APP_PAGE_SIZES);
	struct zl_json *rows = NULL;
	bool all = true;

	if (out->format == FORMAT_JSON) {
		rows = zl_json_add_array(output_json(out, "geometry-matrix"), "rows");
	} else {
		zl_buf_str(&out->text,
			"page      MAX_PAGE_ORDER  pageblock_order  CMA_MIN_ALIGNMENT_BYTES\n");
	}
	for (size_t i = 0; i < n; i++) {
		resolve_at(app, sizes[i], a);
		const struct zl_geometry *g = &a->machine.geometry;
		all = all && g->buildable;
		if (rows != NULL) {
			add_json(zl_json_push_object(rows), a);
			continue;
		}
		zl_buf_fmt(&out->text, "%Z", g->page_size);
		zl_buf_pad(&out->text, 10);
		zl_buf_fmt(&out->text, "%u", g->max_page_order);
		zl_buf_pad(&out->text, 26);
		zl_buf_fmt(&out->text, "%u", g->pageblock_order);
		zl_buf_pad(&out->text, 43);
		zl_buf_fmt(&out->text, "%Z\n", g->cma_min_alignment_bytes);
	}
	return all ? EXIT_YES : EXIT_NO;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	struct answer *a = app->alloc->realloc(app->alloc->user, NULL, sizeof(*a));
	if (a == NULL) {
		(void)command_usage(out, "no memory");
		return EXIT_FAULT;
	}
	enum exit_status status = args_switch(args, "--matrix") ? run_matrix(app, out, a)
								: run_one(app, args, out, a);
	app->alloc->free(app->alloc->user, a);
	return status;
}

static const struct command_option options[] = {
	{"--matrix", NULL,   false, "Every page size of the architecture"},
	{"--size",   "SIZE", true,	 "What a CMA pool of SIZE takes"	},
	{NULL,       NULL,   false, NULL				 },
};

const struct command cmd_geometry = {
	.name = "geometry",
	.synopsis = "[--matrix] [--size SIZE]...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Pageblock and CMA arithmetic",
	.more = "Exit status 1 when the combination cannot be built.",
	.options = options,
	.run = run,
};
