/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of cma= as the kernel reads them: numbers in C notation with one binary suffix. As there,
 * an overflow wraps; the caller refuses what is out of range.
 */
#include <errno.h>
#include <string.h>

#include "zonelab/reservation.h"
#include "zonelab/text.h"

#define SUFFIX_BITS	10
#define GIB		(UINT64_C(1) << 30)
#define SHIFT_64K	16u
#define ZL_CMDLINE_WORD 256

static int digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'F') {
		return c - 'A' + 10;
	}
	return -1;
}

static unsigned suffix(char c)
{
	static const char letters[] = "KkMmGgTtPpEe";

	for (unsigned i = 0; letters[i] != '\0'; i++) {
		if (letters[i] == c) {
			return (i / 2 + 1) * SUFFIX_BITS;
		}
	}
	return 0;
}

const char *zl_memparse(const char *s, uint64_t *ret)
{
	const char *p = s;
	unsigned base = 10;
	unsigned shift;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) >= 0) {
		base = 16;
		p += 2;
	} else if (p[0] == '0') {
		base = 8;
	}
	*ret = 0;
	if (digit(p[0]) < 0 || (unsigned)digit(p[0]) >= base) {
		return s;
	}
	while (digit(*p) >= 0 && (unsigned)digit(*p) < base) {
		*ret = *ret * base + (unsigned)digit(*p);
		p++;
	}
	shift = suffix(*p);
	*ret <<= shift;
	return shift > 0 ? p + 1 : p;
}

int zl_cma_param_parse(const char *value, struct zl_cma_param *ret, const char **ret_rest)
{
	struct zl_cma_param r = {.size = 0};
	const char *p = zl_memparse(value, &r.size);

	if (p == value) {
		return -EINVAL;
	}
	if (*p == '@') {
		r.has_base = true;
		p = zl_memparse(p + 1, &r.base);
		if (*p == '-') {
			r.has_limit = true;
			p = zl_memparse(p + 1, &r.limit);
		} else {
			r.limit = r.base + r.size;
		}
	}
	*ret = r;
	*ret_rest = p;
	return 0;
}

/* Copies a word without its quotes; returns what follows it. */
static const char *word_at(const char *p, char *buf, size_t size)
{
	struct zl_text t;
	bool quoted = false;

	zl_text_init(&t, buf, size);
	while (*p == ' ' || *p == '\t' || *p == '\n') {
		p++;
	}
	for (; *p != '\0' && (quoted || (*p != ' ' && *p != '\t' && *p != '\n')); p++) {
		if (*p == '"') {
			quoted = !quoted;
		} else {
			zl_text_chr(&t, *p);
		}
	}
	return p;
}

/* The last such parameter: its value, and whether it stands without "=". */
static bool find(const char *cmdline, const char *name, struct zl_text *value, bool *ret_bare)
{
	size_t n = strlen(name);
	bool found = false;
	char word[ZL_CMDLINE_WORD];

	for (const char *p = cmdline; *p != '\0';) {
		p = word_at(p, word, sizeof(word));
		if (strcmp(word, "--") == 0) {
			break;
		}
		if (strncmp(word, name, n) == 0 && (word[n] == '=' || word[n] == '\0')) {
			*ret_bare = word[n] == '\0';
			zl_text_init(value, value->buf, value->size);
			zl_text_str(value, *ret_bare ? "" : word + n + 1);
			found = true;
		}
	}
	return found;
}

bool zl_cmdline_find(const char *cmdline, const char *name, char *buf, size_t size)
{
	struct zl_text value = {.buf = buf, .size = size};
	bool bare;

	return find(cmdline, name, &value, &bare);
}

bool zl_cmdline_bare(const char *cmdline, const char *name)
{
	char ignored[ZL_CMDLINE_WORD];
	struct zl_text value = {.buf = ignored, .size = sizeof(ignored)};
	bool bare = false;

	return find(cmdline, name, &value, &bare) && bare;
}

int zl_node_sizes_parse(const char *value, uint64_t ret_size[ZL_NODE_SIZES_MAX])
{
	const char *p = value;
	bool any = false;

	memset(ret_size, 0, ZL_NODE_SIZES_MAX * sizeof(*ret_size));
	for (;;) {
		uint64_t node = 0;
		const char *end = zl_memparse(p, &node);

		if (end == p) {
			break;
		}
		if (*end != ':') {
			if (!any) {
				ret_size[0] = node;
				return 0;
			}
			break;
		}
		p = end + 1;
		end = zl_memparse(p, node < ZL_NODE_SIZES_MAX ? &ret_size[node] : &node);
		if (end == p) {
			break;
		}
		any = true;
		if (*end != ',') {
			break;
		}
		p = end + 1;
	}
	return any ? 1 : -EINVAL;
}

uint64_t zl_gigantic_page_bytes(const struct zl_geometry *g)
{
	static const struct {
		const char *arch;
		uint64_t bytes;
	} rows[] = {
		{"arm64",	  GIB    },
		{"x86_64",	   GIB    },
		{"riscv64",   GIB    },
		{"powerpc64", GIB	 },
		{"s390",	 2 * GIB},
		{"s390x",	  2 * GIB},
	};

	if (g->arch == NULL || !g->hugetlb) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(g->arch->arch, rows[i].arch) == 0) {
			bool arm64_64k = i == 0 && g->page_shift == SHIFT_64K;

			return arm64_64k ? 16 * GIB : rows[i].bytes;
		}
	}
	return 0;
}

void zl_hugetlb_cma_split(
	uint64_t total, uint64_t unit, unsigned nodes, uint64_t ret_size[ZL_NODE_SIZES_MAX])
{
	uint64_t each = nodes > 0 ? total / nodes + (total % nodes != 0) : total;
	uint64_t left = total;

	memset(ret_size, 0, ZL_NODE_SIZES_MAX * sizeof(*ret_size));
	each = zl_round_up(each, unit);
	for (unsigned i = 0; i < nodes && i < ZL_NODE_SIZES_MAX && left > 0; i++) {
		uint64_t size = each < left ? each : left;

		ret_size[i] = zl_round_up(size, unit);
		left -= size;
	}
}
