/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of the reservation model as JSON and screens print them, and the map's fixed parts.
 */
#include <string.h>

#include "zonelab/reservation.h"
#include "zonelab/text.h"

#define FOUR_GIB       (UINT64_C(4) << 30)
#define SIXTEEN_MIB    (UINT64_C(16) << 20)
#define LOWMEM_BYTES   (UINT64_C(760) << 20) /* arm with the default vmalloc area */
#define LOWMEM_I386    (UINT64_C(896) << 20)
#define PHYS_BITS_WIDE 64

static const char *const sources[ZL_SOURCE_COUNT] = {
	[ZL_SOURCE_DTS] = "dts",
	[ZL_SOURCE_DTB] = "dtb",
	[ZL_SOURCE_CMDLINE] = "cmdline",
	[ZL_SOURCE_CONFIG] = "config",
	[ZL_SOURCE_LOG] = "log",
	[ZL_SOURCE_MANUAL] = "manual",
};
static const char *const classes[ZL_POOL_CLASS_COUNT] = {
	[ZL_POOL_CMA] = "cma",
	[ZL_POOL_COHERENT] = "coherent",
	[ZL_POOL_NO_MAP] = "no-map",
	[ZL_POOL_GENERIC] = "generic",
	[ZL_POOL_IGNORED] = "ignored",
};
static const char *const verdicts[ZL_POOL_VERDICT_COUNT] = {
	[ZL_VERDICT_ACCEPTED] = "accepted",
	[ZL_VERDICT_REFUSED] = "refused",
	[ZL_VERDICT_NO_ROOM] = "no-room",
	[ZL_VERDICT_BYPASSED] = "bypassed",
	[ZL_VERDICT_NONE] = "none",
};
static const char *const placements[ZL_PLACEMENT_COUNT] = {
	[ZL_PLACEMENT_PLACED] = "placed",
	[ZL_PLACEMENT_NO_ROOM] = "no-room",
	[ZL_PLACEMENT_UNKNOWN] = "unknown",
};
static const char *const reasons[ZL_POOL_REASON_COUNT] = {
	[ZL_REASON_FITS] = "fits",
	[ZL_REASON_ROUNDED] = "rounded-up",
	[ZL_REASON_NO_RULE] = "no-alignment-rule",
	[ZL_REASON_SIZE] = "size-alignment",
	[ZL_REASON_BASE] = "base-alignment",
	[ZL_REASON_BASE_SIZE] = "base-and-size-alignment",
	[ZL_REASON_LIMIT] = "limit",
	[ZL_REASON_HIGHMEM] = "highmem-boundary",
	[ZL_REASON_SLOTS] = "no-slots",
	[ZL_REASON_REGIONS] = "no-regions",
	[ZL_REASON_NO_HOLE] = "no-hole",
	[ZL_REASON_TAKEN] = "taken",
	[ZL_REASON_OUTSIDE] = "outside-memory",
	[ZL_REASON_ZONES] = "crosses-zones",
	[ZL_REASON_ZERO] = "size-zero",
	[ZL_REASON_OVERRIDDEN] = "overridden",
	[ZL_REASON_NO_DMA_CMA] = "no-dma-cma",
	[ZL_REASON_GIGANTIC] = "gigantic-page",
	[ZL_REASON_FAULT] = "node-format",
};

const char *zl_pool_source_name(enum zl_pool_source s)
{
	return sources[s];
}

const char *zl_pool_class_name(enum zl_pool_class c)
{
	return classes[c];
}

const char *zl_pool_verdict_name(enum zl_pool_verdict v)
{
	return verdicts[v];
}

const char *zl_pool_placement_name(enum zl_pool_placement p)
{
	return placements[p];
}

const char *zl_pool_reason_name(enum zl_pool_reason r)
{
	return reasons[r];
}

static bool is_arch(const struct zl_geometry *g, const char *name)
{
	return g->arch != NULL && strcmp(g->arch->arch, name) == 0;
}

static void boundary(struct zl_memory_map *map, uint64_t address)
{
	map->boundary[map->nr_boundaries++] = address;
}

/*
 * How far the default area may reach, and which addresses zones end at.
 * Source: arch/arm64/mm/init.c, zone_sizes_init() and max_zone_phys(), v6.12;
 * arch/x86/mm/init.c, zone_sizes_init(), v6.12; arch/riscv/mm/init.c, v6.12.
 */
void zl_memory_map_init(
	struct zl_memory_map *map, const struct zl_geometry *g, uint64_t start_of_memory)
{
	memset(map, 0, sizeof(*map));
	map->page_size = g->page_size;
	map->nodes = 1;
	map->top_down = g->arch == NULL || g->arch->top_down;
	map->phys64 = g->arch == NULL || g->arch->phys_bits == PHYS_BITS_WIDE;
	if (is_arch(g, "arm64") || is_arch(g, "riscv64")) {
		if (start_of_memory < FOUR_GIB) {
			map->dma_limit = FOUR_GIB;
			boundary(map, FOUR_GIB);
		}
	} else if (is_arch(g, "x86_64")) {
		boundary(map, SIXTEEN_MIB);
		boundary(map, FOUR_GIB);
	} else if (is_arch(g, "arm")) {
		map->dma_limit = FOUR_GIB;
		map->highmem_start = start_of_memory + LOWMEM_BYTES;
		boundary(map, map->highmem_start);
	} else if (is_arch(g, "i386")) {
		map->highmem_start = LOWMEM_I386;
		boundary(map, SIXTEEN_MIB);
		boundary(map, map->highmem_start);
	}
}
