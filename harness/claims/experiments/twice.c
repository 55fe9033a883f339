/* SPDX-License-Identifier: Apache-2.0 */
/* A permutation composed of two: two all-to-all personalized communications, or two permutations
 * that are their own inverses.
 *
 * Knows that a rotation is two reflections and how many elements cross each link; steps come from
 * schedules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "ecube/sdp.h"

static uint32_t nodes_of(const struct shuffle *x)
{
    return UINT32_C(1) << x->dims;
}

/* --- All-to-all twice ------------------------------------------------------------------------- */

/* If every node sends `each` elements to every node, lowest dimension first, does every link carry
 * `load` elements? */
static bool all_to_all_load(unsigned n, uint32_t each, uint64_t load)
{
    const uint32_t nodes = UINT32_C(1) << n;
    uint64_t *links = calloc((size_t)nodes * n, sizeof *links);
    bool same = links != NULL;
    for (uint32_t p = 0; links && p < nodes; p++) {
        for (uint32_t q = 0; q < nodes; q++) {
            uint32_t at = p;
            for (unsigned d = 0; d < n; d++) {
                if (!((at ^ q) >> d & 1))
                    continue;
                links[(size_t)at * n + d] += each;
                at ^= UINT32_C(1) << d;
            }
        }
    }
    for (size_t i = 0; same && i < (size_t)nodes * n; i++)
        same = links[i] == load;
    free(links);
    return same;
}

/* n blocks of one dimension each are an all-to-all; with direct routing all links carry K/2
 * words. */
static bool direct_all_to_all(struct claims_run *run, unsigned n, uint32_t K)
{
    static const unsigned ones[ORDERS_MAX] = {1, 1, 1, 1, 1, 1};
    const struct shuffle x = mixed_shuffle(ones, n, K, 1);
    struct claims_seen seen;
    bool same = true;
    if (!claims_measure(run, &seen, "%s %s", x.topology, x.workload))
        return false;
    for (uint32_t p = 0; p < nodes_of(&x); p++)
        for (unsigned link = 0; link < n; link++)
            same &= seen.report->flits[(size_t)p * seen.report->ports + link] == K / 2;
    claims_predicted(run, "link load", K / 2);
    claims_case(run, same && seen.load == K / 2, "cube:%u, K=%u: words on a link", n, K);
    return true;
}

/* A random permutation of the address bits, with random inversions. */
static struct shuffle random_bits(unsigned n, uint32_t K, uint64_t *state)
{
    struct shuffle x = {.dims = n, .per_node = K, .words = 1};
    const unsigned k = claims_storage(K), all = k + n;
    struct ec_sdp s = ec_sdp_identity(k, n);
    char cycles[100];
    do {
        for (unsigned i = all; i > 1; i--) {
            const unsigned j = draw_below(state, i);
            const uint8_t from = s.from[j];
            s.from[j] = s.from[i - 1];
            s.from[i - 1] = from;
        }
        s.complement = draw_below(state, UINT32_C(1) << all);
        ec_sdp_format(&s, cycles, sizeof cycles);
    } while (!*cycles);
    snprintf(x.topology, sizeof x.topology, "cube:%u", n);
    snprintf(x.workload, sizeof x.workload, "gsh:cycle=%s,K=%u", cycles, K);
    snprintf(x.name, sizeof x.name, "cube:%u K=%u %.50s", n, K, cycles);
    return x;
}

static struct shuffle named(unsigned n, uint32_t K, const char *name)
{
    struct shuffle x = {.dims = n, .per_node = K, .words = 1};
    snprintf(x.topology, sizeof x.topology, "cube:%u", n);
    snprintf(x.workload, sizeof x.workload, "%s%cK=%u", name, strchr(name, ':') ? ',' : ':', K);
    snprintf(x.name, sizeof x.name, "%s, n=%u, K=%u", name, n, K);
    return x;
}

/* K elements over each link in K (all ports) and nK (one port) steps. */
static bool exact_case(struct claims_run *run, const struct shuffle *x, bool timed)
{
    const uint32_t K = x->per_node;
    struct claims_seen seen;
    bool full = true;
    if (!play_blocks(run, x, "aapc-twice-one-port", 1, 0, timed, &seen))
        return false;
    const uint64_t one_port = seen.steps;
    claims_predicted(run, "steps", x->dims * K);
    if (!play_blocks(run, x, "aapc-twice", 1, 0, timed, &seen))
        return false;
    const uint64_t steps = seen.steps;
    claims_predicted(run, "steps", K);
    if (!claims_audit(run, &seen, "%s %s --algorithm aapc-twice", x->topology, x->workload))
        return false;
    uint32_t *links = link_elements(seen.topology, seen.schedule);
    if (!claims_require(run, links != NULL, "out of memory"))
        return false;
    for (size_t i = 0; i < (size_t)nodes_of(x) * x->dims; i++)
        full &= links[i] == K;
    free(links);
    claims_relate(run, steps, CLAIMS_EQ, K, "%s: steps", x->name);
    claims_relate(run, one_port, CLAIMS_EQ, (uint64_t)x->dims * K, "%s: one port", x->name);
    claims_case(run, full, "%s: links", x->name);
    return true;
}

