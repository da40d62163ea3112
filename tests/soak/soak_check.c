/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold after every slice: each zone of each run keeps its pages and lists, going away
 * and coming back gives the same state, and a session that is written opens again as it was.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "learn.h"
#include "pagesets.h"
#include "session.h"
#include "soak.h"
#include "zonelab/save.h"

#define SESSION "soak-session.json"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifdef UNDER_ASAN
/* As <sanitizer/allocator_interface.h> has it, which not every compiler brings. */
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

uint64_t soak_heap(void)
{
#ifdef UNDER_ASAN
	return __sanitizer_get_current_allocated_bytes();
#elif defined(__GLIBC__)
	const struct mallinfo2 m = mallinfo2();

	return (uint64_t)m.uordblks + (uint64_t)m.hblkhd;
#else
	return 0;
#endif
}

static void check_sim(struct soak *s, const struct zl_sim *sim, const char *which)
{
	struct zl_error err = {0};

	s->sims++;
	if (sim != NULL && zl_sim_check(sim, &err) != 0) {
		soak_fail(
			s, "%s, op %llu: %s", which, (unsigned long long)zl_sim_ops(sim), err.text);
	}
}

/* Away and back, twice: a step, and somewhere. */
static void check_seeks(struct soak *s, struct timeline *t)
{
	const uint64_t at = t->at, digest = zl_sim_digest(t->sim);
	const uint64_t away[] = {at > 0 ? at - 1 : at + 1, soak_any(s, (uint32_t)(t->known + 2))};

	for (unsigned i = 0; i < 2; i++) {
		if (timeline_seek(t, away[i]) < 0 || timeline_seek(t, at) < 0) {
			soak_fail(s, "no memory to go to op %llu", (unsigned long long)away[i]);
		}
		if (t->at != at || zl_sim_digest(t->sim) != digest) {
			soak_fail(s, "op %llu is another state after a look at op %llu",
				(unsigned long long)at, (unsigned long long)away[i]);
		}
	}
}

static void check_timeline(struct soak *s, struct timeline *t, const char *which)
{
	check_sim(s, t->sim, which);
	check_sim(s, t->ahead, which);
	check_seeks(s, t);
	if (t->nr_keys > 0) {
		check_sim(s, t->key[soak_any(s, (uint32_t)t->nr_keys)].sim, which);
	}
	if (t->at > t->known && t->complete) {
		soak_fail(s, "%s stands at op %llu of %llu", which, (unsigned long long)t->at,
			(unsigned long long)t->known);
	}
}

static void check_runs(struct soak *s)
{
	const struct app *app = s->app;

	for (unsigned i = 0; i < APP_LANES; i++) {
		const struct pagesets *p = app->run[i];

		for (unsigned b = 0; p != NULL && b < p->nr_branches; b++) {
			check_timeline(s, p->branch[b].t, "a run");
		}
	}
	if (app->beside == NULL || app->beside->c == NULL) {
		return;
	}
	const struct comparison *c = app->beside->c;
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		if (c->lane[i].t != NULL) {
			check_timeline(s, c->lane[i].t, "a lane of Compare");
		} else {
			check_sim(s, c->lane[i].sim, "a lane of Compare");
		}
	}
}

static void check_focus(const struct soak *s)
{
	const struct app *app = s->app;
	size_t rows = app_panel_rows(app, app->panel);

	if (rows > UINT16_MAX || (rows > 0 && app->row[app->panel] >= rows) ||
		app_focused_setting(app) > ZL_SETTING_COUNT) {
		soak_fail(s, "row %u of %zu in panel %u", app->row[app->panel], rows, app->panel);
	}
	(void)app_focused_id(app);
	for (const char *c = app->message.text; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f) {
			soak_fail(s, "a control character in the message %s", app->message.text);
		}
	}
}

/* A session from Compare has no digest where the run stands elsewhere; read back, both are there. */
static bool same_session(const char *a, const char *b)
{
	static const char digest[] = "\n    \"digest\": ";
	const char *end;

	while (*a != '\0' && *a == *b) {
		bool a_has = strncmp(a, digest, strlen(digest)) == 0;

		end = strchr(b + 1, '\n');
		if (!a_has && end != NULL && strncmp(b, digest, strlen(digest)) == 0) {
			b = end;
			continue;
		}
		a++;
		b++;
	}
	return *a == *b;
}

/* Writes the session and opens it in another explorer, whose session must read the same. */
static void check_session(struct soak *s)
{
	struct app *other = calloc(1, sizeof(*other));
	struct zl_buf was = {0}, now = {0};
	struct zl_error err = {0};

	if (other == NULL || app_init(other) < 0 || session_text(s->app, &was) < 0 ||
		zl_save(SESSION, zl_buf_text(&was), was.len, true, &err) < 0) {
		soak_fail(s, "a session cannot be written: %s", err.text);
	}
	app_resize(other, s->app->rows, s->app->cols);
	if (session_open(other, SESSION, &err) < 0) {
		soak_fail(s, "%s: its own session is refused: %s\n%s", err.file, err.text,
			zl_buf_text(&was));
	}
	if (session_text(other, &now) < 0 || !same_session(zl_buf_text(&was), zl_buf_text(&now))) {
		soak_fail(s, "a session reads back as another one:\n%s\n-- read back:\n%s",
			zl_buf_text(&was), zl_buf_text(&now));
	}
	s->sessions++;
	zl_buf_done(&was);
	zl_buf_done(&now);
	app_done(other);
	free(other);
}

void soak_check(struct soak *s)
{
	check_focus(s);
	check_runs(s);
	if (!learn_open_now(s->app)) {
		check_session(s);
	}
	soak_draw(s);
}
