/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the binder share.
 */
#ifndef ZONELAB_IO_BINDER_H
#define ZONELAB_IO_BINDER_H

#include "ctext.h"
#include "scan.h"
#include "zonelab/bind.h"

enum { SIDE_OLD, SIDE_NEW };

/* One hunk as facts of both sides; rows are lines of the hunk. */
struct bind_hunk {
	const struct zl_patch_hunk *h;
	struct c_facts side[2];
	bool *claimed;	  /* by line: bound, or it means nothing */
	const char **why; /* by line: why it was not bound, or NULL */
};

struct bind_file {
	const struct zl_patch *patch;
	const struct zl_patch_file *file;
	bool code; /* C; else nothing was read */
	struct bind_hunk *hunk;
};

/* Rules that the old side of a change may be, with what the new side makes of them. */
#define BIND_RULES_MAX 6
/* Rules of all points, and forms of them in code. */
#define BIND_ALL_RULES 128
struct bind_match {
	enum zl_point point;
	const struct zl_point_rule *rule;
	const char *before; /* NULL = the rule itself */
	struct c_node *after;
	bool composed; /* before is what an earlier change made of the rule */
};

struct binder {
	const struct zl_patches *patches;
	struct zl_binding *out;
	struct zl_arena *arena;
	struct c_builder build;
	const struct zl_allocator *mem;
	struct bind_file *file;
	size_t nr_files, cap_changes, cap_unbound, nr_pairs;
	struct zl_bind_hand hand[ZL_BIND_HAND];
	size_t nr_hand;
	struct c_node *rule[BIND_ALL_RULES]; /* read once; never changed */
	struct zl_error *err;
	const char *why; /* of the last failure to bind */
	bool trial;	 /* only to see: no line is claimed */
	/* A symbol of Kconfig that is taken to be set or not, and one that would have to be. */
	const char *symbol, *wanted;
	bool symbol_set;
	int failed;
};

/* A fact and where it is. */
struct bind_at {
	struct bind_file *file;
	size_t hunk, fact;
	unsigned side;
};

static inline const struct c_facts *bind_facts(const struct bind_at *at)
{
	return &at->file->hunk[at->hunk].side[at->side];
}

static inline const struct c_fact *bind_fact(const struct bind_at *at)
{
	return &at->file->hunk[at->hunk].side[at->side].fact[at->fact];
}

/* A walk over the hunks of C; all 0 but for @b at the start. */
struct bind_hunks {
	const struct binder *b;
	size_t file, hunk;
};
/* The next one's new side, at its first fact; false at the end. */
bool bind_next_hunk(struct bind_hunks *w, struct bind_at *ret);

const char *bind_print(struct binder *b, const char *fmt, ...);
const char *bind_written(struct binder *b, const struct c_node *n);

/* --- names --- */

/* Whether the rules of @point may use the name, as they spell it; -1 if not. */
int bind_name_id(enum zl_point point, const struct c_node *n);
/* Names and calls of a point are the same thing in other spellings. */
bool bind_same_leaf(void *user, const struct c_node *rule, const struct c_node *code);
bool bind_is_local(const char *name);
/* A local variable that the point does not know. */
bool bind_is_variable(void *user, const char *name);
struct bind_scope {
	enum zl_point point;
};
/*
 * The new side of a change in the words of the point: temporaries, macros, constants and helpers of
 * the patch replaced by what they are. NULL with b->why when something is none of that.
 */
struct c_node *bind_instantiate(struct binder *b, const struct bind_at *at, enum zl_point point,
	const struct c_env *env, const struct c_node *n);
/*
 * The value of a macro, or of a variable at file scope, on the new side of the patches: of a series
 * the last one counts. @ret_several: it is another one, or none, under conditions that nobody knows.
 */
const struct c_node *bind_find_define(struct binder *b, const char *name, bool *ret_several);
/* All that the patches make of it is bound. */
void bind_claim_defines(struct binder *b, const char *name);
/* A variable at file scope that is a setting here, with another initial value. */
bool bind_variable_default(struct binder *b, const struct bind_at *old, const struct bind_at *now);
/* Whether no release has this default: the patch stands on another one. */
bool bind_is_odd_default(enum zl_setting setting, const char *value);
/* Lines of a definition that a bound rule uses are bound with it. */
void bind_claim(const struct binder *b, const struct bind_at *at);
/* The default of a Kconfig symbol that the patch adds; false if there is none. */
bool bind_new_symbol(struct binder *b, const char *name, int64_t *ret);

/* --- rules --- */

