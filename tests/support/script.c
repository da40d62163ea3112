/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"

#define LISTS_SIZE	 4096
#define BLOCKS_MAX	 256
#define REFILL_3_MANAGED 16384

/* A, B: fallback of that form. C, D: claim and steal, retagging one pageblock or all. */
static const struct script_release releases[] = {
	{"5.15",	 'A'},
	{"5.19",	 'A'},
	{"6.1-rc7",  'A'},
	{"6.1.192",  'A'},
	{"6.6.63",   'A'},
	{"6.8",	'A'},
	{"6.12.0",   'B'},
	{"6.14",	 'B'},
	{"6.12.117", 'D'},
	{"6.18.2",   'C'},
	{"6.18.26",  'C'},
	{"6.18.35",  'D'},
	{"6.19",	 'D'},
	{"7.1.3",	  'D'},
};

struct machine {
	struct zl_sim *sim;
	const struct script_release *release;
	const char *step;
	unsigned next_id;
};

void script_zone(struct zl_sim_config *c, unsigned max_order, unsigned block_order, unsigned pages)
{
	zl_sim_config_init(c);
	c->managed = 1000;
	c->batch = 1;
	c->high_min = 0;
	c->high_max = 0;
	c->pages = pages;
	c->wmark_min = 1;
	c->wmark_low = 2;
	c->wmark_high = 1;
	c->max_order = max_order;
	c->pageblock_order = block_order;
	c->hpage_order = block_order;
}

void script_switches(struct zl_sim_config *c, const char *release)
{
	struct zl_release r;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &c->switches, NULL);
}

struct zl_sim *script_sim(const struct zl_sim_config *c, const char *release)
{
	struct zl_sim_config with = *c;
	struct zl_error err = {0};
	struct zl_sim *sim = NULL;

	script_switches(&with, release);
	if (zl_sim_new(&with, zl_allocator_heap(), &sim, &err) != 0) {
		fail_msg("no zone: %s", err.text);
	}
	return sim;
}

static void apply(struct zl_sim *sim, const struct zl_op *op)
{
	struct zl_error err = {0};

	if (zl_sim_apply(sim, op) != 0) {
		zl_sim_op_check(sim, op, &err);
		fail_msg("op refused: %s", err.text);
	}
	if (zl_sim_check(sim, &err) != 0) {
		fail_msg("broken: %s", err.text);
	}
}

void script_op(struct zl_sim *sim, enum zl_op_kind kind, unsigned order, unsigned mt, unsigned id)
{
	struct zl_op op = {.kind = (uint8_t)kind, .order = (uint8_t)order, .mt = (uint8_t)mt};

	op.id = id;
	apply(sim, &op);
}

static unsigned type_of(char letter)
{
	for (unsigned t = 0; t < ZL_MIGRATE_COUNT; t++) {
		if (zl_migratetype_letter((enum zl_migratetype)t) == letter) {
			return t;
		}
	}
	fail_msg("no type %c", letter);
	return 0;
}

static void expect_pfn(const struct machine *m, const char *want)
{
	struct zl_record r;
	char got[32];

	zl_sim_record(m->sim, &r);
	snprintf(got, sizeof(got), r.pfn < 0 ? "=-" : "=%lld", (long long)r.pfn);
	if (strcmp(want, "=?") != 0 && strcmp(want, got) != 0) {
		fail_msg("%s: '%s' gave %s", m->release->release, m->step, got);
	}
}

static void step_alloc(struct machine *m, enum zl_op_kind kind)
{
	char type, want[32];
	unsigned n;
	struct zl_op op = {.kind = (uint8_t)kind};

	assert_int_equal(3, sscanf(m->step + 1, " %u %c %31s", &n, &type, want));
	op.mt = (uint8_t)type_of(type);
	op.id = m->next_id;
	if (kind == ZL_OP_BULK) {
		op.arg = n;
	} else {
		op.order = (uint8_t)n;
	}
	m->next_id += kind == ZL_OP_BULK ? n : 1;
	apply(m->sim, &op);
	expect_pfn(m, want);
}

static unsigned id_at(const struct machine *m, long pfn)
{
	for (unsigned id = 0; id < m->next_id; id++) {
		if (zl_sim_id_pfn(m->sim, id) == pfn) {
			return id;
		}
	}
	fail_msg("%s: '%s': no block starts at %ld", m->release->release, m->step, pfn);
	return 0;
}

static void step_free(struct machine *m, bool drain)
{
	const char *at = m->step + 1;
	char *end;

	for (long pfn = strtol(at, &end, 10); end != at; pfn = strtol(at, &end, 10)) {
		script_op(m->sim, ZL_OP_FREE, 0, 0, id_at(m, pfn));
		if (drain) {
			script_op(m->sim, ZL_OP_DRAIN, 0, 0, 0);
		}
		at = end;
	}
}

