/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mails: header fields, and what the tags of a subject say.
 */
#include <errno.h>
#include <string.h>

#include "mail.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

static const char *const known_fields[] = {"ARC-", "Authentication-", "Bcc", "Cc", "Content-",
	"DKIM-", "Date", "Delivered-To", "DomainKey-", "Envelope-", "Errors-To", "Feedback-ID",
	"From", "Importance", "In-Reply-To", "Lines", "List-", "MIME-Version", "Mail-",
	"Message-ID", "Newsgroups", "Organization", "Original-", "Path", "Precedence", "Received",
	"References", "Reply-To", "Resent-", "Return-Path", "Sender", "Status", "Subject",
	"Thread-", "To", "User-Agent", "X-", "Xref", "Autocrypt", "Openpgp", "Archived-At",
	"Accept-Language"};

/* Length of the name before the colon, 0 when the line is no field. */
static size_t field_name(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
				(s[i] >= '0' && s[i] <= '9') || s[i] == '-' || s[i] == '_')) {
		i++;
	}
	return i > 0 && i < n && s[i] == ':' ? i : 0;
}

static bool prefix_nocase(const char *s, size_t n, const char *prefix)
{
	size_t len = strlen(prefix);

	for (size_t i = 0; i < len; i++) {
		if (i >= n || zl_lower(s[i]) != zl_lower(prefix[i])) {
			return false;
		}
	}
	return true;
}

/* Whether the field's name is @name; a name that ends in '-' is a family. */
static bool field_is(const char *s, size_t n, const char *name)
{
	size_t len = strlen(name);

	return prefix_nocase(s, n, name) && (name[len - 1] == '-' || (len < n && s[len] == ':'));
}

bool mail_is_field(const char *s, size_t n)
{
	if (field_name(s, n) == 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(known_fields) / sizeof(known_fields[0]); i++) {
		if (field_is(s, n, known_fields[i])) {
			return true;
		}
	}
	return false;
}

/* Where the value of a parameter begins ("charset=", "boundary="); false when it is not there. */
static bool parameter(const struct scan *value, const char *name, char *buf, size_t size)
{
	size_t len = strlen(name);

	for (const char *p = value->p; p < value->end && (size_t)(value->end - p) > len; p++) {
		bool start = p == value->p || scan_is_blank(p[-1]) || p[-1] == ';' || p[-1] == '\n';
		struct scan v = {p + len, value->end};
		const char *end;

		if (!start || !prefix_nocase(p, (size_t)(value->end - p), name)) {
			continue;
		}
		if (*v.p == '"') {
			v.p++;
			end = memchr(v.p, '"', scan_left(&v));
		} else {
			for (end = v.p; end < v.end && *end != ';' && !scan_is_blank(*end) &&
					*end != '\n' && *end != '\r';
				end++) {
			}
		}
		v.end = end != NULL ? end : v.end;
		scan_copy(&v, buf, size);
		return true;
	}
	return false;
}

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n > t && zl_streq_nocase(s + n - t, tail);
}

static void content_type(struct scan value, struct mail_header *h)
{
	char name[128];
	size_t n = 0;

	while (value.p < value.end && (scan_is_blank(*value.p) || *value.p == '\n')) {
		value.p++;
	}
	for (const char *p = value.p;
		p < value.end && *p != ';' && (unsigned char)*p > ' ' && n < sizeof(h->type) - 1;
		p++) {
		h->type[n++] = zl_lower(*p);
	}
	h->type[n] = '\0';
	if (parameter(&value, "charset=", h->charset_name, sizeof(h->charset_name))) {
		h->charset = mail_charset_find(h->charset_name, strlen(h->charset_name));
	}
	(void)parameter(&value, "boundary=", h->boundary, sizeof(h->boundary));
	if (parameter(&value, "format=", name, sizeof(name))) {
		h->flowed = zl_streq_nocase(name, "flowed");
	}
	if (parameter(&value, "name=", name, sizeof(name))) {
		h->patch_name = ends_with(name, ".patch") || ends_with(name, ".diff");
	}
}

