/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /proc/zoneinfo in every layout since 4.x, whole or as an extract made with grep or tail. Lines
 * are told by their label; spacing carries no meaning. Fields in front of the first heading
 * belong to a zone named "unnamed"; where such a zone has a line already, the next one starts.
 */
#include <errno.h>
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"

#define UNNAMED	 "unnamed"
#define CPUS_MAX ZL_ZONE_PCP_MAX
/* Before 5.14 a pageset's high was this many batches. */
#define OLD_HIGH_BATCHES 6

struct zoneinfo {
	struct zl_import *im;
	struct zl_import_file *file;
	size_t zone; /* index into the profile's zones; SIZE_MAX = no heading yet */
	bool node_stats;
	bool limits, promo, boost; /* such a line was seen */
	bool repeated_said;
	bool headed;	  /* a heading was seen */
	unsigned unnamed; /* zones without one */
	bool no_memory;
	struct zl_observed_pcp *pcp; /* the pageset under way */
};

/* A line "label number". */
struct field {
	const char *label;
	size_t offset;
};

static const struct field zone_fields[] = {
	{"boost",	  offsetof(struct zl_zone_facts, boost)    },
	{"cma",	offsetof(struct zl_zone_facts, cma)	   },
	{"high",	 offsetof(struct zl_zone_facts, high)     },
	{"low",	offsetof(struct zl_zone_facts, low)	   },
	{"managed",    offsetof(struct zl_zone_facts, managed)  },
	{"min",	offsetof(struct zl_zone_facts, min)	   },
	{"pages free", offsetof(struct zl_zone_facts, free)	   },
	{"present",    offsetof(struct zl_zone_facts, present)  },
	{"promo",	  offsetof(struct zl_zone_facts, promo)    },
	{"spanned",    offsetof(struct zl_zone_facts, spanned)  },
	{"start_pfn:", offsetof(struct zl_zone_facts, start_pfn)},
};

static const struct field pcp_fields[] = {
	{"batch:",		   offsetof(struct zl_observed_pcp, batch)	  },
	{"count:",		   offsetof(struct zl_observed_pcp, count)	  },
	{"high:",		  offsetof(struct zl_observed_pcp, high)		},
	{"high_max:",	      offsetof(struct zl_observed_pcp, high_max)	},
	{"high_min:",	      offsetof(struct zl_observed_pcp, high_min)	},
	{"vm stats threshold:", offsetof(struct zl_observed_pcp, stat_threshold)},
};

/* Both tables hold 64-bit members only, signed or not. */
static void store(void *base, size_t offset, uint64_t v)
{
	memcpy((char *)base + offset, &v, sizeof(v));
}

static struct zl_zone_facts *zone_now(struct zoneinfo *z)
{
	return &z->im->profile.zones[z->zone];
}

static void zone_reset(struct zl_zone_facts *zone, unsigned node, const char *name)
{
	zone->node = node;
	zl_format(zone->name, sizeof(zone->name), "%s", name);
	zone->start_pfn = zone->spanned = zone->present = zone->managed = zone->cma = 0;
	zone->free = zone->boost = zone->min = zone->low = zone->high = zone->promo = -1;
	zone->no_managed = true;
	zone->nr_protection = 0;
	zone->nr_pcp = 0;
	zone->cpus = 0;
}

/* Starts a zone; 1 when there is no room for another, else 0 or -ENOMEM. */
static int zone_start(struct zoneinfo *z, unsigned node, const char *name)
{
	struct zl_profile *p = &z->im->profile;

	z->node_stats = false;
	z->pcp = NULL;
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].node == node && strcmp(p->zones[i].name, name) == 0) {
			if (!z->repeated_said) {
				zl_diag_add(&z->im->diags, ZL_NOTE, ZL_DIAG_IMPORT_LAYOUT,
					"node %u zone %s is given twice: the later one counts",
					node, name);
			}
			z->repeated_said = true;
			zone_reset(&p->zones[i], node, name);
			z->zone = i;
			return 0;
		}
	}
	if (p->nr_zones == ZL_ZONES_MAX) {
		return 1;
	}
	struct zl_zone_facts *zone = zl_profile_add_zone(p, z->im->alloc);
	if (zone == NULL) {
		return -ENOMEM;
	}
	zone_reset(zone, node, name);
	z->zone = p->nr_zones - 1;
	return 0;
}

