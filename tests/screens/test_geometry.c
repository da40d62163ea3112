/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Golden screens: state to canvas to text, without curses. A golden file holds the screen and
 * below it one role letter for each cell. ZL_BLESS=1 writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain.h"
#include "golden.h"
#include "plain.h"
#include "screen.h"

/* An id that a reader may ask about has an explanation with inputs. */
static void assert_ids_explain(struct stage *s)
{
	struct explain *e = malloc(sizeof(*e));
	bool seen[VALUE_COUNT] = {0};
	struct value_in in = app_values(&s->app);

	assert_non_null(e);
	for (int i = 0; i < s->c.rows * s->c.cols; i++) {
		unsigned id = s->cells[i].id;
		int64_t v = 0;
		if (id == VALUE_NONE || id >= VALUE_COUNT || seen[id] ||
			!value_get(&in, (enum value_id)id, &v)) {
			continue;
		}
		seen[id] = true;
		assert_true(explain_fill(&in, id, e));
		if (e->nr_inputs == 0) {
			fail_msg("%s is on the screen but its explanation has no operands",
				value_name(id));
		}
	}
	free(e);
}

static void the_default_machine_is_drawn(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	assert_golden(s, "geometry-80x24");
	stage_free(s);
}

static void a_field_shows_what_would_follow(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	press(s, "Enter 1 6");
	assert_golden(s, "geometry-edit-80x24");
	press(s, "Esc");
	assert_golden(s, "geometry-80x24");
	stage_free(s);
}

static void a_combination_that_cannot_be_built_shows_its_diagnostics(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	set(s, "page_size=16K");
	set(s, "max_page_order=10");
	set(s, "page_block_order=12");
	assert_shows(s, "\n 2 errors: this kernel does not build · n next diagnostic, ");
	press(s, "n");
	assert_golden(s, "geometry-illegal-80x24");
	stage_free(s);
}

static void a_wide_terminal_shows_all_columns(void **state)
{
	struct stage *s = stage_new(40, 120);

	(void)state;
	press(s, "p");
	set(s, "kernel=6.18.2");
	set(s, "page_size=16K");
	s->app.message.text[0] = '\0';
	assert_golden(s, "geometry-120x40");
	stage_free(s);
}

static void a_large_terminal_shows_more_orders(void **state)
{
	struct stage *s = stage_new(60, 200);

	(void)state;
	assert_golden(s, "geometry-200x60");
	stage_free(s);
}

static void overlays_are_drawn(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	press(s, "?");
	assert_golden(s, "help-80x24");
	press(s, "Esc Tab Down Down w");
	assert_golden(s, "why-80x24");
	press(s, "Esc e");
	assert_golden(s, "settings-80x24");
	stage_free(s);
}

static void completions_lie_in_the_slot_and_the_line_in_the_message_row(void **state)
{
	struct stage *s = stage_new(24, 80);
	static struct completions list;
	struct view_prompt prompt = {.open = true,
		.prompt = ":",
		.line = "set high_",
		.point = 9,
		.listing = &list,
		.listed_for = "set high"};
	int row = -1, col = -1;

	(void)state;
	press(s, ":");
	command_complete(&s->app, "set high", 8, &list);
	screen_draw(&s->app, &prompt, &s->c);
	canvas_to_text(&s->c, GLYPHS_UNICODE, s->screen, sizeof(s->screen));
	assert_false(canvas_find_untagged_digit(&s->c, &row, &col));
	assert_non_null(strstr(s->screen, "── Completions of \"set high\": "));
	assert_non_null(strstr(s->screen, "\n:set high_\n Tab next  Enter run"));
	assert_non_null(strstr(s->screen, "pageblock_order               9"));
	assert_int_equal(22, s->c.cursor_row);
	assert_int_equal(10, s->c.cursor_col);
	/* The chosen one is said in full, also under another name of its setting. */
	assert_non_null(
		strstr(s->screen, "\n►  high_fraction=    0              "
				  "vm.percpu_pagelist_high_fraction: 0 = off,\n"
				  "                                    otherwise at least 8\n"
				  "   high_min= "));
	assert_non_null(strstr(s->screen, "\n   Usage: set KEY=VALUE...\n"));
	stage_free(s);
}

