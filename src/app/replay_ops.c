/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_ops.h"

#include <errno.h>
#include <string.h>

#include "zonelab/save.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

#define OP_TEXT	    64
#define FLUSH_BYTES 65536u

struct writing {
	struct zl_buf text;
	struct output *out; /* where pieces go, NULL = all is kept */
};

static int flush(struct writing *w, size_t at_least)
{
	int rc = w->text.failed ? -ENOMEM : 0;

	if (rc == 0 && w->out != NULL && w->text.len >= at_least) {
		rc = output_stream(w->out, w->text.data, w->text.len);
		zl_buf_clear(&w->text);
	}
	return rc;
}

static void write_head(const struct replay_job *j, struct zl_buf *b)
{
	struct zl_workload w = {.config = j->where.config, .format = 2, .mem = j->mem};

	zl_format(w.name, sizeof(w.name), "%s", j->name);
	zl_format(w.title, sizeof(w.title), "%s: %s of %s", j->name, j->zone_name, j->kernel);
	zl_workload_write(&w, b);
}

static int write_all(const struct replay_job *j, struct writing *w)
{
	struct zl_error *err = &w->out->error;
	struct zl_replay *p = NULL;
	char text[OP_TEXT];
	struct zl_op op;
	uint64_t n = 0;
	int rc = zl_replay_new(j->recording, &j->where, NULL, &p, err);

	write_head(j, &w->text);
	while (rc == 0 && (rc = zl_replay_next(p, &op, NULL, err)) == 1) {
		if (n++ == zl_replay_start_ops(p)) {
			zl_buf_str(&w->text, "# the demand\n");
		}
		zl_op_format(&op, text, sizeof(text));
		zl_buf_fmt(&w->text, "%s\n", text);
		rc = flush(w, FLUSH_BYTES);
	}
	zl_replay_free(p);
	return rc != 0 ? rc : flush(w, 1);
}

int replay_write_ops(const struct replay_job *j, const char *path, struct output *out)
{
	struct writing w = {.out = out};
	bool standard = strcmp(path, "-") == 0;
	int rc;

	if (standard) {
		rc = write_all(j, &w);
	} else {
		struct output kept = {.format = FORMAT_TEXT};

		w.out = &kept; /* without a stream: all is kept */
		rc = write_all(j, &w);
		rc = rc != 0 ? rc
			     : zl_save(path, zl_buf_text(&kept.text), kept.text.len, false,
				       &out->error);
		if (out->error.text[0] == '\0') {
			out->error = kept.error;
		}
		output_done(&kept);
	}
	zl_buf_done(&w.text);
	return rc;
}
