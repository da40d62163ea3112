/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the Compare state share. */
#ifndef APP_BESIDE_PRIVATE_H
#define APP_BESIDE_PRIVATE_H

#include "beside.h"
#include "pagesets_private.h"
#include "run_source.h"

/** Says what a step of the kernel axis changed. */
void beside_say_step(struct app *app, unsigned i);

#endif
