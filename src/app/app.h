/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State of the explorer and of a batch run: machines, edits, focus. One struct, no globals. Views
 * see it as const.
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "values.h"
#include "zonelab/buffer.h"
#include "zonelab/error.h"
#include "zonelab/machine.h"

#define APP_LANES      4
#define APP_LANE_ITEMS 256
#define APP_UNDO_MAX   200
#define APP_FIELD      256
#define APP_WHY_DEPTH  16
#define APP_MESSAGE    240
#define APP_SCREENS    7 /* screens count from 1 */

enum app_screen {
	SCREEN_GEOMETRY = 1,
	SCREEN_RESERVE,
	SCREEN_PAGESETS,
	SCREEN_COMPARE,
	SCREEN_SWEEP,
	SCREEN_LEARN
};

/** What lies over the screen. */
enum app_overlay {
	OVERLAY_NONE,
	OVERLAY_HELP,
	OVERLAY_WHY,
	OVERLAY_TEXT,
	OVERLAY_SETTINGS,
	OVERLAY_REPORT
};

enum app_mode { MODE_NORMAL, MODE_FIELD, MODE_PROMPT, MODE_SEARCH, MODE_OVERLAY };

/** A machine with what follows; `machine` is derived, never edited. */
struct lane {
	bool used;
	char profile_name[64]; /* that it was opened with, "" = none */
	char title[16];	       /* "before", "after": of a patch; "" = none */
	struct zl_profile profile;
	struct zl_machine machine;
	struct zl_diags diags;
};

struct app_message {
	char text[APP_MESSAGE];
	unsigned id; /* what its digits belong to */
};

/** One step of undo: the settings before the edit, and what it was. */
struct app_edit {
	struct zl_settings settings;
	struct zl_policy_set policies; /* owned */
	unsigned lane;
	/* The lane that the edit opened beside `lane`, with these settings; 0 = none. */
	unsigned opened;
	char what[96];
};

struct app;
struct explain;
struct zl_import;
struct learn;
struct pagesets;
struct spread;
struct sweeps;
struct pools;
struct beside_lanes;
struct replay_job;

/** What commands need from layers above: drawing, and the terminal. Members may be NULL. */
struct app_hooks {
	/** The screen as labelled lines (`:plain`); @panel_only = the focused panel or overlay. */
	void (*plain)(const struct app *app, bool panel_only, struct zl_buf *ret);
	/** The screen as text in the size of the app. */
	void (*screen_text)(const struct app *app, struct zl_buf *ret);
	/** Writes the screen to a .txt or .svg file. Returns 0 or -errno with @err filled. */
	int (*screenshot)(const struct app *app, const char *file, struct zl_error *err);
	/** The screen at each of some ops below one another, as SVG. Returns 0 or -ENOMEM. */
	int (*strip)(struct app *app, const uint64_t *ops, unsigned n, struct zl_buf *ret);
	/** Puts text on the clipboard and into last-copy.txt and says where. */
	void (*copy)(struct app *app, const char *text);
	/** Somebody uses it: scores are kept in the state directory. */
	bool lasting;
	/** Shares points of a sweep out to processes, see spread_run(). */
	int (*spread)(struct spread *w, struct zl_error *err);
	/** Long work asks now and then whether it is to end: Ctrl-C, a signal, no terminal. */
	bool (*stop)(struct app *app);
};

