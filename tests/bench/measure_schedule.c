/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring schedules: the time to make and to audit one. Knows the library; must not know tables,
 * options or networks. */
#include <stdio.h>

#include "ecube/schedule.h"
#include "measure.h"
#include "network.h"

static void fail(struct bench_schedule_result *result, const char *why)
{
    snprintf(result->message, sizeof result->message, "%.590s", why);
    result->passed = false;
}

static enum ec_code measure(const struct bench_schedule *c, const struct ec_topology *t,
                            const struct ec_workload *w, unsigned i,
                            struct bench_schedule_result *result, struct ec_error *error)
{
    struct ec_schedule *s;
    struct ec_schedule_audit found;
    struct bench_time begin = bench_now();
    enum ec_code code = ec_schedule_open(t, w, c->algorithm, &s, error);
    result->made[i] = bench_since(begin);
    if (code != EC_OK)
        return code;
    begin = bench_now();
    code = ec_schedule_audit(t, &(struct ec_router){.order = EC_ORDER_LOW}, s, &found, error);
    result->audited[i] = bench_since(begin);
    if (code == EC_OK) {
        result->steps = found.steps;
        result->hops = found.element_hops;
        if (!found.valid)
            fail(result, found.defect);
    }
    ec_schedule_close(s);
    return code;
}

static void run_schedule(const void *of, void *out)
{
    const struct bench_schedule *c = of;
    struct bench_schedule_result *result = out;
    struct ec_topology t;
    struct ec_workload *w = NULL;
    struct ec_error error;
    enum ec_code code = ec_topology_parse(c->topology, &t, &error);
    if (code == EC_OK)
        code = ec_workload_open(c->workload, &t, BENCH_SEED, &w, &error);
    for (unsigned i = 0; i < result->repeats && code == EC_OK; i++)
        code = measure(c, &t, w, i, result, &error);
    if (code != EC_OK)
        fail(result, error.message);
    ec_workload_close(w);
}

void bench_measure_schedule(const struct bench_schedule *c, unsigned repeats,
                            struct bench_schedule_result *ret)
{
    struct rusage usage;
    *ret = (struct bench_schedule_result){.passed = true, .repeats = repeats};
    if (!bench_in_child(run_schedule, c, ret, sizeof *ret, &usage))
        fail(ret, "the process of this case died");
    ret->peak_bytes = bench_peak_bytes(&usage);
}
