/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lesson files: JSON in, and the lessons that are shipped with the program. A lesson is plain
 * data; no answer is in it, only expressions that are worked out by running the model.
 * zonelab-lesson(5) describes every key.
 *
 * Expressions and names of values are kept as text: what they mean is the explorer's to say. A
 * text remembers where it stood, so that an error found later can name line and column.
 */
#ifndef ZONELAB_LESSON_FILE_H
#define ZONELAB_LESSON_FILE_H

#include "zonelab/error.h"
#include "zonelab/scenario_file.h"

/** Longest lesson file, in bytes. */
#define ZL_LESSON_FILE_MAX     (UINT64_C(1) << 20)
#define ZL_LESSON_TEXT_MAX     640 /* bytes of a caption, question or explanation */
#define ZL_LESSON_STEPS_MAX    16
#define ZL_LESSON_CHOICES_MAX  5
#define ZL_LESSON_NUMBERS_MAX  12
#define ZL_LESSON_SETTINGS_MAX 12
#define ZL_LESSON_NAMES_MAX    10 /* values that are shown, highlighted or hidden, each */
#define ZL_LESSON_DIGITS_MAX   9
#define ZL_LESSON_WRONGS_MAX   ZL_LESSON_CHOICES_MAX

/** A text of the file; s is "" where there is none. */
struct zl_lesson_text {
	const char *s;
	unsigned line, column;
};

/** A number that the seed chooses: lo <= number <= hi; both are expressions over those before. */
struct zl_lesson_number {
	char name[ZL_SCENARIO_NAME_MAX];
	struct zl_lesson_text lo, hi;
};

/** KEY=VALUE; the value may hold {expressions}. */
struct zl_lesson_setting {
	enum zl_setting key;
	struct zl_lesson_text value;
};

struct zl_lesson_settings {
	struct zl_lesson_setting item[ZL_LESSON_SETTINGS_MAX];
	unsigned count;
};

struct zl_lesson_names {
	struct zl_lesson_text item[ZL_LESSON_NAMES_MAX];
	unsigned count;
};

enum zl_lesson_place_kind {
	ZL_LESSON_HERE,	 /* nowhere else */
	ZL_LESSON_OP,	 /* an expression: number of the op */
	ZL_LESSON_ON,	 /* so many ops further: an expression */
	ZL_LESSON_EVENT, /* the next op with an event */
	ZL_LESSON_WHEN	 /* the next op after which a condition holds */
};
/** A place in a run. */
struct zl_lesson_place {
	enum zl_lesson_place_kind kind;
	struct zl_lesson_text text; /* expression or event */
	bool before;		    /* one op earlier */
};

/** A run: a shipped scenario, or one inside the lesson, as JSON. */
struct zl_lesson_run {
	const char *name; /* "" = none, or it is inside */
	const char *json; /* "" = it is named */
};

enum zl_lesson_answer { ZL_LESSON_NOTHING, ZL_LESSON_CHOICE, ZL_LESSON_NUMBER, ZL_LESSON_POINT };

struct zl_lesson_question {
	enum zl_lesson_answer kind;
	struct zl_lesson_text ask;
	struct zl_lesson_text asked; /* the value that it is about */
	struct zl_lesson_text choice[ZL_LESSON_CHOICES_MAX];
	struct zl_lesson_text when[ZL_LESSON_CHOICES_MAX]; /* holds for the right one */
	unsigned nr_choices;
	struct zl_lesson_text number; /* expression of the right number */
	struct zl_lesson_text within; /* how far off is still right; "" = not at all */
	char unit[16];
	unsigned digits;
	struct zl_lesson_place point;
	struct zl_lesson_names hide; /* values that would tell it */
	/* what is said to a wrong answer for which the expression holds, the first that does */
	struct zl_lesson_text wrong_when[ZL_LESSON_WRONGS_MAX];
	struct zl_lesson_text wrong[ZL_LESSON_WRONGS_MAX];
	unsigned nr_wrongs;
};

struct zl_lesson_step {
	struct zl_lesson_text caption, explain;
	struct zl_lesson_settings machine; /* from this step on */
	struct zl_lesson_settings then;	   /* from the answer on */
	struct zl_lesson_run run;	   /* from this step on */
	struct zl_lesson_place at;	   /* where it stands */
	struct zl_lesson_place until;	   /* how far the answer plays */
	struct zl_lesson_names show, highlight;
	struct zl_lesson_question question;
};

struct zl_arena;

struct zl_lesson {
	char name[64];
	char title[80];
	char about[160]; /* its subject in a line */
	char profile[256];
	int64_t cpu; /* whose pageset is shown, -1 = of the CPU that runs */
	struct zl_lesson_number number[ZL_LESSON_NUMBERS_MAX];
	unsigned nr_numbers;
	struct zl_lesson_settings machine;
	struct zl_lesson_run run;
	struct zl_lesson_names show;
	struct zl_lesson_step step[ZL_LESSON_STEPS_MAX];
	unsigned nr_steps;
	struct zl_arena *arena; /* holds the texts */
};

/**
 * Reads a lesson: keys, types, ranges, and the scenario inside it. Expressions and names of
 * values are checked when it is run.
 * Returns 0; -EINVAL or -E2BIG with line, column and the path of the value; -ENOMEM.
 */
int zl_lesson_parse(const char *text, size_t size, const struct zl_allocator *mem,
	struct zl_lesson *ret, struct zl_error *err);
/** Accepts a zeroed lesson. */
void zl_lesson_done(struct zl_lesson *l);
/** A shipped lesson by name, else a file. @err names the file, or the nearest shipped lesson. */
int zl_lesson_open(const char *name_or_path, const struct zl_allocator *mem, struct zl_lesson *ret,
	struct zl_error *err);

#endif
