/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names out of files, and of files, that would do something to a terminal, a mail or a picture:
 * wherever they are read, nothing that is printed or written has them as they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/file.h"

#define TEXT_MAX  (1u << 20)
#define LINE_MAX_ 600
#define INSERTS	  40 /* of one file: enough to reach all that is shown of it */

/* ESC, BEL, a lone C1 byte, C1 as UTF-8, an override, DEL, no UTF-8, a combining mark, an isolate. */
#define NASTY                                                                                      \
	"a\033]0;x\ab\233c\302\233d\342\200\256e\177f\377\314\201g\342\201\246h\001i\342\200\217k"
/* The same in a JSON string. */
#define NASTY_JSON "a\\u001b]0;x\\u0007b\\u009bd\\u202ee\\u007ff\\u0301g\\u2066h\\u0001i\\u200fk"
/* In the name of a file: a line of its own, too. */
#define NASTY_NAME NASTY "\nFORGED\t1"

/* A file of the tree with something behind each mark; each line is a command with it for %s. */
struct input {
	const char *from, *mark, *insert;
	const char *lines[5];
};

static const struct input inputs[] = {
	{TEST_SOURCE_ROOT "/scenarios/iperf.json",					   "\"title\": \"",   NASTY_JSON,
		{"run %s --short", "check %s --short", "%s --screen 200x60",
			"compare %s --short --lane A:kernel=6.6 --lane B:kernel=6.12"}									      },
	{TEST_SOURCE_ROOT "/scenarios/iperf.json",					   "\"text\": \"",	   NASTY_JSON,
		{"run %s --short", "check %s --short"}														     },
	{TEST_SOURCE_ROOT "/scenarios/iperf.json",					   "\"name\": \"",	   NASTY_JSON,
		{"run %s --short", "check %s --short", "estimate %s"}												      },
	{TEST_SOURCE_ROOT "/scenarios/lessons/flush.json",				   "\"caption\": \"", NASTY_JSON,
		{"lesson %s --check"}																      },
	{TEST_SOURCE_ROOT "/scenarios/lessons/flush.json",				   "\"ask\": \"",	  NASTY_JSON,
		{"lesson %s --check"}																      },
	{TEST_DATA "/cases/uc43-trace-order3-frees.txt",				 "  ",	       NASTY,
		{"replay %s --set kernel=6.12", "anonymise %s", "%s --screen 80x24"}										       },
	{TEST_DATA "/cases/uc43-trace-order3-frees.txt",				 "mm_page_",	     NASTY,
		{"replay %s --set kernel=6.12"}															    },
	{TEST_DATA "/cases/uc06-two-pools.dts",						"pool_",		 NASTY,	{"reserve %s"}			      },
	{TEST_DATA "/cases/uc06-two-pools.dts",						"label = \"pool",  NASTY,
		{"reserve %s", "reserve %s --set page_size=16K", "%s --screen 120x40"}										      },
	{TEST_DATA "/cases/uc06-two-pools.dts",						"@",		     NASTY,	    {"reserve %s"}				  },
	{TEST_DATA "/cases/uc09-dmesg.txt",					      "reserve ",	NASTY,
		{"reserve %s", "%s --screen 120x40"}														       },
	{TEST_DATA "/cases/uc09-dmesg.txt",					      "Normal free:",    NASTY,	   {"geometry %s"}				  },
	{TEST_DATA "/patches/threshold-git.patch",					   "Subject: ",	NASTY,      {"patch %s", "review %s"}			},
	{TEST_DATA "/patches/threshold-git.patch",					   "mm/page",	      NASTY,	     {"patch %s", "review %s"}		      },
	{TEST_DATA "/patches/threshold-git.patch",					   "\n+",		  NASTY,	 {"patch %s"}				     },
	{TEST_DATA "/captures/linux-6.12.117-x86_64-4k-debian-cloud-trace/zoneinfo.txt", "zone ",
		NASTY,													 {"pcp %s", "verify %s", "%s --screen 80x24"}},
};
#define INPUTS (sizeof(inputs) / sizeof(*inputs))

/* What is typed, with the name of a file or instead of a word. */
static const char *const words[] = {
	"pcp %s",
	"run %s",
	"reserve %s",
	"reserve %s --fix",
	"patch %s",
	"review %s",
	"check %s",
	"compare %s --lane A:kernel=6.6 --lane B:kernel=6.12",
	"replay %s --set kernel=6.12",
	"anonymise %s",
	"lesson %s",
	"verify --root %s",
	"geometry -o %s/none/x",
	"--profile %s pcp",
	"--set kernel=%s geometry",
	"explain %s",
	"list %s",
	"--x%s",
	"-c %s",
	"sweep iperf --vary %s --metric free_high",
	"hunt --lane A:%s",
	"--policy free_high=%s",
	"run iperf --param %s",
	"reserve --size %s",
	"reserve --demand %s",
	"help %s",
};
#define WORDS (sizeof(words) / sizeof(*words))

static const char *const formats[] = {"", " --json", " --csv", " --mail"};
#define FORMATS (sizeof(formats) / sizeof(*formats))

/* ---- looking ---- */

static size_t utf8(const unsigned char *s, uint32_t *ret)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;

	*ret = n == 1 ? s[0] : n > 0 ? s[0] & (0x7fu >> n) : 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			return 0;
		}
		*ret = *ret << 6 | (s[i] & 0x3fu);
	}
	return n;
}

