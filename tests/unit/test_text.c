/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/error.h"
#include "zonelab/text.h"

static void assert_text(const char *want, const char *fmt, uint64_t v)
{
	char buf[64];

	zl_format(buf, sizeof(buf), fmt, v);
	assert_string_equal(want, buf);
}

static void numbers_are_grouped_from_five_digits_on(void **state)
{
	(void)state;
	assert_text("0", "%N", 0);
	assert_text("2016", "%N", 2016);
	assert_text("22 528", "%N", 22528);
	assert_text("16 777 216", "%N", 16777216);
	assert_text("-8", "%N", (uint64_t)INT64_C(-8));
	assert_text("-32 768", "%N", (uint64_t)INT64_C(-32768));
	assert_text("0x1a3f8", "%x", 0x1a3f8);
}

static void sizes_take_the_largest_exact_unit(void **state)
{
	(void)state;
	assert_text("0 B", "%Z", 0);
	assert_text("4 KiB", "%Z", 4096);
	assert_text("32 MiB", "%Z", UINT64_C(32) << 20);
	assert_text("1.5 GiB", "%Z", UINT64_C(1536 * 1024) << 10 | UINT64_C(4096));
	assert_text("1536 MiB", "%Z", UINT64_C(1536) << 20);
	/* 35 071 pages on each of 40 CPUs: 5.351 GiB. */
	assert_text("5.4 GiB", "%Z", UINT64_C(1402840) << 12);
	assert_text("12 TiB", "%Z", UINT64_C(12) << 40);
}

static void a_text_is_cut_and_terminated(void **state)
{
	char buf[5];
	struct zl_text t;

	(void)state;
	zl_text_init(&t, buf, sizeof(buf));
	zl_text_fmt(&t, "%s%d", "abc", -12);
	assert_string_equal("abc-", buf);
	assert_true(t.cut);
}

static void sizes_are_read_with_and_without_unit(void **state)
{
	uint64_t v = 0;

	(void)state;
	assert_int_equal(0, zl_parse_size("16", 1024, &v));
	assert_int_equal(16384, v);
	assert_int_equal(0, zl_parse_size("4M", 1, &v));
	assert_int_equal(4 << 20, v);
	assert_int_equal(0, zl_parse_size("64 kib", 1, &v));
	assert_int_equal(65536, v);
	assert_int_equal(0, zl_parse_size("0x400000", 1, &v));
	assert_int_equal(0x400000, v);
	assert_int_equal(-EINVAL, zl_parse_size("4Q", 1, &v));
	assert_int_equal(-EINVAL, zl_parse_size("", 1, &v));
	assert_int_equal(-ERANGE, zl_parse_size("99E", 1, &v));
	assert_int_equal(-ERANGE, zl_parse_u64("99999999999999999999", &v));
}

static void the_nearest_name_is_found_if_one_is_near(void **state)
{
	struct zl_nearest n;
	char lengthy[200] = "";

	(void)state;
	zl_nearest_init(&n, "bacth");
	assert_false(zl_nearest_try(&n, "high"));
	assert_null(n.name);
	assert_true(zl_nearest_try(&n, "batch"));
	assert_string_equal("batch", n.name);
	assert_false(zl_nearest_try(&n, "match")); /* no nearer */
	assert_string_equal("batch", n.name);
	/* a part of a name, but not of two letters or three */
	zl_nearest_init(&n, "batch_scale");
	assert_true(zl_nearest_try(&n, "x.pcp_batch_scale_max"));
	assert_true(zl_nearest_try(&n, "pcp_batch_scale_max"));
	assert_false(zl_nearest_try(&n, "pcp_batch_scale_most"));
	assert_true(zl_nearest_try(&n, "batch_scald"));
	assert_false(zl_nearest_try(&n, "pcp_batch_scale_max"));
	zl_nearest_init(&n, "bat");
	assert_false(zl_nearest_try(&n, "pcp_batch_scale_max"));
	zl_nearest_init(&n, "");
	zl_nearest_try(&n, "a");
	assert_null(n.name);
	/* half of its length is more than any name has */
	memset(lengthy, 'x', sizeof(lengthy) - 1);
	zl_nearest_init(&n, lengthy);
	assert_false(zl_nearest_try(&n, "batch"));
	assert_null(n.name);
}

static void error_is(const struct zl_error *err, const char *want)
{
	char buf[200];

	assert_int_equal(strlen(want), zl_error_format(err, buf, sizeof(buf)));
	assert_string_equal(want, buf);
}

static void an_error_begins_with_its_place_if_it_has_one(void **state)
{
	struct zl_error err = {0};

	(void)state;
	zl_error_set(&err, 0, 0, "no %s; a number", "blocks");
	error_is(&err, "no blocks; a number");
	zl_error_set(&err, 7, 0, "no order");
	error_is(&err, "7: no order");
	zl_error_set(&err, 7, 12, "no order");
	error_is(&err, "7:12: no order");
	zl_error_file(&err, "a.dts");
	error_is(&err, "a.dts:7:12: no order");
	zl_error_set(&err, 0, 0, "no order");
	zl_error_file(&err, "a.dts");
	error_is(&err, "a.dts: no order");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_grouped_from_five_digits_on),
		cmocka_unit_test(sizes_take_the_largest_exact_unit),
		cmocka_unit_test(a_text_is_cut_and_terminated),
		cmocka_unit_test(sizes_are_read_with_and_without_unit),
		cmocka_unit_test(the_nearest_name_is_found_if_one_is_near),
		cmocka_unit_test(an_error_begins_with_its_place_if_it_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
