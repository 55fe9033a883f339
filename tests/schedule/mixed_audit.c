/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of mixed GSH under test, audited. */
#include "mixed_audit.h"

#include "gsh.h"

struct ec_schedule_audit blocks_audit(const struct blocks *b, uint32_t layout,
                                      const char *algorithm)
{
    char topology[16], workload[256];

    blocks_topology(b, topology, sizeof topology);
    blocks_workload(b, layout, workload, sizeof workload);
    const struct ec_schedule_audit a = audited(topology, workload, algorithm);
    if (a.peak_memory != b->per_node)
        fail_msg("%s %s: %u elements in a node", workload, algorithm, a.peak_memory);
    return a;
}

enum ec_code blocks_try(const struct blocks *b, uint32_t layout, const char *algorithm,
                        struct ec_schedule_audit *ret, struct ec_error *reterr)
{
    char topology[16], text[256];

    blocks_topology(b, topology, sizeof topology);
    blocks_workload(b, layout, text, sizeof text);
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(text, &t);
    struct ec_schedule *s = NULL;
    const enum ec_code code = ec_schedule_open(&t, w, algorithm, &s, reterr);
    if (code == EC_OK && ec_schedule_audit(&t, &low_first, s, ret, reterr))
        fail_msg("%s", reterr->message);
    if (code != EC_OK && code != EC_USAGE)
        fail_msg("%s %s: %s", text, algorithm, reterr->message);
    ec_schedule_close(s);
    ec_workload_close(w);
    return code;
}
