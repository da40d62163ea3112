/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot logs: names are clean, texts lie inside the file, and without memory nothing is kept.
 */
#include <stdlib.h>

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
	if (fuzz_texts(data, size, read_log) != 0) {
		abort();
	}
	return 0;
}
