/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "import_fixture.h"
#include "scarce.h"
#include "zonelab/file.h"

#define CAPTURES TEST_DATA "/captures/"
#define CASES	 TEST_DATA "/cases/"

static struct zl_import im;

static int setup(void **state)
{
	(void)state;
	zl_import_init(&im, zl_allocator_heap());
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	zl_import_done(&im);
	return 0;
}

static void read_path(const char *path)
{
	struct zl_error err = {0};

	assert_int_equal(0, zl_import_path(&im, path, &err));
}

static const struct zl_import_file *last_file(void)
{
	return &im.file[im.nr_files - 1];
}

static void assert_counts(unsigned used, unsigned counted, unsigned not_understood)
{
	const struct zl_import_file *f = last_file();

	assert_int_equal(used, f->used);
	assert_int_equal(counted, f->counted);
	assert_int_equal(not_understood, f->not_understood);
	assert_int_equal(f->lines, f->used + f->counted + f->not_understood);
}

static int64_t number(enum zl_setting key)
{
	assert_true(zl_settings_given(&im.profile.settings, key));
	return im.profile.settings.value[key].number;
}

static void assert_diag(enum zl_diag_code code, enum zl_severity severity, const char *part)
{
	for (size_t i = 0; i < im.diags.count; i++) {
		if (im.diags.item[i].code == code && im.diags.item[i].severity == severity &&
			strstr(im.diags.item[i].text, part) != NULL) {
			return;
		}
	}
	fail_msg("no diagnostic with \"%s\"", part);
}

static void assert_kind(enum zl_file_kind want, const char *text)
{
	assert_string_equal(
		zl_file_kind_name(want), zl_file_kind_name(zl_file_detect(text, strlen(text))));
}

