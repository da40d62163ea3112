/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `patch` as text and mail. */
#include "patch_report.h"

#include <string.h>

#include "commands.h"
#include "patch_condition.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT	2
#define DEEPER	10
#define DEEPEST 13

const char *patch_change_name(const struct zl_change *c)
{
	if (c->point != ZL_POINT_COUNT) {
		return zl_point_info(c->point)->name;
	}
	return c->setting != ZL_SETTING_COUNT ? zl_setting_info(c->setting)->key : "";
}

const char *patch_title(const struct patch_opened *p)
{
	const struct zl_patches *all = &p->patches;

	if (all->nr_used > 0 && all->used[0]->message->subject.text[0] != '\0') {
		return all->used[0]->message->subject.text;
	}
	if (all->nr_used == 0 && all->nr_mails > 0 && all->mail[0].nr_messages > 0 &&
		all->mail[0].message[0].subject.text[0] != '\0') {
		return all->mail[0].message[0].subject.text;
	}
	const char *name = p->nr_files > 0 ? p->file[0].name : "";
	const char *slash = strrchr(name, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : name;
}

/* Wraps behind a label; later lines stand under the text. */
static void labelled(struct output *out, const char *label, const char *text)
{
	size_t column = strlen(label) + INDENT < DEEPER ? DEEPER : DEEPEST;

	zl_buf_pad(&out->text, INDENT);
	zl_buf_fmt(&out->text, "%s", label);
	zl_buf_pad(&out->text, column);
	output_wrap(out, column, text);
}

/* --- which patches --- */

static void print_patch(const struct patch_answer *a, const struct zl_patch *p, struct output *out)
{
	const struct zl_mail_subject *s = &p->message->subject;
	char text[512], version[16] = "", label[32];

	if (s->patch || s->version > 1) {
		zl_format(version, sizeof(version), "v%u", s->version);
	}
	if (s->parts > 0) {
		zl_format(text, sizeof(text), "%s %u/%u", version, s->part, s->parts);
		zl_format(version, sizeof(version), "%s", text);
	}
	zl_format(text, sizeof(text), "%s%s%s%sline %u%s: %s", version,
		version[0] != '\0' ? ", " : "",
		a->p->nr_files > 1 ? zl_patch_source(&a->p->patches, p->message) : "",
		a->p->nr_files > 1 ? ", " : "", p->line, p->depth > 0 ? ", quoted" : "",
		s->text[0] != '\0' ? s->text + s->stem
		: p->nr_files > 0  ? p->files[0].path
				   : "");
	zl_format(label, sizeof(label), "%s          ", zl_patch_use_name(p->use));
	label[DEEPEST - INDENT - 1] = '\0';
	labelled(out, label, text);
}

/* More than one diff: which of them count. */
static void print_patches(const struct patch_answer *a, struct output *out)
{
	const struct zl_patches *p = &a->p->patches;

	output_wrap(out, INDENT, patch_title(a->p));
	if (p->nr_patches < 2) {
		return;
	}
	for (size_t i = 0; i < p->nr_patches; i++) {
		print_patch(a, &p->patch[i], out);
	}
}

static void print_base(const struct patch_answer *a, struct output *out)
{
	const struct zl_binding *b = &a->p->binding;
	char text[512];

	if (b->nr_changes == 0) {
		return;
	}
	if (a->base.given) {
		zl_format(text, sizeof(text), "%s, as given%s%s", a->base.kernel,
			b->base[0] != '\0' ? "; the patch itself is for " : "", b->base);
	} else if (a->base.from_patch) {
		zl_format(text, sizeof(text), "%s, %s", a->base.kernel, b->base_why);
	} else {
		zl_format(text, sizeof(text), "%s, the machine's; %s", a->base.kernel, b->base_why);
	}
	zl_buf_str(&out->text, "Base:");
	output_wrap(out, INDENT, text);
}

/* --- changes --- */

static void place_text(
	const struct patch_opened *p, const struct zl_bind_place *place, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (p->nr_files > 1) {
		zl_text_fmt(&t, "%s ", zl_patch_source(&p->patches, place->patch->message));
	}
	zl_text_fmt(&t, "line %u", place->line);
	if (place->file->path[0] != '\0') {
		zl_text_fmt(&t, ", %s:%u", place->file->path, place->kernel_line);
	}
	if (place->function[0] != '\0') {
		zl_text_fmt(&t, ", %s", place->function);
	}
}

/* The condition of a default, and whether it holds on the machine. */
static void print_condition(
	const struct zl_change *c, const struct zl_machine *machine, struct output *out)
{
	char text[512], tail[600], unknown[80];
	enum patch_truth t = patch_condition(c->condition, machine, unknown, sizeof(unknown));
	enum patch_truth earlier =
		c->earlier[0] != '\0' ? patch_condition(c->earlier, machine, NULL, 0) : PATCH_NO;

	if (machine == NULL) { /* a review: several machines */
		zl_format(text, sizeof(text), "%s; each machine by itself", c->condition);
		labelled(out, "if", text);
		return;
	}
	if (c->condition[0] != '\0' || t == PATCH_UNKNOWN) {
		zl_format(text, sizeof(text), "%s; %s", c->condition,
			t == PATCH_YES	? "so on this machine"
			: t == PATCH_NO ? "not so on this machine"
					: unknown);
		zl_format(tail, sizeof(tail), "%s%s", text,
			t == PATCH_UNKNOWN ? " is no setting here, so it is not taken" : "");
		labelled(out, "if", tail);
	}
	if (t != PATCH_NO && earlier == PATCH_YES && strcmp(c->earlier, "y") != 0) {
		zl_format(text, sizeof(text), "%s: so on this machine, and that default is taken",
			c->earlier);
		labelled(out, "unless", text);
	}
}

static void print_values(
	const struct zl_change *c, const struct zl_machine *machine, struct output *out)
{
	if (c->old_code[0] != '\0') {
		labelled(out, "before", c->old_code);
	}
	labelled(out, "after", c->new_code[0] != '\0' ? c->new_code : "(gone)");
	if (c->condition[0] != '\0' || (machine != NULL && c->earlier[0] != '\0')) {
		print_condition(c, machine, out);
	}
	if (c->kind == ZL_CHANGE_RULE && c->before != NULL) {
		labelled(out, "old rule", c->before);
	}
	if (c->kind == ZL_CHANGE_RULE) {
		labelled(out, "rule", c->after);
	}
}

/* Functions that use the constant; those that the patch leaves alone keep it. */
static void print_kept(const struct zl_binding *b, const char *name, struct output *out)
{
	static const char *const users[] = {
		"decay_pcp_high", "drain_pages_zone", "nr_pcp_free", "nr_pcp_high", "nr_pcp_alloc"};
	char text[256];
	struct zl_text t;
	unsigned n = 0;

	zl_text_init(&t, text, sizeof(text));
	for (size_t k = 0; k < sizeof(users) / sizeof(users[0]); k++) {
		bool changed = false;

		for (size_t i = 0; i < b->nr_changes; i++) {
			changed = changed ||
				  (b->change[i].kind == ZL_CHANGE_VARIABLE &&
					  strcmp(b->change[i].note, name) == 0 &&
					  strcmp(b->change[i].place.function, users[k]) == 0);
		}
		if (!changed) {
			zl_text_fmt(&t, "%s%s", n++ > 0 ? ", " : "", users[k]);
		}
	}
	if (n > 0) {
		zl_text_str(&t, " keep the constant, which the model cannot tell apart");
		labelled(out, "but", text);
	}
}

static void print_note(const struct zl_change *c, struct output *out)
{
	char text[512];

	if (c->kind == ZL_CHANGE_VARIABLE) {
		zl_format(text, sizeof(text),
			"the constant becomes the variable %s%s%s; pcp_batch_scale_max is its "
			"value",
			c->note,
			c->after != NULL ? ", which begins as " : ", with the same default",
			c->after != NULL ? c->after : "");
		labelled(out, "note", text);
	} else if (c->note[0] != '\0') {
		labelled(out, "note", c->note);
	}
}

/* Uses of one variable stand together. */
static bool is_repeat(const struct zl_binding *b, size_t i)
{
	return i > 0 && b->change[i].kind == ZL_CHANGE_VARIABLE &&
	       b->change[i - 1].kind == ZL_CHANGE_VARIABLE &&
	       strcmp(b->change[i].note, b->change[i - 1].note) == 0;
}

static void print_change(const struct patch_answer *a, size_t i, struct output *out)
{
	const struct zl_change *c = &a->p->binding.change[i];
	char text[512], place[400];

	place_text(a->p, &c->place, place, sizeof(place));
	if (is_repeat(&a->p->binding, i)) {
		labelled(out, "and", place);
		return;
	}
	zl_format(text, sizeof(text), "%s (%s): %s", patch_change_name(c),
		c->by_hand ? "by hand" : zl_change_kind_name(c->kind), place);
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, INDENT, text);
	if (c->kind == ZL_CHANGE_SAME) {
		labelled(out, "same", c->note);
		return;
	}
	print_values(c, a->machine, out);
	print_note(c, out);
	if (c->kind == ZL_CHANGE_VARIABLE) {
		print_kept(&a->p->binding, c->note, out);
	}
}

