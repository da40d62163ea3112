/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A byte of flags, then what differs from the op before: order, id as a distance, argument, key.
 */
#include "oplog.h"

#include <errno.h>
#include <string.h>

#define KIND_ESCAPE ZL_OP_INIT /* the kind follows; a list never holds this one */
#define KIND_MASK   15u
#define MT_SHIFT    4u
#define MT_MASK	    3u
#define FLAG_ORDER  64u	 /* another order than before follows */
#define FLAG_MORE   128u /* argument and key follow */
#define SEVEN	    7u
#define LOW_SEVEN   127u
#define GO_ON	    128u
#define OP_BYTES    16u /* most bytes of one op */
#define GROWTH	    2u
#define FIRST_ROOM  16u

void oplog_init(struct oplog *log, const struct zl_allocator *mem)
{
	memset(log, 0, sizeof(*log));
	log->mem = mem;
}

static void piece_put(struct oplog *log, struct oplog_piece *p)
{
	if (--p->refs == 0) {
		log->mem->free(log->mem->user, p);
	}
}

void oplog_done(struct oplog *log)
{
	for (size_t i = 0; i < log->nr_pieces; i++) {
		piece_put(log, log->piece[i]);
	}
	if (log->mem != NULL) {
		log->mem->free(log->mem->user, log->piece);
	}
	log->piece = NULL;
	log->nr_pieces = 0;
	log->max_pieces = 0;
	log->count = 0;
}

static size_t put_number(uint8_t *to, uint32_t v)
{
	size_t n = 0;

	while (v > LOW_SEVEN) {
		to[n++] = (uint8_t)(GO_ON | (v & LOW_SEVEN));
		v >>= SEVEN;
	}
	to[n++] = (uint8_t)v;
	return n;
}

static uint32_t get_number(const uint8_t *from, uint32_t *at)
{
	uint32_t v = 0;
	unsigned shift = 0;

	while ((from[*at] & GO_ON) != 0) {
		v |= (uint32_t)(from[(*at)++] & LOW_SEVEN) << shift;
		shift += SEVEN;
	}
	return v | (uint32_t)from[(*at)++] << shift;
}

static bool has_id(uint8_t kind)
{
	return kind == ZL_OP_ALLOC || kind == ZL_OP_ALLOCHA || kind == ZL_OP_FREE ||
	       kind == ZL_OP_BULK || kind == ZL_OP_CMA_ALLOC || kind == ZL_OP_CMA_RELEASE ||
	       kind == ZL_OP_PIN || kind == ZL_OP_UNPIN;
}

static bool has_order(uint8_t kind)
{
	return kind == ZL_OP_ALLOC || kind == ZL_OP_ALLOCHA || kind == ZL_OP_CMA_ALLOC;
}

static size_t encode(uint8_t *to, const struct zl_op *op, struct zl_op *last)
{
	bool order = has_order(op->kind) && op->order != last->order;
	bool more = op->arg != 0 || op->key != 0;
	size_t n = 0;

	unsigned kind = op->kind <= KIND_MASK ? op->kind : KIND_ESCAPE;

	to[n++] = (uint8_t)(kind | (unsigned)op->mt << MT_SHIFT | (order ? FLAG_ORDER : 0u) |
			    (more ? FLAG_MORE : 0u));
	if (kind == KIND_ESCAPE) {
		to[n++] = op->kind;
	}
	if (order) {
		to[n++] = op->order;
		last->order = op->order;
	}
	if (has_id(op->kind)) {
		/* Signed distances of either sign get short when the sign is the lowest bit. */
		uint32_t d = op->id - (last->id + 1);
		n += put_number(
			to + n, (d << 1) ^ ((d & UINT32_C(0x80000000)) != 0 ? UINT32_MAX : 0));
		last->id = op->id;
	}
	if (more) {
		to[n++] = op->key;
		n += put_number(to + n, op->arg);
	}
	return n;
}

static void decode(const uint8_t *from, uint32_t *at, struct zl_op *last, struct zl_op *ret)
{
	uint8_t head = from[(*at)++];

	memset(ret, 0, sizeof(*ret));
	ret->kind = head & KIND_MASK;
	if (ret->kind == KIND_ESCAPE) {
		ret->kind = from[(*at)++];
	}
	ret->mt = head >> MT_SHIFT & MT_MASK;
	if ((head & FLAG_ORDER) != 0) {
		last->order = from[(*at)++];
	}
	ret->order = has_order(ret->kind) ? last->order : 0;
	if (has_id(ret->kind)) {
		uint32_t z = get_number(from, at);
		last->id += 1 + ((z >> 1) ^ ((z & 1) != 0 ? UINT32_MAX : 0));
		ret->id = last->id;
	}
	if ((head & FLAG_MORE) != 0) {
		ret->key = from[(*at)++];
		ret->arg = get_number(from, at);
	}
}

