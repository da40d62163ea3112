/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Reserve screen's state: opening, planning again, figures and corrections by pool.
 */
#include "pools.h"

#include <errno.h>
#include <string.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

bool pools_is_refused(const struct zl_pool *p)
{
	return p->verdict == ZL_VERDICT_REFUSED || p->verdict == ZL_VERDICT_NO_ROOM;
}

size_t pools_focused(const struct app *app)
{
	size_t n = app->pools != NULL ? app->pools->r->report.nr_pools : 0;
	size_t row = app->row[POOLS_LIST];

	if (n == 0) {
		return POOLS_NONE;
	}
	return row < n ? row : n - 1;
}

size_t pools_panel_rows(const struct app *app, unsigned panel)
{
	if (panel == POOLS_LIST) {
		return app->pools->r->report.nr_pools;
	}
	return panel == POOLS_FIGURES && pools_focused(app) != POOLS_NONE ? 2 : 0;
}

unsigned pools_focused_id(const struct app *app)
{
	bool second = app->panel == POOLS_FIGURES && app->row[POOLS_FIGURES] > 0;

	if (pools_focused(app) == POOLS_NONE) {
		return VALUE_CMA_MIN_ALIGNMENT_BYTES;
	}
	if (app->panel == POOLS_FIGURES) {
		return second ? VALUE_RESERVE_WASTE : VALUE_CMA_MIN_ALIGNMENT_BYTES;
	}
	return app->pools->facts.there[VALUE_RESERVE_NEEDS - VALUE_RESERVE_ASKED]
		       ? VALUE_RESERVE_NEEDS
		       : VALUE_RESERVE_ASKED;
}

bool pools_stays_reserved(const struct reserve *r, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];

	return q->has_reg && q->size > 0 &&
	       zl_ranges_contain(&r->report.map.reserved, q->base, q->size) &&
	       !zl_ranges_contain(&r->map.reserved, q->base, q->size);
}

/* --- figures --- */

static void put(struct pool_facts *f, enum value_id id, bool there, uint64_t v)
{
	f->there[id - VALUE_RESERVE_ASKED] = there && v <= INT64_MAX;
	f->value[id - VALUE_RESERVE_ASKED] = there && v <= INT64_MAX ? (int64_t)v : 0;
}

void pools_refresh(struct app *app)
{
	const struct reserve *r = app->pools->r;
	const struct zl_reserve_report *report = &r->report;
	struct pool_facts *f = &app->pools->facts;
	size_t at = pools_focused(app);
	bool known = r->map.known;

	memset(f, 0, sizeof(*f));
	if (at != POOLS_NONE) {
		const struct zl_pool *p = &report->pool[at];
		const struct zl_request *q = &r->have.request[p->request];
		bool cma = p->class == ZL_POOL_CMA && q->size > 0;
		uint64_t bytes = 0;
		uint64_t base = 0;

		(void)reserve_required(r, p, &bytes, &base);
		f->fixed = q->has_reg;
		put(f, VALUE_RESERVE_ASKED, true, q->size);
		put(f, VALUE_RESERVE_NEEDS, cma, bytes);
		put(f, VALUE_RESERVE_WASTE, cma && bytes >= q->size, bytes - q->size);
		put(f, VALUE_RESERVE_BLOCKS, cma,
			(bytes + r->machine.geometry.pageblock_bytes - 1) /
				r->machine.geometry.pageblock_bytes);
	}
	put(f, VALUE_RESERVE_TOTAL_ASKED, true, report->requested);
	put(f, VALUE_RESERVE_TOTAL_GIVEN, true, report->given);
	put(f, VALUE_RESERVE_TOTAL_CORRECTED, true, r->corrected.given);
	put(f, VALUE_RESERVE_HOLE, known, report->hole.aligned_size);
	put(f, VALUE_RESERVE_BLOCKS_ALL, known, report->blocks);
	put(f, VALUE_RESERVE_BLOCKS_CMA, known, report->cma_blocks);
	put(f, VALUE_RESERVE_BLOCKS_LEFT, known, report->blocks_left);
	put(f, VALUE_RESERVE_BYTES_LEFT, known, report->bytes_left);
}

/* --- corrections --- */

