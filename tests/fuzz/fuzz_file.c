/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole files, gzip unpacked, and their lines: lines lie inside the file and are numbered.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/file.h"

static void walk(const struct zl_file *f)
{
	struct zl_lines lines;
	struct zl_line line;
	unsigned number = 0;

	if (f->data[f->size] != '\0') {
		abort();
	}
	zl_lines_init(&lines, f->data, f->size);
	while (zl_lines_next(&lines, &line)) {
		number++;
		if (line.number != number || line.s < f->data ||
			line.len > f->size - (size_t)(line.s - f->data)) {
			abort();
		}
	}
}

static void load(const uint8_t *data, size_t size, struct fuzz_heap *heap)
{
	struct zl_file f = {0};
	struct zl_error err = {0};

	if (zl_file_from_memory(data, size, &heap->allocator, &f, &err) == 0) {
		walk(&f);
		zl_file_done(&f, &heap->allocator);
	} else if (err.text[0] == '\0') {
		abort();
	}
	fuzz_heap_check(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	load(data, size, &heap);
	fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
	load(data, size, &heap);
	return 0;
}
