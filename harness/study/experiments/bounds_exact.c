/* SPDX-License-Identifier: Apache-2.0 */
/* Exact values where bounds leave a gap: the square by search, a cycle of four nodes, complements
 * alone.
 *
 * Knows closed forms and hops of elements; must not know how schedules are made. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ec_cost_jh_bounds.h"
#include "study/experiments.h"
#include "study/experiments/gsh.h"

static const struct try_pace plain = {0};

/* --- Schedules by search ---------------------------------------------------------------------- */

/* Is there any way to take elements from node to node in `steps` steps over a square, one on each
 * directed link in a step, whatever their ways? */
struct square {
    unsigned steps, count;
    uint8_t from[16], to[16];
    uint64_t ways[16][64]; /* of an element: the links it takes, a bit for each step and link */
    unsigned way_count[16];
};

/* All walks: in each step stay, or cross dimension 0 or 1. */
static void list_ways(struct square *q, unsigned element)
{
    unsigned all = 1;
    for (unsigned t = 0; t < q->steps; t++)
        all *= 3;
    for (unsigned w = 0; w < all; w++) {
        unsigned at = q->from[element], rest = w;
        uint64_t links = 0;
        for (unsigned t = 0; t < q->steps; t++, rest /= 3) {
            if (rest % 3 == 0)
                continue;
            links |= UINT64_C(1) << (8 * t + 2 * at + rest % 3 - 1);
            at ^= rest % 3;
        }
        if (at == q->to[element])
            q->ways[element][q->way_count[element]++] = links;
    }
}

static bool all_go(const struct square *q, unsigned element, uint64_t used)
{
    if (element == q->count)
        return true;
    for (unsigned w = 0; w < q->way_count[element]; w++)
        if (!(used & q->ways[element][w]) && all_go(q, element + 1, used | q->ways[element][w]))
            return true;
    return false;
}

/* The least steps of a cycle of two real dimensions, and a storage dimension if mixed. */
static unsigned least_steps(bool real, uint32_t per_node)
{
    for (unsigned steps = 1; steps <= 3; steps++) {
        struct square q = {.steps = steps};
        for (unsigned node = 0; node < 4; node++) {
            for (uint32_t slot = 0; slot < per_node; slot++) {
                /* alpha_1 of a mixed one gets alpha_0, a real alpha_0 gets alpha_1. */
                const unsigned low = real ? node >> 1 : slot & 1, to = (node << 1 | low) & 3;
                if (to == node)
                    continue;
                q.from[q.count] = (uint8_t)node;
                q.to[q.count] = (uint8_t)to;
                list_ways(&q, q.count++);
            }
        }
        if (all_go(&q, 0, 0))
            return steps;
    }
    return UINT8_MAX;
}

/* Element-level bounds (with: 1) and all hops: no schedule is below, on the square none can be. K/2
 * is never met where sigma_r > beta (with: 2). */
void try_element_bound(struct claims_run *run)
{
    if (!try_all_n_port(run) || (claims_with(run) == 1 && !try_all_volumes(run)))
        return;
    for (uint32_t k = 2; k <= 4; k += 2) {
        for (int real = 0; real <= 1; real++) {
            const uint64_t least = least_steps(real, k);
            const uint64_t bound =
                real ? ec_cost_jh_bound_real(k) : ec_cost_jh_bound_mixed(2, 1, k);
            if (claims_with(run) == 1)
                claims_relate(run, least, CLAIMS_GE, bound,
                              "%s sigma_r=2, K=%" PRIu32 ": the least steps, by search",
                              real ? "real" : "mixed", k);
            else
                claims_relate(run, least, CLAIMS_GT, k / 2,
                              "%s sigma_r=2, K=%" PRIu32 ": the least steps, by search",
                              real ? "real" : "mixed", k);
            claims_require_equal(run, least, bound, "sigma_r=2, K=%" PRIu32 ": by search", k);
        }
    }
}

/* --- A cycle of four nodes, and complements alone --------------------------------------------- */

static void cycle4_words(uint32_t per_node, char *words, size_t size)
{
    unsigned k = 0;
    while (UINT32_C(1) << k < per_node)
        k++;
    snprintf(words, size, "cube:2 gsh:cycle=%u-~%u,K=%" PRIu32, k + 1, k, per_node);
}

