/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mails: transfer encodings and character sets undone, byte by byte, with line numbers kept.
 */
#include <string.h>

#include "mail.h"
#include "zonelab/text.h"

void mail_sink_byte(struct mail_sink *s, char c, unsigned line)
{
	bool kept = (unsigned char)c >= ' ' || c == '\t' || c == '\n';

	if (s->failed || !kept || c == 0x7f) {
		return;
	}
	char *data = zl_arena_grow(s->arena, s->data, s->len + 1, &s->cap, 1);
	uint32_t *lines =
		zl_arena_grow(s->arena, s->line, s->nr_lines, &s->cap_lines, sizeof(*s->line));
	if (data == NULL || lines == NULL) {
		s->failed = true;
		return;
	}
	s->data = data;
	s->line = lines;
	if (!s->open) {
		s->line[s->nr_lines++] = line;
	}
	s->open = c != '\n';
	s->data[s->len++] = c;
	s->data[s->len] = '\0';
}

/* --- character sets --- */

enum mail_charset mail_charset_find(const char *name, size_t n)
{
	static const struct {
		const char *name;
		enum mail_charset set;
	} sets[] = {
		{"utf-8",	  MAIL_UTF8  },
		{"utf8",	 MAIL_UTF8  },
		{"us-ascii",     MAIL_UTF8  },
		{"ascii",	  MAIL_UTF8  },
		{"iso-8859-1",   MAIL_LATIN1},
		{"latin1",	   MAIL_LATIN1},
		{"iso-8859-15",	MAIL_LATIN9},
		{"windows-1252", MAIL_CP1252},
		{"cp1252",	   MAIL_CP1252},
	};
	char low[32];
	size_t i;

	for (i = 0; i < n && i < sizeof(low) - 1; i++) {
		low[i] = zl_lower(name[i]);
	}
	low[i] = '\0';
	for (size_t k = 0; k < sizeof(sets) / sizeof(sets[0]); k++) {
		if (strcmp(low, sets[k].name) == 0) {
			return sets[k].set;
		}
	}
	return n == 0 ? MAIL_UTF8 : MAIL_UNKNOWN;
}

static void put_code(struct mail_sink *out, unsigned code, unsigned line)
{
	if (code < 0x80) {
		mail_sink_byte(out, (char)code, line);
	} else if (code < 0x800) {
		mail_sink_byte(out, (char)(0xc0 | code >> 6), line);
		mail_sink_byte(out, (char)(0x80 | (code & 0x3f)), line);
	} else {
		mail_sink_byte(out, (char)(0xe0 | code >> 12), line);
		mail_sink_byte(out, (char)(0x80 | (code >> 6 & 0x3f)), line);
		mail_sink_byte(out, (char)(0x80 | (code & 0x3f)), line);
	}
}

/* Windows-1252 puts characters where ISO 8859-1 has control characters: 0x80 to 0x9f. */
static unsigned cp1252(unsigned char c)
{
	static const unsigned short high[32] = {0x20ac, '?', 0x201a, 0x192, 0x201e, 0x2026, 0x2020,
		0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, '?', 0x17d, '?', '?', 0x2018, 0x2019,
		0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, '?',
		0x17e, 0x178};

	return c >= 0x80 && c < 0xa0 ? high[c - 0x80] : c;
}

void mail_put_char(struct mail_sink *out, enum mail_charset set, unsigned char c, unsigned line)
{
	if (c < 0x80 || set == MAIL_UTF8) {
		mail_sink_byte(out, (char)c, line);
		return;
	}
	switch (set) {
	case MAIL_LATIN1:
		put_code(out, c < 0xa0 ? '?' : c, line);
		break;
	case MAIL_LATIN9:
		put_code(out, c == 0xa4 ? 0x20ac : (c < 0xa0 ? '?' : c), line);
		break;
	case MAIL_CP1252:
		put_code(out, cp1252(c), line);
		break;
	case MAIL_UTF8:
	case MAIL_UNKNOWN:
		mail_sink_byte(out, '?', line);
		break;
	}
}

/* --- transfer encodings --- */

