/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zones, machines and ops that are impossible: each is refused with a sentence, and what lies just
 * inside the same bound is taken.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "zonelab/system.h"

/* A zone of 64 pages in pageblocks of 8, with CMA in its second half. */
static void good_zone(struct zl_sim_config *c)
{
	script_zone(c, 4, 3, 64);
	script_switches(c, "6.18.2");
	c->cma = true;
	c->cma_start = 32;
	c->cma_pages = 32;
}

static void zone_is(const struct zl_sim_config *c, const char *sentence)
{
	struct zl_error err = {0};
	int rc = zl_sim_config_check(c, &err);

	if (sentence == NULL) {
		assert_int_equal(0, rc);
		assert_string_equal("", err.text);
	} else {
		assert_int_equal(-EINVAL, rc);
		assert_string_equal(sentence, err.text);
	}
}

#define ZONE(member, number, sentence)                                                             \
	do {                                                                                       \
		good_zone(&c);                                                                     \
		c.member = number;                                                                 \
		zone_is(&c, sentence);                                                             \
	} while (0)

static void limits_of_a_zone_are_refused_out_of_range(void **state)
{
	static const char batch[] = "batch 65536 is out of range; 1 to 65535 is possible";
	static const char high[] = "high_min and high_max must be 0 to 2147483647 pages";
	struct zl_sim_config c;

	(void)state;
	ZONE(batch, 65535, NULL);
	ZONE(batch, 65536, batch);
	ZONE(batch, 1, NULL);
	ZONE(batch, 0, "batch 0 is out of range; 1 to 65535 is possible");
	ZONE(batch, ZL_SIM_COMPUTED, NULL);
	ZONE(high_min, INT_MAX, NULL);
	ZONE(high_min, INT64_C(1) + INT_MAX, high);
	ZONE(high_min, -2, high);
	ZONE(high_min, ZL_SIM_COMPUTED, NULL);
	ZONE(high_max, INT_MAX, NULL);
	ZONE(high_max, INT64_C(1) + INT_MAX, high);
	ZONE(high_max, -2, high);
	ZONE(high_fraction, 8, NULL);
	ZONE(high_fraction, 7, "high_fraction 7 is refused by the kernel; 0 or at least 8");
	ZONE(high_fraction, 1, "high_fraction 1 is refused by the kernel; 0 or at least 8");
	ZONE(page_shift, 11, "page_shift 11 is out of range; 12 to 18 is possible");
	ZONE(page_shift, 18, NULL);
	ZONE(page_shift, 19, "page_shift 19 is out of range; 12 to 18 is possible");
	ZONE(scale_max, 6, NULL);
	ZONE(scale_max, 7, "scale_max 7 is out of range; 0 to 6 is possible");
	ZONE(managed, 0, "managed 0 is out of range; 1 to 17179869176 is possible");
	ZONE(switches.design, ZL_DESIGN_NONE, "pagesets are modelled from kernel 5.14 on");
	ZONE(switches.design, ZL_DESIGN_COUNT, "pagesets are modelled from kernel 5.14 on");
}

static void a_cma_range_lies_in_the_zone_in_whole_pageblocks(void **state)
{
	static const char inside[] = "the CMA range must lie inside the zone's 64 pages";
	static const char whole[] = "the CMA range must be whole pageblocks of 8 pages";
	struct zl_sim_config c;

	(void)state;
	ZONE(cma, true, NULL);
	ZONE(cma, false, "a CMA range needs a kernel with CMA");
	ZONE(cma_start, 40, inside);
	ZONE(cma_pages, 40, inside);
	ZONE(cma_pages, 72, inside);
	ZONE(cma_start, 24, NULL);
	ZONE(cma_start, 28, whole);
	ZONE(cma_pages, 28, whole);
	ZONE(cma_pages, 24, NULL);
	good_zone(&c);
	c.cma_start = 0;
	c.cma_pages = 64;
	zone_is(&c, NULL);
	good_zone(&c);
	c.pageblock_order = 5;
	zone_is(&c, "CMA needs pageblock_order up to max_order 4");
	c.max_order = 5;
	zone_is(&c, NULL);
	c.pageblock_order = 6;
	c.cma_pages = 0;
	zone_is(&c, NULL);
}

