/* SPDX-License-Identifier: Apache-2.0 */
/* Steps a router and its twins, and hands what they show to those who judge it.
 *
 * Knows banks, resets, sleep and the messages of the RTL. Must not know which traffic is on the
 * pins, or why. */
#include "trial/rig.h"

#include <inttypes.h>
#include <stdarg.h>

#include "network/names.h"
#include "trial/translate.h"

enum {
    SUSPECT = 256, /* cycles in which a wrong route must show */
    POKES = 32,    /* a judged router is poked once in so many cycles; another one in all of them */
    RANDOM_SEED = 1,
    STRAYS = 64, /* packets that a router with routing=any may send on before it delivers one */
};

/* Begins the text of an $error during a reset by which a router refuses the values of its pins. */
#define SERVES_ONLY "serves only "

/* --- Messages --------------------------------------------------------------------------------- */

/* Ignore messages of the RTL while random inputs are on its pins. */
static void note_said(void *context, uint32_t router, enum ec_rtl_event event, const char *text)
{
    struct rig *g = context;
    (void)router;
    if (event == EC_RTL_REFUSED && g->code == EC_OK)
        g->code = ec_fail(&g->error, EC_TOOL, "an initial block refuses this router: %s", text);
    const char *served = strstr(text, SERVES_ONLY);
    if (event == EC_RTL_ERROR && served && !g->listening && g->code == EC_OK)
        g->code = ec_fail(&g->error, EC_TOOL, RIG_NOT_JUDGED "this router %s", served);
    g->broken |= event == EC_RTL_BROKEN;
    const bool counts = g->listening || event == EC_RTL_BROKEN ||
                        (event == EC_RTL_FINISH && !g->bank); /* in an initial block */
    if (event == EC_RTL_TEXT || g->said[0] || !counts)
        return;
    snprintf(g->said, sizeof g->said, "%s", text);
}

/* What the rules found; to `text`, which is `wrong` or `suspect`. */
static void note_breach(struct rig *g, const struct rules *rules, char *text, size_t size)
{
    const struct rules_breach *breach = rules_breach(rules);
    rules_text(rules, breach, text, size);
    g->wrong_at = breach->cycle;
    g->wrong_port = breach->port;
}

bool rig_settle(struct rig *g)
{
    if (g->suspect[0] && !g->wrong[0])
        memcpy(g->wrong, g->suspect, sizeof g->wrong);
    return !g->suspect[0];
}

bool rig_fail(struct rig *g, const char *format, ...)
{
    char name[EC_NAME_SIZE], what[1100];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    ec_topology_node_name(g->bench.t, g->bench.node, name, sizeof name);
    if (!rig_settle(g) || g->wrong[0])
        return false;
    /* What the router shows now belongs to the next cycle; what it says, to the clock edge. */
    g->wrong_at = g->cycle + (g->said[0] == '\0');
    g->wrong_port = EC_NONE;
    snprintf(g->wrong, sizeof g->wrong, "cycle %" PRIu64 ", router %.80s%s%s", g->wrong_at, name,
             g->resets > 1 ? " (after a reset during traffic)" : "", what);
    return false;
}

bool rig_account(struct rig *g)
{
    rules_end(g->rules, g->cycle);
    const struct rules_breach *breach = rules_breach(g->rules);
    if (!rig_settle(g))
        return false;
    if (!breach)
        return rig_fail(g,
                        ": %" PRIu64 " words came in and %" PRIu64
                        " left, and nothing moves although all credits were returned",
                        g->bench.words_in, g->bench.words_out);
    note_breach(g, g->rules, g->wrong, sizeof g->wrong);
    return false;
}

void rig_channel(const struct rig *g, unsigned port, unsigned vc, char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    ec_port_name(g->bench.t, g->bench.locals, ec_port_outside(&g->bench.map, port), name,
                 sizeof name);
    if (g->bench.vcs > 1)
        snprintf(buffer, size, "%.40s, VC %u", name, vc);
    else
        snprintf(buffer, size, "%.40s", name);
}

/* --- Banks ------------------------------------------------------------------------------------ */

