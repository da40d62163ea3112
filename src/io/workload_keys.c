/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload_keys.h"

#include <limits.h>

#define KIB_SHIFT   10
#define CACHE_MAX   (UINT64_C(1) << 30) /* KiB */
#define SHIFT_LEAST 12
#define SHIFT_MOST  18
#define BATCH_MOST  65535

const struct workload_key_row workload_keys[WORKLOAD_KEY_COUNT] = {
	[WORKLOAD_KEY_PAGE_SHIFT] = {"page_shift",	   false, SHIFT_LEAST, SHIFT_MOST		 },
	[WORKLOAD_KEY_MANAGED] = {"managed",	     false, 1,	       (uint64_t)INT_MAX * 8},
	[WORKLOAD_KEY_PAGES] = {"pages",		 false, 1,	   ZL_SIM_PAGES_MAX	   },
	[WORKLOAD_KEY_CPUS] = {"cpus",	       false, 1,		 ZL_SIM_CPUS_MAX	},
	[WORKLOAD_KEY_WMARK_MIN] = {"wmark_min",	 false, 0,	   INT_MAX		  },
	[WORKLOAD_KEY_WMARK_LOW] = {"wmark_low",	 false, 0,	   INT_MAX		  },
	[WORKLOAD_KEY_WMARK_HIGH] = {"wmark_high",	   false, 0,	     INT_MAX		    },
	[WORKLOAD_KEY_HIGH_FRACTION] = {"high_fraction",	 true,  0,		  INT_MAX		 },
	[WORKLOAD_KEY_SCALE_MAX] = {"scale_max",	 false, 0,	   ZL_SIM_SCALE_MAX	   },
	[WORKLOAD_KEY_PAGEBLOCK_ORDER] = {"pageblock_order", false, 1,	       ZL_MAX_ORDER_LIMIT	 },
	[WORKLOAD_KEY_MAX_ORDER] = {"max_order",	 false, 1,	   ZL_MAX_ORDER_LIMIT   },
	[WORKLOAD_KEY_HPAGE_ORDER] = {"hpage_order",     false, 0,	       ZL_MAX_ORDER_LIMIT	 },
	[WORKLOAD_KEY_THP] = {"thp",	     false, 0,	       1			},
	[WORKLOAD_KEY_CACHE_SLICE_KIB] = {"cache_slice_kib", false, 0,	       CACHE_MAX		},
	[WORKLOAD_KEY_NODE_LOCAL] = {"node_local",	   true,	 0,	    1		     },
	[WORKLOAD_KEY_SMP] = {"smp",	     true,  0,	      1		       },
	[WORKLOAD_KEY_MMU] = {"mmu",	     true,  0,	      1		       },
	[WORKLOAD_KEY_CMA] = {"cma",	     true,  0,	      1		       },
	[WORKLOAD_KEY_CMA_START] = {"cma_start",	 true,  0,		  ZL_SIM_PAGES_MAX	  },
	[WORKLOAD_KEY_CMA_PAGES] = {"cma_pages",	 true,  0,		  ZL_SIM_PAGES_MAX	  },
	[WORKLOAD_KEY_BATCH] = {"batch",		 true,  1,		  BATCH_MOST	    },
	[WORKLOAD_KEY_HIGH_MIN] = {"high_min",	       true,  0,		INT_MAX	       },
	[WORKLOAD_KEY_HIGH_MAX] = {"high_max",	       true,  0,		INT_MAX	       },
};

/* Keys that the recordings do not have. */
static void store_option(struct zl_sim_config *c, enum workload_key key, uint64_t v)
{
	switch ((unsigned)key) {
	case WORKLOAD_KEY_SMP:
		c->smp = v != 0;
		break;
	case WORKLOAD_KEY_MMU:
		c->mmu = v != 0;
		break;
	case WORKLOAD_KEY_CMA:
		c->cma = v != 0;
		break;
	case WORKLOAD_KEY_CMA_START:
		c->cma_start = v;
		break;
	case WORKLOAD_KEY_CMA_PAGES:
		c->cma_pages = v;
		break;
	case WORKLOAD_KEY_BATCH:
		c->batch = (int64_t)v;
		break;
	case WORKLOAD_KEY_HIGH_MIN:
		c->high_min = (int64_t)v;
		break;
	case WORKLOAD_KEY_HIGH_MAX:
		c->high_max = (int64_t)v;
		break;
	default:
		break;
	}
}

