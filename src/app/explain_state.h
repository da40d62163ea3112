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
/** CMA areas and what a boot log says of zones, as members of an answer. */
void explain_state_json(struct zl_json *o, const struct zl_import *im);
/** Cap that gives the batch of a boot log's zone: "both", "1 MiB", "512 KiB" or "neither". */
const char *boot_zone_cap(const struct zl_import *im, size_t i);

#endif
