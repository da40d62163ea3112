/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of answers in their four forms, and wrapped text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "table.h"

static const struct column columns[] = {
	{"name",	 "name",	 false},
	{"pages",  "free|pages", true },
	{"bytes",  "bytes",	   true },
	{"hidden", NULL,	 false},
	{"note",	 "note",	 false},
};
#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void fill(struct table *t, struct output *out, struct zl_json *rows, const char *note)
{
	table_init(t, out, rows, columns, NR_COLUMNS);
	table_text(t, "DMA32");
	table_number(t, 1044480);
	table_bytes(t, 4278190080);
	table_bool(t, true, "yes", "no");
	table_text(t, note);
	table_text(t, "DMA");
	table_none(t);
	table_bytes(t, 16777216);
	table_bool(t, false, "yes", "no");
	table_text(t, "");
	table_print(t);
}

static void text_is_fitted_to_its_content(void **state)
{
	struct output out = {.format = FORMAT_TEXT};
	struct table t;

	(void)state;
	fill(&t, &out, NULL, "below 4 GiB");
	assert_string_equal("            free\n"
			    "name       pages     bytes  note\n"
			    "DMA32  1 044 480  4080 MiB  below 4 GiB\n"
			    "DMA            -    16 MiB\n",
		zl_buf_text(&out.text));
	output_done(&out);
}

static void the_last_column_wraps_at_the_width_of_the_page(void **state)
{
	struct output out = {.format = FORMAT_MAIL};
	struct table t;

	(void)state;
	fill(&t, &out, NULL,
		"one two three four five six seven eight nine ten eleven twelve 22 528 KiB");
	assert_string_equal(
		"            free\n"
		"name       pages     bytes  note\n"
		"DMA32  1 044 480  4080 MiB  one two three four five six seven eight nine\n"
		"                            ten eleven twelve 22 528 KiB\n"
		"DMA            -    16 MiB\n",
		zl_buf_text(&out.text));
	output_done(&out);
}

static void csv_has_keys_plain_numbers_and_quotes_where_needed(void **state)
{
	struct output out = {.format = FORMAT_CSV};
	struct table t;

	(void)state;
	fill(&t, &out, NULL, "a \"quoted\", note");
	assert_string_equal("name,pages,bytes,hidden,note\n"
			    "DMA32,1044480,4278190080,true,\"a \"\"quoted\"\", note\"\n"
			    "DMA,,16777216,false,\n",
		zl_buf_text(&out.text));
	output_done(&out);
}

static void json_has_typed_members_and_null(void **state)
{
	struct output out = {.format = FORMAT_JSON};
	struct zl_json *rows = zl_json_array();
	struct table t;
	char *text = NULL;

	(void)state;
	fill(&t, &out, rows, "x");
	assert_int_equal(0, zl_json_print(rows, false, &text));
	assert_string_equal("[{\"name\":\"DMA32\",\"pages\":1044480,\"bytes\":4278190080,"
			    "\"hidden\":true,\"note\":\"x\"},"
			    "{\"name\":\"DMA\",\"pages\":null,\"bytes\":16777216,"
			    "\"hidden\":false,\"note\":\"\"}]",
		text);
	assert_int_equal(0, out.text.len);
	zl_json_text_free(text);
	zl_json_free(rows);
	output_done(&out);
}

static void a_line_never_ends_inside_a_number_or_before_its_unit(void **state)
{
	(void)state;
	for (size_t columns_of_page = 12; columns_of_page < 60; columns_of_page++) {
		struct zl_buf b = {0};

		text_wrap(&b, 2, columns_of_page, "pool of 22 528 KiB, 12 % of 4 GiB; 1 048 576.");
		const char *s = zl_buf_text(&b);
		assert_null(strstr(s, "22\n"));
		assert_null(strstr(s, "528\n"));
		assert_null(strstr(s, "12\n"));
		assert_null(strstr(s, "of 4\n"));
		assert_null(strstr(s, "048\n"));
		assert_null(strstr(s, " \n"));
		zl_buf_done(&b);
	}
}

static void a_word_longer_than_a_line_is_cut(void **state)
{
	struct zl_buf b = {0};

	(void)state;
	text_wrap(&b, 0, 10, "abc 0123456789abcdef");
	assert_string_equal("abc\n0123456789\nabcdef\n", zl_buf_text(&b));
	zl_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_fitted_to_its_content),
		cmocka_unit_test(the_last_column_wraps_at_the_width_of_the_page),
		cmocka_unit_test(csv_has_keys_plain_numbers_and_quotes_where_needed),
		cmocka_unit_test(json_has_typed_members_and_null),
		cmocka_unit_test(a_line_never_ends_inside_a_number_or_before_its_unit),
		cmocka_unit_test(a_word_longer_than_a_line_is_cut),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
