/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"
#include "text_width.h"

#define ROWS 4
#define COLS 12

struct board {
	struct canvas c;
	struct cell cells[ROWS * COLS];
};

static void board_init(struct board *b)
{
	canvas_init(&b->c, b->cells, ROWS, COLS);
}

static void assert_board(const struct board *b, enum glyph_set set, const char *want)
{
	char buf[512];

	assert_true(canvas_to_text(&b->c, set, buf, sizeof(buf)) < sizeof(buf));
	assert_string_equal(want, buf);
}

static void text_is_cut_with_an_ellipsis_at_its_width_and_at_the_edge(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	assert_int_equal(5, canvas_text(&b.c, at(0, 0), ROLE_TEXT, "zones"));
	assert_int_equal(4, canvas_text(&b.c, at_width(1, 0, 4), ROLE_TEXT, "zones"));
	assert_int_equal(12, canvas_text(&b.c, at(2, 6), ROLE_TEXT, "pagesets"));
	assert_int_equal(12, canvas_text(&b.c, at(3, 6), ROLE_TEXT, "normal"));
	assert_board(&b, GLYPHS_UNICODE, "zones\nzon…\n      pages…\n      normal\n");
	assert_board(&b, GLYPHS_ASCII, "zones\nzon$\n      pages$\n      normal\n");
}

static void right_alignment_ends_at_the_given_column(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	canvas_value(&b.c, at_right(0, 8, 8), ROLE_TEXT, 1, "2016");
	canvas_value(&b.c, at_right(1, 8, 3), ROLE_TEXT, 1, "22 528");
	assert_board(&b, GLYPHS_ASCII, "    2016\n     22$\n\n\n");
}

static void nothing_is_drawn_outside_the_clip(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	canvas_clip(&b.c, rect(1, 2, 2, 5));
	canvas_text(&b.c, at(0, 0), ROLE_TEXT, "above");
	canvas_text(&b.c, at(1, 0), ROLE_TEXT, "abcdefghi");
	canvas_text(&b.c, at(3, 0), ROLE_TEXT, "below");
	canvas_text(&b.c, at(-1, -3), ROLE_TEXT, "nowhere");
	canvas_text(&b.c, at(2, 9), ROLE_TEXT, "right");
	canvas_fill(&b.c, at(2, 4), ROLE_TEXT, '=');
	assert_board(&b, GLYPHS_ASCII, "\n  cdef$\n    ===\n\n");
}

static void control_characters_and_bad_utf8_never_reach_a_cell(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	canvas_text(&b.c, at(0, 0), ROLE_TEXT, "a\033[31mb\n\tc\177\xc2\x9b");
	canvas_text(&b.c, at(1, 0), ROLE_TEXT, "\xff\xc0\xaf\xed\xa0\x80");
	canvas_text(&b.c, at(2, 0), ROLE_TEXT, "e\xe2\x80\xae\xcc\x81x");
	for (int i = 0; i < ROWS * COLS; i++) {
		assert_true(b.cells[i].ch >= 0x20);
		assert_true(char_width(b.cells[i].ch) == 1);
	}
	canvas_clear(&b.c);
	canvas_text(&b.c, at(0, 0), ROLE_TEXT, "a\033[31mb\n\tc\177\xc2\x9b");
	assert_board(&b, GLYPHS_UNICODE, "a[31mbc\n\n\n\n");
}

static void a_wide_character_takes_two_cells_or_none(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	assert_int_equal(4, canvas_text(&b.c, at(0, 0), ROLE_TEXT, "頁面"));
	assert_int_equal(3, canvas_text(&b.c, at_width(1, 0, 3), ROLE_TEXT, "頁面"));
	assert_int_equal(0x9801, b.cells[0].ch);
	assert_int_equal(0, b.cells[1].ch);
	assert_board(&b, GLYPHS_UNICODE, "頁面\n頁…\n\n\n");
	assert_board(&b, GLYPHS_ASCII, "????\n??$\n\n\n");
	canvas_text(&b.c, at_width(0, 1, 1), ROLE_TEXT, "x");
	assert_board(&b, GLYPHS_UNICODE, " x面\n頁…\n\n\n");
	canvas_text(&b.c, at_width(0, 2, 1), ROLE_TEXT, "y");
	assert_board(&b, GLYPHS_UNICODE, " xy\n頁…\n\n\n");
}

