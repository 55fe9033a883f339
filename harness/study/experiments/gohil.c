/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's procedures as printed and as corrected, and claims about them.
 *
 * Knows the formulas of the text; the procedures are algorithms of the library. */
#include <stdlib.h>

#include "study/experiments/play.h"

/* --- Duality ---------------------------------------------------------------------------------- */

static bool dual_case(struct claims_run *run, const struct claims_seen *seen, const char *topology,
                      uint32_t q)
{
    struct ec_schedule *back = NULL;
    struct ec_schedule_audit a = {.valid = false};
    const struct ec_schedule *s = seen->schedule;
    struct ec_error e;
    bool shifts = true;
    enum ec_code code = ec_schedule_reverse(s, &back, &e);
    if (code == EC_OK)
        code = ec_schedule_audit(seen->topology, EC_ORDER_LOW, back, &a, &e);
    if (code == EC_OK) {
        /* What the shift moves from i to j, its dual moves from j to i. */
        for (size_t i = 0; i < seen->workload->message_count; i++) {
            const struct ec_message *m = &seen->workload->messages[i];
            shifts &= back->target[m->dst].node == m->src;
        }
        claims_case(run, a.valid && shifts && a.steps == s->steps, "%s q=%u %s: %s", topology, q,
                    s->algorithm, a.defect);
    }
    ec_schedule_close(back);
    return claims_require(run, code == EC_OK, "%s q=%u: %s", topology, q,
                          code == EC_OK ? "" : e.message);
}

/* The reversed schedule of a q-shift does the (p - q)-shift in as many steps. */
void experiment_dual(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        if (!claims_audit(run, &seen, "ring:%u shift:q=%u --algorithm ring", g.size, g.q) ||
            !dual_case(run, &seen, "ring", g.q))
            return;
    }
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        static const char *const algorithms[] = {"forward", "plain", "merged", "per-column"};
        for (size_t a = 0; a < 4; a++) {
            if (!claims_audit(run, &seen, "torus:%ux%u shift:q=%u --algorithm %s", g.size, g.size,
                              g.q, algorithms[a]) ||
                !dual_case(run, &seen, "torus", g.q))
                return;
        }
    }
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        if (g.size > 10)
            break;
        if (!claims_audit(run, &seen, "cube:%u shift:q=%u,labels=gray --algorithm gray-forward",
                          g.size, g.q) ||
            !dual_case(run, &seen, "cube", g.q))
            return;
    }
}

/* --- The mesh --------------------------------------------------------------------------------- */

/* Rows by q mod p and columns by q / p, with p the number of nodes, shift only the rows, by q. */
void experiment_mesh_stages(struct claims_run *run)
{
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        uint32_t lands = 0;
        bool printed = true, side = true;
        for (uint32_t i = 0; i < g.nodes; i++) {
            const uint32_t s = g.size, row = i / s, column = i % s, target = (i + g.q) % g.nodes;
            const uint32_t there = row * s + (column + g.q % g.nodes) % s;
            const uint32_t r = g.q % s, wrapped = column + r >= s;
            if (there != target && printed) {
                printed = false;
                lands = i;
            }
            side &= (row + g.q / s + wrapped) % s * s + (column + r) % s == target;
        }
        claims_require(run, side, "with sqrt(p) for p, s=%u, q=%u", g.size, g.q);
        claims_case(run, printed, "s=%u, q=%u: the packet of node %u does not arrive by rows alone",
                    g.size, g.q, lands);
    }
}

/* --- The cube --------------------------------------------------------------------------------- */

/* The loop runs d times; it communicates once for each one in q. */
void experiment_cube_loop(struct claims_run *run)
{
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        uint32_t rounds = 0, talks = 0;
        for (uint32_t i = g.size; i-- > 0; rounds++)
            talks += (UINT32_C(1) << i & g.q) == UINT32_C(1) << i;
        claims_predicted(run, "rounds", rounds);
        claims_case(run, rounds == g.size && talks == claims_ones(g.q), "d=%u, q=%u", g.size, g.q);
    }
}

/* --- Throughput ------------------------------------------------------------------------------- */

/* Sends half of every node's message forward and half backward round the ring, both in every
 * step. */
