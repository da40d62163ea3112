/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/types.h"

static const char *const names[ZL_MIGRATE_COUNT] = {
	"unmovable", "movable", "reclaimable", "highatomic", "cma", "isolate"};

char zl_migratetype_letter(enum zl_migratetype mt)
{
	return mt < ZL_MIGRATE_COUNT ? "UMRHCI"[mt] : '?';
}

const char *zl_migratetype_name(enum zl_migratetype mt)
{
	return mt < ZL_MIGRATE_COUNT ? names[mt] : "?";
}

unsigned zl_migratetype_kernel_id(enum zl_migratetype mt, bool cma)
{
	if (mt == ZL_MIGRATE_ISOLATE && !cma) {
		return (unsigned)ZL_MIGRATE_CMA;
	}
	return (unsigned)mt;
}
