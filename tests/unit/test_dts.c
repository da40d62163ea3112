/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tolerant reader of device-tree source: values and places, what people paste, limits, and
 * memory that runs out.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scarce.h"
#include "zonelab/dts.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

static int read_with(const char *text, const struct zl_dts_includer *includer, struct zl_dts **ret,
	struct zl_error *err)
{
	const struct zl_dts_options options = {
		.name = "t.dts", .allocator = zl_allocator_heap(), .includer = includer};

	return zl_dts_read(text, strlen(text), &options, ret, err);
}

static struct zl_dts *read_text(const char *text)
{
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	if (read_with(text, NULL, &dts, &err) != 0) {
		fail_msg("%s", err.text);
	}
	return dts;
}

/* The first property of a name anywhere. */
static const struct zl_dts_prop *prop(const struct zl_dts *dts, const char *name)
{
	const struct zl_dts_node *tops[] = {dts->root, dts->orphans};

	for (size_t i = 0; i < 2; i++) {
		for (const struct zl_dts_node *n = NULL; (n = zl_dts_next(tops[i], n)) != NULL;) {
			const struct zl_dts_prop *p = zl_dts_prop_find(n, name);

			if (p != NULL) {
				return p;
			}
		}
	}
	return NULL;
}

static uint64_t number(const struct zl_dts *dts, const char *name, size_t first, unsigned cells)
{
	const struct zl_dts_prop *p = prop(dts, name);
	uint64_t v = 0;

	assert_non_null(p);
	assert_int_equal(0, zl_dts_prop_number(p, first, cells, &v));
	return v;
}

static void values_are_bytes_as_in_a_blob(void **state)
{
	static const uint8_t want[] = {0x00, 0x00, 0x00, 0x10, 'a', '\n', 'b', 0, 0x12, 0xab, 1, 2,
		0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	struct zl_dts *dts = read_text("/ { p = <0x10>, \"a\\nb\", [12 ab], /bits/ 8 <1 2>, "
				       "/bits/ 64 <0x1122334455667788>; };");
	const struct zl_dts_prop *p = prop(dts, "p");

	(void)state;
	assert_non_null(p);
	assert_int_equal(sizeof(want), p->size);
	assert_memory_equal(want, p->data, sizeof(want));
	zl_dts_free(dts);
}

static void expressions_follow_c(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} rows[] = {
		{"((320-4)*1024*1024)",	331350016 },
		{"(1 << 25)",	      0x2000000 },
		{"(2 + 3 * 4)",		14	  },
		{"(20 - 4 - 1)",		 15	   },
		{"(0x10 | 1 & 3 ^ 2)",     0x13	   },
		{"(1 ? 2 : 3)",		2	 },
		{"(0 ? 2 : 1 ? 4 : 5)",	4	 },
		{"(7 / 2 % 2)",		1	 },
		{"(!0 + (~0 & 0xff))",     256	  },
		{"(1 < 2 && 3 >= 3 || 0)", 1	    },
		{"(16 >> 2 == 4)",	   1	    },
		{"('A' + 010 + 5UL)",      78	},
		{"(-1)",			 0xffffffff},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[128];
		struct zl_dts *dts;

		zl_format(text, sizeof(text), "/ { v = <%s>; };", rows[i].text);
		dts = read_text(text);
		assert_int_equal(rows[i].value, number(dts, "v", 0, 1));
		assert_int_equal(0, dts->nr_notes);
		zl_dts_free(dts);
	}
}

static void every_cell_knows_its_place(void **state)
{
	static const char text[] = "/ {\n\treg = <0x0 0x50000000\n\t\t(4 * 1024)>;\n};";
	struct zl_dts *dts = read_text(text);
	const struct zl_dts_prop *p = prop(dts, "reg");
	unsigned line = 0;
	unsigned column = 0;

	(void)state;
	assert_int_equal(3, p->nr_cells);
	assert_memory_equal("0x50000000", text + p->cells[1].begin, 10);
	assert_int_equal(10, p->cells[1].end - p->cells[1].begin);
	assert_memory_equal("(4 * 1024)", text + p->cells[2].begin, 10);
	zl_dts_place(dts, 0, p->cells[2].begin, &line, &column);
	assert_int_equal(3, line);
	assert_int_equal(3, column);
	zl_dts_free(dts);
}

