/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: patches in, changes of the model and lines that mean nothing to it out.
 */
#include "zonelab/bind.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

const char *zl_change_kind_name(enum zl_change_kind k)
{
	static const char *const names[] = {
		"rule", "default", "range", "symbol", "variable", "same"};

	return (size_t)k < sizeof(names) / sizeof(names[0]) ? names[k] : "?";
}

const char *bind_print(struct binder *b, const char *fmt, ...)
{
	char buf[ZL_BIND_TEXT];
	struct zl_text t;
	va_list ap;
	char *s;

	zl_text_init(&t, buf, sizeof(buf));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	s = zl_arena_strn(b->arena, buf, strlen(buf));
	if (s == NULL) {
		b->failed = -ENOMEM;
		return "";
	}
	return s;
}

bool bind_too_large(struct binder *b)
{
	if (b->build.failed != -E2BIG) {
		return false;
	}
	b->build.failed = 0;
	b->build.nodes = 0;
	b->why = "the expression is too large when its names are replaced";
	return true;
}

const char *bind_written(struct binder *b, const struct c_node *n)
{
	char buf[ZL_BIND_TEXT];

	if (n == NULL || !c_write(n, buf, sizeof(buf))) {
		b->why = "the expression is too long";
		return "";
	}
	return bind_print(b, "%s", buf);
}

/* The line of the kernel's file after the patch, counted from the hunk's header. */
static uint32_t kernel_line(const struct zl_patch_hunk *h, size_t row)
{
	uint32_t line = h->new_start;

	for (size_t i = 0; i < row && i < h->nr_lines; i++) {
		line += h->lines[i].kind != ZL_PATCH_OLD;
	}
	return line;
}

static struct zl_bind_place place_of(
	const struct bind_file *f, const struct zl_patch_hunk *h, size_t row)
{
	return (struct zl_bind_place){.patch = f->patch,
		.file = f->file,
		.line = row < h->nr_lines ? h->lines[row].line : h->line,
		.kernel_line = kernel_line(h, row),
		.function = ""};
}

struct zl_change *bind_add(struct binder *b, enum zl_change_kind kind, const struct bind_file *f,
	const struct zl_patch_hunk *h, size_t row)
{
	struct zl_binding *out = b->out;
	struct zl_change *c =
		zl_arena_grow(b->arena, out->change, out->nr_changes, &b->cap_changes, sizeof(*c));

	if (c == NULL) {
		b->failed = -ENOMEM;
		return NULL;
	}
	out->change = c;
	c += out->nr_changes++;
	*c = (struct zl_change){.kind = kind,
		.point = ZL_POINT_COUNT,
		.setting = ZL_SETTING_COUNT,
		.place = place_of(f, h, row),
		.old_code = "",
		.new_code = "",
		.condition = "",
		.earlier = "",
		.note = ""};
	return c;
}

/* --- reading --- */

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n >= t && strcmp(s + n - t, tail) == 0;
}

static bool is_code(const struct zl_patch_file *f)
{
	return f->path[0] == '\0' || ends_with(f->path, ".c") || ends_with(f->path, ".h");
}

static void set_reason(struct bind_hunk *bh, const char *why)
{
	for (size_t i = 0; i < bh->h->nr_lines; i++) {
		bh->why[i] = why;
	}
}

/* The words of one side; rows are lines of the hunk. Returns 0, -E2BIG, -ENOMEM. */
static int lex_side(
	struct binder *b, const struct zl_patch_hunk *h, unsigned side, struct c_tokens *ret)
{
	enum zl_patch_line_kind not_mine = side == SIDE_OLD ? ZL_PATCH_NEW : ZL_PATCH_OLD;
	struct c_line *lines = zl_arena_alloc(b->arena, (h->nr_lines + 1) * sizeof(*lines));
	size_t n = 0;

	if (lines == NULL) {
		return -ENOMEM;
	}
	for (size_t i = 0; i < h->nr_lines; i++) {
		if (h->lines[i].kind != not_mine) {
			lines[n++] = (struct c_line){h->lines[i].s, h->lines[i].len, (uint32_t)i};
		}
	}
	return c_lex(lines, n, b->arena, ret);
}

