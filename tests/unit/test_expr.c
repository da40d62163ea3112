/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions: values, precedence, what is refused and where.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scarce.h"
#include "zonelab/expr.h"

/* Slots: 0 a = 5, 1 b = -3, 2 pcp.count = 100, 3 max of pcp.count = 700, 4 cpu 1's count. */
static const int64_t slots[] = {5, -3, 100, 700, 11};

static int find(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	static const struct {
		const char *name, *via;
		unsigned slot;
	} names[] = {
		{"a",	      "",	  0},
		{"b",	      "",	  1},
		{"pcp.count",    "",	  2},
		{"pcp.count",    "max", 3},
		{"pcp[1].count", "",    4},
	};

	(void)user;
	ret->constant = strcmp(name, "SEVEN") == 0;
	ret->value = 7;
	if (ret->constant) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, name) == 0 && strcmp(names[i].via, via) == 0) {
			ret->slot = names[i].slot;
			return 0;
		}
	}
	if (strcmp(name, "aa") == 0) {
		zl_error_set(err, 0, 0, "unknown name 'aa'; did you mean a?");
	}
	return -ENOENT;
}

static const struct zl_expr_names names = {find, NULL};

static int value_of(const char *text, int64_t *ret, struct zl_error *err)
{
	struct zl_expr e = {0};
	int rc = zl_expr_compile(text, &names, &heap, &e, err);

	if (rc == 0) {
		rc = zl_expr_eval(&e, slots, ret, err);
	}
	zl_expr_done(&e, &heap);
	return rc;
}

static void check(const char *text, int64_t want)
{
	struct zl_error err = {0};
	int64_t got = 0;

	if (value_of(text, &got, &err) != 0 || got != want) {
		fail_msg("%s: got %lld, wanted %lld (%u: %s)", text, (long long)got,
			(long long)want, err.column, err.text);
	}
}

static void check_refused(const char *text, int want, unsigned column, const char *sentence)
{
	struct zl_error err = {0};
	int64_t got = 0;
	int rc = value_of(text, &got, &err);

	if (rc != want || err.column != column || strstr(err.text, sentence) == NULL) {
		fail_msg("%s: got %d at %u: %s", text, rc, err.column, err.text);
	}
}

static void operators_bind_as_in_c(void **state)
{
	(void)state;
	check("(5 << 0) + (5 >> 0)", 10);
	check("SEVEN-SEVEN", 0);
	check("a-b == a - b", 1);
	check("1 << 62", INT64_C(1) << 62);
	check("(1 << 62) >> 62", 1);
	check("(2 < 3) + 10 * (3 < 3) + 100 * (4 < 3)", 1);
	check("(2 <= 3) + 10 * (3 <= 3) + 100 * (4 <= 3)", 11);
	check("(2 > 3) + 10 * (3 > 3) + 100 * (4 > 3)", 100);
	check("(2 >= 3) + 10 * (3 >= 3) + 100 * (4 >= 3)", 110);
	check("1 + 2 * 3", 7);
	check("(1 + 2) * 3", 9);
	check("10 - 4 - 3", 3);
	check("100 / 7 / 2", 7);
	check("-7 / 2", -3);
	check("-7 % 3", -1);
	check("1 << 3 + 1", 16);
	check("6 & 3 == 3", 0);
	check("6 & (3 == 2 + 1)", 0);
	check("1 | 6 ^ 3 & 2", 5);
	check("1 < 2 == 1", 1);
	check("5 > 4 && 4 >= 4 && 3 <= 3 && 3 != 4", 1);
	check("0 || 7", 1);
	check("!5 + !0", 1);
	check("~0", -1);
	check("- - 4", 4);
	check("+4", 4);
	check("-9 >> 1", -5);
	check("1 ? 2 : 0 ? 3 : 4", 2);
	check("0 ? 2 : 0 ? 3 : 4", 4);
	check("0 ? 1 : 2 + 3", 5);
	check("1 || 0 && 0", 1);
}

static void numbers_take_units_and_suffixes(void **state)
{
	(void)state;
	check("0x10", 16);
	check("0xffUL", 255);
	check("12ULL", 12);
	check("6GiB / 4KiB", 1572864);
	check("20ms", 20000000);
	check("3us + 1ns", 3001);
	check("9223372036854775807", INT64_MAX);
	check_refused("9223372036854775808", -EINVAL, 1, "64 bits");
	check_refused("1 + 3parsecs", -EINVAL, 6, "unit");
	check_refused("0x", -EINVAL, 1, "digits");
	check_refused("9999999TiB", -EINVAL, 1, "64 bits");
}

static void names_members_and_indices_resolve(void **state)
{
	(void)state;
	check("a + b", 2);
	check("pcp->count + pcp.count", 200);
	check("pcp[1].count", 11);
	check("max(pcp.count)", 700);
	check("SEVEN * 2", 14);
	check("true + false", 1);
	check_refused("a + aa", -EINVAL, 5, "did you mean a?");
	check_refused("min(pcp.count)", -EINVAL, 5, "unknown name");
	check_refused("nothing(a)", -EINVAL, 9, "unknown name");
	check_refused("nothing(a, b)", -EINVAL, 1, "unknown function");
}

