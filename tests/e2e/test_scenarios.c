/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios on the command line: run, check, op lists, exit status, the example of the manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/file.h"
#include "zonelab/json.h"

#define MANUAL	      TEST_SOURCE_ROOT "/man/zonelab-scenario.5.scd"
#define EXAMPLE_LINES 40

/* The digest of a run as JSON. */
static void digest_of(struct program *p, const char *words, char *ret, size_t size)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	program_run(p, words, NULL);
	if (p->status != 0 || zl_json_parse(p->out, p->out_len, &j, &err) != 0) {
		fail_msg("%s: status %d: %s", words, p->status, p->err);
	}
	const char *digest = zl_json_text(zl_json_member(j, "digest"));
	assert_non_null(digest);
	assert_true(strlen(digest) < size);
	strcpy(ret, digest);
	zl_json_free(j);
}

/* The n-th block between ``` lines of the manual page, from 1. */
static char *manual_block(int n, unsigned *ret_lines)
{
	struct zl_file f = {0};
	struct zl_error err = {0};
	char *text;

	assert_int_equal(zl_file_load(MANUAL, 0, zl_allocator_heap(), &f, &err), 0);
	const char *at = f.data;
	for (int i = 1; i < 2 * n; i++) {
		at = strstr(at, "```\n");
		assert_non_null(at);
		at += 4;
	}
	const char *end = strstr(at, "```\n");
	assert_non_null(end);
	text = calloc(1, (size_t)(end - at) + 1);
	assert_non_null(text);
	memcpy(text, at, (size_t)(end - at));
	zl_file_done(&f, zl_allocator_heap());
	*ret_lines = 0;
	for (const char *c = text; *c != '\0'; c++) {
		*ret_lines += *c == '\n' ? 1 : 0;
	}
	return text;
}

static void the_example_of_the_manual_runs_and_holds(void **state)
{
	struct program *p = *state;
	unsigned lines = 0;
	char *text = manual_block(1, &lines);

	assert_in_range(lines, 10, EXAMPLE_LINES - 1);
	program_write(p, "two-cpus.json", text);
	program_says(p, 0, "check ~/two-cpus.json", "3 of 3 hold");
	program_says(p, 0, "check ~/two-cpus.json --short", "3 of 3 hold");
	free(text);
}

/* The scenario that the manual gives to git bisect tells the releases apart. */
static void the_scenario_to_bisect_with_tells_good_from_bad(void **state)
{
	struct program *p = *state;
	unsigned lines = 0;
	char *text = manual_block(2, &lines);
	char *start = strstr(text, "{\"kind\"");
	char *end = strstr(text, "EOF\ngit");

	assert_non_null(start);
	assert_non_null(end);
	*end = '\0';
	program_write(p, "nine.json", start);
	program_says(p, 0, "check --bisect ~/nine.json --set kernel=6.12.0", "1 of 1 hold");
	program_says(p, 0, "check --bisect ~/nine.json --set kernel=6.15.0", "1 of 1 hold");
	program_says(
		p, 1, "check --bisect ~/nine.json --set kernel=6.16.0", "first_free_high is 0");
	program_says(p, 125, "check --bisect ~/nine.json --set kernel=5.4.0", "5.14");
	program_says(p, 125, "check --bisect ~/nine.json --set kernel=x", "not a kernel release");
	program_says(p, 125, "check --bisect ~/nine.json --color x", "is unknown");
	program_says(p, 125, "check --bisect ~/nine.json --bogus", "no option");
	free(text);
}

static void exit_status_says_yes_no_or_bad_input(void **state)
{
	struct program *p = *state;

	program_write(p, "no.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"no\", \"machine\": "
		"{\"memory\": "
		"\"64M\"}, \"phases\": [{\"name\": \"p\", \"programs\": [{\"do\": [{\"alloc\": 0, "
		"\"count\": 3}]}], \"assert\": [{\"assert\": \"allocs < 2\", \"text\": \"two are "
		"too "
		"many\"}]}]}");
	program_write(p, "bad.json", "{\"kind\": \"scenario\",\n \"verison\": 1}");
	program_write(p, "mute.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"m\", \"ops\": [\"tick\"]}");
	program_write(p, "large.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"l\", \"machine\": "
		"{\"memory\": "
		"\"64M\"},\n \"zone\": {\"cma\": \"65MiB\"}, \"ops\": [\"tick\"], \"assert\": "
		"[\"ops == 1\"]}");
	program_says(p, 2, "check ~/large.json",
		"large.json:2:10: zone.cma: 65 MiB do not fit the zone");
	program_says(
		p, 2, "run ~/large.json", "large.json:2:10: zone.cma: 65 MiB do not fit the zone");
	program_says(p, 1, "check ~/no.json iperf", "FAILED  no: phase p, allocs < 2");
	program_says(p, 1, "check ~/no.json", "does not hold from the end of op 2; allocs is 3");
	program_says(p, 1, "check ~/no.json", "two are too many");
	program_says(p, 1, "check --bisect ~/no.json", "FAILED");
	program_says(p, 2, "check ~/bad.json", "bad.json:2:2: unknown key 'verison'");
	program_says(p, 125, "check --bisect ~/bad.json", "unknown key");
	program_says(p, 2, "check ~/mute.json", "asserts nothing");
	program_says(p, 2, "check iprf", "did you mean iperf");
	program_says(p, 2, "check", "SCENARIO is missing");
	program_says(p, 2, "run iperf --param round=3", "no parameter 'round'; it has rounds");
	program_says(p, 2, "run iperf --param rounds=x", "NAME=NUMBER");
	program_says(p, 2, "run iperf --trace xml", "tsv, json, text or ftrace");
}