static void read_side(struct binder *b, struct bind_hunk *bh, unsigned side)
{
	const struct zl_patch_hunk *h = bh->h;
	struct c_tokens words;

	b->failed = lex_side(b, h, side, &words);
	if (b->failed == 0) {
		b->build.nodes = 0;
		b->failed = c_read_facts(
			&b->build, &words, c_function_name(b->arena, h->function), &bh->side[side]);
	}
	if (b->failed == -E2BIG) { /* it stays unread */
		memset(&bh->side[side], 0, sizeof(bh->side[side]));
		b->failed = b->build.failed = 0;
		set_reason(bh, "the hunk is too large or nested too deeply to be read");
	}
}

bool bind_next_hunk(struct bind_hunks *w, struct bind_at *ret)
{
	for (; w->file < w->b->nr_files; w->file++, w->hunk = 0) {
		struct bind_file *f = &w->b->file[w->file];

		if (f->code && w->hunk < f->file->nr_hunks) {
			*ret = (struct bind_at){.file = f, .hunk = w->hunk++, .side = SIDE_NEW};
			return true;
		}
	}
	return false;
}

/* Lines of comments, blanks and braces mean nothing by themselves. */
static bool says_nothing(const struct zl_patch_line *l)
{
	struct scan c = scan_trim(scan_of(l->s, l->len));

	if (scan_equal(&c, "else") || scan_equal(&c, "} else {") || scan_equal(&c, "else {")) {
		return true;
	}
	for (; c.p < c.end; c.p++) {
		if (memchr("{}();", *c.p, 5) == NULL && !scan_is_blank(*c.p)) {
			return false;
		}
	}
	return true;
}

/* Marks the lines of one side that have a word of C. Returns 0, -E2BIG, -ENOMEM. */
static int mark_words(struct binder *b, const struct zl_patch_hunk *h, unsigned side, bool *word)
{
	struct c_tokens words;
	int rc = lex_side(b, h, side, &words);

	for (size_t i = 0; rc == 0 && i + 1 < words.n; i++) {
		word[words.t[i].row] |= words.t[i].kind != C_WORD_DEFINE_END;
	}
	return rc;
}

static void claim_comments(struct binder *b, struct bind_hunk *bh)
{
	for (unsigned side = 0; side < 2; side++) {
		enum zl_patch_line_kind mine = side == SIDE_OLD ? ZL_PATCH_OLD : ZL_PATCH_NEW;
		const struct zl_patch_hunk *h = bh->h;
		bool *word = zl_arena_alloc(b->arena, h->nr_lines + 1);
		int rc = word == NULL ? -ENOMEM : mark_words(b, h, side, word);

		if (rc != 0) {
			b->failed = rc == -E2BIG ? 0 : rc;
			return;
		}
		for (size_t i = 0; i < h->nr_lines; i++) {
			if (h->lines[i].kind == mine && (!word[i] || says_nothing(&h->lines[i]))) {
				bh->claimed[i] = true;
				b->out->lines_comment += !word[i];
			}
		}
	}
}

static void read_hunk(struct binder *b, struct bind_file *f, size_t i)
{
	struct bind_hunk *bh = &f->hunk[i];
	const struct zl_patch_hunk *h = &f->file->hunks[i];

	bh->h = h;
	bh->claimed = zl_arena_alloc(b->arena, h->nr_lines + 1);
	bh->why = zl_arena_alloc(b->arena, (h->nr_lines + 1) * sizeof(const char *));
	if (bh->claimed == NULL || bh->why == NULL) {
		b->failed = -ENOMEM;
		return;
	}
	for (size_t k = 0; k < h->nr_lines; k++) {
		b->out->lines_changed += h->lines[k].kind != ZL_PATCH_CONTEXT;
	}
	if (h->surplus) {
		set_reason(bh, "the hunk has more lines than its header says; breaks were added on "
			       "the way");
	} else if (f->code) {
		read_side(b, bh, SIDE_OLD);
		if (b->failed == 0) {
			read_side(b, bh, SIDE_NEW);
		}
		claim_comments(b, bh);
	}
}

