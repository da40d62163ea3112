/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of test data: gzip-compressed text, one header line, columns split by tabs.
 */
#ifndef TESTS_SUPPORT_TSV_H
#define TESTS_SUPPORT_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSV_COLUMNS_MAX 32
#define TSV_LINE_MAX	4096

struct tsv {
	void *gz;
	unsigned line; /* of the present row, from 1 */
	size_t columns;
	char header[TSV_LINE_MAX];
	char text[TSV_LINE_MAX];
	const char *name[TSV_COLUMNS_MAX];
	const char *cell[TSV_COLUMNS_MAX];
};

/** Opens TEST_DATA/@path and reads the header; fails the test when that is impossible. */
void tsv_open(struct tsv *t, const char *path);
/** Reads the next row; false at the end (then the file is closed). */
bool tsv_next(struct tsv *t);
/** A cell by column name; fails the test for an unknown name. */
const char *tsv_text(const struct tsv *t, const char *column);
uint64_t tsv_u64(const struct tsv *t, const char *column);

#endif
