/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, and the promise that the terminal is left as it was found whatever happens.
 *
 * Signals that ask for something (TERM, HUP, INT, TSTP, CONT, WINCH) are blocked except inside
 * signals_wait(), so that none can fall between a check and a sleep. A crash restores the
 * terminal from strings that were prepared at the start, with async-signal-safe calls alone. So
 * does a signal that asks for an end while the terminal keeps a write waiting.
 */
#ifndef TUI_TUI_SIGNALS_H
#define TUI_TUI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESTORE_TEXT 256
#define CRASH_TEXT   4400

/**
 * Remembers the terminal's settings. Call before curses touches it.
 * Returns 0 or -errno.
 */
int signals_save_terminal(int fd);
/** What a crash writes to the terminal, e.g. the string that leaves the alternate screen. */
void signals_add_restore(const char *capability);

/** What a crash says on standard error once the terminal is as it was; "" = nothing. */
void signals_say_at_crash(const char *text);

/** Installs all handlers. Call after curses has installed its own. */
void signals_install(void);
/** Default handlers, open mask. */
void signals_remove(void);

/**
 * On while something is written to the terminal, which may take none of it for ever: what asks for
 * an end then ends the program at once, with the terminal restored as far as it takes that.
 */
void signals_write(bool on);
/** Whether the terminal takes output now. */
bool signals_terminal_takes(void);
/** Gives back a terminal that takes no output: its settings, and what it takes of the rest. */
void signals_restore(void);

enum signals_woke { WOKE_READABLE, WOKE_WRITABLE, WOKE_SIGNAL, WOKE_TIME };

/**
 * Sleeps until standard input can be read, the terminal takes output (with @owed), a signal arrives
 * or @ns nanoseconds are over; UINT64_MAX sets no limit, so that nothing wakes up an idle program.
 */
enum signals_woke signals_wait(bool owed, uint64_t ns);

/** The signal that asks the program to end, 0 if none has come. */
int signals_ending(void);
/** True once after a TSTP or a CONT. */
bool signals_take_stop(void);
bool signals_take_continue(void);

/**
 * While on, the terminal turns Ctrl-C and Ctrl-Z into signals, and those that ask for an end reach
 * work that is under way: a read that waits comes back with EINTR. INT then asks for the end of the
 * work alone.
 */
void signals_listen(bool on);
/** Whether an INT came while it was on; cleared by signals_listen(true). */
bool signals_interrupted(void);
/** Whether a TSTP waits to be taken while it is on. */
bool signals_stop_waits(void);

/** Stops the process group with TSTP and comes back when it is continued. */
void signals_stop_self(void);

#endif
