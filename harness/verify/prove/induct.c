/* SPDX-License-Identifier: Apache-2.0 */
/* Drops properties until the rest is inductive. Knows two cycles of a circuit; must not know what
 * the properties mean.
 *
 * Each property is a question of its own: most need few others and few gates. Of each one that is
 * proved, the solver says which properties of the cycle before it needed. Only if one of these is
 * dropped must it be proved again. */
#include "prove/induct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A question gets little time first, and more if there is no answer. */
enum { MORE = 4 };
static const double brief_seconds = 1;

struct property {
    bool proved, late; /* late: the last question had no answer in time */
    double seconds;    /* for its question */
    bool *needs;       /* [properties]: if proved, from these; owned */
};

struct work {
    const struct ec_induct *q;
    bool *keep;
    struct ec_frames *f;
    uint32_t *now, *next;        /* maps of two cycles */
    uint32_t *holds;             /* [count] a bit: the property is assumed */
    uint32_t *all;               /* [count + 1] of a question */
    struct property *properties; /* [count] */
    double deadline;
};

/* The gates of a cycle, and its assumptions. */
static void add_cycle(struct ec_frames *f, const struct ec_aig *a, uint32_t *map)
{
    ec_frames_cycle(f, a, map);
    ec_frames_assume(f, a, map);
}

/* --- A guess ---------------------------------------------------------------------------------- */

enum ec_code ec_induct_guess(const struct ec_aig *a, const uint8_t *fixed, double seconds,
                             uint8_t *ret, struct ec_error *reterr)
{
    const uint32_t first = 1 + a->inputs;
    uint32_t *now = ec_frames_map(a), *next = ec_frames_map(a);
    struct ec_frames *f = NULL;
    enum ec_code code = now != NULL && next != NULL
                            ? ec_frames_open(NULL, NULL, &f, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    memset(ret, 0, (size_t)first + a->registers);
    if (code == EC_OK) {
        ec_frames_inputs(f, a, fixed, NULL, now);
        ec_frames_inputs(f, a, fixed, NULL, next);
        ec_frames_first(f, a, now);
        add_cycle(f, a, now);
        ec_frames_next(a, now, next);
        add_cycle(f, a, next);
        if (ec_frames_ask(f, NULL, 0, seconds) == EC_FRAMES_YES) {
            for (uint32_t i = 1; i < first + a->registers; i++)
                ret[i] = ec_frames_value(f, next[i]);
        }
        if (ec_frames_failed(f))
            code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    ec_frames_close(f);
    free(now);
    free(next);
    return code;
}

/* --- The first cycle -------------------------------------------------------------------------- */

static enum ec_code check_first(struct work *w, struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    const struct ec_aig *a = q->aig;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    ec_frames_inputs(w->f, a, q->fixed, q->guess, w->now);
    ec_frames_first(w->f, a, w->now);
    add_cycle(w->f, a, w->now);
    for (size_t i = 0; i < q->count; i++) {
        const uint32_t bad = ec_frames_at(w->now, q->bad[i]);
        if (w->keep[i] && bad != 0)
            w->keep[i] = ec_frames_ask(w->f, &bad, 1, q->each) == EC_FRAMES_NO;
    }
    const bool failed = ec_frames_failed(w->f);
    ec_frames_close(w->f);
    w->f = NULL;
    return failed ? ec_fail(reterr, EC_MEMORY, "out of memory for a proof") : EC_OK;
}

/* --- The step --------------------------------------------------------------------------------- */

static enum ec_code begin_step(struct work *w, struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    const struct ec_aig *a = q->aig;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    ec_frames_inputs(w->f, a, q->fixed, q->guess, w->now);
    ec_frames_inputs(w->f, a, q->fixed, q->guess, w->next);
    ec_frames_any(w->f, a, q->guess, w->now);
    add_cycle(w->f, a, w->now);
    ec_frames_next(a, w->now, w->next);
    add_cycle(w->f, a, w->next);
    for (size_t i = 0; i < q->count && !ec_frames_failed(w->f); i++) {
        struct property *p = &w->properties[i];
        p->proved = !w->keep[i];
        p->seconds = fmin(brief_seconds, q->each);
        p->needs = calloc(q->count + 1, sizeof *p->needs);
        if (p->needs == NULL)
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
        if (!w->keep[i])
            continue;
        w->holds[i] = ec_frames_bit(w->f);
        ec_frames_fact(w->f, w->holds[i], ec_frames_at(w->now, q->bad[i]) ^ 1);
    }
    return EC_OK;
}

/* Those that need it must be proved again. */
static void drop(struct work *w, size_t property)
{
    w->keep[property] = false;
    w->properties[property].proved = true; /* no question is left */
    for (size_t i = 0; i < w->q->count; i++) {
        if (w->keep[i] && w->properties[i].needs[property])
            w->properties[i].proved = false;
    }
}

/* All properties that the answer violates. */
static void drop_violated(struct work *w)
{
    for (size_t i = 0; i < w->q->count; i++) {
        if (w->keep[i] && ec_frames_value(w->f, ec_frames_at(w->next, w->q->bad[i])))
            drop(w, i);
    }
}

/* Can the property be violated in the next cycle? */
static enum ec_frames_answer ask_property(struct work *w, size_t property)
{
    struct property *p = &w->properties[property];
    const uint32_t bad = ec_frames_at(w->next, w->q->bad[property]);
    size_t all = 0;
    memset(p->needs, 0, w->q->count * sizeof *p->needs);
    if (bad == 0)
        return EC_FRAMES_NO;
    for (size_t i = 0; i < w->q->count; i++) {
        if (w->keep[i])
            w->all[all++] = w->holds[i];
    }
    w->all[all++] = bad;
    const enum ec_frames_answer answer = ec_frames_ask(w->f, w->all, all, p->seconds);
    for (size_t i = 0; i < w->q->count && answer == EC_FRAMES_NO; i++)
        p->needs[i] = w->keep[i] && ec_frames_needed(w->f, w->holds[i]);
    return answer;
}

static void tell_progress(const struct work *w)
{
    size_t proved = 0, left = 0;
    for (size_t i = 0; i < w->q->count; i++) {
        proved += w->keep[i] && w->properties[i].proved;
        left += !w->properties[i].proved;
    }
    if (w->q->progress != NULL)
        w->q->progress(w->q->context, proved, left);
}

/* Ask about all properties that are not proved. */
static enum ec_code ask_all(struct work *w, struct ec_error *reterr)
{
    for (size_t i = 0; i < w->q->count && ec_frames_clock() < w->deadline; i++) {
        if (w->properties[i].proved)
            continue;
        const enum ec_frames_answer answer = ask_property(w, i);
        if (w->q->stop != NULL && w->q->stop(w->q->context))
            return ec_fail(reterr, EC_INTERRUPTED, "interrupted");
        if (ec_frames_failed(w->f))
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
        w->properties[i].late = answer == EC_FRAMES_TIME;
        if (answer == EC_FRAMES_NO)
            w->properties[i].proved = true;
        else if (answer == EC_FRAMES_YES)
            drop_violated(w);
        else
            w->properties[i].seconds *= MORE;
        tell_progress(w);
    }
    return EC_OK;
}

/* Properties that have no answer yet are facts for the others meanwhile. They are dropped while
 * there is time to prove the others without them. */
static enum ec_code step(struct work *w, struct ec_error *reterr)
{
    const double give_up = w->deadline - w->q->seconds / 4;
    for (bool left = true; left && ec_frames_clock() < w->deadline;) {
        const enum ec_code code = ask_all(w, reterr);
        if (code != EC_OK)
            return code;
        left = false;
        for (size_t i = 0; i < w->q->count; i++) {
            struct property *p = &w->properties[i];
            if (p->proved)
                continue;
            left = true;
            if (p->late && (p->seconds > w->q->each || ec_frames_clock() > give_up))
                drop(w, i);
        }
    }
    return EC_OK;
}

/* After the time is up: what is proved from what is proved. */
static void drop_unproved(struct work *w)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < w->q->count; i++) {
            if (w->keep[i] && !w->properties[i].proved) {
                drop(w, i);
                again = true;
            }
        }
    }
}

