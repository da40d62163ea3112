/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests that are no device-tree nodes: the command line, Kconfig, sizes typed by hand; and the
 * memory map that all of them meet.
 */
#include <errno.h>
#include <string.h>

#include "reserve.h"
#include "zonelab/text.h"

static struct zl_request *add(
	struct reserve *r, enum zl_request_kind kind, enum zl_pool_source source)
{
	struct zl_request *q;

	if (r->have.nr_requests == ZL_POOLS_MAX) {
		r->have.dropped++;
		return NULL;
	}
	q = &r->have.request[r->have.nr_requests];
	*q = (struct zl_request){
		.kind = kind, .source = source, .node = ZL_ANY_NODE, .origin = r->have.nr_requests};
	r->have.nr_requests++;
	return q;
}

static void warn_cmdline(struct reserve *r, const char *name, const char *value, const char *form)
{
	struct zl_diag *d = zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_IMPORT_CMDLINE,
		"%s=%s: the kernel cannot read all of it", name, value);

	zl_format(d->mend, sizeof(d->mend), "write %s", form);
	d->about = ZL_SET_CMDLINE;
}

static void add_cma(struct reserve *r, const char *value, bool bare)
{
	struct zl_cma_param param = {0};
	const char *rest = "";
	struct zl_request *q;

	r->in.cmdline_cma = true;
	if (bare) {
		/* early_cma() gives up before it sets anything. */
		r->in.cmdline_cma = false;
		zl_diag_add(&r->diags, ZL_ERROR, ZL_DIAG_IMPORT_CMDLINE,
			"cma without a value: the kernel prints \"Config string not provided\" and "
			"ignores it");
		return;
	}
	if (zl_cma_param_parse(value, &param, &rest) != 0) {
		rest = value;
	}
	if (rest[0] != '\0' || value[0] == '\0') {
		warn_cmdline(r, "cma", value, "SIZE[@BASE[-LIMIT]], as 64M or 64M@0x50000000");
	}
	q = add(r, ZL_REQUEST_DEFAULT, ZL_SOURCE_CMDLINE);
	if (q != NULL) {
		zl_format(q->name, sizeof(q->name), "cma=%s", value);
		q->size = param.size;
		q->base = param.base;
		q->limit = param.limit;
	}
}

static void add_kconfig(struct reserve *r)
{
	const struct zl_settings *s = &r->profile.settings;
	struct zl_request *q;

	if (!zl_settings_given(s, ZL_SET_CMA_SIZE)) {
		return;
	}
	q = add(r, ZL_REQUEST_DEFAULT, ZL_SOURCE_CONFIG);
	if (q != NULL) {
		zl_format(q->name, sizeof(q->name), "%s",
			r->cma_select == 1 ? "CONFIG_CMA_SIZE_PERCENTAGE"
					   : "CONFIG_CMA_SIZE_MBYTES");
		q->size = r->machine.cma_size;
	}
}

static unsigned node_count(const struct reserve *r)
{
	unsigned n = r->machine.nodes;

	return n < 1 ? 1 : n > ZL_NODE_SIZES_MAX ? ZL_NODE_SIZES_MAX : n;
}

static void add_node_areas(struct reserve *r, const char *cmdline)
{
	uint64_t each[ZL_NODE_SIZES_MAX] = {0};
	uint64_t by_node[ZL_NODE_SIZES_MAX] = {0};
	char value[256];
	bool pernuma = zl_cmdline_find(cmdline, "cma_pernuma", value, sizeof(value));
	bool merged = r->machine.switches.cma_node_areas_last;

	if (pernuma && (zl_memparse(value, &each[0]) == value)) {
		warn_cmdline(r, "cma_pernuma", value, "SIZE, as 64M");
	}
	if (zl_cmdline_find(cmdline, "numa_cma", value, sizeof(value)) &&
		zl_node_sizes_parse(value, by_node) != 1) {
		warn_cmdline(r, "numa_cma", value, "NODE:SIZE,NODE:SIZE, as 0:64M,1:64M");
		memset(by_node, 0, sizeof(by_node));
	}
	for (unsigned i = 0; i < node_count(r); i++) {
		uint64_t size = by_node[i] != 0 ? by_node[i] : each[0];
		struct zl_request *q =
			size != 0 ? add(r, ZL_REQUEST_NODE_AREA, ZL_SOURCE_CMDLINE) : NULL;

		if (q != NULL) {
			zl_format(q->name, sizeof(q->name),
				merged || by_node[i] != 0 ? "numa%u" : "pernuma%u", i);
			q->size = size;
			q->node = (int)i;
		}
	}
}

