/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Focus and moving on the Pagesets screen.
 */
#include <string.h>

#include "facts.h"
#include "pagesets.h"
#include "ui.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define PAGE_CELLS     20u
#define WHEEL_OPS      1u

const enum value_id pagesets_gauge_ids[] = {VALUE_RUN_COUNT, VALUE_RUN_FREE_COUNT,
	VALUE_RUN_THRESHOLD, VALUE_RUN_HIGH, VALUE_RUN_CEILING};
static const enum value_id verdict_ids[] = {
	VALUE_RUN_THRESHOLD, VALUE_RUN_PREV_HIGH_ORDER, VALUE_RUN_BATCH_FLAG};
static const enum zl_setting settings[] = {ZL_SET_BATCH, ZL_SET_HIGH_MIN, ZL_SET_HIGH_MAX,
	ZL_SET_KERNEL, ZL_SET_BATCH_SCALE_MAX, ZL_SET_HIGH_FRACTION, ZL_SET_CACHE_SLICE};

size_t pagesets_settings(enum zl_setting *ret, size_t max)
{
	size_t n = COUNT_OF(settings) < max ? COUNT_OF(settings) : max;

	memcpy(ret, settings, n * sizeof(settings[0]));
	return n;
}

static size_t slot_rows(const struct pagesets *p)
{
	size_t ways = p->nr_ways > 0 ? p->nr_ways : 1;

	return p->all->slot == SLOT_SETTINGS ? COUNT_OF(settings) + 1
	       : p->all->slot == SLOT_WAYS   ? ways
					     : 1;
}

size_t pagesets_panel_rows(const struct app *app, unsigned panel)
{
	switch ((enum pagesets_panel)panel) {
	case PAGESETS_GAUGES:
		return COUNT_OF(pagesets_gauge_ids);
	case PAGESETS_LISTS:
	case PAGESETS_TIMELINE:
		return 1;
	case PAGESETS_VERDICT:
		return COUNT_OF(verdict_ids);
	case PAGESETS_SLOT:
		return slot_rows(app->pagesets);
	case PAGESETS_PANELS:
		break;
	}
	return 0;
}

bool pagesets_on_policy(const struct app *app)
{
	return app->screen == SCREEN_PAGESETS && app->pagesets != NULL &&
	       app->panel == PAGESETS_SLOT && app->pagesets->all->slot == SLOT_SETTINGS &&
	       app->row[PAGESETS_SLOT] == COUNT_OF(settings);
}

bool pagesets_policy_text(const struct app *app, char *buf, size_t size)
{
	static const char *const rules[ZL_DESIGN_COUNT] = {
		[ZL_DESIGN_A] = "free_factor > 0",
		[ZL_DESIGN_A_CAP] = "free_factor > 0",
		[ZL_DESIGN_B] = "threshold batch",
		[ZL_DESIGN_C] = "threshold batch + high_min/2",
		[ZL_DESIGN_D19] = "threshold batch + high_min/2",
		[ZL_DESIGN_D71] = "threshold batch + high_min/2",
	};
	const struct zl_sim_config *c = &app->pagesets->scene.config;
	bool policy = zl_policy_has(c->policies, ZL_POINT_FREE_HIGH);

	if (policy) {
		const struct zl_policy *p = &c->policies->policy[ZL_POINT_FREE_HIGH];

		zl_format(buf, size, "%s", p->shipped != NULL ? p->shipped : p->text);
	} else {
		const char *rule = rules[c->switches.design];

		zl_format(buf, size, "%s", rule != NULL ? rule : "none");
	}
	return policy;
}

enum zl_setting pagesets_focused_setting(const struct app *app)
{
	unsigned row = app->row[PAGESETS_SLOT];

	return app->panel == PAGESETS_SLOT && app->pagesets->all->slot == SLOT_SETTINGS &&
			       row < COUNT_OF(settings)
		       ? settings[row]
		       : ZL_SETTING_COUNT;
}

unsigned pagesets_focused_id(const struct app *app)
{
	unsigned row = app->row[app->panel];
	enum zl_setting key = pagesets_focused_setting(app);

	if (key != ZL_SETTING_COUNT) {
		return VALUE_SETTING_BASE + key;
	}
	if (pagesets_on_policy(app)) {
		return VALUE_RUN_THRESHOLD;
	}
	switch ((enum pagesets_panel)app->panel) {
	case PAGESETS_GAUGES:
		return row < COUNT_OF(pagesets_gauge_ids) ? pagesets_gauge_ids[row] : VALUE_NONE;
	case PAGESETS_LISTS:
		return VALUE_RUN_BLOCKS;
	case PAGESETS_VERDICT:
		return row < COUNT_OF(verdict_ids) ? verdict_ids[row] : VALUE_NONE;
	case PAGESETS_SLOT:
		return VALUE_RUN_THRESHOLD; /* the question that the screen is about */
	case PAGESETS_TIMELINE:
	case PAGESETS_PANELS:
		break;
	}
	return VALUE_RUN_OP;
}

