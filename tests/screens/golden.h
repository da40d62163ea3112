/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State to canvas to text, for tests of screens. A golden file holds the screen and below it one
 * role letter for each cell; ZL_BLESS=1 writes it anew. Everything here fails the test that runs.
 */
#ifndef TESTS_SCREENS_GOLDEN_H
#define TESTS_SCREENS_GOLDEN_H

#include "app.h"
#include "canvas.h"
#include "command.h"

#define ROWS_MAX 60
#define COLS_MAX 200
#define TEXT_MAX (ROWS_MAX * (COLS_MAX * 4 + 1) + 1)

/** An application without a terminal, and the last picture of it. */
struct stage {
	struct app app;
	struct canvas c;
	struct cell cells[ROWS_MAX * COLS_MAX];
	char screen[TEXT_MAX];
	char roles[TEXT_MAX];
};

/** A started application without motion, on its first screen. */
struct stage *stage_new(int rows, int cols);
/** The same on another screen. */
struct stage *stage_on(enum app_screen screen, int rows, int cols);
void stage_free(struct stage *s);
void stage_resize(struct stage *s, int rows, int cols);

/** Keys by name, separated by blanks. */
void press(struct stage *s, const char *keys);
/** One setting, which must be taken. */
void set(struct stage *s, const char *assignment);
/** A line as at the prompt, which must succeed. */
void command(struct stage *s, const char *line);
/** The same with any status; @error of @size receives what was wrong, or "". */
enum exit_status command_status(struct stage *s, const char *line, char *error, size_t size);

/** Draws into screen and roles; each digit must have an id. */
void draw(struct stage *s);
/** Draws; the screen must have @text in it, or must not. */
void assert_shows(struct stage *s, const char *text);
void assert_hides(struct stage *s, const char *text);
/** Draws; the picture must be that of tests/screens/NAME.txt. */
void assert_golden(struct stage *s, const char *name);
/** The same with the size behind the name: NAME-80x24.txt. */
void assert_golden_sized(struct stage *s, const char *name);
/** The same at 80x24, 100x30, 120x40, 200x60 and one size between. */
void assert_golden_at_all_sizes(struct stage *s, const char *name);

/** A small generator with a seed, for walks at random. */
uint32_t next_random(uint32_t *state);
/** A whole file as text; "" when it cannot be read. */
void read_file(const char *path, char *buf, size_t size);

/** Types a text, a key a character. */
void type(struct stage *s, const char *text);

#endif
