/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several files in one, under lines "== title". Each section is read as the file that its content
 * shows it to be; titles choose nothing.
 */
#include <string.h>

#include "importing.h"

static bool is_title(const char *s, size_t len)
{
	return len > 3 && memcmp(s, "== ", 3) == 0;
}

/* The section that starts at the reader's position, up to the next title. */
static struct zl_lines section_of(const struct zl_lines *lines)
{
	struct zl_lines part = *lines;
	struct zl_lines ahead = *lines;
	struct zl_line line;

	part.size = lines->size;
	while (zl_lines_next(&ahead, &line)) {
		if (is_title(line.s, line.len)) {
			part.size = (size_t)(line.s - lines->data);
			break;
		}
	}
	return part;
}

static int read_unknown(struct zl_import_file *f, struct zl_lines *part)
{
	struct zl_line line;

	while (zl_lines_next(part, &line)) {
		import_count(f, ZL_LINE_COUNTED, "other sections");
	}
	return 0;
}

static int read_section(struct zl_import *im, struct zl_import_file *f, struct zl_lines *part)
{
	enum zl_file_kind kind = zl_file_detect(part->data + part->pos, part->size - part->pos);
	import_reader *reader = kind != ZL_FILE_CAPTURE ? import_reader_of(kind) : NULL;

	return reader != NULL ? reader(im, f, part) : read_unknown(f, part);
}

int read_capture(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		import_count(f, ZL_LINE_COUNTED,
			is_title(line.s, line.len) ? "titles" : "other sections");
		struct zl_lines part = section_of(lines);
		if (is_title(line.s, line.len) && part.pos < part.size) {
			int r = read_section(im, f, &part);

			if (r < 0) {
				return r;
			}
			lines->pos = part.size;
			lines->number = part.number;
		}
	}
	return 0;
}
