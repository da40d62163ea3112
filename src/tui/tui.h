/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer: one loop that draws, waits for a key and hands it to app/.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "app.h"
#include "tui_curses.h"

struct tui_opts {
	struct terminal_opts terminal;
	bool motion;
};

/**
 * Runs the explorer on an initialised app until the user leaves. Sets app->hooks meanwhile.
 *
 * Returns the exit status: 0; 2 with @err filled when there is no usable terminal. A signal that
 * ends the program restores the terminal and is raised again, so then this does not return.
 *
 * For tests: with ZONELAB_FRAME_MARK set in the environment each finished frame is followed on the
 * terminal by the sequence ESC ] 7711 ; frame F keys K BEL, which terminals ignore. K counts the
 * keys (bytes in the prompt, size changes) that were read before the frame; who has sent K keys
 * reads until a mark says so, and has then seen the whole frame.
 */
int tui_run(struct app *app, const struct tui_opts *opts, struct zl_error *err);

#endif
