/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `pcp`: JSON by design, ways out of reach, pages parked, widths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "pcp_report.h"
#include "ways.h"
#include "zonelab/text.h"

static bool fires(const struct zl_json *zone, const char *order)
{
	bool v = false;

	assert_int_equal(
		0, zl_json_get_bool(
			   zl_json_member(zl_json_member(zone, "free_high_reachable"), order), &v));
	return v;
}

static const struct zl_json *first_zone(const struct zl_json *json)
{
	return zl_json_first(zl_json_member(json, "zones"));
}

static bool is_null(const struct zl_json *o, const char *key)
{
	return zl_json_kind(zl_json_member(o, key)) == ZL_JSON_NULL;
}

static void json_of_a_tuned_design_has_all_members(void **state)
{
	struct app *app = *state;
	struct zl_json *json = app_ask(app, "pcp");
	const struct zl_json *z = first_zone(json);
	assert_string_equal("pcp", zl_json_text(zl_json_member(json, "kind")));
	assert_int_equal(1, json_number(json, "version"));
	assert_string_equal("C", zl_json_text(zl_json_member(json, "design")));
	assert_int_equal(22528, json_number(json, "min_free_kbytes"));
	assert_int_equal(1, zl_json_count(zl_json_member(json, "zones")));
	assert_int_equal(0, json_number(z, "node"));
	assert_string_equal("Normal", zl_json_text(zl_json_member(z, "zone")));
	assert_int_equal(1048576, json_number(z, "managed"));
	assert_int_equal(5632, json_number(z, "wmark_min"));
	assert_int_equal(7040, json_number(z, "wmark_low"));
	assert_int_equal(8448, json_number(z, "wmark_high"));
	assert_int_equal(8, json_number(z, "cpus"));
	assert_int_equal(63, json_number(z, "batch"));
	assert_int_equal(880, json_number(z, "high_min"));
	assert_int_equal(16384, json_number(z, "high_max"));
	assert_int_equal(503, json_number(z, "free_high_threshold"));
	assert_int_equal(2016, json_number(z, "free_count_ceiling"));
	assert_true(fires(z, "1") && fires(z, "2") && fires(z, "3"));
	zl_json_free(json);
}

static void json_of_the_designs_with_one_high(void **state)
{
	struct app *app = *state;
	app_start(app, "kernel=6.1");
	struct zl_json *json = app_ask(app, "pcp");
	const struct zl_json *z = first_zone(json);
	assert_int_equal(880, json_number(z, "high_min"));
	assert_int_equal(880, json_number(z, "high_max"));
	assert_int_equal(880, json_number(z, "free_high_threshold"));
	assert_true(is_null(z, "free_count_ceiling"));
	assert_true(fires(z, "3"));
	zl_json_free(json);
	app_start(app, "kernel=5.17");
	json = app_ask(app, "pcp");
	z = first_zone(json);
	assert_string_equal("A514", zl_json_text(zl_json_member(json, "design")));
	assert_true(is_null(z, "free_high_threshold"));
	assert_true(is_null(z, "free_count_ceiling"));
	assert_false(fires(z, "1") || fires(z, "2") || fires(z, "3"));
	zl_json_free(json);
}

static void a_kernel_without_pagesets_has_null_limits(void **state)
{
	struct app *app = *state;
	app_start(app, "kernel=7.1 smp=off");
	struct zl_json *json = app_ask(app, "pcp");
	const struct zl_json *z = first_zone(json);
	assert_true(is_null(z, "batch") && is_null(z, "high_min") && is_null(z, "high_max"));
	assert_false(fires(z, "1") || fires(z, "2") || fires(z, "3"));
	assert_int_equal(7040, json_number(z, "wmark_low"));
	zl_json_free(json);
}

