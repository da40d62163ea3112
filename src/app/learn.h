/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: where one stands in a lesson, what was predicted, what the model said.
 *
 * While a lesson is open the explorer has a machine and a run of its own; what the user had
 * before waits and comes back when the lesson is left. While a prediction is pending nothing
 * tells the answer: learn_hide.c has the rules.
 */
#ifndef APP_LEARN_H
#define APP_LEARN_H

#include "app.h"
#include "explain.h"
#include "zonelab/expr.h"
#include "zonelab/lesson_file.h"

#define LEARN_TEXT   1024 /* of a filled caption */
#define LEARN_SCORES 64
#define LEARN_NEVER  INT64_MAX /* a point of the run that does not come */

enum learn_phase {
	LEARN_CLOSED, /* the list of lessons */
	LEARN_ASK,    /* a caption, and a prediction if there is a question */
	LEARN_PLAY,   /* the answer is played */
	LEARN_TOLD,   /* and explained */
	LEARN_END     /* the lesson is over */
};

enum learn_mark { LEARN_UNASKED, LEARN_RIGHT, LEARN_WRONG };

/** Panels of the screen. */
enum learn_panel { LEARN_PANEL_MAIN, LEARN_PANEL_VALUES };

/** What is kept of a lesson between runs. */
struct learn_score {
	char name[64];
	int64_t attempts; /* begun and at least one question answered */
	int64_t best, of; /* of those that were finished; of = 0: none was */
};

struct learn_scores {
	struct learn_score item[LEARN_SCORES];
	unsigned count;
	bool loaded;
};

/** A value before the answer was played. */
struct learn_was {
	int64_t value;
	bool there;
};

/** A setting then, as a number and in words. */
struct learn_setting_was {
	struct learn_was number;
	char text[64];
};

struct learn {
	enum learn_phase phase;
	struct zl_lesson lesson;
	size_t index; /* of the shipped lessons, SIZE_MAX = a file */
	uint64_t seed;
	int64_t number[ZL_LESSON_NUMBERS_MAX];
	unsigned step;
	uint64_t at, end; /* ops: where the step stands, where its answer ends */
	struct learn_was was[VALUE_COUNT];
	struct learn_setting_was setting_was[ZL_SETTING_COUNT];
	bool hidden[VALUE_COUNT];
	/* what the question was answered from, as it was when it was asked */
	unsigned input[ZL_LESSON_NAMES_MAX], nr_inputs;
	char input_text[ZL_LESSON_NAMES_MAX][64];
	unsigned asked; /* id */
	/* the prediction */
	unsigned choice;  /* chosen row */
	int64_t typed;	  /* number, or op; LEARN_NEVER */
	unsigned digit;	  /* chosen digit from the right, 0 = ones */
	int64_t given;	  /* what was answered, -1 = never */
	bool answered_it; /* so that texts may speak of `given` */
	/* the answer */
	int64_t answer, within;
	uint8_t mark[ZL_LESSON_STEPS_MAX];
	unsigned right, answered;
	/* filled texts */
	char caption[LEARN_TEXT], ask[LEARN_TEXT], explain[LEARN_TEXT];
	char wrong[LEARN_TEXT]; /* what is said to a wrong answer */
	char choice_text[ZL_LESSON_CHOICES_MAX][128];
	bool animate;	   /* answers are played, not only shown */
	bool moving;	   /* the lesson itself goes to a place: nothing holds it */
	bool keep;	   /* scores go to the state directory */
	struct app *saved; /* what the user had; owned */
	struct learn_scores scores;
	char title[LEARN_SCORES][80]; /* of the shipped lessons */
};

/** The state of the screen, made when it is first asked for. NULL without memory. */
struct learn *learn_get(struct app *app);
void learn_free(struct app *app);
bool learn_open_now(const struct app *app);
/** Steps of the open lesson with a question. */
unsigned learn_questions(const struct learn *l);
const struct zl_lesson_step *learn_step(const struct learn *l);
/** Whether the steps stand in a run. A run that was opened beside a lesson is not the lesson's. */
bool learn_has_run(const struct app *app);

/**
 * Opens a lesson by name or file at its first step; @seed 0 = a new one for each attempt.
 * Returns 0; -EINVAL with place and sentence; -ENOENT; -ENOMEM. On failure all is as before.
 */
int learn_open(struct app *app, const char *name, uint64_t seed, struct zl_error *err);
/** After another screen: lane A, where the step stands. */
void learn_come_back(struct app *app);
/** Gives the user's own machine and run back. */
void learn_leave(struct app *app);
/** Enter: takes the prediction, ends playing, goes to the next step, ends the lesson. */
int learn_enter(struct app *app, struct zl_error *err);
/** Answers the pending question: number of a choice from 1, number, op, or LEARN_NEVER. */
int learn_predict(struct app *app, int64_t v, struct zl_error *err);
/** Goes on to the next step. Returns 0, or an error of the lesson. */
int learn_next(struct app *app, struct zl_error *err);
/** Arrows. False for an unknown word. */
bool learn_move(struct app *app, const char *direction);
/** After time has passed: whether playing has come to its end. */
void learn_tick(struct app *app);
unsigned learn_focused_id(const struct app *app);
/** Goes to the next entry that the search text is in. */
bool learn_search(struct app *app, int direction);
size_t learn_panel_rows(const struct app *app, unsigned panel);
/** Values that the present step lists: ids. Returns how many. */
size_t learn_shown(const struct app *app, unsigned *ret, size_t max);
bool learn_highlights(const struct app *app, unsigned id);
/** "2", "354 pages", "op 190", "never": an answer in words. */
void learn_answer_text(const struct learn *l, int64_t v, char *buf, size_t size);
/** "ok: 354 pages", "no: it is 354 pages, not 1 page"; "" when nothing was answered. */
void learn_verdict_text(const struct learn *l, char *buf, size_t size);
/** The values that a step in a run works with: what it lists, else the inputs of what it asks. */
size_t learn_inputs(const struct app *app, unsigned *ret, size_t max);
/** A value as it was when the question was asked. */
void learn_was_text(const struct app *app, unsigned id, char *buf, size_t size);
/**
 * Tries a lesson: every step with right answers under seeds 1 to @seeds. What the lesson gets
 * wrong is in @err with its place.
 */
