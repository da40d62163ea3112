/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision points and policies. A decision point is a named rule inside a design that a patch may
 * change; every design has an expression for it. A policy replaces one by another expression
 * (zonelab/expr.h) over the names that the kernel uses there.
 *
 * The value of a point with a target is what the target becomes: a statement `x += y` of the
 * kernel is the expression `x + y` here. zl_policy_parse() takes either.
 */
#ifndef ZONELAB_POLICY_H
#define ZONELAB_POLICY_H

#include "zonelab/diag.h"
#include "zonelab/error.h"
#include "zonelab/expr.h"
#include "zonelab/release.h"
#include "zonelab/settings.h"

enum zl_point {
#define ZL_POINT(id, name, stage, type, target, scope, function, meaning) ZL_POINT_##id,
#include "zonelab/policy_points.h"
#undef ZL_POINT
	ZL_POINT_COUNT
};

enum zl_point_stage {
	ZL_POINT_OP,	 /* asked by the allocator while it runs */
	ZL_POINT_MACHINE /* asked when a machine is derived */
};

struct zl_point_info {
	const char *name;
	enum zl_point_stage stage;
	const char *type;     /* C type of the value */
	const char *target;   /* "pcp->high": what the value is stored in; "" = used at once */
	const char *function; /* the kernel's, by release */
	const char *meaning;  /* one clause */
};
const struct zl_point_info *zl_point_info(enum zl_point p);
/** ZL_POINT_COUNT for an unknown name. Case counts. */
enum zl_point zl_point_find(const char *name);
/** The nearest name, NULL if none is near. */
const char *zl_point_nearest(const char *name);

/** Names are slots of the values that zl_policy_eval() reads. */
enum zl_policy_name_id {
#define ZL_POLICY_NAME(id, words, kind, value, designs, meaning) ZL_NAME_##id,
#include "zonelab/policy_names.h"
#undef ZL_POLICY_NAME
	ZL_POLICY_NAMES
};

enum zl_policy_name_kind {
	ZL_NAME_IS_CONSTANT,
	ZL_NAME_IS_LIMIT, /* changes only when limits are computed again */
	ZL_NAME_IS_LIVE
};

struct zl_policy_name {
	const char *words; /* spellings, separated by blanks; the first is shown */
	enum zl_policy_name_kind kind;
	int64_t value; /* of a constant */
	bool tuned;    /* exists in B and later only */
	bool factor;   /* exists in the A designs only */
	const char *meaning;
};
const struct zl_policy_name *zl_policy_name(enum zl_policy_name_id id);
/** The first spelling. Writes to @buf (ZL_EXPR_NAME_MAX) and returns it. */
const char *zl_policy_name_word(enum zl_policy_name_id id, char *buf);
/** Whether expressions of the point may use the name. */
bool zl_point_has_name(enum zl_point p, enum zl_policy_name_id id);

/**
 * One rule of one point: what a range of releases does there. A point has one rule a release, or
 * none where the release does not have the point.
 */
struct zl_point_rule {
	enum zl_point point;
	const char *when;	/* "A514", "B and later", "6.12 and later" */
	const char *expression; /* canonical form; compiles */
	const char *source;	/* kernel file and releases */
};
size_t zl_point_rule_count(void);
const struct zl_point_rule *zl_point_rule_at(size_t i);
/** The rule of a release, NULL where the point does not exist. */
const struct zl_point_rule *zl_point_rule(enum zl_point p, const struct zl_switches *sw);

/** One policy that is in force. Text and code are owned by the set. */
struct zl_policy {
	char *text;	       /* the expression as given; NULL = the design's own rule */
	const char *shipped;   /* name of the shipped policy that it came from, or NULL */
	enum zl_origin origin; /* valid with a text */
	struct zl_expr expr;
};

/** Policies by point. Zeroed = none. */
struct zl_policy_set {
	struct zl_policy policy[ZL_POINT_COUNT];
	unsigned count; /* points that are replaced */
};

