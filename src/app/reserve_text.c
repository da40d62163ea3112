/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `reserve` as text: a table of pools, then what there is to say about each pool
 * that is not simply accepted, the table of other settings, memory, corrections, findings.
 */
#include <string.h>

#include "commands.h"
#include "reserve.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT	  10
#define MAP_CELLS 64

const char *reserve_verdict_word(const struct zl_pool *p)
{
	switch (p->verdict) {
	case ZL_VERDICT_REFUSED:
		return "REFUSED";
	case ZL_VERDICT_NO_ROOM:
		return "NO ROOM";
	case ZL_VERDICT_BYPASSED:
		return "bypassed";
	case ZL_VERDICT_NONE:
		return p->class == ZL_POOL_IGNORED ? "ignored" : "none";
	case ZL_VERDICT_ACCEPTED:
	case ZL_POOL_VERDICT_COUNT:
		break;
	}
	return p->class == ZL_POOL_CMA ? "accepted" : zl_pool_class_name(p->class);
}

/* "32 MiB", with the base when that has to change too. */
void reserve_needs_text(const struct reserve *r, const struct zl_pool *p, char *buf, size_t size)
{
	uint64_t bytes;
	uint64_t base;
	bool base_known = reserve_required(r, p, &bytes, &base);
	const struct zl_request *q = &r->have.request[p->request];

	if (p->class != ZL_POOL_CMA || q->size == 0) {
		zl_format(buf, size, "-");
	} else if (base_known && base != q->base) {
		zl_format(buf, size, "%Z @%x", bytes, base);
	} else {
		zl_format(buf, size, "%Z", bytes);
	}
}

static void pool_row(const struct reserve *r, struct table *t, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];
	char buf[64];

	table_text(t, q->name);
	if (p->class == ZL_POOL_IGNORED && q->size == 0) {
		table_none(t);
	} else {
		table_bytes(t, q->size);
	}
	table_text(t, reserve_verdict_word(p));
	reserve_needs_text(r, p, buf, sizeof(buf));
	table_text(t, buf);
	for (size_t i = 0; i < 2; i++) {
		if (r->needs_column[i][0] != '\0') {
			table_text(t, r->needs[i][p - r->report.pool]);
		}
	}
}

static void pools(const struct reserve *r, struct output *out)
{
	const struct column fixed[] = {
		{"name",		 "node",	 false},
		{"requested_bytes", "asked",   true },
		{"verdict",	    "verdict", false},
		{"required_bytes",  "needs",   false},
		{"base",		 "base",	 false},
	};
	struct column columns[7];
	size_t n = out->format == FORMAT_CSV ? 5 : 4;
	struct table t;

	memcpy(columns, fixed, sizeof(fixed));
	for (size_t i = 0; i < 2; i++) {
		if (r->needs_column[i][0] != '\0') {
			columns[n].key = i == 0 ? "needs_1" : "needs_2";
			columns[n].title = r->needs_column[i];
			columns[n++].right = true;
		}
	}
	table_init(&t, out, NULL, columns, n);
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		pool_row(r, &t, &r->report.pool[i]);
	}
	table_print(&t);
}

static void csv_row(const struct reserve *r, struct table *t, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];
	uint64_t bytes;
	uint64_t base;
	bool base_known = reserve_required(r, p, &bytes, &base);

	table_text(t, q->name);
	table_text(t, zl_pool_source_name(q->source));
	table_text(t, zl_pool_class_name(p->class));
	table_number(t, q->size);
	if (p->base_known || q->has_reg) {
		table_number(t, p->base_known ? p->base : q->base);
	} else {
		table_none(t);
	}
	table_text(t, zl_pool_verdict_name(p->verdict));
	table_text(t, zl_pool_placement_name(p->placement));
	table_number(t, bytes);
	if (base_known) {
		table_number(t, base);
	} else {
		table_none(t);
	}
	table_number(t, bytes - q->size);
	table_text(t, p->nr_messages > 0 ? p->message[p->main_message] : "");
}

