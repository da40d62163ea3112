/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings as given: parsing, formatting, merging. What follows from them is machine.c's.
 */
#include "zonelab/settings.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "zonelab/error.h"
#include "zonelab/machine.h"
#include "zonelab/release.h"
#include "zonelab/text.h"

/* clang-format off */
static const struct zl_setting_info table[ZL_SETTING_COUNT] = {
#define ZL_SETTING(id, key, type, live, unit, min, max, words, aliases, dflt, help) \
	[ZL_SET_##id] = {key, type, ZL_LIVE_##live, unit, min, max, words, aliases, dflt, help},
#include "zonelab/settings_keys.h"
#undef ZL_SETTING
};
/* clang-format on */

static const char *const origins[ZL_ORIGIN_COUNT] = {"built-in default", "derived",
	"built-in machine", "file", "scenario", "profile", "given", "lane"};

static const struct {
	const char *name, *text;
} lives[] = {
	[ZL_LIVE_BUILD] = {"build",   "is fixed when the kernel is built"	       },
	[ZL_LIVE_BOOT] = {"boot",	  "is fixed at boot"				    },
	[ZL_LIVE_SYSCTL] = {"sysctl",  "can be written while the kernel runs"	    },
	[ZL_LIVE_HOTPLUG] = {"hotplug", "changes while the kernel runs, by CPU hotplug"},
	[ZL_LIVE_NONE] = {"none",	  "is no setting of a kernel"		     },
};

const char *zl_setting_live_name(enum zl_setting_live l)
{
	return lives[l].name;
}

const char *zl_setting_live_text(enum zl_setting_live l)
{
	return lives[l].text;
}

const struct zl_setting_info *zl_setting_info(enum zl_setting key)
{
	return &table[key];
}

const char *zl_origin_name(enum zl_origin o)
{
	return o < ZL_ORIGIN_COUNT ? origins[o] : "?";
}

char zl_origin_letter(bool given, enum zl_origin o)
{
	if (!given) {
		return 'd';
	}
	switch (o) {
	case ZL_ORIGIN_DEFAULT:
	case ZL_ORIGIN_DERIVED:
		return 'd';
	case ZL_ORIGIN_PROFILE:
	case ZL_ORIGIN_FILE:
	case ZL_ORIGIN_SCENARIO:
	case ZL_ORIGIN_NAMED_PROFILE:
		return 'f';
	case ZL_ORIGIN_GIVEN:
	case ZL_ORIGIN_LANE:
	case ZL_ORIGIN_COUNT:
		return 'g';
	}
	return 'g';
}

/* The @index-th blank-separated word of @list; its length in @ret_len, NULL past the last. */
static const char *word_at(const char *list, unsigned index, size_t *ret_len)
{
	for (;;) {
		while (*list == ' ') {
			list++;
		}
		size_t len = strcspn(list, " ");
		if (len == 0) {
			return NULL;
		}
		if (index == 0) {
			*ret_len = len;
			return list;
		}
		index--;
		list += len;
	}
}

/* Index of @word in a blank-separated list, ignoring case; -1 if it is not there. */
static int word_index(const char *list, const char *word)
{
	size_t len = 0;

	for (unsigned i = 0;; i++) {
		const char *w = word_at(list, i, &len);
		char copy[ZL_SETTING_TEXT];
		struct zl_text t;

		if (w == NULL) {
			return -1;
		}
		zl_text_init(&t, copy, sizeof(copy));
		zl_text_strn(&t, w, len);
		if (zl_streq_nocase(copy, word)) {
			return (int)i;
		}
	}
}

int zl_setting_word_index(enum zl_setting key, const char *word)
{
	return word_index(table[key].words, word);
}

const char *zl_setting_word(enum zl_setting key, unsigned index, char *buf)
{
	size_t len = 0;
	const char *w = word_at(table[key].words, index, &len);
	struct zl_text t;

	if (w == NULL) {
		return NULL;
	}
	zl_text_init(&t, buf, ZL_SETTING_TEXT);
	zl_text_strn(&t, w, len);
	return buf;
}

enum zl_setting zl_setting_find(const char *key)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (zl_streq_nocase(table[i].key, key) || word_index(table[i].aliases, key) >= 0) {
			return (enum zl_setting)i;
		}
	}
	return ZL_SETTING_COUNT;
}

const char *zl_setting_nearest(const char *key)
{
	struct zl_nearest near;

	zl_nearest_init(&near, key);
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		zl_nearest_try(&near, table[i].key);
	}
	return near.name;
}

static bool is_text(const struct zl_setting_info *info)
{
	return info->type == ZL_TYPE_TEXT || info->type == ZL_TYPE_RELEASE;
}

/* The buffer of a TEXT setting and its size. */
static char *text_buffer(struct zl_settings *s, enum zl_setting key, size_t *ret_size)
{
	if (key == ZL_SET_ZONES) {
		*ret_size = sizeof(s->zones);
		return s->zones;
	}
	if (key == ZL_SET_CMDLINE) {
		*ret_size = sizeof(s->cmdline);
		return s->cmdline;
	}
	*ret_size = sizeof(s->value[key].text);
	return s->value[key].text;
}

