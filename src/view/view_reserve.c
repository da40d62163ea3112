/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserve: why a pool gets its verdict, what the kernel says, what to write instead. The list is
 * view_reserve_list.c's, the map view_reserve_map.c's.
 */
#include "view_reserve.h"

#include <string.h>

#include "text_width.h"
#include "zonelab/text.h"

#define COST_COL   40
#define COST_COLS  36 /* that its text may take */
#define LABEL_COL  11
#define NOTES_MOST 3

int reserve_heading(const struct res *v, struct rect area, const char *text)
{
	canvas_heading(v->c, rect(area.row, area.col, 1, area.cols), "");
	return canvas_value(v->c, at_width(area.row, area.col + 3, area.cols - 3), ROLE_HEADING,
		VALUE_LITERAL, text);
}

char reserve_letter(size_t pool, bool refused)
{
	/* R is what is reserved by others. */
	static const char upper[] = "ABCDEFGHIJKLMNOPQSTUVWXYZ";
	static const char lower[] = "abcdefghijklmnopqstuvwxyz";

	return (refused ? lower : upper)[pool % (sizeof(upper) - 1)];
}

static const struct zl_pool *focused(const struct res *v)
{
	return v->focus == POOLS_NONE ? NULL : &v->r->report.pool[v->focus];
}

/* ---- why ---- */

static const char *pool_words(const struct zl_pool *p, bool stays)
{
	if (p->class == ZL_POOL_CMA && p->verdict == ZL_VERDICT_REFUSED) {
		return stays ? "no pool for the device; its %Z stay reserved and serve nobody."
			     : "no pool for the device; its %Z go back to the page allocator.";
	}
	if (p->verdict == ZL_VERDICT_NO_ROOM) {
		return "no memory for the device: the %Z are not reserved.";
	}
	if (p->verdict == ZL_VERDICT_BYPASSED) {
		return "another source is the default area; these %Z are not reserved.";
	}
	switch (p->class) {
	case ZL_POOL_CMA:
		return p->verdict == ZL_VERDICT_NONE
			       ? "nothing is reserved (%Z asked)."
			       : "%Z of CMA: movable pages may use them until the device asks.";
	case ZL_POOL_COHERENT:
		return "%Z for the device alone; no alignment rule.";
	case ZL_POOL_NO_MAP:
		return "%Z out of the linear map; no alignment rule.";
	case ZL_POOL_GENERIC:
		return "%Z reserved, and nothing more.";
	case ZL_POOL_IGNORED:
	case ZL_POOL_CLASS_COUNT:
		break;
	}
	return "the kernel takes no notice (%Z asked).";
}

void reserve_meaning(const struct reserve *r, const struct zl_pool *p, char *buf, size_t size)
{
	const struct zl_request *q = &r->have.request[p->request];
	bool given = p->verdict == ZL_VERDICT_ACCEPTED && p->size > 0;

	zl_format(buf, size, pool_words(p, pools_stays_reserved(r, p)), given ? p->size : q->size);
}

static bool is_note(const struct zl_diag *d)
{
	return d->severity == ZL_WARNING && d->code != ZL_DIAG_POOL_BYPASSED;
}

static struct rect inside(struct rect area)
{
	return rect(area.row + 1, area.col + 1, area.rows - 1, area.cols - 2);
}

static struct rect below(struct rect in, int rows)
{
	return rect(in.row + rows, in.col, in.rows - rows, in.cols);
}

/* How many lines of the boot log the plan agrees with. */
static void log_words(const struct reserve *r, char *buf, size_t size)
{
	uint64_t count[RESERVE_LOG_CONTRADICTS + 1] = {0};

	for (size_t i = 0; i < r->nr_log; i++) {
		count[r->log[i].fate]++;
	}
	zl_format(buf, size,
		"Boot log: %U lines as modelled, %U otherwise, %U to read in `reserve`.",
		count[RESERVE_LOG_AGREES], count[RESERVE_LOG_CONTRADICTS], count[RESERVE_LOG_TOLD]);
}

