/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `list lessons` and `list glossary`.
 */
#include <errno.h>
#include <string.h>

#include "glossary.h"
#include "learn.h"
#include "list.h"
#include "zonelab/shipped.h"

/* "a metric" without its article. */
static const char *noun(const char *kind)
{
	const char *blank = strchr(kind, ' ');

	return blank != NULL ? blank + 1 : kind;
}

/* Every name with what it is made from and what is made from it. */
void list_glossary(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"what",	 "what",	 false},
		{"value",	  "value",	   true },
		{"unit",	 NULL,	       false},
		{"inputs",	   NULL,	 false},
		{"used_by",    NULL,	  false},
		{"definition", "definition", false},
	};
	struct table t;
	struct explain e;

	list_start(&t, l, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t row = 0; row < glossary_count(); row++) {
		struct zl_buf from = {0}, to = {0};

		(void)learn_explain(l->app, glossary_at(row), &e);
		for (size_t i = 0; i < e.nr_inputs; i++) {
			zl_buf_fmt(&from, "%s%s", i > 0 ? " " : "", e.input[i].name);
		}
		for (size_t i = 0; i < e.nr_feeds; i++) {
			zl_buf_fmt(&to, "%s%s", i > 0 ? " " : "", value_name(e.feeds[i]));
		}
		table_text(&t, e.name);
		table_text(&t, noun(glossary_kind(e.id)));
		if (e.value[0] != '\0') {
			table_text(&t, e.value);
		} else {
			table_none(&t); /* of an answer, not of the machine */
		}
		table_text(&t, e.unit);
		table_text(&t, zl_buf_text(&from));
		table_text(&t, zl_buf_text(&to));
		table_text(&t, e.definition);
		zl_buf_done_in(&from, &t.cells);
		zl_buf_done_in(&to, &t.cells);
	}
	table_print(&t);
}

void list_lessons(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"title",	  "title", false},
		{"about",	  NULL,	false},
		{"steps",	  "steps", true },
		{"questions", "asks",  true },
	};
	struct table t;

	list_start(&t, l, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		struct zl_lesson lesson;
		unsigned questions = 0;

		int rc = zl_lesson_open(
			zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, l->app->alloc, &lesson, NULL);
		if (rc != 0) {
			t.cells.failed = t.cells.failed || rc == -ENOMEM;
			continue;
		}
		for (unsigned s = 0; s < lesson.nr_steps; s++) {
			questions += lesson.step[s].question.kind != ZL_LESSON_NOTHING ? 1 : 0;
		}
		table_text(&t, lesson.name);
		table_text(&t, lesson.title);
		table_text(&t, lesson.about);
		table_number(&t, lesson.nr_steps);
		table_number(&t, questions);
		zl_lesson_done(&lesson);
	}
	table_print(&t);
}
