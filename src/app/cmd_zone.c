/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `zone`: another zone of the machine on the Pagesets screen. */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "pagesets.h"
#include "zonelab/text.h"

/* "0/Normal", or the name alone where it is the only one. */
static bool parse_zone(const struct run_zone_name *zone, size_t n, const char *word, size_t *ret)
{
	char text[ZL_SETTING_TEXT];
	unsigned named = 0;

	for (size_t i = 0; i < n; i++) {
		zl_format(text, sizeof(text), "%u/%s", zone[i].node, zone[i].name);
		if (strcmp(text, word) == 0) {
			*ret = i;
			return true;
		}
		if (strcmp(zone[i].name, word) == 0) {
			*ret = i;
			named++;
		}
	}
	return named == 1;
}

/* "0/DMA, 0/Normal" */
static void list_zones(const struct run_zone_name *zone, size_t n, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < n; i++) {
		zl_text_fmt(&t, "%s%u/%s", i > 0 ? ", " : "", zone[i].node, zone[i].name);
	}
}

static void say_zone(struct app *app)
{
	const struct zl_sim_config *c = zl_sim_config(pagesets_timeline(app)->sim);
	char name[64];

	run_zones_name(app, name, sizeof(name));
	app_say(app, VALUE_LITERAL, "%s: zone of %Z · z for the next", name,
		c->managed << c->page_shift);
}

static enum exit_status run_zone(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct run_zone_name list[ZL_ZONES_MAX];
	char names[256];
	size_t shown = 0, zone;

	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->pagesets == NULL && pagesets_open_story(app, &out->error) < 0) {
		return EXIT_FAULT;
	}
	size_t n = run_zones_list(app, list, &shown);
	if (n < 2) {
		app_say(app, VALUE_NONE, "This run has one zone");
		return EXIT_YES;
	}
	zone = (shown + 1) % n;
	if (args->nr_words > 0 && !parse_zone(list, n, args->word[0], &zone)) {
		list_zones(list, n, names, sizeof(names));
		return command_usage(out, "there is no zone '%s'; one of %s", args->word[0], names);
	}
	int rc = run_zones_choose(app, zone, &out->error);
	if (rc < 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	say_zone(app);
	return EXIT_YES;
}

const struct command cmd_zone = {
	.name = "zone",
	.synopsis = "[NODE/NAME]",
	.flags = COMMAND_PROMPT,
	.help = "Show another zone of the run",
	.more = "NODE/NAME or, without it, the next zone of the machine. A run in all zones shows "
		"the ops that reach the zone, its requests, frees and ticks; a scenario of one "
		"zone runs anew in the other one, in every lane, at the same op: bookmarks and "
		"stops stay, branches end.",
	.run = run_zone,
};
