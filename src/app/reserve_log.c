/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot log lines in bytes, pages and cause, beside the plan. A pool's story is two lines: what the
 * set-up function said, and then the node's name. Pools that only the log knows become rows.
 */
#include <string.h>

#include "reserve.h"
#include "zonelab/cma_bitmap.h"
#include "zonelab/text.h"

#define MIB_MAX	  (UINT64_C(1) << 30) /* larger figures of a log are nonsense */
#define KIB_SHIFT 10
#define MIB_SHIFT 20

/* What the lines so far said, waiting for the name of the node. */
struct story {
	struct reserve *r;
	enum zl_pool_class class;
	enum zl_pool_verdict verdict; /* NONE = nothing is waiting */
	bool base_known;
	uint64_t base, size;
	bool area_refused; /* a reason stood before "Failed to reserve" */
	unsigned nr_areas;
	char message[ZL_POOL_MESSAGE];
};

static uint64_t bytes_of(const struct zl_dmesg_line *l)
{
	if (l->mib > 0) {
		return l->mib <= MIB_MAX ? l->mib << MIB_SHIFT : 0;
	}
	return l->kib <= MIB_MAX ? l->kib << KIB_SHIFT : 0;
}

static uint64_t low_bit(uint64_t v)
{
	return v & (~v + 1);
}

static struct reserve_log_line *tell(
	struct reserve *r, size_t file, const struct zl_dmesg_line *l, const char *fmt, ...)
{
	struct reserve_log_line *line;
	struct zl_text t;
	va_list ap;

	line = &r->log[r->nr_log < RESERVE_LOG_MAX ? r->nr_log++ : RESERVE_LOG_MAX - 1];
	*line = (struct reserve_log_line){.file = file, .line = l, .fate = RESERVE_LOG_TOLD};
	zl_text_init(&t, line->text, sizeof(line->text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	return line;
}

/* --- agreement --- */

static void agree(struct reserve *r, struct reserve_log_line *line, bool same, const char *model)
{
	line->fate = same ? RESERVE_LOG_AGREES : RESERVE_LOG_CONTRADICTS;
	if (!same) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_LOG_CONTRADICTS,
			"%s:%u: the log contradicts the model: %s; is it the same tree, kernel and "
			"configuration?",
			r->file[line->file].file.name, line->line->line, model);
	}
}

static const struct zl_pool *planned(const struct reserve *r, const char *name)
{
	for (size_t i = 0; i < r->nr_planned && i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];

		if (r->have.request[p->request].kind == ZL_REQUEST_NODE &&
			strcmp(r->have.request[p->request].name, name) == 0) {
			return p;
		}
	}
	return NULL;
}

static const struct zl_pool *planned_default(const struct reserve *r)
{
	const struct zl_pool *found = NULL;

	for (size_t i = 0; i < r->nr_planned && i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];

		if (r->have.request[p->request].kind == ZL_REQUEST_DEFAULT &&
			p->verdict != ZL_VERDICT_BYPASSED) {
			found = p;
		}
	}
	return found;
}

static bool same_verdict(const struct zl_pool *p, enum zl_pool_verdict v)
{
	bool refused = v == ZL_VERDICT_REFUSED || v == ZL_VERDICT_NO_ROOM;
	bool bad = p->verdict == ZL_VERDICT_REFUSED || p->verdict == ZL_VERDICT_NO_ROOM;

	return v == p->verdict || (refused && bad);
}

static void compare(struct reserve *r, struct reserve_log_line *line, const struct zl_pool *p,
	const struct story *s)
{
	char model[160];
	bool same = same_verdict(p, s->verdict);

	zl_format(model, sizeof(model), "%s is %s there", reserve_pool_name(r, p),
		zl_pool_verdict_name(p->verdict));
	if (same && s->base_known && p->base_known && p->size > 0 && s->base != p->base) {
		/* Without all reservations an address is a guess, not a contradiction. */
		if (!r->iomem && !r->have.request[p->request].has_reg) {
			return;
		}
		same = false;
		zl_format(model, sizeof(model), "%s is at %x there", reserve_pool_name(r, p),
			p->base);
	}
	agree(r, line, same, model);
}

/* --- pools that only a log knows --- */

