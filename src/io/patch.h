/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the patch reader share.
 */
#ifndef ZONELAB_IO_PATCH_H
#define ZONELAB_IO_PATCH_H

#include "arena.h"
#include "scan.h"
#include "zonelab/file.h"
#include "zonelab/patch.h"

struct patch_reader {
	struct zl_patches *p;
	struct zl_arena *arena;
	struct zl_error *err;
	size_t cap_patches;
	size_t nr_files, nr_hunks, nr_lines; /* of all */
};

/* Adds the diffs of one message to the list. Returns 0, -E2BIG or -ENOMEM. */
int patch_read_message(struct patch_reader *r, const struct zl_mail_message *m);

/*
 * A diff whose line breaks were lost: *@text becomes one with breaks again where marks show them.
 * Returns 0 or -ENOMEM.
 */
int patch_restore_breaks(struct patch_reader *r, struct scan *text, bool *ret_restored);

/* Marks what is used of the patches. Returns 0, -ENOENT or -ENOMEM. */
int patch_choose(struct patch_reader *r, unsigned version);

/* Looks for lines of figures in the text of a message. */
void patch_find_tables(struct zl_patches *p, const struct zl_mail_message *m);

/* One line of the text without its quote marks. */
struct patch_quoted {
	unsigned depth;
	struct scan text;
	uint32_t line;
};

struct patch_quoted patch_take_quotes(const struct zl_line *line, uint32_t source);
/* A signed mail has "- " in front of lines that begin with a dash; @is_signed begins as false. */
void patch_unescape(bool *is_signed, struct patch_quoted *q);
/* A diff that someone set in from the margin: its names say how far. @indent begins as 0. */
void patch_set_in(size_t *indent, struct patch_quoted *q, const struct zl_lines *rest);

#endif
