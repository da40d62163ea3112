/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file is, by its content: magic numbers first, then every line near the start votes for
 * the kinds that could have written it.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/dmesg.h"

/* How much of a file is looked at. */
#define LOOK_BYTES ((size_t)1 << 20)
#define LOOK_LINES 4000
#define KEY_BYTES  ((size_t)65536)

struct votes {
	unsigned kind[ZL_FILE_KIND_COUNT];
	unsigned lines;	     /* that are not blank */
	unsigned diff_marks; /* bit 0: "--- ", bit 1: "+++ ", bit 2: "@@ -" */
	bool mail_head, title;
};

const char *zl_file_kind_name(enum zl_file_kind k)
{
	static const char *const name[] = {"unknown", "empty", "profile", "scenario", "session",
		"JSON text of no known kind", "workload", "config", "device tree",
		"device tree blob", "patch", "mail", "trace", "trace.dat", "zoneinfo", "buddyinfo",
		"pagetypeinfo", "meminfo", "vmstat", "sysctl", "huge pages", "command line",
		"boot log", "OOM report", "capture"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_FILE_KIND_COUNT, "a name each");

	return name[k];
}

static bool starts_with_one_of(const struct scan *c, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct scan at = *c;

		if (scan_literal(&at, list[i])) {
			return true;
		}
	}
	return false;
}

/* A label of zoneinfo with a whole number, and nothing else. */
static bool is_zoneinfo_line(struct scan c)
{
	static const char *const titles[] = {"protection: (", "pagesets", "per-node stats"};
	static const char *const labels[] = {"pages free ", "spanned ", "present ", "managed ",
		"high_min:", "high_max:", "batch:", "count:", "high:", "low ", "high ", "min ",
		"start_pfn:", "vm stats threshold:", "cpu:"};
	struct scan word;
	uint64_t v = 0;

	if (scan_literal(&c, "Node ") && scan_u64(&c, &v) && scan_literal(&c, ", zone ")) {
		return scan_word(&c, &word) && c.p == c.end;
	}
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct scan at = c;

		if (scan_literal(&at, labels[i])) {
			scan_blanks(&at);
			return scan_u64(&at, &v) && at.p == at.end;
		}
	}
	return starts_with_one_of(&c, titles, sizeof(titles) / sizeof(titles[0])) &&
	       scan_left(&c) < 80;
}

static bool is_buddyinfo_line(struct scan c)
{
	struct scan word;
	uint64_t v = 0;

	if (!scan_literal(&c, "Node ") || !scan_u64(&c, &v) || !scan_literal(&c, ", zone ") ||
		!scan_word(&c, &word) || word.end[-1] == ',' || !scan_blanks(&c)) {
		return false;
	}
	scan_literal(&c, ">");
	return scan_u64(&c, &v);
}

static bool is_pagetypeinfo_line(struct scan c)
{
	return scan_peek(&c, "Page block order:") || scan_peek(&c, "Pages per block:") ||
	       scan_peek(&c, "Number of blocks type") ||
	       scan_peek(&c, "Free pages count per migrate type") ||
	       (scan_peek(&c, "Node ") && scan_find(&c, ", type ", 7) != NULL);
}

static bool is_meminfo_line(struct scan c)
{
	struct scan word;
	uint64_t v = 0;

	if (scan_peek(&c, "HugePages_")) {
		return true;
	}
	return scan_word(&c, &word) && word.end[-1] == ':' && scan_blanks(&c) && scan_u64(&c, &v) &&
	       scan_literal(&c, " kB") && c.p == c.end;
}

static bool is_vmstat_line(const struct zl_line *line)
{
	struct scan c = scan_of(line->s, line->len);
	struct scan word;
	uint64_t v = 0;

	if (!scan_word(&c, &word) || !scan_blanks(&c) || !scan_u64(&c, &v) || c.p < c.end) {
		return false;
	}
	for (const char *p = word.p; p < word.end; p++) {
		if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_')) {
			return false;
		}
	}
	return *word.p >= 'a';
}

