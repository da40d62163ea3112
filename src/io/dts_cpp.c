/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a C preprocessor would do with device-tree source, as far as it can be done with the file
 * alone: #define, #ifdef on names, #include of what the caller lets us open. The rest is named and
 * skipped.
 */
#include "dts_parse.h"

#include <errno.h>
#include <string.h>

const struct dts_macro *dts_macro_find(const struct dts_parser *p, const char *name, size_t n)
{
	const struct dts_macro *m = p->macros[dts_hash(name, n) % DTS_BUCKETS];

	while (m != NULL && (strlen(m->name) != n || memcmp(m->name, name, n) != 0)) {
		m = m->next;
	}
	return m;
}

static void skip_blanks(struct dts_cursor *c)
{
	while (dts_peek(c, 0) == ' ' || dts_peek(c, 0) == '\t') {
		c->pos++;
	}
}

/* The rest of the line, joined lines included; comments at its end are cut. */
static size_t body_size(const struct dts_cursor *c)
{
	size_t i = c->pos;

	while (i < c->size && c->text[i] != '\n') {
		if (c->text[i] == '/' && i + 1 < c->size &&
			(c->text[i + 1] == '/' || c->text[i + 1] == '*')) {
			break;
		}
		if (c->text[i] == '\\' && i + 1 < c->size &&
			(c->text[i + 1] == '\n' || c->text[i + 1] == '\r')) {
			i++;
		}
		i++;
	}
	return (i < c->size ? i : c->size) - c->pos;
}

static void define(struct dts_parser *p, struct dts_cursor *c)
{
	size_t n;
	struct dts_macro *m;
	struct dts_macro **head;

	skip_blanks(c);
	n = dts_span(c, dts_is_ident);
	if (n == 0 || p->error != 0) {
		return;
	}
	if (++p->nr_macros > ZL_DTS_MACROS_MAX) {
		dts_fail(p, -E2BIG, c, "too many macros; at most 4096 can be defined");
		return;
	}
	m = zl_arena_alloc(p->arena, sizeof(*m));
	if (m != NULL) {
		m->name = zl_arena_strn(p->arena, c->text + c->pos, n);
	}
	if (m == NULL || m->name == NULL) {
		dts_fail(p, -ENOMEM, c, "out of memory");
		return;
	}
	head = &p->macros[dts_hash(c->text + c->pos, n) % DTS_BUCKETS];
	c->pos += n;
	m->with_arguments = dts_peek(c, 0) == '(';
	skip_blanks(c);
	m->size = body_size(c);
	m->body = c->text + c->pos;
	c->pos += m->size;
	m->next = *head;
	*head = m;
}

static void undefine(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_macro **at;
	size_t n;

	skip_blanks(c);
	n = dts_span(c, dts_is_ident);
	at = &p->macros[dts_hash(c->text + c->pos, n) % DTS_BUCKETS];
	while (*at != NULL) {
		if (strlen((*at)->name) == n && memcmp((*at)->name, c->text + c->pos, n) == 0) {
			*at = (*at)->next;
		} else {
			at = &(*at)->next;
		}
	}
}

static void include_line(struct dts_parser *p, struct dts_cursor *c)
{
	char close;
	const char *end;
	size_t begin;
	size_t left;

	skip_blanks(c);
	close = dts_peek(c, 0) == '<' ? '>' : '"';
	if (dts_peek(c, 0) != '<' && dts_peek(c, 0) != '"') {
		return;
	}
	begin = c->pos + 1;
	left = c->size - begin;
	end = memchr(c->text + begin, close, left);
	if (end == NULL ||
		memchr(c->text + begin, '\n', (size_t)(end - (c->text + begin))) != NULL) {
		dts_note(p, dts_broken(p), c, "the include has no closing mark");
		return;
	}
	c->pos = (size_t)(end - c->text) + 1;
	dts_include(p, c, c->text + begin, (size_t)(end - (c->text + begin)));
}