static void a_small_terminal_gets_one_line(void **state)
{
	struct stage *s = stage_new(20, 72);

	(void)state;
	draw(s);
	assert_int_equal(
		0, strncmp(s->screen, "zonelab needs 80x24, this terminal has 72x20.\n\n", 47));
	stage_free(s);
	s = stage_new(1, 1);
	draw(s);
	assert_string_equal("…\n", s->screen);
	stage_free(s);
	s = stage_new(3, 10);
	draw(s);
	assert_string_equal("80x24\n\n\n", s->screen);
	stage_free(s);
}

static void every_digit_has_an_id_at_every_size(void **state)
{
	static const char *const scripts[] = {"", "Enter 1 6", "e", "?", "w", "p", "Tab w"};
	static const char *const settings[] = {"kernel=6.1", "kernel=5.10", "arch=x86_64",
		"page_size=64K", "max_page_order=8", "memory=64M", "nodes=2", "smp=off"};
	static const int sizes[][2] = {
		{24, 80 },
		  {30, 100},
		     {40, 120},
		{1,  1  }
	      };

	(void)state;
	for (size_t z = 0; z < sizeof(sizes) / sizeof(sizes[0]); z++) {
		for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
			for (size_t k = 0; k < sizeof(scripts) / sizeof(scripts[0]); k++) {
				struct stage *s = stage_new(sizes[z][0], sizes[z][1]);
				set(s, settings[i]);
				press(s, scripts[k]);
				draw(s);
				if (k == 0) {
					assert_ids_explain(s);
				}
				stage_free(s);
			}
		}
	}
}

static void any_keys_at_any_size_give_a_screen_with_ids(void **state)
{
	static const char *const keys[] = {"Up", "Down", "Left", "Right", "Tab", "S-Tab", "Enter",
		"Esc", "-", "+", "=", "p", "u", "C-r", "w", "y", "e", "?", "/", "n", "N", "PgDn",
		"PgUp", "Home", "End", "1", "6", "4", "K", "a", "Backspace", "C-u", "Delete",
		"Space", "é", "F1"};
	uint32_t seed = 7;
	struct stage *s = stage_new(24, 80);

	(void)state;
	for (int i = 0; i < 300; i++) {
		app_key(&s->app, keys[next_random(&seed) % (sizeof(keys) / sizeof(keys[0]))]);
		stage_resize(s, 1 + (int)(next_random(&seed) % ROWS_MAX),
			1 + (int)(next_random(&seed) % COLS_MAX));
		draw(s);
	}
	stage_free(s);
}

static void drawing_twice_gives_the_same_picture(void **state)
{
	struct stage *s = stage_new(40, 120);
	char *first = NULL;

	(void)state;
	draw(s);
	first = strdup(s->screen);
	assert_non_null(first);
	draw(s);
	assert_string_equal(first, s->screen);
	free(first);
	stage_free(s);
}

static void plain_has_one_labelled_fact_a_line(void **state)
{
	struct stage *s = stage_new(24, 80);
	struct zl_buf b = {0};

	(void)state;
	plain_screen(&s->app, false, &b);
	assert_int_equal(0, strncmp(zl_buf_text(&b),
				    "screen: Geometry\n"
				    "lane: A, arm64, page size 4 KiB, kernel 6.18.2, design C\n",
				    74));
	assert_non_null(strstr(zl_buf_text(&b), "\nmin_free_kbytes: 22528 = "));
	assert_non_null(strstr(zl_buf_text(&b), "\nfree_high threshold: 503 = 63 + 880 / 2\n"));
	for (const char *p = zl_buf_text(&b); *p != '\0'; p++) {
		assert_true((unsigned char)*p < 0x80);
	}
	for (const char *p = zl_buf_text(&b); *p != '\0'; p = strchr(p, '\n') + 1) {
		assert_true(strcspn(p, ":") < strcspn(p, "\n"));
	}
	zl_buf_done(&b);
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_machine_is_drawn),
		cmocka_unit_test(a_field_shows_what_would_follow),
		cmocka_unit_test(a_combination_that_cannot_be_built_shows_its_diagnostics),
		cmocka_unit_test(a_wide_terminal_shows_all_columns),
		cmocka_unit_test(a_large_terminal_shows_more_orders),
		cmocka_unit_test(overlays_are_drawn),
		cmocka_unit_test(completions_lie_in_the_slot_and_the_line_in_the_message_row),
		cmocka_unit_test(a_small_terminal_gets_one_line),
		cmocka_unit_test(every_digit_has_an_id_at_every_size),
		cmocka_unit_test(any_keys_at_any_size_give_a_screen_with_ids),
		cmocka_unit_test(drawing_twice_gives_the_same_picture),
		cmocka_unit_test(plain_has_one_labelled_fact_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
