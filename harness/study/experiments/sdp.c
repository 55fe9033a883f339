/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations: definitions and counts of Johnsson and Ho,
 * sections 1 to 3, on the address maps themselves.
 *
 * Knows the texts' formulas and moves addresses bit by bit; the library's SDP are what is tried. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/sdp.h"
#include "study/experiments/try.h"

/* --- Random SDP, the same in every run
 * ---------------------------------------------------------------- */

struct draw {
    uint64_t state;
};

static uint32_t draw(struct draw *d, uint32_t below)
{
    d->state = d->state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(d->state >> 33) % below;
}

/* Some dimensions of `storage` + `processor` moved among themselves, some of all inverted. */
static struct ec_sdp draw_sdp(struct draw *d, unsigned storage, unsigned processor)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);
    const unsigned m = storage + processor;
    for (unsigned i = 0; i < m; i++) {
        const unsigned k = draw(d, m);
        if (draw(d, 4) > 0) {
            const uint8_t kept = s.from[i];
            s.from[i] = s.from[k];
            s.from[k] = kept;
        }
    }
    if (draw(d, 2))
        s.complement = draw(d, UINT32_C(1) << m);
    return s;
}

struct sdp_grid {
    struct draw d;
    unsigned number, count;
    struct ec_sdp s;
    unsigned m;     /* dimensions */
    uint64_t moved; /* J */
};

static struct sdp_grid sdp_grid(const struct claims_run *run)
{
    return (struct sdp_grid){.d = {1}, .count = claims_is_full(run) ? 2001 : 51};
}

/* First the smallest with a complement, ~0 on one node bit; then 50 of up to 6 dimensions, then of
 * up to 12: the quick grid is the beginning of the full one. */
static bool next_sdp(struct sdp_grid *g)
{
    if (g->number == g->count)
        return false;
    g->m = g->number == 0 ? 1 : 1 + draw(&g->d, g->number <= 50 ? 6 : 12);
    const unsigned storage = g->number == 0 ? 0 : draw(&g->d, g->m + 1);
    g->s = draw_sdp(&g->d, storage, g->m - storage);
    if (g->number++ == 0)
        g->s.complement = 1;
    g->moved = 0;
    for (unsigned i = 0; i < g->m; i++)
        g->moved |= (uint64_t)(g->s.from[i] != i) << i;
    return true;
}

/* For texts: the SDP's number, and what it is. */
#define SDP_TEXT       "SDP %s on (%u|%u)"
#define SDP_ARGS(g, t) (t).text, (g).s.processor, (g).s.storage
struct sdp_text {
    char text[120];
};
static struct sdp_text text_of(const struct ec_sdp *s)
{
    struct sdp_text t = {""};
    ec_sdp_format(s, t.text, sizeof t.text);
    if (!*t.text)
        strcpy(t.text, "identity");
    return t;
}

/* The address bit by bit. */
static uint64_t moved_to(const struct ec_sdp *s, uint64_t a)
{
    uint64_t to = 0;
    for (unsigned i = 0; i < s->storage + s->processor; i++)
        to |= ((a >> s->from[i] ^ s->complement >> i) & 1) << i;
    return to;
}

/* --- Counts and definitions
 * ------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The map of 2^n <= 16 addresses in one word, four bits each. */
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
void try_sdp_count(struct claims_run *run)
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

/* One-to-one, and what changes is in J: unless a dimension that does not move is inverted. with: 0
 * Definition 1 with its J; 1 the correction: vector reversal has sigma = 0. */
void try_sdp_definition(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = text_of(&g.s);
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

/* Every coset of J is mapped onto itself, and all of them alike: iff nothing outside J is inverted.
 */
void try_sdp_copies(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = text_of(&g.s);
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

/* The SDP of one cycle alone. */
static struct ec_sdp alone(const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    struct ec_sdp one = ec_sdp_identity(s->storage, s->processor);
    for (unsigned i = 0; i < c->length; i++) {
        one.from[c->dim[i]] = c->dim[(i + c->length - 1) % c->length];
        one.complement |= (c->complement >> i & 1) << c->dim[i];
    }
    return one;
}

/* An SDP is its disjoint cycles, one after the other, and its pure complements. */
void try_sdp_cycles(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const struct sdp_text t = text_of(&g.s);
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

/* One cycle is the left cyclic shift of (alpha_(sigma-1) .. alpha_0); the two examples' J. */
void try_gsh_definition(struct claims_run *run)
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
        const struct sdp_text t = text_of(&g.s);
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

/* Virtual: all in their node, the same local move in each; real: local addresses kept, nodes change
 * within the subcubes of J; mixed: nodes change and local addresses change. That one and the same
 * element changes both is not so for every mixed one. */
void try_sdp_kinds(struct claims_run *run)
{
    bool remarked = false;
    for (struct sdp_grid g = sdp_grid(run); next_sdp(&g);) {
        const unsigned k = g.s.storage;
        const uint64_t slots = (UINT64_C(1) << k) - 1;
        bool stays = true, keeps = true, alike = true, both = false;
        g.s.complement &= g.moved;
        const struct sdp_text t = text_of(&g.s);
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
                claims_remark(run, SDP_TEXT " is mixed, and no element changes both",
                              SDP_ARGS(g, t));
            remarked |= !both;
            break;
        }
        claims_case(run, right, SDP_TEXT, SDP_ARGS(g, t));
    }
}
