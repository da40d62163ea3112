/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of commands and keys, command lines, and completion.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "help.h"
#include "keymap.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

static struct command_args *parse(const char *line)
{
	struct command_args *args = malloc(sizeof(*args));
	struct zl_error err = {0};

	if (command_parse(line, args, &err) < 0) {
		fail_msg("%s: %s", line, err.text);
	}
	return args;
}

static void must_fail(const char *line, const char *why)
{
	struct command_args *args = malloc(sizeof(*args));
	struct zl_error err = {0};

	assert_int_equal(-EINVAL, command_parse(line, args, &err));
	assert_string_equal(why, err.text);
	free(args);
}

static void commands_are_sorted_and_described(void **state)
{
	(void)state;
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		assert_ptr_equal(c, command_find(c->name));
		assert_non_null(c->run);
		assert_non_null(c->synopsis);
		assert_non_null(c->more);
		assert_string_not_equal("", c->help);
		assert_int_not_equal('.', c->help[strlen(c->help) - 1]);
		if (i > 0) {
			assert_true(strcmp(command_at(i - 1)->name, c->name) < 0);
		}
		for (const struct command_option *o = c->options; o != NULL && o->name != NULL;
			o++) {
			assert_int_equal('-', o->name[0]);
			assert_string_not_equal("", o->help);
		}
	}
}

static void every_binding_runs_a_command_that_parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *b = keymap_at(i);

		if (b->command[0] != '\0') {
			free(parse(b->command));
		}
	}
}

static void no_key_is_bound_twice_in_a_mode(void **state)
{
	(void)state;
	for (size_t i = 0; i < keymap_count(); i++) {
		for (size_t j = i + 1; j < keymap_count(); j++) {
			const struct binding *a = keymap_at(i);
			const struct binding *b = keymap_at(j);

			if (a->mode == b->mode && strcmp(a->key, b->key) == 0) {
				fail_msg(
					"%s: %s is bound twice", keymap_mode_name(a->mode), a->key);
			}
		}
	}
}

static void keys_of_the_bar_have_a_verb_and_a_rank_of_their_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *a = keymap_at(i);

		if (a->bar[0] == '\0') {
			continue;
		}
		assert_string_not_equal("", a->show);
		for (size_t j = i + 1; j < keymap_count() && a->rank != 0; j++) {
			const struct binding *b = keymap_at(j);

			if (b->bar[0] != '\0' && a->mode == b->mode) {
				assert_int_not_equal(a->rank, b->rank);
			}
		}
	}
}

static void words_keep_blanks_in_quotes_and_after_backslashes(void **state)
{
	struct command_args *args = parse("  set \"cmdline=cma=64M quiet\" zones=a\\ b  \"\" ");

	(void)state;
	assert_string_equal("set", args->command->name);
	assert_int_equal(3, args->nr_words);
	assert_string_equal("cmdline=cma=64M quiet", args->word[0]);
	assert_string_equal("zones=a b", args->word[1]);
	assert_string_equal("", args->word[2]);
	free(args);
}

static void options_take_values_with_and_without_an_equals_sign(void **state)
{
	struct command_args *args = parse("geometry --size 4M --size=8M --matrix");

	(void)state;
	assert_int_equal(0, args->nr_words);
	assert_int_equal(3, args->nr_options);
	assert_string_equal("8M", args_option(args, "--size"));
	assert_true(args_switch(args, "--matrix"));
	assert_false(args_switch(args, "--orders"));
	free(args);
}

static void numbers_and_what_follows_two_dashes_are_words(void **state)
{
	struct command_args *args = parse("step -1");

	(void)state;
	assert_int_equal(1, args->nr_words);
	free(args);
	args = parse("geometry -- --matrix -x");
	assert_int_equal(2, args->nr_words);
	assert_int_equal(0, args->nr_options);
	free(args);
}

