/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions that users asked, with the right answers: pools of real device trees under the page
 * sizes and releases in question.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reserve_fixture.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

static const char arm64_4k[] = "arch=arm64 page_size=4K";
static const char arm64_16k[] = "arch=arm64 page_size=16K";
static const char arm64_64k[] = "arch=arm64 page_size=64K";

static void assert_pool(
	const struct rsv *r, const char *name, enum zl_pool_verdict verdict, uint64_t required)
{
	const struct zl_pool *p = rsv_pool(r, name);

	assert_string_equal(zl_pool_verdict_name(verdict), zl_pool_verdict_name(p->verdict));
	assert_int_equal(required, p->required_bytes);
}

/* 4 MiB on 16K: one 32 MiB block, 28 MiB wasted; PAGE_BLOCK_ORDER 7 makes it fit again. */
static void uc03_driver_pool_needs_a_whole_block_on_16k(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc03-driver-4mib.dts", "6.16", arm64_4k);
	assert_pool(&r, "drv-pool", ZL_VERDICT_ACCEPTED, 4 * MIB);
	rsv_done(&r);

	rsv_case(&r, "uc03-driver-4mib.dts", "6.16", arm64_16k);
	assert_pool(&r, "drv-pool", ZL_VERDICT_REFUSED, 32 * MIB);
	assert_int_equal(28 * MIB, rsv_pool(&r, "drv-pool")->waste);
	assert_string_equal("Reserved memory: incorrect alignment of CMA region",
		rsv_pool(&r, "drv-pool")->message[0]);
	rsv_done(&r);

	rsv_case(&r, "uc03-driver-4mib.dts", "6.17",
		"arch=arm64 page_size=16K thp=on hugetlb=off page_block_order=7");
	assert_pool(&r, "drv-pool", ZL_VERDICT_ACCEPTED, 4 * MIB);
	assert_int_equal(2 * MIB, r.report->alignment);
	rsv_done(&r);
}

/* 1 MiB at a 4 MiB multiple: base fine, size not; alignment beside reg has no effect. */
static void uc04_size_below_the_step_is_refused(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc04-mpsoc-1mib.dts", "5.15", arm64_4k);
	assert_pool(&r, "buf@6fc00000", ZL_VERDICT_REFUSED, 4 * MIB);
	assert_int_equal(ZL_REASON_SIZE, rsv_pool(&r, "buf@6fc00000")->reason);
	assert_true(rsv_has_diag(&r, ZL_DIAG_ALIGNMENT_BESIDE_REG));
	assert_int_equal(ZL_POOL_NO_MAP, rsv_pool(&r, "fw@3ed00000")->class);
	rsv_done(&r);

	rsv_case(&r, "uc04-mpsoc-1mib.dts", "6.12", arm64_4k);
	assert_pool(&r, "buf@6fc00000", ZL_VERDICT_REFUSED, 2 * MIB);
	rsv_done(&r);
}

/* Multiples, not powers of two. */
static void uc06_multiples_not_powers_of_two(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc06-two-pools.dts", "6.12", arm64_4k);
	assert_pool(&r, "pool@40000000", ZL_VERDICT_REFUSED, 6 * MIB);
	assert_pool(&r, "pool@41400000", ZL_VERDICT_ACCEPTED, 604 * MIB);
	assert_int_equal(4 * MIB, rsv_pool(&r, "pool@40000000")->next_down);
	assert_int_equal(6 * MIB, rsv_pool(&r, "pool@40000000")->next_up);
	assert_int_equal(6 * MIB, r.want[0].size);
	assert_int_equal(0x40000000, r.want[0].base);
	rsv_done(&r);

	rsv_case(&r, "uc06-two-pools.dts", "5.15", arm64_4k);
	assert_pool(&r, "pool@40000000", ZL_VERDICT_REFUSED, 8 * MIB);
	assert_pool(&r, "pool@41400000", ZL_VERDICT_ACCEPTED, 604 * MIB);
	rsv_done(&r);

	rsv_case(&r, "uc06-two-pools.dts", "6.12", arm64_16k);
	assert_int_equal(ZL_REASON_BASE_SIZE, rsv_pool(&r, "pool@41400000")->reason);
	rsv_done(&r);
}

