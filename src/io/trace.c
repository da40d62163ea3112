/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records as lines: the columns of a recording, a JSON object, or a sentence. JSON is printed by
 * hand here, since a trace has millions of lines and nothing in it needs escaping.
 */
#include <errno.h>
#include <string.h>

#include "zonelab/text.h"
#include "zonelab/workload.h"

#define OP_MAX 64

int zl_trace_form_find(const char *word, enum zl_trace_form *ret)
{
	static const char *const words[] = {"", "tsv", "json", "text", "ftrace"};

	for (unsigned i = ZL_TRACE_TSV; i <= ZL_TRACE_FTRACE; i++) {
		if (strcmp(words[i], word) == 0) {
			*ret = (enum zl_trace_form)i;
			return 0;
		}
	}
	return -EINVAL;
}

static void header(struct zl_buf *ret)
{
	zl_buf_str(ret,
		"idx\top\tcpu\tresult\tpfn\trefills\trefill_req\trefill_got\tcount\thigh\thigh_"
		"min\t"
		"high_max\tbatch\tfree_count\tfree_factor\talloc_factor\tflags\texpire\tfree_high\t"
		"eff_high\tto_free\tdrained\tbulk_calls\tzone_locks\tbelow_high\treclaim\t"
		"buddy_free\tlists\tbuddy");
}

void zl_trace_header(enum zl_trace_form form, struct zl_buf *ret)
{
	if (form == ZL_TRACE_TSV) {
		header(ret);
		zl_buf_chr(ret, '\n');
	}
}

void zl_trace_header_2(enum zl_trace_form form, struct zl_buf *ret)
{
	if (form == ZL_TRACE_TSV) {
		header(ret);
		zl_buf_str(ret, "\tt_ns\tnode\tzone\n");
	}
}

static void result(const struct zl_record *r, struct zl_buf *ret)
{
	if (r->result == ZL_RESULT_NUMBER) {
		zl_buf_fmt(ret, "%u", r->result_value);
	} else {
		zl_buf_str(ret, zl_result_name(r->result));
	}
}

/* A column that the design has, or "-". */
static void column(struct zl_buf *ret, bool exists, int64_t v)
{
	if (exists) {
		zl_buf_fmt(ret, "\t%D", v);
	} else {
		zl_buf_str(ret, "\t-");
	}
}

static void lists(const struct zl_record *r, struct zl_buf *ret)
{
	const char *comma = "";

	for (unsigned i = 0; i < r->nr_lists; i++) {
		if (r->lists[i] > 0) {
			zl_buf_fmt(ret, "%s%u:%u", comma, i, r->lists[i]);
			comma = ",";
		}
	}
	if (*comma == '\0') {
		zl_buf_chr(ret, '-');
	}
}

static void buddy(const struct zl_record *r, struct zl_buf *ret, char between)
{
	for (unsigned o = 0; o <= r->max_order; o++) {
		if (o > 0) {
			zl_buf_chr(ret, between);
		}
		zl_buf_fmt(ret, "%U", r->buddy[o]);
	}
}

static void tsv(const struct zl_record *r, struct zl_buf *ret)
{
	char op[OP_MAX];

	zl_op_format(&r->op, op, sizeof(op));
	zl_buf_fmt(ret, "%U\t%s\t%u\t", r->index, op, r->cpu);
	result(r, ret);
	zl_buf_fmt(ret, "\t%D\t%u\t%u\t%u\t%d\t%d", r->pfn, r->refills, r->refill_req,
		r->refill_got, r->count, r->high);
	column(ret, r->tuned, r->high_min);
	column(ret, r->tuned, r->high_max);
	zl_buf_fmt(ret, "\t%d", r->batch);
	column(ret, r->tuned, r->free_count);
	column(ret, !r->tuned, r->free_factor);
	column(ret, r->tuned, r->alloc_factor);
	column(ret, r->tuned, r->flags);
	zl_buf_fmt(ret, "\t%u\t%u\t%d\t%d\t%u\t%u\t%u\t%u\t%u\t%D\t", r->expire,
		r->free_high ? 1u : 0u, r->eff_high, r->to_free, r->drained, r->bulk_calls,
		r->zone_locks, r->below_high ? 1u : 0u, r->reclaim ? 1u : 0u, r->buddy_free);
	lists(r, ret);
	zl_buf_chr(ret, '\t');
	buddy(r, ret, '/');
}

