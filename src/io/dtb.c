/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device-tree blobs, through libfdt, into the same tree as source. Nothing of the blob is used
 * before fdt_check_full() has walked all of it.
 */
#include "dts_parse.h"

#include <errno.h>
#include <libfdt.h>
#include <string.h>

#include "zonelab/text.h"

#define CELL_BYTES     4u
#define OLDEST_VERSION 16u /* dtc has written nothing older since 2005 */

struct walk {
	struct dts_parser *p;
	const void *fdt;
	struct zl_dts_node *open[ZL_DTS_DEPTH_MAX + 1];
};

bool zl_dtb_recognise(const void *data, size_t size)
{
	static const unsigned char magic[] = {0xd0, 0x0d, 0xfe, 0xed};

	return size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

static const char *clean_name(struct dts_parser *p, const char *name, int length)
{
	char *copy = zl_arena_strn(p->arena, name, (size_t)length);

	if (copy == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return NULL;
	}
	for (char *s = copy; *s != '\0'; s++) {
		*s = (unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s;
	}
	return copy;
}

static void add_cells(struct dts_parser *p, struct zl_dts_prop *prop)
{
	size_t n = prop->size / CELL_BYTES;

	if (n == 0 || prop->size % CELL_BYTES != 0) {
		return;
	}
	prop->cells = zl_arena_alloc(p->arena, n * sizeof(*prop->cells));
	if (prop->cells == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return;
	}
	prop->nr_cells = n;
	for (size_t i = 0; i < n; i++) {
		prop->cells[i] = (struct zl_dts_cell){
			.at = (uint32_t)(i * CELL_BYTES), .width = CELL_BYTES, .known = true};
	}
}

static void add_property(struct walk *w, struct zl_dts_node *node, int offset)
{
	struct dts_parser *p = w->p;
	const char *name = NULL;
	int size = 0;
	const void *data = fdt_getprop_by_offset(w->fdt, offset, &name, &size);
	struct zl_dts_prop *prop;

	if (data == NULL || name == NULL || size < 0) {
		return;
	}
	if ((size_t)size > ZL_DTS_DATA_MAX) {
		dts_fail(p, -E2BIG, NULL, "value too long; at most 1 MiB is read");
		return;
	}
	name = clean_name(p, name, (int)strlen(name));
	prop = name != NULL ? dts_prop_open(p, node, name, NULL) : NULL;
	if (prop == NULL) {
		return;
	}
	prop->data = zl_arena_alloc(p->arena, (size_t)size + 1);
	if (prop->data == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return;
	}
	memcpy(prop->data, data, (size_t)size);
	prop->size = (size_t)size;
	add_cells(p, prop);
}

static void add_node(struct walk *w, int offset, int depth)
{
	struct dts_parser *p = w->p;
	int length = 0;
	const char *name = fdt_get_name(w->fdt, offset, &length);
	struct zl_dts_node *node = p->dts->root;
	int at;

	if (depth > ZL_DTS_DEPTH_MAX) {
		dts_fail(p, -E2BIG, NULL, "nodes nested too deep; at most 64 levels are read");
		return;
	}
	if (depth > 0) {
		name = name != NULL ? clean_name(p, name, length) : NULL;
		node = name != NULL ? dts_node_open(p, w->open[depth - 1], name, NULL) : NULL;
	}
	if (node == NULL) {
		dts_fail(p, -EINVAL, NULL, "a node without name; the blob is damaged");
		return;
	}
	if (strcmp(node->name, "__overlay__") == 0) {
		p->dts->overlay = true;
	}
	w->open[depth] = node;
	fdt_for_each_property_offset(at, w->fdt, offset)
	{
		if (p->error != 0) {
			return;
		}
		add_property(w, node, at);
	}
}

static void add_reserves(struct walk *w)
{
	struct zl_dts *dts = w->p->dts;
	int n = fdt_num_mem_rsv(w->fdt);

	for (int i = 0; i < n && dts->nr_reserves < ZL_DTS_RESERVES_MAX; i++) {
		struct zl_dts_reserve *r = &dts->reserve[dts->nr_reserves];

		if (fdt_get_mem_rsv(w->fdt, i, &r->base, &r->size) == 0) {
			dts->nr_reserves++;
		}
	}
}

static int walk_blob(struct dts_parser *p, const void *fdt)
{
	struct walk w = {.p = p, .fdt = fdt};
	int depth = 0;

	p->dts->blob = true;
	p->dts->has_root = true;
	p->dts->root = zl_arena_alloc(p->arena, sizeof(*p->dts->root));
	p->dts->orphans = zl_arena_alloc(p->arena, sizeof(*p->dts->orphans));
	if (p->dts->root == NULL || p->dts->orphans == NULL) {
		dts_fail(p, -ENOMEM, NULL, "out of memory");
		return p->error;
	}
	p->dts->root->name = "";
	p->dts->orphans->name = "";
	p->dts->nr_files = 1;
	p->dts->file[0] = (struct zl_dts_file){.name = p->options->name};
	add_reserves(&w);
	for (int at = 0; at >= 0 && depth >= 0 && p->error == 0;
		at = fdt_next_node(fdt, at, &depth)) {
		add_node(&w, at, depth);
	}
	return p->error;
}

/* Checks the blob in memory that is aligned for it. */
static int checked(struct dts_parser *p, const void *data, size_t size, const void **ret)
{
	void *copy;
	int r;

	if (size < sizeof(struct fdt_header)) {
		zl_error_set(p->err, 0, 0,
			"%U bytes are no device-tree blob; it begins with 40 bytes of header",
			(uint64_t)size);
		return -EINVAL;
	}
	copy = zl_arena_alloc(p->arena, size);
	if (copy == NULL) {
		zl_error_set(p->err, 0, 0, "out of memory");
		return -ENOMEM;
	}
	memcpy(copy, data, size);
	if (fdt_version(copy) < OLDEST_VERSION) {
		/* libfdt's own check follows a null pointer in some of these. */
		zl_error_set(p->err, 0, 0, "blob of version %u; 16 and newer are read",
			fdt_version(copy));
		return -EINVAL;
	}
	r = fdt_check_full(copy, size);
	if (r != 0) {
		zl_error_set(p->err, 0, 0,
			"damaged device-tree blob (libfdt: %s); a complete one is needed",
			fdt_strerror(r));
		return -EINVAL;
	}
	*ret = copy;
	return 0;
}

int zl_dtb_read(const void *data, size_t size, const struct zl_dts_options *options,
	struct zl_dts **ret_dts, struct zl_error *err)
{
	struct dts_parser p = {.options = options, .err = err};
	const void *fdt = NULL;
	int r = dts_begin(&p, size, "device-tree blobs are read");

	if (r == 0) {
		r = checked(&p, data, size, &fdt);
		r = r != 0 ? r : walk_blob(&p, fdt);
		if (r != 0) {
			zl_dts_free(p.dts);
		}
	}
	if (r != 0) {
		zl_error_file(err, options->name);
		return r;
	}
	*ret_dts = p.dts;
	return 0;
}
