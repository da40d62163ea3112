/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `zonelab run` as a user meets it: traces that diff with a recording, totals as JSON, refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "program.h"
#include "zonelab/json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"

#define DIR  TEST_DATA "/golden/workloads/"
#define LIST DIR "w25_thp.workload.gz"

static void a_trace_is_the_recording_byte_for_byte(void **state)
{
	struct program *p = *state;
	gzFile f = gzopen(TEST_DATA "/golden/c_v6.18.2/w25_thp.trace.tsv.gz", "rb");
	size_t at = 0;
	char line[4096];

	program_run(p, "run " LIST " --set kernel=6.18.2 --trace tsv --check", NULL);
	assert_int_equal(0, p->status);
	assert_string_equal("", p->err);
	assert_non_null(f);
	while (gzgets(f, line, sizeof(line)) != NULL) {
		size_t n = strlen(line);

		assert_true(at + n <= p->out_len);
		assert_memory_equal(line, p->out + at, n);
		at += n;
	}
	assert_int_equal(at, p->out_len);
	gzclose(f);
}

static void totals_are_json(void **state)
{
	struct program *p = *state;
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	program_run(p, "run " LIST " --set kernel=6.1.192 --json", NULL);
	assert_int_equal(0, p->status);
	assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, &err));
	assert_string_equal("run", zl_json_text(zl_json_member(j, "kind")));
	assert_string_equal("w25_thp", zl_json_text(zl_json_member(j, "scenario")));
	assert_string_equal("A+cap", zl_json_text(zl_json_member(j, "design")));
	assert_string_equal("1", zl_json_text(zl_json_member(j, "seed")));
	assert_int_equal(16, strlen(zl_json_text(zl_json_member(j, "digest"))));
	assert_int_equal(1756, json_number(j, "ops"));
	const struct zl_json *t = zl_json_member(j, "totals");
	assert_int_equal(147, json_number(t, "refills"));
	assert_int_equal(4684, json_number(t, "blocks_refilled"));
	assert_int_equal(18, json_number(t, "free_high"));
	assert_int_equal(44624, json_number(t, "pages_drained"));
	assert_int_equal(125, json_number(t, "bulk_calls"));
	assert_int_equal(284, json_number(t, "zone_locks"));
	assert_int_equal(6, json_number(t, "direct_buddy"));
	assert_int_equal(0, json_number(t, "failed"));
	assert_true(json_number(t, "longest_hold_pages") > 0);
	assert_int_equal(ZL_JSON_ARRAY, zl_json_kind(zl_json_member(j, "diagnostics")));
	zl_json_free(j);
}

static void records_are_json_lines_and_sentences(void **state)
{
	struct program *p = *state;
	unsigned lines = 0;

	program_run(p, "run " LIST " --set kernel=7.1.3 --trace json", NULL);
	assert_int_equal(0, p->status);
	for (char *at = p->out; *at != '\0'; lines++) {
		size_t n = strcspn(at, "\n");
		struct zl_json *j = NULL;

		assert_int_equal(0, zl_json_parse(at, n, &j, NULL));
		assert_int_equal(lines, json_number(j, "idx"));
		assert_non_null(zl_json_text(zl_json_member(j, "reason")));
		zl_json_free(j);
		at += n + 1;
	}
	assert_int_equal(1757, lines);
	program_run(p, "run " LIST " --set kernel=7.1.3 --trace text", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "\n1 cpu0 alloc 9 1 1 0x0 -> refill, refill 2 of 2; "));
}

