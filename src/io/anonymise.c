/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/anonymise.h"

#include <errno.h>
#include <string.h>

#include "block_map.h"
#include "recording.h"
#include "zonelab/buffer.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

#define STRETCH	    (UINT64_C(1) << ZL_ANONYMISE_STRETCH_SHIFT)
#define FLUSH_BYTES ((size_t)64 << 10)
#define ASK_EVERY   16384u
#define US_NS	    UINT64_C(1000)
#define SECOND_NS   UINT64_C(1000000000)
#define NS_DIGITS   9
#define US_DIGITS   6

/* Where a zone goes. */
struct moved {
	uint64_t from, spanned, to;
};

struct work {
	const struct zl_anonymise *how;
	struct zl_buf out;
	struct moved zone[ZL_RECORDING_ZONES];
	unsigned nr_zones;
	struct block_map stretches; /* number of a stretch by its old one, in `id` */
	uint32_t nr_stretches;
	uint64_t free_base; /* stretches outside of zones start here */
	uint64_t first_ns;
	bool headed;
	struct zl_recording_marks *marks; /* of the trace itself */
	struct zl_anonymised *ret;
};

static uint64_t round_up(uint64_t v)
{
	return (v + STRETCH - 1) & ~(STRETCH - 1);
}

/* Distances inside a zone and inside a stretch stay; the zones follow each other. */
static void place_zone(struct work *w, const struct zl_zone_facts *z)
{
	struct moved *m = &w->zone[w->nr_zones];
	uint64_t inside = z->start_pfn & (STRETCH - 1);

	if (w->nr_zones == ZL_RECORDING_ZONES || z->spanned == 0) {
		return;
	}
	*m = (struct moved){z->start_pfn, z->spanned, w->free_base + inside};
	w->free_base += round_up(inside + z->spanned);
	w->nr_zones++;
}

static int new_pfn(struct work *w, uint64_t pfn, uint64_t *ret)
{
	struct block *b;

	for (unsigned i = 0; i < w->nr_zones; i++) {
		if (pfn >= w->zone[i].from && pfn - w->zone[i].from < w->zone[i].spanned) {
			*ret = w->zone[i].to + (pfn - w->zone[i].from);
			return 0;
		}
	}
	b = block_find(&w->stretches, pfn / STRETCH);
	if (b == NULL) {
		b = block_put(&w->stretches, pfn / STRETCH);
		if (b == NULL) {
			return -ENOMEM;
		}
		b->id = w->nr_stretches++;
	}
	*ret = w->free_base + b->id * STRETCH + pfn % STRETCH;
	return 0;
}

static void stamp(struct work *w, const struct zl_trace_event *e)
{
	uint64_t ns = e->time_ns >= w->first_ns ? e->time_ns - w->first_ns : 0;
	uint64_t part = ns % SECOND_NS;
	char digits[NS_DIGITS + 1];
	char flags[16];

	for (unsigned i = NS_DIGITS; i-- > 0; part /= 10) {
		digits[i] = (char)('0' + part % 10);
	}
	/* Most recorders write microseconds. */
	digits[ns % US_NS == 0 ? US_DIGITS : NS_DIGITS] = '\0';
	zl_clean_line(flags, sizeof(flags), e->flags.s != NULL ? e->flags.s : ".....",
		e->flags.s != NULL ? e->flags.n : 5);
	zl_buf_fmt(&w->out, "%s-0       [%s%s%u] %s %U.%s: ",
		recording_kworker(&e->comm) ? "         kworker" : "            task",
		e->cpu < 100 ? "0" : "", e->cpu < 10 ? "0" : "", e->cpu, flags, ns / SECOND_NS,
		digits);
}

static void mark(struct work *w, const char *text)
{
	const struct zl_trace_event none = {.time_ns = w->first_ns};

	stamp(w, &none);
	zl_buf_fmt(&w->out, "tracing_mark_write: zonelab: %s\n", text);
}

static void number(struct zl_text *t, const char *key, int64_t v)
{
	if (v >= 0) {
		zl_text_fmt(t, " %s=%D", key, v);
	}
}

