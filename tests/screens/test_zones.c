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
#include "pagesets.h"
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

/* A scenario of one zone runs anew in the next zone of its machine. */
static void z_runs_a_scenario_in_another_zone(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, app_set(&s->app, "zones=DMA32:1G,Normal:4G", &err));
	assert_int_equal(0, app_set(&s->app, "memory=5G", &err));
	assert_int_equal(0, scenario_show(&s->app, "kbuild", &err));
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
	command(s, "set kernel=6.12");
	assert_shows(s, "fixed at boot: the run anew");
	assert_int_equal(100, pagesets_timeline(&s->app)->at);
	press(s, "u");
	command(s, "set pcp_batch_scale_max=2");
	assert_shows(s, "built in: the run anew");
	assert_hides(s, "from op 100 on");
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(z_shows_the_next_zone_of_a_run),
		cmocka_unit_test(z_runs_a_scenario_in_another_zone),
		cmocka_unit_test(one_zone_stays),
		cmocka_unit_test(an_edit_in_mid_run_does_what_a_kernel_could),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
