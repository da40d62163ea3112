/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot log lines by a table of patterns. A blank in a pattern takes any blanks, a colon takes
 * blanks before it. Verbs: see field_read(). What follows a pattern is ignored.
 */
#include "zonelab/dmesg.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "scan.h"
#include "zonelab/file.h"

struct pattern {
	enum zl_dmesg_kind kind;
	const char *text;
};

/* Longer patterns of a kind come first. */
static const struct pattern patterns[] = {
	{ZL_DMESG_RELEASE,		   "Linux version %z"					     },
	{ZL_DMESG_MODEL,		 "Machine model: %w"					    },
	{ZL_DMESG_MODEL,		 "OF: fdt: Machine model: %w"				     },
	{ZL_DMESG_MODEL,		 "Machine: %w"					       },
	{ZL_DMESG_COMMAND_LINE,	"Kernel command line: %T"					 },
	{ZL_DMESG_COMMAND_LINE,	"Command line: %T"					  },
	{ZL_DMESG_ZONE_RANGES,	       "Zone ranges:"					      },
	{ZL_DMESG_NODE_RANGES,	       "Early memory node ranges"					 },
	{ZL_DMESG_NODE_RANGE,	      "node %N: [mem %b-%e]"					    },
	{ZL_DMESG_NODE_SPAN,	     "Initmem setup node %N [mem %b-%e]"				},
	{ZL_DMESG_ZONE_RANGE,	      "%z [mem %b-%e]"					      },
	{ZL_DMESG_ZONE_RANGE,	      "%z empty"						  },
	{ZL_DMESG_ZONE_BATCH,	      "%z zone: %p pages, LIFO batch:%n"				},
	{ZL_DMESG_NODE_PAGES,	      "On node %N totalpages: %p"				 },
	{ZL_DMESG_ZONELISTS,	     "Built %n zonelists, mobility grouping %w. Total pages: %p" },
	{ZL_DMESG_ZONELISTS,
		"Built %n zonelists in Node order, mobility grouping %w. Total pages: %p"		 },
	{ZL_DMESG_ZONELISTS,
		"Built %n zonelists in Zone order, mobility grouping %w. Total pages: %p"		 },
	{ZL_DMESG_MEMORY,
		"Memory: %kK/%KK available (%*K rodata, %iK init%*reserved, %cK cma-reserved"	     },
	{ZL_DMESG_MEMORY,		  "Memory: %kK/%KK available (%*K rodata, %iK init"	   },
	{ZL_DMESG_MEMORY,		  "Memory: %kk/%Kk available"				     },
	{ZL_DMESG_MEMORY,		  "Memory: %kK/%KK available"				     },
	{ZL_DMESG_FREED_INIT,	      "Freeing unused kernel memory: %kK"			 },
	{ZL_DMESG_FREED_INIT,	      "Freeing unused kernel image (initmem) memory: %kK"	 },
	{ZL_DMESG_FREED_INITRD,	"Freeing initrd memory: %kK"				    },
	{ZL_DMESG_POSSIBLE_CPUS,	 "SLUB: %*CPUs=%n"						  },
	{ZL_DMESG_POSSIBLE_CPUS,	 "setup_percpu: %*nr_cpu_ids:%n"				},
	{ZL_DMESG_POSSIBLE_CPUS,	 "rcu: %*nr_cpu_ids=%n"				       },
	{ZL_DMESG_CPUS,		"smp: Brought up %N node%*, %n CPU"			   },
	{ZL_DMESG_CPUS,		"SMP: Total of %n processors activated"		       },
	{ZL_DMESG_CPUS,		"Brought up %n CPUs"					    },
	{ZL_DMESG_HUGE_PAGE,	     "HugeTLB: registered %S page size"			       },
	{ZL_DMESG_HUGE_PAGE,	     "HugeTLB registered %S page size"			      },
	{ZL_DMESG_MIN_FREE_RAISED,	   "khugepaged: raising min_free_kbytes from %k to %K"	      },
	{ZL_DMESG_MIN_FREE_RAISED,	   "raising min_free_kbytes from %k to %K"			  },
	{ZL_DMESG_MIN_FREE_KEPT,
		"min_free_kbytes is not updated to %k because user defined value %K"			    },
	{ZL_DMESG_CMA_RESERVED_RANGES, "cma: Reserved %m MiB in %n range"				 },
	{ZL_DMESG_CMA_RESERVED,	"cma: Reserved %m MiB at %b on node %N"		       },
	{ZL_DMESG_CMA_RESERVED,	"cma: Reserved %m MiB at %b"				    },
	{ZL_DMESG_CMA_RESERVED,	"cma: CMA: reserved %m MiB at %b"				 },
	{ZL_DMESG_CMA_RESERVED,	"CMA: reserved %m MiB at %b"				    },
	{ZL_DMESG_CMA_FAILED,	      "cma: Failed to reserve %m MiB on node %N"			},
	{ZL_DMESG_CMA_FAILED,	      "cma: Failed to reserve %m MiB"			     },
	{ZL_DMESG_CMA_FAILED,	      "cma: CMA: failed to reserve %m MiB"			  },
	{ZL_DMESG_CMA_FAILED,	      "CMA: failed to reserve %m MiB"			     },
	{ZL_DMESG_CMA_MISALIGNED,	  "cma: Region at %b must be aligned to %a bytes"		 },
	{ZL_DMESG_CMA_EXCEEDS,	       "cma: Size (%s) of region at %b exceeds limit (%l)"	  },
	{ZL_DMESG_CMA_BOUNDARY,	"cma: Region at %b defined on low/high memory boundary (%l)"},
	{ZL_DMESG_CMA_NO_SLOTS,	"cma: Not enough slots for CMA reserved regions!"		 },
	{ZL_DMESG_CMA_ORDER_ZERO,	  "cma: pageblock_order not yet initialized."		     },
	{ZL_DMESG_CMA_NOT_ACTIVATED,   "cma: CMA area %w could not be activated"		      },
	{ZL_DMESG_CMA_NO_STRING,	 "cma: Config string not provided"				  },
	{ZL_DMESG_CMA_NO_STRING,	 "Config string not provided"				     },
	{ZL_DMESG_CMA_ALLOC_FAILED,
		"cma: __cma_alloc: %w: alloc failed, req-size: %p pages, ret: %n"			 },
	{ZL_DMESG_CMA_ALLOC_FAILED,    "cma: cma_alloc: alloc failed, req-size: %p pages, ret: %n" },
	{ZL_DMESG_CMA_ALLOC_FAILED,
		"cma: cma_alloc: %w: alloc failed, req-size: %p pages, ret: %n"			       },
	{ZL_DMESG_CMA_ALLOC_FAILED,    "cma: %z alloc failed, req-size: %p pages, ret: %n"	       },
	{ZL_DMESG_CMA_AVAILABLE,	 "cma: number of available pages: %t"			     },
	{ZL_DMESG_CONTIG_BUSY,	       "alloc_contig_range: [%b, %e) PFNs busy"		       },
	{ZL_DMESG_POOL_CMA,	    "%r created CMA memory pool at %b, size %m MiB"		   },
	{ZL_DMESG_POOL_DMA,	    "%r created DMA memory pool at %b, size %m MiB"		   },
	{ZL_DMESG_POOL_CMA,	    "%r created CMA memory pool at %b, size %k KiB"		   },
	{ZL_DMESG_POOL_DMA,	    "%r created DMA memory pool at %b, size %k KiB"		   },
	{ZL_DMESG_RMEM_NONE,	     "%r Reserved memory: No reserved-memory node in the DT"	    },
	{ZL_DMESG_RMEM_NONE,	     "%r No reserved-memory node in the DT"			   },
	{ZL_DMESG_RMEM_MISALIGNED,	   "%r incorrect alignment of CMA region"			 },
	{ZL_DMESG_RMEM_SETUP_FAILED,   "%r unable to setup CMA region"				    },
	{ZL_DMESG_RMEM_BYPASS,	       "%r bypass %w node, using cmdline CMA params instead"	    },
	{ZL_DMESG_RMEM_SKIP_DEFAULT,   "%r Skipping dt linux,cma-default"			       },
	{ZL_DMESG_RMEM_SKIP_DEFAULT,   "Skipping dt linux,cma-default"				    },
	{ZL_DMESG_RMEM_BAD_FORMAT,	   "%r unsupported node format, ignoring"			 },
	{ZL_DMESG_RMEM_BAD_FORMAT,	   "%r unsupported node format"				       },
	{ZL_DMESG_RMEM_INITIALIZED,    "%r initialized node %w, compatible id %T"		      },
	{ZL_DMESG_RMEM_MATCH_FAIL,	   "%r node %w compatible matching fail"			},
	{ZL_DMESG_RMEM_NO_MEMORY,	  "%r failed to allocate memory for node '%w': size %m MiB"   },
	{ZL_DMESG_RMEM_NO_MEMORY,	  "%r failed to allocate memory for node '%w'"		      },
	{ZL_DMESG_RMEM_NOT_RESERVED,
		"%r failed to reserve memory for node '%w': base %b, size %m MiB"			 },
	{ZL_DMESG_RMEM_BAD_SIZE,	 "%r invalid size property in '%w' node"			},
	{ZL_DMESG_RMEM_NO_SPACE,	 "%r not enough space for all defined regions"		      },
	{ZL_DMESG_RMEM_NO_SPACE,	 "%r too many defined dynamic regions"			      },
	{ZL_DMESG_RMEM_SUMMARY,	"%r %b..%e (%k KiB) %F %f %w"				     },
	{ZL_DMESG_RMEM_OVERLAP,	"%r OVERLAP DETECTED!"				      },
	{ZL_DMESG_RMEM_OVERLAP_PAIR,   "%w (%b--%e) overlaps with %W (%B--%E)"			    },
	{ZL_DMESG_HUGETLB_CMA,	       "hugetlb_cma: reserved %m MiB on node %N"			},
	{ZL_DMESG_HUGETLB_CMA,	       "hugetlb_cma: reserve %m MiB"				    },
	{ZL_DMESG_OOM,		       "Mem-Info:"						 },
	{ZL_DMESG_OOM,		       "Node %N %z free:%p"					   },
	{ZL_DMESG_OOM,		       "Node %N %z per-cpu:"					    },
	{ZL_DMESG_OOM,		       "%z per-cpu:"					       },
	{ZL_DMESG_OOM,		       "CPU %n: hi:"					       },
	{ZL_DMESG_OOM,		       "%z free:%pkB min:"					  },
	{ZL_DMESG_OOM,		       "lowmem_reserve[]:"					  },
	{ZL_DMESG_OOM,		       "active_anon:"					      },
	{ZL_DMESG_OOM,		       "free:%p free_pcp:"					  },
	{ZL_DMESG_OOM,		       "Node %N %z: %p*"					   },
};
#define NR_PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

