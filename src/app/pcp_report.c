/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sections of the answer of `pcp` that follow its tables of zones.
 */
#include "pcp_report.h"

#include "commands.h"
#include "table.h"
#include "ways.h"
#include "zonelab/text.h"

#define PER_MILLE 1000

struct parked parked_zone_cpu(const struct zl_zone *z)
{
	struct parked p = {.cpus = 1,
		.at_high_min = z->limits.high_min,
		.at_high_max = z->limits.high_max,
		.wmark_low = z->wmark.low};

	return p;
}

static void add_zone(struct parked *p, const struct zl_zone *z)
{
	p->at_high_min += z->limits.high_min * z->cpus;
	p->at_high_max += z->limits.high_max * z->cpus;
	p->wmark_low += z->wmark.low;
}

struct parked parked_node(const struct zl_machine *m, unsigned node)
{
	struct parked p = {0};

	for (size_t i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].populated && m->zones[i].node == node) {
			add_zone(&p, &m->zones[i]);
			p.cpus = m->zones[i].cpus;
		}
	}
	return p;
}

struct parked parked_machine(const struct zl_machine *m)
{
	struct parked p = {.cpus = m->cpus};

	for (size_t i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].populated) {
			add_zone(&p, &m->zones[i]);
		}
	}
	return p;
}

const char *min_free_winner(const struct zl_machine *m)
{
	if (m->min_free_observed) {
		return "as the file reports it";
	}
	switch (m->min_free.rule) {
	case ZL_MIN_FREE_SQRT:
		return "the square-root term wins";
	case ZL_MIN_FREE_SQRT_LOW:
		return "the square-root term wins, raised to its least value";
	case ZL_MIN_FREE_SQRT_HIGH:
		return "the square-root term wins, held at its largest value";
	case ZL_MIN_FREE_USER:
		return "the user's value stands";
	case ZL_MIN_FREE_THP:
		return "khugepaged's recommendation wins";
	case ZL_MIN_FREE_THP_CAPPED:
		return "khugepaged's recommendation wins, held at its cap";
	case ZL_MIN_FREE_RULE_COUNT:
		break;
	}
	return "";
}

size_t pcp_zone_of_interest(const struct zl_machine *m)
{
	size_t best = m->main_zone;
	bool found = false;

	for (size_t i = 0; i < m->nr_zones && m->pagesets; i++) {
		const struct zl_zone *z = &m->zones[i];

		if (!z->populated || !z->free_high.exists || zl_free_high_can_fire(&z->free_high)) {
			continue;
		}
		if (!found || z->managed > m->zones[best].managed) {
			best = i;
			found = true;
		}
	}
	return best;
}

static bool fixed_high(const struct zl_machine *m)
{
	return m->switches.design <= ZL_DESIGN_A_CAP;
}

/* Name, value, formula with operands; values that do not exist are left out. */
static void add_formulas(
	struct output *out, const struct value_in *in, const enum value_id *ids, size_t n)
{
	static const struct column columns[] = {
		{"name",	 "", false},
		{"value",	  "", true },
		{"formula", "", false},
	};
	const struct zl_machine *m = in->machine;
	bool reported = in->zone < m->nr_zones && m->zones[in->zone].wmark_observed;
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < n; i++) {
		char text[512];
		int64_t v = 0;

		if (!value_get(in, ids[i], &v) || (ids[i] == VALUE_WMARK_DISTANCE && reported)) {
			continue;
		}
		zl_format(text, sizeof(text), "  %s", value_info(ids[i])->name);
		table_text(&t, text);
		value_text(in, ids[i], text, sizeof(text));
		table_text(&t, text);
		formula_text(
			in, ids[i], value_formula(in, ids[i], FORMULA_FULL), text, sizeof(text));
		table_text(&t, text);
	}
	table_print(&t);
}

unsigned min_free_zones(const struct zl_machine *m)
{
	uint64_t block_kib = m->geometry.pageblock_bytes >> 10;
	uint64_t one = ZL_THP_BLOCKS_PER_ZONE * block_kib;
	bool stated = m->min_free_observed || m->min_free.rule == ZL_MIN_FREE_USER;

	if (!stated || one == 0 || m->min_free.kbytes % one != 0 ||
		m->min_free.kbytes / one > ZL_ZONES_MAX) {
		return 0;
	}
	return (unsigned)(m->min_free.kbytes / one);
}

