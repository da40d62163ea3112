/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces on the command line: questions of users, every form, streams, Ctrl-C, round trips.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

#define CASES	 TEST_DATA "/cases/"
#define X612	 "linux-6.12.117-x86_64-4k-debian-cloud-trace"
#define MTHP3	 TEST_DATA "/traces/" X612 "/trace_mthp3lowmin.txt.gz "
#define ZONEINFO TEST_DATA "/captures/" X612 "/zoneinfo_mthp3lowmin_before.txt "

static struct zl_json *read_json(const char *text, size_t n)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	if (zl_json_parse(text, n, &j, &err) != 0) {
		fail_msg("%u:%u: %s: %.200s", err.line, err.column, err.text, text);
	}
	return j;
}

/* Runs with this exit status and reads the JSON answer. */
static struct zl_json *ask(struct program *p, int status, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: exit status %d: %s", words, p->status, p->err);
	}
	return read_json(p->out, p->out_len);
}

/* A number by a path of keys and indices: "lanes.1.totals.free_high". */
static int64_t number(const struct zl_json *j, const char *path)
{
	char key[64];
	int64_t v = 0;

	while (*path != '\0') {
		size_t n = strcspn(path, ".");

		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		if (key[0] >= '0' && key[0] <= '9') {
			const struct zl_json *item = zl_json_first(j);

			for (int i = atoi(key); i > 0 && item != NULL; i--) {
				item = zl_json_next(item);
			}
			j = item;
		} else {
			j = zl_json_member(j, key);
		}
		path += n + (path[n] == '.');
	}
	if (zl_json_get_int(j, &v) < 0) {
		fail_msg("%s is no number", path);
	}
	return v;
}

/* batch 63, high_min 530: flushes from free 9 on under 6.12, from free 42 on under 6.18. */
static void order_3_frees_under_three_rules(void **state)
{
	struct zl_json *j = ask(*state, 0,
		"replay " CASES "uc43-trace-order3-frees.txt --set kernel=6.12 --set batch=63 "
		"--set high_min=530 --set cpus=8 --lane after:kernel=6.18 --lane before:kernel=6.6 "
		"--json");

	assert_int_equal(44, number(j, "demand.before"));
	assert_int_equal(9, number(j, "lanes.0.totals.first_free_high"));
	assert_int_equal(42, number(j, "lanes.1.totals.first_free_high"));
	assert_int_equal(36, number(j, "lanes.0.totals.free_high"));
	assert_int_equal(3, number(j, "lanes.1.totals.free_high"));
	assert_int_equal(0, number(j, "lanes.2.totals.free_high"));
	/* free 10, behind the line that goes to CPU 5 and two comments */
	assert_int_equal(10, number(j, "first_divergence.op"));
	assert_int_equal(11, number(j, "first_divergence_line"));
	assert_true(number(j, "lanes.0.estimate.zone_lock_takes") > 0);
	zl_json_free(j);
}

/* The rule of 6.16 as a policy: as if the kernel were that one. */
static void a_policy_is_a_lane_too(void **state)
{
	struct zl_json *j = ask(*state, 0,
		"replay " CASES "uc43-trace-order3-frees.txt --set kernel=6.12 --set batch=63 "
		"--set high_min=530 --set cpus=8 --json --lane 'p:policy.free_high=pcp->free_count "
		">= batch + pcp->high_min / 2 && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER)'");

	assert_int_equal(9, number(j, "lanes.0.totals.first_free_high"));
	assert_int_equal(42, number(j, "lanes.1.totals.first_free_high"));
	zl_json_free(j);
}

/* The rule of 6.6 never fires there: no number in any form. */
static void what_never_came_is_no_number(void **state)
{
	static const char line[] =
		"replay " CASES "uc43-trace-order3-frees.txt --set kernel=6.12 --set batch=63 "
		"--set high_min=530 --set cpus=8 --lane before:kernel=6.6 ";
	struct program *p = *state;
	char words[512];

	snprintf(words, sizeof(words), "%s--json", line);
	zl_json_free(ask(p, 0, words));
	assert_non_null(strstr(p->out, "\"first_free_high\": null"));
	snprintf(words, sizeof(words), "%s--csv", line);
	program_run(p, words, NULL);
	assert_non_null(strstr(p->out, "first_free_high,9,never"));
	program_run(p, line, NULL);
	assert_non_null(strstr(p->out, "never\n"));
	assert_non_null(strstr(p->out, "First divergence: op 10 of 45"));
	assert_non_null(strstr(p->out, "relative_throughput    100.0 %"));
}

