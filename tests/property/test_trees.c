/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random device trees, written in all the notations that people use: our reader of source sees
 * byte for byte what dtc compiles and libfdt reads, asks for the same reservations, and corrected
 * source differs in nothing but the numbers that were wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "zonelab/buffer.h"
#include "zonelab/dts_reservations.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

#define TREES 48

struct random {
	uint64_t state;
};

static uint64_t next(struct random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

static unsigned below(struct random *r, unsigned n)
{
	return (unsigned)(next(r) >> 20) % n;
}

/* --- writing --- */

static void blank(struct random *r, struct zl_buf *b)
{
	static const char *const blanks[] = {
		" ", "\t", "\n\t\t", " /* a > b; { */ ", " // } ;\n\t", "  ", "\r\n\t"};

	zl_buf_str(b, blanks[below(r, sizeof(blanks) / sizeof(blanks[0]))]);
}

/* One 32-bit number in some notation. */
static void cell(struct random *r, struct zl_buf *b, uint64_t v)
{
	switch (below(r, 6)) {
	case 0:
		zl_buf_fmt(b, "%U", v);
		break;
	case 1:
		zl_buf_fmt(b, "(%x + %U)", v / 2, v - v / 2);
		break;
	case 2:
		zl_buf_fmt(b, "(%U * 4096 | %U)", v / 4096, v % 4096);
		break;
	case 3:
		if (v < 0x100000) {
			zl_buf_str(b, "0x000");
			zl_buf_fmt(b, "%U", UINT64_C(0));
			break;
		}
		zl_buf_fmt(b, "%x", v);
		break;
	case 4:
		zl_buf_fmt(b, "((%x << 16) | (%x & 0xffff))", v >> 16, v);
		break;
	default:
		zl_buf_fmt(b, "%x", v);
		break;
	}
}

static void numbers(struct random *r, struct zl_buf *b, uint64_t v, unsigned cells)
{
	if (cells == 2) {
		blank(r, b);
		zl_buf_fmt(b, "%x", v >> 32);
	}
	blank(r, b);
	cell(r, b, v & UINT32_MAX);
}

struct cells {
	unsigned address, size;
};

/* base, size, as one list or two. */
static void pair(
	struct random *r, struct zl_buf *b, const struct cells *c, uint64_t base, uint64_t size)
{
	zl_buf_chr(b, '<');
	numbers(r, b, base, c->address);
	if (below(r, 4) == 0) {
		zl_buf_str(b, ">, <");
	}
	numbers(r, b, size, c->size);
	zl_buf_chr(b, '>');
}

static uint64_t some_size(struct random *r)
{
	return (uint64_t)(below(r, 48) + 1) << (20 + below(r, 3));
}

static void pool(struct random *r, struct zl_buf *b, const struct cells *c, unsigned i)
{
	uint64_t base = 0x40000000 + (uint64_t)i * 0x8000000 + ((uint64_t)below(r, 64) << 20);

	zl_buf_fmt(b, "\n\t\tl%u: pool-%u@%x", i, i, base);
	blank(r, b);
	zl_buf_str(b, "{\n\t\t\tcompatible = \"vendor,x\", \"shared-dma-pool\";\n");
	if (below(r, 5) != 0) {
		zl_buf_str(b, "\t\t\treusable;\n");
	} else if (below(r, 2) == 0) {
		zl_buf_str(b, "\t\t\tno-map;\n");
	}
	if (below(r, 2) == 0) {
		zl_buf_str(b, "\t\t\treg = ");
		pair(r, b, c, base, some_size(r));
	} else {
		zl_buf_str(b, "\t\t\tsize = <");
		numbers(r, b, some_size(r), c->size);
		zl_buf_str(b, ">");
	}
	zl_buf_str(b, ";\n");
	if (below(r, 3) == 0) {
		zl_buf_str(b, "\t\t\talignment = <");
		numbers(r, b, UINT64_C(1) << (12 + below(r, 14)), c->address);
		zl_buf_str(b, ">;\n");
	}
	if (below(r, 4) == 0) {
		zl_buf_str(b, "\t\t\talloc-ranges = ");
		pair(r, b, c, 0x40000000, 0x80000000);
		zl_buf_str(b, ";\n");
	}
	zl_buf_str(b, "\t\t};\n");
}

static void other_nodes(struct random *r, struct zl_buf *b)
{
	zl_buf_fmt(b, "\tnode-%u { text = \"a\\tb\", \"%U\"; bytes = [0%u ab 7f];", below(r, 9),
		next(r), below(r, 10));
	zl_buf_fmt(
		b, " wide = /bits/ 64 <%x>; narrow = /bits/ 8 <%u 'z'>;", next(r), below(r, 256));
	zl_buf_str(b, " in { #size-cells = <0>; flag; }; };\n");
}

static void tree(struct random *r, struct zl_buf *b)
{
	struct cells c = {1 + below(r, 2), 1 + below(r, 2)};
	unsigned pools = 1 + below(r, 6);

	zl_buf_str(b, "/dts-v1/;\n/memreserve/ 0x40000000 0x10000;\n/ {\n");
	zl_buf_fmt(b, "\t#address-cells = <%u>;\n\t#size-cells = <%u>;\n", c.address, c.size);
	zl_buf_str(b, "\tmemory@40000000 { device_type = \"memory\"; reg = ");
	pair(r, b, &c, 0x40000000, 0x80000000);
	zl_buf_str(b, "; };\n");
	other_nodes(r, b);
	zl_buf_fmt(b,
		"\treserved-memory {\n\t\t#address-cells = <%u>; #size-cells = <%u>; ranges;\n",
		c.address, c.size);
	for (unsigned i = 0; i < pools; i++) {
		pool(r, b, &c, i);
	}
	zl_buf_str(b, "\t};\n};\n");
	if (below(r, 3) == 0) {
		zl_buf_str(b, "&l0 { added = <1>; };\n");
	}
}

/* --- comparing --- */

static void same_props(const struct zl_dts_node *a, const struct zl_dts_node *b)
{
	const struct zl_dts_prop *p = a->props;
	const struct zl_dts_prop *q = b->props;

	for (; p != NULL && q != NULL; p = p->next, q = q->next) {
		assert_string_equal(p->name, q->name);
		assert_int_equal(p->size, q->size);
		if (p->size > 0) {
			assert_memory_equal(p->data, q->data, p->size);
		}
	}
	assert_null(p);
	assert_null(q);
}

static void same_trees(const struct zl_dts *source, const struct zl_dts *blob)
{
	const struct zl_dts_node *a = NULL;
	const struct zl_dts_node *b = NULL;

	for (;;) {
		a = zl_dts_next(source->root, a);
		b = zl_dts_next(blob->root, b);
		if (a == NULL || b == NULL) {
			break;
		}
		assert_string_equal(a->name, b->name);
		same_props(a, b);
	}
	assert_null(a);
	assert_null(b);
	assert_int_equal(0, source->nr_notes);
	assert_int_equal(source->nr_reserves, blob->nr_reserves);
}

static void same_request(const struct zl_request *a, const struct zl_request *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->fault, b->fault);
	assert_int_equal(a->has_reg, b->has_reg);
	assert_int_equal(a->reusable, b->reusable);
	assert_int_equal(a->no_map, b->no_map);
	assert_int_equal(a->base, b->base);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->alignment, b->alignment);
	assert_int_equal(a->nr_windows, b->nr_windows);
	for (size_t i = 0; i < a->nr_windows; i++) {
		assert_int_equal(a->window[i].base, b->window[i].base);
		assert_int_equal(a->window[i].size, b->window[i].size);
	}
}

