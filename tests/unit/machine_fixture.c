/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/error.h"

int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	zl_profile_init(&f->profile);
	*state = f;
	return 0;
}

int tear_down(void **state)
{
	struct fixture *f = *state;

	zl_profile_done(&f->profile, &heap);
	free(f);
	return 0;
}

void set_from(struct fixture *f, const char *items, enum zl_origin origin)
{
	char copy[512];
	char *rest = NULL;

	assert_true(strlen(items) < sizeof(copy));
	memcpy(copy, items, strlen(items) + 1);
	for (char *item = strtok_r(copy, " ", &rest); item != NULL;
		item = strtok_r(NULL, " ", &rest)) {
		struct zl_error err = {0};

		if (zl_settings_assign(&f->profile.settings, item, origin, &err) < 0) {
			fail_msg("%s: %s", item, err.text);
		}
	}
}

void resolve(struct fixture *f, const char *items)
{
	set_from(f, items, ZL_ORIGIN_GIVEN);
	memset(&f->diags, 0, sizeof(f->diags));
	zl_machine_resolve(&f->profile, &f->m, &f->diags);
}

void resolve_only(struct fixture *f, const char *items)
{
	memset(&f->profile.settings, 0, sizeof(f->profile.settings));
	resolve(f, items);
}

const struct zl_diag *find_diag(const struct fixture *f, enum zl_diag_code code)
{
	for (size_t i = 0; i < f->diags.count; i++) {
		if (f->diags.item[i].code == code) {
			return &f->diags.item[i];
		}
	}
	return NULL;
}

struct zl_zone_facts *add_facts(
	struct fixture *f, unsigned node, const char *name, uint64_t start, uint64_t pages)
{
	struct zl_zone_facts *z = zl_profile_add_zone(&f->profile, &heap);

	assert_non_null(z);
	z->node = node;
	strncpy(z->name, name, sizeof(z->name) - 1);
	z->start_pfn = start;
	z->spanned = z->present = z->managed = pages;
	f->profile.zones_page_size = 4096;
	return z;
}
