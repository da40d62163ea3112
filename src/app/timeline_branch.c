/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs made from other runs: branches in mid-run, the same ops in another zone, the ops alone.
 */
#include <errno.h>
#include <string.h>

#include "timeline_private.h"

/* The past of a branch is that of its parent: marks, curve and keyframes before op @op. */
static int copy_past(struct timeline *to, struct timeline *from, uint64_t op)
{
	int rc = curve_copy(&to->curve, &from->curve, op, &to->meter->mem);

	to->distance = from->distance;
	if (rc == 0) {
		rc = marks_copy(&to->marks, &from->marks, op, &to->meter->mem);
	}
	for (size_t i = 0; i < from->nr_keys && from->key[i].op < op && rc == 0; i++) {
		rc = timeline_add_key(to, from->key[i].sim, from->key[i].op, from->key[i].pinned);
	}
	to->known = op;
	return rc;
}

/* The log with an op inserted after op @op. */
static int copy_log(
	struct timeline *to, struct timeline *from, uint64_t op, const struct zl_op *insert)
{
	struct zl_op next;

	/* A feed cannot be copied: what it still has is pulled into the log. */
	int rc = from->complete ? 0 : timeline_pull(from, TIMELINE_OPS_MAX);
	if (rc >= 0) {
		rc = oplog_share(&to->log, &from->log, insert != NULL ? op : from->log.count);
	}
	if (rc < 0 || insert == NULL) {
		return rc;
	}
	rc = oplog_append(&to->log, insert, 1);
	for (uint64_t i = op; i < from->log.count && rc == 0; i++) {
		oplog_read(&from->log, i, 1, &next);
		rc = oplog_append(&to->log, &next, 1);
	}
	return rc;
}

/* The whole run under another configuration, standing where its parent stands. */
static int run_anew(struct timeline *to, const struct timeline *from,
	const struct zl_sim_config *config, struct zl_error *err)
{
	to->config = *config;
	int rc = timeline_start(to, err);
	return rc == 0 ? timeline_seek(to, from->at) : rc;
}

static int part_here(struct timeline *to, struct timeline *from, const struct zl_sim_config *config,
	struct zl_error *err)
{
	int rc = zl_sim_clone(from->sim, &to->ahead);

	if (rc == 0 && config != NULL) {
		rc = zl_sim_retune(to->ahead, config, err);
		if (rc == -EINVAL) {
			zl_sim_free(to->ahead);
			to->ahead = NULL;
			return run_anew(to, from, config, err);
		}
	}
	if (rc == 0) {
		rc = copy_past(to, from, from->at);
	}
	if (rc == 0) {
		rc = timeline_add_key(to, to->ahead, from->at, config != NULL || from->at == 0);
		to->at = from->at;
	}
	if (rc == 0) {
		rc = zl_sim_clone(to->ahead, &to->sim);
	}
	to->base = to->meter->used;
	return rc;
}

int timeline_branch(struct timeline *t, const struct zl_sim_config *config,
	const struct zl_op *insert, struct timeline **ret, struct zl_error *err)
{
	struct timeline *b = timeline_alloc(&t->config, t->meter);

	if (b == NULL) {
		zl_error_set(err, 0, 0, "no memory for a branch");
		return -ENOMEM;
	}
	if (insert != NULL && zl_sim_op_check(t->sim, insert, err) < 0) {
		timeline_free(b);
		return -EINVAL;
	}
	int rc = copy_log(b, t, t->at, insert);
	if (rc >= 0) {
		rc = part_here(b, t, config, err);
	}
	if (rc == 0 && insert != NULL) {
		rc = timeline_seek(b, t->at + 1);
	}
	if (rc < 0) {
		timeline_free(b);
		if (rc == -ENOMEM) {
			zl_error_set(err, 0, 0, "no memory for a branch");
		}
		return rc;
	}
	*ret = b;
	return 0;
}

int timeline_again(struct timeline *t, const struct zl_sim_config *config, struct timeline **ret,
	struct zl_error *err)
{
	struct timeline *b = timeline_alloc(config, t->meter);
	int rc = b == NULL ? -ENOMEM : copy_log(b, t, 0, NULL);

	if (rc >= 0) {
		rc = timeline_start(b, err);
	}
	if (rc < 0) {
		timeline_free(b);
		if (rc == -ENOMEM) {
			zl_error_set(err, 0, 0, "no memory for another run");
		}
		return rc;
	}
	*ret = b;
	return 0;
}

/* ---- its ops for others ---- */

struct log_feed {
	const struct zl_allocator *mem;
	struct oplog log;
	uint64_t index;
};

static int log_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct log_feed *f = user;

	(void)err;
	if (f->index == f->log.count) {
		return 0;
	}
	oplog_read(&f->log, f->index++, 1, ret);
	return 1;
}

static size_t log_many(void *user, struct zl_op *ret, size_t max)
{
	struct log_feed *f = user;
	uint64_t left = f->log.count - f->index;
	size_t n = left < max ? (size_t)left : max;

	oplog_read(&f->log, f->index, n, ret);
	f->index += n;
	return n;
}

static void log_done(void *user)
{
	struct log_feed *f = user;

	oplog_done(&f->log);
	f->mem->free(f->mem->user, f);
}

int timeline_feed(struct timeline *t, const struct zl_allocator *mem, struct op_feed *ret)
{
	struct log_feed *f = mem->realloc(mem->user, NULL, sizeof(*f));
	int rc = t->complete ? 0 : timeline_pull(t, TIMELINE_OPS_MAX);

	if (f == NULL || rc < 0) {
		mem->free(mem->user, f);
		return -ENOMEM;
	}
	memset(f, 0, sizeof(*f));
	f->mem = mem;
	oplog_init(&f->log, &t->meter->mem);
	if (oplog_share(&f->log, &t->log, t->log.count) < 0) {
		log_done(f);
		return -ENOMEM;
	}
	*ret = (struct op_feed){.next = log_next,
		.many = log_many,
		.done = log_done,
		.user = f,
		.total = f->log.count};
	return 0;
}
