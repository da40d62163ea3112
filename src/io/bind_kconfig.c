/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: defaults, ranges and new symbols of Kconfig files.
 */
#include <errno.h>
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

/* Symbols that are settings here. */
static const struct {
	const char *name;
	enum zl_setting setting;
} symbols[] = {
	{"PCP_BATCH_SCALE_MAX",	ZL_SET_BATCH_SCALE_MAX },
	{"PAGE_BLOCK_ORDER",     ZL_SET_PAGE_BLOCK_ORDER},
	{"PAGE_BLOCK_MAX_ORDER", ZL_SET_PAGE_BLOCK_ORDER},
	{"ARCH_FORCE_MAX_ORDER", ZL_SET_MAX_PAGE_ORDER  },
	{"FORCE_MAX_ZONEORDER",	ZL_SET_MAX_PAGE_ORDER  },
	{"CMA_AREAS",	      ZL_SET_CMA_AREAS	      },
};

static const char *const keywords[] = {"config", "menuconfig", "choice", "endchoice", "bool", "int",
	"hex", "string", "tristate", "def_bool", "def_tristate", "default", "range", "depends",
	"select", "imply", "prompt", "help", "if", "endif", "menu", "endmenu", "source", "comment",
	"visible", "optional", "modules", "transitional"};

enum word { WORD_NONE, WORD_CONFIG, WORD_DEFAULT, WORD_RANGE, WORD_HELP, WORD_OTHER };

/* One line understood. */
struct entry {
	enum word word;
	struct scan value; /* behind the keyword */
};

/* A walk over one hunk. */
struct walk {
	struct binder *b;
	struct bind_file *f;
	struct bind_hunk *h;
	const char *symbol;
	bool symbol_new; /* its config line is added */
	bool help;
};

bool bind_is_kconfig(const struct zl_patch_file *f)
{
	const char *name = strrchr(f->path, '/');

	name = name != NULL ? name + 1 : f->path;
	if (strncmp(name, "Kconfig", 7) == 0) {
		return true;
	}
	for (size_t i = 0; f->path[0] == '\0' && i < f->nr_hunks; i++) {
		const struct zl_patch_hunk *h = &f->hunks[i];
		bool config = strncmp(h->function, "config ", 7) == 0;

		for (size_t k = 0; k < h->nr_lines; k++) {
			config |= h->lines[k].len > 7 && memcmp(h->lines[k].s, "config ", 7) == 0;
		}
		if (config) {
			return true; /* a hunk quoted without its file */
		}
	}
	return false;
}

static struct entry read_entry(const struct zl_patch_line *line)
{
	struct scan c = scan_trim(scan_of(line->s, line->len)), word;
	struct entry e = {.word = WORD_NONE};

	if (!scan_word(&c, &word)) {
		return e;
	}
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		if (scan_equal(&word, keywords[i])) {
			e.word = WORD_OTHER;
		}
	}
	if (scan_equal(&word, "config") || scan_equal(&word, "menuconfig")) {
		e.word = WORD_CONFIG;
	} else if (scan_equal(&word, "default")) {
		e.word = WORD_DEFAULT;
	} else if (scan_equal(&word, "range")) {
		e.word = WORD_RANGE;
	} else if (scan_equal(&word, "help") || scan_equal(&word, "---help---")) {
		e.word = WORD_HELP;
	}
	e.value = scan_trim(c);
	return e;
}

static enum zl_setting setting_of(const char *symbol)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strcmp(symbols[i].name, symbol) == 0) {
			return symbols[i].setting;
		}
	}
	return ZL_SETTING_COUNT;
}

/* "5 if ARM64_16K_PAGES": the value and its condition. */
static void split_condition(struct scan v, struct scan *value, struct scan *condition)
{
	const char *at = scan_find(&v, " if ", 4);

	*value = v;
	*condition = scan_of("", 0);
	if (at != NULL) {
		value->end = at;
		condition->p = at + 4;
		condition->end = v.end;
	}
	*value = scan_trim(*value);
	if (scan_left(value) >= 2 && *value->p == '"' && value->end[-1] == '"') {
		value->p++;
		value->end--;
	}
	*condition = scan_trim(*condition);
}

static bool same_text(const struct scan *a, const struct scan *b)
{
	return scan_left(a) == scan_left(b) && memcmp(a->p, b->p, scan_left(a)) == 0;
}

