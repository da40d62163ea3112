/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which diffs of a thread count: versions, repetitions, quotes; and the figures in its text.
 */
#include <errno.h>
#include <string.h>

#include "patch.h"
#include "zonelab/text.h"

const char *zl_patch_use_name(enum zl_patch_use use)
{
	static const char *const names[] = {"used", "repeated", "superseded", "quoted", "other"};

	return (size_t)use < sizeof(names) / sizeof(names[0]) ? names[use] : "?";
}

/* --- the same changed lines --- */

/* A walk over the lines of a patch. */
struct walk {
	const struct zl_patch *p;
	size_t file, hunk, line;
};

static const struct zl_patch_line *next_line(struct walk *w)
{
	for (; w->file < w->p->nr_files; w->file++, w->hunk = 0) {
		const struct zl_patch_file *f = &w->p->files[w->file];

		for (; w->hunk < f->nr_hunks; w->hunk++, w->line = 0) {
			const struct zl_patch_hunk *h = &f->hunks[w->hunk];

			if (w->line < h->nr_lines) {
				return &h->lines[w->line++];
			}
		}
	}
	return NULL;
}

static const struct zl_patch_line *next_change(struct walk *w)
{
	const struct zl_patch_line *l = next_line(w);

	while (l != NULL && l->kind == ZL_PATCH_CONTEXT) {
		l = next_line(w);
	}
	return l;
}

static char next_ink(const char **p, const char *end)
{
	while (*p < end && (unsigned char)**p <= ' ') {
		(*p)++;
	}
	return *p < end ? *(*p)++ : '\0';
}

static bool same_line(const struct zl_patch_line *a, const struct zl_patch_line *b)
{
	const char *p = a->s, *q = b->s;
	char c, d;

	if (a->kind != b->kind) {
		return false;
	}
	do {
		c = next_ink(&p, a->s + a->len);
		d = next_ink(&q, b->s + b->len);
	} while (c == d && c != '\0');
	return c == d;
}

/* Whether every changed line of @part is in @whole, in the same order; *ret_all: none is missing. */
static bool contains(const struct zl_patch *whole, const struct zl_patch *part, bool *ret_all)
{
	struct walk a = {.p = whole}, b = {.p = part};
	const struct zl_patch_line *x, *y = next_change(&b);
	bool any = y != NULL;

	*ret_all = true;
	while (y != NULL) {
		x = next_change(&a);
		if (x == NULL) {
			return false;
		}
		if (same_line(x, y)) {
			y = next_change(&b);
		} else {
			*ret_all = false;
		}
	}
	*ret_all = *ret_all && next_change(&a) == NULL;
	return any;
}

/* --- choosing --- */

static bool same_stem(const struct zl_patch *a, const struct zl_patch *b)
{
	const struct zl_mail_subject *s = &a->message->subject, *t = &b->message->subject;

	return zl_streq_nocase(s->text + s->stem, t->text + t->stem);
}

/* Postings of one thing: versions of a patch, or numbered series. */
static bool same_work(const struct zl_patch *a, const struct zl_patch *b)
{
	return same_stem(a, b) || (a->message->subject.parts > 0 && b->message->subject.parts > 0);
}

static bool is_whole(const struct zl_patch *p)
{
	return p->depth == 0;
}

static unsigned version_of(const struct zl_patch *p)
{
	return p->message->subject.version;
}

static void choose_versions(struct zl_patches *p, unsigned version)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		struct zl_patch *a = &p->patch[i];

		a->use = ZL_PATCH_USED;
		if (version != 0 && a->message->subject.text[0] != '\0' &&
			version_of(a) != version) {
			a->use = ZL_PATCH_SUPERSEDED;
		}
		for (size_t k = 0; version == 0 && k < p->nr_patches; k++) {
			const struct zl_patch *b = &p->patch[k];

			if (is_whole(b) && version_of(b) > version_of(a) && same_work(a, b)) {
				a->use = ZL_PATCH_SUPERSEDED;
			}
		}
	}
}

/* What patch @i is beside patch @k, which is used. */
static enum zl_patch_use beside(const struct zl_patch *a, const struct zl_patch *b)
{
	bool all;

