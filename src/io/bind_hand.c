/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: changes that a user binds by hand.
 */
#include <errno.h>

#include "binder.h"

static bool covers(const struct bind_hunk *h, const struct c_fact *f, uint32_t line)
{
	for (uint32_t r = f->first; r <= f->last && r < h->h->nr_lines; r++) {
		if (h->h->lines[r].line == line && h->h->lines[r].kind != ZL_PATCH_CONTEXT) {
			return true;
		}
	}
	return false;
}

/* The old side of a statement that is bound by hand. */
static bool old_side(const struct bind_at *at, struct bind_at *ret)
{
	const struct bind_hunk *h = &at->file->hunk[at->hunk];

	*ret = (struct bind_at){at->file, at->hunk, 0, SIDE_OLD};
	for (; ret->fact < h->side[SIDE_OLD].nr_facts; ret->fact++) {
		const struct c_fact *old = bind_fact(ret);

		if (bind_is_changed(h->h, old, SIDE_OLD) && bind_fits(old, bind_fact(at), true) &&
			!bind_is_settled(h, old, SIDE_OLD, false)) {
			return true;
		}
	}
	return false;
}

/* The whole rule of the point, where the old side is a part of it; NULL = it is not. */
static const char *in_rule(struct binder *b, const struct bind_at *at, struct zl_bind_hand *hand,
	const struct zl_point_rule **ret)
{
	struct bind_match m[BIND_RULES_MAX];
	struct bind_at old;
	size_t n = old_side(at, &old) ? bind_rules_anywhere(b, &old, at, m) : 0;

	while (n-- > 0) {
		if (m[n].point == hand->point && m[n].before == NULL) {
			*ret = m[n].rule;
			return bind_written(b, m[n].after);
		}
	}
	return NULL;
}

static void hand_change(struct binder *b, struct zl_bind_hand *hand, const struct bind_at *at)
{
	struct bind_hunk *h = &at->file->hunk[at->hunk];
	const struct c_fact *f = bind_fact(at);
	const char *text = hand->expression;
	const struct zl_point_rule *rule = NULL;
	struct bind_at old;
	struct zl_change *c;

	b->why = NULL;
	if (text == NULL && f->expr != NULL && at->side == SIDE_NEW) {
		text = in_rule(b, at, hand, &rule);
	}
	if (text == NULL && f->expr != NULL) {
		const struct c_node *n = bind_instantiate(b, at, hand->point, NULL, f->expr);

		text = n != NULL ? bind_written(b, n) : NULL;
	}
	text = bind_too_large(b) ? NULL : text;
	if (text == NULL || !bind_compiles(b, hand->point, text)) {
		zl_error_set(b->err, hand->line, 0,
			"it cannot be bound to %s: %s; write %u=%s=EXPRESSION",
			zl_point_info(hand->point)->name,
			b->why != NULL ? b->why : "it is no expression", hand->line,
			zl_point_info(hand->point)->name);
		b->failed = -EINVAL;
		return;
	}
	c = bind_add(b, ZL_CHANGE_RULE, at->file, h->h, bind_change_row(h, f));
	if (c != NULL) {
		c->point = hand->point;
		c->rule = rule;
		c->place.function = f->function;
		c->old_code = "";
		c->new_code = bind_fact_text(b, f);
		c->after = bind_print(b, "%s", text);
		c->by_hand = true;
		c->note = "bound by hand";
		bind_set_lines(h, f, SIDE_OLD, NULL);
		bind_set_lines(h, f, SIDE_NEW, NULL);
		if (old_side(at, &old)) {
			bind_set_lines(h, bind_fact(&old), SIDE_OLD, NULL);
		}
		hand->used = true;
	}
}

static void hand_on_side(struct binder *b, struct zl_bind_hand *hand, struct bind_at at)
{
	const struct bind_hunk *h = &at.file->hunk[at.hunk];
	const struct c_facts *facts = &h->side[at.side];

	for (; at.fact < facts->nr_facts; at.fact++) {
		if (covers(h, &facts->fact[at.fact], hand->line) &&
			(at.side == SIDE_NEW || hand->expression != NULL)) {
			hand_change(b, hand, &at);
			return;
		}
	}
}

static void bind_hand_in(struct binder *b, struct zl_bind_hand *hand, struct bind_file *f)
{
	for (size_t i = 0; i < f->file->nr_hunks; i++) {
		for (unsigned side = 2; side-- > 0 && !hand->used && b->failed == 0;) {
			hand_on_side(b, hand, (struct bind_at){f, i, 0, side});
		}
	}
}

void bind_by_hand(struct binder *b)
{
	for (size_t i = 0; i < b->nr_hand && b->failed == 0; i++) {
		for (size_t k = 0; k < b->nr_files && b->failed == 0; k++) {
			struct bind_file *f = &b->file[k];

			if (f->code && f->patch->message->source == b->hand[i].source) {
				bind_hand_in(b, &b->hand[i], f);
			}
		}
		if (!b->hand[i].used && b->failed == 0) {
			zl_error_set(b->err, b->hand[i].line, 0,
				"no changed statement of C stands on this line; the list of what "
				"is "
				"not modelled has the lines");
			b->failed = -EINVAL;
		}
	}
}
