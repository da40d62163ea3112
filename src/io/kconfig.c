/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel configurations: .config, config.gz (unpacked before), defconfig fragments. A symbol that
 * a fragment lacks keeps its default; only a whole generated file says "off" by leaving it out.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

#define NAME_MAX_LENGTH 80
#define VALUE_MAX	ZL_CMDLINE_TEXT
#define SHIFT_MIN	12
#define SHIFT_MAX	18
/* A generated file with fewer symbols than this was cut and says nothing by omission. */
#define FULL_CONFIG_SYMBOLS 1000

enum symbol_rule {
	SYM_BOOL,	/* a yes/no setting */
	SYM_INT,	/* a number of a setting */
	SYM_MMU,	/* on or off of the MMU word */
	SYM_PAGE_SHIFT, /* log2 of the page size */
	SYM_PAGE_SIZE,	/* y chooses the row's number of KiB */
	SYM_HUGE_SIZE,	/* y chooses the row's number of KiB as huge page */
	SYM_WORD,	/* y chooses the row's word */
	SYM_MAX_ORDER,
	SYM_MAX_ZONEORDER,
	SYM_BLOCK_ORDER,
	SYM_BLOCK_MAX_ORDER,
	SYM_CMA_MBYTES,
	SYM_CMA_PERCENTAGE,
	SYM_CMA_SELECT, /* y chooses the row's number */
	SYM_ISOLATION,
	SYM_DEFERRED,
	SYM_CMDLINE
};

struct symbol {
	const char *name; /* without CONFIG_ */
	enum symbol_rule rule;
	enum zl_setting key;
	int64_t number;
	const char *word;
};

