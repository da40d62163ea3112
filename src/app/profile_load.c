/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile_load.h"

#include "zonelab/file.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"

int profile_load(const char *name, const struct zl_allocator *mem, struct zl_profile *ret,
	struct zl_error *err)
{
	struct zl_file f = {0};
	int rc = zl_shipped_load(ZL_SHIPPED_PROFILES, name, mem, &f, err);

	rc = rc != 0 ? rc : zl_profile_read(f.data, f.size, mem, ret, err);
	zl_file_done(&f, mem);
	if (rc == 0) {
		zl_profile_set_origin(ret, ZL_ORIGIN_PROFILE);
	} else {
		zl_error_file(err, name);
	}
	return rc;
}
