/* SPDX-License-Identifier: Apache-2.0 */
/* The subarrays of a cube in which a phase of the Gray-coded ring takes place.
 *
 * Knows Grama et al. 4.6.2; finds the subarrays by following the links that schedules use. */
#include <inttypes.h>
#include <stdlib.h>

#include "study/experiments/try.h"

static uint32_t dims_of(const struct claims_run *run)
{
    return claims_is_full(run) ? 12 : 5;
}

/* --- Subarrays
 * ------------------------------------------------------------------------------------- */

/* The parts into which the links of a schedule join the nodes: root[node], by ring label. */
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

/* The subarrays of a 2^j-phase: there are 2^(j-1), closed under the phase; but each holds the
 * residue classes w and 2^j - 1 - w (mod 2^j), not one alone. with: 0 the claim that only nodes at
 * multiples of 2^j are together, 1 our correction. */
void try_subarrays(struct claims_run *run)
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
                claims_case_if(run, j == 0, b == 0,
                               "d=%u, j=%u: ring nodes %" PRIu32 " and %" PRIu32 " together", d, j,
                               a, b);
        }
    }
}

/* Order C: in both steps every node sends to the same successor, and following the successors goes
 * round the whole subarray. */
void try_circular(struct claims_run *run)
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
        claims_case(run, same && round && seen.load == 1, "d=%" PRIu32 ", j=%u", g.size, j);
    }
    for (unsigned d = 1; d <= claims_min(dims_of(run), 6); d++) {
        for (unsigned j = 0; j < d; j++) {
            const struct claims_shift g = try_one(d, UINT32_C(1) << d, UINT32_C(1) << j);
            struct claims_seen seen;
            if (!try_gray(run, &g, "gray-forward:order=C", 8, 0, &seen))
                return;
        }
    }
}

/* Fig. 4.23 (a): the subarrays of the 4-shift on eight nodes. */
void try_subarray_figure(struct claims_run *run)
{
    static const uint32_t expected[] = {0, 1, 1, 0, 0, 1, 1, 0};
    struct claims_seen seen;
    struct parts parts;
    if (!phase_parts(run, 3, 2, &seen, &parts))
        return;
    for (uint32_t i = 0; i < 8; i++)
        claims_case(run, find_root(parts.root, i) == expected[i], "ring node %" PRIu32, i);
    free(parts.root);
}
