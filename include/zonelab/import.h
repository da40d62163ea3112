/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Import: any number of files about one machine, recognised by content, become one profile, facts
 * that a profile has no place for, and a report in which the lines of every file add up.
 */
#ifndef ZONELAB_IMPORT_H
#define ZONELAB_IMPORT_H

#include "zonelab/file.h"
#include "zonelab/machine.h"

/** Kinds of files, told by content alone. */
enum zl_file_kind {
	ZL_FILE_UNKNOWN,
	ZL_FILE_EMPTY,
	ZL_FILE_PROFILE,  /* JSON with "kind":"profile" */
	ZL_FILE_SCENARIO, /* JSON with "kind":"scenario" */
	ZL_FILE_SESSION,  /* JSON with "kind":"session" */
	ZL_FILE_JSON,	  /* other JSON */
	ZL_FILE_WORKLOAD, /* .workload op list */
	ZL_FILE_KCONFIG,
	ZL_FILE_DTS,
	ZL_FILE_DTB,
	ZL_FILE_PATCH, /* unified diff */
	ZL_FILE_MBOX,  /* mail or thread, with or without a patch */
	ZL_FILE_TRACE, /* ftrace, trace-cmd report or perf script text */
	ZL_FILE_TRACE_DAT,
	ZL_FILE_ZONEINFO,
	ZL_FILE_BUDDYINFO,
	ZL_FILE_PAGETYPEINFO,
	ZL_FILE_MEMINFO,
	ZL_FILE_VMSTAT,
	ZL_FILE_SYSCTL,	 /* "name = value" lines of vm sysctls */
	ZL_FILE_THP,	 /* transparent_hugepage state, huge page sizes */
	ZL_FILE_CMDLINE, /* /proc/cmdline */
	ZL_FILE_DMESG,
	ZL_FILE_OOM,	 /* an out-of-memory report without a boot log */
	ZL_FILE_CAPTURE, /* several of the above under "== title" lines */
	ZL_FILE_KIND_COUNT
};
/** "zoneinfo", "config", ... */
const char *zl_file_kind_name(enum zl_file_kind k);
/** Recognises a file; @data need not be terminated. */
enum zl_file_kind zl_file_detect(const char *data, size_t size);
/** Whether a text of no known kind is a table of watermarks that somebody wrote ("min 11.2G"). */
bool zl_file_is_table(const char *data, size_t size);

/** What became of a line. */
enum zl_line_fate { ZL_LINE_USED, ZL_LINE_COUNTED, ZL_LINE_NOT_UNDERSTOOD };

struct zl_import_tally {
	enum zl_line_fate fate;
	const char *what; /* "zone fields", "node counters", ... */
	unsigned lines;
};

/** A line that was not understood, or understood but wrong. */
struct zl_import_complaint {
	unsigned line, column;
	char text[160]; /* what is wrong; what would be right */
	char shown[64]; /* the start of the line, without control characters */
};

#define ZL_IMPORT_TALLIES_MAX	 24
#define ZL_IMPORT_COMPLAINTS_MAX 16
#define ZL_IMPORT_FILES_MAX	 64

/** One file; lines = used + counted + not_understood. */
struct zl_import_file {
	char name[256];
	enum zl_file_kind kind;
	bool handled; /* false: a kind that another command reads */
	unsigned lines, used, counted, not_understood;
	struct zl_import_tally tally[ZL_IMPORT_TALLIES_MAX];
	size_t nr_tallies;
	struct zl_import_complaint complaint[ZL_IMPORT_COMPLAINTS_MAX];
	size_t nr_complaints; /* the rest of not_understood found no room */
};

/** Free blocks by order, of a zone (buddyinfo) or of a migratetype in it (pagetypeinfo). */
struct zl_free_row {
	unsigned node;
	char zone[16];
	int type; /* enum zl_migratetype, -1 = all types */
	unsigned nr_orders;
	uint64_t count[ZL_MAX_ORDER_LIMIT + 1];
	uint32_t more; /* bit per order whose count was printed as ">100000" */
};

/** Pageblocks by migratetype, of a zone. */
struct zl_type_row {
	unsigned node;
	char zone[16];
	uint64_t blocks[ZL_MIGRATE_COUNT];
};

/** A pageset of an OOM report. */
struct zl_oom_pageset {
	char zone[16];
	int node; /* -1 = not named */
	unsigned cpu;
	uint64_t high, batch, used;
	unsigned line;
};

/** A zone line of an OOM report, KiB as printed; -1 = not printed. */
struct zl_oom_zone {
	char zone[16];
	int node;
	int64_t free, boost, min, low, high, reserved_highatomic, free_highatomic, present, managed,
		free_pcp, local_pcp, free_cma;
	unsigned line;
};

/** A zone line of a boot log with its batch. */
struct zl_boot_zone {
	char zone[16];
	uint64_t pages;
	unsigned batch;
	unsigned line;
};

/** Memory of a zone or of a node, as a boot log lists it. */
struct zl_boot_range {
	char zone[16]; /* "" = of a node */
	unsigned node;
	uint64_t base, size;
};
#define ZL_BOOT_RANGES_MAX 128

#define ZL_NODES_MAX 64

/** A CMA area of debugfs or sysfs; pages, -1 = not shown. */
struct zl_cma_seen {
	char name[64];
	int64_t base_pfn, count, order_per_bit, used, maxchunk;
	int64_t available, succeeded, failed; /* pages asked for and got, or not */
};
#define ZL_CMA_SEEN_MAX 32

