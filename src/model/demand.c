/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How large a pool must be for given buffers. Bytes throughout; a buffer takes whole pages and
 * starts at a multiple of its own size's power of two, up to CONFIG_CMA_ALIGNMENT.
 */
#include <errno.h>
#include <string.h>

#include "zonelab/cma_bitmap.h"
#include "zonelab/ranges.h"
#include "zonelab/text.h"

#define BYTES_MAX    (UINT64_C(1) << 50)
#define BUFFERS_MAX  (UINT64_C(1) << 20)
#define SIDE_MAX     65536u
#define GAPS_MAX     256
#define MACROBLOCK   16u
#define CODEC_MARGIN 4u /* buffers in flight besides the references */

/* Eighths of a byte per pixel, all planes together. */
static const struct {
	const char *name;
	unsigned eighths;
	unsigned references; /* of a codec, 0 = a plain format */
} formats[] = {
	{"AR24",	 32, 0 },
	{"ARGB8888", 32, 0 },
	{"AV1",	12, 8 },
	{"BGR888",   24, 0 },
	{"GREY",	 8,  0 },
	{"H264",	 12, 16},
	{"HEVC",	 12, 16},
	{"I420",	 12, 0 },
	{"NV12",	 12, 0 },
	{"NV16",	 16, 0 },
	{"NV21",	 12, 0 },
	{"NV24",	 24, 0 },
	{"P010",	 24, 0 },
	{"RAW10",	  10, 0 },
	{"RAW12",	  12, 0 },
	{"RAW16",	  16, 0 },
	{"RAW8",	 8,  0 },
	{"RG16",	 16, 0 },
	{"RG24",	 24, 0 },
	{"RGB565",   16, 0 },
	{"RGB888",   24, 0 },
	{"UYVY",	 16, 0 },
	{"VP8",	12, 3 },
	{"VP9",	12, 8 },
	{"XR24",	 32, 0 },
	{"XRGB8888", 32, 0 },
	{"YU12",	 12, 0 },
	{"YUYV",	 16, 0 },
	{"YV12",	 12, 0 },
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static bool number(const char **p, uint64_t *ret)
{
	uint64_t v = 0;
	const char *s = *p;

	for (; *s >= '0' && *s <= '9'; s++) {
		v = v * 10 + (uint64_t)(*s - '0');
		if (v > BYTES_MAX) {
			return false;
		}
	}
	if (s == *p) {
		return false;
	}
	*p = s;
	*ret = v;
	return true;
}

/* COUNT or COUNTxSTREAMS, to the end of the text. */
static int read_count(const char *p, uint64_t *ret)
{
	uint64_t streams = 1;

	if (!number(&p, ret)) {
		return -EINVAL;
	}
	if (*p == 'x') {
		p++;
		if (!number(&p, &streams)) {
			return -EINVAL;
		}
	}
	if (*p != '\0' || *ret == 0 || streams == 0) {
		return -EINVAL;
	}
	if (*ret > BUFFERS_MAX || streams > BUFFERS_MAX || *ret * streams > BUFFERS_MAX) {
		return -ERANGE;
	}
	*ret *= streams;
	return 0;
}

static int picture(const char *name, size_t n, struct zl_demand *ret)
{
	char copy[16];

	if (n == 0 || n >= sizeof(copy)) {
		return -EINVAL;
	}
	memcpy(copy, name, n);
	copy[n] = '\0';
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		uint64_t w = ret->width;
		uint64_t h = ret->height;

		if (!zl_streq_nocase(copy, formats[i].name)) {
			continue;
		}
		if (formats[i].references > 0) {
			/* Decoders work in whole macroblocks and keep their references. */
			w = zl_round_up(w, MACROBLOCK);
			h = zl_round_up(h, MACROBLOCK);
			ret->count *= formats[i].references + CODEC_MARGIN;
		}
		ret->bytes = (w * h * formats[i].eighths + 7) / 8;
		return 0;
	}
	return -EINVAL;
}

