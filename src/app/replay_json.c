/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `replay` as JSON. */

#include "commands.h"
#include "compare_report.h"
#include "estimate_report.h"
#include "replay_report.h"
#include "run_report.h"
#include "zonelab/text.h"

static void tally_json(struct zl_json *o, const char *key, const struct zl_replay_tally *t)
{
	static const char *const judged[ZL_JUDGED_COUNT] = {
		"same", "near", "only_trace", "only_model", "unknown"};
	struct zl_json *y = zl_json_add_object(o, key);

	zl_json_add_u64(y, "trace", t->seen);
	zl_json_add_u64(y, "model", t->predicted);
	zl_json_add_u64(y, "trace_size", t->seen_size);
	zl_json_add_u64(y, "model_size", t->predicted_size);
	for (unsigned j = 0; j < ZL_JUDGED_COUNT; j++) {
		zl_json_add_u64(y, judged[j], t->judged[j]);
	}
}

static void cpus_json(const struct replay_job *j, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "cpus");

	for (unsigned i = 0; i < j->result.cpus; i++) {
		const struct zl_replay_cpu *c = &j->result.cpu[i];
		struct zl_json *cpu, *first;

		if (!c->used) {
			continue;
		}
		cpu = zl_json_push_object(list);
		zl_json_add_u64(cpu, "cpu", i);
		zl_json_add_u64(cpu, "ops", c->ops);
		tally_json(cpu, "refills", &c->refill);
		tally_json(cpu, "drains", &c->drain);
		zl_json_add_u64(cpu, "pages_drained_alone", c->drains_alone);
		if (c->first_drain.line == 0) {
			zl_json_add_null(cpu, "first_drain");
			continue;
		}
		first = zl_json_add_object(cpu, "first_drain");
		zl_json_add_u64(first, "line", c->first_drain.line);
		zl_json_add_u64(first, "order", c->first_drain.order);
		zl_json_add_u64(first, "frees", c->first_drain.frees);
		zl_json_add_u64(first, "pages_before", c->first_drain.pages_before);
		zl_json_add_u64(first, "pages", c->first_drain.pages);
		zl_json_add_bool(first, "predicted", c->first_drain.predicted);
		zl_json_add_bool(first, "free_high", c->first_drain.free_high);
	}
}

static void unexplained_json(const struct zl_replay_result *r, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "unexplained");

	for (uint64_t i = 0; i < r->nr_unexplained && i < ZL_REPLAY_LISTED; i++) {
		const struct zl_unexplained *u = &r->unexplained[i];
		struct zl_json *e = zl_json_push_object(list);

		zl_json_add_u64(e, "line", u->line);
		zl_json_add_u64(e, "time_ns", u->time_ns);
		zl_json_add_u64(e, "cpu", u->cpu);
		zl_json_add_string(e, "what", u->drain ? "drain" : "refill");
		zl_json_add_string(e, "verdict", zl_judged_name(u->judged));
		zl_json_add_u64(e, "order", u->order);
		zl_json_add_u64(e, "migratetype", u->mt);
		zl_json_add_u64(e, "trace", u->seen);
		zl_json_add_u64(e, "model", u->predicted);
		zl_json_add_string(e, "why", u->why);
	}
}

static void import_json(const struct zl_import_file *f, struct zl_json *o)
{
	struct zl_json *i = zl_json_add_object(o, "import");
	struct zl_json *list;

	zl_json_add_u64(i, "lines", f->lines);
	zl_json_add_u64(i, "used", f->used);
	zl_json_add_u64(i, "counted", f->counted);
	zl_json_add_u64(i, "not_understood", f->not_understood);
	list = zl_json_add_array(i, "tallies");
	for (size_t k = 0; k < f->nr_tallies; k++) {
		struct zl_json *t = zl_json_push_object(list);

		zl_json_add_string(t, "what", f->tally[k].what);
		zl_json_add_u64(t, "lines", f->tally[k].lines);
	}
	list = zl_json_add_array(i, "complaints");
	for (size_t k = 0; k < f->nr_complaints; k++) {
		struct zl_json *t = zl_json_push_object(list);

		zl_json_add_u64(t, "line", f->complaint[k].line);
		zl_json_add_u64(t, "column", f->complaint[k].column);
		zl_json_add_string(t, "text", f->complaint[k].text);
	}
}

static void add_sentence(void *user, const char *s)
{
	zl_json_push_string(user, s);
}

