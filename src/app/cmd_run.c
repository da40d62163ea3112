/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run`: an op list under one kernel, with a trace or totals.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "zonelab/diag.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

#define LABEL_COLUMN 24
#define DIGEST_SIZE  20
#define HEX_DIGITS   16
#define HEX_BITS     4
#define HEX_MASK     15u

/* What an op list fixes and a setting of the same name would contradict. */
static bool fixed_by_list(const struct zl_sim_config *c, enum zl_setting key, int64_t *ret)
{
	switch ((unsigned)key) {
	case ZL_SET_PAGE_SIZE:
		*ret = INT64_C(1) << c->page_shift;
		return true;
	case ZL_SET_MAX_PAGE_ORDER:
		*ret = c->max_order;
		return true;
	case ZL_SET_CPUS:
		*ret = c->cpus;
		return true;
	case ZL_SET_THP:
		*ret = c->thp;
		return true;
	case ZL_SET_BATCH_SCALE_MAX:
		*ret = c->scale_max;
		return true;
	case ZL_SET_HIGH_FRACTION:
		*ret = c->high_fraction;
		return true;
	case ZL_SET_CACHE_SLICE:
		*ret = (int64_t)c->cache_slice;
		return true;
	default: /* the other settings have no figure in an op list */
		return false;
	}
}

/* Only the kernel may be chosen; what says the same as the list is no conflict. */
static enum exit_status check_settings(
	const struct zl_settings *s, const struct zl_workload *w, struct output *out)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		const struct zl_setting_value *v = &s->value[i];
		int64_t fixed;

		if (!v->given || v->origin < ZL_ORIGIN_GIVEN || key == ZL_SET_KERNEL ||
			key == ZL_SET_SEED) {
			continue;
		}
		if (!fixed_by_list(&w->config, key, &fixed)) {
			return command_usage(out,
				"%s cannot be set with an op list, which fixes its zone; only the "
				"kernel "
				"can be chosen",
				zl_setting_info(key)->key);
		}
		if (fixed != v->number) {
			return command_usage(out, "%s is %D in the op list; leave the setting out",
				zl_setting_info(key)->key, fixed);
		}
	}
	return EXIT_YES;
}

static enum exit_status choose_kernel(const struct zl_settings *s, struct zl_switches *ret,
	struct zl_diags *diags, struct output *out)
{
	const struct zl_setting_value *v = &s->value[ZL_SET_KERNEL];
	struct zl_release r;

	if (!v->given || v->origin < ZL_ORIGIN_FILE) {
		return command_usage(out,
			"the kernel is missing; --set kernel=RELEASE, for example kernel=6.18");
	}
	if (zl_release_parse(zl_settings_text(s, ZL_SET_KERNEL), &r) != 0) {
		return command_usage(out, "%s is not a kernel release; for example kernel=6.18",
			zl_settings_text(s, ZL_SET_KERNEL));
	}
	zl_switches_for(&r, ret, diags);
	if (ret->design == ZL_DESIGN_NONE) {
		return command_usage(out, "pagesets are modelled from kernel 5.14 on, not for %s",
			zl_settings_text(s, ZL_SET_KERNEL));
	}
	return EXIT_YES;
}

/* A figure of the result under its name. */
struct total {
	const char *name;
	size_t offset;
};
#define TOTAL(member) offsetof(struct zl_totals, member)

static const struct total totals[] = {
	{"refills",		    TOTAL(refills)		  },
	{"blocks_refilled",	    TOTAL(blocks_refilled)	  },
	{"free_high",	      TOTAL(free_high)	      },
	{"pages_drained",	  TOTAL(pages_drained)      },
	{"bulk_calls",	       TOTAL(bulk_calls)		},
	{"zone_locks",	       TOTAL(zone_locks)		},
	{"direct_buddy",	 TOTAL(direct_buddy)	    },
	{"failed",		   TOTAL(failed)		},
	{"longest_hold_pages",  TOTAL(longest_hold_pages) },
	{"allocs",		   TOTAL(allocs)		},
	{"frees",		  TOTAL(frees)	      },
	{"direct_frees",	 TOTAL(direct_frees)	    },
	{"drains_over",		TOTAL(drains_over)	  },
	{"drains_reclaim",	   TOTAL(drains_reclaim)	},
	{"drains_below",	 TOTAL(drains_below)	    },
	{"drains_decay",	 TOTAL(drains_decay)	    },
	{"drains_expire",	  TOTAL(drains_expire)      },
	{"fallback_whole",	   TOTAL(whole)	       },
	{"fallback_claims",	    TOTAL(claims)		 },
	{"fallback_moves",	   TOTAL(moves)	       },
	{"fallback_steals",	    TOTAL(steals)		 },
	{"cma_takes",	      TOTAL(cma_takes)	      },
	{"merges",		   TOTAL(merges)		},
	{"highatomic_reserved", TOTAL(highatomic_reserved)},
};
#define TOTALS (sizeof(totals) / sizeof(*totals))

static uint64_t total_of(const struct zl_totals *t, size_t i)
{
	uint64_t v;

	memcpy(&v, (const char *)t + totals[i].offset, sizeof(v));
	return v;
}

static void digest_text(uint64_t digest, char *buf)
{
	for (unsigned i = 0; i < HEX_DIGITS; i++) {
		buf[i] = "0123456789abcdef"[digest >> (HEX_BITS * (HEX_DIGITS - 1 - i)) & HEX_MASK];
	}
	buf[HEX_DIGITS] = '\0';
}

static const char *seed_of(const struct zl_settings *s)
{
	return zl_settings_given(s, ZL_SET_SEED) ? zl_settings_text(s, ZL_SET_SEED) : "1";
}

/* What a run was asked for and gave. */
struct report {
	const struct zl_settings *settings;
	const struct zl_workload *workload;
	struct zl_run_result result;
	struct zl_diags diags;
};

static void report_json(const struct report *r, struct output *out)
{
	struct zl_json *o = output_json(out, "run");
	char digest[DIGEST_SIZE];
	struct zl_json *t;

	digest_text(r->result.digest, digest);
	zl_json_add_string(o, "scenario", r->workload->name);
	zl_json_add_string(o, "kernel", zl_settings_text(r->settings, ZL_SET_KERNEL));
	zl_json_add_string(o, "design", zl_design_name(r->result.design));
	zl_json_add_string(o, "seed", seed_of(r->settings));
	zl_json_add_u64(o, "ops", r->result.ops);
	zl_json_add_bool(o, "complete", r->result.complete);
	zl_json_add_string(o, "digest", digest);
	t = zl_json_add_object(o, "totals");
	for (size_t i = 0; i < TOTALS; i++) {
		zl_json_add_u64(t, totals[i].name, total_of(&r->result.totals, i));
	}
	zl_json_add_int(t, "max_count", r->result.max_count);
	zl_json_add_int(t, "max_high", r->result.max_high);
	zl_json_add_int(t, "final_count", r->result.final_count);
	zl_json_add_int(t, "final_buddy_free", r->result.final_buddy_free);
	zl_json_add_null(o, "estimate");
	json_add_diags(o, &r->diags);
}

static void text_line(struct zl_buf *b, const char *label, uint64_t v)
{
	zl_buf_str(b, label);
	zl_buf_pad(b, LABEL_COLUMN);
	zl_buf_fmt(b, "%N\n", v);
}

static void report_text(const struct report *r, struct output *out)
{
	char digest[DIGEST_SIZE];

	digest_text(r->result.digest, digest);
	zl_buf_fmt(&out->text, "%s under %s (design %s): %N ops, digest %s\n", r->workload->name,
		zl_settings_text(r->settings, ZL_SET_KERNEL), zl_design_name(r->result.design),
		r->result.ops, digest);
	for (size_t i = 0; i < TOTALS; i++) {
		text_line(&out->text, totals[i].name, total_of(&r->result.totals, i));
	}
	text_line(&out->text, "max_count", (uint64_t)r->result.max_count);
	text_line(&out->text, "max_high", (uint64_t)r->result.max_high);
	output_diags(out, &r->diags);
}

static void report_csv(const struct report *r, struct output *out)
{
	zl_buf_str(&out->text, "name,value\n");
	zl_buf_fmt(&out->text, "ops,%U\n", r->result.ops);
	for (size_t i = 0; i < TOTALS; i++) {
		zl_buf_fmt(&out->text, "%s,%U\n", totals[i].name, total_of(&r->result.totals, i));
	}
}

static int write_trace(void *user, const char *data, size_t n)
{
	return output_stream(user, data, n);
}

static enum exit_status failed(int rc, struct output *out)
{
	switch (rc) {
	case -EPIPE: /* whoever read the trace has seen enough */
		out->error.text[0] = '\0';
		return EXIT_YES;
	case -EINVAL:
		return EXIT_USAGE;
	default:
		if (out->error.text[0] == '\0') {
			zl_error_set(
				&out->error, 0, 0, "no memory, or the trace cannot be written");
		}
		return rc == -EIO ? EXIT_USAGE : EXIT_FAULT;
	}
}

static enum exit_status perform(
	const struct command_args *args, struct report *r, struct output *out)
{
	struct zl_run_options options = {.check = args_switch(args, "--check"), .user = out};
	const char *form = args_option(args, "--trace");
	struct zl_switches switches;
	enum exit_status status;
	int rc;

	options.write = write_trace;
	if (form != NULL && zl_trace_form_find(form, &options.trace) != 0) {
		return command_usage(out, "--trace %s is not known; tsv, json or text", form);
	}
	status = check_settings(r->settings, r->workload, out);
	if (status == EXIT_YES) {
		status = choose_kernel(r->settings, &switches, &r->diags, out);
	}
	if (status != EXIT_YES) {
		return status;
	}
	rc = zl_run_workload(r->workload, &switches, &options, &r->result, &out->error);
	if (rc != 0) {
		zl_error_file(&out->error, args->word[0]);
		return failed(rc, out);
	}
	if (form != NULL) {
		return EXIT_YES;
	}
	if (out->format == FORMAT_JSON) {
		report_json(r, out);
	} else if (out->format == FORMAT_CSV) {
		report_csv(r, out);
	} else {
		report_text(r, out);
	}
	return EXIT_YES;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct report r = {.settings = &app_lane_const(app)->profile.settings};
	struct zl_workload w;
	enum exit_status status;
	int rc;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	rc = zl_workload_load(args->word[0], app->alloc, &w, &out->error);
	if (rc != 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	r.workload = &w;
	status = perform(args, &r, out);
	zl_workload_done(&w);
	return status;
}

static const struct command_option options[] = {
	{"--check", NULL,	  false, "Check every invariant after each op"		      },
	{"--trace", "FORM", false, "One record a line instead of totals: tsv, json or text"},
	{NULL,      NULL,   false, NULL						    },
};

const struct command cmd_run = {
	.name = "run",
	.synopsis = "FILE [--trace FORM] [--check]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Run an op list under one kernel",
	.more = "FILE is an op list, see zonelab-workload(5); --set kernel=RELEASE says under "
		"which "
		"rules it runs. The list fixes its zone, so no other setting may differ from it. "
		"The "
		"trace has one record a line, state after the op; as tsv it has the columns of a "
		"recording, so that diff can compare the two. With --check every page, list and "
		"counter "
		"is looked at after each op (in zones above 64 MiB after each 1,000).",
	.options = options,
	.run = run,
};
