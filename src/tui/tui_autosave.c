/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui_autosave.h"

#include <unistd.h>

#include "session.h"
#include "tui_signals.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

/* What a crash says: where that is which is not lost. */
static void prepare_last_words(const struct autosave *a)
{
	char text[CRASH_TEXT];

	if (a->kept || a->other) {
		zl_format(text, sizeof(text),
			"zonelab: ended by a fault; unsaved work is in %s, :restore opens it\n",
			a->file);
	} else {
		zl_format(text, sizeof(text), "zonelab: ended by a fault; nothing was unsaved\n");
	}
	signals_say_at_crash(text);
}

void autosave_start(struct autosave *a, struct app *app)
{
	a->stamp = session_stamp(app);
	prepare_last_words(a);
	if (zl_state_path(SESSION_UNSAVED, a->file, sizeof(a->file)) < 0) {
		a->file[0] = '\0';
		return;
	}
	a->other = access(a->file, R_OK) == 0;
	if (a->other) {
		prepare_last_words(a);
		app_say(app, VALUE_NONE,
			"Unsaved work of an earlier session is there · :restore opens it");
	}
}

void autosave_note(struct autosave *a, const struct app *app)
{
	struct zl_buf text = {0};
	uint64_t stamp = session_stamp(app);

	if (a->file[0] == '\0' || stamp == a->stamp) {
		return;
	}
	a->stamp = stamp;
	if (session_text(app, &text) == 0 &&
		zl_save(a->file, zl_buf_text(&text), text.len, true, NULL) == 0) {
		a->kept = true;
		prepare_last_words(a);
	}
	zl_buf_done(&text);
}

void autosave_end(struct autosave *a)
{
	if (a->kept && a->file[0] != '\0') {
		(void)unlink(a->file);
	}
}
