/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CMA doctor: what a kernel does with each request for reserved memory, why, with which
 * message, and what to write instead. A request is a device-tree node, the command line's cma=
 * and its relatives, the Kconfig default, or a size typed by hand. Sizes and addresses are bytes.
 */
#ifndef ZONELAB_RESERVATION_H
#define ZONELAB_RESERVATION_H

#include "zonelab/diag.h"
#include "zonelab/geometry.h"
#include "zonelab/machine.h"
#include "zonelab/ranges.h"
#include "zonelab/release.h"

#define ZL_POOLS_MAX	    128
#define ZL_POOL_NAME	    96
#define ZL_POOL_WINDOWS	    16 /* alloc-ranges of one node */
#define ZL_POOL_REGS	    16 /* further pairs of one reg property */
#define ZL_POOL_MESSAGES    5
#define ZL_POOL_MESSAGE	    200
#define ZL_POOL_REASON	    240
#define ZL_POOL_BLOCKERS    4
#define ZL_RESERVED_REGIONS 64 /* MAX_RESERVED_REGIONS. Source: drivers/of/of_private.h, v6.12 */
#define ZL_SMP_CACHE_BYTES  64 /* alignment of regions that ask for none, arm64 and x86 */

enum zl_pool_source {
	ZL_SOURCE_DTS,
	ZL_SOURCE_DTB,
	ZL_SOURCE_CMDLINE,
	ZL_SOURCE_CONFIG,
	ZL_SOURCE_LOG,
	ZL_SOURCE_MANUAL,
	ZL_SOURCE_COUNT
};

enum zl_pool_class {
	ZL_POOL_CMA,
	ZL_POOL_COHERENT, /* shared-dma-pool without reusable */
	ZL_POOL_NO_MAP,	  /* taken out of the linear map */
	ZL_POOL_GENERIC,  /* reserved, and nothing more */
	ZL_POOL_IGNORED,
	ZL_POOL_CLASS_COUNT
};

enum zl_pool_verdict {
	ZL_VERDICT_ACCEPTED,
	ZL_VERDICT_REFUSED,  /* would be refused wherever it is */
	ZL_VERDICT_NO_ROOM,  /* legal, but no hole takes it */
	ZL_VERDICT_BYPASSED, /* another source wins */
	ZL_VERDICT_NONE,     /* ignored, or asks for nothing */
	ZL_POOL_VERDICT_COUNT
};

enum zl_pool_placement {
	ZL_PLACEMENT_PLACED,
	ZL_PLACEMENT_NO_ROOM,
	ZL_PLACEMENT_UNKNOWN, /* no banks are known */
	ZL_PLACEMENT_COUNT
};

/** What is wrong with the form of a node, before any arithmetic. */
enum zl_node_fault {
	ZL_NODE_OK,
	ZL_NODE_DISABLED,	  /* status is neither okay nor absent */
	ZL_NODE_PARENT,		  /* cells differ from the root's, or no ranges */
	ZL_NODE_REG_LENGTH,	  /* reg is no whole number of (address, size) */
	ZL_NODE_SIZE_LENGTH,	  /* size is not exactly #size-cells */
	ZL_NODE_ALIGNMENT_LENGTH, /* alignment is not exactly #address-cells */
	ZL_NODE_RANGES_LENGTH,	  /* alloc-ranges is no whole number of pairs */
	ZL_NODE_NEITHER,	  /* neither reg nor size */
	ZL_NODE_UNKNOWN_VALUE,	  /* an unresolved macro or reference in reg or size */
	ZL_NODE_FAULT_COUNT
};

/** How memory is asked for; the kernel treats each differently. */
enum zl_request_kind {
	ZL_REQUEST_NODE,      /* a child of /reserved-memory, or a size typed by hand */
	ZL_REQUEST_DEFAULT,   /* the default area: cma= or CMA_SIZE_* */
	ZL_REQUEST_NODE_AREA, /* cma_pernuma=, numa_cma= for one NUMA node */
	ZL_REQUEST_HUGETLB,   /* hugetlb_cma= for one NUMA node */
	ZL_REQUEST_KIND_COUNT
};