static const struct symbol symbols[] = {
	{"64BIT",			SYM_WORD,	    ZL_SETTING_COUNT,	      0,	 NULL	     },
	{"ALPHA",			SYM_WORD,	    ZL_SET_ARCH,		 0,	    "alpha"	   },
	{"ARC",			  SYM_WORD,		  ZL_SET_ARCH,	       0,	  "arc"       },
	{"ARCH_FORCE_MAX_ORDER",	 SYM_MAX_ORDER,	ZL_SET_MAX_PAGE_ORDER,   0,	  NULL	      },
	{"ARCH_RV32I",		       SYM_WORD,		 ZL_SET_ARCH,	      0,	 "riscv32"	  },
	{"ARCH_RV64I",		       SYM_WORD,		 ZL_SET_ARCH,	      0,	 "riscv64"	  },
	{"ARC_HUGEPAGE_16M",	     SYM_HUGE_SIZE,	    ZL_SET_HUGE_PAGE_SIZE,   16384, NULL	      },
	{"ARC_HUGEPAGE_2M",		    SYM_HUGE_SIZE,	   ZL_SET_HUGE_PAGE_SIZE,	  2048,	NULL	    },
	{"ARC_PAGE_SIZE_16K",	      SYM_PAGE_SIZE,	     ZL_SET_PAGE_SIZE,	       16,	   NULL	       },
	{"ARC_PAGE_SIZE_4K",	     SYM_PAGE_SIZE,	    ZL_SET_PAGE_SIZE,	      4,	 NULL	     },
	{"ARC_PAGE_SIZE_8K",	     SYM_PAGE_SIZE,	    ZL_SET_PAGE_SIZE,	      8,	 NULL	     },
	{"ARM",			  SYM_WORD,		  ZL_SET_ARCH,	       0,	  "arm"       },
	{"ARM64",			SYM_WORD,	    ZL_SET_ARCH,		 0,	    "arm64"	   },
	{"ARM64_16K_PAGES",		    SYM_PAGE_SIZE,	   ZL_SET_PAGE_SIZE,	     16,	 NULL	     },
	{"ARM64_4K_PAGES",		   SYM_PAGE_SIZE,	  ZL_SET_PAGE_SIZE,	    4,     NULL	   },
	{"ARM64_64K_PAGES",		    SYM_PAGE_SIZE,	   ZL_SET_PAGE_SIZE,	     64,	 NULL	     },
	{"ARM64_PAGE_SHIFT",	     SYM_PAGE_SHIFT,	     ZL_SET_PAGE_SIZE,	       0,	  NULL	      },
	{"ARM_LPAE",		     SYM_BOOL,	       ZL_SET_LPAE,		    0,     NULL	   },
	{"CMA",			  SYM_BOOL,		  ZL_SET_CMA,	      0,	 NULL	     },
	{"CMA_AREAS",		      SYM_INT,	       ZL_SET_CMA_AREAS,	 0,	    NULL	},
	{"CMA_SIZE_MBYTES",		    SYM_CMA_MBYTES,	    ZL_SET_CMA_SIZE,	     0,	NULL	    },
	{"CMA_SIZE_PERCENTAGE",		SYM_CMA_PERCENTAGE,  ZL_SET_CMA_SIZE,	     0,	NULL	    },
	{"CMA_SIZE_SEL_MAX",	     SYM_CMA_SELECT,	     ZL_SET_CMA_SIZE,	      3,	 NULL	     },
	{"CMA_SIZE_SEL_MBYTES",		SYM_CMA_SELECT,	ZL_SET_CMA_SIZE,	 0,	    NULL	},
	{"CMA_SIZE_SEL_MIN",	     SYM_CMA_SELECT,	     ZL_SET_CMA_SIZE,	      2,	 NULL	     },
	{"CMA_SIZE_SEL_PERCENTAGE",	    SYM_CMA_SELECT,	    ZL_SET_CMA_SIZE,	     1,	NULL	    },
	{"CMDLINE",		      SYM_CMDLINE,	 ZL_SET_CMDLINE,		 0,	    NULL	},
	{"CSKY",			 SYM_WORD,		   ZL_SET_ARCH,		0,	   "csky"	 },
	{"DEFERRED_STRUCT_PAGE_INIT",    SYM_DEFERRED,	    ZL_SETTING_COUNT,	      0,	 NULL	     },
	{"DMA_CMA",		      SYM_BOOL,	      ZL_SET_DMA_CMA,	      0,	 NULL	     },
	{"FORCE_MAX_ZONEORDER",		SYM_MAX_ZONEORDER,   ZL_SET_MAX_PAGE_ORDER,	  0,     NULL	 },
	{"HEXAGON",		      SYM_WORD,	      ZL_SET_ARCH,		   0,     "hexagon"   },
	{"HUGETLBFS",		      SYM_BOOL,		ZL_SET_HUGETLB,		0,	   NULL	       },
	{"HUGETLB_PAGE",		 SYM_BOOL,		   ZL_SET_HUGETLB,	   0,     NULL	  },
	{"HUGETLB_PAGE_SIZE_1MB",	  SYM_HUGE_SIZE,	 ZL_SET_HUGE_PAGE_SIZE,	1024,  NULL	  },
	{"HUGETLB_PAGE_SIZE_256K",	   SYM_HUGE_SIZE,	  ZL_SET_HUGE_PAGE_SIZE,	 256,   NULL	  },
	{"HUGETLB_PAGE_SIZE_4MB",	  SYM_HUGE_SIZE,	 ZL_SET_HUGE_PAGE_SIZE,	4096,  NULL	  },
	{"HUGETLB_PAGE_SIZE_64K",	  SYM_HUGE_SIZE,	 ZL_SET_HUGE_PAGE_SIZE,	64,    NULL	},
	{"HUGETLB_PAGE_SIZE_64MB",	   SYM_HUGE_SIZE,	  ZL_SET_HUGE_PAGE_SIZE,	 65536, NULL	    },
	{"LOONGARCH",		      SYM_WORD,		ZL_SET_ARCH,	     0,	"loongarch" },
	{"M68K",			 SYM_WORD,		   ZL_SET_ARCH,		0,	   "m68k"	 },
	{"MEMORY_ISOLATION",	     SYM_ISOLATION,	    ZL_SETTING_COUNT,	      0,	 NULL	     },
	{"MICROBLAZE",		       SYM_WORD,		 ZL_SET_ARCH,	      0,	 "microblaze"},
	{"MIPS",			 SYM_WORD,		   ZL_SET_ARCH,		0,	   "mips"	 },
	{"MMU",			  SYM_MMU,		 ZL_SET_MMU,		     0,	NULL	    },
	{"NIOS2",			SYM_WORD,	    ZL_SET_ARCH,		 0,	    "nios2"	   },
	{"NUMA",			 SYM_BOOL,		   ZL_SET_NUMA,		0,	   NULL	       },
	{"OPENRISC",		     SYM_WORD,	       ZL_SET_ARCH,		    0,     "openrisc"	 },
	{"PAGE_BLOCK_MAX_ORDER",	 SYM_BLOCK_MAX_ORDER, ZL_SET_PAGE_BLOCK_ORDER, 0,	  NULL	      },
	{"PAGE_BLOCK_ORDER",	     SYM_BLOCK_ORDER,     ZL_SET_PAGE_BLOCK_ORDER, 0,	  NULL	      },
	{"PAGE_SHIFT",		       SYM_PAGE_SHIFT,      ZL_SET_PAGE_SIZE,	 0,	    NULL	},
	{"PAGE_SIZE_16KB",		   SYM_PAGE_SIZE,	  ZL_SET_PAGE_SIZE,	    16,	NULL	    },
	{"PAGE_SIZE_256KB",		    SYM_PAGE_SIZE,	   ZL_SET_PAGE_SIZE,	     256,	  NULL	      },
	{"PAGE_SIZE_32KB",		   SYM_PAGE_SIZE,	  ZL_SET_PAGE_SIZE,	    32,	NULL	    },
	{"PAGE_SIZE_4KB",		  SYM_PAGE_SIZE,	 ZL_SET_PAGE_SIZE,	   4,     NULL	  },
	{"PAGE_SIZE_64KB",		   SYM_PAGE_SIZE,	  ZL_SET_PAGE_SIZE,	    64,	NULL	    },
	{"PAGE_SIZE_8KB",		  SYM_PAGE_SIZE,	 ZL_SET_PAGE_SIZE,	   8,     NULL	  },
	{"PARISC",		       SYM_WORD,	     ZL_SET_ARCH,		  0,     "parisc"    },
	{"PCP_BATCH_SCALE_MAX",		SYM_INT,		 ZL_SET_BATCH_SCALE_MAX,	 0,	    NULL	},
	{"PPC32",			SYM_WORD,	    ZL_SET_ARCH,		 0,	    "powerpc"   },
	{"PPC64",			SYM_WORD,	    ZL_SET_ARCH,		 0,	    "powerpc64" },
	{"PPC_16K_PAGES",		  SYM_PAGE_SIZE,	 ZL_SET_PAGE_SIZE,	   16,    NULL	   },
	{"PPC_256K_PAGES",		   SYM_PAGE_SIZE,	  ZL_SET_PAGE_SIZE,	    256,	 NULL	     },
	{"PPC_4K_PAGES",		 SYM_PAGE_SIZE,	ZL_SET_PAGE_SIZE,	  4,     NULL	 },
	{"PPC_64K_PAGES",		  SYM_PAGE_SIZE,	 ZL_SET_PAGE_SIZE,	   64,    NULL	   },
	{"S390",			 SYM_WORD,		   ZL_SET_ARCH,		0,	   "s390x"	  },
	{"SMP",			  SYM_BOOL,		  ZL_SET_SMP,	      0,	 NULL	     },
	{"SPARC32",		      SYM_WORD,	      ZL_SET_ARCH,		   0,     "sparc"     },
	{"SPARC64",		      SYM_WORD,	      ZL_SET_ARCH,		   0,     "sparc64"   },
	{"SUPERH",		       SYM_WORD,	     ZL_SET_ARCH,		  0,     "sh"	 },
	{"TRANSPARENT_HUGEPAGE",	 SYM_BOOL,		   ZL_SET_THP,	       0,	  NULL	      },
	{"TRANSPARENT_HUGEPAGE_ALWAYS",	SYM_WORD,		  ZL_SET_THP_ENABLED,      0,	 "always"	 },
	{"TRANSPARENT_HUGEPAGE_MADVISE", SYM_WORD,		   ZL_SET_THP_ENABLED,      0,	  "madvise"   },
	{"TRANSPARENT_HUGEPAGE_NEVER",   SYM_WORD,		 ZL_SET_THP_ENABLED,	     0,	"never"     },
	{"X86_32",		       SYM_WORD,	     ZL_SET_ARCH,		  0,     "i386"	   },
	{"X86_64",		       SYM_WORD,	     ZL_SET_ARCH,		  0,     "x86_64"    },
	{"X86_PAE",		      SYM_BOOL,	      ZL_SET_PAE,		  0,     NULL	 },
	{"XTENSA",		       SYM_WORD,	     ZL_SET_ARCH,		  0,     "xtensa"    },
};
#define NR_SYMBOLS (sizeof(symbols) / sizeof(symbols[0]))

