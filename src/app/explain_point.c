/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain_point.h"

#include <string.h>

#include "commands.h"
#include "facts.h"
#include "zonelab/text.h"

/* Values of names as far as the machine and the run that is shown have them. */
struct operands {
	int64_t value[ZL_POLICY_NAMES];
	bool known[ZL_POLICY_NAMES];
};

static void know(struct operands *o, enum zl_policy_name_id id, int64_t v)
{
	o->value[id] = v;
	o->known[id] = true;
}

static void know_machine(struct operands *o, const struct value_in *in)
{
	const struct zl_machine *m = in->machine;
	const struct zl_geometry *g = &m->geometry;

	know(o, ZL_NAME_SCALE_MAX, m->scale_max);
	know(o, ZL_NAME_PAGE_SHIFT, g->page_shift);
	know(o, ZL_NAME_PAGE_SIZE, (int64_t)g->page_size);
	know(o, ZL_NAME_HUGETLB_PAGE, g->hugetlb);
	know(o, ZL_NAME_THP, g->thp);
	know(o, ZL_NAME_HUGETLB_ORDER, g->hugetlb_order);
	know(o, ZL_NAME_PMD_ORDER, g->thp_order);
	know(o, ZL_NAME_MAX_PAGE_ORDER, g->max_page_order);
	know(o, ZL_NAME_MAX_ORDER_PAGES, INT64_C(1) << g->max_page_order);
	know(o, ZL_NAME_BLOCK_CAP, g->cap);
	know(o, ZL_NAME_PAGEBLOCK_ORDER, g->pageblock_order);
	know(o, ZL_NAME_PAGEBLOCK_PAGES, (int64_t)g->pageblock_nr_pages);
	know(o, ZL_NAME_ARCH_DEFAULT, g->max_order_default);
	know(o, ZL_NAME_NR_ZONES, m->lowmem_zones);
	know(o, ZL_NAME_BUFFER_PAGES, (int64_t)m->free_buffer_pages);
	know(o, ZL_NAME_SCALE_FACTOR, m->scale_factor);
	know(o, ZL_NAME_HIGH_FRACTION, m->high_fraction);
	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		const struct zl_policy_name *n = zl_policy_name((enum zl_policy_name_id)id);

		if (n->kind == ZL_NAME_IS_CONSTANT) {
			know(o, (enum zl_policy_name_id)id, n->value);
		}
	}
}

static void know_zone(struct operands *o, const struct zl_zone *z)
{
	know(o, ZL_NAME_MANAGED, (int64_t)z->managed);
	know(o, ZL_NAME_LOW_WMARK, (int64_t)z->wmark.low);
	know(o, ZL_NAME_MIN_SHARE, (int64_t)z->wmark.share);
	know(o, ZL_NAME_SPLIT_CPUS, z->cpus);
	know(o, ZL_NAME_BATCH, z->limits.batch);
	know(o, ZL_NAME_LOCAL_BATCH, z->limits.batch);
	know(o, ZL_NAME_BASE_BATCH, z->limits.batch);
	know(o, ZL_NAME_HIGH_MIN, (int64_t)z->limits.high_min);
	know(o, ZL_NAME_HIGH_MAX, (int64_t)z->limits.high_max);
}

static void know_pageset(struct operands *o, const struct zl_pageset_view *p)
{
	know(o, ZL_NAME_COUNT, p->count);
	know(o, ZL_NAME_HIGH, p->high);
	know(o, ZL_NAME_FREE_COUNT, p->free_count);
	know(o, ZL_NAME_FREE_FACTOR, p->free_factor);
	know(o, ZL_NAME_ALLOC_FACTOR, p->alloc_factor);
	know(o, ZL_NAME_FLAGS, (p->prev_free_high_order ? 1 : 0) | (p->free_high_batch ? 2 : 0));
	know(o, ZL_NAME_EXPIRE, p->expire);
	know(o, ZL_NAME_BATCH, p->batch);
	know(o, ZL_NAME_LOCAL_BATCH, p->batch);
	if (p->tuned) {
		know(o, ZL_NAME_HIGH_MIN, p->high_min);
		know(o, ZL_NAME_HIGH_MAX, p->high_max);
	}
}

static void operands_of(const struct value_in *in, struct operands *o)
{
	memset(o, 0, sizeof(*o));
	if (in->hidden != NULL) {
		return; /* any of them may be what is asked */
	}
	know_machine(o, in);
	if (in->zone < in->machine->nr_zones) {
		know_zone(o, &in->machine->zones[in->zone]);
	}
	if (in->facts != NULL && in->facts->pageset != NULL) {
		know_pageset(o, in->facts->pageset);
	}
}

