/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of machines on the command line: probe, verify, explain-my-machine, profiles, opened
 * files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"

#define CAPTURES TEST_DATA "/captures/"
#define CASES	 TEST_DATA "/cases/"
#define LIVE	 CAPTURES "linux-6.18.44-x86_64-4k-live"
#define ARM16	 CAPTURES "linux-7.3.4-arm64-16k-debian/"
#define SIXTEEN	 TEST_DATA "/captures-dt/linux-7.3.4-arm64-16k-debian"
#define SIX_ONE	 CAPTURES "linux-6.1.192-x86_64-4k-debian-cloud-trace"

static void run(struct program *p, int status, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: status %d\n%s%s", words, p->status, p->out, p->err);
	}
}

static int64_t member(const struct zl_json *j, const char *key)
{
	int64_t v = -1;

	if (zl_json_get_int(zl_json_member(j, key), &v) < 0) {
		fail_msg("no number \"%s\"", key);
	}
	return v;
}

/* A file that says nothing about reserved memory is no empty answer. */
static void reserve_refuses_what_it_cannot_use(void **state)
{
	struct program *p = *state;

	program_write(p, "broken.json", "{\"kind\":");
	run(p, 2, "reserve ~/broken.json");
	assert_holds(p->err, "JSON text of no known kind");
	program_write(p, "scenario.json", "{\"kind\":\"scenario\"}");
	run(p, 2, "reserve ~/scenario.json --json");
	assert_holds(p->err, "zonelab run FILE");
	run(p, 2, "reserve " TEST_DATA "/golden/workloads/h101.workload.gz");
	assert_holds(p->err, "this is a workload");
	/* A configuration or a log beside a tree says something. */
	run(p, 1,
		"reserve " CASES "uc06-two-pools.dts " CASES "uc09-sama5.config "
		"--set kernel=6.12 --set page_size=16K --set arch=arm64");
}

static void what_files_do_not_say_must_be_given(void **state)
{
	struct program *p = *state;

	run(p, 2, "verify --root " LIVE);
	assert_holds(p->err, "--set kernel=");
	run(p, 2, "verify --root " LIVE " --set page_size=4K");
	assert_holds(p->err, "release");
	run(p, 2, "verify " ARM16 "zoneinfo.txt --set kernel=7.3.4");
	assert_holds(p->err, "--set page_size=");
	/* MemTotal and the zones' managed pages say it together. */
	run(p, 0, "verify " ARM16 "zoneinfo.txt " ARM16 "meminfo.txt --set kernel=7.3.4");
	assert_holds(p->out, "pages of 16 KiB: MemTotal 991 840 KiB are 61 990 managed pages");
	/* Zones of x86 are like no other's. */
	run(p, 0, "verify " SIX_ONE "/zoneinfo.txt --set kernel=6.1.192");
	assert_holds(p->out, "Linux 6.1.192, 4K pages");
	run(p, 0, "pcp " SIX_ONE "/zoneinfo.txt --set kernel=6.1.192");
	assert_holds(p->out, "x86_64 6.1.192, 4 KiB pages");
	run(p, 0, "pcp " ARM16 "zoneinfo.txt --set kernel=7.3.4");
	assert_holds(p->out, "no page size in these files: 4 KiB is assumed");
	assert_holds(p->out, "no architecture in these files: arm64 is assumed");
	run(p, 2, "probe --root " SIX_ONE " --set page_size=4K");
	assert_holds(p->err, "--set kernel=");
	run(p, 2, "verify --root " CAPTURES);
	run(p, 2, "verify " CASES "uc09-sama5.config --set kernel=5.15 --set page_size=4K");
	assert_holds(p->err, "zoneinfo");
}

