/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: a drain in one go that becomes a loop of pieces, or the other way. On the one side stands
 * a call that gives back all of an amount, on the other one in a loop that gives back the smaller
 * of what is left and a piece:
 *
 *	to_free = nr_pcp_free(...);		do {
 *	free_pcppages_bulk(zone, to_free, ...);		now = min(to_free, batch);
 *							free_pcppages_bulk(zone, now, ...);
 *							to_free -= now;
 *						} while (to_free > 0);
 *
 * The piece is the rule. What else the loop does (letting go of locks between pieces) is listed.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/policy.h"

#define DRAIN_CALL "free_pcppages_bulk"

/* The call of one side of a function, and what it gives back. */
struct drain {
	struct bind_at at;
	const struct c_node *amount; /* with the temporary that holds it replaced */
	const struct c_node *piece;  /* NULL = all at once */
	const char *left;	     /* what is counted down in the loop, "" = all at once */
	const char *temporary;	     /* that holds the amount, "" = none */
};

static bool point_of(const char *function, enum zl_point *ret)
{
	static const struct {
		const char *function;
		enum zl_point point;
	} points[] = {
		{"free_unref_page_commit",  ZL_POINT_DRAIN_CHUNK     },
		{"free_frozen_page_commit", ZL_POINT_DRAIN_CHUNK	},
		{"decay_pcp_high",	   ZL_POINT_DECAY_CHUNK     },
		{"drain_pages_zone",	     ZL_POINT_FULL_DRAIN_CHUNK},
		{"drain_pages",		ZL_POINT_FULL_DRAIN_CHUNK},
	};

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		if (strcmp(points[i].function, function) == 0) {
			*ret = points[i].point;
			return true;
		}
	}
	return false;
}

static bool is_name(const struct c_node *n, const char *name)
{
	return n->op == C_NAME && strcmp(n->name, name) == 0;
}

/* "left -= x": counted down. */
static bool counted_down(const struct c_facts *facts, const char *function, const char *name)
{
	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *f = &facts->fact[i];
		bool here = f->kind == C_FACT_ASSIGN && f->expr != NULL &&
			    strcmp(f->function, function) == 0 && strcmp(f->lhs, name) == 0;

		for (unsigned k = 0; here && f->expr->op == C_SUM && k < f->expr->nr_kids; k++) {
			if (f->expr->kid[k]->op == C_NEGATE) {
				return true;
			}
		}
	}
	return false;
}

/* The expression that a name has last got before a fact; NULL = none in the hunk. */
static const struct c_node *value_of(const struct c_facts *facts, size_t before, const char *name)
{
	const struct c_node *ret = NULL;

	for (size_t i = 0; i < before; i++) {
		const struct c_fact *f = &facts->fact[i];

		if (f->kind == C_FACT_ASSIGN && f->expr != NULL && strcmp(f->lhs, name) == 0) {
			ret = f->expr;
		}
	}
	return ret;
}

static bool is_smaller_of_two(const struct c_node *n)
{
	return n->op == C_CALL && strcmp(n->name, "min") == 0 && n->nr_kids == 2;
}

static void find_piece(const struct c_facts *facts, struct drain *d)
{
	const struct c_fact *call = bind_fact(&d->at);
	const struct c_node *amount = d->amount, *value;

	if (amount->op == C_NAME) {
		value = value_of(facts, d->at.fact, amount->name);
		if (value != NULL && is_smaller_of_two(value)) {
			d->temporary = amount->name;
			amount = value;
		}
	}
	for (unsigned k = 0; is_smaller_of_two(amount) && k < 2; k++) {
		const struct c_node *left = amount->kid[1 - k];

		if (left->op == C_NAME && counted_down(facts, call->function, left->name)) {
			d->left = left->name;
			d->piece = amount->kid[k];
			return;
		}
	}
}

/* The changed drain of a side of a hunk, if there is exactly one. */
static bool find_drain(struct bind_file *f, size_t hunk, unsigned side, struct drain *ret)
{
	const struct bind_hunk *h = &f->hunk[hunk];
	const struct c_facts *facts = &h->side[side];
	unsigned n = 0;

	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *c = &facts->fact[i];

		if (c->kind != C_FACT_CALL || c->expr == NULL || c->expr->op != C_CALL ||
			strcmp(c->expr->name, DRAIN_CALL) != 0 || c->expr->nr_kids < 2 ||
			!bind_is_changed(h->h, c, side)) {
			continue;
		}
		*ret = (struct drain){
			.at = {f, hunk, i, side},
			.amount = c->expr->kid[1],
			.left = "",
			.temporary = ""
		       };
		n++;
	}
	if (n == 1) {
		find_piece(facts, ret);
	}
	return n == 1;
}

