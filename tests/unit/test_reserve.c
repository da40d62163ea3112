/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic of reservations against the worked examples of the rules: a request of 4 MiB in each
 * form on each kernel, and what each form does at the edges.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reserve_fixture.h"
#include "zonelab/iomem.h"
#include "zonelab/text.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static void banks(
	struct zl_memory_map *map, const struct zl_geometry *g, uint64_t base, uint64_t size)
{
	zl_memory_map_init(map, g, base);
	map->known = true;
	zl_ranges_add(&map->banks, base, size);
}

static enum zl_declare_result declare(
	const char *kernel, uint64_t a, const struct zl_declare *d, struct zl_declared *ret)
{
	struct geo geo;
	struct zl_memory_map map;
	struct zl_reserve_in in = {.geometry = &geo.g, .switches = &geo.sw, .map = &map};
	struct zl_declare any = *d;

	geo_resolve(&geo, kernel, "arch=arm64 page_size=4K");
	geo.g.cma_min_alignment_bytes = a;
	banks(&map, &geo.g, 0x80000000, 4 * GIB);
	any.node = ZL_ANY_NODE;
	return zl_cma_declare(&in, &map, &any, ret);
}

/* 1 GiB from 2 GiB on, of which the last 256 MiB are high memory. */
static enum zl_declare_result declare_high(const struct zl_declare *d, struct zl_declared *ret)
{
	struct geo geo;
	struct zl_memory_map map;
	struct zl_reserve_in in = {.geometry = &geo.g, .switches = &geo.sw, .map = &map};
	struct zl_declare any = *d;

	geo_resolve(&geo, "6.12", "arch=arm page_size=4K");
	geo.g.cma_min_alignment_bytes = 4 * MIB;
	banks(&map, &geo.g, 0x80000000, GIB);
	map.highmem_start = 0xb0000000;
	any.node = ZL_ANY_NODE;
	return zl_cma_declare(&in, &map, &any, ret);
}

static void an_area_lies_on_one_side_of_high_memory(void **state)
{
	struct zl_declared r;

	(void)state;
	assert_int_equal(ZL_DECLARE_HIGHMEM,
		declare_high(
			&(struct zl_declare){.base = 0xafc00000, .size = 8 * MIB, .fixed = true},
			&r));
	assert_int_equal(ZL_DECLARE_OK,
		declare_high(
			&(struct zl_declare){.base = 0xafc00000, .size = 4 * MIB, .fixed = true},
			&r));
	assert_int_equal(0xafc00000, r.base);
	assert_int_equal(ZL_DECLARE_OK,
		declare_high(
			&(struct zl_declare){.base = 0xb0000000, .size = 4 * MIB, .fixed = true},
			&r));
	assert_int_equal(0xb0000000, r.base);
	/* High memory is tried first; what does not fit there, or may not, goes below it. */
	assert_int_equal(ZL_DECLARE_OK, declare_high(&(struct zl_declare){.size = 256 * MIB}, &r));
	assert_int_equal(0xb0000000, r.base);
	assert_int_equal(ZL_DECLARE_OK, declare_high(&(struct zl_declare){.size = 260 * MIB}, &r));
	assert_true(r.base + 260 * MIB <= 0xb0000000);
	assert_int_equal(ZL_DECLARE_OK,
		declare_high(&(struct zl_declare){.size = 16 * MIB, .limit = 0xb0000000}, &r));
	assert_true(r.base + 16 * MIB <= 0xb0000000);
}

