/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of a schedule: follows every element through transfers and local moves and counts every
 * link. Knows schedules and routes; must not know algorithms, time, routers or runs. Assumes
 * nothing: a damaged schedule is reported as a defect and never crashes the audit. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/lookup.h"
#include "ecube/schedule.h"
#include "network/walk.h"

#define NAME_MAX_LENGTH 256 /* of a node or an element in words */

/* A directed link. `last` is the last transfer that crossed it, as index + 1; its step is the one
 * that `load` counts for, so that nothing is cleared between steps. */
struct link {
    size_t last;
    uint32_t load;
    uint64_t elements;
};

struct node {
    size_t sent, received; /* the last transfer from it and to it, as index + 1 */
    uint32_t held;         /* elements in it */
};

struct follow {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct ec_schedule *s;
    struct ec_place *at; /* [elements] where each one is */
    uint32_t *busy;      /* [elements] the last step that carried it; at the end 1: target taken */
    struct node *nodes;
    struct link *links;  /* [nodes * links of a router] */
    struct lookup slots; /* by place: the element that is there, between steps */
    bool memory_short;
    size_t next_move;
    uint32_t shared_step, shared[2]; /* the first two elements in one slot */
    struct ec_place shared_place;
    struct ec_schedule_audit a;
};

/* Report a defect. Only the first one is kept. */
static void defect(struct follow *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void defect(struct follow *f, const char *format, ...)
{
    va_list arguments;

    if (*f->a.defect)
        return;
    va_start(arguments, format);
    vsnprintf(f->a.defect, sizeof f->a.defect, format, arguments);
    va_end(arguments);
}

struct name {
    char text[NAME_MAX_LENGTH];
};

static struct name node_name(const struct follow *f, uint32_t node)
{
    struct name n = {.text = ""};
    ec_topology_node_name(f->t, node, n.text, sizeof n.text);
    return n;
}

/* "element 5 (slot 1 of node 2)": where it came from. */
static struct name element_name(const struct follow *f, uint32_t element)
{
    struct name n;
    if (f->s->per_node == 1)
        snprintf(n.text, sizeof n.text, "the element of node %u", element);
    else
        snprintf(n.text, sizeof n.text, "element %u (slot %u of node %u)", element,
                 element % f->s->per_node, element / f->s->per_node);
    return n;
}

static uint32_t element_count(const struct ec_schedule *s)
{
    return s->holders * s->per_node;
}

static uint64_t slot_of(const struct follow *f, uint32_t element)
{
    return (uint64_t)f->at[element].node << 32 | f->at[element].slot;
}

/* Before the place of an element changes. */
static void leave(struct follow *f, uint32_t element)
{
    if (lookup_find(&f->slots, slot_of(f, element)) == element)
        lookup_remove(&f->slots, slot_of(f, element));
}

/* The element has arrived in its slot, which should be empty. */
static void enter(struct follow *f, uint32_t step, uint32_t element)
{
    const uint32_t other = lookup_find(&f->slots, slot_of(f, element));

    if (other == LOOKUP_NONE)
        f->memory_short |= !lookup_add(&f->slots, slot_of(f, element), element);
    if (other == LOOKUP_NONE || other == element || !f->a.distinct)
        return;
    f->a.distinct = false;
    f->shared_step = step;
    f->shared[0] = element;
    f->shared[1] = other;
    f->shared_place = f->at[element];
}

/* Reported last, because any other defect explains it. */
static void report_shared_slot(struct follow *f)
{
    if (!f->a.distinct)
        defect(f, "step %u: %s enters slot %u of node %s, which holds %s", f->shared_step,
               element_name(f, f->shared[0]).text, f->shared_place.slot,
               node_name(f, f->shared_place.node).text, element_name(f, f->shared[1]).text);
}

/* True if a local move can be followed; else reports why not. */
static bool move_in_range(struct follow *f, size_t index)
{
    const struct ec_schedule *s = f->s;
    const struct ec_local_move *m = &s->moves[index], *before = index ? m - 1 : NULL;

    if (m->element >= element_count(s)) {
        defect(f, "step %u: a local move of element %u: expected 0 to %u", m->step, m->element,
               element_count(s) - 1);
        return false;
    }
    if (m->step == 0 || m->step > s->steps + 1 || (before && before->step > m->step)) {
        defect(f,
               "step %u: a local move of %s is out of order: expected steps 1 to %u, and %u at the "
               "end",
               m->step, element_name(f, m->element).text, s->steps, s->steps + 1);
        return false;
    }
    if (before && before->step == m->step && before->element == m->element) {
        defect(f, "step %u: %s moves to slot %u and to slot %u of its node at once", m->step,
               element_name(f, m->element).text, before->slot, m->slot);
        return false;
    }
    return true;
}

/* The next moves that happen at once. */
static void follow_moves_of_step(struct follow *f)
{
    const struct ec_schedule *s = f->s;
    const size_t first = f->next_move;
    const uint32_t step = s->moves[first].step;

    for (; f->next_move < s->move_count && s->moves[f->next_move].step == step; f->next_move++) {
        const struct ec_local_move *m = &s->moves[f->next_move];
        if (!move_in_range(f, f->next_move)) {
            f->a.sound = false;
            continue;
        }
        leave(f, m->element);
        f->a.local_moves += f->at[m->element].slot != m->slot;
        f->at[m->element].slot = m->slot;
    }
    for (size_t i = first; i < f->next_move; i++) {
        if (s->moves[i].element < element_count(s))
            enter(f, step, s->moves[i].element);
    }
}

/* All moves before the transfers of `step`. */
static void follow_moves(struct follow *f, uint32_t step)
{
    while (f->next_move < f->s->move_count && f->s->moves[f->next_move].step <= step)
        follow_moves_of_step(f);
}

/* True if the nodes, elements and step of a transfer are in range; else it cannot be followed. */
static bool in_range(struct follow *f, size_t index)
{
    const struct ec_schedule *s = f->s;
    const struct ec_transfer *x = &s->transfers[index];

    if (x->src >= s->nodes || x->dst >= s->nodes) {
        defect(f, "step %u: a transfer from node %u to node %u: expected nodes 0 to %u", x->step,
               x->src, x->dst, s->nodes - 1);
        return false;
    }
    if (x->step == 0 || x->step > s->steps || (index && x->step < x[-1].step)) {
        defect(f, "step %u: a transfer from node %s is out of order: expected steps 1 to %u",
               x->step, node_name(f, x->src).text, s->steps);
        return false;
    }
    if (x->count == 0 || x->first > s->carried_count || x->count > s->carried_count - x->first) {
        defect(f, "step %u: the transfer from node %s to node %s carries %s", x->step,
               node_name(f, x->src).text, node_name(f, x->dst).text,
               x->count ? "elements that are not in the list" : "nothing");
        return false;
    }
    return true;
}

static void count_ports(struct follow *f, size_t index)
{
    const struct ec_transfer *all = f->s->transfers, *x = &all[index];
    size_t *sent = &f->nodes[x->src].sent, *received = &f->nodes[x->dst].received;
    const bool sends_again = *sent && all[*sent - 1].step == x->step;
    const bool receives_again = *received && all[*received - 1].step == x->step;

    /* Not a defect for nodes with all ports. */
    f->a.one_port = f->a.one_port && !sends_again && !receives_again;
    if (sends_again && !f->s->all_ports)
        defect(f, "step %u: node %s sends twice, to node %s and to node %s, but has one port",
               x->step, node_name(f, x->src).text, node_name(f, all[*sent - 1].dst).text,
               node_name(f, x->dst).text);
    if (receives_again && !f->s->all_ports)
        defect(f,
               "step %u: node %s receives twice, from node %s and from node %s, but has one port",
               x->step, node_name(f, x->dst).text, node_name(f, all[*received - 1].src).text,
               node_name(f, x->src).text);
    *sent = *received = index + 1;
}

static void cross_link(struct follow *f, size_t index, const struct ec_hop *hop)
{
    const struct ec_transfer *all = f->s->transfers, *x = &all[index];
    struct link *link = &f->links[(size_t)hop->node * ec_topology_links(f->t) + hop->link];
    const bool again = link->last && all[link->last - 1].step == x->step;

    link->load = again ? link->load + 1 : 1;
    link->elements += x->count;
    if (link->load > f->a.max_step_load)
        f->a.max_step_load = link->load;
    if (link->elements > f->a.max_link_elements)
        f->a.max_link_elements = link->elements;
    if (again) {
        char name[32];
        const struct ec_transfer *other = &all[link->last - 1];
        ec_topology_link_name(f->t, hop->link, name, sizeof name);
        f->a.congestion_free = false;
        defect(f, "step %u: link %s of node %s carries two transfers, %u -> %u and %u -> %u",
               x->step, name, node_name(f, hop->node).text, other->src, other->dst, x->src, x->dst);
    }
    link->last = index + 1;
}

static void count_links(struct follow *f, size_t index)
{
    const struct ec_transfer *x = &f->s->transfers[index];
    struct ec_walk walk = ec_walk_begin(f->t, f->r, x->src, x->dst);
    struct ec_hop hop;
    unsigned hops = 0;

    for (; ec_walk_next(&walk, &hop); hops++)
        cross_link(f, index, &hop);
    f->a.element_hops += (uint64_t)hops * x->count;
    f->a.adjacent = f->a.adjacent && hops == 1;
    if (hops == 0 || (hops > 1 && !f->s->routed)) {
        f->a.valid = false;
        defect(f, "step %u: node %s sends to %s%s, %u links away", x->step,
               node_name(f, x->src).text, hops ? "node " : "itself",
               hops ? node_name(f, x->dst).text : "", hops);
    }
}

static void carry_element(struct follow *f, const struct ec_transfer *x, const struct ec_carried *c)
{
    const struct ec_schedule *s = f->s;

    if (c->element >= element_count(s)) {
        f->a.sound = false;
        defect(f, "step %u: node %s sends element %u: expected 0 to %u", x->step,
               node_name(f, x->src).text, c->element, element_count(s) - 1);
        return;
    }
    struct ec_place *at = &f->at[c->element];
    if (at->node != x->src || f->busy[c->element] == x->step) {
        f->a.sound = false;
        defect(f, "step %u: node %s sends %s to node %s, but it %s node %s", x->step,
               node_name(f, x->src).text, element_name(f, c->element).text,
               node_name(f, x->dst).text,
               f->busy[c->element] == x->step ? "is on its way to" : "is in",
               node_name(f, at->node).text);
        return;
    }
    leave(f, c->element);
    f->a.shifted += at->slot != c->slot;
    f->nodes[x->src].held--;
    f->nodes[x->dst].held++;
    f->busy[c->element] = x->step;
    *at = (struct ec_place){x->dst, c->slot};
}

/* After all elements of a step have left: those of a transfer enter its destination. */
static void arrive(struct follow *f, const struct ec_transfer *x)
{
    const struct ec_schedule *s = f->s;

    if (x->dst >= s->nodes)
        return;
    if (f->nodes[x->dst].held > f->a.peak_memory) /* only receivers grow */
        f->a.peak_memory = f->nodes[x->dst].held;
    if (x->first > s->carried_count || x->count > s->carried_count - x->first)
        return;
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const uint32_t element = s->carried[i].element;
        if (element < element_count(s))
            enter(f, x->step, element);
    }
}

