/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buddy's vectors: small zones, worked out by hand, all lists compared. The pageset holds
 * nothing (batch 1, drained after each free), so that only the buddy shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

/* A, B: fallback of that form. C, D: claim and steal, retagging one pageblock or all. */
static const struct script_release releases[] = {
	{"5.15",	 'A'},
	{"5.19",	 'A'},
	{"6.1-rc7",  'A'},
	{"6.1.192",  'A'},
	{"6.6.63",   'A'},
	{"6.8",	'A'},
	{"6.12.0",   'B'},
	{"6.14",	 'B'},
	{"6.12.117", 'D'},
	{"6.18.2",   'C'},
	{"6.18.26",  'C'},
	{"6.18.35",  'D'},
	{"6.19",	 'D'},
	{"7.1.3",	  'D'},
};

#define ZONE_MAX_ORDER	 4
#define ZONE_BLOCK_ORDER 3
#define REFILL_3_MANAGED 16384

static void run_zone(const struct zl_sim_config *c, const struct script_step *steps)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
		script_run(c, &releases[i], steps);
	}
}

static void run(unsigned pages, const struct script_step *steps)
{
	struct zl_sim_config c;

	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, pages);
	run_zone(&c, steps);
}

/* A pageset that takes 3 blocks at a time. */
static void refill_3(struct zl_sim_config *c)
{
	c->managed = REFILL_3_MANAGED;
	c->batch = ZL_SIM_COMPUTED;
	c->high_min = ZL_SIM_COMPUTED;
	c->high_max = ZL_SIM_COMPUTED;
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

static void a_whole_pageblock_is_retyped(void **state)
{
	static const struct script_step steps[] = {
		{"",    "a 0 U =0"						 },
		{"",    "s 4M:16 3U:8 2U:4 1U:2 0U:1"				  },
		{"",    "y UUMM"						   },
		{"",    "a 0 R =16"						},
		{"",    "s 3U:8 3R:24 2U:4 2R:20 1U:2 1R:18 0U:1 0R:17"	    },
		{"",    "y UURR"						   },
		{"",    "a 0 M =24"						},
		{"",    "s 3U:8 2U:4 2M:28 2R:20 1U:2 1M:26 1R:18 0U:1 0M:25 0R:17"},
		{"",    "y UURM"						   },
		{"",    "f 0"						      },
		{"",    "f 16"						     },
		{"",    "s 4U:0 3R:16 2M:28 1M:26 0M:25"			     },
		{"",    "f 24"						     },
		{"",    "s 4U:0 4M:16"					     },
		{"A",   "y UURM"						   },
		{"BCD", "y UUMM"						   },
		{"",    NULL						       },
	};

	(void)state;
	run(32, steps);
}

static void a_pageblock_that_is_half_free_is_claimed(void **state)
{
	static const struct script_step steps[] = {
		{"", "b 16 M =?"		},
		{"", "f 1 3 8 9 10 12"    },
		{"", "s 1M:8 0M:12,3,1,10"},
		{"", "a 0 U =10"		},
		{"", "s 1U:8 0U:12 0M:3,1"},
		{"", "y MU"		   },
		{"", "a 0 U =12"		},
		{"", "a 0 U =8"	       },
		{"", "a 0 U =9"	       },
		{"", NULL		 },
	};

	(void)state;
	run(16, steps);
}

static void a_poor_pageblock_keeps_its_type(void **state)
{
	static const struct script_step steps[] = {
		{"",    "b 8 M =0"     },
		{"",    "f 1 3 6"      },
		{"",    "s 0M:6,3,1"	 },
		{"A",   "a 0 U =1"	},
		{"A",   "s 0U:3,6"	},
		{"BCD", "a 0 U =6"	  },
		{"BCD", "s 0M:3,1"	  },
		{"",    "y M"	  },
		{"",    "a 0 U =3"     },
		{"A",   "s 0U:6"	      },
		{"BCD", "s 0M:1"	},
		{"A",   "f 1 3"	     },
		{"A",   "s 0U:6 0M:3,1"},
		{"BCD", "f 6 3"	       },
		{"BCD", "s 0M:3,6,1"   },
		{"",    NULL		 },
	};

	(void)state;
	run(8, steps);
}

static void a_movable_request_takes_the_smallest(void **state)
{
	static const struct script_step steps[] = {
		{"",    "a 1 U =0"   },
		{"",    "a 1 U =2"   },
		{"",    "a 0 U =4"   },
		{"",    "a 0 U =5"   },
		{"",    "a 3 U =8"   },
		{"",    "a 1 U =6"   },
		{"",    "f 2 4"	    },
		{"",    "s 1U:2 0U:4"},
		{"",    "y U"	  },
		{"",    "a 0 M =4"   },
		{"",    "a 0 M =2"   },
		{"A",   "s 0M:3"     },
		{"BCD", "s 0U:3"	},
		{"",    "a 0 M =3"   },
		{"",    NULL	 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, 4, 16);
	run_zone(&c, steps);
}

static void a_big_poor_block_and_a_small_rich_one_tell_the_forms_apart(void **state)
{
	static const struct script_step steps[] = {
		{"",   "b 16 M =0"		},
		{"",   "f 0 1 8 10 12 14"    },
		{"",   "s 1M:0 0M:14,12,10,8"},
		{"AB", "a 0 U =0"		 },
		{"A",  "s 0U:1 0M:14,12,10,8"},
		{"B",  "s 0M:1,14,12,10,8"	 },
		{"AB", "y MM"		     },
		{"CD", "a 0 U =8"		 },
		{"CD", "s 1M:0 0U:10,12,14"  },
		{"CD", "y MU"		     },
		{"AB", "a 0 U =1"		 },
		{"CD", "a 0 U =10"		  },
		{"",   NULL			 },
	};

	(void)state;
	run(16, steps);
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
	refill_3(&c);
	run_zone(&c, steps);
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
	run_zone(&c, steps);
}

static void a_partial_last_pageblock_is_never_claimed(void **state)
{
	static const struct script_step steps[] = {
		{"",   "s 3M:0 2M:8 1M:12"},
		{"",   "b 14 M =12"	 },
		{"",   "f 8 9 12 11"	  },
		{"",   "s 1M:8 0M:12,11"  },
		{"AB", "a 0 U =8"	 },
		{"A",  "s 0U:9 0M:12,11"  },
		{"B",  "s 0M:9,12,11"	    },
		{"CD", "a 0 U =12"	  },
		{"CD", "s 1M:8 0M:11"     },
		{"AB", "a 0 U =9"	 },
		{"CD", "a 0 U =11"	  },
		{"",   "y MM"		   },
		{"",   NULL		 },
	};

	(void)state;
	run(14, steps);
}

static void without_mobility_grouping_every_request_is_unmovable(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 0 M =0"		       },
		{"", "s 4M:16 3U:8 2U:4 1U:2 0U:1"},
		{"", "y UUMM"		     },
		{"", "a 0 R =1"		       },
		{"", "f 0 1"			    },
		{"", "s 4U:0 4M:16"		   },
		{"", "b 2 M =16"			},
		{"", "s 4U:0 3M:24 2M:20 1M:18"   },
		{"", NULL			 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 32);
	c.managed = 39;
	run_zone(&c, steps);
}

static void a_refill_that_stole_goes_on_stealing(void **state)
{
	static const struct script_step steps[] = {
		{"",   "b 16 M =0"	},
		{"",   "d"		},
		{"",   "f 14 12 10 8 1"   },
		{"",   "s 0M:1,8,10,12,14"},
		{"",   "a 0 U =1"	       },
		{"",   "p 0:8,10"	       },
		{"CD", "s 0M:12,14"	   },
		{"CD", "y MM"	     },
		{"AB", "s 0U:12,14"	   },
		{"AB", "y MU"	     },
		{"",   "a 0 U =8"	       },
		{"",   "a 0 U =10"	},
		{"",   "a 0 U =12"	},
		{"CD", "y MU"	     },
		{"",   NULL		 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 16);
	refill_3(&c);
	run_zone(&c, steps);
}

static void a_pageblock_with_movable_pages_inside_is_claimed(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 3 U =0" },
		{"", "s 3U:8"   },
		{"", "y UU"	   },
		{"", "a 1 M =8" },
		{"", "y UM"	   },
		{"", "a 1 M =10"},
		{"", "a 1 U =12"},
		{"", "s 1U:14"  },
		{"", "y UU"	   },
		{"", NULL	 },
	};

	(void)state;
	run(16, steps);
}

static void a_movable_request_claims_by_movable_pages(void **state)
{
	static const struct script_step steps[] = {
		{"", "b 8 U =0"   },
		{"", "f 0 2 4"    },
		{"", "s 0U:4,2,0" },
		{"", "a 0 M =4"   },
		{"", "a 0 M =2"   },
		{"", "y U"	  },
		{"", "f 6 7"	    },
		{"", "s 1U:6 0U:0"},
		{"", "a 0 M =0"   },
		{"", "s 1M:6"     },
		{"", "y M"	  },
		{"", "a 0 M =6"   },
		{"", NULL	 },
	};

	(void)state;
	run(8, steps);
}

static void what_is_left_of_a_steal_keeps_list_or_block_type(void **state)
{
	static const struct script_step steps[] = {
		{"",   "a 5 U =0" },
		{"",   "a 4 R =32"},
		{"",   "a 4 M =48"},
		{"",   "f 48 32 0"},
		{"",   "s 6U:0"   },
		{"",   "a 5 U =0" },
		{"",   "a 4 U =32"},
		{"",   "a 1 U =48"},
		{"",   "a 3 U =56"},
		{"",   "a 2 U =52"},
		{"",   "s 1U:50"  },
		{"",   "a 0 M =50"},
		{"A",  "s 0M:51"  },
		{"B",  "s 0R:51"  },
		{"CD", "s 0U:51"	},
		{"",   NULL	 },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, 6, 4, 64);
	run_zone(&c, steps);
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
	run_zone(&c, steps);
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

static void reclaimable_pages_are_not_alike_for_unmovable(void **state)
{
	static const struct script_step steps[] = {
		{"",    "b 8 R =0"  },
		{"",    "f 0 2 4"   },
		{"",    "s 0R:4,2,0"},
		{"A",   "a 0 U =0"	},
		{"A",   "s 0U:2,4"	},
		{"BCD", "a 0 U =4"  },
		{"BCD", "s 0R:2,0"  },
		{"",    "y R"	  },
		{"",    NULL	 },
	};

	(void)state;
	run(8, steps);
}

static void without_mobility_grouping_a_pageblock_becomes_unmovable(void **state)
{
	static const struct script_step steps[] = {
		{"", "a 4 U =0"		       },
		{"", "a 4 U =16"			},
		{"", "f 0 16"			     },
		{"", "s 4U:16,0"			},
		{"", "b 1 M =16"			},
		{"", "s 4U:0 3M:24 2M:20 1M:18 0M:17"},
		{"", "y UUUU"			     },
		{"", NULL			    },
	};
	struct zl_sim_config c;

	(void)state;
	script_zone(&c, ZONE_MAX_ORDER, ZONE_BLOCK_ORDER, 32);
	c.managed = 39;
	run_zone(&c, steps);
}

static void every_page_of_a_movable_block_counts_as_movable(void **state)
{
	static const struct script_step steps[] = {
		{"",    "a 2 M =0"},
		{"",    "a 0 M =4"},
		{"",    "a 0 M =5"},
		{"",    "a 0 M =6"},
		{"",    "a 0 M =7"},
		{"",    "f 4 6"   },
		{"",    "s 0M:6,4"},
		{"A",   "a 0 U =4"},
		{"A",   "s 0U:6"  },
		{"BCD", "a 0 U =6"},
		{"BCD", "s 0M:4"	},
		{"",    "y M"	  },
		{"",    NULL	 },
	};

	(void)state;
	run(8, steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitting_keeps_the_lowest_part_and_merging_restores_it),
		cmocka_unit_test(a_block_whose_parent_may_merge_goes_to_the_tail),
		cmocka_unit_test(a_whole_pageblock_is_retyped),
		cmocka_unit_test(a_pageblock_that_is_half_free_is_claimed),
		cmocka_unit_test(a_poor_pageblock_keeps_its_type),
		cmocka_unit_test(a_movable_request_takes_the_smallest),
		cmocka_unit_test(a_big_poor_block_and_a_small_rich_one_tell_the_forms_apart),
		cmocka_unit_test(a_page_is_drained_to_the_type_that_the_release_goes_by),
		cmocka_unit_test(high_atomic_requests_reserve_pageblocks),
		cmocka_unit_test(merging_retags_none_one_or_all_pageblocks),
		cmocka_unit_test(a_partial_last_pageblock_is_never_claimed),
		cmocka_unit_test(without_mobility_grouping_every_request_is_unmovable),
		cmocka_unit_test(a_refill_that_stole_goes_on_stealing),
		cmocka_unit_test(a_pageblock_with_movable_pages_inside_is_claimed),
		cmocka_unit_test(a_movable_request_claims_by_movable_pages),
		cmocka_unit_test(what_is_left_of_a_steal_keeps_list_or_block_type),
		cmocka_unit_test(the_two_largest_orders_always_go_to_the_head),
		cmocka_unit_test(the_tail_rule_looks_at_no_types),
		cmocka_unit_test(highatomic_blocks_do_not_merge_with_others),
		cmocka_unit_test(reclaimable_pages_are_not_alike_for_unmovable),
		cmocka_unit_test(without_mobility_grouping_a_pageblock_becomes_unmovable),
		cmocka_unit_test(every_page_of_a_movable_block_counts_as_movable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
