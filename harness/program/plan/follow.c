/* SPDX-License-Identifier: Apache-2.0 */
/* Where the fastest algorithm changes: ranges of the size and of the start-up. Knows points; must
 * not know how they are found. */
#include <stdlib.h>

#include "program/plan/plan.h"

static void add_ranges(struct advice *a, unsigned axis)
{
    const struct ec_axis_points *p = &a->points[axis];
    for (size_t i = 0; i < p->count; i++) {
        const struct ec_axis_point *at = &p->at[i];
        struct advice_range *r = a->range_count ? &a->ranges[a->range_count - 1] : NULL;
        if (i == 0 || !ec_axis_same(at - 1, at) || at[-1].open != at->open) {
            r = &a->ranges[a->range_count++];
            *r = (struct advice_range){.parameter = a->parameter[axis], .first = at};
        }
        r->last = at;
        r->count++;
        r->measured |= at->best.basis == EC_BASIS_MEASURED;
    }
}

enum ec_code advice_follow(struct advice *a, struct ec_error *reterr)
{
    const struct ec_workload *w = a->c->pattern;
    const enum ec_axis axes[ADVICE_AXES] = {w->sdp ? EC_AXIS_ELEMENTS : EC_AXIS_LENGTH,
                                            EC_AXIS_STARTUP};
    size_t count = 0;
    a->parameter[0] = w->sdp ? "K" : "m";
    a->parameter[1] = "startup";
    for (unsigned i = 0; i < ADVICE_AXES; i++) {
        if (axes[i] == EC_AXIS_LENGTH && w->words == 0)
            continue; /* messages of several lengths */
        const enum ec_code code = ec_case_over(a->c, axes[i], &a->points[i], reterr);
        if (code != EC_OK)
            return code;
        count += a->points[i].count;
    }
    a->ranges = calloc(count + 1, sizeof *a->ranges);
    if (!a->ranges)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (unsigned i = 0; i < ADVICE_AXES; i++)
        add_ranges(a, i);
    return EC_OK;
}
