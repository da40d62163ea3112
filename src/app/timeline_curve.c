/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summaries of the pagesets' figures over buckets of ops. When there get to be too many entries,
 * neighbouring buckets are joined, so the cost is bounded whatever the length of the run.
 */
#include <errno.h>
#include <string.h>

#include "timeline_private.h"

#define FIRST_SHIFT 6u
#define ENTRIES_MAX ((size_t)1 << 18)

void curve_init(struct timeline_curve *c)
{
	memset(c, 0, sizeof(*c));
	c->shift = FIRST_SHIFT;
}

void curve_done(struct timeline_curve *c, const struct zl_allocator *mem)
{
	mem->free(mem->user, c->start);
	mem->free(mem->user, c->entry);
	curve_init(c);
}

/* @e is later. */
static void join(struct timeline_entry *to, const struct timeline_entry *e)
{
	to->count = e->count;
	to->count_max = e->count_max > to->count_max ? e->count_max : to->count_max;
	to->free_max = e->free_max > to->free_max ? e->free_max : to->free_max;
}

static size_t end_of(const struct timeline_curve *c, size_t bucket)
{
	return bucket + 1 < c->nr_buckets ? c->start[bucket + 1] : c->nr_entries;
}

/* Joins an entry with that of the same CPU among [first, *n), or appends it. */
static void put(
	struct timeline_entry *list, size_t first, size_t *n, const struct timeline_entry *e)
{
	for (size_t i = *n; i > first; i--) {
		if (list[i - 1].cpu == e->cpu) {
			join(&list[i - 1], e);
			return;
		}
	}
	list[(*n)++] = *e;
}

/* Two buckets become one, in place: entries only move to the front. */
static void halve(struct timeline_curve *c)
{
	size_t n = 0, buckets = 0, read = 0;

	for (size_t b = 0; b < c->nr_buckets; b += 2) {
		size_t first = n;
		size_t end = end_of(c, b + 1 < c->nr_buckets ? b + 1 : b);
		for (; read < end; read++) {
			struct timeline_entry e = c->entry[read];
			put(c->entry, first, &n, &e);
		}
		c->start[buckets++] = (uint32_t)first;
	}
	c->nr_buckets = buckets;
	c->nr_entries = n;
	c->shift++;
}

static int room(
	struct timeline_curve *c, size_t buckets, size_t entries, const struct zl_allocator *mem)
{
	void *start = c->start, *entry = c->entry;
	int rc = timeline_grow(&start, &c->max_buckets, buckets, sizeof(*c->start), mem);

	c->start = start;
	if (rc == 0) {
		rc = timeline_grow(&entry, &c->max_entries, entries, sizeof(*c->entry), mem);
		c->entry = entry;
	}
	return rc;
}

/* The bucket of the op before, whose last entry is the CPU that still runs: nearly every op. */
static bool note_again(struct timeline_curve *c, uint64_t op, const struct timeline_entry *e)
{
	struct timeline_entry *last;

	if (c->nr_buckets == 0 || op >> c->shift != c->nr_buckets - 1 ||
		c->nr_entries <= c->start[c->nr_buckets - 1]) {
		return false;
	}
	last = &c->entry[c->nr_entries - 1];
	if (last->cpu != e->cpu) {
		return false;
	}
	join(last, e);
	return true;
}

int curve_note(struct timeline_curve *c, const struct zl_allocator *mem, uint64_t op,
	const struct timeline_entry *e)
{
	if (note_again(c, op, e)) {
		return 0;
	}
	if (c->nr_entries >= ENTRIES_MAX && c->nr_buckets > 1) {
		halve(c);
	}
	size_t bucket = (size_t)(op >> c->shift);
	int rc = room(c, bucket + 1, c->nr_entries + 1, mem);
	if (rc < 0) {
		return rc;
	}
	while (c->nr_buckets <= bucket) {
		c->start[c->nr_buckets++] = (uint32_t)c->nr_entries;
	}
	put(c->entry, c->start[bucket], &c->nr_entries, e);
	return 0;
}

int curve_copy(struct timeline_curve *to, const struct timeline_curve *from, uint64_t op,
	const struct zl_allocator *mem)
{
	size_t buckets = (size_t)(op >> from->shift);
	size_t entries;

	buckets = buckets < from->nr_buckets ? buckets : from->nr_buckets;
	entries = buckets < from->nr_buckets ? from->start[buckets] : from->nr_entries;
	to->shift = from->shift;
	if (buckets == 0) {
		return 0;
	}
	int rc = room(to, buckets, entries + 1, mem);
	if (rc < 0) {
		return rc;
	}
	memcpy(to->start, from->start, buckets * sizeof(*to->start));
	memcpy(to->entry, from->entry, entries * sizeof(*to->entry));
	to->nr_buckets = buckets;
	to->nr_entries = entries;
	return 0;
}

