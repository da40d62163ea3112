/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists: what is read is written and read back the same; small ones run under releases of every
 * design with all invariants checked after each op. An op may be refused, a broken invariant may
 * not happen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/workload.h"

/* Beyond these a run is slow, not different. */
#define RUN_PAGES (UINT64_C(1) << 15)
#define RUN_OPS	  400
#define RUN_CPUS  64
/* One list of so many is run, or written. */
#define RUN_TURN   64
#define WRITE_TURN 4

static void check_written_form(const struct zl_workload *w, const struct zl_allocator *mem)
{
	struct zl_workload again = {0};
	struct zl_error err = {0};
	struct zl_buf first = {0};
	struct zl_buf second = {0};

	zl_workload_write(w, &first);
	if (zl_workload_parse(zl_buf_text(&first), first.len, mem, &again, &err) != 0) {
		fprintf(stderr, "own form refused: %s\n%s", err.text, zl_buf_text(&first));
		abort();
	}
	zl_workload_write(&again, &second);
	if (again.nr_ops != w->nr_ops || strcmp(zl_buf_text(&first), zl_buf_text(&second)) != 0) {
		fprintf(stderr, "%s---\n%s", zl_buf_text(&first), zl_buf_text(&second));
		abort();
	}
	zl_buf_done(&first);
	zl_buf_done(&second);
	zl_workload_done(&again);
}

static void run(const struct zl_workload *w, const char *release)
{
	const struct zl_run_options options = {.check = true};
	struct zl_run_result result;
	struct zl_switches switches;
	struct zl_error err = {0};
	struct zl_release r;

	if (zl_release_parse(release, &r) != 0) {
		abort();
	}
	zl_switches_for(&r, &switches, NULL);
	int status = zl_run_workload(w, &switches, &options, &result, &err);
	if (status == -EILSEQ || (status != 0 && err.text[0] == '\0' && status != -ENOMEM)) {
		fprintf(stderr, "%s: %s\n", release, err.text);
		abort();
	}
}

static int parse(const uint8_t *data, size_t size, struct fuzz_heap *heap, struct zl_workload *w)
{
	struct zl_error err = {0};
	int r = zl_workload_parse((const char *)data, size, &heap->allocator, w, &err);

	if (r != 0 && err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const releases[] = {
		"5.15", "6.1", "6.1.192", "6.12", "6.18.2", "6.19", "7.1.3"};
	struct zl_workload w = {0};
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	if (parse(data, size, &heap, &w) == 0) {
		if (fuzz_turn(data, size, WRITE_TURN)) {
			check_written_form(&w, &heap.allocator);
		}
		fuzz_check_clean(w.name, "");
		fuzz_check_clean(w.title, "");
		if (w.config.pages <= RUN_PAGES && w.nr_ops <= RUN_OPS &&
			w.config.cpus <= RUN_CPUS && fuzz_turn(data, size, RUN_TURN)) {
			for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
				run(&w, releases[i]);
			}
		}
		zl_workload_done(&w);
	}
	fuzz_heap_check(&heap);
	fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
	w = (struct zl_workload){0};
	if (parse(data, size, &heap, &w) == 0) {
		zl_workload_done(&w);
	}
	fuzz_heap_check(&heap);
	return 0;
}
