/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions over metrics. Each name of an expression is a reference with its own slot; only
 * those are read that the expression has, and only after each op where the name asks for it.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "metrics_read.h"
#include "zonelab/text.h"

static const char *const via_names[] = {
	[ZL_VIA_NOW] = "",
	[ZL_VIA_MAX] = "max",
	[ZL_VIA_MIN] = "min",
	[ZL_VIA_FIRST] = "first",
	[ZL_VIA_LAST] = "last",
	[ZL_VIA_SUM] = "sum",
};
static_assert(sizeof(via_names) / sizeof(via_names[0]) == ZL_VIA_COUNT, "a name each");

/* Designs as an expression writes them. */
static const struct {
	const char *name;
	enum zl_design_id design;
} designs[] = {
	{"A514",	 ZL_DESIGN_A514 },
	{"A",     ZL_DESIGN_A	 },
	{"A_cap", ZL_DESIGN_A_CAP},
	{"B",     ZL_DESIGN_B	 },
	{"C",     ZL_DESIGN_C	 },
	{"D19",	ZL_DESIGN_D19  },
	{"D71",	ZL_DESIGN_D71  },
};

/* Splits "pcp[3].count" into "pcp.count" and 3. Returns -EINVAL when there is more than one. */
static int split_index(const char *name, char *plain, size_t size, int32_t *ret)
{
	struct zl_text t;
	bool inside = false;

	*ret = -1;
	zl_text_init(&t, plain, size);
	for (const char *p = name; *p != '\0'; p++) {
		if (*p == '[') {
			if (*ret >= 0) {
				return -EINVAL;
			}
			inside = true;
			*ret = 0;
		} else if (*p == ']') {
			inside = false;
		} else if (!inside) {
			zl_text_chr(&t, *p);
		} else if (*ret < ZL_SIM_CPUS_MAX) {
			*ret = *ret * 10 + (*p - '0');
		}
	}
	return t.cut ? -EINVAL : 0;
}

static size_t find_metric(const char *name)
{
	char with_pcp[ZL_EXPR_NAME_MAX + 8];
	size_t n = zl_metric_count();

	for (size_t i = 0; i < n; i++) {
		if (strcmp(zl_metric_info(i)->name, name) == 0) {
			return i;
		}
	}
	/* high_max is pcp.high_max. */
	zl_format(with_pcp, sizeof(with_pcp), "pcp.%s", name);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(zl_metric_info(i)->name, with_pcp) == 0) {
			return i;
		}
	}
	return n;
}

/* "zone.refills", which stood as zone[1].refills: a total of one zone. */
static size_t find_zone_total(const char *plain)
{
	size_t metric =
		strncmp(plain, "zone.", 5) == 0 ? find_metric(plain + 5) : zl_metric_count();

	return metric < zl_metric_count() && zl_metric_info(metric)->kind == ZL_METRIC_TOTAL
		       ? metric
		       : zl_metric_count();
}

static int unknown(const char *name, struct zl_error *err)
{
	const char *near = zl_metric_nearest(name);

	zl_error_set(err, 0, 0, "there is no metric '%s'; %s%s", name,
		near != NULL ? "did you mean " : "see `list metrics`", near != NULL ? near : "");
	return -ENOENT;
}

/* Of a zone the number stands behind "zone": zone[1].free, zone[1].refills. */
static int check_index(const char *name, size_t metric, int32_t index, struct zl_error *err)
{
	const struct zl_metric_info *info = zl_metric_info(metric);
	bool takes = info->kind == ZL_METRIC_PCP || info->kind == ZL_METRIC_BUDDY ||
		     strncmp(name, "zone[", strlen("zone[")) == 0;

	if (index >= 0 && !takes) {
		zl_error_set(err, 0, 0, "%s takes no number in []", info->name);
		return -ENOENT;
	}
	if (index < 0 && info->kind == ZL_METRIC_BUDDY) {
		zl_error_set(err, 0, 0, "%s needs an order: %s[9]", info->name, info->name);
		return -ENOENT;
	}
	return 0;
}

static bool find_design(const char *name, struct zl_expr_name *ret)
{
	for (size_t i = 0; i < sizeof(designs) / sizeof(designs[0]); i++) {
		if (strcmp(designs[i].name, name) == 0) {
			ret->constant = true;
			ret->value = designs[i].design;
			return true;
		}
	}
	return false;
}

