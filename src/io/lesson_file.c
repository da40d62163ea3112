/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lesson files: keys, types, ranges; texts with their places. */
#include "zonelab/lesson_file.h"

#include <errno.h>
#include <string.h>

#include "arena.h"
#include "scenario_read.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define NUMBER_TEXT 32

/* The reader of scenarios does the walking; texts go to the lesson's arena. */
struct lesson_reading {
	struct reading r;
	struct zl_lesson *l;
};

static int keep(struct lesson_reading *r, const char *s, size_t n, const char **ret)
{
	char *copy = zl_arena_strn(r->l->arena, s, n);

	if (copy == NULL) {
		return reading_no_memory(&r->r);
	}
	zl_clean_line(copy, n + 1, copy, n);
	*ret = copy;
	return 0;
}

/* A text or a whole number, as text. */
static int text_of(struct lesson_reading *r, const struct zl_json *j, struct zl_lesson_text *ret)
{
	struct json_place at = json_place(&r->r.places, j);
	const char *s = zl_json_text(j);
	char digits[NUMBER_TEXT];
	int64_t v = 0;
	bool on = false;

	if (s == NULL && zl_json_get_int(j, &v) == 0) {
		zl_format(digits, sizeof(digits), "%D", v);
		s = digits;
	} else if (s == NULL && zl_json_get_bool(j, &on) == 0) {
		zl_format(digits, sizeof(digits), "%b", (int)on);
		s = digits;
	}
	if (s == NULL) {
		return reading_fail(&r->r, j, "%s; a text or a number is needed",
			zl_json_kind_name(zl_json_kind(j)));
	}
	if (strlen(s) >= ZL_LESSON_TEXT_MAX) {
		return reading_fail(&r->r, j,
			"too long; at most %d bytes, so that it fits a screen",
			ZL_LESSON_TEXT_MAX - 1);
	}
	ret->line = at.line;
	ret->column = at.column;
	return keep(r, s, strlen(s), &ret->s);
}

static int member_text(struct lesson_reading *r, const struct zl_json *object, const char *key,
	struct zl_lesson_text *ret)
{
	const struct zl_json *j = zl_json_member(object, key);

	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(&r->r, key);
	int rc = text_of(r, j, ret);
	reading_up(&r->r, mark);
	return rc;
}

/* "lo", or [lo, hi]. */
static int read_number(struct lesson_reading *r, const struct zl_json *j)
{
	struct zl_lesson *l = r->l;
	struct zl_lesson_number *n = &l->number[l->nr_numbers];

	if (l->nr_numbers == ZL_LESSON_NUMBERS_MAX) {
		return reading_fail(
			&r->r, j, "too many numbers; at most %d", ZL_LESSON_NUMBERS_MAX);
	}
	memset(n, 0, sizeof(*n));
	int rc = reading_name(&r->r, j, zl_json_key(j), n->name);
	if (rc != 0) {
		return rc;
	}
	if (zl_json_kind(j) == ZL_JSON_ARRAY) {
		if (zl_json_count(j) != 2) {
			return reading_fail(&r->r, j, "two limits are needed, [least, most]");
		}
		rc = text_of(r, zl_json_first(j), &n->lo);
		rc = rc != 0 ? rc : text_of(r, zl_json_next(zl_json_first(j)), &n->hi);
	} else {
		rc = text_of(r, j, &n->lo);
		n->hi = n->lo;
	}
	l->nr_numbers += rc == 0 ? 1 : 0;
	return rc;
}

static int read_numbers(struct lesson_reading *r, const struct zl_json *root)
{
	const struct zl_json *object = zl_json_member(root, "numbers");
	size_t mark = reading_key(&r->r, "numbers");
	int rc = 0;

	if (object != NULL && zl_json_kind(object) != ZL_JSON_OBJECT) {
		rc = reading_fail(&r->r, object, "no object of numbers {}");
	}
	for (const struct zl_json *j = zl_json_first(object); rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		size_t inner = reading_key(&r->r, zl_json_key(j));
		rc = read_number(r, j);
		reading_up(&r->r, inner);
	}
	reading_up(&r->r, mark);
	return rc;
}

