/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders: Kconfig ranges, prompts and compile-time checks, each with its consequence.
 *
 * Source: include/linux/mmzone.h, SECTION_SIZE_BITS and PAGE_BLOCK_MAX_ORDER checks, v6.12, v6.17;
 * mm/huge_memory.c, hugepage_init(), v6.12; mm/Kconfig, PAGE_BLOCK_ORDER, v6.16.
 */
#include "constraints.h"

#include "zonelab/text.h"

static struct zl_diag *add(struct zl_check *c, enum zl_severity severity, enum zl_diag_code code,
	const char *fmt, va_list ap)
{
	char text[sizeof(((struct zl_diag *)0)->text)];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_vfmt(&t, fmt, ap);
	return zl_diag_add(c->diags, severity, code, "%s", text);
}

struct zl_diag *zl_check_error(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct zl_diag *d = add(c, ZL_ERROR, code, fmt, ap);
	va_end(ap);
	d->about = about;
	c->g->buildable = false;
	return d;
}

struct zl_diag *zl_check_warning(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct zl_diag *d = add(c, ZL_WARNING, code, fmt, ap);
	va_end(ap);
	d->about = about;
	return d;
}

struct zl_diag *zl_check_note(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct zl_diag *d = add(c, ZL_NOTE, code, fmt, ap);
	va_end(ap);
	d->about = about;
	return d;
}

void zl_check_mend(struct zl_diag *d, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	zl_text_init(&t, d->mend, sizeof(d->mend));
	zl_text_str(&t, "fix: ");
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
}

void zl_check_fix(struct zl_diag *d, enum zl_setting key, const char *value)
{
	d->fix.key = key;
	zl_format(d->fix.value, sizeof(d->fix.value), "%s", value);
}

void zl_check_fix_number(struct zl_diag *d, enum zl_setting key, unsigned value)
{
	d->fix.key = key;
	zl_format(d->fix.value, sizeof(d->fix.value), "%u", value);
}

static bool given(const struct zl_check *c, enum zl_setting key)
{
	return zl_settings_given(c->settings, key);
}

/* The release as it was typed, or its numbers. */
static const char *release_name(const struct zl_check *c, char *buf, size_t size)
{
	const struct zl_release *r = c->release;

	if (r->display[0] != '\0') {
		return r->display;
	}
	zl_format(buf, size, "%u.%u", (unsigned)r->major, (unsigned)r->minor);
	return buf;
}

/* Up to 6.3 the symbol is one above the inclusive order: both are said. */
static void check_numbering(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	char buf[32];

	if (g->max_order_symbol == NULL || g->max_order_symbol_value == c->wanted_order) {
		return;
	}
	zl_check_note(c, ZL_DIAG_MAX_ORDER_EXCLUSIVE, ZL_SET_MAX_PAGE_ORDER,
		"%s counts orders: MAX_PAGE_ORDER %u is written %s=%u",
		release_name(c, buf, sizeof(buf)), c->wanted_order, g->max_order_symbol,
		g->max_order_symbol_value);
}

static void check_no_symbol(struct zl_check *c)
{
	struct zl_diag *d = zl_check_warning(c, ZL_DIAG_MAX_ORDER_SYMBOL, ZL_SET_MAX_PAGE_ORDER,
		"%s has no symbol for MAX_PAGE_ORDER: it is always %u, %u needs changed source",
		c->arch, c->g->max_order_default, c->wanted_order);

	zl_check_mend(d, "leave MAX_PAGE_ORDER at its default %u", c->g->max_order_default);
	zl_check_fix(d, ZL_SET_MAX_PAGE_ORDER, "default");
}

/* arm64 asks for the order in some releases only, and never with 64 KiB pages. */
static void check_prompt_arm64(struct zl_check *c)
{
	const char *when = c->sw->max_order == ZL_MAX_ORDER_PAGE_ORDER ? "since 6.8" : "before 6.2";

	if (c->sw->arm64_prompt != ZL_PROMPT_NONE && c->row->range62_lo < 0) {
		when = "with 64 KiB pages";
	} else if (c->sw->arm64_prompt == ZL_PROMPT_RANGE) {
		return;
	} else if (c->sw->arm64_prompt == ZL_PROMPT_EXPERT) {
		zl_check_note(c, ZL_DIAG_MAX_ORDER_PROMPT, ZL_SET_MAX_PAGE_ORDER,
			"MAX_PAGE_ORDER is asked for on arm64 only with EXPERT: %u at %Z needs it",
			c->wanted_order, c->g->page_size);
		return;
	}
	zl_check_warning(c, ZL_DIAG_MAX_ORDER_PROMPT, ZL_SET_MAX_PAGE_ORDER,
		"MAX_PAGE_ORDER has no prompt on arm64 %s: %u at %Z needs a changed "
		"arch/arm64/Kconfig",
		when, c->wanted_order, c->g->page_size);
}

