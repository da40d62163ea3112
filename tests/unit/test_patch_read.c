/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"
#include "zonelab/patch.h"

static struct zl_patches read_version(const char *text, unsigned version)
{
	const struct zl_patch_input in = {"mem", text, strlen(text)};
	const struct zl_patch_request request = {&in, 1, version};
	struct zl_patches p;
	struct zl_error err = {0};

	if (zl_patches_read(&request, zl_allocator_heap(), &p, &err) != 0) {
		fail_msg("%u: %s", err.line, err.text);
	}
	return p;
}

static struct zl_patches read_patches(const char *text)
{
	return read_version(text, 0);
}

/* The changed and unchanged lines of a hunk as text: " a\n-b\n+c\n". */
static const char *hunk_text(const struct zl_patch_hunk *h, char *buf)
{
	static const char marks[] = " -+";
	size_t n = 0;

	for (size_t i = 0; i < h->nr_lines; i++) {
		buf[n++] = marks[h->lines[i].kind];
		memcpy(buf + n, h->lines[i].s, h->lines[i].len);
		n += h->lines[i].len;
		buf[n++] = '\n';
	}
	buf[n] = '\0';
	return buf;
}

static const char plain[] = "diff --git a/mm/x.c b/mm/x.c\n"
			    "index 0123456..789abcd 100644\n"
			    "--- a/mm/x.c\n"
			    "+++ b/mm/x.c\n"
			    "@@ -10,3 +10,3 @@ static int f(int a)\n"
			    " \tint b;\n"
			    "-\treturn a;\n"
			    "+\treturn b;\n"
			    " }\n"
			    "-- \n"
			    "2.39.2\n";

static void a_plain_diff_is_read_with_paths_lines_and_function(void **state)
{
	struct zl_patches p = read_patches(plain);
	const struct zl_patch_hunk *h;
	char buf[512];

	(void)state;
	assert_int_equal(1, p.nr_used);
	assert_int_equal(1, p.used[0]->nr_files);
	assert_string_equal("mm/x.c", p.used[0]->files[0].path);
	assert_int_equal(1, p.used[0]->files[0].nr_hunks);
	h = &p.used[0]->files[0].hunks[0];
	assert_string_equal("static int f(int a)", h->function);
	assert_int_equal(5, h->line);
	assert_int_equal(10, h->old_start);
	assert_false(h->cut || h->surplus || h->mended || h->together);
	assert_string_equal(" \tint b;\n-\treturn a;\n+\treturn b;\n }\n", hunk_text(h, buf));
	assert_int_equal(8, h->lines[2].line);
	zl_patches_done(&p);
}

static void diffs_without_git_and_new_files_are_read(void **state)
{
	struct zl_patches p = read_patches("--- old/x.c\t2024-01-01\n+++ old/x.c\t2024-01-02\n"
					   "@@ -1 +1,2 @@\n a\n+b\n"
					   "--- /dev/null\n+++ b/mm/new.c\n@@ -0,0 +1 @@\n+c\n"
					   "--- a/mm/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n");
	const struct zl_patch_file *f = p.used[0]->files;

	(void)state;
	assert_int_equal(3, p.used[0]->nr_files);
	assert_string_equal("old/x.c", f[0].path);
	assert_true(f[1].added);
	assert_string_equal("mm/new.c", f[1].path);
	assert_true(f[2].removed);
	assert_string_equal("mm/gone.c", f[2].path);
	zl_patches_done(&p);
}

static void wrapped_lines_are_put_together_and_said(void **state)
{
	struct zl_patches p = read_patches(
		"--- a/mm/x.c\n+++ b/mm/x.c\n"
		"@@ -10,3 +10,3 @@ static void free_unref_page_commit(struct zone *zone,\n"
		"struct per_cpu_pages *pcp)\n"
		" \tint b;\n"
		"-\tfree_high = (pcp->free_count >= batch && (pcp->flags &\n"
		"PCPF_PREV_FREE_HIGH_ORDER));\n"
		"+\tfree_high = false;\n"
		"\n");
	const struct zl_patch_hunk *h = p.used[0]->files[0].hunks;
	char buf[512];

	(void)state;
	assert_true(h->mended);
	assert_false(h->cut || h->surplus);
	assert_string_equal("static void free_unref_page_commit(struct zone *zone, "
			    "struct per_cpu_pages *pcp)",
		h->function);
	assert_string_equal(" \tint b;\n"
			    "-\tfree_high = (pcp->free_count >= batch && (pcp->flags & "
			    "PCPF_PREV_FREE_HIGH_ORDER));\n+\tfree_high = false;\n \n",
		hunk_text(h, buf));
	zl_patches_done(&p);
}

