/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CMA doctor's state: files, what they ask for, the planned boot, the corrected one, and what
 * other settings would do. The command and the screen show the same state.
 */
#ifndef APP_RESERVE_H
#define APP_RESERVE_H

#include "app.h"
#include "zonelab/dmesg.h"
#include "zonelab/dts_reservations.h"
#include "zonelab/file.h"
#include "zonelab/import.h"

#define RESERVE_FILES_MAX 16
#define RESERVE_PORTS_MAX 48
#define RESERVE_LOG_MAX	  128

struct reserve_file {
	struct zl_file file;
	enum zl_file_kind kind;
	struct zl_dts *dts; /* NULL: no device tree in it */
	struct zl_dmesg log;
	bool has_log;
	struct zl_dts_fix fix;
};

/** Which knob a row of the portability table turns. */
enum reserve_axis { RESERVE_AXIS_PAGE_SIZE, RESERVE_AXIS_BLOCK_ORDER, RESERVE_AXIS_RELEASE };

/** The same requests under other settings. */
struct reserve_port {
	enum reserve_axis axis;
	bool present; /* the settings in force */
	char label[32];
	char set[40]; /* "page_size=16K" */
	bool buildable;
	uint64_t alignment;
	uint64_t required, given; /* bytes, all CMA pools */
	size_t nr_refused, nr_no_room;
	size_t first_refused; /* pool; SIZE_MAX = none */
	uint64_t min_free_kbytes;
	unsigned pageblock_order;
	char message[ZL_POOL_MESSAGE]; /* of the first pool that is not simply accepted */
};

/** What a log line says, and whether the plan says the same. */
enum reserve_log_fate { RESERVE_LOG_TOLD, RESERVE_LOG_AGREES, RESERVE_LOG_CONTRADICTS };
struct reserve_log_line {
	size_t file;
	const struct zl_dmesg_line *line;
	enum reserve_log_fate fate;
	char text[200]; /* in bytes, pages and cause */
};

/** A lower PAGE_BLOCK_(MAX_)ORDER that makes refused pools fit. */
struct reserve_hint {
	bool found;
	unsigned order;
	unsigned largest_order; /* with the same verdicts */
	uint64_t alignment;
	size_t still_refused;
	size_t first_refused; /* pool; SIZE_MAX = none */
	unsigned huge_order;  /* 0 = no huge pages; above `order`: they become rarer */
	uint64_t min_free_kbytes, min_free_before;
};

struct reserve {
	const struct zl_allocator *alloc;
	struct zl_profile profile;
	struct zl_machine machine;
	struct zl_diags machine_diags;
	size_t nr_files;
	struct reserve_file file[RESERVE_FILES_MAX];
	char include_dir[256]; /* "" = includes are not opened */
	bool iomem;	       /* reservations of the kernel itself are known */
	/* CMA_SIZE_* of the configuration, -1 = not said */
	int64_t cma_mbytes, cma_percentage;
	uint64_t hugetlb_total; /* hugetlb_cma=SIZE, split over the nodes; 0 = by node, or none */
	unsigned cma_select;	/* 0 mbytes, 1 percentage, 2 min, 3 max */
	struct zl_reservations have;
	size_t nr_planned; /* requests of `have` that the plan is about; the rest is of logs */
	size_t nr_removed; /* nodes taken out by hand */
	const struct zl_dts_node *removed[ZL_POOLS_MAX];
	struct zl_memory_map map;
	struct zl_reserve_in in;
	struct zl_reserve_report report;
	struct zl_request want[ZL_POOLS_MAX];
	bool added[ZL_POOLS_MAX]; /* the request is a new node of the corrected source */
	struct zl_reserve_report corrected;
	struct zl_diags diags;
	size_t nr_read_diags; /* of `diags`: found while reading */
	size_t nr_ports;
	bool no_ports; /* there was no memory to work them out */
	struct reserve_port port[RESERVE_PORTS_MAX];
	struct reserve_hint hint;
	size_t nr_log;
	struct reserve_log_line log[RESERVE_LOG_MAX];
	char needs_column[2][16];	 /* page sizes other than the present one, "" = none */
	char needs[2][ZL_POOLS_MAX][12]; /* what the boot of that page size makes of each pool */
};

/** What to read besides the machine of the lane. */
struct reserve_request {
	const char *const *path;
	size_t nr_paths;
	const uint64_t *size; /* pools typed by hand */
	size_t nr_sizes;
	const char *cmdline; /* NULL = of the settings and files */
	const char *include_dir;
	bool of_lane; /* the lane's machine, not an assumed one; without any request it is no error */
};

/**
 * Reads, plans and compares. *ret is freed with reserve_free().
 * Returns 0 or a negative errno with @err filled (then *ret is untouched).
 */
int reserve_new(const struct lane *lane, const struct reserve_request *request,
	const struct zl_allocator *a, struct reserve **ret, struct zl_error *err);
/** Accepts NULL. */
void reserve_free(struct reserve *r);
/** Plans again after have.request was changed (a pool moved, resized, added, removed). */
void reserve_replan(struct reserve *r);
/** The same with findings and logs: all that reserve_new() does after reading. */
void reserve_again(struct reserve *r);
/** "REFUSED", "accepted", "no-map": the word of the verdict column. */
const char *reserve_verdict_word(const struct zl_pool *p);
/** "32 MiB @0x54000000": the needs column. */
void reserve_needs_text(const struct reserve *r, const struct zl_pool *p, char *buf, size_t size);
/**
 * All corrections: a diff, a comment line for what no source can be changed for, and one for every
 * pool that stays without memory.
 */
/** Whether the correction writes anything else than what stands there. */
bool reserve_is_written(const struct reserve *r, const struct zl_pool *pool);
void reserve_fix_text(const struct reserve *r, struct zl_buf *out);
/** A diff of all device-tree sources as they should be. */
void reserve_diff(const struct reserve *r, struct zl_buf *out);
/** What would be right for a request that is no device-tree node: "cma=32M@0x50000000". */
size_t reserve_rewrite(const struct reserve *r, size_t pool, char *buf, size_t size);
/** Name of the area's row as screens show it. */
const char *reserve_pool_name(const struct reserve *r, const struct zl_pool *pool);

/** What to write for a pool; returns whether @ret_base means something. */
bool reserve_required(const struct reserve *r, const struct zl_pool *pool, uint64_t *ret_bytes,
	uint64_t *ret_base);

/** Bytes of all CMA pools as they are to be written. */
uint64_t reserve_total_required(const struct zl_reserve_report *report,
	const struct zl_request *have, const struct zl_request *want);

/* --- parts --- */
int reserve_load(struct reserve *r, const struct lane *lane, const struct reserve_request *q,
	struct zl_error *err);
/** The requests of hugetlb_cma= among copies of r->in.requests as another machine counts them. */
void reserve_hugetlb_at(
	const struct reserve *r, const struct zl_machine *m, struct zl_request *requests);
int reserve_add_requests(struct reserve *r, const struct reserve_request *q, struct zl_error *err);
void reserve_map(struct reserve *r);
void reserve_ports(struct reserve *r);
void reserve_findings(struct reserve *r);
/** Explains log lines and compares them with the plan; adds pools that only a log knows. */
void reserve_read_logs(struct reserve *r);

/* --- answers --- */
struct output;
void reserve_text(const struct reserve *r, struct output *out);
void reserve_csv(const struct reserve *r, struct output *out);
void reserve_json(const struct reserve *r, struct output *out);

#endif
