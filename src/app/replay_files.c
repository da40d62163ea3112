/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_files.h"

#include <errno.h>
#include <string.h>

#include "machines.h"
#include "zonelab/import.h"

int replay_refuse_guess(const struct app *app, struct zl_error *err)
{
	const struct zl_diags *l = app->import != NULL ? &app->import->diags : NULL;

	for (size_t i = 0; l != NULL && i < l->count; i++) {
		if (l->item[i].code == ZL_DIAG_RELEASE_ASSUMED) {
			zl_error_set(err, 0, 0,
				"%s, which is no ground for a replay; give it: --set "
				"kernel=X.Y",
				l->item[i].text);
			return -ENOKEY;
		}
	}
	return 0;
}

int replay_files(struct app *app, const struct command_args *args, struct zl_error *err)
{
	const char *path[COMMAND_WORDS];
	struct zl_settings given;
	size_t n = 0;

	for (size_t i = 0; i < args->nr_options; i++) {
		const char *name = args->option[i].option->name;

		if (strcmp(name, "--zoneinfo") == 0 || strcmp(name, "--root") == 0) {
			path[n++] = args->option[i].value;
		}
	}
	machine_given(&app_lane_const(app)->profile.settings, &given);
	return n == 0 ? 0 : machine_files(app, path, n, &given, err);
}