static void declared_areas_round_sizes_up_and_limits_down(void **state)
{
	struct zl_declared r;

	(void)state;
	assert_int_equal(ZL_DECLARE_OK,
		declare("6.16", 32 * MIB, &(struct zl_declare){.size = 4 * MIB}, &r));
	assert_int_equal(32 * MIB, r.size);
	assert_int_equal(ZL_DECLARE_LIMIT, declare("6.16", 32 * MIB,
						   &(struct zl_declare){.size = 4 * MIB,
							   .base = 0x90000000,
							   .limit = 0x90400000,
							   .fixed = true},
						   &r));
	assert_int_equal(0x90000000, r.limit);
	assert_int_equal(ZL_DECLARE_UNALIGNED, declare("6.16", 512 * MIB,
						       &(struct zl_declare){.size = 4 * MIB,
							       .base = 0x90000000,
							       .limit = 0x90400000,
							       .fixed = true},
						       &r));
	assert_int_equal(ZL_DECLARE_LIMIT,
		declare("6.16", 512 * MIB,
			&(struct zl_declare){
				.size = 4 * MIB, .base = 0x90000000, .limit = 0xa0000000},
			&r));
	/* A limit below the alignment becomes 0, which means none. */
	assert_int_equal(ZL_DECLARE_OK,
		declare("6.16", 512 * MIB,
			&(struct zl_declare){.size = 4 * MIB, .limit = 256 * MIB}, &r));
	assert_int_equal(512 * MIB, r.size);
}

static void an_area_without_limit_goes_bottom_up_from_4_gib(void **state)
{
	struct zl_declared r;

	(void)state;
	assert_int_equal(ZL_DECLARE_OK,
		declare("6.12", 2 * MIB, &(struct zl_declare){.size = 64 * MIB}, &r));
	assert_int_equal(4 * GIB, r.base);
	assert_int_equal(ZL_DECLARE_OK,
		declare("6.12", 2 * MIB, &(struct zl_declare){.size = 64 * MIB, .limit = 4 * GIB},
			&r));
	assert_int_equal(4 * GIB - 64 * MIB, r.base);
}

/* One kernel of the table of worked examples. */
struct example {
	const char *kernel, *words;
	uint64_t align, write;
	bool node_ok;
	/* cma=4M@0x90000000 and cma=4M@0x90000000-0xa0000000: bytes, or the message's start */
	uint64_t fixed, ranged;
	const char *fixed_message, *ranged_message;
};

static const struct example examples[] = {
	{"5.15", "page_size=4K",							   4 * MIB,	  4 * MIB,   true,	 4 * MIB, 4 * MIB,   NULL, NULL},
	{"6.12", "page_size=4K hugetlb=off",					       2 * MIB,   4 * MIB,   true,  4 * MIB, 4 * MIB,   NULL, NULL},
	{"6.16", "page_size=16K hugetlb=off",					      32 * MIB,	32 * MIB,  false, 0,	    32 * MIB,
		"cma: Size (0x0000000002000000) of region at 0x0000000090000000 exceeds limit "
		"(0x0000000090000000)",													   NULL},
	{"6.16", "page_size=64K hugetlb=off",					      512 * MIB, 512 * MIB, false, 0,	      0,
		"cma: Region at 0x0000000090000000 must be aligned to 0x0000000020000000 bytes",							 "cma: Size (0x0000000020000000) of region at 0x00000000a0000000 exceeds limit "
		"(0x00000000a0000000)"			      },
	{"6.16", "page_size=16K page_block_order=7",					     2 * MIB,   4 * MIB,   true,  4 * MIB, 4 * MIB,   NULL,
		NULL																	 },
	{"6.16", "page_size=64K page_block_order=5",					     2 * MIB,   4 * MIB,   true,  4 * MIB, 4 * MIB,   NULL,
		NULL																	 },
	{"6.6",	"page_size=4K hugetlb=off",					       4 * MIB,   4 * MIB,   true,  4 * MIB, 4 * MIB,   NULL, NULL},
	{"6.16", "page_size=4K thp=off hugetlb=off max_page_order=15 page_block_order=15",
		128 * MIB,										   128 * MIB, false, 0,	128 * MIB,
		"cma: Size (0x0000000008000000) of region at 0x0000000090000000 exceeds limit "
		"(0x0000000090000000)",													   NULL},
};

