/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lesson tried to its end under many seeds.
 */
#include <errno.h>

#include "learn.h"

static int check_seed(struct app *app, const char *name, uint64_t seed, struct zl_error *err)
{
	int rc = learn_open(app, name, seed, err);

	while (rc == 0 && app->learn->phase != LEARN_END) {
		struct learn *l = app->learn;
		if (!learn_pending(app)) {
			rc = learn_next(app, err);
			continue;
		}
		/* Any prediction will do: the model is asked all the same. */
		rc = learn_predict(app, 1, err);
		if (rc == 0 && learn_step(l)->question.kind == ZL_LESSON_NUMBER &&
			(l->answer < 0 || l->answer >= 1000000000)) {
			zl_error_set(err, learn_step(l)->question.number.line,
				learn_step(l)->question.number.column,
				"%D is no number that can be answered with seed %U", l->answer,
				seed);
			rc = -EINVAL;
		}
	}
	if (rc != 0 && err->file[0] == '\0') {
		zl_error_file(err, name);
	}
	if (learn_open_now(app)) {
		app->learn->answered = 0;
		learn_leave(app);
	}
	return rc;
}

int learn_check(struct app *app, const char *name, unsigned seeds, struct zl_error *err)
{
	int rc = 0;

	for (unsigned seed = 1; rc == 0 && seed <= seeds; seed++) {
		rc = check_seed(app, name, seed, err);
	}
	return rc;
}
