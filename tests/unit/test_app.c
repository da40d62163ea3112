/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State: edits with undo and redo, preview, baseline, where values come from, merged profiles.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "setting_facts.h"
#include "zonelab/text.h"

#define MIB 1048576

static const struct zl_settings *settings(const struct app *app)
{
	return &app_lane_const(app)->profile.settings;
}

static void an_input_derives_everything_that_was_not_given(void **state)
{
	struct app *app = *state;

	assert_int_equal(10, app_value(app, "largest_order"));
	app_must_set(app, "page_size=64K");
	assert_int_equal(13, app_value(app, "largest_order"));
	assert_int_equal(512 * MIB, app_value(app, "pageblock_bytes"));
	app_must_set(app, "page_block_order=5");
	assert_int_equal(2 * MIB, app_value(app, "pageblock_bytes"));
	/* What was given stays given. */
	app_must_set(app, "page_size=16K");
	assert_int_equal(5, app_value(app, "pageblock_order"));
	assert_int_equal(11, app_value(app, "largest_order"));
	app_must_set(app, "page_block_order=default");
	assert_int_equal(11, app_value(app, "pageblock_order"));
	assert_false(zl_settings_given(settings(app), ZL_SET_PAGE_BLOCK_ORDER));
}

static void undo_and_redo_walk_through_the_edits(void **state)
{
	struct app *app = *state;

	assert_false(app_undo(app));
	assert_false(app_redo(app));
	app_must_set(app, "page_size=16K");
	app_must_set(app, "cpus=1");
	assert_int_equal(1, app_value(app, "zone_cpus"));
	assert_true(app_undo(app));
	assert_int_equal(8, app_value(app, "zone_cpus"));
	assert_string_equal("Undone: cpus=1", app->message.text);
	assert_true(app_undo(app));
	assert_int_equal(9, app_value(app, "pageblock_order"));
	assert_false(app_undo(app));
	assert_true(app_redo(app));
	assert_true(app_redo(app));
	assert_false(app_redo(app));
	assert_int_equal(1, app_value(app, "zone_cpus"));
	/* A new edit ends what could be redone. */
	assert_true(app_undo(app));
	app_must_set(app, "cpus=4");
	assert_false(app_redo(app));
	assert_int_equal(4, app_value(app, "zone_cpus"));
}

static void undo_forgets_the_oldest_edits_first(void **state)
{
	struct app *app = *state;
	unsigned undone = 0;

	for (unsigned i = 1; i <= APP_UNDO_MAX + 10; i++) {
		char edit[32];

		zl_format(edit, sizeof(edit), "cpus=%u", i);
		app_must_set(app, edit);
	}
	while (app_undo(app)) {
		undone++;
	}
	assert_int_equal(APP_UNDO_MAX, undone);
	assert_int_equal(10, app_value(app, "zone_cpus"));
}

static void words_of_one_set_are_one_edit_or_none(void **state)
{
	struct app *app = *state;
	struct output out;

	assert_int_equal(EXIT_YES, app_run(app, "set page_size=16K cpus=2", FORMAT_TEXT, &out));
	output_done(&out);
	assert_int_equal(2, app_value(app, "zone_cpus"));
	assert_true(app_undo(app));
	assert_int_equal(8, app_value(app, "zone_cpus"));
	assert_int_equal(9, app_value(app, "pageblock_order"));
	assert_int_equal(EXIT_USAGE, app_run(app, "set cpus=2 cpuss=3", FORMAT_TEXT, &out));
	assert_string_equal("there is no setting 'cpuss'; did you mean cpus", out.error.text);
	output_done(&out);
	assert_int_equal(8, app_value(app, "zone_cpus"));
	assert_false(app_undo(app));
}

static void a_refused_value_changes_nothing(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};

	assert_int_equal(-EINVAL, app_set(app, "page_size=lots", &err));
	assert_string_not_equal("", err.text);
	assert_int_equal(0, app->nr_undo);
	assert_false(app->dirty);
	assert_int_equal(9, app_value(app, "pageblock_order"));
}

static void a_preview_stands_beside_the_lane(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};
	struct value_in lane = {.profile = &app->lane[0].profile, .machine = &app->lane[0].machine};
	int64_t v = 0;

	assert_true(app_preview(app, "page_size=16K", &err));
	assert_int_equal(11, app_value(app, "pageblock_order"));
	assert_true(value_get(&lane, VALUE_PAGEBLOCK_ORDER, &v));
	assert_int_equal(9, v);
	assert_false(app_preview(app, "page_size=16KX", &err));
	assert_string_not_equal("", err.text);
	assert_int_equal(9, app_value(app, "pageblock_order"));
	assert_true(app_preview(app, "page_size=64K", &err));
	assert_true(app_preview(app, NULL, &err));
	assert_int_equal(9, app_value(app, "pageblock_order"));
	assert_int_equal(0, app->nr_undo);
}

