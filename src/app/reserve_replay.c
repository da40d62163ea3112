/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of allocations: words of a line, and the play over the pool's bitmap.
 */
#include <errno.h>
#include <string.h>

#include "reserve_demand.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

#define LIST_SIZE_MAX	  (UINT64_C(1) << 20)
#define WORDS		  5
#define WORD_SIZE	  40
#define ALIGN_CAP	  8 /* CONFIG_CMA_ALIGNMENT */
#define ALIGN_ORDER_MAX	  20
#define ORDER_PER_BIT_MAX 20

struct line_words {
	size_t n;
	char word[WORDS][WORD_SIZE];
};

struct reading {
	struct replay *r;
	const struct zl_allocator *alloc;
	struct zl_error *err;
	const char *path;
	unsigned line;
	unsigned nr_allocs;
	size_t alloc_op[REPLAY_LINES_MAX];
};

static int wrong(const struct reading *x, const char *what, const char *right)
{
	zl_error_set(x->err, x->line, 0, "%s; %s", what, right);
	zl_error_file(x->err, x->path);
	return -EINVAL;
}

static void split(const struct zl_line *line, struct line_words *ret)
{
	size_t i = 0;

	ret->n = 0;
	while (i < line->len && line->s[i] != '#' && ret->n < WORDS) {
		size_t k = 0;

		if (line->s[i] == ' ' || line->s[i] == '\t') {
			i++;
			continue;
		}
		while (i + k < line->len && line->s[i + k] != ' ' && line->s[i + k] != '\t' &&
			line->s[i + k] != '#') {
			k++;
		}
		zl_clean_line(ret->word[ret->n++], WORD_SIZE, line->s + i, k);
		i += k;
	}
}

/* A bare number counts pages, one with a unit bytes; partial pages count whole. */
static bool pages_of(const struct reading *x, const char *word, uint64_t *ret)
{
	uint64_t bytes;

	if (zl_parse_u64(word, ret) == 0) {
		return true;
	}
	if (zl_parse_size(word, 1, &bytes) != 0) {
		return false;
	}
	*ret = bytes / x->r->page_size + (bytes % x->r->page_size != 0);
	return true;
}

static int op_pool(struct reading *x, const struct line_words *w)
{
	struct zl_cma_area *a = &x->r->area;
	uint64_t pages = 0;

	if (w->n != 2 || !pages_of(x, w->word[1], &pages) || pages == 0 ||
		pages > ZL_CMA_BITS_MAX || a->used != NULL) {
		return wrong(x, "no pool",
			"once, in front of all else: pool SIZE, at most 4194304 pages");
	}
	a->used = x->alloc->realloc(x->alloc->user, NULL, (size_t)pages);
	if (a->used == NULL) {
		zl_error_set(x->err, 0, 0, "no memory for the pool");
		return -ENOMEM;
	}
	memset(a->used, 0, (size_t)pages);
	a->pages = pages;
	return 0;
}

static int op_base(struct reading *x, const struct line_words *w)
{
	if (w->n != 2 || zl_parse_u64(w->word[1], &x->r->area.base_pfn) != 0) {
		return wrong(x, "no base", "base PFN, decimal or 0x");
	}
	return 0;
}

static int op_bits(struct reading *x, const struct line_words *w)
{
	uint64_t order = 0;

	if (w->n != 2 || zl_parse_u64(w->word[1], &order) != 0 || order > ORDER_PER_BIT_MAX ||
		x->r->nr_ops > 0) {
		return wrong(x, "no order_per_bit", "order_per_bit 0 to 20, before any alloc");
	}
	x->r->area.order_per_bit = (unsigned)order;
	return 0;
}

static int op_pin(struct reading *x, const struct line_words *w)
{
	struct zl_cma_area *a = &x->r->area;
	struct zl_cma_run pin = {.start = 0};

	if (w->n != 3 || !pages_of(x, w->word[1], &pin.start) ||
		!pages_of(x, w->word[2], &pin.pages) || pin.pages == 0 || pin.start >= a->pages ||
		pin.pages > a->pages - pin.start || a->nr_pins == ZL_CMA_PINS_MAX) {
		return wrong(x, "no pin in the pool", "pin START COUNT, at most 256 of them");
	}
	a->pin[a->nr_pins++] = pin;
	return 0;
}

static struct replay_op *op_add(struct reading *x)
{
	if (x->r->nr_ops == REPLAY_LINES_MAX) {
		(void)wrong(x, "the list is too long", "at most 256 allocations and frees");
		return NULL;
	}
	x->r->op[x->r->nr_ops] = (struct replay_op){.line = x->line};
	return &x->r->op[x->r->nr_ops++];
}

