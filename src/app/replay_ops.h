/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A replay as an op list, for `run` and `compare`. */
#ifndef APP_REPLAY_OPS_H
#define APP_REPLAY_OPS_H

#include "command.h"
#include "replay_job.h"

/** Start and demand of a replay to a file, "-" = the answer. Returns 0 or -errno. */
int replay_write_ops(const struct replay_job *j, const char *path, struct output *out);

#endif
