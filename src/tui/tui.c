/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "layout.h"
#include "pagesets.h"
#include "plain.h"
#include "screen.h"
#include "screenshot.h"
#include "tui_autosave.h"
#include "tui_prompt.h"
#include "tui_signals.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#define PATH_ROOM 4096

/* What the loop owns. The prompt and the signals keep their own state. */
struct tui {
	struct app *app;
	struct terminal *terminal;
	struct canvas canvas;
	struct cell *cells;
	size_t nr_cells;
	bool stale;	/* what is on the screen is out of date */
	bool pressed;	/* by a key: drawn at once */
	bool waited;	/* time has been passing since `last` */
	uint64_t last;	/* when app/ was told of time */
	uint64_t drawn; /* when the screen was drawn */
	struct autosave autosave;
	int drag_row; /* of the timeline that is dragged, 0 = none */
	/* work that takes longer than a frame */
	bool working;	  /* Ctrl-C is a signal now */
	bool told;	  /* and the screen says so */
	bool stopped;	  /* it was asked to end */
	uint64_t started; /* when */
	uint64_t looked;  /* when the terminal was looked at last */
};

/* The hooks of app/ carry no pointer to us; there is one explorer in a process. */
static struct tui *running;

/* ---- drawing ---- */

/* A canvas of the terminal's size; false without memory. */
static bool fit_canvas(struct tui *t)
{
	int rows = 0, cols = 0;

	terminal_size(t->terminal, &rows, &cols);
	size_t need = (size_t)rows * (size_t)cols;
	if (need > t->nr_cells) {
		struct cell *cells = realloc(t->cells, need * sizeof(*cells));
		if (cells == NULL) {
			return false;
		}
		t->cells = cells;
		t->nr_cells = need;
	}
	canvas_init(&t->canvas, t->cells, rows, cols);
	app_resize(t->app, (unsigned)rows, (unsigned)cols);
	return true;
}

static void draw(struct tui *t)
{
	struct view_prompt prompt = {0};

	if (!fit_canvas(t)) {
		return;
	}
	prompt_view(&prompt);
	screen_draw(t->app, &prompt, &t->canvas);
	canvas_mark_scheme(&t->canvas, terminal_scheme(t->terminal));
	terminal_show(t->terminal, &t->canvas);
}

/* ---- hooks ---- */

static void hook_copy(struct app *app, const char *text)
{
	char file[PATH_ROOM];
	size_t len = strlen(text);

	terminal_clipboard(running->terminal, text, len);
	if (zl_state_path("last-copy.txt", file, sizeof(file)) == 0 &&
		zl_save(file, text, len, true, NULL) == 0) {
		app_say(app, VALUE_LITERAL, "Copied to the clipboard and to %s", file);
	} else {
		app_say(app, VALUE_NONE,
			"Copied to the clipboard; last-copy.txt could not be written");
	}
}

static int hook_screenshot(const struct app *app, const char *file, struct zl_error *err)
{
	struct screenshot_opts opts = {
		.glyphs = terminal_glyphs(running->terminal), .scheme = SCHEME_16};

	(void)app;
	/* The prompt that asked for it is not part of the picture. */
	screen_draw(running->app, NULL, &running->canvas);
	return screenshot_write(&running->canvas, &opts, file, err);
}

static void hook_screen_text(const struct app *app, struct zl_buf *ret)
{
	screen_draw(app, NULL, &running->canvas);
	size_t need = canvas_to_text(&running->canvas, terminal_glyphs(running->terminal), NULL, 0);
	char *text = malloc(need + 1);

	if (text == NULL) {
		ret->failed = true;
		return;
	}
	canvas_to_text(&running->canvas, terminal_glyphs(running->terminal), text, need + 1);
	zl_buf_str(ret, text);
	free(text);
}

/* ---- long work ---- */

static uint64_t now_ns(void)
{
	const uint64_t second = 1000000000;
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * second + (uint64_t)ts.tv_nsec;
}

/* From here on Ctrl-C reaches what is computed or read. */
static void begin_work(struct tui *t)
{
	if (!t->working) {
		t->working = true;
		t->told = false;
		t->stopped = false;
		t->started = now_ns();
		t->looked = t->started;
		signals_listen(true);
	}
}

static void end_work(struct tui *t)
{
	if (!t->working) {
		return;
	}
	signals_listen(false);
	t->working = false;
	if (signals_interrupted() && !t->stopped) {
		app_interrupt(t->app); /* it was done before anybody asked */
	}
}

