/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded trace of tests/data with the machine that it was recorded on. */
#ifndef TESTS_SUPPORT_RECORDED_H
#define TESTS_SUPPORT_RECORDED_H

#include "zonelab/machine.h"
#include "zonelab/replay.h"

struct recorded {
	struct zl_recording *recording;
	struct zl_profile profile;
	struct zl_machine machine;
	struct zl_replay_where where;
};

/**
 * Folder ("linux-6.12.117-x86_64-4k-debian-cloud-trace") and workload ("mthp3"); fails the test
 * when something cannot be read. The zone is the one with most events.
 */
struct recorded *recorded_open(const char *folder, const char *workload);
void recorded_close(struct recorded *r);

#endif
