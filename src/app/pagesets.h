/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Pagesets screen's state: a run and its branches, where the user stands, what plays, what
 * stops it. Elapsed time comes in as an argument; there is no clock here.
 */
#ifndef APP_PAGESETS_H
#define APP_PAGESETS_H

#include "app.h"
#include "facts.h"
#include "run_source.h"
#include "run_zones.h"
#include "scenario_feed.h"
#include "scenario_machine.h"
#include "scene.h"
#include "timeline.h"
#include "ways.h"
#include "zonelab/expr.h"
#include "zonelab/metrics.h"

#define PAGESETS_BRANCHES  8
#define PAGESETS_BREAKS	   16
#define PAGESETS_BOOKMARKS 32
#define PAGESETS_NOTE	   80
#define PAGESETS_SPEEDS	   10
/** Above this many ops a second there are no frames between two ops. */
#define PAGESETS_SLOW 30
/** Frames of one step that moves pages. */
#define PAGESETS_REFILL_FRAMES 4u
#define PAGESETS_FLUSH_FRAMES  6u

/** Panels in reading order; app->panel while the screen is Pagesets. */
enum pagesets_panel {
	PAGESETS_GAUGES,
	PAGESETS_LISTS,
	PAGESETS_VERDICT,
	PAGESETS_SLOT,
	PAGESETS_TIMELINE,
	PAGESETS_PANELS
};

/** What the lower part shows where there is room for one thing only. */
enum pagesets_slot {
	SLOT_OPS,
	SLOT_BUDDY,
	SLOT_BLOCKS,
	SLOT_CPUS,
	SLOT_SETTINGS,
	SLOT_WAYS, /* by itself when free_high is out of reach */
	SLOT_COUNT
};

/**
 * How a run came about: settings or an op by hand, at an op of another run. Branches share the
 * nodes that they grew out of; a node outlives its branch while others need it.
 */
struct pagesets_node {
	unsigned refs;
	struct pagesets_node *parent; /* NULL = the run as it was opened */
	uint64_t from;		      /* op where it leaves its parent */
	bool by_hand;
	struct zl_op op; /* by hand */
	/* Of the lane when the branch was made. */
	struct zl_settings settings;
	struct zl_policy_set policies; /* owned */
	char what[PAGESETS_NOTE];      /* "high_min=700" */
};

struct pagesets_branch {
	struct timeline *t;
	struct zl_sim_config config;
	struct pagesets_node *node; /* a reference */
};

struct pagesets_break {
	bool scenario; /* the scenario's own: `watch`, or at `op` */
	bool before;   /* one op earlier */
	uint64_t op;   /* 0 = by condition */
	struct zl_watch watch;
	uint8_t marks;	     /* events that stop, 0 = by condition */
	struct zl_expr expr; /* holds when not 0 */
	bool held;	     /* at the op before: it stops only when it begins to hold */
	char text[PAGESETS_NOTE];
	char say[PAGESETS_NOTE]; /* of a scenario, "" = the text */
};

struct pagesets_bookmark {
	uint64_t op;
	char note[PAGESETS_NOTE];
};

/** What the lanes of one run share. */
struct playback {
	struct meter meter; /* the memory of all lanes */
	struct run_source source;
	unsigned opened_in;	/* lane that was focused when it was opened */
	struct run_zones zones; /* of a run in several zones, of which one is shown */
	bool zone_chosen;	/* not the zone that the scenario asks for */
	int64_t cpu;		/* whose pageset is shown, -1 = of the CPU that runs */
	enum pagesets_slot slot;
	bool slot_chosen;
	unsigned speed;	      /* index */
	uint64_t played_from; /* op at which playing began */
	uint64_t stop_at;     /* playing ends here, 0 = at the end of the run */
	bool playing;
	uint64_t owed_ns;	/* time that has passed and was not yet spent on ops */
	unsigned frame, frames; /* of the animation of the present op; frames 0 = a still */
	struct pagesets_break brk[PAGESETS_BREAKS];
	unsigned nr_breaks;
	struct pagesets_bookmark bookmark[PAGESETS_BOOKMARKS];
	unsigned nr_bookmarks;
	struct kept_policies *policies; /* of all branches of all lanes; see pagesets_keep() */
	struct run_notes notes;		/* captions and stops of the scenario */
	bool no_stops;			/* those of its steps are cleared */
	bool deaf;			/* stops are passed over: something is recorded */
};

