/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: macros and variables that the patches themselves give a value.
 */
#include <string.h>

#include "binder.h"

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

void bind_claim_defines(struct binder *b, const char *name)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (bind_next_hunk(&w, &at)) {
		for (at.side = 0; at.side < 2; at.side++) {
			const struct c_facts *facts = bind_facts(&at);

			for (at.fact = 0; at.fact < facts->nr_facts; at.fact++) {
				if (is_define(&facts->fact[at.fact], name)) {
					bind_claim(b, &at);
				}
			}
		}
	}
}
