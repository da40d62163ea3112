/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words for fields, verdicts and reasons.
 */
#include "verify_private.h"
#include "zonelab/text.h"

static const char *field_name(enum zl_verify_field f)
{
	static const char *const name[] = {"min_free_kbytes", "pageblock_order", "max_page_order",
		"min", "low", "high", "promo", "batch", "high_min", "high_max", "pcp_high",
		"protection", "stat_threshold"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_VERIFY_FIELD_COUNT, "a name each");

	return name[f];
}

const char *zl_verdict_name(enum zl_verify_verdict v)
{
	static const char *const name[] = {"agrees", "explained", "differs", "taken as read"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_VERDICT_COUNT, "a name each");

	return name[v];
}

const char *zl_verify_reason_name(enum zl_verify_reason r)
{
	static const char *const name[] = {"none", "freed-later", "unpopulated", "untouched",
		"tuned", "below-min", "no-min-free", "fraction", "six-batches", "even-steps", "set",
		"more-cpus", "ratio", "no-thp", "no-managed", "online", "pressure"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_VERIFY_REASON_COUNT, "a name each");

	return name[r];
}

size_t zl_verify_item_name(const struct zl_verify_item *item, char *buf, size_t size)
{
	if (item->field == ZL_VERIFY_PROTECTION) {
		return zl_format(buf, size, "protection (%s)", zl_zone_type_name(item->upto));
	}
	return zl_format(buf, size, "%s", field_name(item->field));
}

static const char *min_free_rule(enum zl_min_free_rule rule)
{
	switch (rule) {
	case ZL_MIN_FREE_SQRT:
		return "the square root of 16 times low memory in KiB";
	case ZL_MIN_FREE_SQRT_LOW:
		return "at least 128 KiB";
	case ZL_MIN_FREE_SQRT_HIGH:
		return "at most 262144 KiB";
	case ZL_MIN_FREE_USER:
		return "set by hand";
	case ZL_MIN_FREE_THP:
		return "khugepaged: 11 pageblocks for each zone";
	case ZL_MIN_FREE_THP_CAPPED:
		return "khugepaged: capped at 5 % of low memory";
	case ZL_MIN_FREE_RULE_COUNT:
		break;
	}
	return "";
}

const char *zl_verify_rule(const struct zl_machine *m, enum zl_verify_field f)
{
	static const char *const rule[] = {"", "the smaller of huge page order and cap",
		"MAX_PAGE_ORDER: the last list of the buddy",
		"the zone's part of min_free_kbytes, by managed pages",
		"min + a step of max(min / 4, managed x watermark_scale_factor / 10000)",
		"min + 2 steps", "min + 3 steps",
		"managed / 4096, at most 256 KiB of pages, rounded to a power of two less 1",
		"low / CPUs of the node, at least 4 batches",
		"managed / 8 / CPUs of the node, at least 4 batches",
		"low / CPUs of the node, at least 4 batches",
		"managed pages of the node's zones above / lowmem_reserve_ratio of this zone",
		"2 x fls(CPUs) x (1 + fls(managed in units of 128 MiB)), at most 125"};
	_Static_assert(sizeof(rule) / sizeof(rule[0]) == ZL_VERIFY_FIELD_COUNT, "a rule each");

	if (f == ZL_VERIFY_MIN_FREE) {
		return min_free_rule(m->min_free.rule);
	}
	if (m->switches.design == ZL_DESIGN_NONE && zl_verify_is_limit(f)) {
		return "6 times batch, the rule before 5.14";
	}
	if (zl_batch_cap(&m->release) == ZL_BATCH_CAP_OLD && f == ZL_VERIFY_BATCH) {
		return "managed / 4096, at most 128 KiB of pages (before 4.19), rounded to a power "
		       "of two less 1";
	}
	return rule[f];
}

static void freed_later(struct zl_text *t, const int64_t *n)
{
	uint64_t missing = (uint64_t)(n[2] - n[0]);

	zl_text_str(t, "expected because it was computed when the zone had ");
	if (n[0] == n[1]) {
		zl_text_fmt(t, "%N", (uint64_t)n[0]);
	} else {
		zl_text_fmt(t, "%N to %N", (uint64_t)n[0], (uint64_t)n[1]);
	}
	zl_text_fmt(t,
		" managed pages; init memory came back later: %N now, %N more (at most %N are "
		"allowed for)",
		(uint64_t)n[2], missing, (uint64_t)n[3]);
	if (n[4] != 0) {
		zl_text_str(t,
			"; no other value of these files tells how many, so one that was set that "
			"much lower looks the same");
	}
}

static void no_min_free(struct zl_text *t, const int64_t *n)
{
	zl_text_str(t, "taken as read: min_free_kbytes is not in these files");
	if (n[0] <= n[1]) {
		zl_text_fmt(
			t, "; %N to %N would fit the zones' min", (uint64_t)n[0], (uint64_t)n[1]);
	}
}

