/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions: saved, opened again, damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "beside.h"
#include "golden.h"
#include "machines.h"
#include "pagesets.h"
#include "patch_show.h"
#include "run_show.h"
#include "session.h"

static void a_session_is_opened_as_it_was_saved(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80), *again = stage_new(24, 80);
	struct zl_error err = {0};
	struct zl_buf one = {0}, two = {0};
	char dir[] = "/tmp/zonelab-session-XXXXXX";
	char path[64], line[96], error[400];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/s.json", dir);
	command(s, "set high_min=600");
	command(s, "lane B:kernel=6.12.0,high_fraction=8");
	command(s, "go 300");
	command(s, "bookmark here it is");
	command(s, "break count > 300 && free_count >= 100");
	command(s, "screen compare");
	snprintf(line, sizeof(line), "save %s", path);
	command(s, line);
	assert_false(s->app.dirty);
	assert_int_equal(EXIT_USAGE, command_status(s, line, error, sizeof(error)));
	command(s, "save"); /* its own file */
	if (session_open(&again->app, path, &err) < 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(0, session_text(&s->app, &one));
	assert_int_equal(0, session_text(&again->app, &two));
	assert_string_equal(zl_buf_text(&one), zl_buf_text(&two));
	assert_int_equal(SCREEN_COMPARE, again->app.screen);
	assert_int_equal(300, again->app.beside->c->at);
	assert_true(zl_sim_digest(again->app.beside->c->lane[1].t->sim) ==
		    zl_sim_digest(s->app.beside->c->lane[1].t->sim));
	unlink(path);
	rmdir(dir);
	zl_buf_done(&one);
	zl_buf_done(&two);
	stage_free(s);
	stage_free(again);
}

static void a_damaged_session_says_what_is_wrong(void **state)
{
	static const char *const texts[] = {"{\"kind\":\"session\"}",
		"{\"kind\":\"session\",\"version\":1}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"run\":{}}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"lanes\":[\"A:kernel=6.12\"]}",
		"{\"kind\":\"session\",\"version\":1,\"machine\":{\"kind\":\"profile\",\"version\":"
		"1},"
		"\"set\":{\"nonsense\":\"1\"}}"};
	static const char *const words[] = {"kind:", "machine:", "run:", "lanes:", "nonsense"};
	char path[] = "/tmp/zonelab-session-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct stage *s = stage_new(24, 80);
		struct zl_error err = {0};
		assert_int_equal(0, ftruncate(fd, 0));
		assert_true(pwrite(fd, texts[i], strlen(texts[i]), 0) > 0);
		assert_true(session_open(&s->app, path, &err) < 0);
		if (strstr(err.text, words[i]) == NULL) {
			fail_msg("%s: %s", texts[i], err.text);
		}
		draw(s);
		stage_free(s);
	}
	close(fd);
	unlink(path);
}

/* ---- all that defines what is seen ---- */

static void save(struct stage *s, const char *path)
{
	struct zl_buf text = {0};
	FILE *f = fopen(path, "w");

	assert_int_equal(0, session_text(&s->app, &text));
	assert_non_null(f);
	assert_int_equal(text.len, fwrite(zl_buf_text(&text), 1, text.len, f));
	assert_int_equal(0, fclose(f));
	zl_buf_done(&text);
}

/* The digest of a branch of a lane's run at the op where the focused one stands. */
static uint64_t digest_of(struct stage *s, unsigned lane, unsigned branch)
{
	struct timeline *t = s->app.run[lane]->branch[branch].t;

	assert_int_equal(0, timeline_seek(t, pagesets_timeline(&s->app)->at));
	return zl_sim_digest(t->sim);
}

static void assert_same_watermarks(const struct zl_machine *a, const struct zl_machine *b)
{
	assert_int_equal(a->nr_zones, b->nr_zones);
	for (size_t i = 0; i < a->nr_zones; i++) {
		const struct zl_zone *x = &a->zones[i], *y = &b->zones[i];

		assert_true(x->wmark.min == y->wmark.min && x->wmark.low == y->wmark.low &&
			    x->wmark.high == y->wmark.high);
	}
}

