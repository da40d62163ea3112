/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision points of a machine: the rules of each release, given as policies, derive the same
 * machine; other rules derive another one; what makes no sense is said and not used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"
#include "zonelab/machine.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"

static struct zl_machine plain, under;

static void set(struct zl_profile *p, const char *assignment)
{
	struct zl_error err = {0};

	if (zl_settings_assign(&p->settings, assignment, ZL_ORIGIN_GIVEN, &err) != 0) {
		fail_msg("%s: %s", assignment, err.text);
	}
}

static void policy(struct zl_profile *p, const char *text)
{
	const struct zl_policy_in in = {.mem = zl_allocator_heap(), .origin = ZL_ORIGIN_GIVEN};
	struct zl_error err = {0};

	if (zl_policy_parse(&p->policies, text, &in, &err) != 0) {
		fail_msg("%s: %u: %s", text, err.column, err.text);
	}
}

/* Every machine rule of the profile's release. */
static void give_rules(struct zl_profile *p, const struct zl_switches *sw)
{
	const struct zl_policy_in in = {.mem = zl_allocator_heap(), .origin = ZL_ORIGIN_GIVEN};

	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		enum zl_point point = (enum zl_point)i;
		const struct zl_point_rule *rule = zl_point_rule(point, sw);

		if (rule != NULL && zl_point_info(point)->stage == ZL_POINT_MACHINE) {
			assert_int_equal(0,
				zl_policy_give(&p->policies, point, rule->expression, &in, NULL));
		}
	}
}

static void expect_same(struct zl_profile *p, const char *what, const char *kernel)
{
	p->observe = false; /* computed on both sides */
	zl_machine_resolve(p, &plain, NULL);
	give_rules(p, &plain.switches);
	zl_machine_resolve(p, &under, NULL);
	if (memcmp(&plain, &under, sizeof(plain)) == 0) {
		return;
	}
	for (size_t i = 0; i < plain.nr_zones; i++) {
		const struct zl_zone *a = &plain.zones[i], *b = &under.zones[i];

		if (memcmp(a, b, sizeof(*a)) != 0) {
			fail_msg("%s %s zone %zu: batch %u %u, high_min %llu %llu, distance %llu "
				 "%llu",
				what, kernel, i, a->limits.batch, b->limits.batch,
				(unsigned long long)a->limits.high_min,
				(unsigned long long)b->limits.high_min,
				(unsigned long long)a->wmark.distance,
				(unsigned long long)b->wmark.distance);
		}
	}
	fail_msg("%s %s: pageblock_order %u %u, min_free %llu %llu", what, kernel,
		plain.geometry.pageblock_order, under.geometry.pageblock_order,
		(unsigned long long)plain.min_free.kbytes,
		(unsigned long long)under.min_free.kbytes);
}

static const char *const kernels[] = {
	"5.15", "5.18", "6.1", "6.6.63", "6.8", "6.12", "6.16", "6.18.2", "6.19", "7.1"};

static void the_rules_of_a_release_derive_its_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_PROFILES, i);

		for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
			struct zl_profile p;
			char kernel[64];

			assert_int_equal(0,
				zl_profile_read(s->text, s->size, zl_allocator_heap(), &p, NULL));
			snprintf(kernel, sizeof(kernel), "kernel=%s", kernels[k]);
			set(&p, kernel);
			expect_same(&p, s->name, kernels[k]);
			zl_profile_done(&p, zl_allocator_heap());
		}
	}
}

static void the_same_at_every_page_size_and_block_order(void **state)
{
	static const char *const sets[] = {"page_size=16K", "page_size=64K", "hugetlb=off",
		"thp=off", "page_block_order=7", "max_page_order=8", "memory=96MiB"};

	(void)state;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
			struct zl_profile p;
			char kernel[64];

			zl_profile_init(&p);
			set(&p, "arch=arm64");
			snprintf(kernel, sizeof(kernel), "kernel=%s", kernels[k]);
			set(&p, kernel);
			set(&p, sets[i]);
			expect_same(&p, sets[i], kernels[k]);
			zl_profile_done(&p, zl_allocator_heap());
		}
	}
}

