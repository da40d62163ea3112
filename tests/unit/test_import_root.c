/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as a folder: CPUs, nodes and caches as /sys tells them.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "zonelab/import.h"

#define CPU   "sys/devices/system/cpu/"
#define NODE  "sys/devices/system/node/"
#define CACHE CPU "cpu0/cache/"

/* Folders come before what is in them. */
static const char *const folders[] = {"proc", "sys", "sys/devices", "sys/devices/system", CPU, NODE,
	NODE "node0", NODE "node1", CPU "cpu0", CACHE, CACHE "index0", CACHE "index1",
	CACHE "index2", "boot", "proc/sys", "proc/sys/kernel", "proc/sys/vm"};
#define FOLDERS (sizeof(folders) / sizeof(folders[0]))

struct file {
	const char *name, *text;
};

static void path_of(char *path, const char *root, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", root, name);
}

/* Reads a folder with these files into @im; ends with a name of NULL. */
static void import(struct zl_import *im, const struct file *files)
{
	char root[] = "/tmp/zonelab-root-XXXXXX", path[PATH_MAX];
	struct zl_error err = {0};
	size_t n = 0;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < FOLDERS; i++) {
		path_of(path, root, folders[i]);
		assert_int_equal(0, mkdir(path, 0700));
	}
	for (; files[n].name != NULL; n++) {
		path_of(path, root, files[n].name);
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fputs(files[n].text, f);
		fclose(f);
	}
	zl_import_init(im, zl_allocator_heap());
	if (zl_import_root(im, root, &err) != 0) {
		fail_msg("%s", err.text);
	}
	while (n-- > 0) {
		path_of(path, root, files[n].name);
		unlink(path);
	}
	for (size_t i = FOLDERS; i-- > 0;) {
		path_of(path, root, folders[i]);
		rmdir(path);
	}
	rmdir(root);
}

#define MEMINFO                                                                                    \
	{                                                                                          \
		"proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 500000 kB\nMemAvailable: 1 kB\n"   \
	}

static void cpus_and_caches_are_counted(void **state)
{
	static const struct file files[] = {
		MEMINFO,
		{CPU "online",		       "0-5,8\n"	},
		{NODE "node0/cpulist",	       "0-3\n"	      },
		{NODE "node1/cpulist",	       "4,5,8\n"	},
		{CACHE "index0/type",	      "Data\n"	      },
		{CACHE "index0/size",	      "32K\n"	     },
		{CACHE "index0/shared_cpu_list", "0\n"	      },
		{CACHE "index1/type",	      "Instruction\n"},
		{CACHE "index1/size",	      "64K\n"	     },
		{CACHE "index2/type",	      "Unified\n"	 },
		{CACHE "index2/size",	      "6M\n"	    },
		{CACHE "index2/shared_cpu_list", "0-2\n"	},
		{NULL,			   NULL	   },
	};
	struct zl_import *im = calloc(1, sizeof(*im));

	(void)state;
	assert_non_null(im);
	import(im, files);
	assert_int_equal(7, im->facts.online_cpus);
	assert_int_equal(4, im->facts.node_cpus[0]);
	assert_int_equal(3, im->facts.node_cpus[1]);
	/* The last level has 6 MiB for three CPUs. */
	assert_int_equal(2 << 20, im->profile.settings.value[ZL_SET_CACHE_SLICE].number);
	zl_import_done(im);
	free(im);
}

static void lists_that_are_none_count_nothing(void **state)
{
	static const char *const lists[] = {"x", "3-1", "0-", "0-99999999", "1,,"};
	struct zl_import *im = calloc(1, sizeof(*im));

	(void)state;
	assert_non_null(im);
	zl_import_init(im, zl_allocator_heap());
	const int64_t unknown = im->facts.online_cpus;
	zl_import_done(im);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct file files[] = {
			MEMINFO, {CPU "online", lists[i]},
			   {NULL,	  NULL    }
		       };

		import(im, files);
		assert_int_equal(unknown, im->facts.online_cpus);
		zl_import_done(im);
	}
	free(im);
}

static int64_t set_to(const struct zl_import *im, enum zl_setting key)
{
	assert_true(zl_settings_given(&im->profile.settings, key));
	return im->profile.settings.value[key].number;
}

/* The release as a running kernel says it, which names the configuration in /boot, and sysctls. */
static void a_running_system_names_its_release_and_configuration(void **state)
{
	static const char config[] = "CONFIG_ARM64=y\nCONFIG_ARM64_16K_PAGES=y\n"
				     "# CONFIG_TRANSPARENT_HUGEPAGE is not set\n"
				     "CONFIG_CMDLINE=\"cma=64M quiet\"\n";
	static const struct {
		const char *file, *text, *kernel;
	} ways[] = {
		{"proc/sys/kernel/osrelease", "6.12.4-board\n",				"6.12.4-board"},
		{"proc/version",		 "Linux version 6.12.4-board (me@here) #1\n", "6.12.4-board"},
	};
	struct zl_import *im = calloc(1, sizeof(*im));

	(void)state;
	assert_non_null(im);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const struct file files[] = {
			MEMINFO,
			{ways[i].file,			       ways[i].text	   },
			{"boot/config-6.12.4-board",	     config		   },
			{"boot/config-6.1",		    "CONFIG_X86_64=y\n"},
			{"proc/sys/vm/min_free_kbytes",	"12345\n"		 },
			{"proc/sys/vm/watermark_scale_factor", "77\n"	     },
			{NULL,				 NULL		   },
		};

		import(im, files);
		assert_string_equal(
			ways[i].kernel, zl_settings_text(&im->profile.settings, ZL_SET_KERNEL));
		assert_int_equal(16384, set_to(im, ZL_SET_PAGE_SIZE));
		assert_int_equal(0, set_to(im, ZL_SET_THP));
		assert_string_equal(
			"cma=64M quiet", zl_settings_text(&im->profile.settings, ZL_SET_CMDLINE));
		assert_int_equal(12345, im->profile.observed.min_free_kbytes);
		assert_int_equal(77, set_to(im, ZL_SET_WATERMARK_SCALE_FACTOR));
		zl_import_done(im);
	}
	free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_and_caches_are_counted),
		cmocka_unit_test(lists_that_are_none_count_nothing),
		cmocka_unit_test(a_running_system_names_its_release_and_configuration),
	};

	return cmocka_run_group_tests_name("import-root", tests, NULL, NULL);
}
