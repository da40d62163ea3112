/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading an op list: what its files share. */
#ifndef IO_WORKLOAD_PARSE_H
#define IO_WORKLOAD_PARSE_H

#include "id_set.h"
#include "workload_keys.h"
#include "zonelab/workload.h"

#define WORKLOAD_WORDS 6u
#define WORKLOAD_WORD  32u

struct workload_word {
	char text[WORKLOAD_WORD];
	unsigned column;
};

struct workload_parser {
	struct zl_workload *w;
	struct zl_error *err;
	const struct zl_allocator *mem;
	struct id_set ids;
	size_t cap, cap_times;
	unsigned line;
	unsigned cpus;			     /* as `set cpus` has raised it */
	uint64_t t_ns;			     /* of the next op */
	bool given[WORKLOAD_KEY_COUNT];	     /* before the first zone */
	bool zone_given[WORKLOAD_KEY_COUNT]; /* of the zone whose lines these are */
	bool node_cpus_given;
	bool titled, formatted;
	struct workload_word word[WORKLOAD_WORDS];
	unsigned nr_words;
	unsigned end_column; /* where a missing word would stand */
};

struct workload_limits {
	const char *what;
	uint64_t lo, hi;
};

/* An error at a column of this line; @fmt has one %s. Returns -EINVAL. */
int workload_fail(const struct workload_parser *p, unsigned column, const char *fmt, const char *s);
/* Reads word @i as a number within limits. */
int workload_number(const struct workload_parser *p, unsigned i, const struct workload_limits *l,
	uint64_t *ret);
/* Nothing may follow the first @words words. */
int workload_end_of_line(const struct workload_parser *p, unsigned words);
/* `config ...` */
int workload_config(struct workload_parser *p);
/* The zone, or the zones, must be complete and possible before the first op. */
int workload_config_complete(struct workload_parser *p);
/* Any other line. */
int workload_op(struct workload_parser *p);

#endif
