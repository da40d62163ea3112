/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every recorded boot is predicted from its nodes, its command line, its configuration and the
 * reservations it shows, and compared with what that kernel printed and gave.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/dmesg.h"
#include "zonelab/dts_reservations.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

#define LINES_MAX 64
#define LINE_MAX_ 256

/* One boot, as recorded. */
struct boot {
	char path[512];
	struct zl_file file;
	struct zl_file config;
	char cmdline[256];
	char line[LINES_MAX][LINE_MAX_]; /* kernel lines about CMA and reserved memory */
	size_t nr_lines;
	uint64_t cma_total_kib;
	struct zl_ranges banks, reserved;
	uint64_t init_base, code_kib, rodata_kib, init_kib, other_kib;
};

static const char *section(const struct boot *b, const char *heading)
{
	char mark[128];
	const char *at;

	zl_format(mark, sizeof(mark), "== %s", heading);
	at = strstr(b->file.data, mark);
	assert_non_null(at);
	at = strchr(at, '\n');
	assert_non_null(at);
	return at + 1;
}

static void take_line(const char *s, char *buf, size_t size)
{
	size_t n = strcspn(s, "\n");

	assert_true(n < size);
	memcpy(buf, s, n);
	buf[n] = '\0';
}

static bool of_interest(const char *s)
{
	if (strstr(s, "No reserved-memory node") != NULL) {
		return false;
	}
	return strncmp(s, "Reserved memory:", 16) == 0 ||
	       strncmp(s, "OF: reserved mem:", 17) == 0 || strncmp(s, "cma:", 4) == 0 ||
	       strncmp(s, "Skipping dt", 11) == 0 || strstr(s, ") overlaps with ") != NULL;
}

static void read_log(struct boot *b)
{
	for (const char *s = section(b, "dmesg"); *s == '['; s = strchr(s, '\n') + 1) {
		const char *text = strstr(s, "] ") + 2;
		char line[512];

		take_line(text, line, sizeof(line));
		if (of_interest(line)) {
			assert_true(b->nr_lines < LINES_MAX);
			zl_format(b->line[b->nr_lines++], LINE_MAX_, "%s", line);
		}
		if (strncmp(line, "Memory: ", 8) == 0) {
			unsigned long code;
			unsigned long rw;
			unsigned long ro;
			unsigned long init;
			unsigned long bss;

			assert_int_equal(5, sscanf(strchr(line, '('),
						    "(%luK kernel code, %luK rwdata, %luK rodata, "
						    "%luK init, %luK bss",
						    &code, &rw, &ro, &init, &bss));
			b->code_kib = code;
			b->rodata_kib = ro;
			b->init_kib = init;
			b->other_kib = rw + bss;
		}
	}
}

/* The kernel's image is not in the list, but its init part is, between code and data. */
static void read_iomem(struct boot *b)
{
	const char *s = section(b, "iomem");

	while (*s != '\0' && *s != '=' && *s != '\n') {
		unsigned long long from;
		unsigned long long to;

		assert_int_equal(2, sscanf(s, " %llx-%llx", &from, &to));
		if (strncmp(s, "  ", 2) == 0) {
			zl_ranges_add(&b->reserved, from, to - from + 1);
		} else {
			zl_ranges_add(&b->banks, from, to - from + 1);
		}
		s = strchr(s, '\n') + 1;
	}
	for (size_t i = 0; i < b->reserved.count; i++) {
		if (b->reserved.item[i].size == b->init_kib << 10) {
			uint64_t before = (b->code_kib + b->rodata_kib) << 10;

			zl_ranges_add(&b->reserved, b->reserved.item[i].base - before,
				before + ((b->init_kib + b->other_kib) << 10));
			return;
		}
	}
}

static bool config_has(const struct boot *b, const char *line)
{
	const char *at = b->config.data;
	size_t n = strlen(line);

	while ((at = strstr(at, line)) != NULL) {
		if ((at == b->config.data || at[-1] == '\n') && (at[n] == '\n' || at[n] == '\0')) {
			return true;
		}
		at += n;
	}
	return false;
}

static bool config_number(const struct boot *b, const char *symbol, unsigned long *ret)
{
	char mark[128];
	const char *at;

	zl_format(mark, sizeof(mark), "\n%s=", symbol);
	at = strstr(b->config.data, mark);
	return at != NULL && sscanf(at + strlen(mark), "%lu", ret) == 1;
}

