/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_report.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "estimate_report.h"
#include "table.h"
#include "zonelab/text.h"

#define LABEL_COLUMN 24
#define HEX_DIGITS   16
#define HEX_BITS     4
#define HEX_MASK     15u

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
	{"pages_drained",	  TOTAL(pages_drained)	      },
	{"bulk_calls",	       TOTAL(bulk_calls)		},
	{"zone_locks",	       TOTAL(zone_locks)		},
	{"direct_buddy",		 TOTAL(direct_buddy)	    },
	{"failed",		   TOTAL(failed)		},
	{"longest_hold_pages",    TOTAL(longest_hold_pages)	},
	{"allocs",		   TOTAL(allocs)		},
	{"frees",		  TOTAL(frees)		      },
	{"direct_frees",		 TOTAL(direct_frees)	    },
	{"drains_over",		TOTAL(drains_over)	  },
	{"drains_reclaim",	   TOTAL(drains_reclaim)	},
	{"drains_below",		 TOTAL(drains_below)	    },
	{"drains_decay",		 TOTAL(drains_decay)	    },
	{"drains_expire",	  TOTAL(drains_expire)	      },
	{"fallback_whole",	   TOTAL(whole)		       },
	{"fallback_claims",	    TOTAL(claims)		 },
	{"fallback_moves",	   TOTAL(moves)		       },
	{"fallback_steals",	    TOTAL(steals)		 },
	{"cma_takes",	      TOTAL(cma_takes)	      },
	{"merges",		   TOTAL(merges)		},
	{"highatomic_reserved",	TOTAL(highatomic_reserved)  },
	{"highatomic_unreserved", TOTAL(highatomic_unreserved)},
	{"refused",		    TOTAL(refused)		  },
	{"cma_allocs",	       TOTAL(cma_allocs)		},
	{"cma_failed",	       TOTAL(cma_failed)		},
	{"cma_tries",	      TOTAL(cma_tries)	      },
	{"pages_migrated",	   TOTAL(pages_migrated)	},
	{"boosts",		   TOTAL(boosts)		},
};
/* Figures that are 0 in most runs: text leaves them out then. */
#define TOTALS_ALWAYS 24
#define TOTALS	      (sizeof(totals) / sizeof(*totals))

static uint64_t total_of(const struct zl_totals *t, size_t i)
{
	uint64_t v;

	memcpy(&v, (const char *)t + totals[i].offset, sizeof(v));
	return v;
}

void digest_text(uint64_t digest, char *buf)
{
	for (unsigned i = 0; i < HEX_DIGITS; i++) {
		buf[i] = "0123456789abcdef"[digest >> (HEX_BITS * (HEX_DIGITS - 1 - i)) & HEX_MASK];
	}
	buf[HEX_DIGITS] = '\0';
}

/* What only several zones have. */
static const struct total system_totals[] = {
	{"kswapd_wakes",	 offsetof(struct zl_system_totals, kswapd_wakes)	},
	{"reclaimed",      offsetof(struct zl_system_totals, reclaimed)	  },
	{"reclaim_rounds", offsetof(struct zl_system_totals, reclaim_rounds)},
	{"drain_alls",     offsetof(struct zl_system_totals, drain_alls)    },
	{"zone_fallbacks", offsetof(struct zl_system_totals, zone_fallbacks)},
	{"node_fallbacks", offsetof(struct zl_system_totals, node_fallbacks)},
};
#define SYSTEM_TOTALS (sizeof(system_totals) / sizeof(*system_totals))

static uint64_t system_total(const struct zl_run_result *r, size_t i)
{
	uint64_t v;

	memcpy(&v, (const char *)&r->system + system_totals[i].offset, sizeof(v));
	return v;
}