static void assert_same_runs(struct stage *s, struct stage *again)
{
	assert_int_equal(s->app.active, again->app.active);
	assert_int_equal(pagesets_timeline(&s->app)->at, pagesets_timeline(&again->app)->at);
	for (unsigned i = 0; i < APP_LANES; i++) {
		const struct pagesets *p = s->app.run[i], *q = again->app.run[i];

		assert_int_equal(s->app.lane[i].used, again->app.lane[i].used);
		assert_string_equal(s->app.lane[i].title, again->app.lane[i].title);
		assert_same_watermarks(&s->app.lane[i].machine, &again->app.lane[i].machine);
		assert_int_equal(p != NULL, q != NULL);
		if (p == NULL) {
			continue;
		}
		assert_int_equal(p->nr_branches, q->nr_branches);
		assert_int_equal(p->active, q->active);
		assert_int_equal(p->by_hand_ops, q->by_hand_ops);
		assert_int_equal(p->window.zoom, q->window.zoom);
		for (unsigned b = 0; b < p->nr_branches; b++) {
			assert_int_equal(p->branch[b].node->from, q->branch[b].node->from);
			assert_string_equal(p->branch[b].node->what, q->branch[b].node->what);
			assert_true(digest_of(s, i, b) == digest_of(again, i, b));
		}
	}
}

static void assert_opens_again(struct stage *s)
{
	char path[] = "/tmp/zonelab-session-XXXXXX";
	int fd = mkstemp(path);
	struct stage *again = stage_new(24, 80);
	struct zl_error err = {0};
	struct zl_buf one = {0}, two = {0};

	assert_true(fd >= 0);
	close(fd);
	save(s, path);
	if (session_open(&again->app, path, &err) < 0) {
		fail_msg("%s", err.text);
	}
	assert_string_equal("", again->app.message.text);
	assert_int_equal(0, session_text(&s->app, &one));
	assert_int_equal(0, session_text(&again->app, &two));
	assert_string_equal(zl_buf_text(&one), zl_buf_text(&two));
	assert_same_runs(s, again);
	zl_buf_done(&one);
	zl_buf_done(&two);
	unlink(path);
	stage_free(again);
}

/* What a user does, one step at random; what is refused changes nothing. */
static void step(struct stage *s, uint32_t *seed)
{
	static const struct {
		const char *head;
		unsigned range; /* of the number behind it, 0 = none */
		const char *tail;
	} steps[] = {
		{"go ",				    700,  ""	       },
		{"go ",				    700,  ""	       },
		{"set high_min=",			  2000, ""	  },
		{"set batch=",			       90,   ""	     },
		{"set watermark_scale_factor=",		200,  ""	       },
		{"set kernel=6.1",			   9,    ""	},
		{"set pcp_batch_scale_max=",		     6,	""	  },
		{"op alloc ",			      4,	 " U"	     },
		{"op alloc ",			      4,	 " M"	     },
		{"op free",				0,    ""	 },
		{"op drain",			       0,	""	  },
		{"op tick",				0,    ""	 },
		{"branch ",				4,    ""	 },
		{"lane B:high_min=",			     900,  ""	    },
		{"lane C:6.",			      18,	  ""	    },
		{"lane A",				 0,    ""	},
		{"lane B",				 0,    ""	},
		{"undo",				   0,    ""	      },
		{"redo",				   0,    ""	      },
		{"zone",				   0,    ""	      },
		{"bookmark number ",			     99,	 ""	   },
		{"break count > ",			   400,	""	  },
		{"cpu ",				   4,    ""	      },
		{"slot cpus",			      0,	 ""	   },
		{"policy free_high = pcp->free_count >= ", 9,    " * batch"},
		{"break clear",				0,	   ""	     },
		{"lane C off",			       0,	  ""	    },
	};
	unsigned i = next_random(seed) % (unsigned)(sizeof(steps) / sizeof(steps[0]));
	char number[16] = "", line[160], error[400];

	if (steps[i].range > 0) {
		snprintf(number, sizeof(number), "%u", next_random(seed) % steps[i].range + 1);
	}
	snprintf(line, sizeof(line), "%s%s%s", steps[i].head, number, steps[i].tail);
	(void)command_status(s, line, error, sizeof(error));
}