static void add_pool(struct story *s, const char *name)
{
	struct reserve *r = s->r;
	struct zl_request *q;
	struct zl_pool *p;

	if (r->have.nr_requests == ZL_POOLS_MAX || r->report.nr_pools == ZL_POOLS_MAX ||
		r->nr_planned > 0) {
		return;
	}
	q = &r->have.request[r->have.nr_requests];
	*q = (struct zl_request){.kind = ZL_REQUEST_NODE,
		.source = ZL_SOURCE_LOG,
		.dma_pool = true,
		.reusable = s->class == ZL_POOL_CMA,
		.has_reg = s->base_known,
		.base = s->base,
		.size = s->size,
		.node = ZL_ANY_NODE};
	zl_format(q->name, sizeof(q->name), "%s", name);
	r->want[r->have.nr_requests] = *q;
	p = &r->report.pool[r->report.nr_pools++];
	*p = (struct zl_pool){.request = r->have.nr_requests++,
		.class = s->class,
		.verdict = s->verdict,
		.placement = s->base_known ? ZL_PLACEMENT_PLACED : ZL_PLACEMENT_UNKNOWN,
		.reason = ZL_REASON_FITS,
		.base_known = s->base_known,
		.base = s->base,
		.size = s->verdict == ZL_VERDICT_ACCEPTED ? s->size : 0,
		.alignment = r->report.alignment,
		.required_bytes = s->class == ZL_POOL_CMA && s->size > 0
					  ? zl_required_size(s->size, r->report.alignment)
					  : s->size,
		.required_base = s->base,
		.required_base_known = s->base_known,
		.nr_messages = 1};
	p->waste = p->required_bytes - q->size;
	zl_format(p->message[0], sizeof(p->message[0]), "%s", s->message);
	zl_format(p->text, sizeof(p->text), "as the log says");
	r->report.nr_refused += s->verdict == ZL_VERDICT_REFUSED;
	r->report.nr_no_room += s->verdict == ZL_VERDICT_NO_ROOM;
	if (p->size > 0 && p->base_known) {
		zl_ranges_add(&r->report.map.reserved, p->base, p->size);
	}
	if (s->class == ZL_POOL_CMA) {
		r->report.requested += q->size;
		r->report.required += p->required_bytes;
		r->report.given += p->size;
		r->report.areas += s->verdict == ZL_VERDICT_ACCEPTED;
	}
}

static void keep_message(struct story *s, const struct zl_dmesg_line *l, const char *data)
{
	const char *begin = l->text;
	size_t n;

	/* The text of a line may be a part of it: take the whole from its column on. */
	while (begin > data && begin[-1] != '\n') {
		begin--;
	}
	begin += l->column > 0 ? l->column - 1 : 0;
	n = strcspn(begin, "\r\n");
	zl_format(s->message, sizeof(s->message), "");
	for (size_t i = 0, k = 0; i < n && k + 1 < sizeof(s->message); i++) {
		unsigned char c = (unsigned char)begin[i];

		s->message[k++] = c < ' ' || c == 0x7f ? '?' : (char)c;
		s->message[k] = '\0';
	}
}

/* --- what a log reveals --- */

/* An address or size of a CMA area limits the alignment from above. */
static void alignment_at_most(struct reserve *r, struct reserve_log_line *line, uint64_t most)
{
	char model[160];

	if (most == 0 || most >= r->report.alignment) {
		return;
	}
	zl_format(model, sizeof(model), "the alignment is at most %Z, %Z in the model", most,
		r->report.alignment);
	agree(r, line, false, model);
}

static void alignment_is(struct reserve *r, struct reserve_log_line *line, uint64_t align)
{
	unsigned order = 0;
	char model[160];

	while (r->machine.geometry.page_size << order < align && order < 40) {
		order++;
	}
	zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_LOG_REVEALS,
		"%s:%u: the log shows an alignment of %Z: pageblock_order %u with pages of %Z",
		r->file[line->file].file.name, line->line->line, align, order,
		r->machine.geometry.page_size);
	zl_format(model, sizeof(model), "%Z in the model", r->report.alignment);
	agree(r, line, align == r->report.alignment, model);
}

/* --- lines --- */

