/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Areas that no device tree asks for (hugetlb_cma=, numa_cma=), on machines of one node and of two,
 * and what is said of nodes that nothing comes of. Two banks of 4 GiB at 4 GiB and at 8 GiB.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reserve_fixture.h"
#include "zonelab/text.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

struct boot {
	struct geo geo;
	struct zl_memory_map map;
	struct zl_request request[4];
	struct zl_reserve_in in;
	struct zl_reserve_report report;
};

static void start(struct boot *b, const char *kernel, const char *words)
{
	memset(b, 0, sizeof(*b));
	geo_resolve(&b->geo, kernel, words);
	zl_memory_map_init(&b->map, &b->geo.g, 4 * GIB);
	b->map.known = true;
	zl_ranges_add(&b->map.banks, 4 * GIB, 8 * GIB);
	b->map.node_range[0] = (struct zl_node_range){.base = 4 * GIB, .size = 4 * GIB, .node = 0};
	b->map.node_range[1] = (struct zl_node_range){.base = 8 * GIB, .size = 4 * GIB, .node = 1};
	b->map.nr_node_ranges = 2;
	b->in = (struct zl_reserve_in){.geometry = &b->geo.g,
		.switches = &b->geo.sw,
		.map = &b->map,
		.requests = b->request};
}

static struct zl_request *ask(
	struct boot *b, enum zl_request_kind kind, const char *name, uint64_t size, int node)
{
	struct zl_request *q = &b->request[b->in.nr_requests++];

	*q = (struct zl_request){
		.kind = kind, .source = ZL_SOURCE_CMDLINE, .size = size, .node = node};
	zl_format(q->name, sizeof(q->name), "%s", name);
	return q;
}

static const struct zl_pool *planned(struct boot *b, size_t i)
{
	zl_reserve_plan(&b->in, &b->report);
	assert_int_equal(b->in.nr_requests, b->report.nr_pools);
	return &b->report.pool[i];
}

/* Below one gigantic page nothing is reserved; what is no multiple was rounded up before 7.0. */
static void hugetlb_cma_works_in_gigantic_pages(void **state)
{
	static const struct {
		const char *kernel;
		uint64_t asked, given; /* 0 = refused */
		const char *text;
	} table[] = {
		{"6.12", GIB - MIB,	    0,       "hugetlb_cma= works in gigantic pages of 1 GiB"},
		{"6.12", GIB,	      GIB,	   "size is a multiple of 1 GiB"			},
		{"6.12", GIB + 512 * MIB, 2 * GIB,
			"1536 MiB asked, rounded up to a multiple of 1 GiB"				   },
		{"6.12", 2 * GIB,	  2 * GIB, "size is a multiple of 1 GiB"			},
		{"7.1",	GIB - MIB,	   0,	      "hugetlb_cma= works in gigantic pages of 1 GiB"},
		{"7.1",	GIB + 512 * MIB, 0,	    "hugetlb_cma= works in gigantic pages of 1 GiB"},
		{"7.1",	GIB,	     GIB,	  "size is a multiple of 1 GiB"		       },
		{"7.1",	2 * GIB,	 2 * GIB, "size is a multiple of 1 GiB"		       },
	};
	static struct boot b;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct zl_pool *p;
		struct zl_request *q;

		start(&b, table[i].kernel, "arch=arm64 page_size=4K");
		q = ask(&b, ZL_REQUEST_HUGETLB, "hugetlb1", table[i].asked, 1);
		q->unit = q->alignment = GIB;
		p = planned(&b, 0);
		assert_int_equal(
			table[i].given > 0 ? ZL_VERDICT_ACCEPTED : ZL_VERDICT_REFUSED, p->verdict);
		assert_true(table[i].given == p->size);
		assert_string_equal(table[i].text, p->text);
		if (table[i].given > 0) {
			char said[64];

			zl_format(said, sizeof(said), "hugetlb_cma: reserved %U MiB on node 1",
				table[i].given / MIB);
			assert_string_equal(said, p->message[p->nr_messages - 1]);
			assert_true(p->base == 8 * GIB);
		}
	}
}

