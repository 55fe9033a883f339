/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds of generalized shuffles: Lemma 2, Corollary 1, better bounds, and exact
 * values where bounds leave a gap. A bound holds if no schedule of the library is below it; on the
 * smallest cubes a search covers all possible schedules.
 *
 * Knows closed forms and hops of elements; must not know how schedules are made. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost_jh_bounds.h"
#include "ecube/sdp.h"
#include "study/experiments/play.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const mixed_all[] = {"pipelined", "align", "concurrent", "parity"};
static const char *const real_all[] = {"a1-pipelined", "a1-concurrent", "a1-packed", "a2"};
static const char *const multi_all[] = {"pipelined", "concurrent", "parity"};

/* --- Start-ups -------------------------------------------------------------------------------- */

/* Lemma 2: start-ups are at least sigma_r - 1 if the number of moved and uncomplemented
 * dimensions is odd, else sigma_r. with: 0 as printed, exact for real GSH and for mixed ones
 * where that number is even; 1 the correction for both; 2 real GSH of odd order without
 * complements need sigma_r - 1. */
void experiment_startup_bound(struct claims_run *run)
{
    const unsigned last = claims_is_full(run) ? 7 : 5;
    for (unsigned r = 1; r <= last; r++) {
        for (unsigned storage = 0; storage <= 1; storage++) {
            const unsigned m = r + storage;
            if (m < 2)
                continue;
            for (uint32_t c = 0; c < 1U << m; c++) {
                struct ec_sdp s = ec_sdp_identity(storage, r);
                for (uint8_t i = 0; i < m; i++)
                    s.from[i] = (uint8_t)((i + m - 1) % m);
                s.complement = c;
                const bool odd = (m - claims_ones(c)) % 2, real = storage == 0;
                const unsigned most = most_hops(&s);
                claims_audited(run, "real Hamming distance", most);
                if (claims_with(run) == 0)
                    claims_relate_if(run, real || !odd, most, CLAIMS_EQ, r - odd,
                                     "%s GSH, sigma_r=%u, complements %x: start-ups",
                                     real ? "real" : "mixed", r, c);
                else if (claims_with(run) == 1)
                    claims_relate(run, most, CLAIMS_EQ, r - (odd && real),
                                  "%s GSH, sigma_r=%u, complements %x: start-ups",
                                  real ? "real" : "mixed", r, c);
                else if (real && c == 0)
                    claims_relate(run, most, CLAIMS_EQ, r - r % 2,
                                  "real GSH, sigma_r=%u: start-ups", r);
            }
        }
    }
}

/* --- Lemma 2 ---------------------------------------------------------------------------------- */

static bool one_port_case(struct claims_run *run, const struct gsh *g, const char *algorithm)
{
    const struct ec_cost_ratio bound = ec_cost_jh_lemma2_one_port(g->order, g->per_node);
    struct claims_seen seen;
    if (!play_gsh(run, g, algorithm, PLAIN_PACE, &seen))
        return false;
    claims_predicted(run, "least steps", ec_cost_ceil(bound.num, bound.den));
    claims_relate(run, seen.steps, CLAIMS_GE, ec_cost_ceil(bound.num, bound.den),
                  "%s " GSH_CASE ", %s: steps", g->real ? "real" : "mixed", GSH_ARGS(g), algorithm);
    if (strcmp(algorithm, "one-port") == 0)
        claims_require_equal(run, seen.steps * bound.den, bound.num, GSH_CASE ", %s", GSH_ARGS(g),
                             algorithm);
    return true;
}

/* The bound that every n-port schedule is compared with. with: 0 K/2, reached only where sigma_r =
 * beta; 1 the better bound; 2 K/2 where sigma_r > beta, never reached. */
struct below {
    const char *name;
    bool real;
    uint64_t order, blocks, per_node;
};

static void hold_against(struct claims_run *run, const struct claims_seen *seen, struct below b)
{
    const uint64_t half = b.per_node / 2;
    const uint64_t better = b.real ? ec_cost_jh_bound_real(b.per_node)
                                   : ec_cost_jh_bound_mixed(b.order, b.blocks, b.per_node);
    const bool wide = b.real || b.order > b.blocks;
    claims_predicted(run, "least steps", claims_with(run) == 1 ? better : half);
    if (claims_with(run) == 1)
        claims_relate(run, seen->steps, CLAIMS_GE, better, "%s: steps", b.name);
    else if (claims_with(run) == 2 && wide)
        claims_relate(run, seen->steps, CLAIMS_GT, half, "%s: steps", b.name);
    else if (claims_with(run) == 0)
        claims_relate(run, seen->steps, CLAIMS_GE, half, "%s: steps", b.name);
    claims_require(run, !wide || seen->steps > half, "%s: K/2 is reached", b.name);
}