static void print_unbound(
	const struct patch_answer *a, const struct zl_unbound *u, struct output *out)
{
	char text[700], place[400];

	place_text(a->p, &u->place, place, sizeof(place));
	zl_format(text, sizeof(text), "%s: %s", place, u->reason);
	zl_buf_pad(&out->text, INDENT);
	output_wrap(out, 2 * INDENT, text);
	if (u->old_code[0] != '\0') {
		zl_buf_fmt(&out->text, "    -");
		output_wrap(out, 3 * INDENT, u->old_code);
	}
	if (u->new_code[0] != '\0') {
		zl_buf_fmt(&out->text, "    +");
		output_wrap(out, 3 * INDENT, u->new_code);
	}
}

const char *patch_hunk_state(const struct zl_patch_hunk *h)
{
	if (h->cut) {
		return "the hunk has fewer lines than its header says; what is missing is not "
		       "known";
	}
	if (h->surplus) {
		return "the hunk has more lines than its header says and was not read";
	}
	if (h->together) {
		return "line breaks of the hunk were lost and put back by its marks";
	}
	return h->mended ? "wrapped lines of the hunk were put together again" : "";
}

void patch_print_changes(const struct patch_answer *a, struct output *out)
{
	const struct zl_binding *b = &a->p->binding;

	zl_buf_fmt(&out->text,
		"%U modelled change%s of %U changed lines, %U place%s not modelled\n",
		(uint64_t)b->nr_modelled, b->nr_modelled == 1 ? "" : "s",
		(uint64_t)b->lines_changed, (uint64_t)b->nr_unbound, b->nr_unbound == 1 ? "" : "s");
	print_base(a, out);
	for (size_t i = 0; i < b->nr_changes; i++) {
		print_change(a, i, out);
	}
	if (b->nr_unbound > 0) {
		zl_buf_str(&out->text, "\nNot modelled:\n");
	}
	for (size_t i = 0; i < b->nr_unbound; i++) {
		print_unbound(a, &b->unbound[i], out);
	}
}