/* Page size and architecture of a file that has none are facts; of one that has them, changes. */
static void what_is_said_for_a_file_is_no_change(void **state)
{
	struct program *p = *state;

	run(p, 0,
		"pcp " ARM16
		"zoneinfo.txt --set kernel=7.3.4 --set page_size=16K --set arch=arm64");
	assert_holds(p->out, "16 KiB pages, 1 GiB");
	assert_holds(p->out, "61 990       3064       3830        4596");
	assert_null(strstr(p->out, "Was, as the file reported it"));
	run(p, 0,
		"pcp " ARM16 "zoneinfo.txt " ARM16
		"config.txt --set kernel=7.3.4 --set page_size=4K");
	assert_holds(p->out, "4 KiB pages, 1 GiB");
	assert_holds(p->out, "247 960");
	assert_holds(p->out, "Was, as the file reported it (above: computed for what was given)");
}

static void a_captured_machine_agrees_value_by_value(void **state)
{
	struct program *p = *state;

	run(p, 0, "verify --root " LIVE " --set kernel=6.18.44");
	assert_holds(p->out, "44 of 44 values agree");
	run(p, 0, "verify --json --root " SIX_ONE " --set kernel=6.1.192 --set page_size=4K");
	struct zl_json *j = program_json(p);
	assert_int_equal(0, member(j, "differs"));
	assert_int_equal(7, member(j, "explained"));
	assert_string_equal("verify", zl_json_text(zl_json_member(j, "kind")));
	const struct zl_json *values = zl_json_member(j, "values");
	assert_int_equal(25, zl_json_count(values));
	zl_json_free(j);
}

/* The live machine's zoneinfo with one text in place of another. */
static void write_changed(struct program *p, const char *from, const char *to)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = fopen(LIVE "/zoneinfo.txt", "rb");

	assert_non_null(f);
	text = calloc(1, 65536);
	assert_non_null(text);
	size = fread(text, 1, 65535 - 64, f);
	fclose(f);
	assert_true(size > 0);
	char *at = strstr(text, from);
	assert_non_null(at);
	assert_int_equal(strlen(from), strlen(to));
	memcpy(at, to, strlen(to));
	program_write(p, "zoneinfo", text);
	free(text);
}

static void one_page_off_leads_to_status_1(void **state)
{
	static const struct {
		const char *from, *to;
	} plants[] = {
		{"min      12529",  "min      12530" },
		{"low      15661",  "low      15660" },
		{"high     18793",  "high     18794" },
		{"promo    21925",  "promo    21926" },
		{"batch:    63",	 "batch:    62"   },
		{"high_min: 7830",  "high_min: 7831" },
		{"high_max: 48300", "high_max: 48301"},
	};
	struct program *p = *state;

	for (size_t i = 0; i < sizeof(plants) / sizeof(plants[0]); i++) {
		write_changed(p, plants[i].from, plants[i].to);
		run(p, 1,
			"verify --set kernel=6.18.44 ~/zoneinfo " LIVE "/config.txt " LIVE
			"/vm_sysctl.txt");
		assert_holds(p->out, "differs");
	}
	write_changed(p, "min      12529", "min      12529");
	run(p, 0,
		"verify --set kernel=6.18.44 ~/zoneinfo " LIVE "/config.txt " LIVE
		"/vm_sysctl.txt");
}

static void a_probed_profile_is_a_machine(void **state)
{
	struct program *p = *state;

	run(p, 0, "probe --root " LIVE " --set kernel=6.18.44 -o ~/live.json");
	char *text = program_read(p, "live.json");
	assert_non_null(text);
	assert_holds(text, "\"kind\": \"profile\"");
	free(text);
	run(p, 0, "pcp --json --profile ~/live.json");
	assert_holds(p->out, "\"high_min\": 7830");
	run(p, 0, "probe --json --root " LIVE " --set kernel=6.18.44");
	struct zl_json *j = program_json(p);
	assert_int_equal(5, zl_json_count(zl_json_member(j, "zones")));
	zl_json_free(j);
}

