/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_job.h"

#include <errno.h>
#include <string.h>

#include "replay_files.h"
#include "zonelab/clean.h"
#include "zonelab/sim_machine.h"
#include "zonelab/text.h"

/* Machines are described by files of 4 KiB pages when nothing says otherwise. */
#define PAGE_SIZE_ASSUMED 4096

static int copy_pcp(
	struct zl_zone_facts *z, const struct zl_zone_facts *from, const struct zl_allocator *mem)
{
	for (size_t i = 0; i < from->nr_pcp; i++) {
		struct zl_observed_pcp *p = zl_zone_add_pcp(z, mem);

		if (p == NULL) {
			return -ENOMEM;
		}
		*p = from->pcp[i];
	}
	return 0;
}

/* Zones that an anonymised trace describes by itself. */
static int take_marked_zones(struct replay_job *j)
{
	const struct zl_recording_marks *m = &j->recording->marks;

	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone_facts *z = zl_profile_add_zone(&j->profile, j->mem);

		if (z == NULL) {
			return -ENOMEM;
		}
		*z = m->zones[i];
		z->pcp = NULL;
		z->nr_pcp = 0;
		if (copy_pcp(z, &m->zones[i], j->mem) != 0) {
			return -ENOMEM;
		}
		z->cpus = (unsigned)z->nr_pcp;
	}
	if (m->nr_zones > 0) {
		const struct zl_setting_value *v = &j->profile.settings.value[ZL_SET_PAGE_SIZE];

		j->profile.zones_page_size = v->given ? (uint64_t)v->number : PAGE_SIZE_ASSUMED;
	}
	return 0;
}

/* What the user gave says what the recorded machine is; it changes nothing there. */
static void make_facts(struct zl_settings *s)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		struct zl_setting_value *v = &s->value[i];

		if (v->given && v->origin > ZL_ORIGIN_FILE) {
			v->origin = ZL_ORIGIN_FILE;
		}
	}
}

static bool kernel_given(const struct zl_settings *s)
{
	const struct zl_setting_value *v = &s->value[ZL_SET_KERNEL];

	return v->given && v->origin >= ZL_ORIGIN_FILE;
}

/* What the trace says of its machine, where nothing else does. */
static void take_marked_settings(struct zl_settings *s, const struct zl_settings *marked)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &s->value[i];

		if (marked->value[i].given && !(v->given && v->origin >= ZL_ORIGIN_FILE)) {
			s->value[i] = marked->value[i];
		}
	}
}

static int take_settings(struct replay_job *j, const struct app *app, struct zl_error *err)
{
	const struct zl_recording_marks *m = &j->recording->marks;
	struct zl_settings *s = &j->profile.settings;

	make_facts(s);
	j->profile.observe = true;
	take_marked_settings(s, &m->settings);
	int rc = m->kernel[0] == '\0' ? replay_refuse_guess(app, err) : 0;
	if (m->kernel[0] != '\0' && (!kernel_given(s) || replay_refuse_guess(app, NULL) != 0)) {
		rc = zl_settings_set(s, ZL_SET_KERNEL, m->kernel, ZL_ORIGIN_FILE, err);
	}
	if (rc != 0) {
		return rc;
	}
	if (!kernel_given(s)) {
		zl_error_set(err, 0, 0,
			"the trace does not say its kernel; --set kernel=RELEASE, for example "
			"kernel=6.12");
		return -ENOKEY;
	}
	return j->profile.nr_zones == 0 ? take_marked_zones(j) : 0;
}

static int check_machine(const struct replay_job *j, struct zl_error *err)
{
	if (j->machine.switches.design == ZL_DESIGN_NONE) {
		zl_error_set(err, 0, 0, "pagesets are modelled from kernel 5.14 on, not for %s",
			zl_settings_text(&j->profile.settings, ZL_SET_KERNEL));
		return -EINVAL;
	}
	for (size_t i = 0; !j->machine.geometry.buildable && i < j->diags.count; i++) {
		const struct zl_diag *d = &j->diags.item[i];

		if (d->severity == ZL_ERROR) {
			zl_error_set(
				err, 0, 0, "this kernel cannot be built: %s; %s", d->text, d->mend);
			return -ENOEXEC;
		}
	}
	return 0;
}

/* "DMA32" or "0/DMA32" */
static bool is_zone(const struct zl_zone *z, const char *want)
{
	const char *slash = strchr(want, '/');
	char node[16];

	if (slash != NULL) {
		size_t n = zl_format(node, sizeof(node), "%u", z->node);

		if (n != (size_t)(slash - want) || memcmp(node, want, n) != 0) {
			return false;
		}
		want = slash + 1;
	}
	return zl_streq_nocase(z->name, want);
}

static int find_zone(struct replay_job *j, const char *want, struct zl_error *err)
{
	const struct zl_machine *m = &j->machine;
	uint64_t all = zl_recording_count(j->recording, 0, 0);
	bool found = false;

	j->zone = m->main_zone;
	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];
		uint64_t n;

		if (!z->populated) {
			continue;
		}
		n = z->facts == NULL ? 0
				     : zl_recording_count(j->recording, z->start_pfn, z->spanned);
		j->events[i] = n;
		if (want != NULL ? is_zone(z, want) : n > j->in_zone) {
			j->zone = i;
			j->in_zone = n;
			found = true;
		}
	}
	if (want != NULL && !found) {
		zl_error_set(err, 0, 0, "the machine has no zone %s with pages", want);
		return -EINVAL;
	}
	if (m->zones[j->zone].facts == NULL) {
		j->in_zone = all;
	} else if (j->in_zone == 0) {
		zl_error_set(err, 0, 0,
			"no page of this trace lies in a zone of these files; zoneinfo of the "
			"machine that it was recorded on would be right");
		return -EINVAL;
	}
	j->elsewhere = all - j->in_zone;
	return 0;
}

