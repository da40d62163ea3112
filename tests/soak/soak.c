/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   soak [--seed N] [--seconds S] [--lives N] [--life N]
 *
 * Lives one after another until the time is over or their number is reached; --life is that one
 * alone. Everything is written below a folder of its own in TMPDIR. ZL_SOAK_SECONDS is --seconds.
 */
#include "soak.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "machines.h"
#include "plain.h"

#define SLICES	   6   /* of a life */
#define EVENTS	   120 /* of a slice */
#define DRAW_EVERY 4
#define ASKS_MAX   60		  /* then long work is told to end */
#define GROWTH_MAX (256u << 10)	  /* bytes of the heap between two lives */
#define LIVE_MAX   (900ull << 20) /* bytes of the heap in a life */
#define WARM_LIVES 3		  /* what the runtime and the C library keep for good */
#define PATH_SIZE  4096

static struct soak *current; /* the hooks have no pointer to it */

uint32_t soak_any(struct soak *s, uint32_t n)
{
	return (uint32_t)zl_rng_below(&s->rng, n);
}

bool soak_chance(struct soak *s, uint32_t percent)
{
	return soak_any(s, 100) < percent;
}

void soak_note(struct soak *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->recent[s->nr_recent++ % SOAK_RECENT], SOAK_EVENT, fmt, ap);
	va_end(ap);
	if (getenv("ZL_SOAK_TRACE") != NULL) {
		fprintf(stderr, "%s\n", s->recent[(s->nr_recent - 1) % SOAK_RECENT]);
	}
}

void soak_fail(const struct soak *s, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "soak: life %llu, slice %llu (soak --seed %llu --life %llu): ",
		(unsigned long long)s->life, (unsigned long long)s->slice,
		(unsigned long long)s->seed, (unsigned long long)s->life);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nthe last events:\n", stderr);
	for (unsigned i = s->nr_recent > SOAK_RECENT ? s->nr_recent - SOAK_RECENT : 0;
		i < s->nr_recent; i++) {
		fprintf(stderr, "  %s\n", s->recent[i % SOAK_RECENT]);
	}
	abort();
}

void soak_draw(struct soak *s)
{
	const int rows = (int)s->app->rows, cols = (int)s->app->cols;
	const size_t n = (size_t)rows * (size_t)cols;

	if (n > SOAK_CELLS) {
		soak_fail(s, "a screen of %dx%d", cols, rows);
	}
	canvas_init(&s->canvas, s->again, rows, cols);
	screen_draw(s->app, NULL, &s->canvas);
	canvas_init(&s->canvas, s->cells, rows, cols);
	screen_draw(s->app, NULL, &s->canvas);
	for (size_t i = 0; i < n; i++) {
		const struct cell *one = &s->cells[i], *two = &s->again[i];

		if (one->ch != two->ch || one->role != two->role || one->id != two->id ||
			(one->ch > 0 && one->ch < ' ') || one->ch == 0x7f) {
			soak_fail(s, "cell %zu of %dx%d: U+%04x, then U+%04x", i, cols, rows,
				(unsigned)two->ch, (unsigned)one->ch);
		}
	}
}

/* ---- hooks ---- */

static void hook_copy(struct app *app, const char *text)
{
	app_say(app, VALUE_NONE, "Copied %u bytes", (unsigned)strlen(text));
}

static void hook_screen_text(const struct app *app, struct zl_buf *ret)
{
	char *text = malloc(SOAK_CELLS * 4);

	(void)app;
	soak_draw(current);
	if (text == NULL) {
		ret->failed = true;
		return;
	}
	canvas_to_text(&current->canvas, GLYPHS_UNICODE, text, SOAK_CELLS * 4);
	zl_buf_str(ret, text);
	free(text);
}

static bool hook_stop(struct app *app)
{
	(void)app;
	return ++current->asks > ASKS_MAX;
}

static const struct app_hooks hooks = {
	.plain = plain_screen,
	.screen_text = hook_screen_text,
	.copy = hook_copy,
	.stop = hook_stop,
};

/* ---- lives ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return at->level > 0 ? remove(path) : 0;
}

/* What a life has written must not be there for the next. */
static void empty_folder(void)
{
	static const char script[] = "set page_size=16K\nlane B kernel=6.6\ngo 100\nset nothing\n";
	FILE *f;

	(void)nftw(".", remove_one, 16, FTW_DEPTH | FTW_PHYS);
	f = fopen("script", "w");
	if (f == NULL || fwrite(script, 1, sizeof(script) - 1, f) != sizeof(script) - 1 ||
		fclose(f) != 0) {
		perror("soak: script");
		exit(EXIT_FAILURE);
	}
}

