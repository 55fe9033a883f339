/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic allocation of VCs: with one VC per class nothing changes, with more the network carries
 * more; messages whose packets overtake each other are complete; a deadlock is a knot, of which
 * every buffer waits for others of it and for nothing else. */
#include <stdlib.h>
#include <string.h>

#include "rig.h"

struct row {
    const char *topology, *router, *workload;
    unsigned packet;
    uint64_t age_bound;
};

static struct trial play(struct rig *rig, const struct row *row, const char *va, uint64_t cycles)
{
    char router[100];
    snprintf(router, sizeof router, "%s,va=%s", row->router, va);
    rig_open(rig, &(struct ec_case_spec){.topology = row->topology,
                                         .router = router,
                                         .packet = row->packet,
                                         .workload = row->workload});
    const struct ec_run_options options = {
        .cycles = cycles, .warmup = 200, .seed = 3, .age_bound = row->age_bound};
    return rig_run(rig, row->workload, &options);
}

static void one_vc_per_class_is_static(NO_STATE)
{
    static const struct row rows[] = {
        {"torus:4x4", "vcs=2", "uniform:rate=0.4,m=8", 0, 0},
        {"torus:4x4", "vcs=2,switching=store-and-forward", "uniform:rate=0.4,m=8", 0, 0},
        {"mesh:4x4", "vcs=2", "uniform:rate=0.1,m=4,reply=8", 4, 0},
        {"torus:4x4", "vcs=4", "uniform:rate=0.1,m=4,reply=8,queue=1", 4, 0},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial fixed = play(&rig, &rows[i], "static", 1000);
        const uint64_t digest = fixed.report->digest, words = fixed.report->words;
        trial_close(&fixed);
        struct trial dynamic = play(&rig, &rows[i], "dynamic", 1000);
        trial_assert_passed(&dynamic);
        trial_assert_equal(&dynamic, "words", dynamic.report->words, words);
        trial_assert_equal(&dynamic, "digest", dynamic.report->digest, digest);
        trial_close(&dynamic);
    }
    rig_close(&rig);
}

/* More traffic than the network can carry: the share that arrives. */
static void more_vcs_carry_more(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:8x8", "vcs=4", "uniform:rate=0.9,m=8", 0, 0},
        {"torus:8x8", "vcs=4", "uniform:rate=0.9,m=8", 0, 0},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial fixed = play(&rig, &rows[i], "static", 1500);
        const double accepted = fixed.report->accepted;
        trial_assert_passed_but(&fixed, EC_CHECK_STABILITY);
        trial_close(&fixed);
        struct trial dynamic = play(&rig, &rows[i], "dynamic", 1500);
        trial_assert_passed_but(&dynamic, EC_CHECK_STABILITY);
        if (dynamic.report->accepted < 1.03 * accepted)
            trial_fail(&dynamic, "accepted %.4f, static allocation %.4f", dynamic.report->accepted,
                       accepted);
        trial_close(&dynamic);
    }
    rig_close(&rig);
}

/* Every message counts once, and every request has its reply, in whatever order packets arrive. */
static void messages_of_several_packets_are_complete(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=4", "uniform:rate=0.2,m=8", 2, 0},
        {"mesh:4x4", "vcs=4", "uniform:rate=0.1,m=8,reply=20,outstanding=2", 3, 0},
        {"torus:4x4", "vcs=4,switching=cut-through", "uniform:rate=0.1,m=8,reply=12,classes=1", 2,
         0},
        {"mesh:4x4", "vcs=4", "transpose:m=64", 4, 0},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], "dynamic", 1000);
        const struct ec_report *r = trial.report;
        trial_assert_passed(&trial);
        if (r->class_count == 2)
            trial_assert_equal(&trial, "replies", r->classes[1].messages, r->classes[0].messages);
        trial_close(&trial);
    }
    rig_close(&rig);
}

/* Is the buffer "router R, input I VC V" one of the knot? */
static bool is_listed(const struct ec_report *r, unsigned router, const char *input, unsigned vc)
{
    char name[40];
    for (size_t i = 0; i < r->waiting_count; i++) {
        unsigned node;
        snprintf(name, sizeof name, "input %s VC %u: ", input, vc);
        if (sscanf(r->waiting[i], "router %u", &node) == 1 && node == router &&
            strstr(r->waiting[i], name))
            return true;
    }
    return false;
}

/* The buffers of this router that a line names behind "input" are in the knot. Their number. */
static size_t assert_closed(const struct trial *trial, const char *line)
{
    const char *at = strstr(line, ": ");
    size_t count = 0;
    unsigned router, vc;
    char input[20];
    assert_int_equal(sscanf(line, "router %u", &router), 1);
    while ((at = strstr(at, "input "))) {
        assert_int_equal(sscanf(at, "input %19s VC %u", input, &vc), 2);
        if (!is_listed(trial->report, router, input, vc))
            trial_fail(trial, "waits for a buffer that is not in the knot: %s", line);
        at++;
        count++;
    }
    return count;
}

static void a_deadlock_is_a_knot(NO_STATE)
{
    static const struct row row = {"torus:4x4", "vcs=4",
                                   "uniform:rate=0.9,m=8,reply=20,classes=1,queue=1", 8, 0};
    struct rig rig = {0};
    struct trial trial = play(&rig, &row, "dynamic", 20000);
    const struct ec_report *r = trial.report;
    size_t choices = 0;
    if (r->outcome != EC_RUN_DEADLOCK || !r->protocol || !r->knot)
        trial_fail(&trial, "no knot: %s", r->checks[EC_CHECK_PROGRESS].detail);
    for (size_t i = 0; i < r->waiting_count; i++)
        choices += assert_closed(&trial, r->waiting[i]) > 1;
    if (choices == 0)
        trial_fail(&trial, "no head has a choice");
    trial_close(&trial);
    rig_close(&rig);
}

/* Packets that are suspected because they are old wait for buffers that still move. */
static void old_packets_are_no_knot(NO_STATE)
{
    static const struct row rows[] = {
        {"mesh:4x4", "vcs=4", "uniform:rate=0.9,m=8", 0, 1},
        {"torus:4x4", "vcs=4", "uniform:rate=0.9,m=8,reply=8", 0, 1},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct trial trial = play(&rig, &rows[i], "dynamic", 5000);
        if (trial.report->waiting_count > 0)
            trial_fail(&trial, "a knot of buffers that move");
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        trial_close(&trial);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("one VC per class: dynamic is static, to the cycle", one_vc_per_class_is_static),
        TEST("four VCs carry more with dynamic allocation", more_vcs_carry_more),
        TEST("messages of several packets are complete", messages_of_several_packets_are_complete),
        TEST("a deadlock is a knot", a_deadlock_is_a_knot),
        TEST("old packets are no knot", old_packets_are_no_knot),
    };
    return cmocka_run_group_tests_name("dynamic", tests, NULL, NULL);
}