static void nodes_merge_and_labels_resolve(void **state)
{
	struct zl_dts *dts = read_text("/ { a: one { x = <1>; y = <1>; }; };\n"
				       "/ { one { x = <2>; }; two { z; }; };\n"
				       "&a { /delete-property/ y; w = <3>; };\n"
				       "/delete-node/ &b;\n/ { /delete-node/ two; };\n"
				       "&{/one} { v = <4>; }; &unknown { u = <5>; };");
	const struct zl_dts_node *one = zl_dts_child_find(dts->root, "one");

	(void)state;
	assert_non_null(one);
	assert_int_equal(2, number(dts, "x", 0, 1));
	assert_int_equal(3, number(dts, "w", 0, 1));
	assert_int_equal(4, number(dts, "v", 0, 1));
	assert_null(zl_dts_prop_find(one, "y"));
	assert_non_null(zl_dts_prop_find(one, "v"));
	assert_null(zl_dts_child_find(dts->root, "two"));
	assert_non_null(zl_dts_child_find(dts->orphans, "&unknown"));
	zl_dts_free(dts);
}

static void macros_and_includes_are_named_and_skipped(void **state)
{
	struct zl_dts *dts =
		read_text("#include <dt-bindings/a.h>\n"
			  "#define MIB(x) ((x) << 20)\n"
			  "#define SIZE (2 * UNIT) /* bytes */\n#define UNIT 0x100000\n"
			  "/ { a = <SIZE>; b = <MIB(3) 7 GIC_SPI>; c = <8>; };");

	(void)state;
	assert_int_equal(0x200000, number(dts, "a", 0, 1));
	assert_int_equal(12, prop(dts, "b")->size);
	assert_int_equal(7, number(dts, "b", 1, 1));
	assert_int_equal(3 << 20, number(dts, "b", 0, 1));
	assert_int_equal(8, number(dts, "c", 0, 1));
	assert_int_equal(2, dts->nr_missing);
	assert_string_equal("dt-bindings/a.h", dts->missing[0]);
	assert_string_equal("GIC_SPI", dts->missing[1]);
	zl_dts_free(dts);
}

static void a_macro_that_was_undefined_is_unknown(void **state)
{
	struct zl_dts *dts = read_text("#define A 1\n#define AB 2\n#undef A\n"
				       "/ { a = <A>; b = <AB>; };\n#define A 3\n/ { c = <A>; };");

	(void)state;
	assert_int_equal(1, dts->nr_missing);
	assert_string_equal("A", dts->missing[0]);
	assert_int_equal(2, number(dts, "b", 0, 1));
	assert_int_equal(3, number(dts, "c", 0, 1));
	zl_dts_free(dts);
}

static void macros_with_arguments_are_text(void **state)
{
	struct zl_dts *dts = read_text(
		"#define MIB(x) ((x) * 0x100000)\n"
		"#define AT(base, mib) 0 base 0 MIB(mib)\n"
		"#define LIKE_C(x) (x * 2)\n"
		"#define JOINED(a) (SZ_##a)\n"
		"#define NONE() 5\n"
		"/ { a = <AT(0x50000000, 4 + 1)>; b = <(MIB(1) + LIKE_C(1 + 1)) MIB (2)>;\n"
		"few = <AT(1)>; joined = <JOINED(4M)>; none = <NONE() 6>; bare = <MIB 7>; e = <9>; "
		"};");

	(void)state;
	assert_int_equal(16, prop(dts, "a")->size);
	assert_int_equal(0x50000000, number(dts, "a", 0, 2));
	assert_int_equal(5 << 20, number(dts, "a", 2, 2));
	/* 1 + 1 * 2: arguments are put in as they are written. */
	assert_int_equal((1 << 20) + 3, number(dts, "b", 0, 1));
	assert_int_equal(2 << 20, number(dts, "b", 1, 1));
	assert_false(prop(dts, "few")->cells[0].known);
	assert_false(prop(dts, "joined")->cells[0].known);
	assert_int_equal(5, number(dts, "none", 0, 1));
	assert_int_equal(6, number(dts, "none", 1, 1));
	assert_false(prop(dts, "bare")->cells[0].known);
	assert_int_equal(7, number(dts, "bare", 1, 1));
	assert_int_equal(9, number(dts, "e", 0, 1));
	zl_dts_free(dts);
}

static void conditions_choose_branches(void **state)
{
	struct zl_dts *dts =
		read_text("#define HAVE\n/ {\n#ifdef HAVE\n a = <1>;\n#else\n a = <2>;\n"
			  "#endif\n#ifndef HAVE\n b = <1>;\n#elif 1\n b = <3>;\n"
			  "#else\n b = <2>;\n#endif\n#if 0\n#if 1\n c = <1>;\n#endif\n"
			  "#else\n c = <2>;\n#endif\n #address-cells = <2>;\n};");

	(void)state;
	assert_int_equal(1, number(dts, "a", 0, 1));
	assert_int_equal(3, number(dts, "b", 0, 1));
	assert_int_equal(2, number(dts, "c", 0, 1));
	assert_int_equal(2, number(dts, "#address-cells", 0, 1));
	zl_dts_free(dts);
}

