/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles: what was read writes back and reads again as the same, texts are clean, and a failed
 * allocation leaves nothing behind.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/profile_json.h"

/* One profile of so many is written, or read with too little memory. */
#define TURN 4

static void again(struct zl_profile *p, const struct zl_allocator *a)
{
	struct zl_json *one = zl_profile_to_json(p);
	struct zl_json *two = NULL;
	struct zl_profile twice;
	char *first = NULL;
	char *second = NULL;

	if (zl_json_print(one, false, &first) == 0) {
		if (zl_profile_read(first, strlen(first), a, &twice, NULL) != 0) {
			abort();
		}
		two = zl_profile_to_json(&twice);
		if (zl_json_print(two, false, &second) != 0 || strcmp(first, second) != 0) {
			abort();
		}
		zl_profile_done(&twice, a);
	}
	zl_json_text_free(first);
	zl_json_text_free(second);
	zl_json_free(one);
	zl_json_free(two);
}

static void run(struct fuzz_heap *heap, const uint8_t *data, size_t size, bool write)
{
	struct zl_profile p;
	struct zl_error err = {0};

	if (zl_profile_read((const char *)data, size, &heap->allocator, &p, &err) == 0) {
		fuzz_check_clean(p.title, "");
		if (write) {
			again(&p, &heap->allocator);
		}
		zl_profile_done(&p, &heap->allocator);
	}
	fuzz_check_clean(err.text, "");
	fuzz_heap_check(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	run(&heap, data, size, fuzz_turn(data, size, TURN));
	if (!fuzz_turn(data, size, TURN)) {
		return 0;
	}
	size_t fail_at = fuzz_heap_choose(&heap, data, size);
	fuzz_heap_init(&heap, fail_at);
	run(&heap, data, size, false);
	return 0;
}
