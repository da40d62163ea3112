/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of every command: precedence of settings, formats, -o, -c, --quiet, and what becomes of
 * errors.
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

static void run_ok(struct program *p, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != 0) {
		fail_msg("%s: exit status %d: %s", words, p->status, p->err);
	}
	assert_string_equal("", p->err);
}

/* The row of one setting in `list settings --resolved --json`. */
static void assert_setting(struct program *p, const char *words, const char *key, const char *value,
	const char *origin)
{
	char line[512];

	snprintf(line, sizeof(line), "list settings --resolved --json %s", words);
	run_ok(p, line);
	struct zl_json *j = program_json(p);
	const struct zl_json *row = zl_json_first(zl_json_member(j, "rows"));
	while (row != NULL && strcmp(key, zl_json_text(zl_json_member(row, "key"))) != 0) {
		row = zl_json_next(row);
	}
	assert_non_null(row);
	assert_string_equal(value, zl_json_text(zl_json_member(row, "value")));
	assert_string_equal(origin, zl_json_text(zl_json_member(row, "origin")));
	zl_json_free(j);
}

static void an_input_derives_what_is_not_given(void **state)
{
	struct program *p = *state;

	assert_setting(p, "", "max_page_order", "10", "derived");
	assert_setting(p, "--set page_size=64K", "max_page_order", "13", "derived");
	assert_setting(p, "--set page_size=64K", "page_size", "64K", "given");
	assert_setting(
		p, "--set page_size=64K --set max_page_order=10", "max_page_order", "10", "given");
	assert_setting(p, "--set nodes=4", "numa", "on", "derived");
	assert_setting(p, "--set kernel=6.1 --set nodes=4", "cma_areas", "19", "derived");
	assert_setting(p, "", "memory", "4G", "built in");
}

static void a_later_set_wins_and_default_takes_it_back(void **state)
{
	struct program *p = *state;

	assert_setting(p, "--set cpus=2 --set cpus=3", "cpus", "3", "given");
	assert_setting(p, "--set=cpus=2 --set CPUS=3", "cpus", "3", "given");
	assert_setting(p, "--set cpus=2 --set cpus=default", "cpus", "8", "built in");
	assert_setting(p, "--set pagesize=16K", "page_size", "16K", "given");
	assert_setting(p, "--seed 77", "seed", "77", "given");
}

static void computed_settings_show_their_figure(void **state)
{
	struct program *p = *state;

	assert_setting(p, "", "high_min", "880", "derived");
	assert_setting(p, "", "min_free_kbytes", "22528", "derived");
	assert_setting(p, "--set high_min=12", "high_min", "12", "given");
}

static void common_options_stand_anywhere(void **state)
{
	struct program *p = *state;

	run_ok(p, "--json geometry");
	struct zl_json *j = program_json(p);
	assert_int_equal(9, json_number(j, "pageblock_order"));
	zl_json_free(j);
	run_ok(p, "--set page_size=16K geometry --json");
	j = program_json(p);
	assert_int_equal(11, json_number(j, "pageblock_order"));
	zl_json_free(j);
}

static void settings_that_are_not_given_are_null_in_json(void **state)
{
	struct program *p = *state;

	run_ok(p, "geometry --json --set page_size=16K --set thp=off --set zones=Normal:1G");
	struct zl_json *j = program_json(p);
	const struct zl_json *s = zl_json_member(j, "settings");
	bool thp = true;
	assert_int_equal(16384, json_number(s, "page_size"));
	assert_int_equal(0, zl_json_get_bool(zl_json_member(s, "thp"), &thp));
	assert_false(thp);
	assert_string_equal("Normal:1G", zl_json_text(zl_json_member(s, "zones")));
	assert_int_equal(ZL_JSON_NULL, zl_json_kind(zl_json_member(s, "max_page_order")));
	assert_int_equal(11, json_number(j, "max_page_order"));
	assert_int_equal(1, json_number(j, "version"));
	zl_json_free(j);
}

static void only_one_format_at_a_time(void **state)
{
	struct program *p = *state;

	program_run(p, "geometry --json --csv", NULL);
	assert_int_equal(2, p->status);
	assert_string_equal("", p->out);
}

