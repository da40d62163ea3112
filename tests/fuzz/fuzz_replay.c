/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of allocations: whatever is in them, no two live allocations share a page.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "reserve_demand.h"

static void check(const struct replay *r)
{
	for (size_t i = 0; i < r->nr_ops; i++) {
		const struct replay_op *op = &r->op[i];

		if (!op->free && op->alloc.result == ZL_CMA_OK &&
			(op->alloc.start >= r->area.pages ||
				op->alloc.pages > r->area.pages - op->alloc.start)) {
			abort();
		}
	}
	if (r->free_pages > r->area.pages || r->longest_run > r->free_pages) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct replay *r = calloc(1, sizeof(*r));
	char *s = fuzz_string(data, size);
	struct zl_error err = {0};
	struct zl_file f = {.name = "fuzz", .data = s};
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	if (r != NULL && s != NULL) {
		while (f.data[f.size] != '\0') {
			f.size++;
		}
		if (replay_parse(&f, 4096, &heap.allocator, r, &err) == 0) {
			check(r);
		} else {
			fuzz_check_clean(err.text, "");
		}
		if (r->area.used != NULL) {
			heap.allocator.free(heap.allocator.user, r->area.used);
		}
	}
	fuzz_heap_check(&heap);
	free(r);
	free(s);
	return 0;
}