static void json_or_null(struct zl_buf *ret, const char *key, bool exists, int64_t v)
{
	if (exists) {
		zl_buf_fmt(ret, ",\"%s\":%D", key, v);
	} else {
		zl_buf_fmt(ret, ",\"%s\":null", key);
	}
}

static void json_pageset(const struct zl_record *r, struct zl_buf *ret)
{
	zl_buf_fmt(ret, ",\"count\":%d,\"high\":%d,\"batch\":%d", r->count, r->high, r->batch);
	json_or_null(ret, "high_min", r->tuned, r->high_min);
	json_or_null(ret, "high_max", r->tuned, r->high_max);
	json_or_null(ret, "free_count", r->tuned, r->free_count);
	json_or_null(ret, "free_factor", !r->tuned, r->free_factor);
	json_or_null(ret, "alloc_factor", r->tuned, r->alloc_factor);
	json_or_null(ret, "flags", r->tuned, r->flags);
	zl_buf_fmt(ret, ",\"expire\":%u", r->expire);
	json_or_null(ret, "free_high_threshold", r->threshold_exists, r->threshold);
	json_or_null(ret, "free_count_ceiling", r->tuned, r->ceiling);
}

static void json(const struct zl_record *r, struct zl_buf *ret)
{
	char op[OP_MAX];

	zl_op_format(&r->op, op, sizeof(op));
	zl_buf_fmt(ret, "{\"idx\":%U,\"op\":\"%s\",\"cpu\":%u,\"result\":\"", r->index, op, r->cpu);
	result(r, ret);
	zl_buf_fmt(ret, "\",\"reason\":\"%s\",\"pfn\":%D,\"refills\":%u,\"refill_req\":%u",
		zl_reason_name(r->reason), r->pfn, r->refills, r->refill_req);
	zl_buf_fmt(ret, ",\"refill_got\":%u", r->refill_got);
	json_pageset(r, ret);
	zl_buf_fmt(ret, ",\"free_high\":%s,\"eff_high\":%d,\"to_free\":%d,\"drained\":%u",
		r->free_high ? "true" : "false", r->eff_high, r->to_free, r->drained);
	zl_buf_fmt(ret, ",\"bulk_calls\":%u,\"zone_locks\":%u,\"longest_hold_pages\":%u",
		r->bulk_calls, r->zone_locks, r->longest_hold);
	zl_buf_fmt(ret, ",\"fallback\":\"%s\",\"fallbacks\":%u,\"merges\":%u",
		zl_fallback_name(r->fallback), r->fallbacks, r->merges);
	zl_buf_fmt(ret, ",\"below_high\":%s,\"reclaim\":%s,\"buddy_free\":%D,\"lists\":[",
		r->below_high ? "true" : "false", r->reclaim ? "true" : "false", r->buddy_free);
	for (unsigned i = 0; i < r->nr_lists; i++) {
		zl_buf_fmt(ret, i == 0 ? "%u" : ",%u", r->lists[i]);
	}
	zl_buf_str(ret, "],\"buddy\":[");
	buddy(r, ret, ',');
	zl_buf_chr(ret, ']');
}

static void text(const struct zl_record *r, struct zl_buf *ret)
{
	char op[OP_MAX];

	zl_op_format(&r->op, op, sizeof(op));
	zl_buf_fmt(ret, "%U cpu%u %s", r->index, r->cpu, op);
	if (r->pfn >= 0) {
		zl_buf_fmt(ret, " %x", (uint64_t)r->pfn);
	}
	zl_buf_str(ret, " -> ");
	result(r, ret);
	if (r->refills > 0) {
		zl_buf_fmt(ret, ", refill %u of %u", r->refill_got, r->refill_req);
	}
	if (r->free_high) {
		zl_buf_str(ret, ", FLUSH");
	}
	if (r->drained > 0) {
		zl_buf_fmt(ret, ", drained %u", r->drained);
	}
	zl_buf_fmt(ret, "; count %d high %d", r->count, r->high);
	if (r->tuned) {
		zl_buf_fmt(ret, " free_count %d", r->free_count);
	}
	zl_buf_fmt(ret, ". %s", zl_reason_sentence(r->reason));
}