static void check_prompt(struct zl_check *c)
{
	switch (c->row->prompt) {
	case ZL_ORDER_FIXED:
	case ZL_ORDER_ASKED:
	case ZL_ORDER_DROPPED:
		break;
	case ZL_ORDER_ARM64:
		check_prompt_arm64(c);
		break;
	case ZL_ORDER_ADVANCED:
		zl_check_note(c, ZL_DIAG_MAX_ORDER_PROMPT, ZL_SET_MAX_PAGE_ORDER,
			"MAX_PAGE_ORDER is asked for on %s only with ADVANCED, and not with "
			"SINGLE_MEMORY_CHUNK: %u needs that",
			c->arch, c->wanted_order);
		break;
	}
}

/* Smallest and largest order that Kconfig, the section and the model admit. */
static struct zl_order_range legal_orders(const struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	struct zl_order_range r = {0, (int)g->max_order_limit};

	if (g->max_order_hi >= 0) {
		r.lo = g->max_order_lo;
		r.hi = g->max_order_hi < r.hi ? g->max_order_hi : r.hi;
	}
	return r;
}

static void mend_range(struct zl_check *c, struct zl_diag *d)
{
	struct zl_order_range r = legal_orders(c);

	if (r.lo == r.hi) {
		zl_check_mend(d, "MAX_PAGE_ORDER %d", r.lo);
	} else {
		zl_check_mend(d, "MAX_PAGE_ORDER %d..%d (default %u)", r.lo, r.hi,
			c->g->max_order_default);
	}
	zl_check_fix(d, ZL_SET_MAX_PAGE_ORDER, "default");
}

/* True if an error was added. */
static bool check_range(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	struct zl_diag *d;

	if (g->max_order_hi < 0 || ((int)c->wanted_order >= g->max_order_lo &&
					   (int)c->wanted_order <= g->max_order_hi)) {
		return false;
	}
	if (g->max_order_symbol_value != c->wanted_order) {
		d = zl_check_error(c, ZL_DIAG_MAX_ORDER_RANGE, ZL_SET_MAX_PAGE_ORDER,
			"MAX_PAGE_ORDER %u (%s=%u) is outside %d..%d, its Kconfig range on %s at "
			"%Z: menuconfig would not offer it",
			c->wanted_order, g->max_order_symbol, g->max_order_symbol_value,
			g->max_order_lo, g->max_order_hi, c->arch, g->page_size);
	} else {
		d = zl_check_error(c, ZL_DIAG_MAX_ORDER_RANGE, ZL_SET_MAX_PAGE_ORDER,
			"MAX_PAGE_ORDER %u is outside %d..%d, its Kconfig range on %s at %Z: "
			"menuconfig would not offer it",
			c->wanted_order, g->max_order_lo, g->max_order_hi, c->arch, g->page_size);
	}
	mend_range(c, d);
	return true;
}

static bool check_section(struct zl_check *c)
{
	int bits = zl_arch_section_bits(c->row, c->huge);

	if (bits < 0 || c->wanted_order <= c->g->max_order_limit) {
		return false;
	}
	struct zl_diag *d = zl_check_error(c, ZL_DIAG_SECTION_SIZE, ZL_SET_MAX_PAGE_ORDER,
		"MAX_PAGE_ORDER %u + PAGE_SHIFT %u > SECTION_SIZE_BITS %d: SPARSEMEM does not "
		"build",
		c->wanted_order, c->g->page_shift, bits);
	zl_check_mend(d, "MAX_PAGE_ORDER <= %u (default %u)", c->g->max_order_limit,
		c->g->max_order_default);
	zl_check_fix_number(d, ZL_SET_MAX_PAGE_ORDER, (unsigned)legal_orders(c).hi);
	return true;
}

