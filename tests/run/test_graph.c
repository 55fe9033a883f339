/* SPDX-License-Identifier: Apache-2.0 */
/* Random messages that wait for each other, on real router RTL: the run takes exactly the cycles of
 * the longest path through them, without contention; if there is no prediction, two messages were
 * under way at the same time on a channel that both use. In a third of the runs messages overtake
 * others, as in a trace.
 *
 * test_graph RUNS [SEED [all]]: a failure prints the run and its seed. `all` draws deep buffers,
 * routers with several stages and dynamic allocation as well, which take many shapes. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "rig.h"

#define MESSAGES_MAX 64
#define HOPS_MAX     16

struct dice {
    uint64_t key, draws;
};

static unsigned roll(struct dice *d, unsigned sides)
{
    return (unsigned)ec_rng_below(ec_rng_draw(d->key, d->draws++), sides);
}

static bool all_routers;

/* Messages under construction, in static arrays. */
struct draw {
    char topology[64], router[160], text[8192];
    unsigned packet;
    bool may_overtake; /* packets that may wait for credits choose their virtual channels */
    uint32_t startup;
    struct ec_topology t;
    struct ec_message messages[MESSAGES_MAX];
    uint32_t step[MESSAGES_MAX], delay[MESSAGES_MAX], after[MESSAGES_MAX * MESSAGES_MAX];
    uint32_t behind[MESSAGES_MAX];
    size_t first[MESSAGES_MAX + 1];
    struct ec_message_order order;
    struct ec_workload w;
};

/* Stages, and with dynamic allocation the reason for no prediction (docs/TIMING.md). */
static void draw_router(struct dice *d, struct draw *x, size_t length, unsigned mode,
                        unsigned depth, unsigned link)
{
    const unsigned stages = 1 + roll(d, 3), round_trip = 2 * link + stages - 1;
    const unsigned full_rate[] = {round_trip, x->packet + round_trip - 1,
                                  2 * x->packet + round_trip - 2};
    const bool dynamic = roll(d, 2);

    snprintf(x->router + length, sizeof x->router - length, ",stages=%u,va=%s", stages,
             dynamic ? "dynamic" : "static");
    x->may_overtake = dynamic && depth < full_rate[mode];
}

static void draw_network(struct dice *d, struct draw *x)
{
    static const char *const modes[] = {"wormhole", "cut-through", "store-and-forward"};
    const char *ports = "one", *vcs = "1";

    switch (roll(d, 6)) {
    case 0:
        snprintf(x->topology, sizeof x->topology, "torus:%ux%u", 2 + roll(d, 3), 2 + roll(d, 3));
        vcs = "2";
        ports = roll(d, 2) ? "all" : "one";
        break;
    case 1:
        snprintf(x->topology, sizeof x->topology, "ring:%u", 3 + roll(d, 6));
        vcs = "2";
        break;
    case 2:
        snprintf(x->topology, sizeof x->topology, "mesh:%ux%u", 2 + roll(d, 3), 2 + roll(d, 3));
        vcs = roll(d, 2) ? "2" : "1";
        break;
    default:
        snprintf(x->topology, sizeof x->topology, "cube:%u", 1 + roll(d, 4));
        ports = roll(d, 2) ? "all" : "one";
    }
    const unsigned depth = 1 + roll(d, all_routers ? 8 : 4), mode = roll(d, 3);
    const unsigned link = roll(d, 2) ? 1 : 1 + roll(d, 4);
    x->packet = mode || roll(d, 3) == 0 ? 1 + roll(d, depth < 4 ? depth : 4) : 0;
    x->startup = roll(d, 2) ? 0 : roll(d, 2) ? 7 : roll(d, 4);
    const int length = snprintf(x->router, sizeof x->router,
                                "vcs=%s,depth=%u,switching=%s,order=%s,ports=%s,link=%u", vcs,
                                depth, modes[mode], roll(d, 2) ? "high" : "low", ports, link);
    if (all_routers)
        draw_router(d, x, (size_t)length, mode, depth, link);
    assert_int_equal(ec_topology_parse(x->topology, &x->t, NULL), EC_OK);
}

