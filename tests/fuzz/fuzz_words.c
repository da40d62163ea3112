/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small texts that have a reader of their own: ranges of CPUs, layouts of zones, kernel command
 * lines, subjects of mails, prefixes of log lines, expressions over metrics.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/dmesg.h"
#include "zonelab/import.h"
#include "zonelab/mail.h"
#include "zonelab/metrics.h"
#include "zonelab/scenario.h"

#define RANGES 8

static void check_cpus(const char *text)
{
	struct zl_cpu_range range[RANGES];
	struct zl_error err = {0};
	int n = zl_cpu_ranges_parse(text, range, RANGES, &err);

	if (n > RANGES || (n < 0 && err.text[0] == '\0')) {
		abort();
	}
	fuzz_check_clean(err.text, "");
}

static void check_layout(const char *text)
{
	struct zl_zone_layout layout;
	struct zl_error err = {0};

	if (zl_zone_layout_parse(text, &layout, &err) != 0) {
		if (err.text[0] == '\0') {
			abort();
		}
	} else if (layout.count > ZL_ZONE_TYPE_COUNT) {
		abort();
	}
	fuzz_check_clean(err.text, "");
}

static void check_subject(const char *text, size_t size)
{
	struct zl_mail_subject subject;

	zl_mail_subject_read(text, size, &subject);
	fuzz_check_clean(subject.text, "");
	if (subject.stem > strlen(subject.text)) {
		abort();
	}
}

static void check_watch(const char *text)
{
	struct zl_watch watch = {0};
	struct zl_error err = {0};
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	if (zl_watch_compile(text, &heap.allocator, &watch, &err) == 0) {
		zl_watch_done(&watch, &heap.allocator);
	} else if (err.text[0] == '\0') {
		abort();
	}
	fuzz_check_clean(err.text, "");
	fuzz_heap_check(&heap);
}

/* What is known stays as it is when it is read again. */
static void check_command_line(char *text)
{
	zl_cmdline_known_words(text);
	char *again = strdup(text);

	if (again != NULL) {
		zl_cmdline_known_words(again);
		if (strcmp(again, text) != 0) {
			abort();
		}
	}
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_string(data, size);
	int64_t time_us = 0;

	if (text == NULL) {
		return 0;
	}
	size_t n = strlen(text);
	if (zl_klog_prefix(text, n, &time_us) > n) {
		abort();
	}
	check_cpus(text);
	check_layout(text);
	check_subject(text, n);
	check_watch(text);
	check_command_line(text);
	free(text);
	return 0;
}