static void rest(struct rig *g, struct ec_tile_io *io)
{
    io->out_valid[0] = 0;
    memset(io->out_credit, 0, g->bench.vcs * sizeof *io->out_credit);
    memset(io->contended, 0, g->bench.vcs * sizeof *io->contended);
    memset(io->starved, 0, g->bench.vcs * sizeof *io->starved);
    io->quiet[0] = g->api->has_quiet;
}

static bool open_twin(struct rig *g, enum twin_kind kind, const struct ec_shape *shape,
                      const struct ec_tile_place *place, uint32_t random_seed)
{
    struct twin *w = &g->twins[kind];
    w->api = ec_shape_api(shape);
    w->asleep_at = 0;
    w->bank = ec_shape_bank(shape, 1, place, NULL, random_seed, NULL, NULL);
    if (!w->io.quiet)
        ec_tile_io_outputs(&g->arrays, &w->io, 1, g->bench.ports, g->bench.vcs);
    if (kind == TWIN_MOVED) {
        ec_tile_io_inputs(&g->arrays, &w->io, 1, g->bench.ports, g->bench.vcs);
        return !g->arrays.memory_short && w->bank != NULL;
    }
    w->io.in_word = g->io.in_word;
    w->io.in_valid = g->io.in_valid;
    w->io.in_credit = g->io.in_credit;
    return !g->arrays.memory_short && w->bank != NULL;
}

static void close_twin(struct twin *w)
{
    if (w->bank)
        w->api->close(w->bank);
    w->bank = NULL;
}

/* After a reset nothing may be on the outputs (contract, 9.3). */
static bool is_idle(struct rig *g)
{
    const uint32_t id = 0;
    const char *output;
    unsigned port;
    char name[EC_NAME_SIZE];
    struct ec_tile_io idle = g->poked; /* its inputs; they must not matter */
    memset(idle.in_word, 0, g->bench.ports * sizeof *idle.in_word);
    memset(idle.in_credit, 0, g->bench.vcs * sizeof *idle.in_credit);
    idle.in_valid[0] = 0;
    g->api->peek(g->bank, &idle, &id, 1);
    rest(g, &g->io);
    if (g->broken || !g->options.judged || !rig_differ(g, &idle, &g->io, &output, &port))
        return true;
    rig_port_of(g, port, name, sizeof name);
    return rig_fail(g, ": its output %s%s is not idle after a reset (contract, section 9.3)",
                    output, name);
}

static bool is_watched(const struct rig *g)
{
    return g->options.watch && g->resets == g->options.watch_resets;
}

static bool reset_all(struct rig *g)
{
    ec_net_pulse_begin(g->options.pulse, 0);
    g->api->reset(g->bank);
    for (unsigned k = 0; k < TWINS; k++) {
        struct twin *w = &g->twins[k];
        if (!w->bank)
            continue;
        w->api->reset(w->bank);
        w->asleep_at = 0;
        rest(g, &w->io);
    }
    g->cycle = 0;
    g->resets++;
    bench_reset(&g->bench);
    if (g->rules)
        rules_reset(g->rules);
    if (g->plain)
        rules_reset(g->plain);
    if (is_watched(g))
        g->options.watch->reset(g->options.watch->context);
    const bool good = is_idle(g);
    ec_net_pulse_end(g->options.pulse);
    return good;
}

