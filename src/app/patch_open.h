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

/** What to open. */
struct patch_want {
	const char *const *path;
	size_t nr_paths;
	unsigned version;		 /* 0 = the newest */
	const struct command_args *args; /* its --bind options; NULL = none */
};

/**
 * Reads and binds. Returns 0; -EINVAL, -E2BIG, -ENOENT or -errno of a file with a sentence; -ENOMEM.
 * @ret is freed with patch_close().
 */
int patch_open(const struct patch_want *want, const struct zl_allocator *mem,
	struct patch_opened **ret, struct zl_error *err);
/** The same from the words and options of a command (--take, --bind, --after). */
int patch_open_args(const struct command_args *args, const struct zl_allocator *mem,
	struct patch_opened **ret, struct zl_error *err);
/** NULL is allowed. */
void patch_close(struct patch_opened *p);

/** The release that the lanes run on. */
struct patch_base {
	char kernel[64];
	bool given;	 /* by the user: --set kernel= */
	bool from_patch; /* else: nothing says so, and it is the machine's */
	struct zl_switches switches;
};
void patch_base(const struct patch_opened *p, const struct lane *user, struct patch_base *ret);

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
