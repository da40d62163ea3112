/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: axes as they are written, points and their values, what has none, pieces of points.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "sweep.h"
#include "sweep_report.h"
#include "zonelab/text.h"

static struct sweep *sweep_of(
	struct app *app, const char *target, const char *vary, const char *metric)
{
	struct sweep_spec spec = {.target = target, .vary = {vary}, .nr_vary = 1, .metric = metric};
	struct zl_error err = {0};
	struct sweep *s = NULL;

	if (sweep_new(app, &spec, &s, &err) != 0) {
		fail_msg("%s %s: %s", target, vary, err.text);
	}
	return s;
}

/* The values of an axis, blank separated. */
static void values(struct app *app, const char *vary, const char *want)
{
	struct sweep *s = sweep_of(app, "pcp", vary, "high_min");
	char text[512];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	for (size_t i = 0; i < s->axis[0].n; i++) {
		char v[SWEEP_WORD];

		sweep_axis_text(&s->axis[0], i, false, v, sizeof(v));
		zl_text_fmt(&t, "%s%s", i > 0 ? " " : "", v);
	}
	assert_string_equal(want, text);
	sweep_free(s);
}

static void ranges_and_lists_are_read(void **state)
{
	values(*state, "cpus=1..4", "1 2 3 4");
	values(*state, "cpus=1..10:4", "1 5 9");
	values(*state, "cpus=1..9*2", "1 2 4 8");
	values(*state, "cpus=3,1..2,100..300:100", "3 1 2 100 200 300");
	values(*state, "cpus=5..5", "5");
	values(*state, "scale_max=0..6:3", "0 3 6");
	values(*state, "memory=1G..4G*2", "1G 2G 4G");
	values(*state, "page_size=4,16K", "4K 16K");
	values(*state, "seed=1..3", "1 2 3");
	values(*state, "thp=on,off", "on off");
	values(*state, "kernel=6.6.0,6.12", "6.6.0 6.12");
	values(*state, "kernel=6.12..6.12", "6.12");
}

static void a_range_of_releases_takes_those_where_something_changes(void **state)
{
	struct sweep *s = sweep_of(*state, "pcp", "kernel=6.6..6.19", "batch");

	assert_string_equal("6.6", s->axis[0].word[0]);
	assert_string_equal("6.19", s->axis[0].word[s->axis[0].n - 1]);
	assert_true(s->axis[0].n > 4);
	sweep_free(s);
}

static void refused(struct app *app, const char *vary, const char *sentence)
{
	struct sweep_spec spec = {
		.target = "iperf", .vary = {vary}, .nr_vary = 1, .metric = "free_high"};
	struct zl_error err = {0};
	struct sweep *s = NULL;

	if (sweep_new(app, &spec, &s, &err) == 0) {
		fail_msg("%s was taken", vary);
	}
	if (strstr(err.text, sentence) == NULL) {
		fail_msg("%s: %s", vary, err.text);
	}
}

static void what_is_no_range_is_refused(void **state)
{
	refused(*state, "cpus", "no KEY=RANGE");
	refused(*state, "cpus=", "a value is missing");
	refused(*state, "cpus=1,,2", "a value is missing");
	refused(*state, "cpus=4..1", "not above the second");
	refused(*state, "cpus=1..4:0", "step 1 or more");
	refused(*state, "cpus=0..4*2", "factor 2 or more");
	refused(*state, "cpus=1..4*1", "factor 2 or more");
	refused(*state, "cpus=one", "not a number");
	refused(*state, "cpus=1..9999", "8192");
	refused(*state, "cpus=1..90000000", "at most a million");
	refused(*state, "cpsu=1", "did you mean cpus");
	refused(*state, "param.nothing=1", "no such parameter");
	refused(*state, "thp=0..1", "words");
	refused(*state, "kernel=6.18..6.6", "the older first");
	refused(*state, "kernel=abc", "kernel=abc is not a kernel release");
}

static void metrics_and_targets_that_are_not_there_are_refused(void **state)
{
	static const struct {
		const char *target, *metric, *sentence;
	} rows[] = {
		{"nothing",  "free_high",		 "no shipped scenario 'nothing'"},
		{"iperf",	  "no_such",		     "no_such"		      },
		{"geometry", "free_high",		  "no such value"		 },
		{"pcp",	"estimate.wait_avg_ns", "no such value"		       },
	};
	struct app *app = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sweep_spec spec = {.target = rows[i].target,
			.vary = {"cpus=1"},
			.nr_vary = 1,
			.metric = rows[i].metric};
		struct zl_error err = {0};
		struct sweep *s = NULL;

		assert_int_not_equal(0, sweep_new(app, &spec, &s, &err));
		assert_non_null(strstr(err.text, rows[i].sentence));
		assert_null(s);
	}
}

static void expect(struct sweep *s, uint64_t point, enum sweep_state state, int64_t value)
{
	struct sweep_value v = sweep_point(s, point);

	if (v.state != state || (state == SWEEP_VALUE && v.value != value)) {
		fail_msg("point %u is %s %lld", (unsigned)point, sweep_state_name(v.state),
			(long long)v.value);
	}
}

