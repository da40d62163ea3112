/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causes are found by substitution: the state before is turned into the state after one input at
 * a time, release first, and a value's change belongs to the inputs at which its computed value
 * moves.
 */
#include "upgrade.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define CAUSE_TEXT     200

enum step { STEP_BEFORE, STEP_RELEASE, STEP_SETTINGS, STEP_CPUS, STEP_MEMORY, STEP_COUNT };

static const char *const step_names[] = {
	"", "the release", "settings", "CPUs", "managed pages and min_free_kbytes"};

/* The machines on the way. */
struct way_between {
	const struct zl_import *before, *after;
	struct zl_profile profile[STEP_COUNT]; /* borrow the zones of one of the two */
	struct zl_machine *machine;	       /* STEP_COUNT of them */
};

enum field {
	FIELD_MANAGED,
	FIELD_MIN,
	FIELD_LOW,
	FIELD_HIGH,
	FIELD_BATCH,
	FIELD_HIGH_MIN,
	FIELD_HIGH_MAX,
	FIELD_COUNT
};

static const char *const field_names[] = {
	"managed", "min", "low", "high", "batch", "high_min", "high_max"};

static const struct zl_zone *zone_of(const struct zl_machine *m, const struct zl_zone_facts *f)
{
	for (size_t i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].node == f->node && strcmp(m->zones[i].name, f->name) == 0) {
			return &m->zones[i];
		}
	}
	return NULL;
}

/* Watermarks of zones without memory follow from their type alone. */
static struct zl_watermarks watermarks(const struct zl_machine *m, const struct zl_zone *z)
{
	const struct zl_watermark_in in = {.type = z->type,
		.lowmem_pages = m->share_pages > 0 ? m->share_pages : 1,
		.page_shift = m->geometry.page_shift,
		.scale_factor = m->scale_factor};
	struct zl_watermarks mark = z->wmark;

	if (!z->populated) {
		zl_zone_watermarks(&m->switches, &in, &mark);
	}
	return mark;
}

static int64_t computed(const struct zl_machine *m, const struct zl_zone *z, enum field f)
{
	struct zl_watermarks mark = watermarks(m, z);

	switch (f) {
	case FIELD_MANAGED:
		return (int64_t)z->managed;
	case FIELD_MIN:
		return (int64_t)mark.min;
	case FIELD_LOW:
		return (int64_t)mark.low;
	case FIELD_HIGH:
		return (int64_t)mark.high;
	case FIELD_BATCH:
		return z->limits.batch;
	case FIELD_HIGH_MIN:
		return (int64_t)z->limits.high_min;
	case FIELD_HIGH_MAX:
		return (int64_t)z->limits.high_max;
	case FIELD_COUNT:
		break;
	}
	return -1;
}

/* What a state shows, else what the model computes for it. */
static int64_t shown(const struct zl_machine *m, const struct zl_zone_facts *f, enum field field)
{
	const struct zl_zone *z = zone_of(m, f);
	const struct zl_observed_pcp *p = f->nr_pcp > 0 ? &f->pcp[0] : NULL;
	/* Designs with one high print it as just that. */
	bool fixed = m->switches.design < ZL_DESIGN_B;
	int64_t high = p != NULL && fixed ? p->high : -1;
	const int64_t seen[] = {(int64_t)f->managed, f->min, f->low, f->high,
		p != NULL ? p->batch : -1, p != NULL && !fixed ? p->high_min : high,
		p != NULL && !fixed ? p->high_max : high};

	if (seen[field] >= 0 || z == NULL) {
		return seen[field];
	}
	return computed(m, z, field);
}

static void causes(const struct way_between *w, const struct zl_zone_facts *f, enum field field,
	char *buf, size_t size)
{
	struct zl_text t;
	bool any = false;

	zl_text_init(&t, buf, size);
	for (unsigned s = STEP_RELEASE; s < STEP_COUNT; s++) {
		const struct zl_machine *m = &w->machine[s];
		const struct zl_zone *from = zone_of(m - 1, f);
		const struct zl_zone *to = zone_of(m, f);
		int64_t was = from != NULL ? computed(m - 1, from, field) : -1;
		int64_t is = to != NULL ? computed(m, to, field) : -1;

		if (was != is) {
			zl_text_fmt(&t, "%s%s (%D to %D)", any ? ", " : "", step_names[s], was, is);
			any = true;
		}
	}
	if (!any) {
		zl_text_str(&t, "nothing that is modelled");
	}
}

static void compare_zone(const struct way_between *w, const struct zl_zone_facts *a,
	const struct zl_zone_facts *b, struct table *t)
{
	char text[CAUSE_TEXT];

	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		enum field f = (enum field)i;
		int64_t was = shown(&w->machine[STEP_BEFORE], a, f);
		int64_t is = shown(&w->machine[STEP_MEMORY], b, f);

		if (was == is || was < 0 || is < 0) {
			continue;
		}
		table_number(t, a->node);
		table_text(t, a->name);
		table_text(t, field_names[f]);
		table_number(t, (uint64_t)was);
		table_number(t, (uint64_t)is);
		causes(w, a, f, text, sizeof(text));
		table_text(t, text);
	}
}

static const struct zl_zone_facts *same_zone(
	const struct zl_profile *p, const struct zl_zone_facts *f)
{
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].node == f->node && strcmp(p->zones[i].name, f->name) == 0) {
			return &p->zones[i];
		}
	}
	return NULL;
}

