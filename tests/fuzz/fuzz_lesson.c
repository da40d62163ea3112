/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lesson files and files of answers: read or refused with a sentence, also without memory; what
 * is read is gone through to its end or says why not.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "learn.h"
#include "lesson_text.h"
#include "zonelab/lesson_file.h"

#define SIZE_MAX_RUN 4096 /* longer inputs are read only */
#define RUN_TURN     256  /* and one of so many others is gone through */

static int read_one(const uint8_t *data, size_t size, struct fuzz_heap *heap, size_t fail_at)
{
	struct zl_lesson l;
	struct zl_error err = {0};

	fuzz_heap_init(heap, fail_at);
	int rc = zl_lesson_parse((const char *)data, size, &heap->allocator, &l, &err);
	if (rc == 0) {
		if (l.nr_steps == 0 || l.title[0] == '\0') {
			abort();
		}
		zl_lesson_done(&l);
	} else if (err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	fuzz_heap_check(heap);
	return rc;
}

/* Through all steps; any prediction will do. */
static void go_through(const uint8_t *data, size_t size)
{
	const char *path = fuzz_path(data, size);
	struct zl_error err = {0};
	struct app app;

	if (path != NULL && app_init(&app) == 0) {
		int rc = learn_open(&app, path, 1, &err);
		while (rc == 0 && app.learn->phase != LEARN_END) {
			rc = learn_pending(&app) ? learn_predict(&app, 1, &err)
						 : learn_next(&app, &err);
		}
		if (rc != 0 && err.text[0] == '\0') {
			abort();
		}
		app_done(&app);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;
	struct lesson_answers answers;
	struct zl_error err = {0};

	if (lesson_answers_parse((const char *)data, size, &answers, &err) < 0 &&
		err.text[0] == '\0') {
		abort();
	}
	int rc = read_one(data, size, &heap, 0);
	size_t fail_at = fuzz_heap_choose(&heap, data, size);
	if (fail_at > 0) {
		(void)read_one(data, size, &heap, fail_at);
	}
	if (rc == 0 && size <= SIZE_MAX_RUN && fuzz_turn(data, size, RUN_TURN)) {
		go_through(data, size);
	}
	return 0;
}
