/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree that both readers build, and looking things up in it. Nodes of one name under one
 * parent are one node, a property given again replaces the first: as dtc merges them.
 */
#include "dts_parse.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

unsigned dts_hash(const char *s, size_t n)
{
	unsigned h = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	}
	return h;
}

void zl_dts_place(const struct zl_dts *dts, unsigned file, uint32_t at, unsigned *ret_line,
	unsigned *ret_column)
{
	const struct zl_dts_file *f = &dts->file[file];
	size_t lo = 0;
	size_t hi = f->nr_lines;

	*ret_line = 0;
	*ret_column = 0;
	if (file >= dts->nr_files || f->nr_lines == 0) {
		return;
	}
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->line_start[mid] <= at) {
			lo = mid;
		} else {
			hi = mid;
		}
	}
	*ret_line = (unsigned)lo + 1;
	*ret_column = at - f->line_start[lo] + 1;
}

void dts_fail(struct dts_parser *p, int error, const struct dts_cursor *c, const char *text)
{
	unsigned line = 0;
	unsigned column = 0;

	if (p->error != 0) {
		return;
	}
	p->error = error;
	if (c != NULL) {
		zl_dts_place(p->dts, c->file, dts_at(c), &line, &column);
	}
	zl_error_set(p->err, line, column, "%s", text);
	zl_error_file(p->err, p->options->name);
}

enum zl_severity dts_broken(const struct dts_parser *p)
{
	return p->dts->whole ? ZL_ERROR : ZL_WARNING;
}

void dts_note(struct dts_parser *p, enum zl_severity severity, const struct dts_cursor *c,
	const char *fmt, ...)
{
	struct zl_dts *dts = p->dts;
	struct zl_dts_note *note;
	struct zl_text t;
	va_list ap;

	if (dts->nr_notes == ZL_DTS_NOTES_MAX) {
		dts->nr_notes_dropped++;
		return;
	}
	note = &dts->note[dts->nr_notes++];
	note->severity = severity;
	note->file = c->file;
	zl_dts_place(dts, c->file, dts_at(c), &note->line, &note->column);
	zl_text_init(&t, note->text, sizeof(note->text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
}

void dts_missing(struct dts_parser *p, const char *name, size_t size)
{
	struct zl_dts *dts = p->dts;
	char *copy;

	for (size_t i = 0; i < dts->nr_missing; i++) {
		if (strlen(dts->missing[i]) == size && memcmp(dts->missing[i], name, size) == 0) {
			return;
		}
	}
	if (dts->nr_missing == ZL_DTS_MISSING_MAX || size == 0 || size > 255) {
		return;
	}
	copy = zl_arena_strn(p->arena, name, size);
	if (copy == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return;
	}
	for (size_t i = 0; i < size; i++) {
		if ((unsigned char)copy[i] < ' ' || copy[i] == 0x7f) {
			copy[i] = '?';
		}
	}
	dts->missing[dts->nr_missing++] = copy;
}

int dts_file_add(struct dts_parser *p, const char *name, const char *text, size_t size)
{
	struct zl_dts *dts = p->dts;
	struct zl_dts_file *f = &dts->file[dts->nr_files];
	size_t lines = 1;
	uint32_t *start;
	char *copy;

	if (dts->nr_files == ZL_DTS_FILES_MAX) {
		dts_fail(p, -E2BIG, NULL, "too many included files; at most 31 are read");
		return -1;
	}
	for (size_t i = 0; i < size; i++) {
		lines += text[i] == '\n';
	}
	start = zl_arena_alloc(p->arena, lines * sizeof(*start));
	copy = zl_arena_strn(p->arena, text, size);
	if (start == NULL || copy == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return -1;
	}
	lines = 1;
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n') {
			start[lines++] = (uint32_t)i + 1;
		}
	}
	*f = (struct zl_dts_file){
		.name = name, .text = copy, .size = size, .line_start = start, .nr_lines = lines};
	return (int)dts->nr_files++;
}

