/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `patch` as JSON. */
#include <string.h>

#include "commands.h"
#include "patch_report.h"

/* Null where there is no text. */
static void add_text(struct zl_json *o, const char *key, const char *s)
{
	if (s == NULL || s[0] == '\0') {
		zl_json_add_null(o, key);
	} else {
		zl_json_add_string(o, key, s);
	}
}

static void add_place(
	const struct patch_opened *p, const struct zl_bind_place *place, struct zl_json *o)
{
	zl_json_add_string(o, "file", zl_patch_source(&p->patches, place->patch->message));
	zl_json_add_int(o, "line", place->line);
	add_text(o, "path", place->file->path);
	zl_json_add_int(o, "kernel_line", place->kernel_line);
	add_text(o, "function", place->function);
}

static void add_patches(const struct patch_opened *p, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "patches");

	for (size_t i = 0; i < p->patches.nr_patches; i++) {
		const struct zl_patch *patch = &p->patches.patch[i];
		const struct zl_mail_subject *s = &patch->message->subject;
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "file", zl_patch_source(&p->patches, patch->message));
		zl_json_add_int(o, "line", patch->line);
		add_text(o, "subject", s->text);
		zl_json_add_int(o, "patch_version", s->version);
		zl_json_add_int(o, "part", s->part);
		zl_json_add_int(o, "parts", s->parts);
		zl_json_add_int(o, "quoted", patch->depth);
		zl_json_add_string(o, "use", zl_patch_use_name(patch->use));
	}
}

static void add_base(const struct patch_answer *a, struct zl_json *root)
{
	const struct zl_binding *b = &a->p->binding;
	struct zl_json *o = zl_json_add_object(root, "base");

	zl_json_add_string(o, "kernel", a->base.kernel);
	zl_json_add_bool(o, "given", a->base.given);
	zl_json_add_bool(o, "from_patch", a->base.from_patch);
	add_text(o, "from", b->base_from);
	add_text(o, "to", b->base_to);
	zl_json_add_bool(o, "certain",
		a->base.given || (b->base[0] != '\0' && !b->base_guessed &&
					 strcmp(b->base_from, b->base_to) == 0));
	add_text(o, "why", b->base_why);
}

static void add_changes(const struct patch_opened *p, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "changes");

	for (size_t i = 0; i < p->binding.nr_changes; i++) {
		const struct zl_change *c = &p->binding.change[i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "kind", zl_change_kind_name(c->kind));
		zl_json_add_string(o, "name", patch_change_name(c));
		add_place(p, &c->place, o);
		add_text(o, "old", c->old_code);
		add_text(o, "new", c->new_code);
		add_text(o, "before", c->before);
		add_text(o, "after", c->after);
		add_text(o, "rule_of", c->rule != NULL ? c->rule->when : "");
		add_text(o, "condition", c->condition);
		add_text(o, "note", c->note);
		zl_json_add_bool(o, "by_hand", c->by_hand);
	}
}

static void add_unbound(const struct patch_opened *p, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "not_modelled");

	for (size_t i = 0; i < p->binding.nr_unbound; i++) {
		const struct zl_unbound *u = &p->binding.unbound[i];
		struct zl_json *o = zl_json_push_object(list);

		add_place(p, &u->place, o);
		zl_json_add_int(o, "last_line", u->last_line);
		add_text(o, "old", u->old_code);
		add_text(o, "new", u->new_code);
		zl_json_add_string(o, "reason", u->reason);
	}
}

static void add_hunks(const struct patch_opened *p, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "damaged_hunks");

	struct patch_hunks walk = {.p = &p->patches};
	const struct zl_patch_hunk *h;

	while ((h = patch_next_damaged(&walk)) != NULL) {
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "file",
			zl_patch_source(&p->patches, p->patches.used[walk.patch]->message));
		zl_json_add_int(o, "line", h->line);
		zl_json_add_string(o, "text", patch_hunk_state(h));
	}
}

static void add_text_parts(const struct patch_opened *p, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "tables");
	struct patch_mention m[PATCH_MENTIONS];
	struct patch_row row[PATCH_ROWS];
	const char *other;
	uint32_t line = 0;
	size_t n;

	for (size_t i = 0; i < p->patches.nr_tables; i++) {
		const struct zl_patch_table *t = &p->patches.table[i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "file", zl_patch_source(&p->patches, t->message));
		zl_json_add_int(o, "line", t->message->line[t->first]);
		zl_json_add_int(o, "lines", (int64_t)t->count);
	}
	other = p->patches.nr_used == 0 ? patch_other_diff(p, &line) : NULL;
	if (other == NULL) {
		zl_json_add_null(root, "other_diff");
	} else {
		struct zl_json *o = zl_json_add_object(root, "other_diff");

		zl_json_add_int(o, "line", line);
		zl_json_add_string(o, "text", other);
	}
	list = zl_json_add_array(root, "mentions");
	n = p->patches.nr_used == 0 ? patch_mentions(p, m) : 0;
	for (size_t i = 0; i < n; i++) {
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "name", m[i].name);
		zl_json_add_string(o, "sentence", m[i].sentence);
	}
	list = zl_json_add_array(root, "cma_rows");
	n = patch_rows(p, row);
	for (size_t i = 0; i < n; i++) {
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_int(o, "page_size", (int64_t)row[i].page_size);
		zl_json_add_int(o, "max_page_order", row[i].max_order);
		zl_json_add_int(o, "pageblock_order", row[i].block_order);
		zl_json_add_int(o, "cma_min_alignment_bytes", (int64_t)row[i].alignment);
		zl_json_add_bool(o, "right", row[i].right);
	}
}

void patch_json(const struct patch_answer *a, struct output *out)
{
	struct zl_json *root = output_json(out, "patch");
	const struct zl_binding *b = &a->p->binding;
	struct zl_json *lanes;

	zl_json_add_string(root, "title", patch_title(a->p));
	zl_json_add_int(root, "modelled", (int64_t)b->nr_modelled);
	zl_json_add_int(root, "lines_changed", (int64_t)b->lines_changed);
	add_base(a, root);
	add_patches(a->p, root);
	add_changes(a->p, root);
	add_unbound(a->p, root);
	add_hunks(a->p, root);
	lanes = zl_json_add_array(root, "lanes");
	for (unsigned i = 0; i < 2; i++) {
		zl_json_push(lanes, lane_to_json(&a->lanes[i]));
	}
	add_text_parts(a->p, root);
}
