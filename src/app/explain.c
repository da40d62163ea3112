/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include <string.h>

#include "facts.h"
#include "glossary.h"
#include "setting_facts.h"
#include "zonelab/text.h"

static const char *unit_name(enum value_kind kind)
{
	switch (kind) {
	case VALUE_KIND_PAGES:
		return "pages";
	case VALUE_KIND_KIB:
		return "KiB";
	case VALUE_KIND_ORDER:
	case VALUE_KIND_BYTES:
	case VALUE_KIND_COUNT:
	case VALUE_KIND_BOOL:
	case VALUE_KIND_YES:
		return "";
	}
	return "";
}

static bool is_setting(unsigned id)
{
	return id >= VALUE_SETTING_BASE && id < VALUE_SETTING_BASE + ZL_SETTING_COUNT;
}

static const char *origin_of(const struct value_in *in, unsigned id)
{
	if (id == VALUE_RESERVE_ASKED) {
		return "given"; /* by a file or by hand */
	}
	if (!is_setting(id)) {
		return id == VALUE_MANAGED || id == VALUE_PRESENT
			       ? (in->machine->idealised ? "idealised" : "file")
			       : "derived";
	}
	enum zl_setting key = (enum zl_setting)(id - VALUE_SETTING_BASE);
	return setting_origin(&in->profile->settings, key);
}

/* "default: smallest page size of arm64": the rule with what it follows from. */
static void default_text(const struct value_in *in, enum zl_setting key, char *buf, size_t size)
{
	char follows[240];

	formula_text(in, VALUE_NONE, setting_facts(key)->follows, follows, sizeof(follows));
	zl_format(buf, size, "default: %s",
		follows[0] != '\0' ? follows : zl_setting_info(key)->dflt);
}

static void fill_input(const struct value_in *in, unsigned id, struct explain_input *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->id = id;
	zl_format(ret->name, sizeof(ret->name), "%s", value_name(id));
	value_text(in, id, ret->value, sizeof(ret->value));
	zl_format(ret->origin, sizeof(ret->origin), "%s", origin_of(in, id));
	if (is_setting(id)) {
		default_text(
			in, (enum zl_setting)(id - VALUE_SETTING_BASE), ret->how, sizeof(ret->how));
	} else if (id != VALUE_NONE) {
		const char *t = value_formula(in, (enum value_id)id, FORMULA_FULL);
		formula_text(in, (enum value_id)id, t, ret->how, sizeof(ret->how));
	}
}

static void fill_inputs(const struct value_in *in, struct explain *e)
{
	struct formula_piece pieces[FORMULA_PIECES];
	size_t n = formula_fill(in, (enum value_id)e->id, e->template, pieces);

	for (size_t i = 0; i < n; i++) {
		bool seen = !pieces[i].operand || pieces[i].id == VALUE_NONE;
		for (size_t j = 0; j < e->nr_inputs; j++) {
			seen = seen || e->input[j].id == pieces[i].id;
		}
		if (!seen && e->nr_inputs < EXPLAIN_INPUTS) {
			fill_input(in, pieces[i].id, &e->input[e->nr_inputs++]);
		}
	}
}

/* The same pageset under another release's rules: what exists, and the threshold. */
static void under_design(struct zl_pageset_view *p, enum zl_design_id design)
{
	const int32_t low = p->tuned ? p->high_min : p->high;

	p->tuned = design > ZL_DESIGN_A_CAP;
	p->threshold_exists = design > ZL_DESIGN_A514;
	p->high_min = low;
	p->high = p->tuned ? p->high : low;
	p->threshold = design <= ZL_DESIGN_A_CAP ? low
		       : design == ZL_DESIGN_B	 ? p->batch
						 : p->batch + low / 2;
}

/* What the machine would say under another release, everything else as it is. */
static void answer_under(const struct value_in *in, const char *release, enum value_id id,
	struct explain_release *ret)
{
	struct zl_profile p = *in->profile; /* borrows the zones */
	struct zl_machine m;
	struct zl_diags diags = {0};
	struct value_in at = {.profile = &p, .machine = &m, .zone = in->zone};
	struct zl_pageset_view pageset;
	struct facts facts;
	int64_t number = 0;

