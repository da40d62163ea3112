/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lists of `list` share. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include "commands.h"
#include "table.h"

/** What one list works with. */
struct list {
	struct app *app;
	const struct command_args *args;
	struct output *out;
	struct zl_json *rows;
};

/** Starts the table of a list. */
void list_start(struct table *t, const struct list *l, const struct column *columns, size_t n);
/** Whether it is text for people. */
bool list_pages(const struct list *l);

void list_decision_points(const struct list *l);
void list_shipped_policies(const struct list *l);

/* list_lessons.c */
void list_glossary(const struct list *l);
void list_lessons(const struct list *l);

#endif
