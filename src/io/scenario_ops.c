/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explicit ops: lines as an op list (.workload) writes them, in a JSON list. */
#include <string.h>

#include "scenario_read.h"
#include "zonelab/text.h"
#include "zonelab/tuning.h"

#define WORDS_MAX 4
#define WORD_MAX  24

struct line {
	char word[WORDS_MAX + 1][WORD_MAX];
	size_t count;
};

static int split(struct reading *r, const struct zl_json *j, struct line *ret)
{
	const char *p = zl_json_text(j);

	ret->count = 0;
	if (p == NULL) {
		return reading_fail(r, j,
			"%s; an op is a text such as \"alloc 3 0 17\" or \"free 17\"",
			zl_json_kind_name(zl_json_kind(j)));
	}
	for (;;) {
		size_t len;

		p += strspn(p, " \t");
		len = strcspn(p, " \t");
		if (len == 0) {
			break;
		}
		if (ret->count == WORDS_MAX || len >= WORD_MAX) {
			return reading_fail(r, j, "too many or too long words for an op");
		}
		memcpy(ret->word[ret->count], p, len);
		ret->word[ret->count++][len] = '\0';
		p += len;
	}
	return ret->count > 0 ? 0 : reading_fail(r, j, "an empty op");
}

static int number(
	struct reading *r, const struct zl_json *j, const char *word, uint64_t hi, uint64_t *ret)
{
	if (zl_parse_u64(word, ret) != 0) {
		return reading_fail(r, j, "'%s' is not a number", word);
	}
	if (*ret > hi) {
		return reading_fail(r, j, "%s is out of range; 0 to %U is possible", word, hi);
	}
	return 0;
}

static int words_wanted(struct reading *r, const struct zl_json *j, const struct line *l, size_t n)
{
	static const char *const forms[] = {
		[ZL_OP_CPU] = "cpu N",
		[ZL_OP_ALLOC] = "alloc ORDER TYPE ID",
		[ZL_OP_ALLOCHA] = "allocha ORDER TYPE ID",
		[ZL_OP_FREE] = "free ID",
		[ZL_OP_BULK] = "bulk PAGES TYPE ID",
		[ZL_OP_SET] = "set KEY VALUE",
		[ZL_OP_CMA_ALLOC] = "cma_alloc PAGES ALIGN ID",
		[ZL_OP_CMA_RELEASE] = "cma_release ID",
		[ZL_OP_PIN] = "pin ID",
		[ZL_OP_UNPIN] = "unpin ID",
		[ZL_OP_OFFLINE] = "offline CPU",
		[ZL_OP_ONLINE] = "online CPU",
		[ZL_OP_NODE] = "node N or node local",
		[ZL_OP_ZONE] = "zone NAME or zone any",
		[ZL_OP_RECLAIM] = "reclaim PAGES",
	};
	enum zl_op_kind kind = zl_op_kind_find(l->word[0]);
	bool known = kind < sizeof(forms) / sizeof(forms[0]) && forms[kind] != NULL;

	return l->count == n ? 0 : reading_fail(r, j, "write %s", known ? forms[kind] : l->word[0]);
}

static int read_alloc(
	struct reading *r, const struct zl_json *j, const struct line *l, struct zl_op *op)
{
	bool bulk = op->kind == ZL_OP_BULK;
	uint64_t v[3] = {0};
	int rc = words_wanted(r, j, l, 4);

	rc = rc != 0 ? rc
		     : number(r, j, l->word[1], bulk ? ZL_OP_BULK_MAX : ZL_MAX_ORDER_LIMIT, &v[0]);
	rc = rc != 0 ? rc : number(r, j, l->word[2], ZL_MIGRATE_PCPTYPES - 1, &v[1]);
	rc = rc != 0 ? rc : number(r, j, l->word[3], ZL_SCENARIO_EXPLICIT_MAX, &v[2]);
	if (rc == 0 && bulk && (v[0] == 0 || v[2] + v[0] > ZL_SCENARIO_EXPLICIT_MAX)) {
		rc = reading_fail(r, j, "a bulk op takes 1 page or more, ids up to %d",
			ZL_SCENARIO_EXPLICIT_MAX);
	}
	op->order = bulk ? 0 : (uint8_t)v[0];
	op->arg = bulk ? (uint32_t)v[0] : 0;
	op->mt = (uint8_t)v[1];
	op->id = (uint32_t)v[2];
	uint32_t last = op->id + (bulk ? op->arg - 1 : 0);
	if (rc == 0 && last > r->s->explicit_id_max) {
		r->s->explicit_id_max = last;
	}
	return rc;
}

static int read_set(
	struct reading *r, const struct zl_json *j, const struct line *l, struct zl_op *op)
{
	uint64_t v = 0;
	int rc = words_wanted(r, j, l, 3);
	enum zl_sim_key key = rc == 0 ? zl_sim_key_find(l->word[1]) : ZL_SIM_KEY_COUNT;

	if (rc == 0 && key == ZL_SIM_KEY_COUNT) {
		rc = reading_fail(r, j, "'%s' cannot be set while a zone lives", l->word[1]);
	}
	rc = rc != 0 ? rc : number(r, j, l->word[2], INT32_MAX, &v);
	op->key = (uint8_t)key;
	op->arg = (uint32_t)v;
	return rc;
}

/* Ops on an id that was named before. */
static int read_id(
	struct reading *r, const struct zl_json *j, const struct line *l, struct zl_op *op)
{
	uint64_t v = 0;
	int rc = words_wanted(r, j, l, 2);

