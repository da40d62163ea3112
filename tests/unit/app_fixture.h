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

/** The answer of a command line as JSON, printed and read back; it must be taken. */
struct zl_json *app_ask(struct app *app, const char *line);
/** JSON as its reader sees it: printed and read back. */
struct zl_json *app_reread(const struct zl_json *answer);
/** A member that must be a whole number. */
int64_t json_number(const struct zl_json *o, const char *key);
/** Lane @i of an answer of `compare`; a total of it. */
const struct zl_json *json_lane(const struct zl_json *j, unsigned i);
int64_t json_total(const struct zl_json *j, unsigned i, const char *key);

/** Settings of machines of every kind, for app_start(). */
#define APP_MACHINES 45
extern const char *const app_machines[APP_MACHINES];

#define APP_TEST(name) cmocka_unit_test_setup_teardown(name, app_set_up, app_tear_down)

#endif
