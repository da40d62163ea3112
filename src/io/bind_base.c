/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: the release that a patch is for, by the rules, names and symbols of its old side.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

#define RELEASES_MAX 64
/* Last minor release of each major one that is counted through. */
#define LAST_5 19
#define LAST_6 19
#define LAST_7 1

/* A reason why a release can or cannot be the base. */
struct clue {
	bool rules, names, symbols, tree;
};

static size_t all_releases(char (*ret)[8])
{
	static const struct {
		unsigned major, first, last;
	} series[] = {
		{5, 14, LAST_5},
		 {6, 0,	LAST_6},
		 {7, 0,	LAST_7}
	       };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++) {
		for (unsigned minor = series[i].first; minor <= series[i].last; minor++) {
			zl_format(ret[n++], sizeof(ret[0]), "%u.%u", series[i].major, minor);
		}
	}
	return n;
}

static void switches_of(const char *release, struct zl_switches *ret)
{
	struct zl_release r;

	if (zl_release_parse(release, &r) == 0) {
		zl_switches_for(&r, ret, NULL);
	}
}

/* free_unref_page_commit became free_frozen_page_commit in 6.14. */
static bool name_allows(const char *function, const char *release)
{
	struct zl_release at, r;
	bool later;

	if (zl_release_parse("6.14", &at) != 0 || zl_release_parse(release, &r) != 0) {
		return true;
	}
	later = zl_release_compare(&r, &at) >= 0;
	if (strcmp(function, "free_unref_page_commit") == 0) {
		return !later;
	}
	return strcmp(function, "free_frozen_page_commit") != 0 || later;
}

/* Blocks of a refill were counted in __rmqueue_pcplist() before nr_pcp_alloc() came. */
static bool place_allows(const char *function, enum zl_point point, const char *release,
	const struct zl_switches *sw)
{
	if (point == ZL_POINT_NR_PCP_ALLOC && strcmp(function, "__rmqueue_pcplist") == 0) {
		return sw->design < ZL_DESIGN_B;
	}
	return name_allows(function, release);
}

bool bind_rule_possible(const char *function, const struct zl_point_rule *rule)
{
	char release[RELEASES_MAX][8];
	size_t n = all_releases(release);

	for (size_t i = 0; i < n; i++) {
		struct zl_switches sw = {0};

		switches_of(release[i], &sw);
		if (zl_point_rule(rule->point, &sw) == rule &&
			place_allows(function, rule->point, release[i], &sw)) {
			return true;
		}
	}
	return false;
}

static bool rules_allow(const struct binder *b, const struct zl_switches *sw)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *c = &b->out->change[i];

		if (c->rule != NULL && zl_point_rule(c->point, sw) != c->rule) {
			return false;
		}
		if (c->kind == ZL_CHANGE_VARIABLE &&
			zl_point_rule(ZL_POINT_ALLOC_FACTOR_MAX, sw) == NULL) {
			return false;
		}
	}
	return true;
}

static bool names_allow(const struct binder *b, const char *release, const struct zl_switches *sw)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *c = &b->out->change[i];

		if (!place_allows(c->place.function, c->point, release, sw)) {
			return false;
		}
	}
	return true;
}

/* A symbol that exists, or that the patch adds. */
static bool symbol_allows(const struct zl_change *c, const struct zl_switches *sw)
{
	enum zl_block_symbol block = sw->page_block_symbol;
	const char *name = c->place.function;

	if (c->setting == ZL_SET_PAGE_BLOCK_ORDER && c->added) {
		return block == ZL_BLOCK_SYMBOL_NONE;
	}
	if (strcmp(name, "PAGE_BLOCK_ORDER") == 0) {
		return block == ZL_BLOCK_SYMBOL_ORDER;
	}
	if (strcmp(name, "PAGE_BLOCK_MAX_ORDER") == 0) {
		return block == ZL_BLOCK_SYMBOL_MAX_ORDER;
	}
	if (strcmp(name, "FORCE_MAX_ZONEORDER") == 0) {
		return sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER;
	}
	if (strcmp(name, "ARCH_FORCE_MAX_ORDER") == 0) {
		return sw->max_order != ZL_MAX_ORDER_FORCE_ZONEORDER;
	}
	if (strcmp(name, "PCP_BATCH_SCALE_MAX") == 0) {
		return c->added ? sw->design < ZL_DESIGN_B : sw->design >= ZL_DESIGN_B;
	}
	return true;
}

static bool symbols_allow(const struct binder *b, const struct zl_switches *sw)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *c = &b->out->change[i];

		if (c->setting != ZL_SETTING_COUNT && !symbol_allows(c, sw)) {
			return false;
		}
	}
	return true;
}

/* "[PATCH 6.6.y]": the series that the mail names. */
static const char *named_tree(const struct binder *b)
{
	for (size_t i = 0; i < b->patches->nr_used; i++) {
		if (b->patches->used[i]->message->subject.tree[0] != '\0') {
			return b->patches->used[i]->message->subject.tree;
		}
	}
	return "";
}

static bool of_tree(const char *tree, const char *release)
{
	size_t n = strlen(release);

	return tree[0] == '\0' ||
	       (strncmp(tree, release, n) == 0 && (tree[n] == '.' || tree[n] == '\0'));
}

/*
 * First digits of mm/page_alloc.c as git names it, by release: what the index line of a diff has on
 * its left side.
 */