static bool n_port_case(struct claims_run *run, const struct gsh *g, const char *algorithm)
{
    char name[80];
    struct claims_seen seen;
    if (!play_gsh(run, g, algorithm, PLAIN_PACE, &seen))
        return false;
    snprintf(name, sizeof name, "%s " GSH_CASE ", %s", g->real ? "real" : "mixed", GSH_ARGS(g),
             algorithm);
    hold_against(run, &seen, (struct below){name, g->real, g->order, 1, g->per_node});
    return true;
}

/* An algorithm may have no room for its rows. */
static bool multi_case(struct claims_run *run, const struct multi *g, const char *algorithm)
{
    const struct shuffle words = multi_words(g, 1);
    char name[120];
    struct claims_seen seen;
    bool refused;
    if (!play_blocks_or_refused(run, &words, algorithm, 1, g->timed, &seen, &refused))
        return false;
    snprintf(name, sizeof name, "%s, %s", words.name, algorithm);
    if (!refused)
        hold_against(run, &seen, (struct below){name, false, g->sigma_r, g->blocks, g->per_node});
    return true;
}

static bool all_n_port_schedules(struct claims_run *run)
{
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);)
        for (size_t a = 0; a < COUNT(mixed_all); a++)
            if (!n_port_case(run, &g, mixed_all[a]))
                return false;
    for (struct gsh g = real_grid(run, 2); gsh_next(&g);)
        for (size_t a = 0; a < COUNT(real_all); a++)
            if (!n_port_case(run, &g, real_all[a]))
                return false;
    for (struct multi g = multi_grid(run); multi_next(&g);)
        for (size_t a = 0; g.audited && a < COUNT(multi_all); a++)
            if (!multi_case(run, &g, multi_all[a]))
                return false;
    return true;
}

/* sigma_r K/2 steps with one port (with: 1), K/2 with n ports (with: 0). */
void experiment_transfer_bound(struct claims_run *run)
{
    if (claims_with(run) == 0) {
        all_n_port_schedules(run);
        return;
    }
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);)
        if (!one_port_case(run, &g, "one-port"))
            return;
    for (struct gsh g = real_grid(run, 2); gsh_next(&g);)
        if (!one_port_case(run, &g, "a1-one-port") || !one_port_case(run, &g, "a2-one-port"))
            return;
}

/* --- Corollary 1 ------------------------------------------------------------------------------ */

/* All packets have B elements, and with one port all nodes use the same dimension in a step. */
static bool fixed_size(const struct ec_schedule *s, uint32_t block, bool one_port)
{
    uint32_t step = 0, dimension = 0;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        if (t->count != block || (one_port && t->step == step && (t->src ^ t->dst) != dimension))
            return false;
        step = t->step;
        dimension = t->src ^ t->dst;
    }
    return true;
}

/* T = cB of a schedule with c steps is at least the bound for this c. `tight`: it is the bound. */
static bool corollary1_case(struct claims_run *run, const struct gsh *g, const char *algorithm,
                            uint32_t block, bool tight)
{
    const bool one_port = claims_with(run) == 1;
    struct claims_seen seen;
    if (!play_gsh(run, g, algorithm, (struct pace){.block = block}, &seen))
        return false;
    if (!fixed_size(seen.schedule, block, one_port))
        return claims_require(run, !tight, GSH_CASE ", %s, B=%u: other packets", GSH_ARGS(g),
                              algorithm, block);
    const uint64_t c = seen.steps, transfers = count_transfers(seen.schedule);
    const struct ec_cost_ratio bound =
        one_port ? ec_cost_jh_corollary1_one_port(c, g->order, g->per_node)
                 : ec_cost_jh_corollary1_n_port(c, g->per_node);
    claims_predicted(run, "least transfers", ec_cost_ceil(bound.num, bound.den));
    claims_audited(run, "transfers", transfers);
    claims_require_equal(run, transfers, c * block, GSH_CASE ", %s, B=%u: transfers", GSH_ARGS(g),
                         algorithm, block);
    claims_relate(run, transfers, CLAIMS_GE, ec_cost_ceil(bound.num, bound.den),
                  GSH_CASE ", %s, B=%u, c=%" PRIu64 ": transfers", GSH_ARGS(g), algorithm, block,
                  c);
    if (tight)
        claims_require_equal(run, transfers * bound.den, bound.num,
                             GSH_CASE ", %s, B=%u: the bound is not reached", GSH_ARGS(g),
                             algorithm, block);
    return true;
}

