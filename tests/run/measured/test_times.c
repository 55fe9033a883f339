/* SPDX-License-Identifier: Apache-2.0 */
/* One message alone, on real router RTL, takes the predicted time: random lengths, packets,
 * start-ups, depths, stages, links, virtual channels and their allocation, in every switching mode.
 *
 * test_times RUNS few|all [SEED]: `few` uses a few shapes that are compiled before the tests. A
 * failure prints the run. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "rig.h"

struct network {
    const char *topology;
    unsigned vcs, lanes; /* lanes: of a class */
    bool dynamic;
    unsigned stages;
};

static const struct network networks[] = {
    {"mesh:6", 1, 1, false, 1},   {"mesh:6", 2, 2, true, 2},  {"ring:8", 2, 1, true, 3},
    {"mesh:6", 1, 1, false, 2},   {"mesh:6", 1, 1, false, 3}, {"mesh:6", 2, 2, false, 2},
    {"mesh:6", 4, 4, true, 1},    {"mesh:6", 8, 8, true, 2},  {"ring:8", 4, 2, true, 1},
    {"ring:8", 8, 4, true, 3},    {"ring:8", 4, 2, false, 3}, {"cube:4", 1, 1, false, 3},
    {"cube:4", 4, 4, true, 2},    {"cube:4", 2, 2, false, 2}, {"mesh:3x3", 2, 2, true, 3},
    {"torus:4x4", 4, 2, true, 2},
};

enum { FEW = 3, ALL = sizeof networks / sizeof *networks };

struct draw {
    const struct network *n;
    unsigned mode, link, depth, packet, startup;
    struct ec_message message;
    struct ec_workload w;
    char router[160];
};

struct dice {
    uint64_t key, draws;
};

static unsigned roll(struct dice *d, unsigned sides)
{
    return (unsigned)ec_rng_below(ec_rng_draw(d->key, d->draws++), sides);
}

static void draw_run(uint64_t seed, const struct network *n, unsigned depths, struct draw *x)
{
    static const char *const modes[] = {"wormhole", "cut-through", "store-and-forward"};
    static const unsigned links[] = {1, 1, 2, 3, 4, 7, 20}, startups[] = {0, 0, 1, 2, 5, 12};
    struct dice d = {.key = ec_rng_key(seed, 0)};
    struct ec_topology t;

    assert_int_equal(ec_topology_parse(n->topology, &t, NULL), EC_OK);
    *x = (struct draw){.n = n, .mode = roll(&d, 3), .link = links[roll(&d, 7)]};
    x->depth = 1 + roll(&d, depths);
    x->startup = startups[roll(&d, 6)];
    x->message = (struct ec_message){.cycle = 1, .words = 1 + roll(&d, 24)};
    x->packet = 1 + roll(&d, x->mode == 0 ? x->message.words : x->depth);
    x->message.src = roll(&d, t.nodes);
    x->message.dst = (x->message.src + 1 + roll(&d, t.nodes - 1)) % t.nodes;
    x->w = (struct ec_workload){.name = "one message",
                                .nodes = t.nodes,
                                .messages = &x->message,
                                .message_count = 1,
                                .longest = x->message.words,
                                .permutation = true};
    snprintf(x->w.text, sizeof x->w.text, "%u words from %u to %u, packets of %u, start-up %u",
             x->message.words, x->message.src, x->message.dst, x->packet, x->startup);
    snprintf(x->router, sizeof x->router, "vcs=%u,va=%s,stages=%u,link=%u,depth=%u,switching=%s",
             n->vcs, n->dynamic ? "dynamic" : "static", n->stages, x->link, x->depth,
             modes[x->mode]);
}

/* Must there be a prediction? There is none if packets may choose lanes and wait for credits. */
static bool is_predicted(const struct draw *x)
{
    const unsigned round_trip = 2 * x->link + x->n->stages - 1;
    const unsigned full_rate[] = {round_trip, x->packet + round_trip - 1,
                                  2 * x->packet + round_trip - 2};

    return !x->n->dynamic || x->n->lanes == 1 || x->message.words <= x->packet ||
           x->depth >= full_rate[x->mode];
}

