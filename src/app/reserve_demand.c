/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers about what goes into a pool.
 */
#include "reserve_demand.h"

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

void demand_text(
	const struct zl_demand *d, size_t n, const struct zl_demand_plan *plan, struct output *out)
{
	static const struct column columns[] = {
		{"what",	 "buffers", false},
		{"bytes", "each",	  true },
		{"count", "count",   true },
	};
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < n; i++) {
		table_text(&t, d[i].what);
		table_bytes(&t, d[i].bytes);
		table_number(&t, d[i].count);
	}
	table_print(&t);
	zl_buf_fmt(&out->text, "%N buffers of %Z, %Z packed with their alignment\n", plan->buffers,
		plan->buffer_bytes, plan->packed_bytes);
	zl_buf_fmt(&out->text, "pool: %Z, size = <%x %x>;\n", plan->pool_bytes,
		plan->pool_bytes >> 32, plan->pool_bytes & UINT32_MAX);
}

void demand_json(const struct zl_demand *d, size_t n, const struct zl_demand_plan *plan,
	struct zl_json *object)
{
	struct zl_json *o = zl_json_add_object(object, "demand");
	struct zl_json *list = zl_json_add_array(o, "buffers");

	for (size_t i = 0; i < n; i++) {
		struct zl_json *b = zl_json_push_object(list);

		zl_json_add_string(b, "what", d[i].what);
		zl_json_add_u64(b, "bytes", d[i].bytes);
		zl_json_add_u64(b, "count", d[i].count);
	}
	zl_json_add_u64(o, "count", plan->buffers);
	zl_json_add_u64(o, "buffer_bytes", plan->buffer_bytes);
	zl_json_add_u64(o, "packed_bytes", plan->packed_bytes);
	zl_json_add_u64(o, "pool_bytes", plan->pool_bytes);
}

static void op_sentence(const struct replay *r, const struct replay_op *op, struct zl_buf *b)
{
	const struct zl_cma_alloc *a = &op->alloc;

	if (op->free) {
		zl_buf_fmt(b, "free %u", op->number);
		return;
	}
	zl_buf_fmt(b, "%u: alloc %N pages, %Z, align %u: ", op->number, a->pages,
		a->pages * r->page_size, a->align_order);
	if (a->result == ZL_CMA_OK) {
		zl_buf_fmt(b, "page %N", a->start);
	} else if (a->result == ZL_CMA_EBUSY) {
		zl_buf_fmt(b,
			a->tries == 1 ? "EBUSY: %u run tried, with a pinned page"
				      : "EBUSY: %u runs tried, each with a pinned page",
			a->tries);
	} else {
		zl_buf_str(b, "ENOMEM: no run is long enough");
	}
}

void replay_text(const struct replay *r, struct output *out)
{
	zl_buf_fmt(
		&out->text, "pool of %N pages, %Z\n", r->area.pages, r->area.pages * r->page_size);
	for (size_t i = 0; i < r->nr_ops; i++) {
		zl_buf_str(&out->text, "  ");
		op_sentence(r, &r->op[i], &out->text);
		zl_buf_chr(&out->text, '\n');
	}
	zl_buf_fmt(&out->text, "%U failed; %N pages free at the end, longest run %N\n",
		(uint64_t)r->nr_failed, r->free_pages, r->longest_run);
}

void replay_json(const struct replay *r, struct zl_json *object)
{
	struct zl_json *o = zl_json_add_object(object, "replay");
	struct zl_json *list = zl_json_add_array(o, "ops");

	zl_json_add_u64(o, "pages", r->area.pages);
	zl_json_add_u64(o, "failed", r->nr_failed);
	zl_json_add_u64(o, "free_pages", r->free_pages);
	zl_json_add_u64(o, "longest_run", r->longest_run);
	for (size_t i = 0; i < r->nr_ops; i++) {
		const struct replay_op *op = &r->op[i];
		struct zl_json *j = zl_json_push_object(list);

		zl_json_add_string(j, "op", op->free ? "free" : "alloc");
		zl_json_add_u64(j, "number", op->number);
		if (op->free) {
			continue;
		}
		zl_json_add_u64(j, "pages", op->alloc.pages);
		zl_json_add_u64(j, "align_order", op->alloc.align_order);
		zl_json_add_string(j, "result", zl_cma_result_name(op->alloc.result));
		zl_json_add_u64(j, "tries", op->alloc.tries);
		if (op->alloc.result == ZL_CMA_OK) {
			zl_json_add_u64(j, "start", op->alloc.start);
		} else {
			zl_json_add_null(j, "start");
		}
	}
}
