/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH: steps, memory and traffic of A1, A2 and A2 squared, element by element.
 *
 * Knows the closed forms of model/cost; where elements are, and when, is read out of schedules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_real.h"
#include "study/experiments/shuffle.h"

static bool look(struct claims_run *run, const struct try_sizes *g, const char *algorithm,
                 struct claims_seen *ret)
{
    const struct try_shuffle x = try_real(g->size, g->per_node, 1, 0);
    return try_schedule(run, &x, algorithm, 1, 0, g->timed, ret);
}

#define SIZE_K "sigma_r=%u, K=%" PRIu32
#define BETA_K "beta=%u, K=%" PRIu32

/* --- A1 --------------------------------------------------------------------------------------- */

/* Fig. 10: three dimensions, two elements a node: v with dimension 0, 1, 2 and 0 again. Row p of
 * table t: the first addresses (p, v) of what is in node p after t exchanges, as 2 p + v. */
void try_a1_figure(struct claims_run *run)
{
    const struct try_shuffle x = try_real(3, 2, 1, 0);
    struct claims_seen seen;
    uint32_t at[16];
    if (!try_schedule(run, &x, "a1-one-port", 1, 0, true, &seen))
        return;
    const struct ec_schedule *s = seen.schedule;
    claims_predicted(run, "steps", 4);
    claims_relate(run, seen.steps, CLAIMS_EQ, 4, "steps");
    const unsigned first = s->exchange_count ? s->exchanges[0].processor : 0;
    for (size_t i = 0; i < s->exchange_count; i++)
        claims_case(run,
                    s->exchanges[i].storage == 0 &&
                        s->exchanges[i].processor == 1 + (first - 1 + i) % 3,
                    "exchange %zu", i + 1);
    /* Addresses by exchanging bits; the machine's dimension 0 is v. */
    for (uint32_t e = 0; e < 16; e++)
        at[e] = e;
    for (uint32_t t = 1; t <= 4; t++) {
        uint32_t nodes[16];
        const unsigned d = 1 + (first - 1 + t - 1) % 3;
        for (uint32_t e = 0; e < 16; e++) {
            if ((at[e] & 1) != (at[e] >> d & 1))
                at[e] ^= 1 ^ UINT32_C(1) << d;
        }
        claims_places(s, t, nodes);
        for (uint32_t e = 0; e < 16; e++)
            claims_case(run, nodes[e] == at[e] >> 1, "table %" PRIu32 ", element %" PRIu32, t, e);
    }
}

/* jh.a1.half: K = 2. After sigma_r exchanges half the elements are where they belong; the others
 * are those with v different from alpha_(sigma_r - 1) at first. */
void try_a1_half(struct claims_run *run)
{
    for (struct try_sizes g = try_reals(run); try_sizes_next(&g);) {
        struct claims_seen seen;
        if (g.per_node != 2)
            continue;
        if (!look(run, &g, "a1-one-port", &seen))
            return;
        const struct ec_schedule *s = seen.schedule;
        uint32_t *nodes = malloc(2 * (size_t)s->nodes * sizeof *nodes), there = 0;
        bool the_others = claims_require(run, nodes != NULL, "out of memory");
        if (!the_others)
            return;
        claims_places(s, g.size, nodes);
        /* The sequence ends in the dimension in which it began, alpha_0 of this writing of it. */
        const unsigned first = s->exchanges[0].processor - 1;
        for (uint32_t e = 0; e < 2 * s->nodes; e++) {
            const bool placed = nodes[e] == s->target[e].node;
            const uint32_t top = e / 2 >> (first + g.size - 1) % g.size & 1;
            there += placed;
            the_others &= placed == ((e & 1) == top);
        }
        free(nodes);
        claims_audited(run, "elements in their places", there);
        claims_relate(run, there, CLAIMS_EQ, s->nodes, "sigma_r=%u: elements placed", g.size);
        claims_case(run, the_others, "sigma_r=%u: which are the others", g.size);
    }
}

/* --- A2 --------------------------------------------------------------------------------------- */

