/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the readers of imported files share. A reader gets the text of one file (or one section
 * of a capture) and accounts for every line of it.
 */
#ifndef ZONELAB_IO_IMPORTING_H
#define ZONELAB_IO_IMPORTING_H

#include "scan.h"
#include "zonelab/import.h"

/* Counts one line. @what is a string constant; equal strings share a tally. */
void import_count(struct zl_import_file *f, enum zl_line_fate fate, const char *what);
/* Enters a tally without lines, to fix its place in the report. */
void import_expect(struct zl_import_file *f, enum zl_line_fate fate, const char *what);
/* Counts a line as not understood and keeps the first of them; verbs as in zonelab/text.h. */
void import_complain(
	struct zl_import_file *f, const struct zl_line *line, size_t column, const char *fmt, ...);
/* Column of a cursor in a line, from 1. */
size_t import_column(const struct zl_line *line, const struct scan *c);

/* Doubles an array for one more element; NULL without memory (the array stays as it was). */
void *import_grow(const struct zl_allocator *a, void *array, size_t count, size_t size);

/* Raises the lowest or lowers the highest release that fits. */
void import_release_from(struct zl_import *im, const char *release, const char *why);
void import_release_to(struct zl_import *im, const char *release, const char *why);
void import_set(struct zl_import *im, enum zl_setting key, int64_t number);
/* Sets a text setting from a file; a value that the table refuses becomes a diagnostic. */
void import_set_text(struct zl_import *im, enum zl_setting key, const struct scan *value);

/* A reader answers 0 or -ENOMEM. */
typedef int import_reader(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
/* The reader of a kind; NULL = another command reads it. */
import_reader *import_reader_of(enum zl_file_kind kind);
int read_kconfig(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_zoneinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_buddyinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_pagetypeinfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_meminfo(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_vmstat(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_sysctl(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_thp(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_cmdline(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
int read_boot_log(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);
/* Memory, nodes and zones of a boot log, where no zoneinfo says more. */
/** The path of a file in a folder; false when @path has no room for all of it. */
bool import_join(char *path, size_t size, const char *dir, const char *name);
void settle_boot_zones(struct zl_import *im);
/* What "Linux version" and batches tell of architecture and release; what a log leaves open about CPUs and memory. */
void bootlog_arch(struct zl_import *im, const struct zl_line *line);
void bootlog_release(struct zl_import *im);
void bootlog_cpus(struct zl_import *im);
void bootlog_zones(struct zl_import *im);
int read_capture(struct zl_import *im, struct zl_import_file *f, struct zl_lines *lines);

/* One line of an out-of-memory report; true when it was one. The zone heading is kept in @head. */
struct oom_head {
	int node;
	char zone[16];
};
/* Returns 1 when the line was one, 0 when not, -ENOMEM. */
int read_oom_line(struct zl_import *im, struct oom_head *head, const struct zl_line *line);
/* The parameters of a command line that matter here. */
void import_cmdline(struct zl_import *im, const char *text, size_t len);

#endif