static void lost_line_breaks_are_found_by_the_marks(void **state)
{
	char text[2048] = "";
	struct zl_patches p;
	const struct zl_patch_hunk *h;
	char buf[512];

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		strcat(text, "prose ");
	}
	strcat(text, "--- mm/x.c | 2 +- diff --git a/mm/x.c b/mm/x.c index 0123456..789abcd 100644 "
		     "--- a/mm/x.c +++ b/mm/x.c @@ -10,3 +10,3 @@ static int f(int a)  \tint b; "
		     "-\treturn a - 1; +\treturn a + 1;  } -- 2.25.1");
	p = read_patches(text);
	h = p.used[0]->files[0].hunks;
	assert_string_equal("mm/x.c", p.used[0]->files[0].path);
	assert_true(h->together);
	assert_false(h->cut);
	assert_string_equal("static int f(int a)", h->function);
	assert_string_equal(
		" \tint b;\n-\treturn a - 1;\n+\treturn a + 1;\n } -- 2.25.1\n", hunk_text(h, buf));
	zl_patches_done(&p);
}

static void missing_and_surplus_lines_are_marked(void **state)
{
	struct zl_patches cut =
		read_patches("--- a/x\n+++ b/x\n@@ -1,7 +1,7 @@\n-a\n+b\n-- \n2.4\n");
	struct zl_patches more = read_patches("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n-c\n");
	struct zl_patches two =
		read_patches("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n-a\n+b\n@@ -30 +30 @@\n-c\n+d\n");

	(void)state;
	assert_true(cut.used[0]->files[0].hunks[0].cut);
	assert_int_equal(2, cut.used[0]->files[0].hunks[0].nr_lines);
	assert_true(more.used[0]->files[0].hunks[0].surplus);
	assert_true(two.used[0]->files[0].hunks[0].cut);
	assert_int_equal(2, two.used[0]->files[0].nr_hunks);
	assert_false(two.used[0]->files[0].hunks[1].cut);
	zl_patches_done(&cut);
	zl_patches_done(&more);
	zl_patches_done(&two);
}

static void half_a_quoted_hunk_goes_on_behind_a_remark(void **state)
{
	struct zl_patches p = read_patches("Subject: Re: [PATCH] mm: x\n\n"
					   "> --- a/mm/x.c\n> +++ b/mm/x.c\n"
					   "> @@ -10,4 +10,4 @@ int f(void)\n"
					   ">  \tint b;\n"
					   "> -\treturn a;\n"
					   "\n"
					   "Why?\n"
					   "\n"
					   "> +\treturn b;\n"
					   ">  }\n"
					   "\n"
					   "Bye\n");
	const struct zl_patch_hunk *h;
	char buf[512];

	(void)state;
	assert_int_equal(1, p.nr_used);
	assert_int_equal(ZL_PATCH_QUOTED, p.used[0]->use);
	assert_int_equal(1, p.used[0]->depth);
	h = p.used[0]->files[0].hunks;
	assert_string_equal(" \tint b;\n-\treturn a;\n+\treturn b;\n }\n", hunk_text(h, buf));
	assert_true(h->cut);
	assert_int_equal(11, h->lines[2].line);
	zl_patches_done(&p);
}

#define MAIL(subject, quote, new)                                                                  \
	"From a@example.org Mon Jan  1 10:20:30 2024\nSubject: " subject "\n\nwords\n\n" quote     \
	"--- a/x.c\n" quote "+++ b/x.c\n" quote "@@ -1 +1 @@\n" quote "-a\n" quote "+" new "\n\n"