static int read_picture(const char *p, struct zl_demand *ret)
{
	const char *colon;
	int r;

	if (!number(&p, &ret->width) || *p != 'x') {
		return -EINVAL;
	}
	p++;
	if (!number(&p, &ret->height) || *p != ':' || ret->width == 0 || ret->height == 0) {
		return -EINVAL;
	}
	if (ret->width > SIDE_MAX || ret->height > SIDE_MAX) {
		return -ERANGE;
	}
	p++;
	colon = strchr(p, ':');
	ret->count = 1;
	if (colon != NULL) {
		r = read_count(colon + 1, &ret->count);
		if (r != 0) {
			return r;
		}
	}
	return picture(p, colon != NULL ? (size_t)(colon - p) : strlen(p), ret);
}

static int read_plain(const char *text, struct zl_demand *ret)
{
	const char *colon = strchr(text, ':');
	size_t n = colon != NULL ? (size_t)(colon - text) : strlen(text);
	char size[32];

	if (n == 0 || n >= sizeof(size)) {
		return -EINVAL;
	}
	memcpy(size, text, n);
	size[n] = '\0';
	ret->count = 1;
	if (zl_parse_size(size, 1, &ret->bytes) != 0 || ret->bytes == 0) {
		return -EINVAL;
	}
	return colon != NULL ? read_count(colon + 1, &ret->count) : 0;
}

int zl_demand_parse(const char *text, struct zl_demand *ret)
{
	struct zl_demand d = {.width = 0};
	int r = strchr(text, 'x') != NULL && strchr(text, ':') != NULL &&
				strchr(text, 'x') < strchr(text, ':')
			? read_picture(text, &d)
			: read_plain(text, &d);

	if (r == 0) {
		zl_format(d.what, sizeof(d.what), "%s", text);
		*ret = d;
	}
	return r;
}

/* Free places left between aligned buffers; first fit looks here before the end grows. */
struct packing {
	uint64_t end;
	size_t nr_gaps;
	struct zl_range gap[GAPS_MAX];
};

static void gap_add(struct packing *k, uint64_t base, uint64_t size)
{
	if (size > 0 && k->nr_gaps < GAPS_MAX) {
		k->gap[k->nr_gaps++] = (struct zl_range){.base = base, .size = size};
	}
}

static bool into_gap(struct packing *k, uint64_t size, uint64_t align)
{
	for (size_t i = 0; i < k->nr_gaps; i++) {
		struct zl_range g = k->gap[i];
		uint64_t at = zl_round_up(g.base, align);

		if (at - g.base <= g.size && g.size - (at - g.base) >= size) {
			uint64_t behind = at + size;

			k->gap[i].size = at - g.base;
			gap_add(k, behind, g.base + g.size - behind);
			return true;
		}
	}
	return false;
}

static void pack_one(struct packing *k, uint64_t size, uint64_t align)
{
	uint64_t at;

	if (into_gap(k, size, align)) {
		return;
	}
	at = zl_round_up(k->end, align);
	gap_add(k, k->end, at - k->end);
	k->end = at + size;
}

int zl_demand_pack(const struct zl_demand *demand, size_t n, const struct zl_demand_rule *rule,
	struct zl_demand_plan *ret)
{
	struct packing k = {.end = 0};

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < n; i++) {
		const struct zl_demand *d = &demand[i];
		uint64_t pages = d->bytes / rule->page_size + (d->bytes % rule->page_size != 0);
		uint64_t size = pages * rule->page_size;
		uint64_t align = rule->page_size << zl_cma_align_order(pages, rule->align_cap);

		ret->buffers += d->count;
		if (ret->buffers > BUFFERS_MAX || d->bytes > BYTES_MAX ||
			(d->bytes > 0 && d->count > BYTES_MAX / d->bytes)) {
			return -ERANGE;
		}
		ret->buffer_bytes += d->bytes * d->count;
		ret->largest_bytes = size > ret->largest_bytes ? size : ret->largest_bytes;
		for (uint64_t c = 0; c < d->count; c++) {
			pack_one(&k, size, align);
		}
		if (k.end > BYTES_MAX) {
			return -ERANGE;
		}
	}
	ret->packed_bytes = k.end;
	ret->pool_bytes = n > 0 ? zl_round_up(k.end, rule->area_align) : 0;
	return 0;
}
