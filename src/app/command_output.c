/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands share in their answers.
 */
#include <string.h>

#include "commands.h"
#include "zonelab/text.h"

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

bool command_words_ok(
	const struct command_args *args, size_t least, size_t most, struct output *out)
{
	const struct command *c = args->command;

	if (args->nr_words > most) {
		(void)command_usage(out, "%s does not know what to do with '%s'; usage: %s %s",
			c->name, args->word[most], c->name, c->synopsis);
		return false;
	}
	if (args->nr_words < least) {
		(void)command_usage(
			out, "%s needs more; usage: %s %s", c->name, c->name, c->synopsis);
		return false;
	}
	return true;
}

struct zl_json *output_json(struct output *out, const char *kind)
{
	zl_json_free(out->json);
	out->json = zl_json_object();
	zl_json_add_string(out->json, "kind", kind);
	zl_json_add_int(out->json, "version", 1);
	return out->json;
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
			zl_json_add_string(o, "fix", d->mend);
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

void text_diags(struct zl_buf *b, const struct zl_diags *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct zl_diag *d = &diags->item[i];

		zl_buf_fmt(b, "%s: %s\n", zl_severity_name(d->severity), d->text);
		if (d->mend[0] != '\0') {
			zl_buf_fmt(b, "  %s\n", d->mend);
		}
	}
}