/* Result, the log, then warnings. Returns the rows taken. */
static int put_meaning(const struct res *v, struct canvas *c, struct rect in, bool notes)
{
	const struct zl_pool *p = focused(v);
	char text[DRAW_TEXT];
	int n = 0;
	int shown = 0;

	if (p != NULL) {
		zl_format(text, sizeof(text), "%s", notes ? "" : "Result: ");
		reserve_meaning(v->r, p, text + strlen(text), sizeof(text) - strlen(text));
		if (notes && text[0] >= 'a' && text[0] <= 'z') {
			text[0] = (char)(text[0] - 'a' + 'A'); /* a sentence of its own */
		}
		n = draw_wrapped(c, in, ROLE_TEXT, VALUE_RESERVE_ASKED, text);
	}
	if (notes && v->r->nr_log > 0) {
		log_words(v->r, text, sizeof(text));
		n += draw_wrapped(c, below(in, n), ROLE_TEXT, VALUE_LITERAL, text);
	}
	for (size_t i = 0; i < v->r->diags.count && notes && shown < NOTES_MOST; i++) {
		if (is_note(&v->r->diags.item[i])) {
			struct rect rest = below(in, n);
			unsigned id = VALUE_DIAG_BASE + v->r->diags.item[i].code;

			zl_format(text, sizeof(text), "Warning: %s", v->r->diags.item[i].text);
			n += draw_wrapped(c, rest, ROLE_WARN, id, text);
			shown++;
		}
	}
	return n;
}

static int put_reason(const struct res *v, struct canvas *c, struct rect in)
{
	const struct zl_pool *p = focused(v);

	return p == NULL ? 0 : draw_wrapped(c, in, ROLE_TEXT, VALUE_RESERVE_NEEDS, p->text);
}

/* Verbatim, clipped, never wrapped. */
static int put_kernel(const struct res *v, struct canvas *c, struct rect in, bool label)
{
	const struct zl_pool *p = focused(v);
	int n = 0;

	for (size_t i = 0; p != NULL && i < p->nr_messages; i++) {
		int col = in.col;

		if (c != NULL && (int)i < in.rows) {
			if (label) {
				canvas_text(
					c, at(in.row + n, col), ROLE_TEXT, i == 0 ? "Kernel:" : "");
				col += 8;
			}
			canvas_value(c, at_width(in.row + n, col, in.col + in.cols - col),
				ROLE_TEXT, VALUE_LITERAL, p->message[i]);
		}
		n++;
	}
	return n;
}

static void labelled(const struct res *v, struct rect in, int i, const char *label)
{
	canvas_text(v->c, at(in.row + i, in.col), ROLE_DIM, label);
}

static const char *how_placed(const struct zl_request *q)
{
	if (q->kind != ZL_REQUEST_NODE) {
		return "by the kernel";
	}
	return q->has_reg ? "fixed place" : "size only";
}

/* Source, alignment and waste of the tall form, above the reason. */
static int put_facts(const struct res *v, const struct zl_pool *p, struct rect in)
{
	const struct zl_request *q = &v->r->have.request[p->request];
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_WASTE};
	bool focus = view_focused(v->app, POOLS_FIGURES, 1);
	int col = in.col + LABEL_COL;
	char text[DRAW_TEXT];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_fmt(&t, "%s, %s, %s%s", zl_pool_source_name(q->source),
		zl_pool_class_name(p->class), how_placed(q), q->edited ? ", changed by hand" : "");
	if (p->base_known && p->size > 0) {
		zl_text_fmt(&t, ", at %x", p->base);
	}
	labelled(v, in, 0, "source");
	canvas_value(
		v->c, at_width(in.row, col, in.cols - LABEL_COL), ROLE_TEXT, VALUE_LITERAL, text);
	labelled(v, in, 1, "alignment");
	from.owner = VALUE_CMA_MIN_ALIGNMENT_BYTES;
	draw_template(v->c, at_width(in.row + 1, col, in.cols - LABEL_COL), ROLE_TEXT, &from,
		"{page_size} << pageblock_order {pageblock_order}, CMA {cma_min_alignment_bytes}");
	labelled(v, in, 2, "costs");
	from.owner = VALUE_RESERVE_WASTE;
	draw_template(v->c, at_width(in.row + 2, col, in.cols - LABEL_COL),
		focus ? ROLE_FOCUS : ROLE_TEXT, &from,
		"{pool_costs_bytes} more than asked; pageblocks: {pool_needs_blocks}");
	return 3;
}

static void draw_why(const struct res *v)
{
	struct rect in = inside(v->l.why);
	const struct zl_pool *p = focused(v);
	char text[DRAW_TEXT];

	if (p == NULL || v->l.why.rows == 0) {
		return;
	}
	zl_format(text, sizeof(text), v->l.tall ? "Selected: %s" : "%s: why",
		reserve_pool_name(v->r, p));
	reserve_heading(v, v->l.why, text);
	if (v->l.tall) {
		put_reason(v, v->c, below(in, put_facts(v, p, in)));
		reserve_heading(v, v->l.kernel, "The kernel would say");
		if (put_kernel(v, v->c, inside(v->l.kernel), false) == 0) {
			canvas_text(v->c, at(v->l.kernel.row + 1, v->l.kernel.col + 1), ROLE_DIM,
				"nothing");
		}
		if (v->l.meaning.rows > 0) {
			reserve_heading(v, v->l.meaning, "What it means");
			put_meaning(v, v->c, inside(v->l.meaning), true);
		}
		return;
	}
	int n = put_reason(v, v->c, in);
	n += put_kernel(v, v->c, below(in, n), true);
	put_meaning(v, v->c, below(in, n), false);
}

