/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the Reserve screen, for its own files.
 */
#ifndef VIEW_VIEW_RESERVE_H
#define VIEW_VIEW_RESERVE_H

#include "draw.h"
#include "layout_reserve.h"
#include "pools.h"
#include "views.h"

struct res {
	const struct app *app;
	struct canvas *c;
	const struct reserve *r;
	struct layout_reserve l;
	struct value_in in;
	size_t focus; /* pool, POOLS_NONE without pools */
};

/** Heading with a text that may hold figures. Returns the column behind it. */
int reserve_heading(const struct res *v, struct rect area, const char *text);
/** The letter of a pool in the map; lower case while it is refused. */
char reserve_letter(size_t pool, bool refused);
/** Area of the list, for the mouse. */
struct rect reserve_list_area(const struct app *app, const struct layout *l);
/** The pool that a cell of the list shows, POOLS_NONE if there is none. */
size_t reserve_pool_at(const struct app *app, const struct layout *l, int row, int col);
void reserve_draw_list(const struct res *v);
void reserve_draw_map(const struct res *v);
/** What follows from the verdict of a pool, in words. */
void reserve_meaning(const struct reserve *r, const struct zl_pool *p, char *buf, size_t size);
void plain_reserve(const struct app *app, bool panel_only, struct zl_buf *ret);
/** A pool's name without its unit address, which stands in the map anyway. */
void reserve_short_name(const struct reserve *r, size_t pool, char *buf, size_t size);

#endif
