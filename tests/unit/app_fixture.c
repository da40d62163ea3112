/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int app_set_up(void **state)
{
	struct app *app = calloc(1, sizeof(*app));

	assert_non_null(app);
	assert_int_equal(0, app_init(app));
	app->cols = 80;
	app->rows = 24;
	*state = app;
	return 0;
}

int app_tear_down(void **state)
{
	struct app *app = *state;

	app_done(app);
	free(app);
	return 0;
}

void app_start(struct app *app, const char *items)
{
	char copy[512];
	char *rest = NULL;
	struct zl_error err = {0};

	app_done(app);
	assert_int_equal(0, app_init(app));
	assert_true(strlen(items) < sizeof(copy));
	memcpy(copy, items, strlen(items) + 1);
	for (char *item = strtok_r(copy, " ", &rest); item != NULL;
		item = strtok_r(NULL, " ", &rest)) {
		if (app_assign(app, item, &err) < 0) {
			fail_msg("%s: %s", item, err.text);
		}
	}
	app_resolve(app);
}

void app_must_set(struct app *app, const char *assignment)
{
	struct zl_error err = {0};

	if (app_set(app, assignment, &err) < 0) {
		fail_msg("%s: %s", assignment, err.text);
	}
}

int64_t app_value(const struct app *app, const char *name)
{
	const struct value_in in = app_values(app);
	unsigned id = value_find(name);
	int64_t v = 0;

	if (id >= VALUE_COUNT || !value_get(&in, (enum value_id)id, &v)) {
		fail_msg("there is no value %s", name);
	}
	return v;
}

enum exit_status app_run(
	struct app *app, const char *line, enum output_format format, struct output *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->format = format;
	return command_run(app, line, ret);
}
