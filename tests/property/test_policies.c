/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random expressions at random points: the short way and the long one do the same, clones follow,
 * lists stay whole, and a policy without a value stops the run with a sentence.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"
#include "policy_code.h"
#include "zonelab/file.h"
#include "zonelab/policy.h"

#define ZONES	    400
#define OPS	    150
#define POINTS	    3
#define TEXT	    512
#define EXPRESSIONS 20000

static const struct zl_policy_in given = {.mem = NULL, .origin = ZL_ORIGIN_GIVEN};

static unsigned any(struct zl_rng *r, unsigned n)
{
	return (unsigned)zl_rng_below(r, n);
}

static void put(char *buf, const char *s)
{
	size_t len = strlen(buf);

	snprintf(buf + len, TEXT - len, "%s", s);
}

static void name_or_number(struct zl_rng *r, enum zl_point p, char *buf)
{
	static const char *const numbers[] = {
		"0", "1", "2", "3", "5", "63", "100", "1000", "70000", "9223372036854775807"};
	char word[ZL_EXPR_NAME_MAX];

	for (unsigned tries = 0; tries < 40 && any(r, 4) != 0; tries++) {
		enum zl_policy_name_id id = (enum zl_policy_name_id)any(r, ZL_POLICY_NAMES);

		if (zl_point_has_name(p, id)) {
			put(buf, zl_policy_name_word(id, word));
			return;
		}
	}
	/* Large numbers rarely, else nothing gets far. */
	put(buf, numbers[any(r, any(r, 8) == 0 ? 10 : 8)]);
}

static void expression(struct zl_rng *r, enum zl_point p, unsigned depth, char *buf)
{
	static const char *const binary[] = {" + ", " - ", " * ", " / ", " % ", " << ", " >> ",
		" < ", " <= ", " > ", " >= ", " == ", " != ", " & ", " | ", " ^ ", " && ", " || "};
	static const char *const calls[] = {"min(", "max(", "clamp("};
	static const char *const unary[] = {"-(", "!(", "~(", "abs(", "(int)(", "(u8)(", "BIT("};
	unsigned kind = depth == 0 || strlen(buf) > 300 ? 0 : any(r, 10);

	if (kind < 3) {
		name_or_number(r, p, buf);
	} else if (kind < 7) {
		put(buf, "(");
		expression(r, p, depth - 1, buf);
		put(buf, binary[any(r, 18)]);
		expression(r, p, depth - 1, buf);
		put(buf, ")");
	} else if (kind == 7) {
		unsigned call = any(r, 3);

		put(buf, calls[call]);
		for (unsigned i = 0; i < (call == 2 ? 3u : 2u); i++) {
			put(buf, i > 0 ? ", " : "");
			expression(r, p, depth - 1, buf);
		}
		put(buf, ")");
	} else if (kind == 8) {
		put(buf, unary[any(r, 7)]);
		expression(r, p, depth - 1, buf);
		put(buf, ")");
	} else {
		put(buf, "(");
		expression(r, p, depth - 1, buf);
		put(buf, " ? ");
		expression(r, p, depth - 1, buf);
		put(buf, " : ");
		expression(r, p, depth - 1, buf);
		put(buf, ")");
	}
}

/* Some points replaced; what does not compile is left out. */
static void random_policies(
	struct zl_rng *r, const struct zl_switches *sw, struct zl_policy_set *ret)
{
	struct zl_policy_in in = given;

	in.mem = zl_allocator_heap();
	memset(ret, 0, sizeof(*ret));
	for (unsigned i = 0; i < 1 + any(r, POINTS); i++) {
		enum zl_point p = (enum zl_point)any(r, ZL_POINT_ZONE_BATCHSIZE);
		char text[TEXT] = "";
		char mixed[2 * TEXT];

		expression(r, p, 3, text);
		const struct zl_point_rule *rule = zl_point_rule(p, sw);
		/* Near the rule of the release more happens than near nothing. */
		if (rule != NULL && any(r, 2) == 0) {
			snprintf(mixed, sizeof(mixed), "(%s) %s (%s)", rule->expression,
				any(r, 2) == 0 ? "+" : "-", text);
			(void)zl_policy_give(ret, p, mixed, &in, NULL);
		} else {
			(void)zl_policy_give(ret, p, text, &in, NULL);
		}
	}
}

static void no_record(void *user, const struct zl_sim *sim, const struct zl_record *record)
{
	(void)user;
	(void)sim;
	(void)record;
}

static void expect_whole(const struct zl_sim *sim, unsigned zone)
{
	struct zl_error err = {0};

	if (zl_sim_check(sim, &err) != 0) {
		fail_msg("zone %u: %s", zone, err.text);
	}
}

/* Both stopped at the same op for the same reason, and stay stopped. */
static void expect_stopped(struct zl_sim *a, struct zl_sim *b, const struct zl_op *op)
{
	struct zl_error x = {0}, y = {0};

	assert_int_equal(-EDOM, zl_sim_policy_fault(a, &x));
	assert_int_equal(-EDOM, zl_sim_policy_fault(b, &y));
	assert_string_equal(x.text, y.text);
	assert_non_null(strstr(x.text, "policy "));
	assert_int_equal(-EDOM, zl_sim_apply(a, op));
	assert_int_equal(-EDOM, zl_sim_run(b, op, 1, NULL));
}

struct pairing {
	struct zl_sim *fast, *slow;
	struct zl_observer watcher;
	unsigned stopped;
};

