/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"

#define CHUNK 7

static const char head[] = "{\"kind\": \"scenario\", \"version\": 1, \"name\": \"t\",\n";

static int parse(const char *rest, struct zl_scenario *ret, struct zl_error *err)
{
	struct zl_buf b = {0};
	int rc;

	zl_buf_str(&b, head);
	zl_buf_str(&b, rest);
	zl_buf_chr(&b, '}');
	rc = zl_scenario_parse(b.data, b.len, zl_allocator_heap(), ret, err);
	zl_buf_done(&b);
	return rc;
}

void scenario_from(const char *rest, struct zl_scenario *ret)
{
	struct zl_error err = {0};

	if (parse(rest, ret, &err) != 0) {
		fail_msg("%s\nis refused: %u:%u: %s", rest, err.line, err.column, err.text);
	}
}

void scenario_refused(const char *rest, unsigned line, unsigned column, const char *sentence)
{
	struct zl_scenario s;
	struct zl_error err = {0};

	if (parse(rest, &s, &err) == 0) {
		zl_scenario_done(&s);
		fail_msg("%s\nis not refused", rest);
	}
	if (err.line != line || err.column != column || strstr(err.text, sentence) == NULL) {
		fail_msg("%s\n%u:%u: %s\nwanted %u:%u: %s", rest, err.line, err.column, err.text,
			line, column, sentence);
	}
}

static int expand(const struct zl_scenario *s, const struct zl_expand_options *options,
	size_t chunk, struct zl_buf *ret, struct zl_error *err)
{
	struct zl_scenario_op op[64];
	struct zl_expand *e = NULL;
	size_t n = 0;
	int rc;

	assert_int_equal(zl_expand_new(s, options, zl_allocator_heap(), &e, err), 0);
	do {
		rc = zl_expand_read(e, op, chunk, &n, err);
		for (size_t i = 0; i < n; i++) {
			char line[64];

			zl_op_format(&op[i].op, line, sizeof(line));
			zl_buf_fmt(ret, "%s%s", ret->len > 0 ? ";" : "", line);
		}
	} while (rc == 0 && n > 0);
	zl_expand_free(e);
	return rc;
}

void scenario_ops(const struct zl_scenario *s, const struct zl_expand_options *options,
	size_t chunk, struct zl_buf *ret)
{
	struct zl_error err = {0};

	if (expand(s, options, chunk, ret, &err) != 0) {
		fail_msg("cannot go on at %u: %s", err.line, err.text);
	}
}

void scenario_gives(const char *rest, unsigned cpus, const char *want)
{
	const struct zl_expand_options options = {.cpus = cpus};
	struct zl_scenario s;
	struct zl_buf got = {0};

	scenario_from(rest, &s);
	scenario_ops(&s, &options, CHUNK, &got);
	assert_string_equal(zl_buf_text(&got), want);
	zl_buf_done(&got);
	zl_scenario_done(&s);
}

void scenario_stops(const char *rest, unsigned cpus, int want, const char *sentence)
{
	const struct zl_expand_options options = {.cpus = cpus};
	struct zl_scenario s;
	struct zl_buf got = {0};
	struct zl_error err = {0};

	scenario_from(rest, &s);
	int rc = expand(&s, &options, CHUNK, &got, &err);
	if (rc != want || strstr(err.text, sentence) == NULL || err.line == 0 || err.column == 0) {
		fail_msg("%s\n%d, %u:%u: %s", rest, rc, err.line, err.column, err.text);
	}
	zl_buf_done(&got);
	zl_scenario_done(&s);
}