static void node_named(struct story *s, size_t file, const struct zl_dmesg_line *l, bool set_up)
{
	struct reserve *r = s->r;
	struct reserve_log_line *line = tell(r, file, l,
		set_up ? "%s: set up" : "%s: refused; its memory goes back to the page allocator",
		l->name);
	const struct zl_pool *p = planned(r, l->name);

	if (s->verdict == ZL_VERDICT_NONE) {
		s->verdict = set_up ? ZL_VERDICT_ACCEPTED : ZL_VERDICT_REFUSED;
		s->class = ZL_POOL_CMA;
		s->base_known = false;
		s->size = 0;
	}
	if (p != NULL) {
		compare(r, line, p, s);
	} else {
		add_pool(s, l->name);
	}
	s->verdict = ZL_VERDICT_NONE;
}

static void pool_created(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	bool cma = l->kind == ZL_DMESG_POOL_CMA;
	uint64_t size = bytes_of(l);
	struct reserve_log_line *line = tell(s->r, file, l,
		cma ? "CMA pool of %Z, %N pages, at %x"
		    : "coherent DMA pool of %Z, %N pages, at "
		      "%x: lost to the page allocator",
		size, size / s->r->machine.geometry.page_size, l->base);

	s->class = cma ? ZL_POOL_CMA : ZL_POOL_COHERENT;
	s->verdict = ZL_VERDICT_ACCEPTED;
	s->base_known = true;
	s->base = l->base;
	s->size = size;
	if (cma) {
		alignment_at_most(s->r, line, low_bit(l->base | size));
	}
}

static void area_done(struct story *s, size_t file, const struct zl_dmesg_line *l, bool done)
{
	struct reserve *r = s->r;
	uint64_t size = bytes_of(l);
	uint64_t page = r->machine.geometry.page_size;
	const struct zl_pool *p = planned_default(r);
	struct reserve_log_line *line;
	char name[32];

	if (done) {
		line = tell(r, file, l,
			r->machine.switches.cma_log_rounded
				? "area of %Z, %N pages, at %x (size as taken)"
				: "area of %Z, %N pages, at %x (size as asked; %Z are taken)",
			size, size / page, l->base, zl_round_up(size, r->report.alignment));
	} else {
		line = tell(
			r, file, l, "area of %Z not reserved; the boot goes on without it", size);
	}
	s->class = ZL_POOL_CMA;
	s->verdict = done	       ? ZL_VERDICT_ACCEPTED
		     : s->area_refused ? ZL_VERDICT_REFUSED
				       : ZL_VERDICT_NO_ROOM;
	s->base_known = done;
	s->base = done ? l->base : 0;
	s->size = size;
	if (done) {
		alignment_at_most(r, line, low_bit(l->base));
	}
	if (p != NULL && s->nr_areas == 0) {
		compare(r, line, p, s);
	} else if (p == NULL) {
		zl_format(name, sizeof(name), s->nr_areas == 0 ? "reserved" : "reserved-%u",
			s->nr_areas + 1);
		add_pool(s, name);
	}
	s->nr_areas++;
	s->verdict = ZL_VERDICT_NONE;
	s->area_refused = false;
}

static void no_memory(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	struct reserve_log_line *line = tell(s->r, file, l,
		"%s: no hole of %Z with its alignment in its window", l->name, bytes_of(l));
	const struct zl_pool *p = planned(s->r, l->name);

	s->class = ZL_POOL_CMA;
	s->verdict = ZL_VERDICT_NO_ROOM;
	s->base_known = false;
	s->base = 0;
	s->size = bytes_of(l);
	if (p != NULL) {
		compare(s->r, line, p, s);
	} else {
		add_pool(s, l->name);
	}
	s->verdict = ZL_VERDICT_NONE;
}

static void area_refused(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	s->area_refused = true;
	if (l->kind == ZL_DMESG_CMA_MISALIGNED) {
		alignment_is(s->r,
			tell(s->r, file, l, "a fixed base %x is no multiple of %Z", l->base,
				l->align),
			l->align);
	} else if (l->kind == ZL_DMESG_CMA_EXCEEDS) {
		tell(s->r, file, l,
			"size rounded up to %Z at %x passes the limit rounded down to %x", l->size,
			l->base, l->limit);
	} else {
		tell(s->r, file, l, "area at %x lies across the start of high memory %x", l->base,
			l->limit);
	}
}

