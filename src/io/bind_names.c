/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: the names of a change in the words of a decision point.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

/* --- names that a point knows --- */

static int id_of(enum zl_point point, const char *name)
{
	for (unsigned i = 0; i < ZL_POLICY_NAMES && name[0] != '\0'; i++) {
		enum zl_policy_name_id id = (enum zl_policy_name_id)i;

		if (zl_point_has_name(point, id) &&
			zl_words_hold(zl_policy_name(id)->words, name)) {
			return (int)i;
		}
	}
	return -1;
}

/* "pset->count" is pcp->count: pagesets have no other members of these names. */
static int id_of_member(enum zl_point point, const char *name)
{
	char buf[C_TEXT_MAX];
	const char *arrow = strstr(name, "->");
	size_t n;

	if (arrow == NULL || strncmp(name, "zone->", 6) == 0 || strlen(arrow) + 4 > sizeof(buf)) {
		return -1;
	}
	n = strlen(arrow);
	memcpy(buf, "pcp", 3);
	memcpy(buf + 3, arrow, n + 1);
	return id_of(point, buf);
}

static bool of_zone(const char *call)
{
	return strcmp(call, "zone_managed_pages") == 0 || strcmp(call, "low_wmark_pages") == 0;
}

int bind_name_id(enum zl_point point, const struct c_node *n)
{
	char buf[C_TEXT_MAX];
	int id;

	if (n->op == C_NAME) {
		id = id_of(point, n->name);
		return id >= 0 ? id : id_of_member(point, n->name);
	}
	if (n->op != C_CALL || n->nr_kids > 1 || strlen(n->name) > 60) {
		return -1;
	}
	if (n->nr_kids == 1 && of_zone(n->name)) {
		zl_format(buf, sizeof(buf), "%s(zone)", n->name);
		return id_of(point, buf);
	}
	return n->nr_kids == 0 && c_write(n, buf, sizeof(buf)) ? id_of(point, buf) : -1;
}

/* pcp->batch and its local copies are one figure where the point has no other `batch`. */
static int settled(enum zl_point point, int id)
{
	if (id == ZL_NAME_BATCH && zl_point_has_name(point, ZL_NAME_LOCAL_BATCH)) {
		return ZL_NAME_LOCAL_BATCH;
	}
	if (id == ZL_NAME_BATCH && zl_point_has_name(point, ZL_NAME_BASE_BATCH)) {
		return ZL_NAME_BASE_BATCH;
	}
	return id;
}

bool bind_same_leaf(void *user, const struct c_node *rule, const struct c_node *code)
{
	const struct bind_scope *s = user;
	int id;

	if ((rule->op != C_NAME && rule->op != C_CALL) ||
		(code->op != C_NAME && code->op != C_CALL)) {
		return false;
	}
	id = bind_name_id(s->point, rule);
	return id >= 0 && settled(s->point, id) == settled(s->point, bind_name_id(s->point, code));
}

bool bind_is_local(const char *name)
{
	if (name[0] < 'a' || name[0] > 'z') {
		return false;
	}
	for (const char *p = name; *p != '\0'; p++) {
		if (*p == '-' || *p == '.') {
			return false;
		}
	}
	return true;
}

bool bind_is_variable(void *user, const char *name)
{
	const struct bind_scope *s = user;

	if (!bind_is_local(name)) {
		return false;
	}
	if (id_of(s->point, name) >= 0) {
		return false;
	}
	/* "high" and "batch" mean something on a pageset, also where the point does not know them */
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		if (zl_point_info(s->point)->stage == ZL_POINT_OP &&
			zl_point_info((enum zl_point)p)->stage == ZL_POINT_OP &&
			id_of((enum zl_point)p, name) >= 0) {
			return false;
		}
	}
	return true;
}
