/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the parts of the Learn screen go. What gives way first: glossary, past steps, timeline,
 * lists; question, answers and inputs stay.
 */
#ifndef VIEW_LAYOUT_LEARN_H
#define VIEW_LAYOUT_LEARN_H

#include "canvas.h"

/** What a step needs. */
struct learn_needs {
	int caption; /* lines */
	int values;  /* rows of gauges or values, without their heading */
	int lists;   /* orders with lists, 0 = there is no run */
	int task;    /* lines of question and choices, or of the explanation */
	bool run;
};

/** Areas that there is no room for have no rows. */
struct layout_learn {
	bool wide, full;
	struct rect head, caption;
	struct rect values; /* with its heading, as the others */
	struct rect lists, inputs;
	struct rect task, glossary;
	struct rect timeline, past;
	struct rect status; /* one row: op and score */
	int bar;	    /* cells of the gauges */
};

struct layout_learn layout_learn(struct rect body, const struct learn_needs *needs);

#endif
