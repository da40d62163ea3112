/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer while it works: Ctrl-C, signals, a terminal that goes away or is stopped. Each test
 * waits for what the screen says.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

#define WORKING "Working · Ctrl-C stops it"
#define LONG	"estimate exit-10x6g --param rounds=500\r"
#define TIMES	5
#define KILLS	12
#define EDITS	10
#define STATE	"/.local/state/zonelab"

static const struct pty_opts on_story = {.story = true};

static void start_working(struct pty *p, const char *command)
{
	pty_press(p, ":");
	pty_send(p, command);
	pty_await(p, WORKING);
}

static void assert_killed(int status, int sig)
{
	assert_true(WIFSIGNALED(status));
	assert_int_equal(sig, WTERMSIG(status));
}

/* Ctrl-C ends the work; then keys are keys again. */
static void stop_work(struct pty *p)
{
	pty_send(p, "\003");
	pty_await(p, "stopped before its end");
	p->sent = p->nr_keys; /* what was not counted is read */
}

static void ctrl_c_ends_a_command_and_nothing_else(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	start_working(&p, LONG);
	stop_work(&p);
	pty_press(&p, "Esc 1");
	pty_await(&p, "What follows");
	start_working(&p, "run exit-10x6g --param rounds=500\r");
	stop_work(&p);
	pty_press(&p, "Esc");
	/* Keys are keys again, Ctrl-C too. */
	pty_press(&p, "C-c");
	pty_press(&p, "3");
	pty_await(&p, "Paused one op before");
	pty_send(&p, "q");
	assert_int_equal(0, WEXITSTATUS(pty_wait_end(&p)));
	pty_assert_restored(&p);
	pty_stop(&p);
}

static volatile sig_atomic_t silent;

static void be_silent(int sig)
{
	silent = sig;
}

/* Writes a trace into a pipe until nobody reads; after SIGUSR1 it stays open and silent. */
static pid_t write_trace(const char *path)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0) {
		return pid;
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, be_silent);
	for (;;) {
		int fd = open(path, O_WRONLY);
		FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

		for (unsigned i = 0; f != NULL && !silent; i++) {
			if (fprintf(f,
				    "  task-1  [000] ..... %u.%06u: mm_page_alloc: page=0 pfn=0x%x "
				    "order=0 migratetype=1 gfp_flags=GFP_HIGHUSER_MOVABLE\n",
				    i / 1000000, i % 1000000, 4096 + i % 50000) < 0) {
				break;
			}
		}
		while (f != NULL && silent) {
			pause();
		}
		if (f != NULL) {
			fclose(f);
		}
	}
}

static void a_trace_without_end_can_be_stopped(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pty p;
		char path[128], command[200];

		pty_start(&p, &on_story, true);
		snprintf(path, sizeof(path), "%s/pipe", p.home);
		assert_int_equal(0, mkfifo(path, 0600));
		pid_t writer = write_trace(path);
		pty_press(&p, ":");
		pty_type(&p, "set kernel=6.12\r");
		snprintf(command, sizeof(command), "replay %s\r", path);
		start_working(&p, command);
		if (i > 0) {
			kill(writer, SIGUSR1);
		}
		pty_send(&p, "\003");
		kill(writer, SIGKILL);
		waitpid(writer, NULL, 0);
		p.sent = p.nr_keys; /* what was not counted is read */
		pty_send(&p, "1");
		pty_await(&p, "What follows");
		pty_stop(&p);
	}
}

static void signals_end_it_in_the_middle_of_work(void **state)
{
	static const int signals[] = {SIGTERM, SIGHUP};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pty p;
		char path[160];

		pty_start(&p, &on_story, true);
		pty_press(&p, "m");
		pty_type(&p, "here\r");
		start_working(&p, LONG);
		pty_signal(&p, signals[i]);
		assert_killed(pty_wait_end(&p), signals[i]);
		pty_assert_restored(&p);
		snprintf(path, sizeof(path), "%s" STATE "/unsaved.json", p.home);
		assert_int_equal(0, access(path, R_OK));
		pty_stop(&p);
	}
}

