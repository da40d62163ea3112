/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patch_open.h"

#include <errno.h>
#include <string.h>

#include "patch_condition.h"
#include "zonelab/buffer.h"
#include "zonelab/costs.h"
#include "zonelab/diag.h"
#include "zonelab/text.h"

/* --- by hand --- */

/* The file that "FILE:LINE" names; the first one for a line alone. Moves to the line. */
static bool find_source(const struct patch_opened *p, const char **at, unsigned *ret)
{
	*ret = 0;
	for (size_t i = 0; i < p->nr_files; i++) {
		size_t n = strlen(p->file[i].name);

		if (strncmp(*at, p->file[i].name, n) == 0 && (*at)[n] == ':') {
			*at += n + 1;
			*ret = (unsigned)i;
			return true;
		}
	}
	return **at >= '0' && **at <= '9';
}

/* "[FILE:]LINE=POINT[=EXPRESSION]" */
static int read_hand(const struct patch_opened *p, const char *text, struct zl_bind_hand *ret,
	struct zl_error *err)
{
	char number[16], name[64];
	const char *at = text, *equals;
	uint64_t line = 0;
	size_t n;

	memset(ret, 0, sizeof(*ret));
	if (!find_source(p, &at, &ret->source)) {
		zl_error_set(err, 0, 0,
			"--bind %s names no file that is read here; "
			"[FILE:]LINE=POINT or [FILE:]LINE=POINT=EXPRESSION",
			text);
		return -EINVAL;
	}
	n = strcspn(at, "=");
	zl_format(number, n + 1 < sizeof(number) ? n + 1 : sizeof(number), "%s", at);
	if (at[n] == '\0' || zl_parse_u64(number, &line) != 0 || line == 0 || line > UINT32_MAX) {
		zl_error_set(err, 0, 0, "--bind %s has no line; [FILE:]LINE=POINT", text);
		return -EINVAL;
	}
	at += n + 1;
	equals = strchr(at, '=');
	n = equals != NULL ? (size_t)(equals - at) : strlen(at);
	zl_format(name, n + 1 < sizeof(name) ? n + 1 : sizeof(name), "%s", at);
	ret->line = (uint32_t)line;
	ret->point = zl_point_find(name);
	ret->expression = equals != NULL ? equals + 1 : NULL;
	if (ret->point == ZL_POINT_COUNT) {
		const char *near = zl_point_nearest(name);

		zl_error_set(err, 0, 0, "there is no decision point '%s'%s%s", name,
			near != NULL ? "; did you mean " : "; see `zonelab list decision-points`",
			near != NULL ? near : "");
		return -EINVAL;
	}
	return 0;
}

static int read_hands(const struct patch_opened *p, const struct command_args *args,
	struct zl_bind_hands *ret, struct zl_error *err)
{
	int rc = 0;

	ret->count = 0;
	for (size_t i = 0; args != NULL && i < args->nr_options && rc == 0; i++) {
		if (strcmp(args->option[i].option->name, "--bind") != 0) {
			continue;
		}
		if (ret->count == ZL_BIND_HAND) {
			zl_error_set(err, 0, 0, "at most %d bindings by hand", ZL_BIND_HAND);
			return -E2BIG;
		}
		rc = read_hand(p, args->option[i].value, &ret->hand[ret->count++], err);
	}
	return rc;
}

/* --- opening --- */

static int load_files(struct patch_opened *p, const struct patch_want *want, struct zl_error *err)
{
	if (want->nr_paths > PATCH_FILES) {
		zl_error_set(
			err, 0, 0, "too many files; at most %d are read together", PATCH_FILES);
		return -E2BIG;
	}
	for (size_t i = 0; i < want->nr_paths; i++) {
		int rc = zl_file_load(want->path[i], ZL_MAIL_BYTES_MAX, p->mem, &p->file[i], err);

		if (rc != 0) {
			return rc;
		}
		p->nr_files = i + 1;
	}
	return 0;
}

/* The version that --take names; 0 = the newest. */
static int read_take(const struct command_args *args, unsigned *ret, struct zl_error *err)
{
	const char *take = args != NULL ? args_option(args, "--take") : NULL;
	uint64_t v = 0;

	if (take != NULL) {
		const char *digits = take[0] == 'v' || take[0] == 'V' ? take + 1 : take;

		if (zl_parse_u64(digits, &v) != 0 || v == 0 || v > 999) {
			zl_error_set(err, 0, 0,
				"--take %s is no version of a patch; for example v2", take);
			return -EINVAL;
		}
	}
	*ret = (unsigned)v;
	return 0;
}