static void bad_lines_say_what_would_be_right(void **state)
{
	(void)state;
	must_fail("", "an empty command; see `help`");
	must_fail("geomety", "there is no command 'geomety'; did you mean geometry");
	must_fail("zzzzzzzz", "there is no command 'zzzzzzzz'; see `help`");
	must_fail("geometry --matrx", "there is no option --matrx; did you mean --matrix");
	must_fail("geometry --jso", "there is no option --jso; did you mean --json");
	must_fail("geometry --zzzzzz", "there is no option --zzzzzz; see `zonelab help geometry`");
	must_fail("geometry --page-size=4K",
		"there is no option --page-size=4K; page_size is a setting, --set page_size=VALUE");
	must_fail("geometry --size", "--size needs a value; --size SIZE");
	must_fail("geometry --matrix=1", "--matrix takes no value; --matrix alone");
	must_fail("set \"a", "a double quote is not closed; write \\\" for a quote itself");
}

static void hostile_lines_are_refused(void **state)
{
	char *line = malloc(3 * COMMAND_LINE);

	(void)state;
	memset(line, 'x', 3 * COMMAND_LINE - 1);
	line[3 * COMMAND_LINE - 1] = '\0';
	must_fail(line, "the command is too long; at most 64 words and 8192 bytes");
	for (size_t i = 1; i < 3 * COMMAND_LINE - 1; i += 2) {
		line[i] = ' ';
	}
	must_fail(line, "the command is too long; at most 64 words and 8192 bytes");
	free(line);
}

static bool has(const struct completions *c, const char *word)
{
	for (size_t i = 0; i < c->count; i++) {
		if (strcmp(c->item[i].word, word) == 0) {
			return true;
		}
	}
	return false;
}

static void completion_knows_commands_options_keys_and_values(void **state)
{
	struct app *app = *state;
	struct completions *c = malloc(sizeof(*c));

	command_complete(app, "geo", 3, c);
	assert_int_equal(1, c->count);
	assert_true(has(c, "geometry"));
	command_complete(app, "geometry --m", 12, c);
	assert_true(has(c, "--matrix"));
	assert_int_equal(9, c->start);
	command_complete(app, "set page_", 9, c);
	assert_true(has(c, "page_size=") && has(c, "page_block_order="));
	command_complete(app, "set page_size=", 14, c);
	assert_true(has(c, "4K") && has(c, "16K") && has(c, "64K") && has(c, "default"));
	assert_int_equal(14, c->start);
	command_complete(app, "set arch=pow", 12, c);
	assert_true(has(c, "powerpc64") && has(c, "powerpc"));
	command_complete(app, "explain high_", 13, c);
	assert_true(has(c, "high_min") && has(c, "high_max"));
	command_complete(app, "geometry 4", 10, c);
	assert_int_equal(0, c->count);
	free(c);
}

static void completed(struct app *app, const char *line, size_t start, const char *word)
{
	struct completions *c = malloc(sizeof(*c));

	command_complete(app, line, strlen(line), c);
	if (c->start != start || !has(c, word)) {
		fail_msg("%s: start %zu, %zu words, first %s", line, c->start, c->count,
			c->count > 0 ? c->item[0].word : "-");
	}
	free(c);
}

static void completion_knows_the_items_of_a_lane(void **state)
{
	struct app *app = *state;

	completed(app, "compare bur", 8, "bursts");
	completed(app, "compare iperf --lane A:ker", 23, "kernel=");
	completed(app, "compare iperf --lane A:kernel=6.", 30, "6.16");
	completed(app, "compare iperf --lane A:6.12,prof", 28, "profile=");
	completed(app, "compare iperf --lane A:profile=rz", 31, "rz-g3s");
	completed(app, "compare iperf --lane A:6.12,policy.free_h", 28, "policy.free_high=");
	completed(app, "compare iperf --lane A:policy.nr_pcp_free=min(1,2),hi", 51, "high_min=");
	completed(app, "compare iperf --axis ", 21, "kernel");
	completed(app, "compare iperf --se", 14, "--seeds");
}