/* What is being changed cannot be drawn: one line over what stands there. */
static void tell_working(struct tui *t)
{
	struct layout l = layout_compute(t->canvas.rows, t->canvas.cols);

	t->told = true;
	if (!l.too_small) {
		canvas_blank(&t->canvas, l.message, ROLE_TEXT);
		canvas_text(&t->canvas, at(l.message.row, l.message.col + 1), ROLE_TEXT,
			"Working · Ctrl-C stops it");
		t->canvas.cursor_row = -1;
	}
	terminal_show(t->terminal, &t->canvas);
}

/* Taken away and given back in the middle of work, as between two keys. */
static void suspend_work(struct tui *t)
{
	signals_listen(false);
	terminal_suspend(t->terminal, true);
	terminal_show(t->terminal, &t->canvas);
}

static bool hook_stop(struct app *app)
{
	const uint64_t soon = 250000000, often = 10000000;
	struct tui *t = running;

	(void)app;
	begin_work(t);
	uint64_t now = now_ns();
	if (now - t->looked >= often) {
		t->looked = now;
		if (signals_stop_waits()) {
			suspend_work(t);
		}
		if (!t->told && now - t->started >= soon) {
			tell_working(t);
		}
		t->stopped = t->stopped || terminal_is_closed();
	}
	t->stopped = t->stopped || signals_interrupted() || signals_ending() != 0;
	return t->stopped;
}

static const struct app_hooks hooks = {.plain = plain_screen,
	.screen_text = hook_screen_text,
	.screenshot = hook_screenshot,
	.copy = hook_copy,
	.stop = hook_stop,
	.lasting = true};

/* ---- keys ---- */

static void complete(void *user, const char *line, size_t point, struct completions *ret)
{
	command_complete(user, line, point, ret);
}

static void close_prompt(struct tui *t)
{
	prompt_close();
	terminal_want_bytes(t->terminal, false);
}

/* Opens or closes the line as the state says. */
static void follow_mode(struct tui *t)
{
	bool wanted = t->app->mode == MODE_PROMPT;

	if (wanted && !prompt_is_open()) {
		prompt_open(":");
		if (t->app->prompt_start[0] != '\0') {
			prompt_set_line(t->app->prompt_start);
			if (t->app->prompt_list) {
				prompt_byte('\t');
			}
		}
		terminal_want_bytes(t->terminal, true);
	} else if (!wanted && prompt_is_open()) {
		close_prompt(t);
	}
}

static void prompt_gave_up(struct tui *t)
{
	app_prompt_done(t->app, NULL);
	close_prompt(t);
}

static void byte_typed(struct tui *t, unsigned char byte)
{
	const char *line = NULL;
	char copy[COMMAND_LINE];

	t->app->prompt_error.text[0] = '\0';
	prompt_byte(byte);
	if (!prompt_take_line(&line)) {
		if (!prompt_is_open()) {
			prompt_gave_up(t);
		}
		return;
	}
	zl_format(copy, sizeof(copy), "%s", line);
	prompt_remember(copy);
	begin_work(t); /* it may wait for a file before it asks */
	app_prompt_done(t->app, copy);
	if (t->app->mode == MODE_PROMPT) {
		prompt_set_line(
			copy); /* it failed: its error stands below, the line can be mended */
	}
}

/* A click focuses the row of the setting or value under it. */
static void focus_id(struct app *app, unsigned id)
{
	enum zl_setting keys[ZL_SETTING_COUNT];
	enum value_id ids[VALUE_COUNT];
	unsigned n = (unsigned)app_geometry_inputs(app, keys, ZL_SETTING_COUNT);

	if (app->overlay == OVERLAY_NONE && app->mode == MODE_NORMAL &&
		app->screen == SCREEN_PAGESETS) {
		pagesets_focus_id(app, id);
		return;
	}
	if (app->overlay != OVERLAY_NONE || app->mode != MODE_NORMAL ||
		app->screen != SCREEN_GEOMETRY) {
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		if (id == VALUE_SETTING_BASE + (unsigned)keys[i]) {
			app->panel = PANEL_INPUTS;
			app->row[PANEL_INPUTS] = i;
		}
	}
	n = (unsigned)app_geometry_results(app, ids, VALUE_COUNT);
	for (unsigned i = 0; i < n; i++) {
		if (id == (unsigned)ids[i]) {
			app->panel = PANEL_RESULTS;
			app->row[PANEL_RESULTS] = i;
		}
	}
}

