/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/import.h"
#include "zonelab/sim_machine.h"

static void set(struct zl_profile *p, enum zl_setting key, const char *value)
{
	struct zl_error err = {0};

	assert_int_equal(0, zl_settings_set(&p->settings, key, value, ZL_ORIGIN_FILE, &err));
}

static void read_machine(struct recorded *r, const char *folder, const char *workload)
{
	static struct zl_import im;
	const bool large = strstr(folder, "16k") != NULL;
	struct zl_error err = {0};
	char path[512], kernel[32];

	snprintf(path, sizeof(path), TEST_DATA "/captures/%s/zoneinfo_%s_before.txt", folder,
		workload);
	zl_import_init(&im, zl_allocator_heap());
	assert_int_equal(0, zl_import_path(&im, path, &err));
	assert_int_equal(1, sscanf(folder, "linux-%31[0-9.]", kernel));
	set(&im.profile, ZL_SET_KERNEL, kernel);
	set(&im.profile, ZL_SET_PAGE_SIZE, large ? "16K" : "4K");
	set(&im.profile, ZL_SET_ARCH, large ? "arm64" : "x86_64");
	zl_import_finish(&im, NULL);
	im.profile.observe = true;
	assert_int_equal(0, zl_profile_copy(&r->profile, &im.profile, zl_allocator_heap()));
	zl_import_done(&im);
	zl_machine_resolve(&r->profile, &r->machine, NULL);
}

static void choose_zone(struct recorded *r)
{
	const struct zl_zone *z;
	size_t best = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < r->machine.nr_zones; i++) {
		uint64_t n;

		z = &r->machine.zones[i];
		n = z->populated ? zl_recording_count(r->recording, z->start_pfn, z->spanned) : 0;
		best = n > most ? i : best;
		most = n > most ? n : most;
	}
	z = &r->machine.zones[best];
	r->where = (struct zl_replay_where){.start_pfn = z->start_pfn,
		.spanned = z->spanned,
		.node = z->node,
		.pcp = z->facts->pcp,
		.nr_pcp = z->facts->nr_pcp,
		.free = z->facts->free};
	snprintf(r->where.zone, sizeof(r->where.zone), "%s", z->name);
	zl_sim_config_of(&r->profile, &r->machine, best, &r->where.config);
	zl_replay_config(r->recording, &r->where.config);
}

struct recorded *recorded_open(const char *folder, const char *workload)
{
	struct recorded *r = calloc(1, sizeof(*r));
	struct zl_error err = {0};
	char path[512];
	int rc;

	assert_non_null(r);
	snprintf(path, sizeof(path), TEST_DATA "/traces/%s/trace_%s.txt.gz", folder, workload);
	rc = zl_recording_load(path, zl_allocator_heap(), NULL, &r->recording, &err);
	if (rc != 0) {
		fail_msg("%s: %s", path, err.text);
	}
	read_machine(r, folder, workload);
	choose_zone(r);
	return r;
}

void recorded_close(struct recorded *r)
{
	zl_replay_where_done(&r->where, zl_allocator_heap());
	zl_profile_done(&r->profile, zl_allocator_heap());
	zl_recording_free(r->recording);
	free(r);
}
