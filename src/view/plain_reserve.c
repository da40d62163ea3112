/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Reserve screen as labelled lines.
 */
#include "plain.h"
#include "view_reserve.h"

static void put_pool(const struct reserve *r, size_t i, bool chosen, struct zl_buf *b)
{
	const struct zl_pool *p = &r->report.pool[i];
	const struct zl_request *q = &r->have.request[p->request];
	char text[DRAW_TEXT];

	zl_buf_fmt(b, "%spool %U: %s, asked %Z, %s, needs ", chosen ? "chosen " : "",
		(uint64_t)i + 1, q->name, q->size, reserve_verdict_word(p));
	reserve_needs_text(r, p, text, sizeof(text));
	zl_buf_str(b, text);
	for (size_t k = 0; k < 2; k++) {
		if (r->needs_column[k][0] != '\0') {
			zl_buf_fmt(b, ", at page size %s %s", r->needs_column[k], r->needs[k][i]);
		}
	}
	if (p->base_known && p->size > 0) {
		zl_buf_fmt(b, ", placed at %x", p->base);
	}
	zl_buf_chr(b, '\n');
}

static void put_detail(const struct app *app, size_t i, struct zl_buf *b)
{
	const struct reserve *r = app->pools->r;
	const struct zl_pool *p = &r->report.pool[i];
	char text[DRAW_TEXT];

	zl_buf_fmt(b, "why: %s\n", p->text);
	for (size_t k = 0; k < p->nr_messages; k++) {
		zl_buf_fmt(b, "kernel: %s\n", p->message[k]);
	}
	reserve_meaning(r, p, text, sizeof(text));
	zl_buf_fmt(b, "result: %s\n", text);
	for (size_t k = 0; k < app->pools->nr_lines; k++) {
		const struct pools_line *l = &app->pools->line[k];

		if (l->pool == i) {
			zl_buf_fmt(b, "%s: %s\n", l->sign == '-' ? "removed" : "added", l->text);
		}
	}
}

static void put_values(const struct value_in *in, struct zl_buf *b)
{
	static const enum value_id ids[] = {VALUE_CMA_MIN_ALIGNMENT_BYTES, VALUE_RESERVE_WASTE,
		VALUE_RESERVE_TOTAL_ASKED, VALUE_RESERVE_TOTAL_GIVEN, VALUE_RESERVE_TOTAL_CORRECTED,
		VALUE_RESERVE_HOLE, VALUE_RESERVE_BLOCKS_LEFT, VALUE_RESERVE_BYTES_LEFT};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		zl_buf_fmt(b, "%s: ", value_info(ids[i])->label);
		plain_value(b, in, ids[i]);
		zl_buf_chr(b, '\n');
	}
}

void plain_reserve(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	const struct reserve *r = app->pools->r;
	struct value_in in = app_values(app);
	size_t focus = pools_focused(app);

	if (!panel_only) {
		zl_buf_fmt(ret, "pools of: %s\n", app->pools->title);
	}
	if (panel_only && app->panel == POOLS_FIGURES) {
		put_values(&in, ret);
		return;
	}
	if (r->report.nr_pools == 0) {
		zl_buf_str(ret, "pools: none; reserve FILE opens a device tree or boot log\n");
		return;
	}
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		put_pool(r, i, i == focus, ret);
	}
	put_detail(app, focus, ret);
	if (!panel_only) {
		put_values(&in, ret);
	}
	for (size_t i = 0; i < r->diags.count && !panel_only; i++) {
		const struct zl_diag *d = &r->diags.item[i];

		zl_buf_fmt(ret, "%s: ", zl_severity_name(d->severity));
		plain_ungrouped(ret, d->text);
		zl_buf_chr(ret, '\n');
	}
}
