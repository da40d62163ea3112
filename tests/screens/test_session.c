/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions: saved, opened again, damaged.
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

#include "beside.h"
#include "golden.h"
#include "session.h"

static void a_session_is_opened_as_it_was_saved(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80), *again = stage_new(24, 80);
	struct zl_error err = {0};
	struct zl_buf one = {0}, two = {0};
	char dir[] = "/tmp/zonelab-session-XXXXXX";
	char path[64], line[96], error[400];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/s.json", dir);
	command(s, "set high_min=600");
	command(s, "lane B:kernel=6.12.0,high_fraction=8");
	command(s, "go 300");
	command(s, "bookmark here it is");
	command(s, "break count > 300 && free_count >= 100");
	command(s, "screen compare");
	snprintf(line, sizeof(line), "save %s", path);
	command(s, line);
	assert_false(s->app.dirty);
	assert_int_equal(EXIT_USAGE, command_status(s, line, error, sizeof(error)));
	command(s, "save"); /* its own file */
	if (session_open(&again->app, path, &err) < 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(0, session_text(&s->app, &one));
	assert_int_equal(0, session_text(&again->app, &two));
	assert_string_equal(zl_buf_text(&one), zl_buf_text(&two));
	assert_int_equal(SCREEN_COMPARE, again->app.screen);
	assert_int_equal(300, again->app.beside->c->at);
	assert_true(zl_sim_digest(again->app.beside->c->lane[1].t->sim) ==
		    zl_sim_digest(s->app.beside->c->lane[1].t->sim));
	unlink(path);
	rmdir(dir);
	zl_buf_done(&one);
	zl_buf_done(&two);
	stage_free(s);
	stage_free(again);
}

static void a_damaged_session_says_what_is_wrong(void **state)
{
	static const char *const texts[] = {"{\"kind\":\"session\"}",
		"{\"kind\":\"session\",\"version\":1}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"run\":{}}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"lanes\":[\"A:kernel=6.12\"]}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"set\":{\"nonsense\":\"1\"}}"};
	static const char *const words[] = {"kind:", "machine:", "run:", "lanes:", "nonsense"};
	char path[] = "/tmp/zonelab-session-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct stage *s = stage_new(24, 80);
		struct zl_error err = {0};
		assert_int_equal(0, ftruncate(fd, 0));
		assert_true(pwrite(fd, texts[i], strlen(texts[i]), 0) > 0);
		assert_true(session_open(&s->app, path, &err) < 0);
		if (strstr(err.text, words[i]) == NULL) {
			fail_msg("%s: %s", texts[i], err.text);
		}
		draw(s);
		stage_free(s);
	}
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_opened_as_it_was_saved),
		cmocka_unit_test(a_damaged_session_says_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
