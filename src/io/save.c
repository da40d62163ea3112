/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zonelab/text.h"

#define PATH_ROOM 4096
#define DIR_MODE  0700

static int fail(struct zl_error *err, const char *path, int error)
{
	zl_error_set(err, 0, 0, "cannot write: %s; another place, with room", strerror(error));
	zl_error_file(err, path);
	return -error;
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return zl_errno();
		}
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Gives the temporary file the permissions that a new file would have. */
static void usual_mode(int fd)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	(void)fchmod(fd, (mode_t)(0666 & ~mask));
}

/* Moves the finished file into place; without @overwrite an existing one wins. */
static int put_in_place(const char *temp, const char *path, bool overwrite)
{
	if (overwrite) {
		return rename(temp, path) < 0 ? zl_errno() : 0;
	}
	if (link(temp, path) < 0) {
		return zl_errno();
	}
	(void)unlink(temp);
	return 0;
}

int zl_save_refused(const char *path, struct zl_error *err)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
		return 0;
	}
	zl_error_set(err, 0, 0, "exists already and is not overwritten; choose another name");
	zl_error_file(err, path);
	return -EEXIST;
}

/* The temporary file beside @path, of which @temp is the name. Returns its descriptor or -errno. */
static int begin(const char *path, bool overwrite, char temp[PATH_ROOM], struct zl_error *err)
{
	if (!overwrite && zl_save_refused(path, err) != 0) {
		return -EEXIST;
	}
	zl_format(temp, PATH_ROOM, "%s.XXXXXX", path);
	int fd = mkstemp(temp);
	return fd < 0 ? fail(err, path, -zl_errno()) : fd;
}

int zl_save(const char *path, const char *data, size_t size, bool overwrite, struct zl_error *err)
{
	char temp[PATH_ROOM];
	struct stat st;
	int r = 0;

	if (strcmp(path, "-") == 0) {
		r = write_all(STDOUT_FILENO, data, size);
		return r < 0 ? fail(err, "standard output", -r) : 0;
	}
	if (strlen(path) + sizeof(".XXXXXX") > sizeof(temp)) {
		return fail(err, path, ENAMETOOLONG);
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		/* A device or pipe cannot be replaced; write straight to it. */
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		r = fd < 0 ? zl_errno() : write_all(fd, data, size);
		if (fd >= 0 && close(fd) < 0 && r == 0) {
			r = zl_errno();
		}
		return r < 0 ? fail(err, path, -r) : 0;
	}
	int fd = begin(path, overwrite, temp, err);
	if (fd < 0) {
		return fd;
	}
	usual_mode(fd);
	r = write_all(fd, data, size);
	if (r == 0 && fsync(fd) < 0 && errno != EINVAL) {
		r = zl_errno();
	}
	if (close(fd) < 0 && r == 0) {
		r = zl_errno();
	}
	if (r == 0) {
		r = put_in_place(temp, path, overwrite);
	}
	if (r < 0) {
		(void)unlink(temp);
		return fail(err, path, -r);
	}
	return 0;
}

int zl_save_possible(const char *path, bool overwrite, struct zl_error *err)
{
	char temp[PATH_ROOM];
	struct stat st;

	if (strcmp(path, "-") == 0) {
		return 0;
	}
	if (strlen(path) + sizeof(".XXXXXX") > sizeof(temp)) {
		return fail(err, path, ENAMETOOLONG);
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		bool yes = !S_ISDIR(st.st_mode) && access(path, W_OK) == 0;

		return yes ? 0 : fail(err, path, S_ISDIR(st.st_mode) ? EISDIR : -zl_errno());
	}
	int fd = begin(path, overwrite, temp, err);
	if (fd < 0) {
		return fd;
	}
	(void)close(fd);
	(void)unlink(temp);
	return 0;
}

/* Makes every directory of @path up to its last slash. */
static void make_dirs(char *path)
{
	for (char *p = path + 1; *p != '\0'; p++) {
		if (*p == '/') {
			*p = '\0';
			(void)mkdir(path, DIR_MODE);
			*p = '/';
		}
	}
}

int zl_state_path(const char *name, char *buf, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (state != NULL && state[0] == '/') {
		zl_format(buf, size, "%s/zonelab/%s", state, name);
	} else if (home != NULL && home[0] == '/') {
		zl_format(buf, size, "%s/.local/state/zonelab/%s", home, name);
	} else {
		return -ENOENT;
	}
	make_dirs(buf);
	return 0;
}