	memset(ret, 0, sizeof(*ret));
	(void)zl_settings_set(&p.settings, ZL_SET_KERNEL, release, ZL_ORIGIN_LANE, NULL);
	zl_machine_resolve(&p, &m, &diags);
	if (in->facts != NULL && in->facts->pageset != NULL) {
		pageset = *in->facts->pageset;
		facts = *in->facts;
		under_design(&pageset, m.switches.design);
		facts.pageset = &pageset;
		at.facts = &facts;
	}
	zl_format(ret->first, sizeof(ret->first), "%s", release);
	value_text(&at, id, ret->value, sizeof(ret->value));
	formula_text(
		&at, id, value_formula(&at, id, FORMULA_FULL), ret->formula, sizeof(ret->formula));
	if (!value_get(&at, id, &number)) {
		zl_format(ret->formula, sizeof(ret->formula), "%s",
			id == VALUE_THRESHOLD || id == VALUE_RUN_THRESHOLD ? "no free_high"
									   : "does not exist");
	}
}

static bool precedes(const char *a, const struct zl_release *b)
{
	struct zl_release r;

	return zl_release_parse(a, &r) == 0 && zl_release_compare(&r, b) <= 0;
}

/* A run ends with the release before the next one starts. */
static void end_runs(struct explain *e)
{
	for (size_t i = 0; i + 1 < e->nr_releases; i++) {
		struct zl_release next;
		const char *first = e->release[i + 1].first;
		const char *before = NULL;

		(void)zl_release_parse(first, &next);
		for (size_t b = 0;
			b < zl_breakpoint_count() && strcmp(zl_breakpoint(b), first) != 0; b++) {
			before = zl_breakpoint(b);
		}
		if (next.minor > 0) {
			zl_format(e->release[i].last, sizeof(e->release[i].last), "%u.%u",
				(unsigned)next.major, (unsigned)next.minor - 1);
		} else {
			zl_format(e->release[i].last, sizeof(e->release[i].last), "%s",
				before != NULL ? before : "");
		}
		if (strcmp(e->release[i].last, e->release[i].first) == 0) {
			e->release[i].last[0] = '\0';
		}
	}
}

/*
 * Marks the run that the release in force is in. A stable release that answers otherwise than the
 * mainline release of its number gets a run of its own.
 */
static void mark_present(const struct value_in *in, struct explain *e)
{
	struct explain_release now;

	answer_under(in, in->machine->release.display, (enum value_id)e->id, &now);
	for (size_t i = e->nr_releases; i > 0; i--) {
		struct explain_release *run = &e->release[i - 1];

		if (!precedes(run->first, &in->machine->release)) {
			continue;
		}
		if (strcmp(run->value, now.value) == 0 && strcmp(run->formula, now.formula) == 0) {
			run->present = true;
			return;
		}
		if (e->nr_releases == EXPLAIN_RELEASES) {
			return;
		}
		memmove(run + 2, run + 1, (e->nr_releases - i) * sizeof(*run));
		run[1] = now;
		run[1].present = true;
		e->nr_releases++;
		return;
	}
}

static void fill_releases(const struct value_in *in, struct explain *e)
{
	size_t n = zl_breakpoint_count();
	struct explain_release next;

	for (size_t i = 0; i < n && e->nr_releases < EXPLAIN_RELEASES; i++) {
		answer_under(in, zl_breakpoint(i), (enum value_id)e->id, &next);
		struct explain_release *last =
			e->nr_releases > 0 ? &e->release[e->nr_releases - 1] : NULL;
		if (last == NULL || strcmp(last->value, next.value) != 0 ||
			strcmp(last->formula, next.formula) != 0) {
			e->release[e->nr_releases++] = next;
		}
	}
	end_runs(e);
	mark_present(in, e);
	if (e->nr_releases == 1) {
		e->nr_releases = 0;
	}
}

