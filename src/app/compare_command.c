/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line that gives an answer again. */
#include <string.h>

#include "compare_report.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/profile_json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define CONTINUED " \\\n    "
#define WORD_LOOK 256 /* bytes looked at once */

/* Whether a word must not reach a terminal as it is: control characters, no UTF-8. */
static bool is_hostile(const char *word)
{
	char shown[WORD_LOOK];

	for (size_t n = strlen(word); n > 0;) {
		size_t piece = n < sizeof(shown) ? n : sizeof(shown) - 1;

		while (piece > 1 && piece < n && ((unsigned char)word[piece] & 0xc0) == 0x80) {
			piece--; /* whole characters */
		}
		if (zl_clean_line(shown, sizeof(shown), word, piece) != piece ||
			memcmp(shown, word, piece) != 0) {
			return true;
		}
		word += piece;
		n -= piece;
	}
	return false;
}

/* $'...' of ASCII alone, in which what is no letter that stands for itself is a number. */
static void write_hostile(struct zl_buf *b, const char *word)
{
	zl_buf_str(b, "$'");
	for (; *word != '\0'; word++) {
		const unsigned char c = (unsigned char)*word;

		if (c >= ' ' && c < 0x7f && c != '\'' && c != '\\') {
			zl_buf_chr(b, *word);
		} else {
			const char octal[] = {'\\', (char)('0' + (c >> 6)),
				(char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)), '\0'};

			zl_buf_str(b, octal);
		}
	}
	zl_buf_chr(b, '\'');
}

/* Quoted for a shell unless nothing in it needs that. */
void compare_word(struct zl_buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._-+/:=,@%";

	if (b->len > 0) {
		zl_buf_chr(b, ' ');
	}
	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		zl_buf_str(b, word);
		return;
	}
	if (is_hostile(word)) {
		write_hostile(b, word);
		return;
	}
	zl_buf_chr(b, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'') {
			zl_buf_str(b, "'\\''");
		} else {
			zl_buf_chr(b, *word);
		}
	}
	zl_buf_chr(b, '\'');
}

static bool is_shipped(const char *word)
{
	return zl_shipped_find(ZL_SHIPPED_SCENARIOS, word) != SIZE_MAX ||
	       zl_shipped_find(ZL_SHIPPED_PROFILES, word) != SIZE_MAX;
}

/* A file by its whole path, so that the line works in any folder; else a shipped name. */
static void file_word(struct zl_buf *b, const char *word)
{
	char path[ZL_FILE_PATH];

	compare_word(b, !is_shipped(word) && zl_file_absolute(word, path) ? path : word);
}

/* A lane whose profile is a file has its whole path. */
static void lane_word(struct zl_buf *b, const char *word)
{
	char path[ZL_FILE_PATH], text[LANE_TEXT];
	struct lane_spec lane;
	struct zl_error err = {0};
	bool changed = false;

	if (lane_parse(word, &lane, &err) != 0) {
		compare_word(b, word);
		return;
	}
	for (unsigned i = 0; i < lane.nr_items; i++) {
		const char *value = lane_value(&lane, i);
		size_t n;

		if (lane.item[i].kind != LANE_PROFILE || is_shipped(value) ||
			!zl_file_absolute(value, path) || strcmp(path, value) == 0) {
			continue;
		}
		n = strlen(path) + 1;
		if (n <= sizeof(lane.text) - lane.used) {
			memcpy(lane.text + lane.used, path, n);
			lane.item[i].value = (uint16_t)lane.used;
			lane.used += n;
			changed = true;
		}
	}
	lane_format(&lane, text, sizeof(text));
	compare_word(b, changed ? text : word);
}

typedef void (*word_fn)(struct zl_buf *b, const char *word);

/* How the value of an option is written: files, shipped names and lanes are more than words. */
static word_fn word_of(const struct command_option *o)
{
	if (strcmp(o->name, "--lane") == 0) {
		return lane_word;
	}
	return strcmp(o->name, "--machine") == 0 || strcmp(o->name, "--scenario") == 0
		       ? file_word
		       : compare_word;
}

/* What the user set for all lanes: as words of a command line, or as a list without the seed. */
static void given_settings(const struct app *app, struct zl_buf *b, bool words)
{
	const struct zl_settings *s = &app_lane_const(app)->profile.settings;

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		struct zl_buf text = {0};
		char value[ZL_CMDLINE_TEXT];

		if (!s->value[i].given || s->value[i].origin != ZL_ORIGIN_GIVEN ||
			(key == ZL_SET_SEED && !words)) {
			continue;
		}
		zl_setting_format(s, key, value, sizeof(value));
		if (key != ZL_SET_SEED) {
			zl_buf_str(&text, zl_setting_info(key)->key);
			zl_buf_chr(&text, '=');
		}
		zl_buf_str(&text, value);
		if (words) {
			compare_word(b, key == ZL_SET_SEED ? "--seed" : "--set");
			compare_word(b, zl_buf_text(&text));
		} else {
			zl_buf_str(b, b->len > 0 ? ", " : "");
			zl_buf_str(b, zl_buf_text(&text));
		}
		b->failed = b->failed || text.failed;
		zl_buf_done(&text);
	}
}

