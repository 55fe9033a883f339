/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms by name: NAME[:KEY=VALUE,...]. Knows the tables of the families; must not know what
 * any of them does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "schedule/general/general.h"

#define BLOCK_MAX (UINT32_C(1) << 20)
#define NAMES_MAX 64

/* What all messages here begin with, and the argument for it. */
#define IN "algorithm '%.100s': "

static const struct plan_algorithm *const families[] = {
    plan_shift_algorithms, plan_gohil_algorithms,   plan_mixed_algorithms,
    plan_real_algorithms,  plan_general_algorithms, plan_extended_algorithms,
};

#define FAMILIES (sizeof families / sizeof *families)

static const char *const keys[PLAN_KEY_COUNT + 1] = {
    [PLAN_KEY_ORDER] = "order",
    [PLAN_KEY_READING] = "reading",
    [PLAN_KEY_BLOCK] = "block",
};

static const struct ec_algorithm_info direct = {
    .name = "direct",
    .parameters = "",
    .applies = "any workload on any topology",
    .text = "every message goes straight to its destination, all at once",
    .source = "Grama et al., 4.6.2",
};

/* Row `index` of all tables in sequence, or NULL. */
static const struct plan_algorithm *row(size_t index)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        for (const struct plan_algorithm *a = families[f]; a->info.name; a++) {
            if (index-- == 0)
                return a;
        }
    }
    return NULL;
}

const struct ec_algorithm_info *ec_algorithm_at(size_t index)
{
    if (index == 0)
        return &direct;
    const struct plan_algorithm *a = row(index - 1);
    return a ? &a->info : NULL;
}

static enum ec_code unknown(const char *text, struct ec_slice name, struct ec_error *reterr)
{
    const char *names[NAMES_MAX] = {0};
    char hint[64];
    const struct ec_algorithm_info *a;

    for (size_t i = 0; i + 1 < NAMES_MAX && (a = ec_algorithm_at(i)); i++)
        names[i] = a->name;
    return ec_fail(reterr, EC_USAGE,
                   IN "no algorithm is called '%.*s'%s (`ecube list algorithms` names all)", text,
                   EC_SHOWN(name), ec_nearest_hint(name.at, name.length, names, hint, sizeof hint));
}

static enum ec_code take_key(struct plan *p, const struct plan_algorithm *a, const char *text,
                             struct ec_slice option, struct ec_error *reterr)
{
    struct ec_slice value = option, key = {0};
    int k = 0;

    ec_slice_take(&value, '=', &key);
    while (k < PLAN_KEY_COUNT && !(a->keys >> k & 1 && ec_slice_is(key, keys[k])))
        k++;
    if (k == PLAN_KEY_COUNT)
        return ec_fail(reterr, EC_USAGE, IN "%s has no '%.*s' (it takes %s)", text, a->info.name,
                       EC_SHOWN(key), *a->info.parameters ? a->info.parameters : "nothing");
    if (!value.at || value.length == 0)
        return ec_fail(reterr, EC_USAGE, IN "'%.*s' has no value (%s)", text, EC_SHOWN(option),
                       a->info.parameters);
    if (p->value[k].at)
        return ec_fail(reterr, EC_USAGE, IN "'%s' is given twice", text, keys[k]);
    p->value[k] = value;
    return EC_OK;
}

/* The algorithm's row; its keys go into the plan. */
static enum ec_code parse(struct plan *p, const char *text, const struct plan_algorithm **ret,
                          struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(text), name = {0}, option;
    const struct plan_algorithm *a = NULL;

    ec_slice_take(&rest, ':', &name);
    for (size_t i = 0; (a = row(i)) && !ec_slice_is(name, a->info.name);)
        i++;
    if (!a)
        return unknown(text, name, reterr);
    while (ec_slice_take(&rest, ',', &option)) {
        const enum ec_code code = take_key(p, a, text, option, reterr);
        if (code)
            return code;
    }
    uint64_t block = 1;
    if (p->value[PLAN_KEY_BLOCK].at &&
        (!ec_slice_number(p->value[PLAN_KEY_BLOCK], BLOCK_MAX, &block) || block == 0))
        return ec_fail(reterr, EC_USAGE, IN "block=%.*s: not a number of elements (1 to %u)", text,
                       EC_SHOWN(p->value[PLAN_KEY_BLOCK]), BLOCK_MAX);
    p->block = (uint32_t)block;
    *ret = a;
    return EC_OK;
}

