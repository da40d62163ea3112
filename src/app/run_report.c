/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_report.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "estimate_report.h"
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

void digest_text(uint64_t digest, char *buf)
{
	for (unsigned i = 0; i < HEX_DIGITS; i++) {
		buf[i] = "0123456789abcdef"[digest >> (HEX_BITS * (HEX_DIGITS - 1 - i)) & HEX_MASK];
	}
	buf[HEX_DIGITS] = '\0';
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
	zl_json_add_int(t, "max_count", r->result.max_count);
	zl_json_add_int(t, "max_high", r->result.max_high);
	zl_json_add_int(t, "final_count", r->result.final_count);
	zl_json_add_int(t, "final_buddy_free", r->result.final_buddy_free);
	if (r->estimate != NULL) {
		estimate_json(r->estimate, &r->costs, zl_json_add_object(o, "estimate"));
	} else {
		zl_json_add_null(o, "estimate");
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
		text_line(&out->text, totals[i].name, total_of(&r->result.totals, i));
	}
	text_line(&out->text, "max_count", (uint64_t)r->result.max_count);
	text_line(&out->text, "max_high", (uint64_t)r->result.max_high);
	if (r->estimate != NULL) {
		estimate_text(r->estimate, &r->costs, &out->text);
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
	return output_stream(user, data, n);
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
