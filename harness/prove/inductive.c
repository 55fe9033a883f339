/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for each property in the first cycle, and behind a cycle in which all of them hold. Knows
 * cycles of a circuit; must not know what the properties mean. */
#include "prove/inductive.h"

#include <stdlib.h>

struct question {
    const struct ec_induct *q;
    struct ec_frames *f;
    double deadline;
    size_t done; /* properties, of both questions */
};

/* A cycle whose registers are in `map`; its assumptions are met. */
static void add_cycle(const struct question *w, uint32_t *map)
{
    const struct ec_aig *a = w->q->aig;
    ec_induct_inputs(w->f, a, w->q->fixed, w->q->guess, map);
    ec_frames_cycle(w->f, a, map);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(map, a->assume[i]);
        ec_frames_require(w->f, 1, &met, 1);
    }
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Can none of the properties be violated in the cycle of `map`? */
static bool none_violated(struct question *w, const uint32_t *map)
{
    const struct ec_induct *q = w->q;
    for (size_t i = 0; i < q->count; i++) {
        const uint32_t violated = ec_frames_at(map, q->bad[i]), holds = violated ^ 1;
        const double left = w->deadline - ec_frames_clock();
        if (q->progress != NULL)
            q->progress(q->context, w->done, 2 * q->count - w->done);
        w->done++;
        if (violated == 0)
            continue;
        if (left <= 0 || ec_frames_ask(w->f, &violated, 1, least(q->each, left)) != EC_FRAMES_NO)
            return false;
        ec_frames_require(w->f, 1, &holds, 1);
    }
    return !ec_frames_failed(w->f);
}

/* `step`: behind any cycle in which all properties hold; else in the first cycle. */
static enum ec_code ask(struct question *w, bool step, uint32_t *now, uint32_t *next, bool *ret,
                        struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    const struct ec_aig *a = q->aig;
    const uint32_t first = 1 + a->inputs;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    for (uint32_t i = 0; i < a->registers; i++)
        now[first + i] =
            step || a->start[i] == EC_AIG_ANY ? ec_frames_bit(w->f) : a->start[i] == EC_AIG_ONE;
    add_cycle(w, now);
    for (size_t i = 0; i < q->count && step; i++) {
        const uint32_t holds = ec_frames_at(now, q->bad[i]) ^ 1;
        ec_frames_require(w->f, 1, &holds, 1);
    }
    for (uint32_t i = 0; i < a->registers && step; i++)
        next[first + i] = ec_frames_at(now, a->next[i]);
    if (step)
        add_cycle(w, next);
    *ret = none_violated(w, step ? next : now);
    if (ec_frames_failed(w->f))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    ec_frames_close(w->f);
    if (code == EC_OK && q->stop != NULL && q->stop(q->context))
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    return code;
}

enum ec_code ec_inductive(const struct ec_induct *q, bool *ret, struct ec_error *reterr)
{
    const size_t variables = (size_t)1 + q->aig->inputs + q->aig->registers + q->aig->gates;
    struct question w = {.q = q, .deadline = ec_frames_clock() + q->seconds};
    uint32_t *now = calloc(variables, sizeof *now), *next = calloc(variables, sizeof *next);
    *ret = false;
    enum ec_code code = now != NULL && next != NULL
                            ? ask(&w, false, now, next, ret, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    if (code == EC_OK && *ret)
        code = ask(&w, true, now, next, ret, reterr);
    free(now);
    free(next);
    return code;
}