static void check_cma(const struct example *e, const char *cma, uint64_t given, const char *message)
{
	struct rsv r;
	char words[160];

	zl_format(words, sizeof(words), "arch=arm64 %s", e->words);
	rsv_text(&r,
		"/ { #address-cells = <2>; #size-cells = <2>; memory@80000000 { device_type = "
		"\"memory\"; reg = <0 0x80000000 0 0x60000000>; }; };",
		e->kernel, words);
	rsv_default(&r, cma, 0);
	assert_int_equal(given, r.report->given);
	if (message != NULL) {
		assert_string_equal(message, r.report->pool[0].message[0]);
		assert_int_equal(ZL_VERDICT_REFUSED, r.report->pool[0].verdict);
	}
	rsv_done(&r);
}

static void four_mib_in_every_form(void **state)
{
	static const char node[] = "p { compatible = \"shared-dma-pool\"; reusable; size = <0x0 "
				   "0x400000>; };";

	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		const struct example *e = &examples[i];
		char words[160];
		struct rsv r;

		zl_format(words, sizeof(words), "arch=arm64 %s", e->words);
		rsv_text(&r, node, e->kernel, words);
		assert_int_equal(e->align, r.report->alignment);
		assert_int_equal(e->node_ok ? ZL_VERDICT_ACCEPTED : ZL_VERDICT_REFUSED,
			r.report->pool[0].verdict);
		assert_int_equal(e->write, r.report->pool[0].required_bytes);
		rsv_done(&r);
		check_cma(e, "4M", e->write, NULL);
		check_cma(e, "4M@0x90000000", e->fixed, e->fixed_message);
		check_cma(e, "4M@0x90000000-0xa0000000", e->ranged, e->ranged_message);
	}
}

static void regions_are_enclosed(void **state)
{
	struct zl_range r = zl_enclosing_region(0x90400000, 4 * MIB, 32 * MIB);

	(void)state;
	assert_int_equal(0x90000000, r.base);
	assert_int_equal(32 * MIB, r.size);
	r = zl_enclosing_region(0x90400000, 4 * MIB, 512 * MIB);
	assert_int_equal(0x80000000, r.base);
	assert_int_equal(512 * MIB, r.size);
	r = zl_enclosing_region(0x91000000, 16 * MIB, 32 * MIB);
	assert_int_equal(0x90000000, r.base);
	assert_int_equal(32 * MIB, r.size);
}

static void kconfig_default_is_always_rounded(void **state)
{
	static const struct {
		uint64_t asked, align, given;
	} rows[] = {
		{16 * MIB, 2 * MIB,   16 * MIB },
		{16 * MIB, 32 * MIB,  32 * MIB },
		{16 * MIB, 512 * MIB, 512 * MIB},
		{64 * MIB, 32 * MIB,  64 * MIB },
		{64 * MIB, 512 * MIB, 512 * MIB},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_declared r;

		assert_int_equal(
			ZL_DECLARE_OK, declare("6.12", rows[i].align,
					       &(struct zl_declare){.size = rows[i].asked}, &r));
		assert_int_equal(rows[i].given, r.size);
	}
}

static void cma_values_are_read_as_the_kernel_reads_them(void **state)
{
	struct zl_cma_param p;
	const char *rest;

	(void)state;
	assert_int_equal(0, zl_cma_param_parse("550M", &p, &rest));
	assert_int_equal(550 * MIB, p.size);
	assert_int_equal(0, p.limit);
	assert_string_equal("", rest);
	assert_int_equal(0, zl_cma_param_parse("256Mb quiet", &p, &rest));
	assert_int_equal(256 * MIB, p.size);
	assert_string_equal("b quiet", rest);
	assert_int_equal(0, zl_cma_param_parse("0x1000000@1G-2g", &p, &rest));
	assert_int_equal(16 * MIB, p.size);
	assert_int_equal(GIB, p.base);
	assert_int_equal(2 * GIB, p.limit);
	assert_int_equal(0, zl_cma_param_parse("16M@0x50000000", &p, &rest));
	assert_int_equal(0x51000000, p.limit);
	assert_int_not_equal(0, zl_cma_param_parse("", &p, &rest));
	assert_int_not_equal(0, zl_cma_param_parse("M", &p, &rest));
}

