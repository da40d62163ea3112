/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "zonelab/json.h"

#define WORDS_MAX 64
#define PATH_SIZE 512

static void must(bool ok, const char *what)
{
	if (!ok) {
		fail_msg("%s: %s", what, strerror(errno));
	}
}

void program_init(struct program *p)
{
	const char *tmp = getenv("TMPDIR");

	memset(p, 0, sizeof(*p));
	snprintf(p->home, sizeof(p->home), "%s/zonelab-e2e.XXXXXX", tmp != NULL ? tmp : "/tmp");
	must(mkdtemp(p->home) != NULL, p->home);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void program_done(struct program *p)
{
	nftw(p->home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(p->out);
	free(p->err);
}

void program_path(const struct program *p, const char *name, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s/%s", p->home, name);

	assert_in_range(n, 1, size - 1);
}

void program_write(const struct program *p, const char *name, const char *text)
{
	char path[PATH_SIZE];

	program_path(p, name, path, sizeof(path));
	FILE *f = fopen(path, "wb");
	must(f != NULL, path);
	fputs(text, f);
	must(fclose(f) == 0, path);
}

/* All of a stream from its start, terminated. */
static char *slurp(FILE *f, size_t *ret_len)
{
	size_t size = 4096;
	size_t len = 0;
	char *s = malloc(size);

	rewind(f);
	for (;;) {
		must(s != NULL, "memory");
		len += fread(s + len, 1, size - 1 - len, f);
		if (len < size - 1) {
			break;
		}
		size *= 2;
		s = realloc(s, size);
	}
	s[len] = '\0';
	*ret_len = len;
	return s;
}

char *program_read(const struct program *p, const char *name)
{
	char path[PATH_SIZE];
	size_t len;

	program_path(p, name, path, sizeof(path));
	FILE *f = fopen(path, "rb");
	if (f == NULL) {
		return NULL;
	}
	char *s = slurp(f, &len);
	fclose(f);
	return s;
}

/* Splits @words into @argv behind the program; the strings are the caller's to free. */
static void split(const struct program *p, const char *words, char **argv)
{
	size_t n = 1;

	while (*(words += strspn(words, " ")) != '\0') {
		char word[PATH_SIZE * 4];
		size_t len = 0;
		bool quoted = false;

		if (words[0] == '~' && words[1] == '/') {
			len = (size_t)snprintf(word, sizeof(word), "%s", p->home);
			words++;
		} else if (strncmp(words, TEST_SOURCE_ROOT, strlen(TEST_SOURCE_ROOT)) == 0) {
			/* The tree's folder is part of one word, blanks and all. */
			len = (size_t)snprintf(word, sizeof(word), "%s", TEST_SOURCE_ROOT);
			words += len;
		}
		for (; *words != '\0' && (quoted || *words != ' '); words++) {
			if (*words == '\'') {
				quoted = !quoted;
			} else {
				assert_true(len + 1 < sizeof(word));
				word[len++] = *words;
			}
		}
		word[len] = '\0';
		assert_true(n + 1 < WORDS_MAX);
		argv[n++] = strdup(word);
	}
	argv[n] = NULL;
}

static void exec_child(const struct program *p, char **argv, FILE *const std[3])
{
	for (int fd = 0; fd < 3; fd++) {
		if (dup2(fileno(std[fd]), fd) < 0) {
			_exit(126);
		}
	}
	setenv("HOME", p->home, 1);
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	unsetenv("NO_COLOR");
	unsetenv("TERM");
	if (chdir(p->home) == 0) {
		execv(argv[0], argv);
	}
	_exit(127);
}

void program_run(struct program *p, const char *words, const char *input)
{
	char *argv[WORDS_MAX] = {getenv("ZONELAB")};
	FILE *std[3] = {tmpfile(), tmpfile(), tmpfile()};
	int status = 0;

	must(argv[0] != NULL, "ZONELAB is not set");
	must(std[0] != NULL && std[1] != NULL && std[2] != NULL, "temporary files");
	split(p, words, argv);
	if (input != NULL) {
		fputs(input, std[0]);
	}
	rewind(std[0]);
	fflush(NULL);
	pid_t child = fork();
	must(child >= 0, "fork");
	if (child == 0) {
		exec_child(p, argv, std);
	}
	must(waitpid(child, &status, 0) == child, "waitpid");
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	free(p->out);
	free(p->err);
	p->out = slurp(std[1], &p->out_len);
	p->err = slurp(std[2], &p->err_len);
	for (int fd = 0; fd < 3; fd++) {
		fclose(std[fd]);
	}
	for (size_t i = 1; argv[i] != NULL; i++) {
		free(argv[i]);
	}
}

int program_setup(void **state)
{
	struct program *p = malloc(sizeof(*p));

	program_init(p);
	*state = p;
	return 0;
}

int program_teardown(void **state)
{
	program_done(*state);
	free(*state);
	return 0;
}

struct zl_json *program_json(const struct program *p)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	if (zl_json_parse(p->out, p->out_len, &j, &err) != 0) {
		fail_msg("%u:%u: %s\n%s", err.line, err.column, err.text, p->out);
	}
	return j;
}

int64_t json_number(const struct zl_json *o, const char *key)
{
	int64_t v = 0;

	if (zl_json_get_int(zl_json_member(o, key), &v) < 0) {
		fail_msg("%s is no number", key);
	}
	return v;
}

void assert_holds(const char *text, const char *part)
{
	if (strstr(text, part) == NULL) {
		fail_msg("no '%s' in:\n%s", part, text);
	}
}

void program_says(struct program *p, int status, const char *words, const char *text)
{
	program_run(p, words, NULL);
	if (p->status != status || (strstr(p->out, text) == NULL && strstr(p->err, text) == NULL)) {
		fail_msg("zonelab %s\nstatus %d\n%s%s\nwanted %d: %s", words, p->status, p->out,
			p->err, status, text);
	}
}

void assert_mail(const struct program *p, const char *words)
{
	const size_t columns = 72;
	const char *s = p->out;

	while (*s != '\0') {
		size_t n = strcspn(s, "\n");
		size_t width = 0;

		for (size_t i = 0; i < n; i++) {
			width += ((unsigned char)s[i] & 0xc0) != 0x80;
			if ((unsigned char)s[i] < ' ') {
				fail_msg("%s: a control character: %.*s", words, (int)n, s);
			}
		}
		if (width > columns || (n > 0 && s[n - 1] == ' ')) {
			fail_msg("%s: %.*s", words, (int)n, s);
		}
		s += n + (s[n] == '\n');
	}
}
