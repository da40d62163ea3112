/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fallback in small zones, worked out by hand for each of its forms, all lists compared. The
 * pageset holds nothing, so that only the buddy shows.
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
	script_run_all(&c, steps);
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
	script_run_all(&c, steps);
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
	script_refill_3(&c);
	script_run_all(&c, steps);
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
	script_run_all(&c, steps);
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
	script_run_all(&c, steps);
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
		cmocka_unit_test(a_whole_pageblock_is_retyped),
		cmocka_unit_test(a_pageblock_that_is_half_free_is_claimed),
		cmocka_unit_test(a_poor_pageblock_keeps_its_type),
		cmocka_unit_test(a_movable_request_takes_the_smallest),
		cmocka_unit_test(a_big_poor_block_and_a_small_rich_one_tell_the_forms_apart),
		cmocka_unit_test(a_partial_last_pageblock_is_never_claimed),
		cmocka_unit_test(without_mobility_grouping_every_request_is_unmovable),
		cmocka_unit_test(a_refill_that_stole_goes_on_stealing),
		cmocka_unit_test(a_pageblock_with_movable_pages_inside_is_claimed),
		cmocka_unit_test(a_movable_request_claims_by_movable_pages),
		cmocka_unit_test(what_is_left_of_a_steal_keeps_list_or_block_type),
		cmocka_unit_test(reclaimable_pages_are_not_alike_for_unmovable),
		cmocka_unit_test(without_mobility_grouping_a_pageblock_becomes_unmovable),
		cmocka_unit_test(every_page_of_a_movable_block_counts_as_movable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