/* 3 GiB over two nodes: half of it, rounded up to gigantic pages, until nothing is left. */
static void one_size_is_split_over_the_nodes(void **state)
{
	static const struct {
		uint64_t total;
		unsigned nodes;
		uint64_t size[3];
	} table[] = {
		{3 * GIB, 2, {2 * GIB, GIB, 0}      },
		{4 * GIB, 2, {2 * GIB, 2 * GIB, 0}  },
		{GIB,     2, {GIB, 0, 0}	    },
		{5 * GIB, 3, {2 * GIB, 2 * GIB, GIB}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t size[ZL_NODE_SIZES_MAX];

		zl_hugetlb_cma_split(table[i].total, GIB, table[i].nodes, size);
		for (unsigned k = 0; k < ZL_NODE_SIZES_MAX; k++) {
			assert_true(size[k] == (k < 3 ? table[i].size[k] : 0));
		}
	}
}

static void an_area_of_a_node_lies_on_it(void **state)
{
	static struct boot b;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	ask(&b, ZL_REQUEST_NODE_AREA, "numa0", 64 * MIB, 0);
	ask(&b, ZL_REQUEST_NODE_AREA, "numa1", 64 * MIB, 1);
	ask(&b, ZL_REQUEST_NODE_AREA, "numa2", 64 * MIB, 2);
	ask(&b, ZL_REQUEST_NODE_AREA, "numa3", 0, 1);
	planned(&b, 0);
	assert_true(b.report.pool[0].base == 4 * GIB);
	assert_string_equal("cma: Reserved 64 MiB at 0x0000000100000000 on node 0",
		b.report.pool[0].message[0]);
	assert_true(b.report.pool[1].base == 8 * GIB);
	assert_string_equal("cma: Reserved 64 MiB at 0x0000000200000000 on node 1",
		b.report.pool[1].message[0]);
	assert_int_equal(ZL_VERDICT_NO_ROOM, b.report.pool[2].verdict);
	assert_string_equal("no hole of 64 MiB at a multiple of 2 MiB", b.report.pool[2].text);
	assert_int_equal(ZL_VERDICT_NONE, b.report.pool[3].verdict);
	assert_string_equal("size 0: nothing is reserved", b.report.pool[3].text);
	assert_true(b.report.given == 128 * MIB);
}

/* Node 0 at both ends of memory, node 1 between. */
static void a_search_on_a_node_takes_the_part_nearest_to_its_start(void **state)
{
	static const struct {
		int node;
		bool top_down;
		uint64_t size, at; /* 0 = nowhere */
	} table[] = {
		{0,	    false, 64 * MIB, 4 * GIB	    },
		{0,	    true,  64 * MIB, 12 * GIB - 64 * MIB},
		{1,	    false, 64 * MIB, 6 * GIB	    },
		{1,	    true,  64 * MIB, 10 * GIB - 64 * MIB},
		{1,	    false, 4 * GIB,  6 * GIB		   },
		{0,	    false, 4 * GIB,  0		     },
		{ZL_ANY_NODE, false, 8 * GIB,  4 * GIB	     },
	};
	static struct boot b;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	b.map.node_range[0] = (struct zl_node_range){.base = 10 * GIB, .size = 2 * GIB, .node = 0};
	b.map.node_range[1] = (struct zl_node_range){.base = 6 * GIB, .size = 4 * GIB, .node = 1};
	b.map.node_range[2] = (struct zl_node_range){.base = 4 * GIB, .size = 2 * GIB, .node = 0};
	b.map.nr_node_ranges = 3;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct zl_search s = {.size = table[i].size,
			.align = MIB,
			.node = table[i].node,
			.top_down = table[i].top_down};
		uint64_t at = 0;

		assert_int_equal(table[i].at != 0, zl_memory_find(&b.map, &s, &at));
		assert_true(at == table[i].at);
	}
	assert_int_equal(0, zl_memory_node(&b.map, 4 * GIB));
	assert_int_equal(0, zl_memory_node(&b.map, 6 * GIB - 1));
	assert_int_equal(1, zl_memory_node(&b.map, 6 * GIB));
	assert_int_equal(-1, zl_memory_node(&b.map, 12 * GIB));
}

