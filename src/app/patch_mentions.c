/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a mail without a diff speaks of: names of the model with their sentences, and rows of tables
 * about CMA alignment.
 */
#include <string.h>

#include "patch_report.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The first place of a whole word at or behind @from, NULL if there is none. */
static const char *find_word(const char *from, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(from, word); p != NULL; p = strstr(p + 1, word)) {
		bool begins = p == from || !is_word(p[-1]);

		if (begins && !is_word(p[n])) {
			return p;
		}
	}
	return NULL;
}

/* A name with its value, as "name=5", says most. */
static const char *best_place(const char *text, const char *name)
{
	const char *first = find_word(text, name);
	size_t n = strlen(name);

	for (const char *p = first; p != NULL; p = find_word(p + 1, name)) {
		if (p[n] == '=' && is_digit(p[n + 1])) {
			return p;
		}
	}
	return first;
}

static bool ends_sentence(const char *p)
{
	return (*p == '.' && (p[1] == ' ' || p[1] == '\n' || p[1] == '\0')) ||
	       (p[0] == '\n' && p[1] == '\n');
}

/* The sentence around a place, without quote marks. */
static void sentence(const char *text, const char *at, char *buf, size_t size)
{
	const char *start = at, *end = at;
	struct zl_text t;

	while (start > text && !ends_sentence(start - 1) && at - start < 200) {
		start--;
	}
	while (*end != '\0' && !ends_sentence(end) && end - at < 250) {
		end++;
	}
	zl_text_init(&t, buf, size);
	for (const char *p = start; p < end; p++) {
		bool mark = *p == '>' && (p == start || p[-1] == ' ' || p[-1] == '\n');
		bool blank = *p == ' ' || *p == '\n' || *p == '\t';

		if (!mark && !(blank && (t.len == 0 || buf[t.len - 1] == ' '))) {
			zl_text_chr(&t, blank ? ' ' : *p);
		}
	}
	zl_clean_line(buf, size, buf, strlen(buf));
}

static bool add(struct patch_mention *ret, size_t *n, const char *text, const char *name)
{
	const char *at = best_place(text, name);

	if (at == NULL || *n == PATCH_MENTIONS) {
		return false;
	}
	for (size_t i = 0; i < *n; i++) {
		if (strcmp(ret[i].name, name) == 0) {
			return false;
		}
	}
	zl_format(ret[*n].name, sizeof(ret[*n].name), "%s", name);
	sentence(text, at, ret[*n].sentence, sizeof(ret[*n].sentence));
	(*n)++;
	return true;
}

/* Keys of several words only: "cpus" and "cma" are in every other sentence. */
static void mentions_in(const char *text, struct patch_mention *ret, size_t *n)
{
	static const char *const symbols[] = {"CONFIG_PAGE_BLOCK_ORDER",
		"CONFIG_PAGE_BLOCK_MAX_ORDER", "CONFIG_PCP_BATCH_SCALE_MAX",
		"CONFIG_ARCH_FORCE_MAX_ORDER", "ARCH_FORCE_MAX_ORDER", "PAGE_BLOCK_ORDER",
		"PAGE_BLOCK_MAX_ORDER", "pageblock_order", "CMA_MIN_ALIGNMENT_BYTES"};

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const char *key = zl_setting_info((enum zl_setting)i)->key;

		if (strchr(key, '_') != NULL) {
			(void)add(ret, n, text, key);
		}
	}
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const char *name = zl_point_info((enum zl_point)i)->name;

		if (strchr(name, '_') != NULL) {
			(void)add(ret, n, text, name);
		}
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		(void)add(ret, n, text, symbols[i]);
	}
}

/* Where the words begin in a message whose header and body are one line. */
static const char *body_of(const struct zl_mail_message *m)
{
	static const char *const last[] = {"Content-Transfer-Encoding: ", "Content-Type: ",
		"Content-Language: ", "MIME-Version: ", "Subject: "};
	const char *at = NULL;

	for (size_t i = 0; m->run_together && i < sizeof(last) / sizeof(last[0]) && at == NULL;
		i++) {
		at = strstr(m->text, last[i]);
		at = at != NULL ? at + strlen(last[i]) : NULL;
		at = at != NULL ? at + strcspn(at, " ") : NULL;
	}
	return at != NULL ? at : m->text;
}

size_t patch_mentions(const struct patch_opened *p, struct patch_mention *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < p->patches.nr_mails; i++) {
		const struct zl_mail *m = &p->patches.mail[i];

		for (size_t k = 0; k < m->nr_messages; k++) {
			mentions_in(body_of(&m->message[k]), ret, &n);
		}
	}
	return n;
}

