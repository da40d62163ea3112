/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values: every number that zonelab shows has an id, a name, a definition, a formula with its
 * operands, and one function that computes it. Screens, reports, JSON and `explain` all go through
 * this table, so they cannot differ.
 *
 * Ids are one space of 16 bits (a canvas cell carries one): values of the table, settings,
 * diagnostics, and a few kinds that a cursor cannot ask about (keys, positions).
 */
#ifndef APP_VALUES_H
#define APP_VALUES_H

#include "zonelab/machine.h"
#include "zonelab/sim.h"

struct facts;
struct pool_facts;

enum value_id {
	VALUE_NONE,
#define VALUE(id, name, kind, label, definition, source, simplified) VALUE_##id,
#include "values_table.h"
#undef VALUE
	VALUE_COUNT
};

#define VALUE_SETTING_BASE 1000 /* + enum zl_setting */
#define VALUE_DIAG_BASE	   2000 /* + enum zl_diag_code */
/* Names that stand for no number of the machine; glossary.h knows them. */
#define VALUE_METRIC_BASE 4000
#define VALUE_EVENT_BASE  5000
#define VALUE_POINT_BASE  5500 /* + enum zl_point */
#define VALUE_POLICY_BASE 6000
#define VALUE_DESIGN_BASE 6500
#define VALUE_TERM_BASE	  7000
#define VALUE_KEY	  3000 /* a key's or screen's name */
#define VALUE_POSITION	  3001 /* "1-12 of 40", a cursor's place, a line number */
#define VALUE_LITERAL	  3002 /* text of a file, of the kernel or of the user, as it came */

enum value_kind {
	VALUE_KIND_ORDER,
	VALUE_KIND_PAGES,
	VALUE_KIND_BYTES,
	VALUE_KIND_KIB, /* a number of KiB, shown without unit as the sysctl is */
	VALUE_KIND_COUNT,
	VALUE_KIND_BOOL, /* on, off */
	VALUE_KIND_YES	 /* yes, never, "-" */
};

/** What a value is computed from. `zone` is an index into the machine's zones. */
struct value_in {
	const struct zl_profile *profile;
	const struct zl_machine *machine;
	size_t zone;
	const struct facts *facts; /* of a run, NULL = there is none */
	/* The zone of the run that is shown, NULL = none is; settings are then those of the run. */
	const struct zl_sim_config *run;
	bool own_zone;		       /* an op list's, which is on no machine */
	const struct pool_facts *pool; /* of reservations, NULL = there are none */
	const bool *hidden;	       /* by value: not to be told now, NULL = all may be */
};

/** One row: all texts are constant. */
struct value_info {
	const char *name; /* as in JSON: "pageblock_order" */
	enum value_kind kind;
	const char *label;	/* as on screens: "CMA_MIN_ALIGNMENT_BYTES" */
	const char *definition; /* one or two sentences */
	const char *source;	/* kernel file, function, release */
	const char *simplified; /* what the model leaves out; "" if nothing */
};

const struct value_info *value_info(enum value_id id);
/** Value or setting by name; VALUE_NONE (0) if there is none. Settings give BASE + key. */
unsigned value_find(const char *name);
/** Name of any id: value, setting, diagnostic. */
const char *value_name(unsigned id);

/** Computes a value. Returns false where it does not exist on this machine. */
bool value_get(const struct value_in *in, enum value_id id, int64_t *ret);
/** "32 MiB", "22 528", "on", "-". Settings are formatted as resolved. Returns the length. */
size_t value_text(const struct value_in *in, unsigned id, char *buf, size_t size);
/**
 * The number in force behind a setting, as it would be typed without a unit; of a run that is
 * shown, that of its zone. False for words, texts and what does not exist here.
 */
bool setting_number(const struct value_in *in, enum zl_setting key, int64_t *ret);
/**
 * How it compares with a baseline: -1 lower, 0 equal or not comparable, 1 higher.
 * @buf gets "16x", "was 22 528" or "".
 */
int value_delta(const struct value_in *in, const struct value_in *baseline, enum value_id id,
	char *buf, size_t size);

enum formula_form {
	FORMULA_SHORT, /* at most 16 characters when filled, for narrow screens */
	FORMULA_HOW,   /* one column of a wide screen */
	FORMULA_FULL   /* the branch taken with all operands, for explain */
};
/**
 * The formula of the branch that this machine takes, as a template: `{name}` stands for an operand
 * (value or setting; `{=name}` is the setting where both have the name), everything else is text.
 * "" where there is none.
 */
const char *value_formula(const struct value_in *in, enum value_id id, enum formula_form form);

/** A piece of a filled formula: text with the id that it belongs to. */
struct formula_piece {
	unsigned id; /* the operand, or the id of the formula's own value for text */
	bool operand;
	char text[64];
};
#define FORMULA_PIECES 24
/** Splits and fills a template; returns the number of pieces. */
size_t formula_fill(const struct value_in *in, enum value_id owner, const char *template,
	struct formula_piece ret[FORMULA_PIECES]);
/** The same as one string. */
size_t formula_text(const struct value_in *in, enum value_id owner, const char *template, char *buf,
	size_t size);

/** Label of a setting in the words of the release: PAGE_BLOCK_ORDER or PAGE_BLOCK_MAX_ORDER. */
const char *setting_label(const struct zl_machine *m, enum zl_setting key);

#endif
