/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "import_fixture.h"
#include "zonelab/dmesg.h"
#include "zonelab/file.h"

static struct zl_dmesg_line read_line(const char *s)
{
	struct zl_dmesg_line l;

	zl_dmesg_line_read(s, strlen(s), 1, &l);
	return l;
}

static void every_prefix_is_taken_off(void **state)
{
	static const char *const lines[] = {
		"cma: Reserved 64 MiB at 0x78000000",
		"[    0.000000] cma: Reserved 64 MiB at 0x78000000",
		"[    0.000000][    T0] cma: Reserved 64 MiB at 0x78000000",
		"<6>[    0.000000] cma: Reserved 64 MiB at 0x78000000",
		"kern  :info  : [    0.000000] cma: Reserved 64 MiB at 0x78000000",
		"[Mon Jan  1 00:00:00 2024] cma: Reserved 64 MiB at 0x78000000",
		"> [    0.000000] cma: Reserved 64 MiB at 0x78000000",
		"Jun  1 12:00:00 board kernel: [    0.000000] cma: Reserved 64 MiB at 0x78000000",
		"Jun 01 12:00:00 board.local kernel: cma: Reserved 64 MiB at 0x78000000",
		"2024-06-01T12:00:00.123456+00:00 board kernel: cma: Reserved 64 MiB at 0x78000000",
		"06-01 12:00:00.000     0     0 I cma     : Reserved 64 MiB at 0x78000000",
		"cma: CMA: reserved 64 MiB at 78000000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct zl_dmesg_line l = read_line(lines[i]);

		assert_int_equal(ZL_DMESG_CMA_RESERVED, l.kind);
		assert_int_equal(64, l.mib);
		assert_int_equal(0x78000000, l.base);
		assert_int_equal(-1, l.node);
	}
	assert_int_equal(1500250, read_line("[    1.500250] cma: x").time_us);
	assert_int_equal(16, read_line("[    1.500250] cma: x").column);
}

static void reserved_memory_lines_name_their_nodes(void **state)
{
	struct zl_dmesg_line l;

	(void)state;
	l = read_line(
		"OF: reserved mem: initialized node linux,cma, compatible id shared-dma-pool");
	assert_int_equal(ZL_DMESG_RMEM_INITIALIZED, l.kind);
	assert_string_equal("linux,cma", l.name);
	assert_int_equal(15, l.text_len);
	assert_memory_equal("shared-dma-pool", l.text, l.text_len);
	l = read_line("06-01 12:00:00.000     0     0 I OF      : reserved mem: node a@1 "
		      "compatible matching fail");
	assert_int_equal(ZL_DMESG_RMEM_MATCH_FAIL, l.kind);
	assert_string_equal("a@1", l.name);
	l = read_line("OF: reserved mem: 0x000000007e000000..0x000000007fffffff (32768 KiB) map "
		      "reusable pool_b_dyn32");
	assert_int_equal(ZL_DMESG_RMEM_SUMMARY, l.kind);
	assert_int_equal(0x7e000000, l.base);
	assert_int_equal(0x7fffffff, l.end);
	assert_int_equal(32768, l.kib);
	assert_true(l.flag);
	assert_true(l.flag2);
	assert_string_equal("pool_b_dyn32", l.name);
	l = read_line(
		"OF: reserved mem: failed to allocate memory for node 'pool_dyn4': size 4 MiB");
	assert_int_equal(ZL_DMESG_RMEM_NO_MEMORY, l.kind);
	assert_string_equal("pool_dyn4", l.name);
	assert_int_equal(4, l.mib);
	l = read_line("pool_a (0x000000007e000000--0x000000007e400000) overlaps with pool_b "
		      "(0x000000007e000000--0x0000000080000000)");
	assert_int_equal(ZL_DMESG_RMEM_OVERLAP_PAIR, l.kind);
	assert_string_equal("pool_b", l.name2);
	assert_int_equal(0x80000000, l.end2);
	l = read_line("Reserved memory: bypass pool_def32 node, using cmdline CMA params instead");
	assert_int_equal(ZL_DMESG_RMEM_BYPASS, l.kind);
	assert_string_equal("pool_def32", l.name);
	l = read_line("Skipping dt linux,cma-default node in favor for \"cma=\" kernel param.");
	assert_int_equal(ZL_DMESG_RMEM_SKIP_DEFAULT, l.kind);
}

