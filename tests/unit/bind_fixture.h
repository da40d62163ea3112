/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of tests/data/patches, read and bound.
 */
#ifndef TESTS_UNIT_BIND_FIXTURE_H
#define TESTS_UNIT_BIND_FIXTURE_H

#include "zonelab/bind.h"
#include "zonelab/file.h"

struct bound {
	struct zl_file file;
	struct zl_patches patches;
	struct zl_binding binding;
};

/** Reads and binds a file, with what is bound by hand (or NULL); fails the test when it cannot. */
void bind_file(struct bound *b, const char *name, const struct zl_bind_hands *hands);
/** The lanes of what was bound on a release. */
struct bound_lanes {
	struct zl_bind_lane before, after;
};
struct bound_lanes bind_lanes_on(const struct bound *b, const char *release);
void unbind(struct bound *b);

#endif
