/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shadow of what was shown last lets terminal_show() touch changed cells alone; what reaches
 * the wire is curses' business. Roles become attributes once, at the start.
 */
#include "tui_curses.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "text_width.h"
#include "tui_signals.h"

#define ESCAPE_MS  25
#define FEW_COLORS 16

struct terminal {
	SCREEN *screen;
	enum glyph_set glyphs;
	enum scheme scheme;
	attr_t attr[ROLE_COUNT];
	short pair[ROLE_COUNT];
	struct cell *shadow; /* glyphs as sent */
	int rows, cols;	     /* of the shadow */
	bool bytes;
	bool cursor;
	bool owed; /* a picture that the terminal did not take */
	bool marks;
	unsigned long frames;
	unsigned long keys;
};

/* ---- start and end ---- */

/* One line that says why the explorer cannot run here; the terminal is still untouched. */
static int check_terminal(struct zl_error *err)
{
	const char *term = getenv("TERM");
	int status = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		zl_error_set(err, 0, 0,
			"the explorer needs a terminal on standard input and output; "
			"subcommands do not, see zonelab --help");
		return -ENOTTY;
	}
	if (term == NULL || term[0] == '\0') {
		zl_error_set(err, 0, 0,
			"TERM is not set; set it to the terminal's type, "
			"for example TERM=xterm");
		return -ENODEV;
	}
	if (setupterm(term, STDOUT_FILENO, &status) != OK) {
		zl_error_set(err, 0, 0,
			"the terminal type TERM=%s is unknown here; try TERM=xterm or TERM=vt100",
			term);
		return -ENODEV;
	}
	const char *move = tigetstr("cup");
	bool able = move != NULL && move != (const char *)-1;
	del_curterm(cur_term);
	if (!able) {
		zl_error_set(err, 0, 0,
			"TERM=%s cannot move the cursor; the explorer needs a terminal like xterm, "
			"subcommands work everywhere",
			term);
		return -ENODEV;
	}
	return 0;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0';
}

static bool is_console(void)
{
	const char *term = getenv("TERM");

	return term != NULL && strcmp(term, "linux") == 0;
}

static enum glyph_set choose_glyphs(enum glyph_set wanted)
{
	if (wanted != GLYPHS_COUNT) {
		return wanted;
	}
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		return GLYPHS_ASCII;
	}
	return is_console() ? GLYPHS_CONSOLE : GLYPHS_UNICODE;
}

static enum scheme choose_scheme(const struct terminal_opts *opts)
{
	if (opts->colour == COLOUR_NEVER || !has_colors()) {
		return SCHEME_MONO;
	}
	if (opts->colour == COLOUR_AUTO && is_set("NO_COLOR")) {
		return SCHEME_MONO;
	}
	return opts->scheme;
}

static attr_t attributes(uint8_t style)
{
	attr_t a = A_NORMAL;

	a |= (style & STYLE_BOLD) != 0 ? A_BOLD : 0;
	a |= (style & STYLE_UNDERLINE) != 0 ? A_UNDERLINE : 0;
	a |= (style & STYLE_REVERSE) != 0 ? A_REVERSE : 0;
	a |= (style & STYLE_ITALIC) != 0 ? A_ITALIC : 0;
	a |= (style & STYLE_DIM) != 0 ? A_DIM : 0;
	return a;
}

static void set_up_roles(struct terminal *t)
{
	if (t->scheme != SCHEME_MONO) {
		start_color();
		use_default_colors();
	}
	for (unsigned r = 0; r < ROLE_COUNT; r++) {
		struct style s = theme_style(t->scheme, (enum role)r);
		t->attr[r] = attributes(s.attr);
		t->pair[r] = 0;
		if (s.fg == COLOUR_BRIGHT_BLACK && COLORS < FEW_COLORS) {
			s.fg = COLOUR_DEFAULT;
			t->attr[r] |= A_DIM;
		}
		if (s.fg == COLOUR_DEFAULT && s.bg == COLOUR_DEFAULT) {
			continue;
		}
		t->pair[r] = (short)(r + 1);
		init_pair(t->pair[r], s.fg, s.bg);
	}
}

static bool knows_mouse(void)
{
	const char *s = tigetstr("kmous");

	return s != NULL && s != (const char *)-1;
}