	if (contains(b, a, &all) && (all || !is_whole(a))) {
		return ZL_PATCH_REPEATED;
	}
	if (!same_stem(a, b) || (a->message->subject.text[0] == '\0' && is_whole(a))) {
		return ZL_PATCH_USED;
	}
	return ZL_PATCH_OTHER;
}

/* Whether @a comes before @b when one of two must go. */
static bool better(const struct zl_patch *a, const struct zl_patch *b)
{
	bool x = a->message->subject.reply, y = b->message->subject.reply;

	if (a->depth != b->depth) {
		return a->depth < b->depth;
	}
	return x != y ? y : false;
}

static void choose_between(struct zl_patches *p)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		struct zl_patch *a = &p->patch[i];

		for (size_t k = 0; k < p->nr_patches && a->use == ZL_PATCH_USED; k++) {
			const struct zl_patch *b = &p->patch[k];
			bool first = better(b, a) || (!better(a, b) && k < i);

			if (k == i || b->use != ZL_PATCH_USED || !first) {
				continue;
			}
			a->use = beside(a, b);
			a->same_as = k;
		}
		if (a->use == ZL_PATCH_USED && !is_whole(a)) {
			a->use = ZL_PATCH_QUOTED;
		}
	}
}

/* Quoted diffs are used only when they are all there is of their kind. */
static void settle_quoted(struct zl_patches *p)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		struct zl_patch *a = &p->patch[i];
		bool all;

		for (size_t k = 0; k < p->nr_patches && a->use == ZL_PATCH_QUOTED; k++) {
			const struct zl_patch *b = &p->patch[k];
			bool earlier = b->use == ZL_PATCH_QUOTED && k < i;

			if (k != i && (b->use == ZL_PATCH_USED || earlier) &&
				contains(b, a, &all)) {
				a->use = ZL_PATCH_REPEATED;
				a->same_as = k;
			} else if (k != i && b->use == ZL_PATCH_USED && same_stem(a, b)) {
				a->use = ZL_PATCH_OTHER;
			}
		}
	}
}

static bool counts(const struct zl_patch *p)
{
	return p->use == ZL_PATCH_USED || p->use == ZL_PATCH_QUOTED;
}

/* Insertion by the number of the part; what has none keeps its place. */
static void sort_parts(struct zl_patches *p)
{
	for (size_t i = 1; i < p->nr_used; i++) {
		const struct zl_patch *a = p->used[i];
		size_t k = i;

		while (k > 0 && a->message->subject.part > 0 &&
			p->used[k - 1]->message->subject.part > a->message->subject.part) {
			p->used[k] = p->used[k - 1];
			k--;
		}
		p->used[k] = a;
	}
}

/* "--- " and "+++ " stand in prose too: without a hunk there is no diff. */
static bool has_diff(const struct zl_patch *p)
{
	for (size_t i = 0; i < p->nr_files; i++) {
		if (p->files[i].nr_hunks > 0 || p->files[i].binary) {
			return true;
		}
	}
	return false;
}

static void drop_empty(struct zl_patches *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nr_patches; i++) {
		if (has_diff(&p->patch[i])) {
			p->patch[n++] = p->patch[i];
		}
	}
	p->nr_patches = n;
}

int patch_choose(struct patch_reader *r, unsigned version)
{
	struct zl_patches *p = r->p;

	drop_empty(p);
	choose_versions(p, version);
	choose_between(p);
	settle_quoted(p);
	p->used = zl_arena_alloc(r->arena, (p->nr_patches + 1) * sizeof(const struct zl_patch *));
	if (p->used == NULL) {
		return -ENOMEM;
	}
	for (size_t i = 0; i < p->nr_patches; i++) {
		unsigned v = version_of(&p->patch[i]);

		p->version_max = v > p->version_max ? v : p->version_max;
		if (counts(&p->patch[i])) {
			p->used[p->nr_used++] = &p->patch[i];
			p->version = v > p->version ? v : p->version;
		}
	}
	sort_parts(p);
	if (version != 0 && p->nr_patches > 0 && p->nr_used == 0) {
		zl_error_set(r->err, 0, 0, "there is no version %u here; the newest is v%u",
			version, p->version_max);
		return -ENOENT;
	}
	return 0;
}

