/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs zonelab as a user would: arguments in, standard output, standard error and status out. Its
 * home is an empty folder that goes away with the test.
 */
#ifndef ZONELAB_TESTS_SUPPORT_PROGRAM_H
#define ZONELAB_TESTS_SUPPORT_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* gcc and clang say it in different words. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

struct program {
	char home[256];
	int status; /* exit status, or 128 + signal */
	char *out;  /* terminated */
	char *err;
	size_t out_len;
	size_t err_len;
};

/** Makes the home. */
void program_init(struct program *p);
/** Removes the home and frees the texts. */
void program_done(struct program *p);
/** Path of a file in the home in @buf. */
void program_path(const struct program *p, const char *name, char *buf, size_t size);
/** Writes a file into the home. */
void program_write(const struct program *p, const char *name, const char *text);
/** Reads a file of the home; NULL if there is none. free() it. */
char *program_read(const struct program *p, const char *name);

/**
 * Runs $ZONELAB with a command line of words; blanks separate, '...' keeps blanks inside. "~/" at
 * the start of a word is the home; TEST_SOURCE_ROOT there may hold
 * blanks. Standard input is @input (NULL = empty).
 */
void program_run(struct program *p, const char *words, const char *input);

/** A program for each test, in *state: for cmocka_unit_test_setup_teardown(). */
int program_setup(void **state);
int program_teardown(void **state);

struct zl_json;
/** The answer as JSON, or a failed test. zl_json_free() it. */
struct zl_json *program_json(const struct program *p);
/** A member that is a whole number, or a failed test. */
int64_t json_number(const struct zl_json *o, const char *key);
/** Fails the test unless @text holds @part. */
void assert_holds(const char *text, const char *part);
/** Runs a command line; fails the test unless it ends so and says @text, on either stream. */
void program_says(struct program *p, int status, const char *words, const char *text);
/** Fails the test unless the answer fits a mail: 72 columns, no tabs, no blanks at ends of lines. */
void assert_mail(const struct program *p, const char *words);

#endif