static void decode_qp_line(const struct zl_line *line, enum mail_charset set, struct mail_sink *out)
{
	size_t len = line->len;
	const char *s = line->s;

	while (len > 0 && scan_is_blank(s[len - 1])) {
		len--; /* blanks at the end were added on the way */
	}
	for (size_t i = 0; i < len; i++) {
		int c = scan_hex_pair(s + i + 1, len - i - 1);

		if (s[i] != '=') {
			mail_put_char(out, set, (unsigned char)s[i], line->number);
		} else if (i + 1 == len) {
			return; /* a soft break */
		} else if (c >= 0) {
			mail_put_char(out, set, (unsigned char)c, line->number);
			i += 2;
		} else {
			mail_put_char(out, set, '=', line->number); /* not encoded after all */
		}
	}
	mail_sink_byte(out, '\n', line->number);
}

static int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z') {
		return c - 'A';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 26;
	}
	if (c >= '0' && c <= '9') {
		return c - '0' + 52;
	}
	return c == '+' ? 62 : (c == '/' ? 63 : -1);
}

struct base64 {
	unsigned bits, count;
};

static void decode_base64(
	struct base64 *b, const struct zl_line *line, enum mail_charset set, struct mail_sink *out)
{
	for (size_t i = 0; i < line->len; i++) {
		int d = base64_digit(line->s[i]);

		if (d < 0) {
			continue;
		}
		b->bits = (b->bits << 6 | (unsigned)d) & 0xffffff;
		b->count += 6;
		if (b->count >= 8) {
			b->count -= 8;
			mail_put_char(out, set, (unsigned char)(b->bits >> b->count), line->number);
		}
	}
}

/* format=flowed: a blank at the end of a line means that the next one belongs to it. */
static void decode_plain_line(
	const struct zl_line *line, const struct mail_header *h, struct mail_sink *out)
{
	const char *s = line->s;
	size_t len = line->len;
	bool signature = len == 3 && memcmp(s, "-- ", 3) == 0;

	if (len > 5 && s[0] == '>' && memcmp(s + 1, "From ", 5) == 0) {
		s++; /* mbox writers put it there */
		len--;
	}
	if (h->flowed && len > 0 && s[0] == ' ') {
		s++;
		len--;
	}
	for (size_t i = 0; i < len; i++) {
		mail_put_char(out, h->charset, (unsigned char)s[i], line->number);
	}
	if (!h->flowed || signature || len == 0 || s[len - 1] != ' ') {
		mail_sink_byte(out, '\n', line->number);
	}
}

void mail_decode(struct zl_lines *l, const struct mail_header *h, struct mail_sink *out)
{
	struct base64 b = {0};
	struct zl_line line;

	while (zl_lines_next(l, &line)) {
		switch (h->encoding) {
		case MAIL_QUOTED_PRINTABLE:
			decode_qp_line(&line, h->charset, out);
			break;
		case MAIL_BASE64:
			decode_base64(&b, &line, h->charset, out);
			break;
		case MAIL_PLAIN:
			decode_plain_line(&line, h, out);
			break;
		}
	}
	if (out->open) {
		mail_sink_byte(out, '\n', l->number);
	}
}

/* --- what web archives do to text --- */

void mail_undo_entities(char *text, size_t *len)
{
	static const struct {
		const char *name, *to;
	} table[] = {
		{"&lt;",	 "<" },
		{"&gt;",	 ">" },
		{"&amp;",	  "&" },
		{"&quot;",	   "\""},
		{"&#39;",	  "'" },
		{"&nbsp;",	   " " },
		{"\xc2\xa0",     " " },
		{"\xe2\x80\x8b", ""  },
	};
	struct scan c = scan_of(text, *len);
	bool html = scan_find(&c, "-&gt;", 5) != NULL || scan_find(&c, "&amp;&amp;", 10) != NULL ||
		    scan_find(&c, "\n&gt;", 5) != NULL;
	size_t n = 0;

	for (size_t i = 0; i < *len;) {
		size_t k, used = 0;

		for (k = html ? 0 : 6; k < sizeof(table) / sizeof(table[0]); k++) {
			used = strlen(table[k].name);
			if (used <= *len - i && memcmp(text + i, table[k].name, used) == 0) {
				break;
			}
		}
		if (k == sizeof(table) / sizeof(table[0])) {
			text[n++] = text[i++];
			continue;
		}
		if (table[k].to[0] != '\0') {
			text[n++] = table[k].to[0];
		}
		i += used;
	}
	text[n] = '\0';
	*len = n;
}
