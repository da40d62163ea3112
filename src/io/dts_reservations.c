/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads requests for reserved memory from a tree. Lengths are bytes, cells are of four.
 */
#include "zonelab/dts_reservations.h"

#include <string.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

#define CELL 4u

struct reader {
	const struct zl_dts *dts;
	struct zl_reservations *ret;
	struct zl_diags *diags;
	unsigned ac, sc; /* cells that the kernel reads with */
	bool cells_known;
	bool parent_fault; /* the kernel ignores the whole of /reserved-memory */
	const struct zl_dts_node *parent;
};

static bool flag(const struct zl_dts_node *node, const char *name)
{
	return zl_dts_prop_find(node, name) != NULL;
}

static bool cells_of(const struct zl_dts_node *node, unsigned *ac, unsigned *sc)
{
	const struct zl_dts_prop *a = zl_dts_prop_find(node, "#address-cells");
	const struct zl_dts_prop *s = zl_dts_prop_find(node, "#size-cells");
	uint64_t va = 0;
	uint64_t vs = 0;

	if (a == NULL || s == NULL || zl_dts_prop_number(a, 0, 1, &va) != 0 ||
		zl_dts_prop_number(s, 0, 1, &vs) != 0 || va < 1 || va > 2 || vs < 1 || vs > 2) {
		return false;
	}
	*ac = (unsigned)va;
	*sc = (unsigned)vs;
	return true;
}

static bool name_is(const struct zl_dts_node *node, const char *name)
{
	size_t n = strlen(name);

	return strncmp(node->name, name, n) == 0 && (node->name[n] == '\0' || node->name[n] == '@');
}

/* /reserved-memory itself, or what stands for it in a fragment or an overlay. */
static bool is_parent(const struct zl_dts_node *node)
{
	return name_is(node, "reserved-memory") || strcmp(node->name, "&reserved_memory") == 0 ||
	       strcmp(node->name, "&{/reserved-memory}") == 0 ||
	       strcmp(node->name, "&reserved_mem") == 0;
}

/* A node outside of any /reserved-memory that can only be one of its children. */
static bool is_loose(const struct zl_dts *dts, const struct zl_dts_node *node)
{
	const struct zl_dts_node *p = node->parent;
	/* In an overlay, or in a node that another file has: &label { pool { ... }; }; */
	bool inside = p != NULL && (strcmp(p->name, "__overlay__") == 0 ||
					   (p->parent == dts->orphans && p->name[0] == '&'));
	bool top = p == dts->orphans || inside;

	if (!top || is_parent(node)) {
		return false;
	}
	return zl_dts_prop_has_string(zl_dts_prop_find(node, "compatible"), "shared-dma-pool") ||
	       flag(node, "reusable") || flag(node, "no-map") || flag(node, "linux,cma-default") ||
	       flag(node, "alloc-ranges");
}

/* --- cells of a fragment --- */

static size_t cell_count(const struct zl_dts_node *node, const char *name)
{
	const struct zl_dts_prop *p = zl_dts_prop_find(node, name);

	return p != NULL ? p->size / CELL : 0;
}

/* Guesses cells from the lengths of one node's values; false when they tell nothing. */
static bool guess(const struct zl_dts_node *node, unsigned *ac, unsigned *sc)
{
	size_t size = cell_count(node, "size");
	size_t pair = cell_count(node, "reg");
	size_t align = cell_count(node, "alignment");

	pair = pair != 0 ? pair : cell_count(node, "alloc-ranges");
	if (size == 0 && pair == 0) {
		return false;
	}
	if (size == 1 || size == 2) {
		*sc = (unsigned)size;
	} else {
		*sc = pair % 4 == 0 ? 2 : 1;
	}
	*ac = *sc;
	if (pair != 0 && pair % (*ac + *sc) != 0) {
		*ac = 3 - *ac;
	} else if (pair == 0 && (align == 1 || align == 2)) {
		*ac = (unsigned)align;
	}
	return true;
}

