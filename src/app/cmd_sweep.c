/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `sweep`: one metric over a grid of settings, in shards and parts as wanted. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "spread.h"
#include "sweep_part.h"
#include "sweep_report.h"
#include "sweeps.h"
#include "zonelab/append.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#define SHARDS_MAX 1000000

/* One run of the command. */
struct sweeping {
	struct app *app;
	const struct command_args *args;
	struct output *out;
	struct sweep *sweep;
	struct sweep_part part;
	uint64_t shard, shards; /* from 1 */
	uint64_t *point;	/* to compute */
	struct sweep_value *value;
	uint64_t n;
	int fd; /* of the part file, -1 = none */
};

static enum exit_status status_of(int rc)
{
	if (rc == -EINTR) {
		return EXIT_INTERRUPTED;
	}
	return rc == -ENOMEM || rc == -EIO ? EXIT_FAULT : EXIT_USAGE;
}

static int read_shard(struct sweeping *w)
{
	const char *text = args_option(w->args, "--shard");
	const char *slash = text != NULL ? strchr(text, '/') : NULL;
	char first[24];

	w->shard = 1;
	w->shards = 1;
	if (text == NULL) {
		return 0;
	}
	if (slash != NULL && (size_t)(slash - text) < sizeof(first)) {
		zl_format(first, (size_t)(slash - text) + 1, "%s", text);
		if (zl_parse_u64(first, &w->shard) == 0 &&
			zl_parse_u64(slash + 1, &w->shards) == 0 && w->shard >= 1 &&
			w->shard <= w->shards && w->shards <= SHARDS_MAX) {
			return 0;
		}
	}
	zl_error_set(&w->out->error, 0, 0,
		"--shard %s: write I/N with I from 1 to N, for example 3/16", text);
	return -EINVAL;
}

static int collect_spec(
	const struct command_args *args, struct sweep_spec *spec, struct zl_error *err)
{
	memset(spec, 0, sizeof(*spec));
	spec->target = args->word[0];
	spec->files = args->word + 1;
	spec->nr_files = args->nr_words - 1;
	spec->metric = args_option(args, "--metric");
	spec->timed = args_option(args, "--timed");
	spec->short_form = args_switch(args, "--short");
	for (size_t i = 0; i < args->nr_options; i++) {
		const char *name = args->option[i].option->name;
		const char *value = args->option[i].value;
		bool vary = strcmp(name, "--vary") == 0;

		if (!vary && strcmp(name, "--param") != 0) {
			continue;
		}
		if (vary ? spec->nr_vary == SWEEP_AXES_MAX
			 : spec->nr_params == sizeof(spec->param) / sizeof(spec->param[0])) {
			zl_error_set(err, 0, 0, "%s %s: at most %d of them", name, value,
				vary ? SWEEP_AXES_MAX : SWEEP_AXES_MAX * 4);
			return -EINVAL;
		}
		if (vary) {
			spec->vary[spec->nr_vary++] = value;
		} else {
			spec->param[spec->nr_params++] = value;
		}
	}
	if (spec->metric == NULL) {
		zl_error_set(err, 0, 0,
			"the metric is missing; --metric NAME, see `zonelab list metrics`");
		return -EINVAL;
	}
	return 0;
}

/* What is not in the part yet and belongs to the shard. */
static int choose_points(struct sweeping *w)
{
	const struct zl_allocator *mem = w->app->alloc;
	uint64_t all = (w->sweep->points + w->shards - w->shard) / w->shards;

	w->point = mem->realloc(mem->user, NULL, (all + 1) * sizeof(*w->point));
	w->value = mem->realloc(mem->user, NULL, (all + 1) * sizeof(*w->value));
	if (w->point == NULL || w->value == NULL) {
		zl_error_set(&w->out->error, 0, 0, "no memory for %U points; use --shard", all);
		return -ENOMEM;
	}
	memset(w->value, 0, (all + 1) * sizeof(*w->value));
	for (uint64_t i = w->shard - 1; i < w->sweep->points; i += w->shards) {
		if (w->part.value[i].state == SWEEP_OPEN) {
			w->point[w->n++] = i;
		}
	}
	return 0;
}

/* Opens the part that --part names and takes over what is in it. */
static int open_part(struct sweeping *w)
{
	const char *path = args_option(w->args, "--part");
	struct zl_buf head = {0};
	int rc;

	w->fd = -1;
	if (path == NULL) {
		return 0;
	}
	rc = sweep_part_read(path, w->app->alloc, &w->sweep, &w->part, &w->out->error);
	if (rc != 0 && rc != -ENOENT) {
		return rc;
	}
	memset(&w->out->error, 0, sizeof(w->out->error));
	w->fd = zl_append_open(path, w->part.keep, &w->out->error);
	if (w->fd < 0) {
		zl_error_file(&w->out->error, path);
		return w->fd;
	}
	if (w->part.keep > 0) {
		return 0;
	}
	rc = sweep_part_head(w->sweep, &head);
	rc = rc != 0 ? rc : zl_append(w->fd, head.data, head.len, &w->out->error);
	zl_buf_done(&head);
	return rc;
}

