/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be settled only when every file has been read: the release, the meaning of the maximum
 * order, sizes in percent of memory, and the share of the CPUs that is local to a node.
 */
#include <string.h>

#include "importing.h"
#include "zonelab/text.h"

#define MIB	     UINT64_C(1048576)
#define NO_PAGE_SIZE UINT64_C(0)

/* The newest release that the files allow. */
static const char *assumed_release(const struct zl_import_facts *facts)
{
	if (facts->release_to[0] != '\0') {
		return facts->release_to;
	}
	return zl_breakpoint_newest();
}

/* "6.13 or newer", "5.17 to 6.12" */
static void describe_range(const struct zl_import_facts *facts, char *buf, size_t size)
{
	const char *from = facts->release_from;
	const char *to = facts->release_to;

	if (from[0] != '\0' && to[0] != '\0' && strcmp(from, to) != 0) {
		zl_format(buf, size, "%s to %s", from, to);
	} else if (from[0] != '\0' && to[0] != '\0') {
		zl_format(buf, size, "%s", from);
	} else if (from[0] != '\0') {
		zl_format(buf, size, "%s or newer", from);
	} else if (to[0] != '\0') {
		zl_format(buf, size, "%s or older", to);
	} else {
		zl_format(buf, size, "any");
	}
}

static void settle_release(struct zl_import *im, struct zl_release *ret)
{
	struct zl_settings *s = &im->profile.settings;
	char range[64];

	if (!zl_settings_given(s, ZL_SET_KERNEL)) {
		const char *release = assumed_release(&im->facts);

		describe_range(&im->facts, range, sizeof(range));
		zl_settings_set(s, ZL_SET_KERNEL, release, ZL_ORIGIN_FILE, NULL);
		struct zl_diag *d = zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_RELEASE_ASSUMED,
			"no release in these files (%s): %s assumed", range, release);
		d->about = ZL_SET_KERNEL;
		zl_format(d->mend, sizeof(d->mend), "give it: --set kernel=X.Y");
	}
	zl_release_parse(zl_settings_text(s, ZL_SET_KERNEL), ret);
}

static int compare_with(const char *text, const struct zl_release *r)
{
	struct zl_release other;

	zl_release_parse(text, &other);
	/* Only the series counts: 6.16.3 fits "to 6.16". */
	if (other.major != r->major) {
		return other.major < r->major ? -1 : 1;
	}
	return other.minor < r->minor ? -1 : other.minor > r->minor;
}

/* Says when the stated release cannot have written these files. */
static void check_release(struct zl_import *im, const struct zl_release *r)
{
	const struct zl_import_facts *facts = &im->facts;
	bool below = facts->release_from[0] != '\0' && compare_with(facts->release_from, r) > 0;
	bool above = facts->release_to[0] != '\0' && compare_with(facts->release_to, r) < 0;

	if (below || above) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_RELEASE,
			"release %s does not fit these files: %s, which says %s %s", r->display,
			facts->release_why, below ? facts->release_from : facts->release_to,
			below ? "or newer" : "or older");
	}
}

static void settle_max_order(struct zl_import *im, const struct zl_switches *sw)
{
	int64_t raw = im->facts.max_order_raw;
	bool exclusive = im->facts.max_order_exclusive ||
			 sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER ||
			 sw->max_order == ZL_MAX_ORDER_ARCH_EXCLUSIVE;

	/* 0 in newer trees: the architecture sets none. */
	if (raw < 0 || (raw == 0 && !exclusive)) {
		return;
	}
	if (raw == 0) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_VALUE,
			"a maximum order of 0 counts no order at all; 1 or more would be right");
		return;
	}
	import_set(im, ZL_SET_MAX_PAGE_ORDER, exclusive ? raw - 1 : raw);
}

static uint64_t number_of(const struct zl_settings *s, enum zl_setting key, uint64_t missing)
{
	return zl_settings_given(s, key) && s->value[key].number >= 0
		       ? (uint64_t)s->value[key].number
		       : missing;
}

static unsigned arch_of(const struct zl_settings *s)
{
	return (unsigned)number_of(s, ZL_SET_ARCH, UINT64_MAX) + 1;
}

/* Page size that zones were counted in, 0 = not known. */
static uint64_t page_size_of(const struct zl_import *im)
{
	return im->facts.page_size > 0 ? im->facts.page_size : NO_PAGE_SIZE;
}