static void read_file(struct binder *b, const struct zl_patch *p, const struct zl_patch_file *file)
{
	struct bind_file *f = &b->file[b->nr_files++];

	f->patch = p;
	f->file = file;
	f->hunk = zl_arena_alloc(b->arena, (file->nr_hunks + 1) * sizeof(*f->hunk));
	if (f->hunk == NULL) {
		b->failed = -ENOMEM;
		return;
	}
	f->code = is_code(file) && !bind_is_kconfig(file);
	for (size_t i = 0; i < file->nr_hunks && b->failed == 0; i++) {
		read_hunk(b, f, i);
	}
}

static void read_files(struct binder *b)
{
	const struct zl_patches *p = b->patches;
	size_t n = 0;

	for (size_t i = 0; i < p->nr_used; i++) {
		n += p->used[i]->nr_files;
	}
	b->file = zl_arena_alloc(b->arena, (n + 1) * sizeof(*b->file));
	if (b->file == NULL) {
		b->failed = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < p->nr_used; i++) {
		for (size_t k = 0; k < p->used[i]->nr_files && b->failed == 0; k++) {
			read_file(b, p->used[i], &p->used[i]->files[k]);
		}
	}
}

/* --- what is left --- */

/* "[-old-]{+new+}" in its lines: git diff --word-diff. */
static bool is_word_diff(const struct zl_patch_hunk *h)
{
	for (size_t i = 0; i < h->nr_lines; i++) {
		struct scan c = scan_of(h->lines[i].s, h->lines[i].len);

		if (scan_find(&c, "-]{+", 4) != NULL) {
			return true;
		}
	}
	return false;
}

static const char *line_text(struct binder *b, const struct zl_patch_line *l)
{
	struct scan c = scan_trim(scan_of(l->s, l->len));
	char buf[256];

	scan_copy(&c, buf, sizeof(buf));
	return bind_print(b, "%s", buf);
}

static const char *file_reason(const struct bind_file *f)
{
	if (f->file->binary) {
		return "a binary file";
	}
	return f->code || bind_is_kconfig(f->file) ? "no statement that the model knows"
						   : "neither C nor Kconfig";
}

/* Room for one more; NULL when there is no memory, which is noted. */
static struct zl_unbound *new_unbound(struct binder *b)
{
	struct zl_binding *out = b->out;
	struct zl_unbound *u =
		zl_arena_grow(b->arena, out->unbound, out->nr_unbound, &b->cap_unbound, sizeof(*u));

	if (u == NULL) {
		b->failed = -ENOMEM;
		return NULL;
	}
	out->unbound = u;
	return &u[out->nr_unbound++];
}

/* The function in which the line is: the header of a hunk names the one before its first line. */
static const char *function_at(struct binder *b, const struct bind_hunk *h, size_t row)
{
	const char *name = c_function_name(b->arena, h->h->function);

	for (unsigned side = 0; side < 2; side++) {
		for (size_t i = 0; i < h->side[side].nr_facts; i++) {
			const struct c_fact *f = &h->side[side].fact[i];

			if (f->first <= row && row <= f->last && bind_is_changed(h->h, f, side)) {
				return f->function;
			}
		}
	}
	return name;
}

static void add_unbound(
	struct binder *b, struct bind_file *f, struct bind_hunk *h, size_t first, size_t last)
{
	struct zl_unbound *u = new_unbound(b);

	if (u == NULL) {
		return;
	}
	*u = (struct zl_unbound){.place = place_of(f, h->h, first),
		.last_line = h->h->lines[last].line,
		.old_code = "",
		.new_code = "",
		.reason = h->why[first] != NULL ? h->why[first] : file_reason(f)};
	u->place.function = f->code ? function_at(b, h, first) : h->h->function;
	for (size_t i = first; i <= last; i++) {
		const struct zl_patch_line *l = &h->h->lines[i];

		if (l->kind == ZL_PATCH_OLD && u->old_code[0] == '\0') {
			u->old_code = line_text(b, l);
		} else if (l->kind == ZL_PATCH_NEW && u->new_code[0] == '\0') {
			u->new_code = line_text(b, l);
		}
	}
}

static bool changes_something(const struct zl_patch_hunk *h)
{
	for (size_t i = 0; i < h->nr_lines; i++) {
		if (h->lines[i].kind != ZL_PATCH_CONTEXT) {
			return true;
		}
	}
	return false;
}