/* ours.aapc2. */
void experiment_aapc_twice(struct claims_run *run)
{
    static const char *const names[] = {"shuffle", "bitrev", "bitcomp", "tocyclic"};
    const bool full = claims_is_full(run);
    uint64_t state = 224;
    for (unsigned n = 1; n <= (full ? 8 : 5); n++) {
        const uint32_t nodes = UINT32_C(1) << n;
        const bool timed = n <= (full ? 6 : 4);
        for (uint32_t K = nodes; K <= (n <= 5 ? 2 : 1) * nodes; K += nodes) {
            claims_case(run,
                        all_to_all_load(n, K / nodes, K / 2) && nodes / 2 * (K / nodes) == K / 2,
                        "n=%u, K=%u: load of an all-to-all", n, K);
            if (n <= ORDERS_MAX && !direct_all_to_all(run, n, K))
                return;
            for (size_t i = 0; n > 1 && i < sizeof names / sizeof *names; i++) {
                const struct shuffle x = named(n, K, names[i]);
                if (!exact_case(run, &x, timed))
                    return;
            }
            for (unsigned i = 0; i < (n <= 5 ? 6 : 2); i++) {
                const struct shuffle x = random_bits(n, K, &state);
                if (!exact_case(run, &x, timed))
                    return;
            }
        }
    }
}

/* --- Two reflections -------------------------------------------------------------------------- */

/* Real dimension i gets the content of sum - i mod r. */
static struct ec_sdp reflection(unsigned storage, unsigned r, unsigned sum)
{
    struct ec_sdp s = ec_sdp_identity(storage, r);
    for (unsigned i = 0; i < r; i++)
        s.from[storage + i] = (uint8_t)(storage + (sum + r - i) % r);
    return s;
}

static bool play_reflection(struct claims_run *run, const struct ec_sdp *s, unsigned r, uint32_t K,
                            bool timed, uint32_t *ret_steps)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    struct shuffle x = {.dims = r, .per_node = K, .words = 1};
    struct claims_seen seen;
    char cycles[100];
    ec_sdp_format(s, cycles, sizeof cycles);
    snprintf(x.topology, sizeof x.topology, "cube:%u", r);
    snprintf(x.workload, sizeof x.workload, "gsh:cycle=%s,K=%u", cycles, K);
    snprintf(x.name, sizeof x.name, "%.60s, K=%u", cycles, K);
    if (!play_blocks(run, &x, "a2x2", 1, 0, timed, &seen))
        return false;
    *ret_steps = seen.steps;
    const uint32_t beta = ec_sdp_cycles(s, cycle);
    const uint32_t steps = K >= 4 * beta ? K / 2 + 1 : (K - 1) / (2 * beta) + 2 * beta;
    claims_predicted(run, "steps", steps);
    return claims_require_equal(run, seen.steps, steps, "%s: steps", x.name);
}

/* jh.sum.transpose: reference [4] is not available. The equivalent performs the shuffle as the
 * reflections i -> -i and i -> 1 - i of its dimensions, which are disjoint 2-cycles
 * (transpositions). */
void experiment_two_reflections(struct claims_run *run)
{
    claims_equivalent(run);
    for (struct sizes g = reals_grid(run); sizes_next(&g);) {
        const unsigned r = g.size, storage = claims_storage(g.per_node);
        const struct shuffle x = real_shuffle(r, g.per_node, 1, 0);
        const struct ec_sdp first = reflection(storage, r, 0), second = reflection(storage, r, 1),
                            both = ec_sdp_compose(&first, &second);
        uint32_t steps[2];
        struct claims_seen seen;
        if (!g.audited || r < 3)
            continue;
        if (!play_reflection(run, &first, r, g.per_node, g.timed, &steps[0]) ||
            !play_reflection(run, &second, r, g.per_node, g.timed, &steps[1]) ||
            !play_blocks(run, &x, "a1-concurrent", 1, 0, g.timed, &seen))
            return;
        claims_require(run,
                       seen.workload->sdp->complement == both.complement &&
                           memcmp(seen.workload->sdp->from, both.from, storage + r) == 0,
                       "%s: not the two reflections", x.name);
        const uint64_t sum = (uint64_t)steps[0] + steps[1];
        if (g.per_node >= 4 * (r / 2))
            claims_relate(run, sum, CLAIMS_EQ, g.per_node + 2, "%s: both reflections: steps",
                          x.name);
        if (r == 3 && g.per_node == 2)
            claims_relate(run, sum, CLAIMS_EQ, seen.steps, "%s: steps, a tie", x.name);
        else
            claims_relate(run, sum, CLAIMS_GT, seen.steps, "%s: steps", x.name);
    }
}
