/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patch_condition.h"

#include <string.h>

#include "zonelab/text.h"

#define NESTING_MAX 32
#define SYMBOL_MAX  64

/* y is 1, n is 0; numbers are themselves. */
struct value {
	bool known;
	uint64_t n;
};

struct reader {
	const char *p;
	const struct zl_machine *m;
	char unknown[SYMBOL_MAX];
	unsigned depth;
	bool broken;
};

static bool word_begins(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* --- symbols --- */

static const struct {
	const char *name;
	uint64_t kib;
} page_sizes[] = {
	{"ARM64_4K_PAGES",  4  },
	{"ARM64_16K_PAGES", 16 },
	{"ARM64_64K_PAGES", 64 },
	{"PAGE_SIZE_4KB",	  4  },
	{"PAGE_SIZE_8KB",	  8  },
	{"PAGE_SIZE_16KB",  16 },
	{"PAGE_SIZE_32KB",  32 },
	{"PAGE_SIZE_64KB",  64 },
	{"PAGE_SIZE_256KB", 256},
	{"PPC_4K_PAGES",	 4  },
	{"PPC_16K_PAGES",	  16 },
	{"PPC_64K_PAGES",	  64 },
	{"PPC_256K_PAGES",  256},
};

#define ARCHS_64BIT "arm64 x86_64 riscv64 s390x powerpc64 sparc64 loongarch alpha parisc"

/* Blanks separate architectures that have the symbol. */
static const struct {
	const char *name, *arch;
} arch_symbols[] = {
	{"ARM64",	  "arm64"			 },
	{"ARM",	"arm"			},
	{"X86",	"x86_64 i386"		     },
	{"X86_64",	   "x86_64"			   },
	{"X86_32",	   "i386"			 },
	{"RISCV",	  "riscv64 riscv32"		   },
	{"S390",	 "s390x"			},
	{"PPC",	"powerpc64 powerpc32 powerpc"},
	{"PPC64",	  "powerpc64"		     },
	{"MIPS",	 "mips"		       },
	{"LOONGARCH", "loongarch"			 },
	{"SPARC64",   "sparc64"		     },
	{"ALPHA",	  "alpha"			 },
	{"M68K",	 "m68k"		       },
	{"PARISC",	   "parisc"			   },
	{"64BIT",	  ARCHS_64BIT		     },
};

static struct value yes_or_no(bool yes)
{
	return (struct value){true, yes ? 1 : 0};
}

static struct value build_option(const struct zl_machine *m, const char *name)
{
	const struct zl_geometry *g = &m->geometry;
	const struct {
		const char *name;
		bool yes;
	} options[] = {
		{"SMP",			m->smp    },
		{"NUMA",		 m->numa	},
		{"MMU",			!m->nommu },
		{"HUGETLB_PAGE",	 g->hugetlb},
		{"HUGETLBFS",	      g->hugetlb},
		{"TRANSPARENT_HUGEPAGE", g->thp    },
		{"CMA",			g->cma    },
		{"DMA_CMA",		    g->dma_cma},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(options[i].name, name) == 0) {
			return yes_or_no(options[i].yes);
		}
	}
	return (struct value){false, 0};
}

static struct value symbol_value(const struct zl_machine *m, const char *name)
{
	const struct zl_arch_row *row = m->geometry.arch;
	uint64_t n = 0;

	if (strcmp(name, "y") == 0 || strcmp(name, "n") == 0) {
		return yes_or_no(name[0] == 'y');
	}
	if (zl_parse_u64(name, &n) == 0) {
		return (struct value){true, n};
	}
	for (size_t i = 0; i < sizeof(page_sizes) / sizeof(page_sizes[0]); i++) {
		const char *arch = strncmp(name, "ARM64", 5) == 0 ? "arm64"
				   : strncmp(name, "PPC", 3) == 0 ? "powerpc"
								  : "";

		if (strcmp(page_sizes[i].name, name) == 0) {
			return yes_or_no(
				m->geometry.page_size == page_sizes[i].kib << 10 &&
				(row == NULL || strncmp(row->arch, arch, strlen(arch)) == 0));
		}
	}
	for (size_t i = 0; row != NULL && i < sizeof(arch_symbols) / sizeof(arch_symbols[0]); i++) {
		if (strcmp(arch_symbols[i].name, name) == 0) {
			return yes_or_no(zl_words_hold(arch_symbols[i].arch, row->arch));
		}
	}
	if (strcmp(name, "ARCH_FORCE_MAX_ORDER") == 0) {
		return (struct value){true, m->geometry.max_order_symbol_value};
	}
	return build_option(m, name);
}

