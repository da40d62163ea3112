/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expr_lex.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

/* What may stand behind a number. Suffixes of C mean nothing here. */
static const struct {
	const char *suffix;
	int64_t factor;
} units[] = {
	{"GiB", INT64_C(1) << 30	},
	{"KiB", INT64_C(1) << 10	},
	{"L",   1		  },
	{"LL",  1		  },
	{"MiB", INT64_C(1) << 20	},
	{"TiB", INT64_C(1) << 40	},
	{"U",   1		  },
	{"UL",  1		  },
	{"ULL", 1		  },
	{"l",   1		  },
	{"ms",  INT64_C(1000000)   },
	{"ns",  1		  },
	{"s",   INT64_C(1000000000)},
	{"u",   1		  },
	{"ul",  1		  },
	{"us",  INT64_C(1000)	    },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digit_of(char c)
{
	if (is_digit(c)) {
		return c - '0';
	}
	c = zl_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int zl_lex_fail(struct lexer *l, unsigned start, const char *what)
{
	zl_error_set(l->err, 0, start + 1, "%s", what);
	return -EINVAL;
}

static int unit_factor(const char *s, unsigned len, int64_t *ret)
{
	*ret = 1;
	if (len == 0) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].suffix) == len && strncmp(units[i].suffix, s, len) == 0) {
			*ret = units[i].factor;
			return 0;
		}
	}
	return -EINVAL;
}

static int lex_number(struct lexer *l)
{
	struct token *t = &l->token;
	const char *s = l->text + t->start;
	unsigned at = 0;
	int base = 10;
	int64_t factor;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		at = 2;
		if (digit_of(s[at]) < 0) {
			return zl_lex_fail(l, t->start, "0x needs digits");
		}
	}
	t->value = 0;
	for (; digit_of(s[at]) >= 0 && digit_of(s[at]) < base; at++) {
		int d = digit_of(s[at]);

		if (t->value > (INT64_MAX - d) / base) {
			return zl_lex_fail(l, t->start, "the number does not fit 64 bits");
		}
		t->value = t->value * base + d;
	}
	unsigned unit = at;
	while (is_alpha(s[at]) || is_digit(s[at])) {
		at++;
	}
	if (unit_factor(s + unit, at - unit, &factor) < 0) {
		return zl_lex_fail(l, t->start + unit,
			"unknown unit behind a number; KiB MiB GiB TiB, ns us ms s");
	}
	if (t->value > INT64_MAX / factor) {
		return zl_lex_fail(l, t->start, "the number does not fit 64 bits");
	}
	t->value *= factor;
	t->kind = TOKEN_NUMBER;
	t->len = at;
	return 0;
}

/* Length of "." or "->" with the name behind it, or of "[number]"; 0 if there is none. */
static unsigned suffix_len(const char *s)
{
	unsigned at = 0;

	if (s[0] == '[') {
		for (at = 1; is_digit(s[at]); at++) {
		}
		return at > 1 && s[at] == ']' ? at + 1 : 0;
	}
	at = s[0] == '.' ? 1 : s[0] == '-' && s[1] == '>' ? 2 : 0;
	if (at == 0 || !is_alpha(s[at])) {
		return 0;
	}
	while (is_alpha(s[at]) || is_digit(s[at])) {
		at++;
	}
	return at;
}

static int lex_name(struct lexer *l)
{
	struct token *t = &l->token;
	const char *s = l->text + t->start;
	struct zl_text name;
	unsigned at = 0;

	while (is_alpha(s[at]) || is_digit(s[at])) {
		at++;
	}
	for (unsigned n = suffix_len(s + at); n > 0; n = suffix_len(s + at)) {
		at += n;
	}
	zl_text_init(&name, t->name, sizeof(t->name));
	for (unsigned i = 0; i < at; i++) {
		if (s[i] == '-') {
			zl_text_chr(&name, '.');
			i++;
		} else {
			zl_text_chr(&name, s[i]);
		}
	}
	t->kind = TOKEN_NAME;
	t->len = at;
	return name.cut ? zl_lex_fail(l, t->start, "the name is too long") : 0;
}

int zl_lex(struct lexer *l)
{
	static const char *const signs[] = {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>", NULL};
	struct token *t = &l->token;
	int rc = 0;

	while (l->text[l->pos] == ' ' || l->text[l->pos] == '\t' || l->text[l->pos] == '\n' ||
		l->text[l->pos] == '\r') {
		l->pos++;
	}
	t->start = l->pos;
	const char *s = l->text + l->pos;
	if (*s == '\0') {
		t->kind = TOKEN_END;
		t->len = 0;
	} else if (is_digit(*s)) {
		rc = lex_number(l);
	} else if (is_alpha(*s)) {
		rc = lex_name(l);
	} else {
		t->kind = strchr("+-*/%<>&|^!~?:(),", *s) != NULL ? TOKEN_SIGN : TOKEN_BAD;
		t->len = 1;
		for (unsigned i = 0; signs[i] != NULL; i++) {
			if (strncmp(s, signs[i], 2) == 0) {
				t->kind = TOKEN_SIGN;
				t->len = 2;
			}
		}
	}
	l->pos += t->len;
	return rc;
}

bool zl_lex_at(const struct lexer *l, const char *sign)
{
	return l->token.kind == TOKEN_SIGN && strlen(sign) == l->token.len &&
	       strncmp(l->text + l->token.start, sign, l->token.len) == 0;
}
