/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing of scenarios: the file that reads back to the same ops. */

#include "zonelab/profile_json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"
#include "zonelab/tuning.h"

/* 256 ranges of three numbers. */
#define CPUS_TEXT 4096

static void add_text(struct zl_json *o, const char *key, const struct zl_scenario *s, uint32_t t)
{
	if (t != ZL_NONE) {
		zl_json_add_string(o, key, zl_scenario_text(s, t));
	}
}

static struct zl_json *value_json(const struct zl_scenario *s, uint32_t v)
{
	const struct zl_value *value = &s->value[v];
	struct zl_json *list;

	switch (value->kind) {
	case ZL_VALUE_CONST:
		return zl_json_int(value->number);
	case ZL_VALUE_EXPR:
		return zl_json_string(zl_scenario_text(s, value->b));
	case ZL_VALUE_RANGE:
		list = zl_json_array();
		zl_json_push(list, value_json(s, value->a));
		zl_json_push(list, value_json(s, value->b));
		return list;
	case ZL_VALUE_WEIGHTED:
		break;
	}
	list = zl_json_array();
	for (uint32_t i = 0; i < value->b; i++) {
		const struct zl_weighted *w = &s->weighted[value->a + i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_int(o, "weight", w->weight);
		zl_json_add(o, "value", value_json(s, w->item));
	}
	return list;
}

static void add_value(struct zl_json *o, const char *key, const struct zl_scenario *s, uint32_t v)
{
	if (v != ZL_NONE) {
		zl_json_add(o, key, value_json(s, v));
	}
}

static void add_store(
	struct zl_json *o, const char *key, const struct zl_scenario *s, uint16_t store)
{
	if (store != 0) {
		zl_json_add_string(o, key, s->store[store].name);
	}
}

static struct zl_json *steps_json(const struct zl_scenario *s, uint32_t first);

static void add_ops(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	struct zl_json *list = zl_json_add_array(o, "ops");
	char line[64];

	for (uint32_t i = 0; i < step->nr; i++) {
		zl_op_format(&s->explicit_op[step->first + i], line, sizeof(line));
		zl_json_push_string(list, line);
	}
}

static void add_alloc(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	add_value(o, zl_step_kind_name((enum zl_step_kind)step->kind), s, step->value);
	add_value(o, "count", s, step->count);
	if (step->mt != ZL_MIGRATE_UNMOVABLE) {
		zl_json_add_string(o, "type", zl_migratetype_name((enum zl_migratetype)step->mt));
	}
	add_store(o, "into", s, step->into);
	if (step->highatomic) {
		zl_json_add_bool(o, "highatomic", true);
	}
}

static void add_free(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	const char *key = zl_step_kind_name((enum zl_step_kind)step->kind);

	if (step->all) {
		zl_json_add_string(o, key, "all");
	} else {
		add_value(o, key, s, step->count);
	}
	add_store(o, "from", s, step->from);
	add_store(o, "into", s, step->into);
	if (step->pick != ZL_PICK_OLDEST) {
		zl_json_add_string(o, "pick", zl_pick_name((enum zl_pick)step->pick));
	}
}

static void add_loop(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	if (step->all) {
		zl_json_add_string(o, "loop", "forever");
	} else {
		add_value(o, "loop", s, step->count);
	}
	zl_json_add(o, "do", steps_json(s, step->first));
}

static void add_choose(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	struct zl_json *list = zl_json_add_array(o, "choose");

	for (uint32_t i = 0; i < step->nr; i++) {
		const struct zl_weighted *w = &s->weighted[step->first + i];
		struct zl_json *c = zl_json_push_object(list);

		zl_json_add_int(c, "weight", w->weight);
		zl_json_add(c, "do", steps_json(s, w->item));
	}
}

static void add_drain(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	const char *what = step->key == ZL_OP_DRAIN	 ? "cpu"
			   : step->key == ZL_OP_DRAINALL ? "all"
							 : "zone";

	zl_json_add_string(o, "drain", what);
	add_value(o, "count", s, step->count);
}

/* `set` and `let` hold one name and its value. */
static void add_named(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	bool let = step->kind == ZL_STEP_LET;
	const char *name =
		let ? s->names[step->name].name : zl_sim_key_name((enum zl_sim_key)step->key);

	add_value(zl_json_add_object(o, let ? "let" : "set"), name, s, step->value);
}

static void add_machine_step(
	struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	const char *key = zl_step_kind_name((enum zl_step_kind)step->kind);

	if (step->kind == ZL_STEP_ZONE) {
		zl_json_add_string(o, key,
			step->key == ZL_OP_ANY_ZONE
				? "any"
				: zl_zone_type_name((enum zl_zone_type)step->key));
	} else if (step->key != 0) {
		zl_json_add_string(o, key, "local");
	} else {
		add_value(o, key, s, step->value);
	}
}

static void add_step(struct zl_json *o, const struct zl_scenario *s, const struct zl_step *step)
{
	switch (step->kind) {
	case ZL_STEP_ALLOC:
	case ZL_STEP_BULK:
		add_alloc(o, s, step);
		break;
	case ZL_STEP_FREE:
	case ZL_STEP_MOVE:
		add_free(o, s, step);
		break;
	case ZL_STEP_TICK:
		add_value(o, "tick", s, step->count);
		break;
	case ZL_STEP_DRAIN:
		add_drain(o, s, step);
		break;
	case ZL_STEP_THINK:
		add_value(o, "think", s, step->value);
		break;
	case ZL_STEP_SET:
	case ZL_STEP_LET:
		add_named(o, s, step);
		break;
	case ZL_STEP_LOOP:
		add_loop(o, s, step);
		break;
	case ZL_STEP_CHOOSE:
		add_choose(o, s, step);
		break;
	case ZL_STEP_OPS:
		add_ops(o, s, step);
		break;
	case ZL_STEP_CMA_ALLOC:
		add_value(o, "cma_alloc", s, step->value);
		add_value(o, "align", s, step->align);
		add_value(o, "count", s, step->count);
		add_store(o, "into", s, step->into);
		break;
	case ZL_STEP_PIN:
	case ZL_STEP_UNPIN:
		add_free(o, s, step);
		break;
	case ZL_STEP_OFFLINE:
	case ZL_STEP_ONLINE:
	case ZL_STEP_RECLAIM:
	case ZL_STEP_NODE:
	case ZL_STEP_ZONE:
		add_machine_step(o, s, step);
		break;
	default:
		add_text(o, step->kind == ZL_STEP_SAY ? "say" : "break", s, step->first);
		break;
	}
	add_value(o, "work", s, step->work);
}

static struct zl_json *steps_json(const struct zl_scenario *s, uint32_t first)
{
	struct zl_json *list = zl_json_array();