static void kinds_are_told_by_content(void **state)
{
	(void)state;
	assert_kind(ZL_FILE_EMPTY, " \n\t\n");
	assert_kind(ZL_FILE_UNKNOWN, "just words\nand more words\n");
	assert_kind(ZL_FILE_UNKNOWN, "67584\n");
	/* Watermarks as people round them are no counts of pages. */
	assert_kind(ZL_FILE_UNKNOWN, "# 480 GiB, 64 KiB pages\nmin 11.2G\nlow 14G\nhigh 16.8G\n");
	assert_kind(ZL_FILE_ZONEINFO, "min 184320\nlow 225280\nhigh 266240\n");
	assert_kind(ZL_FILE_KCONFIG, "# CONFIG_CMA is not set\n");
	assert_kind(ZL_FILE_DMESG, "[    0.000000] cma: Failed to reserve 64 MiB\n");
	assert_kind(ZL_FILE_OOM, "Node 0 DMA per-cpu:\nCPU    0: hi:    0, btch:   1 usd:   0\n");
	assert_kind(ZL_FILE_ZONEINFO, "              high:  378\n              batch: 63\n");
	assert_kind(ZL_FILE_BUDDYINFO, "Node 0, zone      DMA      2      1      2\n");
	assert_kind(ZL_FILE_PAGETYPEINFO, "Page block order: 9\nPages per block:  512\n");
	assert_kind(ZL_FILE_MEMINFO, "MemTotal:       24683620 kB\n");
	assert_kind(ZL_FILE_SYSCTL, "vm.min_free_kbytes = 67584\n");
	assert_kind(ZL_FILE_THP, "always [madvise] never\n");
	assert_kind(ZL_FILE_CMDLINE, "console=ttyS0 cma=256Mb quiet\n");
	assert_kind(ZL_FILE_CAPTURE, "== meminfo\nMemTotal: 4 kB\n");
	assert_kind(ZL_FILE_WORKLOAD, "config page_shift 12\nconfig pages 64\nconfig cpus 1\nalloc "
				      "0 1 1\nfree 1\nfree 2\n"
				      "free 3\nfree 4\nfree 5\n");
	assert_kind(ZL_FILE_PROFILE, "{ \"kind\": \"profile\" }");
	assert_kind(ZL_FILE_JSON, "{ \"kind\": \"pcp\" }");
	assert_kind(ZL_FILE_DTS, "/ {\n\tpool: p@1 {\n\t\treg = <0x1 0x2>;\n\t};\n};\n");
	assert_kind(ZL_FILE_PATCH, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n");
	assert_kind(
		ZL_FILE_MBOX, "Subject: x\n\n> --- a/x\n> +++ b/x\n> @@ -1 +1 @@\n> -a\n> +b\n");
	assert_kind(ZL_FILE_TRACE, " a-1 [002] 3.000102: mm_page_free: page=0 pfn=0x1 order=0\n");
	assert_kind(ZL_FILE_WORKLOAD, "# w\nconfig page_shift 12\nconfig managed 1\n");
	assert_int_equal(ZL_FILE_DTB, zl_file_detect("\xd0\x0d\xfe\xed", 4));
	assert_int_equal(ZL_FILE_UNKNOWN, zl_file_detect("a\0b", 3));
}

static void every_line_of_a_zoneinfo_is_accounted_for(void **state)
{
	(void)state;
	read_path(CAPTURES "linux-6.18.44-x86_64-4k-live/zoneinfo.txt");
	assert_counts(104, 110, 0);
	assert_int_equal(214, last_file()->lines);
	static const struct {
		const char *what;
		unsigned lines;
	} want[] = {
		{"headings",	     9 },
		{"zone fields",	50},
		{"pageset fields", 36},
		{"start_pfn",      3 },
		{"vm stats",	     6 },
		{"node counters",  51},
		{"zone counters",  51},
		{"promo, others",  8 },
	};
	assert_int_equal(sizeof(want) / sizeof(want[0]), last_file()->nr_tallies);
	for (size_t i = 0; i < last_file()->nr_tallies; i++) {
		assert_string_equal(want[i].what, last_file()->tally[i].what);
		assert_int_equal(want[i].lines, last_file()->tally[i].lines);
	}
	assert_int_equal(5, im.profile.nr_zones);
	const struct zl_zone_facts *normal = &im.profile.zones[2];
	assert_string_equal("Normal", normal->name);
	assert_int_equal(2228224, normal->managed);
	assert_int_equal(12529, normal->min);
	assert_int_equal(21925, normal->promo);
	assert_int_equal(1048576, normal->start_pfn);
	assert_int_equal(2, normal->nr_pcp);
	assert_int_equal(25667, normal->pcp[0].high);
	assert_int_equal(7830, normal->pcp[1].high_min);
	assert_int_equal(139264, normal->pcp[1].high_max);
	zl_import_finish(&im, NULL);
	assert_diag(ZL_DIAG_RELEASE_ASSUMED, ZL_WARNING, "(6.13 or newer)");
}

static void old_layouts_give_a_range_of_releases(void **state)
{
	(void)state;
	read_path(CASES "uc42-zoneinfo-5.14-to-6.12.txt");
	assert_string_equal("5.17", im.facts.release_from);
	assert_string_equal("6.12", im.facts.release_to);
	assert_int_equal(649, im.profile.zones[0].pcp[1].high);
	assert_int_equal(-1, im.profile.zones[0].pcp[1].high_min);
}

static void six_batches_are_the_rule_before_5_14(void **state)
{
	(void)state;
	read_path(CASES "uc54-zoneinfo-before-5.14.txt");
	assert_string_equal("5.13", im.facts.release_to);
	assert_int_equal(1, im.profile.zones[0].node);
}

static void nodes_that_were_cut_away_are_missed(void **state)
{
	(void)state;
	read_path(CASES "uc54-zoneinfo-before-5.14.txt");
	zl_import_finish(&im, NULL);
	assert_diag(ZL_DIAG_IMPORT_TOPOLOGY, ZL_WARNING, "node 0 is not in these files");
}

static void symbols_of_one_family_tell_the_architecture(void **state)
{
	static const struct {
		const char *text, *arch;
	} files[] = {
		{"CONFIG_PPC_64K_PAGES=y\n",			     "powerpc64"},
		{"CONFIG_RISCV_SBI=y\n",				 "riscv64"  },
		{"CONFIG_RISCV=y\n# CONFIG_64BIT is not set\n",	"riscv32"	 },
		{"CONFIG_X86_PAE=y\n",			       "i386"     },
		{"CONFIG_X86_DIRECT_GBPAGES=y\n",		  "x86_64"	  },
		{"# CONFIG_ARM_LPAE is not set\nCONFIG_CMA=y\n",	 "arm"      },
		{"CONFIG_ARM_SMMU=y\nCONFIG_ARM64_16K_PAGES=y\n", "arm64"	 },
		{"CONFIG_ARM_SMMU=y\nCONFIG_CMA=y\n",	      ""		},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char arch[ZL_SETTING_TEXT] = "";

		import_text(&im, files[i].text);
		if (zl_settings_given(&im.profile.settings, ZL_SET_ARCH)) {
			zl_setting_format(&im.profile.settings, ZL_SET_ARCH, arch, sizeof(arch));
		}
		assert_string_equal(files[i].arch, arch);
		zl_import_done(&im);
		zl_import_init(&im, zl_allocator_heap());
	}
}

static void only_known_words_of_a_command_line_are_kept(void **state)
{
	char line[] =
		"console=ttyS0 key=SECRET cma=16M@0x50000000 root=\"a cma=1M\" "
		"hugetlb_cma=0:1G quiet transparent_hugepage=never sysctl.vm.min_free_kbytes=9000 "
		"sysctl.kernel.panic=1 -- cma=99M pw=x";
	char none[] = "quiet luks.key=SECRET";

	(void)state;
	zl_cmdline_known_words(line);
	assert_string_equal("cma=16M@0x50000000 hugetlb_cma=0:1G transparent_hugepage=never "
			    "sysctl.vm.min_free_kbytes=9000",
		line);
	zl_cmdline_known_words(none);
	assert_string_equal("", none);
}

static void an_extract_without_headings_is_read(void **state)
{
	(void)state;
	import_text(&im, "              high:  378\n              batch: 63\n"
			 "              high:  0\n              batch: 1\n--\n");
	assert_counts(4, 1, 0);
	assert_int_equal(1, im.profile.nr_zones);
	assert_int_equal(2, im.profile.zones[0].nr_pcp);
	assert_int_equal(378, im.profile.zones[0].pcp[0].high);
	assert_int_equal(1, im.profile.zones[0].pcp[1].batch);
	assert_string_equal("5.13", im.facts.release_to);
}

static void damaged_zoneinfo_lines_are_named(void **state)
{
	(void)state;
	import_text(&im, "Node 0, zone   Normal\n  pages free     many\n        min      12\n"
			 "        protection: (0, 1\n  ???\nNode 99, zone   Normal\n");
	assert_counts(2, 0, 4);
	assert_int_equal(2, last_file()->complaint[0].line);
	assert_int_equal(18, last_file()->complaint[0].column);
	assert_int_equal(4, last_file()->complaint[1].line);
	assert_string_equal("???", last_file()->complaint[2].shown + 2);
	assert_int_equal(6, last_file()->complaint[3].line);
}

static void free_lists_give_orders_types_and_blocks(void **state)
{
	(void)state;
	read_path(CAPTURES "linux-7.3.4-arm64-16k-debian-trace/pagetypeinfo.txt");
	assert_int_equal(11, im.profile.observed.pageblock_order);
	assert_int_equal(11, im.profile.observed.max_page_order);
	assert_int_equal(6, im.profile.observed.migrate_types);
	assert_int_equal(6, im.facts.nr_free_rows);
	assert_int_equal(24, im.facts.free_rows[1].count[11]);
	assert_int_equal(1, im.facts.nr_block_rows);
	assert_int_equal(28, im.facts.block_rows[0].blocks[ZL_MIGRATE_MOVABLE]);
	assert_int_equal(2, im.facts.block_rows[0].blocks[ZL_MIGRATE_CMA]);
	import_text(&im, "Node 0, zone      DMA >100000      1      2\n");
	assert_counts(1, 0, 0);
	assert_diag(ZL_DIAG_IMPORT_VALUE, ZL_WARNING, "shows 3 orders, others 12");
	assert_int_equal(1, im.facts.free_rows[6].more);
	assert_int_equal(100000, im.facts.free_rows[6].count[0]);
}

static void meminfo_and_sysctls_become_observations_and_inputs(void **state)
{
	(void)state;
	read_path(CAPTURES "linux-6.18.44-x86_64-4k-live/meminfo.txt");
	assert_int_equal(24683620, im.profile.observed.mem_total_kb);
	assert_int_equal(2048, im.profile.observed.huge_page_kb);
	assert_int_equal(-1, im.profile.observed.cma_total_kb);
	import_text(&im,
		"min_free_kbytes = 49008\nwatermark_scale_factor = 10\n"
		"percpu_pagelist_high_fraction = 8\nlowmem_reserve_ratio = 256\t256\t32\t0\t0\n"
		"defrag_mode = 0\nrubbish\n");
	assert_counts(4, 1, 1);
	assert_int_equal(49008, im.profile.observed.min_free_kbytes);
	assert_false(zl_settings_given(&im.profile.settings, ZL_SET_MIN_FREE_KBYTES));
	assert_int_equal(10, number(ZL_SET_WATERMARK_SCALE_FACTOR));
	assert_int_equal(8, number(ZL_SET_HIGH_FRACTION));
}

static void the_old_fraction_dates_a_kernel(void **state)
{
	(void)state;
	import_text(&im, "vm.percpu_pagelist_fraction = 8\n");
	assert_counts(1, 0, 0);
	assert_string_equal("5.13", im.facts.release_to);
	assert_diag(ZL_DIAG_IMPORT_VALUE, ZL_NOTE, "managed / 8 / CPUs and its batch a quarter");
	assert_false(zl_settings_given(&im.profile.settings, ZL_SET_HIGH_FRACTION));
}

static void huge_page_state_of_one_size_is_not_that_of_all(void **state)
{
	(void)state;
	read_path(CAPTURES "linux-7.3.4-arm64-16k-debian-trace/mthp_state.txt");
	read_path(CAPTURES "linux-7.3.4-arm64-16k-debian-trace/hugepages.txt");
	assert_int_equal(
		zl_setting_word_index(ZL_SET_THP_ENABLED, "always"), number(ZL_SET_THP_ENABLED));
	assert_int_equal(33554432, im.facts.hpage_pmd_size);
}

static void a_configuration_gives_settings_and_its_release(void **state)
{
	(void)state;
	import_text(&im, "#\n# Automatically generated file; DO NOT EDIT.\n"
			 "# Linux/arm64 6.16.3 Kernel Configuration\n#\n"
			 "CONFIG_ARM64_16K_PAGES=y\n# CONFIG_ARM64_4K_PAGES is not set\n"
			 "CONFIG_ARCH_FORCE_MAX_ORDER=11\nCONFIG_PAGE_BLOCK_ORDER=7\n"
			 "CONFIG_TRANSPARENT_HUGEPAGE=y\nCONFIG_TRANSPARENT_HUGEPAGE_MADVISE=y\n"
			 "# CONFIG_HUGETLBFS is not set\nCONFIG_CMA_SIZE_MBYTES=64\n"
			 "CONFIG_NETFILTER=m\nCONFIG_LOCALVERSION=\"-x\"\n");
	assert_counts(9, 5, 0);
	zl_import_finish(&im, NULL);
	assert_string_equal("6.16.3", zl_settings_text(&im.profile.settings, ZL_SET_KERNEL));
	assert_int_equal(zl_setting_word_index(ZL_SET_ARCH, "arm64"), number(ZL_SET_ARCH));
	assert_int_equal(16384, number(ZL_SET_PAGE_SIZE));
	assert_int_equal(11, number(ZL_SET_MAX_PAGE_ORDER));
	assert_int_equal(7, number(ZL_SET_PAGE_BLOCK_ORDER));
	assert_int_equal(1, number(ZL_SET_THP));
	assert_int_equal(0, number(ZL_SET_HUGETLB));
	assert_int_equal(64 << 20, number(ZL_SET_CMA_SIZE));
	assert_int_equal(
		zl_setting_word_index(ZL_SET_THP_ENABLED, "madvise"), number(ZL_SET_THP_ENABLED));
	/* A fragment says nothing about what it leaves out. */
	assert_false(zl_settings_given(&im.profile.settings, ZL_SET_SMP));
	assert_int_equal(0, im.diags.count);
}

static void the_maximum_order_is_exclusive_before_6_4(void **state)
{
	struct zl_settings given = {0};

	(void)state;
	import_text(&im, "CONFIG_ARM64_16K_PAGES=y\nCONFIG_ARCH_FORCE_MAX_ORDER=12\n");
	zl_settings_set(&given, ZL_SET_KERNEL, "6.1.192", ZL_ORIGIN_GIVEN, NULL);
	zl_import_finish(&im, &given);
	assert_int_equal(11, number(ZL_SET_MAX_PAGE_ORDER));
}

static void the_old_symbol_is_exclusive_whatever_the_release(void **state)
{
	(void)state;
	read_path(CASES "uc09-sama5.config");
	assert_counts(5, 1, 0);
	assert_string_equal("6.0", im.facts.release_to);
	zl_import_finish(&im, NULL);
	assert_int_equal(14, number(ZL_SET_MAX_PAGE_ORDER));
	assert_diag(ZL_DIAG_RELEASE_ASSUMED, ZL_WARNING, "6.0 assumed");
}

static void the_block_order_symbol_names_its_release(void **state)
{
	(void)state;
	read_path(CASES "uc26-powerpc-bad.config");
	assert_string_equal("6.16", im.facts.release_from);
	assert_string_equal("6.16", im.facts.release_to);
	assert_int_equal(zl_setting_word_index(ZL_SET_ARCH, "powerpc64"), number(ZL_SET_ARCH));
	assert_int_equal(65536, number(ZL_SET_PAGE_SIZE));
}

static void a_stated_release_that_does_not_fit_is_reported(void **state)
{
	struct zl_settings given = {0};

	(void)state;
	import_text(&im, "CONFIG_PAGE_BLOCK_MAX_ORDER=7\n");
	zl_settings_set(&given, ZL_SET_KERNEL, "6.12", ZL_ORIGIN_GIVEN, NULL);
	zl_import_finish(&im, &given);
	assert_diag(ZL_DIAG_IMPORT_RELEASE, ZL_WARNING, "6.17 or newer");
}

static void bad_configuration_lines_are_named(void **state)
{
	(void)state;
	import_text(&im, "CONFIG_CMA=y\nCONFIG_CMA_AREAS=many\nCONFIG_THP\nhello\n"
			 "CONFIG_PAGE_SHIFT=99\nCONFIG_SMP=2\nCONFIG_PCP_BATCH_SCALE_MAX=9\n");
	assert_counts(1, 0, 6);
	assert_int_equal(2, last_file()->complaint[0].line);
	assert_int_equal(18, last_file()->complaint[0].column);
}

static void percentages_of_memory_wait_for_the_memory(void **state)
{
	(void)state;
	import_text(&im, "CONFIG_ARM64_4K_PAGES=y\nCONFIG_CMA_SIZE_PERCENTAGE=10\n"
			 "CONFIG_CMA_SIZE_SEL_PERCENTAGE=y\n");
	import_text(
		&im, "Node 0, zone   Normal\n        present  262144\n        managed  256412\n");
	zl_import_finish(&im, NULL);
	/* floor(262144 * 10 / 100) pages of 4 KiB */
	assert_int_equal(INT64_C(26214) * 4096, number(ZL_SET_CMA_SIZE));
}

static void a_percentage_that_is_not_chosen_needs_no_memory(void **state)
{
	(void)state;
	import_text(&im, "CONFIG_CMA=y\nCONFIG_CMA_SIZE_MBYTES=16\nCONFIG_CMA_SIZE_SEL_MBYTES=y\n"
			 "CONFIG_CMA_SIZE_PERCENTAGE=10\n");
	zl_import_finish(&im, NULL);
	assert_int_equal(16 << 20, number(ZL_SET_CMA_SIZE));
}

static void typing_errors_of_the_command_line_are_found(void **state)
{
	(void)state;
	import_text(&im,
		"console=ttyS0 cma=256Mb transparent_hugepage=sometimes numa_cma=0:64M,1:6q "
		"cma_pernuma=x -- cma=typo\n");
	assert_diag(ZL_DIAG_IMPORT_CMDLINE, ZL_WARNING, "cma=256Mb: the kernel stops reading at");
	assert_diag(ZL_DIAG_IMPORT_CMDLINE, ZL_ERROR, "transparent_hugepage=sometimes has no");
	assert_diag(ZL_DIAG_IMPORT_CMDLINE, ZL_WARNING, "numa_cma=0:64M,1:6q: the kernel");
	assert_diag(ZL_DIAG_IMPORT_CMDLINE, ZL_ERROR, "cma_pernuma=x has no value");
	assert_int_equal(4, im.diags.count);
}

static void good_command_lines_pass(void **state)
{
	(void)state;
	import_text(&im, "cma=64M@0x50000000-0x60000000 hugetlb_cma=0:1G,1:2G movablecore=50% "
			 "kernelcore=mirror transparent_hugepage=never cma=0\n");
	assert_int_equal(0, im.diags.count);
	assert_int_equal(
		zl_setting_word_index(ZL_SET_THP_ENABLED, "never"), number(ZL_SET_THP_ENABLED));
}

static void old_oom_reports_name_pagesets(void **state)
{
	(void)state;
	read_path(CASES "uc54-oom-percpu-old.txt");
	assert_int_equal(7, last_file()->used);
	assert_int_equal(4, im.facts.nr_oom_pagesets);
	const struct zl_oom_pageset *p = &im.facts.oom_pagesets[2];
	assert_string_equal("DMA32", p->zone);
	assert_int_equal(186, p->high);
	assert_int_equal(31, p->batch);
	assert_int_equal(185, p->used);
}

static void new_oom_reports_name_zones_in_kib(void **state)
{
	(void)state;
	import_text(&im, "[  1.0] app invoked oom-killer: gfp_mask=0x0\n"
			 "[  1.0] Mem-Info:\n"
			 "[  1.0]  free:14106 free_pcp:120 free_cma:7\n"
			 "[  1.0] Node 0 Normal free:56424kB boost:0kB min:8192kB low:10240kB "
			 "high:12288kB reserved_highatomic:65536KB managed:900000kB free_pcp:480kB "
			 "local_pcp:88kB free_cma:28kB\n"
			 "[  1.0] lowmem_reserve[]: 0 0 0\n");
	assert_int_equal(1, im.facts.nr_oom_zones);
	const struct zl_oom_zone *z = &im.facts.oom_zones[0];
	assert_int_equal(0, z->node);
	assert_int_equal(65536, z->reserved_highatomic);
	assert_int_equal(480, z->free_pcp);
	assert_int_equal(88, z->local_pcp);
	assert_int_equal(120, im.facts.oom_free_pcp);
	assert_int_equal(7, im.facts.oom_free_cma);
}

static void a_boot_log_gives_release_zones_and_cpus(void **state)
{
	(void)state;
	read_path(CASES "uc51-bootlog-zones.txt");
	assert_int_equal(7, im.facts.nr_boot_zones);
	assert_int_equal(225280, im.facts.boot_zone[0].pages);
	assert_int_equal(31, im.facts.boot_zone[0].batch);
	import_text(&im, "[    0.000000] Linux version 6.12.1 (x)\n"
			 "[    0.000000] Kernel command line: cma=64M\n"
			 "[    0.0] Memory: 1024460K/1048576K available (1K kernel code)\n"
			 "[    0.1] smp: Brought up 2 nodes, 8 CPUs\n"
			 "[    1.0] Freeing unused kernel memory: 320K\n");
	assert_int_equal(5, last_file()->used);
	assert_int_equal(8, im.facts.online_cpus);
	assert_int_equal(1024460, im.facts.available_kb);
	assert_int_equal(320, im.facts.freed_kb);
	assert_string_equal("6.12.1", zl_settings_text(&im.profile.settings, ZL_SET_KERNEL));
}

static void a_folder_is_read_by_names_and_content(void **state)
{
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, zl_import_root(&im, CAPTURES "linux-7.3.4-arm64-16k-debian", &err));
	assert_int_equal(7, im.nr_files - 1);
	assert_int_equal(5, im.profile.nr_zones);
	assert_int_equal(16384, number(ZL_SET_PAGE_SIZE));
	assert_int_equal(49024, im.profile.observed.min_free_kbytes);
	/* The release is in the folder's name only, which is not data. */
	assert_false(im.facts.release_stated);
	assert_int_equal(-ENOENT, zl_import_root(&im, TEST_DATA "/captures-none", &err));
	assert_true(strlen(err.text) > 0);
}

