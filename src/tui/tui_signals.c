/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "zonelab/error.h"

/* The whole state: handlers can reach nothing else. */
static struct {
	int fd;
	bool saved;
	struct termios termios;
	char restore[RESTORE_TEXT];
	size_t restore_len;
	sigset_t open_mask; /* as it was before signals_install() */
	char last_words[CRASH_TEXT];
	size_t last_words_len;
	bool listening;
	volatile sig_atomic_t writing;
	volatile sig_atomic_t interrupted;
	volatile sig_atomic_t ending;
	volatile sig_atomic_t stop;
	volatile sig_atomic_t cont;
	char *crash_stack;
} state = {.fd = -1};

static const int asking[] = {SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT};
static const int crashing[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGQUIT};
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

int signals_save_terminal(int fd)
{
	if (tcgetattr(fd, &state.termios) < 0) {
		return zl_errno();
	}
	state.fd = fd;
	state.saved = true;
	state.restore_len = 0;
	return 0;
}

void signals_add_restore(const char *capability)
{
	/* Padding like $<5> is for terminals of another age; without curses nobody expands it. */
	for (const char *p = capability; p != NULL && *p != '\0'; p++) {
		if (p[0] == '$' && p[1] == '<' && strchr(p, '>') != NULL) {
			p = strchr(p, '>');
		} else if (state.restore_len < RESTORE_TEXT) {
			state.restore[state.restore_len++] = *p;
		}
	}
}

void signals_say_at_crash(const char *text)
{
	size_t len = strlen(text);

	/* A crash in between finds nothing to say. */
	state.last_words_len = 0;
	if (len < CRASH_TEXT) {
		memcpy(state.last_words, text, len);
		state.last_words_len = len;
	}
}

bool signals_terminal_takes(void)
{
	struct pollfd p = {.fd = state.fd, .events = POLLOUT};

	return poll(&p, 1, 0) != 0; /* one that is gone does not keep anybody waiting */
}

/* Called by handlers: nothing here may wait, and nothing but system calls is allowed. */
void signals_restore(void)
{
	int flags = fcntl(state.fd, F_GETFL);

	(void)fcntl(state.fd, F_SETFL, flags | O_NONBLOCK);
	ssize_t n = write(state.fd, state.restore, state.restore_len);
	if (n != (ssize_t)state.restore_len) {
		/* What it has not taken so far goes, to make room. */
		tcflush(state.fd, TCOFLUSH);
		n = write(state.fd, state.restore, state.restore_len);
	}
	(void)n;
	(void)fcntl(state.fd, F_SETFL, flags);
	tcsetattr(state.fd, TCSANOW, &state.termios);
}

/* Ends the process as the signal does that nobody handles. */
static void end_by(int sig)
{
	sigset_t set;

	signals_restore();
	signal(sig, SIG_DFL);
	raise(sig);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void on_asking(int sig)
{
	if (sig == SIGTSTP) {
		state.stop = 1;
	} else if (sig == SIGCONT) {
		state.cont = 1;
	} else if (sig == SIGINT && state.listening) {
		state.interrupted = 1;
	} else if (state.writing && state.saved) {
		end_by(sig);
	} else {
		state.ending = sig;
	}
}

static void on_crash(int sig)
{
	/* The handler is one-shot, so raising ends the process with the right status. */
	if (state.saved) {
		signals_restore();
		ssize_t n = write(STDERR_FILENO, state.last_words, state.last_words_len);
		(void)n;
	}
	raise(sig);
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = handler;
	sa.sa_flags = flags;
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

/* A stack overflow cannot be handled on the stack that overflowed. */
static void give_crashes_a_stack(void)
{
	const size_t size = 65536;
	stack_t ss;

	state.crash_stack = malloc(size);
	if (state.crash_stack != NULL) {
		memset(&ss, 0, sizeof(ss));
		ss.ss_sp = state.crash_stack;
		ss.ss_size = size;
		sigaltstack(&ss, NULL);
	}
}

void signals_install(void)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGWINCH);
	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		sigaddset(&blocked, asking[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, &state.open_mask);
	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		handle(asking[i], on_asking, 0);
		sigdelset(&state.open_mask, asking[i]);
	}
	sigdelset(&state.open_mask, SIGWINCH);
	give_crashes_a_stack();
	for (size_t i = 0; i < COUNT_OF(crashing); i++) {
		handle(crashing[i], on_crash, (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
	}
	signal(SIGPIPE, SIG_IGN);
}

void signals_remove(void)
{
	stack_t off = {.ss_flags = SS_DISABLE};

	for (size_t i = 0; i < COUNT_OF(asking); i++) {
		handle(asking[i], SIG_DFL, 0);
	}
	for (size_t i = 0; i < COUNT_OF(crashing); i++) {
		handle(crashing[i], SIG_DFL, 0);
	}
	handle(SIGPIPE, SIG_DFL, 0);
	sigaltstack(&off, NULL);
	free(state.crash_stack);
	state.crash_stack = NULL;
	state.saved = false;
	sigprocmask(SIG_SETMASK, &state.open_mask, NULL);
}

enum signals_woke signals_wait(bool owed, uint64_t ns)
{
	const int in = STDIN_FILENO, out = owed ? state.fd : -1;
	const uint64_t second = 1000000000;
	struct timespec limit = {.tv_sec = (time_t)(ns / second), .tv_nsec = (long)(ns % second)};
	fd_set readable, writable;

	FD_ZERO(&readable);
	FD_ZERO(&writable);
	FD_SET(in, &readable);
	if (owed) {
		FD_SET(out, &writable);
	}
	int n = pselect((in > out ? in : out) + 1, &readable, &writable, NULL,
		ns == UINT64_MAX ? NULL : &limit, &state.open_mask);
	if (n <= 0) {
		return n == 0 ? WOKE_TIME : WOKE_SIGNAL;
	}
	return FD_ISSET(in, &readable) ? WOKE_READABLE : WOKE_WRITABLE;
}

static void let_end(bool on)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(on ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

void signals_write(bool on)
{
	if (on) {
		state.writing = 1;
		let_end(true);
	} else {
		let_end(state.listening);
		state.writing = 0;
	}
}

void signals_listen(bool on)
{
	struct termios now;

	if (on) {
		state.interrupted = 0;
		state.listening = true;
	}
	if (state.saved && tcgetattr(state.fd, &now) == 0) {
		/* Without NOFLSH a Ctrl-C would throw away keys, and output that is under way. */
		now.c_lflag &= ~(tcflag_t)(ISIG | NOFLSH);
		now.c_lflag |= on ? (tcflag_t)(ISIG | NOFLSH) : 0;
		tcsetattr(state.fd, TCSANOW, &now);
	}
	let_end(on);
	state.listening = on;
}

bool signals_interrupted(void)
{
	return state.interrupted != 0;
}

bool signals_stop_waits(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP) == 1;
}

int signals_ending(void)
{
	return state.ending;
}

bool signals_take_stop(void)
{
	bool was = state.stop != 0;

	state.stop = 0;
	return was;
}

bool signals_take_continue(void)
{
	bool was = state.cont != 0;

	state.cont = 0;
	return was;
}

void signals_stop_self(void)
{
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	handle(SIGTSTP, SIG_DFL, 0);
	kill(0, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	/* Here the process is stopped; what follows happens after SIGCONT. */
	sigprocmask(SIG_BLOCK, &stop, NULL);
	handle(SIGTSTP, on_asking, 0);
	state.stop = 0;
}
