/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/append.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MODE 0666

static int fail(struct zl_error *err, const char *what)
{
	int rc = zl_errno();

	zl_error_set(err, 0, 0, "cannot %s the part: %s", what, strerror(-rc));
	return rc;
}

int zl_append_open(const char *path, uint64_t keep, struct zl_error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, MODE);

	if (fd < 0) {
		return fail(err, "open");
	}
	if (ftruncate(fd, (off_t)keep) != 0 || lseek(fd, 0, SEEK_END) < 0) {
		int rc = fail(err, "write");

		(void)close(fd);
		return rc;
	}
	return fd;
}

int zl_append(int fd, const char *data, size_t n, struct zl_error *err)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done < 0) {
			return fail(err, "write");
		}
		data += done;
		n -= (size_t)done;
	}
	return 0;
}

int zl_append_close(int fd, struct zl_error *err)
{
	return close(fd) != 0 ? fail(err, "write") : 0;
}
