/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/shipped.h"

#include <errno.h>
#include <string.h>

#include "zonelab/json.h"
#include "zonelab/lesson_file.h"
#include "zonelab/text.h"

/* Made by tools/embed from the files that the meson.build of their directories lists. */
#include "shipped_lessons.inc"
#include "shipped_profiles.inc"
#include "shipped_scenarios.inc"

static const struct {
	const struct zl_shipped *item;
	size_t count;
	const char *one;  /* what one is called */
	const char *list; /* where all are listed */
	uint64_t limit;	  /* bytes of a file of this kind */
} kinds[] = {
	[ZL_SHIPPED_PROFILES] = {profiles,  sizeof(profiles) / sizeof(profiles[0]),
				 "shipped profile",					     "list profiles",  ZL_JSON_TEXT_MAX    },
	[ZL_SHIPPED_SCENARIOS] = {scenarios, sizeof(scenarios) / sizeof(scenarios[0]),
				 "shipped scenario",					    "list scenarios", ZL_SCENARIO_FILE_MAX},
	[ZL_SHIPPED_LESSONS] = {lessons,	 sizeof(lessons) / sizeof(lessons[0]),     "lesson",
				 "list lessons",								  ZL_LESSON_FILE_MAX  },
};

size_t zl_shipped_count(enum zl_shipped_kind kind)
{
	return kinds[kind].count;
}

const struct zl_shipped *zl_shipped_at(enum zl_shipped_kind kind, size_t i)
{
	return i < kinds[kind].count ? &kinds[kind].item[i] : NULL;
}

size_t zl_shipped_find(enum zl_shipped_kind kind, const char *name)
{
	for (size_t i = 0; i < kinds[kind].count; i++) {
		if (strcmp(kinds[kind].item[i].name, name) == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}

/* The sentence for a word that is neither a file nor shipped: the nearest, or where to look. */
static void unknown(enum zl_shipped_kind kind, const char *name, struct zl_error *err)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (size_t i = 0; i < kinds[kind].count; i++) {
		zl_nearest_try(&near, kinds[kind].item[i].name);
	}
	if (near.name != NULL) {
		zl_error_set(err, 0, 0, "there is no such file and no %s '%s'; did you mean %s",
			kinds[kind].one, name, near.name);
	} else {
		zl_error_set(err, 0, 0, "there is no such file and no %s '%s'; see `zonelab %s`",
			kinds[kind].one, name, kinds[kind].list);
	}
	zl_error_file(err, name);
}

int zl_shipped_load(enum zl_shipped_kind kind, const char *name_or_path,
	const struct zl_allocator *mem, struct zl_file *ret, struct zl_error *err)
{
	size_t i = zl_shipped_find(kind, name_or_path);

	if (i != SIZE_MAX) {
		return zl_file_from_memory(
			kinds[kind].item[i].text, kinds[kind].item[i].size, mem, ret, err);
	}
	int rc = zl_file_load(name_or_path, kinds[kind].limit, mem, ret, err);
	if (rc == -ENOENT) {
		unknown(kind, name_or_path, err);
	}
	return rc;
}