struct app {
	const struct app_hooks *hooks;
	struct lane lane[APP_LANES];
	unsigned active;	  /* lane */
	char named_profile[256];  /* what --profile said, "" = nothing */
	struct lane *preview;	  /* what would follow while a field is open, NULL if nothing */
	struct lane *baseline;	  /* pinned, NULL = none */
	struct zl_import *import; /* what the opened files said, NULL = none; owned */
	/* edits */
	struct app_edit *undo[APP_UNDO_MAX];
	size_t nr_undo;
	struct app_edit *redo[APP_UNDO_MAX];
	size_t nr_redo;
	bool dirty; /* edits that were never saved */
	char session_file[256];
	struct pagesets *pagesets;	 /* the run of the focused lane, NULL = none is open */
	struct pagesets *run[APP_LANES]; /* of each lane, NULL = nobody has looked at it yet */
	struct beside_lanes *beside;	 /* the lanes of screen 4, NULL = it was never shown */
	struct replay_job *replay;	 /* the trace of that run, NULL = it is none; owned */
	struct pools *pools;		 /* the reservations of screen 2, NULL = none are open */
	struct sweeps *sweeps;		 /* of screen 5, NULL = never shown */
	struct learn *learn;		 /* lessons of screen 6, NULL = never shown */
	/* where the user is */
	unsigned rows, cols; /* of the terminal; the front end keeps them true */
	enum app_screen screen;
	enum app_mode mode;
	enum app_overlay overlay;
	unsigned panel;			  /* of the screen, in reading order */
	unsigned row[8];		  /* focused row of each panel */
	unsigned kept_panel[APP_SCREENS]; /* of the screens that are not shown */
	unsigned kept_row[APP_SCREENS][8];
	char field[APP_FIELD];	     /* the open field or search, UTF-8 */
	unsigned field_setting;	     /* setting being edited, as enum zl_setting */
	struct zl_error field_error; /* why the field cannot be taken yet; text "" if it can */
	struct explain *why;	     /* what OVERLAY_WHY shows, NULL otherwise */
	unsigned why_stack[APP_WHY_DEPTH]; /* ids that were followed, oldest first */
	unsigned nr_why;
	unsigned why_row;   /* chosen input */
	size_t scroll;	    /* first line of an overlay's text */
	struct zl_buf text; /* OVERLAY_TEXT, OVERLAY_REPORT, and the why text */
	char text_title[64];
	char text_heading[96]; /* its first line, where that is a heading; "" = the title */
	char search[APP_FIELD];
	bool prompt_list;	/* and with the list of what may follow */
	char prompt_start[512]; /* what the prompt opens with */
	struct app_message message;
	struct zl_error prompt_error; /* the prompt stays open on it; text "" = none */
	bool by_hand;		      /* the next key is an op by hand */
	bool quit;
	bool quit_asked;       /* q was pressed with unsaved edits */
	bool redraw;	       /* C-l */
	bool suspend;	       /* C-z: the front end stops itself and clears this */
	unsigned source_depth; /* scripts that run now */
	uint8_t glyphs; /* of what is drawn: the front end's number of a glyph set, 0 = all */
	bool motion;
	const struct zl_allocator *alloc;
};

/** Starts on the built-in machine. Returns 0 or -ENOMEM. */
int app_init(struct app *app);
void app_done(struct app *app);

struct lane *app_lane(struct app *app);
const struct lane *app_lane_const(const struct app *app);
/**
 * Values of what is shown: where a screen shows a run or a sweep, the machine of that (the
 * scenario's with --set and edits); else the lane, the preview while a field is open. Panels,
 * headings, `w` and JSON all ask here.
 */
struct value_in app_values(const struct app *app);
/** The same of one lane, without previews. */
struct value_in app_lane_values(const struct app *app, unsigned lane);
/** "Settings of lane A: the machine of iperf": what the settings panel lists. */
void app_settings_title(const struct app *app, char *buf, size_t size);
/** Values of the pinned baseline; machine is NULL without one. */
struct value_in app_baseline(const struct app *app);

/** Replaces the active lane's machine by a profile (taken over) and resolves it. */
void app_use_profile(struct app *app, struct zl_profile *profile);
/**
 * Lays a profile (taken over) on the active lane's: what it gives wins where its origin is not
 * lower, its zones and observations replace those that are there. Resolves.
 */
void app_merge_profile(struct app *app, struct zl_profile *profile);
/** Takes over an import (and frees an earlier one), for `report`. */
void app_keep_import(struct app *app, struct zl_import *import);
/** What follows from a lane's profile. */
void lane_resolve(struct lane *lane);
/** Drops all undo and redo. */
void app_drop_edits(struct app *app);
/** Drops undo and redo of a lane that is no more. */
void app_forget_edits(struct app *app, unsigned lane);
/** Resolves the active lane again. */
void app_resolve(struct app *app);
/** Adds what the import of @p had to assume of the release, while that is where it comes from. */
void app_add_assumed(const struct app *app, const struct zl_profile *p, struct zl_diags *ret);

/** Shows a screen; focus and rows of the one before are kept. Opens what it needs. */
int app_show_screen(struct app *app, enum app_screen screen, struct zl_error *err);
/** The terminal has another size. */
void app_resize(struct app *app, unsigned rows, unsigned cols);

/**
 * "KEY=VALUE", "policy.POINT=EXPRESSION" or "policy.NAME" on a profile. Returns 0 or -errno with
 * @err filled; then the profile is as it was.
 */
int app_assign_to(const struct app *app, struct zl_profile *p, const char *assignment,
	enum zl_origin origin, struct zl_error *err);
