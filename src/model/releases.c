/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The release table: every version-dependent behaviour, by series and first release, with the
 * evidence for it. This is the only version logic of the program.
 *
 * A mainline row holds from its release on. A row of a stable series overrides the mainline rows
 * for that series from its patch level on. Where the first level of a backport is not known, the
 * row stands at the first level where it was seen.
 */
#include "zonelab/release.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "zonelab/diag.h"
#include "zonelab/text.h"

#define PATCH_NEWEST 0xfffeu

enum behaviour {
	PCP_DESIGN,
	DECAY_CHUNKS,
	THP_LISTS,
	THP_ORDER,
	PCP_LOCK,
	REFILL_FAILURE,
	CMA_BYPASS,
	FULL_DRAIN,
	DRAIN_ORDER,
	DRAIN_TYPE,
	CLAMP,
	BUDDY_FALLBACK,
	MERGE_RETAG,
	HIGH_ORDER_ATOMIC_REFILL,
	UNIPROCESSOR_PCP,
	ZONEINFO_LIMITS,
	ZONEINFO_PROMO,
	WMARK_PROMO,
	WMARK_MOVABLE,
	THP_RECALC,
	GROUPING_PAGES,
	HIGHATOMIC_RESERVE,
	MAX_ORDER_SYMBOL,
	ARM64_PROMPT,
	PAGEBLOCK_CLAMP,
	PAGEBLOCK_THP_ONLY,
	PAGE_BLOCK_SYMBOL,
	CMA_ALIGNMENT,
	CMA_AREAS,
	CMA_LOG_SIZE,
	CMA_LOG_NODE,
	CMA_FAIL_LOGGED,
	CMA_HIGH_FIRST,
	CMA_PAGEBLOCK_ZERO,
	CMA_CMDLINE_VS_DT,
	CMA_LIMIT,
	OVERLAP_AFTER_REFUSAL,
	RESERVED_STATIC_LATE,
	RESERVED_TABLE,
	RESERVED_SUMMARY,
	ALLOC_RANGES_DIRECTION,
	HUGETLB_CMA_EXACT,
	LOONGARCH,
	DMA_POOL_LOG,
	CMA_NODE_AREAS,
	CMA_HIGH_ROOM,
	BEHAVIOUR_COUNT
};

#define FIELD(member)                                                                              \
	offsetof(struct zl_switches, member), sizeof(((struct zl_switches *)0)->member)