static int read_setting(
	struct lesson_reading *r, const struct zl_json *j, struct zl_lesson_settings *ret)
{
	enum zl_setting key = zl_setting_find(zl_json_key(j));

	if (key == ZL_SETTING_COUNT) {
		const char *near = zl_setting_nearest(zl_json_key(j));
		return reading_fail(&r->r, j, "there is no setting '%s'%s%s", zl_json_key(j),
			near != NULL ? "; did you mean " : "", near != NULL ? near : "");
	}
	if (ret->count == ZL_LESSON_SETTINGS_MAX) {
		return reading_fail(
			&r->r, j, "too many settings; at most %d", ZL_LESSON_SETTINGS_MAX);
	}
	ret->item[ret->count].key = key;
	int rc = text_of(r, j, &ret->item[ret->count].value);
	ret->count += rc == 0 ? 1 : 0;
	return rc;
}

static int read_settings(struct lesson_reading *r, const struct zl_json *object, const char *key,
	struct zl_lesson_settings *ret)
{
	const struct zl_json *all = zl_json_member(object, key);
	size_t mark = reading_key(&r->r, key);
	int rc = 0;

	if (all != NULL && zl_json_kind(all) != ZL_JSON_OBJECT) {
		rc = reading_fail(&r->r, all, "no object of settings {}");
	}
	for (const struct zl_json *j = zl_json_first(all); rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		size_t inner = reading_key(&r->r, zl_json_key(j));
		rc = read_setting(r, j, ret);
		reading_up(&r->r, inner);
	}
	reading_up(&r->r, mark);
	return rc;
}

static int read_names(struct lesson_reading *r, const struct zl_json *object, const char *key,
	struct zl_lesson_names *ret)
{
	const struct zl_json *list = zl_json_member(object, key);
	size_t mark = reading_key(&r->r, key);
	int rc = list != NULL ? reading_array(&r->r, list) : 0;
	size_t i = 0;

	for (const struct zl_json *j = rc == 0 ? zl_json_first(list) : NULL; rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		size_t inner = reading_index(&r->r, i++);
		rc = ret->count < ZL_LESSON_NAMES_MAX
			     ? text_of(r, j, &ret->item[ret->count++])
			     : reading_fail(&r->r, j, "too many; at most %d", ZL_LESSON_NAMES_MAX);
		reading_up(&r->r, inner);
	}
	reading_up(&r->r, mark);
	return rc;
}

/* A number of an op, or {"event": ...}, {"when": ...}, {"on": ...}, with "before". */
static int read_place(struct lesson_reading *r, const struct zl_json *object, const char *key,
	struct zl_lesson_place *ret)
{
	static const char *const keys[] = {"event", "when", "on", "before", NULL};
	static const struct {
		const char *key;
		enum zl_lesson_place_kind kind;
	} kinds[] = {
		{"event", ZL_LESSON_EVENT},
		    {"when",  ZL_LESSON_WHEN },
		      {"on",    ZL_LESSON_ON	 }
	  };
	const struct zl_json *j = zl_json_member(object, key);
	size_t mark = reading_key(&r->r, key);
	int rc = 0;

	if (j != NULL && zl_json_kind(j) != ZL_JSON_OBJECT) {
		ret->kind = ZL_LESSON_OP;
		rc = text_of(r, j, &ret->text);
	} else if (j != NULL) {
		rc = reading_object(&r->r, j, keys);
		rc = rc != 0 ? rc : reading_bool(&r->r, j, "before", &ret->before);
		for (size_t i = 0; rc == 0 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			if (zl_json_member(j, kinds[i].key) == NULL) {
				continue;
			}
			if (ret->kind != ZL_LESSON_HERE) {
				rc = reading_fail(&r->r, j, "one of event, when and on, not two");
				break;
			}
			ret->kind = kinds[i].kind;
			rc = member_text(r, j, kinds[i].key, &ret->text);
		}
		if (rc == 0 && ret->kind == ZL_LESSON_HERE) {
			rc = reading_fail(&r->r, j, "no place; event, when or on is missing");
		}
	}
	reading_up(&r->r, mark);
	return rc;
}

