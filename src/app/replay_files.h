/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files about the machine that a trace was recorded on, as the options of `replay` and
 * `anonymise` name them (--zoneinfo, --root).
 */
#ifndef APP_REPLAY_FILES_H
#define APP_REPLAY_FILES_H

#include "command.h"

/** Lays them over the active lane. Returns 0 or -errno with @err filled. */
int replay_files(struct app *app, const struct command_args *args, struct zl_error *err);

/**
 * A release that only the layout of a file suggests would judge the trace by a wrong design.
 * Returns 0, or -ENOKEY with a sentence.
 */
int replay_refuse_guess(const struct app *app, struct zl_error *err);

#endif
