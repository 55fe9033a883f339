/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's procedures as printed and as corrected, and claims about them.
 *
 * Knows the formulas of the text; the procedures are algorithms of the library. */
#include <stdio.h>
#include <stdlib.h>

#include "claims/experiments/play.h"

/* --- Throughput ------------------------------------------------------------------------------- */

/* Half of every node's message of 2 `words` words goes forward round the ring and half backward,
 * both in every step, with all ports. NULL: out of memory. */
static struct ec_schedule *both_ways(uint32_t p, uint32_t words)
{
    const size_t transfers = (size_t)p * p;
    struct ec_schedule *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct ec_schedule){.algorithm = "both ways",
                              .nodes = p,
                              .holders = p,
                              .per_node = 2,
                              .words = words,
                              .all_ports = true,
                              .steps = p / 2,
                              .transfers = calloc(transfers, sizeof *s->transfers),
                              .carried = calloc(transfers, sizeof *s->carried),
                              .target = calloc((size_t)p * 2, sizeof *s->target)};
    if (!s->transfers || !s->carried || !s->target) {
        ec_schedule_close(s);
        return NULL;
    }
    for (uint32_t step = 1; step <= p / 2; step++) {
        for (uint32_t node = 0; node < p; node++) {
            for (uint32_t way = 0; way < 2; way++) {
                const uint32_t home = (way ? node + step - 1 : node + p - step + 1) % p;
                const uint32_t used = (uint32_t)s->transfer_count++;
                s->transfers[used] =
                    (struct ec_transfer){.step = step,
                                         .src = node,
                                         .dst = (way ? node + p - 1 : node + 1) % p,
                                         .first = used,
                                         .count = 1};
                s->carried[s->carried_count++] = (struct ec_carried){home * 2 + way, way};
            }
        }
    }
    for (uint32_t e = 0; e < 2 * p; e++)
        s->target[e] = (struct ec_place){(e / 2 + p / 2) % p, e % 2};
    return s;
}

/* The half-way shift of a ring: whole messages one way through one port, against halves both
 * ways. */
static bool ring_ports(struct claims_run *run, uint32_t p, uint32_t m)
{
    struct ec_schedule *s;
    struct claims_seen seen;
    char topology[24], workload[40];
    snprintf(topology, sizeof topology, "ring:%u", p);
    snprintf(workload, sizeof workload, "shift:q=%u,m=%u", p / 2, m);
    if (!play_steps(run, true, &seen, "%s %s --algorithm ring", topology, workload))
        return false;
    const uint64_t one = seen.cycles;
    s = both_ways(p, m / 2);
    if (!claims_require(run, s != NULL, "out of memory") ||
        !claims_play_schedule(run, true, &seen, s, topology, workload) ||
        !claims_require(run, seen.checked->valid, "p=%u: %s", p, seen.checked->defect))
        return false;
    claims_require_equal(run, seen.cycles, steps_time(p / 2, m / 2, 0), "p=%u: cycles", p);
    claims_relate(run, seen.cycles, CLAIMS_LT, one, "ring, p=%u, halves both ways: cycles", p);
    return true;
}

/* A mixed GSH of two processor dimensions with long elements: an exchange at a time, in packets of
 * the best size, against pipelined exchanges. */
static bool mixed_ports(struct claims_run *run, uint32_t k)
{
    const uint32_t low = k == 4 ? 2 : 3; /* the first node bit */
    struct claims_seen seen;
    uint64_t one = UINT64_MAX;
    char words[60];
    snprintf(words, sizeof words, "cube:2 gsh:cycle=%u-%u-0,K=%u,m=64", low + 1, low, k);
    for (uint32_t block = 1; block <= k / 2; block *= 2) {
        if (!claims_measure(run, &seen, "%s --algorithm one-port:block=%u", words, block))
            return false;
        one = seen.cycles < one ? seen.cycles : one;
    }
    if (!claims_measure(run, &seen, "%s --algorithm pipelined", words))
        return false;
    claims_relate(run, seen.cycles, CLAIMS_LT, one, "mixed GSH, sigma_r=2, K=%u: cycles", k);
    return true;
}

/* One port compared with all ports. */
void experiment_multiport(struct claims_run *run)
{
    for (uint32_t p = 4; p <= (claims_is_full(run) ? 32 : 16); p += 2)
        if (!ring_ports(run, p, 64))
            return;
    for (uint32_t k = 4; k <= 8; k *= 2)
        if (!mixed_ports(run, k))
            return;
}