static size_t add_pfns(char *buf, size_t len, const uint32_t *pfns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		len += (size_t)snprintf(
			buf + len, LISTS_SIZE - len, i == 0 ? "%u" : ",%u", (unsigned)pfns[i]);
	}
	return len;
}

static void lists_text(const struct zl_sim *sim, char *buf)
{
	uint32_t pfns[BLOCKS_MAX];
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned o = zl_sim_config(sim)->max_order + 1; o-- > 0;) {
		for (unsigned t = 0; t < ZL_MIGRATE_COUNT; t++) {
			size_t n =
				zl_sim_free_list(sim, o, (enum zl_migratetype)t, pfns, BLOCKS_MAX);

			if (n == 0) {
				continue;
			}
			len += (size_t)snprintf(buf + len, LISTS_SIZE - len,
				"%s%u%c:", len > 0 ? " " : "", o,
				zl_migratetype_letter((enum zl_migratetype)t));
			len = add_pfns(buf, len, pfns, n);
		}
	}
}

static void types_text(const struct zl_sim *sim, char *buf)
{
	uint64_t n = zl_sim_pageblocks(sim);

	for (uint64_t i = 0; i < n; i++) {
		struct zl_pageblock_view v;

		zl_sim_pageblock(sim, i, &v);
		buf[i] = zl_migratetype_letter(v.type);
	}
	buf[n] = '\0';
}

static void pageset_text(const struct zl_sim *sim, unsigned list, char *buf)
{
	uint32_t pfns[BLOCKS_MAX];
	size_t n = zl_sim_pageset_list(sim, zl_sim_cpu(sim), list, pfns, BLOCKS_MAX);

	add_pfns(buf, (size_t)snprintf(buf, LISTS_SIZE, "%u:", list), pfns, n);
}

static void expect_text(const struct machine *m)
{
	char got[LISTS_SIZE];
	const char *want = m->step + 2;

	if (m->step[0] == 's') {
		lists_text(m->sim, got);
	} else if (m->step[0] == 'y') {
		types_text(m->sim, got);
	} else {
		pageset_text(m->sim, (unsigned)strtoul(want, NULL, 10), got);
	}
	if (strcmp(want, got) != 0) {
		fail_msg("%s: expected '%s', got '%s'", m->release->release, m->step, got);
	}
}

static void step(struct machine *m)
{
	switch (m->step[0]) {
	case 'a':
		step_alloc(m, ZL_OP_ALLOC);
		break;
	case 'h':
		step_alloc(m, ZL_OP_ALLOCHA);
		break;
	case 'b':
		step_alloc(m, ZL_OP_BULK);
		break;
	case 'f':
	case 'k':
		step_free(m, m->step[0] == 'f');
		break;
	case 'd':
		script_op(m->sim, ZL_OP_DRAIN, 0, 0, 0);
		break;
	case 't':
		script_op(m->sim, ZL_OP_TICK, 0, 0, 0);
		break;
	case 's':
	case 'y':
	case 'p':
		expect_text(m);
		break;
	default:
		fail_msg("unknown step '%s'", m->step);
	}
}

void script_run(const struct zl_sim_config *c, const struct script_release *r,
	const struct script_step *steps)
{
	struct machine m = {.release = r};

	m.sim = script_sim(c, r->release);
	for (; steps->text != NULL; steps++) {
		if (steps->who[0] == '\0' || strchr(steps->who, r->letter) != NULL) {
			m.step = steps->text;
			step(&m);
		}
	}
	zl_sim_free(m.sim);
}

void script_run_all(const struct zl_sim_config *c, const struct script_step *steps)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
		script_run(c, &releases[i], steps);
	}
}

void script_refill_3(struct zl_sim_config *c)
{
	c->managed = REFILL_3_MANAGED;
	c->batch = ZL_SIM_COMPUTED;
	c->high_min = ZL_SIM_COMPUTED;
	c->high_max = ZL_SIM_COMPUTED;
}

struct zl_record script_did(struct zl_sim *sim, struct zl_op op)
{
	struct zl_error err = {0};
	struct zl_record r;

	if (zl_sim_apply(sim, &op) != 0) {
		zl_sim_op_check(sim, &op, &err);
		fail_msg("refused: %s", err.text);
	}
	if (zl_sim_check(sim, &err) != 0) {
		fail_msg("broken: %s", err.text);
	}
	zl_sim_record(sim, &r);
	return r;
}
