/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/outcome.h"

#include <string.h>

#include "ops.h"
#include "zonelab/text.h"

/* Columns that are one number of the record. */
struct column {
	const char *name;
	enum { NUMBER, WIDE, FLAG, OTHER } form;
	bool tuned;   /* exists from the B design on */
	bool untuned; /* exists in the A designs */
	size_t offset;
};
#define AT(member) offsetof(struct zl_record, member)

static const struct column columns[ZL_OUTCOME_COLUMNS] = {
	[ZL_OUTCOME_OP] = {"op",		 OTHER,	true,  true,  0		     },
	[ZL_OUTCOME_RESULT] = {"result",	 OTHER,	true,  true,  0		     },
	[ZL_OUTCOME_PFN] = {"pfn",	   WIDE,	 true,  true,  AT(pfn)	    },
	[ZL_OUTCOME_REFILL] = {"refill",	 OTHER,	true,  true,  0		     },
	[ZL_OUTCOME_FREE_HIGH] = {"free_high",    FLAG,   true,  true,	 AT(free_high)   },
	[ZL_OUTCOME_DRAINED] = {"drained",	   NUMBER, true,	 true,  AT(drained)	  },
	[ZL_OUTCOME_BULK_CALLS] = {"bulk_calls",	 NUMBER, true,  true,  AT(bulk_calls)  },
	[ZL_OUTCOME_ZONE_LOCKS] = {"zone_locks",	 NUMBER, true,  true,  AT(zone_locks)  },
	[ZL_OUTCOME_LONGEST_HOLD] = {"longest_hold", NUMBER, true,  true,	 AT(longest_hold)},
	[ZL_OUTCOME_FALLBACK] = {"fallback",     OTHER,  true,  true,	0		 },
	[ZL_OUTCOME_MERGES] = {"merges",	 NUMBER, true,  true,  AT(merges)      },
	[ZL_OUTCOME_COUNT] = {"count",	       NUMBER, true,  true,  AT(count)	    },
	[ZL_OUTCOME_LISTS] = {"lists",	       OTHER,  true,  true,  0		   },
	[ZL_OUTCOME_BUDDY_FREE] = {"buddy_free",	 WIDE,   true,  true,  AT(buddy_free)	 },
	[ZL_OUTCOME_BUDDY] = {"buddy",	       OTHER,  true,  true,  0		   },
	[ZL_OUTCOME_HIGH] = {"high",	     NUMBER, true,  true,	 AT(high)	 },
	[ZL_OUTCOME_HIGH_MIN] = {"high_min",     NUMBER, true,  false, AT(high_min)    },
	[ZL_OUTCOME_HIGH_MAX] = {"high_max",     NUMBER, true,  false, AT(high_max)    },
	[ZL_OUTCOME_BATCH] = {"batch",	       NUMBER, true,  true,  AT(batch)	    },
	[ZL_OUTCOME_FREE_COUNT] = {"free_count",	 NUMBER, true,  false, AT(free_count)  },
	[ZL_OUTCOME_FREE_FACTOR] = {"free_factor",  NUMBER, false, true,	AT(free_factor) },
	[ZL_OUTCOME_ALLOC_FACTOR] = {"alloc_factor", NUMBER, true,  false, AT(alloc_factor)},
	[ZL_OUTCOME_FLAGS] = {"flags",	       NUMBER, true,  false, AT(flags)	     },
	[ZL_OUTCOME_EFF_HIGH] = {"eff_high",     NUMBER, true,  true,	 AT(eff_high)    },
	[ZL_OUTCOME_TO_FREE] = {"to_free",	   NUMBER, true,	 true,  AT(to_free)	  },
	[ZL_OUTCOME_THRESHOLD] = {"threshold",    OTHER,  true,  true,  0		   },
	[ZL_OUTCOME_CEILING] = {"ceiling",	   NUMBER, true,	 false, AT(ceiling)	   },
};

const char *zl_outcome_name(enum zl_outcome_column c)
{
	return columns[c].name;
}

static bool exists(const struct column *c, const struct zl_record *r)
{
	return r->tuned ? c->tuned : c->untuned;
}

static int64_t number(const struct column *c, const struct zl_record *r)
{
	const char *p = (const char *)r + c->offset;
	int64_t wide;
	int32_t narrow;
	bool flag;

	switch ((unsigned)c->form) {
	case WIDE:
		memcpy(&wide, p, sizeof(wide));
		return wide;
	case FLAG:
		memcpy(&flag, p, sizeof(flag));
		return flag;
	default: /* the unsigned ones stay far below 2^31 */
		memcpy(&narrow, p, sizeof(narrow));
		return narrow;
	}
}

