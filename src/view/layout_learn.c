/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout_learn.h"

#include "layout.h"

#define FULL_ROWS      37 /* of the body */
#define LIST_COLS      33
#define LIST_COLS_WIDE 58
#define LISTS_LEAST    5 /* with heading and the names of the columns */
#define INPUT_ROWS     5
#define PAST_ROWS      3

/* Lists beside inputs take what the question leaves. */
static void place_lists(struct layout_learn *l, struct rect *left, const struct learn_needs *needs)
{
	int task = needs->task + 1;
	int rows = needs->lists + 2 > INPUT_ROWS ? needs->lists + 2 : INPUT_ROWS;
	int room = left->rows - task - (l->full ? 1 : 0);

	rows = rows < room ? rows : room;
	rows = rows < LISTS_LEAST && left->rows >= LISTS_LEAST + 1 ? LISTS_LEAST : rows;
	struct rect both = layout_cut(left, rows);
	layout_split(both, l->wide ? LIST_COLS_WIDE : LIST_COLS, &l->lists, &l->inputs);
}

struct layout_learn layout_learn(struct rect body, const struct learn_needs *needs)
{
	struct layout_learn l = {.wide = body.cols >= LAYOUT_WIDE_COLS,
		.full = body.cols >= LAYOUT_WIDE_COLS && body.rows >= FULL_ROWS,
		.bar = body.cols / 2};
	struct rect left = body, task;
	int fixed;

	l.head = layout_cut(&left, 1);
	l.caption = layout_cut(&left, needs->caption);
	l.status = layout_cut_low(&left, 1);
	if (l.full) {
		layout_cut(&left, 1);
		l.past = layout_cut_low(&left, PAST_ROWS);
	}
	l.values = layout_cut(&left, needs->values + 1);
	fixed = needs->task + 1 + (needs->run ? LISTS_LEAST : 0);
	if (needs->run && l.full) {
		layout_cut_low(&left, 1);
		l.timeline = layout_cut_low(&left, 2);
		layout_cut_low(&left, 1);
	} else if (needs->run && left.rows > fixed) {
		l.timeline = layout_cut_low(&left, 1);
	}
	if (needs->run) {
		if (l.full) {
			layout_cut(&left, 1);
		}
		place_lists(&l, &left, needs);
	}
	if (l.full) {
		layout_cut(&left, 1);
	}
	task = left;
	if (l.full) {
		layout_split(task, LIST_COLS_WIDE, &l.task, &l.glossary);
	} else {
		l.task = task;
	}
	return l;
}
