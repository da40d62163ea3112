/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of a command line that stand in the wrong place, and what they are meant to be.
 */
#ifndef APP_WORD_MEANT_H
#define APP_WORD_MEANT_H

#include "command.h"

/** Whether words[i] is the unit of the size in the word before it ("--size 4 MiB"); @err says so. */
bool word_is_unit(const char *const *words, size_t i, struct zl_error *err);
/** Whether @word, neither file nor name, is a setting or a lane without its option; @err says so. */
bool word_is_item(const struct command *c, const char *word, struct zl_error *err);
/** The first word that a synopsis requires behind @given others: "SCENARIO". */
void word_missing(const struct command *c, size_t given, char *buf, size_t size);

#endif
