/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `compare`: text, mail, CSV and JSON.
 */
#ifndef APP_COMPARE_REPORT_H
#define APP_COMPARE_REPORT_H

#include "command.h"
#include "comparison.h"
#include "lane_spec.h"

#define COMPARE_SEEDS_MAX 1000

/** One total of one lane over several seeds. */
struct compare_spread {
	int64_t median, least, most;
	bool beyond; /* its distance to the first lane is larger than the spread of both */
};
/** [total * COMPARE_LANES + lane], totals in the order of comparison_totals(). */
struct compare_seeds {
	unsigned n;
	bool stopped; /* the user wanted an end before all had run */
	size_t nr_totals;
	struct compare_spread spread[COMPARE_TOTALS * COMPARE_LANES];
};

/** Everything that an answer is made from; borrowed. */
struct compare_answer {
	const struct comparison *c;
	const struct lane_spec *spec; /* one a lane */
	const char *scenario;	      /* name */
	const char *title, *question; /* "" = none */
	const char *seed;
	const struct compare_seeds *seeds; /* NULL = one seed */
	const char *common;		   /* what all lanes were given, "" = nothing */
	const char *reproduce;		   /* the command line */
};

void compare_report(const struct compare_answer *a, struct output *out);
/** Writes the command line of this answer with its options, quoted for a shell. */
void compare_command(const struct app *app, const struct command_args *args, struct zl_buf *ret);
/** The same for a mail that goes with the files which are its words: their names alone. */
void compare_command_mailed(
	const struct app *app, const struct command_args *args, struct zl_buf *ret);
/** Adds a word to a command line, quoted for a shell unless nothing in it needs that. */
void compare_word(struct zl_buf *b, const char *word);
/** Adds what --set, --seed and --policy gave. */
void compare_given(const struct app *app, struct zl_buf *ret);
/** "profile=rz-g3s, cpus=2": what --profile and --set give to all lanes. */
void compare_common(const struct app *app, struct zl_buf *ret);
/** Ends a mail: the command under a line that says what it is. */
void compare_mail_end(const char *command, struct output *out);

/** What the values of one total over @n seeds make; sorts them. */
void compare_spread_of(int64_t *const values[COMPARE_LANES], unsigned lanes, unsigned n,
	struct compare_spread ret[COMPARE_LANES]);

/* Parts that the answers share. */

/** "x86_64, 4 KiB pages, 64 GiB, 1 node, 24 CPUs; node 0 Normal". Returns the length. */
size_t compare_machine(const struct compare_lane *l, char *buf, size_t size);
#define COMPARE_REASON 200
/** Whether free_high can fire in the lane's zone; a sentence when it cannot, else "". */
bool compare_reachable(const struct compare_lane *l, char why[COMPARE_REASON]);
/** "free o3 U 0x40": an op in a few words. Returns the length. */
size_t compare_op(const struct zl_record *r, char *buf, size_t size);
/** The name of a lane above a column, or its letter when names are too long for that. */
const char *compare_column_name(const struct compare_answer *a, unsigned i);
/** Where the lanes differ first, why, and on how many ops. */
void compare_print_divergence(const struct comparison *c, struct output *out);
/** The same as members of an object: first_divergence, divergences. */
void compare_json_divergence(const struct comparison *c, struct zl_json *o);
void compare_print_totals(const struct compare_answer *a, struct output *out);
void compare_print_spread(const struct compare_answer *a, struct output *out);
void compare_json(const struct compare_answer *a, struct output *out);
/** Lines of a command for a mail: at most @columns, continued with a backslash. */
void compare_wrap_command(const char *command, size_t columns, struct zl_buf *ret);

#endif