void reserve_csv(const struct reserve *r, struct output *out)
{
	static const struct column columns[] = {
		{"name",		 "name",		 false},
		{"source",	   "source",	     false},
		{"class",		  "class",	   false},
		{"requested_bytes", "requested_bytes", true },
		{"base",		 "base",		 true },
		{"verdict",	    "verdict",	       false},
		{"placement",	      "placement",	   false},
		{"required_bytes",  "required_bytes",  true },
		{"required_base",	  "required_base",   true },
		{"waste_bytes",	"waste_bytes",     true },
		{"message",	    "message",	       false},
	};
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		csv_row(r, &t, &r->report.pool[i]);
	}
	table_print(&t);
}

static void labelled(struct output *out, const char *label, const char *s)
{
	zl_buf_fmt(&out->text, "  %s", label);
	zl_buf_pad(&out->text, INDENT);
	output_wrap(out, INDENT, s);
}

static void write_line(const struct reserve *r, struct output *out, size_t i)
{
	char buf[160];
	struct zl_buf line = {0};
	const struct zl_pool *p = &r->report.pool[i];
	const struct zl_request *q = &r->have.request[p->request];
	const struct zl_request *want = &r->want[p->request];

	reserve_rewrite(r, i, buf, sizeof(buf));
	if (buf[0] == '\0' || !reserve_is_written(r, p) || p->verdict != ZL_VERDICT_REFUSED ||
		p->class != ZL_POOL_CMA || p->request >= r->nr_planned) {
		return;
	}
	zl_buf_str(&line, buf);
	if (want->size > q->size) {
		zl_buf_fmt(&line, "  %Z more than asked", want->size - q->size);
	}
	labelled(out, "write", zl_buf_text(&line));
	zl_buf_done_in(&line, &out->text);
}

static void neighbours_of_size(const struct zl_pool *p, struct output *out)
{
	char buf[120];

	if (p->class != ZL_POOL_CMA || p->next_up == p->next_down || p->next_up == 0) {
		return;
	}
	if (p->next_down > 0) {
		zl_format(buf, sizeof(buf), "%Z below, %Z above", p->next_down, p->next_up);
	} else {
		zl_format(buf, sizeof(buf), "%Z is the smallest", p->next_up);
	}
	labelled(out, "legal", buf);
}

static void detail(const struct reserve *r, struct output *out, size_t i)
{
	const struct zl_pool *p = &r->report.pool[i];
	bool plain = p->verdict == ZL_VERDICT_ACCEPTED && p->class == ZL_POOL_CMA &&
		     p->reason == ZL_REASON_FITS;

	if (plain) {
		return;
	}
	zl_buf_fmt(&out->text, "\n%s: %s\n", reserve_pool_name(r, p), reserve_verdict_word(p));
	labelled(out, "why", p->text);
	for (size_t k = 0; k < p->nr_messages; k++) {
		zl_buf_fmt(&out->text, "  %s", k == 0 ? "kernel" : "");
		zl_buf_pad(&out->text, INDENT);
		zl_buf_fmt(&out->text, "%s\n", p->message[k]);
	}
	write_line(r, out, i);
	if (p->verdict == ZL_VERDICT_REFUSED) {
		neighbours_of_size(p, out);
	}
}

static void totals(const struct reserve *r, struct output *out)
{
	const struct zl_reserve_report *report = &r->report;

	zl_buf_fmt(&out->text, "asked %Z, given %Z", report->requested, report->given);
	if (r->nr_planned > 0 && r->corrected.given != report->given) {
		zl_buf_fmt(&out->text, ", as corrected %Z", r->corrected.given);
	}
	zl_buf_fmt(&out->text, "; %u of %u CMA areas\n", report->areas, report->max_areas);
}

static bool same_answer(const struct reserve_port *a, const struct reserve_port *b)
{
	return a->axis == b->axis && a->buildable == b->buildable && a->present == b->present &&
	       (a->axis != RESERVE_AXIS_RELEASE || a->alignment == b->alignment) &&
	       a->nr_refused == b->nr_refused && a->nr_no_room == b->nr_no_room &&
	       a->required == b->required && a->given == b->given;
}

