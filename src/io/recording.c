/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace taken in: parsed once, kept in a compact form. */
#include "recording.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

#define ASK_EVERY 16384u /* events between two looks at the clock and at Ctrl-C */

struct taking {
	struct zl_recording *r;
	const struct zl_patience *patience;
	uint64_t events;
	bool seen[ZL_TRACE_CPUS_MAX];
};

static struct zl_recording *recording_new(const struct zl_allocator *mem)
{
	struct zl_recording *r = mem->realloc(mem->user, NULL, sizeof(*r));

	if (r == NULL) {
		return NULL;
	}
	memset(r, 0, sizeof(*r));
	r->mem = mem;
	r->complete = true;
	r->pfn_min = UINT64_MAX;
	zl_sim_config_init(&r->marks.config);
	r->spool = spool_new(mem);
	if (r->spool == NULL) {
		mem->free(mem->user, r);
		return NULL;
	}
	return r;
}

void zl_recording_free(struct zl_recording *r)
{
	if (r != NULL) {
		spool_free(r->spool);
		r->mem->free(r->mem->user, r);
	}
}

/* The id that an exported run prints behind page=. */
static uint32_t page_id(const struct zl_trace_event *e)
{
	uint64_t v = 0;

	for (size_t i = 0; i < e->page.n && v <= UINT32_MAX; i++) {
		unsigned c = (unsigned char)e->page.s[i];
		unsigned digit = c - '0' < 10u ? c - '0' : (c | 0x20u) - 'a' + 10u;

		if (digit > 15) {
			return 0;
		}
		v = v << 4 | digit;
	}
	return v <= ZL_OP_ID_MAX ? (uint32_t)v : 0;
}

bool recording_kworker(const struct zl_trace_word *comm)
{
	static const char worker[] = "kworker";

	return comm->n >= sizeof(worker) - 1 && memcmp(comm->s, worker, sizeof(worker) - 1) == 0;
}

static void pack(const struct zl_trace_event *e, bool exported, struct spool_event *ret)
{
	*ret = (struct spool_event){.time_ns = e->time_ns,
		.pfn = e->pfn,
		.line = e->line,
		.cpu = (uint16_t)e->cpu,
		.kind = (uint8_t)e->kind,
		.order = e->order,
		.mt = e->migratetype};
	ret->flags =
		(uint8_t)((e->percpu_refill ? SPOOL_REFILL : 0) |
			  (e->change_ownership ? SPOOL_OWNERSHIP : 0) |
			  (e->kind == ZL_TRACED_DRAIN && recording_kworker(&e->comm) ? SPOOL_KWORKER
										     : 0) |
			  (e->fallback_order >= e->pageblock_order && e->pageblock_order > 0
					  ? SPOOL_WHOLE
					  : 0));
	if (e->kind == ZL_TRACED_LOST) {
		ret->value = e->lost > UINT32_MAX ? UINT32_MAX : (uint32_t)e->lost;
	} else if (e->kind == ZL_TRACED_WMARKS) {
		ret->value = (uint32_t)e->wmark_low;
		ret->pfn = e->wmark_high;
		ret->order = (uint8_t)(e->node < 0 ? 0 : e->node);
		ret->high = recording_name_hash(e->zone.s, e->zone.n);
	} else if (exported) {
		ret->value = page_id(e);
	}
}

static void account(struct taking *t, const struct zl_trace_event *e)
{
	struct zl_recording *r = t->r;
	bool paged = e->kind <= ZL_TRACED_EXTFRAG && e->pfn != 0;
	uint64_t end = e->pfn + (UINT64_C(1) << e->order);

	r->events[e->kind]++;
	if (e->kind == ZL_TRACED_LOST) {
		r->lost += e->lost;
	} else if (e->kind < ZL_TRACED_WMARKS) {
		r->first_ns = t->events == 0 || e->time_ns < r->first_ns ? e->time_ns : r->first_ns;
		r->backwards += e->time_ns < r->last_ns;
		r->last_ns = e->time_ns > r->last_ns ? e->time_ns : r->last_ns;
		t->events++;
		r->nr_cpus += !t->seen[e->cpu];
		t->seen[e->cpu] = true;
	}
	if (paged) {
		r->pfn_min = e->pfn < r->pfn_min ? e->pfn : r->pfn_min;
		r->pfn_end = end > r->pfn_end ? end : r->pfn_end;
	}
}