static void node_default_beats_kconfig_and_cmdline_beats_both(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; d { compatible = "
		"\"shared-dma-pool\"; reusable; linux,cma-default; size = <0 0x2000000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	rsv_default(&r, NULL, 64 * MIB);
	assert_int_equal(ZL_VERDICT_ACCEPTED, rsv_pool(&r, "d")->verdict);
	assert_int_equal(ZL_VERDICT_BYPASSED, rsv_pool(&r, "reserved")->verdict);
	assert_true(rsv_pool(&r, "d")->is_default);
	rsv_done(&r);
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	rsv_default(&r, "16M", 0);
	assert_int_equal(ZL_VERDICT_BYPASSED, rsv_pool(&r, "d")->verdict);
	assert_string_equal("Reserved memory: bypass d node, using cmdline CMA params instead",
		rsv_pool(&r, "d")->message[0]);
	assert_string_equal("cma: Reserved 32 MiB at 0x000000007e000000 on node -1",
		rsv_pool(&r, "reserved")->message[0]);
	rsv_done(&r);
	rsv_text(&r, text, "7.0", "arch=arm64 page_size=16K");
	rsv_default(&r, "16M", 0);
	assert_string_equal(
		"OF: reserved mem: Skipping dt linux,cma-default for \"cma=\" kernel param.",
		rsv_pool(&r, "d")->message[0]);
	assert_string_equal(
		"cma: Reserved 16 MiB at 0x000000007e000000", rsv_pool(&r, "reserved")->message[0]);
	rsv_done(&r);
}

static void areas_run_out(void **state)
{
	char text[4096];
	struct zl_text t;
	struct rsv r;

	(void)state;
	zl_text_init(&t, text, sizeof(text));
	for (unsigned i = 0; i < 9; i++) {
		zl_text_fmt(&t,
			"p%u { compatible = \"shared-dma-pool\"; reusable; size = <0 0x400000>; "
			"};\n",
			i);
	}
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=4K numa=off");
	assert_int_equal(8, r.report->max_areas);
	assert_int_equal(1, r.report->nr_refused);
	assert_int_equal(ZL_REASON_SLOTS, rsv_pool(&r, "p8")->reason);
	assert_string_equal(
		"cma: Not enough slots for CMA reserved regions!", rsv_pool(&r, "p8")->message[0]);
	assert_string_equal(
		"Reserved memory: unable to setup CMA region", rsv_pool(&r, "p8")->message[1]);
	rsv_done(&r);
}

static void windows_are_tried_in_order(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; "
		"f@50000000 { no-map; reg = <0 0x50000000 0 0x1000000>; }; "
		"d { compatible = \"shared-dma-pool\"; reusable; size = <0 0x2000000>; "
		"alloc-ranges = <0 0x50000000 0 0x2000000>, <0 0x60000000 0 0x8000000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.1", "arch=arm64 page_size=16K");
	assert_int_equal(0x66000000, rsv_pool(&r, "d")->base);
	assert_int_equal(96 * MIB, rsv_pool(&r, "d")->slack);
	rsv_done(&r);
}

static void a_window_that_starts_at_a_region_is_filled_bottom_up(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; "
		"f@50000000 { no-map; reg = <0 0x50000000 0 0x2000000>; }; "
		"d { compatible = \"shared-dma-pool\"; reusable; size = <0 0x2000000>; "
		"alloc-ranges = <0 0x50000000 0 0x10000000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.1", "arch=arm64 page_size=16K");
	assert_int_equal(0x5e000000, rsv_pool(&r, "d")->base);
	rsv_done(&r);
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	assert_int_equal(0x52000000, rsv_pool(&r, "d")->base);
	rsv_done(&r);
}

