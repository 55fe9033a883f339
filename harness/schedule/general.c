/* SPDX-License-Identifier: Apache-2.0 */
/* Any dimension permutation: the table of algorithms, and the choice of the fastest. Knows the
 * tables of the families; must not know how any of their algorithms works. */
#include "general.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool chooses(const struct plan_algorithm *a);

enum ec_code general_fastest(const struct ec_topology *t, const struct ec_workload *w,
                             uint32_t block, const struct plan_algorithm *const *families,
                             bool one_port, struct ec_schedule **ret, struct ec_error *reterr)
{
    struct ec_schedule *best = NULL;
    struct ec_error refusal = {.code = EC_USAGE, .message = "no algorithm"};

    for (; *families; families++) {
        for (const struct plan_algorithm *a = *families; a->info.name; a++) {
            struct ec_schedule *s;
            char name[64];
            /* One port is never faster than the same with all; it may be as fast, so the first is
             * tried. */
            if (chooses(a) || (one_port ? a->all_ports : best && !a->all_ports))
                continue;
            if (best && a->least && a->least(w, block) >= best->steps)
                continue; /* at most as good, and the first of equals is taken */
            snprintf(name, sizeof name, "%s", a->info.name);
            if (block > 1 && a->keys >> PLAN_KEY_BLOCK & 1)
                snprintf(name, sizeof name, "%s:block=%u", a->info.name, block);
            const enum ec_code code = ec_schedule_open(t, w, name, &s, &refusal);
            if (code != EC_OK && code != EC_USAGE) {
                ec_schedule_close(best);
                return ec_fail(reterr, code, "%s", refusal.message);
            }
            if (code != EC_OK)
                continue;
            if (!best || s->steps < best->steps) {
                ec_schedule_close(best);
                best = s;
            } else {
                ec_schedule_close(s);
            }
        }
    }
    if (!best)
        return ec_fail(reterr, EC_USAGE, "%s", refusal.message);
    *ret = best;
    return EC_OK;
}

/* All of another schedule, under this one's name. */
static void adopt(struct plan *p, struct ec_schedule *from)
{
    const struct ec_schedule old = *p->s;

    snprintf(p->chosen, sizeof p->chosen, "%s", from->algorithm);
    *p->s = *from;
    memcpy(p->s->algorithm, old.algorithm, sizeof p->s->algorithm);
    *from = (struct ec_schedule){.steps = 0};
}

static enum ec_code best(struct plan *p, struct ec_error *reterr)
{
    const struct plan_algorithm *const families[] = {plan_mixed_algorithms, plan_real_algorithms,
                                                     plan_general_algorithms,
                                                     plan_extended_algorithms, NULL};
    struct ec_schedule *s;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code == EC_OK)
        code = general_fastest(p->t, p->w, p->block, families, false, &s, reterr);
    if (code)
        return code;
    adopt(p, s);
    ec_schedule_close(s);
    return EC_OK;
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
    {
        .info = {.name = "cycles",
                 .parameters = "block=B",
                 .applies = ANY,
                 .text = "the mixed cycles together, all pairs of processor bits together, other "
                         "real cycles and inversions in sequence, each by its fastest algorithm",
                 .source = "Johnsson and Ho, TR-04-91, section 3; docs/GSH-REAL.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .all_ports = true,
        .make = general_cycles,
    },
    {
        .info = {.name = "cycles-one-port",
                 .parameters = "block=B",
                 .applies = ANY,
                 .text = "the mixed cycles together, the real ones and the inversions in sequence, "
                         "each by its fastest algorithm for one port",
                 .source = "Johnsson and Ho, TR-04-91, section 3; docs/GSH-REAL.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .make = general_cycles_one_port,
    },
    {
        .info = {.name = "cycles-concurrent",
                 .parameters = "block=B",
                 .applies = ANY " with two parts or more in processor dimensions",
                 .text = "parts of the elements take the real cycles in different order, all "
                         "dimensions at work at once",
                 .source = "docs/GSH-REAL.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .all_ports = true,
        .make = general_cycles_concurrent,
    },
    {
        .info = {.name = "aapc-twice",
                 .parameters = "block=B",
                 .applies = ANY ", K a multiple of the nodes",
                 .text = "every node spreads its elements over all, then every node collects: K "
                         "steps",
                 .source = "Johnsson and Ho, TR-04-91, section 6; docs/GSH-REAL.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .all_ports = true,
        .make = general_aapc_twice,
        .least = aapc_least,
    },
    {
        .info = {.name = "aapc-twice-one-port",
                 .parameters = "block=B",
                 .applies = ANY ", K a multiple of the nodes",
                 .text = "the same, one dimension at a time: n K steps on cube:n",
                 .source = "Johnsson and Ho, TR-04-91, section 6; docs/GSH-REAL.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .make = general_aapc_twice_one_port,
    },
    {
        .info = {.name = "best",
                 .parameters = "block=B",
                 .applies = ANY,
                 .text = "the one of fewest steps of all that apply, which its name then tells: "
                         "\"best (parity)\"",
                 .source = "docs/SCHEDULES.md"},
        .keys = 1U << PLAN_KEY_BLOCK,
        .all_ports = true,
        .beyond = true,
        .make = best,
    },
    {.info = {.name = NULL}},
};