bool rig_begin(struct rig *g, const struct ec_shape *shape, const struct ec_topology *t,
               const struct ec_router *r, const struct ec_tile_place *places, uint32_t node,
               struct rig_options options)
{
    const struct ec_tile_api *api = ec_shape_api(shape);
    *g = (struct rig){.shape = shape,
                      .api = api,
                      .place = &places[node],
                      .options = options,
                      .scenario = "the first reset",
                      .share = RIG_UNFAIR,
                      .key = ec_rng_key(options.seed + 1, node)};
    g->options.pulse = options.pulse ? options.pulse : &g->own_pulse;
    const uint32_t partner = options.relative ? translate_partner(t, node) : EC_NONE;
    bool good = bench_open(&g->bench, t, r, &api->shape, node, partner, options.seed);
    if (good && options.judged && options.foreign && ec_router_chooses(r) && !r->table)
        good = rig_learn_arrivals(g, places);
    g->bench.any_source = !options.foreign;
    struct ec_tile_io *const both[] = {&g->io, &g->poked};
    for (unsigned k = 0; k < 2; k++) {
        ec_tile_io_inputs(&g->arrays, both[k], 1, g->bench.ports, g->bench.vcs);
        ec_tile_io_outputs(&g->arrays, both[k], 1, g->bench.ports, g->bench.vcs);
    }
    good = good && !g->arrays.memory_short;
    if (options.judged)
        g->rules = rules_open(t, r, node,
                              (struct rules_options){.foreign = options.foreign,
                                                     .stored = options.foreign &&
                                                               r->switching == EC_STORE_AND_FORWARD,
                                                     .taps = !options.foreign && api->has_taps});
    if (options.patient)
        g->plain = rules_open(t, r, node, (struct rules_options){.foreign = true});
    good = good && (g->rules || !options.judged) && (g->plain || !options.patient);
    g->listener = (struct ec_tile_listener){.said = note_said, .context = g};
    g->options.pulse->router = node;
    g->options.pulse->trial = true;
    ec_net_pulse_begin(g->options.pulse, 0);
    g->bank = good ? ec_shape_bank(shape, 1, g->place, NULL, 0, NULL, &g->listener) : NULL;
    good = g->bank != NULL;
    if (good && options.judged && api->has_quiet)
        good = open_twin(g, TWIN_ASLEEP, shape, g->place, 0);
    if (good && options.judged && options.random)
        good = open_twin(g, TWIN_RANDOM, options.random, g->place, RANDOM_SEED + node);
    if (good && options.judged && g->bench.partner != EC_NONE)
        good = open_twin(g, TWIN_MOVED, shape, &places[g->bench.partner], 0);
    ec_net_pulse_end(g->options.pulse);
    if (good)
        reset_all(g);
    return good;
}

void rig_end(struct rig *g)
{
    g->options.pulse->trial = false;
    g->api->close(g->bank);
    for (unsigned k = 0; k < TWINS; k++)
        close_twin(&g->twins[k]);
    ec_arrays_free(&g->arrays);
    rules_close(g->rules);
    rules_close(g->plain);
    bench_close(&g->bench);
}

bool rig_reset(struct rig *g)
{
    if (!rig_settle(g))
        return false;
    close_twin(&g->twins[TWIN_FRESH]);
    if (g->options.judged && !open_twin(g, TWIN_FRESH, g->shape, g->place, 0)) {
        g->code = ec_fail(&g->error, EC_MEMORY, "out of memory for a router");
        return false;
    }
    return reset_all(g) && !g->broken;
}

/* --- A cycle ---------------------------------------------------------------------------------- */

static bool has_input(const struct rig *g)
{
    uint64_t any = g->io.in_valid[0];
    for (unsigned vc = 0; vc < g->bench.vcs; vc++)
        any |= g->io.in_credit[vc];
    return any != 0;
}

/* One cycle at the other place; its words are translated to there, and those that leave back. */
static void step_moved(struct rig *g, struct twin *w)
{
    const uint32_t id = 0;
    const struct bench *b = &g->bench;
    for (unsigned port = 0; port < b->ports; port++)
        w->io.in_word[port] =
            g->io.in_valid[0] >> port & 1
                ? translate_word(b->t, b->vcs, b->node, b->partner, g->io.in_word[port])
                : 0;
    w->io.in_valid[0] = g->io.in_valid[0];
    memcpy(w->io.in_credit, g->io.in_credit, b->vcs * sizeof *w->io.in_credit);
    w->api->step(w->bank, &w->io, &id, 1);
    for (unsigned port = 0; port < b->ports; port++) {
        if (w->io.out_valid[0] >> port & 1)
            w->io.out_word[port] =
                translate_word(b->t, b->vcs, b->partner, b->node, w->io.out_word[port]);
    }
}

