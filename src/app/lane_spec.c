/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lane_spec.h"

#include <errno.h>
#include <string.h>

#include "zonelab/release.h"
#include "zonelab/text.h"

#define POLICY_PREFIX "policy."
#define DEPTH_MAX     64

/* ---- building ---- */

static int too_long(struct zl_error *err)
{
	zl_error_set(err, 0, 0, "this lane is too long; at most %u items and %u characters",
		(unsigned)LANE_ITEMS, (unsigned)LANE_TEXT - 1);
	return -E2BIG;
}

/* Keeps a string; SIZE_MAX when there is no room. */
static size_t keep(struct lane_spec *s, const char *p, size_t n)
{
	size_t at = s->used;

	if (n + 1 > sizeof(s->text) - s->used) {
		return SIZE_MAX;
	}
	memcpy(&s->text[at], p, n);
	s->text[at + n] = '\0';
	s->used += n + 1;
	return at;
}

static int add_item(struct lane_spec *s, const struct lane_item *what, const char *key,
	const char *value, struct zl_error *err)
{
	size_t k = s->nr_items < LANE_ITEMS ? keep(s, key, strlen(key)) : SIZE_MAX;
	size_t v = k != SIZE_MAX ? keep(s, value, strlen(value)) : SIZE_MAX;

	if (v == SIZE_MAX) {
		return too_long(err);
	}
	s->item[s->nr_items] = *what;
	s->item[s->nr_items].key = (uint16_t)k;
	s->item[s->nr_items].value = (uint16_t)v;
	s->nr_items++;
	return 0;
}

static int take_name(struct lane_spec *s, const char *p, size_t n, struct zl_error *err)
{
	if (n == 0) {
		zl_error_set(err, 0, 1,
			"a lane begins with its name and a colon; for example new:kernel=6.18");
		return -EINVAL;
	}
	if (n >= sizeof(s->name)) {
		zl_error_set(err, 0, 1,
			"a lane's name has 1 to %u characters; for example "
			"new:kernel=6.18",
			(unsigned)sizeof(s->name) - 1);
		return -EINVAL;
	}
	/* An object may give a name that the text of a lane has no place for. */
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)p[i] <= ' ' || p[i] == 0x7f || strchr("=,:", p[i]) != NULL ||
			(i == 0 && p[i] == '{')) {
			zl_error_set(err, 0, (unsigned)i + 1,
				"a lane begins with its name and a colon; for example "
				"new:kernel=6.18");
			return -EINVAL;
		}
	}
	memcpy(s->name, p, n);
	s->name[n] = '\0';
	return 0;
}

/* ---- items ---- */

static char *trim(char *p)
{
	size_t n = strlen(p);

	while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t')) {
		p[--n] = '\0';
	}
	return p + strspn(p, " \t");
}

/* Whether a key can be written in the text of a lane: none has what that is quoted with. */
static bool is_key(const char *key)
{
	return key[0] != '\0' && strpbrk(key, "=,()[]\"\\") == NULL;
}

/* "policy.free_high" is a point; a comparison inside an expression is no assignment. */
static int take_item(struct lane_spec *s, char *text, unsigned column, struct zl_error *err)
{
	struct lane_item what = {.kind = LANE_SETTING, .column = (uint16_t)column};
	struct zl_release r;
	char *eq = strchr(text, '=');
	const char *key = text;
	char *value = eq != NULL ? eq + 1 : text;

	if (eq == NULL && zl_release_parse(text, &r) == 0) {
		return add_item(s, &what, "kernel", trim(text), err);
	}
	if (eq == NULL || text + strspn(text, " \t") == eq) {
		zl_error_set(err, 0, column,
			"%s%sis no item of a lane; KEY=VALUE, profile=NAME, "
			"policy.POINT=EXPRESSION, "
			"policy=NAME or a release",
			text, text[0] != '\0' ? " " : "nothing ");
		return -EINVAL;
	}
	*eq = '\0';
	key = trim(text);
	value = trim(value);
	if (!is_key(key)) {
		zl_error_set(err, 0, column, "%s is no key of a lane; KEY=VALUE", key);
		return -EINVAL;
	}
	if (strcmp(key, "profile") == 0) {
		what.kind = LANE_PROFILE;
		key = "";
	} else if (strcmp(key, "policy") == 0) {
		what.kind = LANE_POLICY;
		key = "";
	} else if (strncmp(key, POLICY_PREFIX, sizeof(POLICY_PREFIX) - 1) == 0) {
		what.kind = LANE_POINT;
		key += sizeof(POLICY_PREFIX) - 1;
		key += strspn(key, " \t");
		if (key[0] == '\0') {
			zl_error_set(
				err, 0, column, "policy. without a point; policy.POINT=EXPRESSION");
			return -EINVAL;
		}
	}
	return add_item(s, &what, key, value, err);
}

