/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/svg.h"

#define COLS 4

static void fill(struct zl_svg_cell *c)
{
	static const uint32_t ch[COLS] = {'a', '<', ' ', 0x1b};

	memset(c, 0, COLS * sizeof(*c));
	for (size_t i = 0; i < COLS; i++) {
		c[i].ch = ch[i];
		c[i].fg = i < 2 ? 0xffffff : 0x102030;
		c[i].bg = i < 2 ? 0 : 0xe0f001;
	}
	c[COLS - 1].bold = true;
}

static struct zl_svg_cell cell(void *user, unsigned row, unsigned col)
{
	const struct zl_svg_cell *c = user;

	return c[row * COLS + col];
}

static void cells_that_look_alike_become_one_text(void **state)
{
	struct zl_svg_cell copy[COLS];
	struct zl_svg_grid grid = {
		.rows = 1, .cols = COLS, .title = "a & b", .cell = cell, .user = copy};
	struct zl_buf b = {0};

	(void)state;
	fill(copy);
	zl_svg_write(&b, &grid);
	const char *s = zl_buf_text(&b);
	assert_int_equal(
		0, strncmp(s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"36\"", 50));
	assert_non_null(strstr(s, "<title>a &amp; b</title>"));
	assert_non_null(strstr(s, "textLength=\"18\" fill=\"#ffffff\">a&lt;</text>"));
	assert_non_null(
		strstr(s, "<rect x=\"18\" y=\"0\" width=\"9\" height=\"19\" fill=\"#e0f001\"/>"));
	zl_buf_done(&b);
}

static void control_characters_are_left_out(void **state)
{
	struct zl_svg_cell copy[COLS];
	struct zl_svg_grid grid = {
		.rows = 1, .cols = COLS, .title = "\033]0;x\a", .cell = cell, .user = copy};
	struct zl_buf b = {0};

	(void)state;
	fill(copy);
	zl_svg_write(&b, &grid);
	for (const char *p = zl_buf_text(&b); *p != '\0'; p++) {
		assert_true((unsigned char)*p >= ' ' || *p == '\n');
	}
	zl_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_that_look_alike_become_one_text),
		cmocka_unit_test(control_characters_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
