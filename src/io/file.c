/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

#define CHUNK_FIRST ((size_t)16 << 10)
/* windowBits of inflateInit2() that expects a gzip header. */
#define GZIP_WINDOW 31

bool zl_file_absolute(const char *path, char ret[ZL_FILE_PATH])
{
	char *whole = strcmp(path, "-") == 0 ? NULL : realpath(path, NULL);
	bool fits = whole != NULL && strlen(whole) < ZL_FILE_PATH;

	if (fits) {
		zl_format(ret, ZL_FILE_PATH, "%s", whole);
	}
	free(whole);
	return fits;
}

/* A block of bytes that doubles. */
struct growing {
	const struct zl_allocator *a;
	char *data;
	size_t size, room;
	uint64_t limit;
};

static void *heap_realloc(void *user, void *ptr, size_t size)
{
	(void)user;
	return realloc(ptr, size);
}

static void heap_free(void *user, void *ptr)
{
	(void)user;
	free(ptr);
}

const struct zl_allocator *zl_allocator_heap(void)
{
	static const struct zl_allocator heap = {heap_realloc, heap_free, NULL};

	return &heap;
}

/* Makes room for at least one byte more and a terminator; -EFBIG when the limit is passed. */
static int grow(struct growing *g)
{
	if (g->size > g->limit) {
		return -EFBIG;
	}
	if (g->size + 1 < g->room) {
		return 0;
	}
	size_t room = g->room == 0 ? CHUNK_FIRST : g->room * 2;
	char *data = g->a->realloc(g->a->user, g->data, room);
	if (data == NULL) {
		return -ENOMEM;
	}
	g->data = data;
	g->room = room;
	return 0;
}

static int read_stream(FILE *f, struct growing *g)
{
	for (;;) {
		int r = grow(g);
		if (r < 0) {
			return r;
		}
		size_t n = fread(g->data + g->size, 1, g->room - g->size - 1, f);
		g->size += n;
		if (n == 0) {
			return ferror(f) != 0 ? zl_errno() : 0;
		}
	}
}

static int inflate_all(z_stream *z, struct growing *g)
{
	int status = Z_OK;

	while (status != Z_STREAM_END) {
		int r = grow(g);
		if (r < 0) {
			return r;
		}
		size_t room = g->room - g->size - 1;
		uInt before = room > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uInt)room;
		z->next_out = (Bytef *)g->data + g->size;
		z->avail_out = before;
		status = inflate(z, Z_NO_FLUSH);
		g->size += before - z->avail_out;
		if (status == Z_MEM_ERROR) {
			return -ENOMEM;
		}
		bool stuck = z->avail_out == before && status != Z_STREAM_END;
		if ((status != Z_OK && status != Z_STREAM_END) || stuck) {
			return -EINVAL;
		}
	}
	return 0;
}

static bool is_gzip(const char *data, size_t size)
{
	return size >= 2 && (unsigned char)data[0] == 0x1f && (unsigned char)data[1] == 0x8b;
}

static int gunzip(const struct growing *packed, struct growing *plain)
{
	z_stream z = {0};

	if (packed->size > UINT32_MAX) {
		return -EFBIG;
	}
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK) {
		return -ENOMEM;
	}
	z.next_in = (Bytef *)packed->data;
	z.avail_in = (uInt)packed->size;
	int r = inflate_all(&z, plain);
	inflateEnd(&z);
	return r;
}

static int fail(struct zl_error *err, const char *name, int r, uint64_t limit)
{
	zl_error_file(err, name);
	if (r == -EFBIG) {
		zl_error_set(err, 0, 0, "too large; at most %Z of text are read", limit);
	} else if (r == -EINVAL) {
		zl_error_set(err, 0, 0, "broken gzip data; pack it again or give the plain text");
	} else if (r == -ENOMEM) {
		zl_error_set(err, 0, 0, "not enough memory to read it");
	} else if (name[0] == '\0') {
		zl_error_set(
			err, 0, 0, "names no file; the name of a file, or - for standard input");
	} else {
		zl_error_set(err, 0, 0, "cannot be read: %s; a file that exists and may be read",
			strerror(-r));
	}
	return r;
}

/* Takes over g->data, unpacked if need be. */
static int finish(struct growing *g, const char *name, struct zl_file *ret)
{
	struct growing plain = {g->a, NULL, 0, 0, g->limit};
	bool gzip = is_gzip(g->data, g->size);

	if (gzip) {
		int r = gunzip(g, &plain);
		g->a->free(g->a->user, g->data);
		if (r < 0) {
			g->a->free(g->a->user, plain.data);
			return r;
		}
		*g = plain;
	}
	g->data[g->size] = '\0';
	memset(ret, 0, sizeof(*ret));
	zl_clean_line(ret->name, sizeof(ret->name), name, strlen(name));
	ret->data = g->data;
	ret->size = g->size;
	ret->gzip = gzip;
	return 0;
}

int zl_file_load(const char *path, uint64_t limit, const struct zl_allocator *a,
	struct zl_file *ret, struct zl_error *err)
{
	struct growing g = {a, NULL, 0, 0, limit > 0 ? limit : ZL_FILE_MAX};
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "rb");

	if (f == NULL) {
		return fail(err, path, zl_errno(), g.limit);
	}
	int r = read_stream(f, &g);
	if (!standard) {
		fclose(f);
	}
	if (r < 0) {
		a->free(a->user, g.data);
		return fail(err, path, r, g.limit);
	}
	r = finish(&g, standard ? "(standard input)" : path, ret);
	return r < 0 ? fail(err, path, r, g.limit) : 0;
}

int zl_file_from_memory(const void *data, size_t size, const struct zl_allocator *a,
	struct zl_file *ret, struct zl_error *err)
{
	static const char name[] = "(memory)";
	struct growing g = {a, a->realloc(a->user, NULL, size + 1), size, size + 1, ZL_FILE_MAX};

	if (size > ZL_FILE_MAX || g.data == NULL) {
		a->free(a->user, g.data);
		return fail(err, name, g.data == NULL ? -ENOMEM : -EFBIG, g.limit);
	}
	if (size > 0) {
		memcpy(g.data, data, size);
	}
	int r = finish(&g, name, ret);
	return r < 0 ? fail(err, name, r, g.limit) : 0;
}

bool zl_file_can_be_read(const char *path)
{
	struct stat st;

	/* A pipe may wait for its writer, a device has no end. */
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

void zl_file_done(struct zl_file *f, const struct zl_allocator *a)
{
	a->free(a->user, f->data);
	f->data = NULL;
	f->size = 0;
}

void zl_lines_init(struct zl_lines *l, const char *data, size_t size)
{
	l->data = data;
	l->size = size;
	l->pos = 0;
	l->number = 0;
}

bool zl_lines_next(struct zl_lines *l, struct zl_line *ret)
{
	if (l->pos >= l->size) {
		return false;
	}
	const char *s = l->data + l->pos;
	const char *end = memchr(s, '\n', l->size - l->pos);
	size_t len = end != NULL ? (size_t)(end - s) : l->size - l->pos;

	l->pos += len + (end != NULL ? 1 : 0);
	while (len > 0 && s[len - 1] == '\r') {
		len--;
	}
	ret->s = s;
	ret->len = len;
	ret->number = ++l->number;
	return true;
}