static void line(enum zl_trace_form form, const struct zl_record *r, struct zl_buf *ret)
{
	switch (form) {
	case ZL_TRACE_TSV:
		tsv(r, ret);
		break;
	case ZL_TRACE_JSON:
		json(r, ret);
		break;
	case ZL_TRACE_TEXT:
		text(r, ret);
		break;
	case ZL_TRACE_NONE:
	case ZL_TRACE_FTRACE:
		break;
	}
}

void zl_trace_record(enum zl_trace_form form, const struct zl_record *r, struct zl_buf *ret)
{
	line(form, r, ret);
	if (form != ZL_TRACE_NONE) {
		zl_buf_str(ret, form == ZL_TRACE_JSON ? "}\n" : "\n");
	}
}

static void json_system(const struct zl_system_record *r, struct zl_buf *ret)
{
	zl_buf_fmt(ret, ",\"migrated\":%u,\"tries\":%u,\"t_ns\":%U,\"node\":%u,\"zone\":\"%s\"",
		r->r.migrated, r->r.tries, r->t_ns, r->node, r->name);
	zl_buf_fmt(ret, ",\"all_zones\":%s,\"attempts\":%u,\"kswapd_wakes\":%u",
		r->all ? "true" : "false", r->attempts, r->kswapd_wakes);
	zl_buf_fmt(ret, ",\"reclaimed\":%u,\"reclaim_rounds\":%u,\"drained_all\":%s}\n",
		r->reclaimed, r->rounds, r->drained_all ? "true" : "false");
}

static void text_system(const struct zl_system_record *r, struct zl_buf *ret)
{
	if (r->all) {
		zl_buf_str(ret, " In every zone.");
	} else if (r->name[0] != '-') {
		zl_buf_fmt(ret, " Zone %s of node %u", r->name, r->node);
		zl_buf_fmt(ret, r->attempts > 1 ? ", asked as number %u." : ".", r->attempts);
	}
	if (r->r.tries > 0) {
		zl_buf_fmt(ret, " %u range%s tried, %u page%s migrated.", r->r.tries,
			r->r.tries == 1 ? "" : "s", r->r.migrated, r->r.migrated == 1 ? "" : "s");
	}
	if (r->kswapd_wakes > 0) {
		zl_buf_fmt(ret, " kswapd of %u node%s woken.", r->kswapd_wakes,
			r->kswapd_wakes == 1 ? "" : "s");
	}
	if (r->reclaimed > 0) {
		zl_buf_fmt(
			ret, " %u page%s reclaimed.", r->reclaimed, r->reclaimed == 1 ? "" : "s");
	}
	if (r->drained_all) {
		zl_buf_str(ret, " All pagesets drained.");
	}
	zl_buf_chr(ret, '\n');
}

void zl_trace_system_record(
	enum zl_trace_form form, const struct zl_system_record *r, struct zl_buf *ret)
{
	line(form, &r->r, ret);
	switch (form) {
	case ZL_TRACE_TSV:
		zl_buf_fmt(ret, "\t%U\t", r->t_ns);
		if (r->all) {
			zl_buf_str(ret, "-\tall\n");
		} else {
			zl_buf_fmt(ret, "%u\t%s\n", r->node, r->name);
		}
		break;
	case ZL_TRACE_JSON:
		json_system(r, ret);
		break;
	case ZL_TRACE_TEXT:
		text_system(r, ret);
		break;
	case ZL_TRACE_NONE:
	case ZL_TRACE_FTRACE:
		break;
	}
}