static void step_twin(struct rig *g, enum twin_kind kind)
{
    const uint32_t id = 0;
    struct twin *w = &g->twins[kind];
    if (kind == TWIN_ASLEEP && w->io.quiet[0] && !has_input(g)) {
        w->asleep_at = g->cycle;
        w->asleep_with =
            g->bench.words_in > g->bench.words_out ? g->bench.words_in - g->bench.words_out : 0;
        rest(g, &w->io);
        return;
    }
    if (kind == TWIN_MOVED)
        step_moved(g, w);
    else
        w->api->step(w->bank, &w->io, &id, 1);
}

static bool agree(struct rig *g, enum twin_kind kind)
{
    static const char *const whys[] = {
        [TWIN_RANDOM] = ("the same router with other values in its registers before the reset: a "
                         "register is not reset (contract, section 9.1)"),
        [TWIN_FRESH] = "a fresh router: a register is not reset (contract, section 9.1)",
    };
    struct twin *w = &g->twins[kind];
    const char *output;
    unsigned port;
    char name[EC_NAME_SIZE], other[EC_NAME_SIZE];
    if (!w->bank || !rig_differ(g, &g->io, &w->io, &output, &port))
        return true;
    rig_port_of(g, port, name, sizeof name);
    if (kind == TWIN_MOVED) {
        ec_topology_node_name(g->bench.t, g->bench.partner, other, sizeof other);
        return rig_fail(
            g,
            ": its output %s%s differs from that of router %.80s with the same traffic, "
            "translated to there: its coordinates are not relative (--relative)",
            output, name, other);
    }
    if (kind != TWIN_ASLEEP)
        return rig_fail(g, ": its output %s%s differs from that of %s", output, name, whys[kind]);
    if (w->asleep_with >
        0) /* not wrong in itself: nothing may follow from it while it is blocked */
        return rig_fail(g,
                        ": quiet_o was high in cycle %" PRIu64 " while %" PRIu64
                        " word%s inside; its output %s%s differs from that of a router that was "
                        "not stepped then (contract, section 8.3)",
                        w->asleep_at, w->asleep_with, w->asleep_with == 1 ? " was" : "s were",
                        output, name);
    return rig_fail(g,
                    ": its output %s%s differs from that of a router that was not stepped while "
                    "quiet_o was high, last in cycle %" PRIu64 " (contract, section 8.3)",
                    output, name, w->asleep_at);
}

/* Our own router is quiet if and only if all its buffers and stages are empty (contract, section
 * 8). Call it before the bench has taken the credits that the router shows, since their words are
 * still there.
 */
static bool is_quiet_as_due(struct rig *g)
{
    const struct bench *b = &g->bench;
    const bool quiet = g->io.quiet[0] != 0;
    char name[80];
    size_t at = 0;
    while (at < (size_t)b->ports * b->vcs && b->sent[at] == 0)
        at++;
    const bool free = at == (size_t)b->ports * b->vcs;
    /* With several stages, a word on an output was in the last one when this cycle began. */
    const bool empty = free && (b->r.stages == 1 || g->io.out_valid[0] == 0);
    if (g->options.foreign || quiet == empty)
        return true;
    if (free && !empty)
        return rig_fail(g, ": quiet_o is high although a word is on an output");
    if (empty)
        return rig_fail(g, ": quiet_o is low although all buffers are empty");
    rig_channel(g, (unsigned)(at / b->vcs), (unsigned)(at % b->vcs), name, sizeof name);
    return rig_fail(g, ", input %s: quiet_o is high although the buffer holds a word", name);
}

/* Section 2.4: the wires of a word that is not there are zeros. */
static bool shows_zeros(struct rig *g)
{
    char name[EC_NAME_SIZE];
    for (unsigned port = 0; port < g->bench.ports; port++) {
        if ((g->io.out_valid[0] >> port & 1) || g->io.out_word[port] == 0)
            continue;
        rig_port_of(g, port, name, sizeof name);
        return rig_fail(g,
                        ": its output link_o%s shows 0x%016" PRIx64
                        " without a word: expected zeros (contract, section 2)",
                        name, g->io.out_word[port]);
    }
    return true;
}

