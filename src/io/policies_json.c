/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies in profiles and scenarios. */
#include <errno.h>

#include "zonelab/buffer.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

/* One member; @err gets the point's name in front. */
static int read_policy(struct zl_policy_set *set, const char *key, const struct zl_json *j,
	const struct zl_policy_in *in, struct zl_error *err)
{
	enum zl_point p = zl_point_find(key);
	struct zl_error why = {0};
	const char *near;
	int rc;

	if (p == ZL_POINT_COUNT) {
		near = zl_point_nearest(key);
		zl_error_set(err, 0, 0, "policies: there is no decision point \"%s\"%s%s", key,
			near != NULL ? "; did you mean " : "; see `zonelab list decision-points`",
			near != NULL ? near : "");
		return -EINVAL;
	}
	if (zl_json_kind(j) != ZL_JSON_STRING) {
		zl_error_set(err, 0, 0, "policies.%s: %s; an expression as a string would be right",
			key, zl_json_kind_name(zl_json_kind(j)));
		return -EINVAL;
	}
	rc = zl_policy_give(set, p, zl_json_text(j), in, &why);
	if (rc != 0) {
		zl_error_set(err, 0, 0, "policies.%s: column %u: %s", key, why.column, why.text);
	}
	return rc;
}

int zl_policies_from_json(struct zl_policy_set *set, const struct zl_json *j, enum zl_origin origin,
	const struct zl_allocator *a, struct zl_error *err)
{
	const struct zl_policy_in in = {.mem = a, .origin = origin};
	int rc = 0;

	if (zl_json_kind(j) != ZL_JSON_OBJECT) {
		zl_error_set(err, 0, 0,
			"policies: %s; an object {POINT: EXPRESSION} would be right",
			zl_json_kind_name(zl_json_kind(j)));
		return -EINVAL;
	}
	for (const struct zl_json *m = zl_json_first(j); m != NULL && rc == 0;
		m = zl_json_next(m)) {
		rc = read_policy(set, zl_json_key(m), m, &in, err);
	}
	return rc;
}

struct zl_json *zl_policies_to_json(const struct zl_policy_set *set)
{
	struct zl_json *o = zl_json_object();

	for (unsigned i = 0; o != NULL && i < ZL_POINT_COUNT; i++) {
		if (set->policy[i].text != NULL) {
			zl_json_add_string(
				o, zl_point_info((enum zl_point)i)->name, set->policy[i].text);
		}
	}
	return o;
}
