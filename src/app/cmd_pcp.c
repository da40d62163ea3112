/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `pcp`: batch, high limits, watermarks and the reach of free_high, zone by zone.
 */
#include "commands.h"
#include "pcp_report.h"
#include "table.h"
#include "ways.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/* Numbers of a zone in the order of the answer. */
static const enum value_id zone_values[] = {VALUE_MANAGED, VALUE_WMARK_MIN, VALUE_WMARK_LOW,
	VALUE_WMARK_HIGH, VALUE_ZONE_CPUS, VALUE_BATCH, VALUE_HIGH_MIN, VALUE_HIGH_MAX,
	VALUE_THRESHOLD, VALUE_CEILING};

static struct value_in zone_in(const struct lane *lane, size_t zone)
{
	struct value_in in = {.profile = &lane->profile, .machine = &lane->machine, .zone = zone};

	return in;
}

static bool fires(const struct zl_machine *m, const struct zl_zone *z, unsigned order)
{
	return m->pagesets && z->free_high.exists && z->free_high.reachable[order];
}

static void json_key(
	const struct value_in *in, enum value_id id, struct zl_json *o, const char *key)
{
	int64_t v = 0;

	if (value_get(in, id, &v)) {
		zl_json_add_int(o, key, v);
	} else {
		zl_json_add_null(o, key);
	}
}

static void json_zones(const struct lane *lane, struct zl_json *list)
{
	const struct zl_machine *m = &lane->machine;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];
		struct value_in in = zone_in(lane, i);
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_int(o, "node", z->node);
		zl_json_add_string(o, "zone", z->name);
		for (size_t v = 0; v < COUNT_OF(zone_values); v++) {
			json_key(&in, zone_values[v], o,
				zone_values[v] == VALUE_ZONE_CPUS
					? "cpus"
					: value_info(zone_values[v])->name);
		}
		zl_json_add_bool(o, "as_reported", z->wmark_observed);
		struct zl_json *r = zl_json_add_object(o, "free_high_reachable");
		for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
			char key[8];

			zl_format(key, sizeof(key), "%u", order);
			zl_json_add_bool(r, key, fires(m, z, order));
		}
	}
}

static void json_parked(struct zl_json *list, const char *key, uint64_t n, const struct parked *p)
{
	struct zl_json *o = zl_json_push_object(list);

	if (key != NULL) {
		zl_json_add_u64(o, key, n);
	}
	zl_json_add_int(o, "cpus", p->cpus);
	zl_json_add_u64(o, "high_min_pages", p->at_high_min);
	zl_json_add_u64(o, "high_max_pages", p->at_high_max);
	zl_json_add_u64(o, "wmark_low", p->wmark_low);
}

/* What the stated members do not say: both terms, pages parked, ways out. */
static void json_more(const struct lane *lane, struct zl_json *o)
{
	const struct zl_machine *m = &lane->machine;
	struct value_in in = zone_in(lane, pcp_zone_of_interest(m));
	struct zl_json *terms = zl_json_add_object(o, "min_free");
	struct way ways[WAYS_MAX];
	size_t n = free_high_ways(&in, ways);

	json_key(&in, VALUE_MIN_FREE_SQRT, terms, "sqrt_kbytes");
	json_key(&in, VALUE_MIN_FREE_THP, terms, "thp_kbytes");
	json_key(&in, VALUE_MIN_FREE_THP_CAP, terms, "thp_cap_kbytes");
	zl_json_add_string(terms, "winner", min_free_winner(m));
	if (min_free_zones(m) > 0) {
		zl_json_add_int(terms, "zones_inferred", min_free_zones(m));
	} else {
		zl_json_add_null(terms, "zones_inferred");
	}
	struct zl_json *list = zl_json_add_array(o, "parked");
	for (unsigned node = 0; node < m->nodes && m->pagesets; node++) {
		struct parked p = parked_node(m, node);
		if (p.cpus > 0) {
			json_parked(list, "node", node, &p);
		}
	}
	list = zl_json_add_array(o, "ways_to_fire");
	for (size_t i = 0; i < n; i++) {
		struct zl_json *way = zl_json_push_object(list);
		zl_json_add_string(way, "what", ways[i].what);
		zl_json_add_string(way, "set", ways[i].set);
		zl_json_add_u64(way, "free_high_threshold", ways[i].threshold);
		if (ways[i].has_ceiling) {
			zl_json_add_u64(way, "free_count_ceiling", ways[i].ceiling);
		} else {
			zl_json_add_null(way, "free_count_ceiling");
		}
	}
}

