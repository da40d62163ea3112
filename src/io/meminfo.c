/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of "name value" lines: /proc/meminfo, /proc/vmstat, vm sysctls, and the state of
 * transparent huge pages.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"

/* Members of zl_observed by meminfo label. */
static const struct {
	const char *label;
	size_t offset;
} meminfo_fields[] = {
	{"CmaFree:",	     offsetof(struct zl_observed, cma_free_kb) },
	{"CmaTotal:",     offsetof(struct zl_observed, cma_total_kb)},
	{"Hugepagesize:", offsetof(struct zl_observed, huge_page_kb)},
	{"MemTotal:",     offsetof(struct zl_observed, mem_total_kb)},
};

/* sysctls that are inputs of the model. */
static const struct {
	const char *name;
	enum zl_setting key;
} sysctls[] = {
	{"lowmem_reserve_ratio",		 ZL_SET_LOWMEM_RESERVE_RATIO  },
	{"percpu_pagelist_high_fraction", ZL_SET_HIGH_FRACTION	      },
	{"watermark_boost_factor",	   ZL_SET_WATERMARK_BOOST_FACTOR},
	{"watermark_scale_factor",	   ZL_SET_WATERMARK_SCALE_FACTOR},
};

static bool meminfo_line(struct zl_import *im, struct scan c, bool *ret_used)
{
	struct scan label;
	uint64_t v = 0;

	*ret_used = false;
	if (!scan_word(&c, &label) || label.end[-1] != ':' || !scan_blanks(&c) ||
		!scan_u64(&c, &v)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(meminfo_fields) / sizeof(meminfo_fields[0]); i++) {
		if (scan_equal(&label, meminfo_fields[i].label)) {
			int64_t kb = (int64_t)v;

			memcpy((char *)&im->profile.observed + meminfo_fields[i].offset, &kb,
				sizeof(kb));
			*ret_used = true;
		}
	}
	/* Only x86 prints how the kernel's own mapping is split. */
	if (scan_equal(&label, "DirectMap2M:") && !im->facts.arch_stated) {
		import_set(im, ZL_SET_ARCH, zl_setting_word_index(ZL_SET_ARCH, "x86_64"));
		im->facts.arch_stated = true;
		*ret_used = true;
	}
	return true;
}

int read_meminfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;
	bool used = false;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
		} else if (!meminfo_line(im, c, &used)) {
			import_complain(f, &line, 1,
				"no line of /proc/meminfo; \"Name: number kB\" would be right");
		} else {
			import_count(f, used ? ZL_LINE_USED : ZL_LINE_COUNTED,
				used ? "totals" : "other totals");
		}
	}
	return 0;
}

int read_vmstat(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;

	(void)im;
	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));
		struct scan name;
		uint64_t v = 0;

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
		} else if (scan_word(&c, &name) && scan_blanks(&c) && scan_u64(&c, &v) &&
			   c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "event counters");
		} else {
			import_complain(f, &line, 1,
				"no line of /proc/vmstat; a name and a number would be right");
		}
	}
	return 0;
}

/*
 * The sysctl that percpu_pagelist_high_fraction took the place of: it set the batch as well.
 * Source: mm/page_alloc.c, pageset_set_high() of v5.10, and v5.14, which took it away.
 */
static bool old_fraction(struct zl_import *im, struct scan c)
{
	uint64_t v = 0;

	if (!scan_u64(&c, &v) || c.p < c.end) {
		return false;
	}
	import_release_to(im, "5.13", "vm.percpu_pagelist_fraction is there");
	if (v > 0) {
		zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_VALUE,
			"vm.percpu_pagelist_fraction=%U, of 5.13 and older: each pageset's high is "
			"managed / %U / CPUs and its batch a quarter of that, at most 8 x the page "
			"shift; from 5.14 on vm.percpu_pagelist_high_fraction leaves the batch "
			"alone",
			v, v);
	}
	return true;
}

