/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device trees as nodes, properties and the bytes of their values, from source text (whole files,
 * fragments, overlays, text pasted from mail or a diff) or from a blob. The reader of source is
 * tolerant: what it cannot read it skips and notes with line and column. It keeps the place of
 * every cell, so that a value can be changed without touching any other byte.
 */
#ifndef ZONELAB_DTS_H
#define ZONELAB_DTS_H

#include "zonelab/diag.h"
#include "zonelab/error.h"
#include "zonelab/types.h"

#define ZL_DTS_SIZE_MAX	    (16u << 20) /* bytes of one file */
#define ZL_DTS_DEPTH_MAX    64		/* nodes inside nodes */
#define ZL_DTS_NODES_MAX    100000
#define ZL_DTS_CHILDREN_MAX 4096       /* of one node */
#define ZL_DTS_PROPS_MAX    1024       /* of one node */
#define ZL_DTS_DATA_MAX	    (1u << 20) /* bytes of one value */
#define ZL_DTS_MACROS_MAX   4096
#define ZL_DTS_FILES_MAX    32 /* the file itself and what it includes */
#define ZL_DTS_INCLUDE_MAX  8  /* includes inside includes */
#define ZL_DTS_EXPR_MAX	    64 /* parentheses and operators inside each other */
#define ZL_DTS_NOTES_MAX    64
#define ZL_DTS_RESERVES_MAX 256 /* /memreserve/ entries */
#define ZL_DTS_MISSING_MAX  32	/* distinct unresolved names that are kept */

/** One number of a value. Places are byte offsets into the file, [begin, end). */
struct zl_dts_cell {
	uint32_t at;   /* first byte in the property's data */
	uint8_t width; /* bytes: 1, 2, 4 or 8 */
	bool known;    /* false: a reference, or an unresolved macro */
	bool macro;    /* the text is the name of a macro */
	uint16_t file;
	uint32_t begin, end;
};

struct zl_dts_prop {
	struct zl_dts_prop *next;
	const char *name;
	uint8_t *data; /* big-endian, as in a blob; a string ends in NUL */
	size_t size;
	struct zl_dts_cell *cells; /* numbers in order of `at`; NULL for strings alone */
	size_t nr_cells;
	bool incomplete; /* the value has parts of unknown length */
	uint16_t file;
	uint32_t begin, end; /* the statement with its semicolon */
	unsigned line, column;
};

struct zl_dts_node {
	struct zl_dts_node *parent, *next, *first_child, *last_child;
	struct zl_dts_prop *props;
	const char *name;  /* with unit address; "" for the root; "&label" when not resolved */
	const char *label; /* the first label, or NULL */
	unsigned nr_children, nr_props;
	uint16_t file;
	bool reopened;		/* by its name; references do not count */
	uint32_t begin, body;	/* first byte of the name; first byte behind the last brace */
	uint32_t first, opened; /* of the first part: first label or name; behind its brace */
	uint32_t end;		/* of the first part: behind its semicolon; 0 = never closed */
	unsigned line, column;
};

/** What the reader skipped or repaired. `file` indexes zl_dts.file. */
struct zl_dts_note {
	enum zl_severity severity;
	uint16_t file;
	unsigned line, column;
	char text[200];
};

struct zl_dts_reserve {
	uint64_t base, size;
};

/** A file as read. `text` is the file's own bytes, untouched. */
struct zl_dts_file {
	const char *name;
	const char *text;
	size_t size;
	const uint32_t *line_start;
	size_t nr_lines;
};

struct zl_dts {
	bool blob;	/* read from a blob: no places */
	bool overlay;	/* /plugin/, or fragments with __overlay__ */
	bool has_root;	/* a root node was seen */
	bool whole;	/* begins with /dts-v1/ as dtc wants it: what dtc refuses is an error */
	bool quoted;	/* mail quoting was removed */
	bool diff;	/* diff prefixes were removed */
	bool unfixable; /* the text was decoded (quoted-printable): places mean nothing */
	struct zl_dts_node *root;
	struct zl_dts_node *orphans; /* nodes and properties outside any root node */
	size_t nr_nodes;
	size_t nr_skipped_lines; /* lines of prose around a fragment */
	size_t nr_notes, nr_notes_dropped;
	struct zl_dts_note note[ZL_DTS_NOTES_MAX];
	size_t nr_reserves;
	struct zl_dts_reserve reserve[ZL_DTS_RESERVES_MAX];
	size_t nr_files;
	struct zl_dts_file file[ZL_DTS_FILES_MAX];
	size_t nr_missing; /* distinct unresolved macros and includes */
	const char *missing[ZL_DTS_MISSING_MAX];
	struct zl_arena *arena; /* owns everything above */
};

/**
 * Opens included files. Returns 0 and the whole content (freed with @a), -ENOENT when there is no
 * such file, or another negative errno.
 */
struct zl_dts_includer {
	int (*open)(void *user, const char *name, char **ret_text, size_t *ret_size);
	void (*close)(void *user, char *text);
	void *user;
};

/** True when text has the marks of device-tree source. */
bool zl_dts_recognise(const char *text, size_t size);
/** True for the magic of a blob. */
bool zl_dtb_recognise(const void *data, size_t size);

/**
 * Reads source text. @includer may be NULL: then includes are named and skipped.
 * Returns 0; -E2BIG, -EINVAL (nothing of a device tree in it, a limit passed; @err says which) or
 * -ENOMEM. *ret_dts is set on success only; free it with zl_dts_free().
 */
struct zl_dts_options {
	const char *name; /* file name for notes */
	const struct zl_allocator *allocator;
	const struct zl_dts_includer *includer;
};
int zl_dts_read(const char *text, size_t size, const struct zl_dts_options *options,
	struct zl_dts **ret_dts, struct zl_error *err);
/** Reads a blob, after libfdt has checked all of it. Errors as zl_dts_read(). */
int zl_dtb_read(const void *data, size_t size, const struct zl_dts_options *options,
	struct zl_dts **ret_dts, struct zl_error *err);
/** Accepts NULL. */
void zl_dts_free(struct zl_dts *dts);

/** The property, or NULL. */
const struct zl_dts_prop *zl_dts_prop_find(const struct zl_dts_node *node, const char *name);
/** The child of that full name, or NULL. */
const struct zl_dts_node *zl_dts_child_find(const struct zl_dts_node *node, const char *name);
/** True when a string list property contains @s. */
bool zl_dts_prop_has_string(const struct zl_dts_prop *prop, const char *s);
/**
 * Reads @cells 32-bit cells from cell index @first as one big-endian number.
 * Returns 0; -ERANGE outside the value or above 64 bits; -ENODATA when a cell is not known.
 */
int zl_dts_prop_number(const struct zl_dts_prop *prop, size_t first, unsigned cells, uint64_t *ret);
/** Next node in document order, starting with @top itself; NULL behind the last. */
const struct zl_dts_node *zl_dts_next(
	const struct zl_dts_node *top, const struct zl_dts_node *node);
/** Line and column, from 1, of a byte of a file. */
void zl_dts_place(const struct zl_dts *dts, unsigned file, uint32_t at, unsigned *ret_line,
	unsigned *ret_column);

#endif
