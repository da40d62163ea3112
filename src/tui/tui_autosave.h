/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsaved work is kept in the state directory while the explorer runs; a session that ended with
 * it there is offered by the next one.
 */
#ifndef TUI_TUI_AUTOSAVE_H
#define TUI_TUI_AUTOSAVE_H

#include "app.h"

struct autosave {
	char file[4096]; /* "" = there is no state directory */
	uint64_t stamp;	 /* of what was kept last */
	bool kept, other;
};

/** Says when there is work of an earlier session; that stays until something is kept. */
void autosave_start(struct autosave *a, struct app *app);
/** After every event: keeps what has changed. */
void autosave_note(struct autosave *a, const struct app *app);
/** The session ended as it should: what was kept is not needed. */
void autosave_end(struct autosave *a);

#endif
