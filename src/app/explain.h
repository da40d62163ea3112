/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a value is what it is: definition, formula with operands, inputs, other releases, source.
 * `w`, `explain` and the glossary show this.
 */
#ifndef APP_EXPLAIN_H
#define APP_EXPLAIN_H

#include "app.h"
#include "zonelab/json.h"

#define EXPLAIN_INPUTS	 10
#define EXPLAIN_FEEDS	 16
#define EXPLAIN_RELEASES 24

/** An operand of the formula; following it explains it in turn. */
struct explain_input {
	unsigned id;
	char name[48];
	char value[64];
	char how[160];	 /* its own formula, or where it was given */
	char origin[24]; /* "derived", "given", "file", ... */
};

/** A run of releases that give the same answer with the same inputs. */
struct explain_release {
	char first[16];
	char last[16]; /* "" = the newest as well */
	char formula[160];
	char value[64];
	bool present; /* the release in force is in the run */
};

struct explain {
	unsigned id;
	char name[64];
	char value[64]; /* "" = the name stands for no number of the machine */
	char unit[16];	/* "pages", "bytes", "KiB", "" */
	bool has_number;
	int64_t number; /* the value without grouping; bytes for sizes */
	char definition[400];
	char formula[320];    /* filled, "" = none */
	const char *template; /* of the formula, for views that tag operands */
	size_t nr_inputs;
	struct explain_input input[EXPLAIN_INPUTS];
	size_t nr_releases; /* 0 when all releases agree */
	struct explain_release release[EXPLAIN_RELEASES];
	unsigned feeds[EXPLAIN_FEEDS]; /* values whose formula has this one as operand */
	size_t nr_feeds;
	char changed[240]; /* of a figure of a run: the op that last changed it, "" = none */
	uint64_t changed_op;
	char kernel[240]; /* what the kernel calls a setting, "" for values */
	char source[200];
	char simplified[200];
};

/** Explains any id. Returns false for an id that has no explanation. */
bool explain_fill(const struct value_in *in, unsigned id, struct explain *ret);
/** "batch = 63 pages", or of what has no number "flushed, a metric (flushes)". */
void explain_head(const struct explain *e, char *buf, size_t size);
/** Adds to a figure of a run which op last changed it, and why. */
void explain_change(struct app *app, struct explain *e);
/** As text of at most 80 columns. */
void explain_text(const struct explain *e, struct zl_buf *b);
/** The same in another width. */
void explain_print(const struct explain *e, size_t columns, struct zl_buf *b);
void explain_json(const struct explain *e, struct zl_json *object);
/** Texts that explain no single value: "limits". False if there is no such topic. */
bool explain_topic(const char *name, size_t columns, struct zl_buf *b);
/** The sentences of "limits", one after another; NULL past the last. */
const char *explain_limit(size_t i);

/** "estimate": what the cost estimate can say, cannot say, and its constants. */
void explain_estimate_text(const struct value_in *in, size_t columns, struct zl_buf *b);
void explain_estimate_json(const struct value_in *in, struct zl_json *object);

#endif