static int take(struct taking *t, const struct zl_trace_event *e)
{
	struct spool_event packed = {0};

	/* Also CPUs that only lost events, or only have marks. */
	t->r->cpus = e->cpu >= t->r->cpus ? e->cpu + 1 : t->r->cpus;
	if (e->kind == ZL_TRACED_MARK) {
		packed.kind = ZL_TRACED_MARK;
		packed.line = e->line;
		packed.cpu = (uint16_t)e->cpu;
		packed.time_ns = e->time_ns;
		t->r->events[ZL_TRACED_MARK]++;
		return recording_mark(&t->r->marks, &e->text, &packed) == 1
			       ? spool_add(t->r->spool, &packed)
			       : 0;
	}
	account(t, e);
	pack(e, t->r->marks.exported, &packed);
	return spool_add(t->r->spool, &packed);
}

bool recording_ends(const struct zl_trace *trace, const struct zl_patience *p)
{
	uint64_t at, size;

	zl_trace_progress(trace, &at, &size);
	return zl_patience_ends(p, at, size);
}

static int take_all(struct taking *t, struct zl_trace *trace, struct zl_error *err)
{
	struct zl_trace_event e;
	uint64_t n = 0;
	int rc;

	while ((rc = zl_trace_next(trace, &e, err)) == 1) {
		rc = take(t, &e);
		if (rc != 0) {
			break;
		}
		if (++n % ASK_EVERY == 0 && recording_ends(trace, t->patience)) {
			t->r->complete = false;
			break;
		}
	}
	zl_trace_report(trace, &t->r->report);
	if (t->r->marks.kernel[0] == '\0') {
		zl_format(t->r->marks.kernel, sizeof(t->r->marks.kernel), "%s",
			zl_trace_kernel(trace));
	}
	if (rc == -EINTR) {
		t->r->complete = false;
		rc = 0;
	}
	if (rc == -ENOSPC) {
		zl_error_set(err, 0, 0,
			"no room for the events in the folder for temporary files; 32 bytes an "
			"event are needed there");
	} else if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for this trace");
	} else if (rc == 0 && t->events == 0 && t->r->complete) {
		zl_error_set(err, 0, 0,
			"no kmem event in it; zonelab(1) says how to record mm_page_alloc and the "
			"others");
		rc = -ENODATA;
	}
	return rc;
}

static int take_in(struct zl_trace *trace, const struct zl_allocator *mem,
	const struct zl_patience *patience, struct zl_recording **ret, struct zl_error *err)
{
	struct taking *t = mem->realloc(mem->user, NULL, sizeof(*t));
	int rc = -ENOMEM;

	if (t != NULL) {
		memset(t, 0, sizeof(*t));
		t->patience = patience;
		t->r = recording_new(mem);
		rc = t->r != NULL ? take_all(t, trace, err) : -ENOMEM;
		if (rc == 0) {
			*ret = t->r;
		} else {
			zl_recording_free(t->r);
		}
		mem->free(mem->user, t);
	}
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for this trace");
	}
	zl_trace_close(trace);
	return rc;
}

int zl_recording_load(const char *path, const struct zl_allocator *mem,
	const struct zl_patience *patience, struct zl_recording **ret, struct zl_error *err)
{
	struct zl_trace *trace = NULL;
	int rc = zl_trace_open(path, mem, &trace, err);

	rc = rc != 0 ? rc : take_in(trace, mem, patience, ret, err);
	if (rc != 0) {
		zl_error_file(err, path);
	}
	return rc;
}

int zl_recording_from_memory(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_recording **ret, struct zl_error *err)
{
	struct zl_trace *trace = NULL;
	int rc = zl_trace_open_memory(data, size, mem, &trace, err);

	return rc != 0 ? rc : take_in(trace, mem, NULL, ret, err);
}

uint64_t zl_recording_count(const struct zl_recording *r, uint64_t start_pfn, uint64_t spanned)
{
	struct spool_reader reader;
	struct spool_event e;
	uint64_t n = 0;

	spool_start(&reader, r->spool);
	while (spool_next(&reader, &e) == 1) {
		bool paged = e.kind <= ZL_TRACED_EXTFRAG && e.pfn != 0;

		n += paged && (spanned == 0 || (e.pfn >= start_pfn && e.pfn - start_pfn < spanned));
	}
	return n;
}