static void a_format_that_an_answer_lacks_is_refused(void **state)
{
	static const char *const lines[] = {"help --json", "help run --csv", "probe --csv",
		"run free-order3 --short --trace tsv --json",
		"run free-order3 --short --write-ops - --csv",
		"replay " TEST_DATA "/cases/uc43-trace-order3-frees.txt --set kernel=6.1 "
		"--write-ops - --json",
		"anonymise " TEST_DATA "/cases/uc43-trace-order3-frees.txt --json",
		"patch " TEST_DATA "/patches/batch-divisor.diff --csv"};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		program_run(p, lines[i], NULL);
		if (p->status != 2 || p->out_len != 0 || p->err[0] == '\0') {
			fail_msg("%s: exit status %d: %s", lines[i], p->status, p->err);
		}
	}
	run_ok(p, "help run");
}

static void csv_has_a_heading_and_whole_rows(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {"geometry", "geometry --matrix", "geometry --orders",
		"pcp --set nodes=2", "pcp --set kernel=5.15", "list values", "list settings"};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		char words[128];
		size_t columns = 0;
		size_t rows = 0;

		snprintf(words, sizeof(words), "%s --csv", asked[i]);
		run_ok(p, words);
		for (const char *s = p->out; *s != '\0'; rows++) {
			size_t commas = 0;
			bool quoted = false;

			for (; *s != '\0' && (*s != '\n' || quoted); s++) {
				quoted = quoted != (*s == '"');
				commas += *s == ',' && !quoted;
			}
			s += *s == '\n';
			columns = rows == 0 ? commas : columns;
			assert_int_equal(columns, commas);
		}
		assert_true(rows >= 2);
	}
	program_run(p, "explain batch --csv", NULL);
	assert_int_equal(2, p->status);
}

static void quiet_leaves_notes_out(void **state)
{
	struct program *p = *state;

	run_ok(p, "geometry");
	assert_holds(p->out, "note: ");
	run_ok(p, "geometry --quiet --set page_size=16K");
	assert_null(strstr(p->out, "note: "));
	assert_holds(p->out, "warning: ");
}

static void output_goes_whole_into_a_new_file(void **state)
{
	struct program *p = *state;
	char *text = NULL;

	run_ok(p, "geometry -o ~/a.txt");
	assert_string_equal("", p->out);
	text = program_read(p, "a.txt");
	assert_non_null(text);
	assert_holds(text, "pageblock_order");
	free(text);
	/* What is there is not overwritten. */
	program_write(p, "b.txt", "mine");
	program_run(p, "geometry -o ~/b.txt", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "b.txt: exists already and is not overwritten; ");
	text = program_read(p, "b.txt");
	assert_string_equal("mine", text);
	free(text);
	/* Nothing is left behind when the question was wrong. */
	program_run(p, "geometry --set page_size=1 -o ~/c.txt", NULL);
	assert_int_equal(2, p->status);
	assert_null(program_read(p, "c.txt"));
	program_run(p, "geometry -o ~/no/such/folder", NULL);
	assert_int_equal(2, p->status);
	/* A no is an answer. */
	program_run(p, "geometry --set max_page_order=12 --set page_size=64K -o ~/d.txt", NULL);
	assert_int_equal(1, p->status);
	text = program_read(p, "d.txt");
	assert_non_null(text);
	free(text);
}

static void answers_of_a_batch_are_one_file(void **state)
{
	struct program *p = *state;

	run_ok(p, "-c 'set page_size=16K' -c 'explain batch' -c 'explain high_min' -o ~/all.txt");
	char *text = program_read(p, "all.txt");
	assert_non_null(text);
	assert_holds(text, "batch = 15 pages");
	assert_holds(text, "high_min = 2039 pages");
	free(text);
	program_run(p, "-c 'explain batch' -c 'explain bitch' -o ~/none.txt", NULL);
	assert_int_equal(2, p->status);
	assert_null(program_read(p, "none.txt"));
}

static void a_full_device_is_told(void **state)
{
	struct program *p = *state;

	program_run(p, "geometry -o /dev/full", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "/dev/full: cannot write");
}

