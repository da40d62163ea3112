/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lowest byte of a word is its form: a plain allocation (migratetype and order), a plain free,
 * a change of CPU, one of the piece's rare forms, or a whole op; the rest is the id's distance, the
 * CPU, or the place of the op. Plain is what has neither argument nor key.
 */
#include "oplog.h"

#include <errno.h>
#include <string.h>

#define FORM_BITS  8u
#define FORM_MASK  255u
#define ORDER_BITS 4u
#define ORDERS	   (1u << ORDER_BITS)
#define ORDER_MASK (ORDERS - 1)
#define FORM_FREE  (ZL_MIGRATE_PCPTYPES << ORDER_BITS)
#define FORM_CPU   (FORM_FREE + 1)
#define FORM_RARE  (FORM_CPU + 1) /* and what follows */
#define RARE_MAX   32u		  /* rare forms of a piece: they are looked through */
#define FORM_WHOLE FORM_MASK
#define NO_ID	   ((UINT32_C(1) << 24) - 1) /* as a distance: the id is 0 */
#define ID_BELOW   (UINT32_C(1) << 23) /* ids so far below the first of a piece have a distance */
#define GROWTH	   2u
#define FIRST_ROOM 16u

static uint32_t head_of(const struct zl_op *op)
{
	uint32_t head;

	_Static_assert(offsetof(struct zl_op, id) == sizeof(head), "kind, order, mt and key");
	memcpy(&head, op, sizeof(head));
	return head;
}

void oplog_init(struct oplog *log, const struct zl_allocator *mem)
{
	const struct zl_op alloc = {.kind = ZL_OP_ALLOC}; /* whose form is 0 */

	memset(log, 0, sizeof(*log));
	log->mem = mem;
	log->alloc_head = head_of(&alloc);
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
		log->mem->free(log->mem->user, log->open);
		oplog_init(log, log->mem);
	}
}

/* ---- words ---- */

static bool same_form(const struct zl_op *a, const struct zl_op *b)
{
	return head_of(a) == head_of(b) && a->arg == b->arg;
}

static uint32_t word_of(uint32_t form, uint32_t rest)
{
	return form | rest << FORM_BITS;
}

/* One of the piece's forms, made if there is room; FORM_WHOLE = none. */
static uint32_t rare_form(struct oplog_piece *p, const struct zl_op *op)
{
	for (uint32_t i = 0; i < p->nr_other && i < RARE_MAX; i++) {
		if (p->other[i].id == 0 && same_form(&p->other[i], op)) {
			return FORM_RARE + i;
		}
	}
	if (p->nr_other >= RARE_MAX) {
		return FORM_WHOLE;
	}
	p->other[p->nr_other] = *op;
	p->other[p->nr_other].id = 0;
	return FORM_RARE + p->nr_other++;
}

/* The op as it is, in the piece. */
static uint32_t whole_word(struct oplog_piece *p, const struct zl_op *op)
{
	p->other[p->nr_other] = *op;
	return word_of(FORM_WHOLE, p->nr_other++);
}

/* What is no plain allocation like the last one and no plain free. */
static uint32_t rare_word(struct oplog *log, const struct zl_op *op)
{
	const struct zl_op alloc = {.kind = ZL_OP_ALLOC, .order = op->order, .mt = op->mt};
	const struct zl_op cpu = {.kind = ZL_OP_CPU, .arg = op->arg};
	struct oplog_piece *p = log->open;
	uint32_t far = op->id - p->base;
	uint32_t form;

	if (op->id == 0 && op->arg < NO_ID && same_form(&cpu, op)) {
		return word_of(FORM_CPU, op->arg);
	}
	if (op->id == 0) {
		far = NO_ID;
	} else if (far >= NO_ID) {
		return whole_word(p, op);
	}
	if (op->order < ORDERS && op->mt < ZL_MIGRATE_PCPTYPES && same_form(&alloc, op)) {
		log->alloc_head = head_of(op);
		log->alloc_form = (uint32_t)op->mt << ORDER_BITS | op->order;
		return word_of(log->alloc_form, far);
	}
	form = rare_form(p, op);
	return form == FORM_WHOLE ? whole_word(p, op) : word_of(form, far);
}

static void read_word(const struct oplog_piece *p, uint32_t word, struct zl_op *ret)
{
	uint32_t form = word & FORM_MASK;
	uint32_t rest = word >> FORM_BITS;

	if (form == FORM_WHOLE) {
		*ret = p->other[rest];
		return;
	}
	if (form >= FORM_RARE) {
		*ret = p->other[form - FORM_RARE];
	} else if (form == FORM_CPU) {
		*ret = (struct zl_op){.kind = ZL_OP_CPU, .arg = rest};
		return;
	} else if (form == FORM_FREE) {
		*ret = (struct zl_op){.kind = ZL_OP_FREE};
	} else {
		*ret = (struct zl_op){.kind = ZL_OP_ALLOC,
			.order = form & ORDER_MASK,
			.mt = (uint8_t)(form >> ORDER_BITS)};
	}
	ret->id = rest == NO_ID ? 0 : p->base + rest;
}

/* ---- pieces ---- */

