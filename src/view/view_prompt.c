/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line in the message row, its completions in the slot.
 */
#include <string.h>

#include "draw.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define MARK	      0x25ba
#define WORD_COL      3
#define VALUE_COL     21
#define VALUE_COL_MAX 28
#define VALUE_COLS    15

/* Cells of the first @n bytes. */
static int width_of(const char *s, size_t n)
{
	const char *p = s;
	int cells = 0;

	while (p < s + n && *p != '\0') {
		int w = char_width(utf8_next(&p));
		cells += w > 0 ? w : 0;
	}
	return cells;
}

void view_prompt_line(const struct view_prompt *p, struct canvas *c, struct rect row)
{
	int before = text_width(p->prompt);
	int cursor = before + width_of(p->line, p->point);
	const char *line = p->line;
	int hidden = 0;

	canvas_blank(c, row, ROLE_TEXT);
	/* A line that is longer than the row moves left so that the cursor stays in sight. */
	while (cursor - hidden >= row.cols && *line != '\0') {
		int w = char_width(utf8_next(&line));
		hidden += w > 0 ? w : 0;
	}
	int col = canvas_value(c, at(row.row, row.col), ROLE_TEXT, VALUE_LITERAL, p->prompt);
	if (*line != '\0') {
		canvas_value(c, at(row.row, col), ROLE_TEXT, VALUE_LITERAL, line);
	}
	c->cursor_row = row.row;
	c->cursor_col = row.col + cursor - hidden;
}

/* The match that the word under the cursor is now, or the first. */
static size_t chosen(const struct view_prompt *p)
{
	const struct completions *l = p->listing;

	for (size_t i = 0; i < l->count; i++) {
		size_t n = strlen(l->item[i].word);
		if (p->point >= l->start + n &&
			strncmp(p->line + l->start, l->item[i].word, n) == 0) {
			return i;
		}
	}
	return 0;
}

/* Where values and meanings of a list stand. */
struct completion_columns {
	int value, meaning;
};

static struct completion_columns columns_of(const struct completions *l)
{
	struct completion_columns ret = {.value = VALUE_COL};
	bool values = false;

	for (size_t i = 0; i < l->count; i++) {
		int end = WORD_COL + text_width(l->item[i].word) + 2;

		ret.value = end > ret.value && end <= VALUE_COL_MAX ? end : ret.value;
		values = values || l->item[i].value[0] != '\0';
	}
	ret.meaning = ret.value + (values ? VALUE_COLS : 0);
	return ret;
}

/* Returns the rows that it took: what the chosen one means is said in full. */
static int draw_completion(struct canvas *c, struct rect room, const struct completion *item,
	bool marked, const struct completion_columns *cols)
{
	int row = room.row;
	/* A word that is longer than its column moves its own row alone. */
	int end = WORD_COL + text_width(item->word) + 2;
	int shift = end > cols->value ? end - cols->value : 0;
	int col = cols->meaning + shift;

	if (marked) {
		canvas_put(c, row, 0, ROLE_FOCUS, MARK);
	}
	canvas_value(
		c, at(row, WORD_COL), marked ? ROLE_SELECT : ROLE_TEXT, VALUE_LITERAL, item->word);
	canvas_value(c, at_width(row, cols->value + shift, VALUE_COLS - 1), ROLE_TEXT,
		VALUE_LITERAL, item->value);
	if (!marked) {
		canvas_value(c, at(row, col), ROLE_TEXT, VALUE_LITERAL, item->meaning);
		return 1;
	}
	int rows = draw_wrapped(c, rect(row, col, room.rows, room.cols - col), ROLE_TEXT,
		VALUE_LITERAL, item->meaning);
	return rows > 1 ? rows : 1;
}

void view_completions(const struct view_prompt *p, struct canvas *c, struct rect slot)
{
	const struct completions *l = p->listing;
	char text[APP_FIELD + 64];
	int rows = slot.rows - 1 - (l->usage[0] != '\0'); /* heading and usage */
	int mark = (int)chosen(p);
	int first = mark >= rows ? mark - rows + 1 : 0;
	const struct completion_columns cols = columns_of(l);
	struct rect before = canvas_clip(c, slot);

	canvas_blank(c, slot, ROLE_TEXT);
	canvas_heading(c, rect(slot.row, slot.col, 1, slot.cols), "");
	zl_format(
		text, sizeof(text), "Completions of \"%s\": %u", p->listed_for, (unsigned)l->count);
	canvas_value(c, at(slot.row, slot.col + 3), ROLE_HEADING, VALUE_POSITION, text);
	int shown = 0;
	for (int i = first; i < (int)l->count && shown < rows; i++) {
		struct rect room = rect(slot.row + 1 + shown, slot.col, rows - shown, slot.cols);
		shown += draw_completion(c, room, &l->item[i], i == mark, &cols);
	}
	if (l->usage[0] != '\0') {
		zl_format(text, sizeof(text), "Usage: %s", l->usage);
		canvas_value(c, at(slot.row + 1 + (shown < rows ? shown : rows), WORD_COL),
			ROLE_DIM, VALUE_LITERAL, text);
	}
	canvas_clip(c, before);
}
