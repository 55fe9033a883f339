/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that move one by one. Knows slots and steps; must not know which algorithm moves them.
 */
#include "schedule/plan/mover.h"

static uint64_t home(const struct mover *m, uint32_t e)
{
    const uint32_t per_node = m->p->w->per_node;

    return (uint64_t)(e / per_node) << m->storage | e % per_node;
}

static uint32_t local(const struct mover *m, uint64_t address)
{
    return (uint32_t)(address & ((UINT64_C(1) << m->storage) - 1));
}

static bool *tree(const struct mover *m, uint32_t node)
{
    return &m->free[(size_t)node * 2 * m->leaves];
}

/* Mark all slots from `first` on as free, in a node without marks. */
static void free_beyond(struct mover *m, uint32_t node, uint32_t first)
{
    bool *any = tree(m, node);

    for (uint32_t slot = first; slot < m->room; slot++)
        any[m->leaves + slot] = true;
    for (uint32_t i = m->leaves - 1; i > 0; i--)
        any[i] = any[2 * i] || any[2 * i + 1];
}

static void set_free(struct mover *m, uint32_t node, uint32_t slot, bool free)
{
    bool *any = tree(m, node);
    uint32_t i = m->leaves + slot;

    for (any[i] = free; i > 1 && any[i / 2] != (any[i] || any[i ^ 1]); i /= 2)
        any[i / 2] = !any[i / 2];
}

/* The node must have a free slot. */
static uint32_t lowest_free(const struct mover *m, uint32_t node)
{
    const bool *any = tree(m, node);
    uint32_t i = 1;

    while (i < m->leaves)
        i = any[2 * i] ? 2 * i : 2 * i + 1;
    return i - m->leaves;
}

/* Links that all elements together cross at least. A bit that another one replaces differs from it
 * in half of the elements, since all node numbers occur. */
static uint64_t least_hops(const struct ec_workload *w)
{
    const uint64_t elements = (uint64_t)w->nodes * w->per_node;
    uint64_t hops = 0;

    for (unsigned i = w->sdp->storage; i < w->sdp->storage + w->sdp->processor; i++) {
        if (w->sdp->from[i] != i)
            hops += elements / 2;
        else if (w->sdp->complement >> i & 1)
            hops += elements;
    }
    return hops;
}

enum ec_code mover_open(struct mover *m, struct plan *p, uint32_t spare, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    const enum ec_code code = plan_bit_elements(p, reterr);

    *m = (struct mover){.p = p, .storage = w->sdp->storage};
    if (code)
        return code;
    plan_expect(p, least_hops(w) / p->block);
    if (plan_full(p))
        return plan_full_error(p, reterr);
    m->elements = w->nodes * w->per_node; /* plan_bit_elements() has checked the product */
    m->room = w->per_node + spare;
    EC_ARRAY(&m->arrays, m->address, m->elements);
    EC_ARRAY(&m->arrays, m->slot, m->elements);
    EC_ARRAY(&m->arrays, m->pending, m->elements);
    for (m->leaves = 1; m->leaves < m->room; m->leaves *= 2)
        ;
    EC_ARRAY(&m->arrays, m->free, (size_t)w->nodes * 2 * m->leaves);
    if (m->arrays.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (uint32_t e = 0; e < m->elements; e++) {
        m->address[e] = home(m, e);
        m->slot[e] = e % w->per_node;
    }
    for (uint32_t node = 0; node < w->nodes; node++)
        free_beyond(m, node, w->per_node);
    return EC_OK;
}

void mover_close(struct mover *m)
{
    ec_arrays_free(&m->arrays);
}

void mover_go(struct mover *m, uint32_t e, uint64_t address)
{
    const uint32_t src = (uint32_t)(m->address[e] >> m->storage);
    const uint32_t dst = (uint32_t)(address >> m->storage);

    m->address[e] = address;
    if (src == dst)
        return;
    m->pending[m->pending_count++] = (struct mover_pending){e, src, dst, local(m, address), false};
    set_free(m, src, m->slot[e], true); /* for elements that arrive in this step */
}

static int by_link(const void *a, const void *b)
{
    const struct mover_pending *x = a, *y = b;

    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

static void place(struct mover *m, struct mover_pending *go, uint32_t slot)
{
    set_free(m, go->dst, slot, false);
    m->slot[go->element] = slot;
    go->placed = true;
}

/* First the elements whose wanted slot is free, then the others. */
static void place_all(struct mover *m)
{
    for (size_t i = 0; i < m->pending_count; i++) {
        struct mover_pending *go = &m->pending[i];
        if (tree(m, go->dst)[m->leaves + go->wanted])
            place(m, go, go->wanted);
    }
    for (size_t i = 0; i < m->pending_count; i++) {
        struct mover_pending *go = &m->pending[i];
        if (go->placed)
            continue;
        if (tree(m, go->dst)[1])
            place(m, go, lowest_free(m, go->dst));
        else
            m->no_room = true;
    }
}

void mover_commit(struct mover *m, uint32_t step)
{
    uint32_t count = 0;

    if (m->pending_count)
        qsort(m->pending, m->pending_count, sizeof *m->pending, by_link);
    place_all(m);
    for (size_t i = 0; i < m->pending_count; i++) {
        const struct mover_pending *go = &m->pending[i];
        const bool same = i && go->src == go[-1].src && go->dst == go[-1].dst;
        if (!same || count == m->p->block) {
            plan_transfer(m->p, step, go->src, go->dst);
            count = 0;
        }
        plan_carry(m->p, go->element, m->slot[go->element]);
        count++;
    }
    if (m->pending_count)
        m->last_step = step;
    m->pending_count = 0;
}

enum ec_code mover_finish(struct mover *m, struct ec_error *reterr)
{
    if (plan_full(m->p))
        return plan_full_error(m->p, reterr);
    if (m->no_room)
        return ec_fail(reterr, EC_INTERNAL, "%s: more than %u elements in one node",
                       m->p->s->algorithm, m->room);
    for (uint32_t e = 0; e < m->elements; e++) {
        const struct ec_place target = m->p->s->target[e];
        if (target.node != m->address[e] >> m->storage)
            return ec_fail(reterr, EC_INTERNAL, "%s leaves element %u in node %u, not in %u",
                           m->p->s->algorithm, e, (uint32_t)(m->address[e] >> m->storage),
                           target.node);
        if (target.slot != m->slot[e])
            plan_move(m->p, m->last_step + 1, e, target.slot);
    }
    return EC_OK;
}
