/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A canvas as text, for golden files, `y`, and tests without a terminal.
 */
#include "canvas.h"
#include "text_width.h"

/* Counts all, keeps what fits, so that the caller can ask for the size first. */
struct sink {
	char *buf;
	size_t size;
	size_t len;
};

static void emit(struct sink *s, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s->len + 1 < s->size) {
			s->buf[s->len] = bytes[i];
		}
		s->len++;
	}
}

static size_t finish(struct sink *s)
{
	if (s->size > 0) {
		s->buf[s->len < s->size ? s->len : s->size - 1] = '\0';
	}
	return s->len;
}

static void emit_cell(struct sink *s, const struct cell *cell, enum glyph_set set)
{
	if (cell->ch != 0) {
		char bytes[UTF8_MAX + 1];

		emit(s, bytes, utf8_encode(glyph_map(set, cell->ch), bytes));
		return;
	}
	if (set == GLYPHS_ASCII) {
		emit(s, "?", 1); /* both halves, so that columns stay in line */
	}
}

size_t canvas_to_text(const struct canvas *c, enum glyph_set set, char *buf, size_t size)
{
	struct sink s = {.buf = buf, .size = size};

	for (int row = 0; row < c->rows; row++) {
		int end = c->cols;
		while (end > 0 && canvas_cell(c, row, end - 1)->ch == ' ') {
			end--;
		}
		for (int col = 0; col < end; col++) {
			emit_cell(&s, canvas_cell(c, row, col), set);
		}
		emit(&s, "\n", 1);
	}
	return finish(&s);
}

static char letter_at(const struct canvas *c, int row, int col)
{
	return role_letter((enum role)canvas_cell(c, row, col)->role);
}

size_t canvas_roles_text(const struct canvas *c, char *buf, size_t size)
{
	struct sink s = {.buf = buf, .size = size};

	for (int row = 0; row < c->rows; row++) {
		int end = c->cols;
		while (end > 0 && letter_at(c, row, end - 1) == ' ') {
			end--;
		}
		for (int col = 0; col < end; col++) {
			char letter = letter_at(c, row, col);
			emit(&s, &letter, 1);
		}
		emit(&s, "\n", 1);
	}
	return finish(&s);
}
