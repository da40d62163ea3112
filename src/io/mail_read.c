/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mails: where one message ends and the next begins, and the parts of each.
 */
#include <errno.h>
#include <string.h>

#include "mail.h"
#include "zonelab/clean.h"

/* A line longer than this with header fields inside has lost its line breaks. */
#define RUN_TOGETHER_BYTES 400
#define ESCAPE		   0x1b
/* Text has at most one control byte in so many. */
#define BINARY_SHARE 64

struct reading {
	struct zl_mail *mail;
	size_t cap;
	struct zl_error *err;
	struct zl_mail_message *message; /* the one being read */
	struct mail_sink out;		 /* its text */
	unsigned parts;			 /* of the message */
	bool forwarded;			 /* the next header is that of a mail in a mail */
};

static struct scan line_scan(const struct zl_line *line)
{
	return scan_of(line->s, line->len);
}

/* "From someone Mon Jan  1 00:00:00 2024": the line between messages of an mbox. */
static bool is_separator(const struct zl_line *line)
{
	struct scan c = line_scan(line);
	unsigned colons = 0;

	if (!scan_peek(&c, "From ") || line->len < 24) {
		return false;
	}
	for (size_t i = 1; i + 2 < line->len; i++) {
		colons += line->s[i] == ':' && line->s[i - 1] >= '0' && line->s[i - 1] <= '9' &&
			  line->s[i + 1] >= '0' && line->s[i + 1] <= '5';
	}
	return colons >= 2 && line->len < RUN_TOGETHER_BYTES;
}

/* "[PATCH v3] mm: ..." or "Re: [PATCH ...": the title of a message in a thread copied as text. */
static bool is_title(const struct zl_line *line)
{
	struct zl_mail_subject s;

	if (line->len < 10 || line->len > ZL_MAIL_SUBJECT_MAX ||
		(line->s[0] != '[' && line->s[0] != 'R' && line->s[0] != 'F')) {
		return false;
	}
	zl_mail_subject_read(line->s, line->len, &s);
	return s.patch && s.text[s.stem] != '\0';
}

static bool is_run_together(const struct zl_line *line)
{
	struct scan c = line_scan(line);

	return line->len > RUN_TOGETHER_BYTES && scan_find(&c, " Subject: ", 10) != NULL;
}

static struct zl_mail_message *add_message(struct reading *r, unsigned line)
{
	struct zl_mail *m = r->mail;
	struct zl_mail_message *ret;

	if (m->nr_messages == ZL_MAIL_MESSAGES_MAX) {
		zl_error_set(r->err, line, 0, "more than %u messages; give fewer at a time",
			(unsigned)ZL_MAIL_MESSAGES_MAX);
		return NULL;
	}
	ret = zl_arena_grow(m->arena, m->message, m->nr_messages, &r->cap, sizeof(*ret));
	if (ret == NULL) {
		return NULL;
	}
	m->message = ret;
	ret = &m->message[m->nr_messages++];
	memset(ret, 0, sizeof(*ret));
	ret->first_line = line;
	ret->subject.version = 1;
	return ret;
}

static int decode_entity(struct reading *r, struct zl_lines *l, unsigned depth);

static bool is_boundary(const struct zl_line *line, const char *boundary, bool *ret_last)
{
	size_t n = strlen(boundary);

	if (line->len < n + 2 || line->s[0] != '-' || line->s[1] != '-' ||
		memcmp(line->s + 2, boundary, n) != 0) {
		return false;
	}
	*ret_last = line->len >= n + 4 && memcmp(line->s + n + 2, "--", 2) == 0;
	return true;
}

/* The parts between the boundaries, one after the other. */
static int decode_multipart(
	struct reading *r, struct zl_lines *l, const struct mail_header *h, unsigned depth)
{
	struct zl_lines part = *l;
	struct zl_line line;
	bool inside = false, last = false;

	if (depth == ZL_MAIL_DEPTH_MAX) {
		zl_error_set(r->err, l->number, 0, "parts within parts, more than %u deep",
			(unsigned)ZL_MAIL_DEPTH_MAX);
		return -E2BIG;
	}
	while (!last) {
		struct zl_lines before = *l;
		bool more = zl_lines_next(l, &line);

		if (more && !is_boundary(&line, h->boundary, &last)) {
			continue;
		}
		if (inside) {
			int rc;

			part.size = more ? before.pos : l->size;
			rc = decode_entity(r, &part, depth + 1);
			if (rc != 0) {
				return rc;
			}
		}
		if (!more) {
			break;
		}
		part = *l;
		inside = true;
	}
	return 0;
}

