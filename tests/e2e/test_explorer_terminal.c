/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terminals that are slow, take nothing at all, change their size all the time, or have a mouse.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

#define MANY	   300 /* redraws: more than a pseudo-terminal holds */
#define FEW	   60
#define STEPS	   40
#define BUTTON	   0
#define DRAG	   32
#define WHEEL_UP   64
#define WHEEL_DOWN 65
#define PRESSED	   'M'
#define RELEASED   'm'
#define LONG	   "estimate exit-10x6g --param rounds=500\r"

static const struct pty_opts on_story = {.story = true};

static void redraws(struct pty *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		pty_send(p, "\014");
		p->sent++;
	}
}

static void assert_killed(int status, int sig)
{
	assert_true(WIFSIGNALED(status));
	assert_int_equal(sig, WTERMSIG(status));
}

/* Nobody reads, or output is stopped as by Ctrl-S on the other side. */
static void a_terminal_that_takes_nothing_keeps_nobody(void **state)
{
	static const int signals[] = {SIGTERM, SIGHUP};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct pty p;
		bool stopped = i % 2 == 1;

		pty_start(&p, &on_story, true);
		if (stopped) {
			assert_int_equal(0, tcflow(p.slave, TCOOFF));
		}
		redraws(&p, stopped ? 1 : MANY);
		pty_wait_idle(&p);
		pty_signal(&p, signals[i / 2]);
		assert_killed(pty_wait_end_unread(&p), signals[i / 2]);
		assert_int_equal(0, tcflow(p.slave, TCOON));
		pty_read_rest(&p);
		if (!stopped) {
			pty_assert_restored(&p);
		}
		pty_stop(&p);
	}
}

static void keys_are_taken_while_output_is_stopped(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	assert_int_equal(0, tcflow(p.slave, TCOOFF));
	pty_send(&p, ":go 5\r");
	pty_wait_idle(&p);
	assert_int_equal(0, tcflow(p.slave, TCOON));
	pty_await(&p, "op 5 of 1966");
	pty_stop(&p);
}

static void a_slow_terminal_is_not_sent_every_picture(void **state)
{
	struct pty p;
	unsigned long before;

	(void)state;
	pty_start(&p, &on_story, true);
	before = p.nr_frames;
	redraws(&p, FEW);
	while (p.nr_keys < p.sent) {
		pty_read_little(&p, 64);
	}
	assert_true(p.nr_frames - before < FEW / 2);
	pty_press(&p, "1");
	pty_assert_shows(&p, "What follows");
	pty_stop(&p);
}

static void set_size(struct pty *p, unsigned rows, unsigned cols)
{
	struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	assert_int_equal(0, ioctl(p->master, TIOCSWINSZ, &ws));
	pty_signal(p, SIGWINCH);
}

/* Sizes down to a cell and back, nobody waits for the pictures. */
static void storm(struct pty *p)
{
	for (unsigned i = 0; i < STEPS; i++) {
		set_size(p, 1 + i % 60, 1 + i * 7 % 200);
		set_size(p, 1, 1);
	}
	set_size(p, 24, 80);
}

static void a_storm_of_sizes_does_not_stop_a_run(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	pty_press(&p, "Space");
	storm(&p);
	pty_await(&p, "playing");
	pty_press(&p, "End");
	pty_await(&p, "op 1966 of 1966");
	pty_stop(&p);
}

static void a_storm_of_sizes_while_it_works_loses_no_key(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	pty_press(&p, ":");
	pty_send(&p, LONG);
	pty_await(&p, "Working · Ctrl-C stops it");
	storm(&p);
	pty_send(&p, "\003");
	pty_await(&p, "stopped before its end");
	pty_signal(&p, SIGTERM);
	assert_killed(pty_wait_end(&p), SIGTERM);
	pty_assert_restored(&p);
	pty_stop(&p);
}

/* A button's bytes as an xterm sends them; rows and columns count from 1. */
static void mouse(struct pty *p, int button, int col, int row, char end)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%d%c", button, col, row, end);
	pty_send(p, bytes);
}

static void click(struct pty *p, int col, int row)
{
	mouse(p, BUTTON, col, row, PRESSED);
	mouse(p, BUTTON, col, row, RELEASED);
}

/* The timeline has a cell an op, from op 130 in column 10; CPUs begin in column 12. */
static void the_mouse_goes_to_ops_and_chooses_cpus(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	mouse(&p, BUTTON, 20, 20, PRESSED);
	pty_await(&p, "op 140 of 1966");
	mouse(&p, DRAG, 30, 10, PRESSED); /* in another row */
	pty_await(&p, "op 150 of 1966");
	mouse(&p, BUTTON, 30, 10, RELEASED);
	mouse(&p, WHEEL_DOWN, 30, 20, PRESSED);
	pty_await(&p, "op 151 of 1966");
	mouse(&p, WHEEL_UP, 30, 20, PRESSED);
	pty_await(&p, "op 150 of 1966");
	pty_send(&p, "vvv");
	pty_await(&p, "Pages on the lists of each CPU");
	click(&p, 12 + 2 * 5, 14);
	pty_await(&p, "cpu 5 of 24");
	click(&p, 60, 14); /* no CPU there */
	click(&p, 12 + 2 * 7, 14);
	pty_await(&p, "cpu 7 of 24");
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_that_takes_nothing_keeps_nobody),
		cmocka_unit_test(keys_are_taken_while_output_is_stopped),
		cmocka_unit_test(a_slow_terminal_is_not_sent_every_picture),
		cmocka_unit_test(a_storm_of_sizes_does_not_stop_a_run),
		cmocka_unit_test(a_storm_of_sizes_while_it_works_loses_no_key),
		cmocka_unit_test(the_mouse_goes_to_ops_and_chooses_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
