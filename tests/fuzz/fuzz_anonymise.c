/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces made anonymous: lines add up, what is written is clean and can be made anonymous again.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/anonymise.h"
#include "zonelab/buffer.h"

/* One trace of so many is made anonymous again, or with too little memory. */
#define TURN 4

static int keep(void *user, const char *data, size_t n)
{
	struct zl_buf *b = user;

	zl_buf_mem(b, data, n);
	return b->failed ? -1 : 0;
}

static int run(const uint8_t *data, size_t size, struct fuzz_heap *heap, struct zl_buf *ret)
{
	static struct zl_anonymised result;
	const struct zl_anonymise how = {.write = keep, .user = ret};
	const char *path = fuzz_path(data, size);
	struct zl_error err = {0};

	if (path == NULL) {
		return -1;
	}
	int rc = zl_anonymise(path, &how, &heap->allocator, &result, &err);
	if (rc != 0 && err.text[0] == '\0') {
		abort();
	}
	fuzz_check_file(&result.report);
	fuzz_check_clean(err.text, "");
	fuzz_heap_check(heap);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zl_buf one = {0};
	struct zl_buf two = {0};
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	int rc = run(data, size, &heap, &one);
	fuzz_check_clean(zl_buf_text(&one), "\n\t");
	if (fuzz_turn(data, size, TURN)) {
		size_t fail_at = fuzz_heap_choose(&heap, data, size);

		fuzz_heap_init(&heap, 0);
		if (rc == 0 && run((const uint8_t *)zl_buf_text(&one), one.len, &heap, &two) != 0) {
			abort();
		}
		zl_buf_done(&two);
		fuzz_heap_init(&heap, fail_at);
		(void)run(data, size, &heap, &two);
	}
	zl_buf_done(&one);
	zl_buf_done(&two);
	return 0;
}
