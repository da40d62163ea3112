/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys do on the Compare screen, and what it says about divergences. */
#include <errno.h>
#include <string.h>

#include "beside_private.h"
#include "command.h"
#include "lane_spec.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "zonelab/text.h"

#define PAGE_CELLS 20u
#define DID_TEXT   64
#define SAY_WORDS  36 /* what stands around what the lanes did */
/* What an op did, without what it left. */
#define BESIDE_DID ((UINT32_C(1) << ZL_OUTCOME_COUNT) - 1)

/* ---- going somewhere ---- */

/* What an op did, as a verb: "flushes 72 pages". False for what has none. */
static bool did(const struct zl_record *r, char *buf, size_t size)
{
	const bool alloc = r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_ALLOCHA;
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (!alloc && r->op.kind != ZL_OP_FREE) {
		return false;
	}
	if (r->result == ZL_RESULT_PCP) {
		zl_text_str(&t, alloc ? "takes a block from its list" : "keeps the block");
	} else if (r->result == ZL_RESULT_BUDDY) {
		zl_text_str(&t, alloc ? "takes it from the buddy" : "gives it to the buddy");
	} else if (r->result == ZL_RESULT_REFILL) {
		zl_text_fmt(&t, "refills %u block%s", r->refill_got, r->refill_got == 1 ? "" : "s");
	} else if (r->result == ZL_RESULT_PCP_DRAIN) {
		zl_text_fmt(&t, "%s %N page%s", r->free_high ? "flushes" : "drains",
			(uint64_t)r->drained, r->drained == 1 ? "" : "s");
		if (r->zone_locks > 1) {
			zl_text_fmt(&t, " in %u holds", r->zone_locks);
		}
	} else {
		return false;
	}
	return true;
}

void beside_who(const struct app *app, unsigned cols, char *buf, size_t size)
{
	const struct beside_lanes *b = app->beside;
	char text[DID_TEXT], before[DID_TEXT] = "";
	struct zl_text t;
	bool said = b->nr_lanes > 0, differ = false;

	zl_text_init(&t, buf, size);
	for (unsigned i = 0; said && i < b->nr_lanes; i++) {
		said = did(&b->scene[i].record, text, sizeof(text));
		differ = differ || (i > 0 && strcmp(text, before) != 0);
		zl_text_fmt(&t, "%s%s %s", i > 0 ? ", " : "", b->c->lane[i].name, text);
		zl_format(before, sizeof(before), "%s", text);
	}
	if (!said || !differ || t.len > cols) {
		comparison_who(b->c, comparison_pattern(b->c, b->c->at), buf, size);
	}
}

/* "Divergence at op 191: A flushes 8 pages, B keeps the block". */
static void say_divergence(struct app *app, uint64_t op)
{
	char who[BESIDE_WHO];

	beside_who(app, app->cols - SAY_WORDS, who, sizeof(who));
	app_say(app, VALUE_LITERAL, "Divergence at op %U: %s · n N go on", op, who);
}

void beside_next(struct app *app, int direction)
{
	const struct beside_lanes *b = app->beside;

	if (b->c == NULL) {
		app_say(app, VALUE_NONE,
			"One lane has nothing to differ from · Enter opens another");
		return;
	}
	uint64_t op = comparison_find(b->c, b->c->at, direction);
	if (direction > 0 && learn_pending(app)) {
		beside_seek(app, UINT64_MAX); /* says that it is hidden */
		return;
	}
	pagesets_play(app, false);
	if (op == TIMELINE_NO_OP) {
		app_say(app, VALUE_NONE, "There is no divergence %s this op%s",
			direction > 0 ? "after" : "before",
			b->c->complete ? "" : " as far as is known");
		return;
	}
	beside_seek(app, op);
	say_divergence(app, op);
}

