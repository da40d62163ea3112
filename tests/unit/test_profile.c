/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scarce.h"
#include "zonelab/file.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"

static void read_shipped(size_t i, struct zl_profile *ret)
{
	struct zl_error err = {0};
	const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_PROFILES, i);

	if (zl_profile_read(s->text, s->size, zl_allocator_heap(), ret, &err) < 0) {
		fail_msg("%s: %s", s->name, err.text);
	}
}

static void every_shipped_profile_is_a_machine_that_can_be_built(void **state)
{
	static struct zl_machine m;
	static struct zl_diags diags;

	(void)state;
	assert_true(zl_shipped_count(ZL_SHIPPED_PROFILES) >= 25);
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		struct zl_profile p;

		read_shipped(i, &p);
		assert_string_equal(zl_shipped_at(ZL_SHIPPED_PROFILES, i)->name, p.name);
		assert_true(strlen(p.title) > 0);
		assert_true(strlen(p.source) > 0);
		memset(&diags, 0, sizeof(diags));
		zl_machine_resolve(&p, &m, &diags);
		for (size_t k = 0; k < diags.count; k++) {
			if (diags.item[k].severity == ZL_ERROR) {
				fail_msg("%s: %s", p.name, diags.item[k].text);
			}
		}
		assert_true(m.nr_zones > 0);
		assert_true(m.managed_pages > 0);
		assert_true(m.release_known);
		zl_profile_done(&p, zl_allocator_heap());
	}
}

static void names_are_sorted_and_found(void **state)
{
	(void)state;
	for (size_t i = 1; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		assert_true(strcmp(zl_shipped_at(ZL_SHIPPED_PROFILES, i - 1)->name,
				    zl_shipped_at(ZL_SHIPPED_PROFILES, i)->name) < 0);
	}
	assert_int_equal(SIZE_MAX, zl_shipped_find(ZL_SHIPPED_PROFILES, "no-such"));
	assert_int_not_equal(SIZE_MAX, zl_shipped_find(ZL_SHIPPED_PROFILES, "amd-2x384"));
	assert_null(zl_shipped_at(ZL_SHIPPED_PROFILES, zl_shipped_count(ZL_SHIPPED_PROFILES)));
}

static void what_is_written_reads_back_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		struct zl_profile p;
		struct zl_profile again;
		char *text = NULL;
		char *twice = NULL;

		read_shipped(i, &p);
		struct zl_json *j = zl_profile_to_json(&p);
		assert_int_equal(0, zl_json_print(j, true, &text));
		zl_json_free(j);
		assert_int_equal(
			0, zl_profile_read(text, strlen(text), zl_allocator_heap(), &again, NULL));
		j = zl_profile_to_json(&again);
		assert_int_equal(0, zl_json_print(j, true, &twice));
		zl_json_free(j);
		assert_string_equal(text, twice);
		zl_json_text_free(text);
		zl_json_text_free(twice);
		zl_profile_done(&p, zl_allocator_heap());
		zl_profile_done(&again, zl_allocator_heap());
	}
}

static void amd_2x384_gives_the_figures_of_its_source(void **state)
{
	static struct zl_machine m;
	struct zl_profile p;

	(void)state;
	read_shipped(zl_shipped_find(ZL_SHIPPED_PROFILES, "amd-2x384"), &p);
	zl_machine_resolve(&p, &m, NULL);
	/* spec: node 1 low 221 392, high_min 576, high_max 65 536 for 384 CPUs */
	const struct zl_zone *z = &m.zones[m.nr_zones - 1];
	assert_int_equal(1, z->node);
	assert_int_equal(384, z->cpus);
	assert_int_equal(201326592, z->managed);
	assert_int_equal(221392, z->wmark.low);
	assert_int_equal(576, z->limits.high_min);
	assert_int_equal(65536, z->limits.high_max);
	assert_true(z->free_high_batch);
	zl_profile_done(&p, zl_allocator_heap());
}

static void refused(const char *text, int code, const char *words)
{
	struct zl_profile p;
	struct zl_error err = {0};
	int r = zl_profile_read(text, strlen(text), zl_allocator_heap(), &p, &err);

	assert_int_equal(code, r);
	if (strstr(err.text, words) == NULL) {
		fail_msg("\"%s\" lacks \"%s\"", err.text, words);
	}
}

