/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Life of the CMA doctor's state: read, plan, correct, compare.
 */
#include "reserve.h"

#include <errno.h>
#include <string.h>

#include "table.h"
#include "zonelab/text.h"

#define COMMENT_WIDTH 70u

/* A pool that is moved needs less than the region around what was asked. */
static uint64_t required_bytes(
	const struct zl_pool *p, const struct zl_request *q, const struct zl_request *want)
{
	bool changed =
		q->kind == ZL_REQUEST_NODE && (want->size != q->size || want->base != q->base);

	return changed ? want->size : p->required_bytes;
}

uint64_t reserve_total_required(const struct zl_reserve_report *report,
	const struct zl_request *have, const struct zl_request *want)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < report->nr_pools; i++) {
		const struct zl_pool *p = &report->pool[i];
		uint64_t bytes = required_bytes(p, &have[p->request], &want[p->request]);

		if (p->class == ZL_POOL_CMA && p->verdict != ZL_VERDICT_BYPASSED) {
			sum += bytes <= UINT64_MAX - sum ? bytes : UINT64_MAX - sum;
		}
	}
	return sum;
}

static void collect_fix(struct reserve *r, struct reserve_file *f)
{
	zl_dts_fix_collect(f->dts, &r->have, r->want, &f->fix);
	for (size_t i = 0; i < r->nr_removed; i++) {
		if (zl_dts_holds(f->dts, r->removed[i])) {
			zl_dts_fix_remove(f->dts, r->removed[i], &f->fix);
		}
	}
}

/* Pools that were asked for by hand are new nodes of the first tree that has a place for them. */
static void collect_new(struct reserve *r)
{
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const size_t request = r->report.pool[i].request;
		bool *added = &r->added[request];

		*added = false;
		if (r->have.request[request].source != ZL_SOURCE_MANUAL ||
			r->corrected.pool[i].verdict != ZL_VERDICT_ACCEPTED) {
			continue;
		}
		for (size_t k = 0; k < r->nr_files && !*added; k++) {
			*added = r->file[k].dts != NULL &&
				 zl_dts_fix_add(r->file[k].dts, &r->want[request], &r->file[k].fix);
		}
	}
}

void reserve_replan(struct reserve *r)
{
	r->in.nr_requests = r->nr_planned;
	zl_reserve_plan(&r->in, &r->report);
	zl_reserve_correct(&r->in, &r->report, r->want, &r->corrected);
	for (size_t i = r->nr_planned; i < r->have.nr_requests; i++) {
		r->want[i] = r->have.request[i];
	}
	r->report.required = reserve_total_required(&r->report, r->have.request, r->want);
	for (size_t i = 0; i < r->nr_files; i++) {
		if (r->file[i].dts != NULL) {
			collect_fix(r, &r->file[i]);
		}
	}
	collect_new(r);
	reserve_ports(r);
}

void reserve_again(struct reserve *r)
{
	r->have.nr_requests = r->nr_planned;
	r->diags.count = r->nr_read_diags;
	r->nr_log = 0;
	reserve_replan(r);
	reserve_findings(r);
	reserve_read_logs(r);
}

int reserve_new(const struct lane *lane, const struct reserve_request *request,
	const struct zl_allocator *a, struct reserve **ret, struct zl_error *err)
{
	struct reserve *r = a->realloc(a->user, NULL, sizeof(*r));
	int e;

	if (r == NULL) {
		zl_error_set(err, 0, 0, "no memory for the answer");
		return -ENOMEM;
	}
	memset(r, 0, sizeof(*r));
	r->alloc = a;
	e = reserve_load(r, lane, request, err);
	if (e == 0) {
		e = reserve_add_requests(r, request, err);
	}
	if (e != 0) {
		reserve_free(r);
		return e;
	}
	r->nr_planned = r->have.nr_requests;
	r->nr_read_diags = r->diags.count;
	reserve_map(r);
	reserve_again(r);
	*ret = r;
	return 0;
}

void reserve_free(struct reserve *r)
{
	if (r == NULL) {
		return;
	}
	for (size_t i = 0; i < r->nr_files; i++) {
		zl_dts_free(r->file[i].dts);
		if (r->file[i].has_log) {
			zl_dmesg_done(&r->file[i].log, r->alloc);
		}
		zl_file_done(&r->file[i].file, r->alloc);
	}
	zl_profile_done(&r->profile, r->alloc);
	r->alloc->free(r->alloc->user, r);
}

void reserve_diff(const struct reserve *r, struct zl_buf *out)
{
	for (size_t i = 0; i < r->nr_files; i++) {
		if (r->file[i].dts != NULL && !r->file[i].dts->blob) {
			zl_dts_fix_diff(r->file[i].dts, &r->file[i].fix, out);
		}
	}
}

const char *reserve_pool_name(const struct reserve *r, const struct zl_pool *pool)
{
	return r->have.request[pool->request].name;
}

bool reserve_required(const struct reserve *r, const struct zl_pool *pool, uint64_t *ret_bytes,
	uint64_t *ret_base)
{
	const struct zl_request *q = &r->have.request[pool->request];
	const struct zl_request *want = &r->want[pool->request];

	*ret_bytes = required_bytes(pool, q, want);
	*ret_base = pool->required_base;
	if (q->kind == ZL_REQUEST_NODE && (want->size != q->size || want->base != q->base)) {
		*ret_base = want->base;
	}
	return pool->required_base_known;
}

static void size_with_suffix(struct zl_text *t, uint64_t v)
{
	static const struct {
		unsigned shift;
		char letter;
	} units[] = {
		{30, 'G'},
		   {20, 'M'},
		      {10, 'K'}
	       };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (v != 0 && (v & ((UINT64_C(1) << units[i].shift) - 1)) == 0) {
			zl_text_u64(t, v >> units[i].shift);
			zl_text_chr(t, units[i].letter);
			return;
		}
	}
	zl_text_u64(t, v);
}

