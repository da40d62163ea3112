/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the built program on a pseudo-terminal and reads its screen back through libvterm.
 *
 * Nothing sleeps: the program says after each frame how many keys it had read (ZONELAB_FRAME_MARK,
 * see tui.h), and who has sent keys waits until a frame has seen them. Every wait has a limit.
 */
#ifndef SUPPORT_PTY_VTERM_H
#define SUPPORT_PTY_VTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

#define PTY_TEXT_MAX (60 * (200 * 4 + 1) + 1)
#define PTY_ARGS_MAX 8

struct pty_opts {
	int rows, cols;			/* 0 = 24x80 */
	const char *term;		/* NULL = xterm, "" = unset */
	const char *locale;		/* NULL = C.UTF-8 */
	const char *env[4];		/* more of the form NAME=VALUE */
	const char *args[PTY_ARGS_MAX]; /* after the program's name */
	const char *home;		/* NULL = a new empty directory */
	bool story;			/* stay on what the explorer opens with, else Geometry */
};

struct pty {
	VTerm *vt;
	VTermScreen *screen;
	int rows, cols;
	int master, slave, reports;
	pid_t leader; /* session leader that stands for a shell */
	pid_t program;
	struct termios before;
	char home[64];
	bool own_home;
	unsigned long nr_frames, nr_keys; /* as the program says */
	unsigned long sent;		  /* keys sent */
	size_t bytes;			  /* output since the last reset by the caller */
	char mark[64];			  /* the mark that is arriving */
	size_t mark_len;
	char last[6];		       /* bytes of the stream */
	bool alternate, cursor, mouse; /* modes of the terminal now */
};

/** Starts the program; with @wait the first frame is awaited. Fails the test on trouble. */
void pty_start(struct pty *p, const struct pty_opts *opts, bool wait);
/** Ends what still runs and frees everything; a directory of our own is removed. */
void pty_stop(struct pty *p);

/** Keys by name, separated by blanks, as app_key() takes them; waits for their frame. */
void pty_press(struct pty *p, const char *keys);
/** Bytes as they are, each one key (the command line reads bytes); waits for their frame. */
void pty_type(struct pty *p, const char *text);
/** Changes the size and waits for the frame. */
void pty_resize(struct pty *p, int rows, int cols);
/** Waits until a frame has seen all keys that were sent. */
void pty_settle(struct pty *p);
/** Bytes that nobody counts and no frame is awaited for. */
void pty_send(struct pty *p, const char *bytes);
/** Reads until the screen contains a text, without a key. */
void pty_await(struct pty *p, const char *text);

/** The screen, trailing blanks cut, each row ended. @buf holds PTY_TEXT_MAX. */
void pty_text(struct pty *p, char *buf);
/** Whether the screen contains a text. */
bool pty_shows(struct pty *p, const char *text);
/** Fails the test, with the screen, unless it contains a text. */
void pty_assert_shows(struct pty *p, const char *text);
/** Redraws until the screen contains a text; fails the test when it never does. */
void pty_wait_for(struct pty *p, const char *text);
/** Whether any cell has a colour that is not the terminal's own. */
bool pty_has_colour(struct pty *p);

void pty_signal(struct pty *p, int sig);
/** Waits for the program's end; returns its wait status. Output is read to the end. */
int pty_wait_end(struct pty *p);
/** The same without reading any of its output. */
int pty_wait_end_unread(struct pty *p);
/** Reads all that was written, once the program has ended or stopped. */
void pty_read_rest(struct pty *p);
/** Waits until the program has taken all input, or sleeps without taking it. */
void pty_wait_idle(struct pty *p);
/** Reads at most @n bytes of output; waits for some. */
void pty_read_little(struct pty *p, size_t n);
/** Waits until it is stopped. */
void pty_wait_stopped(struct pty *p);
/** Closes the terminal under the program. */
void pty_hang_up(struct pty *p);
/** Fails the test unless modes and settings of the terminal are those of the start. */
void pty_assert_restored(struct pty *p);

/** Runs the program without a terminal; output in @buf. Returns its exit status. */
int pty_run_batch(const char *home, const char *args, char *buf, size_t size);

#endif