	rc = rc != 0 ? rc : number(r, j, l->word[1], ZL_SCENARIO_EXPLICIT_MAX, &v);
	op->id = (uint32_t)v;
	if (rc == 0 && op->id > r->s->explicit_id_max) {
		r->s->explicit_id_max = op->id;
	}
	return rc;
}

static int read_cma_alloc(
	struct reading *r, const struct zl_json *j, const struct line *l, struct zl_op *op)
{
	struct line id = *l;
	uint64_t pages = 0, align = 0;
	int rc = words_wanted(r, j, l, 4);

	rc = rc != 0 ? rc : number(r, j, l->word[1], INT32_MAX, &pages);
	rc = rc != 0 ? rc : number(r, j, l->word[2], ZL_MAX_ORDER_LIMIT, &align);
	op->arg = (uint32_t)pages;
	op->order = (uint8_t)align;
	memcpy(id.word[1], l->word[3], sizeof(id.word[1]));
	id.count = 2;
	return rc != 0 ? rc : read_id(r, j, &id, op);
}

/* Ops of one number, or of a word in its place. */
static int read_later(
	struct reading *r, const struct zl_json *j, const struct line *l, struct zl_op *op)
{
	enum zl_zone_type type = zl_zone_type_find(l->word[1]);
	uint64_t v = 0;
	int rc = words_wanted(r, j, l, 2);

	if (rc == 0 && op->kind == ZL_OP_ZONE) {
		op->key = strcmp(l->word[1], "any") == 0 ? ZL_OP_ANY_ZONE : (uint8_t)type;
		return op->key == ZL_OP_ANY_ZONE || type < ZL_ZONE_DEVICE
			       ? 0
			       : reading_fail(r, j, "'%s' is no zone", l->word[1]);
	}
	if (rc == 0 && op->kind == ZL_OP_NODE && strcmp(l->word[1], "local") == 0) {
		op->arg = ZL_OP_LOCAL;
		return 0;
	}
	rc = rc != 0 ? rc : number(r, j, l->word[1], ZL_OP_BULK_MAX, &v);
	op->arg = (uint32_t)v;
	return rc;
}

static int read_op(struct reading *r, const struct zl_json *j, bool cpus, struct zl_op *op)
{
	struct line l;
	uint64_t v = 0;
	int rc = split(r, j, &l);

	if (rc != 0) {
		return rc;
	}
	memset(op, 0, sizeof(*op));
	enum zl_op_kind kind = zl_op_kind_find(l.word[0]);
	op->kind = (uint8_t)kind;
	switch ((unsigned)kind) {
	case ZL_OP_CPU:
		if (!cpus) {
			return reading_fail(r, j, "cpu N stands only in the ops of a phase");
		}
		rc = words_wanted(r, j, &l, 2);
		rc = rc != 0 ? rc : number(r, j, l.word[1], ZL_SCENARIO_CPUS_MAX - 1, &v);
		op->arg = (uint32_t)v;
		return rc;
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
	case ZL_OP_BULK:
		return read_alloc(r, j, &l, op);
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return read_id(r, j, &l, op);
	case ZL_OP_CMA_ALLOC:
		return read_cma_alloc(r, j, &l, op);
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
	case ZL_OP_NODE:
	case ZL_OP_ZONE:
	case ZL_OP_RECLAIM:
		return read_later(r, j, &l, op);
	case ZL_OP_SET:
		return read_set(r, j, &l, op);
	case ZL_OP_TICK:
	case ZL_OP_DRAIN:
	case ZL_OP_DRAINALL:
	case ZL_OP_DRAINZONE:
		return words_wanted(r, j, &l, 1);
	default:
		break;
	}
	return reading_fail(r, j,
		"'%s' is no op; alloc allocha free bulk tick drain drainall drainzone set "
		"cma_alloc "
		"cma_release pin unpin offline online node zone reclaim",
		l.word[0]);
}

int reading_ops(struct reading *r, const struct zl_json *j, bool cpus, uint32_t *ret_step)
{
	struct zl_scenario *s = r->s;
	struct reading_array_of ops = {
		(void **)&s->explicit_op, &s->nr_explicit, sizeof(*s->explicit_op)};
	uint32_t nr_places = s->nr_explicit;
	struct reading_array_of places = {
		(void **)&s->explicit_place, &nr_places, sizeof(*s->explicit_place)};
	struct reading_array_of steps = {(void **)&s->step, &s->nr_steps, sizeof(*s->step)};
	struct json_place at = json_place(&r->places, j);
	struct zl_step step = {
		.kind = ZL_STEP_OPS,
		.value = ZL_NONE,
		.count = ZL_NONE,
		.work = ZL_NONE,
		.first = s->nr_explicit,
		.next = ZL_NONE,
		.place = {at.line, at.column}
	     };
	int rc = reading_array(r, j);

	for (const struct zl_json *c = zl_json_first(j); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		size_t mark = reading_index(r, step.nr);
		struct json_place op_at = json_place(&r->places, c);
		struct zl_place place = {op_at.line, op_at.column};
		struct zl_op op;
		uint32_t index;

		rc = read_op(r, c, cpus, &op);
		rc = rc != 0 ? rc : reading_push(r, places, &place, &index);
		rc = rc != 0 ? rc : reading_push(r, ops, &op, &index);
		step.nr++;
		reading_up(r, mark);
	}
	if (rc == 0 && step.nr == 0) {
		rc = reading_fail(r, j, "an empty list; at least one op");
	}
	return rc != 0 ? rc : reading_push(r, steps, &step, ret_step);
}
