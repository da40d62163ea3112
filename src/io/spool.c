/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KEPT ((size_t)262144) /* events in memory */

struct spool {
	const struct zl_allocator *mem;
	struct spool_event *kept;
	size_t room;
	uint64_t count;
	FILE *file;
};

struct spool *spool_new(const struct zl_allocator *mem)
{
	struct spool *s = mem->realloc(mem->user, NULL, sizeof(*s));

	if (s != NULL) {
		*s = (struct spool){.mem = mem};
	}
	return s;
}

void spool_free(struct spool *s)
{
	if (s != NULL) {
		if (s->file != NULL) {
			fclose(s->file);
		}
		s->mem->free(s->mem->user, s->kept);
		s->mem->free(s->mem->user, s);
	}
}

static int grow(struct spool *s)
{
	size_t room = s->room == 0 ? SPOOL_AHEAD : s->room * 2;
	struct spool_event *kept = s->mem->realloc(s->mem->user, s->kept, room * sizeof(*s->kept));

	if (kept == NULL) {
		return -ENOMEM;
	}
	s->kept = kept;
	s->room = room;
	return 0;
}

int spool_add(struct spool *s, const struct spool_event *e)
{
	if (s->count < KEPT) {
		if (s->count == s->room && grow(s) != 0) {
			return -ENOMEM;
		}
		s->kept[s->count++] = *e;
		return 0;
	}
	if (s->file == NULL) {
		s->file = tmpfile();
	}
	if (s->file == NULL || fwrite(e, sizeof(*e), 1, s->file) != 1) {
		return -ENOSPC;
	}
	s->count++;
	return 0;
}

uint64_t spool_count(const struct spool *s)
{
	return s->count;
}

void spool_start(struct spool_reader *r, const struct spool *s)
{
	r->s = s;
	r->next = 0;
	r->at = r->n = 0;
	if (s->file != NULL) {
		fflush(s->file);
	}
}

static int fill(struct spool_reader *r)
{
	const struct spool *s = r->s;
	uint64_t left = s->count - r->next;
	size_t n = left < SPOOL_AHEAD ? (size_t)left : SPOOL_AHEAD;

	if (r->next < KEPT) {
		n = n < KEPT - r->next ? n : (size_t)(KEPT - r->next);
		memcpy(r->ahead, s->kept + r->next, n * sizeof(r->ahead[0]));
	} else if (n > 0) {
		off_t at = (off_t)((r->next - KEPT) * sizeof(r->ahead[0]));

		if (pread(fileno(s->file), r->ahead, n * sizeof(r->ahead[0]), at) !=
			(ssize_t)(n * sizeof(r->ahead[0]))) {
			return -EIO;
		}
	}
	r->next += n;
	r->n = n;
	r->at = 0;
	return 0;
}

int spool_next(struct spool_reader *r, struct spool_event *ret)
{
	if (r->at == r->n) {
		int rc = fill(r);

		if (rc != 0 || r->n == 0) {
			return rc;
		}
	}
	*ret = r->ahead[r->at++];
	return 1;
}
