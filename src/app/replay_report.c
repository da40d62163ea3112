/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_report.h"

#include <string.h>

#include "commands.h"
#include "compare_report.h"
#include "run_report.h"
#include "table.h"
#include "zonelab/text.h"

#define SENTENCE 320
#define MS_NS	 UINT64_C(1000000)
#define US_NS	 UINT64_C(1000)
#define PERMILLE 1000u
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t both(const struct zl_replay_result *r, enum zl_judged j)
{
	return r->refill.judged[j] + r->drain.judged[j];
}

size_t replay_fidelity(const struct zl_replay_result *r, char *buf, size_t size)
{
	uint64_t unknown = both(r, ZL_JUDGED_UNKNOWN);

	uint64_t near = both(r, ZL_JUDGED_NEAR);

	if (r->judged == 0) {
		return zl_format(buf, size, "nothing in it can be judged (%N not known)", unknown);
	}
	if (near > 0) {
		return zl_format(buf, size,
			"%u of 1000, %u with near ones (%N refills and drains judged, %N "
			"not known)",
			r->score, (unsigned)(r->score + near * PERMILLE / r->judged), r->judged,
			unknown);
	}
	return zl_format(buf, size, "%u of 1000 (%N refills and drains judged, %N not known)",
		r->score, r->judged, unknown);
}

static void say_start(const struct replay_job *j, void (*say)(void *, const char *), void *user)
{
	const struct zl_replay_demand *d = &j->result.demand;
	char s[SENTENCE];

	zl_format(s, sizeof(s),
		"Start: %N page%s on pagesets counted back from the trace%s; %u of the %u lists "
		"that "
		"it touches are known exactly.",
		d->parked_known, d->parked_known == 1 ? "" : "s",
		j->where.nr_pcp > 0 ? "" : " (no zoneinfo from before it)", d->lists_exact,
		d->lists);
	say(user, s);
	if (j->where.nr_pcp > 0) {
		zl_format(s, sizeof(s), "zoneinfo shows %N pages there; taken from %s.",
			d->parked_shown, zl_parked_name(j->where.parked));
		say(user, s);
	}
	if (d->before > 0) {
		zl_format(s, sizeof(s),
			"%N blocks are freed whose allocation was before the trace; the replay "
			"starts with them in use.",
			d->before);
		say(user, s);
	}
}

/* One zone is replayed: which part of the trace that is, and where the rest lies. */
static void say_zones(const struct replay_job *j, void (*say)(void *, const char *), void *user)
{
	const struct zl_machine *m = &j->machine;
	uint64_t rest = j->elsewhere;
	char s[SENTENCE];
	struct zl_text t;

	zl_text_init(&t, s, sizeof(s));
	zl_text_fmt(&t, "Replayed and judged are the %N of %N events in %s; left out are",
		j->in_zone, j->in_zone + j->elsewhere, j->zone_name);
	for (size_t i = 0; i < m->nr_zones; i++) {
		if (i != j->zone && j->events[i] > 0) {
			zl_text_fmt(
				&t, " %u/%s %N,", m->zones[i].node, m->zones[i].name, j->events[i]);
			rest -= j->events[i] < rest ? j->events[i] : rest;
		}
	}
	if (rest > 0) {
		zl_text_fmt(&t, " outside of all zones %N,", rest);
	}
	s[t.len - 1] = ';';
	zl_text_str(&t, " --zone NAME chooses.");
	say(user, s);
}

static void say_machine(const struct replay_job *j, void (*say)(void *, const char *), void *user)
{
	const struct zl_replay_where *w = &j->where;
	char s[SENTENCE];

	if (w->slice_inferred) {
		say(user, "The cache slice is not known; as the trace drains, a flush waits for a "
			  "batch of pages, so it is taken as above three batches (--set "
			  "cache_slice=SIZE says it).");
	} else if (!w->slice_known && w->config.switches.design >= ZL_DESIGN_B) {
		say(user, "The cache slice is not known; a flush is taken not to wait for a batch "
			  "of pages (--set cache_slice=SIZE says it).");
	}
	if (j->machine.zones[j->zone].facts == NULL && !j->recording->marks.exported) {
		zl_format(s, sizeof(s),
			"No zoneinfo: the zone is that of an idealised machine (%N pages, %u "
			"CPU%s), "
			"and all pages of the trace are taken to lie in it.",
			w->config.managed, w->config.cpus, w->config.cpus == 1 ? "" : "s");
		say(user, s);
	}
	if (j->elsewhere > 0) {
		say_zones(j, say, user);
	}
}

