/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `list`: every table of the program.
 */
#include <string.h>

#include "keymap.h"
#include "learn.h"
#include "list.h"
#include "setting_facts.h"
#include "sweep.h"
#include "zonelab/event.h"
#include "zonelab/metrics.h"
#include "zonelab/profile_json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

void list_start(struct table *t, const struct list *l, const struct column *columns, size_t n)
{
	table_init(t, l->out, l->rows, columns, n);
}

bool list_pages(const struct list *l)
{
	return l->out->format == FORMAT_TEXT || l->out->format == FORMAT_MAIL;
}

/* A count is the number in force, also where it is computed or a run's. */
static void resolved_text(const struct list *l, enum zl_setting key, char *buf, size_t size)
{
	const struct value_in in = app_values(l->app);
	int64_t v = 0;

	if (learn_hides(l->app, VALUE_SETTING_BASE + key)) {
		zl_format(buf, size, "?");
	} else if (zl_setting_info(key)->type == ZL_TYPE_COUNT && setting_number(&in, key, &v)) {
		zl_format(buf, size, "%D", v);
	} else {
		zl_machine_setting(in.profile, in.machine, key, buf, size);
	}
}

static void list_resolved(const struct list *l)
{
	static const struct column columns[] = {
		{"key",	"key",    false},
		{"value",  "value",  false},
		{"origin", "origin", false},
	};
	const struct value_in in = app_values(l->app);
	const struct zl_settings *s = &in.profile->settings;
	const struct zl_policy_set *policies = &in.profile->policies;
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		char value[ZL_CMDLINE_TEXT];

		table_text(&t, zl_setting_info(key)->key);
		resolved_text(l, key, value, sizeof(value));
		table_text(&t, value);
		table_text(&t, setting_origin(s, key));
	}
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_policy *p = &policies->policy[i];
		char name[ZL_SETTING_TEXT];

		if (p->text != NULL) {
			zl_format(name, sizeof(name), "policy.%s",
				zl_point_info((enum zl_point)i)->name);
			table_text(&t, name);
			table_text(&t, p->text);
			table_text(&t, zl_origin_name(p->origin));
		}
	}
	table_print(&t);
}

static void list_settings(const struct list *l)
{
	static const struct column columns[] = {
		{"key",	"key",      false},
		{"default",  NULL,	  false},
		{"kernel",   NULL,	 false},
		{"run_time", "run time", false},
		{"help",	 "meaning",  false},
	};
	bool pages = list_pages(l);
	char text[512];
	struct table t;

	if (args_switch(l->args, "--resolved")) {
		list_resolved(l);
		return;
	}
	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_info *info = zl_setting_info((enum zl_setting)i);

		table_text(&t, info->key);
		table_text(&t, info->dflt);
		table_text(&t, setting_facts((enum zl_setting)i)->kernel);
		table_text(&t, zl_setting_live_name(info->live));
		zl_format(text, sizeof(text), pages ? "%s. Default: %s" : "%s", info->help,
			info->dflt);
		table_text(&t, text);
	}
	table_print(&t);
}

static void list_releases(const struct list *l)
{
	static const struct column columns[] = {
		{"behaviour", "behaviour",	   false},
		{"series",	   "series",	     false},
		{"since",	  "since",		   false},
		{"value",	  NULL,			false},
		{"evidence",  "value and evidence", false},
	};
	bool pages = list_pages(l);
	char text[256];
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row r = zl_release_row(i);

		table_text(&t, r.behaviour);
		table_text(&t, r.series);
		table_text(&t, r.since);
		table_text(&t, r.value);
		zl_format(text, sizeof(text), "%s (%s)", r.value, r.evidence);
		table_text(&t, pages ? text : r.evidence);
	}
	table_print(&t);
}

static void list_designs(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"releases", "releases", false},
		{"summary",  "summary",  false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned d = ZL_DESIGN_A514; d < ZL_DESIGN_COUNT; d++) {
		table_text(&t, zl_design_name((enum zl_design_id)d));
		table_text(&t, zl_design_releases((enum zl_design_id)d));
		table_text(&t, zl_design_summary((enum zl_design_id)d));
	}
	table_print(&t);
}

static void list_commands(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"synopsis", NULL,	   false},
		{"help",	 "meaning", false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (c->flags != COMMAND_KEY) {
			table_text(&t, c->name);
			table_text(&t, c->synopsis);
			table_text(&t, c->help);
		}
	}
	table_print(&t);
}

static void list_keys(const struct list *l)
{
	static const struct column columns[] = {
		{"mode",	 "mode",	 false},
		{"key",	"key",     false},
		{"command", "command", false},
		{"help",	 "meaning", false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *b = keymap_at(i);

		if (b->show[0] != '\0' && b->help[0] != '\0') {
			table_text(&t, keymap_mode_name(b->mode));
			table_text(&t, b->show);
			table_text(&t, b->command);
			table_text(&t, b->help);
		}
	}
	table_print(&t);
}

static void list_diagnostics(const struct list *l)
{
	static const struct column columns[] = {
		{"code",	 "code",	 false},
		{"meaning", "meaning", false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned i = 0; i < ZL_DIAG_COUNT; i++) {
		table_text(&t, zl_diag_name((enum zl_diag_code)i));
		table_text(&t, zl_diag_meaning((enum zl_diag_code)i));
	}
	table_print(&t);
}

static void list_values(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"value",	  "value",	   true },
		{"definition", "definition", false},
	};
	struct value_in in = app_values(l->app);
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info((enum value_id)id);
		char value[ZL_SETTING_TEXT];

		value_text(&in, id, value, sizeof(value));
		table_text(&t, info->name);
		table_text(&t, value);
		table_text(&t, info->definition);
	}
	table_print(&t);
}

