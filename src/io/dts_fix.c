/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Corrected source: numbers are replaced where they stand and nothing else is touched. The diff is
 * made from the edits, so it is minimal by construction; line ends stay as they are.
 */
#include "dts_fix.h"

#include <string.h>

#include "zonelab/buffer.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

#define CONTEXT	    3u
#define CELL	    4u
#define CELL_DIGITS 8u

/* --- collecting edits --- */

void dts_edit_add(struct zl_dts_fix *fix, unsigned file, const uint32_t span[2], const char *text)
{
	struct zl_dts_edit *e;

	if (fix->count == ZL_EDITS_MAX || strlen(text) >= sizeof(e->text)) {
		fix->lost++;
		return;
	}
	e = &fix->edit[fix->count++];
	*e = (struct zl_dts_edit){.file = file, .begin = span[0], .end = span[1]};
	zl_format(e->text, sizeof(e->text), "%s", text);
}

static bool has_upper_hex(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] >= 'A' && s[i] <= 'F') {
			return true;
		}
	}
	return false;
}

static void hex_like(const char *old, size_t n, uint64_t value, char *buf, size_t size)
{
	const char *digits = has_upper_hex(old, n) ? "0123456789ABCDEF" : "0123456789abcdef";
	size_t width = n > 2 ? n - 2 : 1;
	size_t used = 1;
	struct zl_text t;

	while (used < CELL_DIGITS && value >> (used * 4) != 0) {
		used++;
	}
	/* Only what was padded stays padded. */
	used = n > 2 && old[2] == '0' && width > used && width <= CELL_DIGITS ? width : used;
	zl_text_init(&t, buf, size);
	zl_text_strn(&t, old, 2);
	while (used-- > 0) {
		zl_text_chr(&t, digits[value >> (used * 4) & 0xf]);
	}
}

static bool is_decimal(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9') {
			return false;
		}
	}
	return n > 0 && (s[0] != '0' || n == 1);
}

/* A number in the style of the one that it replaces; expressions become hexadecimal. */
static void number_like(const char *old, size_t n, uint64_t value, char *buf, size_t size)
{
	if (n > 2 && old[0] == '0' && (old[1] == 'x' || old[1] == 'X')) {
		hex_like(old, n, value, buf, size);
	} else if (is_decimal(old, n) && !(n == 1 && old[0] == '0')) {
		zl_format(buf, size, "%U", value);
	} else {
		zl_format(buf, size, "%x", value);
	}
}

static void edit_cell(const struct zl_dts *dts, const struct zl_dts_cell *cell, uint64_t value,
	struct zl_dts_fix *ret)
{
	const struct zl_dts_file *f = &dts->file[cell->file];
	const uint32_t span[2] = {cell->begin, cell->end};
	char text[sizeof(ret->edit[0].text)];

	if (cell->end > f->size || cell->begin >= cell->end) {
		ret->lost++;
		return;
	}
	number_like(f->text + cell->begin, cell->end - cell->begin, value, text, sizeof(text));
	dts_edit_add(ret, cell->file, span, text);
}

/* The cell that holds exactly the 32 bits at @at; NULL when the value is written otherwise. */
static const struct zl_dts_cell *cell_at(const struct zl_dts_prop *prop, size_t at)
{
	for (size_t i = 0; i < prop->nr_cells; i++) {
		if (prop->cells[i].at == at) {
			return prop->cells[i].width == CELL ? &prop->cells[i] : NULL;
		}
	}
	return NULL;
}

/* Two cells of one macro's text cannot be told apart. */
static bool shares_text(const struct zl_dts_prop *prop, const struct zl_dts_cell *cell)
{
	for (size_t i = 0; i < prop->nr_cells; i++) {
		if (&prop->cells[i] != cell && prop->cells[i].begin == cell->begin &&
			prop->cells[i].file == cell->file) {
			return true;
		}
	}
	return false;
}

/* A number of a value: @cells cells from cell @first on. */
struct place {
	const struct zl_dts_prop *prop;
	size_t first;
	unsigned cells;
};