static void check_run(struct rig *rig, struct draw *x, unsigned *predicted)
{
    const struct ec_case_spec spec = {.topology = x->n->topology,
                                      .router = x->router,
                                      .packet = x->packet,
                                      .longest = x->message.words};
    struct ec_error error;

    rig_open(rig, &spec);
    struct trial trial = {.rig = rig, .w = &x->w, .options = {.startup = x->startup}};
    if (ec_audit_open(&rig->t, &rig->r, &x->w, true, &trial.audit, &error) ||
        ec_run(rig->net, &x->w, trial.audit, &trial.options, &trial.report, &error))
        fail_msg("%s: %s", x->router, error.message);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    if (r->has_prediction != is_predicted(x))
        trial_fail(&trial, r->has_prediction ? "a prediction that is not proved" : "no prediction");
    if (r->has_prediction) {
        trial_assert_equal(&trial, "cycles", r->cycles, r->predicted_cycles);
        trial_assert_equal(&trial, "contended cycles", r->contended_cycles, 0);
    }
    *predicted += r->has_prediction;
    ec_report_close(trial.report);
    ec_audit_close(trial.audit);
}

/* Two messages over one link. The one that comes from further away is there 4 (s + L - 1) cycles
 * after the other: shorter messages do not meet, and this is no mistake of the router. */
static void test_passing_by(NO_STATE)
{
    static const struct ec_case_spec spec = {
        .topology = "mesh:7", .router = "vcs=1,link=2,depth=4", .longest = 13};
    struct rig rig = {0};
    struct ec_error error;

    rig_open(&rig, &spec);
    for (uint32_t words = 7; words <= 13; words += 6) {
        struct ec_message messages[] = {{.cycle = 1, .src = 0, .dst = 5, .words = words},
                                        {.cycle = 1, .src = 4, .dst = 6, .words = words}};
        struct ec_workload w = {.name = "two messages",
                                .text = "0 to 5, 4 to 6",
                                .nodes = 7,
                                .messages = messages,
                                .message_count = 2,
                                .longest = words,
                                .permutation = true};
        struct trial trial = {.rig = &rig, .w = &w};
        if (ec_audit_open(&rig.t, &rig.r, &w, true, &trial.audit, &error) ||
            ec_run(rig.net, &w, trial.audit, &trial.options, &trial.report, &error))
            fail_msg("%s", error.message);
        trial_assert_passed(&trial);
        assert_int_equal(trial.report->contended_cycles > 0, words > 12);
        ec_report_close(trial.report);
        ec_audit_close(trial.audit);
    }
    rig_close(&rig);
}

static uint64_t runs = 100, first_seed = 1;
static unsigned shapes = FEW;

static void test_runs(NO_STATE)
{
    struct rig rig = {0};
    struct draw x;
    unsigned predicted = 0;

    for (uint64_t i = 0; i < runs; i++) {
        const struct network *n = &networks[i * shapes / runs]; /* one shape after the other */
        draw_run(first_seed + i, n, shapes == FEW ? 4 : 16, &x);
        check_run(&rig, &x, &predicted);
    }
    rig_close(&rig);
    print_message("%u of %u runs predicted\n", predicted, (unsigned)runs);
    assert_true(predicted > runs / 2);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("messages that share a link of several cycles need not meet", test_passing_by),
        TEST("one message takes the predicted time with every option of the router", test_runs),
    };

    runs = argc > 1 ? strtoull(argv[1], NULL, 10) : runs;
    shapes = argc > 2 && strcmp(argv[2], "all") == 0 ? ALL : FEW;
    first_seed = argc > 3 ? strtoull(argv[3], NULL, 10) : first_seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
