/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The "key=value" part of a kmem event. */
#include <string.h>

#include "trace_parse.h"

enum field {
	FIELD_PAGE,
	FIELD_PFN,
	FIELD_ORDER,
	FIELD_MIGRATETYPE,
	FIELD_GFP_FLAGS,
	FIELD_PERCPU_REFILL,
	FIELD_ALLOC_ORDER,
	FIELD_FALLBACK_ORDER,
	FIELD_PAGEBLOCK_ORDER,
	FIELD_ALLOC_MIGRATETYPE,
	FIELD_FALLBACK_MIGRATETYPE,
	FIELD_FRAGMENTING,
	FIELD_CHANGE_OWNERSHIP,
	FIELD_NODE_ID,
	FIELD_NAME,
	FIELD_MIN,
	FIELD_LOW,
	FIELD_HIGH,
	FIELD_COUNT
};
#define BIT(field)	 (1u << FIELD_##field)
#define MIGRATETYPE_MOST 8
#define MARK_MOST	 UINT32_MAX

struct field_row {
	const char *name;
	uint8_t len;
	uint64_t most; /* of a number; 0 = a word */
};
#define ROW(field, name, most) [FIELD_##field] = {name, sizeof(name) - 1, most}

static const struct field_row fields[FIELD_COUNT] = {
	ROW(PAGE, "page", 0),
	ROW(PFN, "pfn", ZL_TRACE_PFN_MAX),
	ROW(ORDER, "order", ZL_MAX_ORDER_LIMIT),
	ROW(MIGRATETYPE, "migratetype", MIGRATETYPE_MOST),
	ROW(GFP_FLAGS, "gfp_flags", 0),
	ROW(PERCPU_REFILL, "percpu_refill", 1),
	ROW(ALLOC_ORDER, "alloc_order", ZL_MAX_ORDER_LIMIT),
	ROW(FALLBACK_ORDER, "fallback_order", ZL_MAX_ORDER_LIMIT),
	ROW(PAGEBLOCK_ORDER, "pageblock_order", ZL_MAX_ORDER_LIMIT),
	ROW(ALLOC_MIGRATETYPE, "alloc_migratetype", MIGRATETYPE_MOST),
	ROW(FALLBACK_MIGRATETYPE, "fallback_migratetype", MIGRATETYPE_MOST),
	ROW(FRAGMENTING, "fragmenting", 1),
	ROW(CHANGE_OWNERSHIP, "change_ownership", 1),
	ROW(NODE_ID, "node_id", INT16_MAX),
	ROW(NAME, "name", 0),
	ROW(MIN, "min", MARK_MOST),
	ROW(LOW, "low", MARK_MOST),
	ROW(HIGH, "high", MARK_MOST),
};

struct event_row {
	const char *name;
	uint8_t len;
	enum zl_traced kind;
	uint32_t needed; /* fields */
};
#define EVENT(name, kind, needed)                                                                  \
	{                                                                                          \
		name, sizeof(name) - 1, ZL_TRACED_##kind, (uint32_t)(needed)                       \
	}

/* Longer names before their beginnings. */
static const struct event_row events[] = {
	EVENT("mm_page_alloc", ALLOC, BIT(PFN) | BIT(ORDER) | BIT(MIGRATETYPE)),
	EVENT("mm_page_free", FREE, BIT(PFN) | BIT(ORDER)),
	EVENT("mm_page_free_batched", FREE_BATCHED, BIT(PFN)),
	EVENT("mm_page_pcpu_drain", DRAIN, BIT(PFN) | BIT(ORDER) | BIT(MIGRATETYPE)),
	EVENT("mm_page_alloc_zone_locked", TAKE, BIT(PFN) | BIT(ORDER) | BIT(MIGRATETYPE)),
	EVENT("mm_page_pcpu_refill", REFILL, BIT(PFN) | BIT(ORDER) | BIT(MIGRATETYPE)),
	EVENT("mm_page_alloc_extfrag", EXTFRAG,
		BIT(PFN) | BIT(ALLOC_ORDER) | BIT(FALLBACK_ORDER) | BIT(ALLOC_MIGRATETYPE)),
	EVENT("mm_page_free_direct", FREE, BIT(PFN) | BIT(ORDER)),
	EVENT("mm_pagevec_free", FREE_BATCHED, BIT(PFN)),
	EVENT("mm_setup_per_zone_wmarks", WMARKS, BIT(NAME) | BIT(MIN) | BIT(LOW) | BIT(HIGH)),
};
#define EVENTS (sizeof(events) / sizeof(*events))