/* Checks a scenario inside the lesson and keeps it as JSON of its own. */
static int read_inside(struct lesson_reading *r, const struct zl_json *j, struct zl_lesson_run *ret)
{
	struct zl_scenario s;
	char *text = NULL;
	size_t head;
	struct zl_buf b = {0};

	zl_scenario_init(&s, r->r.mem);
	r->r.s = &s;
	int rc = reading_scenario(&r->r, j);
	zl_scenario_done(&s);
	r->r.s = NULL;
	if (rc != 0) {
		return rc;
	}
	if (zl_json_print(j, false, &text) != 0) {
		return reading_no_memory(&r->r);
	}
	head = strcspn(text, "{") + 1;
	zl_buf_fmt(&b, "{\"kind\":\"scenario\",\"version\":1,\"name\":\"%s\",%s", r->l->name,
		text + head);
	zl_json_text_free(text);
	char *copy = b.failed ? NULL : zl_arena_strn(r->l->arena, zl_buf_text(&b), b.len);
	zl_buf_done(&b);
	ret->json = copy;
	ret->name = "";
	return copy != NULL ? 0 : reading_no_memory(&r->r);
}

static int read_run(
	struct lesson_reading *r, const struct zl_json *object, struct zl_lesson_run *ret)
{
	const struct zl_json *j = zl_json_member(object, "scenario");
	size_t mark = reading_key(&r->r, "scenario");
	struct zl_lesson_text name = {.s = ""};
	int rc = 0;

	if (j != NULL && zl_json_kind(j) == ZL_JSON_OBJECT) {
		rc = read_inside(r, j, ret);
	} else if (j != NULL) {
		rc = text_of(r, j, &name);
		if (rc == 0 && zl_shipped_find(ZL_SHIPPED_SCENARIOS, name.s) == SIZE_MAX) {
			rc = reading_fail(&r->r, j,
				"there is no shipped scenario '%s'; see `zonelab list scenarios`, "
				"or write one here as an object {}",
				name.s);
		}
		ret->name = name.s;
		ret->json = "";
	}
	reading_up(&r->r, mark);
	return rc;
}

static int read_choices(
	struct lesson_reading *r, const struct zl_json *list, struct zl_lesson_question *q)
{
	static const char *const keys[] = {"text", "when", NULL};
	int rc = reading_array(&r->r, list);

	q->kind = ZL_LESSON_CHOICE;
	for (const struct zl_json *j = rc == 0 ? zl_json_first(list) : NULL; rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		size_t mark = reading_index(&r->r, q->nr_choices);
		if (q->nr_choices == ZL_LESSON_CHOICES_MAX) {
			rc = reading_fail(
				&r->r, j, "too many choices; at most %d", ZL_LESSON_CHOICES_MAX);
		}
		rc = rc != 0 ? rc : reading_object(&r->r, j, keys);
		rc = rc != 0 ? rc : member_text(r, j, "text", &q->choice[q->nr_choices]);
		rc = rc != 0 ? rc : member_text(r, j, "when", &q->when[q->nr_choices]);
		if (rc == 0 && (q->choice[q->nr_choices].s[0] == '\0' ||
				       q->when[q->nr_choices].s[0] == '\0')) {
			rc = reading_fail(&r->r, j,
				"a choice needs \"text\", and \"when\": an expression that holds "
				"if it is right");
		}
		q->nr_choices++;
		reading_up(&r->r, mark);
	}
	if (rc == 0 && q->nr_choices < 2) {
		rc = reading_fail(&r->r, list, "two choices at least");
	}
	return rc;
}

