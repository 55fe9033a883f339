/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations (SDP): definitions, counts, named ones, cycles, factors, and the
 * cost of complements (Johnsson and Ho, sections 1 to 3).
 *
 * Computes addresses bit by bit and compares the SDP of the library with them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "ecube/sdp.h"

/* --- Addresses and dimensions ------------------------------------------------------------------
 */

static uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

static unsigned sdp_dims(const struct ec_sdp *s)
{
    return s->storage + s->processor;
}

/* Definition 1: bit i of the new address is bit from[i] of the old one, or its complement. */
static uint64_t moved_to(const struct ec_sdp *s, uint64_t address)
{
    uint64_t to = 0;
    for (unsigned i = 0; i < sdp_dims(s); i++)
        to |= (((address >> s->from[i]) ^ (s->complement >> i)) & 1) << i;
    return to;
}

/* The same for one cycle; other dimensions stay. */
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
    for (unsigned i = 0; i < sdp_dims(s); i++)
        j |= s->from[i] != i ? bit(i) : 0;
    return j;
}

static uint64_t processor_bits(const struct ec_sdp *s)
{
    return (bit(sdp_dims(s)) - 1) & ~(bit(s->storage) - 1);
}

/* An SDP as arguments of the command line: "cube:3 gsh:cycle=...,K=8". Without a cycle it is no
 * workload. */
static void write_sdp(const struct ec_sdp *s, char *text, size_t size)
{
    char cycles[120];
    ec_sdp_format(s, cycles, sizeof cycles);
    snprintf(text, size, "cube:%u gsh:cycle=%s,K=%u", s->processor, cycles, 1U << s->storage);
}

/* --- Random SDP, the same in every run -------------------------------------------------------- */

/* Moves some of `storage` + `processor` dimensions among themselves and inverts some of all. */
static struct ec_sdp draw_sdp(uint64_t *d, unsigned storage, unsigned processor)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);
    const unsigned m = storage + processor;
    for (unsigned i = 0; i < m; i++) {
        const unsigned k = draw_below(d, m);
        if (draw_below(d, 4) > 0) {
            const uint8_t kept = s.from[i];
            s.from[i] = s.from[k];
            s.from[k] = kept;
        }
    }
    if (draw_below(d, 2))
        s.complement = draw_below(d, UINT32_C(1) << m);
    return s;
}

struct sdp_grid {
    uint64_t d; /* the state of the generator */
    unsigned number, count;
    struct ec_sdp s;
    unsigned m;     /* dimensions */
    uint64_t moved; /* J */
};

static struct sdp_grid sdp_grid(const struct claims_run *run)
{
    return (struct sdp_grid){.d = 1, .count = claims_is_full(run) ? 2001 : 51};
}

/* First the smallest SDP with a complement, ~0 on one node bit; then 50 of up to 6 dimensions, then
 * SDP of up to 12. The quick grid is the start of the full one. */
static bool next_sdp(struct sdp_grid *g)
{
    if (g->number == g->count)
        return false;
    g->m = g->number == 0 ? 1 : 1 + draw_below(&g->d, g->number <= 50 ? 6 : 12);
    const unsigned storage = g->number == 0 ? 0 : draw_below(&g->d, g->m + 1);
    g->s = draw_sdp(&g->d, storage, g->m - storage);
    if (g->number++ == 0)
        g->s.complement = 1;
    g->moved = moved_dims(&g->s);
    return true;
}

/* An SDP in texts. */
#define SDP_TEXT       "SDP %s on (%u|%u)"
#define SDP_ARGS(g, t) (t).text, (g).s.processor, (g).s.storage
struct sdp_text {
    char text[120];
};
static struct sdp_text sdp_text(const struct ec_sdp *s)
{
    struct sdp_text t = {""};
    ec_sdp_format(s, t.text, sizeof t.text);
    if (!*t.text)
        strcpy(t.text, "identity");
    return t;
}

