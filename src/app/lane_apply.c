/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane laid over the user's machine. */
#include <errno.h>

#include "lane_spec.h"
#include "machines.h"
#include "zonelab/buffer.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

/* Errors name the lane and stand at the item. */
static int at_item(const struct lane_spec *s, unsigned i, const struct zl_error *why, int rc,
	struct zl_error *err)
{
	zl_error_set(err, 0, s->item[i].column, "lane %s: %s", s->name, why->text);
	return rc;
}

/* A profile replaces the machine below what was given by --set. */
static int use_profile(const struct lane_spec *s, unsigned i, const struct zl_allocator *mem,
	struct zl_profile *p, struct zl_error *err)
{
	struct zl_settings given;
	struct zl_profile named;
	struct zl_error why = {0};
	int rc = machine_load_named(lane_value(s, i), mem, &named, &why);

	if (rc != 0) {
		char text[sizeof(why.text)];

		zl_error_format(&why, text, sizeof(text));
		zl_format(why.text, sizeof(why.text), "%s", text);
		return at_item(s, i, &why, rc, err);
	}
	machine_given(&p->settings, &given);
	zl_settings_merge(&named.settings, &given);
	rc = zl_policy_merge(&named.policies, &p->policies, mem);
	if (rc != 0) {
		zl_profile_done(&named, mem);
		return at_item(s, i, &(struct zl_error){.text = "no memory for policies"}, rc, err);
	}
	zl_profile_done(p, mem);
	*p = named;
	return 0;
}

static int use_setting(
	const struct lane_spec *s, unsigned i, struct zl_profile *p, struct zl_error *err)
{
	enum zl_setting key = zl_setting_find(lane_key(s, i));

	if (key == ZL_SETTING_COUNT) {
		const char *near = zl_setting_nearest(lane_key(s, i));

		zl_error_set(err, 0, 0, "there is no setting '%s'%s%s", lane_key(s, i),
			near != NULL ? "; did you mean " : "; see `zonelab list settings`",
			near != NULL ? near : "");
		return -EINVAL;
	}
	return zl_settings_set(&p->settings, key, lane_value(s, i), ZL_ORIGIN_LANE, err);
}

/* "POINT=EXPRESSION", or the name of a shipped policy. */
static int use_policy(const struct lane_spec *s, unsigned i, const struct zl_allocator *mem,
	struct zl_profile *p, struct zl_error *err)
{
	const struct zl_policy_in in = {.mem = mem, .origin = ZL_ORIGIN_LANE};
	struct zl_buf text = {0};
	int rc = -ENOMEM;

	if (s->item[i].kind == LANE_POLICY) {
		return zl_policy_parse(&p->policies, lane_value(s, i), &in, err);
	}
	zl_buf_str(&text, lane_key(s, i));
	zl_buf_chr(&text, '=');
	zl_buf_str(&text, lane_value(s, i));
	if (!text.failed) {
		rc = zl_policy_parse(&p->policies, zl_buf_text(&text), &in, err);
	}
	zl_buf_done(&text);
	return rc;
}

int lane_apply(const struct lane_spec *s, const struct zl_profile *base,
	const struct zl_allocator *mem, struct zl_profile *ret, struct zl_error *err)
{
	int rc = zl_profile_copy(ret, base, mem);

	if (rc != 0) {
		zl_error_set(err, 0, 0, "no memory for a lane");
		return rc;
	}
	for (unsigned i = 0; i < s->nr_items && rc == 0; i++) {
		if (s->item[i].kind == LANE_PROFILE) {
			rc = use_profile(s, i, mem, ret, err);
		}
	}
	for (unsigned i = 0; i < s->nr_items && rc == 0; i++) {
		struct zl_error why = {0};

		if (s->item[i].kind == LANE_PROFILE) {
			continue;
		}
		rc = s->item[i].kind == LANE_SETTING ? use_setting(s, i, ret, &why)
						     : use_policy(s, i, mem, ret, &why);
		rc = rc != 0 ? at_item(s, i, &why, rc, err) : 0;
	}
	if (rc != 0) {
		zl_profile_done(ret, mem);
	}
	return rc;
}
