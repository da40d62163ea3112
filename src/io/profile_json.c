/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading of profiles. Members are listed in tables; a member that no table has is refused, so
 * that a typing error is not a silent default.
 */
#include "zonelab/profile_json.h"

#include <errno.h>
#include <string.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

#define PATH_MAX_LENGTH 96

struct reading {
	const struct zl_allocator *a;
	struct zl_profile *p;
	struct zl_error *err;
};

enum member_type { MEMBER_I64, MEMBER_U64, MEMBER_U32 };

struct member {
	const char *key;
	enum member_type type;
	size_t offset;
	int64_t max;
};

/* Above any count of pages or KiB that means something. */
#define COUNT_MAX (INT64_C(1) << 52)

static const struct member zone_members[] = {
	{"boost",	  MEMBER_I64, offsetof(struct zl_zone_facts, boost),     COUNT_MAX      },
	{"cma",	MEMBER_U64, offsetof(struct zl_zone_facts, cma),	 COUNT_MAX	  },
	{"cpus",	 MEMBER_U32, offsetof(struct zl_zone_facts, cpus),	   ZL_ZONE_PCP_MAX},
	{"free",	 MEMBER_I64, offsetof(struct zl_zone_facts, free),	   COUNT_MAX	    },
	{"high",	 MEMBER_I64, offsetof(struct zl_zone_facts, high),	   COUNT_MAX	    },
	{"low",	MEMBER_I64, offsetof(struct zl_zone_facts, low),	 COUNT_MAX	  },
	{"managed",   MEMBER_U64, offsetof(struct zl_zone_facts, managed),	 COUNT_MAX	  },
	{"min",	MEMBER_I64, offsetof(struct zl_zone_facts, min),	 COUNT_MAX	  },
	{"node",	 MEMBER_U32, offsetof(struct zl_zone_facts, node),	   63	     },
	{"node_cpus", MEMBER_U32, offsetof(struct zl_zone_facts, node_cpus), ZL_ZONE_PCP_MAX},
	{"present",   MEMBER_U64, offsetof(struct zl_zone_facts, present),	 COUNT_MAX	  },
	{"promo",	  MEMBER_I64, offsetof(struct zl_zone_facts, promo),     COUNT_MAX      },
	{"spanned",   MEMBER_U64, offsetof(struct zl_zone_facts, spanned),	 COUNT_MAX	  },
	{"start_pfn", MEMBER_U64, offsetof(struct zl_zone_facts, start_pfn), COUNT_MAX      },
};

static const struct member pageset_members[] = {
	{"batch",	  MEMBER_I64, offsetof(struct zl_observed_pcp, batch),	       UINT16_MAX	 },
	{"count",	  MEMBER_I64, offsetof(struct zl_observed_pcp, count),	       INT32_MAX	},
	{"cpu",		MEMBER_U32, offsetof(struct zl_observed_pcp, cpu),		   ZL_ZONE_PCP_MAX},
	{"high",		 MEMBER_I64, offsetof(struct zl_observed_pcp, high),	     INT32_MAX      },
	{"high_max",	     MEMBER_I64, offsetof(struct zl_observed_pcp, high_max),	     INT32_MAX      },
	{"high_min",	     MEMBER_I64, offsetof(struct zl_observed_pcp, high_min),	     INT32_MAX      },
	{"stat_threshold", MEMBER_I64, offsetof(struct zl_observed_pcp, stat_threshold), INT32_MAX	  },
};

static const struct member observed_members[] = {
	{"cma_free_kb",	MEMBER_I64, offsetof(struct zl_observed, cma_free_kb),     COUNT_MAX},
	{"cma_total_kb",	 MEMBER_I64, offsetof(struct zl_observed, cma_total_kb),	 COUNT_MAX},
	{"huge_page_kb",	 MEMBER_I64, offsetof(struct zl_observed, huge_page_kb),	 COUNT_MAX},
	{"max_page_order",  MEMBER_I64, offsetof(struct zl_observed, max_page_order),  63       },
	{"mem_total_kb",	 MEMBER_I64, offsetof(struct zl_observed, mem_total_kb),	 COUNT_MAX},
	{"migrate_types",	  MEMBER_I64, offsetof(struct zl_observed, migrate_types),   16	     },
	{"min_free_kbytes", MEMBER_I64, offsetof(struct zl_observed, min_free_kbytes), INT32_MAX},
	{"pageblock_order", MEMBER_I64, offsetof(struct zl_observed, pageblock_order), 63	 },
};

static int wrong(
	const struct reading *r, const char *path, const struct zl_json *j, const char *want)
{
	zl_error_set(r->err, 0, 0, "%s: %s; %s would be right", path,
		zl_json_kind_name(zl_json_kind(j)), want);
	return -EINVAL;
}

