/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Axes of sweeps as they are written, and, from a "{" on, parts of sweeps that are put together.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sweep.h"
#include "sweep_part.h"

/* Characters from ".." on; what makes a million numbers takes a while and shows nothing more. */
#define RANGE_MAX 10

static void read_axis(const char *text, struct fuzz_heap *heap)
{
	static struct sweep s;
	struct sweep_axis axis;
	struct zl_error err = {0};
	char value[SWEEP_WORD];

	s.mem = &heap->allocator;
	if (sweep_axis_read(&s, text, &axis, &err) != 0) {
		if (err.text[0] == '\0') {
			abort();
		}
	} else {
		if (axis.n == 0 || axis.n > SWEEP_VALUES_MAX) {
			abort();
		}
		sweep_axis_text(&axis, axis.n - 1, false, value, sizeof(value));
		sweep_axis_done(&axis, s.mem);
	}
	fuzz_heap_check(heap);
}

static void read_part(const char *path, struct fuzz_heap *heap)
{
	struct sweep *s = NULL;
	struct sweep_part part = {0};
	struct zl_error err = {0};

	if (sweep_part_read(path, &heap->allocator, &s, &part, &err) != 0) {
		if (err.text[0] == '\0') {
			abort();
		}
	} else if (s == NULL || part.have > part.points || part.points != s->points) {
		abort();
	}
	sweep_part_done(&part, &heap->allocator);
	sweep_free(s);
	fuzz_heap_check(heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;
	char *text = fuzz_string(data, size);

	fuzz_heap_init(&heap, 0);
	if (text != NULL && text[0] != '{') {
		const char *to = strstr(text, "..");

		if (to == NULL || strlen(to) < RANGE_MAX) {
			read_axis(text, &heap);
		}
	} else if (text != NULL) {
		const char *path = fuzz_path(data, size);

		if (path != NULL) {
			read_part(path, &heap);
			fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
			read_part(path, &heap);
		}
	}
	free(text);
	return 0;
}