struct zl_request {
	enum zl_request_kind kind;
	enum zl_pool_source source;
	char name[ZL_POOL_NAME];
	/* nodes */
	enum zl_node_fault fault;
	bool dma_pool; /* compatible has "shared-dma-pool" */
	bool has_compatible;
	bool reusable, no_map, cma_default;
	bool has_reg;	   /* static: base is given */
	bool size_ignored; /* size stands beside reg */
	uint64_t ignored_size;
	uint64_t base, size;
	uint64_t alignment; /* 0 = none given */
	size_t nr_windows;
	struct zl_range window[ZL_POOL_WINDOWS];
	size_t nr_regs; /* pairs behind the first */
	struct zl_range reg[ZL_POOL_REGS];
	/* the others */
	uint64_t limit; /* as given, 0 = none */
	int node;	/* ZL_ANY_NODE, or the NUMA node */
	uint64_t unit;	/* hugetlb_cma: bytes of a gigantic page */
	size_t origin;	/* the reader's own index of where it stands */
	bool edited;	/* size or base were changed by hand and differ from the source */
};

/** Why a verdict is as it is. */
enum zl_pool_reason {
	ZL_REASON_FITS,
	ZL_REASON_ROUNDED,    /* accepted, larger than asked */
	ZL_REASON_NO_RULE,    /* not CMA: no alignment rule */
	ZL_REASON_SIZE,	      /* size is no multiple of A */
	ZL_REASON_BASE,	      /* base is no multiple of A */
	ZL_REASON_BASE_SIZE,  /* neither is */
	ZL_REASON_LIMIT,      /* size rounded up passes the limit rounded down */
	ZL_REASON_HIGHMEM,    /* lies on both sides of the highmem boundary */
	ZL_REASON_SLOTS,      /* MAX_CMA_AREAS reached */
	ZL_REASON_REGIONS,    /* MAX_RESERVED_REGIONS reached */
	ZL_REASON_NO_HOLE,    /* no hole for it */
	ZL_REASON_TAKEN,      /* the fixed place is reserved already */
	ZL_REASON_OUTSIDE,    /* not all of it is memory */
	ZL_REASON_ZONES,      /* crosses a zone boundary or two nodes */
	ZL_REASON_ZERO,	      /* asks for nothing */
	ZL_REASON_OVERRIDDEN, /* another source is the default area */
	ZL_REASON_NO_DMA_CMA, /* CONFIG_DMA_CMA is off */
	ZL_REASON_GIGANTIC,   /* hugetlb_cma= below or no multiple of a gigantic page */
	ZL_REASON_FAULT,      /* the node's form, see zl_node_fault */
	ZL_POOL_REASON_COUNT
};

struct zl_pool {
	size_t request; /* index */
	enum zl_pool_class class;
	enum zl_pool_verdict verdict;
	enum zl_pool_placement placement;
	enum zl_pool_reason reason;
	bool base_known;
	uint64_t base;	    /* where it lies */
	uint64_t size;	    /* what is taken; 0 when refused */
	uint64_t alignment; /* after all rules */
	uint64_t limit;	    /* refused for it: where an area has to end */
	bool required_base_known;
	uint64_t required_bytes, required_base; /* to write instead */
	uint64_t waste;				/* required_bytes less asked bytes */
	uint64_t next_down, next_up; /* legal sizes around the one asked; down 0 = none */
	bool is_default;	     /* this is the default area */
	bool silent;		     /* as asked for */
	size_t nr_messages;
	unsigned main_message; /* the one that names the verdict */
	/* windows of alloc-ranges */
	uint64_t window_hole; /* largest hole in one window, in bytes from an aligned start */
	uint64_t slack;	      /* window_hole less size, 0 when it does not fit */
	size_t nr_blockers;
	struct zl_range blocker[ZL_POOL_BLOCKERS];
	/* neighbours among the pools of this report: index + 1, 0 = none */
	size_t overlaps, touches;
	char text[ZL_POOL_REASON]; /* the reason in a sentence with its figures */
	char message[ZL_POOL_MESSAGES][ZL_POOL_MESSAGE]; /* what the kernel prints, in order */
};

