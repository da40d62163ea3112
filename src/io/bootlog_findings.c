/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a boot log tells between its lines, and what it does not tell: the release by its batches,
 * CPUs, zones that are no machine.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"
#include "zonelab/verify.h"

#define SMALLEST_SHIFT 12
#define LARGEST_SHIFT  18

static unsigned page_shift(const struct zl_import *im)
{
	unsigned shift = SMALLEST_SHIFT;

	while (shift < LARGEST_SHIFT && UINT64_C(1) << shift < im->facts.page_size) {
		shift++;
	}
	return shift;
}

/* Since 4.19 batches are capped at 1 MiB of pages, not 512 KiB. */
static void release_by_batches(struct zl_import *im)
{
	const struct zl_boot_zone *older = NULL, *newer = NULL;
	const unsigned shift = page_shift(im);
	char why[80];

	for (size_t i = 0; i < im->facts.nr_boot_zones; i++) {
		const struct zl_boot_zone *z = &im->facts.boot_zone[i];
		bool is_new =
			zl_zone_batchsize_capped(z->pages, shift, ZL_BATCH_CAP_NEW) == z->batch;
		bool is_old =
			zl_zone_batchsize_capped(z->pages, shift, ZL_BATCH_CAP_OLD) == z->batch;

		older = is_old && !is_new ? z : older;
		newer = is_new && !is_old ? z : newer;
	}
	if (older != NULL && newer != NULL) {
		struct zl_diag *d = zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_ASSUMED,
			"line %u has a batch of kernels before 4.19, line %u one from 4.19 on: two "
			"boots in one file",
			older->line, newer->line);

		d->about = ZL_SET_KERNEL;
	} else if (older != NULL) {
		zl_format(why, sizeof(why), "batch %u of %N pages", older->batch, older->pages);
		import_release_to(im, "4.18", why);
	} else if (newer != NULL) {
		zl_format(why, sizeof(why), "batch %u of %N pages", newer->batch, newer->pages);
		import_release_from(im, "4.19", why);
	}
}

/*
 * The line "Linux version" ends with the compiler, whose name tells the architecture where it was a
 * cross compiler; distributions put it behind the release.
 */
void bootlog_arch(struct zl_import *im, const struct zl_line *line)
{
	static const struct {
		const char *word, *arch;
	} words[] = {
		{"aarch64",	    "arm64"	   },
		{"-arm64",		   "arm64"	  },
		{"x86_64",		   "x86_64"   },
		{"-amd64",		   "x86_64"   },
		{"i686",		 "i386"     },
		{"-686",		 "i386"     },
		{"riscv64",	    "riscv64"  },
		{"s390x",		  "s390x"	 },
		{"ppc64",		  "powerpc64"},
		{"powerpc64",	      "powerpc64"},
		{"loongarch64",	"loongarch"},
		{"arm-linux-gnueabi", "arm"	   },
		{"-armmp",		   "arm"	},
		{"mips",		 "mips"     },
	};
	const struct scan c = scan_of(line->s, line->len);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !im->facts.arch_stated; i++) {
		if (scan_find(&c, words[i].word, strlen(words[i].word)) != NULL) {
			import_set(
				im, ZL_SET_ARCH, zl_setting_word_index(ZL_SET_ARCH, words[i].arch));
			im->facts.arch_stated = true;
		}
	}
	if (scan_find(&c, "-pae ", strlen("-pae ")) != NULL) {
		import_set(im, ZL_SET_PAE, 1);
	}
}

void bootlog_release(struct zl_import *im)
{
	if (im->facts.nr_boot_zones > 0) {
		release_by_batches(im);
	}
}

/* A boot log stands in a file of its own, or under a title in one with others. */
static bool has_log(const struct zl_import *im)
{
	const struct zl_import_facts *f = &im->facts;

	return f->nr_boot_zones > 0 || f->nr_zone_ranges > 0 || f->total_kb > 0 ||
	       f->possible_cpus > 0;
}

/* A log that was cut before its CPUs came up has them as possible ones, or not at all. */
void bootlog_cpus(struct zl_import *im)
{
	struct zl_diag *d;

	if (!has_log(im) || im->facts.online_cpus > 0 || im->profile.nr_zones > 0 ||
		zl_settings_given(&im->profile.settings, ZL_SET_CPUS)) {
		return;
	}
	if (im->facts.possible_cpus > 0) {
		import_set(im, ZL_SET_CPUS, im->facts.possible_cpus);
		d = zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_ASSUMED,
			"the boot log does not say how many CPUs came up: all %D possible ones are "
			"assumed",
			im->facts.possible_cpus);
	} else {
		d = zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_ASSUMED,
			"the boot log does not say how many CPUs there are: %s are assumed",
			zl_setting_info(ZL_SET_CPUS)->dflt);
	}
	d->about = ZL_SET_CPUS;
	zl_format(d->mend, sizeof(d->mend), "give it: --set cpus=N");
}

/* "Normal zone: N pages" counts what is not the map of pages; ranges and sizes come elsewhere. */
void bootlog_zones(struct zl_import *im)
{
	if (im->facts.nr_boot_zones > 0 && im->profile.nr_zones == 0 &&
		!zl_settings_given(&im->profile.settings, ZL_SET_MEMORY)) {
		struct zl_diag *d = zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_ASSUMED,
			"the boot log names zones with their batches, but not the memory of the "
			"machine: explain-my-machine judges them, other answers are about the "
			"built-in machine");

		d->about = ZL_SET_MEMORY;
		zl_format(d->mend, sizeof(d->mend), "give it: --set memory=SIZE");
	}
}