/* What the kernel was built with, from its folder's name and its configuration. */
struct kernel {
	struct zl_settings settings;
	struct zl_release release;
	struct zl_switches switches;
	struct zl_geometry geometry;
	uint64_t cma_size;
};

static void set(struct kernel *k, const char *assignment)
{
	struct zl_error err = {0};

	if (zl_settings_assign(&k->settings, assignment, ZL_ORIGIN_FILE, &err) != 0) {
		fail_msg("%s: %s", assignment, err.text);
	}
}

static void read_kernel(const struct boot *b, const char *folder, struct kernel *k)
{
	struct zl_diags diags = {0};
	char text[64];
	unsigned long n = 0;

	memset(k, 0, sizeof(*k));
	take_line(folder + strlen("linux-"), text, sizeof(text));
	*strchr(text, '-') = '\0';
	assert_int_equal(0, zl_release_parse(text, &k->release));
	set(k, "arch=arm64");
	set(k, strstr(folder, "-64k") != NULL	 ? "page_size=64K"
		: strstr(folder, "-16k") != NULL ? "page_size=16K"
						 : "page_size=4K");
	set(k, config_has(b, "CONFIG_TRANSPARENT_HUGEPAGE=y") ? "thp=on" : "thp=off");
	set(k, config_has(b, "CONFIG_HUGETLB_PAGE=y") ? "hugetlb=on" : "hugetlb=off");
	if (config_number(b, "CONFIG_PAGE_BLOCK_MAX_ORDER", &n)) {
		zl_settings_number(
			&k->settings, ZL_SET_PAGE_BLOCK_ORDER, (int64_t)n, ZL_ORIGIN_FILE);
	}
	if (config_number(b, "CONFIG_CMA_AREAS", &n)) {
		zl_settings_number(&k->settings, ZL_SET_CMA_AREAS, (int64_t)n, ZL_ORIGIN_FILE);
	}
	assert_true(config_number(b, "CONFIG_CMA_SIZE_MBYTES", &n));
	k->cma_size = (uint64_t)n << 20;
	zl_switches_for(&k->release, &k->switches, &diags);
	zl_geometry_resolve(&k->settings, &k->release, &k->switches, &k->geometry, &diags);
}

/* Memory that the pools themselves took is not in the way of placing them. */
static void free_pools(struct boot *b, const struct kernel *k)
{
	for (size_t i = 0; i < b->nr_lines; i++) {
		unsigned long long base;
		unsigned long size;
		char unit[4];

		if (sscanf(b->line[i],
			    "Reserved memory: created %*s memory pool at %llx, size %lu %3s", &base,
			    &size, unit) == 3) {
			zl_ranges_remove(
				&b->reserved, base, (uint64_t)size << (unit[0] == 'K' ? 10 : 20));
		} else if (sscanf(b->line[i], "cma: Reserved %lu MiB at %llx", &size, &base) == 2) {
			zl_ranges_remove(&b->reserved, base,
				zl_pool_required_bytes(&k->geometry, (uint64_t)size << 20));
		}
	}
}

static void add_default(const struct boot *b, const struct kernel *k, struct zl_reservations *have,
	struct zl_reserve_in *in)
{
	const char *cma = strstr(b->cmdline, "cma=");
	struct zl_request *q = &have->request[have->nr_requests++];
	struct zl_cma_param param = {0};
	const char *rest;

	*q = (struct zl_request){
		.kind = ZL_REQUEST_DEFAULT, .source = ZL_SOURCE_CONFIG, .node = ZL_ANY_NODE};
	zl_format(q->name, sizeof(q->name), "reserved");
	q->size = k->cma_size;
	if (cma != NULL) {
		assert_int_equal(0, zl_cma_param_parse(cma + 4, &param, &rest));
		q->source = ZL_SOURCE_CMDLINE;
		q->size = param.size;
		q->base = param.base;
		q->limit = param.limit;
		in->cmdline_cma = true;
	}
}

static void mismatch(const struct boot *b, const struct zl_reserve_report *report)
{
	printf("# %s\n", b->path);
	for (size_t i = 0; i < report->nr_pools; i++) {
		for (size_t k = 0; k < report->pool[i].nr_messages; k++) {
			printf("# predicted: %s\n", report->pool[i].message[k]);
		}
	}
	for (size_t i = 0; i < b->nr_lines; i++) {
		printf("# recorded:  %s\n", b->line[i]);
	}
}

