/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on the screen of the program, and how it left the terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "pty_vterm.h"

#define PATIENCE 400 /* looks at the screen before a test gives up */

void pty_text(struct pty *p, char *buf)
{
	size_t len = 0;

	for (int row = 0; row < p->rows; row++) {
		size_t end = len;
		for (int col = 0; col < p->cols;) {
			VTermPos pos = {.row = row, .col = col};
			VTermScreenCell cell;
			VTermRect one = {row, row + 1, col, col + 1};
			vterm_screen_get_cell(p->screen, pos, &cell);
			if (cell.chars[0] == 0) {
				buf[len++] = ' ';
			} else {
				one.end_col = col + cell.width;
				len += vterm_screen_get_text(p->screen, buf + len, 16, one);
				end = cell.chars[0] == ' ' ? end : len;
			}
			col += cell.width > 0 ? cell.width : 1;
		}
		len = end;
		buf[len++] = '\n';
	}
	buf[len] = '\0';
}

bool pty_shows(struct pty *p, const char *text)
{
	char *buf = malloc(PTY_TEXT_MAX);

	assert_non_null(buf);
	pty_text(p, buf);
	bool found = strstr(buf, text) != NULL;
	free(buf);
	return found;
}

bool pty_has_colour(struct pty *p)
{
	for (int row = 0; row < p->rows; row++) {
		for (int col = 0; col < p->cols; col++) {
			VTermPos pos = {.row = row, .col = col};
			VTermScreenCell cell;
			vterm_screen_get_cell(p->screen, pos, &cell);
			if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
				!VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)) {
				return true;
			}
		}
	}
	return false;
}

void pty_assert_restored(struct pty *p)
{
	struct termios now;

	assert_int_equal(0, tcgetattr(p->slave, &now));
	assert_int_equal(p->before.c_iflag, now.c_iflag);
	assert_int_equal(p->before.c_oflag, now.c_oflag);
	assert_int_equal(p->before.c_cflag, now.c_cflag);
	assert_int_equal(p->before.c_lflag, now.c_lflag);
	assert_memory_equal(p->before.c_cc, now.c_cc, sizeof(now.c_cc));
	assert_false(p->alternate);
	assert_true(p->cursor);
	assert_false(p->mouse);
}

int pty_run_batch(const char *home, const char *args, char *buf, size_t size)
{
	char command[1024];

	snprintf(command, sizeof(command),
		"env -i HOME='%s' LC_ALL=C.UTF-8 PATH=/usr/bin:/bin "
		"ASAN_OPTIONS=detect_leaks=0 '%s' %s </dev/null 2>&1",
		home, getenv("ZONELAB"), args);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	size_t n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	int status = pclose(f);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

void pty_assert_shows(struct pty *p, const char *text)
{
	char *buf = malloc(PTY_TEXT_MAX);

	assert_non_null(buf);
	pty_text(p, buf);
	if (strstr(buf, text) == NULL) {
		fputs(buf, stderr); /* more than a message of cmocka holds */
		fail_msg("'%s' is not on the screen", text);
	}
	free(buf);
}

void pty_wait_for(struct pty *p, const char *text)
{
	const struct timespec little = {.tv_nsec = 20000000};

	for (unsigned i = 0; i < PATIENCE && !pty_shows(p, text); i++) {
		nanosleep(&little, NULL);
		pty_press(p, "C-l");
	}
	pty_assert_shows(p, text);
}