/* Statements that only make the loop: they go with the rule. */
static void claim_side(const struct drain *d)
{
	struct bind_hunk *h = &d->at.file->hunk[d->at.hunk];
	const struct c_facts *facts = &h->side[d->at.side];
	const char *function = bind_fact(&d->at)->function;

	bind_set_lines(h, bind_fact(&d->at), d->at.side, NULL);
	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *f = &facts->fact[i];
		bool counts = f->lhs[0] != '\0' &&
			      (strcmp(f->lhs, d->left) == 0 || strcmp(f->lhs, d->temporary) == 0 ||
				      is_name(d->amount, f->lhs));
		bool loops = f->kind == C_FACT_COND && d->left[0] != '\0' && f->expr != NULL &&
			     bind_has_name(f->expr, d->left);

		if (strcmp(f->function, function) == 0 && (counts || loops)) {
			bind_set_lines(h, f, d->at.side, NULL);
		}
	}
}

/* Lines that begin a loop and say nothing else. */
static void claim_loop_words(struct bind_hunk *h)
{
	for (size_t r = 0; r < h->h->nr_lines; r++) {
		const struct zl_patch_line *l = &h->h->lines[r];
		struct scan c = scan_trim(scan_of(l->s, l->len));

		if (l->kind != ZL_PATCH_CONTEXT && scan_peek(&c, "do {") && scan_left(&c) == 4) {
			h->claimed[r] = true;
		}
	}
}

/* The rule of the side that drains all at once. */
static const struct zl_point_rule *whole_rule(enum zl_point point)
{
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);

		if (r->point == point) {
			return r;
		}
	}
	return NULL;
}

/* The rule of a release that an old loop has; NULL = none. */
static const struct zl_point_rule *rule_with(enum zl_point point, const char *text)
{
	for (size_t i = 0; text != NULL && i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);

		if (r->point == point && strcmp(r->expression, text) == 0) {
			return r;
		}
	}
	return NULL;
}

/* A side's piece in the words of the point; NULL when it is none of them. */
static const char *piece_text(struct binder *b, const struct drain *d, enum zl_point point)
{
	const struct c_node *n;
	const char *text;

	b->why = NULL;
	if (d->piece == NULL) {
		return whole_rule(point)->expression;
	}
	n = bind_instantiate(b, &d->at, point, NULL, d->piece);
	text = n != NULL ? bind_written(b, n) : NULL;
	return text != NULL && bind_compiles(b, point, text) ? text : NULL;
}

static void refuse(const struct drain *old, const struct drain *now, const char *why)
{
	bind_set_lines(&old->at.file->hunk[old->at.hunk], bind_fact(&old->at), SIDE_OLD, why);
	bind_set_lines(&now->at.file->hunk[now->at.hunk], bind_fact(&now->at), SIDE_NEW, why);
}

static void loop_change(
	struct binder *b, const struct drain *old, const struct drain *now, enum zl_point point)
{
	struct bind_hunk *h = &now->at.file->hunk[now->at.hunk];
	const char *before = piece_text(b, old, point);
	const char *after = before != NULL ? piece_text(b, now, point) : NULL;
	struct zl_change *c;

	if (after == NULL) {
		refuse(old, now,
			b->why != NULL ? b->why
				       : "the pieces of a drain are in no words of a rule");
		return;
	}
	c = bind_add(
		b, ZL_CHANGE_RULE, now->at.file, h->h, bind_change_row(h, bind_fact(&now->at)));
	if (c == NULL) {
		return;
	}
	c->point = point;
	c->place.function = bind_fact(&old->at)->function;
	c->old_code = bind_fact_text(b, bind_fact(&old->at));
	c->new_code = bind_fact_text(b, bind_fact(&now->at));
	c->rule = rule_with(point, before);
	c->before = c->rule == NULL ? before : NULL;
	c->after = after;
	c->note = now->piece != NULL ? "one drain became a loop of pieces"
				     : "a loop of pieces became one drain";
	claim_side(old);
	claim_side(now);
	claim_loop_words(h);
}

void bind_loops(struct binder *b)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (b->failed == 0 && bind_next_hunk(&w, &at)) {
		struct drain old, now;
		enum zl_point point;

		b->build.nodes = 0;
		if (find_drain(at.file, at.hunk, SIDE_OLD, &old) &&
			find_drain(at.file, at.hunk, SIDE_NEW, &now) &&
			(old.piece == NULL) != (now.piece == NULL) &&
			!at.file->hunk[at.hunk].claimed[bind_fact(&old.at)->first] &&
			point_of(bind_fact(&old.at)->function, &point)) {
			loop_change(b, &old, &now, point);
			(void)bind_too_large(b);
		}
	}
}