/* The transfers of one step, from index `first` on; returns the index after them. */
static size_t follow_step(struct follow *f, size_t first)
{
    const struct ec_schedule *s = f->s;
    const uint32_t step = s->transfers[first].step;
    size_t end = first;

    follow_moves(f, step);
    for (; end < s->transfer_count && s->transfers[end].step == step; end++) {
        const struct ec_transfer *x = &s->transfers[end];
        if (!in_range(f, end)) {
            f->a.sound = false;
            continue;
        }
        for (uint32_t i = 0; i < x->count; i++)
            carry_element(f, x, &s->carried[x->first + i]);
        count_ports(f, end);
        count_links(f, end);
    }
    for (size_t i = first; i < end; i++)
        arrive(f, &s->transfers[i]);
    f->a.steps++;
    return end;
}

static void check_targets(struct follow *f)
{
    const struct ec_schedule *s = f->s;
    const uint32_t elements = element_count(s);

    for (uint32_t i = 0; i < elements; i++)
        f->busy[i] = 0;
    for (uint32_t i = 0; i < elements; i++) {
        const struct ec_place at = f->at[i], target = s->target[i];
        if (target.node >= s->holders || target.slot >= s->per_node) {
            f->a.placed = false;
            defect(
                f,
                "at the end: %s has its target in slot %u of node %u: expected one of %u slots in "
                "%u nodes",
                element_name(f, i).text, target.slot, target.node, s->per_node, s->holders);
            continue;
        }
        uint32_t *taken = &f->busy[target.node * s->per_node + target.slot];
        if (*taken) {
            f->a.placed = false;
            defect(f, "at the end: %s and another have their target in slot %u of node %s",
                   element_name(f, i).text, target.slot, node_name(f, target.node).text);
        }
        *taken = 1;
        if (at.node != target.node || at.slot != target.slot) {
            f->a.placed = false;
            defect(f, "at the end: %s is in slot %u of node %s, not in slot %u of node %s",
                   element_name(f, i).text, at.slot, node_name(f, at.node).text, target.slot,
                   node_name(f, target.node).text);
        }
    }
}