static void print_head(enum zl_point p, struct output *out)
{
	const struct zl_point_info *info = zl_point_info(p);
	char line[512];

	zl_format(line, sizeof(line), "%s, a decision point (%s%s%s): %s.", info->name, info->type,
		info->target[0] != '\0' ? ", sets " : "", info->target, info->meaning);
	output_wrap(out, 2, line);
	zl_format(line, sizeof(line), "Function: %s", info->function);
	zl_buf_str(&out->text, "  ");
	output_wrap(out, 4, line);
}

static void print_rules(enum zl_point p, const struct zl_point_rule *present, struct output *out)
{
	char line[256];

	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);

		if (r->point == p) {
			zl_format(line, sizeof(line), "%s%s (%s):", r->when,
				r == present ? ", this release" : "", r->source);
			zl_buf_str(&out->text, "  ");
			output_wrap(out, 4, line);
			zl_buf_str(&out->text, "    ");
			output_wrap(out, 4, r->expression);
		}
	}
}

static void print_names(enum zl_point p, const struct operands *o, struct output *out)
{
	char word[ZL_EXPR_NAME_MAX], line[256];

	zl_buf_str(&out->text, "  Names:\n");
	for (unsigned i = 0; i < ZL_POLICY_NAMES; i++) {
		enum zl_policy_name_id id = (enum zl_policy_name_id)i;

		if (!zl_point_has_name(p, id)) {
			continue;
		}
		zl_policy_name_word(id, word);
		if (o->known[id]) {
			zl_format(line, sizeof(line), "%s = %D: %s", word, o->value[id],
				zl_policy_name(id)->meaning);
		} else {
			zl_format(line, sizeof(line), "%s: %s", word, zl_policy_name(id)->meaning);
		}
		zl_buf_str(&out->text, "    ");
		output_wrap(out, 6, line);
	}
}

static void print_force(const struct zl_policy_set *set, enum zl_point p,
	const struct zl_switches *sw, struct output *out)
{
	const struct zl_point_rule *rule = zl_point_rule(p, sw);

	if (rule == NULL) {
		zl_buf_fmt(&out->text, "  In force: nothing; design %s has no such rule.\n",
			zl_design_name(sw->design));
	} else if (!zl_policy_has(set, p)) {
		zl_buf_fmt(&out->text,
			"  In force: the rule of %s; policy %s = EXPR replaces it.\n", rule->when,
			zl_point_info(p)->name);
	} else {
		const char *shipped = set->policy[p].shipped;

		zl_buf_fmt(&out->text, "  In force: a policy%s%s (%s):\n    ",
			shipped != NULL ? ", " : "", shipped != NULL ? shipped : "",
			zl_origin_name(set->policy[p].origin));
		output_wrap(out, 4, set->policy[p].text);
	}
}

void explain_point_print(const struct app *app, enum zl_point p, struct output *out)
{
	const struct value_in in = app_values(app);
	const struct zl_switches *sw = &in.machine->switches;
	struct operands o;

	operands_of(&in, &o);
	print_head(p, out);
	print_force(&in.profile->policies, p, sw, out);
	zl_buf_str(&out->text, "  Rules:\n");
	print_rules(p, zl_point_rule(p, sw), out);
	print_names(p, &o, out);
}

void explain_point_json(const struct app *app, enum zl_point p, struct zl_json *object)
{
	const struct value_in in = app_values(app);
	const struct zl_point_info *info = zl_point_info(p);
	const struct zl_policy_set *set = &in.profile->policies;
	struct operands o;
	char word[ZL_EXPR_NAME_MAX];
	struct zl_json *list;

	operands_of(&in, &o);
	zl_json_add_string(object, "name", info->name);
	zl_json_add_string(object, "type", info->type);
	zl_json_add_string(object, "target", info->target);
	zl_json_add_string(object, "function", info->function);
	zl_json_add_string(object, "meaning", info->meaning);
	zl_json_add_string(object, "in_force", zl_policy_text(set, p, &in.machine->switches));
	zl_json_add_bool(object, "by_policy", zl_policy_has(set, p));
	list = zl_json_add_array(object, "rules");
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);

		if (r->point == p) {
			struct zl_json *row = zl_json_push_object(list);
			zl_json_add_string(row, "when", r->when);
			zl_json_add_string(row, "expression", r->expression);
			zl_json_add_string(row, "source", r->source);
		}
	}
	list = zl_json_add_array(object, "names");
	for (unsigned i = 0; i < ZL_POLICY_NAMES; i++) {
		if (zl_point_has_name(p, (enum zl_policy_name_id)i)) {
			struct zl_json *row = zl_json_push_object(list);
			zl_json_add_string(
				row, "name", zl_policy_name_word((enum zl_policy_name_id)i, word));
			zl_json_add_string(
				row, "meaning", zl_policy_name((enum zl_policy_name_id)i)->meaning);
			if (o.known[i]) {
				zl_json_add_int(row, "value", o.value[i]);
			} else {
				zl_json_add_null(row, "value");
			}
		}
	}
}
