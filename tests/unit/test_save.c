/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing files: what stays, what is refused before any work is done, where our own files lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "zonelab/save.h"

static int enter_folder(void **state)
{
	char dir[] = "/tmp/zonelab-save-XXXXXX";

	*state = mkdtemp(dir) != NULL ? strdup(dir) : NULL;
	return *state == NULL || chdir(*state) != 0;
}

/* Fails when a test has left anything behind. */
static int leave_folder(void **state)
{
	int rc = chdir("/") != 0 || rmdir(*state) != 0;

	free(*state);
	return rc;
}

static void holds(const char *path, const char *text)
{
	char have[64] = "";
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	have[fread(have, 1, sizeof(have) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, have);
}

static void a_file_is_replaced_only_when_that_is_wanted(void **state)
{
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, zl_save_possible("new", false, &err));
	assert_int_not_equal(0, access("new", F_OK));
	assert_int_equal(0, zl_save("new", "one", 3, false, &err));
	holds("new", "one");
	assert_int_equal(-EEXIST, zl_save_possible("new", false, &err));
	assert_string_equal("exists already and is not overwritten; choose another name", err.text);
	assert_int_equal(-EEXIST, zl_save("new", "two", 3, false, &err));
	holds("new", "one");
	assert_int_equal(0, zl_save_possible("new", true, &err));
	holds("new", "one");
	assert_int_equal(0, zl_save("new", "two", 3, true, &err));
	holds("new", "two");
	assert_int_equal(0, unlink("new"));
}

/* A folder, a device, a place that is not there: told before the work. */
static void what_is_no_file_is_told_apart(void **state)
{
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, mkdir("folder", 0700));
	assert_int_equal(-EISDIR, zl_save_possible("folder", false, &err));
	assert_int_equal(-EISDIR, zl_save_possible("folder", true, &err));
	assert_int_equal(-EISDIR, zl_save("folder", "x", 1, true, &err));
	assert_int_equal(0, rmdir("folder"));
	assert_int_equal(0, zl_save_possible("/dev/null", false, &err));
	assert_int_equal(0, zl_save("/dev/null", "x", 1, false, &err));
	assert_int_equal(0, zl_save_possible("-", false, &err));
	assert_int_equal(-ENOENT, zl_save_possible("nowhere/file", false, &err));
	assert_int_equal(-ENOENT, zl_save("nowhere/file", "x", 1, false, &err));
	assert_int_equal(0, mkfifo("pipe", 0600));
	assert_int_equal(0, zl_save_possible("pipe", false, &err));
	assert_int_equal(0, unlink("pipe"));
}

/* Seven characters go behind the name for the time of writing; a path has room for 4095. */
static void names_that_are_too_long_are_refused(void **state)
{
	struct zl_error err = {0};
	char path[5000];

	(void)state;
	for (size_t len = 4088; len <= 4090; len++) {
		/* ./././.../x is short once it is resolved, and any length before. */
		memset(path, '/', len);
		for (size_t i = 0; i < len; i += 2) {
			path[i] = '.';
		}
		path[len - 1] = 'x';
		path[len - 2] = '/';
		path[len] = '\0';
		assert_int_equal(
			len > 4088 ? -ENAMETOOLONG : 0, zl_save_possible(path, false, &err));
		assert_int_equal(
			len > 4088 ? -ENAMETOOLONG : 0, zl_save(path, "x", 1, false, &err));
	}
	assert_int_equal(0, unlink("x"));
}

static void place_is(const char *state_home, const char *home, const char *place)
{
	char path[256] = "";

	assert_int_equal(0, state_home != NULL ? setenv("XDG_STATE_HOME", state_home, 1)
					       : unsetenv("XDG_STATE_HOME"));
	assert_int_equal(0, home != NULL ? setenv("HOME", home, 1) : unsetenv("HOME"));
	assert_int_equal(place != NULL ? 0 : -ENOENT, zl_state_path("score", path, sizeof(path)));
	assert_string_equal(place != NULL ? place : "", path);
}

/* A path that is not absolute counts as none, as the specification says. */
static void our_own_files_lie_in_the_state_folder(void **state)
{
	char own[256], place[320];
	struct stat st;

	place_is("relative", NULL, NULL);
	place_is("relative", "relative", NULL);
	place_is("", "", NULL);
	place_is(NULL, NULL, NULL);
	snprintf(place, sizeof(place), "%s/zonelab/score", (const char *)*state);
	place_is(*state, "/nowhere", place);
	assert_int_equal(0, stat("zonelab", &st));
	assert_int_equal(0, rmdir("zonelab"));
	snprintf(own, sizeof(own), "%s", (const char *)*state);
	snprintf(place, sizeof(place), "%s/.local/state/zonelab/score", own);
	place_is("relative", own, place);
	assert_int_equal(0, rmdir(".local/state/zonelab"));
	assert_int_equal(0, rmdir(".local/state"));
	assert_int_equal(0, rmdir(".local"));
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_file_is_replaced_only_when_that_is_wanted),
		IN_FOLDER(what_is_no_file_is_told_apart),
		IN_FOLDER(names_that_are_too_long_are_refused),
		IN_FOLDER(our_own_files_lie_in_the_state_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
