/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `zone`: another zone of the machine on the Pagesets screen. */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "pagesets.h"
#include "zonelab/text.h"

/* "0/Normal", or the name alone where it is the only one. */
static bool parse_zone(const struct zl_machine *m, const char *word, size_t *ret)
{
	char text[ZL_SETTING_TEXT];
	unsigned named = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		zl_format(text, sizeof(text), "%u/%s", m->zones[i].node, m->zones[i].name);
		if (strcmp(text, word) == 0) {
			*ret = i;
			return true;
		}
		if (strcmp(m->zones[i].name, word) == 0) {
			*ret = i;
			named++;
		}
	}
	return named == 1;
}

static void say_zone(struct app *app)
{
	const struct zl_sim_config *c = zl_sim_config(pagesets_timeline(app)->sim);
	char name[64];

	run_zones_name(app, name, sizeof(name));
	app_say(app, VALUE_LITERAL, "%s: zone of %Z · z for the next", name,
		c->managed << c->page_shift);
}

static enum exit_status zone_by_name(struct app *app, const char *word, struct output *out)
{
	const struct scenario_machine *m = app->pagesets->machine;
	size_t zone = 0;

	if (m == NULL || m->machine.nr_zones < 2) {
		app_say(app, VALUE_NONE, "This run has one zone");
		return EXIT_YES;
	}
	if (!parse_zone(&m->machine, word, &zone)) {
		return command_usage(out, "there is no zone '%s'; NODE/NAME, as in %u/%s", word,
			m->machine.zones[0].node, m->machine.zones[0].name);
	}
	int rc = pagesets_choose_zone(app, zone, &out->error);
	if (rc < 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	say_zone(app);
	return EXIT_YES;
}

static enum exit_status run_zone(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->pagesets == NULL && pagesets_open_story(app, &out->error) < 0) {
		return EXIT_FAULT;
	}
	if (args->nr_words > 0) {
		return zone_by_name(app, args->word[0], out);
	}
	int rc = run_zones_next(app, &out->error);
	if (rc < 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	if (rc > 0) {
		app_say(app, VALUE_NONE, "This run has one zone");
		return EXIT_YES;
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
		"zone runs anew in the other one, in every lane.",
	.run = run_zone,
};
