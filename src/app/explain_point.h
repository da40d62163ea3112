/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decision point explained: rules by release, names in scope with their values, what is in force. */
#ifndef APP_EXPLAIN_POINT_H
#define APP_EXPLAIN_POINT_H

#include "app.h"
#include "command.h"

void explain_point_print(const struct app *app, enum zl_point p, struct output *out);
void explain_point_json(const struct app *app, enum zl_point p, struct zl_json *object);

#endif
