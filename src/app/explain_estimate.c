/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cost estimate can say and what it cannot, and the constants behind it. */

#include "explain.h"
#include "table.h"
#include "zonelab/costs.h"
#include "zonelab/text.h"

#define ITEM_INDENT 4

struct section {
	const char *key, *title;
	const char *item[12]; /* ends with NULL */
};

static const struct section sections[] = {
	{"can",		"What it can say",
		{"Lock takes, blocks and pages of each hold, flushes and refills are exact and "
		 "need "
		 "no constants.",
			"Once load and machine are given it finds what is saturated and orders "
			"designs.",
			"One set of constants serves every design and release; lanes differ only "
			"in what the allocator does.",
			NULL}},
	{"cannot",	   "What it cannot say",
		{"The level of a benchmark. The shape of the published iperf3 table comes out; its "
		 "score of 69 for 6.12 does not follow from published constants: that needs costs "
		 "inside the lock 4.8 times the defaults. With the defaults every lane scores 100.",
			"Why 170 events of free_high in 20 s should matter. Taken literally they "
			"move at most 170 x 2016 pages, 20 ms of lock time at the default costs "
			"(0.1 %); the model flushes 120,000 times a second when it loses 30 %. "
			"Either the events were sampled, or the loss has another cause. Only their "
			"ratios are used, to choose the lengths of bursts.",
			"Where the cliff between thresholds lies: the lengths of bursts put it "
			"between 4 and 5 times batch; other bursts that fit the report as well put "
			"it between 5 and 6 (iperf3-64-q).",
			"That the loss begins between 32 and 64 pairs, as reported: with the link "
			"of the report 32 pairs lose as much.",
			NULL}},
	{"reading",	    "iperf3, read with care",
		{"A burst that flushes at all sends nearly all its blocks through the lock, "
		 "however "
		 "early it starts. So the load does not fall with the threshold until whole bursts "
		 "stay below it: flat, then a cliff.",
			"A saturated lock gives its capacity divided by the load; below that "
			"nothing is lost.",
			"480 % is not plausible from the Intel figures. The one independent figure "
			"of an AMD guest asks for 400 %, which gives 84. 240 % would do if all "
			"pairs shared one node.",
			"The order turns round when one CPU allocates and another frees: then 6.6 "
			"is "
			"the slowest design.",
			NULL}},
	{"others",	   "The other reports",
		{"Ten large processes that exit (exit-10x6g): the step between "
		 "pcp_batch_scale_max 5 and 0 comes out, 32 times the pages a hold; the level "
		 "needs lock_cost_percent 300 to 400. The tail does not: with ten CPUs a wait is "
		 "at "
		 "most nine holds, 2.4 ms; the reported 30 ms mean a virtual CPU that was stopped.",
			"bonnie++ on RZ/G3S, 14 minutes with pcp_batch_scale_max 5 and 10 with 0 "
			"(rzg3s): not explained. One CPU never waits, and scale 5 is the cheaper "
			"one, by less than one per cent of the time. The model sees no difference "
			"of "
			"this size.",
			NULL}},
	{"not_modelled", "What is not modelled here",
		{"Preemption of virtual CPUs, paravirtual locks, interrupts that a hold delays, "
		 "pagesets that fail their trylock.",
			"The temperature of data: a block that comes back from the buddy is cold. "
			"It "
			"would cost a flushed block more, without a cliff.",
			"Memory bandwidth, SMT, clock frequency.",
			"slab, page_pool, frees of network buffers that wait for their CPU; TCP, "
			"which "
			"reacts to delay; reclaim, compaction and other users of the lock.",
			"No public measurement of holds with blocks of order 1 and above was "
			"found; "
			"that each of them misses a cache line is inferred, and weighs most: halve "
			"or double line_ns before a figure is trusted.",
			NULL}},
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

static int64_t cost_now(const struct value_in *in, enum zl_cost c)
{
	struct zl_costs costs;

	zl_costs_of(&in->profile->settings, &costs);
	return costs.value[c];
}

void explain_estimate_text(const struct value_in *in, size_t columns, struct zl_buf *b)
{
	char text[400];

	zl_buf_str(b, "The cost estimate: a model, never a measurement\n");
	for (size_t i = 0; i < SECTIONS; i++) {
		zl_buf_fmt(b, "%s\n", sections[i].title);
		for (size_t k = 0; sections[i].item[k] != NULL; k++) {
			zl_buf_str(b, "  -");
			text_wrap(b, ITEM_INDENT, columns, sections[i].item[k]);
		}
	}
	zl_buf_str(b, "Constants, each a setting (--set NAME=VALUE)\n");
	for (unsigned c = 0; c < ZL_COST_COUNT; c++) {
		const struct zl_cost_info *info = zl_cost_info((enum zl_cost)c);

		zl_format(text, sizeof(text), "%s = %D%s: %s", zl_setting_info(info->setting)->key,
			cost_now(in, (enum zl_cost)c),
			info->lock ? " (times lock_cost_percent)" : "", info->source);
		zl_buf_str(b, "  -");
		text_wrap(b, ITEM_INDENT, columns, text);
	}
}

void explain_estimate_json(const struct value_in *in, struct zl_json *o)
{
	struct zl_json *list;

	for (size_t i = 0; i < SECTIONS; i++) {
		list = zl_json_add_array(o, sections[i].key);
		for (size_t k = 0; sections[i].item[k] != NULL; k++) {
			zl_json_push_string(list, sections[i].item[k]);
		}
	}
	list = zl_json_add_array(o, "costs");
	for (unsigned c = 0; c < ZL_COST_COUNT; c++) {
		const struct zl_cost_info *info = zl_cost_info((enum zl_cost)c);
		struct zl_json *row = zl_json_push_object(list);

		zl_json_add_string(row, "setting", zl_setting_info(info->setting)->key);
		zl_json_add_int(row, "value", cost_now(in, (enum zl_cost)c));
		zl_json_add_int(row, "default", info->dflt);
		zl_json_add_bool(row, "lock", info->lock);
		zl_json_add_string(row, "source", info->source);
	}
}
