/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision points and the names that their expressions may use.
 */
#include <string.h>

#include "zonelab/policy.h"
#include "zonelab/text.h"

#define NAME(id) (UINT64_C(1) << ZL_NAME_##id)
/* A pageset and the flags of its zone. */
#define PCP                                                                                        \
	(NAME(COUNT) | NAME(HIGH) | NAME(HIGH_MIN) | NAME(HIGH_MAX) | NAME(BATCH) |                \
		NAME(FREE_COUNT) | NAME(FREE_FACTOR) | NAME(ALLOC_FACTOR) | NAME(FLAGS) |          \
		NAME(EXPIRE) | NAME(PREV_FREE_HIGH_ORDER) | NAME(FREE_HIGH_BATCH) |                \
		NAME(SCALE_MAX) | NAME(COSTLY_ORDER) | NAME(ZONE_FLAGS) | NAME(RECLAIM_ACTIVE) |   \
		NAME(BELOW_HIGH))
#define PAGE (NAME(PAGE_SHIFT) | NAME(PAGE_SIZE) | NAME(SZ_1M))
/* What orders follow from. */
#define ORDERS                                                                                     \
	(NAME(HUGETLB_PAGE) | NAME(THP) | NAME(HUGETLB_ORDER) | NAME(PMD_ORDER) |                  \
		NAME(MAX_PAGE_ORDER) | NAME(MAX_ORDER_PAGES))
#define BLOCK (NAME(PAGEBLOCK_ORDER) | NAME(PAGEBLOCK_PAGES))

static const struct {
	struct zl_point_info info;
	uint64_t scope;
} points[ZL_POINT_COUNT] = {
#define ZL_POINT(id, point_name, point_stage, ctype, point_target, names, kernel, about)           \
	[ZL_POINT_##id] = {                                                                        \
		.info = {.name = (point_name),                                                     \
			 .stage = ZL_POINT_##point_stage,                                           \
			 .type = (ctype),                                                           \
			 .target = (point_target),                                                  \
			 .function = (kernel),                                                      \
			 .meaning = (about)},                                                       \
		.scope = (names),                                                                  \
	},
#include "zonelab/policy_points.h"
#undef ZL_POINT
};

#define IS_TUNED(designs)  (designs == 't')
#define IS_FACTOR(designs) (designs == 'f')
#define TUNED		   't'
#define FACTOR		   'f'
#define ANY		   'a'
#define CONSTANT	   ZL_NAME_IS_CONSTANT
#define LIMIT		   ZL_NAME_IS_LIMIT
#define LIVE		   ZL_NAME_IS_LIVE

static const struct zl_policy_name names[ZL_POLICY_NAMES] = {
#define ZL_POLICY_NAME(id, spellings, what, number, designs, about)                                \
	[ZL_NAME_##id] = {                                                                         \
		.words = (spellings),                                                              \
		.kind = (what),                                                                    \
		.value = (number),                                                                 \
		.tuned = IS_TUNED(designs),                                                        \
		.factor = IS_FACTOR(designs),                                                      \
		.meaning = (about),                                                                \
	},
#include "zonelab/policy_names.h"
#undef ZL_POLICY_NAME
};

const struct zl_point_info *zl_point_info(enum zl_point p)
{
	return &points[p].info;
}

enum zl_point zl_point_find(const char *name)
{
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		if (strcmp(points[p].info.name, name) == 0) {
			return (enum zl_point)p;
		}
	}
	return ZL_POINT_COUNT;
}

const char *zl_point_nearest(const char *name)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		zl_nearest_try(&near, points[p].info.name);
	}
	return near.name;
}

const struct zl_policy_name *zl_policy_name(enum zl_policy_name_id id)
{
	return &names[id];
}

const char *zl_policy_name_word(enum zl_policy_name_id id, char *buf)
{
	const char *words = names[id].words;
	struct zl_text t;

	zl_text_init(&t, buf, ZL_EXPR_NAME_MAX);
	zl_text_strn(&t, words, strcspn(words, " "));
	return buf;
}

bool zl_point_has_name(enum zl_point p, enum zl_policy_name_id id)
{
	return (points[p].scope >> id & 1) != 0;
}