static struct zl_dts_node *node_find(const struct zl_dts_node *parent, const char *name)
{
	struct zl_dts_node *n = parent->first_child;

	while (n != NULL && strcmp(n->name, name) != 0) {
		n = n->next;
	}
	return n;
}

/* Opens a child, new or already there. @name must live as long as the document. */
struct zl_dts_node *dts_node_open(struct dts_parser *p, struct zl_dts_node *parent,
	const char *name, const struct dts_cursor *c)
{
	struct zl_dts_node *n = node_find(parent, name);

	if (n != NULL || p->error != 0) {
		return n;
	}
	if (p->dts->nr_nodes >= ZL_DTS_NODES_MAX || parent->nr_children >= ZL_DTS_CHILDREN_MAX) {
		dts_fail(p, -E2BIG, c, "too many nodes; at most 100000, and 4096 in one node");
		return NULL;
	}
	n = zl_arena_alloc(p->arena, sizeof(*n));
	if (n == NULL) {
		dts_fail(p, -ENOMEM, c, "out of memory");
		return NULL;
	}
	n->name = name;
	n->parent = parent;
	if (c != NULL) {
		n->file = c->file;
		n->begin = dts_at(c);
		zl_dts_place(p->dts, c->file, n->begin, &n->line, &n->column);
	}
	if (parent->last_child != NULL) {
		parent->last_child->next = n;
	} else {
		parent->first_child = n;
	}
	parent->last_child = n;
	parent->nr_children++;
	p->dts->nr_nodes++;
	return n;
}

struct zl_dts_prop *dts_prop_open(struct dts_parser *p, struct zl_dts_node *node, const char *name,
	const struct dts_cursor *c)
{
	struct zl_dts_prop **at = &node->props;
	struct zl_dts_prop *prop;

	while (*at != NULL && strcmp((*at)->name, name) != 0) {
		at = &(*at)->next;
	}
	prop = *at;
	if (prop == NULL) {
		if (node->nr_props >= ZL_DTS_PROPS_MAX) {
			dts_fail(p, -E2BIG, c, "too many properties; at most 1024 in one node");
			return NULL;
		}
		prop = zl_arena_alloc(p->arena, sizeof(*prop));
		if (prop == NULL) {
			dts_fail(p, -ENOMEM, c, "out of memory");
			return NULL;
		}
		prop->name = name;
		*at = prop;
		node->nr_props++;
	}
	if (c != NULL) {
		prop->file = c->file;
		prop->begin = dts_at(c);
		zl_dts_place(p->dts, c->file, prop->begin, &prop->line, &prop->column);
	}
	return prop;
}

void dts_prop_delete(struct zl_dts_node *node, const char *name)
{
	struct zl_dts_prop **at = &node->props;

	while (*at != NULL && strcmp((*at)->name, name) != 0) {
		at = &(*at)->next;
	}
	if (*at != NULL) {
		*at = (*at)->next;
		node->nr_props--;
	}
}

void dts_node_delete(struct zl_dts_node *node)
{
	struct zl_dts_node *parent = node->parent;
	struct zl_dts_node *before = NULL;

	if (parent == NULL) {
		return;
	}
	for (struct zl_dts_node *n = parent->first_child; n != NULL && n != node; n = n->next) {
		before = n;
	}
	if (before != NULL) {
		before->next = node->next;
	} else {
		parent->first_child = node->next;
	}
	if (parent->last_child == node) {
		parent->last_child = before;
	}
	parent->nr_children--;
}

void dts_label_set(struct dts_parser *p, const char *name, struct zl_dts_node *node)
{
	struct dts_label **head = &p->labels[dts_hash(name, strlen(name)) % DTS_BUCKETS];
	struct dts_label *l = zl_arena_alloc(p->arena, sizeof(*l));

	if (l == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return;
	}
	*l = (struct dts_label){.next = *head, .name = name, .node = node};
	*head = l;
	if (node->label == NULL) {
		node->label = name;
	}
}

