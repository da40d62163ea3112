/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Session files with their bookmarks and breakpoints: refused with a sentence, and then what was
 * open is as it was; or opened, and then what is saved opens again as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "session.h"

static struct app *start(void)
{
	struct app *app = calloc(1, sizeof(*app));

	if (app == NULL || app_init(app) != 0) {
		abort();
	}
	app->rows = 24;
	app->cols = 80;
	return app;
}

static void end(struct app *app)
{
	app_done(app);
	free(app);
}

static void save(const struct app *app, struct zl_buf *ret)
{
	if (session_text(app, ret) != 0) {
		abort();
	}
}

static void check_saved(const struct app *app)
{
	struct app *again = start();
	struct zl_error err = {0};
	struct zl_buf one = {0};
	struct zl_buf two = {0};

	save(app, &one);
	const char *path = fuzz_path((const uint8_t *)zl_buf_text(&one), one.len);
	if (path != NULL) {
		if (session_open(again, path, &err) != 0) {
			abort();
		}
		save(again, &two);
		if (strcmp(zl_buf_text(&one), zl_buf_text(&two)) != 0) {
			abort();
		}
	}
	zl_buf_done(&one);
	zl_buf_done(&two);
	end(again);
}

/* Refused: what was open stays; one explorer serves until a session opens in it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct app *app;
	const char *path = fuzz_path(data, size);
	struct zl_error err = {0};

	if (path == NULL) {
		return 0;
	}
	app = app != NULL ? app : start();
	const uint64_t stamp = session_stamp(app);
	if (session_open(app, path, &err) == 0) {
		check_saved(app);
		end(app);
		app = NULL;
	} else {
		fuzz_check_clean(err.text, "");
		if (err.text[0] == '\0' || session_stamp(app) != stamp || app->dirty) {
			abort();
		}
	}
	return 0;
}
