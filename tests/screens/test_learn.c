/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Learn screen: golden screens, all texts of all lessons at the smallest size, answers by
 * arrows, and that a pending prediction is told by no view.
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

#include "golden.h"
#include "learn.h"
#include "pagesets.h"
#include "plain.h"
#include "zonelab/shipped.h"

#define FRAME_NS UINT64_C(70000000)

static struct stage *learn_new(const char *lesson, int rows, int cols)
{
	struct stage *s = stage_on(SCREEN_LEARN, rows, cols);
	char line[128];

	if (lesson != NULL) {
		snprintf(line, sizeof(line), "lesson %s", lesson);
		command(s, line);
	}
	return s;
}

/* Enter until a question is asked. */
static void to_question(struct stage *s)
{
	while (!learn_pending(&s->app)) {
		press(s, "Enter");
	}
}

/* ---- pictures ---- */

static void the_list_shows_lessons_and_glossary(void **state)
{
	struct stage *s = learn_new(NULL, 24, 80);

	(void)state;
	assert_golden_at_all_sizes(s, "learn-list");
	stage_free(s);
}

static void a_pending_prediction_keeps_what_comes_next_hidden(void **state)
{
	struct stage *s = learn_new("flush", 24, 80);

	(void)state;
	to_question(s);
	press(s, "Down");
	assert_golden_at_all_sizes(s, "learn-pending");
	assert_shows(s, "hidden until you answer");
	press(s, "Enter");
	assert_golden_at_all_sizes(s, "learn-told");
	assert_hides(s, "hidden until you answer");
	stage_free(s);
}

static void a_lesson_without_a_run_lists_values(void **state)
{
	struct stage *s = learn_new("watermarks", 24, 80);

	(void)state;
	to_question(s);
	assert_golden_at_all_sizes(s, "learn-values");
	stage_free(s);
}

static void numbers_and_points_are_chosen_by_arrows(void **state)
{
	struct stage *s = learn_new("refill", 24, 80);

	(void)state;
	to_question(s);
	press(s, "Up Up Up Left Up Up Up Up Up Up");
	assert_int_equal(63, s->app.learn->typed);
	assert_golden(s, "learn-number-80x24");
	press(s, "Enter");
	assert_int_equal(1, s->app.learn->right);
	press(s, "Enter");
	assert_true(learn_pending(&s->app));
	press(s, "Down Down Right Right Up");
	assert_int_equal(2 + 10 + 2, s->app.learn->typed);
	assert_golden(s, "learn-point-80x24");
	press(s, "End");
	assert_true(s->app.learn->typed == LEARN_NEVER);
	assert_shows(s, "never in this run");
	stage_free(s);
}

static void why_of_the_asked_value_gives_its_inputs_only(void **state)
{
	struct stage *s = learn_new("never", 24, 80);

	(void)state;
	to_question(s);
	press(s, "w");
	assert_golden(s, "learn-why-80x24");
	assert_shows(s, "free_high_reachable = ?");
	assert_hides(s, "Other releases");
	stage_free(s);
}

static void the_end_says_the_score(void **state)
{
	struct stage *s = learn_new("chunks", 24, 80);

	(void)state;
	while (s->app.learn->phase != LEARN_END) {
		press(s, "Enter");
	}
	assert_golden(s, "learn-end-80x24");
	press(s, "Enter");
	assert_false(learn_open_now(&s->app));
	assert_shows(s, "1 attempt");
	stage_free(s);
}

/* ---- texts ---- */

/* Blanks and line breaks count the same. */
static void flatten(const char *s, char *buf, size_t size)
{
	size_t n = 0;

	for (; *s != '\0' && n + 1 < size; s++) {
		char c = *s == '\n' ? ' ' : *s;
		if (c != ' ' || (n > 0 && buf[n - 1] != ' ')) {
			buf[n++] = c;
		}
	}
	buf[n] = '\0';
}

static void assert_all_there(struct stage *s, const char *text)
{
	static char screen[TEXT_MAX], want[LEARN_TEXT];

	draw(s);
	flatten(s->screen, screen, sizeof(screen));
	flatten(text, want, sizeof(want));
	if (strstr(screen, want) == NULL) {
		fail_msg("%s step %u: not all of this is on the screen: %s\n%s",
			s->app.learn->lesson.name, s->app.learn->step + 1, text, s->screen);
	}
}

static void assert_step_there(struct stage *s, const struct learn *l)
{
	assert_all_there(s, l->caption);
	if (l->phase == LEARN_TOLD) {
		char verdict[LEARN_TEXT];
		learn_verdict_text(l, verdict, sizeof(verdict));
		assert_all_there(s, verdict);
		assert_all_there(s, l->wrong);
		assert_all_there(s, l->explain);
	}
	if (!learn_pending(&s->app)) {
		return;
	}
	assert_all_there(s, l->ask);
	for (unsigned c = 0; c < learn_step(l)->question.nr_choices; c++) {
		assert_all_there(s, l->choice_text[c]);
	}
}

