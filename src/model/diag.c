/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/diag.h"

#include <string.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

static const struct {
	const char *name;
	const char *meaning;
} codes[ZL_DIAG_COUNT] = {
#define ZL_DIAG(id, code_name, code_meaning) [ZL_DIAG_##id] = {code_name, code_meaning},
#include "zonelab/diag_codes.h"
#undef ZL_DIAG
};

static const char *const severities[ZL_SEVERITY_COUNT] = {"note", "warning", "error"};

const char *zl_severity_name(enum zl_severity s)
{
	return s < ZL_SEVERITY_COUNT ? severities[s] : "?";
}

const char *zl_diag_name(enum zl_diag_code c)
{
	return c < ZL_DIAG_COUNT ? codes[c].name : "?";
}

const char *zl_diag_meaning(enum zl_diag_code c)
{
	return c < ZL_DIAG_COUNT ? codes[c].meaning : "?";
}

struct zl_diag *zl_diag_add(struct zl_diags *diags, enum zl_severity severity,
	enum zl_diag_code code, const char *fmt, ...)
{
	/* A full list reuses its last entry's slot for a scratch copy: nothing is lost but it. */
	size_t at = diags->count;
	struct zl_text t;
	va_list ap;

	if (at == ZL_DIAGS_MAX) {
		diags->dropped++;
		at = ZL_DIAGS_MAX - 1;
	} else {
		diags->count++;
	}
	struct zl_diag *d = &diags->item[at];
	memset(d, 0, sizeof(*d));
	d->severity = severity;
	d->code = code;
	d->about = ZL_SETTING_COUNT;
	d->fix.key = ZL_SETTING_COUNT;
	zl_text_init(&t, d->text, sizeof(d->text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	if (t.cut) { /* a long policy, for example: what is missing is seen to be missing */
		zl_text_init(&t, d->text + sizeof(d->text) - 4, 4);
		zl_text_str(&t, "...");
		t.len = sizeof(d->text) - 1;
	}
	/* The sentence may quote the input. */
	zl_clean_line(d->text, sizeof(d->text), d->text, t.len);
	return d;
}

size_t zl_diags_at_least(const struct zl_diags *diags, enum zl_severity s)
{
	size_t n = 0;

	for (size_t i = 0; i < diags->count; i++) {
		if (diags->item[i].severity >= s) {
			n++;
		}
	}
	return n;
}