#define LITERAL_MAX 96

/* Copies the literal piece of a pattern up to its next verb or end; returns its length. */
static size_t literal_copy(const char *p, char *literal)
{
	size_t n = strcspn(p, "%");

	assert(n < LITERAL_MAX);
	memcpy(literal, p, n);
	literal[n] = '\0';
	return n;
}

/* Takes text up to the literal that follows the verb at @p (or to the end of line). */
static bool take_until(struct scan *c, const char *p, struct scan *ret)
{
	char literal[LITERAL_MAX];
	struct scan at = *c;

	if (literal_copy(p, literal) == 0) {
		at.p = c->end;
	}
	while (at.p < at.end) {
		struct scan probe = at;

		if (scan_literal(&probe, literal)) {
			break;
		}
		at.p++;
	}
	if (at.p == at.end && literal[0] != '\0') {
		return false;
	}
	ret->p = c->p;
	ret->end = at.p;
	c->p = at.p;
	return true;
}

static bool take_name(struct scan *c, const char *p, bool one_word, char *name)
{
	struct scan part;

	if (one_word) {
		part.p = c->p;
		while (c->p < c->end && !scan_is_blank(*c->p)) {
			c->p++;
		}
		part.end = c->p;
	} else if (!take_until(c, p, &part)) {
		return false;
	}
	scan_copy(&part, name, ZL_DMESG_NAME);
	return part.end > part.p;
}