/* --- Counts and definitions ------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The map of 2^n <= 16 addresses in one number, four bits each. */
static uint64_t whole_map(const struct ec_sdp *s)
{
    uint64_t map = 0;
    for (uint32_t a = 0; a < UINT32_C(1) << s->processor; a++)
        map |= ec_sdp_apply(s, a) << 4 * a;
    return map;
}

/* Permutation number `number` of n dimensions. */
static void nth_order(struct ec_sdp *s, unsigned number)
{
    uint8_t left[8];
    unsigned count = s->processor < sizeof left ? s->processor : sizeof left;
    for (unsigned i = 0; i < count; i++)
        left[i] = (uint8_t)i;
    for (unsigned at = 0; count > 0; at++, count--) {
        const unsigned pick = number % count;
        number /= count;
        s->from[at] = left[pick];
        memmove(&left[pick], &left[pick + 1], count - pick - 1);
    }
}

/* M elements have M (log2 M)! dimension permutations, all different. */
void experiment_sdp_count(struct claims_run *run)
{
    static const unsigned factorial[] = {1, 1, 2, 6, 24};
    uint64_t maps[16 * 24];
    for (unsigned n = 1; n <= (claims_is_full(run) ? 4 : 3); n++) {
        size_t count = 0, distinct = 0;
        for (unsigned order = 0; order < factorial[n]; order++) {
            for (uint32_t c = 0; c < 1U << n; c++) {
                struct ec_sdp s = ec_sdp_identity(0, n);
                nth_order(&s, order);
                s.complement = c;
                maps[count++] = whole_map(&s);
            }
        }
        qsort(maps, count, sizeof *maps, by_value);
        for (size_t i = 0; i < count; i++)
            distinct += i == 0 || maps[i] != maps[i - 1];
        claims_predicted(run, "permutations", (1U << n) * factorial[n]);
        claims_audited(run, "permutations", distinct);
        claims_relate(run, distinct, CLAIMS_EQ, (1U << n) * factorial[n], "M=%u: permutations",
                      1U << n);
    }
}

/* One-to-one, and only dimensions of J change, unless another dimension is inverted. with: 0
 * Definition 1 with its J; 1 the correction: vector reversal has sigma = 0. */
void experiment_sdp_definition(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = sdp_text(&g.s);
        const uint64_t count = UINT64_C(1) << g.m;
        uint8_t *hit = calloc(count, 1);
        uint64_t changed = 0;
        bool bijection = true;
        if (!claims_require(run, hit != NULL, "out of memory"))
            return;
        for (uint64_t a = 0; a < count; a++) {
            const uint64_t to = ec_sdp_apply(&g.s, a);
            claims_require(run, to == moved_to(&g.s, a), SDP_TEXT ": address %" PRIu64,
                           SDP_ARGS(g, t), a);
            bijection &= to < count && !hit[to];
            hit[to & (count - 1)] = 1;
            changed |= a ^ to;
        }
        free(hit);
        claims_require_equal(run, ec_sdp_classify(&g.s).order, claims_ones(g.moved),
                             SDP_TEXT ": sigma", SDP_ARGS(g, t));
        if (claims_with(run) == 1)
            claims_case(run, bijection, SDP_TEXT, SDP_ARGS(g, t));
        else
            claims_case_if(run, !(g.s.complement & ~g.moved), bijection && !(changed & ~g.moved),
                           SDP_TEXT ": dimensions outside J change", SDP_ARGS(g, t));
    }
    if (claims_with(run) != 1)
        return;
    for (unsigned n = 1; n <= 6; n++) {
        struct ec_sdp reversal = ec_sdp_identity(0, n);
        reversal.complement = (UINT64_C(1) << n) - 1;
        claims_relate(run, ec_sdp_classify(&reversal).order, CLAIMS_EQ, 0,
                      "vector reversal, n=%u: sigma", n);
    }
}

/* Every coset of J is mapped onto itself, all in the same way, iff nothing outside J is
 * inverted. */
