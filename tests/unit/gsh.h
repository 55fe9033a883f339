/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of permutations under test: opened, audited, and their targets held against a bit-level
 * definition written here. */
#ifndef EC_TEST_GSH_H
#define EC_TEST_GSH_H

#include "unit.h"

#include <string.h>

#include "ecube/schedule.h"

/* Where the element of `slot` at `node` has to go, bit by bit. */
static inline struct ec_place target_of(const struct ec_sdp *s, uint32_t node, uint32_t slot)
{
    struct ec_place to = {0, 0};

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        const unsigned f = s->from[i];
        const uint32_t old = f < s->storage ? slot >> f & 1 : node >> (f - s->storage) & 1;
        const uint32_t bit = old != (s->complement >> i & 1);
        if (i < s->storage)
            to.slot |= bit << i;
        else
            to.node |= bit << (i - s->storage);
    }
    return to;
}

/* Open, audit and close; fails unless the schedule is valid and has the right targets. */
static inline struct ec_schedule_audit audited(const char *topology, const char *workload,
                                               const char *algorithm)
{
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(workload, &t);
    struct ec_schedule *s = NULL;
    struct ec_schedule_audit a;
    struct ec_error error;

    if (ec_schedule_open(&t, w, algorithm, &s, &error) != EC_OK)
        fail_msg("%s %s %s: %s", topology, workload, algorithm, error.message);
    for (uint32_t e = 0; e < s->nodes * s->per_node; e++) {
        const struct ec_place to = target_of(w->sdp, e / s->per_node, e % s->per_node);
        if (s->target[e].node != to.node || s->target[e].slot != to.slot)
            fail_msg("%s %s %s: element %u has the wrong target", topology, workload, algorithm, e);
    }
    if (ec_schedule_audit(&t, EC_ORDER_LOW, s, &a, &error) != EC_OK)
        fail_msg("%s", error.message);
    if (!a.valid || a.max_step_load > 1)
        fail_msg("%s %s %s: %s", topology, workload, algorithm, a.defect);
    if (a.steps != s->steps)
        fail_msg("%s %s %s: %u steps with transfers, %u in all", topology, workload, algorithm,
                 a.steps, s->steps);
    ec_schedule_close(s);
    ec_workload_close(w);
    return a;
}

/* A real cycle of r processor dimensions behind k storage dimensions; bit i of `inverted`: the i-th
 * from the left. "gsh:cycle=~5-4,K=16". */
static inline void real_cycle(char *text, size_t size, unsigned r, uint32_t per_node,
                              unsigned inverted)
{
    unsigned k = 0;
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");

    while (UINT32_C(1) << k < per_node)
        k++;
    for (unsigned i = 0; i < r; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%u", i ? "-" : "",
                                 inverted >> i & 1 ? "~" : "", k + r - 1 - i);
    snprintf(text + used, size - used, ",K=%u", per_node);
}

#endif
