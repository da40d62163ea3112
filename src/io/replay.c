/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two passes over a recording: the first finds out what must have been there before, the second
 * gives the ops.
 */
#include "zonelab/replay.h"

#include <errno.h>
#include <string.h>

#include "replay_private.h"

#define ASK_EVERY 16384u

bool zl_patience_ends(const struct zl_patience *p, uint64_t done, uint64_t all)
{
	if (p == NULL) {
		return false;
	}
	if (p->progress != NULL) {
		p->progress(p->user, done, all);
	}
	return p->stop != NULL && p->stop(p->user);
}

/* Takes over what the first pass knows. */
static int learn(struct zl_replay *p, struct follow *s)
{
	size_t n = (size_t)s->nr_cpus * FOLLOW_LISTS;

	p->list = p->mem->realloc(p->mem->user, NULL, n * sizeof(*p->list));
	if (p->list == NULL) {
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		const struct follow_list *l = &s->cpu[i / FOLLOW_LISTS].list[i % FOLLOW_LISTS];

		p->list[i] = (struct start_list){l->initial, l->exact || l->lost, l->touched};
		p->f.demand.lists += l->touched;
		p->f.demand.lists_exact += l->touched && (l->exact || l->lost);
	}
	for (uint32_t i = 0; i < s->nr_before; i++) {
		s->before[i].mt = (uint8_t)follow_type(s, s->before[i].pfn, ZL_MIGRATE_MOVABLE);
	}
	if (s->phase_seen) {
		p->f.phase_ns = s->seen_phase_ns;
	}
	p->f.demand.phase_seen = s->phase_seen;
	p->f.demand.phase_ns = p->f.phase_ns;
	p->f.before = s->before;
	p->f.nr_before = s->nr_before;
	p->f.types = s->types;
	s->before = NULL;
	s->types = (struct block_map){.mem = NULL};
	return 0;
}

static int survey(struct zl_replay *p)
{
	uint64_t all = spool_count(p->r->spool), n = 0;
	struct follow_step step;
	struct spool_event e;
	struct follow s;
	int rc = follow_start(&s, p->r, &p->where, p->mem);

	s.surveying = true;
	spool_start(&p->reader, p->r->spool);
	while (rc == 0 && !p->stopped && (rc = spool_next(&p->reader, &e)) == 1) {
		rc = follow_event(&s, &e);
		while (follow_step(&s, &step)) {
		}
		p->stopped = ++n % ASK_EVERY == 0 && zl_patience_ends(p->patience, n, all * 2);
	}
	rc = rc != 0 ? rc : follow_end(&s);
	rc = rc != 0 ? rc : learn(p, &s);
	follow_done(&s);
	return rc;
}

static int begin(struct zl_replay *p)
{
	int rc = follow_start(&p->f, p->r, &p->where, p->mem);

	if (rc == 0 && !p->f.exported) {
		rc = survey(p);
		rc = rc != 0 ? rc : replay_start_ops(p);
		p->f.nr_before = 0;
		/* Ids of the blocks from before and of those held stay theirs. */
		for (size_t i = 0; rc == 0 && i < (size_t)p->f.nr_cpus * FOLLOW_LISTS; i++) {
			p->f.cpu[i / FOLLOW_LISTS].list[i % FOLLOW_LISTS].sure = p->list[i].exact;
		}
	}
	spool_start(&p->reader, p->r->spool);
	return rc;
}

static int refuse(int rc, struct zl_error *err)
{
	if (err == NULL || err->text[0] != '\0') {
		return rc;
	}
	if (rc == -E2BIG) {
		zl_error_set(err, 0, 0, "more than %U blocks in use at once; a shorter trace",
			ZL_REPLAY_BLOCKS_MAX);
	} else if (rc == -EIO) {
		zl_error_set(err, 0, 0, "the temporary file cannot be read; is there room for it?");
	} else if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for this replay; a shorter trace may fit");
	}
	return rc;
}

int zl_replay_new(const struct zl_recording *r, const struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay **ret, struct zl_error *err)
{
	struct zl_replay *p = r->mem->realloc(r->mem->user, NULL, sizeof(*p));
	int rc;

	if (p == NULL) {
		return refuse(-ENOMEM, err);
	}
	memset(p, 0, sizeof(*p));
	p->mem = r->mem;
	p->r = r;
	p->where = *where;
	p->patience = patience;
	rc = zl_sim_config_check(&where->config, err);
	rc = rc != 0 ? rc : begin(p);
	if (rc != 0) {
		zl_replay_free(p);
		return refuse(rc, err);
	}
	*ret = p;
	return 0;
}

void zl_replay_free(struct zl_replay *p)
{
	if (p != NULL) {
		follow_done(&p->f);
		p->mem->free(p->mem->user, p->start);
		p->mem->free(p->mem->user, p->list);
		p->mem->free(p->mem->user, p);
	}
}

int replay_step(struct zl_replay *p, struct follow_step *ret, bool *ret_start)
{
	uint64_t all = spool_count(p->r->spool);

	*ret_start = p->start_at < p->nr_start;
	if (*ret_start) {
		memset(ret, 0, sizeof(*ret));
		ret->kind = FOLLOW_OP;
		ret->op = p->start[p->start_at++];
		return 1;
	}
	while (!follow_step(&p->f, ret)) {
		struct spool_event e;
		int rc;

		if (p->ended) {
			return 0;
		}
		if (p->stopped || (++p->read % ASK_EVERY == 0 &&
					  zl_patience_ends(p->patience, all + p->read, all * 2))) {
			p->stopped = true;
			return 0;
		}
		rc = spool_next(&p->reader, &e);
		if (rc == 1) {
			rc = follow_event(&p->f, &e);
		} else if (rc == 0) {
			p->ended = true;
			rc = follow_end(&p->f);
		}
		if (rc < 0) {
			return rc;
		}
	}
	return 1;
}

int zl_replay_next(
	struct zl_replay *p, struct zl_op *ret, struct zl_replay_at *ret_at, struct zl_error *err)
{
	struct follow_step s;
	bool start;
	int rc;

	do {
		rc = replay_step(p, &s, &start);
	} while (rc == 1 && s.kind != FOLLOW_OP);
	if (rc == 1) {
		*ret = s.op;
		if (ret_at != NULL) {
			*ret_at = (struct zl_replay_at){.line = s.line,
				.cpu = s.cpu,
				.t_ns = s.time_ns > p->r->first_ns ? s.time_ns - p->r->first_ns
								   : 0};
		}
	}
	return rc < 0 ? refuse(rc, err) : rc;
}

uint64_t zl_replay_start_ops(const struct zl_replay *p)
{
	return p->nr_start;
}

void zl_replay_config(const struct zl_recording *r, struct zl_sim_config *c)
{
	c->cpus = c->cpus < r->cpus ? r->cpus : c->cpus;
}