/* The negative control: nothing is wrong with alignment and size, at any step up to 64 MiB. */
static void uc07_geometry_passes(void **state)
{
	static const char *const kernels[][2] = {
		{"6.12", "arch=arm64 page_size=4K" },
		{"5.15", "arch=arm64 page_size=4K" },
		{"6.12", "arch=arm64 page_size=16K"},
		{"6.12", "arch=arm lpae=off"	    },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct rsv r;

		rsv_case(&r, "uc07-geometry-ok.dts", kernels[i][0], kernels[i][1]);
		assert_pool(&r, "pool@30000000", ZL_VERDICT_ACCEPTED, 128 * MIB);
		assert_pool(&r, "pool@38000000", ZL_VERDICT_ACCEPTED, 128 * MIB);
		assert_int_equal(0, r.fix.count);
		rsv_done(&r);
	}
}

/* A window as large as the pool: slack 0, and one reservation in it is enough. */
static void uc12_a_blocker_in_a_window_without_slack(void **state)
{
	struct rsv r;
	const struct zl_pool *p;

	(void)state;
	rsv_case(&r, "uc12-zero-slack.dts", "5.15", arm64_4k);
	p = rsv_pool(&r, "linux,cma");
	assert_int_equal(ZL_VERDICT_NO_ROOM, p->verdict);
	assert_int_equal(ZL_PLACEMENT_NO_ROOM, p->placement);
	assert_int_equal(0, p->slack);
	assert_int_equal(1, p->nr_blockers);
	assert_int_equal(0x66000000, p->blocker[0].base);
	assert_string_equal(
		"OF: reserved mem: failed to allocate memory for node 'linux,cma': size 320 MiB",
		p->message[0]);
	rsv_done(&r);
}

/* Two address cells, one size cell, no banks: alignment alone is judged. */
static void uc14_mixed_cells(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc14-mixed-cells.dts", "6.12", arm64_16k);
	assert_pool(&r, "linux,cma", ZL_VERDICT_ACCEPTED, 64 * MIB);
	assert_int_equal(ZL_PLACEMENT_UNKNOWN, rsv_pool(&r, "linux,cma")->placement);
	assert_int_equal(0x80000, rsv_pool(&r, "firmware@0")->size);
	rsv_done(&r);
	rsv_case(&r, "uc14-mixed-cells.dts", "6.12", arm64_64k);
	assert_pool(&r, "linux,cma", ZL_VERDICT_REFUSED, 512 * MIB);
	rsv_done(&r);
}

/* 52 MiB on 4K become 96 MiB on 16K, and are 52 again with PAGE_BLOCK_ORDER 7. */
static void uc18_small_heaps(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc18-small-heaps.dts", "6.16", arm64_4k);
	assert_int_equal(52 * MIB, r.report->requested);
	assert_int_equal(52 * MIB, r.report->required);
	assert_int_equal(0, r.report->nr_refused);
	rsv_done(&r);
	rsv_case(&r, "uc18-small-heaps.dts", "6.16", arm64_16k);
	assert_pool(&r, "rpc-heap-a", ZL_VERDICT_REFUSED, 32 * MIB);
	assert_pool(&r, "rpc-heap-b", ZL_VERDICT_REFUSED, 32 * MIB);
	assert_pool(&r, "linux,cma", ZL_VERDICT_ACCEPTED, 32 * MIB);
	assert_int_equal(96 * MIB, r.report->required);
	rsv_done(&r);
	rsv_case(&r, "uc18-small-heaps.dts", "6.16", "arch=arm64 page_size=16K page_block_order=7");
	assert_int_equal(52 * MIB, r.report->required);
	assert_int_equal(0, r.report->nr_refused);
	rsv_done(&r);
}

static void uc20_reg_wins_over_size(void **state)
{
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc20-reg-and-size.dts", "6.12", arm64_4k);
	assert_pool(&r, "cma@10000000", ZL_VERDICT_ACCEPTED, 128 * MIB);
	assert_true(rsv_has_diag(&r, ZL_DIAG_SIZE_BESIDE_REG));
	rsv_done(&r);
}

