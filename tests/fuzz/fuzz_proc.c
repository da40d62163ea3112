/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of /proc, /sys and /boot, each through the reader that the first byte names: the digits
 * 0 to 9 and letters from A stand for the kinds below. Lines add up and nothing unclean is kept.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/import.h"

/* One file of so many is read again with too little memory. */
#define MEMORY_TURN 8

static const enum zl_file_kind kinds[] = {ZL_FILE_KCONFIG, ZL_FILE_ZONEINFO, ZL_FILE_BUDDYINFO,
	ZL_FILE_PAGETYPEINFO, ZL_FILE_MEMINFO, ZL_FILE_VMSTAT, ZL_FILE_SYSCTL, ZL_FILE_THP,
	ZL_FILE_CMDLINE, ZL_FILE_DMESG, ZL_FILE_OOM, ZL_FILE_CAPTURE};

static void run(const struct zl_file *f, enum zl_file_kind kind, struct fuzz_heap *heap)
{
	static struct zl_import im;
	struct zl_error err = {0};

	zl_import_init(&im, &heap->allocator);
	if (zl_import_file(&im, f, kind, &err) == 0) {
		zl_import_finish(&im, NULL);
		fuzz_check_import(&im);
	}
	fuzz_check_clean(err.text, "");
	zl_import_done(&im);
	fuzz_heap_check(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;

	if (size == 0) {
		return 0;
	}
	const size_t named = data[0] <= '9' ? data[0] : data[0] - 'A' + 10U;
	const enum zl_file_kind kind = kinds[named % (sizeof(kinds) / sizeof(kinds[0]))];
	char *text = malloc(size);
	if (text == NULL) {
		return 0;
	}
	for (size_t i = 1; i < size; i++) {
		text[i - 1] = (char)data[i];
	}
	text[size - 1] = '\0';
	const struct zl_file f = {.name = "fuzz", .data = text, .size = size - 1};
	fuzz_heap_init(&heap, 0);
	run(&f, kind, &heap);
	if (fuzz_turn(data, size, MEMORY_TURN)) {
		fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
		run(&f, kind, &heap);
	}
	free(text);
	return 0;
}
