/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CMA areas as a running kernel shows them in debugfs and sysfs. */
#ifndef IO_IMPORT_CMA_H
#define IO_IMPORT_CMA_H

#include "zonelab/import.h"

/* Reads the folders of all areas below @root; returns how many told something. */
unsigned import_cma_areas(struct zl_import *im, const char *root);

#endif
