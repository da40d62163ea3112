/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands, one file each, and what they share.
 */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "command.h"

extern const struct command cmd_anonymise;
extern const struct command cmd_answer;
extern const struct command cmd_axis;
extern const struct command cmd_back;
extern const struct command cmd_bookmark;
extern const struct command cmd_branch;
extern const struct command cmd_break;
extern const struct command cmd_cancel;
extern const struct command cmd_check;
extern const struct command cmd_clear;
extern const struct command cmd_compare;
extern const struct command cmd_complete;
extern const struct command cmd_copy;
extern const struct command cmd_cpu;
extern const struct command cmd_edit;
extern const struct command cmd_erase;
extern const struct command cmd_estimate;
extern const struct command cmd_explain;
extern const struct command cmd_explain_my_machine;
extern const struct command cmd_export;
extern const struct command cmd_follow;
extern const struct command cmd_geometry;
extern const struct command cmd_go;
extern const struct command cmd_help;
extern const struct command cmd_hunt;
extern const struct command cmd_lane;
extern const struct command cmd_last;
extern const struct command cmd_leave;
extern const struct command cmd_lesson;
extern const struct command cmd_list;
extern const struct command cmd_move;
extern const struct command cmd_next;
extern const struct command cmd_op;
extern const struct command cmd_panel;
extern const struct command cmd_patch;
extern const struct command cmd_pcp;
extern const struct command cmd_pin;
extern const struct command cmd_plain;
extern const struct command cmd_play;
extern const struct command cmd_policy;
extern const struct command cmd_point;
extern const struct command cmd_pool;
extern const struct command cmd_probe;
extern const struct command cmd_prompt;
extern const struct command cmd_quit;
extern const struct command cmd_record;
extern const struct command cmd_redo;
extern const struct command cmd_redraw;
extern const struct command cmd_replay;
extern const struct command cmd_report;
extern const struct command cmd_reserve;
extern const struct command cmd_restore;
extern const struct command cmd_review;
extern const struct command cmd_run;
extern const struct command cmd_save;
extern const struct command cmd_save_profile;
extern const struct command cmd_screen;
extern const struct command cmd_screenshot;
extern const struct command cmd_search;
extern const struct command cmd_set;
extern const struct command cmd_settings;
extern const struct command cmd_slot;
extern const struct command cmd_source;
extern const struct command cmd_sweep;
extern const struct command cmd_speed;
extern const struct command cmd_step;
extern const struct command cmd_stop;
extern const struct command cmd_suspend;
extern const struct command cmd_take;
extern const struct command cmd_undo;
extern const struct command cmd_verify;
extern const struct command cmd_why;
extern const struct command cmd_write_fix;
extern const struct command cmd_zone;
extern const struct command cmd_zoom;

/** Names of the tables that `list` prints, sorted; NULL past the last. */
const char *list_topic(size_t i);
/** Fails with EXIT_USAGE and one sentence. */
enum exit_status command_usage(struct output *out, const char *fmt, ...);
/** Refuses --json and --csv where the answer is @what ("a trace") and has one form alone. */
bool command_one_form(const char *what, struct output *out);
/** Fails with EXIT_USAGE, naming a fact that files did not say ("kernel", "page_size", "zoneinfo"). */
enum exit_status command_missing(struct output *out, const char *fact);
/** Refuses words where a command takes none (or more than @most). */
bool command_words_ok(
	const struct command_args *args, size_t least, size_t most, struct output *out);
/** EXIT_YES, or EXIT_INTERRUPTED with a sentence where work was ended before its end. */
enum exit_status output_completed(struct output *out, bool complete);
/** Starts a JSON answer: {"kind": ..., "version": 1}; owned by @out. */
struct zl_json *output_json(struct output *out, const char *kind);
/** Adds "diagnostics": [{severity, code, text}]. */
void json_add_diags(struct zl_json *object, const struct zl_diags *diags);
/** Adds every setting under its key, null where it is not given. */
void json_add_settings(struct zl_json *object, const struct zl_settings *settings);
/** Adds a value under its name, null where it does not exist. */
void json_add_value(struct zl_json *object, const struct value_in *in, enum value_id id);
/** Columns that text may take: 80, in a mail 72. */
size_t output_columns(const struct output *out);
/** Wraps words at that width; later lines start at @indent. Ends the line. */
void output_wrap(struct output *out, size_t indent, const char *s);
/** One line: "arm64 6.18.2, 4 KiB pages, 4 GiB, 1 node, 8 CPUs". */
void output_machine(struct output *out, const struct lane *lane);
/** Prints diagnostics as lines "warning: ..."; notes too unless the user wants quiet. */
void output_diags(struct output *out, const struct zl_diags *diags);

#endif