/* It may wait for messages that its source has received in earlier steps. */
static void add_message(struct dice *d, struct draw *x, uint32_t step, uint32_t src, uint32_t dst,
                        uint32_t words, uint32_t delay)
{
    const size_t i = x->w.message_count;

    if (i == MESSAGES_MAX)
        return;
    x->messages[i] = (struct ec_message){.cycle = 1, .src = src, .dst = dst, .words = words};
    x->step[i] = step;
    x->delay[i] = delay;
    x->first[i + 1] = x->first[i];
    for (size_t k = 0; k < i; k++) {
        if (x->step[k] < step && x->messages[k].dst == src && roll(d, 3))
            x->after[x->first[i + 1]++] = (uint32_t)k;
    }
    x->w.message_count++;
    x->w.longest = words > x->w.longest ? words : x->w.longest;
}

/* Steps in which each node sends over one link, mostly all over the same one. */
static void draw_steps(struct dice *d, struct draw *x)
{
    const unsigned links = ec_topology_links(&x->t), steps = 1 + roll(d, 5);
    const uint32_t words = 1 + roll(d, 12);
    const bool uneven = roll(d, 3) == 0, astray = roll(d, 6) == 0, works = roll(d, 3) == 0;

    for (uint32_t step = 1; step <= steps; step++) {
        const unsigned link = roll(d, links), share = 1 + roll(d, 4);
        for (uint32_t node = 0; node < x->t.nodes; node++) {
            const unsigned mine = astray && roll(d, 4) == 0 ? roll(d, links) : link;
            const uint32_t to = ec_topology_neighbor(&x->t, node, mine);
            if (to != EC_NONE && roll(d, 4) < share)
                add_message(d, x, step, node, to, uneven ? 1 + roll(d, 12) : words,
                            works ? roll(d, 5) : 0);
        }
    }
}

/* A few messages anywhere, of any length, at any time. */
static void draw_few(struct dice *d, struct draw *x)
{
    const unsigned count = 2 + roll(d, 7);
    const uint32_t spread = 1 + roll(d, 40);

    for (uint32_t step = 1; step <= count; step++) {
        const uint32_t src = roll(d, x->t.nodes), dst = roll(d, x->t.nodes);
        if (src != dst)
            add_message(d, x, step, src, dst, 1 + roll(d, 10), roll(d, spread));
    }
}

/* As in a trace: a ready message need not wait for those before it in the list, except for one that
 * it is told to be behind; some have their own cycle. */
static void draw_overtaking(struct dice *d, struct draw *x)
{
    const bool chained = roll(d, 2), late = roll(d, 2), by_step = x->order.by_step;

    x->order.overtake = true;
    x->order.step = by_step ? x->step : NULL;
    x->order.behind = chained ? x->behind : NULL;
    for (size_t i = 0; i < x->w.message_count; i++) {
        x->messages[i].cycle = late && roll(d, 3) == 0 ? 1 + roll(d, 60) : 1;
        x->behind[i] = EC_NONE;
        for (size_t k = 0; k < i; k++) {
            if (x->messages[k].src == x->messages[i].src && roll(d, 4))
                x->behind[i] = (uint32_t)k;
        }
    }
}

static void draw_run(struct draw *x, uint64_t seed)
{
    struct dice d = {.key = ec_rng_key(seed, 0)};

    do {
        memset(x, 0, sizeof *x);
        draw_network(&d, x);
        if (roll(&d, 3))
            draw_steps(&d, x);
        else
            draw_few(&d, x);
    } while (x->w.message_count == 0);
    x->order = (struct ec_message_order){.step = x->step,
                                         .delay = roll(&d, 2) ? x->delay : NULL,
                                         .by_step = roll(&d, 3) == 0,
                                         .first = x->first,
                                         .after = x->after};
    if (roll(&d, 3) == 0)
        draw_overtaking(&d, x);
    snprintf(x->w.text, sizeof x->w.text, "seed %llu", (unsigned long long)seed);
    x->w.name = "random";
    x->w.nodes = x->t.nodes;
    x->w.messages = x->messages;
    x->w.order = &x->order;
}

/* When a message was ready, and when it was under way: its first word offered, its last one seen.
 */
struct life {
    uint64_t ready, from, to;
};

