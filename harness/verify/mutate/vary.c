/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of an answer. Knows how to step both copies 64 times at once; must not know what is
 * proved with them.
 *
 * A solver changes as little as it can, so an answer shows one difference, although its state could
 * have shown many: registers that differ have values that nobody reads just now. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "mutate/copies.h"

enum {
    BATCHES = 8,
    LANES = 64,
    SHARES = 6,
};

/* A register that can change: in the mutant, or in both copies. */
enum { FIXED, MUTANT, BOTH };

/* A variable is a word with a bit for each lane. */
static uint64_t lanes_at(const uint64_t *values, uint32_t literal)
{
    return values[literal >> 1] ^ (0 - (uint64_t)(literal & 1));
}

static void step_gates(const struct ec_aig *a, uint64_t *values)
{
    const uint32_t first = 1 + a->inputs + a->registers;
    values[0] = 0;
    for (uint32_t i = 0; i < a->gates; i++)
        values[first + i] =
            lanes_at(values, a->gate[2 * (size_t)i]) & lanes_at(values, a->gate[2 * (size_t)i + 1]);
}

static void step_registers(const struct ec_aig *a, const uint64_t *values, uint64_t *ret)
{
    for (uint32_t i = 0; i < a->registers; i++)
        ret[1 + a->inputs + i] = lanes_at(values, a->next[i]);
}

/* All lanes have the values of the answer. */
static void load(const struct ec_equal *e, uint64_t *const lanes[4])
{
    const size_t count = (size_t)1 + e->aig.inputs + e->aig.registers;
    for (unsigned k = 0; k < 4; k++) {
        for (size_t i = 0; i < count; i++)
            lanes[k][i] = 0 - (uint64_t)(e->seen[k][i] & 1);
    }
}

/* All lanes have the values of this one. */
static void repeat(const struct ec_equal *e, uint64_t *const lanes[4], unsigned lane)
{
    const size_t count = (size_t)1 + e->aig.inputs + e->aig.registers;
    for (unsigned k = 0; k < 4; k++) {
        for (size_t i = 0; i < count; i++)
            lanes[k][i] = 0 - (lanes[k][i] >> lane & 1);
    }
}

/* The lanes that are states of the relation. */
static uint64_t states(const struct ec_equal *e, const struct copies_same *same,
                       uint64_t *const lanes[4])
{
    const struct ec_aig *a = &e->aig;
    const uint32_t first = 1 + a->inputs, gate = first + a->registers;
    uint64_t good = UINT64_MAX;
    for (uint32_t i = 0; i < a->assumptions; i++)
        good &= lanes_at(lanes[0], a->assume[i]);
    for (uint32_t i = 0; i < a->assertions; i++)
        good &= e->kept[i] ? ~lanes_at(lanes[0], a->broken[i]) : UINT64_MAX;
    for (uint32_t i = 0; i < a->registers; i++)
        good &= same->registers[i] ? ~(lanes[0][first + i] ^ lanes[2][first + i]) : UINT64_MAX;
    for (uint32_t i = 0; i < a->gates; i++)
        good &= same->gates[i] ? ~(lanes[0][gate + i] ^ lanes[2][gate + i]) : UINT64_MAX;
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        if (same->views[i])
            good &= ~(lanes_at(lanes[0], v->care) &
                      (lanes_at(lanes[0], v->of) ^ lanes_at(lanes[2], v->of)));
    }
    return good;
}

/* Which registers can change, alone, in the state of the answer? Those that are equal in both
 * copies, the others in the mutant. */
static void find_loose(struct ec_equal *e, const struct copies_same *same)
{
    const uint32_t first = 1 + e->aig.inputs;
    uint32_t at[LANES];
    uint32_t next = 0;
    while (next < e->aig.registers) {
        unsigned count = 0;
        load(e, e->lanes);
        for (; next < e->aig.registers && count < LANES; next++) {
            e->loose[next] = 0;
            if (!e->matters[first + next] || next == e->live)
                continue;
            const uint64_t lane = UINT64_C(1) << count;
            e->lanes[0][first + next] ^= same->registers[next] ? lane : 0;
            e->lanes[2][first + next] ^= lane;
            at[count++] = next;
        }
        step_gates(&e->aig, e->lanes[0]);
        step_gates(&e->aig, e->lanes[2]);
        const uint64_t good = states(e, same, e->lanes);
        for (unsigned k = 0; k < count; k++) {
            if (good >> k & 1)
                e->loose[at[k]] = same->registers[at[k]] ? BOTH : MUTANT;
        }
    }
}

/* In each lane but the first, loose registers change at random; in some lanes half of them, in
 * others few, because those that can change alone may not do so together. */
static void flip(const struct ec_equal *e, uint64_t key, uint64_t *const lanes[4])
{
    const uint32_t first = 1 + e->aig.inputs;
    const uint64_t every_sixth = UINT64_C(0x1041041041041041);
    uint64_t draw = 0;
    for (uint32_t i = 0; i < e->aig.registers; i++) {
        if (!e->loose[i])
            continue;
        /* Lane k changes it with a probability of 1/2, 1/4, ..., 1/64. */
        uint64_t change = ~UINT64_C(1), some = UINT64_MAX;
        for (unsigned k = 0; k < SHARES; k++) {
            some &= ec_rng_draw(key, draw++);
            change &= some | ~(every_sixth << k);
        }
        lanes[0][first + i] ^= e->loose[i] == BOTH ? change : 0;
        lanes[2][first + i] ^= change;
    }
}

/* What differs in the next cycle of these lanes. */
static size_t drop(const struct ec_equal *e, struct copies_same *same, uint64_t good,
                   uint64_t *const lanes[4])
{
    const struct ec_aig *a = &e->aig;
    const uint32_t first = 1 + a->inputs; /* of the registers, and the gates behind them */
    const uint64_t *router = lanes[1], *mutant = lanes[3];
    size_t dropped = 0;
    for (uint32_t i = 0; i < a->registers + a->gates; i++) {
        bool *of = i < a->registers ? &same->registers[i] : &same->gates[i - a->registers];
        const bool differs = *of && ((router[first + i] ^ mutant[first + i]) & good) != 0;
        *of = *of && !differs;
        dropped += differs;
    }
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        const bool differs =
            same->views[i] && (lanes_at(router, v->care) &
                               (lanes_at(router, v->of) ^ lanes_at(mutant, v->of)) & good) != 0;
        same->views[i] = same->views[i] && !differs;
        dropped += differs;
    }
    return dropped;
}

size_t copies_vary(struct ec_equal *e, struct copies_same *same, uint64_t seed)
{
    uint64_t *const *lanes = e->lanes;
    size_t dropped = 0;
    find_loose(e, same);
    load(e, lanes);
    for (unsigned k = 0; k < BATCHES; k++) {
        flip(e, ec_rng_key(seed, k), lanes);
        step_gates(&e->aig, lanes[0]);
        step_gates(&e->aig, lanes[2]);
        step_registers(&e->aig, lanes[0], lanes[1]);
        step_registers(&e->aig, lanes[2], lanes[3]);
        step_gates(&e->aig, lanes[1]);
        step_gates(&e->aig, lanes[3]);
        uint64_t good = states(e, same, lanes);
        for (uint32_t i = 0; i < e->aig.assumptions; i++)
            good &= lanes_at(lanes[1], e->aig.assume[i]);
        if (good == 0)
            break;
        dropped += drop(e, same, good, lanes);
        /* The next batch begins at one of these. */
        repeat(e, lanes, 63 - (unsigned)__builtin_clzll(good));
    }
    return dropped;
}
