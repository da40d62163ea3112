/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace without names, process ids, addresses and the time of day: the same demand, the same
 * replay. What the machine was stands in marks at its head, so that no other file is needed.
 */
#ifndef ZONELAB_ANONYMISE_H
#define ZONELAB_ANONYMISE_H

#include "zonelab/replay.h"

/** Frames stay in order inside stretches of this many pages; no block is larger. */
#define ZL_ANONYMISE_STRETCH_SHIFT 13

struct zl_anonymise {
	const struct zl_profile *profile; /* zones and settings to be told; NULL = none */
	/** Takes pieces of the text; returns 0 or -errno, which ends the work. */
	int (*write)(void *user, const char *data, size_t n);
	void *user;
	const struct zl_patience *patience; /* may be NULL */
};

struct zl_anonymised {
	struct zl_import_file report; /* of what was read */
	uint64_t events;
	bool complete;
};

/**
 * Page frames of a zone keep their distances and lose their base; without zones, stretches are
 * numbered as they appear. Times start at zero. Tasks become "task-0", and the kernel's
 * workers "kworker-0", since their drains tell when counters are refreshed; everything that is no kmem
 * event is left out.
 * Returns 0 (also when stopped); errors of zl_trace_open() and zl_trace_next(); -ENODATA when
 * nothing in it is a kmem event; what `write` returned; -ENOMEM.
 */
int zl_anonymise(const char *path, const struct zl_anonymise *how, const struct zl_allocator *mem,
	struct zl_anonymised *ret, struct zl_error *err);

#endif
