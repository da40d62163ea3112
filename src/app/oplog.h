/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A long list of ops in few bytes: two or three an op, readable from any position. Logs that
 * start alike share what they have in common, so that a branch costs only what it changes.
 */
#ifndef APP_OPLOG_H
#define APP_OPLOG_H

#include "zonelab/event.h"

/** Ops in a piece; reading starts at a piece. */
#define OPLOG_PIECE 1024u

struct oplog_piece {
	uint32_t refs;
	uint32_t bytes;
	uint8_t data[];
};

struct oplog {
	const struct zl_allocator *mem;
	struct oplog_piece **piece; /* full pieces */
	size_t nr_pieces, max_pieces;
	uint64_t count;
	const struct oplog *like;	/* whose full pieces it uses, NULL = none */
	struct zl_op tail[OPLOG_PIECE]; /* the ops after the full pieces */
};

/** A place in a log that knows the op before it, to read on cheaply. */
struct oplog_cursor {
	uint64_t index; /* of the next op; reading elsewhere starts a piece anew */
	uint32_t byte;
	struct zl_op last;
};

void oplog_init(struct oplog *log, const struct zl_allocator *mem);
void oplog_done(struct oplog *log);
/** Returns 0, -EINVAL for an op that no list can hold, or -ENOMEM. */
int oplog_append(struct oplog *log, const struct zl_op *op);
/** Reads op @index (from 0), which must exist, and leaves the cursor behind it. */
void oplog_read(
	const struct oplog *log, struct oplog_cursor *at, uint64_t index, struct zl_op *ret);
/** Makes @to, which must be initialised and empty, the first @count ops of @from. */
int oplog_share(struct oplog *to, const struct oplog *from, uint64_t count);
/**
 * From here on @log gets the same ops as @like, a little later: it uses the full pieces of @like
 * instead of packing its own. NULL ends that. Both must have the same allocator and stay in place.
 */
void oplog_follow(struct oplog *log, const struct oplog *like);
/** Bytes held, shared pieces in full. */
size_t oplog_bytes(const struct oplog *log);

#endif
