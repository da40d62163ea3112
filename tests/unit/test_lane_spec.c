/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes as text and as JSON: what splits, what does not, what is refused and where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lane_spec.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

static struct lane_spec *parsed(const char *text)
{
	struct lane_spec *s = calloc(1, sizeof(*s));
	struct zl_error err = {0};

	assert_non_null(s);
	if (lane_parse(text, s, &err) != 0) {
		fail_msg("%s: %u: %s", text, err.column, err.text);
	}
	return s;
}

/* "kind key value;..." of a lane. */
static void gives(const char *text, const char *name, const char *want)
{
	static const char kinds[] = "sptn"; /* setting, profile, point, named policy */
	struct lane_spec *s = parsed(text);
	char buf[1024];
	struct zl_text t;

	zl_text_init(&t, buf, sizeof(buf));
	for (unsigned i = 0; i < s->nr_items; i++) {
		zl_text_fmt(&t, "%s%c %s=%s", i > 0 ? "; " : "", kinds[s->item[i].kind],
			lane_key(s, i), lane_value(s, i));
	}
	assert_string_equal(name, s->name);
	assert_string_equal(want, buf);
	free(s);
}

static void refuses(const char *text, unsigned column, const char *sentence)
{
	struct lane_spec *s = calloc(1, sizeof(*s));
	struct zl_error err = {0};

	assert_non_null(s);
	assert_int_not_equal(0, lane_parse(text, s, &err));
	if (err.column != column || strstr(err.text, sentence) == NULL) {
		fail_msg("%s: %u: %s", text, err.column, err.text);
	}
	free(s);
}

static void items_split_at_commas(void **state)
{
	(void)state;
	gives("A:kernel=6.12,high_min=700", "A", "s kernel=6.12; s high_min=700");
	gives("old:6.12", "old", "s kernel=6.12");
	gives("old:6.12, batch = 31 ", "old", "s kernel=6.12; s batch=31");
	gives("B:profile=rz-g3s,cpus=2", "B", "p =rz-g3s; s cpus=2");
	gives("base:", "base", "");
	gives("C:policy=v2-5-batch", "C", "n =v2-5-batch");
}

static void the_name_ends_at_the_first_colon(void **state)
{
	(void)state;
	gives("x:cmdline=a:b", "x", "s cmdline=a:b");
	refuses("kernel=6.12", 1, "begins with its name");
	refuses(":kernel=6.12", 1, "begins with its name");
	refuses("a b:kernel=6.12", 2, "begins with its name");
	refuses("sixteen-letters-:6.12", 1, "1 to 15 characters");
}

static void brackets_quotes_and_backslashes_keep_commas(void **state)
{
	(void)state;
	gives("A:policy.nr_pcp_free=min(pcp->count, batch << 2),kernel=6.18", "A",
		"t nr_pcp_free=min(pcp->count, batch << 2); s kernel=6.18");
	gives("A:zones=DMA:16M\\,Normal:4G,cpus=2", "A", "s zones=DMA:16M,Normal:4G; s cpus=2");
	gives("A:zones=\"DMA:16M,Normal:4G\"", "A", "s zones=DMA:16M,Normal:4G");
	gives("A:cmdline=\"say \\\"no\\\"\"", "A", "s cmdline=say \"no\"");
	gives("A:cmdline=\"(\"", "A", "s cmdline=(");
	gives("A:cmdline=\"a\\\\\",cpus=2", "A", "s cmdline=a\\; s cpus=2");
	gives("A:cmdline=\"\\d\"", "A", "s cmdline=\\d");
	gives("A:policy.free_high=pcp->free_count >= batch && lists[1] == 2", "A",
		"t free_high=pcp->free_count >= batch && lists[1] == 2");
}

