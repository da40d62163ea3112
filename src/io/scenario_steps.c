/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of programs. One table says which key makes a step and what may stand beside it. */
#include <string.h>

#include "scenario_read.h"
#include "zonelab/text.h"

#define WEIGHT_MAX 1000000

struct chain {
	uint32_t first, last; /* steps, ZL_NONE = none yet */
};

static int push_step(
	struct reading *r, const struct zl_json *j, struct zl_step *step, struct chain *chain)
{
	struct json_place at = json_place(&r->places, j);
	struct reading_array_of steps = {
		(void **)&r->s->step, &r->s->nr_steps, sizeof(*r->s->step)};
	uint32_t index;

	step->next = ZL_NONE;
	step->place = (struct zl_place){at.line, at.column};
	int rc = reading_push(r, steps, step, &index);
	if (rc != 0) {
		return rc;
	}
	if (chain->first == ZL_NONE) {
		chain->first = index;
	} else {
		r->s->step[chain->last].next = index;
	}
	chain->last = index;
	return 0;
}

static void step_init(struct zl_step *step, enum zl_step_kind kind)
{
	memset(step, 0, sizeof(*step));
	step->kind = (uint8_t)kind;
	step->value = ZL_NONE;
	step->count = ZL_NONE;
	step->work = ZL_NONE;
	step->first = ZL_NONE;
	step->align = ZL_NONE;
}

/* A store by name. */
static int read_store(
	struct reading *r, const struct zl_json *object, const char *key, uint16_t *ret)
{
	const struct zl_json *j = zl_json_member(object, key);
	const char *words[ZL_SCENARIO_STORES_MAX + 1];
	const char *name = zl_json_text(j);
	uint32_t i;

	*ret = 0;
	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	for (i = 0; i < r->s->nr_stores; i++) {
		words[i] = r->s->store[i].name;
	}
	words[i] = NULL;
	for (i = 0; name != NULL && i < r->s->nr_stores; i++) {
		if (strcmp(words[i], name) == 0) {
			*ret = (uint16_t)i;
			reading_up(r, mark);
			return 0;
		}
	}
	const char *near = name != NULL ? reading_nearest(name, words) : NULL;
	int rc =
		reading_fail(r, j, "there is no pool or queue '%s'; %s%s", name != NULL ? name : "",
			near != NULL ? "did you mean "
				     : "declare it in pools or "
				       "queues",
			near != NULL ? near : "");
	reading_up(r, mark);
	return rc;
}

/* One of some words; keeps 0 when there is no such member. */
static int read_word(
	struct reading *r, const struct zl_json *j, const char *const *words, uint8_t *ret)
{
	const char *word = zl_json_text(j);
	char list[100];
	struct zl_text t;

	zl_text_init(&t, list, sizeof(list));
	for (uint8_t i = 0; words[i] != NULL; i++) {
		if (word != NULL && strcmp(words[i], word) == 0) {
			*ret = i;
			return 0;
		}
		zl_text_fmt(&t, "%s%s", i > 0 ? ", " : "", words[i]);
	}
	return reading_fail(
		r, j, "'%s' is not known here; one of %s", word != NULL ? word : "", list);
}

static int read_word_member(struct reading *r, const struct zl_json *object, const char *key,
	const char *const *words, uint8_t *ret)
{
	const struct zl_json *j = zl_json_member(object, key);

	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	int rc = read_word(r, j, words, ret);
	reading_up(r, mark);
	return rc;
}

static const char *const type_words[] = {"unmovable", "movable", "reclaimable", NULL};
static const char *const pick_words[] = {"oldest", "newest", "random", NULL};
static const char *const drain_words[] = {"cpu", "all", "zone", NULL};

/* Whether a value is the one word that stands for no number. */
static bool is_word(const struct zl_json *j, const char *word)
{
	return zl_json_text(j) != NULL && strcmp(zl_json_text(j), word) == 0;
}

static int read_alloc(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	bool bulk = zl_json_member(j, "bulk") != NULL;
	struct zl_step step;
	int rc;

	step_init(&step, bulk ? ZL_STEP_BULK : ZL_STEP_ALLOC);
	rc = reading_value_member(r, j, bulk ? "bulk" : "alloc", &step.value);
	rc = rc != 0 ? rc : reading_value_member(r, j, "count", &step.count);
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step.work);
	rc = rc != 0 ? rc : read_word_member(r, j, "type", type_words, &step.mt);
	rc = rc != 0 ? rc : read_store(r, j, "into", &step.into);
	rc = rc != 0 ? rc : reading_bool(r, j, "highatomic", &step.highatomic);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

