/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between the files of corrected source: edits, and the words around the numbers.
 */
#ifndef ZONELAB_IO_DTS_FIX_H
#define ZONELAB_IO_DTS_FIX_H

#include "zonelab/dts_reservations.h"

/** Adds an edit of [begin, end) of a file; without room for it, `lost` grows. */
void dts_edit_add(struct zl_dts_fix *fix, unsigned file, const uint32_t span[2], const char *text);

/** A node whose numbers change, and how. */
struct dts_change {
	const struct zl_dts_node *node;
	const struct zl_dts_prop *prop; /* the statement that changes */
	struct zl_range old, now;	/* base counts with has_base only */
	bool has_base;
	bool keeps_name; /* another node stands where this one goes */
};

/**
 * What the text says beside the numbers: the unit address, paths with it, and comments that name
 * the old size or address, which then say what is and what was.
 */
void dts_words_follow(
	const struct zl_dts *dts, const struct dts_change *change, struct zl_dts_fix *fix);

#endif
