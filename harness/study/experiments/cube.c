/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on hypercubes through the Gray-coded ring, and the subarrays of their phases.
 *
 * Knows the formulas of Grama et al. 4.6.2, Gohil IV and Gergel; reads the places of packets and
 * the used links from schedules. */
#include <stdlib.h>
#include <string.h>

#include "ec_cost_shift.h"
#include "study/experiments/play.h"

#define SIZE_Q "d=%u, q=%u"

/* The reflected Gray code: cube node of ring node i. */
static uint32_t gray_code(uint32_t i)
{
    return i ^ (i >> 1);
}
/* Its inverse. */
static uint32_t ring_label(uint32_t node)
{
    for (unsigned k = 1; k < 32; k *= 2)
        node ^= node >> k;
    return node;
}

/* The largest d of experiments that compute over all nodes. */
static uint32_t dims_of(const struct claims_run *run)
{
    return claims_is_full(run) ? 12 : 5;
}

/* --- The code --------------------------------------------------------------------------------- */

/* The ring nodes of labels=gray in ring order, read off the 1-shift: each sends to the next. */
static void follow_ring(const struct ec_workload *w, uint32_t *ret_nodes)
{
    uint32_t at = 0;
    for (size_t i = 0; i < w->message_count; i++) {
        ret_nodes[i] = at;
        for (size_t k = 0; k < w->message_count; k++) {
            if (w->messages[k].src == ret_nodes[i])
                at = w->messages[k].dst;
        }
    }
}

static bool map_case(struct claims_run *run, unsigned d, const struct ec_workload *w)
{
    static const uint32_t figure[] = {0, 1, 3, 2, 6, 7, 5, 4};
    const uint32_t p = UINT32_C(1) << d;
    uint32_t *node = calloc(p, sizeof *node);
    uint8_t *seen = calloc(p, 1);
    bool once = claims_require(run, node && seen, "out of memory");
    if (once)
        follow_ring(w, node);
    for (uint32_t i = 0; once && i < p; i++) {
        once = !seen[node[i]]++;
        claims_case(run, node[i] == gray_code(i), "d=%u: ring node %u on cube node %u", d, i,
                    node[i]);
        claims_case(run, claims_ones(node[i] ^ node[(i + 1) % p]) == 1,
                    "d=%u: ring nodes %u and %u are no neighbours", d, i, (i + 1) % p);
        if (d == 3)
            claims_case(run, node[i] == figure[i], "figure, node %u", i);
    }
    claims_case(run, once, "d=%u: not one-to-one", d);
    free(node);
    free(seen);
    return once;
}

/* RGC(i) = i xor (i >> 1) is one-to-one and maps ring neighbours to cube neighbours: on RTL the
 * 1-shift of labels=gray takes one link. */
void experiment_gray_map(struct claims_run *run)
{
    for (unsigned d = 1; d <= dims_of(run); d++) {
        struct claims_seen seen;
        if (!claims_measure_if(run, d <= 8, &seen, "cube:%u shift:q=1,labels=gray", d) ||
            !map_case(run, d, seen.workload))
            return;
        claims_relate(run, seen.hops, CLAIMS_EQ, 1, "d=%u: links of the 1-shift", d);
        if (seen.report)
            claims_relate(run, seen.report->max_hops, CLAIMS_EQ, 1, "d=%u: on RTL", d);
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

/* The subarrays of the 4-shift on eight ring nodes. */
static const uint32_t four_shift[] = {0, 1, 1, 0, 0, 1, 1, 0};

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
    /* In the middle of the 4-shift every packet is one link further in its subarray and every node
     * holds one. */
    claims_places(seen.schedule, 1, at);
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < 8; i++) {
        nodes |= UINT32_C(1) << at[i];
        claims_case(run,
                    claims_ones(at[i] ^ i) == 1 &&
                        four_shift[ring_label(at[i])] == four_shift[ring_label(i)],
                    "q=%u: node %u after step 1", q, i);
    }
    claims_case(run, nodes == 0xff, "q=%u: two packets in a node after step 1", q);
    if (q == 7) {
        if (!play_gray(run, &g, "gray-signed", 8, 0, &seen))
            return;
        claims_remark(run, "gray-signed takes %u step", seen.steps);
    }
}

/* Distances to the destination before and after a phase, over all packets. */
struct approach {
    struct claims_all ahead, links, ring; /* forward on the ring, in links, the shorter way */
    uint32_t *before;                     /* [node] places before the phase; owned */
    uint32_t *after;
};

/* The phase of bit j took the packets from `before` to `after`. */
static void compare_places(struct approach *a, const struct ec_schedule *s,
                           const struct claims_shift *g, unsigned j)
{
    const uint32_t p = g->nodes, leap = UINT32_C(1) << j;
    for (uint32_t i = 0; i < p; i++) {
        const uint32_t packet = gray_code(i), target = s->target[packet].node;
        const uint32_t goal = ring_label(target);
        const uint32_t left = (goal + p - ring_label(a->before[packet])) % p;
        const uint32_t rest = (goal + p - ring_label(a->after[packet])) % p;
        const uint32_t near = claims_min(left, p - left), nearer = claims_min(rest, p - rest);
        const unsigned from = claims_ones(a->before[packet] ^ target);
        const unsigned to = claims_ones(a->after[packet] ^ target);
        claims_all_case(&a->ahead, rest < left && left - rest == leap,
                        SIZE_Q ", node %u: %u ahead before, %u after +%u", g->size, g->q, i, left,
                        rest, leap);
        claims_all_case(&a->links, to < from, SIZE_Q ", node %u: %u link%s before, %u after +%u",
                        g->size, g->q, i, from, from == 1 ? "" : "s", to, leap);
        claims_all_case(&a->ring, nearer < near,
                        SIZE_Q ", node %u: ring distance %u before, %u after +%u", g->size, g->q, i,
                        near, nearer, leap);
    }
}

