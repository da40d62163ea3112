/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where zones come from: a file's facts, the `zones` setting, or one zone a node.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "machine_private.h"
#include "zonelab/text.h"

#define BYTES_MAX (UINT64_C(1) << 52)
/* Ends of the zones of zones=auto. Source: arch/x86/mm/init.c, zone_sizes_init(), v6.12;
 * arch/arm64/mm/init.c, zone_sizes_init(), v6.12. */
#define X86_DMA_END    (UINT64_C(16) << 20)
#define FOUR_GIB       (UINT64_C(4) << 30)
#define DEFAULT_MEMORY (UINT64_C(4) << 30)
#define ARM64_BASE     UINT64_C(0x40000000)
#define DEFAULT_CPUS   8

static int layout_error(struct zl_error *err, const char *item, const char *wrong)
{
	zl_error_set(err, 0, 0, "zones: '%s' %s", item, wrong);
	return -EINVAL;
}

static enum zl_zone_type type_by_name(const char *name)
{
	for (unsigned t = 0; t < ZL_ZONE_TYPE_COUNT; t++) {
		if (zl_streq_nocase(name, zl_zone_type_name((enum zl_zone_type)t))) {
			return (enum zl_zone_type)t;
		}
	}
	return ZL_ZONE_TYPE_COUNT;
}

/* Reads one "NAME:SIZE" and appends it. */
static int parse_item(char *item, struct zl_zone_layout *layout, struct zl_error *err)
{
	char *colon = strchr(item, ':');
	uint64_t bytes = 0;

	if (colon == NULL) {
		return layout_error(
			err, item, "is not NAME:SIZE; auto, or for example DMA:16M,Normal:4G");
	}
	*colon = '\0';
	enum zl_zone_type type = type_by_name(item);
	if (type == ZL_ZONE_TYPE_COUNT) {
		return layout_error(
			err, item, "is no zone; DMA, DMA32, Normal, HighMem, Movable or Device");
	}
	if (zl_parse_size(colon + 1, 1, &bytes) < 0 || bytes == 0 || bytes > BYTES_MAX) {
		return layout_error(err, colon + 1, "is not a zone's size; for example 16M or 4G");
	}
	for (size_t i = 0; i < layout->count; i++) {
		if (layout->item[i].type == type) {
			return layout_error(err, item, "is there twice; once for each node");
		}
	}
	layout->item[layout->count].type = type;
	layout->item[layout->count].bytes = bytes;
	layout->count++;
	return 0;
}

int zl_zone_layout_parse(const char *text, struct zl_zone_layout *ret, struct zl_error *err)
{
	struct zl_zone_layout layout = {.automatic = zl_streq_nocase(text, "auto")};
	char item[ZL_SETTING_TEXT];

	while (!layout.automatic) {
		size_t len = strcspn(text, ",");
		struct zl_text t;

		zl_text_init(&t, item, sizeof(item));
		zl_text_strn(&t, text, len);
		int r = parse_item(item, &layout, err);
		if (r < 0) {
			return r;
		}
		if (text[len] == '\0') {
			break;
		}
		text += len + 1;
	}
	*ret = layout;
	return 0;
}

/* --- zones as made up --- */

static struct zl_zone *add_zone(struct zl_machine *m, unsigned node, enum zl_zone_type type)
{
	if (m->nr_zones >= ZL_ZONES_MAX) {
		return NULL;
	}
	struct zl_zone *z = &m->zones[m->nr_zones++];
	z->node = node;
	z->type = type;
	zl_format(z->name, sizeof(z->name), "%s", zl_zone_type_name(type));
	return z;
}

/* Memory of one node, in bytes. */
struct span {
	unsigned node;
	uint64_t start, end;
};

/* The part of @s within [lo, hi). */
static struct span clipped(struct span s, uint64_t lo, uint64_t hi)
{
	s.start = s.start > lo ? s.start : lo;
	s.end = s.end < hi ? s.end : hi;
	return s;
}

/* A zone of all whole pages in @s; nothing when there is none. */
static void add_span(struct zl_machine *m, enum zl_zone_type type, struct span s)
{
	uint64_t first = s.start >> m->geometry.page_shift;
	uint64_t last = s.end >> m->geometry.page_shift;
	struct zl_zone *z = last > first ? add_zone(m, s.node, type) : NULL;

	if (z != NULL) {
		z->start_pfn = first;
		z->spanned = z->present = z->managed = last - first;
	}
}

static bool is_arch(const struct zl_derivation *d, const char *name)
{
	const struct zl_setting_value *v = &d->settings->value[ZL_SET_ARCH];
	char word[ZL_SETTING_TEXT];
	const char *arch = zl_setting_word(ZL_SET_ARCH, v->given ? (unsigned)v->number : 0, word);

	return arch != NULL && strcmp(arch, name) == 0;
}