static int find_via(const char *name, struct zl_error *err)
{
	for (int i = 0; i < ZL_VIA_COUNT; i++) {
		if (strcmp(via_names[i], name) == 0) {
			return i;
		}
	}
	zl_error_set(err, 0, 0, "%s() is unknown; max min first last sum", name);
	return -ENOENT;
}

static bool same(const struct zl_watch_ref *a, const struct zl_watch_ref *b)
{
	return a->metric == b->metric && a->via == b->via && a->index == b->index;
}

static int find(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	struct zl_watch *w = user;
	struct zl_watch_ref ref = {0};
	char plain[ZL_EXPR_NAME_MAX];
	unsigned i;

	ret->constant = false;
	if (via[0] == '\0' && find_design(name, ret)) {
		return 0;
	}
	size_t metric = zl_metric_count();
	if (split_index(name, plain, sizeof(plain), &ref.index) == 0) {
		metric = find_metric(plain);
	}
	if (metric < zl_metric_count() && ref.index >= 0 &&
		zl_metric_info(metric)->kind == ZL_METRIC_TOTAL) {
		metric = zl_metric_count(); /* a total of a zone is zone[N].NAME */
	} else if (metric == zl_metric_count() && ref.index >= 0) {
		metric = find_zone_total(plain);
	}
	if (metric == zl_metric_count()) {
		return unknown(name, err);
	}
	int how = find_via(via, err);
	if (how < 0 || check_index(name, metric, ref.index, err) != 0) {
		return -ENOENT;
	}
	ref.metric = (uint16_t)metric;
	ref.via = (uint8_t)how;
	for (i = 0; i < w->nr_refs && !same(&w->ref[i], &ref); i++) {
	}
	if (i == ZL_WATCH_REFS_MAX) {
		zl_error_set(err, 0, 0, "too many names; at most %d", ZL_WATCH_REFS_MAX);
		return -ENOENT;
	}
	if (i == w->nr_refs) {
		w->ref[w->nr_refs++] = ref;
		w->follows = w->follows || how > ZL_VIA_NOW || zl_metric_longest_hold(metric) ||
			     zl_metric_first_flush(metric);
	}
	ret->slot = i;
	return 0;
}

int zl_watch_compile(const char *text, const struct zl_allocator *mem, struct zl_watch *ret,
	struct zl_error *err)
{
	static const char word[] = "assert ";
	size_t skip = strncmp(text, word, sizeof(word) - 1) == 0 ? sizeof(word) - 1 : 0;
	const struct zl_expr_names names = {find, ret};

	memset(ret, 0, sizeof(*ret));
	int rc = zl_expr_compile(text + skip, &names, mem, &ret->expr, err);
	if (rc != 0 && err != NULL && err->column > 0) {
		err->column += (unsigned)skip;
	}
	return rc;
}

void zl_watch_done(struct zl_watch *w, const struct zl_allocator *mem)
{
	zl_expr_done(&w->expr, mem);
}

/* What a number in [] may be, and the word for it. */
static unsigned index_limit(const struct zl_watch *w, const struct zl_sim *sim,
	const struct zl_metric_info *info, const char **ret_what)
{
	bool several = w->system != NULL;

	if (info->kind == ZL_METRIC_PCP) {
		*ret_what = "CPU";
		return several ? zl_system_config(w->system)->cpus : zl_sim_cpus(sim);
	}
	if (info->kind == ZL_METRIC_BUDDY) {
		*ret_what = "order";
		return (several ? zl_system_config(w->system)->zone[0].config.max_order
				: zl_sim_config(sim)->max_order) +
		       1;
	}
	*ret_what = "zone";
	return several ? zl_system_zones(w->system) : 0;
}

static bool counts(const struct zl_watch_ref *r)
{
	enum zl_metric_kind kind = zl_metric_info(r->metric)->kind;

	return kind == ZL_METRIC_TOTAL || kind == ZL_METRIC_SYSTEM;
}

static void totals_now(const struct zl_watch *w, const struct zl_sim *sim, struct zl_totals *ret)
{
	struct zl_system_totals t;

	if (w->system == NULL) {
		zl_sim_totals(sim, ret);
		return;
	}
	zl_system_totals(w->system, &t);
	*ret = t.t;
}

