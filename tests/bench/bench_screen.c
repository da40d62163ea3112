/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer's speed on a pty: start to first complete frame, key to finished frame, bytes of a
 * frame. Prints lines `what best_us median_us ratio_percent bytes`; the ratio is that of the
 * medians to a start of the same program that only prints its version, measured in the same run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pty_vterm.h"

#define RUNS 15
#define KEYS 40
#define ROWS 50
#define COLS 160
#define US   1000000.0

struct sample {
	double us[RUNS * KEYS];
	size_t n;
	size_t bytes;
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * US + (double)t.tv_nsec / 1000;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(struct sample *s)
{
	qsort(s->us, s->n, sizeof(s->us[0]), by_value);
	return s->us[s->n / 2];
}

static void report(const char *what, struct sample *s, double reference)
{
	double mid = median(s);

	printf("%s %.0f %.0f %.0f %zu\n", what, s->us[0], mid, mid * 100 / reference,
		s->n > 0 ? s->bytes / s->n : 0);
}

/* Runs a program to its end with all output thrown away. */
static void run_silently(const char *path, const char *argument)
{
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execlp(path, path, argument, (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

static double version_start(const char *program)
{
	struct sample s = {.n = 0};

	for (unsigned i = 0; i < RUNS; i++) {
		double start = now_us();
		run_silently(program, "--version");
		s.us[s.n++] = now_us() - start;
	}
	double mid = median(&s);
	report("version", &s, mid);
	return mid;
}

static void first_frame(const char *what, bool story, double reference)
{
	struct sample s = {.n = 0};

	for (unsigned i = 0; i < RUNS; i++) {
		struct pty p;
		const struct pty_opts opts = {.rows = ROWS, .cols = COLS, .story = story};
		double start = now_us();

		pty_start(&p, &opts, true);
		s.us[s.n++] = now_us() - start;
		s.bytes += p.bytes;
		pty_stop(&p);
	}
	report(what, &s, reference);
}

static void key_to_frame(
	const char *what, const char *key, const char *back, bool story, double reference)
{
	struct sample s = {.n = 0};
	struct pty p;
	const struct pty_opts opts = {.rows = ROWS, .cols = COLS, .story = story};

	pty_start(&p, &opts, true);
	for (unsigned i = 0; i < KEYS; i++) {
		p.bytes = 0;
		double start = now_us();
		pty_press(&p, i % 2 == 0 ? key : back);
		s.us[s.n++] = now_us() - start;
		s.bytes += p.bytes;
	}
	pty_stop(&p);
	report(what, &s, reference);
}

int main(void)
{
	const char *program = getenv("ZONELAB");

	if (program == NULL) {
		fprintf(stderr, "ZONELAB names the program to measure\n");
		return 2;
	}
	printf("what best_us median_us ratio_percent bytes\n");
	double reference = version_start(program);
	first_frame("first-frame-geometry", false, reference);
	first_frame("first-frame-pagesets", true, reference);
	key_to_frame("key-to-frame-move", "Down", "Up", false, reference);
	key_to_frame("key-to-frame-edit", "+", "-", false, reference);
	key_to_frame("key-to-frame-step", ".", ",", true, reference);
	return 0;
}