/** Sets KEY=VALUE without an undo step and without resolving (start-up). */
int app_assign(struct app *app, const char *assignment, struct zl_error *err);
/** app->field_setting while the open field is the policy of free_high: no setting. */
#define APP_FIELD_FREE_HIGH 490u
/** What the open field changes: the key of a setting, or "free_high". */
const char *app_field_name(const struct app *app);
/** One undoable edit "KEY=VALUE" of the active lane. Returns 0 or -errno with @err filled. */
int app_set(struct app *app, const char *assignment, struct zl_error *err);
/** Several assignments as one edit: all are taken, or none. */
int app_set_all(struct app *app, const char *const *assignments, size_t n, struct zl_error *err);
/**
 * The active lane takes these settings and policies as one edit; nothing when they are its own. No
 * run follows. Returns 0 or -ENOMEM; then nothing has changed.
 */
int app_take_settings(struct app *app, const struct zl_settings *settings,
	const struct zl_policy_set *policies, const char *what);
/** The newest edit has not been: for what follows it and failed. */
void app_take_back(struct app *app);
/**
 * The active lane was opened by an edit of lane @from: one step of undo, which closes it again.
 * Returns 0 or -ENOMEM.
 */
int app_remember_opened(struct app *app, unsigned from, const char *what);
bool app_undo(struct app *app);
bool app_redo(struct app *app);
/** Pins the present values as baseline; again takes it off. */
void app_pin(struct app *app);
/**
 * Computes what "KEY=VALUE" would give, beside the lane. NULL drops the preview.
 * Returns false with @err filled when it cannot be taken.
 */
bool app_preview(struct app *app, const char *assignment, struct zl_error *err);

/** The message row (verbs as in zonelab/text.h). */
void app_say(struct app *app, unsigned id, const char *fmt, ...);

/* --- the screen's rows, so that keys and views agree --- */

/** Panels of the Geometry screen in reading order. */
enum geometry_panel {
	PANEL_INPUTS,
	PANEL_RESULTS,
	PANEL_PAGE_SIZES,
	PANEL_BLOCK_ORDERS,
	PANEL_DIAGS,
	PANEL_SETTINGS /* the settings overlay */
};

#define APP_PAGE_SIZES 8
#define WIDE_COLS      120

/** Whether the terminal has the columns of the wide form. */
bool app_wide(const struct app *app);
/** Settings that the Geometry screen lists, in order. Returns how many. */
size_t app_geometry_inputs(const struct app *app, enum zl_setting *ret, size_t max);
/** Values that it lists, in order. */
size_t app_geometry_results(const struct app *app, enum value_id *ret, size_t max);
/** Page sizes of its table, ascending; 0 when the combination cannot be built. */
size_t app_geometry_page_sizes(const struct app *app, uint64_t *ret, size_t max);
/**
 * Orders of its table over PAGE_BLOCK_(MAX_)ORDER: how many, from *ret_first on. 0 when the table
 * is not shown (narrow, or a release without the symbol).
 */
unsigned app_block_orders(const struct app *app, unsigned *ret_first);
/**
 * The machine that is shown with one setting changed: a row of a table. The value is as typed.
 * Returns false when the value is refused.
 */
bool app_machine_with(const struct app *app, enum zl_setting key, const char *value,
	struct zl_machine *ret, struct zl_diags *diags);
/** Rows of a panel; 0 = the panel is not shown now. @panel is enum geometry_panel. */
size_t app_panel_rows(const struct app *app, unsigned panel);
/** Puts the cursor of each panel back on its last row when there are fewer than before. */
void app_keep_focus(struct app *app);
/** The setting under the cursor, ZL_SETTING_COUNT if there is none. */
enum zl_setting app_focused_setting(const struct app *app);
/** Id under the cursor for `w` and for copying. */
unsigned app_focused_id(const struct app *app);

/* --- input --- */

/**
 * One key by name: "a", "é", "Enter", "Esc", "Tab", "S-Tab", "Up", "Down", "Left", "Right",
 * "PgUp", "PgDn", "Home", "End", "Backspace", "Delete", "Insert", "F1".., "C-a".., "Space".
 * The prompt is the front end's: MODE_PROMPT keys never come here.
 */
void app_key(struct app *app, const char *key);
/** Whether long work is to end now. Work that takes longer than a frame asks. */
bool app_asked_to_stop(struct app *app);
/** The prompt was opened with ':' and closed with a line, or NULL when it was given up. */
void app_prompt_done(struct app *app, const char *line);

#endif