/* Reads all rules. */
void bind_read_rules(struct binder *b);
/* Every rule that the old expression may be a part of, with the new one in its place. */
size_t bind_rules(struct binder *b, const struct bind_at *old, const struct bind_at *new_at,
	struct bind_match *ret);
/* The same for an expression that says little by itself, in a function of no name. */
size_t bind_rules_anywhere(struct binder *b, const struct bind_at *old,
	const struct bind_at *new_at, struct bind_match *ret);

/* One search in one rule. */
struct bind_search {
	struct binder *b;
	const struct bind_at *old, *new_at;
	enum zl_point point;
	struct c_env env;
	struct bind_scope scope;
	struct c_node *root;
	const struct c_node *code; /* the old expression */
	const struct c_node *next; /* the new one */
};
/* Fills after (and before) if the old code is a part of the rule. */
bool bind_search_rule(struct bind_search *s, struct bind_match *ret);

/* --- statements --- */

/* Whether the patch changes a line of the statement. */
bool bind_is_changed(const struct zl_patch_hunk *h, const struct c_fact *f, unsigned side);
/* Its changed lines are bound (@why NULL), or have a reason why not. */
void bind_set_lines(struct bind_hunk *h, const struct c_fact *f, unsigned side, const char *why);
/* Whether its first changed line is bound or, with @reasons, has a reason why not. */
bool bind_is_settled(
	const struct bind_hunk *h, const struct c_fact *f, unsigned side, bool reasons);
/* The line where the change is said to be. */
uint32_t bind_change_row(const struct bind_hunk *h, const struct c_fact *f);
const char *bind_fact_text(struct binder *b, const struct c_fact *f);
/* Whether one statement may take the place of the other. */
bool bind_fits(const struct c_fact *f, const struct c_fact *g, bool same_function);
/* Whether what was worked out last grew beyond the limits: it is given up, with b->why. */
bool bind_too_large(struct binder *b);
/* Whether the text is one that the model can run; b->why otherwise. */
bool bind_compiles(struct binder *b, enum zl_point point, const char *text);

/* Takes the symbol that the last attempt wanted, with the conditions that it is set and is not. */
bool bind_wants_symbol(struct binder *b, const char *ret_condition[2]);
/* Whether a change of the point under this condition may stand beside those before; b->why. */
bool bind_may_follow(struct binder *b, enum zl_point point, const char *condition);

/* --- statements without a partner --- */

/* Conditions around the statement. */
unsigned bind_guards(const struct c_fact *f);
/*
 * "if (c) x = a; else x = b;" as "x = c ? a : b", where the patch has brought or removed the
 * condition and nothing else stands under it; without an else x stays as it is. Returns whether it
 * could be done.
 */
bool bind_fold(struct binder *b, const struct bind_at *at);
/* Whether a statement that is not understood may set the name. */
bool bind_may_set(
	const struct bind_hunk *h, const struct c_fact *f, unsigned side, const char *name);
/* Whether a line is "#word", or begins with it: "if" is also ifdef and ifndef. */
bool bind_is_directive(const struct zl_patch_line *l, const char *word);
/* Whether it stands between #if and #endif that the patch brings or takes away. */
bool bind_under_directive(const struct bind_hunk *h, const struct c_fact *f, unsigned side);
/* Whether the patch also sets the same thing elsewhere in the function, and did not before. */
bool bind_set_again(const struct bind_at *now);
/* Why the old side of a pair is no rule. */
const char *bind_no_rule(struct binder *b, const struct bind_at *old);
/* Statements that are gone, and reasons for all that is left. */
void bind_alone(struct binder *b);

/* --- files --- */

void bind_by_hand(struct binder *b);

/*
 * Functions whose rule is what they return. With @shape only where statements came or went; else
 * what is left.
 */
void bind_returns(struct binder *b, bool shape);
/* Whether the rule is all that the function is for. */
bool bind_is_whole_function(enum zl_point point);
/* Drains that became loops, or the other way. */
void bind_loops(struct binder *b);
bool bind_has_name(const struct c_node *n, const char *name);
void bind_code(struct binder *b);
void bind_kconfig(struct binder *b, struct bind_file *f);
bool bind_is_kconfig(const struct zl_patch_file *f);
struct zl_change *bind_add(struct binder *b, enum zl_change_kind kind, const struct bind_file *f,
	const struct zl_patch_hunk *h, size_t row);
void bind_base(struct binder *b);
/* Whether a release has both the rule and a function of that name. */
bool bind_rule_possible(const char *function, const struct zl_point_rule *rule);

#endif