/* The zones that the architecture makes of a node's memory. */
static void add_automatic(struct zl_derivation *d, struct span s)
{
	uint64_t dma_end = 0;
	uint64_t dma32_end = 0;

	if (is_arch(d, "x86_64")) {
		dma_end = X86_DMA_END;
		dma32_end = FOUR_GIB;
	} else if (is_arch(d, "arm64")) {
		dma_end = FOUR_GIB;
		dma32_end = FOUR_GIB;
	}
	add_span(d->m, ZL_ZONE_DMA, clipped(s, 0, dma_end));
	add_span(d->m, ZL_ZONE_DMA32, clipped(s, dma_end, dma32_end));
	add_span(d->m, ZL_ZONE_NORMAL, clipped(s, dma32_end, UINT64_MAX));
}

static void add_fixed(struct zl_machine *m, const struct zl_zone_layout *layout, struct span s)
{
	for (size_t i = 0; i < layout->count; i++) {
		s.end = s.start + layout->item[i].bytes;
		add_span(m, layout->item[i].type, s);
		s.start = s.end;
	}
}

static uint64_t layout_bytes(const struct zl_zone_layout *layout)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < layout->count; i++) {
		bytes += layout->item[i].bytes;
	}
	return bytes;
}

/* The i-th of @n even parts of @total; earlier parts take the remainder. */
static uint64_t part_of(uint64_t total, unsigned n, unsigned i)
{
	return total / n + (i < total % n ? 1 : 0);
}

/* Lays nodes out one after the other; each is one zone, automatic or fixed. */
static void make_up_zones(struct zl_derivation *d, const struct zl_zone_layout *layout)
{
	struct zl_machine *m = d->m;
	uint64_t pages = m->memory >> m->geometry.page_shift;
	struct span s = {.start = m->memory_base};

	for (unsigned node = 0; node < m->nodes; node++) {
		s.node = node;
		s.end = s.start + (part_of(pages, m->nodes, node) << m->geometry.page_shift);
		if (layout == NULL) {
			add_span(m, ZL_ZONE_NORMAL, s);
		} else if (layout->automatic) {
			add_automatic(d, s);
		} else {
			s.end = s.start + layout_bytes(layout);
			add_fixed(m, layout, s);
		}
		s.start = s.end;
	}
	m->idealised = true;
}

static void fix_memory(struct zl_derivation *d, const struct zl_zone_layout *layout)
{
	uint64_t bytes = layout_bytes(layout) * d->m->nodes;

	if (zl_given_over_facts(d->settings, ZL_SET_MEMORY) && d->m->memory != bytes) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_IGNORED,
			"memory=%Z has no effect: the zones are fixed at %Z", d->m->memory, bytes)
			->about = ZL_SET_MEMORY;
	}
	d->m->memory = bytes;
}

/* --- zones of a file --- */

static unsigned facts_nodes(const struct zl_profile *p, unsigned below)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		bool seen = p->zones[i].node >= below;

		for (size_t j = 0; j < i && !seen; j++) {
			seen = p->zones[j].node == p->zones[i].node;
		}
		n += seen ? 0 : 1;
	}
	return n;
}

/* Pages of the profile's page size in pages of ours. */
static uint64_t repaged(const struct zl_derivation *d, uint64_t pages)
{
	uint64_t from = d->profile->zones_page_size;
	uint64_t most = BYTES_MAX >> d->m->geometry.page_shift;

	if (from != 0 && from != d->m->geometry.page_size) {
		pages = zl_mul_div(pages, from, d->m->geometry.page_size);
	}
	return pages < most ? pages : most;
}

static uint64_t facts_bytes(const struct zl_derivation *d)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < d->profile->nr_zones; i++) {
		pages += repaged(d, d->profile->zones[i].present);
	}
	return pages << d->m->geometry.page_shift;
}

/* A zone of facts, stretched by @memory / @facts (0 = as it is); places keep their order. */
static void add_facts(struct zl_derivation *d, const struct zl_zone_facts *f, uint64_t facts)
{
	enum zl_zone_type type = zl_zone_type_find(f->name);
	struct zl_zone *z =
		add_zone(d->m, f->node, type < ZL_ZONE_TYPE_COUNT ? type : ZL_ZONE_NORMAL);
	uint64_t *const sizes[] = {&z->start_pfn, &z->spanned, &z->present, &z->managed, &z->cma};
	const uint64_t given[] = {f->start_pfn, f->spanned, f->present, f->managed, f->cma};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		*sizes[i] = repaged(d, given[i]);
		if (facts > 0) {
			*sizes[i] = zl_mul_div(*sizes[i], d->m->memory, facts);
		}
	}
	/* A boot log states managed alone. */
	z->present = z->present > z->managed ? z->present : z->managed;
	z->spanned = z->spanned > z->present ? z->spanned : z->present;
	z->facts = f;
}

