/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a policy. A statement becomes an expression by signs that take the place of others,
 * so that columns stay what they were:
 *
 *     x >>= 1            x >>(1)
 *     if (c) x += y      (c)?x +(y):x
 */
#include "policy_text.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

/* Room for what a statement becomes. */
#define TEXT_ROOM (ZL_EXPR_TEXT_MAX + 2 * ZL_EXPR_NAME_MAX)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

struct zl_policy_text zl_policy_text_trim(const char *text, size_t len, unsigned column)
{
	while (len > 0 && is_blank(text[0])) {
		text++;
		len--;
		column++;
	}
	while (len > 0 && (is_blank(text[len - 1]) || text[len - 1] == ';')) {
		len--;
	}
	return (struct zl_policy_text){text, len, column};
}

bool zl_policy_text_is(const struct zl_policy_text *t, const char *word)
{
	return strlen(word) == t->len && strncmp(t->start, word, t->len) == 0;
}

bool zl_policy_text_split(const struct zl_policy_text *t, char *ret_word, size_t size,
	struct zl_policy_text *ret_rest)
{
	struct zl_text word;
	size_t n = 0;
	size_t at;

	/* Names of shipped policies have dashes. */
	while (n < t->len && (is_word(t->start[n]) || t->start[n] == '-')) {
		n++;
	}
	for (at = n; at < t->len && is_blank(t->start[at]); at++) {
	}
	memset(ret_rest, 0, sizeof(*ret_rest));
	zl_text_init(&word, ret_word, size);
	if (at < t->len && t->start[at] == '=' && n > 0) {
		zl_text_strn(&word, t->start, n);
		*ret_rest = zl_policy_text_trim(
			t->start + at + 1, t->len - at - 1, t->column + (unsigned)at + 1);
		return true;
	}
	zl_text_strn(&word, t->start, t->len);
	return zl_point_find(ret_word) != ZL_POINT_COUNT;
}

/* --- statements --- */

/* Length of an assignment operator here, 0 if there is none. */
static size_t assignment_at(const char *s)
{
	static const char *const operators[] = {
		"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};

	for (unsigned i = 0; operators[i] != NULL; i++) {
		if (strncmp(s, operators[i], strlen(operators[i])) == 0) {
			return strlen(operators[i]);
		}
	}
	return s[0] == '=' && s[1] != '=' ? 1 : 0;
}

/* Where the parts of a statement lie. */
struct statement {
	size_t cond; /* behind "if (...)", 0 without */
	size_t at;   /* the operator */
	size_t len;
};

/* Finds the assignment outside of parentheses; false if the text is an expression. */
static bool find_assignment(const char *s, struct statement *ret)
{
	int depth = 0;

	for (size_t i = ret->cond; s[i] != '\0'; i++) {
		size_t n = assignment_at(s + i);

		depth += (s[i] == '(') - (s[i] == ')');
		if (n > 0 && depth == 0) {
			ret->at = i;
			ret->len = n;
			return true;
		}
		if (strchr("=!<>", s[i]) != NULL && s[i + 1] == '=' && n == 0) {
			i++; /* a comparison */
		}
	}
	return false;
}

/* Behind the closing parenthesis of "if (...)"; 0 when there is no if, or it stays open. */
static size_t condition_end(const char *s)
{
	int depth = 0;
	size_t i = 2;

	if (strncmp(s, "if", 2) != 0 || is_word(s[2])) {
		return 0;
	}
	while (is_blank(s[i])) {
		i++;
	}
	for (; s[i] != '\0'; i++) {
		depth += (s[i] == '(') - (s[i] == ')');
		if (depth == 0) {
			return s[i] == ')' ? i + 1 : 0;
		}
	}
	return 0;
}

/* Whether one of the point's targets stands there. */
static bool target_matches(enum zl_point p, const struct zl_policy_text *t)
{
	const char *words = zl_point_info(p)->target;

	while (*words != '\0') {
		size_t n = strcspn(words, " ");

		if (n == t->len && strncmp(words, t->start, n) == 0) {
			return true;
		}
		words += n + (words[n] == ' ');
	}
	return false;
}

/* An expression in a buffer, with what has to be taken off columns behind a place. */
struct rewritten {
	char text[TEXT_ROOM];
	size_t inserted_at; /* one sign more than the user wrote */
	bool inserted;
};

static int wrong_target(enum zl_point p, size_t column, struct zl_error *err)
{
	const char *target = zl_point_info(p)->target;
	char first[ZL_EXPR_NAME_MAX];
	struct zl_text t;

	if (*target == '\0') {
		zl_error_set(err, 0, (unsigned)column + 1,
			"%s is a value and stores nothing; leave the assignment out",
			zl_point_info(p)->name);
		return -EINVAL;
	}
	zl_text_init(&t, first, sizeof(first));
	zl_text_strn(&t, target, strcspn(target, " "));
	zl_error_set(err, 0, (unsigned)column + 1, "%s sets %s and nothing else",
		zl_point_info(p)->name, first);
	return -EINVAL;
}

static void rewrite(struct rewritten *r, const char *s, const struct statement *st,
	const struct zl_policy_text *target)
{
	struct zl_text t;
	size_t start = (size_t)(target->start - s);

	zl_text_init(&t, r->text, sizeof(r->text));
	if (st->cond > 0) {
		zl_text_str(&t, "  ");
		zl_text_strn(&t, s + 2, st->cond - 2);
		zl_text_chr(&t, '?');
		r->inserted = true;
		r->inserted_at = st->cond;
	}
	zl_text_strn(&t, s + st->cond, start - st->cond);
	if (st->len > 1) {
		zl_text_strn(&t, s + start, st->at + st->len - 1 - start);
	} else {
		for (size_t i = start; i < st->at; i++) {
			zl_text_chr(&t, ' ');
		}
	}
	zl_text_chr(&t, '(');
	zl_text_str(&t, s + st->at + st->len);
	zl_text_chr(&t, ')');
	if (st->cond > 0) {
		zl_text_chr(&t, ':');
		zl_text_strn(&t, target->start, target->len);
	}
}

/* Makes an expression of a statement; anything else stays as it is. */
static int to_expression(enum zl_point p, const char *s, struct rewritten *r, struct zl_error *err)
{
	struct statement st = {.cond = condition_end(s)};
	struct zl_policy_text target;

	if (!find_assignment(s, &st)) {
		zl_format(r->text, sizeof(r->text), "%s", s);
		return 0;
	}
	target = zl_policy_text_trim(s + st.cond, st.at - st.cond, (unsigned)st.cond);
	if (!target_matches(p, &target)) {
		return wrong_target(p, target.column, err);
	}
	rewrite(r, s, &st, &target);
	return 0;
}

/* --- names --- */

struct scope {
	enum zl_point point;
};

/* A spelling as the compiler hands it over: -> is a dot. */
static void plain_name(const char *word, size_t len, char *buf)
{
	struct zl_text t;

	zl_text_init(&t, buf, ZL_EXPR_NAME_MAX);
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '-' && i + 1 < len && word[i + 1] == '>') {
			zl_text_chr(&t, '.');
			i++;
		} else {
			zl_text_chr(&t, word[i]);
		}
	}
}

