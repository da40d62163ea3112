/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer's opening story on a terminal: playing, stepping, seeking, stopping, and a resize
 * in the middle of it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

static void start(struct pty *p, const char *arg)
{
	pty_start(p, &(struct pty_opts){.story = true, .args = {arg}}, true);
}

static void leave(struct pty *p)
{
	assert_int_equal(1, write(p->master, "q", 1));
	int status = pty_wait_end(p);
	assert_true(WIFEXITED(status));
	pty_assert_restored(p);
	pty_stop(p);
}

static void it_opens_one_op_before_the_first_flush(void **state)
{
	struct pty p;

	(void)state;
	start(&p, NULL);
	pty_assert_shows(&p, "Paused one op before the first flush");
	pty_assert_shows(&p, "iperf 64 GiB/24 6.18.2");
	pty_press(&p, "1");
	pty_assert_shows(&p, "What follows");
	pty_press(&p, "3");
	pty_assert_shows(&p, "=> FLUSH 368 pages, all 46 blocks");
	leave(&p);
}

static void keys_step_and_seek(void **state)
{
	struct pty p;

	(void)state;
	start(&p, "--no-motion");
	pty_press(&p, ".");
	pty_assert_shows(&p, "FLUSH at op 191: 46 blocks of order 3 left cpu 1");
	pty_press(&p, ", ,");
	pty_assert_shows(&p, "op 189 of 1966");
	pty_press(&p, "n");
	pty_assert_shows(&p, "op 191 of 1966");
	pty_press(&p, "End");
	pty_assert_shows(&p, "op 1966 of 1966");
	pty_press(&p, "g");
	pty_type(&p, "100\r");
	pty_assert_shows(&p, "op 100 of 1966");
	leave(&p);
}

static void playing_stops_at_a_breakpoint_and_survives_a_resize(void **state)
{
	struct pty p;

	(void)state;
	start(&p, NULL);
	pty_press(&p, "g");
	pty_type(&p, "146\r");
	pty_press(&p, "b");
	pty_type(&p, "count >= 200\r");
	pty_press(&p, "> > > Space");
	pty_resize(&p, 40, 120);
	pty_wait_for(&p, "Stopped at op 170: count >= 200");
	pty_resize(&p, 24, 80);
	pty_assert_shows(&p, "op 170 of 1966");
	pty_press(&p, "Space");
	pty_wait_for(&p, "Paused one op before the first flush · Space goes on");
	pty_press(&p, "Space");
	pty_wait_for(&p, "op 1966 of 1966");
	leave(&p);
}

static void lanes_are_compared_while_playing_and_resizing(void **state)
{
	struct pty p;

	(void)state;
	start(&p, "--no-motion");
	pty_press(&p, ":");
	pty_type(&p, "lane B:kernel=6.12.0\r");
	pty_press(&p, "A 4");
	pty_assert_shows(&p, "[4 Compare]");
	pty_assert_shows(&p, "B  6.12.0 design B");
	pty_press(&p, "Home n");
	pty_assert_shows(&p, "op 154 of 1966");
	pty_press(&p, ", .");
	pty_assert_shows(&p, "op 154 of 1966");
	pty_press(&p, ":");
	pty_type(&p, "break clear\r");
	pty_press(&p, "> > > > > Space");
	pty_resize(&p, 40, 120);
	pty_resize(&p, 60, 200);
	pty_resize(&p, 20, 60);
	pty_resize(&p, 24, 80);
	pty_wait_for(&p, "op 1966 of 1966");
	pty_press(&p, "B K Left");
	pty_assert_shows(&p, "B 6.10");
	pty_press(&p, "Esc y");
	pty_assert_shows(&p, "Copied to the clipboard");
	pty_press(&p, "3");
	pty_assert_shows(&p, "[3 Pagesets]");
	assert_int_equal(2, write(p.master, "qq", 2)); /* an edit is not saved */
	int status = pty_wait_end(&p);
	assert_true(WIFEXITED(status));
	pty_assert_restored(&p);
	pty_stop(&p);
}

static void unsaved_work_is_there_again_after_a_crash(void **state)
{
	char home[] = "/tmp/zonelab-crash-XXXXXX";
	char path[64];
	struct pty p;

	(void)state;
	assert_non_null(mkdtemp(home));
	pty_start(&p, &(struct pty_opts){.story = true, .home = home}, true);
	pty_press(&p, ":");
	pty_type(&p, "set high_min=700\r");
	pty_signal(&p, SIGKILL);
	(void)pty_wait_end(&p);
	pty_stop(&p);
	pty_start(&p, &(struct pty_opts){.story = true, .home = home}, true);
	pty_assert_shows(&p, "Unsaved work of an earlier session is there");
	pty_press(&p, ":");
	pty_type(&p, "restore\r");
	pty_assert_shows(&p, "threshold      413");
	assert_int_equal(2, write(p.master, "qq", 2));
	assert_true(WIFEXITED(pty_wait_end(&p)));
	pty_stop(&p);
	snprintf(path, sizeof(path), "rm -r '%s'", home);
	assert_int_equal(0, system(path));
}

static long switches_of(pid_t pid)
{
	char path[64], line[256];
	long n = -1;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "voluntary_ctxt_switches:", 24) == 0) {
			n = strtol(line + 24, NULL, 10);
		}
	}
	fclose(f);
	assert_true(n >= 0);
	return n;
}

static void nothing_wakes_up_while_paused(void **state)
{
	const struct timespec second = {.tv_sec = 1};
	struct pty p;

	(void)state;
	start(&p, NULL);
	pty_press(&p, "Space Space");
	/* Whatever the last key still does is done by then. */
	nanosleep(&second, NULL);
	long before = switches_of(p.program);
	nanosleep(&second, NULL);
	assert_int_equal(before, switches_of(p.program));
	leave(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_opens_one_op_before_the_first_flush),
		cmocka_unit_test(keys_step_and_seek),
		cmocka_unit_test(playing_stops_at_a_breakpoint_and_survives_a_resize),
		cmocka_unit_test(lanes_are_compared_while_playing_and_resizing),
		cmocka_unit_test(unsaved_work_is_there_again_after_a_crash),
		cmocka_unit_test(nothing_wakes_up_while_paused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
