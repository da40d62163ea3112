/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terms: figures of answers that are no value of the table (counts of a whole run, parts of a
 * report), by the name that they have in JSON.
 */
#ifndef APP_TERMS_H
#define APP_TERMS_H

#include "zonelab/json.h"

/** All texts are constant. */
struct term {
	const char *name; /* key in JSON */
	const char *unit; /* "pages", "" */
	const char *definition;
	const char *made; /* how it is worked out */
	const char *source;
};

size_t term_count(void);
/** Sorted by name. */
const struct term *term_at(size_t i);
/** A metric of runs as a term, by its place in the table of metrics. */
void term_of_metric(size_t i, struct term *ret);
/** A term, or a metric of runs as one. False if there is neither. */
bool term_find(const char *name, struct term *ret);

#endif