static void mouse_used(struct tui *t, const struct terminal_key *key)
{
	static const char *const wheel[] = {"Up", "Down", "Left", "Right"};
	uint64_t op = 0;
	bool time = screen_op_at(t->app, &t->canvas, key->row, key->col, &op);

	if (strcmp(key->name, "Drag") == 0) {
		if (t->drag_row > 0) {
			(void)screen_click(t->app, &t->canvas, t->drag_row, key->col);
		}
		return;
	}
	if (strcmp(key->name, "WheelUp") == 0) {
		app_key(t->app, wheel[time ? 2 : 0]);
		return;
	}
	if (strcmp(key->name, "WheelDown") == 0) {
		app_key(t->app, wheel[time ? 3 : 1]);
		return;
	}
	t->drag_row = time ? key->row : 0; /* the timeline is dragged wherever the pointer goes */
	if (!screen_click(t->app, &t->canvas, key->row, key->col)) {
		focus_id(t->app, screen_id_at(&t->canvas, key->row, key->col));
	}
}

/* Redraw and suspension are asked for by keys but done here. */
static void serve_requests(struct tui *t)
{
	if (t->app->redraw) {
		t->app->redraw = false;
		terminal_redraw(t->terminal);
	}
	if (t->app->suspend) {
		t->app->suspend = false;
		terminal_suspend(t->terminal, false);
	}
}

/* Tells app/ how much time has passed since it last asked for some. */
static void pass_time(struct tui *t)
{
	uint64_t now = now_ns();

	if (app_wait(t->app) != UINT64_MAX) {
		t->stale = app_tick(t->app, t->waited ? now - t->last : 0) || t->stale;
	}
	t->waited = app_wait(t->app) != UINT64_MAX;
	t->last = now;
}

/*
 * Looking ahead goes in slices too short to draw each; keys that are there already are taken first,
 * so that a slow terminal is not sent what nobody will look at.
 */
static bool worth_a_frame(struct tui *t)
{
	const uint64_t frame = 66000000, longest = 250000000;
	uint64_t now = now_ns();

	if (t->stale && now - t->drawn < longest && terminal_has_input()) {
		return false;
	}

	if (!t->stale || (app_wait(t->app) == 0 && !t->pressed && now - t->drawn < frame)) {
		return false;
	}
	t->drawn = now;
	return true;
}

/* Handles one event. Returns false when the loop has to end. */
static bool handle(struct tui *t)
{
	struct terminal_key key;

	enum terminal_event event = terminal_wait(t->terminal, app_wait(t->app), &key);
	t->pressed = event != EVENT_TIME;
	switch (event) {
	case EVENT_KEY:
		if (prompt_is_open()) {
			prompt_gave_up(t); /* only Esc comes as a key while the prompt is open */
		} else {
			app_key(t->app, key.name);
		}
		break;
	case EVENT_BYTE:
		byte_typed(t, key.byte);
		break;
	case EVENT_MOUSE:
		mouse_used(t, &key);
		break;
	case EVENT_STOP:
		terminal_suspend(t->terminal, false);
		break;
	case EVENT_SIGNAL:
	case EVENT_CLOSED:
		return false;
	case EVENT_TIME:
		t->stale = false; /* only what time brings is news */
		break;
	case EVENT_REDRAW:
	case EVENT_NOTHING:
		break;
	}
	end_work(t);
	if (signals_ending() != 0) {
		return false;
	}
	pass_time(t);
	autosave_note(&t->autosave, t->app);
	follow_mode(t);
	serve_requests(t);
	return !t->app->quit;
}

int tui_run(struct app *app, const struct tui_opts *opts, struct zl_error *err)
{
	const int usage = 2;
	struct tui t = {.app = app};
	char history[PATH_ROOM];

	if (terminal_open(&opts->terminal, &t.terminal, err) < 0) {
		return usage;
	}
	running = &t;
	app->hooks = &hooks;
	app->motion = opts->motion;
	app->glyphs = (uint8_t)terminal_glyphs(t.terminal);
	if (zl_state_path("history", history, sizeof(history)) < 0) {
		history[0] = '\0';
	}
	autosave_start(&t.autosave, app);
	prompt_init(&(struct prompt_hooks){.complete = complete, .user = app}, history);
	t.stale = true;
	do {
		if (worth_a_frame(&t)) {
			draw(&t);
		}
		t.stale = true;
	} while (handle(&t));
	prompt_done();
	int sig = signals_ending();
	if (sig == 0 && app->quit) {
		autosave_end(&t.autosave);
	}
	terminal_close(t.terminal);
	free(t.cells);
	app->hooks = NULL;
	running = NULL;
	if (sig != 0) {
		raise(sig);
	}
	return 0;
}