/* Who listens to sentences. */
struct listener {
	void (*say)(void *user, const char *s);
	void *user;
};

static void say_count(const struct listener *l, uint64_t n, const char *what)
{
	char s[SENTENCE];

	if (n > 0) {
		zl_format(s, sizeof(s), "%N %s.", n, what);
		l->say(l->user, s);
	}
}

/* When the counters of busy CPUs were refreshed, and so limits lowered. */
static void say_refreshes(const struct replay_job *j, void (*say)(void *, const char *), void *user)
{
	const struct zl_replay_demand *d = &j->result.demand;
	char s[SENTENCE];

	if (d->ticks > 0) {
		zl_format(s, sizeof(s),
			"%N refreshes are inferred from the clock: one a second on CPUs that are "
			"busy, %u ms into it by the trace's clock (%s).",
			d->ticks, (unsigned)(d->phase_ns / MS_NS),
			d->phase_seen	       ? "a kworker's drain shows it"
			: j->where.phase_given ? "which explains most"
					       : "seconds count from the first event");
		say(user, s);
	}
}

static void say_demand(const struct replay_job *j, void (*say)(void *, const char *), void *user)
{
	const struct zl_replay_demand *d = &j->result.demand;
	const struct listener l = {say, user};

	say_count(&l, d->unseen_takes,
		"blocks left a pageset without an event (bulk allocation prints none); they are "
		"replayed as bulk requests");
	say_count(&l, d->open_refills,
		"blocks were refilled for requests that have no event of their own (bulk "
		"allocation)");
	say_count(&l, d->drained_unused,
		"blocks went back that had been refilled in this trace and were not used in "
		"between");
	say_count(&l, d->unseen_refills,
		"blocks came from a list that was empty without a refill in the trace");
	say_count(&l, d->unseen_frees, "blocks are allocated again although no event freed them");
	say_count(&l, d->moved,
		"allocations are reported by another CPU than the one whose pageset they came "
		"from");
	say_count(&l, d->failed, "requests failed on the recorded machine and are no demand");
	say_count(&l, d->drains_alone,
		"drains have no free before them (refresh, reclaim, another CPU); they are "
		"replayed "
		"where they stand");
	say_refreshes(j, say, user);
	say_count(&l, j->recording->lost,
		"events were lost by the recorder; what follows on those CPUs is not judged");
	say_count(&l, j->recording->backwards,
		"events are earlier than one before them; the order of the lines counts, so the "
		"traces of single CPUs are to be merged by time first");
	if (d->unrecorded > 0) {
		say_count(&l, d->unrecorded,
			"pages came from pagesets, more than those can hold, and no "
			"mm_page_alloc_zone_locked is in the trace: when they were refilled is the "
			"model's answer alone");
		return;
	}
	say(user, d->refill_events ? "Refills are counted by mm_page_pcpu_refill."
				   : "Refills are counted by mm_page_alloc_zone_locked with "
				     "percpu_refill=1, which direct allocations of orders 0 to 3 "
				     "print too.");
}

void replay_assumptions(
	const struct replay_job *j, void (*say)(void *user, const char *s), void *user)
{
	if (!j->recording->marks.exported) {
		say_start(j, say, user);
	}
	say_machine(j, say, user);
	if (!j->recording->marks.exported) {
		say_demand(j, say, user);
	} else {
		say(user,
			"The trace was written by a run: its start is known, and ops that have no "
			"event stand in it as marks.");
	}
	if (j->result.extfrag_seen + j->result.extfrag_model > 0) {
		char s[SENTENCE];

		zl_format(s, sizeof(s),
			"mm_page_alloc_extfrag: %N in the trace, %N in the model; not judged, "
			"since "
			"the free lists before the trace are not known.",
			j->result.extfrag_seen, j->result.extfrag_model);
		say(user, s);
	}
}

static void tally_row(
	struct table *t, const char *cpu, const char *what, const struct zl_replay_tally *y)
{
	table_text(t, cpu);
	table_text(t, what);
	table_number(t, y->seen);
	table_number(t, y->predicted);
	table_number(t, y->seen_size);
	table_number(t, y->predicted_size);
	for (unsigned j = 0; j < ZL_JUDGED_COUNT; j++) {
		table_number(t, y->judged[j]);
	}
}