static const char *text_of(struct binder *b, const struct scan *s)
{
	char *copy = zl_arena_strn(b->arena, s->p, scan_left(s));

	if (copy == NULL) {
		b->failed = -ENOMEM;
		return "";
	}
	scan_copy(s, copy, scan_left(s) + 1);
	return copy;
}

static bool is_number(const char *s)
{
	uint64_t v = 0;

	return zl_parse_u64(s, &v) == 0 && v <= INT32_MAX;
}

/* Where the old line of a changed property is: removed, same symbol, same keyword and condition. */
static bool find_old(struct walk *w, size_t row, const struct entry *e, size_t *ret)
{
	struct scan value, condition, old_value, old_condition;

	split_condition(e->value, &value, &condition);
	for (size_t i = 0; i < w->h->h->nr_lines; i++) {
		const struct zl_patch_line *l = &w->h->h->lines[i];
		struct entry o = read_entry(l);
		bool between = false;

		if (l->kind != ZL_PATCH_OLD || o.word != e->word || w->h->claimed[i]) {
			continue;
		}
		for (size_t k = i < row ? i : row; k < (i < row ? row : i); k++) {
			between |= read_entry(&w->h->h->lines[k]).word == WORD_CONFIG;
		}
		split_condition(o.value, &old_value, &old_condition);
		if (!between && same_text(&condition, &old_condition)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static struct zl_change *property(
	struct walk *w, enum zl_change_kind kind, size_t row, const struct entry *e)
{
	struct zl_change *c = bind_add(w->b, kind, w->f, w->h->h, row);
	struct scan value, condition;

	if (c == NULL) {
		return NULL;
	}
	split_condition(e->value, &value, &condition);
	c->setting = setting_of(w->symbol);
	c->place.function = w->symbol;
	c->added = w->symbol_new;
	c->condition = text_of(w->b, &condition);
	c->new_code = text_of(w->b, &value);
	w->h->claimed[row] = true;
	return c;
}

/* When a default that stands before this one, on the new side, is taken: "(A) || (B)". */
static const char *earlier_defaults(struct walk *w, size_t row)
{
	const char *ret = "";

	while (row-- > 0) {
		const struct zl_patch_line *l = &w->h->h->lines[row];
		struct entry e = read_entry(l);
		struct scan value, condition;

		if (e.word == WORD_CONFIG) {
			break;
		}
		if (l->kind == ZL_PATCH_OLD || e.word != WORD_DEFAULT) {
			continue;
		}
		split_condition(e.value, &value, &condition);
		if (scan_left(&condition) == 0) {
			return "y";
		}
		ret = bind_print(w->b, "%s%s(%s)", ret, ret[0] != '\0' ? " || " : "",
			text_of(w->b, &condition));
	}
	return ret;
}

static void take_default(struct walk *w, size_t row, const struct entry *e)
{
	size_t old;
	struct zl_change *c;

	c = property(w, w->symbol_new ? ZL_CHANGE_SYMBOL : ZL_CHANGE_DEFAULT, row, e);
	if (c == NULL) {
		return;
	}
	c->earlier = earlier_defaults(w, row);
	if (find_old(w, row, e, &old)) {
		struct scan value, condition;
		struct entry o = read_entry(&w->h->h->lines[old]);

		split_condition(o.value, &value, &condition);
		c->old_code = text_of(w->b, &value);
		w->h->claimed[old] = true;
	}
	if (strcmp(c->earlier, "y") == 0) {
		c->note = "it is never taken: a default without a condition stands before it";
	} else if (is_number(c->new_code)) {
		c->after = c->new_code;
		c->before = is_number(c->old_code) ? c->old_code : NULL;
	} else {
		c->note = "the new default is no number; the model's own default stands";
	}
}

static void take_range(struct walk *w, size_t row, const struct entry *e)
{
	struct zl_change *c = property(w, ZL_CHANGE_RANGE, row, e);
	size_t old;

	if (c != NULL && find_old(w, row, e, &old)) {
		struct scan value, condition;
		struct entry o = read_entry(&w->h->h->lines[old]);

		split_condition(o.value, &value, &condition);
		c->old_code = text_of(w->b, &value);
		w->h->claimed[old] = true;
	}
	if (c != NULL) {
		c->note = "values outside cannot be chosen; no figure changes by itself";
	}
}

static void enter_symbol(struct walk *w, const struct entry *e, bool added)
{
	w->symbol = text_of(w->b, &e->value);
	w->symbol_new = added;
	w->help = false;
}

/* Help texts mean nothing to the model; what begins with no keyword is one, too. */
static bool is_help(struct walk *w, const struct zl_patch_line *l, const struct entry *e)
{
	bool indented = l->len > 0 && scan_is_blank(l->s[0]);

	if (!indented && e->word != WORD_NONE) {
		w->help = false;
	}
	return w->help || e->word == WORD_NONE;
}

static void kconfig_line(struct walk *w, size_t row)
{
	const struct zl_patch_line *l = &w->h->h->lines[row];
	struct entry e = read_entry(l);
	bool known;

	if (is_help(w, l, &e)) {
		w->h->claimed[row] = true;
		return;
	}
	if (e.word == WORD_HELP) {
		w->help = true;
		w->h->claimed[row] = true;
		return;
	}
	if (e.word == WORD_CONFIG && l->kind != ZL_PATCH_OLD) {
		enter_symbol(w, &e, l->kind == ZL_PATCH_NEW);
		w->h->claimed[row] |= setting_of(w->symbol) != ZL_SETTING_COUNT;
	}
	known = setting_of(w->symbol) != ZL_SETTING_COUNT;
	if (l->kind == ZL_PATCH_CONTEXT || w->h->claimed[row]) {
		return;
	}
	if (known && l->kind == ZL_PATCH_NEW && e.word == WORD_DEFAULT) {
		take_default(w, row, &e);
	} else if (known && l->kind == ZL_PATCH_NEW && e.word == WORD_RANGE) {
		take_range(w, row, &e);
	} else if (known && w->symbol_new && e.word == WORD_OTHER) {
		w->h->claimed[row] = true; /* its type, prompt and dependencies */
	} else {
		w->h->why[row] =
			known ? "a property of the symbol that is not modelled"
			      : bind_print(w->b, "the symbol %s is no setting of the model",
					w->symbol[0] != '\0' ? w->symbol : "here");
	}
}

void bind_kconfig(struct binder *b, struct bind_file *f)
{
	for (size_t i = 0; i < f->file->nr_hunks && b->failed == 0; i++) {
		struct walk w = {.b = b, .f = f, .h = &f->hunk[i], .symbol = ""};
		const char *head = f->hunk[i].h->function;

		if (strncmp(head, "config ", 7) == 0) {
			w.symbol = head + 7;
		}
		for (size_t row = 0; row < f->hunk[i].h->nr_lines && b->failed == 0; row++) {
			kconfig_line(&w, row);
		}
	}
}

/* The lines of a new symbol, from its config line to the next one. */
static void claim_symbol(struct bind_hunk *h, const char *name)
{
	bool mine = false;

	for (size_t k = 0; k < h->h->nr_lines; k++) {
		struct entry e = read_entry(&h->h->lines[k]);

		mine = e.word == WORD_CONFIG ? scan_equal(&e.value, name) : mine;
		h->claimed[k] |= mine && h->h->lines[k].kind == ZL_PATCH_NEW;
	}
}

static bool symbol_default(const struct zl_patch_hunk *h, const char *name, int64_t *ret)
{
	bool mine = false;

	for (size_t k = 0; k < h->nr_lines; k++) {
		struct entry e = read_entry(&h->lines[k]);
		struct scan value, condition;
		uint64_t v = 0;

		if (h->lines[k].kind != ZL_PATCH_NEW) {
			continue;
		}
		mine = e.word == WORD_CONFIG ? scan_equal(&e.value, name) : mine;
		split_condition(e.value, &value, &condition);
		if (mine && e.word == WORD_DEFAULT && scan_left(&condition) == 0 &&
			scan_u64(&value, &v) && value.p == value.end) {
			*ret = (int64_t)v;
			return true;
		}
	}
	return false;
}

/* The hunk of a file that gives a new symbol its default; NULL = none. */
static struct bind_hunk *new_symbol_in(struct bind_file *f, const char *name, int64_t *ret)
{
	for (size_t h = 0; h < f->file->nr_hunks && bind_is_kconfig(f->file); h++) {
		if (symbol_default(f->hunk[h].h, name, ret)) {
			return &f->hunk[h];
		}
	}
	return NULL;
}

bool bind_new_symbol(struct binder *b, const char *name, int64_t *ret)
{
	const size_t prefix = 7;
	struct bind_hunk *h = NULL;

	if (strncmp(name, "CONFIG_", prefix) != 0) {
		return false;
	}
	for (size_t i = 0; i < b->nr_files && h == NULL; i++) {
		h = new_symbol_in(&b->file[i], name + prefix, ret);
	}
	if (h != NULL && !b->trial) {
		claim_symbol(h, name + prefix);
	}
	return h != NULL;
}