/* The arrows with the kernel axis: the next release at which something changes. */
static void slide(struct app *app, int direction)
{
	struct beside_lanes *b = app->beside;
	const struct lane *l = app_lane_const(app);
	char kernel[64], text[96];
	struct zl_error err = {0};

	zl_machine_setting(&l->profile, &l->machine, ZL_SET_KERNEL, kernel, sizeof(kernel));
	unsigned i = axis_find(&b->kernel, kernel);
	bool on_step = strcmp(b->kernel.step[i].release, kernel) == 0;
	if ((direction < 0 && i == 0 && on_step) ||
		(direction > 0 && i + 1 == b->kernel.nr_steps)) {
		app_say(app, VALUE_NONE, "The kernel axis ends here");
		return;
	}
	/* From between two steps the older one is the first to the left. */
	i = direction > 0 ? i + 1 : on_step ? i - 1 : i;
	zl_format(text, sizeof(text), "kernel=%s", b->kernel.step[i].release);
	if (app_set(app, text, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	beside_say_step(app, i);
}

void beside_say_step(struct app *app, unsigned i)
{
	const struct axis_step *s = &app->beside->kernel.step[i];
	char text[APP_MESSAGE];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_fmt(&t, "%s, design %s: ", s->release, zl_design_name(s->design));
	for (unsigned k = 0; k < s->nr_changes; k++) {
		const struct axis_change *c = &s->change[k];
		zl_text_fmt(&t, "%s%s %s", k > 0 ? "; " : "", c->behaviour, c->value);
		if (c->commit[0] != '\0') {
			zl_text_fmt(&t, " (%s)", c->commit);
		}
	}
	app_say(app, VALUE_LITERAL, "%s", text);
}

void beside_axis(struct app *app)
{
	struct beside_lanes *b = app->beside;
	char kernel[64];
	const struct lane *l = app_lane_const(app);

	b->axis = !b->axis;
	if (!b->axis) {
		app_say(app, VALUE_NONE, "The arrows go through the run again");
		return;
	}
	zl_machine_setting(&l->profile, &l->machine, ZL_SET_KERNEL, kernel, sizeof(kernel));
	app_say(app, VALUE_LITERAL,
		"Kernel axis: left and right slide lane %c from %s · K or Esc ends it",
		'A' + (int)app->active, kernel);
}

bool beside_move(struct app *app, const char *direction)
{
	struct beside_lanes *b = app->beside;
	unsigned *row = &app->row[app->panel];

	if (b->axis && (strcmp(direction, "left") == 0 || strcmp(direction, "right") == 0)) {
		slide(app, direction[0] == 'l' ? -1 : 1);
		return true;
	}
	if (strcmp(direction, "up") == 0) {
		*row -= *row > 0 ? 1 : 0;
		return true;
	}
	if (strcmp(direction, "down") == 0) {
		*row += *row + 1 < BESIDE_ROWS ? 1 : 0;
		return true;
	}
	if (b->c == NULL) {
		return true;
	}
	uint64_t at = b->c->at, cell = UINT64_C(1) << b->window[0].zoom;
	if (strcmp(direction, "first") == 0) {
		at = 0;
	} else if (strcmp(direction, "last") == 0) {
		at = comparison_total(b->c);
	} else if (strcmp(direction, "left") == 0 || strcmp(direction, "page-up") == 0) {
		uint64_t ops = direction[0] == 'l' ? cell : cell * PAGE_CELLS;
		at = at > ops ? at - ops : 0;
	} else if (strcmp(direction, "right") == 0 || strcmp(direction, "page-down") == 0) {
		at += direction[0] == 'r' ? cell : cell * PAGE_CELLS;
	} else {
		return false;
	}
	pagesets_play(app, false);
	beside_seek(app, at);
	return true;
}

/* ---- lanes ---- */

void beside_panel(struct app *app, int direction)
{
	unsigned i = app->active;
	struct zl_error err = {0};

	/* Also where one that cannot run keeps all from being shown. */
	do {
		i = (i + (direction > 0 ? 1 : APP_LANES - 1)) % APP_LANES;
	} while (!app->lane[i].used);
	if (lane_focus(app, i, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
}

void beside_pin(struct app *app)
{
	struct beside_lanes *b = app->beside;
	unsigned focus = beside_focus(app);

	b->base = b->base == focus ? 0 : focus;
	app_say(app, VALUE_NONE, "Totals are relative to lane %c", 'A' + (int)b->lane[b->base]);
}

unsigned beside_focused_id(const struct app *app)
{
	static const enum value_id ids[BESIDE_ROWS] = {VALUE_RUN_COUNT, VALUE_RUN_FREE_COUNT,
		VALUE_RUN_THRESHOLD, VALUE_RUN_THRESHOLD, VALUE_RUN_DRAINED};
	unsigned row = app->row[app->panel];

	return row < BESIDE_ROWS ? ids[row] : VALUE_NONE;
}

/* ---- a second lane ---- */

const char *beside_older(const struct app *app)
{
	const struct axis *a = &app->beside->kernel;
	const struct lane *l = app_lane_const(app);
	char kernel[64];

	zl_machine_setting(&l->profile, &l->machine, ZL_SET_KERNEL, kernel, sizeof(kernel));
	unsigned i = axis_find(a, kernel);
	enum zl_design_id design = a->step[i].design;
	while (i > 0 && a->step[i].design == design) {
		i--;
	}
	return a->step[i].design != design ? a->step[i].release : "";
}

void beside_enter(struct app *app)
{
	const char *release = beside_older(app);
	char items[64];
	struct zl_error err = {0};
	unsigned lane = lanes_free(app);

	if (release[0] == '\0' || lane == APP_LANES) {
		app_say(app, VALUE_NONE,
			"There is no older design · :lane B:KEY=VALUE,... opens a lane");
		return;
	}
	zl_format(items, sizeof(items), "kernel=%s", release);
	if (lane_open(app, lane, app->active, items, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	const struct comparison *c = app->beside->c;
	if (c != NULL && comparison_pattern(c, c->at) != 0 && !learn_pending(app)) {
		say_divergence(app, c->at); /* the lanes differ where one stands */
		return;
	}
	beside_next(app, 1);
}

/* ---- what differs ---- */

const struct compare_first *beside_first(const struct app *app, uint64_t op)
{
	const struct comparison *c = app->beside->c;
	compare_pattern p = comparison_pattern(c, op);

	for (unsigned i = 0; i < c->nr_first && p != 0; i++) {
		if (c->first[i].pattern == p) {
			return &c->first[i];
		}
	}
	return c->nr_first > 0 ? &c->first[0] : NULL;
}

static void pair_extent(struct zl_text *t, const struct comparison *c, unsigned a, unsigned b)
{
	const struct compare_pair *p = &c->pair[a][b];

	zl_text_fmt(t, "%N of %N ops, %N", p->ops, comparison_total(c), p->first);
	if (p->last != p->first) {
		zl_text_fmt(t, " to %N", p->last);
	}
	if (c->complete && p->last < c->known) {
		zl_text_fmt(t, ", and agree again from %N", p->last + 1);
	}
	zl_text_str(t, ".");
}

void beside_extent(const struct app *app, char *buf, size_t size)
{
	const struct comparison *c = app->beside->c;
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (c->differ == 0) {
		return;
	}
	if (c->nr_lanes == 2) {
		zl_text_str(&t, "They differ on ");
		pair_extent(&t, c, 0, 1);
		return;
	}
	zl_text_fmt(&t, "Of %N ops ", comparison_total(c));
	for (unsigned a = 0; a + 1 < c->nr_lanes; a++) {
		const struct compare_pair *p = &c->pair[a][a + 1];
		zl_text_fmt(&t, "%s%s, %s differ on %N", a > 0 ? "; " : "", c->lane[a].name,
			c->lane[a + 1].name, p->ops);
		if (p->ops == 1) {
			zl_text_fmt(&t, ", %N", p->first);
		} else if (p->ops > 1) {
			zl_text_fmt(&t, ", %N to %N", p->first, p->last);
		}
	}
	zl_text_str(&t, ".");
}

uint8_t beside_rows_differ(const struct beside_lanes *b)
{
	const struct scene *first = &b->scene[0];
	unsigned bits = 0;

	for (unsigned i = 1; i < b->nr_lanes; i++) {
		const struct scene *s = &b->scene[i];
		const struct zl_pageset_view *p = &s->pageset, *q = &first->pageset;
		uint32_t did = zl_outcome_differs(&s->record, &first->record) & BESIDE_DID;

		bits |= p->count != q->count ? 1u << BESIDE_COUNT : 0;
		bits |= p->free_count != q->free_count || p->free_factor != q->free_factor
				? 1u << BESIDE_FREE_COUNT
				: 0;
		bits |= p->threshold != q->threshold ? 1u << BESIDE_THRESHOLD : 0;
		bits |= s->record.free_high != first->record.free_high ||
					s->verdict.fires != first->verdict.fires
				? 1u << BESIDE_TERM
				: 0;
		bits |= did != 0 ? 1u << BESIDE_RECORD : 0;
	}
	return (uint8_t)bits;
}

/* ---- totals ---- */

/* The most telling first; the rest in the order of the metrics. */
size_t beside_totals_in_order(const struct beside_lanes *b, size_t ret[COMPARE_TOTALS])
{
	static const char *const first[] = {"free_high", "bulk_calls", "zone_locks",
		"longest_hold_pages", "relative_throughput", "pages_drained", "refills",
		"blocks_refilled", "zone.free", "direct_buddy", "failed"};
	const size_t nr_first = sizeof(first) / sizeof(first[0]);
	bool taken[COMPARE_TOTALS] = {false};
	size_t n = 0;

	for (size_t i = 0; i < nr_first; i++) {
		for (size_t k = 0; k < b->nr_totals; k++) {
			if (strcmp(b->total[k].name, first[i]) == 0) {
				taken[k] = true;
				ret[n++] = k;
			}
		}
	}
	for (size_t k = 0; k < b->nr_totals; k++) {
		if (!taken[k]) {
			ret[n++] = k;
		}
	}
	return n;
}

int beside_totals_differing(const struct beside_lanes *b)
{
	int n = 0;

	for (size_t i = 0; i < b->nr_totals; i++) {
		n += b->total[i].same ? 0 : 1;
	}
	return n;
}

/* ---- text for a mail ---- */

/* A word of a command line, whatever is in it. */
static void add_word(struct zl_buf *line, const char *word)
{
	zl_buf_str(line, line->len > 0 ? " \"" : "\"");
	for (; *word != '\0'; word++) {
		if (*word == '"' || *word == '\\') {
			zl_buf_chr(line, '\\');
		}
		zl_buf_chr(line, *word);
	}
	zl_buf_chr(line, '"');
}

int beside_mail(struct app *app, struct zl_buf *ret, struct zl_error *err)
{
	const struct run_source *source = &app->pagesets->all->source;
	struct output out = {.format = FORMAT_MAIL};
	unsigned active = app->active;
	struct zl_buf line = {0};
	char lane[LANE_TEXT];

	if (source->name[0] == '\0') {
		zl_error_set(err, 0, 0, "this run has no name to give it again by");
		return -ENOENT;
	}
	add_word(&line, "compare");
	add_word(&line, source->name);
	if (source->options.short_form) {
		add_word(&line, "--short");
	}
	for (unsigned i = 0; i < app->beside->nr_lanes; i++) {
		lane_text(app, app->beside->lane[i], lane, sizeof(lane));
		add_word(&line, "--lane");
		add_word(&line, lane);
	}
	app->active = 0; /* what lanes are laid over */
	enum exit_status status =
		line.failed ? EXIT_FAULT : command_run(app, zl_buf_text(&line), &out);
	app->active = active;
	zl_buf_done(&line);
	if (status == EXIT_YES) {
		zl_buf_str(ret, zl_buf_text(&out.text));
	} else {
		*err = out.error;
	}
	output_done(&out);
	return status == EXIT_YES ? 0 : status == EXIT_FAULT ? -ENOMEM : -EINVAL;
}
