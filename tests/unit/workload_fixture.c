/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload_fixture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"

int workload_read(const char *text, struct zl_workload *w, struct zl_error *err)
{
	memset(err, 0, sizeof(*err));
	return zl_workload_parse(text, strlen(text), zl_allocator_heap(), w, err);
}

void workload_assert_written(const struct zl_workload *w, const char *ops)
{
	struct zl_buf text = {0}, text_again = {0};
	struct zl_workload again;
	struct zl_error err;

	zl_workload_write(w, &text);
	assert_non_null(strstr(zl_buf_text(&text), ops));
	assert_int_equal(0, workload_read(zl_buf_text(&text), &again, &err));
	zl_workload_write(&again, &text_again);
	assert_string_equal(zl_buf_text(&text), zl_buf_text(&text_again));
	zl_buf_done(&text);
	zl_buf_done(&text_again);
	zl_workload_done(&again);
}

void workload_assert_refused(const char *text, unsigned line, unsigned column, const char *part)
{
	struct zl_workload w;
	struct zl_error err;

	assert_int_equal(-EINVAL, workload_read(text, &w, &err));
	if (err.line != line || err.column != column || strstr(err.text, part) == NULL) {
		fail_msg("%s: %u:%u: %s", part, err.line, err.column, err.text);
	}
	assert_null(w.ops);
}
