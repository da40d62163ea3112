/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `reserve` as a command: files in any mix, JSON as documented, exit status, corrections, logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "reserve.h"
#include "scarce.h"
#include "zonelab/text.h"

/* One answer; the application is freed with it. */
struct answer {
	struct app *app;
	struct output out;
	struct zl_json *json; /* the answer as a reader of it sees it */
	enum exit_status status;
};

/* What is printed is what is looked at. */
static struct zl_json *reread(const struct zl_json *built)
{
	struct zl_error err = {0};
	struct zl_json *j = NULL;
	char *text = NULL;

	assert_int_equal(0, zl_json_print(built, false, &text));
	if (zl_json_parse(text, strlen(text), &j, &err) != 0) {
		fail_msg("%s", err.text);
	}
	zl_json_text_free(text);
	return j;
}

static struct answer ask(enum output_format format, const char *sets, const char *line)
{
	struct answer a = {.app = calloc(1, sizeof(struct app)), .out = {.format = format}};
	struct zl_error err = {0};
	char word[64];

	assert_non_null(a.app);
	assert_int_equal(0, app_init(a.app));
	for (const char *p = sets; *p != '\0';) {
		size_t n = strcspn(p, " ");

		assert_true(n < sizeof(word));
		memcpy(word, p, n);
		word[n] = '\0';
		if (zl_settings_assign(
			    &app_lane(a.app)->profile.settings, word, ZL_ORIGIN_GIVEN, &err) != 0) {
			fail_msg("%s: %s", word, err.text);
		}
		p += n + (p[n] == ' ');
	}
	app_resolve(a.app);
	a.status = command_run(a.app, line, &a.out);
	a.json = a.out.json != NULL ? reread(a.out.json) : NULL;
	return a;
}

static void done(struct answer *a)
{
	zl_json_free(a->json);
	output_done(&a->out);
	app_done(a->app);
	free(a->app);
}

static const char *in_case(const char *file)
{
	static const char *const cases = TEST_DATA "/cases/";
	char *path = test_malloc(strlen(cases) + strlen(file) + 32);

	snprintf(path, strlen(cases) + strlen(file) + 32, "reserve \"%s%s\"", cases, file);
	return path;
}

static struct answer ask_case(enum output_format format, const char *sets, const char *file)
{
	const char *line = in_case(file);
	struct answer a = ask(format, sets, line);

	test_free((char *)(uintptr_t)line);
	return a;
}

static const struct zl_json *pool(const struct answer *a, const char *name)
{
	const struct zl_json *list = zl_json_member(a->json, "pools");

	for (const struct zl_json *p = zl_json_first(list); p != NULL; p = zl_json_next(p)) {
		if (strcmp(zl_json_text(zl_json_member(p, "name")), name) == 0) {
			return p;
		}
	}
	fail_msg("no pool %s", name);
	return NULL;
}

static void assert_text(const struct zl_json *o, const char *key, const char *want)
{
	const char *s = zl_json_text(zl_json_member(o, key));

	assert_non_null(s);
	assert_string_equal(want, s);
}

static void assert_int(const struct zl_json *o, const char *key, int64_t want)
{
	int64_t v = -1;

	assert_int_equal(0, zl_json_get_int(zl_json_member(o, key), &v));
	assert_int_equal(want, v);
}

static void assert_null_member(const struct zl_json *o, const char *key)
{
	assert_int_equal(ZL_JSON_NULL, zl_json_kind(zl_json_member(o, key)));
}

static void a_refused_pool_in_json_and_exit_status(void **state)
{
	struct answer a =
		ask_case(FORMAT_JSON, "kernel=6.16 page_size=16K", "uc03-driver-4mib.dts");
	const struct zl_json *p = pool(&a, "drv-pool");

	(void)state;
	assert_int_equal(EXIT_NO, a.status);
	assert_text(a.json, "kind", "reserve");
	assert_int(a.json, "version", 1);
	assert_int(a.json, "cma_min_alignment_bytes", 32 << 20);
	assert_int(a.json, "total_requested_bytes", 4 << 20);
	assert_int(a.json, "total_required_bytes", 32 << 20);
	assert_text(p, "source", "dts");
	assert_text(p, "class", "cma");
	assert_text(p, "verdict", "refused");
	assert_text(p, "placement", "placed");
	assert_int(p, "requested_bytes", 4 << 20);
	assert_int(p, "required_bytes", 32 << 20);
	assert_int(p, "waste_bytes", 28 << 20);
	assert_null_member(p, "required_base");
	assert_text(p, "message", "Reserved memory: incorrect alignment of CMA region");
	done(&a);
}

