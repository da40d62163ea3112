/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expansion under the clocks of a cost estimate: ops that take time, links that blocks queue for. */
#include <errno.h>
#include <string.h>

#include "scenario_private.h"

#define READY_START 1024u

void zl_expand_timed(struct zl_expand *e, uint64_t from_ns, uint64_t to_ns)
{
	e->timed = true;
	e->from_ns = from_ns;
	e->to_ns = to_ns;
}

/* Whoever a block woke sees it when its op is over. */
static void delay_woken(struct zl_expand *e, uint64_t end)
{
	struct thread *t;

	if (e->woken == ZL_NONE) {
		return;
	}
	t = &e->thread[e->woken];
	t->until = t->until > end ? t->until : end;
	e->woken = ZL_NONE;
}

void zl_expand_took(struct zl_expand *e, uint64_t ns, bool more)
{
	struct thread *t = &e->thread[e->last];
	uint64_t end = t->clock + ns;

	if (e->has_pending || !e->in_phase) {
		return;
	}
	t->again = more;
	delay_woken(e, end);
	if (more) {
		t->until = end;
	} else if (t->in_timer) {
		t->until = end > t->timer_until ? end : t->timer_until;
	} else {
		t->until = end + t->owed;
		t->owed = 0;
	}
}

uint64_t zl_expand_link_ns(const struct zl_expand *e, unsigned *ret_links)
{
	*ret_links = 0;
	for (uint32_t i = 0; i < e->s->nr_stores; i++) {
		*ret_links += e->s->store[i].link != ZL_NONE;
	}
	return e->link_ns;
}

static int grow_ready(struct zl_expand *e, uint32_t id)
{
	uint32_t n = e->nr_ready > 0 ? e->nr_ready : READY_START;
	uint64_t *p;

	while (n <= id) {
		n *= 2;
	}
	p = e->mem->realloc(e->mem->user, e->ready, n * sizeof(*p));
	if (p == NULL) {
		return -ENOMEM;
	}
	memset(p + e->nr_ready, 0, (n - e->nr_ready) * sizeof(*p));
	e->ready = p;
	e->nr_ready = n;
	return 0;
}

/* The part of @from .. @to that is counted. */
static uint64_t counted(const struct zl_expand *e, uint64_t from, uint64_t to)
{
	from = from > e->from_ns ? from : e->from_ns;
	to = to < e->to_ns ? to : e->to_ns;
	return to > from ? to - from : 0;
}

int zl_link_send(struct zl_expand *e, struct thread *t)
{
	uint64_t *free_at = &e->link_free[t->send_by];

	for (uint32_t i = 0; i < t->send_n; i++) {
		uint32_t id = t->send + i;
		uint64_t start = *free_at > t->clock ? *free_at : t->clock;
		int64_t ns = 0;
		int rc = zl_expand_value(e, &e->rng, t->slot, e->s->store[t->send_by].link, &ns);

		if (rc == 0 && (ns < 0 || ns > INT64_MAX / 4)) {
			rc = zl_expand_fail(e, -ERANGE, e->place,
				"pool '%s': a link of %D ns is impossible",
				e->s->store[t->send_by].name, ns);
		}
		if (rc == 0 && id >= e->nr_ready) {
			rc = grow_ready(e, id);
		}
		if (rc != 0) {
			return rc;
		}
		*free_at = start + (uint64_t)ns;
		e->ready[id] = *free_at;
		e->link_ns += counted(e, start, *free_at);
	}
	t->send = ZL_NONE;
	t->send_n = 0;
	return 0;
}

uint64_t zl_link_ready(const struct zl_expand *e, uint32_t id)
{
	return id < e->nr_ready ? e->ready[id] : 0;
}
