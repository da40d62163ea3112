/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads as scenarios and in words. */
#include <string.h>

#include "hunt.h"
#include "zonelab/metrics.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

static const char *mt_word(enum zl_migratetype mt)
{
	return mt == ZL_MIGRATE_MOVABLE ? "movable" : "unmovable";
}

static struct zl_json *add_step(struct zl_json *list)
{
	return zl_json_push_object(list);
}

static void write_step(const struct hunt_load *l, const struct hunt_step *s, struct zl_json *list)
{
	struct zl_json *o = add_step(list);

	switch (s->kind) {
	case HUNT_ALLOC:
		zl_json_add_int(o, "alloc", s->order);
		if (s->mt != ZL_MIGRATE_UNMOVABLE) {
			zl_json_add_string(o, "type", mt_word(s->mt));
		}
		zl_json_add_int(o, "count", s->count);
		if (l->apart) {
			zl_json_add_string(o, "into", "link");
		}
		break;
	case HUNT_FREE:
		zl_json_add_int(o, "free", s->count);
		if (l->apart) {
			zl_json_add_string(o, "from", "link");
		}
		if (s->newest && !l->apart) {
			zl_json_add_string(o, "pick", "newest");
		}
		break;
	case HUNT_TICK:
		zl_json_add_int(o, "tick", s->count);
		break;
	case HUNT_DRAIN:
	case HUNT_KINDS:
		zl_json_add_string(o, "drain", "cpu");
		break;
	}
}

/* The steps of one of the two CPUs, or all of them. */
static void write_program(
	const struct hunt_load *l, unsigned cpu, bool frees, bool others, struct zl_json *programs)
{
	struct zl_json *p = zl_json_push_object(programs);
	struct zl_json *loop;
	struct zl_json *steps;

	zl_json_add_int(p, "cpus", cpu);
	loop = zl_json_push_object(zl_json_add_array(p, "do"));
	if (cpu > 0) {
		zl_json_add_string(loop, "loop", "forever");
	} else {
		zl_json_add_int(loop, "loop", l->cycles);
	}
	steps = zl_json_add_array(loop, "do");
	for (unsigned i = 0; i < l->nr_steps; i++) {
		if (l->step[i].kind == HUNT_FREE ? frees : others) {
			write_step(l, &l->step[i], steps);
		}
	}
}

static bool has(const struct hunt_load *l, bool frees)
{
	for (unsigned i = 0; i < l->nr_steps; i++) {
		if ((l->step[i].kind == HUNT_FREE) == frees) {
			return true;
		}
	}
	return false;
}

/* The lane's machine: what it was given, so that the file alone runs there. */
static void write_machine(const struct hunt *h, unsigned lane, struct zl_json *o)
{
	const struct zl_profile *p = &h->l->profile[lane];
	struct zl_json *machine;
	struct zl_settings given;

	memset(&given, 0, sizeof(given));
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (p->settings.value[i].given && i != ZL_SET_SEED &&
			p->settings.value[i].origin >= ZL_ORIGIN_NAMED_PROFILE) {
			given.value[i] = p->settings.value[i];
		}
	}
	zl_format(given.zones, sizeof(given.zones), "%s", p->settings.zones);
	zl_format(given.cmdline, sizeof(given.cmdline), "%s", p->settings.cmdline);
	machine = zl_settings_to_json(&given);
	if (p->policies.count > 0) {
		zl_json_add(machine, "policies", zl_policies_to_json(&p->policies));
	}
	zl_json_add(o, "machine", machine);
}

static void write_assertion(const struct hunt *h, const struct hunt_result *r, struct zl_json *o)
{
	unsigned high = r->value[1] > r->value[0] ? 1 : 0;
	struct zl_json *a = zl_json_push_object(zl_json_add_array(o, "assert"));
	char text[200];

	zl_format(text, sizeof(text), "%s >= %D", h->metric, r->value[high]);
	zl_json_add_string(a, "assert", text);
	zl_format(text, sizeof(text), "%D under %s; under %s it is %D", r->value[high],
		h->l->spec[high].name, h->l->spec[1 - high].name, r->value[1 - high]);
	zl_json_add_string(a, "text", text);
}

void hunt_write(const struct hunt *h, const struct hunt_load *load, const struct hunt_result *r,
	struct zl_buf *ret)
{
	struct zl_json *o = zl_json_object();
	struct zl_json *programs;
	char title[160];
	char *text = NULL;

	zl_json_add_string(o, "kind", "scenario");
	zl_json_add_int(o, "version", 1);
	zl_json_add_string(o, "name", "hunt");
	zl_format(title, sizeof(title), "Where %s and %s differ most in %s", h->l->spec[0].name,
		h->l->spec[1].name, h->metric);
	zl_json_add_string(o, "title", title);
	if (r != NULL) {
		write_machine(h, r->value[1] > r->value[0] ? 1 : 0, o);
	}
	if (load->apart) {
		struct zl_json *q = zl_json_add_object(zl_json_add_object(o, "queues"), "link");

		zl_json_add_int(q, "capacity", HUNT_OPS_MAX);
	}
	programs = zl_json_add_array(o, "programs");
	write_program(load, 0, !load->apart, true, programs);
	if (load->apart && has(load, true)) {
		write_program(load, 1, true, false, programs);
	}
	if (r != NULL && zl_metric_find(h->metric) != SIZE_MAX) {
		write_assertion(h, r, o);
	}
	if (zl_json_print(o, r != NULL, &text) != 0) {
		ret->failed = true;
	} else {
		zl_buf_str(ret, text);
		zl_buf_chr(ret, '\n');
		zl_json_text_free(text);
	}
	zl_json_free(o);
}

void hunt_words(const struct hunt_load *load, struct zl_buf *ret)
{
	zl_buf_fmt(ret, "%u times%s\n", load->cycles,
		load->apart ? ", frees on cpu 1 as blocks arrive" : "");
	for (unsigned i = 0; i < load->nr_steps; i++) {
		const struct hunt_step *s = &load->step[i];

		switch (s->kind) {
		case HUNT_ALLOC:
			zl_buf_fmt(ret, "  alloc %u of order %u, %s\n", s->count, s->order,
				mt_word(s->mt));
			break;
		case HUNT_FREE:
			zl_buf_fmt(ret, "  free %u%s\n", s->count,
				s->newest && !load->apart ? ", newest first" : "");
			break;
		case HUNT_TICK:
			zl_buf_str(ret, "  tick\n");
			break;
		case HUNT_DRAIN:
		case HUNT_KINDS:
			zl_buf_str(ret, "  drain\n");
			break;
		}
	}
}