static int room_for_piece(struct oplog *log)
{
	size_t max = log->max_pieces == 0 ? FIRST_ROOM : log->max_pieces * GROWTH;
	struct oplog_piece **more;

	if (log->nr_pieces < log->max_pieces) {
		return 0;
	}
	more = log->mem->realloc(log->mem->user, log->piece, max * sizeof(struct oplog_piece *));
	if (more == NULL) {
		return -ENOMEM;
	}
	log->piece = more;
	log->max_pieces = max;
	return 0;
}

/* A copy of the full piece, as long as it has to be, and an empty one to go on with. */
static int close_piece(struct oplog *log)
{
	const struct oplog_piece *full = log->open;
	size_t size = sizeof(*full) + full->nr_other * sizeof(full->other[0]);
	struct oplog_piece *p;

	if (room_for_piece(log) < 0) {
		return -ENOMEM;
	}
	p = log->mem->realloc(log->mem->user, NULL, size);
	if (p == NULL) {
		return -ENOMEM;
	}
	memcpy(p, full, size);
	p->refs = 1;
	log->piece[log->nr_pieces++] = p;
	log->in_open = 0;
	return 0;
}

size_t oplog_space(struct oplog *log)
{
	if (log->like != NULL) {
		return SIZE_MAX;
	}
	if (log->open == NULL) {
		log->open = log->mem->realloc(log->mem->user, NULL,
			sizeof(*log->open) + OPLOG_PIECE * sizeof(log->open->other[0]));
		if (log->open == NULL) {
			return 0;
		}
		memset(log->open, 0, sizeof(*log->open));
	}
	if (log->in_open == OPLOG_PIECE && close_piece(log) < 0) {
		return 0;
	}
	return OPLOG_PIECE - log->in_open;
}

/* The piece is empty, and @op its first. */
static void start_piece(struct oplog_piece *p, const struct zl_op *op)
{
	if (op->id != 0) {
		p->base = op->id > ID_BELOW ? op->id - ID_BELOW : 0;
	}
	p->nr_other = 0;
}

/* No more ops than the open piece has room for. */
static void put_words(struct oplog *log, const struct zl_op *ops, size_t n)
{
	const struct zl_op free_op = {.kind = ZL_OP_FREE};
	const uint32_t free_head = head_of(&free_op);
	uint32_t *word = &log->open->word[log->in_open];
	uint32_t alloc_head = log->alloc_head;
	uint32_t alloc_form = log->alloc_form;
	uint32_t base;

	if (log->in_open == 0) {
		start_piece(log->open, ops);
	}
	base = log->open->base;
	for (size_t i = 0; i < n; i++) {
		uint32_t head = head_of(&ops[i]);
		uint32_t far = ops[i].id - base;

		if (far < NO_ID && ops[i].arg == 0) {
			if (head == free_head) {
				word[i] = word_of(FORM_FREE, far);
				continue;
			}
			if (head == alloc_head) {
				word[i] = word_of(alloc_form, far);
				continue;
			}
		}
		word[i] = rare_word(log, &ops[i]);
		alloc_head = log->alloc_head;
		alloc_form = log->alloc_form;
	}
	log->in_open += (uint32_t)n;
	log->count += n;
}

int oplog_append(struct oplog *log, const struct zl_op *ops, size_t n)
{
	if (log->like != NULL) {
		log->count += n;
		return 0;
	}
	while (n > 0) {
		size_t k = oplog_space(log);

		if (k == 0) {
			return -ENOMEM;
		}
		k = k < n ? k : n;
		put_words(log, ops, k);
		ops += k;
		n -= k;
	}
	return 0;
}

void oplog_read(const struct oplog *log, uint64_t index, size_t n, struct zl_op *ret)
{
	const struct oplog *from = log->like != NULL ? log->like : log;

	while (n > 0) {
		uint64_t piece = index / OPLOG_PIECE;
		size_t at = index % OPLOG_PIECE;
		size_t k = OPLOG_PIECE - at < n ? OPLOG_PIECE - at : n;
		const struct oplog_piece *p =
			piece < from->nr_pieces ? from->piece[piece] : from->open;

		for (size_t i = 0; i < k; i++) {
			read_word(p, p->word[at + i], &ret[i]);
		}
		index += k;
		ret += k;
		n -= k;
	}
}

/* The first @whole pieces, by reference. */
static int share_pieces(struct oplog *to, const struct oplog *from, size_t whole)
{
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
	return 0;
}

int oplog_share(struct oplog *to, const struct oplog *from, uint64_t count)
{
	size_t whole = (size_t)(count / OPLOG_PIECE);
	struct zl_op op;
	int rc;

	from = from->like != NULL ? from->like : from;
	rc = share_pieces(to, from, whole < from->nr_pieces ? whole : from->nr_pieces);
	while (rc == 0 && to->count < count) {
		oplog_read(from, to->count, 1, &op);
		rc = oplog_append(to, &op, 1);
	}
	return rc;
}

int oplog_follow(struct oplog *log, const struct oplog *like)
{
	struct oplog own;
	int rc;

	if (like != NULL || log->like == NULL) {
		log->like = like;
		return 0;
	}
	oplog_init(&own, log->mem);
	rc = oplog_share(&own, log->like, log->count);
	if (rc < 0) {
		oplog_done(&own);
		return rc;
	}
	*log = own;
	return 0;
}
