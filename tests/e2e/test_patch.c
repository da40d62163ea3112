/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches on the command line: what they change, what is not modelled, the review of a battery.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

#define DIR_OF TEST_DATA "/patches/"

static const char *run(struct program *p, int status, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: exit status %d: %s%s", words, p->status, p->out, p->err);
	}
	return p->out;
}

static struct zl_json *ask(struct program *p, const char *words)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	run(p, 0, words);
	if (zl_json_parse(p->out, p->out_len, &j, &err) != 0) {
		fail_msg("%s: %u:%u: %s", words, err.line, err.column, err.text);
	}
	return j;
}

static const char *text(const struct zl_json *o, const char *key)
{
	const char *s = zl_json_text(zl_json_member(o, key));

	return s != NULL ? s : "";
}

/* The sample of the question about imports: a folded subject, quoted-printable, a hunk cut short. */
static void the_sample_mail_changes_one_default(void **state)
{
	struct zl_json *j = ask(*state, "patch --json " DIR_OF "uc56-sample.mbox");
	const struct zl_json *c = zl_json_first(zl_json_member(j, "changes"));

	assert_int_equal(1, json_number(j, "modelled"));
	assert_string_equal("default", text(c, "kind"));
	assert_string_equal("pcp_batch_scale_max", text(c, "name"));
	assert_string_equal("5", text(c, "old"));
	assert_string_equal("3", text(c, "new"));
	assert_int_equal(18, json_number(c, "line"));
	assert_null(zl_json_first(zl_json_member(j, "not_modelled")));
	c = zl_json_first(zl_json_member(j, "damaged_hunks"));
	assert_int_equal(16, json_number(c, "line"));
	assert_holds(text(c, "text"), "fewer lines than its header says");
	zl_json_free(j);
}

static void the_release_follows_from_the_old_side_and_can_be_given(void **state)
{
	struct program *p = *state;

	assert_holds(run(p, 0, "patch " DIR_OF "threshold-git.patch"),
		"Base: 6.13, by the old rules and function names: 6.7 to 6.13");
	assert_holds(p->out, "line 31, mm/page_alloc.c:2620, free_unref_page_commit");
	assert_holds(p->out, "--lane 'before:kernel=6.13'");
	assert_holds(p->out, "lines 12-14");
	run(p, 0, "patch --set kernel=6.18 " DIR_OF "threshold-git.patch");
	assert_holds(p->out, "Base: 6.18, as given; the patch itself is for 6.13");
	assert_holds(p->out, "before:policy.free_high=");
}

static void an_unrelated_patch_changes_nothing_of_the_model(void **state)
{
	struct program *p = *state;

	assert_holds(run(p, 0, "patch " DIR_OF "unrelated.patch"),
		"0 modelled changes of 6 changed lines, 2 places not modelled");
	assert_holds(p->out, "line 29, Documentation/net/x.rst:2: neither C nor Kconfig");
	run(p, 0, "review " DIR_OF "unrelated.patch");
	assert_holds(p->out, "nothing to run");
}

static void versions_of_a_thread_are_listed_and_one_can_be_taken(void **state)
{
	struct program *p = *state;

	run(p, 0, "patch " DIR_OF "thread-three-versions.mbox");
	assert_holds(p->out, "superseded v1, line 8");
	assert_holds(p->out, "used       v3, line 71");
	assert_holds(p->out, "repeated   v3, line 106");
	assert_holds(p->out, "batch + pcp->high_min / 2");
	run(p, 0, "patch --take v2 " DIR_OF "thread-three-versions.mbox");
	assert_holds(p->out, "pcp->free_count >= batch * 4");
	run(p, 2, "patch --take v9 " DIR_OF "thread-three-versions.mbox");
	assert_holds(p->err, "there is no version 9 here; the newest is v3");
	run(p, 2, "patch --take newest " DIR_OF "thread-three-versions.mbox");
	assert_holds(p->err, "--take newest is no version of a patch; for example v2");
}

