/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of the CMA doctor. What a file is, its content says; one file may be several things at
 * once: a record of a boot has nodes, a log and reservations in it.
 */
#include <errno.h>
#include <string.h>

#include "machines.h"
#include "reserve.h"
#include "zonelab/iomem.h"
#include "zonelab/text.h"

/* --- includes --- */

/* Only below the directory: no absolute path, no way up. */
static bool stays_inside(const char *name)
{
	const char *p = name;

	if (*p == '/' || *p == '\0') {
		return false;
	}
	while (*p != '\0') {
		size_t n = strcspn(p, "/");

		if (n == 2 && p[0] == '.' && p[1] == '.') {
			return false;
		}
		p += n;
		p += *p == '/';
	}
	return true;
}

static int open_include(void *user, const char *name, char **ret_text, size_t *ret_size)
{
	struct reserve *r = user;
	struct zl_file f = {0};
	char path[512];
	int e;

	if (!stays_inside(name)) {
		return -EPERM;
	}
	zl_format(path, sizeof(path), "%s/%s", r->include_dir, name);
	e = zl_file_load(path, ZL_DTS_SIZE_MAX, r->alloc, &f, NULL);
	if (e == 0) {
		*ret_text = f.data;
		*ret_size = f.size;
	}
	return e;
}

static void close_include(void *user, char *text)
{
	struct reserve *r = user;
	struct zl_file f = {.data = text};

	zl_file_done(&f, r->alloc);
}

/* --- one file --- */

static bool may_hold_source(enum zl_file_kind kind, const struct zl_file *f)
{
	switch (kind) {
	case ZL_FILE_DTS:
	case ZL_FILE_UNKNOWN:
		return true;
	case ZL_FILE_PATCH:
	case ZL_FILE_MBOX:
	case ZL_FILE_CAPTURE:
	case ZL_FILE_DMESG:
		return zl_dts_recognise(f->data, f->size);
	case ZL_FILE_EMPTY:
	case ZL_FILE_PROFILE:
	case ZL_FILE_SCENARIO:
	case ZL_FILE_SESSION:
	case ZL_FILE_JSON:
	case ZL_FILE_WORKLOAD:
	case ZL_FILE_KCONFIG:
	case ZL_FILE_DTB:
	case ZL_FILE_TRACE:
	case ZL_FILE_TRACE_DAT:
	case ZL_FILE_ZONEINFO:
	case ZL_FILE_BUDDYINFO:
	case ZL_FILE_PAGETYPEINFO:
	case ZL_FILE_MEMINFO:
	case ZL_FILE_VMSTAT:
	case ZL_FILE_SYSCTL:
	case ZL_FILE_THP:
	case ZL_FILE_CMDLINE:
	case ZL_FILE_OOM:
	case ZL_FILE_KIND_COUNT:
		break;
	}
	return false;
}

static int read_tree(struct reserve *r, struct reserve_file *f, struct zl_error *err)
{
	const struct zl_dts_includer inc = {open_include, close_include, r};
	const struct zl_dts_options options = {.name = f->file.name,
		.allocator = r->alloc,
		.includer = r->include_dir[0] != '\0' ? &inc : NULL};

	if (zl_dtb_recognise(f->file.data, f->file.size)) {
		f->kind = ZL_FILE_DTB;
		return zl_dtb_read(f->file.data, f->file.size, &options, &f->dts, err);
	}
	return zl_dts_read(f->file.data, f->file.size, &options, &f->dts, err);
}

/* Takes what the text says of a device tree; that there is nothing is an error only for source. */
static int try_tree(struct reserve *r, struct reserve_file *f, struct zl_error *err)
{
	bool source = f->kind == ZL_FILE_DTS || f->kind == ZL_FILE_DTB;
	struct zl_error other = {0};
	int e = read_tree(r, f, source ? err : &other);

	if (e == -EINVAL && !source) {
		return 0;
	}
	if (e != 0 && !source) {
		*err = other;
	}
	if (e == 0 && !source && f->dts->nr_nodes == 0 && f->kind != ZL_FILE_UNKNOWN) {
		zl_dts_free(f->dts);
		f->dts = NULL;
	}
	return e;
}

static int read_log(struct reserve *r, struct reserve_file *f)
{
	int e;

	if (f->kind != ZL_FILE_DMESG && f->kind != ZL_FILE_CAPTURE && f->kind != ZL_FILE_OOM) {
		return 0;
	}
	e = zl_dmesg_read(f->file.data, f->file.size, r->alloc, &f->log);
	f->has_log = e == 0;
	return e;
}

static bool is_import(enum zl_file_kind kind)
{
	return kind != ZL_FILE_UNKNOWN && kind != ZL_FILE_DTS && kind != ZL_FILE_DTB &&
	       kind != ZL_FILE_PATCH && kind != ZL_FILE_MBOX;
}

