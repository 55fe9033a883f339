/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations (docs/WORKLOADS.md): on the rings of each dimension, where in every step
 * every node sends a part of its vector to the next node of its ring; in binomial trees; and in
 * pairwise exchanges. Knows coordinates and who waits for whom; must not know routers or time. */
#include "workload/collective.h"

#include <stdlib.h>

#define COLLECTIVE_MAX (UINT64_C(1) << 27) /* messages: 5 GB */

/* radix - 1 steps in one dimension. */
struct phase {
    unsigned dim;
    uint32_t words; /* of a message */
    bool reduces;   /* what arrives is combined with what is there */
};

struct making {
    const struct ec_topology *t;
    struct ec_workload *w;
    unsigned ways; /* 2: half of the vector goes round the other way */
    struct phase phase[2 * EC_DIMS_MAX];
    unsigned phases;
    uint64_t steps;
};

bool collective_is(enum ec_workload_id id)
{
    return id >= EC_WORKLOAD_ALLREDUCE && id <= EC_WORKLOAD_GATHER;
}

static enum ec_code check(const struct ec_workload_spec *s, const struct ec_topology *t,
                          struct ec_error *reterr)
{
    const char *name = ec_workload_kind(s->id)->info.name;
    const uint64_t shares = s->id == EC_WORKLOAD_BROADCAST ? 1 : t->nodes;
    const uint64_t parts = shares * (s->ways ? s->ways : 1), m = s->lengths.first;
    const uint64_t next = (m / parts + 1) * parts;

    for (unsigned d = 0; d < t->dims; d++) {
        if (s->ways && t->radix[d] > 2 && !t->wrap[d])
            return ec_fail(reterr, EC_USAGE,
                           "workload %s: expected a ring, a torus or a cube, whose dimensions are "
                           "rings; got a mesh",
                           name);
    }
    if (m % parts)
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: m=%u: expected a multiple of %llu, as %u nodes%s share the "
                       "words: use m=%llu",
                       name, s->lengths.first, (unsigned long long)parts, t->nodes,
                       s->ways == 2 ? " and two ways" : "", (unsigned long long)next);
    return EC_OK;
}

/* --- Rings ------------------------------------------------------------------------------------ */

static void add_phase(struct making *c, unsigned dim, uint32_t words, bool reduces)
{
    if (c->t->radix[dim] == 1)
        return;
    c->phase[c->phases++] = (struct phase){dim, words, reduces};
    c->steps += c->t->radix[dim] - 1;
}

/* Reduce-scatter shortens the vector of a node in each dimension by its radix, all-gather makes it
 * long again in the opposite order. */
static void choose_phases(struct making *c, const struct ec_workload_spec *s)
{
    uint32_t words[EC_DIMS_MAX], left = s->lengths.first / s->ways;

    for (unsigned d = 0; d < c->t->dims; d++)
        words[d] = left /= c->t->radix[d];
    for (unsigned d = 0; d < c->t->dims && s->id != EC_WORKLOAD_ALLGATHER; d++)
        add_phase(c, d, words[d], true);
    for (unsigned d = c->t->dims; d-- > 0 && s->id != EC_WORKLOAD_REDUCESCATTER;)
        add_phase(c, d, words[d], false);
}

/* The next node of the ring of a dimension, or the one before. */
static uint32_t neighbor(const struct ec_topology *t, uint32_t node, unsigned dim, bool forward)
{
    const uint32_t x = ec_topology_coord(t, node, dim), r = t->radix[dim];

    return node - x * t->stride[dim] + (forward ? x + 1 : x + r - 1) % r * t->stride[dim];
}

static bool allocate(struct making *c)
{
    struct ec_workload *w = c->w;
    const size_t count = w->message_count;
    struct ec_message_order *o = w->order = calloc(1, sizeof *o);

    w->messages = calloc(count, sizeof *w->messages);
    w->combined = calloc(count, sizeof *w->combined);
    if (!o || !w->messages || !w->combined)
        return false;
    o->step = calloc(count, sizeof *o->step);
    o->first = calloc(count + 1, sizeof *o->first);
    o->after = calloc(count, sizeof *o->after);
    return o->step && o->first && o->after;
}

/* A step: what a node sends waits for what it received in the step before, of the same way, and is
 * combined with it there if `before`, the phase of that step, reduces. */
static void add_step(struct making *c, uint32_t step, const struct phase *p,
                     const struct phase *before)
{
    struct ec_workload *w = c->w;
    struct ec_message_order *o = w->order;
    const size_t in_step = (size_t)c->t->nodes * c->ways, begin = (step - 1) * in_step;

    for (uint32_t node = 0; node < c->t->nodes; node++) {
        for (unsigned way = 0; way < c->ways; way++) {
            const size_t i = begin + (size_t)node * c->ways + way;
            w->messages[i] =
                (struct ec_message){1, node, neighbor(c->t, node, p->dim, way == 0), p->words};
            o->step[i] = step;
            o->first[i + 1] = o->first[i];
            if (!before)
                continue;
            const uint32_t from = neighbor(c->t, node, before->dim, way != 0);
            o->after[o->first[i + 1]++] =
                (uint32_t)(begin - in_step + (size_t)from * c->ways + way);
            w->combined[i] = before->reduces ? before->words : 0;
        }
    }
}

