/* SPDX-License-Identifier: Apache-2.0 */
/* Where the fastest algorithm changes: ranges of the size and of the start-up. Knows points; must
 * not know how they are found. */
#include <stdlib.h>

#include "base/text.h"
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

/* Has the text of the workload this key? */
static bool is_given(const struct advice *a, const char *key)
{
    struct ec_slice rest = ec_slice_of(a->c->spec.workload), item, name;
    ec_slice_take(&rest, ':', &item);
    while (rest.at && ec_slice_take(&rest, ',', &item)) {
        ec_slice_take(&item, '=', &name);
        if (ec_slice_is(name, key))
            return true;
    }
    return false;
}

/* Of a permutation of address bits, the sizes that its text names, or else the length. */
static size_t choose_axes(struct advice *a, enum ec_axis *ret)
{
    const struct ec_workload *w = a->c->pattern;
    const bool elements = w->sdp && is_given(a, "K");
    size_t n = 0;
    if (elements) {
        a->parameter[n] = "K";
        ret[n++] = EC_AXIS_ELEMENTS;
    }
    if (w->words + w->vector > 0 &&
        (!elements || is_given(a, "m"))) { /* 0: messages of several lengths */
        a->parameter[n] = "m";
        ret[n++] = EC_AXIS_LENGTH;
    }
    a->parameter[n] = "startup";
    ret[n++] = EC_AXIS_STARTUP;
    return n;
}

enum ec_code advice_follow(struct advice *a, struct ec_error *reterr)
{
    enum ec_axis axes[ADVICE_AXES];
    const size_t axis_count = choose_axes(a, axes);
    enum ec_code code = EC_OK;
    size_t count = 0;
    for (size_t i = 0; code == EC_OK && i < axis_count; i++) {
        code = ec_case_over(a->c, axes[i], &a->points[i], reterr);
        count += a->points[i].count;
    }
    if (code != EC_OK && code != EC_INTERRUPTED)
        return code;
    a->ranges = calloc(count + 1, sizeof *a->ranges);
    if (!a->ranges)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (unsigned i = 0; i < ADVICE_AXES; i++)
        add_ranges(a, i);
    return code;
}
