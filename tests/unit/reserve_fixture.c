/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reserve_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"
#include "zonelab/text.h"

static void plan(struct rsv *r)
{
	r->in.requests = r->have->request;
	r->in.nr_requests = r->have->nr_requests;
	zl_reserve_plan(&r->in, r->report);
	zl_reserve_correct(&r->in, r->report, r->want, r->corrected);
	zl_dts_fix_collect(r->dts, r->have, r->want, &r->fix);
}

static void read_all(
	struct rsv *r, const char *text, size_t size, const char *kernel, const char *words)
{
	const struct zl_dts_options options = {
		.name = "test.dts", .allocator = zl_allocator_heap()};
	struct zl_error err = {0};

	memset(r, 0, sizeof(*r));
	geo_resolve(&r->geo, kernel, words);
	r->have = calloc(1, sizeof(*r->have));
	r->report = calloc(1, sizeof(*r->report));
	r->corrected = calloc(1, sizeof(*r->corrected));
	assert_non_null(r->have);
	assert_non_null(r->report);
	assert_non_null(r->corrected);
	if (zl_dts_read(text, size, &options, &r->dts, &err) != 0) {
		fail_msg("%s", err.text);
	}
	zl_reservations_read(r->dts, r->have, &r->diags);
	zl_memory_map_init(
		&r->map, &r->geo.g, r->have->banks.count > 0 ? r->have->banks.item[0].base : 0);
	r->map.known = r->have->banks.count > 0;
	r->map.banks = r->have->banks;
	r->map.reserved = r->have->reserved;
	r->in = (struct zl_reserve_in){
		.geometry = &r->geo.g, .switches = &r->geo.sw, .map = &r->map};
	plan(r);
}

void rsv_text(struct rsv *r, const char *text, const char *kernel, const char *words)
{
	read_all(r, text, strlen(text), kernel, words);
}

void rsv_case(struct rsv *r, const char *file, const char *kernel, const char *words)
{
	const struct zl_allocator *heap = zl_allocator_heap();
	struct zl_file f = {0};
	struct zl_error err = {0};
	char path[512];

	zl_format(path, sizeof(path), "%s/cases/%s", TEST_DATA, file);
	assert_int_equal(0, zl_file_load(path, 0, heap, &f, &err));
	read_all(r, f.data, f.size, kernel, words);
	zl_file_done(&f, heap);
}

void rsv_default(struct rsv *r, const char *cma, uint64_t size)
{
	struct zl_request *q = &r->have->request[r->have->nr_requests++];
	struct zl_cma_param param = {.size = size};
	const char *rest;

	*q = (struct zl_request){
		.kind = ZL_REQUEST_DEFAULT, .source = ZL_SOURCE_CONFIG, .node = ZL_ANY_NODE};
	zl_format(q->name, sizeof(q->name), "reserved");
	if (cma != NULL) {
		assert_int_equal(0, zl_cma_param_parse(cma, &param, &rest));
		q->source = ZL_SOURCE_CMDLINE;
		r->in.cmdline_cma = true;
	}
	q->size = param.size;
	q->base = param.base;
	q->limit = param.limit;
	plan(r);
}

const struct zl_pool *rsv_pool(const struct rsv *r, const char *name)
{
	for (size_t i = 0; i < r->report->nr_pools; i++) {
		if (strcmp(r->have->request[r->report->pool[i].request].name, name) == 0) {
			return &r->report->pool[i];
		}
	}
	fail_msg("no pool %s", name);
	return NULL;
}

bool rsv_has_diag(const struct rsv *r, enum zl_diag_code code)
{
	for (size_t i = 0; i < r->diags.count; i++) {
		if (r->diags.item[i].code == code) {
			return true;
		}
	}
	return false;
}

void rsv_fixed(const struct rsv *r, struct zl_buf *out)
{
	zl_dts_fix_text(r->dts, 0, &r->fix, out);
}

void rsv_done(struct rsv *r)
{
	zl_dts_free(r->dts);
	free(r->have);
	free(r->report);
	free(r->corrected);
}
