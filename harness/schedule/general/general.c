/* SPDX-License-Identifier: Apache-2.0 */
/* The table of algorithms for any dimension permutation, and the choice of the fastest. Knows the
 * tables of the families; must not know how any algorithm works. */
#include "schedule/general/general.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool chooses(const struct plan_algorithm *a);

/* Offer the schedules of all algorithms of `families` (ended by NULL) that apply. *ret_refusal: the
 * error of the last one that does not. */
static enum ec_code offer_all(const struct ec_topology *t, const struct ec_workload *w,
                              uint32_t block, const struct plan_algorithm *const *families,
                              const struct ec_choice *choice, struct ec_error *ret_refusal)
{
    char number[16];

    snprintf(number, sizeof number, "%u", block);
    for (; *families; families++) {
        for (const struct plan_algorithm *a = *families; a->info.name; a++) {
            struct ec_schedule *s;
            struct ec_slice values[PLAN_KEY_COUNT] = {{0}};
            if (chooses(a) || !choice->wants(choice->context, a->info.name, a->all_ports,
                                             a->least ? a->least(w, block) : 0))
                continue;
            if (block > 1 && a->keys & PLAN_BLOCK)
                values[PLAN_KEY_BLOCK] = ec_slice_of(number);
            enum ec_code code =
                plan_open(t, w, a, values, values[PLAN_KEY_BLOCK].at ? block : 1, &s, ret_refusal);
            if (code == EC_OK)
                code = choice->take(choice->context, s, ret_refusal);
            if (code != EC_OK && code != EC_USAGE)
                return code;
        }
    }
    return EC_OK;
}

/* The choice of the fewest steps; the first of equals. */
struct fewest {
    struct ec_schedule *best;
    bool one_port;
};

/* An algorithm for one port is never faster than one for all ports, but may be the only one. */
static bool fewest_wants(void *context, const char *name, bool all_ports, uint32_t least)
{
    const struct fewest *f = context;
    (void)name;
    if (f->one_port ? all_ports : f->best && !all_ports)
        return false;
    return !f->best || least < f->best->steps;
}

static enum ec_code fewest_take(void *context, struct ec_schedule *s, struct ec_error *reterr)
{
    struct fewest *f = context;
    const bool better = !f->best || s->steps < f->best->steps;
    (void)reterr;
    ec_schedule_close(better ? f->best : s);
    f->best = better ? s : f->best;
    return EC_OK;
}

enum ec_code general_fastest(const struct ec_topology *t, const struct ec_workload *w,
                             uint32_t block, const struct plan_algorithm *const *families,
                             bool one_port, struct ec_schedule **ret, struct ec_error *reterr)
{
    struct fewest fewest = {.one_port = one_port};
    const struct ec_choice choice = {&fewest, fewest_wants, fewest_take};
    struct ec_error refusal = {.code = EC_USAGE, .message = "no algorithm"};
    const enum ec_code code = offer_all(t, w, block, families, &choice, &refusal);
    if (code != EC_OK)
        ec_schedule_close(fewest.best);
    if (code != EC_OK || !fewest.best)
        return ec_fail(reterr, code ? code : EC_USAGE, "%s", refusal.message);
    *ret = fewest.best;
    return EC_OK;
}

/* Take over another schedule under the name of this one. */
static void adopt(struct plan *p, struct ec_schedule *from)
{
    const struct ec_schedule old = *p->s;

    snprintf(p->chosen, sizeof p->chosen, "%s", from->algorithm);
    *p->s = *from;
    memcpy(p->s->algorithm, old.algorithm, sizeof p->s->algorithm);
    *from = (struct ec_schedule){.steps = 0};
}

static const struct plan_algorithm *const best_of[] = {plan_mixed_algorithms, plan_real_algorithms,
                                                       plan_general_algorithms,
                                                       plan_extended_algorithms, NULL};

static enum ec_code best(struct plan *p, struct ec_error *reterr)
{
    struct ec_schedule *s;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code == EC_OK)
        code = general_fastest(p->t, p->w, p->block, best_of, false, &s, reterr);
    if (code)
        return code;
    adopt(p, s);
    ec_schedule_close(s);
    return EC_OK;
}

enum ec_code general_choose(const struct plan *p, const struct ec_choice *choice,
                            struct ec_error *reterr)
{
    struct ec_error last = {.code = EC_OK};
    enum ec_code code = plan_check_bits(p, reterr);
    if (code != EC_OK)
        return code;
    code = offer_all(p->t, p->w, p->block, best_of, choice, &last);
    return code == EC_OK ? EC_OK : ec_fail(reterr, code, "%s", last.message);
}

static bool chooses(const struct plan_algorithm *a)
{
    return a->make == best;
}

/* Twice K/2 elements over every link. */
static uint32_t aapc_least(const struct ec_workload *w, uint32_t block)
{
    return w->per_node / block + (w->per_node % block != 0);
}

#define ANY "any permutation of address bits on cube:N"

const struct plan_algorithm plan_general_algorithms[] = {
    {.info = {"cycles", "block=B", ANY,
              "the mixed cycles together, all pairs of processor bits together, other "
              "real cycles and inversions in sequence, each by its fastest algorithm",
              "Johnsson and Ho, TR-04-91, section 3; docs/study/GSH-REAL.md"},
     .keys = PLAN_BLOCK,
     .all_ports = true,
     .make = general_cycles},
    {.info = {"cycles-one-port", "block=B", ANY,
              "the mixed cycles together, the real ones and the inversions in sequence, "
              "each by its fastest algorithm for one port",
              "Johnsson and Ho, TR-04-91, section 3; docs/study/GSH-REAL.md"},
     .keys = PLAN_BLOCK,
     .make = general_cycles_one_port},
    {.info = {"cycles-concurrent", "block=B", ANY " with two parts or more in processor dimensions",
              "parts of the elements take the real cycles in different order, all "
              "dimensions at work at once",
              "docs/study/GSH-REAL.md"},
     .keys = PLAN_BLOCK,
     .all_ports = true,
     .make = general_cycles_concurrent},
    {.info = {"aapc-twice", "block=B", ANY ", K a multiple of the nodes",
              "every node spreads its elements over all, then every node collects: K "
              "steps",
              "Johnsson and Ho, TR-04-91, section 6; docs/study/GSH-REAL.md"},
     .keys = PLAN_BLOCK,
     .all_ports = true,
     .make = general_aapc_twice,
     .least = aapc_least},
    {.info = {"aapc-twice-one-port", "block=B", ANY ", K a multiple of the nodes",
              "the same, one dimension at a time: n K steps on cube:n",
              "Johnsson and Ho, TR-04-91, section 6; docs/study/GSH-REAL.md"},
     .keys = PLAN_BLOCK,
     .make = general_aapc_twice_one_port},
    {.info = {"best", "block=B", ANY,
              "the fastest of all that apply, direct among them, by predicted or "
              "measured cycles; the report names it: \"best (parity)\"",
              "docs/SCHEDULES.md"},
     .keys = PLAN_BLOCK,
     .all_ports = true,
     .beyond = true,
     .make = best},
    {.info = {.name = NULL}},
};
