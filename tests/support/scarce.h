/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A heap that runs out when a test says so, and knows what is left on it.
 */
#ifndef TESTS_SUPPORT_SCARCE_H
#define TESTS_SUPPORT_SCARCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zonelab/types.h"

#define SCARCE_NEVER SIZE_MAX

/** The C library's heap, for tests of the model, which has none. */
extern const struct zl_allocator heap;

struct scarce {
	struct zl_allocator allocator; /* for the code under test; not to be copied */
	size_t left;		       /* requests that are granted before one is refused */
	bool once;		       /* all behind it are granted again; else none is */
	size_t live;		       /* blocks not yet freed */
};

void scarce_init(struct scarce *s, size_t left);

#endif