static int number_in(const struct reading *r, const char *path, const struct zl_json *j,
	int64_t max, int64_t *ret)
{
	int64_t v = 0;

	if (zl_json_get_int(j, &v) < 0) {
		return wrong(r, path, j, "a whole number below 2^53");
	}
	if (v < 0 || v > max) {
		zl_error_set(r->err, 0, 0, "%s: %D is out of range; 0 to %D would be right", path,
			v, max);
		return -ERANGE;
	}
	*ret = v;
	return 0;
}

static void store(void *base, const struct member *m, int64_t v)
{
	if (m->type == MEMBER_U32) {
		unsigned narrow = (unsigned)v;

		memcpy((char *)base + m->offset, &narrow, sizeof(narrow));
	} else {
		memcpy((char *)base + m->offset, &v, sizeof(v));
	}
}

struct table {
	const struct member *member;
	size_t count;
	void *base;
};

/* 0 when @j was a member of the table, 1 when it is none, else an error. */
static int read_member(
	const struct reading *r, const struct table *t, const char *where, const struct zl_json *j)
{
	char path[PATH_MAX_LENGTH];
	int64_t v = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (strcmp(t->member[i].key, zl_json_key(j)) == 0) {
			zl_format(path, sizeof(path), "%s.%s", where, t->member[i].key);
			int e = number_in(r, path, j, t->member[i].max, &v);
			if (e == 0) {
				store(t->base, &t->member[i], v);
			}
			return e;
		}
	}
	return 1;
}

static int unknown(const struct reading *r, const char *where, const struct zl_json *j)
{
	zl_error_set(r->err, 0, 0, "%s: there is no member \"%s\"; see zonelab-profile(5)", where,
		zl_json_key(j));
	return -EINVAL;
}

static int read_text(const struct reading *r, const struct zl_json *j, char *dst, size_t size)
{
	const char *text = zl_json_text(j);

	if (text == NULL) {
		return wrong(r, zl_json_key(j), j, "a string");
	}
	zl_clean_line(dst, size, text, strlen(text));
	return 0;
}

bool zl_setting_from_json(enum zl_setting key, const struct zl_json *j, char typed[ZL_CMDLINE_TEXT])
{
	bool on = false;
	int64_t v = 0;

	if (zl_json_text(j) != NULL) {
		zl_clean_line(typed, ZL_CMDLINE_TEXT, zl_json_text(j), strlen(zl_json_text(j)));
	} else if (zl_json_get_bool(j, &on) == 0) {
		zl_format(typed, ZL_CMDLINE_TEXT, "%b", (int)on);
	} else if (zl_json_get_int(j, &v) == 0) {
		bool bytes = zl_setting_info(key)->type == ZL_TYPE_BYTES;

		zl_format(typed, ZL_CMDLINE_TEXT, "%D%s", v, bytes ? "B" : "");
	} else {
		return false;
	}
	return true;
}

static int read_setting(const struct reading *r, const struct zl_json *j)
{
	enum zl_setting key = zl_setting_find(zl_json_key(j));
	char typed[ZL_CMDLINE_TEXT];

	if (key == ZL_SETTING_COUNT) {
		const char *near = zl_setting_nearest(zl_json_key(j));

		zl_error_set(r->err, 0, 0, "settings: there is no setting \"%s\"%s%s",
			zl_json_key(j), near != NULL ? "; nearest: " : "",
			near != NULL ? near : "");
		return -EINVAL;
	}
	if (zl_json_kind(j) == ZL_JSON_NULL) {
		return 0;
	}
	if (!zl_setting_from_json(key, j, typed)) {
		return wrong(r, zl_json_key(j), j, "a value as it is typed behind the key");
	}
	return zl_settings_set(&r->p->settings, key, typed, ZL_ORIGIN_FILE, r->err);
}

static int read_settings(const struct reading *r, const struct zl_json *j)
{
	int e = zl_json_kind(j) == ZL_JSON_OBJECT ? 0 : wrong(r, "settings", j, "an object");

	for (const struct zl_json *s = zl_json_first(j); s != NULL && e == 0; s = zl_json_next(s)) {
		e = read_setting(r, s);
	}
	return e;
}

static int read_protection(const struct reading *r, const char *where, const struct zl_json *j,
	struct zl_zone_facts *z)
{
	size_t room = sizeof(z->protection) / sizeof(z->protection[0]);
	char path[PATH_MAX_LENGTH];

	zl_format(path, sizeof(path), "%s.protection", where);
	if (zl_json_kind(j) != ZL_JSON_ARRAY || zl_json_count(j) > room) {
		return wrong(r, path, j, "a list of at most 8 numbers");
	}
	for (const struct zl_json *e = zl_json_first(j); e != NULL; e = zl_json_next(e)) {
		int rc = number_in(r, path, e, COUNT_MAX, &z->protection[z->nr_protection]);

		if (rc < 0) {
			return rc;
		}
		z->nr_protection++;
	}
	return 0;
}

