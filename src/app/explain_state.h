/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What files say about the present state of a machine: free lists, parked pages, out-of-memory
 * reports, zones of a boot log, and what min_free_kbytes tells backwards.
 */
#ifndef APP_EXPLAIN_STATE_H
#define APP_EXPLAIN_STATE_H

#include "command.h"
#include "machines.h"

/** Sections as wrapped text, each left out when the files say nothing about it. */
void explain_state(struct output *out, const struct zl_import *im, const struct zl_verify *v);

#endif