/* "Node 0, zone   Normal"; 0 when the line is another, 1 when it was read, or -ENOMEM. */
static int read_heading(struct zoneinfo *z, const struct zl_line *line, struct scan c)
{
	uint64_t node = 0;
	struct scan word;
	char name[16];

	if (!scan_literal(&c, "Node ") || !scan_u64(&c, &node) || !scan_literal(&c, ", zone ") ||
		!scan_word(&c, &word)) {
		return 0;
	}
	if (node >= ZL_NODES_MAX || scan_left(&word) >= sizeof(name)) {
		import_complain(
			z->file, line, 1, "at most 64 nodes and zone names of 15 letters are read");
		return 1;
	}
	scan_copy(&word, name, sizeof(name));
	int r = zone_start(z, (unsigned)node, name);
	if (r < 0) {
		return r;
	}
	if (r > 0) {
		import_complain(z->file, line, 1, "more than 384 zones; the rest is left out");
		return 1;
	}
	z->headed = true;
	import_count(z->file, ZL_LINE_USED, "headings");
	return 1;
}

static bool pcp_start(struct zoneinfo *z, unsigned cpu)
{
	struct zl_zone_facts *zone = zone_now(z);

	if (zone->nr_pcp >= CPUS_MAX) {
		return false;
	}
	z->pcp = zl_zone_add_pcp(zone, z->im->alloc);
	if (z->pcp == NULL) {
		return false;
	}
	z->pcp->cpu = cpu;
	return true;
}

/* A pageset's lines without their "cpu:" line: a repeated label starts the next pageset. */
static bool pcp_needed(struct zoneinfo *z, const struct field *f)
{
	int64_t old = -1;

	if (z->pcp != NULL) {
		memcpy(&old, (const char *)z->pcp + f->offset, sizeof(old));
	}
	return z->pcp == NULL || old != -1;
}

static const struct field *find_field(
	const struct field *table, size_t n, struct scan *c, bool spaced)
{
	for (size_t i = 0; i < n; i++) {
		struct scan at = *c;

		if (scan_literal(&at, table[i].label) && (!spaced || scan_blanks(&at))) {
			*c = at;
			return &table[i];
		}
	}
	return NULL;
}

/* The number behind a label, and nothing more. */
static bool rest_is_number(struct scan *c, uint64_t *ret)
{
	scan_blanks(c);
	return scan_u64(c, ret) && c->p == c->end;
}

static bool read_pcp_field(struct zoneinfo *z, const struct zl_line *line, struct scan c)
{
	uint64_t v = 0;
	bool cpu = scan_literal(&c, "cpu:");
	const struct field *f =
		cpu ? NULL
		    : find_field(pcp_fields, sizeof(pcp_fields) / sizeof(pcp_fields[0]), &c, false);

	if (!cpu && f == NULL) {
		return false;
	}
	bool number = rest_is_number(&c, &v);
	if (number && cpu && v >= CPUS_MAX) {
		import_complain(z->file, line, import_column(line, &c), "more than 8192 CPUs");
		return true;
	}
	if (!number) {
		import_complain(z->file, line, import_column(line, &c),
			"no number behind the label; a count of pages would be right");
		return true;
	}
	if ((cpu || pcp_needed(z, f)) && !pcp_start(z, cpu ? (unsigned)v : 0)) {
		z->no_memory |= zone_now(z)->nr_pcp < CPUS_MAX;
		import_complain(z->file, line, 1, "more than 8192 CPUs");
		return true;
	}
	if (!cpu) {
		store(z->pcp, f->offset, v);
		z->limits |= strcmp(f->label, "high_min:") == 0;
	}
	bool stats = !cpu && f->offset == offsetof(struct zl_observed_pcp, stat_threshold);
	import_count(z->file, ZL_LINE_USED, stats ? "vm stats" : "pageset fields");
	return true;
}

static bool read_protection(struct zoneinfo *z, const struct zl_line *line, struct scan c)
{
	struct zl_zone_facts *zone = zone_now(z);
	size_t room = sizeof(zone->protection) / sizeof(zone->protection[0]);
	uint64_t v = 0;

	if (!scan_literal(&c, "protection:")) {
		return false;
	}
	zone->nr_protection = 0;
	scan_blanks(&c);
	bool open = scan_literal(&c, "(");
	while (open && zone->nr_protection < room && scan_u64(&c, &v)) {
		zone->protection[zone->nr_protection++] = (int64_t)v;
		scan_literal(&c, ",");
		scan_blanks(&c);
	}
	if (!open || !scan_literal(&c, ")")) {
		import_complain(z->file, line, import_column(line, &c),
			"a cut protection list; (a, b, c) would be right");
		return true;
	}
	import_count(z->file, ZL_LINE_USED, "zone fields");
	return true;
}