static const struct {
	const char *name;
	size_t offset;
	size_t size;
} behaviours[BEHAVIOUR_COUNT] = {
	[PCP_DESIGN] = {"pcp_design",		      FIELD(design)			   },
	[DECAY_CHUNKS] = {"decay_chunks",		  FIELD(decay_chunks)		     },
	[THP_LISTS] = {"thp_lists",		    FIELD(thp_lists)		    },
	[THP_ORDER] = {"thp_order",		    FIELD(thp_order)		    },
	[PCP_LOCK] = {"pcp_lock",		  FIELD(pcp_lock)			 },
	[REFILL_FAILURE] = {"refill_failure",	      FIELD(refill_failure_tries_buddy)},
	[CMA_BYPASS] = {"cma_bypass",		      FIELD(cma_bypass)		       },
	[FULL_DRAIN] = {"full_drain",		      FIELD(full_drain)		       },
	[DRAIN_ORDER] = {"drain_order",		FIELD(drain_order)		  },
	[DRAIN_TYPE] = {"drain_type",		      FIELD(drain_type)		       },
	[CLAMP] = {"clamp",		    FIELD(clamp)			},
	[BUDDY_FALLBACK] = {"buddy_fallback",	      FIELD(buddy_fallback)		   },
	[MERGE_RETAG] = {"merge_retag",		FIELD(merge_retag)		  },
	[HIGH_ORDER_ATOMIC_REFILL] = {"high_order_atomic_refill", FIELD(high_order_atomic_refill)	 },
	[UNIPROCESSOR_PCP] = {"uniprocessor_pcp",	  FIELD(uniprocessor_pcp)		 },
	[ZONEINFO_LIMITS] = {"zoneinfo_limits",		FIELD(zoneinfo_limits)	      },
	[ZONEINFO_PROMO] = {"zoneinfo_promo",	      FIELD(zoneinfo_promo)		   },
	[WMARK_PROMO] = {"wmark_promo",		FIELD(wmark_promo)		  },
	[WMARK_MOVABLE] = {"wmark_movable",	    FIELD(wmark_movable_clamped)	},
	[THP_RECALC] = {"thp_recalc_on_disable",	 FIELD(thp_recalc_on_disable)     },
	[GROUPING_PAGES] = {"grouping_pages",	      FIELD(grouping_without_memmap)   },
	[HIGHATOMIC_RESERVE] = {"highatomic_reserve",	      FIELD(highatomic_reserve)	       },
	[MAX_ORDER_SYMBOL] = {"max_order",		   FIELD(max_order)		   },
	[ARM64_PROMPT] = {"arm64_max_order_prompt",   FIELD(arm64_prompt)	       },
	[PAGEBLOCK_CLAMP] = {"pageblock_clamp",		FIELD(pageblock_clamp)	      },
	[PAGEBLOCK_THP_ONLY] = {"pageblock_thp_only",	      FIELD(pageblock_thp_only)	       },
	[PAGE_BLOCK_SYMBOL] = {"page_block_symbol",	    FIELD(page_block_symbol)	    },
	[CMA_ALIGNMENT] = {"cma_alignment",	    FIELD(cma_alignment)		},
	[CMA_AREAS] = {"cma_areas",		    FIELD(cma_areas_plus_one)	     },
	[CMA_LOG_SIZE] = {"cma_log_size",		  FIELD(cma_log_rounded)		},
	[CMA_LOG_NODE] = {"cma_log_node",		  FIELD(cma_log_node)		     },
	[CMA_FAIL_LOGGED] = {"cma_failure_logged",	   FIELD(cma_fail_always_logged)	},
	[CMA_HIGH_FIRST] = {"cma_above_4g_first",	  FIELD(cma_high_first)	       },
	[CMA_PAGEBLOCK_ZERO] = {"cma_pageblock_zero_check", FIELD(cma_pageblock_zero_check)  },
	[CMA_CMDLINE_VS_DT] = {"cma_cmdline_vs_dt",	    FIELD(cma_cmdline_vs_dt)	    },
	[CMA_LIMIT] = {"cma_cmdline_limit",	    FIELD(cma_limit_min)		},
	[OVERLAP_AFTER_REFUSAL] = {"overlap_after_refusal",    FIELD(overlap_after_refusal)	},
	[RESERVED_STATIC_LATE] = {"reserved_static_late",	  FIELD(reserved_static_late)	     },
	[RESERVED_TABLE] = {"reserved_table_grows",	    FIELD(reserved_table_grows)      },
	[RESERVED_SUMMARY] = {"reserved_summary_line",    FIELD(reserved_summary_line)	   },
	[ALLOC_RANGES_DIRECTION] = {"alloc_ranges_direction",   FIELD(alloc_ranges_direction)	   },
	[HUGETLB_CMA_EXACT] = {"hugetlb_cma_exact",	    FIELD(hugetlb_cma_exact)	    },
	[DMA_POOL_LOG] = {"dma_pool_log_size",	       FIELD(dma_pool_log_kib)	      },
	[CMA_NODE_AREAS] = {"cma_node_areas",	      FIELD(cma_node_areas_last)	},
	[CMA_HIGH_ROOM] = {"cma_above_4g_room",	FIELD(cma_high_room_by_limit)    },
	[LOONGARCH] = {"loongarch",		    FIELD(loongarch)		    },
};

#undef FIELD

