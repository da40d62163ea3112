/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles inside the program. The table is made from profiles/NAME.json by tools/embed.
 */
#include <stdint.h>
#include <string.h>

#include "zonelab/profile_json.h"

struct shipped {
	const char *name;
	const char *text;
	size_t size;
};

#include "shipped_profiles.inc"

#define NR_SHIPPED (sizeof(shipped) / sizeof(shipped[0]))

size_t zl_shipped_profile_count(void)
{
	return NR_SHIPPED;
}

const char *zl_shipped_profile_name(size_t i)
{
	return i < NR_SHIPPED ? shipped[i].name : NULL;
}

const char *zl_shipped_profile_text(size_t i, size_t *ret_size)
{
	if (i >= NR_SHIPPED) {
		return NULL;
	}
	*ret_size = shipped[i].size;
	return shipped[i].text;
}

size_t zl_shipped_profile_find(const char *name)
{
	for (size_t i = 0; i < NR_SHIPPED; i++) {
		if (strcmp(shipped[i].name, name) == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}
