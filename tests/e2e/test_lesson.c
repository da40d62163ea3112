/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons on the command line: printing, checking, grading, handouts, the example of the manual;
 * and strips of chosen moments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/file.h"

#define MANUAL	      TEST_SOURCE_ROOT "/man/zonelab-lesson.5.scd"
#define EXAMPLE_LINES 40

/* Runs; status and a part of what it says must be right. */
static void says(struct program *p, int status, const char *words, const char *part)
{
	program_run(p, words, NULL);
	if (p->status != status || (strstr(p->out, part) == NULL && strstr(p->err, part) == NULL)) {
		fail_msg("zonelab %s\nstatus %d\n%s%s\nwanted %d: %s", words, p->status, p->out,
			p->err, status, part);
	}
}

static void the_example_of_the_manual_is_a_lesson(void **state)
{
	struct program *p = *state;
	struct zl_file f = {0};
	unsigned lines = 0;

	assert_int_equal(0, zl_file_load(MANUAL, 0, zl_allocator_heap(), &f, NULL));
	const char *start = strstr(f.data, "```\n") + 4;
	const char *end = strstr(start, "```\n");
	char *text = calloc(1, (size_t)(end - start) + 1);
	assert_non_null(text);
	memcpy(text, start, (size_t)(end - start));
	for (const char *c = text; *c != '\0'; c++) {
		lines += *c == '\n' ? 1 : 0;
	}
	assert_in_range(lines, 10, EXAMPLE_LINES - 1);
	program_write(p, "last-in.json", text);
	says(p, 0, "lesson ~/last-in.json --check", "2 steps, 1 question, right under 25 seeds");
	says(p, 0, "lesson ~/last-in.json", "How many pages are on the pageset after that?");
	/* What is broken is named with its place. */
	char *name = strstr(text, "{count}. The page");
	assert_non_null(name);
	memcpy(name, "{cuont}", 7);
	program_write(p, "bad.json", text);
	says(p, 2, "lesson ~/bad.json --check", "bad.json:28:18: ");
	says(p, 2, "lesson ~/bad.json --check", "there is no 'cuont'");
	free(text);
	zl_file_done(&f, zl_allocator_heap());
}

static void answers_are_judged(void **state)
{
	struct program *p = *state;

	program_write(
		p, "right.txt", "# mine\nlesson flush\nseed 3\n2 2\n3 8\n4 392\n5 2\n6 op 154\n");
	says(p, 0, "lesson --grade ~/right.txt", "flush, seed 3: 5 of 5 right");
	says(p, 0, "lesson flush --grade ~/right.txt --json", "\"right\": 5");
	/* Other numbers have other answers. */
	says(p, 1, "lesson --grade ~/right.txt --seed 4", "of 5 right");
	program_write(p, "wrong.txt", "lesson flush\nseed 3\n2 1\n3 7\n4 392\n5 2\n");
	says(p, 1, "lesson --grade ~/wrong.txt", "2 of 5 right");
	assert_non_null(strstr(p->out, "no answer"));
	says(p, 2, "lesson refill --grade ~/wrong.txt", "answers to the lesson flush");
	program_write(p, "bad.txt", "lesson flush\n2 one\n");
	says(p, 2, "lesson --grade ~/bad.txt", "bad.txt:2:3: no answer");
	program_write(p, "choice.txt", "lesson flush\n2 7\n");
	says(p, 2, "lesson --grade ~/choice.txt", "choice.txt:2:3: there is no choice 7; 1 to 3");
	program_write(p, "step.txt", "lesson flush\n1 1\n");
	says(p, 2, "lesson --grade ~/step.txt",
		"step 1 of the lesson asks nothing; its questions are in steps 2, 3, 4, 5, 6");
	says(p, 2, "lesson --grade ~/nowhere.txt", "nowhere.txt");
	says(p, 2, "lesson flosh", "did you mean flush");
	says(p, 2, "lesson --handout", "which lesson?");
	says(p, 2, "lesson flush --seed 0", "seed 0 is no number");
	says(p, 2, "lesson flush --csv", "--json or text");
	says(p, 1, "lesson flush --grade ~/wrong.txt --csv", "step,right,given,answer");
}

static void handouts_are_the_same_each_time_and_have_screens(void **state)
{
	struct program *p = *state;

	says(p, 0, "lesson flush --handout --seed 7 -o ~/a.md", "");
	says(p, 0, "lesson flush --handout --seed 7 -o ~/b.md", "");
	char *a = program_read(p, "a.md"), *b = program_read(p, "b.md");
	assert_non_null(a);
	assert_non_null(b);
	assert_string_equal(a, b);
	assert_non_null(strstr(a, "# When is a pageset flushed?"));
	assert_non_null(strstr(a, "1. [ ] yes, all of it"));
	assert_non_null(strstr(a, "threshold"));
	char *answers = strstr(a, "## Answers");
	assert_non_null(answers);
	*answers = '\0';
	assert_null(strstr(a, "What happened"));
	assert_non_null(strstr(a, "hidden until you answer"));
	free(a);
	free(b);
}

static void strips_are_pictures_of_chosen_moments(void **state)
{
	struct program *p = *state;

	says(p, 0, "run iperf --strip 189,190,191", "<svg");
	char *first = strdup(p->out);
	assert_non_null(first);
	assert_non_null(strstr(first, "FLUSHED"));
	says(p, 0, "run iperf --strip 189,190,191", "<svg");
	assert_string_equal(first, p->out);
	free(first);
	says(p, 2, "run iperf --strip 189,,191", "--strip 189,,191: write OP,OP");
	says(p, 2, "run iperf --strip 189,", "--strip 189,: write OP,OP");
	says(p, 2, "run iperf --strip 000000000000000000000189", "write OP,OP,..., at most 30 ops");
	says(p, 2,
		"run iperf --strip 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
		"25,26,27,28,29,30,31",
		"write OP,OP,..., at most 30 ops");
	says(p, 0,
		"run iperf --strip 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
		"25,26,27,28,29,30",
		"<svg");
	says(p, 0, "run iperf --strip 1966", "<svg");
	says(p, 2, "run iperf --strip 1967", "there is no op 1967; the run has 1966");
	says(p, 2, "run iperf --strip 99999", "there is no op 99999; the run has 1966");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_example_of_the_manual_is_a_lesson, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			answers_are_judged, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(handouts_are_the_same_each_time_and_have_screens,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			strips_are_pictures_of_chosen_moments, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
