/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line: where text goes, exit statuses, one line for bad input, JSON that every list
 * answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

/* One line, terminated, that starts with the program's name and tells @part. */
static void assert_one_line_error(const struct program *p, const char *part)
{
	if (p->err_len == 0 || strchr(p->err, '\n') != p->err + p->err_len - 1) {
		fail_msg("not one line on standard error: '%s'", p->err);
	}
	if (strncmp(p->err, "zonelab: ", 9) != 0 || strstr(p->err, part) == NULL) {
		fail_msg("no '%s' in: %s", part, p->err);
	}
}

static void help_and_version_go_to_standard_output(void **state)
{
	struct program *p = *state;

	program_run(p, "--help", NULL);
	assert_int_equal(0, p->status);
	assert_holds(p->out, "usage: zonelab");
	assert_string_equal("", p->err);
	program_run(p, "--version", NULL);
	assert_int_equal(0, p->status);
	assert_memory_equal("zonelab ", p->out, 8);
	assert_string_equal("", p->err);
	program_run(p, "geometry --help", NULL);
	assert_int_equal(0, p->status);
	assert_holds(p->out, "--matrix");
}

static void usage_errors_are_one_line_and_exit_with_2(void **state)
{
	struct program *p = *state;

	program_run(p, "geometri", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "geometri");
	assert_string_equal("", p->out);
	program_run(p, "geometry --matriks", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "--matriks");
	program_run(p, "geometry --set", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "--set");
	program_run(p, "geometry --set page_siz=4K", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "page_size");
	program_run(p, "geometry --set page_size=17K", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "power of two");
}

static void control_characters_of_the_command_line_are_not_echoed(void **state)
{
	struct program *p = *state;

	program_run(p, "'\033]0;x\007evil'", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "evil");
	assert_null(strchr(p->err, '\033'));
	program_run(p, "geometry --set 'kernel=6.1\033[31m'", NULL);
	assert_null(strchr(p->err, '\033'));
	assert_null(strchr(p->out, '\033'));
}

static void without_a_terminal_the_explorer_says_so(void **state)
{
	struct program *p = *state;

	program_run(p, "", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "");
}

static void a_combination_that_cannot_be_built_exits_with_1(void **state)
{
	struct program *p = *state;

	program_run(
		p, "geometry --set arch=arm64 --set page_size=64K --set max_page_order=15", NULL);
	assert_int_equal(1, p->status);
	assert_holds(p->out, "error");
}

static void every_list_answers_in_text_and_json(void **state)
{
	static const char *const lists[] = {
		"settings", "values", "releases", "designs", "commands", "keys", "diagnostics"};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char words[64];

		snprintf(words, sizeof(words), "list %s", lists[i]);
		program_run(p, words, NULL);
		assert_int_equal(0, p->status);
		assert_true(p->out_len > 0);
		snprintf(words, sizeof(words), "list %s --json", lists[i]);
		program_run(p, words, NULL);
		assert_int_equal(0, p->status);
		struct zl_json *j = program_json(p);
		assert_int_equal(ZL_JSON_NUMBER, zl_json_kind(zl_json_member(j, "version")));
		assert_int_equal(ZL_JSON_STRING, zl_json_kind(zl_json_member(j, "kind")));
		zl_json_free(j);
	}
}

static void the_answer_goes_to_a_file_with_o(void **state)
{
	struct program *p = *state;

	program_run(p, "geometry --json", NULL);
	char *direct = strdup(p->out);
	program_run(p, "geometry --json -o ~/answer.json", NULL);
	assert_int_equal(0, p->status);
	assert_string_equal("", p->out);
	char *file = program_read(p, "answer.json");
	assert_non_null(file);
	assert_string_equal(direct, file);
	free(file);
	free(direct);
	program_run(p, "geometry -o ~/no/such/folder", NULL);
	assert_int_equal(2, p->status);
	assert_one_line_error(p, "folder");
}

static void the_same_question_gives_the_same_bytes(void **state)
{
	struct program *p = *state;

	program_run(p, "geometry --matrix --json --set arch=arm64 --set kernel=6.12", NULL);
	assert_int_equal(0, p->status);
	char *first = strdup(p->out);
	program_run(p, "geometry --matrix --json --set kernel=6.12 --set arch=arm64", NULL);
	assert_string_equal(first, p->out);
	free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_and_version_go_to_standard_output),
		cmocka_unit_test(usage_errors_are_one_line_and_exit_with_2),
		cmocka_unit_test(control_characters_of_the_command_line_are_not_echoed),
		cmocka_unit_test(without_a_terminal_the_explorer_says_so),
		cmocka_unit_test(a_combination_that_cannot_be_built_exits_with_1),
		cmocka_unit_test(every_list_answers_in_text_and_json),
		cmocka_unit_test(the_answer_goes_to_a_file_with_o),
		cmocka_unit_test(the_same_question_gives_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, program_setup, program_teardown);
}
