/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searching a run: the next or previous op whose line has a text in it, as "free o3",
 * "0x160", "cpu12" or "flush".
 */

#include "pagesets.h"
#include "timeline_private.h"
#include "ui.h"
#include "zonelab/text.h"

#define CHUNK 2048u /* ops that are replayed at once on the way back */
#define LINE  160

/* "cpu1 free o3 U 0x160 flush 368 pages refill" */
static void line_of(const struct zl_record *r, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_fmt(&t, "cpu%u %s", r->cpu, zl_op_kind_name((enum zl_op_kind)r->op.kind));
	if (r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_FREE) {
		zl_text_fmt(&t, " o%u %c", r->order, zl_migratetype_letter(r->mt));
		if (r->pfn >= 0) {
			zl_text_fmt(&t, " %x", (uint64_t)r->pfn);
		}
	}
	if (r->drained > 0) {
		zl_text_fmt(&t, " %s %u page%s", r->free_high ? "flush" : "drain", r->drained,
			r->drained == 1 ? "" : "s");
	}
	zl_text_str(&t, r->refills > 0 ? " refill" : "");
	zl_text_str(&t, r->fallbacks > 0 ? " fallback" : "");
	zl_text_str(&t, r->result == ZL_RESULT_FAIL ? " failed" : "");
}

static bool matches(const struct zl_sim *sim, const char *what)
{
	struct zl_record r;
	char line[LINE];

	zl_sim_record(sim, &r);
	line_of(&r, line, sizeof(line));
	return ui_contains(line, what);
}

/* What is looked for, and what came of it. */
struct search {
	const char *what;
	bool first;	/* the first match, else the last */
	bool no_memory; /* it ended early */
};

/* A match among the ops (from, to]. TIMELINE_NO_OP = none. */
static uint64_t look(struct timeline *t, uint64_t from, uint64_t to, struct search *s)
{
	uint64_t found = TIMELINE_NO_OP;
	struct zl_sim *sim = NULL;
	struct zl_op op;

	if (timeline_state(t, from, &sim) < 0) {
		s->no_memory = true;
		return TIMELINE_NO_OP;
	}
	for (uint64_t i = from; i < to && !(s->first && found != TIMELINE_NO_OP); i++) {
		oplog_read(&t->log, i, 1, &op);
		if (zl_sim_apply(sim, &op) < 0) {
			s->no_memory = true;
			break;
		}
		found = matches(sim, s->what) ? i + 1 : found;
	}
	zl_sim_free(sim);
	return found;
}

bool pagesets_search(struct app *app, int direction)
{
	struct timeline *t = pagesets_timeline(app);
	struct search s = {.what = app->search, .first = direction > 0};
	uint64_t op = TIMELINE_NO_OP;

	if (direction > 0) {
		op = look(t, t->at, t->known, &s);
	}
	for (uint64_t end = t->at > 0 ? t->at - 1 : 0;
		direction < 0 && end > 0 && op == TIMELINE_NO_OP && !s.no_memory;) {
		uint64_t from = end > CHUNK ? end - CHUNK : 0;
		op = look(t, from, end, &s);
		end = from;
	}
	if (s.no_memory) {
		app_say(app, VALUE_NONE, "Error: no memory to search");
		return true;
	}
	if (op == TIMELINE_NO_OP) {
		return false;
	}
	pagesets_play(app, false);
	(void)pagesets_seek(app, op);
	return true;
}