/* Holes of 3, 2 and 3 MiB; then none that holds an aligned part. */
static void the_largest_hole_is_the_first_of_those_of_one_size(void **state)
{
	static struct boot b;
	struct zl_hole hole;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	memset(&b.map.banks, 0, sizeof(b.map.banks));
	zl_ranges_add(&b.map.banks, 16 * MIB, 2 * MIB);
	zl_ranges_add(&b.map.banks, 32 * MIB, 3 * MIB);
	zl_ranges_add(&b.map.banks, 48 * MIB, 3 * MIB);
	hole = zl_memory_largest_hole(&b.map, MIB, 0, 0);
	assert_true(hole.base == 32 * MIB && hole.aligned_size == 3 * MIB);
	hole = zl_memory_largest_hole(&b.map, MIB, 40 * MIB, 0);
	assert_true(hole.base == 48 * MIB && hole.aligned_size == 3 * MIB);
	/* By multiples of 2 MiB all three hold one; of 4 MiB none does. */
	hole = zl_memory_largest_hole(&b.map, 2 * MIB, 0, 0);
	assert_true(hole.base == 16 * MIB && hole.aligned_size == 2 * MIB);
	hole = zl_memory_largest_hole(&b.map, 4 * MIB, 0, 0);
	assert_true(hole.base == 32 * MIB && hole.size == 3 * MIB && hole.aligned_size == 0);
	/* A hole with an aligned part beats a larger one without. */
	zl_ranges_add(&b.map.banks, 65 * MIB, 6 * MIB);
	zl_ranges_add(&b.map.banks, 80 * MIB, 4 * MIB);
	hole = zl_memory_largest_hole(&b.map, 4 * MIB, 0, 0);
	assert_true(hole.base == 80 * MIB && hole.aligned_size == 4 * MIB);
}

/* A fixed place is reserved first; only then the kernel looks whether it can be one area. */
static void a_fixed_area_must_be_memory_of_one_node_and_zone(void **state)
{
	static const struct {
		uint64_t base;
		enum zl_pool_verdict verdict;
		const char *text;
	} table[] = {
		{8 * GIB - 64 * MIB, ZL_VERDICT_ACCEPTED, "size is a multiple of 2 MiB" },
		{8 * GIB - 32 * MIB, ZL_VERDICT_REFUSED,
			"it crosses a zone boundary or two nodes; the area cannot be activated"},
		{6 * GIB - 32 * MIB, ZL_VERDICT_REFUSED,
			"it crosses a zone boundary or two nodes; the area cannot be activated"},
		{6 * GIB,		  ZL_VERDICT_ACCEPTED, "size is a multiple of 2 MiB" },
		{4 * GIB - 32 * MIB, ZL_VERDICT_REFUSED,
			"not all of it is memory; the area cannot be activated"		       },
	};
	static struct boot b;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct zl_pool *p;
		struct zl_request *q;

		start(&b, "6.12", "arch=arm64 page_size=4K");
		b.map.boundary[b.map.nr_boundaries++] = GIB;
		b.map.boundary[b.map.nr_boundaries++] = 6 * GIB;
		q = ask(&b, ZL_REQUEST_DEFAULT, "reserved", 64 * MIB, ZL_ANY_NODE);
		q->base = table[i].base;
		q->limit = q->base + q->size;
		p = planned(&b, 0);
		assert_int_equal(table[i].verdict, p->verdict);
		assert_string_equal(table[i].text, p->text);
		if (table[i].verdict == ZL_VERDICT_REFUSED) {
			assert_string_equal("cma: CMA area reserved could not be activated",
				p->message[p->main_message]);
			assert_int_equal(0, p->size);
		}
	}
}

static void an_area_across_the_start_of_high_memory_is_refused(void **state)
{
	static struct boot b;
	const struct zl_pool *p;
	struct zl_request *q;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	b.map.highmem_start = 6 * GIB;
	q = ask(&b, ZL_REQUEST_DEFAULT, "reserved", 64 * MIB, ZL_ANY_NODE);
	q->base = 6 * GIB - 32 * MIB;
	q->limit = q->base + q->size;
	p = planned(&b, 0);
	assert_int_equal(ZL_VERDICT_REFUSED, p->verdict);
	assert_string_equal("it lies across the start of high memory 0x180000000", p->text);
	assert_string_equal("cma: Region at 0x000000017e000000 defined on low/high memory boundary "
			    "(0x0000000180000000)",
		p->message[0]);
}

