/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz entries share. An entry is one function: it must return 0, leave nothing behind and
 * never depend on what ran before it.
 */
#ifndef ZONELAB_TESTS_FUZZ_FUZZ_H
#define ZONELAB_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zonelab/import.h"
#include "zonelab/types.h"

/** Before the first input: memory stays with the program, which makes large blocks cheap. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
/** One input; @data is not terminated. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** A terminated copy for parsers of strings, cut at the first NUL; free() it. NULL: no memory. */
char *fuzz_string(const uint8_t *data, size_t size);

/** A heap that can run dry and knows what is left on it. */
struct fuzz_heap {
	struct zl_allocator allocator;
	size_t calls;	/* of realloc */
	size_t fail_at; /* the call that gets nothing, from 1; 0 = none */
	size_t live;	/* blocks not yet freed */
};
/** Starts a heap; give &heap->allocator to the code under test. */
void fuzz_heap_init(struct fuzz_heap *heap, size_t fail_at);
/** Aborts if something was left behind. */
void fuzz_heap_check(const struct fuzz_heap *heap);
/** The call to fail in a second run, chosen by the input: 1..calls, 0 if there were none. */
size_t fuzz_heap_choose(const struct fuzz_heap *heap, const uint8_t *data, size_t size);
/**
 * Runs a reader of texts, which need a NUL behind them that does not count: with all memory, then
 * in turn (one input of four) with one call that gets none. Returns what the first run returned, 0 without memory for the copy.
 */
int fuzz_texts(const uint8_t *data, size_t size,
	int (*run)(const char *text, size_t size, struct fuzz_heap *heap));
/** The same for readers of bytes, which learn whether it is the whole run; checks the heap. */
void fuzz_twice(const uint8_t *data, size_t size,
	void (*run)(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole));
/**
 * Whether an input has its turn at what is dear in an entry: one of @of inputs, by a hash of its
 * bytes. Over a corpus (FUZZ_EVERY_TURN) each input has.
 */
bool fuzz_turn(const uint8_t *data, size_t size, unsigned of);
/**
 * The path of a file in memory that holds the input until the next call, for readers of files;
 * NULL = the system has none to give.
 */
const char *fuzz_path(const uint8_t *data, size_t size);
/** Aborts if a text holds a control character other than those in @allowed. */
/* Every line of a file has one fate, and what is said of it is clean. */
void fuzz_check_file(const struct zl_import_file *f);
/* The same of all files, and what was found. */
void fuzz_check_import(const struct zl_import *im);
void fuzz_check_clean(const char *text, const char *allowed);

#endif