static void answer_json(const struct lane *lane, struct output *out)
{
	const struct zl_machine *m = &lane->machine;
	struct value_in in = zone_in(lane, m->main_zone);
	struct zl_json *o = output_json(out, "pcp");

	zl_json_add_string(o, "design", zl_design_name(m->switches.design));
	json_add_value(o, &in, VALUE_MIN_FREE_KBYTES);
	json_add_diags(o, &lane->diags);
	struct zl_json *zones = zl_json_add_array(o, "zones");
	zl_json_add_string(o, "kernel", m->release.display);
	zl_json_add_u64(o, "page_size", m->geometry.page_size);
	if (m->geometry.buildable) {
		json_zones(lane, zones);
		json_more(lane, o);
	}
}

static void add_value(struct table *t, const struct value_in *in, enum value_id id)
{
	int64_t v = 0;

	if (value_get(in, id, &v)) {
		table_number(t, (uint64_t)v);
	} else {
		table_none(t);
	}
}

static void answer_csv(const struct lane *lane, struct output *out)
{
	static const struct column columns[] = {
		{"node",			 "", true },
		{"zone",			 "", false},
		{"managed",		    "", true },
		{"wmark_min",	      "", true },
		{"wmark_low",	      "", true },
		{"wmark_high",	       "", true },
		{"cpus",			 "", true },
		{"batch",		  "", true },
		{"high_min",		     "", true },
		{"high_max",		     "", true },
		{"free_high_threshold",	"", true },
		{"free_count_ceiling",    "", true },
		{"free_high_reachable_1", "", false},
		{"free_high_reachable_2", "", false},
		{"free_high_reachable_3", "", false},
	};
	const struct zl_machine *m = &lane->machine;
	struct table t;

	table_init(&t, out, NULL, columns, COUNT_OF(columns));
	for (size_t i = 0; i < m->nr_zones && m->geometry.buildable; i++) {
		struct value_in in = zone_in(lane, i);

		table_number(&t, m->zones[i].node);
		table_text(&t, m->zones[i].name);
		for (size_t v = 0; v < COUNT_OF(zone_values); v++) {
			add_value(&t, &in, zone_values[v]);
		}
		for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
			table_bool(&t, fires(m, &m->zones[i], order), "", "");
		}
	}
	table_print(&t);
}

static void text_watermarks(const struct lane *lane, struct output *out)
{
	static const struct column columns[] = {
		{"node",	 "node",	 true },
		{"zone",	 "zone",	 false},
		{"managed",    "managed",    true },
		{"wmark_min",  "wmark_min",  true },
		{"wmark_low",  "wmark_low",  true },
		{"wmark_high", "wmark_high", true },
		{"cpus",	 "cpus",	 true },
	};
	const struct zl_machine *m = &lane->machine;
	struct table t;

	table_init(&t, out, NULL, columns, COUNT_OF(columns));
	table_drop(&t, "wmark_high", 1);
	for (size_t i = 0; i < m->nr_zones; i++) {
		struct value_in in = zone_in(lane, i);

		if (!m->zones[i].populated) {
			continue;
		}
		table_number(&t, m->zones[i].node);
		table_text(&t, m->zones[i].name);
		for (size_t v = 0; v < COUNT_OF(columns) - 2; v++) {
			add_value(&t, &in, zone_values[v]);
		}
	}
	table_print(&t);
}

