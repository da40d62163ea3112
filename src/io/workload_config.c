/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists: config lines. In format 2 a line `config zone NODE NAME` begins a zone, and the keys
 * of a zone that follow are its own; what stands before the first zone is the machine's.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "workload_parse.h"
#include "zonelab/text.h"
#include "zonelab/tuning.h"

/* Keys of a machine of several zones. */
enum machine_key {
	MACHINE_NODES,
	MACHINE_WATERMARKS,
	MACHINE_DIRECT_RECLAIM,
	MACHINE_SCALE_FACTOR,
	MACHINE_BOOST_FACTOR,
	MACHINE_MIN_FREE_KBYTES,
	MACHINE_START_PFN, /* of a zone */
	MACHINE_KEY_COUNT
};
static const struct workload_limits machine_keys[MACHINE_KEY_COUNT] = {
	[MACHINE_NODES] = {"nodes",		    1, ZL_SYSTEM_NODES_MAX},
	[MACHINE_WATERMARKS] = {"watermarks",	      0, 1		  },
	[MACHINE_DIRECT_RECLAIM] = {"direct_reclaim",	      0, ZL_OP_BULK_MAX     },
	[MACHINE_SCALE_FACTOR] = {"watermark_scale_factor", 1, ZL_SCALE_FACTOR_MAX},
	[MACHINE_BOOST_FACTOR] = {"watermark_boost_factor", 0, INT_MAX	      },
	[MACHINE_MIN_FREE_KBYTES] = {"min_free_kbytes",	1, INT_MAX		  },
	[MACHINE_START_PFN] = {"start_pfn",		    0, UINT64_C(1) << 40	},
};

static struct zl_system_zone *zone_now(const struct workload_parser *p)
{
	return p->w->several ? &p->w->system->zone[p->w->system->nr_zones - 1] : NULL;
}

static int need_format_2(const struct workload_parser *p)
{
	return p->w->format >= 2 ? 0
				 : workload_fail(p, p->word[1].column,
					   "'%s' needs a list of format 2", p->word[1].text);
}

/* The machine of several zones, made when its first line is seen. */
static int machine(struct workload_parser *p)
{
	int rc = need_format_2(p);

	if (rc != 0 || p->w->system != NULL) {
		return rc;
	}
	p->w->system = p->mem->realloc(p->mem->user, NULL, sizeof(*p->w->system));
	if (p->w->system == NULL) {
		return -ENOMEM;
	}
	zl_system_config_init(p->w->system);
	return 0;
}

static bool key_missing(const struct workload_parser *p, const char **ret)
{
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		bool given = p->given[k] ||
			     (p->w->several && workload_key_of_zone((enum workload_key)k) &&
				     p->zone_given[k]);

		if (!given && !workload_keys[k].optional) {
			*ret = workload_keys[k].name;
			return true;
		}
	}
	return false;
}

/* What the zone of the lines so far lacks. */
static int zone_complete(const struct workload_parser *p)
{
	const char *name;

	if (!key_missing(p, &name)) {
		return 0;
	}
	return workload_fail(p, 1, "config %s is missing; it stands before the first op", name);
}

/* config zone NODE NAME */
static int parse_zone(struct workload_parser *p)
{
	const struct workload_limits node = {"node", 0, ZL_SYSTEM_NODES_MAX - 1};
	struct zl_system_zone *z;
	uint64_t v;
	int rc = machine(p);

	rc = rc != 0 ? rc : workload_number(p, 2, &node, &v);
	rc = rc != 0 ? rc : workload_end_of_line(p, 4);
	if (rc == 0 && p->w->several) {
		rc = zone_complete(p);
	}
	if (rc != 0) {
		return rc;
	}
	if (p->nr_words < 4 || zl_zone_type_find(p->word[3].text) >= ZL_ZONE_DEVICE) {
		return workload_fail(p, p->nr_words < 4 ? p->end_column : p->word[3].column,
			"'%s' is no zone; DMA, DMA32, Normal, HighMem or Movable",
			p->nr_words < 4 ? "" : p->word[3].text);
	}
	if (p->w->system->nr_zones == ZL_SYSTEM_ZONES_MAX) {
		return workload_fail(p, 1, "more than 64 zones%s", "");
	}
	z = &p->w->system->zone[p->w->system->nr_zones++];
	p->w->several = true;
	z->node = (unsigned)v;
	z->type = zl_zone_type_find(p->word[3].text);
	zl_format(z->name, sizeof(z->name), "%s", p->word[3].text);
	z->config = p->w->config;
	memset(p->zone_given, 0, sizeof(p->zone_given));
	return 0;
}