static void the_prompt_s_commands_run_in_a_batch(void **state)
{
	struct program *p = *state;

	run_ok(p, "-c 'set page_size=16K cpus=1' -c undo -c 'explain zone_cpus'");
	assert_holds(p->out, "zone_cpus = 8\n");
	run_ok(p, "geometry -c 'explain batch'");
	assert_holds(p->out, "pageblock_order");
	assert_holds(p->out, "batch = 63 pages");
	run_ok(p, "-c quit -c 'explain nonsense'");
	program_run(p, "-c 'geometry --set page_size=16K'", NULL);
	assert_int_equal(2, p->status);
	/* The worst status counts, and the first mistake ends it. */
	program_run(
		p, "-c 'set max_page_order=12 page_size=64K' -c geometry -c 'explain arch'", NULL);
	assert_int_equal(1, p->status);
	assert_holds(p->out, "arch = arm64");
	program_run(p, "-c 'explain bitch' -c 'explain arch'", NULL);
	assert_int_equal(2, p->status);
	assert_string_equal("", p->out);
}

static void a_script_is_a_file_of_commands(void **state)
{
	struct program *p = *state;

	program_write(p, "s", "# a machine\n\n  set page_size=16K\nexplain batch\n");
	program_write(p, "bad", "set page_size=16K\nset cpus=none\nexplain batch\n");
	char path[512];
	char words[640];
	program_path(p, "bad", path, sizeof(path));
	snprintf(words, sizeof(words), "-c 'source %s'", path);
	program_run(p, words, NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "bad:2: cpus=none is not a number; ");
	assert_string_equal("", p->out);
	program_path(p, "s", path, sizeof(path));
	snprintf(words, sizeof(words), "-c 'source %s' -c 'explain arch'", path);
	run_ok(p, words);
	assert_holds(p->out, "batch = 15 pages");
	assert_holds(p->out, "arch = arm64");
	/* A script that calls itself ends. */
	program_path(p, "loop", path, sizeof(path));
	snprintf(words, sizeof(words), "source %s\n", path);
	program_write(p, "loop", words);
	snprintf(words, sizeof(words), "-c 'source %s'", path);
	program_run(p, words, NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "8 deep");
}

static void two_dashes_end_the_options(void **state)
{
	struct program *p = *state;

	program_run(p, "list -- --json", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "there is no list of --json");
	run_ok(p, "list -- designs");
}

static void control_characters_of_the_user_never_come_out(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {"explain 'q\x1b[31mx\x07'", "help 'q\x1b[31mx'",
		"geometry --size 'q\x1b[31mx'", "reserve --cmdline 'cma=16M\x1b[31m'",
		"reserve --csv --cmdline 'cma=16M\x1b[31m'"};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		program_run(p, asked[i], NULL);
		assert_null(strpbrk(p->out, "\x1b\x07"));
		assert_null(strpbrk(p->err, "\x1b\x07"));
		assert_true(p->out[0] != '\0' || p->err[0] != '\0');
	}
}

/* "zonelab: where: what; what would be right". */
static void bad_input_gets_one_line_of_one_form(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {"geometri", "--jsn", "set", "nosuchfile", "--set",
		"--screen 8", "--color pink", "--seed", "-o", "geometry --json --mail",
		"geometry --set", "geometry --set x", "geometry --set x=1",
		"geometry --set =", "geometry --set page_size=", "geometry --set page_size=1M",
		"geometry --set page_size=5K", "geometry --set thp=maybe", "geometry --set cpus=0",
		"geometry --set cpus=1e3", "geometry --set arch=vax", "geometry --set kernel=six",
		"geometry --set memory=99999999999T", "geometry --set zones=x:y",
		"geometry --set high_min=-1", "geometry --set percpu_pagelist_high_fraction=3",
		"geometry --set pcp_batch_scale_max=7", "geometry --size", "geometry --size 0",
		"geometry --size lots", "geometry --matrix --orders", "geometry --matrx",
		"geometry --matrix=1", "geometry --orders --set kernel=6.1", "pcp --nothing",
		"pcp --set kernel=5.10", "explain", "explain a b", "explain high_mn", "list",
		"list x", "help x", "--profile nosuchprofile geometry", "-c geometri", "-c ''",
		"-c 'set x=1'", "-c 'set cpus=0'"};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		program_run(p, asked[i], NULL);
		if (p->status != 2) {
			fail_msg("%s: exit status %d", asked[i], p->status);
		}
		assert_string_equal("", p->out);
		const char *where = strncmp(p->err, "zonelab: ", 9) == 0 ? p->err + 9 : "";
		const char *what = strstr(where, ": ");
		const char *right = what != NULL ? strstr(what, "; ") : NULL;
		const char *end = strchr(p->err, '\n');
		if (what == NULL || right == NULL || end != p->err + p->err_len - 1) {
			fail_msg("%s: %s", asked[i], p->err);
		}
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

/* Lanes and policies of the explorer: on its screen, and as the answer without a terminal. */
static void the_explorer_takes_lanes_and_policies(void **state)
{
	struct program *p = *state;

	run_ok(p, "--lane B:kernel=6.12.0 iperf --screen 80x24");
	assert_non_null(strstr(p->out, "A iperf 64 GiB/24 6.18.2  B 6.12.0"));
	run_ok(p, "iperf --lane=A:kernel=6.12.0 --lane B:6.1 --screen 80x24 -c 'screen compare'");
	assert_non_null(strstr(p->out, " A  6.12.0 design B"));
	run_ok(p, "iperf --policy 'free_high = pcp->free_count >= 4 * batch' --screen 80x24");
	assert_non_null(strstr(p->out, " threshold      252 "));
	run_ok(p, "iperf --lane B:kernel=6.12.0");
	assert_non_null(strstr(p->out, "First divergence: op 154 of 1966"));
	program_run(p, "iperf --lane before:6.1", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "--lane: 'before:6.1' is no lane of the explorer; A to D"));
	program_run(p, "--lane B:6.1 compare iperf", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "stands behind the command"));
	program_run(p, "iperf --lane B:nonsense=1 --screen 80x24", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "there is no setting 'nonsense'"));
}