static void add_hugetlb(struct reserve *r, const char *cmdline)
{
	uint64_t size[ZL_NODE_SIZES_MAX] = {0};
	uint64_t unit = zl_gigantic_page_bytes(&r->machine.geometry);
	char value[256];
	int kind;

	if (!zl_cmdline_find(cmdline, "hugetlb_cma", value, sizeof(value))) {
		return;
	}
	kind = zl_node_sizes_parse(value, size);
	if (kind < 0) {
		warn_cmdline(r, "hugetlb_cma", value, "SIZE or NODE:SIZE,NODE:SIZE, as 0:1G");
		return;
	}
	if (unit == 0) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_IMPORT_CMDLINE,
			"hugetlb_cma=%s: this kernel has no gigantic pages; it is ignored", value);
		return;
	}
	r->hugetlb_total = kind == 0 ? size[0] : 0;
	if (kind == 0 && size[0] >= unit) {
		zl_hugetlb_cma_split(size[0], unit, node_count(r), size);
	}
	for (unsigned i = 0; i < node_count(r); i++) {
		struct zl_request *q =
			size[i] != 0 ? add(r, ZL_REQUEST_HUGETLB, ZL_SOURCE_CMDLINE) : NULL;

		if (q != NULL) {
			zl_format(q->name, sizeof(q->name), "hugetlb%u", i);
			q->size = size[i];
			q->unit = unit;
			q->alignment = unit;
			q->node = (int)i;
		}
	}
}

void reserve_hugetlb_at(
	const struct reserve *r, const struct zl_machine *m, struct zl_request *requests)
{
	uint64_t size[ZL_NODE_SIZES_MAX] = {r->hugetlb_total};
	const uint64_t unit = zl_gigantic_page_bytes(&m->geometry);
	struct zl_request *last = NULL;

	if (r->hugetlb_total > 0 && unit > 0 && r->hugetlb_total >= unit) {
		zl_hugetlb_cma_split(r->hugetlb_total, unit, node_count(r), size);
	}
	for (size_t i = 0; i < r->in.nr_requests; i++) {
		struct zl_request *q = &requests[i];

		if (q->kind != ZL_REQUEST_HUGETLB) {
			continue;
		}
		q->unit = unit;
		q->alignment = unit;
		if (r->hugetlb_total > 0 || unit == 0) {
			q->size = unit > 0 ? size[q->node] : 0;
			size[q->node] = 0;
		}
		last = q;
	}
	/* Nodes that have no share at this machine's page size. */
	for (size_t i = 0; last != NULL && r->hugetlb_total > 0 && i < ZL_NODE_SIZES_MAX; i++) {
		last->size += unit > 0 ? size[i] : 0;
	}
}

static void add_manual(struct reserve *r, const struct reserve_request *from)
{
	for (size_t i = 0; i < from->nr_sizes; i++) {
		struct zl_request *q = add(r, ZL_REQUEST_NODE, ZL_SOURCE_MANUAL);

		if (q != NULL) {
			zl_format(q->name, sizeof(q->name), "size-%u", (unsigned)i + 1);
			q->dma_pool = true;
			q->has_compatible = true;
			q->reusable = true;
			q->size = from->size[i];
		}
	}
}

/* The option wins over settings and files, those over the tree's own command line. */
static const char *command_line(const struct reserve *r, const struct reserve_request *q)
{
	const char *given = zl_settings_text(&r->profile.settings, ZL_SET_CMDLINE);

	if (q->cmdline != NULL) {
		return q->cmdline;
	}
	return given[0] != '\0' ? given : r->have.bootargs;
}

