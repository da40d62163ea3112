/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer on a terminal: that what the canvas holds arrives, that keys and prompt work, and
 * that every end leaves the terminal as it was.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

static void assert_exited(int status, int code)
{
	assert_true(WIFEXITED(status));
	assert_int_equal(code, WEXITSTATUS(status));
}

static void assert_killed(int status, int sig)
{
	assert_true(WIFSIGNALED(status));
	assert_int_equal(sig, WTERMSIG(status));
}

static void the_terminal_shows_exactly_the_canvas(void **state)
{
	static const int sizes[][2] = {
		{24, 80 },
		  {40, 120}
	   };
	struct pty p;
	char *shown = malloc(PTY_TEXT_MAX), *drawn = malloc(PTY_TEXT_MAX);
	char args[64];

	(void)state;
	assert_true(shown != NULL && drawn != NULL);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_start(&p, &(struct pty_opts){.rows = sizes[i][0], .cols = sizes[i][1]}, true);
		pty_text(&p, shown);
		snprintf(args, sizeof(args), "--screen %dx%d", sizes[i][1], sizes[i][0]);
		assert_int_equal(0, pty_run_batch(p.home, args, drawn, PTY_TEXT_MAX));
		assert_string_equal(drawn, shown);
		assert_true(p.alternate);
		assert_false(p.cursor);
		pty_stop(&p);
	}
	free(shown);
	free(drawn);
}

static void leaving_restores_the_terminal(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_type(&p, "");
	assert_int_equal(1, write(p.master, "q", 1));
	assert_exited(pty_wait_end(&p), 0);
	pty_assert_restored(&p);
	pty_stop(&p);
}

static void a_field_previews_and_an_edit_is_undone(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, "Enter 1 6");
	pty_assert_shows(&p, "What would follow (preview)");
	pty_assert_shows(&p, "page_size = 16_");
	pty_assert_shows(&p, "A arm64 4 KiB 6.18.2");
	pty_press(&p, "Enter");
	pty_assert_shows(&p, "A arm64 16 KiB 6.18.2");
	pty_assert_shows(&p, "CMA_MIN_ALIGNMENT_BYTES  32 MiB");
	pty_press(&p, "u");
	pty_assert_shows(&p, "A arm64 4 KiB 6.18.2");
	pty_press(&p, "C-r");
	pty_assert_shows(&p, "A arm64 16 KiB 6.18.2");
	pty_stop(&p);
}

static void a_lone_escape_and_arrow_keys_are_told_apart(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, "Enter 6 4");
	pty_assert_shows(&p, "What would follow");
	pty_press(&p, "Esc");
	assert_false(pty_shows(&p, "What would follow"));
	pty_press(&p, "Down Down Down Down Down Enter");
	pty_assert_shows(&p, "cma = _");
	pty_press(&p, "Esc End Enter");
	pty_assert_shows(&p, "cpus = _");
	pty_stop(&p);
}

static void the_size_may_shrink_to_one_cell_and_grow_again(void **state)
{
	struct pty p;
	char *before = malloc(PTY_TEXT_MAX), *after = malloc(PTY_TEXT_MAX);

	(void)state;
	assert_true(before != NULL && after != NULL);
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, "Down Down Down");
	pty_text(&p, before);
	pty_resize(&p, 20, 72);
	pty_assert_shows(&p, "zonelab needs 80x24, this terminal has 72x20.");
	pty_resize(&p, 1, 1);
	pty_press(&p, "Down");
	pty_press(&p, "Up");
	pty_resize(&p, 50, 160);
	pty_assert_shows(&p, "PAGE_BLOCK_MAX_ORDER on this kernel");
	pty_resize(&p, 24, 80);
	pty_text(&p, after);
	assert_string_equal(before, after);
	pty_stop(&p);
	free(before);
	free(after);
}

static void signals_that_end_it_restore_the_terminal(void **state)
{
	static const int signals[] = {
		SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT};
	struct pty p;

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		pty_start(&p, &(struct pty_opts){0}, true);
		pty_signal(&p, signals[i]);
		assert_killed(pty_wait_end(&p), signals[i]);
		pty_assert_restored(&p);
		pty_stop(&p);
	}
}

static void it_stops_and_continues(void **state)
{
	struct pty p;
	char *before = malloc(PTY_TEXT_MAX), *after = malloc(PTY_TEXT_MAX);

	(void)state;
	assert_true(before != NULL && after != NULL);
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_text(&p, before);
	for (int round = 0; round < 2; round++) {
		if (round == 0) {
			assert_int_equal(1, write(p.master, "\032", 1)); /* Ctrl-Z */
			p.sent++;
		} else {
			pty_signal(&p, SIGTSTP);
		}
		pty_wait_stopped(&p);
		pty_assert_restored(&p);
		pty_signal(&p, SIGCONT);
		pty_settle(&p);
		pty_press(&p, "Down Up");
		pty_text(&p, after);
		assert_string_equal(before, after);
		assert_true(p.alternate);
	}
	assert_int_equal(1, write(p.master, "q", 1));
	assert_exited(pty_wait_end(&p), 0);
	pty_assert_restored(&p);
	pty_stop(&p);
	free(before);
	free(after);
}

