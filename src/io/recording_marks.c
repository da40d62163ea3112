/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "recording.h"
#include "scan.h"
#include "workload_keys.h"
#include "zonelab/text.h"

#define ASSIGNMENT_SIZE 256
#define NAME_SIZE	32
#define HASH_START	2166136261u
#define HASH_FACTOR	16777619u
#define HASH_MASK	0xffffu

uint16_t recording_name_hash(const char *s, size_t n)
{
	uint32_t h = HASH_START;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (unsigned char)s[i]) * HASH_FACTOR;
	}
	return (uint16_t)((h ^ h >> 16) & HASH_MASK);
}

static void config_mark(struct zl_recording_marks *m, struct scan *c)
{
	struct scan key;
	uint64_t v;

	if (!scan_word(c, &key) || !scan_blanks(c) || !scan_u64(c, &v)) {
		return;
	}
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		if (scan_equal(&key, workload_keys[k].name) && v >= workload_keys[k].lo &&
			v <= workload_keys[k].hi) {
			workload_key_store(&m->config, (enum workload_key)k, v);
			m->has_config = true;
		}
	}
}

/* "key=value" words up to the end; false at the first that is none. */
static bool next_pair(struct scan *c, struct scan *key, int64_t *ret)
{
	scan_blanks(c);
	key->p = c->p;
	while (c->p < c->end && *c->p != '=') {
		c->p++;
	}
	key->end = c->p;
	if (c->p == c->end) {
		return false;
	}
	c->p++;
	return scan_i64(c, ret);
}

/* zone NODE NAME start_pfn=.. spanned=.. ... */
static void zone_mark(struct zl_recording_marks *m, struct scan *c)
{
	struct zl_zone_facts *z = &m->zones[m->nr_zones];
	struct scan name, key;
	uint64_t node;
	int64_t v;

	if (m->nr_zones == ZL_RECORDING_ZONES || !scan_u64(c, &node) || node >= ZL_NODES_MAX ||
		!scan_blanks(c) || !scan_word(c, &name)) {
		return;
	}
	memset(z, 0, sizeof(*z));
	z->node = (unsigned)node;
	scan_copy(&name, z->name, sizeof(z->name));
	z->free = z->boost = z->min = z->low = z->high = z->promo = -1;
	while (next_pair(c, &key, &v)) {
		const struct {
			const char *name;
			uint64_t *size;
			int64_t *seen;
		} pairs[] = {
			{"start_pfn", &z->start_pfn, NULL	 },
			{"spanned",   &z->spanned,	 NULL    },
			{"present",   &z->present,	 NULL    },
			{"managed",   &z->managed,	 NULL    },
			{"cma",	&z->cma,	 NULL    },
			{"free",	 NULL,	       &z->free},
			{"min",	NULL,	      &z->min },
			{"low",	NULL,	      &z->low },
			{"high",	 NULL,	       &z->high},
		};
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			if (scan_equal(&key, pairs[i].name) && pairs[i].size != NULL && v >= 0) {
				*pairs[i].size = (uint64_t)v;
			} else if (scan_equal(&key, pairs[i].name) && pairs[i].seen != NULL) {
				*pairs[i].seen = v;
			}
		}
	}
	z->pcp = m->pcp[m->nr_zones++];
}