static void config_beside_the_tree_changes_the_verdict(void **state)
{
	char line[1024];
	struct answer a;

	(void)state;
	zl_format(line, sizeof(line),
		"reserve \"%s/cases/uc03-driver-4mib.dts\" \"%s/cases/uc03-arm64-16k.config\"",
		TEST_DATA, TEST_DATA);
	a = ask(FORMAT_JSON, "kernel=6.17", line);
	assert_int_equal(EXIT_YES, a.status);
	assert_int(a.json, "cma_min_alignment_bytes", 2 << 20);
	assert_text(pool(&a, "drv-pool"), "verdict", "accepted");
	done(&a);
}

static void the_negative_control_says_that_geometry_passes(void **state)
{
	struct answer a = ask_case(FORMAT_TEXT, "kernel=5.15", "uc07-geometry-ok.dts");

	(void)state;
	assert_int_equal(EXIT_YES, a.status);
	assert_non_null(strstr(zl_buf_text(&a.out.text), "geometry passes"));
	assert_non_null(strstr(zl_buf_text(&a.out.text), "not checked: CONFIG_DMA_CMA"));
	done(&a);
}

static void a_fragment_without_banks_has_no_place(void **state)
{
	struct answer a = ask_case(FORMAT_JSON, "page_size=16K", "uc14-mixed-cells.dts");

	(void)state;
	assert_int_equal(EXIT_YES, a.status);
	assert_text(pool(&a, "linux,cma"), "placement", "unknown");
	assert_null_member(pool(&a, "linux,cma"), "base");
	assert_text(pool(&a, "firmware@0"), "class", "no-map");
	assert_null_member(a.json, "memory");
	done(&a);
}

static void sizes_and_a_command_line_by_hand(void **state)
{
	struct answer a = ask(FORMAT_JSON, "kernel=6.1 page_size=16K memory=1G",
		"reserve --size 4M --size 64M --cmdline \"quiet cma=16M@0x50000000 -- cma=1G\"");

	(void)state;
	assert_int_equal(EXIT_NO, a.status);
	assert_text(pool(&a, "size-1"), "verdict", "refused");
	assert_text(pool(&a, "size-2"), "verdict", "accepted");
	assert_int(pool(&a, "size-2"), "base", 0x7c000000);
	assert_text(pool(&a, "cma=16M@0x50000000"), "verdict", "refused");
	assert_text(pool(&a, "cma=16M@0x50000000"), "message",
		"cma: Size (0x0000000002000000) of region at 0x0000000050000000 exceeds limit "
		"(0x0000000050000000)");
	assert_text(pool(&a, "cma=16M@0x50000000"), "source", "cmdline");
	done(&a);
}

static void nothing_to_judge_is_a_usage_error(void **state)
{
	struct answer a = ask(FORMAT_JSON, "", "reserve");

	(void)state;
	assert_int_equal(EXIT_USAGE, a.status);
	assert_non_null(strstr(a.out.error.text, "nothing to judge"));
	done(&a);
	a = ask(FORMAT_JSON, "", "reserve --size many");
	assert_int_equal(EXIT_USAGE, a.status);
	done(&a);
	a = ask(FORMAT_JSON, "", "reserve /nonexistent.dts");
	assert_int_equal(EXIT_USAGE, a.status);
	done(&a);
}

static void the_fix_is_a_diff_and_nothing_else(void **state)
{
	static const char want[] =
		"-\t\t\tsize = <0x0 0x00400000>;                  /* 4 MiB: fits "
		"a 4K kernel, not a 16K one */\n"
		"+\t\t\tsize = <0x0 0x02000000>;                  /* 32 MiB (was 4 MiB: "
		"fits a 4K kernel, not a 16K one) */\n";
	char line[1024];
	struct answer a;

	(void)state;
	zl_format(line, sizeof(line), "reserve --fix \"%s/cases/uc03-driver-4mib.dts\"", TEST_DATA);
	a = ask(FORMAT_TEXT, "kernel=6.16 page_size=16K", line);
	assert_int_equal(EXIT_NO, a.status);
	assert_int_equal(0, strncmp(zl_buf_text(&a.out.text), "--- a/", 6));
	assert_non_null(strstr(zl_buf_text(&a.out.text), want));
	done(&a);
}

