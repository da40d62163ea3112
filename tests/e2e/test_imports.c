/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot logs, extracts and prose on the command line: what they leave open, and what is taken in its
 * place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

#define CASES	TEST_DATA "/cases/"
#define LIVE	TEST_DATA "/captures/linux-6.18.44-x86_64-4k-live"
#define SIXTEEN TEST_DATA "/captures-dt/linux-7.3.4-arm64-16k-debian"

static void run(struct program *p, int status, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: status %d: %s%s", words, p->status, p->out, p->err);
	}
}

/* Where a boot log stops short, what is taken in its place is said. */
static void what_a_boot_log_leaves_open_is_said(void **state)
{
	struct program *p = *state;
	static const char ranges[] = "[    0.000000] Zone ranges:\n"
				     "[    0.000000]   DMA      [mem 0x40000000-0x7fffffff]\n";
	char log[600];

	program_write(p, "log", ranges);
	run(p, 0, "pcp ~/log --set kernel=6.12");
	assert_holds(p->out, "does not say how many CPUs there are: 8 are assumed");
	run(p, 0, "pcp ~/log --set kernel=6.12 --set cpus=4");
	assert_null(strstr(p->out, "are assumed"));
	snprintf(log, sizeof(log), "%s%s", ranges,
		"[    0.0] SLUB: HWalign=64, Order=0-3, MinObjects=0, CPUs=6, Nodes=1\n");
	program_write(p, "log", log);
	run(p, 0, "pcp ~/log --set kernel=6.12");
	assert_holds(p->out, "1 node, 6 CPUs");
	assert_holds(p->out, "how many CPUs came up: all 6 possible ones");
	snprintf(log + strlen(log), 80, "[    0.1] smp: Brought up 1 node, 3 CPUs\n");
	program_write(p, "log", log);
	run(p, 0, "pcp ~/log --set kernel=6.12");
	assert_holds(p->out, "1 node, 3 CPUs");
	assert_null(strstr(p->out, "possible ones"));

	/* Batches tell the release, or that there are two. */
	program_write(p, "log", "[    0.000000]   Normal zone: 225280 pages, LIFO batch:31\n");
	run(p, 2, "pcp ~/log");
	assert_holds(p->err, "4.18 is too old");
	run(p, 0, "pcp " CASES "uc51-bootlog-zones.txt");
	assert_holds(p->out, "line 2 has a batch of kernels before 4.19, line 5 one from 4.19 on");
	assert_holds(p->out, "but not the memory of the");
}

/* An extract without its headings: each zone has its lines once. */
static void zones_without_headings_are_told_apart(void **state)
{
	struct program *p = *state;

	program_write(p, "zoneinfo",
		"  pages free     3840\n        min      21\n        low      26\n"
		"        high     31\n        present  3998\n        managed  3840\n"
		"  pages free     600000\n        min      4345\n        low      5431\n"
		"        high     6517\n        present  782300\n        managed  772808\n");
	run(p, 0, "explain-my-machine ~/zoneinfo --set kernel=6.18 --set page_size=4K");
	assert_holds(p->out, " unnamed       3840 ");
	assert_holds(p->out, "unnamed-2  772 808 ");
	assert_holds(p->out, "2 zones have no line \"Node N, zone NAME\"");
}

static void a_table_in_prose_is_told_what_is_needed(void **state)
{
	struct program *p = *state;

	program_write(p, "prose", "# 480 GiB, 64 KiB pages\nmin 11.2G\nlow 14G\nhigh 16.8G\n");
	run(p, 2, "explain-my-machine ~/prose");
	assert_holds(p->err, "watermarks as somebody wrote them down");
	assert_holds(p->err, "/proc/zoneinfo would be right");
	program_write(p, "prose", "what I saw\nmin 11.2G of it\n");
	run(p, 2, "explain-my-machine ~/prose");
	assert_holds(p->err, "not a kind of file that is known here");
}

static void areas_and_boot_zones_are_in_the_json(void **state)
{
	struct program *p = *state;
	struct zl_json *j;

	run(p, 0, "explain-my-machine " CASES "uc51-bootlog-zones.txt --json");
	j = program_json(p);
	const struct zl_json *zones = zl_json_member(j, "boot_zones");
	assert_int_equal(7, zl_json_count(zones));
	assert_int_equal(225280, json_number(zl_json_first(zones), "boot_pages"));
	assert_string_equal("512 KiB", zl_json_text(zl_json_member(zl_json_first(zones), "cap")));
	zl_json_free(j);
	run(p, 0, "explain-my-machine " SIXTEEN "/dt-none.txt.gz --json");
	j = program_json(p);
	assert_int_equal(INT64_C(1) << 30,
		json_number(zl_json_first(zl_json_member(j, "zone_ranges")), "range_bytes"));
	zl_json_free(j);
}

