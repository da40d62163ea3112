/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `replay`: how well the recorded design explains the trace, then the same demand
 * under what-ifs.
 */
#ifndef APP_REPLAY_REPORT_H
#define APP_REPLAY_REPORT_H

#include "command.h"
#include "replay_job.h"

/** One line: "fidelity 1000 of 1000 (102 judged, 1 not known)". Returns the length. */
size_t replay_fidelity(const struct zl_replay_result *r, char *buf, size_t size);
/** Fidelity, unexplained events, what was assumed, the import. */
void replay_report_text(const struct replay_job *j, struct output *out);
/** Totals of all lanes. */
void replay_lanes_text(
	const struct replay_job *j, const struct replay_lanes *l, struct output *out);
/** CSV: a row a CPU; with lanes (@l not NULL) a row a total. */
void replay_csv(const struct replay_job *j, const struct replay_lanes *l, struct output *out);
/** The whole answer; @l may be NULL. */
void replay_answer_json(
	const struct replay_job *j, const struct replay_lanes *l, struct output *out);
/**
 * What would be different in the demand itself if a lane were a real machine; false when there is
 * nothing to say.
 */
bool replay_demand_note(const struct replay_job *j, const struct replay_lanes *l, unsigned lane,
	struct zl_buf *ret);
/** A sentence for each thing that was assumed or is not known. */
void replay_assumptions(
	const struct replay_job *j, void (*say)(void *user, const char *s), void *user);

#endif