static void same_requests(const struct zl_dts *source, const struct zl_dts *blob)
{
	struct zl_reservations *a = calloc(1, sizeof(*a));
	struct zl_reservations *b = calloc(1, sizeof(*b));
	struct zl_diags diags = {0};

	assert_non_null(a);
	assert_non_null(b);
	zl_reservations_read(source, a, &diags);
	zl_reservations_read(blob, b, &diags);
	assert_int_equal(a->nr_requests, b->nr_requests);
	for (size_t i = 0; i < a->nr_requests; i++) {
		same_request(&a->request[i], &b->request[i]);
	}
	assert_int_equal(1, a->banks.count);
	assert_int_equal(a->banks.item[0].base, b->banks.item[0].base);
	assert_int_equal(a->banks.item[0].size, b->banks.item[0].size);
	free(a);
	free(b);
}

static struct zl_dts *read_source(const char *text, size_t size)
{
	const struct zl_dts_options options = {
		.name = "random.dts", .allocator = zl_allocator_heap()};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	if (zl_dts_read(text, size, &options, &dts, &err) != 0) {
		fail_msg("%s\n%s", err.text, text);
	}
	return dts;
}

static struct zl_dts *compile(const char *text, size_t size)
{
	const struct zl_dts_options options = {
		.name = "random.dtb", .allocator = zl_allocator_heap()};
	char source[] = "/tmp/zonelab-trees-XXXXXX";
	char blob[64];
	char command[512];
	struct zl_error err = {0};
	struct zl_file f = {0};
	struct zl_dts *dts = NULL;
	int fd = mkstemp(source);