/* What is said to wrong answers. */
static int read_wrongs(
	struct lesson_reading *r, const struct zl_json *question, struct zl_lesson_question *q)
{
	static const char *const keys[] = {"when", "text", NULL};
	struct zl_lesson_text *when = q->wrong_when, *text = q->wrong;
	const struct zl_json *list = zl_json_member(question, "wrong");
	size_t mark = reading_key(&r->r, "wrong");
	int rc = list != NULL ? reading_array(&r->r, list) : 0;

	for (const struct zl_json *j = rc == 0 && list != NULL ? zl_json_first(list) : NULL;
		rc == 0 && j != NULL; j = zl_json_next(j)) {
		size_t inner = reading_index(&r->r, q->nr_wrongs);
		if (q->nr_wrongs == ZL_LESSON_WRONGS_MAX) {
			rc = reading_fail(&r->r, j, "too many; at most %d", ZL_LESSON_WRONGS_MAX);
		}
		rc = rc != 0 ? rc : reading_object(&r->r, j, keys);
		rc = rc != 0 ? rc : member_text(r, j, "when", when);
		rc = rc != 0 ? rc : member_text(r, j, "text", text);
		if (rc == 0 && (when++->s[0] == '\0' || text++->s[0] == '\0')) {
			rc = reading_fail(&r->r, j, "\"when\" and \"text\" are needed");
		}
		q->nr_wrongs++;
		reading_up(&r->r, inner);
	}
	reading_up(&r->r, mark);
	return rc;
}

/* Exactly one of choices, number and point. */
static int read_answer(
	struct lesson_reading *r, const struct zl_json *j, struct zl_lesson_question *q)
{
	const struct zl_json *choices = zl_json_member(j, "choices");
	const bool number = zl_json_member(j, "number") != NULL;
	const bool point = zl_json_member(j, "point") != NULL;
	int rc = 0;

	if ((choices != NULL) + number + point != 1) {
		return reading_fail(&r->r, j,
			"one of \"choices\", \"number\" and \"point\" is "
			"needed: how the question is answered");
	}
	if (choices != NULL) {
		size_t mark = reading_key(&r->r, "choices");
		rc = read_choices(r, choices, q);
		reading_up(&r->r, mark);
		return rc;
	}
	q->kind = number ? ZL_LESSON_NUMBER : ZL_LESSON_POINT;
	rc = number ? member_text(r, j, "number", &q->number)
		    : read_place(r, j, "point", &q->point);
	if (rc == 0 && point && q->point.kind != ZL_LESSON_EVENT &&
		q->point.kind != ZL_LESSON_WHEN) {
		rc = reading_fail(&r->r, j, "a point is {\"event\": ...} or {\"when\": ...}");
	}
	return rc;
}

static int read_question(
	struct lesson_reading *r, const struct zl_json *step, struct zl_lesson_question *q)
{
	static const char *const keys[] = {"ask", "asked", "choices", "number", "point", "unit",
		"within", "digits", "hide", "wrong", NULL};
	const struct reading_limits limits = {1, ZL_LESSON_DIGITS_MAX};
	const struct zl_json *j = zl_json_member(step, "question");
	size_t mark = reading_key(&r->r, "question");
	int64_t digits = 5;
	int rc = 0;

	if (j != NULL) {
		rc = reading_object(&r->r, j, keys);
		rc = rc != 0 ? rc : member_text(r, j, "ask", &q->ask);
		rc = rc != 0 ? rc : member_text(r, j, "asked", &q->asked);
		rc = rc != 0 ? rc : member_text(r, j, "within", &q->within);
		rc = rc != 0 ? rc : reading_string(&r->r, j, "unit", q->unit, sizeof(q->unit));
		rc = rc != 0 ? rc : reading_number(&r->r, j, "digits", &limits, &digits);
		rc = rc != 0 ? rc : read_names(r, j, "hide", &q->hide);
		rc = rc != 0 ? rc : read_wrongs(r, j, q);
		if (rc == 0 && (q->ask.s[0] == '\0' || q->asked.s[0] == '\0')) {
			rc = reading_fail(&r->r, j,
				"a question needs \"ask\", and \"asked\": the "
				"value that it is about");
		}
		rc = rc != 0 ? rc : read_answer(r, j, q);
	}
	q->digits = (unsigned)digits;
	reading_up(&r->r, mark);
	return rc;
}