static void check_model_limit(struct zl_check *c)
{
	if (c->wanted_order <= ZL_MAX_ORDER_LIMIT) {
		return;
	}
	struct zl_diag *d = zl_check_error(c, ZL_DIAG_MAX_ORDER_RANGE, ZL_SET_MAX_PAGE_ORDER,
		"MAX_PAGE_ORDER %u is above %d, the largest order that is modelled",
		c->wanted_order, ZL_MAX_ORDER_LIMIT);
	mend_range(c, d);
}

static void check_max_order(struct zl_check *c)
{
	bool refused;

	if (!given(c, ZL_SET_MAX_PAGE_ORDER)) {
		return;
	}
	check_numbering(c);
	refused = check_range(c);
	refused |= check_section(c);
	if (!refused) {
		check_model_limit(c);
	}
	if (c->wanted_order == c->g->max_order_default) {
		return;
	}
	if (c->g->max_order_symbol == NULL) {
		check_no_symbol(c);
	} else {
		check_prompt(c);
	}
}

static enum zl_setting thp_culprit(const struct zl_check *c)
{
	if (given(c, ZL_SET_MAX_PAGE_ORDER)) {
		return ZL_SET_MAX_PAGE_ORDER;
	}
	return given(c, ZL_SET_HUGE_PAGE_SIZE) ? ZL_SET_HUGE_PAGE_SIZE : ZL_SET_THP;
}

static void check_thp_order(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	const char *fate = c->row->hugetlb_variable ? "THP stops the boot" : "THP does not build";

	if (!g->thp || g->thp_order <= (int)c->wanted_order) {
		return;
	}
	struct zl_diag *d = zl_check_error(c, ZL_DIAG_THP_ORDER, thp_culprit(c),
		"HPAGE_PMD_ORDER %d > MAX_PAGE_ORDER %u: %s", g->thp_order, c->wanted_order, fate);
	if (g->thp_order <= (int)g->max_order_default) {
		zl_check_mend(d, "MAX_PAGE_ORDER >= %d (default %u), or THP off", g->thp_order,
			g->max_order_default);
		zl_check_fix(d, ZL_SET_MAX_PAGE_ORDER, "default");
	} else if (g->thp_order <= legal_orders(c).hi) {
		zl_check_mend(d, "MAX_PAGE_ORDER >= %d, or THP off", g->thp_order);
		zl_check_fix_number(d, ZL_SET_MAX_PAGE_ORDER, (unsigned)g->thp_order);
	} else {
		zl_check_mend(d, "THP off");
		zl_check_fix(d, ZL_SET_THP, "off");
	}
}

static void check_block_absent(struct zl_check *c)
{
	char buf[32];

	if (!given(c, ZL_SET_PAGE_BLOCK_ORDER)) {
		return;
	}
	struct zl_diag *d = zl_check_warning(c, ZL_DIAG_BLOCK_ORDER_ABSENT, ZL_SET_PAGE_BLOCK_ORDER,
		"%s has no PAGE_BLOCK_ORDER (it came with 6.16): %u has no effect",
		release_name(c, buf, sizeof(buf)),
		(unsigned)c->settings->value[ZL_SET_PAGE_BLOCK_ORDER].number);
	zl_check_mend(d, "kernel 6.16 or newer, or leave it out");
	zl_check_fix(d, ZL_SET_PAGE_BLOCK_ORDER, "default");
}

/* The default is right unless the maximum order lies below it. */
static void mend_block(struct zl_check *c, struct zl_diag *d)
{
	const struct zl_geometry *g = c->g;
	unsigned most = g->page_block_hi < (int)g->max_page_order ? (unsigned)g->page_block_hi
								  : g->max_page_order;

	if (g->page_block_default <= (int)g->max_page_order) {
		zl_check_mend(
			d, "%s <= %u, or leave it at its default", g->page_block_symbol, most);
		zl_check_fix(d, ZL_SET_PAGE_BLOCK_ORDER, "default");
	} else if (g->max_page_order >= (unsigned)g->page_block_lo) {
		zl_check_mend(d, "%s <= %u, or MAX_PAGE_ORDER >= %d", g->page_block_symbol, most,
			g->page_block_default);
		zl_check_fix_number(d, ZL_SET_PAGE_BLOCK_ORDER, most);
	} else {
		zl_check_mend(d, "MAX_PAGE_ORDER >= %d", g->page_block_lo);
		zl_check_fix(d, ZL_SET_MAX_PAGE_ORDER, "default");
	}
}