/* config node_cpus NODE CPUS */
static int parse_node_cpus(struct workload_parser *p)
{
	const struct workload_limits node = {"node", 0, ZL_SYSTEM_NODES_MAX - 1};
	const struct workload_limits cpus = {"the number of CPUs", 0, ZL_SIM_CPUS_MAX};
	uint64_t n, v;
	int rc = machine(p);

	rc = rc != 0 ? rc : workload_number(p, 2, &node, &n);
	rc = rc != 0 ? rc : workload_number(p, 3, &cpus, &v);
	rc = rc != 0 ? rc : workload_end_of_line(p, 4);
	if (rc == 0) {
		p->w->system->node_cpus[n] = (unsigned)v;
		if (!p->node_cpus_given && n != 0) {
			p->w->system->node_cpus[0] = 0;
		}
		p->node_cpus_given = true;
	}
	return rc;
}

/* config lowmem_reserve NAME PAGES: kept from requests that may use zones up to that type */
static int parse_reserve(struct workload_parser *p)
{
	const struct workload_limits pages = {"the number of pages", 0, INT_MAX};
	enum zl_zone_type type = zl_zone_type_find(p->nr_words > 2 ? p->word[2].text : "");
	uint64_t v;
	int rc = machine(p);

	if (rc == 0 && zone_now(p) == NULL) {
		rc = workload_fail(p, p->word[1].column, "%s belongs to a zone", p->word[1].text);
	}
	if (rc == 0 && type >= ZL_ZONE_DEVICE) {
		rc = workload_fail(p, p->nr_words > 2 ? p->word[2].column : p->end_column,
			"'%s' is no zone; write config lowmem_reserve NAME PAGES",
			p->nr_words > 2 ? p->word[2].text : "");
	}
	rc = rc != 0 ? rc : workload_number(p, 3, &pages, &v);
	rc = rc != 0 ? rc : workload_end_of_line(p, 4);
	if (rc == 0) {
		zone_now(p)->config.lowmem_reserve[type] = v;
	}
	return rc;
}

static void store_machine(struct workload_parser *p, unsigned key, uint64_t v)
{
	struct zl_system_config *c = p->w->system;

	switch ((enum machine_key)key) {
	case MACHINE_NODES:
		c->nodes = (unsigned)v;
		break;
	case MACHINE_WATERMARKS:
		c->watermarks = v != 0;
		break;
	case MACHINE_DIRECT_RECLAIM:
		c->direct_reclaim = (uint32_t)v;
		break;
	case MACHINE_SCALE_FACTOR:
		c->scale_factor = (unsigned)v;
		break;
	case MACHINE_BOOST_FACTOR:
		p->w->config.boost_factor = (unsigned)v;
		break;
	case MACHINE_MIN_FREE_KBYTES:
		c->min_free_kbytes = v;
		break;
	case MACHINE_START_PFN:
		zone_now(p)->start_pfn = v;
		break;
	case MACHINE_KEY_COUNT:
		break;
	}
}

static int parse_machine(struct workload_parser *p, unsigned key)
{
	uint64_t v;
	int rc = machine(p);
	bool of_zone = key == MACHINE_START_PFN;

	if (rc == 0 && of_zone != p->w->several) {
		rc = workload_fail(p, p->word[1].column,
			of_zone ? "%s belongs to a zone" : "%s stands before the first zone",
			p->word[1].text);
	}
	rc = rc != 0 ? rc : workload_number(p, 2, &machine_keys[key], &v);
	rc = rc != 0 ? rc : workload_end_of_line(p, 3);
	if (rc == 0) {
		store_machine(p, key, v);
	}
	return rc;
}

