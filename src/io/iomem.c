/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines "  40000000-7fffffff : System RAM".
 */
#include "zonelab/iomem.h"

#include "scan.h"
#include "zonelab/file.h"

static bool read_line(const struct zl_line *line, struct zl_range *range, struct scan *name)
{
	struct scan c = scan_trim(scan_of(line->s, line->len));
	uint64_t last = 0;

	if (!scan_hex(&c, &range->base) || !scan_literal(&c, "-") || !scan_hex(&c, &last) ||
		!scan_literal(&c, " : ") || last < range->base) {
		return false;
	}
	range->size = last - range->base + 1;
	*name = c;
	return last != 0;
}

unsigned zl_iomem_read(
	const char *text, size_t size, struct zl_ranges *banks, struct zl_ranges *reserved)
{
	struct zl_lines lines;
	struct zl_line line;
	unsigned used = 0;
	bool in_ram = false;

	zl_lines_init(&lines, text, size);
	while (zl_lines_next(&lines, &line)) {
		struct zl_range r;
		struct scan name;
		bool inner = line.len > 0 && line.s[0] == ' ';

		if (!read_line(&line, &r, &name)) {
			continue;
		}
		if (!inner) {
			in_ram = scan_equal(&name, "System RAM");
		}
		if (!inner && scan_equal(&name, "reserved")) {
			/* Memory without a map (no-map): it was RAM before. */
			zl_ranges_add(banks, r.base, r.size);
			zl_ranges_add(reserved, r.base, r.size);
			used++;
		} else if (in_ram && !inner) {
			zl_ranges_add(banks, r.base, r.size);
			used++;
		} else if (in_ram &&
			   (scan_equal(&name, "reserved") || scan_literal(&name, "Kernel "))) {
			zl_ranges_add(reserved, r.base, r.size);
			used++;
		}
	}
	return used;
}
