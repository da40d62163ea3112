/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user may do: keys of the key table and others, the mouse, other sizes, commands made of
 * what completion offers, time.
 */
#include <stdio.h>
#include <string.h>

#include "keymap.h"
#include "pagesets.h"
#include "soak.h"

#define LINE_SIZE 512
#define MS	  UINT64_C(1000000)

/* Beside what completion makes of the command table: files, several words that go together. */
static const char *const lines[] = {
	"set page_size=16K",
	"set page_size=64K kernel=6.12",
	"set memory=64M cpus=1",
	"set memory=16G nodes=2 cpus=32",
	"set high_min=700 high_max=900",
	"set pcp_batch_scale_max=0",
	"set batch=default high_min=default",
	"policy free_high = pcp->free_count >= batch",
	"policy free_high = pcp->free_count / (pcp->free_count - 40) > 0",
	"policy free_count_step = 1",
	"policy free_high = default",
	"lane B kernel=6.12",
	"lane B kernel=6.6,pcp_batch_scale_max=2",
	"lane C policy.free_high = 0",
	"lane D memory=1G,cpus=3",
	"lane C close",
	"go 0",
	"go 190",
	"go 100000000",
	"go +7",
	"break high > 100",
	"break flush",
	"break 195",
	"break free_count >= 60 && count > 3",
	"break clear",
	"bookmark here",
	"bookmark \"\xd9\xa0\xe2\x80\xae and back\"",
	"cpu 0",
	"cpu 1",
	"op alloc 3",
	"op free",
	"op drain",
	"op tick",
	"branch new",
	"branch 1",
	"branch 2",
	"zone",
	"zone 1",
	"save one.json",
	"save",
	"open one.json",
	"save two.json",
	"restore",
	"save-profile profile.json",
	"screenshot shot.svg",
	"screenshot shot.txt",
	"record film.cast",
	"export sweep.csv",
	"export sweep.svg",
	"source script",
	"sweep iperf --vary cpus=1..4 --metric free_high",
	"sweep iperf --vary cpus=1..3 --vary pcp_batch_scale_max=0..5 --metric flushes",
	"point open",
	"lesson flush",
	"lesson cma",
	"lesson factor --seed 3",
	"answer 1",
	"answer never",
	"leave",
	"run free-order3 --short",
	"run iperf --param rounds=2 --trace json",
	"run iperf --write-ops ops.workload",
	"check free-order3 --short",
	"compare iperf --lane A:kernel=6.6 --lane B:kernel=6.12 --seeds 2",
	"compare iperf --axis kernel",
	"estimate iperf",
	"hunt --lane A:kernel=6.6 --lane B:kernel=6.18",
	"pool add",
	"pool fix",
	"pool remove",
	"write-fix fixed.dts",
	"reserve --size 4M --size 33M",
	"geometry --matrix",
	"pcp",
	"explain --all",
	"report",
	"plain",
	"list values",
	"undo",
	"redo",
};
#define LINES (sizeof(lines) / sizeof(*lines))

static const char *const files[] = {
	"cases/uc06-two-pools.dts",
	"cases/uc14-mixed-cells.dts",
	"cases/uc09-dmesg.txt",
	"cases/uc03-arm64-16k.config",
	"cases/uc54-oom-percpu-old.txt",
	"cases/uc56-ftrace-with-refill-event.txt",
	"cases/uc51-bootlog-zones.txt",
	"patches/threshold-git.patch",
	"patches/several-points.diff",
	"patches/thread-three-versions.mbox",
	"captures/linux-6.12.117-x86_64-4k-debian-cloud-trace/zoneinfo.txt",
	"captures/linux-6.18.15-arm64-16k-debian/zoneinfo.txt",
};
#define FILES (sizeof(files) / sizeof(*files))

const char *soak_file(unsigned i)
{
	return i < FILES ? files[i] : NULL;
}

/* ---- keys ---- */

static void key(struct soak *s, const char *name)
{
	soak_note(s, "key %s", name);
	app_key(s->app, name);
}

/* A key that does something here, mostly; else any. */
static void some_key(struct soak *s)
{
	const enum keymap_mode here = keymap_mode_of(s->app);
	char text[2] = {0};

	s->keys++;
	if (soak_chance(s, here == KEYMAP_FIELD ? 60 : 10)) {
		text[0] = (char)(' ' + 1 + soak_any(s, 0x7f - ' ' - 1));
		key(s, here == KEYMAP_FIELD && soak_chance(s, 70)
				? &"0123456789"[9 - soak_any(s, 2)]
				: text);
		return;
	}
	for (unsigned tries = 0; tries < 400; tries++) {
		const struct binding *b = keymap_at(soak_any(s, (uint32_t)keymap_count()));

		if (b->mode == here || (b->mode == KEYMAP_EVERYWHERE && tries % 3 == 0)) {
			key(s, b->key);
			return;
		}
	}
	key(s, "Esc");
}

/* ---- the mouse ---- */