static void lines_of_text_fit_the_page(void **state)
{
	static const char *const files[] = {"uc04-mpsoc-1mib.dts", "uc06-two-pools.dts",
		"uc12-zero-slack.dts", "uc18-small-heaps.dts"};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct answer a = ask_case(FORMAT_TEXT, "kernel=6.18 page_size=16K", files[i]);
		const char *s = zl_buf_text(&a.out.text);

		while (*s != '\0') {
			size_t n = strcspn(s, "\n");
			char line[512];

			assert_true(n < sizeof(line));
			memcpy(line, s, n);
			line[n] = '\0';
			/* Kernel lines are verbatim. */
			if (n > 80 && strstr(line, "Reserved memory:") == NULL &&
				strstr(line, "reserved mem:") == NULL &&
				strstr(line, ") overlaps with ") == NULL) {
				fail_msg("%s", line);
			}
			s += n + (s[n] == '\n');
		}
		done(&a);
	}
}

static struct answer ask_text(const char *sets, const char *text)
{
	char path[] = "/tmp/zonelab-reserve-XXXXXX";
	char line[256];
	int fd = mkstemp(path);
	struct answer a;

	assert_true(fd >= 0);
	assert_int_equal(strlen(text), write(fd, text, strlen(text)));
	close(fd);
	zl_format(line, sizeof(line), "reserve %s", path);
	a = ask(FORMAT_JSON, sets, line);
	unlink(path);
	return a;
}

static void a_log_alone_gives_the_pools_that_it_shows(void **state)
{
	struct answer a = ask_text("kernel=6.1 page_size=16K",
		"[    0.000000] Linux version 6.1.192\n"
		"[    0.000000] Reserved memory: incorrect alignment of CMA region\n"
		"[    0.000000] OF: reserved mem: node video compatible matching fail\n"
		"[    0.000000] Reserved memory: created CMA memory pool at 0x0000000050000000, "
		"size 32 MiB\n"
		"[    0.000000] OF: reserved mem: initialized node cam@50000000, compatible id "
		"shared-dma-pool\n"
		"[    0.000000] cma: Failed to reserve 64 MiB\n");

	(void)state;
	assert_int_equal(EXIT_NO, a.status);
	assert_text(pool(&a, "video"), "verdict", "refused");
	assert_text(pool(&a, "video"), "source", "log");
	assert_text(
		pool(&a, "video"), "message", "Reserved memory: incorrect alignment of CMA region");
	assert_int(pool(&a, "cam@50000000"), "base", 0x50000000);
	assert_int(pool(&a, "cam@50000000"), "requested_bytes", 32 << 20);
	assert_text(pool(&a, "reserved"), "verdict", "no-room");
	done(&a);
}

static bool has_code(const struct answer *a, const char *code)
{
	const struct zl_json *list = zl_json_member(a->json, "diagnostics");

	for (const struct zl_json *d = zl_json_first(list); d != NULL; d = zl_json_next(d)) {
		if (strcmp(zl_json_text(zl_json_member(d, "code")), code) == 0) {
			return true;
		}
	}
	return false;
}

static void a_log_that_contradicts_the_model_is_named(void **state)
{
	/* Accepted at an odd MiB: no alignment of 32 MiB can be in force. */
	struct answer a = ask_text("kernel=6.1 page_size=16K",
		"[    0.000000] Linux version 6.1.192\n"
		"[    0.000000] Reserved memory: created CMA memory pool at 0x0000000050200000, "
		"size 2 MiB\n"
		"[    0.000000] OF: reserved mem: initialized node cam@50200000, compatible id "
		"shared-dma-pool\n");

	(void)state;
	assert_true(has_code(&a, "log-contradicts"));
	done(&a);
	a = ask_text("kernel=7.1 page_size=16K",
		"[    0.000000] Linux version 7.1.3\n"
		"[    0.000000] cma: Region at 0x0000000051100000 must be aligned to "
		"0x0000000000200000 bytes\n"
		"[    0.000000] cma: Failed to reserve 4 MiB\n");
	assert_true(has_code(&a, "log-reveals"));
	assert_true(has_code(&a, "log-contradicts"));
	assert_text(pool(&a, "reserved"), "verdict", "refused");
	done(&a);
}

