/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: what files are refused and where, the steps of every shipped lesson with right and
 * wrong answers, what is hidden while a prediction is pending, grading.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "learn.h"
#include "lesson_text.h"
#include "pagesets.h"
#include "sweeps.h"
#include "zonelab/file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define HEAD  "{\"kind\":\"lesson\",\"version\":1,\"name\":\"t\",\"title\":\"T\",\n"
#define SEEDS 3

/* ---- files ---- */

/* clang-format off */
static const struct {
	const char *text;
	unsigned line, column;
	const char *says;
} refused[] = {
	{"{}", 1, 1, "kind"},
	{HEAD "\"steps\":[]}", 2, 9, "one step"},
	{HEAD "\"steps\":[{}]}", 2, 10, "caption"},
	{HEAD "\"stepz\":[]}", 2, 1, "did you mean 'steps'"},
	{HEAD "\"machine\":{\"kernl\":\"6.1\"},\"steps\":[]}", 2, 20, "kernel"},
	{HEAD "\"scenario\":\"iperv\",\"steps\":[]}", 2, 12, "iperv"},
	{HEAD "\"scenario\":{\"phasez\":[]},\"steps\":[]}", 2, 13, "phases"},
	{HEAD "\"numbers\":{\"a\":[1]},\"steps\":[]}", 2, 16, "two limits"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"at\":{}}]}", 2, 30, "no place"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\"}}]}", 2, 36, "asked"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\"batch\"}}]}",
		2, 36, "choices"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\"batch\","
		"\"number\":\"batch\"}}]}", 2, 10, "explain"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\"batch\","
		"\"choices\":[{\"text\":\"a\"}]}}]}", 2, 74, "when"},
	{"{\"kind\":\"lesson\",\"version\":2}", 1, 1, "version"},
	{"{\"kind\":\"lesson\",\"version\":1,\"name\":\"t\",\"steps\":[]}", 1, 1, "'title'"},
	{HEAD "\"numbers\":[1],\"steps\":[]}", 2, 11, "no object of numbers"},
	{HEAD "\"machine\":[],\"steps\":[]}", 2, 11, "no object of settings"},
	{HEAD "\"steps\":[{\"caption\":[]}]}", 2, 21, "a text or a number is needed"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"at\":{\"event\":\"flush\",\"when\":\"1"
		"\"}}]}", 2, 30, "not two"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\""
		"batch\",\"point\":3}}]}", 2, 36, "a point is {"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\""
		"batch\",\"choices\":[{\"text\":\"a\",\"when\":\"1\"}]}}]}", 2, 73, "two choices at least"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"explain\":\"e\",\"question\":{\"ask\":"
		"\"?\",\"asked\":\"batch\",\"number\":\"batch\",\"wrong\":[{\"when\":\""
		"1\"}]}}]}", 2, 103, "are needed"},
	{HEAD "\"steps\":[{\"caption\":\"c\",\"question\":{\"ask\":\"?\",\"asked\":\""
		"batch\",\"number\":\"batch\",\"choices\":[]}}]}", 2, 36, "one of"},
};
/* clang-format on */

static void test_wrong_files_are_refused_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct zl_lesson l;
		struct zl_error err = {0};
		const char *text = refused[i].text;

		assert_true(zl_lesson_parse(text, strlen(text), zl_allocator_heap(), &l, &err) < 0);
		if (err.line != refused[i].line || err.column != refused[i].column ||
			strstr(err.text, refused[i].says) == NULL) {
			fail_msg("%s\ngave %u:%u: %s", text, err.line, err.column, err.text);
		}
	}
}

/* ---- running ---- */

static struct zl_lesson_text at(const char *s)
{
	return (struct zl_lesson_text){.s = s, .line = 7, .column = 9};
}

/* What the model says to each step of a lesson. */
struct answers {
	int64_t right[ZL_LESSON_STEPS_MAX], wrong[ZL_LESSON_STEPS_MAX];
};

static void open_lesson(struct app *app, const char *name, uint64_t seed)
{
	struct zl_error err = {0};

	if (learn_open(app, name, seed, &err) != 0) {
		fail_msg("%s seed %u: %u:%u %s", name, (unsigned)seed, err.line, err.column,
			err.text);
	}
}

