/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every name is explained on every kind of machine: with a formula, and with operands
 * that exist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "explain.h"
#include "glossary.h"
#include "pagesets.h"
#include "setting_facts.h"
#include "terms.h"

static void check_formula(
	const struct value_in *in, unsigned id, enum formula_form form, const char *m)
{
	const char *template = value_formula(in, (enum value_id)id, form);
	struct formula_piece pieces[FORMULA_PIECES];
	size_t n = formula_fill(in, (enum value_id)id, template, pieces);
	size_t operands = 0;

	for (size_t i = 0; i < n; i++) {
		if (!pieces[i].operand) {
			continue;
		}
		operands++;
		if (pieces[i].id == VALUE_NONE) {
			fail_msg("%s on \"%s\": an operand of \"%s\" is no value", value_name(id),
				m, template);
		}
		if (strcmp(pieces[i].text, "-") == 0) {
			fail_msg("%s on \"%s\": operand %s of \"%s\" does not exist",
				value_name(id), m, value_name(pieces[i].id), template);
		}
	}
	if (form == FORMULA_FULL && (template[0] == '\0' || operands == 0)) {
		fail_msg("%s on \"%s\": no operands in \"%s\"", value_name(id), m, template);
	}
}

static void check_zone(struct value_in *in, const char *machine)
{
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		int64_t v = 0;

		if (!value_get(in, (enum value_id)id, &v)) {
			continue;
		}
		check_formula(in, id, FORMULA_SHORT, machine);
		check_formula(in, id, FORMULA_HOW, machine);
		check_formula(in, id, FORMULA_FULL, machine);
	}
}

static void every_value_has_a_formula_with_operands_that_exist(void **state)
{
	struct app *app = *state;

	for (size_t i = 0; i < APP_MACHINES; i++) {
		app_start(app, app_machines[i]);
		struct value_in in = app_values(app);

		for (in.zone = 0; in.zone < app_lane(app)->machine.nr_zones; in.zone++) {
			check_zone(&in, app_machines[i]);
		}
	}
}

static void every_value_is_explained_whole(void **state)
{
	struct app *app = *state;

	for (size_t i = 0; i < APP_MACHINES; i += 3) {
		app_start(app, app_machines[i]);
		const struct value_in in = app_values(app);

		for (unsigned id = 1; id < VALUE_COUNT; id++) {
			struct explain e;
			int64_t v = 0;

			assert_true(explain_fill(&in, id, &e));
			assert_string_not_equal("", e.definition);
			assert_string_not_equal("", e.source);
			assert_int_equal(value_get(&in, (enum value_id)id, &v), e.has_number);
			if (e.has_number) {
				assert_int_equal(v, e.number);
				assert_string_not_equal("", e.formula);
				assert_true(e.nr_inputs > 0);
			}
		}
	}
}

/* Figures of a run, under every design, where something has happened. */
static void every_figure_of_a_run_is_explained_whole(void **state)
{
	static const char *const kernels[] = {
		"5.14", "5.18", "6.1.192", "6.12", "6.18.2", "6.19", "7.1"};
	struct app *app = *state;

	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		struct zl_error err = {0};
		char item[32];

		snprintf(item, sizeof(item), "kernel=%s", kernels[k]);
		app_start(app, item);
		assert_int_equal(0, app_show_screen(app, SCREEN_PAGESETS, &err));
		pagesets_seek(app, 300);
		const struct value_in in = app_values(app);
		for (unsigned id = VALUE_RUN_COUNT; id < VALUE_COUNT; id++) {
			struct explain e;

			assert_true(explain_fill(&in, id, &e));
			assert_string_not_equal("", e.definition);
			assert_string_not_equal("", e.source);
			if (!e.has_number) {
				continue;
			}
			check_formula(&in, id, FORMULA_FULL, kernels[k]);
			if (e.nr_inputs == 0) {
				fail_msg("%s under %s has no inputs", e.name, kernels[k]);
			}
			explain_change(app, &e);
			assert_string_not_equal("", e.changed);
			assert_int_equal(300, pagesets_timeline(app)->at);
		}
	}
}

