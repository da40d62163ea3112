/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings: one KEY=VALUE each of a machine or design. A setting is given or derived; changing an
 * input re-derives everything that is not given (see zonelab/machine.h). The table of keys is
 * settings_keys.h; help, completion and manual are made from it.
 */
#ifndef ZONELAB_SETTINGS_H
#define ZONELAB_SETTINGS_H

#include "zonelab/types.h"

struct zl_error;

enum zl_setting_type {
	ZL_TYPE_COUNT,	 /* a plain number in [min, max] */
	ZL_TYPE_BOOL,	 /* on, off (also yes no true false 1 0 y n) */
	ZL_TYPE_BYTES,	 /* a size; a number without unit is multiplied by the key's unit */
	ZL_TYPE_WORD,	 /* one of the listed words */
	ZL_TYPE_RELEASE, /* a kernel release */
	ZL_TYPE_TEXT	 /* anything (cmdline, zones, lowmem_reserve_ratio) */
};

enum zl_setting {
#define ZL_SETTING(id, key, type, live, unit, min, max, words, aliases, dflt, help) ZL_SET_##id,
#include "zonelab/settings_keys.h"
#undef ZL_SETTING
	ZL_SETTING_COUNT
};

/** Where a value came from; a later origin wins over an earlier one. */
enum zl_origin {
	ZL_ORIGIN_DEFAULT, /* built in */
	ZL_ORIGIN_DERIVED, /* follows from other settings */
	ZL_ORIGIN_PROFILE, /* implicit profile (the built-in machine) */
	ZL_ORIGIN_FILE,	   /* a file given as argument */
	ZL_ORIGIN_SCENARIO,
	ZL_ORIGIN_NAMED_PROFILE, /* --profile */
	ZL_ORIGIN_GIVEN,	 /* --set, the prompt, the screen */
	ZL_ORIGIN_LANE,
	ZL_ORIGIN_COUNT
};

#define ZL_SETTING_TEXT 64
#define ZL_ZONES_TEXT	1024
#define ZL_CMDLINE_TEXT 4096

struct zl_setting_value {
	bool given;
	enum zl_origin origin; /* valid when given */
	int64_t number;	       /* COUNT, BOOL (0/1), BYTES in bytes, WORD as index into words */
	char text[ZL_SETTING_TEXT]; /* RELEASE and short TEXT */
};

/** Only what was given; plain data, may be copied. Zero-initialised = nothing given. */
struct zl_settings {
	struct zl_setting_value value[ZL_SETTING_COUNT];
	char zones[ZL_ZONES_TEXT];
	char cmdline[ZL_CMDLINE_TEXT];
};

/** When the kernel can be given another value. */
enum zl_setting_live {
	ZL_LIVE_BUILD,	 /* when it is built */
	ZL_LIVE_BOOT,	 /* when it is booted, or found at boot */
	ZL_LIVE_SYSCTL,	 /* while it runs, by writing a file of /proc or /sys */
	ZL_LIVE_HOTPLUG, /* while it runs, by CPU hotplug */
	ZL_LIVE_NONE	 /* no kernel has such a setting: a what-if */
};
/** "build", "boot", "sysctl", "hotplug", "none". */
const char *zl_setting_live_name(enum zl_setting_live l);
/** "is fixed when the kernel is built", ... behind the key in a sentence. */
const char *zl_setting_live_text(enum zl_setting_live l);

/** One row of the table. */
struct zl_setting_info {
	const char *key;
	enum zl_setting_type type;
	enum zl_setting_live live;
	const char *unit; /* "", "bytes", "KiB", "pages": what a bare number means */
	int64_t min;
	int64_t max;
	const char *words;   /* blank separated, WORD only */
	const char *aliases; /* blank separated other spellings of the key */
	const char *dflt;    /* the default rule, in words */
	const char *help;    /* one sentence */
};

const struct zl_setting_info *zl_setting_info(enum zl_setting key);
/** Finds a key or alias, ignoring case; ZL_SETTING_COUNT if there is none. */
enum zl_setting zl_setting_find(const char *key);
/** The nearest key by edit distance, for "did you mean"; NULL if nothing is near. */
const char *zl_setting_nearest(const char *key);

/**
 * Sets KEY to VALUE ("default" un-gives). Fills @err with what would be right on failure.
 * Returns 0; -ENOENT for an unknown key; -EINVAL, -ERANGE for a bad value; the settings stay as
 * they were on failure.
 */
int zl_settings_set(struct zl_settings *s, enum zl_setting key, const char *value,
	enum zl_origin origin, struct zl_error *err);
/** The same from one "KEY=VALUE". */
int zl_settings_assign(
	struct zl_settings *s, const char *assignment, enum zl_origin origin, struct zl_error *err);
/** Sets a number without parsing (importers); clamps nothing. */
void zl_settings_number(
	struct zl_settings *s, enum zl_setting key, int64_t number, enum zl_origin origin);
void zl_settings_unset(struct zl_settings *s, enum zl_setting key);
/** Lays @over onto @base: what @over gives wins where its origin is not lower. */
void zl_settings_merge(struct zl_settings *base, const struct zl_settings *over);

bool zl_settings_given(const struct zl_settings *s, enum zl_setting key);
/** Text of a TEXT or RELEASE setting, "" when not given. */
const char *zl_settings_text(const struct zl_settings *s, enum zl_setting key);
/** Writes the given value as it would be typed ("16K", "on", "6.12"); "" when not given. */
size_t zl_setting_format(const struct zl_settings *s, enum zl_setting key, char *buf, size_t size);

/** Index of a word in a WORD setting, -1 if it is none. */
int zl_setting_word_index(enum zl_setting key, const char *word);
/** The word of an index, NULL past the last. @buf holds ZL_SETTING_TEXT. */
const char *zl_setting_word(enum zl_setting key, unsigned index, char *buf);

const char *zl_origin_name(enum zl_origin o);
/** 'd' derived or default, 'g' given, 'f' file or profile. */
char zl_origin_letter(bool given, enum zl_origin o);

#endif