static void what_was_done_at_random_is_there_again(void **state)
{
	static const char *const sources[] = {"", "kbuild", "free-order3", "pressure-zones"};
	struct zl_error err = {0};
	uint32_t seed = 7;

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
		const char *source = sources[i % 4];

		if (i % 4 == 1) {
			set(s, "zones=DMA32:1G,Normal:4G");
			set(s, "memory=5G");
		}
		if (source[0] != '\0') {
			assert_int_equal(0, scenario_show(&s->app, source, &err));
		}
		for (unsigned n = next_random(&seed) % 20; n > 0; n--) {
			step(s, &seed);
		}
		assert_opens_again(s);
		stage_free(s);
	}
}

static void a_chain_of_branches_is_kept_where_some_are_gone(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	char line[64];

	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		snprintf(line, sizeof(line), "go %u", 100 + 20 * i);
		command(s, line);
		snprintf(line, sizeof(line), "set high_min=%u", 600 + i);
		command(s, i % 3 == 0 ? "op alloc 1 U" : line);
	}
	assert_int_equal(PAGESETS_BRANCHES, s->app.pagesets->nr_branches);
	assert_int_equal(4, s->app.pagesets->by_hand_ops);
	s->app.pagesets->window.zoom = 3;
	assert_opens_again(s);
	stage_free(s);
}

static void a_branch_from_an_op_that_is_not_there_is_refused(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80), *again = stage_new(24, 80);
	char path[] = "/tmp/zonelab-session-XXXXXX";
	struct zl_buf text = {0};
	struct zl_error err = {0};
	int fd = mkstemp(path);

	(void)state;
	command(s, "go 1000");
	command(s, "set high_min=700");
	assert_int_equal(0, session_text(&s->app, &text));
	char *from = strstr(text.data, "1000,");
	assert_non_null(from);
	from[0] = '9';
	assert_int_equal(text.len, write(fd, text.data, text.len));
	close(fd);
	assert_true(session_open(&again->app, path, &err) < 0);
	if (strstr(err.text, "the run has no such op any more") == NULL) {
		fail_msg("%s", err.text);
	}
	unlink(path);
	zl_buf_done(&text);
	stage_free(s);
	stage_free(again);
}

/* A branch brings its settings: what is edited there comes on top of those alone. */
static void a_branch_has_its_own_settings(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "set high_min=700");
	assert_int_equal(700, s->app.pagesets->scene.pageset.high_min);
	command(s, "branch 1");
	assert_int_equal(583, s->app.pagesets->scene.pageset.high_min);
	assert_false(zl_settings_given(&s->app.lane[0].profile.settings, ZL_SET_HIGH_MIN));
	command(s, "set batch=31");
	assert_int_equal(583, s->app.pagesets->scene.pageset.high_min);
	assert_int_equal(31, s->app.pagesets->scene.pageset.batch);
	press(s, "u u");
	assert_int_equal(1, s->app.pagesets->active);
	assert_int_equal(700, s->app.pagesets->scene.pageset.high_min);
	stage_free(s);
}

/* The lanes of a patch: their titles, what the patch changed, and the watermarks. */
static void a_session_of_a_patch_is_there_again(void **state)
{
	static const char *const patches[] = {TEST_DATA "/patches/watermark-and-khugepaged.diff",
		TEST_DATA "/patches/scale-default.diff", TEST_DATA "/patches/threshold-git.patch"};

	(void)state;
	for (size_t i = 0; i < sizeof(patches) / sizeof(patches[0]); i++) {
		struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
		struct zl_error err = {0};

		if (patch_show(&s->app, &patches[i], 1, &err) < 0) {
			fail_msg("%s: %s", patches[i], err.text);
		}
		assert_true(s->app.lane[1].used);
		assert_shows(s, "A  before:");
		assert_shows(s, "B  after:");
		assert_opens_again(s);
		command(s, "lane B:kernel=6.12.0");
		assert_string_equal("", s->app.lane[0].title);
		assert_string_equal("", s->app.lane[1].title);
		stage_free(s);
	}
}

