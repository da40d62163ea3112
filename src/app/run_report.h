/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of a run: totals as text, JSON and CSV.
 */
#ifndef APP_RUN_REPORT_H
#define APP_RUN_REPORT_H

#include "command.h"
#include "zonelab/estimate.h"
#include "zonelab/workload.h"

/* A digest as 16 digits and a terminator. */
#define DIGEST_SIZE 20
void digest_text(uint64_t digest, char *buf);

struct run_report {
	const char *name;
	const char *kernel;
	const char *seed;
	struct zl_run_result result;
	const struct zl_estimate_result *estimate; /* NULL = none was made */
	const struct zl_estimate *lock;		   /* show its histogram and lanes; may be NULL */
	struct zl_costs costs;			   /* of it */
	struct zl_diags diags;
};
/** What `run --json` says behind kind and version. */
void run_report_members(const struct run_report *r, struct zl_json *o);
void run_report_print(const struct run_report *r, struct output *out);

/** Writes pieces of a trace to the output that `user` is. */
int run_write_trace(void *user, const char *data, size_t n);
/** Status of a run that failed; completes the sentence. */
enum exit_status run_failed(int rc, struct output *out);

/** `run` of a scenario: shipped by name, or a file. */
enum exit_status run_scenario(struct app *app, const struct command_args *args, struct output *out);

#endif