/* Answers that lessons have a remark for, and one that is far off. */
static int64_t some_answer(const struct learn *l, unsigned attempt)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;

	if (q->kind == ZL_LESSON_CHOICE) {
		return 1 + attempt % q->nr_choices;
	}
	return q->kind == ZL_LESSON_POINT && attempt == 1 ? LEARN_NEVER : (int64_t)l->at + attempt;
}

static void walk_lesson(size_t lesson, unsigned attempt)
{
	struct stage *s = learn_new(NULL, 24, 80);
	struct learn *l = learn_get(&s->app);
	struct zl_error err = {0};

	assert_int_equal(0, learn_open(&s->app, zl_shipped_at(ZL_SHIPPED_LESSONS, lesson)->name,
				    attempt + 1, &err));

	while (l->phase != LEARN_END) {
		assert_step_there(s, l);
		if (learn_pending(&s->app)) {
			assert_int_equal(0, learn_predict(&s->app, some_answer(l, attempt), &err));
		} else {
			press(s, "Enter");
		}
	}
	stage_free(s);
}

static void all_texts_of_all_lessons_fit_the_smallest_screen(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		for (unsigned attempt = 0; attempt < 4; attempt++) {
			walk_lesson(i, attempt);
		}
	}
}

/* ---- what is hidden ---- */

/* All that some screens say of a state, in words. */
static void say(struct stage *s, const char *screens, struct zl_buf *ret)
{
	for (; *screens != '\0'; screens++) {
		const char key[] = {*screens, '\0'};

		press(s, key);
		app_settle(&s->app);
		draw(s);
		zl_buf_str(ret, s->screen);
		plain_screen(&s->app, false, ret);
		plain_screen(&s->app, true, ret);
		press(s, "w");
		draw(s);
		zl_buf_str(ret, s->screen);
		plain_screen(&s->app, true, ret);
		if (s->app.overlay != OVERLAY_NONE) {
			press(s, "Esc");
		}
	}
}

/*
 * Two lessons that are the same up to the question and have different answers look the same in
 * every view while it is pending.
 */
#define SAME_UNTIL_60                                                                              \
	"{\"kind\":\"lesson\",\"version\":1,\"name\":\"t\",\"title\":\"T\",\"cpu\":0,"             \
	"\"machine\":{\"kernel\":\"6.12\",\"cpus\":2,\"memory\":\"1G\"},"                          \
	"\"scenario\":{\"programs\":[{\"cpus\":0,\"do\":[{\"alloc\":3,\"count\":40},"              \
	"{\"free\":20},%s]}]},"                                                                    \
	"\"steps\":[{\"caption\":\"b\",\"at\":59},"                                                \
	"{\"caption\":\"c\",\"at\":60,\"question\":{\"ask\":\"?\","                                \
	"\"asked\":\"flushed\",\"choices\":[{\"text\":\"y\",\"when\":\"flushed\"},"                \
	"{\"text\":\"n\",\"when\":\"!flushed\"}]},\"explain\":\"e\"}]}"

static void no_view_tells_the_answer(void **state)
{
	/* After eight frees free_count is 64: the next free flushes, an allocation does not. */
	static const char *const futures[] = {"{\"free\":10}", "{\"alloc\":3,\"count\":10}"};
	struct zl_buf said[2] = {{0}, {0}};
	int64_t answers[2] = {0, 0};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stage *s = stage_on(SCREEN_LEARN, 24, 80);
		char text[2048], path[] = "/tmp/zonelab-lesson-XXXXXX";
		struct zl_error err = {0};
		int fd = mkstemp(path);

		assert_true(fd >= 0);
		int n = snprintf(text, sizeof(text), SAME_UNTIL_60, futures[i]);
		assert_int_equal(n, write(fd, text, (size_t)n));
		close(fd);
		assert_int_equal(0, learn_open(&s->app, path, 1, &err));
		unlink(path);
		/* Before it is asked what comes is not told either. */
		assert_int_equal(59, pagesets_timeline(&s->app)->at);
		say(s, "1236", &said[i]);
		press(s, "6 Enter");
		assert_int_equal(60, pagesets_timeline(&s->app)->at);
		say(s, "123456", &said[i]);
		assert_int_equal(0, learn_predict(&s->app, 1, &err));
		answers[i] = s->app.learn->answer;
		stage_free(s);
	}
	assert_int_not_equal(answers[0], answers[1]);
	assert_string_equal(zl_buf_text(&said[0]), zl_buf_text(&said[1]));
	zl_buf_done(&said[0]);
	zl_buf_done(&said[1]);
}