static void cma_failures_carry_their_figures(void **state)
{
	struct zl_dmesg_line l;

	(void)state;
	l = read_line("cma: Failed to reserve 512 MiB on node -1");
	assert_int_equal(ZL_DMESG_CMA_FAILED, l.kind);
	assert_int_equal(512, l.mib);
	assert_int_equal(-1, l.node);
	l = read_line("cma: Region at 0x51000000 must be aligned to 0x2000000 bytes");
	assert_int_equal(ZL_DMESG_CMA_MISALIGNED, l.kind);
	assert_int_equal(0x2000000, l.align);
	l = read_line("cma: Size (0x2000000) of region at 0x50000000 exceeds limit (0x50000000)");
	assert_int_equal(ZL_DMESG_CMA_EXCEEDS, l.kind);
	assert_int_equal(0x2000000, l.size);
	assert_int_equal(0x50000000, l.limit);
	l = read_line(
		"cma: number of available pages: 4@572+127@1921=> 131 free of 2048 total pages");
	assert_int_equal(ZL_DMESG_CMA_AVAILABLE, l.kind);
	assert_int_equal(131, l.pages);
	assert_int_equal(2048, l.total);
	assert_memory_equal("4@572+127@1921", l.text, l.text_len);
	l = read_line("cma: number of available pages: => 0 free of 8192 total pages");
	assert_int_equal(0, l.text_len);
	l = read_line("cma: __cma_alloc: reserved: alloc failed, req-size: 16 pages, ret: -12");
	assert_int_equal(ZL_DMESG_CMA_ALLOC_FAILED, l.kind);
	assert_string_equal("reserved", l.name);
	assert_int_equal(-12, l.number);
	l = read_line("alloc_contig_range: [2ef00, 2f00a) PFNs busy");
	assert_int_equal(ZL_DMESG_CONTIG_BUSY, l.kind);
	assert_int_equal(0x2f00a, l.end);
}

static void zones_and_memory_lines_are_read(void **state)
{
	struct zl_dmesg_line l;

	(void)state;
	l = read_line("[    0.000000]   Normal zone: 225280 pages, LIFO batch:31");
	assert_int_equal(ZL_DMESG_ZONE_BATCH, l.kind);
	assert_string_equal("Normal", l.name);
	assert_int_equal(225280, l.pages);
	assert_int_equal(31, l.number);
	assert_int_equal(
		ZL_DMESG_OTHER, read_line("  Normal zone: 3968 pages used for memmap").kind);
	l = read_line("  DMA32    empty");
	assert_int_equal(ZL_DMESG_ZONE_RANGE, l.kind);
	assert_true(l.flag);
	l = read_line("  DMA      [mem 0x0000000040000000-0x000000007fffffff]");
	assert_int_equal(0x7fffffff, l.end);
	assert_int_equal(ZL_DMESG_OTHER, read_line("BIOS-e820: [mem 0x0-0xfff] usable").kind);
	l = read_line("Memory: 1024460K/1048576K available (2304K kernel code, 738K rwdata, 336K "
		      "rodata, 320K init, 213K bss, 24116K reserved, 64K cma-reserved)");
	assert_int_equal(ZL_DMESG_MEMORY, l.kind);
	assert_int_equal(1024460, l.kib);
	assert_int_equal(1048576, l.limit_kib);
	assert_int_equal(320, l.init_kib);
	assert_int_equal(64, l.cma_kib);
	l = read_line("Built 1 zonelists, mobility grouping on.  Total pages: 258048");
	assert_int_equal(ZL_DMESG_ZONELISTS, l.kind);
	assert_true(l.flag);
	assert_int_equal(258048, l.pages);
	l = read_line("Linux version 6.18.15+deb13-arm64-16k (x@y) (gcc)");
	assert_string_equal("6.18.15+deb13-arm64-16k", l.name);
	l = read_line("smp: Brought up 2 nodes, 384 CPUs");
	assert_int_equal(2, l.node);
	assert_int_equal(384, l.number);
	l = read_line("HugeTLB: registered 32.0 MiB page size, pre-allocated 0 pages");
	assert_int_equal(32 << 20, l.size);
}

static void names_lose_control_characters(void **state)
{
	struct zl_dmesg_line l = read_line("Machine model: a\x1b[31mb\x07");

	(void)state;
	assert_int_equal(ZL_DMESG_MODEL, l.kind);
	assert_string_equal("a[31mb", l.name);
}