static void a_terminal_that_goes_away_ends_it(void **state)
{
	struct pty p;
	int status = 0;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_hang_up(&p);
	status = pty_wait_end(&p);
	assert_true((WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
		    (WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
	pty_stop(&p);
}

static void assert_refused(const char *term, const char *why)
{
	struct pty p;

	pty_start(&p, &(struct pty_opts){.term = term}, false);
	assert_exited(pty_wait_end(&p), 2);
	pty_assert_shows(&p, "zonelab: ");
	pty_assert_shows(&p, why);
	assert_int_equal(0, p.nr_frames);
	pty_assert_restored(&p);
	pty_stop(&p);
}

static void a_terminal_that_cannot_do_it_gets_one_line(void **state)
{
	(void)state;
	assert_refused("dumb", "cannot move the cursor");
	assert_refused("no-such-terminal", "is unknown here");
	assert_refused("", "TERM is not set");
}

static void without_a_locale_it_draws_ascii(void **state)
{
	struct pty p;
	char *text = malloc(PTY_TEXT_MAX);

	(void)state;
	assert_non_null(text);
	pty_start(&p, &(struct pty_opts){.locale = "C"}, true);
	pty_text(&p, text);
	for (const char *s = text; *s != '\0'; s++) {
		assert_true((unsigned char)*s < 0x80);
	}
	pty_assert_shows(&p, "-- What if                    |-- What follows");
	pty_stop(&p);
	pty_start(&p, &(struct pty_opts){.args = {"--ascii"}}, true);
	pty_assert_shows(&p, ">  4 KiB     10");
	pty_stop(&p);
	pty_start(&p, &(struct pty_opts){.term = "vt100"}, true);
	pty_assert_shows(&p, "►- 4 KiB +");
	pty_stop(&p);
	free(text);
}

static void colour_is_left_out_when_asked(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	assert_true(pty_has_colour(&p));
	pty_stop(&p);
	pty_start(&p, &(struct pty_opts){.env = {"NO_COLOR=1"}}, true);
	assert_false(pty_has_colour(&p));
	pty_stop(&p);
	pty_start(&p,
		&(struct pty_opts){
			.args = {"--color", "never"}
	    },
		true);
	assert_false(pty_has_colour(&p));
	pty_stop(&p);
	pty_start(&p,
		&(struct pty_opts){
			.args = {"--color", "always"},
			       .env = {"NO_COLOR=1"	   }
	    },
		true);
	assert_true(pty_has_colour(&p));
	pty_stop(&p);
	pty_start(&p,
		&(struct pty_opts){
			.args = {"--color", "contrast"}
	       },
		true);
	assert_true(pty_has_colour(&p));
	pty_assert_shows(&p, "►- 4 KiB +");
	pty_stop(&p);
}

static void the_mouse_focuses_and_scrolls(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	assert_true(p.mouse);
	p.sent++;
	assert_int_equal(11, write(p.master, "\033[<0;24;10M", 11));
	pty_settle(&p);
	pty_press(&p, "Enter");
	pty_assert_shows(&p, "cma = _");
	pty_press(&p, "Esc");
	p.sent++;
	assert_int_equal(11, write(p.master, "\033[<65;24;1M", 11));
	pty_settle(&p);
	pty_press(&p, "Enter");
	pty_assert_shows(&p, "memory = _");
	pty_stop(&p);
}

static void copying_names_both_places(void **state)
{
	struct pty p;
	char path[128], line[128] = "";

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, "y");
	pty_assert_shows(&p, "Copied to the clipboard and to ");
	snprintf(path, sizeof(path), "%s/.local/state/zonelab/last-copy.txt", p.home);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal("Architecture: arm64, default\n", line);
	pty_stop(&p);
}

static void a_screenshot_is_what_the_screen_shows(void **state)
{
	struct pty p;
	char command[256], line[128] = "";
	char path[128];

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	snprintf(command, sizeof(command), "screenshot %s/shot.txt\r", p.home);
	pty_press(&p, ":");
	pty_type(&p, command);
	snprintf(path, sizeof(path), "%s/shot.txt", p.home);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal("── What if                    │── What follows\n", line);
	pty_stop(&p);
}

static void the_prompt_runs_a_command_and_remembers_it(void **state)
{
	struct pty p, again;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, ":");
	pty_assert_shows(&p, " Tab next  Enter run  Ctrl-R search history  Esc cancel");
	assert_true(p.cursor);
	pty_type(&p, "set page_size=64K");
	pty_assert_shows(&p, "\n:set page_size=64K\n");
	pty_resize(&p, 30, 90);
	pty_assert_shows(&p, "\n:set page_size=64K\n");
	pty_type(&p, "\r");
	pty_assert_shows(&p, "A arm64 64 KiB 6.18.2");
	assert_false(p.cursor);
	pty_press(&p, ":");
	pty_type(&p, "\033[A");
	pty_assert_shows(&p, "\n:set page_size=64K\n");
	pty_press(&p, "Esc");
	assert_false(pty_shows(&p, ":set"));
	pty_start(&again, &(struct pty_opts){.home = p.home}, true);
	pty_press(&again, ":");
	pty_type(&again, "\033[A");
	pty_assert_shows(&again, "\n:set page_size=64K\n");
	pty_stop(&again);
	pty_stop(&p);
}

static void a_wrong_command_stays_open_with_its_error(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, ":");
	pty_type(&p, "sett page_size=64K\r");
	pty_assert_shows(&p, "\n:sett page_size=64K\n");
	assert_false(pty_shows(&p, "Ctrl-R search history"));
	pty_type(&p, "\001\033[C\033[C\033[C\004\r"); /* start, three right, delete the t, Enter */
	pty_assert_shows(&p, "A arm64 64 KiB 6.18.2");
	pty_stop(&p);
}

