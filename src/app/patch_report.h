/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `patch`.
 */
#ifndef APP_PATCH_REPORT_H
#define APP_PATCH_REPORT_H

#include "patch_open.h"

void patch_report(const struct patch_answer *a, struct output *out);
void patch_json(const struct patch_answer *a, struct output *out);

/* Parts that `review` has, too. */

/** What the patches change, and what is not modelled, as text. */
void patch_print_changes(const struct patch_answer *a, struct output *out);
/** What became of a hunk on its way, "" if nothing. */
const char *patch_hunk_state(const struct zl_patch_hunk *h);
/** A walk over the hunks of the patches that are used; all 0 but for @p at the start. */
struct patch_hunks {
	const struct zl_patches *p;
	size_t patch, file, hunk;
};
/** The next hunk that has a state to tell of, in used[@patch]; NULL at the end. */
const struct zl_patch_hunk *patch_next_damaged(struct patch_hunks *walk);
/** "free_high", "pcp_batch_scale_max": what a change is about. */
const char *patch_change_name(const struct zl_change *c);
/** The title of the patches: the subject of the first, or its file's name without folders. */
const char *patch_title(const struct patch_opened *p);

/** A name of the model in the text of a mail without a diff, and its sentence. */
struct patch_mention {
	char name[64];
	char sentence[300];
};
#define PATCH_MENTIONS 16
size_t patch_mentions(const struct patch_opened *p, struct patch_mention *ret);

/** What kind of diff stands there that is not read, and its line; NULL = none. */
const char *patch_other_diff(const struct patch_opened *p, uint32_t *ret_line);

/** A row "16KiB | 11 | 11 | ... = 32MiB" of a table about CMA alignment in the text. */
struct patch_row {
	uint64_t page_size, alignment;
	unsigned max_order, block_order;
	bool right; /* alignment is page_size << block_order */
};
#define PATCH_ROWS 32
size_t patch_rows(const struct patch_opened *p, struct patch_row *ret);

#endif
