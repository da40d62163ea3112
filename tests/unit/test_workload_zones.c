/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Op lists of format 2: several zones, the ops that the recordings do not have, times, traces. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "workload_fixture.h"
#include "zonelab/file.h"

#define COMMON                                                                                     \
	"# two: two nodes\nformat 2\n"                                                             \
	"config page_shift 12\nconfig cpus 3\nconfig scale_max 5\nconfig pageblock_order 3\n"      \
	"config max_order 4\nconfig hpage_order 3\nconfig thp 0\nconfig cache_slice_kib 0\n"       \
	"config cma 1\nconfig nodes 2\n"
#define MARKS "config wmark_min 1\nconfig wmark_low 2\nconfig wmark_high 3\n"
#define ZONES                                                                                      \
	"config zone 0 DMA\nconfig managed 4096\nconfig pages 64\n" MARKS                          \
	"config lowmem_reserve Normal 10\n"                                                        \
	"config zone 0 Normal\nconfig start_pfn 64\nconfig managed 4096\nconfig pages 128\n" MARKS \
	"config cma_start 64\nconfig cma_pages 32\n"                                               \
	"config zone 1 Normal\nconfig managed 4096\nconfig pages 128\n" MARKS
#define ZONE_LINES 34

static void zones_are_read_and_written_back(void **state)
{
	static const char ops[] =
		"alloc 0 1 7\npin 7\nunpin 7\n@5 cma_alloc 8 2 9\ncma_release 9\nnode 1\n"
		"zone DMA\nalloc 0 0 1\nzone any\nnode local\n@1000 reclaim 3\noffline 2\n"
		"online 2\nset min_free_kbytes 40\nset pcp_disabled 1\n";
	struct zl_workload w;
	struct zl_error err;

	(void)state;
	char list[4096];
	snprintf(list, sizeof(list), "%s%s%s", COMMON, ZONES, ops);
	if (workload_read(list, &w, &err) != 0) {
		fail_msg("%u:%u: %s", err.line, err.column, err.text);
	}
	assert_true(w.several);
	assert_int_equal(2, w.format);
	assert_int_equal(3, w.system->nr_zones);
	assert_int_equal(2, w.system->node_cpus[0]);
	assert_int_equal(1, w.system->node_cpus[1]);
	assert_int_equal(2, w.system->first_cpu[1]);
	assert_int_equal(10, w.system->zone[0].config.lowmem_reserve[ZL_ZONE_NORMAL]);
	assert_int_equal(64, w.system->zone[1].start_pfn);
	assert_int_equal(32, w.system->zone[1].config.cma_pages);
	assert_int_equal(0, w.system->zone[2].config.cma_pages);
	assert_int_equal(15, w.nr_ops);
	assert_int_equal(0, w.t_ns[2]);
	assert_int_equal(5, w.t_ns[4]);
	assert_int_equal(1000, w.t_ns[14]);
	workload_assert_written(&w, ops);
	assert_int_equal(-EINVAL, zl_workload_one_zone(&w, &err));
	zl_workload_done(&w);
}

static void bad_lines_are_refused_with_line_and_column(void **state)
{
	static const struct {
		const char *op;
		unsigned column;
		const char *part;
	} bad[] = {
		{"cma_alloc 0 1 1",    11, "0 is out of range"		   },
		{"cma_alloc 8 1",	  14, "id is missing"		     },
		{"cma_alloc 8 30 1",   13, "alignment's order 30"	       },
		{"cma_release 4",	  13, "id 4 is not in use"		  },
		{"pin 4",		  5,  "id 4 is not in use"		 },
		{"offline 3",	      9,	 "cpu 3 is out of range; 0 to 2"},
		{"node 64",	    6,  "node 64 is out of range"	},
		{"zone Fast",	      6,	 "'Fast' is no zone"	    },
		{"zone",		 5,  "'' is no zone"		   },
		{"zone any more",	  10, "one word too many"		 },
		{"reclaim x",	      9,	 "'x' is not a number"	      },
		{"unreserve 0 0",	  1,  "neither an op nor config"     },
		{"set cpus 5",	       5,  "cpus is fixed"		 },
		{"set limit_cpus 5",   5,	"limit_cpus is fixed"	     },
		{"set pcp_disabled 2", 18, "pcp_disabled 2 is out of"     },
		{"@x tick",	    1,  "'@x' is no time"		},
		{"@5",		       1,  "'@5' is no time"		   },
		{"config nodes 3",	   1,  "config lines come before"	},
		{"format 2",	     1,	"format comes before"	     },
	};
	char list[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(list, sizeof(list), "%s%salloc 0 1 5\n%s\n", COMMON, ZONES, bad[i].op);
		workload_assert_refused(list, ZONE_LINES + 2, bad[i].column, bad[i].part);
	}
}

