/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every shipped scenario in its short form, under every design, on its own machine, on a plain one
 * and on a small one: pages are conserved, assertions hold, the same ops everywhere, an op list
 * gives the same digest, and what is written reads back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_machine.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"

#define OPS_SHORT 300000
#define OPS_MANY  20000 /* a scenario that long runs on fewer pairs of machine and release */
#define FEWER	  8u

static const char *const releases[] = {"5.15", "6.1", "6.1.192", "6.12", "6.18.2", "7.0", "7.1.3"};
#define RELEASES (sizeof(releases) / sizeof(releases[0]))

/* What the user gives over the scenario's machine. */
static const struct {
	const char *name;
	const char *set[6];
} machines[] = {
	{"its own", {NULL}								   },
	{"plain",	  {"arch=arm64", "memory=1G", "cpus=8", "nodes=1", NULL}			},
	{"small",	  {"arch=x86_64", "page_size=4K", "memory=256M", "cpus=4", "nodes=1", NULL}},
};
#define MACHINES (sizeof(machines) / sizeof(machines[0]))

static void open_shipped(size_t i, struct zl_scenario *ret)
{
	struct zl_error err = {0};

	if (zl_scenario_open(zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name, zl_allocator_heap(), ret,
		    &err) != 0) {
		fail_msg("%s: %u:%u: %s", zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name, err.line,
			err.column, err.text);
	}
}

static struct scenario_machine *machine_for(
	const struct zl_scenario *s, size_t machine, const char *release)
{
	struct scenario_machine *m = NULL;
	struct zl_profile *base = calloc(1, sizeof(*base));
	struct zl_error err = {0};
	char kernel[40] = "kernel=";

	assert_non_null(base);
	zl_profile_init(base);
	strcat(kernel, release);
	assert_int_equal(zl_settings_assign(&base->settings, kernel, ZL_ORIGIN_GIVEN, &err), 0);
	for (size_t i = 0; machines[machine].set[i] != NULL; i++) {
		assert_int_equal(zl_settings_assign(&base->settings, machines[machine].set[i],
					 ZL_ORIGIN_GIVEN, &err),
			0);
	}
	if (scenario_machine_new(base, s, zl_allocator_heap(), &m, &err) != 0) {
		fail_msg("%s on %s, %s: %s", s->name, machines[machine].name, release, err.text);
	}
	free(base);
	return m;
}

static void start_for(const struct zl_scenario *s, const struct scenario_machine *m,
	struct zl_scenario_start *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->scenario = s;
	ret->expand.short_form = true;
	ret->config = m->config;
	ret->system = m->system;
	ret->mem = zl_allocator_heap();
}

static uint64_t last_ops; /* of the run before */

/* Runs it with invariants; gives the digest. */
static uint64_t run_checked(const struct zl_scenario *s, size_t machine, const char *release)
{
	const struct zl_run_options options = {.check = machine != 0};
	struct scenario_machine *m = machine_for(s, machine, release);
	struct zl_scenario_start start;
	struct zl_scenario_result r;
	struct zl_error err = {0};

	start_for(s, m, &start);
	int rc = zl_scenario_run(&start, &options, &r, &err);
	if (rc != 0) {
		fail_msg("%s on %s, %s: %d: %s", s->name, machines[machine].name, release, rc,
			err.text);
	}
	for (uint32_t i = 0; i < s->nr_asserts; i++) {
		if (!r.verdict[i].judged || !r.verdict[i].held) {
			fail_msg("%s on %s, %s: %s fails at op %llu: %s", s->name,
				machines[machine].name, release,
				zl_scenario_text(s, s->assertion[i].expr),
				(unsigned long long)r.verdict[i].op, r.verdict[i].why);
		}
	}
	assert_true(r.run.complete);
	assert_in_range(r.run.ops, 1, OPS_SHORT);
	last_ops = r.run.ops;
	uint64_t digest = r.run.digest;
	zl_scenario_result_done(&r, zl_allocator_heap());
	scenario_machine_free(m);
	return digest;
}

static void assertions_hold_and_pages_are_conserved_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		struct zl_scenario s;

		open_shipped(i, &s);
		for (size_t k = 0; k < MACHINES * RELEASES;) {
			(void)run_checked(&s, k / RELEASES, releases[k % RELEASES]);
			k += last_ops > OPS_MANY && getenv("ZL_DEEP") == NULL ? FEWER : 1;
		}
		zl_scenario_done(&s);
	}
}

/* The op list of a run, as text. */
static void op_list(const struct zl_scenario *s, const struct scenario_machine *m,
	struct zl_workload *ret, struct zl_buf *text)
{
	struct zl_scenario_start start;
	struct zl_error err = {0};

	start_for(s, m, &start);
	if (zl_scenario_workload(&start, ret, &err) != 0) {
		fail_msg("%s: %s", s->name, err.text);
	}
	zl_workload_write(ret, text);
}

