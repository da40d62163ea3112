/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lesson outside the explorer: its questions, a printable handout, and grading answers.
 */
#ifndef APP_LESSON_TEXT_H
#define APP_LESSON_TEXT_H

#include "command.h"
#include "learn.h"

/** Which lesson, and with which numbers; seed 0 = 1, or what the answers say. */
struct lesson_what {
	const char *name;
	uint64_t seed;
};

/** Captions and questions, no answers. Returns 0 or -errno with out->error filled. */
int lesson_print(struct app *app, const struct lesson_what *what, struct output *out);
/** Markdown: questions with the screens that belong to them, answers at the end. */
int lesson_handout(struct app *app, const struct lesson_what *what, struct output *out);

/** One line of a file of answers. */
struct lesson_given {
	unsigned step, line, column;
	int64_t answer; /* as learn_predict() takes it */
};
/** A file of answers. */
struct lesson_answers {
	char lesson[64]; /* "" = not said */
	uint64_t seed;	 /* 0 = not said */
	struct lesson_given given[ZL_LESSON_STEPS_MAX];
	unsigned count;
};
/** Returns 0; -EINVAL with line and column. */
int lesson_answers_parse(
	const char *text, size_t size, struct lesson_answers *ret, struct zl_error *err);
/** Answers against the model. *ret_wrong counts those that are wrong or missing. */
int lesson_grade(struct app *app, const struct lesson_what *what,
	const struct lesson_answers *answers, struct output *out, unsigned *ret_wrong);

#endif