static void encoding(struct scan value, struct mail_header *h)
{
	struct scan v = scan_trim(value);

	h->encoding = MAIL_PLAIN;
	if (prefix_nocase(v.p, scan_left(&v), "quoted-printable")) {
		h->encoding = MAIL_QUOTED_PRINTABLE;
	} else if (prefix_nocase(v.p, scan_left(&v), "base64")) {
		h->encoding = MAIL_BASE64;
	}
}

/* One field from its name to the end of its last folded line. */
static void take_field(const char *s, const char *end, struct mail_header *h)
{
	size_t n = (size_t)(end - s);
	struct scan value = {s + field_name(s, n) + 1, end};
	char name[128];

	if (field_is(s, n, "Subject")) {
		h->subject = value;
	} else if (field_is(s, n, "Content-Type")) {
		content_type(value, h);
	} else if (field_is(s, n, "Content-Transfer-Encoding")) {
		encoding(value, h);
	} else if (field_is(s, n, "Content-Disposition") &&
		   parameter(&value, "filename=", name, sizeof(name))) {
		h->patch_name |= ends_with(name, ".patch") || ends_with(name, ".diff");
	}
}

int mail_header_read(struct zl_lines *l, struct mail_header *ret, struct zl_error *err)
{
	const char *field = NULL, *field_end = NULL;
	struct zl_lines at = *l;
	struct zl_line line;
	size_t start = l->pos;
	bool any = false;

	memset(ret, 0, sizeof(*ret));
	while (zl_lines_next(&at, &line)) {
		bool folded = field != NULL && line.len > 0 && scan_is_blank(line.s[0]);

		if (at.pos - start > ZL_MAIL_HEADER_MAX) {
			zl_error_set(err, line.number, 0,
				"a mail header of more than %Z; is this a mail at all",
				(uint64_t)ZL_MAIL_HEADER_MAX);
			return -E2BIG;
		}
		if (!folded && field != NULL) {
			take_field(field, field_end, ret);
			field = NULL;
		}
		if (line.len == 0) {
			*l = at;
			break;
		}
		if (!folded && !any && !mail_is_field(line.s, line.len)) {
			break; /* no header: nothing has moved */
		}
		if (!folded && field_name(line.s, line.len) > 0) {
			field = line.s;
		}
		field_end = line.s + line.len;
		any = true;
	}
	if (field != NULL) {
		take_field(field, field_end, ret);
		*l = at;
	}
	return 0;
}

/* --- subjects --- */

/* "=?utf-8?q?=5BPATCH=5D?=" at *@c; false when it is none. */
static bool encoded_word(struct scan *c, struct mail_sink *out)
{
	const char *set = c->p + 2, *how, *text, *end;
	struct mail_header h = {0};
	struct zl_lines l;
	char buf[ZL_MAIL_SUBJECT_MAX * 2];
	size_t n = 0;

	if (!scan_peek(c, "=?")) {
		return false;
	}
	how = memchr(set, '?', (size_t)(c->end - set));
	if (how == NULL || c->end - how < 4 || how[2] != '?') {
		return false;
	}
	text = how + 3;
	struct scan rest = {text, c->end};
	end = scan_find(&rest, "?=", 2);
	if (end == NULL || (size_t)(end - text) > sizeof(buf) - 2) {
		return false;
	}
	h.charset = mail_charset_find(set, (size_t)(how - set));
	h.encoding = zl_lower(how[1]) == 'b' ? MAIL_BASE64 : MAIL_QUOTED_PRINTABLE;
	for (const char *p = text; p < end; p++) {
		buf[n++] = *p == '_' && h.encoding == MAIL_QUOTED_PRINTABLE ? ' ' : *p;
	}
	if (h.encoding == MAIL_QUOTED_PRINTABLE) {
		buf[n++] = '='; /* no line break, and blanks at the end stay */
	}
	zl_lines_init(&l, buf, n);
	mail_decode(&l, &h, out);
	if (h.encoding == MAIL_BASE64 && out->len > 0 && out->data[out->len - 1] == '\n') {
		out->len--;
	}
	c->p = end + 2;
	return true;
}

