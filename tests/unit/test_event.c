/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of ops, results, reasons and events: complete, distinct, and found by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

static void every_reason_is_a_sentence_of_its_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ZL_REASON_COUNT; i++) {
		const char *name = zl_reason_name((enum zl_reason)i);
		const char *sentence = zl_reason_sentence((enum zl_reason)i);
		const char *source = zl_reason_source((enum zl_reason)i);
		size_t n = strlen(sentence);

		assert_true(n > 10 && sentence[n - 1] == '.');
		assert_true(source[0] == '\0' || strchr(source, ',') != NULL);
		for (unsigned k = 0; k < i; k++) {
			assert_string_not_equal(name, zl_reason_name((enum zl_reason)k));
			assert_string_not_equal(sentence, zl_reason_sentence((enum zl_reason)k));
		}
	}
}

static void ops_and_keys_are_found_by_their_names(void **state)
{
	(void)state;
	for (unsigned i = ZL_OP_CPU; i < ZL_OP_KIND_COUNT; i++) {
		assert_int_equal(i, zl_op_kind_find(zl_op_kind_name((enum zl_op_kind)i)));
	}
	assert_int_equal(ZL_OP_KIND_COUNT, zl_op_kind_find("init"));
	assert_int_equal(ZL_OP_KIND_COUNT, zl_op_kind_find(""));
	for (unsigned i = 0; i < ZL_SIM_KEY_COUNT; i++) {
		assert_int_equal(i, zl_sim_key_find(zl_sim_key_name((enum zl_sim_key)i)));
	}
	for (unsigned i = 0; i < ZL_FALLBACK_KIND_COUNT; i++) {
		assert_true(zl_fallback_name((enum zl_fallback_kind)i)[0] != '\0');
	}
}

struct seen {
	unsigned count[ZL_EVENT_KIND_COUNT];
	bool held;
	uint32_t pages;
	enum zl_reason last;
};

static void see_event(void *user, const struct zl_sim *sim, const struct zl_event *e)
{
	struct seen *s = user;

	(void)sim;
	s->count[e->kind]++;
	if (e->kind == ZL_EVENT_LOCK) {
		assert_false(s->held);
		s->held = true;
		s->pages = 0;
	} else if (e->kind == ZL_EVENT_UNLOCK) {
		assert_true(s->held);
		assert_int_equal(s->pages, e->value);
		s->held = false;
	} else if (e->kind == ZL_EVENT_TAKE || e->kind == ZL_EVENT_GIVE) {
		assert_true(s->held);
		s->pages += 1u << e->order;
	}
}

static void see_record(void *user, const struct zl_sim *sim, const struct zl_record *r)
{
	struct seen *s = user;

	(void)sim;
	s->last = r->reason;
}

static void observers_see_holds_blocks_and_reasons(void **state)
{
	struct seen a = {.held = false}, b = {.held = false};
	struct zl_observer first = {.event = see_event, .record = see_record, .user = &a};
	struct zl_observer second = {.event = see_event, .user = &b};
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	script_zone(&c, 4, 3, 32);
	script_refill_3(&c);
	sim = script_sim(&c, "6.18.2");
	zl_sim_subscribe(sim, &first);
	zl_sim_subscribe(sim, &second);
	script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_UNMOVABLE, 1);
	assert_int_equal(ZL_REASON_ALLOC_REFILLED, a.last);
	assert_int_equal(1, a.count[ZL_EVENT_LOCK]);
	assert_int_equal(3, a.count[ZL_EVENT_TAKE]);
	assert_int_equal(2, a.count[ZL_EVENT_SETTYPE]);
	assert_int_equal(1, a.count[ZL_EVENT_FALLBACK]);
	script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_UNMOVABLE, 2);
	assert_int_equal(ZL_REASON_ALLOC_HIT, a.last);
	zl_sim_unsubscribe(sim, &second);
	script_op(sim, ZL_OP_DRAIN, 0, 0, 0);
	assert_int_equal(ZL_REASON_DRAIN, a.last);
	assert_int_equal(1, a.count[ZL_EVENT_GIVE]);
	assert_int_equal(0, b.count[ZL_EVENT_GIVE]);
	script_op(sim, ZL_OP_DRAIN, 0, 0, 0);
	assert_int_equal(ZL_REASON_DRAIN_EMPTY, a.last);
	script_op(sim, ZL_OP_FREE, 0, 0, 1);
	assert_int_equal(ZL_REASON_FREE_KEPT, a.last);
	script_op(sim, ZL_OP_FREE, 0, 0, 1);
	assert_int_equal(ZL_REASON_FREE_NOOP, a.last);
	script_op(sim, ZL_OP_ALLOC, 4, ZL_MIGRATE_MOVABLE, 3);
	assert_int_equal(ZL_REASON_ALLOC_DIRECT_ORDER, a.last);
	script_op(sim, ZL_OP_FREE, 0, 0, 3);
	assert_int_equal(ZL_REASON_FREE_DIRECT_ORDER, a.last);
	script_op(sim, ZL_OP_TICK, 0, 0, 0);
	assert_int_equal(ZL_REASON_TICK_DECAY, a.last);
	zl_sim_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_reason_is_a_sentence_of_its_own),
		cmocka_unit_test(ops_and_keys_are_found_by_their_names),
		cmocka_unit_test(observers_see_holds_blocks_and_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