/* --- tables --- */

/* Words with digits, and whether the line is no code and no prose. */
static bool is_row(const struct zl_line *line)
{
	struct scan c = scan_of(line->s, line->len), word;
	unsigned numbers = 0, words = 0;

	if (line->len > 200 || scan_find(&c, ";", 1) != NULL || scan_find(&c, "@", 1) != NULL) {
		return false;
	}
	while (c.p < c.end && (*c.p == '>' || scan_is_blank(*c.p))) {
		c.p++;
	}
	while (scan_word(&c, &word)) {
		bool number = word.p < word.end;

		for (const char *p = word.p; p < word.end; p++) {
			number = number && (zl_lower(*p) < 'a' || zl_lower(*p) > 'z' ||
						   (p > word.p && p[-1] >= '0' && p[-1] <= '9'));
		}
		numbers += number && memchr("0123456789-+(", *word.p, 13) != NULL;
		words++;
		scan_blanks(&c);
	}
	return numbers >= 2 && numbers * 2 >= words;
}

void patch_find_tables(struct zl_patches *p, const struct zl_mail_message *m)
{
	const size_t fewest = 3;
	struct zl_lines l;
	struct zl_line line;
	size_t run = 0;

	zl_lines_init(&l, m->text, m->size);
	for (bool more = true; more;) {
		more = zl_lines_next(&l, &line);
		if (more && line.s[0] != '>' && is_row(&line)) {
			run++;
			continue;
		}
		if (run >= fewest && p->nr_tables < ZL_PATCH_TABLES_MAX) {
			size_t end = more ? line.number - 1 : l.number;

			p->table[p->nr_tables++] = (struct zl_patch_table){
				.message = m, .first = end - run, .count = run};
		}
		run = 0;
	}
}

/* --- reading --- */

static int read_input(struct patch_reader *r, const struct zl_patch_input *in, unsigned index,
	struct zl_error *err)
{
	struct zl_mail *mail = &r->p->mail[index];
	int rc = zl_mail_read(in->data, in->size, r->p->mem, mail, err);

	for (size_t i = 0; rc == 0 && i < mail->nr_messages; i++) {
		mail->message[i].source = index;
		rc = patch_read_message(r, &mail->message[i]);
		patch_find_tables(r->p, &mail->message[i]);
	}
	if (rc != 0) {
		zl_error_file(err, in->name);
	}
	return rc;
}

int zl_patches_read(const struct zl_patch_request *request, const struct zl_allocator *mem,
	struct zl_patches *ret, struct zl_error *err)
{
	const struct zl_patch_input *in = request->input;
	struct patch_reader r = {.p = ret, .err = err};
	size_t n = request->nr_inputs;
	int rc = -ENOMEM;

	memset(ret, 0, sizeof(*ret));
	ret->mem = mem;
	ret->arena = r.arena = zl_arena_new(mem);
	if (ret->arena != NULL) {
		ret->mail = zl_arena_alloc(ret->arena, (n + 1) * sizeof(*ret->mail));
		ret->names = zl_arena_alloc(ret->arena, (n + 1) * sizeof(const char *));
		rc = ret->mail != NULL && ret->names != NULL ? 0 : -ENOMEM;
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		ret->names[i] = in[i].name;
		ret->nr_mails = i + 1;
		rc = read_input(&r, &in[i], (unsigned)i, err);
	}
	if (rc == 0) {
		rc = patch_choose(&r, request->version);
	}
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for the patches");
	}
	if (rc != 0) {
		zl_patches_done(ret);
	}
	return rc;
}

const char *zl_patch_source(const struct zl_patches *p, const struct zl_mail_message *m)
{
	return m->source < p->nr_mails ? p->names[m->source] : "";
}

void zl_patches_done(struct zl_patches *p)
{
	for (size_t i = 0; i < p->nr_mails; i++) {
		zl_mail_done(&p->mail[i]);
	}
	zl_arena_free(p->arena);
	memset(p, 0, sizeof(*p));
}
