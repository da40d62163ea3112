/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device-tree source up to the planned boot and the corrected text. What is corrected must differ
 * from the text in the edited places only; the same must hold without memory.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/buffer.h"
#include "zonelab/dts_reservations.h"

#define WORDS "page_size=16K"
/* The boot is planned for one tree of so many. */
#define PLAN_TURN 16

struct job {
	struct zl_geometry geometry;
	struct zl_switches switches;
	struct zl_reservations have;
	struct zl_memory_map map;
	struct zl_reserve_report report, corrected;
	struct zl_request want[ZL_POOLS_MAX];
	struct zl_dts_fix fix;
	struct zl_diags diags;
};

static void check_report(const struct job *j)
{
	for (size_t i = 0; i < j->report.nr_pools; i++) {
		const struct zl_pool *p = &j->report.pool[i];

		fuzz_check_clean(j->have.request[i].name, "");
		fuzz_check_clean(p->text, "");
		for (size_t k = 0; k < p->nr_messages; k++) {
			fuzz_check_clean(p->message[k], "");
		}
		if (p->class == ZL_POOL_CMA && p->verdict == ZL_VERDICT_ACCEPTED &&
			p->size % j->report.alignment != 0) {
			abort();
		}
	}
	for (size_t i = 0; i < j->diags.count; i++) {
		fuzz_check_clean(j->diags.item[i].text, "");
	}
}

static void check_fix(const struct job *j, const struct zl_dts *dts)
{
	struct zl_buf out = {0};
	size_t length = dts->file[0].size;

	for (size_t i = 0; i < j->fix.count; i++) {
		const struct zl_dts_edit *e = &j->fix.edit[i];

		if (e->file == 0) {
			length = length + strlen(e->text) - (e->end - e->begin);
		}
	}
	zl_dts_fix_text(dts, 0, &j->fix, &out);
	if (!out.failed && out.len != length) {
		abort();
	}
	zl_buf_done(&out);
	zl_dts_fix_diff(dts, &j->fix, &out);
	zl_buf_done(&out);
}

static void plan(struct job *j, const struct zl_dts *dts)
{
	struct zl_settings settings = {0};
	struct zl_release release;
	struct zl_diags diags = {0};
	struct zl_reserve_in in = {
		.geometry = &j->geometry, .switches = &j->switches, .map = &j->map};

	zl_settings_assign(&settings, WORDS, ZL_ORIGIN_GIVEN, NULL);
	zl_release_parse("6.12", &release);
	zl_switches_for(&release, &j->switches, &diags);
	zl_geometry_resolve(&settings, &release, &j->switches, &j->geometry, &diags);
	zl_reservations_read(dts, &j->have, &j->diags);
	zl_memory_map_init(&j->map, &j->geometry, 0);
	j->map.known = j->have.banks.count > 0;
	j->map.banks = j->have.banks;
	j->map.reserved = j->have.reserved;
	in.requests = j->have.request;
	in.nr_requests = j->have.nr_requests;
	zl_reserve_plan(&in, &j->report);
	zl_reserve_correct(&in, &j->report, j->want, &j->corrected);
	zl_dts_fix_collect(dts, &j->have, j->want, &j->fix);
	check_report(j);
	check_fix(j, dts);
	const struct zl_request more = {.name = "pool-1", .size = 1u << 22};
	if (zl_dts_fix_add(dts, &more, &j->fix)) {
		check_fix(j, dts);
	}
}

static void run(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole)
{
	const struct zl_dts_options options = {.name = "fuzz", .allocator = &heap->allocator};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;
	struct job *j;

	zl_dts_recognise((const char *)data, size);
	if (zl_dts_read((const char *)data, size, &options, &dts, &err) != 0) {
		fuzz_check_clean(err.text, "");
		return;
	}
	for (size_t i = 0; i < dts->nr_notes; i++) {
		fuzz_check_clean(dts->note[i].text, "");
	}
	for (size_t i = 0; i < dts->nr_missing; i++) {
		fuzz_check_clean(dts->missing[i], "");
	}
	j = whole && fuzz_turn(data, size, PLAN_TURN) ? calloc(1, sizeof(*j)) : NULL;
	if (j != NULL) {
		plan(j, dts);
	}
	free(j);
	zl_dts_free(dts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_twice(data, size, run);
	return 0;
}