/** One lane's run: app->run[] has one for each lane, app->pagesets is that of the focused one. */
struct pagesets {
	struct playback *all;
	char title[96];
	struct scenario_machine *machine; /* what it runs on; NULL = an op list has its own zone */
	struct pagesets_branch branch[PAGESETS_BRANCHES];
	unsigned nr_branches, active;
	struct scene scene;
	struct facts facts;    /* of the scene */
	struct scene *preview; /* the present op under the settings of an open field, or NULL */
	uint64_t
		preview_flush; /* first flush of that future after the present op, 0 = none known */
	unsigned cpu;	       /* whose pageset the scene has */
	struct timeline_window window;
	unsigned window_of, window_zoom; /* branch and zoom that it was filled for */
	uint64_t window_limit;		 /* and the last op that it may tell about */
	bool stale;			 /* more of the future is known than is drawn */
	uint64_t by_hand_ops;
	struct way way[WAYS_MAX]; /* out of a threshold that is out of reach */
	size_t nr_ways;
	unsigned ways_of;   /* branch that they were found for */
	bool out_of_memory; /* what is shown is not all */
	bool blind;	    /* there was no memory to look ahead */
};

/** Opens the story the explorer starts with. Returns 0 or -errno with @err filled. */
int pagesets_open_story(struct app *app, struct zl_error *err);
/** Opens an op list; takes the feed over. @base without switches and what-ifs. */
int pagesets_open(struct app *app, const char *title, const struct zl_sim_config *base,
	const struct op_feed *feed, struct zl_error *err);
/** The file that the open list was read from. */
void pagesets_came_from(struct app *app, const char *path);
/**
 * Opens a scenario on the lanes' machines; takes it over, also when it fails. @name is what it was
 * opened by. Returns 0, or -errno with @err filled as scenario_machine_new() does.
 */
int pagesets_open_scenario(struct app *app, const char *name, struct zl_scenario *s,
	const struct zl_expand_options *options, struct zl_error *err);
void pagesets_free(struct app *app);
/**
 * The run of a lane in use, standing where the focused one stands, made when it is first asked
 * for. NULL with @err filled.
 */
struct pagesets *pagesets_lane(struct app *app, unsigned lane, struct zl_error *err);
/** Whether a lane could run what is open. Returns 0, or -errno with @err filled. */
int pagesets_lane_possible(struct app *app, const struct lane *lane, struct zl_error *err);
/** Ends the run of a lane that is not focused. */
void pagesets_close_lane(struct app *app, unsigned lane);
/** The focus has gone to app->active: its run is the one that is shown and moved. */
int pagesets_focus_lane(struct app *app, struct zl_error *err);
/** Stands one op before the first flush, or at the start when there is none. 0 or -ENOMEM. */
int pagesets_to_first_flush(struct app *app);

struct timeline *pagesets_timeline(const struct app *app);
/** Works out again what the screen shows. */
void pagesets_refresh(struct app *app);
/** The run that is shown: on Compare that of the focused lane there. */
struct timeline *pagesets_shown(const struct app *app);
/** Stands Pagesets at an op, whatever is shown. */
void pagesets_stand(struct app *app, uint64_t op);
/** Where the timeline's cells are to be: around the place of @t. */
void pagesets_place_window(struct timeline_window *w, const struct timeline *t, unsigned cells);
/** Goes to an op; no animation. Returns 0, or -ENOMEM, which is said; then it stands as before. */
int pagesets_seek(struct app *app, uint64_t op);
/** One op forward or back; forward with animation. */
void pagesets_step(struct app *app, int direction);
/** To the next or previous op with a mark. False when there is none. */
bool pagesets_event(struct app *app, int direction, uint8_t marks);
/** To the next or previous op whose line has app->search in it. False when there is none. */
bool pagesets_search(struct app *app, int direction);
/** The next setting of the screen with the search text in its name; shows and focuses it. */
bool pagesets_search_setting(struct app *app, int direction);
void pagesets_play(struct app *app, bool on);
/** Ops a second of a speed; 0 = as fast as it goes. */
unsigned pagesets_rate(unsigned speed);
void pagesets_faster(struct app *app, int direction);
/** Shows another CPU; -1 = the one that runs. */
void pagesets_choose_cpu(struct app *app, int64_t cpu);
void pagesets_next_slot(struct app *app);
/** The timeline's zoom: +1 = twice as many ops a cell. */
void pagesets_zoom(struct app *app, int direction);
/** The whole run in one window. */
void pagesets_zoom_all(struct app *app);
/** Ops that a cell of the drawn timeline stands for. */
uint64_t pagesets_cell_ops(const struct app *app);
/** Cells that the timeline has on a terminal of @cols columns. */
unsigned pagesets_cells(unsigned cols);