/* The canonical text. It names results, so it is never cut: EC_USAGE. */
static enum ec_code format(const struct plan *p, const struct plan_algorithm *a, char *buffer,
                           size_t size, struct ec_error *reterr)
{
    size_t used = (size_t)snprintf(buffer, size, "%s", a->info.name);
    for (int k = 0; k < PLAN_KEY_COUNT; k++) {
        const struct ec_slice value = p->value[k];
        if (value.at && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%c%s=%.*s",
                                     strchr(buffer, ':') ? ',' : ':', keys[k], (int)value.length,
                                     value.at);
    }
    if (*p->chosen && used < size)
        used += (size_t)snprintf(buffer + used, size - used, " (%s)", p->chosen);
    if (used < size)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE, "algorithm '%.60s...' has more than %zu characters", buffer,
                   size - 1);
}

/* The data of a subcube are in the first nodes and need no other links: an algorithm that knows
 * nothing of subcubes is shown this one as if it were all. */
static enum ec_code make(struct plan *p, const struct plan_algorithm *a, struct ec_error *reterr)
{
    if (a->beyond || p->w->holders == p->w->nodes)
        return a->make(p, reterr);
    const struct ec_topology *whole = p->t;
    struct ec_topology t;
    const struct ec_workload *all = p->w;
    struct ec_workload w = *all;
    char text[16];
    snprintf(text, sizeof text, "cube:%d", __builtin_ctz(w.holders));
    enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code)
        return code;
    w.nodes = w.holders;
    p->t = &t;
    p->w = &w;
    code = a->make(p, reterr);
    p->t = whole;
    p->w = all;
    p->s->nodes = whole->nodes;
    return code;
}

/* The words, and what no algorithm can do. */
static enum ec_code begin(struct plan *p, const char *algorithm, const struct plan_algorithm **ret,
                          struct ec_error *reterr)
{
    const enum ec_code code = parse(p, algorithm, ret, reterr);
    if (code)
        return code;
    if (p->w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       IN "a schedule moves what is known beforehand; leave out rate= or take "
                          "--algorithm direct",
                       algorithm);
    if (p->block > p->w->per_node) /* no packet has more than all elements of a node */
        p->block = p->w->per_node;
    return EC_OK;
}

enum ec_code ec_schedule_choose(const struct ec_topology *t, const struct ec_workload *w,
                                const char *algorithm, const struct ec_choice *choice,
                                struct ec_error *reterr)
{
    struct plan p = {.t = t, .w = w};
    const struct plan_algorithm *a = NULL;
    const enum ec_code code = begin(&p, algorithm, &a, reterr);
    return code ? code : general_choose(&p, choice, reterr);
}

enum ec_code ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                              const char *algorithm, struct ec_schedule **ret,
                              struct ec_error *reterr)
{
    struct plan p = {.t = t, .w = w};
    const struct plan_algorithm *a = NULL;
    enum ec_code code = begin(&p, algorithm, &a, reterr);
    if (code)
        return code;
    p.s = calloc(1, sizeof *p.s);
    if (!p.s)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    p.s->all_ports = a->all_ports;
    const size_t size = sizeof p.s->algorithm;
    code = format(&p, a, p.s->algorithm, size, reterr); /* for messages */
    if (code == EC_OK)
        code = make(&p, a, reterr);
    if (code == EC_OK)
        code = format(&p, a, p.s->algorithm, size, reterr); /* with the defaults it filled in */
    if (code == EC_OK)
        code = plan_finish(&p, reterr);
    if (code == EC_OK)
        *ret = p.s;
    else
        ec_schedule_close(p.s);
    return code;
}

void ec_schedule_close(struct ec_schedule *s)
{
    if (!s)
        return;
    free(s->target);
    free(s->transfers);
    free(s->carried);
    free(s->moves);
    free(s->exchanges);
    free(s);
}