/* Algorithms of a fixed packet size with any number c of routing cycles. A1 with one group of rows
 * (c = sigma_r + 1) and A2 squared (c = K/2B + 1) reach the bound with n ports, A1 and A2 for two
 * dimensions with one port and the largest packets. with: 1 one port. */
void experiment_corollary1(struct claims_run *run)
{
    static const char *const n_port[] = {"a1-concurrent", "a1-packed", "a1-pipelined", "a2",
                                         "flow",          "a2x2"},
                             *const one_port[] = {"a1-one-port", "a2-one-port"};
    const bool one = claims_with(run) == 1;
    for (struct gsh g = real_grid(run, 2); gsh_next(&g);) {
        const uint32_t K = g.per_node, r = g.order;
        for (size_t a = 0; a < (one ? COUNT(one_port) : COUNT(n_port)); a++) {
            const char *name = one ? one_port[a] : n_port[a];
            if ((strcmp(name, "a2x2") == 0 && r > 2) || (strcmp(name, "flow") == 0 && r > 5))
                continue;
            for (uint32_t B = 1; B <= K; B++) {
                const bool tight = one ? (a == 0 && B == K / 2) || (a == 1 && r == 2 && B == K)
                                       : (a == 0 && 2 * r * B == K) || (a == 5 && B <= K / 2);
                if (K % B == 0 && (B <= K / 2 || (one && a == 1)) &&
                    !corollary1_case(run, &g, name, B, tight))
                    return;
            }
        }
    }
}

/* The hops over each dimension j <- i and their sum. If i is real, a node sends all elements where
 * a_i, inverted if complemented, differs from a_j; if i is a storage dimension, every node sends
 * half of its elements. */
static bool volume_is(struct claims_run *run, const struct ec_sdp *s, const struct gsh *g)
{
    const uint32_t nodes = 1U << s->processor, k = s->storage;
    uint64_t hops = 0;
    bool right = true;
    for (uint32_t node = 0; node < nodes; node++) {
        for (unsigned j = 0; j < g->order; j++) {
            const unsigned from = s->from[k + j];
            uint32_t sent = 0;
            for (uint32_t slot = 0; slot < g->per_node; slot++) {
                const uint64_t a = (uint64_t)node << k | slot;
                sent += (uint32_t)((ec_sdp_apply(s, a) ^ a) >> (k + j) & 1);
            }
            const bool differ =
                from >= k &&
                (((node >> (from - k)) ^ (s->complement >> (k + j)) ^ (node >> j)) & 1);
            right &= sent == (from < k ? g->per_node / 2 : differ ? g->per_node : 0);
            hops += sent;
        }
    }
    const struct ec_cost_ratio all = ec_cost_jh_volume(g->order, g->per_node);
    claims_predicted(run, "hops", all.num / all.den);
    claims_audited(run, "hops", hops);
    return right && hops * all.den == all.num;
}

static bool all_volumes(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 7 : 4;
    for (int real = 0; real <= 1; real++) {
        for (unsigned r = 1 + (unsigned)real; r <= most; r++) {
            for (uint32_t k = 2; k <= 8; k *= 2) {
                struct gsh g = {.real = real, .order = r, .per_node = k};
                for (g.inverted = 0; g.inverted < (real ? 1U : 2U) << r; g.inverted++) {
                    char words[200];
                    struct claims_seen seen;
                    gsh_words(&g, words, sizeof words);
                    if (!claims_audit(run, &seen, "%s", words))
                        return false;
                    claims_case(run, volume_is(run, seen.workload->sdp, &g), "%s", words);
                    claims_require_equal(run, seen.audit->channels, (uint64_t)r << r,
                                         "%s: directed links", words);
                }
            }
        }
    }
    return true;
}

void experiment_volume(struct claims_run *run)
{
    all_volumes(run);
}

/* --- Schedules by search ---------------------------------------------------------------------- */

/* Is there a schedule of `steps` steps that takes the elements to their nodes on a square, with at
 * most one element on each directed link in a step, over any paths? */
struct square {
    unsigned steps, count;
    uint8_t from[16], to[16];
    uint64_t ways[16][64]; /* walks of an element: a bit for each step and link */
    unsigned way_count[16];
};