static void fill_where(struct replay_job *j)
{
	const struct zl_zone *z = &j->machine.zones[j->zone];
	struct zl_replay_where *w = &j->where;

	*w = (struct zl_replay_where){.node = z->node, .free = -1};
	zl_format(w->zone, sizeof(w->zone), "%s", z->name);
	zl_sim_config_of(&j->profile, &j->machine, j->zone, &w->config);
	w->config.policies = replay_policies(&j->profile);
	if (z->facts != NULL) {
		w->start_pfn = z->start_pfn;
		w->spanned = z->spanned;
		w->pcp = z->facts->pcp;
		w->nr_pcp = z->facts->nr_pcp;
		w->free = z->facts->free;
	}
	w->slice_known = zl_settings_given(&j->profile.settings, ZL_SET_CACHE_SLICE);
	zl_replay_config(j->recording, &w->config);
	zl_format(j->zone_name, sizeof(j->zone_name), "node %u, zone %s", z->node, z->name);
}

/* An exported run brings its zone. */
static void fill_exported(struct replay_job *j)
{
	struct zl_replay_where *w = &j->where;

	*w = (struct zl_replay_where){
		.config = j->recording->marks.config, .free = -1, .slice_known = true};
	w->config.switches = j->machine.switches;
	w->config.policies = replay_policies(&j->profile);
	zl_format(j->zone_name, sizeof(j->zone_name), "the zone of the exported run");
	j->in_zone = zl_recording_count(j->recording, 0, 0);
}

static int open_zone(struct replay_job *j, const struct replay_ask *ask, struct zl_error *err)
{
	int rc;

	zl_machine_resolve(&j->profile, &j->machine, &j->diags);
	rc = check_machine(j, err);
	if (rc == 0 && j->recording->marks.exported && j->recording->marks.has_config) {
		fill_exported(j);
		return zl_sim_config_check(&j->where.config, err);
	}
	rc = rc != 0 ? rc : find_zone(j, ask->zone, err);
	if (rc == 0) {
		fill_where(j);
	}
	return rc;
}

static void name_it(struct replay_job *j, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = strcmp(path, "-") == 0 ? "standard input"
			   : slash != NULL	  ? slash + 1
						  : path;

	zl_clean_line(j->name, sizeof(j->name), name, strlen(name));
}

int replay_job_new(const struct app *app, const struct replay_ask *ask, struct replay_job **ret,
	struct zl_error *err)
{
	struct replay_job *j = app->alloc->realloc(app->alloc->user, NULL, sizeof(*j));
	int rc;

	if (j == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(j, 0, sizeof(*j));
	j->mem = app->alloc;
	zl_format(j->path, sizeof(j->path), "%s", ask->path);
	name_it(j, ask->path);
	zl_profile_init(&j->profile);
	rc = zl_recording_load(ask->path, j->mem, ask->patience, &j->recording, err);
	rc = rc != 0 ? rc : zl_profile_copy(&j->profile, &app_lane_const(app)->profile, j->mem);
	rc = rc != 0 ? rc : take_settings(j, app, err);
	rc = rc != 0 ? rc : open_zone(j, ask, err);
	rc = rc != 0 ? rc : zl_replay_fit(j->recording, &j->where, ask->patience, &j->result, err);
	if (rc != 0) {
		replay_job_free(j);
		return rc;
	}
	zl_format(j->kernel, sizeof(j->kernel), "%s",
		zl_settings_text(&j->profile.settings, ZL_SET_KERNEL));
	*ret = j;
	return 0;
}

void replay_job_free(struct replay_job *j)
{
	if (j != NULL) {
		zl_replay_result_done(&j->result, j->mem);
		zl_replay_where_done(&j->where, j->mem);
		zl_profile_done(&j->profile, j->mem);
		zl_recording_free(j->recording);
		j->mem->free(j->mem->user, j);
	}
}

static int feed_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	return zl_replay_next(user, ret, NULL, err);
}

/* At the time that it had in the trace. */
static int feed_item(void *user, struct zl_scenario_op *ret, struct zl_error *err)
{
	struct zl_replay_at at = {0};

	*ret = (struct zl_scenario_op){.caption = ZL_NONE, .stop = ZL_NONE};
	int rc = zl_replay_next(user, &ret->op, &at, err);
	ret->cpu = at.cpu;
	ret->t_ns = at.t_ns;
	return rc;
}

static void feed_done(void *user)
{
	zl_replay_free(user);
}

unsigned replay_job_line(const struct replay_job *j, uint64_t op)
{
	struct zl_replay_at at = {0};
	struct zl_replay *p = NULL;
	struct zl_op unused;
	uint64_t n = 0;

	if (zl_replay_new(j->recording, &j->where, NULL, &p, NULL) != 0) {
		return 0;
	}
	while (n < op + zl_replay_start_ops(p) && zl_replay_next(p, &unused, &at, NULL) == 1) {
		n++;
	}
	zl_replay_free(p);
	return at.line;
}

int replay_job_feed(const struct replay_job *j, struct op_feed *ret, struct zl_error *err)
{
	struct zl_replay *p = NULL;
	int rc = zl_replay_new(j->recording, &j->where, NULL, &p, err);

	if (rc == 0) {
		*ret = (struct op_feed){.next = feed_next,
			.next_item = feed_item,
			.done = feed_done,
			.user = p,
			.total = j->result.complete ? j->result.ops : 0};
	}
	return rc;
}
