/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on rings and lines.
 *
 * Knows the formulas of Grama et al. 4.6.1. */
#include <inttypes.h>

#include "ec_cost_shift.h"
#include "study/experiments/try.h"

/* All packets go the same way round: every transfer by the same distance. */
static bool one_direction(const struct ec_schedule *s)
{
    for (size_t i = 1; i < s->transfer_count; i++) {
        const struct ec_transfer *a = &s->transfers[0], *b = &s->transfers[i];
        if ((a->dst + s->nodes - a->src) % s->nodes != (b->dst + s->nodes - b->src) % s->nodes)
            return false;
    }
    return true;
}

void try_ring_steps(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        if (!try_ring(run, &g, "ring", 8, 0, &seen))
            return;
        const uint64_t steps = ec_cost_shift_ring(g.nodes, g.q);
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "p=%" PRIu32 ", q=%" PRIu32 ": steps",
                      g.nodes, g.q);
        claims_require(run, one_direction(seen.schedule), "p=%" PRIu32 ", q=%" PRIu32 ": both ways",
                       g.nodes, g.q);
        if (g.timed &&
            !try_data(run, seen.cycles, "ring:%" PRIu32 " shift:q=%" PRIu32 ",m=8 --algorithm ring",
                      g.size, g.q))
            return;
    }
}

/* Without a wrap link the packets of one side have p - q to go: no schedule can do with less, and
 * with all ports none needs more. */
void try_line_steps(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_line(run); claims_next(&g);) {
        const uint64_t worst = ec_cost_shift_line(g.nodes, g.q);
        const uint64_t printed = ec_cost_shift_line_printed(g.nodes, g.q);
        if (!claims_audit(run, &seen, "mesh:%" PRIu32 " shift:q=%" PRIu32, g.nodes, g.q) ||
            !claims_require_equal(run, seen.hops, worst, "longest way") ||
            !claims_audit(run, &seen, "mesh:%" PRIu32 " shift:q=%" PRIu32 " --algorithm line",
                          g.nodes, g.q) ||
            !claims_require(run, seen.checked->valid, "p=%" PRIu32 ", q=%" PRIu32 ": %s", g.nodes,
                            g.q, seen.checked->defect))
            return;
        claims_predicted(run, "steps", printed);
        claims_require_equal(run, seen.steps, worst, "p=%" PRIu32 ", q=%" PRIu32 ": exact steps",
                             g.nodes, g.q);
        claims_relate(run, seen.steps, CLAIMS_EQ, printed, "p=%" PRIu32 ", q=%" PRIu32 ": steps",
                      g.nodes, g.q);
    }
}