static void memory_line(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	struct reserve *r = s->r;
	struct reserve_log_line *line = tell(r, file, l, "CmaTotal %N KiB: %Z, %N pages",
		l->cma_kib, l->cma_kib << KIB_SHIFT,
		(l->cma_kib << KIB_SHIFT) / r->machine.geometry.page_size);
	bool all = zl_settings_given(&r->profile.settings, ZL_SET_CMA_SIZE) || r->in.cmdline_cma ||
		   planned_default(r) != NULL;
	char model[160];

	/* The default area counts too: without a word on it there is nothing to compare. */
	if (!all || r->nr_planned == 0) {
		return;
	}
	zl_format(model, sizeof(model), "%N KiB there", r->report.given >> KIB_SHIFT);
	agree(r, line, l->cma_kib == r->report.given >> KIB_SHIFT, model);
}

static void grouping(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	struct reserve *r = s->r;
	struct reserve_log_line *line = tell(r, file, l, "mobility grouping %b with %N pages, %Z",
		l->flag, l->pages, l->pages * r->machine.geometry.page_size);

	if (r->map.known) {
		agree(r, line, r->machine.grouping == l->flag,
			r->machine.grouping ? "it is on there" : "it is off there");
	}
}

static void alloc_failed(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	const char *why = l->number == -12   ? "ENOMEM: no run of free pages is long enough"
			  : l->number == -16 ? "EBUSY: pages in the way cannot be moved"
					     : "failed";

	tell(s->r, file, l, "%s%srequest of %N pages, %Z: %s", l->name,
		l->name[0] != '\0' ? ": " : "", l->pages,
		l->pages * s->r->machine.geometry.page_size, why);
}

static void available(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	struct zl_cma_runs runs;
	uint64_t page = s->r->machine.geometry.page_size;

	if (zl_cma_runs_parse(l->text, l->text_len, &runs) != 0) {
		tell(s->r, file, l,
			l->pages == 0 ? "%N of %N pages free: every request gets ENOMEM"
				      : "%N of %N pages free",
			l->pages, l->total);
		return;
	}
	runs.free = l->pages;
	runs.total = l->total;
	tell(s->r, file, l,
		"%N of %N pages free in %N runs; the longest is %N pages, %Z: larger requests get "
		"ENOMEM, aligned ones above %N pages too%s",
		runs.free, runs.total, (uint64_t)runs.count, runs.longest, runs.longest * page,
		zl_cma_runs_largest(&runs, 0, 8, true),
		runs.free != runs.sum && !runs.cut ? " (the printed total is not the sum of the "
						     "runs: order_per_bit above 0, before 5.1)"
						   : "");
}

/* What was refused, or is wrong with the tree: one sentence each. */
static const char *plain_sentence(enum zl_dmesg_kind kind)
{
	static const struct {
		enum zl_dmesg_kind kind;
		const char *text;
	} rows[] = {
		{ZL_DMESG_CMA_NO_SLOTS,	"all CMA areas are taken: raise CONFIG_CMA_AREAS"			 },
		{ZL_DMESG_CMA_ORDER_ZERO,	  "an area before pageblock_order is known"				   },
		{ZL_DMESG_CMA_NO_STRING,	 "cma= without a value is ignored"					  },
		{ZL_DMESG_RMEM_SETUP_FAILED, "a node could not become a CMA area"					 },
		{ZL_DMESG_RMEM_BAD_FORMAT,   "/reserved-memory has other cells than the root or no "
					   "ranges: all of it is ignored"},
		{ZL_DMESG_RMEM_BAD_SIZE,	 "size does not have #size-cells cells: skipped"			},
		{ZL_DMESG_RMEM_NO_SPACE,	 "more than 64 reserved regions"					},
		{ZL_DMESG_RMEM_NOT_RESERVED, "a region could not be reserved"					     },
		{ZL_DMESG_RMEM_OVERLAP,	"two regions share memory (after a refused dynamic node "
					"6.12 to 7.0 say so falsely)"	     },
		{ZL_DMESG_RMEM_NONE,	     "the tree has no /reserved-memory"				       },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind == kind) {
			return rows[i].text;
		}
	}
	return NULL;
}

