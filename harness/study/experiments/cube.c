/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on hypercubes through the Gray-coded ring, and the subarrays of their phases.
 *
 * Knows the formulas of Grama et al. 4.6.2, Gohil IV and Gergel; reads the places of packets and
 * the used links from schedules. */
#include <stdlib.h>

#include "ec_cost_shift.h"
#include "study/experiments/play.h"

#define SIZE_Q "d=%u, q=%u"

/* The reflected Gray code: cube node of ring node i. */
static uint32_t gray_code(uint32_t i)
{
    return i ^ (i >> 1);
}
/* The largest d of experiments that compute over all nodes. */
static uint32_t dims_of(const struct claims_run *run)
{
    return claims_is_full(run) ? 12 : 5;
}

/* --- The code --------------------------------------------------------------------------------- */

/* RGC(i) is one-to-one and maps ring neighbours to cube neighbours. labels=gray of the workload
 * means the same code: the 1-shift takes one link. */
void experiment_gray_map(struct claims_run *run)
{
    static const uint32_t figure[] = {0, 1, 3, 2, 6, 7, 5, 4};
    struct claims_seen seen;
    for (uint32_t i = 0; i < 8; i++)
        claims_case(run, gray_code(i) == figure[i], "figure, node %u", i);
    for (unsigned d = 1; d <= dims_of(run); d++) {
        const uint32_t p = UINT32_C(1) << d;
        if (!claims_audit(run, &seen, "cube:%u shift:q=1,labels=gray", d))
            return;
        for (uint32_t i = 0; i < p; i++) {
            const struct ec_message *m = &seen.workload->messages[i];
            claims_case(run, claims_ones(gray_code(i) ^ gray_code((i + 1) % p)) == 1,
                        "d=%u: ring nodes %u and %u are no neighbours", d, i, (i + 1) % p);
            claims_require(run, claims_ones(m->src ^ m->dst) == 1, "d=%u: the 1-shift on labels",
                           d);
        }
        claims_require(run, seen.workload->permutation, "d=%u: one-to-one", d);
    }
}

/* --- Phases ----------------------------------------------------------------------------------- */

/* After the phase of bit j, highest first, every packet has moved by the sum of the phases so far.
 * A phase takes two link steps, that of bit 0 one. */
static bool phases_are_bits(const struct claims_seen *seen, uint32_t d, uint32_t q, uint32_t *at)
{
    const uint32_t p = UINT32_C(1) << d;
    uint32_t step = 0, moved = 0;
    for (uint32_t j = d; j-- > 0;) {
        if (!(q >> j & 1))
            continue;
        step += j ? 2 : 1;
        moved += UINT32_C(1) << j;
        claims_places(seen->schedule, step, at);
        for (uint32_t i = 0; i < p; i++) {
            if (at[gray_code(i)] != gray_code((i + moved) % p))
                return false;
        }
    }
    return step == seen->steps;
}

/* One phase for each one in q, highest first; steps 2 popcount(q) - (q odd). */
void experiment_gray_phases(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_cube_steps(run); claims_next(&g);) {
        const uint64_t steps = ec_cost_shift_gray_forward(g.size, g.q);
        if (!play_gray(run, &g, "gray-forward", 8, 0, &seen))
            return;
        uint32_t *at = calloc(g.nodes, sizeof *at);
        if (!claims_require(run, at != NULL, "out of memory"))
            return;
        claims_predicted(run, "phases", claims_ones(g.q));
        claims_predicted(run, "steps", steps);
        claims_case(run, phases_are_bits(&seen, g.size, g.q, at),
                    SIZE_Q ": packets are elsewhere after a phase", g.size, g.q);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, SIZE_Q ": steps", g.size, g.q);
        free(at);
        if (g.timed &&
            !play_data(run, seen.cycles,
                       "cube:%u shift:q=%u,labels=gray,m=8 --algorithm gray-forward", g.size, g.q))
            return;
    }
}

/* The 5-shift (with: 5) or 7-shift (7) on eight nodes, node by node and step by step. */
void experiment_gray_figure(struct claims_run *run)
{
    const uint32_t q = (uint32_t)claims_with(run);
    const struct claims_shift g = single_shift(3, 8, q);
    struct claims_seen seen;
    uint32_t at[8];
    if (!play_gray(run, &g, "gray-forward", 8, 0, &seen))
        return;
    const uint64_t steps = ec_cost_shift_gray_forward(3, q);
    claims_predicted(run, "steps", steps);
    claims_relate(run, seen.steps, CLAIMS_EQ, steps, "q=%u: steps", q);
    claims_case(run, phases_are_bits(&seen, 3, q, at), "q=%u: positions after a phase", q);
    /* In the middle of the first phase every packet is one link further and every node holds
     * one. */
    claims_places(seen.schedule, 1, at);
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < 8; i++) {
        nodes |= UINT32_C(1) << at[i];
        claims_case(run, claims_ones(at[i] ^ i) == 1, "q=%u: node %u after step 1", q, i);
    }
    claims_case(run, nodes == 0xff, "q=%u: two packets in a node after step 1", q);
    if (q == 7) {
        if (!play_gray(run, &g, "gray-signed", 8, 0, &seen))
            return;
        claims_remark(run, "gray-signed takes %u step", seen.steps);
    }
}

