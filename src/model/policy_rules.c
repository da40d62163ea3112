/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of the designs at each decision point: the only place where they stand as expressions.
 * Which releases a rule belongs to follows from the switches.
 */
#include "zonelab/policy.h"

#define PCP_FILE "mm/page_alloc.c, "

/* Whether a rule belongs to a release. */
typedef bool (*holds_fn)(const struct zl_switches *sw);

static bool by_factor(const struct zl_switches *sw)
{
	return sw->design == ZL_DESIGN_A514 || sw->design == ZL_DESIGN_A ||
	       sw->design == ZL_DESIGN_A_CAP;
}

static bool by_factor_free_high(const struct zl_switches *sw)
{
	return sw->design == ZL_DESIGN_A || sw->design == ZL_DESIGN_A_CAP;
}

static bool tuned(const struct zl_switches *sw)
{
	return sw->design >= ZL_DESIGN_B;
}

static bool design_b(const struct zl_switches *sw)
{
	return sw->design == ZL_DESIGN_B;
}

static bool design_c_on(const struct zl_switches *sw)
{
	return sw->design >= ZL_DESIGN_C;
}

static bool any_design(const struct zl_switches *sw)
{
	return sw->design != ZL_DESIGN_NONE;
}

static bool to_design_c(const struct zl_switches *sw)
{
	return any_design(sw) && sw->design <= ZL_DESIGN_C;
}

static bool design_d(const struct zl_switches *sw)
{
	return sw->design >= ZL_DESIGN_D19;
}

static bool decay_whole(const struct zl_switches *sw)
{
	return tuned(sw) && !sw->decay_chunks;
}

static bool decay_chunks(const struct zl_switches *sw)
{
	return tuned(sw) && sw->decay_chunks;
}

static bool drain_whole(const struct zl_switches *sw)
{
	return any_design(sw) && sw->full_drain == ZL_FULL_DRAIN_WHOLE;
}

static bool drain_pieces(const struct zl_switches *sw)
{
	return any_design(sw) && sw->full_drain == ZL_FULL_DRAIN_PIECES;
}

static bool scale_exists(const struct zl_switches *sw)
{
	return tuned(sw) || sw->design == ZL_DESIGN_A_CAP || drain_pieces(sw);
}

static bool always(const struct zl_switches *sw)
{
	(void)sw;
	return true;
}

static bool unclamped(const struct zl_switches *sw)
{
	return !sw->pageblock_clamp;
}

static bool hugetlb_alone(const struct zl_switches *sw)
{
	return sw->pageblock_clamp && !sw->pageblock_thp_only;
}

static bool thp_too(const struct zl_switches *sw)
{
	return sw->pageblock_thp_only && sw->page_block_symbol == ZL_BLOCK_SYMBOL_NONE;
}

static bool block_symbol(const struct zl_switches *sw)
{
	return sw->page_block_symbol != ZL_BLOCK_SYMBOL_NONE;
}

static bool thp_too_symbol(const struct zl_switches *sw)
{
	return sw->pageblock_thp_only && block_symbol(sw);
}

static bool align_both(const struct zl_switches *sw)
{
	return sw->cma_alignment == ZL_CMA_ALIGN_MAX_OF_BOTH;
}

static bool align_max(const struct zl_switches *sw)
{
	return sw->cma_alignment == ZL_CMA_ALIGN_MAX_ORDER;
}

static bool align_block(const struct zl_switches *sw)
{
	return sw->cma_alignment == ZL_CMA_ALIGN_PAGEBLOCK;
}

static bool one_more(const struct zl_switches *sw)
{
	return sw->highatomic_reserve == ZL_HIGHATOMIC_ONE_MORE;
}

static bool rounded(const struct zl_switches *sw)
{
	return sw->highatomic_reserve == ZL_HIGHATOMIC_ROUNDED;
}

#define FREE_HIGH_REST                                                                             \
	" && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) && "                                         \
	"(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= READ_ONCE(batch))"
#define HIGH_ORDER "order && order <= PAGE_ALLOC_COSTLY_ORDER && "
#define BATCHSIZE  "max(min(zone_managed_pages(zone) >> 10, SZ_1M / PAGE_SIZE) / 4, 1)"
#define HUGE_ORDER "CONFIG_HUGETLB_PAGE && HUGETLB_PAGE_ORDER > 0 ? "
#define THP_ORDER  "!CONFIG_HUGETLB_PAGE && CONFIG_TRANSPARENT_HUGEPAGE && HPAGE_PMD_ORDER >= 0 ? "