static bool is_text(const struct mail_header *h)
{
	return h->type[0] == '\0' || strcmp(h->type, "text/plain") == 0 ||
	       strcmp(h->type, "text/x-patch") == 0 || strcmp(h->type, "text/x-diff") == 0 ||
	       h->patch_name;
}

/* One message or part: its header, then its text or its parts. */
static int decode_entity(struct reading *r, struct zl_lines *l, unsigned depth)
{
	struct zl_mail_message *msg = r->message;
	struct mail_header h;
	struct zl_line line;
	int rc = mail_header_read(l, &h, r->err);

	if (rc != 0) {
		return rc;
	}
	if (++r->parts > ZL_MAIL_PARTS_MAX) {
		zl_error_set(r->err, l->number, 0, "a message of more than %u parts",
			(unsigned)ZL_MAIL_PARTS_MAX);
		return -E2BIG;
	}
	if ((depth == 0 || (r->forwarded && !msg->subject.patch)) && scan_left(&h.subject) > 0) {
		zl_mail_subject_read(h.subject.p, scan_left(&h.subject), &msg->subject);
	}
	r->forwarded = strcmp(h.type, "message/rfc822") == 0 && depth < ZL_MAIL_DEPTH_MAX;
	if (r->forwarded) {
		return decode_entity(
			r, l, depth + 1); /* a mail in a mail, with headers of its own */
	}
	if (h.boundary[0] != '\0' && memcmp(h.type, "multipart/", 10) == 0) {
		return decode_multipart(r, l, &h, depth);
	}
	if (!is_text(&h)) {
		msg->other_parts++;
		while (zl_lines_next(l, &line)) {
		}
		return 0;
	}
	if (h.charset_name[0] != '\0') {
		memcpy(msg->charset, h.charset_name, sizeof(msg->charset));
		msg->unknown_charset |= h.charset == MAIL_UNKNOWN;
	}
	mail_decode(l, &h, &r->out);
	return 0;
}

/* A message whose headers and body are one line: its subject, then the line as it is. */
static void run_together(const struct zl_line *line, struct zl_mail_message *msg)
{
	static const char *const next[] = {" Content-", " Message-ID: ", " Message-Id: ", " Date: ",
		" MIME-Version: ", " To: ", " Cc: ", " From: ", " References: ", " X-",
		" In-Reply-To: ", " Precedence: ", " User-Agent: ", " List-"};
	struct scan c = line_scan(line);
	const char *end = c.end;

	c.p = scan_find(&c, " Subject: ", 10) + 10;
	for (size_t i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		struct scan rest = {c.p, end};
		const char *at = scan_find(&rest, next[i], strlen(next[i]));

		end = at != NULL ? at : end;
	}
	zl_mail_subject_read(c.p, (size_t)(end - c.p), &msg->subject);
	msg->run_together = true;
}

static bool all_blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] != '\n' && s[i] != '\r' && !scan_is_blank(s[i])) {
			return false;
		}
	}
	return true;
}

/* The lines of one message, from just behind the separator or from its first line. */
static int take_message(struct reading *r, struct zl_lines region, unsigned first, bool title)
{
	struct zl_mail_message *msg = add_message(r, first);
	struct mail_sink *out = &r->out;
	struct zl_lines peek = region;
	struct zl_line line;
	int rc;

	if (msg == NULL) {
		return r->mail->nr_messages == ZL_MAIL_MESSAGES_MAX ? -E2BIG : -ENOMEM;
	}
	r->parts = 0;
	r->message = msg;
	*out = (struct mail_sink){.arena = r->mail->arena};
	mail_sink_byte(out, '\n', first); /* room is made, also for an empty message */
	out->len = 0;
	out->nr_lines = 0;
	if (zl_lines_next(&peek, &line)) {
		if (title) {
			zl_mail_subject_read(line.s, line.len, &msg->subject);
			region = peek;
		} else if (is_run_together(&line)) {
			run_together(&line, msg);
		}
	}
	rc = decode_entity(r, &region, 0);
	if (rc != 0 || out->failed) {
		return rc != 0 ? rc : -ENOMEM;
	}
	out->data[out->len] = '\0';
	mail_undo_entities(out->data, &out->len);
	if (title && all_blank(out->data, out->len)) {
		r->mail->nr_messages--; /* archives repeat titles */
		return 0;
	}
	msg->text = out->data;
	msg->size = out->len;
	msg->line = out->line;
	msg->nr_lines = out->nr_lines;
	return 0;
}

