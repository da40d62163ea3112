/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where machines come from: shipped profiles, profile files, this machine, files about one.
 */
#ifndef APP_MACHINES_H
#define APP_MACHINES_H

#include "app.h"
#include "zonelab/import.h"
#include "zonelab/verify.h"

/** The root of this machine's own files. */
#define MACHINE_LIVE "/"

/** What the user gave (--set), out of settings that may have more. */
void machine_given(const struct zl_settings *s, struct zl_settings *ret);

/**
 * Reads files and folders into @im and settles it with @given. @im is initialised here and freed
 * by the caller on success. Kinds that an import does not read are an error that names their
 * command. Returns 0 or -errno with @err filled.
 */
int machine_import(struct zl_import *im, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err);

/**
 * What verification needs and these files do not say: "kernel", "page_size", "zoneinfo"; NULL when
 * nothing is missing.
 */
const char *machine_missing(const struct zl_import *im);

/** Verifies a settled import. Returns 0 or -ENOMEM. */
int machine_verify(const struct zl_import *im, struct zl_verify *ret);
/**
 * Gives the nodes of @p, a copy of the import's profile, the CPUs that their limits tell of where
 * the files show the pagesets of fewer, and a finding to the import. Without memory nothing is done.
 */
void machine_adopt_cpus(struct zl_import *im, struct zl_profile *p);

/**
 * Reads a shipped profile, a profile file or "live": this machine. Settings of origin
 * NAMED_PROFILE. Returns 0 or -errno with @err filled; @ret is the caller's on success.
 */
int machine_load_named(const char *name, const struct zl_allocator *mem, struct zl_profile *ret,
	struct zl_error *err);

/** A shipped profile, a profile file or "live", laid over the active lane. */
int machine_profile(struct app *app, const char *name, struct zl_error *err);
/** Files about one machine, laid over the active lane; the import is kept for `report`. */
int machine_files(struct app *app, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err);
/** Refuses files from @first on that nothing was read from; the sentence names who reads them. */
int machine_check_handled(const struct zl_import *im, size_t first, struct zl_error *err);
/**
 * The files that the explorer starts with: as machine_files(), but device trees and boot logs open
 * the Reserve screen. A trace needs all that is known of the machine: machine_open_trace().
 */
int machine_open(struct app *app, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err);

/**
 * What the explorer opens on when no file asked for another screen: the Pagesets screen, with the
 * report of the import over it where a zoneinfo was among the @files. Geometry stays where the
 * files say nothing of zones, and where the run cannot be made. Returns 0 or -errno.
 */
int machine_open_story(struct app *app, bool files, struct zl_error *err);

/** The last trace among files is shown; the machine is complete by now. */
int machine_open_trace(struct app *app, const char *const *path, size_t n, struct zl_error *err);

#endif
