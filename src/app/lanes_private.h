/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about lanes share. */
#ifndef APP_LANES_PRIVATE_H
#define APP_LANES_PRIVATE_H

#include "app.h"

/**
 * A lane in use that is like another one, to be resolved once it is as it is to be; lane_free()
 * frees it. NULL without memory.
 */
struct lane *lane_copy(struct app *app, const struct lane *from);
/** NULL is allowed. */
void lane_free(struct app *app, struct lane *lane);
/** Puts a lane into a place; what it owns goes over, and @next is zeroed. */
void lane_place(struct app *app, unsigned lane, struct lane *next);
/** The setting of "KEY=VALUE" or "KEY"; ZL_SETTING_COUNT if it is none. */
enum zl_setting setting_of(const char *assignment);
/** "high_min=700 batch=31": an edit in words. */
void edit_words(const char *const *assignments, size_t n, char *buf, size_t size);
/** "built in" or "fixed at boot": why no running kernel takes it; NULL where one does. */
const char *setting_fixed(enum zl_setting key);

#endif
