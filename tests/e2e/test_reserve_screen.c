/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Reserve screen on a terminal: a device tree is opened, its fix looked at, a pool moved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pty_vterm.h"

static void a_tree_is_opened_corrected_and_left(void **state)
{
	struct pty p;

	(void)state;
	pty_start(&p,
		&(struct pty_opts){
			.story = true,
			.args = {"--set", "page_size=16K", TEST_DATA "/cases/uc06-two-pools.dts"}
	 },
		true);
	pty_assert_shows(&p, "[2 Reserve]");
	pty_assert_shows(&p, "►  pool@40000000");
	pty_press(&p, "f");
	pty_assert_shows(&p, "+                       reg = <0x0 0x42000000 0x0 0x26000000>;");
	pty_press(&p, "Esc n m");
	pty_assert_shows(&p, "pool@41400000 at 0x41400000");
	pty_press(&p, "Down");
	pty_assert_shows(&p, "pool@41400000 at 0x42000000");
	pty_press(&p, "Enter");
	pty_assert_shows(&p, "pool@41400000 changed");
	pty_press(&p, "u");
	pty_assert_shows(&p, "Undone: pool@41400000 changed");
	assert_int_equal(1, write(p.master, "q", 1));
	int status = pty_wait_end(&p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_assert_restored(&p);
	pty_stop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_opened_corrected_and_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
