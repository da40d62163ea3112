/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splitting, merging, pageblock types and HIGHATOMIC in small zones, worked out by hand, all lists
 * compared. The pageset holds nothing, so that only the buddy shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

#define ZONE_MAX_ORDER	 4
#define ZONE_BLOCK_ORDER 3

static void run(unsigned pages, const struct script_step *steps)
{
	struct zl_sim_config c;

	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, pages);
	script_run_all(&c, steps);
}

static void splitting_keeps_the_lowest_part_and_merging_restores_it(void **state)
{
	static const struct script_step steps[] = {
		{"", "s 4M:0,16"			},
		{"", "y MMMM"		     },
		{"", "a 0 M =0"		       },
		{"", "s 4M:16 3M:8 2M:4 1M:2 0M:1"},
		{"", "a 0 M =1"		       },
		{"", "s 4M:16 3M:8 2M:4 1M:2"     },
		{"", "a 0 M =2"		       },
		{"", "s 4M:16 3M:8 2M:4 0M:3"     },
		{"", "a 1 M =4"		       },
		{"", "s 4M:16 3M:8 1M:6 0M:3"     },
		{"", "f 0"			  },
		{"", "s 4M:16 3M:8 1M:6 0M:0,3"   },
		{"", "f 2"			  },
		{"", "s 4M:16 3M:8 1M:2,6 0M:0"   },
		{"", "f 1"			  },
		{"", "s 4M:16 3M:8 2M:0 1M:6"     },
		{"", "f 4"			  },
		{"", "s 4M:0,16"			},
		{"", NULL			 },
	};

	(void)state;
	run(32, steps);
}

static void a_block_whose_parent_may_merge_goes_to_the_tail(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 0 M =0"		       },
		{"", "a 0 M =1"		       },
		{"", "a 0 M =2"		       },
		{"", "a 0 M =3"		       },
		{"", "a 0 M =4"		       },
		{"", "a 0 M =5"		       },
		{"", "a 0 M =6"		       },
		{"", "a 0 M =7"		       },
		{"", "f 5"			  },
		{"", "f 0"			  },
		{"", "s 4M:16 3M:8 0M:0,5"	  },
		{"", "f 1"			  },
		{"", "s 4M:16 3M:8 1M:0 0M:5"  },
		{"", "f 2"			  },
		{"", "s 4M:16 3M:8 1M:0 0M:5,2"},
		{"", "f 4"			  },
		{"", "s 4M:16 3M:8 1M:4,0 0M:2"},
		{"", "f 3"			  },
		{"", "s 4M:16 3M:8 2M:0 1M:4"  },
		{"", NULL			 },
	};

	(void)state;
	run(32, steps);
}

static void high_atomic_requests_reserve_pageblocks(void **state)
{
	static const struct script_step steps[] = {
		{"", "h 1 U =0"			       },
		{"", "s 4M:16 3U:8 2H:4 1H:2"	     },
		{"", "y HUMM"			     },
		{"", "h 2 U =4"			       },
		{"", "s 4M:16 3U:8 1H:2"		},
		{"", "h 2 U =8"			       },
		{"", "s 4M:16 2H:12 1H:2"		 },
		{"", "y HHMM"			     },
		{"", "h 1 U =2"			       },
		{"", "a 1 U =16"			},
		{"", "s 3U:24 2U:20 2H:12 1U:18"	},
		{"", "y HHUU"			     },
		{"", "h 1 U =12"			},
		{"", "s 3U:24 2U:20 1U:18 1H:14"	},
		{"", "f 0"			     },
		{"", "s 3U:24 2U:20 1U:18 1H:0,14"	  },
		{"", "f 4"			     },
		{"", "s 3U:24 2U:20 2H:4 1U:18 1H:0,14"},
		{"", "f 16"			    },
		{"", "s 4U:16 2H:4 1H:0,14"		   },
		{"", NULL			      },
	};
	static const struct script_release newest = {"7.1.3", 'D'};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 32);
	script_run(&c, &newest, steps);
}

