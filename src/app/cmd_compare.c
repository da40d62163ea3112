/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `compare`: two to four what-ifs of one scenario or op list, side by side.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "compare_axis.h"
#include "compare_lanes.h"
#include "compare_report.h"
#include "op_list.h"
#include "run_report.h"
#include "zonelab/text.h"

#define LANES_LEAST 2

/* Values of totals by seed: [(seed * COMPARE_TOTALS + total) * COMPARE_LANES + lane]. */
struct samples {
	int64_t *value;
	unsigned n;
};

static size_t place(unsigned seed, size_t total, unsigned lane)
{
	return ((size_t)seed * COMPARE_TOTALS + total) * COMPARE_LANES + lane;
}

static size_t take_sample(const struct comparison *c, struct samples *s, unsigned seed)
{
	struct compare_total t[COMPARE_TOTALS];
	size_t n = comparison_totals(c, t);

	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < c->nr_lanes; k++) {
			s->value[place(seed, i, k)] = t[i].value[k];
		}
	}
	return n;
}

static void summarise(const struct samples *s, unsigned lanes, struct compare_seeds *ret)
{
	int64_t column[COMPARE_LANES][COMPARE_SEEDS_MAX];
	int64_t *values[COMPARE_LANES];

	for (size_t i = 0; i < ret->nr_totals; i++) {
		for (unsigned k = 0; k < lanes; k++) {
			values[k] = column[k];
			for (unsigned seed = 0; seed < s->n; seed++) {
				column[k][seed] = s->value[place(seed, i, k)];
			}
		}
		compare_spread_of(values, lanes, s->n, &ret->spread[i * COMPARE_LANES]);
	}
}

static enum exit_status failed(int rc, struct output *out)
{
	return rc == -ENOEXEC ? EXIT_NO : run_failed(rc == -ENOENT ? -EINVAL : rc, out);
}

static void answer(const struct compare_lanes *l, const struct comparison *c,
	const struct compare_seeds *seeds, struct output *out)
{
	struct zl_buf command = {0};
	struct zl_buf common = {0};
	struct compare_answer a = {.c = c,
		.spec = l->spec,
		.scenario = l->name,
		.title = l->title,
		.question = l->question,
		.seed = l->seed,
		.seeds = seeds};

	compare_command(l->app, l->args, &command);
	compare_common(l->app, &common);
	a.reproduce = zl_buf_text(&command);
	a.common = zl_buf_text(&common);
	if (out->format == FORMAT_JSON) {
		(void)output_json(out, "compare");
	}
	compare_report(&a, out);
	out->text.failed = out->text.failed || command.failed || common.failed;
	zl_buf_done(&command);
	zl_buf_done(&common);
}

static enum exit_status one_seed(const struct compare_lanes *l, struct output *out)
{
	struct comparison *c = NULL;
	int rc = compare_lanes_run(l, 0, &c, &out->error);

	if (rc != 0) {
		return failed(rc, out);
	}
	answer(l, c, NULL, out);
	bool complete = c->complete;
	comparison_free(c);
	return complete ? EXIT_YES : EXIT_INTERRUPTED;
}

/*
 * The first seed's comparison is kept for the answer. When the user wants an end, those that are
 * complete count.
 */
static int all_seeds(const struct compare_lanes *l, struct samples *s,
	struct comparison **ret_first, struct compare_seeds *ret, struct zl_error *err)
{
	for (unsigned seed = 0; seed < s->n; seed++) {
		struct comparison *c = NULL;
		int rc = compare_lanes_run(l, seed, &c, err);

		if (rc != 0) {
			return rc;
		}
		bool complete = c->complete;
		if (seed == 0 || complete) {
			ret->nr_totals = take_sample(c, s, seed);
		}
		if (seed == 0) {
			*ret_first = c;
		} else {
			comparison_free(c);
		}
		if (!complete) {
			ret->n = seed > 0 ? seed : 1;
			ret->stopped = true;
			s->n = ret->n;
		}
	}
	return 0;
}