/* Figures of the grid that is drawn for the screen. */
static void the_first_flush_comes_sooner_with_more_cpus_and_never_above_the_ceiling(void **state)
{
	struct sweep_spec spec = {
		.target = "iperf",
		.vary = {"cpus=4,24,64", "pcp_batch_scale_max=2..5"},
		.nr_vary = 2,
		.metric = "first_free_high"
	   };
	struct sweep *s = NULL;

	assert_int_equal(0, sweep_new(*state, &spec, &s, NULL));
	assert_int_equal(12, s->points);
	expect(s, 3, SWEEP_VALUE, 228);
	expect(s, 7, SWEEP_VALUE, 46);
	expect(s, 11, SWEEP_VALUE, 25);
	expect(s, 2, SWEEP_NEVER, 0);
	expect(s, 4, SWEEP_NEVER, 0);
	expect(s, 8, SWEEP_VALUE, 25);
	for (uint64_t i = 0; i < s->points; i++) {
		const size_t at[SWEEP_AXES_MAX] = {sweep_at(s, i, 0), sweep_at(s, i, 1)};

		assert_int_equal(i, sweep_point_of(s, at));
	}
	sweep_free(s);
}

static void the_curve_jumps_where_the_threshold_passes_the_ceiling(void **state)
{
	struct sweep *s = sweep_of(*state, "iperf", "high_min=583,3907,3908", "first_free_high");

	expect(s, 0, SWEEP_VALUE, 46);
	expect(s, 1, SWEEP_VALUE, 253);
	expect(s, 2, SWEEP_NEVER, 0);
	sweep_free(s);
}

static void pieces_give_the_same_as_the_whole(void **state)
{
	struct sweep *s = sweep_of(*state, "kbuild", "kernel=6.6,6.12,6.19", "zone_locks + merges");

	int64_t second = 0;

	for (uint64_t i = 0; i < s->points; i++) {
		struct sweep_value whole = sweep_point(s, i), v;
		unsigned pieces = 1;

		while (!sweep_point_some(s, i, 1000, &v)) {
			pieces++;
		}
		assert_true(pieces > 100);
		assert_int_equal(whole.value, v.value);
		assert_int_equal(SWEEP_VALUE, v.state);
		second = i == 1 ? whole.value : second;
	}
	/* One that was begun and given up leaves nothing behind. */
	struct sweep_value v;
	assert_false(sweep_point_some(s, 0, 1000, &v));
	expect(s, 1, SWEEP_VALUE, second);
	sweep_free(s);
}

static void parameters_and_seeds_are_axes(void **state)
{
	struct sweep *s = sweep_of(*state, "bonnie", "param.pages=100,200", "allocs");

	expect(s, 0, SWEEP_VALUE, 100);
	expect(s, 1, SWEEP_VALUE, 200);
	expect(s, 0, SWEEP_VALUE, 100);
	sweep_free(s);
	s = sweep_of(*state, "kbuild", "seed=1..2", "zone_locks * 1000 + pcp.count");
	assert_int_not_equal(sweep_point(s, 0).value, sweep_point(s, 1).value);
	sweep_free(s);
}

static void machines_that_cannot_be_are_refused_points(void **state)
{
	struct sweep *s = sweep_of(*state, "geometry", "page_size=4K,16K,64K", "pageblock_bytes");

	expect(s, 0, SWEEP_VALUE, 2 << 20);
	expect(s, 1, SWEEP_VALUE, 32 << 20);
	expect(s, 2, SWEEP_VALUE, 512 << 20);
	sweep_free(s);
	s = sweep_of(*state, "geometry", "max_page_order=10,40", "pageblock_order");
	expect(s, 0, SWEEP_VALUE, 9);
	expect(s, 1, SWEEP_REFUSED, 0);
	sweep_free(s);
	s = sweep_of(*state, "iperf", "kernel=5.10,6.12", "free_high");
	expect(s, 0, SWEEP_REFUSED, 0);
	assert_int_equal(SWEEP_VALUE, sweep_point(s, 1).state);
	sweep_free(s);
	s = sweep_of(*state, "iperf", "cpus=2..3", "100 / (cpus - 2)");
	expect(s, 0, SWEEP_NONE, 0);
	expect(s, 1, SWEEP_VALUE, 100);
	sweep_free(s);
}

static void every_figure_of_the_estimate_has_a_value(void **state)
{
	for (size_t i = 0; sweep_estimate_figure(i) != NULL; i++) {
		struct sweep *s = sweep_of(
			*state, "iperf", "pcp_batch_scale_max=5", sweep_estimate_figure(i)->name);
		struct sweep_value v = sweep_point(s, 0);

		assert_int_equal(SWEEP_VALUE, v.state);
		assert_true(v.value >= 0);
		assert_true(i == 0 || strcmp(sweep_estimate_figure(i - 1)->name,
					      sweep_estimate_figure(i)->name) < 0);
		sweep_free(s);
	}
}

