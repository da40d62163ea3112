/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a sweep scales with processes: the same points with 1, 2, 4, ... up to the cores. Prints
 * lines `jobs ms speedup_percent`; the speed-up is against one process in the same run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000.0

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * MS + (double)t.tv_nsec / (MS * MS);
}

static double run(const char *program, long jobs)
{
	char number[24];
	double start = now_ms();
	pid_t pid;
	int status;

	(void)snprintf(number, sizeof(number), "%ld", jobs);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		(void)dup2(null, STDOUT_FILENO);
		(void)execl(program, "zonelab", "sweep", "kbuild", "--vary", "cpus=4..35",
			"--metric", "zone_locks", "--jobs", number, "--csv", (char *)NULL);
		_exit(EXIT_FAILURE);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		WEXITSTATUS(status) != 0) {
		(void)fprintf(stderr, "the sweep did not run\n");
		exit(EXIT_FAILURE);
	}
	return now_ms() - start;
}

int main(void)
{
	const char *program = getenv("ZONELAB");
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	double one;

	if (program == NULL) {
		(void)fprintf(stderr, "ZONELAB is not set\n");
		return EXIT_FAILURE;
	}
	one = run(program, 1);
	printf("1 %.0f 100\n", one);
	for (long jobs = 2; jobs <= cores; jobs *= 2) {
		double ms = run(program, jobs);

		printf("%ld %.0f %.0f\n", jobs, ms, one * 100 / ms);
	}
	return EXIT_SUCCESS;
}
