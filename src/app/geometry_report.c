/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geometry_report.h"

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static struct value_in values_in(const struct geometry_case *c)
{
	struct value_in in = {
		.profile = &c->profile, .machine = &c->machine, .zone = c->machine.main_zone};

	return in;
}

/* The order of the huge page that the machine has; false if it has none or cannot be built. */
static bool huge_order(const struct zl_geometry *g, uint64_t *ret)
{
	int order = g->hugetlb_order >= 0 ? g->hugetlb_order : g->thp_order;

	if (!g->buildable || order < 0) {
		return false;
	}
	*ret = (uint64_t)order;
	return true;
}

/* Largest legal size that is not above @size; 0 if there is none. */
static uint64_t legal_below(const struct zl_geometry *g, uint64_t size)
{
	return size / g->cma_min_alignment_bytes * g->cma_min_alignment_bytes;
}

static void json_pools(
	struct zl_json *o, const struct zl_geometry *g, const struct geometry_request *r)
{
	struct zl_json *list = zl_json_add_array(o, "pools");

	for (size_t i = 0; i < r->nr_pools && g->buildable; i++) {
		uint64_t required = zl_pool_required_bytes(g, r->pool[i]);
		uint64_t below = legal_below(g, r->pool[i]);
		struct zl_json *pool = zl_json_push_object(list);

		zl_json_add_u64(pool, "requested_bytes", r->pool[i]);
		zl_json_add_u64(pool, "required_bytes", required);
		zl_json_add_u64(pool, "waste_bytes", required - r->pool[i]);
		if (below > 0) {
			zl_json_add_u64(pool, "legal_below_bytes", below);
		} else {
			zl_json_add_null(pool, "legal_below_bytes");
		}
		zl_json_add_u64(pool, "legal_above_bytes", required);
	}
}

void geometry_json(
	struct zl_json *o, const struct geometry_case *c, const struct geometry_request *r)
{
	static const enum value_id ids[] = {
		VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES, VALUE_CMA_MIN_ALIGNMENT_BYTES};
	const struct value_in in = values_in(c);
	const struct zl_geometry *g = &c->machine.geometry;
	uint64_t huge = 0;

	json_add_settings(o, &c->profile.settings);
	if (g->arch != NULL) {
		zl_json_add_u64(o, "page_size", g->page_size);
	} else {
		zl_json_add_null(o, "page_size");
	}
	if (g->buildable) {
		zl_json_add_u64(o, "max_page_order", g->max_page_order);
	} else {
		zl_json_add_null(o, "max_page_order");
	}
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		json_add_value(o, &in, ids[i]);
	}
	if (huge_order(g, &huge)) {
		zl_json_add_u64(o, "huge_page_order", huge);
	} else {
		zl_json_add_null(o, "huge_page_order");
	}
	json_add_diags(o, &c->diags);
	if (r->nr_pools > 0) {
		json_pools(o, g, r);
	}
}

static void text_inputs(struct table *t, const struct geometry_case *c)
{
	static const enum zl_setting inputs[] = {ZL_SET_ARCH, ZL_SET_KERNEL, ZL_SET_PAGE_SIZE,
		ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER, ZL_SET_THP, ZL_SET_HUGETLB,
		ZL_SET_CMA, ZL_SET_MEMORY, ZL_SET_CPUS};
	const struct value_in in = values_in(c);
	const struct zl_settings *s = &c->profile.settings;
	char text[ZL_CMDLINE_TEXT];

	for (size_t i = 0; i < COUNT_OF(inputs); i++) {
		enum zl_setting key = inputs[i];

		if (key == ZL_SET_PAGE_BLOCK_ORDER &&
			c->machine.geometry.page_block_symbol == NULL && !s->value[key].given) {
			continue;
		}
		table_text(t, setting_label(&c->machine, key));
		if (s->value[key].given && !c->machine.geometry.buildable) {
			zl_setting_format(s, key, text, sizeof(text));
		} else {
			value_text(&in, VALUE_SETTING_BASE + key, text, sizeof(text));
		}
		table_text(t, text);
		table_text(t, s->value[key].given ? zl_origin_name(s->value[key].origin) : "");
	}
}

static void text_results(struct table *t, const struct geometry_case *c)
{
	static const enum value_id ids[] = {VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES,
		VALUE_CMA_MIN_ALIGNMENT_BYTES, VALUE_LARGEST_BLOCK_BYTES, VALUE_PAGEBLOCKS,
		VALUE_MIN_FREE_KBYTES, VALUE_GROUPING, VALUE_HIGHATOMIC_BYTES, VALUE_THRESHOLD,
		VALUE_CEILING, VALUE_REACHABLE};
	const struct value_in in = values_in(c);
	char text[512];

	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		table_text(t, value_info(ids[i])->label);
		value_text(&in, ids[i], text, sizeof(text));
		if (value_info(ids[i])->kind == VALUE_KIND_KIB && c->machine.geometry.buildable) {
			struct zl_text b = {text, sizeof(text), 0, false};
			value_text(&in, ids[i], text, sizeof(text));
			for (; text[b.len] != '\0';) {
				b.len++;
			}
			zl_text_str(&b, " KiB");
		}
		table_text(t, text);
		formula_text(
			&in, ids[i], value_formula(&in, ids[i], FORMULA_HOW), text, sizeof(text));
		table_text(t, text);
	}
}