static void fragment_cells(struct reader *r, const struct zl_dts_node *node)
{
	r->ac = 2;
	r->sc = 2;
	r->cells_known = false;
	for (; node != NULL; node = node->next) {
		if (guess(node, &r->ac, &r->sc)) {
			return;
		}
	}
}

/* The cells that the kernel reads the children of @parent with, and whether it reads them. */
static void parent_cells(struct reader *r, const struct zl_dts_node *parent)
{
	const struct zl_dts *dts = r->dts;
	unsigned ac = 0;
	unsigned sc = 0;
	bool whole = dts->nr_skipped_lines == 0 && parent->parent == dts->root;
	bool root = parent->parent == dts->root && cells_of(dts->root, &r->ac, &r->sc);
	bool own = cells_of(parent, &ac, &sc);

	r->parent = parent;
	r->parent_fault = false;
	r->cells_known = true;
	if (root && (own || whole)) {
		r->parent_fault = !own || ac != r->ac || sc != r->sc;
	}
	if (own && !root) {
		r->ac = ac;
		r->sc = sc;
	} else if (!own && !root) {
		fragment_cells(r, parent->first_child);
	}
	if (root && whole && !flag(parent, "ranges")) {
		r->parent_fault = true;
	}
	if (r->parent_fault) {
		zl_diag_add(r->diags, ZL_ERROR, ZL_DIAG_RESERVED_FORMAT,
			"%s: needs `ranges`, #address-cells <%u> and #size-cells <%u> as the root "
			"has; all its nodes are ignored",
			parent->name, r->ac, r->sc);
	}
}

/* --- values --- */

/* Reads pair @i of a property. Returns 0 or a negative errno of zl_dts_prop_number(). */
static int pair(const struct reader *r, const struct zl_dts_prop *p, size_t i, struct zl_range *ret)
{
	size_t at = i * (r->ac + r->sc);
	int e = zl_dts_prop_number(p, at, r->ac, &ret->base);

	return e != 0 ? e : zl_dts_prop_number(p, at + r->ac, r->sc, &ret->size);
}

static size_t pairs(const struct reader *r, const struct zl_dts_prop *p)
{
	return p->size / ((r->ac + r->sc) * CELL);
}

static bool whole_pairs(const struct reader *r, const struct zl_dts_prop *p)
{
	return p->size != 0 && p->size % ((r->ac + r->sc) * CELL) == 0;
}

static void read_reg(const struct reader *r, const struct zl_dts_prop *reg, struct zl_request *q)
{
	struct zl_range first;

	q->has_reg = true;
	if (reg->incomplete || !whole_pairs(r, reg)) {
		q->fault = reg->incomplete ? ZL_NODE_UNKNOWN_VALUE : ZL_NODE_REG_LENGTH;
		return;
	}
	if (pair(r, reg, 0, &first) != 0) {
		q->fault = ZL_NODE_UNKNOWN_VALUE;
		return;
	}
	q->base = first.base;
	q->size = first.size;
	for (size_t i = 1; i < pairs(r, reg) && q->nr_regs < ZL_POOL_REGS; i++) {
		if (pair(r, reg, i, &q->reg[q->nr_regs]) == 0) {
			q->nr_regs++;
		}
	}
}

static void read_size(const struct reader *r, const struct zl_dts_prop *size, struct zl_request *q)
{
	if (size->incomplete) {
		q->fault = ZL_NODE_UNKNOWN_VALUE;
	} else if (size->size != r->sc * CELL) {
		q->fault = ZL_NODE_SIZE_LENGTH;
	} else if (zl_dts_prop_number(size, 0, r->sc, &q->size) != 0) {
		q->fault = ZL_NODE_UNKNOWN_VALUE;
	}
}

