/* SPDX-License-Identifier: Apache-2.0 */
/* What a router goes through: mixed traffic, packets that pause while others wait behind them, all
 * inputs towards one output, credits in bursts and none at all, the end of all traffic, resets,
 * long packets and long waits.
 *
 * Each scenario exists because of defects that only it reveals, and ends with a count: what must
 * have left, and which credits must be back. Knows the bounds of section 12 of the contract. Must
 * not know how a router is stepped, nor which networks it serves. */
#include "trial/scenario.h"

enum {
    MOORE_CYCLES = 400, /* some hundred packets, buffers full and empty */
    STILL = 256,        /* cycles in which something must move: contract, section 12 */
    SPARE = 64,         /* cycles in which a word too many would leave */
    FAIR = 64,          /* packets of each competitor before one must be served: the same section */
    BRIEF = 64,         /* packets by a saturated output where nothing is said about fairness */
    GAP_CYCLES = 160,
    RESET_CYCLES = 120,
    LENGTHS = 20, /* of the cycles of mixed traffic: words of a long packet, cycles of waiting */
    WAITS = 16,
};

static const struct bench_traffic mixed = {
    .send = 128, .pause = 16, .credits = BENCH_AT_RANDOM, .port = BENCH_ANY, .vc = BENCH_ANY};
static const struct bench_traffic full = {
    .send = 256, .credits = BENCH_AT_ONCE, .port = BENCH_ANY, .vc = BENCH_ANY};
static const struct bench_traffic bursts = {
    .send = 240, .pause = 8, .credits = BENCH_IN_BURSTS, .port = BENCH_ANY, .vc = BENCH_ANY};
/* Buffers are empty most of the time, also inside packets: the router may sleep there. */
static const struct bench_traffic sparse = {
    .send = 24, .pause = 160, .credits = BENCH_AT_RANDOM, .port = BENCH_ANY, .vc = BENCH_ANY};

static bool play(struct rig *g, const struct bench_traffic *traffic, unsigned cycles)
{
    for (unsigned k = 0; k < cycles; k++) {
        if (!rig_step(g, traffic))
            return false;
    }
    return true;
}

/* Does a packet of this router ever leave by this channel? */
static bool is_reached(const struct rig *g, unsigned port, unsigned vc)
{
    return g->bench.reached[bench_at(&g->bench, port, vc)] != 0;
}

/* --- Mixed traffic ---------------------------------------------------------------------------- */

bool scenario_moore(struct rig *g)
{
    g->scenario = "mixed traffic; inputs change after clock edges";
    return play(g, &mixed, MOORE_CYCLES / 2) && play(g, &full, MOORE_CYCLES / 4) &&
           play(g, &bursts, MOORE_CYCLES / 4);
}

static bool mix(struct rig *g, unsigned cycles)
{
    g->scenario = "mixed traffic";
    return play(g, &mixed, cycles) && play(g, &bursts, cycles) && play(g, &full, cycles) &&
           play(g, &sparse, cycles);
}

/* Packets for one output pause while the heads of others wait for it. */
static bool pause_inside(struct rig *g, unsigned port)
{
    struct bench_traffic traffic = {.send = 200, .pause = 96, .port = port, .vc = BENCH_ANY};
    g->scenario = "packets pause while others wait for the same output";
    if (!play(g, &traffic, GAP_CYCLES))
        return false;
    traffic.send = 80;
    traffic.credits = BENCH_AT_RANDOM;
    return play(g, &traffic, GAP_CYCLES);
}

/* --- The end of all traffic ------------------------------------------------------------------- */

static bool is_still(const struct rig *g)
{
    return g->cycle - g->bench.moved_at >= STILL;
}

