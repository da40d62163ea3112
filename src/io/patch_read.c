/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unified diffs in text: quotes taken off, hunks collected by the counts of their headers.
 */
#include <errno.h>
#include <string.h>

#include "patch.h"
#include "zonelab/clean.h"

/* A line at least this long may have been wrapped; shorter ones are not continued. */
#define WRAP_COLUMNS 50
/* Counts and line numbers above this are no hunk header. */
#define NUMBER_MAX 10000000u

/* The diff being collected. */
struct diff {
	struct patch_reader *r;
	const struct zl_mail_message *message;
	struct zl_patch *patch; /* NULL = none yet at this depth */
	struct zl_patch_file *file;
	struct zl_patch_hunk *hunk; /* with lines still to come, or just filled */
	size_t cap_files, cap_hunks, cap_lines;
	uint32_t old_left, new_left;
	bool restored;
	bool follows;	      /* the hunk has just been filled: more of its kind are surplus */
	bool interrupted;     /* a remark stands between its lines */
	size_t head_columns;  /* of the hunk's header line */
	struct scan old_path; /* of a "--- " line that waits for "+++ " */
	uint32_t old_line;
};

static int too_many(struct diff *d, uint32_t line, const char *what, unsigned limit)
{
	zl_error_set(
		d->r->err, line, 0, "more than %u %s; give fewer patches at a time", limit, what);
	return -E2BIG;
}

static int need_patch(struct diff *d, const struct patch_quoted *q)
{
	struct zl_patches *p = d->r->p;
	struct zl_patch *list;

	if (d->patch != NULL && d->patch->depth == q->depth) {
		return 0;
	}
	list = zl_arena_grow(
		d->r->arena, p->patch, p->nr_patches, &d->r->cap_patches, sizeof(*list));
	if (list == NULL) {
		return -ENOMEM;
	}
	p->patch = list;
	d->patch = &p->patch[p->nr_patches++];
	*d->patch = (struct zl_patch){.message = d->message, .depth = q->depth, .line = q->line};
	d->file = NULL;
	d->hunk = NULL;
	d->cap_files = 0;
	return 0;
}

/* "a/mm/page_alloc.c\t2024-01-01" is mm/page_alloc.c; /dev/null is nothing. */
static const char *clean_path(struct diff *d, struct scan s)
{
	const char *tab = memchr(s.p, '\t', scan_left(&s));
	char *copy;

	s.end = tab != NULL ? tab : s.end;
	s = scan_trim(s);
	if (scan_left(&s) >= 2 && *s.p == '"' && s.end[-1] == '"') {
		s.p++;
		s.end--;
	}
	if (scan_equal(&s, "/dev/null")) {
		return "";
	}
	if (scan_left(&s) > 2 && s.p[1] == '/' && (*s.p == 'a' || *s.p == 'b')) {
		s.p += 2;
	}
	copy = zl_arena_strn(d->r->arena, s.p, scan_left(&s));
	if (copy != NULL) {
		zl_clean_line(copy, scan_left(&s) + 1, copy, scan_left(&s));
	}
	return copy;
}

static int begin_file(struct diff *d, const struct patch_quoted *q, struct scan path)
{
	int rc = need_patch(d, q);
	struct zl_patch_file *list;

	if (rc != 0) {
		return rc;
	}
	if (++d->r->nr_files > ZL_PATCH_FILES_MAX) {
		return too_many(d, q->line, "files", ZL_PATCH_FILES_MAX);
	}
	list = zl_arena_grow(
		d->r->arena, d->patch->files, d->patch->nr_files, &d->cap_files, sizeof(*list));
	if (list == NULL) {
		return -ENOMEM;
	}
	d->patch->files = list;
	d->file = &list[d->patch->nr_files++];
	*d->file = (struct zl_patch_file){.line = q->line, .path = clean_path(d, path)};
	d->hunk = NULL;
	d->follows = false;
	d->cap_hunks = 0;
	return d->file->path == NULL ? -ENOMEM : 0;
}

static void end_hunk(struct diff *d)
{
	if (d->hunk != NULL && (d->old_left > 0 || d->new_left > 0)) {
		d->hunk->cut = true;
	}
	d->hunk = NULL;
	d->follows = false;
}

