/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zonelab compare as a user meets it: the text for a mail, the command that gives it again, streams
 * and statuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

/* Runs a text as a shell script in which `zonelab` is the program. */
static char *shell(const struct program *p, const char *command)
{
	char path[512];
	char script[8192];
	char line[1024];
	char *out = calloc(1, 1 << 20);
	size_t len = 0;
	FILE *f;

	assert_non_null(out);
	snprintf(script, sizeof(script), "cd \"$HOME\"\nzonelab() { \"$ZONELAB\" \"$@\"; }\n%s",
		command);
	program_write(p, "again.sh", script);
	program_path(p, "again.sh", path, sizeof(path));
	snprintf(line, sizeof(line), "HOME='%s' sh '%s'", p->home, path);
	f = popen(line, "r");
	assert_non_null(f);
	len = fread(out, 1, (1 << 20) - 1, f);
	out[len] = '\0';
	assert_int_equal(0, pclose(f));
	return out;
}

static void the_mail_fits_and_its_command_gives_it_again(void **state)
{
	static const char *const lines[] = {
		"compare iperf --lane A:6.12.0 --lane B:6.18.2 --mail",
		"compare bursts --short --lane old:6.12 --lane new:6.18.2 --lane "
		"another-one:6.18.2,high_min=5000 --lane older:6.6 --mail",
		"compare netperf-udp --short --lane A:6.12 --lane B:6.18 --seeds 3 --mail --seed 7",
		"compare free-order3 --param blocks=100 --set memory=64G --profile amd-2x384 "
		"--lane "
		"'A:6.12,zones=\"Normal:64G\"' --lane 'B:6.18,cmdline=it'\\''s quoted' --mail",
		"compare iperf --lane '{\"name\": \"B\", \"settings\": {\"kernel\": \"6.18\", "
		"\"high_min\": 700, \"high_max\": 9000, \"pcp_batch_scale_max\": 4, \"batch\": "
		"31}}' "
		"--mail",
		"compare iperf --axis kernel --mail",
	};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char words[1024];
		char command[8192];

		/* program_run() knows no '\'' in a quoted word. */
		snprintf(words, sizeof(words), "%s", lines[i]);
		char *quote = strstr(words, "'\\''");
		if (quote != NULL) {
			memmove(quote, quote + 4, strlen(quote + 4) + 1);
		}
		program_run(p, words, NULL);
		if (p->status != 0) {
			fail_msg("%s: %s", words, p->err);
		}
		assert_mail(p, words);
		char *first = strdup(p->out);
		const char *again = strstr(first, "\nTo run it again:\n");
		assert_non_null(again);
		snprintf(command, sizeof(command), "%s", strchr(again + 1, '\n') + 1);
		size_t len = strlen(command);
		snprintf(command + len - 1, sizeof(command) - len + 1, " --mail\n");
		char *second = shell(p, command);
		assert_string_equal(first, second);
		free(first);
		free(second);
	}
}

/* The line under a mail runs in any folder: files of lanes have their whole path. */
static void a_profile_of_a_lane_has_its_whole_path(void **state)
{
	struct program *p = *state;
	char *first, *second;
	char command[1024];
	const char *again;

	program_write(p, "my.json",
		"{\"kind\": \"profile\", \"version\": 1, \"settings\": {\"memory\": "
		"\"4G\", \"cpus\": 4, \"kernel\": \"6.12\"}}");
	first = shell(p,
		"zonelab compare iperf --lane A:profile=my.json --lane B:profile=my.json,6.18 "
		"--mail\n");
	again = strstr(first, "\nTo run it again:\n");
	assert_non_null(again);
	assert_holds(again, "/my.json,kernel=6.18");
	snprintf(command, sizeof(command), "cd /\n%s", strchr(again + 1, '\n') + 1);
	snprintf(command + strlen(command) - 1, 10, " --mail\n");
	second = shell(p, command);
	/* All but the lanes as they were written. */
	assert_non_null(strstr(first, "\n  kernel design"));
	assert_non_null(strstr(second, "\n  kernel design"));
	assert_string_equal(
		strstr(first, "\n  kernel design"), strstr(second, "\n  kernel design"));
	free(first);
	free(second);
}

/* Names that a design lacks read as 0: the words are of the policy, not of the design's rule. */
static void a_policy_of_another_design_is_explained_as_a_policy(void **state)
{
	struct program *p = *state;

	program_says(p, 0,
		"compare bursts --short --policy 'free_high = pcp->free_count >= batch' "
		"--lane A:6.1 --lane B:6.12",
		"free_high: A has a policy, which says no, B compares free_count 64 with 63");
	assert_holds(p->out, "A: policy free_high: design A keeps no pcp->free_count");
	assert_holds(p->out, "A: free_high by policy never fires");
	program_says(p, 0,
		"compare bursts --short --lane 'A:6.12,policy.free_high=pcp->count > 100 && order' "
		"--lane B:6.12",
		"A has a policy, which says yes, B compares free_count 48 with batch");
}

static void it_answers_with_0_when_it_ran(void **state)
{
	struct program *p = *state;

	/* A policy too long for a note is seen to be cut. */
	program_says(p, 0,
		"compare iperf --short --lane A:6.12 --lane 'B:6.12,policy.free_high=\"order && "
		"order <= PAGE_ALLOC_COSTLY_ORDER && pcp->free_count >= (pcp->high_min > 4 * batch "
		"? max(batch, pcp->high_min >> 1) : batch) && (pcp->flags & "
		"PCPF_PREV_FREE_HIGH_ORDER) && (!(pcp->flags & PCPF_FREE_HIGH_BATCH) || "
		"pcp->count >= batch)\"'",
		"...\n");

	program_says(p, 0, "compare iperf --lane A:6.12.0 --lane B:6.18.2", "c544a952ba61");
	program_says(p, 0, "compare iperf --lane A:6.12 --lane B:6.12", "No divergence");
	/* No table where there is nothing to show. */
	assert_null(strstr(p->out, "B - A"));
	program_says(p, 0, "compare iperf --lane new:6.18.2 --csv",
		"total,base,new,new - base,new to base");
	program_says(p, 0, "compare iperf --axis kernel --csv", "kernel,design,threshold");
	program_says(p, 0,
		"compare thp --short --lane A:6.18 --lane "
		"B:6.18,arch=arm64,thp=off,hugetlb=off,max_page_order=8",
		"are left out");
	program_says(p, 2, "compare iperf --lane 'A:kernel=6.12,(x'", "--lane:1:15: ");
	program_says(p, 2, "compare iperf --lane A:6.12 --lane B:nonsense=1",
		"lane B: there is no setting");
	program_says(p, 2, "compare nowhere.json --lane A:6.12 --lane B:6.18", "nowhere.json");
}

static void the_answer_can_be_written_to_a_file(void **state)
{
	struct program *p = *state;
	char *text;

	program_says(p, 0, "compare iperf --lane A:6.12 --lane B:6.18 --json -o ~/answer.json", "");
	text = program_read(p, "answer.json");
	assert_non_null(text);
	assert_non_null(strstr(text, "\"first_divergence\""));
	free(text);
	program_says(p, 2, "compare iperf --lane A:6.12 --lane B:6.18 --json -o ~/answer.json",
		"answer.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_mail_fits_and_its_command_gives_it_again,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_profile_of_a_lane_has_its_whole_path, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_policy_of_another_design_is_explained_as_a_policy,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			it_answers_with_0_when_it_ran, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_answer_can_be_written_to_a_file, program_setup, program_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
