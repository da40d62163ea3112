/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded kmem events: ftrace text, `trace-cmd report`, `perf script`, and trace.dat where
 * libtracecmd is there. A reader gives one event after another from a stream of any length in
 * constant memory, and accounts for every line.
 *
 * Source: include/trace/events/kmem.h, v5.14 to v7.1.
 */
#ifndef ZONELAB_KMEM_H
#define ZONELAB_KMEM_H

#include "zonelab/import.h"

enum zl_traced {
	ZL_TRACED_ALLOC,	/* mm_page_alloc; pfn 0 = the request failed */
	ZL_TRACED_FREE,		/* mm_page_free, mm_page_free_direct */
	ZL_TRACED_FREE_BATCHED, /* mm_page_free_batched, mm_pagevec_free; order is always 0 */
	ZL_TRACED_TAKE,		/* mm_page_alloc_zone_locked: a block left the buddy */
	ZL_TRACED_REFILL,	/* mm_page_pcpu_refill: the same, and certainly for a pageset */
	ZL_TRACED_DRAIN,	/* mm_page_pcpu_drain: a block went back to the buddy */
	ZL_TRACED_EXTFRAG,	/* mm_page_alloc_extfrag: a block of another migratetype is used */
	ZL_TRACED_WMARKS,	/* mm_setup_per_zone_wmarks */
	ZL_TRACED_LOST,		/* the recorder lost events of a CPU */
	ZL_TRACED_MARK,		/* "zonelab: ..." written to trace_marker */
	ZL_TRACED_COUNT
};
/** "mm_page_alloc", ... as the kernel names them; "lost events", "mark". */
const char *zl_traced_name(enum zl_traced kind);

/** Longest line; what is longer is skipped and counted. */
#define ZL_TRACE_LINE_MAX ((size_t)64 << 10)
/** Bytes without an end of line that are skipped before the input is refused as no text. */
#define ZL_TRACE_SKIP_MAX ((uint64_t)64 << 20)
/** CPU numbers stay below this. */
#define ZL_TRACE_CPUS_MAX 8192
/** Largest page frame number: 2^52 bytes of memory and more. */
#define ZL_TRACE_PFN_MAX (UINT64_C(1) << 44)

/** A piece of the line, borrowed until the next event. */
struct zl_trace_word {
	const char *s; /* NULL = not there */
	size_t n;
};

/** One event. What a kind does not have is 0, a word NULL, a migratetype or pid -1. */
struct zl_trace_event {
	enum zl_traced kind;
	uint32_t cpu;
	int64_t pid;
	uint64_t time_ns; /* on the recorder's clock */
	uint64_t pfn;
	uint64_t lost;	    /* events; 0 = not known how many */
	uint8_t order;	    /* of an extfrag event: alloc_order */
	int8_t migratetype; /* as numbered by that kernel; of an extfrag event: alloc_migratetype */
	uint8_t fallback_order, pageblock_order;
	int8_t fallback_migratetype;
	bool percpu_refill, fragmenting, change_ownership;
	int node; /* of a watermark event */
	uint64_t wmark_min, wmark_low, wmark_high;
	struct zl_trace_word zone; /* of a watermark event */
	struct zl_trace_word comm, flags, page, gfp_flags;
	struct zl_trace_word text; /* of a mark: behind "zonelab: " */
	unsigned line;
};

/** What became of a line. */
enum zl_trace_fate {
	ZL_TRACE_LINE_EVENT,
	ZL_TRACE_LINE_COMMENT,	/* "#" lines, heads of reports, blank lines */
	ZL_TRACE_LINE_CHAIN,	/* frames of a call chain */
	ZL_TRACE_LINE_OTHER,	/* an event of another kind */
	ZL_TRACE_LINE_CUT,	/* an event that lacks a field, or with a value out of range */
	ZL_TRACE_LINE_TOO_LONG, /* above ZL_TRACE_LINE_MAX */
	ZL_TRACE_LINE_STRANGE	/* not understood */
};
/**
 * Reads one line (without line feed). @why is filled for ZL_TRACE_LINE_CUT with a sentence and its
 * column (may be NULL).
 */
enum zl_trace_fate zl_trace_line(
	const char *s, size_t n, struct zl_trace_event *ret, struct zl_error *why);

/** A stream of events. */
struct zl_trace;
/**
 * Opens a trace; "-" is standard input; gzip is unpacked on the way.
 * Returns 0; -errno of opening; -EINVAL for a trace.dat that this build cannot read; -ENOMEM.
 */
int zl_trace_open(const char *path, const struct zl_allocator *mem, struct zl_trace **ret,
	struct zl_error *err);
/** The same over text in memory, which must outlive the reader. */
int zl_trace_open_memory(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_trace **ret, struct zl_error *err);
/** NULL is allowed. */
void zl_trace_close(struct zl_trace *t);
/**
 * Returns 1 and an event; 0 at the end; -EINTR when a signal came while waiting for input; -EIO or
 * -EINVAL (broken gzip data) with @err filled.
 */
int zl_trace_next(struct zl_trace *t, struct zl_trace_event *ret, struct zl_error *err);
/**
 * Release of the kernel that the trace says it is of, so far: a trace.dat's uname, the head of
 * `perf script --header` or of a latency tracer. "" = it has not said one.
 */
const char *zl_trace_kernel(const struct zl_trace *t);
/** Bytes of the file passed, and in all (0 = not known: a pipe). */
void zl_trace_progress(const struct zl_trace *t, uint64_t *ret_at, uint64_t *ret_size);
/** Lines read, used, counted and not understood so far, with the first complaints. */
void zl_trace_report(const struct zl_trace *t, struct zl_import_file *ret);
/** Whether a file is a trace, by its first part. */
bool zl_trace_recognise(const char *path);
/** Whether this build reads trace.dat. */
bool zl_trace_dat_supported(void);

#endif
