/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the trace reader share: a line, the events by name, and sources of text.
 */
#ifndef IO_TRACE_PARSE_H
#define IO_TRACE_PARSE_H

#include "zonelab/kmem.h"

struct trace_text {
	const char *start, *end; /* of the line */
	struct zl_error *why;	 /* may be NULL */
};

/* Number of the event whose name and colon stand at @s, -1 = none. */
int trace_event_find(const char *s, const char *end);
size_t trace_event_length(int event);
/* Reads the fields from @at on; false with a sentence when one is missing or wrong. */
bool trace_event_read(
	const struct trace_text *t, int event, const char *at, struct zl_trace_event *ret);

/*
 * A trace.dat. `next` gives 1 and an event in the form of a line (without its line number), 0 at
 * the end, -errno with @err filled. @skipped counts records of other events.
 */
struct trace_dat;
int trace_dat_open(const char *path, struct trace_dat **ret, struct zl_error *err);
int trace_dat_next(struct trace_dat *d, struct zl_trace_event *ret, uint64_t *skipped);
/* What `uname -a` says on the recorded machine; "" where the library does not tell. */
const char *trace_dat_uname(const struct trace_dat *d);
void trace_dat_close(struct trace_dat *d);

#endif