static int parse_bool(const char *v, int64_t *ret)
{
	static const char yes[] = "on yes true y 1 enabled";
	static const char no[] = "off no false n 0 disabled";

	if (word_index(yes, v) >= 0) {
		*ret = 1;
		return 0;
	}
	if (word_index(no, v) >= 0) {
		*ret = 0;
		return 0;
	}
	return -EINVAL;
}

static int range_error(const struct zl_setting_info *info, const char *value, struct zl_error *err)
{
	if (info->type == ZL_TYPE_BYTES) {
		zl_error_set(err, 0, 0, "%s=%s is out of range; %Z to %Z", info->key, value,
			(uint64_t)info->min, (uint64_t)info->max);
	} else {
		zl_error_set(err, 0, 0, "%s=%s is out of range; %D to %D", info->key, value,
			info->min, info->max);
	}
	return -ERANGE;
}

static int parse_number(
	const struct zl_setting_info *info, const char *value, int64_t *ret, struct zl_error *err)
{
	uint64_t v = 0;
	int r = 0;

	if (info->type == ZL_TYPE_BYTES) {
		r = zl_parse_size(value, strcmp(info->unit, "KiB") == 0 ? 1024 : 1, &v);
	} else {
		r = zl_parse_u64(value, &v);
	}
	if (r == -EINVAL) {
		zl_error_set(err, 0, 0,
			info->type == ZL_TYPE_BYTES
				? "%s=%s is not a size; a number with K, M, G or T, for example 16K"
				: "%s=%s is not a number; a whole number without unit",
			info->key, value);
		return r;
	}
	if (r < 0 || v > INT64_MAX || (int64_t)v < info->min || (int64_t)v > info->max) {
		return range_error(info, value, err);
	}
	*ret = (int64_t)v;
	return 0;
}

/* Powers of two are the only page sizes; which ones exist is the architecture's business. */
static int check_page_size(int64_t v, const char *value, struct zl_error *err)
{
	if ((v & (v - 1)) != 0) {
		zl_error_set(
			err, 0, 0, "page_size=%s is not a power of two; 4K, 16K, 64K, ...", value);
		return -EINVAL;
	}
	return 0;
}

static int check_fraction(int64_t v, const char *value, struct zl_error *err)
{
	const int64_t least = 8;

	if (v > 0 && v < least) {
		zl_error_set(err, 0, 0,
			"percpu_pagelist_high_fraction=%s is refused by the kernel; 0 or at least "
			"8",
			value);
		return -ERANGE;
	}
	return 0;
}

static int parse_value(
	struct zl_setting_value *ret, enum zl_setting key, const char *value, struct zl_error *err)
{
	const struct zl_setting_info *info = &table[key];
	int r = 0;

	switch (info->type) {
	case ZL_TYPE_BOOL:
		r = parse_bool(value, &ret->number);
		if (r < 0) {
			zl_error_set(err, 0, 0, "%s=%s is neither on nor off; on or off", info->key,
				value);
		}
		return r;
	case ZL_TYPE_WORD:
		ret->number = word_index(info->words, value);
		if (ret->number < 0) {
			zl_error_set(err, 0, 0, "%s=%s is unknown; one of: %s", info->key, value,
				info->words);
			return -EINVAL;
		}
		return 0;
	case ZL_TYPE_COUNT:
	case ZL_TYPE_BYTES:
		r = parse_number(info, value, &ret->number, err);
		if (r == 0 && key == ZL_SET_PAGE_SIZE) {
			r = check_page_size(ret->number, value, err);
		}
		if (r == 0 && key == ZL_SET_HIGH_FRACTION) {
			r = check_fraction(ret->number, value, err);
		}
		return r;
	case ZL_TYPE_RELEASE:
	case ZL_TYPE_TEXT:
		return 0;
	}
	return -EINVAL;
}

static int set_text(
	struct zl_settings *s, enum zl_setting key, const char *value, struct zl_error *err)
{
	const struct zl_setting_info *info = &table[key];
	struct zl_release release;
	uint64_t seed = 0;
	size_t size = 0;
	char *buf = text_buffer(s, key, &size);
	struct zl_text t;

	if (info->type == ZL_TYPE_RELEASE && zl_release_parse(value, &release) < 0) {
		zl_error_set(err, 0, 0,
			"%s=%s is not a kernel release; X.Y, X.Y.Z or X.Y-rcN, for example 6.18.2",
			info->key, value);
		return -EINVAL;
	}
	if (key == ZL_SET_SEED && zl_parse_u64(value, &seed) != 0) {
		zl_error_set(
			err, 0, 0, "seed=%s is no number from 0 to 9223372036854775807", value);
		return -EINVAL;
	}
	if (key == ZL_SET_ZONES) {
		struct zl_zone_layout layout;
		int r = zl_zone_layout_parse(value, &layout, err);

		if (r < 0) {
			return r;
		}
	}
	if (strlen(value) >= size) {
		zl_error_set(err, 0, 0, "%s is too long; at most %u characters", info->key,
			(unsigned)size - 1);
		return -ERANGE;
	}
	zl_text_init(&t, buf, size);
	for (const char *p = value; *p != '\0'; p++) {
		zl_text_chr(&t, (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p);
	}
	return 0;
}

int zl_settings_set(struct zl_settings *s, enum zl_setting key, const char *value,
	enum zl_origin origin, struct zl_error *err)
{
	struct zl_setting_value v = {0};
	int r = 0;