/* Prepares the bytes that a crash handler may write; tparm is not safe there. */
static void prepare_restore(void)
{
	static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
	const char *mouse = tigetstr("XM");

	if (knows_mouse()) {
		signals_add_restore("\033[?1002l");
	}
	if (mouse != NULL && mouse != (const char *)-1) {
		signals_add_restore(tparm(mouse, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	} else if (tigetstr("kmous") != (const char *)-1 && tigetstr("kmous") != NULL) {
		/* What curses itself falls back on where the entry does not say. */
		signals_add_restore("\033[?1000l\033[?1006l");
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *s = tigetstr(names[i]);
		if (s != NULL && s != (const char *)-1) {
			signals_add_restore(s);
		}
	}
}

/* Motion with a button held; curses reads it but does not ask for it. */
static void report_drags(bool on)
{
	if (knows_mouse()) {
		putp(on ? "\033[?1002h" : "\033[?1002l");
		(void)fflush(stdout);
	}
}

static void set_up_input(struct terminal *t)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	set_escdelay(ESCAPE_MS);
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED |
			  REPORT_MOUSE_POSITION,
		NULL);
	report_drags(true);
	mouseinterval(0);
	curs_set(0);
	t->cursor = false;
}

int terminal_open(const struct terminal_opts *opts, struct terminal **ret, struct zl_error *err)
{
	struct terminal *t = calloc(1, sizeof(*t));
	int r = check_terminal(err);

	if (t == NULL || r < 0) {
		free(t);
		return r < 0 ? r : -ENOMEM;
	}
	setlocale(LC_ALL, "");
	signals_save_terminal(STDOUT_FILENO);
	t->screen = newterm(NULL, stdout, stdin);
	if (t->screen == NULL) {
		zl_error_set(
			err, 0, 0, "curses cannot drive TERM=%s; try TERM=xterm", getenv("TERM"));
		free(t);
		return -ENODEV;
	}
	t->glyphs = choose_glyphs(opts->glyphs);
	t->scheme = choose_scheme(opts);
	t->marks = is_set("ZONELAB_FRAME_MARK");
	set_up_roles(t);
	set_up_input(t);
	prepare_restore();
	signals_install();
	terminal_redraw(t);
	*ret = t;
	return 0;
}

void terminal_close(struct terminal *t)
{
	if (t == NULL) {
		return;
	}
	if (signals_terminal_takes()) {
		signals_write(true);
		report_drags(false);
		mousemask(0, NULL);
		curs_set(1);
		endwin();
		signals_write(false);
	} else {
		signals_restore();
	}
	signals_remove();
	delscreen(t->screen);
	free(t->shadow);
	free(t);
}

void *terminal_description(void)
{
	return cur_term;
}

void terminal_set_description(void *description)
{
	if (cur_term != description) {
		set_curterm(description);
	}
}

/* ---- out ---- */

void terminal_size(const struct terminal *t, int *ret_rows, int *ret_cols)
{
	(void)t;
	*ret_rows = LINES < 1 ? 1 : LINES;
	*ret_cols = COLS < 1 ? 1 : COLS;
	if (*ret_rows > CANVAS_ROWS_MAX) {
		*ret_rows = CANVAS_ROWS_MAX;
	}
	if (*ret_cols > CANVAS_COLS_MAX) {
		*ret_cols = CANVAS_COLS_MAX;
	}
}

enum glyph_set terminal_glyphs(const struct terminal *t)
{
	return t->glyphs;
}

enum scheme terminal_scheme(const struct terminal *t)
{
	return t->scheme;
}

void terminal_redraw(struct terminal *t)
{
	free(t->shadow);
	t->shadow = NULL;
	clearok(curscr, TRUE);
}

/* A shadow of blanks in no role, so that every cell counts as changed. */
static bool make_shadow(struct terminal *t, const struct canvas *c)
{
	if (t->shadow != NULL && t->rows == c->rows && t->cols == c->cols) {
		return true;
	}
	free(t->shadow);
	t->shadow = calloc((size_t)(c->rows * c->cols), sizeof(*t->shadow));
	t->rows = c->rows;
	t->cols = c->cols;
	erase();
	return t->shadow != NULL;
}