/* "OF: reserved mem:" of newer and "Reserved memory:" of all kernels. */
static bool take_reserved_tag(struct scan *c)
{
	return scan_literal(c, "OF: reserved mem:") || scan_literal(c, "Reserved memory:");
}

/* "2.00 MiB", "64.0 KiB", "1.00 GiB", "2 MB" */
static bool take_size(struct scan *c, uint64_t *ret)
{
	uint64_t whole = 0;
	uint64_t digit = 0;

	if (!scan_u64(c, &whole) || whole > 1024 * 1024) {
		return false;
	}
	if (c->p < c->end && *c->p == '.') {
		c->p++;
		scan_u64(c, &digit);
	}
	scan_blanks(c);
	const char *unit = c->p < c->end ? memchr("KMG", *c->p, 3) : NULL;
	if (unit == NULL) {
		return false;
	}
	uint64_t shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : 30;
	*ret = whole << shift;
	while (c->p < c->end && !scan_is_blank(*c->p)) {
		c->p++;
	}
	return true;
}

/* The run list of a failed cma_alloc(): "4@572+7@585=> 11 free of 2048 total pages" */
static bool take_runs(struct scan *c, struct zl_dmesg_line *ret)
{
	const char *arrow = scan_find(c, "=>", 2);

	if (arrow == NULL) {
		return false;
	}
	struct scan runs = scan_trim(scan_of(c->p, (size_t)(arrow - c->p)));
	ret->text = runs.p;
	ret->text_len = scan_left(&runs);
	c->p = arrow + 2;
	scan_blanks(c);
	return scan_u64(c, &ret->pages) && scan_literal(c, " free of ") && scan_u64(c, &ret->total);
}

