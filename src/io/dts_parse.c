/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of device-tree source: nodes, properties and the /keywords/. What is no statement is
 * skipped to the end of its line, so that prose around a fragment does no harm.
 */
#include "dts_parse.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

static struct zl_dts_node *here(const struct dts_parser *p)
{
	return p->current != NULL ? p->current : p->dts->orphans;
}

static char *take(struct dts_parser *p, struct dts_cursor *c, size_t n)
{
	char *s = zl_arena_strn(p->arena, c->text + c->pos, n);

	c->pos += n;
	if (s == NULL) {
		dts_fail(p, -ENOMEM, c, "out of memory");
	}
	return s;
}

static void enter(struct dts_parser *p, struct dts_cursor *c, struct zl_dts_node *node)
{
	if (node == NULL) {
		return;
	}
	if (p->depth >= ZL_DTS_DEPTH_MAX) {
		dts_fail(p, -E2BIG, c, "nodes nested too deep; at most 64 levels are read");
		return;
	}
	p->outer[p->depth++] = p->current;
	node->body = (uint32_t)c->pos;
	node->opened = node->opened != 0 ? node->opened : node->body;
	p->current = node;
}

static void leave(struct dts_parser *p, struct dts_cursor *c)
{
	struct zl_dts_node *node = p->current;
	struct dts_cursor behind;
	bool first;

	if (p->depth == 0) {
		dts_note(p, p->dts->whole ? ZL_ERROR : ZL_NOTE, c,
			"a closing brace without its opening one is skipped");
	} else {
		p->current = p->outer[--p->depth];
	}
	c->pos++;
	first = node != NULL && node->end == 0;
	if (first) {
		node->end = dts_at(c);
	}
	behind = *c;
	dts_skip(p, c);
	if (!dts_accept(c, ";")) {
		if (p->dts->whole) {
			dts_note(p, ZL_ERROR, &behind, "`;` is missing behind `}`");
		}
	} else if (first) {
		node->end = dts_at(c);
	}
}

static void skip_prose(struct dts_parser *p, struct dts_cursor *c)
{
	p->dts->nr_skipped_lines++;
	if (p->dts->whole) {
		dts_note(p, ZL_ERROR, c, "no statement of device-tree source");
	}
	dts_skip_line(c);
}

/* `/delete-node/ name;` and `/delete-node/ &label;` */
static void delete_node(struct dts_parser *p, struct dts_cursor *c)
{
	struct zl_dts_node *victim = NULL;
	char *name;

	dts_skip(p, c);
	if (dts_accept(c, "&")) {
		name = take(p, c, dts_span(c, dts_is_ident));
		victim = name != NULL ? dts_label_find(p, name) : NULL;
	} else {
		name = take(p, c, dts_span(c, dts_is_name));
		for (struct zl_dts_node *n = here(p)->first_child; n != NULL && name != NULL;
			n = n->next) {
			victim = strcmp(n->name, name) == 0 ? n : victim;
		}
	}
	/* An ancestor of the open node cannot go: the text still writes into it. */
	for (struct zl_dts_node *n = p->current; n != NULL; n = n->parent) {
		victim = n == victim ? NULL : victim;
	}
	if (victim != NULL) {
		dts_node_delete(victim);
	}
	dts_skip(p, c);
	dts_accept(c, ";");
}

static void delete_property(struct dts_parser *p, struct dts_cursor *c)
{
	char *name;

	dts_skip(p, c);
	name = take(p, c, dts_span(c, dts_is_name));
	if (name != NULL) {
		dts_prop_delete(here(p), name);
	}
	dts_skip(p, c);
	dts_accept(c, ";");
}

static void memreserve(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_number base;
	struct dts_number size;

	dts_skip(p, c);
	base = dts_expression(p, c);
	dts_skip(p, c);
	if (dts_accept(c, "-")) { /* an old form: first and last byte */
		size = dts_expression(p, c);
		size.value = size.value - base.value + 1;
	} else {
		size = dts_expression(p, c);
	}
	if (base.known && size.known && p->dts->nr_reserves < ZL_DTS_RESERVES_MAX) {
		p->dts->reserve[p->dts->nr_reserves++] =
			(struct zl_dts_reserve){.base = base.value, .size = size.value};
	}
	dts_skip(p, c);
	dts_accept(c, ";");
}

