/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations (SDP): their cycles, their factors, and what complements cost.
 *
 * Has its own bit-by-bit reading of them, against which that of the library is held; must not know
 * any schedule's inside. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost_jh_mixed.h"
#include "ecube/sdp.h"
#include "study/experiments.h"
#include "study/experiments/gsh.h"

static uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

static unsigned dims_of(const struct ec_sdp *s)
{
    return s->storage + s->processor;
}

/* Definition 1: bit i of the new address is bit from[i] of the old one, or its complement. */
static uint64_t moved(const struct ec_sdp *s, uint64_t address)
{
    uint64_t to = 0;
    for (unsigned i = 0; i < dims_of(s); i++)
        to |= (((address >> s->from[i]) ^ (s->complement >> i)) & 1) << i;
    return to;
}

/* The same of one cycle, other dimensions as they are. */
static uint64_t moved_by_cycle(const struct ec_sdp_cycle *c, uint64_t address)
{
    uint64_t to = address;
    for (unsigned i = 0; i < c->length; i++) {
        const unsigned from = c->dim[(i + c->length - 1) % c->length];
        to &= ~bit(c->dim[i]);
        to |= (((address >> from) ^ (c->complement >> i)) & 1) << c->dim[i];
    }
    return to;
}

/* J. */
static uint64_t moved_dims(const struct ec_sdp *s)
{
    uint64_t j = 0;
    for (unsigned i = 0; i < dims_of(s); i++)
        j |= s->from[i] != i ? bit(i) : 0;
    return j;
}

static uint64_t processor_bits(const struct ec_sdp *s)
{
    return (bit(dims_of(s)) - 1) & ~(bit(s->storage) - 1);
}

/* --- The grid SDP ----------------------------------------------------------------------------- */

struct sdps {
    struct ec_sdp s;
    char text[160]; /* "cube:3 gsh:cycle=...,K=8"; without a cycle no workload */
    uint64_t state;
    unsigned left, dims_max;
};

static struct sdps sdp_grid(const struct claims_run *run)
{
    const bool full = claims_is_full(run);
    return (struct sdps){.state = 20260521, .left = full ? 2000 : 50, .dims_max = full ? 12 : 6};
}

/* Shuffle what the dimensions first .. first + count - 1 get. */
static void shuffle(struct sdps *x, unsigned first, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        const unsigned a = first + i - 1, b = first + try_drawn(&x->state, i);
        const uint8_t from = x->s.from[a];
        x->s.from[a] = x->s.from[b];
        x->s.from[b] = from;
    }
}

static void draw(struct sdps *x)
{
    const unsigned m = 2 + try_drawn(&x->state, x->dims_max - 1);
    const unsigned k = try_drawn(&x->state, m), kind = try_drawn(&x->state, 4);
    x->s = ec_sdp_identity(k, m - k);
    if (kind == 0)
        shuffle(x, 0, k);
    else if (kind == 1)
        shuffle(x, k, m - k);
    else
        shuffle(x, 0, m);
    if (try_drawn(&x->state, 2))
        for (unsigned i = 0; i < m; i++)
            x->s.complement |= try_drawn(&x->state, 3) == 0 ? bit(i) : 0;
}

static bool sdp_next(struct sdps *x)
{
    char cycles[120];
    if (x->left-- == 0)
        return false;
    do
        draw(x);
    while (moved_dims(&x->s) == 0 && x->s.complement == 0);
    ec_sdp_format(&x->s, cycles, sizeof cycles);
    snprintf(x->text, sizeof x->text, "cube:%u gsh:cycle=%s,K=%u", x->s.processor, cycles,
             1U << x->s.storage);
    return true;
}

/* --- Cycles ----------------------------------------------------------------------------------- */

/* Disjoint cycles that cover J, one after the other, and the complements of other dimensions. */
static bool cycles_are(const struct ec_sdp *s)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    const unsigned count = ec_sdp_cycles(s, cycle);
    const uint64_t j = moved_dims(s);
    uint64_t covered = 0;
    bool right = true;
    for (unsigned c = 0; c < count; c++) {
        for (unsigned i = 0; i < cycle[c].length; i++) {
            right &= !(covered >> cycle[c].dim[i] & 1);
            covered |= bit(cycle[c].dim[i]);
        }
    }
    for (uint64_t a = 0; a < bit(dims_of(s)); a++) {
        uint64_t to = a;
        for (unsigned c = 0; c < count; c++)
            to = moved_by_cycle(&cycle[c], to);
        right &= (to ^ (s->complement & ~j)) == moved(s, a);
    }
    return right && covered == j;
}