void zl_policy_set_done(struct zl_policy_set *set, const struct zl_allocator *mem);
/** Returns 0 or -ENOMEM (then @ret is zeroed). */
int zl_policy_set_copy(
	struct zl_policy_set *ret, const struct zl_policy_set *set, const struct zl_allocator *mem);
/** Whether both replace the same points by the same texts. */
bool zl_policy_set_equal(const struct zl_policy_set *a, const struct zl_policy_set *b);

/** What to do with an expression, for the functions below. */
struct zl_policy_in {
	const struct zl_allocator *mem;
	enum zl_origin origin; /* a policy of a higher origin stays */
	const char *shipped;   /* name that the policy will bear, or NULL; not copied */
};

/**
 * Replaces one point by an expression (or by a statement on the point's target); "default" gives
 * the point back to the design.
 *
 * Returns 0; -EINVAL or -E2BIG with the column in @text and a sentence; -ENOMEM. On failure the
 * set is unchanged.
 */
int zl_policy_give(struct zl_policy_set *set, enum zl_point p, const char *text,
	const struct zl_policy_in *in, struct zl_error *err);
/**
 * The same from "POINT = EXPR", "POINT=EXPR", or the name of a shipped policy. Columns of errors
 * count in @text. @err is complete: "did you mean" for points, names and shipped policies.
 */
int zl_policy_parse(struct zl_policy_set *set, const char *text, const struct zl_policy_in *in,
	struct zl_error *err);
/** Lays @over onto @base: what @over gives wins where its origin is not lower. 0 or -ENOMEM. */
int zl_policy_merge(struct zl_policy_set *base, const struct zl_policy_set *over,
	const struct zl_allocator *mem);
/** The expression in force: the policy's, else the rule of the release, else NULL. */
const char *zl_policy_text(
	const struct zl_policy_set *set, enum zl_point p, const struct zl_switches *sw);
static inline bool zl_policy_has(const struct zl_policy_set *set, enum zl_point p)
{
	return set != NULL && set->policy[p].text != NULL;
}

/**
 * Computes a policy that is in the set. @slots has ZL_POLICY_NAMES values; those in the point's
 * scope are read. Returns 0, -ERANGE or -EDOM with a sentence that names the point.
 */
int zl_policy_eval(const struct zl_policy_set *set, enum zl_point p, const int64_t *slots,
	int64_t *ret, struct zl_error *err);
/** What a machine asks a policy. */
struct zl_policy_query {
	enum zl_point point;
	int64_t lo, hi;	   /* values that make sense */
	int64_t otherwise; /* without a policy, or when it has no value */
};
/**
 * The number of a point of a machine. @err gets a sentence when there is a policy without a value,
 * or with one outside the range; it may be NULL.
 */
int64_t zl_policy_number(const struct zl_policy_set *set, const struct zl_policy_query *q,
	const int64_t *slots, struct zl_error *err);
/** pcp_batch_scale_max where @given is what the configuration says. @err as above. */
unsigned zl_policy_scale_max(
	const struct zl_policy_set *set, unsigned page_shift, unsigned given, struct zl_error *err);
/** Compiles an expression of a point. Errors as zl_policy_give(). */
int zl_policy_compile(enum zl_point p, const char *text, const struct zl_allocator *mem,
	struct zl_expr *ret, struct zl_error *err);
/** Says which policies are in force, have no effect, or use figures that the release lacks. */
void zl_policy_check(
	const struct zl_policy_set *set, const struct zl_switches *sw, struct zl_diags *diags);

/** A policy that has been posted, merged or asked for. */
struct zl_shipped_policy {
	const char *name;
	const char *text;     /* "POINT = EXPR", several separated by ";" */
	const char *status;   /* merged, posted, not posted, unverified ... */
	const char *source;   /* who, when, where */
	const char *question; /* what it is asked about */
};
size_t zl_shipped_policy_count(void);
const struct zl_shipped_policy *zl_shipped_policy_at(size_t i);
/** NULL for an unknown name. */
const struct zl_shipped_policy *zl_shipped_policy(const char *name);

#endif