static enum exit_status many_seeds(const struct compare_lanes *l, unsigned n, struct output *out)
{
	const struct zl_allocator *mem = l->app->alloc;
	struct samples s = {.n = n};
	struct compare_seeds *seeds = mem->realloc(mem->user, NULL, sizeof(*seeds));
	struct comparison *first = NULL;
	int rc = -ENOMEM;

	s.value = mem->realloc(mem->user, NULL, place(n, 0, 0) * sizeof(*s.value));
	if (seeds != NULL && s.value != NULL) {
		memset(seeds, 0, sizeof(*seeds));
		seeds->n = n;
		rc = all_seeds(l, &s, &first, seeds, &out->error);
	}
	if (rc == 0) {
		summarise(&s, l->n, seeds);
		answer(l, first, seeds, out);
	}
	comparison_free(first);
	mem->free(mem->user, s.value);
	enum exit_status status = seeds != NULL && seeds->stopped ? EXIT_INTERRUPTED : EXIT_YES;
	mem->free(mem->user, seeds);
	return rc == 0 ? status : failed(rc, out);
}

static enum exit_status run_lanes(struct compare_lanes *l, struct output *out)
{
	const char *text = args_option(l->args, "--seeds");
	const char *axis = args_option(l->args, "--axis");
	uint64_t n = 1;

	if (text != NULL && (zl_parse_u64(text, &n) != 0 || n == 0 || n > COMPARE_SEEDS_MAX)) {
		return command_usage(out, "--seeds %s is no number of seeds; 1 to %u", text,
			(unsigned)COMPARE_SEEDS_MAX);
	}
	if (axis != NULL && strcmp(axis, "kernel") != 0) {
		return command_usage(out, "--axis %s is not known; kernel", axis);
	}
	if (axis != NULL && n > 1) {
		return command_usage(out, "--axis runs one seed; leave --seeds out");
	}
	if (n > 1 && l->workload.ops != NULL) {
		return command_usage(out, "an op list has no seed; leave --seeds out");
	}
	if (axis != NULL) {
		return compare_axis(l, out);
	}
	l->runs = (unsigned)n;
	return n > 1 ? many_seeds(l, (unsigned)n, out) : one_seed(l, out);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct compare_lanes *l = NULL;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	int rc = compare_lanes_new(app, args, out, &l);
	enum exit_status status = rc != 0 ? failed(rc, out) : run_lanes(l, out);
	compare_lanes_free(l);
	return status;
}

static const struct command_option options[] = {
	{"--allow-different-costs", NULL,	  false,
		"Compare estimates that were made with different costs"					       },
	{"--axis",		   "AXIS",	   false,
		"Slide one lane along an axis instead: kernel, every release that changes a run"			},
	{"--lane",		   "LANE",	   true,	 "A what-if, NAME:ITEM,ITEM...; two to four of them"},
	{"--param",		    "NAME=VALUE", true,	"Another value for a parameter of the scenario"    },
	{"--seeds",		    "N",		 false,
		"As many seeds, from the scenario's or --seed on: median, range, spread"				},
	{"--short",		    NULL,	  false, "The scenario's short form"			    },
	{NULL,		      NULL,	     false, NULL					       },
};

const struct command cmd_compare = {
	.name = "compare",
	.synopsis = "SCENARIO --lane LANE --lane LANE... [--seeds N] [--axis kernel] [--short] "
		    "[--param NAME=VALUE]... [--allow-different-costs]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Run a scenario or op list in two to four what-ifs and say where they differ",
	.more = "A lane is NAME:ITEM,ITEM...; an item is KEY=VALUE, profile=NAME, "
		"policy.POINT=EXPRESSION, policy=NAME, or a kernel release alone. Commas inside "
		"(), [] or double quotes do not split. A lane is laid over the scenario's machine "
		"and what --profile and --set give; its profile takes the place of --profile. With "
		"one lane alone, the machine as it is stands beside it as `base`. Lanes compare "
		"one "
		"zone: scenarios of all zones are refused (`sweep NAME "
		"--vary kernel=6.12,6.18 --metric zone_locks` counts theirs). All lanes get "
		"the same ops; the first op on which they do, or leave, something else is "
		"explained. Totals that are equal stand in one line. --mail adds the question and "
		"the command that gives it again, at most 72 columns wide.",
	.options = options,
	.run = run,
};
