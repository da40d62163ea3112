/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel command line: parameters that decide about CMA, zones and huge pages. Typing errors
 * in sizes are found here, because the kernel reads what it can and says nothing.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"

#define WORD_MAX 256
/* memparse() takes one of these letters behind a number. */
#define UNITS "KMGTPEkmgtpe"

enum param_rule { PARAM_SIZE, PARAM_SIZE_AT, PARAM_NODE_SIZES, PARAM_ZONE_SIZE, PARAM_THP };

static const struct {
	const char *name;
	enum param_rule rule;
} params[] = {
	{"cma",		  PARAM_SIZE_AT   },
	{"cma_pernuma",		PARAM_SIZE	  },
	{"hugetlb_cma",		PARAM_NODE_SIZES},
	{"kernelcore",	       PARAM_ZONE_SIZE },
	{"mem",		  PARAM_SIZE	  },
	{"movablecore",		PARAM_ZONE_SIZE },
	{"numa_cma",	     PARAM_NODE_SIZES},
	{"transparent_hugepage", PARAM_THP	  },
};
#define NR_PARAMS (sizeof(params) / sizeof(params[0]))

/* Index of a parameter, NR_PARAMS = none that the model knows. */
static size_t find_param(const struct scan *name)
{
	size_t i = 0;

	while (i < NR_PARAMS && !scan_equal(name, params[i].name)) {
		i++;
	}
	return i;
}

static bool is_known_word(const char *word, size_t n)
{
	const char *equals = memchr(word, '=', n);
	struct scan name = {word, equals != NULL ? equals : word + n};

	return find_param(&name) < NR_PARAMS ||
	       (equals != NULL &&
		       (scan_literal(&name, "sysctl.vm.") || scan_literal(&name, "sysctl/vm/")));
}

void zl_cmdline_known_words(char *cmdline)
{
	char *out = cmdline;
	const char *s = cmdline;

	while (*s != '\0') {
		bool quoted = false;
		size_t n = 0;

		for (; s[n] != '\0' && (quoted || s[n] != ' '); n++) {
			quoted = quoted != (s[n] == '"');
		}
		/* What stands behind "--" is for init. */
		if (n == 2 && s[0] == '-' && s[1] == '-') {
			break;
		}
		if (is_known_word(s, n)) {
			if (out != cmdline) {
				*out++ = ' ';
			}
			memmove(out, s, n);
			out += n;
		}
		s += n;
		s += *s == ' ';
	}
	*out = '\0';
}

void zl_cmdline_known_setting(struct zl_settings *s)
{
	zl_cmdline_known_words(s->cmdline);
	if (s->cmdline[0] == '\0') {
		zl_settings_unset(s, ZL_SET_CMDLINE);
	}
}

/* Moves over one size as memparse() would; false when there is no digit. */
static bool skip_size(struct scan *c)
{
	uint64_t v = 0;
	bool hex = scan_left(c) > 2 && c->p[0] == '0' && (c->p[1] == 'x' || c->p[1] == 'X');

	if (!(hex ? scan_hex(c, &v) : scan_u64(c, &v))) {
		return false;
	}
	if (c->p < c->end && memchr(UNITS, *c->p, sizeof(UNITS) - 1) != NULL) {
		c->p++;
	}
	return true;
}

/* What is left when SIZE[@BASE[-LIMIT]] has been read. */
static bool skip_size_at(struct scan *c)
{
	if (!skip_size(c)) {
		return false;
	}
	if (c->p < c->end && *c->p == '@') {
		c->p++;
		if (!skip_size(c)) {
			return false;
		}
		if (c->p < c->end && *c->p == '-') {
			c->p++;
			return skip_size(c);
		}
	}
	return true;
}

/* SIZE, or N:SIZE[,N:SIZE...] */
static bool skip_node_sizes(struct scan *c)
{
	for (;;) {
		struct scan node = *c;
		uint64_t v = 0;

		if (scan_u64(&node, &v) && node.p < node.end && *node.p == ':') {
			c->p = node.p + 1;
		}
		if (!skip_size(c)) {
			return false;
		}
		if (c->p == c->end || *c->p != ',') {
			return true;
		}
		c->p++;
	}
}

/* SIZE, N% or mirror */
static bool skip_zone_size(struct scan *c)
{
	if (scan_literal(c, "mirror")) {
		return true;
	}
	if (!skip_size(c)) {
		return false;
	}
	if (c->p < c->end && *c->p == '%') {
		c->p++;
	}
	return true;
}

