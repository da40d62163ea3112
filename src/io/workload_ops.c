/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Op lists: the ops. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "workload_parse.h"
#include "zonelab/text.h"
#include "zonelab/tuning.h"

#define OPS_START 1024u

static int grow(struct workload_parser *p)
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

/* Times are kept from the first line on that states one. */
static int keep_time(struct workload_parser *p)
{
	struct zl_workload *w = p->w;

	if (w->t_ns == NULL && p->t_ns == 0) {
		return 0;
	}
	if (w->nr_ops >= p->cap_times || w->t_ns == NULL) {
		void *t = p->mem->realloc(p->mem->user, w->t_ns, p->cap * sizeof(*w->t_ns));

		if (t == NULL) {
			return -ENOMEM;
		}
		if (w->t_ns == NULL) {
			memset(t, 0, p->cap * sizeof(*w->t_ns));
		}
		w->t_ns = t;
		p->cap_times = p->cap;
	}
	w->t_ns[w->nr_ops] = p->t_ns;
	return 0;
}

/* Marks ids as in use; @column is that of the first id's word. */
static int ids_use(struct workload_parser *p, const struct zl_op *op, uint32_t n, unsigned column)
{
	if (op->id > ZL_OP_ID_MAX - (n - 1)) {
		return workload_fail(p, column, "the ids go beyond 2147483647%s", "");
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
static int parse_alloc(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits order = {"order", 0, p->w->config.max_order};
	const struct workload_limits pages = {"the number of pages", 1, ZL_OP_BULK_MAX};
	const struct workload_limits mt = {"migratetype", 0, ZL_MIGRATE_PCPTYPES - 1};
	const struct workload_limits id = {"id", 0, ZL_OP_ID_MAX};
	bool bulk = op->kind == ZL_OP_BULK;
	uint64_t v[3];
	int rc = workload_number(p, 1, bulk ? &pages : &order, &v[0]);

	if (rc == 0) {
		rc = workload_number(p, 2, &mt, &v[1]);
	}
	if (rc == 0) {
		rc = workload_number(p, 3, &id, &v[2]);
	}
	if (rc == 0) {
		rc = workload_end_of_line(p, 4);
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

static int parse_free(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits id = {"id", 0, ZL_OP_ID_MAX};
	uint64_t v;
	int rc = workload_number(p, 1, &id, &v);

	if (rc == 0) {
		rc = workload_end_of_line(p, 2);
	}
	if (rc == 0 && !id_set_has(&p->ids, (uint32_t)v)) {
		rc = workload_fail(p, p->word[1].column, "id %s is not in use", p->word[1].text);
	}
	if (rc == 0) {
		op->id = (uint32_t)v;
		id_set_remove(&p->ids, op->id);
	}
	return rc;
}

static int parse_cpu(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits cpu = {"cpu", 0, p->cpus - 1};
	uint64_t v;
	int rc = workload_number(p, 1, &cpu, &v);

	op->arg = rc == 0 ? (uint32_t)v : 0;
	return rc != 0 ? rc : workload_end_of_line(p, 2);
}

/* What a key of `set` may be. */
static int set_limits(struct workload_parser *p, enum zl_sim_key key, struct workload_limits *ret)
{
	bool several = p->w->several;
	const char *name = p->word[1].text;

	ret->what = zl_sim_key_name(key);
	if (key > ZL_SIM_CACHE_SLICE_KIB && p->w->format < 2) {
		return workload_fail(p, p->word[1].column, "'%s' needs a list of format 2", name);
	}
	if (key >= ZL_SIM_MIN_FREE_KBYTES && !several) {
		return workload_fail(
			p, p->word[1].column, "'%s' is about a machine of several zones", name);
	}
	if ((key == ZL_SIM_CPUS || key == ZL_SIM_LIMIT_CPUS) && several) {
		return workload_fail(p, p->word[1].column,
			"%s is fixed with several zones; offline and online change what runs",
			name);
	}
	if (key == ZL_SIM_BELOW_HIGH || key == ZL_SIM_RECLAIM || key == ZL_SIM_PCP_DISABLED) {
		ret->hi = 1;
	} else if (key == ZL_SIM_CPUS) {
		ret->lo = p->cpus;
		ret->hi = ZL_SIM_CPUS_MAX;
	} else if (key == ZL_SIM_LIMIT_CPUS) {
		ret->hi = ZL_SIM_CPUS_MAX;
	} else if (key == ZL_SIM_SCALE_FACTOR) {
		ret->lo = 1;
		ret->hi = ZL_SCALE_FACTOR_MAX;
	}
	return 0;
}

static int parse_set(struct workload_parser *p, struct zl_op *op)
{
	struct workload_limits l = {"", 0, INT_MAX};
	enum zl_sim_key key;
	uint64_t v;
	int rc;

	if (p->nr_words < 2) {
		return workload_fail(p, p->end_column, "the key is missing; set KEY VALUE%s", "");
	}
	key = zl_sim_key_find(p->word[1].text);
	if (key == ZL_SIM_KEY_COUNT) {
		return workload_fail(p, p->word[1].column, "'%s' cannot be set while a zone lives",
			p->word[1].text);
	}
	rc = set_limits(p, key, &l);
	rc = rc != 0 ? rc : workload_number(p, 2, &l, &v);
	if (rc == 0) {
		rc = workload_end_of_line(p, 3);
	}
	if (rc == 0 && key == ZL_SIM_HIGH_FRACTION && v > 0 && v < ZL_HIGH_FRACTION_MIN) {
		rc = workload_fail(p, p->word[2].column,
			"the kernel refuses high_fraction %s; 0 or at least 8", p->word[2].text);
	}
	if (rc == 0) {
		op->key = (uint8_t)key;
		op->arg = (uint32_t)v;
		p->cpus = key == ZL_SIM_CPUS ? (unsigned)v : p->cpus;
	}
	return rc;
}

/* cma_alloc PAGES ALIGN ID */
static int parse_cma_alloc(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits pages = {"the number of pages", 1, ZL_SIM_PAGES_MAX};
	const struct workload_limits align = {"the alignment's order", 0, ZL_MAX_ORDER_LIMIT};
	const struct workload_limits id = {"id", 0, ZL_OP_ID_MAX};
	uint64_t v[3];
	int rc = workload_number(p, 1, &pages, &v[0]);

	rc = rc != 0 ? rc : workload_number(p, 2, &align, &v[1]);
	rc = rc != 0 ? rc : workload_number(p, 3, &id, &v[2]);
	rc = rc != 0 ? rc : workload_end_of_line(p, 4);
	if (rc != 0) {
		return rc;
	}
	op->arg = (uint32_t)v[0];
	op->order = (uint8_t)v[1];
	op->id = (uint32_t)v[2];
	return ids_use(p, op, 1, p->word[3].column);
}

/* pin ID, unpin ID */
static int parse_pin(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits id = {"id", 0, ZL_OP_ID_MAX};
	uint64_t v;
	int rc = workload_number(p, 1, &id, &v);

	rc = rc != 0 ? rc : workload_end_of_line(p, 2);
	if (rc == 0 && !id_set_has(&p->ids, (uint32_t)v)) {
		rc = workload_fail(p, p->word[1].column, "id %s is not in use", p->word[1].text);
	}
	op->id = rc == 0 ? (uint32_t)v : 0;
	return rc;
}

/* node N, node local, zone NAME, zone any, reclaim PAGES */
static int parse_where(struct workload_parser *p, struct zl_op *op)
{
	const struct workload_limits node = {"node", 0, ZL_SYSTEM_NODES_MAX - 1};
	const struct workload_limits pages = {"the number of pages", 0, ZL_OP_BULK_MAX};
	const char *word = p->nr_words > 1 ? p->word[1].text : "";
	enum zl_zone_type type = zl_zone_type_find(word);
	uint64_t v = 0;
	int rc = 0;

	if (!p->w->several) {
		return workload_fail(p, p->word[0].column,
			"'%s' needs several zones; write config zone NODE NAME", p->word[0].text);
	}
	if (op->kind == ZL_OP_ZONE) {
		op->key = strcmp(word, "any") == 0 ? ZL_OP_ANY_ZONE : (uint8_t)type;
		if (op->key != ZL_OP_ANY_ZONE && type >= ZL_ZONE_DEVICE) {
			return workload_fail(p, p->nr_words > 1 ? p->word[1].column : p->end_column,
				"'%s' is no zone; DMA, DMA32, Normal, HighMem, Movable or any",
				word);
		}
		return workload_end_of_line(p, 2);
	}
	if (op->kind == ZL_OP_NODE && strcmp(word, "local") == 0) {
		op->arg = ZL_OP_LOCAL;
		return workload_end_of_line(p, 2);
	}
	rc = workload_number(p, 1, op->kind == ZL_OP_NODE ? &node : &pages, &v);
	op->arg = (uint32_t)v;
	return rc != 0 ? rc : workload_end_of_line(p, 2);
}

/* Ops of format 2. */
static int parse_later(struct workload_parser *p, struct zl_op *op)
{
	switch ((unsigned)op->kind) {
	case ZL_OP_CMA_ALLOC:
		return parse_cma_alloc(p, op);
	case ZL_OP_CMA_RELEASE:
		return parse_free(p, op);
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return parse_pin(p, op);
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
		return parse_cpu(p, op);
	case ZL_OP_NODE:
	case ZL_OP_ZONE:
	case ZL_OP_RECLAIM:
		return parse_where(p, op);
	default:
		return workload_fail(
			p, p->word[0].column, "'%s' is neither an op nor config", p->word[0].text);
	}
}

/* "@NS" in front of an op: when it happens. */
static int take_time(struct workload_parser *p)
{
	uint64_t t;

	if (p->word[0].text[0] != '@') {
		return 0;
	}
	if (p->w->format < 2 || zl_parse_u64(p->word[0].text + 1, &t) != 0 || p->nr_words < 2) {
		return workload_fail(p, p->word[0].column,
			"'%s' is no time; format 2 has @NANOSECONDS in front of an op",
			p->word[0].text);
	}
	p->t_ns = t;
	p->nr_words--;
	memmove(p->word, p->word + 1, p->nr_words * sizeof(p->word[0]));
	return 0;
}

static int parse_words(struct workload_parser *p, struct zl_op *op)
{
	switch ((unsigned)op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
	case ZL_OP_BULK:
		return parse_alloc(p, op);
	case ZL_OP_FREE:
		return parse_free(p, op);
	case ZL_OP_CPU:
		return parse_cpu(p, op);
	case ZL_OP_SET:
		return parse_set(p, op);
	case ZL_OP_TICK:
	case ZL_OP_DRAIN:
	case ZL_OP_DRAINALL:
	case ZL_OP_DRAINZONE:
		return workload_end_of_line(p, 1);
	default:
		return parse_later(p, op);
	}
}

int workload_op(struct workload_parser *p)
{
	struct zl_op op = {0};
	enum zl_op_kind kind;
	int rc = take_time(p);

	if (rc != 0) {
		return rc;
	}
	kind = zl_op_kind_find(p->word[0].text);
	if (kind == ZL_OP_KIND_COUNT) {
		return workload_fail(
			p, p->word[0].column, "'%s' is neither an op nor config", p->word[0].text);
	}
	if (kind > ZL_OP_SET && p->w->format < 2) {
		return workload_fail(
			p, p->word[0].column, "'%s' needs a list of format 2", p->word[0].text);
	}
	if (p->w->nr_ops == 0) {
		rc = workload_config_complete(p);
	}
	if (rc == 0 && p->w->nr_ops >= ZL_WORKLOAD_OPS_MAX) {
		rc = workload_fail(p, 1, "more than 50 000 000 ops%s; split the list", "");
	}
	if (rc == 0) {
		rc = grow(p);
	}
	rc = rc != 0 ? rc : keep_time(p);
	if (rc != 0) {
		return rc;
	}
	op.kind = (uint8_t)kind;
	rc = parse_words(p, &op);
	if (rc == 0) {
		p->w->ops[p->w->nr_ops] = op;
		p->w->lines[p->w->nr_ops++] = p->line;
	}
	return rc;
}
