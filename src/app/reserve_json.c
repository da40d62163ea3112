/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `reserve` as JSON.
 */
#include "commands.h"
#include "reserve.h"

static void add_u64_or_null(struct zl_json *o, const char *key, bool known, uint64_t v)
{
	if (known) {
		zl_json_add_u64(o, key, v);
	} else {
		zl_json_add_null(o, key);
	}
}

static void add_ranges(struct zl_json *o, const char *key, const struct zl_ranges *ranges)
{
	struct zl_json *list = zl_json_add_array(o, key);

	for (size_t i = 0; i < ranges->count; i++) {
		struct zl_json *r = zl_json_push_object(list);

		zl_json_add_u64(r, "base", ranges->item[i].base);
		zl_json_add_u64(r, "size", ranges->item[i].size);
	}
}

static void add_extras(struct zl_json *o, const struct zl_pool *p)
{
	struct zl_json *messages;

	zl_json_add_string(o, "reason_code", zl_pool_reason_name(p->reason));
	zl_json_add_u64(o, "taken_bytes", p->size);
	zl_json_add_u64(o, "alignment", p->alignment);
	add_u64_or_null(
		o, "next_down_bytes", p->class == ZL_POOL_CMA && p->next_down > 0, p->next_down);
	add_u64_or_null(o, "next_up_bytes", p->class == ZL_POOL_CMA, p->next_up);
	zl_json_add_bool(o, "default_area", p->is_default);
	add_u64_or_null(o, "slack_bytes", p->window_hole > 0 || p->nr_blockers > 0, p->slack);
	messages = zl_json_add_array(o, "messages");
	for (size_t i = 0; i < p->nr_messages; i++) {
		zl_json_push_string(messages, p->message[i]);
	}
}

static void add_pool(struct zl_json *list, const struct reserve *r, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];
	struct zl_json *o = zl_json_push_object(list);
	uint64_t bytes;
	uint64_t base;
	bool base_known = reserve_required(r, p, &bytes, &base);

	zl_json_add_string(o, "name", q->name);
	zl_json_add_string(o, "source", zl_pool_source_name(q->source));
	zl_json_add_string(o, "class", zl_pool_class_name(p->class));
	zl_json_add_u64(o, "requested_bytes", q->size);
	add_u64_or_null(o, "base", p->base_known || q->has_reg || q->base != 0,
		p->base_known ? p->base : q->base);
	zl_json_add_string(o, "verdict", zl_pool_verdict_name(p->verdict));
	zl_json_add_string(o, "placement", zl_pool_placement_name(p->placement));
	zl_json_add_string(o, "reason", p->text);
	zl_json_add_u64(o, "required_bytes", bytes);
	add_u64_or_null(o, "required_base", base_known, base);
	zl_json_add_u64(o, "waste_bytes", bytes - q->size);
	if (p->nr_messages > 0) {
		zl_json_add_string(o, "message", p->message[p->main_message]);
	} else {
		zl_json_add_null(o, "message");
	}
	add_extras(o, p);
}

static void add_ports(struct zl_json *o, const struct reserve *r)
{
	static const char *const axes[] = {"page_size", "page_block_order", "kernel"};
	struct zl_json *list = zl_json_add_array(o, "portability");

	for (size_t i = 0; i < r->nr_ports; i++) {
		const struct reserve_port *p = &r->port[i];
		struct zl_json *row = zl_json_push_object(list);

		zl_json_add_string(row, "axis", axes[p->axis]);
		zl_json_add_string(row, "set", p->set);
		zl_json_add_bool(row, "present", p->present);
		zl_json_add_bool(row, "buildable", p->buildable);
		zl_json_add_u64(row, "cma_min_alignment_bytes", p->alignment);
		zl_json_add_u64(row, "refused", p->nr_refused);
		zl_json_add_u64(row, "no_room", p->nr_no_room);
		zl_json_add_u64(row, "total_required_bytes", p->required);
		zl_json_add_u64(row, "cma_total_bytes", p->given);
		zl_json_add_string(row, "message", p->message);
	}
}

static void add_memory(struct zl_json *o, const struct reserve *r)
{
	const struct zl_reserve_report *report = &r->report;
	struct zl_json *m;

	if (!r->map.known) {
		zl_json_add_null(o, "memory");
		return;
	}
	m = zl_json_add_object(o, "memory");
	add_ranges(m, "banks", &r->map.banks);
	add_ranges(m, "reserved", &report->map.reserved);
	zl_json_add_u64(m, "largest_aligned_hole_bytes", report->hole.aligned_size);
	add_u64_or_null(m, "largest_aligned_hole_base", report->hole.aligned_size > 0,
		report->hole.aligned_base);
	zl_json_add_u64(m, "pageblocks", report->blocks);
	zl_json_add_u64(m, "pageblocks_cma", report->cma_blocks);
	zl_json_add_u64(m, "pageblocks_left", report->blocks_left);
	zl_json_add_u64(m, "bytes_left", report->bytes_left);
}

static void add_fix(struct zl_json *o, const struct reserve *r)
{
	struct zl_buf diff = {0};

	reserve_diff(r, &diff);
	if (diff.len > 0 || diff.failed) {
		zl_json_add_text(o, "fix", &diff);
	} else {
		zl_json_add_null(o, "fix");
	}
}

static void add_log(struct zl_json *o, const struct reserve *r)
{
	static const char *const fates[] = {"told", "agrees", "contradicts"};
	struct zl_json *list;

	if (r->nr_log == 0) {
		return;
	}
	list = zl_json_add_array(o, "log");
	for (size_t i = 0; i < r->nr_log; i++) {
		struct zl_json *line = zl_json_push_object(list);

		zl_json_add_string(line, "file", r->file[r->log[i].file].file.name);
		zl_json_add_u64(line, "line", r->log[i].line->line);
		zl_json_add_string(line, "kind", zl_dmesg_kind_name(r->log[i].line->kind));
		zl_json_add_string(line, "text", r->log[i].text);
		zl_json_add_string(line, "fate", fates[r->log[i].fate]);
	}
}

void reserve_json(const struct reserve *r, struct output *out)
{
	struct zl_json *o = output_json(out, "reserve");
	const struct zl_reserve_report *report = &r->report;
	struct zl_json *pools;

	zl_json_add_u64(o, "cma_min_alignment_bytes", report->alignment);
	zl_json_add_u64(o, "total_requested_bytes", report->requested);
	zl_json_add_u64(o, "total_required_bytes", report->required);
	zl_json_add_u64(o, "cma_total_bytes", report->given);
	zl_json_add_u64(o, "corrected_cma_total_bytes", r->corrected.given);
	zl_json_add_u64(o, "cma_areas_used", report->areas);
	zl_json_add_u64(o, "cma_areas_max", report->max_areas);
	pools = zl_json_add_array(o, "pools");
	for (size_t i = 0; i < report->nr_pools; i++) {
		add_pool(pools, r, &report->pool[i]);
	}
	json_add_diags(o, &r->diags);
	add_ports(o, r);
	add_memory(o, r);
	add_log(o, r);
	add_fix(o, r);
	json_add_settings(o, &r->profile.settings);
}
