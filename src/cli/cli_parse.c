/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Common options are taken wherever they stand; everything else is left for the command.
 */
#include <errno.h>
#include <string.h>

#include "cli.h"
#include "command.h"
#include "word_meant.h"
#include "zonelab/text.h"

#define SCREEN_MAX 1000

static int too_many(const char *what, struct zl_error *err)
{
	zl_error_set(err, 0, 0, "too many of %s; at most %u", what, (unsigned)CLI_LIST_MAX);
	return -EINVAL;
}

static int add(
	const char **list, size_t *nr, const char *value, const char *what, struct zl_error *err)
{
	if (*nr == CLI_LIST_MAX) {
		return too_many(what, err);
	}
	list[(*nr)++] = value;
	return 0;
}

static int parse_screen(const char *value, struct cli *ret, struct zl_error *err)
{
	char cols[ZL_SETTING_TEXT];
	const char *x = strchr(value, 'x');
	struct zl_text t;
	uint64_t w = 0;
	uint64_t h = 0;

	zl_text_init(&t, cols, sizeof(cols));
	zl_text_strn(&t, value, x != NULL ? (size_t)(x - value) : 0);
	if (x == NULL || zl_parse_u64(cols, &w) < 0 || zl_parse_u64(x + 1, &h) < 0 || w == 0 ||
		h == 0 || w > SCREEN_MAX || h > SCREEN_MAX) {
		zl_error_set(err, 0, 0,
			"--screen %s is no size; COLUMNSxROWS, for example 80x24, up to %ux%u",
			value, (unsigned)SCREEN_MAX, (unsigned)SCREEN_MAX);
		return -EINVAL;
	}
	ret->screen_cols = (unsigned)w;
	ret->screen_rows = (unsigned)h;
	return 0;
}

static int one_of(const char *name, const char *value, const char *words, struct zl_error *err)
{
	const char *at = strstr(words, value);
	size_t n = strlen(value);

	if (n > 0 && at != NULL && (at == words || at[-1] == ' ') &&
		(at[n] == '\0' || at[n] == ' ')) {
		return 0;
	}
	zl_error_set(err, 0, 0, "%s %s is unknown; one of: %s", name, value, words);
	return -EINVAL;
}

static int take_value(const char *name, const char *value, struct cli *ret, struct zl_error *err)
{
	if (strcmp(name, "--profile") == 0) {
		ret->profile = value;
	} else if (strcmp(name, "--set") == 0) {
		return add(ret->set, &ret->nr_set, value, name, err);
	} else if (strcmp(name, "--policy") == 0) {
		return add(ret->policy, &ret->nr_policy, value, name, err);
	} else if (strcmp(name, "-c") == 0) {
		return add(ret->command, &ret->nr_command, value, name, err);
	} else if (strcmp(name, "-o") == 0) {
		ret->out_file = value;
	} else if (strcmp(name, "--screen") == 0) {
		return parse_screen(value, ret, err);
	} else if (strcmp(name, "--seed") == 0) {
		ret->seed = value;
	} else if (strcmp(name, "--glyphs") == 0) {
		ret->glyphs = value;
		return one_of(name, value, "unicode ascii console", err);
	} else {
		ret->color = value;
		return one_of(name, value, "auto always never contrast", err);
	}
	return 0;
}

static void take_switch(const char *name, struct cli *ret)
{
	const struct {
		const char *name;
		bool *flag;
	} switches[] = {
		{"--json",	   &ret->json     },
		{"--csv",	  &ret->csv	   },
		      {"--mail",	 &ret->mail	   },
		{"--ascii",	    &ret->ascii    },
		  {"--no-motion", &ret->no_motion},
		{"--quiet",	    &ret->quiet    },
		  {"--help",	     &ret->help     },
		  {"--version",	&ret->version  }
	      };

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (strcmp(switches[i].name, name) == 0) {
			*switches[i].flag = true;
		}
	}
}

static const struct command_option *find_common(const char *word, size_t *ret_len)
{
	*ret_len = word[0] == '-' && word[1] == '-' ? strcspn(word, "=") : strlen(word);
	for (const struct command_option *o = common_options(); o->name != NULL; o++) {
		if (strlen(o->name) == *ret_len && strncmp(o->name, word, *ret_len) == 0) {
			return o;
		}
	}
	return NULL;
}

/* Whether the command's own option takes the next word as its value. */
static bool owns_next(const struct cli *cli, const char *word)
{
	const struct command *c = cli->nr_rest > 0 ? command_find(cli->rest[0]) : NULL;

	for (const struct command_option *o = c != NULL ? c->options : NULL;
		o != NULL && o->name != NULL; o++) {
		if (o->arg != NULL && strcmp(o->name, word) == 0) {
			return true;
		}
	}
	return false;
}

/*
 * --lane LANE of the explorer: behind a command it is the command's own. Returns how many words were
 * used, 0 when it is not that.
 */
