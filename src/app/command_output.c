/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands share in their answers.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "table.h"
#include "word_meant.h"
#include "zonelab/text.h"

#define TEXT_COLUMNS 80
#define MAIL_COLUMNS 72
#define TAB_COLUMNS  8
#define DIAG_INDENT  2

enum exit_status command_usage(struct output *out, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	memset(&out->error, 0, sizeof(out->error));
	zl_text_init(&t, out->error.text, sizeof(out->error.text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

bool command_one_form(const char *what, struct output *out)
{
	if (out->format == FORMAT_TEXT || out->format == FORMAT_MAIL) {
		return true;
	}
	(void)command_usage(
		out, "the answer is %s; it has no other format, leave --json and --csv out", what);
	return false;
}

bool command_words_ok(
	const struct command_args *args, size_t least, size_t most, struct output *out)
{
	const struct command *c = args->command;
	char missing[48];

	if (args->nr_words > most && word_is_item(c, args->word[most], &out->error)) {
		return false;
	}
	if (args->nr_words > most) {
		(void)command_usage(out, "'%s' is one word too many; usage: %s %s",
			args->word[most], c->name, c->synopsis);
		return false;
	}
	if (args->nr_words < least) {
		word_missing(c, args->nr_words, missing, sizeof(missing));
		(void)command_usage(
			out, "%s is missing; usage: %s %s", missing, c->name, c->synopsis);
		return false;
	}
	return true;
}

int output_stream(struct output *out, const char *data, size_t n)
{
	if (out->stream != NULL) {
		int rc = out->stream(out->stream_user, data, n);

		if (rc < 0 && rc != -EPIPE && out->error.text[0] == '\0') {
			zl_error_set(&out->error, 0, 0,
				"standard output: cannot write: %s; another place, with room",
				strerror(-rc));
		}
		return rc;
	}
	zl_buf_mem(&out->text, data, n);
	return out->text.failed ? -ENOMEM : 0;
}

struct zl_json *output_json(struct output *out, const char *kind)
{
	zl_json_free(out->json);
	out->json = zl_json_object();
	zl_json_add_string(out->json, "kind", kind);
	zl_json_add_int(out->json, "version", 1);
	return out->json;
}

static const char *without_prefix(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) == 0 ? s + n : s;
}

void json_add_diags(struct zl_json *object, const struct zl_diags *diags)
{
	struct zl_json *list = zl_json_add_array(object, "diagnostics");

	for (size_t i = 0; i < diags->count; i++) {
		const struct zl_diag *d = &diags->item[i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "severity", zl_severity_name(d->severity));
		zl_json_add_string(o, "code", zl_diag_name(d->code));
		zl_json_add_string(o, "text", d->text);
		if (d->mend[0] != '\0') {
			zl_json_add_string(o, "fix", without_prefix(d->mend, "fix: "));
		}
	}
}

static void add_setting(struct zl_json *object, const struct zl_settings *s, enum zl_setting key)
{
	const struct zl_setting_info *info = zl_setting_info(key);
	const struct zl_setting_value *v = &s->value[key];
	char buf[ZL_CMDLINE_TEXT];

	if (!v->given) {
		zl_json_add_null(object, info->key);
		return;
	}
	switch (info->type) {
	case ZL_TYPE_BOOL:
		zl_json_add_bool(object, info->key, v->number != 0);
		break;
	case ZL_TYPE_COUNT:
	case ZL_TYPE_BYTES:
		zl_json_add_int(object, info->key, v->number);
		break;
	case ZL_TYPE_WORD:
	case ZL_TYPE_RELEASE:
	case ZL_TYPE_TEXT:
		zl_setting_format(s, key, buf, sizeof(buf));
		zl_json_add_string(object, info->key, buf);
		break;
	}
}

void json_add_settings(struct zl_json *object, const struct zl_settings *settings)
{
	struct zl_json *o = zl_json_add_object(object, "settings");

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		add_setting(o, settings, (enum zl_setting)i);
	}
}

void json_add_value(struct zl_json *object, const struct value_in *in, enum value_id id)
{
	const struct value_info *info = value_info(id);
	int64_t v = 0;

	if (!value_get(in, id, &v)) {
		zl_json_add_null(object, info->name);
	} else if (info->kind == VALUE_KIND_BOOL || info->kind == VALUE_KIND_YES) {
		zl_json_add_bool(object, info->name, v != 0);
	} else {
		zl_json_add_int(object, info->name, v);
	}
}

bool output_stopped(void *out)
{
	const struct output *o = out;

	return o->stop != NULL && o->stop(o->patience_user);
}

enum exit_status output_completed(struct output *out, bool complete)
{
	if (complete) {
		return EXIT_YES;
	}
	zl_error_set(
		&out->error, 0, 0, "stopped before its end; the answer is what it had by then");
	return EXIT_INTERRUPTED;
}

size_t output_columns(const struct output *out)
{
	return out->format == FORMAT_MAIL ? MAIL_COLUMNS : TEXT_COLUMNS;
}

/* One line, tabs gone. A fold stands two columns deeper than the line. */
static void fold_line(struct zl_buf *to, const char *s, size_t n)
{
	struct zl_buf line = {0};
	const char *text;
	size_t indent;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\t') {
			zl_buf_pad(&line, (zl_buf_column(&line) / TAB_COLUMNS + 1) * TAB_COLUMNS);
		} else {
			zl_buf_chr(&line, s[i]);
		}
	}
	text = zl_buf_text(&line);
	indent = strspn(text, " ");
	if (zl_buf_column(&line) <= MAIL_COLUMNS) {
		zl_buf_str(to, text);
		zl_buf_chr(to, '\n');
	} else {
		indent = indent < MAIL_COLUMNS / 2 ? indent : MAIL_COLUMNS / 2;
		zl_buf_pad(to, indent);
		text_wrap(to, indent + 2, MAIL_COLUMNS, text);
	}
	to->failed = to->failed || line.failed;
	zl_buf_done(&line);
}