/* On its story, on Geometry, or with a file. */
static void open_something(struct soak *s)
{
	struct zl_settings given = {0};
	struct zl_error err = {0};
	char path[PATH_SIZE];
	const char *file = NULL;
	unsigned n = 0;

	while (soak_file(n) != NULL) {
		n++;
	}
	if (soak_chance(s, 40)) {
		file = soak_file(soak_any(s, n));
		snprintf(path, sizeof(path), "%s/%s", TEST_DATA, file);
		file = path;
		soak_note(s, "open %s", path);
		if (machine_open(s->app, &file, 1, &given, &err) < 0) {
			soak_note(s, "which says %s", err.text);
		}
		app_resolve(s->app);
	} else if (soak_chance(s, 90)) {
		soak_note(s, "the story");
		if (app_show_screen(s->app, SCREEN_PAGESETS, &err) < 0) {
			soak_fail(s, "the story does not open: %s", err.text);
		}
	}
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void timed_event(struct soak *s)
{
	struct timespec start;
	double took;

	clock_gettime(CLOCK_MONOTONIC, &start);
	soak_event(s);
	took = seconds_since(&start);
	if (getenv("ZL_SOAK_TRACE") != NULL && took > 1) {
		fprintf(stderr, "%.1f s\n", took);
	}
	if (took > s->slowest) {
		s->slowest = took;
		snprintf(s->slow, sizeof(s->slow), "%s",
			s->recent[(s->nr_recent - 1) % SOAK_RECENT]);
	}
}

static void live(struct soak *s)
{
	struct app *app = calloc(1, sizeof(*app));
	uint64_t heap = 0;

	zl_rng_init(&s->rng, zl_rng_key(s->seed, s->life));
	empty_folder();
	s->nr_recent = 0;
	if (app == NULL || app_init(app) < 0) {
		soak_fail(s, "no memory for a life");
	}
	s->app = app;
	app->hooks = &hooks;
	app->rows = 24;
	app->cols = 80;
	open_something(s);
	for (s->slice = 0; s->slice < SLICES; s->slice++) {
		for (unsigned i = 0; i < EVENTS; i++) {
			timed_event(s);
			if (i % DRAW_EVERY == 0) {
				soak_draw(s);
			}
		}
		soak_check(s);
		heap = soak_heap();
		if (heap > LIVE_MAX) {
			soak_fail(s, "%llu bytes in use", (unsigned long long)heap);
		}
	}
	app_done(app);
	free(app);
	s->app = NULL;
}

/* Lives until the time or their number is over; memory may not grow from one to the next. */
static void live_on(struct soak *s, double seconds, uint64_t lives)
{
	uint64_t least = 0, heap = 0;
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; i < lives && (i == 0 || seconds_since(&start) < seconds); i++) {
		live(s);
		s->life++;
		heap = soak_heap();
		if (i < WARM_LIVES || heap < least) {
			least = heap;
		}
		if (heap > least + GROWTH_MAX) {
			s->life--;
			soak_fail(s, "%llu bytes are in use after it, %llu were before",
				(unsigned long long)heap, (unsigned long long)least);
		}
	}
	printf("soak: seed %llu, %llu lives of %u slices in %.0f s: %llu keys, %llu mouse events, "
	       "%llu sizes, %llu commands, %llu stretches of time; %llu zones and %llu sessions "
	       "checked; %llu bytes in use at the end, %llu at least before; slowest: %s, %.1f s\n",
		(unsigned long long)s->seed, (unsigned long long)s->life, SLICES,
		seconds_since(&start), (unsigned long long)s->keys, (unsigned long long)s->mice,
		(unsigned long long)s->resizes, (unsigned long long)s->commands,
		(unsigned long long)s->ticks, (unsigned long long)s->sims,
		(unsigned long long)s->sessions, (unsigned long long)heap,
		(unsigned long long)least, s->slow, s->slowest);
}

static uint64_t number(const char *text)
{
	char *end = NULL;
	const unsigned long long n = strtoull(text, &end, 10);

	if (end == text || *end != '\0') {
		fprintf(stderr, "soak: %s is no number\n", text);
		exit(2);
	}
	return n;
}

static void enter_folder(char *folder, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, size, "%s/zonelab-soak-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(folder) == NULL || chdir(folder) != 0 || setenv("HOME", folder, 1) != 0) {
		perror(folder);
		exit(EXIT_FAILURE);
	}
	unsetenv("XDG_STATE_HOME");
}

int main(int argc, char **argv)
{
	const char *seconds = getenv("ZL_SOAK_SECONDS");
	struct soak *s = calloc(1, sizeof(*s));
	uint64_t lives = UINT64_MAX;
	char folder[PATH_SIZE];
	bool limited = seconds != NULL;
	double limit = seconds != NULL ? (double)number(seconds) : 0;

	if (s == NULL) {
		return EXIT_FAILURE;
	}
	current = s;
	s->seed = 1;
	s->cells = calloc(SOAK_CELLS, sizeof(*s->cells));
	s->again = calloc(SOAK_CELLS, sizeof(*s->again));
	s->shown = calloc(1, sizeof(*s->shown));
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--seed") == 0) {
			s->seed = number(argv[i + 1]);
		} else if (strcmp(argv[i], "--seconds") == 0) {
			limit = (double)number(argv[i + 1]);
			limited = true;
		} else if (strcmp(argv[i], "--lives") == 0) {
			lives = number(argv[i + 1]);
		} else if (strcmp(argv[i], "--life") == 0) {
			s->life = number(argv[i + 1]);
			lives = 1;
		}
	}
	if (s->cells == NULL || s->again == NULL || s->shown == NULL ||
		(!limited && lives == UINT64_MAX)) {
		fputs("soak [--seed N] --seconds S | --lives N | --life N\n", stderr);
		return 2;
	}
	enter_folder(folder, sizeof(folder));
	live_on(s, limited ? limit : 1e9, lives);
	empty_folder();
	(void)remove("script");
	if (chdir("/") != 0 || rmdir(folder) != 0) {
		perror(folder);
	}
	free(s->cells);
	free(s->again);
	free(s->shown);
	free(s);
	return EXIT_SUCCESS;
}
