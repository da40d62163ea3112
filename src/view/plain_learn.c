/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Learn screen as labelled lines.
 */

#include "glossary.h"
#include "plain.h"
#include "view_learn.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

static void put_list(const struct app *app, struct zl_buf *b)
{
	const unsigned row = app->row[LEARN_PANEL_MAIN];

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		char score[64];
		learn_score_words(app->learn, i, score, sizeof(score));
		zl_buf_fmt(b, "lesson %u: %s: %s, %s%s\n", (unsigned)i + 1,
			zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, app->learn->title[i], score,
			i == row ? ", chosen" : "");
	}
	struct explain e;
	if (learn_explain(app, glossary_at(app->row[LEARN_PANEL_VALUES]), &e)) {
		zl_buf_fmt(b, "glossary: %s: %s\n", e.name, e.definition);
	}
}

static void put_choices(const struct learn *l, struct zl_buf *b)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;

	for (unsigned i = 0; i < q->nr_choices; i++) {
		zl_buf_fmt(b, "choice %u: %s%s\n", i + 1, l->choice_text[i],
			i == l->choice ? ", chosen" : "");
	}
	if (q->kind == ZL_LESSON_NUMBER) {
		zl_buf_fmt(b, "number: %D %s, digit %u from the right\n", l->typed, q->unit,
			l->digit + 1);
	} else if (q->kind == ZL_LESSON_POINT && l->typed == LEARN_NEVER) {
		zl_buf_str(b, "point: never\n");
	} else if (q->kind == ZL_LESSON_POINT) {
		zl_buf_fmt(b, "point: op %D\n", l->typed);
	}
}

static void put_values(const struct app *app, struct zl_buf *b)
{
	unsigned ids[ZL_LESSON_NAMES_MAX];
	struct value_in in = app_values(app);
	size_t n = learn_shown(app, ids, ZL_LESSON_NAMES_MAX);

	for (size_t i = 0; i < n; i++) {
		zl_buf_fmt(b, "%s: ", value_name(ids[i]));
		plain_value(b, &in, ids[i]);
		zl_buf_chr(b, '\n');
	}
}

static void put_step(const struct app *app, struct zl_buf *b)
{
	const struct learn *l = app->learn;
	char verdict[400];

	zl_buf_fmt(b, "lesson: %s, step %u of %u, score %u of %u\n", l->lesson.title, l->step + 1,
		l->lesson.nr_steps, l->right, l->answered);
	zl_buf_str(b, "caption: ");
	plain_ungrouped(b, l->caption);
	zl_buf_chr(b, '\n');
	put_values(app, b);
	if (learn_pending(app)) {
		zl_buf_fmt(b, "question: %s\n", l->ask);
		put_choices(l, b);
		zl_buf_str(b, "answer: hidden until you answer\n");
	} else if (l->phase == LEARN_TOLD || l->phase == LEARN_END) {
		if (l->mark[l->step] != LEARN_UNASKED) {
			learn_verdict_text(l, verdict, sizeof(verdict));
			zl_buf_str(b, "prediction: ");
			plain_ungrouped(b, verdict);
			zl_buf_chr(b, '\n');
		}
		if (l->wrong[0] != '\0') {
			zl_buf_str(b, "remark: ");
			plain_ungrouped(b, l->wrong);
			zl_buf_chr(b, '\n');
		}
		zl_buf_str(b, "explanation: ");
		plain_ungrouped(b, l->explain);
		zl_buf_chr(b, '\n');
	}
}

void learn_plain(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	(void)panel_only;
	if (learn_open_now(app)) {
		put_step(app, ret);
	} else {
		put_list(app, ret);
	}
}
