/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tsv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

static size_t split(char *line, const char **cells)
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *at = line; at != NULL; n++) {
		char *tab = strchr(at, '\t');

		assert_true(n < TSV_COLUMNS_MAX);
		cells[n] = at;
		if (tab != NULL) {
			*tab++ = '\0';
		}
		at = tab;
	}
	return n;
}

void tsv_open(struct tsv *t, const char *path)
{
	char full[1024];

	memset(t, 0, sizeof(*t));
	snprintf(full, sizeof(full), "%s/%s", TEST_DATA, path);
	t->gz = gzopen(full, "rb");
	if (t->gz == NULL || gzgets(t->gz, t->header, (int)sizeof(t->header)) == NULL) {
		fail_msg("%s cannot be read", full);
	}
	t->line = 1;
	t->columns = split(t->header, t->name);
}

bool tsv_next(struct tsv *t)
{
	if (gzgets(t->gz, t->text, (int)sizeof(t->text)) == NULL) {
		gzclose(t->gz);
		t->gz = NULL;
		return false;
	}
	t->line++;
	assert_int_equal(t->columns, split(t->text, t->cell));
	return true;
}

const char *tsv_text(const struct tsv *t, const char *column)
{
	for (size_t i = 0; i < t->columns; i++) {
		if (strcmp(t->name[i], column) == 0) {
			return t->cell[i];
		}
	}
	fail_msg("no column %s", column);
	return "";
}

uint64_t tsv_u64(const struct tsv *t, const char *column)
{
	const char *text = tsv_text(t, column);
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	if (end == text || *end != '\0') {
		fail_msg("line %u: %s is not a number: %s", t->line, column, text);
	}
	return v;
}
