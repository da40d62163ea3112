/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "screen.h"

#define PATH_SIZE 512

struct stage *stage_new(int rows, int cols)
{
	struct stage *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(0, app_init(&s->app));
	s->app.motion = false;
	stage_resize(s, rows, cols);
	return s;
}

struct stage *stage_on(enum app_screen screen, int rows, int cols)
{
	struct stage *s = stage_new(rows, cols);
	struct zl_error err = {0};

	assert_int_equal(0, app_show_screen(&s->app, screen, &err));
	return s;
}

void stage_free(struct stage *s)
{
	app_done(&s->app);
	free(s);
}

void stage_resize(struct stage *s, int rows, int cols)
{
	app_resize(&s->app, (unsigned)rows, (unsigned)cols);
	canvas_init(&s->c, s->cells, rows, cols);
}

void press(struct stage *s, const char *keys)
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

void set(struct stage *s, const char *assignment)
{
	struct zl_error err = {0};

	if (app_set(&s->app, assignment, &err) < 0) {
		fail_msg("%s: %s", assignment, err.text);
	}
}

enum exit_status command_status(struct stage *s, const char *line, char *error, size_t size)
{
	struct output out = {.interactive = true};
	enum exit_status status = command_run(&s->app, line, &out);

	snprintf(error, size, "%s", out.error.text);
	output_done(&out);
	return status;
}

void command(struct stage *s, const char *line)
{
	char error[sizeof(((struct zl_error *)NULL)->text)];

	if (command_status(s, line, error, sizeof(error)) != EXIT_YES) {
		fail_msg("%s: %s", line, error);
	}
}

void draw(struct stage *s)
{
	int row = -1, col = -1;

	screen_draw(&s->app, NULL, &s->c);
	canvas_to_text(&s->c, GLYPHS_UNICODE, s->screen, sizeof(s->screen));
	canvas_roles_text(&s->c, s->roles, sizeof(s->roles));
	if (canvas_find_untagged_digit(&s->c, &row, &col)) {
		fail_msg("the digit at row %d, column %d has no id in\n%s", row, col, s->screen);
	}
}

void assert_shows(struct stage *s, const char *text)
{
	draw(s);
	if (strstr(s->screen, text) == NULL) {
		fail_msg("'%s' is not in\n%s", text, s->screen);
	}
}

void assert_hides(struct stage *s, const char *text)
{
	draw(s);
	if (strstr(s->screen, text) != NULL) {
		fail_msg("'%s' is in\n%s", text, s->screen);
	}
}

void read_file(const char *path, char *buf, size_t size)
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

void assert_golden(struct stage *s, const char *name)
{
	const size_t size = 2 * TEXT_MAX + sizeof("roles\n");
	char path[PATH_SIZE];
	char *want = malloc(size), *have = malloc(size);

	assert_true(want != NULL && have != NULL);
	snprintf(path, sizeof(path), "%s/tests/screens/%s.txt", TEST_SOURCE_ROOT, name);
	draw(s);
	snprintf(have, size, "%sroles\n%s", s->screen, s->roles);
	if (getenv("ZL_BLESS") != NULL) {
		bless(path, have);
	}
	read_file(path, want, size);
	if (strcmp(want, have) != 0) {
		print_message(
			"%s differs; ZL_BLESS=1 meson test --suite screens rewrites it\n", name);
	}
	assert_string_equal(want, have);
	free(want);
	free(have);
}

void assert_golden_sized(struct stage *s, const char *name)
{
	char sized[PATH_SIZE];

	snprintf(sized, sizeof(sized), "%s-%dx%d", name, s->c.cols, s->c.rows);
	assert_golden(s, sized);
}

void assert_golden_at_all_sizes(struct stage *s, const char *name)
{
	enum { SIZES = 5 };
	static const int rows[SIZES] = {24, 30, 33, 40, 60};
	static const int cols[SIZES] = {80, 100, 131, 120, 200};

	for (size_t i = 0; i < SIZES; i++) {
		stage_resize(s, rows[i], cols[i]);
		assert_golden_sized(s, name);
	}
}

uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

void type(struct stage *s, const char *text)
{
	for (; *text != '\0'; text++) {
		const char key[2] = {*text, '\0'};

		app_key(&s->app, *text == ' ' ? "Space" : key);
	}
}
