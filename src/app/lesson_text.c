/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson_text.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT	    2
#define BLANK	    " \t"
#define HEADING	    "── "
#define ASCII_START "-- "

/* ---- questions ---- */

static void put_choices(const struct learn *l, struct output *out)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;

	for (unsigned i = 0; i < q->nr_choices; i++) {
		zl_buf_fmt(&out->text, "  %u  ", i + 1);
		output_wrap(out, INDENT + 3, l->choice_text[i]);
	}
}

/* How a question is answered, in words. */
static void answer_form(const struct learn *l, char *buf, size_t size)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;

	if (q->kind == ZL_LESSON_CHOICE) {
		zl_format(buf, size, "1 to %u", q->nr_choices);
	} else if (q->kind == ZL_LESSON_POINT) {
		zl_format(buf, size, "an op after %U, or never", l->at);
	} else {
		zl_format(buf, size, "a number%s%s", q->unit[0] != '\0' ? " of " : "", q->unit);
	}
}

static void put_step(const struct app *app, struct output *out)
{
	const struct learn *l = app->learn;
	char form[64];

	zl_buf_fmt(&out->text, "\nStep %u of %u\n  ", l->step + 1, l->lesson.nr_steps);
	output_wrap(out, INDENT, l->caption);
	if (!learn_pending(app)) {
		return;
	}
	answer_form(l, form, sizeof(form));
	zl_buf_str(&out->text, "  ? ");
	output_wrap(out, INDENT + 2, l->ask);
	put_choices(l, out);
	zl_buf_fmt(&out->text, "  answer: %s\n", form);
}

static void put_step_json(const struct app *app, struct zl_json *steps)
{
	const struct learn *l = app->learn;
	const struct zl_lesson_question *q = &learn_step(l)->question;
	struct zl_json *o = zl_json_push_object(steps);
	static const char *const kinds[] = {"none", "choice", "number", "point"};

	zl_json_add_int(o, "step", l->step + 1);
	zl_json_add_string(o, "caption", l->caption);
	if (q->kind == ZL_LESSON_NOTHING) {
		zl_json_add_null(o, "question");
		return;
	}
	struct zl_json *j = zl_json_add_object(o, "question");
	zl_json_add_string(j, "ask", l->ask);
	zl_json_add_string(j, "asked", value_name(l->asked));
	zl_json_add_string(j, "answer", kinds[q->kind]);
	zl_json_add_string(j, "unit", q->unit);
	struct zl_json *choices = zl_json_add_array(j, "choices");
	for (unsigned i = 0; i < q->nr_choices; i++) {
		zl_json_push_string(choices, l->choice_text[i]);
	}
}

/* Any prediction opens the way to the next step. */
static int pass(struct app *app, struct zl_error *err)
{
	return learn_pending(app) ? learn_predict(app, 1, err) : learn_next(app, err);
}

static int open_quietly(struct app *app, const struct lesson_what *what, struct zl_error *err)
{
	int rc = learn_open(app, what->name, what->seed > 0 ? what->seed : 1, err);

	if (rc == 0) {
		app->learn->animate = false;
	}
	return rc;
}

static void close_quietly(struct app *app)
{
	if (learn_open_now(app)) {
		app->learn->answered = 0; /* no attempt of the user's */
		learn_leave(app);
	}
}

static int failed(int rc, const char *name, struct output *out)
{
	if (rc != 0 && out->error.file[0] == '\0') {
		zl_error_file(&out->error, name);
	}
	return rc;
}

int lesson_print(struct app *app, const struct lesson_what *what, struct output *out)
{
	int rc = open_quietly(app, what, &out->error);
	struct zl_json *steps = NULL;
	unsigned shown = 0;

	if (rc != 0) {
		return failed(rc, what->name, out);
	}
	const struct learn *l = app->learn;
	if (out->format == FORMAT_JSON) {
		struct zl_json *o = output_json(out, "lesson");
		char seed[24];
		zl_format(seed, sizeof(seed), "%U", l->seed);
		zl_json_add_string(o, "name", l->lesson.name);
		zl_json_add_string(o, "title", l->lesson.title);
		zl_json_add_string(o, "about", l->lesson.about);
		zl_json_add_string(o, "seed", seed);
		steps = zl_json_add_array(o, "steps");
	} else {
		zl_buf_fmt(
			&out->text, "%s: %s (seed %U)\n", l->lesson.name, l->lesson.title, l->seed);
	}
	while (rc == 0 && l->phase != LEARN_END) {
		if (l->phase == LEARN_ASK && shown <= l->step) {
			shown = l->step + 1;
			if (steps != NULL) {
				put_step_json(app, steps);
			} else {
				put_step(app, out);
			}
		}
		rc = pass(app, &out->error);
	}
	close_quietly(app);
	return failed(rc, what->name, out);
}