/* Each recorded line is predicted and each predicted line recorded, as often. */
static bool same_lines(const struct boot *b, const struct zl_reserve_report *report)
{
	bool used[LINES_MAX] = {false};
	size_t predicted = 0;

	for (size_t i = 0; i < report->nr_pools; i++) {
		for (size_t k = 0; k < report->pool[i].nr_messages; k++) {
			bool found = false;

			predicted++;
			for (size_t n = 0; n < b->nr_lines && !found; n++) {
				if (!used[n] &&
					strcmp(b->line[n], report->pool[i].message[k]) == 0) {
					used[n] = found = true;
				}
			}
			if (!found) {
				return false;
			}
		}
	}
	return predicted == b->nr_lines;
}

static void predict(struct boot *b, const char *folder, struct zl_reserve_report *report)
{
	struct zl_reservations *have = calloc(1, sizeof(*have));
	struct zl_memory_map *map = calloc(1, sizeof(*map));
	struct zl_diags diags = {0};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;
	struct kernel k;
	struct zl_reserve_in in = {.geometry = &k.geometry, .switches = &k.switches, .map = map};
	const struct zl_dts_options options = {.name = b->path, .allocator = zl_allocator_heap()};

	assert_non_null(have);
	assert_non_null(map);
	read_kernel(b, folder, &k);
	if (zl_dts_read(b->file.data, b->file.size, &options, &dts, &err) == 0) {
		zl_reservations_read(dts, have, &diags);
	}
	free_pools(b, &k);
	zl_memory_map_init(map, &k.geometry, b->banks.item[0].base);
	map->known = true;
	map->banks = b->banks;
	map->reserved = b->reserved;
	add_default(b, &k, have, &in);
	in.requests = have->request;
	in.nr_requests = have->nr_requests;
	zl_reserve_plan(&in, report);
	if (!same_lines(b, report) || report->given >> 10 != b->cma_total_kib) {
		mismatch(b, report);
		printf("# CmaTotal predicted %llu recorded %llu\n",
			(unsigned long long)(report->given >> 10),
			(unsigned long long)b->cma_total_kib);
	}
	assert_true(same_lines(b, report));
	assert_int_equal(b->cma_total_kib, report->given >> 10);
	zl_dts_free(dts);
	free(have);
	free(map);
}

static void check_boot(const char *folder, const char *name)
{
	struct boot *b = calloc(1, sizeof(*b));
	struct zl_reserve_report *report = calloc(1, sizeof(*report));
	const struct zl_allocator *heap = zl_allocator_heap();
	struct zl_error err = {0};
	char path[512];

	assert_non_null(b);
	assert_non_null(report);
	zl_format(b->path, sizeof(b->path), "%s/captures-dt/%s/%s", TEST_DATA, folder, name);
	zl_format(path, sizeof(path), "%s/captures-dt/%s/config.txt.gz", TEST_DATA, folder);
	assert_int_equal(0, zl_file_load(b->path, 0, heap, &b->file, &err));
	assert_int_equal(0, zl_file_load(path, 0, heap, &b->config, &err));
	take_line(section(b, "cmdline"), b->cmdline, sizeof(b->cmdline));
	read_log(b);
	read_iomem(b);
	assert_int_equal(
		1, sscanf(strstr(b->file.data, "CmaTotal:"), "CmaTotal: %lu", &b->cma_total_kib));
	predict(b, folder, report);
	zl_file_done(&b->file, heap);
	zl_file_done(&b->config, heap);
	free(b);
	free(report);
}

static void every_recorded_boot_is_predicted(void **state)
{
	char root[512];
	DIR *top;
	size_t boots = 0;

	(void)state;
	zl_format(root, sizeof(root), "%s/captures-dt", TEST_DATA);
	top = opendir(root);
	assert_non_null(top);
	for (struct dirent *d; (d = readdir(top)) != NULL;) {
		char path[1024];
		DIR *folder;

		if (strncmp(d->d_name, "linux-", 6) != 0) {
			continue;
		}
		zl_format(path, sizeof(path), "%s/%s", root, d->d_name);
		folder = opendir(path);
		assert_non_null(folder);
		for (struct dirent *f; (f = readdir(folder)) != NULL;) {
			if (strncmp(f->d_name, "dt-", 3) == 0) {
				check_boot(d->d_name, f->d_name);
				boots++;
			}
		}
		closedir(folder);
	}
	closedir(top);
	assert_true(boots >= 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recorded_boot_is_predicted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