static void zone_mark(struct work *w, const struct zl_zone_facts *z, uint64_t start)
{
	char line[512];
	struct zl_text t;

	zl_text_init(&t, line, sizeof(line));
	zl_text_fmt(&t, "zone %u %s start_pfn=%U spanned=%U present=%U managed=%U cma=%U", z->node,
		z->name, start, z->spanned, z->present, z->managed, z->cma);
	number(&t, "free", z->free);
	number(&t, "min", z->min);
	number(&t, "low", z->low);
	number(&t, "high", z->high);
	mark(w, line);
	for (size_t i = 0; i < z->nr_pcp; i++) {
		const struct zl_observed_pcp *p = &z->pcp[i];

		zl_text_init(&t, line, sizeof(line));
		zl_text_fmt(&t, "pageset %u", p->cpu);
		number(&t, "count", p->count);
		number(&t, "high", p->high);
		number(&t, "batch", p->batch);
		number(&t, "high_min", p->high_min);
		number(&t, "high_max", p->high_max);
		mark(w, line);
	}
}

/* Settings that files or the user gave; texts may hold names and are left out. */
static void setting_marks(struct work *w, const struct zl_settings *s)
{
	char value[ZL_SETTING_TEXT], line[256];

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		const struct zl_setting_value *v = &s->value[i];

		if (v->given && v->origin >= ZL_ORIGIN_FILE && key != ZL_SET_CMDLINE &&
			key != ZL_SET_ZONES && key != ZL_SET_SEED) {
			zl_setting_format(s, key, value, sizeof(value));
			zl_format(line, sizeof(line), "setting %s=%s", zl_setting_info(key)->key,
				value);
			mark(w, line);
		}
	}
}

/* Before the first event: all that is told of the machine. */
static void write_head(struct work *w)
{
	const struct zl_profile *p = w->how->profile;
	bool of_trace = w->marks->nr_zones > 0;
	const struct zl_zone_facts *z = of_trace ? w->marks->zones : p != NULL ? p->zones : NULL;
	size_t n = of_trace ? w->marks->nr_zones : p != NULL ? p->nr_zones : 0;

	w->headed = true;
	zl_buf_str(&w->out, "# tracer: nop\n#\n# Task names, process ids, page frames and times "
			    "were replaced; mm events only.\n#\n");
	if (w->marks->exported) {
		return;
	}
	setting_marks(w, &w->marks->settings);
	if (p != NULL) {
		setting_marks(w, &p->settings);
	}
	for (size_t i = 0; i < n; i++) {
		unsigned before = w->nr_zones;

		place_zone(w, &z[i]);
		if (w->nr_zones > before) {
			zone_mark(w, &z[i], w->zone[before].to);
		}
	}
}

static void word(struct work *w, const char *key, struct zl_trace_word text)
{
	char clean[512];

	if (text.s != NULL) {
		zl_clean_line(clean, sizeof(clean), text.s, text.n);
		zl_buf_fmt(&w->out, "%s%s", key, clean);
	}
}

/* A field that the event had. */
static void seen(struct work *w, const char *key, int v)
{
	if (v >= 0) {
		zl_buf_fmt(&w->out, " %s=%d", key, v);
	}
}

static void extfrag_fields(struct work *w, const struct zl_trace_event *e)
{
	zl_buf_fmt(&w->out, " alloc_order=%u fallback_order=%u pageblock_order=%u", e->order,
		e->fallback_order, e->pageblock_order);
	seen(w, "alloc_migratetype", e->migratetype);
	seen(w, "fallback_migratetype", e->fallback_migratetype);
	zl_buf_fmt(&w->out, " fragmenting=%d change_ownership=%d", (int)e->fragmenting,
		(int)e->change_ownership);
}

static void fields(struct work *w, const struct zl_trace_event *e)
{
	if (e->kind == ZL_TRACED_EXTFRAG) {
		extfrag_fields(w, e);
		return;
	}
	zl_buf_fmt(&w->out, " order=%u", e->order);
	seen(w, "migratetype", e->migratetype);
	if (e->kind == ZL_TRACED_TAKE) {
		zl_buf_fmt(&w->out, " percpu_refill=%d", (int)e->percpu_refill);
	}
	word(w, " gfp_flags=", e->gfp_flags);
}

static int paged(struct work *w, const struct zl_trace_event *e)
{
	uint64_t pfn = 0;
	int rc = e->pfn == 0 && e->kind == ZL_TRACED_ALLOC ? 0 : new_pfn(w, e->pfn, &pfn);

	stamp(w, e);
	zl_buf_fmt(&w->out, "%s: page=", zl_traced_name(e->kind));
	if (w->marks->exported) {
		word(w, "", e->page);
		pfn = e->pfn; /* a run's pages have no base */
	} else {
		zl_buf_chr(&w->out, '0');
	}
	zl_buf_fmt(&w->out, " pfn=%x", pfn);
	fields(w, e);
	zl_buf_chr(&w->out, '\n');
	return rc;
}

