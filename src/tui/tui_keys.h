/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of keys, as the key table of app/ writes them: "a", "é", "Enter", "S-Tab", "C-r".
 */
#ifndef TUI_TUI_KEYS_H
#define TUI_TUI_KEYS_H

#include <stdbool.h>
#include <wchar.h>

#define KEY_NAME_MAX 16

/**
 * Writes the name of what wget_wch() returned.
 *
 * @is_code  it was a curses key code, not a character
 * Returns false for keys that have no name here; @ret is then "".
 */
bool terminal_key_name(wint_t key, bool is_code, char ret[KEY_NAME_MAX]);

#endif
