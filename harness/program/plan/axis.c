/* SPDX-License-Identifier: Apache-2.0 */
/* The fastest algorithm of a case over the values of a parameter. Knows how a specification changes
 * with the parameter; must not know how "best" chooses. */
#include "program/plan/axis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalue.h"
#include "base/list.h"
#include "session/session.h"

enum {
    TRIAL_ROUTER_CYCLES = 1 << 20 /* of a candidate without a prediction */
};

struct following {
    const struct ec_case *c;
    enum ec_axis axis;
    struct ec_axis_points points;
    size_t room;
};

/* "NAME:KEY=VALUE,..." with another value of `key`. False: the text does not fit. */
static bool replace_value(const char *text, const char *key, uint64_t value, char *buffer,
                          size_t size)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)value);
    char *set = ec_keyvalue_set_named(text, ec_slice_of(key), ec_slice_of(number));
    const bool fits = set && (size_t)snprintf(buffer, size, "%s", set) < size;
    free(set);
    return fits;
}

/* The dimensions that no cycle moves come and go with K; the others keep their order. */
static bool resize_cycles(const struct ec_sdp *s, unsigned storage, struct ec_sdp *ret)
{
    unsigned to[EC_SDP_DIMS_MAX], next = 0;
    for (unsigned i = 0; i < s->storage; i++) {
        const bool moved = s->from[i] != i || s->complement >> i & 1;
        to[i] = moved ? next++ : EC_SDP_DIMS_MAX;
    }
    if (next > storage || storage + s->processor > EC_SDP_DIMS_MAX)
        return false;
    for (unsigned i = 0; i < s->processor; i++)
        to[s->storage + i] = storage + i;
    *ret = ec_sdp_identity(storage, s->processor);
    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        if (to[i] == EC_SDP_DIMS_MAX)
            continue;
        ret->from[to[i]] = (uint8_t)to[s->from[i]];
        ret->complement |= (s->complement >> i & 1) << to[i];
    }
    return true;
}

/* A gsh names dimensions, of which those of the processors begin at log2 K. */
static bool resize_gsh(const struct ec_workload *w, uint64_t K, char *buffer, size_t size)
{
    unsigned storage = 0;
    struct ec_sdp sdp;
    char cycles[256], sub[32] = "";
    while (UINT64_C(1) << storage < K)
        storage++;
    if (!resize_cycles(w->sdp, storage, &sdp))
        return false;
    ec_sdp_format(&sdp, cycles, sizeof cycles);
    if (w->holders != w->nodes)
        snprintf(sub, sizeof sub, ",sub=%d", __builtin_ctz(w->holders));
    return (size_t)snprintf(buffer, size, "gsh:cycle=%s,K=%llu%s,m=%u", cycles,
                            (unsigned long long)K, sub, w->words) < size;
}

static uint64_t own_value(const struct following *f)
{
    switch (f->axis) {
    case EC_AXIS_ELEMENTS:
        return f->c->pattern->per_node;
    case EC_AXIS_LENGTH:
        return f->c->pattern->vector ? f->c->pattern->vector : f->c->pattern->words;
    default:
        return f->c->spec.startup;
    }
}

/* False: there is no such workload. */
static bool change(const struct following *f, uint64_t value, struct ec_case_spec *spec,
                   char *workload, size_t size)
{
    const struct ec_workload *w = f->c->pattern;
    spec->workload = workload;
    switch (f->axis) {
    case EC_AXIS_ELEMENTS:
        return strcmp(w->name, "gsh") == 0
                   ? resize_gsh(w, value, workload, size)
                   : replace_value(f->c->spec.workload, "K", value, workload, size);
    case EC_AXIS_LENGTH:
        return replace_value(f->c->spec.workload, "m", value, workload, size);
    default:
        spec->workload = f->c->spec.workload;
        spec->startup = (uint32_t)value;
        return true;
    }
}

static struct ec_axis_point point_of(const struct ec_case *c, uint64_t value)
{
    struct ec_axis_point p = {.value = value, .best = c->candidates[0], .rival = c->candidates[0]};
    p.open = p.best.basis == EC_BASIS_AT_LEAST;
    for (size_t i = 1; i < c->candidate_count; i++) {
        const struct ec_candidate *k = &c->candidates[i];
        if (k->basis == EC_BASIS_AT_LEAST && k->cycles < p.rival.cycles) {
            p.rival = *k;
            p.open = true;
        }
    }
    return p;
}

