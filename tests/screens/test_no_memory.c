/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer when memory is refused: in the middle of what a user does an allocation fails, each
 * of the first ones and evenly those that follow. It says so, what was there before is there, and
 * the same once more, with memory, does what it should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "beside.h"
#include "failing.h"
#include "golden.h"
#include "pagesets.h"
#include "plain.h"
#include "screen.h"
#include "session.h"

#define EACH	24u /* allocations that fail one by one */
#define MORE	16u /* and so many, evenly, of the rest */
#define ONWARDS 5u  /* each of these has all behind it fail as well */
#define SLICES	100u
#define A_WHILE UINT64_C(50000000) /* ns */
#define LINE	400
#define SESSION "s.json"
#define TWO	"3; :lane B kernel=6.6"
#define TREE	TEST_DATA "/cases/uc06-two-pools.dts"
#define MACHINE TEST_DATA "/captures/linux-6.12.117-x86_64-4k-debian-cloud-trace/zoneinfo.txt"
#define PATCH	TEST_DATA "/patches/threshold-git.patch"
#define TRACE	TEST_DATA "/cases/uc43-trace-order3-frees.txt"
#define SWEEP	":sweep iperf --vary cpus=1..4 --metric free_high; wait"

/*
 * What is done, separated by "; ": a line as at the prompt after ":", time that passes as "wait",
 * a size as "size ROWS COLS", else keys.
 */
struct deed {
	const char *before; /* with all the memory there is */
	const char *what;   /* in the middle of which it is refused; NULL ends a list */
};

static const struct deed moves[] = {
	{"",			"3"		   },
	{"3; :go 100; Space",	      "wait"		    },
	{"3",		       "."		   },
	{"3",		       ","		   },
	{"3; :go 300",	       ":go 5"		      },
	{"3",		       "n"		   },
	{"3; n",		    "r"		    },
	{"3; /; f; r; e; e; Enter", "N"		       },
	{"3",		       ":cpu 1"	      },
	{"3",		       "v"		   },
	{"3",		       "w"		   },
	{"3",		       "size 60 200"	   },
	{"3",		       ":break count > 100"  },
	{"3",		       ":bookmark here it is"},
	{NULL,		      NULL		   },
};

static const struct deed edits[] = {
	{"3",				":set high_min=600"				 },
	{"3; :set high_min=600",		 "u"					   },
	{"3; :set high_min=600; u",	    "C-r"					 },
	{"3; :set high_min=600",		 ":branch 1"				    },
	{"3; :go 100; e; Enter; C-u; 7 0",   "0"					      },
	{"3; :go 100; e; Enter; C-u; 7 0 0", "Enter"					    },
	{"3",				":policy free_high = pcp->free_count >= batch"},
	{"3",				":op alloc"				   },
	{"1; Enter; C-u; 1; 6",		"K"					   },
	{"1; Enter; C-u; 1; 6; K",	   "Enter"					  },
	{"1",				"p"					   },
	{NULL,			       NULL					  },
};

static const struct deed lanes[] = {
	{"3",		     ":lane B kernel=6.6"},
	{TWO,		     "A"		 },
	{TWO,		     "4"		 },
	{TWO "; 4",		    "n"		       },
	{TWO "; 4",		    "."		       },
	{TWO "; 4",		    "y"		       },
	{TWO "; 4",		    "K"		       },
	{TWO "; 4",		    "B"		       },
	{TWO "; 4",		    ":set high_min=600" },
	{"3; :set page_size=16K", "u"		     },
	{NULL,		    NULL		   },
};

static const struct deed screens[] = {
	{"1",	      "e"		 },
	{"1",	      "?"		 },
	{"1",	      "y"		 },
	{"",	      "2"		},
	{"2",	      "i"		 },
	{"2; i",		 "+"	    },
	{"",	      "5"		},
	{"",	      SWEEP	  },
	{SWEEP,		":point open"  },
	{"",	      "6"		},
	{"",	      ":lesson flush"},
	{":lesson flush", ":answer 1"    },
	{":lesson flush", ":leave"	  },
	{NULL,	       NULL	   },
};

