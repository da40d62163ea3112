/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of a command line in the wrong place, too few or too many, and options that do not go
 * together: the sentence names what is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define CASES	    TEST_DATA "/cases/"
#define SLIPS(list) (sizeof(list) / sizeof((list)[0]))

struct slip {
	const char *words, *says;
	int status;
};

static void refused(struct program *p, const struct slip *slips, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		program_says(p, slips[i].status, slips[i].words, slips[i].says);
		assert_string_equal("", p->out);
	}
}

static void a_word_that_is_half_of_something_is_put_right(void **state)
{
	static const struct slip slips[] = {
		{"geometry --size 4 MiB",	  "'4 MiB' is one size in two words; write 4MiB",		  2},
		{"--set memory=4 GiB geometry", "write memory=4GiB",					     2},
		{"reserve --size=4 M",	       "'--size=4 M' is one size in two words; write --size=4M", 2},
		{"-c 'set memory=1.5 GiB'",	    "write memory=1.5GiB",					   2},
		{"compare iperf A:6.12 B:6.18", "'A:6.12' is a lane; --lane A:6.12",			     2},
		{"iperf B:6.18",		 "'B:6.18' is a lane; --lane B:6.18",		      2},
		{"geometry page_size=16K",	   "'page_size=16K' is a setting; --set page_size=16K",	2},
		{"run iperf kernel=6.12",	  "--set kernel=6.12",				       2},
		{"kernel=6.12",			"--set kernel=6.12",					     2},
		{"geometry ''",			"'': names no file; the name of a file",			 2},
		{"replay ''",		      "'': names no file; the name of a file",		       2},
	};

	refused(*state, slips, SLIPS(slips));
	/* Numbers and units that belong to a command stay what they are. */
	program_says(*state, 0, "geometry --size 4MiB", "4 MiB");
	program_says(*state, 0, "run iperf --at 10 -c 'op alloc 3 M'", "");
}

static void a_missing_word_is_named(void **state)
{
	static const struct slip slips[] = {
		{"run",			"run: SCENARIO is missing; usage: run SCENARIO",	 2},
		{"compare --lane A:6.1", "compare: SCENARIO is missing;",		  2},
		{"review",		   "review: FILE is missing;",		       2},
		{"sweep",		  "sweep: TARGET is missing;",		       2},
		{"-c set",		   "set: KEY=VALUE is missing;",			 2},
		{"explain",		    "explain: NAME|all|limits|estimate is missing;",  2},
		{"list",		 "list: a word is missing; usage: list commands|", 2},
	};

	refused(*state, slips, SLIPS(slips));
}

static void an_option_that_is_near_nothing_suggests_nothing(void **state)
{
	static const struct slip slips[] = {
		{"run iperf --assert",    "no option --assert; see `zonelab help run`", 2},
		{"run iperf --assert=x",	 "see `zonelab help run`",			   2},
		{"run iperf --shor",	     "did you mean --short",			     2},
		{"run iperf --tarce tsv", "did you mean --trace",			  2},
		{"--jsn",		  "did you mean --json",			 2},
	};

	refused(*state, slips, SLIPS(slips));
}

static void forms_that_do_not_go_together_are_refused(void **state)
{
	static const struct slip slips[] = {
		{"geometry --json --screen 80x24",	   "--screen is answered as text; leave --json out",
			2											     },
		{"--screen 80x24 --mail",			  "leave --mail out",				      2},
		{"--csv --version",			    "--version is answered as text; leave --csv out", 2},
		{"run iperf --short --trace tsv --mail",	 "--trace tsv does not fit the 72 columns",
			2											     },
		{"run iperf --short --trace ftrace --mail", "--trace text does",				 2},
	};
	static const char text[] = "run iperf --short --trace text --mail";

	refused(*state, slips, SLIPS(slips));
	program_says(*state, 0, text, "refill 7 of 7");
	assert_mail(*state, text);
}