static void go_on(struct app *app, int64_t answer)
{
	struct zl_error err = {0};
	int rc = learn_pending(app) ? learn_predict(app, answer, &err) : learn_next(app, &err);

	if (rc != 0) {
		fail_msg("%s step %u: %s", app->learn->lesson.name, app->learn->step + 1, err.text);
	}
}

/* Any prediction brings the model's answer. */
static void ask_the_model(struct app *app, const char *name, uint64_t seed, struct answers *ret)
{
	open_lesson(app, name, seed);
	struct learn *l = app->learn;
	while (l->phase != LEARN_END) {
		const bool asks = learn_pending(app);
		const struct zl_lesson_question *q = &learn_step(l)->question;
		go_on(app, 1);
		if (asks) {
			ret->right[l->step] = l->answer;
			ret->wrong[l->step] =
				q->kind == ZL_LESSON_CHOICE ? l->answer % q->nr_choices + 1
				: l->answer == LEARN_NEVER  ? (int64_t)l->at + 1
							    : l->answer + l->within + 1;
		}
	}
	learn_leave(app);
}

static void go_through(struct app *app, const char *name, uint64_t seed, bool right)
{
	struct answers all = {0};
	unsigned asked = 0;

	ask_the_model(app, name, seed, &all);
	open_lesson(app, name, seed);
	struct learn *l = app->learn;
	while (l->phase != LEARN_END) {
		const bool asks = learn_pending(app);
		const unsigned step = l->step;
		go_on(app, right ? all.right[step] : all.wrong[step]);
		if (asks) {
			asked++;
			assert_int_equal(right ? LEARN_RIGHT : LEARN_WRONG, l->mark[step]);
			assert_true(l->explain[0] != '\0');
		}
	}
	assert_int_equal(asked, l->answered);
	assert_int_equal(right ? asked : 0, l->right);
	learn_leave(app);
}

static void test_every_lesson_goes_to_its_end_with_right_and_wrong_answers(void **state)
{
	struct app *app = *state;

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			go_through(app, zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, seed, true);
			go_through(app, zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, seed, false);
		}
	}
}

static void test_leaving_gives_the_users_machine_and_run_back(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};

	app_must_set(app, "high_min=700");
	assert_int_equal(0, app_show_screen(app, SCREEN_PAGESETS, &err));
	pagesets_seek(app, 17);
	assert_int_equal(0, learn_open(app, "flush", 1, &err));
	assert_int_not_equal(17, pagesets_timeline(app)->at);
	learn_leave(app);
	assert_int_equal(17, pagesets_timeline(app)->at);
	assert_int_equal(700, app_value(app, "high_min"));
	assert_true(app_undo(app));
}

static void test_a_lesson_goes_on_from_the_screens_of_runs(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		open_lesson(app, zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, 1);
		for (unsigned n = 0; app->learn->phase != LEARN_END; n++) {
			(void)app_show_screen(
				app, n % 2 == 0 ? SCREEN_PAGESETS : SCREEN_COMPARE, &err);
			go_on(app, 1);
			/* A step about a machine has no run: its screen is not there. */
			assert_true(app->pagesets != NULL || app->screen != SCREEN_PAGESETS);
			assert_true(app->beside != NULL || app->screen != SCREEN_COMPARE);
		}
		learn_leave(app);
	}
}

/* Up to the first question of the lesson. */
static void to_question(struct app *app, const char *name)
{
	struct zl_error err = {0};

	assert_int_equal(0, learn_open(app, name, 1, &err));
	while (!learn_pending(app)) {
		assert_int_equal(0, learn_next(app, &err));
	}
}

/* No cell of the timeline has an op after the limit in it. */
static void check_cells(const struct app *app, uint64_t limit)
{
	const struct timeline_window *w = &app->pagesets->window;

	for (unsigned i = 0; i < w->cells; i++) {
		if (w->from + (((uint64_t)i + 1) << w->zoom) - 1 > limit) {
			assert_int_equal(-1, w->cell[i].count);
			assert_int_equal(0, w->cell[i].marks);
		}
	}
}

