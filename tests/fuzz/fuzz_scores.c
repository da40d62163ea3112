/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores of lessons as the state directory keeps them: whatever the file is, numbers are not
 * negative and words fit.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "learn.h"
#include "zonelab/shipped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct learn l;
	char words[64];

	memset(&l.scores, 0, sizeof(l.scores));
	learn_read_scores(&l, (const char *)data, size);
	if (l.scores.count > LEARN_SCORES) {
		abort();
	}
	for (unsigned i = 0; i < l.scores.count; i++) {
		const struct learn_score *s = &l.scores.item[i];

		if (s->attempts < 0 || s->best < 0 || s->of < 0 ||
			memchr(s->name, '\0', sizeof(s->name)) == NULL) {
			abort();
		}
	}
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		learn_score_words(&l, i, words, sizeof(words));
	}
	return 0;
}