/* Word of the arch setting for the name in "# Linux/NAME X.Y.Z Kernel Configuration". */
static const struct {
	const char *comment, *wide, *narrow; /* with and without CONFIG_64BIT */
} arch_names[] = {
	{"alpha",	  "alpha",	   "alpha"	  },
	{"arc",	"arc",	       "arc"	    },
	{"arm",	"arm",	       "arm"	    },
	{"arm64",	  "arm64",	   "arm64"	  },
	{"csky",	 "csky",	 "csky"      },
	{"hexagon",    "hexagon",    "hexagon"	},
	{"i386",	 "i386",	 "i386"      },
	{"loongarch",  "loongarch",  "loongarch" },
	{"m68k",	 "m68k",	 "m68k"      },
	{"microblaze", "microblaze", "microblaze"},
	{"mips",	 "mips",	 "mips"      },
	{"nios2",	  "nios2",	   "nios2"	  },
	{"openrisc",   "openrisc",	 "openrisc"  },
	{"parisc",	   "parisc",     "parisc"    },
	{"parisc64",   "parisc",     "parisc"    },
	{"powerpc",    "powerpc64",	 "powerpc"	  },
	{"riscv",	  "riscv64",    "riscv32"   },
	{"s390",	 "s390x",	  "s390x"	 },
	{"sh",	       "sh",	     "sh"	 },
	{"sparc",	  "sparc64",    "sparc"	    },
	{"sparc64",    "sparc64",    "sparc64"	},
	{"x86",	"x86_64",	  "i386"	},
	{"x86_64",	   "x86_64",     "x86_64"    },
	{"xtensa",	   "xtensa",     "xtensa"    },
};

