/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random boards and their corrected source: read again, every pool has memory of its own, or the
 * correction had said that it has not; and where it says so of pools with an address, trying all
 * places finds none either.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/buffer.h"
#include "zonelab/dts_reservations.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

#define BOARDS	   400
#define NEW_BOARDS 40
#define RAM_BASE   UINT64_C(0x40000000)
#define SLOTS	   8 /* places that trying all of them looks at */

struct random {
	uint64_t state;
};

static unsigned below(struct random *r, unsigned n)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return (unsigned)(r->state >> 20) % n;
}

/* --- boards --- */

struct board {
	uint64_t ram;
	unsigned pools;
	bool fixed_only; /* every pool has an address */
	unsigned cells;
};

static void number(struct zl_buf *b, const struct board *board, uint64_t v)
{
	zl_buf_fmt(b, board->cells == 2 ? "0x0 %x" : "%x", v);
}

static void named(struct zl_buf *b, const char *name, uint64_t base)
{
	char unit[24];

	zl_format(unit, sizeof(unit), "%x", base);
	zl_buf_fmt(b, "\t\t%s@%s {\n", name, unit + 2);
}

static uint64_t some_size(struct random *r)
{
	static const uint64_t kib[] = {64, 1024, 3000 /* no page multiple at 64K */, 4096, 4864,
		16384, 32768, 65536, 131072, 524288};

	return (kib[below(r, sizeof(kib) / sizeof(kib[0]))] << 10) & ~UINT64_C(0xffff);
}

static uint64_t some_base(struct random *r, const struct board *board)
{
	unsigned shift = 16 + 2 * below(r, 7);

	return RAM_BASE + ((uint64_t)below(r, (unsigned)(board->ram >> shift)) << shift);
}

static void pool(struct random *r, struct zl_buf *b, const struct board *board, unsigned i)
{
	uint64_t size = some_size(r);
	uint64_t base = some_base(r, board);

	if (board->fixed_only || below(r, 2) == 0) {
		char name[16];

		zl_format(name, sizeof(name), "pool%u", i);
		named(b, name, base);
		zl_buf_str(b, "\t\t\treg = <");
		number(b, board, base);
		zl_buf_chr(b, ' ');
		number(b, board, size);
		zl_buf_fmt(b, ">; /* %Z: it fits */\n", size);
	} else {
		zl_buf_fmt(b, "\t\tl%u: pool%u {\n\t\t\tsize = <", i, i);
		number(b, board, size);
		zl_buf_str(b, ">;\n");
		if (below(r, 2) == 0) {
			zl_buf_str(b, "\t\t\talignment = <");
			number(b, board, UINT64_C(1) << (12 + below(r, 14)));
			zl_buf_str(b, ">;\n");
		}
		if (below(r, 3) == 0) {
			zl_buf_str(b, "\t\t\talloc-ranges = <");
			number(b, board, RAM_BASE);
			zl_buf_chr(b, ' ');
			number(b, board, board->ram / (1 + below(r, 3)));
			zl_buf_str(b, ">;\n");
		}
	}
	zl_buf_str(b, "\t\t\tcompatible = \"shared-dma-pool\";\n\t\t\treusable;\n\t\t};\n");
}

static void write_board(struct random *r, struct zl_buf *b, struct board *board)
{
	board->ram = UINT64_C(512) << 20 << below(r, 3);
	board->pools = 1 + below(r, 6);
	board->cells = 1 + below(r, 2);
	board->fixed_only = below(r, 2) == 0;
	zl_buf_fmt(b,
		"/dts-v1/;\n/ {\n\t#address-cells = <%u>;\n\t#size-cells = <%u>;\n"
		"\tmemory@40000000 { device_type = \"memory\"; reg = <",
		board->cells, board->cells);
	number(b, board, RAM_BASE);
	zl_buf_chr(b, ' ');
	number(b, board, board->ram);
	zl_buf_fmt(b,
		">; };\n\treserved-memory {\n\t\t#address-cells = <%u>;\n"
		"\t\t#size-cells = <%u>;\n\t\tranges;\n",
		board->cells, board->cells);
	if (below(r, 2) == 0) {
		uint64_t base = some_base(r, board);

		named(b, "firmware", base);
		zl_buf_str(b, "\t\t\tno-map; reg = <");
		number(b, board, base);
		zl_buf_chr(b, ' ');
		number(b, board, 0x100000);
		zl_buf_str(b, ">;\n\t\t};\n");
	}
	for (unsigned i = 0; i < board->pools; i++) {
		pool(r, b, board, i);
	}
	zl_buf_str(b, "\t};\n};\n");
}