/** What the plan needs to know about the kernel and its memory. */
struct zl_reserve_in {
	const struct zl_geometry *geometry;
	const struct zl_switches *switches;
	const struct zl_memory_map *map; /* before any of the requests */
	const struct zl_request *requests;
	size_t nr_requests;
	bool cmdline_cma; /* cma= is given, be it 0 */
	bool silent;	  /* no reasons and no lines of the kernel in words */
};

struct zl_reserve_report {
	size_t nr_pools;
	struct zl_memory_map map; /* after all */
	uint64_t alignment;	  /* CMA_MIN_ALIGNMENT_BYTES */
	uint64_t requested;	  /* CMA pools, bypassed ones not counted */
	uint64_t required;
	uint64_t given;		 /* CmaTotal */
	uint64_t reserved_other; /* no-map, coherent and generic bytes */
	unsigned areas, max_areas;
	size_t nr_refused, nr_no_room;
	size_t default_pool; /* index + 1, 0 = none */
	struct zl_hole hole; /* largest aligned one left */
	/*
	 * Pageblocks of all banks, 0 when those are unknown. Left for UNMOVABLE and RECLAIMABLE is
	 * what is neither CMA nor reserved as a whole; bytes_left counts every byte not reserved.
	 */
	uint64_t blocks, cma_blocks, blocks_left, bytes_left;
	struct zl_pool pool[ZL_POOLS_MAX]; /* those behind nr_pools hold nothing */
};

/**
 * Plays the boot: reserves what has an address, places the rest, then the areas of the command
 * line and of Kconfig, in the order of this release.
 *
 * Source: drivers/of/fdt.c, early_init_fdt_scan_reserved_mem(), v6.1; drivers/of/of_reserved_mem.c,
 * fdt_init_reserved_mem(), v6.1 and v6.12; kernel/dma/contiguous.c, rmem_cma_setup() and
 * dma_contiguous_reserve(), v6.1 and v6.12; mm/cma.c, cma_declare_contiguous_nid(), v6.1 and v6.12.
 * Simplified: what the kernel itself reserves (image, initrd, page structures) counts only as far
 * as the map shows it.
 */
void zl_reserve_plan(const struct zl_reserve_in *in, struct zl_reserve_report *ret);

/** Counts pageblocks and the largest hole again, after report.map or report.given was changed. */
void zl_reserve_recount(const struct zl_reserve_in *in, struct zl_reserve_report *report);

/**
 * Writes the requests as they should be written, so that the same boot gives every CMA pool its own
 * memory. What can stay as it is stays; nodes with an address and cma=SIZE@BASE are moved as little
 * as can be, pools that are in order only when the others find no place otherwise. A pool that no
 * try gives memory to is left as it was written; @ret_report has its verdict and reason.
 * @ret         nr_requests
 * @ret_report  the plan of @ret
 * Simplified: so many boots are tried; where memory is nearly full, a place may be missed.
 */
void zl_reserve_correct(const struct zl_reserve_in *in, const struct zl_reserve_report *report,
	struct zl_request *ret, struct zl_reserve_report *ret_report);

/**
 * The region that a node must ask for: (a) and (b) of the alignment rule.
 * Source: mm/cma.c, cma_init_reserved_mem(), v6.12.
 */
uint64_t zl_required_size(uint64_t size, uint64_t align);
struct zl_range zl_enclosing_region(uint64_t base, uint64_t size, uint64_t align);

/**
 * Reads the value of cma=: SIZE[@BASE[-LIMIT]], numbers with K M G T P E as memparse() takes them.
 * Returns 0; -EINVAL when it does not start with a number. *ret_rest is where reading stopped.
 * Source: kernel/dma/contiguous.c, early_cma(), v6.12; lib/cmdline.c, memparse(), v6.12.
 */