static bool allowed(uint32_t c, bool tabs)
{
	if (c < ' ') {
		return c == '\n' || (tabs && c == '\t');
	}
	return !(c >= 0x7f && c < 0xa0) && !(c >= 0x202a && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && c != 0x200e && c != 0x200f && c != 0x61c;
}

/* Diffs of device trees are written with their tabs; a trace is written with those it had. */
static void assert_harmless(const char *text, size_t n, const char *line, bool tabs)
{
	for (size_t i = 0; i < n;) {
		uint32_t c = 0;
		size_t bytes = utf8((const unsigned char *)text + i, &c);

		if (bytes == 0 || !allowed(c, tabs)) {
			fail_msg("%s: U+%04X at byte %zu: %.*s", line, (unsigned)c, i,
				(int)(i < 60 ? i : 60), text + (i < 60 ? 0 : i - 60));
		}
		i += bytes;
	}
	if (strstr(text, "\nFORGED") != NULL || strncmp(text, "FORGED", strlen("FORGED")) == 0) {
		fail_msg("%s: a name makes a line of its own", line);
	}
}

static void try_line(struct program *p, const char *line, const char *word)
{
	char all[LINE_MAX_];
	bool tabs = strstr(line, "--fix") != NULL || strstr(line, "anonymise") != NULL;

	/* As text; in the other forms by turns, all of them with ZL_DEEP. */
	for (size_t i = 0; i < FORMATS; i++) {
		if (i > 0 && i != 1 + strlen(line) % (FORMATS - 1) && getenv("ZL_DEEP") == NULL) {
			continue;
		}
		char full[LINE_MAX_];

		snprintf(full, sizeof(full), "%s%s", line, formats[i]);
		const char *at = strstr(full, "%s");
		assert_non_null(at);
		snprintf(all, sizeof(all), "%.*s%s%s", (int)(at - full), full, word, at + 2);
		program_run(p, all, NULL);
		assert_true(p->status <= 3 || p->status == 130);
		assert_harmless(p->out, p->out_len, full, tabs);
		assert_harmless(p->err, p->err_len, full, tabs);
	}
}

/* ---- files ---- */

static char *load(const char *path)
{
	struct zl_file f = {0};
	struct zl_error err = {0};

	if (zl_file_load(path, TEXT_MAX, zl_allocator_heap(), &f, &err) != 0) {
		fail_msg("%s: %s", path, err.text);
	}
	char *text = calloc(1, f.size + 1);
	assert_non_null(text);
	memcpy(text, f.data, f.size);
	zl_file_done(&f, zl_allocator_heap());
	return text;
}

static void write_with(struct program *p, const struct input *in)
{
	char *text = load(in->from),
	     *ret = calloc(1, strlen(text) + INSERTS * strlen(in->insert) + 1);
	const char *s = text;
	unsigned n = 0;

	assert_non_null(ret);
	for (const char *at = strstr(s, in->mark); at != NULL && n < INSERTS;
		at = strstr(s, in->mark), n++) {
		at += strlen(in->mark);
		strncat(ret, s, (size_t)(at - s));
		strcat(ret, in->insert);
		s = at;
	}
	strcat(ret, s);
	if (n == 0) {
		fail_msg("there is no %s in %s", in->mark, in->from);
	}
	program_write(p, "in", ret);
	free(ret);
	free(text);
}

static void nothing_nasty_in_a_file_is_printed(void **state)
{
	struct program *p = *state;

	for (size_t i = 0; i < INPUTS; i++) {
		write_with(p, &inputs[i]);
		for (size_t k = 0; k < 5 && inputs[i].lines[k] != NULL; k++) {
			try_line(p, inputs[i].lines[k], "~/in");
		}
	}
}

/* A file of any kind under a nasty name, then the name alone. */
static void no_nasty_name_is_printed(void **state)
{
	static const char *const kinds[] = {TEST_SOURCE_ROOT "/scenarios/iperf.json",
		TEST_DATA "/cases/uc43-trace-order3-frees.txt",
		TEST_DATA "/cases/uc06-two-pools.dts", TEST_DATA "/patches/threshold-git.patch"};
	static const char *const lines[] = {
		"run %s --short", "replay %s --set kernel=6.12", "reserve %s --fix", "review %s"};
	struct program *p = *state;

	for (size_t i = 0; i < 4; i++) {
		char *text = load(kinds[i]);

		program_write(p, NASTY_NAME, text);
		try_line(p, lines[i], "'~/" NASTY_NAME "'");
		free(text);
	}
	for (size_t i = 0; i < WORDS; i++) {
		try_line(p, words[i], "'" NASTY_NAME "'");
	}
}

static void nothing_nasty_is_drawn_or_recorded(void **state)
{
	static const char *const written[][2] = {
		{"shot.svg",  "screenshot"},
		{"shot.txt",  "screenshot"},
		{"film.cast", "record"    },
		{"s.json",	   "save"	 },
	};
	struct program *p = *state;
	char line[LINE_MAX_], path[300];

	write_with(p, &inputs[0]);
	for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++) {
		program_path(p, written[i][0], path, sizeof(path));
		snprintf(line, sizeof(line), "~/in -c 'bookmark " NASTY "' -c '%s %s'",
			written[i][1], path);
		program_run(p, line, NULL);
		assert_int_equal(0, p->status);
		char *text = program_read(p, written[i][0]);
		assert_non_null(text);
		assert_harmless(text, strlen(text), written[i][0], false);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			nothing_nasty_in_a_file_is_printed, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			no_nasty_name_is_printed, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			nothing_nasty_is_drawn_or_recorded, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
