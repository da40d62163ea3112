/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole files in memory, gzip unpacked, and their lines.
 */
#ifndef ZONELAB_FILE_H
#define ZONELAB_FILE_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/** Largest file that is read, in bytes after unpacking. */
#define ZL_FILE_MAX (UINT64_C(256) << 20)

struct zl_file {
	char name[256]; /* as typed, for messages */
	char *data;	/* terminated by a zero byte that `size` does not count */
	size_t size;
	bool gzip; /* was packed */
};

/** The C library's heap as an allocator. */
const struct zl_allocator *zl_allocator_heap(void);

/** Longest path that zl_file_absolute() gives. */
#define ZL_FILE_PATH 4096
/** The absolute path of a file that exists; false when there is none, and for "-". */
bool zl_file_absolute(const char *path, char ret[ZL_FILE_PATH]);

/**
 * Reads a whole file, "-" for standard input; what starts with gzip's magic is unpacked.
 *
 * @limit  most bytes, 0 = ZL_FILE_MAX
 * Returns 0; -errno of opening or reading; -EFBIG above the limit; -EINVAL for broken gzip data;
 * -ENOMEM. @err names the file and says what is wrong.
 */
int zl_file_load(const char *path, uint64_t limit, const struct zl_allocator *a,
	struct zl_file *ret, struct zl_error *err);
/** The same from memory: copies and unpacks; the name is "(memory)". */
int zl_file_from_memory(const void *data, size_t size, const struct zl_allocator *a,
	struct zl_file *ret, struct zl_error *err);
/** Whether a file of that name, no pipe or device, can be opened for reading. */
bool zl_file_can_be_read(const char *path);
/** Accepts a zeroed file. */
void zl_file_done(struct zl_file *f, const struct zl_allocator *a);

/** A line of a text: borrowed, without line feed and carriage return. */
struct zl_line {
	const char *s;
	size_t len;
	unsigned number; /* from 1 */
};

/** A walk over the lines of a text. */
struct zl_lines {
	const char *data;
	size_t size;
	size_t pos;
	unsigned number; /* of the line last given */
};
void zl_lines_init(struct zl_lines *l, const char *data, size_t size);
/** Gives the next line; false at the end. */
bool zl_lines_next(struct zl_lines *l, struct zl_line *ret);

#endif