/** What files said beyond a profile; -1 and "" = not said. */
struct zl_import_facts {
	/* the kernel */
	bool release_stated;   /* by a file or given, not guessed from symbols */
	char release_from[16]; /* lowest release that layouts and symbols allow */
	char release_to[16];   /* highest series that they allow */
	char release_why[128]; /* what in the files says so */
	bool page_size_stated;
	uint64_t page_size; /* that the files count in; 0 = not known */
	bool arch_stated;
	int64_t max_order_raw;	  /* [ARCH_]FORCE_MAX_[ZONE]ORDER as written */
	bool max_order_exclusive; /* the old symbol, always exclusive */
	int64_t cma_mbytes, cma_percentage;
	unsigned cma_select; /* enum in kconfig.c: 0 mbytes, 1 percentage, 2 min, 3 max */
	bool full_config;    /* a whole .config: what is missing is off */
	int64_t memory_isolation;
	int64_t deferred_init; /* CONFIG_DEFERRED_STRUCT_PAGE_INIT */
	/* processors */
	int64_t online_cpus;
	int64_t possible_cpus; /* of a boot log; 0 = not said */
	int64_t node_cpus[ZL_NODES_MAX];
	/* huge pages */
	int64_t hpage_pmd_size;
	bool thp_state; /* the run-time state was read, not only its default */
	/* boot log */
	int64_t available_kb, total_kb; /* "Memory: ...K/...K available" */
	int64_t freed_kb;		/* init and initrd memory given back later */
	int64_t zonelists_pages;
	int64_t min_free_from, min_free_to; /* khugepaged's message */
	struct zl_boot_zone boot_zone[32];
	size_t nr_boot_zones;
	/* "Zone ranges", "Early memory node ranges", "Initmem setup node" */
	struct zl_boot_range zone_range[8];
	struct zl_boot_range node_range[ZL_BOOT_RANGES_MAX];
	struct zl_boot_range node_span[ZL_NODES_MAX];
	size_t nr_zone_ranges, nr_node_ranges, nr_node_spans;
	/* start state */
	struct zl_free_row *free_rows;
	size_t nr_free_rows;
	struct zl_type_row *block_rows;
	size_t nr_block_rows;
	/* out-of-memory reports */
	struct zl_oom_pageset *oom_pagesets;
	size_t nr_oom_pagesets;
	struct zl_oom_zone *oom_zones;
	size_t nr_oom_zones;
	struct zl_cma_seen cma_area[ZL_CMA_SEEN_MAX];
	size_t nr_cma_areas;
	int64_t oom_free_pcp, oom_free_cma; /* pages, of the whole machine */
};

/**
 * An import under way. Files may come in any order: what depends on the release (the meaning of
 * the maximum order) or on memory (CMA percentages) is settled by zl_import_finish().
 */
struct zl_import {
	const struct zl_allocator *alloc;
	struct zl_profile profile; /* taken over by the caller, or freed by zl_import_done() */
	struct zl_import_facts facts;
	struct zl_import_file *file;
	size_t nr_files;
	struct zl_diags diags; /* "To know" */
};

void zl_import_init(struct zl_import *im, const struct zl_allocator *a);
void zl_import_done(struct zl_import *im);

/**
 * Leaves the words of a command line that the model knows: others may hold keys and names that are
 * nobody's business. In place; what is left may be "".
 */
void zl_cmdline_known_words(char *cmdline);
/** The same for the setting, which is taken away when nothing is left. For profiles to hand on. */
void zl_cmdline_known_setting(struct zl_settings *s);

/**
 * Reads one file into the import. @kind ZL_FILE_UNKNOWN asks the content; a caller that knows the
 * place of a file (/proc/cmdline) names it.
 *
 * Lines that are not understood are counted and reported, not refused. Kinds that other commands
 * read (device trees, patches, traces, scenarios) are entered in the report as not handled.
 * Returns 0; -EINVAL when the kind is unknown or nothing in the file was understood; -E2BIG above
 * ZL_IMPORT_FILES_MAX files; -ENOMEM. @err is filled.
 */
int zl_import_file(struct zl_import *im, const struct zl_file *f, enum zl_file_kind kind,
	struct zl_error *err);
/** Loads and reads a file by path. */
int zl_import_path(struct zl_import *im, const char *path, struct zl_error *err);
/**
 * Reads what `probe` and `verify` need below a directory: a tree with proc/, sys/ and boot/, or a
 * flat folder of files named after their sources with or without .txt. Names choose files, content
 * is what is read. Missing files are no error.
 * Returns 0; -ENOENT when there is nothing to read; errors of zl_import_file() otherwise.
 */
int zl_import_root(struct zl_import *im, const char *dir, struct zl_error *err);

/** Sets one sysctl by name ("min_free_kbytes"); false when it is none that is modelled. */
bool zl_import_sysctl(struct zl_import *im, const char *name, const char *value);

/**
 * Settles what needed all files. @given are settings that win over the files (--set kernel=...).
 * Adds diagnostics for contradictions. Call once, behind the last file.
 */
void zl_import_finish(struct zl_import *im, const struct zl_settings *given);

/** Writes the counts of one file: "214 lines read, 98 used, 116 counted ...". */
size_t zl_import_summary(const struct zl_import_file *f, char *buf, size_t size);

#endif