/* ---- handout ---- */

static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool is_heading(const char *line)
{
	return begins(line, HEADING) || begins(line, ASCII_START);
}

/* Whether a line is the heading of what the prose says already. */
static bool is_task(const char *line)
{
	static const char *const tasks[] = {"Your prediction", "What happened", "The end"};

	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++) {
		if (begins(line + (begins(line, HEADING) ? strlen(HEADING) : strlen(ASCII_START)),
			    tasks[i])) {
			return true;
		}
	}
	return false;
}

/* The middle of the screen: from its second heading up to the question or explanation. */
static void put_panels(const char *screen, struct zl_buf *b)
{
	unsigned headings = 0, blank = 0;

	zl_buf_str(b, "\n```text\n");
	while (*screen != '\0' && !(is_heading(screen) && is_task(screen))) {
		size_t n = strcspn(screen, "\n");

		headings += is_heading(screen) ? 1 : 0;
		blank = n == 0 ? blank + 1 : 0;
		if (headings >= 2 && blank == 0) {
			zl_buf_mem(b, screen, n);
			zl_buf_chr(b, '\n');
		}
		screen += n + (screen[n] == '\n' ? 1 : 0);
	}
	zl_buf_str(b, "```\n");
}

static void put_screen(struct app *app, struct zl_buf *b)
{
	struct zl_buf screen = {0};

	if (app->hooks == NULL || app->hooks->screen_text == NULL) {
		return;
	}
	app->screen = SCREEN_LEARN;
	app->hooks->screen_text(app, &screen);
	put_panels(zl_buf_text(&screen), b);
	b->failed = b->failed || screen.failed;
	zl_buf_done(&screen);
}

static void handout_question(struct app *app, struct output *out)
{
	const struct learn *l = app->learn;
	char form[64];

	put_screen(app, &out->text);
	zl_buf_fmt(&out->text, "\n**%s**\n\n", l->ask);
	for (unsigned i = 0; i < learn_step(l)->question.nr_choices; i++) {
		zl_buf_fmt(&out->text, "%u. [ ] %s\n", i + 1, l->choice_text[i]);
	}
	if (learn_step(l)->question.kind != ZL_LESSON_CHOICE) {
		answer_form(l, form, sizeof(form));
		zl_buf_fmt(&out->text, "Answer (%s): ____________\n", form);
	}
}

static void handout_answer(struct app *app, struct zl_buf *answers)
{
	const struct learn *l = app->learn;
	char right[160];

	learn_answer_text(l, l->answer, right, sizeof(right));
	zl_buf_fmt(answers, "\n### Step %u\n\n%s\n\n**%s**\n\n%s\n", l->step + 1, l->ask, right,
		l->explain);
	put_screen(app, answers);
}

int lesson_handout(struct app *app, const struct lesson_what *what, struct output *out)
{
	int rc = open_quietly(app, what, &out->error);
	struct zl_buf answers = {0};
	unsigned shown = 0;

	if (rc != 0) {
		return failed(rc, what->name, out);
	}
	const struct learn *l = app->learn;
	zl_buf_fmt(&out->text,
		"# %s\n\n%s. Numbers of seed %U. Answer a step before you read the next: it goes "
		"on "
		"from what has happened.\n",
		l->lesson.title, l->lesson.about, l->seed);
	while (rc == 0 && l->phase != LEARN_END) {
		if (l->phase == LEARN_ASK && shown <= l->step) {
			shown = l->step + 1;
			zl_buf_fmt(&out->text, "\n## Step %u\n\n%s\n", shown, l->caption);
			if (learn_pending(app)) {
				handout_question(app, out);
			}
		}
		const bool asked = learn_pending(app);
		rc = pass(app, &out->error);
		if (rc == 0 && asked) {
			handout_answer(app, &answers);
		}
	}
	zl_buf_str(&out->text, "\n## Answers\n");
	zl_buf_str(&out->text, zl_buf_text(&answers));
	out->text.failed = out->text.failed || answers.failed;
	zl_buf_done(&answers);
	close_quietly(app);
	return failed(rc, what->name, out);
}