	for (uint32_t i = first; i != ZL_NONE; i = s->step[i].next) {
		add_step(zl_json_push_object(list), s, &s->step[i]);
	}
	return list;
}

static void add_cpus(
	struct zl_json *o, const struct zl_scenario *s, const struct zl_scenario_program *g)
{
	char text[CPUS_TEXT];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	for (uint32_t i = 0; i < g->nr_ranges; i++) {
		const struct zl_cpu_range *r = &s->range[g->first_range + i];

		zl_text_str(&t, i > 0 ? "," : "");
		if (r->hi == ZL_NONE) {
			zl_text_str(&t, "all");
		} else if (r->hi == r->lo) {
			zl_text_u64(&t, r->lo);
		} else if (r->step == 1) {
			zl_text_fmt(&t, "%u-%u", r->lo, r->hi);
		} else {
			zl_text_fmt(&t, "%u-%u:%u", r->lo, r->hi, r->step);
		}
	}
	zl_json_add_string(o, "cpus", text);
}

static void add_asserts(struct zl_json *o, const struct zl_scenario *s, uint32_t phase)
{
	struct zl_json *list = NULL;

	for (uint32_t i = 0; i < s->nr_asserts; i++) {
		const struct zl_scenario_assert *a = &s->assertion[i];

		if (a->phase != phase) {
			continue;
		}
		list = list != NULL ? list : zl_json_add_array(o, "assert");
		if (!a->always && a->text == ZL_NONE) {
			zl_json_push_string(list, zl_scenario_text(s, a->expr));
			continue;
		}
		struct zl_json *item = zl_json_push_object(list);
		add_text(item, a->always ? "always" : "assert", s, a->expr);
		add_text(item, "text", s, a->text);
	}
}

/* A phase whose one program is an op list that may name CPUs. */
static bool is_op_list(const struct zl_scenario *s, const struct zl_scenario_phase *p)
{
	const struct zl_step *step = &s->step[s->program[p->first_program].first_step];

	for (uint32_t i = 0; step->kind == ZL_STEP_OPS && i < step->nr; i++) {
		if (s->explicit_op[step->first + i].kind == ZL_OP_CPU) {
			return true;
		}
	}
	return false;
}

static void add_phase(struct zl_json *list, const struct zl_scenario *s, uint32_t index)
{
	const struct zl_scenario_phase *p = &s->phase[index];
	struct zl_json *o = zl_json_push_object(list);

	zl_json_add_string(o, "name", p->name);
	add_text(o, "caption", s, p->caption);
	add_value(o, "turn", s, p->turn);
	add_value(o, "tick_every", s, p->tick);
	if (is_op_list(s, p)) {
		add_ops(o, s, &s->step[s->program[p->first_program].first_step]);
	} else {
		struct zl_json *programs = zl_json_add_array(o, "programs");

		for (uint32_t i = 0; i < p->nr_programs; i++) {
			const struct zl_scenario_program *g = &s->program[p->first_program + i];
			struct zl_json *program = zl_json_push_object(programs);

			add_cpus(program, s, g);
			if (g->seeded) {
				zl_json_add_u64(program, "seed", g->seed);
			}
			zl_json_add(program, "do", steps_json(s, g->first_step));
		}
	}
	add_asserts(o, s, index);
}

static void add_machine(struct zl_json *root, const struct zl_scenario *s)
{
	struct zl_json *o = NULL;
	char buf[ZL_CMDLINE_TEXT];

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (zl_settings_given(&s->settings, (enum zl_setting)i)) {
			o = o != NULL ? o : zl_json_add_object(root, "machine");
			zl_setting_format(&s->settings, (enum zl_setting)i, buf, sizeof(buf));
			zl_json_add_string(o, zl_setting_info((enum zl_setting)i)->key, buf);
		}
	}
	if (s->policies.count > 0) {
		o = o != NULL ? o : zl_json_add_object(root, "machine");
		zl_json_add(o, "policies", zl_policies_to_json(&s->policies));
	}
}

