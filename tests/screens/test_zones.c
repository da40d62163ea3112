/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of several zones on the Pagesets screen, one zone at a time; what an edit in mid-run does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "machines.h"
#include "pagesets.h"
#include "plain.h"
#include "run_show.h"

/* A scenario of all zones opens in its largest one; z goes round. */
static void z_shows_the_next_zone_of_a_run(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_error err = {0};
	uint64_t of_dma32;

	(void)state;
	if (scenario_show(&s->app, "pressure-zones", &err) != 0) {
		fail_msg("%s", err.text);
	}
	assert_shows(s, "node 0 DMA32");
	pagesets_seek(&s->app, 1000000);
	of_dma32 = pagesets_timeline(&s->app)->at;
	press(s, "z");
	assert_shows(s, "node 0 DMA ");
	assert_shows(s, "z for the next");
	pagesets_seek(&s->app, 1000000);
	assert_true(pagesets_timeline(&s->app)->at > 1000);
	assert_true(pagesets_timeline(&s->app)->at < of_dma32);
	assert_int_equal(0, pagesets_timeline(&s->app)->error.text[0]);
	press(s, "z");
	assert_shows(s, "node 0 DMA32");
	pagesets_seek(&s->app, 1000000);
	assert_int_equal(of_dma32, pagesets_timeline(&s->app)->at);
	stage_free(s);
}

static void show_kbuild_with_two_zones(struct stage *s)
{
	struct zl_error err = {0};

	assert_int_equal(0, app_set(&s->app, "zones=DMA32:1G,Normal:4G", &err));
	assert_int_equal(0, app_set(&s->app, "memory=5G", &err));
	assert_int_equal(0, scenario_show(&s->app, "kbuild", &err));
}

/* A scenario of one zone runs anew in the next zone of its machine. */
static void z_runs_a_scenario_in_another_zone(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	show_kbuild_with_two_zones(s);
	assert_shows(s, "node 0 Normal");
	uint64_t normal = zl_sim_config(pagesets_timeline(&s->app)->sim)->managed;
	press(s, "z");
	assert_shows(s, "node 0 DMA32");
	uint64_t dma32 = zl_sim_config(pagesets_timeline(&s->app)->sim)->managed;
	assert_int_equal(normal, 4 * dma32);
	stage_free(s);
}

static void one_zone_stays(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	press(s, "z");
	assert_shows(s, "This run has one zone");
	stage_free(s);
}

/* A sysctl goes on from here; what is built in or fixed at boot is a run from its start. */
static void an_edit_in_mid_run_does_what_a_kernel_could(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	const struct pagesets *p = s->app.pagesets;
	uint64_t past;
	char error[400];

	(void)state;
	timeline_seek(p->branch[0].t, 100);
	past = zl_sim_digest(pagesets_timeline(&s->app)->sim);
	command(s, "set watermark_scale_factor=100");
	assert_shows(s, "from op 100 on");
	/* The past is the same: its totals and blocks, under other limits. */
	struct zl_totals before, after;
	zl_sim_totals(p->branch[0].t->sim, &before);
	zl_sim_totals(pagesets_timeline(&s->app)->sim, &after);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_true(past != zl_sim_digest(pagesets_timeline(&s->app)->sim));
	press(s, "u");
	/* No kernel takes another release: a lane runs with it from the start. */
	command(s, "set kernel=6.12");
	assert_shows(s, "kernel=6.12 is fixed at boot: lane B runs with it from op 0");
	assert_int_equal(1, s->app.active);
	assert_int_equal(100, pagesets_timeline(&s->app)->at);
	assert_int_equal(1, s->app.pagesets->nr_branches);
	assert_int_equal(2, p->nr_branches); /* lane A has gained nothing */
	/* The same setting again is one more try of the same lane. */
	command(s, "set kernel=6.1");
	assert_int_equal(1, s->app.active);
	assert_false(s->app.lane[2].used);
	press(s, "u");
	press(s, "u");
	assert_int_equal(0, s->app.active);
	assert_false(s->app.lane[1].used);
	assert_non_null(strstr(s->app.message.text, "; lane B is closed"));
	press(s, "C-r");
	assert_int_equal(1, s->app.active);
	assert_true(s->app.lane[1].used);
	assert_non_null(strstr(s->app.message.text, "; lane B is open again"));
	assert_int_equal(ZL_DESIGN_B, pagesets_timeline(&s->app)->config.switches.design);
	command(s, "set pcp_batch_scale_max=2");
	assert_shows(s, "pcp_batch_scale_max=2 is built in: lane C runs with it from op 0");
	command(s, "set cpus=3");
	assert_shows(s, "cpus=3 is fixed at boot: lane D runs with it");
	assert_int_equal(EXIT_USAGE, command_status(s, "set thp=off", error, sizeof(error)));
	assert_non_null(strstr(error, "all four are open, lane C off closes one"));
	stage_free(s);
}

/* An edit that the run does not feel opens nothing. */
static void a_fixed_setting_that_changes_nothing_stays_in_its_lane(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "set kernel=6.18.2");
	assert_int_equal(0, s->app.active);
	assert_false(s->app.lane[1].used);
	command(s, "go first");
	command(s, "set kernel=6.12");
	assert_int_equal(0, s->app.active);
	stage_free(s);
}