static int load_one(struct reserve *r, const char *path, struct zl_import *im, struct zl_error *err)
{
	struct reserve_file *f = &r->file[r->nr_files];
	unsigned iomem;
	int e = zl_file_load(path, 0, r->alloc, &f->file, err);

	if (e != 0) {
		return e;
	}
	r->nr_files++;
	f->kind = zl_dtb_recognise(f->file.data, f->file.size)
			  ? ZL_FILE_DTB
			  : zl_file_detect(f->file.data, f->file.size);
	if (f->kind == ZL_FILE_DTB || may_hold_source(f->kind, &f->file)) {
		e = try_tree(r, f, err);
	}
	if (e == 0) {
		e = read_log(r, f);
	}
	iomem = zl_iomem_read(f->file.data, f->file.size, &r->have.banks, &r->have.reserved);
	r->iomem = r->iomem || iomem > 0;
	if (e == 0 && is_import(f->kind)) {
		size_t first = im->nr_files;

		e = zl_import_file(im, &f->file, f->kind, err);
		return e == 0 && f->dts == NULL && iomem == 0
			       ? machine_check_handled(im, first, err)
			       : e;
	}
	if (e == 0 && f->dts == NULL && iomem == 0) {
		zl_error_set(err, 0, 0,
			"nothing about reserved memory in it; a device tree, a .config, a boot log "
			"or a command line was expected");
		zl_error_file(err, path);
		return -EINVAL;
	}
	return e;
}

/* --- all of them --- */

/* A tree says nothing about the machine: what the user gave and the built-in one stand. */
static void note_builtin(struct reserve *r)
{
	if (!zl_settings_given(&r->profile.settings, ZL_SET_KERNEL)) {
		struct zl_diag *d = zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_RELEASE_ASSUMED,
			"nothing here says a release: that of the built-in machine, %s, is used",
			zl_setting_info(ZL_SET_KERNEL)->dflt);

		d->about = ZL_SET_KERNEL;
		zl_format(d->mend, sizeof(d->mend), "give it: --set kernel=X.Y");
	}
}

static void take_import(struct reserve *r, struct zl_import *im)
{
	if (im->nr_files == 0) {
		note_builtin(r);
		return;
	}
	zl_import_finish(im, &r->profile.settings);
	zl_settings_merge(&r->profile.settings, &im->profile.settings);
	r->cma_select = im->facts.cma_select;
	r->cma_mbytes = im->facts.cma_mbytes;
	r->cma_percentage = im->facts.cma_percentage;
	for (size_t i = 0; i < im->diags.count; i++) {
		const struct zl_diag *d = &im->diags.item[i];
		struct zl_diag *copy;

		if (d->code == ZL_DIAG_IMPORT_VALUE && r->have.banks.count > 0) {
			continue; /* the banks know the memory that a percentage is of */
		}
		copy = zl_diag_add(&r->diags, d->severity, d->code, "%s", d->text);

		zl_format(copy->mend, sizeof(copy->mend), "%s", d->mend);
	}
}

/* A part for a node of another file: what that node has is not known with it. */
static void note_parts(struct reserve *r, const struct zl_dts *dts)
{
	size_t trees = 0;

	for (size_t i = 0; i < r->nr_files; i++) {
		trees += r->file[i].dts != NULL;
	}
	for (const struct zl_dts_node *n = dts->orphans->first_child; n != NULL && trees > 1;
		n = n->next) {
		if (n->name[0] == '&') {
			struct zl_diag *d =
				zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_SOURCE_MISSING,
					"%s:%u:%u: %s stands in another file; files are not joined",
					dts->file[n->file].name, n->line, n->column, n->name);

			zl_format(d->mend, sizeof(d->mend),
				"/include/ both in one file and give --include DIR");
		}
	}
}

static void read_trees(struct reserve *r)
{
	for (size_t i = 0; i < r->nr_files; i++) {
		const struct zl_dts *dts = r->file[i].dts;

		if (dts == NULL) {
			continue;
		}
		zl_reservations_read(dts, &r->have, &r->diags);
		for (size_t k = 0; k < dts->nr_notes && r->file[i].kind == ZL_FILE_DTS; k++) {
			const struct zl_dts_note *n = &dts->note[k];

			zl_diag_add(&r->diags, n->severity, ZL_DIAG_SOURCE_SKIPPED, "%s:%u:%u: %s",
				dts->file[n->file].name, n->line, n->column, n->text);
		}
		note_parts(r, dts);
		for (size_t k = 0; k < dts->nr_missing; k++) {
			zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_SOURCE_MISSING,
				"%s: %s is not known here and is skipped", r->file[i].file.name,
				dts->missing[k]);
		}
	}
}

/* Early memory ranges of a log are banks when nothing better is known. */
static void log_banks(struct reserve *r)
{
	bool known = r->have.banks.count > 0;

	for (size_t i = 0; i < r->nr_files && !known; i++) {
		const struct zl_dmesg *log = &r->file[i].log;

		for (size_t k = 0; r->file[i].has_log && k < log->nr_lines; k++) {
			const struct zl_dmesg_line *l = &log->line[k];

			if (l->kind == ZL_DMESG_NODE_RANGE && l->end >= l->base) {
				zl_ranges_add(&r->have.banks, l->base, l->end - l->base + 1);
			}
		}
	}
}

