/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines are those of tracefs. page= holds the id of the allocation, so that a replay names it
 * as the run did; what an op does that no tracepoint tells stands in marks, as a write to
 * trace_marker would.
 */
#include "trace_export.h"

#include <string.h>

#include "recording.h"
#include "workload_keys.h"
#include "zonelab/text.h"

#define SECOND_US  UINT64_C(1000000)
#define PAGE_DIGIT 16

/* Everything up to the fields. */
static void head(
	const struct trace_export *t, const char *flags, const char *event, struct zl_buf *b)
{
	uint64_t part = t->us % SECOND_US;
	char digits[8];

	for (unsigned i = 6; i-- > 0; part /= 10) {
		digits[i] = (char)('0' + part % 10);
	}
	digits[6] = '\0';
	zl_buf_fmt(b, "         zonelab-1       [%s%s%u] %s %U.%s: %s: ", t->cpu < 100 ? "0" : "",
		t->cpu < 10 ? "0" : "", t->cpu, flags, t->us / SECOND_US, digits, event);
}

static void page(uint64_t id, uint64_t pfn, struct zl_buf *b)
{
	char hex[PAGE_DIGIT + 1];

	for (unsigned i = PAGE_DIGIT; i-- > 0; id >>= 4) {
		hex[i] = "0123456789abcdef"[id & 15];
	}
	hex[PAGE_DIGIT] = '\0';
	zl_buf_fmt(b, "page=%s pfn=%x", hex, pfn);
}

static void mark(const struct trace_export *t, struct zl_buf *b)
{
	head(t, ".....", "tracing_mark_write", b);
	zl_buf_str(b, "zonelab: ");
}

static unsigned printed_type(const struct trace_export *t, unsigned mt)
{
	return zl_migratetype_kernel_id((enum zl_migratetype)mt, zl_sim_config(t->sim)->cma);
}

static void block(struct trace_export *t, const char *event, const struct zl_event *e, unsigned mt)
{
	head(t, "d..2.", event, &t->pending);
	page(0, e->pfn, &t->pending);
	zl_buf_fmt(&t->pending, " order=%u migratetype=%u", e->order, printed_type(t, mt));
}

static bool is_request(const struct trace_export *t)
{
	return t->op.kind == ZL_OP_ALLOC || t->op.kind == ZL_OP_ALLOCHA || t->op.kind == ZL_OP_BULK;
}

static void took(struct trace_export *t, const struct zl_event *e)
{
	bool refill = e->cause == ZL_LOCK_REFILL && is_request(t); /* not where pages migrate to */

	block(t, zl_traced_name(ZL_TRACED_TAKE), e, e->mt);
	zl_buf_fmt(&t->pending, " percpu_refill=%u\n",
		refill || (e->order <= ZL_COSTLY_ORDER && e->mt < ZL_MIGRATE_PCPTYPES));
	if (refill) {
		block(t, zl_traced_name(ZL_TRACED_REFILL), e, t->op.mt);
		zl_buf_chr(&t->pending, '\n');
	}
}

static void fell_back(struct trace_export *t, const struct zl_event *e)
{
	const struct zl_sim_config *c = zl_sim_config(t->sim);
	bool whole = e->value == ZL_FALLBACK_WHOLE;
	bool claim = whole || e->value == ZL_FALLBACK_CLAIM;

	if (e->value == ZL_FALLBACK_CMA) {
		return; /* no event in the kernel */
	}
	head(t, "d..2.", zl_traced_name(ZL_TRACED_EXTFRAG), &t->pending);
	page(0, e->pfn, &t->pending);
	zl_buf_fmt(&t->pending,
		" alloc_order=%u fallback_order=%u pageblock_order=%u alloc_migratetype=%u "
		"fallback_migratetype=%u fragmenting=%u change_ownership=%u\n",
		t->op.order, e->order, c->pageblock_order, printed_type(t, e->mt),
		printed_type(
			t, ZL_MIGRATE_MOVABLE == e->mt ? ZL_MIGRATE_UNMOVABLE : ZL_MIGRATE_MOVABLE),
		e->order < c->pageblock_order, claim);
}

static void note_event(void *user, const struct zl_sim *sim, const struct zl_event *e)
{
	struct trace_export *t = user;

	(void)sim;
	if (e->kind == ZL_EVENT_TAKE) {
		took(t, e);
	} else if (e->kind == ZL_EVENT_GIVE && e->cause == ZL_LOCK_DRAIN) {
		block(t, zl_traced_name(ZL_TRACED_DRAIN), e, e->mt);
		zl_buf_chr(&t->pending, '\n');
	} else if (e->kind == ZL_EVENT_FALLBACK) {
		fell_back(t, e);
	}
}

