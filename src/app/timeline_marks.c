/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the ops of a run did: a bit an op, and more for those that did something. */
#include <errno.h>
#include <string.h>

#include "timeline_private.h"

#define WORD_SHIFT 6u
#define WORD_BITS  (1u << WORD_SHIFT)
#define FIRST_ROOM 64u

int timeline_grow(
	void **list, size_t *max, size_t need, size_t size, const struct zl_allocator *mem)
{
	if (need <= *max) {
		return 0;
	}
	size_t more = *max == 0 ? FIRST_ROOM : *max + *max / 4;
	more = more < need ? need : more;
	void *p = mem->realloc(mem->user, *list, more * size);
	if (p == NULL) {
		return -ENOMEM;
	}
	*list = p;
	*max = more;
	return 0;
}

void marks_done(struct mark_list *m, const struct zl_allocator *mem)
{
	mem->free(mem->user, m->word);
	mem->free(mem->user, m->before);
	mem->free(mem->user, m->did);
	memset(m, 0, sizeof(*m));
}

static int room(struct mark_list *m, const struct zl_allocator *mem, size_t words, size_t did)
{
	void *word = m->word, *before = m->before, *done = m->did;
	size_t max = m->max_words;
	int rc = timeline_grow(&word, &max, words, sizeof(*m->word), mem);

	m->word = word;
	if (rc == 0) {
		rc = timeline_grow(&before, &m->max_words, words, sizeof(*m->before), mem);
		m->before = before;
	}
	if (rc == 0) {
		rc = timeline_grow(&done, &m->max_did, did, sizeof(*m->did), mem);
		m->did = done;
	}
	return rc;
}

int marks_reserve(struct mark_list *m, const struct zl_allocator *mem, uint64_t op)
{
	size_t words = (size_t)(op >> WORD_SHIFT) + 1;

	if (words <= m->max_words && m->nr_did + ZL_GLANCE_OPS <= m->max_did) {
		return 0;
	}
	return room(m, mem, words, m->nr_did + ZL_GLANCE_OPS);
}

void marks_note(struct mark_list *m, uint64_t op, const struct zl_glance *g)
{
	size_t w = (size_t)(op >> WORD_SHIFT);

	while (m->nr_words <= w) {
		m->word[m->nr_words] = 0;
		m->before[m->nr_words++] = (uint32_t)m->nr_did;
	}
	if (g->nr_did > 0) {
		m->word[w] |= g->marked << op % WORD_BITS;
		memcpy(m->did + m->nr_did, g->did, g->nr_did);
		m->nr_did += g->nr_did;
	}
}

static uint64_t bits_below(uint64_t op)
{
	return (UINT64_C(1) << op % WORD_BITS) - 1;
}

/* Where in `did` the op stands, or would. */
static size_t place(const struct mark_list *m, uint64_t op)
{
	uint64_t w = op >> WORD_SHIFT;

	return m->before[w] + (size_t)__builtin_popcountll(m->word[w] & bits_below(op));
}

int marks_copy(struct mark_list *to, const struct mark_list *from, uint64_t op,
	const struct zl_allocator *mem)
{
	size_t words = (size_t)((op + 1 + WORD_BITS - 1) >> WORD_SHIFT);
	bool all = words > from->nr_words;
	size_t did = all ? from->nr_did : 0;

	words = all ? from->nr_words : words;
	if (!all) {
		did = (op + 1) >> WORD_SHIFT < from->nr_words ? place(from, op + 1) : from->nr_did;
	}
	int rc = room(to, mem, words, did);
	if (rc < 0 || words == 0) {
		return rc;
	}
	memcpy(to->word, from->word, words * sizeof(*to->word));
	memcpy(to->before, from->before, words * sizeof(*to->before));
	if (did > 0) {
		memcpy(to->did, from->did, did);
	}
	if (!all && (op + 1) % WORD_BITS != 0) {
		to->word[words - 1] &= bits_below(op + 1);
	}
	to->nr_words = words;
	to->nr_did = did;
	return 0;
}

uint8_t marks_at(const struct mark_list *m, uint64_t op)
{
	uint64_t w = op >> WORD_SHIFT;

	if (w >= m->nr_words || (m->word[w] >> op % WORD_BITS & 1) == 0) {
		return 0;
	}
	return m->did[place(m, op)];
}

static uint64_t find_after(const struct mark_list *m, uint64_t from, uint8_t mask)
{
	for (uint64_t w = from >> WORD_SHIFT; w < m->nr_words; w++) {
		uint64_t left = m->word[w];

		left &= w == from >> WORD_SHIFT ? ~bits_below(from) : UINT64_MAX;
		for (; left != 0; left &= left - 1) {
			uint64_t op = (w << WORD_SHIFT) + (unsigned)__builtin_ctzll(left);

			if ((m->did[place(m, op)] & mask) != 0) {
				return op;
			}
		}
	}
	return TIMELINE_NO_OP;
}

static uint64_t find_before(const struct mark_list *m, uint64_t from, uint8_t mask)
{
	uint64_t last = (uint64_t)m->nr_words << WORD_SHIFT;

	for (uint64_t op = from < last ? from + 1 : last; op > 0;) {
		uint64_t w = (op - 1) >> WORD_SHIFT;
		uint64_t left = m->word[w];

		left &= op % WORD_BITS != 0 ? bits_below(op) : UINT64_MAX;
		if (left == 0) {
			op = w << WORD_SHIFT;
			continue;
		}
		op = (w << WORD_SHIFT) + WORD_BITS - 1 - (unsigned)__builtin_clzll(left);
		if ((m->did[place(m, op)] & mask) != 0) {
			return op;
		}
	}
	return TIMELINE_NO_OP;
}

uint64_t marks_find(const struct mark_list *m, uint64_t from, int direction, uint8_t mask)
{
	return direction > 0 ? find_after(m, from, mask) : find_before(m, from, mask);
}
