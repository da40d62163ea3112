/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion at the prompt: commands, options, keys of settings, their values, names of values.
 */
#include <string.h>

#include "commands.h"
#include "pagesets.h"
#include "zonelab/lesson_file.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

struct work {
	const struct app *app;
	const char *prefix; /* of the word being completed */
	size_t len;
	struct completions *ret;
};

static bool fits(const struct work *w, const char *word)
{
	return strncmp(word, w->prefix, w->len) == 0;
}

static void add(struct work *w, const char *word, const char *value, const char *meaning)
{
	if (!fits(w, word) || w->ret->count == COMPLETIONS_MAX) {
		return;
	}
	struct completion *c = &w->ret->item[w->ret->count++];
	zl_format(c->word, sizeof(c->word), "%s", word);
	zl_format(c->value, sizeof(c->value), "%s", value);
	zl_format(c->meaning, sizeof(c->meaning), "%s", meaning);
}

static void add_commands(struct work *w)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);
		if (c->flags & COMMAND_PROMPT) {
			add(w, c->name, "", c->help);
		}
	}
}

static void add_options(struct work *w, const struct command *c)
{
	for (const struct command_option *o = c->options; o != NULL && o->name != NULL; o++) {
		add(w, o->name, "", o->help);
	}
}

/* Other spellings, for those who type one: a list of all would say everything twice. */
static void add_aliases(
	struct work *w, const struct zl_setting_info *info, const char *suffix, const char *value)
{
	char word[ZL_SETTING_TEXT];

	for (const char *s = info->aliases; *s != '\0' && w->len > 0;) {
		size_t n = strcspn(s, " ");
		struct zl_text t;

		zl_text_init(&t, word, sizeof(word));
		zl_text_strn(&t, s, n);
		zl_text_str(&t, suffix);
		add(w, word, value, info->help);
		s += n + strspn(s + n, " ");
	}
}

static void add_settings(struct work *w, const char *suffix)
{
	const struct value_in in = app_values(w->app);

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_info *info = zl_setting_info((enum zl_setting)i);
		char value[ZL_CMDLINE_TEXT];
		char word[ZL_SETTING_TEXT];

		value_text(&in, VALUE_SETTING_BASE + i, value, sizeof(value));
		zl_format(word, sizeof(word), "%s%s", info->key, suffix);
		if (fits(w, word)) {
			add(w, word, value, info->help);
		} else {
			add_aliases(w, info, suffix, value);
		}
	}
}

static void add_values(struct work *w)
{
	const struct value_in in = app_values(w->app);

	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		char value[64];
		value_text(&in, id, value, sizeof(value));
		add(w, value_name(id), value, value_info((enum value_id)id)->definition);
	}
	add(w, "estimate", "", "what the cost estimate can and cannot say");
	add(w, "limits", "", "what is not modelled");
}

static void add_list_topics(struct work *w)
{
	for (size_t i = 0; list_topic(i) != NULL; i++) {
		add(w, list_topic(i), "", "");
	}
}

static void add_lessons(struct work *w)
{
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		add(w, zl_shipped_at(ZL_SHIPPED_LESSONS, i)->name, "", "");
	}
}

/* Values of one setting behind its '='. */
static void add_setting_values(struct work *w, enum zl_setting key)
{
	const struct zl_setting_info *info = zl_setting_info(key);
	const struct lane *lane = app_lane_const(w->app);
	char word[ZL_SETTING_TEXT];
	uint64_t sizes[APP_PAGE_SIZES];

	if (info->type == ZL_TYPE_WORD) {
		for (unsigned i = 0; zl_setting_word(key, i, word) != NULL; i++) {
			add(w, word, "", "");
		}
	} else if (info->type == ZL_TYPE_BOOL) {
		add(w, "on", "", "");
		add(w, "off", "", "");
	} else if (info->type == ZL_TYPE_RELEASE) {
		for (size_t i = 0; i < zl_breakpoint_count(); i++) {
			add(w, zl_breakpoint(i), "", "");
		}
	} else if (key == ZL_SET_PAGE_SIZE) {
		size_t n = zl_arch_page_sizes(&lane->profile.settings, sizes, APP_PAGE_SIZES);
		for (size_t i = 0; i < n; i++) {
			zl_format(word, sizeof(word), "%UK", sizes[i] / 1024);
			add(w, word, "", "");
		}
	}
	add(w, "default", "", info->dflt);
}

/* What follows is completed alone. */
static void skip(struct work *w, size_t n)
{
	w->ret->start += n;
	w->prefix += n;
	w->len -= n;
}

static void complete_set(struct work *w, const char *word)
{
	const char *eq = memchr(word, '=', w->len);
	char key[ZL_SETTING_TEXT];
	struct zl_text t;

	if (eq == NULL) {
		add_settings(w, "=");
		return;
	}
	zl_text_init(&t, key, sizeof(key));
	zl_text_strn(&t, word, (size_t)(eq - word));
	enum zl_setting id = zl_setting_find(key);
	if (id != ZL_SETTING_COUNT) {
		skip(w, (size_t)(eq - word) + 1);
		add_setting_values(w, id);
	}
}