static int read_pageset(const struct reading *r, const char *where, const struct zl_json *j,
	struct zl_zone_facts *z)
{
	struct zl_observed_pcp *pcp = NULL;

	if (zl_json_kind(j) != ZL_JSON_OBJECT) {
		return wrong(r, where, j, "an object");
	}
	if (z->nr_pcp >= ZL_ZONE_PCP_MAX) {
		zl_error_set(r->err, 0, 0, "%s: more than 8192 pagesets in one zone", where);
		return -ERANGE;
	}
	pcp = zl_zone_add_pcp(z, r->a);
	if (pcp == NULL) {
		return -ENOMEM;
	}
	const struct table t = {
		pageset_members, sizeof(pageset_members) / sizeof(pageset_members[0]), pcp};
	for (const struct zl_json *m = zl_json_first(j); m != NULL; m = zl_json_next(m)) {
		int e = read_member(r, &t, where, m);

		if (e != 0) {
			return e < 0 ? e : unknown(r, where, m);
		}
	}
	return 0;
}

static int read_pagesets(const struct reading *r, const char *where, const struct zl_json *j,
	struct zl_zone_facts *z)
{
	char path[PATH_MAX_LENGTH];
	size_t i = 0;

	zl_format(path, sizeof(path), "%s.pagesets", where);
	if (zl_json_kind(j) != ZL_JSON_ARRAY) {
		return wrong(r, path, j, "a list");
	}
	for (const struct zl_json *e = zl_json_first(j); e != NULL; e = zl_json_next(e)) {
		zl_format(path, sizeof(path), "%s.pagesets[%U]", where, (uint64_t)i++);
		int rc = read_pageset(r, path, e, z);
		if (rc < 0) {
			return rc;
		}
	}
	return 0;
}

static int read_zone_member(const struct reading *r, const char *where, const struct zl_json *m,
	struct zl_zone_facts *z)
{
	const struct table t = {zone_members, sizeof(zone_members) / sizeof(zone_members[0]), z};

	if (strcmp(zl_json_key(m), "zone") == 0) {
		return read_text(r, m, z->name, sizeof(z->name));
	}
	if (strcmp(zl_json_key(m), "protection") == 0) {
		return read_protection(r, where, m, z);
	}
	if (strcmp(zl_json_key(m), "pagesets") == 0) {
		return read_pagesets(r, where, m, z);
	}
	int e = read_member(r, &t, where, m);
	return e > 0 ? unknown(r, where, m) : e;
}

static int check_zone(const struct reading *r, const char *where, const struct zl_zone_facts *z)
{
	if (zl_zone_type_find(z->name) == ZL_ZONE_TYPE_COUNT) {
		zl_error_set(r->err, 0, 0,
			"%s.zone: \"%s\" is no zone; DMA, DMA32, Normal, HighMem, Movable or "
			"Device "
			"would be right",
			where, z->name);
		return -EINVAL;
	}
	if (z->managed > z->present) {
		zl_error_set(r->err, 0, 0,
			"%s: managed %U pages are more than present %U; at most as many would be "
			"right",
			where, z->managed, z->present);
		return -ERANGE;
	}
	return 0;
}

static int read_zones(const struct reading *r, const struct zl_json *j)
{
	char where[32];

	if (zl_json_kind(j) != ZL_JSON_ARRAY || zl_json_count(j) > ZL_ZONES_MAX) {
		return wrong(r, "zones", j, "a list of at most 384 zones");
	}
	for (const struct zl_json *e = zl_json_first(j); e != NULL; e = zl_json_next(e)) {
		zl_format(where, sizeof(where), "zones[%U]", (uint64_t)r->p->nr_zones);
		if (zl_json_kind(e) != ZL_JSON_OBJECT) {
			return wrong(r, where, e, "an object");
		}
		struct zl_zone_facts *z = zl_profile_add_zone(r->p, r->a);
		if (z == NULL) {
			return -ENOMEM;
		}
		int rc = 0;
		for (const struct zl_json *m = zl_json_first(e); m != NULL && rc == 0;
			m = zl_json_next(m)) {
			rc = read_zone_member(r, where, m, z);
		}
		rc = rc == 0 ? check_zone(r, where, z) : rc;
		if (rc < 0) {
			return rc;
		}
	}
	return 0;
}

static int read_observed(const struct reading *r, const struct zl_json *j)
{
	const struct table t = {observed_members,
		sizeof(observed_members) / sizeof(observed_members[0]), &r->p->observed};
	int e = zl_json_kind(j) == ZL_JSON_OBJECT ? 0 : wrong(r, "observed", j, "an object");

	for (const struct zl_json *m = zl_json_first(j); m != NULL && e == 0; m = zl_json_next(m)) {
		e = read_member(r, &t, "observed", m);
		e = e > 0 ? unknown(r, "observed", m) : e;
	}
	return e;
}