static void include_keyword(struct dts_parser *p, struct dts_cursor *c)
{
	size_t n = 0;
	size_t begin;

	dts_skip(p, c);
	if (!dts_accept(c, "\"")) {
		return;
	}
	begin = c->pos;
	while (begin + n < c->size && c->text[begin + n] != '"' && c->text[begin + n] != '\n') {
		n++;
	}
	c->pos = begin + n;
	dts_accept(c, "\"");
	dts_include(p, c, c->text + begin, n);
}

static void end_keyword(struct dts_parser *p, struct dts_cursor *c)
{
	dts_skip(p, c);
	dts_accept(c, ";");
}

/* A node at the top closes whatever was left open. */
static void close_all(struct dts_parser *p, const struct dts_cursor *c)
{
	if (p->current != NULL && p->dts->whole) {
		dts_note(p, ZL_ERROR, c, "the node before is not closed; `};` is missing");
	}
	p->current = NULL;
	p->depth = 0;
}

/* At a slash: the root node or a keyword. */
static void slash(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;

	if (dts_accept(c, "/delete-node/")) {
		delete_node(p, c);
	} else if (dts_accept(c, "/delete-property/")) {
		delete_property(p, c);
	} else if (dts_accept(c, "/memreserve/")) {
		memreserve(p, c);
	} else if (dts_accept(c, "/include/")) {
		include_keyword(p, c);
	} else if (dts_accept(c, "/plugin/")) {
		p->dts->overlay = true;
		end_keyword(p, c);
	} else if (dts_accept(c, "/dts-v1/")) {
		p->dts->whole = !p->dts->quoted && !p->dts->diff && !p->dts->unfixable;
		end_keyword(p, c);
	} else if (dts_accept(c, "/omit-if-no-ref/")) {
		return;
	} else {
		c->pos++;
		dts_skip(p, c);
		if (dts_accept(c, "{")) {
			p->dts->has_root = true;
			close_all(p, &begin);
			p->dts->root->file = begin.file;
			enter(p, c, p->dts->root);
		} else {
			skip_prose(p, c);
		}
	}
}

/* The node that `&label` or `&{/path}` stands for; one of its own when it is elsewhere. */
static struct zl_dts_node *referenced(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;
	struct zl_dts_node *node = NULL;
	char *name;
	size_t n = 1;

	if (dts_peek(c, 1) == '{') {
		while (c->pos + n < c->size && c->text[c->pos + n] != '}' &&
			c->text[c->pos + n] != '\n') {
			n++;
		}
		n += c->pos + n < c->size && c->text[c->pos + n] == '}';
		name = take(p, c, n);
		if (name != NULL && n > 3) {
			name[n - 1] = '\0';
			node = dts_path_find(p, name + 2);
			name[n - 1] = '}';
		}
		node = node == p->dts->root && !p->dts->has_root ? NULL : node;
	} else {
		c->pos++;
		n += dts_span(c, dts_is_ident);
		c->pos--;
		name = take(p, c, n);
		node = name != NULL ? dts_label_find(p, name + 1) : NULL;
	}
	if (node == NULL && name != NULL) {
		node = dts_node_open(p, p->dts->orphans, name, &begin);
	}
	return node;
}

static void reference(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;
	struct zl_dts_node *node = referenced(p, c);

	dts_skip(p, c);
	if (node == NULL || !dts_accept(c, "{")) {
		c->pos = begin.pos;
		skip_prose(p, c);
		return;
	}
	close_all(p, &begin);
	enter(p, c, node);
}

static bool is_ended(struct dts_parser *p, struct dts_cursor *c, struct zl_dts_prop *prop)
{
	struct dts_cursor begin = *c;

	prop->end = (uint32_t)c->pos;
	dts_skip(p, c);
	if (dts_accept(c, ";")) {
		prop->end = (uint32_t)c->pos;
		return true;
	}
	if (dts_accept(c, "...") || dts_accept(c, "\xe2\x80\xa6")) {
		prop->incomplete = true;
		dts_accept(c, ";");
		return true;
	}
	*c = begin;
	return false;
}

/* Behind `name =`. */
static void value(
	struct dts_parser *p, struct dts_cursor *c, char *name, const struct dts_cursor *begin)
{
	struct zl_dts_prop *prop = dts_prop_open(p, here(p), name, begin);
	char next;