/* Has the word that was due gone elsewhere? Until then the trial goes on. */
static bool judge_suspect(struct rig *g)
{
    const struct rules_breach *plain = rules_breach(g->plain);
    if (plain && (plain->kind == RULES_PORT || plain->kind == RULES_VC)) {
        note_breach(g, g->plain, g->wrong, sizeof g->wrong);
        return false;
    }
    return (!plain && g->cycle < g->suspect_until) || rig_settle(g);
}

static bool judge_rules(struct rig *g, const struct ec_net_seen *seen)
{
    rules_see(g->rules, seen);
    if (g->plain)
        rules_see(g->plain, seen);
    if (g->suspect[0])
        return judge_suspect(g);
    const struct rules_breach *breach = rules_breach(g->rules);
    if (!breach)
        return true;
    g->suspicious =
        !g->options.foreign && (breach->kind == RULES_ORDER || breach->kind == RULES_HELD_BACK);
    if (g->suspicious && g->plain) {
        note_breach(g, g->rules, g->suspect, sizeof g->suspect);
        g->suspect_until = g->cycle + SUSPECT;
        return judge_suspect(g);
    }
    note_breach(g, g->rules, g->wrong, sizeof g->wrong);
    return false;
}

static void see(const struct rig *g, struct ec_tile_seen *ret)
{
    ec_tile_see(&g->bench.map, g->bench.ports, g->bench.vcs, &g->io, 0, ret);
    ret->seen.cycle = g->cycle;
    ret->seen.node = g->bench.node;
}

/* What the rules say; an own text for the messages of the RTL. */
static bool judge(struct rig *g)
{
    struct ec_tile_seen seen;
    see(g, &seen);
    if (is_watched(g)) {
        g->options.watch->router(g->options.watch->context, &seen.seen);
        g->options.watch->cycle(g->options.watch->context, g->cycle);
    }
    /* What a watcher sees after the first breach may follow from it. */
    if (g->wrong[0])
        return false;
    if (g->said[0])
        return rig_fail(g, ": %s", g->said);
    /* Before the rules: what a fresh router does not show is left from before the reset. */
    if (!g->suspect[0] && !agree(g, TWIN_FRESH))
        return false;
    if (!judge_rules(g, &seen.seen))
        return false;
    if (g->bench.delivered == 0 && g->bench.strayed >= STRAYS)
        return rig_fail(g,
                        ": livelock: %d packets for this router have left by links, and none by a "
                        "local port (contract, section 12.2)",
                        STRAYS);
    return g->suspect[0] || (is_quiet_as_due(g) && agree(g, TWIN_ASLEEP) && agree(g, TWIN_RANDOM) &&
                             agree(g, TWIN_MOVED) && shows_zeros(g));
}

bool rig_step(struct rig *g, const struct bench_traffic *traffic)
{
    const uint32_t id = 0;
    bool good = true;
    bench_drive(&g->bench, traffic, &g->io);
    g->cycle++;
    ec_net_pulse_begin(g->options.pulse, g->cycle);
    g->listening = true;
    g->api->step(g->bank, &g->io, &id, 1);
    g->listening = false;
    for (unsigned k = 0; k < TWINS && !g->broken; k++) {
        if (g->twins[k].bank)
            step_twin(g, k);
    }
    g->words += (uint64_t)__builtin_popcountll(g->io.out_valid[0]);
    if (g->options.judged)
        good = judge(g);
    bench_take(&g->bench, &g->io);
    if (!g->broken && (!g->options.judged || g->cycle % POKES == 0))
        good = rig_poke(g) && good;
    ec_net_pulse_end(g->options.pulse);
    if (g->broken && good) /* perhaps only by the random inputs: a run will tell */
        return rig_fail(g, ": %s", g->said);
    return good;
}

void rig_go_on(struct rig *g, unsigned cycles)
{
    const struct bench_traffic end = {
        .send = 256, .port = BENCH_ANY, .vc = BENCH_ANY, .closed = true};
    for (unsigned k = 0; k < cycles && !g->broken; k++)
        rig_step(g, &end);
}
