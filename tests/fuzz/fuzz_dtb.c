/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device-tree blobs: whatever the bytes are, the tree is whole or refused.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/dts_reservations.h"

/* The reservations of one tree of so many are read. */
#define RESERVATIONS_TURN 8

static void run(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole)
{
	const struct zl_dts_options options = {.name = "fuzz", .allocator = &heap->allocator};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;
	struct zl_reservations *have;
	struct zl_diags diags = {0};

	if (zl_dtb_read(data, size, &options, &dts, &err) != 0) {
		fuzz_check_clean(err.text, "");
		return;
	}
	have = whole && fuzz_turn(data, size, RESERVATIONS_TURN) ? calloc(1, sizeof(*have)) : NULL;
	if (have != NULL) {
		zl_reservations_read(dts, have, &diags);
		for (size_t i = 0; i < have->nr_requests; i++) {
			fuzz_check_clean(have->request[i].name, "");
		}
	}
	free(have);
	zl_dts_free(dts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_twice(data, size, run);
	return 0;
}