static bool both_ways(uint32_t p, struct ec_schedule *ret)
{
    const size_t transfers = (size_t)p * p;
    *ret = (struct ec_schedule){.algorithm = "both ways",
                                .nodes = p,
                                .holders = p,
                                .per_node = 2,
                                .words = 1,
                                .all_ports = true,
                                .steps = p / 2,
                                .transfer_count = transfers,
                                .carried_count = transfers};
    ret->transfers = calloc(transfers, sizeof *ret->transfers);
    ret->carried = calloc(transfers, sizeof *ret->carried);
    ret->target = calloc((size_t)p * 2, sizeof *ret->target);
    if (!ret->transfers || !ret->carried || !ret->target)
        return false;
    uint32_t used = 0;
    for (uint32_t step = 1; step <= p / 2; step++) {
        for (uint32_t node = 0; node < p; node++) {
            for (uint32_t way = 0; way < 2; way++) {
                const uint32_t home = (way ? node + step - 1 : node + p - step + 1) % p;
                ret->transfers[used] =
                    (struct ec_transfer){.step = step,
                                         .src = node,
                                         .dst = (way ? node + p - 1 : node + 1) % p,
                                         .first = used,
                                         .count = 1};
                ret->carried[used++] = (struct ec_carried){home * 2 + way, way};
            }
        }
    }
    for (uint32_t e = 0; e < 2 * p; e++)
        ret->target[e] = (struct ec_place){(e / 2 + p / 2) % p, e % 2};
    return true;
}

/* One port compared with all ports: the half-way shift of a ring with halved messages, by audit;
 * and mixed generalized shuffles on RTL. */
void experiment_multiport(struct claims_run *run)
{
    const uint32_t m = 64;
    struct claims_seen seen;
    for (uint32_t p = 4; p <= (claims_is_full(run) ? 32 : 16); p += 2) {
        struct ec_schedule s;
        struct ec_schedule_audit a = {.valid = false};
        struct claims_shift g = single_shift(p, p, p / 2);
        if (!play_ring(run, &g, "ring", m, 0, &seen))
            return;
        const uint64_t one = seen.cycles;
        bool good = claims_require(run, both_ways(p, &s), "out of memory");
        good = good && ec_schedule_audit(seen.topology, EC_ORDER_LOW, &s, &a, NULL) == EC_OK;
        free(s.transfers);
        free(s.carried);
        free(s.target);
        if (!claims_require(run, good && a.valid, "p=%u: %s", p, a.defect))
            return;
        claims_predicted(run, "cycles, all ports", steps_time(a.steps, m / 2, 0));
        claims_relate(run, steps_time(a.steps, m / 2, 0), CLAIMS_LT, one,
                      "ring, p=%u, halves both ways: cycles", p);
    }
    for (uint32_t k = 4; k <= 8; k *= 2) {
        const uint32_t low = k == 4 ? 2 : 3; /* the first node bit */
        if (!claims_measure(run, &seen, "cube:2 gsh:cycle=%u-%u-0,K=%u --algorithm one-port",
                            low + 1, low, k))
            return;
        const uint32_t one = seen.steps;
        if (!claims_measure(run, &seen, "cube:2 gsh:cycle=%u-%u-0,K=%u --algorithm pipelined",
                            low + 1, low, k))
            return;
        claims_relate(run, seen.steps, CLAIMS_LT, one, "mixed GSH, sigma_r=2, K=%u: steps", k);
    }
}

/* err.10: the transcribed procedures send one packet per node and step. */
void experiment_no_split(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        if (!claims_audit(run, &seen, "torus:%ux%u shift:q=%u,m=64 --algorithm gohil-mesh", g.size,
                          g.size, g.q))
            return;
        bool whole = seen.checked->one_port && seen.schedule->per_node == 1;
        for (size_t i = 0; i < seen.schedule->transfer_count; i++)
            whole &= seen.schedule->transfers[i].count == 1 && seen.schedule->words == 64;
        claims_case(run, whole, "s=%u, q=%u", g.size, g.q);
    }
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        if (g.size > 8)
            break;
        if (!claims_audit(run, &seen, "cube:%u shift:q=%u,labels=gray,m=64 --algorithm gohil-cube",
                          g.size, g.q))
            return;
        claims_case(run, seen.checked->one_port && seen.schedule->per_node == 1, "d=%u, q=%u",
                    g.size, g.q);
    }
}
