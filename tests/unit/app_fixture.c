/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *const app_machines[APP_MACHINES] = {
	"",
	"kernel=5.14",
	"kernel=5.15 arch=x86_64",
	"kernel=5.18",
	"kernel=6.1.192",
	"kernel=6.4 thp=off",
	"kernel=6.6.63",
	"kernel=6.12",
	"kernel=6.16",
	"kernel=6.17",
	"kernel=6.19",
	"kernel=7.1",
	"kernel=7.3",
	"kernel=5.10",
	"page_size=16K",
	"page_size=64K",
	"page_size=64K memory=512M",
	"page_size=16K page_block_order=7",
	"page_size=64K thp=off hugetlb=off",
	"arch=powerpc64 mmu=hash page_size=64K",
	"arch=powerpc64 mmu=radix page_size=4K kernel=5.17",
	"arch=powerpc page_size=16K",
	"arch=arm lpae=off",
	"arch=arm mmu=off",
	"arch=x86_64 zones=auto memory=64G nodes=2 cpus=64",
	"arch=i386 zones=auto memory=8G",
	"arch=riscv64 memory=128M cpus=1",
	"zones=Normal:2G,Movable:2G",
	"arch=sh memory=64M cma=off",
	"smp=off kernel=7.1",
	"smp=off kernel=6.12",
	"memory=1M",
	"memory=4P cpus=8192",
	"thp_enabled=never",
	"min_free_kbytes=100 thp_enabled=never",
	"min_free_kbytes=100",
	"min_free_kbytes=2000000",
	"percpu_pagelist_high_fraction=8",
	"percpu_pagelist_high_fraction=100000",
	"percpu_pagelist_high_fraction=8 kernel=6.1",
	"batch=1 high_min=0 high_max=0",
	"batch=31 high_min=100 kernel=6.1",
	"watermark_scale_factor=3000",
	"pool_size=5M cache_slice=1M",
	"cma=off",
};

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

struct zl_json *app_reread(const struct zl_json *answer)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};
	char *text = NULL;

	assert_int_equal(0, zl_json_print(answer, false, &text));
	if (zl_json_parse(text, strlen(text), &j, &err) != 0) {
		fail_msg("%s", err.text);
	}
	zl_json_text_free(text);
	return j;
}

struct zl_json *app_ask(struct app *app, const char *line)
{
	struct output out;

	if (app_run(app, line, FORMAT_JSON, &out) != EXIT_YES) {
		fail_msg("%s: %s", line, out.error.text);
	}
	struct zl_json *j = app_reread(out.json);
	output_done(&out);
	return j;
}

int64_t json_number(const struct zl_json *o, const char *key)
{
	int64_t v = 0;

	if (zl_json_get_int(zl_json_member(o, key), &v) != 0) {
		fail_msg("%s is no number", key);
	}
	return v;
}

const struct zl_json *json_lane(const struct zl_json *j, unsigned i)
{
	const struct zl_json *l = zl_json_first(zl_json_member(j, "lanes"));

	while (i-- > 0) {
		l = zl_json_next(l);
	}
	assert_non_null(l);
	return l;
}

int64_t json_total(const struct zl_json *j, unsigned i, const char *key)
{
	return json_number(zl_json_member(json_lane(j, i), "totals"), key);
}
