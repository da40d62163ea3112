/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `probe`: a profile of this machine, or of copied files, as JSON.
 */

#include "commands.h"
#include "machines.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

/* One line about the machine, from what follows from it. */
static void name_profile(struct zl_profile *p)
{
	struct zl_text t;
	char arch[ZL_SETTING_TEXT];
	char page[ZL_SETTING_TEXT];
	uint64_t pages = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		pages += p->zones[i].managed;
	}
	zl_setting_format(&p->settings, ZL_SET_ARCH, arch, sizeof(arch));
	zl_setting_format(&p->settings, ZL_SET_PAGE_SIZE, page, sizeof(page));
	zl_text_init(&t, p->title, sizeof(p->title));
	zl_text_fmt(&t, "Linux %s%s%s, %s pages, %U CPUs, %U MiB managed",
		zl_settings_text(&p->settings, ZL_SET_KERNEL), arch[0] != '\0' ? ", " : "", arch,
		page, (uint64_t)p->settings.value[ZL_SET_CPUS].number,
		pages * (p->zones_page_size >> 10) >> 10);
	zl_cmdline_known_setting(&p->settings);
	zl_format(p->name, sizeof(p->name), "probed");
	zl_format(p->source, sizeof(p->source), "zonelab probe");
}

static enum exit_status print_profile(const struct zl_import *im, struct output *out)
{
	char *text = NULL;

	out->verbatim = true;
	out->json = zl_profile_to_json(&im->profile);
	if (out->format == FORMAT_JSON) {
		return EXIT_YES;
	}
	int r = zl_json_print(out->json, true, &text);
	zl_json_free(out->json);
	out->json = NULL;
	if (r < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for the profile");
		return EXIT_FAULT;
	}
	zl_buf_str(&out->text, text);
	zl_buf_chr(&out->text, '\n');
	zl_json_text_free(text);
	return EXIT_YES;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const char *root = args_option(args, "--root");
	const char *const place[] = {root != NULL ? root : MACHINE_LIVE};
	const char *const *paths = args->nr_words > 0 ? args->word : place;
	size_t n = args->nr_words > 0 ? args->nr_words : 1;
	struct zl_settings given;
	struct zl_import im;

	if (out->format != FORMAT_JSON && !command_one_form("a profile, always as JSON", out)) {
		return EXIT_USAGE;
	}
	machine_given(&app_lane_const(app)->profile.settings, &given);
	if (machine_import(&im, paths, n, &given, &out->error) < 0) {
		return EXIT_USAGE;
	}
	const char *missing = machine_missing(&im);
	enum exit_status status = EXIT_USAGE;
	if (missing != NULL) {
		command_missing(out, missing);
	} else {
		name_profile(&im.profile);
		status = print_profile(&im, out);
	}
	zl_import_done(&im);
	return status;
}

static const struct command_option options[] = {
	{"--root", "DIR", false, "Read a copied /proc and /sys tree or a flat folder of files"},
	{NULL,     NULL,  false, NULL							 },
};

const struct command cmd_probe = {
	.name = "probe",
	.synopsis = "[--root DIR] [FILE...]",
	.flags = COMMAND_CLI,
	.help = "Print a profile of this machine, or of copied files, as JSON",
	.more = "Reads zoneinfo, the configuration, pagetypeinfo, buddyinfo, meminfo, the command "
		"line, vm sysctls, huge page state and cache topology. What copied files do not "
		"say is given with --set kernel= and --set page_size=; names of folders are never "
		"read as data. The profile is what --profile takes; --mail leaves "
		"its lines as they are.",
	.options = options,
	.run = run,
};
