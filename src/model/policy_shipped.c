/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies that have been posted, merged or asked for, by name.
 */
#include <string.h>

#include "zonelab/policy.h"

#define REST                                                                                       \
	" && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) && "                                         \
	"(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= READ_ONCE(batch))"
#define FREE_HIGH(threshold)                                                                       \
	"free_high = order && order <= PAGE_ALLOC_COSTLY_ORDER && "                                \
	"pcp->free_count >= " threshold REST

#define BATCH_K_STATUS "posted with figures; dropped for the threshold with high_min"
#define BATCH_K_SOURCE "v2 of 19 and 25 Mar 2025, 20250325171915.14384-1"
#define OURS	       "zonelab"

static const struct zl_shipped_policy shipped[] = {
	{"alloc-subtract",	   "free_count_on_alloc = pcp->free_count - (1 << order)",
		"posted and dropped; unverified, known from the text of the mail only",					 "v1 of 7 Jan 2025, 20250107091724.35287-1",
		"Does free_high follow long bursts of frees better when an allocation takes off "
		"what it took instead of halving free_count?"																									   },
	{"batch-scale-0",		  "pcp_batch_scale_max = 0",
		"posted as the boot parameter pcp_batch_scale_max=; not in 7.1",						"Claudiu Beznea, RFC of 26 Nov 2024, 20241126095138.1832464-1",
		"What does a board with one CPU gain when no batch is ever scaled?"																							    },
	{"batch-scale-2",		  "pcp_batch_scale_max = 2",
		"posted as the boot parameter pcp_batch_scale_max=; not in 7.1",						"Claudiu Beznea, RFC of 26 Nov 2024, 20241126095138.1832464-1",
		"Is a scale between 0 and the default 5 a way between throughput and latency?"																						 },
	{"chunked-drain",		  "drain_chunk = batch; decay_chunk = batch",	      "merged for 6.19",
		"v5 of 14 Oct 2025, 20251014145011.3427205-1",																  "How long is the zone lock held at most when an older kernel drains in chunks?"},
	{"chunked-full-drain",      "full_drain_chunk = batch",
		"posted (v1, v2 2/4) and dropped: not the contended case",						      "Joshua Hahn, v1 and v2 2/4 of the chunked drain series",
		"How many zone lock takes do full drains cost in chunks of one batch?"																							 },
	{"threshold-1-batch",	      FREE_HIGH("batch"),					  "merged for 6.7 (design B)",
		"mm/page_alloc.c, free_unref_page_commit(), v6.12",															     "How often does free_high flush with the threshold of 6.7 to 6.15?"		   },
	{"threshold-2-batch",	      FREE_HIGH("2 * batch"),				      BATCH_K_STATUS,	      BATCH_K_SOURCE,
		"What does a threshold of 2 batches change?"																										   },
	{"threshold-4-batch",	      FREE_HIGH("4 * batch"),				      BATCH_K_STATUS,	      BATCH_K_SOURCE,
		"What does a threshold of 4 batches change?"																										   },
	{"threshold-5-batch",	      FREE_HIGH("5 * batch"),				      BATCH_K_STATUS,	      BATCH_K_SOURCE,
		"Is 5 right on other machines than the one it was measured on?"																								},
	{"threshold-6-batch",	      FREE_HIGH("6 * batch"),				      BATCH_K_STATUS,	      BATCH_K_SOURCE,
		"What does a threshold of 6 batches change?"																										   },
	{"threshold-8-batch",	      FREE_HIGH("8 * batch"),				      BATCH_K_STATUS,	      BATCH_K_SOURCE,
		"What does a threshold of 8 batches change?"																										   },
	{"threshold-capped",
		FREE_HIGH("min(batch + pcp->high_min / 2, "
			  "(batch << CONFIG_PCP_BATCH_SCALE_MAX) - 1)"),
		"a suggestion; not posted as far as is known",								  OURS,
		"Can free_high stay within reach where high_min is large?"																								     },
	{"threshold-half-high",	FREE_HIGH("(batch + pcp->high / 2)"),
		"the literal reading of one reply; not posted as a patch",						      "Huang Ying, 875xjmuiup.fsf@DESKTOP-5N7EMDA",
		"What if the threshold followed the tuned high instead of high_min?"																							   },
	{"threshold-half-high-min", FREE_HIGH("(batch + pcp->high_min / 2)"),
		"merged for 6.16 (design C), c544a952ba61",								     "v3 of 7 Apr 2025, 20250407105219.55351-1",
		"What would the threshold of 6.16 change in an older kernel?"																								  },
	{"unchunked-drain",	    "drain_chunk = to_free; decay_chunk = to_drain",	     "the rule before 6.19",
		"mm/page_alloc.c, free_frozen_page_commit(), v6.18",															    "What do the chunks of 6.19 cost and save?"					   },
};

size_t zl_shipped_policy_count(void)
{
	return sizeof(shipped) / sizeof(shipped[0]);
}

const struct zl_shipped_policy *zl_shipped_policy_at(size_t i)
{
	return &shipped[i];
}

const struct zl_shipped_policy *zl_shipped_policy(const char *name)
{
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		if (strcmp(shipped[i].name, name) == 0) {
			return &shipped[i];
		}
	}
	return NULL;
}
