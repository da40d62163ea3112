/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands of the Pagesets screen: going somewhere in a run, playing, branches, stops.
 */
#include <string.h>

#include "commands.h"
#include "pagesets.h"
#include "ui.h"
#include "zonelab/text.h"

#define PERCENT 100u

/* The screen exists from the first command on that needs it. */
static bool ready(struct app *app, struct output *out)
{
	if (app->pagesets == NULL && pagesets_open_story(app, &out->error) < 0) {
		return false;
	}
	return true;
}

static enum exit_status no_run(struct output *out)
{
	return out->error.text[0] != '\0' ? EXIT_FAULT : command_usage(out, "there is no run");
}

/* "1 204" is how the screen writes it. */
static bool parse_place(const struct app *app, const char *word, uint64_t *ret)
{
	const struct timeline *t = pagesets_shown(app);
	char digits[32];
	size_t n = strlen(word);
	uint64_t v = 0;

	if (strcmp(word, "first") == 0 || strcmp(word, "last") == 0) {
		*ret = word[0] == 'f' ? 0 : timeline_total(t);
		return true;
	}
	if (n < 1 || n >= sizeof(digits)) {
		return false;
	}
	bool percent = word[n - 1] == '%';
	bool sign = word[0] == '+' || word[0] == '-';
	zl_format(digits, sizeof(digits), "%s", word + (sign ? 1 : 0));
	if (percent) {
		digits[strlen(digits) - 1] = '\0';
	}
	if (zl_parse_u64(digits, &v) < 0 || (percent && v > PERCENT)) {
		return false;
	}
	if (percent) {
		*ret = (uint64_t)((double)timeline_total(t) * (double)v / PERCENT);
	} else if (word[0] == '-') {
		*ret = t->at > v ? t->at - v : 0;
	} else {
		*ret = word[0] == '+' ? t->at + v : v;
	}
	return true;
}

static bool go_event(struct app *app, const char *word, int direction)
{
	uint8_t marks = pagesets_marks_find(word);

	if (marks == 0) {
		return false;
	}
	pagesets_play(app, false);
	if (!pagesets_event(app, direction, marks)) {
		app_say(app, VALUE_NONE, "There is no %s %s this op",
			strcmp(word, "any") == 0 ? "event" : word,
			direction > 0 ? "after" : "before");
	}
	return true;
}

static enum exit_status run_go(struct app *app, const struct command_args *args, struct output *out)
{
	uint64_t op = 0;
	char joined[64] = "";
	struct zl_text text;

