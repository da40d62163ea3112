/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE
#include "pty_vterm.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define LIMIT_MS   60000 /* the machine may be busy with anything */
#define MARK_START "\033]7711;"

/* What the leader tells about the program: first its pid, then wait statuses. */
struct report {
	int status;
	pid_t pid;
};

/* ---- the terminal's side ---- */

static int on_property(VTermProp prop, VTermValue *val, void *user)
{
	struct pty *p = user;

	if (prop == VTERM_PROP_ALTSCREEN) {
		p->alternate = val->boolean != 0;
	} else if (prop == VTERM_PROP_CURSORVISIBLE) {
		p->cursor = val->boolean != 0;
	}
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void make_vterm(struct pty *p)
{
	p->vt = vterm_new(p->rows, p->cols);
	assert_non_null(p->vt);
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
	p->cursor = true;
}

/* Follows the marks "ESC ] 7711 ; frame F keys K BEL" in the stream. */
static void watch_marks(struct pty *p, char c)
{
	const char *start = MARK_START;
	const size_t head = sizeof(MARK_START) - 1;

	if (p->mark_len < head && c != start[p->mark_len]) {
		p->mark_len = 0;
	}
	if (p->mark_len < head && c != start[p->mark_len]) {
		return;
	}
	if (c != '\a') {
		assert_true(p->mark_len + 1 < sizeof(p->mark));
		p->mark[p->mark_len++] = c;
		return;
	}
	p->mark[p->mark_len] = '\0';
	p->mark_len = 0;
	assert_int_equal(
		2, sscanf(p->mark + head, "frame %lu keys %lu", &p->nr_frames, &p->nr_keys));
}

/* libvterm takes one mode of a sequence that sets several, so mouse reports are watched here. */
static void watch_mouse(struct pty *p, char c)
{
	memmove(p->last, p->last + 1, sizeof(p->last) - 2);
	p->last[sizeof(p->last) - 2] = c;
	if (strcmp(p->last, "1000h") == 0 || strcmp(p->last, "1000l") == 0) {
		p->mouse = c == 'h';
	}
}

/* Reads what there is; false when there is nothing, or the terminal is closed. */
static bool feed_some(struct pty *p, size_t most)
{
	char buf[4096];
	ssize_t n = read(p->master, buf, most < sizeof(buf) ? most : sizeof(buf));

	for (ssize_t i = 0; i < n; i++) {
		watch_marks(p, buf[i]);
		watch_mouse(p, buf[i]);
	}
	if (n > 0) {
		p->bytes += (size_t)n;
		vterm_input_write(p->vt, buf, (size_t)n);
	}
	return n > 0;
}

static bool feed(struct pty *p)
{
	return feed_some(p, SIZE_MAX);
}

/* What /proc says of the program's state and its signals. */
static void tell_state(const struct pty *p, char *buf, size_t size)
{
	static const char *const keys[] = {"State:", "SigPnd:", "ShdPnd:", "SigBlk:", "SigCgt:"};
	char path[64], line[200];
	size_t len = 0;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/status", (int)p->program);
	FILE *f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (strncmp(line, keys[i], strlen(keys[i])) == 0 && len < size) {
				line[strcspn(line, "\n")] = '\0';
				len += (size_t)snprintf(buf + len, size - len, " %s", line);
			}
		}
	}
	if (f != NULL) {
		fclose(f);
	}
}

/* Fails the test with what is known of a program from which nothing comes. */
static void fail_waiting(const struct pty *p, const char *what, const char *waiting_for)
{
	char state[600];

	tell_state(p, state, sizeof(state));
	fail_msg("%s%s; the program:%s", what, waiting_for, state);
}

/* Waits for output; fails the test when none comes for too long. */
static void pump(struct pty *p, const char *waiting_for)
{
	struct pollfd out = {.fd = p->master, .events = POLLIN};

	if (poll(&out, 1, LIMIT_MS) <= 0) {
		char *b = malloc(PTY_TEXT_MAX);

		assert_non_null(b);
		pty_text(p, b);
		fputs(b, stderr);
		free(b);
		fail_waiting(p, "nothing happened while waiting for ", waiting_for);
	}
	if (!feed(p) && (out.revents & POLLHUP) != 0) {
		fail_msg("the program ended while waiting for %s", waiting_for);
	}
}

/* Reads all that the program wrote before it ended or stopped: up to a mark of our own. */
static void feed_all(struct pty *p)
{
	const unsigned long own = 1000000, frames = p->nr_frames, keys = p->nr_keys;
	char mark[64];
	int n = snprintf(mark, sizeof(mark), MARK_START "frame %lu keys %lu\a", frames, own);

	assert_int_equal(n, write(p->slave, mark, (size_t)n));
	while (p->nr_keys != own) {
		pump(p, "the rest of the output");
	}
	p->nr_frames = frames;
	p->nr_keys = keys;
}

/* ---- start ---- */

/* Strings that execve may not be given as constants. */
struct vector {
	char text[24][160];
	char *item[25];
	int count;
};