static void merging_retags_none_one_or_all_pageblocks(void **state)
{
	static const struct script_step steps[] = {
		{"",    "a 3 U =0" },
		{"",    "y UUUU"   },
		{"",    "a 2 R =8" },
		{"",    "y UURR"   },
		{"",    "a 2 M =12"},
		{"",    "y UURM"   },
		{"",    "f 12"	   },
		{"",    "s 2M:12"  },
		{"",    "f 8"	  },
		{"",    "s 3R:8"   },
		{"A",   "y UURM"   },
		{"BCD", "y UURR"	},
		{"",    "f 0"	  },
		{"",    "s 4U:0"   },
		{"A",   "y UURM"   },
		{"BC",  "y UUUR"   },
		{"D",   "y UUUU"   },
		{"",    "a 4 U =0" },
		{"",    "f 0"	  },
		{"A",   "s 4U:0"   },
		{"A",   "y UURM"   },
		{"D",   "s 4U:0"   },
		{"D",   "y UUUU"   },
		{"BC",  "s 4R:0"   },
		{"BC",  "y RURR"   },
		{"",    NULL	 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, 2, 16);
	script_run_all(&c, steps);
}

static void the_two_largest_orders_always_go_to_the_head(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 3 M =0"       },
		{"", "a 3 M =8"       },
		{"", "a 3 M =16"	},
		{"", "a 3 M =24"	},
		{"", "a 3 M =32"	},
		{"", "a 3 M =40"	},
		{"", "s 4M:48"	      },
		{"", "f 0"		  },
		{"", "s 4M:48 3M:0"   },
		{"", "f 32"	   },
		{"", "s 4M:48 3M:32,0"},
		{"", NULL		 },
	};

	(void)state;
	run(64, steps);
}

static void the_tail_rule_looks_at_no_types(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 3 M =0"      },
		{"", "a 2 U =16"	},
		{"", "a 3 U =24"	},
		{"", "a 2 U =20"	},
		{"", "a 2 U =8"      },
		{"", "a 2 U =12"	},
		{"", "y MUUU"	     },
		{"", "f 0"		  },
		{"", "s 3M:0"	     },
		{"", "f 16"	   },
		{"", "s 3M:0 2U:16"  },
		{"", "f 8"		  },
		{"", "s 3M:0 2U:16,8"},
		{"", NULL		 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, 5, ZONE_BLOCK_ORDER, 32);
	script_run_all(&c, steps);
}

static void highatomic_blocks_do_not_merge_with_others(void **state)
{
	static const struct script_step steps[] = {
		{"", "h 3 U =0"	       },
		{"", "s 4M:16 3U:8"	   },
		{"", "y HUMM"	     },
		{"", "f 0"		  },
		{"", "s 4M:16 3U:8 3H:0"},
		{"", NULL		 },
	};
	static const struct script_release newest = {"7.1.3", 'D'};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 32);
	script_run(&c, &newest, steps);
}

static void a_page_is_drained_to_the_type_that_the_release_goes_by(void **state)
{
	static const struct script_step steps[] = {
		{"",    "b 8 M =0"     },
		{"",    "d"		},
		{"",    "k 1 3 6"      },
		{"",    "d"		},
		{"",    "s 0M:6,3,1"	 },
		{"A",   "a 0 U =1"	},
		{"A",   "p 0:3,6"      },
		{"A",   "d"		 },
		{"A",   "s 0U:3,6"	},
		{"A",   "f 1"	   },
		{"A",   "s 0U:3,6 0M:1"},
		{"BCD", "a 0 U =6"	  },
		{"BCD", "p 0:3,1"	 },
		{"BCD", "d"		   },
		{"BCD", "s 0M:3,1"	  },
		{"BCD", "f 6"	     },
		{"BCD", "s 0M:6,3,1"   },
		{"",    NULL		 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 8);
	script_refill_3(&c);
	script_run_all(&c, steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitting_keeps_the_lowest_part_and_merging_restores_it),
		cmocka_unit_test(a_block_whose_parent_may_merge_goes_to_the_tail),
		cmocka_unit_test(high_atomic_requests_reserve_pageblocks),
		cmocka_unit_test(merging_retags_none_one_or_all_pageblocks),
		cmocka_unit_test(the_two_largest_orders_always_go_to_the_head),
		cmocka_unit_test(the_tail_rule_looks_at_no_types),
		cmocka_unit_test(highatomic_blocks_do_not_merge_with_others),
		cmocka_unit_test(a_page_is_drained_to_the_type_that_the_release_goes_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
