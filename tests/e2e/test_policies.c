/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies on the command line: given, refused with the column, saved, in scenarios, and what
 * happens when one has no value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

#define BURSTS "run bursts --short --json --set kernel="

static void run_ok(struct program *p, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != 0) {
		fail_msg("%s: exit status %d: %s", words, p->status, p->err);
	}
}

static int64_t flushes(const struct program *p)
{
	struct zl_json *j = NULL;
	int64_t v = -1;

	assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, NULL));
	assert_int_equal(
		0, zl_json_get_int(zl_json_member(zl_json_member(j, "totals"), "free_high"), &v));
	zl_json_free(j);
	return v;
}

static void a_threshold_makes_one_release_flush_like_another(void **state)
{
	struct program *p = *state;
	int64_t b, c;

	run_ok(p, BURSTS "6.12");
	b = flushes(p);
	run_ok(p, BURSTS "6.18.2");
	c = flushes(p);
	assert_true(b != c);
	run_ok(p, BURSTS "6.12 --policy threshold-half-high-min");
	assert_int_equal(c, flushes(p));
	run_ok(p, BURSTS "6.18.2 --policy threshold-1-batch");
	assert_int_equal(b, flushes(p));
}

static void refusals_have_a_column(void **state)
{
	struct program *p = *state;

	program_run(p, "pcp --policy 'free_high = pcp->free_cuont >= 3'", NULL);
	assert_int_equal(2, p->status);
	assert_string_equal("zonelab: --policy:1:13: free_high knows no name 'pcp->free_cuont'; "
			    "did you mean pcp->free_count\n",
		p->err);
	program_run(p, "pcp --policy threshold-5-batches", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "did you mean threshold-5-batch");
	program_run(p, "pcp --policy", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "--policy POLICY");
	program_run(p, "-c 'policy free_high = 1 +'", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "1:23: the expression ends where a value is missing");
}

static void a_policy_without_a_value_ends_the_run_with_a_sentence(void **state)
{
	struct program *p = *state;

	program_run(p, "run bursts --short --policy 'nr_pcp_free = high / (order - 3)'", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "policy nr_pcp_free: division by zero");
	program_run(p, "run bursts --short --policy 'drain_chunk = 0'", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "policy drain_chunk: 0 is out of range");
}

static void policies_are_saved_and_read_again(void **state)
{
	struct program *p = *state;
	char words[512], path[300];
	char *saved;

	/* "~" is the home at the start of a word only. */
	program_path(p, "saved.json", path, sizeof(path));
	snprintf(words, sizeof(words),
		"-c 'policy chunked-drain' -c 'policy room = base_batch' -c 'save-profile %s'",
		path);
	run_ok(p, words);
	saved = program_read(p, "saved.json");
	assert_non_null(saved);
	assert_holds(saved, "\"room\": \"base_batch\"");
	free(saved);
	run_ok(p, "--profile ~/saved.json -c policy");
	assert_holds(p->out, "drain_chunk");
	assert_holds(p->out, "decay_chunk");
	assert_holds(p->out, "base_batch");
	program_write(p, "bad.json",
		"{\"kind\":\"profile\",\"version\":1,\"policies\":{\"romm\":\"1\"}}");
	program_run(p, "pcp --profile ~/bad.json", NULL);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "did you mean room");
}

static void scenarios_carry_policies_and_the_command_line_wins(void **state)
{
	static const char text[] =
		"{\"kind\":\"scenario\",\"version\":1,\"name\":\"frees\",\"machine\":{\"kernel\":"
		"\"6.18.2\",\"memory\":\"4G\",\"cpus\":8,\"policies\":{\"free_high\":\"0\"}},"
		"\"queues\":{\"q\":{\"capacity\":512}},\"phases\":[{\"name\":\"all\",\"programs\":["
		"{"
		"\"cpus\":0,\"do\":[{\"alloc\":3,\"count\":200,\"into\":\"q\"},{\"free\":200,"
		"\"from\":\"q\"}]}]}]}";
	struct program *p = *state;

	program_write(p, "frees.json", text);
	run_ok(p, "run ~/frees.json --json");
	assert_int_equal(0, flushes(p));
	run_ok(p, "run ~/frees.json --json --policy threshold-1-batch");
	assert_true(flushes(p) > 0);
}

static void lists_and_explanations_are_there_in_every_form(void **state)
{
	struct program *p = *state;

	run_ok(p, "list decision-points --json");
	assert_holds(p->out, "\"free_count_on_alloc\"");
	run_ok(p, "list policies --mail");
	assert_holds(p->out, "threshold-capped");
	run_ok(p, "list policies --csv");
	assert_holds(p->out, "name,policy,status,source,question");
	run_ok(p, "explain free_high --policy threshold-5-batch");
	assert_holds(p->out, "In force: a policy, threshold-5-batch (given)");
	run_ok(p, "list settings --resolved --policy 'room = batch'");
	assert_holds(p->out, "policy.room");
	run_ok(p, "pcp --set kernel=6.1 --policy 'room = batch'");
	assert_holds(p->out, "policy room has no effect: design A has no such rule");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_threshold_makes_one_release_flush_like_another,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			refusals_have_a_column, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_policy_without_a_value_ends_the_run_with_a_sentence, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(
			policies_are_saved_and_read_again, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(scenarios_carry_policies_and_the_command_line_wins,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(lists_and_explanations_are_there_in_every_form,
			program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