static void releases_below_5_14_and_impossible_kernels_have_no_answer(void **state)
{
	struct app *app = *state;
	struct output out;

	app_start(app, "kernel=5.13.19");
	assert_int_equal(EXIT_USAGE, app_run(app, "pcp", FORMAT_JSON, &out));
	assert_string_equal(
		"5.13.19 is too old: pagesets are known from 5.14 on; --set kernel=5.14 "
		"or newer",
		out.error.text);
	output_done(&out);
	app_start(app, "page_size=16K max_page_order=10");
	assert_int_equal(EXIT_NO, app_run(app, "pcp", FORMAT_JSON, &out));
	assert_int_equal(0, zl_json_count(zl_json_member(out.json, "zones")));
	assert_true(is_null(out.json, "min_free_kbytes"));
	output_done(&out);
}

static size_t ways_of(struct app *app, const char *items, struct way *ways)
{
	app_start(app, items);
	struct value_in in = app_values(app);

	in.zone = pcp_zone_of_interest(in.machine);
	return free_high_ways(&in, ways);
}

/* The machine of the screen that shows the four ways. */
static void four_ways_lead_out_of_an_unreachable_threshold(void **state)
{
	struct app *app = *state;
	struct way w[WAYS_MAX];

	assert_int_equal(4, ways_of(app, "kernel=7.1.3 memory=1G cpus=1", w));
	assert_string_equal("pcp_batch_scale_max 6", w[0].what);
	assert_int_equal(4032, w[0].ceiling);
	assert_int_equal(3583, w[0].threshold);
	assert_string_equal("2 CPUs: high_min 3520", w[1].what);
	assert_int_equal(2016, w[1].ceiling);
	assert_int_equal(1823, w[1].threshold);
	assert_string_equal("high_min 3907 or less", w[2].what);
	assert_int_equal(2016, w[2].threshold);
	assert_string_equal("6.15 or older: threshold is batch", w[3].what);
	assert_string_equal("kernel=6.15", w[3].set);
	assert_int_equal(63, w[3].threshold);
}

static void every_way_leads_out(void **state)
{
	struct app *app = *state;
	static const char *const machines[] = {"memory=1G cpus=1", "page_size=16K", "page_size=64K",
		"page_size=64K memory=64G cpus=64", "memory=512G nodes=2 cpus=6",
		"memory=2G cpus=2 arch=x86_64 zones=auto", "kernel=6.1.192 pcp_batch_scale_max=0",
		"kernel=6.1 high_min=100", "pcp_batch_scale_max=0 memory=64G cpus=64",
		"high_min=5000", "percpu_pagelist_high_fraction=8"};
	struct way w[WAYS_MAX];

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		size_t n = ways_of(app, machines[i], w);

		assert_true(n > 0);
		for (size_t k = 0; k < n; k++) {
			app_start(app, machines[i]);
			size_t zone = pcp_zone_of_interest(&app_lane(app)->machine);
			app_must_set(app, w[k].set);
			const struct zl_zone *z = &app_lane(app)->machine.zones[zone];
			assert_true(zl_free_high_can_fire(&z->free_high));
			assert_int_equal(w[k].threshold, z->free_high.threshold);
			if (w[k].has_ceiling) {
				assert_int_equal(w[k].ceiling, z->free_high.ceiling);
			}
		}
	}
}

static void the_ways_are_the_smallest_changes(void **state)
{
	struct app *app = *state;
	struct way w[WAYS_MAX];
	char text[64];

	/* One CPU less, one page more, and it does not fire. */
	assert_int_equal(3, ways_of(app, "page_size=64K memory=16G cpus=1 nodes=1", w));
	for (size_t i = 0; i < 3; i++) {
		uint64_t v = 0;
		bool cpus = strncmp(w[i].set, "cpus=", 5) == 0;
		bool high = strncmp(w[i].set, "high_min=", 9) == 0;

		if (!cpus && !high) {
			continue;
		}
		assert_int_equal(0, zl_parse_u64(strchr(w[i].set, '=') + 1, &v));
		zl_format(
			text, sizeof(text), cpus ? "cpus=%U" : "high_min=%U", cpus ? v - 1 : v + 1);
		app_start(app, "page_size=64K memory=16G cpus=1 nodes=1");
		app_must_set(app, text);
		assert_false(zl_free_high_can_fire(&app_lane(app)->machine.zones[0].free_high));
	}
}

