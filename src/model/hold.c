/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds of the zone lock: counted, measured in pages moved, and told to observers. */
#include "buddy.h"

static void tell(const struct zl_sim *s, const struct zl_event *e)
{
	for (const struct zl_observer *o = s->observers; o != NULL; o = o->next) {
		if (o->event != NULL) {
			o->event(o->user, s, e);
		}
	}
}

static struct zl_event event_of(const struct zl_sim *s, enum zl_event_kind kind)
{
	struct zl_event e = {0};

	e.kind = kind;
	e.cause = (enum zl_lock_cause)s->work.cause;
	e.cpu = s->cpu;
	e.pfn = ZL_NIL;
	return e;
}

void zl_lock(struct zl_sim *s, enum zl_lock_cause cause)
{
	s->work.cause = (uint8_t)cause;
	s->work.zone_locks++;
	s->totals.zone_locks++;
	s->work.hold = 0;
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_LOCK);

		tell(s, &e);
	}
}

void zl_unlock(struct zl_sim *s)
{
	if (s->work.hold > s->work.longest_hold) {
		s->work.longest_hold = s->work.hold;
	}
	if (s->work.hold > s->totals.longest_hold_pages) {
		s->totals.longest_hold_pages = s->work.hold;
	}
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_UNLOCK);

		e.value = s->work.hold;
		tell(s, &e);
	}
}

void zl_note_take(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt)
{
	s->work.hold += zl_pages_of(order);
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_TAKE);

		e.pfn = pfn;
		e.order = (uint8_t)order;
		e.mt = (uint8_t)mt;
		tell(s, &e);
	}
}

void zl_note_give(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, unsigned merges)
{
	s->work.hold += zl_pages_of(order);
	s->work.merges += merges;
	s->totals.merges += merges;
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_GIVE);

		e.pfn = pfn;
		e.order = (uint8_t)order;
		e.mt = (uint8_t)mt;
		e.value = merges;
		tell(s, &e);
	}
}

static uint64_t *fallback_total(struct zl_totals *t, enum zl_fallback_kind kind)
{
	switch (kind) {
	case ZL_FALLBACK_WHOLE:
		return &t->whole;
	case ZL_FALLBACK_CLAIM:
		return &t->claims;
	case ZL_FALLBACK_MOVE:
		return &t->moves;
	case ZL_FALLBACK_STEAL:
		return &t->steals;
	case ZL_FALLBACK_CMA:
		return &t->cma_takes;
	case ZL_FALLBACK_NONE:
	case ZL_FALLBACK_KIND_COUNT:
		break;
	}
	return NULL;
}

void zl_note_fallback(
	struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, enum zl_fallback_kind kind)
{
	uint64_t *total;

	s->work.fallback = (uint8_t)kind;
	s->work.fallbacks++;
	total = fallback_total(&s->totals, kind);
	if (total != NULL) {
		++*total;
	}
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_FALLBACK);

		e.pfn = pfn;
		e.order = (uint8_t)order;
		e.mt = (uint8_t)mt;
		e.value = (uint32_t)kind;
		tell(s, &e);
	}
}

void zl_note_migrate(struct zl_sim *s, uint32_t from, uint32_t to, unsigned order)
{
	s->work.migrated += zl_pages_of(order);
	s->totals.pages_migrated += zl_pages_of(order);
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_MIGRATE);

		e.pfn = from;
		e.order = (uint8_t)order;
		e.value = to;
		tell(s, &e);
	}
}

void zl_note_type(struct zl_sim *s, uint32_t pfn, unsigned mt, unsigned old)
{
	if (s->observers != NULL) {
		struct zl_event e = event_of(s, ZL_EVENT_SETTYPE);

		e.pfn = pfn;
		e.mt = (uint8_t)mt;
		e.value = old;
		tell(s, &e);
	}
}