static void functions_of_the_kernel_work(void **state)
{
	(void)state;
	check("min(3, 4) + max(3, 4)", 7);
	check("min3(5, 2, 9)", 2);
	check("max3(5, 2, 9)", 9);
	check("clamp(1, 2, 3)", 2);
	check("clamp(9, 2, 3)", 3);
	check("clamp(5, 8, 3)", 3);
	check("min_t(unsigned int, a, 2)", 2);
	check("max_t(int, b, 2)", 2);
	check("clamp_t(long, a, 1, 4)", 4);
	check("abs(b)", 3);
	check("BIT(4)", 16);
	check("READ_ONCE(a)", 5);
	check("likely(a) && !unlikely(0)", 1);
	check("rounddown_pow_of_two(63)", 32);
	check("roundup_pow_of_two(63) + roundup_pow_of_two(64) + roundup_pow_of_two(1)", 129);
	check("ilog2(1) + 10 * ilog2(63) + 100 * ilog2(64)", 650);
	check("test_bit(2, &a)", 1);
	check("test_bit(1, &a)", 0);
	check("(int)a * (unsigned long)2", 10);
	check("(u8)255", 255);
	check("(u32)4294967295", 4294967295);
	check_refused("(u8)256", -ERANGE, 8, "cast");
	check_refused("min_t(unsigned, b, 2)", -ERANGE, 18, "cast");
}

static void the_other_side_is_not_evaluated(void **state)
{
	(void)state;
	check("0 && 1 / 0", 0);
	check("1 || 1 / 0", 1);
	check("1 ? 4 : 1 / 0", 4);
	check("0 ? 1 / 0 : 4", 4);
}

static void overflow_and_division_are_errors_with_a_column(void **state)
{
	(void)state;
	check_refused("1 / 0", -EDOM, 3, "division by zero");
	check_refused("4 + 1 % (a - 5)", -EDOM, 7, "division by zero");
	check_refused("9223372036854775807 + 1", -ERANGE, 21, "64 bits");
	check_refused("-9223372036854775807 - 2", -ERANGE, 22, "64 bits");
	check_refused("4294967296 * 4294967296", -ERANGE, 12, "64 bits");
	check_refused("(-9223372036854775807 - 1) / -1", -ERANGE, 28, "64 bits");
	check_refused("1 << 63", -ERANGE, 3, "shift");
	check_refused("1 << -1", -ERANGE, 3, "shift");
	check_refused("3 << 62", -ERANGE, 3, "shift");
	check("(-9223372036854775807 - 1) % -1", 0);
	check("-4611686018427387904 * 2", INT64_MIN);
	check_refused("rounddown_pow_of_two(0)", -EDOM, 23, "power of two");
	check_refused("ilog2(0)", -EDOM, 8, "logarithm");
	check_refused("roundup_pow_of_two(-1)", -EDOM, 22, "power of two above");
}

static void what_does_not_parse_says_where(void **state)
{
	(void)state;
	check_refused("", -EINVAL, 1, "empty");
	check_refused("  ", -EINVAL, 1, "empty");
	check_refused("1 +", -EINVAL, 4, "ends");
	check_refused("1 2", -EINVAL, 3, "operator");
	check_refused("(1", -EINVAL, 3, "')'");
	check_refused("1 = 2", -EINVAL, 3, "operator");
	check_refused("a = b", -EINVAL, 3, "operator");
	check_refused("1 ? 2", -EINVAL, 6, "':'");
	check_refused("* 2", -EINVAL, 1, "missing");
	check_refused("min(1", -EINVAL, 6, "','");
	check_refused("min_t(a, 1, 2)", -EINVAL, 7, "type");
	check_refused("test_bit(a, b)", -EINVAL, 10, "number");
	check_refused("$x", -EINVAL, 1, "missing");
}

static void limits_on_length_and_depth_hold(void **state)
{
	char text[ZL_EXPR_TEXT_MAX + 16];

	(void)state;
	memset(text, '(', sizeof(text) - 1);
	text[200] = '\0';
	check_refused(text, -E2BIG, ZL_EXPR_DEPTH_MAX / 2 + 1, "deeply");
	memset(text, '-', 200);
	check_refused(text, -E2BIG, ZL_EXPR_DEPTH_MAX, "deeply");
	for (size_t i = 0; i < 600; i++) {
		text[i] = i % 2 == 0 ? '1' : '+';
	}
	text[599] = '\0';
	check_refused(text, -E2BIG, 258, "too long");
	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	check_refused(text, -E2BIG, 0, "too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_as_in_c),
		cmocka_unit_test(numbers_take_units_and_suffixes),
		cmocka_unit_test(names_members_and_indices_resolve),
		cmocka_unit_test(functions_of_the_kernel_work),
		cmocka_unit_test(the_other_side_is_not_evaluated),
		cmocka_unit_test(overflow_and_division_are_errors_with_a_column),
		cmocka_unit_test(what_does_not_parse_says_where),
		cmocka_unit_test(limits_on_length_and_depth_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