/* The CPU is as it was chosen, also where lane A has fewer. */
static void the_cpu_of_another_lane_stays_chosen(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "lane B:cpus=8");
	command(s, "lane B");
	command(s, "cpu 6");
	assert_int_equal(6, s->app.pagesets->cpu);
	assert_opens_again(s);
	command(s, "lane A");
	assert_opens_again(s);
	stage_free(s);
}

/* Figures that its files reported hold for the machine that they are of, here as there. */
static void a_machine_of_files_that_was_changed_is_there_again(void **state)
{
	static const char *const changes[] = {"arch=i386", "page_size=16K", "memory=2G", "cpus=4"};
	const char *file =
		TEST_DATA "/captures/linux-6.12.117-x86_64-4k-debian-cloud-trace/zoneinfo.txt";
	const struct zl_settings none = {0};
	struct zl_error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct stage *s = stage_on(SCREEN_GEOMETRY, 24, 80);
		char line[64];

		assert_int_equal(0, machine_files(&s->app, &file, 1, &none, &err));
		press(s, "3");
		command(s, "go 411");
		snprintf(line, sizeof(line), "set %s", changes[i]);
		command(s, line);
		command(s, "go 800");
		assert_opens_again(s);
		stage_free(s);
	}
}

/* Its policies end the lane's own run at op 150; from the start they do not, and Compare goes on. */
static void a_place_behind_the_end_of_one_lane_is_kept(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 40, 120);

	(void)state;
	command(s, "lane B:cpus=8");
	command(s, "lane B");
	command(s, "go 0");
	command(s, "set policy.free_high=pcp->free_count/(pcp->free_count-40)>0");
	(void)pagesets_seek(&s->app, 1000);
	command(s, "set policy.free_count_step=1");
	command(s, "lane A");
	press(s, "4");
	command(s, "go 190");
	command(s, "lane B");
	assert_int_equal(190, pagesets_shown(&s->app)->at);
	assert_true(pagesets_timeline(&s->app)->at < 190);
	assert_opens_again(s);
	stage_free(s);
}

/* On Compare the scene of a lane need not be there when its CPU is chosen. */
static void a_cpu_is_chosen_before_a_lane_was_drawn(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	char error[400];

	(void)state;
	command(s, "lane B:cpus=8");
	command(s, "screen compare");
	command(s, "lane B");
	s->app.pagesets->scene.nr_cpus = 0; /* as after an allocation that failed */
	(void)command_status(s, "cpu next", error, sizeof(error));
	(void)command_status(s, "cpu 7", error, sizeof(error));
	command(s, "screen pagesets");
	draw(s);
	stage_free(s);
}

/* A lane may have become a kernel that cannot be built: its run is the one from before. */
static void a_lane_that_cannot_be_built_any_more_is_kept(void **state)
{
	struct stage *s = stage_on(SCREEN_GEOMETRY, 24, 80);
	const char *file = TEST_DATA "/captures/linux-6.18.44-x86_64-4k-live/zoneinfo.txt";
	const struct zl_settings given = {0};
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, machine_files(&s->app, &file, 1, &given, &err));
	command(s, "screen pagesets");
	command(s, "zone DMA");
	command(s, "lane B:kernel=6.12.0");
	command(s, "lane B");
	command(s, "screen geometry");
	command(s, "set page_size=16K");
	assert_false(app_lane(&s->app)->machine.geometry.buildable);
	assert_non_null(s->app.run[1]);
	assert_opens_again(s);
	stage_free(s);
}

/* Every screen is the one that a session opens on. */
static void a_session_opens_on_its_screen(void **state)
{
	char path[] = "/tmp/zonelab-session-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	for (enum app_screen i = SCREEN_GEOMETRY; i < APP_SCREENS; i++) {
		struct stage *s = stage_on(i, 24, 80), *again = stage_new(24, 80);
		struct zl_error err = {0};

		assert_int_equal(i, s->app.screen);
		save(s, path);
		if (session_open(&again->app, path, &err) < 0) {
			fail_msg("%s", err.text);
		}
		assert_int_equal(i, again->app.screen);
		stage_free(again);
		stage_free(s);
	}
	close(fd);
	unlink(path);
}