static void errors_have_their_column(void **state)
{
	(void)state;
	refuses("A:6.12,policy.free_high=min(1", 28, "'(' is not closed");
	refuses("A:6.12,x=)", 10, "closes nothing");
	refuses("A:6.12,x=(]", 11, "closes nothing");
	refuses("A:cmdline=\"x", 11, "quote is not closed");
	refuses("A:6.12,,batch=3", 8, "no item of a lane");
	refuses("A:6.12,", 8, "no item of a lane");
	refuses("A:=3", 3, "no item of a lane");
	refuses("A:6.18,policy.=1", 8, "policy. without a point");
	gives("A:policy. free_high=1", "A", "t free_high=1");
	refuses("A:\"  =3\"", 3, "no item of a lane"); /* blanks are no key */
	refuses("A:\"\t =\"", 3, "no item of a lane");
	refuses("{\"name\": \"B\", \"settings\": {\"\": \"3\"}}", 0, "is no key here");
	refuses("{\"name\": \"B\", \"settings\": {\"policy.n\": \"3\"}}", 0, "is no key here");
	refuses("{\"name\": \"B\", \"settings\": {\"profile\": \"x\"}}", 0, "is no key here");
	refuses("{\"name\": \"B\", \"policies\": {\"a=b\": \"3\"}}", 0, "is no key here");
	refuses("A:\"x,y\"=3", 3, "is no key of a lane");
	refuses("{\"name\": \"B:\"}", 2, "begins with its name and a colon");
	refuses("{\"name\": \"{B\"}", 1, "begins with its name and a colon");
	refuses("A:fast", 3, "no item of a lane");
}

static void objects_say_the_same(void **state)
{
	(void)state;
	/* Blanks around a value are none of it, as in a text. */
	gives("{\"name\": \"B\", \"settings\": {\"kernel\": \" 6.18\\t\"}}", "B", "s kernel=6.18");
	gives("{\"name\": \"B\", \"profile\": \"rz-g3s\", \"settings\": {\"kernel\": \"6.18\", "
	      "\"high_min\": 700, \"thp\": false, \"seed\": null}, \"policies\": {\"free_high\": "
	      "\"1\"}, \"policy\": [\"a\", \"b\"]}",
		"B",
		"p =rz-g3s; s kernel=6.18; s high_min=700; s thp=off; t free_high=1; n =a; n =b");
	refuses("{\"settings\": {}}", 0, "object with a name");
	refuses("{\"name\": \"B\", \"fast\": 1}", 0, "fast is not known");
	refuses("{\"name\": \"B\", \"settings\": {\"cpus\": [1]}}", 0, "cpus is no string");
	refuses("{\"name\": \"B\", ", 14, "not valid JSON");
}

/* What is written reads back, as text and as an object. */
static void both_forms_can_be_written_and_read_back(void **state)
{
	static const char *const lanes[] = {"A:kernel=6.12,high_min=700",
		"base:", "B:profile=rz-g3s,policy.free_high=min(a, b) > \"x\",policy=n",
		"C:zones=\"DMA:16M,Normal:4G\"", "D:cmdline=\"a\\\\,b\\\"(\"", "E:cmdline=(a\\)",
		"F:cmdline=\"a\\\"b:cmdline=\"a\\&b\\\\", "G:cmdline=\"a\\\\\",cpus=2"};

	(void)state;
	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
		struct lane_spec *s = parsed(lanes[i]);
		struct lane_spec *again;
		char text[1024];
		char *json = NULL;

		for (unsigned form = 0; form < 2; form++) {
			struct zl_json *o = lane_to_json(s);

			lane_format(s, text, sizeof(text));
			assert_int_equal(0, zl_json_print(o, false, &json));
			again = parsed(form == 0 ? text : json);
			assert_string_equal(s->name, again->name);
			assert_int_equal(s->nr_items, again->nr_items);
			for (unsigned k = 0; form == 0 && k < s->nr_items; k++) {
				assert_int_equal(s->item[k].kind, again->item[k].kind);
				assert_string_equal(lane_key(s, k), lane_key(again, k));
				assert_string_equal(lane_value(s, k), lane_value(again, k));
			}
			zl_json_text_free(json);
			zl_json_free(o);
			free(again);
		}
		free(s);
	}
}