struct zl_cma_param {
	uint64_t size, base, limit;
	bool has_base, has_limit;
};
int zl_cma_param_parse(const char *value, struct zl_cma_param *ret, const char **ret_rest);
/** One number of memparse(); returns the end, or @s itself when there is none. */
const char *zl_memparse(const char *s, uint64_t *ret);

/**
 * The last value of a parameter in a command line, quotes removed; later ones win, as in the
 * kernel. What stands behind "--" is for init.
 * Returns false when the parameter is not there; a parameter without `=` gives "".
 */
bool zl_cmdline_find(const char *cmdline, const char *name, char *buf, size_t size);
/** Whether the last such parameter stands without "=". */
bool zl_cmdline_bare(const char *cmdline, const char *name);
/**
 * Sizes by NUMA node: SIZE for the whole, or N:SIZE[,N:SIZE...].
 * @ret_size   ZL_NODE_SIZES_MAX sizes, zeroed where none is given
 * Returns 1 when single nodes are named, 0 for one size (in ret_size[0]), -EINVAL for neither.
 * Source: mm/hugetlb.c, cmdline_parse_hugetlb_cma(), v6.12; kernel/dma/contiguous.c,
 * early_numa_cma(), v6.12.
 */
#define ZL_NODE_SIZES_MAX 64
int zl_node_sizes_parse(const char *value, uint64_t ret_size[ZL_NODE_SIZES_MAX]);
/**
 * Bytes of a gigantic page, the unit of hugetlb_cma=; 0 where there is none.
 * Source: arch/arm64/mm/hugetlbpage.c, arm64_hugetlb_cma_reserve(), v6.12; arch/s390, arch/x86,
 * arch/riscv: PUD_SIZE.
 */
uint64_t zl_gigantic_page_bytes(const struct zl_geometry *g);
/**
 * What hugetlb_cma=SIZE asks for on each of @nodes nodes.
 * Source: mm/hugetlb.c, hugetlb_cma_reserve(), v6.12.
 */
void zl_hugetlb_cma_split(
	uint64_t total, uint64_t unit, unsigned nodes, uint64_t ret_size[ZL_NODE_SIZES_MAX]);

/** Where one reserved area is searched for, and how. Limits as cma_declare_contiguous() has them. */
struct zl_declare {
	uint64_t base, size, limit, alignment;
	unsigned order_per_bit;
	bool fixed;
	int node;
};
enum zl_declare_result {
	ZL_DECLARE_OK,
	ZL_DECLARE_SILENT,    /* -EINVAL before anything is printed (to 6.14) */
	ZL_DECLARE_UNALIGNED, /* M3 */
	ZL_DECLARE_HIGHMEM,   /* M4 */
	ZL_DECLARE_LIMIT,     /* M5 */
	ZL_DECLARE_BUSY,      /* fixed and taken */
	ZL_DECLARE_NO_MEMORY,
	ZL_DECLARE_RESULT_COUNT
};
/** Values after rounding; base is where it lies, when the result is OK and banks are known. */
struct zl_declared {
	uint64_t base, size, limit, alignment;
	bool fixed, placed;
};
/** Source: mm/cma.c, cma_declare_contiguous_nid(), v6.1, v6.12, v6.16. */
enum zl_declare_result zl_cma_declare(const struct zl_reserve_in *in,
	const struct zl_memory_map *map, const struct zl_declare *d, struct zl_declared *ret);

const char *zl_pool_source_name(enum zl_pool_source s);
const char *zl_pool_class_name(enum zl_pool_class c);
const char *zl_pool_verdict_name(enum zl_pool_verdict v);
const char *zl_pool_placement_name(enum zl_pool_placement p);
const char *zl_pool_reason_name(enum zl_pool_reason r);

/**
 * A map without banks for the machine: direction, limits, address width, zone boundaries.
 * @end_of_memory  0 = unknown
 * Simplified: DMA limits are those without dma-ranges and ACPI; 32-bit low memory is 760 MiB.
 */
void zl_memory_map_init(
	struct zl_memory_map *map, const struct zl_geometry *g, uint64_t start_of_memory);

#endif