static void a_baseline_shows_what_values_were(void **state)
{
	struct app *app = *state;
	char text[64];

	assert_null(app_baseline(app).machine);
	app_pin(app);
	app_must_set(app, "page_size=16K");
	const struct value_in now = app_values(app);
	const struct value_in was = app_baseline(app);
	assert_int_equal(1, value_delta(&now, &was, VALUE_PAGEBLOCK_BYTES, text, sizeof(text)));
	assert_string_equal("16x", text);
	assert_int_equal(-1, value_delta(&now, &was, VALUE_BATCH, text, sizeof(text)));
	assert_string_equal("was 63", text);
	assert_int_equal(0, value_delta(&now, &was, VALUE_MANAGED, text, sizeof(text)) > 0);
	app_pin(app);
	assert_null(app_baseline(app).machine);
}

static void a_setting_tells_where_it_came_from(void **state)
{
	struct app *app = *state;

	assert_string_equal("built in", setting_origin(settings(app), ZL_SET_MEMORY));
	assert_string_equal("derived", setting_origin(settings(app), ZL_SET_MAX_PAGE_ORDER));
	app_must_set(app, "memory=8G");
	assert_string_equal(
		zl_origin_name(ZL_ORIGIN_GIVEN), setting_origin(settings(app), ZL_SET_MEMORY));
}

static void set_in(struct zl_profile *p, const char *item, enum zl_origin origin)
{
	assert_int_equal(0, zl_settings_assign(&p->settings, item, origin, NULL));
}

/* Built-in, then files, then --profile, then --set; the order of the calls does not matter. */
static void a_later_source_wins_over_an_earlier_one(void **state)
{
	struct app *app = *state;
	struct zl_profile p;

	zl_profile_init(&p);
	set_in(&p, "cpus=3", ZL_ORIGIN_FILE);
	set_in(&p, "memory=1G", ZL_ORIGIN_FILE);
	set_in(&p, "page_size=16K", ZL_ORIGIN_FILE);
	app_merge_profile(app, &p);
	assert_int_equal(3, app_value(app, "zone_cpus"));
	zl_profile_init(&p);
	set_in(&p, "cpus=5", ZL_ORIGIN_NAMED_PROFILE);
	set_in(&p, "memory=2G", ZL_ORIGIN_NAMED_PROFILE);
	app_merge_profile(app, &p);
	app_must_set(app, "cpus=7");
	assert_int_equal(7, app_value(app, "zone_cpus"));
	assert_int_equal(INT64_C(2048) * MIB, app_value(app, "memory_bytes"));
	assert_int_equal(11, app_value(app, "pageblock_order"));
	/* A file that comes late does not win over what was given or named. */
	zl_profile_init(&p);
	set_in(&p, "cpus=9", ZL_ORIGIN_FILE);
	set_in(&p, "memory=16G", ZL_ORIGIN_FILE);
	set_in(&p, "page_size=4K", ZL_ORIGIN_FILE);
	app_merge_profile(app, &p);
	assert_int_equal(7, app_value(app, "zone_cpus"));
	assert_int_equal(INT64_C(2048) * MIB, app_value(app, "memory_bytes"));
	assert_int_equal(9, app_value(app, "pageblock_order"));
}

static void zones_of_a_profile_stay_when_another_has_none(void **state)
{
	struct app *app = *state;
	struct zl_profile p;

	zl_profile_init(&p);
	struct zl_zone_facts *z = zl_profile_add_zone(&p, app->alloc);
	assert_non_null(z);
	zl_format(z->name, sizeof(z->name), "Normal");
	z->spanned = z->present = z->managed = 12345;
	p.zones_page_size = 4096;
	app_merge_profile(app, &p);
	assert_int_equal(12345, app_value(app, "managed"));
	zl_profile_init(&p);
	set_in(&p, "cpus=2", ZL_ORIGIN_FILE);
	app_merge_profile(app, &p);
	assert_int_equal(12345, app_value(app, "managed"));
}

static void leaving_with_edits_asks_once(void **state)
{
	struct app *app = *state;

	app_must_set(app, "cpus=2");
	app_key(app, "q");
	assert_false(app->quit);
	app_key(app, "u");
	app_key(app, "q");
	assert_false(app->quit);
	app_key(app, "q");
	assert_true(app->quit);
}

