/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot logs: names are clean, texts lie inside the file, and without memory nothing is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/dmesg.h"

static int read_log(const char *text, size_t size, struct fuzz_heap *heap)
{
	struct zl_dmesg log = {0};
	int r = zl_dmesg_read(text, size, &heap->allocator, &log);

	for (size_t i = 0; i < log.nr_lines; i++) {
		const struct zl_dmesg_line *l = &log.line[i];

		if (l->kind >= ZL_DMESG_KIND_COUNT || zl_dmesg_kind_name(l->kind) == NULL) {
			abort();
		}
		if (l->text != NULL &&
			(l->text < text || l->text_len > size - (size_t)(l->text - text))) {
			abort();
		}
		fuzz_check_clean(l->name, "");
		fuzz_check_clean(l->name2, "");
	}
	zl_dmesg_done(&log, &heap->allocator);
	fuzz_heap_check(heap);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Readers of texts get a terminated file; the terminator does not count. */
	char *text = calloc(size + 1, 1);
	struct fuzz_heap heap;

	if (text == NULL) {
		return 0;
	}
	if (size > 0) {
		memcpy(text, data, size);
	}
	fuzz_heap_init(&heap, 0);
	if (read_log(text, size, &heap) != 0) {
		abort();
	}
	fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
	(void)read_log(text, size, &heap);
	free(text);
	return 0;
}
