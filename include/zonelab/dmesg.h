/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot logs: kernel messages about memory, CMA and reserved memory as typed lines.
 *
 * All prefixes are taken off first: time stamps in [], caller ids, log levels, syslog and journal
 * heads with host names, quoting with >, and Android logcat's padded tags ("OF      : ...").
 */
#ifndef ZONELAB_DMESG_H
#define ZONELAB_DMESG_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/** What a line says. The fields that are set stand behind each kind; the rest are 0 or -1. */
enum zl_dmesg_kind {
	ZL_DMESG_OTHER,		      /* a kernel line of no interest here */
	ZL_DMESG_BLANK,		      /* nothing behind the prefix */
	ZL_DMESG_RELEASE,	      /* name: release string */
	ZL_DMESG_MODEL,		      /* name: machine model */
	ZL_DMESG_COMMAND_LINE,	      /* text */
	ZL_DMESG_ZONE_RANGES,	      /* heading */
	ZL_DMESG_ZONE_RANGE,	      /* name: zone; base, end (last byte); flag: empty */
	ZL_DMESG_NODE_RANGES,	      /* heading "Early memory node ranges" */
	ZL_DMESG_NODE_RANGE,	      /* node, base, end (last byte) */
	ZL_DMESG_NODE_SPAN,	      /* "Initmem setup node": node, base, end (last byte) */
	ZL_DMESG_ZONE_BATCH,	      /* name: zone; pages, number: batch */
	ZL_DMESG_NODE_PAGES,	      /* "On node N totalpages: P": node, pages */
	ZL_DMESG_ZONELISTS,	      /* flag: grouping on; pages; number: zonelists */
	ZL_DMESG_MEMORY,	      /* kib: available; limit_kib: total; init_kib, cma_kib */
	ZL_DMESG_FREED_INIT,	      /* kib */
	ZL_DMESG_FREED_INITRD,	      /* kib */
	ZL_DMESG_POSSIBLE_CPUS,	      /* number: CPUs */
	ZL_DMESG_CPUS,		      /* number: CPUs; node: nodes */
	ZL_DMESG_HUGE_PAGE,	      /* size: a registered huge page size in bytes */
	ZL_DMESG_MIN_FREE_RAISED,     /* kib: from; limit_kib: to */
	ZL_DMESG_MIN_FREE_KEPT,	      /* kib: computed; limit_kib: the user's */
	ZL_DMESG_CMA_RESERVED,	      /* mib, base, node */
	ZL_DMESG_CMA_RESERVED_RANGES, /* mib; number: ranges */
	ZL_DMESG_CMA_FAILED,	      /* mib, node */
	ZL_DMESG_CMA_MISALIGNED,      /* base, align: the larger of asked and minimum, bytes */
	ZL_DMESG_CMA_EXCEEDS,	      /* size, base, limit */
	ZL_DMESG_CMA_BOUNDARY,	      /* base, limit: start of high memory */
	ZL_DMESG_CMA_NO_SLOTS,
	ZL_DMESG_CMA_ORDER_ZERO,    /* pageblock_order not yet initialized */
	ZL_DMESG_CMA_NOT_ACTIVATED, /* name: area */
	ZL_DMESG_CMA_NO_STRING,	    /* cma= without a value */
	ZL_DMESG_CMA_ALLOC_FAILED,  /* name: area or ""; pages: asked; number: -errno */
	ZL_DMESG_CMA_AVAILABLE,	    /* text: the run list; pages: free; total: of the area */
	ZL_DMESG_CONTIG_BUSY,	    /* base, end: pfn range of alloc_contig_range() */
	ZL_DMESG_POOL_CMA,	    /* created CMA memory pool: base; mib or kib */
	ZL_DMESG_POOL_DMA,	    /* created DMA memory pool: the same */
	ZL_DMESG_RMEM_MISALIGNED,   /* incorrect alignment of CMA region */
	ZL_DMESG_RMEM_SETUP_FAILED, /* unable to setup CMA region */
	ZL_DMESG_RMEM_BYPASS,	    /* name: node left aside for the command line */
	ZL_DMESG_RMEM_SKIP_DEFAULT, /* DT default skipped for cma=; name: node or "" */
	ZL_DMESG_RMEM_BAD_FORMAT,   /* unsupported node format; name: node or "" */
	ZL_DMESG_RMEM_INITIALIZED,  /* name: node; text: compatible */
	ZL_DMESG_RMEM_MATCH_FAIL,   /* name: node, compatible matching fail */
	ZL_DMESG_RMEM_NO_MEMORY,    /* failed to allocate memory: name: node; mib or size */
	ZL_DMESG_RMEM_NOT_RESERVED, /* failed to reserve memory: name: node; base; mib or size */
	ZL_DMESG_RMEM_BAD_SIZE,	    /* invalid size property: name: node */
	ZL_DMESG_RMEM_NO_SPACE,	    /* not enough space for all defined regions, too many */
	ZL_DMESG_RMEM_SUMMARY, /* base, end (last byte), kib; name; flag: map; flag2: reusable */
	ZL_DMESG_RMEM_OVERLAP, /* OVERLAP DETECTED! */
	ZL_DMESG_RMEM_OVERLAP_PAIR, /* name, base, end (behind); name2, base2, end2 */
	ZL_DMESG_RMEM_NONE,	    /* no reserved-memory node in the tree */
	ZL_DMESG_HUGETLB_CMA,	    /* mib, node (-1: the whole) */
	ZL_DMESG_OOM,		    /* a line of an out-of-memory report, see zonelab/oom.h */
	ZL_DMESG_KIND_COUNT
};