	assert_true(fd >= 0);
	assert_int_equal(size, write(fd, text, size));
	close(fd);
	zl_format(blob, sizeof(blob), "%s.dtb", source);
	zl_format(command, sizeof(command), "%s -q -I dts -O dtb -o %s %s", DTC, blob, source);
	if (system(command) != 0) {
		fail_msg("dtc refuses:\n%s", text);
	}
	assert_int_equal(0, zl_file_load(blob, 0, zl_allocator_heap(), &f, &err));
	assert_int_equal(0, zl_dtb_read(f.data, f.size, &options, &dts, &err));
	zl_file_done(&f, zl_allocator_heap());
	unlink(source);
	unlink(blob);
	return dts;
}

static void source_is_read_as_dtc_compiles_it(void **state)
{
	struct random r = {UINT64_C(0x9e3779b97f4a7c15)};

	(void)state;
	for (unsigned i = 0; i < TREES; i++) {
		struct zl_buf text = {0};
		struct zl_dts *a;
		struct zl_dts *b;

		tree(&r, &text);
		a = read_source(zl_buf_text(&text), text.len);
		b = compile(zl_buf_text(&text), text.len);
		same_trees(a, b);
		same_requests(a, b);
		zl_dts_free(a);
		zl_dts_free(b);
		zl_buf_done(&text);
	}
}

/* --- correcting --- */

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
};

static void plan(struct job *j, const struct zl_dts *dts, const char *page_size)
{
	struct zl_reserve_in in = {
		.geometry = &j->geometry, .switches = &j->switches, .map = &j->map};

	memset(j, 0, sizeof(*j));
	assert_int_equal(0, zl_settings_assign(&j->settings, page_size, ZL_ORIGIN_GIVEN, NULL));
	assert_int_equal(0, zl_release_parse("6.12", &j->release));
	zl_switches_for(&j->release, &j->switches, &j->diags);
	zl_geometry_resolve(&j->settings, &j->release, &j->switches, &j->geometry, &j->diags);
	zl_reservations_read(dts, &j->have, &j->diags);
	zl_memory_map_init(&j->map, &j->geometry, 0x40000000);
	j->map.known = true;
	j->map.banks = j->have.banks;
	in.requests = j->have.request;
	in.nr_requests = j->have.nr_requests;
	zl_reserve_plan(&in, &j->report);
	zl_reserve_correct(&in, &j->report, j->want, &j->corrected);
	zl_dts_fix_collect(dts, &j->have, j->want, &j->fix);
}

/* What lies between the edits is the same, and nothing else is there. */
static void only_edits_differ(
	const struct job *j, const struct zl_buf *old, const struct zl_buf *new)
{
	const char *a = zl_buf_text(old);
	const char *b = zl_buf_text(new);
	size_t at = 0;
	size_t to = 0;

	for (size_t i = 0; i < j->fix.count; i++) {
		const struct zl_dts_edit *e = &j->fix.edit[i];

		assert_memory_equal(a + at, b + to, e->begin - at);
		to += e->begin - at;
		assert_memory_equal(e->text, b + to, strlen(e->text));
		to += strlen(e->text);
		at = e->end;
	}
	assert_int_equal(old->len - at, new->len - to);
	assert_memory_equal(a + at, b + to, old->len - at);
}

