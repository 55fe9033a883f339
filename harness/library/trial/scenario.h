/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios that a router goes through, and the bounds that it must meet (contract, section
 * 12). */
#pragma once

#include "trial/rig.h"

struct scenario_effort {
    unsigned cycles;  /* of each kind of mixed traffic */
    unsigned outputs; /* output ports that are tried alone */
    unsigned resets;  /* during traffic */
    unsigned rounds;  /* of everything */
    bool fair;        /* outputs are saturated until starvation shows */
};

/* The traffic of the Moore rule: no rules are judged. */
bool scenario_moore(struct rig *g);
/* False: the router broke the contract, or the trial failed (rig.h: code, wrong). */
bool scenario_all(struct rig *g, const struct scenario_effort *effort);
/* No new packets, all credits are returned: every packet leaves, every credit comes back. False as
 * above. */
bool scenario_drain(struct rig *g, const char *scenario);
