/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A resolved geometry from words, for tests.
 */
#ifndef TEST_GEOMETRY_FIXTURE_H
#define TEST_GEOMETRY_FIXTURE_H

#include "zonelab/geometry.h"

struct geo {
	struct zl_settings settings;
	struct zl_release release;
	struct zl_switches sw;
	struct zl_geometry g;
	struct zl_diags diags;
};

/** Resolves blank-separated KEY=VALUE @words on a release; fails the test on a bad word. */
void geo_resolve(struct geo *geo, const char *kernel, const char *words);
/** The diagnostic of a code, NULL if there is none; fails the test if there are two. */
const struct zl_diag *geo_diag(const struct geo *geo, enum zl_diag_code code);
/** Fails the test unless the diagnostic is there with these words. NULL = do not look. */
void geo_assert_diag(const struct geo *geo, enum zl_diag_code code, const char *text,
	const char *mend, const char *fix);

#endif