/* Packets of one pair arrive in order (but perhaps on several lanes, where they are contended). */
static void lives_of(const struct trial *trial, struct life *ret)
{
    const struct ec_report *r = trial->report;
    uint32_t left[MESSAGES_MAX];

    for (size_t i = 0; i < trial->w->message_count; i++) {
        left[i] = trial->w->messages[i].words;
        ret[i] = (struct life){0};
    }
    for (uint64_t k = 0; k < r->packets; k++) {
        const struct ec_packet_log *l = &r->packets_log[k];
        size_t i = 0;
        while (!(left[i] && trial->w->messages[i].src == l->src &&
                 trial->w->messages[i].dst == l->dst))
            i++;
        if (left[i] == trial->w->messages[i].words)
            ret[i] = (struct life){.ready = l->created, .from = l->injected};
        left[i] -= l->words;
        ret[i].to = l->delivered;
    }
}

static bool share_a_channel(const struct rig *rig, const struct ec_message *a,
                            const struct ec_message *b)
{
    struct ec_hop of_a[HOPS_MAX], of_b[HOPS_MAX];
    const size_t hops_a = ec_route_path(&rig->t, &rig->r, a->src, a->dst, of_a, HOPS_MAX);
    const size_t hops_b = ec_route_path(&rig->t, &rig->r, b->src, b->dst, of_b, HOPS_MAX);

    for (size_t i = 0; i < hops_a; i++) {
        for (size_t k = 0; k < hops_b; k++) {
            if (of_a[i].node == of_b[k].node && of_a[i].link == of_b[k].link)
                return true;
        }
    }
    return a->dst == b->dst && rig->r.ports == EC_PORTS_ONE; /* else each link has its own */
}

/* Is there a reason for no prediction? */
static bool may_meet(const struct trial *trial)
{
    struct life life[MESSAGES_MAX];

    lives_of(trial, life);
    for (size_t i = 0; i < trial->w->message_count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (life[i].from <= life[k].to && life[k].from <= life[i].to &&
                share_a_channel(trial->rig, &trial->w->messages[i], &trial->w->messages[k]))
                return true;
        }
    }
    return false;
}

/* When message i has to be ready, by what it waits for. */
static uint64_t ready_by_rule(const struct ec_workload *w, const struct life *life, size_t i)
{
    const struct ec_message_order *o = w->order;
    uint64_t last = 0;

    for (size_t k = 0; o->by_step && k < i; k++) {
        if (o->step[k] < o->step[i] && life[k].to > last)
            last = life[k].to;
    }
    for (size_t k = o->first[i]; !o->by_step && k < o->first[i + 1]; k++)
        last = life[o->after[k]].to > last ? life[o->after[k]].to : last;
    return (last >= w->messages[i].cycle ? last + 1 : w->messages[i].cycle) +
           (o->delay ? o->delay[i] : 0);
}

/* Messages that may overtake others were ready when they had to be, and left their port in this
 * order, except those that had to stay behind. */
static void check_overtaking(struct trial *trial)
{
    const struct ec_workload *w = trial->w;
    const struct rig *rig = trial->rig;
    const uint32_t *behind = w->order->behind;
    struct life life[MESSAGES_MAX];

    lives_of(trial, life);
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *a = &w->messages[i];
        trial_assert_equal(trial, "ready", life[i].ready, ready_by_rule(w, life, i));
        if (behind && behind[i] != EC_NONE) {
            if (life[behind[i]].from + w->messages[behind[i]].words > life[i].from)
                trial_fail(trial, "a message was sent before the one that it is behind");
            continue;
        }
        for (size_t k = 0; k < w->message_count; k++) {
            const struct ec_message *b = &w->messages[k];
            if (k == i || a->src != b->src || life[k].from > life[i].from ||
                (rig->r.ports == EC_PORTS_ALL &&
                 ec_route_link(&rig->t, &rig->r, a->src, a->dst) !=
                     ec_route_link(&rig->t, &rig->r, b->src, b->dst)))
                continue;
            if (life[k].ready > life[i].ready || (life[k].ready == life[i].ready && k > i))
                trial_fail(trial, "a ready message was overtaken");
        }
    }
}

