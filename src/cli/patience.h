/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long work on the command line: Ctrl-C or TERM ends it with what it has, and a terminal on
 * standard error sees how far it is.
 */
#ifndef CLI_PATIENCE_H
#define CLI_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/** One for each command that runs; zero-initialised = nothing has been asked yet. */
struct patience {
	bool listens; /* Ctrl-C is caught, from the first question on */
	bool shown;   /* a line of progress stands on the terminal */
	uint64_t start_ns, last_ns;
	uint64_t last_done;
};

/** Members of struct output; @user is a struct patience. */
bool patience_stop(void *user);
void patience_progress(void *user, uint64_t done, uint64_t all);
/** Takes the line away; Ctrl-C ends the program again. */
void patience_end(struct patience *p);

#endif