/* What is gathered over one file. */
struct reading {
	struct zl_import *im;
	struct zl_import_file *file;
	bool seen[NR_SYMBOLS];
	bool generated; /* carries the generator's comment */
	bool bits64, bits_said;
	unsigned symbols;
	char arch[16]; /* of the comment line, or of a symbol */
	bool marked;   /* of a symbol */
};

static const struct symbol *symbol_find(const struct scan *name)
{
	for (size_t i = 0; i < NR_SYMBOLS; i++) {
		if (scan_equal(name, symbols[i].name)) {
			return &symbols[i];
		}
	}
	return NULL;
}

static void set_word(struct zl_import *im, enum zl_setting key, const char *word)
{
	zl_settings_number(
		&im->profile.settings, key, zl_setting_word_index(key, word), ZL_ORIGIN_FILE);
	im->facts.arch_stated |= key == ZL_SET_ARCH;
}

/* Numbers, decimal or 0x; false when it is none. */
static bool number_of(const struct scan *value, int64_t *ret)
{
	char digits[24];
	uint64_t v = 0;

	if (scan_left(value) >= sizeof(digits)) {
		return false;
	}
	scan_copy(value, digits, sizeof(digits));
	if (zl_parse_u64(digits, &v) < 0 || v > INT32_MAX) {
		return false;
	}
	*ret = (int64_t)v;
	return true;
}