static const struct column zone_columns[] = {
	{"node",	 "node",		 true },
	{"zone",	 "zone",		 false},
	{"managed",    "managed",       true },
	{"free",	 "free",		 true },
	{"free_cma",   "free|CMA",	 true },
	{"parked",	   "parked",	     true },
	{"used",	 "used",		 true },
	{"wmark_min",  "min",	     true },
	{"wmark_low",  "low",	     true },
	{"wmark_high", "high",	       true },
	{"below_high", "below|high",    false},
	{"refills",    "refills",       true },
	{"drained",    "pages|drained", true },
	{"refused",    "refused",       true },
};

static void zones_table(const struct run_report *r, struct zl_json *rows, struct output *out)
{
	struct table t;

	table_init(&t, out, rows, zone_columns, sizeof(zone_columns) / sizeof(zone_columns[0]));
	table_drop(&t, "refills", 1);
	table_drop(&t, "drained", 2);
	table_drop(&t, "managed", 3);
	for (unsigned i = 0; i < r->result.nr_zones; i++) {
		const struct zl_run_zone *z = &r->result.zone[i];

		table_number(&t, z->node);
		table_text(&t, z->name);
		table_number(&t, z->managed);
		table_number(&t, (uint64_t)z->view.free);
		table_number(&t, (uint64_t)z->view.free_cma);
		table_number(&t, (uint64_t)z->view.parked);
		table_number(&t, (uint64_t)z->view.used);
		table_number(&t, (uint64_t)z->view.wmark_min);
		table_number(&t, (uint64_t)z->view.wmark_low);
		table_number(&t, (uint64_t)z->view.wmark_high);
		table_bool(&t, z->view.below_high, "yes", "no");
		table_number(&t, z->totals.refills);
		table_number(&t, z->totals.pages_drained);
		table_number(&t, z->totals.refused);
	}
	table_print(&t);
}

/* Per zone: where it stands, and every total. */
static void zones_json(const struct run_report *r, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "zones");

	for (unsigned i = 0; i < r->result.nr_zones; i++) {
		const struct zl_run_zone *z = &r->result.zone[i];
		struct zl_json *row = zl_json_push_object(list);
		struct zl_json *t;

		zl_json_add_u64(row, "node", z->node);
		zl_json_add_string(row, "zone", z->name);
		zl_json_add_u64(row, "managed", z->managed);
		zl_json_add_int(row, "free", z->view.free);
		zl_json_add_int(row, "free_cma", z->view.free_cma);
		zl_json_add_int(row, "parked", z->view.parked);
		zl_json_add_int(row, "used", z->view.used);
		zl_json_add_int(row, "wmark_min", z->view.wmark_min);
		zl_json_add_int(row, "wmark_low", z->view.wmark_low);
		zl_json_add_int(row, "wmark_high", z->view.wmark_high);
		zl_json_add_bool(row, "below_high", z->view.below_high);
		t = zl_json_add_object(row, "totals");
		for (size_t k = 0; k < TOTALS; k++) {
			zl_json_add_u64(t, totals[k].name, total_of(&z->totals, k));
		}
	}
}

void run_report_members(const struct run_report *r, struct zl_json *o)
{
	char digest[DIGEST_SIZE];
	struct zl_json *t;

	digest_text(r->result.digest, digest);
	zl_json_add_string(o, "scenario", r->name);
	zl_json_add_string(o, "kernel", r->kernel);
	zl_json_add_string(o, "design", zl_design_name(r->result.design));
	zl_json_add_string(o, "seed", r->seed);
	zl_json_add_u64(o, "ops", r->result.ops);
	zl_json_add_bool(o, "complete", r->result.complete);
	zl_json_add_string(o, "digest", digest);
	t = zl_json_add_object(o, "totals");
	for (size_t i = 0; i < TOTALS; i++) {
		zl_json_add_u64(t, totals[i].name, total_of(&r->result.totals, i));
	}
	for (size_t i = 0; r->result.nr_zones > 0 && i < SYSTEM_TOTALS; i++) {
		zl_json_add_u64(t, system_totals[i].name, system_total(&r->result, i));
	}
	zl_json_add_int(t, "max_count", r->result.max_count);
	zl_json_add_int(t, "max_high", r->result.max_high);
	zl_json_add_int(t, "final_count", r->result.final_count);
	zl_json_add_int(t, "final_buddy_free", r->result.final_buddy_free);
	if (r->estimate != NULL) {
		struct zl_json *e = zl_json_add_object(o, "estimate");

		estimate_json(r->estimate, &r->costs, e);
		if (r->lock != NULL) {
			lock_lanes_json(r->lock, e);
		}
	} else {
		zl_json_add_null(o, "estimate");
	}
	if (r->result.nr_zones > 0) {
		zones_json(r, o);
	}
	json_add_diags(o, &r->diags);
}