/* The point of a value, in its place. A value without a workload is left out. */
static enum ec_code evaluate(struct following *f, uint64_t value, struct ec_error *e)
{
    const struct ec_session_options *o = session_options(f->c->session);
    struct ec_case_spec spec = f->c->spec;
    struct ec_axis_points *p = &f->points;
    struct ec_case *c;
    char workload[300];
    const uint64_t budget = TRIAL_ROUTER_CYCLES / f->c->topology.nodes;
    spec.all_candidates = false;
    spec.budget = spec.has_budget && spec.budget < budget ? spec.budget : budget;
    spec.has_budget = true;
    if (o->go_on && !o->go_on(o->context))
        return ec_fail(e, EC_INTERRUPTED, "interrupted");
    if (!change(f, value, &spec, workload, sizeof workload))
        return EC_OK;
    const enum ec_code code = ec_case_open(f->c->session, &spec, &c, e);
    if (code != EC_OK)
        return code == EC_USAGE ? EC_OK : code;
    const struct ec_axis_point point = point_of(c, value);
    const bool room = EC_LIST_PUSH(p->at, p->count, f->room, point);
    for (size_t at = p->count - 1; room && at > 0 && p->at[at - 1].value > value; at--) {
        p->at[at] = p->at[at - 1];
        p->at[at - 1] = point;
    }
    ec_case_close(c);
    return room ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
}

bool ec_axis_same(const struct ec_axis_point *a, const struct ec_axis_point *b)
{
    const size_t name = strcspn(a->best.algorithm, ":");
    return a->best.ports == b->best.ports && name == strcspn(b->best.algorithm, ":") &&
           memcmp(a->best.algorithm, b->best.algorithm, name) == 0;
}

/* A value in the middle of two, 0 if they are neighbours: of a collective operation, a vector that
 * all its ways can share. */
static uint64_t between(const struct following *f, uint64_t low, uint64_t high)
{
    const bool shared = f->axis == EC_AXIS_LENGTH && f->c->pattern->vector;
    const uint64_t unit = shared ? 2 * (uint64_t)f->c->topology.nodes : 1;
    const uint64_t middle = (low + (high - low) / 2) / unit * unit;
    return middle > low ? middle : 0;
}

/* Halve every gap in which the algorithm changes, until the two values are neighbours. */
static enum ec_code bisect(struct following *f, struct ec_error *e)
{
    size_t i = 0;
    while (i + 1 < f->points.count) {
        const struct ec_axis_point *a = &f->points.at[i], *b = a + 1;
        const size_t before = f->points.count;
        const uint64_t middle = between(f, a->value, b->value);
        if (!ec_axis_same(a, b) && middle > 0) {
            const enum ec_code code = evaluate(f, middle, e);
            if (code != EC_OK)
                return code;
        }
        i += f->points.count == before; /* else the left half first */
    }
    return EC_OK;
}

enum ec_code ec_case_over(const struct ec_case *c, enum ec_axis axis, struct ec_axis_points *ret,
                          struct ec_error *reterr)
{
    struct following f = {.c = c, .axis = axis};
    const uint64_t own = own_value(&f);
    const bool elements = axis == EC_AXIS_ELEMENTS;
    uint64_t most = elements ? EC_AXIS_ELEMENTS_MAX / c->pattern->holders : EC_AXIS_VALUE_MAX;
    most = most < own ? own : most;
    enum ec_code code = axis == EC_AXIS_STARTUP ? evaluate(&f, 0, reterr) : EC_OK;
    for (uint64_t value = 1; code == EC_OK && value <= most; value *= 2) {
        if (own < value && own > value / 2)
            code = evaluate(&f, own, reterr);
        if (code == EC_OK)
            code = evaluate(&f, value, reterr);
    }
    if (code == EC_OK && own == most && (own & (own - 1)))
        code = evaluate(&f, own, reterr);
    if (code == EC_OK && !elements)
        code = bisect(&f, reterr);
    if (code == EC_OK)
        *ret = f.points;
    else
        free(f.points.at);
    return code;
}