/* The page size of which @pages are @kib KiB, 0 = none; @slack: a hundredth that may be missing. */
static uint64_t page_size_by(uint64_t kib, uint64_t pages, unsigned slack)
{
	for (uint64_t size = 4; pages > 0 && size <= 256; size *= 2) {
		uint64_t all = pages * size;

		if (all <= kib + kib / 100 && all >= kib - kib / 100 * slack) {
			return size << 10;
		}
	}
	return 0;
}

static bool zone_ends_at(const struct zl_zone_facts *z, const char *name, uint64_t end)
{
	return strcmp(z->name, name) == 0 && z->spanned > 0 && z->start_pfn + z->spanned == end;
}

/*
 * Only x86 has a ZONE_DMA of 16 MiB, which starts behind the first page, and one of 32 bits beside
 * it; its pages are of 4 KiB.
 * Source: arch/x86/include/asm/dma.h, MAX_DMA_PFN, v6.12; arch/x86/mm/init.c, zone_sizes_init().
 */
static void settle_x86(struct zl_import *im)
{
	const uint64_t dma_end = 4096, page = 4096;
	bool dma = false, dma32 = false;

	for (size_t i = 0; i < im->profile.nr_zones; i++) {
		const struct zl_zone_facts *z = &im->profile.zones[i];

		dma |= zone_ends_at(z, "DMA", dma_end) && z->start_pfn <= 1;
		dma32 |= strcmp(z->name, "DMA32") == 0 && z->start_pfn == dma_end;
	}
	if (!dma || !dma32 || im->facts.arch_stated) {
		return;
	}
	import_set(im, ZL_SET_ARCH, zl_setting_word_index(ZL_SET_ARCH, "x86_64"));
	im->facts.arch_stated = true;
	if (!im->facts.page_size_stated) {
		import_set(im, ZL_SET_PAGE_SIZE, (int64_t)page);
		im->facts.page_size_stated = true;
	}
}

/*
 * The page size, where no file states it: MemTotal is the managed pages of all zones, and a boot
 * log counts its memory in pages, from which releases before 6.9 leave out the map of pages.
 * Source: mm/show_mem.c, si_meminfo(), v6.12; mm/page_alloc.c, build_all_zonelists(), v6.1.
 */
static void settle_page_size(struct zl_import *im)
{
	const struct zl_import_facts *f = &im->facts;
	uint64_t managed = 0, size = 0;

	for (size_t i = 0; i < im->profile.nr_zones; i++) {
		managed += im->profile.zones[i].managed;
	}
	if (zl_settings_given(&im->profile.settings, ZL_SET_PAGE_SIZE)) {
		return;
	}
	if (managed > 0 && managed <= INT32_MAX && im->profile.observed.mem_total_kb > 0) {
		uint64_t kib = (uint64_t)im->profile.observed.mem_total_kb;

		size = page_size_by(kib, managed, 1);
		if (size > 0) {
			zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_VALUE,
				"pages of %Z: MemTotal %N KiB are %N managed pages", size, kib,
				managed);
		}
	} else if (managed == 0 && f->total_kb > 0 && f->zonelists_pages > 0 &&
		   f->zonelists_pages <= INT32_MAX) {
		size = page_size_by((uint64_t)f->total_kb, (uint64_t)f->zonelists_pages, 10);
		if (size > 0) {
			zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_VALUE,
				"pages of %Z: the boot log counts %N KiB as %N pages", size,
				(uint64_t)f->total_kb, (uint64_t)f->zonelists_pages);
		}
	}
	if (size > 0) {
		import_set(im, ZL_SET_PAGE_SIZE, (int64_t)size);
		im->facts.page_size_stated = true;
	}
}

static uint64_t present_bytes(const struct zl_import *im)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < im->profile.nr_zones; i++) {
		pages += im->profile.zones[i].present;
	}
	return pages * page_size_of(im);
}