static void test_no_op_after_the_question_can_be_stood_at(void **state)
{
	struct app *app = *state;
	uint64_t limit;

	to_question(app, "flush");
	limit = app->learn->at;
	pagesets_seek(app, limit + 1);
	assert_int_equal(limit, pagesets_timeline(app)->at);
	pagesets_step(app, 1);
	assert_int_equal(limit, pagesets_timeline(app)->at);
	assert_true(pagesets_event(app, 1, MARK_FLUSH));
	assert_int_equal(limit, pagesets_timeline(app)->at);
	pagesets_step(app, -1);
	assert_int_equal(limit - 1, pagesets_timeline(app)->at);
	assert_false(app->pagesets->scene.has_next);
	assert_true(app->pagesets->scene.verdict.hidden);
	check_cells(app, limit);
	pagesets_zoom_all(app);
	assert_true(app->pagesets->window.zoom > 0);
	check_cells(app, limit);
	learn_leave(app);
}

static void test_commands_that_would_tell_are_refused_while_a_prediction_is_pending(void **state)
{
	static const char *const telling[] = {"run iperf", "play", "set kernel=6.12", "pcp",
		"geometry", "op free", "record x.cast", "check iperf", "edit", "step +1",
		"lane B:kernel=6.12", "compare iperf --lane B:6.12"};
	struct app *app = *state;
	struct output out;

	to_question(app, "flush");
	for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++) {
		assert_int_equal(EXIT_USAGE, app_run(app, telling[i], FORMAT_TEXT, &out));
		assert_non_null(strstr(out.error.text, "pending"));
		output_done(&out);
	}
	assert_int_equal(EXIT_YES, app_run(app, "explain flushed", FORMAT_TEXT, &out));
	assert_non_null(strstr(zl_buf_text(&out.text), "flushed = ?"));
	assert_null(strstr(zl_buf_text(&out.text), "Other releases"));
	output_done(&out);
	learn_leave(app);
	assert_int_equal(EXIT_YES, app_run(app, "pcp", FORMAT_TEXT, &out));
	output_done(&out);
}

/* A command's answer as text and as JSON. */
static void say(struct app *app, const char *line, struct zl_buf *ret)
{
	struct output out;
	char *text = NULL;

	assert_int_equal(EXIT_YES, app_run(app, line, FORMAT_TEXT, &out));
	zl_buf_str(ret, zl_buf_text(&out.text));
	output_done(&out);
	assert_int_equal(EXIT_YES, app_run(app, line, FORMAT_JSON, &out));
	assert_int_equal(0, zl_json_print(out.json, true, &text));
	zl_buf_str(ret, text);
	zl_json_text_free(text);
	output_done(&out);
}

/* The answer's figure, and what is worked out from it, stand in no answer of the prompt. */
static void test_no_command_tells_a_hidden_value(void **state)
{
	static const char *const asking[] = {"list values", "list settings --resolved",
		"list glossary", "explain all", "explain high_min", "explain free_high_threshold",
		"explain zone_highsize", "explain free_high"};
	struct app *app = *state;
	char plain[32], grouped[32];
	struct zl_buf said = {0};

	to_question(app, "never");
	app->learn->phase = LEARN_PLAY;
	const int64_t high_min = app_value(app, "high_min");
	app->learn->phase = LEARN_ASK;
	zl_format(plain, sizeof(plain), "%D", high_min);
	zl_format(grouped, sizeof(grouped), "%N", (uint64_t)high_min);
	assert_true(high_min > 1000);
	for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++) {
		say(app, asking[i], &said);
		if (strstr(zl_buf_text(&said), plain) != NULL ||
			strstr(zl_buf_text(&said), grouped) != NULL) {
			fail_msg("`%s` tells %s:\n%s", asking[i], plain, zl_buf_text(&said));
		}
		zl_buf_done(&said);
	}
	learn_leave(app);
}

/* The size of a huge page is its order in bytes. */
static void test_a_huge_page_is_not_told_by_its_size(void **state)
{
	struct app *app = *state;
	struct zl_buf said = {0};

	to_question(app, "page-size");
	say(app, "list settings --resolved", &said);
	say(app, "list values", &said);
	say(app, "explain huge_page_size", &said);
	say(app, "explain pageblock_order", &said);
	assert_null(strstr(zl_buf_text(&said), "32M"));
	assert_null(strstr(zl_buf_text(&said), "HUGETLB_PAGE_ORDER = "));
	zl_buf_done(&said);
	assert_true(learn_hides(app, VALUE_SETTING_BASE + ZL_SET_HUGE_PAGE_SIZE));
	assert_true(learn_hides(app, value_find("huge_page_order")));
	learn_leave(app);
}

