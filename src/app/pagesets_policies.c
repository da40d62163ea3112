/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies that runs were made with. Machines come and go while settings are typed; a branch keeps
 * its configuration, so what that borrows stays here until the last lane is closed.
 */
#include <errno.h>

#include "pagesets_private.h"

struct kept_policies {
	struct kept_policies *next;
	struct zl_policy_set set;
};

int pagesets_keep(struct app *app, struct playback *all, struct zl_sim_config *config)
{
	struct kept_policies *kept;

	if (config->policies == NULL) {
		return 0;
	}
	for (kept = all->policies; kept != NULL; kept = kept->next) {
		if (zl_policy_set_equal(&kept->set, config->policies)) {
			config->policies = &kept->set;
			return 0;
		}
	}
	kept = app->alloc->realloc(app->alloc->user, NULL, sizeof(*kept));
	if (kept == NULL || zl_policy_set_copy(&kept->set, config->policies, app->alloc) != 0) {
		app->alloc->free(app->alloc->user, kept);
		config->policies = NULL;
		return -ENOMEM;
	}
	kept->next = all->policies;
	all->policies = kept;
	config->policies = &kept->set;
	return 0;
}

void pagesets_drop_policies(struct app *app, struct playback *all)
{
	while (all->policies != NULL) {
		struct kept_policies *next = all->policies->next;

		zl_policy_set_done(&all->policies->set, app->alloc);
		app->alloc->free(app->alloc->user, all->policies);
		all->policies = next;
	}
}
