/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pcp_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BIG_MANAGED 16777216u
#define BIG_PAGES   1048576u

void pcp_zone(struct zl_sim_config *c, int high_min, int high_max)
{
	script_zone(c, 10, 9, BIG_PAGES);
	c->managed = BIG_MANAGED;
	c->batch = ZL_SIM_COMPUTED;
	c->high_min = high_min;
	c->high_max = high_max;
	c->thp = true;
}

void pcp_set(struct zl_sim *sim, enum zl_sim_key key, uint32_t value)
{
	struct zl_op op = {.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = value};

	assert_int_equal(0, zl_sim_apply(sim, &op));
}

void pcp_op(struct zl_sim *sim, enum zl_op_kind kind, unsigned order, unsigned id,
	struct zl_record *ret)
{
	const struct zl_op o = {.kind = (uint8_t)kind, .order = (uint8_t)order, .id = id};

	assert_int_equal(0, zl_sim_apply(sim, &o));
	zl_sim_record(sim, ret);
}

struct zl_sim *pcp_filled(
	const struct zl_sim_config *c, const char *release, unsigned order, unsigned n)
{
	struct zl_sim *sim = script_sim(c, release);
	struct zl_record r;

	pcp_set(sim, ZL_SIM_BELOW_HIGH, 1);
	for (unsigned id = 1; id <= n; id++) {
		pcp_op(sim, ZL_OP_ALLOC, order, id, &r);
		assert_true(r.pfn >= 0);
	}
	pcp_op(sim, ZL_OP_DRAIN, 0, 0, &r);
	pcp_set(sim, ZL_SIM_BELOW_HIGH, 0);
	return sim;
}

void pcp_expect_drains(struct zl_sim *sim, unsigned n, const struct drain_at *want, size_t count)
{
	size_t k = 0;

	for (unsigned id = 1; id <= n; id++) {
		struct zl_record r;

		pcp_op(sim, ZL_OP_FREE, 0, id, &r);
		if (k < count && id == want[k].n) {
			assert_int_equal(want[k].pages, r.drained);
			assert_true(want[k].high == 0 || want[k].high == r.high);
			k++;
		} else if (r.drained != 0) {
			fail_msg("free %u drained %u pages", id, r.drained);
		}
	}
	assert_int_equal(count, k);
	zl_sim_free(sim);
}