static bool read_zone_field(struct zoneinfo *z, const struct zl_line *line, struct scan c)
{
	uint64_t v = 0;
	const struct field *f =
		find_field(zone_fields, sizeof(zone_fields) / sizeof(zone_fields[0]), &c, true);

	if (f == NULL) {
		return read_protection(z, line, c);
	}
	if (!rest_is_number(&c, &v)) {
		import_complain(z->file, line, import_column(line, &c),
			"no number behind the label; a count of pages would be right");
		return true;
	}
	store(zone_now(z), f->offset, v);
	z->node_stats = false;
	z->pcp = NULL;
	if (strcmp(f->label, "managed") == 0) {
		zone_now(z)->no_managed = false;
	}
	z->promo |= strcmp(f->label, "promo") == 0;
	z->boost |= strcmp(f->label, "boost") == 0;
	if (strcmp(f->label, "start_pfn:") == 0) {
		import_count(z->file, ZL_LINE_USED, "start_pfn");
	} else if (strcmp(f->label, "promo") == 0) {
		import_count(z->file, ZL_LINE_COUNTED, "promo, others");
	} else {
		import_count(z->file, ZL_LINE_USED, "zone fields");
	}
	return true;
}

/* Lines that carry nothing that is modelled; false when the line is none of them. */
static bool count_other(struct zoneinfo *z, struct scan c)
{
	struct scan name;
	uint64_t v = 0;

	if (scan_equal(&c, "per-node stats") || scan_equal(&c, "pagesets")) {
		z->node_stats = scan_equal(&c, "per-node stats");
		import_count(z->file, ZL_LINE_USED, "headings");
		return true;
	}
	if (!scan_word(&c, &name) || !rest_is_number(&c, &v)) {
		return false;
	}
	if (name.end[-1] == ':' || scan_equal(&name, "scanned")) {
		import_count(z->file, ZL_LINE_COUNTED, "promo, others");
	} else {
		import_count(z->file, ZL_LINE_COUNTED,
			z->node_stats ? "node counters" : "zone counters");
	}
	return true;
}

/* Scripts that collect states print sysctls and the command line with them. */
static bool read_foreign(struct zoneinfo *z, struct scan c)
{
	const char *equals = memchr(c.p, '=', scan_left(&c));
	char name[64];
	char value[64];

	if (equals == NULL || equals == c.p) {
		return false;
	}
	if (scan_is_blank(equals[-1])) {
		struct scan key = scan_trim(scan_of(c.p, (size_t)(equals - c.p)));
		struct scan rest = scan_trim(scan_of(equals + 1, (size_t)(c.end - equals - 1)));

		scan_copy(&key, name, sizeof(name));
		scan_copy(&rest, value, sizeof(value));
		if (!zl_import_sysctl(z->im, name, value)) {
			return false;
		}
		import_count(z->file, ZL_LINE_USED, "sysctls");
		return true;
	}
	if (z->zone != SIZE_MAX) {
		return false;
	}
	import_cmdline(z->im, c.p, scan_left(&c));
	import_count(z->file, ZL_LINE_USED, "command line");
	return true;
}

/* A line that each zone has once, and that this one has. */
static bool is_repeated(const struct zl_zone_facts *zone, struct scan c)
{
	uint64_t v = 0;
	const struct field *f =
		find_field(zone_fields, sizeof(zone_fields) / sizeof(zone_fields[0]), &c, true);

	if (f == NULL || !rest_is_number(&c, &v)) {
		return false;
	}
	return (f->offset == offsetof(struct zl_zone_facts, free) && zone->free >= 0) ||
	       (f->offset == offsetof(struct zl_zone_facts, min) && zone->min >= 0) ||
	       (f->offset == offsetof(struct zl_zone_facts, managed) && !zone->no_managed);
}

/* The zone of a line without a heading; 1 when there is no room for another, else 0 or -ENOMEM. */
static int zone_without_heading(struct zoneinfo *z, struct scan c)
{
	char name[16];

	if (z->zone != SIZE_MAX && (z->headed || !is_repeated(zone_now(z), c))) {
		return 0;
	}
	z->unnamed++;
	zl_format(name, sizeof(name), z->unnamed > 1 ? "%s-%u" : "%s", UNNAMED, z->unnamed);
	return zone_start(z, 0, name);
}

static void note_unnamed(struct zoneinfo *z)
{
	if (z->unnamed > 1) {
		zl_diag_add(&z->im->diags, ZL_WARNING, ZL_DIAG_IMPORT_LAYOUT,
			"%u zones have no line \"Node N, zone NAME\": told apart by repeated "
			"lines, "
			"and taken as zones of node 0; a whole /proc/zoneinfo would be right",
			z->unnamed);
	}
}

