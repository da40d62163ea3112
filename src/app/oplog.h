/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A long list of ops in four bytes an op, readable from any position. Logs that start alike share
 * what they have in common, so that a branch costs only what it changes.
 *
 * An op is a word: a byte that says which form it has, and its id as a distance from the piece's
 * base. What does not fit stands in the piece as a whole.
 */
#ifndef APP_OPLOG_H
#define APP_OPLOG_H

#include "zonelab/event.h"

/** Ops in a piece; pieces are what logs share. */
#define OPLOG_PIECE 1024u

struct oplog_piece {
	uint32_t refs;
	uint32_t base;	   /* of ids */
	uint32_t nr_other; /* forms that are rare, and whole ops */
	uint32_t word[OPLOG_PIECE];
	struct zl_op other[];
};

struct oplog {
	const struct zl_allocator *mem;
	struct oplog_piece **piece; /* full pieces, not to be changed */
	size_t nr_pieces, max_pieces;
	uint64_t count;
	const struct oplog *like; /* whose ops it reads instead of its own, NULL = none */
	/* The piece that is filled: `other` has room for a whole piece. NULL = none yet. */
	struct oplog_piece *open;
	uint32_t in_open;
	/* The first four bytes of a plain allocation like the last one, and its form. */
	uint32_t alloc_head, alloc_form;
};

void oplog_init(struct oplog *log, const struct zl_allocator *mem);
void oplog_done(struct oplog *log);
/** Ops that can be appended without memory, at least one; 0 = no memory. */
size_t oplog_space(struct oplog *log);
/** Appends ops. Returns 0 or -ENOMEM; then `count` says how many were appended. */
int oplog_append(struct oplog *log, const struct zl_op *ops, size_t n);
/** Reads @n ops from @index (from 0) on, which must exist. */
void oplog_read(const struct oplog *log, uint64_t index, size_t n, struct zl_op *ret);
/** Makes @to, which must be initialised and empty, the first @count ops of @from. */
int oplog_share(struct oplog *to, const struct oplog *from, uint64_t count);
/**
 * From here on @log gets the same ops as @like, a little later, and keeps none of its own; both
 * are empty or have got the same ops so far, and stay in place. With NULL it parts from there.
 * Returns 0 or -ENOMEM; then it has not parted.
 */
int oplog_follow(struct oplog *log, const struct oplog *like);

#endif