/* What may begin a message, seen at one line. */
struct starts {
	bool separator, title;
};

static struct starts look(
	const struct zl_line *line, const struct zl_lines *rest, bool blank_before, bool mbox)
{
	struct starts ret = {0};
	struct zl_lines after = *rest;
	struct zl_line next;

	if (!blank_before) {
		return ret;
	}
	ret.separator = is_separator(line);
	if (!ret.separator && !mbox && is_title(line)) {
		ret.title = !zl_lines_next(&after, &next) || next.len == 0;
	}
	return ret;
}

static int split(struct reading *r, const char *data, size_t size)
{
	struct zl_lines l, region;
	struct zl_line line;
	bool blank = true, mbox = false, title = false;
	unsigned first = 1;
	int rc;

	zl_lines_init(&l, data, size);
	region = l;
	for (;;) {
		struct zl_lines before = l;
		struct starts s;

		if (!zl_lines_next(&l, &line)) {
			break;
		}
		if (line.len > ZL_MAIL_LINE_MAX) {
			zl_error_set(r->err, line.number, 0,
				"a line of %U bytes; at most %U are read", (uint64_t)line.len,
				(uint64_t)ZL_MAIL_LINE_MAX);
			return -E2BIG;
		}
		s = look(&line, &l, blank, mbox);
		blank = line.len == 0;
		if (!s.separator && !s.title) {
			continue;
		}
		region.size = before.pos;
		if (!all_blank(data + region.pos, region.size - region.pos)) {
			rc = take_message(r, region, first, title);
			if (rc != 0) {
				return rc;
			}
		}
		mbox |= s.separator;
		title = s.title;
		region = s.separator ? l : before;
		first = line.number;
	}
	region.size = size;
	return take_message(r, region, first, title);
}

/* Bytes that no text has; a stray one in a mail is none. */
static bool is_binary(unsigned char c)
{
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' &&
	       c != ESCAPE;
}

/* Text has no zero byte, and hardly any other control byte. */
static int check_text(const char *data, size_t size, struct zl_error *err)
{
	size_t bad = 0, first = 0, line = 1, start = 0;

	if (size == 0) {
		zl_error_set(err, 0, 0, "it is empty; a diff or a mail would be right");
		return -EINVAL;
	}
	for (size_t i = 0; i < size; i++) {
		bool zero = data[i] == '\0';

		if (is_binary((unsigned char)data[i]) && (bad++ == 0 || zero)) {
			first = i;
		}
		if (zero) {
			break;
		}
	}
	if (bad == 0 || (data[first] != '\0' && bad <= size / BINARY_SHARE)) {
		return 0;
	}
	for (size_t i = 0; i < first; i++) {
		if (data[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	zl_error_set(err, (unsigned)line, (unsigned)(first - start + 1),
		"byte %x is of no text; a diff or a mail would be right",
		(uint64_t)(unsigned char)data[first]);
	return -EINVAL;
}

int zl_mail_read(const char *data, size_t size, const struct zl_allocator *mem, struct zl_mail *ret,
	struct zl_error *err)
{
	struct reading r = {.mail = ret, .err = err};
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (size > ZL_MAIL_BYTES_MAX) {
		zl_error_set(err, 0, 0, "%Z of mail; at most %Z are read", (uint64_t)size,
			(uint64_t)ZL_MAIL_BYTES_MAX);
		return -E2BIG;
	}
	rc = check_text(data, size, err);
	if (rc != 0) {
		return rc;
	}
	ret->arena = zl_arena_new(mem);
	rc = ret->arena == NULL ? -ENOMEM : split(&r, data, size);
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for the mail");
	}
	if (rc != 0) {
		zl_mail_done(ret);
	}
	return rc;
}

void zl_mail_done(struct zl_mail *m)
{
	zl_arena_free(m->arena);
	memset(m, 0, sizeof(*m));
}