/* What a trace shows stands in its columns, however short it is. */
static void refills_and_drains_of_short_traces_are_seen(void **state)
{
	static const struct {
		const char *file;
		int refills, blocks, drains, pages;
	} row[] = {
		{"before-refill-event", 2, 3, 1, 2},
		{"with-refill-event",   1, 2, 1, 1},
		{"decimal-pfn",		0, 0, 1, 1},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char words[256];

		snprintf(words, sizeof(words),
			"replay " CASES "uc56-ftrace-%s.txt --set kernel=6.18 --json", row[i].file);
		struct zl_json *j = ask(*state, 0, words);
		assert_int_equal(row[i].refills, number(j, "fidelity.refills.trace"));
		assert_int_equal(row[i].blocks, number(j, "fidelity.refills.trace_size"));
		assert_int_equal(row[i].drains, number(j, "fidelity.drains.trace"));
		assert_int_equal(row[i].pages, number(j, "fidelity.drains.trace_size"));
		zl_json_free(j);
	}
}

/* One page in DMA, two in DMA32, one beyond all memory. */
static void the_zone_that_is_judged_is_named(void **state)
{
#define AT(time, pfn)                                                                              \
	"t-1 [000] ..... " time ": mm_page_alloc: page=0 pfn=" pfn                                 \
	" order=0 migratetype=1 gfp_flags=0\n"
	static const char text[] =
		AT("1.0", "0x100") AT("1.1", "0x2000") AT("1.2", "0x2001") AT("1.3", "0x2001000");
#undef AT
	struct program *p = *state;

	program_write(p, "two-zones.txt", text);
	program_run(p, "replay ~/two-zones.txt --zoneinfo " ZONEINFO "--set kernel=6.12", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "Replayed and judged are the 2 of 4 events in node 0, zone "
				       "DMA32; left out are\n  0/DMA 1, outside of all zones 1;"));
	struct zl_json *j = ask(p, 0,
		"replay ~/two-zones.txt --zoneinfo " ZONEINFO
		"--set kernel=6.12 --zone DMA --json");
	assert_int_equal(1, number(j, "zones.0.events"));
	assert_int_equal(2, number(j, "zones.1.events"));
	zl_json_free(j);
}

static void the_counting_rule_is_said(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 0,
		"replay " CASES "uc56-ftrace-before-refill-event.txt --set kernel=6.12 --json");

	assert_non_null(strstr(p->out, "\"counting_rule\": \"mm_page_alloc_zone_locked\""));
	/*
	 * Of three zone_locked lines the order-4 one is no refill; a whole block of another type
	 * prints mm_page_alloc_extfrag alone.
	 */
	assert_int_equal(3, number(j, "demand.blocks_refilled"));
	assert_int_equal(2, number(j, "fidelity.drains.trace_size"));
	zl_json_free(j);
	j = ask(p, 0, "replay " CASES "uc56-ftrace-with-refill-event.txt --set kernel=6.12 --json");
	assert_non_null(strstr(p->out, "\"counting_rule\": \"mm_page_pcpu_refill\""));
	assert_int_equal(2, number(j, "demand.blocks_refilled"));
	assert_int_equal(2, number(j, "demand.open_refills"));
	assert_int_equal(1, number(j, "demand.drained_unused"));
	zl_json_free(j);
}