static void corrected_source_is_legal_and_keeps_every_other_byte(void **state)
{
	static const char *const sizes[] = {"page_size=4K", "page_size=16K", "page_size=64K"};
	struct random r = {UINT64_C(0x2545f4914f6cdd1d)};
	struct job *j = calloc(1, sizeof(*j));
	size_t corrected = 0;

	(void)state;
	assert_non_null(j);
	for (unsigned i = 0; i < TREES; i++) {
		struct zl_buf text = {0};
		struct zl_buf fixed = {0};
		struct zl_dts *dts;
		bool hopeless;
		size_t n;

		tree(&r, &text);
		dts = read_source(zl_buf_text(&text), text.len);
		plan(j, dts, sizes[i % 3]);
		hopeless = j->corrected.nr_refused + j->corrected.nr_no_room > 0;
		assert_int_equal(0, j->fix.lost);
		n = j->have.nr_requests;
		corrected += j->fix.count > 0;
		zl_dts_fix_text(dts, 0, &j->fix, &fixed);
		only_edits_differ(j, &text, &fixed);
		zl_dts_free(dts);
		dts = read_source(zl_buf_text(&fixed), fixed.len);
		plan(j, dts, sizes[i % 3]);
		assert_int_equal(n, j->have.nr_requests);
		assert_int_equal(hopeless, j->report.nr_refused + j->report.nr_no_room > 0);
		zl_dts_free(dts);
		zl_buf_done(&text);
		zl_buf_done(&fixed);
	}
	assert_true(corrected > TREES / 3);
	free(j);
}

/* --- what dtc refuses --- */

static bool dtc_takes(const char *text, size_t size)
{
	char source[] = "/tmp/zonelab-trees-XXXXXX";
	char command[512];
	int fd = mkstemp(source);
	int status;

	assert_true(fd >= 0);
	assert_int_equal(size, write(fd, text, size));
	close(fd);
	zl_format(command, sizeof(command), "%s -q -I dts -O dtb -o /dev/null %s 2>/dev/null", DTC,
		source);
	status = system(command);
	unlink(source);
	return status == 0;
}

static bool we_take(const char *text, size_t size)
{
	struct zl_dts *dts = read_source(text, size);
	bool clean = true;

	for (size_t i = 0; i < dts->nr_notes; i++) {
		clean = clean && dts->note[i].severity != ZL_ERROR;
	}
	zl_dts_free(dts);
	return clean;
}

/* One mark of the syntax lost, wherever it stands. */
static void source_that_dtc_refuses_is_an_error(void **state)
{
	static const char text[] =
		"/dts-v1/;\n/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
		"\treserved-memory {\n\t\tranges;\n\t\ta: a@40000000 {\n"
		"\t\t\tcompatible = \"x\", \"shared-dma-pool\";\n\t\t\treusable;\n"
		"\t\t\treg = <0x40000000 (4 * 1024)>;\n\t\t\tbytes = [00 ff];\n\t\t};\n"
		"\t};\n\tb { of = <&a>; };\n};\n&a { no-map; };\n";
	const size_t n = sizeof(text) - 1;
	unsigned refused = 0;

	(void)state;
	assert_true(dtc_takes(text, n) && we_take(text, n));
	for (size_t i = sizeof("/dts-v1/;"); i < n; i++) {
		char less[sizeof(text)];

		if (strchr(";{}<>[]()\"", text[i]) == NULL) {
			continue;
		}
		memcpy(less, text, i);
		memcpy(less + i, text + i + 1, n - i);
		if (dtc_takes(less, n - 1) != we_take(less, n - 1)) {
			fail_msg("without `%c` dtc says %s:\n%s", text[i],
				dtc_takes(less, n - 1) ? "yes" : "no", less);
		}
		refused += !dtc_takes(less, n - 1);
	}
	assert_true(refused > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_is_read_as_dtc_compiles_it),
		cmocka_unit_test(corrected_source_is_legal_and_keeps_every_other_byte),
		cmocka_unit_test(source_that_dtc_refuses_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
