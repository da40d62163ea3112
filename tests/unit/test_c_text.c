/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C expressions of patches: read, and written out in one way; what cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ctext.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

static void becomes(const char *text, const char *want)
{
	struct zl_arena *arena = zl_arena_new(zl_allocator_heap());
	struct c_builder b = {.arena = arena};
	const struct c_node *n = c_expression_text(&b, text);
	char have[C_TEXT_MAX] = "(nothing)";

	if (n != NULL) {
		assert_true(c_write(n, have, sizeof(have)));
	}
	if (strcmp(have, want) != 0) {
		fail_msg("%s became %s, not %s", text, have, want);
	}
	zl_arena_free(arena);
}

static bool same(const char *x, const char *y)
{
	struct zl_arena *arena = zl_arena_new(zl_allocator_heap());
	struct c_builder b = {.arena = arena};
	const struct c_node *nx = c_expression_text(&b, x), *ny = c_expression_text(&b, y);

	assert_non_null(nx);
	assert_non_null(ny);
	bool yes = c_same(nx, ny);
	zl_arena_free(arena);
	return yes;
}

static void a_negated_comparison_is_the_opposite_one(void **state)
{
	(void)state;
	becomes("!(a < b)", "a >= b");
	becomes("!(a <= b)", "a > b");
	becomes("!(a > b)", "a <= b");
	becomes("!(a >= b)", "a < b");
	becomes("!(a == b)", "a != b");
	becomes("!(a != b)", "a == b");
	becomes("!!(a == b)", "a == b");
	becomes("!a", "!a");
	becomes("!!a", "!!a");
	becomes("!!!a", "!a");
	becomes("!(a && b)", "!(a && b)");
	assert_true(same("!(batch < high)", "high <= batch"));
	assert_false(same("!(batch < high)", "high < batch"));
}

/* Only a type below int changes a value. */
static void casts_to_wide_types_are_gone(void **state)
{
	(void)state;
	becomes("(unsigned long)a + 1", "a + 1");
	becomes("(struct page *)a", "a");
	becomes("(u8)a", "(u8)a");
	becomes("(unsigned short)(a + b)", "(short)(a + b)");
	becomes("min_t(int, a, b)", "min(a, b)");
	becomes("max_t(unsigned long, a, b)", "max(a, b)");
	becomes("clamp_t(int, a, b, c)", "clamp(a, b, c)");
	becomes("clamp_val(a, b, c)", "clamp(a, b, c)");
	becomes("min_t(int)", "(nothing)");
}

static void numbers_are_read_in_every_base_and_unit(void **state)
{
	(void)state;
	becomes("0x1fUL", "31");
	becomes("010", "8");
	becomes("0", "0");
	becomes("018", "(nothing)");
	becomes("12u", "12");
	becomes("SZ_4K", "4096");
	becomes("SZ_16M", "16777216");
	becomes("SZ_2G", "2147483648");
	becomes("SZ_4X", "SZ_4X");
	becomes("true", "1");
	becomes("false", "0");
	becomes("00000000000000000000000000000000001", "(nothing)");
	becomes("99999999999999999999", "(nothing)");
}