static void every_form_of_text_is_read(void **state)
{
	static const struct {
		const char *file;
		int used, counted;
	} forms[] = {
		{"uc56-ftrace-before-refill-event.txt", 9, 6},
		{"uc56-ftrace-decimal-pfn.txt",		2, 0},
		{"uc56-ftrace-with-refill-event.txt",   3, 0},
		{"uc56-perf-script.txt",		 3, 2},
	};
	char words[512];

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct zl_json *j;

		snprintf(words, sizeof(words), "replay " CASES "%s --set kernel=6.12 --json",
			forms[i].file);
		j = ask(*state, 0, words);
		assert_int_equal(forms[i].used, number(j, "import.used"));
		assert_int_equal(forms[i].counted, number(j, "import.counted"));
		assert_int_equal(0, number(j, "import.not_understood"));
		zl_json_free(j);
	}
}

static void a_trace_alone_is_replayed_where_nobody_can_look(void **state)
{
	struct program *p = *state;
	char *first;

	program_run(p, "replay " MTHP3 ZONEINFO "--set kernel=6.12.117", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "Fidelity: 1000 of 1000 (102 refills and drains judged"));
	first = strdup(p->out);
	program_run(p, ZONEINFO MTHP3 "--set kernel=6.12.117", NULL);
	assert_int_equal(0, p->status);
	assert_string_equal(first, p->out);
	free(first);
	program_run(p, MTHP3, NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "--set kernel="));
	program_run(p, "pcp " MTHP3, NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "zonelab replay"));
}

static void the_explorer_stands_before_the_first_flush_of_the_trace(void **state)
{
	struct program *p = *state;

	program_run(p, MTHP3 ZONEINFO "--set kernel=6.12.117 --screen 100x30", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "FLUSH 371 pages"));
	assert_non_null(strstr(p->out, "Fidelity 1000 of 1000"));
	program_run(p, MTHP3 ZONEINFO "--set kernel=6.12.117 -c report", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "What this rests on"));
	assert_non_null(strstr(p->out, "Import report: zoneinfo"));
}

static char *digest_of(struct program *p)
{
	const char *at = strstr(p->out, "igest ");

	assert_int_equal(0, p->status);
	assert_non_null(at);
	return strndup(at + 6, 16);
}

static void an_exported_run_replays_with_the_same_digest(void **state)
{
	struct program *p = *state;
	char *run, *replay;

	program_run(p, "run bursts --short", NULL);
	run = digest_of(p);
	program_run(p, "run bursts --short --trace ftrace -o ~/run.txt", NULL);
	assert_int_equal(0, p->status);
	program_run(p, "replay ~/run.txt", NULL);
	assert_non_null(strstr(p->out, "Fidelity: 1000 of 1000"));
	replay = digest_of(p);
	assert_string_equal(run, replay);
	free(replay);
	program_run(p, "anonymise ~/run.txt -o ~/hidden.txt", NULL);
	assert_int_equal(0, p->status);
	program_run(p, "replay ~/hidden.txt", NULL);
	replay = digest_of(p);
	assert_string_equal(run, replay);
	free(replay);
	free(run);
}

static void a_trace_becomes_an_op_list(void **state)
{
	struct program *p = *state;
	char *run, *replay;

	program_run(p, "replay " MTHP3 ZONEINFO "--set kernel=6.12.117", NULL);
	replay = digest_of(p);
	/* What was inferred (the cache slice) is written too. */
	program_run(p, "replay " MTHP3 ZONEINFO "--set kernel=6.12.117 --write-ops ~/ops", NULL);
	assert_int_equal(0, p->status);
	program_run(p, "run ~/ops --set kernel=6.12.117", NULL);
	run = digest_of(p);
	assert_string_equal(replay, run);
	free(run);
	free(replay);
	program_run(p, "compare ~/ops --lane A:6.12.117 --lane B:6.18", NULL);
	assert_int_equal(0, p->status);
}

