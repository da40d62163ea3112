/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between the files of the device-tree source reader. A cursor walks the masked copy of a file,
 * which has the same length as the file, so that positions in it are positions in the file.
 */
#ifndef ZONELAB_IO_DTS_PARSE_H
#define ZONELAB_IO_DTS_PARSE_H

#include "arena.h"
#include "zonelab/dts.h"

#define DTS_BUCKETS	64u
#define DTS_COND_MAX	64
#define DTS_MACRO_DEPTH 16    /* macros inside macros */
#define DTS_MACRO_STEPS 20000 /* expansions in one document */

struct dts_macro {
	struct dts_macro *next;
	const char *name;
	const char *body;
	size_t size;
	bool with_arguments;
	bool busy; /* being expanded: a macro that names itself stops there */
};

struct dts_label {
	struct dts_label *next;
	const char *name;
	struct zl_dts_node *node;
};

/** A place in a text. Inside a macro's body, places are those of the macro's use. */
struct dts_cursor {
	const char *text;
	size_t size, pos;
	uint16_t file;
	bool in_macro;
	uint32_t use_begin, use_end;
};

struct dts_parser {
	struct zl_dts *dts;
	struct zl_arena *arena;
	const struct zl_dts_options *options;
	struct zl_error *err;
	int error; /* sticky: a limit or no memory; everything stops */
	struct dts_macro *macros[DTS_BUCKETS];
	struct dts_label *labels[DTS_BUCKETS];
	size_t nr_macros;
	unsigned macro_depth, include_depth, macro_steps;
	struct zl_dts_node *current;		     /* NULL stands for the orphans */
	struct zl_dts_node *outer[ZL_DTS_DEPTH_MAX]; /* what the open braces return to */
	unsigned depth;
	/* #if nesting: what each level does with its lines */
	bool cond_taken[DTS_COND_MAX];
	unsigned cond_depth;
};

/* dts_tree.c */
void dts_fail(struct dts_parser *p, int error, const struct dts_cursor *c, const char *text);
void dts_note(struct dts_parser *p, enum zl_severity severity, const struct dts_cursor *c,
	const char *fmt, ...);
void dts_missing(struct dts_parser *p, const char *name, size_t size);
struct zl_dts_node *dts_node_open(struct dts_parser *p, struct zl_dts_node *parent,
	const char *name, const struct dts_cursor *c);
struct zl_dts_prop *dts_prop_open(struct dts_parser *p, struct zl_dts_node *node, const char *name,
	const struct dts_cursor *c);
void dts_prop_delete(struct zl_dts_node *node, const char *name);
void dts_node_delete(struct zl_dts_node *node);
void dts_label_set(struct dts_parser *p, const char *name, struct zl_dts_node *node);
struct zl_dts_node *dts_label_find(const struct dts_parser *p, const char *name);
struct zl_dts_node *dts_path_find(const struct dts_parser *p, const char *path);
unsigned dts_hash(const char *s, size_t n);
/** Registers a file's text; returns its index or -1. */
int dts_file_add(struct dts_parser *p, const char *name, const char *text, size_t size);

/* dts_mask.c: a copy of the text with what is not device tree blanked out. */
int dts_mask(struct dts_parser *p, const char *text, size_t size, char **ret, size_t *ret_size);

/* dts_lex.c */
bool dts_is_name(char c);
bool dts_is_ident(char c);
bool dts_is_digit(char c);
/** Skips blanks, comments and preprocessor lines. Returns true if a line end was passed. */
bool dts_skip(struct dts_parser *p, struct dts_cursor *c);
void dts_skip_line(struct dts_cursor *c);
void dts_skip_balanced(struct dts_parser *p, struct dts_cursor *c);
bool dts_at_end(const struct dts_cursor *c);
char dts_peek(const struct dts_cursor *c, size_t ahead);
bool dts_accept(struct dts_cursor *c, const char *word);
/** Length of the run of characters that @is accepts at the cursor. */
size_t dts_span(const struct dts_cursor *c, bool (*is)(char));
/** Position of the cursor in the file. */
uint32_t dts_at(const struct dts_cursor *c);
/** What a text that dtc refuses deserves: an error in whole source, a warning in a fragment. */
enum zl_severity dts_broken(const struct dts_parser *p);
/** Reads one character of a string or a character constant. */
uint64_t dts_read_char(struct dts_cursor *c);

/* dts_cpp.c: the lines that a C preprocessor would have taken. */
bool dts_directive(struct dts_parser *p, struct dts_cursor *c);
const struct dts_macro *dts_macro_find(const struct dts_parser *p, const char *name, size_t n);
/** Starts reading a macro's body; false when it is unresolved (then it is noted and skipped). */
bool dts_macro_enter(struct dts_parser *p, struct dts_cursor *use, struct dts_cursor *ret_body,
	struct dts_macro **ret_macro);
/* dts_macro.c: the text that a use of a macro with arguments stands for; false, nothing moved, when
 * it is none. */
bool dts_macro_expand(struct dts_parser *p, const struct dts_macro *m, struct dts_cursor *use,
	struct dts_cursor *ret_body);
void dts_macro_leave(struct dts_parser *p, struct dts_macro *macro);
void dts_include(struct dts_parser *p, struct dts_cursor *c, const char *name, size_t n);

/* dts_expr.c */
struct dts_number {
	uint64_t value;
	bool known;
};
struct dts_number dts_expression(struct dts_parser *p, struct dts_cursor *c);
struct dts_number dts_integer(struct dts_parser *p, struct dts_cursor *c);

/* dts_value.c: everything between `=` and `;`. */
void dts_value(struct dts_parser *p, struct dts_cursor *c, struct zl_dts_prop *prop);

/* dts_parse.c */
/** Refuses what is too large; else the empty tree. Returns 0; -E2BIG or -ENOMEM with a sentence. */
int dts_begin(struct dts_parser *p, size_t size, const char *what);
void dts_statements(struct dts_parser *p, struct dts_cursor *c);

#endif
