/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same requests at every page size, at every PAGE_BLOCK_(MAX_)ORDER and across releases, and
 * which of these would make refused pools fit.
 */
#include <string.h>

#include "reserve.h"
#include "zonelab/matrix.h"
#include "zonelab/text.h"

#define TWO_MIB (UINT64_C(2) << 20)

/* Releases to compare with: the long-lived ones and those that changed a rule. */
static const char *const releases[] = {"5.15", "5.18", "6.1", "6.6", "6.12", "6.16", "6.18", "7.1"};

/* Room to try one set of settings in. */
struct trial {
	struct zl_profile profile; /* borrows the zones */
	struct zl_machine machine;
	struct zl_diags diags;
	struct zl_memory_map map;
	struct zl_reserve_report report, corrected;
	struct zl_request asked[ZL_POOLS_MAX], want[ZL_POOLS_MAX];
};

static void take_message(
	const struct reserve *r, const struct zl_reserve_report *report, struct reserve_port *port)
{
	for (size_t i = 0; i < report->nr_pools; i++) {
		const struct zl_pool *p = &report->pool[i];
		bool area = r->have.request[p->request].kind != ZL_REQUEST_NODE;

		if (p->nr_messages > 0 && (area || p->verdict != ZL_VERDICT_ACCEPTED)) {
			zl_format(port->message, sizeof(port->message), "%s: %s",
				reserve_pool_name(r, p), p->message[p->main_message]);
			return;
		}
	}
}

/*
 * "ok", a size to write (or, of areas, the size that is taken), "move" where the base is wrong too,
 * "no room" where nothing that could be written helps.
 */
static void take_needs(const struct trial *t, size_t pool, char *buf, size_t size)
{
	if (pool >= t->report.nr_pools) {
		zl_format(buf, size, "-");
		return;
	}
	const struct zl_pool *p = &t->report.pool[pool];
	const struct zl_request *q = &t->asked[p->request];
	const struct zl_request *want = &t->want[p->request];
	bool mended = t->corrected.pool[pool].verdict == ZL_VERDICT_ACCEPTED &&
		      t->corrected.pool[pool].overlaps == 0;

	if (p->class != ZL_POOL_CMA || q->size == 0 || p->verdict == ZL_VERDICT_BYPASSED ||
		p->verdict == ZL_VERDICT_NONE) {
		zl_format(buf, size, "-");
	} else if (p->verdict == ZL_VERDICT_ACCEPTED) {
		zl_format(buf, size, p->size == q->size ? "ok" : "%Z", p->size);
	} else if (want->base != q->base || (!mended && q->has_reg && !t->map.known)) {
		zl_format(buf, size, "move");
	} else if (mended) {
		zl_format(buf, size, "%Z", want->size);
	} else if (p->reason == ZL_REASON_GIGANTIC || p->reason == ZL_REASON_NO_DMA_CMA ||
		   p->reason == ZL_REASON_SLOTS || p->reason == ZL_REASON_REGIONS) {
		zl_format(buf, size, "refused");
	} else {
		zl_format(buf, size, "no room");
	}
}

/* hugetlb_cma= counts in gigantic pages, whose size hangs on that of a page. */
static void ask(const struct reserve *r, struct trial *t)
{
	memcpy(t->asked, r->in.requests, r->in.nr_requests * sizeof(t->asked[0]));
	reserve_hugetlb_at(r, &t->machine, t->asked);
}

static void try(struct reserve *r, struct trial *t, struct reserve_port *port)
{
	struct zl_reserve_in in = r->in;

	memset(&t->diags, 0, sizeof(t->diags));
	zl_machine_resolve(&t->profile, &t->machine, &t->diags);
	ask(r, t);
	in.requests = t->asked;
	t->map = r->map;
	t->map.page_size = t->machine.geometry.page_size;
	in.geometry = &t->machine.geometry;
	in.switches = &t->machine.switches;
	in.map = &t->map;
	zl_reserve_plan(&in, &t->report);
	take_message(r, &t->report, port);
	port->buildable = t->machine.geometry.buildable;
	port->alignment = t->report.alignment;
	zl_reserve_correct(&in, &t->report, t->want, &t->corrected);
	port->required = reserve_total_required(&t->report, in.requests, t->want);
	port->given = t->report.given;
	port->nr_refused = t->report.nr_refused;
	port->nr_no_room = t->report.nr_no_room;
	port->first_refused = SIZE_MAX;
	for (size_t i = t->report.nr_pools; i-- > 0;) {
		if (t->report.pool[i].verdict == ZL_VERDICT_REFUSED) {
			port->first_refused = i;
		}
	}
	port->min_free_kbytes = t->machine.min_free.kbytes;
	port->pageblock_order = t->machine.geometry.pageblock_order;
}

/*
 * Orders that are merely the defaults of the present page size say nothing about another one; a
 * .config always states them.
 */
static void drop_default_orders(const struct reserve *r, struct zl_settings *s)
{
	static const enum zl_setting keys[] = {ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER};
	struct zl_settings plain = r->profile.settings;
	struct zl_geometry g;
	struct zl_diags diags = {0};

	zl_settings_unset(&plain, ZL_SET_MAX_PAGE_ORDER);
	zl_settings_unset(&plain, ZL_SET_PAGE_BLOCK_ORDER);
	zl_geometry_resolve(&plain, &r->machine.release, &r->machine.switches, &g, &diags);
	if (s->value[keys[0]].given && s->value[keys[0]].number == (int64_t)g.max_page_order) {
		zl_settings_unset(s, keys[0]);
	}
	if (s->value[keys[1]].given && s->value[keys[1]].number == (int64_t)g.page_block_order) {
		zl_settings_unset(s, keys[1]);
	}
}

