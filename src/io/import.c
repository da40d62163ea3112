/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of an import: files in, accounts kept, contradictions settled at the end.
 */
#include "zonelab/import.h"

#include <errno.h>
#include <string.h>

#include "importing.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

void zl_import_init(struct zl_import *im, const struct zl_allocator *a)
{
	memset(im, 0, sizeof(*im));
	im->alloc = a;
	zl_profile_init(&im->profile);
	im->facts.max_order_raw = -1;
	im->facts.cma_mbytes = -1;
	im->facts.cma_percentage = -1;
	im->facts.memory_isolation = -1;
	im->facts.deferred_init = -1;
	im->facts.online_cpus = -1;
	for (size_t i = 0; i < ZL_NODES_MAX; i++) {
		im->facts.node_cpus[i] = -1;
	}
	im->facts.hpage_pmd_size = -1;
	im->facts.available_kb = -1;
	im->facts.total_kb = -1;
	im->facts.freed_kb = -1;
	im->facts.zonelists_pages = -1;
	im->facts.min_free_from = -1;
	im->facts.min_free_to = -1;
	im->facts.oom_free_pcp = -1;
	im->facts.oom_free_cma = -1;
}

void zl_import_done(struct zl_import *im)
{
	const struct zl_allocator *a = im->alloc;

	if (a == NULL) {
		return;
	}
	zl_profile_done(&im->profile, a);
	a->free(a->user, im->file);
	a->free(a->user, im->facts.free_rows);
	a->free(a->user, im->facts.block_rows);
	a->free(a->user, im->facts.oom_pagesets);
	a->free(a->user, im->facts.oom_zones);
	memset(im, 0, sizeof(*im));
}

static struct zl_import_tally *tally_of(
	struct zl_import_file *f, enum zl_line_fate fate, const char *what)
{
	size_t i = 0;

	while (i < f->nr_tallies &&
		(f->tally[i].fate != fate || strcmp(f->tally[i].what, what) != 0)) {
		i++;
	}
	if (i == ZL_IMPORT_TALLIES_MAX) {
		return &f->tally[i - 1];
	}
	if (i == f->nr_tallies) {
		f->tally[i].fate = fate;
		f->tally[i].what = what;
		f->nr_tallies++;
	}
	return &f->tally[i];
}

void import_expect(struct zl_import_file *f, enum zl_line_fate fate, const char *what)
{
	tally_of(f, fate, what);
}

void import_count(struct zl_import_file *f, enum zl_line_fate fate, const char *what)
{
	f->lines++;
	switch (fate) {
	case ZL_LINE_USED:
		f->used++;
		break;
	case ZL_LINE_COUNTED:
		f->counted++;
		break;
	case ZL_LINE_NOT_UNDERSTOOD:
		f->not_understood++;
		return;
	}
	tally_of(f, fate, what)->lines++;
}

size_t import_column(const struct zl_line *line, const struct scan *c)
{
	return (size_t)(c->p - line->s) + 1;
}

void import_complain(
	struct zl_import_file *f, const struct zl_line *line, size_t column, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	import_count(f, ZL_LINE_NOT_UNDERSTOOD, NULL);
	if (f->nr_complaints == ZL_IMPORT_COMPLAINTS_MAX) {
		return;
	}
	struct zl_import_complaint *c = &f->complaint[f->nr_complaints++];
	c->line = line->number;
	c->column = (unsigned)column;
	zl_text_init(&t, c->text, sizeof(c->text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	zl_clean_line(c->shown, sizeof(c->shown), line->s, line->len);
}

void *import_grow(const struct zl_allocator *a, void *array, size_t count, size_t size)
{
	/* Room doubles at every power of two, so that it need not be remembered. */
	if ((count & (count - 1)) != 0) {
		return array;
	}
	size_t room = count == 0 ? 1 : count * 2;

	return room > SIZE_MAX / size ? NULL : a->realloc(a->user, array, room * size);
}

static int release_order(const char *a, const char *b)
{
	struct zl_release ra;
	struct zl_release rb;

	if (zl_release_parse(a, &ra) < 0 || zl_release_parse(b, &rb) < 0) {
		return 0;
	}
	return zl_release_compare(&ra, &rb);
}

void import_release_from(struct zl_import *im, const char *release, const char *why)
{
	struct zl_import_facts *facts = &im->facts;

	if (facts->release_from[0] == '\0' || release_order(release, facts->release_from) > 0) {
		zl_format(facts->release_from, sizeof(facts->release_from), "%s", release);
		zl_format(facts->release_why, sizeof(facts->release_why), "%s", why);
	}
}

void import_release_to(struct zl_import *im, const char *release, const char *why)
{
	struct zl_import_facts *facts = &im->facts;

	if (facts->release_to[0] == '\0' || release_order(release, facts->release_to) < 0) {
		zl_format(facts->release_to, sizeof(facts->release_to), "%s", release);
		zl_format(facts->release_why, sizeof(facts->release_why), "%s", why);
	}
}

void import_set(struct zl_import *im, enum zl_setting key, int64_t number)
{
	zl_settings_number(&im->profile.settings, key, number, ZL_ORIGIN_FILE);
}

void import_set_text(struct zl_import *im, enum zl_setting key, const struct scan *value)
{
	char text[ZL_CMDLINE_TEXT];
	struct zl_error err = {0};

	scan_copy(value, text, sizeof(text));
	int r = zl_settings_set(&im->profile.settings, key, text, ZL_ORIGIN_FILE, &err);
	if (r < 0) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_VALUE, "%s: %s",
			zl_setting_info(key)->key, err.text);
	} else if (key == ZL_SET_KERNEL) {
		im->facts.release_stated = true;
	}
}

