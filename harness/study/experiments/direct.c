/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts straight to the destination, by dimension-ordered (E-cube) routing.
 *
 * Knows the formulas of Grama et al. 4.6.2 (last part), Gergel (packets) and our own for the same:
 * who meets whom. */
#include <inttypes.h>
#include <stdlib.h>

#include "ec_cost_shift.h"
#include "study/experiments/try.h"

#define SIZE_Q "d=%" PRIu32 ", q=%" PRIu32

/* --- Congestion
 * ------------------------------------------------------------------------------------ */

/* Bidirectional channels are needed: in dimension gamma(q) every packet crosses, both ways. */
void try_ecube_both_ways(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        const unsigned dim = claims_gamma(g.q);
        bool all = true;
        g.timed &= g.size <= 8;
        if (!try_direct(run, &g, false, false, 1, 0, &seen))
            return;
        for (uint32_t n = 0; n < g.nodes; n++) {
            all &= seen.audit->link_load[n * seen.audit->links + dim] == 1;
            if (seen.report)
                all &= seen.report->flits[n * seen.report->ports + dim] == 1;
        }
        claims_case(run, all, SIZE_Q ": dimension %u is not crossed by all", g.size, g.q, dim);
    }
}

/* Fig. 4.24: every path of every shift on eight nodes, link by link, none used twice. The paths
 * are corrected here bit by bit, the audit's come from coordinates. */
void try_ecube_figure(struct claims_run *run)
{
    for (uint32_t q = 1; q < 8; q++) {
        const struct claims_shift g = try_one(3, 8, q);
        struct claims_seen seen;
        uint32_t used[8][3] = {{0}};
        bool same = true;
        if (!try_direct(run, &g, false, false, 64, 0, &seen))
            return;
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t at = i;
            const uint32_t target = (i + q) % 8;
            for (unsigned b = 0; b < 3; b++) {
                if ((at ^ target) >> b & 1) {
                    used[at][b]++;
                    at ^= 1U << b;
                }
            }
        }
        for (uint32_t n = 0; n < 8; n++) {
            for (unsigned b = 0; b < 3; b++) {
                same &= used[n][b] <= 1;
                same &= used[n][b] == seen.audit->link_load[n * seen.audit->links + b];
                same &= 64 * used[n][b] == seen.report->flits[n * seen.report->ports + b];
            }
        }
        same &= !claims_sees_contention(run, &seen) || seen.contended == 0;
        claims_case(run, same, "q=%" PRIu32, q);
    }
}

/* --- Orders of the dimensions
 * ------------------------------------------------------------------------ */

/* The next subset order: all permutations of the dimensions of a small cube, by counting. */
static void order_text(unsigned d, unsigned number, char *text, size_t size)
{
    unsigned left[8], count = d;
    *text = '\0';
    for (unsigned i = 0; i < d; i++)
        left[i] = i;
    for (; count > 0; count--) {
        const unsigned pick = number % count;
        number /= count;
        claims_add(text, size, "%s%u", *text ? "-" : "", left[pick]);
        for (unsigned i = pick; i + 1 < count; i++)
            left[i] = left[i + 1];
    }
}

/* For any order common to all messages: one message per node and per link at every stage. All
 * orders of cubes to d = 4 (full: 5), 20 orders of a larger one. */
void try_ecube_orders(struct claims_run *run)
{
    static const unsigned orders[] = {1, 1, 2, 6, 24, 120, 20};
    const unsigned last = claims_is_full(run) ? 6 : 5;
    for (unsigned d = 1; d <= last; d++) {
        const unsigned count = d == 5 && last == 5 ? 20 : orders[d];
        for (unsigned o = 0; o < count; o++) {
            char order[24];
            order_text(d, d < 5 || count == 120 ? o : o * 7919 + 13, order, sizeof order);
            for (uint32_t q = 1; q < 1U << d; q++) {
                struct claims_seen seen;
                if (!claims_look(run, d <= 3 || o == count / 2, &seen,
                                 "cube:%u shift:q=%" PRIu32 " --algorithm ecube-steps:order=%s", d,
                                 q, order))
                    return;
                claims_case(run, seen.checked->valid && seen.checked->one_port && seen.load == 1,
                            "d=%u, q=%" PRIu32 ", order %s: %s", d, q, order, seen.checked->defect);
                if (seen.report)
                    claims_require_uncontended(run, &seen, "d=%u, q=%" PRIu32, d, q);
            }
        }
    }
}

/* Different orders meet: 1 -> 2 lowest first and 3 -> 0 highest first, both on link (1, dim 0),
 * which a common order uses once. All routers of a network share one order, so this is no run. */
void try_ecube_mixed(struct claims_run *run)
{
    struct claims_seen seen;
    if (!claims_audit(run, &seen, "cube:2 shift:q=1 --algorithm ecube-steps:order=low") ||
        !claims_require_equal(run, seen.checked->max_link_elements, 1, "common order") ||
        !claims_audit(run, &seen, "cube:2 shift:q=1 --algorithm ecube-steps:order=mixed"))
        return;
    claims_audited(run, "packets on the busiest link", seen.checked->max_link_elements);
    claims_relate(run, seen.checked->max_link_elements, CLAIMS_EQ, 2,
                  "d=2, q=1: packets on the busiest link");
    uint32_t load = 0;
    for (size_t i = 0; i < seen.schedule->transfer_count; i++) {
        const struct ec_transfer *t = &seen.schedule->transfers[i];
        load += t->src == 1 && t->dst == 0;
    }
    claims_relate(run, load, CLAIMS_EQ, 2, "d=2, q=1: packets over link (1, dim 0)");
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        if (!claims_audit(run, &seen,
                          "cube:%" PRIu32 " shift:q=%" PRIu32
                          " --algorithm ecube-steps:order=mixed",
                          g.size, g.q))
            return;
        if (seen.load > 1) {
            claims_remark(run, "in one and the same step first for " SIZE_Q, g.size, g.q);
            return;
        }
    }
    claims_require(run, false, "no two packets of mixed orders meet in a step");
}
