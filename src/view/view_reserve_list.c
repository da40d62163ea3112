/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of pools: asked, verdict, what each needs here and at other page sizes.
 */
#include <string.h>

#include "text_width.h"
#include "view_reserve.h"
#include "zonelab/text.h"

#define MARK	   0x25ba
#define FULL_COLS  80 /* of the list with its columns written out */
#define SHIFT_MOST 24

struct columns {
	int name, asked_end, verdict, needs, other[2];
	bool compact;
};

static struct columns columns_of(int width)
{
	int more = width - FULL_COLS;
	struct columns full = {
		3, 34, 36, 46, {66, 72},
			 false
	      };
	struct columns compact = {
		2, 32, 34, 43, {63, 68},
			 true
	     };
	struct columns *c = more >= 0 ? &full : &compact;
	int shift = more >= 0 ? more : width - 73;

	shift = shift > SHIFT_MOST ? SHIFT_MOST : shift;
	c->asked_end += shift;
	c->verdict += shift;
	c->needs += shift;
	c->other[0] += shift;
	c->other[1] += shift;
	return *c;
}

static enum role verdict_role(const struct zl_pool *p)
{
	switch (p->verdict) {
	case ZL_VERDICT_REFUSED:
	case ZL_VERDICT_NO_ROOM:
		return ROLE_ERROR;
	case ZL_VERDICT_BYPASSED:
		return ROLE_WARN;
	case ZL_VERDICT_ACCEPTED:
		return p->class == ZL_POOL_CMA ? ROLE_OK : ROLE_TEXT;
	case ZL_VERDICT_NONE:
	case ZL_POOL_VERDICT_COUNT:
		break;
	}
	return ROLE_DIM;
}

/* "512M" where there is no space for "512 MiB". */
static void shorten(char *s)
{
	char *unit = strchr(s, ' ');

	if (strcmp(s, "no room") == 0) {
		memcpy(s, "none", sizeof("none"));
	} else if (unit != NULL && unit[1] != '\0') {
		unit[0] = unit[1];
		unit[1] = '\0';
	}
}

static void draw_others(const struct res *v, const struct columns *k, int row, size_t pool)
{
	int col = v->l.pools.col;
	char text[32];

	for (size_t i = 0; i < 2; i++) {
		if (v->r->needs_column[i][0] == '\0') {
			continue;
		}
		zl_format(text, sizeof(text), "%s", v->r->needs[i][pool]);
		int end = i == 0 ? k->other[1] - 1 : v->l.pools.cols;
		if (k->compact || text_width(text) > end - k->other[i]) {
			shorten(text);
		}
		canvas_value(v->c, at_width(row, col + k->other[i], end - k->other[i]), ROLE_TEXT,
			VALUE_RESERVE_NEEDS, text);
	}
}

static void draw_pool(const struct res *v, const struct columns *k, int row, size_t pool)
{
	const struct zl_pool *p = &v->r->report.pool[pool];
	const struct zl_request *q = &v->r->have.request[p->request];
	int col = v->l.pools.col;
	bool chosen = pool == v->focus;
	bool focus = chosen && view_focused(v->app, POOLS_LIST, v->app->row[POOLS_LIST]);
	enum role role = focus ? ROLE_FOCUS : chosen ? ROLE_SELECT : ROLE_TEXT;
	char text[64];

	if (chosen) {
		canvas_put(v->c, row, col, focus ? ROLE_FOCUS : ROLE_SELECT, MARK);
	}
	canvas_blank(v->c, rect(row, col + k->name, 1, k->asked_end - k->name), role);
	zl_format(text, sizeof(text), "%Z", q->size);
	if (p->class == ZL_POOL_IGNORED && q->size == 0) {
		zl_format(text, sizeof(text), "-");
	}
	int room = k->asked_end - k->name - text_width(text) - 1;
	canvas_value(v->c, at_width(row, col + k->name, room), role, VALUE_LITERAL, q->name);
	canvas_value(v->c, at_right(row, col + k->asked_end, 9), role, VALUE_RESERVE_ASKED, text);
	canvas_text(v->c, at_width(row, col + k->verdict, k->needs - k->verdict - 1),
		verdict_role(p), reserve_verdict_word(p));
	reserve_needs_text(v->r, p, text, sizeof(text));
	canvas_value(v->c, at_width(row, col + k->needs, k->other[0] - k->needs - 1), ROLE_TEXT,
		VALUE_RESERVE_NEEDS, text);
	draw_others(v, k, row, pool);
}