/* Writes @value over a number, in the cells that differ. */
static void edit_number(
	const struct zl_dts *dts, const struct place *at, uint64_t value, struct zl_dts_fix *ret)
{
	const struct zl_dts_prop *prop = at->prop;

	for (unsigned i = 0; i < at->cells; i++) {
		const struct zl_dts_cell *cell = cell_at(prop, (at->first + i) * CELL);
		uint64_t part = value >> ((at->cells - 1 - i) * 32) & UINT32_MAX;
		uint64_t old = 0;

		if (zl_dts_prop_number(prop, at->first + i, 1, &old) == 0 && old == part) {
			continue;
		}
		if (cell == NULL || dts->blob || dts->unfixable || shares_text(prop, cell)) {
			ret->lost++;
		} else {
			edit_cell(dts, cell, part, ret);
		}
	}
}

void zl_dts_fix_sort(struct zl_dts_fix *fix)
{
	for (size_t i = 1; i < fix->count; i++) {
		struct zl_dts_edit e = fix->edit[i];
		size_t k = i;

		for (; k > 0 && (fix->edit[k - 1].file > e.file ||
					(fix->edit[k - 1].file == e.file &&
						fix->edit[k - 1].begin > e.begin));
			k--) {
			fix->edit[k] = fix->edit[k - 1];
		}
		fix->edit[k] = e;
	}
}

bool zl_dts_holds(const struct zl_dts *dts, const struct zl_dts_node *node)
{
	while (node != NULL && node->parent != NULL) {
		node = node->parent;
	}
	return node != NULL && (node == dts->root || node == dts->orphans);
}

/* Another node of that name and address: it could not be told from this one. */
static bool is_taken(
	const struct zl_reservations *have, const struct zl_request *want, size_t request)
{
	const char *name = want[request].name;
	size_t n = strcspn(name, "@");

	for (size_t i = 0; i < have->nr_requests; i++) {
		if (i != request && have->origin[i].node != NULL && want[i].has_reg &&
			want[i].base == want[request].base && strcspn(want[i].name, "@") == n &&
			memcmp(want[i].name, name, n) == 0) {
			return true;
		}
	}
	return false;
}

/* The numbers of one request and the words around them. */
static void collect_one(const struct zl_dts *dts, const struct zl_reservations *have,
	const struct zl_request *wanted, size_t i, struct zl_dts_fix *ret)
{
	const struct zl_reservation_origin *o = &have->origin[i];
	const struct zl_request *q = &have->request[i];
	const struct zl_request *want = &wanted[i];
	const struct place base = {o->reg, 0, o->address_cells};
	const struct place size = {
		q->has_reg ? o->reg : o->size, q->has_reg ? o->address_cells : 0, o->size_cells};
	struct dts_change change = {
		.node = o->node,
		.prop = size.prop,
		.old = {.base = q->base,	 .size = q->size	},
		.now = {.base = want->base, .size = want->size},
		.has_base = base.prop != NULL && q->has_reg,
		.keeps_name = is_taken(have, wanted, i)
	       };

	if (o->alignment != NULL && want->alignment != q->alignment) {
		const struct place align = {o->alignment, 0, o->address_cells};

		edit_number(dts, &align, want->alignment, ret);
	}
	if (size.prop == NULL || (!q->edited && want->base == q->base && want->size == q->size)) {
		return;
	}
	if (change.has_base) {
		(void)zl_dts_prop_number(base.prop, 0, base.cells, &change.old.base);
		edit_number(dts, &base, want->base, ret);
	}
	(void)zl_dts_prop_number(size.prop, size.first, size.cells, &change.old.size);
	edit_number(dts, &size, want->size, ret);
	dts_words_follow(dts, &change, ret);
}

void zl_dts_fix_collect(const struct zl_dts *dts, const struct zl_reservations *have,
	const struct zl_request *want, struct zl_dts_fix *ret)
{
	ret->count = 0;
	ret->lost = 0;
	for (size_t i = 0; i < have->nr_requests; i++) {
		if (zl_dts_holds(dts, have->origin[i].node)) {
			collect_one(dts, have, want, i, ret);
		}
	}
	zl_dts_fix_sort(ret);
}

/* --- writing --- */

