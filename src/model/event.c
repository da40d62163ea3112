/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words and sentences of ops, results, reasons and events. */
#include "zonelab/event.h"

#include <string.h>

#include "zonelab/text.h"
#include "zonelab/tuning.h"

static const char *const op_names[ZL_OP_KIND_COUNT] = {
	[ZL_OP_INIT] = "init",
	[ZL_OP_CPU] = "cpu",
	[ZL_OP_ALLOC] = "alloc",
	[ZL_OP_ALLOCHA] = "allocha",
	[ZL_OP_FREE] = "free",
	[ZL_OP_BULK] = "bulk",
	[ZL_OP_TICK] = "tick",
	[ZL_OP_DRAIN] = "drain",
	[ZL_OP_DRAINALL] = "drainall",
	[ZL_OP_DRAINZONE] = "drainzone",
	[ZL_OP_SET] = "set",
	[ZL_OP_CMA_ALLOC] = "cma_alloc",
	[ZL_OP_CMA_RELEASE] = "cma_release",
	[ZL_OP_PIN] = "pin",
	[ZL_OP_UNPIN] = "unpin",
	[ZL_OP_OFFLINE] = "offline",
	[ZL_OP_ONLINE] = "online",
	[ZL_OP_UNRESERVE] = "unreserve",
	[ZL_OP_NODE] = "node",
	[ZL_OP_ZONE] = "zone",
	[ZL_OP_RECLAIM] = "reclaim",
};

static const char *const key_names[ZL_SIM_KEY_COUNT] = {
	[ZL_SIM_BELOW_HIGH] = "below_high",
	[ZL_SIM_RECLAIM] = "reclaim",
	[ZL_SIM_WMARK_LOW] = "wmark_low",
	[ZL_SIM_WMARK_HIGH] = "wmark_high",
	[ZL_SIM_HIGH_FRACTION] = "high_fraction",
	[ZL_SIM_CPUS] = "cpus",
	[ZL_SIM_CACHE_SLICE_KIB] = "cache_slice_kib",
	[ZL_SIM_WMARK_MIN] = "wmark_min",
	[ZL_SIM_PCP_DISABLED] = "pcp_disabled",
	[ZL_SIM_LIMIT_CPUS] = "limit_cpus",
	[ZL_SIM_BOOST_FACTOR] = "watermark_boost_factor",
	[ZL_SIM_BOOST] = "watermark_boost",
	[ZL_SIM_MIN_FREE_KBYTES] = "min_free_kbytes",
	[ZL_SIM_SCALE_FACTOR] = "watermark_scale_factor",
	[ZL_SIM_DIRECT_RECLAIM] = "direct_reclaim",
	[ZL_SIM_HIGH] = "high",
	[ZL_SIM_FREE_COUNT] = "free_count",
	[ZL_SIM_ALLOC_FACTOR] = "alloc_factor",
};

static const char *const result_names[ZL_RESULT_COUNT] = {
	[ZL_RESULT_OK] = "ok",
	[ZL_RESULT_PCP] = "pcp",
	[ZL_RESULT_REFILL] = "refill",
	[ZL_RESULT_BUDDY] = "buddy",
	[ZL_RESULT_FAIL] = "fail",
	[ZL_RESULT_PCP_DRAIN] = "pcp+drain",
	[ZL_RESULT_NOOP] = "noop",
	[ZL_RESULT_NUMBER] = "",
	[ZL_RESULT_EBUSY] = "ebusy",
	[ZL_RESULT_ENOMEM] = "enomem",
	[ZL_RESULT_REFUSED] = "refused",
};

static const struct {
	const char *name;
	const char *sentence;
	const char *source;
} reasons[ZL_REASON_COUNT] = {
#define ZL_REASON(id, name, sentence, source) {name, sentence, source},
#include "zonelab/event_reasons.h"
#undef ZL_REASON
};

static const char *const fallback_names[ZL_FALLBACK_KIND_COUNT] = {
	[ZL_FALLBACK_NONE] = "none",
	[ZL_FALLBACK_WHOLE] = "whole",
	[ZL_FALLBACK_CLAIM] = "claim",
	[ZL_FALLBACK_MOVE] = "move",
	[ZL_FALLBACK_STEAL] = "steal",
	[ZL_FALLBACK_CMA] = "cma",
};

