/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Compare screen as labelled lines: one fact a line, in a fixed order, figures ungrouped.
 */
#include "beside.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "plain.h"
#include "view_beside.h"
#include "zonelab/text.h"

static void put_lane(const struct app *app, unsigned i, struct zl_buf *b)
{
	const struct beside_lanes *s = app->beside;
	const struct scene *scene = &s->scene[i];
	const struct zl_pageset_view *p = &scene->pageset;
	char words[APP_LANE_ITEMS], text[DRAW_TEXT];
	int letter = 'A' + (int)s->lane[i];

	lane_words(app, s->lane[i], words, sizeof(words));
	zl_buf_fmt(b, "lane %c%s%s: kernel %s, design %s%s\n", letter,
		app->lane[s->lane[i]].title[0] != '\0' ? ", " : "", app->lane[s->lane[i]].title,
		words, zl_design_name(scene->config.switches.design),
		i == s->base ? ", baseline" : "");
	zl_buf_fmt(b, "lane %c count: %d pages, high: %d\n", letter, p->count, p->high);
	if (p->tuned) {
		zl_buf_fmt(b, "lane %c free_count: %d, threshold: %d, ceiling: %d\n", letter,
			p->free_count, p->threshold, p->ceiling);
	}
	zl_buf_fmt(b, "lane %c op: %s", letter,
		zl_op_kind_name((enum zl_op_kind)scene->record.op.kind));
	zl_buf_fmt(b, " order %u, %s\n", scene->record.order,
		pagesets_result_words(&scene->record, text, sizeof(text)));
}

static void put_totals(const struct app *app, struct zl_buf *b)
{
	const struct beside_lanes *s = app->beside;
	size_t order[COMPARE_TOTALS], n = beside_totals_in_order(s, order);

	for (size_t i = 0; i < n; i++) {
		const struct compare_total *t = &s->total[order[i]];
		zl_buf_fmt(b, "total %s:", beside_total_label(t->name));
		for (unsigned k = 0; k < s->nr_lanes; k++) {
			char value[DRAW_TEXT];

			compare_value(t->form, t->value[k], value, sizeof(value));
			zl_buf_fmt(b, " %c ", 'A' + (int)s->lane[k]);
			plain_ungrouped(b, value);
			zl_buf_str(b, k + 1 < s->nr_lanes ? "," : "");
		}
		zl_buf_str(b, t->same ? ", equal\n" : "\n");
	}
}

void plain_beside(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	const struct beside_lanes *s = app->beside;
	char text[COMPARE_WHY];

	(void)panel_only;
	if (s == NULL || s->c == NULL) {
		const char *older = s != NULL ? beside_older(app) : "";
		zl_buf_fmt(ret, "lanes: one; open another with :lane B:KEY=VALUE%s%s\n",
			older[0] != '\0' ? ", or press Enter for kernel " : "", older);
		if (s != NULL && s->error.text[0] != '\0') {
			zl_buf_fmt(ret, "error: %s\n", s->error.text);
		}
		return;
	}
	zl_buf_fmt(ret, "%s: op %U of %U\n", app->pagesets->all->playing ? "playing" : "paused",
		s->c->at, comparison_total(s->c));
	for (unsigned i = 0; i < s->nr_lanes; i++) {
		put_lane(app, i, ret);
	}
	if (learn_pending(app)) {
		zl_buf_str(ret, "divergences and totals: hidden until you answer\n");
		return;
	}
	struct beside_view v = {.app = app, .b = s, .cmp = s->c};
	beside_why(&v, s->c->at, text, sizeof(text));
	if (text[0] != '\0') {
		zl_buf_fmt(ret, "divergence at op %U: %s\n", beside_first(app, s->c->at)->op, text);
	}
	beside_extent(app, text, sizeof(text));
	zl_buf_fmt(ret, "extent: %s\n", text[0] != '\0' ? text : "the lanes agree on every op");
	put_totals(app, ret);
}