static struct reserve_port *add(struct reserve *r, enum reserve_axis axis)
{
	struct reserve_port *port;

	if (r->nr_ports == RESERVE_PORTS_MAX) {
		return NULL;
	}
	port = &r->port[r->nr_ports++];
	*port = (struct reserve_port){.axis = axis};
	return port;
}

static void page_sizes(struct reserve *r, struct trial *t)
{
	uint64_t sizes[8];
	size_t n = zl_arch_page_sizes(&r->profile.settings, sizes, 8);
	size_t columns = 0;

	memset(r->needs_column, 0, sizeof(r->needs_column));
	memset(r->needs, 0, sizeof(r->needs));
	for (size_t i = 0; i < n; i++) {
		struct reserve_port *port = add(r, RESERVE_AXIS_PAGE_SIZE);

		if (port == NULL) {
			return;
		}
		t->profile = r->profile;
		zl_settings_at_page_size(&r->profile.settings, sizes[i], &t->profile.settings);
		drop_default_orders(r, &t->profile.settings);
		zl_format(port->label, sizeof(port->label), "%Z pages", sizes[i]);
		zl_format(port->set, sizeof(port->set), "page_size=%UK", sizes[i] >> 10);
		port->present = sizes[i] == r->machine.geometry.page_size;
		try(r, t, port);
		if (!port->present && columns < 2) {
			zl_format(r->needs_column[columns], sizeof(r->needs_column[columns]), "%Z",
				sizes[i]);
			for (size_t k = 0; k < ZL_POOLS_MAX; k++) {
				take_needs(
					t, k, r->needs[columns][k], sizeof(r->needs[columns][k]));
			}
			columns++;
		}
	}
}

static void block_orders(struct reserve *r, struct trial *t)
{
	const struct zl_geometry *g = &r->machine.geometry;

	if (g->page_block_symbol == NULL) {
		return;
	}
	for (int order = g->page_block_hi; order >= g->page_block_lo && order >= 0; order--) {
		struct reserve_port *port = add(r, RESERVE_AXIS_BLOCK_ORDER);

		if (port == NULL) {
			return;
		}
		t->profile = r->profile;
		zl_settings_number(
			&t->profile.settings, ZL_SET_PAGE_BLOCK_ORDER, order, ZL_ORIGIN_GIVEN);
		zl_format(port->label, sizeof(port->label), "%s=%d", g->page_block_symbol, order);
		zl_format(port->set, sizeof(port->set), "page_block_order=%d", order);
		port->present = order == g->page_block_order;
		try(r, t, port);
	}
}

static void across_releases(struct reserve *r, struct trial *t)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		struct reserve_port *port = add(r, RESERVE_AXIS_RELEASE);

		if (port == NULL) {
			return;
		}
		t->profile = r->profile;
		zl_settings_set(
			&t->profile.settings, ZL_SET_KERNEL, releases[i], ZL_ORIGIN_GIVEN, NULL);
		zl_format(port->label, sizeof(port->label), "Linux %s", releases[i]);
		zl_format(port->set, sizeof(port->set), "kernel=%s", releases[i]);
		try(r, t, port);
		port->present = t->machine.release.major == r->machine.release.major &&
				t->machine.release.minor == r->machine.release.minor;
	}
}

static const struct reserve_port *block_port(const struct reserve *r, uint64_t alignment)
{
	for (size_t i = 0; i < r->nr_ports; i++) {
		const struct reserve_port *p = &r->port[i];

		if (p->axis == RESERVE_AXIS_BLOCK_ORDER && p->buildable &&
			p->alignment == alignment) {
			return p;
		}
	}
	return NULL;
}

/*
 * Blocks of 2 MiB, as 4 KiB pages have them, are what to try first; the largest blocks that do as
 * well cost less and are named beside them.
 */
static void find_hint(struct reserve *r)
{
	const struct reserve_port *small = block_port(r, TWO_MIB);
	const struct reserve_port *best = small;

	r->hint = (struct reserve_hint){.found = false};
	if (small == NULL || small->nr_refused >= r->report.nr_refused ||
		r->report.alignment <= TWO_MIB) {
		return;
	}
	for (size_t i = 0; i < r->nr_ports; i++) {
		const struct reserve_port *p = &r->port[i];

		if (p->axis == RESERVE_AXIS_BLOCK_ORDER && p->buildable &&
			p->nr_refused == small->nr_refused && p->alignment > best->alignment) {
			best = p;
		}
	}
	r->hint = (struct reserve_hint){.found = true,
		.order = small->pageblock_order,
		.largest_order = best->pageblock_order,
		.alignment = small->alignment,
		.still_refused = small->nr_refused,
		.first_refused = small->first_refused,
		.min_free_kbytes = small->min_free_kbytes,
		.min_free_before = r->machine.min_free.kbytes};
	if (r->machine.geometry.thp_order > 0) {
		r->hint.huge_order = (unsigned)r->machine.geometry.thp_order;
	}
}

void reserve_ports(struct reserve *r)
{
	struct trial *t = r->alloc->realloc(r->alloc->user, NULL, sizeof(*t));

	r->nr_ports = 0;
	r->no_ports = t == NULL;
	if (t == NULL) {
		return;
	}
	page_sizes(r, t);
	block_orders(r, t);
	across_releases(r, t);
	r->alloc->free(r->alloc->user, t);
	find_hint(r);
}
