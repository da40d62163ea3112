/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons on a terminal: opened from the list and by name, answered with arrows, scores kept; and
 * the user's own place in a run comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

static void end(struct pty *p)
{
	assert_int_equal(1, write(p->master, "q", 1));
	int status = pty_wait_end(p);
	assert_true(WIFEXITED(status));
	assert_int_equal(0, WEXITSTATUS(status));
	pty_assert_restored(p);
	pty_stop(p);
}

static void a_lesson_is_answered_with_arrows_and_its_score_is_kept(void **state)
{
	char home[] = "/tmp/zonelab-home-XXXXXX";
	struct pty p;

	(void)state;
	assert_non_null(mkdtemp(home));
	pty_start(
		&p, &(struct pty_opts){.story = true, .home = home, .args = {"--no-motion"}}, true);
	pty_press(&p, "6 Down Down Down Down Enter");
	pty_assert_shows(&p, "When is a pageset flushed?");
	pty_press(&p, "Enter Down");
	pty_assert_shows(&p, "hidden until you answer");
	pty_press(&p, "."); /* no way on */
	pty_assert_shows(&p, "hidden until you answer");
	pty_press(&p, "3");
	pty_assert_shows(&p, "What comes next is hidden until you answer");
	pty_press(&p, "6 Enter");
	pty_assert_shows(&p, "What happened, and why");
	pty_press(&p, "Esc");
	pty_assert_shows(&p, "begun");
	pty_press(&p, "3");
	pty_assert_shows(&p, "Paused one op before the first flush"); /* the story, as it was */
	end(&p);
	pty_start(&p, &(struct pty_opts){.story = true, .home = home, .args = {"lesson"}}, true);
	pty_assert_shows(&p, "begun");
	end(&p);
	char command[128];
	snprintf(command, sizeof(command), "rm -rf %s", home);
	assert_int_equal(0, system(command));
}

static void an_answer_is_played_then_explained(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p,
		&(struct pty_opts){
			.story = true, .args = {"lesson", "chunks"}
	   },
		true);
	pty_assert_shows(&p, "Drains in chunks");
	pty_press(&p, "Enter Up Enter");
	pty_wait_for(&p, "What happened, and why");
	pty_assert_shows(&p, "ok: 1 hold");
	end(&p);
}

static void a_resize_in_the_middle_of_a_question_keeps_it(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p,
		&(struct pty_opts){
			.story = true, .args = {"lesson", "never"}
	  },
		true);
	pty_press(&p, "Enter Down");
	pty_resize(&p, 20, 70);
	pty_assert_shows(&p, "zonelab needs");
	pty_resize(&p, 40, 120);
	pty_assert_shows(&p, "Can free_high ever fire here?");
	pty_assert_shows(&p, "(o) no, the threshold is out of reach");
	end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lesson_is_answered_with_arrows_and_its_score_is_kept),
		cmocka_unit_test(an_answer_is_played_then_explained),
		cmocka_unit_test(a_resize_in_the_middle_of_a_question_keeps_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
