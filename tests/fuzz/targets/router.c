/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled router of rtl/ under legal traffic, judged by all rules of the contract and by its
 * twins (trial/rig.h): another oracle than that of whole runs.
 *
 * The first eight bytes of an input choose network, place and mode, two more the seed of the
 * traffic. Then seven bytes make a phase: what the neighbours do, and for how many cycles. A long
 * phase is the last one: it lets counters run that only show after thousands of words. At the end
 * all traffic drains. */
#include <stdlib.h>

#include "network.h"
#include "trial/scenario.h"

enum { CYCLES_MAX = 480, PHASE_MAX = 96, PHASE_LONG = 16384 };

/* Is it time for a reset during traffic? */
static bool take_phase(struct fuzz_bytes *b, const struct rig *g, struct bench_traffic *ret,
                       unsigned *ret_cycles)
{
    const unsigned kind = fuzz_below(b, 64);
    ret->credits = (enum bench_credits)(kind % 4);
    ret->closed = kind / 4 % 8 == 7;
    ret->send = fuzz_byte(b) + 1u;
    ret->pause = fuzz_byte(b);
    const unsigned port = fuzz_byte(b), vc = fuzz_byte(b);
    ret->port = port < g->bench.ports ? port : BENCH_ANY;
    ret->vc = vc < g->bench.vcs ? vc : BENCH_ANY;
    ret->length = fuzz_byte(b) % 16;
    if (g->bench.r.switching != EC_WORMHOLE && ret->length > g->bench.r.packet)
        ret->length = g->bench.r.packet;
    const unsigned cycles = fuzz_byte(b);
    *ret_cycles = cycles == UINT8_MAX ? PHASE_LONG : 1 + cycles % PHASE_MAX;
    return kind / 32 && kind % 32 == 0;
}

static bool play(struct rig *g, struct fuzz_bytes *b)
{
    for (unsigned total = 0; b->left > 0 && total < CYCLES_MAX;) {
        struct bench_traffic traffic;
        unsigned cycles;
        if (take_phase(b, g, &traffic, &cycles) && !rig_reset(g))
            return false;
        total += cycles;
        for (; cycles > 0; cycles--) {
            if (!rig_step(g, &traffic))
                return false;
        }
    }
    return scenario_drain(g, "the end of the input");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes b = {data, size};
    struct fuzz_place place;
    struct rig *g = malloc(sizeof *g);
    if (!g)
        exit(1);
    fuzz_place_choose(&b, &place);
    struct rig_options options = {.judged = true};
    options.seed = fuzz_byte(&b);
    options.seed = options.seed << 8 | fuzz_byte(&b);
    if (!rig_begin(g, place.shape, &place.t, &place.r, place.places, place.node, options))
        fuzz_fail("out of memory for a router");
    if (g->wrong[0] || !play(g, &b)) {
        char name[160], router[160];
        ec_topology_format(&place.t, name, sizeof name);
        ec_router_format(&place.r, router, sizeof router);
        fuzz_fail("%s %s: %s%s", name, router, g->wrong, g->code != EC_OK ? g->error.message : "");
    }
    rig_end(g);
    free(g);
    fuzz_place_free(&place);
    return 0;
}