/* ---- splitting ---- */

struct splitter {
	const char *text;
	size_t at;
	char open[DEPTH_MAX]; /* brackets that are open, with their places */
	uint16_t place[DEPTH_MAX];
	unsigned depth;
	bool quoted;
	size_t quote;	      /* where it began */
	char item[LANE_TEXT]; /* without what quotes and escapes are written with */
	size_t len;
};

static int bracket(struct splitter *p, char c, struct zl_error *err)
{
	if (c == '(' || c == '[') {
		if (p->depth == DEPTH_MAX) {
			zl_error_set(err, 0, (unsigned)p->at + 1, "brackets are nested too deeply");
			return -EINVAL;
		}
		p->place[p->depth] = (uint16_t)p->at;
		p->open[p->depth++] = c;
	} else if (c == ')' || c == ']') {
		char want = c == ')' ? '(' : '[';

		if (p->depth == 0 || p->open[p->depth - 1] != want) {
			zl_error_set(err, 0, (unsigned)p->at + 1, "'%c' closes nothing", c);
			return -EINVAL;
		}
		p->depth--;
	}
	return 0;
}

/* Whether a backslash before @next is read as @next alone. */
static bool escapes(char next, bool quoted)
{
	return next == ',' || (quoted && (next == '"' || next == '\\'));
}

/* One character of an item; true at a comma that ends it. */
static int take_char(struct splitter *p, bool *ret_end, struct zl_error *err)
{
	char c = p->text[p->at];

	*ret_end = false;
	if (c == '\\' && escapes(p->text[p->at + 1], p->quoted)) {
		p->at++;
		p->item[p->len++] = p->text[p->at++];
		return 0;
	}
	if (c == '"') {
		p->quoted = !p->quoted;
		p->quote = p->at++;
		return 0;
	}
	if (!p->quoted) {
		if (c == ',' && p->depth == 0) {
			*ret_end = true;
			p->at++;
			return 0;
		}
		if (bracket(p, c, err) != 0) {
			return -EINVAL;
		}
	}
	p->item[p->len++] = c;
	p->at++;
	return 0;
}

static int next_item(struct splitter *p, unsigned *ret_column, struct zl_error *err)
{
	bool end = false;

	while (p->text[p->at] == ' ' || p->text[p->at] == '\t') {
		p->at++;
	}
	*ret_column = (unsigned)p->at + 1;
	p->len = 0;
	while (p->text[p->at] != '\0' && !end) {
		if (take_char(p, &end, err) != 0) {
			return -EINVAL;
		}
	}
	p->item[p->len] = '\0';
	if (p->quoted) {
		zl_error_set(err, 0, (unsigned)p->quote + 1, "this quote is not closed");
		return -EINVAL;
	}
	if (p->depth > 0) {
		zl_error_set(err, 0, p->place[p->depth - 1] + 1u, "'%c' is not closed",
			p->open[p->depth - 1]);
		return -EINVAL;
	}
	return end ? 1 : 0;
}