/* ---- cells of a window ---- */

static void cells_clear(struct timeline_window *w)
{
	for (unsigned i = 0; i < w->cells; i++) {
		w->cell[i] = (struct timeline_cell){.count = -1, .free_count = -1};
	}
}

static void cell_raise(struct timeline_cell *c, int32_t count, int32_t free_count)
{
	c->count = count > c->count ? count : c->count;
	c->free_count = free_count > c->free_count ? free_count : c->free_count;
}

static void fill_marks(const struct timeline *t, struct timeline_window *w, uint64_t end)
{
	uint64_t op = marks_find(&t->marks, w->from, 1, UINT8_MAX);

	while (op < end) {
		w->cell[(op - w->from) >> w->zoom].marks |= marks_at(&t->marks, op);
		op = marks_find(&t->marks, op + 1, 1, UINT8_MAX);
	}
}

/* The figures of a CPU that did not run stay as they were. */
static int fill_exact(struct timeline *t, struct timeline_window *w, uint64_t end)
{
	struct zl_sim *sim = NULL;
	struct zl_pageset_view v;
	struct zl_op op;
	int rc = w->from < end ? timeline_state(t, w->from, &sim) : 0;

	if (rc < 0 || sim == NULL) {
		return rc;
	}
	for (uint64_t i = w->from; i < end && rc == 0; i++) {
		if (i > w->from) {
			const struct timeline_keyframe *k = &t->key[timeline_key_before(t, i)];
			if (k->pinned && k->op == i) {
				zl_sim_free(sim);
				sim = NULL;
				rc = timeline_state(t, i, &sim);
			} else {
				oplog_read(&t->log, i - 1, 1, &op);
				rc = zl_sim_apply(sim, &op);
			}
		}
		if (rc == 0) {
			zl_sim_pageset(sim, w->cpu < zl_sim_cpus(sim) ? w->cpu : 0, &v);
			cell_raise(&w->cell[(i - w->from) >> w->zoom], v.count, v.free_count);
		}
	}
	zl_sim_free(sim);
	return rc == -EINVAL ? 0 : rc;
}

static bool bucket_entry(
	const struct timeline_curve *c, size_t b, unsigned cpu, struct timeline_entry *ret)
{
	for (size_t i = c->start[b]; i < end_of(c, b); i++) {
		if (c->entry[i].cpu == cpu) {
			*ret = c->entry[i];
			return true;
		}
	}
	return false;
}

/* From summaries: a bucket without the CPU shows what it had before. */
static void fill_coarse(struct timeline *t, struct timeline_window *w, uint64_t end)
{
	const struct timeline_curve *c = &t->curve;
	size_t first = (size_t)(w->from >> c->shift);
	size_t last = (size_t)((end - 1) >> c->shift);
	struct timeline_entry now = {0};

	for (size_t b = first; b > 0 && !bucket_entry(c, b - 1, w->cpu, &now); b--) {
	}
	for (size_t b = first; b <= last && b < c->nr_buckets; b++) {
		bool ran = bucket_entry(c, b, w->cpu, &now);
		uint64_t op = (uint64_t)b << c->shift;
		uint64_t cell = op > w->from ? (op - w->from) >> w->zoom : 0;
		if (cell < w->cells) {
			cell_raise(&w->cell[cell], ran ? now.count_max : now.count, now.free_max);
		}
	}
}

int timeline_fill(struct timeline *t, struct timeline_window *w)
{
	uint64_t end = w->from + ((uint64_t)w->cells << w->zoom);
	int rc = 0;

	end = end < t->known + 1 ? end : t->known + 1;
	w->known = t->known;
	cells_clear(w);
	if (w->from >= end) {
		return 0;
	}
	fill_marks(t, w, end);
	if (w->zoom >= t->curve.shift) {
		fill_coarse(t, w, end);
	} else {
		rc = fill_exact(t, w, end);
	}
	return rc;
}

void timeline_hide(struct timeline_window *w, uint64_t op)
{
	for (unsigned i = 0; i < w->cells; i++) {
		if (w->from + (((uint64_t)i + 1) << w->zoom) - 1 > op) {
			w->cell[i] = (struct timeline_cell){.count = -1, .free_count = -1};
		}
	}
}
