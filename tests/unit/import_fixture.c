/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"

void import_text(struct zl_import *im, const char *text)
{
	struct zl_file f = {0};
	struct zl_error err = {0};

	assert_int_equal(0, zl_file_from_memory(text, strlen(text), zl_allocator_heap(), &f, &err));
	assert_int_equal(0, zl_import_file(im, &f, ZL_FILE_UNKNOWN, &err));
	zl_file_done(&f, zl_allocator_heap());
}
