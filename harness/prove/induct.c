/* SPDX-License-Identifier: Apache-2.0 */
/* Drops properties until the rest is inductive. Knows two cycles of a circuit; must not know what
 * the properties mean.
 *
 * Properties are asked for in groups. Of each group that is proved, the solver says which
 * properties of the cycle before it needed. Only if one of these is dropped must the group be
 * proved again. */
#include "prove/induct.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 24 };

struct group {
    size_t *members; /* [count]; owned */
    size_t count;
    bool proved;
    bool *needs; /* [properties]: if proved, from these; owned */
};

struct work {
    const struct ec_induct *q;
    bool *keep;
    struct ec_frames *f;
    uint32_t *now, *next; /* maps of two cycles */
    uint32_t *holds;      /* [count] a bit: the property is assumed */
    uint32_t *all;        /* [count + 1] of a question */
    struct group *groups;
    size_t group_count, group_room;
    double deadline;
};

void ec_induct_inputs(struct ec_frames *f, const struct ec_aig *a, const uint8_t *fixed,
                      uint32_t *map)
{
    for (uint32_t i = 0; i < a->inputs; i++)
        map[1 + i] = fixed != NULL && fixed[i] <= 1 ? fixed[i] : ec_frames_bit(f);
}

static bool stopped(const struct work *w)
{
    return w->q->stop != NULL && w->q->stop(w->q->context);
}

static uint32_t *make_map(const struct ec_aig *a)
{
    return calloc((size_t)1 + a->inputs + a->registers + a->gates, sizeof(uint32_t));
}

/* The gates of a cycle, and its assumptions. */
static void add_cycle(struct work *w, uint32_t *map)
{
    const struct ec_aig *a = w->q->aig;
    ec_frames_cycle(w->f, a, map);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(map, a->assume[i]);
        ec_frames_require(w->f, 1, &met, 1);
    }
}

/* --- The first cycle -------------------------------------------------------------------------- */