/* Of a pageset the rules differ between releases: each figure says how. */
static void figures_of_a_pageset_tell_other_releases(void **state)
{
	static const char *const differ[] = {"high", "free_count", "free_factor", "threshold",
		"ceiling", "alloc_factor", "drained", "refilled", "flushed", "below_high"};
	struct app *app = *state;
	struct zl_error err = {0};

	app_start(app, "kernel=6.18.2");
	assert_int_equal(0, app_show_screen(app, SCREEN_PAGESETS, &err));
	const struct value_in in = app_values(app);
	for (size_t i = 0; i < sizeof(differ) / sizeof(differ[0]); i++) {
		struct explain e;
		bool present = false;

		assert_true(explain_fill(&in, value_find(differ[i]), &e));
		if (e.nr_releases < 2) {
			fail_msg("%s is the same in all releases", differ[i]);
		}
		for (size_t r = 0; r < e.nr_releases; r++) {
			present = present || e.release[r].present;
		}
		assert_true(present);
	}
}

static void last_changes_name_the_op_and_why(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};
	struct explain e;

	app_start(app, "kernel=6.18.2");
	assert_int_equal(0, app_show_screen(app, SCREEN_PAGESETS, &err));
	pagesets_seek(app, 190);
	const struct value_in in = app_values(app);
	assert_true(explain_fill(&in, value_find("free_count"), &e));
	explain_change(app, &e);
	assert_int_equal(190, e.changed_op);
	assert_non_null(strstr(e.changed, "op 190, free on cpu 1"));
	assert_true(explain_fill(&in, value_find("threshold"), &e));
	explain_change(app, &e);
	assert_int_equal(0, e.changed_op);
	assert_true(explain_fill(&in, value_find("managed"), &e));
	explain_change(app, &e);
	assert_string_equal("", e.changed);
}

/* ---- every number of every answer ---- */

static bool is_explained(const struct value_in *in, const char *key)
{
	const unsigned id = value_find(key);
	struct explain e;
	struct term t;

	if (id != VALUE_NONE && (strcmp(value_name(id), key) == 0 || !term_find(key, &t))) {
		return explain_fill(in, id, &e) && e.definition[0] != '\0' &&
		       (e.source[0] != '\0' || e.kernel[0] != '\0');
	}
	return term_find(key, &t) && t.definition[0] != '\0' && t.made[0] != '\0' &&
	       t.source[0] != '\0';
}

/* Keys that name no figure of their own. */
static bool is_frame(const char *key)
{
	static const char *const frame[] = {"version", "value", "line", "column"};
	bool number = key[0] != '\0';

	for (const char *p = key; *p != '\0'; p++) {
		number = number && *p >= '0' && *p <= '9'; /* an order */
	}
	for (size_t i = 0; i < sizeof(frame) / sizeof(frame[0]); i++) {
		if (strcmp(frame[i], key) == 0) {
			return true;
		}
	}
	return number;
}

static unsigned check_keys(const struct value_in *in, const struct zl_json *j, const char *command)
{
	unsigned numbers = 0;

	for (const struct zl_json *m = zl_json_first(j); m != NULL; m = zl_json_next(m)) {
		const enum zl_json_kind kind = zl_json_kind(m);
		const char *key = zl_json_key(m);

		if ((kind == ZL_JSON_NUMBER || kind == ZL_JSON_BOOL) && key[0] != '\0' &&
			!is_frame(key)) {
			numbers++;
			if (!is_explained(in, key)) {
				fail_msg("`%s`: nothing explains \"%s\"", command, key);
			}
		}
		if (kind == ZL_JSON_OBJECT || kind == ZL_JSON_ARRAY) {
			numbers += check_keys(in, m, command);
		}
	}
	return numbers;
}

static void assert_explained(
	struct app *app, const char *settings, const char *command, bool has_numbers)
{
	struct output out;

	app_start(app, settings);
	(void)app_run(app, command, FORMAT_JSON, &out);
	if (out.json == NULL) {
		fail_msg("`%s` gave no JSON: %s", command, out.error.text);
	}
	const struct value_in in = app_values(app);
	if (check_keys(&in, out.json, command) == 0 && has_numbers) {
		fail_msg("`%s` has no numbers", command);
	}
	output_done(&out);
}