static void add_zone(struct zl_json *root, const struct zl_scenario *s)
{
	const struct zl_scenario_zone *z = &s->zone;
	const struct {
		const char *key;
		int64_t value;
	} numbers[] = {
		{"node",		 z->node		},
		{"pages",	  z->pages	  },
		{"managed",	    z->managed	      },
		{"wmark_min",      z->wmark_min	  },
		{"wmark_low",      z->wmark_low	  },
		{"wmark_high",     z->wmark_high    },
		{"direct_reclaim", z->direct_reclaim},
		{"cma",		z->cma	      },
	};
	struct zl_json *o = zl_json_add_object(root, "zone");

	if (z->name[0] != '\0') {
		zl_json_add_string(o, "name", z->name);
	}
	if (z->all) {
		zl_json_add_bool(o, "all", true);
	}
	if (z->no_watermarks) {
		zl_json_add_bool(o, "watermarks", false);
	}
	if (z->remote) {
		zl_json_add_bool(o, "remote", true);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].value >= 0) {
			zl_json_add_int(o, numbers[i].key, numbers[i].value);
		}
	}
}

static void add_names(struct zl_json *root, const struct zl_scenario *s)
{
	struct zl_json *parameters = zl_json_add_object(root, "parameters");
	struct zl_json *short_form = zl_json_add_object(root, "short");
	struct zl_json *variables = zl_json_add_object(root, "variables");

	for (uint32_t i = 0; i < s->nr_names; i++) {
		const struct zl_scenario_name *n = &s->names[i];

		zl_json_add_int(n->parameter ? parameters : variables, n->name, n->value);
		if (n->short_given) {
			zl_json_add_int(short_form, n->name, n->short_value);
		}
	}
}

