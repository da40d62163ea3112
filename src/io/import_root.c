/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a live system, of a copied /proc and /sys tree, or of a flat folder. A name only
 * chooses a file and the reader of files whose content cannot say what it is ("67584").
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import_cma.h"
#include "importing.h"
#include "zonelab/text.h"

#define PATH_LENGTH  1024
#define FOLDER_FILES 256
/* Largest file that is looked into for its kind. */
#define FOLDER_FILE_MAX (UINT64_C(16) << 20)
#define CPUS_LOOKED	8192
#define CACHE_LEVELS	8

/* Places in a tree, tried in order; and the stem of the name in a flat folder. */
static const struct {
	const char *tree, *flat;
	enum zl_file_kind kind;
	bool once; /* enough when an earlier place of the same stem was read */
} places[] = {
	{"proc/config.gz",				    "config",	     ZL_FILE_KCONFIG,      true },
	{"proc/cmdline",				      "cmdline",	    ZL_FILE_CMDLINE,	     true },
	{"proc/meminfo",				      "meminfo",	    ZL_FILE_MEMINFO,	     true },
	{"proc/zoneinfo",				     "zoneinfo",     ZL_FILE_ZONEINFO,	true },
	{"proc/buddyinfo",				    "buddyinfo",	ZL_FILE_BUDDYINFO,	   true },
	{"proc/pagetypeinfo",				 "pagetypeinfo", ZL_FILE_PAGETYPEINFO, true },
	{"proc/vmstat",				       "vmstat",	  ZL_FILE_VMSTAT,	  true },
	{NULL,						"vm_sysctl",    ZL_FILE_SYSCTL,	    true },
	{NULL,						"sysctl",	 ZL_FILE_SYSCTL,	 true },
	{NULL,						"hugepages",    ZL_FILE_THP,		 true },
	{NULL,						"mthp_state",   ZL_FILE_THP,	  true },
	{"sys/kernel/mm/transparent_hugepage/enabled",	       NULL,	     ZL_FILE_THP,	  false},
	{"sys/kernel/mm/transparent_hugepage/hpage_pmd_size", NULL,	    ZL_FILE_THP,		 false},
	{NULL,						"dmesg",	ZL_FILE_DMESG,	       true },
};

static const char *const sysctl_names[] = {"min_free_kbytes", "watermark_scale_factor",
	"watermark_boost_factor", "percpu_pagelist_high_fraction", "lowmem_reserve_ratio"};

struct root {
	struct zl_import *im;
	const char *dir;
	unsigned files;
	struct zl_error *err;
};

bool import_join(char *path, size_t size, const char *dir, const char *name)
{
	struct zl_text t;

	zl_text_init(&t, path, size);
	zl_text_fmt(&t, "%s/%s", dir, name);
	return !t.cut;
}

/* Reads a file when it is there: 1 read, 0 absent or empty, else an error. */
static int try_file(struct root *r, const char *name, enum zl_file_kind kind)
{
	char path[PATH_LENGTH];
	struct zl_file f;
	struct zl_error quiet = {0};

	if (!import_join(path, sizeof(path), r->dir, name)) {
		return 0;
	}
	int rc = zl_file_load(path, 0, r->im->alloc, &f, &quiet);
	if (rc == -EFBIG || rc == -ENOMEM || rc == -EINVAL) {
		*r->err = quiet;
		return rc;
	}
	if (rc < 0) {
		return 0;
	}
	if (zl_file_detect(f.data, f.size) == ZL_FILE_EMPTY) {
		zl_file_done(&f, r->im->alloc);
		return 0;
	}
	rc = zl_import_file(r->im, &f, kind, r->err);
	zl_file_done(&f, r->im->alloc);
	r->files += rc == 0 ? 1 : 0;
	return rc < 0 ? rc : 1;
}

static int try_flat(struct root *r, const char *stem, enum zl_file_kind kind)
{
	static const char *const endings[] = {"", ".txt", ".gz"};
	char name[64];

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		zl_format(name, sizeof(name), "%s%s", stem, endings[i]);
		int rc = try_file(r, name, kind);
		if (rc != 0) {
			return rc;
		}
	}
	return 0;
}

static int read_places(struct root *r)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int rc = 0;

		if (places[i].tree != NULL) {
			rc = try_file(r, places[i].tree, places[i].kind);
		}
		if (rc == 0 && places[i].flat != NULL) {
			rc = try_flat(r, places[i].flat, places[i].kind);
		}
		if (rc < 0) {
			return rc;
		}
	}
	return 0;
}

