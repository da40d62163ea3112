/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A size in two words, a setting or a lane without its option, the name of a word that is missing.
 */
#include "word_meant.h"

#include <string.h>

#include "lane_spec.h"
#include "zonelab/text.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "4", "1.5" or "memory=4", but no word that goes on. */
static bool ends_as_number(const char *word)
{
	const char *value = strrchr(word, '=');

	value = value != NULL ? value + 1 : word;
	return is_digit(value[0]) && value[strspn(value, "0123456789.")] == '\0';
}

bool word_is_unit(const char *const *words, size_t i, struct zl_error *err)
{
	static const char units[] = "B K KB KiB M MB MiB G GB GiB T TB TiB kB";

	if (i == 0 || !zl_words_hold(units, words[i]) || !ends_as_number(words[i - 1]) ||
		!(strchr(words[i - 1], '=') != NULL || (i > 1 && words[i - 2][0] == '-'))) {
		return false;
	}
	zl_error_set(err, 0, 0, "'%s %s' is one size in two words; write %s%s", words[i - 1],
		words[i], words[i - 1], words[i]);
	return true;
}

static bool has_option(const struct command *c, const char *name)
{
	for (const struct command_option *o = c != NULL ? c->options : NULL;
		o != NULL && o->name != NULL; o++) {
		if (strcmp(o->name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* Without a command the words are files of the explorer, which has lanes too. */
static bool is_lane(const struct command *c, const char *word)
{
	struct lane_spec lane;
	struct zl_error err = {0};

	return strchr(word, ':') != NULL && (c == NULL || has_option(c, "--lane")) &&
	       lane_parse(word, &lane, &err) == 0;
}

static bool is_setting(const char *word)
{
	char key[64];
	struct zl_text t;
	size_t n = strcspn(word, "=");

	zl_text_init(&t, key, sizeof(key));
	zl_text_strn(&t, word, n);
	return word[n] == '=' && zl_setting_find(key) != ZL_SETTING_COUNT;
}

bool word_is_item(const struct command *c, const char *word, struct zl_error *err)
{
	if (is_lane(c, word)) {
		zl_error_set(err, 0, 0, "'%s' is a lane; --lane %s", word, word);
		return true;
	}
	if (is_setting(word)) {
		zl_error_set(err, 0, 0, "'%s' is a setting; --set %s", word, word);
		return true;
	}
	return false;
}

/* The next item of a synopsis at *at, its end in *ret_len; brackets keep together what is in them. */
static const char *next_item(const char **at, size_t *ret_len)
{
	const char *start = *at + strspn(*at, " ");
	size_t depth = 0;
	size_t n = 0;

	while (start[n] != '\0' && (depth > 0 || start[n] != ' ')) {
		depth += start[n] == '[' ? 1 : 0;
		depth -= start[n] == ']' && depth > 0 ? 1 : 0;
		n++;
	}
	*at = start + n;
	*ret_len = n;
	return start;
}

void word_missing(const struct command *c, size_t given, char *buf, size_t size)
{
	const char *at = c->synopsis;
	struct zl_text t;
	size_t n;

	zl_text_init(&t, buf, size);
	for (const char *item = next_item(&at, &n); n > 0; item = next_item(&at, &n)) {
		if (item[0] == '-') {
			(void)next_item(&at, &n); /* the option's value */
		} else if (item[0] != '[' && given-- == 0) {
			n -= n > 3 && strncmp(item + n - 3, "...", 3) == 0 ? 3 : 0;
			zl_text_strn(&t, item, n);
			break;
		}
	}
	if (t.cut || buf[0] == '\0') {
		zl_text_init(&t, buf, size);
		zl_text_str(&t, "a word");
	}
}
