/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_axis.h"

#include <string.h>

#include "zonelab/text.h"

/* What a run of one zone can show; the rest is about boot, logs and symbols. */
static bool shows_in_runs(const char *behaviour)
{
	static const char *const names[] = {"buddy_fallback", "clamp", "cma_bypass", "decay_chunks",
		"drain_order", "drain_type", "full_drain", "grouping_pages",
		"high_order_atomic_refill", "highatomic_reserve", "merge_retag", "pageblock_clamp",
		"pageblock_thp_only", "pcp_design", "refill_failure", "thp_lists", "thp_order",
		"uniprocessor_pcp"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], behaviour) == 0) {
			return true;
		}
	}
	return false;
}

static int compare_text(const char *a, const char *b)
{
	struct zl_release ra = {0};
	struct zl_release rb = {0};

	(void)zl_release_parse(a, &ra);
	(void)zl_release_parse(b, &rb);
	return zl_release_compare(&ra, &rb);
}

static void change_of(const struct zl_release_row *row, struct axis_change *ret)
{
	static const char word[] = "commit ";
	const char *at = strstr(row->evidence, word);

	*ret = (struct axis_change){.behaviour = row->behaviour,
		.value = row->value,
		.release = row->since,
		.evidence = row->evidence};
	if (at != NULL) {
		struct zl_text t;

		at += sizeof(word) - 1;
		zl_text_init(&t, ret->commit, sizeof(ret->commit));
		zl_text_strn(&t, at, strcspn(at, " ;,"));
	}
}

/* The step of a release, made where it belongs if it is not there. */
static struct axis_step *step_for(struct axis *a, const char *release)
{
	unsigned i = 0;

	while (i < a->nr_steps && compare_text(a->step[i].release, release) < 0) {
		i++;
	}
	if (i < a->nr_steps && compare_text(a->step[i].release, release) == 0) {
		return &a->step[i];
	}
	if (a->nr_steps == AXIS_STEPS) {
		return NULL;
	}
	memmove(&a->step[i + 1], &a->step[i], (a->nr_steps - i) * sizeof(a->step[0]));
	a->nr_steps++;
	memset(&a->step[i], 0, sizeof(a->step[i]));
	a->step[i].release = release;
	return &a->step[i];
}

void axis_fill(struct axis *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row row = zl_release_row(i);

		if (strcmp(row.series, "mainline") == 0 && shows_in_runs(row.behaviour)) {
			struct axis_step *s = step_for(ret, row.since);

			if (s != NULL && s->nr_changes < AXIS_CHANGES) {
				change_of(&row, &s->change[s->nr_changes++]);
			}
		}
	}
	for (unsigned i = 0; i < ret->nr_steps; i++) {
		struct zl_switches sw;
		struct zl_release r = {0};

		(void)zl_release_parse(ret->step[i].release, &r);
		zl_switches_for(&r, &sw, NULL);
		ret->step[i].design = sw.design;
	}
}

unsigned axis_find(const struct axis *a, const char *release)
{
	unsigned i = 0;

	while (i + 1 < a->nr_steps && compare_text(a->step[i + 1].release, release) <= 0) {
		i++;
	}
	return i;
}

bool axis_design_change(enum zl_design_id d, struct axis_change *ret)
{
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row row = zl_release_row(i);

		if (strcmp(row.behaviour, "pcp_design") == 0 &&
			strcmp(row.value, zl_design_name(d)) == 0) {
			change_of(&row, ret);
			return true;
		}
	}
	return false;
}
