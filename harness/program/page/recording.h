/* SPDX-License-Identifier: Apache-2.0 */
/* A recording as JSON for the page. */
#pragma once

#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "page/columns.h"
#include "page/recorder.h"

struct page_run {
    const struct ec_recording *recording;
    const struct ec_topology *topology;
    const struct ec_router *router;
    const struct ec_report *report;
    bool foreign; /* a router whose timing is not known */
};

/* The keys network to waiting; adds to `notes` what was left out. */
void page_put_recording(struct page_object *o, const struct page_run *d, json_t *notes);
