/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small texts about CMA: values of the command line, run lists, buffers, /proc/iomem.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/cma_bitmap.h"
#include "zonelab/iomem.h"
#include "zonelab/reservation.h"

static void check_runs(const char *s, size_t size)
{
	struct zl_cma_runs runs;
	uint64_t at = 0;

	if (zl_cma_runs_parse(s, size, &runs) != 0) {
		return;
	}
	if (zl_cma_runs_fit(&runs, 0, runs.longest + 1, 0, &at)) {
		abort();
	}
	if (runs.longest > 0 && !runs.cut && !zl_cma_runs_fit(&runs, 0, runs.longest, 0, &at)) {
		abort();
	}
	if (zl_cma_runs_largest(&runs, 0, 8, true) > runs.longest) {
		abort();
	}
}

static void check_demand(const char *s)
{
	const struct zl_demand_rule rule = {
		.page_size = 4096, .align_cap = 8, .area_align = 1u << 21};
	struct zl_demand_plan plan;
	struct zl_demand d;

	if (zl_demand_parse(s, &d) != 0 || d.count > 1000) {
		return;
	}
	if (zl_demand_pack(&d, 1, &rule, &plan) == 0 && plan.packed_bytes < plan.buffer_bytes) {
		abort();
	}
}

static void check_iomem(const char *s, size_t size)
{
	struct zl_ranges banks = {0};
	struct zl_ranges reserved = {0};

	(void)zl_iomem_read(s, size, &banks, &reserved);
	for (size_t i = 1; i < banks.count; i++) {
		if (banks.item[i - 1].base + banks.item[i - 1].size >= banks.item[i].base) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = fuzz_string(data, size);
	uint64_t sizes[ZL_NODE_SIZES_MAX];
	struct zl_cma_param param;
	const char *rest;
	char value[256];

	if (s == NULL) {
		return 0;
	}
	(void)zl_cma_param_parse(s, &param, &rest);
	(void)zl_node_sizes_parse(s, sizes);
	(void)zl_cmdline_find(s, "cma", value, sizeof(value));
	check_runs(s, strlen(s));
	check_demand(s);
	check_iomem(s, strlen(s));
	free(s);
	return 0;
}