static void uc22_without_reusable_it_is_a_coherent_pool(void **state)
{
	struct rsv r;
	const struct zl_pool *p;

	(void)state;
	rsv_case(&r, "uc22-not-reusable.dts", "6.1", "arch=arm lpae=off");
	p = rsv_pool(&r, "pool@43d00000");
	assert_int_equal(ZL_POOL_COHERENT, p->class);
	assert_int_equal(144 * MIB, p->size);
	assert_string_equal("Reserved memory: created DMA memory pool at 0x43d00000, size 144 MiB",
		p->message[0]);
	assert_true(rsv_has_diag(&r, ZL_DIAG_NOT_REUSABLE));
	rsv_done(&r);
}

static void corrected_source_is_accepted_and_differs_in_numbers_and_names_only(void **state)
{
	static const char text[] =
		"/ {\n\t#address-cells = <2>;\r\n\t#size-cells = <2>;\n"
		"\tmemory@40000000 { device_type = \"memory\"; reg = <0 0x40000000 0 0x40000000>; "
		"};\n"
		"\treserved-memory { #address-cells = <2>; #size-cells = <2>; ranges;\n"
		"\t\ta { compatible = \"shared-dma-pool\"; reusable; /* keep */ size = <0x0 "
		"0x00400000>; };\n"
		"\t\tb@54100000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"\t\t\treg = <0x0 0x54100000\t0x0 (4 * 1024 * 1024)>; // tail\n\t\t};\n\t};\n};";
	static const char fixed[] =
		"/ {\n\t#address-cells = <2>;\r\n\t#size-cells = <2>;\n"
		"\tmemory@40000000 { device_type = \"memory\"; reg = <0 0x40000000 0 0x40000000>; "
		"};\n"
		"\treserved-memory { #address-cells = <2>; #size-cells = <2>; ranges;\n"
		"\t\ta { compatible = \"shared-dma-pool\"; reusable; /* keep */ size = <0x0 "
		"0x02000000>; };\n"
		"\t\tb@54000000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"\t\t\treg = <0x0 0x54000000\t0x0 0x2000000>; // tail\n\t\t};\n\t};\n};";
	struct zl_buf out = {0};
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_16k);
	assert_int_equal(2, r.report->nr_refused);
	rsv_fixed(&r, &out);
	assert_string_equal(fixed, zl_buf_text(&out));
	rsv_done(&r);
	rsv_text(&r, zl_buf_text(&out), "6.12", arm64_16k);
	assert_int_equal(0, r.report->nr_refused);
	zl_buf_done(&out);
	rsv_done(&r);
}

static void what_is_said_of_a_changed_number_is_marked_as_past(void **state)
{
	static const char text[] =
		"/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
		"\tmemory@40000000 { reg = <0x40000000 0x40000000>; };\n"
		"\taliases { cam = \"/reserved-memory/cam@54100000\"; };\n"
		"\treserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"\t\t/* 4 MiB here too; 8 MiB elsewhere\n\t\t * and 2.5MB of it */\n"
		"\t\tv: cam@54100000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"\t\t\t/* from 0x54100000 on */\n"
		"\t\t\treg = <0x54100000 0x280000>; // 2.5 MiB: enough\n\t\t};\n"
		"\t\tw: keep@60000000 { reg = <0x60000000 0x280000>; no-map; /* 2.5 MiB */ };\n"
		"\t};\n};\n&{/reserved-memory/cam@54100000} { mark; };\n";
	static const char fixed[] =
		"/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
		"\tmemory@40000000 { reg = <0x40000000 0x40000000>; };\n"
		"\taliases { cam = \"/reserved-memory/cam@54000000\"; };\n"
		"\treserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"\t\t/* 4 MiB here too; 8 MiB elsewhere\n\t\t * and 32 MiB (was 2.5MB) of it */\n"
		"\t\tv: cam@54000000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"\t\t\t/* 0x54000000 (was from 0x54100000 on) */\n"
		"\t\t\treg = <0x54000000 0x2000000>; // 32 MiB at 0x54000000 (was 2.5 MiB: "
		"enough)\n\t\t};\n"
		"\t\tw: keep@60000000 { reg = <0x60000000 0x280000>; no-map; /* 2.5 MiB */ };\n"
		"\t};\n};\n&{/reserved-memory/cam@54000000} { mark; };\n";
	struct zl_buf out = {0};
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_16k);
	rsv_fixed(&r, &out);
	assert_string_equal(fixed, zl_buf_text(&out));
	rsv_done(&r);
	zl_buf_done(&out);
}