static void every_number_of_every_answer_is_explained(void **state)
{
	static const char *const commands[] = {"geometry", "geometry --matrix",
		"geometry --size 5M", "geometry --orders", "compare iperf --lane B:kernel=6.12",
		"pcp", "run iperf", "run bonnie --short", "run pressure --short",
		"check iperf --short", "lesson flush", "explain batch", "list values",
		"estimate iperf", "compare iperf --lane B:6.12 --seeds 3",
		"patch " TEST_DATA "/cases/uc56-patch-sample.mbox",
		"review " TEST_DATA "/cases/free-high-threshold.patch --machine rz-g3s",
		"reserve " TEST_DATA "/cases/uc06-two-pools.dts",
		"reserve " TEST_DATA "/cases/uc09-dmesg.txt " TEST_DATA "/cases/uc09-sama5.config",
		"hunt --lane A:kernel=6.18.2 --lane B:kernel=6.12 --tries 5",
		"sweep iperf --vary high_min=500..600:100 --metric free_high",
		"run pressure-zones --short", "check cpu-offline", "compare iperf --axis kernel",
		"explain free_high", "explain estimate", "list lessons", "list glossary",
		"list settings --resolved", "list releases"};
	struct app *app = *state;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		assert_explained(app, "", commands[i], i < 6);
	}
}

static void every_number_about_files_is_explained(void **state)
{
	static const struct {
		const char *settings, *command;
	} files[] = {
		{"kernel=7.3.4",
			"verify --all --root " TEST_DATA "/captures/linux-7.3.4-arm64-16k-debian"				 },
		{"kernel=7.3.4", "probe --root " TEST_DATA
				 "/captures/linux-7.3.4-x86_64-4k-debian-cloud-trace"   },
		{"kernel=6.18",	"replay " TEST_DATA
				"/cases/uc43-trace-order3-frees.txt --lane B:kernel=6.12"},
	};
	struct app *app = *state;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_explained(app, files[i].settings, files[i].command, true);
	}
}

/* What is a figure or a verdict in some answers stands in words or as null in others. */
static void verdicts_of_answers_are_explained(void **state)
{
	static const char *const keys[] = {"class", "digest", "first_drain", "placement", "phase",
		"reason_code", "saturated", "score", "severity", "slack_bytes", "verdict", "winner",
		"zones_inferred", "first_divergence", "design", "complete", "seed"};
	struct app *app = *state;
	const struct value_in in = app_values(app);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct explain e;

		if (!explain_fill(&in, glossary_find(keys[i]), &e) || e.definition[0] == '\0') {
			fail_msg("nothing explains \"%s\"", keys[i]);
		}
	}
}

static void terms_are_sorted_and_whole(void **state)
{
	struct app *app = *state;
	struct output out;

	for (size_t i = 0; i < term_count(); i++) {
		const struct term *t = term_at(i);

		assert_true(i == 0 || strcmp(term_at(i - 1)->name, t->name) < 0);
		assert_string_not_equal("", t->definition);
		if (strcmp(value_name(value_find(t->name)), t->name) == 0) {
			fail_msg("%s is a value already", t->name);
		}
	}
	assert_int_equal(EXIT_YES, app_run(app, "explain zone_lock_takes", FORMAT_TEXT, &out));
	output_done(&out);
	assert_int_equal(EXIT_YES, app_run(app, "explain free_high", FORMAT_TEXT, &out));
	output_done(&out);
}

static void every_name_of_the_glossary_is_found_and_explained(void **state)
{
	static const unsigned bases[] = {1, VALUE_SETTING_BASE, VALUE_METRIC_BASE, VALUE_EVENT_BASE,
		VALUE_POINT_BASE, VALUE_POLICY_BASE, VALUE_DESIGN_BASE, VALUE_TERM_BASE,
		VALUE_DIAG_BASE};
	struct app *app = *state;
	const struct value_in in = app_values(app);
	const size_t n = glossary_count();
	size_t kinds = 0;

	for (size_t row = 0; row < n; row++) {
		const unsigned id = glossary_at(row);
		struct explain e;

		for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++) {
			kinds += bases[b] == id ? 1 : 0;
		}
		assert_string_not_equal("", glossary_kind(id));
		if (!explain_fill(&in, id, &e) || e.definition[0] == '\0' ||
			strcmp(e.name, glossary_name(id)) != 0) {
			fail_msg("row %u, %s: not explained", (unsigned)row, glossary_name(id));
		}
		if (strcmp(glossary_name(glossary_find(e.name)), e.name) != 0 &&
			glossary_point(id) == ZL_POINT_COUNT) {
			fail_msg("%s is not found by its name", e.name);
		}
		assert_true(glossary_matches(id, e.name));
	}
	assert_int_equal(sizeof(bases) / sizeof(bases[0]), kinds);
	assert_int_equal(VALUE_NONE, glossary_at(n));
}