static void a_terminal_that_goes_away_ends_the_work(void **state)
{
	struct pty p;
	int status;

	(void)state;
	pty_start(&p, &on_story, true);
	start_working(&p, LONG);
	pty_hang_up(&p);
	status = pty_wait_end(&p);
	assert_true((WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
		    (WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
	pty_stop(&p);
}

/* Killed between or in two saves: what was not saved is there whole, as it was or as it is. */
static void a_kill_leaves_whole_unsaved_work(void **state)
{
	char path[160], line[400], said[4096];

	(void)state;
	for (unsigned i = 0; i < KILLS; i++) {
		struct pty p;

		pty_start(&p, &on_story, true);
		pty_press(&p, "m");
		pty_type(&p, "first\r");
		for (unsigned k = 0; k < EDITS; k++) {
			pty_send(&p, ":bookmark again\r");
		}
		while (p.nr_keys < p.sent + i) {
			pty_read_little(&p, 4096);
		}
		pty_signal(&p, SIGKILL);
		assert_killed(pty_wait_end(&p), SIGKILL);
		snprintf(path, sizeof(path), "%s" STATE "/unsaved.json", p.home);
		snprintf(line, sizeof(line), "'%s' --screen 80x24", path);
		assert_int_equal(0, pty_run_batch(p.home, line, said, sizeof(said)));
		assert_non_null(strstr(said, "op 190 of 1966"));
		pty_stop(&p);
	}
}

static void a_crash_names_what_is_not_lost(void **state)
{
	struct pty p, again;

	(void)state;
	pty_start(&p, &on_story, true);
	pty_signal(&p, SIGSEGV);
	assert_killed(pty_wait_end(&p), SIGSEGV);
	pty_assert_shows(&p, "nothing was unsaved");
	pty_stop(&p);
	pty_start(&p, &(struct pty_opts){.cols = 160, .story = true}, true);
	pty_press(&p, "m");
	pty_type(&p, "here\r");
	pty_signal(&p, SIGSEGV);
	assert_killed(pty_wait_end(&p), SIGSEGV);
	pty_assert_restored(&p);
	pty_assert_shows(&p, "zonelab: ended by a fault; unsaved work is in ");
	pty_assert_shows(&p, STATE "/unsaved.json, :restore opens it");
	pty_start(&again, &(struct pty_opts){.home = p.home, .story = true}, true);
	pty_press(&again, ":");
	pty_type(&again, "restore\r");
	pty_await(&again, "is here again");
	pty_stop(&again);
	pty_stop(&p);
}

/* What each mode is entered by, and what its screen shows. */
static const struct {
	const char *keys;    /* by name */
	const char *command; /* typed at the prompt, not entered when it has no Enter */
	const char *shows;
} modes[] = {
	{"1",	      NULL,		    "What follows"	  },
	{"1 Enter", NULL,		  "page_size = "	},
	{"3",	      "set page_size",       ":set page_size"     },
	{"3 ?",	NULL,		      "Keys on this screen"},
	{"3 w",	NULL,		      "Esc"		   },
	{"5",	      NULL,		    "points"		    },
	{"6",	      "lesson flush\r",	"answer"		},
	{"3",	      "lane B kernel=6.6\r", "B "		 },
	{"4",	      NULL,		    "Compare"	     },
};
#define MODES (sizeof(modes) / sizeof(*modes))

static void enter(struct pty *p, size_t mode)
{
	pty_press(p, modes[mode].keys);
	if (modes[mode].command != NULL) {
		pty_press(p, ":");
		pty_type(p, modes[mode].command);
	}
	pty_await(p, modes[mode].shows);
}

static void it_stops_and_continues_in_every_mode(void **state)
{
	struct pty p;

	(void)state;
	for (size_t i = 0; i < MODES; i++) {
		pty_start(&p, &on_story, true);
		enter(&p, i);
		pty_signal(&p, SIGTSTP);
		pty_wait_stopped(&p);
		pty_assert_restored(&p);
		pty_signal(&p, SIGCONT);
		pty_await(&p, modes[i].shows);
		assert_true(p.alternate);
		pty_signal(&p, SIGTERM);
		assert_killed(pty_wait_end(&p), SIGTERM);
		pty_assert_restored(&p);
		pty_stop(&p);
	}
}

static void it_stops_and_continues_while_it_works(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &on_story, true);
	for (unsigned i = 0; i < TIMES; i++) {
		start_working(&p, LONG);
		pty_signal(&p, SIGTSTP);
		pty_wait_stopped(&p);
		pty_assert_restored(&p);
		pty_signal(&p, SIGCONT);
		/* Ctrl-C in the moment in which the screen is there again. */
		pty_await(&p, WORKING);
		stop_work(&p);
		pty_press(&p, "Esc");
	}
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ctrl_c_ends_a_command_and_nothing_else),
		cmocka_unit_test(a_trace_without_end_can_be_stopped),
		cmocka_unit_test(signals_end_it_in_the_middle_of_work),
		cmocka_unit_test(a_terminal_that_goes_away_ends_the_work),
		cmocka_unit_test(a_kill_leaves_whole_unsaved_work),
		cmocka_unit_test(a_crash_names_what_is_not_lost),
		cmocka_unit_test(it_stops_and_continues_in_every_mode),
		cmocka_unit_test(it_stops_and_continues_while_it_works),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