static void compare_zones(const struct way_between *w, struct output *out, struct zl_json *o)
{
	static const struct column columns[] = {
		{"node",	 "node",	 true },
		{"zone",	 "zone",	 false},
		{"field",  "field",	   false},
		{"before", "before",     true },
		{"after",  "after",	   true },
		{"cause",  "changed by", false},
	};
	const struct zl_profile *p = &w->before->profile;
	struct table t;

	table_init(&t, out, o != NULL ? zl_json_add_array(o, "changes") : NULL, columns,
		COUNT_OF(columns));
	for (size_t i = 0; i < p->nr_zones; i++) {
		const struct zl_zone_facts *b = same_zone(&w->after->profile, &p->zones[i]);

		if (b != NULL) {
			compare_zone(w, &p->zones[i], b, &t);
		}
	}
	table_print(&t);
}

/* The row of a behaviour that a release follows: its own series first. */
static size_t row_in_force(const char *behaviour, const struct zl_release *r)
{
	char series[16];
	size_t best = SIZE_MAX;
	bool own = false;

	zl_format(series, sizeof(series), "%u.%u", (unsigned)r->major, (unsigned)r->minor);
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row row = zl_release_row(i);
		struct zl_release since;
		bool mine = strcmp(row.series, series) == 0;

		if (strcmp(row.behaviour, behaviour) != 0 ||
			(!mine && strcmp(row.series, "mainline") != 0) || (own && !mine) ||
			zl_release_parse(row.since, &since) < 0 ||
			zl_release_compare(&since, r) > 0) {
			continue;
		}
		own |= mine;
		best = i;
	}
	return best;
}

/* Whether an earlier row has the same behaviour. */
static bool listed_before(size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(zl_release_row(k).behaviour, zl_release_row(i).behaviour) == 0) {
			return true;
		}
	}
	return false;
}

static void compare_releases(const struct way_between *w, struct output *out, struct zl_json *o)
{
	static const struct column columns[] = {
		{"behaviour", "switch", false},
		{"before",	   "before", false},
		{"since",	  "since",  false},
		{"after",	  "after",  false},
	};
	const struct zl_release *a = &w->machine[STEP_BEFORE].release;
	const struct zl_release *b = &w->machine[STEP_MEMORY].release;
	struct table t;

	table_init(&t, out, o != NULL ? zl_json_add_array(o, "switches") : NULL, columns,
		COUNT_OF(columns));
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		size_t from = row_in_force(zl_release_row(i).behaviour, a);
		size_t to = row_in_force(zl_release_row(i).behaviour, b);

		if (listed_before(i) || from == to || to == SIZE_MAX ||
			(from != SIZE_MAX && strcmp(zl_release_row(from).value,
						     zl_release_row(to).value) == 0)) {
			continue;
		}
		table_text(&t, zl_release_row(i).behaviour);
		if (from != SIZE_MAX) {
			table_text(&t, zl_release_row(from).value);
		} else {
			table_none(&t);
		}
		table_text(&t, zl_release_row(to).since);
		table_text(&t, zl_release_row(to).value);
	}
	table_print(&t);
}

static void take_settings(struct zl_settings *to, const struct zl_settings *from, bool cpus)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		bool is_cpus = i == ZL_SET_CPUS || i == ZL_SET_NODES;

		if (i != ZL_SET_KERNEL && is_cpus == cpus) {
			to->value[i] = from->value[i];
		}
	}
	if (!cpus) {
		memcpy(to->cmdline, from->cmdline, sizeof(to->cmdline));
		memcpy(to->zones, from->zones, sizeof(to->zones));
	}
}

/* Turns before into after, an input a step. */
static void resolve_steps(struct way_between *w)
{
	struct zl_profile p = w->before->profile;
	const struct zl_settings *s = &w->after->profile.settings;

	for (unsigned i = 0; i < STEP_COUNT; i++) {
		if (i == STEP_RELEASE) {
			p.settings.value[ZL_SET_KERNEL] = s->value[ZL_SET_KERNEL];
		} else if (i == STEP_SETTINGS) {
			take_settings(&p.settings, s, false);
		} else if (i == STEP_CPUS) {
			take_settings(&p.settings, s, true);
			p.settings.value[ZL_SET_CPUS].origin = ZL_ORIGIN_GIVEN;
		} else if (i == STEP_MEMORY) {
			p = w->after->profile;
		}
		w->profile[i] = p;
		zl_machine_resolve(&w->profile[i], &w->machine[i], NULL);
	}
}

int upgrade_report(const struct zl_import *before, const struct zl_import *after,
	struct output *out, struct zl_json *o)
{
	const struct zl_allocator *a = zl_allocator_heap();
	struct way_between w = {.before = before, .after = after};

	w.machine = a->realloc(a->user, NULL, STEP_COUNT * sizeof(*w.machine));
	if (w.machine == NULL) {
		return -ENOMEM;
	}
	resolve_steps(&w);
	if (o == NULL) {
		zl_buf_fmt(&out->text, "before: Linux %s, after: Linux %s\n\n",
			w.machine[STEP_BEFORE].release.display,
			w.machine[STEP_MEMORY].release.display);
	} else {
		zl_json_add_string(o, "kernel_before", w.machine[STEP_BEFORE].release.display);
		zl_json_add_string(o, "kernel_after", w.machine[STEP_MEMORY].release.display);
	}
	compare_zones(&w, out, o);
	if (o == NULL && out->format != FORMAT_CSV) {
		zl_buf_str(&out->text, "\nBehaviour that changed between the releases\n");
	}
	if (out->format != FORMAT_CSV) {
		compare_releases(&w, out, o);
	}
	a->free(a->user, w.machine);
	return 0;
}
