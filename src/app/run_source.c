/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_source.h"

#include <errno.h>
#include <string.h>

#include "scenario_feed.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define FIRST_SEED 1u

/* Settings that a zone takes while it lives: the release and what pagesets are tuned with. */
static const enum zl_setting tuning[] = {ZL_SET_KERNEL, ZL_SET_BATCH, ZL_SET_HIGH_MIN,
	ZL_SET_HIGH_MAX, ZL_SET_BATCH_SCALE_MAX, ZL_SET_HIGH_FRACTION, ZL_SET_CACHE_SLICE};
#define NR_TUNING (sizeof(tuning) / sizeof(tuning[0]))

void run_source_done(struct run_source *s)
{
	zl_scenario_done(&s->scenario);
	memset(s, 0, sizeof(*s));
}

static void override(const struct zl_settings *s, enum zl_setting key, int64_t *to)
{
	if (zl_settings_given(s, key)) {
		*to = s->value[key].number;
	}
}

/* A list's zone under the lane's release and what-ifs. */
static void list_zone(
	const struct run_source *source, const struct lane *lane, struct zl_sim_config *c)
{
	const struct zl_settings *s = &lane->profile.settings;

	*c = source->base;
	int64_t scale = c->scale_max, fraction = c->high_fraction, slice = (int64_t)c->cache_slice;
	c->switches = lane->machine.switches;
	override(s, ZL_SET_BATCH, &c->batch);
	override(s, ZL_SET_HIGH_MIN, &c->high_min);
	override(s, ZL_SET_HIGH_MAX, &c->high_max);
	override(s, ZL_SET_BATCH_SCALE_MAX, &scale);
	override(s, ZL_SET_HIGH_FRACTION, &fraction);
	override(s, ZL_SET_CACHE_SLICE, &slice);
	c->scale_max = (unsigned)scale;
	c->high_fraction = (unsigned)fraction;
	c->cache_slice = (uint64_t)slice;
	c->scale_max =
		zl_policy_scale_max(&lane->profile.policies, c->page_shift, c->scale_max, NULL);
	c->policies = lane->profile.policies.count > 0 ? &lane->profile.policies : NULL;
}

/* The lane's tuning alone. */
static void keep_tuning(const struct zl_settings *from, struct zl_profile *to)
{
	zl_profile_init(to);
	for (size_t i = 0; i < NR_TUNING; i++) {
		to->settings.value[tuning[i]] = from->value[tuning[i]];
	}
}

int run_source_untuned(
	const struct zl_profile *from, const struct zl_allocator *mem, struct zl_profile *ret)
{
	int rc = zl_profile_copy(ret, from, mem);

	if (rc != 0) {
		return rc;
	}
	for (size_t i = 0; i < NR_TUNING; i++) {
		if (tuning[i] != ZL_SET_KERNEL) {
			zl_settings_unset(&ret->settings, tuning[i]);
		}
	}
	zl_policy_set_done(&ret->policies, mem);
	return 0;
}

int run_source_zone(const struct run_source *s, const struct lane *lane,
	const struct zl_allocator *mem, struct run_zone *ret, struct zl_error *err)
{
	struct zl_profile tuned;
	int rc, refused = 0;

	ret->machine = NULL;
	if (s->list) {
		list_zone(s, lane, &ret->config);
		return 0;
	}
	rc = scenario_machine_new(&lane->profile, &s->scenario, mem, &ret->machine, err);
	if (rc < 0 && rc != -ENOMEM) {
		struct zl_error other = {0};
		keep_tuning(&lane->profile.settings, &tuned);
		refused = zl_policy_set_copy(&tuned.policies, &lane->profile.policies, mem);
		if (refused == 0) {
			refused = scenario_machine_new(
				&tuned, &s->scenario, mem, &ret->machine, &other);
		}
		rc = refused < 0 ? rc : 1;
		zl_profile_done(&tuned, mem);
	}
	if (rc >= 0) {
		ret->config = ret->machine->config;
	}
	return rc;
}

int run_source_feed(const struct run_source *s, unsigned cpus, const struct zl_allocator *mem,
	struct op_feed *ret, struct zl_error *err)
{
	struct zl_expand_options options = s->options;

	options.cpus = cpus;
	return scenario_feed_of(&s->scenario, &options, mem, ret, err);
}

int run_source_copy(const struct run_source *s, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err)
{
	struct zl_buf text = {0};
	int rc = -ENOMEM;

	zl_scenario_write(&s->scenario, &text);
	if (!text.failed) {
		rc = zl_scenario_parse(zl_buf_text(&text), text.len, mem, ret, err);
	}
	zl_buf_done(&text);
	return rc;
}

void run_title(const char *name, const struct zl_sim_config *c, char *buf, size_t size)
{
	zl_format(buf, size, "%s %Z/%u", name, c->managed << c->page_shift, c->cpus);
}

uint64_t run_source_seed(const struct run_source *s)
{
	if (s->options.seeded) {
		return s->options.seed;
	}
	return s->list ? FIRST_SEED : s->scenario.seed;
}

static bool same_policies(const struct zl_sim_config *a, const struct zl_sim_config *b)
{
	static const struct zl_policy_set none;

	return zl_policy_set_equal(a->policies != NULL ? a->policies : &none,
		b->policies != NULL ? b->policies : &none);
}

bool run_same_zone(const struct zl_sim_config *a, const struct zl_sim_config *b)
{
	return zl_switches_equal(&a->switches, &b->switches) && same_policies(a, b) &&
	       a->page_shift == b->page_shift && a->managed == b->managed && a->pages == b->pages &&
	       a->cpus == b->cpus && a->wmark_min == b->wmark_min && a->wmark_low == b->wmark_low &&
	       a->wmark_high == b->wmark_high && a->high_fraction == b->high_fraction &&
	       a->scale_max == b->scale_max && a->pageblock_order == b->pageblock_order &&
	       a->max_order == b->max_order && a->hpage_order == b->hpage_order &&
	       a->thp == b->thp && a->cache_slice == b->cache_slice &&
	       a->node_local == b->node_local && a->smp == b->smp && a->mmu == b->mmu &&
	       memcmp(a->lowmem_reserve, b->lowmem_reserve, sizeof(a->lowmem_reserve)) == 0 &&
	       a->local_first == b->local_first && a->local_cpus == b->local_cpus &&
	       a->limit_cpus == b->limit_cpus && a->boost_factor == b->boost_factor &&
	       a->cma == b->cma && a->cma_start == b->cma_start && a->cma_pages == b->cma_pages &&
	       a->batch == b->batch && a->high_min == b->high_min && a->high_max == b->high_max;
}
