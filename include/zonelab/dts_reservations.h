/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a device tree to requests for reserved memory: the nodes of /reserved-memory (or pasted
 * without it), the banks of the memory nodes, /memreserve/ entries and the command line of /chosen.
 */
#ifndef ZONELAB_DTS_RESERVATIONS_H
#define ZONELAB_DTS_RESERVATIONS_H

#include "zonelab/dts.h"
#include "zonelab/reservation.h"

/** Where a request of a tree stands. */
struct zl_reservation_origin {
	const struct zl_dts_node *node;
	const struct zl_dts_prop *reg, *size, *alignment; /* as far as given */
	unsigned address_cells, size_cells;
};

/** What trees ask for. Large; keep it on the heap. */
struct zl_reservations {
	size_t nr_requests, dropped; /* dropped: above ZL_POOLS_MAX */
	struct zl_request request[ZL_POOLS_MAX];
	struct zl_reservation_origin origin[ZL_POOLS_MAX];
	struct zl_ranges banks, reserved;
	size_t nr_node_ranges;
	struct zl_node_range node_range[ZL_NODE_RANGES_MAX];
	char bootargs[ZL_CMDLINE_TEXT]; /* "" = none */
};

/**
 * Appends what a tree asks for; a tree read later may add to or override an earlier one only by
 * adding. request.origin indexes `origin`. Findings about the form go to @diags.
 *
 * Cells are those of the root, as the kernel reads them; a fragment without a root uses those of
 * /reserved-memory, and without that too, cells that fit the lengths of its values.
 * Source: drivers/of/fdt.c, __reserved_mem_reserve_reg(), v6.1; drivers/of/of_reserved_mem.c,
 * __reserved_mem_alloc_size(), v6.12.
 */
void zl_reservations_read(
	const struct zl_dts *dts, struct zl_reservations *ret, struct zl_diags *diags);

/* --- correcting the text --- */

/** One number to write in place of another; places are those of the file. */
struct zl_dts_edit {
	unsigned file;
	bool words; /* a name or a comment that follows a number */
	uint32_t begin, end;
	char text[40];
};
#define ZL_EDITS_MAX 512

struct zl_dts_fix {
	size_t count;
	size_t lost; /* corrections that have no place: blobs, macros of unknown value, too many */
	struct zl_dts_edit edit[ZL_EDITS_MAX];
};

/**
 * Collects the edits that turn the requests of a tree into the corrected ones (see
 * zl_reserve_correct()). Only cells whose value changes are touched; a number keeps the base,
 * case and zero padding that it was written with. The unit address follows the address in reg, and
 * a comment that names what changes keeps its text as past: "32 MiB (was 4 MiB)".
 */
void zl_dts_fix_collect(const struct zl_dts *dts, const struct zl_reservations *have,
	const struct zl_request *want, struct zl_dts_fix *ret);

/** True when the node is one of this tree; NULL is none. */
bool zl_dts_holds(const struct zl_dts *dts, const struct zl_dts_node *node);
/**
 * Adds the edit that takes a node out: its text goes; where something refers to its label, it is
 * disabled instead.
 */
void zl_dts_fix_remove(
	const struct zl_dts *dts, const struct zl_dts_node *node, struct zl_dts_fix *fix);
/**
 * Adds the edits that put a new node for a pool behind the last child of /reserved-memory, with the
 * cells of that node. Returns whether there is such a place; a blob and a tree without
 * /reserved-memory have none.
 */
bool zl_dts_fix_add(const struct zl_dts *dts, const struct zl_request *q, struct zl_dts_fix *fix);
/** Leaves the numbers alone: what follows them is not edited. */
void zl_dts_fix_numbers_only(struct zl_dts_fix *fix);
/** Puts edits in the order of files and places. */
void zl_dts_fix_sort(struct zl_dts_fix *fix);

struct zl_text;
/** Appends a number in so many cells; two where one does not hold it. */
void zl_dts_cells(struct zl_text *t, uint64_t v, unsigned n);

struct zl_buf;
/** Appends the whole corrected text of a file. */
void zl_dts_fix_text(
	const struct zl_dts *dts, unsigned file, const struct zl_dts_fix *fix, struct zl_buf *out);
/** Appends a unified diff of every file that changes; nothing when none does. */
void zl_dts_fix_diff(const struct zl_dts *dts, const struct zl_dts_fix *fix, struct zl_buf *out);

#endif
