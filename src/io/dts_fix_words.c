/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that hang on a number: unit addresses, paths and comments. A comment keeps its text; what
 * was said of the old number is marked as past: "512 MiB (was 4 MiB: too small)".
 */
#include <string.h>

#include "dts_fix.h"
#include "dts_parse.h"
#include "scan.h"
#include "zonelab/text.h"

#define UNIT_DIGITS 16u

/* As in a name of the tree, but a star may begin the end of a comment. */
static bool is_name_char(char c)
{
	return dts_is_name(c) && c != '*';
}

/* Hexadecimal digits at @s; returns how many, 0 when they are no number of 64 bits. */
static size_t hex(const char *s, size_t n, uint64_t *ret)
{
	size_t i = 0;

	*ret = 0;
	for (; i < n && scan_hex_digit(s[i]) >= 0; i++) {
		*ret = *ret << 4 | (uint64_t)scan_hex_digit(s[i]);
	}
	return i <= UNIT_DIGITS ? i : 0;
}

/* --- unit addresses --- */

/* The next path to the node, "reserved-memory/pool@40000000", from @at on; the file's size if none. */
static size_t next_path(
	const struct zl_dts_file *f, const struct zl_dts_node *node, size_t at, size_t *ret_name)
{
	static const char parent[] = "reserved-memory/";
	const size_t before = sizeof(parent) - 1;
	const size_t n = strlen(node->name);

	for (; at + before + n < f->size; at++) {
		if (f->text[at] == parent[0] && memcmp(f->text + at, parent, before) == 0 &&
			memcmp(f->text + at + before, node->name, n) == 0 &&
			!is_name_char(f->text[at + before + n])) {
			*ret_name = at + before;
			return at + before + n;
		}
	}
	return f->size;
}

/* Paths stand in strings and in &{...}. */
static void follow_paths(const struct zl_dts *dts, const struct zl_dts_node *node, const char *unit,
	struct zl_dts_fix *fix)
{
	const size_t at = (size_t)(strchr(node->name, '@') - node->name) + 1;

	for (unsigned k = 0; k < dts->nr_files; k++) {
		const struct zl_dts_file *f = &dts->file[k];
		size_t name = 0;

		for (size_t i = 0; (i = next_path(f, node, i, &name)) < f->size;) {
			const uint32_t span[2] = {(uint32_t)(name + at), (uint32_t)i};

			dts_edit_add(fix, k, span, unit);
		}
	}
}

static void follow_unit(
	const struct zl_dts *dts, const struct dts_change *change, struct zl_dts_fix *fix)
{
	const struct zl_dts_node *node = change->node;
	const struct zl_dts_file *f = &dts->file[node->file];
	const char *at = strchr(node->name, '@');
	const size_t n = strlen(node->name);
	uint32_t span[2];
	char unit[24];
	uint64_t old;

	if (!change->has_base || change->old.base == change->now.base || at == NULL ||
		node->reopened || change->keeps_name ||
		hex(at + 1, strlen(at + 1), &old) != strlen(at + 1) || at[1] == '\0' ||
		node->begin + n > f->size || memcmp(f->text + node->begin, node->name, n) != 0) {
		return;
	}
	zl_format(unit, sizeof(unit), "%x", change->now.base);
	span[0] = node->begin + (uint32_t)(at + 1 - node->name);
	span[1] = node->begin + (uint32_t)n;
	dts_edit_add(fix, node->file, span, unit + 2);
	follow_paths(dts, node, unit + 2, fix);
}

/* --- comments --- */

struct comment {
	size_t begin, end;    /* with its marks */
	size_t inner, behind; /* the words */
	bool one_line;
};

