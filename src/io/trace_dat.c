/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.dat, the binary form of trace-cmd, through libtracecmd. */
#include <errno.h>

#include "trace_parse.h"

#ifdef ZONELAB_TRACECMD

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trace-cmd.h>

struct trace_dat {
	struct tracecmd_input *input;
	struct tep_handle *tep;
	int cpus;
	struct tep_record **next;  /* of each CPU, NULL = it has no more */
	struct tep_record *record; /* of the event last given */
	struct tep_record *held;   /* told of lost events, its own event is still to come */
};

bool zl_trace_dat_supported(void)
{
	return true;
}

/* The library dies of some damaged files (1.3.1, its own error path): a child tries first. */
static bool opens(const char *path)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		struct tracecmd_input *input = tracecmd_open(path, 0);

		_exit(input != NULL ? 0 : 1);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
	}
	return child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int trace_dat_open(const char *path, struct trace_dat **ret, struct zl_error *err)
{
	struct trace_dat *d = calloc(1, sizeof(*d));

	if (d == NULL) {
		return -ENOMEM;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	tracefs_set_loglevel(TEP_LOG_NONE);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	d->input = opens(path) ? tracecmd_open(path, 0) : NULL;
	if (d->input == NULL) {
		free(d);
		zl_error_set(err, 0, 0,
			"this trace.dat cannot be read; `trace-cmd report` says why, and makes "
			"text of a whole one");
		return -EINVAL;
	}
	d->tep = tracecmd_get_tep(d->input);
	d->cpus = tep_get_cpus(d->tep);
	d->cpus = d->cpus < 0 ? 0 : d->cpus > ZL_TRACE_CPUS_MAX ? ZL_TRACE_CPUS_MAX : d->cpus;
	d->next = calloc((size_t)d->cpus + 1, sizeof(struct tep_record *));
	if (d->next == NULL) {
		trace_dat_close(d);
		return -ENOMEM;
	}
	for (int i = 0; i < d->cpus; i++) {
		d->next[i] = tracecmd_read_data(d->input, i);
	}
	*ret = d;
	return 0;
}

#ifdef ZONELAB_TRACECMD_UNAME
/* Exported, but in no public header. */
const char *tracecmd_get_uname(struct tracecmd_input *handle);
#endif

const char *trace_dat_uname(const struct trace_dat *d)
{
#ifdef ZONELAB_TRACECMD_UNAME
	const char *uname = tracecmd_get_uname(d->input);

	return uname != NULL ? uname : "";
#else
	(void)d;
	return "";
#endif
}

/* The earliest record of all CPUs, NULL at the end. */
static struct tep_record *earliest(struct trace_dat *d)
{
	int best = -1;
	struct tep_record *r;

	for (int i = 0; i < d->cpus; i++) {
		if (d->next[i] != NULL && (best < 0 || d->next[i]->ts < d->next[best]->ts)) {
			best = i;
		}
	}
	if (best < 0) {
		return NULL;
	}
	r = d->next[best];
	d->next[best] = tracecmd_read_data(d->input, best);
	return r;
}

static bool field(struct tep_event *event, struct tep_record *r, const char *name, uint64_t most,
	uint64_t *ret)
{
	unsigned long long v = 0;

	*ret = 0;
	if (tep_get_field_val(NULL, event, name, r, &v, 0) != 0 || v > most) {
		return false;
	}
	*ret = v;
	return true;
}

/* -1 = a number of no migratetype, or none. */
static int8_t type_of(struct tep_event *event, struct tep_record *r, const char *name)
{
	uint64_t v;

	return field(event, r, name, INT8_MAX, &v) ? (int8_t)v : -1;
}

static bool extfrag(struct tep_event *event, struct tep_record *r, struct zl_trace_event *ret)
{
	uint64_t order, fallback, v;
	bool whole = field(event, r, "alloc_order", ZL_MAX_ORDER_LIMIT, &order) &&
		     field(event, r, "fallback_order", ZL_MAX_ORDER_LIMIT, &fallback);

	ret->migratetype = type_of(event, r, "alloc_migratetype");
	ret->fallback_migratetype = type_of(event, r, "fallback_migratetype");
	ret->change_ownership = field(event, r, "change_ownership", 1, &v) && v != 0;
	ret->order = (uint8_t)order;
	ret->fallback_order = (uint8_t)(whole ? fallback : 0);
	return whole;
}

static bool mark(struct tep_event *event, struct tep_record *r, struct zl_trace_event *ret)
{
	static const char own[] = "zonelab: ";
	int size = 0;
	const char *text = tep_get_field_raw(NULL, event, "buf", r, &size, 0);

	if (text == NULL) {
		return false;
	}
	size_t room = (size_t)((const char *)r->data + r->size - text);
	size_t n = strnlen(text, room);
	while (n > 0 && text[n - 1] == '\n') {
		n--;
	}
	if (n < sizeof(own) || memcmp(text, own, sizeof(own) - 1) != 0) {
		return false;
	}
	ret->kind = ZL_TRACED_MARK;
	ret->text.s = text + sizeof(own) - 1;
	ret->text.n = n - (sizeof(own) - 1);
	return true;
}

/* False for an event of another kind, or without what it must have. */
static bool translate(struct trace_dat *d, struct tep_record *r, struct zl_trace_event *ret)
{
	struct tep_event *event = tep_find_event_by_record(d->tep, r);
	uint64_t v = 0;
	unsigned k = 0;

	if (event == NULL || event->name == NULL) {
		return false;
	}
	ret->cpu = (uint32_t)r->cpu;
	ret->time_ns = r->ts;
	ret->pid = tep_data_pid(d->tep, r);
	ret->comm.s = tep_data_comm_from_pid(d->tep, (int)ret->pid);
	ret->comm.n = ret->comm.s != NULL ? strlen(ret->comm.s) : 0;
	if (strcmp(event->name, "print") == 0) {
		return mark(event, r, ret);
	}
	while (k < ZL_TRACED_WMARKS &&
		strcmp(event->name, zl_traced_name((enum zl_traced)k)) != 0) {
		k++;
	}
	ret->kind = (enum zl_traced)k;
	if (k == ZL_TRACED_WMARKS || !field(event, r, "pfn", UINT64_MAX, &ret->pfn)) {
		return false;
	}
	/* A failed request stores all ones; older kernels print a null page. */
	ret->pfn = ret->pfn > ZL_TRACE_PFN_MAX ? 0 : ret->pfn;
	if (ret->kind == ZL_TRACED_EXTFRAG) {
		return extfrag(event, r, ret);
	}
	ret->migratetype = type_of(event, r, "migratetype");
	ret->percpu_refill = field(event, r, "percpu_refill", 1, &v) && v != 0;
	bool ordered = field(event, r, "order", ZL_MAX_ORDER_LIMIT, &v);
	ret->order = (uint8_t)v;
	return ordered || ret->kind == ZL_TRACED_FREE_BATCHED;
}

int trace_dat_next(struct trace_dat *d, struct zl_trace_event *ret, uint64_t *skipped)
{
	static const struct zl_trace_event none = {
		.pid = -1, .migratetype = -1, .fallback_migratetype = -1, .node = -1};

	for (;;) {
		struct tep_record *r = d->held;

		tracecmd_free_record(d->record);
		d->record = NULL;
		d->held = NULL;
		if (r == NULL) {
			r = earliest(d);
			if (r == NULL) {
				return 0;
			}
			if (r->missed_events != 0 && r->cpu >= 0 && r->cpu < ZL_TRACE_CPUS_MAX) {
				*ret = none;
				ret->kind = ZL_TRACED_LOST;
				ret->cpu = (uint32_t)r->cpu;
				ret->time_ns = r->ts;
				ret->lost = r->missed_events > 0 ? (uint64_t)r->missed_events : 0;
				d->held = r;
				return 1;
			}
		}
		d->record = r;
		*ret = none;
		if (r->cpu >= 0 && r->cpu < ZL_TRACE_CPUS_MAX && translate(d, r, ret)) {
			return 1;
		}
		++*skipped;
	}
}

void trace_dat_close(struct trace_dat *d)
{
	if (d != NULL) {
		tracecmd_free_record(d->record);
		tracecmd_free_record(d->held);
		for (int i = 0; d->next != NULL && i < d->cpus; i++) {
			tracecmd_free_record(d->next[i]);
		}
		free(d->next);
		tracecmd_close(d->input);
		free(d);
	}
}

#else

bool zl_trace_dat_supported(void)
{
	return false;
}

int trace_dat_open(const char *path, struct trace_dat **ret, struct zl_error *err)
{
	(void)path;
	(void)ret;
	zl_error_set(err, 0, 0,
		"this is a trace.dat, which this build does not read; `trace-cmd report FILE` "
		"makes "
		"text of it");
	return -EINVAL;
}

int trace_dat_next(struct trace_dat *d, struct zl_trace_event *ret, uint64_t *skipped)
{
	(void)d;
	(void)ret;
	(void)skipped;
	return 0;
}

const char *trace_dat_uname(const struct trace_dat *d)
{
	(void)d;
	return "";
}

void trace_dat_close(struct trace_dat *d)
{
	(void)d;
}

#endif
