/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile and what follows from it, for the tests of the derivation.
 */
#ifndef TESTS_UNIT_MACHINE_FIXTURE_H
#define TESTS_UNIT_MACHINE_FIXTURE_H

#include "scarce.h"
#include "zonelab/machine.h"

#define MIB UINT64_C(1048576)
#define GIB (1024 * MIB)

struct fixture {
	struct zl_profile profile;
	struct zl_machine m;
	struct zl_diags diags;
};

int set_up(void **state);
int tear_down(void **state);
/** Sets blank-separated KEY=VALUE items; a value may hold commas but no blanks. */
void set_from(struct fixture *f, const char *items, enum zl_origin origin);
/** Sets @items as given by the user and derives the machine. */
void resolve(struct fixture *f, const char *items);
/** The same with nothing else given. */
void resolve_only(struct fixture *f, const char *items);
/** The first finding with this code, NULL if there is none. */
const struct zl_diag *find_diag(const struct fixture *f, enum zl_diag_code code);
/** Appends a zone of 4 KiB pages, all present and managed. */
struct zl_zone_facts *add_facts(
	struct fixture *f, unsigned node, const char *name, uint64_t start, uint64_t pages);

#define MACHINE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
