/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bind_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void bind_file(struct bound *b, const char *name, const struct zl_bind_hands *hands)
{
	const struct zl_allocator *mem = zl_allocator_heap();
	struct zl_error err = {0};
	struct zl_patch_input in;
	struct zl_patch_request request = {&in, 1, 0};
	char path[512];

	memset(b, 0, sizeof(*b));
	snprintf(path, sizeof(path), "%s/patches/%s", TEST_DATA, name);
	if (zl_file_load(path, 0, mem, &b->file, &err) != 0) {
		fail_msg("%s: %s", path, err.text);
	}
	in = (struct zl_patch_input){name, b->file.data, b->file.size};
	if (zl_patches_read(&request, mem, &b->patches, &err) != 0 ||
		zl_bind(&b->patches, hands, mem, &b->binding, &err) != 0) {
		fail_msg("%s: %u: %s", name, err.line, err.text);
	}
}

struct bound_lanes bind_lanes_on(const struct bound *b, const char *release)
{
	struct zl_diags diags = {0};
	struct bound_lanes ret;
	struct zl_switches sw;
	struct zl_release r;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &sw, &diags);
	zl_bind_lanes(&b->binding, &sw, &ret.before, &ret.after);
	return ret;
}

void unbind(struct bound *b)
{
	zl_bind_done(&b->binding);
	zl_patches_done(&b->patches);
	zl_file_done(&b->file, zl_allocator_heap());
}