static void fold_lines(struct zl_buf *to, const char *s)
{
	while (*s != '\0') {
		size_t n = strcspn(s, "\n");

		fold_line(to, s, n);
		s += n + (s[n] == '\n');
	}
}

void output_fold(struct output *out)
{
	struct zl_buf folded = {0};

	if (out->format != FORMAT_MAIL || out->verbatim || out->text.failed) {
		return;
	}
	fold_lines(&folded, zl_buf_text(&out->text));
	zl_buf_done(&out->text);
	out->text = folded;
}

int output_stream_lines(struct output *out, const char *data, size_t n)
{
	struct zl_buf folded = {0}, lines = {0};
	int rc = -ENOMEM;

	if (out->format != FORMAT_MAIL) {
		return output_stream(out, data, n);
	}
	zl_buf_mem(&lines, data, n);
	fold_lines(&folded, zl_buf_text(&lines));
	if (!lines.failed && !folded.failed) {
		rc = output_stream(out, zl_buf_text(&folded), folded.len);
	}
	zl_buf_done(&lines);
	zl_buf_done(&folded);
	return rc;
}

void output_wrap(struct output *out, size_t indent, const char *s)
{
	text_wrap(&out->text, indent, output_columns(out), s);
}

static void add_diag(struct output *out, const struct zl_diag *d)
{
	zl_buf_fmt(&out->text, "%s:", zl_severity_name(d->severity));
	output_wrap(out, DIAG_INDENT, d->text);
	if (d->mend[0] != '\0') {
		zl_buf_pad(&out->text, DIAG_INDENT);
		output_wrap(out, DIAG_INDENT, d->mend);
	}
}

void output_diags(struct output *out, const struct zl_diags *diags)
{
	/* Errors first, notes last. */
	for (unsigned s = ZL_SEVERITY_COUNT; s > (out->quiet ? 1U : 0U); s--) {
		for (size_t i = 0; i < diags->count; i++) {
			if ((unsigned)diags->item[i].severity == s - 1) {
				add_diag(out, &diags->item[i]);
			}
		}
	}
	if (diags->dropped > 0) {
		zl_buf_fmt(&out->text, "note: %U more findings\n", (uint64_t)diags->dropped);
	}
}

void output_machine(struct output *out, const struct lane *lane)
{
	const struct zl_machine *m = &lane->machine;
	struct value_in in = {.profile = &lane->profile, .machine = m, .zone = m->main_zone};
	char arch[ZL_SETTING_TEXT];
	char text[256];

	value_text(&in, VALUE_SETTING_BASE + ZL_SET_ARCH, arch, sizeof(arch));
	zl_format(text, sizeof(text), "%s %s, %Z pages, %Z, %u node%s, %u CPU%s", arch,
		m->release.display, m->geometry.page_size, m->memory, m->nodes,
		m->nodes == 1 ? "" : "s", m->cpus, m->cpus == 1 ? "" : "s");
	output_wrap(out, 0, text);
}