/* --- tables --- */

static const char *number(const char *p, uint64_t *ret)
{
	uint64_t v = 0;

	while (*p == ' ') {
		p++;
	}
	if (!is_digit(*p)) {
		return NULL;
	}
	for (; is_digit(*p) && v < UINT32_MAX; p++) {
		v = v * 10 + (uint64_t)(*p - '0');
	}
	*ret = v;
	return p;
}

static const char *bar(const char *p)
{
	while (*p == ' ') {
		p++;
	}
	return *p == '|' ? p + 1 : NULL;
}

static const char *unit(const char *p, uint64_t *v)
{
	char c = zl_lower(*p);

	if ((c != 'k' && c != 'm') || (zl_lower(p[1]) != 'i' && zl_lower(p[1]) != 'b')) {
		return NULL;
	}
	*v <<= c == 'k' ? 10 : 20;
	return p + (zl_lower(p[1]) == 'i' ? 3 : 2);
}

/* "4KiB | 10 | 9 | 4KiB * (2 ^ 9) = 2MiB" */
static bool read_row(const char *p, struct patch_row *ret)
{
	uint64_t max = 0, block = 0;
	const char *end;

	p = number(p, &ret->page_size);
	p = p != NULL ? unit(p, &ret->page_size) : NULL;
	p = p != NULL ? bar(p) : NULL;
	p = p != NULL ? number(p, &max) : NULL;
	p = p != NULL ? bar(p) : NULL;
	p = p != NULL ? number(p, &block) : NULL;
	p = p != NULL ? bar(p) : NULL;
	if (p == NULL || max > ZL_MAX_ORDER_LIMIT || block > ZL_MAX_ORDER_LIMIT) {
		return false;
	}
	end = p + strnlen(p, 60);
	while (p < end && *p != '=' && *p != '\n') {
		p++;
	}
	if (p == end || *p != '=') {
		return false;
	}
	p = number(p + 1, &ret->alignment);
	if (p == NULL || unit(p, &ret->alignment) == NULL) {
		return false;
	}
	ret->max_order = (unsigned)max;
	ret->block_order = (unsigned)block;
	ret->right = ret->alignment == ret->page_size << block;
	return true;
}

size_t patch_rows(const struct patch_opened *p, struct patch_row *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < p->patches.nr_mails; i++) {
		const struct zl_mail *m = &p->patches.mail[i];

		for (size_t k = 0; k < m->nr_messages; k++) {
			const char *text = m->message[k].text;

			for (const char *at = text; *at != '\0' && n < PATCH_ROWS; at++) {
				bool begins = at == text || !is_word(at[-1]);

				n += begins && is_digit(*at) && read_row(at, &ret[n]) ? 1 : 0;
			}
		}
	}
	return n;
}

/* --- diffs of other kinds --- */

static const char *other_kind(const char *p, const char *next)
{
	const char *end = strchr(p, '\n');
	size_t n = end != NULL ? (size_t)(end - p) : strlen(p);

	if (n >= 15 && strspn(p, "*") == n) {
		return "a context diff";
	}
	if (strncmp(p, "@@@ ", 4) == 0 || strncmp(p, "diff --cc ", 10) == 0) {
		return "the combined diff of a merge";
	}
	n = strspn(p, "0123456789,");
	if (n > 0 && (p[n] == 'a' || p[n] == 'c' || p[n] == 'd') && is_digit(p[n + 1]) &&
		next != NULL && (strncmp(next, "< ", 2) == 0 || strncmp(next, "> ", 2) == 0)) {
		return "a diff without context";
	}
	return NULL;
}

/* The first line of a message that begins one. */
static const char *other_in(const struct zl_mail_message *t, uint32_t *ret_line)
{
	const char *at = t->text;

	for (size_t n = 0; n < t->nr_lines && at != NULL; n++) {
		const char *end = strchr(at, '\n');
		const char *what = other_kind(at, end != NULL ? end + 1 : NULL);

		if (what != NULL) {
			*ret_line = t->line[n];
			return what;
		}
		at = end != NULL ? end + 1 : NULL;
	}
	return NULL;
}

const char *patch_other_diff(const struct patch_opened *p, uint32_t *ret_line)
{
	const char *what = NULL;

	for (size_t i = 0; i < p->patches.nr_mails && what == NULL; i++) {
		const struct zl_mail *m = &p->patches.mail[i];

		for (size_t k = 0; k < m->nr_messages && what == NULL; k++) {
			what = other_in(&m->message[k], ret_line);
		}
	}
	return what;
}
