/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machines.h"

#include <errno.h>
#include <string.h>

#include "profile_load.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

#define PAGE_KIB 1024

void machine_given(const struct zl_settings *s, struct zl_settings *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (s->value[i].given && s->value[i].origin == ZL_ORIGIN_GIVEN) {
			ret->value[i] = s->value[i];
		}
	}
	if (ret->value[ZL_SET_ZONES].given) {
		zl_format(ret->zones, sizeof(ret->zones), "%s", s->zones);
	}
	if (ret->value[ZL_SET_CMDLINE].given) {
		zl_format(ret->cmdline, sizeof(ret->cmdline), "%s", s->cmdline);
	}
}

/* The command that reads a kind of file which says nothing about a machine. */
static const char *command_of(enum zl_file_kind kind)
{
	switch (kind) {
	case ZL_FILE_DTS:
	case ZL_FILE_DTB:
		return "reserve";
	case ZL_FILE_SCENARIO:
	case ZL_FILE_WORKLOAD:
		return "run";
	case ZL_FILE_TRACE:
	case ZL_FILE_TRACE_DAT:
		return "replay";
	case ZL_FILE_PROFILE:
		return "pcp --profile";
	case ZL_FILE_PATCH:
	case ZL_FILE_MBOX:
	case ZL_FILE_UNKNOWN:
	case ZL_FILE_EMPTY:
	case ZL_FILE_SESSION:
	case ZL_FILE_JSON:
	case ZL_FILE_KCONFIG:
	case ZL_FILE_ZONEINFO:
	case ZL_FILE_BUDDYINFO:
	case ZL_FILE_PAGETYPEINFO:
	case ZL_FILE_MEMINFO:
	case ZL_FILE_VMSTAT:
	case ZL_FILE_SYSCTL:
	case ZL_FILE_THP:
	case ZL_FILE_CMDLINE:
	case ZL_FILE_DMESG:
	case ZL_FILE_OOM:
	case ZL_FILE_CAPTURE:
	case ZL_FILE_KIND_COUNT:
		break;
	}
	return NULL;
}

int machine_check_handled(const struct zl_import *im, size_t first, struct zl_error *err)
{
	for (size_t i = first; i < im->nr_files; i++) {
		const struct zl_import_file *f = &im->file[i];
		const char *command = command_of(f->kind);

		if (f->handled) {
			continue;
		}
		if (command != NULL) {
			zl_error_set(err, 0, 0,
				"this is a %s, which says nothing about a machine; zonelab %s FILE "
				"reads it",
				zl_file_kind_name(f->kind), command);
		} else {
			zl_error_set(err, 0, 0,
				"this is a %s; this version of zonelab does not read it",
				zl_file_kind_name(f->kind));
		}
		zl_error_file(err, f->name);
		return -EINVAL;
	}
	return 0;
}

/* "node 0 divides by 4, node 1 divides by 8" */
static void say_node_cpus(const struct zl_profile *p, struct zl_text *t)
{
	bool first = true;

	for (size_t k = 0; k < p->nr_zones; k++) {
		const struct zl_zone_facts *z = &p->zones[k];

		if (z->node_cpus > 0 && (k == 0 || z->node != p->zones[k - 1].node)) {
			zl_text_fmt(t, "%snode %u divides by %u", first ? "" : ", ", z->node,
				z->node_cpus);
			first = false;
		}
	}
}

/* The note that CPUs of nodes are not in the files; NULL when there is none. */
static struct zl_diag *topology_note(struct zl_import *im)
{
	for (size_t i = 0; i < im->diags.count; i++) {
		if (im->diags.item[i].code == ZL_DIAG_IMPORT_TOPOLOGY) {
			return &im->diags.item[i];
		}
	}
	return NULL;
}

/* What no file says of the nodes' CPUs, as far as their limits tell it. */
static int find_node_cpus(struct zl_import *im, struct zl_error *err)
{
	struct zl_profile *p = &im->profile;
	struct zl_diag *d = topology_note(im);
	struct zl_text t;
	int found = 0;

	const struct zl_setting_value *fraction = &p->settings.value[ZL_SET_HIGH_FRACTION];
	if (p->zones_page_size == 0 || p->nr_zones == 0 ||
		(fraction->given && fraction->number > 0)) {
		return 0;
	}
	found = zl_node_cpus_by_limits(p, zl_allocator_heap());
	if (found < 0) {
		zl_error_set(err, 0, 0, "no memory for these files");
		zl_import_done(im);
		return found;
	}
	if (found == 0) {
		return 0;
	}
	if (d == NULL) {
		d = zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_TOPOLOGY, "%s", "");
	}
	zl_text_init(&t, d->text, sizeof(d->text));
	zl_text_str(&t, "which CPUs belong to which node is not in these files; by its limits ");
	say_node_cpus(p, &t);
	return 0;
}