static void other_rules_derive_another_machine(void **state)
{
	struct zl_profile p;
	const struct zl_zone *z;

	(void)state;
	zl_profile_init(&p);
	set(&p, "kernel=6.18");
	set(&p, "cpus=4");
	set(&p, "memory=4GiB");
	policy(&p, "zone_batchsize = 2 * 63 + 1");
	policy(&p, "zone_highsize = high_fraction ? 9000 : nr_split_cpus * 100");
	policy(&p, "watermark_distance = 1000");
	policy(&p, "pcp_batch_scale_max = CONFIG_PCP_BATCH_SCALE_MAX - 4");
	policy(&p, "pageblock_order = min(HPAGE_PMD_ORDER, 7)");
	policy(&p, "highatomic_max = 12345");
	policy(&p, "recommended_min = pageblock_nr_pages * 1000");
	zl_machine_resolve(&p, &under, NULL);
	z = &under.zones[0];
	assert_int_equal(127, z->limits.batch);
	assert_int_equal(400, z->limits.high_min);
	assert_int_equal(9000, z->limits.high_max);
	assert_int_equal(1000, z->wmark.low - z->wmark.min);
	assert_int_equal(1, under.scale_max);
	assert_int_equal(7, under.geometry.pageblock_order);
	assert_int_equal(12345, z->highatomic_max);
	assert_int_equal(128 * 1000 * 4, under.min_free.kbytes);
	assert_int_equal(254, z->free_high.ceiling);
	zl_profile_done(&p, zl_allocator_heap());
}

static void what_makes_no_sense_is_said_and_not_used(void **state)
{
	static const char *const texts[] = {"zone_batchsize = zone_managed_pages(zone) / 0",
		"zone_highsize = -1", "pcp_batch_scale_max = 7", "pageblock_order = 99",
		"cma_min_alignment_pages = 3", "watermark_distance = 1 << 40"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		static struct zl_diags diags;
		struct zl_profile p;
		bool said = false;

		zl_profile_init(&p);
		set(&p, "kernel=6.18");
		zl_machine_resolve(&p, &plain, NULL);
		policy(&p, texts[i]);
		memset(&diags, 0, sizeof(diags));
		zl_machine_resolve(&p, &under, &diags);
		assert_memory_equal(&plain, &under, sizeof(plain));
		for (size_t k = 0; k < diags.count; k++) {
			said = said || diags.item[k].code == ZL_DIAG_POLICY_FAILED;
		}
		if (!said) {
			fail_msg("%s: nothing was said", texts[i]);
		}
		zl_profile_done(&p, zl_allocator_heap());
	}
}

/* Reached or not, order by order, and the figures where there are any. */
static void reachability_follows_the_expressions(void **state)
{
	static const struct {
		const char *policy;
		int64_t threshold; /* -1 = none */
		bool reachable;
	} rows[] = {
		{"threshold-1-batch",				      63,	  true },
		{"threshold-half-high-min",			    3583, false},
		{"threshold-capped",				     2015, true },
		{"free_high = pcp->free_count > 4 * batch && order",  253,  true },
		{"free_high = order && pcp->free_count % 1000 > 500", -1,	  true },
		{"free_high = 0",				     -1,   false},
		{"free_high = order && pcp->count >= pcp->high",	 -1,   true },
		{"free_count_step = pcp->free_count + (1 << order)",  3583, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_profile p;
		const struct zl_free_high *f = &under.zones[0].free_high;

		zl_profile_init(&p);
		set(&p, "kernel=6.18");
		set(&p, "cpus=1");
		set(&p, "arch=x86_64");
		set(&p, "memory=4GiB");
		policy(&p, rows[i].policy);
		zl_machine_resolve(&p, &under, NULL);
		assert_true(f->by_policy);
		assert_int_equal(rows[i].threshold < 0, f->no_threshold);
		if (rows[i].threshold >= 0) {
			assert_int_equal(rows[i].threshold, f->threshold);
		}
		if (rows[i].reachable != f->reachable[3]) {
			fail_msg("%s: reachable %d", rows[i].policy, f->reachable[3]);
		}
		zl_profile_done(&p, zl_allocator_heap());
	}
}

static void profiles_keep_policies(void **state)
{
	struct zl_profile p, again;
	struct zl_json *j;
	char *text = NULL;

	(void)state;
	zl_profile_init(&p);
	policy(&p, "free_high = pcp->free_count >= 7 * batch");
	policy(&p, "chunked-drain");
	j = zl_profile_to_json(&p);
	assert_int_equal(0, zl_json_print(j, true, &text));
	assert_int_equal(0, zl_profile_read(text, strlen(text), zl_allocator_heap(), &again, NULL));
	assert_true(zl_policy_set_equal(&p.policies, &again.policies));
	assert_int_equal(3, again.policies.count);
	zl_json_text_free(text);
	zl_json_free(j);
	zl_profile_done(&p, zl_allocator_heap());
	zl_profile_done(&again, zl_allocator_heap());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rules_of_a_release_derive_its_machine),
		cmocka_unit_test(the_same_at_every_page_size_and_block_order),
		cmocka_unit_test(other_rules_derive_another_machine),
		cmocka_unit_test(what_makes_no_sense_is_said_and_not_used),
		cmocka_unit_test(reachability_follows_the_expressions),
		cmocka_unit_test(profiles_keep_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