static int read_one(struct zoneinfo *z, const struct zl_line *line)
{
	struct scan c = scan_trim(scan_of(line->s, line->len));
	int r = read_heading(z, line, c);

	if (r != 0) {
		return r < 0 ? r : 0;
	}
	if (c.p == c.end || scan_equal(&c, "--")) {
		import_count(z->file, ZL_LINE_COUNTED, "blank lines");
		return 0;
	}
	if (read_foreign(z, c)) {
		return 0;
	}
	r = zone_without_heading(z, c);
	if (r < 0) {
		return r;
	}
	if (r > 0) {
		import_complain(z->file, line, 1, "more than 384 zones; the rest is left out");
		return 0;
	}
	if (!read_pcp_field(z, line, c) && !read_zone_field(z, line, c) && !count_other(z, c)) {
		import_complain(z->file, line, import_column(line, &c),
			"no line of /proc/zoneinfo; a label and a number would be right");
	}
	return z->no_memory ? -ENOMEM : 0;
}

/* Whether every pageset that was ever tuned has the rule of before 5.14. */
static bool old_high(const struct zl_profile *p)
{
	size_t tuned = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		for (size_t k = 0; k < p->zones[i].nr_pcp; k++) {
			const struct zl_observed_pcp *pcp = &p->zones[i].pcp[k];

			if (pcp->batch <= 1) {
				continue;
			}
			if (pcp->high != OLD_HIGH_BATCHES * pcp->batch) {
				return false;
			}
			tuned++;
		}
	}
	return tuned > 0;
}

/* What follows from managed pages cannot be worked out without them. */
static void note_managed(struct zoneinfo *z)
{
	const struct zl_zone_facts *first = NULL;
	size_t zones = 0;

	for (size_t i = 0; i < z->im->profile.nr_zones; i++) {
		struct zl_zone_facts *f = &z->im->profile.zones[i];

		/* An extract of pagesets alone has no zone to be complete. */
		f->no_managed = f->no_managed && (f->present > 0 || f->min > 0);
		first = f->no_managed && first == NULL ? f : first;
		zones += f->no_managed ? 1 : 0;
	}
	if (zones > 0) {
		zl_diag_add(&z->im->diags, ZL_WARNING, ZL_DIAG_IMPORT_VALUE,
			"node %u %s has no line \"managed\" (%N zones in all): watermarks and "
			"limits "
			"cannot be worked out; a whole /proc/zoneinfo would be right",
			first->node, first->name, (uint64_t)zones);
	}
}

static void note_layout(struct zoneinfo *z)
{
	struct zl_profile *p = &z->im->profile;
	size_t pagesets = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		p->zones[i].cpus = (unsigned)p->zones[i].nr_pcp;
		pagesets += p->zones[i].nr_pcp;
	}
	if (z->limits) {
		import_release_from(z->im, "6.13", "zoneinfo shows high_min and high_max");
	} else if (z->boost && z->promo) {
		import_release_from(z->im, "6.9", "zoneinfo shows promo");
	} else if (z->boost) {
		import_release_from(z->im, "5.17", "zoneinfo shows boost");
	}
	if (!z->limits && pagesets > 0) {
		bool old = !z->boost && old_high(p);

		import_release_to(z->im, old ? "5.13" : "6.12",
			old ? "every high is 6 times its batch"
			    : "zoneinfo shows no high_min and high_max");
	}
}

int read_zoneinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zoneinfo z = {.im = im, .file = f, .zone = SIZE_MAX};
	struct zl_line line;

	/* The report keeps this order, whichever line comes first. */
	import_expect(f, ZL_LINE_USED, "headings");
	import_expect(f, ZL_LINE_USED, "zone fields");
	import_expect(f, ZL_LINE_USED, "pageset fields");
	import_expect(f, ZL_LINE_USED, "start_pfn");
	import_expect(f, ZL_LINE_USED, "vm stats");
	import_expect(f, ZL_LINE_COUNTED, "node counters");
	import_expect(f, ZL_LINE_COUNTED, "zone counters");
	import_expect(f, ZL_LINE_COUNTED, "promo, others");
	while (zl_lines_next(lines, &line)) {
		int r = read_one(&z, &line);

		if (r < 0) {
			return r;
		}
	}
	note_unnamed(&z);
	note_managed(&z);
	note_layout(&z);
	return 0;
}
