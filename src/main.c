/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "cli.h"

/*
 * A standard file that is closed keeps its number, opened the wrong way round, so that using it is
 * an error still: else the next file to be opened would take its place, and what is printed would
 * stand in that file.
 */
static void hold_standard_files(void)
{
	static const int way[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", way[fd]) != fd) {
			return;
		}
	}
}

int main(int argc, char **argv)
{
	hold_standard_files();
	return cli_main(argc, argv);
}