static void an_anonymised_trace_replays_the_same_and_tells_nothing(void **state)
{
	static const char *const known[] = {"", ZONEINFO};
	struct program *p = *state;
	char words[1024];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char *plain, *hidden, *text;

		snprintf(
			words, sizeof(words), "replay %s%s --set kernel=6.12.117", MTHP3, known[i]);
		program_run(p, words, NULL);
		plain = digest_of(p);
		snprintf(words, sizeof(words),
			"anonymise %s%s --set kernel=6.12.117 -o ~/hidden%u.txt", MTHP3, known[i],
			(unsigned)i);
		program_run(p, words, NULL);
		assert_int_equal(0, p->status);
		snprintf(words, sizeof(words), "hidden%u.txt", (unsigned)i);
		text = program_read(p, words);
		assert_non_null(text);
		/* Tasks, a page frame, the time of the first event. */
		assert_null(strstr(text, "init-1"));
		assert_null(strstr(text, "dd-200"));
		assert_null(strstr(text, "pfn=0xcdcf"));
		assert_null(strstr(text, "42.93"));
		free(text);
		snprintf(words, sizeof(words), "replay ~/hidden%u.txt", (unsigned)i);
		program_run(p, words, NULL);
		hidden = digest_of(p);
		assert_string_equal(plain, hidden);
		free(plain);
		free(hidden);
	}
}

/* --- streams --- */

struct child {
	pid_t pid;
	int in;	 /* its standard input */
	int out; /* its standard output */
};

static void start(struct child *c, const char *const *argv)
{
	int in[2], out[2];

	assert_int_equal(0, pipe(in));
	assert_int_equal(0, pipe(out));
	c->pid = fork();
	assert_true(c->pid >= 0);
	if (c->pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		signal(SIGINT, SIG_DFL);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
}

/* Pairs of an allocation and a free; false when nobody reads any more. */
static bool feed(const struct child *c, unsigned from, unsigned events)
{
	static char text[1 << 16];
	size_t n = 0;

	for (unsigned i = from; i < from + events; i++) {
		unsigned pfn = 4096 + i / 2 * 7 % 50000;

		n += (size_t)snprintf(text + n, sizeof(text) - n,
			i % 2 == 0
				? "  task-1  [%03u] ..... %u.%06u: mm_page_alloc: page=0 pfn=0x%x "
				  "order=0 migratetype=1 gfp_flags=GFP_HIGHUSER_MOVABLE\n"
				: "  task-1  [%03u] ..... %u.%06u: mm_page_free: page=0 pfn=0x%x "
				  "order=0\n",
			i / 2 % 2, i / 1000000, i % 1000000, pfn);
		if (n > sizeof(text) - 256 || i + 1 == from + events) {
			size_t at = 0;

			while (at < n) {
				ssize_t w = write(c->in, text + at, n - at);

				if (w < 0) {
					return false;
				}
				at += (size_t)w;
			}
			n = 0;
		}
	}
	return true;
}

static char *drain(const struct child *c)
{
	char *text = malloc(1 << 20);
	size_t n = 0;
	ssize_t r;

	assert_non_null(text);
	while (n < (1 << 20) - 1 && (r = read(c->out, text + n, (1 << 20) - 1 - n)) > 0) {
		n += (size_t)r;
	}
	text[n] = '\0';
	close(c->out);
	return text;
}

static void a_long_stream_takes_constant_memory(void **state)
{
	const char *const argv[] = {
		getenv("ZONELAB"), "replay", "-", "--set", "kernel=6.12", "--json", NULL};
	const unsigned events = 800000; /* 70 MB of text */
	struct rusage usage;
	struct zl_json *j;
	struct child c;
	char *text;
	int status;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	start(&c, argv);
	assert_true(feed(&c, 0, events));
	close(c.in);
	text = drain(&c);
	assert_int_equal(c.pid, waitpid(c.pid, &status, 0));
	assert_int_equal(0, getrusage(RUSAGE_CHILDREN, &usage));
	assert_true(WIFEXITED(status));
	assert_int_equal(0, WEXITSTATUS(status));
	j = read_json(text, strlen(text));
	assert_int_equal(events, number(j, "import.used"));
	zl_json_free(j);
	free(text);
#ifndef SANITIZED
	/* Its own size, 8 MiB of events, and what is known of 50,000 blocks. */
	assert_true(usage.ru_maxrss < 40 * 1024);
#endif
}

static void an_interrupted_import_gives_what_it_has(void **state)
{
	const char *const argv[] = {
		getenv("ZONELAB"), "replay", "-", "--set", "kernel=6.12", "--json", NULL};
	const struct timespec a_while = {.tv_nsec = 300000000};
	struct zl_json *j;
	struct child c;
	char *text;
	int status;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	start(&c, argv);
	/* More than a pipe and a buffer hold, so most of it has been read; the pipe stays open. */
	assert_true(feed(&c, 0, 100000));
	nanosleep(&a_while, NULL);
	assert_int_equal(0, kill(c.pid, SIGINT));
	text = drain(&c);
	assert_int_equal(c.pid, waitpid(c.pid, &status, 0));
	assert_true(WIFEXITED(status));
	assert_int_equal(130, WEXITSTATUS(status));
	j = read_json(text, strlen(text));
	assert_non_null(strstr(text, "\"complete\": false"));
	assert_true(number(j, "import.used") > 1000);
	zl_json_free(j);
	free(text);
	close(c.in);
}

/* The layout of zoneinfo fits many releases; a score under a wrong one would say nothing. */
static void a_release_that_is_only_likely_is_refused(void **state)
{
	static const char line[] =
		"replay " TEST_DATA "/traces/linux-6.1.192-x86_64-4k-debian-cloud-trace/"
		"trace_cat.txt.gz --zoneinfo " TEST_DATA
		"/captures/linux-6.1.192-x86_64-4k-debian-cloud-trace/zoneinfo_cat_before.txt";
	struct program *p = *state;
	char words[1000];

	program_run(p, line, NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "no release in these files"));
	assert_non_null(strstr(p->err, "--set kernel=X.Y"));
	snprintf(words, sizeof(words), "%s --set kernel=6.1.192", line);
	program_run(p, words, NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "Fidelity: 1000 of 1000"));
	/* The trace itself may say it, as perf's head does. */
	program_write(p, "headed",
		"# os release : 6.1.192-5-amd64\n"
		"t 1 [000] 1.0: kmem:mm_page_alloc: page=0x1 pfn=0x1 order=0 migratetype=1 "
		"gfp_flags=0\n");
	program_run(p, "replay ~/headed", NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "6.1.192-5-amd64 (design A"));
	program_run(p, "replay ~/headed --set kernel=6.12", NULL);
	assert_non_null(strstr(p->out, "6.12 (design B"));
}