static int on_value(void *user, uint64_t i)
{
	struct sweeping *w = user;
	struct zl_buf b = {0};
	int rc = 0;

	if (w->value[i].state == SWEEP_FAULT) {
		char where[200];

		sweep_point_text(w->sweep, w->point[i], where, sizeof(where));
		zl_error_set(&w->out->error, 0, 0,
			"no memory for the point %s, or a fault of zonelab; fewer --jobs need less",
			where);
		return -ENOMEM;
	}
	w->part.value[w->point[i]] = w->value[i];
	w->part.have++;
	if (w->fd >= 0) {
		sweep_part_line(&b, w->point[i], &w->value[i]);
		if (b.failed) {
			zl_error_set(&w->out->error, 0, 0, "no memory for a line of the part");
		}
		rc = b.failed ? -ENOMEM : zl_append(w->fd, b.data, b.len, &w->out->error);
		zl_buf_done(&b);
	}
	return rc;
}

static int compute(struct sweeping *w)
{
	struct spread s = {.sweep = w->sweep,
		.point = w->point,
		.n = w->n,
		.value = w->value,
		.done = on_value,
		.user = w};
	const char *jobs = args_option(w->args, "--jobs");
	uint64_t v = 0;

	if (jobs != NULL && (zl_parse_u64(jobs, &v) != 0 || v < 1 || v > SHARDS_MAX)) {
		zl_error_set(&w->out->error, 0, 0, "--jobs %s: write a number of processes", jobs);
		return -EINVAL;
	}
	s.jobs = (unsigned)v;
	return w->n > 0 ? spread_run(w->app, &s, &w->out->error) : 0;
}

/* A shard's own lines, in order. */
static int print_shard(struct sweeping *w)
{
	struct zl_buf b = {0};
	int rc = sweep_part_head(w->sweep, &b);

	for (uint64_t i = w->shard - 1; rc == 0 && i < w->sweep->points; i += w->shards) {
		if (w->part.value[i].state != SWEEP_OPEN) {
			sweep_part_line(&b, i, &w->part.value[i]);
		}
	}
	rc = rc != 0 ? rc : b.failed ? -ENOMEM : output_stream(w->out, b.data, b.len);
	zl_buf_done(&b);
	return rc == -EPIPE ? 0 : rc;
}

static bool wants_svg(const struct output *out)
{
	size_t n = out->path != NULL ? strlen(out->path) : 0;

	return n > 4 && strcmp(out->path + n - 4, ".svg") == 0;
}

/* Points of this shard that are there; a part may hold others besides. */
static uint64_t have_of_shard(const struct sweeping *w)
{
	uint64_t n = 0;

	for (uint64_t i = w->shard - 1; i < w->sweep->points; i += w->shards) {
		n += w->part.value[i].state != SWEEP_OPEN;
	}
	return n;
}

static enum exit_status print(struct sweeping *w, bool complete)
{
	const struct sweep_shown shown = {w->sweep, w->part.value, complete};

	if (w->shards > 1 && args_option(w->args, "--part") != NULL) {
		uint64_t mine = (w->sweep->points + w->shards - w->shard) / w->shards;

		zl_buf_fmt(&w->out->text, "shard %U of %U: %N of %N points are in %s\n", w->shard,
			w->shards, have_of_shard(w), mine, args_option(w->args, "--part"));
		return EXIT_YES;
	}
	if (w->shards > 1) {
		int rc = print_shard(w);

		return rc == 0 ? EXIT_YES : status_of(rc);
	}
	if (wants_svg(w->out) && w->sweep->nr_axes > 2) {
		return command_usage(w->out, "a picture shows one or two axes; write CSV instead");
	}
	if (wants_svg(w->out)) {
		sweep_svg(&shown, &w->out->text);
	} else {
		sweep_report(&shown, w->out);
	}
	return w->out->error.text[0] != '\0' ? EXIT_USAGE : EXIT_YES; /* it could not be written */
}

static void done(struct sweeping *w)
{
	const struct zl_allocator *mem = w->app->alloc;

	mem->free(mem->user, w->point);
	mem->free(mem->user, w->value);
	sweep_part_done(&w->part, mem);
	sweep_free(w->sweep);
}

static enum exit_status merge(struct sweeping *w)
{
	enum exit_status status = EXIT_YES;
	int rc = 0;