static void add(struct vector *v, const char *name, const char *value)
{
	snprintf(v->text[v->count], sizeof(v->text[0]), "%s%s", name, value);
	v->item[v->count] = v->text[v->count];
	v->item[++v->count] = NULL;
}

static void exec_program(const struct pty *p, const struct pty_opts *o)
{
	struct vector args = {0}, env = {0};

	add(&args, "zonelab", "");
	for (int i = 0; i < PTY_ARGS_MAX && o->args[i] != NULL; i++) {
		add(&args, o->args[i], "");
	}
	add(&env, "HOME=", p->home);
	add(&env, "LC_ALL=", o->locale != NULL ? o->locale : "C.UTF-8");
	add(&env, "ASAN_OPTIONS=", "detect_leaks=0:abort_on_error=0");
	add(&env, "TZ=", "UTC");
	add(&env, "PATH=", "/usr/bin:/bin");
	add(&env, "ZONELAB_FRAME_MARK=", "1");
	if (o->term == NULL || o->term[0] != '\0') {
		add(&env, "TERM=", o->term != NULL ? o->term : "xterm");
	}
	for (size_t i = 0; i < sizeof(o->env) / sizeof(o->env[0]) && o->env[i] != NULL; i++) {
		add(&env, o->env[i], "");
	}
	execve(getenv("ZONELAB"), args.item, env.item);
	_exit(127);
}

static void report(int fd, pid_t pid, int status)
{
	struct report r = {.pid = pid, .status = status};
	ssize_t n = write(fd, &r, sizeof(r));

	(void)n;
}

/* Stands for the shell: without a parent in its session the program could not be stopped. */
static void lead(const struct pty *p, const struct pty_opts *o, int reports)
{
	int status = 0;

	setsid();
	ioctl(p->slave, TIOCSCTTY, 0);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		tcsetpgrp(p->slave, getpid());
		signal(SIGHUP, SIG_DFL);
		signal(SIGTTOU, SIG_DFL);
		dup2(p->slave, STDIN_FILENO);
		dup2(p->slave, STDOUT_FILENO);
		dup2(p->slave, STDERR_FILENO);
		close(p->master);
		close(p->slave);
		exec_program(p, o);
	}
	setpgid(pid, pid);
	close(p->master);
	close(p->slave);
	report(reports, pid, 0);
	while (waitpid(pid, &status, WUNTRACED) == pid) {
		report(reports, pid, status);
		if (!WIFSTOPPED(status)) {
			break;
		}
	}
	_exit(0);
}

static struct report next_report(struct pty *p)
{
	struct report r = {0};
	struct pollfd fds[] = {
		{.fd = p->reports, .events = POLLIN},
		      {.fd = p->master,	.events = POLLIN}
	 };

	for (;;) {
		int n = p->master >= 0 ? 2 : 1;
		if (poll(fds, (nfds_t)n, LIMIT_MS) <= 0) {
			fail_waiting(p, "the program neither ends nor stops", "");
		}
		if (p->master >= 0 && (fds[1].revents & POLLIN) != 0) {
			feed(p);
		}
		if ((fds[0].revents & (POLLIN | POLLHUP)) != 0) {
			assert_int_equal(sizeof(r), read(p->reports, &r, sizeof(r)));
			return r;
		}
	}
}

static void make_home(struct pty *p, const struct pty_opts *o)
{
	p->own_home = o->home == NULL;
	snprintf(p->home, sizeof(p->home), "%s", o->home != NULL ? o->home : "/tmp/zonelab-XXXXXX");
	if (p->own_home) {
		assert_non_null(mkdtemp(p->home));
	}
}

void pty_start(struct pty *p, const struct pty_opts *o, bool wait)
{
	int reports[2];
	struct winsize ws = {0};

	memset(p, 0, sizeof(*p));
	p->rows = o->rows > 0 ? o->rows : 24;
	p->cols = o->cols > 0 ? o->cols : 80;
	ws.ws_row = (unsigned short)p->rows;
	ws.ws_col = (unsigned short)p->cols;
	make_home(p, o);
	make_vterm(p);
	assert_int_equal(0, openpty(&p->master, &p->slave, NULL, NULL, &ws));
	assert_int_equal(0, tcgetattr(p->slave, &p->before));
	assert_int_equal(0, pipe(reports));
	p->leader = fork();
	assert_true(p->leader >= 0);
	if (p->leader == 0) {
		close(reports[0]);
		lead(p, o, reports[1]);
	}
	close(reports[1]);
	p->reports = reports[0];
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	p->program = next_report(p).pid;
	if (wait) {
		pty_settle(p);
	}
	if (wait && !o->story) {
		pty_press(p, "1");
	}
}

static void remove_home(const struct pty *p)
{
	char command[128];

	if (p->own_home && strncmp(p->home, "/tmp/zonelab-", 13) == 0) {
		snprintf(command, sizeof(command), "rm -rf '%s'", p->home);
		assert_int_equal(0, system(command));
	}
}