static bool same_op(const struct zl_record *a, const struct zl_record *b)
{
	return a->op.kind == b->op.kind && a->op.order == b->op.order && a->op.mt == b->op.mt &&
	       a->op.key == b->op.key && a->op.id == b->op.id && a->op.arg == b->op.arg;
}

/* Lists of the THP order are as many as the release has; they are compared by their sum. */
static bool same_lists(const struct zl_record *a, const struct zl_record *b)
{
	uint64_t thp_a = 0;
	uint64_t thp_b = 0;

	for (unsigned i = ZL_PCP_LOW_LISTS; i < ZL_PCP_LISTS_MAX; i++) {
		thp_a += i < a->nr_lists ? a->lists[i] : 0;
		thp_b += i < b->nr_lists ? b->lists[i] : 0;
	}
	return thp_a == thp_b &&
	       memcmp(a->lists, b->lists, ZL_PCP_LOW_LISTS * sizeof(a->lists[0])) == 0;
}

static bool same_other(
	enum zl_outcome_column c, const struct zl_record *a, const struct zl_record *b)
{
	switch ((unsigned)c) {
	case ZL_OUTCOME_OP:
		return same_op(a, b);
	case ZL_OUTCOME_RESULT:
		return a->result == b->result && a->result_value == b->result_value;
	case ZL_OUTCOME_REFILL:
		return a->refills == b->refills && a->refill_req == b->refill_req &&
		       a->refill_got == b->refill_got;
	case ZL_OUTCOME_FALLBACK:
		return a->fallback == b->fallback && a->fallbacks == b->fallbacks;
	case ZL_OUTCOME_LISTS:
		return same_lists(a, b);
	case ZL_OUTCOME_BUDDY:
		return memcmp(a->buddy, b->buddy, sizeof(a->buddy)) == 0;
	default:
		return a->threshold_exists == b->threshold_exists && a->threshold == b->threshold;
	}
}

static bool same(enum zl_outcome_column i, const struct zl_record *a, const struct zl_record *b)
{
	const struct column *c = &columns[i];

	if (c->form == OTHER) {
		return same_other(i, a, b);
	}
	if (!exists(c, a) || !exists(c, b)) {
		return exists(c, a) == exists(c, b);
	}
	return number(c, a) == number(c, b);
}

uint32_t zl_outcome_differs(const struct zl_record *a, const struct zl_record *b)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < ZL_OUTCOME_COLUMNS; i++) {
		bits |= same((enum zl_outcome_column)i, a, b) ? 0 : UINT32_C(1) << i;
	}
	return bits;
}

static void counts(struct zl_text *t, const uint32_t *n, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		zl_text_fmt(t, "%s%u", i > 0 ? " " : "", n[i]);
	}
}

static void write_other(enum zl_outcome_column c, const struct zl_record *r, struct zl_text *t)
{
	char op[64];

	switch ((unsigned)c) {
	case ZL_OUTCOME_OP:
		zl_op_format(&r->op, op, sizeof(op));
		zl_text_str(t, op);
		break;
	case ZL_OUTCOME_RESULT:
		if (r->result == ZL_RESULT_NUMBER) {
			zl_text_fmt(t, "%u", r->result_value);
		} else {
			zl_text_str(t, zl_result_name(r->result));
		}
		break;
	case ZL_OUTCOME_REFILL:
		zl_text_fmt(t, "%u of %u", r->refill_got, r->refill_req);
		break;
	case ZL_OUTCOME_FALLBACK:
		zl_text_str(t, r->fallbacks > 0 ? zl_fallback_name(r->fallback) : "0");
		break;
	case ZL_OUTCOME_LISTS:
		counts(t, r->lists, r->nr_lists);
		break;
	case ZL_OUTCOME_BUDDY:
		for (unsigned o = 0; o <= r->max_order; o++) {
			zl_text_fmt(t, "%s%U", o > 0 ? " " : "", r->buddy[o]);
		}
		break;
	default:
		if (r->threshold_exists) {
			zl_text_fmt(t, "%d", r->threshold);
		}
		break;
	}
}

size_t zl_outcome_value(enum zl_outcome_column c, const struct zl_record *r, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (columns[c].form == OTHER) {
		write_other(c, r, &t);
	} else if (exists(&columns[c], r)) {
		zl_text_fmt(&t, "%D", number(&columns[c], r));
	}
	return t.len;
}

static void sum_buddy(struct zl_outcome *o)
{
	const struct zl_sim *s = o->sim;

	for (unsigned order = 0; order <= s->max_order; order++) {
		uint64_t n = 0;

		for (unsigned t = 0; t < ZL_MIGRATE_COUNT; t++) {
			n += s->free[order][t].blocks;
		}
		o->buddy[order] = n;
	}
}

