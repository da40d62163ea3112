/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies that a machine's derivation asks, and what is to be said about policies. */
#include "zonelab/policy.h"
#include "zonelab/text.h"

#define SCALE_MAX 6

int64_t zl_policy_number(const struct zl_policy_set *set, const struct zl_policy_query *q,
	const int64_t *slots, struct zl_error *err)
{
	int64_t v;

	if (!zl_policy_has(set, q->point)) {
		return q->otherwise;
	}
	if (zl_policy_eval(set, q->point, slots, &v, err) != 0) {
		return q->otherwise;
	}
	if (v < q->lo || v > q->hi) {
		zl_error_set(err, 0, 1, "policy %s: %D is out of range; %D to %D is possible",
			zl_point_info(q->point)->name, v, q->lo, q->hi);
		return q->otherwise;
	}
	return v;
}

unsigned zl_policy_scale_max(
	const struct zl_policy_set *set, unsigned page_shift, unsigned given, struct zl_error *err)
{
	const struct zl_policy_query q = {ZL_POINT_PCP_BATCH_SCALE_MAX, 0, SCALE_MAX, given};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	slots[ZL_NAME_SCALE_MAX] = given;
	slots[ZL_NAME_PAGE_SHIFT] = page_shift;
	slots[ZL_NAME_PAGE_SIZE] = INT64_C(1) << page_shift;
	return (unsigned)zl_policy_number(set, &q, slots, err);
}

static bool uses(const struct zl_expr *e, enum zl_policy_name_id id)
{
	for (unsigned i = 0; i < e->nr_code; i++) {
		if (zl_expr_slot(e, i) == (int)id) {
			return true;
		}
	}
	return false;
}

static void check_names(const struct zl_policy *policy, enum zl_point p,
	const struct zl_switches *sw, struct zl_diags *diags)
{
	bool tuned = sw->design >= ZL_DESIGN_B;

	for (unsigned i = 0; i < ZL_POLICY_NAMES; i++) {
		enum zl_policy_name_id id = (enum zl_policy_name_id)i;
		const struct zl_policy_name *n = zl_policy_name(id);
		char word[ZL_EXPR_NAME_MAX];

		if ((tuned ? n->factor : n->tuned) && uses(&policy->expr, id)) {
			zl_diag_add(diags, ZL_WARNING, ZL_DIAG_POLICY_NAME,
				"policy %s: design %s keeps no %s; it reads as 0",
				zl_point_info(p)->name, zl_design_name(sw->design),
				zl_policy_name_word(id, word));
		}
	}
}

void zl_policy_check(
	const struct zl_policy_set *set, const struct zl_switches *sw, struct zl_diags *diags)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		enum zl_point p = (enum zl_point)i;
		const char *name = zl_point_info(p)->name;

		if (!zl_policy_has(set, p)) {
			continue;
		}
		if (zl_point_rule(p, sw) == NULL) {
			zl_diag_add(diags, ZL_WARNING, ZL_DIAG_POLICY_UNUSED,
				"policy %s has no effect: design %s has no such rule", name,
				zl_design_name(sw->design));
			continue;
		}
		zl_diag_add(diags, ZL_NOTE, ZL_DIAG_POLICY, "policy %s: %s", name,
			set->policy[i].shipped != NULL ? set->policy[i].shipped
						       : set->policy[i].text);
		check_names(&set->policy[i], p, sw, diags);
	}
}
