/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON text: what is read prints, and the print reads back to the same print.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/json.h"

static void check_print(const struct zl_json *j)
{
	struct zl_json *again = NULL;
	struct zl_error err = {0};
	char *first = NULL;
	char *second = NULL;

	if (zl_json_print(j, false, &first) != 0) {
		return;
	}
	if (zl_json_parse(first, strlen(first), &again, &err) != 0 ||
		zl_json_print(again, false, &second) != 0 || strcmp(first, second) != 0) {
		abort();
	}
	zl_json_free(again);
	zl_json_text_free(first);
	zl_json_text_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	if (zl_json_parse((const char *)data, size, &j, &err) == 0) {
		check_print(j);
		zl_json_free(j);
	} else if (err.text[0] == '\0') {
		abort();
	}
	return 0;
}
