/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manual pages and shell completions made from the program's tables while building.
 */
#ifndef ZONELAB_MAN_DOC_H
#define ZONELAB_MAN_DOC_H

#include <stdbool.h>
#include <stdio.h>

/** Prints a section of a manual page by the name between the @ of a template, as scdoc. */
bool doc_section(FILE *out, const char *name);

/** Prints what there may be at most of what, from the constants of the program. */
void doc_limits(FILE *out);

/** Prints the completion of "bash", "zsh" or "fish". */
bool doc_completion(FILE *out, const char *shell);

#endif