/* clang-format off */
static const struct row {
	enum behaviour behaviour;
	const char *series; /* "" = mainline */
	const char *since;
	int value;
	const char *words;
	const char *evidence;
} rows[] = {
	{PCP_DESIGN, "", "5.14", ZL_DESIGN_A514, "A514", "seen 5.14-rc5, 5.15.55, 5.17"},
	{PCP_DESIGN, "", "5.18", ZL_DESIGN_A, "A", "commit f26b3fa04611; inferred 5.18; seen 5.19, 6.0, 6.1-rc7, 6.4.6, 6.5"},
	{PCP_DESIGN, "", "6.7", ZL_DESIGN_B, "B", "commit 6ccdcb6d3a74; inferred 6.7; seen 6.8, 6.12, 6.13.7, 6.14"},
	{PCP_DESIGN, "", "6.16", ZL_DESIGN_C, "C", "commit c544a952ba61; seen 6.17, 6.18.2"},
	{PCP_DESIGN, "", "6.19", ZL_DESIGN_D19, "D19", "series 20251014145011.3427205-1; seen 6.19, 7.0"},
	{PCP_DESIGN, "", "7.1", ZL_DESIGN_D71, "D71", "seen 7.1.3, 7.1.5"},
	{PCP_DESIGN, "6.1", "6.1.192", ZL_DESIGN_A_CAP, "A+cap", "commit 52166607ecc9 backported; seen 6.1.192; first level unknown"},
	{PCP_DESIGN, "6.6", "6.6.45", ZL_DESIGN_A_CAP, "A+cap", "commit 52166607ecc9 backported; reported 6.6.45; seen 6.6.63"},
	{DECAY_CHUNKS, "", "5.14", false, "no", "absent 6.8 to 6.18.2"},
	{DECAY_CHUNKS, "", "6.19", true, "yes", "seen 6.19"},
	{DECAY_CHUNKS, "6.18", "6.18.26", true, "yes", "absent 6.18.2; seen 6.18.26, 6.18.35"},
	{THP_LISTS, "", "5.14", 3, "3", "seen"},
	{THP_LISTS, "", "6.0", 1, "1", "seen 6.0, 6.8"},
	{THP_LISTS, "", "6.10", 2, "2", "inferred; seen 6.12"},
	{THP_LISTS, "6.1", "6.1.192", 2, "2", "seen 6.1.192"},
	{THP_LISTS, "6.6", "6.6.63", 2, "2", "seen 6.6.63"},
	{THP_ORDER, "", "5.14", ZL_THP_ORDER_PAGEBLOCK, "pageblock_order", "seen to 6.8"},
	{THP_ORDER, "", "6.10", ZL_THP_ORDER_HPAGE_PMD, "HPAGE_PMD_ORDER", "inferred; seen 6.12"},
	{PCP_LOCK, "", "5.14", ZL_PCP_LOCAL_LOCK, "local_lock", "seen"},
	{PCP_LOCK, "", "6.0", ZL_PCP_TRYLOCK, "trylock", "seen"},
	{REFILL_FAILURE, "", "5.14", false, "fail", "seen to 5.19"},
	{REFILL_FAILURE, "", "6.0", true, "try buddy", "seen"},
	{CMA_BYPASS, "", "5.14", true, "yes", "seen to 6.4"},
	{CMA_BYPASS, "", "6.6", false, "no", "inferred; seen 6.6.63"},
	{FULL_DRAIN, "", "5.14", ZL_FULL_DRAIN_WHOLE, "whole count in one hold", "seen to 6.8"},
	{FULL_DRAIN, "", "6.10", ZL_FULL_DRAIN_PIECES, "pieces of min(count, batch << scale)", "inferred; seen 6.12"},
	{FULL_DRAIN, "6.1", "6.1.192", ZL_FULL_DRAIN_PIECES, "pieces of min(count, batch << scale)", "seen 6.1.192"},
	{FULL_DRAIN, "6.6", "6.6.63", ZL_FULL_DRAIN_PIECES, "pieces of min(count, batch << scale)", "seen 6.6.63"},
	{DRAIN_ORDER, "", "5.14", ZL_DRAIN_ROUND_ROBIN, "block by block, round robin", "seen to 5.17"},
	{DRAIN_ORDER, "", "5.18", ZL_DRAIN_FROM_FREED, "whole lists from the freed one", "inferred; seen 5.19"},
	{DRAIN_TYPE, "", "5.14", ZL_DRAIN_REMEMBERED, "remembered", "seen to 6.8"},
	{DRAIN_TYPE, "", "6.10", ZL_DRAIN_PAGEBLOCK, "pageblock", "inferred; seen 6.12"},
	{CLAMP, "", "5.14", ZL_CLAMP_MIN_MAX, "min(max(v, lo), hi)", "seen 6.1-rc7"},
	{CLAMP, "", "6.8", ZL_CLAMP_HI_FIRST, "hi first, then lo", "inferred; seen 6.12.0"},
	{CLAMP, "6.1", "6.1.192", ZL_CLAMP_HI_FIRST, "hi first, then lo", "seen 6.1.192"},
	{BUDDY_FALLBACK, "", "5.14", ZL_FALLBACK_A, "move and retry, remembered types", "seen 6.1"},
	{BUDDY_FALLBACK, "", "6.10", ZL_FALLBACK_B, "one candidate, split the largest", "inferred; seen 6.12.0, 6.14"},
	{BUDDY_FALLBACK, "", "6.15", ZL_FALLBACK_C, "claim, then steal", "inferred; seen 6.17, 6.18.2"},
	{BUDDY_FALLBACK, "6.12", "6.12.117", ZL_FALLBACK_C, "claim, then steal", "seen 6.12.117; first level unknown"},
	{MERGE_RETAG, "", "5.14", ZL_RETAG_NONE, "none", "seen 6.1"},
	{MERGE_RETAG, "", "6.10", ZL_RETAG_FIRST, "first pageblock of the buddy", "inferred; seen 6.12.0, 6.13 to 6.17, 6.18.2"},
	{MERGE_RETAG, "", "6.19", ZL_RETAG_ALL, "all pageblocks of the buddy", "seen 6.19, 7.0, 7.1.3, 7.3"},
	{MERGE_RETAG, "6.12", "6.12.117", ZL_RETAG_ALL, "all pageblocks of the buddy", "seen 6.12.117; first level unknown"},
	{MERGE_RETAG, "6.18", "6.18.35", ZL_RETAG_ALL, "all pageblocks of the buddy", "seen 6.18.35; first level unknown"},
	{HIGH_ORDER_ATOMIC_REFILL, "", "5.14", true, "as others", "seen"},
	{HIGH_ORDER_ATOMIC_REFILL, "", "7.1", false, "no refill", "seen 7.1.3"},
	{UNIPROCESSOR_PCP, "", "5.14", true, "yes", "seen"},
	{UNIPROCESSOR_PCP, "", "7.1", false, "no pagesets with SMP=n", "seen 7.1.3"},
	{ZONEINFO_LIMITS, "", "5.14", false, "high alone", "seen to 6.12"},
	{ZONEINFO_LIMITS, "", "6.13", true, "high_min and high_max printed", "seen 6.13.7; absent 6.12"},
	{ZONEINFO_PROMO, "", "5.14", false, "not printed", "absent 6.8"},
	{ZONEINFO_PROMO, "", "6.12", true, "printed", "seen 6.12; first release unknown"},
	{WMARK_PROMO, "", "5.14", false, "none", "absent 5.17"},
	{WMARK_PROMO, "", "5.18", true, "min + 3 x distance", "inferred; seen 5.19"},
	{WMARK_MOVABLE, "", "5.14", false, "ZONE_MOVABLE is low memory", "seen to 6.5"},
	{WMARK_MOVABLE, "", "6.6", true, "ZONE_MOVABLE is clamped as HIGHMEM is", "inferred; seen 6.6.63, 6.12"},
	{THP_RECALC, "", "5.14", false, "nothing is undone", "seen 5.15"},
	{THP_RECALC, "", "5.17", true, "min_free_kbytes is recomputed", "seen 5.17"},
	{GROUPING_PAGES, "", "5.14", true, "present less memmap", "seen 6.1"},
	{GROUPING_PAGES, "", "6.10", false, "present", "inferred; seen 6.12, 6.18, 7.3"},
	{HIGHATOMIC_RESERVE, "", "5.14", ZL_HIGHATOMIC_ONE_MORE, "stop at managed / 100 + one block", "seen 6.1"},
	{HIGHATOMIC_RESERVE, "", "6.8", ZL_HIGHATOMIC_ROUNDED, "none below one block, else rounded up", "seen 6.12"},
	{MAX_ORDER_SYMBOL, "", "5.14", ZL_MAX_ORDER_FORCE_ZONEORDER, "FORCE_MAX_ZONEORDER, exclusive", "seen"},
	{MAX_ORDER_SYMBOL, "", "6.1", ZL_MAX_ORDER_ARCH_EXCLUSIVE, "ARCH_FORCE_MAX_ORDER, exclusive", "seen 6.1"},
	{MAX_ORDER_SYMBOL, "", "6.4", ZL_MAX_ORDER_ARCH_INCLUSIVE, "ARCH_FORCE_MAX_ORDER, inclusive", "commit 23baf831a32c"},
	{MAX_ORDER_SYMBOL, "", "6.8", ZL_MAX_ORDER_PAGE_ORDER, "inclusive, renamed MAX_PAGE_ORDER", "seen 6.12"},
	{ARM64_PROMPT, "", "5.14", ZL_PROMPT_NONE, "no prompt", "seen 6.1"},
	{ARM64_PROMPT, "", "6.2", ZL_PROMPT_RANGE, "prompt with a range (4K, 16K)", "from later patches"},
	{ARM64_PROMPT, "", "6.4", ZL_PROMPT_EXPERT, "prompt for experts (4K, 16K)", "commit 34affcd7577a"},
	{ARM64_PROMPT, "", "6.8", ZL_PROMPT_NONE, "no prompt", "inferred; seen 6.12, 6.16"},
	{PAGEBLOCK_CLAMP, "", "5.14", false, "not clamped by MAX_ORDER", "patch pre-image"},
	{PAGEBLOCK_CLAMP, "", "5.18", true, "clamped", "commit b3d40a2b6d10"},
	{PAGEBLOCK_THP_ONLY, "", "5.14", false, "MAX_PAGE_ORDER", "seen"},
	{PAGEBLOCK_THP_ONLY, "", "6.10", true, "min(HPAGE_PMD_ORDER, cap)", "inferred; seen 6.12"},
	{PAGE_BLOCK_SYMBOL, "", "5.14", ZL_BLOCK_SYMBOL_NONE, "none", "seen to 6.14"},
	{PAGE_BLOCK_SYMBOL, "", "6.16", ZL_BLOCK_SYMBOL_ORDER, "PAGE_BLOCK_ORDER", "commit e13e7922d034"},
	{PAGE_BLOCK_SYMBOL, "", "6.17", ZL_BLOCK_SYMBOL_MAX_ORDER, "PAGE_BLOCK_MAX_ORDER", "seen 6.18, 7.3"},
	{CMA_ALIGNMENT, "", "5.14", ZL_CMA_ALIGN_MAX_OF_BOTH, "max(MAX_ORDER, pageblock_order)", "patch pre-image"},
	{CMA_ALIGNMENT, "", "5.18", ZL_CMA_ALIGN_MAX_ORDER, "MAX_ORDER", "commit e16faf26780f"},
	{CMA_ALIGNMENT, "", "5.19", ZL_CMA_ALIGN_PAGEBLOCK, "pageblock_order", "commit 11ac3e87ce09"},
	{CMA_AREAS, "", "5.14", true, "CONFIG_CMA_AREAS + 1", "seen 6.1"},
	{CMA_AREAS, "", "6.9", false, "CONFIG_CMA_AREAS", "inferred; seen 6.12"},
	{CMA_LOG_SIZE, "", "5.14", true, "rounded", "seen 6.1, 6.12"},
	{CMA_LOG_SIZE, "", "6.15", false, "as requested", "inferred; seen 6.18, 7.3"},
	{CMA_LOG_NODE, "", "5.14", false, "without node", "seen 5.15, 6.1"},
	{CMA_LOG_NODE, "", "6.12", true, "on node N", "seen 6.12; first release unknown"},
	{CMA_LOG_NODE, "", "6.15", false, "without node", "seen 6.16"},
	{CMA_FAIL_LOGGED, "", "5.14", false, "some failures are silent", "seen to 6.14"},
	{CMA_FAIL_LOGGED, "", "6.15", true, "every failure is printed", "seen 6.16"},
	{CMA_HIGH_FIRST, "", "5.14", false, "highmem is tried first", "seen 6.1"},
	{CMA_HIGH_FIRST, "", "6.12", true, "above 4 GiB is tried first", "seen 6.12; first release unknown"},
	{CMA_PAGEBLOCK_ZERO, "", "5.14", false, "not checked", "seen to 6.12"},
	{CMA_PAGEBLOCK_ZERO, "", "6.13", true, "pageblock_order 0 is refused", "commit 2532e6c74a67"},
	{CMA_CMDLINE_VS_DT, "", "5.14", ZL_CMA_BYPASS, "bypass node, using cmdline", "seen 6.1, 6.12, 6.16"},
	{CMA_CMDLINE_VS_DT, "", "6.19", ZL_CMA_SKIP_FOR, "device-tree default skipped at scan", "seen 7.0"},
	{CMA_CMDLINE_VS_DT, "", "7.1", ZL_CMA_SKIP_NODE, "device-tree default skipped at scan, reworded", "seen 7.1, 7.3.4"},
	{CMA_LIMIT, "", "5.14", true, "the smaller of the given and the architecture's", "seen 6.1, 6.12"},
	{CMA_LIMIT, "", "7.1", false, "the given one if there is one", "seen 7.1 or later"},
	{OVERLAP_AFTER_REFUSAL, "", "5.14", false, "no", "absent 6.1"},
	{OVERLAP_AFTER_REFUSAL, "", "6.12", true, "false OVERLAP line after a refused dynamic node", "seen 6.12.117, 6.18.15"},
	{OVERLAP_AFTER_REFUSAL, "", "7.1", false, "no", "inferred; absent 7.3.4"},
	{RESERVED_STATIC_LATE, "", "5.14", false, "nodes are initialised together", "seen 6.1"},
	{RESERVED_STATIC_LATE, "", "6.13", true, "static nodes are initialised late", "commit 8a6e02d0c00e"},
	{RESERVED_STATIC_LATE, "6.12", "6.12.117", true, "static nodes are initialised late", "seen 6.12.117; first level unknown"},
	{RESERVED_TABLE, "", "5.14", false, "64 regions in all", "seen 6.1, 6.12"},
	{RESERVED_TABLE, "", "6.13", true, "64 dynamic regions", "seen 6.16"},
	{RESERVED_SUMMARY, "", "5.14", false, "no", "absent 6.1"},
	{RESERVED_SUMMARY, "", "6.12", true, "a line for each region", "seen 6.12; first release unknown"},
	{ALLOC_RANGES_DIRECTION, "", "5.14", false, "default direction", "absent 6.1"},
	{ALLOC_RANGES_DIRECTION, "", "6.12", true, "by the end that touches a region", "seen 6.12; first release unknown"},
	{HUGETLB_CMA_EXACT, "", "5.14", false, "rounded up for each node", "seen 6.1, 6.12"},
	{HUGETLB_CMA_EXACT, "", "7.0", true, "an exact multiple is asked for", "seen 7.1"},
	{DMA_POOL_LOG, "", "5.14", false, "MiB", "seen 6.1"},
	{DMA_POOL_LOG, "", "7.1", true, "KiB", "inferred; seen 7.3.4"},
	{CMA_NODE_AREAS, "", "5.14", false, "before the default area", "seen 6.1, 6.12"},
	{CMA_NODE_AREAS, "", "7.1", true, "after the default area, and only if that was placed", "seen 7.1 or later"},
	{CMA_HIGH_ROOM, "", "5.14", false, "judged by the end of memory", "seen to 6.16"},
	{CMA_HIGH_ROOM, "", "7.0", true, "judged by the limit", "seen 7.0"},
	{LOONGARCH, "", "5.14", false, "no such architecture", "first pull for 5.19"},
	{LOONGARCH, "", "5.19", true, "arch/loongarch exists", "first pull for 5.19"},
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads digits at *s as a number below 65,000; false without a digit or above. */
static bool scan_part(const char **s, uint16_t *ret)
{
	unsigned v = 0;

	if (!is_digit(**s)) {
		return false;
	}
	for (; is_digit(**s); (*s)++) {
		v = v * 10 + (unsigned)(**s - '0');
		if (v > 65000) {
			return false;
		}
	}
	*ret = (uint16_t)v;
	return true;
}

/* "-N-..." after X.Y.0, or ".elN" anywhere: the third number says nothing about the patch level. */
static bool may_be_abi(const struct zl_release *r, const char *suffix)
{
	const char *el = strstr(suffix, ".el");

	if (el != NULL && is_digit(el[3])) {
		return true;
	}
	if (r->patch != 0 || suffix[0] != '-' || !is_digit(suffix[1])) {
		return false;
	}
	suffix++;
	while (is_digit(*suffix) || *suffix == '.') {
		suffix++;
	}
	return *suffix == '-';
}

static void keep_display(struct zl_release *r, const char *s)
{
	size_t n = 0;

	while (n < sizeof(r->display) - 1 && s[n] > ' ' && s[n] < 0x7f) {
		r->display[n] = s[n];
		n++;
	}
	r->display[n] = '\0';
}

int zl_release_parse(const char *s, struct zl_release *ret)
{
	static const char banner[] = "Linux version ";
	struct zl_release r = {.patch_known = true};
	bool third = false;

	if (strncmp(s, banner, sizeof(banner) - 1) == 0) {
		s += sizeof(banner) - 1;
	}
	if (*s == 'v') {
		s++;
	}
	keep_display(&r, s);
	if (!scan_part(&s, &r.major) || *s != '.' || !is_digit(s[1])) {
		return -EINVAL;
	}
	s++;
	if (!scan_part(&s, &r.minor)) {
		return -EINVAL;
	}
	if (*s == '.' && is_digit(s[1])) {
		s++;
		third = scan_part(&s, &r.patch);
		if (!third) {
			return -EINVAL;
		}
	}
	if (strncmp(s, "-rc", 3) == 0 && is_digit(s[3])) {
		s += 3;
		if (!scan_part(&s, &r.rc)) {
			return -EINVAL;
		}
	}
	if (is_digit(*s) || *s == '.' || (*s >= 'a' && *s <= 'z')) {
		return -EINVAL;
	}
	r.patch_known = !(third && r.rc == 0 && may_be_abi(&r, s));
	*ret = r;
	return 0;
}

int zl_release_compare(const struct zl_release *a, const struct zl_release *b)
{
	/* A release candidate precedes the release: rank 0 means "the release itself". */
	unsigned rank_a = a->rc != 0 ? a->rc : UINT_MAX;
	unsigned rank_b = b->rc != 0 ? b->rc : UINT_MAX;

	if (a->major != b->major) {
		return a->major < b->major ? -1 : 1;
	}
	if (a->minor != b->minor) {
		return a->minor < b->minor ? -1 : 1;
	}
	if (a->patch != b->patch) {
		return a->patch < b->patch ? -1 : 1;
	}
	return rank_a < rank_b ? -1 : rank_a > rank_b;
}

/* A release of the table; the table's own strings always parse (unit test). */
static struct zl_release parsed(const char *s)
{
	struct zl_release r = {0};

	(void)zl_release_parse(s, &r);
	return r;
}

static bool same_series(const struct zl_release *r, const char *series)
{
	struct zl_release s = parsed(series);

	return s.major == r->major && s.minor == r->minor && r->rc == 0;
}

static void set_switch(struct zl_switches *sw, enum behaviour b, int value)
{
	unsigned char *at = (unsigned char *)sw + behaviours[b].offset;

	if (behaviours[b].size == 1) {
		*at = (unsigned char)value;
	} else {
		memcpy(at, &value, sizeof(value));
	}
}

/* Applies the rows of one kind (mainline or stable) that hold for @r, oldest first. */
static void apply_rows(const struct zl_release *r, bool stable, struct zl_switches *sw)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct zl_release since = parsed(rows[i].since);

		if ((rows[i].series[0] != '\0') != stable) {
			continue;
		}
		if (stable && !same_series(r, rows[i].series)) {
			continue;
		}
		if (zl_release_compare(r, &since) >= 0) {
			set_switch(sw, rows[i].behaviour, rows[i].value);
		}
	}
}