static void follow_all(struct follow *f)
{
    const struct ec_schedule *s = f->s;

    for (uint32_t i = 0; i < element_count(s); i++) {
        f->at[i] = (struct ec_place){i / s->per_node, i % s->per_node};
        enter(f, 0, i);
    }
    for (uint32_t i = 0; i < s->holders; i++)
        f->nodes[i].held = s->per_node;
    f->a = (struct ec_schedule_audit){.valid = true, /* so far: of the ways */
                                      .sound = true,
                                      .placed = true,
                                      .one_port = true,
                                      .congestion_free = true,
                                      .adjacent = true,
                                      .distinct = true,
                                      .peak_memory = s->per_node};
    for (size_t i = 0; i < s->transfer_count;)
        i = follow_step(f, i);
    follow_moves(f, UINT32_MAX);
    check_targets(f);
    report_shared_slot(f);
    f->a.valid = f->a.valid && f->a.sound && f->a.placed && (f->a.one_port || s->all_ports) &&
                 f->a.congestion_free && f->a.distinct;
}

enum ec_code ec_schedule_audit(const struct ec_topology *t, const struct ec_router *r,
                               const struct ec_schedule *s, struct ec_schedule_audit *ret,
                               struct ec_error *reterr)
{
    struct follow f = {.t = t, .r = r, .s = s};
    enum ec_code code = EC_OK;

    if (s->nodes != t->nodes)
        return ec_fail(reterr, EC_USAGE, "the schedule is for %u nodes, but the network has %u",
                       s->nodes, t->nodes);
    if (s->holders == 0 || s->holders > s->nodes)
        return ec_fail(reterr, EC_USAGE, "a schedule with elements in %u nodes: expected 1 to %u",
                       s->holders, s->nodes);
    /* s->target has as many rows, so the product fits. */
    struct ec_arrays arrays = {0};
    EC_ARRAY(&arrays, f.at, element_count(s));
    EC_ARRAY(&arrays, f.busy, element_count(s));
    EC_ARRAY(&arrays, f.nodes, t->nodes);
    EC_ARRAY(&arrays, f.links, (size_t)t->nodes * ec_topology_links(t));
    f.memory_short = arrays.memory_short;
    if (!f.memory_short)
        follow_all(&f);
    if (f.memory_short)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the audit of a schedule");
    else
        *ret = f.a;
    ec_arrays_free(&arrays);
    lookup_free(&f.slots);
    return code;
}
