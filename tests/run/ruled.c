/* SPDX-License-Identifier: Apache-2.0 */
/* Passes all routers of a run on to the rules; judges nothing else. */
#include "ruled.h"

static void see(void *context, const struct ec_net_seen *seen)
{
    rules_see(context, seen);
}

static void end_cycle(void *context, uint64_t cycle)
{
    rules_cycle(context, cycle);
}

static void reset(void *context)
{
    rules_reset(context);
}

struct ec_net_watch ruled_watch(struct rules *rules)
{
    return (struct ec_net_watch){
        .router = see, .cycle = end_cycle, .reset = reset, .context = rules};
}

struct trial ruled_run(struct rig *rig, const char *workload, const struct ec_run_options *options,
                       bool foreign)
{
    struct rules *rules =
        rules_open(&rig->t, rig->net->router, EC_NONE,
                   (struct rules_options){.foreign = foreign, .taps = rig->net->has_taps});
    const struct ec_net_watch watch = ruled_watch(rules);
    const struct ec_net_watch *const watches[] = {&watch};
    struct ec_run_options watched = *options;
    assert_non_null(rules);
    watched.watches = watches;
    watched.watch_count = 1;
    struct trial trial = rig_run(rig, workload, &watched);
    if (trial.report->outcome == EC_RUN_FINISHED)
        rules_end(rules, rig->net->cycle);
    const struct rules_breach *breach = rules_breach(rules);
    char text[600];
    if (breach) {
        rules_text(rules, breach, text, sizeof text);
        trial_fail(&trial, "the %s rules find: %s", foreign ? "foreign" : "exact", text);
    }
    trial_assert_equal(&trial, "memory short", rules_memory_short(rules), false);
    rules_close(rules);
    trial.options.watches = NULL; /* they end here */
    trial.options.watch_count = 0;
    return trial;
}
