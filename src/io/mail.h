/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the mail reader share.
 */
#ifndef ZONELAB_IO_MAIL_H
#define ZONELAB_IO_MAIL_H

#include "arena.h"
#include "scan.h"
#include "zonelab/file.h"
#include "zonelab/mail.h"

/* Decoded text with the file's line of each of its lines. */
struct mail_sink {
	struct zl_arena *arena;
	char *data;
	size_t len, cap;
	uint32_t *line;
	size_t nr_lines, cap_lines;
	bool open; /* the last line has begun */
	bool failed;
};
void mail_sink_byte(struct mail_sink *s, char c, unsigned line);

enum mail_encoding { MAIL_PLAIN, MAIL_QUOTED_PRINTABLE, MAIL_BASE64 };
enum mail_charset { MAIL_UTF8, MAIL_LATIN1, MAIL_LATIN9, MAIL_CP1252, MAIL_UNKNOWN };

/* What the header of a message or of a part says. */
struct mail_header {
	struct scan subject; /* folded as it stands; empty = none */
	enum mail_encoding encoding;
	enum mail_charset charset;
	char charset_name[32];
	char type[32]; /* "text/plain", lower case; "" = none */
	char boundary[128];
	bool flowed;
	bool patch_name; /* a file name that ends in .patch or .diff */
};

/*
 * Reads a header up to the blank line and moves behind it. Without a header (the first line is no
 * known field) nothing moves. Returns 0 or -E2BIG.
 */
int mail_header_read(struct zl_lines *l, struct mail_header *ret, struct zl_error *err);
/* Whether a line begins like a field that mails have. */
bool mail_is_field(const char *s, size_t n);

enum mail_charset mail_charset_find(const char *name, size_t n);
/* One byte of a character set as UTF-8. */
void mail_put_char(struct mail_sink *out, enum mail_charset set, unsigned char c, unsigned line);
/* Decodes the lines that are left in @l. */
void mail_decode(struct zl_lines *l, const struct mail_header *h, struct mail_sink *out);
/* "&gt;" and the like, as web archives leave them, back to characters. */
void mail_undo_entities(char *text, size_t *len);

#endif