/* Whether the lines of an #if are read. An unknown condition counts as true, but is noted. */
static bool condition(struct dts_parser *p, struct dts_cursor *c, const char *word)
{
	size_t n;
	bool defined;

	skip_blanks(c);
	if (strcmp(word, "if") != 0 && strcmp(word, "elif") != 0) {
		n = dts_span(c, dts_is_ident);
		defined = dts_macro_find(p, c->text + c->pos, n) != NULL;
		return defined == (strcmp(word, "ifdef") == 0);
	}
	n = body_size(c);
	while (n > 0 && strchr(" \t\r", c->text[c->pos + n - 1]) != NULL) {
		n--;
	}
	if (n == 1 && (c->text[c->pos] == '0' || c->text[c->pos] == '1')) {
		return c->text[c->pos] == '1';
	}
	dts_note(p, ZL_NOTE, c, "the condition of #%s is not evaluated; its first branch is read",
		word);
	return true;
}

static bool is_word(const struct dts_cursor *c, const char *word, size_t n)
{
	return strlen(word) == n && memcmp(c->text + c->pos, word, n) == 0;
}

/* At `#` of a line inside a branch that is not read: follows the nesting. */
static bool skipped_line_ends(struct dts_parser *p, struct dts_cursor *c, unsigned *nested)
{
	size_t n;

	c->pos++;
	skip_blanks(c);
	n = dts_span(c, dts_is_ident);
	if (is_word(c, "if", n) || is_word(c, "ifdef", n) || is_word(c, "ifndef", n)) {
		(*nested)++;
	} else if (is_word(c, "endif", n)) {
		if (*nested == 0) {
			p->cond_depth--;
			return true;
		}
		(*nested)--;
	} else if (*nested == 0 && (is_word(c, "else", n) || is_word(c, "elif", n))) {
		bool take = !p->cond_taken[p->cond_depth - 1];

		if (take && is_word(c, "elif", n)) {
			c->pos += n;
			take = condition(p, c, "elif");
		}
		p->cond_taken[p->cond_depth - 1] = p->cond_taken[p->cond_depth - 1] || take;
		return take;
	}
	return false;
}

static void skip_branch(struct dts_parser *p, struct dts_cursor *c)
{
	unsigned nested = 0;

	for (;;) {
		dts_skip_line(c);
		if (dts_at_end(c)) {
			return;
		}
		c->pos++;
		skip_blanks(c);
		if (dts_peek(c, 0) == '#' && skipped_line_ends(p, c, &nested)) {
			return;
		}
	}
}

static void begin_if(struct dts_parser *p, struct dts_cursor *c, const char *word)
{
	bool take;

	if (p->cond_depth == DTS_COND_MAX) {
		dts_fail(p, -E2BIG, c, "#if nested too deep; at most 64 levels are read");
		return;
	}
	take = condition(p, c, word);
	p->cond_taken[p->cond_depth++] = take;
	if (!take) {
		skip_branch(p, c);
	}
}

static void conditional(struct dts_parser *p, struct dts_cursor *c, const char *word)
{
	if (strncmp(word, "if", 2) == 0) {
		begin_if(p, c, word);
	} else if (p->cond_depth == 0) {
		dts_note(p, ZL_NOTE, c, "#%s without #if", word);
	} else if (strcmp(word, "endif") == 0) {
		p->cond_depth--;
	} else {
		skip_branch(p, c); /* the branch before was read */
	}
}

