/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenario files: the top of the tree, and where scenarios come from. */
#include "zonelab/scenario_file.h"

#include <errno.h>
#include <string.h>

#include "scenario_read.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/profile_json.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define PAGES_MAX (INT64_C(1) << 40)

static int read_seed(struct reading *r, const struct zl_json *root)
{
	const struct zl_json *j = zl_json_member(root, "seed");
	int64_t v = 1;

	if (zl_json_text(j) != NULL) {
		if (zl_parse_u64(zl_json_text(j), &r->s->seed) == 0) {
			return 0;
		}
		return reading_fail(r, j, "'%s' is no seed; a whole number", zl_json_text(j));
	}
	if (zl_json_kind(j) == ZL_JSON_NUMBER && zl_json_get_int(j, &v) != 0) {
		return reading_no_integer(r, j, "a whole number; larger ones as a string \"N\"");
	}
	if (j != NULL && (zl_json_get_int(j, &v) != 0 || v < 0)) {
		return reading_fail(r, j, "no seed; a whole number");
	}
	r->s->seed = (uint64_t)v;
	return 0;
}

static int read_setting(struct reading *r, const struct zl_json *j)
{
	enum zl_setting key = zl_setting_find(zl_json_key(j));
	char typed[ZL_CMDLINE_TEXT];
	struct zl_error why = {0};

	if (key == ZL_SETTING_COUNT) {
		const char *near = zl_setting_nearest(zl_json_key(j));

		return reading_fail(r, j, "there is no setting '%s'%s%s", zl_json_key(j),
			near != NULL ? "; did you mean " : "", near != NULL ? near : "");
	}
	if (!zl_setting_from_json(key, j, typed)) {
		return reading_fail(r, j, "%s; a value as it is typed behind the key",
			zl_json_kind_name(zl_json_kind(j)));
	}
	if (zl_settings_set(&r->s->settings, key, typed, ZL_ORIGIN_SCENARIO, &why) != 0) {
		return reading_fail(r, j, "%s", why.text);
	}
	return 0;
}

static int read_policies(struct reading *r, const struct zl_json *j)
{
	struct zl_error why = {0};
	int rc = zl_policies_from_json(&r->s->policies, j, ZL_ORIGIN_SCENARIO, r->mem, &why);

	return rc == -EINVAL ? reading_fail(r, j, "%s", why.text) : rc;
}

