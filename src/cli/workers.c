/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each worker is a copy of this process that computes its share of the points and sends them
 * through one pipe; a record is small enough to go through whole. Which worker computes a point
 * does not matter to its value.
 */
#include "workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define JOBS_MAX     1024
#define POLL_MS	     200
#define WATCH_US     50000 /* between two looks of a worker for its parent */
#define RECORDS	     128
#define PROGRESS_NS  INT64_C(500000000)
#define NS_PER_S     INT64_C(1000000000)
#define POINTS_A_JOB 2 /* fewer do not pay for a process */

struct record {
	uint64_t i;
	int64_t value;
	uint64_t state;
};

struct crew {
	struct spread *w;
	struct zl_error *err;
	pid_t pid[JOBS_MAX];
	unsigned jobs;
	int in; /* records come from here */
	uint64_t came;
	uint64_t told; /* `done` was called for these */
	int64_t started, shown;
	bool terminal;
};

/* Set by the handler of SIGINT and SIGTERM; there is one crew in a process. */
/* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
static volatile sig_atomic_t stopped;

static void on_stop(int sig)
{
	stopped = sig;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Neighbours go to different workers, and so do the points below each other in a grid. */
static unsigned worker_of(uint64_t i, unsigned jobs)
{
	return (unsigned)((i + i / jobs) % jobs);
}

static void write_record(int fd, const struct record *r)
{
	if (write(fd, r, sizeof(*r)) != (ssize_t)sizeof(*r)) {
		_exit(EXIT_FAILURE);
	}
}

/* Whose worker this process is; there is one crew in a process. */
/* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
static volatile pid_t parent;

/* A point may take long: who waits for it is looked for in between. */
static void end_with_parent(int sig)
{
	(void)sig;
	if (getppid() != parent) {
		_exit(EXIT_FAILURE);
	}
}

static void watch_parent(void)
{
	const struct itimerval often = {
		.it_interval.tv_usec = WATCH_US, .it_value.tv_usec = WATCH_US};
	struct sigaction a = {.sa_handler = end_with_parent, .sa_flags = SA_RESTART};

	sigemptyset(&a.sa_mask);
	(void)sigaction(SIGALRM, &a, NULL);
	(void)setitimer(ITIMER_REAL, &often, NULL);
}

/* The life of a worker. It ends with its parent. */
static void work(const struct crew *c, unsigned me, int out)
{
	watch_parent();
	for (uint64_t i = 0; i < c->w->n; i++) {
		if (worker_of(i, c->jobs) != me) {
			continue;
		}
		struct sweep_value v = sweep_point(c->w->sweep, c->w->point[i]);
		const struct record r = {i, v.value, v.state};

		write_record(out, &r);
	}
	_exit(EXIT_SUCCESS);
}

static int fail(struct crew *c, const char *what)
{
	int rc = zl_errno();

	zl_error_set(c->err, 0, 0, "%s: %s; --jobs 1 needs least", what, strerror(-rc));
	return rc;
}

static int start(struct crew *c)
{
	int fd[2];

	if (pipe(fd) != 0) {
		return fail(c, "no pipe for workers");
	}
	(void)fflush(NULL);
	parent = getpid();
	for (unsigned i = 0; i < c->jobs; i++) {
		c->pid[i] = fork();
		if (c->pid[i] < 0) {
			int rc = fail(c, "no more processes");

			c->jobs = i;
			(void)close(fd[0]);
			(void)close(fd[1]);
			return rc;
		}
		if (c->pid[i] == 0) {
			(void)signal(SIGINT, SIG_DFL);
			(void)signal(SIGTERM, SIG_DFL);
			(void)close(fd[0]);
			work(c, i, fd[1]);
		}
	}
	(void)close(fd[1]);
	c->in = fd[0];
	return 0;
}

static void show_progress(struct crew *c, bool last)
{
	int64_t now = now_ns();
	double s = (double)(now - c->started) / (double)NS_PER_S;
	double rate = s > 0 ? (double)c->came / s : 0;

	if (!c->terminal || (!last && now - c->shown < PROGRESS_NS)) {
		return;
	}
	c->shown = now;
	(void)fprintf(stderr, "\r%llu of %llu points, %.0f a second, %.0f s left \033[K%s",
		(unsigned long long)c->came, (unsigned long long)c->w->n, rate,
		rate > 0 ? (double)(c->w->n - c->came) / rate : 0, last ? "\n" : "");
}

/* Takes in what workers sent. Returns 0, 1 at the end, or -errno. */
static int take(struct crew *c)
{
	struct record r[RECORDS];
	ssize_t n = read(c->in, r, sizeof(r));
	int rc = 0;

	if (n < 0) {
		return errno == EINTR ? 0 : fail(c, "cannot read from workers");
	}
	for (size_t i = 0; i < (size_t)n / sizeof(r[0]); i++) {
		c->w->value[r[i].i] = (struct sweep_value){
			.value = r[i].value, .state = (enum sweep_state)r[i].state};
		c->came++;
	}
	while (rc == 0 && c->told < c->w->n && c->w->value[c->told].state != SWEEP_OPEN) {
		rc = c->w->done(c->w->user, c->told++);
	}
	return rc != 0 ? rc : n == 0;
}

static int collect(struct crew *c)
{
	int rc = 0;

	while (rc == 0) {
		struct pollfd p = {.fd = c->in, .events = POLLIN};

		if (stopped != 0) {
			return -EINTR;
		}
		if (poll(&p, 1, POLL_MS) > 0) {
			rc = take(c);
		}
		show_progress(c, false);
	}
	if (rc == 1 && c->told < c->w->n) {
		zl_error_set(c->err, 0, 0, "a worker ended on its own");
		return -EIO;
	}
	return rc == 1 ? 0 : rc;
}

/* Ends those that are still at work; all are ours. */
static void dismiss(const struct crew *c)
{
	for (unsigned i = 0; i < c->jobs; i++) {
		(void)kill(c->pid[i], SIGKILL); /* TERM may come before it has its own handler */
	}
	for (unsigned i = 0; i < c->jobs; i++) {
		while (waitpid(c->pid[i], NULL, 0) < 0 && errno == EINTR) {
		}
	}
}

static unsigned how_many(const struct spread *w)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t jobs = w->jobs > 0 ? w->jobs : (uint64_t)(cores > 0 ? cores : 1);
	uint64_t most = w->n / POINTS_A_JOB;

	jobs = jobs < most ? jobs : most;
	jobs = jobs < JOBS_MAX ? jobs : JOBS_MAX;
	return jobs > 0 ? (unsigned)jobs : 1;
}

int workers_run(struct spread *w, struct zl_error *err)
{
	struct crew c = {.w = w, .err = err, .in = -1, .jobs = how_many(w)};
	struct sigaction stop = {.sa_handler = on_stop}, before[2];
	int rc;

	c.terminal = isatty(STDERR_FILENO) != 0;
	c.started = now_ns();
	c.shown = c.started;
	stopped = 0;
	(void)sigaction(SIGINT, &stop, &before[0]);
	(void)sigaction(SIGTERM, &stop, &before[1]);
	rc = start(&c);
	if (rc == 0) {
		rc = collect(&c);
	}
	dismiss(&c);
	if (c.in >= 0) {
		(void)close(c.in);
	}
	if (c.shown != c.started) {
		show_progress(&c, true);
	}
	(void)sigaction(SIGINT, &before[0], NULL);
	(void)sigaction(SIGTERM, &before[1], NULL);
	return rc;
}