static void keys_change_the_focused_setting(void **state)
{
	struct app *app = *state;

	/* The cursor starts on the page size. */
	app_key(app, "+");
	assert_int_equal(11, app_value(app, "pageblock_order"));
	app_key(app, "-");
	assert_int_equal(9, app_value(app, "pageblock_order"));
	app_key(app, "Enter");
	app_key(app, "C-u");
	app_key(app, "6");
	app_key(app, "4");
	assert_int_equal(13, app_value(app, "pageblock_order"));
	app_key(app, "Esc");
	assert_int_equal(9, app_value(app, "pageblock_order"));
}

static void keys_walk_through_the_releases(void **state)
{
	struct app *app = *state;
	const struct zl_release *r = &app_lane_const(app)->machine.release;

	app_start(app, "kernel=5.14");
	app->overlay = OVERLAY_SETTINGS;
	app->panel = PANEL_SETTINGS;
	app->row[PANEL_SETTINGS] = ZL_SET_KERNEL;
	assert_int_equal(ZL_SET_KERNEL, app_focused_setting(app));
	for (size_t i = 1; i < zl_breakpoint_count(); i++) {
		struct zl_release want;

		app_key(app, "+");
		assert_int_equal(0, zl_release_parse(zl_breakpoint(i), &want));
		assert_int_equal(0, zl_release_compare(&want, r));
	}
	app_key(app, "+");
	assert_non_null(strstr(app->message.text, "kernel has no higher value here"));
	app_key(app, "-");
	struct zl_release last_but_one;
	assert_int_equal(
		0, zl_release_parse(zl_breakpoint(zl_breakpoint_count() - 2), &last_but_one));
	assert_int_equal(0, zl_release_compare(&last_but_one, r));
}

static void enter_takes_the_row_that_is_focused(void **state)
{
	struct app *app = *state;
	unsigned first = 0;

	app->panel = PANEL_PAGE_SIZES;
	app->row[PANEL_PAGE_SIZES] = 2;
	app_key(app, "Enter");
	assert_int_equal(65536, app_lane_const(app)->machine.geometry.page_size);
	app_start(app, "");
	app->cols = 120;
	app->rows = 40;
	app->panel = PANEL_BLOCK_ORDERS;
	assert_true(app_block_orders(app, &first) > 1);
	app->row[PANEL_BLOCK_ORDERS] = 1;
	app_key(app, "Enter");
	assert_int_equal(first + 1, app_value(app, "pageblock_order"));
}

static void enter_takes_the_fix_of_a_diagnostic_or_says_there_is_none(void **state)
{
	struct app *app = *state;
	const struct zl_diags *diags = &app_lane_const(app)->diags;
	unsigned with = UINT_MAX, without = UINT_MAX;

	app_start(app, "min_free_kbytes=2000");
	for (unsigned i = 0; i < diags->count; i++) {
		if (diags->item[i].fix.key == ZL_SETTING_COUNT) {
			without = i;
		} else if (diags->item[i].code == ZL_DIAG_MIN_FREE_RAISED) {
			with = i;
		}
	}
	assert_true(with != UINT_MAX && without != UINT_MAX);
	app->panel = PANEL_DIAGS;
	app->row[PANEL_DIAGS] = without;
	app_key(app, "Enter");
	assert_string_equal("This one has no fix that a setting can make", app->message.text);
	app->row[PANEL_DIAGS] = with;
	app_key(app, "Enter");
	assert_int_equal(2000, app_value(app, "min_free_kbytes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(an_input_derives_everything_that_was_not_given),
		APP_TEST(undo_and_redo_walk_through_the_edits),
		APP_TEST(undo_forgets_the_oldest_edits_first),
		APP_TEST(words_of_one_set_are_one_edit_or_none),
		APP_TEST(a_refused_value_changes_nothing),
		APP_TEST(a_preview_stands_beside_the_lane),
		APP_TEST(a_baseline_shows_what_values_were),
		APP_TEST(a_setting_tells_where_it_came_from),
		APP_TEST(a_later_source_wins_over_an_earlier_one),
		APP_TEST(zones_of_a_profile_stay_when_another_has_none),
		APP_TEST(leaving_with_edits_asks_once),
		APP_TEST(keys_change_the_focused_setting),
		APP_TEST(keys_walk_through_the_releases),
		APP_TEST(enter_takes_the_row_that_is_focused),
		APP_TEST(enter_takes_the_fix_of_a_diagnostic_or_says_there_is_none),
	};

	return cmocka_run_group_tests_name("app", tests, NULL, NULL);
}