static enum ec_code check_first(struct work *w, struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    const struct ec_aig *a = q->aig;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    ec_induct_inputs(w->f, a, q->fixed, w->now);
    for (uint32_t i = 0; i < a->registers; i++)
        w->now[1 + a->inputs + i] =
            a->start[i] == EC_AIG_ANY ? ec_frames_bit(w->f) : a->start[i] == EC_AIG_ONE;
    add_cycle(w, w->now);
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

static bool add_group(struct work *w, const size_t *members, size_t count)
{
    struct group g = {.members = malloc((count + 1) * sizeof *g.members),
                      .count = count,
                      .needs = calloc(w->q->count + 1, sizeof *g.needs)};
    if (w->group_count == w->group_room) {
        const size_t room = 2 * w->group_room + 64;
        struct group *groups = realloc(w->groups, room * sizeof *groups);
        if (groups != NULL) {
            w->groups = groups;
            w->group_room = room;
        }
    }
    if (g.members == NULL || g.needs == NULL || w->group_count == w->group_room) {
        free(g.members);
        free(g.needs);
        return false;
    }
    memcpy(g.members, members, count * sizeof *members);
    w->groups[w->group_count++] = g;
    return true;
}

static enum ec_code begin_step(struct work *w, struct ec_error *reterr)
{
    const struct ec_induct *q = w->q;
    const struct ec_aig *a = q->aig;
    const uint32_t first = 1 + a->inputs;
    size_t members[GROUP], count = 0;
    enum ec_code code = ec_frames_open(q->stop, q->context, &w->f, reterr);
    if (code != EC_OK)
        return code;
    ec_induct_inputs(w->f, a, q->fixed, w->now);
    ec_induct_inputs(w->f, a, q->fixed, w->next);
    for (uint32_t i = 0; i < a->registers; i++)
        w->now[first + i] = ec_frames_bit(w->f);
    add_cycle(w, w->now);
    for (uint32_t i = 0; i < a->registers; i++)
        w->next[first + i] = ec_frames_at(w->now, a->next[i]);
    add_cycle(w, w->next);
    bool good = true;
    for (size_t i = 0; i < q->count && good; i++) {
        const uint32_t met = ec_frames_at(w->now, q->bad[i]) ^ 1;
        if (!w->keep[i])
            continue;
        w->holds[i] = ec_frames_bit(w->f);
        ec_frames_require(w->f, w->holds[i], &met, 1);
        members[count++] = i;
        if (count == GROUP) {
            good = add_group(w, members, count);
            count = 0;
        }
    }
    if (good && count > 0)
        good = add_group(w, members, count);
    return good ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
}

/* Groups that need it must be proved again. */
static void drop(struct work *w, size_t property)
{
    w->keep[property] = false;
    for (size_t g = 0; g < w->group_count; g++) {
        if (w->groups[g].needs[property])
            w->groups[g].proved = false;
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

/* Can a property of the group be violated in the next cycle? */
static enum ec_frames_answer ask_group(struct work *w, struct group *g)
{
    uint32_t any[GROUP];
    size_t count = 0, all = 0;
    for (size_t i = 0; i < g->count; i++) {
        const uint32_t bad = ec_frames_at(w->next, w->q->bad[g->members[i]]);
        if (w->keep[g->members[i]] && bad != 0)
            any[count++] = bad;
    }
    memset(g->needs, 0, w->q->count * sizeof *g->needs);
    if (count == 0)
        return EC_FRAMES_NO;
    const uint32_t when = ec_frames_bit(w->f);
    ec_frames_require(w->f, when, any, count);
    for (size_t i = 0; i < w->q->count; i++) {
        if (w->keep[i])
            w->all[all++] = w->holds[i];
    }
    w->all[all++] = when;
    const enum ec_frames_answer answer = ec_frames_ask(w->f, w->all, all, w->q->each);
    for (size_t i = 0; i < w->q->count && answer == EC_FRAMES_NO; i++)
        g->needs[i] = w->keep[i] && ec_frames_needed(w->f, w->holds[i]);
    return answer;
}

/* No answer in time: ask for halves, or drop a property that is alone. */
static bool split(struct work *w, size_t group)
{
    const struct group *g = &w->groups[group];
    size_t members[GROUP], count = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (w->keep[g->members[i]])
            members[count++] = g->members[i];
    }
    if (count == 1) {
        drop(w, members[0]);
        return true;
    }
    w->groups[group].count = 0;
    return add_group(w, members, count / 2) && add_group(w, members + count / 2, count - count / 2);
}

static enum ec_code step(struct work *w, struct ec_error *reterr)
{
    bool again = true, good = true;
    while (again && good) {
        again = false;
        for (size_t g = 0; g < w->group_count && good && ec_frames_clock() < w->deadline; g++) {
            if (w->groups[g].proved)
                continue;
            const enum ec_frames_answer answer = ask_group(w, &w->groups[g]);
            if (stopped(w))
                return ec_fail(reterr, EC_INTERRUPTED, "interrupted");
            w->groups[g].proved = answer == EC_FRAMES_NO;
            again = again || answer != EC_FRAMES_NO;
            if (answer == EC_FRAMES_YES)
                drop_violated(w);
            else if (answer == EC_FRAMES_TIME)
                good = split(w, g);
            size_t proved = 0;
            for (size_t k = 0; k < w->group_count; k++)
                proved += w->groups[k].proved;
            if (w->q->progress != NULL)
                w->q->progress(w->q->context, proved, w->group_count - proved);
        }
        for (size_t g = 0; g < w->group_count; g++)
            again = again || !w->groups[g].proved;
        again = again && ec_frames_clock() < w->deadline;
    }
    return good && !ec_frames_failed(w->f)
               ? EC_OK
               : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
}

/* After the time is up: what is proved from what is proved. */
static void drop_unproved(struct work *w)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t g = 0; g < w->group_count; g++) {
            const struct group *group = &w->groups[g];
            for (size_t i = 0; i < group->count && !group->proved; i++) {
                if (w->keep[group->members[i]]) {
                    drop(w, group->members[i]);
                    again = true;
                }
            }
        }
    }
}

enum ec_code ec_induct(const struct ec_induct *q, bool *keep, struct ec_error *reterr)
{
    struct work w = {.q = q,
                     .keep = keep,
                     .now = make_map(q->aig),
                     .next = make_map(q->aig),
                     .holds = calloc(q->count + 1, sizeof *w.holds),
                     .all = calloc(q->count + 1, sizeof *w.all),
                     .deadline = ec_frames_clock() + q->seconds};
    enum ec_code code = EC_OK;
    if (w.now == NULL || w.next == NULL || w.holds == NULL || w.all == NULL)
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
    for (size_t g = 0; g < w.group_count; g++) {
        free(w.groups[g].members);
        free(w.groups[g].needs);
    }
    free(w.groups);
    free(w.now);
    free(w.next);
    free(w.holds);
    free(w.all);
    return code;
}