/* --- expressions --- */

static enum patch_truth either(struct reader *r);

static void blanks(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t') {
		r->p++;
	}
}

static bool take(struct reader *r, const char *mark)
{
	size_t n = strlen(mark);

	blanks(r);
	if (strncmp(r->p, mark, n) != 0) {
		return false;
	}
	r->p += n;
	return true;
}

static struct value operand(struct reader *r)
{
	char name[SYMBOL_MAX];
	struct value v;
	size_t n = 0;
	bool quoted;

	blanks(r);
	quoted = *r->p == '"';
	r->p += quoted ? 1 : 0;
	while (word_begins(r->p[n]) && n + 1 < sizeof(name)) {
		n++;
	}
	zl_format(name, n + 1, "%s", r->p);
	r->p += n;
	if (n == 0 || (quoted && *r->p++ != '"')) {
		r->broken = true;
		return (struct value){false, 0};
	}
	v = symbol_value(r->m, name);
	if (!v.known && r->unknown[0] == '\0') {
		zl_format(r->unknown, sizeof(r->unknown), "%s", name);
	}
	return v;
}

static enum patch_truth truth(bool known, bool yes)
{
	return !known ? PATCH_UNKNOWN : yes ? PATCH_YES : PATCH_NO;
}

static enum patch_truth comparison(struct reader *r)
{
	struct value a = operand(r), b;

	if (take(r, "!=")) {
		b = operand(r);
		return truth(a.known && b.known, a.n != b.n);
	}
	if (take(r, "<=")) {
		b = operand(r);
		return truth(a.known && b.known, a.n <= b.n);
	}
	if (take(r, ">=")) {
		b = operand(r);
		return truth(a.known && b.known, a.n >= b.n);
	}
	if (take(r, "=")) {
		b = operand(r);
		return truth(a.known && b.known, a.n == b.n);
	}
	if (take(r, "<")) {
		b = operand(r);
		return truth(a.known && b.known, a.n < b.n);
	}
	if (take(r, ">")) {
		b = operand(r);
		return truth(a.known && b.known, a.n > b.n);
	}
	return truth(a.known, a.n != 0);
}

static enum patch_truth one(struct reader *r)
{
	enum patch_truth t;

	if (++r->depth > NESTING_MAX) {
		r->broken = true;
	}
	if (r->broken) {
		return PATCH_UNKNOWN;
	}
	if (take(r, "!")) {
		t = one(r);
		t = t == PATCH_UNKNOWN ? t : t == PATCH_YES ? PATCH_NO : PATCH_YES;
	} else if (take(r, "(")) {
		t = either(r);
		r->broken = r->broken || !take(r, ")");
	} else {
		t = comparison(r);
	}
	r->depth--;
	return t;
}

static enum patch_truth both(struct reader *r)
{
	enum patch_truth t = one(r);

	while (!r->broken && take(r, "&&")) {
		enum patch_truth next = one(r);

		t = t == PATCH_NO || next == PATCH_NO ? PATCH_NO : t > next ? t : next;
	}
	return t;
}

static enum patch_truth either(struct reader *r)
{
	enum patch_truth t = both(r);

	while (!r->broken && take(r, "||")) {
		enum patch_truth next = both(r);

		t = t == PATCH_YES || next == PATCH_YES ? PATCH_YES : t > next ? t : next;
	}
	return t;
}

enum patch_truth patch_condition(
	const char *text, const struct zl_machine *m, char *ret_unknown, size_t size)
{
	struct reader r = {.p = text, .m = m};
	enum patch_truth t = PATCH_UNKNOWN;

	if (text[0] == '\0') {
		t = PATCH_YES;
	} else if (m != NULL) {
		t = either(&r);
		blanks(&r);
		if (r.broken || *r.p != '\0') {
			t = PATCH_UNKNOWN;
			zl_format(r.unknown, sizeof(r.unknown), "this condition");
		}
	}
	if (ret_unknown != NULL) {
		zl_format(ret_unknown, size, "%s", t == PATCH_UNKNOWN ? r.unknown : "");
	}
	return t;
}