static void test_screens_are_open_and_veiled_while_a_prediction_is_pending(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};

	to_question(app, "flush");
	for (unsigned screen = SCREEN_GEOMETRY; screen <= SCREEN_LEARN; screen++) {
		assert_int_equal(0, app_show_screen(app, (enum app_screen)screen, &err));
		assert_false(learn_veils(app, (enum app_screen)screen));
	}
	learn_leave(app);
	to_question(app, "never");
	assert_int_equal(0, app_show_screen(app, SCREEN_RESERVE, &err));
	assert_true(learn_veils(app, SCREEN_RESERVE));
	assert_true(learn_veils(app, SCREEN_PAGESETS));
	assert_false(learn_veils(app, SCREEN_LEARN));
	/* No point of a sweep is worked out before the answer. */
	assert_int_equal(0, app_show_screen(app, SCREEN_SWEEP, &err));
	app_settle(app);
	assert_false(sweeps_busy(app));
	assert_int_equal(0, app->sweeps->part.have);
	learn_leave(app);
}

static void test_what_is_tried_between_two_steps_does_not_go_on(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};
	int64_t threshold;

	to_question(app, "chunks");
	threshold = app->pagesets->scene.pageset.threshold;
	assert_int_equal(0, learn_predict(app, 1, &err));
	app_must_set(app, "high_min=99");
	assert_int_not_equal(threshold, app->pagesets->scene.pageset.threshold);
	assert_int_equal(0, learn_next(app, &err));
	assert_true(learn_pending(app));
	assert_int_equal(threshold, app->pagesets->scene.pageset.threshold);
	/* The same where a step goes on in the run of the one before. */
	learn_leave(app);
	to_question(app, "refill");
	assert_int_equal(0, learn_predict(app, 1, &err));
	app_must_set(app, "batch=7");
	assert_int_equal(0, learn_next(app, &err));
	assert_int_equal(63, app->pagesets->scene.pageset.batch);
	assert_int_equal(app->learn->at, pagesets_timeline(app)->at);
	learn_leave(app);
}

/* ---- expressions ---- */

static void test_texts_are_filled_and_errors_name_their_place(void **state)
{
	struct app *app = *state;
	struct zl_error err = {0};
	struct zl_lesson_text good = at("{batch} and {batch * 2}, {was.batch}, {4 * KIB:size}");
	struct zl_lesson_text bad = at("{batsh}");
	char text[128];

	to_question(app, "flush");
	app->learn->phase = LEARN_PLAY;
	good.s = "{batch} and {batch * 2}, {4 * 1024:size}, {kernel}, {run.frees:free}, {1:hold}";
	assert_int_equal(0, learn_fill(app, &good, text, sizeof(text), &err));
	assert_string_equal("63 and 126, 4 KiB, 6.18.2, 0 frees, 1 hold", text);
	assert_true(learn_fill(app, &bad, text, sizeof(text), &err) < 0);
	assert_int_equal(7, err.line);
	assert_int_equal(9, err.column);
	bad.s = "{batch";
	assert_true(learn_fill(app, &bad, text, sizeof(text), &err) < 0);
	learn_leave(app);
}

/* What the lesson calls the next free is the next op, and it is a free. */
static void test_the_next_free_is_the_next_op(void **state)
{
	struct app *app = *state;

	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct zl_error err = {0};
		struct zl_record r;

		assert_int_equal(0, learn_open(app, "flush", seed, &err));
		assert_int_equal(0, learn_next(app, &err));
		assert_true(learn_pending(app));
		assert_int_equal(0, learn_predict(app, 1, &err));
		zl_sim_record(pagesets_timeline(app)->sim, &r);
		if (r.op.kind != ZL_OP_FREE || r.cpu != 1 || r.order != 3) {
			fail_msg("seed %u: op %u is no free of cpu 1", (unsigned)seed,
				(unsigned)r.index);
		}
		learn_leave(app);
	}
}