static bool is_sysctl_line(struct scan c)
{
	static const char *const names[] = {"min_free_kbytes", "watermark_scale_factor",
		"watermark_boost_factor", "percpu_pagelist_high_fraction", "lowmem_reserve_ratio",
		"percpu_pagelist_fraction", "zone_reclaim_mode", "defrag_mode"};

	scan_literal(&c, "vm.");
	return starts_with_one_of(&c, names, sizeof(names) / sizeof(names[0])) &&
	       memchr(c.p, '=', scan_left(&c)) != NULL;
}

static bool is_thp_line(struct scan c)
{
	return scan_peek(&c, "hugepages-") || scan_find(&c, "/hugepages-", 11) != NULL ||
	       scan_find(&c, "[madvise]", 9) != NULL || scan_find(&c, "[always]", 8) != NULL ||
	       scan_find(&c, "[never]", 7) != NULL;
}

static bool is_kconfig_line(struct scan c)
{
	if (scan_literal(&c, "CONFIG_")) {
		return memchr(c.p, '=', scan_left(&c)) != NULL;
	}
	return scan_peek(&c, "#") && scan_find(&c, "CONFIG_", 7) != NULL &&
	       scan_find(&c, "is not set", 10) != NULL;
}

static bool is_dts_line(struct scan c)
{
	static const char *const starts[] = {"/dts-v1/", "/plugin/", "compatible = ", "reg = <",
		"size = <", "alloc-ranges = <", "alignment = <", "reusable;", "no-map;",
		"reserved-memory", "#address-cells", "#size-cells", "linux,cma-default;"};

	while (c.p < c.end && (*c.p == '>' || scan_is_blank(*c.p))) {
		c.p++;
	}
	if (starts_with_one_of(&c, starts, sizeof(starts) / sizeof(starts[0]))) {
		return true;
	}
	return scan_equal(&c, "};") || scan_find(&c, "= <0x", 5) != NULL ||
	       (c.p < c.end && c.end[-1] == '{' && memchr(c.p, '(', scan_left(&c)) == NULL);
}

static bool is_trace_line(struct scan c)
{
	static const char *const events[] = {"mm_page_alloc: ", "mm_page_free: ",
		"mm_page_free_batched: ", "mm_page_alloc_zone_locked: ", "mm_page_pcpu_drain: ",
		"mm_page_pcpu_refill: ", "mm_page_alloc_extfrag: ", "mm_setup_per_zone_wmarks: ",
		"mm_page_free_direct: ", "mm_pagevec_free: "};

	if (scan_peek(&c, "# tracer:")) {
		return true;
	}
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (scan_find(&c, events[i], strlen(events[i])) != NULL) {
			return true;
		}
	}
	return false;
}

static bool is_workload_line(struct scan c)
{
	struct scan word;

	return scan_literal(&c, "config ") && scan_word(&c, &word) && scan_blanks(&c) &&
	       c.p < c.end;
}

/* The kernel's log prints what no other file does; a time stamp alone is a weaker sign. */
static void vote_log(struct votes *v, const struct zl_line *line)
{
	struct zl_dmesg_line l;

	zl_dmesg_line_read(line->s, line->len, line->number, &l);
	if (l.kind == ZL_DMESG_OOM) {
		v->kind[ZL_FILE_OOM]++;
	} else if (l.kind != ZL_DMESG_OTHER && l.kind != ZL_DMESG_BLANK) {
		v->kind[ZL_FILE_DMESG] += 2;
	} else if (l.time_us >= 0) {
		v->kind[ZL_FILE_DMESG]++;
	}
}

