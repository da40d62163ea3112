/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings of the animation as asciicast v2: what playing shows, with the time that it takes.
 */
#ifndef APP_RECORD_H
#define APP_RECORD_H

#include "app.h"

/** Longest recording. */
#define RECORD_FRAMES_MAX 10000

/** A stretch of the run. */
struct record_range {
	uint64_t from, to; /* ops */
};

/**
 * Refuses a stretch that is sure to have more frames than a recording may have, at the speed in
 * force. Returns 0 or -E2BIG with @err filled.
 */
int record_fits(const struct app *app, const struct record_range *range, struct zl_error *err);
/**
 * Plays a stretch of the open run and writes its frames. @draw gives the screen as text.
 * Returns 0; -ENOMEM; -E2BIG when it would be too long, with @err filled.
 */
int record_cast(struct app *app, const struct record_range *range,
	void (*draw)(const struct app *app, struct zl_buf *ret), struct zl_buf *ret,
	struct zl_error *err);

#endif