static void add_stores(struct zl_json *root, const struct zl_scenario *s)
{
	struct zl_json *pools = zl_json_add_object(root, "pools");
	struct zl_json *queues = zl_json_add_object(root, "queues");

	for (uint32_t i = 1; i < s->nr_stores; i++) {
		const struct zl_scenario_store *st = &s->store[i];
		struct zl_json *o = zl_json_add_object(st->queue ? queues : pools, st->name);

		if (st->queue) {
			zl_json_add_int(o, "capacity", st->capacity);
		}
		add_value(o, "hold", s, st->hold);
		add_value(o, "hold_allocs", s, st->hold_allocs);
		add_value(o, "link", s, st->link);
	}
}

static void add_reported(struct zl_json *root, const struct zl_scenario *s)
{
	struct zl_json *list = s->nr_reported > 0 ? zl_json_add_array(root, "reported") : NULL;

	for (uint32_t i = 0; i < s->nr_reported; i++) {
		struct zl_json *o = zl_json_push_object(list);

		add_text(o, "lane", s, s->reported[i].lane);
		add_text(o, "text", s, s->reported[i].text);
	}
}

static void add_marks(struct zl_json *root, const struct zl_scenario *s)
{
	struct zl_json *captions = zl_json_add_array(root, "captions");
	struct zl_json *breaks = zl_json_add_array(root, "breakpoints");

	for (uint32_t i = 0; i < s->nr_captions; i++) {
		struct zl_json *o = zl_json_push_object(captions);

		zl_json_add_u64(o, "op", s->caption[i].op);
		add_text(o, "text", s, s->caption[i].text);
	}
	for (uint32_t i = 0; i < s->nr_breaks; i++) {
		const struct zl_scenario_break *b = &s->breakpoint[i];
		struct zl_json *o = zl_json_push_object(breaks);

		if (b->op > 0) {
			zl_json_add_u64(o, "op", b->op);
		}
		add_text(o, b->before ? "before" : "when", s, b->when);
		add_text(o, "text", s, b->text);
	}
}

void zl_scenario_write(const struct zl_scenario *s, struct zl_buf *ret)
{
	struct zl_json *root = zl_json_object();
	char seed[24];
	char *text = NULL;

	zl_json_add_string(root, "kind", "scenario");
	zl_json_add_int(root, "version", 1);
	zl_json_add_string(root, "name", s->name);
	zl_json_add_string(root, "title", s->title);
	add_text(root, "question", s, s->question);
	add_text(root, "source", s, s->source);
	add_text(root, "about", s, s->about);
	zl_format(seed, sizeof(seed), "%U", s->seed);
	zl_json_add_string(root, "seed", seed);
	if (s->profile[0] != '\0') {
		zl_json_add_string(root, "profile", s->profile);
	}
	add_machine(root, s);
	add_zone(root, s);
	add_names(root, s);
	add_stores(root, s);
	struct zl_json *phases = zl_json_add_array(root, "phases");
	for (uint32_t i = 0; i < s->nr_phases; i++) {
		add_phase(phases, s, i);
	}
	add_marks(root, s);
	add_reported(root, s);
	add_asserts(root, s, ZL_NONE);
	if (zl_json_print(root, true, &text) == 0) {
		zl_buf_str(ret, text);
		zl_buf_chr(ret, '\n');
	} else {
		ret->failed = true;
	}
	zl_json_text_free(text);
	zl_json_free(root);
}