static int read_and_bind(struct patch_opened *p, const struct command_args *args, unsigned version,
	struct zl_error *err)
{
	struct zl_patch_input in[PATCH_FILES];
	struct zl_patch_request request = {in, p->nr_files, version};
	struct zl_bind_hands hands;
	int rc;

	for (size_t i = 0; i < p->nr_files; i++) {
		in[i] = (struct zl_patch_input){p->file[i].name, p->file[i].data, p->file[i].size};
	}
	rc = zl_patches_read(&request, p->mem, &p->patches, err);
	rc = rc != 0 ? rc : read_hands(p, args, &hands, err);
	rc = rc != 0 ? rc : zl_bind(&p->patches, &hands, p->mem, &p->binding, err);
	return rc;
}

/* A constant of the cost estimate says nothing about a patch. */
static bool sets_cost(const struct zl_settings *s)
{
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		if (zl_settings_given(s, zl_cost_info((enum zl_cost)i)->setting)) {
			return true;
		}
	}
	return false;
}

static int take_after(struct patch_opened *p, const struct command_args *args, struct zl_error *err)
{
	for (size_t i = 0; args != NULL && i < args->nr_options; i++) {
		struct zl_settings s = {0};

		if (strcmp(args->option[i].option->name, "--after") != 0) {
			continue;
		}
		if (p->nr_after == PATCH_AFTER) {
			zl_error_set(
				err, 0, 0, "at most %d settings of the lane after", PATCH_AFTER);
			return -E2BIG;
		}
		if (zl_settings_assign(&s, args->option[i].value, ZL_ORIGIN_LANE, err) != 0) {
			zl_error_file(err, "--after");
			return -EINVAL;
		}
		if (sets_cost(&s)) {
			zl_error_set(err, 0, 0,
				"--after %s: costs are the machine's and the same before and "
				"after; "
				"--set %s",
				args->option[i].value, args->option[i].value);
			return -EINVAL;
		}
		p->after[p->nr_after++] = args->option[i].value;
	}
	return 0;
}

void patch_close(struct patch_answer *a)
{
	struct patch_opened *p = a->p;

	a->p = NULL;
	if (p == NULL) {
		return;
	}
	zl_bind_done(&p->binding);
	zl_patches_done(&p->patches);
	for (size_t i = 0; i < p->nr_files; i++) {
		zl_file_done(&p->file[i], p->mem);
	}
	p->mem->free(p->mem->user, p);
}

/* --- lanes --- */

static void find_base(const struct patch_opened *p, const struct lane *user, struct patch_base *ret)
{
	const struct zl_setting_value *v = &user->profile.settings.value[ZL_SET_KERNEL];
	struct zl_diags diags = {0};
	struct zl_release r;

	memset(ret, 0, sizeof(*ret));
	ret->given = v->given && v->origin >= ZL_ORIGIN_GIVEN;
	ret->from_patch = !ret->given && p->binding.base[0] != '\0';
	if (ret->from_patch) {
		zl_format(ret->kernel, sizeof(ret->kernel), "%s", p->binding.base);
	} else {
		zl_machine_setting(&user->profile, &user->machine, ZL_SET_KERNEL, ret->kernel,
			sizeof(ret->kernel));
	}
	if (zl_release_parse(ret->kernel, &r) == 0) {
		zl_switches_for(&r, &ret->switches, &diags);
	}
}

/* The first default whose condition holds is taken. */
static bool default_holds(const char *condition, const char *earlier, const struct zl_machine *m)
{
	return patch_condition(condition, m, NULL, 0) == PATCH_YES &&
	       (earlier[0] == '\0' || patch_condition(earlier, m, NULL, 0) != PATCH_YES);
}

/* Orders of exclusive symbols are one above what the setting says. */
static bool exclusive(enum zl_setting key, const struct zl_switches *sw)
{
	return key == ZL_SET_MAX_PAGE_ORDER &&
	       (sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER ||
		       sw->max_order == ZL_MAX_ORDER_ARCH_EXCLUSIVE);
}

static void write_items(const struct zl_bind_lane *lane, const struct patch_base *base,
	const struct zl_machine *m, struct zl_buf *b)
{
	if (base->from_patch) {
		zl_buf_fmt(b, "kernel=%s", base->kernel);
	}
	for (size_t i = 0; i < lane->count; i++) {
		const char *comma = b->len > 0 && b->data[b->len - 1] == ':' ? "" : ",";
		uint64_t v = 0;

		if (!default_holds(lane->item[i].condition, lane->item[i].earlier, m)) {
			continue;
		}
		zl_buf_str(b, comma);
		if (lane->item[i].setting == ZL_SETTING_COUNT) {
			zl_buf_fmt(b, "policy.%s=", zl_point_info(lane->item[i].point)->name);
			zl_buf_str(b, lane->item[i].value);
		} else {
			(void)zl_parse_u64(lane->item[i].value, &v);
			v -= exclusive(lane->item[i].setting, &base->switches) && v > 0 ? 1 : 0;
			zl_buf_fmt(b, "%s=%U", zl_setting_info(lane->item[i].setting)->key, v);
		}
	}
}

