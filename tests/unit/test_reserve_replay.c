/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `reserve --demand` and `reserve --replay` as text: sizes of buffers, and lists of allocations
 * over a small pool worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "zonelab/text.h"

/*
 * 1920x1080 NV12 is 3 110 400 bytes, 760 pages; alignment is capped at order 8, so they lie 768 pages
 * apart: 2 * 768 + 760. Two of 1024 pages go behind them, from 2304 to 4352: 17 MiB.
 */
static void buffers_are_listed_with_the_pool_that_holds_them(void **state)
{
	struct output out;

	app_start(*state, "kernel=6.12 arch=arm64 page_size=4K");
	assert_int_equal(
		EXIT_YES, app_run(*state, "reserve --demand 1920x1080:NV12:3 --demand 4M:2",
				  FORMAT_TEXT, &out));
	assert_string_equal("buffers              each  count\n"
			    "1920x1080:NV12:3  3.0 MiB      3\n"
			    "4M:2                4 MiB      2\n"
			    "5 buffers of 16.9 MiB, 17 MiB packed with their alignment\n"
			    "pool: 18 MiB, size = <0x0 0x1200000>;\n",
		zl_buf_text(&out.text));
	output_done(&out);
}

/* The text of the answer to a list, or what is wrong with it. */
static void replayed(struct app *app, const char *list, enum exit_status status, const char *text)
{
	char path[] = "/tmp/zonelab-replay-XXXXXX";
	char line[128];
	struct output out;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(strlen(list), write(fd, list, strlen(list)));
	close(fd);
	zl_format(line, sizeof(line), "reserve --replay %s", path);
	enum exit_status was = app_run(app, line, FORMAT_TEXT, &out);
	unlink(path);
	if (status == EXIT_USAGE) {
		assert_string_equal(text, out.error.text);
	} else {
		assert_string_equal(text, zl_buf_text(&out.text));
	}
	assert_int_equal(status, was);
	output_done(&out);
}

/* 64 pages: 16 at 0, 32 at 32, then only 16 and a pinned page are left. */
static void each_line_of_a_list_has_its_sentence(void **state)
{
	app_start(*state, "page_size=4K");
	replayed(*state,
		"pool 256K\npin 20 1\nalloc 16\nalloc 32\nalloc 16\nalloc 33\nfree 2\nalloc 64K\n",
		EXIT_NO,
		"pool of 64 pages, 256 KiB\n"
		"  1: alloc 16 pages, 64 KiB, align 4: page 0\n"
		"  2: alloc 32 pages, 128 KiB, align 5: page 32\n"
		"  3: alloc 16 pages, 64 KiB, align 4: EBUSY: 1 run tried, with a pinned "
		"page\n"
		"  4: alloc 33 pages, 132 KiB, align 6: ENOMEM: no run is long enough\n"
		"  free 2\n"
		"  5: alloc 16 pages, 64 KiB, align 4: page 32\n"
		"2 failed; 32 pages free at the end, longest run 16\n");
}

/* From PFN 8 on alignment 16 is 8 pages into the pool; a bit of order 2 stands for four pages. */
static void base_and_order_per_bit_count(void **state)
{
	app_start(*state, "page_size=4K");
	replayed(*state, "pool 64\nbase 8\nalloc 16 align 4\n", EXIT_YES,
		"pool of 64 pages, 256 KiB\n"
		"  1: alloc 16 pages, 64 KiB, align 4: page 8\n"
		"0 failed; 48 pages free at the end, longest run 40\n");
	replayed(*state,
		"pool 64\nbase 0x10\norder_per_bit 2\nalloc 5 align 0\nalloc 1 align 0\nfree 1\n",
		EXIT_YES,
		"pool of 64 pages, 256 KiB\n"
		"  1: alloc 5 pages, 20 KiB, align 0: page 0\n"
		"  2: alloc 1 pages, 4 KiB, align 0: page 8\n"
		"  free 1\n"
		"0 failed; 60 pages free at the end, longest run 52\n");
	/* What failed holds nothing, so that freeing it gives nothing back. */
	replayed(*state, "pool 16\nalloc 16\nalloc 1\nfree 2\n", EXIT_NO,
		"pool of 16 pages, 64 KiB\n"
		"  1: alloc 16 pages, 64 KiB, align 4: page 0\n"
		"  2: alloc 1 pages, 4 KiB, align 0: ENOMEM: no run is long enough\n"
		"  free 2\n"
		"1 failed; 0 pages free at the end, longest run 0\n");
}