/* ---- the fix ---- */

static void draw_cost(const struct res *v, struct at where, bool alone)
{
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_WASTE};
	bool focus = !v->l.tall && view_focused(v->app, POOLS_FIGURES, 1);

	static const char *const forms[] = {
		"costs {pool_costs_bytes} more, {pool_needs_blocks} of {bank_blocks} blocks",
		"costs {pool_costs_bytes} more"};

	/* The longest that fits. */
	for (size_t f = v->r->map.known && alone ? 0 : 1; f < 2; f++) {
		if (draw_template_width(&from, forms[f]) <= where.width) {
			draw_template(v->c, where, focus ? ROLE_FOCUS : ROLE_TEXT, &from, forms[f]);
			return;
		}
	}
}

/* One line of the correction in a row of its own, with what the pool then costs. */
static void put_fix_line(const struct res *v, const struct pools_line *l, struct at where)
{
	enum role role = l->sign == '-' ? ROLE_REMOVED : ROLE_ADDED;
	const int right = where.col + where.width;
	char sign[2] = {l->sign, '\0'};

	canvas_text(v->c, at(where.row, where.col), role, sign);
	int end = canvas_value(v->c, at_width(where.row, where.col + 3, where.width - 3), role,
		VALUE_LITERAL, l->text);
	int from = end + 2 > where.col + COST_COL ? end + 2 : where.col + COST_COL;

	from = right - from < COST_COLS ? end + 2 : from;
	if (l->sign == '+' && l->pool == v->focus && v->focus != POOLS_NONE) {
		draw_cost(v, at_width(where.row, from, right - from), true);
	}
}

/* Lines of the correction: of the chosen pool, in the tall form of all. Returns rows taken. */
static int put_fix(const struct res *v, struct canvas *c, struct rect in)
{
	const struct pools *p = v->app->pools;
	size_t last = POOLS_NONE;
	int n = 0;

	for (size_t i = 0; i < p->nr_lines; i++) {
		const struct pools_line *l = &p->line[i];
		bool mine = l->pool == v->focus;

		if (!mine && !v->l.tall) {
			continue;
		}
		if (v->l.tall && l->pool != last) {
			if (c != NULL && n < in.rows) {
				canvas_value(c, at_width(in.row + n, in.col, in.cols),
					mine ? ROLE_SELECT : ROLE_TEXT, VALUE_LITERAL,
					reserve_pool_name(v->r, &v->r->report.pool[l->pool]));
			}
			n++;
		}
		last = l->pool;
		if (c != NULL && n < in.rows) {
			put_fix_line(v, l, at_width(in.row + n, in.col, in.cols));
		}
		n++;
	}
	return n;
}

static void draw_hint_order(const struct res *v, int row, struct rect in)
{
	const struct reserve_hint *h = &v->r->hint;
	char text[DRAW_TEXT];
	char rest[64 + ZL_POOL_NAME];

	if (!h->found || row >= in.row + in.rows) {
		return;
	}
	if (h->still_refused == 1 && h->first_refused < v->r->report.nr_pools) {
		char name[ZL_POOL_NAME], other[ZL_POOL_NAME];
		bool shared = false;

		reserve_short_name(v->r, h->first_refused, name, sizeof(name));
		for (size_t i = 0; i < v->r->report.nr_pools; i++) {
			reserve_short_name(v->r, i, other, sizeof(other));
			shared = shared || (i != h->first_refused && strcmp(name, other) == 0);
		}
		zl_format(rest, sizeof(rest), "all but %s fit",
			shared ? reserve_pool_name(v->r, &v->r->report.pool[h->first_refused])
			       : name);
	} else {
		zl_format(rest, sizeof(rest), "%U still refused", (uint64_t)h->still_refused);
	}
	zl_format(text, sizeof(text), "or %s=%u (%Z blocks): %s",
		v->r->machine.geometry.page_block_symbol, h->order, h->alignment,
		h->still_refused == 0 ? "every pool fits as written" : rest);
	canvas_value(v->c, at_width(row, in.col, in.cols), ROLE_TEXT,
		VALUE_SETTING_BASE + ZL_SET_PAGE_BLOCK_ORDER, text);
}

static const char *nothing_to_change(const struct res *v)
{
	const struct zl_pool *p = focused(v);

	if (p != NULL && p->verdict == ZL_VERDICT_NO_ROOM) {
		return "No number is wrong: free the window, widen alloc-ranges or ask for less";
	}
	return v->r->report.nr_refused > 0
		       ? "Nothing to change for this one · n goes to a refused one"
		       : "Nothing to change: size and place suit this kernel";
}