static void report_json(const struct run_report *r, struct output *out)
{
	run_report_members(r, output_json(out, "run"));
}

static void text_line(struct zl_buf *b, const char *label, uint64_t v)
{
	zl_buf_str(b, label);
	zl_buf_pad(b, LABEL_COLUMN);
	zl_buf_fmt(b, "%N\n", v);
}

static void report_text(const struct run_report *r, struct output *out)
{
	char digest[DIGEST_SIZE];

	digest_text(r->result.digest, digest);
	zl_buf_fmt(&out->text, "%s under %s (design %s): %N ops, digest %s\n", r->name, r->kernel,
		zl_design_name(r->result.design), r->result.ops, digest);
	for (size_t i = 0; i < TOTALS; i++) {
		if (i < TOTALS_ALWAYS || total_of(&r->result.totals, i) > 0) {
			text_line(&out->text, totals[i].name, total_of(&r->result.totals, i));
		}
	}
	for (size_t i = 0; r->result.nr_zones > 0 && i < SYSTEM_TOTALS; i++) {
		text_line(&out->text, system_totals[i].name, system_total(&r->result, i));
	}
	text_line(&out->text, "max_count", (uint64_t)r->result.max_count);
	text_line(&out->text, "max_high", (uint64_t)r->result.max_high);
	if (r->result.nr_zones > 0) {
		zl_buf_chr(&out->text, '\n');
		zones_table(r, NULL, out);
	}
	if (r->estimate != NULL) {
		estimate_text(r->estimate, &r->costs, &out->text);
		if (r->lock != NULL) {
			lock_lanes_text(r->lock, r->estimate, &out->text);
		}
	}
	output_diags(out, &r->diags);
}

static void report_csv(const struct run_report *r, struct output *out)
{
	zl_buf_str(&out->text, "name,value\n");
	zl_buf_fmt(&out->text, "ops,%U\n", r->result.ops);
	for (size_t i = 0; i < TOTALS; i++) {
		zl_buf_fmt(&out->text, "%s,%U\n", totals[i].name, total_of(&r->result.totals, i));
	}
	for (size_t i = 0; r->result.nr_zones > 0 && i < SYSTEM_TOTALS; i++) {
		zl_buf_fmt(
			&out->text, "%s,%U\n", system_totals[i].name, system_total(&r->result, i));
	}
}

void run_report_print(const struct run_report *r, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		report_json(r, out);
	} else if (out->format == FORMAT_CSV) {
		report_csv(r, out);
	} else {
		report_text(r, out);
	}
}

int run_write_trace(void *user, const char *data, size_t n)
{
	return output_stream_lines(user, data, n);
}

enum exit_status run_failed(int rc, struct output *out)
{
	switch (rc) {
	case -EPIPE: /* whoever read the trace has seen enough */
		out->error.text[0] = '\0';
		return EXIT_YES;
	case -EINVAL:
	case -ERANGE:
	case -EDOM:
	case -EDEADLK:
	case -E2BIG:
		return EXIT_USAGE;
	case -ENOMEM:
	case -EILSEQ:
		if (out->error.text[0] == '\0') {
			zl_error_set(
				&out->error, 0, 0, "no memory for this run; a shorter one may fit");
		}
		return EXIT_FAULT;
	default:
		if (out->error.text[0] == '\0') {
			zl_error_set(&out->error, 0, 0,
				"the trace cannot be written; is there room where it goes?");
		}
		return EXIT_USAGE;
	}
}
