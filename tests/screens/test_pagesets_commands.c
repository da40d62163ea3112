/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the Pagesets screen as typed at the prompt: what they do, list and refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "pagesets.h"

static uint64_t at_op(const struct stage *s)
{
	return pagesets_timeline(&s->app)->at;
}

/* As the prompt does: what a command answers is shown. */
static void answer(struct stage *s, const char *line)
{
	press(s, ":");
	app_prompt_done(&s->app, line);
}

static void refused(struct stage *s, const char *line, const char *why)
{
	char error[300];

	assert_int_equal(EXIT_USAGE, command_status(s, line, error, sizeof(error)));
	assert_string_equal(why, error);
}

/* The story has 1966 ops. */
static void places_are_numbers_steps_shares_and_ends(void **state)
{
	static const struct {
		const char *line;
		uint64_t at;
	} table[] = {
		{"go last",  1966},
		{"go -16",   1950},
		{"go - 50",  1900},
		{"go +66",   1966},
		{"go +1",	  1966},
		{"go first", 0   },
		{"go +1",	  1   },
		{"go -5",	  0   },
		{"go 1 204", 1204},
		{"go 50%",   983 },
		{"go 100%",  1966},
		{"go 0%",	  0   },
		{"go 9999",  1966},
	};
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		command(s, table[i].line);
		assert_int_equal(table[i].at, at_op(s));
	}
	refused(s, "go 101%", "cannot go to '101%'; a number, +N, -N, N%, first, last or an event");
	refused(s, "go nowhere",
		"cannot go to 'nowhere'; a number, +N, -N, N%, first, last or an event");
	refused(s, "go %", "cannot go to '%'; a number, +N, -N, N%, first, last or an event");
	stage_free(s);
}

/* The first flush of this run is op 191; free_count has reached its threshold there. */
static void events_are_gone_to_in_both_directions(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "go first");
	command(s, "go flush");
	assert_int_equal(191, at_op(s));
	command(s, "go last");
	command(s, "go next flush");
	assert_int_equal(1966, at_op(s));
	assert_shows(s, "There is no flush after this op");
	command(s, "go first");
	command(s, "go back flush");
	assert_int_equal(0, at_op(s));
	assert_shows(s, "There is no flush before this op");
	command(s, "go back any");
	assert_shows(s, "There is no event before this op");
	stage_free(s);
}

/* The next of the speeds that is not slower. */
static void a_speed_is_the_next_one_that_there_is(void **state)
{
	static const struct {
		const char *line;
		unsigned rate; /* 0 = as fast as it goes */
	} table[] = {
		{"speed 1",	    1     },
		{"speed 3",	    5     },
		{"speed 10",     10    },
		{"speed 11",     30    },
		{"speed 100000", 100000},
		{"speed 100001", 0	  },
		{"speed max",    0     },
		{"speed -1",     100000},
		{"speed +1",     0     },
		{"speed +1",     0     },
	};
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		command(s, table[i].line);
		assert_int_equal(table[i].rate, pagesets_rate(s->app.pagesets->all->speed));
	}
	refused(s, "speed 0", "cannot play at '0'; ops a second, or max");
	refused(s, "speed fast", "cannot play at 'fast'; ops a second, or max");
	stage_free(s);
}

static void a_zoom_is_undone_by_the_other_one(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	draw(s);
	const uint64_t cell = pagesets_cell_ops(&s->app);
	command(s, "zoom -1");
	assert_true(pagesets_cell_ops(&s->app) > cell);
	command(s, "zoom +1");
	assert_int_equal(cell, pagesets_cell_ops(&s->app));
	command(s, "zoom all");
	draw(s);
	refused(s, "zoom 5", "cannot zoom to '5'; +1, -1 or all");
	stage_free(s);
}

static void cpus_and_slots_are_chosen_by_name(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "cpu 23");
	assert_shows(s, "cpu 23 of 24");
	command(s, "cpu next");
	assert_shows(s, "cpu 0 of 24");
	command(s, "cpu 7");
	command(s, "cpu run");
	assert_hides(s, "cpu 7 of 24");
	refused(s, "cpu 24", "there is no CPU '24'; 0 to 23, next, or run");
	refused(s, "cpu x", "there is no CPU 'x'; 0 to 23, next, or run");
	command(s, "slot buddy");
	assert_int_equal(SLOT_BUDDY, s->app.pagesets->all->slot);
	command(s, "slot");
	assert_int_equal(SLOT_BLOCKS, s->app.pagesets->all->slot);
	refused(s, "slot lists",
		"there is no 'lists' to show; ops, buddy, blocks, cpus or settings");
	stage_free(s);
}