enum ec_code ec_induct(const struct ec_induct *q, bool *keep, struct ec_error *reterr)
{
    struct work w = {.q = q,
                     .keep = keep,
                     .now = ec_frames_map(q->aig),
                     .next = ec_frames_map(q->aig),
                     .holds = calloc(q->count + 1, sizeof *w.holds),
                     .all = calloc(q->count + 1, sizeof *w.all),
                     .properties = calloc(q->count + 1, sizeof *w.properties),
                     .deadline = ec_frames_clock() + q->seconds};
    enum ec_code code = EC_OK;
    if (!w.now || !w.next || !w.holds || !w.all || !w.properties)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    if (code == EC_OK)
        code = check_first(&w, reterr);
    if (code == EC_OK)
        code = begin_step(&w, reterr);
    if (code == EC_OK)
        code = step(&w, reterr);
    if (code == EC_OK)
        drop_unproved(&w);
    ec_frames_close(w.f);
    for (size_t i = 0; i < q->count && w.properties != NULL; i++)
        free(w.properties[i].needs);
    free(w.properties);
    free(w.now);
    free(w.next);
    free(w.holds);
    free(w.all);
    return code;
}

/* --- All together ----------------------------------------------------------------------------- */

struct question {
    const struct ec_induct *q;
    struct ec_frames *f;
    double deadline;
    size_t done; /* properties, of both questions */
};

/* A cycle whose registers are in `map`; its assumptions are met. Nearly all gates will be needed,
 * so the solver is told at once. */
static void add_told_cycle(const struct question *w, uint32_t *map)
{
    const struct ec_aig *a = w->q->aig;
    ec_frames_inputs(w->f, a, w->q->fixed, w->q->guess, map);
    ec_frames_cycle(w->f, a, map);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(map, a->assume[i]);
        ec_frames_require(w->f, 1, &met, 1);
    }
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
        if (left <= 0 || ec_frames_ask(w->f, &violated, 1, fmin(q->each, left)) != EC_FRAMES_NO)
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
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    if (step)
        ec_frames_any(w->f, a, NULL, now);
    else
        ec_frames_first(w->f, a, now);
    add_told_cycle(w, now);
    for (size_t i = 0; i < q->count && step; i++) {
        const uint32_t holds = ec_frames_at(now, q->bad[i]) ^ 1;
        ec_frames_require(w->f, 1, &holds, 1);
    }
    if (step) {
        ec_frames_next(a, now, next);
        add_told_cycle(w, next);
    }
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
    struct question w = {.q = q, .deadline = ec_frames_clock() + q->seconds};
    uint32_t *now = ec_frames_map(q->aig), *next = ec_frames_map(q->aig);
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
