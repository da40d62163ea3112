/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `compare --axis kernel`: one lane under every release that changes something in it.
 */
#ifndef APP_COMPARE_AXIS_H
#define APP_COMPARE_AXIS_H

#include "compare_lanes.h"

enum exit_status compare_axis(const struct compare_lanes *l, struct output *out);

#endif