/* Follows the packets of a schedule through its phases, which take two steps, that of bit 0 one. */
static bool follow_phases(struct claims_run *run, const struct ec_schedule *s,
                          const struct claims_shift *g, struct approach *a)
{
    struct trace t;
    bool good = claims_require(run, trace_open(&t, s), "out of memory");
    for (uint32_t i = 0; good && i < g->nodes; i++)
        a->before[i] = t.at[i].node;
    for (unsigned j = g->size; good && j-- > 0;) {
        if (!(g->q >> j & 1))
            continue;
        for (unsigned step = 0; step < (j ? 2 : 1); step++) {
            trace_move(&t);
            trace_go(&t);
        }
        for (uint32_t i = 0; i < g->nodes; i++)
            a->after[i] = t.at[i].node;
        compare_places(a, s, g, j);
        memcpy(a->before, a->after, g->nodes * sizeof *a->before);
    }
    good = good && claims_require_equal(run, t.step, s->steps, SIZE_Q ": steps of the phases",
                                        g->size, g->q);
    trace_close(&t);
    return good;
}

/* In each phase every packet comes closer, by a power of two: true for the remaining forward
 * distance on the ring, false for the distance in links and for the shortest ring distance. with: 0
 * phases of Grama et al., 1 of Gohil's procedure. */
void experiment_gray_closer(struct claims_run *run)
{
    const char *algorithm = claims_with(run) ? "gohil-cube" : "gray-forward";
    const size_t most = UINT32_C(1) << 12;
    struct approach a = {.links = claims_all(), .ring = claims_all()};
    struct claims_seen seen;
    a.before = calloc(most, sizeof *a.before);
    a.after = calloc(most, sizeof *a.after);
    bool good = claims_require(run, a.before && a.after, "out of memory");
    for (struct claims_shift g = claims_cube_steps(run); good && claims_next(&g);) {
        a.ahead = claims_all();
        good =
            play_gray(run, &g, algorithm, 8, 0, &seen) && follow_phases(run, seen.schedule, &g, &a);
        if (good)
            claims_case_if(run, true, a.ahead.truth, "%s", a.ahead.first);
    }
    free(a.before);
    free(a.after);
    if (!good)
        return;
    claims_without_command(run);
    claims_case_if(run, false, a.links.truth, "%s", a.links.first);
    claims_case_if(run, false, a.ring.truth, "%s", a.ring.first);
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

/* What the subarrays of a phase are, over all nodes. */
struct subarrays {
    bool together; /* nodes 2^j apart are in the same one */
    bool subcubes; /* each is a subcube; as connected components they are disjoint */
    bool classes;  /* each has the residue classes w and 2^j - 1 - w (mod 2^j) */
    uint32_t a, b; /* the first two nodes of one that are at another distance; 0, 0: none */
};

static struct subarrays describe(struct parts *parts, uint32_t nodes, uint32_t leap)
{
    struct subarrays x = {.together = true, .subcubes = true, .classes = true};
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t root = find_root(parts->root, i), w = root % leap, here = i % leap;
        uint32_t size = 0, varying = 0;
        x.together &= find_root(parts->root, (i + leap) % nodes) == root;
        x.classes &= here == w || here == leap - 1 - w;
        if (here != w && !x.b) {
            x.a = root;
            x.b = i;
        }
        for (uint32_t k = 0; i == root && k < nodes; k++) {
            if (find_root(parts->root, k) != root)
                continue;
            size++;
            varying |= gray_code(k) ^ gray_code(root);
        }
        x.subcubes &= i != root || size == UINT32_C(1) << claims_ones(varying);
    }
    return x;
}

/* The subarrays of a 2^j-phase: are nodes 2^j apart together in disjoint subcubes, and only these?
 * with: 0 both statements; 1 our correction of the second. */
void experiment_subarrays(struct claims_run *run)
{
    for (unsigned d = 1; d <= dims_of(run); d++) {
        for (unsigned j = 0; j < d; j++) {
            struct claims_seen seen;
            struct parts parts;
            const uint32_t leap = UINT32_C(1) << j;
            if (!phase_parts(run, d, j, &seen, &parts))
                return;
            const struct subarrays x = describe(&parts, seen.schedule->nodes, leap);
            free(parts.root);
            claims_require_equal(run, parts.count, j ? leap / 2 : 1, "d=%u, j=%u: subarrays", d, j);
            claims_audited(run, "subarrays", parts.count);
            if (claims_with(run) == 1) {
                claims_case(run, x.classes, "d=%u, j=%u", d, j);
                continue;
            }
            claims_case_if(run, true, x.together && x.subcubes,
                           "d=%u, j=%u: nodes %u apart are not together in disjoint subcubes", d, j,
                           leap);
            if (j > 0)
                claims_case_if(run, false, x.b == 0, "d=%u, j=%u: ring nodes %u and %u together", d,
                               j, x.a, x.b);
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
    struct claims_seen seen;
    struct parts parts;
    if (!phase_parts(run, 3, 2, &seen, &parts))
        return;
    for (uint32_t i = 0; i < 8; i++)
        claims_case(run, find_root(parts.root, i) == four_shift[i], "ring node %u", i);
    free(parts.root);
}