/* Rows from @first to @last say the same, but for the alignment of block orders. */
static void port_row(
	struct table *t, const struct reserve_port *first, const struct reserve_port *last)
{
	char buf[96];
	const char *to = strpbrk(last->label, "= ");

	zl_format(buf, sizeof(buf), "%s%s%s%s", first->present ? "> " : "  ", first->label,
		last != first ? " to " : "", last != first && to != NULL ? to + 1 : "");
	table_text(t, buf);
	if (last->alignment != first->alignment) {
		zl_format(buf, sizeof(buf), "%Z-%Z", first->alignment, last->alignment);
		table_text(t, buf);
	} else {
		table_bytes(t, first->alignment);
	}
	if (!first->buildable) {
		table_text(t, "does not build");
	} else if (first->nr_refused + first->nr_no_room == 0) {
		table_text(t, "all fit");
	} else if (first->nr_no_room == 0) {
		zl_format(buf, sizeof(buf), "%U refused", (uint64_t)first->nr_refused);
		table_text(t, buf);
	} else {
		zl_format(buf, sizeof(buf), "%U refused, %U no room", (uint64_t)first->nr_refused,
			(uint64_t)first->nr_no_room);
		table_text(t, buf);
	}
	table_bytes(t, first->required);
	table_bytes(t, first->given);
}

static void port_rows(const struct reserve *r, struct table *t)
{
	for (size_t i = 0; i < r->nr_ports;) {
		size_t last = i;

		while (last + 1 < r->nr_ports && r->port[i].axis != RESERVE_AXIS_PAGE_SIZE &&
			same_answer(&r->port[i], &r->port[last + 1])) {
			last++;
		}
		port_row(t, &r->port[i], &r->port[last]);
		i = last + 1;
	}
}

/* Other words of other releases for the same verdict, each once. */
static void messages_elsewhere(const struct reserve *r, struct output *out)
{
	const char *last = NULL;

	for (size_t i = 0; i < r->nr_ports; i++) {
		if (r->port[i].axis == RESERVE_AXIS_RELEASE && r->port[i].present) {
			last = r->port[i].message;
		}
	}
	if (last == NULL) {
		return;
	}
	for (size_t i = 0; i < r->nr_ports; i++) {
		const struct reserve_port *p = &r->port[i];
		bool known = p->axis != RESERVE_AXIS_RELEASE || p->message[0] == '\0' ||
			     strcmp(p->message, last) == 0;

		for (size_t k = 0; k < i && !known; k++) {
			known = r->port[k].axis == RESERVE_AXIS_RELEASE &&
				strcmp(r->port[k].message, p->message) == 0;
		}
		if (!known) {
			zl_buf_fmt(&out->text, "  %s says of %s\n", p->label, p->message);
		}
	}
}

static void ports(const struct reserve *r, struct output *out)
{
	static const struct column columns[] = {
		{"set",			"  elsewhere", false},
		{"cma_min_alignment_bytes", "alignment",	 true },
		{"verdict",		    "pools",	     false},
		{"total_required_bytes",	 "needs",	  true },
		{"cma_total_bytes",	    "given",	     true },
	};
	struct table t;

	if (r->nr_planned == 0 || r->nr_ports == 0) {
		return;
	}
	zl_buf_chr(&out->text, '\n');
	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	port_rows(r, &t);
	table_print(&t);
	messages_elsewhere(r, out);
}

static char cell_letter(const struct reserve *r, uint64_t base, uint64_t size)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQSTUVWXYZ";

	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];

		if (p->base_known && p->size > 0 && p->base < base + size &&
			base < p->base + p->size) {
			return letters[i % (sizeof(letters) - 1)];
		}
	}
	if (zl_ranges_overlap(&r->report.map.reserved, base, size)) {
		return 'r';
	}
	return zl_ranges_overlap(&r->map.banks, base, size) ? '.' : ' ';
}