static void text_pools(
	struct output *out, const struct zl_geometry *g, const struct geometry_request *r)
{
	char text[512];

	for (size_t i = 0; i < r->nr_pools; i++) {
		uint64_t size = r->pool[i];
		uint64_t required = zl_pool_required_bytes(g, size);
		uint64_t below = legal_below(g, size);

		if (required == size) {
			zl_format(text, sizeof(text),
				"A CMA pool of %Z takes %U x %Z; nothing is wasted.", size,
				size / g->cma_min_alignment_bytes, g->cma_min_alignment_bytes);
		} else if (below > 0) {
			zl_format(text, sizeof(text),
				"A CMA pool of %Z takes %Z, %Z is wasted; legal sizes beside it: "
				"%Z and %Z.",
				size, required, required - size, below, required);
		} else {
			zl_format(text, sizeof(text),
				"A CMA pool of %Z takes %Z, %Z is wasted; %Z is the smallest legal "
				"size.",
				size, required, required - size, required);
		}
		output_wrap(out, 2, text);
	}
}

void geometry_text(
	struct output *out, const struct geometry_case *c, const struct geometry_request *r)
{
	static const struct column columns[] = {
		{"name",	 "", false},
		{"value", "", false},
		{"how",	"", false},
	};
	struct table t;

	table_init(&t, out, NULL, columns, COUNT_OF(columns));
	text_inputs(&t, c);
	if (c->machine.geometry.buildable) {
		table_text(&t, "");
		table_text(&t, "");
		table_text(&t, "");
		text_results(&t, c);
		table_print(&t);
		text_pools(out, &c->machine.geometry, r);
	} else {
		table_print(&t);
		zl_buf_str(&out->text, "\nThis combination cannot be built.\n");
	}
	output_diags(out, &c->diags);
}

void geometry_table_init(struct table *t, struct output *out, const struct geometry_request *r)
{
	static const struct column columns[] = {
		{"present",		    "",			false},
		{"page_size",		      "page",		      true },
		{"max_page_order",	   "MAX_PAGE|_ORDER",    true },
		{"pageblock_order",	    "pageblock|_order",	true },
		{"pageblock_bytes",	    "pageblock",		 true },
		{"cma_min_alignment_bytes", "CMA|alignment",	     true },
		{"huge_page_order",	    "huge page|order",    true },
		{"pool_bytes",	       NULL,		     true },
		{"pool_required_bytes",	"example|pool takes", true },
		{"free_high_reachable",	"free_high|can fire", true },
		{"buildable",		      NULL,		    false},
	};

	(void)r;
	table_init(t, out, NULL, columns, COUNT_OF(columns));
	table_drop(t, "huge_page_order", 1);
}

static void add_value(struct table *t, const struct value_in *in, enum value_id id)
{
	int64_t v = 0;

	if (!value_get(in, id, &v)) {
		table_none(t);
	} else if (value_info(id)->kind == VALUE_KIND_BYTES) {
		table_bytes(t, (uint64_t)v);
	} else if (value_info(id)->kind == VALUE_KIND_YES) {
		table_bool(t, v != 0, "yes", "never");
	} else {
		table_number(t, (uint64_t)v);
	}
}

void geometry_table_row(struct table *t, const struct geometry_case *c,
	const struct geometry_request *r, bool present)
{
	const struct value_in in = values_in(c);
	const struct zl_geometry *g = &c->machine.geometry;
	uint64_t huge = 0;

	table_bool(t, present, ">", "");
	table_bytes(t, g->page_size);
	add_value(t, &in, VALUE_MAX_PAGE_ORDER);
	add_value(t, &in, VALUE_PAGEBLOCK_ORDER);
	add_value(t, &in, VALUE_PAGEBLOCK_BYTES);
	add_value(t, &in, VALUE_CMA_MIN_ALIGNMENT_BYTES);
	if (huge_order(g, &huge)) {
		table_number(t, huge);
	} else {
		table_none(t);
	}
	table_bytes(t, r->example);
	if (g->buildable) {
		table_bytes(t, zl_pool_required_bytes(g, r->example));
	} else {
		table_none(t);
	}
	add_value(t, &in, VALUE_REACHABLE);
	table_bool(t, g->buildable, "yes", "no");
}
