/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_feed.h"

#include <errno.h>
#include <string.h>

#define CHUNK	    256u
#define COUNT_MAX   UINT64_C(1000000)
#define FIRST_NOTES 16u

struct feed {
	const struct zl_allocator *mem;
	const struct zl_scenario *scenario;
	struct zl_scenario own; /* what `scenario` points to when the feed took it over */
	struct zl_expand *expand;
	struct zl_scenario_op op[CHUNK];
	size_t at, n;
	uint64_t given; /* ops so far */
	struct run_notes *notes;
};

void run_notes_done(struct run_notes *notes)
{
	if (notes->mem != NULL) {
		notes->mem->free(notes->mem->user, notes->note);
	}
	memset(notes, 0, sizeof(*notes));
}

void scenario_feed_note(struct op_feed *feed, struct run_notes *notes)
{
	struct feed *f = feed->user;

	notes->mem = f->mem;
	f->notes = notes;
}

/* Without memory the run goes on without the note. */
static void add_note(struct feed *f, const struct zl_scenario_op *item)
{
	struct run_notes *notes = f->notes;

	if (notes == NULL) {
		return;
	}
	if (notes->n == notes->max) {
		size_t max = notes->max == 0 ? FIRST_NOTES : notes->max * 2;
		struct run_note *more =
			f->mem->realloc(f->mem->user, notes->note, max * sizeof(*more));
		if (more == NULL) {
			return;
		}
		notes->note = more;
		notes->max = max;
	}
	notes->note[notes->n++] =
		(struct run_note){.op = f->given, .caption = item->caption, .stop = item->stop};
}

static int next_item(struct feed *f, struct zl_scenario_op *ret, struct zl_error *err)
{
	if (f->at == f->n) {
		int rc = zl_expand_read(f->expand, f->op, CHUNK, &f->n, err);

		f->at = 0;
		if (rc != 0 || f->n == 0) {
			f->n = 0;
			return rc;
		}
	}
	*ret = f->op[f->at++];
	f->given++;
	if (ret->caption != ZL_NONE || ret->stop != ZL_NONE) {
		add_note(f, ret);
	}
	return 1;
}

static int feed_item(void *user, struct zl_scenario_op *ret, struct zl_error *err)
{
	return next_item(user, ret, err);
}

static int feed_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct zl_scenario_op item;
	int rc = next_item(user, &item, err);

	if (rc > 0) {
		*ret = item.op;
	}
	return rc;
}

/* What is expanded already, up to an op that has a note. */
static size_t feed_many(void *user, struct zl_op *ret, size_t max)
{
	struct feed *f = user;
	size_t n = 0;

	while (n < max && f->at < f->n && f->op[f->at].caption == ZL_NONE &&
		f->op[f->at].stop == ZL_NONE) {
		ret[n++] = f->op[f->at++].op;
	}
	f->given += n;
	return n;
}

static void feed_done(void *user)
{
	struct feed *f = user;

	zl_expand_free(f->expand);
	zl_scenario_done(&f->own);
	f->mem->free(f->mem->user, f);
}

/* Ops of the whole run; 0 for very many, and for a run that stops in the middle. */
static uint64_t count_ops(struct feed *f, const struct zl_expand_options *options)
{
	struct zl_expand *e = NULL;
	uint64_t count = 0;
	size_t n = 1;
	int rc = zl_expand_new(f->scenario, options, f->mem, &e, NULL);

	while (rc == 0 && n > 0 && count <= COUNT_MAX) {
		rc = zl_expand_read(e, f->op, CHUNK, &n, NULL);
		count += n;
	}
	zl_expand_free(e);
	return rc == 0 && count <= COUNT_MAX ? count : 0;
}

static int start(struct feed *f, const struct zl_expand_options *options, struct op_feed *ret,
	struct zl_error *err)
{
	int rc = zl_expand_new(f->scenario, options, f->mem, &f->expand, err);

	if (rc != 0) {
		feed_done(f);
		return rc;
	}
	*ret = (struct op_feed){.next = feed_next,
		.many = feed_many,
		.next_item = feed_item,
		.done = feed_done,
		.user = f,
		.total = count_ops(f, options)};
	return 0;
}

static struct feed *new_feed(const struct zl_allocator *mem, struct zl_error *err)
{
	struct feed *f = mem->realloc(mem->user, NULL, sizeof(*f));

	if (f == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return NULL;
	}
	memset(f, 0, sizeof(*f));
	f->mem = mem;
	return f;
}

int scenario_feed_of(const struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct op_feed *ret, struct zl_error *err)
{
	struct feed *f = new_feed(mem, err);

	if (f == NULL) {
		return -ENOMEM;
	}
	f->scenario = s;
	return start(f, options, ret, err);
}

int scenario_feed(struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct op_feed *ret, struct zl_error *err)
{
	struct feed *f = new_feed(mem, err);

	if (f == NULL) {
		zl_scenario_done(s);
		return -ENOMEM;
	}
	f->own = *s;
	f->scenario = &f->own;
	memset(s, 0, sizeof(*s));
	return start(f, options, ret, err);
}
