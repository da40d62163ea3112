/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the cost estimate and of reservations, by name. */
#include "sweep_figures.h"

#define PER_1000  1000
#define PS_PER_NS 1000

static int64_t throughput(const struct zl_estimate_result *r)
{
	return zl_estimate_throughput(r);
}

static int64_t blocks(const struct zl_estimate_result *r)
{
	return (int64_t)r->blocks;
}

static int64_t blocks_per_s(const struct zl_estimate_result *r)
{
	const int64_t us_per_s = 1000000;
	int64_t us = r->window_ps / us_per_s;

	return us > 0 ? (int64_t)r->blocks * us_per_s / us : 0;
}

static int64_t takes(const struct zl_estimate_result *r)
{
	return (int64_t)r->takes;
}

static int64_t per_1000(uint64_t n, const struct zl_estimate_result *r)
{
	return r->blocks > 0 ? (int64_t)((n * PER_1000 + r->blocks / 2) / r->blocks) : 0;
}

static int64_t takes_per_1000(const struct zl_estimate_result *r)
{
	return per_1000(r->takes, r);
}

static int64_t flushes_per_1000(const struct zl_estimate_result *r)
{
	return per_1000(r->free_high, r);
}

static int64_t contended(const struct zl_estimate_result *r)
{
	return zl_estimate_contended(r);
}

static int64_t held(const struct zl_estimate_result *r)
{
	return zl_estimate_held(r);
}

static int64_t hold_avg(const struct zl_estimate_result *r)
{
	return zl_durations_mean_ns(&r->hold);
}

static int64_t hold_max(const struct zl_estimate_result *r)
{
	return zl_durations_max_ns(&r->hold);
}

static int64_t wait_avg(const struct zl_estimate_result *r)
{
	return zl_durations_mean_ns(&r->wait);
}

static int64_t wait_max(const struct zl_estimate_result *r)
{
	return zl_durations_max_ns(&r->wait);
}

static int64_t refill_avg(const struct zl_estimate_result *r)
{
	return zl_durations_mean_ns(&r->refill);
}

static int64_t refill_max(const struct zl_estimate_result *r)
{
	return zl_durations_max_ns(&r->refill);
}

static const struct {
	struct sweep_figure figure;
	int64_t (*value)(const struct zl_estimate_result *r);
} estimates[] = {
	{{"estimate.blocks", "blocks", "Blocks allocated in the time that counts"},		    blocks	  },
	{{"estimate.blocks_per_s", "blocks/s", "The same for one second"},			   blocks_per_s    },
	{{"estimate.contended_permille", "1/1000", "Takes that found the zone lock held"},
		contended											      },
	{{"estimate.free_high_per_1000", "flushes", "Flushes for 1000 blocks"},			flushes_per_1000},
	{{"estimate.hold_avg_ns", "ns", "Average hold of the zone lock"},			  hold_avg	  },
	{{"estimate.hold_max_ns", "ns", "Longest hold of the zone lock"},			  hold_max	  },
	{{"estimate.lock_held_permille", "1/1000", "Share of time that the zone lock is held"},
		held												   },
	{{"estimate.refill_avg_ns", "ns", "Average refill, waiting and hold"},		       refill_avg	 },
	{{"estimate.refill_max_ns", "ns", "Longest refill, waiting and hold"},		       refill_max	 },
	{{"estimate.relative_throughput_permille", "1/1000",
		 "Throughput against a lock that costs nothing"},
		throughput											     },
	{{"estimate.wait_avg_ns", "ns", "Average wait for the zone lock"},			   wait_avg	   },
	{{"estimate.wait_max_ns", "ns", "Longest wait for the zone lock"},			   wait_max	   },
	{{"estimate.zone_lock_takes", "", "Takes of the zone lock"},			     takes		  },
	{{"estimate.zone_lock_takes_per_1000", "", "Takes of the zone lock for 1000 blocks"},
		takes_per_1000											 },
};
#define ESTIMATES (sizeof(estimates) / sizeof(estimates[0]))

const struct sweep_figure *sweep_estimate_figure(size_t i)
{
	return i < ESTIMATES ? &estimates[i].figure : NULL;
}

int64_t sweep_estimate_value(size_t figure, const struct zl_estimate_result *r)
{
	return estimates[figure].value(r);
}

bool sweep_estimate_needs_free_lock(size_t figure)
{
	return estimates[figure].value == throughput;
}

static int64_t required(const struct reserve *r)
{
	return (int64_t)r->report.required;
}

static int64_t requested(const struct reserve *r)
{
	return (int64_t)r->report.requested;
}

static int64_t given(const struct reserve *r)
{
	return (int64_t)r->report.given;
}

static int64_t refused(const struct reserve *r)
{
	return (int64_t)r->report.nr_refused;
}

static int64_t no_room(const struct reserve *r)
{
	return (int64_t)r->report.nr_no_room;
}

static int64_t blocks_left(const struct reserve *r)
{
	return (int64_t)r->report.blocks_left;
}

static const struct {
	struct sweep_figure figure;
	int64_t (*value)(const struct reserve *r);
} pools[] = {
	{{"pools.blocks_left", "pageblocks", "Pageblocks left for UNMOVABLE and RECLAIMABLE"},
		blocks_left										    },
	{{"pools.given_bytes", "bytes", "What the kernel gives to CMA pools"},		       given    },
	{{"pools.no_room", "pools", "CMA pools that found no room"},			     no_room  },
	{{"pools.refused", "pools", "CMA pools that are refused"},				   refused  },
	{{"pools.requested_bytes", "bytes", "What CMA pools ask for"},			       requested},
	{{"pools.required_bytes", "bytes", "What they must ask for to be accepted"},	     required },
};

const struct sweep_figure *sweep_pool_figure(size_t i)
{
	return i < sizeof(pools) / sizeof(pools[0]) ? &pools[i].figure : NULL;
}

int64_t sweep_pool_value(size_t figure, const struct reserve *r)
{
	return pools[figure].value(r);
}
