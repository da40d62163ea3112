/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * KEY=VALUE, one a line: what was taken must be printed in a form that is taken again and means
 * the same; what was refused leaves the settings as they were and says why.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/error.h"
#include "zonelab/settings.h"
#include "zonelab/text.h"

static void check_printed_form(const struct zl_settings *s)
{
	static char text[ZL_CMDLINE_TEXT];
	struct zl_settings again = {0};

	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		struct zl_error err = {0};

		if (!zl_settings_given(s, key)) {
			continue;
		}
		zl_setting_format(s, key, text, sizeof(text));
		if (zl_settings_set(&again, key, text, ZL_ORIGIN_GIVEN, &err) != 0 ||
			again.value[key].number != s->value[key].number ||
			strcmp(zl_settings_text(&again, key), zl_settings_text(s, key)) != 0) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zl_settings *s = calloc(1, sizeof(*s));
	struct zl_settings *before = calloc(1, sizeof(*before));
	char *text = fuzz_string(data, size);
	char *rest = NULL;

	if (s != NULL && before != NULL && text != NULL) {
		for (char *line = strtok_r(text, "\n", &rest); line != NULL;
			line = strtok_r(NULL, "\n", &rest)) {
			struct zl_error err = {0};

			*before = *s;
			if (zl_settings_assign(s, line, ZL_ORIGIN_GIVEN, &err) != 0 &&
				(memcmp(before, s, sizeof(*s)) != 0 || err.text[0] == '\0')) {
				abort();
			}
			fuzz_check_clean(err.text, "");
		}
		check_printed_form(s);
	}
	free(text);
	free(before);
	free(s);
	return 0;
}