	if (zl_streq_nocase(value, "default")) {
		zl_settings_unset(s, key);
		return 0;
	}
	r = parse_value(&v, key, value, err);
	if (r < 0) {
		return r;
	}
	if (is_text(&table[key])) {
		r = set_text(s, key, value, err);
		if (r < 0) {
			return r;
		}
	}
	s->value[key].number = v.number;
	s->value[key].given = true;
	s->value[key].origin = origin;
	return 0;
}

int zl_settings_assign(
	struct zl_settings *s, const char *assignment, enum zl_origin origin, struct zl_error *err)
{
	const char *eq = strchr(assignment, '=');
	char key[ZL_SETTING_TEXT];
	struct zl_text t;

	if (eq == NULL || eq == assignment) {
		zl_error_set(err, 0, 0,
			"'%s' is not an assignment; KEY=VALUE, for example page_size=16K",
			assignment);
		return -EINVAL;
	}
	zl_text_init(&t, key, sizeof(key));
	zl_text_strn(&t, assignment, (size_t)(eq - assignment));
	enum zl_setting id = zl_setting_find(key);
	if (id == ZL_SETTING_COUNT) {
		const char *near = zl_setting_nearest(key);
		zl_error_set(err, 0, 0, "there is no setting '%s'; %s%s", key,
			near != NULL ? "did you mean " : "see `zonelab list settings`",
			near != NULL ? near : "");
		return -ENOENT;
	}
	return zl_settings_set(s, id, eq + 1, origin, err);
}

void zl_settings_number(
	struct zl_settings *s, enum zl_setting key, int64_t number, enum zl_origin origin)
{
	s->value[key].number = number;
	s->value[key].given = true;
	s->value[key].origin = origin;
}

void zl_settings_unset(struct zl_settings *s, enum zl_setting key)
{
	size_t size = 0;
	char *buf = text_buffer(s, key, &size);

	memset(buf, 0, size);
	memset(&s->value[key], 0, sizeof(s->value[key]));
}

void zl_settings_merge(struct zl_settings *base, const struct zl_settings *over)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &over->value[i];

		if (!v->given || (base->value[i].given && v->origin < base->value[i].origin)) {
			continue;
		}
		base->value[i] = *v;
		if (i == ZL_SET_ZONES) {
			memcpy(base->zones, over->zones, sizeof(base->zones));
		} else if (i == ZL_SET_CMDLINE) {
			memcpy(base->cmdline, over->cmdline, sizeof(base->cmdline));
		}
	}
}

bool zl_settings_given(const struct zl_settings *s, enum zl_setting key)
{
	return s->value[key].given;
}

const char *zl_settings_text(const struct zl_settings *s, enum zl_setting key)
{
	if (!s->value[key].given) {
		return "";
	}
	if (key == ZL_SET_ZONES) {
		return s->zones;
	}
	return key == ZL_SET_CMDLINE ? s->cmdline : s->value[key].text;
}

/* A size as it would be typed: "16K", "1536M", "4097". */
static void format_bytes(struct zl_text *t, uint64_t v)
{
	static const char units[] = "\0KMGT";
	unsigned u = 0;

	while (u < sizeof(units) - 2 && v != 0 && v % 1024 == 0) {
		v /= 1024;
		u++;
	}
	zl_text_u64(t, v);
	if (u > 0) {
		zl_text_chr(t, units[u]);
	}
}

size_t zl_setting_format(const struct zl_settings *s, enum zl_setting key, char *buf, size_t size)
{
	const struct zl_setting_value *v = &s->value[key];
	char word[ZL_SETTING_TEXT];
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (!v->given) {
		return 0;
	}
	switch (table[key].type) {
	case ZL_TYPE_COUNT:
		zl_text_i64(&t, v->number);
		break;
	case ZL_TYPE_BOOL:
		zl_text_str(&t, v->number != 0 ? "on" : "off");
		break;
	case ZL_TYPE_BYTES:
		format_bytes(&t, (uint64_t)v->number);
		break;
	case ZL_TYPE_WORD:
		zl_text_str(&t,
			v->number >= 0 && zl_setting_word(key, (unsigned)v->number, word) != NULL
				? word
				: "?");
		break;
	case ZL_TYPE_RELEASE:
	case ZL_TYPE_TEXT:
		zl_text_str(&t, zl_settings_text(s, key));
		break;
	}
	return t.len;
}
