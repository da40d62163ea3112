/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Op lists written: what is read back gives the same. */

#include "workload_keys.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

#define LINE_MAX_BYTES 128

enum which { WHICH_ALL, WHICH_MACHINE, WHICH_ZONE };

static void write_keys(const struct zl_sim_config *c, enum which which, struct zl_buf *ret)
{
	for (unsigned k = 0; k < WORKLOAD_KEY_COUNT; k++) {
		uint64_t v = workload_key_fetch(c, (enum workload_key)k);

		if (!workload_key_wanted(c, (enum workload_key)k) ||
			(which != WHICH_ALL && workload_key_of_zone((enum workload_key)k) !=
						       (which == WHICH_ZONE)) ||
			(which == WHICH_MACHINE && k == WORKLOAD_KEY_NODE_LOCAL)) {
			continue;
		}
		zl_buf_fmt(ret, "config %s %U\n", workload_keys[k].name, v);
	}
}

static void write_zone(const struct zl_system_zone *z, struct zl_buf *ret)
{
	zl_buf_fmt(ret, "config zone %u %s\n", z->node, zl_zone_type_name(z->type));
	if (z->start_pfn > 0) {
		zl_buf_fmt(ret, "config start_pfn %U\n", z->start_pfn);
	}
	write_keys(&z->config, WHICH_ZONE, ret);
	for (unsigned t = 0; t < ZL_ZONE_DEVICE; t++) {
		if (z->config.lowmem_reserve[t] > 0) {
			zl_buf_fmt(ret, "config lowmem_reserve %s %U\n",
				zl_zone_type_name((enum zl_zone_type)t),
				z->config.lowmem_reserve[t]);
		}
	}
}

static void write_machine(const struct zl_system_config *c, struct zl_buf *ret)
{
	struct zl_sim_config all = c->zone[0].config;

	all.cpus = c->cpus;
	write_keys(&all, WHICH_MACHINE, ret);
	zl_buf_fmt(ret, "config nodes %u\n", c->nodes);
	for (unsigned n = 0; n < c->nodes; n++) {
		zl_buf_fmt(ret, "config node_cpus %u %u\n", n, c->node_cpus[n]);
	}
	zl_buf_fmt(ret, "config watermarks %u\n", c->watermarks ? 1u : 0u);
	zl_buf_fmt(ret, "config watermark_scale_factor %u\n", c->scale_factor);
	if (c->min_free_kbytes > 0) {
		zl_buf_fmt(ret, "config min_free_kbytes %U\n", c->min_free_kbytes);
	}
	if (all.boost_factor > 0) {
		zl_buf_fmt(ret, "config watermark_boost_factor %u\n", all.boost_factor);
	}
	if (c->direct_reclaim > 0) {
		zl_buf_fmt(ret, "config direct_reclaim %u\n", c->direct_reclaim);
	}
	for (unsigned i = 0; i < c->nr_zones; i++) {
		write_zone(&c->zone[i], ret);
	}
}

void zl_workload_write(const struct zl_workload *w, struct zl_buf *ret)
{
	char line[LINE_MAX_BYTES];
	uint64_t t = 0;

	if (w->title[0] != '\0') {
		zl_buf_fmt(ret, "# %s\n", w->title);
	}
	if (w->format >= 2) {
		zl_buf_str(ret, "format 2\n");
	}
	if (w->several) {
		write_machine(w->system, ret);
	} else {
		write_keys(&w->config, WHICH_ALL, ret);
	}
	for (size_t i = 0; i < w->nr_ops; i++) {
		if (w->t_ns != NULL && w->format >= 2 && w->t_ns[i] != t) {
			t = w->t_ns[i];
			zl_buf_fmt(ret, "@%U ", t);
		}
		zl_op_format(&w->ops[i], line, sizeof(line));
		zl_buf_str(ret, line);
		zl_buf_chr(ret, '\n');
	}
}
