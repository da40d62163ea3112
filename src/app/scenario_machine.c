/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_machine.h"

#include <errno.h>
#include <string.h>

#include "profile_load.h"
#include "zonelab/sim_machine.h"
#include "zonelab/text.h"

#define NAME_SIZE 64

bool scenario_brings_machine(const struct zl_profile *p)
{
	bool named = p->nr_zones > 0;

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &p->settings.value[i];

		named = named || (v->given && (v->origin == ZL_ORIGIN_FILE ||
						      v->origin == ZL_ORIGIN_NAMED_PROFILE));
	}
	return named;
}

/* The same words for what is there change nothing, and nothing that rests on it. */
static bool says_the_same(
	const struct zl_settings *there, const struct zl_settings *given, enum zl_setting key)
{
	return there->value[key].given && there->value[key].number == given->value[key].number &&
	       strcmp(zl_settings_text(there, key), zl_settings_text(given, key)) == 0;
}

/* Lays the user's settings over the scenario's start. */
static void add_users(struct zl_profile *p, const struct zl_profile *base)
{
	struct zl_settings given = base->settings;

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;

		if (given.value[i].given && (given.value[i].origin < ZL_ORIGIN_FILE ||
						    says_the_same(&p->settings, &given, key))) {
			zl_settings_unset(&given, key);
		}
	}
	zl_settings_merge(&p->settings, &given);
}

static int start(struct scenario_machine *m, const struct zl_profile *base,
	const struct zl_scenario *s, struct zl_error *err)
{
	int rc = 0;

	zl_profile_init(&m->profile);
	if (scenario_brings_machine(base)) {
		rc = zl_profile_copy(&m->profile, base, m->mem);
	} else if (s->profile[0] != '\0') {
		rc = profile_load(s->profile, m->mem, &m->profile, err);
	}
	if (rc == 0) {
		zl_settings_merge(&m->profile.settings, &s->settings);
		add_users(&m->profile, base);
		rc = zl_policy_merge(&m->profile.policies, &s->policies, m->mem);
		rc = rc != 0 ? rc : zl_policy_merge(&m->profile.policies, &base->policies, m->mem);
	}
	if (rc == 0) {
		zl_machine_resolve(&m->profile, &m->machine, &m->diags);
		rc = zl_scenario_config(s, &m->profile, &m->machine, &m->config, err);
	}
	if (rc == 0) {
		m->zone = (size_t)zl_scenario_zone_index(s, &m->machine, err);
	}
	if (rc == 0 && s->zone.all) {
		m->system = m->mem->realloc(m->mem->user, NULL, sizeof(*m->system));
		if (m->system == NULL) {
			zl_error_set(err, 0, 0, "no memory");
			return -ENOMEM;
		}
		rc = zl_scenario_system(s, &m->profile, &m->machine, m->system, err);
	}
	return rc;
}

/* Settings say how much CMA a boot reserves; where it lies in a run is the scenario's to say. */
static void note_cma(struct scenario_machine *m, const struct zl_scenario *s)
{
	const struct zl_setting_value *v = &m->profile.settings.value[ZL_SET_CMA_SIZE];
	bool asked = v->given && (v->origin == ZL_ORIGIN_SCENARIO || v->origin >= ZL_ORIGIN_GIVEN);

	if (asked && m->machine.cma_size > 0 && s->zone.cma < 0 && m->config.cma_pages == 0) {
		struct zl_diag *d = zl_diag_add(&m->diags, ZL_NOTE, ZL_DIAG_SETTING_IGNORED,
			"cma_size %Z places no CMA area in this run", m->machine.cma_size);

		d->about = ZL_SET_CMA_SIZE;
		zl_format(d->mend, sizeof(d->mend), "fix: \"zone\": {\"cma\": %U} in the scenario",
			m->machine.cma_size);
	}
}