	if (!command_words_ok(args, 1, 4, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	bool back = args->nr_words == 2 && strcmp(args->word[0], "back") == 0;
	bool next = args->nr_words == 2 && strcmp(args->word[0], "next") == 0;
	if (go_event(app, args->word[back || next ? 1 : 0], back ? -1 : 1)) {
		return EXIT_YES;
	}
	zl_text_init(&text, joined, sizeof(joined));
	for (size_t i = 0; i < args->nr_words; i++) {
		zl_text_str(&text, args->word[i]);
	}
	if (!parse_place(app, joined, &op)) {
		return command_usage(out,
			"cannot go to '%s'; a number, +N, -N, N%%, first, last or an event",
			joined);
	}
	pagesets_play(app, false);
	if (strcmp(joined, "+1") == 0) {
		pagesets_step(app, 1);
	} else {
		pagesets_seek(app, op);
	}
	return EXIT_YES;
}

const struct command cmd_go = {
	.name = "go",
	.synopsis = "N|+N|-N|N%|first|last|[next|back] EVENT",
	.flags = COMMAND_PROMPT,
	.help = "Go to an op of the run, or to the next or previous event",
	.more = "Events: refill, flush, drain, decay, fallback, fail; any of them; event = any but "
		"refill.",
	.run = run_go,
};

static enum exit_status run_play(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	pagesets_play(app, !app->pagesets->all->playing);
	return EXIT_YES;
}

const struct command cmd_play = {
	.name = "play",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Play or pause",
	.more = "",
	.run = run_play,
};

static enum exit_status run_speed(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	const char *w = args->word[0];
	uint64_t rate = 0;
	if (strcmp(w, "+1") == 0 || strcmp(w, "-1") == 0) {
		pagesets_faster(app, w[0] == '-' ? -1 : 1);
		return EXIT_YES;
	}
	if (strcmp(w, "max") != 0 && (zl_parse_u64(w, &rate) < 0 || rate == 0)) {
		return command_usage(out, "cannot play at '%s'; ops a second, or max", w);
	}
	app->pagesets->all->speed = PAGESETS_SPEEDS - 1;
	for (unsigned i = PAGESETS_SPEEDS - 1; i > 0 && rate > 0; i--) {
		app->pagesets->all->speed =
			pagesets_rate(i - 1) >= rate ? i - 1 : app->pagesets->all->speed;
	}
	return EXIT_YES;
}

const struct command cmd_speed = {
	.name = "speed",
	.synopsis = "OPS|max|+1|-1",
	.flags = COMMAND_PROMPT,
	.help = "Ops a second while playing",
	.more = "The next of 1, 2, 5, 10, 30, 100, 1000, 10000, 100000 and max is taken.",
	.run = run_speed,
};

static enum exit_status run_cpu(
	struct app *app, const struct command_args *args, struct output *out)
{
	uint64_t cpu = 0;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	unsigned cpus = zl_sim_cpus(pagesets_timeline(app)->sim);
	if (strcmp(args->word[0], "run") == 0) {
		pagesets_choose_cpu(app, -1);
	} else if (strcmp(args->word[0], "next") == 0) {
		pagesets_choose_cpu(app, (int64_t)app->pagesets->cpu + 1);
	} else if (zl_parse_u64(args->word[0], &cpu) < 0 || cpu >= cpus) {
		return command_usage(out, "there is no CPU '%s'; 0 to %u, next, or run",
			args->word[0], cpus - 1);
	} else {
		pagesets_choose_cpu(app, (int64_t)cpu);
	}
	return EXIT_YES;
}

const struct command cmd_cpu = {
	.name = "cpu",
	.synopsis = "N|next|run",
	.flags = COMMAND_PROMPT,
	.help = "Show the pageset of another CPU",
	.more = "run = of the CPU that runs the ops, whichever that is.",
	.run = run_cpu,
};

static enum exit_status run_slot(
	struct app *app, const struct command_args *args, struct output *out)
{
	static const char *const names[] = {"ops", "buddy", "blocks", "cpus", "settings"};

	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	if (args->nr_words == 0) {
		pagesets_next_slot(app);
		return EXIT_YES;
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], args->word[0]) == 0) {
			app->pagesets->all->slot = (enum pagesets_slot)i;
			app->pagesets->all->slot_chosen = true;
			app->panel = PAGESETS_SLOT;
			app->row[PAGESETS_SLOT] = 0;
			pagesets_refresh(app);
			return EXIT_YES;
		}
	}
	return command_usage(out, "there is no '%s' to show; ops, buddy, blocks, cpus or settings",
		args->word[0]);
}

const struct command cmd_slot = {
	.name = "slot",
	.synopsis = "[ops|buddy|blocks|cpus|settings]",
	.flags = COMMAND_PROMPT,
	.help = "Choose what the lower part of Pagesets shows",
	.more = "",
	.run = run_slot,
};

static enum exit_status run_zoom(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	const char *w = args->word[0];
	if (strcmp(w, "all") == 0) {
		pagesets_zoom_all(app);
	} else if (strcmp(w, "+1") == 0 || strcmp(w, "-1") == 0) {
		pagesets_zoom(app, w[0] == '-' ? 1 : -1);
	} else {
		return command_usage(out, "cannot zoom to '%s'; +1, -1 or all", w);
	}
	return EXIT_YES;
}

const struct command cmd_zoom = {
	.name = "zoom",
	.synopsis = "+1|-1|all",
	.flags = COMMAND_PROMPT,
	.help = "Fewer or more ops in a cell of the timeline",
	.more = "",
	.run = run_zoom,
};

static enum exit_status run_last(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	unsigned id = args->nr_words > 0 ? value_find(args->word[0]) : app_focused_id(app);
	uint64_t op = pagesets_last_change(app, id);
	if (op == TIMELINE_NO_OP) {
		app_say(app, VALUE_NONE,
			pagesets_is_fact(id) ? "Error: no memory to look back"
					     : "This is no figure of the run · Tab chooses one");
		return EXIT_YES;
	}
	pagesets_play(app, false);
	if (pagesets_seek(app, op) < 0) {
		return EXIT_YES;
	}
	app_say(app, id, "%s was last changed by op %U", value_info((enum value_id)id)->label, op);
	return EXIT_YES;
}