/* No release has every rule, and below 5.14 there are no pagesets to explain. */
static void every_name_is_explained_in_every_release(void **state)
{
	static const char *const kernels[] = {"4.19", "5.14", "5.18", "6.1.192", "6.6", "6.7",
		"6.12", "6.15", "6.16", "6.18.2", "6.19", "7.1"};
	struct app *app = *state;

	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		char assignment[32];
		const char *const all[] = {assignment};
		struct zl_error err = {0};
		struct output out;

		snprintf(assignment, sizeof(assignment), "kernel=%s", kernels[k]);
		assert_int_equal(0, app_set_all(app, all, 1, &err));
		const struct value_in in = app_values(app);
		for (size_t row = 0; row < glossary_count(); row++) {
			struct explain e;

			if (!explain_fill(&in, glossary_at(row), &e)) {
				fail_msg("%s: %s: not explained", kernels[k],
					glossary_name(glossary_at(row)));
			}
		}
		assert_int_equal(EXIT_YES, app_run(app, "list glossary", FORMAT_TEXT, &out));
		output_done(&out);
	}
}

static void every_setting_is_explained_with_its_kernel_name(void **state)
{
	struct app *app = *state;
	const struct value_in in = app_values(app);

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		struct explain e;

		assert_true(explain_fill(&in, VALUE_SETTING_BASE + i, &e));
		assert_string_not_equal("", e.definition);
		assert_string_not_equal("", e.formula);
		assert_string_not_equal("", e.kernel);
		assert_non_null(strstr(e.formula, "default: "));
		bool follows = setting_facts((enum zl_setting)i)->follows[0] != '\0';
		assert_int_equal(follows, e.nr_inputs > 0);
		for (size_t n = 0; n < e.nr_inputs; n++) {
			assert_string_not_equal("", e.input[n].name);
			assert_string_not_equal("-", e.input[n].value);
		}
	}
}

static void every_diagnostic_is_explained(void **state)
{
	struct app *app = *state;
	const struct value_in in = app_values(app);

	for (unsigned i = 0; i < ZL_DIAG_COUNT; i++) {
		struct explain e;

		assert_int_equal(
			VALUE_DIAG_BASE + i, value_find(zl_diag_name((enum zl_diag_code)i)));
		assert_true(explain_fill(&in, VALUE_DIAG_BASE + i, &e));
		assert_string_not_equal("", e.definition);
	}
	assert_false(explain_fill(&in, VALUE_DIAG_BASE + ZL_DIAG_COUNT, &(struct explain){0}));
	assert_false(explain_fill(&in, VALUE_NONE, &(struct explain){0}));
}

/* The threshold has four generations, each with its own formula. */
static void the_threshold_is_told_for_every_design(void **state)
{
	struct app *app = *state;
	static const struct {
		const char *first, *last, *value;
	} runs[] = {
		{"5.14", "5.17", "-"  },
		{"5.18", "6.6",	"880"},
		{"6.7",	"6.15", "63" },
		{"6.16", "",     "503"},
	};
	const struct value_in in = app_values(app);
	struct explain e;

	assert_true(explain_fill(&in, value_find("free_high_threshold"), &e));
	assert_int_equal(4, e.nr_releases);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(runs[i].first, e.release[i].first);
		assert_string_equal(runs[i].last, e.release[i].last);
		assert_string_equal(runs[i].value, e.release[i].value);
		assert_int_equal(i == 3, e.release[i].present);
	}
	assert_int_equal(503, e.number);
	assert_string_equal("batch 63 + high_min 880 / 2", e.formula);
	assert_int_equal(2, e.nr_inputs);
	assert_string_equal("batch", e.input[0].name);
	assert_string_equal("880", e.input[1].value);
}