static void ops_on_ids_and_types_that_do_not_exist_are_refused(void **state)
{
	static const struct {
		struct zl_op op;
		const char *sentence; /* NULL = it is taken */
	} table[] = {
		{{.kind = ZL_OP_ALLOC, .id = ZL_OP_ID_MAX},		    NULL					},
		{{.kind = ZL_OP_ALLOC, .id = ZL_OP_ID_MAX + 1u},
			"id 2147483648 is too large; ids go up to 2147483647"						     },
		{{.kind = ZL_OP_ALLOC, .order = 4},			    NULL					},
		{{.kind = ZL_OP_ALLOC, .order = 5},			    "order 5 is above max_order 4"		  },
		{{.kind = ZL_OP_ALLOC, .mt = ZL_MIGRATE_RECLAIMABLE},	      NULL					  },
		{{.kind = ZL_OP_ALLOC, .mt = ZL_MIGRATE_PCPTYPES},
			"migratetype 3 cannot be asked for; 0 unmovable, 1 movable, 2 reclaimable"			  },
		{{.kind = ZL_OP_ALLOC, .arg = ZL_ZONE_TYPE_COUNT},	   NULL				       },
		{{.kind = ZL_OP_ALLOC, .arg = ZL_ZONE_TYPE_COUNT + 1},      "there is no zone type 6"		},
		{{.kind = ZL_OP_BULK, .arg = 2, .id = ZL_OP_ID_MAX - 1},	 NULL				     },
		{{.kind = ZL_OP_BULK, .arg = 3, .id = ZL_OP_ID_MAX - 1},
			"id 2147483646 is too large; ids go up to 2147483647"						     },
		{{.kind = ZL_OP_BULK, .arg = 1, .id = 7},			  "id 7 is in use; free it first"		 },
		{{.kind = ZL_OP_BULK, .arg = 3, .id = 5},			  "id 7 is in use; free it first"		 },
		{{.kind = ZL_OP_BULK, .arg = 2, .id = 5},			  NULL				      },
		{{.kind = ZL_OP_BULK, .arg = 0},				 "a bulk op takes 1 to 1048576 pages"     },
		{{.kind = ZL_OP_BULK, .arg = ZL_OP_BULK_MAX + 1},
			"a bulk op takes 1 to 1048576 pages"								},
		{{.kind = ZL_OP_BULK, .arg = 1, .mt = ZL_MIGRATE_PCPTYPES},
			"migratetype 3 cannot be asked for; 0 unmovable, 1 movable, 2 reclaimable"			  },
		{{.kind = ZL_OP_FREE, .id = ZL_OP_ID_MAX},		   NULL				       },
		{{.kind = ZL_OP_FREE, .id = ZL_OP_ID_MAX + 1u},
			"id 2147483648 is too large; ids go up to 2147483647"						     },
		{{.kind = ZL_OP_PIN, .id = ZL_OP_ID_MAX + 1u},
			"id 2147483648 is too large; ids go up to 2147483647"						     },
		{{.kind = ZL_OP_SET, .key = ZL_SIM_KEY_COUNT},
			"this key cannot be set while a zone lives"							   },
		{{.kind = ZL_OP_UNRESERVE, .mt = ZL_MIGRATE_MOVABLE},	      NULL					  },
		{{.kind = ZL_OP_UNRESERVE, .mt = ZL_MIGRATE_CMA},
			"this is not an op that can be performed"								 },
		{{.kind = ZL_OP_KIND_COUNT},				     "this is not an op that can be performed"},
		{{.kind = ZL_OP_CPU, .arg = 0},				NULL					    },
		{{.kind = ZL_OP_CPU, .arg = 1},
			"there is no CPU 1; the zone has 1, counted from 0"						   },
	};
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	script_zone(&c, 4, 3, 64);
	sim = script_sim(&c, "6.18.2");
	script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_MOVABLE, 7);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct zl_error err = {0};
		uint64_t was = zl_sim_digest(sim);
		int rc = zl_sim_op_check(sim, &table[i].op, &err);

		assert_int_equal(table[i].sentence != NULL ? -EINVAL : 0, rc);
		assert_string_equal(table[i].sentence != NULL ? table[i].sentence : "", err.text);
		if (rc != 0) {
			assert_int_equal(-EINVAL, zl_sim_apply(sim, &table[i].op));
		}
		assert_true(was == zl_sim_digest(sim));
	}
	zl_sim_free(sim);
}