static void where_free_high_fires_or_does_not_exist_there_are_no_ways(void **state)
{
	struct app *app = *state;
	struct way w[WAYS_MAX];

	assert_int_equal(0, ways_of(app, "", w));
	assert_int_equal(0, ways_of(app, "kernel=5.15", w));
	assert_int_equal(0, ways_of(app, "kernel=5.10", w));
	assert_int_equal(0, ways_of(app, "kernel=7.1 smp=off", w));
	assert_int_equal(0, ways_of(app, "arch=arm mmu=off", w));
	assert_int_equal(0, ways_of(app, "page_size=16K max_page_order=10", w));
}

/* 35 071 pages on each of 40 CPUs: 5.4 GiB. */
static void parked_pages_are_limits_times_cpus(void **state)
{
	struct app *app = *state;

	app_start(
		app, "kernel=5.15 cpus=40 percpu_pagelist_high_fraction=8 zones=Normal:44909736K");
	const struct zl_machine *m = &app_lane(app)->machine;
	assert_int_equal(35085, parked_zone_cpu(&m->zones[0]).at_high_min);
	assert_int_equal(35085 * 40, parked_node(m, 0).at_high_min);
	assert_int_equal(40, parked_node(m, 0).cpus);
	assert_int_equal(35085 * 40, parked_machine(m).at_high_max);
	assert_int_equal(0, parked_node(m, 1).cpus);
	app_start(app, "memory=1536G nodes=2 cpus=768");
	m = &app_lane(app)->machine;
	assert_int_equal(parked_node(m, 0).at_high_max + parked_node(m, 1).at_high_max,
		parked_machine(m).at_high_max);
	/* high_max of all CPUs is an eighth of the memory. */
	assert_int_equal(m->managed_pages / 8, parked_machine(m).at_high_max);
}

static void check_page(struct app *app, enum output_format format, size_t columns)
{
	struct output out;
	enum exit_status status = app_run(app, "pcp", format, &out);

	assert_true(status == EXIT_YES || status == EXIT_NO);
	const char *s = zl_buf_text(&out.text);
	assert_null(strchr(s, '\t'));
	assert_null(strstr(s, " \n"));
	while (*s != '\0') {
		size_t n = strcspn(s, "\n");
		size_t width = 0;

		for (size_t i = 0; i < n; i++) {
			width += ((unsigned char)s[i] & 0xc0) != 0x80;
		}
		if (width > columns) {
			fail_msg("%.*s", (int)n, s);
		}
		s += n + (s[n] == '\n');
	}
	output_done(&out);
}

static void text_fits_its_page_on_every_machine(void **state)
{
	struct app *app = *state;
	static const char *const machines[] = {"", "memory=4P cpus=8192 nodes=64",
		"memory=12T nodes=8 cpus=2048 arch=x86_64 zones=auto kernel=6.12",
		"memory=1536G nodes=2 cpus=768 kernel=6.1 arch=x86_64 zones=auto", "page_size=64K",
		"kernel=5.15", "kernel=7.2 smp=off", "arch=arm mmu=off", "memory=1M cpus=1",
		"page_size=16K max_page_order=10 page_block_order=12",
		"batch=65535 high_min=2147483647 high_max=2147483647 cpus=8192"};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		app_start(app, machines[i]);
		check_page(app, FORMAT_TEXT, 80);
		check_page(app, FORMAT_MAIL, 72);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(json_of_a_tuned_design_has_all_members),
		APP_TEST(json_of_the_designs_with_one_high),
		APP_TEST(a_kernel_without_pagesets_has_null_limits),
		APP_TEST(releases_below_5_14_and_impossible_kernels_have_no_answer),
		APP_TEST(four_ways_lead_out_of_an_unreachable_threshold),
		APP_TEST(every_way_leads_out),
		APP_TEST(the_ways_are_the_smallest_changes),
		APP_TEST(where_free_high_fires_or_does_not_exist_there_are_no_ways),
		APP_TEST(parked_pages_are_limits_times_cpus),
		APP_TEST(text_fits_its_page_on_every_machine),
	};

	return cmocka_run_group_tests_name("pcp", tests, NULL, NULL);
}