/* Figures of `estimate` in JSON: of the one lane, at one release. */
static const struct zl_json *estimated(struct zl_json **ret, struct app *app, const char *kernel)
{
	char line[80];

	zl_format(line, sizeof(line), "estimate iperf3-64 --timed 1ms --lane A:kernel=%s", kernel);
	*ret = app_ask(app, line);
	return zl_json_member(json_lane(*ret, 0), "estimate");
}

static void virtual_time_gives_the_figures_of_the_estimate(void **state)
{
	static const char *const kernels[] = {"6.6", "6.12"};
	static const struct {
		const char *metric, *part, *key;
	} rows[] = {
		{"estimate.lock_held_permille", NULL,      "lock_held_permille"},
		{"estimate.wait_avg_ns",	 "wait_ns", "avg"		 },
		{"estimate.zone_lock_takes",    NULL,	   "zone_lock_takes"   },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sweep_spec spec = {.target = "iperf3-64",
			.vary = {"kernel=6.6,6.12"},
			.nr_vary = 1,
			.metric = rows[i].metric,
			.timed = "1ms"};
		struct sweep *s = NULL;

		assert_int_equal(0, sweep_new(*state, &spec, &s, NULL));
		for (uint64_t k = 0; k < 2; k++) {
			struct zl_json *j;
			const struct zl_json *e = estimated(&j, *state, kernels[k]);

			e = rows[i].part != NULL ? zl_json_member(e, rows[i].part) : e;
			expect(s, k, SWEEP_VALUE, json_number(e, rows[i].key));
			zl_json_free(j);
		}
		assert_int_not_equal(sweep_point(s, 0).value, sweep_point(s, 1).value);
		sweep_free(s);
	}
}

/* Only a second run with a lock that costs nothing tells it, which `estimate` does not make. */
static void a_throughput_that_was_not_worked_out_is_no_number(void **state)
{
	struct zl_json *j;
	const struct zl_json *e = estimated(&j, *state, "6.12");

	assert_int_equal(
		ZL_JSON_NULL, zl_json_kind(zl_json_member(e, "relative_throughput_permille")));
	assert_int_equal(
		ZL_JSON_NULL, zl_json_kind(zl_json_member(e, "relative_throughput_percent")));
	zl_json_free(j);
	j = app_ask(*state, "estimate iperf3-64 --short --lane A:kernel=6.12");
	e = zl_json_member(json_lane(j, 0), "estimate");
	assert_int_equal(
		ZL_JSON_NULL, zl_json_kind(zl_json_member(e, "relative_throughput_permille")));
	zl_json_free(j);
}

/*
 * Pools of 4.75 MiB and 604 MiB: by steps of 2 MiB the first one is refused and must be
 * 6 MiB; by steps of 32 MiB both are and must be 32 MiB and 608 MiB.
 */
static void pools_of_a_tree_are_swept(void **state)
{
	static const char *const file[] = {TEST_DATA "/cases/uc06-two-pools.dts"};
	static const struct {
		const char *metric;
		int64_t at_4k, at_16k;
	} rows[] = {
		{"pools.refused",	  1,		     2		      },
		{"pools.no_room",	  0,		     0		      },
		{"pools.given_bytes",    INT64_C(604) << 20, 0		   },
		{"pools.required_bytes", INT64_C(610) << 20, INT64_C(640) << 20},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sweep_spec spec = {.target = "reserve",
			.files = file,
			.nr_files = 1,
			.vary = {"page_size=4K,16K"},
			.nr_vary = 1,
			.metric = rows[i].metric};
		struct sweep *s = NULL;

		app_start(*state, "arch=arm64 kernel=6.12");
		assert_int_equal(0, sweep_new(*state, &spec, &s, NULL));
		expect(s, 0, SWEEP_VALUE, rows[i].at_4k);
		expect(s, 1, SWEEP_VALUE, rows[i].at_16k);
		sweep_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(ranges_and_lists_are_read),
		APP_TEST(a_range_of_releases_takes_those_where_something_changes),
		APP_TEST(what_is_no_range_is_refused),
		APP_TEST(metrics_and_targets_that_are_not_there_are_refused),
		APP_TEST(the_first_flush_comes_sooner_with_more_cpus_and_never_above_the_ceiling),
		APP_TEST(the_curve_jumps_where_the_threshold_passes_the_ceiling),
		APP_TEST(pieces_give_the_same_as_the_whole),
		APP_TEST(parameters_and_seeds_are_axes),
		APP_TEST(machines_that_cannot_be_are_refused_points),
		APP_TEST(every_figure_of_the_estimate_has_a_value),
		APP_TEST(virtual_time_gives_the_figures_of_the_estimate),
		APP_TEST(a_throughput_that_was_not_worked_out_is_no_number),
		APP_TEST(pools_of_a_tree_are_swept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