/* Rounds of the hop-by-hop routing of all elements, any number in a packet: the longest way. */
static uint32_t longest_way(const struct ec_workload *w)
{
    uint32_t most = 0;
    for (size_t i = 0; i < w->message_count; i++)
        most = claims_max(most, claims_ones(w->messages[i].src ^ w->messages[i].dst));
    return most;
}

/* jh.a2.startups: sigma_r, with B = ceil(K/sigma_r); the least for even sigma_r. err.24 (with: 1):
 * the bound is sigma_r - 1 for odd sigma_r. */
void try_a2_startups(struct claims_run *run)
{
    for (struct try_sizes g = try_odd_reals(run); try_sizes_next(&g);) {
        const struct try_shuffle x = try_real(g.size, g.per_node, 1, 0);
        const uint64_t bound = ec_cost_jh_startups(g.size, true, 0);
        struct claims_seen seen;
        if (!g.audited)
            continue;
        const uint32_t B = (uint32_t)ec_cost_ceil(g.per_node, g.size);
        if (!try_schedule(run, &x, "a2", B, 0, g.timed, &seen))
            return;
        const uint32_t steps = seen.steps;
        claims_require_equal(run, steps, g.size, SIZE_K ": start-ups of A2", g.size, g.per_node);
        if (!claims_audit(run, &seen, "%s %s", x.topology, x.workload))
            return;
        const uint32_t rounds = longest_way(seen.workload);
        claims_predicted(run, "start-ups >=", bound);
        claims_audited(run, "longest way", rounds);
        if (claims_with(run) == 1) {
            claims_relate(run, rounds, CLAIMS_EQ, g.size - g.size % 2, SIZE_K ": rounds", g.size,
                          g.per_node);
            claims_relate(run, rounds, CLAIMS_EQ, bound, SIZE_K ": formula", g.size, g.per_node);
        } else {
            claims_relate_if(run, g.size % 2 == 0, steps, CLAIMS_EQ, rounds, SIZE_K ": start-ups",
                             g.size, g.per_node);
        }
    }
}

/* Where A2 takes an element of slot half h at node p if its first step is as printed (or as
 * corrected): the node after all steps. The element remembers a bit v: printed, 1 if it crossed in
 * the first step, else 0; corrected, old alpha_0. */
static uint32_t a2_ends(unsigned r, uint32_t p, bool printed)
{
    const uint32_t old0 = p & 1, top = p >> (r - 1) & 1;
    uint32_t at = (p & ~UINT32_C(1)) | top, v = printed ? old0 != top : old0;
    for (unsigned i = 1; i < r; i++) {
        const uint32_t old = at >> i & 1;
        at = (at & ~(UINT32_C(1) << i)) | v << i;
        v = old;
    }
    return at;
}

static uint32_t rotated(unsigned r, uint32_t p)
{
    return (p << 1 | p >> (r - 1)) & ((UINT32_C(1) << r) - 1);
}

/* jh.a2.step1: as printed elements end in wrong nodes. err.23 (with: 1): keeping old alpha_0 is
 * right, and is what a2 does. */
void try_a2_first(struct claims_run *run)
{
    const bool corrected = claims_with(run) == 1;
    for (struct try_sizes g = try_reals(run); try_sizes_next(&g);) {
        const uint32_t nodes = UINT32_C(1) << g.size;
        uint32_t wrong[2] = {0, 0}, first = 0;
        struct claims_seen seen;
        if (!g.audited || (!corrected && g.per_node != 2))
            continue;
        for (uint32_t p = nodes; p-- > 0;) {
            for (unsigned printed = 0; printed <= 1; printed++)
                wrong[printed] += a2_ends(g.size, p, printed) != rotated(g.size, p);
            if (a2_ends(g.size, p, true) != rotated(g.size, p))
                first = p;
        }
        claims_audited(run, "nodes whose elements go astray", wrong[!corrected]);
        claims_require_equal(run, wrong[1], nodes / 2, "sigma_r=%u: as printed", g.size);
        if (!corrected) {
            claims_case(run, wrong[1] == 0,
                        "sigma_r=%u, node %" PRIu32 ": ends in %" PRIu32 ", not %" PRIu32, g.size,
                        first, a2_ends(g.size, first, true), rotated(g.size, first));
            continue;
        }
        if (!look(run, &g, "a2-one-port", &seen))
            return;
        claims_case(run, wrong[0] == 0 && seen.checked->placed, SIZE_K, g.size, g.per_node);
    }
}