void experiment_sdp_copies(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = sdp_text(&g.s);
        bool alike = true;
        for (uint64_t a = 0; a < UINT64_C(1) << g.m; a++) {
            const uint64_t to = ec_sdp_apply(&g.s, a);
            alike &= (to & ~g.moved) == (a & ~g.moved);
            alike &= (to & g.moved) == (ec_sdp_apply(&g.s, a & g.moved) & g.moved);
        }
        claims_case_if(run, !(g.s.complement & ~g.moved), alike,
                       SDP_TEXT ": copies leave their place", SDP_ARGS(g, t));
    }
}

/* The SDP of only one cycle. */
static struct ec_sdp alone(const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    struct ec_sdp one = ec_sdp_identity(s->storage, s->processor);
    for (unsigned i = 0; i < c->length; i++) {
        one.from[c->dim[i]] = c->dim[(i + c->length - 1) % c->length];
        one.complement |= (c->complement >> i & 1) << c->dim[i];
    }
    return one;
}

/* An SDP equals its disjoint cycles in sequence and its pure complements. */
void experiment_sdp_cycles(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = sdp_text(&g.s);
        struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
        const unsigned count = ec_sdp_cycles(&g.s, cycles);
        struct ec_sdp whole = ec_sdp_identity(g.s.storage, g.s.processor);
        uint64_t met = 0;
        bool disjoint = true, same = true;
        for (unsigned c = 0; c < count; c++) {
            const struct ec_sdp one = alone(&g.s, &cycles[c]);
            for (unsigned i = 0; i < cycles[c].length; i++) {
                disjoint &= !(met >> cycles[c].dim[i] & 1);
                met |= UINT64_C(1) << cycles[c].dim[i];
            }
            whole = ec_sdp_compose(&whole, &one);
        }
        whole.complement |= g.s.complement & ~g.moved;
        for (uint64_t a = 0; a < UINT64_C(1) << g.m; a++)
            same &= moved_to(&whole, a) == moved_to(&g.s, a);
        claims_audited(run, "cycles", count);
        claims_case(run, disjoint && met == g.moved && same, SDP_TEXT, SDP_ARGS(g, t));
    }
}

/* One cycle is the left cyclic shift of (alpha_(sigma-1) .. alpha_0); J of the two examples. */
void experiment_gsh_definition(struct claims_run *run)
{
    static const uint8_t examples[2][5] = {{4, 3, 2, 1, 0}, {4, 2, 0, 3, 1}};
    for (unsigned k = 1; k <= 2; k++) {
        struct ec_sdp s = ec_sdp_identity(0, 5);
        for (uint8_t i = 0; i < 5; i++)
            s.from[i] = (uint8_t)((i + 5 - k) % 5);
        bool left = true;
        for (unsigned i = 0; i < 5; i++)
            left &= s.from[examples[k - 1][i]] == examples[k - 1][(i + 1) % 5];
        claims_case(run, left, "%u-shuffle of 5 bits", k);
        claims_relate(run, ec_sdp_classify(&s).order, CLAIMS_EQ, 5, "%u-shuffle: sigma", k);
    }
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = sdp_text(&g.s);
        struct ec_sdp_cycle c[EC_SDP_DIMS_MAX / 2];
        bool shifted = true;
        if (ec_sdp_cycles(&g.s, c) != 1)
            continue;
        for (uint64_t a = 0; a < UINT64_C(1) << g.m; a++) {
            const uint64_t to = ec_sdp_apply(&g.s, a);
            for (unsigned i = 0; i < c->length; i++) {
                const unsigned right = c->dim[(i + c->length - 1) % c->length];
                shifted &= ((to >> c->dim[i] ^ a >> right ^ c->complement >> i) & 1) == 0;
            }
        }
        claims_case(run, shifted, SDP_TEXT, SDP_ARGS(g, t));
    }
}

/* Virtual: elements stay in their node and move in the same way in each. Real: local addresses
 * stay, nodes change within the subcubes of J. Mixed: nodes and local addresses change, though not
 * always for the same element. */
