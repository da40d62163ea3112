/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --mail of every command on many inputs: at most 72 columns, no tabs. Answers that are files keep
 * their lines.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

#define CAPTURES TEST_DATA "/captures/"
#define CASES	 TEST_DATA "/cases/"

/* Asks for a mail; true when there was an answer, which is looked at. */
static bool ask(struct program *p, const char *words)
{
	char line[1024];

	snprintf(line, sizeof(line), "%s --mail", words);
	program_run(p, line, NULL);
	if (p->status > 2) {
		fail_msg("%s: exit status %d: %s", line, p->status, p->err);
	}
	assert_mail(p, line);
	return p->status < 2 && p->out_len > 0;
}

static void answers_without_files(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {"geometry --size 5M", "geometry --matrix",
		"geometry --orders", "pcp --set memory=1G --set cpus=1", "explain all",
		"explain limits", "list settings", "list settings --resolved", "list releases",
		"list keys", "list diagnostics", "list values", "list commands", "list scenarios",
		"list designs", "list events", "list metrics", "list decision-points",
		"list policies", "list profiles", "lesson", "help reserve", "-c policy",
		("pcp --set memory=1536G --set nodes=2 --set cpus=768 --set arch=x86_64 --set "
		 "zones=auto --set kernel=6.1"),
		("pcp --set memory=12T --set nodes=4 --set cpus=1024 --set arch=x86_64 --set "
		 "zones=auto --set kernel=7.1"),
		"geometry --matrix --set kernel=5.15 --size 4M --size 123M",
		"reserve --size 4M --size 31M --size 300M --set page_size=16K",
		"reserve --cmdline 'cma=100M hugetlb_cma=2G cma_pernuma=16M' --set nodes=4",
		"run iperf --short", "run thp --short --check",
		"compare iperf --short --lane A:6.6 "
		"--lane B:6.12 --lane C:6.18 --lane D:7.1",
		"compare iperf --axis kernel", "estimate iperf --short --lane A:6.6 --lane B:6.12",
		"sweep iperf --short --vary kernel=6.6,6.12 --metric refills",
		"sweep pcp --vary cpus=1,16,256 --vary memory=1G,1T --metric high_min",
		"sweep iperf --short --vary batch=1,7,15,31,63,127,255 --vary kernel=6.6,6.12,7.1 "
		"--metric pages_drained"};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		if (!ask(p, asked[i])) {
			fail_msg("%s: %s", asked[i], p->err);
		}
	}
}

#ifdef SANITIZED
#define RARELY 1 /* slow: each file with one of the commands */
#else
#define RARELY 0
#endif

/* Every file of a folder through some commands; how many gave an answer. */
static unsigned ask_each(
	struct program *p, const char *folder, const char *const *command, size_t nr_commands)
{
	DIR *d = opendir(folder);
	const struct dirent *e;
	unsigned n = 0, turn = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || strcmp(e->d_name, "NOTES") == 0) {
			continue;
		}
		turn++;
		for (size_t i = 0; i < nr_commands; i++) {
			char words[768];

			if (RARELY && turn % nr_commands != i) {
				continue;
			}
			snprintf(words, sizeof(words), "%s %s/%s", command[i], folder, e->d_name);
			n += ask(p, words) ? 1 : 0;
		}
	}
	closedir(d);
	return n;
}

static void files_of_users(void **state)
{
	struct program *p = *state;
	static const char *const cases[] = {
		"reserve", "geometry", "pcp", "explain-my-machine", "patch", "replay"};
	static const char *const machine[] = {"explain-my-machine --set kernel=6.12",
		"verify --set kernel=6.1", "pcp", "reserve"};
	static const char *const folder[] = {CAPTURES "linux-7.3.4-x86_64-4k-debian-cloud-trace",
		CAPTURES "linux-6.1.192-arm64-64k-thp-hugetlb",
		CAPTURES "linux-7.3.4-arm64-16k-pageblock7",
		TEST_DATA "/captures-dt/linux-6.1.192-arm64-16k-thp-hugetlb"};
	unsigned n = 0;

	assert_in_range(ask_each(p, TEST_DATA "/cases", cases, sizeof(cases) / sizeof(cases[0])),
		RARELY ? 5 : 40, 1000);
	for (size_t i = 0; i < sizeof(folder) / sizeof(folder[0]); i++) {
		n += ask_each(p, folder[i], machine, sizeof(machine) / sizeof(machine[0]));
	}
	assert_in_range(n, RARELY ? 10 : 60, 1000);
}

/* A profile and a diff are files: their lines stay as they are. */
static void files_in_a_mail_stay_files(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {
		("probe " CAPTURES "linux-6.18.44-x86_64-4k-live/zoneinfo.txt --set kernel=6.18.44 "
		 "--set page_size=4K"),
		"reserve --fix " CASES
		"uc03-driver-4mib.dts --set page_size=16K --set kernel=6.12"};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		char words[1024];
		char *plain;

		program_run(p, asked[i], NULL);
		assert_int_equal(i, p->status);
		plain = strdup(p->out);
		snprintf(words, sizeof(words), "%s --mail", asked[i]);
		program_run(p, words, NULL);
		assert_string_equal(plain, p->out);
		free(plain);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(answers_without_files),
		CASE(files_of_users),
		CASE(files_in_a_mail_stay_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