/* Which allocations a step takes, how many of them, and from where. */
static int read_picked(
	struct reading *r, const struct zl_json *j, const char *key, struct zl_step *step)
{
	int rc = 0;

	step->all = is_word(zl_json_member(j, key), "all");
	if (!step->all) {
		rc = reading_value_member(r, j, key, &step->count);
	}
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step->work);
	rc = rc != 0 ? rc : read_word_member(r, j, "pick", pick_words, &step->pick);
	return rc != 0 ? rc : read_store(r, j, "from", &step->from);
}

static int read_free(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	bool move = zl_json_member(j, "move") != NULL;
	const char *key = move ? "move" : "free";
	struct zl_step step;
	int rc;

	step_init(&step, move ? ZL_STEP_MOVE : ZL_STEP_FREE);
	rc = read_picked(r, j, key, &step);
	rc = rc != 0 ? rc : read_store(r, j, "into", &step.into);
	if (rc == 0 && move && step.from == step.into) {
		rc = reading_fail(r, j, "a move needs two different stores, from and into");
	}
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_tick(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct zl_step step;
	int rc;

	step_init(&step, ZL_STEP_TICK);
	rc = reading_value_member(r, j, "tick", &step.count);
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step.work);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_drain(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	static const uint8_t kinds[] = {ZL_OP_DRAIN, ZL_OP_DRAINALL, ZL_OP_DRAINZONE};
	struct zl_step step;
	uint8_t what = 0;
	int rc;

	step_init(&step, ZL_STEP_DRAIN);
	rc = read_word_member(r, j, "drain", drain_words, &what);
	step.key = kinds[what];
	rc = rc != 0 ? rc : reading_value_member(r, j, "count", &step.count);
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step.work);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_think(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct zl_step step;
	int rc;

	step_init(&step, ZL_STEP_THINK);
	rc = reading_value_member(r, j, "think", &step.value);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int set_one(struct reading *r, const struct zl_json *m, struct chain *chain)
{
	const char *words[ZL_SIM_KEY_COUNT + 1];
	struct zl_step step;
	uint8_t key = 0;

	for (int i = 0; i < ZL_SIM_KEY_COUNT; i++) {
		words[i] = zl_sim_key_name((enum zl_sim_key)i);
	}
	words[ZL_SIM_KEY_COUNT] = NULL;
	step_init(&step, ZL_STEP_SET);
	while (words[key] != NULL && strcmp(words[key], zl_json_key(m)) != 0) {
		key++;
	}
	step.key = key;
	int rc = reading_value(r, m, &step.value);
	return rc != 0 ? rc : push_step(r, m, &step, chain);
}

static int read_set(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	const char *words[ZL_SIM_KEY_COUNT + 1];
	const struct zl_json *set = zl_json_member(j, "set");
	size_t mark = reading_key(r, "set");
	int rc;

	for (int i = 0; i < ZL_SIM_KEY_COUNT; i++) {
		words[i] = zl_sim_key_name((enum zl_sim_key)i);
	}
	words[ZL_SIM_KEY_COUNT] = NULL;
	rc = reading_object(r, set, words);
	for (const struct zl_json *m = zl_json_first(set); rc == 0 && m != NULL;
		m = zl_json_next(m)) {
		size_t inner = reading_key(r, zl_json_key(m));

		rc = set_one(r, m, chain);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

static int let_one(struct reading *r, const struct zl_json *m, struct chain *chain)
{
	struct zl_step step;
	uint32_t i = 0;

	while (i < r->s->nr_names && strcmp(r->s->names[i].name, zl_json_key(m)) != 0) {
		i++;
	}
	step_init(&step, ZL_STEP_LET);
	step.name = (uint16_t)i;
	int rc = reading_value(r, m, &step.value);
	return rc != 0 ? rc : push_step(r, m, &step, chain);
}

static int read_let(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	const char *words[ZL_SCENARIO_NAMES_MAX + 1];
	const struct zl_json *let = zl_json_member(j, "let");
	size_t mark = reading_key(r, "let");
	size_t n = 0;
	int rc;

	for (uint32_t i = 0; i < r->s->nr_names; i++) {
		if (!r->s->names[i].parameter) {
			words[n++] = r->s->names[i].name;
		}
	}
	words[n] = NULL;
	rc = reading_object(r, let, words);
	for (const struct zl_json *m = zl_json_first(let); rc == 0 && m != NULL;
		m = zl_json_next(m)) {
		size_t inner = reading_key(r, zl_json_key(m));

		rc = let_one(r, m, chain);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

/* The steps under "do" of a loop or an alternative. */
static int read_do(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	const struct zl_json *list = zl_json_member(j, "do");
	size_t mark;
	int rc;

	if (list == NULL) {
		return reading_fail(r, j, "the key 'do' is missing; a list of steps");
	}
	if (++r->depth > ZL_SCENARIO_DEPTH_MAX) {
		return reading_fail(r, j, "steps are nested too deeply; at most %d levels",
			ZL_SCENARIO_DEPTH_MAX);
	}
	mark = reading_key(r, "do");
	rc = reading_steps(r, list, ret);
	reading_up(r, mark);
	r->depth--;
	return rc;
}

static int read_loop(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct zl_step step;
	int rc = 0;

	step_init(&step, ZL_STEP_LOOP);
	step.all = is_word(zl_json_member(j, "loop"), "forever");
	if (!step.all) {
		rc = reading_value_member(r, j, "loop", &step.count);
	}
	rc = rc != 0 ? rc : read_do(r, j, &step.first);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_alternative(struct reading *r, const struct zl_json *j, struct zl_weighted *ret)
{
	static const char *const keys[] = {"weight", "do", NULL};
	const struct reading_limits limits = {1, WEIGHT_MAX};
	int64_t weight = 1;
	int rc = reading_object(r, j, keys);

	rc = rc != 0 ? rc : reading_number(r, j, "weight", &limits, &weight);
	ret->weight = (uint32_t)weight;
	return rc != 0 ? rc : read_do(r, j, &ret->item);
}

static int read_choose(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct reading_array_of list = {
		(void **)&r->s->weighted, &r->s->nr_weighted, sizeof(*r->s->weighted)};
	const struct zl_json *choose = zl_json_member(j, "choose");
	struct zl_weighted none = {0};
	struct zl_step step;
	size_t mark = reading_key(r, "choose");
	uint32_t at;
	int rc = reading_array(r, choose);

	step_init(&step, ZL_STEP_CHOOSE);
	step.nr = (uint32_t)zl_json_count(choose);
	if (rc == 0 && step.nr == 0) {
		rc = reading_fail(r, choose, "an empty list; at least one {weight, do}");
	}
	/* Places first: alternatives may have alternatives of their own. */
	step.first = r->s->nr_weighted;
	for (uint32_t i = 0; rc == 0 && i < step.nr; i++) {
		rc = reading_push(r, list, &none, &at);
	}
	at = step.first;
	for (const struct zl_json *c = zl_json_first(choose); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		struct zl_weighted w = {0};
		size_t inner = reading_index(r, at - step.first);

		rc = read_alternative(r, c, &w);
		r->s->weighted[at++] = w;
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_ops(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	size_t mark = reading_key(r, "ops");
	uint32_t index = 0;
	int rc = reading_ops(r, zl_json_member(j, "ops"), false, &index);

	reading_up(r, mark);
	if (rc != 0) {
		return rc;
	}
	if (chain->first == ZL_NONE) {
		chain->first = index;
	} else {
		r->s->step[chain->last].next = index;
	}
	chain->last = index;
	return 0;
}

static int read_note(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	bool say = zl_json_member(j, "say") != NULL;
	struct zl_step step;
	int rc;

	step_init(&step, say ? ZL_STEP_SAY : ZL_STEP_BREAK);
	rc = reading_text(r, j, say ? "say" : "break", &step.first);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_cma_alloc(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct zl_step step;
	int rc;

	step_init(&step, ZL_STEP_CMA_ALLOC);
	rc = reading_value_member(r, j, "cma_alloc", &step.value);
	rc = rc != 0 ? rc : reading_value_member(r, j, "align", &step.align);
	rc = rc != 0 ? rc : reading_value_member(r, j, "count", &step.count);
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step.work);
	rc = rc != 0 ? rc : read_store(r, j, "into", &step.into);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_pin(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	bool pin = zl_json_member(j, "pin") != NULL;
	const char *key = pin ? "pin" : "unpin";
	struct zl_step step;
	int rc;

	step_init(&step, pin ? ZL_STEP_PIN : ZL_STEP_UNPIN);
	rc = read_picked(r, j, key, &step);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

/* A step of one key and its number: a CPU, a node, pages. */
static int read_machine(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	struct zl_step step;
	int rc = 0;

	for (unsigned k = ZL_STEP_OFFLINE; k <= ZL_STEP_NODE; k++) {
		const char *key = zl_step_kind_name((enum zl_step_kind)k);

		if (zl_json_member(j, key) == NULL) {
			continue;
		}
		step_init(&step, (enum zl_step_kind)k);
		step.key = k == ZL_STEP_NODE && is_word(zl_json_member(j, key), "local") ? 1 : 0;
		if (step.key == 0) {
			rc = reading_value_member(r, j, key, &step.value);
		}
		break;
	}
	rc = rc != 0 ? rc : reading_value_member(r, j, "work", &step.work);
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

static int read_zone(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	static const char *const words[] = {
		"DMA", "DMA32", "Normal", "HighMem", "Movable", "any", NULL};
	struct zl_step step;
	uint8_t word = 0;
	int rc;

	step_init(&step, ZL_STEP_ZONE);
	rc = read_word_member(r, j, "zone", words, &word);
	step.key = words[word + 1] == NULL ? ZL_OP_ANY_ZONE : word;
	return rc != 0 ? rc : push_step(r, j, &step, chain);
}

/* What makes a step, and the keys that may stand beside it. */
static const struct step_form {
	const char *keys[8]; /* the first one makes it */
	int (*read)(struct reading *r, const struct zl_json *j, struct chain *chain);
} forms[] = {
	{{"alloc", "count", "type", "into", "work", "highatomic", NULL}, read_alloc	   },
	{{"bulk", "count", "type", "into", "work", NULL},		  read_alloc    },
	{{"free", "from", "pick", "work", NULL},			 read_free	  },
	{{"move", "from", "into", "pick", NULL},			 read_free	  },
	{{"tick", "work", NULL},					 read_tick	  },
	{{"drain", "count", "work", NULL},				   read_drain    },
	{{"set", NULL},						  read_set	},
	{{"think", NULL},						read_think    },
	{{"let", NULL},						  read_let	},
	{{"loop", "do", NULL},					   read_loop	},
	{{"choose", NULL},					       read_choose   },
	{{"ops", NULL},						  read_ops	},
	{{"say", NULL},						  read_note	 },
	{{"cma_alloc", "align", "count", "into", "work", NULL},		read_cma_alloc},
	{{"pin", "from", "pick", "work", NULL},				read_pin	},
	{{"unpin", "from", "pick", "work", NULL},			  read_pin	  },
	{{"offline", NULL},					      read_machine	},
	{{"online", NULL},					       read_machine  },
	{{"reclaim", "work", NULL},				      read_machine	},
	{{"node", NULL},						 read_machine  },
	{{"zone", NULL},						 read_zone	  },
	{{"break", NULL},						read_note	   },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static int no_form(struct reading *r, const struct zl_json *j)
{
	const char *words[FORMS + 1];

	for (size_t i = 0; i < FORMS; i++) {
		words[i] = forms[i].keys[0];
	}
	words[FORMS] = NULL;
	if (zl_json_kind(j) != ZL_JSON_OBJECT || zl_json_count(j) == 0) {
		return reading_fail(r, j,
			"no step; for example {\"alloc\": 3, \"count\": 48} or {\"free\": 48}");
	}
	/* The first key that is no step's is what was meant to be one. */
	return reading_object(r, j, words);
}

static int read_step(struct reading *r, const struct zl_json *j, struct chain *chain)
{
	for (size_t i = 0; i < FORMS; i++) {
		if (zl_json_member(j, forms[i].keys[0]) == NULL) {
			continue;
		}
		int rc = reading_object(r, j, forms[i].keys);
		return rc != 0 ? rc : forms[i].read(r, j, chain);
	}
	return no_form(r, j);
}

int reading_steps(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct chain chain = {ZL_NONE, ZL_NONE};
	int rc = reading_array(r, j);
	size_t i = 0;

	for (const struct zl_json *c = zl_json_first(j); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		size_t mark = reading_index(r, i++);

		rc = read_step(r, c, &chain);
		reading_up(r, mark);
	}
	if (rc == 0 && chain.first == ZL_NONE) {
		rc = reading_fail(r, j, "an empty list; at least one step");
	}
	*ret = chain.first;
	return rc;
}