static void a_hidden_value_is_a_question_mark_on_geometry_too(void **state)
{
	struct stage *s = learn_new("watermarks", 40, 120);
	char figure[32];

	(void)state;
	to_question(s);
	draw(s);
	assert_shows(s, "min_free_kbytes                      ?");
	press(s, "1");
	assert_hides(s, "The same kernel");
	press(s, "6 Enter 1");
	struct value_in in = app_values(&s->app);
	value_text(&in, VALUE_MIN_FREE_KBYTES, figure, sizeof(figure));
	assert_shows(s, figure);
	assert_shows(s, "The same kernel");
	stage_free(s);
}

/* The machine of a step: every setting, as screens show it. */
static void settings_of(struct stage *s, struct zl_buf *ret)
{
	const struct value_in in = app_values(&s->app);

	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		char text[ZL_CMDLINE_TEXT];

		zl_machine_setting(
			in.profile, in.machine, (enum zl_setting)key, text, sizeof(text));
		zl_buf_fmt(ret, "%s=%s\n", value_name(VALUE_SETTING_BASE + key), text);
	}
}

/* Answers a step; returns how many settings change with it. */
static unsigned compare_settings(struct stage *s)
{
	struct zl_buf asked = {0}, told = {0};
	const bool pending = learn_pending(&s->app);
	const unsigned changes = learn_step(s->app.learn)->then.count;

	settings_of(s, &asked);
	press(s, "Enter");
	settings_of(s, &told);
	if (pending) {
		assert_string_equal(zl_buf_text(&asked), zl_buf_text(&told));
	}
	zl_buf_done(&asked);
	zl_buf_done(&told);
	return pending ? changes : 0;
}

static void a_question_shows_the_machine_that_it_is_about(void **state)
{
	unsigned changed = 0;

	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		struct stage *s = learn_new(zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, 24, 80);

		while (s->app.learn->phase != LEARN_END) {
			changed += compare_settings(s);
		}
		stage_free(s);
	}
	assert_true(changed > 10);
}

static void a_lesson_about_a_machine_is_told_by_no_screen(void **state)
{
	struct stage *s = learn_new("never", 24, 80);

	(void)state;
	to_question(s);
	for (const char *key = "234"; *key != '\0'; key++) {
		const char one[] = {*key, '\0'};
		press(s, one);
		assert_shows(s, "?  hidden until you answer");
		assert_hides(s, "high_min");
	}
	press(s, "5");
	app_settle(&s->app);
	assert_shows(s, "0 of 84 points");
	/* A run that was looked at does not become the lesson's. */
	press(s, "6");
	assert_shows(s, "free_high can fire                   ?");
	press(s, "Enter 3");
	assert_hides(s, "hidden until you answer");
	press(s, "6");
	assert_shows(s, "What happened, and why");
	assert_shows(s, "low watermark");
	stage_free(s);
}

static void lanes_beside_a_question_keep_their_totals(void **state)
{
	struct stage *s = learn_new("flush", 24, 80);

	(void)state;
	command(s, "lane B:kernel=6.12");
	press(s, "4");
	assert_shows(s, "flushes (free_high)");
	assert_hides(s, "hidden until you answer");
	press(s, "6");
	command(s, "answer");
	assert_true(learn_pending(&s->app));
	press(s, "4");
	assert_shows(s, "hidden until you answer");
	assert_hides(s, "They differ on");
	stage_free(s);
}

static void playing_the_answer_ends_with_the_explanation(void **state)
{
	struct stage *s = learn_new("flush", 24, 80);
	unsigned frames = 0;

	(void)state;
	s->app.motion = true;
	to_question(s);
	press(s, "Enter Enter Enter"); /* answer, its end, the next question */
	assert_true(learn_pending(&s->app));
	press(s, "Enter");
	assert_int_equal(LEARN_PLAY, s->app.learn->phase);
	assert_shows(s, "Playing the answer");
	while (s->app.learn->phase == LEARN_PLAY && frames < 1000) {
		(void)app_tick(&s->app, FRAME_NS);
		frames++;
	}
	assert_int_equal(LEARN_TOLD, s->app.learn->phase);
	assert_true(frames > 5);
	assert_int_equal(s->app.learn->end, pagesets_timeline(&s->app)->at);
	assert_all_there(s, s->app.learn->explain);
	stage_free(s);
}

/* After the answer the inputs are those of the question, also where it changed the machine. */
static void inputs_stay_as_they_were_asked(void **state)
{
	struct stage *s = learn_new("fallback", 24, 80);

	(void)state;
	while (s->app.learn->step < 4 || !learn_pending(&s->app)) {
		press(s, "Enter");
	}
	assert_shows(s, "page_size 64 KiB");
	press(s, "Enter");
	assert_int_equal(LEARN_TOLD, s->app.learn->phase);
	assert_shows(s, "page_size 64 KiB");
	stage_free(s);
}

