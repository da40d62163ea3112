/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table keeps the text of all its cells until it is printed, because widths follow from them.
 */
#include "table.h"

#include <string.h>

#include "commands.h"
#include "zonelab/text.h"

#define GAP	     2
#define WRAP_LEAST   24 /* a narrower last column goes to a line of its own */
#define WRAP_INDENT  4
#define HEADER_LINES 2

void table_init(struct table *t, struct output *out, struct zl_json *rows,
	const struct column *columns, size_t nr_columns)
{
	memset(t, 0, sizeof(*t));
	t->out = out;
	t->rows = rows;
	t->column = columns;
	t->nr_columns = nr_columns < TABLE_COLUMNS_MAX ? nr_columns : TABLE_COLUMNS_MAX;
}

void table_drop(struct table *t, const char *key, unsigned rank)
{
	for (size_t i = 0; i < t->nr_columns; i++) {
		if (strcmp(t->column[i].key, key) == 0) {
			t->drop[i] = rank;
		}
	}
}

static bool plain(const struct table *t)
{
	return t->out->format == FORMAT_CSV;
}

/* Column of the next cell; in JSON the row's object is made with the first. */
static const struct column *next_column(struct table *t)
{
	size_t at = t->nr_cells++ % t->nr_columns;

	if (at == 0 && t->rows != NULL) {
		t->row = zl_json_push_object(t->rows);
	}
	return &t->column[at];
}

static void keep(struct table *t, const char *s)
{
	zl_buf_mem(&t->cells, s, strlen(s));
	zl_buf_mem(&t->cells, "", 1);
}

void table_text(struct table *t, const char *s)
{
	const struct column *c = next_column(t);

	if (t->rows != NULL) {
		zl_json_add_string(t->row, c->key, s);
	} else {
		keep(t, s);
	}
}

static void add_number(struct table *t, const char *text, uint64_t v)
{
	const struct column *c = next_column(t);

	if (t->rows != NULL) {
		zl_json_add_u64(t->row, c->key, v);
	} else {
		keep(t, text);
	}
}

void table_number(struct table *t, uint64_t v)
{
	char buf[ZL_SETTING_TEXT];

	zl_format(buf, sizeof(buf), plain(t) ? "%U" : "%N", v);
	add_number(t, buf, v);
}

void table_bytes(struct table *t, uint64_t v)
{
	char buf[ZL_SETTING_TEXT];

	zl_format(buf, sizeof(buf), plain(t) ? "%U" : "%Z", v);
	add_number(t, buf, v);
}

void table_bool(struct table *t, bool v, const char *yes, const char *no)
{
	const struct column *c = next_column(t);

	if (t->rows != NULL) {
		zl_json_add_bool(t->row, c->key, v);
	} else if (plain(t)) {
		keep(t, v ? "true" : "false");
	} else {
		keep(t, v ? yes : no);
	}
}

void table_none(struct table *t)
{
	const struct column *c = next_column(t);

	if (t->rows != NULL) {
		zl_json_add_null(t->row, c->key);
	} else {
		keep(t, plain(t) ? "" : "-");
	}
}

static void print_csv_cell(struct zl_buf *b, const char *s)
{
	if (s[strcspn(s, ",\"\n\r")] == '\0') {
		zl_buf_str(b, s);
		return;
	}
	zl_buf_chr(b, '"');
	for (; *s != '\0'; s++) {
		zl_buf_str(b, *s == '"' ? "\"" : "");
		zl_buf_chr(b, *s);
	}
	zl_buf_chr(b, '"');
}

static void print_csv(struct table *t)
{
	struct zl_buf *b = &t->out->text;
	const char *cell = zl_buf_text(&t->cells);

	for (size_t i = 0; i < t->nr_columns; i++) {
		zl_buf_str(b, i > 0 ? "," : "");
		zl_buf_str(b, t->column[i].key);
	}
	zl_buf_chr(b, '\n');
	for (size_t n = 0; n < t->nr_cells; n++) {
		zl_buf_str(b, n % t->nr_columns > 0 ? "," : "");
		print_csv_cell(b, cell);
		zl_buf_str(b, (n + 1) % t->nr_columns == 0 ? "\n" : "");
		cell += strlen(cell) + 1;
	}
}

/* Characters of UTF-8 text. */
static size_t width_of(const char *s, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++) {
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	}
	return n;
}