static void an_op_list_of_a_scenario_gives_the_same_digest(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		const size_t machine = i % MACHINES;
		const char *release = releases[i % RELEASES];
		const struct zl_run_options options = {0};
		struct zl_run_result r;
		struct zl_error err = {0};
		struct zl_workload w, back;
		struct zl_buf text = {0};
		struct zl_scenario s;

		open_shipped(i, &s);
		struct scenario_machine *m = machine_for(&s, machine, release);
		op_list(&s, m, &w, &text);
		if (zl_workload_parse(text.data, text.len, zl_allocator_heap(), &back, &err) != 0) {
			fail_msg("%s: %u:%u: %s", s.name, err.line, err.column, err.text);
		}
		assert_int_equal(back.nr_ops, w.nr_ops);
		assert_memory_equal(back.ops, w.ops, w.nr_ops * sizeof(*w.ops));
		assert_int_equal(
			zl_run_workload(&back, &m->config.switches, &options, &r, &err), 0);
		assert_int_equal(r.digest, run_checked(&s, machine, release));
		zl_buf_done(&text);
		zl_workload_done(&w);
		zl_workload_done(&back);
		scenario_machine_free(m);
		zl_scenario_done(&s);
	}
}

/* Lanes align: neither design nor memory changes an op. */
static void the_ops_depend_on_scenario_seed_and_cpus_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		struct zl_workload first, other;
		struct zl_buf text = {0};
		struct zl_scenario s;

		open_shipped(i, &s);
		struct scenario_machine *a = machine_for(&s, 2, releases[0]);
		struct scenario_machine *b = machine_for(&s, 1, releases[6]);
		b->config.cpus = a->config.cpus;
		op_list(&s, a, &first, &text);
		op_list(&s, b, &other, &text);
		assert_int_equal(first.nr_ops, other.nr_ops);
		assert_memory_equal(first.ops, other.ops, first.nr_ops * sizeof(*first.ops));
		zl_buf_done(&text);
		zl_workload_done(&first);
		zl_workload_done(&other);
		scenario_machine_free(a);
		scenario_machine_free(b);
		zl_scenario_done(&s);
	}
}

static void what_is_written_reads_back_to_the_same_ops(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		struct zl_workload first, other;
		struct zl_buf text = {0};
		struct zl_buf again = {0};
		struct zl_buf list = {0};
		struct zl_scenario s, back;
		struct zl_error err = {0};

		open_shipped(i, &s);
		zl_scenario_write(&s, &text);
		if (zl_scenario_parse(text.data, text.len, zl_allocator_heap(), &back, &err) != 0) {
			fail_msg("%s: %u:%u: %s", s.name, err.line, err.column, err.text);
		}
		zl_scenario_write(&back, &again);
		assert_string_equal(zl_buf_text(&text), zl_buf_text(&again));
		assert_int_equal(back.nr_asserts, s.nr_asserts);
		assert_int_equal(back.nr_breaks, s.nr_breaks);
		struct scenario_machine *m = machine_for(&s, 0, releases[4]);
		op_list(&s, m, &first, &list);
		op_list(&back, m, &other, &list);
		assert_int_equal(first.nr_ops, other.nr_ops);
		assert_memory_equal(first.ops, other.ops, first.nr_ops * sizeof(*first.ops));
		zl_workload_done(&first);
		zl_workload_done(&other);
		zl_buf_done(&text);
		zl_buf_done(&again);
		zl_buf_done(&list);
		scenario_machine_free(m);
		zl_scenario_done(&s);
		zl_scenario_done(&back);
	}
}

static void each_says_what_it_answers_and_where_it_comes_from(void **state)
{
	(void)state;
	assert_int_not_equal(
		SIZE_MAX, zl_shipped_find(ZL_SHIPPED_SCENARIOS, zl_shipped_scenario_default()));
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		struct zl_scenario s;

		open_shipped(i, &s);
		assert_string_equal(s.name, zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name);
		assert_true(strlen(s.title) > 10);
		assert_true(strchr(zl_scenario_text(&s, s.question), '?') != NULL);
		assert_true(strlen(zl_scenario_text(&s, s.source)) > 20);
		assert_true(s.nr_asserts > 0);
		if (i > 0) {
			assert_true(strcmp(zl_shipped_at(ZL_SHIPPED_SCENARIOS, i - 1)->name,
					    s.name) < 0);
		}
		zl_scenario_done(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_what_it_answers_and_where_it_comes_from),
		cmocka_unit_test(what_is_written_reads_back_to_the_same_ops),
		cmocka_unit_test(the_ops_depend_on_scenario_seed_and_cpus_alone),
		cmocka_unit_test(an_op_list_of_a_scenario_gives_the_same_digest),
		cmocka_unit_test(assertions_hold_and_pages_are_conserved_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
