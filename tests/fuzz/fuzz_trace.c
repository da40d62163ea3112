/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces: every line has one fate, words lie inside the text, numbers in their ranges; and each is
 * replayed in a small zone, which may refuse an op but not break.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/replay.h"

/* One trace of so many is replayed. */
#define REPLAY_TURN 64

static void check_word(struct zl_trace_word w, const char *text, size_t size)
{
	if (w.s != NULL && (w.s < text || w.n > size - (size_t)(w.s - text))) {
		abort();
	}
}

static void check_event(const struct zl_trace_event *e, const char *text, size_t size)
{
	if (e->kind >= ZL_TRACED_COUNT || e->cpu >= ZL_TRACE_CPUS_MAX ||
		e->pfn > ZL_TRACE_PFN_MAX || e->order > ZL_MAX_ORDER_LIMIT) {
		abort();
	}
	check_word(e->comm, text, size);
	check_word(e->flags, text, size);
	check_word(e->page, text, size);
	check_word(e->gfp_flags, text, size);
	check_word(e->zone, text, size);
	check_word(e->text, text, size);
}

static void read_trace(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole)
{
	const char *text = (const char *)data;
	static struct zl_import_file r;
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t = NULL;

	(void)whole;
	if (zl_trace_open_memory(text, size, &heap->allocator, &t, &err) == 0) {
		while (zl_trace_next(t, &e, &err) == 1) {
			check_event(&e, text, size);
		}
		zl_trace_report(t, &r);
		fuzz_check_file(&r);
		zl_trace_close(t);
	}
}

/* An order or a CPU that the zone has not is refused with a sentence. */
static void replay(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole)
{
	struct zl_replay_where where = {.free = -1};
	struct zl_replay_result result;
	struct zl_recording *r = NULL;
	struct zl_error err = {0};
	struct zl_release release;

	(void)whole;
	zl_sim_config_init(&where.config);
	if (zl_release_parse(size % 2 == 0 ? "6.12" : "6.1.192", &release) != 0) {
		abort();
	}
	zl_switches_for(&release, &where.config.switches, NULL);
	where.config.managed = where.config.pages = 4096;
	where.config.wmark_high = where.config.wmark_low = where.config.wmark_min = 64;
	where.config.pageblock_order = where.config.hpage_order = 9;
	where.config.max_order = 10;
	where.config.thp = true;
	if (zl_recording_from_memory((const char *)data, size, &heap->allocator, &r, &err) == 0) {
		zl_replay_config(r, &where.config);
		int rc = zl_replay_fit(r, &where, NULL, &result, &err);

		if (rc == 0) {
			zl_replay_result_done(&result, &heap->allocator);
		} else if (err.text[0] == '\0') {
			abort();
		}
		zl_replay_where_done(&where, &heap->allocator);
		fuzz_check_clean(err.text, "");
	}
	zl_recording_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_twice(data, size, read_trace);
	if (fuzz_turn(data, size, REPLAY_TURN)) {
		fuzz_twice(data, size, replay);
	}
	return 0;
}