static void a_change_is_bound_by_hand(void **state)
{
	struct program *p = *state;

	run(p, 0, "patch " DIR_OF "ambiguous.diff");
	assert_holds(p->out, "0 modelled changes");
	assert_holds(p->out, "it may be high_on_free_high or");
	run(p, 0,
		"patch " DIR_OF "ambiguous.diff --bind "
		"'7=high_below=max(high - 2 * batch, high_min)'");
	assert_holds(p->out, "high_below (by hand): line 7");
	assert_holds(p->out, "1 modelled change of 2 changed lines, 0 places not modelled");
	run(p, 2, "patch " DIR_OF "ambiguous.diff --bind 7=high_bellow");
	assert_holds(p->err, "there is no decision point 'high_bellow'; did you mean high_below");
	run(p, 2, "patch " DIR_OF "ambiguous.diff --bind 99=high_below");
	assert_holds(p->err, ":99: no changed statement of C stands on this line");
	run(p, 2, "patch " DIR_OF "ambiguous.diff --bind high_below");
	assert_holds(p->err, "names no file that is read here");
}

static void a_mail_without_a_diff_says_what_it_speaks_of(void **state)
{
	struct program *p = *state;

	run(p, 0, "patch " DIR_OF "no-diff.txt");
	assert_holds(p->out, "There is no diff: nothing to bind.");
	assert_holds(p->out, "pcp_batch_scale_max: With pcp_batch_scale_max=5 the invented");
	run(p, 0, "patch " DIR_OF "no-diff-tables.txt");
	assert_holds(p->out, "16 KiB pages, max order 11, pageblock_order 11: 32 MiB\n");
	assert_holds(p->out,
		"4 KiB pages, max order 10, pageblock_order 9: 4 MiB, which is not the page");
}

static void a_patch_is_read_from_standard_input(void **state)
{
	struct program *p = *state;

	program_run(p, "patch -",
		"--- a/mm/Kconfig\n+++ b/mm/Kconfig\n@@ -1,2 +1,2 @@ config PCP_BATCH_SCALE_MAX\n"
		"-\tdefault 5\n+\tdefault 2\n \tint\n");
	assert_int_equal(0, p->status);
	assert_holds(p->out, "after:kernel=7.1,pcp_batch_scale_max=2");
}

static void hostile_files_are_refused_in_one_line(void **state)
{
	struct program *p = *state;
	size_t size = (size_t)33 << 20;
	char *big = malloc(size + 1);

	assert_non_null(big);
	memset(big, 'x', size);
	big[size] = '\0';
	program_run(p, "patch -", big);
	assert_int_equal(2, p->status);
	assert_holds(p->err, "too large; at most 32 MiB of text are read");
	big[(size_t)2 << 20] = '\0';
	program_run(p, "patch -", big);
	assert_int_equal(2, p->status);
	assert_holds(p->err, ":1: a line of 2097152 bytes; at most 1048576 are read");
	free(big);
	program_write(p, "binary", "\x01\x02\x03 three of five\x04\x05\n");
	run(p, 2, "patch ~/binary");
	assert_holds(p->err, "binary:1:1: byte 0x1 is of no text; a diff or a mail would be right");
	program_write(p, "empty", "");
	run(p, 2, "review ~/empty");
	assert_holds(p->err, "empty: it is empty; a diff or a mail would be right");
	run(p, 2, "patch ~/missing.patch");
	assert_holds(p->err, "missing.patch: cannot be read");
}

static void every_patch_gives_a_mail_of_72_columns(void **state)
{
	struct program *p = *state;
	DIR *d = opendir(DIR_OF);
	const struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		char words[512];

		if (e->d_name[0] == '.' || strcmp(e->d_name, "NOTES") == 0) {
			continue;
		}
		snprintf(words, sizeof(words), "patch --mail " DIR_OF "%s", e->d_name);
		run(p, 0, words);
		assert_mail(p, e->d_name);
		n++;
	}
	closedir(d);
	assert_in_range(n, 20, 200);
}

static void a_review_sorts_pairs_by_effect_and_fits_a_mail(void **state)
{
	struct program *p = *state;
	struct zl_json *j;
	const struct zl_json *c;
	unsigned n = 0;

	run(p, 0, "review --mail " DIR_OF "scale-default.diff");
	assert_mail(p, "review");
	assert_holds(p->out, "Largest effect:");
	assert_holds(p->out, "By machine:");
	j = ask(p, "review --json --machine amd-2x384 --machine rz-g3s --scenario pressure "
		   "--scenario bursts " DIR_OF "scale-default.diff");
	for (c = zl_json_first(zl_json_member(j, "pairs")); c != NULL; c = zl_json_next(c)) {
		n++;
	}
	assert_int_equal(4, n);
	c = zl_json_first(zl_json_member(j, "pairs"));
	assert_string_equal("pressure", text(c, "scenario"));
	/* Half as many doublings: the longest hold is a quarter, 63 << 3 pages. */
	assert_int_equal(2016, json_number(zl_json_member(c, "longest_hold_pages"), "before"));
	assert_int_equal(504, json_number(zl_json_member(c, "longest_hold_pages"), "after"));
	zl_json_free(j);
}

