/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace as a stream: a window over the input moves on, line by line. Nothing is kept but counts
 * and the first complaints.
 */
#include "zonelab/kmem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "importing.h"
#include "scan.h"
#include "trace_parse.h"
#include "zonelab/clean.h"

#define WINDOW	  ((size_t)1 << 20)
#define GZ_BUFFER (256u << 10)

struct zl_trace {
	const struct zl_allocator *mem;
	char name[256];
	gzFile gz; /* NULL = memory or trace.dat */
	struct trace_dat *dat;
	uint64_t size;	      /* of the file, 0 = not known */
	char *window;	      /* owned */
	const char *at, *end; /* what is left of the window, or of the memory */
	bool ended;	      /* nothing comes behind the window */
	bool skipping;	      /* inside a line that is too long */
	uint64_t skipped;     /* bytes of it */
	unsigned line;
	char kernel[64];
	uint64_t events[ZL_TRACED_COUNT];
	uint64_t fates[ZL_TRACE_LINE_STRANGE + 1];
	struct zl_import_file report; /* complaints only; counts are filled in when asked for */
};

static struct zl_trace *trace_new(const struct zl_allocator *mem, const char *name)
{
	struct zl_trace *t = mem->realloc(mem->user, NULL, sizeof(*t));

	if (t != NULL) {
		memset(t, 0, sizeof(*t));
		t->mem = mem;
		zl_clean_line(t->name, sizeof(t->name), name, strlen(name));
	}
	return t;
}

static int refuse(struct zl_error *err, const char *path, int rc)
{
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "not enough memory to read it");
	} else if (path[0] == '\0') {
		zl_error_set(
			err, 0, 0, "names no file; the name of a file, or - for standard input");
	} else {
		zl_error_set(err, 0, 0, "cannot be read: %s; a file that exists and may be read",
			strerror(-rc));
	}
	zl_error_file(err, path);
	return rc;
}

static int open_stream(struct zl_trace *t, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		return zl_errno();
	}
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return -EISDIR;
	}
	t->size = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	t->window = t->mem->realloc(t->mem->user, NULL, WINDOW);
	t->gz = t->window != NULL ? gzdopen(fd, "rb") : NULL;
	if (t->gz == NULL) {
		close(fd);
		return -ENOMEM;
	}
	gzbuffer(t->gz, GZ_BUFFER);
	t->at = t->end = t->window;
	return 0;
}

/* Moves what is left to the front and reads behind it. Returns 0 or -errno. */
static void take_kernel(struct zl_trace *t, const struct scan *word)
{
	struct zl_release r;
	char name[sizeof(t->kernel)];

	scan_copy(word, name, sizeof(name));
	if (zl_release_parse(name, &r) == 0) {
		memcpy(t->kernel, name, sizeof(name));
	}
}

static int refill(struct zl_trace *t)
{
	size_t left = (size_t)(t->end - t->at);
	int n, code = Z_OK;

	if (t->gz == NULL) {
		t->ended = true;
		return 0;
	}
	memmove(t->window, t->at, left);
	errno = 0;
	n = gzread(t->gz, t->window + left, (unsigned)(WINDOW - left));
	if (n < 0 && errno == EINTR) {
		t->at = t->window;
		t->end = t->window + left;
		return -EINTR;
	}
	if (n < 0) {
		gzerror(t->gz, &code);
		return code == Z_ERRNO ? -EIO : code == Z_MEM_ERROR ? -ENOMEM : -EINVAL;
	}
	t->at = t->window;
	t->end = t->window + left + (size_t)n;
	if (n == 0) { /* cut gzip data ends like this too */
		gzerror(t->gz, &code);
		t->ended = true;
		return code == Z_BUF_ERROR ? -EINVAL : 0;
	}
	return 0;
}

/* "Linux HOST 6.12.0-1-amd64 x86_64" */
static void take_uname(struct zl_trace *t)
{
	const char *uname = trace_dat_uname(t->dat);
	struct scan c = scan_of(uname, strlen(uname)), word;

	for (unsigned i = 0; scan_word(&c, &word); i++) {
		if (i == 2) {
			take_kernel(t, &word);
		}
		scan_blanks(&c);
	}
}