/* Where libc and our table disagree about a width the grid would shift: show something safe. */
static uint32_t safe_glyph(const struct terminal *t, uint32_t ch, bool wide)
{
	uint32_t g = glyph_map(t->glyphs, ch);
	int w = g < 0x7f ? 1 : wcwidth((wchar_t)g);

	return w == (wide ? 2 : 1) ? g : '?';
}

static void send_cell(struct terminal *t, const struct canvas *c, int row, int col)
{
	const struct cell *cell = canvas_cell(c, row, col);
	bool wide = col + 1 < c->cols && cell[1].ch == 0;
	wchar_t text[2] = {(wchar_t)safe_glyph(t, cell->ch, wide), L'\0'};
	cchar_t out;

	setcchar(&out, text, t->attr[cell->role], t->pair[cell->role], NULL);
	mvadd_wch(row, col, &out);
	if (wide && (text[0] == L'?' || t->glyphs == GLYPHS_ASCII)) {
		mvadd_wch(row, col + 1, &out);
	}
}

static void send_row(struct terminal *t, const struct canvas *c, int row)
{
	const struct cell *now = canvas_cell(c, row, 0);
	struct cell *was = &t->shadow[row * c->cols];

	for (int col = 0; col < c->cols; col++) {
		bool same = was[col].ch == now[col].ch && was[col].role == now[col].role;
		bool tail = col + 1 < c->cols && now[col + 1].ch != was[col + 1].ch &&
			    (now[col + 1].ch == 0 || was[col + 1].ch == 0);
		if ((!same || tail) && now[col].ch != 0) {
			send_cell(t, c, row, col);
		}
	}
	memcpy(was, now, (size_t)c->cols * sizeof(*was));
}

/* In the stream itself, since only there it is certain to arrive behind the frame. */
static void mark_frame(struct terminal *t)
{
	char mark[64];

	t->frames++;
	if (!t->marks) {
		return;
	}
	int n = snprintf(mark, sizeof(mark), "\033]7711;frame %lu keys %lu\a", t->frames, t->keys);
	ssize_t written = write(STDOUT_FILENO, mark, (size_t)n);
	(void)written; /* a terminal that is gone is noticed while waiting */
}

void terminal_show(struct terminal *t, const struct canvas *c)
{
	t->owed = !signals_terminal_takes();
	if (t->owed || !make_shadow(t, c)) {
		return;
	}
	signals_write(true);
	for (int row = 0; row < c->rows; row++) {
		send_row(t, c, row);
	}
	bool cursor = c->cursor_row >= 0;
	if (cursor != t->cursor) {
		curs_set(cursor ? 1 : 0);
		t->cursor = cursor;
	}
	leaveok(stdscr, !cursor);
	if (cursor) {
		move(c->cursor_row, c->cursor_col);
	}
	refresh();
	mark_frame(t);
	signals_write(false);
}

/* Base64 as OSC 52 wants it, in pieces that need no memory. */
static void put_base64(const unsigned char *p, size_t len)
{
	static const char set[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t have = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)p[i] << 16;
		v |= have > 1 ? (uint32_t)p[i + 1] << 8 : 0;
		v |= have > 2 ? p[i + 2] : 0;
		putchar(set[v >> 18 & 63]);
		putchar(set[v >> 12 & 63]);
		putchar(have > 1 ? set[v >> 6 & 63] : '=');
		putchar(have > 2 ? set[v & 63] : '=');
	}
}

void terminal_clipboard(struct terminal *t, const char *text, size_t len)
{
	const size_t most = 74994; /* what xterm accepts, as others found out */

	(void)t;
	if (len > most || is_console()) {
		return;
	}
	signals_write(true);
	fputs("\033]52;c;", stdout);
	put_base64((const unsigned char *)text, len);
	fputs("\a", stdout);
	fflush(stdout);
	signals_write(false);
}

/* ---- in ---- */

void terminal_want_bytes(struct terminal *t, bool on)
{
	t->bytes = on;
	signals_write(true);
	keypad(stdscr, on ? FALSE : TRUE);
	signals_write(false);
}

/* Our modes again; curses sets those that it knows once more when it draws. */
static void take_again(bool listening)
{
	reset_prog_mode();
	signals_listen(listening);
	def_prog_mode();
}