static void pools_are_moved_apart_and_what_has_no_place_stays_as_it_is(void **state)
{
	struct zl_buf out = {0};
	struct rsv r;

	(void)state;
	rsv_case(&r, "uc06-two-pools.dts", "6.12", "arch=arm64 page_size=64K");
	assert_int_equal(2, r.report->nr_refused);
	assert_int_equal(0, r.corrected->nr_refused + r.corrected->nr_no_room);
	assert_int_equal(0, r.corrected->pool[0].overlaps);
	rsv_fixed(&r, &out);
	assert_non_null(strstr(zl_buf_text(&out), "pool_a: pool@40000000 {"));
	assert_non_null(strstr(zl_buf_text(&out), "pool_b: pool@0 {"));
	rsv_done(&r);
	zl_buf_done(&out);
	/* 320 MiB in a window of as much, with something in it: whatever is written. */
	rsv_case(&r, "uc12-zero-slack.dts", "6.12", "arch=arm64");
	assert_int_equal(1, r.corrected->nr_no_room);
	assert_int_equal(0, r.fix.count);
	rsv_done(&r);
}

static void a_fix_does_not_rob_a_pool_that_has_memory(void **state)
{
	/* 1 GiB: 48 MiB are refused, and rounded up they would take what the other one fills. */
	static const char text[] =
		"/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
		"\tmemory@40000000 { reg = <0x40000000 0x40000000>; };\n"
		"\treserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"\t\ta { compatible = \"shared-dma-pool\"; reusable; size = <0x3000000>; };\n"
		"\t\tb { compatible = \"shared-dma-pool\"; reusable; size = <0x40000000>; };\n"
		"\t};\n};\n";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_16k);
	assert_int_equal(ZL_VERDICT_REFUSED, rsv_pool(&r, "a")->verdict);
	assert_int_equal(ZL_VERDICT_ACCEPTED, rsv_pool(&r, "b")->verdict);
	assert_int_equal(0, r.fix.count);
	assert_int_equal(ZL_VERDICT_ACCEPTED, r.corrected->pool[1].verdict);
	rsv_done(&r);
}

static void a_node_taken_out_is_cut_or_where_it_is_referred_to_disabled(void **state)
{
	static const char text[] = "/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
				   "\treserved-memory {\n\t\tranges;\n"
				   "\t\ta: a@50000000 {\n\t\t\treg = <0x50000000 0x1000>;\n"
				   "\t\t};\n\t\tb: b@60000000 {\n"
				   "\t\t\treg = <0x60000000 0x1000>;\n\t\t};\n\t};\n"
				   "\tgpu { memory-region = <&b>; };\n};\n";
	static const char diff[] = "--- a/test.dts\n+++ b/test.dts\n@@ -3,10 +3,7 @@\n"
				   " \t#size-cells = <1>;\n \treserved-memory {\n \t\tranges;\n"
				   "-\t\ta: a@50000000 {\n-\t\t\treg = <0x50000000 0x1000>;\n"
				   "-\t\t};\n-\t\tb: b@60000000 {\n"
				   "+\t\tb: b@60000000 { status = \"disabled\";\n"
				   " \t\t\treg = <0x60000000 0x1000>;\n \t\t};\n \t};\n";
	struct zl_buf out = {0};
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_16k);
	assert_int_equal(0, r.fix.count);
	for (size_t i = 0; i < r.have->nr_requests; i++) {
		zl_dts_fix_remove(r.dts, r.have->origin[i].node, &r.fix);
	}
	zl_dts_fix_diff(r.dts, &r.fix, &out);
	assert_string_equal(diff, zl_buf_text(&out));
	zl_buf_done(&out);
	rsv_done(&r);
}

static void the_diff_shows_changed_lines_with_context(void **state)
{
	static const char text[] =
		"reserved-memory {\n\ta {\n\t\tcompatible = \"shared-dma-pool\";\n"
		"\t\treusable;\n\t\tsize = <0x400000>;\n\t};\n};\n";
	static const char diff[] =
		"--- a/test.dts\n+++ b/test.dts\n@@ -2,6 +2,6 @@\n \ta {\n"
		" \t\tcompatible = \"shared-dma-pool\";\n \t\treusable;\n"
		"-\t\tsize = <0x400000>;\n+\t\tsize = <0x2000000>;\n \t};\n };\n";
	struct zl_buf out = {0};
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_16k);
	zl_dts_fix_diff(r.dts, &r.fix, &out);
	assert_string_equal(diff, zl_buf_text(&out));
	zl_buf_done(&out);
	rsv_done(&r);
}

