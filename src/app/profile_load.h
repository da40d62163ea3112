/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles by name.
 */
#ifndef APP_PROFILE_LOAD_H
#define APP_PROFILE_LOAD_H

#include "zonelab/machine.h"

/**
 * Reads a shipped profile or a profile file. Returns 0 or -errno with @err filled; @ret is the
 * caller's on success, its settings of origin PROFILE.
 */
int profile_load(const char *name, const struct zl_allocator *mem, struct zl_profile *ret,
	struct zl_error *err);

#endif