/* One of the two lines of a title; a title of one line stands in the lower. */
static const char *title_line(const struct column *c, size_t line, size_t *ret_len)
{
	const char *bar = c->title != NULL ? strchr(c->title, '|') : NULL;

	*ret_len = 0;
	if (c->title == NULL || (line == 0 && bar == NULL)) {
		return "";
	}
	if (bar == NULL) {
		*ret_len = strlen(c->title);
		return c->title;
	}
	*ret_len = line == 0 ? (size_t)(bar - c->title) : strlen(bar + 1);
	return line == 0 ? c->title : bar + 1;
}

struct layout {
	size_t width[TABLE_COLUMNS_MAX];
	bool shown[TABLE_COLUMNS_MAX];
	size_t gap;
	size_t last;	   /* the last column that is shown */
	size_t last_at;	   /* where it starts */
	bool last_below;   /* it has a line of its own */
	size_t columns;	   /* of the page */
	size_t first_line; /* of titles: 0, 1, or HEADER_LINES when there are none */
};

/* Columns that the table takes, with one blank before the first. */
static size_t total_width(const struct table *t, const struct layout *l)
{
	size_t total = 0;

	for (size_t i = 0; i < t->nr_columns; i++) {
		total += l->shown[i] ? l->width[i] + l->gap : 0;
	}
	return total;
}

/* Takes away what may go until the numbers fit. */
static void drop_columns(const struct table *t, struct layout *l)
{
	while (total_width(t, l) > l->columns + l->gap) {
		size_t worst = t->nr_columns;

		for (size_t i = 0; i < t->nr_columns; i++) {
			if (l->shown[i] && t->drop[i] > 0 &&
				(worst == t->nr_columns || t->drop[i] > t->drop[worst])) {
				worst = i;
			}
		}
		if (worst == t->nr_columns) {
			return;
		}
		l->shown[worst] = false;
	}
}

static size_t last_shown(const struct table *t, const struct layout *l)
{
	size_t last = 0;

	for (size_t i = 0; i < t->nr_columns; i++) {
		last = l->shown[i] ? i : last;
	}
	return last;
}

static void fit_last(const struct table *t, struct layout *l)
{
	l->columns = output_columns(t->out);
	l->gap = GAP;
	l->last = last_shown(t, l);
	if (t->column[l->last].right && total_width(t, l) > l->columns + l->gap) {
		l->gap = 1;
		drop_columns(t, l);
		l->last = last_shown(t, l);
	}
	for (size_t i = 0; i < l->last; i++) {
		l->last_at += l->shown[i] ? l->width[i] + l->gap : 0;
	}
	l->last_below = !t->column[l->last].right && l->last_at + WRAP_LEAST > l->columns;
	if (l->last_below) {
		l->last_at = WRAP_INDENT;
	}
}

static void fit(const struct table *t, struct layout *l)
{
	const char *cell = zl_buf_text(&t->cells);

	memset(l, 0, sizeof(*l));
	l->first_line = HEADER_LINES;
	for (size_t i = 0; i < t->nr_columns; i++) {
		l->shown[i] = t->column[i].title != NULL;
		for (size_t line = 0; line < HEADER_LINES; line++) {
			size_t len = 0;

			(void)title_line(&t->column[i], line, &len);
			l->width[i] = len > l->width[i] ? len : l->width[i];
			if (len > 0 && line < l->first_line) {
				l->first_line = line;
			}
		}
	}
	for (size_t n = 0; n < t->nr_cells; n++) {
		size_t i = n % t->nr_columns;
		size_t w = width_of(cell, strlen(cell));

		if (w > l->width[i]) {
			l->width[i] = w;
		}
		cell += strlen(cell) + 1;
	}
	fit_last(t, l);
}

/* Pads to where the cell starts, so that nothing blank stands at the end of a line. */
static void print_cell(struct table *t, const struct layout *l, size_t i, const char *s, size_t len)
{
	struct zl_buf *b = &t->out->text;
	size_t at = 0;

	for (size_t j = 0; j < i; j++) {
		at += l->shown[j] ? l->width[j] + l->gap : 0;
	}
	if (!l->shown[i] || len == 0) {
		return;
	}
	if (t->column[i].right) {
		at += l->width[i] - width_of(s, len);
	}
	zl_buf_pad(b, at);
	zl_buf_mem(b, s, len);
}