static const char *value_of(const char *assignment)
{
	return strchr(assignment, '=') + 1;
}

/* The value given for a symbol that the patch adds and the release lacks; NULL = none. */
static const char *new_block_order(const struct patch_opened *p, const struct patch_base *base)
{
	const char *ret = NULL;

	for (size_t i = 0; i < p->nr_after; i++) {
		struct zl_settings s = {0};

		(void)zl_settings_assign(&s, p->after[i], ZL_ORIGIN_LANE, NULL);
		if (zl_settings_given(&s, ZL_SET_PAGE_BLOCK_ORDER)) {
			ret = value_of(p->after[i]);
		}
	}
	return base->switches.page_block_symbol == ZL_BLOCK_SYMBOL_NONE ? ret : NULL;
}

/* Settings of the lane after. A new symbol has no setting: its value goes into the rules. */
static void write_after(
	const struct patch_opened *p, const struct patch_base *base, struct zl_buf *b)
{
	static const char symbol[] = "PAGE_BLOCK_MAX_ORDER";
	const char *order = new_block_order(p, base);
	struct zl_buf text = {0};

	for (const char *s = zl_buf_text(b); *s != '\0';) {
		if (order != NULL && strncmp(s, symbol, sizeof(symbol) - 1) == 0) {
			zl_buf_str(&text, order);
			s += sizeof(symbol) - 1;
		} else {
			zl_buf_chr(&text, *s++);
		}
	}
	for (size_t i = 0; i < p->nr_after; i++) {
		if (order == NULL || value_of(p->after[i]) != order) {
			zl_buf_str(
				&text, text.len > 0 && text.data[text.len - 1] == ':' ? "" : ",");
			zl_buf_str(&text, p->after[i]);
		}
	}
	text.failed = text.failed || b->failed;
	zl_buf_done(b);
	*b = text;
}

int patch_lanes(const struct patch_opened *p, const struct patch_base *base,
	const struct zl_machine *machine, struct lane_spec ret[2], struct zl_error *err)
{
	static const char *const names[2] = {"before:", "after:"};
	struct zl_bind_lane lane[2];
	int rc = 0;

	zl_bind_lanes(&p->binding, &base->switches, &lane[0], &lane[1]);
	for (unsigned i = 0; i < 2 && rc == 0; i++) {
		struct zl_buf b = {0};

		zl_buf_str(&b, names[i]);
		write_items(&lane[i], base, machine, &b);
		if (i == 1) {
			write_after(p, base, &b);
		}
		if (b.failed) {
			zl_error_set(err, 0, 0, "no memory for a lane");
			rc = -ENOMEM;
		} else {
			rc = lane_parse(zl_buf_text(&b), &ret[i], err);
		}
		zl_buf_done(&b);
	}
	return rc;
}

bool patch_changes_lanes(const struct lane_spec lanes[2])
{
	char text[2][LANE_TEXT];

	lane_format(&lanes[0], text[0], sizeof(text[0]));
	lane_format(&lanes[1], text[1], sizeof(text[1]));
	return strcmp(strchr(text[0], ':'), strchr(text[1], ':')) != 0;
}

/* --- answers --- */

int patch_open(const struct patch_want *want, const struct lane *user,
	const struct zl_allocator *mem, struct patch_answer *ret, struct zl_error *err)
{
	struct patch_opened *p;
	unsigned version;

	memset(ret, 0, sizeof(*ret));
	int rc = read_take(want->args, &version, err);
	if (rc != 0) {
		return rc;
	}
	ret->p = p = mem->realloc(mem->user, NULL, sizeof(*p));
	if (p == NULL) {
		zl_error_set(err, 0, 0, "no memory for a patch");
		return -ENOMEM;
	}
	memset(p, 0, sizeof(*p));
	p->mem = mem;
	ret->machine = &user->machine;
	rc = load_files(p, want, err);
	rc = rc != 0 ? rc : read_and_bind(p, want->args, version, err);
	rc = rc != 0 ? rc : take_after(p, want->args, err);
	if (rc == 0) {
		find_base(p, user, &ret->base);
		rc = patch_lanes(p, &ret->base, ret->machine, ret->lanes, err);
	}
	return rc;
}