/* No new packets, all credits are returned: every packet leaves, every credit comes back. */
bool scenario_drain(struct rig *g, const char *scenario)
{
    const struct bench_traffic traffic = {
        .send = 256, .port = BENCH_ANY, .vc = BENCH_ANY, .closed = true};
    g->scenario = scenario;
    while (!bench_is_empty(&g->bench)) {
        if (!rig_step(g, &traffic))
            return false;
        if (is_still(g))
            return rig_account(g);
    }
    for (unsigned k = 0; g->api->has_quiet && !g->io.quiet[0]; k++) {
        if (k == STILL)
            return rig_fail(g,
                            ": quiet_o is low although all words have left and all credits are "
                            "back since cycle %llu (contract, section 8.3)",
                            (unsigned long long)(g->cycle - k));
        if (!rig_step(g, &traffic))
            return false;
    }
    return true;
}

/* --- Credits ---------------------------------------------------------------------------------- */

/* The most words that left on a VC of an output without a credit. Dynamic allocation: on any VC of
 * its class, because a router may prefer some of them. */
static uint32_t words_out(const struct rig *g, unsigned port, unsigned vc)
{
    const struct ec_router *r = &g->bench.r;
    const unsigned mask = r->va == EC_VA_STATIC ? ~0u : ec_router_class_mask(r);
    uint32_t most = 0;
    for (unsigned v = 0; v < g->bench.vcs; v++) {
        const uint32_t words = g->bench.owed[bench_at(&g->bench, port, v)];
        if (((v ^ vc) & mask) == 0 && words > most)
            most = words;
    }
    return most;
}

/* While its credits are withheld, how many words leave on an output VC? */
static bool withhold(struct rig *g, unsigned port, unsigned vc)
{
    const struct ec_router *r = &g->bench.r;
    const bool whole = r->switching != EC_WORMHOLE;
    const struct bench_traffic traffic = {.send = 256,
                                          .credits = BENCH_WITHHELD,
                                          .port = port,
                                          .vc = vc,
                                          .length = whole ? r->packet : 0};
    const uint32_t least = whole ? r->depth / r->packet * r->packet : r->depth;
    uint32_t words;
    char name[80];
    g->scenario = "the credits of one output VC are withheld";
    do {
        if (!rig_step(g, &traffic))
            return false;
        words = words_out(g, port, vc);
        if (words >= least && g->cycle - g->bench.moved_at >= SPARE)
            return true; /* those that are too many break a rule */
    } while (!is_still(g));
    rig_channel(g, port, vc, name, sizeof name);
    return rig_fail(g,
                    ", output %s: only %u %s while no credit is returned: expected %u "
                    "(depth=%u%s); the router has lost credits, or never uses them",
                    name, words, words == 1 ? "word leaves" : "words leave", least, r->depth,
                    whole ? ", whole packets" : "");
}