static void read_windows(
	const struct reader *r, const struct zl_dts_prop *windows, struct zl_request *q)
{
	if (windows->incomplete) {
		return;
	}
	if (!whole_pairs(r, windows)) {
		q->fault = ZL_NODE_RANGES_LENGTH;
		return;
	}
	for (size_t i = 0; i < pairs(r, windows) && q->nr_windows < ZL_POOL_WINDOWS; i++) {
		if (pair(r, windows, i, &q->window[q->nr_windows]) == 0) {
			q->nr_windows++;
		}
	}
}

/* alignment is read with the address cells, whatever the binding says. */
static void read_alignment(
	const struct reader *r, const struct zl_dts_prop *align, struct zl_request *q)
{
	if (align->incomplete) {
		return;
	}
	if (align->size != r->ac * CELL) {
		q->fault = ZL_NODE_ALIGNMENT_LENGTH;
	} else {
		zl_dts_prop_number(align, 0, r->ac, &q->alignment);
	}
}

static void read_values(
	const struct reader *r, const struct zl_dts_node *node, struct zl_request *q)
{
	const struct zl_dts_prop *reg = zl_dts_prop_find(node, "reg");
	const struct zl_dts_prop *size = zl_dts_prop_find(node, "size");
	const struct zl_dts_prop *align = zl_dts_prop_find(node, "alignment");
	const struct zl_dts_prop *windows = zl_dts_prop_find(node, "alloc-ranges");

	if (reg != NULL) {
		read_reg(r, reg, q);
		if (size != NULL && zl_dts_prop_number(size, 0, r->sc, &q->ignored_size) == 0) {
			q->size_ignored = true;
		}
		return;
	}
	if (size == NULL) {
		q->fault = ZL_NODE_NEITHER;
		return;
	}
	read_size(r, size, q);
	if (align != NULL && q->fault == ZL_NODE_OK) {
		read_alignment(r, align, q);
	}
	if (windows != NULL && q->fault == ZL_NODE_OK) {
		read_windows(r, windows, q);
	}
}

static bool enabled(const struct zl_dts_node *node)
{
	const struct zl_dts_prop *status = zl_dts_prop_find(node, "status");

	return status == NULL || status->size == 0 || zl_dts_prop_has_string(status, "okay") ||
	       zl_dts_prop_has_string(status, "ok");
}

/* --- findings about the form --- */

static void lint_reg(
	const struct reader *r, const struct zl_dts_node *node, const struct zl_request *q)
{
	const char *at = strchr(node->name, '@');
	uint64_t unit = 0;
	char text[24];

	if (q->nr_regs > 0 && q->dma_pool) {
		uint64_t lost = 0;

		for (size_t i = 0; i < q->nr_regs; i++) {
			lost += q->reg[i].size;
		}
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_REG_ENTRIES,
			"%s: only the first entry of reg becomes a pool, the other %Z are reserved "
			"and in none",
			q->name, lost);
	}
	if (q->size_ignored) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_SIZE_BESIDE_REG,
			"%s: size (%Z) is ignored beside reg (%Z)", q->name, q->ignored_size,
			q->size);
	}
	if (flag(node, "alignment")) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_ALIGNMENT_BESIDE_REG,
			"%s: alignment has no effect beside reg", q->name);
	}
	if (flag(node, "alloc-ranges")) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_ALIGNMENT_BESIDE_REG,
			"%s: alloc-ranges has no effect beside reg", q->name);
	}
	if (at != NULL && strlen(at + 1) < sizeof(text) - 2) {
		zl_format(text, sizeof(text), "0x%s", at + 1);
		if (zl_parse_u64(text, &unit) == 0 && q->fault == ZL_NODE_OK && unit != q->base) {
			zl_diag_add(r->diags, ZL_NOTE, ZL_DIAG_UNIT_ADDRESS,
				"%s: the unit address is not the address in reg (%x); reg counts",
				q->name, q->base);
		}
	}
}