static void every_shipped_profile_can_be_named(void **state)
{
	struct program *p = *state;
	char words[160];

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		snprintf(words, sizeof(words), "geometry --json --profile %s",
			zl_shipped_at(ZL_SHIPPED_PROFILES, i)->name);
		run(p, 0, words);
	}
	run(p, 2, "geometry --profile no-such-machine");
	assert_holds(p->err, "list profiles");
	program_write(p, "bad.json", "{\"kind\":\"profile\",\"version\":1,\n\"cpus\":}");
	run(p, 2, "geometry --profile ~/bad.json");
	assert_holds(p->err, "bad.json:2:8:");
}

static void every_value_of_files_is_explained(void **state)
{
	struct program *p = *state;

	run(p, 0, "explain-my-machine " LIVE "/zoneinfo.txt");
	assert_holds(
		p->out, "214 lines read, 104 used, 110 counted but not modelled, 0 not understood");
	assert_holds(p->out, "watermarks, batch, high_min, high_max: 18 of 18 agree "
			     "(min_free_kbytes 67 584)");
	assert_holds(p->out, "(6.13 or newer): 7.1 assumed");
	assert_holds(p->out, "parked on pagesets of 2 CPUs");
	run(p, 0, "explain-my-machine " SIXTEEN "/dt-none.txt.gz");
	assert_holds(p->out, "the boot log counts 1 048 576 KiB as 65 536 pages");
	assert_holds(p->out, "DMA 0x40000000-0x7fffffff: 1 GiB wide, 1 GiB of it memory");
	run(p, 0, "explain-my-machine " CASES "uc51-bootlog-zones.txt");
	assert_holds(p->out, "225 280 pages: batch 31 expected because the cap is 512 KiB");
	run(p, 0, "explain-my-machine " CASES "uc54-oom-percpu-old.txt");
	assert_holds(p->out, "6 times btch before");
	run(p, 1,
		"explain-my-machine " CASES
		"uc54-zoneinfo-before-5.14.txt --set kernel=6.1 --set page_size=4K");
	assert_holds(p->out, "the rule before 5.14");
}

static void other_page_sizes_judge_room_as_their_boot_would(void **state)
{
	struct program *p = *state;

	/* 320 MiB in 320 MiB with something in it: nowhere. */
	run(p, 1, "reserve " CASES "uc12-zero-slack.dts --set kernel=6.12");
	assert_holds(p->out, "\nlinux,cma       320 MiB  NO ROOM  320 MiB  no room  no room\n");
	run(p, 1, "reserve --fix " CASES "uc12-zero-slack.dts --set kernel=6.12");
	assert_holds(p->out,
		"# linux,cma: no fix: no hole of 320 MiB at a multiple of 2 MiB in\n"
		"# alloc-ranges (largest: 286 MiB); 0x66000000-0x660fffff is in the way\n");
	/* Without banks room is not known, and no reason to say that there is none. */
	run(p, 0, "reserve " CASES "uc14-mixed-cells.dts --set kernel=6.12");
	assert_holds(p->out, "64 MiB  accepted  64 MiB      ok  512 MiB\n");
	run(p, 1, "reserve " CASES "uc06-two-pools.dts --set kernel=6.12");
	assert_holds(p->out, "604 MiB    move     move\n");
}

