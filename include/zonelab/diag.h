/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: findings about a machine that is well-formed but questionable. Severities:
 * error (cannot be built, or is refused), warning (works, not as one may think), note.
 * The codes are one table, diag_codes.h; `zonelab list diagnostics` prints it.
 */
#ifndef ZONELAB_DIAG_H
#define ZONELAB_DIAG_H

#include "zonelab/settings.h"
#include "zonelab/types.h"

enum zl_severity { ZL_NOTE, ZL_WARNING, ZL_ERROR, ZL_SEVERITY_COUNT };

enum zl_diag_code {
#define ZL_DIAG(id, name, meaning) ZL_DIAG_##id,
#include "zonelab/diag_codes.h"
#undef ZL_DIAG
	ZL_DIAG_COUNT
};

/** A fix is one or more settings to change; applying it is `set KEY=VALUE`. */
struct zl_fix {
	enum zl_setting key; /* ZL_SETTING_COUNT = no machine-applicable fix */
	char value[32];	     /* what to write behind KEY=, "default" un-gives */
};

struct zl_diag {
	enum zl_severity severity;
	enum zl_diag_code code;
	enum zl_setting about; /* the offending input, or ZL_SETTING_COUNT */
	char text[256];	       /* one sentence with its figures */
	char mend[160];	       /* "fix: ..." in words, empty if there is none */
	struct zl_fix fix;
};

#define ZL_DIAGS_MAX 64

/** Bounded list; `dropped` counts those that found no room. */
struct zl_diags {
	size_t count;
	size_t dropped;
	struct zl_diag item[ZL_DIAGS_MAX];
};

const char *zl_severity_name(enum zl_severity s);
const char *zl_diag_name(enum zl_diag_code c);
const char *zl_diag_meaning(enum zl_diag_code c);

/**
 * Adds a diagnostic (verbs as in zonelab/text.h).
 * Returns it, so that about, mend and fix can be set; never NULL (a full list returns a scratch
 * entry that is counted in `dropped`). @diags may not be NULL.
 */
struct zl_diag *zl_diag_add(struct zl_diags *diags, enum zl_severity severity,
	enum zl_diag_code code, const char *fmt, ...);
/** Number of diagnostics of at least this severity. */
size_t zl_diags_at_least(const struct zl_diags *diags, enum zl_severity s);

#endif