/* Rules that need a number; false when the number cannot be. */
static bool apply_number(struct zl_import *im, const struct symbol *sym, int64_t v)
{
	const struct zl_setting_info *info = zl_setting_info(sym->key);

	if (sym->rule == SYM_PAGE_SHIFT) {
		if (v < SHIFT_MIN || v > SHIFT_MAX) {
			return false;
		}
		import_set(im, ZL_SET_PAGE_SIZE, INT64_C(1) << v);
		im->facts.page_size_stated = true;
	} else if (sym->rule == SYM_CMA_MBYTES) {
		im->facts.cma_mbytes = v;
	} else if (sym->rule == SYM_CMA_PERCENTAGE) {
		im->facts.cma_percentage = v;
		return v <= 100;
	} else if (sym->rule == SYM_MAX_ORDER || sym->rule == SYM_MAX_ZONEORDER) {
		im->facts.max_order_raw = v;
		im->facts.max_order_exclusive = sym->rule == SYM_MAX_ZONEORDER;
		return v <= info->max + 1;
	} else if (v < info->min || v > info->max) {
		return false;
	} else {
		import_set(im, sym->key, v);
	}
	return true;
}

/* The releases that a symbol's presence allows. */
static void note_release(struct zl_import *im, enum symbol_rule rule)
{
	switch (rule) {
	case SYM_BLOCK_ORDER:
		import_release_from(im, "6.16", "CONFIG_PAGE_BLOCK_ORDER is there");
		import_release_to(im, "6.16", "CONFIG_PAGE_BLOCK_ORDER is there");
		break;
	case SYM_BLOCK_MAX_ORDER:
		import_release_from(im, "6.17", "CONFIG_PAGE_BLOCK_MAX_ORDER is there");
		break;
	case SYM_MAX_ZONEORDER:
		import_release_to(im, "6.0", "CONFIG_FORCE_MAX_ZONEORDER is there");
		break;
	case SYM_MAX_ORDER:
		import_release_from(im, "6.1", "CONFIG_ARCH_FORCE_MAX_ORDER is there");
		break;
	case SYM_BOOL:
	case SYM_INT:
	case SYM_MMU:
	case SYM_PAGE_SHIFT:
	case SYM_PAGE_SIZE:
	case SYM_HUGE_SIZE:
	case SYM_WORD:
	case SYM_CMA_MBYTES:
	case SYM_CMA_PERCENTAGE:
	case SYM_CMA_SELECT:
	case SYM_ISOLATION:
	case SYM_DEFERRED:
	case SYM_CMDLINE:
		break;
	}
}

/* Rules that take y, m or "is not set". */
static void apply_choice(struct reading *r, const struct symbol *sym, bool on)
{
	struct zl_import *im = r->im;

	switch (sym->rule) {
	case SYM_BOOL:
		import_set(im, sym->key, on ? 1 : 0);
		break;
	case SYM_MMU:
		if (!zl_settings_given(&im->profile.settings, ZL_SET_MMU) || !on) {
			set_word(im, ZL_SET_MMU, on ? "on" : "off");
		}
		break;
	case SYM_PAGE_SIZE:
	case SYM_HUGE_SIZE:
		if (on) {
			import_set(im, sym->key, sym->number << 10);
			im->facts.page_size_stated |= sym->rule == SYM_PAGE_SIZE;
		}
		break;
	case SYM_WORD:
		if (sym->word == NULL) {
			r->bits64 = on;
			r->bits_said = true;
		} else if (on) {
			set_word(im, sym->key, sym->word);
		}
		break;
	case SYM_CMA_SELECT:
		im->facts.cma_select = on ? (unsigned)sym->number : im->facts.cma_select;
		break;
	case SYM_ISOLATION:
		im->facts.memory_isolation = on ? 1 : 0;
		break;
	case SYM_DEFERRED:
		im->facts.deferred_init = on ? 1 : 0;
		break;
	case SYM_INT:
	case SYM_PAGE_SHIFT:
	case SYM_MAX_ORDER:
	case SYM_MAX_ZONEORDER:
	case SYM_BLOCK_ORDER:
	case SYM_BLOCK_MAX_ORDER:
	case SYM_CMA_MBYTES:
	case SYM_CMA_PERCENTAGE:
	case SYM_CMDLINE:
		break; /* "is not set" of a number: the default */
	}
}