static void legend(const struct reserve *r, struct output *out)
{
	struct zl_buf line = {0};
	char letter[2] = "A";

	zl_buf_str(&line, "r reserved");
	for (size_t i = 0; i < r->report.nr_pools && i < 25; i++) {
		const struct zl_pool *p = &r->report.pool[i];

		letter[0] = "ABCDEFGHIJKLMNOPQSTUVWXYZ"[i];
		if (p->base_known && p->size > 0) {
			zl_buf_fmt(&line, ", %s %s %x", letter, reserve_pool_name(r, p), p->base);
		}
	}
	zl_buf_str(&out->text, "  ");
	output_wrap(out, 2, zl_buf_text(&line));
	zl_buf_done_in(&line, &out->text);
}

static void memory(const struct reserve *r, struct output *out)
{
	const struct zl_reserve_report *report = &r->report;
	uint64_t begin;
	uint64_t end;
	uint64_t cell;

	if (!r->map.known) {
		return;
	}
	begin = r->map.banks.item[0].base;
	end = zl_memory_end(&r->map);
	cell = (end - begin) / MAP_CELLS + ((end - begin) % MAP_CELLS != 0);
	zl_buf_fmt(&out->text, "\nMemory %x-%x, %Z, %Z a cell\n  ", begin, end - 1,
		zl_ranges_total(&r->map.banks), cell);
	for (uint64_t at = begin; at < end && at - begin < cell * MAP_CELLS; at += cell) {
		zl_buf_chr(&out->text, cell_letter(r, at, cell));
	}
	zl_buf_chr(&out->text, '\n');
	legend(r, out);
	zl_buf_fmt(&out->text,
		"  largest aligned hole %Z\n"
		"  left for UNMOVABLE and RECLAIMABLE %N of %N blocks, %Z\n",
		report->hole.aligned_size, report->blocks_left, report->blocks, report->bytes_left);
}

static void log_lines(const struct reserve *r, struct output *out)
{
	if (r->nr_log == 0) {
		return;
	}
	zl_buf_str(&out->text, "\nBoot log\n");
	for (size_t i = 0; i < r->nr_log; i++) {
		const struct reserve_log_line *l = &r->log[i];
		struct zl_buf line = {0};

		zl_buf_fmt(&line, "%s%s", l->text,
			l->fate == RESERVE_LOG_CONTRADICTS ? " - NOT as modelled"
			: l->fate == RESERVE_LOG_AGREES	   ? " - as modelled"
							   : "");
		zl_buf_fmt(&out->text, "  %u", l->line->line);
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, INDENT, zl_buf_text(&line));
		zl_buf_done_in(&line, &out->text);
	}
}

/* Verdicts stand above already. */
static void findings(const struct reserve *r, struct output *out)
{
	struct zl_diags *rest = r->alloc->realloc(r->alloc->user, NULL, sizeof(*rest));

	if (rest == NULL) {
		out->text.failed = true;
		return;
	}
	rest->count = 0;
	rest->dropped = r->diags.dropped;
	for (size_t i = 0; i < r->diags.count; i++) {
		enum zl_diag_code code = r->diags.item[i].code;

		if (code != ZL_DIAG_POOL_REFUSED && code != ZL_DIAG_POOL_NO_ROOM &&
			code != ZL_DIAG_POOL_BYPASSED) {
			rest->item[rest->count++] = r->diags.item[i];
		}
	}
	if (rest->count > 0) {
		zl_buf_chr(&out->text, '\n');
	}
	output_diags(out, rest);
	r->alloc->free(r->alloc->user, rest);
}

void reserve_text(const struct reserve *r, struct output *out)
{
	const struct zl_geometry *g = &r->machine.geometry;

	zl_buf_fmt(&out->text, "%s %s, %Z pages, CMA alignment %Z (%Z << %u)\n\n",
		g->arch != NULL ? g->arch->arch : "?", r->machine.release.display, g->page_size,
		g->cma_min_alignment_bytes, g->page_size, g->cma_min_alignment_order);
	if (r->report.nr_pools > 0) {
		pools(r, out);
		totals(r, out);
	}
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		detail(r, out, i);
	}
	log_lines(r, out);
	ports(r, out);
	memory(r, out);
	findings(r, out);
}
