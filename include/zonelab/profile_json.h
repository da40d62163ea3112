/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles: a machine in a JSON file. The format is described in zonelab-profile(5).
 */
#ifndef ZONELAB_PROFILE_JSON_H
#define ZONELAB_PROFILE_JSON_H

#include "zonelab/json.h"
#include "zonelab/machine.h"

/**
 * Reads a profile.
 *
 * Its settings count as ZL_ORIGIN_FILE until zl_profile_set_origin() says otherwise.
 * Returns 0; -EINVAL with line and column, or the member's path, in @err; -ERANGE for a number
 * outside its limits; -ENOMEM. @ret is filled only on success and then owned by the caller.
 */
int zl_profile_read(const char *text, size_t size, const struct zl_allocator *a,
	struct zl_profile *ret, struct zl_error *err);
/** What all given settings of a profile count as (ZL_ORIGIN_NAMED_PROFILE, ...). */
void zl_profile_set_origin(struct zl_profile *p, enum zl_origin origin);

/**
 * Policies: {"POINT": "EXPRESSION", ...}. Returns 0; -EINVAL with a sentence; -ENOMEM.
 */
int zl_policies_from_json(struct zl_policy_set *set, const struct zl_json *j, enum zl_origin origin,
	const struct zl_allocator *a, struct zl_error *err);
/** The same as an object of points. */
struct zl_json *zl_policies_to_json(const struct zl_policy_set *set);
/** A setting's value as one types it; sizes in bytes. False: it is of no kind that is one. */
bool zl_setting_from_json(
	enum zl_setting key, const struct zl_json *j, char typed[ZL_CMDLINE_TEXT]);
/** The settings as a JSON object: what is not given is left out. */
struct zl_json *zl_settings_to_json(const struct zl_settings *s);
/** A whole profile; NULL or a tree marked incomplete without memory (see zonelab/json.h). */
struct zl_json *zl_profile_to_json(const struct zl_profile *p);

#endif