static bool wants_number(enum symbol_rule rule)
{
	return rule == SYM_INT || rule == SYM_PAGE_SHIFT || rule == SYM_MAX_ORDER ||
	       rule == SYM_MAX_ZONEORDER || rule == SYM_BLOCK_ORDER ||
	       rule == SYM_BLOCK_MAX_ORDER || rule == SYM_CMA_MBYTES || rule == SYM_CMA_PERCENTAGE;
}

static void apply_value(
	struct reading *r, const struct symbol *sym, const struct zl_line *line, struct scan value)
{
	int64_t v = 0;
	char choice = scan_left(&value) == 1 ? *value.p : '\0';

	if (sym->rule == SYM_CMDLINE) {
		if (scan_left(&value) > 0 &&
			!zl_settings_given(&r->im->profile.settings, ZL_SET_CMDLINE)) {
			import_cmdline(r->im, value.p, scan_left(&value));
		}
		import_count(r->file, ZL_LINE_USED, "symbols");
		return;
	}
	if (wants_number(sym->rule)) {
		if (!number_of(&value, &v) || !apply_number(r->im, sym, v)) {
			import_complain(r->file, line, import_column(line, &value),
				"CONFIG_%s cannot have this value; a number in its range would be "
				"right",
				sym->name);
			return;
		}
		note_release(r->im, sym->rule);
	} else if (choice == 'y' || choice == 'm' || choice == 'n') {
		apply_choice(r, sym, choice != 'n');
	} else {
		import_complain(r->file, line, import_column(line, &value),
			"CONFIG_%s is a choice; y, m or n would be right", sym->name);
		return;
	}
	r->seen[sym - symbols] = true;
	import_count(r->file, ZL_LINE_USED, "symbols");
}

/* "# Linux/arm64 6.12.1 Kernel Configuration" and the like. */
static void read_comment(struct reading *r, const struct zl_line *line)
{
	struct scan c = scan_of(line->s, line->len);
	struct scan part;

	scan_literal(&c, "#");
	scan_blanks(&c);
	r->generated |= scan_find(&c, "Automatically generated", 23) != NULL;
	if (!scan_literal(&c, "Linux/")) {
		import_count(r->file, ZL_LINE_COUNTED, "comments");
		return;
	}
	scan_word(&c, &part);
	scan_copy(&part, r->arch, sizeof(r->arch));
	scan_blanks(&c);
	if (scan_word(&c, &part)) {
		import_set_text(r->im, ZL_SET_KERNEL, &part);
	}
	import_count(r->file, ZL_LINE_USED, "release and architecture");
}

/*
 * Symbols that one family of architectures has, by their beginnings; word size or a symbol of its
 * own tells the members apart. ARM_ is no mark of arm: drivers of arm64 have it too.
 */
static const struct {
	const char *begin, *family;
} marks[] = {
	{"AEABI",	  "arm"    },
	{"ARCH_MULTI_V",	 "arm"    },
	{"ARM64_",	   "arm64"  },
	{"ARM_LPAE",	     "arm"	  },
	{"ARM_THUMB",     "arm"	   },
	{"CPU_V7",	   "arm"	},
	{"CPU_LOONGSON",	 "mips"   },
	{"CPU_MIPS",	     "mips"   },
	{"MIPS_",	  "mips"	},
	{"PPC",		"powerpc"},
	{"RISCV",	  "riscv"	 },
	{"S390_",	  "s390"	},
	{"SPARC",	  "sparc"	 },
	{"SUPERH",	   "sh"     },
	{"THUMB2_KERNEL", "arm"    },
	{"X86",		"x86"    },
	{"XTENSA_",	    "xtensa" },
};

static void note_arch(struct reading *r, const struct scan *name)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && r->arch[0] == '\0'; i++) {
		if (scan_peek(name, marks[i].begin)) {
			zl_format(r->arch, sizeof(r->arch), "%s", marks[i].family);
			r->marked = true;
		}
	}
	/* Only 64-bit x86 has these; 32-bit x86 is all that has PAE. */
	if (scan_peek(name, "X86_DIRECT_GBPAGES") || scan_peek(name, "X86_X32")) {
		r->bits64 = r->bits_said = true;
	} else if (scan_peek(name, "X86_PAE") || scan_peek(name, "PPC32") ||
		   scan_equal(name, "32BIT")) {
		r->bits_said = true;
	}
}

