/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Golden screens: state to canvas to text, without curses. A golden file holds the screen and
 * below it one role letter for each cell. ZL_BLESS=1 writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app.h"
#include "canvas.h"
#include "command.h"
#include "explain.h"
#include "plain.h"
#include "screen.h"

#define ROWS_MAX 60
#define COLS_MAX 200
#define TEXT_MAX (ROWS_MAX * (COLS_MAX * 4 + 1) + 1)

struct stage {
	struct app app;
	struct canvas c;
	struct cell cells[ROWS_MAX * COLS_MAX];
	char screen[TEXT_MAX];
	char roles[TEXT_MAX];
};

static struct stage *stage_new(int rows, int cols)
{
	struct stage *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(0, app_init(&s->app));
	s->app.rows = (unsigned)rows;
	s->app.cols = (unsigned)cols;
	canvas_init(&s->c, s->cells, rows, cols);
	return s;
}

static void stage_free(struct stage *s)
{
	app_done(&s->app);
	free(s);
}

/* Keys separated by blanks. */
static void press(struct stage *s, const char *keys)
{
	char key[32];

	while (*keys != '\0') {
		size_t n = strcspn(keys, " ");
		snprintf(key, sizeof(key), "%.*s", (int)n, keys);
		app_key(&s->app, key);
		keys += n;
		keys += strspn(keys, " ");
	}
}

static void set(struct stage *s, const char *assignment)
{
	struct zl_error err = {0};

	if (app_set(&s->app, assignment, &err) < 0) {
		fail_msg("%s: %s", assignment, err.text);
	}
}

static void draw(struct stage *s)
{
	screen_draw(&s->app, NULL, &s->c);
	canvas_to_text(&s->c, GLYPHS_UNICODE, s->screen, sizeof(s->screen));
	canvas_roles_text(&s->c, s->roles, sizeof(s->roles));
}

static void read_file(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "rb");

	buf[0] = '\0';
	if (f != NULL) {
		size_t n = fread(buf, 1, size - 1, f);
		buf[n] = '\0';
		fclose(f);
	}
}

static void bless(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(0, fclose(f));
}

/* The screen as it is must be the golden file's. */
static void assert_golden(struct stage *s, const char *name)
{
	char path[512];
	char *want = malloc(2 * TEXT_MAX);
	char *have = malloc(2 * TEXT_MAX);

	assert_true(want != NULL && have != NULL);
	snprintf(path, sizeof(path), "%s/tests/screens/%s.txt", TEST_SOURCE_ROOT, name);
	draw(s);
	strcpy(have, s->screen);
	strcat(have, "roles\n");
	strcat(have, s->roles);
	if (getenv("ZL_BLESS") != NULL) {
		bless(path, have);
	}
	read_file(path, want, 2 * TEXT_MAX);
	if (strcmp(want, have) != 0) {
		print_message(
			"%s differs; ZL_BLESS=1 meson test --suite screens rewrites it\n", name);
	}
	assert_string_equal(want, have);
	free(want);
	free(have);
}

static void assert_no_untagged_digit(struct stage *s)
{
	int row = -1, col = -1;

	if (canvas_find_untagged_digit(&s->c, &row, &col)) {
		fail_msg("the digit at row %d, column %d has no id in\n%s", row, col, s->screen);
	}
}

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
	s->app.panel = PANEL_DIAGS;
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

	(void)state;
	press(s, ":");
	command_complete(&s->app, "set high", 8, &list);
	screen_draw(&s->app, &prompt, &s->c);
	canvas_to_text(&s->c, GLYPHS_UNICODE, s->screen, sizeof(s->screen));
	assert_non_null(strstr(s->screen, "── Completions of \"set high\": "));
	assert_non_null(strstr(s->screen, "\n:set high_\n Tab next  Enter run"));
	assert_non_null(strstr(s->screen, "pageblock_order               9"));
	assert_int_equal(22, s->c.cursor_row);
	assert_int_equal(10, s->c.cursor_col);
	assert_no_untagged_digit(s);
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
				assert_no_untagged_digit(s);
				if (k == 0) {
					assert_ids_explain(s);
				}
				stage_free(s);
			}
		}
	}
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
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
		s->app.rows = 1 + next_random(&seed) % ROWS_MAX;
		s->app.cols = 1 + next_random(&seed) % COLS_MAX;
		canvas_init(&s->c, s->cells, (int)s->app.rows, (int)s->app.cols);
		draw(s);
		assert_no_untagged_digit(s);
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