static void no_texts(struct zl_lesson_step *s)
{
	const struct zl_lesson_text none = {.s = ""};

	memset(s, 0, sizeof(*s));
	s->caption = s->explain = s->at.text = s->until.text = none;
	s->question.ask = s->question.asked = s->question.number = s->question.within = none;
	s->question.point.text = none;
	for (unsigned i = 0; i < ZL_LESSON_CHOICES_MAX; i++) {
		s->question.choice[i] = s->question.when[i] = none;
		s->question.wrong[i] = s->question.wrong_when[i] = none;
	}
	s->run = (struct zl_lesson_run){.name = "", .json = ""};
}

static int read_step(struct lesson_reading *r, const struct zl_json *j)
{
	static const char *const keys[] = {"caption", "explain", "machine", "then", "scenario",
		"at", "until", "show", "highlight", "question", NULL};
	struct zl_lesson_step *s = &r->l->step[r->l->nr_steps];
	int rc = reading_object(&r->r, j, keys);

	no_texts(s);
	rc = rc != 0 ? rc : member_text(r, j, "caption", &s->caption);
	rc = rc != 0 ? rc : member_text(r, j, "explain", &s->explain);
	rc = rc != 0 ? rc : read_settings(r, j, "machine", &s->machine);
	rc = rc != 0 ? rc : read_settings(r, j, "then", &s->then);
	rc = rc != 0 ? rc : read_run(r, j, &s->run);
	rc = rc != 0 ? rc : read_place(r, j, "at", &s->at);
	rc = rc != 0 ? rc : read_place(r, j, "until", &s->until);
	rc = rc != 0 ? rc : read_names(r, j, "show", &s->show);
	rc = rc != 0 ? rc : read_names(r, j, "highlight", &s->highlight);
	rc = rc != 0 ? rc : read_question(r, j, &s->question);
	if (rc == 0 && s->caption.s[0] == '\0') {
		rc = reading_fail(&r->r, j, "the key 'caption' is missing");
	}
	if (rc == 0 && s->question.kind != ZL_LESSON_NOTHING && s->explain.s[0] == '\0') {
		rc = reading_fail(&r->r, j, "a question needs \"explain\": why the answer is so");
	}
	r->l->nr_steps += rc == 0 ? 1 : 0;
	return rc;
}

static int read_steps(struct lesson_reading *r, const struct zl_json *root)
{
	const struct zl_json *list = zl_json_member(root, "steps");
	size_t mark = reading_key(&r->r, "steps");
	int rc = list != NULL ? reading_array(&r->r, list)
			      : reading_fail(&r->r, root, "the key 'steps' is missing");

	for (const struct zl_json *j = rc == 0 ? zl_json_first(list) : NULL; rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		size_t inner = reading_index(&r->r, r->l->nr_steps);
		rc = r->l->nr_steps < ZL_LESSON_STEPS_MAX
			     ? read_step(r, j)
			     : reading_fail(
				       &r->r, j, "too many steps; at most %d", ZL_LESSON_STEPS_MAX);
		reading_up(&r->r, inner);
	}
	if (rc == 0 && r->l->nr_steps == 0) {
		rc = reading_fail(&r->r, list, "a lesson has one step at least");
	}
	reading_up(&r->r, mark);
	return rc;
}