/* "# CONFIG_X is not set"; false when it is another comment. */
static bool read_not_set(struct reading *r, const struct zl_line *line)
{
	struct scan c = scan_of(line->s, line->len);
	struct scan name;

	if (!scan_literal(&c, "#") || !scan_blanks(&c) || !scan_literal(&c, "CONFIG_") ||
		!scan_word(&c, &name) || !scan_literal(&c, " is not set")) {
		return false;
	}
	const struct symbol *sym = symbol_find(&name);
	r->symbols++;
	if (scan_equal(&name, "ARM_LPAE") || scan_equal(&name, "AEABI")) {
		note_arch(r, &name);
	}
	if (sym == NULL) {
		import_count(r->file, ZL_LINE_COUNTED, "other symbols");
		return true;
	}
	r->seen[sym - symbols] = true;
	apply_choice(r, sym, false);
	import_count(r->file, ZL_LINE_USED, "symbols");
	return true;
}

static struct scan unquote(struct scan v)
{
	if (scan_left(&v) >= 2 && *v.p == '"' && v.end[-1] == '"') {
		v.p++;
		v.end--;
	}
	return v;
}

static void read_assignment(struct reading *r, const struct zl_line *line)
{
	struct scan c = scan_trim(scan_of(line->s, line->len));
	struct scan name;

	if (!scan_literal(&c, "CONFIG_")) {
		import_complain(r->file, line, import_column(line, &c),
			"no configuration line; CONFIG_NAME=value would be right");
		return;
	}
	const char *equals = memchr(c.p, '=', scan_left(&c));
	if (equals == NULL || equals == c.p || equals - c.p > NAME_MAX_LENGTH) {
		import_complain(r->file, line, import_column(line, &c),
			"a symbol without a value; CONFIG_NAME=value or \"# CONFIG_NAME is not "
			"set\" would be right");
		return;
	}
	name.p = c.p;
	name.end = equals;
	c.p = equals + 1;
	r->symbols++;
	note_arch(r, &name);
	const struct symbol *sym = symbol_find(&name);
	if (sym == NULL) {
		import_count(r->file, ZL_LINE_COUNTED, "other symbols");
		return;
	}
	apply_value(r, sym, line, unquote(c));
}

/* The comment names a family; word size tells its members apart. */
static void settle_arch(struct reading *r)
{
	size_t n = sizeof(arch_names) / sizeof(arch_names[0]);

	if (r->im->facts.arch_stated && (r->marked || strcmp(r->arch, "x86") != 0)) {
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(arch_names[i].comment, r->arch) == 0) {
			bool wide = r->bits64 || !r->bits_said;

			set_word(r->im, ZL_SET_ARCH,
				wide ? arch_names[i].wide : arch_names[i].narrow);
		}
	}
}

/* What a whole file leaves out is off. */
static void settle_missing(struct reading *r)
{
	static const enum zl_setting off[] = {
		ZL_SET_THP, ZL_SET_HUGETLB, ZL_SET_CMA, ZL_SET_DMA_CMA, ZL_SET_SMP, ZL_SET_NUMA};

	if (!r->generated || r->symbols < FULL_CONFIG_SYMBOLS) {
		return;
	}
	r->im->facts.full_config = true;
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		bool seen = false;

		for (size_t s = 0; s < NR_SYMBOLS; s++) {
			seen |= r->seen[s] && symbols[s].key == off[i] &&
				symbols[s].rule == SYM_BOOL;
		}
		if (!seen) {
			import_set(r->im, off[i], 0);
		}
	}
}

int read_kconfig(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct reading r = {.im = im, .file = f};
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
		} else if (*c.p != '#') {
			read_assignment(&r, &line);
		} else if (!read_not_set(&r, &line)) {
			read_comment(&r, &line);
		}
	}
	settle_arch(&r);
	settle_missing(&r);
	return 0;
}
