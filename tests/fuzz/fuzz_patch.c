/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mails and patches: lines know their numbers, texts are clean, and without memory nothing is kept.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zonelab/patch.h"

static void check_message(const struct zl_mail_message *m)
{
	size_t lines = 0;

	fuzz_check_clean(m->subject.text, "");
	fuzz_check_clean(m->text, "\n\t");
	if (strlen(m->text) != m->size || m->subject.stem > strlen(m->subject.text)) {
		abort();
	}
	for (const char *p = m->text; *p != '\0'; p++) {
		lines += *p == '\n';
	}
	if (lines > m->nr_lines) {
		abort();
	}
}

static void check_patch(const struct zl_patches *p, const struct zl_patch *patch)
{
	if (patch->use == ZL_PATCH_REPEATED && patch->same_as >= p->nr_patches) {
		abort();
	}
	for (size_t i = 0; i < patch->nr_files; i++) {
		const struct zl_patch_file *f = &patch->files[i];

		fuzz_check_clean(f->path, "");
		for (size_t k = 0; k < f->nr_hunks; k++) {
			const struct zl_patch_hunk *h = &f->hunks[k];

			fuzz_check_clean(h->function, "");
			for (size_t l = 0; l < h->nr_lines; l++) {
				if (memchr(h->lines[l].s, '\n', h->lines[l].len) != NULL) {
					abort();
				}
			}
		}
	}
}

static int read_patches(const char *text, size_t size, struct fuzz_heap *heap)
{
	const struct zl_patch_input in = {"fuzz", text, size};
	const struct zl_patch_request request = {&in, 1, 0};
	struct zl_patches p;
	int r = zl_patches_read(&request, &heap->allocator, &p, NULL);

	if (r == 0) {
		for (size_t i = 0; i < p.mail[0].nr_messages; i++) {
			check_message(&p.mail[0].message[i]);
		}
		for (size_t i = 0; i < p.nr_patches; i++) {
			check_patch(&p, &p.patch[i]);
		}
		zl_patches_done(&p);
	}
	fuzz_heap_check(heap);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int r = fuzz_texts(data, size, read_patches);

	if (r != 0 && r != -E2BIG && r != -EINVAL && r != -EILSEQ) {
		abort();
	}
	return 0;
}