static void check_block_limits(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	bool is_given = given(c, ZL_SET_PAGE_BLOCK_ORDER);
	enum zl_setting about = is_given ? ZL_SET_PAGE_BLOCK_ORDER : ZL_SET_MAX_PAGE_ORDER;
	bool outside = c->wanted_block < g->page_block_lo || c->wanted_block > g->page_block_hi;
	struct zl_diag *d = NULL;

	if (c->wanted_block > (int)c->wanted_order) {
		d = zl_check_error(c, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX, about,
			outside ? "%s %d > MAX_PAGE_ORDER %u: does not build; the Kconfig range is "
				  "%d..%d, menuconfig would not offer it"
				: "%s %d > MAX_PAGE_ORDER %u: does not build, although the "
				  "Kconfig range is %d..%d",
			g->page_block_symbol, c->wanted_block, c->wanted_order, g->page_block_lo,
			g->page_block_hi);
	} else if (outside) {
		d = zl_check_error(c, ZL_DIAG_BLOCK_ORDER_RANGE, about,
			"%s %d is outside %d..%d, its Kconfig range: menuconfig would not offer it",
			g->page_block_symbol, c->wanted_block, g->page_block_lo, g->page_block_hi);
	}
	if (d != NULL) {
		mend_block(c, d);
	} else if (is_given && (int)g->pageblock_order < c->wanted_block) {
		zl_check_note(c, ZL_DIAG_BLOCK_ORDER_EFFECTIVE, ZL_SET_PAGE_BLOCK_ORDER,
			"%s %d is an upper limit: the effective pageblock_order is %u, from %s",
			g->page_block_symbol, c->wanted_block, g->pageblock_order,
			g->rule == ZL_PB_THP ? "HPAGE_PMD_ORDER" : "HUGETLB_PAGE_ORDER");
	}
}

static void check_unclamped(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	char buf[32];

	zl_check_warning(c, ZL_DIAG_HIGH_ORDER_UNCLAMPED, ZL_SET_HUGETLB,
		"pageblock_order %u is above MAX_PAGE_ORDER %u: %s does not clamp "
		"HUGETLB_PAGE_ORDER (5.18 and newer do)",
		g->pageblock_order, g->max_page_order, release_name(c, buf, sizeof(buf)));
}

static void check_below_huge(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;
	bool by_thp = g->thp_order >= g->hugetlb_order;
	int huge = by_thp ? g->thp_order : g->hugetlb_order;
	const char *name = by_thp ? "HPAGE_PMD_ORDER" : "HUGETLB_PAGE_ORDER";
	struct zl_diag *d;

	if (huge > (int)g->max_page_order) {
		if (by_thp) {
			return; /* an error of its own */
		}
		zl_check_warning(c, ZL_DIAG_BLOCK_BELOW_HUGE, ZL_SET_HUGETLB,
			"pageblock_order %u is below %s %d, which is above MAX_PAGE_ORDER %u: no "
			"buddy block holds a huge page",
			g->pageblock_order, name, huge, g->max_page_order);
		return;
	}
	d = zl_check_warning(c, ZL_DIAG_BLOCK_BELOW_HUGE, ZL_SET_PAGE_BLOCK_ORDER,
		"pageblock_order %u is below %s %d: a huge page needs %u pageblocks side by side, "
		"so fewer can be had",
		g->pageblock_order, name, huge, 1u << ((unsigned)huge - g->pageblock_order));
	if (g->page_block_symbol != NULL && g->page_block_order < huge) {
		zl_check_mend(d, "%s >= %d, if huge pages matter more than small pageblocks",
			g->page_block_symbol, huge);
		zl_check_fix_number(d, ZL_SET_PAGE_BLOCK_ORDER, (unsigned)huge);
	}
}

void zl_check_orders(struct zl_check *c)
{
	const struct zl_geometry *g = c->g;

	check_thp_order(c);
	if (g->page_block_symbol == NULL) {
		check_block_absent(c);
	} else {
		check_block_limits(c);
	}
	check_max_order(c);
	if (g->pageblock_order > g->max_page_order) {
		check_unclamped(c);
	} else if ((int)g->pageblock_order < g->thp_order ||
		   (int)g->pageblock_order < g->hugetlb_order) {
		check_below_huge(c);
	}
}