static void settle_cma_size(struct zl_import *im)
{
	const struct zl_import_facts *facts = &im->facts;
	enum { BY_MBYTES, BY_PERCENTAGE, BY_MIN, BY_MAX };
	uint64_t memory = present_bytes(im), page = page_size_of(im);
	uint64_t by_size = facts->cma_mbytes > 0 ? (uint64_t)facts->cma_mbytes * MIB : 0;
	uint64_t by_part = 0;

	if (facts->cma_mbytes < 0 && facts->cma_percentage < 0) {
		return;
	}
	if (facts->cma_select != BY_MBYTES && memory == 0) {
		zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_VALUE,
			"CMA_SIZE_PERCENTAGE counts for nothing until the memory is known");
		return;
	}
	if (facts->cma_percentage > 0 && page > 0) {
		by_part = memory / page * (uint64_t)facts->cma_percentage / 100 * page;
	}
	uint64_t size = by_size;
	if (facts->cma_select == BY_PERCENTAGE) {
		size = by_part;
	} else if (facts->cma_select == BY_MIN) {
		size = by_part < by_size ? by_part : by_size;
	} else if (facts->cma_select == BY_MAX) {
		size = by_part > by_size ? by_part : by_size;
	}
	import_set(im, ZL_SET_CMA_SIZE, (int64_t)size);
}

/* Whether no earlier zone is of the same node. */
static bool first_of_node(const struct zl_profile *p, size_t zone)
{
	for (size_t i = 0; i < zone; i++) {
		if (p->zones[i].node == p->zones[zone].node) {
			return false;
		}
	}
	return true;
}

/* Nodes below the last one that no zone is of: somebody cut the file. */
static void note_missing_nodes(struct zl_import *im)
{
	bool seen[ZL_NODES_MAX] = {false};
	unsigned last = 0;
	unsigned missing = 0;
	unsigned first = 0;

	for (size_t i = 0; i < im->profile.nr_zones; i++) {
		unsigned node = im->profile.zones[i].node;

		if (node < ZL_NODES_MAX) {
			seen[node] = true;
			last = node > last ? node : last;
		}
	}
	for (unsigned node = last; node-- > 0;) {
		missing += !seen[node];
		first = seen[node] ? first : node;
	}
	if (missing > 0) {
		zl_diag_add(&im->diags, ZL_WARNING, ZL_DIAG_IMPORT_TOPOLOGY,
			"node %u is not in these files, node %u is: an extract, or nodes without "
			"memory; what is shared by all zones is worked out from those shown",
			first, last);
	}
}

/* Nodes that have memory, and every node's part of the CPUs. */
static void settle_cpus(struct zl_import *im)
{
	struct zl_profile *p = &im->profile;
	unsigned nodes = 0;
	unsigned shown = 0;
	int64_t total = im->facts.online_cpus;

	for (size_t i = 0; i < p->nr_zones; i++) {
		nodes += first_of_node(p, i) ? 1 : 0;
		shown = p->zones[i].cpus > shown ? p->zones[i].cpus : shown;
	}
	if (total < 0 && shown > 0) {
		total = shown;
	}
	if (nodes > 0 && !zl_settings_given(&p->settings, ZL_SET_NODES)) {
		import_set(im, ZL_SET_NODES, nodes);
	}
	if (total > 0 && !zl_settings_given(&p->settings, ZL_SET_CPUS)) {
		import_set(im, ZL_SET_CPUS, total);
	}
	for (size_t i = 0; i < p->nr_zones; i++) {
		struct zl_zone_facts *z = &p->zones[i];
		int64_t local = z->node < ZL_NODES_MAX ? im->facts.node_cpus[z->node] : -1;

		z->node_cpus = local > 0 && local <= INT32_MAX ? (unsigned)local : 0;
	}
	note_missing_nodes(im);
	if (nodes > 1 && im->facts.node_cpus[0] < 0 && total > 0) {
		zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_TOPOLOGY,
			"which CPUs belong to which node is not in these files: %U CPUs split "
			"evenly over %U nodes",
			(uint64_t)total, (uint64_t)nodes);
	}
}

static void settle_memory(struct zl_import *im)
{
	struct zl_profile *p = &im->profile;
	uint64_t bytes = present_bytes(im);

	p->zones_page_size = page_size_of(im);
	if (bytes > 0 && !zl_settings_given(&p->settings, ZL_SET_MEMORY)) {
		import_set(im, ZL_SET_MEMORY, (int64_t)bytes);
	} else if (bytes == 0 && im->facts.total_kb > 0 &&
		   !zl_settings_given(&p->settings, ZL_SET_MEMORY)) {
		import_set(im, ZL_SET_MEMORY, im->facts.total_kb << 10);
	} else if (bytes == 0 && p->observed.mem_total_kb > 0 &&
		   !zl_settings_given(&p->settings, ZL_SET_MEMORY)) {
		import_set(im, ZL_SET_MEMORY, p->observed.mem_total_kb << 10);
	}
}

