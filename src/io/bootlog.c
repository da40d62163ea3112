/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A boot log as a source of facts about the machine. Lines about reserved memory and CMA are
 * accounted for here too; what they mean is the reservation doctor's matter (zonelab/dmesg.h).
 */
#include <errno.h>
#include <string.h>

#include "importing.h"
#include "zonelab/dmesg.h"
#include "zonelab/text.h"

struct boot_log {
	struct zl_import *im;
	struct zl_import_file *file;
	struct oom_head oom;
	unsigned oom_lines;
};

static void add_boot_zone(struct zl_import *im, const struct zl_dmesg_line *l)
{
	size_t room = sizeof(im->facts.boot_zone) / sizeof(im->facts.boot_zone[0]);

	if (im->facts.nr_boot_zones == room || l->number < 0 || l->number > UINT16_MAX) {
		return;
	}
	struct zl_boot_zone *z = &im->facts.boot_zone[im->facts.nr_boot_zones++];
	zl_format(z->zone, sizeof(z->zone), "%s", l->name);
	z->pages = l->pages;
	z->batch = (unsigned)l->number;
	z->line = l->line;
}

static void use_release(struct zl_import *im, const struct zl_dmesg_line *l)
{
	struct scan name = scan_of(l->name, strlen(l->name));
	const char *known = zl_settings_text(&im->profile.settings, ZL_SET_KERNEL);

	if (known[0] != '\0' && strcmp(known, l->name) != 0) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_RELEASE,
			"line %u names release %s, an earlier line or file %s: the later one "
			"counts",
			l->line, l->name, known);
	}
	import_set_text(im, ZL_SET_KERNEL, &name);
}

static void use_cpus(struct zl_import *im, const struct zl_dmesg_line *l)
{
	if (l->number > 0 && l->number <= zl_setting_info(ZL_SET_CPUS)->max) {
		im->facts.online_cpus = l->number;
	}
}

static void use_cmdline(struct zl_import *im, const struct zl_dmesg_line *l)
{
	import_cmdline(im, l->text, l->text_len);
}

static void use_zonelists(struct zl_import *im, const struct zl_dmesg_line *l)
{
	im->facts.zonelists_pages = (int64_t)l->pages;
}

static void use_memory(struct zl_import *im, const struct zl_dmesg_line *l)
{
	im->facts.available_kb = (int64_t)l->kib;
	im->facts.total_kb = (int64_t)l->limit_kib;
}

static void use_freed(struct zl_import *im, const struct zl_dmesg_line *l)
{
	int64_t before = im->facts.freed_kb < 0 ? 0 : im->facts.freed_kb;

	if (l->kib < INT32_MAX && before < INT32_MAX) {
		im->facts.freed_kb = before + (int64_t)l->kib;
	}
}

static void use_min_free(struct zl_import *im, const struct zl_dmesg_line *l)
{
	im->facts.min_free_from = (int64_t)l->kib;
	im->facts.min_free_to = (int64_t)l->limit_kib;
}

static const struct {
	enum zl_dmesg_kind kind;
	void (*use)(struct zl_import *im, const struct zl_dmesg_line *l);
} uses[] = {
	{ZL_DMESG_RELEASE,	   use_release  },
	{ZL_DMESG_COMMAND_LINE,	use_cmdline  },
	{ZL_DMESG_ZONE_BATCH,      add_boot_zone},
	{ZL_DMESG_ZONELISTS,	     use_zonelists},
	{ZL_DMESG_MEMORY,	  use_memory   },
	{ZL_DMESG_FREED_INIT,      use_freed    },
	{ZL_DMESG_FREED_INITRD,	use_freed	 },
	{ZL_DMESG_CPUS,		use_cpus	},
	{ZL_DMESG_MIN_FREE_RAISED, use_min_free },
};

/* Facts of one line; true when it had any. */
static bool use_line(struct zl_import *im, const struct zl_dmesg_line *l)
{
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		if (uses[i].kind == l->kind) {
			uses[i].use(im, l);
			return true;
		}
	}
	return false;
}

static bool about_reservations(enum zl_dmesg_kind k)
{
	return k >= ZL_DMESG_CMA_RESERVED && k <= ZL_DMESG_HUGETLB_CMA;
}

static int read_one(struct boot_log *b, const struct zl_line *line)
{
	struct zl_dmesg_line l;

	zl_dmesg_line_read(line->s, line->len, line->number, &l);
	if (l.kind == ZL_DMESG_BLANK) {
		import_count(b->file, ZL_LINE_COUNTED, "blank lines");
		return 0;
	}
	int r = read_oom_line(b->im, &b->oom, line);
	if (r < 0) {
		return r;
	}
	if (r > 0) {
		b->oom_lines++;
		import_count(b->file, ZL_LINE_USED, "lines of OOM reports");
	} else if (use_line(b->im, &l)) {
		import_count(b->file, ZL_LINE_USED, "kernel, memory and zones");
	} else if (about_reservations(l.kind)) {
		import_count(b->file, ZL_LINE_USED, "reservations");
	} else if (l.kind != ZL_DMESG_OTHER) {
		import_count(b->file, ZL_LINE_COUNTED, "memory map");
	} else {
		import_count(b->file, ZL_LINE_COUNTED, "other messages");
	}
	return 0;
}

int read_boot_log(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct boot_log b = {.im = im, .file = f, .oom = {.node = -1}};
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		int r = read_one(&b, &line);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}