struct zl_dts_node *dts_label_find(const struct dts_parser *p, const char *name)
{
	const struct dts_label *l = p->labels[dts_hash(name, strlen(name)) % DTS_BUCKETS];

	while (l != NULL && strcmp(l->name, name) != 0) {
		l = l->next;
	}
	return l != NULL ? l->node : NULL;
}

/* A node by its path from the root. A part without unit address finds the first of that name. */
struct zl_dts_node *dts_path_find(const struct dts_parser *p, const char *path)
{
	struct zl_dts_node *n = p->dts->root;

	while (n != NULL && *path != '\0') {
		size_t k = strcspn(path, "/");
		struct zl_dts_node *child = n->first_child;

		while (child != NULL && k > 0 &&
			(strncmp(child->name, path, k) != 0 ||
				(child->name[k] != '\0' && child->name[k] != '@'))) {
			child = child->next;
		}
		n = k > 0 ? child : n;
		path += k;
		path += *path == '/';
	}
	return n;
}

const struct zl_dts_prop *zl_dts_prop_find(const struct zl_dts_node *node, const char *name)
{
	const struct zl_dts_prop *prop = node->props;

	while (prop != NULL && strcmp(prop->name, name) != 0) {
		prop = prop->next;
	}
	return prop;
}

const struct zl_dts_node *zl_dts_child_find(const struct zl_dts_node *node, const char *name)
{
	return node_find(node, name);
}

bool zl_dts_prop_has_string(const struct zl_dts_prop *prop, const char *s)
{
	size_t n = strlen(s) + 1;

	if (prop == NULL) {
		return false;
	}
	for (size_t at = 0; at < prop->size;) {
		const uint8_t *end = memchr(prop->data + at, 0, prop->size - at);
		size_t k = end != NULL ? (size_t)(end - (prop->data + at)) + 1 : 0;

		if (k == 0) {
			return false;
		}
		if (k == n && memcmp(prop->data + at, s, n) == 0) {
			return true;
		}
		at += k;
	}
	return false;
}

static bool bytes_known(const struct zl_dts_prop *prop, size_t at, size_t size)
{
	size_t lo = 0;
	size_t hi = prop->nr_cells;

	while (lo < hi) { /* first cell that ends behind @at */
		size_t mid = lo + (hi - lo) / 2;

		if (prop->cells[mid].at + prop->cells[mid].width <= at) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	for (; lo < prop->nr_cells && prop->cells[lo].at < at + size; lo++) {
		if (!prop->cells[lo].known) {
			return false;
		}
	}
	return true;
}

int zl_dts_prop_number(const struct zl_dts_prop *prop, size_t first, unsigned cells, uint64_t *ret)
{
	size_t at = first * 4;
	size_t size = (size_t)cells * 4;
	uint64_t v = 0;

	if (first > ZL_DTS_DATA_MAX || cells == 0 || at + size > prop->size) {
		return -ERANGE;
	}
	if (!bytes_known(prop, at, size)) {
		return -ENODATA;
	}
	for (size_t i = at; i < at + size; i++) {
		if (v >> 56 != 0) {
			return -ERANGE;
		}
		v = v << 8 | prop->data[i];
	}
	*ret = v;
	return 0;
}

const struct zl_dts_node *zl_dts_next(const struct zl_dts_node *top, const struct zl_dts_node *node)
{
	if (node == NULL) {
		return top;
	}
	if (node->first_child != NULL) {
		return node->first_child;
	}
	while (node != top && node->next == NULL) {
		node = node->parent;
	}
	return node == top ? NULL : node->next;
}

void zl_dts_free(struct zl_dts *dts)
{
	if (dts != NULL) {
		zl_arena_free(dts->arena);
	}
}