static void what_cannot_be_run_exits_with_2(void **state)
{
	static const struct {
		const char *words;
		const char *part;
	} bad[] = {
		{"run " LIST,				     "the kernel is missing"    },
		{"run " LIST " --set kernel=5.10",		   "5.14"			 },
		{"run " LIST " --set kernel=6.1 --set cpus=3",    "cpus is"			},
		{"run " LIST " --set kernel=6.1 --set memory=1G", "memory cannot be set"	},
		{"run " LIST " --set kernel=6.1 --trace xml",     "tsv, json, text or ftrace"},
		{"run --set kernel=6.1",				 "SCENARIO is missing"      },
		{"run /nonexistent/x.workload --set kernel=6.1",	 "/nonexistent/x.workload"  },
		{"run ~/bad.workload --set kernel=6.1",		"bad.workload:2:1: 'alocc'"},
	};
	struct program *p = *state;

	program_write(p, "bad.workload", "config page_shift 12\nalocc 0 1 1\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		program_run(p, bad[i].words, NULL);
		if (p->status != 2 || strstr(p->err, bad[i].part) == NULL || p->out_len != 0) {
			fail_msg("%s: status %d, %s", bad[i].words, p->status, p->err);
		}
	}
}

/* Refused before anything is played; nothing is left where the recording would be. */
static void a_recording_that_cannot_be_is_refused_at_once(void **state)
{
	struct program *p = *state;

	program_run(p, "run iperf --record /nonexistent/x.cast", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "/nonexistent/x.cast: cannot write"));
	program_run(p, "run exit-10x6g --record long.cast", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "at most 10000 frames"));
	program_run(p, "run iperf --at 191", NULL);
	assert_int_equal(0, p->status);
	assert_holds(p->out, "paused: op 191 of 1966");
	program_run(p, "run iperf --at 191 --json", NULL);
	assert_int_equal(2, p->status);
	program_run(p, "run iperf --at 1900 --record end.cast", NULL);
	assert_int_equal(0, p->status);
	program_run(p, "run iperf --at 1900 --record end.cast", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "exists already"));
}

static void every_scenario_can_be_stood_in(void **state)
{
	struct program *p = *state;
	char words[160];

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		const char *name = zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name;

		snprintf(words, sizeof(words), "run %s --at 200 --screen 100x30", name);
		program_run(p, words, NULL);
		if (p->status != 0 || strstr(p->out, "op 200 of ") == NULL) {
			fail_msg("%s: status %d, %s%s", words, p->status, p->err, p->out);
		}
	}
}

/* A shipped scenario opens by its name, as a file does. */
static void a_shipped_scenario_opens_by_name(void **state)
{
	struct program *p = *state;

	program_run(p, "bursts --set kernel=6.12 --screen 80x24", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "[3 Pagesets]"));
	assert_non_null(strstr(p->out, "6.12 design B"));
	program_run(
		p, TEST_SOURCE_ROOT "/scenarios/iperf.json --set kernel=6.12 --screen 80x24", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "6.12 design B"));
	program_run(p, "pressure-zones --screen 80x24", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "[3 Pagesets]"));
	program_run(p, "free-order3", NULL); /* no terminal: as `run` answers */
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "digest"));
	program_run(p, "burst", NULL);
	assert_int_equal(2, p->status);
}

static void a_session_without_a_terminal_is_its_screen_in_lines(void **state)
{
	struct program *p = *state;

	program_run(p, "run iperf --at 300 -c 'save s.json'", NULL);
	assert_int_equal(0, p->status);
	program_run(p, "s.json", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "screen: Pagesets\n"));
	assert_non_null(strstr(p->out, "paused: op 300 of 1966"));
	program_run(p, "s.json --screen 80x24", NULL);
	assert_non_null(strstr(p->out, " op 300 of 1966"));
}

