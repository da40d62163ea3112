/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists: a line is `config KEY VALUE` or an op; '#' starts a comment. Checked while reading, so
 * that an error names its line and column before anything runs.
 */
#include "zonelab/workload.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "id_set.h"
#include "workload_keys.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/text.h"
#include "zonelab/tuning.h"

#define WORDS_MAX 6u
#define WORD_MAX  32u
#define OPS_START 1024u

struct word {
	char text[WORD_MAX];
	unsigned column;
};

struct parser {
	struct zl_workload *w;
	struct zl_error *err;
	const struct zl_allocator *mem;
	struct id_set ids;
	size_t cap;
	unsigned line;
	unsigned cpus; /* as `set cpus` has raised it */
	bool given[WORKLOAD_KEY_COUNT];
	bool titled;
	struct word word[WORDS_MAX];
	unsigned nr_words;
	unsigned end_column; /* where a missing word would stand */
};

static int fail(const struct parser *p, unsigned column, const char *fmt, const char *s)
{
	zl_error_set(p->err, p->line, column, fmt, s);
	return -EINVAL;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Splits a line at blanks up to a comment. */
static int split(struct parser *p, const struct zl_line *l)
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
		if (p->nr_words == WORDS_MAX) {
			return fail(p, (unsigned)start + 1, "too many words%s", "");
		}
		if (i - start >= WORD_MAX) {
			return fail(p, (unsigned)start + 1, "the word is too long%s", "");
		}
		struct word *w = &p->word[p->nr_words++];

		zl_clean_line(w->text, sizeof(w->text), l->s + start, i - start);
		w->column = (unsigned)start + 1;
	}
}

struct limits {
	const char *what;
	uint64_t lo, hi;
};

/* Reads word @i as a number within limits. */
static int number(const struct parser *p, unsigned i, const struct limits *l, uint64_t *ret)
{
	const struct word *w = &p->word[i];

	if (i >= p->nr_words) {
		return fail(p, p->end_column, "%s is missing; write a number", l->what);
	}
	if (zl_parse_u64(w->text, ret) != 0) {
		return fail(p, w->column, "'%s' is not a number", w->text);
	}
	if (*ret < l->lo || *ret > l->hi) {
		zl_error_set(p->err, p->line, w->column,
			"%s %s is out of range; %U to %U is possible", l->what, w->text, l->lo,
			l->hi);
		return -EINVAL;
	}
	return 0;
}

static int end_of_line(const struct parser *p, unsigned words)
{
	if (p->nr_words > words) {
		return fail(
			p, p->word[words].column, "'%s' is one word too many", p->word[words].text);
	}
	return 0;
}

static int parse_config(struct parser *p)
{
	unsigned k = 0;
	uint64_t v;
	int rc;

	if (p->w->nr_ops > 0) {
		return fail(p, 1, "config lines come before the first op%s", "");
	}
	if (p->nr_words < 2) {
		return fail(p, p->end_column, "the config key is missing%s", "");
	}
	while (k < WORKLOAD_KEY_COUNT && strcmp(workload_keys[k].name, p->word[1].text) != 0) {
		k++;
	}
	if (k == WORKLOAD_KEY_COUNT) {
		return fail(p, p->word[1].column, "'%s' is not a config key of an op list",
			p->word[1].text);
	}
	if (p->given[k]) {
		return fail(p, p->word[1].column, "%s is given twice", p->word[1].text);
	}
	const struct limits l = {workload_keys[k].name, workload_keys[k].lo, workload_keys[k].hi};

	rc = number(p, 2, &l, &v);
	if (rc == 0) {
		rc = end_of_line(p, 3);
	}
	if (rc == 0 && k == WORKLOAD_KEY_HIGH_FRACTION && v > 0 && v < ZL_HIGH_FRACTION_MIN) {
		rc = fail(p, p->word[2].column,
			"the kernel refuses high_fraction %s; 0 or at least 8", p->word[2].text);
	}
	if (rc == 0) {
		p->given[k] = true;
		workload_key_store(&p->w->config, (enum workload_key)k, v);
	}
	return rc;
}

/* The zone must be complete and possible before the first op. */
static int config_complete(struct parser *p)
{
	struct zl_sim_config c = p->w->config;

	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		if (!p->given[k] && !workload_keys[k].optional) {
			return fail(p, 1, "config %s is missing; it stands before the first op",
				workload_keys[k].name);
		}
	}
	/* Any design will do: what is left to check does not depend on it. */
	c.switches.design = ZL_DESIGN_A;
	if (zl_sim_config_check(&c, p->err) != 0) {
		if (p->err != NULL) {
			p->err->line = p->line;
			p->err->column = 1;
		}
		return -EINVAL;
	}
	p->cpus = c.cpus;
	return 0;
}

