/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section about limits: names in words, numbers from the headers that the program is built of. */
#include "compare_report.h"
#include "doc.h"
#include "lane_spec.h"
#include "pagesets.h"
#include "pools.h"
#include "record.h"
#include "reserve.h"
#include "sweep.h"
#include "sweeps.h"
#include "timeline.h"
#include "zonelab/dmesg.h"
#include "zonelab/dts.h"
#include "zonelab/expr.h"
#include "zonelab/file.h"
#include "zonelab/import.h"
#include "zonelab/json.h"
#include "zonelab/kmem.h"
#include "zonelab/lesson_file.h"
#include "zonelab/machine.h"
#include "zonelab/mail.h"
#include "zonelab/patch.h"
#include "zonelab/reservation.h"
#include "zonelab/scenario.h"
#include "zonelab/scenario_file.h"
#include "zonelab/sim.h"
#include "zonelab/system.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

struct limit {
	const char *what;
	uint64_t most;
	bool bytes;
};

static const struct limit of_files[] = {
	{"a file, unpacked; traces have none, they are read as they come", ZL_FILE_MAX,		true },
	{"files opened together",					  ZL_IMPORT_FILES_MAX,  false},
	{"JSON text",						      ZL_JSON_TEXT_MAX,	true },
	{"levels of [ and { in JSON",				      ZL_JSON_DEPTH_MAX,	 false},
	{"a scenario file",						ZL_SCENARIO_FILE_MAX, true },
	{"a lesson file",						  ZL_LESSON_FILE_MAX,   true },
	{"a device-tree file",					     ZL_DTS_SIZE_MAX,	true },
	{"files that a device tree includes, with itself",		   ZL_DTS_FILES_MAX,     false},
	{"nodes of a device tree",					 ZL_DTS_NODES_MAX,     false},
	{"nodes inside nodes",					     ZL_DTS_DEPTH_MAX,	 false},
	{"lines kept of a boot log",				       ZL_DMESG_LINES_MAX,	 false},
	{"a line of a trace; longer ones are skipped and counted",	   ZL_TRACE_LINE_MAX,    true },
	{"CPU numbers in a trace, below",				  ZL_TRACE_CPUS_MAX,    false},
	{"mails of one file",					      ZL_MAIL_BYTES_MAX,	 true },
	{"messages of one file",					   ZL_MAIL_MESSAGES_MAX, false},
	{"a line of a mail",					       ZL_MAIL_LINE_MAX,     true },
	{"parts of one message",					   ZL_MAIL_PARTS_MAX,    false},
	{"files of a patch",					       ZL_PATCH_FILES_MAX,	 false},
	{"lines of all hunks of a patch",				  ZL_PATCH_LINES_MAX,   false},
};

static const struct limit of_models[] = {
	{"pages of a zone",			    ZL_SIM_PAGES_MAX,	      false},
	{"CPUs of a zone",			   ZL_SIM_CPUS_MAX,	    false},
	{"zones of a machine",		       ZL_ZONES_MAX,	     false},
	{"zones that run together",		    ZL_SYSTEM_ZONES_MAX,	 false},
	{"nodes that run together",		    ZL_SYSTEM_NODES_MAX,	 false},
	{"reserved pools",			   ZL_POOLS_MAX,		 false},
	{"files that reserve reads",		     RESERVE_FILES_MAX,	false},
	{"ops of an op list",		      ZL_WORKLOAD_OPS_MAX,	   false},
	{"ops of a scenario",		      ZL_SCENARIO_OPS_MAX,	   false},
	{"threads of a phase",		       ZL_SCENARIO_THREADS_MAX,	false},
	{"bytes of a name in a scenario",	  ZL_SCENARIO_NAME_MAX - 1, false},
	{"bytes of a caption, question or source", ZL_SCENARIO_TEXT_MAX,	 false},
	{"bytes of an expression",		   ZL_EXPR_TEXT_MAX,	     false},
	{"steps of a lesson",		      ZL_LESSON_STEPS_MAX,	   false},
	{"axes of a sweep",			    SWEEP_AXES_MAX,	    false},
	{"points of a sweep",		      SWEEP_POINTS_MAX,		false},
	{"seeds of a comparison",		  COMPARE_SEEDS_MAX,	     false},
};

static const struct limit of_explorer[] = {
	{"lanes",				    APP_LANES,	     false},
	{"settings and policies of a lane as text",  LANE_ITEMS,		false},
	{"ops of a run",			     TIMELINE_OPS_MAX,   false},
	{"memory of a run and its lanes",		  TIMELINE_BUDGET,	   true },
	{"branches of a run; the oldest makes room", PAGESETS_BRANCHES,	false},
	{"breakpoints",			      PAGESETS_BREAKS,	 false},
	{"bookmarks",				PAGESETS_BOOKMARKS, false},
	{"bytes of a bookmark's note",	       PAGESETS_NOTE - 1,  false},
	{"steps of undo; the oldest makes room",	 APP_UNDO_MAX,       false},
	{"points of a sweep on the screen",	    SWEEPS_POINTS_MAX,  false},
	{"frames of a recording",			  RECORD_FRAMES_MAX,  false},
};

static void print(FILE *out, const char *heading, const struct limit *l, size_t n)
{
	char number[32];

	fprintf(out, "## %s\n\n", heading);
	for (size_t i = 0; i < n; i++) {
		zl_format(number, sizeof(number), l[i].bytes ? "%Z" : "%N", l[i].most);
		fprintf(out, "- %s: at most *%s*\n", l[i].what, number);
	}
	fputc('\n', out);
}

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

void doc_limits(FILE *out)
{
	print(out, "Files", of_files, COUNT_OF(of_files));
	print(out, "Models", of_models, COUNT_OF(of_models));
	print(out, "The explorer", of_explorer, COUNT_OF(of_explorer));
}