static void bootargs_of_the_tree_count(void **state)
{
	struct answer a = ask_text("kernel=6.12 page_size=16K",
		"/dts-v1/;\n/ { #address-cells = <1>; #size-cells = <1>;\n"
		"chosen { bootargs = \"console=ttyS0 cma=20M\"; };\n"
		"memory@40000000 { device_type = \"memory\"; reg = <0x40000000 0x40000000>; };\n"
		"};\n");

	(void)state;
	assert_int(pool(&a, "cma=20M"), "required_bytes", 32 << 20);
	assert_text(pool(&a, "cma=20M"), "message",
		"cma: Reserved 32 MiB at 0x000000007e000000 on node -1");
	done(&a);
}

static void typing_errors_of_the_command_line_are_found(void **state)
{
	struct answer a = ask(FORMAT_JSON, "kernel=6.12", "reserve --cmdline \"cma=256Mb\"");

	(void)state;
	assert_true(has_code(&a, "import-cmdline"));
	assert_int(pool(&a, "cma=256Mb"), "requested_bytes", 256 << 20);
	done(&a);
}

/* Writes a file into a fresh directory; the path is freed with test_free(). */
static char *write_in(const char *dir, const char *name, const char *text)
{
	char *path = test_malloc(512);
	FILE *f;

	zl_format(path, 512, "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(strlen(text), fwrite(text, 1, strlen(text), f));
	assert_int_equal(0, fclose(f));
	return path;
}

static void a_percentage_counts_the_banks_of_the_tree(void **state)
{
	char dir[] = "/tmp/zonelab-reserve-XXXXXX";
	char line[1200];
	char *config;
	struct answer a;

	(void)state;
	assert_non_null(mkdtemp(dir));
	config = write_in(dir, "config",
		"CONFIG_ARM64_16K_PAGES=y\nCONFIG_CMA=y\nCONFIG_DMA_CMA=y\n"
		"CONFIG_CMA_SIZE_PERCENTAGE=10\nCONFIG_CMA_SIZE_SEL_PERCENTAGE=y\n");
	zl_format(line, sizeof(line), "reserve %s \"%s/cases/uc03-driver-4mib.dts\"", config,
		TEST_DATA);
	a = ask(FORMAT_JSON, "kernel=6.12", line);
	/* 2 GiB are 131072 pages of 16 KiB; a tenth is 13107 of them. */
	assert_int(pool(&a, "CONFIG_CMA_SIZE_PERCENTAGE"), "requested_bytes", 13107 * 16384);
	assert_int(pool(&a, "CONFIG_CMA_SIZE_PERCENTAGE"), "required_bytes", 224 << 20);
	done(&a);
	unlink(config);
	rmdir(dir);
	test_free(config);
}

static void includes_are_read_below_their_directory_only(void **state)
{
	char dir[] = "/tmp/zonelab-reserve-XXXXXX";
	char line[1200];
	char *part;
	char *top;
	struct answer a;

	(void)state;
	assert_non_null(mkdtemp(dir));
	part = write_in(dir, "part.dtsi",
		"/ { reserved-memory { inner { compatible = \"shared-dma-pool\"; reusable; "
		"size = <0x400000>; }; }; };\n");
	top = write_in(dir, "top.dts",
		"/dts-v1/;\n#include \"part.dtsi\"\n/include/ \"../../etc/passwd\"\n"
		"/ { reserved-memory { outer { compatible = \"shared-dma-pool\"; reusable; "
		"size = <0x800000>; }; }; };\n");
	zl_format(line, sizeof(line), "reserve %s", top);
	a = ask(FORMAT_JSON, "kernel=6.12", line);
	assert_int(pool(&a, "outer"), "requested_bytes", 8 << 20);
	assert_int_equal(1, zl_json_count(zl_json_member(a.json, "pools")));
	assert_true(has_code(&a, "source-missing"));
	done(&a);
	zl_format(line, sizeof(line), "reserve --include %s %s", dir, top);
	a = ask(FORMAT_JSON, "kernel=6.12", line);
	assert_int(pool(&a, "inner"), "requested_bytes", 4 << 20);
	assert_true(has_code(&a, "source-missing"));
	done(&a);
	unlink(part);
	unlink(top);
	rmdir(dir);
	test_free(part);
	test_free(top);
}

static void without_memory_there_is_a_sentence_and_no_crash(void **state)
{
	const char *const path[] = {TEST_DATA "/cases/uc06-two-pools.dts"};
	const struct reserve_request request = {.path = path, .nr_paths = 1};
	struct answer a = ask(FORMAT_TEXT, "", "reserve --size 4M");
	int e = -1;

	(void)state;
	for (size_t n = 0; e != 0; n++) {
		struct scarce scarce;
		struct zl_error err = {0};
		struct reserve *r = NULL;

		scarce_init(&scarce, n);
		e = reserve_new(app_lane_const(a.app), &request, &scarce.allocator, &r, &err);
		assert_true(e == 0 || err.text[0] != '\0');
		reserve_free(e == 0 ? r : NULL);
		assert_int_equal(0, scarce.live);
		assert_true(n < 200);
	}
	done(&a);
}

static void buffers_become_a_pool_size(void **state)
{
	struct answer a = ask(FORMAT_JSON, "kernel=6.12 page_size=16K",
		"reserve --demand 1920x1080:NV12:6 --demand 4M:2");

	(void)state;
	assert_int_equal(EXIT_YES, a.status);
	assert_int(zl_json_member(a.json, "demand"), "count", 8);
	assert_int(zl_json_member(a.json, "demand"), "pool_bytes", 32 << 20);
	done(&a);
	a = ask(FORMAT_JSON, "", "reserve --demand 1920x1080:XYZ:6");
	assert_int_equal(EXIT_USAGE, a.status);
	done(&a);
}

static struct answer replay(const char *text)
{
	char path[] = "/tmp/zonelab-replay-XXXXXX";
	char line[256];
	int fd = mkstemp(path);
	struct answer a;

	assert_true(fd >= 0);
	assert_int_equal(strlen(text), write(fd, text, strlen(text)));
	close(fd);
	zl_format(line, sizeof(line), "reserve --replay %s", path);
	a = ask(FORMAT_JSON, "page_size=4K", line);
	unlink(path);
	return a;
}

static void a_list_of_allocations_is_played(void **state)
{
	struct answer a = replay("# a small pool\npool 1M\npin 10 1\nalloc 16\nalloc 256\nfree 1\n"
				 "alloc 240 align 0\n");
	const struct zl_json *ops = zl_json_member(zl_json_member(a.json, "replay"), "ops");
	const struct zl_json *op = zl_json_first(ops);

	(void)state;
	assert_int_equal(EXIT_NO, a.status);
	assert_text(op, "result", "ok");
	assert_int(op, "start", 16);
	op = zl_json_next(op);
	assert_text(op, "result", "ENOMEM");
	op = zl_json_next(zl_json_next(op));
	assert_text(op, "result", "ok");
	assert_int(op, "start", 11);
	done(&a);
	a = replay("pool 1M\nalloc\n");
	assert_int_equal(EXIT_USAGE, a.status);
	assert_int_equal(2, a.out.error.line);
	done(&a);
	a = replay("alloc 1\n");
	assert_int_equal(EXIT_USAGE, a.status);
	done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refused_pool_in_json_and_exit_status),
		cmocka_unit_test(config_beside_the_tree_changes_the_verdict),
		cmocka_unit_test(the_negative_control_says_that_geometry_passes),
		cmocka_unit_test(a_fragment_without_banks_has_no_place),
		cmocka_unit_test(sizes_and_a_command_line_by_hand),
		cmocka_unit_test(nothing_to_judge_is_a_usage_error),
		cmocka_unit_test(the_fix_is_a_diff_and_nothing_else),
		cmocka_unit_test(lines_of_text_fit_the_page),
		cmocka_unit_test(a_log_alone_gives_the_pools_that_it_shows),
		cmocka_unit_test(a_log_that_contradicts_the_model_is_named),
		cmocka_unit_test(bootargs_of_the_tree_count),
		cmocka_unit_test(typing_errors_of_the_command_line_are_found),
		cmocka_unit_test(a_percentage_counts_the_banks_of_the_tree),
		cmocka_unit_test(includes_are_read_below_their_directory_only),
		cmocka_unit_test(without_memory_there_is_a_sentence_and_no_crash),
		cmocka_unit_test(buffers_become_a_pool_size),
		cmocka_unit_test(a_list_of_allocations_is_played),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
