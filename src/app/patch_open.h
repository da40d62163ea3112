/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches that were opened: read, bound, and made a pair of lanes.
 */
#ifndef APP_PATCH_OPEN_H
#define APP_PATCH_OPEN_H

#include "command.h"
#include "lane_spec.h"
#include "zonelab/bind.h"
#include "zonelab/file.h"

#define PATCH_FILES 64
#define PATCH_AFTER 8 /* settings of the lane after */

struct patch_opened {
	const struct zl_allocator *mem;
	struct zl_file file[PATCH_FILES];
	size_t nr_files;
	struct zl_patches patches;
	struct zl_binding binding;
	const char *after[PATCH_AFTER]; /* KEY=VALUE that only the lane after has; borrowed */
	size_t nr_after;
};

/** The release that the lanes run on. */
struct patch_base {
	char kernel[64];
	bool given;	 /* by the user: --set kernel= */
	bool from_patch; /* else: nothing says so, and it is the machine's */
	struct zl_switches switches;
};

/** What to open. */
struct patch_want {
	const char *const *path;
	size_t nr_paths;
	const struct command_args *args; /* its --take, --bind and --after; NULL = none */
};

/** Everything that an answer about patches is made from. */
struct patch_answer {
	struct patch_opened *p;
	struct patch_base base;
	struct lane_spec lanes[2];	  /* before and after */
	const struct zl_machine *machine; /* for conditions of Kconfig; NULL = several; borrowed */
};

/**
 * Reads and binds, and makes the lanes for the machine of @user, which is the answer's.
 * Returns 0; -EINVAL, -E2BIG, -ENOENT or -errno of a file with a sentence; -ENOMEM.
 * @ret is closed with patch_close(), also after a failure.
 */
int patch_open(const struct patch_want *want, const struct lane *user,
	const struct zl_allocator *mem, struct patch_answer *ret, struct zl_error *err);
/** Accepts a zeroed answer. */
void patch_close(struct patch_answer *a);

/**
 * The lanes `before` and `after` on that release, for a machine: defaults that hold only with a
 * symbol are there if the machine has it (@machine NULL = they are left out).
 * Returns 0 or -E2BIG.
 */
int patch_lanes(const struct patch_opened *p, const struct patch_base *base,
	const struct zl_machine *machine, struct lane_spec ret[2], struct zl_error *err);
/** Whether anything that is modelled differs between the lanes. */
bool patch_changes_lanes(const struct lane_spec lanes[2]);

#endif