static void explain_value(const struct value_in *in, struct explain *e)
{
	enum value_id id = (enum value_id)e->id;
	const struct value_info *info = value_info(id);

	zl_format(e->unit, sizeof(e->unit), "%s", unit_name(info->kind));
	zl_format(e->definition, sizeof(e->definition), "%s", info->definition);
	zl_format(e->source, sizeof(e->source), "%s", info->source);
	zl_format(e->simplified, sizeof(e->simplified), "%s", info->simplified);
	enum zl_setting key = zl_setting_find(info->name);
	if (key != ZL_SETTING_COUNT) {
		zl_format(e->kernel, sizeof(e->kernel), "%s", setting_facts(key)->kernel);
	}
	e->template = value_formula(in, id, FORMULA_FULL);
	formula_text(in, id, e->template, e->formula, sizeof(e->formula));
	fill_inputs(in, e);
	fill_releases(in, e);
}

static void explain_setting(const struct value_in *in, struct explain *e)
{
	enum zl_setting key = (enum zl_setting)(e->id - VALUE_SETTING_BASE);
	const struct zl_setting_info *info = zl_setting_info(key);
	const struct setting_facts *facts = setting_facts(key);
	struct zl_text t;
	char dflt[sizeof(e->formula)];

	zl_format(e->definition, sizeof(e->definition), "%s.", info->help);
	zl_format(e->kernel, sizeof(e->kernel), "%s", facts->kernel);
	e->template = facts->follows;
	default_text(in, key, dflt, sizeof(dflt));
	zl_text_init(&t, e->formula, sizeof(e->formula));
	zl_text_fmt(&t, "%s; %s", setting_origin(&in->profile->settings, key), dflt);
	if (info->type == ZL_TYPE_WORD) {
		zl_text_fmt(&t, "; one of: %s", info->words);
	} else if (info->type == ZL_TYPE_COUNT) {
		zl_text_fmt(&t, "; %D to %D", info->min, info->max);
	}
	zl_format(e->unit, sizeof(e->unit), "%s", info->type == ZL_TYPE_COUNT ? info->unit : "");
	/* Words and texts have none. */
	e->has_number = (info->type == ZL_TYPE_COUNT || info->type == ZL_TYPE_BYTES) &&
			setting_number(in, key, &e->number);
	fill_inputs(in, e);
}

/* Whether the formula of a value has the id among its operands. */
static bool feeds(const struct value_in *in, unsigned id, enum value_id value)
{
	struct formula_piece pieces[FORMULA_PIECES];
	size_t n = formula_fill(in, value, value_formula(in, value, FORMULA_FULL), pieces);

	for (size_t i = 0; i < n; i++) {
		if (pieces[i].operand && pieces[i].id == id) {
			return true;
		}
	}
	return false;
}

static void fill_feeds(const struct value_in *in, struct explain *e)
{
	for (unsigned v = 1; v < VALUE_COUNT && e->nr_feeds < EXPLAIN_FEEDS; v++) {
		if (v != e->id && feeds(in, e->id, (enum value_id)v)) {
			e->feeds[e->nr_feeds++] = v;
		}
	}
}

static void explain_diag(const struct value_in *in, struct explain *e)
{
	(void)in;
	zl_format(e->definition, sizeof(e->definition), "%s.",
		zl_diag_meaning((enum zl_diag_code)(e->id - VALUE_DIAG_BASE)));
}

bool explain_fill(const struct value_in *in, unsigned id, struct explain *ret)
{
	if (id >= VALUE_METRIC_BASE) {
		return glossary_explain(in, id, ret);
	}
	memset(ret, 0, sizeof(*ret));
	ret->id = id;
	ret->template = "";
	zl_format(ret->name, sizeof(ret->name), "%s", value_name(id));
	if (ret->name[0] == '\0') {
		return false;
	}
	if (id >= VALUE_DIAG_BASE && id < VALUE_DIAG_BASE + ZL_DIAG_COUNT) {
		explain_diag(in, ret);
		return true;
	}
	value_text(in, id, ret->value, sizeof(ret->value));
	if (is_setting(id)) {
		explain_setting(in, ret);
	} else {
		ret->has_number = value_get(in, (enum value_id)id, &ret->number);
		explain_value(in, ret);
	}
	fill_feeds(in, ret);
	return true;
}
