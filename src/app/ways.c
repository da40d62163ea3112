/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ways.h"

#include <string.h>

#include "zonelab/text.h"

/* The machine with one setting changed. */
struct trial {
	struct zl_profile profile; /* borrows the zones */
	struct zl_machine machine;
};

/* Whether free_high fires on the zone with "KEY=VALUE"; then @ret has the figures. */
static bool fires_with(
	const struct value_in *in, const char *set, struct trial *trial, struct way *ret)
{
	trial->profile = *in->profile;
	if (zl_settings_assign(&trial->profile.settings, set, ZL_ORIGIN_LANE, NULL) < 0) {
		return false;
	}
	zl_machine_resolve(&trial->profile, &trial->machine, NULL);
	const struct zl_machine *m = &trial->machine;
	if (in->zone >= m->nr_zones || !m->geometry.buildable || !m->pagesets) {
		return false;
	}
	const struct zl_free_high *f = &m->zones[in->zone].free_high;
	memset(ret, 0, sizeof(*ret));
	zl_format(ret->set, sizeof(ret->set), "%s", set);
	ret->threshold = f->threshold;
	ret->ceiling = f->ceiling;
	ret->has_ceiling = f->has_ceiling;
	return f->exists && zl_free_high_can_fire(f);
}

static bool larger_scale(const struct value_in *in, struct trial *trial, struct way *ret)
{
	char set[sizeof(ret->set)];
	int64_t most = zl_setting_info(ZL_SET_BATCH_SCALE_MAX)->max;

	for (int64_t scale = in->machine->scale_max + 1; scale <= most; scale++) {
		zl_format(set, sizeof(set), "pcp_batch_scale_max=%D", scale);
		if (fires_with(in, set, trial, ret)) {
			zl_format(ret->what, sizeof(ret->what), "pcp_batch_scale_max %D", scale);
			return true;
		}
	}
	return false;
}

/* Fewest CPUs with which the zone's share of its total is low enough. */
static bool more_cpus(const struct value_in *in, struct trial *trial, struct way *ret)
{
	const struct zl_machine *m = in->machine;
	const struct zl_zone *z = &m->zones[in->zone];
	uint64_t total = m->high_fraction != 0 ? z->managed / m->high_fraction : z->wmark.low;
	uint64_t most =
		zl_free_high_largest_high_min(z->limits.batch, m->scale_max, ZL_COSTLY_ORDER);
	uint64_t of_node = total / (most + 1) + 1;
	char set[sizeof(ret->set)];

	/* Earlier nodes take the remainder of an uneven split. */
	zl_format(set, sizeof(set), "cpus=%U", (of_node - 1) * m->nodes + z->node + 1);
	if (!z->free_high.has_ceiling || !fires_with(in, set, trial, ret)) {
		return false;
	}
	zl_format(ret->what, sizeof(ret->what), "%u CPUs: high_min %N", trial->machine.cpus,
		trial->machine.zones[in->zone].limits.high_min);
	return true;
}

static bool lower_high_min(const struct value_in *in, struct trial *trial, struct way *ret)
{
	const struct zl_machine *m = in->machine;
	const struct zl_zone *z = &m->zones[in->zone];
	uint64_t most =
		zl_free_high_largest_high_min(z->limits.batch, m->scale_max, ZL_COSTLY_ORDER);
	char set[sizeof(ret->set)];

	if (!z->free_high.has_ceiling) {
		/* Only a high given by hand is too low in the A designs. */
		zl_format(ret->what, sizeof(ret->what), "%s", "");
		bool fires = fires_with(in, "high_min=default", trial, ret);
		zl_format(ret->what, sizeof(ret->what), "high as computed, %N", ret->threshold);
		return fires;
	}
	zl_format(set, sizeof(set), "high_min=%U", most);
	if (most > z->limits.high_min || !fires_with(in, set, trial, ret)) {
		return false;
	}
	zl_format(ret->what, sizeof(ret->what), "high_min %N or less", most);
	return true;
}

/* The release before @next, which begins a run of releases where free_high does not fire. */
static void name_before(char *buf, size_t size, const char *release, const char *next)
{
	struct zl_release r;

	if (next != NULL && zl_release_parse(next, &r) == 0 && r.minor > 0) {
		zl_format(buf, size, "%u.%u", (unsigned)r.major, (unsigned)r.minor - 1);
	} else {
		zl_format(buf, size, "%s", release);
	}
}

static bool older_release(const struct value_in *in, struct trial *trial, struct way *ret)
{
	char set[sizeof(ret->set)];
	char name[sizeof(ret->set)];
	const char *next = NULL;
	struct zl_release r;

	for (size_t i = zl_breakpoint_count(); i > 0; i--) {
		const char *release = zl_breakpoint(i - 1);

		if (zl_release_parse(release, &r) < 0 ||
			zl_release_compare(&r, &in->machine->release) >= 0) {
			continue;
		}
		zl_format(set, sizeof(set), "kernel=%s", release);
		if (!fires_with(in, set, trial, ret)) {
			next = release;
			continue;
		}
		name_before(name, sizeof(name), release, next);
		zl_format(ret->set, sizeof(ret->set), "kernel=%s", name);
		zl_format(ret->what, sizeof(ret->what), "%s or older: threshold is %s", name,
			trial->machine.switches.design == ZL_DESIGN_B ? "batch" : "high");
		return true;
	}
	return false;
}

size_t free_high_ways(const struct value_in *in, struct way ret[WAYS_MAX])
{
	static bool (*const ways[WAYS_MAX])(const struct value_in *, struct trial *,
		struct way *) = {larger_scale, more_cpus, lower_high_min, older_release};
	const struct zl_machine *m = in->machine;
	struct trial trial;
	size_t n = 0;

	if (m == NULL || in->zone >= m->nr_zones || !m->geometry.buildable || !m->pagesets ||
		m->nommu || !m->zones[in->zone].free_high.exists ||
		zl_free_high_can_fire(&m->zones[in->zone].free_high)) {
		return 0;
	}
	for (size_t i = 0; i < WAYS_MAX; i++) {
		n += ways[i](in, &trial, &ret[n]) ? 1 : 0;
	}
	return n;
}