static int open_part(void *user, const char *name, char **ret_text, size_t *ret_size)
{
	static char text[] = "/ { inner = <9>; };\n";

	*(unsigned *)user += 1;
	if (strcmp(name, "part.dtsi") != 0) {
		return -ENOENT;
	}
	*ret_text = text;
	*ret_size = sizeof(text) - 1;
	return 0;
}

static void close_part(void *user, char *text)
{
	(void)user;
	(void)text;
}

static void includes_are_opened_only_through_the_caller(void **state)
{
	unsigned asked = 0;
	const struct zl_dts_includer inc = {open_part, close_part, &asked};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	(void)state;
	assert_int_equal(0, read_with("/include/ \"part.dtsi\"\n#include \"none.h\"\n/ { };", &inc,
				    &dts, &err));
	assert_int_equal(9, number(dts, "inner", 0, 1));
	assert_int_equal(2, asked);
	assert_int_equal(1, prop(dts, "inner")->file);
	assert_int_equal(1, dts->nr_missing);
	zl_dts_free(dts);
}

static void mail_quotes_and_diffs_are_taken_off(void **state)
{
	static const char quoted[] = "On Monday somebody wrote:\n> > pool {\n> > \tsize = <0x10>;\n"
				     "> > \t...\n> > };\n";
	static const char diff[] = "diff --git a/a.dts b/a.dts\n--- a/a.dts\n+++ b/a.dts\n"
				   "@@ -1,3 +1,3 @@ / {\n pool {\n-\tsize = <0x10>;\n"
				   "+\tsize = <0x20>;\n };\n-- \n2.40\n";
	static const char both[] = "> @@ -1,3 +1,3 @@\n>  pool {\n> -\tsize = <0x10>;\n"
				   "> +\tsize = <0x30>;\n>  };\n";
	static const char bare[] = "+pool {\n+\tsize = <0x40>;\n+};\n";
	struct zl_dts *dts = read_text(quoted);

	(void)state;
	assert_true(dts->quoted);
	assert_int_equal(0x10, number(dts, "size", 0, 1));
	zl_dts_free(dts);
	dts = read_text(diff);
	assert_true(dts->diff);
	assert_int_equal(0x20, number(dts, "size", 0, 1));
	zl_dts_free(dts);
	dts = read_text(both);
	assert_int_equal(0x30, number(dts, "size", 0, 1));
	zl_dts_free(dts);
	dts = read_text(bare);
	assert_int_equal(0x40, number(dts, "size", 0, 1));
	zl_dts_free(dts);
}

static void quoted_printable_is_decoded_but_cannot_be_corrected(void **state)
{
	struct zl_dts *dts = read_text("pool {\n\tsize =3D <0x=\n10>;\n\tcompatible =3D "
				       "\"shared-dma-pool\";=20\n};\n");

	(void)state;
	assert_true(dts->unfixable);
	assert_int_equal(0x10, number(dts, "size", 0, 1));
	zl_dts_free(dts);
}

static void a_list_that_closes_in_the_first_column_is_no_quote(void **state)
{
	struct zl_dts *dts = read_text("/ {\n\tregs = <1\n2\n>;\n\tsize = <3\n>;\n};\n");

	(void)state;
	assert_false(dts->quoted);
	assert_int_equal(2, number(dts, "regs", 1, 1));
	assert_int_equal(3, number(dts, "size", 0, 1));
	zl_dts_free(dts);
}

static void mistakes_are_noted_with_their_place(void **state)
{
	struct zl_dts *dts = read_text("/ {\n\tpool {\n\t\treusable\n\t\tsize = <0x10>\n"
				       "\t\treg = <1, 2>;\n\t\tbig = <0x123456789>;\n\t};\n");

	(void)state;
	assert_int_equal(0x10, number(dts, "size", 0, 1));
	assert_non_null(prop(dts, "reusable"));
	assert_int_equal(2, number(dts, "reg", 1, 1));
	assert_int_equal(5, dts->nr_notes);
	assert_string_equal("`;` is missing behind reusable", dts->note[0].text);
	assert_int_equal(3, dts->note[0].line);
	assert_string_equal("`;` is missing behind the value of size", dts->note[1].text);
	assert_string_equal("a comma inside < > is not a number", dts->note[2].text);
	assert_int_equal(5, dts->note[2].line);
	assert_int_equal(11, dts->note[2].column);
	assert_int_equal(6, dts->note[3].line);
	assert_string_equal("the text ends inside a node", dts->note[4].text);
	zl_dts_free(dts);
}