static void print_cpus(const struct replay_job *j, struct output *out)
{
	static const struct column columns[] = {
		{"cpu",	"CPU",	       true },
		{"what",	 "",		     false},
		{"trace",	  "trace",	   true },
		{"model",	  "model",	   true },
		{"trace_size", "in the|trace",  true },
		{"model_size", "in the|model",  true },
		{"same",	 "same",		 true },
		{"near",	 "near",		 true },
		{"only_trace", "only in|trace", true },
		{"only_model", "only in|model", true },
		{"unknown",    "not|known",	 true },
	};
	const struct zl_replay_result *r = &j->result;
	bool plain = out->format == FORMAT_CSV;
	struct table t;
	char cpu[16];

	table_init(&t, out, NULL, columns, COUNT(columns));
	table_drop(&t, "trace_size", 2);
	table_drop(&t, "model_size", 2);
	for (unsigned i = 0; i < r->cpus; i++) {
		const struct zl_replay_cpu *c = &r->cpu[i];

		zl_format(cpu, sizeof(cpu), "%u", i);
		if (c->used && (plain || c->refill.seen + c->refill.predicted > 0)) {
			tally_row(&t, cpu, plain ? "refills" : "refills (blocks)", &c->refill);
		}
		if (c->used && (plain || c->drain.seen + c->drain.predicted > 0)) {
			tally_row(&t, cpu, plain ? "drains" : "drains (pages)", &c->drain);
		}
	}
	if (t.nr_cells > 0) {
		table_print(&t);
	} else if (!plain) {
		zl_buf_str(&out->text, "Nothing was refilled or drained.\n");
	}
	if (t.nr_cells == 0) {
		zl_buf_done(&t.cells);
	}
}

static void print_unexplained(const struct replay_job *j, struct output *out)
{
	const struct zl_replay_result *r = &j->result;
	uint64_t shown =
		r->nr_unexplained < ZL_REPLAY_LISTED ? r->nr_unexplained : ZL_REPLAY_LISTED;
	char s[SENTENCE * 2];

	if (r->nr_unexplained == 0) {
		return;
	}
	uint64_t near = both(r, ZL_JUDGED_NEAR);

	zl_buf_fmt(&out->text, "\n%N not the same", r->nr_unexplained);
	zl_buf_fmt(&out->text, near > 0 ? ", of which %N near:\n" : ":\n", near);
	for (uint64_t i = 0; i < shown; i++) {
		const struct zl_unexplained *u = &r->unexplained[i];

		zl_format(s, sizeof(s),
			"  line %u, +%U.%U%U%U ms, CPU %u: %s, order %u %c: %N %s in the trace, %N "
			"in the model; %s",
			u->line, u->time_ns / MS_NS, u->time_ns / US_NS % 1000 / 100,
			u->time_ns / US_NS % 100 / 10, u->time_ns / US_NS % 10, u->cpu,
			u->drain ? "drain" : "refill", u->order,
			zl_migratetype_letter((enum zl_migratetype)u->mt), u->seen,
			u->drain ? "pages" : "blocks", u->predicted, u->why);
		output_wrap(out, 4, s);
	}
	if (shown < r->nr_unexplained) {
		zl_buf_fmt(&out->text, "  and %N more\n", r->nr_unexplained - shown);
	}
}

static void wrap_item(void *user, const char *s)
{
	struct output *out = user;
	char item[SENTENCE + 4];

	zl_format(item, sizeof(item), "- %s", s);
	output_wrap(out, 2, item);
}

static void print_first_drains(const struct replay_job *j, struct output *out)
{
	char s[SENTENCE];

	for (unsigned i = 0; i < j->result.cpus; i++) {
		const struct zl_replay_cpu *c = &j->result.cpu[i];

		if (c->first_drain.line == 0) {
			continue;
		}
		zl_format(s, sizeof(s),
			"CPU %u drained first at line %u: free %N of order %u in a row, %N pages "
			"freed before it; %N pages went back%s.",
			i, c->first_drain.line, c->first_drain.frees, c->first_drain.order,
			c->first_drain.pages_before, c->first_drain.pages,
			c->first_drain.free_high ? " (free_high)" : "");
		output_wrap(out, 2, s);
	}
}

