/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Corrected source: a pool that was asked for by hand becomes a node behind the last child of
 * /reserved-memory, indented as its neighbours are.
 */
#include "dts_fix.h"

#include <string.h>

#include "zonelab/text.h"

#define INDENT	    64
#define NODE_TEXT   512
#define NAMES_TRIED 100u
#define PIECE	    (sizeof(((struct zl_dts_edit *)0)->text) - 1)

/* Where the node goes, and how its lines begin and end. */
struct new_place {
	uint32_t at;
	bool own_line; /* the brace behind it has its line for itself */
	char brace[INDENT], child[INDENT], inner[INDENT];
	const char *end;
};

static bool is_indent(char c)
{
	return c == ' ' || c == '\t';
}

/* The blanks that the line of @at begins with; false when something else stands before @at. */
static bool indent_of(const struct zl_dts_file *f, uint32_t at, char buf[INDENT])
{
	uint32_t start = at;
	size_t n = 0;

	while (start > 0 && f->text[start - 1] != '\n') {
		start--;
	}
	while (start + n < at && is_indent(f->text[start + n])) {
		n++;
	}
	n = n < INDENT ? n : INDENT - 1;
	memcpy(buf, f->text + start, n);
	buf[n] = '\0';
	return start + n == at;
}

static bool find_place(
	const struct zl_dts *dts, const struct zl_dts_node *parent, struct new_place *ret)
{
	const struct zl_dts_file *f = &dts->file[parent->file];
	uint32_t brace = parent->end;
	size_t common;

	/* Of a node in several parts the places are of the first one, its file that of the last. */
	if (dts->blob || dts->unfixable || parent->end > f->size ||
		(parent->reopened && dts->nr_files > 1)) {
		return false;
	}
	while (brace > parent->opened && f->text[--brace] != '}') {
	}
	if (brace <= parent->opened) {
		return false;
	}
	ret->own_line = indent_of(f, brace, ret->brace);
	zl_format(ret->child, sizeof(ret->child), "%s\t", ret->brace);
	if (parent->first_child != NULL && parent->first_child->file == parent->file &&
		parent->first_child->first < brace) {
		(void)indent_of(f, parent->first_child->first, ret->child);
	}
	common = strlen(ret->brace);
	zl_format(ret->inner, sizeof(ret->inner), "%s%s", ret->child,
		strlen(ret->child) > common && memcmp(ret->child, ret->brace, common) == 0
			? ret->child + common
			: "\t");
	ret->at = ret->own_line ? brace - (uint32_t)common : brace;
	while (!ret->own_line && ret->at > parent->opened && is_indent(f->text[ret->at - 1])) {
		ret->at--;
	}
	ret->end = ret->at > 1 && f->text[ret->at - 1] == '\n' && f->text[ret->at - 2] == '\r'
			   ? "\r\n"
			   : "\n";
	return true;
}

static unsigned cells_of(const struct zl_dts *dts, const struct zl_dts_node *parent,
	const char *name, unsigned usual)
{
	const struct zl_dts_prop *p = zl_dts_prop_find(parent, name);
	uint64_t n = 0;

	p = p != NULL ? p : zl_dts_prop_find(dts->root, name);
	return p != NULL && zl_dts_prop_number(p, 0, 1, &n) == 0 && (n == 1 || n == 2) ? (unsigned)n
										       : usual;
}

void zl_dts_cells(struct zl_text *t, uint64_t v, unsigned n)
{
	if (n != 1 || v > UINT32_MAX) {
		zl_text_fmt(t, "%x ", v >> 32);
	}
	zl_text_fmt(t, "%x", v & UINT32_MAX);
}

/* A name that no child has: with the address in reg, else with a number where it is taken. */
static bool name_node(
	const struct zl_dts_node *parent, const struct zl_request *q, char *buf, size_t size)
{
	const int stem = (int)strcspn(q->name, "@");

	for (unsigned i = 0; i < NAMES_TRIED; i++) {
		struct zl_text t;

		zl_text_init(&t, buf, size);
		zl_text_strn(&t, q->name, (size_t)stem);
		if (i > 0) {
			zl_text_fmt(&t, "-%u", i + 1);
		}
		if (q->has_reg) {
			char address[24];

			zl_format(address, sizeof(address), "%x", q->base);
			zl_text_fmt(&t, "@%s", address + strlen("0x"));
		}
		if (!t.cut && zl_dts_child_find(parent, buf) == NULL) {
			return true;
		}
	}
	return false;
}

static bool node_text(const struct zl_dts *dts, const struct zl_dts_node *parent,
	const struct zl_request *q, const struct new_place *p, struct zl_text *t)
{
	const unsigned a = cells_of(dts, parent, "#address-cells", 2);
	const unsigned s = cells_of(dts, parent, "#size-cells", 1);
	char name[sizeof(q->name) + 32];

	if ((a == 1 && q->base > UINT32_MAX) || (s == 1 && q->size > UINT32_MAX) ||
		!name_node(parent, q, name, sizeof(name))) {
		return false;
	}
	zl_text_fmt(t, "%s%s%s {%s", p->own_line ? "" : p->end, p->child, name, p->end);
	zl_text_fmt(t, "%scompatible = \"shared-dma-pool\";%s", p->inner, p->end);
	zl_text_fmt(t, "%sreusable;%s%s%s = <", p->inner, p->end, p->inner,
		q->has_reg ? "reg" : "size");
	if (q->has_reg) {
		zl_dts_cells(t, q->base, a);
		zl_text_chr(t, ' ');
	}
	zl_dts_cells(t, q->size, s);
	zl_text_fmt(t, ">;%s%s};%s%s", p->end, p->child, p->end, p->own_line ? "" : p->brace);
	return !t->cut;
}

bool zl_dts_fix_add(const struct zl_dts *dts, const struct zl_request *q, struct zl_dts_fix *fix)
{
	const struct zl_dts_node *parent =
		dts->root != NULL ? zl_dts_child_find(dts->root, "reserved-memory") : NULL;
	struct new_place p;
	char text[NODE_TEXT];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	if (parent == NULL || !find_place(dts, parent, &p) || !node_text(dts, parent, q, &p, &t) ||
		fix->count + t.len / PIECE + 1 > ZL_EDITS_MAX) {
		return false;
	}
	for (size_t i = 0; i < t.len; i += PIECE) {
		const uint32_t span[2] = {p.at, p.at};
		const size_t n = t.len - i < PIECE ? t.len - i : PIECE;
		char piece[PIECE + 1];

		memcpy(piece, text + i, n);
		piece[n] = '\0';
		dts_edit_add(fix, parent->file, span, piece);
	}
	zl_dts_fix_sort(fix);
	return true;
}