static void draw_fix(const struct res *v)
{
	struct rect in = inside(v->l.fix);

	if (v->l.fix.rows == 0 || v->focus == POOLS_NONE) {
		return;
	}
	reserve_heading(v, v->l.fix, "Fix (f preview, :write-fix FILE)");
	struct rect room = rect(in.row, in.col, v->r->hint.found ? in.rows - 1 : in.rows, in.cols);
	int n = put_fix(v, v->c, room);
	n = n > room.rows ? room.rows : n;
	if (n == 0) {
		canvas_text(
			v->c, at_width(in.row, in.col, in.cols), ROLE_DIM, nothing_to_change(v));
		n = 1;
	}
	draw_hint_order(v, in.row + n, in);
}

/* ---- the screen ---- */

static struct reserve_needs needs_of(const struct res *v, const struct layout *l)
{
	struct rect in = rect(0, 0, 0, l->wide ? l->body.cols - 49 : l->body.cols - 2);
	struct reserve_needs n = {.pools = (int)v->r->report.nr_pools};
	int kernel = put_kernel(v, NULL, in, false);

	n.why = put_reason(v, NULL, in);
	n.kernel = kernel > 0 ? kernel : 1;
	n.fix = put_fix(v, NULL, in) + (v->r->hint.found ? 1 : 0);
	if (v->l.tall) {
		n.why += 3;
		n.meaning = put_meaning(v, NULL, in, true);
	} else {
		n.why += kernel + put_meaning(v, NULL, in, false);
	}
	return n;
}

static struct res gather(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct res v = {.app = app,
		.c = c,
		.r = app->pools->r,
		.in = app_values(app),
		.focus = pools_focused(app)};
	struct reserve_needs needs = {0};

	v.l = layout_reserve(l, &needs); /* tells which form it is */
	needs = needs_of(&v, l);
	v.l = layout_reserve(l, &needs);
	return v;
}

struct rect reserve_list_area(const struct app *app, const struct layout *l)
{
	struct res v = gather(app, NULL, l);

	return v.l.pools;
}

static struct rect slot(const struct app *app, const struct layout *l)
{
	struct res v = gather(app, NULL, l);
	int row = v.l.pools.row + v.l.pools.rows;

	return rect(row, l->body.col, l->body.row + l->body.rows - row, l->body.cols);
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct res v = gather(app, c, l);

	reserve_draw_list(&v);
	draw_why(&v);
	draw_fix(&v);
	if (v.l.wide) {
		canvas_separator(c, v.l.separator, l->body.row, l->body.rows);
	}
	reserve_draw_map(&v);
}

static void hint_held(const struct app *app, struct canvas *c, struct at where)
{
	const struct pools *p = app->pools;
	const struct zl_request *q = &p->r->have.request[p->moving];
	char text[DRAW_TEXT];

	if (p->mode == POOLS_MOVE) {
		zl_format(text, sizeof(text),
			"%s at %x · arrows, PgUp PgDn move by pageblocks · Enter take, Esc back",
			q->name, q->base);
	} else {
		zl_format(text, sizeof(text),
			"%s: %Z · arrows, PgUp PgDn resize by pageblocks · Enter take, Esc back",
			q->name, q->size);
	}
	canvas_value(c, where, ROLE_TEXT, VALUE_LITERAL, text);
}

static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	const struct zl_reserve_report *report = &app->pools->r->report;
	size_t bad = report->nr_refused + report->nr_no_room;
	struct at where = at(row.row, row.col + 1);
	char text[DRAW_TEXT];

	if (app->pools->mode != POOLS_LOOK) {
		hint_held(app, c, where);
		return;
	}
	if (report->nr_pools == 0) {
		canvas_text(
			c, where, ROLE_TEXT, "No pools · i adds one, :reserve FILE opens a file");
		return;
	}
	if (bad == 0) {
		zl_format(text, sizeof(text), "None of %U refused · i adds one, m moves, r resizes",
			(uint64_t)report->nr_pools);
	} else {
		zl_format(text, sizeof(text), "%U of %U pools %s%s · n next refused", (uint64_t)bad,
			(uint64_t)report->nr_pools,
			report->nr_no_room > 0 ? "refused or without room" : "refused",
			app_wide(app) ? " · exit status would be 1" : "");
	}
	canvas_value(c, where, ROLE_TEXT, VALUE_POSITION, text);
}

const struct view_ops view_reserve = {
	.screen = SCREEN_RESERVE,
	.name = "Reserve",
	.keys = KEYMAP_RESERVE,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = plain_reserve,
};