static const struct zl_patch_hunk *next_hunk(struct patch_hunks *w)
{
	for (; w->patch < w->p->nr_used; w->patch++, w->file = 0) {
		const struct zl_patch *used = w->p->used[w->patch];

		for (; w->file < used->nr_files; w->file++, w->hunk = 0) {
			if (w->hunk < used->files[w->file].nr_hunks) {
				return &used->files[w->file].hunks[w->hunk++];
			}
		}
	}
	return NULL;
}

const struct zl_patch_hunk *patch_next_damaged(struct patch_hunks *walk)
{
	const struct zl_patch_hunk *h = next_hunk(walk);

	while (h != NULL && patch_hunk_state(h)[0] == '\0') {
		h = next_hunk(walk);
	}
	return h;
}

/* Hunks that did not come as they were sent. */
static void print_hunks(const struct patch_answer *a, struct output *out)
{
	struct patch_hunks walk = {.p = &a->p->patches};
	const struct zl_patch_hunk *h;
	char text[256];

	while ((h = patch_next_damaged(&walk)) != NULL) {
		zl_format(text, sizeof(text), "line %u: %s", h->line, patch_hunk_state(h));
		zl_buf_str(&out->text, "note:");
		output_wrap(out, INDENT, text);
	}
}

/* --- what to do with it --- */

/* Why the lanes are alike though something changes. */
static const char *why_the_same(const struct zl_binding *b)
{
	bool conditions = false, rules = false, rules_here = false;

	for (size_t i = 0; i < b->nr_changes; i++) {
		conditions = conditions || b->change[i].condition[0] != '\0';
		rules = rules || b->change[i].kind == ZL_CHANGE_RULE;
		rules_here = rules_here || (b->change[i].kind == ZL_CHANGE_RULE &&
						   b->change[i].condition[0] == '\0');
	}
	if (rules && !rules_here) {
		return "Nothing differs on this machine: no changed rule holds here. Another "
		       "machine "
		       "(--profile, --set).";
	}
	if (rules) {
		return "The changes undo each other: the lanes before and after are the same.";
	}
	return conditions
		       ? "Nothing differs on this machine: no new default is taken here. Another "
			 "machine (--profile, --set), or --after KEY=VALUE."
		       : "Nothing differs until a value is chosen (--after KEY=VALUE): the lanes "
			 "before and after are the same.";
}