int learn_check(struct app *app, const char *name, unsigned seeds, struct zl_error *err);

/* --- expressions (learn_eval.c) --- */

#define LEARN_REFS 24

/** A name of an expression. */
struct learn_ref {
	uint8_t kind;
	unsigned id;
	char name[ZL_EXPR_NAME_MAX + 8];
};
struct learn_expr {
	struct zl_expr code;
	struct learn_ref ref[LEARN_REFS];
	unsigned nr_refs;
	struct app *app;
};
/** Compiles over values, was.VALUE, run.METRIC and the lesson's numbers. */
int learn_compile(struct app *app, const char *text, struct learn_expr *ret, struct zl_error *err);
void learn_expr_done(struct learn_expr *e);
int learn_value(struct learn_expr *e, int64_t *ret, struct zl_error *err);
/** Both in one, with the place of the text in @err. */
int learn_eval(
	struct app *app, const struct zl_lesson_text *text, int64_t *ret, struct zl_error *err);
/** Fills {names} and {expressions}. */
int learn_fill(struct app *app, const struct zl_lesson_text *text, char *buf, size_t size,
	struct zl_error *err);
/** A value, setting or figure by name; figures of the run come first where there is one. */
unsigned learn_find(const struct app *app, const char *name);
/** Remembers what the step's question is answered from, as it is now. */
void learn_remember_inputs(struct app *app);
/** Remembers all values as they are now, for was.VALUE. */
void learn_remember(struct app *app);
/** Draws the lesson's numbers from its seed. */
int learn_numbers(struct app *app, struct zl_error *err);

/* --- machine, run, places (learn_run.c) --- */

/** Builds machine and run of a step, with what its answer changes if @then. */
int learn_build(struct app *app, unsigned step, bool then, struct zl_error *err);
/** Whether a step starts from something else than where the one before ended. */
bool learn_builds(const struct learn *l, unsigned step);
/**
 * Finds a place after the present op. *ret = TIMELINE_NO_OP when it does not come up to @last.
 */
int learn_place(struct app *app, const struct zl_lesson_place *place, uint64_t last, uint64_t *ret,
	struct zl_error *err);
/** Ops that the run of a lesson may have: it is gone through op by op, under many seeds. */
#define LEARN_OPS_MAX 100000u
/** Ops of the whole run. Returns 0; -E2BIG with a sentence for a longer one; -ENOMEM. */
int learn_run_end(struct app *app, uint64_t *ret, struct zl_error *err);
/** Stands at an op, whatever is hidden. */
int learn_stand(struct app *app, uint64_t op);

/* --- what is hidden (learn_hide.c) --- */

/** Whether a prediction is pending: the future and the answer are not told. */
bool learn_pending(const struct app *app);
/** The last op that one may go to; UINT64_MAX = all. */
uint64_t learn_limit(const struct app *app);
/**
 * The last op that is drawn by itself. As long as the lesson has a question to ask, what comes
 * after the present op and after the place of the step is not; UINT64_MAX = all is.
 */
uint64_t learn_sight(const struct app *app);
/** Whether the digits of a value are not to be seen. */
bool learn_hides(const struct app *app, unsigned id);
/** The same by id for struct value_in, NULL = nothing is hidden. */
const bool *learn_hidden(const struct app *app);
/** Whether a screen's body is not to be seen: a lesson about a machine asks, and it would tell. */
bool learn_veils(const struct app *app, enum app_screen screen);
/** Whether tables over other machines are not to be seen. */
bool learn_hides_others(const struct app *app);
/** explain_fill() for the lane that is shown, less what is hidden. */
bool learn_explain(const struct app *app, unsigned id, struct explain *ret);
/** Marks the values that would tell the answer. */
void learn_hide(struct app *app, const struct zl_lesson_question *q);
/** Whether a command may run now; else says why not. */
bool learn_allows(const struct app *app, const char *command, struct zl_error *err);

/* --- scores (learn_score.c) --- */

/** Reads them once; a file that cannot be read counts as none. */
void learn_load_scores(struct app *app);
/** The same from a text; what is no score is left out. */
void learn_read_scores(struct learn *l, const char *text, size_t size);
struct learn_score *learn_score_of(struct learn *l, const char *name);
/** "2 of 4, 3 attempts" of a shipped lesson. */
void learn_score_words(const struct learn *l, size_t lesson, char *buf, size_t size);
/** Counts the attempt and writes the scores, whole or not at all. */
void learn_keep_score(struct app *app, bool finished);

#endif
