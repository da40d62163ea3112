/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op_list.h"

#include <errno.h>
#include <string.h>

#include "zonelab/costs.h"
#include "zonelab/diag.h"
#include "zonelab/error.h"
#include "zonelab/file.h"

/* What an op list fixes and a setting of the same name would contradict. */
static bool fixed_by_list(const struct zl_sim_config *c, enum zl_setting key, int64_t *ret)
{
	switch ((unsigned)key) {
	case ZL_SET_PAGE_SIZE:
		*ret = INT64_C(1) << c->page_shift;
		return true;
	case ZL_SET_MAX_PAGE_ORDER:
		*ret = c->max_order;
		return true;
	case ZL_SET_CPUS:
		*ret = c->cpus;
		return true;
	case ZL_SET_THP:
		*ret = c->thp;
		return true;
	case ZL_SET_BATCH_SCALE_MAX:
		*ret = c->scale_max;
		return true;
	case ZL_SET_HIGH_FRACTION:
		*ret = c->high_fraction;
		return true;
	case ZL_SET_CACHE_SLICE:
		*ret = (int64_t)c->cache_slice;
		return true;
	default: /* the other settings have no figure in an op list */
		return false;
	}
}

static int check_settings(
	const struct zl_settings *s, const struct zl_workload *w, struct zl_error *err)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		const struct zl_setting_value *v = &s->value[i];
		int64_t fixed;

		if (!v->given || v->origin < ZL_ORIGIN_GIVEN || key == ZL_SET_KERNEL ||
			key == ZL_SET_SEED || zl_cost_of_setting(key) != ZL_COST_COUNT) {
			continue;
		}
		if (!fixed_by_list(&w->config, key, &fixed)) {
			zl_error_set(err, 0, 0,
				"%s cannot be set with an op list, which fixes its zone; only the "
				"kernel can be chosen",
				zl_setting_info(key)->key);
			return -EINVAL;
		}
		if (fixed != v->number) {
			zl_error_set(err, 0, 0, "%s is %D in the op list; leave the setting out",
				zl_setting_info(key)->key, fixed);
			return -EINVAL;
		}
	}
	return 0;
}

int op_list_switches(const struct zl_settings *s, const struct zl_workload *w,
	struct zl_switches *ret, struct zl_diags *diags, struct zl_error *err)
{
	const struct zl_setting_value *v = &s->value[ZL_SET_KERNEL];
	struct zl_release r;
	int rc = check_settings(s, w, err);

	if (rc != 0) {
		return rc;
	}
	if (!v->given || v->origin < ZL_ORIGIN_FILE) {
		zl_error_set(err, 0, 0,
			"the kernel is missing; --set kernel=RELEASE, for example kernel=6.18");
		return -EINVAL;
	}
	if (zl_release_parse(zl_settings_text(s, ZL_SET_KERNEL), &r) != 0) {
		zl_error_set(err, 0, 0, "%s is not a kernel release; for example kernel=6.18",
			zl_settings_text(s, ZL_SET_KERNEL));
		return -EINVAL;
	}
	zl_switches_for(&r, ret, diags);
	if (ret->design == ZL_DESIGN_NONE) {
		zl_error_set(err, 0, 0, "pagesets are modelled from kernel 5.14 on, not for %s",
			zl_settings_text(s, ZL_SET_KERNEL));
		return -EINVAL;
	}
	return 0;
}

bool op_list_is(const char *path, const struct zl_allocator *mem)
{
	struct zl_file f = {0};

	if (strcmp(path, "-") == 0) { /* can be read once only: standard input is a list */
		return true;
	}
	bool yes = zl_file_load(path, 0, mem, &f, NULL) == 0 &&
		   !(f.size > 0 && f.data[strspn(f.data, " \t\r\n")] == '{');

	zl_file_done(&f, mem);
	return yes;
}