static void a_log_keeps_order_numbers_and_counts(void **state)
{
	static const char log[] = "[    0.000000] cma: Failed to reserve 64 MiB\r\n"
				  "\n"
				  "[    0.1] something else\n"
				  "[    0.2] Reserved memory: incorrect alignment of CMA region";
	struct zl_dmesg d;

	(void)state;
	assert_int_equal(0, zl_dmesg_read(log, sizeof(log) - 1, zl_allocator_heap(), &d));
	assert_int_equal(4, d.lines_read);
	assert_int_equal(1, d.lines_blank);
	assert_int_equal(1, d.lines_other);
	assert_int_equal(2, d.nr_lines);
	assert_int_equal(4, d.line[1].line);
	zl_dmesg_done(&d, zl_allocator_heap());
}

/* A log as an import, settled. */
static void import_log(struct zl_import *im, const char *text)
{
	zl_import_init(im, zl_allocator_heap());
	import_text(im, text);
	zl_import_finish(im, NULL);
}

static int64_t setting(const struct zl_import *im, enum zl_setting key)
{
	assert_true(zl_settings_given(&im->profile.settings, key));
	return im->profile.settings.value[key].number;
}

static void a_boot_log_gives_zones(void **state)
{
	struct zl_import im;

	(void)state;
	/* A boot before this one counts for nothing; the hole below 1 GiB is in DMA32. */
	import_log(&im,
		"[    0.0] Zone ranges:\n[    0.0]   DMA      [mem 0x0-0xfff]\n"
		"[    0.0] Linux version 6.12.1 (x)\n"
		"[    0.0] Zone ranges:\n"
		"[    0.0]   DMA      [mem 0x0000000000001000-0x0000000000ffffff]\n"
		"[    0.0]   DMA32    [mem 0x0000000001000000-0x00000000ffffffff]\n"
		"[    0.0]   Normal   [mem 0x0000000100000000-0x000000013fffffff]\n"
		"[    0.0]   Device   empty\n"
		"[    0.0] Movable zone start for each node\n"
		"[    0.0] Early memory node ranges\n"
		"[    0.0]   node   0: [mem 0x0000000000001000-0x000000000009efff]\n"
		"[    0.0]   node   0: [mem 0x0000000000100000-0x000000003fffffff]\n"
		"[    0.0]   node   0: [mem 0x0000000100000000-0x000000013fffffff]\n"
		"[    0.0] Initmem setup node 0 [mem 0x0000000000001000-0x000000013fffffff]\n");
	/* 0x9e000 + 0xf00000 bytes, 1 GiB - 16 MiB, 1 GiB */
	assert_string_equal("DMA:15992K,DMA32:1032192K,Normal:1048576K",
		zl_settings_text(&im.profile.settings, ZL_SET_ZONES));
	assert_int_equal((INT64_C(15992) + 1032192 + 1048576) << 10, setting(&im, ZL_SET_MEMORY));
	assert_int_equal(0, setting(&im, ZL_SET_MEMORY_BASE));
	assert_int_equal(1, setting(&im, ZL_SET_NODES));
	zl_import_done(&im);
}

static void initmem_lines_give_nodes(void **state)
{
	struct zl_import im;

	(void)state;
	import_log(&im, "Linux version 6.12.1 (x)\nZone ranges:\n"
			"  Normal   [mem 0x0000000040000000-0x00000000bfffffff]\n"
			"Initmem setup node 0 [mem 0x0000000040000000-0x000000007fffffff]\n"
			"Initmem setup node 1 [mem 0x0000000080000000-0x00000000bfffffff]\n");
	assert_int_equal(5, im.file[0].used);
	assert_int_equal(2, setting(&im, ZL_SET_NODES));
	assert_int_equal(INT64_C(2) << 30, setting(&im, ZL_SET_MEMORY));
	assert_int_equal(INT64_C(1) << 30, setting(&im, ZL_SET_MEMORY_BASE));
	assert_false(zl_settings_given(&im.profile.settings, ZL_SET_ZONES));
	assert_non_null(strstr(im.diags.item[im.diags.count - 1].text, "2 nodes of this log"));
	zl_import_done(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix_is_taken_off),
		cmocka_unit_test(reserved_memory_lines_name_their_nodes),
		cmocka_unit_test(cma_failures_carry_their_figures),
		cmocka_unit_test(zones_and_memory_lines_are_read),
		cmocka_unit_test(names_lose_control_characters),
		cmocka_unit_test(a_log_keeps_order_numbers_and_counts),
		cmocka_unit_test(a_boot_log_gives_zones),
		cmocka_unit_test(initmem_lines_give_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
