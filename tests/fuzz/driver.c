/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz entry over files instead of inventing input: `fuzz-NAME FILE-OR-FOLDER...`. A
 * crash or a sanitizer's report is the failure; a folder without files is one too, since then
 * nothing was tried.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

#define INPUT_MAX (16 << 20)
#define PATH_SIZE 4096

static int complain(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	return -1;
}

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (f == NULL) {
		return complain(path, strerror(errno));
	}
	uint8_t *buf = malloc(INPUT_MAX);
	size_t n = buf != NULL ? fread(buf, 1, INPUT_MAX, f) : 0;
	fclose(f);
	/* An exact copy, so that the sanitizer sees a read past the end. */
	uint8_t *exact = malloc(n > 0 ? n : 1);
	if (buf == NULL || exact == NULL) {
		free(buf);
		free(exact);
		return complain(path, "out of memory");
	}
	memcpy(exact, buf, n);
	free(buf);
	(void)LLVMFuzzerTestOneInput(exact, n);
	free(exact);
	return 1;
}

static int run_folder(const char *path)
{
	struct dirent **entry = NULL;
	int n = scandir(path, &entry, NULL, alphasort);
	int done = 0;

	if (n < 0) {
		return complain(path, strerror(errno));
	}
	for (int i = 0; i < n; i++) {
		char file[PATH_SIZE];
		int len = snprintf(file, sizeof(file), "%s/%s", path, entry[i]->d_name);

		if (entry[i]->d_name[0] != '.' && len > 0 && (size_t)len < sizeof(file) &&
			done >= 0) {
			int r = run_file(file);

			done = r < 0 ? r : done + r;
		}
		free(entry[i]);
	}
	free(entry);
	return done;
}

int main(int argc, char **argv)
{
	int done = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		int r = -1;

		if (stat(argv[i], &st) != 0) {
			r = complain(argv[i], strerror(errno));
		} else {
			r = S_ISDIR(st.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
		}
		if (r < 0) {
			return 1;
		}
		done += r;
	}
	printf("%d inputs\n", done);
	return done > 0 ? 0 : 1;
}