static int read_machine(struct reading *r, const struct zl_json *root)
{
	const struct zl_json *m = zl_json_member(root, "machine");
	size_t mark = reading_key(r, "machine");
	int rc = 0;

	if (m != NULL && zl_json_kind(m) != ZL_JSON_OBJECT) {
		rc = reading_fail(r, m, "no object of settings {}");
	}
	for (const struct zl_json *c = zl_json_first(m); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		size_t inner = reading_key(r, zl_json_key(c));

		rc = strcmp(zl_json_key(c), "policies") == 0 ? read_policies(r, c)
							     : read_setting(r, c);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

/* Bytes, with units if wanted. */
static int read_cma(struct reading *r, const struct zl_json *j, struct zl_scenario_zone *z)
{
	const struct zl_json *m = zl_json_member(j, "cma");
	size_t mark = reading_key(r, "cma");
	int rc = m == NULL ? 0 : reading_constant(r, m, &z->cma);

	if (rc == 0 && m != NULL && z->cma < 0) {
		rc = reading_fail(r, m, "%D bytes are impossible", z->cma);
	}
	reading_up(r, mark);
	return rc;
}

/* Every zone of the machine: what one zone alone may have is not given then. */
static int read_all_zones(struct reading *r, const struct zl_json *j, struct zl_scenario_zone *z)
{
	const struct reading_limits pages = {0, ZL_OP_BULK_MAX};
	bool watermarks = true;
	bool one = z->node >= 0 || z->name[0] != '\0' || z->remote || z->pages >= 0 ||
		   z->managed >= 0 || z->wmark_min >= 0 || z->wmark_low >= 0 || z->wmark_high >= 0;
	int rc = reading_bool(r, j, "all", &z->all);

	rc = rc != 0 ? rc : reading_bool(r, j, "watermarks", &watermarks);
	rc = rc != 0 ? rc : reading_number(r, j, "direct_reclaim", &pages, &z->direct_reclaim);
	z->no_watermarks = !watermarks;
	if (rc == 0 && z->all && one) {
		rc = reading_fail(r, j,
			"with all zones none has figures of its own; they follow "
			"from the machine");
	}
	if (rc == 0 && !z->all && (z->no_watermarks || z->direct_reclaim >= 0)) {
		rc = reading_fail(r, j, "watermarks and direct_reclaim need \"all\": true");
	}
	return rc;
}

static int read_zone(struct reading *r, const struct zl_json *root)
{
	static const char *const keys[] = {"node", "name", "remote", "pages", "managed",
		"wmark_min", "wmark_low", "wmark_high", "all", "watermarks", "direct_reclaim",
		"cma", NULL};
	const struct reading_limits node = {0, 63};
	const struct reading_limits pages = {1, PAGES_MAX};
	const struct reading_limits marks = {0, INT32_MAX};
	struct zl_scenario_zone *z = &r->s->zone;
	const struct zl_json *j = zl_json_member(root, "zone");
	size_t mark = reading_key(r, "zone");
	int rc = j != NULL ? reading_object(r, j, keys) : 0;

	rc = rc != 0 ? rc : reading_number(r, j, "node", &node, &z->node);
	rc = rc != 0 ? rc : reading_string(r, j, "name", z->name, sizeof(z->name));
	rc = rc != 0 ? rc : reading_bool(r, j, "remote", &z->remote);
	rc = rc != 0 ? rc : reading_number(r, j, "pages", &pages, &z->pages);
	rc = rc != 0 ? rc : reading_number(r, j, "managed", &pages, &z->managed);
	rc = rc != 0 ? rc : reading_number(r, j, "wmark_min", &marks, &z->wmark_min);
	rc = rc != 0 ? rc : reading_number(r, j, "wmark_low", &marks, &z->wmark_low);
	rc = rc != 0 ? rc : reading_number(r, j, "wmark_high", &marks, &z->wmark_high);
	rc = rc != 0 ? rc : read_cma(r, j, z);
	rc = rc != 0 ? rc : read_all_zones(r, j, z);
	if (j != NULL) {
		struct json_place at = json_place(&r->places, j);

		z->place = (struct zl_place){at.line, at.column};
	}
	reading_up(r, mark);
	return rc;
}

static int add_name(struct reading *r, const struct zl_json *j, bool parameter)
{
	static const char *const taken[] = {"cpu", "cpus", "pass", NULL};
	struct zl_scenario *s = r->s;
	struct zl_scenario_name n = {.parameter = parameter};
	int rc = reading_name(r, j, zl_json_key(j), n.name);

	for (size_t i = 0; rc == 0 && taken[i] != NULL; i++) {
		if (strcmp(taken[i], n.name) == 0) {
			rc = reading_fail(r, j, "the name '%s' has a meaning already", n.name);
		}
	}
	for (uint32_t i = 0; rc == 0 && i < s->nr_names; i++) {
		if (strcmp(s->names[i].name, n.name) == 0) {
			rc = reading_fail(r, j, "the name '%s' is declared twice", n.name);
		}
	}
	if (rc == 0 && s->nr_names == ZL_SCENARIO_NAMES_MAX) {
		rc = reading_fail(r, j, "too many names; at most %d", ZL_SCENARIO_NAMES_MAX);
	}
	rc = rc != 0 ? rc : reading_constant(r, j, &n.value);
	if (rc == 0) {
		s->names[s->nr_names++] = n;
	}
	return rc;
}

static int add_short(struct reading *r, const struct zl_json *j)
{
	const char *words[ZL_SCENARIO_NAMES_MAX + 1];
	struct zl_scenario *s = r->s;
	size_t n = 0;

	for (uint32_t i = 0; i < s->nr_names; i++) {
		if (s->names[i].parameter) {
			words[n++] = s->names[i].name;
		}
		if (s->names[i].parameter && strcmp(s->names[i].name, zl_json_key(j)) == 0) {
			s->names[i].short_given = true;
			return reading_constant(r, j, &s->names[i].short_value);
		}
	}
	words[n] = NULL;
	const char *near = reading_nearest(zl_json_key(j), words);
	return reading_fail(r, j, "there is no parameter '%s'%s%s", zl_json_key(j),
		near != NULL ? "; did you mean " : "", near != NULL ? near : "");
}

static int add_store(struct reading *r, const struct zl_json *j, bool queue)
{
	static const char *const pool_keys[] = {"hold", "hold_allocs", "link", NULL};
	static const char *const queue_keys[] = {"capacity", NULL};
	const struct reading_limits limits = {1, 1 << 24};
	struct zl_scenario *s = r->s;
	struct zl_scenario_store st = {
		.queue = queue, .hold = ZL_NONE, .hold_allocs = ZL_NONE, .link = ZL_NONE};
	int64_t capacity = 0;
	int rc = reading_name(r, j, zl_json_key(j), st.name);

	for (uint32_t i = 0; rc == 0 && i < s->nr_stores; i++) {
		if (strcmp(s->store[i].name, st.name) == 0) {
			rc = reading_fail(r, j, "'%s' is declared already", st.name);
		}
	}
	if (rc == 0 && s->nr_stores == ZL_SCENARIO_STORES_MAX) {
		rc = reading_fail(
			r, j, "too many pools and queues; at most %d", ZL_SCENARIO_STORES_MAX - 1);
	}
	rc = rc != 0 ? rc : reading_object(r, j, queue ? queue_keys : pool_keys);
	rc = rc != 0 ? rc : reading_number(r, j, "capacity", &limits, &capacity);
	if (rc == 0 && queue && capacity == 0) {
		rc = reading_fail(r, j, "the key 'capacity' is missing; blocks that fit the queue");
	}
	rc = rc != 0 ? rc : reading_value_member(r, j, "hold", &st.hold);
	rc = rc != 0 ? rc : reading_value_member(r, j, "hold_allocs", &st.hold_allocs);
	rc = rc != 0 ? rc : reading_value_member(r, j, "link", &st.link);
	if (rc == 0 && st.link != ZL_NONE && (st.hold != ZL_NONE || st.hold_allocs != ZL_NONE)) {
		rc = reading_fail(r, j, "a pool with a link cannot hold its blocks besides");
	}
	if (rc == 0 && st.hold != ZL_NONE && st.hold_allocs != ZL_NONE) {
		rc = reading_fail(r, j, "either 'hold' or 'hold_allocs', not both");
	}
	st.capacity = (uint32_t)capacity;
	if (rc == 0) {
		s->store[s->nr_stores++] = st;
	}
	return rc;
}

static int add_parameter(struct reading *r, const struct zl_json *j)
{
	return add_name(r, j, true);
}

static int add_variable(struct reading *r, const struct zl_json *j)
{
	return add_name(r, j, false);
}

static int add_pool(struct reading *r, const struct zl_json *j)
{
	return add_store(r, j, false);
}

static int add_queue(struct reading *r, const struct zl_json *j)
{
	return add_store(r, j, true);
}

/* Every member of an object that declares things. */
static int read_members(struct reading *r, const struct zl_json *root, const char *key,
	int (*read)(struct reading *r, const struct zl_json *j))
{
	const struct zl_json *object = zl_json_member(root, key);
	size_t mark = reading_key(r, key);
	int rc = 0;

	if (object != NULL && zl_json_kind(object) != ZL_JSON_OBJECT) {
		rc = reading_fail(r, object, "no object {}");
	}
	for (const struct zl_json *c = zl_json_first(object); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		size_t inner = reading_key(r, zl_json_key(c));

		rc = read(r, c);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

/* What says that a file is a scenario, and which. */
static int read_kind(struct reading *r, const struct zl_json *root)
{
	const struct zl_json *kind = zl_json_member(root, "kind");
	const struct zl_json *version = zl_json_member(root, "version");
	int64_t number = 0;

	if (kind == NULL || zl_json_text(kind) == NULL ||
		strcmp(zl_json_text(kind), "scenario") != 0) {
		return reading_fail(r, kind != NULL ? kind : root,
			"no scenario; \"kind\": \"scenario\" is %s",
			kind != NULL ? "needed" : "missing");
	}
	if (zl_json_get_int(version, &number) != 0 || number != 1) {
		return reading_fail(
			r, version != NULL ? version : root, "\"version\": 1 is needed");
	}
	return zl_json_member(root, "name") != NULL
		       ? 0
		       : reading_fail(r, root, "the key 'name' is missing");
}

static int read_head(struct reading *r, const struct zl_json *root)
{
	struct zl_scenario *s = r->s;
	int rc = reading_string(r, root, "name", s->name, sizeof(s->name));

	if (rc == 0 && s->name[0] == '\0' && zl_json_member(root, "name") != NULL) {
		rc = reading_fail(r, root, "the key 'name' is empty");
	}
	rc = rc != 0 ? rc : reading_string(r, root, "title", s->title, sizeof(s->title));
	rc = rc != 0 ? rc : reading_string(r, root, "profile", s->profile, sizeof(s->profile));
	rc = rc != 0 ? rc : reading_text(r, root, "question", &s->question);
	rc = rc != 0 ? rc : reading_text(r, root, "source", &s->source);
	rc = rc != 0 ? rc : reading_text(r, root, "about", &s->about);
	return rc != 0 ? rc : read_seed(r, root);
}

/* What was published: lanes, and what was said about each. */
static int read_reported(struct reading *r, const struct zl_json *list)
{
	static const char *const keys[] = {"lane", "text", NULL};
	struct reading_array_of array = {
		(void **)&r->s->reported, &r->s->nr_reported, sizeof(*r->s->reported)};
	size_t mark = reading_key(r, "reported");
	size_t i = 0;
	int rc = list != NULL ? reading_array(r, list) : 0;

	for (const struct zl_json *j = zl_json_first(list); rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		struct zl_scenario_reported what = {ZL_NONE, ZL_NONE};
		size_t inner = reading_index(r, i++);
		uint32_t index;

		rc = reading_object(r, j, keys);
		rc = rc != 0 ? rc : reading_text(r, j, "lane", &what.lane);
		rc = rc != 0 ? rc : reading_text(r, j, "text", &what.text);
		if (rc == 0 && (what.lane == ZL_NONE || what.text == ZL_NONE)) {
			rc = reading_fail(r, j, "a lane and a text are needed");
		}
		rc = rc != 0 ? rc : reading_push(r, array, &what, &index);
		reading_up(r, inner);
	}
	reading_up(r, mark);
	return rc;
}

int reading_scenario(struct reading *r, const struct zl_json *root)
{
	static const char *const keys[] = {"kind", "version", "name", "title", "question", "source",
		"about", "seed", "profile", "machine", "zone", "parameters", "short", "variables",
		"pools", "queues", "phases", "programs", "ops", "turn", "tick_every", "captions",
		"breakpoints", "assert", "reported", NULL};
	static const char *const one_phase[] = {"programs", "ops", "turn", "tick_every", NULL};
	int rc = reading_object(r, root, keys);

	for (size_t i = 0; rc == 0 && one_phase[i] != NULL; i++) {
		const struct zl_json *j = zl_json_member(root, one_phase[i]);

		if (j != NULL && zl_json_member(root, "phases") != NULL) {
			rc = reading_fail(r, j, "'%s' stands inside a phase here", one_phase[i]);
		}
	}
	rc = rc != 0 || r->inside ? rc : read_kind(r, root);
	rc = rc != 0 ? rc : read_head(r, root);
	rc = rc != 0 ? rc : read_machine(r, root);
	rc = rc != 0 ? rc : read_zone(r, root);
	rc = rc != 0 ? rc : read_members(r, root, "parameters", add_parameter);
	rc = rc != 0 ? rc : read_members(r, root, "short", add_short);
	rc = rc != 0 ? rc : read_members(r, root, "variables", add_variable);
	rc = rc != 0 ? rc : read_members(r, root, "pools", add_pool);
	rc = rc != 0 ? rc : read_members(r, root, "queues", add_queue);
	rc = rc != 0 ? rc : reading_phases(r, root);
	rc = rc != 0 ? rc : reading_asserts(r, zl_json_member(root, "assert"), ZL_NONE);
	rc = rc != 0 ? rc : read_reported(r, zl_json_member(root, "reported"));
	return rc != 0 ? rc : reading_marks(r, root);
}

int zl_scenario_parse(const char *text, size_t size, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err)
{
	struct reading r = {.s = ret, .mem = mem, .err = err};
	struct zl_json *root = NULL;
	int rc;

	zl_scenario_init(ret, mem);
	if (size > ZL_SCENARIO_FILE_MAX) {
		zl_error_set(err, 0, 0, "the scenario is above 16 MiB; split it");
		return -E2BIG;
	}
	rc = zl_json_parse(text, size, &root, err);
	if (rc == 0) {
		rc = json_places_init(&r.places, text, size, root, mem);
		rc = rc != 0 ? reading_no_memory(&r) : reading_scenario(&r, root);
	}
	json_places_done(&r.places, mem);
	zl_json_free(root);
	if (rc != 0) {
		zl_scenario_done(ret);
	}
	return rc;
}

const char *zl_shipped_scenario_default(void)
{
	return "iperf";
}

const char *zl_shipped_scenario_anywhere(void)
{
	return "frees";
}

int zl_scenario_open(const char *name_or_path, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err)
{
	struct zl_file f = {0};
	int rc = zl_shipped_load(ZL_SHIPPED_SCENARIOS, name_or_path, mem, &f, err);

	memset(ret, 0, sizeof(*ret));
	rc = rc != 0 ? rc : zl_scenario_parse(f.data, f.size, mem, ret, err);
	if (rc != 0) {
		zl_error_file(err, name_or_path);
	}
	zl_file_done(&f, mem);
	return rc;
}