static void print_lanes(const struct patch_answer *a, struct output *out)
{
	char text[LANE_TEXT];

	if (!patch_changes_lanes(a->lanes)) {
		if (a->p->binding.nr_modelled > 0) {
			zl_buf_chr(&out->text, '\n');
			output_wrap(out, 0, why_the_same(&a->p->binding));
		}
		return;
	}
	zl_buf_str(&out->text, "\nLanes, for compare:\n");
	for (unsigned i = 0; i < 2; i++) {
		size_t n = zl_format(text, sizeof(text), "--lane '");

		lane_format(&a->lanes[i], text + n, sizeof(text) - n - 2);
		n = strlen(text);
		zl_format(text + n, sizeof(text) - n, "'");
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
}

static void print_mentions(const struct patch_answer *a, struct output *out)
{
	struct patch_mention m[PATCH_MENTIONS];
	struct patch_row row[PATCH_ROWS];
	size_t n = patch_mentions(a->p, m), rows = patch_rows(a->p, row);
	uint32_t line = 0;
	const char *other = patch_other_diff(a->p, &line);
	char text[400];

	if (other != NULL) {
		zl_format(text, sizeof(text),
			"Not modelled: line %u: %s; a unified diff (diff -u, git diff) would be "
			"right.",
			line, other);
		output_wrap(out, 2 * INDENT, text);
		return;
	}
	zl_buf_str(&out->text, "There is no diff: nothing to bind.\n");
	if (n > 0) {
		zl_buf_str(&out->text, "It speaks of:\n");
	}
	for (size_t i = 0; i < n; i++) {
		zl_format(text, sizeof(text), "%s: %s", m[i].name, m[i].sentence);
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
	if (rows > 0) {
		zl_buf_str(&out->text, "Rows about CMA alignment:\n");
	}
	for (size_t i = 0; i < rows; i++) {
		zl_format(text, sizeof(text), "%Z pages, max order %u, pageblock_order %u: %Z%s",
			row[i].page_size, row[i].max_order, row[i].block_order, row[i].alignment,
			row[i].right ? "" : ", which is not the page size << pageblock_order");
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
}

static void print_tables(const struct patch_answer *a, struct output *out)
{
	const struct zl_patches *p = &a->p->patches;

	for (size_t i = 0; i < p->nr_tables; i++) {
		const struct zl_patch_table *t = &p->table[i];

		if (i == 0) {
			zl_buf_str(&out->text, "\nTables of figures in the text:");
		}
		zl_buf_fmt(&out->text, "%s %s%sline%s %u-%u", i > 0 ? "," : "",
			a->p->nr_files > 1 ? zl_patch_source(p, t->message) : "",
			a->p->nr_files > 1 ? " " : "", t->count > 1 ? "s" : "",
			t->message->line[t->first], t->message->line[t->first + t->count - 1]);
	}
	if (p->nr_tables > 0) {
		zl_buf_chr(&out->text, '\n');
	}
}

/* Parts of mails that were not looked at: HTML, pictures, packed attachments. */
static void print_left_out(const struct patch_answer *a, struct output *out)
{
	const struct zl_patches *p = &a->p->patches;
	char text[120];
	unsigned n = 0;

	for (size_t i = 0; i < p->nr_mails; i++) {
		for (size_t k = 0; k < p->mail[i].nr_messages; k++) {
			n += p->mail[i].message[k].other_parts;
		}
	}
	if (n > 0) {
		zl_format(text, sizeof(text), "%u part%s that %s no plain text %s left out", n,
			n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "was" : "were");
		zl_buf_str(&out->text, "note:");
		output_wrap(out, 2, text);
	}
}

void patch_report(const struct patch_answer *a, struct output *out)
{
	print_patches(a, out);
	if (a->p->patches.nr_used == 0) {
		print_mentions(a, out);
		print_left_out(a, out);
		return;
	}
	patch_print_changes(a, out);
	print_hunks(a, out);
	print_left_out(a, out);
	print_lanes(a, out);
	print_tables(a, out);
}
