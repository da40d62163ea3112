/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of answers: the same rows as text with columns fitted to their content, as CSV, and as
 * JSON objects. Cells are added row by row, from left to right; a full row starts the next one.
 */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include "command.h"

/** One column; constant. */
struct column {
	const char *key;   /* in JSON and CSV */
	const char *title; /* in text, "|" breaks it into two lines; NULL = not in text */
	bool right;	   /* numbers */
};

#define TABLE_COLUMNS_MAX 24

struct table {
	struct output *out;
	const struct column *column;
	size_t nr_columns;
	size_t nr_cells;
	struct zl_json *rows; /* JSON: where rows go, borrowed; NULL otherwise */
	struct zl_json *row;
	struct zl_buf cells; /* terminated strings, as they are printed */
	unsigned drop[TABLE_COLUMNS_MAX];
};

/** @rows  array of the JSON answer, NULL for other formats. @columns must outlive the table. */
void table_init(struct table *t, struct output *out, struct zl_json *rows,
	const struct column *columns, size_t nr_columns);
/** Text too wide for the page loses the columns with the highest @rank first; 0 = stays. */
void table_drop(struct table *t, const char *key, unsigned rank);
void table_text(struct table *t, const char *s);
/** A count: grouped in text, plain elsewhere. */
void table_number(struct table *t, uint64_t v);
/** Bytes: "32 MiB" in text, plain elsewhere. */
void table_bytes(struct table *t, uint64_t v);
/** true and false in JSON and CSV; in text @yes or @no. */
void table_bool(struct table *t, bool v, const char *yes, const char *no);
/** What does not exist: "-" in text, empty in CSV, null in JSON. */
void table_none(struct table *t);
/**
 * Prints what was collected and frees it. The last column of text may wrap; the width is
 * output_columns().
 */
void table_print(struct table *t);

/** Wraps words at @columns; later lines start at @indent. Ends the line. */
void text_wrap(struct zl_buf *b, size_t indent, size_t columns, const char *s);

#endif