/* Answers are drawn in the glyphs that were asked for; names of users keep their letters. */
static void answers_take_the_glyphs_that_are_asked_for(void **state)
{
	static const char *const lines[] = {"list keys --ascii", "run iperf --at 191 --ascii",
		"run iperf --at 191 --screen 80x24 --ascii",
		"run iperf --at 191 --screen 120x40 --glyphs ascii",
		"explain-my-machine " TEST_DATA
		"/captures/linux-6.18.44-x86_64-4k-live/zoneinfo.txt --set kernel=6.18.44 --ascii"};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		run_ok(p, lines[i]);
		assert_true(p->out_len > 0);
		for (size_t k = 0; k < p->out_len; k++) {
			if ((unsigned char)p->out[k] > 0x7e) {
				fail_msg("%s: '%.12s'", lines[i], &p->out[k]);
			}
		}
	}
	run_ok(p, "run iperf --at 191 --screen 80x24 --glyphs console");
	assert_null(strstr(p->out, "▊"));
	assert_non_null(strstr(p->out, "█"));
	program_write(p, "größe.dts", "/dts-v1/;\n/ { };\n");
	program_run(p, "reserve ~/größe.dts --ascii", NULL);
	assert_null(strstr(p->out, "gr?"));
}

static void a_setting_written_as_an_option_is_told_its_place(void **state)
{
	struct program *p = *state;

	program_says(p, 2, "--cpus 3", "--cpus: cpus is a setting; --set cpus=VALUE");
	program_says(
		p, 2, "compare iperf --page-size=4K", "page_size is a setting, --set page_size");
	program_says(p, 2, "--cup 3", "there is no such option");
	/* `pool` is a command of the prompt alone. */
	program_says(p, 2, "pools", "there is no such command or file; see `zonelab --help`");
	program_says(p, 2, "geometri", "did you mean geometry");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_input_derives_what_is_not_given),
		CASE(a_later_set_wins_and_default_takes_it_back),
		CASE(computed_settings_show_their_figure),
		CASE(common_options_stand_anywhere),
		CASE(the_explorer_takes_lanes_and_policies),
		CASE(settings_that_are_not_given_are_null_in_json),
		CASE(answers_take_the_glyphs_that_are_asked_for),
		CASE(only_one_format_at_a_time),
		CASE(a_format_that_an_answer_lacks_is_refused),
		CASE(csv_has_a_heading_and_whole_rows),
		CASE(quiet_leaves_notes_out),
		CASE(output_goes_whole_into_a_new_file),
		CASE(answers_of_a_batch_are_one_file),
		CASE(a_full_device_is_told),
		CASE(the_prompt_s_commands_run_in_a_batch),
		CASE(a_script_is_a_file_of_commands),
		CASE(two_dashes_end_the_options),
		CASE(control_characters_of_the_user_never_come_out),
		CASE(a_setting_written_as_an_option_is_told_its_place),
		CASE(bad_input_gets_one_line_of_one_form),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