void pty_stop(struct pty *p)
{
	if (p->leader > 0) {
		kill(p->program, SIGKILL);
		kill(p->program, SIGCONT);
		waitpid(p->leader, NULL, 0);
	}
	if (p->master >= 0) {
		close(p->master);
		close(p->slave);
	}
	close(p->reports);
	vterm_free(p->vt);
	remove_home(p);
}

/* ---- keys ---- */

struct sequence {
	const char *name;
	const char *bytes;
};

/* What an xterm sends with its keypad in application mode. */
static const struct sequence sequences[] = {
	{"Backspace", "\177"   },
	{"Delete",	   "\033[3~"},
	{"Down",	 "\033OB" },
	{"End",	"\033OF" },
	{"Enter",	  "\r"     },
	{"Esc",	"\033"   },
	{"Home",	 "\033OH" },
	{"Left",	 "\033OD" },
	{"PgDn",	 "\033[6~"},
	{"PgUp",	 "\033[5~"},
	{"Right",	  "\033OC" },
	{"S-Tab",	  "\033[Z" },
	{"Space",	  " "	     },
	{"Tab",	"\t"	    },
	{"Up",	       "\033OA" },
};

static void send_bytes(struct pty *p, const char *bytes, size_t n)
{
	assert_int_equal(n, write(p->master, bytes, n));
}

static void send_key(struct pty *p, const char *key)
{
	p->sent++;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		if (strcmp(sequences[i].name, key) == 0) {
			send_bytes(p, sequences[i].bytes, strlen(sequences[i].bytes));
			return;
		}
	}
	if (key[0] == 'C' && key[1] == '-' && key[2] != '\0') {
		char c = (char)(key[2] & 0x1f);
		send_bytes(p, &c, 1);
		return;
	}
	send_bytes(p, key, strlen(key));
}

void pty_press(struct pty *p, const char *keys)
{
	char key[32];

	while (*keys != '\0') {
		size_t n = strcspn(keys, " ");
		snprintf(key, sizeof(key), "%.*s", (int)n, keys);
		send_key(p, key);
		pty_settle(p); /* one by one: an Esc with a key behind it would be another key */
		keys += n;
		keys += strspn(keys, " ");
	}
}

void pty_type(struct pty *p, const char *text)
{
	p->sent += strlen(text);
	send_bytes(p, text, strlen(text));
	pty_settle(p);
}

void pty_resize(struct pty *p, int rows, int cols)
{
	struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	p->sent++;
	assert_int_equal(0, ioctl(p->master, TIOCSWINSZ, &ws));
	pty_settle(p);
}

void pty_settle(struct pty *p)
{
	while (p->nr_frames == 0 || p->nr_keys < p->sent) {
		pump(p, "a frame");
	}
}

void pty_send(struct pty *p, const char *bytes)
{
	send_bytes(p, bytes, strlen(bytes));
}

void pty_await(struct pty *p, const char *text)
{
	while (!pty_shows(p, text)) {
		pump(p, text);
	}
}

/* ---- ends ---- */

void pty_signal(struct pty *p, int sig)
{
	assert_int_equal(0, kill(p->program, sig));
}

int pty_wait_end(struct pty *p)
{
	struct report r = next_report(p);

	while (WIFSTOPPED(r.status)) {
		r = next_report(p);
	}
	waitpid(p->leader, NULL, 0);
	p->leader = 0;
	if (p->master >= 0) {
		feed_all(p);
	}
	return r.status;
}

int pty_wait_end_unread(struct pty *p)
{
	int master = p->master;

	p->master = -1;
	int status = pty_wait_end(p);
	p->master = master;
	return status;
}

void pty_read_rest(struct pty *p)
{
	feed_all(p);
}

void pty_read_little(struct pty *p, size_t n)
{
	struct pollfd out = {.fd = p->master, .events = POLLIN};

	if (poll(&out, 1, LIMIT_MS) <= 0) {
		fail_msg("nothing is written");
	}
	(void)feed_some(p, n);
}

static bool sleeps(const struct pty *p)
{
	char path[64], state = '?';

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->program);
	FILE *f = fopen(path, "r");
	if (f != NULL) {
		(void)!fscanf(f, "%*d (%*[^)]) %c", &state);
		fclose(f);
	}
	return state != 'R';
}

void pty_wait_idle(struct pty *p)
{
	const struct timespec little = {.tv_nsec = 20000000};
	unsigned asleep = 0;
	int waiting = 1;

	while (waiting > 0 && asleep < 3) {
		nanosleep(&little, NULL);
		assert_int_equal(0, ioctl(p->slave, FIONREAD, &waiting));
		asleep = sleeps(p) ? asleep + 1 : 0;
	}
}

void pty_wait_stopped(struct pty *p)
{
	struct report r = next_report(p);

	assert_true(WIFSTOPPED(r.status));
	feed_all(p);
}

void pty_hang_up(struct pty *p)
{
	close(p->master);
	close(p->slave);
	p->master = -1;
}