static void print_import(const struct replay_job *j, struct output *out)
{
	const struct zl_import_file *f = &j->recording->report;
	char s[SENTENCE];

	size_t n = zl_format(s, sizeof(s), "Import: ");

	zl_import_summary(f, s + n, sizeof(s) - n);
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, 2, s);
	for (size_t i = 0; i < f->nr_tallies; i++) {
		zl_buf_fmt(&out->text, "  %N %s\n", (uint64_t)f->tally[i].lines, f->tally[i].what);
	}
	for (size_t i = 0; i < f->nr_complaints; i++) {
		const struct zl_import_complaint *c = &f->complaint[i];

		zl_format(s, sizeof(s), "  line %u:%u: %s: \"%s\"", c->line, c->column, c->text,
			c->shown);
		output_wrap(out, 4, s);
	}
	if (f->nr_complaints < f->not_understood) {
		zl_buf_fmt(&out->text, "  and %N more lines\n",
			(uint64_t)f->not_understood - f->nr_complaints);
	}
}

void replay_report_text(const struct replay_job *j, struct output *out)
{
	const struct zl_replay_result *r = &j->result;
	char s[SENTENCE], fidelity[SENTENCE / 2];
	char digest[24];

	zl_format(s, sizeof(s), "%s on %s, %s (design %s): %N ops of %N CPU%s in %N ms%s", j->name,
		j->zone_name, j->kernel, zl_design_name(j->where.config.switches.design),
		r->ops - r->start_ops, (uint64_t)j->recording->nr_cpus,
		j->recording->nr_cpus == 1 ? "" : "s",
		(j->recording->last_ns - j->recording->first_ns) / MS_NS,
		r->complete ? "" : "; interrupted, the rest is missing");
	output_wrap(out, 2, s);
	replay_fidelity(r, fidelity, sizeof(fidelity));
	zl_format(s, sizeof(s), "Fidelity: %s.", fidelity);
	zl_buf_str(&out->text, "\n");
	output_wrap(out, 2, s);
	zl_buf_str(&out->text, "\n");
	print_cpus(j, out);
	print_first_drains(j, out);
	print_unexplained(j, out);
	zl_buf_str(&out->text, "\nWhat this rests on:\n");
	replay_assumptions(j, wrap_item, out);
	print_import(j, out);
	digest_text(r->digest, digest);
	zl_buf_fmt(&out->text, "Digest %s.\n", digest);
	output_diags(out, &j->diags);
}

static bool changed(const struct replay_job *j, const struct replay_lanes *l, unsigned lane,
	enum zl_setting key)
{
	const struct zl_setting_value *a = &j->profile.settings.value[key];
	const struct zl_setting_value *b = &l->profile[lane].settings.value[key];

	return b->given && (!a->given || a->number != b->number || strcmp(a->text, b->text) != 0);
}

bool replay_demand_note(
	const struct replay_job *j, const struct replay_lanes *l, unsigned lane, struct zl_buf *ret)
{
	const struct zl_sim_config *a = &l->config[0], *b = &l->config[lane];
	size_t before = ret->len;

	if (a->page_shift != b->page_shift) {
		zl_buf_fmt(ret,
			"%s: with pages of %Z instead of %Z the programs and the kernel would ask "
			"for "
			"other numbers and orders of pages; here the same requests are made, and "
			"as "
			"many pages are in use at the start. ",
			l->spec[lane].name, UINT64_C(1) << b->page_shift,
			UINT64_C(1) << a->page_shift);
	}
	if (changed(j, l, lane, ZL_SET_KERNEL)) {
		zl_buf_fmt(ret,
			"%s: another release asks for other orders too (folios, slabs) and batches "
			"frees otherwise; here the recorded requests are made. ",
			l->spec[lane].name);
	}
	if (a->thp != b->thp || changed(j, l, lane, ZL_SET_THP_ENABLED)) {
		zl_buf_fmt(ret,
			"%s: with other huge pages there would be other requests; here the "
			"recorded "
			"ones are made. ",
			l->spec[lane].name);
	}
	return ret->len > before;
}

static void print_lane_heads(const struct replay_lanes *l, struct output *out)
{
	static const struct column columns[] = {
		{"lane",	 "lane",	 false},
		{"design",	   "design",	     false},
		{"batch",	  "batch",	   true },
		{"high_min",  "high_min",	 true },
		{"threshold", "threshold",	   true },
		{"refused",   "ops|refused",  true },
		{"items",	  "what differs", false},
	};
	char items[LANE_TEXT];
	struct table t;

	table_init(&t, out, NULL, columns, COUNT(columns));
	for (unsigned i = 0; i < l->n; i++) {
		const struct compare_lane *c = &l->comparison->lane[i];
		size_t skip = i > 0 ? strlen(l->spec[i].name) + 1 : 0;

		items[0] = '\0';
		if (i > 0) {
			(void)lane_format(&l->spec[i], items, sizeof(items));
		}
		table_text(&t, l->spec[i].name);
		table_text(&t, zl_design_name(l->config[i].switches.design));
		table_number(&t, (uint64_t)c->limits.batch);
		table_number(&t, (uint64_t)(c->limits.tuned ? c->limits.high_min : c->limits.high));
		if (c->limits.threshold_exists) {
			table_number(&t, (uint64_t)c->limits.threshold);
		} else {
			table_none(&t);
		}
		table_number(&t, c->refused);
		table_text(&t, i == 0 ? "as recorded" : items + skip);
	}
	table_print(&t);
}

