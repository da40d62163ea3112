/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes wrong around the program: no memory, no room, no home, a reader that goes away, a kill
 * in the middle of a save. It says so in a line, loses nothing and never dies of a signal.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

/* A sanitizer's runtime has allocations of its own and wants to be loaded first. */
#if !defined(SANITIZED) && defined(FAILING_LIBRARY)
#define ALLOCATIONS_FAIL 1
#else
#define ALLOCATIONS_FAIL 0
#endif

#define EACH	   150u /* allocations from the start that fail one by one */
#define MORE	   60u	/* and so many, evenly, of the rest */
#define SIGNAL	   128
#define KILLS	   40
#define SMALL_FILE 4096

#if ALLOCATIONS_FAIL
/* Command lines that reach each loader and each kind of answer. */
static const char *const lines[] = {
	"geometry --matrix --set arch=arm64",
	"geometry --json",
	"pcp --csv --set memory=8G",
	"pcp " TEST_DATA "/captures/linux-6.12.117-x86_64-4k-debian-cloud-trace/zoneinfo.txt --set "
	"kernel=6.12",
	"explain threshold",
	"explain --all --json",
	"list settings --resolved",
	"list commands --json",
	"reserve " TEST_DATA
	"/cases/uc06-two-pools.dts --set kernel=6.18 --set page_size=16K --fix",
	"reserve " TEST_DATA "/cases/uc18-small-heaps.dts --json --set arch=arm64",
	"run iperf --param rounds=3 --json",
	"run iperf --param rounds=2 --trace json",
	"run iperf --at 190 --screen 80x24",
	"check free-order3 --short --csv",
	"verify --root " TEST_DATA "/captures/linux-6.12.117-x86_64-4k-debian-cloud-trace",
	"-c 'set page_size=16K' -c geometry",
	"list profiles",
};
#define LINES (sizeof(lines) / sizeof(*lines))

static unsigned long allocations(struct program *p, const char *line)
{
	char file[400], *text;
	unsigned long n;

	program_path(p, "count", file, sizeof(file));
	setenv("FAIL_COUNT", file, 1);
	program_run(p, line, NULL);
	unsetenv("FAIL_COUNT");
	text = program_read(p, "count");
	assert_non_null(text);
	n = strtoul(text, NULL, 10);
	free(text);
	return n;
}

/* One line that speaks of memory; more may follow about what else failed. */
static void assert_survived(
	const struct program *p, const char *line, const char *how, unsigned long n)
{
	if (p->status >= SIGNAL) {
		fail_msg("%s: %s=%lu: ended by signal %d: %s", line, how, n, p->status - SIGNAL,
			p->err);
	}
	if (p->status > 3) {
		fail_msg("%s: %s=%lu: exit status %d", line, how, n, p->status);
	}
	if (p->status >= 2 && p->err_len == 0) {
		fail_msg("%s: %s=%lu: exit status %d without a word", line, how, n, p->status);
	}
}

static void fail_one(struct program *p, const char *line, const char *how, unsigned long n)
{
	char number[24];

	snprintf(number, sizeof(number), "%lu", n);
	setenv(how, number, 1);
	program_run(p, line, NULL);
	/* Dead without the library's words: the machine did not get it started. */
	for (int again = 0;
		again < 3 && p->status >= SIGNAL && strstr(p->err, "failing: signal") == NULL;
		again++) {
		program_run(p, line, NULL);
	}
	unsetenv(how);
	assert_survived(p, line, how, n);
}

static void memory_that_is_refused_is_told(void **state)
{
	struct program *p = *state;

	setenv("LD_PRELOAD", FAILING_LIBRARY, 1);
	for (size_t i = 0; i < LINES; i++) {
		unsigned long n = allocations(p, lines[i]);
		unsigned long each = getenv("ZL_DEEP") != NULL ? n : EACH;
		unsigned long step = n > each ? (n - each) / MORE + 1 : 1;

		assert_true(n > 0);
		assert_true(p->status < SIGNAL);
		for (unsigned long k = 1; k <= n; k += k < each ? 1 : step) {
			fail_one(p, lines[i], "FAIL_AT", k);
			if (k % 7 == 1) {
				fail_one(p, lines[i], "FAIL_FROM", k);
			}
		}
	}
	unsetenv("LD_PRELOAD");
}
#endif

/* Runs a line through the shell, in which $Z is the program. */
static int shell(const struct program *p, const char *text)
{
	char line[2000];
	int status;

	setenv("Z", getenv("ZONELAB"), 1);
	snprintf(line, sizeof(line), "cd '%s' && export HOME='%s' && %s", p->home, p->home, text);
	status = system(line); /* NOLINT(cert-env33-c): the test's own words */
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_reader_that_goes_away_is_no_fault(void **state)
{
	/* Answers that go out by other ways than most. */
	static const char *const answers[] = {"anonymise " TEST_DATA
					      "/cases/uc43-trace-order3-frees.txt",
		"replay " TEST_DATA "/cases/uc43-trace-order3-frees.txt --set kernel=6.12",
		"run iperf --trace json", "run iperf --write-ops -", "run iperf --strip 189,190",
		"sweep iperf --vary cpus=1..2 --metric free_high",
		"sweep iperf --vary cpus=1..2 --metric free_high --csv",
		"sweep iperf --vary cpus=1..2 --metric free_high --shard 1/2",
		"lesson flush --handout", "review --mail " TEST_DATA "/patches/threshold-git.patch",
		"-c 'lane B:kernel=6.6' -c plain", "help"};
	struct program *p = *state;

	/* The status of the program, not of head. */
	assert_int_not_equal(
		3, shell(p, "{ \"$Z\" run iperf --trace tsv; echo $? >status; } 2>err | "
			    "head -n 1 >/dev/null; read s <status; exit $s"));
	assert_int_equal(2, shell(p, "\"$Z\" geometry >&- 2>err"));
	assert_int_equal(0, shell(p, "grep -q 'standard output' err"));
	assert_int_equal(2, shell(p, "\"$Z\" geometry >/dev/full 2>err"));
	assert_int_equal(0, shell(p, "\"$Z\" geometry <&- >out && grep -q pageblock out"));
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		char line[400];

		snprintf(line, sizeof(line), "\"$Z\" %s >/dev/full 2>err", answers[i]);
		assert_int_equal(2, shell(p, line));
		assert_int_equal(0, shell(p, "grep -q 'standard output: cannot write' err"));
	}
}