static void a_line_that_cannot_be_is_refused_with_the_right_form(void **state)
{
	static const struct {
		const char *list, *why;
	} table[] = {
		{"",				   "an empty list; the first line is: pool SIZE"		  },
		{"alloc 1\n",			      "no pool yet; the first line is: pool SIZE"			 },
		{"pool 0\n",
			"no pool; once, in front of all else: pool SIZE, at most 4194304 pages"			       },
		{"pool 4194305\n",
			"no pool; once, in front of all else: pool SIZE, at most 4194304 pages"			       },
		{"pool 1\npool 1\n",
			"no pool; once, in front of all else: pool SIZE, at most 4194304 pages"			       },
		{"pool 8\nbase x\n",		     "no base; base PFN, decimal or 0x"			       },
		{"pool 8\norder_per_bit 21\n",
			"no order_per_bit; order_per_bit 0 to 20, before any alloc"					   },
		{"pool 8\nalloc 1\norder_per_bit 1\n",
			"no order_per_bit; order_per_bit 0 to 20, before any alloc"					   },
		{"pool 8\npin 8 1\n",		      "no pin in the pool; pin START COUNT, at most 256 of them"	},
		{"pool 8\npin 7 2\n",		      "no pin in the pool; pin START COUNT, at most 256 of them"	},
		{"pool 8\npin 7 0\n",		      "no pin in the pool; pin START COUNT, at most 256 of them"	},
		{"pool 8\nalloc 0\n",		      "no allocation; alloc SIZE, or alloc SIZE align ORDER"	    },
		{"pool 8\nalloc 1 to 3\n",		   "no allocation; alloc SIZE, or alloc SIZE align ORDER"	 },
		{"pool 8\nfree 1\n",		     "no such allocation; free NUMBER, counted from 1"	      },
		{"pool 8\nalloc 1\nfree 0\n",	      "no such allocation; free NUMBER, counted from 1"	       },
		{"pool 8\nalloc 1\nfree 2\n",	      "no such allocation; free NUMBER, counted from 1"	       },
		{"pool 8\nalloc 1\nfree 1\nfree 1\n",
			"freed before; each allocation is freed once"							     },
		{"pool 8\nmap 1\n",		    "no such word; pool, base, order_per_bit, pin, alloc or free"},
	};

	app_start(*state, "page_size=4K");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		replayed(*state, table[i].list, EXIT_USAGE, table[i].why);
	}
	replayed(*state, "pool 8\npin 7 1\npin 0 8\n", EXIT_YES,
		"pool of 8 pages, 32 KiB\n0 failed; 8 pages free at the end, longest run 8\n");
}

/* 256 lines are taken and the next one is not. */
static void a_list_has_at_most_256_ops(void **state)
{
	struct zl_buf list = {0};

	app_start(*state, "page_size=4K");
	zl_buf_str(&list, "pool 512\n");
	for (unsigned i = 0; i < 257; i++) {
		zl_buf_str(&list, "alloc 1\n");
	}
	replayed(*state, zl_buf_text(&list), EXIT_USAGE,
		"the list is too long; at most 256 allocations and frees");
	zl_buf_done(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(buffers_are_listed_with_the_pool_that_holds_them),
		APP_TEST(each_line_of_a_list_has_its_sentence),
		APP_TEST(base_and_order_per_bit_count),
		APP_TEST(a_line_that_cannot_be_is_refused_with_the_right_form),
		APP_TEST(a_list_has_at_most_256_ops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
