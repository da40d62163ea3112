/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "glossary.h"

#include <string.h>

#include "sweep.h"
#include "terms.h"
#include "ui.h"
#include "zonelab/event.h"
#include "zonelab/metrics.h"
#include "zonelab/policy.h"
#include "zonelab/text.h"

/* What the tables say of one name. */
struct entry {
	const char *name, *unit;
	const char *definition, *more; /* a sentence, and a second one */
	const char *made;
	const char *source;
};

static size_t count_values(void)
{
	return VALUE_COUNT - 1;
}

static size_t count_settings(void)
{
	return ZL_SETTING_COUNT;
}

static size_t count_diags(void)
{
	return ZL_DIAG_COUNT;
}

static void at_value(const struct value_in *in, size_t i, struct entry *ret)
{
	const struct value_info *v = value_info((enum value_id)(i + 1));

	(void)in;
	ret->name = v->name;
	ret->definition = v->definition;
	ret->more = v->label;
}

static void at_setting(const struct value_in *in, size_t i, struct entry *ret)
{
	const struct zl_setting_info *s = zl_setting_info((enum zl_setting)i);

	(void)in;
	ret->name = s->key;
	ret->definition = s->help;
}

static void at_diag(const struct value_in *in, size_t i, struct entry *ret)
{
	(void)in;
	ret->name = zl_diag_name((enum zl_diag_code)i);
	ret->definition = zl_diag_meaning((enum zl_diag_code)i);
}

/* ---- metrics: of runs, of the estimate, of pools ---- */

static size_t figures(const struct sweep_figure *(*figure)(size_t i))
{
	size_t n = 0;

	while (figure(n) != NULL) {
		n++;
	}
	return n;
}

static size_t count_metrics(void)
{
	return zl_metric_count() + figures(sweep_estimate_figure) + figures(sweep_pool_figure);
}

static void at_figure(const struct sweep_figure *f, const char *made, struct entry *ret)
{
	ret->name = f->name;
	ret->unit = f->unit;
	ret->definition = f->help;
	ret->made = made;
	ret->source = "the run, not the kernel; only `sweep` follows it";
}

static void at_metric(const struct value_in *in, size_t i, struct entry *ret)
{
	const size_t runs = zl_metric_count(), estimates = figures(sweep_estimate_figure);

	(void)in;
	if (i < runs) {
		struct term t;

		term_of_metric(i, &t);
		ret->name = t.name;
		ret->unit = t.unit;
		ret->definition = t.definition;
		ret->made = t.made;
		ret->source = t.source;
	} else if (i < runs + estimates) {
		at_figure(sweep_estimate_figure(i - runs),
			"an estimate of the model, never a measurement; see `explain estimate`",
			ret);
	} else {
		at_figure(sweep_pool_figure(i - runs - estimates),
			"of the pools of `sweep reserve` as they are planned", ret);
	}
}

/* ---- events, points, policies, designs, terms ---- */

static size_t count_events(void)
{
	return ZL_REASON_COUNT;
}

static void at_event(const struct value_in *in, size_t i, struct entry *ret)
{
	(void)in;
	ret->name = zl_reason_name((enum zl_reason)i);
	ret->definition = zl_reason_sentence((enum zl_reason)i);
	ret->source = zl_reason_source((enum zl_reason)i);
}

static size_t count_points(void)
{
	return ZL_POINT_COUNT;
}

static void at_point(const struct value_in *in, size_t i, struct entry *ret)
{
	const struct zl_point_info *p = zl_point_info((enum zl_point)i);
	const struct zl_point_rule *rule = NULL;

	ret->name = p->name;
	ret->definition = p->meaning;
	if (in != NULL) {
		rule = zl_point_rule((enum zl_point)i, &in->machine->switches);
		const char *text = zl_policy_text(
			&in->profile->policies, (enum zl_point)i, &in->machine->switches);

		ret->made = text != NULL ? text : "no such rule in this release";
	}
	ret->source = rule != NULL ? rule->source : p->function;
}

static size_t count_policies(void)
{
	return zl_shipped_policy_count();
}

static void at_policy(const struct value_in *in, size_t i, struct entry *ret)
{
	const struct zl_shipped_policy *p = zl_shipped_policy_at(i);

	(void)in;
	ret->name = p->name;
	ret->definition = p->question;
	ret->more = p->status;
	ret->made = p->text;
	ret->source = p->source;
}

static size_t count_designs(void)
{
	return ZL_DESIGN_COUNT - ZL_DESIGN_A514;
}

static void at_design(const struct value_in *in, size_t i, struct entry *ret)
{
	const enum zl_design_id d = (enum zl_design_id)(ZL_DESIGN_A514 + i);

	(void)in;
	ret->name = zl_design_name(d);
	ret->definition = zl_design_summary(d);
	ret->more = zl_design_releases(d);
	ret->source = "mm/page_alloc.c of these releases; see `list releases`";
}

static void at_term(const struct value_in *in, size_t i, struct entry *ret)
{
	const struct term *t = term_at(i);

	(void)in;
	ret->name = t->name;
	ret->unit = t->unit;
	ret->definition = t->definition;
	ret->made = t->made;
	ret->source = t->source;
}

