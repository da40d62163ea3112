/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the values of a JSON text stand, for errors that are found after parsing.
 */
#ifndef IO_JSON_PLACES_H
#define IO_JSON_PLACES_H

#include "zonelab/json.h"

struct json_place {
	const struct zl_json *value;
	unsigned line, column;	       /* of the value */
	unsigned key_line, key_column; /* of its key, 0 when it has none */
};

struct json_places {
	struct json_place *place; /* sorted by address */
	size_t count;
};

/** @text must be what @root was parsed from. Returns 0 or -ENOMEM. */
int json_places_init(struct json_places *p, const char *text, size_t size,
	const struct zl_json *root, const struct zl_allocator *mem);
/** Accepts a zeroed one. */
void json_places_done(struct json_places *p, const struct zl_allocator *mem);
/** The place of a value; zeroes when it is not of that text. */
struct json_place json_place(const struct json_places *p, const struct zl_json *value);

#endif