/* The kernel has room for so many areas; from 6.15 on the failure has a second line. */
static void areas_of_nodes_run_out_of_slots_too(void **state)
{
	static const struct {
		const char *kernel;
		size_t messages;
	} table[] = {
		{"6.12", 1},
		{"6.16", 2},
	};
	static struct boot b;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct zl_pool *p;

		start(&b, table[i].kernel, "arch=arm64 page_size=4K");
		b.geo.g.max_cma_areas = 1;
		ask(&b, ZL_REQUEST_NODE_AREA, "numa0", 64 * MIB, 0);
		ask(&b, ZL_REQUEST_NODE_AREA, "numa1", 64 * MIB, 1);
		p = planned(&b, 1);
		assert_int_equal(ZL_VERDICT_ACCEPTED, b.report.pool[0].verdict);
		assert_int_equal(ZL_VERDICT_REFUSED, p->verdict);
		assert_string_equal("all 1 CMA areas are taken (MAX_CMA_AREAS)", p->text);
		assert_string_equal(
			"cma: Not enough slots for CMA reserved regions!", p->message[0]);
		assert_int_equal(table[i].messages, p->nr_messages);
		if (p->nr_messages > 1) {
			assert_string_equal("cma: Failed to reserve 64 MiB", p->message[1]);
		}
	}
}

/* Gigantic pages are of the memory manager, not of the DMA code. */
static void without_dma_cma_only_hugetlb_cma_is_heard(void **state)
{
	static struct boot b;
	struct zl_request *q;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	b.geo.g.dma_cma = false;
	ask(&b, ZL_REQUEST_DEFAULT, "reserved", 64 * MIB, ZL_ANY_NODE);
	ask(&b, ZL_REQUEST_NODE_AREA, "numa0", 64 * MIB, 0);
	q = ask(&b, ZL_REQUEST_HUGETLB, "hugetlb0", GIB, 0);
	q->unit = q->alignment = GIB;
	planned(&b, 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(ZL_VERDICT_REFUSED, b.report.pool[i].verdict);
		assert_string_equal("no CONFIG_DMA_CMA: this kernel has neither CMA nodes nor cma=",
			b.report.pool[i].text);
	}
	assert_int_equal(ZL_VERDICT_ACCEPTED, b.report.pool[2].verdict);
}

static void the_command_line_wins_over_kconfig(void **state)
{
	static struct boot b;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	b.in.cmdline_cma = true;
	ask(&b, ZL_REQUEST_DEFAULT, "cma=64M", 64 * MIB, ZL_ANY_NODE);
	ask(&b, ZL_REQUEST_DEFAULT, "CONFIG_CMA_SIZE_MBYTES", 16 * MIB, ZL_ANY_NODE)->source =
		ZL_SOURCE_CONFIG;
	planned(&b, 0);
	assert_true(b.report.pool[0].is_default);
	assert_int_equal(ZL_VERDICT_BYPASSED, b.report.pool[1].verdict);
	assert_string_equal("cma= on the command line wins over CMA_SIZE_*", b.report.pool[1].text);
}

/* An alignment that is no power of two, and a size that no bit of the area's map stands for. */
static void impossible_areas_are_declined_without_a_word(void **state)
{
	static struct boot b;
	struct zl_declared done;

	(void)state;
	start(&b, "6.12", "arch=arm64 page_size=4K");
	assert_int_equal(ZL_DECLARE_SILENT,
		zl_cma_declare(&b.in, &b.map,
			&(struct zl_declare){
				.size = 6 * MIB, .alignment = 3 * MIB, .node = ZL_ANY_NODE},
			&done));
	assert_int_equal(ZL_DECLARE_SILENT,
		zl_cma_declare(&b.in, &b.map,
			&(struct zl_declare){
				.size = 6 * MIB, .order_per_bit = 10, .node = ZL_ANY_NODE},
			&done));
	assert_int_equal(ZL_DECLARE_OK,
		zl_cma_declare(&b.in, &b.map,
			&(struct zl_declare){
				.size = 8 * MIB, .order_per_bit = 10, .node = ZL_ANY_NODE},
			&done));
	assert_int_equal(ZL_DECLARE_SILENT,
		zl_cma_declare(&b.in, &b.map, &(struct zl_declare){.node = ZL_ANY_NODE}, &done));
}