static void value_cell(struct table *t, const struct compare_total *r, unsigned lane, bool plain)
{
	char v[48], relative[24], both[80];

	if (plain) {
		compare_value_csv(r->value[lane], both, sizeof(both));
	} else {
		compare_value(r->form, r->value[lane], v, sizeof(v));
		compare_relative(r->value[0], r->value[lane], relative, sizeof(relative));
		/* Shares are compared by the eye. */
		bool alone = lane == 0 || relative[0] == '\0' || r->form == COMPARE_PERMILLE;

		zl_format(both, sizeof(both), alone ? "%s" : "%s (%s)", v, relative);
	}
	table_text(t, both);
}

static void print_lane_totals(const struct replay_lanes *l, struct output *out)
{
	struct column columns[COMPARE_LANES + 1];
	bool plain = out->format == FORMAT_CSV;
	struct table t;
	bool any = false;

	columns[0] = (struct column){"total", "", false};
	for (unsigned i = 0; i < l->n; i++) {
		columns[i + 1] = (struct column){l->spec[i].name, l->spec[i].name, true};
	}
	table_init(&t, out, NULL, columns, l->n + 1);
	for (size_t i = 0; i < l->nr_totals; i++) {
		if (!plain && l->total[i].same) {
			continue;
		}
		any = true;
		table_text(&t, l->total[i].name);
		for (unsigned k = 0; k < l->n; k++) {
			value_cell(&t, &l->total[i], k, plain);
		}
	}
	if (any) {
		table_print(&t);
		return;
	}
	zl_buf_done(&t.cells);
	if (!plain) {
		zl_buf_str(&out->text, "All totals are the same in all lanes.\n");
	}
}

/* What the rows of the estimate stand on. */
static void print_lane_estimate(
	const struct replay_job *j, const struct replay_lanes *l, struct output *out)
{
	char s[SENTENCE * 2];

	zl_format(s, sizeof(s),
		"relative_throughput (%s is 100 %%), time_lost, lock_held, contended, hold_ns and "
		"wait_ns are the model's estimate, no measurement. Ops stand at their times in the "
		"trace%s.",
		l->spec[0].name,
		j->recording->marks.exported
			? ""
			: ", which hold what the recorded machine waited already");
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, 0, s);
}

static void print_lane_divergence(const struct replay_lanes *l, struct output *out)
{
	zl_buf_chr(&out->text, '\n');
	compare_print_divergence(l->comparison, out);
	if (l->first_line > 0) {
		zl_buf_fmt(&out->text, "  Op %N comes from line %u of the trace.\n",
			l->comparison->first[0].op, l->first_line);
	}
}

void replay_lanes_text(const struct replay_job *j, const struct replay_lanes *l, struct output *out)
{
	struct zl_buf note = {0};

	zl_buf_fmt(&out->text, "\nThe same demand under other rules%s:\n\n",
		l->complete ? "" : " (interrupted)");
	print_lane_heads(l, out);
	zl_buf_chr(&out->text, '\n');
	print_lane_totals(l, out);
	print_lane_estimate(j, l, out);
	print_lane_divergence(l, out);
	for (unsigned i = 1; i < l->n; i++) {
		zl_buf_clear(&note);
		if (replay_demand_note(j, l, i, &note)) {
			output_wrap(out, 2, zl_buf_text(&note));
		}
		if (l->comparison->lane[i].refused > 0) {
			zl_buf_clear(&note);
			zl_buf_fmt(&note,
				"%s: %N ops are not possible there and are left out; the "
				"first: %s",
				l->spec[i].name, l->comparison->lane[i].refused,
				l->comparison->lane[i].refused_why);
			output_wrap(out, 2, zl_buf_text(&note));
		}
		out->text.failed = out->text.failed || note.failed;
	}
	zl_buf_done(&note);
}

void replay_csv(const struct replay_job *j, const struct replay_lanes *l, struct output *out)
{
	if (l != NULL) {
		print_lane_totals(l, out);
	} else {
		print_cpus(j, out);
	}
}