static void limits_are_refused_with_a_sentence(void **state)
{
	char text[512];
	struct zl_text t;
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	(void)state;
	zl_text_init(&t, text, sizeof(text));
	for (unsigned i = 0; i <= ZL_DTS_DEPTH_MAX; i++) {
		zl_text_str(&t, "n{");
	}
	assert_int_equal(-E2BIG, read_with(text, NULL, &dts, &err));
	assert_string_equal("nodes nested too deep; at most 64 levels are read", err.text);
	zl_text_init(&t, text, sizeof(text));
	zl_text_str(&t, "/ { a = <");
	for (unsigned i = 0; i <= ZL_DTS_EXPR_MAX; i++) {
		zl_text_chr(&t, '(');
	}
	assert_int_equal(-E2BIG, read_with(text, NULL, &dts, &err));
	assert_int_equal(-EINVAL, read_with("nothing to see", NULL, &dts, &err));
	assert_int_equal(-EINVAL, read_with("", NULL, &dts, &err));
}

static void macros_that_name_themselves_end(void **state)
{
	struct zl_dts *dts = read_text("#define A B\n#define B A\n#define C C C\n"
				       "/ { a = <A>; c = <C>; d = <1>; };");

	(void)state;
	assert_int_equal(1, number(dts, "d", 0, 1));
	assert_false(prop(dts, "a")->cells[0].known);
	zl_dts_free(dts);
}

static void memory_that_runs_out_is_an_error(void **state)
{
	static const char text[] = "#define A 1\nl: n { p = <A 2 3>, \"x\"; }; &l { q; };";
	int r = -ENOMEM;

	(void)state;
	for (size_t n = 0; r != 0; n++) {
		struct scarce scarce;
		const struct zl_dts_options options = {.name = "t", .allocator = &scarce.allocator};
		struct zl_error err = {0};
		struct zl_dts *dts = NULL;

		scarce_init(&scarce, n);
		r = zl_dts_read(text, sizeof(text) - 1, &options, &dts, &err);
		assert_true(r == 0 || r == -ENOMEM);
		if (r == 0) {
			zl_dts_free(dts);
		}
		assert_int_equal(0, scarce.live);
		assert_true(n < 100);
	}
}

static void damaged_blobs_are_refused(void **state)
{
	uint8_t blob[48] = {0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 48};
	const struct zl_dts_options options = {.name = "b", .allocator = zl_allocator_heap()};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	(void)state;
	blob[23] = 17;
	assert_true(zl_dtb_recognise(blob, sizeof(blob)));
	assert_int_equal(-EINVAL, zl_dtb_read(blob, sizeof(blob), &options, &dts, &err));
	assert_non_null(strstr(err.text, "damaged device-tree blob"));
	assert_int_equal(-EINVAL, zl_dtb_read(blob, 7, &options, &dts, &err));
}

static void blobs_of_forgotten_versions_are_refused(void **state)
{
	uint8_t blob[64] = {0xd0, 0x0d, 0xfe, 0xed, 0, 0, 0, 64};
	const struct zl_dts_options options = {.name = "b", .allocator = zl_allocator_heap()};
	struct zl_error err = {0};
	struct zl_dts *dts = NULL;

	(void)state;
	blob[23] = 9;
	assert_int_equal(-EINVAL, zl_dtb_read(blob, sizeof(blob), &options, &dts, &err));
	assert_string_equal("blob of version 9; 16 and newer are read", err.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_bytes_as_in_a_blob),
		cmocka_unit_test(expressions_follow_c),
		cmocka_unit_test(every_cell_knows_its_place),
		cmocka_unit_test(nodes_merge_and_labels_resolve),
		cmocka_unit_test(macros_and_includes_are_named_and_skipped),
		cmocka_unit_test(a_macro_that_was_undefined_is_unknown),
		cmocka_unit_test(macros_with_arguments_are_text),
		cmocka_unit_test(conditions_choose_branches),
		cmocka_unit_test(includes_are_opened_only_through_the_caller),
		cmocka_unit_test(mail_quotes_and_diffs_are_taken_off),
		cmocka_unit_test(quoted_printable_is_decoded_but_cannot_be_corrected),
		cmocka_unit_test(a_list_that_closes_in_the_first_column_is_no_quote),
		cmocka_unit_test(mistakes_are_noted_with_their_place),
		cmocka_unit_test(limits_are_refused_with_a_sentence),
		cmocka_unit_test(macros_that_name_themselves_end),
		cmocka_unit_test(memory_that_runs_out_is_an_error),
		cmocka_unit_test(damaged_blobs_are_refused),
		cmocka_unit_test(blobs_of_forgotten_versions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
