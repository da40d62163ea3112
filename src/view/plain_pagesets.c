/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Pagesets screen as labelled lines: one fact a line, in a fixed order, figures ungrouped.
 */
#include <string.h>

#include "draw.h"
#include "pagesets.h"
#include "plain.h"
#include "view_pagesets.h"
#include "views.h"
#include "zonelab/text.h"

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void put_head(const struct app *app, struct zl_buf *b)
{
	const struct pagesets *p = app->pagesets;
	const struct scene *s = &p->scene;
	char zone[64];

	zl_buf_fmt(b, "%s: op %U of %U%s\n", p->all->playing ? "playing" : "paused", s->at,
		s->total,
		s->has_next && s->next.free_high &&
				timeline_find(pagesets_timeline(app), 0, 1, MARK_FLUSH) == s->at + 1
			? ", one op before the first flush"
			: "");
	run_zones_name(app, zone, sizeof(zone));
	/* "node 0 Normal" */
	char *name = strrchr(zone, ' ');
	if (name != NULL) {
		*name++ = '\0';
	}
	zl_buf_fmt(b, "cpu: %u of %u, %s, zone %s\n", s->cpu, s->nr_cpus, zone,
		name != NULL ? name : "");
}

static void put_pageset(const struct scene *s, struct zl_buf *b)
{
	const struct zl_pageset_view *p = &s->pageset;

	if (!p->tuned) {
		zl_buf_fmt(b, "count: %d pages, high: %d\nbatch: %d, free_factor: %d\n", p->count,
			p->high, p->batch, p->free_factor);
		return;
	}
	zl_buf_fmt(b, "count: %d pages, high: %d, high_min: %d, high_max: %d\n", p->count, p->high,
		p->high_min, p->high_max);
	zl_buf_fmt(b, "batch: %d, alloc_factor: %d\n", p->batch, p->alloc_factor);
	zl_buf_fmt(b, "free_count: %d\nthreshold: %d", p->free_count, p->threshold);
	if (s->config.switches.design >= ZL_DESIGN_C) {
		zl_buf_fmt(b, " = batch %d + high_min %d / 2", p->batch, p->high_min);
	} else {
		zl_buf_str(b, " = batch");
	}
	zl_buf_fmt(b, "\nceiling: %d = batch %d << %u", p->ceiling, p->batch, s->config.scale_max);
	if (!s->verdict.hidden) {
		zl_buf_fmt(b, "; threshold is %sreachable", s->verdict.never ? "not " : "");
	}
	zl_buf_chr(b, '\n');
}

static void put_verdict(const struct scene *s, struct zl_buf *b)
{
	const struct scene_verdict *v = &s->verdict;
	const struct zl_pageset_view *p = &s->pageset;

	if (v->hidden) {
		zl_buf_str(b, "verdict: hidden until you answer\n");
		return;
	}
	if (!v->exists) {
		zl_buf_str(b, "verdict: this release has no free_high\n");
		return;
	}
	if (!p->tuned) {
		zl_buf_fmt(b, "condition 1: free_factor %d > 0: %s\n", p->free_factor,
			yes_no(v->term[0]));
	} else {
		zl_buf_fmt(b, "condition 1: free_count %d >= threshold %d: %s\n", p->free_count,
			p->threshold, v->never ? "never" : yes_no(v->term[0]));
		zl_buf_fmt(
			b, "condition 2: previous free was order 1..3: %s\n", yes_no(v->term[1]));
		zl_buf_fmt(b, "condition 3: not FREE_HIGH_BATCH, or count >= %d: %s\n", p->batch,
			yes_no(v->term[2]));
	}
	zl_buf_fmt(b, "verdict: the next free of order %u ", v->order);
	if (v->never) {
		zl_buf_str(b, "cannot flush; free_high is out of reach\n");
	} else if (!v->fires) {
		zl_buf_str(b, "does not flush\n");
	} else if (v->flush_blocks >= 0) {
		zl_buf_fmt(b, "flushes %D pages, %D block%s\n", v->flush_pages, v->flush_blocks,
			v->flush_blocks == 1 ? "" : "s");
	} else {
		zl_buf_fmt(b, "flushes %D pages\n", v->flush_pages);
	}
}

static void put_lists(const struct scene *s, struct zl_buf *b)
{
	bool any = false;

	for (unsigned i = 0; i < s->pageset.nr_lists; i++) {
		uint32_t n = s->pageset.lists[i];
		if (n > 0) {
			zl_buf_fmt(b, "%slist order %u %c: %u block%s, %U pages", any ? "\n" : "",
				(unsigned)s->list_order[i],
				zl_migratetype_letter((enum zl_migratetype)s->list_mt[i]), n,
				n == 1 ? "" : "s", (uint64_t)n << s->list_order[i]);
			any = true;
		}
	}
	zl_buf_str(b, any ? ", other lists empty\n" : "lists: empty\n");
}

/* As on the screen, without blanks between digits. */
static void put_result(const struct zl_record *r, struct zl_buf *b)
{
	char buf[DRAW_TEXT];
	const char *words = pagesets_result_words(r, buf, sizeof(buf));

	if (words[0] != '\0') {
		zl_buf_str(b, ", ");
		plain_ungrouped(b, strcmp(words, "to list") == 0 ? "to the list" : words);
	}
}

static void put_op(const char *label, const struct zl_record *r, bool result, struct zl_buf *b)
{
	zl_buf_fmt(b, "%s op %U: cpu %u %s", label, r->index, r->cpu,
		zl_op_kind_name((enum zl_op_kind)r->op.kind));
	if (r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_FREE || r->op.kind == ZL_OP_ALLOCHA) {
		zl_buf_fmt(b, " order %u %c", (unsigned)r->order, zl_migratetype_letter(r->mt));
		if (r->pfn >= 0) {
			zl_buf_fmt(b, ", page %x", (uint64_t)r->pfn);
		}
	}
	if (result) {
		put_result(r, b);
	}
	zl_buf_chr(b, '\n');
	if (result) {
		zl_buf_fmt(b, "because: %s\n", zl_reason_sentence(r->reason));
	}
}

static void put_buddy(const struct scene *s, struct zl_buf *b)
{
	bool any = false;

	for (unsigned m = 0; m < ZL_MIGRATE_COUNT; m++) {
		bool first = true;
		for (unsigned o = 0; o <= s->config.max_order; o++) {
			if (s->buddy[o][m] == 0) {
				continue;
			}
			if (first) {
				zl_buf_fmt(b, "%sbuddy %c: ", any ? "\n" : "",
					zl_migratetype_letter((enum zl_migratetype)m));
				any = true;
			}
			zl_buf_fmt(b, "%sorder %u: %U", first ? "" : ", ", o, s->buddy[o][m]);
			first = false;
		}
	}
	zl_buf_fmt(b, any ? ", free %D pages\n" : "buddy: free %D pages\n", s->zone.free);
}

void plain_pagesets(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	const struct scene *s = &app->pagesets->scene;

	(void)panel_only;
	put_head(app, ret);
	put_pageset(s, ret);
	put_verdict(s, ret);
	put_lists(s, ret);
	put_op("last", &s->record, true, ret);
	if (s->has_next) {
		put_op("next", &s->next, false, ret);
	}
	put_buddy(s, ret);
}
