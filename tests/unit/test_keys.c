/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <curses.h>

#include "tui_keys.h"

static void assert_key(const char *want, wint_t key, bool is_code)
{
	char name[KEY_NAME_MAX];

	assert_int_equal(want[0] != '\0', terminal_key_name(key, is_code, name));
	assert_string_equal(want, name);
}

static void characters_are_their_own_names(void **state)
{
	(void)state;
	assert_key("a", 'a', false);
	assert_key("-", '-', false);
	assert_key("é", 0xe9, false);
	assert_key("頁", 0x9801, false);
	assert_key("Space", ' ', false);
}

static void control_characters_have_names(void **state)
{
	(void)state;
	assert_key("C-a", 1, false);
	assert_key("C-r", 0x12, false);
	assert_key("C-z", 0x1a, false);
	assert_key("C-_", 0x1f, false);
	assert_key("C-Space", 0, false);
	assert_key("Tab", '\t', false);
	assert_key("Enter", '\r', false);
	assert_key("Enter", '\n', false);
	assert_key("Esc", 0x1b, false);
	assert_key("Backspace", 0x7f, false);
	assert_key("Backspace", '\b', false);
}

static void codes_of_curses_have_names(void **state)
{
	(void)state;
	assert_key("Up", KEY_UP, true);
	assert_key("S-Tab", KEY_BTAB, true);
	assert_key("PgDn", KEY_NPAGE, true);
	assert_key("Delete", KEY_DC, true);
	assert_key("F1", KEY_F(1), true);
	assert_key("F12", KEY_F(12), true);
}

static void what_has_no_name_is_told(void **state)
{
	(void)state;
	assert_key("", KEY_F(13), true);
	assert_key("", KEY_SUSPEND, true);
	assert_key("", 0x85, false);
	assert_key("", 0x301, false);
	assert_key("", 0x110000, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_their_own_names),
		cmocka_unit_test(control_characters_have_names),
		cmocka_unit_test(codes_of_curses_have_names),
		cmocka_unit_test(what_has_no_name_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