/* By name in a run of several zones, and in both ways of asking for the same. */
static void a_zone_is_chosen_by_name(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_error err = {0};
	char error[400];

	(void)state;
	assert_int_equal(0, scenario_show(&s->app, "pressure-zones", &err));
	command(s, "zone 0/DMA");
	assert_shows(s, "node 0 DMA ");
	command(s, "zone DMA32");
	assert_shows(s, "node 0 DMA32");
	assert_int_equal(EXIT_USAGE, command_status(s, "zone 0/Normal", error, sizeof(error)));
	assert_non_null(strstr(error, "one of 0/DMA, 0/DMA32"));
	press(s, "z");
	struct zl_buf plain = {0};
	plain_screen(&s->app, false, &plain);
	assert_non_null(strstr(zl_buf_text(&plain), ", node 0, zone DMA\n"));
	zl_buf_done(&plain);
	stage_free(s);
}

/* A name gives the zone that z gives; place, bookmarks and stops stay. */
static void another_zone_keeps_the_place(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80), *z = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_error err = {0};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct stage *at = i == 0 ? s : z;
		set(at, "zones=DMA32:1G,Normal:4G");
		set(at, "memory=5G");
		assert_int_equal(0, scenario_show(&at->app, "kbuild", &err));
		command(at, "go 500");
		command(at, "bookmark here");
		command(at, "break flush");
	}
	command(s, "zone 0/DMA32");
	press(z, "z");
	assert_int_equal(500, pagesets_timeline(&s->app)->at);
	assert_true(zl_sim_digest(pagesets_timeline(&s->app)->sim) ==
		    zl_sim_digest(pagesets_timeline(&z->app)->sim));
	assert_int_equal(1, s->app.pagesets->all->nr_bookmarks);
	assert_string_equal(
		"flush", s->app.pagesets->all->brk[s->app.pagesets->all->nr_breaks - 1].text);
	stage_free(s);
	stage_free(z);
}

/* What one lane sets is no part of the zone that the other lanes start from. */
static void lanes_of_several_zones_keep_their_own_settings(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_error err = {0};

	(void)state;
	command(s, "lane B:kernel=6.12.0");
	command(s, "lane A");
	set(s, "batch=8");
	set(s, "high_min=700");
	set(s, "policy.free_high=pcp->free_count >= 5 * batch");
	assert_int_equal(0, scenario_show(&s->app, "pressure-zones", &err));
	for (unsigned zone = 0; zone < 2; zone++) {
		const struct zl_sim_config *a = zl_sim_config(pagesets_timeline(&s->app)->sim);
		assert_int_equal(8, a->batch);
		assert_int_equal(700, a->high_min);
		assert_non_null(a->policies);
		assert_int_equal(1, a->policies->count);
		command(s, "lane B");
		const struct zl_sim_config *b = zl_sim_config(pagesets_timeline(&s->app)->sim);
		assert_int_equal(-1, b->batch);
		assert_int_equal(-1, b->high_min);
		assert_null(b->policies);
		assert_int_equal(a->managed, b->managed);
		command(s, "lane A");
		press(s, "z");
	}
	stage_free(s);
}

static void lanes_are_compared_in_the_next_zone_too(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	show_kbuild_with_two_zones(s);
	command(s, "lane B:kernel=6.6");
	press(s, "4");
	assert_shows(s, "One op, every lane");
	command(s, "zone");
	assert_shows(s, "One op, every lane");
	press(s, "PgUp");
	press(s, "=");
	assert_shows(s, "One op, every lane");
	stage_free(s);
}

/* Keys of Compare where a lane cannot run: Tab leads to it. */
static void a_lane_that_cannot_run_is_chosen_all_the_same(void **state)
{
	static const char *const keys[] = {"Tab", "S-Tab", "n", "N", "PgUp", "Left", "=", "K",
		"Right", "w", "Esc", "y", "Enter", "Space", "."};
	struct stage *s = stage_on(SCREEN_GEOMETRY, 24, 80);

	const char *file = TEST_DATA "/captures/linux-6.18.44-x86_64-4k-live/zoneinfo.txt";
	const struct zl_settings given = {0};
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, machine_files(&s->app, &file, 1, &given, &err));
	command(s, "screen pagesets");
	command(s, "zone DMA");
	command(s, "lane B:kernel=6.12.0");
	command(s, "screen geometry");
	command(s, "set page_size=16K");
	command(s, "screen compare");
	unsigned active = s->app.active;
	press(s, "Tab");
	assert_int_equal(1 - active, s->app.active);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		press(s, keys[i]);
		draw(s);
	}
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(z_shows_the_next_zone_of_a_run),
		cmocka_unit_test(z_runs_a_scenario_in_another_zone),
		cmocka_unit_test(one_zone_stays),
		cmocka_unit_test(an_edit_in_mid_run_does_what_a_kernel_could),
		cmocka_unit_test(a_fixed_setting_that_changes_nothing_stays_in_its_lane),
		cmocka_unit_test(a_zone_is_chosen_by_name),
		cmocka_unit_test(another_zone_keeps_the_place),
		cmocka_unit_test(lanes_of_several_zones_keep_their_own_settings),
		cmocka_unit_test(lanes_are_compared_in_the_next_zone_too),
		cmocka_unit_test(a_lane_that_cannot_run_is_chosen_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