static size_t skip_string(const struct zl_dts_file *f, size_t i)
{
	for (i++; i < f->size && f->text[i] != '"' && f->text[i] != '\n'; i++) {
		i += f->text[i] == '\\';
	}
	return i + 1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next comment from @at on. */
static bool next_comment(const struct zl_dts_file *f, size_t at, struct comment *ret)
{
	bool block;

	while (at + 1 < f->size &&
		(f->text[at] != '/' || (f->text[at + 1] != '/' && f->text[at + 1] != '*'))) {
		at = f->text[at] == '"' ? skip_string(f, at) : at + 1;
	}
	if (at + 1 >= f->size) {
		return false;
	}
	block = f->text[at + 1] == '*';
	ret->begin = at;
	ret->one_line = true;
	ret->inner = at + 2;
	for (at += 2; at < f->size; at++) {
		if (block ? f->text[at - 1] == '*' && f->text[at] == '/' && at > ret->begin + 2
			  : f->text[at] == '\n') {
			break;
		}
		ret->one_line = ret->one_line && f->text[at] != '\n';
	}
	ret->end = block && at < f->size ? at + 1 : at;
	ret->behind = block && at < f->size ? at - 1 : at;
	while (ret->inner < ret->behind && is_blank(f->text[ret->inner])) {
		ret->inner++;
	}
	while (ret->behind > ret->inner && is_blank(f->text[ret->behind - 1])) {
		ret->behind--;
	}
	return true;
}

/* Letters of a unit at @s, at most "KiB"; 0 when there is none. */
static size_t unit(const char *s, size_t n, unsigned *ret_shift)
{
	static const char letters[] = "kmg";
	const char *k = n > 0 && s[0] != '\0' ? strchr(letters, s[0] | 0x20) : NULL;
	size_t i = 1;

	if (k == NULL || *k == '\0') {
		return 0;
	}
	*ret_shift = 10u * (unsigned)(k - letters + 1);
	i += i < n && (s[i] | 0x20) == 'i';
	i += i < n && (s[i] | 0x20) == 'b';
	return i < n && is_name_char(s[i]) && s[i] != '.' && s[i] != ',' ? 0 : i;
}

struct quantity {
	size_t begin, end;
	uint64_t value;
	bool address; /* written in hexadecimal */
};

/* A decimal number with a fraction of up to three digits and a unit. */
static size_t sized(const char *s, size_t n, uint64_t *ret)
{
	uint64_t thousandths = 0;
	unsigned digits = 0;
	unsigned shift = 0;
	size_t letters;
	size_t i = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9' && i < 9; i++) {
		thousandths = thousandths * 10 + (uint64_t)(s[i] - '0') * 1000;
	}
	if (i == 0) {
		return 0;
	}
	if (i + 1 < n && s[i] == '.' && s[i + 1] >= '0' && s[i + 1] <= '9') {
		uint64_t weight = 100;

		for (i++; i < n && s[i] >= '0' && s[i] <= '9' && digits < 3; i++, digits++) {
			thousandths += (uint64_t)(s[i] - '0') * weight;
			weight /= 10;
		}
	}
	i += i < n && s[i] == ' ';
	letters = unit(s + i, n - i, &shift);
	*ret = (thousandths << shift) / 1000;
	return letters > 0 ? i + letters : 0;
}

static bool next_quantity(
	const struct zl_dts_file *f, const struct comment *c, size_t at, struct quantity *ret)
{
	for (; at < c->behind; at++) {
		const char *s = f->text + at;
		size_t n = c->behind - at;
		size_t k;

		if (scan_hex_digit(s[0]) < 0 || s[0] > '9' ||
			(at > c->inner && is_name_char(s[-1]))) {
			continue;
		}
		ret->begin = at;
		ret->address = n > 2 && s[0] == '0' && (s[1] | 0x20) == 'x';
		k = ret->address ? hex(s + 2, n - 2, &ret->value) : sized(s, n, &ret->value);
		if (k > 0) {
			ret->end = at + k + (ret->address ? 2 : 0);
			return true;
		}
	}
	return false;
}

static bool names(const struct quantity *q, const struct dts_change *change)
{
	bool base = change->has_base && change->old.base != change->now.base;
	bool size = change->old.size != change->now.size;

	return (size && q->value == change->old.size) ||
	       (base && q->address && q->value == change->old.base);
}

/* What is true now, of what @q names. */
static void new_words(
	const struct quantity *q, const struct dts_change *change, bool all, char *buf, size_t size)
{
	bool moved = change->has_base && change->old.base != change->now.base;
	bool of_base = moved && q->address && q->value == change->old.base;

	if (of_base && !all) {
		zl_format(buf, size, "%x", change->now.base);
	} else if (moved && all) {
		zl_format(buf, size, "%Z at %x", change->now.size, change->now.base);
	} else {
		zl_format(buf, size, "%Z", change->now.size);
	}
}

static void mark_past(
	struct zl_dts_fix *fix, unsigned file, const size_t span[2], const char *words)
{
	const uint32_t front[2] = {(uint32_t)span[0], (uint32_t)span[0]};
	const uint32_t behind[2] = {(uint32_t)span[1], (uint32_t)span[1]};
	char text[sizeof(fix->edit[0].text)];

	zl_format(text, sizeof(text), "%s (was ", words);
	dts_edit_add(fix, file, front, text);
	dts_edit_add(fix, file, behind, ")");
}

/* Only blanks and comments lie between. */
static bool adjoins(const struct zl_dts_file *f, size_t at, size_t to)
{
	struct comment c;

	while (at < to) {
		if (is_blank(f->text[at])) {
			at++;
		} else if (next_comment(f, at, &c) && c.begin == at) {
			at = c.end;
		} else {
			return false;
		}
	}
	return at == to;
}

