/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A soak: seeded random use of the explorer without a terminal. A life is one start of the program
 * with some slices of events; a slice ends with everything that must always hold. Its seed and
 * number give a life again.
 */
#ifndef TESTS_SOAK_SOAK_H
#define TESTS_SOAK_SOAK_H

#include <stdbool.h>
#include <stdint.h>

#include "app.h"
#include "command.h"
#include "screen.h"
#include "zonelab/rng.h"

#define SOAK_CELLS  (80 * 260)
#define SOAK_RECENT 24
#define SOAK_EVENT  200

struct soak {
	struct zl_rng rng;
	uint64_t seed, life, slice; /* where we are, for the report */
	struct app *app;
	struct cell *cells, *again; /* SOAK_CELLS each: two pictures of the same state */
	struct canvas canvas;
	struct completions *shown;
	char recent[SOAK_RECENT][SOAK_EVENT]; /* the last events, as a ring */
	unsigned nr_recent;
	unsigned asks; /* of long work, since the event began */
	uint64_t keys, mice, resizes, commands, ticks;
	uint64_t sims, sessions; /* checked */
	double slowest;		 /* event, in seconds */
	char slow[SOAK_EVENT];
};

/** 0 .. n - 1. */
uint32_t soak_any(struct soak *s, uint32_t n);
/** Whether something with a chance of @percent happens. */
bool soak_chance(struct soak *s, uint32_t percent);
/** What is about to happen, for the report. */
__attribute__((format(printf, 2, 3))) void soak_note(struct soak *s, const char *fmt, ...);
/** Ends the program: what does not hold, where, and what had been done last. */
__attribute__((format(printf, 2, 3))) void soak_fail(const struct soak *s, const char *fmt, ...);

/** One event (soak_events.c): a key, the mouse, another size, a command, time. */
void soak_event(struct soak *s);
/** Draws twice: the picture follows from the state alone and has no control characters. */
void soak_draw(struct soak *s);
/** Files that a life may start with, NULL = past the last. */
const char *soak_file(unsigned i);

/** What must hold after every slice (soak_check.c). */
void soak_check(struct soak *s);
/** Bytes on the heap that are in use, as the runtime counts them. */
uint64_t soak_heap(void);

#endif