static bool read_range(struct scan *c, char mark, uint32_t *start, uint32_t *count)
{
	uint64_t a = 0, n = 1;

	scan_blanks(c);
	if (c->p == c->end || *c->p != mark) {
		return false;
	}
	c->p++;
	if (!scan_u64(c, &a)) {
		return false;
	}
	if (c->p < c->end && *c->p == ',') {
		c->p++;
		if (!scan_u64(c, &n)) {
			return false;
		}
	}
	*start = (uint32_t)a;
	*count = (uint32_t)n;
	return a <= NUMBER_MAX && n <= NUMBER_MAX;
}

/* "@@ -2617,7 +2617,7 @@ static void free_unref_page_commit(...". */
static bool read_header(struct scan c, struct zl_patch_hunk *ret, struct scan *function)
{
	if (!scan_peek(&c, "@@ ")) {
		return false;
	}
	c.p += 3;
	if (!read_range(&c, '-', &ret->old_start, &ret->old_count) ||
		!read_range(&c, '+', &ret->new_start, &ret->new_count)) {
		return false;
	}
	scan_blanks(&c);
	if (!scan_peek(&c, "@@")) {
		return false;
	}
	c.p += 2;
	*function = scan_trim(c);
	return true;
}

static char *cleaned(struct diff *d, const struct scan *s)
{
	char *copy = zl_arena_strn(d->r->arena, s->p, scan_left(s));

	if (copy != NULL) {
		zl_clean_line(copy, scan_left(s) + 1, copy, scan_left(s));
	}
	return copy;
}

static int begin_hunk(struct diff *d, const struct patch_quoted *q,
	const struct zl_patch_hunk *head, const struct scan *function)
{
	const struct scan nowhere = {"", ""};
	struct zl_patch_hunk *list;
	int rc = 0;

	end_hunk(d);
	if (d->file == NULL || d->patch == NULL || d->patch->depth != q->depth) {
		rc = begin_file(d, q, nowhere);
	}
	if (rc != 0) {
		return rc;
	}
	if (++d->r->nr_hunks > ZL_PATCH_HUNKS_MAX) {
		return too_many(d, q->line, "hunks", ZL_PATCH_HUNKS_MAX);
	}
	list = zl_arena_grow(
		d->r->arena, d->file->hunks, d->file->nr_hunks, &d->cap_hunks, sizeof(*list));
	if (list == NULL) {
		return -ENOMEM;
	}
	d->file->hunks = list;
	d->hunk = &list[d->file->nr_hunks++];
	*d->hunk = *head;
	d->hunk->line = q->line;
	d->hunk->together = d->restored;
	d->hunk->function = cleaned(d, function);
	d->cap_lines = 0;
	d->interrupted = false;
	d->head_columns = scan_left(&q->text);
	d->old_left = head->old_count;
	d->new_left = head->new_count;
	return d->hunk->function == NULL ? -ENOMEM : 0;
}

static int add_line(struct diff *d, const struct patch_quoted *q, enum zl_patch_line_kind kind)
{
	struct zl_patch_hunk *h = d->hunk;
	struct zl_patch_line *list;

	if (++d->r->nr_lines > ZL_PATCH_LINES_MAX) {
		return too_many(d, q->line, "lines of hunks", ZL_PATCH_LINES_MAX);
	}
	list = zl_arena_grow(d->r->arena, h->lines, h->nr_lines, &d->cap_lines, sizeof(*list));
	if (list == NULL) {
		return -ENOMEM;
	}
	h->lines = list;
	h->lines[h->nr_lines++] = (struct zl_patch_line){.kind = kind,
		.line = q->line,
		.s = q->text.p,
		.len = (uint32_t)scan_left(&q->text)};
	d->old_left -= kind != ZL_PATCH_NEW && d->old_left > 0 ? 1 : 0;
	d->new_left -= kind != ZL_PATCH_OLD && d->new_left > 0 ? 1 : 0;
	d->follows = d->old_left == 0 && d->new_left == 0;
	return 0;
}

static size_t columns(const char *s, size_t n)
{
	const size_t tab = 8;
	size_t at = 1; /* the mark */

	for (size_t i = 0; i < n; i++) {
		at = s[i] == '\t' ? (at / tab + 1) * tab : at + 1;
	}
	return at;
}

