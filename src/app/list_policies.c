/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `list decision-points` and `list policies`.
 */
#include "list.h"
#include "zonelab/policy.h"
#include "zonelab/text.h"

static void names_text(enum zl_point p, char *buf, size_t size)
{
	struct zl_text t;
	char word[ZL_EXPR_NAME_MAX];

	zl_text_init(&t, buf, size);
	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		if (zl_point_has_name(p, (enum zl_policy_name_id)id)) {
			zl_policy_name_word((enum zl_policy_name_id)id, word);
			zl_text_fmt(&t, t.len > 0 ? " %s" : "%s", word);
		}
	}
}

void list_decision_points(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"when",	 "when",	 false},
		{"type",	 NULL,	       false},
		{"target",	   NULL,	 false},
		{"stage",	  NULL,		false},
		{"expression", "expression", false},
		{"function",   NULL,	   false},
		{"source",	   NULL,	 false},
		{"names",	  NULL,		false},
		{"meaning",    NULL,	  false},
	};
	char names[1024];
	struct table t;

	list_start(&t, l, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);
		const struct zl_point_info *info = zl_point_info(r->point);

		names_text(r->point, names, sizeof(names));
		table_text(&t, info->name);
		table_text(&t, r->when);
		table_text(&t, info->type);
		table_text(&t, info->target);
		table_text(&t, info->stage == ZL_POINT_OP ? "op" : "machine");
		table_text(&t, r->expression);
		table_text(&t, info->function);
		table_text(&t, r->source);
		table_text(&t, names);
		table_text(&t, info->meaning);
	}
	table_print(&t);
}

void list_shipped_policies(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",			 false},
		{"policy",   NULL,			 false},
		{"status",   NULL,			 false},
		{"source",   NULL,			 false},
		{"question", NULL,			   false},
		{"about",	  "policy, status, question", false},
	};
	char about[1536];
	struct table t;

	list_start(&t, l, columns, sizeof(columns) / sizeof(columns[0]) - (list_pages(l) ? 0 : 1));
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		const struct zl_shipped_policy *p = zl_shipped_policy_at(i);

		table_text(&t, p->name);
		table_text(&t, p->text);
		table_text(&t, p->status);
		table_text(&t, p->source);
		table_text(&t, p->question);
		if (list_pages(l)) {
			zl_format(about, sizeof(about), "%s. %s (%s). %s", p->text, p->status,
				p->source, p->question);
			table_text(&t, about);
		}
	}
	table_print(&t);
}
