/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One bad input: where it is, what is wrong, what would be right.
 */
#ifndef ZONELAB_ERROR_H
#define ZONELAB_ERROR_H

#include "zonelab/types.h"

/** line and column count from 1; 0 = unknown. `file` is what the user typed. */
struct zl_error {
	char file[256];
	unsigned line;
	unsigned column;
	char text[448]; /* "what is wrong; what would be right" */
};

/** Fills @err (may be NULL) with a formatted sentence; verbs as in zonelab/text.h. */
void zl_error_set(struct zl_error *err, unsigned line, unsigned column, const char *fmt, ...);
/** Sets the file name, cut if need be. @err may be NULL. */
void zl_error_file(struct zl_error *err, const char *file);
/** Writes "file:line:column: text" (parts that are unknown are left out). */
size_t zl_error_format(const struct zl_error *err, char *buf, size_t size);
/** -errno of the call that has just failed; -EIO when it left none, so that it never says 0. */
int zl_errno(void);

#endif