static void note_pageset(struct zl_outcome *o)
{
	const struct zl_pcp *p = o->sim->this_pcp;

	o->max_count = p->count > o->max_count ? p->count : o->max_count;
	o->max_high = p->high > o->max_high ? p->high : o->max_high;
}

void zl_outcome_start(struct zl_outcome *o, const struct zl_sim *sim)
{
	memset(o, 0, sizeof(*o));
	o->sim = sim;
	sum_buddy(o);
	note_pageset(o);
}

void zl_outcome_note(struct zl_outcome *o)
{
	note_pageset(o);
	/* Nothing in the buddy changes without its lock. */
	if (o->sim->work.zone_locks > 0) {
		sum_buddy(o);
		if (o->sim->work.free_high && o->first_free_high == 0) {
			o->first_free_high = o->sim->totals.frees;
		}
	}
}

static bool same_work(const struct zl_op_work *a, const struct zl_op_work *b)
{
	return a->result == b->result && a->value == b->value && a->block == b->block &&
	       a->refills == b->refills && a->refill_req == b->refill_req &&
	       a->refill_got == b->refill_got && a->free_high == b->free_high &&
	       a->drained == b->drained && a->bulk_calls == b->bulk_calls &&
	       a->zone_locks == b->zone_locks && a->longest_hold == b->longest_hold &&
	       a->fallback == b->fallback && a->fallbacks == b->fallbacks && a->merges == b->merges;
}

static bool same_pageset(const struct zl_sim *a, const struct zl_sim *b)
{
	const struct zl_pcp_list *la = a->this_pcp->list;
	const struct zl_pcp_list *lb = b->this_pcp->list;
	uint64_t thp_a = 0;
	uint64_t thp_b = 0;
	uint32_t differ = 0;

	for (unsigned i = 0; i < ZL_PCP_LOW_LISTS; i++) {
		differ |= la[i].blocks ^ lb[i].blocks;
	}
	for (unsigned i = ZL_PCP_LOW_LISTS; i < ZL_PCP_LISTS_MAX; i++) {
		thp_a += la[i].blocks;
		thp_b += lb[i].blocks;
	}
	return differ == 0 && thp_a == thp_b && a->this_pcp->count == b->this_pcp->count;
}

bool zl_outcome_same(const struct zl_outcome *oa, const struct zl_outcome *ob)
{
	const struct zl_sim *a = oa->sim;
	const struct zl_sim *b = ob->sim;

	return a->work.block == b->work.block && memcmp(&a->op, &b->op, sizeof(a->op)) == 0 &&
	       same_work(&a->work, &b->work) && a->nr_free == b->nr_free && same_pageset(a, b) &&
	       memcmp(oa->buddy, ob->buddy, sizeof(oa->buddy)) == 0;
}

/* ---- lanes in step ---- */

uint8_t zl_outcome_pattern(const struct zl_outcome_lanes *l)
{
	unsigned p = 0;

	for (unsigned i = 1; i < l->n; i++) {
		unsigned k = 0;

		while (k < i && ((p >> 2 * k & 3u) != k ||
					!zl_outcome_same(l->outcome[k], l->outcome[i]))) {
			k++;
		}
		p |= k << 2 * i;
	}
	return (uint8_t)p;
}

/*
 * Lanes agreed before the op, and all had a hit: the same block went to or from the same list. Then
 * all else is as equal as it was.
 */
static bool same_hits(const struct zl_outcome_lanes *l)
{
	const struct zl_op_work *a = &l->sim[0]->work;
	bool same = l->pattern == 0 && l->sim[0]->work_of_hit;

	for (unsigned i = 1; i < l->n && same; i++) {
		const struct zl_op_work *b = &l->sim[i]->work;

		same = l->sim[i]->work_of_hit && a->block == b->block && a->order == b->order &&
		       a->mt == b->mt;
	}
	return same;
}

int zl_outcome_run(struct zl_outcome_lanes *l, const struct zl_op *ops, size_t n, size_t *ret_done)
{
	size_t i = 0;
	uint8_t was = l->pattern;
	int err = 0;

	for (unsigned k = 0; k < l->n; k++) {
		zl_glance_start(&l->glance[k], l->sim[k]);
	}
	n = n < ZL_GLANCE_OPS ? n : ZL_GLANCE_OPS;
	while (i < n && err == 0 && l->pattern == was) {
		for (unsigned k = 0; k < l->n && err == 0; k++) {
			err = zl_glance_op(l->sim[k], &ops[i], &l->glance[k]);
			if (err == 0) {
				zl_outcome_note(l->outcome[k]);
			}
		}
		if (err == 0) {
			l->pattern = same_hits(l) ? 0 : zl_outcome_pattern(l);
			i++;
		}
	}
	*ret_done = i;
	return err;
}