bool zl_import_sysctl(struct zl_import *im, const char *name, const char *value)
{
	struct scan c = scan_trim(scan_of(value, strlen(value)));
	uint64_t v = 0;

	if (strcmp(name, "min_free_kbytes") == 0 || strcmp(name, "online_cpus") == 0) {
		if (!scan_u64(&c, &v) || c.p < c.end || v > INT32_MAX) {
			return false;
		}
		if (strcmp(name, "online_cpus") == 0) {
			im->facts.online_cpus = (int64_t)v;
		} else {
			im->profile.observed.min_free_kbytes = (int64_t)v;
		}
		return true;
	}
	if (strcmp(name, "percpu_pagelist_fraction") == 0) {
		return old_fraction(im, c);
	}
	if (strcmp(name, "percpu_pagelist_high_fraction") == 0) {
		import_release_from(im, "5.14", "vm.percpu_pagelist_high_fraction is there");
	}
	for (size_t i = 0; i < sizeof(sysctls) / sizeof(sysctls[0]); i++) {
		if (strcmp(name, sysctls[i].name) == 0) {
			import_set_text(im, sysctls[i].key, &c);
			return true;
		}
	}
	return false;
}

int read_sysctl(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;
	char name[64];
	char value[64];

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));
		const char *equals = c.p < c.end ? memchr(c.p, '=', scan_left(&c)) : NULL;

		if (c.p == c.end || *c.p == '#') {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
			continue;
		}
		if (equals == NULL) {
			import_complain(
				f, &line, 1, "no sysctl line; \"name = value\" would be right");
			continue;
		}
		scan_literal(&c, "vm.");
		struct scan key = scan_trim(scan_of(c.p, (size_t)(equals - c.p)));
		struct scan rest = scan_trim(scan_of(equals + 1, (size_t)(c.end - equals - 1)));
		scan_copy(&key, name, sizeof(name));
		scan_copy(&rest, value, sizeof(value));
		bool used = zl_import_sysctl(im, name, value);
		import_count(f, used ? ZL_LINE_USED : ZL_LINE_COUNTED,
			used ? "sysctls" : "other sysctls");
	}
	return 0;
}

/* The word in brackets of "always [madvise] never"; false when there is none. */
static bool chosen_word(struct scan c, struct scan *ret)
{
	const char *open = memchr(c.p, '[', scan_left(&c));
	const char *close = open != NULL ? memchr(open, ']', (size_t)(c.end - open)) : NULL;

	if (close == NULL) {
		return false;
	}
	ret->p = open + 1;
	ret->end = close;
	return true;
}

/*
 * "enabled:always [madvise] never", "always [madvise] never", or a line of one huge page size,
 * "hugepages-2048kB/enabled:always inherit madvise [never]", which rules its size alone.
 */
static bool read_enabled(struct zl_import *im, struct scan c)
{
	struct scan word;
	char name[16];

	if (scan_literal(&c, "hugepages-")) {
		return chosen_word(c, &word);
	}
	if (scan_peek(&c, "defrag:") || !chosen_word(c, &word)) {
		return scan_peek(&c, "defrag:");
	}
	scan_copy(&word, name, sizeof(name));
	int index = zl_setting_word_index(ZL_SET_THP_ENABLED, name);
	if (index < 0) {
		return false;
	}
	import_set(im, ZL_SET_THP_ENABLED, index);
	im->facts.thp_state = true;
	return true;
}

int read_thp(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));
		struct scan number = c;
		uint64_t v = 0;

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
		} else if (scan_u64(&number, &v) && number.p == number.end) {
			im->facts.hpage_pmd_size = (int64_t)v;
			import_count(f, ZL_LINE_USED, "huge page sizes");
		} else if (memchr(c.p, '[', scan_left(&c)) != NULL && read_enabled(im, c)) {
			import_count(f, ZL_LINE_USED, "huge page state");
		} else if (scan_find(&c, "hugepages-", 10) != NULL) {
			import_count(f, ZL_LINE_COUNTED, "huge page sizes on offer");
		} else {
			import_complain(f, &line, 1,
				"no state of huge pages; \"always [madvise] never\" or a size in "
				"bytes would be right");
		}
	}
	return 0;
}