/* Memory that the pools of a log took themselves is not in their way. */
static void free_logged_pools(struct reserve *r)
{
	uint64_t a = r->machine.geometry.cma_min_alignment_bytes;

	for (size_t i = 0; i < r->nr_files; i++) {
		const struct zl_dmesg *log = &r->file[i].log;

		for (size_t k = 0; r->file[i].has_log && k < log->nr_lines; k++) {
			const struct zl_dmesg_line *l = &log->line[k];
			uint64_t size = l->mib != 0 ? l->mib << 20 : l->kib << 10;

			if (l->kind == ZL_DMESG_CMA_RESERVED) {
				zl_ranges_remove(&r->have.reserved, l->base, zl_round_up(size, a));
			} else if (l->kind == ZL_DMESG_POOL_CMA || l->kind == ZL_DMESG_POOL_DMA) {
				zl_ranges_remove(&r->have.reserved, l->base, size);
			}
		}
	}
}

static void memory_settings(struct reserve *r)
{
	struct zl_settings *s = &r->profile.settings;

	if (r->have.banks.count == 0) {
		return;
	}
	if (!zl_settings_given(s, ZL_SET_MEMORY) ||
		s->value[ZL_SET_MEMORY].origin <= ZL_ORIGIN_FILE) {
		zl_settings_number(
			s, ZL_SET_MEMORY, (int64_t)zl_ranges_total(&r->have.banks), ZL_ORIGIN_FILE);
	}
	if (!zl_settings_given(s, ZL_SET_MEMORY_BASE)) {
		zl_settings_number(
			s, ZL_SET_MEMORY_BASE, (int64_t)r->have.banks.item[0].base, ZL_ORIGIN_FILE);
	}
}

/*
 * CMA_SIZE_PERCENTAGE counts all memory, reserved or not; the banks may tell it where the files of
 * the import do not.
 * Source: kernel/dma/contiguous.c, cma_early_percent_memory(), v6.12.
 */
static void percentage(struct reserve *r)
{
	const struct zl_setting_value *v = &r->profile.settings.value[ZL_SET_CMA_SIZE];
	uint64_t page = r->machine.geometry.page_size;
	uint64_t pages = page > 0 ? zl_ranges_total(&r->have.banks) / page : 0;
	uint64_t by_size = r->cma_mbytes > 0 ? (uint64_t)r->cma_mbytes << 20 : 0;
	uint64_t by_part;
	uint64_t size;
	enum { BY_MBYTES, BY_PERCENTAGE, BY_MIN, BY_MAX };

	if (r->cma_select == BY_MBYTES || r->cma_percentage < 0 || pages == 0 ||
		(v->given && v->origin > ZL_ORIGIN_FILE)) {
		return;
	}
	by_part = pages * (uint64_t)r->cma_percentage / 100 * page;
	size = by_part;
	if (r->cma_select == BY_MIN) {
		size = by_size < by_part ? by_size : by_part;
	} else if (r->cma_select == BY_MAX) {
		size = by_size > by_part ? by_size : by_part;
	}
	zl_settings_number(&r->profile.settings, ZL_SET_CMA_SIZE, (int64_t)size, ZL_ORIGIN_FILE);
	memset(&r->machine_diags, 0, sizeof(r->machine_diags));
	zl_machine_resolve(&r->profile, &r->machine, &r->machine_diags);
}

int reserve_load(struct reserve *r, const struct lane *lane, const struct reserve_request *q,
	struct zl_error *err)
{
	struct zl_import im;
	int e = zl_profile_copy(&r->profile, &lane->profile, r->alloc);

	if (e != 0) {
		zl_error_set(err, 0, 0, "no memory for the machine");
		return e;
	}
	if (q->include_dir != NULL) {
		zl_format(r->include_dir, sizeof(r->include_dir), "%s", q->include_dir);
	}
	zl_import_init(&im, r->alloc);
	for (size_t i = 0; i < q->nr_paths && e == 0; i++) {
		if (r->nr_files == RESERVE_FILES_MAX) {
			zl_error_set(err, 0, 0, "too many files; at most %d are read together",
				RESERVE_FILES_MAX);
			e = -E2BIG;
		} else {
			e = load_one(r, q->path[i], &im, err);
		}
	}
	if (e == 0) {
		read_trees(r);
		log_banks(r);
		if (!q->of_lane || im.nr_files > 0) {
			take_import(r, &im);
		}
		memory_settings(r);
		zl_machine_resolve(&r->profile, &r->machine, &r->machine_diags);
		percentage(r);
		free_logged_pools(r);
	}
	zl_import_done(&im);
	return e;
}
