/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the explorer costs as a process, on a pty of 160x50, htop beside it where it is installed.
 * Prints lines
 *
 *   start PROGRAM best_us median_us ratio_percent   to the first complete frame: ours says when, of
 *                                                   htop it is taken that its output pauses then;
 *                                                   the ratio of the medians is to htop's
 *   resident KIB anonymous_kib                      standing in the default scenario
 *   idle wake_ups                                   in two seconds, paused
 *   animation frames cpu_us bytes                   of a frame while the default scenario plays
 *   binary bytes                                    stripped
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS	 9
#define US	 1000000.0
#define PAUSE_MS 100 /* no output for so long: the frame is complete */
#define PLAY_S	 4.0
#define IDLE_S	 2
#define LINE	 256
#define STEP_S	 3.0 /* an op is drawn in less */

struct program {
	pid_t pid;
	int master;
	size_t bytes;
	unsigned long frames; /* as it says itself */
	double first;	      /* when it said so for the first time */
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * US + (double)t.tv_nsec / 1000;
}

static void start(struct program *p, char *name, const char *home)
{
	const struct winsize size = {.ws_row = 50, .ws_col = 160};

	memset(p, 0, sizeof(*p));
	p->pid = forkpty(&p->master, NULL, NULL, &size);
	if (p->pid == 0) {
		setenv("TERM", "xterm", 1);
		setenv("HOME", home, 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("ZONELAB_FRAME_MARK", "1", 1);
		char *const argv[] = {name, NULL};
		execvp(name, argv);
		_exit(127);
	}
	if (p->pid < 0) {
		perror("forkpty");
		exit(EXIT_FAILURE);
	}
}

/* Reads output until there is none for a while, or for @seconds; when the last of it came. */
static double read_output(struct program *p, double seconds)
{
	double begin = now_us(), last = begin;
	char buf[65536];

	while (seconds <= 0 || now_us() - begin < seconds * US) {
		struct pollfd f = {.fd = p->master, .events = POLLIN};
		ssize_t n;

		if (poll(&f, 1, PAUSE_MS) <= 0) {
			if (seconds <= 0 && p->bytes > 0) {
				break;
			}
			continue;
		}
		n = read(p->master, buf, sizeof(buf) - 1);
		if (n <= 0) {
			break;
		}
		buf[n] = '\0';
		p->bytes += (size_t)n;
		for (char *at = strstr(buf, "frame "); at != NULL; at = strstr(at + 1, "frame ")) {
			(void)sscanf(at, "frame %lu", &p->frames);
		}
		last = now_us();
		p->first = p->first > 0 || p->frames == 0 ? p->first : last;
	}
	return last;
}

/* Ends it; false when it could not be started. */
static int stop(struct program *p)
{
	int status = 0;

	kill(p->pid, SIGTERM);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
	}
	close(p->master);
	return !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int one_start(char *name, const char *home, double *ret)
{
	struct program p;
	double begin = now_us();

	start(&p, name, home);
	*ret = read_output(&p, 0);
	*ret = (p.first > 0 ? p.first : *ret) - begin;
	return stop(&p);
}

static void starts(char *program, const char *home)
{
	char htop[] = "htop";
	double a[RUNS], b[RUNS];
	int have_htop = 1;

	for (unsigned i = 0; i < RUNS; i++) { /* in turns, so that both see the same machine */
		(void)one_start(program, home, &a[i]);
		have_htop = have_htop && one_start(htop, home, &b[i]);
	}
	qsort(a, RUNS, sizeof(a[0]), by_value);
	if (!have_htop) {
		printf("start zonelab %.0f %.0f -\n", a[0], a[RUNS / 2]);
		return;
	}
	qsort(b, RUNS, sizeof(b[0]), by_value);
	printf("start zonelab %.0f %.0f %.0f\n", a[0], a[RUNS / 2],
		100 * a[RUNS / 2] / b[RUNS / 2]);
	printf("start htop %.0f %.0f 100\n", b[0], b[RUNS / 2]);
}

/* The sum of the numbers behind a word in lines of a file in /proc. */
static unsigned long proc(const struct program *p, const char *file, const char *word)
{
	char path[LINE], line[LINE];
	unsigned long sum = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%ld/%s", (long)p->pid, file);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		const char *at = strstr(line, word);
		sum += at != NULL ? strtoul(at + strlen(word), NULL, 10) : 0;
	}
	if (f != NULL) {
		(void)fclose(f);
	}
	return sum;
}

/* Keys, and what they draw at once. */
static void press(struct program *p, const char *keys)
{
	if (write(p->master, keys, strlen(keys)) != (ssize_t)strlen(keys)) {
		perror("write");
		exit(EXIT_FAILURE);
	}
	(void)read_output(p, STEP_S);
}

static void standing(char *program, const char *home)
{
	struct program p;

	start(&p, program, home);
	(void)read_output(&p, 0);
	printf("resident %lu %lu\n", proc(&p, "status", "VmRSS:"), proc(&p, "status", "RssAnon:"));
	unsigned long before = proc(&p, "status", "ctxt_switches:");
	sleep(IDLE_S);
	printf("idle %lu\n", proc(&p, "status", "ctxt_switches:") - before);

	press(&p, "<<<<"); /* so that single ops are shown */
	press(&p, " ");	   /* the story stops before its first flush, Space goes on */
	p.bytes = 0;
	unsigned long frames = p.frames;
	unsigned long ns = proc(&p, "schedstat", "");
	press(&p, " ");
	(void)read_output(&p, PLAY_S);
	ns = proc(&p, "schedstat", "") - ns;
	frames = p.frames - frames;
	printf("animation %lu %.0f %.0f\n", frames,
		frames > 0 ? (double)ns / 1000 / (double)frames : 0,
		frames > 0 ? (double)p.bytes / (double)frames : 0);
	(void)stop(&p);
}

static void binary(const char *program, const char *home)
{
	char command[3 * LINE], path[2 * LINE];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/stripped", home);
	(void)snprintf(command, sizeof(command), "strip -o %s %s", path, program);
	if (system(command) == 0 && stat(path, &st) == 0) {
		printf("binary %lld\n", (long long)st.st_size);
	}
}

int main(void)
{
	char home[] = "/tmp/zonelab-bench-XXXXXX";
	char command[LINE];
	char *program = getenv("ZONELAB");

	if (program == NULL || mkdtemp(home) == NULL) {
		(void)fprintf(stderr, "ZONELAB names the program to measure\n");
		return EXIT_FAILURE;
	}
	starts(program, home);
	standing(program, home);
	binary(program, home);
	(void)snprintf(command, sizeof(command), "rm -r %s", home);
	return system(command) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
