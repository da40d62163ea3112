/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons inside the program, in the order of scenarios/lessons/meson.build.
 */
#include <string.h>

#include "zonelab/lesson_file.h"

#define shipped zl_shipped
#include "shipped_lessons.inc"
#undef shipped

#define NR_SHIPPED (sizeof(zl_shipped) / sizeof(zl_shipped[0]))

size_t zl_shipped_lesson_count(void)
{
	return NR_SHIPPED;
}

const struct zl_shipped *zl_shipped_lesson(size_t i)
{
	return i < NR_SHIPPED ? &zl_shipped[i] : NULL;
}

size_t zl_shipped_lesson_find(const char *name)
{
	for (size_t i = 0; i < NR_SHIPPED; i++) {
		if (strcmp(zl_shipped[i].name, name) == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}
