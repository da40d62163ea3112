/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain.h"

#include "pagesets.h"

#include <string.h>

#include "draw.h"
#include "explain.h"
#include "help.h"
#include "learn.h"
#include "views.h"
#include "zonelab/text.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A blank between a digit and exactly three more is the grouping of a number. */
static bool is_group_blank(const char *text, const char *p)
{
	return *p == ' ' && p > text && is_digit(p[-1]) && is_digit(p[1]) && is_digit(p[2]) &&
	       is_digit(p[3]) && !is_digit(p[4]);
}

void plain_ungrouped(struct zl_buf *b, const char *text)
{
	for (const char *p = text; *p != '\0'; p++) {
		if (!is_group_blank(text, p)) {
			zl_buf_chr(b, *p);
		}
	}
}

void plain_value(struct zl_buf *b, const struct value_in *in, unsigned id)
{
	char text[DRAW_TEXT];

	value_text(in, id, text, sizeof(text));
	plain_ungrouped(b, text);
}

static void put_lane(const struct app *app, struct zl_buf *b)
{
	const struct value_in in = app_lane_values(app, app->active);

	zl_buf_fmt(b, "lane: %c, ", 'A' + (int)app->active);
	if (app->screen == SCREEN_PAGESETS) {
		zl_buf_str(b, app->pagesets->title);
	} else {
		plain_value(b, &in, VALUE_SETTING_BASE + ZL_SET_ARCH);
		zl_buf_str(b, ", page size ");
		plain_value(b, &in, VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE);
	}
	zl_buf_str(b, ", kernel ");
	plain_value(b, &in, VALUE_SETTING_BASE + ZL_SET_KERNEL);
	zl_buf_fmt(b, ", design %s\n", zl_design_name(in.machine->switches.design));
}

/* Keys that screen readers would read as glyphs are written out. */
static const char *spoken(const char *show)
{
	static const struct {
		const char *show, *say;
	} words[] = {
		{", .",	"comma and period"},
		     {"< >",    "less greater"	   },
		      {",",	    "comma"	   },
		{"- +",	"minus plus"	    },
		       {":",	     "colon"	    },
		       {"?",	     "question mark"   },
		       {"/",	     "slash"	    },
		{"↑↓", "up down"		}
	 };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].show, show) == 0) {
			return words[i].say;
		}
	}
	return show;
}

static void put_keys(const struct app *app, struct zl_buf *b)
{
	bool first = true;

	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *k = keymap_at(i);
		bool own = keymap_find(view_ops_of(app)->keys, k->key) == k;
		if (own &&
			(k->mode == view_ops_of(app)->keys ||
				(k->mode == KEYMAP_EVERYWHERE && app->screen != SCREEN_PAGESETS &&
					app->screen != SCREEN_RESERVE &&
					app->screen != SCREEN_LEARN)) &&
			k->bar[0] != '\0') {
			zl_buf_fmt(b, "%s%s %s", first ? "keys: " : ", ", spoken(k->show), k->bar);
			first = false;
		}
	}
	zl_buf_chr(b, '\n');
}

static void put_settings(const struct value_in *in, struct zl_buf *b)
{
	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		const struct zl_setting_value *v = &in->profile->settings.value[key];
		zl_buf_fmt(b, "%s: ", zl_setting_info((enum zl_setting)key)->key);
		plain_value(b, in, VALUE_SETTING_BASE + key);
		zl_buf_fmt(b, ", %s\n", v->given ? zl_origin_name(v->origin) : "default");
	}
}

/* Returns false when nothing lies over the screen. */
static bool put_overlay(const struct app *app, const struct value_in *in, struct zl_buf *b)
{
	switch (app->overlay) {
	case OVERLAY_WHY:
		if (app->why != NULL) {
			explain_text(app->why, b);
		}
		return true;
	case OVERLAY_HELP:
		help_keys(view_ops_of(app)->keys, b);
		help_keys(KEYMAP_EVERYWHERE, b);
		return true;
	case OVERLAY_TEXT:
	case OVERLAY_REPORT:
		if (app->text_heading[0] != '\0') {
			zl_buf_fmt(b, "── %s\n", app->text_heading);
		}
		zl_buf_str(b, zl_buf_text(&app->text));
		return true;
	case OVERLAY_SETTINGS:
		put_settings(in, b);
		return true;
	case OVERLAY_NONE:
		break;
	}
	return false;
}

static void put_body(
	const struct app *app, const struct view_ops *v, bool panel_only, struct zl_buf *b)
{
	if (learn_veils(app, v->screen)) {
		zl_buf_str(b, "all of it: hidden until you answer\n");
	} else {
		v->plain(app, panel_only, b);
	}
}

void plain_screen(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	struct value_in in = app_values(app);
	const struct view_ops *v = view_ops_of(app);

	if (panel_only) {
		if (!put_overlay(app, &in, ret)) {
			put_body(app, v, true, ret);
		}
		return;
	}
	zl_buf_fmt(ret, "screen: %s\n", v->name);
	put_lane(app, ret);
	put_body(app, v, false, ret);
	if (app->message.text[0] != '\0') {
		zl_buf_str(ret, "message: ");
		plain_ungrouped(ret, app->message.text);
		zl_buf_chr(ret, '\n');
	}
	put_keys(app, ret);
}
