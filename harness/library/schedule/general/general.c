/* SPDX-License-Identifier: Apache-2.0 */
/* The table of algorithms for any dimension permutation, and the choice of the fastest. Knows the
 * tables of the families; must not know how any algorithm works. */
#include "schedule/general/general.h"

#include <stdlib.h>
#include <string.h>

/* The schedule with the fewest steps so far; the first of equals. */
struct fewest {
    struct ec_schedule *best;
    bool one_port;
};

/* An algorithm for one port is never faster than one for all ports, but may be the only one. */
static bool may_be_fewer(const struct fewest *f, const struct plan_algorithm *a, uint32_t least)
{
    if (a->aside || (f->one_port ? a->all_ports : f->best && !a->all_ports))
        return false;
    return !f->best || least < f->best->steps;
}

/* *ret_refusal: the error of the last algorithm that does not apply. */
static enum ec_code find_fewest(const struct ec_topology *t, const struct ec_workload *w,
                                uint32_t block, const struct plan_algorithm *const *families,
                                struct fewest *f, struct ec_error *ret_refusal)
{
    for (; *families; families++) {
        for (const struct plan_algorithm *a = *families; a->info.name; a++) {
            struct ec_schedule *s;
            if (!may_be_fewer(f, a, a->least ? a->least(w, block) : 0))
                continue;
            const enum ec_code code = plan_open_block(t, w, a, block, &s, ret_refusal);
            if (code == EC_OK && (!f->best || s->steps < f->best->steps)) {
                ec_schedule_close(f->best);
                f->best = s;
            } else if (code == EC_OK) {
                ec_schedule_close(s);
            } else if (code != EC_USAGE) {
                return code;
            }
        }
    }
    return EC_OK;
}

enum ec_code general_fastest(const struct ec_topology *t, const struct ec_workload *w,
                             uint32_t block, const struct plan_algorithm *const *families,
                             bool one_port, struct ec_schedule **ret, struct ec_error *reterr)
{
    struct fewest fewest = {.one_port = one_port};
    struct ec_error refusal = {.code = EC_USAGE, .message = "no algorithm"};
    const enum ec_code code = find_fewest(t, w, block, families, &fewest, &refusal);
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
     .all_ports = true,
     .make = general_cycles},
    {.info = {"cycles-one-port", "block=B", ANY,
              "the mixed cycles together, the real ones and the inversions in sequence, "
              "each by its fastest algorithm for one port",
              "Johnsson and Ho, TR-04-91, section 3; docs/study/GSH-REAL.md"},
     .make = general_cycles},
    {.info = {"cycles-concurrent", "block=B", ANY " with two parts or more in processor dimensions",
              "parts of the elements take the real cycles in different order, all "
              "dimensions at work at once",
              "docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = general_cycles_concurrent},
    {.info = {"aapc-twice", "block=B", ANY ", K a multiple of the nodes",
              "every node spreads its elements over all, then every node collects: K "
              "steps",
              "Johnsson and Ho, TR-04-91, section 6; docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = general_aapc_twice,
     .least = aapc_least},
    {.info = {"aapc-twice-one-port", "block=B", ANY ", K a multiple of the nodes",
              "the same, one dimension at a time: n K steps on cube:n",
              "Johnsson and Ho, TR-04-91, section 6; docs/study/GSH-REAL.md"},
     .make = general_aapc_twice},
    {.info = {"best", "block=B", ANY,
              "the fastest of all that apply, direct among them, by predicted or "
              "measured cycles; the report names it: \"best (parity)\"",
              "docs/SCHEDULES.md"},
     .all_ports = true,
     .beyond = true,
     .aside = true,
     .make = best},
    {.info = {.name = NULL}},
};