static void mouse(struct soak *s)
{
	const int row = (int)soak_any(s, s->app->rows + 1),
		  col = (int)soak_any(s, s->app->cols + 1);
	static const char *const wheel[] = {"Up", "Down", "Left", "Right"};
	uint64_t op = 0;

	s->mice++;
	soak_draw(s); /* what is clicked on is what is shown */
	bool time = screen_op_at(s->app, &s->canvas, row, col, &op);

	soak_note(s, "mouse %d,%d%s", row, col, time ? " on the timeline" : "");
	if (soak_chance(s, 30)) {
		app_key(s->app, wheel[soak_any(s, 2) + (time ? 2 : 0)]);
	} else if (!screen_click(s->app, &s->canvas, row, col)) {
		(void)screen_id_at(&s->canvas, row < s->canvas.rows ? row : 0, 0);
	}
}

static void resize(struct soak *s)
{
	static const uint16_t sizes[][2] = {
		{24, 80 },
		  {24, 80 },
		    {30, 100},
		       {40, 120},
		  {60, 200},
		     {50, 160},
		{1,  1  },
		{23, 79 }
	};
	unsigned rows, cols;

	s->resizes++;
	if (soak_chance(s, 70)) {
		const uint16_t *size = sizes[soak_any(s, sizeof(sizes) / sizeof(*sizes))];

		rows = size[0];
		cols = size[1];
	} else {
		rows = 1 + soak_any(s, 80);
		cols = 1 + soak_any(s, 260);
	}
	soak_note(s, "resize %ux%u", cols, rows);
	app_resize(s->app, rows, cols);
}

/* ---- commands ---- */

/* The machine that this runs on is none of the inputs. */
static bool looks_outside(const char *line)
{
	static const char *const words[] = {
		"live", "probe", "verify", "explain-my-machine", "restore"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strstr(line, words[i]) != NULL) {
			return true;
		}
	}
	return false;
}

/* A line word by word from what completion offers, now and then with something else. */
static void offered(struct soak *s, char *line)
{
	static const char *const others[] = {"1", "0", "-1", "190", "7M", "6.12", "next", "all",
		"on", "close", "\"a b\"", "x=y"};
	unsigned words = 1 + soak_any(s, 4);
	size_t len = 0;

	line[0] = '\0';
	for (unsigned i = 0; i < words && len < LINE_SIZE / 2; i++) {
		const char *word = others[soak_any(s, sizeof(others) / sizeof(*others))];

		if (i > 0 && soak_chance(s, 20)) {
			len += (size_t)snprintf(line + len, LINE_SIZE - len, "--");
		}
		command_complete(s->app, line, len, s->shown);
		if (s->shown->count > 0 && soak_chance(s, 90)) {
			len = s->shown->start;
			word = s->shown->item[soak_any(s, (uint32_t)s->shown->count)].word;
		}
		len += (size_t)snprintf(line + len, LINE_SIZE - len, "%s", word);
		if (line[len - 1] == '=' && soak_chance(s, 80)) {
			word = others[soak_any(s, sizeof(others) / sizeof(*others))];
		} else {
			word = " ";
		}
		len += (size_t)snprintf(line + len, LINE_SIZE - len, "%s", word);
	}
}

static void command(struct soak *s)
{
	char line[LINE_SIZE];

	if (s->app->mode == MODE_FIELD || s->app->mode == MODE_SEARCH) {
		key(s, "Esc");
	}
	if (soak_chance(s, 60)) {
		snprintf(line, sizeof(line), "%s", lines[soak_any(s, LINES)]);
	} else {
		offered(s, line);
	}
	if (looks_outside(line)) {
		return;
	}
	s->commands++;
	soak_note(s, ":%s", line);
	if (s->app->mode != MODE_PROMPT) {
		app_key(s->app, ":");
	}
	app_prompt_done(s->app, line);
	if (s->app->mode == MODE_PROMPT) {
		app_prompt_done(s->app, NULL);
	}
}

/* ---- time ---- */

static void time_passes(struct soak *s)
{
	unsigned n = 1 + soak_any(s, 8);

	s->ticks++;
	soak_note(s, "%u ticks", n);
	for (unsigned i = 0; i < n && app_wait(s->app) != UINT64_MAX; i++) {
		(void)app_tick(s->app, soak_any(s, 200) * MS);
	}
}

void soak_event(struct soak *s)
{
	const uint32_t what = soak_any(s, 100);

	s->asks = 0;
	if (s->app->mode == MODE_PROMPT && what < 30) {
		soak_note(s, "the prompt is given up");
		app_prompt_done(s->app, NULL);
	} else if (s->app->mode == MODE_PROMPT) {
		command(s); /* keys do not come through here now */
	} else if (what < 66) {
		some_key(s);
	} else if (what < 74) {
		mouse(s);
	} else if (what < 78) {
		resize(s);
	} else if (what < 88) {
		command(s);
	} else {
		time_passes(s);
	}
	s->app->quit = false;
	s->app->redraw = false;
	s->app->suspend = false;
}