static void what_to_write_has_the_cells_of_its_tree(void **state)
{
	struct program *p = *state;

	program_write(p, "cells.dts",
		"/dts-v1/;\n#define MIB(x) ((x) << 20)\n"
		"/ { #address-cells = <1>; #size-cells = <1>;\n"
		"memory@40000000 { device_type = \"memory\"; reg = <0x40000000 0x40000000>; };\n"
		"reserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"a@50000000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"reg = <0x50000000 MIB(4)>; };\n"
		"b { compatible = \"shared-dma-pool\"; reusable; size = <MIB(4)>; }; }; };\n");
	run(p, 1, "reserve ~/cells.dts --set kernel=6.12 --set page_size=16K");
	assert_holds(p->out, "write   reg = <0x50000000 0x2000000>; 28 MiB more than asked");
	assert_holds(p->out, "write   size = <0x2000000>; 28 MiB more than asked");
	run(p, 1, "reserve ~/cells.dts --set kernel=6.12 --set page_size=16K --fix");
	assert_holds(p->out, "-reg = <0x50000000 MIB(4)>; };\n+reg = <0x50000000 0x2000000>; };\n");
	/* A pool by hand is written as that tree would have it. */
	run(p, 1, "reserve ~/cells.dts --size 6M --set kernel=6.12 --set page_size=16K --fix");
	assert_holds(p->out, "+size-1 {\n+\tcompatible = \"shared-dma-pool\";\n+\treusable;\n"
			     "+\tsize = <0x2000000>;\n+};\n+ }; };\n");
	run(p, 1, "reserve --size 6M --set kernel=6.12 --set page_size=16K --fix");
	assert_holds(p->out, "# size-1: size = <0x0 0x2000000>;\n");
	program_write(p, "kept.dts",
		"/dts-v1/;\n/memreserve/ 0x51fff000 0x2000;\n"
		"/ { #address-cells = <1>; #size-cells = <1>;\n"
		"memory@40000000 { device_type = \"memory\"; reg = <0x40000000 0x40000000>; };\n"
		"reserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"a@50000000 { compatible = \"shared-dma-pool\"; reusable;\n"
		"reg = <0x50000000 0x2000000>; };\n"
		"b@52004000 { compatible = \"shared-dma-pool\"; reg = <0x52004000 0x4000>; }; }; "
		"};\n");
	run(p, 0, "reserve ~/kept.dts --set kernel=6.12 --set page_size=16K");
	assert_holds(p->out, "warning: a@50000000 holds memory that /memreserve/ keeps");
	assert_int_equal(NULL, strstr(p->out, "b@52004000 holds"));
}

/* One node in a tree of two cells each with 2 GiB, and ranges or not. */
static void write_node(const struct program *p, const char *ranges, const char *node)
{
	char text[1024];

	snprintf(text, sizeof(text),
		"/dts-v1/;\n/ { #address-cells = <2>; #size-cells = <2>;\n"
		"memory@40000000 { device_type = \"memory\"; reg = <0x0 0x40000000 0x0 "
		"0x80000000>; };\n"
		"reserved-memory { #address-cells = <2>; #size-cells = <2>; %s\n"
		"a { compatible = \"shared-dma-pool\"; reusable; %s }; }; };\n",
		ranges, node);
	program_write(p, "node.dts", text);
}

static void nodes_that_the_kernel_skips_are_no_yes(void **state)
{
	static const char judge[] = "reserve ~/node.dts --set kernel=6.12 --set page_size=16K";
	struct program *p = *state;

	write_node(p, "ranges;", "size = <0x0 0x2000000>;");
	run(p, 0, judge);
	write_node(p, "", "size = <0x0 0x2000000>;");
	run(p, 1, judge);
	write_node(p, "ranges;", "size = <0x0 0x2000000>; alignment = <0x2000000>;");
	run(p, 1, judge);
	write_node(p, "ranges;", "size = <0x0 0x2000000>; status = \"disabled\";");
	run(p, 0, judge);
	write_node(p, "ranges;", "size = <0x0 0x0>;");
	run(p, 1, judge);
	assert_holds(p->out, "why     size 0: nothing is reserved");
	/* 0xbe000000 & ~(0x3000000 - 1) is 0xbc000000. */
	write_node(p, "ranges;", "size = <0x0 0x2000000>; alignment = <0x0 0x3000000>;");
	run(p, 0, judge);
	assert_holds(p->out, "A a 0xbc000000");
}

/* Makes a folder in the home, those above it too. */
static void make_folder(const struct program *p, const char *name)
{
	char path[512], part[256];

	for (size_t i = 1; i <= strlen(name); i++) {
		if (name[i] == '/' || name[i] == '\0') {
			snprintf(part, sizeof(part), "%.*s", (int)i, name);
			program_path(p, part, path, sizeof(path));
			(void)mkdir(path, 0700);
		}
	}
}

static void cma_areas_of_a_kernel_are_explained(void **state)
{
	struct program *p = *state;

	make_folder(p, "m/proc");
	make_folder(p, "m/sys/kernel/debug/cma/cma-linux,cma");
	make_folder(p, "m/sys/kernel/debug/cma/video");
	make_folder(p, "m/sys/kernel/mm/cma/linux,cma");
	program_write(
		p, "m/proc/meminfo", "MemTotal:         999104 kB\nCmaTotal:          69632 kB\n");
	program_write(p, "m/sys/kernel/debug/cma/cma-linux,cma/count", "16384\n");
	program_write(p, "m/sys/kernel/debug/cma/cma-linux,cma/base_pfn", "376832\n");
	program_write(p, "m/sys/kernel/debug/cma/cma-linux,cma/used", "120\n");
	program_write(p, "m/sys/kernel/debug/cma/cma-linux,cma/maxchunk", "16000\n");
	program_write(p, "m/sys/kernel/debug/cma/video/count", "1024\n");
	program_write(p, "m/sys/kernel/debug/cma/video/base_pfn", "377001\n");
	program_write(p, "m/sys/kernel/debug/cma/video/bitmap", "0 0 0\n");
	program_write(p, "m/sys/kernel/mm/cma/linux,cma/alloc_pages_success", "400\n");
	program_write(p, "m/sys/kernel/mm/cma/linux,cma/alloc_pages_fail", "7\n");
	run(p, 0, "explain-my-machine ~/m --set kernel=6.12 --set page_size=4K --set arch=arm64");
	assert_holds(p->out, "linux,cma: 16 384 pages, 64 MiB at 0x5c000000, expected because");
	assert_holds(p->out, "120 in use; the largest free run is 16 000");
	assert_holds(p->out, "400 pages were got, 7 asked for in vain");
	assert_holds(p->out, "video: 1024 pages, 4 MiB at 0x5c0a9000, differs: no multiple");
	assert_holds(p->out, "CmaTotal 69 632 KiB: expected because it is the sum");
	run(p, 0, "explain-my-machine ~/m --set kernel=6.12 --set page_size=4K --json");
	assert_holds(p->out, "\"largest_free_run_pages\": 16000");
	assert_holds(p->out, "\"area_pages\": 1024");
}

static void source_that_dtc_refuses_is_no_answer(void **state)
{
	struct program *p = *state;

	program_write(p, "broken.dts",
		"/dts-v1/;\n/ {\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n"
		"\treserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;\n"
		"\t\ta { compatible = \"shared-dma-pool\"; reusable\n"
		"\t\t\tsize = <0x400000>; };\n\t};\n};\n");
	run(p, 1, "reserve ~/broken.dts --set kernel=6.12");
	assert_holds(p->out, ":6:39: `;` is missing behind reusable");
}

static void what_is_assumed_of_a_configuration_is_said(void **state)
{
	struct program *p = *state;

	run(p, 0, "geometry " CASES "uc09-sama5.config");
	assert_holds(p->out, "no architecture in these files: arm64 is assumed");
	run(p, 0, "geometry " CASES "uc09-sama5.config --set arch=arm");
	assert_null(strstr(p->out, "is assumed"));
}

static void settings_and_free_lists_are_explained_backwards(void **state)
{
	struct program *p = *state;

	program_write(p, "sysctl", "vm.min_free_kbytes = 225280\n");
	run(p, 0, "explain-my-machine ~/sysctl --set page_size=4K");
	assert_holds(p->out, "for each of 10 zones");
	run(p, 0, "explain-my-machine " CAPTURES "linux-7.3.4-arm64-16k-debian --set kernel=7.3.4");
	assert_holds(p->out, "about 957 MiB");
	assert_holds(p->out, "0 highatomic, 4088");
}

static void an_upgrade_is_laid_at_its_causes(void **state)
{
	struct program *p = *state;

	run(p, 0,
		"explain-my-machine --before " SIX_ONE " --before-kernel 6.1.192 --after " CAPTURES
		"linux-6.12.117-x86_64-4k-debian-cloud-trace --after-kernel 6.12.117 "
		"--set page_size=4K");
	assert_holds(p->out, "before: Linux 6.1.192, after: Linux 6.12.117");
	assert_holds(p->out, "pcp_design");
	assert_holds(p->out, "the release (0 to 32)");
	run(p, 2, "explain-my-machine --before " SIX_ONE);
	assert_holds(p->err, "--after");
}

static void files_become_the_machine_of_other_commands(void **state)
{
	struct program *p = *state;

	run(p, 0,
		"-c report -c 'set kernel=6.18.44' " LIVE "/zoneinfo.txt --set kernel=6.18.44 "
		"--set page_size=4K");
	assert_holds(p->out, "Import report: zoneinfo");
	run(p, 2, "-c report");
	assert_holds(p->err, "no file was opened");
}

static void an_assumed_release_is_said_with_every_answer(void **state)
{
	static const char *const commands[] = {"geometry", "pcp"};
	struct program *p = *state;
	char words[512];

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(words, sizeof(words), "%s " LIVE "/zoneinfo.txt", commands[i]);
		run(p, 0, words);
		assert_holds(p->out, "6.13 or newer");
		assert_holds(p->out, "--set kernel=X.Y");
		snprintf(words, sizeof(words), "%s " LIVE "/zoneinfo.txt --set kernel=6.18.44",
			commands[i]);
		run(p, 0, words);
		assert_null(strstr(p->out, "assumed"));
	}
}

