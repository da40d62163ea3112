/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: the old side of a change among the rules of the decision points.
 */
#include <string.h>

#include "binder.h"

/* An expression with fewer nodes than this is in too many places to say which. */
#define LEAST_WEIGHT 3

/* zone_batchsize() as 6.19 writes it: the same figure. */
#define BATCHSIZE "min(zone_managed_pages(zone) >> 12, SZ_256K / PAGE_SIZE)"
#define BATCHSIZE_6_19                                                                             \
	BATCHSIZE " <= 1 ? 1 : rounddown_pow_of_two(" BATCHSIZE " + " BATCHSIZE " / 2) - 1"

/* Ways in which code uses a point other than by its rule. */
static const struct form {
	enum zl_point point;
	const char *text; /* the rule as it stands in the code */
	bool second;	  /* of a comparison: its second operand is the rule */
} forms[] = {
	{ZL_POINT_DRAIN_CHUNK,      "min(to_free, batch)",			      false},
	{ZL_POINT_DECAY_CHUNK,      "min(to_drain, batch)",			       false},
	{ZL_POINT_ALLOC_FACTOR_MAX, "pcp->alloc_factor < CONFIG_PCP_BATCH_SCALE_MAX", true },
	{ZL_POINT_ZONE_BATCHSIZE,	  BATCHSIZE_6_19,					  false},
};

/* Points that share a rule are told apart by the condition around it. */
static const struct {
	enum zl_point point;
	const char *bit;
} under[] = {
	{ZL_POINT_HIGH_ON_FREE_HIGH, "free_high"		},
	{ZL_POINT_HIGH_ON_RECLAIM,   "ZONE_RECLAIM_ACTIVE"},
	{ZL_POINT_HIGH_BELOW,	      "ZONE_BELOW_HIGH"    },
};

static bool names_bit(const struct c_node *n, const char *bit)
{
	if (n->op == C_NAME && strcmp(n->name, bit) == 0) {
		return true;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		if (names_bit(n->kid[i], bit)) {
			return true;
		}
	}
	return false;
}

static bool under_bit(const struct c_guard *g, const char *bit)
{
	for (; g != NULL; g = g->outer) {
		if (g->cond != NULL && !g->negated && names_bit(g->cond, bit)) {
			return true;
		}
	}
	return false;
}

/* Whether the conditions around the change allow the point. */
static bool guards_allow(const struct bind_at *old, enum zl_point point)
{
	const struct c_guard *g = bind_fact(old)->guard;
	const char *mine = NULL;

	for (size_t i = 0; i < sizeof(under) / sizeof(under[0]); i++) {
		mine = under[i].point == point ? under[i].bit : mine;
	}
	if (mine == NULL) {
		return true;
	}
	for (size_t i = 0; i < sizeof(under) / sizeof(under[0]); i++) {
		if (under[i].point != point && under_bit(g, under[i].bit)) {
			return false;
		}
	}
	return true;
}

/* --- which points --- */

/* Whether the point lives in the function, in some release. */
static bool in_function(enum zl_point point, const char *function)
{
	const char *list = zl_point_info(point)->function;
	size_t n = strlen(function);

	for (const char *p = strstr(list, function); n > 0 && p != NULL;
		p = strstr(p + 1, function)) {
		if ((p == list || !c_is_word_char(p[-1])) && p[n] == '(') {
			return true;
		}
	}
	return false;
}

static bool in_macro(enum zl_point point, const struct c_fact *f)
{
	return f->kind == C_FACT_MACRO && strstr(zl_point_info(point)->function, f->lhs) != NULL;
}

static bool function_known(const char *function)
{
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		if (in_function((enum zl_point)p, function)) {
			return true;
		}
	}
	return false;
}

/* Whether the rule may be where the fact is. In a function of no known name it must be plain. */
static bool may_be(const struct c_fact *f, enum zl_point point)
{
	if (f->kind == C_FACT_MACRO) {
		return in_macro(point, f) || strcmp(f->lhs, zl_point_info(point)->name) == 0;
	}
	return in_function(point, f->function) || !function_known(f->function);
}