static void a_digit_needs_an_id(void **state)
{
	struct board b;
	int row = -1, col = -1;

	(void)state;
	board_init(&b);
	canvas_value(&b.c, at(0, 0), ROLE_TEXT, 7, "4 KiB << 9");
	canvas_text(&b.c, at(1, 0), ROLE_TEXT, "pages");
	assert_false(canvas_find_untagged_digit(&b.c, &row, &col));
	assert_int_equal(7, canvas_cell(&b.c, 0, 1)->id);
	canvas_text(&b.c, at(2, 3), ROLE_TEXT, "no 9");
	assert_true(canvas_find_untagged_digit(&b.c, &row, &col));
	assert_int_equal(2, row);
	assert_int_equal(6, col);
}

static void a_heading_is_underlined_to_the_edge_of_its_panel(void **state)
{
	struct board b;
	char roles[128];

	(void)state;
	board_init(&b);
	canvas_heading(&b.c, rect(0, 0, 1, 8), "Zone");
	canvas_separator(&b.c, 8, 0, 3);
	canvas_heading(&b.c, rect(1, 0, 1, 8), "Watermarks");
	assert_board(&b, GLYPHS_UNICODE, "── Zone │\n── Wate…│\n        │\n\n");
	canvas_roles_text(&b.c, roles, sizeof(roles));
	assert_string_equal("hhhhhhhh\nhhhhhhhh\n\n\n", roles);
	assert_true((theme_style(SCHEME_16, ROLE_HEADING).attr & STYLE_UNDERLINE) != 0);
}

static void a_bar_is_drawn_in_eighths_of_a_cell(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	canvas_bar(&b.c, at_width(0, 1, 6), ROLE_USED, 25);
	canvas_bar(&b.c, at_width(1, 1, 6), ROLE_USED, 400);
	assert_board(&b, GLYPHS_UNICODE, " ███▏\n ██████\n\n\n");
	assert_board(&b, GLYPHS_ASCII, " ###.\n ######\n\n\n");
	assert_board(&b, GLYPHS_CONSOLE, " ███▌\n ██████\n\n\n");
}

static void without_colour_previews_and_focus_get_a_mark(void **state)
{
	struct board b;

	(void)state;
	board_init(&b);
	canvas_text(&b.c, at(1, 2), ROLE_PREVIEW, "new");
	canvas_text(&b.c, at(2, 1), ROLE_FOCUS, "row");
	canvas_mark_scheme(&b.c, SCHEME_16);
	assert_board(&b, GLYPHS_ASCII, "\n  new\n row\n\n");
	canvas_mark_scheme(&b.c, SCHEME_CONTRAST);
	assert_board(&b, GLYPHS_ASCII, "\n  new\n>row\n\n");
	canvas_mark_scheme(&b.c, SCHEME_MONO);
	assert_board(&b, GLYPHS_ASCII, "\n ~new\n>row\n\n");
}

static void the_size_of_a_text_can_be_asked_first(void **state)
{
	struct board b;
	char small[4];

	(void)state;
	board_init(&b);
	canvas_text(&b.c, at(0, 0), ROLE_TEXT, "zones");
	assert_int_equal(9, canvas_to_text(&b.c, GLYPHS_ASCII, NULL, 0));
	assert_int_equal(9, canvas_to_text(&b.c, GLYPHS_ASCII, small, sizeof(small)));
	assert_string_equal("zon", small);
}

static void every_glyph_has_an_ascii_twin(void **state)
{
	(void)state;
	for (uint32_t ch = 0x20; ch < 0x3000; ch++) {
		uint32_t a = glyph_map(GLYPHS_ASCII, ch);
		assert_true(a >= 0x20 && a < 0x7f);
		assert_int_equal(ch, glyph_map(GLYPHS_UNICODE, ch));
	}
	assert_int_equal('>', glyph_map(GLYPHS_ASCII, 0x25ba));
	assert_int_equal('=', glyph_map(GLYPHS_ASCII, 0x2592));
	assert_int_equal('?', glyph_map(GLYPHS_ASCII, 0xe9));
	assert_int_equal('o', glyph_map(GLYPHS_CONSOLE, 0x25b3));
	assert_int_equal(GLYPHS_CONSOLE, glyph_set_find("console"));
	assert_int_equal(GLYPHS_COUNT, glyph_set_find("emoji"));
}

