/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/profile_json.h"

static struct zl_json *setting_to_json(const struct zl_settings *s, enum zl_setting key)
{
	const struct zl_setting_value *v = &s->value[key];
	char word[ZL_SETTING_TEXT];

	switch (zl_setting_info(key)->type) {
	case ZL_TYPE_COUNT:
	case ZL_TYPE_BYTES:
		return zl_json_int(v->number);
	case ZL_TYPE_BOOL:
		return zl_json_bool(v->number != 0);
	case ZL_TYPE_WORD:
		return zl_json_string(zl_setting_word(key, (unsigned)v->number, word));
	case ZL_TYPE_RELEASE:
	case ZL_TYPE_TEXT:
		break;
	}
	return zl_json_string(zl_settings_text(s, key));
}

struct zl_json *zl_settings_to_json(const struct zl_settings *s)
{
	struct zl_json *o = zl_json_object();

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;

		if (zl_settings_given(s, key)) {
			zl_json_add(o, zl_setting_info(key)->key, setting_to_json(s, key));
		}
	}
	return o;
}

/* Observations that were not made are left out. */
static void add_seen(struct zl_json *o, const char *key, int64_t v)
{
	if (v >= 0) {
		zl_json_add_int(o, key, v);
	}
}

static void add_pageset(struct zl_json *list, const struct zl_observed_pcp *p)
{
	struct zl_json *o = zl_json_push_object(list);

	zl_json_add_int(o, "cpu", p->cpu);
	add_seen(o, "count", p->count);
	add_seen(o, "high", p->high);
	add_seen(o, "batch", p->batch);
	add_seen(o, "high_min", p->high_min);
	add_seen(o, "high_max", p->high_max);
	add_seen(o, "stat_threshold", p->stat_threshold);
}

static void add_zone(struct zl_json *list, const struct zl_zone_facts *z)
{
	struct zl_json *o = zl_json_push_object(list);

	zl_json_add_int(o, "node", z->node);
	zl_json_add_string(o, "zone", z->name);
	zl_json_add_u64(o, "start_pfn", z->start_pfn);
	zl_json_add_u64(o, "spanned", z->spanned);
	zl_json_add_u64(o, "present", z->present);
	zl_json_add_u64(o, "managed", z->managed);
	zl_json_add_u64(o, "cma", z->cma);
	zl_json_add_int(o, "cpus", z->cpus);
	zl_json_add_int(o, "node_cpus", z->node_cpus);
	add_seen(o, "free", z->free);
	add_seen(o, "boost", z->boost);
	add_seen(o, "min", z->min);
	add_seen(o, "low", z->low);
	add_seen(o, "high", z->high);
	add_seen(o, "promo", z->promo);
	struct zl_json *protection = zl_json_add_array(o, "protection");
	for (unsigned i = 0; i < z->nr_protection; i++) {
		zl_json_push_int(protection, z->protection[i]);
	}
	struct zl_json *pagesets = zl_json_add_array(o, "pagesets");
	for (size_t i = 0; i < z->nr_pcp; i++) {
		add_pageset(pagesets, &z->pcp[i]);
	}
}

struct zl_json *zl_profile_to_json(const struct zl_profile *p)
{
	struct zl_json *root = zl_json_object();
	const struct zl_observed *o = &p->observed;

	zl_json_add_string(root, "kind", "profile");
	zl_json_add_int(root, "version", 1);
	zl_json_add_string(root, "name", p->name);
	zl_json_add_string(root, "title", p->title);
	zl_json_add_string(root, "source", p->source);
	zl_json_add(root, "settings", zl_settings_to_json(&p->settings));
	if (p->policies.count > 0) {
		zl_json_add(root, "policies", zl_policies_to_json(&p->policies));
	}
	if (p->nr_zones > 0) {
		char arch[ZL_SETTING_TEXT];

		zl_json_add_u64(root, "zones_page_size", p->zones_page_size);
		if (p->zones_arch > 0) {
			zl_json_add_string(root, "zones_arch",
				zl_setting_word(ZL_SET_ARCH, p->zones_arch - 1, arch));
		}
		struct zl_json *zones = zl_json_add_array(root, "zones");
		for (size_t i = 0; i < p->nr_zones; i++) {
			add_zone(zones, &p->zones[i]);
		}
	}
	struct zl_json *seen = zl_json_add_object(root, "observed");
	add_seen(seen, "min_free_kbytes", o->min_free_kbytes);
	add_seen(seen, "pageblock_order", o->pageblock_order);
	add_seen(seen, "max_page_order", o->max_page_order);
	add_seen(seen, "migrate_types", o->migrate_types);
	add_seen(seen, "mem_total_kb", o->mem_total_kb);
	add_seen(seen, "cma_total_kb", o->cma_total_kb);
	add_seen(seen, "cma_free_kb", o->cma_free_kb);
	add_seen(seen, "huge_page_kb", o->huge_page_kb);
	return root;
}