static void read_zones(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	uint64_t facts = facts_bytes(d);
	bool stretch = zl_given_over_facts(d->settings, ZL_SET_MEMORY) && facts > 0 &&
		       facts < BYTES_MAX && m->memory != facts;

	for (size_t i = 0; i < d->profile->nr_zones && m->nr_zones < ZL_ZONES_MAX; i++) {
		add_facts(d, &d->profile->zones[i], stretch ? facts : 0);
	}
	if (!stretch) {
		m->memory = facts;
	}
	unsigned nodes = facts_nodes(d->profile, UINT_MAX);
	if (zl_given_over_facts(d->settings, ZL_SET_NODES) && m->nodes != nodes) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_IGNORED,
			"nodes=%u has no effect: the zones come from %s; zones=auto lays them out "
			"anew",
			m->nodes, d->profile->source[0] != '\0' ? d->profile->source : "a file")
			->about = ZL_SET_NODES;
	}
	m->nodes = nodes;
}

/* --- which of them --- */

/* The layout that `zones` gives, false when it is not given or does not count here. */
static bool layout_given(struct zl_derivation *d, struct zl_zone_layout *ret)
{
	struct zl_error err = {0};

	if (!zl_settings_given(d->settings, ZL_SET_ZONES) ||
		(d->profile->nr_zones > 0 && !zl_given_over_facts(d->settings, ZL_SET_ZONES))) {
		return false;
	}
	if (zl_zone_layout_parse(zl_settings_text(d->settings, ZL_SET_ZONES), ret, &err) < 0) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_RANGE, "%s", err.text)->about =
			ZL_SET_ZONES;
		return false;
	}
	return true;
}

void zl_derive_zones(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	struct zl_zone_layout layout;
	bool from_file = d->profile->nr_zones > 0;
	unsigned nodes = from_file ? facts_nodes(d->profile, UINT_MAX) : 1;
	uint64_t memory = from_file ? facts_bytes(d) : DEFAULT_MEMORY;

	m->memory = zl_derive_number(d, ZL_SET_MEMORY, memory > 0 ? memory : DEFAULT_MEMORY);
	m->memory_base =
		zl_derive_number(d, ZL_SET_MEMORY_BASE, is_arch(d, "arm64") ? ARM64_BASE : 0);
	m->nodes = (unsigned)zl_derive_number(d, ZL_SET_NODES, nodes);
	if (layout_given(d, &layout)) {
		if (!layout.automatic) {
			fix_memory(d, &layout);
		}
		make_up_zones(d, &layout);
	} else if (from_file) {
		read_zones(d);
	} else {
		make_up_zones(d, NULL);
	}
}

/* --- CPUs --- */

static unsigned online_cpus(const struct zl_profile *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		n = p->zones[i].cpus > n ? p->zones[i].cpus : n;
	}
	return n;
}

/* Nodes of the machine whose number is below @node. */
static unsigned node_rank(const struct zl_machine *m, unsigned node)
{
	unsigned rank = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		bool first = m->zones[i].node < node;

		for (size_t j = 0; j < i && first; j++) {
			first = m->zones[j].node != m->zones[i].node;
		}
		rank += first ? 1 : 0;
	}
	return rank;
}

/* CPUs that the facts count for all nodes; 0 if they do not say. */
static unsigned stated_cpus(const struct zl_machine *m)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone_facts *f = m->zones[i].facts;
		bool first = true;

		for (size_t j = 0; j < i && first; j++) {
			first = m->zones[j].node != m->zones[i].node;
		}
		n += first && f != NULL ? f->node_cpus : 0;
	}
	return n;
}

void zl_derive_cpus(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	unsigned stated = stated_cpus(m);
	unsigned cpus = stated > 0 ? stated : online_cpus(d->profile);
	bool over = zl_given_over_facts(d->settings, ZL_SET_CPUS);

	m->cpus = (unsigned)zl_derive_number(d, ZL_SET_CPUS, cpus > 0 ? cpus : DEFAULT_CPUS);
	if (!m->smp && m->cpus > 1) {
		if (over) {
			zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_IGNORED,
				"cpus=%u has no effect: a kernel without SMP runs one CPU", m->cpus)
				->about = ZL_SET_CPUS;
		}
		m->cpus = 1;
	}
	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone *z = &m->zones[i];
		uint64_t local = part_of(m->cpus, m->nodes, node_rank(m, z->node));

		if (z->facts != NULL && z->facts->node_cpus > 0 && !over && m->smp) {
			local = z->facts->node_cpus;
		}
		z->cpus = local > 0 ? (unsigned)local : m->cpus;
	}
}