/* One op on both; false when a policy has stopped them. */
static bool step(struct pairing *p, const struct zl_op *op, unsigned zone)
{
	int a = zl_sim_apply(p->fast, op);
	int b = zl_sim_apply(p->slow, op);

	assert_int_equal(a, b);
	if (zl_sim_digest(p->fast) != zl_sim_digest(p->slow)) {
		fail_msg("zone %u: the ways differ at op %llu", zone,
			(unsigned long long)zl_sim_ops(p->fast));
	}
	expect_whole(p->fast, zone);
	if (a == -EDOM) {
		expect_stopped(p->fast, p->slow, op);
		p->stopped++;
		return false;
	}
	assert_int_equal(0, a);
	return true;
}

static void run_zone(const char *release, unsigned zone, unsigned *stopped)
{
	struct pairing p = {.watcher = {.record = no_record}};
	struct zl_policy_set set;
	struct zl_sim_config c;
	struct zl_sim *clone;
	struct zl_release r;
	struct mix m;

	mix_init(&m, zone);
	mix_zone(&m.rng, &c);
	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &c.switches, NULL);
	random_policies(&m.rng, &c.switches, &set);
	c.policies = &set;
	p.fast = script_sim(&c, release);
	p.slow = script_sim(&c, release);
	zl_policy_set_done(&set, zl_allocator_heap());
	zl_sim_subscribe(p.slow, &p.watcher);
	for (unsigned i = 0; i < OPS; i++) {
		struct zl_op op;

		if (i == OPS / 2) {
			assert_int_equal(0, zl_sim_clone(p.fast, &clone));
			zl_sim_free(p.fast);
			p.fast = clone;
		}
		mix_next(&m, p.fast, &op);
		if (!step(&p, &op, zone)) {
			break;
		}
	}
	*stopped += p.stopped;
	zl_sim_free(p.fast);
	zl_sim_free(p.slow);
}

static void random_policies_never_break_a_zone(void **state)
{
	unsigned stopped = 0;

	(void)state;
	for (unsigned zone = 0; zone < ZONES; zone++) {
		run_zone(mix_releases[zone % mix_nr_releases], zone, &stopped);
	}
	/* Enough of them go on, and enough stop, for either to mean something. */
	assert_in_range(stopped, ZONES / 20, ZONES - ZONES / 5);
}

/* Values as an op could find them. */
static void random_slots(struct zl_rng *r, int64_t *slots)
{
	for (unsigned id = 0; id < ZL_POLICY_NAMES; id++) {
		slots[id] = any(r, 2) == 0 ? any(r, 5) : any(r, 5000);
	}
	slots[ZL_NAME_FLAGS] = any(r, 4);
	slots[ZL_NAME_ORDER] = any(r, 11);
	slots[ZL_NAME_ZONE_FLAGS] = any(r, 8);
	slots[ZL_NAME_ALLOC_FACTOR] = any(r, 6);
	slots[ZL_NAME_FREE_FACTOR] = any(r, 6);
	slots[ZL_NAME_EXPIRE] = any(r, 4);
	slots[ZL_NAME_FREE_HIGH] = any(r, 2);
	slots[ZL_NAME_FREE_COUNT] -= 1000;
	slots[ZL_NAME_HIGH] -= any(r, 2) == 0 ? 3000 : 0;
}

/* Code computes what the checked interpreter does, and is only made of what cannot fail. */
static void code_agrees_with_the_interpreter(void **state)
{
	unsigned made = 0;
	struct zl_rng r;

	(void)state;
	zl_rng_init(&r, 7);
	for (unsigned i = 0; i < EXPRESSIONS; i++) {
		enum zl_point p = (enum zl_point)any(&r, ZL_POINT_COUNT);
		struct policy_code code, more;
		struct policy_short least;
		struct zl_expr e = {0};
		struct tree tree, known;
		int64_t slots[POLICY_REGISTERS], want, got;
		const struct tree_in in = {.slots = slots};
		const struct tree_in all = {.slots = slots,
			.fixed = UINT64_C(1) << ZL_NAME_ZONE_FLAGS | UINT64_C(1)
									     << ZL_NAME_FREE_HIGH};
		char text[TEXT] = "";

		random_slots(&r, slots);
		expression(&r, p, 4, text);
		if (zl_policy_compile(p, text, zl_allocator_heap(), &e, NULL) != 0) {
			continue;
		}
		if (zl_tree_build(&tree, &e, &in) && zl_policy_code_make(&code, &tree, tree.root)) {
			made++;
			assert_true(zl_tree_build(&known, &e, &all));
			assert_true(zl_policy_code_make(&more, &known, known.root));
			zl_policy_code_shorten(&least, &more);
			for (unsigned k = 0; k < 8; k++) {
				assert_int_equal(0, zl_expr_eval(&e, slots, &want, NULL));
				got = zl_policy_code_run(code.ins, slots);
				if (got != want) {
					fail_msg("%s: %lld, not %lld", text, (long long)got,
						(long long)want);
				}
				assert_int_equal(want, zl_policy_code_run(more.ins, slots));
				if (least.nr > 0) {
					got = zl_policy_code_run(least.ins, slots);
					assert_int_equal(want, got);
				}
				slots[ZL_NAME_COUNT] = any(&r, 5000);
				slots[ZL_NAME_HIGH] = any(&r, 5000);
				slots[ZL_NAME_FREE_COUNT] = any(&r, 5000);
			}
		}
		zl_expr_done(&e, zl_allocator_heap());
	}
	assert_in_range(made, EXPRESSIONS / 4, EXPRESSIONS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_agrees_with_the_interpreter),
		cmocka_unit_test(random_policies_never_break_a_zone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
