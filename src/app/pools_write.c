/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing the corrected source of the Reserve screen.
 */
#include <errno.h>
#include <string.h>

#include "pools.h"
#include "zonelab/save.h"

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s);
	size_t k = strlen(end);

	return n >= k && strcmp(s + n - k, end) == 0;
}

/* The one source that changes; NULL with @err filled when there is none or there are several. */
static const struct reserve_file *changed_source(
	const struct reserve *r, unsigned *ret_part, struct zl_error *err)
{
	const struct reserve_file *found = NULL;
	size_t lost = 0;
	bool several = false;

	for (size_t i = 0; i < r->nr_files; i++) {
		const struct zl_dts_fix *fix = &r->file[i].fix;

		if (r->file[i].dts == NULL) {
			continue;
		}
		lost += fix->lost;
		for (size_t k = 0; k < fix->count; k++) {
			several = several ||
				  (found != NULL &&
					  (found != &r->file[i] || *ret_part != fix->edit[k].file));
			found = &r->file[i];
			*ret_part = fix->edit[k].file;
		}
	}
	if (several) {
		zl_error_set(
			err, 0, 0, "several files change; a name that ends in .diff gets them all");
		return NULL;
	}
	if (found == NULL) {
		zl_error_set(err, 0, 0,
			lost > 0 ? "there is no source text that could be changed; f shows what to "
				   "write"
				 : "no device-tree source needs a change");
	}
	return found;
}

bool pools_unwritten(const struct app *app)
{
	return app->pools != NULL && app->pools->nr_done != app->pools->nr_written;
}

int pools_write_fix(struct app *app, const char *file, struct zl_error *err)
{
	const struct reserve *r = app->pools->r;
	struct zl_buf text = {0};
	unsigned part = 0;
	int e = -EINVAL;

	if (ends_with(file, ".diff") || ends_with(file, ".patch")) {
		reserve_diff(r, &text);
		if (text.len == 0) {
			zl_error_set(err, 0, 0, "no device-tree source needs a change");
			zl_buf_done(&text);
			return -EINVAL;
		}
	} else {
		const struct reserve_file *f = changed_source(r, &part, err);

		if (f == NULL) {
			return -EINVAL;
		}
		zl_dts_fix_text(f->dts, part, &f->fix, &text);
	}
	if (text.failed) {
		zl_error_set(err, 0, 0, "no memory for the text; nothing was written");
		e = -ENOMEM;
	} else {
		e = zl_save(file, zl_buf_text(&text), text.len, false, err);
		app->pools->nr_written = e == 0 ? app->pools->nr_done : app->pools->nr_written;
	}
	zl_buf_done(&text);
	return e;
}