/*
 * 1 GiB of 4 KiB pages: batch is a power of two below 1.5 * 256 / 4 or, as patched, / 2, less one. A
 * scenario of all zones is no pair of lanes.
 */
static void a_review_names_figures_that_change_and_what_was_not_run(void **state)
{
	struct program *p = *state;

	run(p, 0,
		"review " DIR_OF
		"batch-divisor.diff --machine rz-g3s --scenario pressure --scenario "
		"remote-node");
	assert_holds(p->out, "\nFigures of machines that change:\n  rz-g3s: batch 63 to 127\n");
	assert_holds(p->out,
		"\nNot run:\n  remote-node on rz-g3s: lane before: the scenario runs in all zones");
	struct zl_json *j = ask(p,
		"review --json " DIR_OF "batch-divisor.diff --machine rz-g3s --scenario pressure "
		"--scenario remote-node");
	const struct zl_json *c = zl_json_first(zl_json_member(j, "pairs"));
	assert_null(zl_json_member(c, "not_run"));
	assert_holds(text(zl_json_next(c), "not_run"), "the scenario runs in all zones");
	zl_json_free(j);
	run(p, 0, "review " DIR_OF "batch-divisor.diff --machine rz-g3s --scenario pressure");
	assert_null(strstr(p->out, "Not run:"));
}

/* What a mail ends with, pasted into a shell where the patch lies: each line runs and says the same. */
static void what_a_mail_ends_with_runs_beside_the_patch(void **state)
{
	struct program *p = *state;
	char first[65536], path[512], shell[4096];
	const char *again;

	run(p, 0,
		"review --mail --machine rz-g3s --scenario bursts --seed 5 " DIR_OF
		"scale-default.diff --set memory=256M");
	assert_holds(p->out, "rz-g3s (arm64, 4 KiB pages, 256 MiB, 1 node, 1 CPU; node 0 Normal):");
	assert_holds(p->out, "1 pair, seed 5,");
	snprintf(first, sizeof(first), "%s", p->out);
	again = strstr(first, "\nAgain:\n");
	assert_non_null(again);
	again += strlen("\nAgain:\n");
	program_write(p, "again.sh", again);
	program_path(p, "again.sh", path, sizeof(path));
	snprintf(shell, sizeof(shell),
		"cd '" DIR_OF
		"' && zonelab() { \"$ZONELAB\" \"$@\" --mail || exit 9; }; . %s >%s.out",
		path, path);
	assert_int_equal(0, system(shell));
	char *second = program_read(p, "again.sh.out");
	assert_memory_equal(first, second, (size_t)(again - first));
	assert_holds(second, "First divergence: op ");
	free(second);
}

/*
 * batch + high_min / 2 lies above batch << 5 where few CPUs share much memory and where pages are
 * large: 63 + 5839 / 2 > 2016, 63 + 7040 / 2 > 2016, 15 + 2039 / 2 > 480, 3 + 1023 / 2 > 96.
 */
static void the_threshold_patch_switches_free_high_off_on_some_machines(void **state)
{
	static const struct {
		const char *machine;
		bool after;
	} c[] = {
		{"amd-2x384",	      true },
		{"i5-6500-32g",	false},
		{"rz-g3s",		   false},
		{"generic-arm64-16k", false},
		{"generic-arm64-64k", false},
	};
	struct zl_json *j = ask(*state,
		"review --json --scenario free-order3 --machine amd-2x384 --machine i5-6500-32g "
		"--machine rz-g3s --machine generic-arm64-16k --machine generic-arm64-64k " DIR_OF
		"threshold-git.patch");
	const struct zl_json *m = zl_json_first(zl_json_member(j, "machines"));

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++, m = zl_json_next(m)) {
		const struct zl_json *fires = zl_json_member(m, "free_high_fires");
		bool before = false, after = !c[i].after;

		assert_string_equal(c[i].machine, text(m, "machine"));
		assert_int_equal(0, zl_json_get_bool(zl_json_member(fires, "before"), &before));
		assert_int_equal(0, zl_json_get_bool(zl_json_member(fires, "after"), &after));
		assert_true(before);
		assert_int_equal(c[i].after, after);
	}
	assert_null(m);
	zl_json_free(j);
}