/* The packet log tells messages of one pair apart only if each pair has one. */
static bool pairs_differ(const struct ec_workload *w)
{
    for (size_t i = 0; i < w->message_count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (w->messages[i].src == w->messages[k].src &&
                w->messages[i].dst == w->messages[k].dst)
                return false;
        }
    }
    return true;
}

struct seen {
    unsigned runs, predicted, contended, overtaking;
};

static void check_run(struct rig *rig, uint64_t seed, struct seen *seen)
{
    static struct draw x;
    struct ec_error error;

    draw_run(&x, seed);
    const struct ec_case_spec spec = {
        .topology = x.topology, .router = x.router, .packet = x.packet, .longest = x.w.longest};
    rig_open(rig, &spec);
    struct trial trial = {.rig = rig,
                          .w = &x.w,
                          .options = {.seed = seed, .startup = x.startup, .keep_packets = true}};
    if (ec_audit_open(&rig->t, &rig->r, &x.w, true, &trial.audit, &error) ||
        ec_run(rig->net, &x.w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s", error.message);
    const struct ec_report *r = trial.report;
    if (r->outcome != EC_RUN_FINISHED)
        trial_fail(&trial, "not finished");
    if (r->has_prediction) {
        trial_assert_equal(&trial, "cycles", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
        trial_assert_passed(&trial);
    } else if (!x.order.overtake && !x.may_overtake && r->contended_cycles == 0 &&
               !may_meet(&trial)) {
        trial_fail(&trial, "no prediction, but no two messages were near each other");
    }
    if (x.order.overtake && pairs_differ(&x.w)) {
        check_overtaking(&trial);
        seen->overtaking += r->has_prediction;
    }
    seen->runs++;
    seen->predicted += r->has_prediction;
    seen->contended += r->contended_cycles > 0;
    ec_report_close(trial.report);
    ec_audit_close(trial.audit);
}

/* Behind link 0 to 1 of a ring a word that came over the wrap link has its own place: it need not
 * wait until the word before it has left. */
static void test_classes(NO_STATE)
{
    static struct draw x;
    struct rig rig = {0};
    struct ec_error error;
    const struct ec_case_spec spec = {
        .topology = "ring:8", .router = "vcs=2,depth=1,dateline=on", .longest = 1};
    struct dice d = {0};

    rig_open(&rig, &spec);
    memset(&x, 0, sizeof x);
    add_message(&d, &x, 1, 0, 1, 1, 0); /* on the link in cycle 2 */
    add_message(&d, &x, 1, 7, 1, 1, 0); /* on the wrap link in 2, on the link in 3, seen in 4 */
    x.order = (struct ec_message_order){.step = x.step, .first = x.first, .after = x.after};
    x.w.name = "by hand";
    x.w.nodes = 8;
    x.w.messages = x.messages;
    x.w.order = &x.order;
    struct trial trial = {.rig = &rig, .w = &x.w, .options = {.seed = 1}};
    if (ec_audit_open(&rig.t, &rig.r, &x.w, true, &trial.audit, &error) ||
        ec_run(rig.net, &x.w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s", error.message);
    trial_assert_passed(&trial);
    assert_true(trial.report->has_prediction);
    trial_assert_equal(&trial, "cycles", trial.report->cycles, 4);
    ec_report_close(trial.report);
    ec_audit_close(trial.audit);
    rig_close(&rig);
}

static uint64_t runs, first_seed = 1;

static void test_runs(NO_STATE)
{
    struct rig rig = {0};
    struct seen seen = {0};

    for (uint64_t i = 0; i < runs; i++)
        check_run(&rig, first_seed + i, &seen);
    rig_close(&rig);
    print_message("%u runs, %u predicted, %u with contention; %u predicted with overtaking\n",
                  seen.runs, seen.predicted, seen.contended, seen.overtaking);
    /* The random draw must produce enough predicted and enough contended runs. */
    if (runs >= 1000) {
        assert_true(seen.predicted > seen.runs / 3);
        assert_true(seen.contended > seen.runs / 10);
        assert_true(seen.overtaking > seen.runs / 50);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("a message over the wrap link does not wait for one that has not been there",
             test_classes),
        TEST("random schedules take the longest path through their messages", test_runs),
    };

    runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    all_routers = argc > 3 && strcmp(argv[3], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