static void tab_completes_from_the_command_table(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, ":");
	pty_type(&p, "set high\t");
	pty_assert_shows(&p, "Completions of \"set high\": ");
	pty_assert_shows(&p, "\n:set high_");
	pty_assert_shows(&p, "high_max");
	pty_assert_shows(&p, "pageblock_order               9");
	pty_type(&p, "\025set watermark_s\t");
	pty_assert_shows(&p, "\n:set watermark_scale_factor=");
	pty_press(&p, "Esc");
	assert_false(pty_shows(&p, "Completions"));
	pty_stop(&p);
}

static void wide_and_hostile_characters_do_not_break_the_line(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	pty_press(&p, ":");
	pty_type(&p, "set arch=\xe9\xa0\x81\xc3\xa9\026\001x");
	pty_assert_shows(&p, "\n:set arch=頁é");
	pty_type(&p, "\r");
	pty_assert_shows(&p, ":set arch=頁é");
	pty_press(&p, "Esc");
	pty_assert_shows(&p, "A arm64 4 KiB 6.18.2");
	pty_stop(&p);
}

static void a_frame_is_small_and_idling_wakes_nobody(void **state)
{
	struct pty p;
	char path[64], line[128];
	unsigned long switches[2] = {0};
	const struct timespec pause = {.tv_nsec = 300 * 1000 * 1000};

	(void)state;
	pty_start(&p, &(struct pty_opts){0}, true);
	p.bytes = 0;
	pty_press(&p, "+");
	assert_in_range(p.bytes, 1, 2048);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)p.program);
	for (int i = 0; i < 2; i++) {
		FILE *f = fopen(path, "r");
		nanosleep(&pause, NULL);
		if (f != NULL) {
			fclose(f);
			f = fopen(path, "r");
		}
		while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
			sscanf(line, "voluntary_ctxt_switches: %lu", &switches[i]);
		}
		if (f != NULL) {
			fclose(f);
		}
	}
	assert_int_equal(switches[0], switches[1]);
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_terminal_shows_exactly_the_canvas),
		cmocka_unit_test(leaving_restores_the_terminal),
		cmocka_unit_test(a_field_previews_and_an_edit_is_undone),
		cmocka_unit_test(a_lone_escape_and_arrow_keys_are_told_apart),
		cmocka_unit_test(the_size_may_shrink_to_one_cell_and_grow_again),
		cmocka_unit_test(signals_that_end_it_restore_the_terminal),
		cmocka_unit_test(it_stops_and_continues),
		cmocka_unit_test(a_terminal_that_goes_away_ends_it),
		cmocka_unit_test(a_terminal_that_cannot_do_it_gets_one_line),
		cmocka_unit_test(without_a_locale_it_draws_ascii),
		cmocka_unit_test(colour_is_left_out_when_asked),
		cmocka_unit_test(the_mouse_focuses_and_scrolls),
		cmocka_unit_test(copying_names_both_places),
		cmocka_unit_test(a_screenshot_is_what_the_screen_shows),
		cmocka_unit_test(the_prompt_runs_a_command_and_remembers_it),
		cmocka_unit_test(a_wrong_command_stays_open_with_its_error),
		cmocka_unit_test(tab_completes_from_the_command_table),
		cmocka_unit_test(wide_and_hostile_characters_do_not_break_the_line),
		cmocka_unit_test(a_frame_is_small_and_idling_wakes_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