static void add_rings(struct making *c)
{
    const struct phase *before = NULL;
    uint32_t step = 0;

    for (unsigned p = 0; p < c->phases; p++) {
        for (uint32_t k = 1; k < c->t->radix[c->phase[p].dim]; k++) {
            add_step(c, ++step, &c->phase[p], before);
            before = &c->phase[p];
        }
    }
}

/* --- Binomial trees --------------------------------------------------------------------------- */

/* Labels are node xor root. Label l > 0, whose lowest bit is b, is joined to l - 2^b. From the root
 * (down) the highest bit comes first, towards it (up) the lowest. The message of label l: */
static uint32_t tree_message(uint32_t nodes, bool up, uint32_t l)
{
    const unsigned b = (unsigned)__builtin_ctz(l);

    return (up ? nodes - (nodes >> b) : (nodes >> (b + 1)) - 1) + (l >> (b + 1));
}

/* A node sends what it has received: up, from all below it; down, from its parent. It sends in the
 * order of the list. */
static void add_tree(struct making *c, const struct ec_workload_spec *s)
{
    const uint32_t nodes = c->t->nodes, steps = (uint32_t)__builtin_ctz(nodes);
    const bool up = s->id == EC_WORKLOAD_GATHER, whole = s->id == EC_WORKLOAD_BROADCAST;
    struct ec_message_order *o = c->w->order;
    size_t i = 0;

    for (uint32_t step = 1; step <= steps; step++) {
        const uint32_t b = up ? step - 1 : steps - step, half = UINT32_C(1) << b;
        const uint32_t words = whole ? s->lengths.first : s->lengths.first / nodes * half;
        for (uint32_t l = half; l < nodes; l += 2 * half, i++) {
            const uint32_t child = l ^ s->node, parent = (l - half) ^ s->node;
            c->w->messages[i] =
                (struct ec_message){1, up ? child : parent, up ? parent : child, words};
            o->step[i] = step;
            o->first[i + 1] = o->first[i];
            if (!up && l > half)
                o->after[o->first[i + 1]++] = tree_message(nodes, up, l - half);
            for (uint32_t k = 1; up && k < half; k *= 2)
                o->after[o->first[i + 1]++] = tree_message(nodes, up, l + k);
        }
    }
}

/* --- Pairwise exchange ------------------------------------------------------------------------ */

/* In step k, nodes i and i xor k exchange the words for each other, after those of step k - 1. On a
 * cube, whose paths all correct the bits of k, no two messages of a step share a link. */
static void add_exchanges(struct making *c, uint32_t words)
{
    const uint32_t nodes = c->t->nodes;
    struct ec_message_order *o = c->w->order;
    size_t i = 0;

    for (uint32_t k = 1; k < nodes; k++) {
        for (uint32_t node = 0; node < nodes; node++, i++) {
            c->w->messages[i] = (struct ec_message){1, node, node ^ k, words};
            o->step[i] = k;
            o->first[i + 1] = o->first[i];
            if (k > 1)
                o->after[o->first[i + 1]++] = (k - 2) * nodes + (node ^ (k - 1));
        }
    }
}

/* --- All of them ------------------------------------------------------------------------------ */

enum ec_code collective_messages(const struct ec_workload_spec *s, struct ec_workload *w,
                                 struct ec_error *reterr)
{
    struct making c = {.t = s->pattern.t, .w = w, .ways = s->ways};
    const enum ec_code code = check(s, c.t, reterr);
    uint64_t count = c.t->nodes - 1; /* of a tree */

    if (code)
        return code;
    if (s->ways) {
        choose_phases(&c, s);
        count = c.steps * c.t->nodes * c.ways;
    } else if (s->id == EC_WORKLOAD_ALLTOALL) {
        c.steps = c.t->nodes - 1;
        count = c.steps * c.t->nodes;
    }
    w->reduces = s->id == EC_WORKLOAD_ALLREDUCE || s->id == EC_WORKLOAD_REDUCESCATTER;
    if (count > COLLECTIVE_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "workload %s: %llu steps of %u nodes: expected at most %llu messages: choose "
            "a smaller network%s",
            w->name, (unsigned long long)c.steps, c.t->nodes, (unsigned long long)COLLECTIVE_MAX,
            s->ways ? ", or one of more dimensions" : "");
    w->message_count = (size_t)count;
    if (!allocate(&c))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages");
    if (s->ways)
        add_rings(&c);
    else if (s->id == EC_WORKLOAD_ALLTOALL)
        add_exchanges(&c, s->lengths.first / c.t->nodes);
    else
        add_tree(&c, s);
    return EC_OK;
}

enum ec_code ec_workload_combine(struct ec_workload *w, uint32_t cycles, struct ec_error *reterr)
{
    if (!w->reduces)
        return ec_fail(reterr, EC_USAGE,
                       "--combine %u: expected a workload that reduces, allreduce or "
                       "reducescatter; got '%.100s'",
                       cycles, w->text);
    if ((uint64_t)cycles * w->longest > UINT32_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "--combine %u: a node combines %u words: expected less than 2^32 cycles",
                       cycles, w->longest);
    free(w->order->delay);
    w->order->delay = calloc(w->message_count, sizeof *w->order->delay);
    if (!w->order->delay)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages");
    for (size_t i = 0; i < w->message_count; i++)
        w->order->delay[i] = cycles * w->combined[i];
    return EC_OK;
}
