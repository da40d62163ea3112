/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the Compare screen share.
 */
#ifndef VIEW_VIEW_BESIDE_H
#define VIEW_VIEW_BESIDE_H

#include "beside.h"
#include "layout_beside.h"
#include "view_pagesets.h"

struct beside_view {
	const struct app *app;
	const struct beside_lanes *b;
	const struct comparison *cmp;
	struct canvas *c;
	struct layout_beside l;
	unsigned lane[APP_LANES]; /* that are shown, as indices of the comparison */
	unsigned nr_lanes;
};

#define BESIDE_CELLS_COL 9 /* where the cells of curves start */

/** "A", with the colour of the lane. */
enum role beside_lane_role(const struct beside_view *v, unsigned lane);
void beside_draw_axis(const struct beside_view *v);
void beside_draw_lanes(const struct beside_view *v);
void beside_draw_divergence(const struct beside_view *v);
void beside_draw_totals(const struct beside_view *v);
void beside_draw_timeline(const struct beside_view *v);
/** Why the lanes differ at an op, in words; "" when they do not. */
void beside_why(const struct beside_view *v, uint64_t op, char *buf, size_t size);
/** Lines that the list of divergences takes. */
int beside_divergence_lines(const struct app *app);
/** The name of a total as the screen writes it. */
const char *beside_total_label(const char *name);

#endif
