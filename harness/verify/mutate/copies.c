/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the two copies: their inputs, answers of the solver and variants of these. Knows how to
 * step both copies 64 times at once; must not know what is proved with them.
 *
 * A solver changes as little as it can, so an answer shows one difference, although its state could
 * have shown many: registers that differ have values that are not read in this cycle. */
#include "mutate/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "mutate/miter.h"

enum {
    BATCHES = 8,
    LANES = 64,
    SHARES = 6,
};

/* A register that can change: in the mutant, or in both copies. */
enum { FIXED, MUTANT, BOTH };

void copies_inputs(const struct ec_equal *e, uint32_t number, const uint32_t *from, uint32_t *map)
{
    memcpy(map + 1, from + 1, e->aig.inputs * sizeof *map);
    for (unsigned b = 0; b < COPIES_SELECT_BITS; b++) {
        if (e->select[b] != UINT32_MAX)
            map[1 + e->select[b]] = number >> b & 1;
    }
}

void copies_name_output(const struct ec_equal *e, size_t number, char *text, size_t size)
{
    const struct ec_aig_bit *b = &e->aig.bits[e->outputs[number]];
    snprintf(text, size, "%s_o[%u]", b->name + strlen(MITER_INSIDE), b->bit);
}

void copies_gates(const struct ec_aig *a, uint64_t *values)
{
    const uint32_t first = 1 + a->inputs + a->registers;
    values[0] = 0;
    for (uint32_t i = 0; i < a->gates; i++)
        values[first + i] = copies_lanes(values, a->gate[2 * (size_t)i]) &
                            copies_lanes(values, a->gate[2 * (size_t)i + 1]);
}

static void step_registers(const struct ec_aig *a, const uint64_t *values, uint64_t *ret)
{
    for (uint32_t i = 0; i < a->registers; i++)
        ret[1 + a->inputs + i] = copies_lanes(values, a->next[i]);
}

/* All lanes have the values of the answer. */
static void load(const struct ec_equal *e, uint64_t *const lanes[4])
{
    const size_t count = (size_t)1 + e->aig.inputs + e->aig.registers;
    for (unsigned k = 0; k < 4; k++)
        memcpy(lanes[k], e->seen[k], count * sizeof *lanes[k]);
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
        good &= copies_lanes(lanes[0], a->assume[i]);
    for (uint32_t i = 0; i < a->assertions; i++)
        good &= e->kept[i] ? ~copies_lanes(lanes[0], a->broken[i]) : UINT64_MAX;
    for (uint32_t i = 0; i < a->registers; i++)
        good &= same->registers[i] ? ~(lanes[0][first + i] ^ lanes[2][first + i]) : UINT64_MAX;
    for (uint32_t i = 0; i < a->gates; i++)
        good &= same->gates[i] ? ~(lanes[0][gate + i] ^ lanes[2][gate + i]) : UINT64_MAX;
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        if (same->views[i])
            good &= ~(copies_lanes(lanes[0], v->care) &
                      (copies_lanes(lanes[0], v->of) ^ copies_lanes(lanes[2], v->of)));
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
        copies_gates(&e->aig, e->lanes[0]);
        copies_gates(&e->aig, e->lanes[2]);
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

size_t copies_drop(const struct ec_equal *e, struct copies_same *same, uint64_t good,
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
            same->views[i] &&
            (copies_lanes(router, v->care) &
             (copies_lanes(router, v->of) ^ copies_lanes(mutant, v->of)) & good) != 0;
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
        copies_gates(&e->aig, lanes[0]);
        copies_gates(&e->aig, lanes[2]);
        step_registers(&e->aig, lanes[0], lanes[1]);
        step_registers(&e->aig, lanes[2], lanes[3]);
        copies_gates(&e->aig, lanes[1]);
        copies_gates(&e->aig, lanes[3]);
        uint64_t good = states(e, same, lanes);
        for (uint32_t i = 0; i < e->aig.assumptions; i++)
            good &= copies_lanes(lanes[1], e->aig.assume[i]);
        if (good == 0)
            break;
        dropped += copies_drop(e, same, good, lanes);
        /* The next batch begins at one of these. */
        repeat(e, lanes, 63 - (unsigned)__builtin_clzll(good));
    }
    return dropped;
}
