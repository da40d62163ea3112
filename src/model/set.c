/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of settings while a zone lives. */
#include <errno.h>
#include <string.h>

#include "ops.h"
#include "pcp.h"

/* New CPUs get a pageset with nothing in it and no cache-slice flag. */
int zl_set_reserve(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp;

	if (op->key != ZL_SIM_CPUS || op->arg <= s->nr_cpus) {
		return 0;
	}
	pcp = s->mem.realloc(s->mem.user, s->pcp, op->arg * sizeof(*pcp));
	if (pcp == NULL) {
		return -ENOMEM;
	}
	memset(pcp + s->nr_cpus, 0, (op->arg - s->nr_cpus) * sizeof(*pcp));
	s->pcp = pcp;
	return 0;
}

static void limits(struct zl_sim *s)
{
	s->work.reason = zl_pcp_update_limits(s) ? ZL_REASON_SET_LIMITS : ZL_REASON_SET_LIMITS_SAME;
}

#define KIB 1024u

void zl_op_set(struct zl_sim *s, const struct zl_op *op)
{
	switch ((enum zl_sim_key)op->key) {
	case ZL_SIM_BELOW_HIGH:
		s->below_high = op->arg != 0;
		s->work.reason = ZL_REASON_SET_FLAG;
		break;
	case ZL_SIM_RECLAIM:
		s->reclaim = op->arg != 0;
		s->work.reason = ZL_REASON_SET_FLAG;
		break;
	case ZL_SIM_WMARK_LOW:
		s->wmark_low = op->arg;
		limits(s);
		break;
	case ZL_SIM_WMARK_HIGH:
		s->wmark_high = op->arg;
		s->work.reason = ZL_REASON_SET_MARK;
		break;
	case ZL_SIM_HIGH_FRACTION:
		s->high_fraction = op->arg;
		limits(s);
		break;
	case ZL_SIM_CPUS:
		s->nr_cpus = op->arg;
		s->limit_cpus = op->arg;
		limits(s);
		break;
	case ZL_SIM_CACHE_SLICE_KIB:
		s->cache_slice = (uint64_t)op->arg * KIB;
		zl_pcp_update_cacheinfo(s);
		s->work.reason = ZL_REASON_SET_CACHE;
		break;
	case ZL_SIM_KEY_COUNT:
		break;
	}
}
