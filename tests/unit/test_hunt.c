/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hunt: what it finds is reproducible, small, and what its scenario gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "zonelab/text.h"

#define NODE "memory=1536G nodes=2 cpus=768 arch=x86_64 page_size=4K cache_slice=1M"

static size_t steps(const struct zl_json *found)
{
	const struct zl_json *p =
		zl_json_first(zl_json_member(zl_json_member(found, "scenario"), "programs"));
	size_t n = 0;

	for (; p != NULL; p = zl_json_next(p)) {
		const struct zl_json *loop = zl_json_first(zl_json_member(p, "do"));

		n += zl_json_count(zl_json_member(loop, "do"));
	}
	return n;
}

static void a_difference_of_releases_is_found_in_few_steps(void **state)
{
	struct zl_json *j;

	app_start(*state, NODE);
	j = app_ask(*state, "hunt --lane A:6.12 --lane B:6.18.2");
	/* Bursts between 9 and 44 blocks flush under 6.12 alone. */
	assert_true(json_number(j, "difference") >= 100);
	assert_true(
		json_number(j, "difference") * 2 >= json_number(j, "difference_found") * 8 / 10);
	assert_in_range(steps(j), 1, 4);
	zl_json_free(j);
}

static void the_same_seed_finds_the_same(void **state)
{
	char *text[3];

	app_start(*state, NODE);
	for (unsigned i = 0; i < 3; i++) {
		struct zl_json *j =
			app_ask(*state, i < 2 ? "hunt --lane A:6.12 --lane B:6.18.2 --tries 80"
					      : "hunt --lane A:6.12 --lane B:6.18.2 --tries 90");
		assert_int_equal(0, zl_json_print(j, false, &text[i]));
		zl_json_free(j);
	}
	assert_string_equal(text[0], text[1]);
	assert_string_not_equal(text[0], text[2]);
	for (unsigned i = 0; i < 3; i++) {
		zl_json_text_free(text[i]);
	}
}

/* The scenario of --write holds in the lane with more, and nowhere else. */
static void what_is_written_tells_the_lanes_apart(void **state)
{
	char folder[] = "/tmp/zonelab-hunt-XXXXXX";
	char file[64];
	char line[256];
	struct output out;

	assert_non_null(mkdtemp(folder));
	zl_format(file, sizeof(file), "%s/hunt.json", folder);
	app_start(*state, NODE);
	zl_format(line, sizeof(line), "hunt --lane A:6.12 --lane B:6.18.2 --tries 120 --write %s",
		file);
	struct zl_json *j = app_ask(*state, line);
	const struct zl_json *a = zl_json_first(zl_json_member(j, "lanes"));
	const struct zl_json *b = zl_json_next(a);
	bool first = json_number(a, "value") > json_number(b, "value");

	app_start(*state, "");
	zl_format(line, sizeof(line), "check %s", file);
	assert_int_equal(EXIT_YES, app_run(*state, line, FORMAT_TEXT, &out));
	output_done(&out);
	app_start(*state, first ? "kernel=6.18.2" : "kernel=6.12");
	assert_int_equal(EXIT_NO, app_run(*state, line, FORMAT_TEXT, &out));
	output_done(&out);
	/* The totals of the answer are those of a run. */
	zl_format(line, sizeof(line), "compare %s --lane A:6.12 --lane B:6.18.2", file);
	app_start(*state, "");
	struct zl_json *c = app_ask(*state, line);
	const struct zl_json *l = zl_json_first(zl_json_member(c, "lanes"));
	assert_int_equal(
		json_number(a, "value"), json_number(zl_json_member(l, "totals"), "free_high"));
	l = zl_json_next(l);
	assert_int_equal(
		json_number(b, "value"), json_number(zl_json_member(l, "totals"), "free_high"));
	zl_json_free(c);
	zl_json_free(j);
	unlink(file);
	rmdir(folder);
}

