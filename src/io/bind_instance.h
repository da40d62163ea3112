/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A piece of code on its way into the words of a decision point.
 */
#ifndef ZONELAB_IO_BIND_INSTANCE_H
#define ZONELAB_IO_BIND_INSTANCE_H

#include "binder.h"

/* A name of a helper's parameter and what is given for it. */
struct argument {
	const char *name;
	struct c_node *value;
};

/* A condition that is taken to hold, or not to. */
struct assumed {
	const struct c_node *cond;
	bool negated;
	const struct assumed *outer;
};

struct instance {
	struct binder *b;
	enum zl_point point;
	const struct c_env *env;
	struct bind_at at;  /* where the code stands that is looked at */
	struct bind_at use; /* where its value is used in the end */
	const struct argument *argument;
	unsigned nr_arguments, depth;
	const struct assumed *assumed;
	bool opaque; /* local names that nothing gives a value stay as they are */
};

/* The code in the point's words; NULL with b->why. */
struct c_node *bind_instance(struct instance *in, const struct c_node *n);
/* Why there is none, unless a reason was found before. Returns NULL. */
struct c_node *bind_cannot(struct instance *in, const char *fmt, const char *name);
/* All conditions around a statement, as they were when they were asked; NULL if one is not known. */
struct c_node *bind_guard_condition(struct instance *in, const struct c_guard *g);
/* cond ? yes : no; NULL if one of them is. */
struct c_node *bind_choice(
	struct binder *b, struct c_node *cond, struct c_node *yes, struct c_node *no);
/* The value of a local variable where @in stands; @ret_found: something gives it one. */
struct c_node *bind_local(struct instance *in, const char *name, bool *ret_found);
/* The value of a name that nothing before has given another one. */
struct c_node *bind_outer_name(struct instance *in, const struct c_node *n);
/* Whether the preprocessor may take the one without the other, which stands behind it. */
bool bind_parted(const struct bind_at *at, const struct bind_at *behind);
/* Whether the patch gives the local variable another value before it is used. */
bool bind_local_changed(struct instance *in, const char *name);

#endif