static void missing_memory_is_an_error_at_any_point(void **state)
{
	int r = -ENOMEM;

	(void)state;
	for (size_t n = 0; r != 0; n++) {
		struct scarce scarce;
		struct zl_import one;
		struct zl_error err = {0};

		scarce_init(&scarce, n);
		scarce.once = true;
		zl_import_init(&one, &scarce.allocator);
		r = zl_import_root(&one, CAPTURES "linux-6.18.44-x86_64-4k-live", &err);
		zl_import_done(&one);
		assert_int_equal(0, scarce.live);
		assert_true(r == 0 || r == -ENOMEM);
		assert_true(n < 500);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kinds_are_told_by_content),
		TEST(every_line_of_a_zoneinfo_is_accounted_for),
		TEST(old_layouts_give_a_range_of_releases),
		TEST(six_batches_are_the_rule_before_5_14),
		TEST(nodes_that_were_cut_away_are_missed),
		TEST(symbols_of_one_family_tell_the_architecture),
		TEST(only_known_words_of_a_command_line_are_kept),
		TEST(an_extract_without_headings_is_read),
		TEST(damaged_zoneinfo_lines_are_named),
		TEST(free_lists_give_orders_types_and_blocks),
		TEST(meminfo_and_sysctls_become_observations_and_inputs),
		TEST(the_old_fraction_dates_a_kernel),
		TEST(huge_page_state_of_one_size_is_not_that_of_all),
		TEST(a_configuration_gives_settings_and_its_release),
		TEST(the_maximum_order_is_exclusive_before_6_4),
		TEST(the_old_symbol_is_exclusive_whatever_the_release),
		TEST(the_block_order_symbol_names_its_release),
		TEST(a_stated_release_that_does_not_fit_is_reported),
		TEST(bad_configuration_lines_are_named),
		TEST(percentages_of_memory_wait_for_the_memory),
		TEST(a_percentage_that_is_not_chosen_needs_no_memory),
		TEST(typing_errors_of_the_command_line_are_found),
		TEST(good_command_lines_pass),
		TEST(old_oom_reports_name_pagesets),
		TEST(new_oom_reports_name_zones_in_kib),
		TEST(a_boot_log_gives_release_zones_and_cpus),
		TEST(a_folder_is_read_by_names_and_content),
		TEST(missing_memory_is_an_error_at_any_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