#define HEAD "{\"kind\":\"profile\",\"version\":1,"

static void bad_profiles_are_refused_with_the_place(void **state)
{
	(void)state;
	refused("[]", -EINVAL, "an object would be right");
	refused("{}", -EINVAL, "\"kind\": \"profile\"");
	refused("{\"kind\":\"profile\",\"version\":2}", -ERANGE, "version");
	refused("{\"kind\":\"x\",\"version\":1}", -EINVAL, "kind");
	refused(HEAD "\"nmae\":\"x\"}", -EINVAL, "no member \"nmae\"");
	refused(HEAD "\"settings\":{\"page_siz\":4096}}", -EINVAL, "nearest: page_size");
	refused(HEAD "\"settings\":{\"cpus\":\"many\"}}", -EINVAL, "cpus");
	refused(HEAD "\"settings\":{\"cpus\":[1]}}", -EINVAL, "a list");
	refused(HEAD "\"zones\":[{\"zone\":\"Normal\"}]}", -EINVAL, "zones_page_size");
	refused(HEAD "\"zones_page_size\":4097}", -EINVAL, "no page size");
	refused(HEAD "\"zones_page_size\":4096,\"zones\":[{\"zone\":\"Abnormal\"}]}", -EINVAL,
		"zones[0].zone");
	refused(HEAD "\"zones_page_size\":4096,\"zones\":[{\"zone\":\"DMA\",\"managed\":-1}]}",
		-ERANGE, "zones[0].managed");
	refused(HEAD "\"zones_page_size\":4096,\"zones\":[{\"zone\":\"DMA\",\"managed\":2,"
		     "\"present\":1}]}",
		-ERANGE, "more than present");
	refused(HEAD "\"zones_page_size\":4096,\"zones\":[{\"zone\":\"DMA\",\"pagesets\":"
		     "[{\"high\":1.5}]}]}",
		-EINVAL, "zones[0].pagesets[0].high");
	refused(HEAD "\"observed\":{\"min_free_kbytes\":9007199254740993}}", -EINVAL, "below 2^53");
	refused("{\"kind\":", -EINVAL, "not valid JSON");
}

static void settings_take_numbers_in_bytes_and_typed_words(void **state)
{
	static const char text[] = HEAD "\"settings\":{\"page_size\":16384,\"memory\":\"2G\","
					"\"thp\":false,\"arch\":\"arm64\",\"kernel\":\"6.12\","
					"\"cpus\":null}}";
	struct zl_profile p;

	(void)state;
	assert_int_equal(0, zl_profile_read(text, sizeof(text) - 1, zl_allocator_heap(), &p, NULL));
	assert_int_equal(16384, p.settings.value[ZL_SET_PAGE_SIZE].number);
	assert_int_equal(INT64_C(2) << 30, p.settings.value[ZL_SET_MEMORY].number);
	assert_int_equal(0, p.settings.value[ZL_SET_THP].number);
	assert_false(zl_settings_given(&p.settings, ZL_SET_CPUS));
	zl_profile_done(&p, zl_allocator_heap());
}

static void missing_memory_is_an_error_at_any_point(void **state)
{
	const struct zl_shipped *s = zl_shipped_at(
		ZL_SHIPPED_PROFILES, zl_shipped_find(ZL_SHIPPED_PROFILES, "x86-2cpu-6.18"));
	int r = -ENOMEM;

	(void)state;
	for (size_t n = 0; r != 0; n++) {
		struct scarce scarce;
		struct zl_profile p;
		struct zl_error err = {0};

		scarce_init(&scarce, n);
		scarce.once = true;
		r = zl_profile_read(s->text, s->size, &scarce.allocator, &p, &err);
		assert_true(r == 0 || r == -ENOMEM);
		if (r == 0) {
			zl_profile_done(&p, &scarce.allocator);
		}
		assert_int_equal(0, scarce.live);
		assert_true(n < 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_profile_is_a_machine_that_can_be_built),
		cmocka_unit_test(names_are_sorted_and_found),
		cmocka_unit_test(what_is_written_reads_back_the_same),
		cmocka_unit_test(amd_2x384_gives_the_figures_of_its_source),
		cmocka_unit_test(bad_profiles_are_refused_with_the_place),
		cmocka_unit_test(settings_take_numbers_in_bytes_and_typed_words),
		cmocka_unit_test(missing_memory_is_an_error_at_any_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