static int read_zones_arch(const struct reading *r, const struct zl_json *j)
{
	const char *word = zl_json_text(j);
	const int i = word != NULL ? zl_setting_word_index(ZL_SET_ARCH, word) : -1;

	if (i < 0) {
		return wrong(r, "zones_arch", j, "an architecture");
	}
	r->p->zones_arch = (unsigned)i + 1;
	return 0;
}

static int read_zones_page_size(const struct reading *r, const struct zl_json *j)
{
	int64_t v = 0;
	int e = number_in(r, "zones_page_size", j, INT64_C(1) << 20, &v);

	if (e == 0 && (v < 4096 || (v & (v - 1)) != 0)) {
		zl_error_set(r->err, 0, 0,
			"zones_page_size: %D is no page size; 4096, 16384 or 65536 would be right",
			v);
		return -EINVAL;
	}
	r->p->zones_page_size = (uint64_t)v;
	return e;
}

static int read_top(const struct reading *r, const struct zl_json *j)
{
	const char *key = zl_json_key(j);
	int64_t v = 0;

	if (strcmp(key, "kind") == 0) {
		const char *kind = zl_json_text(j);
		return kind != NULL && strcmp(kind, "profile") == 0
			       ? 0
			       : wrong(r, "kind", j, "\"profile\"");
	}
	if (strcmp(key, "version") == 0) {
		int e = number_in(r, "version", j, 1, &v);
		return e == 0 && v != 1 ? wrong(r, "version", j, "1") : e;
	}
	if (strcmp(key, "name") == 0) {
		return read_text(r, j, r->p->name, sizeof(r->p->name));
	}
	if (strcmp(key, "title") == 0) {
		return read_text(r, j, r->p->title, sizeof(r->p->title));
	}
	if (strcmp(key, "source") == 0) {
		return read_text(r, j, r->p->source, sizeof(r->p->source));
	}
	if (strcmp(key, "policies") == 0) {
		return zl_policies_from_json(&r->p->policies, j, ZL_ORIGIN_FILE, r->a, r->err);
	}
	if (strcmp(key, "settings") == 0) {
		return read_settings(r, j);
	}
	if (strcmp(key, "zones_page_size") == 0) {
		return read_zones_page_size(r, j);
	}
	if (strcmp(key, "zones_arch") == 0) {
		return read_zones_arch(r, j);
	}
	if (strcmp(key, "zones") == 0) {
		return read_zones(r, j);
	}
	return strcmp(key, "observed") == 0 ? read_observed(r, j) : unknown(r, "profile", j);
}

static int read_root(const struct reading *r, const struct zl_json *root)
{
	int e = 0;

	if (zl_json_kind(root) != ZL_JSON_OBJECT) {
		return wrong(r, "profile", root, "an object");
	}
	if (zl_json_member(root, "kind") == NULL || zl_json_member(root, "version") == NULL) {
		zl_error_set(r->err, 0, 0,
			"no profile; \"kind\": \"profile\" and \"version\": 1 would be right");
		return -EINVAL;
	}
	for (const struct zl_json *m = zl_json_first(root); m != NULL && e == 0;
		m = zl_json_next(m)) {
		e = read_top(r, m);
	}
	if (e == 0 && r->p->nr_zones > 0 && r->p->zones_page_size == 0) {
		zl_error_set(r->err, 0, 0,
			"zones without zones_page_size; the page size that they are counted in "
			"would be right");
		return -EINVAL;
	}
	const struct zl_setting_value *arch = &r->p->settings.value[ZL_SET_ARCH];
	if (r->p->zones_arch == 0 && arch->given && arch->number >= 0) {
		r->p->zones_arch = (unsigned)arch->number + 1;
	}
	return e;
}

void zl_profile_set_origin(struct zl_profile *p, enum zl_origin origin)
{
	for (size_t i = 0; i < ZL_SETTING_COUNT; i++) {
		p->settings.value[i].origin = origin;
	}
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		p->policies.policy[i].origin = origin;
	}
}

int zl_profile_read(const char *text, size_t size, const struct zl_allocator *a,
	struct zl_profile *ret, struct zl_error *err)
{
	struct zl_profile p;
	struct reading r = {a, &p, err};
	struct zl_json *root = NULL;
	int e = zl_json_parse(text, size, &root, err);

	if (e < 0) {
		return e;
	}
	zl_profile_init(&p);
	e = read_root(&r, root);
	zl_json_free(root);
	if (e < 0) {
		if (e == -ENOMEM) {
			zl_error_set(err, 0, 0, "not enough memory to read the profile");
		}
		zl_profile_done(&p, a);
		return e;
	}
	*ret = p;
	return 0;
}
