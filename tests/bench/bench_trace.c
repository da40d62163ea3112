/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Import of a trace, all fields, against awk splitting the same file into fields, in the same run.
 * Prints `reader lines_per_s mb_per_s` for each and their ratio, and for files of several sizes
 * `lines N lines_per_s ratio_percent kib`: the ratio to the smallest, and the most memory so far.
 * Files are written for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "zonelab/file.h"
#include "zonelab/kmem.h"

#define LINES 2000000u
#define RUNS  3
#define MB    1000000.0

struct figures {
	double seconds; /* best of all runs */
	unsigned lines;
	uint64_t sum; /* of all fields, so that nothing is left out */
};

/* Time on a core, so that other work of the machine does not count. */
static double now(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / MB;
}

static long write_trace(const char *path, unsigned lines)
{
	FILE *f = fopen(path, "w");
	long size;

	if (f == NULL) {
		return -1;
	}
	for (unsigned i = 0; i < lines; i++) {
		unsigned pfn = i * 2654435761u % 262144u;

		if (i % 2 == 0) {
			fprintf(f,
				"            init-%-7u [%03u] .....  %6u.%06u: mm_page_alloc: "
				"page=00000000%08x pfn=0x%x order=%u migratetype=%u "
				"gfp_flags=GFP_HIGHUSER_MOVABLE|__GFP_COMP\n",
				i % 999, i % 8, 40 + i / 100000, i % 100000 * 10, pfn * 77, pfn,
				i % 4, i % 3);
		} else {
			fprintf(f,
				"              dd-%-7u [%03u] d..2.  %6u.%06u: "
				"mm_page_free_batched: "
				"page=00000000%08x pfn=0x%x order=0\n",
				i % 999, i % 8, 40 + i / 100000, i % 100000 * 10, pfn * 77, pfn);
		}
	}
	size = ftell(f);
	return fclose(f) == 0 ? size : -1;
}

static double ours(const char *path, struct figures *f)
{
	double start = now(RUSAGE_SELF);
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t;

	f->lines = 0;
	if (zl_trace_open(path, zl_allocator_heap(), &t, &err) != 0) {
		return -1;
	}
	while (zl_trace_next(t, &e, &err) == 1) {
		f->lines++;
		f->sum += e.pfn + e.order + (uint64_t)e.migratetype + e.cpu + e.time_ns +
			  (uint64_t)e.pid + e.comm.n + e.gfp_flags.n + e.flags.n;
	}
	zl_trace_close(t);
	return now(RUSAGE_SELF) - start;
}

static double awk(const char *path)
{
	char command[256];
	double start = now(RUSAGE_CHILDREN);

	snprintf(command, sizeof(command), "awk '{ n += NF } END { print n >\"/dev/null\" }' %s",
		path);
	return system(command) == 0 ? now(RUSAGE_CHILDREN) - start : -1;
}

static void print(const char *name, double seconds, long size)
{
	printf("%s %.0f %.0f\n", name, LINES / seconds, (double)size / MB / seconds);
}

static void growth(const char *path)
{
	double first = 0;

	for (unsigned lines = LINES / 64; lines <= LINES; lines *= 4) {
		struct figures f = {0};
		struct rusage u;
		double best = write_trace(path, lines) > 0 ? ours(path, &f) : -1;

		for (unsigned i = 1; i < RUNS; i++) {
			double a = ours(path, &f);
			best = a < best ? a : best;
		}
		getrusage(RUSAGE_SELF, &u);
		double rate = lines / best;
		first = first > 0 ? first : rate;
		printf("lines %u %.0f %.0f %ld\n", lines, rate, 100 * rate / first, u.ru_maxrss);
	}
}

int main(void)
{
	char path[] = "/tmp/zonelab-bench-XXXXXX";
	struct figures f = {0};
	double best = 0, best_awk = 0;
	int fd = mkstemp(path);
	long size;

	if (fd < 0) {
		return 1;
	}
	close(fd);
	growth(path);
	size = write_trace(path, LINES);
	for (int i = 0; size > 0 && i < RUNS; i++) {
		double a = ours(path, &f), b = awk(path);

		best = i == 0 || a < best ? a : best;
		best_awk = i == 0 || b < best_awk ? b : best_awk;
	}
	remove(path);
	if (size <= 0 || best <= 0 || f.lines != LINES) {
		return 1;
	}
	printf("reader lines_per_s mb_per_s\n");
	print("zonelab", best, size);
	if (best_awk > 0) {
		print("awk", best_awk, size);
		printf("ratio_percent %.0f\n", best_awk / best * 100);
	}
	return f.sum == 0;
}