static int take_lane(int n, char **argv, struct cli *ret, struct zl_error *err)
{
	static const char name[] = "--lane";
	const size_t len = sizeof(name) - 1;
	const char *word = argv[0];

	if (strncmp(word, name, len) != 0 || (word[len] != '\0' && word[len] != '=') ||
		(ret->nr_rest > 0 && command_find(ret->rest[0]) != NULL)) {
		return 0;
	}
	if (word[len] == '=') {
		return add(ret->lane, &ret->nr_lane, word + len + 1, name, err) < 0 ? -EINVAL : 1;
	}
	if (n < 2) {
		zl_error_set(err, 0, 0, "--lane needs a value; --lane B:kernel=6.12.0");
		return -EINVAL;
	}
	return add(ret->lane, &ret->nr_lane, argv[1], name, err) < 0 ? -EINVAL : 2;
}

/* Takes the words at argv[0..]; returns how many were used, or -EINVAL. */
static int take_word(int n, char **argv, struct cli *ret, struct zl_error *err)
{
	size_t len = 0;
	const char *word = argv[0];
	const struct command_option *o = find_common(word, &len);

	if (o == NULL) {
		int r = take_lane(n, argv, ret, err);
		if (r != 0) {
			return r;
		}
		r = add(ret->rest, &ret->nr_rest, word, "arguments", err);
		if (r == 0 && n > 1 && owns_next(ret, word)) {
			r = add(ret->rest, &ret->nr_rest, argv[1], "arguments", err);
			return r < 0 ? r : 2;
		}
		return r < 0 ? r : 1;
	}
	if (o->arg == NULL) {
		take_switch(o->name, ret);
		if (word[len] == '=') {
			zl_error_set(err, 0, 0, "%s takes no value; %s alone", o->name, o->name);
			return -EINVAL;
		}
		return 1;
	}
	if (word[len] == '=') {
		return take_value(o->name, word + len + 1, ret, err) < 0 ? -EINVAL : 1;
	}
	if (n < 2) {
		zl_error_set(err, 0, 0, "%s needs a value; %s %s", o->name, o->name, o->arg);
		return -EINVAL;
	}
	return take_value(o->name, argv[1], ret, err) < 0 ? -EINVAL : 2;
}

/* Pictures and the version are text alone. */
static int check_text_only(const struct cli *cli, const char *asked, struct zl_error *err)
{
	const char *form = cli->json ? "--json" : cli->csv ? "--csv" : "--mail";

	zl_error_set(err, 0, 0, "%s is answered as text; leave %s out", asked, form);
	return -EINVAL;
}

static int check_formats(const struct cli *cli, struct zl_error *err)
{
	if ((int)cli->json + (int)cli->csv + (int)cli->mail > 1) {
		zl_error_set(err, 0, 0, "--json, --csv and --mail exclude each other; one of them");
		return -EINVAL;
	}
	if (cli->screen_cols > 0 && (cli->json || cli->csv || cli->mail)) {
		return check_text_only(cli, "--screen", err);
	}
	if (cli->version && (cli->json || cli->csv)) {
		return check_text_only(cli, "--version", err);
	}
	return 0;
}

/* What follows "--" is no option. */
static int take_rest(int n, char **argv, struct cli *ret, struct zl_error *err)
{
	ret->nr_before = ret->nr_rest;
	for (int i = 0; i < n; i++) {
		if (add(ret->rest, &ret->nr_rest, argv[i], "arguments", err) < 0) {
			return -EINVAL;
		}
	}
	return check_formats(ret, err);
}

/* How many words an option is that was refused. */
static int refused_words(const char *word)
{
	size_t len = 0;
	const struct command_option *o = find_common(word, &len);

	return o != NULL && o->arg != NULL && word[len] == '\0' ? 2 : 1;
}

bool cli_bisects(const struct cli *cli)
{
	size_t first = 0;

	while (first < cli->nr_before && cli->rest[first][0] == '-') {
		first++; /* no option of anything */
	}
	if (first == cli->nr_before || strcmp(cli->rest[first], "check") != 0) {
		return false;
	}
	for (size_t i = first + 1; i < cli->nr_before; i += owns_next(cli, cli->rest[i]) ? 2 : 1) {
		if (strcmp(cli->rest[i], "--bisect") == 0) {
			return true;
		}
	}
	return false;
}

int cli_parse(int argc, char **argv, struct cli *ret, struct zl_error *err)
{
	struct zl_error other = {0};
	int status = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	for (int i = 1; i < argc;) {
		struct zl_error *to = status == 0 ? err : &other;

		if (strcmp(argv[i], "--") == 0) {
			r = take_rest(argc - i - 1, argv + i + 1, ret, to);
			return status != 0 ? status : r;
		}
		r = word_is_unit((const char *const *)argv, (size_t)i, to)
			    ? -EINVAL
			    : take_word(argc - i, argv + i, ret, to);
		status = status != 0 || r >= 0 ? status : r;
		i += r < 0 ? refused_words(argv[i]) : r;
	}
	ret->nr_before = ret->nr_rest;
	r = check_formats(ret, status == 0 ? err : &other);
	return status != 0 ? status : r;
}