/* In each phase every packet comes closer: true for the remaining forward distance on the ring,
 * false for the distance in links and for the shortest ring distance. */
void experiment_gray_closer(struct claims_run *run)
{
    struct claims_all ahead = claims_all(), links = claims_all(), ring = claims_all();
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        uint32_t left = g.q;
        for (uint32_t j = g.size; j-- > 0;) {
            const uint32_t before = left, p = g.nodes;
            if (!(g.q >> j & 1))
                continue;
            left -= UINT32_C(1) << j;
            const uint32_t short_before = claims_min(before, p - before);
            const uint32_t short_after = claims_min(left, p - left);
            claims_all_case(&ahead, left == before - (UINT32_C(1) << j), SIZE_Q, g.size, g.q);
            claims_all_case(&ring, short_after < short_before,
                            SIZE_Q ", node 0: ring distance %u before, %u after +%u", g.size, g.q,
                            short_before, short_after, 1U << j);
            for (uint32_t i = 0; i < p; i++) {
                const uint32_t target = gray_code((i + g.q) % p);
                const unsigned from = claims_ones(gray_code((i + g.q - before) % p) ^ target);
                const unsigned to = claims_ones(gray_code((i + g.q - left) % p) ^ target);
                claims_all_case(&links, to < from,
                                SIZE_Q ", node %u: %u link%s before, %u after +%u", g.size, g.q, i,
                                from, from == 1 ? "" : "s", to, 1U << j);
            }
        }
    }
    claims_case_if(run, true, ahead.truth, "forward ring distance: %s", ahead.first);
    claims_case_if(run, false, links.truth, "%s", links.first);
    claims_case_if(run, false, ring.truth, "%s", ring.first);
}

/* --- Steps and times -------------------------------------------------------------------------- */

/* The fewest steps of any sum of phases +-2^j that equals q mod p: 0-1 breadth-first search over
 * residues with cost 1 (j = 0) or 2. `steps` has room for p values. */
static void fewest_steps(uint32_t d, uint32_t *steps)
{
    const uint32_t p = UINT32_C(1) << d;
    for (uint32_t q = 0; q < p; q++)
        steps[q] = q ? UINT32_MAX : 0;
    for (uint32_t cost = 0; cost <= 2 * d; cost++) {
        for (uint32_t q = 0; q < p; q++) {
            for (uint32_t j = 0; steps[q] == cost && j < d; j++) {
                const uint32_t leap = UINT32_C(1) << j, next = cost + (j ? 2 : 1);
                const uint32_t ahead = (q + leap) % p, back = (q + p - leap) % p;
                steps[ahead] = claims_min(steps[ahead], next);
                steps[back] = claims_min(steps[back], next);
            }
        }
    }
}

/* ours.gray.naf: 2 terms - (q odd) steps, the minimum over all sums of +-2^j. */
void experiment_gray_signed(struct claims_run *run)
{
    uint32_t *fewest = calloc(UINT32_C(1) << 12, sizeof *fewest), most = 0;
    if (!fewest) {
        claims_require(run, false, "out of memory");
        return;
    }
    for (struct claims_shift g = claims_cube_steps(run); claims_next(&g);) {
        struct claims_seen seen;
        const uint64_t steps = ec_cost_shift_gray_signed(g.size, g.q);
        if (g.q == 1)
            fewest_steps(g.size, fewest);
        if (!play_gray(run, &g, "gray-signed", 8, 0, &seen))
            break;
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, SIZE_Q ": steps", g.size, g.q);
        claims_relate(run, seen.steps, CLAIMS_EQ, fewest[g.q], SIZE_Q ": fewest", g.size, g.q);
        most = claims_max(most, seen.steps);
        if (!g.last)
            continue;
        claims_relate(run, most, CLAIMS_EQ, g.size, "d=%u: maximum over q", g.size);
        most = 0;
    }
    free(fewest);
}

/* The 6-shift on eight nodes: two backward steps replace four forward steps. */
void experiment_gray_example(struct claims_run *run)
{
    const struct claims_shift g = single_shift(3, 8, 6);
    struct claims_seen seen;
    if (!play_gray(run, &g, "gray-forward", 8, 0, &seen))
        return;
    claims_relate(run, seen.steps, CLAIMS_EQ, 4, "d=3, q=6, forward: steps");
    if (!play_gray(run, &g, "gray-signed", 8, 0, &seen))
        return;
    claims_relate(run, seen.steps, CLAIMS_EQ, 2, "d=3, q=6, signed: steps");
}

/* --- Subarrays -------------------------------------------------------------------------------- */

/* The connected components of the links that a schedule uses: root[node], by ring label. */
struct parts {
    uint32_t *root, count;
};