/* A part of a file with the edits that lie in it; [begin, end). */
static void write_part(const struct zl_dts_file *f, unsigned file, const struct zl_dts_fix *fix,
	const struct zl_range *part, struct zl_buf *out)
{
	uint64_t at = part->base;
	uint64_t end = part->base + part->size;

	for (size_t i = 0; i < fix->count; i++) {
		const struct zl_dts_edit *e = &fix->edit[i];

		if (e->file != file || e->begin < at || e->end > end) {
			continue;
		}
		zl_buf_mem(out, f->text + at, e->begin - at);
		zl_buf_str(out, e->text);
		at = e->end;
	}
	zl_buf_mem(out, f->text + at, end - at);
}

void zl_dts_fix_text(
	const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix, struct zl_buf *out)
{
	const struct zl_range all = {.base = 0, .size = dts->file[file].size};

	write_part(&dts->file[file], file, fix, &all, out);
}

/* Lines count from 0 here. A hunk covers [first, last) with changes in it. */
struct hunk {
	size_t first, last;
	int shift; /* lines that the hunks before have added or, when negative, taken */
};

static size_t line_of(const struct zl_dts *dts, unsigned file, uint32_t at)
{
	unsigned line = 0;
	unsigned column = 0;

	zl_dts_place(dts, file, at, &line, &column);
	return line > 0 ? line - 1 : 0;
}

/* An insertion changes the line that it stands in. */
static size_t last_line_of(const struct zl_dts *dts, unsigned file, const struct zl_dts_edit *e)
{
	return line_of(dts, file, e->end > e->begin ? e->end - 1 : e->begin);
}

static size_t line_count(const struct zl_dts_file *f)
{
	return f->size > 0 && f->text[f->size - 1] == '\n' ? f->nr_lines - 1 : f->nr_lines;
}

static struct zl_range line_range(const struct zl_dts_file *f, size_t first, size_t last)
{
	uint64_t begin = f->line_start[first];
	uint64_t end = last < f->nr_lines ? f->line_start[last] : f->size;

	return (struct zl_range){.base = begin, .size = end - begin};
}

static bool line_changes(const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix,
	size_t line, size_t *ret_end)
{
	bool changes = false;

	*ret_end = line + 1;
	for (size_t i = 0; i < fix->count; i++) {
		const struct zl_dts_edit *e = &fix->edit[i];
		size_t first = line_of(dts, file, e->begin);
		size_t last = last_line_of(dts, file, e);

		if (e->file == file && first <= line && last >= line) {
			changes = true;
		}
		/* A number spread over lines takes all of them. */
		if (e->file == file && first < *ret_end && last >= *ret_end) {
			*ret_end = last + 1;
		}
	}
	return changes;
}

/* What could steer a terminal becomes `?` in a diff; the corrected file keeps it. */
static void printable(const char *s, size_t n, struct zl_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		bool control = (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;

		zl_buf_chr(out, control ? '?' : s[i]);
	}
}

/* Text with a sign before each line; a missing last line end is said as diff does. */
static void signed_lines(const char *s, size_t n, char sign, struct zl_buf *out)
{
	while (n > 0) {
		const char *end = memchr(s, '\n', n);
		size_t k = end != NULL ? (size_t)(end - s) + 1 : n;

		zl_buf_chr(out, sign);
		printable(s, k, out);
		if (end == NULL) {
			zl_buf_str(out, "\n\\ No newline at end of file\n");
		}
		s += k;
		n -= k;
	}
}

/* Bytes of the first line, its end included. */
static size_t first_line(const char *s, size_t n)
{
	const char *end = n > 0 ? memchr(s, '\n', n) : NULL;

	return end != NULL ? (size_t)(end - s) + 1 : n;
}

/* Bytes of the last line. */
static size_t last_line(const char *s, size_t n)
{
	size_t k = n;

	while (k > 0 && (k == n || s[k - 1] != '\n')) {
		k--;
	}
	return n - k;
}