static int parse_text(const char *text, struct lane_spec *ret, struct zl_error *err)
{
	const char *colon = strchr(text, ':');
	struct splitter p = {.text = text};
	unsigned column = 0;
	int more = 1;
	int rc = take_name(ret, text, colon != NULL ? (size_t)(colon - text) : 0, err);

	if (rc != 0) {
		return rc;
	}
	p.at = (size_t)(colon - text) + 1;
	if (text[p.at] == '\0') { /* the machine as it is */
		return 0;
	}
	while (rc == 0 && more > 0) {
		more = next_item(&p, &column, err);
		rc = more < 0 ? more : take_item(ret, p.item, column, err);
	}
	return rc;
}

/* ---- JSON ---- */

static int json_value(const struct zl_json *j, char *buf, size_t size)
{
	int64_t n;
	bool b;

	if (zl_json_text(j) != NULL) {
		return zl_format(buf, size, "%s", zl_json_text(j)) + 1 < size ? 0 : -E2BIG;
	}
	if (zl_json_get_int(j, &n) == 0) {
		zl_format(buf, size, "%D", n);
		return 0;
	}
	if (zl_json_get_bool(j, &b) == 0) {
		zl_format(buf, size, "%b", (int)b);
		return 0;
	}
	return -EINVAL;
}

/* A key that means the same in the text of a lane: there "policy.NAME" is a point. */
static bool is_json_key(enum lane_item_kind kind, const char *key)
{
	const size_t n = strlen(key);

	return is_key(key) && strchr(" \t", key[0]) == NULL && strchr(" \t", key[n - 1]) == NULL &&
	       (kind != LANE_SETTING ||
		       (strcmp(key, "profile") != 0 && strcmp(key, "policy") != 0 &&
			       strncmp(key, POLICY_PREFIX, sizeof(POLICY_PREFIX) - 1) != 0));
}

static int json_member(struct lane_spec *s, enum lane_item_kind kind, const struct zl_json *j,
	struct zl_error *err)
{
	struct lane_item what = {.kind = kind};
	bool keyed = kind == LANE_SETTING || kind == LANE_POINT;
	char value[LANE_TEXT];

	if (zl_json_kind(j) == ZL_JSON_NULL) { /* not given */
		return 0;
	}
	if (keyed && !is_json_key(kind, zl_json_key(j))) {
		zl_error_set(err, 0, 0,
			"lane: '%s' is no key here; settings have keys of settings, policies names "
			"of points",
			zl_json_key(j));
		return -EINVAL;
	}
	if (json_value(j, value, sizeof(value)) != 0) {
		zl_error_set(
			err, 0, 0, "lane: %s is no string, number, true or false", zl_json_key(j));
		return -EINVAL;
	}
	return add_item(s, &what, keyed ? zl_json_key(j) : "", trim(value), err);
}

static int json_members(struct lane_spec *s, enum lane_item_kind kind, const struct zl_json *list,
	struct zl_error *err)
{
	int rc = 0;

	for (const struct zl_json *j = zl_json_first(list); j != NULL && rc == 0;
		j = zl_json_next(j)) {
		rc = json_member(s, kind, j, err);
	}
	return rc;
}

static int json_part(struct lane_spec *s, const struct zl_json *j, struct zl_error *err)
{
	const char *key = zl_json_key(j);
	enum zl_json_kind kind = zl_json_kind(j);

	if (strcmp(key, "name") == 0) {
		const char *name = zl_json_text(j);

		return take_name(s, name, name != NULL ? strlen(name) : 0, err);
	}
	if (strcmp(key, "profile") == 0) {
		return json_member(s, LANE_PROFILE, j, err);
	}
	if (strcmp(key, "policy") == 0) {
		return kind == ZL_JSON_ARRAY ? json_members(s, LANE_POLICY, j, err)
					     : json_member(s, LANE_POLICY, j, err);
	}
	if (strcmp(key, "settings") == 0 && kind == ZL_JSON_OBJECT) {
		return json_members(s, LANE_SETTING, j, err);
	}
	if (strcmp(key, "policies") == 0 && kind == ZL_JSON_OBJECT) {
		return json_members(s, LANE_POINT, j, err);
	}
	zl_error_set(err, 0, 0,
		"lane: %s is not known here; name, profile, settings {}, policies {}, policy", key);
	return -EINVAL;
}

