/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /proc/buddyinfo and /proc/pagetypeinfo: free blocks by order, pageblocks by migratetype. The
 * number of columns gives the largest order; the set of types differs between kernels.
 */
#include <errno.h>
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"

#define ROWS_MAX    4096
#define TYPES_SHOWN 8

/* Names as these files print them; -1 = of older kernels, not modelled. */
static const struct {
	const char *name;
	int type;
} types[] = {
	{"CMA",		ZL_MIGRATE_CMA	      },
	{"HighAtomic",  ZL_MIGRATE_HIGHATOMIC },
	{"Isolate",	    ZL_MIGRATE_ISOLATE    },
	{"Movable",	    ZL_MIGRATE_MOVABLE    },
	{"Reclaimable", ZL_MIGRATE_RECLAIMABLE},
	{"Reserve",	    -1		      },
	{"Unmovable",   ZL_MIGRATE_UNMOVABLE  },
};
#define NR_TYPES (sizeof(types) / sizeof(types[0]))

static bool type_find(const struct scan *word, int *ret)
{
	for (size_t i = 0; i < NR_TYPES; i++) {
		if (scan_equal(word, types[i].name)) {
			*ret = types[i].type;
			return true;
		}
	}
	return false;
}

/* "Node    0, zone      DMA" and moves behind it. */
static bool read_zone_name(struct scan *c, unsigned *ret_node, char *name, size_t size)
{
	uint64_t node = 0;
	struct scan word;

	if (!scan_literal(c, "Node ") || !scan_u64(c, &node) || !scan_literal(c, ", zone ") ||
		node >= ZL_NODES_MAX) {
		return false;
	}
	word.p = c->p;
	while (c->p < c->end && !scan_is_blank(*c->p) && *c->p != ',') {
		c->p++;
	}
	word.end = c->p;
	if (scan_left(&word) == 0 || scan_left(&word) >= size) {
		return false;
	}
	scan_copy(&word, name, size);
	*ret_node = (unsigned)node;
	return true;
}

/* Counts of all orders up to the end of the line, ">100000" included. */
static bool read_counts(struct scan *c, struct zl_free_row *row)
{
	row->nr_orders = 0;
	row->more = 0;
	while (scan_blanks(c) && c->p < c->end) {
		if (row->nr_orders > ZL_MAX_ORDER_LIMIT) {
			return false;
		}
		if (*c->p == '>') {
			row->more |= UINT32_C(1) << row->nr_orders;
			c->p++;
		}
		if (!scan_u64(c, &row->count[row->nr_orders])) {
			return false;
		}
		row->nr_orders++;
	}
	return row->nr_orders > 0 && c->p == c->end;
}

/* Adds a row, replacing the one of an earlier file. */
static int add_row(struct zl_import *im, const struct zl_free_row *row)
{
	struct zl_import_facts *facts = &im->facts;

	for (size_t i = 0; i < facts->nr_free_rows; i++) {
		struct zl_free_row *old = &facts->free_rows[i];

		if (old->node == row->node && old->type == row->type &&
			strcmp(old->zone, row->zone) == 0) {
			*old = *row;
			return 0;
		}
	}
	void *grown = import_grow(im->alloc, facts->free_rows, facts->nr_free_rows, sizeof(*row));
	if (grown == NULL) {
		return -ENOMEM;
	}
	facts->free_rows = grown;
	facts->free_rows[facts->nr_free_rows++] = *row;
	return 0;
}

static void note_orders(struct zl_import *im, const struct zl_free_row *row)
{
	int64_t seen = im->profile.observed.max_page_order;
	int64_t order = (int64_t)row->nr_orders - 1;

	if (seen >= 0 && seen != order) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_VALUE,
			"node %u zone %s shows %u orders, others %D: not of one kernel, or cut",
			row->node, row->zone, row->nr_orders, seen + 1);
		return;
	}
	im->profile.observed.max_page_order = order;
}

int read_buddyinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));
		struct zl_free_row row = {.type = -1};

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
			continue;
		}
		if (!read_zone_name(&c, &row.node, row.zone, sizeof(row.zone)) ||
			!read_counts(&c, &row) || im->facts.nr_free_rows >= ROWS_MAX) {
			import_complain(f, &line, import_column(&line, &c),
				"no line of /proc/buddyinfo; \"Node 0, zone Normal\" and a count "
				"for each order would be right");
			continue;
		}
		if (add_row(im, &row) < 0) {
			return -ENOMEM;
		}
		note_orders(im, &row);
		import_count(f, ZL_LINE_USED, "zones");
	}
	return 0;
}