int machine_import(struct zl_import *im, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err)
{
	zl_import_init(im, zl_allocator_heap());
	for (size_t i = 0; i < n; i++) {
		size_t first = im->nr_files;
		int r = zl_import_path(im, path[i], err);

		if (r == -EISDIR) {
			memset(err, 0, sizeof(*err));
			r = zl_import_root(im, path[i], err);
		}
		r = r == 0 ? machine_check_handled(im, first, err) : r;
		if (r < 0) {
			zl_import_done(im);
			return r;
		}
	}
	zl_import_finish(im, given);
	return find_node_cpus(im, err);
}

const char *machine_missing(const struct zl_import *im)
{
	if (im->profile.nr_zones == 0) {
		return "zoneinfo";
	}
	if (!im->facts.release_stated) {
		return "kernel";
	}
	return im->facts.page_size_stated ? NULL : "page_size";
}

int machine_verify(const struct zl_import *im, struct zl_verify *ret)
{
	struct zl_verify_in in = {.profile = &im->profile,
		.available_pages = -1,
		.fraction_known = zl_settings_given(&im->profile.settings, ZL_SET_HIGH_FRACTION)};

	if (im->facts.available_kb >= 0 && im->profile.zones_page_size >= PAGE_KIB) {
		in.available_pages =
			im->facts.available_kb / (int64_t)(im->profile.zones_page_size / PAGE_KIB);
	}
	return zl_verify_run(&in, zl_allocator_heap(), ret);
}

/* Zones that count in an unknown page size cannot be laid over anything. */
static void need_page_size(struct zl_import *im)
{
	if (im->profile.nr_zones > 0 && im->profile.zones_page_size == 0) {
		im->profile.zones_page_size = 4096; /* the model says that it is assumed */
	}
}

/* Merges a copy of the import's profile and keeps the import. */
static int take_import(struct app *app, struct zl_import *im, struct zl_error *err)
{
	struct zl_profile copy;
	struct zl_import *kept = NULL;

	need_page_size(im);
	if (zl_profile_copy(&copy, &im->profile, app->alloc) == 0) {
		kept = app->alloc->realloc(app->alloc->user, NULL, sizeof(*kept));
		if (kept == NULL) {
			zl_profile_done(&copy, app->alloc);
		}
	}
	if (kept == NULL) {
		zl_error_set(err, 0, 0, "no memory for this machine");
		zl_import_done(im);
		return -ENOMEM;
	}
	machine_adopt_cpus(im, &copy);
	*kept = *im;
	app_keep_import(app, kept);
	app_merge_profile(app, &copy);
	return 0;
}

int machine_files(struct app *app, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err)
{
	struct zl_import im;
	int r = machine_import(&im, path, n, given, err);

	return r < 0 ? r : take_import(app, &im, err);
}

static int import_live(struct zl_import *im, struct zl_error *err)
{
	static const char *const live[] = {MACHINE_LIVE};
	int r = machine_import(im, live, 1, NULL, err);

	if (r == 0) {
		zl_format(im->profile.name, sizeof(im->profile.name), "live");
		zl_profile_set_origin(&im->profile, ZL_ORIGIN_NAMED_PROFILE);
	}
	return r;
}

int machine_load_named(const char *name, const struct zl_allocator *mem, struct zl_profile *ret,
	struct zl_error *err)
{
	struct zl_import im;
	int r;

	if (strcmp(name, "live") != 0) {
		r = profile_load(name, mem, ret, err);
		if (r == 0) {
			zl_profile_set_origin(ret, ZL_ORIGIN_NAMED_PROFILE);
		}
		return r;
	}
	r = import_live(&im, err);
	if (r == 0) {
		need_page_size(&im);
		r = zl_profile_copy(ret, &im.profile, mem);
		zl_import_done(&im);
	}
	return r;
}

int machine_profile(struct app *app, const char *name, struct zl_error *err)
{
	struct zl_profile p;
	struct zl_import im;
	int r;

	zl_format(app->named_profile, sizeof(app->named_profile), "%s", name);
	if (strcmp(name, "live") == 0) {
		r = import_live(&im, err);
		return r < 0 ? r : take_import(app, &im, err);
	}
	r = machine_load_named(name, app->alloc, &p, err);
	if (r == 0) {
		app_merge_profile(app, &p);
	}
	return r;
}