static void macros_are_what_they_stand_for(void **state)
{
	(void)state;
	becomes("READ_ONCE(pcp->batch)", "pcp->batch");
	becomes("likely(IS_ENABLED(CONFIG_X))", "CONFIG_X");
	becomes("BIT(order)", "1 << order");
	assert_true(same("mult_frac(a, b, c)", "a * b / c"));
	assert_true(same("DIV_ROUND_UP(a, b)", "(a + b - 1) / b"));
	assert_true(same("roundup(a, b)", "(a + b - 1) / b * b"));
	becomes("rounddown(a, b)", "a / b * b");
	/* A mask, which is a division by powers of two alone. */
	assert_true(same("ALIGN(a, PAGE_SIZE)", "(a + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE"));
	assert_true(same("round_up(a, 1 << b)", "ALIGN(a, 1 << b)"));
	assert_true(same("ALIGN_DOWN(a, 8 * PAGE_SIZE)", "a / (8 * PAGE_SIZE) * (8 * PAGE_SIZE)"));
	assert_false(same("ALIGN(a, PAGE_SIZE)", "a / PAGE_SIZE * PAGE_SIZE"));
	becomes("ALIGN(a, b)", "a + b - 1 & ~(b - 1)");
	becomes("ALIGN_DOWN(a, 24)", "a & ~(24 - 1)");
	becomes("min_not_zero(a, b)", "a == 0 ? b : b == 0 ? a : min(a, b)");
	becomes("min_t(u8, a, b)", "min((u8)a, (u8)b)");
	becomes("max_t(unsigned long, a, b)", "max(a, b)");
	becomes("a ?: b", "a ? a : b");
}

static void what_is_no_expression_is_nothing(void **state)
{
	static const char *const texts[] = {"", "a +", "(a", "a b", "f(a", "f(a b)", "a[1", "a ? b",
		"a->", "a.1", "+a", "sizeof(a)", "f(1, 2, 3, 4, 5, 6, 7, 8, 9)"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		becomes(texts[i], "(nothing)");
	}
	becomes("f(1, 2, 3, 4, 5, 6, 7, 8)", "f(1, 2, 3, 4, 5, 6, 7, 8)");
	becomes("a[b + 1].c", "a[b + 1].c");
	becomes("~-*&a", "~-*&a");
}

/* C_DEPTH_MAX brackets, and one more. */
static void nesting_has_an_end(void **state)
{
	char text[2 * C_DEPTH_MAX + 4];

	(void)state;
	for (size_t n = C_DEPTH_MAX - 1; n <= C_DEPTH_MAX; n++) {
		memset(text, '(', n);
		text[n] = 'a';
		memset(text + n + 1, ')', n);
		text[2 * n + 1] = '\0';
		becomes(text, n < C_DEPTH_MAX ? "a" : "(nothing)");
	}
}

/* What is written is read as the same again. */
static void brackets_stand_where_they_are_needed(void **state)
{
	static const char *const texts[] = {"(a + b) * c", "a - (b - c)", "a - b - c",
		"a / (b * c)", "(a & b) == c", "a << (b + 1)", "(a ? b : c) ? d : e",
		"!(a || b) && c", "-(a + b)", "(a || b) && c", "a % (b % c)", "(a, b)", "a - -1",
		"a ^ (b | c) & d", "\"text\"", "(a >> b) >> c", "a >> (b >> c)", "a < (b < c)"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct zl_arena *arena = zl_arena_new(zl_allocator_heap());
		struct c_builder b = {.arena = arena};
		const struct c_node *n = c_expression_text(&b, texts[i]);
		char out[C_TEXT_MAX], again[C_TEXT_MAX];

		if (strchr(texts[i], ',') != NULL) {
			assert_null(n);
		} else {
			assert_non_null(n);
			assert_true(c_write(n, out, sizeof(out)));
			const struct c_node *m = c_expression_text(&b, out);
			assert_non_null(m);
			assert_true(c_same(n, m));
			assert_true(c_write(m, again, sizeof(again)));
			assert_string_equal(out, again);
		}
		zl_arena_free(arena);
	}
	becomes("(a + b) * c", "(a + b) * c");
	becomes("a - (b - c)", "a - (b - c)");
	becomes("a - b - c", "a - b - c");
	becomes("a - 1", "a - 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_negated_comparison_is_the_opposite_one),
		cmocka_unit_test(casts_to_wide_types_are_gone),
		cmocka_unit_test(numbers_are_read_in_every_base_and_unit),
		cmocka_unit_test(macros_are_what_they_stand_for),
		cmocka_unit_test(what_is_no_expression_is_nothing),
		cmocka_unit_test(nesting_has_an_end),
		cmocka_unit_test(brackets_stand_where_they_are_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
