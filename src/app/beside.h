/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Compare screen's state: the lanes in use, run in step, all standing at one op. Playing,
 * breakpoints and going somewhere are those of Pagesets.
 */
#ifndef APP_BESIDE_H
#define APP_BESIDE_H

#include "comparison.h"
#include "facts.h"
#include "kernel_axis.h"
#include "scene.h"

/** Rows of a lane in reading order; app->row[0] while the screen is Compare. */
enum beside_row { BESIDE_COUNT, BESIDE_FREE_COUNT, BESIDE_THRESHOLD, BESIDE_TERM, BESIDE_RECORD };
#define BESIDE_ROWS 5
/** Columns that a lane needs, with the line beside it. */
#define BESIDE_COLS 40

struct beside_lanes {
	struct comparison *c; /* NULL = one lane, or `error` */
	struct zl_error error;
	bool stale; /* the lanes have changed since */
	unsigned nr_lanes;
	unsigned lane[APP_LANES]; /* in app->lane[] */
	unsigned base;		  /* deltas are against this one of them */
	struct scene scene[APP_LANES];
	struct facts facts[APP_LANES];
	struct timeline_window window[APP_LANES];
	uint64_t window_known, window_limit;
	struct compare_total total[COMPARE_TOTALS];
	size_t nr_totals;
	bool axis; /* left and right slide the focused lane */
	struct axis kernel;
	uint64_t start; /* where it stands when it is made anew */
};

/** Makes what the screen shows; stands where Pagesets stands. Returns 0 or -ENOMEM. */
int beside_open(struct app *app, struct zl_error *err);
/** Pagesets goes where Compare stood; what Compare kept is given back. */
void beside_leave(struct app *app);
void beside_free(struct app *app);
/** Lanes or settings have changed. */
void beside_lanes_changed(struct app *app);

/** Whether the screen is shown and has lanes to show. */
bool beside_shown(const struct app *app);
/** The place of the focused lane among those that are compared. */
unsigned beside_focus(const struct app *app);
/** The first of the lanes that fit into @cols columns, and how many do. */
unsigned beside_visible(const struct app *app, unsigned cols, unsigned ret[APP_LANES]);
/** Works out again what the screen shows. */
void beside_refresh(struct app *app);
int beside_seek(struct app *app, uint64_t op);
/** To the next or previous divergence. */
void beside_next(struct app *app, int direction);
/** Computes ahead for one slice. Returns whether there is more to do. */
bool beside_look_ahead(struct app *app);
bool beside_move(struct app *app, const char *direction);
unsigned beside_focused_id(const struct app *app);
/** Focuses the next or previous lane. */
void beside_panel(struct app *app, int direction);
/** The focused lane is the one that totals are relative to, or again the first. */
void beside_pin(struct app *app);
/** Turns the kernel axis on or off: the arrows slide the focused lane. */
void beside_axis(struct app *app);
/** The release before the design of lane A, for a second lane; "" = there is none. */
const char *beside_older(const struct app *app);
/** With one lane: opens B with that release. */
void beside_enter(struct app *app);
#define BESIDE_WHO 160
/**
 * What each lane did at this op, "A flushes 72 pages, B keeps the block"; where that has no words,
 * says the same of all or is longer than @cols, who stands apart: "A from B".
 */
void beside_who(const struct app *app, unsigned cols, char *buf, size_t size);
/** The last op known of a divergence that a sentence can be said about: its record pair. */
const struct compare_first *beside_first(const struct app *app, uint64_t op);
/** "They differ on 38 of 1966 ops, 154 to 191, and agree again from 192." "" when they do not. */
void beside_extent(const struct app *app, char *buf, size_t size);

/**
 * What is compared as text for a mail, with the command line that gives it again: the answer of
 * `compare`. Returns 0 or -errno with @err filled.
 */
int beside_mail(struct app *app, struct zl_buf *ret, struct zl_error *err);
/** Rows of the lanes that differ at this op, as bits of enum beside_row. */
uint8_t beside_rows_differ(const struct beside_lanes *b);
/** Totals in the order of the screen, as indices of b->total; returns how many. */
size_t beside_totals_in_order(const struct beside_lanes *b, size_t ret[COMPARE_TOTALS]);
/** How many totals differ. */
int beside_totals_differing(const struct beside_lanes *b);

#endif
