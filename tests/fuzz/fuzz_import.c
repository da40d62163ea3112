/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any file through detection and its reader: lines add up, nothing unclean is kept, and an
 * allocation that fails leaves nothing behind.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/import.h"

/* One file of so many is read again with too little memory. */
#define MEMORY_TURN 4

static void run(struct fuzz_heap *heap, const uint8_t *data, size_t size)
{
	struct zl_import im;
	struct zl_file f = {0};
	struct zl_error err = {0};

	zl_import_init(&im, &heap->allocator);
	if (zl_file_from_memory(data, size, &heap->allocator, &f, &err) == 0) {
		if (zl_import_file(&im, &f, ZL_FILE_UNKNOWN, &err) == 0) {
			zl_import_finish(&im, NULL);
			fuzz_check_import(&im);
		}
		fuzz_check_clean(err.text, "");
		zl_file_done(&f, &heap->allocator);
	}
	zl_import_done(&im);
	fuzz_heap_check(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	run(&heap, data, size);
	if (!fuzz_turn(data, size, MEMORY_TURN)) {
		return 0;
	}
	size_t fail_at = fuzz_heap_choose(&heap, data, size);
	fuzz_heap_init(&heap, fail_at);
	run(&heap, data, size);
	return 0;
}
