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

/* A release as numbers, beside its text. */
struct level {
	uint16_t major, minor, patch;
};

/* A mainline row and the row of a stable series: series, first release as text and as numbers. */
/* clang-format off */
#define FROM(x, y) "", #x "." #y, {x, y, 0}
#define LEVEL(x, y, z) #x "." #y, #x "." #y "." #z, {x, y, z}
/* clang-format on */

static const struct row {
	enum behaviour behaviour;
	const char *series; /* "" = mainline */
	const char *since;
	struct level level;
	int value;
	const char *words;
	const char *evidence;
} rows[] = {
#include "releases_table.h"
};

#undef FROM
#undef LEVEL

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

static struct zl_release release_at(struct level l)
{
	return (struct zl_release){
		.major = l.major, .minor = l.minor, .patch = l.patch, .patch_known = true};
}

static bool is_stable(const struct row *row)
{
	return row->series[0] != '\0';
}

static bool of_series(const struct row *row, const struct zl_release *r)
{
	return is_stable(row) && row->level.major == r->major && row->level.minor == r->minor &&
	       r->rc == 0;
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
		const struct zl_release since = release_at(rows[i].level);

		if (stable ? !of_series(&rows[i], r) : is_stable(&rows[i])) {
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
	const struct row *best = NULL;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];

		if (of_series(row, r) && row->level.patch > r->patch &&
			(best == NULL || row->level.patch < best->level.patch)) {
			best = row;
		}
	}
	return best != NULL ? best->since : NULL;
}

/* The newest mainline release of the table. */
static struct zl_release newest_release(void)
{
	struct zl_release newest = {0};

	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct zl_release since = release_at(rows[i].level);

		if (!is_stable(&rows[i]) && zl_release_compare(&since, &newest) > 0) {
			newest = since;
		}
	}
	return newest;
}

/* Stable levels that were read themselves, so that nothing has to be assumed about them. */
static bool seen_level(const struct zl_release *r)
{
	static const struct level levels[] = {
		{6, 18, 2}
	  };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		const struct zl_release seen = release_at(levels[i]);

		if (zl_release_compare(r, &seen) == 0) {
			return true;
		}
	}
	return false;
}

/* What the table begins with. */
static const struct level oldest = {5, 14, 0};

static void note_release(const struct zl_release *r, struct zl_diags *diags)
{
	const struct zl_release first = release_at(oldest);
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

bool zl_switches_equal(const struct zl_switches *a, const struct zl_switches *b)
{
	for (size_t i = 0; i < BEHAVIOUR_COUNT; i++) {
		const char *of_a = (const char *)a + behaviours[i].offset;
		const char *of_b = (const char *)b + behaviours[i].offset;

		if (memcmp(of_a, of_b, behaviours[i].size) != 0) {
			return false;
		}
	}
	return true;
}

void zl_switches_for(const struct zl_release *r, struct zl_switches *ret, struct zl_diags *diags)
{
	const struct zl_release first = release_at(oldest);
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
		.series = is_stable(&rows[i]) ? rows[i].series : "mainline",
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
		const struct zl_release since = release_at(rows[i].level);
		size_t at = 0;

		if (is_stable(&rows[i])) {
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

const char *zl_breakpoint_newest(void)
{
	struct zl_release newest = release_at(oldest);
	const char *ret = NULL;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct zl_release since = release_at(rows[i].level);

		if (!is_stable(&rows[i]) &&
			(ret == NULL || zl_release_compare(&newest, &since) < 0)) {
			newest = since;
			ret = rows[i].since;
		}
	}
	return ret;
}