/* Old and new text; whole lines that both begin or end with are no change. */
static void changed_lines(const char *old, size_t n, const struct zl_buf *now, struct zl_buf *out)
{
	const char *s = zl_buf_text(now);
	size_t k = now->len, line = 0, same = 0;

	while ((line = first_line(old, n)) > 0 && line == first_line(s, k) &&
		memcmp(old, s, line) == 0) {
		signed_lines(old, line, ' ', out);
		old += line;
		s += line;
		n -= line;
		k -= line;
	}
	while ((line = last_line(old, n)) > 0 && line == last_line(s, k) &&
		memcmp(old + n - line, s + k - line, line) == 0) {
		n -= line;
		k -= line;
		same += line;
	}
	signed_lines(old, n, '-', out);
	signed_lines(s, k, '+', out);
	signed_lines(old + n, same, ' ', out);
}

static size_t count_lines(const char *s, size_t n)
{
	size_t lines = n > 0 && s[n - 1] != '\n';

	for (size_t i = 0; i < n; i++) {
		lines += s[i] == '\n';
	}
	return lines;
}

/* The lines of a hunk with their signs; returns how many it has afterwards. */
static size_t hunk_lines(const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix,
	const struct hunk *h, struct zl_buf *out)
{
	const struct zl_dts_file *f = &dts->file[file];
	size_t after = 0;

	for (size_t line = h->first; line < h->last;) {
		size_t next = line + 1;
		bool changes = line_changes(dts, file, fix, line, &next);
		struct zl_range r = line_range(f, line, next);
		struct zl_buf text = {0};

		if (changes) {
			write_part(f, file, fix, &r, &text);
			changed_lines(f->text + r.base, r.size, &text, out);
			after += count_lines(zl_buf_text(&text), text.len);
		} else {
			signed_lines(f->text + r.base, r.size, ' ', out);
			after++;
		}
		out->failed = out->failed || text.failed;
		zl_buf_done(&text);
		line = next;
	}
	return after;
}

static void write_hunk(const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix,
	struct hunk *h, struct zl_buf *out)
{
	struct zl_buf lines = {0};
	size_t before = h->last - h->first;
	size_t after = hunk_lines(dts, file, fix, h, &lines);
	int begin = (int)h->first + h->shift + (after > 0 ? 1 : 0);

	zl_buf_fmt(out, "@@ -%U,%U +%d,%U @@\n", (uint64_t)h->first + 1, (uint64_t)before, begin,
		(uint64_t)after);
	zl_buf_str(out, zl_buf_text(&lines));
	out->failed = out->failed || lines.failed;
	zl_buf_done(&lines);
	h->shift += (int)after - (int)before;
}

static struct hunk hunk_around(const struct zl_dts *dts, unsigned file, const struct zl_dts_edit *e)
{
	size_t first = line_of(dts, file, e->begin);
	size_t last = last_line_of(dts, file, e) + 1;
	size_t lines = line_count(&dts->file[file]);

	return (struct hunk){.first = first > CONTEXT ? first - CONTEXT : 0,
		.last = last + CONTEXT < lines ? last + CONTEXT : lines};
}

static void diff_file(
	const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix, struct zl_buf *out)
{
	struct hunk open = {0, 0, 0};
	const char *path = dts->file[file].name;
	char name[256];

	zl_clean_line(name, sizeof(name), path + strspn(path, "/"), strlen(path));
	for (size_t i = 0; i < fix->count; i++) {
		struct hunk h;

		if (fix->edit[i].file != file) {
			continue;
		}
		h = hunk_around(dts, file, &fix->edit[i]);
		if (open.last == 0) {
			zl_buf_fmt(out, "--- a/%s\n+++ b/%s\n", name, name);
			open = h;
		} else if (h.first <= open.last) {
			open.last = h.last > open.last ? h.last : open.last;
		} else {
			write_hunk(dts, file, fix, &open, out);
			h.shift = open.shift;
			open = h;
		}
	}
	if (open.last != 0) {
		write_hunk(dts, file, fix, &open, out);
	}
}

void zl_dts_fix_diff(const struct zl_dts *dts, const struct zl_dts_fix *fix, struct zl_buf *out)
{
	for (unsigned file = 0; file < dts->nr_files; file++) {
		diff_file(dts, file, fix, out);
	}
}
