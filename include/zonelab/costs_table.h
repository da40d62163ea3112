/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of costs: id (as of the setting), default, part of the lock, source. */
/* No include guard: expanded by its includers with their own ZL_COST. */

ZL_COST(LOCK_COST_PERCENT, 100, false,
	"a machine's, never a design's: 100 = Intel servers as measured, 400 = EPYC guest, the "
	"value "
	"that gives the reported 449 us of a refill while ten large processes exit")
ZL_COST(HIT_NS, 28, false,
	"half of 54-58 ns, order-0 alloc and free (page_bench04, Xeon E5-1650 v4)")
ZL_COST(TAKE_NS, 25, true,
	"slope of the time inside the lock for batch 63 to 2047: 21.4, 18.8, 34.1 ns a page on "
	"Sapphire Rapids, Ice Lake, Cascade Lake (commit 52166607ecc9 and its thread); desktops "
	"27-32")
ZL_COST(GIVE_NS, 33, true,
	"the same, freeing: 28.8, 27.4, 42.0; desktops 27-44; merges of order 0 are inside")
ZL_COST(HOLD_NS, 550, true,
	"the same, intercept when freeing 520, 480, 640 (taking 1320, 840, 1380); includes the "
	"tracer: an upper value")
ZL_COST(LOCK_NS, 10, true,
	"lock and unlock 33 cycles, 12.6 ns (time_bench sample, prototype-kernel)")
ZL_COST(LLC_NS, 19, true, "15-19 ns inside one CCX (AnandTech, Zen 4, 7950X)")
ZL_COST(LINE_NS, 80, true,
	"up to 79.5 ns between CCXs (same); that each block of order 1 and above misses is "
	"inferred")
ZL_COST(NODE_NS, 200, true, "no source; unused while a zone is touched from its own node only")
ZL_COST(HANDOVER_LINES, 2, false, "see the release, then own the lock word: reasoned, not measured")
ZL_COST(MERGE_LINES, 1, false, "one line a buddy: reasoned, not measured")
ZL_COST(CPUS_PER_CACHE, 16, false, "neighbouring CPUs of a node, two to a core; a machine's")
