/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loaded before a program, lets its allocations fail: FAIL_AT=N the Nth alone, FAIL_FROM=N that one
 * and all that follow. FAIL_COUNT=FILE has their number written there when the program ends. A
 * program that dies of a signal says so first, and where, on standard error: one that dies without
 * these words died before it began. Linked into a test it does the same when failing.h says so.
 * glibc only: it names the functions that stand behind malloc().
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "failing.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static unsigned long count, at, from;
static bool ready, preloaded;

static void died(int signal)
{
	void *frame[32];
	char text[80];
	int n = snprintf(
		text, sizeof(text), "failing: signal %d after allocation %lu\n", signal, count);

	ready = false;
	if (write(STDERR_FILENO, text, (size_t)n) == n) {
		backtrace_symbols_fd(frame, backtrace(frame, 32), STDERR_FILENO);
	}
	raise(signal); /* as it would have ended: the handler is reset */
}

static void watch_signals(void)
{
	static char stack[64 * 1024];
	static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction a = {.sa_handler = died, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
	void *frame[1];

	backtrace(frame, 1); /* loads what it needs while memory is to be had */
	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &a, NULL);
	}
}

__attribute__((constructor)) static void start(void)
{
	const char *a = getenv("FAIL_AT");
	const char *f = getenv("FAIL_FROM");

	if (a == NULL && f == NULL && getenv("FAIL_COUNT") == NULL) {
		return; /* it waits for failing_start() */
	}
	preloaded = true;
	at = a != NULL ? strtoul(a, NULL, 10) : 0;
	from = f != NULL ? strtoul(f, NULL, 10) : 0;
	watch_signals();
	count = 0;
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *file = getenv("FAIL_COUNT");
	char text[32];
	int fd, n;

	ready = false;
	if (file == NULL) {
		return;
	}
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	n = snprintf(text, sizeof(text), "%lu\n", count);
	if (fd >= 0 && write(fd, text, (size_t)n) == n) {
		close(fd);
	}
}

/*
 * Preloaded, errno is left at 0, as an allocator of another kind may: what fails for want of memory
 * must not look well.
 */
static bool fails(void)
{
	if (!ready) {
		return false;
	}
	count++;
	if (count != at && (from == 0 || count < from)) {
		return false;
	}
	errno = preloaded ? 0 : ENOMEM;
	return true;
}

void failing_start(unsigned long first, bool onwards)
{
	count = 0;
	at = first;
	from = onwards ? first : 0;
	ready = true;
}

unsigned long failing_stop(void)
{
	ready = false;
	return count;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}
