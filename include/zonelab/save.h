/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files are written whole or not at all: into a temporary file beside the target, synced, renamed.
 */
#ifndef ZONELAB_SAVE_H
#define ZONELAB_SAVE_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/**
 * Writes @size bytes to @path.
 * @overwrite  replace an existing file; otherwise it stays and -EEXIST is returned
 * Returns 0 or -errno with @err filled; the target is untouched on failure. "-" is standard output.
 */
int zl_save(const char *path, const char *data, size_t size, bool overwrite, struct zl_error *err);
/** Whether zl_save() without overwriting would refuse @path: 0, or -EEXIST with its sentence. */
int zl_save_refused(const char *path, struct zl_error *err);

/**
 * Whether zl_save() could write there now, for work that takes its time before it is written.
 * Leaves nothing behind. Returns as zl_save() does.
 */
int zl_save_possible(const char *path, bool overwrite, struct zl_error *err);

/**
 * Path of a file of ours in the XDG state directory ($XDG_STATE_HOME or ~/.local/state, then
 * zonelab/NAME); the directories are made. Returns 0; -ENOENT without a home.
 */
int zl_state_path(const char *name, char *buf, size_t size);

#endif