/* The session s.json that names another file for its scenario. */
static void rename_scenario(struct program *p, const char *from, const char *to)
{
	char *text = program_read(p, "s.json");
	char *at = text != NULL ? strstr(text, from) : NULL;
	char *changed = calloc(1, 65536);

	assert_non_null(at);
	assert_non_null(changed);
	snprintf(changed, 65536, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	program_write(p, "s.json", changed);
	free(changed);
	free(text);
}

static void a_session_finds_its_files_beside_it_or_names_them(void **state)
{
	struct program *p = *state;

	program_write(p, "two.json",
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"two\", \"machine\": "
		"{\"memory\": "
		"\"64M\"}, \"ops\": [\"alloc 0 0 1\", \"free 1\"]}");
	program_run(p, "run ~/two.json --at 1 -c 'save s.json'", NULL);
	assert_int_equal(0, p->status);
	char *text = program_read(p, "s.json");
	assert_holds(text, "two.json\"");
	char *end = strstr(text, "two.json\"");
	char *start = end;
	while (start > text && start[-1] != '"') {
		start--;
	}
	char from[512];
	snprintf(from, sizeof(from), "%.*s", (int)(end - start) + 8, start);
	free(text);
	rename_scenario(p, from, "elsewhere/two.json");
	program_says(p, 0, "~/s.json", "paused: op 1 of 2");
	rename_scenario(p, "elsewhere/two.json", "elsewhere/three.json");
	program_says(p, 2, "~/s.json",
		"s.json: run.scenario: there is no file elsewhere/three.json, here or beside the "
		"session");
}

static void a_profile_holds_for_a_scenario_that_is_opened(void **state)
{
	struct program *p = *state;

	program_says(p, 0, "iperf --profile rz-g3s -c plain", "iperf 1 GiB/1, ");
	program_says(p, 0, "iperf --profile rz-g3s --set cpus=4 -c plain", "iperf 1 GiB/4, ");
	program_run(p, "iperf --profile rz-g3s -c 'go 20' -c 'save a.json'", NULL);
	program_run(p, "a.json -c 'save b.json'", NULL);
	char *a = program_read(p, "a.json");
	char *b = program_read(p, "b.json");
	assert_non_null(a);
	assert_non_null(b);
	assert_string_equal(a, b);
	free(a);
	free(b);
}

static int64_t flushes_of(const struct zl_json *j, const char *lane)
{
	const struct zl_json *l = zl_json_first(zl_json_member(j, "lanes"));

	while (l != NULL && strcmp(zl_json_text(zl_json_member(l, "name")), lane) != 0) {
		l = zl_json_next(l);
	}
	assert_non_null(l);
	return json_number(zl_json_member(l, "totals"), "free_high");
}

/*
 * The story flushes 915 times in 6.18 and 952 times in 6.12; from high_min 3908 on the threshold lies
 * above what free_count can reach, and at 3907 it does not.
 */
static void an_exported_run_is_played_under_other_settings(void **state)
{
	struct program *p = *state;
	struct zl_json *j = NULL;

	program_run(p, "run iperf --trace ftrace", NULL);
	assert_int_equal(0, p->status);
	program_write(p, "run.txt", p->out);
	program_run(p,
		"replay ~/run.txt --json --lane A: --lane B:high_min=3908 --lane C:kernel=6.12",
		NULL);
	assert_int_equal(0, p->status);
	assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, NULL));
	assert_int_equal(915, flushes_of(j, "recorded"));
	assert_int_equal(915, flushes_of(j, "A"));
	assert_int_equal(0, flushes_of(j, "B"));
	assert_int_equal(952, flushes_of(j, "C"));
	zl_json_free(j);
	program_run(p,
		"replay ~/run.txt --json --lane A:high_min=3907 --lane B:pcp_batch_scale_max=0",
		NULL);
	assert_int_equal(0, p->status);
	assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, NULL));
	assert_true(flushes_of(j, "A") > 0);
	/* The counter ends at 63 << 0, below 354. */
	assert_int_equal(0, flushes_of(j, "B"));
	zl_json_free(j);
	program_says(p, 2, "replay ~/run.txt --lane A: --lane B:kernel=5.10",
		"this kernel has no pagesets that are modelled");
	program_says(
		p, 2, "replay ~/run.txt --lane A:6.12 --lane A:6.18", "two lanes are called A");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_trace_is_the_recording_byte_for_byte, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(totals_are_json, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			records_are_json_lines_and_sentences, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			what_cannot_be_run_exits_with_2, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_recording_that_cannot_be_is_refused_at_once,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_session_without_a_terminal_is_its_screen_in_lines,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_session_finds_its_files_beside_it_or_names_them,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_profile_holds_for_a_scenario_that_is_opened,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_shipped_scenario_opens_by_name, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			every_scenario_can_be_stood_in, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(an_exported_run_is_played_under_other_settings,
			program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
