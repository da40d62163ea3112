/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text as one of the files of an import.
 */
#ifndef TESTS_UNIT_IMPORT_FIXTURE_H
#define TESTS_UNIT_IMPORT_FIXTURE_H

#include "zonelab/import.h"

/** Reads a text whose kind its content tells; fails the test when it is refused. */
void import_text(struct zl_import *im, const char *text);

#endif
