/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the Learn screen share.
 */
#ifndef VIEW_VIEW_LEARN_H
#define VIEW_VIEW_LEARN_H

#include "layout_learn.h"
#include "learn.h"
#include "view_pagesets.h"
#include "zonelab/buffer.h"

/** Lines of a text wrapped at the area's columns less one at each side; draws when @c is set. */
int learn_wrap(struct canvas *c, struct rect area, unsigned id, const char *text);
/** The list of lessons and the glossary. */
void learn_draw_list(const struct app *app, struct canvas *c, struct rect body);
/** The same as labelled lines, and a step of a lesson. */
void learn_plain(const struct app *app, bool panel_only, struct zl_buf *ret);
/** Lists of the run, and what free_high looks at. */
void learn_draw_lists(const struct pagesets_view *v, struct rect area);
void learn_draw_inputs(const struct pagesets_view *v, struct rect area);
/** Question and choices, or the explanation. */
void learn_draw_task(const struct app *app, struct canvas *c, struct rect area);
int learn_task_lines(const struct app *app, int cols);

#endif