static const struct {
	const char *release, *blob;
} blobs[] = {
	{"5.14",	 "856b175c15a4"},
	{"5.15.55", "a0b7afae59e9"},
	{"5.17",	 "3589febc6d31"},
	{"5.19",	 "b5b14b78c4fd"},
	{"6.0",	"e5486d47406e"},
	{"6.4.6",	  "47421bedc12b"},
	{"6.5",	"7d3460c7a480"},
	{"6.6.63",  "3bda3f4570a2"},
	{"6.8",	"a663202045dc"},
	{"6.12",	 "b6958333054d"},
	{"6.13.7",  "0f9b359d67bb"},
	{"6.14",	 "542d25f77be8"},
	{"6.17",	 "d1d037f97c5f"},
	{"6.18.2",  "ed82ee55e66a"},
	{"6.18.35", "775e02b797a3"},
	{"6.19",	 "cbf758e27aa2"},
	{"7.0",	"2d4b6f1a554e"},
	{"7.1.3",	  "d49c254174da"},
};

/* The release whose file the first patch begins with; NULL when the index line says none. */
static const char *by_blob(const struct binder *b)
{
	const size_t least = 7, most = 12;

	for (size_t i = 0; i < b->nr_files; i++) {
		const struct zl_patch_file *f = b->file[i].file;
		size_t n = strlen(f->blob);

		if (strcmp(f->path, "mm/page_alloc.c") != 0) {
			continue;
		}
		for (size_t k = 0; n >= least && k < sizeof(blobs) / sizeof(blobs[0]); k++) {
			if (strncmp(f->blob, blobs[k].blob, n < most ? n : most) == 0) {
				return blobs[k].release;
			}
		}
		return NULL; /* what a later patch of a series begins with is no release */
	}
	return NULL;
}

/* The file itself is known: no other release is as sure. */
static bool take_blob(struct binder *b)
{
	struct zl_binding *out = b->out;
	const char *release = by_blob(b);
	struct zl_switches sw = {0};

	if (release == NULL) {
		return false;
	}
	switches_of(release, &sw);
	if (!rules_allow(b, &sw)) {
		return false;
	}
	zl_format(out->base, sizeof(out->base), "%s", release);
	zl_format(out->base_from, sizeof(out->base_from), "%s", release);
	zl_format(out->base_to, sizeof(out->base_to), "%s", release);
	zl_format(
		out->base_why, sizeof(out->base_why), "whose mm/page_alloc.c the index line names");
	return true;
}

static void say(struct binder *b, const struct clue *k, bool any)
{
	struct zl_binding *out = b->out;
	struct zl_text t;

	zl_text_init(&t, out->base_why, sizeof(out->base_why));
	if (!any) {
		zl_text_str(
			&t, "no single release has all that the patch expects; taken by its rules");
		return;
	}
	zl_text_str(&t, "by ");
	zl_text_str(&t, k->rules ? "the old rules" : "");
	if (k->names) {
		zl_text_fmt(&t, "%sfunction names", k->rules ? " and " : "");
	}
	if (k->symbols) {
		zl_text_fmt(&t, "%ssymbols", k->rules || k->names ? " and " : "");
	}
	if (k->tree) {
		zl_text_fmt(&t, "%sthe subject", k->rules || k->names || k->symbols ? " and " : "");
	}
	if (strcmp(out->base_from, out->base_to) != 0) {
		zl_text_fmt(&t, ": %s to %s, of which the newest is taken", out->base_from,
			out->base_to);
	}
}

static void note_clues(const struct binder *b, const char *tree, struct clue *k)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *c = &b->out->change[i];

		k->rules |= c->rule != NULL || c->kind == ZL_CHANGE_VARIABLE;
		k->names |= strcmp(c->place.function, "free_unref_page_commit") == 0 ||
			    strcmp(c->place.function, "free_frozen_page_commit") == 0;
		k->symbols |= c->setting != ZL_SETTING_COUNT && c->kind != ZL_CHANGE_VARIABLE &&
			      c->place.function[0] != '\0';
	}
	k->tree = tree[0] != '\0';
}

void bind_base(struct binder *b)
{
	char release[RELEASES_MAX][8];
	size_t n = all_releases(release), found = 0;
	const char *tree = named_tree(b);
	struct zl_binding *out = b->out;
	struct clue k = {0};

	if (out->nr_changes > 0 && take_blob(b)) {
		return;
	}
	note_clues(b, tree, &k);
	out->base_guessed = !k.rules && !k.names && !k.symbols && !k.tree;
	if (out->base_guessed) {
		zl_format(out->base_why, sizeof(out->base_why), "nothing in the patch says which");
		return;
	}
	for (unsigned strict = 2; strict-- > 0 && found == 0;) {
		for (size_t i = 0; i < n; i++) {
			struct zl_switches sw = {0};

			switches_of(release[i], &sw);
			if (!rules_allow(b, &sw) ||
				(strict == 1 && (!names_allow(b, release[i], &sw) ||
							!symbols_allow(b, &sw) ||
							!of_tree(tree, release[i])))) {
				continue;
			}
			if (found++ == 0) {
				zl_format(out->base_from, sizeof(out->base_from), "%s", release[i]);
			}
			zl_format(out->base_to, sizeof(out->base_to), "%s", release[i]);
		}
		if (found > 0) {
			zl_format(out->base, sizeof(out->base), "%s", out->base_to);
			say(b, &k, strict == 1);
		}
	}
	if (found == 0) {
		say(b, &k, false);
		out->base_guessed = true;
	}
}