static bool same_line(const struct zl_dts_file *f, size_t from, size_t to)
{
	return from <= to && memchr(f->text + from, '\n', to - from) == NULL;
}

static void follow_comment(const struct zl_dts_file *f, const struct comment *c,
	const struct dts_change *change, struct zl_dts_fix *fix)
{
	const struct zl_dts_node *node = change->node;
	bool beside = same_line(f, change->prop->end, c->begin);
	bool inside = c->begin >= node->first && c->end <= change->prop->begin;
	bool above = node->file == change->prop->file && c->end <= node->first &&
		     adjoins(f, c->end, node->first);
	struct quantity q;
	char words[32];

	if (!beside && !inside && !above) {
		return;
	}
	for (size_t at = c->inner; next_quantity(f, c, at, &q); at = q.end) {
		const size_t span[2] = {
			c->one_line ? c->inner : q.begin, c->one_line ? c->behind : q.end};

		if (!names(&q, change) && (!beside || q.value == change->now.size)) {
			continue;
		}
		new_words(&q, change, beside && c->one_line, words, sizeof(words));
		mark_past(fix, change->prop->file, span, words);
		if (c->one_line) {
			return;
		}
	}
}

void dts_words_follow(
	const struct zl_dts *dts, const struct dts_change *change, struct zl_dts_fix *fix)
{
	const struct zl_dts_file *f = &dts->file[change->prop->file];
	const size_t before = fix->count;
	struct comment c;

	if (dts->blob || dts->unfixable || fix->lost > 0) {
		return;
	}
	follow_unit(dts, change, fix);
	for (size_t at = 0; next_comment(f, at, &c); at = c.end) {
		follow_comment(f, &c, change, fix);
	}
	for (size_t i = before; i < fix->count; i++) {
		fix->edit[i].words = true;
	}
}

void zl_dts_fix_numbers_only(struct zl_dts_fix *fix)
{
	size_t n = 0;

	for (size_t i = 0; i < fix->count; i++) {
		if (!fix->edit[i].words) {
			fix->edit[n++] = fix->edit[i];
		}
	}
	fix->count = n;
}

/* --- nodes that are taken out --- */

static bool is_referenced(const struct zl_dts *dts, const struct zl_dts_node *node)
{
	size_t n = node->label != NULL ? strlen(node->label) : 0;
	size_t name;

	for (unsigned k = 0; k < dts->nr_files; k++) {
		const struct zl_dts_file *f = &dts->file[k];

		if (next_path(f, node, 0, &name) < f->size) {
			return true;
		}
		for (size_t i = 0; n > 0 && i + n < f->size; i++) {
			if (f->text[i] == '&' && memcmp(f->text + i + 1, node->label, n) == 0 &&
				(i + 1 + n == f->size || !is_name_char(f->text[i + 1 + n]))) {
				return true;
			}
		}
	}
	return false;
}

/* The whole lines of a node, or the node alone where it shares a line. */
static void cut_node(
	const struct zl_dts *dts, const struct zl_dts_node *node, struct zl_dts_fix *fix)
{
	const struct zl_dts_file *f = &dts->file[node->file];
	uint32_t span[2] = {node->first, node->end};
	uint32_t front = span[0];
	uint32_t behind = span[1];

	while (front > 0 && (f->text[front - 1] == ' ' || f->text[front - 1] == '\t')) {
		front--;
	}
	while (behind < f->size && is_blank(f->text[behind]) && f->text[behind] != '\n') {
		behind++;
	}
	if ((front == 0 || f->text[front - 1] == '\n') && behind < f->size &&
		f->text[behind] == '\n') {
		span[0] = front;
		span[1] = behind + 1;
	}
	dts_edit_add(fix, node->file, span, "");
}

void zl_dts_fix_remove(
	const struct zl_dts *dts, const struct zl_dts_node *node, struct zl_dts_fix *fix)
{
	static const char off[] = "status = \"disabled\";";
	const struct zl_dts_prop *status = zl_dts_prop_find(node, "status");
	char line[sizeof(fix->edit[0].text)];

	if (dts->blob || dts->unfixable || node->end <= node->first) {
		fix->lost++;
	} else if (status != NULL && (is_referenced(dts, node) || node->reopened)) {
		const uint32_t span[2] = {status->begin, status->end};

		dts_edit_add(fix, status->file, span, off);
	} else if (is_referenced(dts, node) || node->reopened) {
		const uint32_t span[2] = {node->opened, node->opened};

		zl_format(line, sizeof(line), " %s", off);
		dts_edit_add(fix, node->file, span, line);
	} else {
		cut_node(dts, node, fix);
	}
	zl_dts_fix_sort(fix);
}