static const char *form_of(enum param_rule rule)
{
	switch (rule) {
	case PARAM_SIZE:
		return "SIZE, as 64M";
	case PARAM_SIZE_AT:
		return "SIZE[@BASE[-LIMIT]], as 64M or 64M@0x50000000";
	case PARAM_NODE_SIZES:
		return "SIZE or NODE:SIZE,NODE:SIZE, as 0:1G,1:1G";
	case PARAM_ZONE_SIZE:
		return "SIZE, PERCENT% or mirror";
	case PARAM_THP:
		return "always, madvise or never";
	}
	return "";
}

static bool skip_value(enum param_rule rule, struct scan *c)
{
	switch (rule) {
	case PARAM_SIZE:
		return skip_size(c);
	case PARAM_SIZE_AT:
		return skip_size_at(c);
	case PARAM_NODE_SIZES:
		return skip_node_sizes(c);
	case PARAM_ZONE_SIZE:
		return skip_zone_size(c);
	case PARAM_THP:
		break;
	}
	return false;
}

static void warn_typo(struct zl_import *im, const char *word, const struct scan *rest, size_t i)
{
	char tail[32];

	scan_copy(rest, tail, sizeof(tail));
	struct zl_diag *d = zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_CMDLINE,
		"%s: the kernel stops reading at \"%s\" and ignores the rest", word, tail);
	zl_format(d->mend, sizeof(d->mend), "write %s", form_of(params[i].rule));
	d->about = ZL_SET_CMDLINE;
}

/* Checks NAME=VALUE; @word is its terminated copy for messages. */
static void check_param(struct zl_import *im, size_t i, struct scan value, const char *word)
{
	char name[16];

	if (params[i].rule == PARAM_THP) {
		scan_copy(&value, name, sizeof(name));
		int index = zl_setting_word_index(ZL_SET_THP_ENABLED, name);

		if (index >= 0) {
			import_set(im, ZL_SET_THP_ENABLED, index);
			return;
		}
	} else if (skip_value(params[i].rule, &value)) {
		if (value.p < value.end) {
			warn_typo(im, word, &value, i);
		}
		return;
	}
	struct zl_diag *d = zl_diag_add(&im->diags, ZL_ERROR, ZL_DIAG_IMPORT_CMDLINE,
		"%s has no value that the kernel can read", word);
	zl_format(d->mend, sizeof(d->mend), "write %s", form_of(params[i].rule));
	d->about = ZL_SET_CMDLINE;
}

/* sysctl.vm.NAME=VALUE is a write at the end of boot: the value is one that somebody set. */
static bool read_sysctl_param(struct zl_import *im, struct scan name, struct scan value)
{
	char key[64];
	char text[64];
	uint64_t v = 0;

	scan_copy(&name, key, sizeof(key));
	scan_copy(&value, text, sizeof(text));
	if (strcmp(key, "min_free_kbytes") == 0) {
		if (!scan_u64(&value, &v) || value.p < value.end || v > INT32_MAX) {
			return false;
		}
		import_set(im, ZL_SET_MIN_FREE_KBYTES, (int64_t)v);
		return true;
	}
	return zl_import_sysctl(im, key, text);
}

/* One word of the command line; true when it is a parameter that matters. */
static bool read_word(struct zl_import *im, const struct scan *word)
{
	const char *equals = memchr(word->p, '=', scan_left(word));
	char shown[WORD_MAX];

	if (equals == NULL) {
		return false;
	}
	struct scan name = {word->p, equals};
	struct scan value = {equals + 1, word->end};
	scan_copy(word, shown, sizeof(shown));
	if (scan_literal(&name, "sysctl.vm.") || scan_literal(&name, "sysctl/vm/")) {
		return read_sysctl_param(im, name, value);
	}
	size_t i = find_param(&name);
	if (i < NR_PARAMS) {
		check_param(im, i, value, shown);
	}
	return i < NR_PARAMS;
}

void import_cmdline(struct zl_import *im, const char *text, size_t len)
{
	struct scan c = scan_trim(scan_of(text, len));
	struct scan word;

	import_set_text(im, ZL_SET_CMDLINE, &c);
	while (scan_word(&c, &word)) {
		/* What follows is for init, not for the kernel. */
		if (scan_equal(&word, "--")) {
			return;
		}
		read_word(im, &word);
		scan_blanks(&c);
	}
}

int read_cmdline(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;
	bool read = false;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
		} else if (read) {
			import_complain(f, &line, 1, "a second line; a command line has one");
		} else {
			import_cmdline(im, c.p, scan_left(&c));
			import_count(f, ZL_LINE_USED, "command line");
			read = true;
		}
	}
	return 0;
}