const char *zl_op_kind_name(enum zl_op_kind k)
{
	return k < ZL_OP_KIND_COUNT ? op_names[k] : "";
}

enum zl_op_kind zl_op_kind_find(const char *name)
{
	for (unsigned i = ZL_OP_CPU; i < ZL_OP_KIND_COUNT; i++) {
		if (strcmp(op_names[i], name) == 0) {
			return (enum zl_op_kind)i;
		}
	}
	return ZL_OP_KIND_COUNT;
}

const char *zl_sim_key_name(enum zl_sim_key k)
{
	return k < ZL_SIM_KEY_COUNT ? key_names[k] : "";
}

enum zl_sim_key zl_sim_key_find(const char *name)
{
	for (unsigned i = 0; i < ZL_SIM_KEY_COUNT; i++) {
		if (strcmp(key_names[i], name) == 0) {
			return (enum zl_sim_key)i;
		}
	}
	return ZL_SIM_KEY_COUNT;
}

const char *zl_result_name(enum zl_result r)
{
	return r < ZL_RESULT_COUNT ? result_names[r] : "";
}

const char *zl_reason_name(enum zl_reason r)
{
	return r < ZL_REASON_COUNT ? reasons[r].name : "";
}

const char *zl_reason_sentence(enum zl_reason r)
{
	return r < ZL_REASON_COUNT ? reasons[r].sentence : "";
}

const char *zl_reason_source(enum zl_reason r)
{
	return r < ZL_REASON_COUNT ? reasons[r].source : "";
}

const char *zl_fallback_name(enum zl_fallback_kind k)
{
	return k < ZL_FALLBACK_KIND_COUNT ? fallback_names[k] : "";
}

/* Ops that came after the recordings. */
static size_t format_later(const struct zl_op *op, char *buf, size_t size)
{
	const char *name = zl_op_kind_name((enum zl_op_kind)op->kind);
	const char *zone = op->key < ZL_ZONE_TYPE_COUNT
				   ? zl_zone_type_name((enum zl_zone_type)op->key)
				   : "any";

	switch ((unsigned)op->kind) {
	case ZL_OP_CMA_ALLOC:
		return zl_format(
			buf, size, "%s %u %u %u", name, op->arg, (unsigned)op->order, op->id);
	case ZL_OP_CMA_RELEASE:
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return zl_format(buf, size, "%s %u", name, op->id);
	case ZL_OP_UNRESERVE:
		return zl_format(buf, size, "%s %u %u", name, (unsigned)op->mt, (unsigned)op->key);
	case ZL_OP_ZONE:
		return zl_format(buf, size, "%s %s", name, zone);
	case ZL_OP_NODE:
		if (op->arg == ZL_OP_LOCAL) {
			return zl_format(buf, size, "%s local", name);
		}
		return zl_format(buf, size, "%s %u", name, op->arg);
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
	case ZL_OP_RECLAIM:
		return zl_format(buf, size, "%s %u", name, op->arg);
	default: /* ops without arguments */
		return zl_format(buf, size, "%s", name);
	}
}

size_t zl_op_format(const struct zl_op *op, char *buf, size_t size)
{
	const char *name = zl_op_kind_name((enum zl_op_kind)op->kind);

	switch ((unsigned)op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		return zl_format(buf, size, "%s %u %u %u", name, (unsigned)op->order,
			(unsigned)op->mt, op->id);
	case ZL_OP_FREE:
		return zl_format(buf, size, "%s %u", name, op->id);
	case ZL_OP_BULK:
		return zl_format(buf, size, "%s %u %u %u", name, op->arg, (unsigned)op->mt, op->id);
	case ZL_OP_CPU:
		return zl_format(buf, size, "%s %u", name, op->arg);
	case ZL_OP_SET:
		return zl_format(buf, size, "%s %s %u", name,
			zl_sim_key_name((enum zl_sim_key)op->key), op->arg);
	default:
		return format_later(op, buf, size);
	}
}
