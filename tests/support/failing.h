/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocations that fail, in a program that failing.c is linked into.
 */
#ifndef TESTS_SUPPORT_FAILING_H
#define TESTS_SUPPORT_FAILING_H

#include <stdbool.h>

/** From here on allocations are counted from 1; number @at fails, and with @onwards all behind. */
void failing_start(unsigned long at, bool onwards);
/** None fails any more. Returns how many there were. */
unsigned long failing_stop(void);

#endif