	w->shards = 1;
	assert(w->args->nr_words > 0); /* run() has seen to it, so there is a sweep */
	for (size_t i = 0; rc == 0 && i < w->args->nr_words; i++) {
		rc = sweep_part_read(
			w->args->word[i], w->app->alloc, &w->sweep, &w->part, &w->out->error);
	}
	if (rc != 0) {
		status = status_of(rc);
	} else if (w->part.have < w->part.points) {
		uint64_t first = 0;
		char where[200];

		while (w->part.value[first].state != SWEEP_OPEN) {
			first++;
		}
		sweep_point_text(w->sweep, first, where, sizeof(where));
		zl_error_set(&w->out->error, 0, 0,
			"%N of %N points are missing, first %s (point %U); name all parts",
			w->part.points - w->part.have, w->part.points, where, first);
		status = EXIT_USAGE;
	} else {
		status = print(w, true);
	}
	done(w);
	return status;
}

static enum exit_status sweep(struct sweeping *w)
{
	enum exit_status status = EXIT_YES;
	struct sweep_spec spec;
	int rc = collect_spec(w->args, &spec, &w->out->error);

	rc = rc != 0 ? rc : read_shard(w);
	rc = rc != 0 ? rc : sweep_new(w->app, &spec, &w->sweep, &w->out->error);
	rc = rc != 0 ? rc : sweep_part_new(w->sweep, &w->part, &w->out->error);
	rc = rc != 0 ? rc : open_part(w);
	rc = rc != 0 ? rc : choose_points(w);
	rc = rc != 0 ? rc : compute(w);
	if (w->fd >= 0) {
		int closed = zl_append_close(w->fd, &w->out->error);

		rc = rc != 0 ? rc : closed;
	}
	if (rc == 0 || rc == -EINTR) {
		status = print(w, rc == 0);
	}
	if (rc != 0) {
		status = status_of(rc);
	}
	done(w);
	return status;
}

/* At the prompt a sweep opens the screen. */
static enum exit_status show(struct app *app, const struct command_args *args, struct output *out)
{
	struct sweep_spec spec;
	int rc = collect_spec(args, &spec, &out->error);

	rc = rc != 0 ? rc : sweeps_open(app, &spec, &out->error);
	rc = rc != 0 ? rc : app_show_screen(app, SCREEN_SWEEP, &out->error);
	return rc == 0 ? EXIT_YES : status_of(rc);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct sweeping w = {.app = app, .args = args, .out = out, .fd = -1};

	if (!command_words_ok(args, 1, COMMAND_WORDS, out)) {
		return EXIT_USAGE;
	}
	if (out->interactive && !args_switch(args, "--merge")) {
		return show(app, args, out);
	}
	/* Said before the work, not after it. */
	if (out->path != NULL && zl_save_refused(out->path, &out->error) != 0) {
		return EXIT_USAGE;
	}
	return args_switch(args, "--merge") ? merge(&w) : sweep(&w);
}

static const struct command_option options[] = {
	{"--jobs",   "N",		false, "Processes at a time; one a core when missing"		     },
	{"--merge",  NULL,	  false, "The words are parts of one sweep; print it whole"	   },
	{"--metric", "NAME",	     false, "What to follow, see `list metrics`"				},
	{"--param",  "NAME=VALUE", true,	"Another value for a parameter of the scenario"	       },
	{"--part",   "FILE",	   false, "Keep values here as they come, and go on from what is there"},
	{"--shard",  "I/N",	   false, "Compute only every N-th point, from the I-th on"		   },
	{"--short",  NULL,	  false, "The scenario's short form"				    },
	{"--timed",  "TIME",	    false, "Figures of the estimate in virtual time: 100ms, or all"	   },
	{"--vary",   "KEY=RANGE",	true,  "An axis: a..b, a..b:step, a..b*factor, or a list"		},
	{NULL,       NULL,	     false, NULL							 },
};

const struct command cmd_sweep = {
	.name = "sweep",
	.synopsis = "TARGET --vary KEY=RANGE [--vary ...] --metric NAME [--shard I/N] [--jobs N] "
		    "[--part FILE] | --merge FILE...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "One metric over ranges of one or more settings",
	.more = "TARGET is a scenario (shipped, or a file), or geometry, pcp, or reserve with "
		"files. "
		"KEY is a setting or param.NAME; the last --vary counts fastest. Ranges: 0..6, "
		"0..700:50, 1..64*2, lists of these and of words; kernel=6.6..6.18 takes the "
		"releases "
		"between where something changes. The metric is an expression over the metrics of "
		"a "
		"run, a figure of the estimate, or a value. All cores are used. --part keeps what "
		"is "
		"there when it is stopped and goes on with it; --shard computes a part, and "
		"--merge "
		"joins parts. The answer is the same, byte for byte, however it was shared out. -o "
		"F.svg draws one or two axes.",
	.options = options,
	.run = run,
};