/* What pagetypeinfo is made of, as far as read. */
struct pagetypeinfo {
	struct zl_import *im;
	int column_type[TYPES_SHOWN]; /* of "Number of blocks type" */
	size_t nr_columns;
};

static bool read_header(struct pagetypeinfo *p, struct scan c)
{
	uint64_t v = 0;
	struct scan word;

	if (scan_literal(&c, "Page block order:")) {
		scan_blanks(&c);
		if (scan_u64(&c, &v) && v <= ZL_MAX_ORDER_LIMIT) {
			p->im->profile.observed.pageblock_order = (int64_t)v;
			return true;
		}
		return false;
	}
	if (scan_peek(&c, "Pages per block:") ||
		scan_peek(&c, "Free pages count per migrate type")) {
		return true;
	}
	if (!scan_literal(&c, "Number of blocks type")) {
		return false;
	}
	p->nr_columns = 0;
	while (scan_blanks(&c) && scan_word(&c, &word) && p->nr_columns < TYPES_SHOWN) {
		if (!type_find(&word, &p->column_type[p->nr_columns++])) {
			return false;
		}
	}
	p->im->profile.observed.migrate_types = (int64_t)p->nr_columns;
	return p->nr_columns > 0;
}

static int add_blocks(struct zl_import *im, const struct zl_type_row *row)
{
	struct zl_import_facts *facts = &im->facts;

	for (size_t i = 0; i < facts->nr_block_rows; i++) {
		struct zl_type_row *old = &facts->block_rows[i];

		if (old->node == row->node && strcmp(old->zone, row->zone) == 0) {
			*old = *row;
			return 0;
		}
	}
	void *grown = import_grow(im->alloc, facts->block_rows, facts->nr_block_rows, sizeof(*row));
	if (grown == NULL) {
		return -ENOMEM;
	}
	facts->block_rows = grown;
	facts->block_rows[facts->nr_block_rows++] = *row;
	return 0;
}

/* "Node 0, zone Normal  171  3791 ..."; 1 when read, 0 when it is another line. */
static int read_blocks(struct pagetypeinfo *p, struct scan c)
{
	struct zl_type_row row = {0};
	uint64_t v = 0;

	if (p->nr_columns == 0 || !read_zone_name(&c, &row.node, row.zone, sizeof(row.zone))) {
		return 0;
	}
	for (size_t i = 0; i < p->nr_columns; i++) {
		if (!scan_blanks(&c) || !scan_u64(&c, &v)) {
			return 0;
		}
		if (p->column_type[i] >= 0) {
			row.blocks[p->column_type[i]] = v;
		}
	}
	if (c.p < c.end || p->im->facts.nr_block_rows >= ROWS_MAX) {
		return 0;
	}
	return add_blocks(p->im, &row) < 0 ? -ENOMEM : 1;
}

/* "Node 0, zone DMA, type Movable 1 2 ..."; 1 when read, 0 when it is another line. */
static int read_type_row(struct pagetypeinfo *p, struct scan c)
{
	struct zl_free_row row = {0};
	struct scan word;

	if (!read_zone_name(&c, &row.node, row.zone, sizeof(row.zone)) ||
		!scan_literal(&c, ", type ") || !scan_word(&c, &word) ||
		!type_find(&word, &row.type) || !read_counts(&c, &row) ||
		p->im->facts.nr_free_rows >= ROWS_MAX) {
		return 0;
	}
	note_orders(p->im, &row);
	if (row.type < 0) {
		return 1; /* an old type: counted by nobody */
	}
	return add_row(p->im, &row) < 0 ? -ENOMEM : 1;
}

int read_pagetypeinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines)
{
	struct pagetypeinfo p = {.im = im};
	struct zl_line line;

	while (zl_lines_next(lines, &line)) {
		struct scan c = scan_trim(scan_of(line.s, line.len));
		int r = 0;

		if (c.p == c.end) {
			import_count(f, ZL_LINE_COUNTED, "blank lines");
			continue;
		}
		if (read_header(&p, c)) {
			import_count(f, ZL_LINE_USED, "headings");
			continue;
		}
		r = read_type_row(&p, c);
		r = r == 0 ? read_blocks(&p, c) : r;
		if (r < 0) {
			return r;
		}
		if (r == 0) {
			import_complain(f, &line, import_column(&line, &c),
				"no line of /proc/pagetypeinfo; a zone, a type and a count for "
				"each "
				"order would be right");
			continue;
		}
		import_count(f, ZL_LINE_USED, "rows");
	}
	return 0;
}