static void completion_knows_policies_and_lessons(void **state)
{
	struct app *app = *state;

	completed(app, "set smp=o", 8, "on");
	completed(app, "set smp=o", 8, "off");
	completed(app, "compare iperf --lane A:policy=threshold-h", 30, "threshold-half-high-min");
	completed(app, "policy free_h", 7, "free_high");
	completed(app, "policy threshold-h", 7, "threshold-half-high-min");
	completed(app, "policy no", 7, "none");
	completed(app, "policy free_high=order && pcp->free_c", 26, "pcp->free_count");
	completed(app, "policy free_high=rounddown", 17, "rounddown_pow_of_two(");
	completed(app, "policy free_high=def", 17, "default");
	completed(app, "lesson ", 7, zl_shipped_at(ZL_SHIPPED_LESSONS, 0)->name);
}

static void completion_stands_any_cursor(void **state)
{
	struct app *app = *state;
	static const char *const lines[] = {"", " ", "set", "set ", "set =", "set a=b=c", "x y z",
		"list ", "help ", "explain \xc3", "-", "geometry -", "compare x --lane A:\\",
		"compare x --lane A:(,\"", "compare x --lane ,:=,="};
	struct completions *c = malloc(sizeof(*c));

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (size_t point = 0; point < 40; point++) {
			command_complete(app, lines[i], point, c);
			assert_true(c->start <= strlen(lines[i]));
		}
	}
	free(c);
}

static void every_topic_of_list_is_a_list(void **state)
{
	struct app *app = *state;
	struct completions *c = malloc(sizeof(*c));

	command_complete(app, "list ", 5, c);
	assert_true(c->count >= 7);
	for (size_t i = 0; i < c->count; i++) {
		struct output out;
		char line[160];

		zl_format(line, sizeof(line), "list %s", c->item[i].word);
		assert_int_equal(EXIT_YES, app_run(app, line, FORMAT_JSON, &out));
		assert_true(zl_json_count(zl_json_member(out.json, "rows")) > 0);
		output_done(&out);
		assert_non_null(strstr(command_find("list")->synopsis, c->item[i].word));
	}
	free(c);
}

static void lists_that_do_not_exist_yet_say_so(void **state)
{
	struct app *app = *state;
	struct output out;

	assert_int_equal(EXIT_USAGE, app_run(app, "list nonsense", FORMAT_TEXT, &out));
	assert_non_null(strstr(out.error.text, "there is no list of nonsense; lists: commands,"));
	output_done(&out);
}

/* Usage lines too: options keep their arguments, brackets what is in them. */
static void help_of_every_command_has_80_columns(void **state)
{
	(void)state;
	for (size_t i = 0; i < command_count(); i++) {
		struct zl_buf b = {0};

		help_command(command_at(i), &b);
		for (const char *p = zl_buf_text(&b); *p != '\0'; p += strcspn(p, "\n") + 1) {
			if (strcspn(p, "\n") > 80) {
				fail_msg("%.*s", (int)strcspn(p, "\n"), p);
			}
		}
		zl_buf_done(&b);
	}
	struct zl_buf b = {0};
	help_command(command_find("review"), &b);
	assert_int_equal(0, strncmp(zl_buf_text(&b),
				    "review FILE... [--scenario S]... [--machine PROFILE]... "
				    "[--whole]\n       [--take VERSION]",
				    83));
	zl_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_of_every_command_has_80_columns),
		cmocka_unit_test(commands_are_sorted_and_described),
		cmocka_unit_test(every_binding_runs_a_command_that_parses),
		cmocka_unit_test(no_key_is_bound_twice_in_a_mode),
		cmocka_unit_test(keys_of_the_bar_have_a_verb_and_a_rank_of_their_own),
		cmocka_unit_test(words_keep_blanks_in_quotes_and_after_backslashes),
		cmocka_unit_test(options_take_values_with_and_without_an_equals_sign),
		cmocka_unit_test(numbers_and_what_follows_two_dashes_are_words),
		cmocka_unit_test(bad_lines_say_what_would_be_right),
		cmocka_unit_test(hostile_lines_are_refused),
		APP_TEST(completion_knows_commands_options_keys_and_values),
		APP_TEST(completion_knows_the_items_of_a_lane),
		APP_TEST(completion_knows_policies_and_lessons),
		APP_TEST(completion_stands_any_cursor),
		APP_TEST(every_topic_of_list_is_a_list),
		APP_TEST(lists_that_do_not_exist_yet_say_so),
	};

	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
