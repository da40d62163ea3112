/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps as they are shared out: the same bytes from any number of processes and shards, parts
 * that are gone on with, and refusals.
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

#define GRID                                                                                       \
	"sweep iperf --vary cpus=1..12 --vary pcp_batch_scale_max=0..6 --metric first_free_high"

static char *answer(struct program *p, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != 0) {
		fail_msg("%s: %d %s", words, p->status, p->err);
	}
	return strdup(p->out);
}

static const char *answer_of(struct program *p, const char *words)
{
	free(answer(p, words));
	return p->out;
}

static void run_shards(struct program *p, unsigned n)
{
	for (unsigned i = 1; i <= n; i++) {
		char words[400];

		snprintf(words, sizeof(words), GRID " --shard %u/%u -o ~/shard%u", i, n, i);
		free(answer(p, words));
	}
}

static void any_number_of_processes_gives_the_same_bytes(void **state)
{
	static const char *const forms[] = {"", " --csv", " --json"};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char words[256];
		char *one, *many;

		snprintf(words, sizeof(words), GRID " --jobs 1%s", forms[i]);
		one = answer(p, words);
		snprintf(words, sizeof(words), GRID " --jobs 7%s", forms[i]);
		many = answer(p, words);
		assert_string_equal(one, many);
		free(one);
		free(many);
	}
}

static void shards_joined_give_the_same_bytes(void **state)
{
	struct program *p = *state;
	char *whole = answer(p, GRID " --csv");
	char *json = answer(p, GRID " --json");

	for (unsigned n = 2; n <= 5; n += 3) {
		char words[400];
		char *joined;

		for (unsigned i = 1; i <= n; i++) {
			snprintf(words, sizeof(words), GRID " --shard %u/%u -o ~/part%u-%u", i, n,
				n, i);
			free(answer(p, words));
		}
		/* In any order, and one of them twice. */
		joined = answer(p,
			n == 2 ? "sweep --merge ~/part2-2 ~/part2-1 ~/part2-2 --csv"
			       : "sweep --merge ~/part5-5 ~/part5-1 ~/part5-4 ~/part5-2 ~/part5-3 "
				 "--csv");
		assert_string_equal(whole, joined);
		free(joined);
	}
	char *joined =
		answer(p, "sweep --merge ~/part5-1 ~/part5-2 ~/part5-3 ~/part5-4 ~/part5-5 --json");
	assert_string_equal(json, joined);
	free(joined);
	program_run(p, "sweep --merge ~/part5-1 ~/part5-3", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "points are missing"));
	free(whole);
	free(json);
}

static void a_part_is_gone_on_with(void **state)
{
	struct program *p = *state;
	char *whole = answer(p, GRID " --csv");
	char *first = answer(p, GRID " --csv --part ~/kept");
	char *kept = program_read(p, "kept");
	char *cut, *again;

	assert_string_equal(whole, first);
	/* As if it had been stopped in the middle of a line. */
	cut = strdup(kept);
	cut[strlen(cut) / 2] = '\0';
	program_write(p, "kept", cut);
	again = answer(p, GRID " --csv --part ~/kept");
	assert_string_equal(whole, again);
	free(again);
	again = program_read(p, "kept");
	assert_int_equal(strlen(kept), strlen(again));
	free(again);
	/* What is there is not computed again: a changed value stays. */
	again = strstr(cut, "\n0 ");
	assert_non_null(again);
	memcpy(again, "\n0 7", 4);
	again[4] = '\n';
	again[5] = '\0';
	program_write(p, "kept", cut);
	again = answer(p, GRID " --csv --part ~/kept");
	assert_non_null(strstr(again, "1,0,7,value\n"));
	free(again);
	program_run(p, "sweep iperf --vary cpus=1..13 --metric free_high --part ~/kept", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "another sweep"));
	free(whole);
	free(first);
	free(kept);
	free(cut);
}

