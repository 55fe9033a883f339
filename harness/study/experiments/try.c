/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts by an algorithm of steps, and straight ones: asked for in one way by all experiments.
 *
 * Knows the closed forms of model/cost and what such runs must always show. */
#include "study/experiments/try.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ec_cost.h"

uint64_t try_steps_time(uint64_t steps, uint32_t m, uint32_t ts)
{
    enum { DEPTH = 4 }; /* the router's default */
    return steps * ec_cost_wormhole(1, m, m, ts, DEPTH);
}

uint64_t try_step_startup(uint32_t m, uint32_t ts)
{
    return try_steps_time(1, m, ts) - m;
}

struct claims_shift try_one(uint32_t size, uint32_t nodes, uint32_t q)
{
    return (struct claims_shift){.size = size, .nodes = nodes, .q = q, .timed = true};
}

/* ",m=8" and " --startup 7", where they are not the defaults. */
struct text {
    char m[24], ts[32];
};

static struct text text_of(uint32_t m, uint32_t ts)
{
    struct text t = {"", ""};
    if (m != 1)
        snprintf(t.m, sizeof t.m, ",m=%" PRIu32, m);
    if (ts != 0)
        snprintf(t.ts, sizeof t.ts, " --startup %" PRIu32, ts);
    return t;
}

bool try_steps(struct claims_run *run, bool timed, struct claims_seen *ret, const char *format, ...)
{
    char words[200];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (!claims_look(run, timed, ret, "%s", words) ||
        !claims_require(run, ret->checked->valid && ret->checked->one_port, "%s: %s", words,
                        ret->checked->defect))
        return false;
    if (!timed)
        return true;
    const uint64_t cycles =
        try_steps_time(ret->steps, ret->workload->messages[0].words, ret->startup);
    claims_predicted(run, "cycles", cycles);
    return claims_require_uncontended(run, ret, "%s: contended cycles", words) &&
           claims_require_equal(run, ret->cycles, cycles, "%s: cycles of %" PRIu32 " steps", words,
                                ret->steps);
}

bool try_ring(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return try_steps(run, g->timed, ret, "ring:%" PRIu32 " shift:q=%" PRIu32 "%s --algorithm %s%s",
                     g->size, g->q, t.m, algorithm, t.ts);
}

bool try_torus(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
               uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return try_steps(run, g->timed, ret,
                     "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 "%s --algorithm %s%s",
                     g->size, g->size, g->q, t.m, algorithm, t.ts);
}

bool try_gray(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return try_steps(run, g->timed, ret,
                     "cube:%" PRIu32 " shift:q=%" PRIu32 ",labels=gray%s --algorithm %s%s", g->size,
                     g->q, t.m, algorithm, t.ts);
}

bool try_data(struct claims_run *run, uint64_t cycles, const char *format, ...)
{
    struct claims_seen seen;
    char words[200];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return claims_measure(run, &seen, "%s --sync data", words) &&
           claims_require_predicted(run, &seen, "%s --sync data: cycles", words) &&
           claims_require(run, seen.cycles <= cycles, "%s --sync data is slower", words);
}

bool try_direct(struct claims_run *run, const struct claims_shift *g, bool gray, bool high,
                uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return claims_look(run, g->timed, ret, "cube:%" PRIu32 " shift:q=%" PRIu32 "%s%s%s%s", g->size,
                       g->q, gray ? ",labels=gray" : "", t.m, high ? " --router order=high" : "",
                       t.ts);
}