/* --- the boot and its correction --- */

struct job {
	struct zl_settings settings;
	struct zl_release release;
	struct zl_switches switches;
	struct zl_geometry geometry;
	struct zl_memory_map map;
	struct zl_reservations have;
	struct zl_reserve_report report, corrected;
	struct zl_request want[ZL_POOLS_MAX];
	struct zl_dts_fix fix;
	struct zl_diags diags;
	struct zl_reserve_in in;
};

static struct zl_dts *plan(struct job *j, const struct zl_buf *text, const char *page_size)
{
	const struct zl_dts_options options = {
		.name = "board.dts", .allocator = zl_allocator_heap()};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	memset(j, 0, sizeof(*j));
	if (zl_dts_read(zl_buf_text(text), text->len, &options, &dts, &err) != 0) {
		fail_msg("%s\n%s", err.text, zl_buf_text(text));
	}
	assert_int_equal(0, zl_settings_assign(&j->settings, page_size, ZL_ORIGIN_GIVEN, NULL));
	assert_int_equal(0, zl_release_parse("6.12", &j->release));
	zl_switches_for(&j->release, &j->switches, &j->diags);
	zl_geometry_resolve(&j->settings, &j->release, &j->switches, &j->geometry, &j->diags);
	zl_reservations_read(dts, &j->have, &j->diags);
	zl_memory_map_init(&j->map, &j->geometry, RAM_BASE);
	j->map.known = true;
	j->map.banks = j->have.banks;
	j->in = (struct zl_reserve_in){.geometry = &j->geometry,
		.switches = &j->switches,
		.map = &j->map,
		.requests = j->have.request,
		.nr_requests = j->have.nr_requests};
	zl_reserve_plan(&j->in, &j->report);
	zl_reserve_correct(&j->in, &j->report, j->want, &j->corrected);
	zl_dts_fix_collect(dts, &j->have, j->want, &j->fix);
	return dts;
}

static bool is_homeless(const struct zl_pool *p)
{
	return p->class == ZL_POOL_CMA && (p->verdict != ZL_VERDICT_ACCEPTED || p->overlaps != 0);
}

static size_t homeless(const struct zl_reserve_report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->nr_pools; i++) {
		n += is_homeless(&report->pool[i]);
	}
	return n;
}

/* The same verdicts as were promised, own memory for everybody, and names that tell the truth. */
static void as_promised(const struct job *fixed, const struct job *j, const struct zl_buf *text)
{
	assert_int_equal(j->report.nr_pools, fixed->report.nr_pools);
	for (size_t i = 0; i < fixed->report.nr_pools; i++) {
		const struct zl_pool *p = &fixed->report.pool[i];
		const struct zl_request *q = &fixed->have.request[p->request];

		if (p->verdict != j->corrected.pool[i].verdict ||
			is_homeless(p) != is_homeless(&j->corrected.pool[i])) {
			fail_msg("%s is not as promised:\n%s", q->name, zl_buf_text(text));
		}
		assert_int_equal(j->want[i].base, q->base);
		assert_int_equal(j->want[i].size, q->size);
	}
	for (size_t i = 0; i < fixed->diags.count; i++) {
		if (fixed->diags.item[i].code == ZL_DIAG_UNIT_ADDRESS) {
			fail_msg("%s\n%s", fixed->diags.item[i].text, zl_buf_text(text));
		}
	}
}

/* --- all places --- */

static bool fits(const struct zl_ranges *taken, uint64_t ram, uint64_t base, uint64_t size)
{
	return base >= RAM_BASE && base + size <= RAM_BASE + ram &&
	       !zl_ranges_overlap(taken, base, size);
}

/* Places for the pools from @at on, each on a multiple of @a. */
static bool any_way(const struct job *j, struct zl_ranges *taken, uint64_t ram, size_t at)
{
	uint64_t a = j->report.alignment;
	const struct zl_request *q = &j->have.request[at];
	uint64_t size = (q->size + a - 1) / a * a;

	if (at == j->have.nr_requests) {
		return true;
	}
	if (q->no_map) {
		return any_way(j, taken, ram, at + 1);
	}
	for (uint64_t base = RAM_BASE; base < RAM_BASE + ram; base += a) {
		if (fits(taken, ram, base, size)) {
			struct zl_ranges now = *taken;

			zl_ranges_add(&now, base, size);
			if (any_way(j, &now, ram, at + 1)) {
				return true;
			}
		}
	}
	return false;
}