static void damaged_parts_are_refused_with_their_line(void **state)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"",												 "no part of a sweep"},
		{"hello\n",											  "no part of a sweep"},
		{"{\"kind\":\"run\"}\n",									     "no part of a sweep"},
		{"{\"kind\":\"sweep-part\",\"version\":1,\"definition\":{}}\n",					"damaged"		 },
		{"{\"kind\":\"sweep-part\",\"version\":1,\"definition\":{\"target\":\"t\","
		 "\"metric\":"
		 "\"m\",\"unit\":\"\",\"vary\":[{\"key\":\"cpus\",\"values\":[1]}]}}\n7 1\n",	":2: no point"      },
		{"{\"kind\":\"sweep-part\",\"version\":1,\"definition\":{\"target\":\"t\","
		 "\"metric\":"
		 "\"m\",\"unit\":\"\",\"vary\":[{\"key\":\"cpus\",\"values\":[1,\"x\"]}]}}\n0 1\n", "damaged"		 },
	};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		program_write(p, "bad", rows[i].text);
		program_run(p, "sweep --merge ~/bad", NULL);
		assert_int_equal(2, p->status);
		if (strstr(p->err, rows[i].sentence) == NULL) {
			fail_msg("%zu: %s", i, p->err);
		}
	}
	program_run(p, "sweep --merge ~/none", NULL);
	assert_int_equal(2, p->status);
}

/* Two parts that disagree on a point are damage, not a choice. */
static void parts_that_disagree_are_refused(void **state)
{
	struct program *p = *state;
	char *part;

	run_shards(p, 2);
	part = program_read(p, "shard1");
	assert_non_null(strstr(part, "\n0 never\n"));
	memcpy(strstr(part, "\n0 never\n"), "\n0 77777\n", 9);
	program_write(p, "changed", part);
	free(part);
	program_run(p, "sweep --merge ~/shard1 ~/shard2 ~/changed", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "changed:2: point 0 has another value than before");
	/* The same part twice is no harm. */
	free(answer(p, "sweep --merge ~/shard1 ~/shard2 ~/shard1"));
	program_run(p, "sweep --merge ~/shard1", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "42 of 84 points are missing, first cpus=1 pcp_batch_scale_max=1");
	free(answer(p, "sweep iperf --vary cpus=1..2 --metric first_free_high -o ~/other "
		       "--shard 1/2"));
	program_run(p, "sweep --merge ~/shard1 ~/other", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "join parts of one sweep");
	/* A part that holds points of two shards counts those of each. */
	assert_holds(answer_of(p, GRID " --shard 2/2 --part ~/shard1"),
		"shard 2 of 2: 42 of 42 points are in ");
}

/* All zones of a machine count together, as `run` counts them. */
static void a_scenario_of_all_zones_is_swept(void **state)
{
	struct program *p = *state;
	char *csv = answer(p, "sweep pressure-zones --short --vary kernel=6.1,6.12 --metric "
			      "refills --csv");
	const char *kernels[] = {"6.1", "6.12"};

	for (size_t i = 0; i < 2; i++) {
		char words[200], want[80];
		struct zl_json *j = NULL;
		struct zl_error err = {0};

		snprintf(words, sizeof(words), "run pressure-zones --short --set kernel=%s --json",
			kernels[i]);
		(void)answer_of(p, words);
		assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, &err));
		snprintf(want, sizeof(want), "%s,%lld,value\n", kernels[i],
			(long long)json_number(zl_json_member(j, "totals"), "refills"));
		assert_holds(csv, want);
		zl_json_free(j);
	}
	free(csv);
	program_run(p,
		"sweep pressure-zones --vary kernel=6.1 --metric estimate.lock_held_permille",
		NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "a metric of the run would be right, for example zone_locks");
	/* What cannot be done says what can. */
	program_run(p, "compare pressure-zones --lane A:6.1 --lane B:6.12", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "`zonelab sweep pressure-zones --vary kernel=6.12,6.18 --metric "
			     "zone_locks` compares totals");
	program_run(p, "estimate pressure-zones", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "`zonelab sweep pressure-zones");
}