/* The first file that is opened must not become the place of what is printed. */
static void without_standard_files_others_are_as_always(void **state)
{
	struct program *p = *state;

	assert_int_equal(0,
		shell(p, "\"$Z\" geometry -o one 2>err && \"$Z\" geometry -o two <&- >&- 2>&- && "
			 "cmp one two"));
	assert_int_equal(2, shell(p, "\"$Z\" no-such-command <&- >&- 2>&-"));
	assert_int_equal(2, shell(p, "\"$Z\" patch - <&- 2>err"));
	assert_int_equal(0, shell(p, "grep -q 'cannot be read' err"));
	assert_int_equal(0, shell(p, "\"$Z\" sweep iperf --vary cpus=1..3 --metric free_high "
				     "--part whole >out && "
				     "{ \"$Z\" sweep iperf --vary cpus=1..3 --metric free_high "
				     "--part half <&- >&- "
				     "2>&-; test $? -eq 2; } && cmp whole half"));
}

static void without_a_home_it_works(void **state)
{
	struct program *p = *state;

	assert_int_equal(0, shell(p, "unset HOME XDG_STATE_HOME; \"$Z\" geometry >out 2>err && "
				     "test ! -s err"));
	assert_int_equal(0, shell(p, "HOME=/nonexistent \"$Z\" -c geometry >out 2>err && grep -q "
				     "pageblock out"));
	assert_int_equal(0, shell(p, "HOME= \"$Z\" geometry >out"));
}

static void places_that_cannot_be_written_are_told(void **state)
{
	struct program *p = *state;

	assert_int_equal(0, shell(p, "touch file"));
	assert_int_equal(2, shell(p, "\"$Z\" geometry -o file/x 2>err"));
	assert_int_equal(0, shell(p, "grep -q 'file/x: cannot write: Not a directory' err"));
	assert_int_equal(2, shell(p, "\"$Z\" geometry -o none/x 2>err"));
	assert_int_equal(0, shell(p, "grep -q 'none/x: cannot write: No such file' err"));
	assert_int_equal(2, shell(p, "\"$Z\" geometry -o . 2>err"));
	assert_int_equal(2, shell(p, "\"$Z\" -c 'save-profile none/x' 2>err"));
	if (geteuid() != 0) {
		assert_int_equal(0, shell(p, "mkdir ro && chmod 555 ro"));
		assert_int_equal(2, shell(p, "\"$Z\" geometry -o ro/x 2>err"));
		assert_int_equal(0, shell(p, "grep -q 'ro/x: cannot write: Permission' err"));
	}
}

/* A disk that is full after 4 KiB: nothing half is left, and the old file stays. */
static void a_full_disk_leaves_what_was_there(void **state)
{
	struct program *p = *state;

	assert_int_equal(0, shell(p, "echo old >keep"));
	assert_int_equal(
		2, shell(p, "(trap '' XFSZ; ulimit -f 1; exec \"$Z\" run iperf --trace tsv "
			    "-o new) 2>err"));
	assert_int_equal(0, shell(p, "grep -q 'new: cannot write' err"));
	assert_int_equal(
		0, shell(p, "test \"$(ls | tr '\\n' ' ')\" = 'err keep ' && grep -q old keep"));
}

/* Killed at any moment of a save the file is whole or not there. */
static void a_kill_in_a_save_leaves_no_half_file(void **state)
{
	struct program *p = *state;
	size_t whole = 0;
	unsigned saved = 0;

	program_run(p, "run iperf --trace tsv -o ~/whole", NULL);
	assert_int_equal(0, p->status);
	free(p->out);
	p->out = program_read(p, "whole");
	whole = strlen(p->out);
	assert_true(whole > SMALL_FILE);
	for (unsigned i = 0; i < KILLS; i++) {
		char *text;
		char line[300];

		snprintf(line, sizeof(line),
			"rm -f new; \"$Z\" run iperf --trace tsv -o new 2>/dev/null & p=$!; n=0; "
			"while [ "
			"$n -lt %u ]; do n=$((n + 1)); done; kill -9 $p 2>/dev/null; wait $p; true",
			i * 1500);
		assert_int_equal(0, shell(p, line));
		text = program_read(p, "new");
		if (text != NULL) {
			assert_int_equal(whole, strlen(text));
			saved++;
		}
		free(text);
	}
	assert_true(saved < KILLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#if ALLOCATIONS_FAIL
		cmocka_unit_test_setup_teardown(
			memory_that_is_refused_is_told, program_setup, program_teardown),
#endif
		cmocka_unit_test_setup_teardown(
			a_reader_that_goes_away_is_no_fault, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(without_standard_files_others_are_as_always,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			without_a_home_it_works, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			places_that_cannot_be_written_are_told, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_full_disk_leaves_what_was_there, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_kill_in_a_save_leaves_no_half_file, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
