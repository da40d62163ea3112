/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Reserve screen's state: what was read, what was changed by hand, which pool is looked at.
 * All verdicts come from the functions behind the `reserve` command.
 */
#ifndef APP_POOLS_H
#define APP_POOLS_H

#include "reserve.h"

#define POOLS_EDITS_MAX	  64
#define POOLS_PATH	  512
#define POOLS_LINES	  96
#define POOLS_LINE	  160
#define POOLS_NONE	  SIZE_MAX
#define POOLS_PAGE_BLOCKS 8 /* pageblocks that PgUp and PgDn move */

/** Panels in reading order; app->panel while the screen is Reserve. */
enum pools_panel { POOLS_LIST, POOLS_FIGURES, POOLS_PANELS };

/** What the arrows do. */
enum pools_mode { POOLS_LOOK, POOLS_MOVE, POOLS_RESIZE };

/** What app->field_setting says while a field of this screen is open: no setting. */
enum pools_field { POOLS_FIELD_ADD = 500, POOLS_FIELD_CHANGE };

enum pools_edit_kind { POOLS_ADDED, POOLS_REMOVED, POOLS_CHANGED };

struct pools_edit {
	enum pools_edit_kind kind;
	size_t index; /* of have.request */
	struct zl_request before, after;
	struct zl_reservation_origin origin;
};

/** A line of the correction of one pool. */
struct pools_line {
	size_t pool; /* of the report */
	char sign;   /* '-', '+' */
	char text[POOLS_LINE];
};

/** Figures of the focused pool and of all, by value id from VALUE_RESERVE_ASKED on. */
#define POOLS_VALUES (VALUE_MEMORY_BYTES - VALUE_RESERVE_ASKED)
struct pool_facts {
	bool fixed; /* the focused pool has an address */
	bool there[POOLS_VALUES];
	int64_t value[POOLS_VALUES];
};

struct pools {
	struct reserve *r; /* never NULL */
	size_t nr_paths;
	char path[RESERVE_FILES_MAX][POOLS_PATH];
	char title[64];
	struct pools_edit *edit[POOLS_EDITS_MAX];
	size_t nr_written;	  /* edits that the file written last has */
	size_t nr_done, nr_edits; /* behind nr_done: undone, may be done again */
	bool touched;		  /* the user chose a pool; else the first refused one is focused */
	enum pools_mode mode;
	size_t moving;		    /* request, while the mode is not POOLS_LOOK */
	struct zl_request original; /* of it */
	size_t nr_lines;
	struct pools_line line[POOLS_LINES];
	struct pool_facts facts;
};

/**
 * Opens files (none: what the machine's command line and Kconfig ask for) and focuses the first
 * refused pool; earlier ones are given up. Returns 0 or -errno with @err filled.
 */
int pools_open(struct app *app, const char *const *path, size_t n, struct zl_error *err);
void pools_free(struct app *app);
/** The lane's machine is another one: reads and plans again, edits by hand are made again. */
void pools_machine_changed(struct app *app);
/** The focus moved. */
void pools_refresh(struct app *app);

/** Index of the focused pool in the report, POOLS_NONE without pools. */
size_t pools_focused(const struct app *app);
size_t pools_panel_rows(const struct app *app, unsigned panel);
unsigned pools_focused_id(const struct app *app);
bool pools_is_refused(const struct zl_pool *p);
/** Whether a refused region with an address stays reserved all the same. */
bool pools_stays_reserved(const struct reserve *r, const struct zl_pool *p);

/* --- keys --- */

/** up, down, ...: the focus, or the pool while one is moved. False for another word. */
bool pools_move(struct app *app, const char *direction);
void pools_next_refused(struct app *app, int direction);
/** Enter: takes the place or size; else opens the field of the pool. */
void pools_enter(struct app *app);
/** Esc. False when there was nothing to give up. */
bool pools_cancel(struct app *app);
/** Lets the arrows move or resize the focused pool. */
void pools_hold(struct app *app, enum pools_mode mode);
void pools_open_field(struct app *app, enum pools_field field);
static inline bool pools_field_open(const struct app *app)
{
	return app->mode == MODE_FIELD && app->field_setting >= POOLS_FIELD_ADD;
}
/** Checks "SIZE[@BASE]" while it is typed. */
void pools_field_typed(struct app *app);
/** Takes the field. False with app->field_error filled when it cannot be taken. */
bool pools_take_field(struct app *app);
/** "32M@0x54000000" as typed; @err says what would be right. */
int pools_add(struct app *app, const char *text, struct zl_error *err);
int pools_change(struct app *app, const char *text, struct zl_error *err);
int pools_remove(struct app *app, struct zl_error *err);
bool pools_undo(struct app *app);
bool pools_redo(struct app *app);
/** Whether edits by hand would be lost. */
bool pools_unwritten(const struct app *app);
/** Writes the corrected source; an existing file stays. Returns 0 or -errno with @err filled. */
int pools_write_fix(struct app *app, const char *file, struct zl_error *err);

/* --- between the files of this module --- */
/** Makes an edit (or takes it back) in the requests; the plan is not made again. */
bool pools_apply(struct pools *p, struct pools_edit *e, bool back);
void pools_forget_edits(struct app *app);
/** Plans again and fills lines and figures. */
void pools_replan(struct app *app);
/** Focuses the pool of a request. */
void pools_focus_request(struct app *app, size_t request);

#endif