const char *zl_traced_name(enum zl_traced kind)
{
	static const char *const name[] = {"mm_page_alloc", "mm_page_free", "mm_page_free_batched",
		"mm_page_alloc_zone_locked", "mm_page_pcpu_refill", "mm_page_pcpu_drain",
		"mm_page_alloc_extfrag", "mm_setup_per_zone_wmarks", "lost events", "mark"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_TRACED_COUNT, "a name each");

	return name[kind];
}

int trace_event_find(const char *s, const char *end)
{
	size_t left = (size_t)(end - s);

	if (left < 4 || s[0] != 'm' || s[1] != 'm' || s[2] != '_') {
		return -1;
	}
	for (size_t i = 0; i < EVENTS; i++) {
		const struct event_row *e = &events[i];

		if (left > e->len && s[e->len] == ':' && memcmp(s, e->name, e->len) == 0) {
			return (int)i;
		}
	}
	return -1;
}

size_t trace_event_length(int event)
{
	return events[event].len;
}

/* Decimal, or hexadecimal with 0x. Moves over it; false for anything else or above 2^60. */
static bool number(const char **at, const char *end, uint64_t *ret)
{
	const uint64_t most = UINT64_C(1) << 60;
	const char *p = *at;
	uint64_t v = 0;

	if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
		for (p += 2; p < end && v < most; p++) {
			unsigned c = (unsigned char)*p;
			unsigned digit = c - '0' < 10u ? c - '0' : (c | 0x20u) - 'a' + 10u;

			if (digit > 15 || (c - '0' >= 10u && digit < 10)) {
				break;
			}
			v = v << 4 | digit;
		}
		if (p == *at + 2) {
			return false;
		}
	} else {
		for (; p < end && (unsigned char)(*p - '0') < 10 && v < most / 10; p++) {
			v = v * 10 + (unsigned char)(*p - '0');
		}
		if (p == *at) {
			return false;
		}
	}
	if (p < end && *p != ' ' && *p != '\t') {
		return false;
	}
	*at = p;
	*ret = v;
	return true;
}

static int field_find(const char *key, size_t len)
{
	for (int i = 0; i < FIELD_COUNT; i++) {
		if (fields[i].len == len && memcmp(fields[i].name, key, len) == 0) {
			return i;
		}
	}
	return -1;
}

static void store_rare(struct zl_trace_event *e, enum field f, uint64_t v)
{
	switch ((unsigned)f) {
	case FIELD_FALLBACK_ORDER:
		e->fallback_order = (uint8_t)v;
		break;
	case FIELD_PAGEBLOCK_ORDER:
		e->pageblock_order = (uint8_t)v;
		break;
	case FIELD_FALLBACK_MIGRATETYPE:
		e->fallback_migratetype = (int8_t)v;
		break;
	case FIELD_FRAGMENTING:
		e->fragmenting = v != 0;
		break;
	case FIELD_CHANGE_OWNERSHIP:
		e->change_ownership = v != 0;
		break;
	case FIELD_NODE_ID:
		e->node = (int)v;
		break;
	case FIELD_MIN:
		e->wmark_min = v;
		break;
	case FIELD_LOW:
		e->wmark_low = v;
		break;
	case FIELD_HIGH:
		e->wmark_high = v;
		break;
	default:
		break;
	}
}