void experiment_sdp_kinds(struct claims_run *run)
{
    bool remarked = false;
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const unsigned k = g.s.storage;
        const uint64_t slots = (UINT64_C(1) << k) - 1;
        bool stays = true, keeps = true, alike = true, both = false;
        g.s.complement &= g.moved;
        const struct sdp_text t = sdp_text(&g.s);
        for (uint64_t a = 0; a < UINT64_C(1) << g.m; a++) {
            const uint64_t to = ec_sdp_apply(&g.s, a);
            stays &= to >> k == a >> k;
            keeps &= (to & slots) == (a & slots);
            alike &= (to & slots) == (ec_sdp_apply(&g.s, a & slots) & slots);
            both |= to >> k != a >> k && (to & slots) != (a & slots);
        }
        bool right = false;
        switch (ec_sdp_classify(&g.s).kind) {
        case EC_SDP_IDENTITY:
            right = stays && keeps;
            break;
        case EC_SDP_VIRTUAL:
            right = stays && !keeps && alike;
            break;
        case EC_SDP_REAL:
            right = keeps && !stays;
            break;
        case EC_SDP_MIXED:
            right = !stays && !keeps;
            if (!both && !remarked)
                claims_remark(run, SDP_TEXT " is mixed, but no element changes both addresses",
                              SDP_ARGS(g, t));
            remarked |= !both;
            break;
        }
        claims_case(run, right, SDP_TEXT, SDP_ARGS(g, t));
    }
}

/* --- The grid SDP ----------------------------------------------------------------------------- */

struct sdps {
    struct ec_sdp s;
    char text[160]; /* of write_sdp() */
    uint64_t state;
    unsigned left, dims_max;
};

static struct sdps factor_grid(const struct claims_run *run)
{
    const bool full = claims_is_full(run);
    return (struct sdps){.state = 20260521, .left = full ? 2000 : 50, .dims_max = full ? 12 : 6};
}

/* Shuffles the sources of the dimensions first .. first + count - 1. */
static void shuffle(struct sdps *x, unsigned first, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        const unsigned a = first + i - 1, b = first + draw_below(&x->state, i);
        const uint8_t from = x->s.from[a];
        x->s.from[a] = x->s.from[b];
        x->s.from[b] = from;
    }
}

static void draw_one(struct sdps *x)
{
    const unsigned m = 2 + draw_below(&x->state, x->dims_max - 1);
    const unsigned k = draw_below(&x->state, m), kind = draw_below(&x->state, 4);
    x->s = ec_sdp_identity(k, m - k);
    if (kind == 0)
        shuffle(x, 0, k);
    else if (kind == 1)
        shuffle(x, k, m - k);
    else
        shuffle(x, 0, m);
    if (draw_below(&x->state, 2))
        for (unsigned i = 0; i < m; i++)
            x->s.complement |= draw_below(&x->state, 3) == 0 ? bit(i) : 0;
}

static bool sdp_next(struct sdps *x)
{
    if (x->left-- == 0)
        return false;
    do
        draw_one(x);
    while (moved_dims(&x->s) == 0 && x->s.complement == 0);
    write_sdp(&x->s, x->text, sizeof x->text);
    return true;
}

/* --- Cycles ----------------------------------------------------------------------------------- */

/* Disjoint cycles that cover J, in sequence, and the complements of other dimensions. */
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
    for (uint64_t a = 0; a < bit(sdp_dims(s)); a++) {
        uint64_t to = a;
        for (unsigned c = 0; c < count; c++)
            to = moved_by_cycle(&cycle[c], to);
        right &= (to ^ (s->complement & ~j)) == moved_to(s, a);
    }
    return right && covered == j;
}

/* --- Factors ---------------------------------------------------------------------------------- */

