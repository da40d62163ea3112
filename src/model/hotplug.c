/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that come and go, disabled pagesets, pinned blocks. */
#include "buddy.h"
#include "ops.h"
#include "pcp.h"

static void count_cpu(struct zl_sim *s, const struct zl_pcp *pcp, int change)
{
	if (!pcp->remote) {
		s->limit_cpus = (unsigned)((int)s->limit_cpus + change);
	}
}

/*
 * What the CPU held goes back through the running CPU; its counter changes go with it.
 * Source: mm/page_alloc.c, page_alloc_cpu_dead(), v6.1 and v6.18.
 */
void zl_op_offline(struct zl_sim *s, uint32_t cpu)
{
	struct zl_pcp *pcp = &s->pcp[cpu];

	zl_pcp_drain(s, pcp);
	pcp->diff_free = 0;
	pcp->diff_cma = 0;
	pcp->diff_blocks = 0;
	pcp->offline = true;
	count_cpu(s, pcp, -1);
	(void)zl_pcp_update_limits(s);
	s->work.reason = ZL_REASON_CPU_OFFLINE;
}

/* Source: mm/page_alloc.c, page_alloc_cpu_online(), v6.1 and v6.18. */
void zl_op_online(struct zl_sim *s, uint32_t cpu)
{
	struct zl_pcp *pcp = &s->pcp[cpu];

	pcp->offline = false;
	count_cpu(s, pcp, 1);
	(void)zl_pcp_update_limits(s);
	s->work.reason = ZL_REASON_CPU_ONLINE;
}

void zl_op_pin(struct zl_sim *s, uint32_t *slot, bool pin)
{
	uint32_t pfn = *slot - 1;
	struct zl_page *p;
	bool was;

	s->work.reason = pin ? ZL_REASON_PINNED : ZL_REASON_UNPINNED;
	if (*slot == ZL_ID_FREE || *slot == ZL_ID_FAILED) {
		s->work.result = ZL_RESULT_NOOP;
		s->work.reason = ZL_REASON_FREE_NOOP;
		return;
	}
	p = zl_page_w(s, pfn);
	was = (p->list & ZL_USED_PINNED) != 0;
	s->work.block = pfn + 1;
	s->work.order = p->order;
	if (was != pin && (p->list & ZL_USED_CONTIG) == 0) {
		p->list = (uint8_t)(p->list ^ ZL_USED_PINNED);
		s->nr_pinned +=
			pin ? (int64_t)zl_pages_of(p->order) : -(int64_t)zl_pages_of(p->order);
	}
}