static void bisect_is_what_was_parsed(void **state)
{
	static const struct slip slips[] = {
		{"check --bisect nosuch",		  "no shipped scenario", 125},
		{"check nosuch --bisect --bad",	"no option --bad",	   125},
		{"--bad check nosuch --bisect",	"no such option",	  125},
		{"--screen x check --bisect iperf", "is no size",	  125},
		{"check --param --bisect",	   "SCENARIO is missing", 2  },
		{"check -- --bisect",		      "'--bisect'",	    2  },
		{"explain check --bisect",	   "no option --bisect",	 2  },
		{"run nosuch -c 'check --bisect'",  "no shipped scenario", 2  },
	};

	refused(*state, slips, SLIPS(slips));
}

static void numbers_and_texts_of_scenarios_are_said_as_they_are(void **state)
{
	struct program *p = *state;
	static const struct slip slips[] = {
		{"9007199254740993", "the number is out of range; below 2^53,",	2},
		{"1.5",		"the number has a fraction; a whole number", 2},
		{"true",		 "no value; a whole number",		     2},
	};
	char text[600];

	for (size_t i = 0; i < SLIPS(slips); i++) {
		snprintf(text, sizeof(text),
			"{\"kind\":\"scenario\",\"version\":1,\"name\":\"x\",\"zone\":{\"pages\":"
			"131072},\"phases\":[{\"name\":\"p\",\"programs\":[{\"cpus\":0,\"do\":[{"
			"\"alloc\":0,\"count\":%s}]}]}]}",
			slips[i].words);
		program_write(p, "s.json", text);
		program_says(p, 2, "run ~/s.json", slips[i].says);
	}
	program_write(p, "s.json",
		"{\"kind\":\"scenario\",\"version\":1,\"name\":\"x\",\"title\":\"a\\u001bb\","
		"\"zone\":{\"pages\":131072},\"phases\":[{\"name\":\"p\",\"programs\":[{\"cpus\":0,"
		"\"do\":[{\"alloc\":0}]}]}]}");
	program_says(p, 0, "run ~/s.json",
		"note: control characters are left out of 1 text of the scenario");
	program_says(p, 0, "run ~/s.json --json", "\"text-cleaned\"");
	program_says(p, 0, "run iperf --short", "");
	assert_null(strstr(p->out, "control characters"));
}

static void the_answer_about_a_machine_stands_before_its_reports(void **state)
{
	struct program *p = *state;
	const char *found, *values, *report;

	program_run(p, "explain-my-machine " CASES "uc42-zoneinfo-5.14-to-6.12.txt", NULL);
	found = strstr(p->out, "── What was found");
	values = strstr(p->out, "── Value by value");
	report = strstr(p->out, "\n── Import report: zoneinfo");
	assert_ptr_equal(p->out, found);
	assert_true(values > found && report > values);
}

/* Who reads a mail has the patch, but not the folders of who wrote it. */
static void a_mail_about_a_patch_names_no_folders(void **state)
{
	struct program *p = *state;
	static const char words[] =
		"review " TEST_DATA "/patches/scale-default.diff --scenario iperf";
	char line[200];

	snprintf(line, sizeof(line), "%s --mail", words);
	program_says(p, 0, line, "\n  zonelab review scale-default.diff --scenario iperf\n");
	assert_null(strstr(p->out, "/patches/"));
	program_says(p, 0, words, "zonelab review");
	assert_null(strstr(p->out, "\n  zonelab review scale-default.diff"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_word_that_is_half_of_something_is_put_right),
		CASE(a_missing_word_is_named),
		CASE(an_option_that_is_near_nothing_suggests_nothing),
		CASE(forms_that_do_not_go_together_are_refused),
		CASE(bisect_is_what_was_parsed),
		CASE(numbers_and_texts_of_scenarios_are_said_as_they_are),
		CASE(the_answer_about_a_machine_stands_before_its_reports),
		CASE(a_mail_about_a_patch_names_no_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