const struct command cmd_last = {
	.name = "last",
	.synopsis = "[VALUE]",
	.flags = COMMAND_PROMPT,
	.help = "Go back to the op that last changed a value",
	.more = "Without a name: the focused value.",
	.run = run_last,
};

static void join_words(const struct command_args *args, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < args->nr_words; i++) {
		zl_text_str(&t, i > 0 ? " " : "");
		zl_text_str(&t, args->word[i]);
	}
}

static enum exit_status run_break(
	struct app *app, const struct command_args *args, struct output *out)
{
	char text[COMMAND_LINE];

	if (!ready(app, out)) {
		return no_run(out);
	}
	struct pagesets *p = app->pagesets;
	if (args->nr_words == 0) {
		for (unsigned i = 0; i < p->all->nr_breaks; i++) {
			zl_buf_fmt(&out->text, "%u  %s\n", i + 1, p->all->brk[i].text);
		}
		if (p->all->nr_breaks == 0) {
			zl_buf_str(&out->text, "No breakpoints. break EVENT or break CONDITION\n");
		}
		return EXIT_YES;
	}
	join_words(args, text, sizeof(text));
	if (strcmp(text, "clear") == 0) {
		pagesets_break_clear(app);
		return EXIT_YES;
	}
	if (pagesets_break_add(app, text, &out->error) < 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "Stops at: %s · :break lists, :break clear", text);
	return EXIT_YES;
}

const struct command cmd_break = {
	.name = "break",
	.synopsis = "[EVENT|CONDITION|clear]",
	.flags = COMMAND_PROMPT,
	.help = "Stop playing at an event or when a condition begins to hold",
	.more = "Conditions are C expressions over the figures of a run, as in count > 300 && "
		"free_count >= threshold.",
	.run = run_break,
};

/* The next bookmark after the present op, from the start again after the last. */
static const struct pagesets_bookmark *next_bookmark(const struct pagesets *p, uint64_t at)
{
	const struct pagesets_bookmark *after = NULL, *first = NULL;

	for (unsigned i = 0; i < p->all->nr_bookmarks; i++) {
		const struct pagesets_bookmark *b = &p->all->bookmark[i];
		first = first == NULL || b->op < first->op ? b : first;
		if (b->op > at && (after == NULL || b->op < after->op)) {
			after = b;
		}
	}
	return after != NULL ? after : first;
}

static enum exit_status to_bookmark(struct app *app)
{
	const struct pagesets_bookmark *b = next_bookmark(app->pagesets, pagesets_shown(app)->at);

	if (b == NULL) {
		app_say(app, VALUE_NONE, "No bookmarks yet · m sets one");
		return EXIT_YES;
	}
	struct pagesets_bookmark to = *b;
	pagesets_play(app, false);
	pagesets_seek(app, to.op);
	app_say(app, VALUE_LITERAL, "Bookmark at op %U%s%s", to.op, to.note[0] != '\0' ? ": " : "",
		to.note);
	return EXIT_YES;
}

static enum exit_status run_bookmark(
	struct app *app, const struct command_args *args, struct output *out)
{
	char note[COMMAND_LINE];

	if (!ready(app, out)) {
		return no_run(out);
	}
	struct pagesets *p = app->pagesets;
	join_words(args, note, sizeof(note));
	if (strcmp(note, "next") == 0) {
		return to_bookmark(app);
	}
	if (strcmp(note, "list") == 0) {
		for (unsigned i = 0; i < p->all->nr_bookmarks; i++) {
			zl_buf_fmt(&out->text, "op %U  %s\n", p->all->bookmark[i].op,
				p->all->bookmark[i].note);
		}
		if (p->all->nr_bookmarks == 0) {
			zl_buf_str(&out->text, "No bookmarks. bookmark NOTE sets one\n");
		}
		return EXIT_YES;
	}
	if (p->all->nr_bookmarks == PAGESETS_BOOKMARKS) {
		return command_usage(out, "there are %u bookmarks already", PAGESETS_BOOKMARKS);
	}
	struct pagesets_bookmark *b = &p->all->bookmark[p->all->nr_bookmarks++];
	b->op = pagesets_shown(app)->at;
	zl_format(b->note, sizeof(b->note), "%s", note);
	app_say(app, VALUE_LITERAL, "Bookmark set at op %U · ' goes to the next one", b->op);
	return EXIT_YES;
}