/* What stands in a node of a tree with two cells for addresses and sizes, and what is said of it. */
static void nodes_that_nothing_comes_of_say_why(void **state)
{
	static const struct {
		const char *body, *text;
		enum zl_pool_verdict verdict;
	} table[] = {
		{"no-map;",								  "neither reg nor size: nothing is reserved",		 ZL_VERDICT_NONE	},
		{"no-map; size = <0 SIZE>;",
			"a value is not known here (macro, reference or elision)",										   ZL_VERDICT_NONE	  },
		{"no-map; size = <0 0x400000>; alloc-ranges = <0 0x50000000 0>;",
			"alloc-ranges is not a whole number of (address, size) pairs: the node is "
			"skipped",														       ZL_VERDICT_NONE   },
		{"size = <0 0x400000>;",						     "not a shared-dma-pool: 4 MiB reserved, no alignment rule",
			ZL_VERDICT_ACCEPTED																       },
		{"compatible = \"shared-dma-pool\"; reusable; no-map; size = <0 0x400000>;",
			"reusable and no-map exclude each other",											       ZL_VERDICT_REFUSED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char text[512];
		struct rsv r;

		zl_format(text, sizeof(text),
			"/ { #address-cells = <2>; #size-cells = <2>; memory@40000000 { "
			"device_type = \"memory\"; reg = <0 0x40000000 0 0x40000000>; }; "
			"reserved-memory { #address-cells = <2>; #size-cells = <2>; ranges; "
			"n { %s }; }; };",
			table[i].body);
		rsv_text(&r, text, "6.12", "arch=arm64 page_size=4K");
		assert_string_equal(table[i].text, rsv_pool(&r, "n")->text);
		assert_int_equal(table[i].verdict, rsv_pool(&r, "n")->verdict);
		rsv_done(&r);
	}
}

/* 4 MiB by steps of 512 MiB: refused, since both ends move inwards; as corrected it is one step. */
static void a_range_of_the_command_line_is_widened_to_whole_steps(void **state)
{
	struct rsv r;

	(void)state;
	rsv_text(&r,
		"/ { #address-cells = <2>; #size-cells = <2>; memory@80000000 { device_type = "
		"\"memory\"; reg = <0 0x80000000 0 0x60000000>; }; reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; n { compatible = "
		"\"shared-dma-pool\"; reusable; size = <0 0x400000>; }; }; };",
		"6.16", "arch=arm64 page_size=64K hugetlb=off");
	rsv_default(&r, "4M@0x90000000-0xa0000000", 0);
	assert_string_equal("size 0x400000 is not a multiple of CMA_MIN_ALIGNMENT_BYTES 0x20000000",
		rsv_pool(&r, "n")->text);
	assert_int_equal(ZL_VERDICT_REFUSED, r.report->pool[1].verdict);
	assert_string_equal(
		"size rounds up and the limit down to multiples of 512 MiB; then it does "
		"not fit",
		r.report->pool[1].text);
	assert_true(r.want[1].base == 0x80000000 && r.want[1].size == 512 * MIB);
	assert_true(r.want[1].limit == 0xa0000000);
	assert_int_equal(ZL_VERDICT_ACCEPTED, r.corrected->pool[1].verdict);
	assert_true(r.corrected->pool[1].base == 0x80000000);
	rsv_done(&r);
}

/* Banks that name their NUMA node; one without a name belongs to none. */
static void banks_of_a_tree_say_their_node(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; "
		"memory@40000000 { device_type = \"memory\"; reg = <0 0x40000000 0 0x40000000 0x1 "
		"0 0 "
		"0x40000000>; numa-node-id = <0>; }; "
		"memory@200000000 { device_type = \"memory\"; reg = <0x2 0 0 0x40000000>; "
		"numa-node-id "
		"= <1>; }; "
		"memory@300000000 { device_type = \"memory\"; reg = <0x3 0 0 0x40000000>; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", "arch=arm64 page_size=4K");
	assert_int_equal(4, r.have->banks.count);
	assert_int_equal(3, r.have->nr_node_ranges);
	assert_int_equal(0, r.have->node_range[0].node);
	assert_true(r.have->node_range[0].base == GIB);
	assert_int_equal(0, r.have->node_range[1].node);
	assert_true(r.have->node_range[1].base == 4 * GIB);
	assert_int_equal(1, r.have->node_range[2].node);
	assert_true(r.have->node_range[2].base == 8 * GIB && r.have->node_range[2].size == GIB);
	rsv_done(&r);
}

