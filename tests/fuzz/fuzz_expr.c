/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions: whatever compiles evaluates without fault, or says why not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/expr.h"

static int find(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	static const char *const names[] = {"a", "b", "pcp.count", "order"};

	(void)user;
	(void)via;
	(void)err;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			ret->constant = false;
			ret->slot = i;
			return 0;
		}
	}
	return -ENOENT;
}

static void evaluate(const struct zl_expr *e)
{
	static const int64_t slots[][4] = {
		{0,	    0,	       1,	  3		   },
		{INT64_MAX, INT64_MIN, 64,  INT64_MAX / 2},
		{-1,	     7,		-64, 0	      },
	};

	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		struct zl_error err = {0};
		int64_t value = 0;
		int rc = zl_expr_eval(e, slots[i], &value, &err);

		if (rc != 0 && err.text[0] == '\0') {
			abort();
		}
	}
}

static int compile(const char *text, struct fuzz_heap *heap, size_t fail_at)
{
	const struct zl_expr_names names = {find, NULL};
	struct zl_error err = {0};
	struct zl_expr e = {0};

	fuzz_heap_init(heap, fail_at);
	int rc = zl_expr_compile(text, &names, &heap->allocator, &e, &err);
	if (rc == 0) {
		evaluate(&e);
	} else if (err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	zl_expr_done(&e, &heap->allocator);
	fuzz_heap_check(heap);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;
	char *text = fuzz_string(data, size);

	if (text == NULL) {
		return 0;
	}
	if (compile(text, &heap, 0) == 0 && compile(text, &heap, 1) != -ENOMEM) {
		abort();
	}
	free(text);
	return 0;
}
