/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Releases and uname strings: an accepted one has switches with a name for its design, compares
 * equal to itself, and shows no control characters.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/diag.h"
#include "zonelab/release.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = fuzz_string(data, size);
	struct zl_diags *diags = calloc(1, sizeof(*diags));
	struct zl_release r = {0};
	struct zl_switches sw;

	if (s != NULL && diags != NULL && zl_release_parse(s, &r) == 0) {
		zl_switches_for(&r, &sw, diags);
		if (zl_design_name(sw.design) == NULL || zl_release_compare(&r, &r) != 0 ||
			memchr(r.display, '\0', sizeof(r.display)) == NULL) {
			abort();
		}
		fuzz_check_clean(r.display, "");
	}
	free(diags);
	free(s);
	return 0;
}