static void vote_diff(struct votes *v, const struct zl_line *line)
{
	struct scan c = scan_of(line->s, line->len);

	while (c.p < c.end && (*c.p == '>' || scan_is_blank(*c.p))) {
		c.p++;
	}
	v->diff_marks |= scan_peek(&c, "--- ") ? 1U : 0;
	v->diff_marks |= scan_peek(&c, "+++ ") ? 2U : 0;
	v->diff_marks |= scan_peek(&c, "@@ -") ? 4U : 0;
	/* Kinds that are not read, but are patches all the same. */
	v->diff_marks |= scan_peek(&c, "diff --cc ") || scan_peek(&c, "***************") ? 7U : 0;
	if (line->number <= 200 && (scan_peek(&c, "Subject: ") || scan_peek(&c, "Message-ID: ") ||
					   scan_peek(&c, "Message-Id: "))) {
		v->mail_head = true;
	}
}

static void vote(struct votes *v, const struct zl_line *line)
{
	struct scan c = scan_trim(scan_of(line->s, line->len));

	if (c.p == c.end) {
		return;
	}
	v->lines++;
	v->title |= scan_peek(&c, "== ");
	vote_diff(v, line);
	vote_log(v, line);
	v->kind[ZL_FILE_TRACE] += is_trace_line(c) ? 1 : 0;
	v->kind[ZL_FILE_ZONEINFO] += is_zoneinfo_line(c) ? 1 : 0;
	v->kind[ZL_FILE_BUDDYINFO] += is_buddyinfo_line(c) ? 1 : 0;
	v->kind[ZL_FILE_PAGETYPEINFO] += is_pagetypeinfo_line(c) ? 2 : 0;
	v->kind[ZL_FILE_MEMINFO] += is_meminfo_line(c) ? 1 : 0;
	v->kind[ZL_FILE_VMSTAT] += is_vmstat_line(line) ? 1 : 0;
	v->kind[ZL_FILE_SYSCTL] += is_sysctl_line(c) ? 1 : 0;
	v->kind[ZL_FILE_THP] += is_thp_line(c) ? 1 : 0;
	v->kind[ZL_FILE_KCONFIG] += is_kconfig_line(c) ? 1 : 0;
	v->kind[ZL_FILE_DTS] += is_dts_line(c) ? 1 : 0;
	v->kind[ZL_FILE_WORKLOAD] += is_workload_line(c) ? 1 : 0;
}

/* One line of parameters, as a last resort: nothing else looks like that. */
static bool is_cmdline(const char *data, size_t size, unsigned lines)
{
	static const char *const words[] = {"console=", "root=", "cma=", "BOOT_IMAGE=", "quiet",
		"ro ", "rw ", "earlycon", "hugetlb_cma=", "transparent_hugepage=", "cma_pernuma=",
		"numa_cma=", "kernelcore=", "movablecore=", "mem="};
	struct scan c = scan_of(data, size);

	if (lines != 1) {
		return false;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = scan_find(&c, words[i], strlen(words[i]));

		if (at != NULL && (at == data || at[-1] == ' ' || at[-1] == '\n')) {
			return true;
		}
	}
	return false;
}

static enum zl_file_kind detect_json(const char *data, size_t size)
{
	static const struct {
		const char *value;
		enum zl_file_kind kind;
	} kinds[] = {
		{"\"profile\"",	ZL_FILE_PROFILE },
		{"\"scenario\"", ZL_FILE_SCENARIO},
		{"\"session\"",	ZL_FILE_SESSION },
	};
	struct scan c = scan_of(data, size < KEY_BYTES ? size : KEY_BYTES);
	const char *at = scan_find(&c, "\"kind\"", 6);

	if (at == NULL) {
		return ZL_FILE_JSON;
	}
	c.p = at + 6;
	while (c.p < c.end && (scan_is_blank(*c.p) || *c.p == '\n' || *c.p == ':')) {
		c.p++;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (scan_peek(&c, kinds[i].value)) {
			return kinds[i].kind;
		}
	}
	return ZL_FILE_JSON;
}

static enum zl_file_kind most_votes(const struct votes *v)
{
	enum zl_file_kind best = ZL_FILE_UNKNOWN;
	unsigned most = 0;

	for (unsigned k = 0; k < ZL_FILE_KIND_COUNT; k++) {
		if (v->kind[k] > most) {
			most = v->kind[k];
			best = (enum zl_file_kind)k;
		}
	}
	return best;
}

