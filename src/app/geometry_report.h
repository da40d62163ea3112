/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the answers of `geometry`.
 */
#ifndef APP_GEOMETRY_REPORT_H
#define APP_GEOMETRY_REPORT_H

#include "command.h"

/** One machine of an answer: the present one, or it at another page size or block order. */
struct geometry_case {
	struct zl_profile profile; /* borrows the zones */
	struct zl_machine machine;
	struct zl_diags diags;
};

#define GEOMETRY_POOLS_MAX COMMAND_WORDS

/** What was asked for besides the machine. */
struct geometry_request {
	uint64_t pool[GEOMETRY_POOLS_MAX]; /* --size */
	size_t nr_pools;
	uint64_t example; /* the pool of tables: the first of them, or pool_size */
};

/** The members of one geometry, and its pools. */
void geometry_json(
	struct zl_json *o, const struct geometry_case *c, const struct geometry_request *r);
void geometry_text(
	struct output *out, const struct geometry_case *c, const struct geometry_request *r);

struct table;
/** Rows of a table over page sizes; one geometry is a table of one row. */
void geometry_table_init(struct table *t, struct output *out, const struct geometry_request *r);
void geometry_table_row(struct table *t, const struct geometry_case *c,
	const struct geometry_request *r, bool present);

#endif