/* A lane with a policy leaves it in its scenario. */
static void the_policy_of_a_lane_goes_with_it(void **state)
{
	char folder[] = "/tmp/zonelab-hunt-XXXXXX";
	char file[64];
	char line[256];
	struct output out;

	assert_non_null(mkdtemp(folder));
	zl_format(file, sizeof(file), "%s/hunt.json", folder);
	app_start(*state, NODE);
	zl_format(line, sizeof(line),
		"hunt --lane A:6.18.2 --lane B:6.18.2,policy=threshold-1-batch --tries 120 --write "
		"%s",
		file);
	struct zl_json *j = app_ask(*state, line);
	const struct zl_json *a = zl_json_first(zl_json_member(j, "lanes"));

	/* The lower threshold flushes more often. */
	assert_true(json_number(zl_json_next(a), "value") > json_number(a, "value"));
	app_start(*state, "");
	zl_format(line, sizeof(line), "check %s", file);
	assert_int_equal(EXIT_YES, app_run(*state, line, FORMAT_TEXT, &out));
	output_done(&out);
	zl_json_free(j);
	unlink(file);
	rmdir(folder);
}

static void lanes_that_are_alike_have_no_difference(void **state)
{
	struct output out;
	struct zl_json *j = app_ask(*state, "hunt --lane A:6.12 --lane B:6.12 --tries 50");

	assert_int_equal(0, json_number(j, "difference"));
	zl_json_free(j);
	assert_int_equal(EXIT_YES,
		app_run(*state, "hunt --lane A:6.12 --lane B:6.12 --tries 50 --write /nowhere/x",
			FORMAT_TEXT, &out));
	assert_non_null(strstr(zl_buf_text(&out.text), "None of 50 loads"));
	assert_non_null(strstr(zl_buf_text(&out.text), " Nothing"));
	output_done(&out);
}

static void refused(struct app *app, const char *line, const char *sentence)
{
	struct output out;

	assert_int_equal(EXIT_USAGE, app_run(app, line, FORMAT_TEXT, &out));
	if (strstr(out.error.text, sentence) == NULL) {
		fail_msg("%s: %s", line, out.error.text);
	}
	output_done(&out);
}

static void bad_lines_say_what_would_be_right(void **state)
{
	refused(*state, "hunt", "--lane NAME:ITEM");
	refused(*state, "hunt --lane A:6.12 --lane B:6.12 --lane C:6.12", "two lanes");
	refused(*state, "hunt --lane A:6.12 --lane B:6.18 --metric free_hihg",
		"did you mean free_high");
	refused(*state, "hunt --lane A:6.12 --lane B:6.18 --tries 0", "1 to 1000000");
	/* Before the hunt, not after it. */
	refused(*state, "hunt --lane A:6.12 --lane B:6.18 --tries 1000000 --write /dev/null",
		"is not overwritten");
	refused(*state, "hunt iperf --lane A:6.12 --lane B:6.18", "one word too many");
}

/* "alloc 83, alloc 31" is "alloc 114". */
static void lines_that_are_alike_are_joined(void **state)
{
	struct zl_json *j;

	app_start(*state, "seed=5");
	j = app_ask(*state, "hunt --lane A:6.12 --lane B:6.18");
	assert_int_equal(2, steps(j));
	assert_int_equal(1312, json_number(j, "difference"));
	zl_json_free(j);
}

static void loads_that_cannot_go_on_are_counted_and_named(void **state)
{
	struct output out;

	assert_int_equal(EXIT_YES,
		app_run(*state, "hunt --tries 60 --lane A:6.12 --lane B:6.12,policy.free_high=1/0",
			FORMAT_TEXT, &out));
	assert_non_null(strstr(zl_buf_text(&out.text), "None of 60 loads"));
	assert_non_null(strstr(zl_buf_text(&out.text), "of them ended early and do not count"));
	assert_non_null(strstr(zl_buf_text(&out.text), "division by zero"));
	output_done(&out);
}

static bool at_once(void *user)
{
	(void)user;
	return true;
}

static void it_ends_when_the_user_has_seen_enough(void **state)
{
	struct output out = {.format = FORMAT_JSON, .stop = at_once};

	assert_int_equal(
		EXIT_INTERRUPTED, command_run(*state, "hunt --lane A:6.12 --lane B:6.18", &out));
	assert_non_null(out.json);
	output_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(a_difference_of_releases_is_found_in_few_steps),
		APP_TEST(the_same_seed_finds_the_same),
		APP_TEST(what_is_written_tells_the_lanes_apart),
		APP_TEST(the_policy_of_a_lane_goes_with_it),
		APP_TEST(lanes_that_are_alike_have_no_difference),
		APP_TEST(lines_that_are_alike_are_joined),
		APP_TEST(loads_that_cannot_go_on_are_counted_and_named),
		APP_TEST(bad_lines_say_what_would_be_right),
		APP_TEST(it_ends_when_the_user_has_seen_enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
