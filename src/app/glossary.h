/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The glossary: every name that answers and screens use, one after another. Values, settings and
 * diagnostics have the ids of values.h; metrics, events, decision points, policies, designs and
 * terms have ids of their own beyond those, so that `w`, `explain` and the lists take any of them.
 */
#ifndef APP_GLOSSARY_H
#define APP_GLOSSARY_H

#include "explain.h"

/** Rows of the glossary. */
size_t glossary_count(void);
/** Id of a row, VALUE_NONE past the last. */
unsigned glossary_at(size_t row);
/** "a value", "a decision point"; "" for an unknown id. */
const char *glossary_kind(unsigned id);
/** Name of any id, "" for an unknown one. */
const char *glossary_name(unsigned id);
/** Any name. What is measured of a machine comes before what is counted in a run. */
unsigned glossary_find(const char *name);
/** Whether a text is in the name or in what is said of it, ignoring case. */
bool glossary_matches(unsigned id, const char *what);
/** The decision point behind an id, ZL_POINT_COUNT if it is something else. */
unsigned glossary_point(unsigned id);
/** Explains an id beyond values.h. False if there is none. */
bool glossary_explain(const struct value_in *in, unsigned id, struct explain *ret);

#endif
