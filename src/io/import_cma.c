/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CMA areas of a running kernel: the folders of debugfs (CONFIG_CMA_DEBUGFS) and of sysfs
 * (CONFIG_CMA_SYSFS), one for each area.
 * Source: mm/cma_debug.c, cma_debugfs_add_one(); mm/cma_sysfs.c, v6.12 and v7.1.
 */
#include "import_cma.h"

#include <dirent.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "importing.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

#define PATH_SIZE   4096
#define NUMBER_SIZE 64 /* bytes of a file that holds one number */

/* A file of an area's folder. */
static const struct {
	const char *name;
	size_t offset;
} files[] = {
	{"base_pfn",	     offsetof(struct zl_cma_seen, base_pfn)	   },
	{"count",		  offsetof(struct zl_cma_seen, count)	     },
	{"order_per_bit",	  offsetof(struct zl_cma_seen, order_per_bit)},
	{"used",		 offsetof(struct zl_cma_seen, used)	   },
	{"maxchunk",	     offsetof(struct zl_cma_seen, maxchunk)	   },
	{"total_pages",		offsetof(struct zl_cma_seen, count)	   },
	{"available_pages",	    offsetof(struct zl_cma_seen, available)	   },
	{"alloc_pages_success", offsetof(struct zl_cma_seen, succeeded)    },
	{"alloc_pages_fail",    offsetof(struct zl_cma_seen, failed)	 },
};

static int64_t number_in(const struct zl_import *im, const char *dir, const char *name)
{
	char path[PATH_SIZE];
	struct zl_file f;
	uint64_t v = 0;
	int64_t ret = -1;

	if (!import_join(path, sizeof(path), dir, name) ||
		zl_file_load(path, NUMBER_SIZE, im->alloc, &f, NULL) < 0) {
		return -1;
	}
	struct scan c = scan_of((const char *)f.data, f.size);
	if (scan_u64(&c, &v) && (c.p == c.end || *c.p == '\n') && v <= INT64_MAX) {
		ret = (int64_t)v;
	}
	zl_file_done(&f, im->alloc);
	return ret;
}

/* The area of a folder; the folders of old debugfs begin with "cma-". NULL = no room. */
static struct zl_cma_seen *area_of(struct zl_import *im, const char *folder)
{
	struct zl_import_facts *f = &im->facts;
	const char *name = strncmp(folder, "cma-", 4) == 0 ? folder + 4 : folder;
	struct zl_cma_seen *a;

	for (size_t i = 0; i < f->nr_cma_areas; i++) {
		if (strcmp(f->cma_area[i].name, name) == 0) {
			return &f->cma_area[i];
		}
	}
	if (f->nr_cma_areas == ZL_CMA_SEEN_MAX || strlen(name) >= sizeof(a->name)) {
		return NULL;
	}
	a = &f->cma_area[f->nr_cma_areas++];
	*a = (struct zl_cma_seen){.base_pfn = -1,
		.count = -1,
		.order_per_bit = -1,
		.used = -1,
		.maxchunk = -1,
		.available = -1,
		.succeeded = -1,
		.failed = -1};
	zl_format(a->name, sizeof(a->name), "%s", name);
	return a;
}

static bool read_folder(struct zl_import *im, const char *dir, const char *folder)
{
	char path[PATH_SIZE];
	struct zl_cma_seen *a = NULL;
	const bool fits = import_join(path, sizeof(path), dir, folder);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && fits; i++) {
		int64_t v = number_in(im, path, files[i].name);

		a = v >= 0 && a == NULL ? area_of(im, folder) : a;
		if (v >= 0 && a != NULL) {
			memcpy((char *)a + files[i].offset, &v, sizeof(v));
		}
	}
	return a != NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct zl_cma_seen *)a)->name, ((const struct zl_cma_seen *)b)->name);
}

unsigned import_cma_areas(struct zl_import *im, const char *root)
{
	static const char *const places[] = {"sys/kernel/debug/cma", "sys/kernel/mm/cma"};
	char dir[PATH_SIZE];
	unsigned read = 0;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		DIR *d = import_join(dir, sizeof(dir), root, places[i]) ? opendir(dir) : NULL;

		for (struct dirent *e = d != NULL ? readdir(d) : NULL; e != NULL; e = readdir(d)) {
			if (e->d_name[0] != '.' && read_folder(im, dir, e->d_name)) {
				read++;
			}
		}
		if (d != NULL) {
			closedir(d);
		}
	}
	qsort(im->facts.cma_area, im->facts.nr_cma_areas, sizeof(im->facts.cma_area[0]), by_name);
	return read;
}
