/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be chosen for an op list, which fixes its zone: the kernel.
 */
#ifndef APP_OP_LIST_H
#define APP_OP_LIST_H

#include "zonelab/settings.h"
#include "zonelab/workload.h"

/** Whether a file reads like an op list, or is "-"; everything else is taken for a scenario. */
bool op_list_is(const char *path, const struct zl_allocator *mem);
/**
 * The switches of the kernel that the user chose. What says the same as the list is no conflict.
 * Returns 0, or -EINVAL with a sentence when there is no kernel, one without pagesets, or a
 * setting that contradicts the list.
 */
int op_list_switches(const struct zl_settings *s, const struct zl_workload *w,
	struct zl_switches *ret, struct zl_diags *diags, struct zl_error *err);

#endif
