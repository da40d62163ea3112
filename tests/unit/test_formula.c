/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas with their operands filled in, worked out by a small reader of what `explain` prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "explain.h"

/* What is left of a formula; ok = false once it is none that can be worked out. */
struct sum {
	const char *s;
	bool ok;
};

static int64_t sum_shift(struct sum *e);

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Words that name an operand count for nothing; "x" multiplies. */
static void skip_words(struct sum *e)
{
	while (*e->s == ' ' || is_letter(*e->s)) {
		if (starts(e->s, "x ") || starts(e->s, "max(") || starts(e->s, "min(")) {
			return;
		}
		e->s++;
		while (is_letter(e->s[-1]) && (is_letter(*e->s) || *e->s == '-')) {
			e->s++;
		}
	}
}

/* "87 381", "16 KiB", max(a, b), (a). */
static int64_t sum_term(struct sum *e)
{
	int64_t v = 0;
	bool digits = false;

	skip_words(e);
	const bool max = starts(e->s, "max(");
	if (max || starts(e->s, "min(")) {
		e->s += 4;
		const int64_t a = sum_shift(e);
		e->ok = e->ok && *e->s == ',';
		e->s += *e->s == ',' ? 1 : 0;
		const int64_t b = sum_shift(e);
		e->ok = e->ok && *e->s == ')';
		e->s += *e->s == ')' ? 1 : 0;
		skip_words(e);
		return (a > b) == max ? a : b;
	}
	while ((*e->s >= '0' && *e->s <= '9') ||
		(digits && *e->s == ' ' && e->s[1] >= '0' && e->s[1] <= '9')) {
		v = *e->s == ' ' ? v : v * 10 + (*e->s - '0');
		digits = true;
		e->s++;
	}
	e->ok = e->ok && digits;
	static const char *const units[] = {" KiB", " MiB", " GiB"};
	for (unsigned u = 0; u < 3; u++) {
		v <<= starts(e->s, units[u]) ? 10 * (u + 1) : 0;
	}
	skip_words(e);
	return v;
}

static int64_t sum_product(struct sum *e)
{
	int64_t v = sum_term(e);

	while (e->ok && (*e->s == 'x' || *e->s == '/')) {
		const char op = *e->s++;
		const int64_t w = sum_term(e);
		v = op == 'x' ? v * w : w != 0 ? v / w : 0;
	}
	return v;
}

static int64_t sum_shift(struct sum *e)
{
	int64_t v = sum_product(e);

	while (e->ok && (*e->s == '+' || *e->s == '-')) {
		const char op = *e->s++;
		const int64_t w = sum_product(e);
		v = op == '+' ? v + w : v - w;
	}
	while (e->ok && starts(e->s, "<<")) {
		e->s += 2;
		v <<= sum_product(e);
	}
	return v;
}

/* With the operands that are shown, each gives the value that is shown. */
static void formulas_with_operands_compute_their_value(void **state)
{
	static const char *const names[] = {"pageblock_bytes", "pageblock_nr_pages",
		"pageblock_order", "largest_block_bytes", "cma_min_alignment_bytes",
		"pool_waste_bytes", "max_cma_areas", "free_buffer_pages", "grouping_minimum_bytes",
		"wmark_low", "wmark_high", "wmark_promo", "wmark_distance", "high_min", "high_max",
		"free_high_threshold", "free_count_ceiling"};
	struct app *app = *state;
	unsigned worked_out = 0;

	for (size_t k = 0; k < APP_MACHINES; k++) {
		app_start(app, app_machines[k]);
		const struct value_in in = app_values(app);

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			struct explain e;

			assert_true(explain_fill(&in, value_find(names[i]), &e));
			struct sum sum = {.s = e.formula, .ok = e.formula[0] != '\0'};
			const int64_t v = sum_shift(&sum);
			if (!sum.ok) {
				continue; /* a case in words */
			}
			worked_out++;
			if (v != e.number) {
				fail_msg("%s, %s = %lld: %s gives %lld", app_machines[k], names[i],
					(long long)e.number, e.formula, (long long)v);
			}
		}
	}
	assert_true(worked_out > 14 * APP_MACHINES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(formulas_with_operands_compute_their_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
