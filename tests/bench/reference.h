/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the model's speed is compared with: a bare buddy system, linked by index, with four lists
 * on one pageset (orders 0 to 3), counters and no tuning rules: refill a batch when a list is
 * empty, give a batch back when there is too much.
 */
#ifndef TESTS_BENCH_REFERENCE_H
#define TESTS_BENCH_REFERENCE_H

#include <stdint.h>

struct reference;

struct reference *reference_new(uint32_t pages);
void reference_free(struct reference *r);
/** First page of a block, or UINT32_MAX. */
uint32_t reference_take(struct reference *r, unsigned order);
void reference_give(struct reference *r, uint32_t pfn, unsigned order);

#endif
