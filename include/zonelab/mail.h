/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mails as text: an mbox, one mail, a whole thread copied from an archive, or no mail at all (then
 * the file is one message without a subject). Transfer encodings and character sets are undone,
 * parts that are no text are left out, and every line knows where it stood in the file.
 */
#ifndef ZONELAB_MAIL_H
#define ZONELAB_MAIL_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/** Limits; each has its sentence. */
#define ZL_MAIL_BYTES_MAX    ((size_t)32 << 20)
#define ZL_MAIL_LINE_MAX     ((size_t)1 << 20)
#define ZL_MAIL_MESSAGES_MAX 2048
#define ZL_MAIL_HEADER_MAX   ((size_t)1 << 20) /* bytes of one header, folded lines and all */
#define ZL_MAIL_PARTS_MAX    256	       /* parts of one message */
#define ZL_MAIL_DEPTH_MAX    8		       /* parts within parts */
/** Longest subject kept; what is longer is cut. */
#define ZL_MAIL_SUBJECT_MAX 256

/** What the tags of a subject say: "Re: [RFC PATCH 6.6.y v3 2/4] mm: more of it". */
struct zl_mail_subject {
	char text[ZL_MAIL_SUBJECT_MAX]; /* one clean line; "" = none */
	size_t stem;			/* where the words after the tags begin */
	unsigned version;		/* 3; 1 when there is no vN */
	unsigned part, parts; /* 2 and 4; 0 and 0 for a patch alone, 0 of 4 = cover letter */
	bool reply;	      /* Re:, Fwd: */
	bool patch;	      /* a tag says PATCH */
	char tree[16];	      /* "6.6.y", "" when no tag names a release */
};

struct zl_mail_message {
	struct zl_mail_subject subject;
	unsigned source;     /* the caller's: which of several files */
	unsigned first_line; /* of the file */
	const char *text;    /* UTF-8, line feeds, terminated; control characters but tabs gone */
	size_t size;
	const uint32_t *line; /* for each line of text: its line in the file */
	size_t nr_lines;
	bool run_together;    /* line breaks were lost: headers and body were one line */
	bool unknown_charset; /* bytes above 127 became '?' */
	unsigned other_parts; /* parts that are no text, left out */
	char charset[32];     /* as the header named it */
};

struct zl_mail {
	struct zl_arena *arena;
	struct zl_mail_message *message;
	size_t nr_messages;
};

/**
 * Reads a file. @data is not kept.
 * Returns 0; -EINVAL with line and column for what is no text; -E2BIG with line and sentence when
 * a limit is reached; -ENOMEM.
 */
int zl_mail_read(const char *data, size_t size, const struct zl_allocator *mem, struct zl_mail *ret,
	struct zl_error *err);
/** Accepts a zeroed mail. */
void zl_mail_done(struct zl_mail *m);

/** Reads a subject line: encoded words decoded, tags understood. */
void zl_mail_subject_read(const char *s, size_t n, struct zl_mail_subject *ret);

#endif