static void check_as_json_names_op_and_reason(void **state)
{
	struct program *p = *state;
	struct zl_json *j = NULL;
	struct zl_error err = {0};
	bool held = true;
	int64_t op = 0;

	program_write(p, "no.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"no\", \"machine\": "
		"{\"memory\": "
		"\"64M\"}, \"ops\": [\"tick\", \"alloc 0 1 1\"], \"assert\": [\"allocs == 0\"]}");
	program_run(p, "check ~/no.json --json", NULL);
	assert_int_equal(p->status, 1);
	assert_int_equal(zl_json_parse(p->out, p->out_len, &j, &err), 0);
	assert_string_equal(zl_json_text(zl_json_member(j, "kind")), "check");
	const struct zl_json *s = zl_json_first(zl_json_member(j, "scenarios"));
	const struct zl_json *a = zl_json_first(zl_json_member(s, "assertions"));
	assert_int_equal(zl_json_get_bool(zl_json_member(s, "held"), &held), 0);
	assert_false(held);
	assert_int_equal(zl_json_get_int(zl_json_member(a, "op"), &op), 0);
	assert_int_equal(op, 2);
	assert_string_equal(zl_json_text(zl_json_member(a, "why")), "allocs is 1");
	zl_json_free(j);
}

static void check_answers_as_csv_and_for_a_mail(void **state)
{
	struct program *p = *state;
	const char *line;

	program_write(p, "no.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"no\", \"machine\": "
		"{\"memory\": \"64M\"}, \"ops\": [\"tick\", \"alloc 0 1 1\"], \"assert\": "
		"[{\"assert\": \"allocs == 0\", \"text\": \"one, two and three words that fill a "
		"line, and then as many again, so that it has to be broken somewhere\"}]}");
	program_run(p, "check ~/no.json --csv --set kernel=6.12", NULL);
	assert_int_equal(p->status, 1);
	assert_non_null(
		strstr(p->out, "scenario,kernel,design,phase,always,assert,held,op,why,text\n"
			       "no,6.12,B,,false,allocs == 0,false,2,allocs is 1,\"one, two"));
	program_run(p, "check ~/no.json --mail --set kernel=6.12", NULL);
	assert_int_equal(p->status, 1);
	for (line = p->out; *line != '\0'; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 72);
	}
	assert_non_null(strstr(p->out, "\n        again, so that"));
}

static void an_op_list_gives_the_same_digest(void **state)
{
	struct program *p = *state;
	char one[40];
	char two[40];

	program_run(p,
		"run kbuild --short --seed 7 --set memory=512M --set batch=31 --write-ops "
		"~/k.workload",
		NULL);
	assert_int_equal(p->status, 0);
	digest_of(p, "run kbuild --short --seed 7 --set memory=512M --set batch=31 --json", one,
		sizeof(one));
	digest_of(p, "run ~/k.workload --set kernel=6.18.2 --json", two, sizeof(two));
	assert_string_equal(one, two);
	digest_of(p, "run kbuild --short --seed 8 --set memory=512M --set batch=31 --json", two,
		sizeof(two));
	assert_string_not_equal(one, two);
	program_says(p, 2, "run iperf --write-ops ~/k.workload", "exists");
}

static void the_default_story_is_the_recorded_one(void **state)
{
	struct program *p = *state;
	char one[40];
	char two[40];

	digest_of(p, "run iperf --json", one, sizeof(one));
	program_run(p, "run iperf --write-ops -", NULL);
	assert_int_equal(p->status, 0);
	program_write(p, "i.workload", p->out);
	digest_of(p, "run ~/i.workload --set kernel=6.18.2 --json", two, sizeof(two));
	assert_string_equal(one, two);
	program_says(p, 0, "run iperf --param rounds=3 --set kernel=6.12", "design B): 3542 ops");
	program_says(
		p, 0, "run iperf --set cpus=1", "cpu 1 of the scenario is beyond the 1 CPUs here");
}

static void a_scenario_file_opens_one_op_before_its_first_flush(void **state)
{
	struct program *p = *state;

	program_says(p, 0, "--screen 80x24 " TEST_SOURCE_ROOT "/scenarios/bursts.json",
		"free_count 352 >= 351 threshold");
	program_says(p, 0, "run bursts --at 6000 --screen 80x24", "op 6000");
	program_says(p, 2, "run iperf --at 5000 --screen 80x24", "no op 5000; the run has 1966");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_example_of_the_manual_runs_and_holds, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(the_scenario_to_bisect_with_tells_good_from_bad,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			exit_status_says_yes_no_or_bad_input, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			check_answers_as_csv_and_for_a_mail, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			check_as_json_names_op_and_reason, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			an_op_list_gives_the_same_digest, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_scenario_file_opens_one_op_before_its_first_flush,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_default_story_is_the_recorded_one, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