static void add_line(struct pools *p, size_t pool, char sign, const char *s, size_t n)
{
	struct pools_line *l = &p->line[p->nr_lines];

	while (n > 0 && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	if (p->nr_lines == POOLS_LINES || n == 0) {
		return;
	}
	l->pool = pool;
	l->sign = sign;
	zl_clean_line(l->text, sizeof(l->text), s, n);
	p->nr_lines++;
}

/* Cuts a line to the statements that hold [first, last): from behind a `;` or `{` to a `;`. */
static void add_statement(struct pools *p, struct pools_line *l, size_t first, size_t last)
{
	const char *s = l->text;
	size_t n = strlen(s);
	size_t begin = first < n ? first : n;
	size_t end = last < n ? last : n;

	while (begin > 0 && s[begin - 1] != ';' && s[begin - 1] != '{') {
		begin--;
	}
	while (end < n && (end == 0 || s[end - 1] != ';')) {
		end++;
	}
	add_line(p, l->pool, l->sign, s + begin, end - begin);
}

/* A line and the one in its place, cut to what differs. */
static void add_pair(struct pools *p, struct pools_line *old, struct pools_line *new)
{
	size_t a = strlen(old->text);
	size_t b = strlen(new->text);
	size_t first = 0;
	size_t tail = 0;

	while (first < a && first < b && old->text[first] == new->text[first]) {
		first++;
	}
	while (tail < a - first && tail < b - first &&
		old->text[a - 1 - tail] == new->text[b - 1 - tail]) {
		tail++;
	}
	add_statement(p, old, first, a - tail);
	add_statement(p, new, first, b - tail);
}

/* The changed lines of a diff; a `-` line is followed by the `+` line in its place. */
static void take_diff(struct pools *p, size_t pool, const char *diff)
{
	struct pools_line old = {.pool = pool, .sign = '-'};
	struct pools_line new = {.pool = pool, .sign = '+'};
	bool hunk = false;

	while (*diff != '\0') {
		size_t n = strcspn(diff, "\n");

		hunk = (hunk && strncmp(diff, "--- a/", strlen("--- a/")) != 0) || *diff == '@';
		if (hunk && *diff == '-') {
			zl_clean_line(old.text, sizeof(old.text), diff + 1, n - 1);
		} else if (hunk && *diff == '+') {
			zl_clean_line(new.text, sizeof(new.text), diff + 1, n - 1);
			add_pair(p, &old, &new);
		}
		diff += n + (diff[n] == '\n');
	}
}

/* Room to correct one pool alone. */
struct one_fix {
	struct zl_request want[ZL_POOLS_MAX];
	struct zl_dts_fix fix;
};

static void correct_one(struct pools *p, size_t pool, struct one_fix *one)
{
	const struct reserve *r = p->r;
	size_t request = r->report.pool[pool].request;
	size_t before = p->nr_lines;
	char line[POOLS_LINE];

	memcpy(one->want, r->have.request, sizeof(one->want));
	one->want[request] = r->want[request];
	for (size_t i = 0; i < r->nr_files; i++) {
		struct zl_buf diff = {0};

		if (r->file[i].dts == NULL || r->file[i].dts->blob) {
			continue;
		}
		zl_dts_fix_collect(r->file[i].dts, &r->have, one->want, &one->fix);
		zl_dts_fix_numbers_only(&one->fix);
		zl_dts_fix_diff(r->file[i].dts, &one->fix, &diff);
		take_diff(p, pool, zl_buf_text(&diff));
		zl_buf_done(&diff);
	}
	if (p->nr_lines == before && reserve_rewrite(r, pool, line, sizeof(line)) > 0) {
		const struct zl_request *q = &r->have.request[request];

		if (q->kind == ZL_REQUEST_DEFAULT) {
			add_line(p, pool, '-', q->name, strlen(q->name));
		}
		add_line(p, pool, '+', line, strlen(line));
	}
}

static void fill_lines(struct app *app)
{
	struct pools *p = app->pools;
	const struct zl_reserve_report *report = &p->r->report;
	struct one_fix *one = app->alloc->realloc(app->alloc->user, NULL, sizeof(*one));

	p->nr_lines = 0;
	for (size_t i = 0; one != NULL && i < report->nr_pools; i++) {
		const struct zl_pool *pool = &report->pool[i];

		if (pool->class == ZL_POOL_CMA && pool->request < p->r->nr_planned &&
			(pool->verdict == ZL_VERDICT_REFUSED ||
				p->r->have.request[pool->request].edited)) {
			correct_one(p, i, one);
		}
	}
	app->alloc->free(app->alloc->user, one);
}

void pools_replan(struct app *app)
{
	reserve_again(app->pools->r);
	fill_lines(app);
	pools_refresh(app);
}

void pools_focus_request(struct app *app, size_t request)
{
	const struct zl_reserve_report *report = &app->pools->r->report;

	for (size_t i = 0; i < report->nr_pools; i++) {
		if (report->pool[i].request == request) {
			app->row[POOLS_LIST] = (unsigned)i;
		}
	}
	pools_refresh(app);
}

/* --- opening --- */

static void name_title(struct pools *p)
{
	const char *last = p->nr_paths > 0 ? strrchr(p->path[0], '/') : NULL;
	const char *name = p->nr_paths == 0 ? "this machine" : last != NULL ? last + 1 : p->path[0];
	char clean[48];

	zl_clean_line(clean, sizeof(clean), name, strlen(name));
	if (p->nr_paths > 1) {
		zl_format(p->title, sizeof(p->title), "%s + %u", clean, (unsigned)p->nr_paths - 1);
	} else {
		zl_format(p->title, sizeof(p->title), "%s", clean);
	}
}

static int read_all(
	struct app *app, const struct pools *p, struct reserve **ret, struct zl_error *err)
{
	const char *path[RESERVE_FILES_MAX];
	struct reserve_request q = {.path = path, .nr_paths = p->nr_paths, .of_lane = true};

	for (size_t i = 0; i < p->nr_paths; i++) {
		path[i] = p->path[i];
	}
	return reserve_new(app_lane_const(app), &q, app->alloc, ret, err);
}

static int fill_paths(struct pools *p, const char *const *path, size_t n, struct zl_error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (i == RESERVE_FILES_MAX || strlen(path[i]) >= POOLS_PATH) {
			zl_error_set(err, 0, 0,
				"too many files or too long a name; at most %d files and %d bytes",
				RESERVE_FILES_MAX, POOLS_PATH - 1);
			return -E2BIG;
		}
		zl_format(p->path[i], POOLS_PATH, "%s", path[i]);
		p->nr_paths++;
	}
	return 0;
}