/* --- Factors ---------------------------------------------------------------------------------- */

/* A mixed cycle is its constituting mixed GSH, then the virtual one; each of the former has one
 * storage dimension, at its right end. */
static bool factors_are(const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    struct ec_sdp_cycle part[EC_SDP_DIMS_MAX / 2], local;
    const unsigned count = ec_sdp_factor(c, s->storage, part, &local);
    bool right = count > 0;
    for (unsigned p = 0; p < count; p++)
        for (unsigned i = 0; i < part[p].length; i++)
            right &= (part[p].dim[i] < s->storage) == (i == 0);
    for (unsigned i = 0; i < local.length; i++)
        right &= local.dim[i] < s->storage;
    for (uint64_t a = 0; a < bit(dims_of(s)); a++) {
        uint64_t to = a;
        for (unsigned p = 0; p < count; p++)
            to = moved_by_cycle(&part[p], to);
        right &= moved_by_cycle(&local, to) == moved_by_cycle(c, a);
    }
    return right;
}

static bool is_mixed(const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    bool storage = false, processor = false;
    for (unsigned i = 0; i < c->length; i++)
        *(c->dim[i] < s->storage ? &storage : &processor) = true;
    return storage && processor;
}

/* Every SDP is disjoint cycles and complements; every mixed cycle its factors. And it runs: what is
 * made of it moves all elements to their places. */
void try_factors(struct claims_run *run)
{
    unsigned runs = 0;
    for (struct sdps x = sdp_grid(run); sdp_next(&x);) {
        struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
        const unsigned count = ec_sdp_cycles(&x.s, cycle);
        struct claims_seen seen;
        claims_case(run, cycles_are(&x.s), "%s: its cycles", x.text);
        for (unsigned c = 0; c < count; c++)
            if (is_mixed(&x.s, &cycle[c]))
                claims_case(run, factors_are(&x.s, &cycle[c]), "%s: factors of cycle %u", x.text,
                            c);
        if (x.s.processor > 6 || x.s.storage > 6 || runs == 100)
            continue;
        const bool crosses = ((moved_dims(&x.s) | x.s.complement) & processor_bits(&x.s)) != 0;
        runs += crosses;
        if (!try_words_play(run, crosses, x.text, "cycles", (struct try_pace){0}, &seen))
            return;
    }
    claims_remark(run, "%u of them on RTL", runs);
}

/* It moves all elements to their places, in as many steps as the block with one storage dimension:
 * what is local costs none. */
static bool runs(struct claims_run *run, const struct ec_sdp *s)
{
    char cycles[120], text[160];
    struct claims_seen seen;
    ec_sdp_format(s, cycles, sizeof cycles);
    snprintf(text, sizeof text, "cube:%u gsh:cycle=%s,K=%u", s->processor, cycles,
             1U << s->storage);
    if (!try_words_play(run, true, text, "pipelined", (struct try_pace){0}, &seen))
        return false;
    return claims_require_equal(run, seen.steps,
                                ec_cost_jh_pipelined(s->processor, UINT64_C(1) << s->storage),
                                "%s: steps", text);
}

/* Processor dimensions in one block and s storage dimensions: a shift of the block and the storage
 * dimension to its right, then a shift of all storage dimensions; in this order. */
void try_single_factor(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 5 : 3;
    for (unsigned r = 1; r <= most; r++) {
        for (unsigned k = 1; k <= most; k++) {
            struct ec_sdp s = ec_sdp_identity(k, r);
            struct ec_sdp_cycle block = {.length = r + 1}, local = {.length = k}, all[1];
            bool right = true, swapped = true;
            for (unsigned i = 0; i < r + k; i++)
                s.from[i] = (uint8_t)((i + r + k - 1) % (r + k));
            for (unsigned i = 0; i <= r; i++)
                block.dim[i] = (uint8_t)(k - 1 + i);
            for (unsigned i = 0; i < k; i++)
                local.dim[i] = (uint8_t)i;
            for (uint64_t a = 0; a < bit(r + k); a++) {
                right &= moved_by_cycle(&local, moved_by_cycle(&block, a)) == moved(&s, a);
                swapped &= moved_by_cycle(&block, moved_by_cycle(&local, a)) == moved(&s, a);
            }
            claims_case(run, right, "sigma_r=%u, %u storage dimensions", r, k);
            claims_require(run, swapped == (k == 1),
                           "sigma_r=%u, %u storage dimensions: local shift first", r, k);
            ec_sdp_cycles(&s, all);
            claims_require(run, factors_are(&s, &all[0]), "sigma_r=%u, %u: the library", r, k);
            if (!runs(run, &s))
                return;
        }
    }
}