static enum zl_file_kind detect_text(const char *data, size_t size)
{
	struct votes v = {0};
	struct zl_lines lines;
	struct zl_line line;
	bool title_first = false;

	zl_lines_init(&lines, data, size < LOOK_BYTES ? size : LOOK_BYTES);
	while (lines.number < LOOK_LINES && zl_lines_next(&lines, &line)) {
		vote(&v, &line);
		title_first |= v.lines == 1 && v.title;
	}
	if (v.lines == 0) {
		return ZL_FILE_EMPTY;
	}
	if (title_first) {
		return ZL_FILE_CAPTURE;
	}
	if (v.diff_marks == 7) {
		return v.mail_head ? ZL_FILE_MBOX : ZL_FILE_PATCH;
	}
	if (v.kind[ZL_FILE_TRACE] > 0) {
		return ZL_FILE_TRACE;
	}
	/* `free N` and `tick` also look like counters, but nothing else has lines `config KEY VALUE`. */
	const unsigned workload_lines = 3;
	if (v.kind[ZL_FILE_WORKLOAD] >= workload_lines) {
		return ZL_FILE_WORKLOAD;
	}
	enum zl_file_kind best = most_votes(&v);
	if (best == ZL_FILE_OOM && v.kind[ZL_FILE_DMESG] > 0) {
		return ZL_FILE_DMESG;
	}
	if (v.mail_head && best != ZL_FILE_DTS && best != ZL_FILE_KCONFIG) {
		return ZL_FILE_MBOX;
	}
	if (is_cmdline(data, size, v.lines) && best != ZL_FILE_DMESG && best != ZL_FILE_SYSCTL) {
		return ZL_FILE_CMDLINE;
	}
	return best;
}

/* "min 11.2G": a watermark as a size, as nothing in /proc prints it. */
static bool is_written_watermark(struct scan c)
{
	static const char *const names[] = {"min", "low", "high"};
	bool named = false;
	uint64_t v = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !named; i++) {
		named = scan_literal(&c, names[i]);
	}
	bool apart = scan_literal(&c, ":");
	apart = scan_blanks(&c) || apart;
	if (!named || !apart || !scan_u64(&c, &v)) {
		return false;
	}
	if (scan_literal(&c, ".") && !scan_u64(&c, &v)) {
		return false;
	}
	scan_blanks(&c);
	return c.p < c.end && strchr("KMGkmg", *c.p) != NULL;
}

bool zl_file_is_table(const char *data, size_t size)
{
	struct zl_lines lines;
	struct zl_line line;
	unsigned found = 0;

	zl_lines_init(&lines, data, size < LOOK_BYTES ? size : LOOK_BYTES);
	while (lines.number < LOOK_LINES && zl_lines_next(&lines, &line)) {
		found += is_written_watermark(scan_trim(scan_of(line.s, line.len))) ? 1 : 0;
	}
	return found > 1;
}

enum zl_file_kind zl_file_detect(const char *data, size_t size)
{
	static const char dtb[] = {'\xd0', '\x0d', '\xfe', '\xed'};
	static const char trace_dat[] = {'\x17', '\x08', '\x44', 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	size_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
	size_t i = 0;

	if (size >= sizeof(dtb) && memcmp(data, dtb, sizeof(dtb)) == 0) {
		return ZL_FILE_DTB;
	}
	if (size >= sizeof(trace_dat) && memcmp(data, trace_dat, sizeof(trace_dat)) == 0) {
		return ZL_FILE_TRACE_DAT;
	}
	while (i < look &&
		(data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r')) {
		i++;
	}
	if (i == size) {
		return ZL_FILE_EMPTY;
	}
	if (memchr(data, '\0', look) != NULL) {
		return ZL_FILE_UNKNOWN;
	}
	if (i < look && data[i] == '{') {
		return detect_json(data + i, size - i);
	}
	return detect_text(data, size);
}
