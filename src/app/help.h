/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help texts made from the tables.
 */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "command.h"
#include "keymap.h"

/** `zonelab --help` */
void help_usage(struct zl_buf *b);
void help_command(const struct command *c, struct zl_buf *b);
/** Keys of one mode, a line each. */
void help_keys(enum keymap_mode mode, struct zl_buf *b);

#endif
