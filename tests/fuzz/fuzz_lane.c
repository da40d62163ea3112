/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes as text and as JSON: what is read is written in a form that reads back the same, laid over
 * a machine or refused with a sentence, and completed at any place.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lane_spec.h"
#include "zonelab/file.h"

/* One lane of so many is laid over a machine. */
#define APPLY_TURN 16

static void check_same(const struct lane_spec *a, const struct lane_spec *b)
{
	if (strcmp(a->name, b->name) != 0 || a->nr_items != b->nr_items) {
		abort();
	}
	for (unsigned i = 0; i < a->nr_items; i++) {
		if (a->item[i].kind != b->item[i].kind ||
			strcmp(lane_key(a, i), lane_key(b, i)) != 0 ||
			strcmp(lane_value(a, i), lane_value(b, i)) != 0) {
			abort();
		}
	}
}

/* Text cut to its room need not read back; everything else must. */
static void check_written(const struct lane_spec *s, struct lane_spec *again)
{
	static char text[LANE_TEXT];
	struct zl_error err = {0};
	bool tight = s->used * 2 > sizeof(text);

	lane_format(s, text, sizeof(text));
	if (!tight && (lane_parse(text, again, &err) != 0)) {
		abort();
	}
	if (!tight) {
		check_same(s, again);
	}
}

static void check_object(const struct lane_spec *s, struct lane_spec *again)
{
	struct zl_json *o = lane_to_json(s);
	struct zl_error err = {0};

	if (lane_from_json(o, again, &err) != 0 || again->nr_items != s->nr_items) {
		abort();
	}
	zl_json_free(o);
}

static void check_applied(const struct lane_spec *s, const struct zl_profile *base)
{
	struct zl_error err = {0};
	struct zl_profile p;

	if (lane_apply(s, base, zl_allocator_heap(), &p, &err) == 0) {
		zl_profile_done(&p, zl_allocator_heap());
	} else if (err.text[0] == '\0') {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lane_spec *s = calloc(2, sizeof(*s));
	struct zl_profile *base = calloc(1, sizeof(*base));
	char *text = fuzz_string(data, size);
	struct zl_error err = {0};

	if (s != NULL && base != NULL && text != NULL && strstr(text, "profile") == NULL) {
		zl_profile_init(base);
		if (lane_parse(text, &s[0], &err) != 0) {
			if (err.text[0] == '\0') {
				abort();
			}
		} else {
			check_written(&s[0], &s[1]);
			check_object(&s[0], &s[1]);
			if (fuzz_turn(data, size, APPLY_TURN)) {
				check_applied(&s[0], base);
			}
		}
	}
	free(text);
	free(base);
	free(s);
	return 0;
}