/** Longest name that is kept; device-tree node names are shorter. */
#define ZL_DMESG_NAME 96

struct zl_dmesg_line {
	enum zl_dmesg_kind kind;
	unsigned line;	  /* in the file, from 1 */
	unsigned column;  /* where the message proper starts, from 1 */
	int64_t time_us;  /* of the [seconds] stamp, -1 = none */
	const char *text; /* borrowed from the file: the message, or the part named above */
	size_t text_len;
	char name[ZL_DMESG_NAME], name2[ZL_DMESG_NAME];	     /* control characters removed */
	uint64_t base, end, base2, end2, size, limit, align; /* bytes, addresses or pfns */
	uint64_t mib, kib, limit_kib, init_kib, cma_kib;
	uint64_t pages, total;
	int64_t number;
	int node; /* -1 = none named; the kernel itself prints -1 without NUMA */
	bool flag, flag2;
};

/** All lines of interest of a log, in order. */
struct zl_dmesg {
	struct zl_dmesg_line *line; /* every kind but OTHER and BLANK */
	size_t nr_lines;
	unsigned lines_read, lines_other, lines_blank;
	size_t dropped; /* of interest, but above ZL_DMESG_LINES_MAX */
};
#define ZL_DMESG_LINES_MAX 65536

/** Types one line; @line counts from 1. Never fails: what is unknown is OTHER. */
void zl_dmesg_line_read(const char *s, size_t len, unsigned line, struct zl_dmesg_line *ret);
/**
 * Types a whole log. @text must outlive @ret.
 * Returns 0 or -ENOMEM (then @ret holds nothing).
 */
int zl_dmesg_read(
	const char *text, size_t size, const struct zl_allocator *a, struct zl_dmesg *ret);
void zl_dmesg_done(struct zl_dmesg *d, const struct zl_allocator *a);
/** "cma-reserved", "rmem-misaligned", ... */
const char *zl_dmesg_kind_name(enum zl_dmesg_kind k);

/**
 * Bytes of prefix before the message proper of a line (time stamp, host, level, quoting).
 * @ret_time_us  stamp in microseconds, -1 = none; may be NULL
 */
size_t zl_klog_prefix(const char *s, size_t len, int64_t *ret_time_us);

#endif