static struct zl_profile *base_with(const char *assignment, enum zl_origin origin)
{
	struct zl_profile *p = calloc(1, sizeof(*p));
	struct zl_error err = {0};

	assert_non_null(p);
	zl_profile_init(p);
	assert_int_equal(0, zl_settings_assign(&p->settings, assignment, origin, &err));
	return p;
}

/* --set stands above a lane's profile, a lane's setting above both. */
static void a_lane_is_laid_over_the_users_machine(void **state)
{
	struct zl_profile *base = base_with("kernel=6.16", ZL_ORIGIN_GIVEN);
	struct lane_spec *s = parsed("B:cpus=2,profile=rz-g3s");
	struct lane_spec *over = parsed("B:profile=rz-g3s,6.1");
	struct zl_error err = {0};
	struct zl_profile p;

	(void)state;
	assert_int_equal(0, lane_apply(s, base, zl_allocator_heap(), &p, &err));
	assert_string_equal("6.16", zl_settings_text(&p.settings, ZL_SET_KERNEL));
	assert_int_equal(2, p.settings.value[ZL_SET_CPUS].number);
	assert_int_equal(1073741824, p.settings.value[ZL_SET_MEMORY].number);
	zl_profile_done(&p, zl_allocator_heap());
	assert_int_equal(0, lane_apply(over, base, zl_allocator_heap(), &p, &err));
	assert_string_equal("6.1", zl_settings_text(&p.settings, ZL_SET_KERNEL));
	zl_profile_done(&p, zl_allocator_heap());
	zl_profile_done(base, zl_allocator_heap());
	free(base);
	free(s);
	free(over);
}

static void what_cannot_be_applied_names_lane_and_place(void **state)
{
	static const struct {
		const char *lane;
		unsigned column;
		const char *sentence;
	} table[] = {
		{"B:6.12,hihg_min=3",	      8, "lane B: there is no setting 'hihg_min'; did you mean"},
		{"B:cpus=many",			3, "lane B: "					     },
		{"B:profile=no-such-machine",   3, "no shipped profile 'no-such-machine'; see"	    },
		{"B:profile=rzg3s",		    3,
			"lane B: rzg3s: there is no such file and no shipped profile 'rzg3s'; did "
			"you mean rz-g3s"								},
		{"B:6.12,policy.free_hihg=1",   8, "did you mean"					       },
		{"B:6.12,policy.free_high=1 +", 8, "lane B: "					     },
		{"B:6.12,policy=no-such",	  8, "lane B: "					       },
	};
	struct zl_profile *base = base_with("kernel=6.16", ZL_ORIGIN_GIVEN);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct lane_spec *s = parsed(table[i].lane);
		struct zl_error err = {0};
		struct zl_profile p;

		assert_int_not_equal(0, lane_apply(s, base, zl_allocator_heap(), &p, &err));
		if (err.column != table[i].column || strstr(err.text, table[i].sentence) == NULL) {
			fail_msg("%s: %u: %s", table[i].lane, err.column, err.text);
		}
		free(s);
	}
	zl_profile_done(base, zl_allocator_heap());
	free(base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_split_at_commas),
		cmocka_unit_test(the_name_ends_at_the_first_colon),
		cmocka_unit_test(brackets_quotes_and_backslashes_keep_commas),
		cmocka_unit_test(errors_have_their_column),
		cmocka_unit_test(objects_say_the_same),
		cmocka_unit_test(both_forms_can_be_written_and_read_back),
		cmocka_unit_test(a_lane_is_laid_over_the_users_machine),
		cmocka_unit_test(what_cannot_be_applied_names_lane_and_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
