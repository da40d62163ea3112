/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --lane of the explorer. */
#include <errno.h>

#include "cli.h"
#include "lanes.h"

/* Index of a lane of the explorer, "B:..."; APP_LANES = none. */
static unsigned lane_index(const char *text)
{
	unsigned i = (unsigned)((unsigned char)text[0] - 'A');

	return i < APP_LANES && text[1] == ':' ? i : APP_LANES;
}

/* --lane, in the order of their letters: the others are laid over lane A. Lane A has the focus. */
int cli_open_lanes(struct app *app, const struct cli *cli, struct zl_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < cli->nr_lane; i++) {
		if (lane_index(cli->lane[i]) == APP_LANES) {
			zl_error_set(err, 0, 0,
				"'%s' is no lane of the explorer; A to D, as in B:kernel=6.12.0",
				cli->lane[i]);
			return -EINVAL;
		}
	}
	for (unsigned lane = 0; lane < APP_LANES && rc == 0; lane++) {
		for (size_t i = 0; i < cli->nr_lane && rc == 0; i++) {
			if (lane_index(cli->lane[i]) == lane) {
				rc = lane_open(app, lane, 0, cli->lane[i] + 2, err);
			}
		}
	}
	rc = rc == 0 && cli->nr_lane > 0 ? lane_focus(app, 0, err) : rc;
	return rc;
}

/* The explorer's lanes as options of a command, which wants lane A to be named. */
bool cli_add_lanes(const struct cli *from, struct cli *to)
{
	bool first = from->nr_lane == 0;

	for (size_t i = 0; i < from->nr_lane; i++) {
		first = first || lane_index(from->lane[i]) == 0;
	}
	if (to->nr_rest + 2 * (from->nr_lane + 1) > CLI_LIST_MAX) {
		return false;
	}
	if (!first) {
		to->rest[to->nr_rest++] = "--lane";
		to->rest[to->nr_rest++] = "A:";
	}
	for (size_t i = 0; i < from->nr_lane; i++) {
		to->rest[to->nr_rest++] = "--lane";
		to->rest[to->nr_rest++] = from->lane[i];
	}
	to->nr_before = to->nr_rest;
	return true;
}