/* In the order of the glossary. The first id of a kind stands beside it. */
static const struct {
	const char *noun;
	unsigned base;
	size_t (*count)(void);
	void (*at)(const struct value_in *in, size_t i, struct entry *ret);
} kinds[] = {
	{"a value",	    1,		       count_values,   at_value  },
	{"a setting",	      VALUE_SETTING_BASE, count_settings, at_setting},
	{"a metric",	     VALUE_METRIC_BASE,	count_metrics,  at_metric },
	{"an event",	     VALUE_EVENT_BASE,   count_events,   at_event  },
	{"a decision point", VALUE_POINT_BASE,   count_points,   at_point  },
	{"a policy",	     VALUE_POLICY_BASE,	count_policies, at_policy },
	{"a design",	     VALUE_DESIGN_BASE,	count_designs,  at_design },
	{"a term",	   VALUE_TERM_BASE,    term_count,	at_term   },
	{"a diagnostic",	 VALUE_DIAG_BASE,	  count_diags,    at_diag   },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Index of the kind of an id, NR_KINDS if there is none. */
static size_t kind_of(unsigned id)
{
	size_t k = 0;

	while (k < NR_KINDS && (id < kinds[k].base || id - kinds[k].base >= kinds[k].count())) {
		k++;
	}
	return k;
}

static bool look(const struct value_in *in, unsigned id, struct entry *ret)
{
	const size_t k = kind_of(id);

	*ret = (struct entry){"", "", "", "", "", ""};
	if (k == NR_KINDS) {
		return false;
	}
	kinds[k].at(in, id - kinds[k].base, ret);
	return true;
}

size_t glossary_count(void)
{
	size_t n = 0;

	for (size_t k = 0; k < NR_KINDS; k++) {
		n += kinds[k].count();
	}
	return n;
}

unsigned glossary_at(size_t row)
{
	for (size_t k = 0; k < NR_KINDS; k++) {
		const size_t n = kinds[k].count();

		if (row < n) {
			return kinds[k].base + (unsigned)row;
		}
		row -= n;
	}
	return VALUE_NONE;
}

const char *glossary_kind(unsigned id)
{
	const size_t k = kind_of(id);

	return k < NR_KINDS ? kinds[k].noun : "";
}

const char *glossary_name(unsigned id)
{
	struct entry e;

	(void)look(NULL, id, &e);
	return e.name;
}

unsigned glossary_find(const char *name)
{
	/* A label of a screen gives way to a name of another kind. */
	static const unsigned order[] = {VALUE_SETTING_BASE, VALUE_TERM_BASE, VALUE_METRIC_BASE,
		VALUE_EVENT_BASE, VALUE_DESIGN_BASE, VALUE_POLICY_BASE};
	const unsigned id = value_find(name);

	if (strcmp(value_name(id), name) == 0 && name[0] != '\0') {
		return id;
	}
	for (size_t o = 0; o < sizeof(order) / sizeof(order[0]); o++) {
		for (unsigned i = order[o]; kind_of(i) < NR_KINDS; i++) {
			if (strcmp(glossary_name(i), name) == 0) {
				return i;
			}
		}
	}
	return id;
}

bool glossary_matches(unsigned id, const char *what)
{
	struct entry e;

	return look(NULL, id, &e) && (ui_contains(e.name, what) || ui_contains(e.more, what) ||
					     ui_contains(e.definition, what));
}

unsigned glossary_point(unsigned id)
{
	return id >= VALUE_POINT_BASE && id < VALUE_POINT_BASE + ZL_POINT_COUNT
		       ? id - VALUE_POINT_BASE
		       : ZL_POINT_COUNT;
}

/* A clause of a table as a sentence. */
static void sentence(struct zl_text *t, const char *clause)
{
	const size_t n = strlen(clause);
	const char end = n > 0 ? clause[n - 1] : '.';

	if (n == 0) {
		return;
	}
	zl_text_fmt(
		t, "%s%s%s", t->len > 0 ? " " : "", clause, end == '.' || end == '?' ? "" : ".");
}

bool glossary_explain(const struct value_in *in, unsigned id, struct explain *ret)
{
	struct entry e;
	struct zl_text t;

	memset(ret, 0, sizeof(*ret));
	ret->template = "";
	if (id < VALUE_METRIC_BASE || !look(in, id, &e)) {
		return false;
	}
	ret->id = id;
	zl_format(ret->name, sizeof(ret->name), "%s", e.name);
	zl_format(ret->unit, sizeof(ret->unit), "%s", e.unit);
	zl_text_init(&t, ret->definition, sizeof(ret->definition));
	sentence(&t, e.definition);
	sentence(&t, e.more);
	const char *equal = id >= VALUE_POLICY_BASE ? strstr(e.made, " = ") : NULL;
	if (equal != NULL && strchr(e.made, ';') == NULL) {
		zl_text_str(&t, " It replaces ");
		zl_text_strn(&t, e.made, (size_t)(equal - e.made));
		zl_text_chr(&t, '.');
		e.made = equal + 3;
	}
	zl_format(ret->formula, sizeof(ret->formula), "%s", e.made);
	zl_format(ret->source, sizeof(ret->source), "%s", e.source);
	return true;
}
