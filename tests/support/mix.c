/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mix.h"

#include <string.h>

const char *const mix_releases[] = {"5.15", "5.19", "6.1-rc7", "6.1.192", "6.6.63", "6.8", "6.12.0",
	"6.12.117", "6.15", "6.18.2", "6.18.26", "6.18.35", "6.19", "7.1.3"};
const size_t mix_nr_releases = sizeof(mix_releases) / sizeof(*mix_releases);

void mix_init(struct mix *m, uint64_t seed)
{
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, seed);
	m->growing = true;
}

static unsigned any(struct zl_rng *r, unsigned n)
{
	return (unsigned)zl_rng_below(r, n);
}

void mix_zone(struct zl_rng *r, struct zl_sim_config *ret)
{
	static const uint64_t managed[] = {40, 1000, 9000, 60000, 300000, 3000000};
	unsigned max_order = 1 + any(r, 11);
	unsigned block_order = 1 + any(r, max_order);
	unsigned block = 1u << block_order;

	script_zone(ret, max_order, block_order, 0);
	ret->pages = 1 + any(r, 4096);
	ret->managed = managed[any(r, 6)];
	ret->batch = ZL_SIM_COMPUTED;
	ret->high_min = ZL_SIM_COMPUTED;
	ret->high_max = ZL_SIM_COMPUTED;
	ret->cpus = 1 + any(r, 3);
	ret->scale_max = any(r, 7);
	ret->thp = any(r, 2) != 0;
	ret->hpage_order = any(r, 3) == 0 ? any(r, max_order + 1) : block_order;
	ret->wmark_low = any(r, 500);
	ret->wmark_high = any(r, 2) == 0 ? 0 : any(r, 2000);
	ret->node_local = any(r, 2) != 0;
	ret->smp = any(r, 6) != 0;
	ret->cache_slice = any(r, 2) == 0 ? 0 : UINT64_C(1) << 20;
	ret->cma = any(r, 3) == 0;
	if (ret->cma && ret->pages >= 3 * block) {
		uint64_t blocks = ret->pages / block;
		uint64_t first = any(r, (unsigned)blocks);

		ret->cma_start = first * block;
		ret->cma_pages = (1 + any(r, (unsigned)(blocks - first))) * block;
	}
	/* Before 5.18 a pageblock may be larger than the largest block. */
	if (!ret->cma && any(r, 8) == 0) {
		ret->pageblock_order = max_order + 1 + any(r, 2);
	}
}

static bool pick_used(struct mix *m, unsigned *ret)
{
	unsigned start = any(&m->rng, MIX_IDS);

	for (unsigned i = 0; i < MIX_IDS; i++) {
		*ret = (start + i) % MIX_IDS;
		if (m->used[*ret]) {
			return true;
		}
	}
	return false;
}

static bool pick_free(struct mix *m, unsigned *ret)
{
	unsigned start = any(&m->rng, MIX_IDS);

	for (unsigned i = 0; i < MIX_IDS; i++) {
		*ret = (start + i) % MIX_IDS;
		if (!m->used[*ret]) {
			return true;
		}
	}
	return false;
}

static bool next_alloc(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	unsigned orders = zl_sim_config(sim)->max_order + 1;
	unsigned id;

	if (!pick_free(m, &id)) {
		return false;
	}
	ret->kind = any(&m->rng, 12) == 0 ? ZL_OP_ALLOCHA : ZL_OP_ALLOC;
	ret->order = (uint8_t)(any(&m->rng, 3) == 0 ? any(&m->rng, orders)
						    : any(&m->rng, orders < 4 ? orders : 4));
	ret->mt = (uint8_t)any(&m->rng, 3);
	ret->id = id;
	m->used[id] = true;
	m->nr_used++;
	return true;
}

static bool next_bulk(struct mix *m, struct zl_op *ret)
{
	unsigned id, n = 0;

	if (!pick_free(m, &id)) {
		return false;
	}
	while (id + n < MIX_IDS && !m->used[id + n] && n < 40) {
		m->used[id + n] = true;
		n++;
	}
	m->nr_used += n;
	ret->kind = ZL_OP_BULK;
	ret->id = id;
	ret->arg = n;
	ret->mt = (uint8_t)any(&m->rng, 3);
	return true;
}

static void next_set(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	ret->kind = ZL_OP_SET;
	ret->key = (uint8_t)any(&m->rng, ZL_SIM_CACHE_SLICE_KIB + 1);
	switch ((unsigned)ret->key) {
	case ZL_SIM_BELOW_HIGH:
	case ZL_SIM_RECLAIM:
		ret->arg = any(&m->rng, 2);
		break;
	case ZL_SIM_CPUS:
		ret->arg = zl_sim_cpus(sim) + any(&m->rng, 2);
		break;
	case ZL_SIM_HIGH_FRACTION:
		ret->arg = any(&m->rng, 2) == 0 ? 0 : 8 + any(&m->rng, 60);
		break;
	default:
		ret->arg = any(&m->rng, 3000);
		break;
	}
}