/* ---- answers ---- */

/* A word of a line, and where it starts. */
struct word {
	const char *s;
	size_t n;
	unsigned column;
};

static struct word next_word(const char *line, size_t size, size_t *at)
{
	struct word w = {0};

	while (*at < size && strchr(BLANK, line[*at]) != NULL) {
		(*at)++;
	}
	w.s = line + *at;
	w.column = (unsigned)*at + 1;
	while (*at < size && strchr(BLANK, line[*at]) == NULL) {
		(*at)++;
		w.n++;
	}
	return w;
}

static bool word_is(const struct word *w, const char *s)
{
	return w->n == strlen(s) && strncmp(w->s, s, w->n) == 0;
}

static bool word_number(const struct word *w, uint64_t *ret)
{
	char digits[24];
	struct zl_text t;

	zl_text_init(&t, digits, sizeof(digits));
	zl_text_strn(&t, w->s, w->n);
	return !t.cut && zl_parse_u64(digits, ret) == 0 && *ret < (uint64_t)LEARN_NEVER;
}

static int add_given(struct lesson_answers *a, const struct lesson_given *g, struct zl_error *err)
{
	for (unsigned i = 0; i < a->count; i++) {
		if (a->given[i].step == g->step) {
			zl_error_set(err, g->line, 1, "step %u is answered twice", g->step);
			return -EINVAL;
		}
	}
	if (a->count == ZL_LESSON_STEPS_MAX) {
		zl_error_set(err, g->line, 1, "too many answers; at most %d", ZL_LESSON_STEPS_MAX);
		return -EINVAL;
	}
	a->given[a->count++] = *g;
	return 0;
}

/* "lesson NAME", "seed N" or "STEP ANSWER". */
static int take_line(
	const char *line, size_t size, unsigned nr, struct lesson_answers *a, struct zl_error *err)
{
	size_t at = 0;
	struct word key = next_word(line, size, &at), value = next_word(line, size, &at);
	struct word more = next_word(line, size, &at);
	struct lesson_given g = {.line = nr, .column = value.column};
	uint64_t v = 0, step = 0;
	struct zl_text t;

	if (word_is(&value, "op") && more.n > 0) {
		value = more;
		more = next_word(line, size, &at);
	}
	if (key.n == 0 || key.s[0] == '#') {
		return 0;
	}
	if (more.n > 0 || value.n == 0) {
		zl_error_set(err, nr, more.n > 0 ? more.column : key.column,
			"two words are needed: lesson NAME, seed N, or STEP ANSWER");
		return -EINVAL;
	}
	if (word_is(&key, "lesson")) {
		zl_text_init(&t, a->lesson, sizeof(a->lesson));
		zl_text_strn(&t, value.s, value.n);
		return 0;
	}
	if (word_is(&key, "seed") && word_number(&value, &a->seed) && a->seed > 0) {
		return 0;
	}
	if (!word_number(&key, &step) || step < 1 || step > ZL_LESSON_STEPS_MAX) {
		zl_error_set(err, nr, key.column, "no step; a number from 1, or lesson, or seed");
		return -EINVAL;
	}
	bool never = word_is(&value, "never");
	if (!never && !word_number(&value, &v)) {
		zl_error_set(err, nr, value.column, "no answer; a whole number, or never");
		return -EINVAL;
	}
	g.step = (unsigned)step;
	g.answer = never ? LEARN_NEVER : (int64_t)v;
	return add_given(a, &g, err);
}

int lesson_answers_parse(
	const char *text, size_t size, struct lesson_answers *ret, struct zl_error *err)
{
	unsigned nr = 0;
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	while (rc == 0 && size > 0) {
		const char *end = memchr(text, '\n', size);
		size_t n = end != NULL ? (size_t)(end - text) : size;
		size_t length = n > 0 && text[n - 1] == '\r' ? n - 1 : n;

		rc = take_line(text, length, ++nr, ret, err);
		n += end != NULL ? 1 : 0;
		text += n;
		size -= n;
	}
	return rc;
}

/* ---- grading ---- */

static const struct lesson_given *given_for(const struct lesson_answers *a, unsigned step)
{
	for (unsigned i = 0; i < a->count; i++) {
		if (a->given[i].step == step) {
			return &a->given[i];
		}
	}
	return NULL;
}

