/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-ordered paths as a schedule: one dimension a step, every element at rest in between.
 * Shows stage by stage what the paths of `direct` do, for any order of the dimensions, and what
 * happens when messages disagree about it. */
#include "schedule/shift/shift.h"

#include <inttypes.h>
#include <stdlib.h>

/* The dimensions in the order in which a source's message crosses them. */
struct orders {
    unsigned common[EC_DIMS_MAX];
    bool mixed;
};

/* "2-0-1": each dimension once. */
static bool parse_list(struct ec_slice value, unsigned dims, unsigned *order)
{
    struct ec_slice item;
    uint32_t seen = 0;
    unsigned count = 0;
    uint64_t d;

    while (ec_slice_take(&value, '-', &item)) {
        if (count == dims || !ec_slice_number(item, dims - 1, &d) || seen >> d & 1)
            return false;
        seen |= UINT32_C(1) << d;
        order[count++] = (unsigned)d;
    }
    return count == dims;
}

static enum ec_code take_order(struct plan *p, struct orders *o, struct ec_error *reterr)
{
    struct ec_slice *value = &p->value[PLAN_KEY_ORDER];
    const unsigned dims = p->t->dims;

    if (!value->at)
        *value = ec_slice_of("low");
    const bool high = ec_slice_is(*value, "high");
    o->mixed = ec_slice_is(*value, "mixed");
    for (unsigned d = 0; d < dims; d++)
        o->common[d] = high ? dims - 1 - d : d;
    if (high || o->mixed || ec_slice_is(*value, "low") || parse_list(*value, dims, o->common))
        return EC_OK;
    return plan_refuse(
        p, reterr,
        "order=%.*s: expected low, high, mixed or the dimensions 0 to %u, each once, "
        "like %s",
        EC_SHOWN(*value), dims - 1, dims > 2 ? "2-0-1" : "1-0");
}

static unsigned dimension(const struct orders *o, unsigned dims, uint32_t source, unsigned stage)
{
    const bool upper = source >> (dims - 1) & 1;
    return o->common[o->mixed && upper ? dims - 1 - stage : stage];
}

/* A node that receives without sending keeps its own element, too, and would have two in one place:
 * a map of only some of the nodes has to be a permutation of those. */
static enum ec_code check_whole(const struct plan *p, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    uint32_t node = p->t->nodes;
    unsigned char *role = calloc(p->t->nodes, 1); /* 1: sends, 2: receives */

    if (!role)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (size_t i = 0; i < w->message_count; i++) {
        role[w->messages[i].src] |= 1;
        role[w->messages[i].dst] |= 2;
    }
    for (uint32_t i = p->t->nodes; i-- > 0;)
        node = role[i] == 2 ? i : node;
    free(role);
    if (node == p->t->nodes)
        return EC_OK;
    return plan_refuse(p, reterr,
                       "expected a permutation of nodes; in '%.100s' node %" PRIu32
                       " receives but sends nothing: use --algorithm direct",
                       w->text, node);
}

enum ec_code ecube_steps_make(struct plan *p, struct ec_error *reterr)
{
    struct orders o;
    struct journey j = {0};
    const unsigned dims = p->t->dims;

    if (p->t->kind != EC_CUBE || !p->w->permutation || p->w->words == 0)
        return plan_refuse(p, reterr,
                           "expected a permutation on a cube, with messages of one length; got "
                           "'%.100s': use --algorithm direct",
                           p->w->text);
    enum ec_code code = take_order(p, &o, reterr);
    if (code == EC_OK)
        code = check_whole(p, reterr);
    if (code == EC_OK)
        code = journey_open(p, &j, reterr);
    if (code)
        return code;
    uint64_t links = 0;
    for (uint32_t i = 0; i < j.nodes; i++)
        links += (unsigned)__builtin_popcount(i ^ p->s->target[i].node);
    plan_expect(p, links);
    for (unsigned stage = 0; stage < dims && !plan_full(p); stage++) {
        bool used = false;
        for (uint32_t i = 0; i < j.nodes; i++) {
            const unsigned d = dimension(&o, dims, i, stage);
            if ((j.at[i] ^ p->s->target[i].node) >> d & 1) {
                journey_cross(&j, i, d);
                used = true;
            }
        }
        j.step += used; /* a dimension that nobody crosses takes no step */
    }
    journey_close(&j);
    return EC_OK;
}