static int grow(struct parser *p)
{
	size_t cap = p->cap == 0 ? OPS_START : 2 * p->cap;
	void *ops, *lines;

	if (p->w->nr_ops < p->cap) {
		return 0;
	}
	ops = p->mem->realloc(p->mem->user, p->w->ops, cap * sizeof(*p->w->ops));
	if (ops == NULL) {
		return -ENOMEM;
	}
	p->w->ops = ops;
	lines = p->mem->realloc(p->mem->user, p->w->lines, cap * sizeof(*p->w->lines));
	if (lines == NULL) {
		return -ENOMEM;
	}
	p->w->lines = lines;
	p->cap = cap;
	return 0;
}

/* Marks ids as in use; @column is that of the first id's word. */
static int ids_use(struct parser *p, const struct zl_op *op, uint32_t n, unsigned column)
{
	if (op->id > ZL_OP_ID_MAX - (n - 1)) {
		return fail(p, column, "the ids go beyond 2147483647%s", "");
	}
	for (uint32_t i = 0; i < n; i++) {
		if (id_set_has(&p->ids, op->id + i)) {
			zl_error_set(p->err, p->line, column,
				"id %u is in use; free it first or take another", op->id + i);
			return -EINVAL;
		}
		if (id_set_add(&p->ids, op->id + i) != 0) {
			return -ENOMEM;
		}
	}
	return 0;
}

/* alloc ORDER MT ID, allocha ORDER MT ID, bulk N MT ID */
static int parse_alloc(struct parser *p, struct zl_op *op)
{
	const struct limits order = {"order", 0, p->w->config.max_order};
	const struct limits pages = {"the number of pages", 1, ZL_OP_BULK_MAX};
	const struct limits mt = {"migratetype", 0, ZL_MIGRATE_PCPTYPES - 1};
	const struct limits id = {"id", 0, ZL_OP_ID_MAX};
	bool bulk = op->kind == ZL_OP_BULK;
	uint64_t v[3];
	int rc = number(p, 1, bulk ? &pages : &order, &v[0]);

	if (rc == 0) {
		rc = number(p, 2, &mt, &v[1]);
	}
	if (rc == 0) {
		rc = number(p, 3, &id, &v[2]);
	}
	if (rc == 0) {
		rc = end_of_line(p, 4);
	}
	if (rc != 0) {
		return rc;
	}
	op->order = bulk ? 0 : (uint8_t)v[0];
	op->arg = bulk ? (uint32_t)v[0] : 0;
	op->mt = (uint8_t)v[1];
	op->id = (uint32_t)v[2];
	return ids_use(p, op, bulk ? op->arg : 1, p->word[3].column);
}

static int parse_free(struct parser *p, struct zl_op *op)
{
	const struct limits id = {"id", 0, ZL_OP_ID_MAX};
	uint64_t v;
	int rc = number(p, 1, &id, &v);

	if (rc == 0) {
		rc = end_of_line(p, 2);
	}
	if (rc == 0 && !id_set_has(&p->ids, (uint32_t)v)) {
		rc = fail(p, p->word[1].column, "id %s is not in use", p->word[1].text);
	}
	if (rc == 0) {
		op->id = (uint32_t)v;
		id_set_remove(&p->ids, op->id);
	}
	return rc;
}

static int parse_cpu(struct parser *p, struct zl_op *op)
{
	const struct limits cpu = {"cpu", 0, p->cpus - 1};
	uint64_t v;
	int rc = number(p, 1, &cpu, &v);

	op->arg = rc == 0 ? (uint32_t)v : 0;
	return rc != 0 ? rc : end_of_line(p, 2);
}

static int parse_set(struct parser *p, struct zl_op *op)
{
	struct limits l = {"", 0, INT_MAX};
	enum zl_sim_key key;
	uint64_t v;
	int rc;

	if (p->nr_words < 2) {
		return fail(p, p->end_column, "the key is missing; set KEY VALUE%s", "");
	}
	key = zl_sim_key_find(p->word[1].text);
	if (key == ZL_SIM_KEY_COUNT) {
		return fail(p, p->word[1].column, "'%s' cannot be set while a zone lives",
			p->word[1].text);
	}
	if (key > ZL_SIM_CACHE_SLICE_KIB) {
		return fail(p, p->word[1].column, "'%s' needs a list of format 2", p->word[1].text);
	}
	l.what = zl_sim_key_name(key);
	if (key == ZL_SIM_BELOW_HIGH || key == ZL_SIM_RECLAIM) {
		l.hi = 1;
	} else if (key == ZL_SIM_CPUS) {
		l.lo = p->cpus;
		l.hi = ZL_SIM_CPUS_MAX;
	}
	rc = number(p, 2, &l, &v);
	if (rc == 0) {
		rc = end_of_line(p, 3);
	}
	if (rc == 0 && key == ZL_SIM_HIGH_FRACTION && v > 0 && v < ZL_HIGH_FRACTION_MIN) {
		rc = fail(p, p->word[2].column,
			"the kernel refuses high_fraction %s; 0 or at least 8", p->word[2].text);
	}
	if (rc == 0) {
		op->key = (uint8_t)key;
		op->arg = (uint32_t)v;
		p->cpus = key == ZL_SIM_CPUS ? (unsigned)v : p->cpus;
	}
	return rc;
}