/* Orders whose frees alone can reach the threshold: "1 2 3", "1", "never". */
static void add_orders(struct table *t, const struct zl_machine *m, const struct zl_zone *z)
{
	char text[ZL_SETTING_TEXT];
	struct zl_text b;

	if (!m->pagesets || !z->free_high.exists) {
		table_none(t);
		return;
	}
	zl_text_init(&b, text, sizeof(text));
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		if (z->free_high.reachable[order]) {
			zl_text_fmt(&b, b.len > 0 ? " %u" : "%u", order);
		}
	}
	table_text(t, b.len > 0 ? text : "never");
}

static void text_pagesets(const struct lane *lane, struct output *out)
{
	static const struct column columns[] = {
		{"node",	 "node",		 true },
		{"zone",	 "zone",		 false},
		{"batch",	  "batch",		   true },
		{"high_min",  "high_min",		 true },
		{"high_max",  "high_max",		 true },
		{"threshold", "free_high|threshold", true },
		{"ceiling",   "free_count|ceiling",  true },
		{"orders",	   "fires at|orders",     true },
	};
	static const enum value_id ids[] = {
		VALUE_BATCH, VALUE_HIGH_MIN, VALUE_HIGH_MAX, VALUE_THRESHOLD, VALUE_CEILING};
	const struct zl_machine *m = &lane->machine;
	struct table t;

	table_init(&t, out, NULL, columns, COUNT_OF(columns));
	table_drop(&t, "high_max", 1);
	for (size_t i = 0; i < m->nr_zones; i++) {
		struct value_in in = zone_in(lane, i);

		if (!m->zones[i].populated) {
			continue;
		}
		table_number(&t, m->zones[i].node);
		table_text(&t, m->zones[i].name);
		for (size_t v = 0; v < COUNT_OF(ids); v++) {
			add_value(&t, &in, ids[v]);
		}
		add_orders(&t, m, &m->zones[i]);
	}
	table_print(&t);
}

static void answer_text(const struct lane *lane, struct output *out)
{
	const struct zl_machine *m = &lane->machine;

	if (m->geometry.buildable) {
		char text[256];

		output_machine(out, lane);
		zl_buf_str(&out->text, "\nZones, pages\n");
		text_watermarks(lane, out);
		zl_buf_str(&out->text, "\nPagesets, pages of each CPU\n");
		text_pagesets(lane, out);
		zl_format(text, sizeof(text), "Design %s: %s", zl_design_name(m->switches.design),
			zl_design_summary(m->switches.design));
		output_wrap(out, 0, text);
		pcp_report(out, lane);
	} else {
		zl_buf_str(&out->text, "This combination cannot be built.\n");
	}
	output_diags(out, &lane->diags);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const struct lane *lane = app_lane_const(app);

	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (lane->machine.switches.design == ZL_DESIGN_NONE) {
		return command_usage(out,
			"%s is too old: pagesets are known from 5.14 on; --set kernel=5.14 or "
			"newer",
			lane->machine.release.display);
	}
	switch (out->format) {
	case FORMAT_JSON:
		answer_json(lane, out);
		break;
	case FORMAT_CSV:
		answer_csv(lane, out);
		break;
	case FORMAT_TEXT:
	case FORMAT_MAIL:
		answer_text(lane, out);
		break;
	}
	return lane->machine.geometry.buildable ? EXIT_YES : EXIT_NO;
}

const struct command cmd_pcp = {
	.name = "pcp",
	.synopsis = "[FILE...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES,
	.help = "Batch, high limits, watermarks and free_high of every zone",
	.more = "Counts are pages. FILEs are read into the machine before --profile and --set. "
		"Exit status 1 when the combination cannot be built, 2 for releases below 5.14.",
	.run = run,
};
