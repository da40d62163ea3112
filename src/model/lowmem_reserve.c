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

/* Reads up to COLUMNS numbers; returns how many, 0 when anything else is there. */
static size_t read_numbers(const char *text, uint64_t ret[static COLUMNS])
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
		if (n == COLUMNS || t.cut || zl_parse_u64(word, &ret[n]) < 0) {
			return 0;
		}
		n++;
	}
	return n;
}

/* Types of the machine's zones, those without memory too, from the lowest up. */
static size_t types_of(const struct zl_machine *m, enum zl_zone_type ret[static COLUMNS])
{
	bool has[ZL_ZONE_TYPE_COUNT] = {false};
	size_t n = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		has[m->zones[i].type] = true;
	}
	for (unsigned t = 0; t < ZL_ZONE_TYPE_COUNT && n < COLUMNS; t++) {
		if (has[t]) {
			ret[n++] = (enum zl_zone_type)t;
		}
	}
	return n;
}

/* The type of each of @n columns: the zones that a file shows, where they are as many. */
static void columns_for(const struct zl_machine *m, size_t n, enum zl_zone_type ret[static COLUMNS])
{
	bool highmem = false;

	if (types_of(m, ret) == n) {
		return;
	}
	for (size_t i = 0; i < m->nr_zones; i++) {
		highmem = highmem || m->zones[i].type == ZL_ZONE_HIGHMEM;
	}
	memcpy(ret, highmem ? highmem_columns : wide_columns, sizeof(wide_columns));
}

static void ratios(struct zl_derivation *d, uint64_t ratio[ZL_ZONE_TYPE_COUNT])
{
	const char *text = zl_settings_text(d->settings, ZL_SET_LOWMEM_RESERVE_RATIO);
	enum zl_zone_type column[COLUMNS];
	uint64_t given[COLUMNS];
	size_t n;

	memset(ratio, 0, ZL_ZONE_TYPE_COUNT * sizeof(ratio[0]));
	ratio[ZL_ZONE_DMA] = ratio[ZL_ZONE_DMA32] = DEFAULT_DMA;
	ratio[ZL_ZONE_NORMAL] = DEFAULT_NORMAL;
	if (!zl_settings_given(d->settings, ZL_SET_LOWMEM_RESERVE_RATIO)) {
		return;
	}
	n = read_numbers(text, given);
	if (n == 0) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_RANGE,
			"lowmem_reserve_ratio=%s is not up to %u numbers; the default is used",
			text, (unsigned)COLUMNS)
			->about = ZL_SET_LOWMEM_RESERVE_RATIO;
		return;
	}
	columns_for(d->m, n, column);
	memset(ratio, 0, ZL_ZONE_TYPE_COUNT * sizeof(ratio[0]));
	for (size_t i = 0; i < n; i++) {
		ratio[column[i]] = given[i];
	}
}

uint64_t zl_managed_above(const struct zl_machine *m, const struct zl_zone *z, unsigned upto)
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
				z->lowmem_reserve[t] = zl_managed_above(d->m, z, t) / part;
			}
		}
	}
}