static const struct deed files[] = {
	{TWO "; :bookmark here",			 ":save " SESSION},
	{TWO "; :bookmark here; :save " SESSION "; 1", ":open " SESSION},
	{"",					   ":open " PATCH  },
	{"",					   ":open " TREE	  },
	{"",					   ":open " MACHINE},
	{":set kernel=6.12",			     ":open " TRACE  },
	{"3",					  ":open iperf"   },
	{"",					   ":patch " PATCH },
	{":set kernel=6.12",			     ":replay " TRACE},
	{NULL,					 NULL		   },
};

static const struct deed commands[] = {
	{"3",  ":run iperf --param rounds=2"  },
	{"3",  ":check free-order3 --short"	  },
	{"3",  ":compare iperf --axis kernel" },
	{"3",  ":explain --all"		      },
	{"3",  ":reserve --size 4M --size 33M"},
	{"3",  ":source " TEST_DATA "/none"	  },
	{"3",  ":plain"		       },
	{NULL, NULL			   },
};

static void hook_copy(struct app *app, const char *text)
{
	app_say(app, VALUE_NONE, "Copied %u bytes", (unsigned)strlen(text));
}

static const struct app_hooks hooks = {.plain = plain_screen, .copy = hook_copy};

/* ---- doing ---- */

static void do_one(struct stage *s, const char *what)
{
	int rows = 0, cols = 0;

	if (what[0] == ':') {
		app_key(&s->app, ":");
		app_prompt_done(&s->app, what + 1);
	} else if (strcmp(what, "wait") == 0) {
		(void)app_tick(&s->app, A_WHILE);
	} else if (sscanf(what, "size %d %d", &rows, &cols) == 2) {
		stage_resize(s, rows, cols);
	} else {
		press(s, what);
	}
}

/* One after another, each with a picture. */
static void do_all(struct stage *s, const char *what)
{
	char one[LINE];

	while (*what != '\0') {
		size_t n = strcspn(what, ";");

		snprintf(one, sizeof(one), "%.*s", (int)n, what);
		do_one(s, one);
		screen_draw(&s->app, NULL, &s->c);
		what += n;
		what += strspn(what, "; ");
	}
}

static struct stage *begin(const char *before)
{
	struct stage *s = stage_new(24, 80);

	(void)unlink(SESSION);
	s->app.hooks = &hooks;
	do_all(s, before);
	return s;
}

/* What is found out between two keys; then all that is worth keeping, as text. */
static char *state_of(struct stage *s)
{
	struct zl_buf text = {0};

	for (unsigned i = 0; i < SLICES && app_wait(&s->app) == 0; i++) {
		(void)app_tick(&s->app, 0);
	}
	draw(s);
	assert_int_equal(0, session_text(&s->app, &text));
	return text.data;
}

/* ---- judging ---- */

/* A deed, the state before and after it, and the picture after it. */
struct trial {
	const struct deed *deed;
	unsigned long n; /* allocation that fails */
	char *before, *after, *screen;
};

static void fail_trial(const struct trial *t, const struct stage *s, const char *what)
{
	fail_msg("\"%s\", then \"%s\" without allocation %lu: %s; it says '%s'", t->deed->before,
		t->deed->what, t->n, what,
		s->app.message.text[0] != '\0' ? s->app.message.text : s->app.prompt_error.text);
}

static void check_run(const struct trial *t, const struct stage *s, struct timeline *run)
{
	const uint64_t at = run->at, digest = zl_sim_digest(run->sim);
	struct zl_error err = {0};

	if (zl_sim_check(run->sim, &err) != 0 || zl_sim_check(run->ahead, &err) != 0) {
		fail_trial(t, s, err.text);
	}
	assert_int_equal(0, timeline_seek(run, at > 0 ? at - 1 : 1));
	assert_int_equal(0, timeline_seek(run, at));
	if (run->at != at || zl_sim_digest(run->sim) != digest) {
		fail_trial(t, s, "an op and back is another state");
	}
}