static void print_titles(struct table *t, const struct layout *l)
{
	for (size_t line = l->first_line; line < HEADER_LINES; line++) {
		for (size_t i = 0; i < t->nr_columns; i++) {
			size_t len = 0;
			const char *s = title_line(&t->column[i], line, &len);

			if (i != l->last || !l->last_below) {
				print_cell(t, l, i, s, len);
			}
		}
		zl_buf_chr(&t->out->text, '\n');
	}
}

static void print_last(struct table *t, const struct layout *l, const char *cell)
{
	struct zl_buf *b = &t->out->text;

	if (cell[0] == '\0') {
		zl_buf_chr(b, '\n');
	} else if (t->column[l->last].right) {
		print_cell(t, l, l->last, cell, strlen(cell));
		zl_buf_chr(b, '\n');
	} else {
		zl_buf_str(b, l->last_below ? "\n" : "");
		zl_buf_pad(b, l->last_at);
		text_wrap(b, l->last_at, l->columns, cell);
	}
}

static void print_rows(struct table *t, const struct layout *l)
{
	const char *cell = zl_buf_text(&t->cells);

	print_titles(t, l);
	for (size_t n = 0; n < t->nr_cells; n++) {
		if (n % t->nr_columns == l->last) {
			print_last(t, l, cell);
		} else {
			print_cell(t, l, n % t->nr_columns, cell, strlen(cell));
		}
		cell += strlen(cell) + 1;
	}
}

/* Numbers that have no room beside each other: in parts, the first column before each. */
static void print_parts(struct table *t, const struct layout *all)
{
	size_t first = 0;
	size_t next;

	while (first < t->nr_columns && !all->shown[first]) {
		first++;
	}
	next = first + 1;
	while (next < t->nr_columns) {
		struct layout part = *all;
		size_t taken = all->width[first] + all->gap;
		bool some = false;

		memset(part.shown, 0, sizeof(part.shown));
		part.shown[first] = true;
		for (; next < t->nr_columns; next++) {
			size_t w = all->shown[next] ? all->width[next] + all->gap : 0;

			if (some && taken + w > all->columns + all->gap) {
				break;
			}
			part.shown[next] = all->shown[next];
			some = some || all->shown[next];
			taken += w;
		}
		part.last = last_shown(t, &part);
		if (some) {
			zl_buf_str(&t->out->text, part.shown[first + 1] ? "" : "\n");
			print_rows(t, &part);
		}
	}
}

void table_print(struct table *t)
{
	struct layout l;

	if (t->cells.failed || t->nr_columns == 0) {
		t->out->text.failed = t->out->text.failed || t->cells.failed;
	} else if (t->rows == NULL && t->out->format == FORMAT_CSV) {
		print_csv(t);
	} else if (t->rows == NULL) {
		fit(t, &l);
		if (t->column[l.last].right && total_width(t, &l) > l.columns + l.gap) {
			print_parts(t, &l);
		} else {
			print_rows(t, &l);
		}
	}
	zl_buf_done(&t->cells);
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes up to the next blank where a line may end: never inside "22 528" or "32 MiB". */
static size_t word_length(const char *s)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "B", "%"};
	size_t len = strcspn(s, " ");

	while (len > 0 && s[len] == ' ' && digit(s[len - 1])) {
		const char *next = s + len + 1;
		bool joined = digit(next[0]);

		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && !joined; i++) {
			size_t n = strlen(units[i]);
			joined = strncmp(next, units[i], n) == 0 &&
				 strchr(" ,.;:)", next[n]) != NULL;
		}
		if (!joined) {
			break;
		}
		len += 1 + strcspn(next, " ");
	}
	return len;
}

/* Bytes of at most @room characters: a word that is longer than a line is cut. */
static size_t fitting(const char *s, size_t len, size_t room)
{
	while (width_of(s, len) > room) {
		len--;
	}
	return len;
}

void text_wrap(struct zl_buf *b, size_t indent, size_t columns, const char *s)
{
	size_t room = columns > indent ? columns - indent : 1;

	s += strspn(s, " ");
	while (*s != '\0') {
		size_t len = fitting(s, word_length(s), room);
		size_t at = zl_buf_column(b);
		bool blank = at > 0 && b->data[b->len - 1] != ' ';

		if (at > indent && at + (blank ? 1 : 0) + width_of(s, len) > columns) {
			zl_buf_chr(b, '\n');
			zl_buf_pad(b, indent);
		} else if (blank) {
			zl_buf_chr(b, ' ');
		}
		zl_buf_mem(b, s, len);
		s += len;
		s += strspn(s, " ");
	}
	zl_buf_chr(b, '\n');
}