static int parse_op(struct parser *p)
{
	struct zl_op op = {0};
	enum zl_op_kind kind = zl_op_kind_find(p->word[0].text);
	int rc = 0;

	if (kind == ZL_OP_KIND_COUNT) {
		return fail(
			p, p->word[0].column, "'%s' is neither an op nor config", p->word[0].text);
	}
	if (kind > ZL_OP_SET) {
		return fail(p, p->word[0].column, "'%s' needs a list of format 2", p->word[0].text);
	}
	if (p->w->nr_ops == 0) {
		rc = config_complete(p);
	}
	if (rc == 0 && p->w->nr_ops >= ZL_WORKLOAD_OPS_MAX) {
		rc = fail(p, 1, "more than 50 000 000 ops%s; split the list", "");
	}
	if (rc == 0) {
		rc = grow(p);
	}
	if (rc != 0) {
		return rc;
	}
	op.kind = (uint8_t)kind;
	if (kind == ZL_OP_ALLOC || kind == ZL_OP_ALLOCHA || kind == ZL_OP_BULK) {
		rc = parse_alloc(p, &op);
	} else if (kind == ZL_OP_FREE) {
		rc = parse_free(p, &op);
	} else if (kind == ZL_OP_CPU) {
		rc = parse_cpu(p, &op);
	} else if (kind == ZL_OP_SET) {
		rc = parse_set(p, &op);
	} else {
		rc = end_of_line(p, 1);
	}
	if (rc == 0) {
		p->w->ops[p->w->nr_ops] = op;
		p->w->lines[p->w->nr_ops++] = p->line;
	}
	return rc;
}

/* "# NAME: what it is" at the top names the list. */
static void take_title(struct parser *p, const struct zl_line *l)
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

static int parse_line(struct parser *p, const struct zl_line *l)
{
	int rc;

	p->line = l->number;
	take_title(p, l);
	rc = split(p, l);
	if (rc != 0 || p->nr_words == 0) {
		return rc;
	}
	if (strcmp(p->word[0].text, "config") == 0) {
		return parse_config(p);
	}
	if (strcmp(p->word[0].text, "format") == 0) {
		return fail(p, p->word[0].column,
			"lists with several zones (format 2) are not read%s", "");
	}
	return parse_op(p);
}

int zl_workload_parse(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_workload *ret, struct zl_error *err)
{
	struct parser p = {.w = ret, .err = err, .mem = mem, .ids = {.mem = mem}};
	struct zl_lines lines;
	struct zl_line l;
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	ret->mem = mem;
	zl_sim_config_init(&ret->config);
	zl_lines_init(&lines, data, size);
	while (rc == 0 && zl_lines_next(&lines, &l)) {
		rc = parse_line(&p, &l);
	}
	p.line++;
	if (rc == 0 && ret->nr_ops == 0) {
		rc = config_complete(&p);
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

void zl_workload_done(struct zl_workload *w)
{
	if (w->mem == NULL) {
		return;
	}
	w->mem->free(w->mem->user, w->ops);
	w->mem->free(w->mem->user, w->lines);
	w->ops = NULL;
	w->lines = NULL;
	w->nr_ops = 0;
}

bool zl_workload_probe(const char *data, size_t size)
{
	struct parser p = {0};
	struct zl_lines lines;
	struct zl_line l;

	zl_lines_init(&lines, data, size);
	while (zl_lines_next(&lines, &l)) {
		if (split(&p, &l) != 0) {
			return false;
		}
		if (p.nr_words == 0) {
			continue;
		}
		if (strcmp(p.word[0].text, "config") != 0) {
			return zl_op_kind_find(p.word[0].text) != ZL_OP_KIND_COUNT;
		}
		for (unsigned k = 0; p.nr_words > 1 && k < WORKLOAD_KEY_COUNT; k++) {
			if (strcmp(workload_keys[k].name, p.word[1].text) == 0) {
				return true;
			}
		}
		return false;
	}
	return false;
}

void zl_workload_write(const struct zl_workload *w, struct zl_buf *ret)
{
	char line[WORD_MAX * 4];

	if (w->title[0] != '\0') {
		zl_buf_fmt(ret, "# %s\n", w->title);
	}
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		uint64_t v = workload_key_fetch(&w->config, (enum workload_key)k);

		if (!workload_key_wanted(&w->config, (enum workload_key)k)) {
			continue;
		}
		zl_buf_fmt(ret, "config %s %U\n", workload_keys[k].name, v);
	}
	for (size_t i = 0; i < w->nr_ops; i++) {
		zl_op_format(&w->ops[i], line, sizeof(line));
		zl_buf_str(ret, line);
		zl_buf_chr(ret, '\n');
	}
}
