/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

char *fuzz_string(const uint8_t *data, size_t size)
{
	char *s = malloc(size + 1);

	if (s == NULL) {
		return NULL;
	}
	if (size > 0) {
		memcpy(s, data, size);
	}
	s[size] = '\0';
	/* Shrunk to the string, so that a read past its end is seen. */
	char *exact = realloc(s, strlen(s) + 1);
	return exact != NULL ? exact : s;
}