static const struct {
	struct zl_point_rule rule;
	holds_fn holds;
} rules[] = {
	{{ZL_POINT_FREE_HIGH, "A", "pcp->free_factor && order && order <= PAGE_ALLOC_COSTLY_ORDER",
		 PCP_FILE "free_unref_page_commit(), v6.1"},
		by_factor_free_high},
	{{ZL_POINT_FREE_HIGH, "B", HIGH_ORDER "pcp->free_count >= batch" FREE_HIGH_REST,
		 PCP_FILE "free_unref_page_commit(), v6.12"},
		design_b		},
	{{ZL_POINT_FREE_HIGH, "C and later",
		 HIGH_ORDER "pcp->free_count >= (batch + pcp->high_min / 2)" FREE_HIGH_REST,
		 PCP_FILE "free_frozen_page_commit(), v6.18"},
		design_c_on	   },
	{{ZL_POINT_FREE_COUNT_STEP, "B and later",
		 "pcp->free_count < (batch << CONFIG_PCP_BATCH_SCALE_MAX) ? "
		 "pcp->free_count + (1 << order) : pcp->free_count",
		 PCP_FILE "free_frozen_page_commit(), v6.18"},
		tuned		     },
	{{ZL_POINT_ALLOC_FACTOR_ON_FREE, "B and later", "pcp->alloc_factor >> 1",
		 PCP_FILE "free_frozen_page_commit(), v6.18"},
		tuned		     },
	{{ZL_POINT_FREE_COUNT_ON_ALLOC, "A514 to A+cap", "pcp->free_factor >> 1",
		 PCP_FILE "rmqueue_pcplist(), v6.1"},
		by_factor		 },
	{{ZL_POINT_FREE_COUNT_ON_ALLOC, "B and later", "pcp->free_count >> 1",
		 PCP_FILE "rmqueue_pcplist(), v6.18"},
		tuned		     },
	{{ZL_POINT_NR_PCP_FREE, "A514 to A+cap",
		 "free_high ? pcp->count : high < batch ? 1 : "
		 "clamp(batch << pcp->free_factor, batch, high - batch)",
		 PCP_FILE "nr_pcp_free(), v6.1"},
		by_factor		 },
	{{ZL_POINT_NR_PCP_FREE, "B and later",
		 "free_high ? min(pcp->count, batch << CONFIG_PCP_BATCH_SCALE_MAX) : "
		 "high < batch ? 1 : clamp(pcp->free_count, batch, high - batch)",
		 PCP_FILE "nr_pcp_free(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_NR_PCP_HIGH, "A514 to A+cap",
		 "high == 0 || free_high ? 0 : test_bit(ZONE_RECLAIM_ACTIVE, &zone->flags) ? "
		 "min(batch << 2, high) : high",
		 PCP_FILE "nr_pcp_high(), v6.1"},
		by_factor		 },
	{{ZL_POINT_NR_PCP_HIGH, "B and later",
		 "high == 0 || free_high ? 0 : test_bit(ZONE_RECLAIM_ACTIVE, &zone->flags) ? "
		 "min(batch << 2, pcp->high) : high_min == high_max ? high : "
		 "test_bit(ZONE_BELOW_HIGH, &zone->flags) ? max(pcp->count, high_min) : high",
		 PCP_FILE "nr_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_HIGH_ON_FREE_HIGH, "B and later",
		 "max(high - (batch << CONFIG_PCP_BATCH_SCALE_MAX), high_min)",
		 PCP_FILE "nr_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_HIGH_ON_RECLAIM, "B and later",
		 "max(high - max(pcp->free_count, batch), high_min)",
		 PCP_FILE "nr_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_HIGH_BELOW, "B and later", "max(high - max(pcp->free_count, batch), high_min)",
		 PCP_FILE "nr_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_HIGH_GROW, "B and later",
		 "pcp->high < pcp->free_count + batch ? "
		 "clamp(pcp->free_count + batch, high_min, high_max) : pcp->high",
		 PCP_FILE "nr_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_NR_PCP_ALLOC, "A514 to A+cap", "batch > 1 ? max(batch >> order, 2) : batch",
		 PCP_FILE "__rmqueue_pcplist(), v6.1"},
		by_factor		 },
	{{ZL_POINT_NR_PCP_ALLOC, "B and later",
		 "high < base_batch ? 1 : batch > 1 ? max(batch >> order, 2) : batch",
		 PCP_FILE "nr_pcp_alloc(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_HIGH_REFILL, "B and later", "min(high + batch, high_max)",
		 PCP_FILE "nr_pcp_alloc(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_ROOM, "B and later", "max(high - pcp->count - base_batch, base_batch)",
		 PCP_FILE "nr_pcp_alloc(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_ALLOC_FACTOR_MAX, "B and later", "CONFIG_PCP_BATCH_SCALE_MAX",
		 PCP_FILE "nr_pcp_alloc(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_DECAY_PCP_HIGH, "B and later",
		 "max3(pcp->count - (batch << CONFIG_PCP_BATCH_SCALE_MAX), "
		 "pcp->high - (pcp->high >> 3), high_min)",
		 PCP_FILE "decay_pcp_high(), v6.8 to v7.1"},
		tuned		     },
	{{ZL_POINT_DRAIN_CHUNK, "A514 to C", "to_free",
		 PCP_FILE "free_unref_page_commit(), v6.1; free_frozen_page_commit(), v6.18"},
		to_design_c	   },
	{{ZL_POINT_DRAIN_CHUNK, "D19 and later", "batch",
		 PCP_FILE "free_frozen_page_commit(), v7.1"},
		design_d		},
	{{ZL_POINT_DECAY_CHUNK, "B and C, before 6.18.26", "to_drain",
		 PCP_FILE "decay_pcp_high(), v6.12"},
		decay_whole	   },
	{{ZL_POINT_DECAY_CHUNK, "6.18.26 and later", "batch",
		 PCP_FILE "decay_pcp_high(), v6.18.26 and v7.1"},
		decay_chunks	    },
	{{ZL_POINT_FULL_DRAIN_CHUNK, "before 6.12", "to_drain",
		 PCP_FILE "drain_pages_zone(), v6.1 and v6.8"},
		drain_whole	   },
	{{ZL_POINT_FULL_DRAIN_CHUNK, "6.12 and later, stable 6.1 and 6.6",
		 "min(pcp->count, batch << CONFIG_PCP_BATCH_SCALE_MAX)",
		 PCP_FILE "drain_pages_zone(), v6.12"},
		drain_pieces	    },
	{{ZL_POINT_ZONE_BATCHSIZE, "all",
		 "rounddown_pow_of_two(" BATCHSIZE " + " BATCHSIZE " / 2) - 1",
		 PCP_FILE "zone_batchsize(), v6.1, v6.18 and v6.19"},
		any_design	  },
	{{ZL_POINT_ZONE_HIGHSIZE, "all",
		 "max((high_fraction ? zone_managed_pages(zone) / high_fraction : "
		 "low_wmark_pages(zone)) / nr_split_cpus, batch << 2)",
		 PCP_FILE "zone_highsize(), v6.1 and v6.18"},
		any_design	  },
	{{ZL_POINT_PCP_BATCH_SCALE_MAX, "B and later, stable 6.1 and 6.6",
		 "CONFIG_PCP_BATCH_SCALE_MAX", "mm/Kconfig, PCP_BATCH_SCALE_MAX, v6.18"},
		scale_exists	    },
	{{ZL_POINT_PAGEBLOCK_ORDER, "to 5.17", HUGE_ORDER "HUGETLB_PAGE_ORDER : MAX_PAGE_ORDER",
		 "include/linux/pageblock-flags.h, pageblock_order, v5.15"},
		unclamped		 },
	{{ZL_POINT_PAGEBLOCK_ORDER, "5.18 to 6.9",
		 HUGE_ORDER "min(HUGETLB_PAGE_ORDER, MAX_PAGE_ORDER) : MAX_PAGE_ORDER",
		 "include/linux/pageblock-flags.h, pageblock_order, v6.1"},
		hugetlb_alone	     },
	{{ZL_POINT_PAGEBLOCK_ORDER, "6.10 to 6.15",
		 HUGE_ORDER "min(HUGETLB_PAGE_ORDER, MAX_PAGE_ORDER) : " THP_ORDER
			    "min(HPAGE_PMD_ORDER, MAX_PAGE_ORDER) : MAX_PAGE_ORDER",
		 "include/linux/pageblock-flags.h, pageblock_order, v6.12"},
		thp_too	       },
	{{ZL_POINT_PAGEBLOCK_ORDER, "6.16 and later",
		 HUGE_ORDER "min(HUGETLB_PAGE_ORDER, PAGE_BLOCK_MAX_ORDER) : " THP_ORDER
			    "min(HPAGE_PMD_ORDER, PAGE_BLOCK_MAX_ORDER) : PAGE_BLOCK_MAX_ORDER",
		 "include/linux/pageblock-flags.h, pageblock_order, v7.0"},
		thp_too_symbol     },
	{{ZL_POINT_PAGE_BLOCK_MAX_ORDER, "6.16 and later",
		 "CONFIG_ARCH_FORCE_MAX_ORDER ? CONFIG_ARCH_FORCE_MAX_ORDER : 10",
		 "mm/Kconfig, PAGE_BLOCK_ORDER, v6.16; PAGE_BLOCK_MAX_ORDER, v6.17"},
		block_symbol	    },
	{{ZL_POINT_ARCH_FORCE_MAX_ORDER, "all", "arch_default",
		 "arch/*/Kconfig, FORCE_MAX_ZONEORDER, ARCH_FORCE_MAX_ORDER"},
		always	      },
	{{ZL_POINT_CMA_MIN_ALIGNMENT_PAGES, "to 5.17",
		 "max(MAX_ORDER_NR_PAGES, pageblock_nr_pages)",
		 "mm/cma.c, cma_init_reserved_mem(), v5.15"},
		align_both	  },
	{{ZL_POINT_CMA_MIN_ALIGNMENT_PAGES, "5.18", "MAX_ORDER_NR_PAGES",
		 "include/linux/cma.h, CMA_MIN_ALIGNMENT_PAGES, v5.18"},
		align_max		 },
	{{ZL_POINT_CMA_MIN_ALIGNMENT_PAGES, "5.19 and later", "pageblock_nr_pages",
		 "include/linux/cma.h, CMA_MIN_ALIGNMENT_PAGES, v5.19"},
		align_block	   },
	{{ZL_POINT_RECOMMENDED_MIN, "all",
		 "min(pageblock_nr_pages * nr_zones * 2 + pageblock_nr_pages * nr_zones * "
		 "MIGRATE_PCPTYPES * MIGRATE_PCPTYPES, nr_free_buffer_pages() / 20)",
		 "mm/khugepaged.c, set_recommended_min_free_kbytes(), v6.12"},
		always	      },
	{{ZL_POINT_HIGHATOMIC_MAX, "to 6.7", "zone_managed_pages(zone) / 100 + pageblock_nr_pages",
		 PCP_FILE "reserve_highatomic_pageblock(), v6.1"},
		one_more		},
	{{ZL_POINT_HIGHATOMIC_MAX, "6.8 and later",
		 "zone_managed_pages(zone) / 100 < pageblock_nr_pages ? 0 : "
		 "(zone_managed_pages(zone) / 100 + pageblock_nr_pages - 1) / pageblock_nr_pages * "
		 "pageblock_nr_pages",
		 PCP_FILE "reserve_highatomic_pageblock(), v6.12"},
		rounded	       },
	{{ZL_POINT_WATERMARK_DISTANCE, "all",
		 "max(min_share >> 2, zone_managed_pages(zone) * watermark_scale_factor / 10000)",
		 PCP_FILE "__setup_per_zone_wmarks(), v6.12"},
		always	      },
};

size_t zl_point_rule_count(void)
{
	return sizeof(rules) / sizeof(rules[0]);
}

const struct zl_point_rule *zl_point_rule_at(size_t i)
{
	return &rules[i].rule;
}

const struct zl_point_rule *zl_point_rule(enum zl_point p, const struct zl_switches *sw)
{
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		if (rules[i].rule.point == p && rules[i].holds(sw)) {
			return &rules[i].rule;
		}
	}
	return NULL;
}