int zl_watch_start(struct zl_watch *w, const struct zl_sim *sim, struct zl_error *err)
{
	for (unsigned i = 0; i < w->nr_refs; i++) {
		struct zl_watch_ref *r = &w->ref[i];
		const char *what;
		unsigned limit = index_limit(w, sim, zl_metric_info(r->metric), &what);

		r->value = 0;
		if (r->index >= 0 && (unsigned)r->index >= limit) {
			zl_error_set(err, 0, 0,
				limit > 0 ? "there is no %s %d here; %u, counted from 0"
					  : "there is no %s %d; the run has one zone alone",
				what, (int)r->index, limit);
			return -EINVAL;
		}
		r->before = w->system != NULL && counts(r)
				    ? zl_metric_read_system(w->system, r->metric, r->index)
				    : 0;
	}
	totals_now(w, sim, &w->before);
	w->noted = 0;
	w->first_free_high = 0;
	return 0;
}

static int64_t read_ref(
	const struct zl_watch *w, const struct zl_sim *sim, const struct zl_watch_ref *r)
{
	if (zl_metric_first_flush(r->metric)) {
		return (int64_t)w->first_free_high;
	}
	if (w->system != NULL) {
		return zl_metric_read_system(w->system, r->metric, r->index) - r->before;
	}
	return zl_metric_read(sim, &w->before, r->metric, r->index);
}

static void note_flush(struct zl_watch *w, const struct zl_sim *sim)
{
	struct zl_totals t;

	if (w->first_free_high == 0) {
		totals_now(w, sim, &t);
		if (t.free_high > w->before.free_high) {
			w->first_free_high = t.frees - w->before.frees;
		}
	}
}

static enum zl_metric_via via_of(const struct zl_watch_ref *r)
{
	return r->via == ZL_VIA_NOW && zl_metric_longest_hold(r->metric)
		       ? ZL_VIA_MAX
		       : (enum zl_metric_via)r->via;
}

void zl_watch_note(struct zl_watch *w, const struct zl_sim *sim)
{
	bool first = w->noted == 0;

	if (!w->follows) {
		return;
	}
	note_flush(w, sim);
	for (unsigned i = 0; i < w->nr_refs; i++) {
		struct zl_watch_ref *r = &w->ref[i];
		enum zl_metric_via via = via_of(r);
		int64_t v;

		if (via == ZL_VIA_NOW || (via == ZL_VIA_FIRST && !first)) {
			continue;
		}
		v = read_ref(w, sim, r);
		if (via == ZL_VIA_SUM) {
			r->value = first ? v : r->value + v;
		} else if (first || via == ZL_VIA_LAST || via == ZL_VIA_FIRST ||
			   (via == ZL_VIA_MAX ? v > r->value : v < r->value)) {
			r->value = v;
		}
	}
	w->noted++;
}

int zl_watch_eval(struct zl_watch *w, const struct zl_sim *sim, int64_t *ret, struct zl_error *err)
{
	int64_t slot[ZL_WATCH_REFS_MAX];

	for (unsigned i = 0; i < w->nr_refs; i++) {
		/* Without any op yet, an aggregate is the value at the start. */
		if (via_of(&w->ref[i]) == ZL_VIA_NOW || w->noted == 0) {
			w->ref[i].value = read_ref(w, sim, &w->ref[i]);
		}
		slot[i] = w->ref[i].value;
	}
	return zl_expr_eval(&w->expr, slot, ret, err);
}

size_t zl_watch_values(const struct zl_watch *w, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (unsigned i = 0; i < w->nr_refs; i++) {
		const struct zl_watch_ref *r = &w->ref[i];
		const char *name = zl_metric_info(r->metric)->name;
		size_t stem = strcspn(name, ".");

		zl_text_str(&t, i > 0 ? ", " : "");
		zl_text_str(&t, via_names[r->via]);
		zl_text_str(&t, r->via != ZL_VIA_NOW ? "(" : "");
		if (r->index >= 0 && counts(r)) {
			zl_text_fmt(&t, "zone[%d].%s", (int)r->index, name);
		} else {
			zl_text_strn(&t, name, stem);
		}
		if (r->index >= 0 && counts(r)) {
			stem = strlen(name);
		} else if (r->index >= 0) {
			zl_text_fmt(&t, "[%d]", (int)r->index);
		}
		zl_text_str(&t, name + stem);
		zl_text_fmt(&t, "%s is %D", r->via != ZL_VIA_NOW ? ")" : "", r->value);
	}
	return t.len;
}