static void the_newest_version_counts_and_the_others_are_listed(void **state)
{
	static const char thread[] = MAIL("[PATCH] mm: x", "", "b1") MAIL("Re: [PATCH] mm: x", "> ",
		"b1") MAIL("[PATCH v3] mm: x", "", "b3") MAIL("[PATCH v2] mm: x", "", "b2")
		MAIL("Re: [PATCH v3] mm: x", "> > ", "b3") MAIL("[PATCH v3 RESEND] mm: x", "", "b3")
			MAIL("Re: [PATCH v3] mm: x", "", "other");
	static const enum zl_patch_use use[] = {ZL_PATCH_SUPERSEDED, ZL_PATCH_SUPERSEDED,
		ZL_PATCH_USED, ZL_PATCH_SUPERSEDED, ZL_PATCH_REPEATED, ZL_PATCH_REPEATED,
		ZL_PATCH_OTHER};
	const struct zl_patch_input in = {"mem", thread, sizeof(thread) - 1};
	const struct zl_patch_request nine = {&in, 1, 9};
	struct zl_patches p = read_patches(thread), q = read_version(thread, 2), r;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(7, p.nr_patches);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(use[i], p.patch[i].use);
	}
	assert_int_equal(1, p.nr_used);
	assert_int_equal(3, p.version);
	assert_int_equal(1, q.nr_used);
	assert_int_equal(2, q.version);
	assert_int_equal(-ENOENT, zl_patches_read(&nine, zl_allocator_heap(), &r, &err));
	assert_string_equal("there is no version 9 here; the newest is v3", err.text);
	zl_patches_done(&p);
	zl_patches_done(&q);
}

static void parts_of_a_series_are_put_in_order(void **state)
{
	struct zl_patches p = read_patches(MAIL("[PATCH v2 2/2] mm: y", "", "c") MAIL(
		"[PATCH v1 1/3] mm: z", "", "d") MAIL("[PATCH v2 1/2] mm: x", "", "b"));

	(void)state;
	assert_int_equal(2, p.nr_used);
	assert_int_equal(1, p.used[0]->message->subject.part);
	assert_int_equal(2, p.used[1]->message->subject.part);
	assert_int_equal(ZL_PATCH_SUPERSEDED, p.patch[1].use);
	zl_patches_done(&p);
}

static void text_without_a_diff_has_none(void **state)
{
	struct zl_patches p = read_patches("Subject: [PATCH] x\n\n--- see below\n+++ and above\n"
					   "a\nTable:\n1 2 3\n4 5 6\n7 8 9\nend\n");

	(void)state;
	assert_int_equal(0, p.nr_used);
	assert_int_equal(1, p.nr_tables);
	assert_int_equal(3, p.table[0].count);
	assert_int_equal(4, p.table[0].first);
	zl_patches_done(&p);
}

static void hostile_sizes_are_refused(void **state)
{
	static const char hunk[] = "@@ -1 +1 @@\n-a\n+b\n";
	size_t n = ZL_PATCH_HUNKS_MAX + 1, len = sizeof(hunk) - 1;
	char *text = malloc(32 + n * len);
	struct zl_patch_input in = {"big", text, 0};
	const struct zl_patch_request request = {&in, 1, 0};
	struct zl_patches p;
	struct zl_error err = {0};

	(void)state;
	assert_non_null(text);
	strcpy(text, "--- a/x\n+++ b/x\n");
	in.size = strlen(text);
	for (size_t i = 0; i < n; i++, in.size += len) {
		memcpy(text + in.size, hunk, len);
	}
	assert_int_equal(-E2BIG, zl_patches_read(&request, zl_allocator_heap(), &p, &err));
	assert_string_equal("more than 16384 hunks; give fewer patches at a time", err.text);
	assert_string_equal("big", err.file);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_diff_is_read_with_paths_lines_and_function),
		cmocka_unit_test(diffs_without_git_and_new_files_are_read),
		cmocka_unit_test(wrapped_lines_are_put_together_and_said),
		cmocka_unit_test(lost_line_breaks_are_found_by_the_marks),
		cmocka_unit_test(missing_and_surplus_lines_are_marked),
		cmocka_unit_test(half_a_quoted_hunk_goes_on_behind_a_remark),
		cmocka_unit_test(the_newest_version_counts_and_the_others_are_listed),
		cmocka_unit_test(parts_of_a_series_are_put_in_order),
		cmocka_unit_test(text_without_a_diff_has_none),
		cmocka_unit_test(hostile_sizes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