static int other(struct work *w, const struct zl_trace_event *e)
{
	char zone[32];

	if (e->kind == ZL_TRACED_LOST && e->lost > 0) {
		zl_buf_fmt(&w->out, "CPU:%u [LOST %U EVENTS]\n", e->cpu, e->lost);
	} else if (e->kind == ZL_TRACED_LOST) {
		zl_buf_fmt(&w->out, "CPU:%u [LOST EVENTS]\n", e->cpu);
	} else {
		zl_clean_line(zone, sizeof(zone), e->zone.s, e->zone.n);
		stamp(w, e);
		zl_buf_fmt(&w->out, "%s:", zl_traced_name(e->kind));
		seen(w, "node_id", e->node);
		zl_buf_fmt(&w->out, " zone name=%s watermark min=%U low=%U high=%U promo=0\n", zone,
			e->wmark_min, e->wmark_low, e->wmark_high);
	}
	return 0;
}

/* Marks of an exported run stay; those of an anonymised trace are written anew. */
static int take_mark(struct work *w, const struct zl_trace_event *e)
{
	struct spool_event op;
	char line[256];

	(void)recording_mark(w->marks, &e->text, &op);
	if (w->marks->exported) {
		if (!w->headed) {
			write_head(w);
		}
		zl_clean_line(line, sizeof(line), e->text.s, e->text.n);
		stamp(w, e);
		zl_buf_fmt(&w->out, "tracing_mark_write: zonelab: %s\n", line);
	}
	return 0;
}

static int one(struct work *w, const struct zl_trace_event *e)
{
	if (e->kind == ZL_TRACED_MARK) {
		return take_mark(w, e);
	}
	if (w->ret->events++ == 0) {
		w->first_ns = e->time_ns;
	}
	if (!w->headed) {
		write_head(w);
	}
	return e->kind < ZL_TRACED_WMARKS ? paged(w, e) : other(w, e);
}

static int flush(struct work *w)
{
	int rc = w->out.failed ? -ENOMEM : 0;

	if (rc == 0 && w->out.len > 0) {
		rc = w->how->write(w->how->user, w->out.data, w->out.len);
	}
	zl_buf_clear(&w->out);
	return rc;
}

static int all(struct work *w, struct zl_trace *t, struct zl_error *err)
{
	struct zl_trace_event e;
	uint64_t n = 0;
	int rc;

	while ((rc = zl_trace_next(t, &e, err)) == 1) {
		rc = one(w, &e);
		if (rc == 0 && w->out.len >= FLUSH_BYTES) {
			rc = flush(w);
		}
		if (rc != 0) {
			return rc;
		}
		if (++n % ASK_EVERY == 0 && recording_ends(t, w->how->patience)) {
			w->ret->complete = false;
			return flush(w);
		}
	}
	if (rc == -EINTR) {
		w->ret->complete = false;
		return flush(w);
	}
	if (rc == 0 && w->ret->events == 0) {
		zl_error_set(err, 0, 0,
			"no kmem event in it; zonelab(1) says how to record mm_page_alloc and the "
			"others");
		return -ENODATA;
	}
	return rc != 0 ? rc : flush(w);
}

int zl_anonymise(const char *path, const struct zl_anonymise *how, const struct zl_allocator *mem,
	struct zl_anonymised *ret, struct zl_error *err)
{
	struct work w = {.how = how, .ret = ret, .stretches = {.mem = mem}, .free_base = STRETCH};
	struct zl_trace *t = NULL;
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->complete = true;
	w.marks = mem->realloc(mem->user, NULL, sizeof(*w.marks));
	if (w.marks == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(w.marks, 0, sizeof(*w.marks));
	zl_sim_config_init(&w.marks->config);
	rc = zl_trace_open(path, mem, &t, err);
	if (rc == 0) {
		rc = all(&w, t, err);
		zl_trace_report(t, &ret->report);
	}
	if (rc != 0) {
		zl_error_file(err, path);
	}
	if (rc == -ENOMEM && err != NULL && err->text[0] == '\0') {
		zl_error_set(err, 0, 0, "no memory");
	}
	zl_trace_close(t);
	zl_buf_done(&w.out);
	block_map_done(&w.stretches);
	mem->free(mem->user, w.marks);
	return rc;
}
