/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches: the hunks of unified diffs, wherever they stand: bare, in mails, quoted in replies, in
 * threads with several versions. Nothing is applied and nothing is guessed: a hunk with fewer or
 * other lines than its header says is marked, so that its reader knows.
 */
#ifndef ZONELAB_PATCH_H
#define ZONELAB_PATCH_H

#include "zonelab/mail.h"

/** Limits; each has its sentence. */
#define ZL_PATCH_FILES_MAX  4096
#define ZL_PATCH_HUNKS_MAX  16384
#define ZL_PATCH_LINES_MAX  262144 /* of all hunks together */
#define ZL_PATCH_QUOTES_MAX 32	   /* depth of "> > > " */

enum zl_patch_line_kind { ZL_PATCH_CONTEXT, ZL_PATCH_OLD, ZL_PATCH_NEW };

struct zl_patch_line {
	enum zl_patch_line_kind kind;
	uint32_t line; /* in the file that was read */
	uint32_t len;
	const char *s; /* without the mark, not terminated */
};

struct zl_patch_hunk {
	uint32_t line;		       /* of its header, in the file that was read */
	uint32_t old_start, new_start; /* lines in the kernel's file */
	uint32_t old_count, new_count;
	const char *function; /* what stands behind the second @@, "" if nothing */
	struct zl_patch_line *lines;
	size_t nr_lines;
	bool cut;      /* lines are missing */
	bool surplus;  /* more lines follow than the header says: breaks were added on the way */
	bool mended;   /* wrapped lines were put together again */
	bool together; /* line breaks were lost and found again by the marks */
};

struct zl_patch_file {
	uint32_t line;
	const char *path; /* the kernel's path, new name first: "mm/page_alloc.c"; "" = not said */
	bool added, removed, binary;
	char blob[48]; /* left side of git's index line, "" if there is none */
	struct zl_patch_hunk *hunks;
	size_t nr_hunks;
};

/** What became of the diff of one message. */
enum zl_patch_use {
	ZL_PATCH_USED,
	ZL_PATCH_REPEATED,   /* the same diff as one that is used */
	ZL_PATCH_SUPERSEDED, /* a newer version is there */
	ZL_PATCH_QUOTED,     /* quoted, in whole or part, and nothing whole to compare with it */
	ZL_PATCH_OTHER	     /* differs from the one used: a proposal in a reply, another posting */
};
const char *zl_patch_use_name(enum zl_patch_use use);

/** The diff of one message at one depth of quoting. */
struct zl_patch {
	const struct zl_mail_message *message;
	unsigned depth; /* 0 = not quoted */
	uint32_t line;	/* of its first file or hunk */
	struct zl_patch_file *files;
	size_t nr_files;
	enum zl_patch_use use;
	size_t same_as; /* the used one, for REPEATED */
};

/** Lines of figures in a mail's text. */
struct zl_patch_table {
	const struct zl_mail_message *message;
	size_t first, count; /* lines of the message's text */
};
#define ZL_PATCH_TABLES_MAX 64

/** One file to read; borrowed while reading, the name as long as the patches. */
struct zl_patch_input {
	const char *name;
	const char *data;
	size_t size;
};

/** What to read. */
struct zl_patch_request {
	const struct zl_patch_input *input;
	size_t nr_inputs;
	unsigned version; /* the one to use, 0 = the newest */
};

struct zl_patches {
	struct zl_mail *mail; /* one an input */
	size_t nr_mails;
	struct zl_arena *arena;
	const struct zl_allocator *mem;
	struct zl_patch *patch; /* in the order of the file */
	size_t nr_patches;
	size_t nr_used; /* these are in `used`, in the order in which they apply */
	const struct zl_patch **used;
	unsigned version;     /* of the used ones */
	unsigned version_max; /* the newest there is */
	const char **names;   /* of the inputs */
	struct zl_patch_table table[ZL_PATCH_TABLES_MAX];
	size_t nr_tables;
};

/**
 * Reads every diff of the files and chooses: one version, the parts of a series in order, a whole
 * diff before a quoted one.
 * Returns 0, also when there is no diff at all; -E2BIG at a limit; -ENOENT when there is no such
 * version; -ENOMEM. @err says what and where.
 */
int zl_patches_read(const struct zl_patch_request *request, const struct zl_allocator *mem,
	struct zl_patches *ret, struct zl_error *err);
/** The input that a message came from. */
const char *zl_patch_source(const struct zl_patches *p, const struct zl_mail_message *m);
/** Accepts a zeroed object. */
void zl_patches_done(struct zl_patches *p);

#endif