/* At `#` in the first place of a line. Returns false when it is the name of a property. */
bool dts_directive(struct dts_parser *p, struct dts_cursor *c)
{
	static const char *const conditionals[] = {
		"if", "ifdef", "ifndef", "else", "elif", "endif"};
	static const char *const ignored[] = {"pragma", "error", "warning", "line"};
	struct dts_cursor at = *c;
	size_t n;

	at.pos++;
	skip_blanks(&at);
	if (at.pos > c->pos + 1 && !dts_is_ident(dts_peek(&at, 0))) {
		dts_skip_line(c); /* a comment of another language */
		return true;
	}
	n = dts_span(&at, dts_is_name);
	for (size_t i = 0; i < sizeof(conditionals) / sizeof(conditionals[0]); i++) {
		if (is_word(&at, conditionals[i], n)) {
			c->pos = at.pos + n;
			conditional(p, c, conditionals[i]);
			dts_skip_line(c);
			return true;
		}
	}
	if (is_word(&at, "define", n) || is_word(&at, "undef", n) || is_word(&at, "include", n)) {
		char first = dts_peek(&at, 0);

		c->pos = at.pos + n;
		if (first == 'd') {
			define(p, c);
		} else if (first == 'u') {
			undefine(p, c);
		} else {
			include_line(p, c);
		}
		dts_skip_line(c);
		return true;
	}
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		if (is_word(&at, ignored[i], n)) {
			dts_skip_line(c);
			return true;
		}
	}
	if (at.pos > c->pos + 1) { /* "# 1 "file"" or a comment of another language */
		dts_skip_line(c);
		return true;
	}
	return false;
}

bool dts_macro_enter(struct dts_parser *p, struct dts_cursor *use, struct dts_cursor *ret_body,
	struct dts_macro **ret_macro)
{
	size_t n = dts_span(use, dts_is_ident);
	const char *name = use->text + use->pos;
	/* The parser owns its macros; the search alone is const. */
	struct dts_macro *m = p->macros[dts_hash(name, n) % DTS_BUCKETS];
	struct dts_cursor begin = *use;

	while (m != NULL && (strlen(m->name) != n || memcmp(m->name, name, n) != 0)) {
		m = m->next;
	}
	use->pos += n > 0 ? n : 1;
	struct dts_cursor body = {
		.text = m != NULL ? m->body : NULL, .size = m != NULL ? m->size : 0};
	if (m != NULL && !m->busy && p->macro_depth < DTS_MACRO_DEPTH &&
		p->macro_steps < DTS_MACRO_STEPS &&
		(!m->with_arguments || dts_macro_expand(p, m, use, &body))) {
		*ret_body = (struct dts_cursor){.text = body.text,
			.size = body.size,
			.file = use->file,
			.in_macro = true,
			.use_begin = dts_at(&begin),
			.use_end = use->in_macro ? use->use_end : (uint32_t)use->pos};
		m->busy = true;
		p->macro_depth++;
		p->macro_steps++;
		*ret_macro = m;
		return true;
	}
	dts_missing(p, name, n);
	begin = *use;
	dts_skip(p, use);
	if (dts_peek(use, 0) == '(') {
		dts_skip_balanced(p, use);
	} else {
		*use = begin; /* the blanks do not belong to the name */
	}
	return false;
}

void dts_macro_leave(struct dts_parser *p, struct dts_macro *macro)
{
	macro->busy = false;
	p->macro_depth--;
}

static void include_text(
	struct dts_parser *p, struct dts_cursor *c, const char *name, char *text, size_t size)
{
	char *masked = zl_arena_strn(p->arena, text, size);
	int file = dts_file_add(p, name, text, size);

	if (masked == NULL) {
		dts_fail(p, -ENOMEM, c, "out of memory");
		return;
	}
	if (file < 0) {
		return;
	}
	struct dts_cursor inner = {.text = masked, .size = size, .file = (uint16_t)file};

	p->include_depth++;
	dts_statements(p, &inner);
	p->include_depth--;
}

void dts_include(struct dts_parser *p, struct dts_cursor *c, const char *name, size_t n)
{
	const struct zl_dts_includer *inc = p->options->includer;
	char *copy;
	char *text = NULL;
	size_t size = 0;
	int r;

	if (inc == NULL || p->include_depth >= ZL_DTS_INCLUDE_MAX || n > 255) {
		dts_missing(p, name, n);
		return;
	}
	copy = zl_arena_strn(p->arena, name, n);
	if (copy == NULL) {
		dts_fail(p, -ENOMEM, c, "out of memory");
		return;
	}
	r = inc->open(inc->user, copy, &text, &size);
	if (r == 0 && size <= ZL_DTS_SIZE_MAX) {
		include_text(p, c, copy, text, size);
	} else {
		dts_missing(p, name, n);
	}
	if (r == 0) {
		inc->close(inc->user, text);
	}
}
