/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A user at the explorer: bytes are keys, ":LINE\n" is a line at the prompt (completed first). No
 * hooks are given, so nothing outside is touched. What is shown stays clean, and everything
 * is freed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "command.h"
#include "fuzz.h"
#include "screen.h"

#define LINE_SIZE 256
/* Long inputs repeat themselves, and each key may resolve a machine. */
#define KEYS_MAX   48
#define DRAW_EVERY 8
/* One input of so many is drawn on its way and twice; the others once, at their end. */
#define DRAW_TURN 16

#define CELLS_MAX (64 * 220)

/* No cell is a control character. Drawn twice: the picture follows from the state alone. */
static void check_picture(const struct app *app, const struct view_prompt *prompt, bool twice)
{
	static struct cell cells[2][CELLS_MAX];
	size_t n = (size_t)app->rows * app->cols;
	struct canvas c;

	if (n > CELLS_MAX) {
		abort();
	}
	for (unsigned i = 0; i < (twice ? 2 : 1); i++) {
		canvas_init(&c, cells[i], (int)app->rows, (int)app->cols);
		screen_draw(app, prompt, &c);
	}
	for (size_t i = 0; i < n; i++) {
		const struct cell *one = &cells[0][i];
		const struct cell *two = &cells[twice ? 1 : 0][i];

		if (one->ch != two->ch || one->role != two->role || one->id != two->id ||
			(one->ch > 0 && one->ch < ' ') || one->ch == 0x7f) {
			fprintf(stderr, "cell %zu: U+%04x, then U+%04x\n", i, (unsigned)one->ch,
				(unsigned)two->ch);
			abort();
		}
	}
}

static void check_app(const struct app *app)
{
	fuzz_check_clean(app->message.text, "");
	fuzz_check_clean(app->field, "");
	size_t rows = app_panel_rows(app, app->panel);

	if (app_focused_setting(app) > ZL_SETTING_COUNT || rows > UINT16_MAX ||
		(rows > 0 && app->row[app->panel] >= rows)) {
		abort();
	}
	(void)app_focused_id(app);
}

/* Bytes that are no text stand for the keys that have names. */
static void press(struct app *app, uint8_t byte)
{
	static const char *const names[] = {"Enter", "Esc", "Tab", "S-Tab", "Up", "Down", "Left",
		"Right", "PgUp", "PgDn", "Home", "End", "Backspace", "Delete", "Insert", "F1",
		"Space", "C-r", "C-u", "C-l", "C-z", "C-c", "C-a", "C-w"};
	char text[2] = {(char)byte, '\0'};

	if (byte > ' ' && byte < 0x7f) {
		app_key(app, text);
	} else if (byte >= 0x80 && byte < 0x90) {
		static const uint8_t rows[] = {24, 1, 40, 60};
		static const uint8_t cols[] = {80, 3, 120, 200};

		app_resize(app, rows[byte & 3U], cols[byte >> 2 & 3U]);
	} else if (byte >= 0x90) {
		app_key(app, "\xc3\xa9");
	} else {
		app_key(app, names[byte % (sizeof(names) / sizeof(names[0]))]);
	}
}

/* Runs the line after completing it at its end; returns the bytes taken. */
static size_t prompt(struct app *app, const char *s, bool draws)
{
	static struct completions shown;
	char line[LINE_SIZE];
	size_t n = strcspn(s, "\n");

	snprintf(line, sizeof(line), "%.*s", (int)(n < LINE_SIZE ? n : LINE_SIZE - 1), s);
	command_complete(app, line, strlen(line), &shown);
	if (shown.count > COMPLETIONS_MAX || shown.start > strlen(line)) {
		abort();
	}
	if (draws) {
		check_picture(app,
			&(struct view_prompt){.open = true,
				.prompt = ":",
				.line = line,
				.point = strlen(line),
				.listing = &shown,
				.listed_for = line},
			true);
	}
	app_prompt_done(app, line);
	if (app->mode == MODE_PROMPT) {
		app_prompt_done(app, NULL); /* a wrong line stays open; give it up */
	}
	return s[n] == '\n' ? n + 1 : n;
}

static void use(struct app *app, const char *keys, bool draws)
{
	for (unsigned i = 0; *keys != '\0' && !app->quit && i < KEYS_MAX; i++) {
		if (*keys == ':' && app->mode != MODE_FIELD && app->mode != MODE_SEARCH) {
			app_key(app, ":");
			keys += 1 + prompt(app, keys + 1, draws);
		} else {
			press(app, (uint8_t)*keys++);
		}
		check_app(app);
		if (draws && i % DRAW_EVERY == 0) {
			check_picture(app, NULL, true);
		}
	}
	check_picture(app, NULL, draws);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct app *app = calloc(1, sizeof(*app));
	char *keys = fuzz_string(data, size);

	if (app != NULL && keys != NULL && app_init(app) == 0) {
		app->rows = 24;
		app->cols = 80;
		use(app, keys, fuzz_turn(data, size, DRAW_TURN));
		app_done(app);
	}
	free(keys);
	free(app);
	return 0;
}