static void add_min_free(struct output *out, const struct value_in *in)
{
	static const enum value_id ids[] = {VALUE_MIN_FREE_SQRT, VALUE_MIN_FREE_THP,
		VALUE_MIN_FREE_THP_CAP, VALUE_MIN_FREE_KBYTES};

	char text[128];

	zl_format(text, sizeof(text), "min_free_kbytes, KiB: %s", min_free_winner(in->machine));
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, 0, text);
	add_formulas(out, in, ids, sizeof(ids) / sizeof(ids[0]));
	unsigned zones = min_free_zones(in->machine);
	if (zones > 0) {
		zl_format(text, sizeof(text),
			"  %N is what khugepaged sets for %u zone%s with pageblocks of %Z.",
			in->machine->min_free.kbytes, zones, zones == 1 ? "" : "s",
			in->machine->geometry.pageblock_bytes);
		output_wrap(out, 2, text);
	}
}

static void add_limits(struct output *out, const struct value_in *in)
{
	static const enum value_id ids[] = {VALUE_WMARK_MIN, VALUE_WMARK_DISTANCE, VALUE_WMARK_LOW,
		VALUE_WMARK_HIGH, VALUE_BATCH, VALUE_HIGH_MIN, VALUE_HIGH_MAX, VALUE_THRESHOLD,
		VALUE_CEILING};
	const struct zl_zone *z = &in->machine->zones[in->zone];

	zl_buf_fmt(&out->text, "\nnode %u %s, pages (`zonelab explain NAME` says more)\n", z->node,
		z->name);
	add_formulas(out, in, ids, sizeof(ids) / sizeof(ids[0]));
}

static void add_share(struct table *t, uint64_t pages, uint64_t low)
{
	char text[ZL_SETTING_TEXT];

	if (low == 0) {
		table_none(t);
		return;
	}
	uint64_t share = pages * PER_MILLE / low;
	zl_format(text, sizeof(text), "%N.%u %%", share / 10, (unsigned)(share % 10));
	table_text(t, text);
}

static void add_parked(
	struct table *t, const struct zl_machine *m, const char *where, const struct parked *p)
{
	table_text(t, where);
	table_number(t, p->at_high_min);
	table_bytes(t, p->at_high_min * m->geometry.page_size);
	add_share(t, p->at_high_min, p->wmark_low);
	if (!fixed_high(m)) {
		table_number(t, p->at_high_max);
		table_bytes(t, p->at_high_max * m->geometry.page_size);
		add_share(t, p->at_high_max, p->wmark_low);
	}
}

static void add_parked_nodes(struct table *t, const struct zl_machine *m)
{
	char where[ZL_SETTING_TEXT];
	struct parked p = parked_machine(m);

	for (unsigned node = 0; node < m->nodes; node++) {
		struct parked of_node = parked_node(m, node);

		if (of_node.cpus == 0) {
			continue;
		}
		zl_format(where, sizeof(where), "  node %u, %u CPU%s", node, of_node.cpus,
			of_node.cpus == 1 ? "" : "s");
		add_parked(t, m, where, &of_node);
	}
	if (m->nodes > 1) {
		zl_format(where, sizeof(where), "  machine, %u CPUs", m->cpus);
		add_parked(t, m, where, &p);
	}
}

static void add_parking(struct output *out, const struct zl_machine *m)
{
	static const struct column tuned[] = {
		{"where",	  "",		      false},
		{"high_min_pages", "pages at|high_min", true },
		{"high_min_bytes", "",		       true },
		{"high_min_low",	 "of low|wmark",	 true },
		{"high_max_pages", "pages at|high_max", true },
		{"high_max_bytes", "",		       true },
		{"high_max_low",	 "of low|wmark",	 true },
	};
	static const struct column fixed[] = {
		{"where",	  "",	      false},
		{"high_pages", "pages|at high", true },
		{"high_bytes", "",		   true },
		{"high_low",   "of low|wmark",  true },
	};
	bool one = fixed_high(m);
	char where[ZL_SETTING_TEXT];
	struct table t;

	zl_buf_str(&out->text, "\nPages parked when every pageset is full\n");
	table_init(&t, out, NULL, one ? fixed : tuned,
		one ? sizeof(fixed) / sizeof(fixed[0]) : sizeof(tuned) / sizeof(tuned[0]));
	table_drop(&t, "high_min_low", 4);
	table_drop(&t, "high_max_low", 3);
	table_drop(&t, "high_min_bytes", 2);
	table_drop(&t, "high_max_bytes", 1);
	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];
		struct parked p = parked_zone_cpu(z);

		if (z->populated) {
			zl_format(where, sizeof(where), "  node %u %s, 1 CPU", z->node, z->name);
			add_parked(&t, m, where, &p);
		}
	}
	add_parked_nodes(&t, m);
	table_print(&t);
}