/* The start of a small file as one trimmed line; false when it is not there. */
static bool read_small(const struct root *r, const char *name, char *buf, size_t size)
{
	char path[PATH_LENGTH];

	if (!import_join(path, sizeof(path), r->dir, name)) {
		return false;
	}
	FILE *f = fopen(path, "rb");
	if (f == NULL) {
		return false;
	}
	size_t n = fread(buf, 1, size - 1, f);
	fclose(f);
	while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r' || buf[n - 1] == ' ')) {
		n--;
	}
	buf[n] = '\0';
	return n > 0;
}

static void read_sysctls(struct root *r)
{
	char name[128];
	char value[128];

	for (size_t i = 0; i < sizeof(sysctl_names) / sizeof(sysctl_names[0]); i++) {
		zl_format(name, sizeof(name), "proc/sys/vm/%s", sysctl_names[i]);
		if (read_small(r, name, value, sizeof(value)) &&
			zl_import_sysctl(r->im, sysctl_names[i], value)) {
			r->files++;
		}
	}
}

/* CPUs in a list as "0-3,8"; -1 when it is none. */
static int64_t count_list(const char *s)
{
	struct scan c = scan_of(s, strlen(s));
	int64_t n = 0;
	uint64_t first = 0;

	while (c.p < c.end) {
		if (!scan_u64(&c, &first)) {
			return -1;
		}
		uint64_t last = first;
		if (scan_literal(&c, "-") && !scan_u64(&c, &last)) {
			return -1;
		}
		if (last < first || last >= CPUS_LOOKED * 2) {
			return -1;
		}
		n += (int64_t)(last - first) + 1;
		scan_literal(&c, ",");
	}
	return n;
}

static void read_topology(struct root *r)
{
	char name[128];
	char text[4096];

	if (read_small(r, "sys/devices/system/cpu/online", text, sizeof(text))) {
		int64_t n = count_list(text);
		r->im->facts.online_cpus = n > 0 ? n : r->im->facts.online_cpus;
	}
	for (unsigned node = 0; node < ZL_NODES_MAX; node++) {
		zl_format(name, sizeof(name), "sys/devices/system/node/node%u/cpulist", node);
		if (read_small(r, name, text, sizeof(text))) {
			r->im->facts.node_cpus[node] = count_list(text);
		}
	}
	/* An empty cpulist reads as nothing; only its folder tells a node without CPUs. */
}

/*
 * The slice of the last cache level that one CPU has for itself.
 * Source: mm/page_alloc.c, zone_pcp_update_cacheinfo(), and drivers/base/cacheinfo.c,
 * per_cpu_data_slice_size, v6.18.
 */
static void read_cache(struct root *r)
{
	char name[128];
	char text[4096];
	uint64_t size = 0;
	int64_t cpus = 0;

	for (unsigned level = 0; level < CACHE_LEVELS; level++) {
		const char *const folder = "sys/devices/system/cpu/cpu0/cache/index";

		zl_format(name, sizeof(name), "%s%u/type", folder, level);
		if (!read_small(r, name, text, sizeof(text)) || strcmp(text, "Instruction") == 0) {
			continue;
		}
		zl_format(name, sizeof(name), "%s%u/size", folder, level);
		if (!read_small(r, name, text, sizeof(text)) || zl_parse_size(text, 1, &size) < 0) {
			continue;
		}
		zl_format(name, sizeof(name), "%s%u/shared_cpu_list", folder, level);
		cpus = read_small(r, name, text, sizeof(text)) ? count_list(text) : 1;
	}
	if (size > 0 && cpus > 0) {
		import_set(r->im, ZL_SET_CACHE_SLICE, (int64_t)(size / (uint64_t)cpus));
	}
}

/* uname's release and machine, as a live system has them. */
static void read_release(struct root *r)
{
	char text[128];

	if (read_small(r, "proc/sys/kernel/osrelease", text, sizeof(text))) {
		struct scan c = scan_of(text, strlen(text));

		import_set_text(r->im, ZL_SET_KERNEL, &c);
	} else if (read_small(r, "proc/version", text, sizeof(text))) {
		struct scan c = scan_of(text, strlen(text));
		struct scan word;

		if (scan_literal(&c, "Linux version ") && scan_word(&c, &word)) {
			import_set_text(r->im, ZL_SET_KERNEL, &word);
		}
	}
}

static int read_boot_config(struct root *r)
{
	char name[160];
	const char *release = zl_settings_text(&r->im->profile.settings, ZL_SET_KERNEL);

	for (size_t i = 0; i < r->im->nr_files; i++) {
		if (r->im->file[i].kind == ZL_FILE_KCONFIG) {
			return 0;
		}
	}
	if (release[0] == '\0' || strchr(release, '/') != NULL) {
		return 0;
	}
	zl_format(name, sizeof(name), "boot/config-%s", release);
	int rc = try_file(r, name, ZL_FILE_KCONFIG);
	return rc < 0 ? rc : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((const char *)a, (const char *)b);
}

