/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From patches to the model: which decision points, settings and symbols a patch changes, before
 * and after, and which of its lines mean nothing to the model. A change is bound only when its old
 * side is the rule of a known release, or differs from it in one term; what is not understood
 * stays in a list with its reason, and can be bound by hand.
 */
#ifndef ZONELAB_BIND_H
#define ZONELAB_BIND_H

#include "zonelab/patch.h"
#include "zonelab/policy.h"

/** Longest rule written out; longer ones are not bound. */
#define ZL_BIND_TEXT 1024
#define ZL_BIND_HAND 32 /* bindings by hand */
/** Changed statements that are compared with the rules; later ones are listed as not modelled. */
#define ZL_BIND_PAIRS_MAX 10000

enum zl_change_kind {
	ZL_CHANGE_RULE,	    /* the expression of a decision point */
	ZL_CHANGE_DEFAULT,  /* the default of a Kconfig symbol that is a setting here */
	ZL_CHANGE_RANGE,    /* its range */
	ZL_CHANGE_SYMBOL,   /* a new Kconfig symbol that is a setting here */
	ZL_CHANGE_VARIABLE, /* a constant becomes a variable */
	ZL_CHANGE_SAME	    /* other words for the same rule: it moved, or was split */
};
const char *zl_change_kind_name(enum zl_change_kind k);

/** Where something stands. */
struct zl_bind_place {
	const struct zl_patch *patch;
	const struct zl_patch_file *file;
	uint32_t line;	      /* in the file that was read */
	uint32_t kernel_line; /* in the kernel's file after the patch, 0 = unknown */
	const char *function; /* or Kconfig symbol; "" = none */
};

struct zl_change {
	enum zl_change_kind kind;
	enum zl_point point;	 /* RULE, SAME; ZL_POINT_COUNT otherwise */
	enum zl_setting setting; /* the others; ZL_SETTING_COUNT otherwise */
	struct zl_bind_place place;
	const char *old_code, *new_code; /* as the patch has it, in one line */
	/* Policy texts or values for the lanes; `before` NULL = the release's own rule. */
	const char *before, *after;
	const struct zl_point_rule *rule; /* of the release that the old side is from, or NULL */
	const char *condition; /* "ARM64_64K_PAGES": holds only with that symbol, or "" */
	/* Of a default: when one that stands before it is taken instead, or "". */
	const char *earlier;
	const char *note; /* what to know about it, or "" */
	bool added;	  /* the symbol is new */
	bool by_hand;
};

/** Changed lines that the model does not have. */
struct zl_unbound {
	struct zl_bind_place place;
	uint32_t last_line;
	const char *old_code, *new_code; /* the first changed line of each side, "" = none */
	const char *reason;
};

/** A binding by hand: the change at a line is that of a point. */
struct zl_bind_hand {
	unsigned source; /* index of the input */
	uint32_t line;
	enum zl_point point;
	const char *expression; /* NULL = what the patch has there */
	bool used;
};

struct zl_bind_hands {
	struct zl_bind_hand hand[ZL_BIND_HAND];
	size_t count;
};

struct zl_binding {
	struct zl_arena *arena;
	struct zl_change *change;
	size_t nr_changes; /* of them nr_modelled change something */
	size_t nr_modelled;
	struct zl_unbound *unbound;
	size_t nr_unbound;
	char base[16]; /* "6.13"; "" = any release will do */
	char base_from[16], base_to[16];
	char base_why[256]; /* a clause */
	bool base_guessed;  /* nothing in the patch says so */
	size_t lines_changed, lines_comment;
};

/**
 * Binds the used patches, in their order. @hands may be NULL.
 * Returns 0; -E2BIG when a fragment is too large; -EINVAL for a binding by hand that cannot be
 * (@err says why); -ENOMEM.
 */
int zl_bind(const struct zl_patches *patches, const struct zl_bind_hands *hands,
	const struct zl_allocator *mem, struct zl_binding *ret, struct zl_error *err);
/** Accepts a zeroed binding. */
void zl_bind_done(struct zl_binding *b);

/** What one lane is given: settings and policies as words of a lane ("KEY=VALUE"). */
#define ZL_BIND_ITEMS 40
struct zl_bind_lane {
	size_t count;
	struct {
		enum zl_setting setting; /* or ZL_SETTING_COUNT */
		enum zl_point point;	 /* or ZL_POINT_COUNT */
		const char *value;
		const char *condition; /* of a default that holds only with a symbol, or "" */
		const char *earlier;   /* when another default is taken before it, or "" */
	} item[ZL_BIND_ITEMS];
};
/**
 * The lanes on one release: what stands in for the old side where that is not this release's own
 * rule, and the new side.
 */
void zl_bind_lanes(const struct zl_binding *b, const struct zl_switches *sw,
	struct zl_bind_lane *ret_before, struct zl_bind_lane *ret_after);

#endif