static void focus_refused(struct app *app)
{
	const struct zl_reserve_report *report = &app->pools->r->report;
	unsigned *row = app->screen == SCREEN_RESERVE ? app->row : app->kept_row[SCREEN_RESERVE];

	row[POOLS_LIST] = 0;
	for (size_t i = report->nr_pools; i > 0; i--) {
		if (pools_is_refused(&report->pool[i - 1])) {
			row[POOLS_LIST] = (unsigned)i - 1;
		}
	}
}

int pools_open(struct app *app, const char *const *path, size_t n, struct zl_error *err)
{
	struct pools *p = app->alloc->realloc(app->alloc->user, NULL, sizeof(*p));
	int e;

	if (p == NULL) {
		zl_error_set(err, 0, 0, "no memory for these reservations");
		return -ENOMEM;
	}
	memset(p, 0, sizeof(*p));
	e = fill_paths(p, path, n, err);
	if (e == 0) {
		e = read_all(app, p, &p->r, err);
	}
	if (e != 0) {
		app->alloc->free(app->alloc->user, p);
		return e;
	}
	pools_free(app);
	app->pools = p;
	name_title(p);
	fill_lines(app);
	focus_refused(app);
	pools_refresh(app);
	return 0;
}

void pools_forget_edits(struct app *app)
{
	struct pools *p = app->pools;

	for (size_t i = 0; i < p->nr_edits; i++) {
		app->alloc->free(app->alloc->user, p->edit[i]);
	}
	p->nr_edits = 0;
	p->nr_done = 0;
}

void pools_free(struct app *app)
{
	if (app->pools == NULL) {
		return;
	}
	pools_forget_edits(app);
	reserve_free(app->pools->r);
	app->alloc->free(app->alloc->user, app->pools);
	app->pools = NULL;
}

void pools_machine_changed(struct app *app)
{
	struct pools *p = app->pools;
	struct reserve *r = NULL;
	struct zl_error err = {0};
	bool all = true;

	if (p == NULL) {
		return;
	}
	p->mode = POOLS_LOOK;
	if (read_all(app, p, &r, &err) != 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	reserve_free(p->r);
	p->r = r;
	for (size_t i = 0; i < p->nr_done && all; i++) {
		all = pools_apply(p, p->edit[i], false);
	}
	if (!all) {
		pools_forget_edits(app);
		reserve_free(p->r);
		p->r = NULL;
	}
	if (p->r == NULL && read_all(app, p, &p->r, &err) != 0) {
		/* Cannot be: it was read a moment ago. */
		app->alloc->free(app->alloc->user, p);
		app->pools = NULL;
		return;
	}
	if (!p->touched) {
		focus_refused(app);
	}
	pools_replan(app);
}