void workload_key_store(struct zl_sim_config *c, enum workload_key key, uint64_t v)
{
	switch ((unsigned)key) {
	case WORKLOAD_KEY_PAGE_SHIFT:
		c->page_shift = (unsigned)v;
		break;
	case WORKLOAD_KEY_MANAGED:
		c->managed = v;
		break;
	case WORKLOAD_KEY_PAGES:
		c->pages = v;
		break;
	case WORKLOAD_KEY_CPUS:
		c->cpus = (unsigned)v;
		break;
	case WORKLOAD_KEY_WMARK_MIN:
		c->wmark_min = v;
		break;
	case WORKLOAD_KEY_WMARK_LOW:
		c->wmark_low = v;
		break;
	case WORKLOAD_KEY_WMARK_HIGH:
		c->wmark_high = v;
		break;
	case WORKLOAD_KEY_HIGH_FRACTION:
		c->high_fraction = (unsigned)v;
		break;
	case WORKLOAD_KEY_SCALE_MAX:
		c->scale_max = (unsigned)v;
		break;
	case WORKLOAD_KEY_PAGEBLOCK_ORDER:
		c->pageblock_order = (unsigned)v;
		break;
	case WORKLOAD_KEY_MAX_ORDER:
		c->max_order = (unsigned)v;
		break;
	case WORKLOAD_KEY_HPAGE_ORDER:
		c->hpage_order = (unsigned)v;
		break;
	case WORKLOAD_KEY_THP:
		c->thp = v != 0;
		break;
	case WORKLOAD_KEY_CACHE_SLICE_KIB:
		c->cache_slice = v << KIB_SHIFT;
		break;
	case WORKLOAD_KEY_NODE_LOCAL:
		c->node_local = v != 0;
		break;
	default:
		store_option(c, key, v);
		break;
	}
}

static uint64_t fetch_option(const struct zl_sim_config *c, enum workload_key key)
{
	switch ((unsigned)key) {
	case WORKLOAD_KEY_SMP:
		return c->smp;
	case WORKLOAD_KEY_MMU:
		return c->mmu;
	case WORKLOAD_KEY_CMA:
		return c->cma;
	case WORKLOAD_KEY_CMA_START:
		return c->cma_start;
	case WORKLOAD_KEY_CMA_PAGES:
		return c->cma_pages;
	case WORKLOAD_KEY_BATCH:
		return (uint64_t)c->batch;
	case WORKLOAD_KEY_HIGH_MIN:
		return (uint64_t)c->high_min;
	case WORKLOAD_KEY_HIGH_MAX:
		return (uint64_t)c->high_max;
	default:
		return 0;
	}
}

uint64_t workload_key_fetch(const struct zl_sim_config *c, enum workload_key key)
{
	switch ((unsigned)key) {
	case WORKLOAD_KEY_PAGE_SHIFT:
		return c->page_shift;
	case WORKLOAD_KEY_MANAGED:
		return c->managed;
	case WORKLOAD_KEY_PAGES:
		return c->pages;
	case WORKLOAD_KEY_CPUS:
		return c->cpus;
	case WORKLOAD_KEY_WMARK_MIN:
		return c->wmark_min;
	case WORKLOAD_KEY_WMARK_LOW:
		return c->wmark_low;
	case WORKLOAD_KEY_WMARK_HIGH:
		return c->wmark_high;
	case WORKLOAD_KEY_HIGH_FRACTION:
		return c->high_fraction;
	case WORKLOAD_KEY_SCALE_MAX:
		return c->scale_max;
	case WORKLOAD_KEY_PAGEBLOCK_ORDER:
		return c->pageblock_order;
	case WORKLOAD_KEY_MAX_ORDER:
		return c->max_order;
	case WORKLOAD_KEY_HPAGE_ORDER:
		return c->hpage_order;
	case WORKLOAD_KEY_THP:
		return c->thp;
	case WORKLOAD_KEY_CACHE_SLICE_KIB:
		return c->cache_slice >> KIB_SHIFT;
	case WORKLOAD_KEY_NODE_LOCAL:
		return c->node_local;
	default:
		return fetch_option(c, key);
	}
}

bool workload_key_wanted(const struct zl_sim_config *c, enum workload_key key)
{
	if (key == WORKLOAD_KEY_BATCH || key == WORKLOAD_KEY_HIGH_MIN ||
		key == WORKLOAD_KEY_HIGH_MAX) {
		return workload_key_fetch(c, key) != (uint64_t)ZL_SIM_COMPUTED;
	}
	struct zl_sim_config plain;

	zl_sim_config_init(&plain);
	return !workload_keys[key].optional ||
	       workload_key_fetch(c, key) != workload_key_fetch(&plain, key);
}

bool workload_key_of_zone(enum workload_key k)
{
	return k == WORKLOAD_KEY_MANAGED || k == WORKLOAD_KEY_PAGES ||
	       k == WORKLOAD_KEY_WMARK_MIN || k == WORKLOAD_KEY_WMARK_LOW ||
	       k == WORKLOAD_KEY_WMARK_HIGH || k == WORKLOAD_KEY_CMA_START ||
	       k == WORKLOAD_KEY_CMA_PAGES || k == WORKLOAD_KEY_BATCH ||
	       k == WORKLOAD_KEY_HIGH_MIN || k == WORKLOAD_KEY_HIGH_MAX;
}
