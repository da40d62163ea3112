/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patience.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS	   UINT64_C(1000000000)
#define SHOW_EVERY (NS / 4)
#define PERCENT	   100u

/* A handler has no other place to write to. */
/* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* What asks for an end: the answer is then what there is. A second one ends the program at once. */
static const int ends[] = {SIGINT, SIGTERM};
#define ENDS (sizeof(ends) / sizeof(ends[0]))

bool patience_stop(void *user)
{
	struct patience *p = user;

	if (!p->listens) {
		struct sigaction a = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};

		sigemptyset(&a.sa_mask);
		interrupted = 0;
		for (size_t i = 0; i < ENDS; i++) {
			sigaction(ends[i], &a, NULL);
		}
		p->listens = true;
	}
	return interrupted != 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

void patience_progress(void *user, uint64_t done, uint64_t all)
{
	struct patience *p = user;
	uint64_t now, spent, rate;

	if (isatty(STDERR_FILENO) == 0) {
		return;
	}
	now = now_ns();
	if (p->start_ns == 0 || done < p->last_done) { /* another part of the work */
		p->start_ns = now;
		p->last_ns = now;
	}
	p->last_done = done;
	if (now - p->last_ns < SHOW_EVERY) {
		return;
	}
	p->last_ns = now;
	p->shown = true;
	spent = now - p->start_ns;
	rate = (uint64_t)((double)done * (double)NS / (double)spent);
	if (all > done && rate > 0) {
		(void)fprintf(stderr, "\r%3u %%  %llu/s  %llu s left \033[K",
			(unsigned)((double)done * PERCENT / (double)all), (unsigned long long)rate,
			(unsigned long long)((all - done) / rate));
	} else {
		(void)fprintf(stderr, "\r%llu  %llu/s \033[K", (unsigned long long)done,
			(unsigned long long)rate);
	}
	(void)fflush(stderr);
}

void patience_end(struct patience *p)
{
	if (p->shown) {
		(void)fputs("\r\033[K", stderr);
	}
	if (p->listens) {
		for (size_t i = 0; i < ENDS; i++) {
			(void)signal(ends[i], SIG_DFL);
		}
	}
	memset(p, 0, sizeof(*p));
}