static void subject_text(const char *s, size_t n, struct zl_mail_subject *ret)
{
	char room[ZL_MAIL_SUBJECT_MAX * 4];
	uint32_t lines[4];
	struct mail_sink out = {.data = room, .cap = sizeof(room), .line = lines, .cap_lines = 4};
	struct scan c = scan_of(s, n);
	size_t len = 0;

	while (c.p < c.end && out.len < sizeof(room) / 2) {
		if (encoded_word(&c, &out)) {
			struct scan gap = c;

			while (gap.p < gap.end &&
				(scan_is_blank(*gap.p) || *gap.p == '\r' || *gap.p == '\n')) {
				gap.p++;
			}
			c = scan_peek(&gap, "=?") ? gap : c;
			continue;
		}
		out.open = true;
		room[out.len++] = *c.p == '\n' || *c.p == '\r' || *c.p == '\t' ? ' ' : *c.p;
		c.p++;
	}
	for (size_t i = 0; i < out.len; i++) { /* folding leaves several blanks */
		if (room[i] == '\n') {
			room[i] = ' ';
		}
		if (room[i] != ' ' || (len > 0 && room[len - 1] != ' ')) {
			room[len++] = room[i];
		}
	}
	while (len > 0 && room[len - 1] == ' ') {
		len--;
	}
	zl_clean_line(ret->text, sizeof(ret->text), room, len);
}

/* A word between brackets: PATCH, v3, 2/4, 6.6.y. */
static void read_tag(struct scan word, struct zl_mail_subject *ret)
{
	struct scan c = word;
	uint64_t a = 0, b = 0;

	if (prefix_nocase(word.p, scan_left(&word), "patch")) {
		ret->patch = true;
		c.p += 5;
	}
	if (c.p < c.end && (*c.p == 'v' || *c.p == 'V')) {
		c.p++;
		if (scan_u64(&c, &a) && c.p == c.end && a < 1000) {
			ret->version = (unsigned)a;
		}
		return;
	}
	if (!scan_u64(&c, &a)) {
		return;
	}
	if (c.p < c.end && *c.p == '/') {
		c.p++;
		if (scan_u64(&c, &b) && c.p == c.end && a <= b && b < 10000) {
			ret->part = (unsigned)a;
			ret->parts = (unsigned)b;
		}
	} else if (c.p < c.end && *c.p == '.' && a < 100) {
		scan_copy(&word, ret->tree, sizeof(ret->tree));
	}
}

void zl_mail_subject_read(const char *s, size_t n, struct zl_mail_subject *ret)
{
	static const char *const replies[] = {"re:", "fwd:", "fw:", "aw:", "sv:"};
	struct scan c, word;
	bool more = true;

	memset(ret, 0, sizeof(*ret));
	ret->version = 1;
	subject_text(s, n, ret);
	c = scan_of(ret->text, strlen(ret->text));
	while (more) {
		more = false;
		scan_blanks(&c);
		for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
			if (prefix_nocase(c.p, scan_left(&c), replies[i])) {
				c.p += strlen(replies[i]);
				ret->reply = true;
				more = true;
			}
		}
		if (c.p < c.end && *c.p == '[') {
			const char *end = memchr(c.p, ']', scan_left(&c));
			struct scan tag = {c.p + 1, end};

			if (end == NULL) {
				break;
			}
			while (scan_blanks(&tag), scan_word(&tag, &word)) {
				read_tag(word, ret);
			}
			c.p = end + 1;
			more = true;
		}
	}
	scan_blanks(&c);
	ret->stem = (size_t)(c.p - ret->text);
}