/* Lists all walks: in each step stay, or cross dimension 0 or 1. */
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

/* The smallest number of steps for a cycle of two real dimensions, and a storage dimension if
 * mixed. */
static unsigned least_steps(bool real, uint32_t per_node)
{
    for (unsigned steps = 1; steps <= 3; steps++) {
        struct square q = {.steps = steps};
        for (unsigned node = 0; node < 4; node++) {
            for (uint32_t slot = 0; slot < per_node; slot++) {
                /* mixed: alpha_1 gets alpha_0; real: alpha_0 gets alpha_1 */
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

/* Element-level bounds (with: 1) and total hops: no schedule is below them, and on the square none
 * can be. with: 2 K/2 is never reached where sigma_r > beta. */
void experiment_element_bound(struct claims_run *run)
{
    if (!all_n_port_schedules(run) || (claims_with(run) == 1 && !all_volumes(run)))
        return;
    for (uint32_t k = 2; k <= 4; k += 2) {
        for (int real = 0; real <= 1; real++) {
            const uint64_t least = least_steps(real, k);
            const uint64_t bound =
                real ? ec_cost_jh_bound_real(k) : ec_cost_jh_bound_mixed(2, 1, k);
            if (claims_with(run) == 1)
                claims_relate(run, least, CLAIMS_GE, bound,
                              "%s sigma_r=2, K=%u: the least steps, by search",
                              real ? "real" : "mixed", k);
            else
                claims_relate(run, least, CLAIMS_GT, k / 2,
                              "%s sigma_r=2, K=%u: the least steps, by search",
                              real ? "real" : "mixed", k);
            claims_require_equal(run, least, bound, "sigma_r=2, K=%u: by search", k);
        }
    }
}

/* --- A cycle of four nodes, and complements alone --------------------------------------------- */

static void cycle4_words(uint32_t per_node, char *words, size_t size)
{
    unsigned k = 0;
    while (UINT32_C(1) << k < per_node)
        k++;
    snprintf(words, size, "cube:2 gsh:cycle=%u-~%u,K=%u", k + 1, k, per_node);
}

/* Every element goes to the next node on the ring 0, 1, 3, 2, or every element to the previous one:
 * one link, or three in the other direction. */
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

/* Counts the elements that take 1 and 3 hops. False: an element takes another number. */
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

/* with: 0 more than K/2 steps; 1 exactly ceil(3K/4). If 4 divides K, a quarter of the elements
 * takes three hops in the other direction. */
void experiment_cycle4(struct claims_run *run)
{
    for (uint32_t k = 1; k <= 64; k++) {
        char words[64];
        struct claims_seen seen;
        uint32_t one = 0, three = 0;
        const uint64_t exact = ec_cost_jh_cycle4(k);
        cycle4_words(k, words, sizeof words);
        if (!play_paced(run, true, words, "cycle4", PLAIN_PACE, &seen) ||
            !claims_require(run, is_ring_shift(seen.schedule), "K=%u: no shift", k))
            return;
        claims_predicted(run, "steps", exact);
        if (claims_with(run) == 0) {
            claims_relate(run, 2 * (uint64_t)seen.steps, CLAIMS_GT, k, "K=%u: twice the steps", k);
            continue;
        }
        claims_relate(run, seen.steps, CLAIMS_EQ, exact, "K=%u: steps", k);
        claims_require(run, hops_of(seen.schedule, &one, &three), "K=%u: other hops", k);
        if (k % 4 == 0)
            claims_relate(run, three, CLAIMS_EQ, k, "K=%u: elements of three hops", k);
        /* With length 3 for forward links and 1 for backward links, every element travels at least
         * 3. */
        claims_require(run, 16 * exact >= 12 * (uint64_t)k, "K=%u: below the bound", k);
    }
}

/* Complements n real dimensions and moves none. Every element crosses all of them: n 2^n K hops
 * over n 2^n links. Direct routing puts K on every link; the steps are K from K = n on. */
void experiment_vector_reversal(struct claims_run *run)
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
            claims_add(words, sizeof words, ",K=%u", k);
            if (!play_paced(run, n <= 6, words, "crossing", PLAIN_PACE, &seen))
                return;
            claims_relate(run, seen.steps, CLAIMS_EQ, claims_max(k, n), "%s: steps", words);
            if (!claims_measure_if(run, n <= 6, &seen, "%s --router ports=all", words))
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
