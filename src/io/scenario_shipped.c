/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios inside the program. The table is made from scenarios/NAME.json by tools/embed.
 */
#include <errno.h>
#include <string.h>

#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define shipped zl_shipped
#include "shipped_scenarios.inc"
#undef shipped

#define NR_SHIPPED (sizeof(zl_shipped) / sizeof(zl_shipped[0]))

static const char default_name[] = "iperf";

size_t zl_shipped_scenario_count(void)
{
	return NR_SHIPPED;
}

const struct zl_shipped *zl_shipped_scenario(size_t i)
{
	return i < NR_SHIPPED ? &zl_shipped[i] : NULL;
}

const struct zl_shipped *zl_shipped_scenario_find(const char *name)
{
	for (size_t i = 0; i < NR_SHIPPED; i++) {
		if (strcmp(zl_shipped[i].name, name) == 0) {
			return &zl_shipped[i];
		}
	}
	return NULL;
}

const char *zl_shipped_scenario_default(void)
{
	return default_name;
}

static const char *nearest(const char *name)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (size_t i = 0; i < NR_SHIPPED; i++) {
		zl_nearest_try(&near, zl_shipped[i].name);
	}
	return near.name;
}

int zl_scenario_open(const char *name_or_path, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err)
{
	const struct zl_shipped *found = zl_shipped_scenario_find(name_or_path);
	const char *near;
	int rc;

	if (found != NULL) {
		rc = zl_scenario_parse(found->text, found->size, mem, ret, err);
		if (rc != 0) {
			zl_error_file(err, name_or_path);
		}
		return rc;
	}
	rc = zl_scenario_load(name_or_path, mem, ret, err);
	near = rc == -ENOENT ? nearest(name_or_path) : NULL;
	if (rc == -ENOENT) {
		zl_error_set(err, 0, 0, "there is no such file and no shipped scenario '%s'; %s%s",
			name_or_path, near != NULL ? "did you mean " : "see `list scenarios`",
			near != NULL ? near : "");
		zl_error_file(err, name_or_path);
	}
	return rc;
}