static void add_ways(struct output *out, const struct value_in *in)
{
	static const struct column columns[] = {
		{"what",	 "  What would make it fire", false},
		{"ceiling",   "ceiling",		       true },
		{"threshold", "threshold",		   true },
	};
	static const char *const count[WAYS_MAX + 1] = {
		"no way", "one way", "two ways", "three ways", "four ways"};
	const struct zl_zone *z = &in->machine->zones[in->zone];
	struct way ways[WAYS_MAX];
	size_t n = free_high_ways(in, ways);
	char text[160];
	struct table t;

	if (n == 0) {
		return;
	}
	zl_format(text, sizeof(text),
		"node %u %s: free_high is out of reach here; %s to change that", z->node, z->name,
		count[n]);
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, 0, text);
	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < n; i++) {
		char what[sizeof(ways[i].what) + 2];

		zl_format(what, sizeof(what), "  %s", ways[i].what);
		table_text(&t, what);
		if (ways[i].has_ceiling) {
			table_number(&t, ways[i].ceiling);
		} else {
			table_text(&t, "none");
		}
		table_number(&t, ways[i].threshold);
	}
	table_print(&t);
}

bool pcp_was_reported(const struct zl_zone *z)
{
	return z->populated && z->facts != NULL && z->facts->low >= 0 && !z->wmark_observed;
}

static void add_reported(struct table *t, int64_t v)
{
	if (v >= 0) {
		table_number(t, (uint64_t)v);
	} else {
		table_none(t);
	}
}

/* What the file had said, when the figures above are computed for changed settings. */
static void add_was(struct output *out, const struct zl_machine *m)
{
	static const struct column columns[] = {
		{"node",	 "  node",	   true },
		{"zone",	 "zone",	 false},
		{"wmark_min",  "wmark_min",  true },
		{"wmark_low",  "wmark_low",  true },
		{"wmark_high", "wmark_high", true },
		{"batch",	  "batch",	   true },
		{"high",	 "high",	 true },
		{"high_min",   "high_min",	 true },
	};
	static const struct zl_observed_pcp none = {0, -1, -1, -1, -1, -1, -1};
	bool any = false;
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];

		if (!pcp_was_reported(z)) {
			continue;
		}
		const struct zl_observed_pcp *p = z->facts->nr_pcp > 0 ? &z->facts->pcp[0] : &none;
		any = true;
		table_number(&t, z->node);
		table_text(&t, z->name);
		add_reported(&t, z->facts->min);
		add_reported(&t, z->facts->low);
		add_reported(&t, z->facts->high);
		add_reported(&t, p->batch);
		add_reported(&t, p->high);
		add_reported(&t, p->high_min);
	}
	if (any) {
		zl_buf_str(&out->text, "\nWas, as the file reported it (above: computed for what "
				       "was given)\n");
		table_print(&t);
	}
	zl_buf_done(&t.cells);
}

void pcp_report(struct output *out, const struct lane *lane)
{
	const struct zl_machine *m = &lane->machine;
	struct value_in in = {.profile = &lane->profile, .machine = m, .zone = m->main_zone};

	add_min_free(out, &in);
	if (m->nr_zones == 0) {
		return;
	}
	add_was(out, m);
	in.zone = pcp_zone_of_interest(m);
	add_limits(out, &in);
	if (m->pagesets) {
		add_parking(out, m);
		add_ways(out, &in);
	}
	zl_buf_chr(&out->text, '\n');
}