static void zone_marks(struct trace_export *t, const char *kernel)
{
	const struct zl_sim_config *c = zl_sim_config(t->sim);

	mark(t, t->out);
	zl_buf_str(t->out, MARK_EXPORTED "\n");
	if (kernel != NULL && kernel[0] != '\0') {
		mark(t, t->out);
		zl_buf_fmt(t->out, "kernel %s\n", kernel);
	}
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		if (workload_key_wanted(c, (enum workload_key)k)) {
			mark(t, t->out);
			zl_buf_fmt(t->out, "config %s %U\n", workload_keys[k].name,
				workload_key_fetch(c, (enum workload_key)k));
		}
	}
}

void trace_export_begin(
	struct trace_export *t, struct zl_sim *sim, const char *kernel, struct zl_buf *out)
{
	*t = (struct trace_export){.sim = sim, .out = out};
	t->observer = (struct zl_observer){.event = note_event, .user = t};
	zl_sim_subscribe(sim, &t->observer);
	zl_buf_str(out, "# tracer: nop\n#\n"
			"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
			"#              | |         |   |||||     |         |\n");
	zone_marks(t, kernel);
}

void trace_export_op(struct trace_export *t, const struct zl_op *op)
{
	zl_buf_clear(&t->pending);
	t->op = *op;
	t->us++;
	t->cpu = op->kind == ZL_OP_CPU ? op->arg : t->cpu;
}

static void op_mark(const struct trace_export *t)
{
	const bool set = t->op.kind == ZL_OP_SET;
	const struct {
		const char *name;
		uint64_t v;
	} fields[] = {
		{"order", t->op.order},
		{"mt",    t->op.mt   },
		{"key",	t->op.key	 },
		{"id",    t->op.id   },
		{"arg",	t->op.arg	 },
	};

	mark(t, t->out);
	zl_buf_fmt(t->out, "op %s", zl_op_kind_name((enum zl_op_kind)t->op.kind));
	if (set) {
		zl_buf_fmt(t->out, " %s", zl_sim_key_name((enum zl_sim_key)t->op.key));
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].v != 0 && !(set && strcmp(fields[i].name, "key") == 0)) {
			zl_buf_fmt(t->out, " %s=%U", fields[i].name, fields[i].v);
		}
	}
	zl_buf_chr(t->out, '\n');
}

static void allocated(const struct trace_export *t, const struct zl_record *r)
{
	head(t, ".....", zl_traced_name(ZL_TRACED_ALLOC), t->out);
	page(t->op.id, r->pfn < 0 ? 0 : (uint64_t)r->pfn, t->out);
	zl_buf_fmt(t->out, " order=%u migratetype=%u gfp_flags=%s\n", t->op.order, t->op.mt,
		t->op.kind == ZL_OP_ALLOCHA	     ? "GFP_ATOMIC"
		: t->op.mt == ZL_MIGRATE_MOVABLE     ? "GFP_HIGHUSER_MOVABLE"
		: t->op.mt == ZL_MIGRATE_RECLAIMABLE ? "GFP_KERNEL|__GFP_RECLAIMABLE"
						     : "GFP_KERNEL");
}

void trace_export_record(struct trace_export *t, const struct zl_record *r)
{
	bool plain = t->op.key == 0 && t->op.arg == 0;

	if (is_request(t)) {
		zl_buf_mem(t->out, t->pending.data, t->pending.len);
		if (t->op.kind != ZL_OP_ALLOC || !plain) {
			op_mark(t);
		}
		if (t->op.kind != ZL_OP_BULK) {
			allocated(t, r);
		}
		return;
	}
	if (t->op.kind == ZL_OP_FREE && r->pfn >= 0) {
		head(t, ".....", zl_traced_name(ZL_TRACED_FREE), t->out);
		page(t->op.id, (uint64_t)r->pfn, t->out);
		zl_buf_fmt(t->out, " order=%u\n", r->order);
	} else {
		op_mark(t);
	}
	zl_buf_mem(t->out, t->pending.data, t->pending.len);
}

void trace_export_end(struct trace_export *t)
{
	if (t->sim != NULL) {
		zl_buf_done(&t->pending);
		t->sim = NULL;
	}
}