static void begin(struct bind_search *s, const struct c_fact *f, const struct zl_point_rule *rule)
{
	s->point = rule->point;
	s->scope.point = rule->point;
	s->env = (struct c_env){.same_leaf = bind_same_leaf, .user = &s->scope};
	if (in_function(rule->point, f->function)) {
		s->env.is_variable = bind_is_variable;
	}
	s->code = f->expr;
	s->next = bind_fact(s->new_at)->expr;
}

static bool is_known_leaf(enum zl_point point, const struct c_node *n)
{
	return bind_name_id(point, n) >= 0;
}

static unsigned known_names(enum zl_point point, const struct c_node *n)
{
	unsigned sum = is_known_leaf(point, n) ? 1 : 0;

	for (unsigned i = 0; i < n->nr_kids; i++) {
		sum += known_names(point, n->kid[i]);
	}
	return sum;
}

static bool names_variable(enum zl_point point, const struct c_node *n)
{
	struct bind_scope scope = {point};

	if (n->op == C_NAME && bind_name_id(point, n) < 0 && bind_is_variable(&scope, n->name)) {
		return true;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		if (names_variable(point, n->kid[i])) {
			return true;
		}
	}
	return false;
}

/* Enough of it to say that it is this rule and no other. */
static bool says_enough(const struct c_fact *f, enum zl_point point)
{
	if (f->kind == C_FACT_MACRO) {
		return true;
	}
	if (c_weight(f->expr) < LEAST_WEIGHT || known_names(point, f->expr) == 0) {
		return false;
	}
	/* "pcp->count >= x" may be anything: what x is has to be seen. */
	if (f->expr->op >= C_LESS && f->expr->op <= C_NOT_EQUAL && names_variable(point, f->expr)) {
		return false;
	}
	return in_function(point, f->function) || known_names(point, f->expr) >= 3;
}

static void try_form(
	struct bind_search *s, const struct form *form, struct bind_match *m, size_t *n)
{
	struct c_node *part;

	s->root = s->b->rule[zl_point_rule_count() + (size_t)(form - forms)];
	if (s->root == NULL || *n == BIND_RULES_MAX || !bind_search_rule(s, m)) {
		return;
	}
	if (form->second) {
		part = m->after;
		if (part->op != C_LESS || part->nr_kids != 2) {
			return;
		}
		m->after = part->kid[1];
	}
	(*n)++;
}

static void try_forms(
	struct bind_search *s, const struct zl_point_rule *rule, struct bind_match *ret, size_t *n)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && *n < BIND_RULES_MAX; i++) {
		if (forms[i].point == rule->point) {
			ret[*n] = (struct bind_match){.point = rule->point, .rule = rule};
			try_form(s, &forms[i], &ret[*n], n);
		}
	}
}

/* Terms of a condition on their own: "batch <= room && alloc_factor < limit". */
static void by_terms(
	struct bind_search *s, const struct zl_point_rule *rule, struct bind_match *ret, size_t *n)
{
	const struct c_node *old = bind_fact(s->old)->expr, *now = bind_fact(s->new_at)->expr;

	if (old->op != C_AND || now->op != C_AND || old->nr_kids != now->nr_kids) {
		return;
	}
	for (unsigned i = 0; i < old->nr_kids; i++) {
		if (!c_same(old->kid[i], now->kid[i])) {
			s->code = old->kid[i];
			s->next = now->kid[i];
			try_forms(s, rule, ret, n);
		}
	}
}

void bind_read_rules(struct binder *b)
{
	size_t n = zl_point_rule_count();

	_Static_assert(sizeof(forms) / sizeof(forms[0]) < BIND_ALL_RULES / 4, "room for forms");
	for (size_t i = 0; i < n && i < BIND_ALL_RULES / 4 * 3; i++) {
		b->rule[i] = c_expression_text(&b->build, zl_point_rule_at(i)->expression);
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && n + i < BIND_ALL_RULES; i++) {
		b->rule[n + i] = c_expression_text(&b->build, forms[i].text);
	}
}

/*
 * The old expression with its local names replaced by what they are, where the hunk shows it:
 * "batch = min(a, b); batch = batch / 4" is "min(a, b) / 4".
 */