/*
 * A configuration and a command line give the state that THP would start in; on a small machine
 * it starts as "never" whatever they say, and the model knows when.
 * Source: mm/huge_memory.c, hugepage_init(), v6.12.
 */
static void settle_thp(struct zl_import *im, const struct zl_settings *given)
{
	struct zl_setting_value *v = &im->profile.settings.value[ZL_SET_THP_ENABLED];
	const struct zl_setting_value configured = *v;
	bool stated = given != NULL && zl_settings_given(given, ZL_SET_THP_ENABLED);

	if (stated || im->facts.thp_state || !v->given || im->profile.nr_zones == 0) {
		return;
	}
	struct zl_machine *m = im->alloc->realloc(im->alloc->user, NULL, sizeof(*m));
	if (m == NULL) {
		return;
	}
	zl_settings_unset(&im->profile.settings, ZL_SET_THP_ENABLED);
	zl_machine_resolve(&im->profile, m, NULL);
	if (m->thp_active) {
		*v = configured;
	}
	im->alloc->free(im->alloc->user, m);
}

/*
 * pageblock_order below what the machine gives by itself: the cap of PAGE_BLOCK_MAX_ORDER, where
 * no configuration says so.
 */
static void settle_block_order(struct zl_import *im)
{
	int64_t seen = im->profile.observed.pageblock_order;
	struct zl_machine *m = NULL;

	if (seen < 1 || zl_settings_given(&im->profile.settings, ZL_SET_PAGE_BLOCK_ORDER) ||
		im->facts.full_config) {
		return;
	}
	m = im->alloc->realloc(im->alloc->user, NULL, sizeof(*m));
	if (m == NULL) {
		return;
	}
	zl_machine_resolve(&im->profile, m, NULL);
	if (seen < (int64_t)m->geometry.pageblock_order &&
		m->switches.page_block_symbol != ZL_BLOCK_SYMBOL_NONE) {
		import_set(im, ZL_SET_PAGE_BLOCK_ORDER, seen);
		zl_diag_add(&im->diags, ZL_NOTE, ZL_DIAG_IMPORT_VALUE,
			"pagetypeinfo shows pageblock_order %D, not %u: the cap of the "
			"configuration",
			seen, m->geometry.pageblock_order);
	}
	im->alloc->free(im->alloc->user, m);
}

void zl_import_finish(struct zl_import *im, const struct zl_settings *given)
{
	struct zl_release release = {0};
	struct zl_switches sw;
	struct zl_diags quiet = {0};

	settle_x86(im);
	settle_page_size(im);
	/* What files state is theirs; what they lack is given, and another value is a change. */
	if (im->facts.page_size_stated || given == NULL) {
		im->facts.page_size = number_of(&im->profile.settings, ZL_SET_PAGE_SIZE, 0);
	}
	if (im->facts.arch_stated || given == NULL) {
		im->profile.zones_arch = arch_of(&im->profile.settings);
	}
	if (given != NULL) {
		zl_settings_merge(&im->profile.settings, given);
		im->facts.release_stated |= zl_settings_given(given, ZL_SET_KERNEL);
		im->facts.page_size_stated |= zl_settings_given(given, ZL_SET_PAGE_SIZE);
	}
	if (im->facts.page_size == 0) {
		im->facts.page_size = number_of(&im->profile.settings, ZL_SET_PAGE_SIZE, 0);
	}
	if (im->profile.zones_arch == 0) {
		im->profile.zones_arch = arch_of(&im->profile.settings);
	}
	bootlog_release(im);
	settle_release(im, &release);
	check_release(im, &release);
	/* What the release itself gives rise to is said where the machine is derived. */
	zl_switches_for(&release, &sw, &quiet);
	settle_max_order(im, &sw);
	bootlog_cpus(im);
	settle_boot_zones(im);
	settle_memory(im);
	bootlog_zones(im);
	settle_cma_size(im);
	settle_cpus(im);
	settle_thp(im, given);
	settle_block_order(im);
}