/* Patch levels of this series that the table knows a newer behaviour from, above @r. */
static const char *next_stable_level(const struct zl_release *r)
{
	const char *best = NULL;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct zl_release since = parsed(rows[i].since);

		if (rows[i].series[0] == '\0' || !same_series(r, rows[i].series)) {
			continue;
		}
		if (zl_release_compare(r, &since) < 0) {
			struct zl_release old = best != NULL ? parsed(best) : since;
			if (best == NULL || zl_release_compare(&since, &old) < 0) {
				best = rows[i].since;
			}
		}
	}
	return best;
}

/* The newest mainline release of the table. */
static struct zl_release newest_release(void)
{
	struct zl_release newest = {0};

	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct zl_release since = parsed(rows[i].since);

		if (rows[i].series[0] == '\0' && zl_release_compare(&since, &newest) > 0) {
			newest = since;
		}
	}
	return newest;
}

/* Stable levels that were read themselves, so that nothing has to be assumed about them. */
static bool seen_level(const struct zl_release *r)
{
	static const char *const levels[] = {"6.18.2"};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct zl_release seen = parsed(levels[i]);
		if (zl_release_compare(r, &seen) == 0) {
			return true;
		}
	}
	return false;
}

static void note_release(const struct zl_release *r, struct zl_diags *diags)
{
	struct zl_release first = parsed("5.14");
	struct zl_release newest = newest_release();
	bool above =
		r->major > newest.major || (r->major == newest.major && r->minor > newest.minor);
	const char *level = next_stable_level(r);
	struct zl_diag *d = NULL;

	if (zl_release_compare(r, &first) < 0 && !(r->major == 5 && r->minor == 14)) {
		d = zl_diag_add(diags, ZL_WARNING, ZL_DIAG_RELEASE_OLDER,
			"%u.%u is below 5.14: geometry answers by the oldest rules, pagesets are "
			"not modelled",
			(unsigned)r->major, (unsigned)r->minor);
	} else if (above) {
		d = zl_diag_add(diags, ZL_WARNING, ZL_DIAG_RELEASE_NEWER,
			"%u.%u is above the newest row of the release table: the rules of %u.%u "
			"are used",
			(unsigned)r->major, (unsigned)r->minor, (unsigned)newest.major,
			(unsigned)newest.minor);
	} else if (!r->patch_known) {
		d = zl_diag_add(diags, ZL_WARNING, ZL_DIAG_RELEASE_ABI,
			"%s: the third number may be an ABI number, the newest known state of "
			"%u.%u is used",
			r->display, (unsigned)r->major, (unsigned)r->minor);
		zl_format(d->mend, sizeof(d->mend),
			"fix: kernel=%u.%u.N with the upstream patch level N", (unsigned)r->major,
			(unsigned)r->minor);
	} else if (level != NULL && r->patch > 0 && !seen_level(r)) {
		d = zl_diag_add(diags, ZL_NOTE, ZL_DIAG_RELEASE_BACKPORT,
			"%u.%u.%u: backports seen from %s on may be in it already; the older rules "
			"are used",
			(unsigned)r->major, (unsigned)r->minor, (unsigned)r->patch, level);
	}
	if (d != NULL) {
		d->about = ZL_SET_KERNEL;
	}
}