static void store(struct zl_trace_event *e, enum field f, uint64_t v)
{
	switch ((unsigned)f) {
	case FIELD_PFN:
		e->pfn = v;
		break;
	case FIELD_ORDER:
	case FIELD_ALLOC_ORDER:
		e->order = (uint8_t)v;
		break;
	case FIELD_MIGRATETYPE:
	case FIELD_ALLOC_MIGRATETYPE:
		e->migratetype = (int8_t)v;
		break;
	case FIELD_PERCPU_REFILL:
		e->percpu_refill = v != 0;
		break;
	default:
		store_rare(e, f, v);
		break;
	}
}

static void store_word(struct zl_trace_event *e, enum field f, const char *s, const char *end)
{
	const struct zl_trace_word w = {s, (size_t)(end - s)};

	if (f == FIELD_PAGE) {
		e->page = w;
	} else if (f == FIELD_GFP_FLAGS) {
		e->gfp_flags = w;
	} else {
		e->zone = w;
	}
}

static const char *word_end(const char *p, const char *end)
{
	while (p < end && *p != ' ' && *p != '\t') {
		p++;
	}
	return p;
}

/* Where a field is wrong; its name goes to the sentence. */
static bool bad(const struct trace_text *t, const char *at, int field, const char *what)
{
	zl_error_set(t->why, 0, (unsigned)(at - t->start) + 1, "%s%s %s", fields[field].name,
		*what == 'i' ? "" : "=", what);
	return false;
}

static bool missing(const struct trace_text *t, uint32_t lack)
{
	int f = 0;

	while ((lack >> f & 1u) == 0) {
		f++;
	}
	zl_error_set(t->why, 0, (unsigned)(t->end - t->start) + 1,
		"the line is cut short: no %s=; whole lines have it", fields[f].name);
	return false;
}

/* One "key=value"; moves past it. */
static bool read_field(
	const struct trace_text *t, const char **at, struct zl_trace_event *e, uint32_t *got)
{
	const char *p = *at, *key = p;
	uint64_t v = 0;
	int f;

	while (p < t->end && *p != '=' && *p != ' ' && *p != '\t') {
		p++;
	}
	if (p == t->end || *p != '=') { /* "zone", "watermark" */
		*at = p;
		return true;
	}
	f = field_find(key, (size_t)(p - key));
	p++;
	while (f == FIELD_PAGE && p < t->end && *p == ' ') { /* a padded (null) */
		p++;
	}
	if (f < 0) { /* of another release */
		*at = word_end(p, t->end);
		return true;
	}
	if (fields[f].most == 0) {
		const char *end = word_end(p, t->end);

		store_word(e, (enum field)f, p, end);
		*got |= end > p ? 1u << f : 0;
		*at = end;
		return true;
	}
	if (!number(&p, t->end, &v)) {
		return bad(t, p, f, "is no number; decimal, or hexadecimal with 0x");
	}
	if (v > fields[f].most) {
		return bad(t, p, f, "is out of range");
	}
	store(e, (enum field)f, v);
	*got |= 1u << f;
	*at = p;
	return true;
}

bool trace_event_read(
	const struct trace_text *t, int event, const char *at, struct zl_trace_event *ret)
{
	uint32_t got = 0;

	ret->kind = events[event].kind;
	for (;;) {
		while (at < t->end && (*at == ' ' || *at == '\t')) {
			at++;
		}
		if (at == t->end) {
			break;
		}
		if (!read_field(t, &at, ret, &got)) {
			return false;
		}
	}
	if (ret->kind == ZL_TRACED_FREE_BATCHED) {
		ret->order = 0; /* of the list's first block, whatever its order */
	}
	return (events[event].needed & ~got) == 0 || missing(t, events[event].needed & ~got);
}