static void differs(struct zl_text *t, const struct zl_verify_item *item)
{
	if (item->field == ZL_VERIFY_HIGH && item->n[1] > 0) {
		zl_text_fmt(t, "differs: above high_max %D, and no rule lets high rise above it",
			item->n[1]);
		return;
	}
	zl_text_fmt(t, "differs: %D reported, %D computed", item->reported, item->computed);
	if (item->field == ZL_VERIFY_MIN_FREE) {
		zl_text_fmt(t, "; if it was set by hand, --set min_free_kbytes=%D says so",
			item->reported);
	}
}

static void six_batches(struct zl_text *t, const struct zl_verify_item *item)
{
	zl_text_fmt(t, "%s 6 times batch %D, the rule before 5.14",
		item->verdict == ZL_VERDICT_DIFFERS ? "differs:" : "expected because it is",
		item->n[0]);
	if (item->verdict == ZL_VERDICT_DIFFERS) {
		zl_text_str(t, ": the release does not fit this file");
	}
}

/* Reasons of a pageset's high. */
static void high_reason(struct zl_text *t, const struct zl_verify_item *item)
{
	const int64_t *n = item->n;

	if (item->reason == ZL_REASON_UNTOUCHED) {
		zl_text_fmt(t,
			"expected because no page was freed to this pageset yet; it starts "
			"at high_min %D",
			n[0]);
	} else if (item->reason == ZL_REASON_TUNED) {
		zl_text_fmt(t, "expected because high is tuned between high_min %D and high_max %D",
			n[0], n[1]);
	} else if (item->reason == ZL_REASON_BELOW_MIN) {
		zl_text_fmt(t,
			"expected because high follows high_min %D only at the next use of "
			"the pageset",
			n[0]);
	} else {
		zl_text_fmt(t,
			"expected because percpu_pagelist_high_fraction is %D: managed %N / "
			"%D / %D CPUs",
			n[0], (uint64_t)n[1], n[0], n[2]);
	}
}

/* What would explain a value, where no file states it. */
static void unstated(struct zl_text *t, const struct zl_verify_item *item)
{
	const int64_t *n = item->n;

	if (item->reason == ZL_REASON_RATIO) {
		zl_text_fmt(t,
			"expected with lowmem_reserve_ratio %D for this zone, which these files do "
			"not say",
			n[0]);
	} else if (item->reason == ZL_REASON_NO_THP) {
		zl_text_fmt(t,
			"expected where transparent huge pages are off, of which these files say "
			"nothing; with them it would be %N",
			(uint64_t)n[0]);
	} else if (item->reason == ZL_REASON_NO_MANAGED) {
		zl_text_str(t, "taken as read: shares of min_free_kbytes need the managed pages "
			       "of every zone");
	} else if (item->reason == ZL_REASON_ONLINE) {
		zl_text_fmt(t,
			"expected with %N to %N CPUs online, as all zones here say; these files "
			"show %D",
			(uint64_t)n[0], (uint64_t)n[1], n[2]);
	} else {
		zl_text_fmt(t,
			"expected because kswapd was awake: low - min %N / %D CPUs, at most %d",
			(uint64_t)n[0], n[1], ZL_STAT_THRESHOLD_MAX);
	}
}

size_t zl_verify_reason_text(const struct zl_verify_item *item, char *buf, size_t size)
{
	const int64_t *n = item->n;
	struct zl_text t;

	zl_text_init(&t, buf, size);
	switch (item->reason) {
	case ZL_REASON_NONE:
		if (item->verdict == ZL_VERDICT_DIFFERS) {
			differs(&t, item);
		}
		break;
	case ZL_REASON_FREED_LATER:
		freed_later(&t, n);
		break;
	case ZL_REASON_UNPOPULATED:
		zl_text_str(&t, "expected because the zone has no memory: the boot pageset");
		break;
	case ZL_REASON_UNTOUCHED:
	case ZL_REASON_TUNED:
	case ZL_REASON_BELOW_MIN:
	case ZL_REASON_FRACTION:
		high_reason(&t, item);
		break;
	case ZL_REASON_NO_MIN_FREE:
		no_min_free(&t, n);
		break;
	case ZL_REASON_SIX_BATCHES:
		six_batches(&t, item);
		break;
	case ZL_REASON_STEP:
		zl_text_fmt(&t, "%s: min %D and even steps of %D give %D",
			item->verdict == ZL_VERDICT_DIFFERS ? "differs" : "expected", n[0], n[1],
			item->computed);
		break;
	case ZL_REASON_MORE_CPUS:
		zl_text_fmt(&t,
			"expected because it is low %N / %D CPUs of the node; these files show %D",
			(uint64_t)n[0], n[1], n[2]);
		break;
	case ZL_REASON_SET:
		zl_text_fmt(&t, "expected because min_free_kbytes was set to %D by hand", n[0]);
		break;
	case ZL_REASON_RATIO:
	case ZL_REASON_NO_THP:
	case ZL_REASON_NO_MANAGED:
	case ZL_REASON_ONLINE:
	case ZL_REASON_PRESSURE:
		unstated(&t, item);
		break;
	case ZL_VERIFY_REASON_COUNT:
		break;
	}
	return t.len;
}