static void there_is_no_way(
	const struct job *j, const struct board *board, const struct zl_buf *text)
{
	struct zl_ranges taken = {.count = 0};

	for (size_t i = 0; i < j->have.nr_requests; i++) {
		if (j->have.request[i].no_map) {
			zl_ranges_add(&taken, j->have.request[i].base, j->have.request[i].size);
		}
	}
	if (any_way(j, &taken, board->ram, 0)) {
		fail_msg("there is a place for everybody:\n%s", zl_buf_text(text));
	}
}

/* --- */

struct counts {
	unsigned mended, hopeless, proved;
};

static void one_board(struct random *r, struct job *j, struct job *fixed, struct counts *counts)
{
	static const char *const sizes[] = {"page_size=4K", "page_size=16K", "page_size=64K"};
	const char *page_size = sizes[below(r, 3)];
	struct zl_buf text = {0};
	struct zl_buf again = {0};
	struct board board;
	struct zl_dts *dts;

	write_board(r, &text, &board);
	dts = plan(j, &text, page_size);
	assert_int_equal(0, j->fix.lost);
	zl_dts_fix_text(dts, 0, &j->fix, &again);
	zl_dts_free(dts);
	dts = plan(fixed, &again, page_size);
	zl_dts_free(dts);
	as_promised(fixed, j, &again);
	counts->mended += homeless(&j->report) > 0 && homeless(&j->corrected) == 0;
	counts->hopeless += homeless(&j->corrected) > 0;
	if (homeless(&j->corrected) > 0 && board.fixed_only &&
		board.ram / j->report.alignment <= SLOTS) {
		there_is_no_way(j, &board, &text);
		counts->proved++;
	}
	zl_buf_done(&text);
	zl_buf_done(&again);
}

/* A node that is put into the source is read there with all that it asks for, the others as before. */
static void new_nodes_are_read_as_they_were_asked_for(void **state)
{
	struct random r = {UINT64_C(0xbb67ae8584caa73b)};
	struct job *j = calloc(1, sizeof(*j));
	struct job *more = calloc(1, sizeof(*more));

	(void)state;
	assert_non_null(j);
	assert_non_null(more);
	for (unsigned i = 0; i < NEW_BOARDS; i++) {
		struct zl_request asked = {.name = "pool-1", .size = some_size(&r)};
		struct zl_buf text = {0}, again = {0};
		struct board board;

		write_board(&r, &text, &board);
		struct zl_dts *dts = plan(j, &text, "page_size=4K");
		asked.has_reg = below(&r, 2) == 0;
		asked.base = asked.has_reg ? some_base(&r, &board) : 0;
		j->fix.count = 0;
		assert_true(zl_dts_fix_add(dts, &asked, &j->fix));
		zl_dts_fix_text(dts, 0, &j->fix, &again);
		struct zl_dts *then = plan(more, &again, "page_size=4K");
		const size_t n = j->have.nr_requests;

		assert_int_equal(n + 1, more->have.nr_requests);
		for (size_t k = 0; k < n; k++) {
			assert_string_equal(j->have.request[k].name, more->have.request[k].name);
			assert_int_equal(j->have.request[k].size, more->have.request[k].size);
		}
		const struct zl_request *q = &more->have.request[n];
		assert_memory_equal("pool-1", q->name, strlen("pool-1"));
		assert_int_equal(asked.size, q->size);
		assert_int_equal(asked.has_reg, q->has_reg);
		assert_int_equal(asked.base, q->base);
		assert_true(q->reusable && q->dma_pool);
		zl_dts_free(dts);
		zl_dts_free(then);
		zl_buf_done(&text);
		zl_buf_done(&again);
	}
	free(j);
	free(more);
}

static void corrected_boards_give_every_pool_its_own_memory(void **state)
{
	struct random r = {UINT64_C(0x6a09e667f3bcc909)};
	struct job *j = calloc(1, sizeof(*j));
	struct job *fixed = calloc(1, sizeof(*fixed));
	struct counts counts = {0};

	(void)state;
	assert_non_null(j);
	assert_non_null(fixed);
	for (unsigned i = 0; i < BOARDS; i++) {
		one_board(&r, j, fixed, &counts);
	}
	assert_true(counts.mended > BOARDS / 4);
	assert_true(counts.hopeless > 0);
	assert_true(counts.proved > 0);
	free(j);
	free(fixed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_nodes_are_read_as_they_were_asked_for),
		cmocka_unit_test(corrected_boards_give_every_pool_its_own_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