static void bad_words_get_one_line(void **state)
{
	static const char *const lines[] = {"sweep", "sweep iperf", "sweep iperf --vary cpus=1..2",
		"sweep iperf --vary cpus=1..2 --metric nothing_like_it",
		"sweep iperf --vary cpus=1..2 --metric free_high --shard 0/2",
		"sweep iperf --vary cpus=1..2 --metric free_high --shard 3/2",
		"sweep iperf --vary cpus=1..2 --metric free_high --shard x",
		"sweep iperf --vary cpus=1..2 --metric free_high --jobs 0",
		"sweep iperf --vary cpus=1..2 --metric free_high --timed 1ms",
		"sweep pcp --vary cpus=1..2 --metric high_min --timed 1ms",
		"sweep pcp file --vary cpus=1..2 --metric high_min",
		"sweep iperf --vary cpus=1..2 --vary cpus=1..2 --metric free_high"};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		program_run(p, lines[i], NULL);
		if (p->status != 2 || strchr(p->err, '\n') != p->err + strlen(p->err) - 1) {
			fail_msg("%s: %d %s", lines[i], p->status, p->err);
		}
	}
}

static void pictures_are_drawn_of_one_and_two_axes(void **state)
{
	struct program *p = *state;
	char *svg;

	free(answer(p, GRID " -o ~/grid.svg"));
	svg = program_read(p, "grid.svg");
	assert_int_equal(0, strncmp(svg, "<svg ", 5));
	assert_non_null(strstr(svg, "</svg>\n"));
	free(svg);
	free(answer(p, "sweep iperf --vary high_min=100..4000:400 --metric first_free_high -o "
		       "~/line.svg"));
	svg = program_read(p, "line.svg");
	assert_non_null(strstr(svg, "<circle"));
	free(svg);
	/* Two releases along many values: two curves with their names, not cells. */
	free(answer(p, "sweep iperf --short --vary high_min=200..4000:100 --vary "
		       "kernel=6.12,6.18 --metric first_free_high -o ~/two.svg"));
	svg = program_read(p, "two.svg");
	assert_holds(svg, ">kernel 6.12</text>");
	assert_holds(svg, ">kernel 6.18</text>");
	assert_holds(svg, "stroke-dasharray=\"8 4\"");
	assert_holds(svg, "<circle");
	free(svg);
	program_run(p,
		"sweep pcp --vary cpus=1,2 --vary memory=1G,2G --vary high_fraction=0,8 --metric "
		"high_min -o ~/three.svg",
		NULL);
	assert_int_equal(2, p->status);
}

/* Shards by GNU parallel, where it is installed. */
static void gnu_parallel_shares_shards_out(void **state)
{
	struct program *p = *state;
	char *whole = answer(p, GRID " --csv");
	char *joined;
	char line[1024];

	if (system("parallel --version >/dev/null 2>&1") != 0) {
		free(whole);
		print_message("# parallel is not installed\n");
		return; /* skip() of cmocka 1.1.5 says "not ok" */
	}
	snprintf(line, sizeof(line),
		"HOME='%s' parallel -j 2 \"'%s' " GRID
		" --shard {}/4 --jobs 1 -o '%s/shard{}'\" ::: "
		"1 2 3 4 2>'%s/messages'",
		p->home, getenv("ZONELAB"), p->home, p->home);
	assert_int_equal(0, system(line));
	joined = answer(p, "sweep --merge ~/shard1 ~/shard2 ~/shard3 ~/shard4 --csv");
	assert_string_equal(whole, joined);
	free(joined);
	free(whole);
}

#define SWEEP_TEST(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SWEEP_TEST(any_number_of_processes_gives_the_same_bytes),
		SWEEP_TEST(shards_joined_give_the_same_bytes),
		SWEEP_TEST(a_part_is_gone_on_with),
		SWEEP_TEST(damaged_parts_are_refused_with_their_line),
		SWEEP_TEST(parts_that_disagree_are_refused),
		SWEEP_TEST(a_scenario_of_all_zones_is_swept),
		SWEEP_TEST(bad_words_get_one_line),
		SWEEP_TEST(pictures_are_drawn_of_one_and_two_axes),
		SWEEP_TEST(gnu_parallel_shares_shards_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