/* 649 is low 25 980 / 40: what is worked out from the extract goes by 40 CPUs, not by the 2 shown. */
static void an_extract_is_worked_out_by_the_cpus_of_its_limits(void **state)
{
	static const char file[] =
		"pcp " CASES "uc42-zoneinfo-5.14-to-6.12.txt --set kernel=5.15 --set page_size=4K ";
	struct program *p = *state;
	char words[400];

	snprintf(words, sizeof(words), "%s--set percpu_pagelist_high_fraction=8", file);
	run(p, 0, words);
	assert_holds(p->out, "   0  Normal     63    35 071    35 071 ");
	assert_holds(
		p->out, "warning: these files show the pagesets of 2 CPUs, with limits of 40 CPUs");
	assert_holds(p->out, "5.4 GiB");
	snprintf(words, sizeof(words), "%s--set percpu_pagelist_high_fraction=64", file);
	run(p, 0, words);
	assert_holds(p->out, "    4383      4383 ");
	snprintf(words, sizeof(words), "%s--set cpus=2", file);
	run(p, 0, words);
	assert_holds(p->out, "1 node, 2 CPUs");
	assert_null(strstr(p->out, "these files show the pagesets"));
	run(p, 0, "pcp " LIVE "/zoneinfo.txt --set kernel=6.18.44");
	assert_null(strstr(p->out, "these files show the pagesets"));
}

/* With limits that are shown apart, high_max has to be of as many CPUs. */
static void limits_shown_apart_tell_the_cpus_too(void **state)
{
	struct program *p = *state;
	static const char extract[] =
		"Node 0, zone      DMA\n  pages free     30123\n        boost    0\n"
		"        min      1408\n        low      1760\n        high     2112\n"
		"        promo    2464\n        spanned  32768\n        present  32768\n"
		"        managed  31744\n        cma      0\n        protection: (0, 0, 0, 0)\n"
		"  pagesets\n    cpu: 0\n              count:    12\n"
		"              high:     220\n              batch:    3\n"
		"              high_min: 220\n              high_max: %s\n";
	static const char say[] = " ~/zi --set page_size=64K --set arch=arm64 --set kernel=6.14";
	char text[900], words[200];

	snprintf(text, sizeof(text), extract, "496"); /* 31 744 / 8 / 8 */
	program_write(p, "zi", text);
	snprintf(words, sizeof(words), "verify%s", say);
	run(p, 0, words);
	assert_holds(p->out, "low 1760 / 8 CPUs of the node");
	snprintf(words, sizeof(words), "pcp%s", say);
	run(p, 0, words);
	assert_holds(p->out, "1 node, 8 CPUs");
	snprintf(text, sizeof(text), extract, "992"); /* of 4 */
	program_write(p, "zi", text);
	snprintf(words, sizeof(words), "verify%s", say);
	run(p, 1, words);
	assert_holds(p->out, "high_min: differs: 220 reported");
}

/* The compiler and the release of "Linux version" name the architecture. */
static void a_boot_log_names_its_architecture(void **state)
{
	static const struct {
		const char *version, *arch;
	} logs[] = {
		{"6.6.31 (root@b) (riscv64-linux-gnu-gcc (Debian 13.2.0-12) 13.2.0)", "riscv64"  },
		{"6.8.0-31-generic (buildd@s390x-001) (s390x-linux-gnu-gcc-13)",	 "s390x"	},
		{"6.1.0-21-686-pae (debian-kernel@lists.debian.org) (gcc-12)",	       "i386"     },
		{"6.4.0 (geeko@buildhost) (gcc (SUSE Linux) 7.5.0) #1 SMP ppc64le",   "powerpc64"},
		{"7.3.4+deb13-arm64-16k (debian-kernel@lists.debian.org)",		   "arm64"	  },
		{"6.12.9-amd64 (debian-kernel@lists.debian.org)",			  "x86_64"	  },
	};
	struct program *p = *state;
	char text[300], want[40];

	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		snprintf(text, sizeof(text),
			"[    0.000000] Linux version %s\n[    0.000000] Zone ranges:\n"
			"[    0.000000]   Normal   [mem 0x40000000-0x13fffffff]\n",
			logs[i].version);
		program_write(p, "log", text);
		run(p, 0, "geometry ~/log");
		snprintf(want, sizeof(want), "Architecture             %s ", logs[i].arch);
		assert_holds(p->out, want);
		assert_null(strstr(p->out, "is assumed"));
	}
	/* 32 bits may be all that a fragment says. */
	program_write(p, "c.config",
		"# Linux/riscv 6.12.1 Kernel Configuration\nCONFIG_RISCV=y\nCONFIG_32BIT=y\n");
	run(p, 0, "geometry ~/c.config");
	assert_holds(p->out, "riscv32");
	assert_holds(p->out, "CMA_MIN_ALIGNMENT_BYTES  4 MiB");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_a_boot_log_leaves_open_is_said),
		CASE(zones_without_headings_are_told_apart),
		CASE(a_table_in_prose_is_told_what_is_needed),
		CASE(areas_and_boot_zones_are_in_the_json),
		CASE(an_extract_is_worked_out_by_the_cpus_of_its_limits),
		CASE(limits_shown_apart_tell_the_cpus_too),
		CASE(a_boot_log_names_its_architecture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