static void list_profiles(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"title",  "title", false},
		{"source", NULL,	 false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_PROFILES); i++) {
		struct zl_profile p;
		const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_PROFILES, i);

		if (zl_profile_read(s->text, s->size, l->app->alloc, &p, NULL) == 0) {
			table_text(&t, s->name);
			table_text(&t, p.title);
			table_text(&t, p.source);
			zl_profile_done(&p, l->app->alloc);
		}
	}
	table_print(&t);
}

static void list_scenarios(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",	 false},
		{"title",	  "title", false},
		{"question", NULL,	   false},
		{"source",   NULL,	 false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		const struct zl_shipped *shipped = zl_shipped_at(ZL_SHIPPED_SCENARIOS, i);
		struct zl_scenario s;

		if (zl_scenario_parse(shipped->text, shipped->size, l->app->alloc, &s, NULL) == 0) {
			table_text(&t, shipped->name);
			table_text(&t, s.title);
			table_text(&t, zl_scenario_text(&s, s.question));
			table_text(&t, zl_scenario_text(&s, s.source));
			zl_scenario_done(&s);
		}
	}
	table_print(&t);
}

/* A figure that only sweeps follow. */
static void add_figure(struct table *t, const struct sweep_figure *f, const char *where)
{
	char help[160];

	zl_format(help, sizeof(help), "%s%s", f->help, where);
	table_text(t, f->name);
	table_text(t, f->unit);
	table_text(t, help);
}

static void list_metrics(const struct list *l)
{
	static const struct column columns[] = {
		{"name", "name", false},
		{"unit", "unit", false},
		{"help", "help", false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (size_t i = 0; i < zl_metric_count(); i++) {
		const struct zl_metric_info *m = zl_metric_info(i);

		table_text(&t, m->name);
		table_text(&t, m->unit);
		table_text(&t, m->help);
	}
	for (size_t i = 0; sweep_estimate_figure(i) != NULL; i++) {
		add_figure(&t, sweep_estimate_figure(i), "; model estimate, for sweep");
	}
	for (size_t i = 0; sweep_pool_figure(i) != NULL; i++) {
		add_figure(&t, sweep_pool_figure(i), "; for sweep reserve");
	}
	table_print(&t);
}

/* What an op can have done, and why. */
static void list_events(const struct list *l)
{
	static const struct column columns[] = {
		{"name",	 "name",		 false},
		{"sentence", "what happened", false},
		{"source",   NULL,		 false},
	};
	struct table t;

	list_start(&t, l, columns, COUNT_OF(columns));
	for (unsigned i = 0; i < ZL_REASON_COUNT; i++) {
		table_text(&t, zl_reason_name((enum zl_reason)i));
		table_text(&t, zl_reason_sentence((enum zl_reason)i));
		table_text(&t, zl_reason_source((enum zl_reason)i));
	}
	table_print(&t);
}

static const struct {
	const char *name;
	void (*print)(const struct list *l);
} lists[] = {
	{"commands",	     list_commands	  },
	{"decision-points", list_decision_points },
	{"designs",	    list_designs		},
	{"diagnostics",	list_diagnostics	},
	{"events",	   list_events	      },
	{"glossary",	     list_glossary	  },
	{"keys",		 list_keys		  },
	{"lessons",	    list_lessons		},
	{"metrics",	    list_metrics		},
	{"policies",	     list_shipped_policies},
	{"profiles",	     list_profiles	  },
	{"releases",	     list_releases	  },
	{"scenarios",	      list_scenarios	    },
	{"settings",	     list_settings	  },
	{"values",	   list_values	      },
};

const char *list_topic(size_t i)
{
	return i < COUNT_OF(lists) ? lists[i].name : NULL;
}

static enum exit_status no_such_list(const char *what, struct output *out)
{
	char names[ZL_SETTING_TEXT * 4];
	struct zl_text t;

	zl_text_init(&t, names, sizeof(names));
	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		zl_text_fmt(&t, i > 0 ? ", %s" : "%s", lists[i].name);
	}
	return command_usage(out, "there is no list of %s; lists: %s", what, names);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct list l = {.app = app, .args = args, .out = out};

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		if (strcmp(args->word[0], lists[i].name) != 0) {
			continue;
		}
		if (out->format == FORMAT_JSON) {
			struct zl_json *root = output_json(out, "list");
			zl_json_add_string(root, "what", lists[i].name);
			l.rows = zl_json_add_array(root, "rows");
		}
		lists[i].print(&l);
		return EXIT_YES;
	}
	return no_such_list(args->word[0], out);
}

static const struct command_option options[] = {
	{"--resolved", NULL, false, "Settings: the value in force and where it came from"},
	{NULL,	       NULL, false, NULL						 },
};

const struct command cmd_list = {
	.name = "list",
	.synopsis = "commands|decision-points|designs|diagnostics|events|glossary|keys|lessons|"
		    "metrics|policies|"
		    "profiles|"
		    "releases|scenarios|settings|values [--resolved] [FILE...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES_AFTER,
	.help = "Print a table of the program",
	.more = "",
	.options = options,
	.run = run,
};
