/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A boot log as a source of facts about the machine. Lines about reserved memory and CMA are
 * accounted for here too; what they mean is the reservation doctor's matter (zonelab/dmesg.h).
 */
#include <string.h>

#include "importing.h"
#include "zonelab/dmesg.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
/* x86 leaves out the first page and what firmware keeps below 1 MiB. */
#define BASE_STEP (UINT64_C(1) << 20)

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

/* A heading begins a list anew: a file may hold several boots. */
static void start_zone_ranges(struct zl_import *im, const struct zl_dmesg_line *l)
{
	(void)l;
	im->facts.nr_zone_ranges = 0;
	im->facts.nr_node_spans = 0;
}

static void start_node_ranges(struct zl_import *im, const struct zl_dmesg_line *l)
{
	(void)l;
	im->facts.nr_node_ranges = 0;
}

static void add_range(
	struct zl_boot_range *list, size_t room, size_t *count, const struct zl_dmesg_line *l)
{
	if (*count == room || l->end <= l->base || l->node >= ZL_NODES_MAX) {
		return;
	}
	struct zl_boot_range *r = &list[(*count)++];
	zl_format(r->zone, sizeof(r->zone), "%s", l->name);
	r->node = l->node > 0 ? (unsigned)l->node : 0;
	r->base = l->base;
	r->size = l->end - l->base + 1;
}

static void add_zone_range(struct zl_import *im, const struct zl_dmesg_line *l)
{
	struct zl_import_facts *f = &im->facts;

	add_range(f->zone_range, COUNT_OF(f->zone_range), &f->nr_zone_ranges, l);
}

static void add_node_range(struct zl_import *im, const struct zl_dmesg_line *l)
{
	struct zl_import_facts *f = &im->facts;

	add_range(f->node_range, COUNT_OF(f->node_range), &f->nr_node_ranges, l);
}

static void add_node_span(struct zl_import *im, const struct zl_dmesg_line *l)
{
	struct zl_import_facts *f = &im->facts;

	add_range(f->node_span, COUNT_OF(f->node_span), &f->nr_node_spans, l);
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

static void use_possible_cpus(struct zl_import *im, const struct zl_dmesg_line *l)
{
	if (l->number > 0 && l->number <= zl_setting_info(ZL_SET_CPUS)->max) {
		im->facts.possible_cpus = l->number;
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
	{ZL_DMESG_RELEASE,	   use_release      },
	{ZL_DMESG_COMMAND_LINE,	use_cmdline	   },
	{ZL_DMESG_ZONE_BATCH,      add_boot_zone	   },
	{ZL_DMESG_ZONE_RANGES,     start_zone_ranges},
	{ZL_DMESG_ZONE_RANGE,      add_zone_range   },
	{ZL_DMESG_NODE_RANGES,     start_node_ranges},
	{ZL_DMESG_NODE_RANGE,      add_node_range   },
	{ZL_DMESG_NODE_SPAN,	     add_node_span	  },
	{ZL_DMESG_ZONELISTS,	     use_zonelists	  },
	{ZL_DMESG_MEMORY,	  use_memory	    },
	{ZL_DMESG_FREED_INIT,      use_freed	       },
	{ZL_DMESG_FREED_INITRD,	use_freed	 },
	{ZL_DMESG_POSSIBLE_CPUS,	 use_possible_cpus},
	{ZL_DMESG_CPUS,		use_cpus		},
	{ZL_DMESG_MIN_FREE_RAISED, use_min_free     },
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
		if (l.kind == ZL_DMESG_RELEASE) {
			bootlog_arch(b->im, line);
		}
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

/* --- zones --- */

/* Bytes of @list within a zone. */
static uint64_t bytes_within(
	const struct zl_boot_range *list, size_t count, const struct zl_boot_range *zone)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t from = list[i].base > zone->base ? list[i].base : zone->base;
		uint64_t end = list[i].base + list[i].size;
		uint64_t zone_end = zone->base + zone->size;

		end = end < zone_end ? end : zone_end;
		bytes += end > from ? end - from : 0;
	}
	return bytes;
}

/* "DMA:1048576K,Normal:524288K": zones with memory, as the setting is written. */
static void set_zones(struct zl_import *im, const struct zl_boot_range *list, size_t count)
{
	const struct zl_import_facts *f = &im->facts;
	char text[ZL_ZONES_TEXT];
	struct zl_text t;
	uint64_t all = 0;

	zl_text_init(&t, text, sizeof(text));
	for (size_t i = 0; i < f->nr_zone_ranges; i++) {
		uint64_t bytes = bytes_within(list, count, &f->zone_range[i]);

		if (bytes >> 10 > 0) {
			zl_text_fmt(&t, "%s%s:%UK", all > 0 ? "," : "", f->zone_range[i].zone,
				bytes >> 10);
			all += bytes;
		}
	}
	if (all > 0) {
		struct scan value = scan_of(text, strlen(text));

		import_set_text(im, ZL_SET_ZONES, &value);
	}
}

void settle_boot_zones(struct zl_import *im)
{
	const struct zl_import_facts *f = &im->facts;
	const struct zl_settings *s = &im->profile.settings;
	const struct zl_boot_range *list = f->nr_node_ranges > 0 ? f->node_range : f->node_span;
	size_t count = f->nr_node_ranges > 0 ? f->nr_node_ranges : f->nr_node_spans;
	uint64_t base = UINT64_MAX, bytes = 0;
	unsigned nodes = 0;

	if (count == 0) {
		list = f->zone_range;
		count = f->nr_zone_ranges;
	}
	for (size_t i = 0; i < count; i++) {
		base = list[i].base < base ? list[i].base : base;
		bytes += list[i].size;
		nodes = list[i].node + 1 > nodes ? list[i].node + 1 : nodes;
	}
	if (im->profile.nr_zones > 0 || count == 0 || bytes > INT64_MAX ||
		zl_settings_given(s, ZL_SET_MEMORY)) {
		return;
	}
	import_set(im, ZL_SET_MEMORY, (int64_t)bytes);
	if (!zl_settings_given(s, ZL_SET_MEMORY_BASE)) {
		import_set(im, ZL_SET_MEMORY_BASE, (int64_t)(base / BASE_STEP * BASE_STEP));
	}
	if (!zl_settings_given(s, ZL_SET_NODES)) {
		import_set(im, ZL_SET_NODES, nodes);
	}
	if (nodes > 1) {
		zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_TOPOLOGY,
			"zones of the %u nodes of this log are laid out evenly: the model takes "
			"the "
			"same zones on each node",
			nodes);
	} else if (f->nr_zone_ranges > 0 && !zl_settings_given(s, ZL_SET_ZONES)) {
		set_zones(im, list, count);
	}
}
