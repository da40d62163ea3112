/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any run written as tracepoints and replayed is the same run: the same digest, and every refill
 * and drain in the text is what the model does. The same holds once it is anonymised.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mix.h"
#include "zonelab/anonymise.h"
#include "zonelab/file.h"
#include "zonelab/replay.h"
#include "zonelab/workload.h"

#define ZONES 12
#define OPS   400

static int keep(void *user, const char *data, size_t n)
{
	zl_buf_mem(user, data, n);
	return 0;
}

/* Ops that fit each other, some of the kinds that the recordings do not have. */
static void make_ops(const char *release, unsigned seed, struct zl_workload *w)
{
	struct zl_sim *sim;
	struct mix m;

	memset(w, 0, sizeof(*w));
	w->mem = zl_allocator_heap();
	mix_init(&m, seed);
	mix_zone(&m.rng, &w->config);
	sim = script_sim(&w->config, release);
	w->config = *zl_sim_config(sim);
	w->ops = calloc(OPS, sizeof(*w->ops));
	w->lines = calloc(OPS, sizeof(*w->lines));
	assert_non_null(w->ops);
	assert_non_null(w->lines);
	while (w->nr_ops < OPS) {
		struct zl_op *op = &w->ops[w->nr_ops];

		memset(op, 0, sizeof(*op));
		if (w->nr_ops % 7 != 3 || !mix_next_later(&m, sim, op)) {
			memset(op, 0, sizeof(*op));
			mix_next(&m, sim, op);
		}
		/* A CPU that is offline takes no ops. */
		w->nr_ops += zl_sim_apply(sim, op) == 0;
	}
	zl_sim_free(sim);
}

static uint64_t export_run(const struct zl_workload *w, struct zl_buf *text)
{
	const struct zl_run_options options = {
		.trace = ZL_TRACE_FTRACE, .write = keep, .user = text};
	struct zl_run_result result;
	struct zl_error err = {0};

	if (zl_run_workload(w, &w->config.switches, &options, &result, &err) != 0) {
		fail_msg("%s", err.text);
	}
	return result.digest;
}

static uint64_t replay(const struct zl_buf *text, const struct zl_switches *s, unsigned seed)
{
	struct zl_replay_where where = {.free = -1};
	struct zl_replay_result result;
	struct zl_recording *r;
	struct zl_error err = {0};
	uint64_t digest;

	assert_int_equal(
		0, zl_recording_from_memory(text->data, text->len, zl_allocator_heap(), &r, &err));
	assert_true(r->marks.exported);
	assert_int_equal(0, r->report.not_understood);
	where.config = r->marks.config;
	where.config.switches = *s;
	if (zl_replay_run(r, &where, NULL, &result, &err) != 0) {
		fail_msg("seed %u: line %u: %s", seed, err.line, err.text);
	}
	if (result.nr_unexplained > 0) {
		fail_msg("seed %u: line %u: %u seen, %u predicted", seed,
			result.unexplained[0].line, (unsigned)result.unexplained[0].seen,
			(unsigned)result.unexplained[0].predicted);
	}
	digest = result.digest;
	zl_replay_result_done(&result, zl_allocator_heap());
	zl_recording_free(r);
	return digest;
}

static void a_run_written_as_tracepoints_replays_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < mix_nr_releases; i++) {
		for (unsigned seed = 0; seed < ZONES; seed++) {
			struct zl_buf text = {0};
			struct zl_workload w;
			uint64_t digest;

			make_ops(mix_releases[i], seed, &w);
			digest = export_run(&w, &text);
			assert_true(digest == replay(&text, &w.config.switches, seed));
			zl_buf_done(&text);
			zl_workload_done(&w);
		}
	}
}

static void anonymise(const struct zl_buf *text, struct zl_buf *ret)
{
	const struct zl_anonymise how = {.write = keep, .user = ret};
	char path[] = "/tmp/zonelab-anonymise-XXXXXX";
	struct zl_anonymised result;
	struct zl_error err = {0};
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	assert_non_null(f);
	fwrite(text->data, 1, text->len, f);
	fclose(f);
	assert_int_equal(0, zl_anonymise(path, &how, zl_allocator_heap(), &result, &err));
	assert_true(result.complete);
	remove(path);
}

static void an_anonymised_run_replays_the_same(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < ZONES; seed++) {
		const char *release = mix_releases[seed % mix_nr_releases];
		struct zl_buf text = {0}, hidden = {0};
		struct zl_workload w;
		uint64_t digest;

		make_ops(release, seed, &w);
		digest = export_run(&w, &text);
		anonymise(&text, &hidden);
		assert_null(strstr(hidden.data, "zonelab-1"));
		assert_true(digest == replay(&hidden, &w.config.switches, seed));
		zl_buf_done(&text);
		zl_buf_done(&hidden);
		zl_workload_done(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_written_as_tracepoints_replays_the_same),
		cmocka_unit_test(an_anonymised_run_replays_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