/* Another lane, opened and walked on Compare, is not the lesson's. */
static void coming_back_from_compare_stands_where_the_lesson_does(void **state)
{
	struct stage *s = learn_new("flush", 24, 80);

	(void)state;
	press(s, "4 Enter");
	assert_int_equal(1, s->app.active);
	press(s, "6");
	assert_int_equal(0, s->app.active);
	assert_int_equal(s->app.learn->at, pagesets_timeline(&s->app)->at);
	assert_shows(s, "cpu 1 of 24");
	press(s, "Enter");
	assert_true(learn_pending(&s->app));
	press(s, "4 n Enter 6 Down Enter");
	assert_int_equal(LEARN_TOLD, s->app.learn->phase);
	assert_int_equal(1, s->app.learn->answered);
	press(s, "4 n 6");
	assert_int_equal(s->app.learn->end, pagesets_timeline(&s->app)->at);
	stage_free(s);
}

/* ---- why ---- */

static void check_why(struct stage *s, unsigned id, unsigned screen)
{
	const struct value_in in = app_values(&s->app);
	struct explain e;

	if (!explain_fill(&in, id, &e) || e.definition[0] == '\0') {
		fail_msg("screen %u shows %s (id %u), which nothing explains", screen,
			value_name(id), id);
	}
	if (id >= VALUE_COUNT || !e.has_number) {
		return;
	}
	const bool input = id == VALUE_RESERVE_ASKED; /* as a file has it */
	if (e.formula[0] == '\0' || e.source[0] == '\0' || (e.nr_inputs == 0 && !input)) {
		fail_msg("screen %u shows %s, which is explained in part only", screen, e.name);
	}
}

static void every_figure_on_every_screen_is_explained(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 60, 200);
	unsigned checked = 0;

	(void)state;
	for (unsigned screen = SCREEN_GEOMETRY; screen <= SCREEN_LEARN; screen++) {
		bool seen[VALUE_KEY] = {false};
		struct zl_error err = {0};

		if (app_show_screen(&s->app, (enum app_screen)screen, &err) < 0) {
			continue;
		}
		draw(s);
		for (int cell = 0; cell < s->c.rows * s->c.cols; cell++) {
			unsigned id = s->cells[cell].id;
			if (id != CANVAS_NO_ID && id < VALUE_KEY && !seen[id]) {
				seen[id] = true;
				check_why(s, id, screen);
				checked++;
			}
		}
	}
	assert_true(checked > 60);
	stage_free(s);
}

/* ---- anything ---- */

static void any_keys_at_any_size_give_a_screen_with_ids(void **state)
{
	static const char *const keys[] = {"Up", "Down", "Left", "Right", "Enter", "Tab", ",", ".",
		"w", "Esc", "n", "/", "1", "3", "6", "PgUp", "End", "Space", "?", "u", "e", "+"};
	static const int sizes[][2] = {
		{24, 80 },
		  {25, 81 },
		    {31, 119},
		       {37, 120},
		  {60, 200}
	   };
	uint32_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage *s = learn_new(NULL, sizes[i][0], sizes[i][1]);
		for (unsigned k = 0; k < 150; k++) {
			press(s, keys[next_random(&seed) % (sizeof(keys) / sizeof(keys[0]))]);
			draw(s);
		}
		stage_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_shows_lessons_and_glossary),
		cmocka_unit_test(a_pending_prediction_keeps_what_comes_next_hidden),
		cmocka_unit_test(a_lesson_without_a_run_lists_values),
		cmocka_unit_test(numbers_and_points_are_chosen_by_arrows),
		cmocka_unit_test(why_of_the_asked_value_gives_its_inputs_only),
		cmocka_unit_test(the_end_says_the_score),
		cmocka_unit_test(all_texts_of_all_lessons_fit_the_smallest_screen),
		cmocka_unit_test(no_view_tells_the_answer),
		cmocka_unit_test(a_hidden_value_is_a_question_mark_on_geometry_too),
		cmocka_unit_test(a_question_shows_the_machine_that_it_is_about),
		cmocka_unit_test(a_lesson_about_a_machine_is_told_by_no_screen),
		cmocka_unit_test(lanes_beside_a_question_keep_their_totals),
		cmocka_unit_test(playing_the_answer_ends_with_the_explanation),
		cmocka_unit_test(coming_back_from_compare_stands_where_the_lesson_does),
		cmocka_unit_test(inputs_stay_as_they_were_asked),
		cmocka_unit_test(every_figure_on_every_screen_is_explained),
		cmocka_unit_test(any_keys_at_any_size_give_a_screen_with_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