/* pageset CPU count=.. high=.. batch=.. high_min=.. high_max=.. of the zone named last */
static void pageset_mark(struct zl_recording_marks *m, struct scan *c)
{
	struct zl_zone_facts *z = m->nr_zones > 0 ? &m->zones[m->nr_zones - 1] : NULL;
	struct zl_observed_pcp *p;
	struct scan key;
	uint64_t cpu;
	int64_t v;

	if (z == NULL || z->nr_pcp == sizeof(m->pcp[0]) / sizeof(m->pcp[0][0]) ||
		!scan_u64(c, &cpu) || cpu >= ZL_TRACE_CPUS_MAX) {
		return;
	}
	p = &z->pcp[z->nr_pcp++];
	*p = (struct zl_observed_pcp){(unsigned)cpu, -1, -1, -1, -1, -1, -1};
	while (next_pair(c, &key, &v)) {
		p->count = scan_equal(&key, "count") ? v : p->count;
		p->high = scan_equal(&key, "high") ? v : p->high;
		p->batch = scan_equal(&key, "batch") ? v : p->batch;
		p->high_min = scan_equal(&key, "high_min") ? v : p->high_min;
		p->high_max = scan_equal(&key, "high_max") ? v : p->high_max;
	}
}

/* "op KIND order=.. mt=.. key=.. id=.. arg=..", what is 0 left out; "op set KEY arg=.." */
static bool op_mark(struct scan *c, struct spool_event *ret)
{
	char name[NAME_SIZE];
	struct scan word, key;
	enum zl_op_kind kind;
	int64_t v;

	if (!scan_word(c, &word)) {
		return false;
	}
	scan_copy(&word, name, sizeof(name));
	kind = zl_op_kind_find(name);
	if (kind == ZL_OP_KIND_COUNT) {
		return false;
	}
	ret->order = (uint8_t)kind;
	ret->mt = 0;
	if (kind == ZL_OP_SET) {
		if (!scan_blanks(c) || !scan_word(c, &word)) {
			return false;
		}
		scan_copy(&word, name, sizeof(name));
		ret->flags = (uint8_t)zl_sim_key_find(name);
		if (ret->flags == ZL_SIM_KEY_COUNT) {
			return false;
		}
	}
	while (next_pair(c, &key, &v)) {
		if (v < 0 || v > UINT32_MAX) {
			return false;
		}
		if (scan_equal(&key, "order")) {
			ret->high = (uint16_t)(v > ZL_MAX_ORDER_LIMIT ? ZL_MAX_ORDER_LIMIT : v);
		} else if (scan_equal(&key, "mt")) {
			ret->mt = (int8_t)(v < ZL_MIGRATE_COUNT ? v : 0);
		} else if (scan_equal(&key, "key")) {
			ret->flags = (uint8_t)v;
		} else if (scan_equal(&key, "id")) {
			ret->value = (uint32_t)v;
		} else if (scan_equal(&key, "arg")) {
			ret->pfn = (uint64_t)v;
		}
	}
	return true;
}

int recording_mark(
	struct zl_recording_marks *m, const struct zl_trace_word *text, struct spool_event *op_ret)
{
	struct scan c = scan_trim(scan_of(text->s, text->n));
	const bool first = !m->exported && !m->has_config && m->nr_zones == 0;

	if (scan_literal(&c, MARK_EXPORTED)) {
		m->exported = first;
	} else if (scan_literal(&c, "kernel ")) {
		scan_copy(&c, m->kernel, sizeof(m->kernel));
	} else if (scan_literal(&c, "setting ")) {
		char assignment[ASSIGNMENT_SIZE];

		scan_copy(&c, assignment, sizeof(assignment));
		(void)zl_settings_assign(&m->settings, assignment, ZL_ORIGIN_FILE, NULL);
	} else if (scan_literal(&c, "config ")) {
		config_mark(m, &c);
	} else if (scan_literal(&c, "zone ")) {
		zone_mark(m, &c);
	} else if (scan_literal(&c, "pageset ")) {
		pageset_mark(m, &c);
	} else if (scan_literal(&c, "op ")) {
		return op_mark(&c, op_ret) ? 1 : 0;
	}
	return 0;
}

void recording_op(const struct spool_event *e, struct zl_op *ret)
{
	*ret = (struct zl_op){.kind = e->order,
		.order = (uint8_t)e->high,
		.mt = (uint8_t)e->mt,
		.key = e->flags,
		.id = e->value,
		.arg = (uint32_t)e->pfn};
}