static void rewrite_default(
	const struct zl_request *q, const struct zl_pool *pool, struct zl_text *t)
{
	if (q->source == ZL_SOURCE_CONFIG) {
		zl_text_fmt(t, "CONFIG_CMA_SIZE_MBYTES=%U", pool->required_bytes >> 20);
		return;
	}
	zl_text_str(t, "cma=");
	size_with_suffix(t, q->size);
	if (q->base != 0) {
		zl_text_fmt(t, "@%x", q->base);
	}
	if (q->limit != 0 && q->limit != q->base + q->size) {
		zl_text_fmt(t, "-%x", q->limit);
	}
}

/* The tree's entry whose cells count for a request: its own, else the first one; NULL = no tree. */
static const struct zl_reservation_origin *origin_of(
	const struct reserve *r, const struct zl_request *q)
{
	const struct zl_reservation_origin *first = NULL;

	for (size_t i = 0; i < r->have.nr_requests; i++) {
		const struct zl_request *one = &r->have.request[i];
		bool tree = one->source == ZL_SOURCE_DTS || one->source == ZL_SOURCE_DTB;

		if (tree && i == q->origin) {
			return &r->have.origin[i];
		}
		first = tree && first == NULL ? &r->have.origin[i] : first;
	}
	return first;
}

/* The line to write: as device-tree source, cma= or a Kconfig symbol. */
size_t reserve_rewrite(const struct reserve *r, size_t pool, char *buf, size_t size)
{
	const struct zl_pool *p = &r->report.pool[pool];
	const struct zl_request *q = &r->want[p->request];
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (q->kind == ZL_REQUEST_DEFAULT) {
		rewrite_default(q, p, &t);
	} else if (q->kind == ZL_REQUEST_NODE) {
		const struct zl_request *have = &r->have.request[p->request];
		const struct zl_reservation_origin *o = origin_of(r, q);

		if (q->alignment != have->alignment) {
			zl_text_str(&t, "alignment = <");
			zl_dts_cells(&t, q->alignment, o != NULL ? o->address_cells : 2);
			zl_text_str(&t, q->size != have->size ? ">; " : ">;");
		}
		if (q->alignment != have->alignment && q->size == have->size) {
			return t.len;
		}
		zl_text_str(&t, q->has_reg ? "reg = <" : "size = <");
		if (q->has_reg) {
			zl_dts_cells(&t, q->base, o != NULL ? o->address_cells : 2);
			zl_text_chr(&t, ' ');
		}
		zl_dts_cells(&t, q->size, o != NULL ? o->size_cells : 2);
		zl_text_str(&t, ">;");
	}
	return t.len;
}

bool reserve_is_written(const struct reserve *r, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];
	const struct zl_request *want = &r->want[p->request];

	return q->size != want->size || q->base != want->base || q->limit != want->limit ||
	       q->alignment != want->alignment;
}

/* A line of comment, wrapped; later lines are comments too. */
static void comment(struct zl_buf *out, const char *name, const char *text)
{
	struct zl_buf line = {0}, all = {0};

	zl_buf_fmt(&line, "%s: %s", name, text);
	text_wrap(&all, 0, COMMENT_WIDTH, zl_buf_text(&line));
	for (const char *s = zl_buf_text(&all), *end; (end = strchr(s, '\n')) != NULL;
		s = end + 1) {
		zl_buf_str(out, "# ");
		zl_buf_mem(out, s, (size_t)(end + 1 - s));
	}
	zl_buf_done_in(&line, out);
	zl_buf_done_in(&all, out);
}

/* What stays without memory whatever is written, and why. */
static void not_mended(const struct reserve *r, size_t pool, struct zl_buf *out)
{
	const struct zl_pool *p = &r->corrected.pool[pool];
	char text[ZL_POOL_REASON + 64];

	if (p->class != ZL_POOL_CMA ||
		(p->verdict != ZL_VERDICT_REFUSED && p->verdict != ZL_VERDICT_NO_ROOM &&
			p->overlaps == 0)) {
		return;
	}
	if (p->verdict == ZL_VERDICT_ACCEPTED) {
		zl_format(text, sizeof(text), "no fix: it shares memory with %s",
			reserve_pool_name(r, &r->corrected.pool[p->overlaps - 1]));
	} else if (p->reason == ZL_REASON_SIZE || p->reason == ZL_REASON_BASE ||
		   p->reason == ZL_REASON_BASE_SIZE) {
		zl_format(text, sizeof(text),
			"no fix: no hole for %Z at a multiple of %Z beside the others",
			zl_required_size(r->have.request[p->request].size, r->corrected.alignment),
			r->corrected.alignment);
	} else {
		zl_format(text, sizeof(text), "no fix: %s", p->text);
	}
	comment(out, reserve_pool_name(r, p), text);
}

void reserve_fix_text(const struct reserve *r, struct zl_buf *out)
{
	size_t lost = 0;

	reserve_diff(r, out);
	for (size_t i = 0; i < r->nr_files; i++) {
		lost += r->file[i].dts != NULL ? r->file[i].fix.lost : 0;
	}
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];
		bool node = r->have.request[p->request].kind == ZL_REQUEST_NODE;
		char line[160];

		if (p->class == ZL_POOL_CMA && reserve_is_written(r, p) && !r->added[p->request] &&
			(!node || lost > 0 ||
				r->have.request[p->request].source == ZL_SOURCE_MANUAL)) {
			reserve_rewrite(r, i, line, sizeof(line));
			comment(out, reserve_pool_name(r, p), line);
		}
		not_mended(r, i, out);
	}
}