static bool spelled(const struct zl_policy_name *n, const char *name)
{
	const char *word = n->words;

	while (*word != '\0') {
		size_t len = strcspn(word, " ");
		char plain[ZL_EXPR_NAME_MAX];

		plain_name(word, len, plain);
		if (strcmp(plain, name) == 0) {
			return true;
		}
		word += len + (word[len] == ' ');
	}
	return false;
}

static void unknown_name(enum zl_point p, const char *name, struct zl_error *err)
{
	unsigned best = ZL_POLICY_NAMES;
	struct zl_nearest near;
	char word[ZL_EXPR_NAME_MAX], plain[ZL_EXPR_NAME_MAX], typed[2 * ZL_EXPR_NAME_MAX + 8];
	struct zl_text t;

	zl_nearest_init(&near, name);
	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		if (!zl_point_has_name(p, (enum zl_policy_name_id)id)) {
			continue;
		}
		zl_policy_name_word((enum zl_policy_name_id)id, word);
		plain_name(word, strlen(word), plain);
		if (zl_nearest_try(&near, plain)) {
			best = id;
		}
	}
	/* Members are shown as the kernel writes them. */
	zl_text_init(&t, typed, sizeof(typed));
	for (const char *c = name; *c != '\0'; c++) {
		zl_text_fmt(&t, *c == '.' ? "->" : "%c", *c);
	}
	if (best == ZL_POLICY_NAMES) {
		zl_error_set(err, 0, 0, "%s knows no name '%s'; see `explain %s`",
			zl_point_info(p)->name, typed, zl_point_info(p)->name);
		return;
	}
	zl_error_set(err, 0, 0, "%s knows no name '%s'; did you mean %s", zl_point_info(p)->name,
		typed, zl_policy_name_word((enum zl_policy_name_id)best, word));
}

static int find_name(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	const struct scope *s = user;
	char called[2 * ZL_EXPR_NAME_MAX + 4];

	zl_format(called, sizeof(called), via[0] != '\0' ? "%s(%s)" : "%s%s",
		via[0] != '\0' ? via : "", name);
	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		const struct zl_policy_name *n = zl_policy_name((enum zl_policy_name_id)id);

		if (zl_point_has_name(s->point, (enum zl_policy_name_id)id) && spelled(n, called)) {
			ret->constant = n->kind == ZL_NAME_IS_CONSTANT;
			ret->value = n->value;
			ret->slot = id;
			return 0;
		}
	}
	unknown_name(s->point, called, err);
	return -ENOENT;
}

/* Column in what the user wrote. */
static unsigned real_column(
	const struct rewritten *r, const struct zl_policy_text *text, unsigned column)
{
	if (column == 0) {
		return 0;
	}
	if (r->inserted && column - 1 > r->inserted_at) {
		column--;
	}
	column = column - 1 > text->len ? (unsigned)text->len + 1 : column;
	return column + text->column;
}

int zl_policy_compile_text(enum zl_point p, const struct zl_policy_text *text,
	const struct zl_allocator *mem, struct zl_expr *ret, struct zl_error *err)
{
	struct scope scope = {p};
	const struct zl_expr_names names = {find_name, &scope};
	struct rewritten r = {.inserted = false};
	struct zl_error why = {0};
	char plain[ZL_EXPR_TEXT_MAX + 1] = {0};
	int rc;

	if (text->len > ZL_EXPR_TEXT_MAX) {
		zl_error_set(err, 0, 0, "the expression is too long; at most %d bytes",
			ZL_EXPR_TEXT_MAX);
		return -E2BIG;
	}
	memcpy(plain, text->start, text->len);
	rc = to_expression(p, plain, &r, &why);
	rc = rc != 0 ? rc : zl_expr_compile(r.text, &names, mem, ret, &why);
	if (rc != 0 && err != NULL) {
		*err = why;
		err->column = real_column(&r, text, why.column);
	}
	return rc;
}

int zl_policy_compile(enum zl_point p, const char *text, const struct zl_allocator *mem,
	struct zl_expr *ret, struct zl_error *err)
{
	struct zl_policy_text whole = zl_policy_text_trim(text, strlen(text), 0);

	return zl_policy_compile_text(p, &whole, mem, ret, err);
}
