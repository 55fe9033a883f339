/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations (SDP): their cycles and factors (Johnsson and Ho, sections 2 and
 * 3).
 *
 * Computes addresses bit by bit and compares the SDP of the library with them. */
#include <stdio.h>

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

void sdp_words(const struct ec_sdp *s, char *text, size_t size)
{
    char cycles[120];
    ec_sdp_format(s, cycles, sizeof cycles);
    *text = '\0';
    if (*cycles)
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

struct sdp_grid sdp_grid(const struct claims_run *run)
{
    return (struct sdp_grid){.d = 1, .count = claims_is_full(run) ? 2001 : 51};
}

bool sdp_next(struct sdp_grid *g)
{
    if (g->number == g->count)
        return false;
    const unsigned m = g->number == 0 ? 1 : 1 + draw_below(&g->d, g->number <= 50 ? 6 : 12);
    const unsigned storage = g->number == 0 ? 0 : draw_below(&g->d, m + 1);
    g->s = draw_sdp(&g->d, storage, m - storage);
    if (g->number++ == 0)
        g->s.complement = 1;
    return true;
}

void sdp_name(const struct ec_sdp *s, char *text, size_t size)
{
    char cycles[120];
    ec_sdp_format(s, cycles, sizeof cycles);
    snprintf(text, size, "SDP %s on (%u|%u)", *cycles ? cycles : "identity", s->processor,
             s->storage);
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

void experiment_sdp_cycles(struct claims_run *run)
{
    for (struct sdp_grid g = sdp_grid(run); sdp_next(&g);) {
        struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
        char name[160];
        sdp_name(&g.s, name, sizeof name);
        claims_audited(run, "cycles", ec_sdp_cycles(&g.s, cycles));
        claims_case(run, cycles_are(&g.s), "%s", name);
    }
}

/* --- Factors ---------------------------------------------------------------------------------- */

/* A mixed cycle equals its constituting mixed GSH, then the virtual one. There is a constituting
 * GSH for each time that the cycle goes from a storage to a processor dimension, with one storage
 * dimension, at its right end. */
static bool factors_are(const struct ec_sdp *s, const struct ec_sdp_cycle *c, unsigned *ret_count)
{
    struct ec_sdp_cycle part[EC_SDP_DIMS_MAX / 2], local;
    const unsigned count = ec_sdp_factor(c, s->storage, part, &local);
    unsigned runs = 0;
    for (unsigned i = 0; i < c->length; i++)
        runs += c->dim[i] < s->storage && c->dim[(i + 1) % c->length] >= s->storage;
    bool right = count > 0 && count == runs;
    for (unsigned p = 0; p < count; p++)
        for (unsigned i = 0; i < part[p].length; i++)
            right &= part[p].length >= 2 && (part[p].dim[i] < s->storage) == (i == 0);
    for (unsigned i = 0; i < local.length; i++)
        right &= local.dim[i] < s->storage;
    for (uint64_t a = 0; a < bit(sdp_dims(s)); a++) {
        uint64_t to = a;
        for (unsigned p = 0; p < count; p++)
            to = moved_by_cycle(&part[p], to);
        right &= moved_by_cycle(&local, to) == moved_by_cycle(c, a);
    }
    *ret_count = count;
    return right;
}

static bool is_mixed(const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    bool storage = false, processor = false;
    for (unsigned i = 0; i < c->length; i++)
        *(c->dim[i] < s->storage ? &storage : &processor) = true;
    return storage && processor;
}

/* The mixed cycles of an SDP equal their factors. */
static void factor_cycles(struct claims_run *run, const struct ec_sdp *s, const char *name)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2];
    const unsigned count = ec_sdp_cycles(s, cycle);
    for (unsigned c = 0; c < count; c++) {
        unsigned blocks;
        if (!is_mixed(s, &cycle[c]))
            continue;
        claims_case(run, factors_are(s, &cycle[c], &blocks), "%s: factors of cycle %u", name, c);
        claims_audited(run, "blocks", blocks);
    }
}

/* Few cycles of up to 6 dimensions have several blocks. */
void experiment_multi_factor(struct claims_run *run)
{
    struct sdp_grid g = sdp_grid(run);
    g.count = claims_max(g.count, 201);
    while (sdp_next(&g)) {
        char name[160];
        sdp_name(&g.s, name, sizeof name);
        factor_cycles(run, &g.s, name);
    }
}

/* Every SDP equals disjoint cycles and complements; every mixed cycle equals its factors. Their
 * schedules move all elements to their places. */
void experiment_factors(struct claims_run *run)
{
    unsigned runs = 0;
    for (struct sdp_grid g = sdp_grid(run); sdp_next(&g);) {
        struct claims_seen seen;
        char words[160];
        sdp_words(&g.s, words, sizeof words);
        if (!*words)
            continue;
        claims_case(run, cycles_are(&g.s), "%s: its cycles", words);
        factor_cycles(run, &g.s, words);
        if (g.s.processor == 0 || g.s.processor > 6 || g.s.storage > 6 || runs == 100)
            continue;
        const bool crosses = ((moved_dims(&g.s) | g.s.complement) & processor_bits(&g.s)) != 0;
        runs += crosses;
        claims_add(words, sizeof words, " --algorithm cycles");
        if (!play_words(run, crosses, words, &seen))
            return;
    }
    claims_remark(run, "%u of them run on RTL", runs);
}