/* The explorer's first picture, when it is started with a patch. */
static void a_patch_opens_on_compare_at_the_first_divergence(void **state)
{
	struct program *p = *state;

	run(p, 0, DIR_OF "scale-default.diff --screen 100x30");
	assert_holds(p->out, "[4 Compare]");
	assert_holds(p->out, "A 7.1  B 7.1 pcp_batch_scale_max=3");
	assert_holds(p->out, "A  before: 7.1 design ");
	assert_holds(p->out, "B  after: 7.1 pcp_batch_scale_max=3");
	/* The first refill that 3 doublings cut short is the fifth: 63 << 4 pages. */
	assert_holds(p->out, "A refill asks for 1008 blocks in A and 504 in B");
	assert_holds(p->out, "A before, B after: 2 modelled changes, 0 places not modelled");
	run(p, 0, DIR_OF "threshold-git.patch --screen 100x30");
	assert_holds(p->out, "op 154 of 1966");
	assert_holds(p->out, "free_high: A compares free_count 64 with batch 63, B with 354");
	run(p, 0, DIR_OF "unrelated.patch --screen 80x24");
	assert_holds(p->out, "0 modelled changes of 6 changed lines");
	run(p, 2, DIR_OF "unrelated.patch ~/missing.patch --screen 80x24");
}

static void a_new_parameter_gets_its_value_on_the_new_side(void **state)
{
	struct program *p = *state;

	run(p, 0, "patch " DIR_OF "scale-parameter.patch");
	assert_holds(p->out, "Nothing differs until a value is chosen");
	run(p, 0, "patch --after pcp_batch_scale_max=0 " DIR_OF "scale-parameter.patch");
	assert_holds(p->out, "--lane 'before:kernel=6.13'");
	assert_holds(p->out, "--lane 'after:kernel=6.13,pcp_batch_scale_max=0'");
	/* A release without the symbol has no setting for it: the value is in the rule. */
	run(p, 0, "patch --after page_block_order=7 " DIR_OF "block-order-symbol.patch");
	assert_holds(p->out, "min(HUGETLB_PAGE_ORDER, 7)");
	run(p, 2, "patch --after pcp_batch_scale=0 " DIR_OF "scale-parameter.patch");
	assert_holds(p->err, "--after: ");
}

/* Kconfig takes the first default whose condition holds. */
static void a_default_with_a_condition_is_taken_where_it_holds(void **state)
{
	static const struct {
		const char *words, *holds;
	} c[] = {
		{"patch " DIR_OF "scale-conditions.patch --profile generic-arm64-64k",
			"--lane 'after:kernel=7.1,pcp_batch_scale_max=2'"							 },
		{"patch " DIR_OF "scale-conditions.patch --profile generic-arm64-4k",
			"Nothing differs on this machine"								   },
		{"patch " DIR_OF "scale-conditions.patch",
			"PREEMPT_RT; PREEMPT_RT is no setting here, so it is not taken"				       },
		{"patch " DIR_OF "scale-arch.diff --profile generic-arm64-16k",
			"pcp_batch_scale_max=1'"									    },
		{"patch " DIR_OF "scale-arch.diff --profile amd-2x384",		"pcp_batch_scale_max=2'"	},
		{"patch " DIR_OF "scale-arch.diff --profile generic-arm64-4k",
			"pcp_batch_scale_max=4'"									    },
		{"patch " DIR_OF "scale-arch.diff --set arch=arm64 --set smp=off",
			"Nothing differs on this machine"								   },
		{"patch " DIR_OF "scale-hidden.diff --profile generic-arm64-64k",
			"it is never taken: a default without a condition stands before it"				   },
		{"patch " DIR_OF "series-undone.mbox",				       "The changes undo each other" },
		{"patch " DIR_OF "is-enabled.diff --set thp=off",			  "no changed rule holds here"  },
		{"patch " DIR_OF "is-enabled.diff --set thp=on",			 "pcp->free_count >= 2 * batch"},
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		assert_holds(run(*state, 0, c[i].words), c[i].holds);
	}
	/* A review asks each of its machines. */
	assert_holds(run(*state, 0,
			     "review " DIR_OF "scale-arch.diff --scenario kbuild --machine "
			     "generic-arm64-16k"),
		"if      X86_64 && NUMA; each machine by itself");
	assert_holds(((struct program *)*state)->out, "pcp_batch_scale_max=1");
	assert_holds(run(*state, 0, "review " DIR_OF "series-undone.mbox"), "nothing to run");
}

