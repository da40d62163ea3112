/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores in the state directory: lessons.json.
 */
#include <string.h>

#include "learn.h"
#include "zonelab/file.h"
#include "zonelab/json.h"
#include "zonelab/save.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define FILE_NAME "lessons.json"
#define PATH_SIZE 4096
#define FILE_MAX  (UINT64_C(1) << 20)

struct learn_score *learn_score_of(struct learn *l, const char *name)
{
	for (unsigned i = 0; i < l->scores.count; i++) {
		if (strcmp(l->scores.item[i].name, name) == 0) {
			return &l->scores.item[i];
		}
	}
	if (l->scores.count == LEARN_SCORES) {
		return NULL;
	}
	struct learn_score *s = &l->scores.item[l->scores.count++];
	memset(s, 0, sizeof(*s));
	zl_format(s->name, sizeof(s->name), "%s", name);
	return s;
}

static int64_t number(const struct zl_json *object, const char *key)
{
	int64_t v = 0;

	return zl_json_get_int(zl_json_member(object, key), &v) == 0 && v > 0 ? v : 0;
}

static void take(struct learn *l, const struct zl_json *root)
{
	const struct zl_json *all = zl_json_member(root, "lessons");

	for (const struct zl_json *j = zl_json_first(all); j != NULL; j = zl_json_next(j)) {
		struct learn_score *s = learn_score_of(l, zl_json_key(j));
		if (s != NULL) {
			s->attempts = number(j, "attempts");
			s->best = number(j, "best");
			s->of = number(j, "of");
		}
	}
}

void learn_read_scores(struct learn *l, const char *text, size_t size)
{
	struct zl_json *root = NULL;

	if (zl_json_parse(text, size, &root, NULL) == 0) {
		take(l, root);
		zl_json_free(root);
	}
}

void learn_load_scores(struct app *app)
{
	struct learn *l = app->learn;
	char path[PATH_SIZE];
	struct zl_file f = {0};

	if (l->scores.loaded || !l->keep) {
		return;
	}
	l->scores.loaded = true;
	if (zl_state_path(FILE_NAME, path, sizeof(path)) != 0 ||
		zl_file_load(path, FILE_MAX, app->alloc, &f, NULL) != 0) {
		return;
	}
	learn_read_scores(l, f.data, f.size);
	zl_file_done(&f, app->alloc);
}

static int save(const struct learn *l, struct zl_error *err)
{
	struct zl_json *root = zl_json_object();
	char path[PATH_SIZE];
	char *text = NULL;
	int rc = zl_state_path(FILE_NAME, path, sizeof(path));

	zl_json_add_string(root, "kind", "lesson-scores");
	zl_json_add_int(root, "version", 1);
	struct zl_json *all = zl_json_add_object(root, "lessons");
	for (unsigned i = 0; i < l->scores.count; i++) {
		const struct learn_score *s = &l->scores.item[i];
		struct zl_json *j = zl_json_add_object(all, s->name);
		zl_json_add_int(j, "attempts", s->attempts);
		zl_json_add_int(j, "best", s->best);
		zl_json_add_int(j, "of", s->of);
	}
	if (rc != 0) {
		zl_error_set(err, 0, 0, "there is no home folder for scores; set XDG_STATE_HOME");
	} else {
		rc = zl_json_print(root, true, &text);
		rc = rc != 0 ? rc : zl_save(path, text, strlen(text), true, err);
	}
	zl_json_text_free(text);
	zl_json_free(root);
	return rc;
}

void learn_keep_score(struct app *app, bool finished)
{
	struct learn *l = app->learn;
	struct zl_error err = {0};

	if (l->answered == 0 || l->index == SIZE_MAX) {
		return;
	}
	struct learn_score *s = learn_score_of(l, l->lesson.name);
	if (s == NULL) {
		return;
	}
	s->attempts++;
	if (finished && (s->of == 0 || (int64_t)l->right > s->best)) {
		s->best = (int64_t)l->right;
		s->of = (int64_t)l->answered;
	}
	if (l->keep && save(l, &err) != 0) {
		app_say(app, VALUE_LITERAL, "Warning: the score could not be kept: %s", err.text);
	}
}

void learn_score_words(const struct learn *l, size_t lesson, char *buf, size_t size)
{
	const char *name = zl_shipped_at(ZL_SHIPPED_LESSONS, lesson)->name;
	const struct learn_score *s = NULL;

	for (unsigned i = 0; i < l->scores.count; i++) {
		s = strcmp(l->scores.item[i].name, name) == 0 ? &l->scores.item[i] : s;
	}
	if (s == NULL || s->attempts == 0) {
		zl_format(buf, size, "not tried yet");
	} else if (s->of == 0) {
		zl_format(buf, size, "begun");
	} else {
		zl_format(buf, size, "%D of %D, %D attempt%s", s->best, s->of, s->attempts,
			s->attempts == 1 ? "" : "s");
	}
}