/* A line without a mark: the end of the one before it, which a mailer wrapped. */
static int continue_line(struct diff *d, const struct patch_quoted *q)
{
	struct zl_patch_hunk *h = d->hunk;
	struct zl_patch_line *last = h->nr_lines > 0 ? &h->lines[h->nr_lines - 1] : NULL;
	size_t before = last != NULL ? last->len : strlen(h->function);
	const char *text = last != NULL ? last->s : h->function;
	size_t more = scan_left(&q->text);
	char *s;

	if ((last != NULL ? columns(text, before) : d->head_columns) < WRAP_COLUMNS ||
		d->interrupted || scan_peek(&q->text, "[") || scan_peek(&q->text, "...")) {
		end_hunk(d);
		return 0;
	}
	s = zl_arena_alloc(d->r->arena, before + more + 2);
	if (s == NULL) {
		return -ENOMEM;
	}
	memcpy(s, text, before);
	s[before] = ' ';
	memcpy(s + before + 1, q->text.p, more);
	if (last != NULL) {
		last->s = s;
		last->len = (uint32_t)(before + more + 1);
	} else {
		zl_clean_line(s, before + more + 2, s, before + more + 1);
		h->function = s;
	}
	h->mended = true;
	return 0;
}

static bool is_version(const struct zl_line *line, const struct patch_quoted *q)
{
	struct patch_quoted next = patch_take_quotes(line, 0);
	struct scan c = scan_trim(next.text);
	uint64_t v = 0;

	return next.depth == q->depth &&
	       (c.p == c.end || (scan_u64(&c, &v) && c.p < c.end && *c.p == '.'));
}

/* "-- " and the version of git below it end a mail, even where lines of a hunk are missing. */
static bool is_signature(const struct patch_quoted *q, const struct zl_lines *rest)
{
	struct zl_lines after = *rest;
	struct zl_line next;

	if (!scan_equal(&q->text, "-- ") && !scan_equal(&q->text, "--")) {
		return false;
	}
	return !zl_lines_next(&after, &next) || is_version(&next, q);
}

static int hunk_line(struct diff *d, struct patch_quoted *q, const struct zl_lines *rest)
{
	char mark = scan_left(&q->text) > 0 ? *q->text.p : '\0';

	if (is_signature(q, rest)) {
		end_hunk(d);
		return 0;
	}
	switch (mark) {
	case '\0':
	case '\t': /* the blank in front was lost */
		return add_line(d, q, ZL_PATCH_CONTEXT);
	case ' ':
		q->text.p++;
		return add_line(d, q, ZL_PATCH_CONTEXT);
	case '-':
		q->text.p++;
		return add_line(d, q, ZL_PATCH_OLD);
	case '+':
		q->text.p++;
		return add_line(d, q, ZL_PATCH_NEW);
	case '\\':
		return 0;
	default:
		return continue_line(d, q);
	}
}

/* "diff --git a/X b/X": the path is the last word. */
static struct scan git_path(struct scan c)
{
	const char *at = NULL;

