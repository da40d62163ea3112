/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "zonelab/clean.h"
#include "zonelab/json.h"

static struct zl_json *build_sample(void)
{
	struct zl_json *root = zl_json_object();

	zl_json_add_string(root, "kind", "pcp");
	zl_json_add_int(root, "version", 1);
	zl_json_add_u64(root, "memory", UINT64_C(1) << 50);
	zl_json_add_bool(root, "smp", true);
	zl_json_add_null(root, "given");
	struct zl_json *zones = zl_json_add_array(root, "zones");
	struct zl_json *zone = zl_json_push_object(zones);
	zl_json_add_int(zone, "managed", 1000000000000000);
	zl_json_push_int(zones, -3);
	zl_json_push_string(zones, "a\x1b[31m\"b\"\n\xff");
	return root;
}

static void members_keep_their_order_and_integers_their_digits(void **state)
{
	struct zl_json *root = build_sample();
	char *text = NULL;

	(void)state;
	assert_int_equal(0, zl_json_print(root, false, &text));
	assert_string_equal("{\"kind\":\"pcp\",\"version\":1,\"memory\":1125899906842624,"
			    "\"smp\":true,\"given\":null,\"zones\":[{\"managed\":1000000000000000},"
			    "-3,\"a[31m\\\"b\\\"\\n?\"]}",
		text);
	zl_json_text_free(text);
	zl_json_free(root);
}

static void integers_above_2_to_the_53_are_refused(void **state)
{
	struct zl_json *root = zl_json_array();
	char *text = NULL;

	(void)state;
	zl_json_push_int(root, INT64_C(1) << 53);
	assert_int_equal(-ERANGE, zl_json_print(root, false, &text));
	zl_json_free(root);
}

/* Allocation number `fail_at` and all after it fail. */
static unsigned long allocations;
static unsigned long fail_at;

static void *counting_malloc(size_t size)
{
	return ++allocations >= fail_at ? NULL : malloc(size);
}

static void missing_memory_at_any_step_is_reported_by_print(void **state)
{
	cJSON_Hooks hooks = {counting_malloc, free};
	bool done = false;

	(void)state;
	for (unsigned long n = 1; !done; n++) {
		char *text = NULL;

		allocations = 0;
		fail_at = n;
		cJSON_InitHooks(&hooks);
		struct zl_json *root = build_sample();
		int r = zl_json_print(root, true, &text);
		done = r == 0;
		assert_true(done || r == -ENOMEM);
		zl_json_text_free(text);
		zl_json_free(root);
		assert_true(n < 1000);
	}
	cJSON_InitHooks(NULL);
}

static void assert_refused(const char *text, unsigned line, unsigned column)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	assert_int_equal(-EINVAL, zl_json_parse(text, strlen(text), &j, &err));
	assert_int_equal(line, err.line);
	assert_int_equal(column, err.column);
	assert_true(strlen(err.text) > 0);
	assert_null(j);
}

static void bad_json_is_refused_with_line_and_column(void **state)
{
	char deep[200];

	(void)state;
	assert_refused("", 1, 1);
	assert_refused("{\n  \"a\": 1,\n  \"b\": x\n}", 3, 8);
	assert_refused("{} {}", 1, 4);
	assert_refused("{\"a\":1,\"a\":2}", 0, 0);
	memset(deep, '[', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	assert_refused(deep, 1, ZL_JSON_DEPTH_MAX + 1);
}

static void values_are_read_back(void **state)
{
	const char text[] = " {\"a\": [1, 2.5, 9007199254740993], \"b\": \"x\", \"c\": true}\n";
	struct zl_json *j = NULL;
	int64_t v = 0;
	bool b = false;

	(void)state;
	assert_int_equal(0, zl_json_parse(text, sizeof(text) - 1, &j, NULL));
	const struct zl_json *a = zl_json_member(j, "a");
	assert_int_equal(3, zl_json_count(a));
	const struct zl_json *e = zl_json_first(a);
	assert_int_equal(0, zl_json_get_int(e, &v));
	assert_int_equal(1, v);
	e = zl_json_next(e);
	assert_int_equal(-EINVAL, zl_json_get_int(e, &v));
	e = zl_json_next(e);
	assert_int_equal(-ERANGE, zl_json_get_int(e, &v));
	assert_null(zl_json_next(e));
	assert_string_equal("x", zl_json_text(zl_json_member(j, "b")));
	assert_int_equal(0, zl_json_get_bool(zl_json_member(j, "c"), &b));
	assert_true(b);
	assert_int_equal(ZL_JSON_MISSING, zl_json_kind(zl_json_member(j, "d")));
	zl_json_free(j);
}

static void a_cut_never_splits_a_character(void **state)
{
	char buf[5];

	(void)state;
	assert_int_equal(3, zl_clean_line(buf, sizeof(buf), "ab\tc\xc3\xa9", 3));
	assert_string_equal("ab ", buf);
	assert_int_equal(3, zl_clean_line(buf, sizeof(buf), "abc\xc3\xa9", 5));
	assert_string_equal("abc", buf);
	zl_clean_line(buf, sizeof(buf), "\xc2\x9b\x7f\x01z", 5);
	assert_string_equal("z", buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_keep_their_order_and_integers_their_digits),
		cmocka_unit_test(integers_above_2_to_the_53_are_refused),
		cmocka_unit_test(missing_memory_at_any_step_is_reported_by_print),
		cmocka_unit_test(bad_json_is_refused_with_line_and_column),
		cmocka_unit_test(values_are_read_back),
		cmocka_unit_test(a_cut_never_splits_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
