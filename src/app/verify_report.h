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
