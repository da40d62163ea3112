/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readline through its callback interface: bytes go in through our getc, the line comes out
 * through our redisplay, which draws nothing: the owner draws every turn anyway.
 *
 * Readline keeps its state in globals and its callbacks carry no user pointer; this file is the
 * single place that follows suit.
 */
#include "tui_prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "text_width.h"
#include "tui_curses.h"

#define PATH_ROOM 4096

static struct {
	struct prompt_hooks hooks;
	char history[PATH_ROOM];
	bool ready;
	bool open;
	bool entered; /* a line waits in `line` */
	char *line;
	unsigned char queue[UTF8_MAX];
	size_t queued, taken;
	/* completions: those of the line at the last Tab, kept up to date while typing goes on */
	bool listing;
	bool tab; /* the byte being fed is a Tab */
	char listed_for[APP_FIELD];
	struct completions list;
	char word_start[APP_FIELD]; /* what readline's word has before ours begins */
} state;

/* ---- hooks of readline ---- */

static int next_byte(FILE *unused)
{
	(void)unused;
	return state.taken < state.queued ? state.queue[state.taken++] : EOF;
}

static int has_byte(void)
{
	return state.taken < state.queued;
}

static void draw_nothing(void)
{
}

static void show_nothing(char **matches, int count, int longest)
{
	(void)matches;
	(void)count;
	(void)longest;
}

static void line_entered(char *line)
{
	/* NULL is the end of input: Ctrl-D on an empty line gives up like Esc does. */
	free(state.line);
	state.line = line;
	state.entered = line != NULL;
	state.listing = false;
	if (line == NULL) {
		state.open = false;
	}
}

/* Readline asks for match 0, 1, ... until NULL; @text is its word, our words may begin later. */
static char *next_match(const char *text, int restart)
{
	static size_t i;

	(void)text;
	if (restart == 0) {
		i = 0;
	}
	if (i >= state.list.count) {
		return NULL;
	}
	const char *word = state.list.item[i++].word;
	size_t size = strlen(state.word_start) + strlen(word) + 1;
	char *copy = malloc(size);
	if (copy != NULL) {
		snprintf(copy, size, "%s%s", state.word_start, word);
	}
	return copy;
}

static void list_for_line(void)
{
	state.hooks.complete(state.hooks.user, rl_line_buffer, (size_t)rl_point, &state.list);
	snprintf(state.listed_for, sizeof(state.listed_for), "%s", rl_line_buffer);
}

/* A word that ends in = goes on with its value: no blank behind it. */
static void choose_append(void)
{
	rl_completion_append_character = ' ';
	for (size_t i = 0; i < state.list.count; i++) {
		const char *w = state.list.item[i].word;
		size_t n = strlen(w);
		if (n > 0 && (w[n - 1] == '=' || w[n - 1] == '/')) {
			rl_completion_append_character = '\0';
		}
	}
}

static char **attempt(const char *text, int start, int end)
{
	(void)end;
	rl_attempted_completion_over = 1;
	rl_sort_completion_matches = 0;
	list_for_line();
	state.listing = state.list.count > 0;
	size_t before = 0;
	if (state.list.start > (size_t)start && state.list.start <= (size_t)rl_point) {
		before = state.list.start - (size_t)start;
	}
	snprintf(state.word_start, sizeof(state.word_start), "%.*s", (int)before, text);
	choose_append();
	return rl_completion_matches(text, next_match);
}

/* ---- start and end ---- */

void prompt_init(const struct prompt_hooks *hooks, const char *history)
{
	state.hooks = *hooks;
	snprintf(state.history, sizeof(state.history), "%s", history);
	rl_readline_name = "zonelab";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_getc_function = next_byte;
	rl_input_available_hook = has_byte;
	rl_redisplay_function = draw_nothing;
	rl_completion_display_matches_hook = show_nothing;
	rl_attempted_completion_function = attempt;
	rl_basic_word_break_characters = " ";
	rl_completer_word_break_characters = " ";
	rl_outstream = fopen("/dev/null", "w");
	using_history();
	stifle_history(PROMPT_HISTORY_MAX);
	if (state.history[0] != '\0') {
		read_history(state.history);
	}
}

void prompt_done(void)
{
	prompt_close();
	clear_history();
	free(state.line);
	state.line = NULL;
	if (rl_outstream != NULL) {
		fclose(rl_outstream);
		rl_outstream = NULL;
	}
	state.ready = false;
}

/* The first installation reads inputrc and terminfo, and must not take curses' terminal away. */
static void install(const char *prompt)
{
	void *curses_terminal = terminal_description();

	rl_callback_handler_install(prompt, line_entered);
	terminal_set_description(curses_terminal);
	if (!state.ready) {
		rl_variable_bind("bell-style", "none");
		rl_variable_bind("enable-bracketed-paste", "off");
		rl_variable_bind("show-all-if-ambiguous", "on");
		rl_variable_bind("menu-complete-display-prefix", "on");
		rl_bind_key('\t', rl_menu_complete);
		state.ready = true;
	}
}

void prompt_open(const char *prompt)
{
	state.open = true;
	state.entered = false;
	state.listing = false;
	state.queued = 0;
	state.taken = 0;
	install(prompt);
}

void prompt_close(void)
{
	if (state.open || state.entered) {
		rl_callback_handler_remove();
	}
	state.open = false;
	state.entered = false;
	state.listing = false;
}

bool prompt_is_open(void)
{
	return state.open;
}

/* ---- typing ---- */

/* Bytes of the character that starts with @lead; 1 for what starts none. */
static size_t char_bytes(unsigned char lead)
{
	if (lead >= 0xf0 && lead <= 0xf4) {
		return 4;
	}
	if (lead >= 0xe0) {
		return 3;
	}
	return lead >= 0xc2 ? 2 : 1;
}

void prompt_byte(unsigned char byte)
{
	const unsigned char ctrl_c = 3;

	if (byte == ctrl_c) {
		state.open = false;
		return;
	}
	if (state.taken > 0) {
		state.queued = 0;
		state.taken = 0;
	}
	state.queue[state.queued++] = byte;
	if (state.queued < char_bytes(state.queue[0])) {
		return;
	}
	state.tab = byte == '\t';
	while (state.open && state.taken < state.queued) {
		rl_callback_read_char();
	}
	if (state.open && state.listing && !state.tab) {
		list_for_line();
		state.listing = state.list.count > 0;
	}
}

bool prompt_take_line(const char **ret)
{
	if (!state.entered) {
		return false;
	}
	state.entered = false;
	*ret = state.line;
	return true;
}

void prompt_remember(const char *line)
{
	HIST_ENTRY *last = history_get(history_base + history_length - 1);

	if (line[0] == '\0' || (last != NULL && strcmp(last->line, line) == 0)) {
		return;
	}
	add_history(line);
	using_history();
	if (state.history[0] != '\0' && write_history(state.history) == 0) {
		chmod(state.history, S_IRUSR | S_IWUSR);
	}
}

void prompt_set_line(const char *line)
{
	rl_replace_line(line, 1);
	rl_point = rl_end;
}

void prompt_view(struct view_prompt *ret)
{
	ret->open = state.open;
	ret->prompt = rl_display_prompt != NULL ? rl_display_prompt : "";
	ret->line = rl_line_buffer != NULL ? rl_line_buffer : "";
	ret->point = (size_t)rl_point;
	ret->listing = state.listing ? &state.list : NULL;
	ret->listed_for = state.listed_for;
}