/* Two nodes with two CPUs and one zone each. */
static void good_machine(struct zl_system_config *c)
{
	zl_system_config_init(c);
	c->nodes = 2;
	c->cpus = 4;
	zl_system_split_cpus(c);
	for (unsigned i = 0; i < 2; i++) {
		struct zl_system_zone *z = &c->zone[c->nr_zones++];

		z->node = i;
		z->type = ZL_ZONE_NORMAL;
		strcpy(z->name, "Normal");
		good_zone(&z->config);
	}
}

static void machine_is(const struct zl_system_config *c, const char *sentence)
{
	struct zl_error err = {0};
	int rc = zl_system_config_check(c, &err);

	assert_int_equal(sentence != NULL ? -EINVAL : 0, rc);
	assert_string_equal(sentence != NULL ? sentence : "", err.text);
}

#define MACHINE(member, number, sentence)                                                          \
	do {                                                                                       \
		good_machine(&c);                                                                  \
		c.member = number;                                                                 \
		machine_is(&c, sentence);                                                          \
	} while (0)

static void machines_whose_parts_do_not_go_together_are_refused(void **state)
{
	static const char one[] = "all zones have one page size and one max_order";
	static struct zl_system_config c;

	(void)state;
	good_machine(&c);
	machine_is(&c, NULL);
	MACHINE(nodes, 0, "0 nodes are impossible; 1 to 64");
	MACHINE(nodes, ZL_SYSTEM_NODES_MAX + 1, "65 nodes are impossible; 1 to 64");
	MACHINE(nr_zones, 0, "0 zones are impossible; 1 to 64");
	MACHINE(nr_zones, ZL_SYSTEM_ZONES_MAX + 1, "65 zones are impossible; 1 to 64");
	MACHINE(first_cpu[1], 3, "CPUs of node 1 must follow those of the nodes before it");
	MACHINE(first_cpu[0], 1, "CPUs of node 0 must follow those of the nodes before it");
	MACHINE(cpus, 5, "the nodes have 4 CPUs, the machine 5; 1 to 8192");
	MACHINE(zone[1].node, 2, "zone Normal is on node 2, and there are 2");
	MACHINE(zone[1].node, 0,
		"zone Normal of node 0 must stand before the zone that precedes it");
	MACHINE(zone[1].config.page_shift, 14, one);
	MACHINE(zone[1].config.max_order, 5, one);
	MACHINE(zone[1].config.batch, 0, "batch 0 is out of range; 1 to 65535 is possible");
	/* A node without CPUs has no first one. */
	good_machine(&c);
	c.node_cpus[1] = 0;
	c.first_cpu[1] = 9;
	c.cpus = 2;
	machine_is(&c, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_of_a_zone_are_refused_out_of_range),
		cmocka_unit_test(a_cma_range_lies_in_the_zone_in_whole_pageblocks),
		cmocka_unit_test(ops_on_ids_and_types_that_do_not_exist_are_refused),
		cmocka_unit_test(machines_whose_parts_do_not_go_together_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