void terminal_suspend(struct terminal *t, bool listening)
{
	signals_write(true);
	report_drags(false);
	def_prog_mode();
	endwin();
	signals_write(false);
	signals_stop_self();
	signals_take_continue();
	take_again(listening);
	terminal_redraw(t);
	signals_write(true);
	refresh();
	report_drags(true);
	keypad(stdscr, t->bytes ? FALSE : TRUE);
	curs_set(t->cursor ? 1 : 0);
	signals_write(false);
}

/* Readable with nothing to read: the other end has hung up. */
bool terminal_is_closed(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int waiting = 0;

	if (poll(&p, 1, 0) <= 0) {
		return false;
	}
	if ((p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
		return true;
	}
	return ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0;
}

bool terminal_has_input(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN) != 0;
}

static bool more_input_soon(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&p, 1, ESCAPE_MS) > 0;
}

static enum terminal_event read_mouse(struct terminal_key *ret)
{
	MEVENT m;

	if (getmouse(&m) != OK) {
		return EVENT_NOTHING;
	}
	ret->row = m.y;
	ret->col = m.x;
	if ((m.bstate & BUTTON4_PRESSED) != 0) {
		snprintf(ret->name, sizeof(ret->name), "WheelUp");
	} else if ((m.bstate & BUTTON5_PRESSED) != 0) {
		snprintf(ret->name, sizeof(ret->name), "WheelDown");
	} else if ((m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0) {
		snprintf(ret->name, sizeof(ret->name), "Click");
	} else if ((m.bstate & REPORT_MOUSE_POSITION) != 0) {
		snprintf(ret->name, sizeof(ret->name), "Drag");
	} else {
		return EVENT_NOTHING;
	}
	return EVENT_MOUSE;
}

static enum terminal_event read_byte(struct terminal *t, struct terminal_key *ret)
{
	const int escape = 0x1b;
	int ch = wgetch(stdscr);

	if (ch == ERR) {
		return EVENT_NOTHING;
	}
	t->keys++;
	if (ch == KEY_RESIZE) {
		return EVENT_REDRAW;
	}
	if (ch == escape && !more_input_soon()) {
		snprintf(ret->name, sizeof(ret->name), "Esc");
		return EVENT_KEY;
	}
	ret->byte = (unsigned char)ch;
	return EVENT_BYTE;
}

static enum terminal_event read_key(struct terminal *t, struct terminal_key *ret)
{
	wint_t key = 0;
	int kind = wget_wch(stdscr, &key);

	if (kind == ERR) {
		return EVENT_NOTHING;
	}
	t->keys++;
	if (kind == KEY_CODE_YES && key == KEY_RESIZE) {
		return EVENT_REDRAW;
	}
	if (kind == KEY_CODE_YES && key == KEY_MOUSE) {
		return read_mouse(ret);
	}
	return terminal_key_name(key, kind == KEY_CODE_YES, ret->name) ? EVENT_KEY : EVENT_NOTHING;
}

/* Something can be read or a signal has come; a size change comes out of curses as a key. */
static enum terminal_event read_event(struct terminal *t, bool readable, struct terminal_key *ret)
{
	unsigned long before = t->keys;

	wtimeout(stdscr, readable ? ESCAPE_MS : 0);
	enum terminal_event e = t->bytes ? read_byte(t, ret) : read_key(t, ret);
	if (t->keys == before && readable && terminal_is_closed()) {
		return EVENT_CLOSED;
	}
	return e;
}

enum terminal_event terminal_wait(struct terminal *t, uint64_t ns, struct terminal_key *ret)
{
	enum terminal_event e = EVENT_NOTHING;
	unsigned long before = t->keys;

	memset(ret, 0, sizeof(*ret));
	/* What curses has read ahead is not seen by select. */
	e = read_event(t, false, ret);
	while (e == EVENT_NOTHING && t->keys == before) {
		enum signals_woke woke = signals_wait(t->owed, ns);
		if (signals_ending() != 0) {
			return EVENT_SIGNAL;
		}
		if (signals_take_stop()) {
			return EVENT_STOP;
		}
		if (signals_take_continue()) {
			take_again(false);
			terminal_redraw(t);
			return EVENT_REDRAW;
		}
		if (woke == WOKE_TIME) {
			return EVENT_TIME;
		}
		if (woke == WOKE_WRITABLE) {
			return EVENT_REDRAW;
		}
		e = read_event(t, woke == WOKE_READABLE, ret);
	}
	return e;
}