/* Packs the full tail. */
static int close_piece(struct oplog *log)
{
	uint8_t bytes[OPLOG_PIECE * OP_BYTES];
	struct zl_op last = {0};
	size_t n = 0;

	if (log->nr_pieces == log->max_pieces) {
		size_t max = log->max_pieces == 0 ? FIRST_ROOM : log->max_pieces * GROWTH;
		struct oplog_piece **more = log->mem->realloc(
			log->mem->user, log->piece, max * sizeof(struct oplog_piece *));
		if (more == NULL) {
			return -ENOMEM;
		}
		log->piece = more;
		log->max_pieces = max;
	}
	if (log->like != NULL && log->like->nr_pieces > log->nr_pieces) {
		struct oplog_piece *shared = log->like->piece[log->nr_pieces];

		shared->refs++;
		log->piece[log->nr_pieces++] = shared;
		return 0;
	}
	for (unsigned i = 0; i < OPLOG_PIECE; i++) {
		n += encode(bytes + n, &log->tail[i], &last);
	}
	struct oplog_piece *p = log->mem->realloc(log->mem->user, NULL, sizeof(*p) + n);
	if (p == NULL) {
		return -ENOMEM;
	}
	p->refs = 1;
	p->bytes = (uint32_t)n;
	memcpy(p->data, bytes, n);
	log->piece[log->nr_pieces++] = p;
	return 0;
}

int oplog_append(struct oplog *log, const struct zl_op *op)
{
	uint64_t in_tail = log->count - (uint64_t)log->nr_pieces * OPLOG_PIECE;

	if (op->mt > MT_MASK) {
		return -EINVAL;
	}
	if (in_tail == OPLOG_PIECE) {
		int rc = close_piece(log);
		if (rc < 0) {
			return rc;
		}
		in_tail = 0;
	}
	log->tail[in_tail] = *op;
	log->count++;
	return 0;
}

void oplog_read(const struct oplog *log, struct oplog_cursor *at, uint64_t index, struct zl_op *ret)
{
	uint64_t piece = index / OPLOG_PIECE;

	if (piece >= log->nr_pieces) {
		*ret = log->tail[index - (uint64_t)log->nr_pieces * OPLOG_PIECE];
		at->index = 0; /* the cursor only serves packed pieces */
		at->byte = 0;
		return;
	}
	if (at->byte == 0 || at->index != index || index % OPLOG_PIECE == 0) {
		memset(at, 0, sizeof(*at));
		at->index = piece * OPLOG_PIECE;
	}
	const struct oplog_piece *p = log->piece[piece];
	while (at->index <= index) {
		decode(p->data, &at->byte, &at->last, ret);
		at->index++;
	}
}

int oplog_share(struct oplog *to, const struct oplog *from, uint64_t count)
{
	size_t whole = (size_t)(count / OPLOG_PIECE);
	struct oplog_cursor at = {0};
	struct zl_op op;

	whole = whole < from->nr_pieces ? whole : from->nr_pieces;
	if (whole > 0) {
		to->piece =
			to->mem->realloc(to->mem->user, NULL, whole * sizeof(struct oplog_piece *));
		if (to->piece == NULL) {
			return -ENOMEM;
		}
	}
	for (size_t i = 0; i < whole; i++) {
		to->piece[i] = from->piece[i];
		to->piece[i]->refs++;
	}
	to->nr_pieces = whole;
	to->max_pieces = whole;
	to->count = (uint64_t)whole * OPLOG_PIECE;
	while (to->count < count) {
		oplog_read(from, &at, to->count, &op);
		int rc = oplog_append(to, &op);
		if (rc < 0) {
			return rc;
		}
	}
	return 0;
}

void oplog_follow(struct oplog *log, const struct oplog *like)
{
	log->like = like;
}

size_t oplog_bytes(const struct oplog *log)
{
	size_t n = sizeof(*log) + log->max_pieces * sizeof(struct oplog_piece *);

	for (size_t i = 0; i < log->nr_pieces; i++) {
		n += sizeof(*log->piece[i]) + log->piece[i]->bytes;
	}
	return n;
}