static void check_runs(const struct trial *t, const struct stage *s)
{
	for (unsigned i = 0; i < APP_LANES; i++) {
		const struct pagesets *p = s->app.run[i];

		for (unsigned b = 0; p != NULL && b < p->nr_branches; b++) {
			check_run(t, s, p->branch[b].t);
		}
	}
}

static bool says(const struct stage *s, const char *text)
{
	return strstr(s->app.message.text, text) != NULL ||
	       strstr(s->app.prompt_error.text, text) != NULL || strstr(s->screen, text) != NULL;
}

/* Refuses one allocation. Returns whether the deed was done all the same. */
static bool refuse(const struct trial *t, struct stage *s)
{
	failing_start(t->n, t->n % ONWARDS == 0);
	do_all(s, t->deed->what);
	(void)failing_stop();
	char *text = state_of(s);
	bool done = strcmp(text, t->after) == 0, shown = strcmp(s->screen, t->screen) == 0;
	bool undone = strcmp(text, t->before) == 0;

	free(text);
	if (!done && !undone) {
		fail_trial(t, s, "half of it is done");
	}
	if (!(done && shown) && !says(s, "memory")) {
		fail_trial(t, s, "nobody is told");
	}
	check_runs(t, s);
	return done && (shown || !undone || says(s, "no memory for all of this"));
}

static void try_again(const struct trial *t, struct stage *s)
{
	/* A prompt that is still open with its error takes the line once more. */
	s->app.mode = s->app.mode == MODE_PROMPT ? MODE_NORMAL : s->app.mode;
	do_all(s, t->deed->what);
	char *text = state_of(s);
	bool done = strcmp(text, t->after) == 0;

	free(text);
	if (!done) {
		fail_trial(t, s, "once more it is not done");
	}
}

static void try_deed(const struct deed *d)
{
	struct trial t = {.deed = d};
	struct stage *s = begin(d->before);
	unsigned long all, each, step;

	t.before = state_of(s);
	failing_start(0, false);
	do_all(s, d->what);
	all = failing_stop();
	t.after = state_of(s);
	t.screen = strdup(s->screen);
	assert_non_null(t.screen);
	stage_free(s);
	each = getenv("ZL_DEEP") != NULL ? all : EACH;
	step = all > each ? (all - each) / MORE + 1 : 1;
	for (t.n = 1; t.n <= all; t.n += t.n < each ? 1 : step) {
		s = begin(d->before);
		if (!refuse(&t, s)) {
			try_again(&t, s);
		}
		stage_free(s);
	}
	free(t.before);
	free(t.after);
	free(t.screen);
}

static void try_all(const struct deed *d)
{
	(void)failing_stop(); /* a test before may have ended in the middle */
	for (; d->what != NULL; d++) {
		try_deed(d);
	}
}

static void moving_without_memory_loses_no_place(void **state)
{
	(void)state;
	try_all(moves);
}

static void edits_without_memory_are_made_or_not(void **state)
{
	(void)state;
	try_all(edits);
}

static void lanes_without_memory_stay_as_they_were(void **state)
{
	(void)state;
	try_all(lanes);
}

static void every_screen_without_memory_says_so(void **state)
{
	(void)state;
	try_all(screens);
}

static void files_without_memory_take_the_place_of_nothing(void **state)
{
	(void)state;
	try_all(files);
}

static void commands_without_memory_say_so(void **state)
{
	(void)state;
	try_all(commands);
}

/* Files are written where the test stands. */
static int enter_folder(void **state)
{
	static char folder[] = "/tmp/zonelab-no-memory-XXXXXX";

	*state = folder;
	return mkdtemp(folder) == NULL || chdir(folder) != 0 || setenv("HOME", folder, 1) != 0;
}

static int leave_folder(void **state)
{
	(void)unlink(SESSION);
	return chdir("/") != 0 || rmdir(*state) != 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moving_without_memory_loses_no_place),
		cmocka_unit_test(edits_without_memory_are_made_or_not),
		cmocka_unit_test(lanes_without_memory_stay_as_they_were),
		cmocka_unit_test(every_screen_without_memory_says_so),
		cmocka_unit_test(files_without_memory_take_the_place_of_nothing),
		cmocka_unit_test(commands_without_memory_say_so),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