/* A key of the table, of the machine or of the zone whose lines these are. */
static int parse_key(struct workload_parser *p, unsigned k)
{
	const struct workload_limits l = {
		workload_keys[k].name, workload_keys[k].lo, workload_keys[k].hi};
	bool of_zone = p->w->several && workload_key_of_zone((enum workload_key)k);
	bool *given = of_zone ? &p->zone_given[k] : &p->given[k];
	uint64_t v;
	int rc;

	if (p->w->several && !of_zone) {
		return workload_fail(
			p, p->word[1].column, "%s stands before the first zone", p->word[1].text);
	}
	if (*given) {
		return workload_fail(p, p->word[1].column, "%s is given twice", p->word[1].text);
	}
	rc = workload_number(p, 2, &l, &v);
	if (rc == 0) {
		rc = workload_end_of_line(p, 3);
	}
	if (rc == 0 && k == WORKLOAD_KEY_HIGH_FRACTION && v > 0 && v < ZL_HIGH_FRACTION_MIN) {
		rc = workload_fail(p, p->word[2].column,
			"the kernel refuses high_fraction %s; 0 or at least 8", p->word[2].text);
	}
	if (rc == 0) {
		*given = true;
		workload_key_store(
			of_zone ? &zone_now(p)->config : &p->w->config, (enum workload_key)k, v);
	}
	return rc;
}

int workload_config(struct workload_parser *p)
{
	static const struct {
		const char *name;
		int (*parse)(struct workload_parser *p);
	} lines[] = {
		{"zone",		 parse_zone	   },
		{"node_cpus",      parse_node_cpus},
		{"lowmem_reserve", parse_reserve	},
	};

	if (p->w->nr_ops > 0) {
		return workload_fail(p, 1, "config lines come before the first op%s", "");
	}
	if (p->nr_words < 2) {
		return workload_fail(p, p->end_column, "the config key is missing%s", "");
	}
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strcmp(lines[i].name, p->word[1].text) == 0) {
			return lines[i].parse(p);
		}
	}
	for (unsigned k = 0; k < MACHINE_KEY_COUNT; k++) {
		if (strcmp(machine_keys[k].what, p->word[1].text) == 0) {
			return parse_machine(p, k);
		}
	}
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		if (strcmp(workload_keys[k].name, p->word[1].text) == 0) {
			return parse_key(p, k);
		}
	}
	return workload_fail(
		p, p->word[1].column, "'%s' is not a config key of an op list", p->word[1].text);
}

static int placed(struct workload_parser *p)
{
	if (p->err != NULL) {
		p->err->line = p->line;
		p->err->column = 1;
	}
	return -EINVAL;
}

static int machine_complete(struct workload_parser *p)
{
	struct zl_system_config *c = p->w->system;
	unsigned next = 0;
	int rc;

	c->cpus = p->w->config.cpus;
	if (!p->node_cpus_given) {
		zl_system_split_cpus(c);
	}
	for (unsigned n = 0; n < c->nodes; n++) {
		c->first_cpu[n] = next;
		next += c->node_cpus[n];
	}
	/* Any design will do: what is left to check does not depend on it. */
	for (unsigned i = 0; i < c->nr_zones; i++) {
		c->zone[i].config.switches.design = ZL_DESIGN_A;
	}
	rc = zl_system_config_check(c, p->err);
	return rc != 0 ? placed(p) : 0;
}

int workload_config_complete(struct workload_parser *p)
{
	struct zl_sim_config c = p->w->config;
	int rc = zone_complete(p);

	if (rc != 0) {
		return rc;
	}
	p->cpus = c.cpus;
	if (p->w->several) {
		return machine_complete(p);
	}
	if (p->w->system != NULL) {
		return workload_fail(p, 1, "there is no zone; write config zone NODE NAME%s", "");
	}
	c.switches.design = ZL_DESIGN_A;
	return zl_sim_config_check(&c, p->err) != 0 ? placed(p) : 0;
}