static void named_lines(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	const char *sentence = plain_sentence(l->kind);

	if (sentence != NULL) {
		tell(s->r, file, l, "%s%s%s", l->name, l->name[0] != '\0' ? ": " : "", sentence);
	} else if (l->kind == ZL_DMESG_RMEM_MISALIGNED) {
		s->verdict = ZL_VERDICT_REFUSED;
		s->class = ZL_POOL_CMA;
		s->base_known = false;
		s->base = 0;
		s->size = 0;
		tell(s->r, file, l,
			"base or size of a CMA node is no multiple of the alignment (%Z here)",
			s->r->report.alignment);
	} else if (l->kind == ZL_DMESG_RMEM_BYPASS || l->kind == ZL_DMESG_RMEM_SKIP_DEFAULT) {
		s->verdict = ZL_VERDICT_BYPASSED;
		tell(s->r, file, l, "%s%scma= wins over the node with linux,cma-default", l->name,
			l->name[0] != '\0' ? ": " : "");
	} else if (l->kind == ZL_DMESG_CMA_NOT_ACTIVATED) {
		tell(s->r, file, l, "%s: crosses zones or is not all memory; given back", l->name);
	} else if (l->kind == ZL_DMESG_CONTIG_BUSY) {
		tell(s->r, file, l, "EBUSY: pages %x-%x could not be moved", l->base, l->end - 1);
	} else if (l->kind == ZL_DMESG_HUGETLB_CMA) {
		tell(s->r, file, l, "hugetlb_cma: %Z", bytes_of(l));
	}
}

static void one_line(struct story *s, size_t file, const struct zl_dmesg_line *l)
{
	if (l->kind == ZL_DMESG_POOL_CMA || l->kind == ZL_DMESG_POOL_DMA) {
		keep_message(s, l, s->r->file[file].file.data);
		pool_created(s, file, l);
	} else if (l->kind == ZL_DMESG_RMEM_INITIALIZED || l->kind == ZL_DMESG_RMEM_MATCH_FAIL) {
		if (s->verdict == ZL_VERDICT_NONE) {
			keep_message(s, l, s->r->file[file].file.data);
		}
		node_named(s, file, l, l->kind == ZL_DMESG_RMEM_INITIALIZED);
	} else if (l->kind == ZL_DMESG_CMA_RESERVED || l->kind == ZL_DMESG_CMA_FAILED) {
		keep_message(s, l, s->r->file[file].file.data);
		area_done(s, file, l, l->kind == ZL_DMESG_CMA_RESERVED);
	} else if (l->kind == ZL_DMESG_RMEM_NO_MEMORY) {
		keep_message(s, l, s->r->file[file].file.data);
		no_memory(s, file, l);
	} else if (l->kind == ZL_DMESG_CMA_MISALIGNED || l->kind == ZL_DMESG_CMA_EXCEEDS ||
		   l->kind == ZL_DMESG_CMA_BOUNDARY) {
		area_refused(s, file, l);
	} else if (l->kind == ZL_DMESG_MEMORY) {
		memory_line(s, file, l);
	} else if (l->kind == ZL_DMESG_ZONELISTS) {
		grouping(s, file, l);
	} else if (l->kind == ZL_DMESG_CMA_ALLOC_FAILED) {
		alloc_failed(s, file, l);
	} else if (l->kind == ZL_DMESG_CMA_AVAILABLE) {
		available(s, file, l);
	} else {
		if (l->kind == ZL_DMESG_RMEM_MISALIGNED) {
			keep_message(s, l, s->r->file[file].file.data);
		}
		named_lines(s, file, l);
	}
}

void reserve_read_logs(struct reserve *r)
{
	size_t before = r->report.nr_pools;

	for (size_t i = 0; i < r->nr_files; i++) {
		struct story s = {.r = r, .verdict = ZL_VERDICT_NONE};

		for (size_t k = 0; r->file[i].has_log && k < r->file[i].log.nr_lines; k++) {
			one_line(&s, i, &r->file[i].log.line[k]);
		}
	}
	if (r->report.nr_pools > before) {
		zl_reserve_recount(&r->in, &r->report);
	}
}