static bool take_flags(struct scan *c, char verb, struct zl_dmesg_line *ret)
{
	struct scan word;

	if (!scan_word(c, &word)) {
		return false;
	}
	if (verb == 'F') {
		ret->flag = scan_equal(&word, "map");
		return ret->flag || scan_equal(&word, "nomap");
	}
	ret->flag2 = scan_equal(&word, "reusable");
	return ret->flag2 || scan_equal(&word, "non-reusable");
}

static bool take_node(struct scan *c, int *ret)
{
	int64_t v = 0;

	scan_blanks(c);
	if (!scan_i64(c, &v) || v < -1 || v > INT32_MAX) {
		return false;
	}
	*ret = (int)v;
	return true;
}

/* Addresses: the verb names the field. */
static uint64_t *hex_field(char verb, struct zl_dmesg_line *ret)
{
	switch (verb) {
	case 'b':
		return &ret->base;
	case 'e':
		return &ret->end;
	case 'B':
		return &ret->base2;
	case 'E':
		return &ret->end2;
	case 's':
		return &ret->size;
	case 'l':
		return &ret->limit;
	case 'a':
		return &ret->align;
	default:
		return NULL;
	}
}

static uint64_t *decimal_field(char verb, struct zl_dmesg_line *ret)
{
	switch (verb) {
	case 'm':
		return &ret->mib;
	case 'k':
		return &ret->kib;
	case 'K':
		return &ret->limit_kib;
	case 'i':
		return &ret->init_kib;
	case 'c':
		return &ret->cma_kib;
	case 'p':
		return &ret->pages;
	default:
		return NULL;
	}
}

/* Reads what a verb stands for; @p points behind the verb in the pattern. */
static bool field_read(char verb, const char *p, struct scan *c, struct zl_dmesg_line *ret)
{
	uint64_t *hex = hex_field(verb, ret);
	uint64_t *decimal = decimal_field(verb, ret);
	struct scan skipped;

	if (hex != NULL) {
		return scan_hex(c, hex);
	}
	if (decimal != NULL) {
		scan_blanks(c);
		return scan_u64(c, decimal);
	}
	switch (verb) {
	case 'n':
		scan_blanks(c);
		return scan_i64(c, &ret->number);
	case 'N':
		return take_node(c, &ret->node);
	case 'r':
		return take_reserved_tag(c);
	case 'S':
		return take_size(c, &ret->size);
	case 't':
		return take_runs(c, ret);
	case 'F':
	case 'f':
		return take_flags(c, verb, ret);
	case 'T':
		ret->text = c->p;
		ret->text_len = scan_left(c);
		c->p = c->end;
		return true;
	case 'W':
		return take_name(c, p, false, ret->name2);
	case 'w':
	case 'z':
		return take_name(c, p, verb == 'z', ret->name);
	default: /* '*' */
		return take_until(c, p, &skipped);
	}
}

/* *ret_touched: something may stand in the line now, be it a match or not. */
static bool pattern_matches(
	const char *p, struct scan c, struct zl_dmesg_line *ret, bool *ret_touched)
{
	char literal[LITERAL_MAX];

	while (*p != '\0') {
		size_t n = literal_copy(p, literal);
		if (n > 0) {
			if (!scan_literal(&c, literal)) {
				return false;
			}
			p += n;
			continue;
		}
		*ret_touched = *ret_touched || p[1] != 'r';
		if (!field_read(p[1], p + 2, &c, ret)) {
			return false;
		}
		p += 2;
	}
	return true;
}