/* Pools without /reserved-memory around them: overlays, references, bare properties. */
static void pools_are_found_where_people_paste_them(void **state)
{
	static const char *const texts[] = {
		"&rmem { p { compatible = \"shared-dma-pool\"; reusable; size = <0 0x400000>; }; "
		"};",
		"/plugin/; / { fragment@0 { target = <&reserved_memory>; __overlay__ { p { "
		"compatible = \"shared-dma-pool\"; reusable; size = <0 0x400000>; }; }; }; };",
		"/plugin/; / { fragment@0 { target-path = \"/\"; __overlay__ { reserved-memory { "
		"#address-cells = <2>; #size-cells = <2>; ranges; p { compatible = "
		"\"shared-dma-pool\"; reusable; size = <0 0x400000>; }; }; }; }; };",
		"&{/reserved-memory} { p { compatible = \"shared-dma-pool\"; reusable; "
		"size = <0 0x400000>; }; };",
		"reserved-memory { p: p { compatible = \"shared-dma-pool\"; reusable; ... "
		"size = <0 0x400000>; }; };",
		"lab: p { reusable; compatible = \"shared-dma-pool\"; size = <0x400000>; };",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rsv r;

		rsv_text(&r, texts[i], "6.12", arm64_16k);
		assert_pool(&r, "p", ZL_VERDICT_REFUSED, 32 * MIB);
		assert_int_equal(1, r.report->nr_pools);
		rsv_done(&r);
	}
}

static void wrong_numbers_of_cells_are_named(void **state)
{
	static const char text[] =
		"/ { #address-cells = <2>; #size-cells = <2>; reserved-memory { #address-cells = "
		"<2>; #size-cells = <2>; ranges; a { compatible = \"shared-dma-pool\"; reusable; "
		"size = <0x400000>; }; b { compatible = \"shared-dma-pool\"; reusable; size = <0 "
		"0x400000>; alignment = <0x1000>; }; c@0 { reg = <0 0 0x1000>; no-map; }; }; };";
	struct rsv r;

	(void)state;
	rsv_text(&r, text, "6.12", arm64_4k);
	assert_int_equal(ZL_NODE_SIZE_LENGTH, r.have->request[0].fault);
	assert_string_equal("OF: reserved mem: invalid size property in 'a' node.",
		rsv_pool(&r, "a")->message[0]);
	assert_string_equal("a: size has 1 cells, #size-cells is 2; write <0x0 0x400000>",
		r.diags.item[0].text);
	assert_int_equal(ZL_NODE_ALIGNMENT_LENGTH, r.have->request[1].fault);
	assert_int_equal(ZL_NODE_REG_LENGTH, r.have->request[2].fault);
	assert_int_equal(ZL_POOL_IGNORED, rsv_pool(&r, "c@0")->class);
	rsv_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uc03_driver_pool_needs_a_whole_block_on_16k),
		cmocka_unit_test(uc04_size_below_the_step_is_refused),
		cmocka_unit_test(uc06_multiples_not_powers_of_two),
		cmocka_unit_test(uc07_geometry_passes),
		cmocka_unit_test(uc12_a_blocker_in_a_window_without_slack),
		cmocka_unit_test(uc14_mixed_cells),
		cmocka_unit_test(uc18_small_heaps),
		cmocka_unit_test(uc20_reg_wins_over_size),
		cmocka_unit_test(uc22_without_reusable_it_is_a_coherent_pool),
		cmocka_unit_test(pools_are_found_where_people_paste_them),
		cmocka_unit_test(wrong_numbers_of_cells_are_named),
		cmocka_unit_test(
			corrected_source_is_accepted_and_differs_in_numbers_and_names_only),
		cmocka_unit_test(what_is_said_of_a_changed_number_is_marked_as_past),
		cmocka_unit_test(pools_are_moved_apart_and_what_has_no_place_stays_as_it_is),
		cmocka_unit_test(a_fix_does_not_rob_a_pool_that_has_memory),
		cmocka_unit_test(a_node_taken_out_is_cut_or_where_it_is_referred_to_disabled),
		cmocka_unit_test(the_diff_shows_changed_lines_with_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
