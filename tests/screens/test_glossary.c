/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The glossary beside the lessons: every name is found, and explained.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "golden.h"
#include "learn.h"

static void the_glossary_is_searched(void **state)
{
	struct stage *s = stage_on(SCREEN_LEARN, 24, 80);

	(void)state;
	press(s, "/ h a l v e s Enter");
	assert_shows(s, "free_count");
	assert_int_equal(LEARN_PANEL_VALUES, s->app.panel);
	press(s, "Enter");
	assert_int_equal(OVERLAY_WHY, s->app.overlay);
	stage_free(s);
}

/* One of each table is found by its name, and Enter explains it. */
static void the_glossary_holds_every_table(void **state)
{
	static const struct {
		const char *keys, *head, *part;
	} rows[] = {
		{"w m a r k _ l o w",	      "wmark_low =",		     "Source:"	      },
		{"p c p _ b a t c h _ s c a l e", "pcp_batch_scale_max =",	   "CONFIG_PCP_BATCH"},
		{"f i r s t _ f r e e _ h",	    "first_free_high, a metric",	 "flushed first"	},
		{"l i m i t - b e l o w",	  "limit-below-batch, an event",	 "below one batch" },
		{"n r _ p c p _ f r e e",	  "nr_pcp_free, a decision point", "Names:"	   },
		{"t h r e s h o l d - c a p",     "threshold-capped, a policy",    "suggestion"	},
		{"D 1 9",			  "D19, a design",		   "6.19-7.0"	     },
		{"t h p _ c a p _ k b",		"thp_cap_kbytes, a term (KiB)",	"khugepaged"	    },
		{"a r e a s - l e f t",		"areas-left, a diagnostic",	    "MAX_CMA_AREAS"   },
	};
	struct stage *s = stage_on(SCREEN_LEARN, 30, 100);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char keys[64];

		snprintf(keys, sizeof(keys), "/ %s Enter", rows[i].keys);
		press(s, keys);
		assert_shows(s, rows[i].head);
		press(s, "Enter");
		assert_true(s->app.overlay == OVERLAY_WHY || s->app.overlay == OVERLAY_TEXT);
		assert_shows(s, rows[i].head);
		assert_shows(s, rows[i].part);
		press(s, "Esc");
		assert_int_equal(OVERLAY_NONE, s->app.overlay);
	}
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_glossary_is_searched),
		cmocka_unit_test(the_glossary_holds_every_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
