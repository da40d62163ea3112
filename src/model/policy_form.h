/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the shape of an expression says: steps of counters, what free_high needs at least, what
 * free_count is compared with.
 */
#ifndef MODEL_POLICY_FORM_H
#define MODEL_POLICY_FORM_H

#include "policy_run.h"

/* Nothing is known; without policies at them the hot rules are the release's. */
void zl_form_reset(struct zl_policy_run *run, bool tuned);
/* Takes what the tree of a point says. */
void zl_form_learn(struct zl_policy_run *run, enum zl_point p, const struct tree *t);
/* X of free_count >= X among what must hold, or -1; @ret_above is 1 for >. */
int zl_form_threshold(const struct tree *t, int32_t *ret_above);
/* Whether free_count has a ceiling in the step, which is then st->limit. */
bool zl_form_ceiling(const struct tree *t, struct policy_step *st);
/* The point has no tree. */
void zl_form_unknown(struct zl_policy_run *run, enum zl_point p);

#endif