static void nodes_with_words_of_no_effect_are_warned_of(void **state)
{
	static const struct {
		const char *node;
		enum zl_diag_code code;
		const char *text;
	} table[] = {
		{"n { linux,cma-default; no-map; size = <0 0x400000>; }",	  ZL_DIAG_NOT_REUSABLE,
			"n: linux,cma-default has no effect on a node that is not CMA"	      },
		{"n { no-map; size = <0 SIZE>; }",			   ZL_DIAG_UNKNOWN_VALUE,
			"n: a value is not known here; it is not judged"			},
		{"n@50000000 { no-map; reg = <0 0x51000000 0 0x400000>; }", ZL_DIAG_UNIT_ADDRESS,
			"n@50000000: the unit address is not the address in reg (0x51000000); reg "
			"counts"							 },
		{"n { compatible = \"shared-dma-pool\"; reusable; size = <0 0x400000>; alignment = "
		 "<0 "
		 "0x300000>; }",			   ZL_DIAG_ALIGNMENT_POWER,
			"n: alignment 0x300000 is no power of two; the kernel does not check it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *said = "(nothing)";
		char text[512];
		struct rsv r;

		zl_format(text, sizeof(text),
			"/ { #address-cells = <2>; #size-cells = <2>; reserved-memory { "
			"#address-cells = <2>; #size-cells = <2>; ranges; %s; }; };",
			table[i].node);
		rsv_text(&r, text, "6.12", "arch=arm64 page_size=4K");
		for (size_t k = 0; k < r.diags.count; k++) {
			said = r.diags.item[k].code == table[i].code ? r.diags.item[k].text : said;
		}
		assert_string_equal(table[i].text, said);
		rsv_done(&r);
	}
}

/* 0x is 16, 0 is 8, all else 10; a digit beyond the base ends the number. */
static void numbers_of_the_command_line_have_three_bases(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		size_t read;
	} table[] = {
		{"19",    19,		   2},
		{"1a",    1,		  1},
		{"a",     0,		 0},
		{"0x1aG", 26 * GIB,	    5},
		{"0X1F",	 31,		     4},
		{"0xg",	0,		   1},
		{"010",	8,		   3},
		{"08",    0,		  1},
		{"017k",	 15 * 1024,	    4},
		{"1T",    UINT64_C(1) << 40, 2},
		{"1p",    UINT64_C(1) << 50, 2},
		{"1E",    UINT64_C(1) << 60, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t value = 99;
		const char *end = zl_memparse(table[i].text, &value);

		assert_true(value == table[i].value);
		assert_int_equal(table[i].read, end - table[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hugetlb_cma_works_in_gigantic_pages),
		cmocka_unit_test(one_size_is_split_over_the_nodes),
		cmocka_unit_test(an_area_of_a_node_lies_on_it),
		cmocka_unit_test(a_search_on_a_node_takes_the_part_nearest_to_its_start),
		cmocka_unit_test(the_largest_hole_is_the_first_of_those_of_one_size),
		cmocka_unit_test(a_fixed_area_must_be_memory_of_one_node_and_zone),
		cmocka_unit_test(an_area_across_the_start_of_high_memory_is_refused),
		cmocka_unit_test(areas_of_nodes_run_out_of_slots_too),
		cmocka_unit_test(without_dma_cma_only_hugetlb_cma_is_heard),
		cmocka_unit_test(the_command_line_wins_over_kconfig),
		cmocka_unit_test(impossible_areas_are_declined_without_a_word),
		cmocka_unit_test(nodes_that_nothing_comes_of_say_why),
		cmocka_unit_test(a_range_of_the_command_line_is_widened_to_whole_steps),
		cmocka_unit_test(banks_of_a_tree_say_their_node),
		cmocka_unit_test(nodes_with_words_of_no_effect_are_warned_of),
		cmocka_unit_test(numbers_of_the_command_line_have_three_bases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