static bool focus_of(
	struct app *app, unsigned panel, const enum value_id *ids, size_t n, unsigned id)
{
	for (unsigned i = 0; i < n; i++) {
		if ((unsigned)ids[i] == id) {
			app->panel = panel;
			app->row[panel] = i;
			return true;
		}
	}
	return false;
}

void pagesets_focus_id(struct app *app, unsigned id)
{
	for (unsigned i = 0; i < COUNT_OF(settings); i++) {
		if (id == VALUE_SETTING_BASE + (unsigned)settings[i] &&
			app->pagesets->all->slot == SLOT_SETTINGS) {
			app->panel = PAGESETS_SLOT;
			app->row[PAGESETS_SLOT] = i;
			return;
		}
	}
	if (!focus_of(app, PAGESETS_GAUGES, pagesets_gauge_ids, COUNT_OF(pagesets_gauge_ids), id)) {
		(void)focus_of(app, PAGESETS_VERDICT, verdict_ids, COUNT_OF(verdict_ids), id);
	}
}

bool pagesets_search_setting(struct app *app, int direction)
{
	const unsigned n = COUNT_OF(settings) + 1;
	const bool shown = app->pagesets->all->slot == SLOT_SETTINGS;
	unsigned row = shown ? app->row[PAGESETS_SLOT] : n - 1;

	for (unsigned i = 0; i < n; i++) {
		row = (row + (direction > 0 ? 1 : n - 1)) % n;
		const char *name = row < COUNT_OF(settings) ? zl_setting_info(settings[row])->key
							    : "free_high";
		if (ui_contains(name, app->search)) {
			app->pagesets->all->slot = SLOT_SETTINGS;
			app->pagesets->all->slot_chosen = true;
			app->panel = PAGESETS_SLOT;
			app->row[PAGESETS_SLOT] = row;
			return true;
		}
	}
	return false;
}

/* Left and right in the two columns of settings, of which the first has one row more or as many. */
static bool move_column(struct app *app, const char *direction)
{
	unsigned rows = (unsigned)pagesets_panel_rows(app, PAGESETS_SLOT);
	unsigned first = (rows + 1) / 2, *row = &app->row[PAGESETS_SLOT];

	if (app->panel != PAGESETS_SLOT || app->pagesets->all->slot != SLOT_SETTINGS) {
		return false;
	}
	if (strcmp(direction, "right") == 0) {
		*row += *row + first < rows ? first : 0;
	} else if (strcmp(direction, "left") == 0) {
		*row -= *row >= first ? first : 0;
	} else {
		return false;
	}
	return true;
}

/* Where a key of time leads; false when it is none. */
static bool time_of(struct app *app, const char *direction, uint64_t *ret)
{
	struct timeline *t = pagesets_timeline(app);
	uint64_t cell = pagesets_cell_ops(app);
	const struct {
		const char *direction;
		uint64_t back, on;
	} keys[] = {
		{"first",	  t->at,		 0		  },
		{"last",	 0,		    timeline_total(t)},
		{"page-up",   cell * PAGE_CELLS, 0		},
		{"page-down", 0,		 cell * PAGE_CELLS},
		{"left",	 cell,	       0		},
		{"right",	  0,		     cell		 },
		{"up",	       WHEEL_OPS,	  0		   },
		{"down",	 0,		    WHEEL_OPS	     },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(direction, keys[i].direction) == 0) {
			*ret = t->at > keys[i].back ? t->at - keys[i].back + keys[i].on
						    : keys[i].on;
			return true;
		}
	}
	return false;
}

/* Up and down change the row, or the op where the panel has no rows to choose. */
bool pagesets_move(struct app *app, const char *direction)
{
	size_t rows = pagesets_panel_rows(app, app->panel);
	bool up = strcmp(direction, "up") == 0, down = strcmp(direction, "down") == 0;
	unsigned *row = &app->row[app->panel];
	uint64_t op = 0;

	if (move_column(app, direction)) {
		return true;
	}
	if (rows > 1 && (up || down)) {
		*row -= up && *row > 0 ? 1 : 0;
		*row += down && *row + 1 < rows ? 1 : 0;
		return true;
	}
	if (!time_of(app, direction, &op)) {
		return false;
	}
	pagesets_seek(app, op);
	return true;
}
