/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Sweep screen on a terminal: it computes while keys are taken, a point becomes a lane, other
 * axes come from the prompt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

static bool shows(struct pty *p, const char *text)
{
	char *buf = malloc(PTY_TEXT_MAX);
	bool yes;

	assert_non_null(buf);
	pty_text(p, buf);
	yes = strstr(buf, text) != NULL;
	free(buf);
	return yes;
}

/* A key that does nothing brings a frame, until the text is there. */
static void until(struct pty *p, const char *text)
{
	for (unsigned i = 0; i < 2000 && !shows(p, text); i++) {
		pty_press(p, "Home");
	}
	if (!shows(p, text)) {
		fail_msg("'%s' did not come", text);
	}
}

static void a_grid_is_computed_and_a_point_becomes_a_lane(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p, &(struct pty_opts){.rows = 0}, true);
	pty_press(&p, "5");
	assert_true(shows(&p, "[5 Sweep]"));
	until(&p, "84 of 84 points");
	assert_true(shows(&p, "[ 46]"));
	pty_press(&p, "Right Right Enter");
	assert_true(shows(&p, "Lane B is cpus=4,pcp_batch_scale_max=5"));
	pty_press(&p, ":");
	pty_type(&p, "sweep iperf --vary high_min=3900..3910 --metric first_free_high\r");
	until(&p, "11 of 11 points");
	assert_true(shows(&p, "3 never"));
	assert_int_equal(1, write(p.master, "q", 1));
	int status = pty_wait_end(&p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_assert_restored(&p);
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_grid_is_computed_and_a_point_becomes_a_lane),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