/* What --policy gave, point by point. */
static void given_policies(const struct app *app, struct zl_buf *b, bool words)
{
	const struct zl_policy_set *set = &app_lane_const(app)->profile.policies;

	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_policy *p = &set->policy[i];
		struct zl_buf text = {0};

		if (p->text == NULL || p->origin != ZL_ORIGIN_GIVEN) {
			continue;
		}
		zl_buf_str(&text, zl_point_info((enum zl_point)i)->name);
		zl_buf_chr(&text, '=');
		zl_buf_str(&text, p->text);
		if (words) {
			compare_word(b, "--policy");
			compare_word(b, zl_buf_text(&text));
		} else {
			zl_buf_str(b, b->len > 0 ? ", " : "");
			zl_buf_str(b, "policy.");
			zl_buf_str(b, zl_buf_text(&text));
		}
		b->failed = b->failed || text.failed;
		zl_buf_done(&text);
	}
}

void compare_common(const struct app *app, struct zl_buf *ret)
{
	if (app->named_profile[0] != '\0') {
		zl_buf_str(ret, "profile=");
		zl_buf_str(ret, app->named_profile);
	}
	given_settings(app, ret, false);
	given_policies(app, ret, false);
}

void compare_given(const struct app *app, struct zl_buf *ret)
{
	given_settings(app, ret, true);
	given_policies(app, ret, true);
}

/* The name alone: who reads a mail has the patches, in a place of their own. */
static void mailed_word(struct zl_buf *b, const char *word)
{
	const char *slash = strrchr(word, '/');

	compare_word(b, slash != NULL && slash[1] != '\0' ? slash + 1 : word);
}

static void write_command(
	const struct app *app, const struct command_args *args, bool mailed, struct zl_buf *ret)
{
	compare_word(ret, "zonelab");
	compare_word(ret, args->command->name);
	for (size_t i = 0; i < args->nr_words; i++) {
		(mailed ? mailed_word : file_word)(ret, args->word[i]);
	}
	if (app->named_profile[0] != '\0') {
		compare_word(ret, "--profile");
		file_word(ret, app->named_profile);
	}
	compare_given(app, ret);
	for (size_t i = 0; i < args->nr_options; i++) {
		compare_word(ret, args->option[i].option->name);
		if (args->option[i].option->arg != NULL) {
			word_of(args->option[i].option)(ret, args->option[i].value);
		}
	}
}

void compare_command(const struct app *app, const struct command_args *args, struct zl_buf *ret)
{
	write_command(app, args, false, ret);
}

void compare_command_mailed(
	const struct app *app, const struct command_args *args, struct zl_buf *ret)
{
	write_command(app, args, true, ret);
}

/* Bytes of the word at @s, quotes included. */
static size_t word_bytes(const char *s)
{
	bool quoted = false;
	size_t n = 0;

	while (s[n] != '\0' && (quoted || s[n] != ' ')) {
		if (s[n] == '\\' && !quoted && s[n + 1] != '\0') {
			n++;
		} else if (s[n] == '\'') {
			quoted = !quoted;
		}
		n++;
	}
	return n;
}

/* Whether a line may end before byte @i: not in a number behind a backslash, nor in a character. */
static bool may_break(const char *s, size_t i, bool numbers)
{
	const size_t back = i > 3 ? 3 : i;
	const bool inside = numbers && memchr(s + i - back, '\\', back) != NULL;

	return !inside && ((unsigned char)s[i] & 0xc0) != 0x80;
}

/* A word that is wider than a line goes on in the next: quotes closed and opened again. */
static void add_pieces(const char *s, size_t n, size_t columns, struct zl_buf *b)
{
	const bool numbers = s[0] == '$';
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		const bool escape = s[i] == '\\' && !quoted && i + 1 < n;
		const size_t room = escape ? 4 : numbers ? 8 : 3;

		if (zl_buf_column(b) + room >= columns && may_break(s, i, numbers)) {
			zl_buf_str(b, quoted ? "'\\\n" : "\\\n");
			zl_buf_str(b, quoted ? numbers ? "$'" : "'" : "");
		}
		zl_buf_chr(b, s[i]);
		if (escape) {
			zl_buf_chr(b, s[++i]);
		} else if (s[i] == '\'') {
			quoted = !quoted;
		}
	}
}

void compare_wrap_command(const char *command, size_t columns, struct zl_buf *ret)
{
	size_t indent = strlen(CONTINUED) - strlen(" \\\n");

	zl_buf_str(ret, "  ");
	for (const char *s = command; *s != '\0';) {
		size_t n = word_bytes(s);
		size_t at = zl_buf_column(ret);
		bool first = at <= indent && s == command;

		if (!first && at + 1 + n + 3 >= columns && at > indent) {
			zl_buf_str(ret, CONTINUED);
		} else if (!first) {
			zl_buf_chr(ret, ' ');
		}
		add_pieces(s, n, columns, ret);
		s += n;
		s += *s == ' ' ? 1 : 0;
	}
	zl_buf_chr(ret, '\n');
}
