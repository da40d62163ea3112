/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CMA pageblocks as a source for movable requests, and the HIGHATOMIC reserve before 7.1, in small
 * zones, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

/* Pages 16..31 of 32 are CMA, in pageblocks of 8. */
static void cma_zone(struct zl_sim_config *c)
{
	script_zone(c, 4, 3, 32);
	c->cma = true;
	c->cma_start = 16;
	c->cma_pages = 16;
}

static void movable_requests_keep_the_share_of_cma_at_half(void **state)
{
	static const struct script_step steps[] = {
		{"", "s 4M:0 4C:16"	   },
		{"", "y MMCC"	     },
 /* 16 of 32 free pages are CMA: not more than half. */
		{"", "a 0 M =0"	       },
 /* 16 of 31. */
		{"", "a 0 M =16"	},
 /* 15 of 30, then 15 of 29. */
		{"", "a 0 M =1"	       },
		{"", "a 0 M =17"	},
		{"", "a 1 M =2"	       },
		{"", "a 1 M =18"	},
		{"", "f 16 17 18"	 },
		{"", "s 4C:16 3M:8 2M:4"},
		{"", NULL		 },
	};
	struct zl_sim_config c;

	(void)state;
	cma_zone(&c);
	script_run_all(&c, steps);
}

/* Inside a refill the older releases see the free pages as they were before it. */
static void a_refill_of_the_older_releases_balances_by_old_counts(void **state)
{
	static const struct script_step steps[] = {
		{"",    "a 0 M =0"		       },
		{"A",   "p 1:1,2"		       },
		{"A",   "d"			  },
		{"A",   "s 4C:16 3M:8 2M:4 1M:2 0M:1"},
		{"BCD", "p 1:16,1"			  },
		{"BCD", "d"			   },
		{"BCD", "s 4C:16 3M:8 2M:4 1M:2 0M:1"},
		{"",    NULL			 },
	};
	struct zl_sim_config c;

	(void)state;
	cma_zone(&c);
	script_refill_3(&c);
	script_run_all(&c, steps);
}

static void cma_serves_movable_requests_before_other_types_do(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 3 U =0"    },
		{"", "a 3 U =8"    },
		{"", "s 4C:16"     },
		{"", "y UUCC"	     },
		{"", "f 8"	  },
		{"", "s 4C:16 3U:8"},
		{"", "a 3 M =16"	},
		{"", "a 3 M =24"	},
		{"", "a 3 M =8"    },
		{"", "y UMCC"	     },
		{"", "a 0 M =-"    },
		{"", "f 16"	   },
		{"", "s 3C:16"     },
 /* Nobody else may use it. */
		{"", "a 0 U =-"    },
		{"", "a 0 R =-"    },
		{"", "a 0 M =16"	},
		{"", NULL		 },
	};
	struct zl_sim_config c;

	(void)state;
	cma_zone(&c);
	script_run_all(&c, steps);
}

static void without_mobility_grouping_cma_serves_nobody(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 4 M =0"},
		{"", "a 0 M =-"},
		{"", "s 4C:16" },
		{"", NULL	 },
	};
	struct zl_sim_config c;

	(void)state;
	cma_zone(&c);
	c.managed = 47; /* six types of 8 pages need 48 */
	script_run_all(&c, steps);
}

/* Before 7.1 a refill comes first, and any block of order > 0 that is handed out reserves. */
static void older_releases_reserve_for_any_high_order_atomic_request(void **state)
{
	static const struct script_step steps[] = {
		{"",  "h 0 U =0"	       },
		{"",  "y UUMM"		     },
		{"",  "h 1 U =2"	       },
		{"",  "s 4M:16 3U:8 2H:4 0H:1"},
		{"",  "y HUMM"		     },
 /* Order 2 has a pageset list; the U lists come before the reserve. */
		{"",  "h 2 U =8"	       },
		{"A", "s 4M:16 2H:4,12 0H:1"  },
		{"B", "s 4M:16 2H:4,12 0H:1"  },
		{"",  "y HHMM"		     },
 /* The limit: 1000 / 100 pages and one block, or rounded up to whole blocks. */
		{"",  "h 1 U =16"		},
		{"A", "y HHHU"		      },
		{"B", "y HHUU"		      },
		{"",  NULL			 },
	};
	static const struct script_release releases[] = {
		{"6.1.192", 'A'},
		  {"6.6.63",  'A'},
		   {"6.12.0",  'B'},
		    {"6.18.2",  'B'},
		     {"6.19",    'B'}
	  };
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, 4, 3, 32);
	for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
		script_run(&c, &releases[i], steps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(movable_requests_keep_the_share_of_cma_at_half),
		cmocka_unit_test(a_refill_of_the_older_releases_balances_by_old_counts),
		cmocka_unit_test(cma_serves_movable_requests_before_other_types_do),
		cmocka_unit_test(without_mobility_grouping_cma_serves_nobody),
		cmocka_unit_test(older_releases_reserve_for_any_high_order_atomic_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