static bool by_locals(struct bind_search *s, struct bind_match *ret)
{
	const char *why = s->b->why;
	const struct c_node *code = bind_fact(s->old)->expr, *whole;
	bool found = false, trial = s->b->trial;

	s->b->trial = true; /* what is not found claims nothing */
	whole = bind_instantiate(s->b, s->old, s->point, NULL, code);
	s->b->trial = trial;

	if (whole != NULL && !c_same(whole, code) && c_weight(whole) >= LEAST_WEIGHT &&
		in_function(s->point, bind_fact(s->old)->function)) {
		s->env = (struct c_env){.same_leaf = bind_same_leaf, .user = &s->scope};
		s->code = whole;
		found = bind_search_rule(s, ret);
	}
	if (found) {
		(void)bind_instantiate(s->b, s->old, s->point, NULL, code);
	}
	s->b->why = found ? s->b->why : why;
	return found;
}

/* Ways in which the old side may be @rule or a part of it, the plainest first. */
static void try_rule(struct bind_search *s, const struct zl_point_rule *rule, struct c_node *root,
	struct bind_match *ret, size_t *n)
{
	const struct c_fact *f = bind_fact(s->old);
	size_t before = *n;

	begin(s, f, rule);
	s->root = root;
	ret[*n] = (struct bind_match){.point = rule->point, .rule = rule};
	*n += bind_search_rule(s, &ret[*n]) ? 1 : 0;
	if (*n == before) {
		begin(s, f, rule);
		try_forms(s, rule, ret, n);
	}
	if (*n == before) {
		begin(s, f, rule);
		by_terms(s, rule, ret, n);
	}
}

/* What an earlier change of the patches made of the rule; NULL = none did. */
static const char *changed_rule(const struct binder *b, const struct zl_point_rule *rule)
{
	const char *ret = NULL;
	bool mine = false;

	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *c = &b->out->change[i];

		if (c->kind != ZL_CHANGE_RULE || c->point != rule->point ||
			c->condition[0] != '\0') {
			continue;
		}
		mine |= c->rule == rule;
		ret = mine ? c->after : NULL;
	}
	return ret;
}

/* The old side as a part of what the rule has become: both changes hold. */
static bool by_changes(
	struct bind_search *s, const struct zl_point_rule *rule, struct bind_match *ret)
{
	const char *before = changed_rule(s->b, rule);

	if (before == NULL) {
		return false;
	}
	begin(s, bind_fact(s->old), rule);
	s->root = c_expression_text(&s->b->build, before);
	*ret = (struct bind_match){.point = rule->point, .rule = rule};
	if (s->root == NULL || !bind_search_rule(s, ret)) {
		return false;
	}
	ret->composed = ret->before == NULL;
	ret->before = ret->composed ? before : ret->before;
	return true;
}

static size_t rules_of(struct binder *b, const struct bind_at *old, const struct bind_at *new_at,
	struct bind_match *ret, bool plain)
{
	const struct c_fact *f = bind_fact(old);
	size_t n = 0;

	for (size_t i = 0; i < zl_point_rule_count() && n < BIND_RULES_MAX; i++) {
		const struct zl_point_rule *rule = zl_point_rule_at(i);
		struct bind_search s = {.b = b, .old = old, .new_at = new_at};
		size_t before = n;

		if (b->rule[i] == NULL || !may_be(f, rule->point) ||
			!guards_allow(old, rule->point)) {
			continue;
		}
		bool enough =
			plain ? says_enough(f, rule->point) : c_weight(f->expr) >= LEAST_WEIGHT;
		if (enough) {
			n += by_changes(&s, rule, &ret[n]) ? 1 : 0;
		}
		if (enough && n == before) {
			try_rule(&s, rule, b->rule[i], ret, &n);
		}
		if (n == before) {
			begin(&s, f, rule);
			s.root = b->rule[i];
			ret[n] = (struct bind_match){.point = rule->point, .rule = rule};
			n += by_locals(&s, &ret[n]) ? 1 : 0;
		}
	}
	return n;
}

size_t bind_rules(struct binder *b, const struct bind_at *old, const struct bind_at *new_at,
	struct bind_match *ret)
{
	return rules_of(b, old, new_at, ret, true);
}

size_t bind_rules_anywhere(struct binder *b, const struct bind_at *old,
	const struct bind_at *new_at, struct bind_match *ret)
{
	return rules_of(b, old, new_at, ret, false);
}