const struct command cmd_bookmark = {
	.name = "bookmark",
	.synopsis = "[NOTE|next|list]",
	.flags = COMMAND_PROMPT,
	.help = "Set a bookmark with a note at this op, or go to the next one",
	.more = "",
	.run = run_bookmark,
};

static enum exit_status run_branch(
	struct app *app, const struct command_args *args, struct output *out)
{
	uint64_t i = 0;

	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	const struct pagesets *p = app->pagesets;
	if (args->nr_words == 0) {
		for (unsigned k = 0; k < p->nr_branches; k++) {
			zl_buf_fmt(&out->text, "%s %u  from op %U  %s\n",
				k == p->active ? ">" : " ", k + 1, p->branch[k].node->from,
				p->branch[k].node->what);
		}
		zl_buf_str(&out->text, "\n:branch N goes to one, at the same op.\n");
		return EXIT_YES;
	}
	if (zl_parse_u64(args->word[0], &i) < 0 || i == 0 || i > p->nr_branches) {
		return command_usage(
			out, "there is no branch '%s'; 1 to %u", args->word[0], p->nr_branches);
	}
	if (pagesets_go_branch(app, (unsigned)(i - 1), &out->error) < 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "Branch %U: %s", i, p->branch[p->active].node->what);
	return EXIT_YES;
}

const struct command cmd_branch = {
	.name = "branch",
	.synopsis = "[N]",
	.flags = COMMAND_PROMPT,
	.help = "List the branches of the run, or go to one",
	.more = "A setting changed in mid-run and an op by hand each make a branch. A branch "
		"brings its settings along; u goes back.",
	.run = run_branch,
};

static enum exit_status run_op(struct app *app, const struct command_args *args, struct output *out)
{
	uint64_t order = 0;

	if (!command_words_ok(args, 0, 3, out)) {
		return EXIT_USAGE;
	}
	if (!ready(app, out)) {
		return no_run(out);
	}
	if (args->nr_words == 0) {
		app->by_hand = true;
		app_say(app, VALUE_NONE, "One op by hand: a alloc, f free, d drain, t tick");
		return EXIT_YES;
	}
	enum zl_migratetype mt = ZL_MIGRATE_UNMOVABLE;
	if (args->nr_words > 1 &&
		(zl_parse_u64(args->word[1], &order) < 0 || order > ZL_MAX_ORDER_LIMIT)) {
		return command_usage(out, "there is no order '%s'", args->word[1]);
	}
	if (args->nr_words > 2) {
		const char letter = args->word[2][0];
		mt = letter == 'M'   ? ZL_MIGRATE_MOVABLE
		     : letter == 'R' ? ZL_MIGRATE_RECLAIMABLE
				     : ZL_MIGRATE_UNMOVABLE;
		if (letter == '\0' || strchr("UMR", letter) == NULL || args->word[2][1] != '\0') {
			return command_usage(
				out, "there is no migratetype '%s'; U, M or R", args->word[2]);
		}
	}
	if (app->screen == SCREEN_COMPARE) {
		return command_usage(
			out, "lanes run the same ops; ops by hand are for Pagesets, 3");
	}
	pagesets_play(app, false);
	if (pagesets_op(app, args->word[0], (unsigned)order, mt, &out->error) < 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "%s by hand made a branch · t lists them", args->word[0]);
	return EXIT_YES;
}

const struct command cmd_op = {
	.name = "op",
	.synopsis = "[alloc [ORDER [U|M|R]]|free|drain|tick]",
	.flags = COMMAND_PROMPT,
	.help = "One op by hand at this place of the run",
	.more = "free takes the newest block in use. What follows is worked out anew, as a branch.",
	.run = run_op,
};

static enum exit_status run_stop(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	app_interrupt(app);
	return EXIT_YES;
}

const struct command cmd_stop = {
	.name = "stop",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Stop playing and looking ahead",
	.more = "",
	.run = run_stop,
};
