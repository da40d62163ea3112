/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lowmem_reserve: pages that a zone keeps from requests which could have used a higher zone.
 */
#include <string.h>

#include "machine_private.h"
#include "zonelab/text.h"

#define DEFAULT_DMA    256
#define DEFAULT_NORMAL 32
#define RATIO_TEXT     16

/* The sysctl's columns are the zone types that a kernel was built with. */
static const enum zl_zone_type wide_columns[] = {
	ZL_ZONE_DMA, ZL_ZONE_DMA32, ZL_ZONE_NORMAL, ZL_ZONE_MOVABLE, ZL_ZONE_DEVICE};
static const enum zl_zone_type highmem_columns[] = {
	ZL_ZONE_DMA, ZL_ZONE_NORMAL, ZL_ZONE_HIGHMEM, ZL_ZONE_MOVABLE, ZL_ZONE_DEVICE};
#define COLUMNS (sizeof(wide_columns) / sizeof(wide_columns[0]))

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == ',';
}

/* Reads up to COLUMNS numbers; false when anything else is there. */
static bool read_ratios(const char *text, const enum zl_zone_type *columns, uint64_t *ratio)
{
	size_t n = 0;

	while (*text != '\0') {
		char word[RATIO_TEXT];
		struct zl_text t;

		zl_text_init(&t, word, sizeof(word));
		for (; is_blank(*text); text++) {
		}
		for (; *text != '\0' && !is_blank(*text); text++) {
			zl_text_chr(&t, *text);
		}
		if (t.len == 0) {
			break;
		}
		if (n == COLUMNS || t.cut || zl_parse_u64(word, &ratio[columns[n]]) < 0) {
			return false;
		}
		n++;
	}
	return n > 0;
}

static void ratios(struct zl_derivation *d, uint64_t ratio[ZL_ZONE_TYPE_COUNT])
{
	const char *text = zl_settings_text(d->settings, ZL_SET_LOWMEM_RESERVE_RATIO);
	const enum zl_zone_type *columns = wide_columns;
	uint64_t given[ZL_ZONE_TYPE_COUNT] = {0};

	for (size_t i = 0; i < d->m->nr_zones; i++) {
		if (d->m->zones[i].type == ZL_ZONE_HIGHMEM) {
			columns = highmem_columns;
		}
	}
	memset(ratio, 0, ZL_ZONE_TYPE_COUNT * sizeof(ratio[0]));
	ratio[ZL_ZONE_DMA] = ratio[ZL_ZONE_DMA32] = DEFAULT_DMA;
	ratio[ZL_ZONE_NORMAL] = DEFAULT_NORMAL;
	if (!zl_settings_given(d->settings, ZL_SET_LOWMEM_RESERVE_RATIO)) {
		return;
	}
	if (read_ratios(text, columns, given)) {
		memcpy(ratio, given, sizeof(given));
		return;
	}
	zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_RANGE,
		"lowmem_reserve_ratio=%s is not up to %u numbers; the default is used", text,
		(unsigned)COLUMNS)
		->about = ZL_SET_LOWMEM_RESERVE_RATIO;
}

/* Managed pages of the node's zones above @z, up to type @upto. */
static uint64_t managed_above(const struct zl_machine *m, const struct zl_zone *z, unsigned upto)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *other = &m->zones[i];

		if (other->node == z->node && other->type > z->type && other->type <= upto) {
			pages += other->managed;
		}
	}
	return pages;
}

void zl_derive_reserve(struct zl_derivation *d)
{
	uint64_t ratio[ZL_ZONE_TYPE_COUNT];

	ratios(d, ratio);
	for (size_t i = 0; i < d->m->nr_zones; i++) {
		struct zl_zone *z = &d->m->zones[i];
		uint64_t part = ratio[z->type];

		if (part == 0) {
			continue;
		}
		for (unsigned t = (unsigned)z->type + 1; t < ZL_ZONE_TYPE_COUNT; t++) {
			if (z->managed > 0) {
				z->lowmem_reserve[t] = managed_above(d->m, z, t) / part;
			}
		}
	}
}