static void add_profiles(struct work *w)
{
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		add(w, zl_shipped_at(ZL_SHIPPED_PROFILES, i)->name, "", "");
	}
	add(w, "live", "", "this machine");
}

static void add_scenarios(struct work *w)
{
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		add(w, zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name, "", "");
	}
}

static void add_policies(struct work *w)
{
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		const struct zl_shipped_policy *p = zl_shipped_policy_at(i);

		add(w, p->name, "", p->question);
	}
}

/* Bytes of a lane up to its last item: behind the colon of its name or an open comma. */
static size_t lane_items(const char *word, size_t len)
{
	const char *colon = memchr(word, ':', len);
	size_t start = colon != NULL ? (size_t)(colon - word) + 1 : SIZE_MAX;
	unsigned depth = 0;
	bool quoted = false;

	for (size_t i = start; i < len; i++) {
		char c = word[i];

		if (c == '\\') {
			i++;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && (c == '(' || c == '[')) {
			depth++;
		} else if (!quoted && (c == ')' || c == ']')) {
			depth -= depth > 0 ? 1 : 0;
		} else if (!quoted && c == ',' && depth == 0) {
			start = i + 1;
		}
	}
	return start;
}

/* A decision point behind "policy.", with its present rule. */
static void add_points(struct work *w)
{
	const struct lane *lane = app_lane_const(w->app);

	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		const struct zl_point_info *info = zl_point_info((enum zl_point)p);
		const char *rule = zl_policy_text(
			&lane->profile.policies, (enum zl_point)p, &lane->machine.switches);
		char word[ZL_SETTING_TEXT];

		zl_format(word, sizeof(word), "policy.%s=", info->name);
		add(w, word, rule != NULL ? rule : "", info->meaning);
	}
}

/* An item of a lane: a setting, a profile, a policy. */
static void complete_lane(struct work *w)
{
	static const char profile[] = "profile=";
	static const char policy[] = "policy=";
	size_t start = lane_items(w->prefix, w->len);

	if (start > w->len) { /* its name is not finished */
		return;
	}
	skip(w, start);
	if (strncmp(w->prefix, profile, sizeof(profile) - 1) == 0 &&
		w->len >= sizeof(profile) - 1) {
		skip(w, sizeof(profile) - 1);
		add_profiles(w);
	} else if (strncmp(w->prefix, policy, sizeof(policy) - 1) == 0 &&
		   w->len >= sizeof(policy) - 1) {
		skip(w, sizeof(policy) - 1);
		add_policies(w);
	} else {
		if (memchr(w->prefix, '=', w->len) == NULL) {
			add(w, profile, "", "another machine");
			add(w, policy, "", "a shipped policy");
			add_points(w);
		}
		complete_set(w, w->prefix);
	}
}

/* The CPUs of the run with what is on their lists; of the run itself, since a scene may be older. */
static void add_cpus(struct work *w)
{
	const struct timeline *t = w->app->pagesets != NULL ? pagesets_timeline(w->app) : NULL;
	char word[ZL_SETTING_TEXT], value[ZL_SETTING_TEXT];

	for (unsigned i = 0; t != NULL && i < zl_sim_cpus(t->sim); i++) {
		const bool runs = i == zl_sim_cpu(t->sim);
		struct zl_pageset_view v;

		zl_sim_pageset(t->sim, i, &v);
		zl_format(word, sizeof(word), "%u", i);
		zl_format(value, sizeof(value), "%d of %d", v.count, v.high);
		add(w, word, value,
			v.tuned && v.high == 0 ? "not used yet"
			: runs		       ? "pages on its lists, of high; runs the ops"
					       : "pages on its lists, of high");
	}
	add(w, "run", "", "the CPU that runs the ops, whichever that is");
}

/* The zones that the run can be shown in. */
static void add_zones(struct work *w)
{
	struct run_zone_name list[ZL_ZONES_MAX];
	char word[ZL_SETTING_TEXT], value[ZL_SETTING_TEXT];
	size_t shown = 0, n = w->app->pagesets != NULL ? run_zones_list(w->app, list, &shown) : 0;

	for (size_t i = 0; i < n; i++) {
		zl_format(word, sizeof(word), "%u/%s", list[i].node, list[i].name);
		zl_format(value, sizeof(value), "%N", list[i].managed);
		add(w, word, value, i == shown ? "managed pages; shown" : "managed pages");
	}
}

/* Whether the word before the one that is completed is @option. */
static bool behind(const char *line, size_t start, const char *option)
{
	size_t n = strlen(option);

	while (start > 0 && line[start - 1] == ' ') {
		start--;
	}
	return start > n && strncmp(line + start - n, option, n) == 0 && line[start - n - 1] == ' ';
}

static bool in_name(const char *s, size_t i)
{
	char c = s[i];

	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (c == '-' && s[i + 1] == '>') || (c == '>' && i > 0 && s[i - 1] == '-');
}

