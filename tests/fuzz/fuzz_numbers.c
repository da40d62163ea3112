/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and sizes as typed: what was accepted must read back as the same value.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/text.h"

#define TEXT_SIZE 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = fuzz_string(data, size);
	char text[TEXT_SIZE];
	uint64_t v = 0;
	uint64_t again = 0;

	if (s == NULL) {
		return 0;
	}
	if (zl_parse_u64(s, &v) == 0) {
		zl_format(text, sizeof(text), "%U", v);
		if (zl_parse_u64(text, &again) != 0 || again != v) {
			abort();
		}
	}
	if (zl_parse_size(s, 1, &v) == 0 && v > UINT64_C(1) << 53) {
		abort();
	}
	free(s);
	return 0;
}