size_t zl_import_summary(const struct zl_import_file *f, char *buf, size_t size)
{
	if (!f->handled) {
		return zl_format(
			buf, size, "%s: read by another command", zl_file_kind_name(f->kind));
	}
	return zl_format(buf, size,
		"%N lines read, %N used, %N counted but not modelled, %N not understood",
		(uint64_t)f->lines, (uint64_t)f->used, (uint64_t)f->counted,
		(uint64_t)f->not_understood);
}

import_reader *import_reader_of(enum zl_file_kind kind)
{
	switch (kind) {
	case ZL_FILE_KCONFIG:
		return read_kconfig;
	case ZL_FILE_ZONEINFO:
		return read_zoneinfo;
	case ZL_FILE_BUDDYINFO:
		return read_buddyinfo;
	case ZL_FILE_PAGETYPEINFO:
		return read_pagetypeinfo;
	case ZL_FILE_MEMINFO:
		return read_meminfo;
	case ZL_FILE_VMSTAT:
		return read_vmstat;
	case ZL_FILE_SYSCTL:
		return read_sysctl;
	case ZL_FILE_THP:
		return read_thp;
	case ZL_FILE_CMDLINE:
		return read_cmdline;
	case ZL_FILE_DMESG:
	case ZL_FILE_OOM:
		return read_boot_log;
	case ZL_FILE_CAPTURE:
		return read_capture;
	case ZL_FILE_UNKNOWN:
	case ZL_FILE_EMPTY:
	case ZL_FILE_PROFILE:
	case ZL_FILE_SCENARIO:
	case ZL_FILE_SESSION:
	case ZL_FILE_JSON:
	case ZL_FILE_WORKLOAD:
	case ZL_FILE_DTS:
	case ZL_FILE_DTB:
	case ZL_FILE_PATCH:
	case ZL_FILE_MBOX:
	case ZL_FILE_TRACE:
	case ZL_FILE_TRACE_DAT:
	case ZL_FILE_KIND_COUNT:
		break;
	}
	return NULL;
}

static int refuse(struct zl_error *err, const struct zl_file *f, int r, const char *what)
{
	zl_error_set(err, 0, 0, "%s", what);
	zl_error_file(err, f->name);
	return r;
}

/* A new entry of the report, NULL without memory. */
static struct zl_import_file *add_file(
	struct zl_import *im, const struct zl_file *f, enum zl_file_kind kind)
{
	void *grown = import_grow(im->alloc, im->file, im->nr_files, sizeof(*im->file));

	if (grown == NULL) {
		return NULL;
	}
	im->file = grown;
	struct zl_import_file *entry = &im->file[im->nr_files++];
	memset(entry, 0, sizeof(*entry));
	zl_format(entry->name, sizeof(entry->name), "%s", f->name);
	entry->kind = kind;
	return entry;
}

int zl_import_file(
	struct zl_import *im, const struct zl_file *f, enum zl_file_kind kind, struct zl_error *err)
{
	struct zl_lines lines;

	if (kind == ZL_FILE_UNKNOWN) {
		kind = zl_file_detect(f->data, f->size);
	}
	if (kind == ZL_FILE_UNKNOWN || kind == ZL_FILE_EMPTY) {
		return refuse(err, f, -EINVAL,
			kind == ZL_FILE_EMPTY ? "the file is empty"
			: zl_file_is_table(f->data, f->size)
				? "watermarks as somebody wrote them down, rounded and without "
				  "zones; "
				  "the machine's /proc/zoneinfo would be right, or its memory, "
				  "zones "
				  "and page size with --set"
				: "not a kind of file that is known here; a .config, device tree, "
				  "boot log, zoneinfo, buddyinfo, pagetypeinfo, meminfo, command "
				  "line, patch, trace, op list or JSON of zonelab would be right");
	}
	if (im->nr_files == ZL_IMPORT_FILES_MAX) {
		return refuse(err, f, -E2BIG, "too many files; at most 64 are read together");
	}
	struct zl_import_file *entry = add_file(im, f, kind);
	if (entry == NULL) {
		return refuse(err, f, -ENOMEM, "not enough memory to read it");
	}
	import_reader *reader = import_reader_of(kind);
	entry->handled = reader != NULL;
	if (reader == NULL) {
		return 0;
	}
	zl_lines_init(&lines, f->data, f->size);
	int r = reader(im, entry, &lines);
	if (r < 0) {
		return refuse(err, f, r, "not enough memory to read it");
	}
	return 0;
}

int zl_import_path(struct zl_import *im, const char *path, struct zl_error *err)
{
	struct zl_file f;
	int r = zl_file_load(path, 0, im->alloc, &f, err);

	if (r < 0) {
		return r;
	}
	r = zl_import_file(im, &f, ZL_FILE_UNKNOWN, err);
	zl_file_done(&f, im->alloc);
	return r;
}