int zl_trace_open(const char *path, const struct zl_allocator *mem, struct zl_trace **ret,
	struct zl_error *err)
{
	static const char magic[] = {'\x17', '\x08', '\x44', 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	struct zl_trace *t = trace_new(mem, path);
	int rc = t == NULL ? -ENOMEM : open_stream(t, path);

	rc = rc != 0 ? rc : refill(t);
	if (rc != 0) {
		zl_trace_close(t);
		return refuse(err, path, rc);
	}
	if ((size_t)(t->end - t->at) >= sizeof(magic) && memcmp(t->at, magic, sizeof(magic)) == 0) {
		gzclose(t->gz);
		t->gz = NULL;
		rc = trace_dat_open(path, &t->dat, err);
		if (rc != 0) {
			zl_error_file(err, path);
			zl_trace_close(t);
			return rc;
		}
		take_uname(t);
	}
	*ret = t;
	return 0;
}

bool zl_trace_recognise(const char *path)
{
	struct zl_trace *t = trace_new(zl_allocator_heap(), path);
	enum zl_file_kind kind = ZL_FILE_UNKNOWN;

	if (t != NULL && open_stream(t, path) == 0 && refill(t) == 0) {
		kind = zl_file_detect(t->at, (size_t)(t->end - t->at));
	}
	zl_trace_close(t);
	return kind == ZL_FILE_TRACE || kind == ZL_FILE_TRACE_DAT;
}

int zl_trace_open_memory(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_trace **ret, struct zl_error *err)
{
	struct zl_trace *t = trace_new(mem, "(memory)");

	if (t == NULL) {
		return refuse(err, "(memory)", -ENOMEM);
	}
	t->at = data;
	t->end = data + size;
	t->size = size;
	t->ended = true;
	*ret = t;
	return 0;
}

void zl_trace_close(struct zl_trace *t)
{
	if (t != NULL) {
		if (t->gz != NULL) {
			gzclose(t->gz);
		}
		trace_dat_close(t->dat);
		t->mem->free(t->mem->user, t->window);
		t->mem->free(t->mem->user, t);
	}
}

/* Takes the line that ends at @feed, or what is left. False: it was the end of a long line. */
static bool take_line(struct zl_trace *t, const char *feed, struct zl_line *ret)
{
	bool skip = t->skipping;

	ret->s = t->at;
	ret->len = (size_t)((feed != NULL ? feed : t->end) - t->at);
	t->at = feed != NULL ? feed + 1 : t->end;
	t->skipping = false;
	if (!skip) {
		ret->number = ++t->line;
	}
	return !skip;
}

/* Takes a part of a line that is too long. Returns 1 for its start, 0 for more of it, -E2BIG. */
static int take_part(struct zl_trace *t, struct zl_line *ret)
{
	bool first = !t->skipping;

	ret->s = t->at;
	ret->len = (size_t)(t->end - t->at);
	t->at = t->end;
	t->skipping = true;
	t->skipped = (first ? 0 : t->skipped) + ret->len;
	if (t->skipped > ZL_TRACE_SKIP_MAX) {
		return -E2BIG;
	}
	if (first) {
		ret->number = ++t->line;
	}
	return first;
}

/*
 * The next line. Returns 1; 0 at the end; -errno. Of a line that is too long only its start is
 * given, and @ret_long is set.
 */
static int next_line(struct zl_trace *t, struct zl_line *ret, bool *ret_long)
{
	for (;;) {
		size_t left = (size_t)(t->end - t->at);
		const char *feed = left > 0 ? memchr(t->at, '\n', left) : NULL;
		int rc = 0;

		if (feed != NULL || (t->ended && left > 0)) {
			if (take_line(t, feed, ret)) {
				*ret_long = ret->len > ZL_TRACE_LINE_MAX;
				return 1;
			}
			continue;
		}
		if (t->ended) {
			return 0;
		}
		if (left > ZL_TRACE_LINE_MAX) {
			rc = take_part(t, ret);
			*ret_long = rc == 1;
		}
		rc = rc != 0 ? rc : refill(t);
		if (rc != 0) {
			return rc;
		}
	}
}

static void complain(struct zl_trace *t, const struct zl_line *line, const struct zl_error *why)
{
	if (t->report.nr_complaints < ZL_IMPORT_COMPLAINTS_MAX) {
		import_complain(&t->report, line, why->column, "%s", why->text);
	}
}

static int fail(struct zl_trace *t, int rc, struct zl_error *err)
{
	if (rc == -EINTR) { /* the caller knows why */
		return rc;
	}
	if (rc == -EINVAL) {
		zl_error_set(err, t->line, 0,
			"broken gzip data behind this line; pack it again or give the plain text");
	} else if (rc == -E2BIG) {
		zl_error_set(err, t->line, 0,
			"a line without an end in 64 MiB; a trace in text has lines");
	} else {
		zl_error_set(
			err, t->line, 0, "reading failed behind this line; is the disk whole?");
	}
	zl_error_file(err, t->name);
	t->ended = true;
	t->at = t->end;
	return rc;
}

static int next_of_dat(struct zl_trace *t, struct zl_trace_event *ret, struct zl_error *err)
{
	uint64_t skipped = 0;
	int rc = trace_dat_next(t->dat, ret, &skipped);

	t->fates[ZL_TRACE_LINE_OTHER] += skipped;
	t->line += (unsigned)skipped;
	if (rc == 1) {
		ret->line = ++t->line;
		t->fates[ZL_TRACE_LINE_EVENT]++;
		t->events[ret->kind]++;
	}
	return rc < 0 ? fail(t, rc, err) : rc;
}

/* "# os release : 6.12.0-1-amd64" and "# nop latency trace v1.1.5 on 6.12.0-1-amd64" */
static void told_kernel(struct zl_trace *t, const struct zl_line *line)
{
	struct scan c = scan_trim(scan_of(line->s, line->len)), word;

	if (!scan_literal(&c, "# ")) {
		return;
	}
	if (scan_literal(&c, "os release : ")) {
		(void)scan_word(&c, &word);
	} else if (!scan_word(&c, &word) || !scan_blanks(&c) ||
		   !scan_literal(&c, "latency trace v") || !scan_word(&c, &word) ||
		   !scan_blanks(&c) || !scan_literal(&c, "on ") || !scan_word(&c, &word)) {
		return;
	}
	take_kernel(t, &word);
}

const char *zl_trace_kernel(const struct zl_trace *t)
{
	return t->kernel;
}

int zl_trace_next(struct zl_trace *t, struct zl_trace_event *ret, struct zl_error *err)
{
	struct zl_error why;
	struct zl_line line;
	bool too_long = false;
	int rc;

	if (t->dat != NULL) {
		return next_of_dat(t, ret, err);
	}
	while ((rc = next_line(t, &line, &too_long)) == 1) {
		enum zl_trace_fate fate;

		why.text[0] = '\0';
		why.column = 1;
		fate = too_long ? ZL_TRACE_LINE_TOO_LONG
				: zl_trace_line(line.s, line.len, ret, &why);
		t->fates[fate]++;
		if (fate == ZL_TRACE_LINE_EVENT) {
			t->events[ret->kind]++;
			ret->line = line.number;
			return 1;
		}
		if (fate == ZL_TRACE_LINE_COMMENT && t->kernel[0] == '\0') {
			told_kernel(t, &line);
		}
		if (fate >= ZL_TRACE_LINE_CUT) {
			if (fate == ZL_TRACE_LINE_TOO_LONG) {
				zl_error_set(&why, 0, 1, "longer than 64 KiB; no event is");
			} else if (fate == ZL_TRACE_LINE_STRANGE) {
				zl_error_set(&why, 0, 1,
					"no event; \"task-pid [cpu] time: event: fields\" is one");
			}
			complain(t, &line, &why);
		}
	}
	return rc < 0 ? fail(t, rc, err) : 0;
}

void zl_trace_progress(const struct zl_trace *t, uint64_t *ret_at, uint64_t *ret_size)
{
	z_off_t at = t->gz != NULL ? gzoffset(t->gz) : -1;

	*ret_at = at > 0 ? (uint64_t)at : 0;
	*ret_size = t->size;
}

static void tally(
	struct zl_import_file *f, enum zl_line_fate fate, const char *what, uint64_t lines)
{
	if (lines > 0 && f->nr_tallies < ZL_IMPORT_TALLIES_MAX) {
		f->tally[f->nr_tallies++] = (struct zl_import_tally){fate, what, (unsigned)lines};
	}
}

void zl_trace_report(const struct zl_trace *t, struct zl_import_file *ret)
{
	const uint64_t *n = t->fates;

	*ret = t->report;
	memcpy(ret->name, t->name, sizeof(ret->name));
	ret->kind = t->dat != NULL ? ZL_FILE_TRACE_DAT : ZL_FILE_TRACE;
	ret->handled = true;
	ret->used = (unsigned)n[ZL_TRACE_LINE_EVENT];
	ret->counted = (unsigned)(n[ZL_TRACE_LINE_COMMENT] + n[ZL_TRACE_LINE_CHAIN] +
				  n[ZL_TRACE_LINE_OTHER]);
	ret->not_understood = (unsigned)(n[ZL_TRACE_LINE_CUT] + n[ZL_TRACE_LINE_TOO_LONG] +
					 n[ZL_TRACE_LINE_STRANGE]);
	ret->lines = ret->used + ret->counted + ret->not_understood;
	ret->nr_tallies = 0;
	for (unsigned k = 0; k < ZL_TRACED_COUNT; k++) {
		tally(ret, ZL_LINE_USED, zl_traced_name((enum zl_traced)k), t->events[k]);
	}
	tally(ret, ZL_LINE_COUNTED, "heads and comments", n[ZL_TRACE_LINE_COMMENT]);
	tally(ret, ZL_LINE_COUNTED, "call chains", n[ZL_TRACE_LINE_CHAIN]);
	tally(ret, ZL_LINE_COUNTED, "other events", n[ZL_TRACE_LINE_OTHER]);
	tally(ret, ZL_LINE_NOT_UNDERSTOOD, "events cut short", n[ZL_TRACE_LINE_CUT]);
	tally(ret, ZL_LINE_NOT_UNDERSTOOD, "lines too long", n[ZL_TRACE_LINE_TOO_LONG]);
	tally(ret, ZL_LINE_NOT_UNDERSTOOD, "other lines", n[ZL_TRACE_LINE_STRANGE]);
}