static void bad_machines_are_refused(void **state)
{
	static const struct {
		const char *config, *part;
	} bad[] = {
		{"config zone 0 Normal\n",						   "managed is missing"		       },
		{"config zone 0 Normal\nconfig managed 4096\nconfig pages 64\n",
			"wmark_min is missing"											    },
		{"config zone 2 Normal\nconfig managed 4096\nconfig pages 64\n" MARKS,
			"is on node 2"												    },
		{"config zone 0 Device\n",						   "'Device' is no zone"			},
		{"config zone 0\n",							  "'' is no zone"			   },
		{"config managed 4096\n",						    "pages is missing"		    },
		{"config start_pfn 4\n",						     "belongs to a zone"		    },
		{"config lowmem_reserve DMA 4\n",						  "belongs to a zone"		     },
		{ZONES "config thp 1\n",						     "stands before the first zone"	       },
		{ZONES "config pages 1\n",						   "given twice"				},
		{ZONES "config zone 0 Normal\nconfig managed 4096\nconfig pages 64\n" MARKS,
			"must stand before"											       },
		{"config node_cpus 0 9\n" ZONES,						 "the nodes have 9 CPUs, the machine 3"},
		{"config watermarks 2\n" ZONES,						"watermarks 2 is out of range"	      },
	};
	char list[4096];
	struct zl_workload w;
	struct zl_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(list, sizeof(list), "%s%stick\n", COMMON, bad[i].config);
		assert_int_equal(-EINVAL, workload_read(list, &w, &err));
		if (strstr(err.text, bad[i].part) == NULL) {
			fail_msg("%s: %s", bad[i].config, err.text);
		}
	}
	/* None of it is for a list of format 1. */
	assert_int_equal(-EINVAL, workload_read("config zone 0 Normal\n", &w, &err));
	assert_non_null(strstr(err.text, "needs a list of format 2"));
	assert_int_equal(-EINVAL, workload_read("config nodes 2\n", &w, &err));
	assert_non_null(strstr(err.text, "needs a list of format 2"));
}

static int collect(void *user, const char *data, size_t n)
{
	struct zl_buf *b = user;

	for (size_t i = 0; i < n; i++) {
		zl_buf_chr(b, data[i]);
	}
	return 0;
}

static int run(const struct zl_workload *w, const char *release, struct zl_buf *trace,
	struct zl_run_result *ret)
{
	struct zl_run_options o = {
		.trace = ZL_TRACE_TSV, .write = collect, .user = trace, .check = true};
	struct zl_sim_config c;
	struct zl_error err = {0};
	int rc;

	zl_sim_config_init(&c);
	script_switches(&c, release);
	rc = zl_run_workload(w, &c.switches, &o, ret, &err);
	if (rc != 0) {
		fail_msg("line %u: %s", err.line, err.text);
	}
	return rc;
}

/* The 125 pages that Normal of node 0 may give, then DMA, then the other node. */
static void a_trace_names_time_node_and_zone(void **state)
{
	struct zl_run_result result;
	struct zl_buf text = {0}, trace = {0};
	struct zl_workload w;
	struct zl_error err;

	(void)state;
	zl_buf_str(&text, COMMON ZONES);
	for (unsigned id = 1; id <= 260; id++) {
		zl_buf_fmt(&text, "@%u alloc 0 0 %u\n", id * 10, id);
	}
	zl_buf_str(&text, "tick\n");
	assert_int_equal(0, workload_read(zl_buf_text(&text), &w, &err));
	run(&w, "6.18.2", &trace, &result);
	assert_non_null(strstr(zl_buf_text(&trace), "\tlists\tbuddy\tt_ns\tnode\tzone\n"));
	assert_non_null(strstr(zl_buf_text(&trace), "\t10\t0\tNormal\n"));
	assert_non_null(strstr(zl_buf_text(&trace), "\t0\tDMA\n"));
	assert_non_null(strstr(zl_buf_text(&trace), "\t1\tNormal\n"));
	assert_non_null(strstr(zl_buf_text(&trace), "\t2600\t-\tall\n"));
	assert_int_equal(3, result.nr_zones);
	assert_int_equal(261, result.ops);
	assert_true(result.system.zone_fallbacks > 0);
	assert_true(result.system.node_fallbacks > 0);
	assert_int_equal(result.totals.refills, result.zone[0].totals.refills +
							result.zone[1].totals.refills +
							result.zone[2].totals.refills);
	zl_buf_done(&text);
	zl_buf_done(&trace);
	zl_workload_done(&w);
}

/* Without zones it is the zone of format 1 with further ops: the same digest. */
static void format_2_without_zones_is_one_zone(void **state)
{
	static const char config[] =
		"config page_shift 12\nconfig managed 4096\nconfig pages 64\nconfig cpus 2\n" MARKS
		"config scale_max 5\nconfig pageblock_order 3\nconfig max_order 4\n"
		"config hpage_order 3\nconfig thp 0\nconfig cache_slice_kib 0\n"
		"alloc 0 1 1\nalloc 3 0 2\nfree 1\n";
	struct zl_run_result one, two;
	struct zl_buf trace = {0};
	struct zl_workload w;
	struct zl_error err;
	char list[1024];

	(void)state;
	assert_int_equal(0, workload_read(config, &w, &err));
	run(&w, "6.18.2", &trace, &one);
	assert_null(strstr(zl_buf_text(&trace), "t_ns"));
	zl_workload_done(&w);
	snprintf(list, sizeof(list), "format 2\n%s", config);
	assert_int_equal(0, workload_read(list, &w, &err));
	assert_false(w.several);
	run(&w, "6.18.2", &trace, &two);
	assert_non_null(strstr(zl_buf_text(&trace), "\t0\t0\t-\n"));
	assert_true(one.digest == two.digest);
	assert_int_equal(0, two.nr_zones);
	zl_workload_done(&w);
	snprintf(list, sizeof(list), "format 2\n%snode 0\n", config);
	assert_int_equal(-EINVAL, workload_read(list, &w, &err));
	assert_non_null(strstr(err.text, "needs several zones"));
	zl_buf_done(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_are_read_and_written_back),
		cmocka_unit_test(bad_lines_are_refused_with_line_and_column),
		cmocka_unit_test(bad_machines_are_refused),
		cmocka_unit_test(a_trace_names_time_node_and_zone),
		cmocka_unit_test(format_2_without_zones_is_one_zone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