	if (prop == NULL) {
		return;
	}
	dts_value(p, c, prop);
	if (is_ended(p, c, prop)) {
		return;
	}
	next = dts_peek(c, 0);
	if (prop->size == 0 && !prop->incomplete) {
		prop->incomplete = true;
		skip_prose(p, c);
		return;
	}
	dts_note(p, dts_broken(p), c, "`;` is missing behind the value of %s", name);
	if (next != '}' && !dts_is_name(next)) {
		dts_skip_line(c);
	}
}

static void boolean(struct dts_parser *p, char *name, const struct dts_cursor *begin,
	const struct dts_cursor *c)
{
	struct zl_dts_prop *prop = dts_prop_open(p, here(p), name, begin);

	if (prop != NULL) {
		prop->data = NULL;
		prop->size = 0;
		prop->cells = NULL;
		prop->nr_cells = 0;
		prop->incomplete = false;
		prop->end = (uint32_t)c->pos;
	}
}

/* Names that stand alone in reserved-memory nodes; a missing semicolon is seen through. */
static bool is_flag(const char *name)
{
	static const char *const flags[] = {"reusable", "no-map", "ranges", "linux,cma-default",
		"linux,dma-default", "no-map-fixup"};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(name, flags[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Labels in front of a node wait here until it opens. */
#define LABELS_MAX 16
struct labels {
	const char *name[LABELS_MAX];
	size_t count;
	uint32_t begin; /* of the statement */
};

static void open_node(struct dts_parser *p, struct dts_cursor *c, char *name,
	const struct dts_cursor *begin, const struct labels *labels)
{
	struct zl_dts_node *node = dts_node_open(p, here(p), name, begin);

	if (node == NULL) {
		return;
	}
	node->reopened = node->opened != 0;
	node->first = node->reopened ? node->first : labels->begin;
	for (size_t i = 0; i < labels->count; i++) {
		dts_label_set(p, labels->name[i], node);
	}
	if (strcmp(name, "__overlay__") == 0) {
		p->dts->overlay = true;
	}
	enter(p, c, node);
}

/* Outside of nodes, `name = word` is a line of some other file. */
static bool is_value(struct dts_parser *p, const struct dts_cursor *c)
{
	struct dts_cursor next = *c;

	next.pos++;
	while (dts_peek(&next, 0) == ' ' || dts_peek(&next, 0) == '\t') {
		next.pos++;
	}
	return p->current != NULL || dts_peek(&next, 0) == '<' || dts_peek(&next, 0) == '"' ||
	       dts_peek(&next, 0) == '[';
}

static void named(struct dts_parser *p, struct dts_cursor *c, char *name,
	const struct dts_cursor *begin, const struct labels *labels)
{
	bool line = dts_skip(p, c);

	if (dts_accept(c, "{")) {
		open_node(p, c, name, begin, labels);
	} else if (dts_peek(c, 0) == '=' && !is_value(p, c)) {
		skip_prose(p, c);
	} else if (dts_accept(c, "=")) {
		value(p, c, name, begin);
	} else if (dts_accept(c, ";")) {
		boolean(p, name, begin, c);
	} else if (dts_peek(c, 0) == '(' && !line) {
		dts_missing(p, name, strlen(name));
		dts_skip_balanced(p, c);
		dts_skip(p, c);
		dts_accept(c, ";");
	} else if (is_flag(name) && p->current != NULL) {
		dts_note(p, dts_broken(p), begin, "`;` is missing behind %s", name);
		boolean(p, name, begin, c);
	} else if (!line) {
		skip_prose(p, c);
	} else {
		p->dts->nr_skipped_lines++;
	}
}

static bool is_label(const struct dts_cursor *c, size_t n)
{
	return n > 0 && !dts_is_digit(c->text[c->pos]) && c->pos + n < c->size &&
	       c->text[c->pos + n] == ':';
}

static void read_labels(struct dts_parser *p, struct dts_cursor *c, struct labels *labels)
{
	size_t n = dts_span(c, dts_is_ident);

	while (is_label(c, n) && p->error == 0) {
		char *label = take(p, c, n);

		if (label != NULL && labels->count < LABELS_MAX) {
			labels->name[labels->count++] = label;
		}
		c->pos++;
		dts_skip(p, c);
		n = dts_span(c, dts_is_ident);
	}
}

static void statement(struct dts_parser *p, struct dts_cursor *c)
{
	struct labels labels = {.count = 0, .begin = dts_at(c)};
	struct dts_cursor begin;
	char ch;
	size_t n;

	read_labels(p, c, &labels);
	begin = *c;
	ch = dts_peek(c, 0);
	n = dts_span(c, dts_is_name);
	if (dts_at_end(c)) {
		return;
	}
	if (ch == '}') {
		leave(p, c);
	} else if (ch == ';') {
		if (p->dts->whole) {
			dts_note(p, ZL_ERROR, c, "a `;` without a statement");
		}
		c->pos++;
	} else if (ch == '/') {
		slash(p, c);
	} else if (ch == '&') {
		reference(p, c);
	} else if (dts_accept(c, "...") || dts_accept(c, "\xe2\x80\xa6")) {
		p->dts->nr_skipped_lines++;
	} else if (n > 0 && n <= 255) {
		char *name = take(p, c, n);

		if (name != NULL) {
			named(p, c, name, &begin, &labels);
		}
	} else {
		skip_prose(p, c);
	}
}

void dts_statements(struct dts_parser *p, struct dts_cursor *c)
{
	dts_skip(p, c);
	while (!dts_at_end(c) && p->error == 0) {
		statement(p, c);
		dts_skip(p, c);
	}
}

bool zl_dts_recognise(const char *text, size_t size)
{
	static const char *const marks[] = {
		"/dts-v1/", "reserved-memory", "shared-dma-pool", "compatible = \"", "__overlay__"};
	bool brace = size > 0 && memchr(text, '{', size) != NULL;

	for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
		size_t n = strlen(marks[k]);

		for (size_t i = 0; i + n <= size; i++) {
			if (text[i] == marks[k][0] && memcmp(text + i, marks[k], n) == 0 &&
				(brace || k == 2 || k == 3)) {
				return true;
			}
		}
	}
	return false;
}

/* Something of a device tree: a node, or a property of a bare fragment with a value. */
static bool found_anything(const struct zl_dts *dts)
{
	if (dts->has_root || dts->nr_nodes > 0) {
		return true;
	}
	for (const struct zl_dts_prop *prop = dts->orphans->props; prop != NULL;
		prop = prop->next) {
		if (prop->size > 0) {
			return true;
		}
	}
	return false;
}

static int read_all(struct dts_parser *p, const char *text, size_t size)
{
	struct dts_cursor c = {.file = 0};
	char *masked = NULL;

	p->dts->root = zl_arena_alloc(p->arena, sizeof(*p->dts->root));
	p->dts->orphans = zl_arena_alloc(p->arena, sizeof(*p->dts->orphans));
	if (p->dts->root == NULL || p->dts->orphans == NULL ||
		dts_mask(p, text, size, &masked, &c.size) != 0) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return p->error;
	}
	p->dts->root->name = "";
	p->dts->orphans->name = "";
	c.text = masked;
	if (dts_file_add(p, p->options->name, p->dts->unfixable ? masked : text, c.size) < 0) {
		return p->error;
	}
	dts_statements(p, &c);
	if (p->error == 0 && p->current != NULL) {
		dts_note(p, dts_broken(p), &c, "the text ends inside a node");
	}
	if (p->error == 0 && !found_anything(p->dts)) {
		dts_fail(p, -EINVAL, NULL,
			"no node of a device tree in it; expected source like `name { size = "
			"<...>; };`");
	}
	return p->error;
}

int dts_begin(struct dts_parser *p, size_t size, const char *what)
{
	if (size > ZL_DTS_SIZE_MAX) {
		zl_error_set(p->err, 0, 0, "file of %Z; %s up to %Z", (uint64_t)size, what,
			(uint64_t)ZL_DTS_SIZE_MAX);
		zl_error_file(p->err, p->options->name);
		return -E2BIG;
	}
	p->arena = zl_arena_new(p->options->allocator);
	p->dts = p->arena != NULL ? zl_arena_alloc(p->arena, sizeof(*p->dts)) : NULL;
	if (p->dts == NULL) {
		zl_arena_free(p->arena);
		zl_error_set(p->err, 0, 0, "out of memory");
		return -ENOMEM;
	}
	p->dts->arena = p->arena;
	return 0;
}

int zl_dts_read(const char *text, size_t size, const struct zl_dts_options *options,
	struct zl_dts **ret_dts, struct zl_error *err)
{
	struct dts_parser p = {.options = options, .err = err};
	int r = dts_begin(&p, size, "device-tree source is read");

	if (r != 0) {
		return r;
	}
	r = read_all(&p, text, size);
	if (r != 0) {
		zl_dts_free(p.dts);
		return r;
	}
	*ret_dts = p.dts;
	return 0;
}