void zl_switches_for(const struct zl_release *r, struct zl_switches *ret, struct zl_diags *diags)
{
	struct zl_release first = parsed("5.14");
	struct zl_release at = *r;
	bool older = zl_release_compare(r, &first) < 0;

	/* Candidates of 5.14 have the design already (seen 5.14-rc5). */
	if (older && r->major == 5 && r->minor == 14) {
		older = false;
		at.rc = 0;
	}
	if (!r->patch_known) {
		at.patch = PATCH_NEWEST;
	}
	memset(ret, 0, sizeof(*ret));
	apply_rows(older ? &first : &at, false, ret);
	if (!older) {
		apply_rows(&at, true, ret);
	} else {
		ret->design = ZL_DESIGN_NONE;
	}
	if (diags != NULL) {
		note_release(r, diags);
	}
}

size_t zl_release_row_count(void)
{
	return ROW_COUNT;
}

struct zl_release_row zl_release_row(size_t i)
{
	struct zl_release_row r = {
		.behaviour = behaviours[rows[i].behaviour].name,
		.series = rows[i].series[0] != '\0' ? rows[i].series : "mainline",
		.since = rows[i].since,
		.value = rows[i].words,
		.evidence = rows[i].evidence,
	};

	return r;
}

/* The mainline releases of the table in ascending order without repeats; returns how many. */
static size_t breakpoints(const char *ret[ROW_COUNT])
{
	struct zl_release order[ROW_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct zl_release since = parsed(rows[i].since);
		size_t at = 0;

		if (rows[i].series[0] != '\0') {
			continue;
		}
		while (at < n && zl_release_compare(&order[at], &since) < 0) {
			at++;
		}
		if (at < n && zl_release_compare(&order[at], &since) == 0) {
			continue;
		}
		memmove(&order[at + 1], &order[at], (n - at) * sizeof(order[0]));
		memmove(&ret[at + 1], &ret[at], (n - at) * sizeof(ret[0]));
		order[at] = since;
		ret[at] = rows[i].since;
		n++;
	}
	return n;
}

size_t zl_breakpoint_count(void)
{
	const char *list[ROW_COUNT];

	return breakpoints(list);
}

const char *zl_breakpoint(size_t i)
{
	const char *list[ROW_COUNT];

	return i < breakpoints(list) ? list[i] : NULL;
}