static bool is_zone_name(const char *s)
{
	static const char *const zones[] = {
		"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (strcmp(s, zones[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* What a pattern alone cannot tell. */
static bool accept(struct zl_dmesg_line *l)
{
	if (l->kind == ZL_DMESG_ZONE_RANGE) {
		l->flag = l->end == 0;
		return is_zone_name(l->name);
	}
	if (l->kind == ZL_DMESG_ZONE_BATCH) {
		return is_zone_name(l->name);
	}
	if (l->kind == ZL_DMESG_OOM && l->name[0] != '\0') {
		return is_zone_name(l->name);
	}
	if (l->kind == ZL_DMESG_ZONELISTS) {
		l->flag = strcmp(l->name, "on") == 0;
	}
	return true;
}

static void line_clear(struct zl_dmesg_line *l)
{
	unsigned line = l->line;
	unsigned column = l->column;
	int64_t time_us = l->time_us;

	memset(l, 0, sizeof(*l));
	l->line = line;
	l->column = column;
	l->time_us = time_us;
	l->node = -1;
}

void zl_dmesg_line_read(const char *s, size_t len, unsigned line, struct zl_dmesg_line *ret)
{
	size_t skip = zl_klog_prefix(s, len, &ret->time_us);
	struct scan c = scan_of(s + skip, len - skip);

	ret->line = line;
	ret->column = (unsigned)skip + 1;
	line_clear(ret);
	ret->kind = c.p == c.end ? ZL_DMESG_BLANK : ZL_DMESG_OTHER;
	for (size_t i = 0; i < NR_PATTERNS && ret->kind == ZL_DMESG_OTHER; i++) {
		const char first = patterns[i].text[0];
		bool touched = false;

		if (first != '%' && first != *c.p) {
			continue; /* most of them */
		}
		ret->kind = patterns[i].kind;
		if (pattern_matches(patterns[i].text, c, ret, &touched) && accept(ret)) {
			break;
		}
		if (touched) {
			line_clear(ret);
		}
		ret->kind = ZL_DMESG_OTHER;
	}
	if (ret->text == NULL) {
		ret->text = c.p;
		ret->text_len = scan_left(&c);
	}
}

int zl_dmesg_read(const char *text, size_t size, const struct zl_allocator *a, struct zl_dmesg *ret)
{
	struct zl_lines lines;
	struct zl_line line;
	struct zl_dmesg_line one;
	size_t room = 0;

	memset(ret, 0, sizeof(*ret));
	zl_lines_init(&lines, text, size);
	while (zl_lines_next(&lines, &line)) {
		zl_dmesg_line_read(line.s, line.len, line.number, &one);
		ret->lines_read++;
		ret->lines_other += one.kind == ZL_DMESG_OTHER ? 1 : 0;
		ret->lines_blank += one.kind == ZL_DMESG_BLANK ? 1 : 0;
		if (one.kind == ZL_DMESG_OTHER || one.kind == ZL_DMESG_BLANK) {
			continue;
		}
		if (ret->nr_lines == ZL_DMESG_LINES_MAX) {
			ret->dropped++;
			continue;
		}
		if (ret->nr_lines == room) {
			room = room == 0 ? 64 : room * 2;
			void *grown = a->realloc(a->user, ret->line, room * sizeof(one));
			if (grown == NULL) {
				zl_dmesg_done(ret, a);
				return -ENOMEM;
			}
			ret->line = grown;
		}
		ret->line[ret->nr_lines++] = one;
	}
	return 0;
}

void zl_dmesg_done(struct zl_dmesg *d, const struct zl_allocator *a)
{
	a->free(a->user, d->line);
	memset(d, 0, sizeof(*d));
}

const char *zl_dmesg_kind_name(enum zl_dmesg_kind k)
{
	static const char *const name[] = {"other", "blank", "release", "model", "command-line",
		"zone-ranges", "zone-range", "node-ranges", "node-range", "node-span", "zone-batch",
		"node-pages", "zonelists", "memory", "freed-init", "freed-initrd", "possible-cpus",
		"cpus", "huge-page", "min-free-raised", "min-free-kept", "cma-reserved",
		"cma-reserved-ranges", "cma-failed", "cma-misaligned", "cma-exceeds",
		"cma-boundary", "cma-no-slots", "cma-order-zero", "cma-not-activated",
		"cma-no-string", "cma-alloc-failed", "cma-available", "contig-busy", "pool-cma",
		"pool-dma", "rmem-misaligned", "rmem-setup-failed", "rmem-bypass",
		"rmem-skip-default", "rmem-bad-format", "rmem-initialized", "rmem-match-fail",
		"rmem-no-memory", "rmem-not-reserved", "rmem-bad-size", "rmem-no-space",
		"rmem-summary", "rmem-overlap", "rmem-overlap-pair", "rmem-none", "hugetlb-cma",
		"oom"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_DMESG_KIND_COUNT, "a name each");

	return name[k];
}