static void role_letters_are_unique_and_colour_is_never_alone(void **state)
{
	(void)state;
	for (unsigned a = 0; a < ROLE_COUNT; a++) {
		for (unsigned b = a + 1; b < ROLE_COUNT; b++) {
			assert_int_not_equal(role_letter((enum role)a), role_letter((enum role)b));
			assert_string_not_equal(role_name((enum role)a), role_name((enum role)b));
		}
		assert_int_equal(-1, theme_style(SCHEME_MONO, (enum role)a).fg);
		assert_int_equal(-1, theme_style(SCHEME_MONO, (enum role)a).bg);
	}
}

static void widths_are_those_of_the_table(void **state)
{
	(void)state;
	assert_int_equal(-1, char_width('\n'));
	assert_int_equal(-1, char_width(0x85));
	assert_int_equal(1, char_width('a'));
	assert_int_equal(1, char_width(0x2588));
	assert_int_equal(1, char_width(0x25ba));
	assert_int_equal(0, char_width(0x301));
	assert_int_equal(0, char_width(0x200b));
	assert_int_equal(2, char_width(0xac00));
	assert_int_equal(2, char_width(0x1f600));
	assert_int_equal(2, char_width(0x2f000));
	assert_int_equal(1, char_width(0x10ffff));
	assert_int_equal(5, text_width("e\xcc\x81t頁z"));
}

static void code_points_survive_encoding(void **state)
{
	static const uint32_t points[] = {1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
	char bytes[UTF8_MAX + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		const char *p = bytes;
		size_t n = utf8_encode(points[i], bytes);
		assert_int_equal(strlen(bytes), n);
		assert_int_equal(points[i], utf8_next(&p));
		assert_int_equal(0, utf8_next(&p));
	}
}

/* What of the text stands in the first line of @cols columns. */
static void assert_first_line(const char *text, int cols, const char *line)
{
	size_t n = text_fit(text, cols);

	if (n != strlen(line) || strncmp(text, line, n) != 0) {
		fail_msg("%d columns of \"%s\" are \"%.*s\"", cols, text, (int)n, text);
	}
}

static void lines_break_neither_in_a_number_nor_beside_an_operator(void **state)
{
	(void)state;
	assert_first_line("of the blocks, cap 1 777 820 KiB.", 24, "of the blocks,");
	assert_first_line("of the blocks, cap 1 777 820 KiB.", 31, "of the blocks,");
	assert_first_line("it holds at most 63 + 291 pages", 20, "it holds at");
	assert_first_line("it holds at most 63 + 291 pages", 25, "it holds at most 63 + 291");
	/* Where all is one formula, any blank is better than none. */
	assert_first_line("batch 63 + high_min 583 / 2", 19, "batch 63 + high_min");
	assert_first_line("abcdefghij", 4, "abcd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_break_neither_in_a_number_nor_beside_an_operator),
		cmocka_unit_test(text_is_cut_with_an_ellipsis_at_its_width_and_at_the_edge),
		cmocka_unit_test(right_alignment_ends_at_the_given_column),
		cmocka_unit_test(nothing_is_drawn_outside_the_clip),
		cmocka_unit_test(control_characters_and_bad_utf8_never_reach_a_cell),
		cmocka_unit_test(a_wide_character_takes_two_cells_or_none),
		cmocka_unit_test(a_digit_needs_an_id),
		cmocka_unit_test(a_heading_is_underlined_to_the_edge_of_its_panel),
		cmocka_unit_test(a_bar_is_drawn_in_eighths_of_a_cell),
		cmocka_unit_test(without_colour_previews_and_focus_get_a_mark),
		cmocka_unit_test(the_size_of_a_text_can_be_asked_first),
		cmocka_unit_test(every_glyph_has_an_ascii_twin),
		cmocka_unit_test(role_letters_are_unique_and_colour_is_never_alone),
		cmocka_unit_test(widths_are_those_of_the_table),
		cmocka_unit_test(code_points_survive_encoding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
