/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile_load.h"

#include <errno.h>

#include "zonelab/file.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"

int profile_load(const char *name, const struct zl_allocator *mem, struct zl_profile *ret,
	struct zl_error *err)
{
	size_t i = zl_shipped_find(ZL_SHIPPED_PROFILES, name);
	struct zl_file f = {0};

	if (i != SIZE_MAX) {
		const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_PROFILES, i);
		int r = zl_profile_read(s->text, s->size, mem, ret, err);

		if (r == 0) {
			zl_profile_set_origin(ret, ZL_ORIGIN_PROFILE);
		}
		return r;
	}
	int rc = zl_file_load(name, ZL_JSON_TEXT_MAX, mem, &f, err);
	if (rc == -ENOENT) {
		zl_error_set(err, 0, 0,
			"there is no profile and no file of this name; see `zonelab list "
			"profiles`");
	}
	rc = rc != 0 ? rc : zl_profile_read(f.data, f.size, mem, ret, err);
	zl_file_done(&f, mem);
	if (rc == 0) {
		zl_profile_set_origin(ret, ZL_ORIGIN_PROFILE);
	} else {
		zl_error_file(err, name);
	}
	return rc;
}