/* Exactly one run is marked, whatever release is in force. */
static void one_run_of_releases_is_the_present_one(void **state)
{
	struct app *app = *state;
	static const char *const kernels[] = {"kernel=5.14", "kernel=5.17.3", "kernel=6.1.192",
		"kernel=6.6.63", "kernel=6.12.117", "kernel=6.18.26", "kernel=7.3"};

	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		app_start(app, kernels[k]);
		const struct value_in in = app_values(app);

		for (unsigned id = 1; id < VALUE_COUNT; id++) {
			struct explain e;
			unsigned present = 0;

			assert_true(explain_fill(&in, id, &e));
			for (size_t i = 0; i < e.nr_releases; i++) {
				present += e.release[i].present;
				if (e.release[i].present) {
					assert_string_equal(e.value, e.release[i].value);
				}
			}
			assert_int_equal(e.nr_releases > 0, present);
		}
	}
}

static void what_a_value_is_used_by_is_named(void **state)
{
	struct app *app = *state;
	const struct value_in in = app_values(app);
	struct explain e;
	bool found = false;

	assert_true(explain_fill(&in, value_find("batch"), &e));
	for (size_t i = 0; i < e.nr_feeds; i++) {
		found = found || e.feeds[i] == value_find("free_count_ceiling");
	}
	assert_true(found);
}

static size_t longest_line(const char *s)
{
	size_t longest = 0;

	while (*s != '\0') {
		size_t n = strcspn(s, "\n");
		longest = n > longest ? n : longest;
		s += n + (s[n] == '\n');
	}
	return longest;
}

static void explanations_fit_their_page(void **state)
{
	struct app *app = *state;
	struct output out;

	assert_int_equal(EXIT_YES, app_run(app, "explain all", FORMAT_TEXT, &out));
	assert_true(longest_line(zl_buf_text(&out.text)) <= 80);
	output_done(&out);
	assert_int_equal(EXIT_YES, app_run(app, "explain all", FORMAT_MAIL, &out));
	assert_true(longest_line(zl_buf_text(&out.text)) <= 72);
	assert_null(strchr(zl_buf_text(&out.text), '\t'));
	assert_null(strstr(zl_buf_text(&out.text), " \n"));
	output_done(&out);
	assert_int_equal(EXIT_YES, app_run(app, "explain limits", FORMAT_MAIL, &out));
	assert_true(longest_line(zl_buf_text(&out.text)) <= 72);
	output_done(&out);
}

static void a_near_name_is_proposed(void **state)
{
	struct app *app = *state;
	struct output out;

	assert_int_equal(EXIT_USAGE, app_run(app, "explain high_mim", FORMAT_TEXT, &out));
	assert_string_equal(
		"there is nothing called 'high_mim'; did you mean high_min", out.error.text);
	output_done(&out);
	assert_int_equal(EXIT_USAGE, app_run(app, "explain zzzzzzzzzzzz", FORMAT_TEXT, &out));
	assert_string_equal("there is nothing called 'zzzzzzzzzzzz'; see `zonelab list glossary`",
		out.error.text);
	output_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(every_value_has_a_formula_with_operands_that_exist),
		APP_TEST(every_value_is_explained_whole),
		APP_TEST(every_figure_of_a_run_is_explained_whole),
		APP_TEST(figures_of_a_pageset_tell_other_releases),
		APP_TEST(last_changes_name_the_op_and_why),
		APP_TEST(every_number_of_every_answer_is_explained),
		APP_TEST(every_number_about_files_is_explained),
		APP_TEST(verdicts_of_answers_are_explained),
		APP_TEST(terms_are_sorted_and_whole),
		APP_TEST(every_name_of_the_glossary_is_found_and_explained),
		APP_TEST(every_name_is_explained_in_every_release),
		APP_TEST(every_setting_is_explained_with_its_kernel_name),
		APP_TEST(every_diagnostic_is_explained),
		APP_TEST(the_threshold_is_told_for_every_design),
		APP_TEST(one_run_of_releases_is_the_present_one),
		APP_TEST(what_a_value_is_used_by_is_named),
		APP_TEST(explanations_fit_their_page),
		APP_TEST(a_near_name_is_proposed),
	};

	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
