/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the answers of `verify`, `report` and `explain-my-machine`.
 */
#ifndef APP_VERIFY_REPORT_H
#define APP_VERIFY_REPORT_H

#include "command.h"
#include "machines.h"

/** What an import read, found and verified, as the Import report screen shows it. */
void import_report(const struct zl_import *im, const struct zl_verify *v, struct zl_buf *b);
/** Its parts: the lines of each file; what was found in them. */
void import_report_files(const struct zl_import *im, struct zl_buf *b);
void import_report_found(const struct zl_import *im, const struct zl_verify *v, struct zl_buf *b);
/** The heading of a part, with a blank line before it unless it is the first. */
void report_heading(struct zl_buf *b, const char *title);
/** Rows of values: all of them, or only those that do not simply agree. */
void verify_rows(struct output *out, struct zl_json *list, const struct zl_import *im,
	const struct zl_verify *v, bool all);
/** The last line: how many agree, are explained, differ, were taken as read. */
void verify_summary(const struct zl_verify *v, struct zl_buf *b);
/** Members of a JSON answer about a verification. */
void verify_json(struct zl_json *o, const struct zl_import *im, const struct zl_verify *v);
/** "files": what became of the lines of each. */
void import_json(struct zl_json *o, const struct zl_import *im);

#endif