static void lint_size(
	const struct reader *r, const struct zl_dts_prop *size, const struct zl_request *q)
{
	uint64_t v = 0;

	if (q->fault != ZL_NODE_SIZE_LENGTH || size == NULL) {
		return;
	}
	zl_dts_prop_number(size, 0, size->size == CELL ? 1 : 2, &v);
	zl_diag_add(r->diags, ZL_ERROR, ZL_DIAG_CELL_COUNT,
		"%s: size has %u cells, #size-cells is %u; write %s%x>", q->name,
		(unsigned)(size->size / CELL), r->sc, r->sc == 2 ? "<0x0 " : "<", v);
}

static void lint(const struct reader *r, const struct zl_dts_node *node, const struct zl_request *q)
{
	if (q->has_reg) {
		lint_reg(r, node, q);
	} else {
		lint_size(r, zl_dts_prop_find(node, "size"), q);
	}
	if (q->fault == ZL_NODE_ALIGNMENT_LENGTH) {
		zl_diag_add(r->diags, ZL_ERROR, ZL_DIAG_CELL_COUNT,
			"%s: alignment takes #address-cells (%u) cells; the kernel skips the node",
			q->name, r->ac);
	}
	if (q->alignment != 0 && (q->alignment & (q->alignment - 1)) != 0) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_ALIGNMENT_POWER,
			"%s: alignment %x is no power of two; the kernel does not check it",
			q->name, q->alignment);
	}
	if (q->dma_pool && !q->reusable && !q->no_map) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_NOT_REUSABLE,
			"%s: without `reusable` it is a coherent DMA pool, not CMA", q->name);
	}
	if (q->cma_default && (!q->dma_pool || !q->reusable || q->no_map)) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_NOT_REUSABLE,
			"%s: linux,cma-default has no effect on a node that is not CMA", q->name);
	}
	if (q->fault == ZL_NODE_UNKNOWN_VALUE) {
		zl_diag_add(r->diags, ZL_WARNING, ZL_DIAG_UNKNOWN_VALUE,
			"%s: a value is not known here; it is not judged", q->name);
	}
}

static void read_node(struct reader *r, const struct zl_dts_node *node)
{
	struct zl_reservations *ret = r->ret;
	const struct zl_dts_prop *compatible = zl_dts_prop_find(node, "compatible");
	struct zl_request *q;

	if (ret->nr_requests == ZL_POOLS_MAX) {
		ret->dropped++;
		return;
	}
	q = &ret->request[ret->nr_requests];
	*q = (struct zl_request){.kind = ZL_REQUEST_NODE,
		.source = r->dts->blob ? ZL_SOURCE_DTB : ZL_SOURCE_DTS,
		.node = ZL_ANY_NODE,
		.has_compatible = compatible != NULL,
		.dma_pool = zl_dts_prop_has_string(compatible, "shared-dma-pool"),
		.reusable = flag(node, "reusable"),
		.no_map = flag(node, "no-map"),
		.cma_default = flag(node, "linux,cma-default"),
		.origin = ret->nr_requests};
	zl_clean_line(q->name, sizeof(q->name), node->name, strlen(node->name));
	read_values(r, node, q);
	if (r->parent_fault) {
		q->fault = ZL_NODE_PARENT;
	} else if (!enabled(node)) {
		q->fault = ZL_NODE_DISABLED;
	}
	lint(r, node, q);
	ret->origin[ret->nr_requests] = (struct zl_reservation_origin){.node = node,
		.reg = zl_dts_prop_find(node, "reg"),
		.alignment = zl_dts_prop_find(node, "alignment"),
		.size = zl_dts_prop_find(node, "size"),
		.address_cells = r->ac,
		.size_cells = r->sc};
	ret->nr_requests++;
}

/* --- the rest of the tree --- */

