/* SPDX-License-Identifier: Apache-2.0 */
/* A rig: topology, router and net, opened from texts; a trial: one workload run on it. An object
 * that cannot be opened fails the test. */
#ifndef TEST_RUN_RIG_H
#define TEST_RUN_RIG_H

#include "unit.h"

#include <stdbool.h>

#include "ecube/audit.h"
#include "ecube/net.h"
#include "ecube/run.h"
#include "ecube/session.h"
#include "ecube/shape.h"

struct rig {
    struct ec_session *session;
    struct ec_case *c; /* topology and router, without a workload */
    struct ec_topology t;
    struct ec_router r;
    struct ec_net *net;
};

/* Open, or change: compiled shapes stay loaded. Everything in `spec` except the topology may be
 * zero. The rig is zeroed before its first use. */
void rig_open(struct rig *rig, const struct ec_case_spec *spec);
void rig_close(struct rig *rig);

struct trial {
    const struct rig *rig;
    struct ec_run_options options;
    struct ec_workload *w;
    struct ec_audit *audit; /* NULL in open loop */
    struct ec_report *report;
};

/* Run a workload; `options` may be NULL. trial_close() frees it. */
struct trial rig_run(struct rig *rig, const char *workload, const struct ec_run_options *options);
void trial_close(struct trial *trial);

/* The run as a command that repeats it, and its result. */
const char *trial_text(const struct trial *trial);
/* Fails the test with trial_text() and a reason. */
void trial_fail(const struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fails unless all checks held. */
void trial_assert_passed(const struct trial *trial);
/* Fails unless all checks but `but` held. */
void trial_assert_passed_but(const struct trial *trial, enum ec_check_id but);
#define trial_assert_equal(trial, what, is, should)                                                \
    do {                                                                                           \
        const uint64_t is_ = (is), should_ = (should);                                             \
        if (is_ != should_)                                                                        \
            trial_fail(trial, "%s: %llu, should be %llu", what, (unsigned long long)is_,           \
                       (unsigned long long)should_);                                               \
    } while (0)

#endif