/* A hunk of which no changed line is there. */
static void list_empty(struct binder *b, const struct bind_file *f, const struct bind_hunk *h)
{
	struct zl_unbound *u = new_unbound(b);

	if (u == NULL) {
		return;
	}
	*u = (struct zl_unbound){.place = place_of(f, h->h, h->h->nr_lines),
		.last_line = h->h->line,
		.old_code = "",
		.new_code = "",
		.reason = h->h->together ? "line breaks were lost, and the tabs that would show "
					   "them as well: the hunk cannot be taken apart"
			  : is_word_diff(h->h)
				  ? "a word diff; a unified diff (git diff) would be right"
				  : "the hunk has none of the lines that its header announces"};
	u->place.function = f->code ? c_function_name(b->arena, h->h->function) : h->h->function;
}

static bool same_reason(const struct bind_hunk *h, size_t a, size_t b)
{
	const char *x = h->why[a], *y = h->why[b];

	return x == y || y == NULL || (x != NULL && strcmp(x, y) == 0);
}

/* The last line of what begins at @k and is left over for one reason. */
static size_t rest_end(const struct bind_hunk *h, size_t k)
{
	size_t last = k;

	for (size_t n = k + 1; n < h->h->nr_lines && h->h->lines[n].kind != ZL_PATCH_CONTEXT; n++) {
		if (!h->claimed[n] && !same_reason(h, k, n)) {
			break;
		}
		last = h->claimed[n] ? last : n; /* over braces and blanks */
	}
	return last;
}

static void list_rest(struct binder *b, struct bind_file *f)
{
	for (size_t i = 0; i < f->file->nr_hunks; i++) {
		struct bind_hunk *h = &f->hunk[i];

		if (!changes_something(h->h)) {
			list_empty(b, f, h);
		}
		for (size_t k = 0; k < h->h->nr_lines && b->failed == 0; k++) {
			size_t last;

			if (h->h->lines[k].kind == ZL_PATCH_CONTEXT || h->claimed[k]) {
				continue;
			}
			last = rest_end(h, k);
			add_unbound(b, f, h, k, last);
			k = last;
		}
	}
}

static void bind_all(struct binder *b)
{
	bind_code(b);
	for (size_t i = 0; i < b->nr_files && b->failed == 0; i++) {
		if (!b->file[i].code && bind_is_kconfig(b->file[i].file)) {
			bind_kconfig(b, &b->file[i]);
		}
	}
	for (size_t i = 0; i < b->nr_files && b->failed == 0; i++) {
		list_rest(b, &b->file[i]);
	}
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		b->out->nr_modelled += b->out->change[i].kind != ZL_CHANGE_SAME;
	}
	bind_base(b);
}

/* Without a hunk of C no rule is looked at. */
static bool has_code(const struct binder *b)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	return bind_next_hunk(&w, &at);
}

int zl_bind(const struct zl_patches *patches, const struct zl_bind_hands *hands,
	const struct zl_allocator *mem, struct zl_binding *ret, struct zl_error *err)
{
	struct binder b = {.patches = patches, .out = ret, .mem = mem, .err = err};

	if (hands != NULL) {
		memcpy(b.hand, hands->hand, sizeof(b.hand));
		b.nr_hand = hands->count;
	}
	memset(ret, 0, sizeof(*ret));
	ret->arena = b.arena = zl_arena_new(mem);
	if (ret->arena == NULL) {
		b.failed = -ENOMEM;
	} else {
		b.build.arena = b.arena;
		read_files(&b);
		if (b.failed == 0 && has_code(&b)) {
			b.build.nodes = 0;
			bind_read_rules(&b);
			b.build.nodes = 0;
		}
	}
	if (b.failed == 0) {
		bind_all(&b);
	}
	b.failed = b.failed != 0 ? b.failed : b.build.failed;
	if (b.failed == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory to bind the patch");
	}
	if (b.failed != 0) {
		zl_bind_done(ret);
	}
	return b.failed;
}

void zl_bind_done(struct zl_binding *b)
{
	zl_arena_free(b->arena);
	memset(b, 0, sizeof(*b));
}
