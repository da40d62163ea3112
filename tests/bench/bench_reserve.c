/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device tree and a kernel configuration checked by the program, start included, with 1 to 64
 * pools in the tree. Prints lines `pools N best_us median_us ratio_percent`: processor time; the
 * ratio of the medians is to a start that only prints its version, in the same run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 15
#define PATH 128
#define US   1000000.0

static void write_tree(const char *path, unsigned pools)
{
	FILE *f = fopen(path, "w");

	if (f == NULL) {
		abort();
	}
	fputs("/dts-v1/;\n/ {\n\t#address-cells = <2>;\n\t#size-cells = <2>;\n"
	      "\tmemory@40000000 { device_type = \"memory\"; reg = <0 0x40000000 1 0>; };\n"
	      "\treserved-memory {\n\t\t#address-cells = <2>;\n\t\t#size-cells = <2>;\n"
	      "\t\tranges;\n",
		f);
	for (unsigned i = 0; i < pools; i++) {
		unsigned at = 0x50000000u + i * 0x02000000u;

		fprintf(f,
			"\t\tpool@%x {\n\t\t\tcompatible = \"shared-dma-pool\";\n"
			"\t\t\treusable;\n\t\t\treg = <0x0 0x%x 0x0 0x%x>;\n\t\t};\n",
			at, at, i % 3 == 0 ? 0x00400000u : 0x02000000u);
	}
	fputs("\t};\n};\n", f);
	if (fclose(f) != 0) {
		abort();
	}
}

static void write_config(const char *path)
{
	FILE *f = fopen(path, "w");

	if (f == NULL ||
		fputs("CONFIG_ARM64=y\nCONFIG_ARM64_16K_PAGES=y\nCONFIG_CMA=y\nCONFIG_DMA_CMA=y\n"
		      "CONFIG_TRANSPARENT_HUGEPAGE=y\nCONFIG_HUGETLB_PAGE=y\n",
			f) < 0 ||
		fclose(f) != 0) {
		abort();
	}
}

/* Processor time of all children in microseconds. */
static double children(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * US +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Processor time of one run in microseconds. */
static double run(char *const *argv)
{
	double before = children();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		(void)dup2(null, STDOUT_FILENO);
		(void)execv(argv[0], argv);
		_exit(EXIT_FAILURE);
	}
	/* 1: a pool is refused, as it should be. */
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		WEXITSTATUS(status) > 1) {
		(void)fprintf(stderr, "%s did not run\n", argv[1]);
		exit(EXIT_FAILURE);
	}
	return children() - before;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double runs(char *const *argv, double *ret_best)
{
	double us[RUNS];

	for (unsigned i = 0; i < RUNS; i++) {
		us[i] = run(argv);
	}
	qsort(us, RUNS, sizeof(us[0]), by_value);
	*ret_best = us[0];
	return us[RUNS / 2];
}

int main(void)
{
	char dir[] = "/tmp/zonelab-bench-XXXXXX", tree[PATH], config[PATH];
	char *program = getenv("ZONELAB");
	double best;

	if (program == NULL || mkdtemp(dir) == NULL) {
		(void)fprintf(stderr, "ZONELAB names the program to measure\n");
		return EXIT_FAILURE;
	}
	setenv("HOME", dir, 1);
	(void)snprintf(tree, sizeof(tree), "%s/board.dts", dir);
	(void)snprintf(config, sizeof(config), "%s/board.config", dir);
	write_config(config);

	char version_word[] = "--version", reserve[] = "reserve", set[] = "--set";
	char kernel[] = "kernel=6.12";
	char *const version[] = {program, version_word, NULL};
	char *const check[] = {program, reserve, tree, config, set, kernel, NULL};
	double alone = runs(version, &best);
	for (unsigned pools = 1; pools <= 64; pools *= 4) {
		write_tree(tree, pools);
		double us = runs(check, &best);
		printf("pools %u %.0f %.0f %.0f\n", pools, best, us, 100 * us / alone);
	}
	(void)remove(tree);
	(void)remove(config);
	return rmdir(dir) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