/* A parameter that is none is the reason, where there is one. */
static int nothing_to_judge(const struct reserve *r, struct zl_error *err)
{
	for (size_t i = 0; i < r->diags.count; i++) {
		const struct zl_diag *d = &r->diags.item[i];

		if (d->code == ZL_DIAG_IMPORT_CMDLINE) {
			zl_error_set(err, 0, 0, "%s; %s", d->text,
				d->mend[0] != '\0' ? d->mend : "write cma=SIZE, as cma=64M");
			return -EINVAL;
		}
	}
	zl_error_set(err, 0, 0,
		"nothing to judge; give a device tree, a .config, a boot log, --size 4M or "
		"--cmdline 'cma=64M'");
	return -EINVAL;
}

int reserve_add_requests(struct reserve *r, const struct reserve_request *q, struct zl_error *err)
{
	const char *cmdline = command_line(r, q);
	char value[256];

	add_manual(r, q);
	add_hugetlb(r, cmdline);
	add_node_areas(r, cmdline);
	if (zl_cmdline_find(cmdline, "cma", value, sizeof(value))) {
		add_cma(r, value, zl_cmdline_bare(cmdline, "cma"));
	}
	add_kconfig(r);
	if (r->have.nr_requests == 0 && r->nr_files == 0 && !q->of_lane) {
		return nothing_to_judge(r, err);
	}
	return 0;
}

/* --- the map --- */

static bool memory_stated(const struct reserve *r)
{
	const struct zl_setting_value *v = &r->profile.settings.value[ZL_SET_MEMORY];

	return v->given && v->origin > ZL_ORIGIN_FILE;
}

static void node_ranges(struct reserve *r)
{
	struct zl_memory_map *map = &r->map;
	uint64_t each = r->machine.memory / node_count(r);

	map->nr_node_ranges = r->have.nr_node_ranges;
	memcpy(map->node_range, r->have.node_range, sizeof(map->node_range));
	map->nodes = node_count(r);
	if (map->nr_node_ranges > 0 || map->nodes < 2 || !memory_stated(r)) {
		return;
	}
	for (unsigned i = 0; i < map->nodes; i++) {
		map->node_range[map->nr_node_ranges++] = (struct zl_node_range){
			.base = r->machine.memory_base + i * each, .size = each, .node = i};
	}
}

/* Zone ends of a log are those of that machine. */
static void logged_boundaries(struct reserve *r)
{
	struct zl_memory_map *map = &r->map;
	bool any = false;

	for (size_t i = 0; i < r->nr_files; i++) {
		const struct zl_dmesg *log = &r->file[i].log;

		for (size_t k = 0; r->file[i].has_log && k < log->nr_lines; k++) {
			const struct zl_dmesg_line *l = &log->line[k];

			if (l->kind != ZL_DMESG_ZONE_RANGE || l->flag ||
				map->nr_boundaries == ZL_BOUNDARIES_MAX) {
				continue;
			}
			if (!any) {
				map->nr_boundaries = 0;
				any = true;
			}
			map->boundary[map->nr_boundaries++] = l->end + 1;
		}
	}
}

void reserve_map(struct reserve *r)
{
	struct zl_memory_map *map = &r->map;
	bool banks = r->have.banks.count > 0;
	uint64_t start = banks ? r->have.banks.item[0].base : r->machine.memory_base;

	zl_memory_map_init(map, &r->machine.geometry, start);
	map->reserved = r->have.reserved;
	if (banks) {
		map->banks = r->have.banks;
	} else if (memory_stated(r)) {
		zl_ranges_add(&map->banks, r->machine.memory_base, r->machine.memory);
	}
	map->known = map->banks.count > 0;
	if (map->highmem_start >= zl_memory_end(map) && map->known) {
		map->highmem_start = 0;
	}
	node_ranges(r);
	logged_boundaries(r);
	r->in.geometry = &r->machine.geometry;
	r->in.switches = &r->machine.switches;
	r->in.map = map;
	r->in.requests = r->have.request;
	r->in.nr_requests = r->have.nr_requests;
}