/* --- focus --- */

#define PAGESETS_GAUGE_ROWS 5
extern const enum value_id pagesets_gauge_ids[PAGESETS_GAUGE_ROWS];
/** Settings that the screen edits, in order. Returns how many. */
size_t pagesets_settings(enum zl_setting *ret, size_t max);
size_t pagesets_panel_rows(const struct app *app, unsigned panel);
enum zl_setting pagesets_focused_setting(const struct app *app);
/** Whether the row under the cursor is that of free_high, which stands behind the settings. */
bool pagesets_on_policy(const struct app *app);
/** The rule of free_high in few words, or the policy's text; true for a policy. */
bool pagesets_policy_text(const struct app *app, char *buf, size_t size);
unsigned pagesets_focused_id(const struct app *app);
/** Focuses the row of a value or setting that was clicked on. */
void pagesets_focus_id(struct app *app, unsigned id);
bool pagesets_move(struct app *app, const char *direction);

/**
 * The lane's settings have changed: the run goes on under them as a branch. One that cannot is
 * said. Returns 0, or -ENOMEM; then the run is as it was.
 */
int pagesets_settings_changed(struct app *app, const char *what);
/** Says what an edit did: from this op on where a running kernel allows it, else a run anew. */
void pagesets_say_edit(struct app *app, const char *what);
/** What a field's value would do, drawn beside what is; NULL drops it. Returns 0 or -ENOMEM. */
int pagesets_preview(struct app *app, const struct lane *lane);
/** A single op by hand: "alloc [ORDER [MT]]", "free", "drain", "tick". */
int pagesets_op(struct app *app, const char *kind, unsigned order, enum zl_migratetype mt,
	struct zl_error *err);
/** Opens a lane with one of the ways. Returns 0 or -errno with @err filled. */
int pagesets_take_way(struct app *app, unsigned i, struct zl_error *err);
/**
 * Goes to a branch, at the same op; the lane's settings become those of the branch, as one edit.
 * Returns 0 or -errno with @err filled; then nothing has changed.
 */
int pagesets_go_branch(struct app *app, unsigned i, struct zl_error *err);

/** An event ("flush") or a condition ("count > 300"). */
int pagesets_break_add(struct app *app, const char *text, struct zl_error *err);
void pagesets_break_clear(struct app *app);
/** Takes the scenario's own breakpoints; one that cannot be followed is left out. */
void pagesets_break_scenario(struct app *app);
/** What a step of the scenario says that stops before the next op, "" = none. */
const char *pagesets_stop_text(const struct app *app);
/** The caption of a scenario where the run stands, "" = none. */
const char *pagesets_caption(const struct app *app);
/**
 * Whether a stop asks for a halt at the op that the run stands on. A stop before an op moves the
 * run back by one.
 */
const struct pagesets_break *pagesets_break_hit(struct app *app);
/** The marks of a word; 0 = none of that name. */
uint8_t pagesets_marks_find(const char *word);

/** Whether a value is a figure of the run. */
bool pagesets_is_fact(unsigned id);
/** The op that last changed a figure of the run; TIMELINE_NO_OP without memory. */
uint64_t pagesets_last_change(struct app *app, unsigned id);

/* --- time, for the front end --- */

/**
 * Lets time pass: plays, animates, computes ahead for one slice. Returns whether anything on the
 * screen changed.
 */
bool app_tick(struct app *app, uint64_t elapsed_ns);
/** Nanoseconds until app_tick() wants to be called; UINT64_MAX = nothing is going on. */
uint64_t app_wait(const struct app *app);
/** Ends an animation with its still. */
void app_settle(struct app *app);
/** Ctrl-C: stops what is going on. */
void app_interrupt(struct app *app);

#endif