int lane_from_json(const struct zl_json *o, struct lane_spec *ret, struct zl_error *err)
{
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	if (zl_json_kind(o) != ZL_JSON_OBJECT || zl_json_member(o, "name") == NULL) {
		zl_error_set(err, 0, 0, "a lane is an object with a name");
		return -EINVAL;
	}
	for (const struct zl_json *j = zl_json_first(o); j != NULL && rc == 0;
		j = zl_json_next(j)) {
		rc = json_part(ret, j, err);
	}
	return rc;
}

int lane_parse(const char *text, struct lane_spec *ret, struct zl_error *err)
{
	struct zl_json *o = NULL;
	size_t len = strlen(text);

	memset(ret, 0, sizeof(*ret));
	if (len >= LANE_TEXT) {
		return too_long(err);
	}
	if (text[0] != '{') {
		return parse_text(text, ret, err);
	}
	int rc = zl_json_parse(text, len, &o, err);
	rc = rc != 0 ? rc : lane_from_json(o, ret, err);
	zl_json_free(o);
	return rc;
}

static struct zl_json *part(struct zl_json *o, const char *key, struct zl_json **at)
{
	if (*at == NULL) {
		*at = zl_json_add_object(o, key);
	}
	return *at;
}

struct zl_json *lane_to_json(const struct lane_spec *s)
{
	struct zl_json *o = zl_json_object();
	struct zl_json *settings = NULL;
	struct zl_json *points = NULL;
	struct zl_json *policies = NULL;

	zl_json_add_string(o, "name", s->name);
	for (unsigned i = 0; i < s->nr_items; i++) {
		switch (s->item[i].kind) {
		case LANE_SETTING:
			zl_json_add_string(
				part(o, "settings", &settings), lane_key(s, i), lane_value(s, i));
			break;
		case LANE_PROFILE:
			zl_json_add_string(o, "profile", lane_value(s, i));
			break;
		case LANE_POINT:
			zl_json_add_string(
				part(o, "policies", &points), lane_key(s, i), lane_value(s, i));
			break;
		case LANE_POLICY:
			if (policies == NULL) {
				policies = zl_json_add_array(o, "policy");
			}
			zl_json_push_string(policies, lane_value(s, i));
			break;
		}
	}
	return o;
}

void lane_value_write(struct zl_text *t, const char *v)
{
	if (strpbrk(v, ",\"()[]\\") == NULL && v[0] != ' ') {
		zl_text_str(t, v);
		return;
	}
	zl_text_chr(t, '"');
	for (; *v != '\0'; v++) {
		if (*v == '"' || *v == '\\') {
			zl_text_chr(t, '\\');
		}
		zl_text_chr(t, *v);
	}
	zl_text_chr(t, '"');
}

size_t lane_format(const struct lane_spec *s, char *buf, size_t size)
{
	static const char *const before[] = {[LANE_SETTING] = "",
		[LANE_PROFILE] = "profile",
		[LANE_POINT] = POLICY_PREFIX,
		[LANE_POLICY] = "policy"};
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_fmt(&t, "%s:", s->name);
	for (unsigned i = 0; i < s->nr_items; i++) {
		zl_text_fmt(&t, "%s%s%s=", i > 0 ? "," : "", before[s->item[i].kind],
			s->item[i].kind == LANE_PROFILE || s->item[i].kind == LANE_POLICY
				? ""
				: lane_key(s, i));
		lane_value_write(&t, lane_value(s, i));
	}
	return t.len;
}

const char *lane_letter(unsigned i)
{
	static const char *const letters[] = {"A", "B", "C", "D"};

	return i < sizeof(letters) / sizeof(letters[0]) ? letters[i] : "?";
}
