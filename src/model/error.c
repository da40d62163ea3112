/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/error.h"

#include <errno.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

void zl_error_set(struct zl_error *err, unsigned line, unsigned column, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	if (err == NULL) {
		return;
	}
	err->line = line;
	err->column = column;
	zl_text_init(&t, err->text, sizeof(err->text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	/* The sentence may quote the input. */
	zl_clean_line(err->text, sizeof(err->text), err->text, t.len);
}

void zl_error_file(struct zl_error *err, const char *file)
{
	if (err != NULL) {
		zl_clean_line(
			err->file, sizeof(err->file), file[0] != '\0' ? file : "''", SIZE_MAX);
	}
}

int zl_errno(void)
{
	return errno != 0 ? -errno : -EIO;
}

size_t zl_error_format(const struct zl_error *err, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (err->file[0] != '\0') {
		zl_text_fmt(&t, "%s:", err->file);
	}
	if (err->line > 0) {
		zl_text_fmt(&t, "%u:", err->line);
		if (err->column > 0) {
			zl_text_fmt(&t, "%u:", err->column);
		}
	}
	if (t.len > 0) {
		zl_text_chr(&t, ' ');
	}
	zl_text_str(&t, err->text);
	return t.len;
}
