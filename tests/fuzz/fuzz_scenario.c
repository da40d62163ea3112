/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenario files: what is read is written and reads back, and it expands to ops that an op list
 * can hold, or says why not. Without memory it says so and leaves nothing behind.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/scenario_file.h"

#define CPUS 3
#define OPS  20000
/* One scenario of so many is expanded that far, the others only so far; and one is written. */
#define OPS_TURN   64
#define OPS_OTHERS 128
#define WRITE_TURN 8

static void check_written(const struct zl_scenario *s, const struct zl_allocator *mem)
{
	struct zl_buf one = {0};
	struct zl_buf two = {0};
	struct zl_scenario back;
	struct zl_error err = {0};

	zl_scenario_write(s, &one);
	if (!one.failed) {
		if (zl_scenario_parse(one.data, one.len, mem, &back, &err) != 0) {
			abort();
		}
		zl_scenario_write(&back, &two);
		if (strcmp(zl_buf_text(&one), zl_buf_text(&two)) != 0) {
			abort();
		}
		zl_scenario_done(&back);
	}
	zl_buf_done(&one);
	zl_buf_done(&two);
}

static void expand(const struct zl_scenario *s, const struct zl_allocator *mem, uint64_t ops)
{
	const struct zl_expand_options options = {.cpus = CPUS, .short_form = true};
	struct zl_scenario_op op[64];
	struct zl_error err = {0};
	struct zl_expand *e = NULL;
	size_t n = 1;
	int rc = zl_expand_new(s, &options, mem, &e, &err);

	while (rc == 0 && n > 0 && zl_expand_ops(e) < ops) {
		rc = zl_expand_read(e, op, 64, &n, &err);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			if (op[i].cpu >= CPUS || op[i].op.id > ZL_OP_ID_MAX) {
				abort();
			}
		}
	}
	if (rc != 0 && err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	zl_expand_free(e);
}

static int run(const uint8_t *data, size_t size, struct fuzz_heap *heap, size_t fail_at)
{
	struct zl_scenario s;
	struct zl_error err = {0};

	fuzz_heap_init(heap, fail_at);
	int rc = zl_scenario_parse((const char *)data, size, &heap->allocator, &s, &err);
	if (rc == 0) {
		if (fail_at == 0 && fuzz_turn(data, size, WRITE_TURN)) {
			check_written(&s, &heap->allocator);
		}
		expand(&s, &heap->allocator, fuzz_turn(data, size, OPS_TURN) ? OPS : OPS_OTHERS);
		zl_scenario_done(&s);
	} else if (err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	fuzz_heap_check(heap);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;

	(void)run(data, size, &heap, 0);
	size_t fail_at = fuzz_heap_choose(&heap, data, size);
	if (fail_at > 0) {
		(void)run(data, size, &heap, fail_at);
	}
	return 0;
}
