/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that scrolls: reports, and what commands print.
 */
#include <string.h>

#include "draw.h"
#include "ui.h"
#include "views.h"
#include "zonelab/text.h"

#define TAB 8

static size_t count_lines(const char *s)
{
	size_t n = 0;

	while (*s != '\0') {
		const char *end = strchr(s, '\n');
		n++;
		if (end == NULL) {
			break;
		}
		s = end + 1;
	}
	return n;
}

/* "1-12 of 40" at the end of the heading. */
static void draw_position(struct canvas *c, struct rect body, size_t first, size_t all)
{
	size_t last = first + (size_t)body.rows - 1;
	char text[64];

	if (all < (size_t)body.rows) {
		return;
	}
	zl_format(text, sizeof(text), "%u-%u of %u", (unsigned)first + 1,
		(unsigned)(last < all ? last : all), (unsigned)all);
	canvas_value(c, at_right(body.row, body.col + body.cols - 1, 24), ROLE_HEADING,
		VALUE_POSITION, text);
}

/* Tabs as blanks; in a diff the sign has a column of its own, as on a terminal. */
static void expand(struct zl_text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] != '\t') {
			zl_text_chr(t, s[i]);
			continue;
		}
		do {
			zl_text_chr(t, ' ');
		} while (t->len % TAB != 0 && !t->cut);
	}
}

static void draw_line(const struct app *app, struct canvas *c, struct rect row, const char *line)
{
	bool match = app->search[0] != '\0' && strstr(line, app->search) != NULL;
	enum role role = match ? ROLE_SELECT : ROLE_TEXT;
	const char *title = ui_heading(line);

	if (title == NULL) {
		/* Below headings of its own a text brings its margin with it. */
		bool own = line[0] == ' ' || strncmp(line, "►", strlen("►")) == 0;
		int margin = app->text_heading[0] != '\0' && own ? 0 : 1;
		canvas_value(c, at(row.row, row.col + margin), role, VALUE_LITERAL, line);
		return;
	}
	canvas_heading(c, row, "");
	canvas_value(
		c, at(row.row, row.col + 3), match ? role : ROLE_HEADING, VALUE_LITERAL, title);
}

void view_text(const struct app *app, struct canvas *c, struct rect body)
{
	const char *s = zl_buf_text(&app->text);
	size_t all = count_lines(s);
	size_t rows = (size_t)body.rows - 1;
	size_t first = app->scroll + rows <= all ? app->scroll : all > rows ? all - rows : 0;
	char line[1024];

	canvas_heading(c, rect(body.row, body.col, 1, body.cols), "");
	canvas_value(c, at(body.row, body.col + 3), ROLE_HEADING, VALUE_LITERAL,
		app->text_heading[0] != '\0' ? app->text_heading : app->text_title);
	draw_position(c, body, first, all);
	for (size_t i = 0; i < first + rows && *s != '\0'; i++) {
		size_t n = strcspn(s, "\n");
		if (i >= first) {
			struct zl_text t;
			zl_text_init(&t, line, sizeof(line));
			expand(&t, s, n);
			draw_line(app, c,
				rect(body.row + 1 + (int)(i - first), body.col, 1, body.cols),
				line);
		}
		s += n + (s[n] == '\n' ? 1 : 0);
	}
}
