/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools as people write them, on the command line: what is wrong is said of what was written, and
 * what is to be written is another thing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define BOARD                                                                                      \
	"/dts-v1/;\n/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"                          \
	"\tmemory@80000000 { device_type = \"memory\"; reg = <0x80000000 0x40000000>; };\n"        \
	"\treserved-memory {\n\t\t#address-cells = <1>;\n\t\t#size-cells = <1>;\n\t\tranges;\n"
#define POOL "compatible = \"shared-dma-pool\"; reusable;"

/* hugetlb_cma= counts in gigantic pages: 1 GiB with pages of 4 and 16 KiB, 16 GiB with 64 KiB. */
static void gigantic_pages_are_those_of_each_page_size(void **state)
{
	struct program *p = *state;

	program_says(p, 0, "reserve --cmdline hugetlb_cma=2G --set memory=40G --set kernel=6.12",
		"hugetlb0  2 GiB  accepted  2 GiB      ok  refused");
	assert_holds(p->out, "  64 KiB pages          512 MiB  1 refused  16 GiB    0 B");
	program_says(p, 1,
		"reserve --cmdline hugetlb_cma=2G --set memory=40G --set kernel=6.12 --set "
		"page_size=64K",
		"hugetlb0  2 GiB  REFUSED  16 GiB     ok      ok");
	/* 4 GiB over 2 nodes. */
	program_says(p, 0,
		"reserve --cmdline hugetlb_cma=4G --set memory=80G --set nodes=2 --set kernel=6.12",
		"hugetlb1  2 GiB  accepted  2 GiB");
}

static void entries_of_reg_behind_the_first_are_in_no_pool(void **state)
{
	struct program *p = *state;

	program_write(p, "two.dts",
		BOARD "\t\ttwo@a0000000 { " POOL
		      " reg = <0xa0000000 0x2000000>, <0xb0000000 0x1000000>; };\n\t};\n};\n");
	program_says(p, 0, "reserve ~/two.dts --set kernel=6.12",
		"only the first entry of reg becomes a pool, the other\n  16 MiB are reserved");
}

/* 0x300000 as a mask gives bases that are no multiple of anything. */
static void an_alignment_that_is_no_power_of_two_is_mended(void **state)
{
	struct program *p = *state;

	program_write(p, "al.dts",
		BOARD "\t\ttop { compatible = \"shared-dma-pool\"; no-map; size = <0x100000>; };\n"
		      "\t\tal { " POOL
		      " size = <0x2000000>; alignment = <0x300000>; };\n\t};\n};\n");
	program_says(p, 1, "reserve ~/al.dts --set kernel=6.12", "alignment 0x300000 is no power");
	assert_holds(p->out, "  write   alignment = <0x400000>;\n");
	program_says(p, 1, "reserve ~/al.dts --set kernel=6.12 --fix",
		"+\t\tal { " POOL " size = <0x2000000>; alignment = <0x400000>; };\n");
}

static void cma_is_judged_as_it_was_written(void **state)
{
	static const struct {
		const char *cmdline, *says, *not_said;
		int status;
	} c[] = {
		{"cma=64M@0x50100000",
			"base 0x50100000 is not a multiple of CMA_MIN_ALIGNMENT_BYTES 0x2000000\n",			"no power of two",  1},
		{"cma=64M@0x50100000", "write   cma=96M@0x50000000 32 MiB more than asked",
			"0 B more",													1},
		{"cma=8G",		   "8 GiB from 0x0 on do not end below the limit 0x100000000",	       "write",		1},
		{"cma=16M@0x50000000", "size rounds up and the limit down",					    "do not end",	  1},
		{"cma=",		 "cma=: the kernel cannot read all of it",				   "Config string",    0},
		{"cma",		"cma without a value: the kernel prints \"Config string not provided\"",
			"nothing to judge",												2},
		{"numa_cma=64M",	 "write NODE:SIZE,NODE:SIZE",					      "nothing to judge", 2},
	};
	struct program *p = *state;
	char words[200];

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		snprintf(words, sizeof(words),
			"reserve --cmdline %s --set memory=4G --set page_size=16K --set "
			"kernel=6.12",
			c[i].cmdline);
		program_says(p, c[i].status, words, c[i].says);
		if (strstr(p->out, c[i].not_said) != NULL ||
			strstr(p->err, c[i].not_said) != NULL) {
			fail_msg("%s says %s", words, c[i].not_said);
		}
	}
	/* Another number would not help where there is no cma= at all. */
	program_says(p, 1, "reserve --cmdline cma=300M --set arch=powerpc64 --set kernel=6.12",
		"no CONFIG_DMA_CMA");
	assert_null(strstr(p->out, "write"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(gigantic_pages_are_those_of_each_page_size),
		CASE(entries_of_reg_behind_the_first_are_in_no_pool),
		CASE(an_alignment_that_is_no_power_of_two_is_mended),
		CASE(cma_is_judged_as_it_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