/* A mixed cycle equals its constituting mixed GSH, then the virtual one. Each constituting GSH has
 * one storage dimension, at its right end. */
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
    for (uint64_t a = 0; a < bit(sdp_dims(s)); a++) {
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

/* Every SDP equals disjoint cycles and complements; every mixed cycle equals its factors. Their
 * schedules move all elements to their places. */
void experiment_factors(struct claims_run *run)
{
    unsigned runs = 0;
    for (struct sdps x = factor_grid(run); sdp_next(&x);) {
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
        if (!play_paced(run, crosses, x.text, "cycles", PLAIN_PACE, &seen))
            return;
    }
    claims_remark(run, "%u of them run on RTL", runs);
}

/* Its schedule moves all elements to their places and takes as many steps as the block with one
 * storage dimension, because local moves take none. */
static bool runs(struct claims_run *run, const struct ec_sdp *s)
{
    char text[160];
    struct claims_seen seen;
    write_sdp(s, text, sizeof text);
    if (!play_paced(run, true, text, "pipelined", PLAIN_PACE, &seen))
        return false;
    return claims_require_equal(run, seen.steps, (UINT64_C(1) << s->storage) / 2 + s->processor - 1,
                                "%s: steps", text);
}

/* A block of processor dimensions and s storage dimensions: a shift of the block and the storage
 * dimension to its right, then a shift of all storage dimensions, in this order. */
void experiment_single_factor(struct claims_run *run)
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
                right &= moved_by_cycle(&local, moved_by_cycle(&block, a)) == moved_to(&s, a);
                swapped &= moved_by_cycle(&block, moved_by_cycle(&local, a)) == moved_to(&s, a);
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

/* Node labels M with M_i = c_i xor M_from(i) in processor dimensions and 0 in storage
 * dimensions, which leave only local complements. False: some cycle has no storage dimension and
 * no solution. */
static bool relabels(const struct ec_sdp *s, uint64_t *ret)
{
    uint64_t m = 0;
    for (unsigned round = 0; round <= sdp_dims(s); round++)
        for (unsigned i = s->storage; i < sdp_dims(s); i++)
            m = (m & ~bit(i)) | (((s->complement >> i) ^ (m >> s->from[i])) & 1) << i;
    *ret = m;
    for (unsigned i = s->storage; i < sdp_dims(s); i++)
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

/* T D T equals D without complements followed by local inversions. */
static bool is_relabelled(const struct ec_sdp *s, uint64_t m)
{
    struct ec_sdp without = *s;
    bool right = true;
    without.complement = 0;
    const uint64_t flip = (moved_to(s, m) ^ m ^ moved_to(&without, 0));
    for (uint64_t a = 0; a < bit(sdp_dims(s)); a++)
        right &= (moved_to(s, a ^ m) ^ m) == (moved_to(&without, a) ^ flip);
    return right && (flip & processor_bits(s)) == 0;
}

/* The complement patterns of a real cycle form two classes, by parity, under all relabellings. */
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
        claims_case(run, count == 1U << (r - 1), "real cycle of %u, complements %x: %u patterns", r,
                    c, count);
    }
}

/* Complements do not change the number of steps. */
static bool costs_nothing(struct claims_run *run, const struct sdps *x, bool timed)
{
    struct ec_sdp without = x->s;
    struct claims_seen seen;
    char text[160];
    without.complement = 0;
    write_sdp(&without, text, sizeof text);
    if (!play_paced(run, false, text, "pipelined", PLAIN_PACE, &seen))
        return false;
    const uint32_t steps = seen.steps;
    if (!play_paced(run, timed, x->text, "pipelined", PLAIN_PACE, &seen))
        return false;
    claims_relate(run, seen.steps, CLAIMS_EQ, steps, "%s: steps", x->text);
    return true;
}

void experiment_relabelling(struct claims_run *run)
{
    unsigned relabelled = 0, runs = 0;
    for (struct sdps x = factor_grid(run); sdp_next(&x);) {
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
    claims_remark(run, "%u random SDP have storage dimensions in all cycles; steps compared for %u",
                  relabelled, runs);
}