/* --- Complements ------------------------------------------------------------------------------ */

/* Node labels M with M_i = c_i xor M_from(i) in processor dimensions, 0 in storage dimensions: what
 * remains of the complements is local. False: a cycle without storage does not let us. */
static bool relabels(const struct ec_sdp *s, uint64_t *ret)
{
    uint64_t m = 0;
    for (unsigned round = 0; round <= dims_of(s); round++)
        for (unsigned i = s->storage; i < dims_of(s); i++)
            m = (m & ~bit(i)) | (((s->complement >> i) ^ (m >> s->from[i])) & 1) << i;
    *ret = m;
    for (unsigned i = s->storage; i < dims_of(s); i++)
        if (((s->complement >> i ^ m >> i ^ m >> s->from[i]) & 1))
            return false;
    return true;
}

static bool every_cycle_has_storage(const struct ec_sdp *s)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    const unsigned count = ec_sdp_cycles(s, cycle);
    bool all = (s->complement & ~moved_dims(s) & processor_bits(s)) == 0;
    for (unsigned c = 0; c < count; c++) {
        bool storage = false;
        for (unsigned i = 0; i < cycle[c].length; i++)
            storage |= cycle[c].dim[i] < s->storage;
        all &= storage;
    }
    return all;
}

/* T D T is D without complements, and local inversions after it. */
static bool is_relabelled(const struct ec_sdp *s, uint64_t m)
{
    struct ec_sdp without = *s;
    bool right = true;
    without.complement = 0;
    const uint64_t flip = (moved(s, m) ^ m ^ moved(&without, 0));
    for (uint64_t a = 0; a < bit(dims_of(s)); a++)
        right &= (moved(s, a ^ m) ^ m) == (moved(&without, a) ^ flip);
    return right && (flip & processor_bits(s)) == 0;
}

/* Complement patterns of a real cycle fall into two classes, by parity, under all relabellings. */
static void real_classes(struct claims_run *run, unsigned r)
{
    for (uint32_t c = 0; c < 1U << r; c++) {
        uint64_t reached[1] = {0};
        uint32_t count = 0;
        for (uint32_t m = 0; m < 1U << r; m++) {
            const uint32_t to = c ^ m ^ ((m << 1 | m >> (r - 1)) & ((1U << r) - 1));
            claims_require(run, claims_ones(to) % 2 == claims_ones(c) % 2,
                           "a relabelling changes the parity");
            count += !(reached[0] >> to & 1);
            reached[0] |= bit(to);
        }
        claims_case(run, count == 1U << (r - 1),
                    "real cycle of %u, complements %" PRIx32 ": %" PRIu32 " patterns", r, c, count);
    }
}

/* As many steps with complements as without. */
static bool costs_nothing(struct claims_run *run, const struct sdps *x, bool timed)
{
    struct ec_sdp without = x->s;
    struct claims_seen seen;
    char cycles[120], text[160];
    without.complement = 0;
    ec_sdp_format(&without, cycles, sizeof cycles);
    snprintf(text, sizeof text, "cube:%u gsh:cycle=%s,K=%u", x->s.processor, cycles,
             1U << x->s.storage);
    if (!try_words_play(run, false, text, "pipelined", (struct try_pace){0}, &seen))
        return false;
    const uint32_t steps = seen.steps;
    if (!try_words_play(run, timed, x->text, "pipelined", (struct try_pace){0}, &seen))
        return false;
    claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x->text);
    return true;
}

void try_relabelling(struct claims_run *run)
{
    unsigned relabelled = 0, runs = 0;
    for (struct sdps x = sdp_grid(run); sdp_next(&x);) {
        uint64_t m;
        if (!every_cycle_has_storage(&x.s))
            continue;
        relabelled++;
        claims_case(run, relabels(&x.s, &m) && is_relabelled(&x.s, m), "%s", x.text);
        if ((moved_dims(&x.s) & processor_bits(&x.s)) == 0 || x.s.processor > 6 || x.s.storage > 5)
            continue;
        if (!costs_nothing(run, &x, runs++ < 100))
            return;
    }
    for (unsigned r = 1; r <= 6; r++)
        real_classes(run, r);
    claims_remark(run, "%u random SDP whose cycles have storage dimensions, steps compared of %u",
                  relabelled, runs);
}
