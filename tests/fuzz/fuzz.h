/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz entries share. An entry is one function: it must return 0, leave nothing behind and
 * never depend on what ran before it.
 */
#ifndef ZONELAB_TESTS_FUZZ_FUZZ_H
#define ZONELAB_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** One input; @data is not terminated. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** A terminated copy for parsers of strings, cut at the first NUL; free() it. NULL: no memory. */
char *fuzz_string(const uint8_t *data, size_t size);

#endif