/* jh.a2.empty: one sequence. Between its first and last stage the nodes whose top bit differs from
 * their lowest are empty; in the last, nodes with 0 in both send to those with 1 on top, and with 1
 * in both to those with 0; K elements over each link that is used in a stage. */
void try_a2_empty(struct claims_run *run)
{
    for (struct try_sizes g = try_odd_reals(run); try_sizes_next(&g);) {
        struct claims_seen seen;
        if (!g.audited)
            continue;
        const struct try_shuffle x = try_real(g.size, g.per_node, 1, 0);
        if (!try_schedule(run, &x, "a2-one-port", g.per_node, 0, g.timed, &seen))
            return;
        const struct ec_schedule *s = seen.schedule;
        const size_t elements = (size_t)s->nodes * g.per_node;
        uint32_t *nodes = malloc(elements * sizeof *nodes), first = UINT32_MAX, last = 0;
        bool empty = claims_require(run, nodes != NULL, "out of memory"), ends = true, full = true;
        if (!empty)
            return;
        for (size_t i = 0; i < s->transfer_count; i++) {
            const struct ec_transfer *t = &s->transfers[i];
            const uint32_t bit = t->src ^ t->dst;
            first = t->step == 1 ? bit : first;
            last = t->step == s->steps ? bit : last;
            full &= t->count == g.per_node;
        }
        for (uint32_t t = 1; t < s->steps; t++) {
            claims_places(s, t, nodes);
            for (size_t e = 0; e < elements; e++)
                empty &= !(nodes[e] & first) == !(nodes[e] & last);
        }
        for (size_t i = 0; i < s->transfer_count; i++) {
            const struct ec_transfer *t = &s->transfers[i];
            if (t->step == s->steps)
                ends &= !(t->src & first) == !(t->src & last);
        }
        free(nodes);
        claims_relate(run, seen.steps, CLAIMS_EQ, g.size, SIZE_K ": stages", g.size, g.per_node);
        claims_case(run, empty, SIZE_K ": a subcube is not empty", g.size, g.per_node);
        claims_case(run, ends, SIZE_K ": the last stage", g.size, g.per_node);
        claims_case(run, full, SIZE_K ": elements on a link", g.size, g.per_node);
    }
}

/* --- A2 squared ------------------------------------------------------------------------------- */

/* The dimension that each of the four nodes uses first: bit 0 of `used[node]`: dimension 0. */
static void links_used(const struct ec_schedule *s, uint32_t *used)
{
    memset(used, 0, 4 * sizeof *used);
    for (size_t i = 0; i < s->transfer_count; i++)
        used[s->transfers[i].src] |= s->transfers[i].src ^ s->transfers[i].dst;
}

/* jh.a22.direction: with A2 in one sequence each link is used one way only; A2 squared uses all. */
void try_a22_direction(struct claims_run *run)
{
    for (struct try_sizes g = try_reals(run); try_sizes_next(&g);) {
        struct claims_seen seen;
        uint32_t used[4];
        bool one_way = true, both = true;
        if (g.size != 2)
            continue;
        if (!look(run, &g, "a2-one-port", &seen))
            return;
        links_used(seen.schedule, used);
        for (uint32_t p = 0; p < 4; p++)
            for (unsigned d = 0; d < 2; d++)
                one_way &= !(used[p] >> d & 1 && used[p ^ UINT32_C(1) << d] >> d & 1);
        if (!look(run, &g, "a2x2", &seen))
            return;
        links_used(seen.schedule, used);
        for (uint32_t p = 0; p < 4; p++)
            both &= used[p] == 3;
        claims_case(run, one_way, "K=%" PRIu32 ": A2 uses a link both ways", g.per_node);
        claims_case(run, both, "K=%" PRIu32 ": A2 squared leaves a link unused", g.per_node);
    }
}
