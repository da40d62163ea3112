/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A started application, for the tests of the app layer.
 */
#ifndef TESTS_UNIT_APP_FIXTURE_H
#define TESTS_UNIT_APP_FIXTURE_H

#include "command.h"

int app_set_up(void **state);
int app_tear_down(void **state);
/** Starts anew with these blank-separated settings. */
void app_start(struct app *app, const char *items);
/** One undoable edit that must be taken. */
void app_must_set(struct app *app, const char *assignment);
/** A value of the lane that must exist. */
int64_t app_value(const struct app *app, const char *name);
/** Runs a command line; the answer is freed with output_done(). */
enum exit_status app_run(
	struct app *app, const char *line, enum output_format format, struct output *ret);

#define APP_TEST(name) cmocka_unit_test_setup_teardown(name, app_set_up, app_tear_down)

#endif