/* A setting that the answer changes is told as it was and as it is. */
static void test_settings_are_told_as_they_were(void **state)
{
	static const struct {
		const char *lesson, *text, *filled;
	} then[] = {
		{"page-size", "{was.page_size} to {page_size}, {was.page_size / 1024}",
			"4 KiB to 16 KiB, 4"								   },
		{"hold",	 "{was.pcp_batch_scale_max}, {pcp_batch_scale_max == s}",  "5, 1"		},
		{"chunks",	   "{was.kernel} to {kernel}",			       "6.18.2 to 6.19"},
	};
	struct app *app = *state;

	for (size_t i = 0; i < sizeof(then) / sizeof(then[0]); i++) {
		struct zl_lesson_text t = at(then[i].text);
		struct zl_error err = {0};
		char text[128];

		to_question(app, then[i].lesson);
		while (learn_step(app->learn)->then.count == 0 || !learn_pending(app)) {
			assert_int_equal(0, learn_next(app, &err));
		}
		assert_int_equal(0, learn_predict(app, 1, &err));
		if (learn_fill(app, &t, text, sizeof(text), &err) < 0) {
			fail_msg("%s: %s", then[i].lesson, err.text);
		}
		assert_string_equal(then[i].filled, text);
		learn_leave(app);
	}
}

/* A number without bound in a formula must not keep the check busy. */
static void test_a_run_that_is_too_long_is_refused(void **state)
{
	static const char text[] =
		HEAD "\"numbers\":{\"n\":[10,40]},\"scenario\":{\"parameters\":{\"n\":10},"
		     "\"programs\":[{\"cpus\":0,\"do\":[{\"alloc\":0,\"count\":\"n * 100000\"}]}]},"
		     "\"steps\":[{\"caption\":\"c\",\"at\":{\"when\":\"count > 100000000\"}}]}";
	struct app *app = *state;
	struct zl_error err = {0};
	char path[] = "/tmp/zonelab-lesson-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(sizeof(text) - 1, write(fd, text, sizeof(text) - 1));
	close(fd);
	assert_true(learn_check(app, path, SEEDS, &err) < 0);
	assert_non_null(strstr(err.text, "goes on after op 100000"));
	(void)remove(path);
}

/* ---- answers ---- */

static void test_answer_files_are_read_or_refused_with_their_place(void **state)
{
	static const struct {
		const char *text;
		unsigned line, column;
	} bad[] = {
		{"x 1",	1, 1},
		{"1",	      1, 1},
		{"1 2 3",	  1, 5},
		{"\n2 no",   2, 3},
		{"1 1\n1 2", 2, 1},
		{"seed 0",   1, 1},
		{"99 1",	 1, 1},
	};
	struct lesson_answers a;
	struct zl_error err = {0};
	static const char good[] = "# mine\nlesson flush\nseed 7\n\n2 3\r\n5 op 190\n6 never";

	(void)state;
	assert_int_equal(0, lesson_answers_parse(good, strlen(good), &a, &err));
	assert_string_equal("flush", a.lesson);
	assert_int_equal(7, a.seed);
	assert_int_equal(3, a.count);
	assert_int_equal(3, a.given[0].answer);
	assert_int_equal(190, a.given[1].answer);
	assert_true(a.given[2].answer == LEARN_NEVER);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_true(lesson_answers_parse(bad[i].text, strlen(bad[i].text), &a, &err) < 0);
		if (err.line != bad[i].line || err.column != bad[i].column) {
			fail_msg("'%s' gave %u:%u %s", bad[i].text, err.line, err.column, err.text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_files_are_refused_with_their_place),
		APP_TEST(test_every_lesson_goes_to_its_end_with_right_and_wrong_answers),
		APP_TEST(test_leaving_gives_the_users_machine_and_run_back),
		APP_TEST(test_a_lesson_goes_on_from_the_screens_of_runs),
		APP_TEST(test_no_op_after_the_question_can_be_stood_at),
		APP_TEST(test_commands_that_would_tell_are_refused_while_a_prediction_is_pending),
		APP_TEST(test_no_command_tells_a_hidden_value),
		APP_TEST(test_a_huge_page_is_not_told_by_its_size),
		APP_TEST(test_screens_are_open_and_veiled_while_a_prediction_is_pending),
		APP_TEST(test_what_is_tried_between_two_steps_does_not_go_on),
		APP_TEST(test_a_run_that_is_too_long_is_refused),
		APP_TEST(test_texts_are_filled_and_errors_name_their_place),
		APP_TEST(test_settings_are_told_as_they_were),
		APP_TEST(test_the_next_free_is_the_next_op),
		cmocka_unit_test(test_answer_files_are_read_or_refused_with_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
