/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists: what is read, what is refused and where, and that writing gives back what was read.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scarce.h"
#include "workload_fixture.h"
#include "zonelab/file.h"

#define CONFIG                                                                                     \
	"# small: a zone for tests\n"                                                              \
	"config page_shift 12\nconfig managed 4096\nconfig pages 64\nconfig cpus 2\n"              \
	"config wmark_min 1\nconfig wmark_low 2\nconfig wmark_high 3\n"                            \
	"config scale_max 5\nconfig pageblock_order 3\nconfig max_order 4\n"                       \
	"config hpage_order 3\nconfig thp 0\nconfig cache_slice_kib 0\n"
#define CONFIG_LINES 14

static void an_op_list_is_read_and_written_back(void **state)
{
	static const char ops[] =
		"cpu 1\nalloc 0 1 7\nallocha 3 0 8\nbulk 3 2 20\nfree 21\ntick\n"
		"drain\ndrainall\ndrainzone\nset below_high 1\nset cpus 4\ncpu 3\n";
	struct zl_workload w;
	struct zl_error err;
	char list[2048];

	(void)state;
	snprintf(list, sizeof(list), "%s\n  # blank lines, blanks\r\n%s", CONFIG, ops);
	assert_int_equal(0, workload_read(list, &w, &err));
	assert_string_equal("small", w.name);
	assert_string_equal("small: a zone for tests", w.title);
	assert_int_equal(64, w.config.pages);
	assert_true(w.config.node_local);
	assert_int_equal(0, w.config.high_fraction);
	assert_int_equal(12, w.nr_ops);
	assert_int_equal(CONFIG_LINES + 3, w.lines[0]);
	assert_int_equal(ZL_OP_BULK, w.ops[3].kind);
	assert_int_equal(3, w.ops[3].arg);
	assert_int_equal(20, w.ops[3].id);
	workload_assert_written(&w, ops);
	zl_workload_done(&w);
}

static void bad_lines_are_refused_with_line_and_column(void **state)
{
	static const struct {
		const char *op;
		unsigned column;
		const char *part;
	} bad[] = {
		{"alloc 5 1 1",		7,  "order 5 is out of range; 0 to 4"	    },
		{"alloc 0 3 1",		9,  "migratetype 3 is out of range; 0 to 2"},
		{"alloc 0 1",	      10, "id is missing"			 },
		{"alloc 0 1 x",		11, "'x' is not a number"			 },
		{"alloc 0 1 -1",	 11, "'-1' is not a number"		   },
		{"alloc 0 1 2147483648", 11, "id 2147483648 is out of range"	    },
		{"alloc 0 1 1 1",	  13, "one word too many"			 },
		{"alloc 0 1 5",		11, "id 5 is in use"			    },
		{"  free 6",	     8,	"id 6 is not in use"		    },
		{"bulk 0 1 9",	       6,  "0 is out of range"		     },
		{"bulk 4 1 3",	       10, "id 5 is in use"			   },
		{"bulk 2 1 2147483647",	10, "beyond"				    },
		{"cpu 2",		  5,  "cpu 2 is out of range; 0 to 1"	    },
		{"set",			4,  "the key is missing"		       },
		{"set managed 3",	  5,  "'managed' cannot be set"	      },
		{"set cpus 1",	       10, "cpus 1 is out of range; 2 to"	 },
		{"set reclaim 2",	  13, "reclaim 2 is out of range; 0 to 1"	 },
		{"set high_fraction 7",	19, "refuses high_fraction 7"		     },
		{"tick 3",		   6,  "one word too many"			 },
		{"config thp 1",	 1,  "before the first op"			 },
		{"fre 5",		  1,  "'fre' is neither an op nor config"	},
		{"init",		 1,  "'init' is neither"		       },
		{"format 2",	     1,	"format comes before everything else"  },
		{"a b c d e f g",	  13, "too many words"			      },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char list[2048];

		snprintf(list, sizeof(list), "%salloc 0 1 5\n%s\n", CONFIG, bad[i].op);
		workload_assert_refused(list, CONFIG_LINES + 2, bad[i].column, bad[i].part);
	}
}

static void a_zone_must_be_complete_and_possible(void **state)
{
	static const struct {
		const char *list;
		const char *part;
	} bad[] = {
		{"",			     "page_shift is missing"		    },
		{"config page_shift 12\ntick\n", "managed is missing"		     },
		{CONFIG "config thp 1\n",	  "given twice"			       },
		{CONFIG "config order 1\n",	    "'order' is not a config key"		 },
		{"config page_shift 11\n",	   "page_shift 11 is out of range; 12 to 18"},
		{"config\n",		     "key is missing"			     },
		{"config managed 1 2\n",	 "one word too many"			    },
		{"config high_fraction 3\n",     "refuses high_fraction 3"		      },
		{"config scale_max 7\n",	 "scale_max 7 is out of range; 0 to 6"    },
		{"config pages 0\n",	     "pages 0 is out of range"		      },
		{"config pages 99999999999\n",   "is out of range"			},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct zl_workload w;
		struct zl_error err;

		assert_int_equal(-EINVAL, workload_read(bad[i].list, &w, &err));
		if (strstr(err.text, bad[i].part) == NULL) {
			fail_msg("'%s' gave %s", bad[i].list, err.text);
		}
	}
}

static void ids_may_be_used_again_after_a_free(void **state)
{
	struct zl_workload w;
	struct zl_error err;

	(void)state;
	assert_int_equal(0, workload_read(CONFIG
				    "alloc 0 0 2147483647\nfree 2147483647\nalloc 1 1 2147483647\n",
				    &w, &err));
	assert_int_equal(3, w.nr_ops);
	zl_workload_done(&w);
}

static void without_memory_reading_fails_and_leaks_nothing(void **state)
{
	unsigned n = 0;
	int rc;

	(void)state;
	do {
		struct scarce scarce;
		static const char list[] = CONFIG "bulk 2000 1 0\nbulk 2000 1 5000\nfree 7\n";
		struct zl_workload w;
		struct zl_error err = {0};

		scarce_init(&scarce, n++);
		rc = zl_workload_parse(list, strlen(list), &scarce.allocator, &w, &err);
		assert_true(rc == 0 || rc == -ENOMEM);
		if (rc == 0) {
			zl_workload_done(&w);
		}
		assert_int_equal(0, scarce.live);
	} while (rc != 0);
	assert_true(n > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_op_list_is_read_and_written_back),
		cmocka_unit_test(bad_lines_are_refused_with_line_and_column),
		cmocka_unit_test(a_zone_must_be_complete_and_possible),
		cmocka_unit_test(ids_may_be_used_again_after_a_free),
		cmocka_unit_test(without_memory_reading_fails_and_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