static void bad_input_gets_one_line(void **state)
{
	struct program *p = *state;

	program_run(p, "replay ~/none --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "none: cannot be read"));
	program_write(p, "empty", "");
	program_run(p, "replay ~/empty --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "no kmem event"));
	program_write(p, "some.dat", "\x17\x08\x44tracing6");
	program_run(p, "replay ~/some.dat --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "trace-cmd report"));
	program_run(p, "replay " MTHP3 ZONEINFO "--set kernel=6.12 --zone Normal", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "no zone Normal"));
	program_run(p, "replay " MTHP3 ZONEINFO "--set kernel=6.12 --lane a:kernel=banana", NULL);
	assert_int_equal(2, p->status);
	program_run(p,
		"replay " MTHP3 ZONEINFO
		"--set kernel=6.12 --lane a: --lane b: --lane c: --lane d:",
		NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "at most 3"));
	program_run(p, "replay /dev/zero --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "a line without an end"));
	program_run(p, "replay " TEST_DATA "/traces/cut.dat --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			order_3_frees_under_three_rules, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			a_policy_is_a_lane_too, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			what_never_came_is_no_number, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(refills_and_drains_of_short_traces_are_seen,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_zone_that_is_judged_is_named, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_counting_rule_is_said, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			every_form_of_text_is_read, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(a_trace_alone_is_replayed_where_nobody_can_look,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			the_explorer_stands_before_the_first_flush_of_the_trace, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(an_exported_run_replays_with_the_same_digest,
			program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			an_anonymised_trace_replays_the_same_and_tells_nothing, program_setup,
			program_teardown),
		cmocka_unit_test_setup_teardown(
			a_trace_becomes_an_op_list, program_setup, program_teardown),
		cmocka_unit_test(a_long_stream_takes_constant_memory),
		cmocka_unit_test(an_interrupted_import_gives_what_it_has),
		cmocka_unit_test_setup_teardown(
			a_release_that_is_only_likely_is_refused, program_setup, program_teardown),
		cmocka_unit_test_setup_teardown(
			bad_input_gets_one_line, program_setup, program_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