static void read_memory(struct reader *r, const struct zl_dts_node *node)
{
	const struct zl_dts_prop *reg = zl_dts_prop_find(node, "reg");
	const struct zl_dts_prop *nid = zl_dts_prop_find(node, "numa-node-id");
	struct zl_range bank;
	uint64_t id = 0;

	if (reg == NULL || reg->incomplete || !enabled(node)) {
		return;
	}
	for (size_t i = 0; i < pairs(r, reg); i++) {
		if (pair(r, reg, i, &bank) != 0 || bank.size == 0) {
			continue;
		}
		zl_ranges_add(&r->ret->banks, bank.base, bank.size);
		if (nid != NULL && zl_dts_prop_number(nid, 0, 1, &id) == 0 &&
			r->ret->nr_node_ranges < ZL_NODE_RANGES_MAX) {
			r->ret->node_range[r->ret->nr_node_ranges++] = (struct zl_node_range){
				.base = bank.base, .size = bank.size, .node = (unsigned)id};
		}
	}
}

static bool is_memory(const struct zl_dts_node *node)
{
	return zl_dts_prop_has_string(zl_dts_prop_find(node, "device_type"), "memory") ||
	       name_is(node, "memory");
}

static void read_banks(struct reader *r)
{
	const struct zl_dts_node *tops[] = {r->dts->root, r->dts->orphans};

	if (!cells_of(r->dts->root, &r->ac, &r->sc)) {
		r->ac = 0;
	}
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		for (const struct zl_dts_node *n = tops[i]->first_child; n != NULL; n = n->next) {
			if (!is_memory(n)) {
				continue;
			}
			if (r->ac == 0 || tops[i] == r->dts->orphans) {
				guess(n, &r->ac, &r->sc);
			}
			if (r->ac != 0) {
				read_memory(r, n);
			}
		}
	}
}

static void read_bootargs(struct reader *r)
{
	const struct zl_dts_node *chosen = zl_dts_child_find(r->dts->root, "chosen");
	const struct zl_dts_prop *args =
		chosen != NULL ? zl_dts_prop_find(chosen, "bootargs") : NULL;

	if (args != NULL && args->size > 0 && !args->incomplete) {
		zl_clean_line(r->ret->bootargs, sizeof(r->ret->bootargs), (const char *)args->data,
			args->size - 1);
	}
}

static void read_tops(struct reader *r, const struct zl_dts_node *top)
{
	bool loose_cells = false;
	unsigned ac = 0;
	unsigned sc = 0;

	for (const struct zl_dts_node *n = NULL; (n = zl_dts_next(top, n)) != NULL;) {
		if (is_parent(n)) {
			parent_cells(r, n);
			for (const struct zl_dts_node *c = n->first_child; c != NULL; c = c->next) {
				read_node(r, c);
			}
		} else if (n->parent != NULL && !is_parent(n->parent) && is_loose(r->dts, n)) {
			r->parent_fault = false;
			if (!loose_cells) {
				fragment_cells(r, n->parent->first_child);
				ac = r->ac;
				sc = r->sc;
				loose_cells = true;
			}
			r->ac = ac;
			r->sc = sc;
			read_node(r, n);
		}
	}
}

void zl_reservations_read(
	const struct zl_dts *dts, struct zl_reservations *ret, struct zl_diags *diags)
{
	struct reader r = {.dts = dts, .ret = ret, .diags = diags};
	size_t before = ret->nr_requests;

	read_banks(&r);
	read_bootargs(&r);
	read_tops(&r, dts->root);
	read_tops(&r, dts->orphans);
	if (ret->nr_requests == before && dts->orphans->props != NULL) {
		/* Bare properties without braces: one node without a name. */
		fragment_cells(&r, dts->orphans);
		read_node(&r, dts->orphans);
		zl_format(ret->request[before].name, ZL_POOL_NAME, "(fragment)");
		if (ret->request[before].fault == ZL_NODE_NEITHER) {
			ret->nr_requests = before;
		}
	}
	for (size_t i = 0; i < dts->nr_reserves; i++) {
		zl_ranges_add(&ret->reserved, dts->reserve[i].base, dts->reserve[i].size);
	}
}
