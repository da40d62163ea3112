/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zonelab-doc man TEMPLATE    a scdoc page; a line "@NAME@" becomes the section of that name
 * zonelab-doc bash|zsh|fish   completion for that shell
 */
#include "doc.h"

#include <errno.h>
#include <string.h>

#define LINE_SIZE 1024

/* The NAME of a line "@NAME@", or NULL; cuts the line at its second @. */
static const char *marker(char *line)
{
	char *end = line[0] == '@' ? strchr(line + 1, '@') : NULL;

	if (end == NULL || (end[1] != '\n' && end[1] != '\0')) {
		return NULL;
	}
	*end = '\0';
	return line + 1;
}

static int fill_template(const char *path)
{
	char line[LINE_SIZE];
	FILE *in = fopen(path, "r");
	int status = 0;

	if (in == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	while (status == 0 && fgets(line, sizeof(line), in) != NULL) {
		const char *name = marker(line);

		if (name == NULL) {
			fputs(line, stdout);
		} else if (!doc_section(stdout, name)) {
			fprintf(stderr, "%s: no section %s\n", path, name);
			status = 1;
		}
	}
	fclose(in);
	return status;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "man") == 0) {
		return fill_template(argv[2]);
	}
	if (argc == 2 && doc_completion(stdout, argv[1])) {
		return 0;
	}
	fputs("usage: zonelab-doc man TEMPLATE | bash | zsh | fish\n", stderr);
	return 2;
}