/* Names in the folder with a prefix, in order. */
static size_t list_names(const struct root *r, const char *prefix, char names[][64])
{
	size_t n = 0;
	DIR *d = opendir(r->dir);

	if (d == NULL) {
		return 0;
	}
	for (struct dirent *e = readdir(d); e != NULL && n < FOLDER_FILES; e = readdir(d)) {
		if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
			strlen(e->d_name) < sizeof(names[0])) {
			zl_format(names[n++], sizeof(names[0]), "%s", e->d_name);
		}
	}
	closedir(d);
	qsort(names, n, sizeof(names[0]), by_name);
	return n;
}

/* Whether a file of the folder is a zoneinfo by its content. */
static bool holds_zoneinfo(const struct root *r, const char *name)
{
	char path[PATH_LENGTH];
	struct zl_file f;
	struct zl_error quiet = {0};

	if (!import_join(path, sizeof(path), r->dir, name) ||
		zl_file_load(path, FOLDER_FILE_MAX, r->im->alloc, &f, &quiet) < 0) {
		return false;
	}
	bool yes = zl_file_detect(f.data, f.size) == ZL_FILE_ZONEINFO;
	zl_file_done(&f, r->im->alloc);
	return yes;
}

/* Without a file named zoneinfo: the first in order of name that is one by content. */
static int read_any_zoneinfo(struct root *r)
{
	char names[FOLDER_FILES][64];
	size_t n = 0;
	size_t i = 0;

	if (r->im->profile.nr_zones > 0) {
		return 0;
	}
	n = list_names(r, "", names);
	while (i < n && !holds_zoneinfo(r, names[i])) {
		i++;
	}
	if (i == n) {
		return 0;
	}
	zl_diag_add(&r->im->diags, ZL_NOTE, ZL_DIAG_IMPORT_LAYOUT,
		"no file zoneinfo or zoneinfo.txt: the first that is one by content is read, %s",
		names[i]);
	int rc = try_file(r, names[i], ZL_FILE_ZONEINFO);
	return rc < 0 ? rc : 0;
}

/* The boot log's count of available memory in a file of another kind: 1 taken, 0 not. */
static int try_log(struct root *r, const char *name)
{
	char path[PATH_LENGTH];
	struct zl_import other;
	struct zl_error quiet = {0};
	int taken = 0;

	if (!import_join(path, sizeof(path), r->dir, name)) {
		return 0;
	}
	zl_import_init(&other, r->im->alloc);
	if (zl_import_path(&other, path, &quiet) == 0 && other.facts.available_kb >= 0 &&
		other.profile.observed.mem_total_kb == r->im->profile.observed.mem_total_kb) {
		r->im->facts.available_kb = other.facts.available_kb;
		r->im->facts.total_kb = other.facts.total_kb;
		taken = 1;
	}
	zl_import_done(&other);
	return taken;
}

/*
 * Recorded boots with their log and meminfo in one file (dt-NAME.txt): one that ended with the
 * same MemTotal tells how much memory there was before init memory came back.
 */
static void read_recorded_boots(struct root *r)
{
	char names[FOLDER_FILES][64];
	size_t n = 0;

	if (r->im->facts.available_kb >= 0 || r->im->profile.observed.mem_total_kb < 0) {
		return;
	}
	n = list_names(r, "dt-", names);
	for (size_t i = 0; i < n; i++) {
		if (try_log(r, names[i]) > 0) {
			return;
		}
	}
}

/* Of the running system itself, whose configuration may not be there. */
static void read_page_size(struct root *r)
{
	long size = strcmp(r->dir, "/") == 0 ? sysconf(_SC_PAGESIZE) : -1;

	if (size > 0 && !r->im->facts.page_size_stated) {
		import_set(r->im, ZL_SET_PAGE_SIZE, size);
		r->im->facts.page_size_stated = true;
	}
}

int zl_import_root(struct zl_import *im, const char *dir, struct zl_error *err)
{
	struct zl_error unused = {0};
	struct root r = {.im = im, .dir = dir, .err = err != NULL ? err : &unused};

	read_release(&r);
	int rc = read_places(&r);
	if (rc == 0) {
		rc = read_any_zoneinfo(&r);
	}
	if (rc == 0) {
		rc = read_boot_config(&r);
	}
	if (rc < 0) {
		return rc;
	}
	read_sysctls(&r);
	read_topology(&r);
	read_cache(&r);
	r.files += import_cma_areas(im, dir);
	read_recorded_boots(&r);
	read_page_size(&r);
	if (r.files == 0) {
		zl_error_set(err, 0, 0,
			"nothing to read here; a copied /proc tree, or a folder with zoneinfo.txt, "
			"config.txt, meminfo.txt would be right");
		zl_error_file(err, dir);
		return -ENOENT;
	}
	return 0;
}