static void draw_titles(const struct res *v, const struct columns *k, int row)
{
	int col = v->l.pools.col;
	char text[32];

	canvas_text(v->c, at(row, col + k->name), ROLE_DIM, "node");
	canvas_text(v->c, at_right(row, col + k->asked_end, 5), ROLE_DIM, "asked");
	canvas_text(v->c, at(row, col + k->verdict), ROLE_DIM, "verdict");
	canvas_text(v->c, at(row, col + k->needs), ROLE_DIM, "needs");
	for (size_t i = 0; i < 2; i++) {
		zl_format(text, sizeof(text), "%s", v->r->needs_column[i]);
		int end = i == 0 ? k->other[1] - 1 : v->l.pools.cols;
		if (k->compact || text_width(text) > end - k->other[i]) {
			shorten(text);
		}
		canvas_value(v->c, at_width(row, col + k->other[i], end - k->other[i]), ROLE_DIM,
			VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE, text);
	}
}

static void draw_list_heading(const struct res *v)
{
	const struct zl_geometry *g = &v->r->machine.geometry;
	struct rect area = v->l.pools;
	char text[DRAW_TEXT];
	const char *release = v->r->machine.release.display; /* its name says more than fits */
	bool focus = view_focused(v->app, POOLS_FIGURES, 0);
	struct zl_text t;

	zl_format(text, sizeof(text), "Pools: %s · %s ", v->app->pools->title,
		g->arch != NULL ? g->arch->arch : "?");
	int col = reserve_heading(v, area, text);
	int end = area.col + area.cols;
	col = draw_value(v->c, at_width(area.row, col, end - col), ROLE_HEADING, &v->in,
		      VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE) +
	      1;
	zl_text_init(&t, text, sizeof(text));
	zl_text_strn(&t, release, strspn(release, "0123456789."));
	col = canvas_value(v->c, at_width(area.row, col, end - col), ROLE_HEADING,
		VALUE_SETTING_BASE + ZL_SET_KERNEL, text);
	if (end - col < 24) {
		return;
	}
	col = canvas_text(v->c, at(area.row, col), ROLE_HEADING, " · CMA alignment ");
	draw_value(v->c, at_width(area.row, col, end - col), focus ? ROLE_FOCUS : ROLE_HEADING,
		&v->in, VALUE_CMA_MIN_ALIGNMENT_BYTES);
}

static void draw_empty(const struct res *v)
{
	struct rect area = v->l.pools;

	canvas_text(v->c, at(area.row + 2, area.col + 3), ROLE_TEXT,
		"No reserved memory is known here.");
	canvas_text(v->c, at(area.row + 3, area.col + 3), ROLE_TEXT,
		":reserve FILE opens a device tree or boot log · i adds a pool by hand");
}

static size_t list_rows(struct rect area)
{
	const int around = 3; /* heading, titles, totals */

	return (size_t)(area.rows > around ? area.rows - around : 1);
}

static size_t first_listed(struct rect area, size_t focus)
{
	size_t rows = list_rows(area);

	return focus != POOLS_NONE && focus >= rows ? focus - rows + 1 : 0;
}

size_t reserve_pool_at(const struct app *app, const struct layout *l, int row, int col)
{
	struct rect area = reserve_list_area(app, l);
	size_t focus = pools_focused(app);
	int line = row - area.row - 2;

	if (focus == POOLS_NONE || line < 0 || (size_t)line >= list_rows(area) ||
		!rect_contains(area, row, col)) {
		return POOLS_NONE;
	}
	size_t pool = first_listed(area, focus) + (size_t)line;
	return pool < app->pools->r->report.nr_pools ? pool : POOLS_NONE;
}

void reserve_draw_list(const struct res *v)
{
	struct rect area = v->l.pools;
	struct columns k = columns_of(area.cols);
	size_t n = v->r->report.nr_pools;
	size_t rows = list_rows(area);
	size_t first = first_listed(area, v->focus);
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_TOTAL_GIVEN};
	char text[64];

	draw_list_heading(v);
	if (n == 0) {
		draw_empty(v);
		return;
	}
	draw_titles(v, &k, area.row + 1);
	for (size_t i = first; i < n && i < first + rows; i++) {
		draw_pool(v, &k, area.row + 2 + (int)(i - first), i);
	}
	if (n > rows) {
		zl_format(text, sizeof(text), " %u-%u of %u", (unsigned)first + 1,
			(unsigned)(first + rows), (unsigned)n);
		canvas_value(v->c, at_right(area.row, area.col + area.cols, text_width(text)),
			ROLE_HEADING, VALUE_POSITION, text);
	}
	draw_template(v->c,
		at_width(area.row + area.rows - 1, area.col + k.name, area.cols - k.name),
		ROLE_TEXT, &from,
		"asked {cma_asked_bytes} · given {cma_given_bytes} · as corrected "
		"{cma_corrected_bytes}");
}
