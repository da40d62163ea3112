/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geometry_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/error.h"
#include "zonelab/text.h"

static void assign(struct zl_settings *s, const char *word, size_t len)
{
	struct zl_error err = {0};
	char copy[96];

	assert_true(len < sizeof(copy));
	memcpy(copy, word, len);
	copy[len] = '\0';
	if (zl_settings_assign(s, copy, ZL_ORIGIN_GIVEN, &err) != 0) {
		fail_msg("%s: %s", copy, err.text);
	}
}

void geo_resolve(struct geo *geo, const char *kernel, const char *words)
{
	struct zl_diags assumed = {0};

	memset(geo, 0, sizeof(*geo));
	while (*words != '\0') {
		size_t len = strcspn(words, " ");
		assign(&geo->settings, words, len);
		words += len;
		words += strspn(words, " ");
	}
	assert_int_equal(0, zl_release_parse(kernel, &geo->release));
	zl_switches_for(&geo->release, &geo->sw, &assumed);
	zl_geometry_resolve(&geo->settings, &geo->release, &geo->sw, &geo->g, &geo->diags);
}

const struct zl_diag *geo_diag(const struct geo *geo, enum zl_diag_code code)
{
	const struct zl_diag *found = NULL;

	for (size_t i = 0; i < geo->diags.count; i++) {
		if (geo->diags.item[i].code == code) {
			assert_null(found);
			found = &geo->diags.item[i];
		}
	}
	return found;
}

void geo_assert_diag(const struct geo *geo, enum zl_diag_code code, const char *text,
	const char *mend, const char *fix)
{
	const struct zl_diag *d = geo_diag(geo, code);
	char buf[96] = "";

	if (d == NULL) {
		fail_msg("no diagnostic %s", zl_diag_name(code));
		return;
	}
	if (text != NULL) {
		assert_string_equal(text, d->text);
	}
	if (mend != NULL) {
		assert_string_equal(mend, d->mend);
	}
	if (fix != NULL) {
		if (d->fix.key != ZL_SETTING_COUNT) {
			zl_format(buf, sizeof(buf), "%s=%s", zl_setting_info(d->fix.key)->key,
				d->fix.value);
		}
		assert_string_equal(fix, buf);
	}
}
