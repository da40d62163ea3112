/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches bound to the model: rules compile, places exist, and without memory nothing is kept.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/bind.h"

static void check_rule(const struct zl_change *c, const char *text)
{
	struct zl_expr e = {0};
	struct zl_error err = {0};
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	if (text != NULL && zl_policy_compile(c->point, text, &heap.allocator, &e, &err) != 0) {
		abort();
	}
	zl_expr_done(&e, &heap.allocator);
	fuzz_heap_check(&heap);
}

static void check_binding(const struct zl_binding *b)
{
	for (size_t i = 0; i < b->nr_changes; i++) {
		const struct zl_change *c = &b->change[i];

		fuzz_check_clean(c->old_code, "");
		fuzz_check_clean(c->new_code, "");
		fuzz_check_clean(c->note, "");
		if (c->kind == ZL_CHANGE_RULE) {
			check_rule(c, c->after);
			check_rule(c, c->before);
		}
	}
	for (size_t i = 0; i < b->nr_unbound; i++) {
		fuzz_check_clean(b->unbound[i].old_code, "");
		fuzz_check_clean(b->unbound[i].new_code, "");
		fuzz_check_clean(b->unbound[i].reason, "");
	}
}

static int bind_text(const char *text, size_t size, struct fuzz_heap *heap)
{
	const struct zl_patch_input in = {"fuzz", text, size};
	const struct zl_patch_request request = {&in, 1, 0};
	struct zl_patches p;
	struct zl_binding b;
	int r = zl_patches_read(&request, &heap->allocator, &p, NULL);

	if (r != 0) {
		fuzz_heap_check(heap);
		return 0;
	}
	r = zl_bind(&p, NULL, &heap->allocator, &b, NULL);
	if (r == 0) {
		check_binding(&b);
		zl_bind_done(&b);
	}
	zl_patches_done(&p);
	fuzz_heap_check(heap);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_texts(data, size, bind_text) != 0) {
		abort();
	}
	return 0;
}