/* The hunk does not say where it is; the user does, and the rest of the rule stays. */
static void by_hand_a_part_stands_in_its_rule(void **state)
{
	struct program *p = *state;

	run(p, 0, "patch " DIR_OF "no-function-p0.diff --bind 17=nr_pcp_alloc");
	assert_holds(p->out, "rule    high < base_batch ? 1 : batch > 1 ? max(batch >> order, 4) "
			     ": batch");
	assert_holds(p->out, "Base: 7.1, by the old rules");
	/* No rule of the point: the machine's release is the base. */
	run(p, 0, "patch " DIR_OF "no-function-p0.diff --bind '17=free_high=pcp->count > 2'");
	assert_holds(p->out, "Base: 6.18.2, the machine's; nothing in the patch says which");
	assert_holds(p->out, "'after:policy.free_high=pcp->count > 2'");
}

static void a_diff_of_another_kind_is_named(void **state)
{
	struct zl_json *j;

	/* Nothing is dropped in silence. */
	assert_holds(run(*state, 0, "patch " DIR_OF "reply-attachment.eml"),
		"note: 1 part that is no plain text was left out");

	assert_holds(run(*state, 0, "patch " DIR_OF "context.diff"),
		"Not modelled: line 3: a context diff; a unified diff");
	assert_holds(run(*state, 0, "patch " DIR_OF "merge.diff"),
		"Not modelled: line 1: the combined diff of a merge");
	j = ask(*state, "patch --json " DIR_OF "context.diff");
	assert_int_equal(3, json_number(zl_json_member(j, "other_diff"), "line"));
	zl_json_free(j);
}

static bool certain(const struct zl_json *j)
{
	bool yes = false;

	assert_int_equal(
		0, zl_json_get_bool(zl_json_member(zl_json_member(j, "base"), "certain"), &yes));
	return yes;
}

static void how_sure_the_release_is_stands_in_json(void **state)
{
	struct zl_json *j = ask(*state, "patch --json " DIR_OF "series-cover-letter.mbox");
	const struct zl_json *base = zl_json_member(j, "base");

	assert_string_equal("6.17", text(base, "kernel"));
	assert_true(certain(j));
	zl_json_free(j);
	j = ask(*state, "patch --json " DIR_OF "threshold-git.patch");
	base = zl_json_member(j, "base");
	assert_string_equal("6.7", text(base, "from"));
	assert_false(certain(j));
	zl_json_free(j);
}

static void a_review_of_what_is_not_there_is_an_error(void **state)
{
	struct program *p = *state;

	run(p, 2, "review " DIR_OF "threshold-git.patch --scenario nothing");
	assert_holds(p->err, "no shipped scenario 'nothing'; review has free-order3, bursts");
	run(p, 2, "review " DIR_OF "threshold-git.patch --scenario bursts --after take_ns=3");
	assert_holds(p->err, "costs are the machine's and the same before and after");
	run(p, 2, "review " DIR_OF "threshold-git.patch --scenario bursts --machine nothing");
	assert_holds(p->err, "zonelab list profiles");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_sample_mail_changes_one_default, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_release_follows_from_the_old_side_and_can_be_given, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(an_unrelated_patch_changes_nothing_of_the_model,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			versions_of_a_thread_are_listed_and_one_can_be_taken, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(
			a_change_is_bound_by_hand, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_mail_without_a_diff_says_what_it_speaks_of,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_patch_is_read_from_standard_input, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			hostile_files_are_refused_in_one_line, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			every_patch_gives_a_mail_of_72_columns, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_review_sorts_pairs_by_effect_and_fits_a_mail,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_review_names_figures_that_change_and_what_was_not_run, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(what_a_mail_ends_with_runs_beside_the_patch,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_threshold_patch_switches_free_high_off_on_some_machines, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(a_patch_opens_on_compare_at_the_first_divergence,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_new_parameter_gets_its_value_on_the_new_side,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_default_with_a_condition_is_taken_where_it_holds,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			by_hand_a_part_stands_in_its_rule, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_diff_of_another_kind_is_named, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			how_sure_the_release_is_stands_in_json, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_review_of_what_is_not_there_is_an_error, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
