/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A canvas as a file: text, or a picture in the colours of a scheme.
 */
#ifndef VIEW_SCREENSHOT_H
#define VIEW_SCREENSHOT_H

#include "canvas.h"
#include "zonelab/buffer.h"
#include "zonelab/error.h"

struct screenshot_opts {
	enum glyph_set glyphs;
	enum scheme scheme;
};

/** Appends the picture as SVG. */
void screenshot_svg(const struct canvas *c, const struct screenshot_opts *opts, struct zl_buf *ret);
/**
 * Writes @file by its name's end: .svg a picture, .txt text. An existing file is kept.
 * Returns 0; -EINVAL for another name; -EEXIST, -ENOMEM or what saving returns.
 */
int screenshot_write(const struct canvas *c, const struct screenshot_opts *opts, const char *file,
	struct zl_error *err);

#endif
