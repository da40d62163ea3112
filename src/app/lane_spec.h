/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What-if lanes as text: NAME:ITEM,ITEM... The name ends at the first colon. An item is
 * KEY=VALUE, profile=NAME, policy.POINT=EXPRESSION, policy=NAME, or a kernel release alone.
 * Commas inside (), [] or double quotes do not split, "\," is a comma, quotes go away.
 *
 * The same as a JSON object: {"name": N, "profile": P, "settings": {KEY: VALUE, ...}, "policies":
 * {POINT: EXPRESSION, ...}, "policy": NAME}; a policy may also be a list of names.
 */
#ifndef APP_LANE_SPEC_H
#define APP_LANE_SPEC_H

#include "zonelab/json.h"
#include "zonelab/machine.h"
#include "zonelab/text.h"

#define LANE_NAME  16
#define LANE_ITEMS 64
#define LANE_TEXT  8192

enum lane_item_kind { LANE_SETTING, LANE_PROFILE, LANE_POINT, LANE_POLICY };

/** Key and value are places in the lane's text; a profile and a shipped policy have no key. */
struct lane_item {
	enum lane_item_kind kind;
	uint16_t key, value;
	uint16_t column; /* in what was parsed, from 1; 0 = JSON */
};

struct lane_spec {
	char name[LANE_NAME];
	struct lane_item item[LANE_ITEMS];
	unsigned nr_items;
	char text[LANE_TEXT]; /* terminated strings */
	size_t used;
};

/**
 * Reads a lane in either form. Keys of settings and their values are checked when it is applied.
 * Returns 0; -EINVAL with a column and a sentence; -E2BIG for one that is too long.
 */
int lane_parse(const char *text, struct lane_spec *ret, struct zl_error *err);
/** The same from a JSON object that was read already. */
int lane_from_json(const struct zl_json *o, struct lane_spec *ret, struct zl_error *err);

static inline const char *lane_key(const struct lane_spec *s, unsigned i)
{
	return &s->text[s->item[i].key];
}
static inline const char *lane_value(const struct lane_spec *s, unsigned i)
{
	return &s->text[s->item[i].value];
}

/**
 * The user's machine with the lane laid over it: a profile takes the place of --profile and of
 * files, below --set; settings and policies win over everything.
 *
 * Returns 0; -EINVAL, -ERANGE or -ENOENT with the item's column in @err; -ENOMEM. @ret is the
 * caller's on success.
 */
int lane_apply(const struct lane_spec *s, const struct zl_profile *base,
	const struct zl_allocator *mem, struct zl_profile *ret, struct zl_error *err);

/** The lane as an object (in the shape above, with its name). */
struct zl_json *lane_to_json(const struct lane_spec *s);
/** The lane as text that lane_parse() reads; returns the length. */
size_t lane_format(const struct lane_spec *s, char *buf, size_t size);
/** The value of an item, in quotes where it would not read back as one. */
void lane_value_write(struct zl_text *t, const char *value);
/** A lane name for the @i-th lane: "A", "B", ... */
const char *lane_letter(unsigned i);

#endif