/* What has no end or no beginning is none of a session's files. */
static void a_session_opens_no_device_and_no_pipe(void **state)
{
	static const char *const members[] = {"scenario", "ops", "zones", "trace"};
	char dir[] = "/tmp/zonelab-session-XXXXXX";
	char pipe[64], path[64];
	const char *const files[] = {"/dev/urandom", pipe};

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(pipe, sizeof(pipe), "%s/pipe", dir);
	snprintf(path, sizeof(path), "%s/s.json", dir);
	assert_int_equal(0, mkfifo(pipe, 0600));
	for (size_t i = 0; i < 4 * 2; i++) {
		struct stage *s = stage_new(24, 80);
		struct zl_error err = {0};
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fprintf(f,
			"{\"kind\":\"session\",\"version\":2,\"lanes\":[{\"lane\":\"A\","
			"\"machine\":{\"kind\":\"profile\",\"version\":1,\"settings\":{}},"
			"\"settings\":{},\"origins\":{},\"policies\":[]}],"
			"\"run\":{\"%s\":\"%s\",\"shown\":0}}",
			members[i % 4], files[i / 4]);
		fclose(f);
		assert_true(session_open(&s->app, path, &err) < 0);
		if (strstr(err.text, "there is no file") == NULL) {
			fail_msg("%s of %s: %s", members[i % 4], files[i / 4], err.text);
		}
		stage_free(s);
	}
	unlink(pipe);
	unlink(path);
	rmdir(dir);
}

/* Files of version 1 open as they did. */
static void an_older_session_still_opens(void **state)
{
	static const char text[] =
		"{\"kind\":\"session\",\"version\":1,\"screen\":\"pagesets\","
		"\"set\":{\"high_min\":\"600\"},"
		"\"machine\":{\"kind\":\"profile\",\"version\":1},\"policies\":{},"
		"\"lanes\":[\"B:kernel=6.12.0\"],\"focus\":\"A\","
		"\"run\":{\"scenario\":\"iperf\",\"short\":false,\"op\":300,\"cpu\":1,"
		"\"speed\":3,\"bookmarks\":[{\"op\":7,\"note\":\"here\"}],"
		"\"breakpoints\":[\"flush\"]}}";
	struct stage *s = stage_new(24, 80);
	char path[] = "/tmp/zonelab-session-XXXXXX";
	int fd = mkstemp(path);
	struct zl_error err = {0};

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(sizeof(text) - 1, write(fd, text, sizeof(text) - 1));
	if (session_open(&s->app, path, &err) < 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(300, pagesets_timeline(&s->app)->at);
	assert_int_equal(600, s->app.pagesets->scene.pageset.high_min);
	assert_true(s->app.lane[1].used);
	assert_int_equal(1, s->app.pagesets->all->nr_bookmarks);
	assert_opens_again(s);
	close(fd);
	unlink(path);
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_opened_as_it_was_saved),
		cmocka_unit_test(a_damaged_session_says_what_is_wrong),
		cmocka_unit_test(what_was_done_at_random_is_there_again),
		cmocka_unit_test(a_chain_of_branches_is_kept_where_some_are_gone),
		cmocka_unit_test(a_branch_from_an_op_that_is_not_there_is_refused),
		cmocka_unit_test(a_branch_has_its_own_settings),
		cmocka_unit_test(a_session_of_a_patch_is_there_again),
		cmocka_unit_test(the_cpu_of_another_lane_stays_chosen),
		cmocka_unit_test(a_machine_of_files_that_was_changed_is_there_again),
		cmocka_unit_test(a_place_behind_the_end_of_one_lane_is_kept),
		cmocka_unit_test(a_cpu_is_chosen_before_a_lane_was_drawn),
		cmocka_unit_test(a_lane_that_cannot_be_built_any_more_is_kept),
		cmocka_unit_test(a_session_opens_on_its_screen),
		cmocka_unit_test(a_session_opens_no_device_and_no_pipe),
		cmocka_unit_test(an_older_session_still_opens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
