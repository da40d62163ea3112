/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long work on the command line that is told to end, by Ctrl-C, TERM or the end of the one who
 * asked: what was computed is the answer, marked as a part, and no process is left behind.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

#define LOOK_MS	    10
#define LOOKS	    6000 /* then a test gives up */
#define AT_ONCE	    3000 /* looks: far below what the work would take, far above what an end takes */
#define WORKERS	    2
#define INTERRUPTED 130

static void look_again(void)
{
	const struct timespec t = {.tv_nsec = LOOK_MS * 1000000};

	nanosleep(&t, NULL);
}

/* Starts $Z WORDS in the test's home: the pid, which is the program's own. */
static pid_t start(const struct program *p, const char *words)
{
	char line[1000];
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		snprintf(line, sizeof(line), "cd '%s' && HOME='%s' exec '%s' %s >out 2>err",
			p->home, p->home, getenv("ZONELAB"), words);
		/* Whoever started the tests may ignore some. */
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		execl("/bin/sh", "sh", "-c", line, NULL);
		_exit(127);
	}
	return pid;
}

/* Whether the program, no more the shell, catches a signal, as /proc says. */
static bool catches(pid_t pid, int sig)
{
	char path[64], line[200];
	unsigned long long set = 0;
	bool shell = true;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		(void)sscanf(line, "SigCgt: %llx", &set);
		shell = shell && strstr(line, "Name:\tzonelab") != line;
	}
	if (f != NULL) {
		fclose(f);
	}
	return !shell && (set >> (sig - 1) & 1u) != 0;
}

/* Long work listens from its first look around on. */
static void wait_until_it_listens(pid_t pid, int sig)
{
	for (unsigned i = 0; i < LOOKS && !catches(pid, sig); i++) {
		look_again();
	}
	assert_true(catches(pid, sig));
}

static void what_was_computed_is_the_answer(void **state)
{
	static const char *const lines[] = {
		"run exit-10x6g --param rounds=500 --json",
		"run exit-10x6g --param rounds=500 --timed all --json",
		"check exit-10x6g --param rounds=500 --json",
		"estimate exit-10x6g --param rounds=500 --json",
		"compare exit-10x6g --param rounds=500 --lane A:kernel=6.6 --lane B:kernel=6.12 "
		"--json",
		"sweep exit-10x6g --param rounds=500 --vary cpus=1..8 --metric free_high --jobs 2 "
		"--json",
	};
	static const int signals[] = {SIGINT, SIGTERM};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		for (size_t s = 0; s < 2; s++) {
			pid_t pid = start(p, lines[i]);
			int status = 0;

			wait_until_it_listens(pid, signals[s]);
			assert_int_equal(0, kill(pid, signals[s]));
			assert_int_equal(pid, waitpid(pid, &status, 0));
			char *out = program_read(p, "out");
			if (!WIFEXITED(status) || WEXITSTATUS(status) != INTERRUPTED ||
				strstr(out, "\"complete\": false") == NULL) {
				fail_msg("%s, signal %d: status %x: %s", lines[i], signals[s],
					(unsigned)status, out);
			}
			free(out);
		}
	}
}

static void an_assertion_that_was_not_reached_is_not_judged(void **state)
{
	struct program *p = *state;
	pid_t pid = start(p, "check exit-10x6g --param rounds=500");
	int status = 0;

	wait_until_it_listens(pid, SIGINT);
	assert_int_equal(0, kill(pid, SIGINT));
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(INTERRUPTED, WEXITSTATUS(status));
	char *out = program_read(p, "out");
	assert_holds(out, "not judged: the run was stopped");
	assert_null(strstr(out, "FAILED"));
	free(out);
}

/* Children of a process, as /proc lists them. */
static unsigned children(pid_t pid)
{
	char path[64];
	unsigned n = 0;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *f = fopen(path, "r");
	while (f != NULL && fscanf(f, "%d", &child) == 1) {
		n++;
	}
	if (f != NULL) {
		fclose(f);
	}
	return n;
}

/* Orphans come to us, so that their end can be seen. */
static void workers_end_with_the_one_who_asked(void **state)
{
	static const int signals[] = {SIGKILL, SIGHUP, SIGTERM};
	struct program *p = *state;

	assert_int_equal(0, prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
	for (size_t s = 0; s < sizeof(signals) / sizeof(*signals); s++) {
		pid_t pid = start(p, "sweep exit-10x6g --param rounds=500 --vary cpus=1..8 "
				     "--metric free_high --jobs 2");
		pid_t one = 0;
		unsigned ended = 0;

		for (unsigned i = 0; i < LOOKS && children(pid) < WORKERS; i++) {
			look_again();
		}
		assert_int_equal(WORKERS, children(pid));
		assert_int_equal(0, kill(pid, signals[s]));
		for (unsigned i = 0; i < AT_ONCE && one >= 0; i++) {
			one = waitpid(-1, NULL, WNOHANG);
			ended += one > 0 ? 1 : 0;
			if (one == 0) {
				look_again();
			}
		}
		/* Nobody is left: no child, no orphan. */
		(void)kill(pid, one == 0 ? SIGKILL : 0);
		assert_int_equal(-1, one);
		assert_true(ended >= 1);
	}
	assert_int_equal(0, prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_was_computed_is_the_answer, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(an_assertion_that_was_not_reached_is_not_judged,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			workers_end_with_the_one_who_asked, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
