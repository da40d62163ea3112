/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out-of-memory reports in both forms: "hi:/btch:/usd:" of a pageset each (before 4.x), and zone
 * lines with free_pcp: and local_pcp:. kB means KiB; free_pcp of a zone is the sum over its CPUs,
 * local_pcp one CPU's.
 */
#include <errno.h>
#include <string.h>

#include "importing.h"
#include "zonelab/dmesg.h"
#include "zonelab/text.h"

#define PAGESETS_MAX   65536
#define ZONES_SEEN_MAX 1024

static const struct {
	const char *label;
	size_t offset;
} zone_fields[] = {
	{"boost:",		   offsetof(struct zl_oom_zone, boost)	      },
	{"free:",		  offsetof(struct zl_oom_zone, free)		    },
	{"free_cma:",	      offsetof(struct zl_oom_zone, free_cma)	    },
	{"free_highatomic:",     offsetof(struct zl_oom_zone, free_highatomic)	  },
	{"free_pcp:",	      offsetof(struct zl_oom_zone, free_pcp)	    },
	{"high:",		  offsetof(struct zl_oom_zone, high)		    },
	{"local_pcp:",	       offsetof(struct zl_oom_zone, local_pcp)	      },
	{"low:",		 offsetof(struct zl_oom_zone, low)		  },
	{"managed:",	     offsetof(struct zl_oom_zone, managed)		  },
	{"min:",		 offsetof(struct zl_oom_zone, min)		  },
	{"present:",	     offsetof(struct zl_oom_zone, present)		  },
	{"reserved_highatomic:", offsetof(struct zl_oom_zone, reserved_highatomic)},
};

static bool is_zone_name(const struct scan *w)
{
	static const char *const zones[] = {
		"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (scan_equal(w, zones[i])) {
			return true;
		}
	}
	return false;
}

/* "Node 0 DMA32 " or "DMA32 "; false, unmoved, when neither is next. */
static bool read_zone_name(struct scan *c, struct oom_head *ret)
{
	struct scan at = *c;
	struct scan word;
	uint64_t node = 0;
	bool named = scan_literal(&at, "Node ");

	if (named && (!scan_u64(&at, &node) || node >= ZL_NODES_MAX || !scan_blanks(&at))) {
		return false;
	}
	if (!scan_word(&at, &word)) {
		return false;
	}
	if (word.end[-1] == ':') {
		word.end--;
	}
	if (!is_zone_name(&word)) {
		return false;
	}
	ret->node = named ? (int)node : -1;
	scan_copy(&word, ret->zone, sizeof(ret->zone));
	scan_blanks(&at);
	*c = at;
	return true;
}

/* "CPU    0: hi:  186, btch:  31 usd: 185" */
static int read_pageset(
	struct zl_import *im, const struct oom_head *head, unsigned line, struct scan c)
{
	struct zl_import_facts *facts = &im->facts;
	struct zl_oom_pageset p = {.node = head->node, .line = line};
	uint64_t cpu = 0;

	if (!scan_literal(&c, "CPU ") || !scan_u64(&c, &cpu) || !scan_literal(&c, ": hi: ") ||
		!scan_u64(&c, &p.high) || !scan_literal(&c, ", btch: ") ||
		!scan_u64(&c, &p.batch) || !scan_literal(&c, " usd: ") || !scan_u64(&c, &p.used) ||
		cpu > UINT16_MAX) {
		return 0;
	}
	if (facts->nr_oom_pagesets >= PAGESETS_MAX) {
		return 1;
	}
	p.cpu = (unsigned)cpu;
	zl_format(p.zone, sizeof(p.zone), "%s", head->zone);
	void *grown =
		import_grow(im->alloc, facts->oom_pagesets, facts->nr_oom_pagesets, sizeof(p));
	if (grown == NULL) {
		return -ENOMEM;
	}
	facts->oom_pagesets = grown;
	facts->oom_pagesets[facts->nr_oom_pagesets++] = p;
	import_release_to(im, "4.1", "the OOM report lists hi, btch and usd of each pageset");
	return 1;
}

static void zone_clear(struct zl_oom_zone *z)
{
	for (size_t i = 0; i < sizeof(zone_fields) / sizeof(zone_fields[0]); i++) {
		int64_t none = -1;

		memcpy((char *)z + zone_fields[i].offset, &none, sizeof(none));
	}
}

/* "free:56424kB"; labels that are not in the table are passed over. */
static void read_zone_field(struct zl_oom_zone *z, const struct scan *word)
{
	for (size_t i = 0; i < sizeof(zone_fields) / sizeof(zone_fields[0]); i++) {
		struct scan at = *word;
		uint64_t v = 0;

		if (scan_peek(&at, zone_fields[i].label) &&
			scan_literal(&at, zone_fields[i].label) && scan_u64(&at, &v)) {
			int64_t kib = (int64_t)v;

			memcpy((char *)z + zone_fields[i].offset, &kib, sizeof(kib));
			return;
		}
	}
}

/* "Node 0 Normal free:56424kB boost:0kB min:8192kB ..." */
static int read_zone(
	struct zl_import *im, const struct oom_head *head, unsigned line, struct scan c)
{
	struct zl_import_facts *facts = &im->facts;
	struct zl_oom_zone z = {.node = head->node, .line = line};
	struct scan word;

	if (!scan_peek(&c, "free:") || scan_find(&c, "min:", 4) == NULL) {
		return 0;
	}
	if (facts->nr_oom_zones >= ZONES_SEEN_MAX) {
		return 1;
	}
	zone_clear(&z);
	zl_format(z.zone, sizeof(z.zone), "%s", head->zone);
	while (scan_word(&c, &word)) {
		read_zone_field(&z, &word);
		scan_blanks(&c);
	}
	void *grown = import_grow(im->alloc, facts->oom_zones, facts->nr_oom_zones, sizeof(z));
	if (grown == NULL) {
		return -ENOMEM;
	}
	facts->oom_zones = grown;
	facts->oom_zones[facts->nr_oom_zones++] = z;
	return 1;
}

/* "free:14106 free_pcp:120 free_cma:0" of the whole machine, in pages */
static bool read_totals(struct zl_import *im, struct scan c)
{
	struct scan word;
	bool any = false;

	if (!scan_peek(&c, "free:")) {
		return false;
	}
	while (scan_word(&c, &word)) {
		struct scan at = word;
		uint64_t v = 0;

		if (scan_literal(&at, "free_pcp:") && scan_u64(&at, &v)) {
			im->facts.oom_free_pcp = (int64_t)v;
			any = true;
		} else if (scan_literal(&at, "free_cma:") && scan_u64(&at, &v)) {
			im->facts.oom_free_cma = (int64_t)v;
			any = true;
		}
		scan_blanks(&c);
	}
	return any;
}

int read_oom_line(struct zl_import *im, struct oom_head *head, const struct zl_line *line)
{
	size_t skip = zl_klog_prefix(line->s, line->len, NULL);
	struct scan c = scan_trim(scan_of(line->s + skip, line->len - skip));
	struct oom_head zone = {.node = -1};
	int r = read_pageset(im, head, line->number, c);

	if (r != 0) {
		return r;
	}
	if (read_zone_name(&c, &zone)) {
		if (scan_equal(&c, "per-cpu:")) {
			*head = zone;
			return 1;
		}
		return read_zone(im, &zone, line->number, c);
	}
	return read_totals(im, c) || scan_peek(&c, "Mem-Info:") ? 1 : 0;
}
