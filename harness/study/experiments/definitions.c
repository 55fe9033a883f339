/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions: permutations and circular shifts as maps of nodes.
 *
 * Knows the formulas of the texts; the tested maps are those of the library. */
#include <stdio.h>
#include <stdlib.h>

#include "study/experiments/play.h"

/* Is every node the source and the destination of exactly one message? */
static bool one_to_one(struct claims_run *run, const struct ec_workload *w)
{
    uint8_t *seen = calloc(w->nodes, 1);
    bool good = claims_require(run, seen != NULL, "out of memory") && w->message_count == w->nodes;
    for (size_t i = 0; good && i < w->message_count; i++) {
        seen[w->messages[i].src] |= 1;
        seen[w->messages[i].dst] |= 2;
    }
    for (uint32_t n = 0; good && n < w->nodes; n++)
        good = seen[n] == 3;
    free(seen);
    return good;
}

static bool shifts_are_permutations(struct claims_run *run, struct claims_shift g,
                                    const char *format)
{
    struct claims_seen seen;
    char topology[40];
    while (claims_next(&g)) {
        const bool torus = *format == 't';
        snprintf(topology, sizeof topology, torus ? "%s:%ux%u" : "%s:%u", format, g.size, g.size);
        if (!claims_measure_if(run, g.timed, &seen, "%s shift:q=%u", topology, g.q))
            return false;
        claims_case(run, one_to_one(run, seen.workload), "%s shift:q=%u", topology, g.q);
    }
    return true;
}

static bool named_is_permutation(struct claims_run *run, unsigned n, const char *name)
{
    struct claims_seen seen;
    if (!claims_measure_if(run, n <= 6, &seen, "cube:%u %s", n, name))
        return false;
    claims_case(run, one_to_one(run, seen.workload), "cube:%u %s", n, name);
    return true;
}

/* Every node sends and receives one packet, for all shifts and all named permutations. */
void experiment_permutations(struct claims_run *run)
{
    static const char *const names[] = {"bitcomp", "bitrev", "shuffle", "unshuffle"};
    if (!shifts_are_permutations(run, claims_ring(run), "ring") ||
        !shifts_are_permutations(run, claims_torus(run), "torus") ||
        !shifts_are_permutations(run, claims_cube(run), "cube"))
        return;
    for (unsigned n = 1; n <= (claims_is_full(run) ? 12 : 5); n++) {
        char kshuffle[32];
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (!named_is_permutation(run, n, names[i]))
                return;
        }
        if (n % 2 == 0 && !named_is_permutation(run, n, "transpose"))
            return;
        for (unsigned k = 1; k < n; k++) {
            snprintf(kshuffle, sizeof kshuffle, "kshuffle:k=%u", k);
            if (!named_is_permutation(run, n, kshuffle))
                return;
        }
    }
}

/* Does every node send one packet and receive one in each step? */
static bool all_at_once(struct claims_run *run, const struct ec_schedule *s)
{
    uint32_t *sent = calloc(s->nodes, sizeof *sent), *received = calloc(s->nodes, sizeof *received);
    bool good = claims_require(run, sent && received, "out of memory") &&
                s->transfer_count == (size_t)s->steps * s->nodes;
    for (size_t i = 0; good && i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        good = t->count == 1 && ++sent[t->src] == t->step && ++received[t->dst] == t->step;
    }
    free(sent);
    free(received);
    return good;
}

/* i -> (i + q) mod p for all i, and every packet moves; the program refuses the distances 0 and p.
 * with: 1 all nodes send at the same time, through one port each. */
void experiment_shift_definition(struct claims_run *run)
{
    struct claims_seen seen;
    char topology[24], workload[40];
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        if (!play_ring(run, &g, "ring", 1, 0, &seen))
            return;
        bool right = one_to_one(run, seen.workload);
        for (size_t i = 0; i < seen.workload->message_count; i++) {
            const struct ec_message *m = &seen.workload->messages[i];
            right &= m->dst == (m->src + g.q) % g.nodes && m->dst != m->src;
        }
        if (claims_with(run) == 1)
            right &= seen.checked->one_port && all_at_once(run, seen.schedule);
        claims_case(run, right, "ring:%u q=%u", g.size, g.q);
        if (!g.last)
            continue;
        snprintf(topology, sizeof topology, "ring:%u", g.size);
        snprintf(workload, sizeof workload, "shift:q=%u", g.nodes);
        claims_require(run, claims_refused(topology, "shift:q=0", NULL), "%s: q=0 is taken",
                       topology);
        claims_require(run, claims_refused(topology, workload, NULL), "%s: q=p is taken", topology);
    }
}

/* Gergel's formula on the nodes 0..p-1 of a network, as messages on RTL, and on 1..N as printed. */
void experiment_index_range(struct claims_run *run)
{
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        const uint32_t p = g.nodes;
        struct claims_seen seen;
        uint32_t stray = 0;
        if (!claims_measure_if(run, g.timed, &seen, "ring:%u shift:q=%u", p, g.q))
            return;
        bool right = one_to_one(run, seen.workload);
        for (size_t i = 0; i < seen.workload->message_count; i++) {
            const struct ec_message *m = &seen.workload->messages[i];
            right &= m->dst == (m->src + g.q) % p;
        }
        claims_case_if(run, true, right, "p=%u, q=%u: on 0..%u", p, g.q, p - 1);
        claims_without_command(run);
        for (uint32_t i = p; i >= 1; i--)
            stray = (i + g.q) % p < 1 ? i : stray;
        claims_case_if(run, false, stray == 0, "N=%u, q=%u: %u goes to 0, outside 1..%u", p, g.q,
                       stray, p);
    }
}

/* err.11: i = 0..p-1; compensation after each row step takes 2r + c steps, contrary to (3.19); the
 * lost signs of the cube: 101 binary is 5, phases are 2^i, the longest path is d - gamma(q). */
void experiment_gergel_corrected(struct claims_run *run)
{
    struct claims_seen seen;
    bool above = false;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, steps = 2 * (g.q % s) + g.q / s;
        if (!play_torus(run, &g, "compensate-each-row", 1, 0, &seen))
            return;
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "s=%u, q=%u: steps", s, g.q);
        for (size_t i = 0; i < seen.workload->message_count; i++)
            above |= seen.workload->messages[i].dst >= g.nodes;
    }
    claims_case(run, !above, "a destination is outside 0..p-1");
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        uint32_t gamma = 0;
        if (!play_direct(run, &g, false, false, 1, 0, &seen))
            return;
        while (g.q % (2U << gamma) == 0)
            gamma++;
        claims_relate(run, seen.hops, CLAIMS_EQ, g.size - gamma, "d=%u, q=%u: longest path", g.size,
                      g.q);
    }
    claims_case(run, (1U << 2 | 1U << 0) == 5, "101 binary");
}