static uint32_t find_root(uint32_t *root, uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

static uint32_t ring_label(uint32_t node)
{
    for (unsigned k = 1; k < 32; k *= 2)
        node ^= node >> k;
    return node;
}

static bool find_parts(struct claims_run *run, const struct ec_schedule *s, struct parts *ret)
{
    ret->root = malloc(s->nodes * sizeof *ret->root);
    if (!claims_require(run, ret->root != NULL, "out of memory"))
        return false;
    for (uint32_t i = 0; i < s->nodes; i++)
        ret->root[i] = i;
    for (size_t k = 0; k < s->transfer_count; k++) {
        const uint32_t a = find_root(ret->root, ring_label(s->transfers[k].src));
        const uint32_t b = find_root(ret->root, ring_label(s->transfers[k].dst));
        ret->root[a > b ? a : b] = a > b ? b : a;
    }
    ret->count = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        ret->count += find_root(ret->root, i) == i;
    return true;
}

static bool phase_parts(struct claims_run *run, unsigned d, unsigned j, struct claims_seen *seen,
                        struct parts *parts)
{
    return claims_audit(run, seen,
                        "cube:%u shift:q=%u,labels=gray --algorithm gray-forward:order=C", d,
                        1U << j) &&
           claims_require(run, seen->checked->valid, "d=%u, j=%u: %s", d, j,
                          seen->checked->defect) &&
           find_parts(run, seen->schedule, parts);
}

/* The subarrays of a 2^j-phase: there are 2^(j-1), closed under the phase, and each contains the
 * residue classes w and 2^j - 1 - w (mod 2^j). with: 0 the claim that only nodes at multiples of
 * 2^j share a subarray; 1 our correction. */
void experiment_subarrays(struct claims_run *run)
{
    for (unsigned d = 1; d <= dims_of(run); d++) {
        for (unsigned j = 0; j < d; j++) {
            struct claims_seen seen;
            struct parts parts;
            const uint32_t leap = UINT32_C(1) << j;
            uint32_t a = 0, b = 0;
            bool classes = true;
            if (!phase_parts(run, d, j, &seen, &parts))
                return;
            for (uint32_t i = 0; i < seen.schedule->nodes; i++) {
                const uint32_t root = find_root(parts.root, i);
                const uint32_t w = root % leap, here = i % leap;
                classes &= here == w || here == leap - 1 - w;
                if (here != w && !b) {
                    a = root;
                    b = i;
                }
            }
            free(parts.root);
            claims_require_equal(run, parts.count, j ? leap / 2 : 1, "d=%u, j=%u: subarrays", d, j);
            claims_audited(run, "subarrays", parts.count);
            if (claims_with(run) == 1)
                claims_case(run, classes, "d=%u, j=%u", d, j);
            else
                claims_case_if(run, j == 0, b == 0, "d=%u, j=%u: ring nodes %u and %u together", d,
                               j, a, b);
        }
    }
}

/* Order C: in both steps every node sends to the same successor, and the successors form one cycle
 * through the whole subarray. */
void experiment_circular(struct claims_run *run)
{
    for (struct claims_shift g = claims_cube(run); claims_next(&g);) {
        struct claims_seen seen;
        struct parts parts;
        bool same = true, round = true;
        const unsigned j = claims_gamma(g.q);
        if (claims_ones(g.q) != 1)
            continue;
        if (!phase_parts(run, g.size, j, &seen, &parts))
            return;
        const struct ec_schedule *s = seen.schedule;
        uint32_t *next = calloc(g.nodes, sizeof *next);
        if (!claims_require(run, next != NULL, "out of memory")) {
            free(parts.root);
            return;
        }
        for (size_t k = 0; k < s->transfer_count; k++) {
            const struct ec_transfer *t = &s->transfers[k];
            same &= t->step == 1 || next[t->src] == t->dst;
            next[t->src] = t->dst;
        }
        for (uint32_t i = 0; i < g.nodes; i++) {
            uint32_t length = 1;
            for (uint32_t at = next[i]; at != i && length <= g.nodes; at = next[at])
                length++;
            round &= length == g.nodes / parts.count;
        }
        free(next);
        free(parts.root);
        claims_case(run, same && round && seen.load == 1, "d=%u, j=%u", g.size, j);
    }
    for (unsigned d = 1; d <= claims_min(dims_of(run), 6); d++) {
        for (unsigned j = 0; j < d; j++) {
            const struct claims_shift g = single_shift(d, UINT32_C(1) << d, UINT32_C(1) << j);
            struct claims_seen seen;
            if (!play_gray(run, &g, "gray-forward:order=C", 8, 0, &seen))
                return;
        }
    }
}

/* Fig. 4.23 (a): the subarrays of the 4-shift on eight nodes. */
void experiment_subarray_figure(struct claims_run *run)
{
    static const uint32_t expected[] = {0, 1, 1, 0, 0, 1, 1, 0};
    struct claims_seen seen;
    struct parts parts;
    if (!phase_parts(run, 3, 2, &seen, &parts))
        return;
    for (uint32_t i = 0; i < 8; i++)
        claims_case(run, find_root(parts.root, i) == expected[i], "ring node %u", i);
    free(parts.root);
}
