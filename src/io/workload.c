/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists: a line is `config KEY VALUE` or an op; '#' starts a comment. Checked while reading, so
 * that an error names its line and column before anything runs.
 */
#include "zonelab/workload.h"

#include <errno.h>
#include <string.h>

#include "workload_parse.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

int workload_fail(const struct workload_parser *p, unsigned column, const char *fmt, const char *s)
{
	zl_error_set(p->err, p->line, column, fmt, s);
	return -EINVAL;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Splits a line at blanks up to a comment. */
static int split(struct workload_parser *p, const struct zl_line *l)
{
	size_t i = 0;

	p->nr_words = 0;
	p->end_column = (unsigned)l->len + 1;
	for (;;) {
		size_t start;

		while (i < l->len && blank(l->s[i])) {
			i++;
		}
		if (i == l->len || l->s[i] == '#') {
			return 0;
		}
		start = i;
		while (i < l->len && !blank(l->s[i])) {
			i++;
		}
		if (p->nr_words == WORKLOAD_WORDS) {
			return workload_fail(p, (unsigned)start + 1, "too many words%s", "");
		}
		if (i - start >= WORKLOAD_WORD) {
			return workload_fail(p, (unsigned)start + 1, "the word is too long%s", "");
		}
		struct workload_word *w = &p->word[p->nr_words++];

		zl_clean_line(w->text, sizeof(w->text), l->s + start, i - start);
		w->column = (unsigned)start + 1;
	}
}

/* Reads word @i as a number within limits. */
int workload_number(
	const struct workload_parser *p, unsigned i, const struct workload_limits *l, uint64_t *ret)
{
	const struct workload_word *w = &p->word[i];

	if (i >= p->nr_words) {
		return workload_fail(p, p->end_column, "%s is missing; write a number", l->what);
	}
	if (zl_parse_u64(w->text, ret) != 0) {
		return workload_fail(p, w->column, "'%s' is not a number", w->text);
	}
	if (*ret < l->lo || *ret > l->hi) {
		zl_error_set(p->err, p->line, w->column,
			"%s %s is out of range; %U to %U is possible", l->what, w->text, l->lo,
			l->hi);
		return -EINVAL;
	}
	return 0;
}

int workload_end_of_line(const struct workload_parser *p, unsigned words)
{
	if (p->nr_words > words) {
		return workload_fail(
			p, p->word[words].column, "'%s' is one word too many", p->word[words].text);
	}
	return 0;
}

/* "# NAME: what it is" at the top names the list. */
static void take_title(struct workload_parser *p, const struct zl_line *l)
{
	size_t i = 0;
	size_t n;

	while (i < l->len && (blank(l->s[i]) || l->s[i] == '#')) {
		i++;
	}
	if (p->titled || i == l->len || l->s[0] != '#') {
		return;
	}
	p->titled = true;
	zl_clean_line(p->w->title, sizeof(p->w->title), l->s + i, l->len - i);
	/* Once more from the first word: control characters may have hidden blanks. */
	n = strspn(p->w->title, " #");
	memmove(p->w->title, p->w->title + n, strlen(p->w->title + n) + 1);
	n = strcspn(p->w->title, ": ");
	if (p->w->title[n] == ':') {
		zl_clean_line(p->w->name, sizeof(p->w->name), p->w->title, n);
	}
}

static bool any_given(const struct workload_parser *p)
{
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		if (p->given[k]) {
			return true;
		}
	}
	return p->w->system != NULL;
}

/* "format 2" before anything else: several zones, and ops that the recordings do not have. */
static int parse_format(struct workload_parser *p)
{
	const struct workload_limits l = {"the format", 1, 2};
	uint64_t v;
	int rc = workload_number(p, 1, &l, &v);

	rc = rc != 0 ? rc : workload_end_of_line(p, 2);
	if (rc == 0 && (p->formatted || p->w->nr_ops > 0 || any_given(p))) {
		rc = workload_fail(
			p, p->word[0].column, "%s comes before everything else", p->word[0].text);
	}
	if (rc == 0) {
		p->w->format = (unsigned)v;
		p->formatted = true;
	}
	return rc;
}

static int parse_line(struct workload_parser *p, const struct zl_line *l)
{
	int rc;

	p->line = l->number;
	take_title(p, l);
	rc = split(p, l);
	if (rc != 0 || p->nr_words == 0) {
		return rc;
	}
	if (strcmp(p->word[0].text, "config") == 0) {
		return workload_config(p);
	}
	if (strcmp(p->word[0].text, "format") == 0) {
		return parse_format(p);
	}
	return workload_op(p);
}

int zl_workload_parse(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_workload *ret, struct zl_error *err)
{
	struct workload_parser p = {.w = ret, .err = err, .mem = mem, .ids = {.mem = mem}};
	struct zl_lines lines;
	struct zl_line l;
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	ret->mem = mem;
	ret->format = 1;
	zl_sim_config_init(&ret->config);
	zl_lines_init(&lines, data, size);
	while (rc == 0 && zl_lines_next(&lines, &l)) {
		rc = parse_line(&p, &l);
	}
	p.line++;
	if (rc == 0 && ret->nr_ops == 0) {
		rc = workload_config_complete(&p);
	}
	id_set_done(&p.ids);
	if (rc == -ENOMEM) {
		zl_error_set(err, p.line, 0, "out of memory while reading the op list");
	}
	if (rc != 0) {
		zl_workload_done(ret);
	}
	return rc;
}

int zl_workload_load(const char *path, const struct zl_allocator *mem, struct zl_workload *ret,
	struct zl_error *err)
{
	struct zl_file f = {0};
	const char *base = strrchr(path, '/');
	int rc;

	memset(ret, 0, sizeof(*ret));
	rc = zl_file_load(path, 0, mem, &f, err);
	if (rc != 0) {
		return rc;
	}
	rc = zl_workload_parse(f.data, f.size, mem, ret, err);
	zl_file_done(&f, mem);
	if (rc != 0) {
		zl_error_file(err, path);
	} else if (ret->name[0] == '\0') {
		zl_clean_line(
			ret->name, sizeof(ret->name), base == NULL ? path : base + 1, SIZE_MAX);
	}
	return rc;
}

int zl_workload_one_zone(const struct zl_workload *w, struct zl_error *err)
{
	if (!w->several) {
		return 0;
	}
	zl_error_set(err, 0, 0, "the list has several zones; only run and its trace show them");
	return -EINVAL;
}

void zl_workload_done(struct zl_workload *w)
{
	if (w->mem == NULL) {
		return;
	}
	w->mem->free(w->mem->user, w->ops);
	w->mem->free(w->mem->user, w->lines);
	w->mem->free(w->mem->user, w->t_ns);
	w->mem->free(w->mem->user, w->system);
	w->t_ns = NULL;
	w->system = NULL;
	w->ops = NULL;
	w->lines = NULL;
	w->nr_ops = 0;
}