static int op_alloc(struct reading *x, const struct line_words *w)
{
	struct replay_op *op;
	uint64_t order = 0;
	uint64_t pages = 0;
	bool given = w->n == 4 && strcmp(w->word[2], "align") == 0;

	if ((w->n != 2 && !given) || !pages_of(x, w->word[1], &pages) || pages == 0 ||
		(given && (zl_parse_u64(w->word[3], &order) != 0 || order > ALIGN_ORDER_MAX))) {
		return wrong(x, "no allocation", "alloc SIZE, or alloc SIZE align ORDER");
	}
	op = op_add(x);
	if (op == NULL) {
		return -EINVAL;
	}
	op->alloc.pages = pages;
	op->alloc.align_order = given ? (unsigned)order : zl_cma_align_order(pages, ALIGN_CAP);
	x->alloc_op[x->nr_allocs++] = x->r->nr_ops - 1;
	op->number = x->nr_allocs;
	zl_cma_area_alloc(&x->r->area, &op->alloc);
	x->r->nr_failed += op->alloc.result != ZL_CMA_OK;
	return 0;
}

static int op_free(struct reading *x, const struct line_words *w)
{
	struct replay_op *op;
	struct zl_cma_alloc *victim;
	uint64_t number = 0;

	if (w->n != 2 || zl_parse_u64(w->word[1], &number) != 0 || number == 0 ||
		number > x->nr_allocs) {
		return wrong(x, "no such allocation", "free NUMBER, counted from 1");
	}
	op = op_add(x);
	if (op == NULL) {
		return -EINVAL;
	}
	op->free = true;
	op->number = (unsigned)number;
	victim = &x->r->op[x->alloc_op[number - 1]].alloc;
	for (size_t i = 0; i + 1 < x->r->nr_ops; i++) {
		if (x->r->op[i].free && x->r->op[i].number == op->number) {
			return wrong(x, "freed before", "each allocation is freed once");
		}
	}
	zl_cma_area_release(&x->r->area, victim);
	return 0;
}

static int one_line(struct reading *x, const struct line_words *w)
{
	static const struct {
		const char *name;
		int (*run)(struct reading *, const struct line_words *);
	} ops[] = {
		{"alloc",	  op_alloc},
		{"base",		 op_base },
		{"free",		 op_free },
		{"order_per_bit", op_bits },
		{"pin",		op_pin  },
		{"pool",		 op_pool },
	};

	if (w->n == 0) {
		return 0;
	}
	if (x->r->area.used == NULL && strcmp(w->word[0], "pool") != 0) {
		return wrong(x, "no pool yet", "the first line is: pool SIZE");
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(w->word[0], ops[i].name) == 0) {
			return ops[i].run(x, w);
		}
	}
	return wrong(x, "no such word", "pool, base, order_per_bit, pin, alloc or free");
}

static void count_free(struct replay *r)
{
	uint64_t bits = zl_cma_area_bits(r->area.pages, r->area.order_per_bit);
	uint64_t run = 0;

	for (uint64_t i = 0; i < bits; i++) {
		run = r->area.used[i] == 0 ? run + 1 : 0;
		r->free_pages += r->area.used[i] == 0;
		r->longest_run = run > r->longest_run ? run : r->longest_run;
	}
	r->free_pages <<= r->area.order_per_bit;
	r->longest_run <<= r->area.order_per_bit;
}

int replay_parse(const struct zl_file *f, uint64_t page_size, const struct zl_allocator *a,
	struct replay *ret, struct zl_error *err)
{
	struct reading x = {.r = ret, .alloc = a, .err = err, .path = f->name};
	struct zl_lines lines;
	struct zl_line line;
	struct line_words words;
	int e = 0;

	memset(ret, 0, sizeof(*ret));
	ret->page_size = page_size;
	zl_lines_init(&lines, f->data, f->size);
	while (e == 0 && zl_lines_next(&lines, &line)) {
		x.line = line.number;
		split(&line, &words);
		e = one_line(&x, &words);
	}
	if (e == 0 && ret->area.used == NULL) {
		e = wrong(&x, "an empty list", "the first line is: pool SIZE");
	}
	if (e == 0) {
		count_free(ret);
	}
	return e;
}

int replay_read(const char *path, uint64_t page_size, const struct zl_allocator *a,
	struct replay *ret, struct zl_error *err)
{
	struct zl_file f = {0};
	int e;

	memset(ret, 0, sizeof(*ret));
	e = zl_file_load(path, LIST_SIZE_MAX, a, &f, err);
	if (e == 0) {
		e = replay_parse(&f, page_size, a, ret, err);
	}
	zl_file_done(&f, a);
	return e;
}