/* Names in scope, functions and what an expression may begin with. */
static void add_point_names(struct work *w, enum zl_point p)
{
	static const struct {
		const char *word, *meaning;
	} functions[] = {
		{"abs(",			 "abs(x)"				   },
		{"clamp(",		   "clamp(x, lowest, highest)"		      },
		{"default",		    "the rule of the release again"		   },
		{"ilog2(",		   "number of the highest bit of x"	   },
		{"max(",			 "max(x, y)"				    },
		{"max3(",		  "max3(x, y, z)"				 },
		{"min(",			 "min(x, y)"				    },
		{"min3(",		  "min3(x, y, z)"				 },
		{"rounddown_pow_of_two(", "largest power of two that is not above x" },
		{"roundup_pow_of_two(",	"smallest power of two that is not below x"},
		{"test_bit(",	      "test_bit(BIT, &zone->flags)"		   },
	};
	char word[ZL_EXPR_NAME_MAX];

	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		if (zl_point_has_name(p, (enum zl_policy_name_id)id)) {
			zl_policy_name_word((enum zl_policy_name_id)id, word);
			add(w, word, "", zl_policy_name((enum zl_policy_name_id)id)->meaning);
		}
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		add(w, functions[i].word, "", functions[i].meaning);
	}
}

/* A point or a shipped policy; behind the '=' what its expression may hold. */
static void complete_policy(struct work *w, const char *line, size_t point)
{
	const char *name = line + strspn(line, " ");
	const char *eq = memchr(line, '=', point);
	char word[ZL_SETTING_TEXT];
	struct zl_text t;

	name += strcspn(name, " ");
	name += strspn(name, " ");
	if (eq == NULL || eq < name) {
		for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
			const struct zl_point_info *info = zl_point_info((enum zl_point)p);
			add(w, info->name, "", info->meaning);
		}
		for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
			const struct zl_shipped_policy *s = zl_shipped_policy_at(i);
			add(w, s->name, "", s->question);
		}
		add(w, "none", "", "every rule back to the release");
		return;
	}
	zl_text_init(&t, word, sizeof(word));
	zl_text_strn(&t, name, strcspn(name, " ="));
	enum zl_point p = zl_point_find(word);
	size_t start = point;
	while (start > (size_t)(eq - line) + 1 && in_name(line, start - 1)) {
		start--;
	}
	w->ret->start = start;
	w->prefix = line + start;
	w->len = point - start;
	if (p != ZL_POINT_COUNT) {
		add_point_names(w, p);
	}
}

/* Start of the word under the cursor, and the command in front of it. */
static const struct command *command_of(const char *line, size_t point, size_t *ret_start)
{
	char name[ZL_SETTING_TEXT];
	struct zl_text t;
	size_t start = point;

	while (start > 0 && line[start - 1] != ' ') {
		start--;
	}
	*ret_start = start;
	size_t first = strspn(line, " ");
	size_t len = strcspn(line + first, " ");
	if (first + len >= start) {
		return NULL;
	}
	zl_text_init(&t, name, sizeof(name));
	zl_text_strn(&t, line + first, len);
	return command_find(name);
}

void command_complete(
	const struct app *app, const char *line, size_t point, struct completions *ret)
{
	struct work w = {.app = app, .ret = ret};

	memset(ret, 0, sizeof(*ret));
	size_t n = strlen(line);
	point = point < n ? point : n;
	const struct command *c = command_of(line, point, &ret->start);
	w.prefix = line + ret->start;
	w.len = point - ret->start;
	if (c == NULL) {
		if (strspn(line, " ") >= ret->start) {
			add_commands(&w);
		}
		return;
	}
	zl_format(ret->usage, sizeof(ret->usage), "%s %s", c->name, c->synopsis);
	if (strcmp(c->name, "policy") == 0) {
		complete_policy(&w, line, point);
	} else if (w.len > 0 && w.prefix[0] == '-') {
		add_options(&w, c);
	} else if (behind(line, ret->start, "--lane")) {
		complete_lane(&w);
	} else if (behind(line, ret->start, "--axis")) {
		add(&w, "kernel", "", "every release that changes a run");
	} else if (strncmp(c->synopsis, "SCENARIO", strlen("SCENARIO")) == 0) {
		add_scenarios(&w);
	} else if (strcmp(c->name, "set") == 0) {
		complete_set(&w, w.prefix);
	} else if (strcmp(c->name, "cpu") == 0) {
		add_cpus(&w);
	} else if (strcmp(c->name, "zone") == 0) {
		add_zones(&w);
	} else if (strcmp(c->name, "lane") == 0) {
		complete_lane(&w);
	} else if (strcmp(c->name, "explain") == 0) {
		add_values(&w);
		add_settings(&w, "");
		for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
			const struct zl_point_info *info = zl_point_info((enum zl_point)p);
			add(&w, info->name, "", info->meaning);
		}
	} else if (strcmp(c->name, "help") == 0) {
		add_commands(&w);
	} else if (strcmp(c->name, "lesson") == 0) {
		add_lessons(&w);
	} else if (strcmp(c->name, "list") == 0) {
		add_list_topics(&w);
	}
}