static void note_cleaned(struct scenario_machine *m, const struct zl_scenario *s)
{
	if (s->nr_cleaned > 0) {
		zl_diag_add(&m->diags, ZL_NOTE, ZL_DIAG_TEXT_CLEANED,
			"control characters are left out of %u text%s of the scenario",
			s->nr_cleaned, s->nr_cleaned == 1 ? "" : "s");
	}
}

/* A kernel that cannot exist runs nothing. */
static int check_buildable(const struct scenario_machine *m, struct zl_error *err)
{
	if (m->machine.geometry.buildable) {
		return 0;
	}
	for (size_t i = 0; i < m->diags.count; i++) {
		const struct zl_diag *d = &m->diags.item[i];

		if (d->severity == ZL_ERROR) {
			zl_error_set(
				err, 0, 0, "this kernel cannot be built: %s; %s", d->text, d->mend);
			break;
		}
	}
	return -ENOEXEC;
}

int scenario_machine_new(const struct zl_profile *base, const struct zl_scenario *s,
	const struct zl_allocator *mem, struct scenario_machine **ret, struct zl_error *err)
{
	struct scenario_machine *m = mem->realloc(mem->user, NULL, sizeof(*m));
	int rc;

	if (m == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(m, 0, sizeof(*m));
	m->mem = mem;
	rc = start(m, base, s, err);
	rc = rc != 0 ? rc : check_buildable(m, err);
	if (rc == 0) {
		note_cma(m, s);
		note_cleaned(m, s);
	}
	if (rc != 0) {
		scenario_machine_free(m);
		return rc;
	}
	*ret = m;
	return 0;
}

void scenario_machine_free(struct scenario_machine *m)
{
	if (m != NULL) {
		zl_profile_done(&m->profile, m->mem);
		m->mem->free(m->mem->user, m->system);
		m->mem->free(m->mem->user, m);
	}
}

/* "NAME=VALUE" for both forms of the scenario. */
int scenario_parameter(struct zl_scenario *s, const char *text, struct zl_error *err)
{
	size_t len = strcspn(text, "=");
	const char *near = NULL;
	char name[NAME_SIZE];
	uint64_t v = 0;

	zl_format(name, sizeof(name), "%s", text);
	name[len < NAME_SIZE ? len : NAME_SIZE - 1] = '\0';
	if (text[len] != '=' || zl_parse_u64(text + len + 1, &v) != 0 ||
		v > (uint64_t)ZL_JSON_INT_MAX) {
		zl_error_set(err, 0, 0, "--param %s: write NAME=NUMBER", text);
		return -EINVAL;
	}
	for (uint32_t i = 0; i < s->nr_names; i++) {
		struct zl_scenario_name *n = &s->names[i];

		if (n->parameter && strcmp(n->name, name) == 0) {
			n->value = (int64_t)v;
			n->short_value = (int64_t)v;
			return 0;
		}
		near = n->parameter ? n->name : near;
	}
	zl_error_set(err, 0, 0, "the scenario has no parameter '%s'%s%s", name,
		near != NULL ? "; it has " : "", near != NULL ? near : "");
	return -EINVAL;
}

int scenario_options(const struct command_args *args, const struct zl_settings *settings,
	struct zl_scenario *s, struct zl_expand_options *ret, struct zl_error *err)
{
	memset(ret, 0, sizeof(*ret));
	ret->short_form = args != NULL && args_switch(args, "--short");
	for (size_t i = 0; args != NULL && i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, "--param") == 0 &&
			scenario_parameter(s, args->option[i].value, err) != 0) {
			return -EINVAL;
		}
	}
	if (!zl_settings_given(settings, ZL_SET_SEED)) {
		return 0;
	}
	if (zl_parse_u64(zl_settings_text(settings, ZL_SET_SEED), &ret->seed) != 0) {
		zl_error_set(err, 0, 0, "seed %s is no number from 0 to 9223372036854775807",
			zl_settings_text(settings, ZL_SET_SEED));
		return -EINVAL;
	}
	ret->seeded = true;
	return 0;
}
