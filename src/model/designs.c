/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The designs of pcp behaviour by name.
 */
#include "zonelab/release.h"

static const struct {
	const char *name;
	const char *releases;
	const char *summary;
} designs[ZL_DESIGN_COUNT] = {
	[ZL_DESIGN_NONE] = {"none",  "before 5.14",	   "Pagesets of older kernels are not modelled."		},
	[ZL_DESIGN_A514] = {"A514",  "5.14-5.17",
			    "Fixed high, free_factor doubles the drain; no free_high."				  },
	[ZL_DESIGN_A] = {"A",     "5.18-6.6",		  "Fixed high, free_factor, free_high once it is above 0."},
	[ZL_DESIGN_A_CAP] = {"A+cap", "late 6.1.y and 6.6.y",
			    "As A, but free_factor stops growing at pcp_batch_scale_max."			     },
	[ZL_DESIGN_B] = {"B",     "6.7-6.15",
			    "high tuned between high_min and high_max; free_high from free_count >= batch on."	  },
	[ZL_DESIGN_C] = {"C",     "6.16-6.18",
			    "As B, but free_high from free_count >= batch + high_min / 2 on."			 },
	[ZL_DESIGN_D19] = {"D19",	  "6.19-7.0",	      "As C, but drains in chunks of one batch."		},
	[ZL_DESIGN_D71] = {"D71",	  "7.1 and newer",
			    "As D19; no pagesets with SMP=n, no refill for high-order atomic requests."		   },
};

const char *zl_design_name(enum zl_design_id d)
{
	return d < ZL_DESIGN_COUNT ? designs[d].name : "?";
}

const char *zl_design_summary(enum zl_design_id d)
{
	return d < ZL_DESIGN_COUNT ? designs[d].summary : "?";
}

const char *zl_design_releases(enum zl_design_id d)
{
	return d < ZL_DESIGN_COUNT ? designs[d].releases : "?";
}