/* Every element goes to the next node on the ring 0, 1, 3, 2 (or all to the one before): one link,
 * or three the other way round. */
static bool is_ring_shift(const struct ec_schedule *s)
{
    static const uint8_t next[4] = {1, 3, 0, 2}, before[4] = {2, 0, 3, 1};
    bool forward = true, backward = true;
    for (uint32_t e = 0; e < 4 * s->per_node; e++) {
        forward &= s->target[e].node == next[e / s->per_node];
        backward &= s->target[e].node == before[e / s->per_node];
    }
    return forward || backward;
}

/* Elements by the hops they take: 1 or 3, else the count of others. */
static bool hops_of(const struct ec_schedule *s, uint32_t *ret_one, uint32_t *ret_three)
{
    uint8_t *hops = calloc(4 * (size_t)s->per_node, 1);
    if (!hops)
        return false;
    for (uint32_t i = 0; i < s->carried_count; i++)
        hops[s->carried[i].element]++;
    *ret_one = *ret_three = 0;
    for (uint32_t e = 0; e < 4 * s->per_node; e++) {
        *ret_one += hops[e] == 1;
        *ret_three += hops[e] == 3;
    }
    free(hops);
    return *ret_one + *ret_three == 4 * s->per_node;
}

/* More than K/2 steps (with: 0), ceil(3K/4) exactly (with: 1), with a quarter of the elements three
 * hops the other way round where 4 divides K. */
void try_cycle4(struct claims_run *run)
{
    for (uint32_t k = 1; k <= 64; k++) {
        char words[64];
        struct claims_seen seen;
        uint32_t one = 0, three = 0;
        const uint64_t exact = ec_cost_jh_cycle4(k);
        cycle4_words(k, words, sizeof words);
        if (!try_words_play(run, true, words, "cycle4", plain, &seen) ||
            !claims_require(run, is_ring_shift(seen.schedule), "K=%" PRIu32 ": no shift", k))
            return;
        claims_predicted(run, "steps", exact);
        if (claims_with(run) == 0) {
            claims_relate(run, 2 * (uint64_t)seen.steps, CLAIMS_GT, k,
                          "K=%" PRIu32 ": twice the steps", k);
            continue;
        }
        claims_relate(run, seen.steps, CLAIMS_EQ, exact, "K=%" PRIu32 ": steps", k);
        claims_require(run, hops_of(seen.schedule, &one, &three), "K=%" PRIu32 ": other hops", k);
        if (k % 4 == 0)
            claims_relate(run, three, CLAIMS_EQ, k, "K=%" PRIu32 ": elements of three hops", k);
        /* Forward links of length 3, backward ones 1: every element travels 3 at least. */
        claims_require(run, 16 * exact >= 12 * (uint64_t)k, "K=%" PRIu32 ": below the bound", k);
    }
}

/* n real dimensions complemented, none moved: every element crosses all of them, n 2^n K hops over
 * n 2^n links; directly routed, K on every link; in steps, K from K = n on. */
void try_vector_reversal(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 8 : 5;
    for (unsigned n = 1; n <= most; n++) {
        for (uint32_t k = 1; k <= 16; k *= 2) {
            const unsigned storage = (unsigned)__builtin_ctz(k);
            char words[120] = "";
            struct claims_seen seen;
            claims_add(words, sizeof words, "cube:%u gsh:cycle", n);
            for (unsigned i = 0; i < n; i++)
                claims_add(words, sizeof words, "%c~%u", i ? '+' : '=', storage + i);
            claims_add(words, sizeof words, ",K=%" PRIu32, k);
            if (!try_words_play(run, n <= 6, words, "crossing", plain, &seen))
                return;
            claims_relate(run, seen.steps, CLAIMS_EQ, claims_max(k, n), "%s: steps", words);
            if (!claims_look(run, n <= 6, &seen, "%s --router ports=all", words))
                return;
            claims_predicted(run, "load", ec_cost_jh_vector_reversal(k));
            claims_relate(run, seen.load, CLAIMS_EQ, ec_cost_jh_vector_reversal(k), "%s: load",
                          words);
            claims_require_equal(run, seen.audit->total_hops, seen.audit->channels * k, "%s: hops",
                                 words);
            if (seen.report)
                claims_require(run, seen.cycles >= k, "%s: %" PRIu64 " cycles", words, seen.cycles);
        }
    }
}