static int read_head(struct lesson_reading *r, const struct zl_json *root)
{
	const char *kind = zl_json_text(zl_json_member(root, "kind"));
	const struct reading_limits cpus = {0, ZL_SCENARIO_CPUS_MAX - 1};
	struct zl_lesson *l = r->l;
	int64_t version = 0;

	if (kind == NULL || strcmp(kind, "lesson") != 0) {
		return reading_fail(&r->r, root, "no lesson; \"kind\": \"lesson\" is missing");
	}
	if (zl_json_get_int(zl_json_member(root, "version"), &version) != 0 || version != 1) {
		return reading_fail(&r->r, root, "\"version\": 1 is needed");
	}
	int rc = reading_string(&r->r, root, "name", l->name, sizeof(l->name));
	if (rc == 0) {
		char checked[ZL_SCENARIO_NAME_MAX];
		char plain[sizeof(l->name)];
		zl_format(plain, sizeof(plain), "%s", l->name);
		for (char *p = strchr(plain, '-'); p != NULL; p = strchr(p, '-')) {
			*p = '_'; /* names of files may have it */
		}
		rc = reading_name(&r->r, root, plain, checked);
	}
	rc = rc != 0 ? rc : reading_string(&r->r, root, "title", l->title, sizeof(l->title));
	rc = rc != 0 ? rc : reading_string(&r->r, root, "about", l->about, sizeof(l->about));
	rc = rc != 0 ? rc : reading_string(&r->r, root, "profile", l->profile, sizeof(l->profile));
	rc = rc != 0 ? rc : reading_number(&r->r, root, "cpu", &cpus, &l->cpu);
	if (rc == 0 && l->title[0] == '\0') {
		rc = reading_fail(&r->r, root, "the key 'title' is missing");
	}
	return rc;
}

static int read_lesson(struct lesson_reading *r, const struct zl_json *root)
{
	static const char *const keys[] = {"kind", "version", "name", "title", "about", "profile",
		"cpu", "numbers", "machine", "scenario", "show", "steps", NULL};
	int rc = reading_object(&r->r, root, keys);

	rc = rc != 0 ? rc : read_head(r, root);
	rc = rc != 0 ? rc : read_numbers(r, root);
	rc = rc != 0 ? rc : read_settings(r, root, "machine", &r->l->machine);
	rc = rc != 0 ? rc : read_run(r, root, &r->l->run);
	rc = rc != 0 ? rc : read_names(r, root, "show", &r->l->show);
	return rc != 0 ? rc : read_steps(r, root);
}

int zl_lesson_parse(const char *text, size_t size, const struct zl_allocator *mem,
	struct zl_lesson *ret, struct zl_error *err)
{
	struct lesson_reading r = {
		.r = {.mem = mem, .err = err, .inside = true},
		       .l = ret
	       };
	struct zl_json *root = NULL;

	memset(ret, 0, sizeof(*ret));
	ret->cpu = -1;
	ret->run = (struct zl_lesson_run){.name = "", .json = ""};
	if (size > ZL_LESSON_FILE_MAX) {
		zl_error_set(err, 0, 0, "the lesson is above 1 MiB; split it");
		return -E2BIG;
	}
	ret->arena = zl_arena_new(mem);
	int rc = ret->arena != NULL ? zl_json_parse(text, size, &root, err)
				    : reading_no_memory(&r.r);
	if (rc == 0) {
		rc = json_places_init(&r.r.places, text, size, root, mem);
		rc = rc != 0 ? reading_no_memory(&r.r) : read_lesson(&r, root);
	}
	json_places_done(&r.r.places, mem);
	zl_json_free(root);
	if (rc != 0) {
		zl_lesson_done(ret);
	}
	return rc;
}

void zl_lesson_done(struct zl_lesson *l)
{
	zl_arena_free(l->arena);
	memset(l, 0, sizeof(*l));
}

int zl_lesson_open(const char *name_or_path, const struct zl_allocator *mem, struct zl_lesson *ret,
	struct zl_error *err)
{
	struct zl_file f = {0};
	int rc = zl_shipped_load(ZL_SHIPPED_LESSONS, name_or_path, mem, &f, err);

	memset(ret, 0, sizeof(*ret));
	rc = rc != 0 ? rc : zl_lesson_parse(f.data, f.size, mem, ret, err);
	if (rc != 0) {
		zl_error_file(err, name_or_path);
	}
	zl_file_done(&f, mem);
	return rc;
}