/* Twice: what is returned must count as well as what was there after the reset. */
static bool probe_credits(struct rig *g, unsigned port)
{
    for (unsigned vc = 0; vc < g->bench.vcs; vc++) {
        for (unsigned k = 0; k < 2 && is_reached(g, port, vc); k++) {
            if (!withhold(g, port, vc) ||
                !scenario_drain(g, "withheld credits return, and traffic ends"))
                return false;
        }
    }
    return true;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Packets that left by a port while an input VC with words for it got no credit back. */
struct waiting {
    uint64_t packets;                                     /* that left by the port */
    uint64_t words[EC_TILE_PORTS_MAX];                    /* of an input that got a credit back */
    uint64_t since[EC_TILE_PORTS_MAX * EC_VCS_MAX];       /* `packets` at the last progress */
    uint32_t sent_before[EC_TILE_PORTS_MAX * EC_VCS_MAX]; /* words there in the last cycle */
};

static bool watch_waiting(struct rig *g, struct waiting *w, unsigned port, uint64_t bound)
{
    const struct bench *b = &g->bench;
    char name[80], to[80];
    w->packets += g->io.out_valid[0] >> port & ec_word_tail(g->io.out_word[port]);
    for (unsigned in = 0; in < b->ports; in++) {
        for (unsigned vc = 0; vc < b->vcs; vc++) {
            const size_t at = bench_at(b, in, vc);
            w->words[in] += g->io.out_credit[vc] >> in & 1;
            if (b->sent[at] == 0 || w->sent_before[at] == 0 || g->io.out_credit[vc] >> in & 1)
                w->since[at] = w->packets;
            w->sent_before[at] = b->sent[at];
            if (g->options.unfair || w->packets - w->since[at] <= bound)
                continue;
            rig_channel(g, in, vc, name, sizeof name);
            rig_channel(g, port, 0, to, sizeof to);
            to[strcspn(to, ",")] = '\0';
            return rig_fail(
                g,
                ", input %s: its words wait for output %s while %llu packets of "
                "others leave there: the arbitration starves it (contract, section 12.1; "
                "--allow-starvation checks everything else)",
                name, to, (unsigned long long)bound);
        }
    }
    return true;
}

/* The least share of the output among these inputs. An arbiter that is far from fair may still keep
 * the bound, for example a round robin that starts at the wrong input. */
static void note_share(struct rig *g, const struct waiting *w, unsigned port, uint64_t inputs)
{
    const unsigned count = (unsigned)__builtin_popcountll(inputs);
    uint64_t words = 0, least = UINT64_MAX;
    unsigned last = 0;
    char name[80], to[80];
    for (uint64_t left = inputs; left; left &= left - 1) {
        const unsigned in = (unsigned)__builtin_ctzll(left);
        words += w->words[in];
        if (w->words[in] < least) {
            least = w->words[in];
            last = in;
        }
    }
    if (words == 0 || (double)least * count / (double)words >= g->share)
        return;
    g->share = (double)least * count / (double)words;
    rig_channel(g, last, 0, name, sizeof name);
    rig_channel(g, port, 0, to, sizeof to);
    name[strcspn(name, ",")] = to[strcspn(to, ",")] = '\0';
    snprintf(g->unfair, sizeof g->unfair,
             "input %.40s gets %.0f %% of output %.40s while %u inputs want nothing else (fair: "
             "%.0f %%)",
             name, 100.0 * (double)least / (double)words, to, count, 100.0 / count);
}

/* All inputs want the same output and credits return at once. The inputs are not quite regular:
 * a priority that turns with the cycles is fair, but can be in step with regular ones for ever. */
static bool saturate(struct rig *g, unsigned port, uint32_t length, bool brief)
{
    const struct bench_traffic traffic = {
        .send = 224, .port = port, .vc = BENCH_ANY, .length = length};
    struct waiting w = {0};
    uint64_t inputs = 0;
    g->scenario = "all inputs want the same output";
    for (unsigned vc = 0; vc < g->bench.vcs; vc++)
        inputs |= g->bench.reached[bench_at(&g->bench, port, vc)];
    const uint64_t bound = (uint64_t)FAIR * (unsigned)__builtin_popcountll(inputs) * g->bench.vcs;
    while (w.packets <= (brief ? BRIEF : bound + bound / 4)) {
        if (!rig_step(g, &traffic) || !watch_waiting(g, &w, port, bound))
            return false;
        if (is_still(g))
            return rig_account(g);
    }
    if (!brief)
        note_share(g, &w, port, inputs);
    return scenario_drain(g, "the end of traffic in which all inputs want the same output");
}

/* --- Counters that wrap ----------------------------------------------------------------------- */

static bool send_packets(struct rig *g, unsigned length, const char *scenario)
{
    struct bench_traffic traffic = full;
    traffic.length = length;
    g->scenario = scenario;
    return play(g, &traffic, 2 * length) && scenario_drain(g, "the end of packets of one length");
}

/* Words of a packet may be counted, although packets have no bound: packets that fill a buffer, or
 * whose last word is the last of a count, and long ones. */
static bool count_words(struct rig *g, unsigned most)
{
    const unsigned numbers = (1U << g->bench.layout.index_bits) - 1; /* each word differs */
    const uint32_t depth = g->bench.r.depth;
    bool good = depth > most || send_packets(g, depth, "packets that fill a buffer");
    for (unsigned length = 4; length < most && length < numbers && good; length *= 2)
        good = send_packets(g, length, "packets of 4, 8, 16, ... words");
    return good && send_packets(g, most < numbers ? most : numbers, "long packets");
}

/* Cycles may be counted, too: words wait for credits, at first with others behind them. A few
 * credits at a time come back, until the last words wait alone. */
static bool count_cycles(struct rig *g, unsigned cycles)
{
    const unsigned few = g->bench.r.depth < cycles ? g->bench.r.depth : cycles;
    struct bench_traffic traffic = full;
    traffic.credits = BENCH_WITHHELD;
    g->scenario = "words wait long for credits";
    if (!play(g, &traffic, cycles))
        return false;
    traffic.closed = true;
    for (unsigned k = 0; k < WAITS && !bench_is_empty(&g->bench); k++) {
        traffic.credits = BENCH_AT_RANDOM;
        if (!play(g, &traffic, few))
            return false;
        traffic.credits = BENCH_WITHHELD;
        if (!play(g, &traffic, cycles))
            return false;
    }
    if (!scenario_drain(g, "credits return after a long time"))
        return false;
    g->scenario = "traffic after a long time without any";
    traffic.credits = BENCH_AT_ONCE;
    return play(g, &traffic, cycles) && play(g, &mixed, cycles) &&
           scenario_drain(g, "the end of traffic after a long time without any");
}

/* --- Resets ----------------------------------------------------------------------------------- */

static bool reset_in_traffic(struct rig *g, unsigned k)
{
    const struct bench_traffic *const before[] = {&mixed, &full, &bursts, &sparse};
    g->scenario = "mixed traffic";
    if (!play(g, before[k % 4], RESET_CYCLES / 2 + k))
        return false;
    g->scenario = "mixed traffic after a reset during traffic";
    return rig_reset(g) && play(g, before[(k + 1) % 4], RESET_CYCLES) &&
           play(g, &bursts, RESET_CYCLES) &&
           scenario_drain(g, "the end of all traffic after a reset during traffic");
}

/* --- All -------------------------------------------------------------------------------------- */

/* Each of the first outputs, from one on that depends on the place. */
static bool each_output(struct rig *g, unsigned count,
                        bool (*scenario)(struct rig *g, unsigned port))
{
    const unsigned ports = g->bench.ports;
    for (unsigned k = 0, tried = 0; k < ports && tried < count; k++) {
        const unsigned port = (g->bench.node + k) % ports;
        bool reached = false;
        for (unsigned vc = 0; vc < g->bench.vcs; vc++)
            reached |= is_reached(g, port, vc);
        tried += reached;
        if (reached && !scenario(g, port))
            return false;
    }
    return true;
}

static bool saturate_briefly(struct rig *g, unsigned port)
{
    return saturate(g, port, 1, true);
}

static bool saturate_long(struct rig *g, unsigned port)
{
    return saturate(g, port, 1, false) && saturate(g, port, 0, false);
}

/* May packets follow each other on an output VC without a gap? With several stages, credits are
 * back a cycle later. Below full rate the VCs of an output take turns, and the pointer of ecube's
 * own router, which moves with every grant, may stay in step with them (contract, section 12.1). */
static bool is_fair_due(const struct rig *g)
{
    const struct ec_router *r = &g->bench.r;
    const unsigned need = r->switching == EC_WORMHOLE ? 1 : r->packet;
    return g->options.foreign || r->depth >= need + (r->stages > 1);
}

bool scenario_all(struct rig *g, const struct scenario_effort *effort)
{
    const bool fair = effort->fair && is_fair_due(g);
    for (unsigned round = 0; round < effort->rounds; round++) {
        if (!mix(g, effort->cycles) || !each_output(g, effort->outputs, pause_inside) ||
            !scenario_drain(g, "the end of all traffic") ||
            !each_output(g, effort->outputs, probe_credits) ||
            !each_output(g, effort->outputs, fair ? saturate_long : saturate_briefly))
            return false;
        for (unsigned k = 0; k < effort->resets; k++) {
            if (!reset_in_traffic(g, k))
                return false;
        }
    }
    const unsigned length = effort->cycles / LENGTHS;
    return (g->bench.r.switching != EC_WORMHOLE || count_words(g, length)) &&
           count_cycles(g, length);
}
