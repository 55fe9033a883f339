/* SPDX-License-Identifier: Apache-2.0 */
/* When the closed forms of model/cost apply to a workload, and to which of its messages. */
#include "ec_cost.h"
#include "ecube/run.h"

static uint64_t message_time(const struct ec_router *r, unsigned hops, uint32_t words,
                             uint32_t startup)
{
    switch (r->switching) {
    case EC_CUT_THROUGH:
        return ec_cost_cut_through(hops, words, r->packet, startup, r->depth);
    case EC_STORE_AND_FORWARD:
        return ec_cost_store_and_forward(hops, words, r->packet, startup, r->depth);
    case EC_WORMHOLE:
        break;
    }
    return ec_cost_wormhole(hops, words, r->packet, startup, r->depth);
}

bool ec_predict(const struct ec_topology *t, const struct ec_router *r, const struct ec_workload *w,
                const struct ec_audit *audit, uint32_t startup, uint64_t *ret_cycles)
{
    if (w->open_loop || !w->permutation || !audit || !audit->congestion_free ||
        audit->max_hops == 0)
        return false;
    uint64_t slowest = 0;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const unsigned hops = ec_topology_distance(t, m->src, m->dst);
        if (hops == 0)
            continue;
        const uint64_t cycles = message_time(r, hops, m->words, startup);
        if (cycles > slowest)
            slowest = cycles;
    }
    *ret_cycles = slowest;
    return true;
}