/* One step: predicts, and writes a row of the result. */
static int grade_step(
	struct app *app, const struct lesson_given *g, struct table *t, struct zl_error *err)
{
	struct learn *l = app->learn;
	char given[160] = "no answer", right[160];
	const enum zl_lesson_answer kind = learn_step(l)->question.kind;
	/* A missing answer is wrong whatever is predicted in its place. */
	int rc = learn_predict(app, g != NULL ? g->answer : 1, err);

	if (rc != 0) {
		if (g != NULL) {
			err->line = g->line;
			err->column = g->column;
		}
		return rc;
	}
	if (g == NULL && l->mark[l->step] == LEARN_RIGHT) {
		l->right--;
	}
	l->mark[l->step] = g == NULL ? LEARN_WRONG : l->mark[l->step];
	if (g != NULL) {
		learn_answer_text(l, g->answer, given, sizeof(given));
	}
	learn_answer_text(l, l->answer, right, sizeof(right));
	(void)kind;
	table_number(t, l->step + 1);
	table_bool(t, l->mark[l->step] == LEARN_RIGHT, "ok", "no");
	table_text(t, given);
	table_text(t, right);
	return 0;
}

/* "2, 3, 5": the steps that ask something. */
static void asking_steps(const struct zl_lesson *l, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (unsigned i = 0; i < l->nr_steps; i++) {
		if (l->step[i].question.kind != ZL_LESSON_NOTHING) {
			zl_text_fmt(&t, "%s%u", t.len > 0 ? ", " : "", i + 1);
		}
	}
}

static int grade_all(struct app *app, const struct lesson_answers *answers, struct table *t,
	struct zl_error *err)
{
	const struct learn *l = app->learn;
	unsigned used = 0;
	int rc = 0;

	while (rc == 0 && l->phase != LEARN_END) {
		if (!learn_pending(app)) {
			rc = learn_next(app, err);
			continue;
		}
		const struct lesson_given *g = given_for(answers, l->step + 1);
		used += g != NULL ? 1 : 0;
		rc = grade_step(app, g, t, err);
	}
	for (unsigned i = 0; rc == 0 && used < answers->count && i < answers->count; i++) {
		const struct lesson_given *g = &answers->given[i];
		if (g->step > l->lesson.nr_steps ||
			l->lesson.step[g->step - 1].question.kind == ZL_LESSON_NOTHING) {
			char steps[128];
			asking_steps(&l->lesson, steps, sizeof(steps));
			zl_error_set(err, g->line, 1,
				"step %u of the lesson asks nothing; its questions are in steps %s",
				g->step, steps);
			rc = -EINVAL;
		}
	}
	return rc;
}

int lesson_grade(struct app *app, const struct lesson_what *what,
	const struct lesson_answers *answers, struct output *out, unsigned *ret_wrong)
{
	static const struct column columns[] = {
		{"step",	 "step",	 true },
		{"right",  "",	      false},
		      {"given",	"given",	 false},
		{"answer", "answer", false}
	   };
	struct lesson_what with = *what;
	struct table t;

	with.seed = what->seed > 0 ? what->seed : answers->seed;
	int rc = open_quietly(app, &with, &out->error);
	if (rc != 0) {
		return failed(rc, what->name, out);
	}
	const struct learn *l = app->learn;
	struct zl_json *root = NULL;
	if (out->format == FORMAT_JSON) {
		char seed[24];
		root = output_json(out, "grade");
		zl_format(seed, sizeof(seed), "%U", l->seed);
		zl_json_add_string(root, "lesson", l->lesson.name);
		zl_json_add_string(root, "seed", seed);
	}
	table_init(&t, out, root != NULL ? zl_json_add_array(root, "rows") : NULL, columns,
		sizeof(columns) / sizeof(columns[0]));
	rc = grade_all(app, answers, &t, &out->error);
	table_print(&t);
	*ret_wrong = learn_questions(l) - l->right;
	if (root != NULL) {
		zl_json_add_int(root, "right", l->right);
		zl_json_add_int(root, "of", learn_questions(l));
	} else if (out->format != FORMAT_CSV) {
		zl_buf_fmt(&out->text, "%s, seed %U: %u of %u right\n", l->lesson.name, l->seed,
			l->right, learn_questions(l));
	}
	close_quietly(app);
	return rc;
}