static void next_other(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	static const uint8_t kinds[] = {ZL_OP_TICK, ZL_OP_TICK, ZL_OP_TICK, ZL_OP_DRAIN,
		ZL_OP_DRAINALL, ZL_OP_DRAINZONE, ZL_OP_CPU, ZL_OP_CPU};

	ret->kind = kinds[any(&m->rng, sizeof(kinds))];
	if (ret->kind == ZL_OP_CPU) {
		ret->arg = any(&m->rng, zl_sim_cpus(sim));
	}
}

void mix_next(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	unsigned what = any(&m->rng, 100);
	unsigned id;

	memset(ret, 0, sizeof(*ret));
	if (any(&m->rng, 60) == 0) {
		m->growing = !m->growing;
	}
	if (what < 80) {
		bool grow = any(&m->rng, 10) < (m->growing ? 7u : 3u);

		if (grow && next_alloc(m, sim, ret)) {
			return;
		}
		if (pick_used(m, &id)) {
			ret->kind = ZL_OP_FREE;
			ret->id = id;
			m->used[id] = false;
			m->nr_used--;
			return;
		}
	} else if (what < 84 && next_bulk(m, ret)) {
		return;
	} else if (what < 88) {
		next_set(m, sim, ret);
		return;
	}
	next_other(m, sim, ret);
}

/* A set of the keys that came after the recordings. */
static void later_set(struct mix *m, struct zl_op *ret)
{
	static const uint8_t keys[] = {ZL_SIM_WMARK_MIN, ZL_SIM_PCP_DISABLED, ZL_SIM_LIMIT_CPUS,
		ZL_SIM_BOOST_FACTOR, ZL_SIM_BOOST};

	ret->kind = ZL_OP_SET;
	ret->key = keys[any(&m->rng, sizeof(keys))];
	ret->arg = any(&m->rng, ret->key == ZL_SIM_PCP_DISABLED ? 2 : 40);
}

static bool later_cma(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	uint64_t pages = zl_sim_config(sim)->cma_pages;
	unsigned id;

	if (pages == 0 || !pick_free(m, &id)) {
		return false;
	}
	ret->kind = ZL_OP_CMA_ALLOC;
	ret->arg = 1 + any(&m->rng, (unsigned)(any(&m->rng, 2) == 0 ? pages : (pages + 7) / 8));
	ret->order = (uint8_t)any(&m->rng, 5);
	ret->id = id;
	m->used[id] = true;
	m->nr_used++;
	return true;
}

static bool later_cpu(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	uint32_t cpu = any(&m->rng, zl_sim_cpus(sim));

	if (cpu == zl_sim_cpu(sim)) {
		return false;
	}
	ret->kind = zl_sim_cpu_online(sim, cpu) ? ZL_OP_OFFLINE : ZL_OP_ONLINE;
	ret->arg = cpu;
	return true;
}

bool mix_next_later(struct mix *m, const struct zl_sim *sim, struct zl_op *ret)
{
	unsigned what = any(&m->rng, 24);
	unsigned id;

	memset(ret, 0, sizeof(*ret));
	if (what < 6) {
		return later_cma(m, sim, ret);
	}
	if (what < 12 && pick_used(m, &id)) {
		ret->kind = any(&m->rng, 3) == 0 ? ZL_OP_UNPIN : ZL_OP_PIN;
		ret->id = id;
		return true;
	}
	if (what < 16) {
		return later_cpu(m, sim, ret);
	}
	if (what < 18) {
		ret->kind = ZL_OP_UNRESERVE;
		ret->mt = (uint8_t)any(&m->rng, 3);
		ret->key = (uint8_t)any(&m->rng, 2);
		return true;
	}
	if (what < 20) {
		later_set(m, ret);
		return true;
	}
	if (!pick_free(m, &id)) {
		return false;
	}
	ret->kind = any(&m->rng, 4) == 0 ? ZL_OP_ALLOCHA : ZL_OP_ALLOC;
	ret->key = (uint8_t)any(&m->rng, 8);
	ret->order = (uint8_t)any(&m->rng, zl_sim_config(sim)->max_order + 1);
	ret->mt = (uint8_t)any(&m->rng, 3);
	ret->id = id;
	m->used[id] = true;
	m->nr_used++;
	return true;
}
