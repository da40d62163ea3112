/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that grows line by line, so that work can be taken up where it stopped.
 */
#ifndef ZONELAB_APPEND_H
#define ZONELAB_APPEND_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/**
 * Opens @path, makes it if it is not there, and cuts it to @keep bytes; what is written comes
 * behind them. Returns a descriptor, or -errno with a sentence.
 */
int zl_append_open(const char *path, uint64_t keep, struct zl_error *err);
/** Writes all of it. Returns 0 or -errno with a sentence. */
int zl_append(int fd, const char *data, size_t n, struct zl_error *err);
/** Returns 0 or -errno with a sentence. */
int zl_append_close(int fd, struct zl_error *err);

#endif
