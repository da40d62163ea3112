/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a setting is called in the kernel, and what its default follows from.
 */
#ifndef APP_SETTING_FACTS_H
#define APP_SETTING_FACTS_H

#include "values.h"

struct setting_facts {
	const char *kernel;  /* Kconfig symbol, sysctl or boot parameter, with its releases */
	const char *follows; /* the default as a formula template; "" = a constant */
};
/** Never NULL; texts are "" for a key without facts. */
const struct setting_facts *setting_facts(enum zl_setting key);

/** Where the value in force came from: "built in", "derived", or the origin when it is given. */
const char *setting_origin(const struct zl_settings *s, enum zl_setting key);

#endif
