/* SPDX-License-Identifier: Apache-2.0 */
/* A router that breaks the contract once: one output of the sound router is damaged in one cycle.
 * The rules must find a breach and have words for it, whatever follows; without the damage they
 * must find none.
 *
 * The first eight bytes of an input choose network, place and mode; then come seed, traffic, the
 * cycle, and the damage. */
#include <stdlib.h>
#include <string.h>

#include "contract/rules.h"
#include "network.h"
#include "shape/tile_io.h"
#include "trial/bench.h"

enum { CYCLES = 160, STILL = 512 };

enum damage {
    WORD_BIT,     /* another bit of a word */
    WORD_GONE,    /* a word is missing */
    WORD_MORE,    /* any word on an idle output */
    WORD_AGAIN,   /* the word of another output as well */
    CREDIT_OTHER, /* a credit more, or one less */
    TAP,
    DAMAGES,
};

struct bed {
    struct fuzz_place place;
    struct bench bench;
    struct ec_tile_io io;
    struct ec_tile_bank *bank;
    const struct ec_tile_api *api;
    struct rules *strict, *foreign;
    uint64_t cycle;
};

static bool bed_open(struct bed *d, struct fuzz_bytes *b)
{
    fuzz_place_choose(b, &d->place);
    const struct fuzz_place *p = &d->place;
    d->api = ec_shape_api(p->shape);
    if (!bench_open(&d->bench, &p->t, &p->r, &d->api->shape, p->node, EC_NONE, fuzz_byte(b)))
        return false;
    ec_tile_io_inputs(&d->bench.arrays, &d->io, 1, d->bench.ports, d->bench.vcs);
    ec_tile_io_outputs(&d->bench.arrays, &d->io, 1, d->bench.ports, d->bench.vcs);
    d->bank = ec_shape_bank(p->shape, 1, &p->places[p->node], NULL, 0, NULL, NULL);
    d->strict = rules_open(&p->t, &p->r, p->node, (struct rules_options){.taps = true});
    d->foreign = rules_open(&p->t, &p->r, p->node, (struct rules_options){.foreign = true});
    if (d->bench.arrays.memory_short || !d->bank || !d->strict || !d->foreign)
        return false;
    d->api->reset(d->bank);
    return true;
}

static void bed_close(struct bed *d)
{
    d->api->close(d->bank);
    rules_close(d->strict);
    rules_close(d->foreign);
    bench_close(&d->bench);
    fuzz_place_free(&d->place);
}

/* A port of the network from a byte; ports that exist in the shape only are not seen by anyone. */
static unsigned take_port(struct fuzz_bytes *b, const struct bed *d)
{
    unsigned port = fuzz_below(b, d->bench.ports);
    while (!bench_has(&d->bench, port))
        port = (port + 1) % d->bench.ports;
    return port;
}

/* False: the damage does not apply, because there is no such word. */
static bool damage_word(struct bed *d, enum damage what, struct fuzz_bytes *b)
{
    struct ec_tile_io *io = &d->io;
    const unsigned port = take_port(b, d);
    const uint64_t bit = UINT64_C(1) << port, others = io->out_valid[0] & ~bit;
    const bool there = io->out_valid[0] & bit;
    if (there != (what == WORD_BIT || what == WORD_GONE) || (what == WORD_AGAIN && !others))
        return false;
    if (what == WORD_BIT) {
        io->out_word[port] ^= UINT64_C(1) << fuzz_below(b, 63);
        return true;
    }
    uint64_t word = what == WORD_AGAIN ? io->out_word[__builtin_ctzll(others)] : 0;
    for (unsigned k = 0; what == WORD_MORE && k < 8; k++)
        word = word << 8 | fuzz_byte(b);
    io->out_word[port] = what == WORD_GONE ? 0 : word | EC_WORD_VALID;
    io->out_valid[0] ^= bit;
    return true;
}

static bool damage(struct bed *d, enum damage what, struct fuzz_bytes *b)
{
    if (what != CREDIT_OTHER && what != TAP)
        return damage_word(d, what, b);
    const uint64_t bit = UINT64_C(1) << take_port(b, d);
    uint64_t *masks = what == TAP ? d->io.contended : d->io.out_credit;
    masks[fuzz_below(b, d->bench.vcs)] ^= bit;
    return true;
}

static void check_text(const struct rules *rules)
{
    char text[600];
    const struct rules_breach *breach = rules_breach(rules);
    if (!breach)
        return;
    rules_text(rules, breach, text, sizeof text);
    if (!text[0] || !breach->what[0])
        fuzz_fail("a breach without words");
    if (breach->kind == RULES_INPUT)
        fuzz_fail("the router is not to blame: %s", text);
}

static void see(struct bed *d)
{
    struct ec_tile_seen seen;
    ec_tile_see(&d->bench.map, d->bench.ports, d->bench.vcs, &d->io, 0, &seen);
    seen.seen.cycle = d->cycle;
    seen.seen.node = d->bench.node;
    rules_see(d->strict, &seen.seen);
    rules_see(d->foreign, &seen.seen);
}

static void step(struct bed *d, const struct bench_traffic *traffic)
{
    const uint32_t id = 0;
    bench_drive(&d->bench, traffic, &d->io);
    d->cycle++;
    d->api->step(d->bank, &d->io, &id, 1);
}

/* No new packets. The end of a damaged run is the end of its patience. */
static void drain(struct bed *d)
{
    const struct bench_traffic traffic = {
        .send = 256, .port = BENCH_ANY, .vc = BENCH_ANY, .closed = true};
    for (unsigned k = 0; k < STILL && !bench_is_empty(&d->bench); k++) {
        step(d, &traffic);
        see(d);
        bench_take(&d->bench, &d->io);
    }
    rules_end(d->strict, d->cycle);
    rules_end(d->foreign, d->cycle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes b = {data, size};
    struct bed d = {0};
    bool done = false;
    if (!bed_open(&d, &b))
        fuzz_fail("out of memory for a router");
    struct bench_traffic traffic = {.port = BENCH_ANY, .vc = BENCH_ANY};
    traffic.send = fuzz_byte(&b) + 1u;
    traffic.pause = fuzz_byte(&b) / 2;
    traffic.credits = (enum bench_credits)fuzz_below(&b, 3);
    const unsigned at = 1 + fuzz_below(&b, CYCLES);
    const enum damage what = (enum damage)fuzz_below(&b, DAMAGES + 1);
    for (unsigned k = 0; k < CYCLES && !rules_breach(d.strict); k++) {
        step(&d, &traffic);
        if (what < DAMAGES && !done && d.cycle >= at)
            done = damage(&d, what, &b);
        see(&d);
        bench_take(&d.bench, &d.io);
    }
    if (!rules_breach(d.strict) || !rules_breach(d.foreign))
        drain(&d);
    if (done && !rules_breach(d.strict))
        fuzz_fail("damage %d in cycle %u is not noticed", (int)what, at);
    if (!done && what == DAMAGES && (rules_breach(d.strict) || rules_breach(d.foreign)))
        fuzz_fail("a sound router breaks a rule");
    check_text(d.strict);
    check_text(d.foreign);
    bed_close(&d);
    return 0;
}
