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

static bool steps_must(struct claims_run *run, const struct claims_shift *g, uint32_t m,
                       uint32_t ts, const struct claims_seen *seen)
{
    if (!claims_require(run, seen->checked->valid && seen->checked->one_port,
                        "size %" PRIu32 ", q=%" PRIu32 ", %s: %s", g->size, g->q,
                        seen->schedule->algorithm, seen->checked->defect))
        return false;
    if (!g->timed)
        return true;
    const uint64_t cycles = try_steps_time(seen->steps, m, ts);
    claims_predicted(run, "cycles", cycles);
    return claims_require_uncontended(
               run, seen, "size %" PRIu32 ", q=%" PRIu32 ": contended cycles", g->size, g->q) &&
           claims_require_equal(run, seen->cycles, cycles,
                                "size %" PRIu32 ", q=%" PRIu32 ": cycles of %" PRIu32 " steps",
                                g->size, g->q, seen->steps);
}

bool try_ring(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return claims_look(run, g->timed, ret,
                       "ring:%" PRIu32 " shift:q=%" PRIu32 "%s --algorithm %s%s", g->size, g->q,
                       t.m, algorithm, t.ts) &&
           steps_must(run, g, m, ts, ret);
}

bool try_torus(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
               uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return claims_look(run, g->timed, ret,
                       "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 "%s --algorithm %s%s",
                       g->size, g->size, g->q, t.m, algorithm, t.ts) &&
           steps_must(run, g, m, ts, ret);
}

bool try_gray(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret)
{
    const struct text t = text_of(m, ts);
    return claims_look(run, g->timed, ret,
                       "cube:%" PRIu32 " shift:q=%" PRIu32 ",labels=gray%s --algorithm %s%s",
                       g->size, g->q, t.m, algorithm, t.ts) &&
           steps_must(run, g, m, ts, ret);
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
