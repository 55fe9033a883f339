/* SPDX-License-Identifier: Apache-2.0 */
/* Drops properties until the rest is inductive. Knows two cycles of a circuit; must not know what
 * the properties mean.
 *
 * Each property is a question of its own: most need few others and few gates. Each one that is
 * proved is a fact for the next. What an answer violates is dropped, and the rest is asked again.
 */
#include "prove/induct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A question gets little time first, and more if there is no answer. */
enum { MORE = 4 };
static const double brief_seconds = 1;

struct work {
    const struct ec_induct *q;
    bool *keep;   /* [count] */
    bool *proved; /* [count] in this round */
    struct ec_frames *f;
    uint32_t *now, *next; /* maps of two cycles */
    double deadline;
    bool dropped, late; /* some in this round; some had no answer in time */
};

/* --- A round ---------------------------------------------------------------------------------- */

/* A cycle whose registers are in `map`; its assumptions are met. Nearly all gates will be needed,
 * so the solver is told at once. */
static void add_told_cycle(const struct work *w, uint32_t *map)
{
    const struct ec_aig *a = w->q->aig;
    ec_frames_inputs(w->f, a, map);
    ec_frames_cycle(w->f, a, map);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(map, a->assume[i]);
        ec_frames_require(w->f, 1, &met, 1);
    }
}

/* `step`: any cycle in which all properties hold, and the next one; else the first cycle. */
static void add_cycles(const struct work *w, bool step)
{
    const struct ec_induct *q = w->q;
    if (!step)
        ec_frames_first(w->f, q->aig, w->now);
    else
        ec_frames_any(w->f, q->aig, w->now);
    add_told_cycle(w, w->now);
    for (size_t i = 0; i < q->count && step; i++) {
        const uint32_t holds = ec_frames_at(w->now, q->bad[i]) ^ 1;
        if (w->keep[i])
            ec_frames_require(w->f, 1, &holds, 1);
    }
    if (step) {
        ec_frames_next(q->aig, w->now, w->next);
        add_told_cycle(w, w->next);
    }
}

static void drop_violated(struct work *w, const uint32_t *map)
{
    for (size_t i = 0; i < w->q->count; i++)
        w->keep[i] = w->keep[i] && !ec_frames_value(w->f, ec_frames_at(map, w->q->bad[i]));
}

static void tell_progress(const struct work *w)
{
    size_t proved = 0, kept = 0;
    for (size_t i = 0; i < w->q->count; i++) {
        proved += w->proved[i];
        kept += w->keep[i];
    }
    if (w->q->progress != NULL)
        w->q->progress(w->q->context, proved, kept - proved);
}

/* Can the property be violated in the cycle of `map`? If there is no answer in time, it is dropped
 * (`last`), or late. */
static void ask_property(struct work *w, const uint32_t *map, size_t i, double seconds, bool last)
{
    const uint32_t violated = ec_frames_at(map, w->q->bad[i]), holds = violated ^ 1;
    const enum ec_frames_answer answer =
        violated != 0 ? ec_frames_ask(w->f, &violated, 1, seconds) : EC_FRAMES_NO;
    w->proved[i] = answer == EC_FRAMES_NO;
    if (w->proved[i])
        ec_frames_require(w->f, 1, &holds, 1);
    else if (answer == EC_FRAMES_YES)
        drop_violated(w, map);
    w->keep[i] = w->keep[i] && (answer != EC_FRAMES_TIME || !last);
    w->dropped = w->dropped || !w->keep[i];
    w->late = w->late || (answer == EC_FRAMES_TIME && !last);
}

/* Ask about all properties, with more and more time. */
static void ask_all(struct work *w, const uint32_t *map)
{
    const struct ec_induct *q = w->q;
    const double give_up = w->deadline - q->seconds / 4;
    double seconds = q->all ? q->each : fmin(brief_seconds, q->each);
    do {
        w->late = false;
        for (size_t i = 0; i < q->count && !ec_frames_failed(w->f); i++) {
            const double left = w->deadline - ec_frames_clock();
            if (left > 0 && w->keep[i] && !w->proved[i] && !(q->all && w->dropped))
                ask_property(w, map, i, fmin(seconds, left),
                             seconds >= q->each || ec_frames_clock() > give_up);
            tell_progress(w);
        }
        seconds *= MORE;
    } while (w->late && !w->dropped && ec_frames_clock() < w->deadline);
}

/* In a solver that knows only of those that are kept. */
static enum ec_code run_round(struct work *w, bool step, struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    w->dropped = false;
    memset(w->proved, 0, q->count * sizeof *w->proved);
    add_cycles(w, step);
    ask_all(w, step ? w->next : w->now);
    if (ec_frames_failed(w->f))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    ec_frames_close(w->f);
    if (code == EC_OK && q->stop != NULL && q->stop(q->context))
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    return code;
}

enum ec_code ec_induct(const struct ec_induct *q, bool *keep, struct ec_error *reterr)
{
    struct work w = {.q = q,
                     .keep = keep,
                     .proved = calloc(q->count + 1, sizeof *w.proved),
                     .now = ec_frames_map(q->aig),
                     .next = ec_frames_map(q->aig),
                     .deadline = ec_frames_clock() + q->seconds};
    enum ec_code code = EC_OK;
    if (!w.proved || !w.now || !w.next)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (unsigned step = 0; step < 2; step++) {
        do {
            if (code == EC_OK && !(q->all && w.dropped))
                code = run_round(&w, step, reterr);
        } while (code == EC_OK && w.dropped && !q->all && ec_frames_clock() < w.deadline);
    }
    /* What was proved in a round rests on all that it began with. */
    bool all = code == EC_OK && !w.dropped;
    for (size_t i = 0; i < q->count && all; i++)
        all = w.proved[i] || !keep[i];
    for (size_t i = 0; i < q->count; i++)
        keep[i] = keep[i] && all;
    free(w.proved);
    free(w.now);
    free(w.next);
    return code;
}