static void a_saved_profile_keeps_known_words_of_the_command_line(void **state)
{
	struct program *p = *state;
	char words[512], path[300];
	char *saved;

	program_write(p, "cmdline", "root=/dev/secret cma=64M api_key=abc quiet\n");
	program_path(p, "saved.json", path, sizeof(path));
	snprintf(words, sizeof(words), "-c 'save-profile %s' ~/cmdline", path);
	run(p, 0, words);
	saved = program_read(p, "saved.json");
	assert_non_null(saved);
	assert_holds(saved, "cma=64M");
	assert_null(strstr(saved, "secret"));
	assert_null(strstr(saved, "abc"));
	free(saved);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

/* Limits divide by four CPUs on both nodes, which 4 CPUs split over 2 nodes would not give. */
static void cpus_of_nodes_are_told_by_their_limits(void **state)
{
	struct program *p = *state;

	program_says(p, 0,
		"explain-my-machine " TEST_DATA "/machines/x86_64-cxl-6.18.txt --set kernel=6.18.5 "
		"--set arch=x86_64 --set page_size=4K",
		"by its limits node 0 divides by 4, node 1 divides by 4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reserve_refuses_what_it_cannot_use),
		TEST(what_files_do_not_say_must_be_given),
		TEST(what_is_said_for_a_file_is_no_change),
		TEST(a_captured_machine_agrees_value_by_value),
		TEST(one_page_off_leads_to_status_1),
		TEST(a_probed_profile_is_a_machine),
		TEST(every_shipped_profile_can_be_named),
		TEST(every_value_of_files_is_explained),
		TEST(other_page_sizes_judge_room_as_their_boot_would),
		TEST(what_to_write_has_the_cells_of_its_tree),
		TEST(nodes_that_the_kernel_skips_are_no_yes),
		TEST(cma_areas_of_a_kernel_are_explained),
		TEST(source_that_dtc_refuses_is_no_answer),
		TEST(what_is_assumed_of_a_configuration_is_said),
		TEST(settings_and_free_lists_are_explained_backwards),
		TEST(an_upgrade_is_laid_at_its_causes),
		TEST(files_become_the_machine_of_other_commands),
		TEST(an_assumed_release_is_said_with_every_answer),
		TEST(a_saved_profile_keeps_known_words_of_the_command_line),
		TEST(cpus_of_nodes_are_told_by_their_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
