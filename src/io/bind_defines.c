/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: macros and variables that the patches themselves give a value.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

static bool is_define(const struct c_fact *f, const char *name)
{
	bool constant = f->kind == C_FACT_ASSIGN && f->file_scope && f->declaration;

	return (f->kind == C_FACT_MACRO || constant) && strcmp(f->lhs, name) == 0 &&
	       f->expr != NULL;
}

const struct c_node *bind_find_define(struct binder *b, const char *name, bool *ret_several)
{
	struct bind_hunks w = {.b = b};
	const struct zl_patch *patch = NULL;
	const struct c_node *ret = NULL;
	struct bind_at at;

	*ret_several = false;
	while (bind_next_hunk(&w, &at)) {
		const struct c_facts *facts = bind_facts(&at);

		for (size_t k = 0; k < facts->nr_facts; k++) {
			if (is_define(&facts->fact[k], name)) {
				const struct c_node *value = facts->fact[k].expr;

				*ret_several = (patch == at.file->patch &&
						       (*ret_several || !c_same(ret, value))) ||
					       bind_under_directive(&at.file->hunk[at.hunk],
						       &facts->fact[k], SIDE_NEW);
				patch = at.file->patch;
				ret = value;
			}
		}
	}
	return ret;
}

void bind_claim(const struct binder *b, const struct bind_at *at)
{
	struct bind_hunk *h = &at->file->hunk[at->hunk];
	const struct c_fact *f = bind_fact(at);

	for (uint32_t r = f->first; !b->trial && r <= f->last && r < h->h->nr_lines; r++) {
		h->claimed[r] = true;
	}
}

/* Of one side of a hunk. */
static void claim_defines_of(const struct binder *b, struct bind_at *at, const char *name)
{
	const struct c_facts *facts = bind_facts(at);

	for (at->fact = 0; at->fact < facts->nr_facts; at->fact++) {
		if (is_define(&facts->fact[at->fact], name)) {
			bind_claim(b, at);
		}
	}
}

void bind_claim_defines(struct binder *b, const char *name)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (bind_next_hunk(&w, &at)) {
		for (at.side = 0; at.side < 2; at.side++) {
			claim_defines_of(b, &at, name);
		}
	}
}

/* --- variables that are settings --- */

static const struct {
	const char *name;
	enum zl_setting setting;
	int64_t value; /* in every release */
} defaults[] = {
	{"CONFIG_PCP_BATCH_SCALE_MAX",    ZL_SET_BATCH_SCALE_MAX,	       5	},
	{"watermark_scale_factor",	   ZL_SET_WATERMARK_SCALE_FACTOR, 10   },
	{"watermark_boost_factor",	   ZL_SET_WATERMARK_BOOST_FACTOR, 15000},
	{"percpu_pagelist_high_fraction", ZL_SET_HIGH_FRACTION,		0	 },
};

bool bind_is_odd_default(enum zl_setting setting, const char *value)
{
	char text[32];

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
		if (defaults[i].setting == setting) {
			zl_format(text, sizeof(text), "%D", defaults[i].value);
			return strcmp(value, text) != 0;
		}
	}
	return false;
}

bool bind_variable_default(struct binder *b, const struct bind_at *old, const struct bind_at *now)
{
	const struct c_fact *f = bind_fact(old), *g = bind_fact(now);
	struct bind_hunk *h = &now->file->hunk[now->hunk];
	size_t i = 0;
	struct zl_change *c;

	while (i < sizeof(defaults) / sizeof(defaults[0]) &&
		strcmp(defaults[i].name, f->lhs) != 0) {
		i++;
	}
	if (i == sizeof(defaults) / sizeof(defaults[0]) || !f->file_scope ||
		f->expr->op != C_NUMBER || g->expr->op != C_NUMBER) {
		return false;
	}
	c = bind_add(b, ZL_CHANGE_DEFAULT, now->file, h->h, bind_change_row(h, g));
	if (c != NULL) {
		c->setting = defaults[i].setting;
		c->old_code = c->before = bind_written(b, f->expr);
		c->new_code = c->after = bind_written(b, g->expr);
		bind_set_lines(&old->file->hunk[old->hunk], f, SIDE_OLD, NULL);
		bind_set_lines(h, g, SIDE_NEW, NULL);
	}
	return c != NULL;
}