static void breakpoints_are_listed_and_cleared(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "break clear");
	answer(s, "break");
	assert_shows(s, "No breakpoints. break EVENT or break CONDITION");
	press(s, "Esc");
	command(s, "break flush");
	assert_shows(s, "Stops at: flush");
	command(s, "break count > 300");
	answer(s, "break");
	assert_shows(s, "1  flush");
	assert_shows(s, "2  count > 300");
	press(s, "Esc");
	command(s, "break clear");
	assert_int_equal(0, s->app.pagesets->all->nr_breaks);
	stage_free(s);
}

/* From op 10: 50 comes next; behind the last one the first. */
static void bookmarks_are_gone_to_in_the_order_of_their_ops(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "bookmark next");
	assert_shows(s, "No bookmarks yet");
	answer(s, "bookmark list");
	assert_shows(s, "No bookmarks. bookmark NOTE sets one");
	press(s, "Esc");
	command(s, "go 90");
	command(s, "bookmark");
	command(s, "go 50");
	command(s, "bookmark a burst");
	assert_shows(s, "Bookmark set at op 50");
	command(s, "go 10");
	command(s, "bookmark next");
	assert_int_equal(50, at_op(s));
	assert_shows(s, "Bookmark at op 50: a burst");
	command(s, "bookmark next");
	assert_int_equal(90, at_op(s));
	command(s, "bookmark next");
	assert_int_equal(50, at_op(s));
	answer(s, "bookmark list");
	assert_shows(s, "op 90");
	assert_shows(s, "op 50  a burst");
	press(s, "Esc");
	while (s->app.pagesets->all->nr_bookmarks < PAGESETS_BOOKMARKS) {
		command(s, "bookmark");
	}
	char why[64];
	snprintf(why, sizeof(why), "there are %d bookmarks already", PAGESETS_BOOKMARKS);
	refused(s, "bookmark", why);
	stage_free(s);
}

static void a_recording_is_refused_before_it_is_made(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	char error[300];

	(void)state;
	refused(s, "record /nowhere/x.cast many", "cannot record 'many' ops");
	assert_int_equal(
		EXIT_USAGE, command_status(s, "record /nowhere/x.cast 5", error, sizeof(error)));
	assert_non_null(strstr(error, "cannot write: "));
	/* A stage has no front end. */
	refused(s, "record /dev/null 5", "this front end has no screen to record");
	stage_free(s);
}

static void ops_by_hand_are_branches_that_are_listed(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "go 20");
	command(s, "op alloc 1 M");
	assert_int_equal(21, at_op(s));
	assert_shows(s, "alloc by hand made a branch");
	answer(s, "branch");
	assert_shows(s, "> 2  from op 20");
	assert_shows(s, ":branch N goes to one, at the same op.");
	press(s, "Esc");
	command(s, "branch 1");
	assert_shows(s, "Branch 1");
	assert_int_equal(0, s->app.pagesets->active);
	refused(s, "branch 0", "there is no branch '0'; 1 to 2");
	refused(s, "branch 3", "there is no branch '3'; 1 to 2");
	refused(s, "op alloc 99", "there is no order '99'");
	refused(s, "op alloc x", "there is no order 'x'");
	refused(s, "op alloc 0 C", "there is no migratetype 'C'; U, M or R");
	refused(s, "op alloc 0 MM", "there is no migratetype 'MM'; U, M or R");
	refused(s, "op alloc 0 \"\"", "there is no migratetype ''; U, M or R");
	stage_free(s);
}

/* The line that holds the text becomes the first one; the search goes round. */
static void a_search_in_an_answer_scrolls_to_its_lines(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "break clear");
	for (unsigned i = 1; i <= 9; i++) {
		char line[32];

		snprintf(line, sizeof(line), "break count > %u", i % 3 * 111);
		command(s, line);
	}
	stage_resize(s, 24, 80);
	answer(s, "break");
	press(s, "/ 2 2 2 Enter");
	assert_int_equal(1, s->app.scroll);
	press(s, "n");
	assert_int_equal(4, s->app.scroll);
	press(s, "n");
	assert_int_equal(7, s->app.scroll);
	press(s, "n");
	assert_int_equal(1, s->app.scroll);
	press(s, "N");
	assert_int_equal(7, s->app.scroll);
	press(s, "/ n o w h e r e Enter");
	assert_shows(s, "Nothing matches 'nowhere'");
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_numbers_steps_shares_and_ends),
		cmocka_unit_test(events_are_gone_to_in_both_directions),
		cmocka_unit_test(a_speed_is_the_next_one_that_there_is),
		cmocka_unit_test(a_zoom_is_undone_by_the_other_one),
		cmocka_unit_test(cpus_and_slots_are_chosen_by_name),
		cmocka_unit_test(breakpoints_are_listed_and_cleared),
		cmocka_unit_test(bookmarks_are_gone_to_in_the_order_of_their_ops),
		cmocka_unit_test(a_recording_is_refused_before_it_is_made),
		cmocka_unit_test(ops_by_hand_are_branches_that_are_listed),
		cmocka_unit_test(a_search_in_an_answer_scrolls_to_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