static void demand_json(const struct replay_job *j, struct zl_json *o)
{
	const struct zl_replay_demand *d = &j->result.demand;
	struct zl_json *e = zl_json_add_object(o, "demand");

	zl_json_add_u64(e, "before", d->before);
	zl_json_add_u64(e, "failed", d->failed);
	zl_json_add_u64(e, "unseen_takes", d->unseen_takes);
	zl_json_add_u64(e, "blocks_refilled", d->refilled);
	zl_json_add_u64(e, "open_refills", d->open_refills);
	zl_json_add_u64(e, "blocks_drained", d->drained);
	zl_json_add_u64(e, "drained_unused", d->drained_unused);
	zl_json_add_u64(e, "unseen_refills", d->unseen_refills);
	zl_json_add_u64(e, "unseen_frees", d->unseen_frees);
	zl_json_add_u64(e, "moved", d->moved);
	zl_json_add_u64(e, "drains_alone", d->drains_alone);
	zl_json_add_u64(e, "ticks", d->ticks);
	zl_json_add_u64(e, "ticks_phase_ns", d->phase_ns);
	zl_json_add_string(e, "ticks_phase_from",
		d->phase_seen	       ? "kworker"
		: j->where.phase_given ? "tried"
				       : "first event");
	zl_json_add_u64(e, "elsewhere", j->elsewhere);
	zl_json_add_u64(e, "lost_events", j->recording->lost);
	zl_json_add_u64(e, "events_backwards", j->recording->backwards);
	zl_json_add_u64(e, "unrecorded", d->unrecorded);
	zl_json_add_string(e, "counting_rule",
		d->unrecorded > 0  ? "none"
		: d->refill_events ? "mm_page_pcpu_refill"
				   : "mm_page_alloc_zone_locked");
}

/* Events of each zone, and which one was replayed. */
static void zones_json(const struct replay_job *j, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "zones");

	for (size_t i = 0; i < j->machine.nr_zones; i++) {
		const struct zl_zone *z = &j->machine.zones[i];

		if (i == j->zone || j->events[i] > 0) {
			struct zl_json *e = zl_json_push_object(list);

			zl_json_add_u64(e, "node", z->node);
			zl_json_add_string(e, "zone", z->name);
			zl_json_add_u64(e, "events", i == j->zone ? j->in_zone : j->events[i]);
			zl_json_add_bool(e, "judged", i == j->zone);
		}
	}
}

static void lanes_json(const struct replay_job *j, const struct replay_lanes *l, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "lanes");
	struct zl_buf note = {0};

	for (unsigned i = 0; i < l->n; i++) {
		const struct compare_lane *c = &l->comparison->lane[i];
		struct zl_json *lane = zl_json_push_object(list);
		struct zl_estimate_result estimate;
		struct zl_json *totals;
		char digest[24];

		digest_text(zl_sim_digest(comparison_sim(l->comparison, i)), digest);
		zl_json_add_string(lane, "name", l->spec[i].name);
		zl_json_add_string(lane, "design", zl_design_name(l->config[i].switches.design));
		zl_json_add_u64(lane, "batch", (uint64_t)c->limits.batch);
		zl_json_add_u64(lane, "refused", c->refused);
		zl_json_add_string(lane, "digest", digest);
		zl_estimate_result(c->estimate, &estimate);
		estimate_json(&estimate, &c->costs, zl_json_add_object(lane, "estimate"));
		zl_buf_clear(&note);
		if (i > 0 && replay_demand_note(j, l, i, &note)) {
			zl_json_add_text(lane, "demand_note", &note);
		} else {
			zl_json_add_null(lane, "demand_note");
		}
		totals = zl_json_add_object(lane, "totals");
		for (size_t k = 0; k < l->nr_totals; k++) {
			compare_value_json(totals, l->total[k].name, l->total[k].value[i]);
		}
	}
	zl_buf_done(&note);
}

void replay_answer_json(
	const struct replay_job *j, const struct replay_lanes *l, struct output *out)
{
	const struct zl_replay_result *r = &j->result;
	struct zl_json *o = output_json(out, "replay");
	struct zl_json *f;
	char digest[24];

	digest_text(r->digest, digest);
	zl_json_add_string(o, "trace", j->name);
	zl_json_add_string(o, "zone", j->zone_name);
	zl_json_add_string(o, "kernel", j->kernel);
	zl_json_add_string(o, "design", zl_design_name(j->where.config.switches.design));
	zl_json_add_u64(o, "ops", r->ops - r->start_ops);
	zl_json_add_u64(o, "start_ops", r->start_ops);
	zl_json_add_bool(o, "complete", r->complete && (l == NULL || l->complete));
	zl_json_add_string(o, "digest", digest);
	f = zl_json_add_object(o, "fidelity");
	if (r->judged > 0) {
		zl_json_add_u64(f, "score", r->score);
	} else {
		zl_json_add_null(f, "score");
	}
	zl_json_add_u64(f, "judged", r->judged);
	zl_json_add_u64(f, "not_explained", r->nr_unexplained);
	tally_json(f, "refills", &r->refill);
	tally_json(f, "drains", &r->drain);
	cpus_json(j, f);
	unexplained_json(r, f);
	replay_assumptions(j, add_sentence, zl_json_add_array(f, "assumptions"));
	demand_json(j, o);
	zones_json(j, o);
	import_json(&j->recording->report, o);
	if (l != NULL) {
		lanes_json(j, l, o);
		compare_json_divergence(l->comparison, o);
		zl_json_add_u64(o, "first_divergence_line", l->first_line);
	}
	json_add_diags(o, &j->diags);
}