	for (const char *p = c.p; p + 3 < c.end; p++) {
		if (p[0] == ' ' && p[1] == 'b' && p[2] == '/') {
			at = p + 1;
		}
	}
	c.p = at != NULL ? at : c.end;
	return c;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* "index 1234567890ab..ba0987654321 100644" */
static void read_index(struct zl_patch_file *f, struct scan c)
{
	size_t n = 0;

	c.p += strlen("index ");
	while (n + 1 < sizeof(f->blob) && c.p + n < c.end && is_hex(c.p[n])) {
		f->blob[n] = c.p[n];
		n++;
	}
	if (c.p + n + 1 >= c.end || c.p[n] != '.' || c.p[n + 1] != '.') {
		n = 0;
	}
	f->blob[n] = '\0';
}

static void file_mark(struct diff *d, const struct patch_quoted *q)
{
	const struct scan *c = &q->text;

	if (d->file == NULL || d->file->nr_hunks > 0) {
		return;
	}
	d->file->added |= scan_peek(c, "new file mode");
	d->file->removed |= scan_peek(c, "deleted file mode");
	if (scan_peek(c, "index ")) {
		read_index(d->file, *c);
	}
	d->file->binary |= scan_peek(c, "Binary files ") || scan_peek(c, "GIT binary patch");
}

/* "+++ b/X" below "--- a/X": the file's names; a "diff --git" line may have begun it already. */
static int new_path(struct diff *d, const struct patch_quoted *q, struct scan path)
{
	struct patch_quoted at = *q;
	struct scan none = {"", ""};
	const char *name;
	bool begun = d->file != NULL && d->patch != NULL && d->patch->depth == q->depth &&
		     d->file->nr_hunks == 0 && d->old_line >= d->file->line &&
		     d->old_line - d->file->line < 16;
	int rc;

	at.line = d->old_line;
	rc = begun ? 0 : begin_file(d, &at, none);
	if (rc != 0) {
		return rc;
	}
	name = clean_path(d, path);
	if (name == NULL) {
		return -ENOMEM;
	}
	if (name[0] == '\0') {
		d->file->removed = true;
		name = clean_path(d, d->old_path);
	} else if (scan_peek(&d->old_path, "/dev/null")) {
		d->file->added = true;
	}
	d->file->path = name != NULL ? name : "";
	d->old_line = 0;
	return name == NULL ? -ENOMEM : 0;
}

/* A line outside of hunks. */
static int plain_line(struct diff *d, const struct patch_quoted *q)
{
	struct scan c = q->text, function;
	struct zl_patch_hunk head = {0};

	if (scan_peek(&c, "diff --git ")) {
		end_hunk(d);
		return begin_file(d, q, git_path(c));
	}
	if (read_header(c, &head, &function)) {
		return begin_hunk(d, q, &head, &function);
	}
	if (scan_peek(&c, "+++ ") && d->old_line > 0) {
		c.p += 4;
		end_hunk(d);
		return new_path(d, q, c);
	}
	d->old_line = 0;
	if (scan_peek(&c, "--- ") && scan_left(&c) > 4) {
		d->old_path = c;
		d->old_path.p += 4;
		d->old_line = q->line;
	} else if (d->follows && d->hunk != NULL && d->patch->depth == q->depth && c.p < c.end &&
		   (*c.p == '+' || *c.p == ' ' || *c.p == '\t' ||
			   (*c.p == '-' && !scan_peek(&c, "--")))) {
		d->hunk->surplus = true;
	} else {
		file_mark(d, q);
		d->follows = false;
	}
	return 0;
}

/* Lines that begin something new even where a hunk still waits for lines. */
static bool breaks_hunk(const struct patch_quoted *q, const struct zl_lines *rest)
{
	struct scan function, c = q->text;
	struct zl_patch_hunk head;
	struct zl_lines after = *rest;
	struct zl_line next;

	if (scan_peek(&c, "diff --git ") || read_header(c, &head, &function)) {
		return true;
	}
	if (!scan_peek(&c, "--- ") || !zl_lines_next(&after, &next)) {
		return false;
	}
	struct patch_quoted n = patch_take_quotes(&next, 0);
	return n.depth == q->depth && scan_peek(&n.text, "+++ ");
}

static int take_line(struct diff *d, struct patch_quoted *q, const struct zl_lines *rest)
{
	bool waiting = d->hunk != NULL && (d->old_left > 0 || d->new_left > 0);

	if (waiting && d->patch->depth != q->depth) {
		if (breaks_hunk(q, rest)) {
			end_hunk(d);
			return plain_line(d, q);
		}
		d->interrupted = true; /* a remark between quoted lines */
		return 0;
	}
	if (waiting && !breaks_hunk(q, rest)) {
		return hunk_line(d, q, rest);
	}
	if (waiting) {
		end_hunk(d);
	}
	return plain_line(d, q);
}

static int read_lines(struct patch_reader *r, const struct zl_mail_message *m, bool indented)
{
	struct diff d = {.r = r, .message = m};
	struct zl_lines l;
	struct zl_line line;
	struct scan text = scan_of(m->text, m->size);
	int rc = patch_restore_breaks(r, &text, &d.restored);
	bool is_signed = false;
	size_t indent = 0;

	if (rc != 0) {
		return rc;
	}
	zl_lines_init(&l, text.p, scan_left(&text));
	while (rc == 0 && zl_lines_next(&l, &line)) {
		size_t i = d.restored ? 0 : line.number - 1;
		struct patch_quoted q =
			patch_take_quotes(&line, i < m->nr_lines ? m->line[i] : m->first_line);

		patch_unescape(&is_signed, &q);
		if (indented) {
			patch_set_in(&indent, &q, &l);
		}
		rc = take_line(&d, &q, &l);
	}
	end_hunk(&d);
	return rc;
}

int patch_read_message(struct patch_reader *r, const struct zl_mail_message *m)
{
	size_t before = r->p->nr_patches;
	int rc = read_lines(r, m, false);

	return rc == 0 && r->p->nr_patches == before ? read_lines(r, m, true) : rc;
}