/* Regions at both ends of a window say nothing about the direction: it is filled from its end. */
static void a_window_between_two_regions_is_filled_top_down(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; "
		"f@50000000 { no-map; reg = <0 0x50000000 0 0x2000000>; }; "
		"g@5e000000 { no-map; reg = <0 0x5e000000 0 0x2000000>; }; "
		"d { compatible = \"shared-dma-pool\"; reusable; size = <0 0x2000000>; "
		"alloc-ranges = <0 0x50000000 0 0x10000000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	assert_int_equal(0x5c000000, rsv_pool(&r, "d")->base);
	rsv_done(&r);
}

static void a_corrected_region_avoids_its_neighbours(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; "
		"f@50000000 { no-map; reg = <0 0x50000000 0 0x100000>; }; "
		"d@51000000 { compatible = \"shared-dma-pool\"; reusable; "
		"reg = <0 0x51000000 0 0x400000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	assert_int_equal(0x52000000, r.want[1].base);
	assert_int_equal(32 * MIB, r.want[1].size);
	rsv_done(&r);
}

static void nodes_outside_memory_cannot_be_activated(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { device_type = "
		"\"memory\"; reg = <0 0x40000000 0 0x40000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; "
		"d@90000000 { compatible = \"shared-dma-pool\"; reusable; "
		"reg = <0 0x90000000 0 0x2000000>; }; }; };";
	struct rsv r;
	const struct zl_pool *p;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	p = rsv_pool(&r, "d@90000000");
	assert_int_equal(ZL_VERDICT_REFUSED, p->verdict);
	assert_string_equal(
		"cma: CMA area d@90000000 could not be activated", p->message[p->main_message]);
	rsv_done(&r);
}

static void format_of_the_parent_decides_about_all_nodes(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; reserved-memory { "
		"#address-cells = <1>; #size-cells = <1>; ranges; d { compatible = "
		"\"shared-dma-pool\"; reusable; size = <0x2000000>; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=16K");
	assert_int_equal(ZL_POOL_IGNORED, rsv_pool(&r, "d")->class);
	assert_string_equal("Reserved memory: unsupported node format, ignoring",
		rsv_pool(&r, "d")->message[0]);
	assert_true(rsv_has_diag(&r, ZL_DIAG_RESERVED_FORMAT));
	rsv_done(&r);
}

/* How many of 66 pools of 1 MiB, with a place or without one, find no room in the table. */
static unsigned without_region(const char *kernel, bool placed)
{
	struct zl_buf text = {0};
	struct rsv r;
	unsigned n = 0;

	zl_buf_str(&text, "/ { #address-cells = <1>; #size-cells = <1>; memory@40000000 { "
			  "device_type = \"memory\"; reg = <0x40000000 0x40000000>; }; "
			  "reserved-memory { #address-cells = <1>; #size-cells = <1>; ranges; ");
	for (unsigned i = 0; i < ZL_RESERVED_REGIONS + 2; i++) {
		zl_buf_fmt(&text,
			placed ? "p%u { no-map; reg = <%x 0x100000>; }; "
			       : "p%u { no-map; size = <0x100000>; }; ",
			i, UINT64_C(0x50000000) + i * MIB);
	}
	zl_buf_str(&text, "}; };");
	rsv_text(&r, zl_buf_text(&text), kernel, "arch=arm64 page_size=4K");
	for (size_t i = 0; i < r.report->nr_pools; i++) {
		n += r.report->pool[i].reason == ZL_REASON_REGIONS ? 1 : 0;
	}
	rsv_done(&r);
	zl_buf_done(&text);
	return n;
}

static void the_table_of_regions_holds_64_and_later_only_those_without_a_place(void **state)
{
	(void)state;
	assert_int_equal(2, without_region("6.12", true));
	assert_int_equal(2, without_region("6.12", false));
	assert_int_equal(0, without_region("6.13", true));
	assert_int_equal(2, without_region("6.13", false));
}

static void expect_word(const char *cmdline, const char *want)
{
	char value[64] = "?";
	bool found = zl_cmdline_find(cmdline, "cma", value, sizeof(value));

	assert_int_equal(want != NULL, found);
	if (want != NULL) {
		assert_string_equal(want, value);
	}
}

static void the_last_word_of_a_name_on_the_command_line_counts(void **state)
{
	(void)state;
	expect_word("quiet cma=64M root=/dev/sda1", "64M");
	expect_word("cma=64M cma=32M cma_pernuma=1M xcma=2M", "32M");
	expect_word("cma", "");
	expect_word("cma=\"64M x\" quiet", "64M x");
	expect_word("root=/dev/sda1 quiet numa_cma=0:1M cmax", NULL);
	expect_word("quiet -- cma=64M", NULL);
	expect_word("", NULL);
}

static void sizes_by_node_are_read(void **state)
{
	uint64_t size[ZL_NODE_SIZES_MAX];

	(void)state;
	assert_int_equal(1, zl_node_sizes_parse("0:64M,1:1G,3:4K", size));
	assert_true(size[0] == 64 << 20 && size[1] == 1 << 30 && size[2] == 0 && size[3] == 4096);
	assert_int_equal(0, zl_node_sizes_parse("64M", size));
	assert_true(size[0] == 64 << 20 && size[1] == 0);
	assert_int_equal(-EINVAL, zl_node_sizes_parse("0:", size));
	assert_int_equal(-EINVAL, zl_node_sizes_parse("", size));
}

/* As the kernel prints it: what lies below memory is indented. */
static void iomem_tells_memory_and_what_is_reserved_of_it(void **state)
{
	static const char text[] = "00000000-00000fff : Reserved\n"
				   "40000000-7fffffff : System RAM\n"
				   "  40010000-40ffffff : Kernel code\n"
				   "  50000000-57ffffff : reserved\n"
				   "  60000000-60000fff : other\n"
				   "80000000-800fffff : reserved\n"
				   "90000000-90000fff : serial\n"
				   "  90000000-900000ff : reserved\n";
	struct zl_ranges banks = {0}, reserved = {0};

	(void)state;
	assert_int_equal(4, zl_iomem_read(text, sizeof(text) - 1, &banks, &reserved));
	assert_int_equal(1, banks.count);
	assert_true(banks.item[0].base == 0x40000000 && banks.item[0].size == 0x40100000);
	assert_int_equal(3, reserved.count);
	assert_true(reserved.item[0].base == 0x40010000 && reserved.item[0].size == 0xff0000);
	assert_true(reserved.item[1].base == 0x50000000 && reserved.item[1].size == 0x8000000);
	assert_true(reserved.item[2].base == 0x80000000 && reserved.item[2].size == 0x100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_word_of_a_name_on_the_command_line_counts),
		cmocka_unit_test(an_area_lies_on_one_side_of_high_memory),
		cmocka_unit_test(
			the_table_of_regions_holds_64_and_later_only_those_without_a_place),
		cmocka_unit_test(sizes_by_node_are_read),
		cmocka_unit_test(iomem_tells_memory_and_what_is_reserved_of_it),
		cmocka_unit_test(declared_areas_round_sizes_up_and_limits_down),
		cmocka_unit_test(an_area_without_limit_goes_bottom_up_from_4_gib),
		cmocka_unit_test(four_mib_in_every_form),
		cmocka_unit_test(regions_are_enclosed),
		cmocka_unit_test(kconfig_default_is_always_rounded),
		cmocka_unit_test(cma_values_are_read_as_the_kernel_reads_them),
		cmocka_unit_test(node_default_beats_kconfig_and_cmdline_beats_both),
		cmocka_unit_test(areas_run_out),
		cmocka_unit_test(windows_are_tried_in_order),
		cmocka_unit_test(a_window_that_starts_at_a_region_is_filled_bottom_up),
		cmocka_unit_test(a_window_between_two_regions_is_filled_top_down),
		cmocka_unit_test(a_corrected_region_avoids_its_neighbours),
		cmocka_unit_test(nodes_outside_memory_cannot_be_activated),
		cmocka_unit_test(format_of_the_parent_decides_about_all_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
