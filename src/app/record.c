/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <errno.h>

#include "pagesets.h"
#include "zonelab/text.h"

#define FRAME_NS	UINT64_C(66666667)
#define LAST_NS		UINT64_C(2000000000) /* the last frame stays */
#define NS		UINT64_C(1000000000)
#define MICRO_NS	1000u
#define DIGITS		6
#define FRAMES_A_SECOND 15u
#define HOME_CODE	"\\u001b[H"
#define START		"\\u001b[2J" HOME_CODE
#define LINE_END	"\\u001b[K\\r\\n"

/* "12.345678" */
static void put_time(struct zl_buf *b, uint64_t ns)
{
	char digits[DIGITS + 1];
	uint64_t micro = ns % NS / MICRO_NS;

	for (int i = DIGITS; i > 0; i--) {
		digits[i - 1] = (char)('0' + (char)(micro % 10));
		micro /= 10;
	}
	digits[DIGITS] = '\0';
	zl_buf_fmt(b, "%U.%s", ns / NS, digits);
}

/* A screen as one event; lines end with what clears the rest of the row. */
static void put_frame(struct zl_buf *b, uint64_t ns, const char *screen, bool first)
{
	zl_buf_chr(b, '[');
	put_time(b, ns);
	zl_buf_str(b, first ? ", \"o\", \"" START : ", \"o\", \"" HOME_CODE);
	for (const char *p = screen; *p != '\0'; p++) {
		if (*p == '\n') {
			zl_buf_str(b, p[1] != '\0' ? LINE_END : "");
		} else if (*p == '"' || *p == '\\') {
			zl_buf_chr(b, '\\');
			zl_buf_chr(b, *p);
		} else {
			zl_buf_chr(b, *p);
		}
	}
	zl_buf_str(b, "\"]\n");
}

static void put_head(const struct app *app, struct zl_buf *b)
{
	zl_buf_fmt(b,
		"{\"version\": 2, \"width\": %u, \"height\": %u, \"title\": \"zonelab: %s\"}\n",
		app->cols, app->rows, app->pagesets->title);
}

/* Goes on until something shows or the end is reached; adds the time that it took. */
static bool next_frame(struct app *app, uint64_t *ns)
{
	while (app_wait(app) != UINT64_MAX) {
		bool changed = app_tick(app, FRAME_NS);
		*ns += FRAME_NS;
		if (changed) {
			return true;
		}
	}
	return false;
}

static int too_long(struct zl_error *err)
{
	zl_error_set(err, 0, 0,
		"a recording has at most %u frames; fewer ops, or more ops a second",
		RECORD_FRAMES_MAX);
	return -E2BIG;
}

/* Frames that are sure to come: an op that is drawn by itself has one, a flush has six. */
static uint64_t least_frames(const struct app *app, const struct record_range *range)
{
	const struct timeline *t = pagesets_timeline(app);
	unsigned rate = pagesets_rate(app->pagesets->all->speed);
	uint64_t ops = range->to > range->from ? range->to - range->from : 0;
	uint64_t n = 0;

	if (rate == 0 || rate > PAGESETS_SLOW) {
		return rate == 0 ? 0 : ops / (rate / FRAMES_A_SECOND + 1);
	}
	for (uint64_t op = range->from + 1; op <= range->to && n <= RECORD_FRAMES_MAX; op++) {
		uint8_t marks = timeline_marks(t, op);
		bool moves = app->motion && app->pagesets->all->cpu < 0;
		n += !moves			  ? 1
		     : (marks & MARK_FLUSH) != 0  ? PAGESETS_FLUSH_FRAMES
		     : (marks & MARK_REFILL) != 0 ? PAGESETS_REFILL_FRAMES
						  : 1;
	}
	return n;
}

int record_fits(const struct app *app, const struct record_range *range, struct zl_error *err)
{
	return least_frames(app, range) > RECORD_FRAMES_MAX ? too_long(err) : 0;
}

int record_cast(struct app *app, const struct record_range *range,
	void (*draw)(const struct app *app, struct zl_buf *ret), struct zl_buf *ret,
	struct zl_error *err)
{
	struct zl_buf screen = {0};
	uint64_t ns = 0;
	unsigned frames = 0;

	put_head(app, ret);
	pagesets_seek(app, range->from);
	draw(app, &screen);
	put_frame(ret, ns, zl_buf_text(&screen), true);
	app->pagesets->all->deaf = true;
	pagesets_play(app, true);
	while (pagesets_timeline(app)->at < range->to && frames < RECORD_FRAMES_MAX &&
		next_frame(app, &ns)) {
		zl_buf_clear(&screen);
		draw(app, &screen);
		put_frame(ret, ns, zl_buf_text(&screen), false);
		frames++;
	}
	pagesets_play(app, false);
	app->pagesets->all->deaf = false;
	app_settle(app);
	zl_buf_clear(&screen);
	draw(app, &screen);
	put_frame(ret, ns + LAST_NS, zl_buf_text(&screen), false);
	bool failed = screen.failed || ret->failed;
	zl_buf_done(&screen);
	if (frames == RECORD_FRAMES_MAX) {
		return too_long(err);
	}
	return failed ? -ENOMEM : 0;
}
