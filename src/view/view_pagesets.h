/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the Pagesets screen share.
 */
#ifndef VIEW_VIEW_PAGESETS_H
#define VIEW_VIEW_PAGESETS_H

#include "draw.h"
#include "layout_pagesets.h"
#include "pagesets.h"
#include "views.h"

#define GLYPH_UP      0x25b2
#define GLYPH_GHOST   0x25b3
#define GLYPH_PRESENT 0x25ba
#define GLYPH_LEAVING 0x2591
#define GLYPH_WALL    0x2524
#define GLYPH_CORNER  0x2514
#define GLYPH_BAR     0x2502

struct pagesets_view {
	const struct app *app;
	const struct pagesets *p;
	const struct scene *s;
	struct canvas *c;
	struct layout_pagesets l;
};

/** Writes on in one row: text with figures of one id. */
struct pen {
	struct canvas *c;
	int row, col, end; /* end = column after the last that may be used */
	enum role role;
};

static inline struct pen pen_at(struct canvas *c, int row, int col, int end)
{
	return (struct pen){.c = c, .row = row, .col = col, .end = end, .role = ROLE_TEXT};
}
/** Verbs as in zonelab/text.h; every cell gets @id. */
void pen_fmt(struct pen *pen, unsigned id, const char *fmt, ...);
/** A panel's heading, with figures. */
void pagesets_heading(struct canvas *c, struct rect area, const char *fmt, ...);

/** Pages that are leaving in the present frame, of @whole cells: all in a still. */
int pagesets_leaving(const struct pagesets_view *v, int whole);
enum role pagesets_mt_role(unsigned mt);
/** What an op did: "to list", "FLUSH 368 pages"; @buf is for those with figures. */
const char *pagesets_result_words(const struct zl_record *r, char *buf, size_t size);
/** Eighths of @cells for a figure on a scale, rounded. */
unsigned pagesets_eighths(int64_t v, int64_t scale, int cells);
/** The cell that a figure falls into. */
int pagesets_cell_of(int64_t v, int64_t scale, int cells);
/** A column of a curve, in eighths: the smallest that is not below the figure. */
unsigned pagesets_column(int32_t v, int32_t most);

void pagesets_draw_gauges(const struct pagesets_view *v);
/** The count over the run in one row. */
void pagesets_draw_curve(const struct pagesets_view *v, int row);
void pagesets_draw_verdict(const struct pagesets_view *v);
void pagesets_draw_slot(const struct pagesets_view *v, struct rect area, enum pagesets_slot slot);
void pagesets_draw_settings(const struct pagesets_view *v, struct rect area);
void pagesets_draw_ways(const struct pagesets_view *v, struct rect area);
void pagesets_draw_buddy(const struct pagesets_view *v, struct rect area);
void pagesets_draw_cpus(const struct pagesets_view *v, struct rect area);
void pagesets_draw_map(const struct pagesets_view *v, struct rect area);
void pagesets_draw_timeline(const struct pagesets_view *v);

#endif
