/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A planned boot from device-tree text, for tests. Everything lives on the heap; call rsv_done().
 */
#ifndef TEST_RESERVE_FIXTURE_H
#define TEST_RESERVE_FIXTURE_H

#include "geometry_fixture.h"
#include "zonelab/buffer.h"
#include "zonelab/dts_reservations.h"

struct rsv {
	struct geo geo;
	struct zl_dts *dts;
	struct zl_reservations *have;
	struct zl_memory_map map;
	struct zl_reserve_in in;
	struct zl_reserve_report *report, *corrected;
	struct zl_request want[ZL_POOLS_MAX]; /* as corrected */
	struct zl_dts_fix fix;
	struct zl_diags diags;
};

/** Reads a file of tests/data/cases. */
void rsv_case(struct rsv *r, const char *file, const char *kernel, const char *words);
/** The same from text. */
void rsv_text(struct rsv *r, const char *text, const char *kernel, const char *words);
/** Adds cma= (or, with NULL, a Kconfig default of @size) and plans again. */
void rsv_default(struct rsv *r, const char *cma, uint64_t size);
/** The pool of a node name; fails the test if there is none. */
const struct zl_pool *rsv_pool(const struct rsv *r, const char *name);
bool rsv_has_diag(const struct rsv *r, enum zl_diag_code code);
/** The corrected text of the first file, freed by the caller with zl_buf_done(). */
void rsv_fixed(const struct rsv *r, struct zl_buf *out);
void rsv_done(struct rsv *r);

#endif
