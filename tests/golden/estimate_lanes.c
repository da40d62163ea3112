/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lane_spec.h"
#include "scenario_machine.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define NS_PER_MS 1000000

/* The machine of a lane; its items are blank separated here. */
static void apply(const char *items, struct zl_profile *ret)
{
	struct zl_profile *base = calloc(1, sizeof(*base));
	struct lane_spec *spec = calloc(1, sizeof(*spec));
	struct zl_error err = {0};
	char text[256];

	assert_non_null(base);
	assert_non_null(spec);
	zl_profile_init(base);
	zl_format(text, sizeof(text), "lane:%s", items);
	for (char *c = text; *c != '\0'; c++) {
		*c = *c == ' ' ? ',' : *c;
	}
	if (lane_parse(text, spec, &err) != 0 ||
		lane_apply(spec, base, zl_allocator_heap(), ret, &err) != 0) {
		fail_msg("%s: %s", items, err.text);
	}
	free(spec);
	free(base);
}

static void set_parameters(struct zl_scenario *s, const char *list)
{
	while (*list != '\0') {
		size_t n = strcspn(list, "=");
		bool found = false;

		for (uint32_t i = 0; i < s->nr_names; i++) {
			if (strlen(s->names[i].name) == n &&
				strncmp(s->names[i].name, list, n) == 0) {
				s->names[i].value = strtoll(list + n + 1, NULL, 10);
				found = true;
			}
		}
		assert_true(found);
		list += strcspn(list, " ");
		list += strspn(list, " ");
	}
}

void lane_run(const char *scenario, int64_t ms, const char *settings, const char *parameters,
	struct zl_estimate_result *ret)
{
	struct zl_profile *base = calloc(1, sizeof(*base));
	struct scenario_machine *m = NULL;
	struct zl_timed_result r;
	struct zl_error err = {0};
	struct zl_scenario s;
	struct zl_timed t;

	assert_non_null(base);
	apply(settings, base);
	memset(&t, 0, sizeof(t));
	if (zl_scenario_open(scenario, zl_allocator_heap(), &s, &err) != 0 ||
		scenario_machine_new(base, &s, zl_allocator_heap(), &m, &err) != 0) {
		fail_msg("%s: %s", scenario, err.text);
		abort();
	}
	set_parameters(&s, parameters);
	t.scenario = &s;
	t.config = m->config;
	t.config.policies = base->policies.count > 0 ? &base->policies : t.config.policies;
	t.mem = zl_allocator_heap();
	t.end_ns = ms * NS_PER_MS;
	zl_costs_of(&m->profile.settings, &t.costs);
	if (zl_timed_run(&t, &r, &err) != 0) {
		fail_msg("%s: %s", scenario, err.text);
	}
	*ret = r.estimate;
	zl_timed_result_done(&r);
	scenario_machine_free(m);
	zl_scenario_done(&s);
	zl_profile_done(base, zl_allocator_heap());
	free(base);
}

void near_to(const char *what, double got, double want, double percent)
{
	double off = want * percent / 100;

	if (got < want - off || got > want + off) {
		fail_msg("%s is %.2f, not within %.0f %% of %.2f", what, got, percent, want);
	}
}
